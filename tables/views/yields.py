"""The yield of a pit: players by hour, theo and net, and advice that a manager answers."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from pitboss.access import page
from pitboss.api import http_status
from pitboss.middleware import PitRequest
from pitboss.models import Pit
from pitboss.rules.refusal import NOT_YOURS, Refused, refuse
from pitboss.rules.roles import Role
from pitboss.services import house
from pitboss.slips.addresses import id_of
from pitboss.views.forms import new_request_id, pen_of, text
from tables.models import AdviceAnswer
from tables.selectors.yields import yield_of
from tables.services.advice import answer_advice
from tables.services.floor_log import Tap

_ANSWERING = frozenset({Role.PIT_MANAGER, Role.SHIFT_MANAGER})


@require_http_methods(["GET", "POST"])
@page("yield")
def yield_view(request: PitRequest) -> HttpResponse:
    """Show what a pit brings by the hour; take a manager's answer to advice."""
    pit = _pit(request)
    refused: Refused | None = None
    if request.method == "POST" and pit is not None:
        try:
            _answer(request, pit)
        except Refused as error:
            refused = error
        else:
            messages.success(request, "Saved. Nothing changes until you do it.")
            return redirect(f"{reverse('yield')}?pit={pit.pk}")
    shown = yield_of(pit, house.now(), request.house) if pit is not None else {}
    if shown:
        shown["advice"] = [
            {
                "key": item.key,
                "request_id": new_request_id(),
                "sentence": item.sentence,
                "working": item.working,
            }
            for item in shown["advice"]
        ]
    context = {
        "pits": [
            {
                "label": item.name,
                "url": f"{reverse('yield')}?pit={item.pk}",
                "is_current": item == pit,
            }
            for item in Pit.objects.order_by("name")
        ],
        "pit": pit,
        "refusals": refused.refusals if refused else (),
        "may_answer": request.role in _ANSWERING,
        **shown,
    }
    status = http_status(refused) if refused else 200
    return render(request, "tables/yield.html", context, status=status)


def _pit(request: PitRequest) -> Pit | None:
    named = id_of(request.GET, "pit")
    if named is not None:
        return get_object_or_404(Pit, pk=named)
    if request.device is not None and request.device.pit_id is not None:
        return request.device.pit
    return Pit.objects.order_by("name").first()


def _answer(request: PitRequest, pit: Pit) -> None:
    """Keep a manager's answer. Raises Refused."""
    if request.role not in _ANSWERING:
        raise refuse(
            "wrong_role", "Only a pit manager or shift manager can answer this.", NOT_YOURS
        )
    said = text(request.POST, "answer")
    if said not in tuple(AdviceAnswer):
        raise refuse("unknown_answer", "Choose “Done” or “Not now”.")
    answer_advice(
        pit=pit,
        key=text(request.POST, "advice")[:60],
        answer=AdviceAnswer(said),
        reason=text(request.POST, "reason"),
        hand=Tap(request.user, request.device, pen_of(request).request_id),
    )
