"""Where the cash of boxes is, from table to main bank, and what moved the cash of the cage.

The second part is what a count sheet of the cage is held against. It names no cash of a session
that the main bank has not counted itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from typing import Final

from django.db.models import QuerySet, Sum

from inventory.models import CashEntry, ChequeTransfer, Holder
from inventory.selectors.cheques import WORTH_CENTS
from jackpots.models import JackpotPayment
from jackpots.services.set_offs import set_off_cents
from pitboss.models import Signature, Slip
from pitboss.reports.book import Group, report
from pitboss.reports.report import (
    Asked,
    Choice,
    Column,
    Finding,
    Report,
    Row,
    Section,
    Shape,
    Tone,
    row_of,
    slip_cell,
    slip_link,
)
from pitboss.rules.cheques.cheques import format_money
from pitboss.rules.day.win import Source
from pitboss.rules.drop.sessions import COUNT_SESSION
from pitboss.rules.flows.flows import SlipStatus
from pitboss.rules.patrons.cash_log import CashKind, Direction
from pitboss.rules.roles import Place
from pitboss.services import house
from tables.selectors.count_sessions import open_sessions, session_state
from tables.services.drops import boxes_to_count

_BOXES = (
    Column("place", "Place"),
    Column("boxes", "Boxes", Shape.COUNT),
    Column("cash", "Cash", Shape.MONEY),
    Column("since", "Since", Shape.TIME),
    Column("who", "Signed for by"),
    Column("session", "Session", Shape.CODE),
)
_MOVES = (
    Column("what", "What moved it"),
    Column("count", "Times", Shape.COUNT),
    Column("in", "In", Shape.MONEY),
    Column("out", "Out", Shape.MONEY),
)
# Cash that changes hands for cheques, or for other cash: the counts of the cage tell all of the
# first, logged or not, and the second comes to nothing.
_EXCHANGED: Final = (
    CashKind.BUY_IN,
    CashKind.CASH_OUT,
    CashKind.EXCHANGE_IN,
    CashKind.EXCHANGE_OUT,
)
_FORMULAS: Final = (
    "In minus out = change of the cage’s cash.",
    "Cheques over the window = what counts of the cage found beyond its slips; cash went the other "
    "way.",
    "Cash to and from the bank is on no slip: add it from the bank’s receipts.",
)
# What it is called, how often, and what came in and went out by it.
_Moved = tuple[str, int, int, int]


@report(
    key="cash-places",
    title="Cash by place",
    group=Group.PAPERS,
    says="Where the cash of boxes is, from table to main bank, and what moved the cage’s own cash.",
    page="cage",
    asked=Asked(days_max=31),
)
def cash_places(choice: Choice) -> Report:
    """Return where cash lies now, and what came into the cage and went out in some gaming days."""
    moves = [each for each in _moves(choice.first, choice.last) if each[1]]
    came, went = sum(each[2] for each in moves), sum(each[3] for each in moves)
    waiting = list(_waiting())
    boxes = (*waiting, *_handed_over(choice.first, choice.last))
    change = f"{'−' if came < went else '+'}{format_money(abs(came - went))}"
    words = f"The cage’s cash changed by {change}, bank receipts apart."
    if waiting:
        words += " Cash of boxes is not yet in the main bank."
    return Report(
        (
            Section("Cash of boxes", _BOXES, boxes, "No box was pulled or counted."),
            Section(
                "Cash of the cage",
                _MOVES,
                tuple(row_of(*each) for each in moves),
                sums=row_of("All", sum(each[1] for each in moves), came, went),
            ),
        ),
        Finding(Tone.WAIT if waiting else Tone.PLAIN, words),
        formulas=_FORMULAS,
    )


def _waiting() -> Iterator[Row]:
    """Yield the boxes whose cash is not in the main bank; no one is told how much it is."""
    sessions = open_sessions()
    in_sessions = {serial for each in sessions for serial in each.details["pulls"]}
    loose = [pull for pull in boxes_to_count() if pull.serial not in in_sessions]
    if loose:
        since = min(pull.raised_at for pull in loose)
        place = "Boxes, not in a session"
        yield row_of(place, len(loose), None, since, "", slip_cell(None), tone=Tone.WAIT)
    for session in sessions:
        if accepted := _acceptance(session):
            yield _in_the_bank(session, accepted, "Main bank, not posted", Tone.WAIT)
            continue
        yield row_of(
            "Count room",
            len(session.details["pulls"]),
            None,
            session.raised_at,
            ", ".join(str(each) for each in session_state(session).members),
            slip_cell(session.serial),
            tone=Tone.WAIT,
        )


def _handed_over(first: date, last: date) -> Iterator[Row]:
    """Yield what the main bank took over in some gaming days."""
    for session, accepted in _accepted(first, last):
        if session.status == SlipStatus.DONE.value:
            yield _in_the_bank(session, accepted, "Main bank", Tone.PLAIN)


def _in_the_bank(session: Slip, accepted: Signature, place: str, tone: Tone) -> Row:
    return row_of(
        place,
        len(session.details["pulls"]),
        session_state(session).total_cents,
        accepted.signed_at,
        accepted.signed_as,
        slip_cell(session.serial),
        tone=tone,
        opens=slip_link(session.serial),
    )


def _acceptance(session: Slip) -> Signature | None:
    return Signature.objects.filter(slip=session, step="accepted").first()


def _accepted(first: date, last: date) -> list[tuple[Slip, Signature]]:
    """Return the sessions whose cash the main bank took in some gaming days, in that order."""
    # A gaming day ends on the next one of the calendar, in whatever zone.
    around = (first - timedelta(days=1), last + timedelta(days=2))
    signed = Signature.objects.filter(
        slip__kind=COUNT_SESSION, step="accepted", signed_at__date__range=around
    ).exclude(slip__status=SlipStatus.VOIDED)
    return [
        (each.slip, each)
        for each in signed.select_related("slip").order_by("id")
        if first <= house.period_at(each.signed_at).gaming_day <= last
    ]


def _moves(first: date, last: date) -> Iterator[_Moved]:
    sessions = [session_state(session) for session, _ in _accepted(first, last)]
    drop = sum(each.total_cents for each in sessions)
    yield ("Drop from the count room", len(sessions), drop, 0)
    yield from _logged(first, last)
    paid = [
        each.paid_cents - set_off_cents(each.jackpot.slip)
        for each in JackpotPayment.objects.filter(
            source=Source.CAGE.value, gaming_day__range=(first, last)
        ).select_related("jackpot__slip")
    ]
    yield ("Jackpots and big wins", len(paid), 0, sum(paid))
    yield _over_the_window(first, last)


def _logged(first: date, last: date) -> Iterator[_Moved]:
    """Yield the cash that slips and the log say came to the cage or left it, kind by kind."""
    entries = CashEntry.objects.filter(
        place=Place.CAGE.value, gaming_day__range=(first, last)
    ).exclude(kind__in=[each.value for each in _EXCHANGED])
    rows: dict[CashKind, list[int]] = {}
    for kind, cents, reverses in entries.values_list("kind", "amount_cents", "reverses"):
        rows.setdefault(CashKind(kind), []).append(-cents if reverses else cents)
    for each in CashKind:
        amounts = rows.get(each, [])
        times = sum(1 if cents > 0 else -1 for cents in amounts)
        label = each.label[:1].upper() + each.label[1:]
        yield (label, times, *_by_way(sum(amounts), is_in=each.direction is Direction.IN))


def _by_way(cents: int, *, is_in: bool) -> tuple[int, int]:
    return (cents, 0) if is_in else (0, cents)


def _over_the_window(first: date, last: date) -> _Moved:
    """Return what cheques that no slip moved were worth: sold for cash, or redeemed for it."""
    counted = ChequeTransfer.objects.filter(
        slip__kind="cage_count", slip__gaming_day__range=(first, last)
    )
    sold = counted.filter(source=Holder.CAGE, target=Holder.PUBLIC)
    redeemed = counted.filter(source=Holder.PUBLIC, target=Holder.CAGE)
    came, went = (_worth(each) for each in (sold, redeemed))
    counts = counted.values("slip").distinct().count()
    return ("Cheques over the window, by counts", counts, came, went)


def _worth(transfers: QuerySet[ChequeTransfer]) -> int:
    return transfers.aggregate(cents=Sum(WORTH_CENTS))["cents"] or 0
