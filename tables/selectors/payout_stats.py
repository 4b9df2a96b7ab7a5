"""How well payouts were made, by dealer, wager and table, in both directions: for coaching.

A payout that was wrong when it was checked and right when it was paid is one that was caught. Only
what was confirmed as paid otherwise went wrong.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass, fields
from datetime import date
from typing import Any, Final

from django.db.models import Count, F, Q, QuerySet, Sum
from django.db.models.functions import Coalesce

from pitboss.models import Person, Table
from pitboss.rules.games.games import spoken
from pitboss.rules.payouts.check import Verdict
from pitboss.rules.payouts.mismatches import Way
from pitboss.services import house
from tables.models import PayoutCheck

_MISMATCH: Final = "confirmation__mismatch"
_DIFFERS = Q(**{f"{_MISMATCH}__isnull": False})
_OVER = Q(**{f"{_MISMATCH}__paid_cents__gt": F(f"{_MISMATCH}__owed_cents")})
_UNDER = Q(**{f"{_MISMATCH}__paid_cents__lt": F(f"{_MISMATCH}__owed_cents")})
_DIFFERENCE = F(f"{_MISMATCH}__paid_cents") - F(f"{_MISMATCH}__owed_cents")


@dataclass(frozen=True, slots=True)
class PayoutTally:
    """What became of some payouts that were checked."""

    checks: int = 0
    # Wrong when checked, and not paid so.
    caught_over: int = 0
    caught_under: int = 0
    unverified: int = 0
    # Paid so, as the dealer confirmed; what a supervisor put right counts too.
    overpaid: int = 0
    overpaid_cents: int = 0
    underpaid: int = 0
    underpaid_cents: int = 0
    paid_unverified: int = 0
    corrected: int = 0
    overridden: int = 0

    def __add__(self, other: PayoutTally) -> PayoutTally:
        return PayoutTally(*(getattr(self, name) + getattr(other, name) for name in _NAMES))

    @property
    def caught(self) -> int:
        return self.caught_over + self.caught_under

    @property
    def wrong(self) -> int:
        return self.overpaid + self.underpaid

    @property
    def is_settled(self) -> bool:
        """Tell whether a supervisor has settled all that went wrong."""
        return self.corrected + self.overridden == self.wrong + self.paid_unverified

    @property
    def wrong_per_thousand(self) -> int:
        """How many of a thousand payouts were paid wrong, rounded to the nearest."""
        return (self.wrong * 2_000 + self.checks) // (2 * self.checks) if self.checks else 0


_NAMES: Final = tuple(field.name for field in fields(PayoutTally))


@dataclass(frozen=True, slots=True)
class PayoutRow:
    """One dealer, wager or table, and what became of its payouts."""

    name: str
    tally: PayoutTally
    # The badge of a dealer, the name of a table, the code of a wager: what others know it by.
    key: str


@dataclass(frozen=True, slots=True)
class PayoutStats:
    """The payouts of some gaming days, read three ways; most wrong first."""

    first: date
    last: date
    total: PayoutTally
    dealers: tuple[PayoutRow, ...]
    wagers: tuple[PayoutRow, ...]
    tables: tuple[PayoutRow, ...]


def payout_stats(
    first: date, last: date, *, dealer: Person | None = None, table: Table | None = None
) -> PayoutStats:
    """Return how payouts were made in these gaming days, of everyone or of one. Three queries."""
    checks = checks_between(first, last)
    if dealer is not None:
        checks = checks.filter(dealer=dealer)
    if table is not None:
        checks = checks.filter(table=table)
    counted = list(checks.values("dealer_id", "wager", "table_id").annotate(**_COUNTS))
    people = Person.objects.in_bulk({item["dealer_id"] for item in counted} - {None})
    tables = Table.objects.in_bulk({item["table_id"] for item in counted})
    by_dealer = _folded(counted, "dealer_id")
    return PayoutStats(
        first,
        last,
        sum(by_dealer.values(), PayoutTally()),
        _rows(by_dealer, lambda key: _dealer(people.get(key))),
        _rows(_folded(counted, "wager"), lambda key: (spoken(key), key)),
        _rows(_folded(counted, "table_id"), lambda key: (tables[key].name, tables[key].name)),
    )


def checks_between(first: date, last: date) -> QuerySet[PayoutCheck]:
    """Return the payouts that were checked in some gaming days."""
    began, ended = house.day_span(first)[0], house.day_span(last)[1]
    return PayoutCheck.objects.filter(at__gte=began, at__lt=ended)


# Which payouts each number of a tally counts.
COUNTED: Final[Mapping[str, Q]] = {
    "checks": Q(),
    "caught_over": Q(verdict=Verdict.OVERPAID.value) & ~_DIFFERS,
    "caught_under": Q(verdict=Verdict.UNDERPAID.value) & ~_DIFFERS,
    "unverified": Q(verdict=Verdict.CANNOT_VERIFY.value),
    "overpaid": _OVER,
    "underpaid": _UNDER,
    "paid_unverified": _DIFFERS & Q(**{f"{_MISMATCH}__owed_cents": None}),
    "corrected": Q(**{f"{_MISMATCH}__settlement__way": Way.CORRECTED.value}),
    "overridden": Q(**{f"{_MISMATCH}__settlement__way": Way.OVERRIDDEN.value}),
}
_COUNTS: Final[Mapping[str, Any]] = {
    **{name: Count("pk", filter=condition) for name, condition in COUNTED.items()},
    "overpaid_cents": Coalesce(Sum(_DIFFERENCE, filter=_OVER), 0),
    "underpaid_cents": Coalesce(Sum(-_DIFFERENCE, filter=_UNDER), 0),
}


def _folded(counted: Iterable[Mapping[str, Any]], by: str) -> dict[Any, PayoutTally]:
    """Return the tallies of each dealer, wager or table."""
    tallies: defaultdict[Hashable, PayoutTally] = defaultdict(PayoutTally)
    for mapping in counted:
        tallies[mapping[by]] += PayoutTally(*(int(mapping[name]) for name in _NAMES))
    return dict(tallies)


def _rows(
    tallies: Mapping[Any, PayoutTally], name_of: Callable[[Any], tuple[str, str]]
) -> tuple[PayoutRow, ...]:
    rows = []
    for item, tally in tallies.items():
        name, key = name_of(item)
        rows.append(PayoutRow(name, tally, key))
    return tuple(
        sorted(rows, key=lambda row: (-row.tally.wrong, -row.tally.checks, row.name, row.key))
    )


def _dealer(person: Person | None) -> tuple[str, str]:
    return (str(person), person.badge) if person else ("No dealer tapped in", "")
