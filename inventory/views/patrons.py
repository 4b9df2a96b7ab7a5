"""Patrons on the screen: looked up, put on file, and what is granted to or withheld from them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date
from typing import Any

from django.contrib import messages
from django.core.files.uploadedfile import UploadedFile
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods

from inventory.models import Patron, PatronDocument
from inventory.selectors.credit import (
    found_of,
    granted_lines,
    markers_to_sign,
    outstanding,
)
from inventory.selectors.deposits import deposits_of
from inventory.selectors.exclusion import stops_of
from inventory.selectors.patrons import patrons_named
from inventory.services.patrons import (
    CONTENT_MAX_BYTES,
    NewDocument,
    add_document,
    add_patron,
    change_patron,
    read_content,
)
from pitboss.access import may_open, page
from pitboss.api import http_status
from pitboss.middleware import PitRequest
from pitboss.rules.patrons.exclusion import Moment
from pitboss.rules.patrons.patrons import COLUMNS, DocumentKind, TaxIdKind
from pitboss.rules.refusal import Refused, refuse
from pitboss.services import house
from pitboss.services.signing import Pen
from pitboss.slips.addresses import new_url
from pitboss.views.forms import pen_of, text
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
    "tax_country": "Resident for tax in",
}


@require_GET
@page("patrons")
def patrons(request: PitRequest) -> HttpResponse:
    """Look a patron up by a card that is swiped or by name."""
    asked = request.GET.get("q", "").replace("\x00", "")[:80]
    context = {
        "heading": "Patrons",
        "asked": asked,
        "found": [found_of(patron) for patron in patrons_named(asked)],
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
        "markers": outstanding(request.period.gaming_day, who),
        "to_sign": markers_to_sign(who).select_related("slip"),
        "deposits": deposits_of(who, now),
        "acts": _acts(request, who),
        **_stop(request, who),
    }
    return render(request, "inventory/patron.html", context)


def _stop(request: PitRequest, who: Patron) -> dict[str, Any]:
    """Return that a patron is stopped, and the case for those who may know of which list."""
    stops = stops_of(who, Moment.WIN, request.period.gaming_day)
    case = who.cases.filter(row__in=[each.row for each in stops]).first() if stops else None
    may_know = case is not None and may_open(request.role, "exclusion_case")
    return {
        "is_stopped": bool(stops),
        "case_url": reverse("exclusion-case", args=[case.pk]) if case and may_know else "",
    }


def _documents(who: Patron) -> list[dict[str, Any]]:
    return [
        {
            "document": document,
            "url": reverse("patron-document", args=[who.pk, document.pk])
            if document.content_cipher
            else "",
        }
        for document in who.documents.defer("content_cipher", "number_cipher").select_related(
            "added_by"
        )
    ]


def _acts(request: PitRequest, who: Patron) -> list[dict[str, str]]:
    acts = (
        ("patron_file", "Correct", "patron-edit"),
        ("patron_file", "Add a document", "patron-paper"),
    )
    kinds = [("credit_line", "Propose a line"), ("credit_stop", "Stop the credit")]
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
    """Key somebody who is not on file yet, and sign."""
    return _keyed(
        request,
        "New patron",
        reverse("patron-new"),
        {**_LIST, "url": reverse("patrons")},
        {"country": "US", "tax_country": "US"},
        lambda keyed, pen: add_patron(keyed=keyed, pen=pen),
    )


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


def _keyed(
    request: PitRequest,
    heading: str,
    url: str,
    back: Mapping[str, str],
    standing: Mapping[str, Any],
    act: Callable[[dict[str, str], Pen], Patron],
) -> HttpResponse:
    refused: Refused | None = None
    keyed = {column: str(standing.get(column) or "") for column in COLUMNS}
    if request.method == "POST":
        try:
            keyed = {column: text(request.POST, column) for column in COLUMNS}
            who = act(keyed, pen_of(request))
        except Refused as error:
            refused = error
        else:
            messages.success(request, f"{who} is on file.")
            return redirect("patron", patron_id=who.pk)
    context = {
        "heading": heading,
        "back": back,
        "fields": [
            {
                "name": column,
                "label": _LABELS[column],
                # A tax id is never shown again, not even to whoever keyed it.
                "value": "" if column == "tax_id" else keyed[column],
                "type": "date" if column == "born_on" else "text",
                "choices": [kind.value for kind in TaxIdKind] if column == "tax_id_kind" else None,
                "needed": column in ("first_name", "last_name"),
            }
            for column in COLUMNS
        ],
        "pad": pad_of(
            request,
            url=url,
            sentence="I entered this information from original documents that I examined.",
            button="Put on file",
            refused=refused,
            badge=request.user.badge,
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
            messages.success(request, f"{str(document).capitalize()} is on file.")
            return redirect("patron", patron_id=who.pk)
    context = {
        "heading": f"{who} document",
        "back": {"label": str(who), "url": reverse("patron", args=[who.pk])},
        "kinds": [{"value": kind.value, "label": kind.label} for kind in DocumentKind],
        "keyed": {name: request.POST.get(name, "") for name in ("kind", "issuer", "expires_on")},
        "pad": pad_of(
            request,
            url=reverse("patron-paper", args=[who.pk]),
            sentence="I examined this document, and it belongs to this patron.",
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
