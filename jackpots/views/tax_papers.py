"""Prepare the tax papers of a jackpot: who won, by which IDs, and who shares it."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_http_methods

from inventory.models import Patron
from inventory.selectors.patrons import identity_documents, patrons_named
from inventory.views.markers import choose_patron, chosen_patron
from jackpots.models import Jackpot
from jackpots.selectors.jackpots import jackpots
from jackpots.selectors.tax_papers import papers_standing, tax_panel
from jackpots.services.hits import newest_figure
from jackpots.services.tax_papers import (
    Claim,
    day_of,
    new_papers,
    prepare_papers,
    preparing_refusals,
    tax_working,
)
from pitboss.access import page
from pitboss.api import http_status
from pitboss.middleware import PitRequest
from pitboss.rules.refusal import Refused
from pitboss.rules.tax_papers import WINNERS_MAX, treatment_of
from pitboss.rules.tax_win import Nonresident
from pitboss.services import house
from pitboss.services.signing import NewSlip
from pitboss.views.forms import dollars_of, pen_of, text
from pitboss.views.raising import raise_page

_FLAGS = ("w9", "w8ben")
_CHOICES = ("id_first", "id_second", "treatment", "lives_in_state")


@require_http_methods(["GET", "POST"])
@page("tax_papers")
def tax_papers(request: PitRequest, serial: str) -> HttpResponse:
    """Look the winner up, key what their papers say, look at the form, then sign."""
    jackpot = get_object_or_404(jackpots(), slip__serial=serial)
    standing = papers_standing(jackpot)
    if standing is not None and standing.slip is not None:
        return redirect("slip", serial=standing.slip.serial)
    url = reverse("tax-papers", args=[serial])
    back = {"url": reverse("slip", args=[serial]), "label": serial}
    patron = chosen_patron(request)
    if patron is None:
        return choose_patron(request, "Tax papers: who won", url, back)
    others = _others(request, patron)
    refused: Refused | None = None
    new: NewSlip | None = None
    if request.method == "POST":
        try:
            claims = _claims(request.POST, patron, others, newest_figure(jackpot).award_cents)
            new = new_papers(jackpot, claims)
            if "pin" in request.POST:
                slip = prepare_papers(
                    jackpot=jackpot,
                    claims=claims,
                    pen=pen_of(request),
                    shown=text(request.POST, "shown"),
                )
                messages.success(request, f"{slip.serial} prepared.")
                return redirect("slip", serial=slip.serial)
            refusals = preparing_refusals(jackpot, claims, jackpot.slip)
            if refusals:
                raise Refused(refusals)
        except Refused as error:
            refused = error
    if new is not None and (refused is None or "pin" in request.POST):
        return _pad(request, jackpot, patron, others, new, refused)
    return _form(request, jackpot, patron, others, refused)


def _others(request: PitRequest, paid: Patron) -> list[Patron]:
    """Return who shares the win beside the person who is paid, in the order they were named."""
    given = request.POST if request.method == "POST" else request.GET
    named = [each for each in given.get("also", "").split(",") if each.isascii()]
    keys = [int(each) for each in named if each.isdigit() and len(each) < 19][:WINNERS_MAX]
    found = Patron.objects.in_bulk(keys)
    return [found[key] for key in dict.fromkeys(keys) if key in found and key != paid.pk]


def _address(patron: Patron, others: list[Patron]) -> str:
    named = {"patron": str(patron.pk)}
    if others:
        named["also"] = ",".join(str(each.pk) for each in others)
    return urlencode(named)


def _claims(post: QueryDict, paid: Patron, others: list[Patron], award_cents: int) -> list[Claim]:
    """Return the winners as keyed; alone, the person who is paid gets all of it. Raises Refused."""
    documents = [post.get(name, "") for name in ("id_first", "id_second")]
    lives = post.get("lives_in_state", "")
    first = Claim(
        patron_id=paid.pk,
        share_cents=dollars_of(post, f"share_{paid.pk}") if others else award_cents,
        document_ids=tuple(
            int(each) for each in documents if each.isascii() and each.isdigit() and len(each) < 19
        ),
        signs_w9="w9" in post,
        signs_w8ben="w8ben" in post,
        is_state_resident={"yes": True, "no": False}.get(lives),
        treatment=treatment_of(text(post, "treatment")),
    )
    return [
        first,
        *(
            Claim(patron_id=each.pk, share_cents=dollars_of(post, f"share_{each.pk}"))
            for each in others
        ),
    ]


def _form(
    request: PitRequest,
    jackpot: Jackpot,
    patron: Patron,
    others: list[Patron],
    refused: Refused | None,
) -> HttpResponse:
    now = house.now()
    asked = request.GET.get("q", "").replace("\x00", "")[:80]
    serial, figure = jackpot.slip.serial, newest_figure(jackpot)
    rules = request.house.tax
    url = reverse("tax-papers", args=[serial])
    state = rules.tables(day_of(now)).state_on(rules.state, day_of(now)) if rules.state else None
    is_foreign = patron.tax_country != "US"
    context = {
        "heading": f"Tax papers for {serial}",
        "back": {"url": url, "label": "Winner"},
        "url": url,
        "award_cents": figure.award_cents,
        "working": tax_working(jackpot, figure.award_cents, now),
        "patron": patron,
        "winners": [
            {
                "patron": each,
                "share": request.POST.get(f"share_{each.pk}", ""),
                "file_url": reverse("patron", args=[each.pk]),
            }
            for each in (patron, *others)
        ],
        "also": ",".join(str(each.pk) for each in others),
        "asked": asked,
        "found": [
            {"name": each.full_name, "url": f"{url}?{_address(patron, [*others, each])}"}
            for each in patrons_named(asked)
            if each not in (patron, *others)
        ],
        "paper_url": reverse("patron-paper", args=[patron.pk]),
        "edit_url": reverse("patron-edit", args=[patron.pk]),
        "documents": [
            {"id": each.pk, "label": f"{str(each).capitalize()} {each.issuer}".strip()}
            for each in identity_documents(patron, day_of(now)).defer("content_cipher")
        ],
        "keyed": {name: request.POST.get(name, "") for name in (*_FLAGS, *_CHOICES)},
        "is_foreign": is_foreign,
        "asks_treatment": is_foreign and rules.nonresident is Nonresident.ASK,
        "treatments": (("exempt", "Exempt, as blackjack"), ("withhold_30", "Taxed")),
        "asks_state": rules.state if state and state.only_nonresidents_of_state else "",
        "refusals": refused.refusals if refused else (),
    }
    return render(
        request,
        "jackpots/tax_papers.html",
        context,
        status=http_status(refused) if refused else 200,
    )


def _pad(
    request: PitRequest,
    jackpot: Jackpot,
    patron: Patron,
    others: list[Patron],
    new: NewSlip,
    refused: Refused | None,
) -> HttpResponse:
    url = reverse("tax-papers", args=[jackpot.slip.serial])
    shares = [f"share_{each.pk}" for each in (patron, *others)] if others else []
    names = (*_FLAGS, *_CHOICES, *shares)
    fields: dict[str, Any] = {
        "patron": patron.pk,
        "also": ",".join(str(each.pk) for each in others),
        **{name: request.POST[name] for name in names if name in request.POST},
    }
    return raise_page(
        request,
        new,
        jackpot.slip.table,
        heading=f"Tax papers for {jackpot.slip.serial}",
        url=url,
        fields=fields,
        back={"url": f"{url}?{_address(patron, others)}", "label": "Papers"},
        refused=refused,
        badge=request.user.badge,
        panel=tax_panel(new.details),
    )
