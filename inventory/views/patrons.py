"""Patrons on the screen: looked up, put on file, and what is granted to or withheld from them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import date
from typing import Any
from uuid import uuid5

from django.contrib import messages
from django.core.files.uploadedfile import UploadedFile
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_GET, require_http_methods

from inventory.models import Patron, PatronDocument
from inventory.selectors.checks import at_the_bank, checks_at_hand, serial_of, written_off
from inventory.selectors.credit import (
    corrections_of,
    found_of,
    granted_lines,
    markers_to_sign,
)
from inventory.selectors.deposits import deposits_of
from inventory.selectors.exclusion import stops_of
from inventory.selectors.patrons import account_of, patrons_at_hand, patrons_named
from inventory.services.patrons import (
    NewDocument,
    add_document,
    add_patron,
    change_patron,
    read_content,
)
from inventory.views.credit_desk import check_rows, contacts_of
from pitboss.access import may_open, page
from pitboss.api import http_status
from pitboss.middleware import PitRequest
from pitboss.pictures import CONTENT_MAX_BYTES
from pitboss.rules.patrons.exclusion import Moment
from pitboss.rules.patrons.id_scan import ScannedId, read_id
from pitboss.rules.patrons.patrons import COLUMNS, DocumentKind, TaxIdKind
from pitboss.rules.people.languages import ENGLISH, LANGUAGES
from pitboss.rules.refusal import Refused, refuse
from pitboss.services import house
from pitboss.services.pads import attested_by
from pitboss.services.signing import Pen
from pitboss.slips.addresses import new_url
from pitboss.views.forms import day_named, pen_of, text
from pitboss.views.pads import pad_of

_LIST = {"label": "Patrons"}
_LABELS = {
    "first_name": "First name",
    "middle_name": "Middle name",
    "last_name": "Last name",
    "name_suffix": "Suffix",
    "street": "Street",
    "street_more": "Street, second line",
    "city": "City",
    "region": "State or region",
    "postal_code": "Postal code",
    "country": "Country",
    "born_on": "Born",
    "player_card": "Player card",
    "tax_id_kind": "Kind of tax id",
    "tax_id": "Tax id",
    "tax_country": "Tax residence",
    "language": "Language",
}

# What a company has not.
_OF_PEOPLE = ("first_name", "middle_name", "name_suffix", "born_on", "player_card")


@require_GET
@page("patrons")
def patrons(request: PitRequest) -> HttpResponse:
    """Look a patron up by a card that is swiped or by name."""
    asked = request.GET.get("q", "").replace("\x00", "")[:80]
    context = {
        "heading": "Patrons",
        "asked": asked,
        "found": [
            found_of(patron) for patron in (patrons_named(asked) if asked else patrons_at_hand())
        ],
        "may_add": may_open(request.role, "patron_file"),
    }
    return render(request, "inventory/patrons.html", context)


@require_GET
@page("patrons")
def patron(request: PitRequest, patron_id: int) -> HttpResponse:
    """Show what is on file of a patron, what they owe, and what may be done."""
    who = get_object_or_404(Patron, pk=patron_id)
    now = house.now()
    lines = granted_lines(who, now)
    context = {
        "heading": who.full_name,
        "back": {**_LIST, "url": reverse("patrons")},
        "found": found_of(who),
        "lines": list(lines.values()),
        "history": who.credit_lines.select_related("slip")[:20],
        "standings": who.standings.select_related("slip")[:10],
        "documents": _documents(who),
        "checks": check_rows(request, checks_at_hand(request.period.gaming_day, who)),
        "corrected": corrections_of(who),
        "to_sign": markers_to_sign(who).select_related("slip"),
        "deposits": deposits_of(who, now),
        "bank": [
            {"serial": serial_of(check_deposit), "deposit": check_deposit}
            for check_deposit in at_the_bank({"patron": who, "free_at__gt": now})
        ],
        "given_up": _given_up(who),
        "contacts": contacts_of(who) if may_open(request.role, "credit_desk") else [],
        "acts": _acts(request, who),
        **_stop(request, who),
    }
    return render(request, "inventory/patron.html", context)


def _given_up(who: Patron) -> list[dict[str, Any]]:
    """Return what was written off of a patron's markers, and where it is recovered."""
    return [
        {"marker": marker, "gone_cents": gone, "back_cents": back}
        for marker, gone, back in written_off(patron=who)
    ]


