"""Currency reports on the screen: the cash behind one, Form 112, the batches, and how it ends."""

from __future__ import annotations

from datetime import date
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from inventory.kinds.of_a_patron import new_patron_url
from inventory.models import CashEntry, CtrBatch, CtrForm, CurrencyReport, Patron
from inventory.selectors.cash_log import (
    behalves_of,
    cash_of,
    day_sum,
    known_and_missing,
    person_of,
    whose,
)
from inventory.selectors.ctr import batches, covering, forms_to_export, slip_of
from inventory.selectors.patrons import identity_documents, patrons_at_hand, patrons_named
from inventory.services.behalf import behalf_of, tell_behalf
from inventory.services.ctr import (
    ASKED,
    Answers,
    cash_behind,
    export_batch,
    filed_before,
    form_in,
    party_on_file,
    person_in,
    read_batch,
    save_form,
)
from inventory.services.currency_reports import (
    close_report,
    file_reports,
    is_due,
    today_on_the_wall,
)
from pitboss.access import may_open, page
from pitboss.api import http_status
from pitboss.middleware import PitRequest
from pitboss.rules.cheques.cheques import format_money
from pitboss.rules.flows.flows import SlipStatus
from pitboss.rules.patrons.cash_log import CashKind, Direction
from pitboss.rules.patrons.ctr import BSA_ID, UNKNOWABLE, FilingDue, Party, Share, shares_of
from pitboss.rules.refusal import Refused
from pitboss.rules.roles import Role
from pitboss.services import house
from pitboss.services.pads import attested_by
from pitboss.slips.addresses import new_url, row_id
from pitboss.views.forms import day_of, new_request_id, pen_of, text
from pitboss.views.pads import pad_of

_LABELS = {
    "alias": "Alias, or trade name",
    "occupation": "Occupation",
    "naics": "NAICS code",
    "phone": "Phone",
    "email": "E-mail",
    "id_state": "State that issued the ID",
    "id_country": "Country that issued the ID",
    "id_other": "Kind of ID, if another",
    "verified_how": "How the identity was verified",
    "second_document": "Second document, with a passport",
    "account": "Account number, if any",
}
_FILE_TYPES = {"xml": "application/xml", "csv": "text/csv; charset=utf-8"}


def _report(report_id: int) -> CurrencyReport:
    reports = CurrencyReport.objects.select_related(
        "patron", "stranger", "closing__closed_by", "amends__closing", "amended_by"
    )
    return get_object_or_404(reports, pk=report_id)


@require_http_methods(["GET", "POST"])
@page("currency_report")
def currency_report(request: PitRequest, report_id: int) -> HttpResponse:
    """Show a currency report: the day behind it, how far it is, and how it ends."""
    report = _report(report_id)
    refused: Refused | None = None
    if request.method == "POST":
        try:
            close_report(
                report_id=report.pk, reason=text(request.POST, "reason"), pen=pen_of(request)
            )
        except Refused as error:
            refused = error
        else:
            messages.success(request, "The report is closed as not due.")
            return redirect("compliance")
    return _render_report(request, report, refused)


@require_POST
@page("ctr_batches")
def currency_report_filed(request: PitRequest, report_id: int) -> HttpResponse:
    """Keep under which number a report was filed."""
    report = _report(report_id)
    form = covering(report).filter(exported__isnull=False).order_by("-id").first()
    if form is None:
        raise Http404("No exported form of this report.")
    try:
        file_reports(
            form=form,
            bsa_id=text(request.POST, "bsa_id"),
            filed_on=day_of(request.POST, "filed_on"),
            by=request.user,
            device=request.device,
            request_id=pen_of(request).request_id,
        )
    except Refused as refused:
        return _render_report(request, report, refused)
    messages.success(request, f"Filed as {text(request.POST, 'bsa_id')}.")
    return redirect("compliance")


