"""How a shift goes: what was won by the hour, how hold lies, who was waited for, who deals."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime

from django.db.models import Q

from pitboss.models import Pit, Table, Waiting
from pitboss.rules.day.gaming_day import Clock
from pitboss.rules.day.hold import Band, band_of_games, hold_basis_points
from pitboss.rules.day.win_estimate import (
    NO_PAST,
    Error,
    Estimate,
    EstimateBasis,
    EstimateHour,
    Past,
    bases_of,
    by_hour,
    edges_of,
    error_of,
    within,
)
from pitboss.rules.roles import Role
from pitboss.rules.settings.in_force import SettingsInForce
from tables.models import Dealing
from tables.selectors.game_past import pasts_before
from tables.selectors.win_estimates import estimates_of


@dataclass(frozen=True, slots=True)
class TableWon:
    """One table of a shift: what it won by estimate, and on what that rests."""

    table: Table
    estimate: Estimate
    win_cents: int
    drop_cents: int
    basis: EstimateBasis | None


@dataclass(frozen=True, slots=True)
class HoldAt:
    """Hold up to the end of an hour, and the band that it should lie in by then."""

    hold: int | None
    band: Band | None


@dataclass(frozen=True, slots=True)
class ShiftNumbers:
    """What the tables of a pit, or of the house, won in a shift up to an instant."""

    hours: tuple[EstimateHour, ...]
    holds: tuple[HoldAt, ...]
    tables: tuple[TableWon, ...]
    cash_cents: int
    markers_cents: int
    error: Error
    bases: dict[EstimateBasis, int]

    @property
    def win_cents(self) -> int:
        return sum(hour.win_cents for hour in self.hours)

    @property
    def drop_cents(self) -> int:
        return self.cash_cents + self.markers_cents

    @property
    def known(self) -> int:
        """How many tables have an estimate."""
        return sum(
            count for basis, count in self.bases.items() if basis is not EstimateBasis.UNKNOWN
        )

    @property
    def played(self) -> int:
        return sum(self.bases.values())


def shift_numbers(
    tables: Sequence[Table],
    clock: Clock,
    in_force: SettingsInForce,
    gaming_day: date,
    since: datetime,
    until: datetime,
) -> ShiftNumbers:
    """Return what tables won from one instant to another. Two queries, however many tables."""
    pasts = pasts_before(gaming_day, in_force)
    found = estimates_of(tables, clock, since, until, pasts)
    every = [
        TableWon(
            table,
            each := found[table.pk],
            each.win_cents(since, until),
            each.drop_cents(since, until),
            parts[-1].basis if (parts := each.during(since, until)) else None,
        )
        for table in tables
    ]
    edges = edges_of(since, until)
    estimates = list(found.values())
    return ShiftNumbers(
        hours=tuple(by_hour(estimates, edges)),
        holds=tuple(_hold_by(every, pasts, since, edge) for edge in edges[1:]),
        tables=tuple(every),
        cash_cents=sum(within(table_won.estimate.cash, since, until) for table_won in every),
        markers_cents=sum(within(table_won.estimate.markers, since, until) for table_won in every),
        error=error_of(estimates, since, until),
        bases=bases_of(estimates, since, until),
    )


def _hold_by(
    tables: Sequence[TableWon], pasts: dict[str, Past], since: datetime, until: datetime
) -> HoldAt:
    """Return hold by an instant, of the tables whose win is known, and the band of their games."""
    known = [table for table in tables if table.basis not in (None, EstimateBasis.UNKNOWN)]
    dropped = [(table_won, table_won.estimate.drop_cents(since, until)) for table_won in known]
    win = sum(table_won.estimate.win_cents(since, until) for table_won in known)
    hold = hold_basis_points(win, sum(cents for _, cents in dropped))
    games = [
        (past.experience, cents)
        for table_won, cents in dropped
        if (past := pasts.get(table_won.table.game, NO_PAST)).experience is not None
    ]
    # Without the past of every game that was played there is no band of them together.
    has_all = len(games) == len(dropped)
    return HoldAt(hold, band_of_games(games) if has_all else None)


@dataclass(frozen=True, slots=True)
class WaitedFor:
    """How long a shift waited for one role, and on what."""

    role: Role
    seconds: int
    kinds: tuple[tuple[str, int], ...]


def waited_for(pits: Sequence[Pit], gaming_day: date, shift: str, now: datetime) -> list[WaitedFor]:
    """Return for whom the slips of a shift waited, the longest first. One query."""
    waits = Waiting.objects.filter(
        slip__gaming_day=gaming_day, slip__shift=shift, slip__table__pit__in=pits
    ).values_list("by", "since", "until", "slip__kind")
    seconds: Counter[str] = Counter()
    kinds: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for by, since, until, kind in waits:
        seconds[by[0]] += int(((until or now) - since).total_seconds())
        kinds[by[0]][kind] += 1
    return [
        WaitedFor(Role(role), total, tuple(kinds[role].most_common()))
        for role, total in seconds.most_common()
    ]


@dataclass(frozen=True, slots=True)
class Staffed:
    """Dealers of one hour, and how many its open tables needed with their reliefs."""

    dealers: int
    needed: int

    @property
    def is_short(self) -> bool:
        return self.dealers < self.needed


def staffing_of(
    pits: Sequence[Pit], numbers: ShiftNumbers, in_force: SettingsInForce
) -> list[Staffed]:
    """Return who dealt in each hour against who was needed. One query."""
    if not numbers.hours:
        return []
    since, until = numbers.hours[0].began, numbers.hours[-1].ended
    dealt = list(
        Dealing.objects.filter(
            Q(ended_at=None) | Q(ended_at__gt=since), table__pit__in=pits, began_at__lt=until
        ).values_list("dealer_id", "began_at", "ended_at")
    )
    after, rest = in_force["dealers.relief_after"], in_force["dealers.break"]
    found = []
    for hour in numbers.hours:
        dealers = {
            dealer
            for dealer, began, ended in dealt
            if began < hour.ended and (ended is None or ended > hour.began)
        }
        tables = sum(
            bool(table.estimate.during(hour.began, hour.ended)) for table in numbers.tables
        )
        found.append(Staffed(len(dealers), -(-tables * (after + rest) // after)))
    return found