def _stop(request: PitRequest, who: Patron) -> dict[str, Any]:
    """Return that a patron is stopped, and the case for those who may know of which list."""
    stops = stops_of(who, Moment.WIN, request.period.gaming_day)
    case = who.cases.filter(row__in=[stop.row for stop in stops]).first() if stops else None
    may_know = case is not None and may_open(request.role, "exclusion_case")
    return {
        "is_stopped": bool(stops),
        "case_url": reverse("exclusion-case", args=[case.pk]) if case and may_know else "",
    }


def _documents(who: Patron) -> list[dict[str, Any]]:
    account = account_of(who)
    return [
        {
            "document": document,
            "state": _account_state(document, account),
            "url": reverse("patron-document", args=[who.pk, document.pk])
            if document.content_cipher
            else "",
        }
        for document in who.documents.defer("content_cipher", "number_cipher").select_related(
            "added_by"
        )
    ]


def _account_state(document: PatronDocument, account: PatronDocument | None) -> str:
    """Return whether markers are drawn on a bank account; nothing of other documents."""
    if document.kind != DocumentKind.BANK_ACCOUNT:
        return ""
    if document == account:
        return "in use"
    return "not approved" if account is None or document.pk > account.pk else "no longer in use"


def _acts(request: PitRequest, who: Patron) -> list[dict[str, str]]:
    acts = (
        ("patron_file", "Correct", "patron-edit"),
        ("patron_file", "Add a document", "patron-paper"),
        ("collection", "Log a contact", "contact-new"),
    )
    kinds = [
        ("credit_line", "Propose a line"),
        ("bank_account", "Change bank account"),
        ("credit_stop", "Stop the credit"),
        ("same_patron", "On file twice…"),
        ("consolidation", "Consolidate markers"),
        ("front_deposit", "Deposit"),
        ("front_withdrawal", "Withdrawal"),
    ]
    if not found_of(who)["is_clear"]:
        kinds.append(("credit_restore", "Restore the credit"))
    return [
        *(
            {"label": label, "url": reverse(address, args=[who.pk])}
            for name, label, address in acts
            if may_open(request.role, name)
        ),
        *(
            {"label": label, "url": new_url(kind, patron=who.pk)}
            for kind, label in kinds
            if may_open(request.role, kind)
        ),
    ]


@require_http_methods(["GET", "POST"])
@page("patron_file")
def patron_new(request: PitRequest) -> HttpResponse:
    """Key someone who is not on file yet, and sign."""
    given = request.POST if request.method == "POST" else request.GET
    is_entity = given.get("entity") == "yes"
    then = _safe(given.get("then", ""))
    scanned, refused = _scanned(request)
    shown = _id_shown(request, scanned)

    def add(keyed: dict[str, str], pen: Pen) -> Patron:
        who = add_patron(keyed={**keyed, "is_entity": given.get("entity", "")}, pen=pen)
        if shown:
            new = NewDocument(
                DocumentKind(shown["id_kind"]),
                number=shown["id_number"],
                issuer=shown["id_issuer"],
                expires_on=day_named(shown["id_expires"]),
            )
            own = replace(pen, request_id=uuid5(pen.request_id, "document"))
            add_document(patron_id=who.pk, new=new, pen=own)
        return who

    return _keyed(
        request,
        "New company" if is_entity else "New patron",
        reverse("patron-new"),
        {**_LIST, "url": reverse("patrons")},
        {"country": "US", "tax_country": "US", **(scanned.fields if scanned else {})},
        add,
        then=then,
        is_entity=is_entity,
        scan_refused=refused,
        along={
            **({"then": then} if then else {}),
            **({"entity": "yes"} if is_entity else {}),
            **shown,
        },
    )


