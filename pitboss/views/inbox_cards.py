"""One card of the inbox: what waits, why it needs this person, and what they can do about it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any

from django.urls import reverse

from pitboss.middleware import PitRequest
from pitboss.models import FloorException, Property, Slip, Waiting
from pitboss.rules.cheques.cheques import ordered
from pitboss.rules.cheques.tray_counts import VARIANCE_STEPS
from pitboss.rules.floor.acknowledging import is_notice
from pitboss.rules.floor.needs import need_of
from pitboss.rules.floor.urgency import Urgency
from pitboss.rules.flows.flows import NeedFacts
from pitboss.rules.flows.reading import may_open_slip
from pitboss.rules.roles import Place, Role
from pitboss.rules.settings.book import BOOK
from pitboss.selectors.reading import asked_by
from pitboss.selectors.slips import due_step, heading_of, says_of, to_do
from pitboss.selectors.waiting import is_done_here, rank_of
from pitboss.services import house
from pitboss.services.exceptions import (
    ANSWERED_ON,
    CURRENCY_REPORT,
    FLOOR_REQUEST,
    PART_OFFERED,
    PAYOUT_DIFFERS,
    SIGN_TO_CHANGE,
    STAFF_DIFFERS,
    STAFF_LEFT,
    TAX_PAPERS,
    TRAY_VARIANCE,
)
from pitboss.slips.kind import is_hidden
from pitboss.views.forms import new_request_id
from pitboss.views.slips import ways_out


def cards_of(waits: Sequence[Waiting], request: PitRequest) -> list[dict[str, Any]]:
    """Return the cards of what waits, as this person reads them on this device."""
    found = _variances_of(waits)
    the_property = house.the_property()
    return [
        item_of(wait, found.get(wait.slip_id))
        | _reasons(wait, found.get(wait.slip_id), the_property)
        | _escalated(wait, request)
        | _elsewhere(wait, request)
        | {"urgency": rank_of(wait), "pit_id": wait.pit_id}
        for wait in waits
    ]


def _variances_of(waits: Sequence[Waiting]) -> dict[int | None, str]:
    """Return what was found at the trays whose variance someone is asked to sign off."""
    slips = [wait.slip_id for wait in waits if wait.step in VARIANCE_STEPS]
    found = FloorException.objects.filter(code=TRAY_VARIANCE, slip__in=slips, resolved_at=None)
    return dict(found.values_list("slip_id", "sentence")) if slips else {}


def item_of(wait: Waiting, variance: str | None = None) -> dict[str, Any]:
    """Return one waiting thing as a card shows it, with the variance that its step looks into."""
    if wait.exception is not None:
        exception = wait.exception
        if exception.code in _ASKING:
            return _asking_item(wait, exception)
        if exception.code == CURRENCY_REPORT:
            return _report_item(wait, exception)
        if exception.code in (STAFF_LEFT, STAFF_DIFFERS):
            return _told_item(wait, exception)
        if exception.code == PAYOUT_DIFFERS:
            return _payout_item(wait, exception)
        if rank_of(wait) is Urgency.CALL:
            return _call_item(wait, exception)
        return {
            "id": wait.pk,
            "title": exception.sentence,
            "state": {"kind": "bad", "word": "Exception"},
            "tone": "bad",
            "since": wait.since,
            "limit_seconds": wait.limit_seconds,
            "facts": [{"name": "Table", "value": str(exception.table or "none")}],
            "why": "Someone at your level has to explain this.",
            "act": {"url": reverse("exception", args=[exception.pk]), "label": "Explain…"},
            "is_notice": is_notice(exception.code, exception.details),
        }
    assert wait.slip is not None
    slip = wait.slip
    due = due_step(slip)
    # Anyone who counts on their own is told no line before.
    cheques = {} if due and due.blind else slip.cheques_by_cents
    tone = "bad" if variance else "wait"
    return {
        "id": wait.pk,
        "title": " · ".join(filter(None, (_about(slip), heading_of(slip)))),
        "state": {"kind": tone, "word": "Variance" if variance else to_do(slip.kind, wait.step)},
        "tone": tone,
        "since": wait.since,
        "limit_seconds": wait.limit_seconds,
        "lines": [{"cents": cents, "count": cheques[cents]} for cents in ordered(cheques)],
        "facts": [
            {"name": "Slip", "value": slip.serial},
            *([{"name": "Pit", "value": str(slip.table.pit)}] if slip.table else []),
            *says_of(slip),
            {"name": "Last signed", "value": _last_signer(slip)},
        ],
        "act": {"url": reverse("slip", args=[slip.serial]), "label": "Review and sign"},
    }


def _call_item(wait: Waiting, exception: FloorException) -> dict[str, Any]:
    """Return the card of a dealer's call: one tap answers it."""
    return {
        "id": wait.pk,
        "title": exception.sentence,
        "state": {"kind": "call", "word": "Calling"},
        "tone": "bad",
        "since": wait.since,
        "limit_seconds": wait.limit_seconds,
        "facts": [{"name": "Table", "value": str(exception.table or "none")}],
        "act": answering(exception),
    }


