"""Cases of suspicious activity on the screen of compliance. To everyone else they are not there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods

from inventory.kinds.of_a_patron import new_patron_url
from inventory.models import SarCase, SarStep, SuspicionNote
from inventory.selectors.cash_log import person_of
from inventory.selectors.patrons import patrons_at_hand, patrons_named
from inventory.selectors.sar import (
    decided_cases,
    decision_of,
    open_sar_cases,
    proposal_of,
    reviews_due,
)
from inventory.services.sar import (
    NewCase,
    Proposal,
    answer_proposal,
    open_case,
    policy_at,
    propose,
    read_case,
    review,
    today_of,
    write_to,
)
from pitboss.access import page
from pitboss.api import http_status
from pitboss.middleware import PitRequest
from pitboss.rules.cheques.cheques import read_money
from pitboss.rules.patrons.compliance import NOTE_MAX
from pitboss.rules.patrons.sar import SarClock, SarOutcome
from pitboss.rules.refusal import CONFLICT, Refused, refuse
from pitboss.services import house
from pitboss.services.pads import attested_by
from pitboss.slips.addresses import id_of
from pitboss.views.forms import day_of, pen_of, text
from pitboss.views.pads import pad_of

_DESK = {"label": "Cases"}
_TEXT = {
    "name": "reason",
    "label": "What you found",
    "most": str(NOTE_MAX),
    "rows": "5",
    "private": "yes",
}


@never_cache
@page("sar")
@require_GET
def sar_cases(request: PitRequest) -> HttpResponse:
    """Show the cases with their clocks, what another officer must agree to, and what to review."""
    today = today_of(house.now())
    context = {
        "heading": "Cases",
        "back": {"url": reverse("compliance"), "label": "Compliance"},
        "cases": [_card(case, request) for case in open_sar_cases()],
        "reviews": reviews_due(today),
        "decided": decided_cases()[:20],
        "new_url": reverse("sar-new"),
    }
    return render(request, "inventory/sar_cases.html", context)


def _card(case: SarCase, request: PitRequest) -> dict[str, Any]:
    clock = SarClock(case.due_on, today_of(house.now()))
    return {
        "case": case,
        "days_left": clock.days_left,
        "tone": clock.tone,
        "proposal": proposal_of(case),
        "is_voluntary": case.amount_cents < policy_at(house.now()).from_cents,
        "url": reverse("sar-case", args=[case.pk]),
    }


@never_cache
@page("sar")
@require_http_methods(["GET", "POST"])
def sar_new(request: PitRequest) -> HttpResponse:
    """Open a case: from a note, about a patron, after another case, or by hand."""
    given = request.POST if request.method == "POST" else request.GET
    note = SuspicionNote.objects.filter(pk=id_of(given, "note") or 0).first()
    before = SarCase.objects.filter(pk=id_of(given, "continues") or 0).first()
    person = person_of(given.get("who", ""))
    about = person or note or before
    patron = about.patron if about is not None else None
    find = request.GET.get("find", "").replace("\x00", "")[:60]
    refused: Refused | None = None
    if request.method == "POST":
        try:
            case = open_case(
                new=NewCase(
                    text=text(request.POST, "reason"),
                    amount_cents=_amount(text(request.POST, "amount")),
                    detected_on=day_of(request.POST, "detected_on"),
                    has_suspect=text(request.POST, "suspect") == "yes",
                    patron=patron,
                    note=note,
                    continues=before,
                ),
                pen=pen_of(request),
            )
        except Refused as error:
            refused = error
        else:
            messages.success(request, f"Case {case.pk} is open, due {case.due_on:%b %-d, %Y}.")
            return redirect("sar-cases")
    own = reverse("sar-new")
    named = {
        **({"note": str(note.pk)} if note else {}),
        **({"continues": str(before.pk)} if before else {}),
    }
    context = {
        "heading": "New case",
        "back": {**_DESK, "url": reverse("sar-cases")},
        "own_url": own,
        "add_url": new_patron_url(request, f"{own}?who=p"),
        "patron": patron,
        "note": note,
        "before": before,
        "find": find,
        "found": patrons_named(find, entities=True) if find else patrons_at_hand(),
        "pad": pad_of(
            request,
            url=own,
            attested=attested_by("sar_opened"),
            button="Open case",
            refused=refused,
            badge=request.user.badge,
            inputs=(
                {
                    "name": "reason",
                    "label": "What is suspicious",
                    "most": str(NOTE_MAX),
                    "rows": "5",
                    "private": "yes",
                },
                {
                    "name": "amount",
                    "label": "Amount ($), conducted or attempted",
                    "type": "text",
                    "private": "yes",
                },
                {"name": "detected_on", "label": "Detected on", "type": "date", "private": "yes"},
            ),
            select={
                "name": "suspect",
                "label": "Suspect known",
                "choices": [
                    {"value": "yes", "label": "Yes: due in 30 days", "is_chosen": bool(patron)},
                    {"value": "no", "label": "No: due in 60 days", "is_chosen": False},
                ],
            },
            fields=named | ({"who": f"p{patron.pk}"} if patron else {}),
        ),
        "refusals": refused.refusals if refused else (),
    }
    return render(
        request, "inventory/sar_new.html", context, status=http_status(refused) if refused else 200
    )


def _amount(keyed: str) -> int:
    cents = read_money(keyed)
    if cents is None or cents < 0:
        raise refuse("bad_amount", "Amount isn’t valid. Enter dollars, like 3,000.")
    return cents


@never_cache
@page("sar")
@require_http_methods(["GET", "POST"])
def sar_case(request: PitRequest, case_id: int) -> HttpResponse:
    """Show a case and what may be done about it. Each look is kept."""
    case = get_object_or_404(
        SarCase.objects.select_related("patron", "opened_by", "note", "continues"), pk=case_id
    )
    does = text(request.POST, "does") or text(request.GET, "does")
    refused: Refused | None = None
    if request.method == "POST":
        try:
            _do(request, case, does)
        except Refused as error:
            refused = error
        else:
            messages.success(request, "Kept with the case.")
            return redirect("sar-case", case_id=case.pk)
    told = read_case(case=case, reader=request.user, device=request.device)
    decision, proposal = decision_of(case), proposal_of(case)
    acts = _acts(case, decision is not None, proposal is not None)
    does = does if does in acts else next(iter(acts))
    own = reverse("sar-case", args=[case.pk])
    act = acts[does]
    context = {
        "heading": f"Case {case.pk}",
        "back": {**_DESK, "url": reverse("sar-cases")},
        **_card(case, request),
        **told,
        "decision": decision,
        "readings": case.readings.select_related("read_by").order_by("-id")[:20],
        "continue_url": f"{reverse('sar-new')}?continues={case.pk}" if decision else None,
        "acts": [
            {"label": item["label"], "url": f"{own}?does={name}", "is_current": name == does}
            for name, item in acts.items()
        ],
        "pad": pad_of(
            request,
            url=own,
            attested=attested_by(act["attests"]),
            button=act["label"],
            refused=refused,
            badge=request.user.badge,
            inputs=act["inputs"],
            fields={"does": does},
            confirm=act.get("confirm"),
        ),
        "refusals": refused.refusals if refused else (),
    }
    return render(
        request, "inventory/sar_case.html", context, status=http_status(refused) if refused else 200
    )


def _acts(case: SarCase, is_decided: bool, is_proposed: bool) -> dict[str, dict[str, Any]]:
    """Return what may be done about a case now."""
    if is_decided:
        return {
            "review": {
                "label": "Reviewed",
                "attests": "sar_reviewed",
                "inputs": ({**_TEXT, "label": "What you reviewed"},),
            }
        }
    write = {
        "label": "Add to the case",
        "attests": "sar_written",
        "inputs": (_TEXT,),
    }
    if is_proposed:
        return {
            "agree": {
                "label": "Agree",
                "attests": "sar_agreed",
                "inputs": (),
            },
            "withdraw": {
                "label": "Withdraw",
                "attests": "sar_withdrawn",
                "inputs": ({"name": "reason", "label": "Why it is withdrawn", "private": "yes"},),
            },
            "write": write,
        }
    return {
        "write": write,
        "filed": {
            "label": "Propose as filed",
            "attests": "sar_filed",
            "inputs": (
                {"name": "bsa_id", "label": "BSA ID", "type": "text", "private": "yes"},
                {"name": "filed_on", "label": "Filed on", "type": "date", "private": "yes"},
            ),
            "confirm": {"name": "reminds", "label": "Remind me in 120 days.", "optional": True},
        },
        "not_filed": {
            "label": "Propose as not filed",
            "attests": "sar_not_filed",
            "inputs": ({"name": "reason", "label": "Why it is not filed", "private": "yes"},),
        },
    }


def _do(request: PitRequest, case: SarCase, does: str) -> None:
    """Do what was asked about a case. Raises Refused."""
    pen, reason = pen_of(request), text(request.POST, "reason")
    does_it: dict[str, Callable[[], object]] = {
        "write": lambda: write_to(case=case, text=reason, pen=pen),
        "review": lambda: review(case=case, text=reason, pen=pen),
        "filed": lambda: propose(
            case=case,
            proposal=Proposal(
                SarOutcome.FILED,
                bsa_id=text(request.POST, "bsa_id"),
                filed_on=day_of(request.POST, "filed_on"),
                reminds=text(request.POST, "reminds") == "yes",
            ),
            pen=pen,
        ),
        "not_filed": lambda: propose(
            case=case, proposal=Proposal(SarOutcome.NOT_FILED, reason=reason), pen=pen
        ),
        "agree": lambda: answer_proposal(proposal=_pending(case), agrees=True, reason="", pen=pen),
        "withdraw": lambda: answer_proposal(
            proposal=_pending(case), agrees=False, reason=reason, pen=pen
        ),
    }
    if does not in does_it:
        raise refuse("act_missing", "Choose what to do about the case.")
    does_it[does]()


def _pending(case: SarCase) -> SarStep:
    """Return the proposal that waits for another officer. Raises Refused."""
    proposal = proposal_of(case)
    if proposal is None:
        raise refuse(
            "already_answered", "This proposal is no longer open. Review the case.", CONFLICT
        )
    return proposal