def _render_report(
    request: PitRequest, report: CurrencyReport, refused: Refused | None
) -> HttpResponse:
    today = request.period.gaming_day
    person = whose(report.patron, report.stranger)
    closing = getattr(report, "closing", None)
    is_over = today > report.gaming_day
    wall_day = today_on_the_wall(house.now())
    may_close = closing is None and request.role == Role.COMPLIANCE
    is_not_due = request.GET.get("ends") == "not_due" or "badge" in request.POST
    own = reverse("currency-report", args=[report.pk])
    known, missing = known_and_missing(person)
    may_know = may_open(request.role, "compliance")
    behalves = {behalf.entry_id: behalf.patron for behalf in behalves_of(report.gaming_day)}
    context = {
        "heading": "Currency report",
        "back": {"url": reverse("compliance"), "label": "Compliance"}
        if may_know
        else {
            "url": reverse("cash-multiple", args=[report.gaming_day.isoformat()]),
            "label": "Log",
        },
        **card_of(report, today),
        "known": known,
        "missing": missing,
        "entries": [
            {
                "entry": cash_entry,
                "kind": CashKind(cash_entry.kind).label.capitalize(),
                "by": whose(cash_entry.patron, cash_entry.stranger),
                "behalf": behalves.get(cash_entry.reverses_id or cash_entry.pk),
                "behalf_url": reverse("cash-behalf", args=[cash_entry.pk])
                if closing is None and may_open(request.role, "cash_match")
                else None,
            }
            for cash_entry in cash_of(person, report.gaming_day)
            .filter(direction=report.direction)
            .select_related("table", "slip", "patron", "stranger")
        ],
        "closing": closing,
        "waits_for_day": closing is None and not is_over,
        "form_url": reverse("ctr-form", args=[report.pk])
        if closing is None and is_over and may_open(request.role, "ctr_form")
        else None,
        "may_file": may_close,
        "filing": {
            "url": reverse("currency-report-filed", args=[report.pk]),
            "request_id": new_request_id(),
            "bsa_id": text(request.POST, "bsa_id"),
            "filed_on": text(request.POST, "filed_on") or wall_day.isoformat(),
        },
        "ends": [
            {"label": "File", "url": own, "is_current": not is_not_due},
            {"label": "Not due", "url": f"{own}?ends=not_due", "is_current": is_not_due},
        ]
        if may_close and is_over
        else [],
        "pad": pad_of(
            request,
            url=f"{own}?ends=not_due",
            attested=attested_by("currency_report_not_due"),
            button="Close as not due",
            refused=refused,
            badge=request.user.badge,
            inputs=({"name": "reason", "label": "Why no report is due"},),
        )
        if may_close and is_over and is_not_due
        else None,
        "is_due": is_due(report, person),
        "refusals": refused.refusals if refused else (),
    }
    return render(
        request,
        "inventory/currency_report.html",
        context,
        status=http_status(refused) if refused else 200,
    )


def card_of(report: CurrencyReport, today: date) -> dict[str, Any]:
    """Return a report as the desk shows it: whose, how much, how far, and how near its last day."""
    person = whose(report.patron, report.stranger)
    direction = Direction(report.direction)
    due = FilingDue(report.due_on, today)
    slip = slip_of(report)
    batch = CtrBatch.objects.filter(forms__slip=slip).first() if slip else None
    return {
        "report": report,
        "name": person.name,
        "is_known": person.is_known,
        "direction": direction.label,
        "sum_cents": day_sum(person, report.gaming_day, direction),
        "missing": known_and_missing(person)[1],
        "days_left": due.days_left,
        "tone": due.tone,
        "slip": slip,
        "batch": batch,
        "state": _state(slip.status if slip else "", batch),
        "url": reverse("currency-report", args=[report.pk]),
        "person_url": reverse("cash-person", args=[report.gaming_day.isoformat(), person.key]),
    }


def _state(status: str, batch: CtrBatch | None) -> str:
    """Return in one word how far a report is."""
    if batch is not None:
        return "Exported"
    return {SlipStatus.OPEN.value: "Completed", SlipStatus.DONE.value: "Approved"}.get(
        status, "Opened"
    )


