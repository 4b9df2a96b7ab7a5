"""The sandbox of vendors: a demo in which one table is reset and its supervisor answers at once.

Nothing is erased. A reset ends what is open by the same services as on a real floor, signed by the
demo's own people, so the sandbox's journal verifies like any other.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final
from uuid import uuid4

from django.db.models import QuerySet

from pitboss.demo import (
    PIN,
    code_for,
    demo_crew,
    demo_device,
    demo_pen,
    demo_person,
    demo_signer,
)
from pitboss.models import Device, FloorException, Person, Slip, Table
from pitboss.rules.floor.standards import Mark
from pitboss.rules.flows.book import FLOWS
from pitboss.rules.flows.flows import Track
from pitboss.rules.refusal import CONFLICT, refuse
from pitboss.rules.roles import Place, Role
from pitboss.rules.rounds.ending import Abort
from pitboss.rules.rounds.told import Outcome
from pitboss.rules.rounds.wagers import METERED
from pitboss.selectors.pending import pending_big_wins, pending_jackpots
from pitboss.services import house
from pitboss.services.devices import NewDevice, enrol_device
from pitboss.services.shown import slip_shown
from pitboss.services.signing import Entry, Pen, sign
from pitboss.simulation import somebody_new
from pitboss.slips.kind import the_kind
from pitboss.slips.raising import raise_kind, shown_before
from tables.demo_terminals import settle_payout
from tables.models import (
    FloorEntry,
    FloorRequest,
    Mismatch,
    PayoutCheck,
    PayoutConfirmation,
    PayoutWord,
    PlayRating,
    Round,
    Scope,
    SeatHeld,
    ShoeMark,
)
from tables.sandbox_hands import hands_to_try
from tables.services import floor_log, ratings
from tables.services.calls import SUPERVISOR_CALLED, answer_call
from tables.services.dealers import dealer_at, tap_in
from tables.services.floor_log import Tap
from tables.services.ratings import Leaving
from tables.services.round_corrections import abort_by_supervisor
from tables.services.shoes import last_mark, mark_shoe

_WHY: Final = "Sandbox reset."


def new_code(table: Table) -> str:
    """Return a code by which one more terminal of a table is enrolled."""
    name = f"Sandbox {table} {secrets.token_hex(3)}"
    return code_for(NewDevice(name, Place.PIT, table=table))


def new_system(scopes: Iterable[Scope]) -> tuple[Device, str]:
    """Return another system of the house and its token, each scope signed by two people."""
    name = f"Sandbox system {secrets.token_hex(3)}"
    device, token = enrol_device(code=code_for(NewDevice(name, Place.OFFICE)))
    office = demo_device(Place.OFFICE)
    for scope in scopes:
        asked = the_kind("system_access").at(device=name, scope=scope.value, change="grant")
        slip = raise_kind(
            asked,
            pen=demo_pen(demo_person(Role.HOST_MANAGER), office),
            shown=shown_before(asked),
            reason="Sandbox.",
        )
        sign(
            slip_id=slip.pk,
            step="approved",
            pen=demo_pen(demo_person(Role.COMPLIANCE), office),
            shown=slip_shown(slip),
        )
    return device, token


def reset(table: Table) -> list[str]:
    """End everything that is open at a table, and let its dealer deal; return what was done.

    Raises Refused where the table is closed.
    """
    if not table.is_open:
        raise refuse("table_closed", f"{table} is closed. Open it first.", CONFLICT)
    done: list[str] = []
    for act in (_reject_wins, _end_round, _end_seats, _answer_all, _settle, _stop_shoe, _tap_in):
        done += act(table)
    return done


def _reject_wins(table: Table) -> Iterator[str]:
    for slip in [*pending_jackpots(table), *pending_big_wins(table)]:
        for step in FLOWS[slip.kind].void:
            fresh = Slip.objects.select_related("table__pit").get(pk=slip.pk)
            sign(
                slip_id=slip.pk,
                step=step.name,
                pen=demo_pen(somebody_new(fresh, step.roles[0]), _tablet(table)),
                shown=slip_shown(fresh),
                entry=Entry(reason=_WHY if step.needs_reason else ""),
                track=Track.VOID,
            )
        yield f"{slip} rejected."


def _end_round(table: Table) -> Iterator[str]:
    for round_ in Round.objects.filter(table=table, ended_at=None):
        told = {"reason": Abort.WRONG_ENTRY.value, "stakes_returned": True}
        abort_by_supervisor(round_=round_, tap=_tap(table), told=told)
        yield f"Round {round_.pk} aborted."


def _end_seats(table: Table) -> Iterator[str]:
    for rating in PlayRating.objects.filter(table=table, ended_at=None):
        leaving = Leaving(at_last_sign=True)
        ratings.leave(rating_id=rating.pk, hand=_pen(table), leaving=leaving)
        yield f"Rating {rating.pk} ended."
    for held in SeatHeld.objects.filter(table=table, until=None, rating=None):
        ratings.free_seat(seat_id=held.pk, hand=_tap(table))
        yield f"Seat {held.seat} freed."


def _answer_all(table: Table) -> Iterator[str]:
    for asked in _waiting(table):
        answer(asked, is_granted=False, reason=_WHY)
        yield f"Request {asked.pk} answered."
    calls = FloorException.objects.filter(code=SUPERVISOR_CALLED, table=table, resolved_at=None)
    for call in calls:
        answer_call(
            exception_id=call.pk,
            by=_supervisor(table),
            device=_tablet(table),
            request_id=uuid4(),
        )
        yield "Call answered."


def _settle(table: Table) -> Iterator[str]:
    for mismatch in Mismatch.objects.filter(table=table, settlement=None).select_related(
        "table__pit"
    ):
        settle_payout(mismatch, stands_because=_WHY)
        yield f"Mismatch {mismatch.pk} settled."


def _stop_shoe(table: Table) -> Iterator[str]:
    """Break the shoe down: what the supervisor ordered for it ends with it."""
    mark = last_mark(table, house.now())
    if mark is not None and mark.mark != Mark.STOP.value:
        mark_shoe(table_id=table.pk, mark=Mark.STOP, hand=_tap(table))
        yield "Shoe stopped."


def _tap_in(table: Table) -> Iterator[str]:
    if dealer_at(table) is None:
        dealer = demo_signer(Role.DEALER, table)
        tap_in(table_id=table.pk, badge=dealer.badge, pin=PIN, device=_tablet(table))
        yield f"{dealer} tapped in."


def answer(asked: FloorRequest, *, is_granted: bool, reason: str) -> FloorEntry:
    """Answer what a terminal asked as its supervisor would, by badge and PIN. Raises Refused."""
    return floor_log.answer(
        asked=asked, is_granted=is_granted, reason=reason, hand=_pen(asked.table), is_confirmed=True
    )


def _waiting(table: Table) -> QuerySet[FloorRequest]:
    return FloorRequest.objects.filter(table=table, answer=None, withdrawal=None).order_by("pk")


def _supervisor(table: Table) -> Person:
    return demo_person(Role.SUPERVISOR, demo_crew(table.pit))


def _tablet(table: Table) -> Device:
    return demo_device(Place.PIT, table.pit)


def _tap(table: Table) -> Tap:
    return Tap(_supervisor(table), _tablet(table), uuid4())


def _pen(table: Table) -> Pen:
    return demo_pen(_supervisor(table), _tablet(table))


def certificate(device: Device, table: Table) -> dict[str, Any]:
    """Return what a terminal has shown that it can do, each point by what the house has stored."""
    points = [
        {"point": name, "title": title, "is_met": is_met, "to_do": "" if is_met else to_do}
        for name, title, is_met, to_do in _points(device, table)
    ]
    return {
        "terminal": device.name,
        "table": table.name,
        "is_certified": all(point["is_met"] for point in points),
        "points": points,
    }


def _points(device: Device, table: Table) -> Iterator[tuple[str, str, bool, str]]:
    checks = PayoutCheck.objects.filter(terminal=device)
    missing = _hands_missing(device, table)
    shown = ", ".join(missing[:5])
    yield (
        "test_hands",
        "Every test hand was checked as listed",
        not missing,
        f"{len(missing)} are missing: {shown}.",
    )
    paid = PayoutConfirmation.objects.filter(check_of__terminal=device)
    asked: dict[str, tuple[str, Callable[[], bool], str]] = {
        "payout_confirmed": (
            "A payout was confirmed as paid",
            paid.exists,
            "Send what was paid to checks/<id>/paid.",
        ),
        "approval_used": (
            "A payout waited for its approval",
            PayoutWord.objects.filter(
                confirmation__check_of__terminal=device, approval__isnull=False
            ).exists,
            "Ask at checks/<id>/approval, wait for the answer, then send paid.",
        ),
        "check_corrected": (
            "A check with a wrong card was corrected",
            checks.exclude(corrects=None).exists,
            "Send a check again with corrects.",
        ),
        "sent_late": (
            "A payout of an outage was sent later",
            checks.exclude(keyed_at=None).exists,
            "Send what was entered offline with keyed_at, at least 31 seconds old.",
        ),
        "round_settled": (
            "A round was settled",
            Round.objects.filter(terminal=device, outcome=Outcome.SETTLED.value).exists,
            "Send a whole round, from its seats to its end.",
        ),
        "request_made": (
            "A request was made and answered, or withdrawn",
            FloorRequest.objects.filter(terminal=device)
            .exclude(answer=None, withdrawal=None)
            .exists,
            "Send a request, such as a buy-in.",
        ),
        "shoe_marked": (
            "The shoe was marked",
            ShoeMark.objects.filter(device=device).exists,
            "Send the marks of the shoe: shuffle, deal, stop.",
        ),
    }
    for name, (title, is_met, to_do) in asked.items():
        yield name, title, is_met(), to_do


def _hands_missing(device: Device, table: Table) -> list[str]:
    """Return the test hands that a terminal has yet to check, card for card and cent for cent."""
    stored = PayoutCheck.objects.filter(terminal=device).values_list("claim", flat=True)
    claims = [_still(claim) for claim in stored]
    return [hand["hand"] for hand in hands_to_try(table) if _still(hand["check"]) not in claims]


def _still(claim: Mapping[str, Any]) -> dict[str, Any]:
    """Return what of a claim stays the same while meters go up."""
    moving = {"paid_cents"} if claim["wager"] in METERED else set()
    return {name: value for name, value in claim.items() if name not in moving}
