"""The register of a year's tax forms, each form with its papers, its correction, and the export."""

from __future__ import annotations

from typing import Any

from csp.constants import NONE
from csp.decorators import csp
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods

from jackpots.models import TaxForm
from jackpots.selectors.jackpots import jackpots
from jackpots.selectors.tax_papers import papers_standing
from jackpots.selectors.tax_register import chain_of, dues_of, forms_of, totals_of, years
from jackpots.services.tax_exports import export_forms
from jackpots.services.tax_papers import day_of
from jackpots.services.tax_pdfs import read_form
from pitboss.access import may_open, page
from pitboss.api import http_status
from pitboss.middleware import PitRequest
from pitboss.rules.day.late_papers import LATE_TAX, LATE_WINS
from pitboss.rules.refusal import Refused
from pitboss.rules.tax.forms import BOXES, SECRET_BOXES, Audience, FormIssue
from pitboss.rules.tax.papers import TAX_PAPERS
from pitboss.rules.tax.tax import TaxFormName
from pitboss.services import house
from pitboss.services.pads import attested_by
from pitboss.slips.addresses import new_url
from pitboss.views.forms import pen_of
from pitboss.views.pads import pad_of

_FIRST_YEAR, _LAST_YEAR = 2000, 2100
# A PDF loads nothing and runs nothing of ours: it only must not be framed.
_POLICY = {"frame-ancestors": [NONE]}


def _year(request: PitRequest) -> int:
    given = request.GET.get("year", "")
    today = day_of(house.now())
    year = int(given) if given.isascii() and given.isdigit() and len(given) == 4 else today.year
    return min(max(year, _FIRST_YEAR), _LAST_YEAR)


@require_GET
@page("tax_register")
def tax_register(request: PitRequest) -> HttpResponse:
    """Show the forms of a year, what they come to, and what is due when."""
    year = _year(request)
    forms = list(forms_of(year).prefetch_related("pdfs"))
    today = day_of(house.now())
    context = {
        "heading": f"Tax register {year}",
        "back": {"url": reverse("jackpots"), "label": "Jackpots"},
        "year": year,
        "years": sorted({*years(), today.year, year}, reverse=True),
        "forms": [{"form": form, "is_drawn": bool(form.pdfs.all())} for form in forms],
        "totals": totals_of(forms),
        "dues": dues_of(year, today),
        "lines_url": reverse("tax-lines") if may_open(request.role, "tax_lines") else "",
        "payer_is_known": request.house.tax.payer.is_known,
        "may_export": may_open(request.role, "tax_numbers"),
        "kinds": [kind.value for kind in TaxFormName if any(f.form == kind.value for f in forms)],
    }
    return render(request, "jackpots/tax_register.html", context)


@require_GET
@page("tax_form")
def tax_form(request: PitRequest, form_id: int) -> HttpResponse:
    """Show a form box by box, its numbers masked, with what came before and after it."""
    form = get_object_or_404(
        TaxForm.objects.select_related("jackpot__slip__table", "papers", "slip", "patron"),
        pk=form_id,
    )
    kind = TaxFormName(form.form)
    chain = list(chain_of(form))
    is_newest = chain[-1].pk == form.pk
    context = {
        "heading": str(form),
        "back": {"url": f"{reverse('tax-register')}?year={form.tax_year}", "label": "Register"}
        if may_open(request.role, "tax_register")
        else {"url": reverse("slip", args=[form.jackpot.slip.serial]), "label": "Jackpot"},
        "form": form,
        "boxes": [
            {"number": number, "label": label, "value": _shown(form, kind, number)}
            for number, label in BOXES[kind].items()
        ],
        "chain": chain,
        "working": next(
            winner["working"]
            for winner in form.papers.details["winners"]
            if winner["patron"] == form.patron_id
        ),
        "is_drawn": form.pdfs.exists(),
        "payer_is_known": request.house.tax.payer.is_known,
        "may_read_numbers": may_open(request.role, "tax_numbers"),
        "may_correct": may_open(request.role, "tax_correction")
        and is_newest
        and form.issue != FormIssue.VOID.value,
    }
    return render(request, "jackpots/tax_form.html", context)