@require_http_methods(["GET", "POST"])
@never_cache
@page("ctr_form")
def ctr_form(request: PitRequest, report_id: int) -> HttpResponse:
    """Complete Form 112 of a report; what is saved is then signed by two people."""
    report = _report(report_id)
    cash = cash_behind(report)
    refused: Refused | None = None
    if request.method == "POST":
        try:
            form = save_form(
                report=report,
                answers={key: _answers(request, key) for key in cash.people},
                prior_bsa_id=text(request.POST, "prior_bsa_id"),
                person=request.user,
                device=request.device,
                request_id=pen_of(request).request_id,
            )
            return redirect(new_url("ctr", form=form.pk))
        except Refused as error:
            refused = error
    prior = filed_before(report)
    shares = shares_of(cash.moves)
    before = _last_form(report)
    context = {
        "heading": "Form 112",
        "back": {"url": reverse("currency-report", args=[report.pk]), "label": "Report"}
        if may_open(request.role, "currency_report")
        else {"url": reverse("cash-log"), "label": "Cash log"},
        **card_of(report, request.period.gaming_day),
        "url": reverse("ctr-form", args=[report.pk]),
        "request_id": new_request_id(),
        "people": [
            {
                **_person(request, key, before.get(key)),
                "roles": [_role_words(share) for share in shares if share.key == key],
                "is_multiple": any(share.multiple for share in shares if share.key == key),
            }
            for key in cash.people
        ],
        "amends": prior is not None,
        "prior_bsa_id": text(request.POST, "prior_bsa_id")
        or (prior if prior and BSA_ID.fullmatch(prior) else ""),
        "refusals": refused.refusals if refused else (),
    }
    return render(
        request,
        "inventory/ctr_form.html",
        context,
        status=http_status(refused) if refused else 200,
    )


def _role_words(share: Share) -> str:
    """Return someone's part in the cash as the form has it: 50 on own behalf, in $11,000."""
    ways = (("in", share.in_dollars), ("out", share.out_dollars))
    sums = [f"{way} {format_money(dollars * 100)}" for way, dollars in ways if dollars]
    return ", ".join([f"{share.role.value} {share.role.label}", *sums])


def _answers(request: PitRequest, key: str) -> Answers:
    posted = request.POST
    return Answers(
        texts={name: text(posted, f"{key}-{name}") for name in ASKED},
        document_id=row_id(text(posted, f"{key}-document")),
        unknown=tuple(item for item in UNKNOWABLE if posted.get(f"{key}-no-{item}")),
    )


def _last_form(report: CurrencyReport) -> dict[str, Party]:
    """Return what was entered last of each person, so that no one enters it twice."""
    of = CtrForm.objects.filter(report__patron=report.patron, report__patron__isnull=False)
    newest = (of | covering(report)).order_by("-id").first()
    return {party.key: party for party in form_in(newest).parties} if newest else {}


def _person(request: PitRequest, key: str, before: Party | None) -> dict[str, Any]:
    """Return one person of the form: what is on file, and what is asked."""
    patron = person_in(key)
    posted = request.POST
    today = request.period.gaming_day
    party = party_on_file(key, patron)
    documents = list(identity_documents(patron, today)) if patron else []
    chosen = row_id(text(posted, f"{key}-document"))
    sex = text(posted, f"{key}-sex") if posted else (before.sex if before else "")
    return {
        "key": key,
        "patron": patron,
        "name": party.name if patron else whose_name(key),
        "party": party,
        "file_url": reverse("patron-edit", args=[patron.pk])
        if patron and may_open(request.role, "patron_file")
        else None,
        "documents": [
            {
                "id": document.pk,
                "label": f"{document}".capitalize(),
                "is_chosen": document.pk == chosen if posted else at == 0,
            }
            for at, document in enumerate(documents)
        ],
        "sexes": [
            {"value": value, "label": label, "is_chosen": sex == value}
            for value, label in (("", "not known"), ("F", "female"), ("M", "male"))
        ],
        "fields": [
            {
                "name": f"{key}-{name}",
                "label": label,
                "value": text(posted, f"{key}-{name}")
                if posted
                else (getattr(before, name) if before else ""),
            }
            for name, label in _LABELS.items()
        ],
        "unknown": [
            {
                "name": f"{key}-no-{item}",
                "label": f"{words[0].upper()}{words[1:]} not known",
                "is_checked": bool(posted.get(f"{key}-no-{item}"))
                if posted
                else bool(before and item in before.unknown),
            }
            for item, words in UNKNOWABLE.items()
        ],
    }


def whose_name(key: str) -> str:
    """Return how someone was described who is not on file."""
    person = person_of(key)
    return person.name if person is not None else ""