def _safe(then: str) -> str:
    """Return where to go on with whoever was put on file: an address of this site, or nothing."""
    is_ours = then.startswith("/") and url_has_allowed_host_and_scheme(then, allowed_hosts=None)
    return then if is_ours else ""


def _scanned(request: PitRequest) -> tuple[ScannedId | None, Refused | None]:
    """Return what the barcode of an ID says that was scanned or pasted."""
    if "scan" not in request.POST:
        return None, None
    try:
        return read_id(request.POST["scan"].replace("\x00", "")), None
    except Refused as error:
        return None, error


def _id_shown(request: PitRequest, scanned: ScannedId | None) -> dict[str, str]:
    """Return the ID that goes on file with a new patron: as scanned, or as the pad has it."""
    if scanned is not None:
        return {
            "id_kind": scanned.kind.value,
            "id_number": scanned.number,
            "id_issuer": scanned.issuer,
            "id_expires": scanned.expires_on.isoformat() if scanned.expires_on else "",
        }
    names = ("id_kind", "id_number", "id_issuer", "id_expires")
    found = {name: text(request.POST, name) for name in names}
    is_id = found["id_kind"] in [kind.value for kind in DocumentKind] and found["id_number"]
    return found if is_id else {}


@require_http_methods(["GET", "POST"])
@page("patron_file")
def patron_edit(request: PitRequest, patron_id: int) -> HttpResponse:
    """Correct what stands on file; a tax id that is left empty stays."""
    who = get_object_or_404(Patron, pk=patron_id)
    standing = {column: getattr(who, column) for column in COLUMNS if column != "tax_id"}
    standing["born_on"] = who.born_on.isoformat() if who.born_on else ""
    return _keyed(
        request,
        who.full_name,
        reverse("patron-edit", args=[who.pk]),
        {"label": str(who), "url": reverse("patron", args=[who.pk])},
        standing,
        lambda keyed, pen: change_patron(patron_id=who.pk, keyed=keyed, pen=pen),
    )


def _choices(column: str) -> list[dict[str, str]] | None:
    """Return what a field is chosen from, nothing chosen first; none for a plain field."""
    if column == "tax_id_kind":
        kinds = [{"value": kind.value, "label": kind.value.upper()} for kind in TaxIdKind]
        return [{"value": "", "label": "from the number"}, *kinds]
    if column == "language":
        others = [
            {"value": code, "label": name} for code, name in LANGUAGES.items() if code != ENGLISH
        ]
        return [{"value": "", "label": LANGUAGES[ENGLISH]}, *others]
    return None


def _keyed(
    request: PitRequest,
    heading: str,
    url: str,
    back: Mapping[str, str],
    standing: Mapping[str, Any],
    act: Callable[[dict[str, str], Pen], Patron],
    *,
    then: str = "",
    is_entity: bool = False,
    scan_refused: Refused | None = None,
    along: Mapping[str, str] | None = None,
) -> HttpResponse:
    refused = scan_refused
    keyed = {column: str(standing.get(column) or "") for column in COLUMNS}
    if request.method == "POST" and "scan" not in request.POST:
        try:
            keyed = {column: text(request.POST, column) for column in COLUMNS}
            who = act(keyed, pen_of(request))
        except Refused as error:
            refused = error
        else:
            messages.success(request, f"{who} is on file.")
            return redirect(f"{then}{who.pk}") if then else redirect("patron", patron_id=who.pk)
    context = {
        "heading": heading,
        "scan_url": url if along is not None and not is_entity else None,
        "along": along or {},
        "back": back,
        "fields": [
            {
                "name": column,
                "label": _LABELS[column],
                # A tax id is never shown again, not even to the person who keyed it.
                "value": "" if column == "tax_id" else keyed[column],
                "type": "date" if column == "born_on" else "text",
                "choices": _choices(column),
                "needed": column in ("first_name", "last_name"),
            }
            for column in COLUMNS
            if not (is_entity and column in _OF_PEOPLE)
        ],
        "pad": pad_of(
            request,
            url=url,
            attested=attested_by("patron_file"),
            button="Put on file",
            refused=refused,
            badge=request.user.badge,
            fields=dict(along or {}),
        ),
        "refusals": refused.refusals if refused else (),
    }
    return render(
        request,
        "inventory/patron_file.html",
        context,
        status=http_status(refused) if refused else 200,
    )


