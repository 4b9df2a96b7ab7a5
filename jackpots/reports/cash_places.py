"""Where the cash of boxes is, from table to main bank, and what moved the cash of the cage.

The second part is what a count sheet of the cage is held against. It names no cash of a session
that the main bank has not counted itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Final

from django.db.models import Q, Sum
from django.db.models.functions import Coalesce
from django.urls import reverse

from inventory.models import CashEntry, ChequeTransfer, Holder
from inventory.selectors.cheques import WORTH_CENTS
from jackpots.models import JackpotPayment
from jackpots.services.set_offs import set_off_cents
from pitboss.models import Signature, Slip
from pitboss.reports.book import Group, report
from pitboss.reports.report import (
    Column,
    Finding,
    Link,
    Report,
    ReportChoice,
    ReportScope,
    Row,
    Section,
    Shape,
    Tone,
    report_link,
    row_of,
    slip_cell,
    slip_link,
)
from pitboss.rules.cheques.cheques import format_money
from pitboss.rules.day.win import PayoutSource
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
_SUMS = (
    Column("what", "What moved it"),
    Column("count", "Times", Shape.COUNT),
    Column("in", "In", Shape.MONEY),
    Column("out", "Out", Shape.MONEY),
)
_MOVES = (
    Column("at", "Time", Shape.TIME),
    *_SUMS[:1],
    *_SUMS[2:],
    Column("slip", "Slip", Shape.CODE),
)
_KEY, _PAGE, _ALL = "cash-places", "cage", "all"
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


@dataclass(frozen=True, slots=True)
class _Move:
    """Cash that came into the cage, or left it, once."""

    what: str
    at: datetime
    in_cents: int
    out_cents: int
    # The slip that moved it; none for what was only logged.
    serial: str = ""
    day: date | None = None

    @property
    def opens(self) -> Link | None:
        if self.serial:
            return slip_link(self.serial)
        assert self.day is not None, "what no slip moved is in the log of its day"
        return Link(reverse("cash-day", args=[self.day.isoformat()]), "cash_log")


@report(
    key=_KEY,
    title="Cash by place",
    group=Group.PAPERS,
    says="Where the cash of boxes is, from table to main bank, and what moved the cage’s own cash.",
    page=_PAGE,
    asked=ReportScope(days_max=31),
)
def cash_places(choice: ReportChoice) -> Report:
    """Return where cash lies now, and what came into the cage and went out in some gaming days."""
    moves = list(_moves(choice.first, choice.last))
    if choice.of:
        return _opened(moves, choice.of)
    came, went = sum(move.in_cents for move in moves), sum(move.out_cents for move in moves)
    waiting = list(_waiting())
    boxes = (*waiting, *_handed_over(choice.first, choice.last))
    change = f"{'−' if came < went else '+'}{format_money(abs(came - went))}"
    words = f"The cage’s cash changed by {change}, bank receipts apart."
    if waiting:
        words += " Cash of boxes is not yet in the main bank."
    every = report_link(_KEY, _PAGE, choice, of=_ALL)
    return Report(
        (
            Section("Cash of boxes", _BOXES, boxes, "No box was pulled or counted."),
            Section(
                "Cash of the cage",
                _SUMS,
                tuple(_summed(moves, choice)),
                sums=row_of("All", len(moves), came, went, opens=every) if moves else None,
            ),
        ),
        Finding(Tone.WAIT if waiting else Tone.PLAIN, words),
        formulas=_FORMULAS,
    )


def _summed(moves: Sequence[_Move], choice: ReportChoice) -> Iterator[Row]:
    for what in dict.fromkeys(move.what for move in moves):
        found = [move for move in moves if move.what == what]
        yield row_of(
            what,
            len(found),
            sum(item.in_cents for item in found),
            sum(item.out_cents for item in found),
            opens=report_link(_KEY, _PAGE, choice, of=what),
        )


def _opened(moves: Sequence[_Move], what: str) -> Report:
    """Return each time that something moved the cage's cash."""
    found = [move for move in moves if what in (_ALL, move.what)]
    rows = tuple(
        row_of(
            entry.at,
            entry.what,
            entry.in_cents,
            entry.out_cents,
            slip_cell(entry.serial or None),
            opens=entry.opens,
        )
        for entry in sorted(found, key=lambda item: item.at)
    )
    title = "Cash of the cage" if what == _ALL else what
    return Report((Section(title, _MOVES, rows),))