def _shown(form: TaxForm, kind: TaxFormName, number: str) -> str:
    """Return a box as a screen shows it: of a person's number no more than its end."""
    value = str(form.boxes[number])
    if number not in SECRET_BOXES[kind] or number not in form.number_ciphers:
        return value
    ends = form.masked_tin if number in ("9", "13e", "13i") else "•••"
    return f"{value} {ends}".strip()


@require_GET
@never_cache
@csp(_POLICY)
@page("tax_form")
def tax_pdf_winner(request: PitRequest, form_id: int) -> HttpResponse:
    """Give out the winner's copies, which show no whole number."""
    return _pdf(request, form_id, Audience.WINNER)


@require_GET
@never_cache
@csp(_POLICY)
@page("tax_numbers")
def tax_pdf_payer(request: PitRequest, form_id: int) -> HttpResponse:
    """Give out the copies for the government and for the house."""
    return _pdf(request, form_id, Audience.PAYER)


def _pdf(request: PitRequest, form_id: int, audience: Audience) -> HttpResponse:
    form = get_object_or_404(TaxForm, pk=form_id)
    try:
        content = read_form(
            form=form, audience=audience, person=request.user, device=request.device
        )
    except Refused as refused:
        raise Http404(str(refused)) from refused
    name = f"{form.form}-{form.account}-{form.number}-{audience.value}.pdf"
    return HttpResponse(
        content,
        content_type="application/pdf",
        headers={"Content-Disposition": f'inline; filename="{name}"', "Cache-Control": "no-store"},
    )


@require_GET
@page("slip")
def tax_papers(request: PitRequest, serial: str) -> HttpResponse:
    """Lead to the papers of a win that are under way, or to where they are prepared."""
    win = get_object_or_404(jackpots(), slip__serial=serial)
    standing = papers_standing(win)
    if standing is not None and standing.slip is not None:
        return redirect("slip", serial=standing.slip.serial)
    # Of a win that was paid on paper the form has been signed: it is entered.
    kind = LATE_TAX if win.slip.kind in LATE_WINS else TAX_PAPERS
    return redirect(new_url(kind, of=serial, patron=request.GET.get("patron", "")))


@require_http_methods(["GET", "POST"])
@never_cache
@page("tax_numbers")
def tax_export(request: PitRequest, year: int, kind: str) -> HttpResponse:
    """Hand out a year's forms as a file to map to the filing system, under a signature."""
    if kind not in tuple(TaxFormName) or not _FIRST_YEAR <= year <= _LAST_YEAR:
        raise Http404(f"Form {kind[:8]} not found.")
    form = TaxFormName(kind)
    refused: Refused | None = None
    if request.method == "POST":
        try:
            exported = export_forms(tax_year=year, kind=form, pen=pen_of(request))
        except Refused as error:
            refused = error
        else:
            name = f"{form.value}-{year}.csv"
            return HttpResponse(
                exported,
                content_type="text/csv; charset=utf-8",
                headers={"Content-Disposition": f'attachment; filename="{name}"'},
            )
    forms = list(forms_of(year).filter(form=form.value))
    context: dict[str, Any] = {
        "heading": f"Export of {form.value}, {year}",
        "back": {"url": f"{reverse('tax-register')}?year={year}", "label": "Register"},
        "totals": totals_of(forms),
        "pad": pad_of(
            request,
            url=reverse("tax-export", args=[year, form.value]),
            attested=attested_by("export_tax_forms"),
            button="Sign and take the file",
            refused=refused,
            badge=request.user.badge,
        ),
        "refusals": refused.refusals if refused else (),
    }
    status = http_status(refused) if refused else 200
    return render(request, "jackpots/tax_export.html", context, status=status)