@require_http_methods(["GET", "POST"])
@page("patron_file")
def patron_paper(request: PitRequest, patron_id: int) -> HttpResponse:
    """Put a photo, a signature, an ID or a bank account on a patron's file."""
    who = get_object_or_404(Patron, pk=patron_id)
    refused: Refused | None = None
    if request.method == "POST":
        try:
            document = add_document(patron_id=who.pk, new=_paper(request), pen=pen_of(request))
        except Refused as error:
            refused = error
        else:
            return _after_document(request, who, document)
    context = {
        "heading": f"{who} document",
        "back": {"label": str(who), "url": reverse("patron", args=[who.pk])},
        "kinds": [{"value": kind.value, "label": kind.label} for kind in DocumentKind],
        "keyed": {name: request.POST.get(name, "") for name in ("kind", "issuer", "expires_on")},
        "pad": pad_of(
            request,
            url=reverse("patron-paper", args=[who.pk]),
            attested=attested_by("patron_document"),
            button="Put on file",
            refused=refused,
            badge=request.user.badge,
            has_file=True,
        ),
        "refusals": refused.refusals if refused else (),
    }
    return render(
        request,
        "inventory/patron_paper.html",
        context,
        status=http_status(refused) if refused else 200,
    )


def _after_document(request: PitRequest, who: Patron, document: PatronDocument) -> HttpResponse:
    """Go on from a document that was put on file: another bank account is still to be approved."""
    label = str(document).capitalize()
    if document.kind == DocumentKind.BANK_ACCOUNT and account_of(who) not in (None, document):
        words = f"{label} is on file. Markers stay on the old account until this one is approved."
        messages.success(request, words)
        if may_open(request.role, "bank_account"):
            return redirect(new_url("bank_account", patron=who.pk))
    else:
        messages.success(request, f"{label} is on file.")
    return redirect("patron", patron_id=who.pk)


def _paper(request: PitRequest) -> NewDocument:
    keyed = text(request.POST, "kind")
    if keyed not in tuple(DocumentKind):
        raise refuse("field_missing", "Choose the type of document.")
    ends = text(request.POST, "expires_on")
    try:
        expires_on = date.fromisoformat(ends) if ends else None
    except ValueError:
        raise refuse("date_malformed", "Write the date as 2030-12-31.") from None
    uploaded = request.FILES.get("content")
    content = b""
    if isinstance(uploaded, UploadedFile):
        # One byte more than allowed is enough to refuse it; the rest is never read.
        content = uploaded.read(CONTENT_MAX_BYTES + 1)
    return NewDocument(
        kind=DocumentKind(keyed),
        number=text(request.POST, "number").strip(),
        issuer=text(request.POST, "issuer").strip(),
        expires_on=expires_on,
        content=content,
    )


@require_GET
@page("patron_secrets")
def patron_document(request: PitRequest, patron_id: int, document_id: int) -> HttpResponse:
    """Show the picture of a paper on file; the journal keeps who looked."""
    document = get_object_or_404(PatronDocument, pk=document_id, patron=patron_id)
    if not document.content_cipher:
        raise Http404("This document has no picture.")
    content = read_content(document=document, person=request.user, device=request.device)
    response = HttpResponse(content, content_type=document.media_type)
    response["Cache-Control"] = "no-store"
    response["Content-Disposition"] = "inline"
    return response