def _waiting() -> Iterator[Row]:
    """Yield the boxes whose cash is not in the main bank; no one is told how much it is."""
    sessions = open_sessions()
    in_sessions = {serial for session in sessions for serial in session.details["pulls"]}
    loose = [pull for pull in boxes_to_count() if pull.serial not in in_sessions]
    if loose:
        since = min(pull.raised_at for pull in loose)
        room = Link(reverse("count-room"), "count_room")
        yield row_of(
            "Boxes, not in a session",
            len(loose),
            None,
            since,
            "",
            slip_cell(None),
            tone=Tone.WAIT,
            opens=room,
        )
    for session in sessions:
        if accepted := _acceptance(session):
            yield _in_the_bank(session, accepted, "Main bank, not posted", Tone.WAIT)
            continue
        yield row_of(
            "Count room",
            len(session.details["pulls"]),
            None,
            session.raised_at,
            ", ".join(str(member) for member in session_state(session).members),
            slip_cell(session.serial),
            tone=Tone.WAIT,
            opens=slip_link(session.serial),
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
        (item.slip, item)
        for item in signed.select_related("slip").order_by("id")
        if first <= house.period_at(item.signed_at).gaming_day <= last
    ]


def _moves(first: date, last: date) -> Iterator[_Move]:
    for session, accepted in _accepted(first, last):
        cash = session_state(session).total_cents
        yield _Move("Drop from the count room", accepted.signed_at, cash, 0, session.serial)
    yield from _logged(first, last)
    payments = JackpotPayment.objects.filter(
        source=PayoutSource.CAGE.value, gaming_day__range=(first, last)
    ).select_related("jackpot__slip")
    for payment in payments.order_by("id"):
        win = payment.jackpot.slip
        paid = payment.paid_cents - set_off_cents(win)
        yield _Move("Jackpots and big wins", payment.at, 0, paid, win.serial)
    yield from _over_the_window(first, last)


def _logged(first: date, last: date) -> Iterator[_Move]:
    """Yield the cash that slips and the log say came to the cage or left it, kind by kind."""
    entries = (
        CashEntry.objects.filter(place=Place.CAGE.value, gaming_day__range=(first, last))
        .exclude(kind__in=[item.value for item in _EXCHANGED])
        .select_related("slip")
        .order_by("kind", "id")
    )
    for entry in entries:
        label = CashKind(entry.kind).label
        cents = -entry.amount_cents if entry.reverses_id else entry.amount_cents
        is_in = entry.direction == Direction.IN.value
        yield _Move(
            label[:1].upper() + label[1:],
            entry.at,
            cents if is_in else 0,
            0 if is_in else cents,
            entry.slip.serial if entry.slip else "",
            entry.gaming_day,
        )


def _over_the_window(first: date, last: date) -> Iterator[_Move]:
    """Yield what cheques that no slip moved were worth: sold for cash, or redeemed for it."""
    counted = ChequeTransfer.objects.filter(
        Q(source=Holder.CAGE, target=Holder.PUBLIC) | Q(source=Holder.PUBLIC, target=Holder.CAGE),
        slip__kind="cage_count",
        slip__gaming_day__range=(first, last),
    )
    by_count = counted.values("slip__serial", "at").annotate(
        sold=Coalesce(Sum(WORTH_CENTS, filter=Q(source=Holder.CAGE)), 0),
        redeemed=Coalesce(Sum(WORTH_CENTS, filter=Q(source=Holder.PUBLIC)), 0),
    )
    for item in by_count.order_by("at", "slip__serial"):
        yield _Move(
            "Cheques over the window, by counts",
            item["at"],
            item["sold"],
            item["redeemed"],
            item["slip__serial"],
        )