def answering(exception: FloorException) -> dict[str, Any]:
    """Return the form that answers a call."""
    return {
        "post_url": reverse("call-answer", args=[exception.pk]),
        "request_id": new_request_id(),
        "label": "Answer",
    }


def _reasons(wait: Waiting, variance: str | None, the_property: Property) -> dict[str, Any]:
    """Return why a slip's step needs just this person, and the way to say no to it."""
    slip = wait.slip
    if slip is None:
        return {}
    # As the house had it when the slip was raised.
    top_sign_from = the_property.settings_at(slip.raised_at)["approval.top_sign_from"]
    facts = NeedFacts(slip.cheques_by_cents, slip.details, top_sign_from)
    need = need_of(wait.step, kind=slip.kind, facts=facts)
    why = need.sentence
    if variance is not None:
        why = f"{variance} The table stays closed until this is signed off."
    return {
        "why": why,
        "rule": BOOK[need.setting].title if need.setting else "",
        "refuse": next(iter(ways_out(slip)), None),
    }


def _escalated(wait: Waiting, request: PitRequest) -> dict[str, Any]:
    """Return what a card says to the person who is told because no one came."""
    is_request = wait.exception is not None and wait.exception.code == FLOOR_REQUEST
    if request.role.value in wait.by:
        if is_request and wait.escalated_to:
            return {"why": "Overdue: the game is waiting. Any supervisor of the pit can respond."}
        return {}
    asked = " or ".join(Role(item).label for item in wait.by)
    rule = "approval.escalate_manager" if is_request else "waiting.escalate"
    said = {
        "why": f"Escalated to you: no {asked} responded in time.",
        "rule": BOOK[rule].title,
        "refuse": None,
        "is_escalated": True,
    }
    if is_done_here(wait, request.role, request.device):
        return said
    # Another role signs: whoever is told makes sure that one comes, and reads what it is about.
    look = {"url": reverse("slip", args=[wait.slip.serial]), "label": "View"} if wait.slip else {}
    return said | {
        "why": f"{said['why']} Make sure one does.",
        "act": {**look, "is_plain": True} if look else None,
    }


def _elsewhere(wait: Waiting, request: PitRequest) -> dict[str, Any]:
    """Return what is left of a card that is not done here: it waits, and where it is done."""
    slip, device = wait.slip, request.device
    if is_done_here(wait, request.role, device):
        return {}
    if slip is None:
        if wait.pit is None or request.role.value not in wait.by:
            return {}
        return {"act": {"label": "Answer", "refusal": f"Answer this on a tablet in {wait.pit}."}}
    where = f"in {slip.table.pit}" if slip.table else f"at the {wait.place}"
    act = {"label": "Review and sign", "refusal": f"Sign this on a tablet {where}."}
    place = Place(device.place) if device else None
    asked = asked_by(wait, device.pit_id if device else None)
    if is_hidden(slip, request.role):
        act = {"label": "Review and sign", "refusal": "Watch the drawn rating on video first."}
    elif may_open_slip(slip.kind, request.role, place, asked):
        return {"act": act, "refuse": None} if request.role.value in wait.by else {}
    return {
        "title": " · ".join(filter(None, (_about(slip), slip.title))),
        "lines": [],
        "facts": [{"name": "Slip", "value": slip.serial}],
        "act": act,
        "refuse": None,
    }


