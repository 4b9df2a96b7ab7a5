"""What meters show, what they were made of, and how a day's figures follow from the day before."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from django.db.models import Max, Sum

from jackpots.models import Meter, MeterContribution, MeterEntry, MeterFreeze, MeterReading
from jackpots.services.figures import MeterBalance, balance_of
from jackpots.services.hits import frozen_microcents
from pitboss.models import Slip, Table
from pitboss.rules.flows.flows import SlipStatus
from pitboss.rules.payouts.meters import (
    METER_TERMS,
    Cause,
    MeterSource,
    MeterTerms,
    in_cents,
    stored_terms,
)
from pitboss.rules.ratings.wager_prices import MeterPrice
from tables.models import Round
from tables.services.in_force import reads_meters
from tables.services.rating_prices import DatedMeter, prices_meters
from tables.services.round_facts import round_key

_COUNTED_BY = {
    MeterSource.CONTROLLER: "Vendor's controller",
    MeterSource.PITBOSS: "Pitboss, as a controller that needs approval",
    MeterSource.POSTED: "Posted by the house",
}

_WON = (Cause.WON, Cause.RESTORED)
_SEEDING = (Cause.STARTED, Cause.SEEDED, Cause.SEED_RECOVERY)
_ADJUSTING = (
    Cause.READ,
    Cause.CORRECTION,
    Cause.MALFUNCTION,
    Cause.OVER_MAXIMUM,
    Cause.RESERVE,
    Cause.POSTED,
)


@dataclass(frozen=True, slots=True)
class MeterNow:
    """A meter as a screen shows it."""

    meter: Meter
    balance: MeterBalance
    tables: tuple[str, ...]

    @property
    def counted_by(self) -> str:
        return _COUNTED_BY[MeterSource(self.meter.source)]

    @property
    def needs_approval(self) -> bool:
        return self.meter.source == MeterSource.PITBOSS.value

    @property
    def shown_cents(self) -> int:
        return self.balance.shown_cents


def meters_now() -> list[MeterNow]:
    """Return every meter with what it shows at this instant, the highest of each bet first."""
    meters = [meter_now(meter) for meter in Meter.objects.prefetch_related("links__table")]
    return sorted(meters, key=lambda meter: (meter.meter.wager, -meter.shown_cents))


def meter_now(meter: Meter) -> MeterNow:
    """Return one meter with what it shows at this instant."""
    tables = sorted(link.table.name for link in meter.links.all() if link.until is None)
    return MeterNow(meter, balance_of(meter), tuple(tables))


@reads_meters
def meters_at(table: Table) -> dict[str, int]:
    """Return the meters that a table's round is paid on, by level, in cents.

    Once a hit has frozen a meter its round is settled on that amount, however others play on.
    """
    links = table.meter_links.filter(until=None).select_related("meter")
    shown = {link.level: balance_of(link.meter).shown_cents for link in links}
    round_ = Round.objects.filter(table=table, ended_at=None).first()
    if round_ is not None:
        frozen = MeterFreeze.objects.filter(table=table, round_key=round_key(round_))
        for freeze in frozen.select_related("meter"):
            shown[freeze.meter.level] = in_cents(frozen_microcents(freeze))
    return shown


@prices_meters
def meters_priced(table: Table, since: datetime, until: datetime) -> list[DatedMeter]:
    """Return the meters that a table played for between two instants, as its bets are priced.

    The house pays a posted amount whole, so every posting is another price.
    """
    links = table.meter_links.filter(since__lte=until).exclude(until__lte=since)
    found = []
    for link in links.select_related("meter").order_by("since", "id"):
        meter, began = link.meter, max(link.since, since)
        if not meter.is_posted:
            for held_from, terms in _terms_between(meter, began, until):
                price = MeterPrice(link.level, terms.reset_cents, terms.rate_ppm)
                found.append(DatedMeter(link.wager, held_from, price))
            continue
        entries = meter.entries.filter(at__lte=until).order_by("number")
        before = entries.filter(at__lte=began).last()
        for entry in (*([before] if before else []), *entries.filter(at__gt=began)):
            price = MeterPrice(link.level, in_cents(entry.balance_microcents), is_posted=True)
            found.append(DatedMeter(link.wager, max(entry.at, began), price))
    return found


def _terms_between(
    meter: Meter, since: datetime, until: datetime
) -> list[tuple[datetime, MeterTerms]]:
    """Return by which terms a meter ran between two instants, and from when by each."""
    changes = Slip.objects.filter(
        kind=METER_TERMS, status=SlipStatus.DONE.value, details__meter=meter.pk
    )
    approved = changes.annotate(approved_at=Max("signatures__signed_at"))
    later = list(approved.filter(approved_at__gt=since).order_by("approved_at", "id"))
    if not later:
        return [(since, meter.terms())]
    # What a change replaced held before it.
    first = (since, stored_terms(later[0].details["was"]))
    rest = [(item.approved_at, stored_terms(item.details["is"])) for item in later]
    return [first, *((at, terms) for at, terms in rest if at <= until)]


def figures_version() -> str:
    """Return what changes whenever some meter shows another amount."""
    last = MeterEntry.objects.aggregate(last=Max("pk"))["last"] or 0
    newest = MeterContribution.objects.aggregate(last=Max("pk"))["last"] or 0
    return f"{last}-{newest}"


@dataclass(frozen=True, slots=True)
class Stand:
    """A meter and its reserve at the turn of a day, in microcents."""

    shown: int
    reserve: int
    # Of these, what was wagered before the turn and is in no entry of before it.
    late_shown: int = 0
    late_reserve: int = 0


@dataclass(frozen=True, slots=True)
class RollForward:
    """How a meter came from what it showed before some days to what it showed after them."""

    meter: Meter
    opening: Stand
    closing: Stand
    by_cause: Mapping[Cause, int]
    readings: tuple[MeterReading, ...]

    @property
    def opening_cents(self) -> int:
        return in_cents(self.opening.shown)

    @property
    def closing_cents(self) -> int:
        return in_cents(self.closing.shown)

    @property
    def reserve_cents(self) -> int:
        return in_cents(self.closing.reserve)

    def changed_cents(self, *causes: Cause) -> int:
        """Return what some causes changed together. All but wagers change whole cents."""
        return in_cents(sum(self.by_cause[cause] for cause in causes))

    @property
    def won_cents(self) -> int:
        return self.changed_cents(*_WON)

    @property
    def seeded_cents(self) -> int:
        return self.changed_cents(*_SEEDING)

    @property
    def adjusted_cents(self) -> int:
        return self.changed_cents(*_ADJUSTING)

    @property
    def difference_cents(self) -> int | None:
        """Return by how much the last reading differs from the book; None when no one read it."""
        return self.readings[-1].difference_cents if self.readings else None

    @property
    def wagered_cents(self) -> int:
        """Return what wagers added, such that opening and changes make the closing to the cent."""
        others = (cause for cause in Cause if cause is not Cause.CONTRIBUTED)
        return self.closing_cents - self.opening_cents - self.changed_cents(*others)


def roll_forward(meter: Meter, first: date, last: date) -> RollForward:
    """Return how a meter changed from the start of one gaming day to the end of another.

    A contribution counts on the day it was wagered, though it be rolled up on the next.
    """
    before = _through(meter, before=first)
    after = _through(meter, before=None, last=last)
    changes: dict[Cause, int] = {
        cause: sum(_moved(meter, cause, first, last))
        for cause in Cause
        if cause is not Cause.CONTRIBUTED
    }
    # What passed the maximum went into the reserve; so the rest of the change is what wagers added.
    changes[Cause.CONTRIBUTED] = after.shown - before.shown - sum(changes.values())
    readings = meter.readings.filter(gaming_day__range=(first, last)).select_related("read_by")
    return RollForward(
        meter=meter,
        opening=before,
        closing=after,
        by_cause={cause: changes[cause] for cause in Cause},
        readings=tuple(readings.order_by("id")),
    )


def _moved(meter: Meter, cause: Cause, first: date, last: date) -> list[int]:
    return list(
        meter.entries.filter(cause=cause.value, gaming_day__range=(first, last)).values_list(
            "amount_microcents", flat=True
        )
    )


def _through(meter: Meter, *, before: date | None, last: date | None = None) -> Stand:
    """Return what a meter and its reserve were at the end of a day, or just before one.

    Entries carry wagers of the day before when they were written just after it turned; those are
    counted where they belong.
    """
    edge = {"gaming_day__lt": before} if before is not None else {"gaming_day__lte": last}
    entries = meter.entries.filter(**edge).aggregate(
        shown=Sum("amount_microcents"), reserve=Sum("reserve_microcents")
    )
    rolled = (
        meter.entries.filter(**edge).aggregate(through=Max("contributions_through"))["through"] or 0
    )
    late = meter.contributions.filter(pk__gt=rolled, **edge).aggregate(
        shown=Sum("amount_microcents"), reserve=Sum("reserve_microcents")
    )
    late_shown, late_reserve = int(late["shown"] or 0), int(late["reserve"] or 0)
    return Stand(
        int(entries["shown"] or 0) + late_shown,
        int(entries["reserve"] or 0) + late_reserve,
        late_shown,
        late_reserve,
    )


WAGERED, WON, SEEDED, ADJUSTED = "Wagers", "Won", "Seeded", "Adjusted"
_FIGURES = {
    Cause.CONTRIBUTED: WAGERED,
    **dict.fromkeys(_WON, WON),
    **dict.fromkeys(_SEEDING, SEEDED),
    **dict.fromkeys(_ADJUSTING, ADJUSTED),
}


@dataclass(frozen=True, slots=True)
class MeterMove:
    """One change of a meter and its reserve in some days, in cents, with both after it."""

    words: str
    # Which figure of the roll-forward it counts in.
    figure: str
    amount_cents: int
    shown_cents: int
    reserve_change_cents: int
    reserve_cents: int
    entry: MeterEntry | None = None


def changes_of(rolled: RollForward, first: date, last: date) -> list[MeterMove]:
    """Return every change of a meter in some days, from its opening to its closing. One query.

    Cents are those of the figures before and after each, so that they add up to the last one.
    """
    shown, reserve = rolled.opening.shown, rolled.opening.reserve
    changes = []

    def change(words: str, figure: str, adds: tuple[int, int], entry: MeterEntry | None) -> None:
        nonlocal shown, reserve
        was_shown, was_reserve = in_cents(shown), in_cents(reserve)
        shown, reserve = shown + adds[0], reserve + adds[1]
        changes.append(
            MeterMove(
                words,
                figure,
                in_cents(shown) - was_shown,
                in_cents(shown),
                in_cents(reserve) - was_reserve,
                in_cents(reserve),
                entry,
            )
        )

    opening, closing = rolled.opening, rolled.closing
    if opening.late_shown or opening.late_reserve:
        late = (-opening.late_shown, -opening.late_reserve)
        change("earlier wagers, in an entry below", WAGERED, late, None)
    entries = rolled.meter.entries.filter(gaming_day__range=(first, last)).select_related("slip")
    for entry in entries.order_by("number"):
        cause = Cause(entry.cause)
        adds = (entry.amount_microcents, entry.reserve_microcents)
        change(cause.words, _FIGURES[cause], adds, entry)
    if closing.late_shown or closing.late_reserve:
        late = (closing.late_shown, closing.late_reserve)
        change("wagers since the last entry", WAGERED, late, None)
    return changes


def history_of(meter: Meter, count: int = 40) -> list[dict[str, Any]]:
    """Return the newest entries of a meter, newest first, as its page lists them."""
    entries = meter.entries.select_related("slip").order_by("-number")[:count]
    return [
        {
            "number": entry.number,
            "at": entry.at,
            "cause": Cause(entry.cause).words,
            "cents": in_cents(entry.amount_microcents),
            "balance_cents": in_cents(entry.balance_microcents),
            "serial": entry.slip.serial if entry.slip else None,
        }
        for entry in entries
    ]