@require_http_methods(["GET", "POST"])
@page("ctr_batches")
def ctr_batches(request: PitRequest) -> HttpResponse:
    """Show the batches, and make one of every report that is approved."""
    refused: Refused | None = None
    if request.method == "POST":
        try:
            batch = export_batch(
                by=request.user, device=request.device, request_id=pen_of(request).request_id
            )
        except Refused as error:
            refused = error
        else:
            messages.success(request, f"Batch {batch.pk} is ready. File it in BSA E-Filing.")
            return redirect("ctr-batches")
    context = {
        "heading": "Batches",
        "back": {"url": reverse("compliance"), "label": "Compliance"},
        "url": reverse("ctr-batches"),
        "request_id": new_request_id(),
        "waiting": list(forms_to_export()),
        "batches": [
            {
                "batch": batch,
                "rows": [
                    {
                        "inside": inside,
                        "name": whose(inside.form.report.patron, inside.form.report.stranger).name,
                        "url": reverse("currency-report", args=[inside.form.report_id]),
                        "filing": next(iter(inside.form.filings.all()), None),
                    }
                    for inside in batch.forms.all()
                ],
            }
            for batch in batches()[:30]
        ],
        "refusals": refused.refusals if refused else (),
    }
    return render(
        request,
        "inventory/ctr_batches.html",
        context,
        status=http_status(refused) if refused else 200,
    )


@require_GET
@never_cache
@page("ctr_batches")
def ctr_file(request: PitRequest, batch_id: int, shape: str) -> HttpResponse:
    """Give a batch out as XML or CSV."""
    batch = get_object_or_404(CtrBatch, pk=batch_id)
    if shape not in _FILE_TYPES:
        raise Http404("A batch is XML or CSV.")
    content = read_batch(batch=batch, by=request.user, device=request.device, shape=shape)
    return HttpResponse(
        content,
        content_type=_FILE_TYPES[shape],
        headers={
            "Content-Disposition": f'attachment; filename="CTRX-{batch.pk:06}.{shape}"',
        },
    )


@require_http_methods(["GET", "POST"])
@page("cash_match")
def cash_behalf(request: PitRequest, entry_id: int) -> HttpResponse:
    """Say on whose behalf someone brought or took cash."""
    entry = get_object_or_404(
        CashEntry.objects.select_related("patron", "stranger", "table"), pk=entry_id
    )
    person = whose(entry.patron, entry.stranger)
    was = behalf_of(entry)
    given = request.POST if request.method == "POST" else request.GET
    patron = _chosen(given)
    is_own = given.get("who") == "own"
    find = request.GET.get("find", "").replace("\x00", "")[:60]
    own = reverse("cash-behalf", args=[entry.pk])
    refused: Refused | None = None
    if request.method == "POST":
        try:
            tell_behalf(entry_id=entry.pk, patron=patron, pen=pen_of(request))
        except Refused as error:
            refused = error
        else:
            messages.success(request, "Saved on whose behalf it was.")
            return redirect("cash-person", day=entry.gaming_day.isoformat(), who=person.key)
    context = {
        "heading": "On whose behalf",
        "back": {
            "url": reverse("cash-person", args=[entry.gaming_day.isoformat(), person.key]),
            "label": "Person",
        },
        "own_url": own,
        "entry": entry,
        "kind": CashKind(entry.kind).label,
        "person": person,
        "was": was,
        "patron": patron,
        "find": find,
        "found": patrons_named(find, entities=True) if find else patrons_at_hand(),
        "add_url": new_patron_url(request, f"{own}?who=p"),
        "pad": pad_of(
            request,
            url=own,
            attested=attested_by("cash_on_behalf" if patron else "cash_own_behalf"),
            button="Sign",
            refused=refused,
            badge=request.user.badge,
            fields={"who": given.get("who", "")},
        )
        if patron is not None or is_own
        else None,
        "refusals": refused.refusals if refused else (),
    }
    return render(
        request,
        "inventory/cash_behalf.html",
        context,
        status=http_status(refused) if refused else 200,
    )


def _chosen(given: QueryDict) -> Patron | None:
    """Return whom an address or a form names as the person on whose behalf it was."""
    person = person_of(given.get("who", ""))
    return person.patron if person is not None else None