def _report_item(wait: Waiting, exception: FloorException) -> dict[str, Any]:
    """Return the card of what is answered on a page of its own, by a day that it is due."""
    due_on = date.fromisoformat(exception.details["due_on"])
    return {
        "id": wait.pk,
        "title": exception.sentence,
        "state": {"kind": "wait", "word": "Report due"},
        "tone": "wait",
        "since": wait.since,
        "limit_seconds": wait.limit_seconds,
        "facts": [{"name": "Due on", "value": f"{due_on:%a, %b %-d, %Y}"}],
        "why": "File this report, then close it with the filing reference.",
        "act": {"url": own_page(exception), "label": "Open"},
    }


def _told_item(wait: Waiting, exception: FloorException) -> dict[str, Any]:
    """Return the card of what HR says of someone: it closes when two managers made it so."""
    tone = "bad" if exception.code == STAFF_LEFT else "wait"
    return {
        "id": wait.pk,
        "title": exception.sentence,
        "state": {"kind": tone, "word": "HR"},
        "tone": tone,
        "since": wait.since,
        "limit_seconds": wait.limit_seconds,
        "facts": [{"name": "Employee number", "value": exception.details["employee_number"]}],
        "why": "HR says so; nothing has changed yet.",
        "act": {"url": reverse("exception", args=[exception.pk]), "label": "Review"},
    }


# What is answered on a page of its own and now: the word for it, why it needs someone, the button.
_ASKING = {
    FLOOR_REQUEST: ("Request", "The dealer is waiting for your answer.", "Answer"),
    PART_OFFERED: (
        "Fill",
        "The cage can’t ship all of it now. Nothing leaves the cage until you answer.",
        "Answer",
    ),
    SIGN_TO_CHANGE: (
        "Limits",
        "The change doesn’t begin before the sign on the table says it.",
        "Change the sign",
    ),
    TAX_PAPERS: ("Tax forms due", "Nothing can be paid until these are signed.", "Prepare forms"),
}


def _asking_item(wait: Waiting, exception: FloorException) -> dict[str, Any]:
    """Return the card of what a terminal asks for, or a jackpot waits for."""
    word, why, label = _ASKING[exception.code]
    return {
        "id": wait.pk,
        "title": exception.sentence,
        "state": {"kind": "wait", "word": word},
        "tone": "wait",
        "since": wait.since,
        "limit_seconds": wait.limit_seconds,
        "facts": [{"name": "Table", "value": str(exception.table or "none")}],
        "why": why,
        "act": {"url": own_page(exception), "label": label},
    }


def _payout_item(wait: Waiting, exception: FloorException) -> dict[str, Any]:
    """Return the card of a payout that differs; its proof is one tap away."""
    return {
        "id": wait.pk,
        "title": exception.sentence,
        "state": {"kind": "bad", "word": "Payout"},
        "tone": "bad",
        "since": wait.since,
        "limit_seconds": wait.limit_seconds,
        "facts": exception.details["says"],
        "why": "Correct it at the table, or leave it as paid and enter why.",
        "act": {"url": own_page(exception), "label": "View details"},
    }


def own_page(exception: FloorException) -> str:
    """Return where an exception is answered that has a page of its own."""
    address, number = ANSWERED_ON[exception.code]
    return reverse(address, args=[exception.details[number]] if number else [])


def _about(slip: Slip) -> str:
    """Return the table that a slip is about, or the box, or nothing for a slip of the house."""
    return str(slip.table or slip.details.get("box", ""))


def _last_signer(slip: Any) -> str:
    signatures = list(slip.signatures.all())
    return str(signatures[-1].signed_as) if signatures else "nobody"
