"""The day's sums and reports against a slow oracle that adds every transaction up by hand."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from uuid import uuid4

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from inventory.models import CashEntry, Patron, Stranger
from inventory.selectors.cash_log import day_sum, reports_of, whose
from inventory.services.cash_log import Transaction, cash_shown, key_cash, outlook_of
from inventory.services.compliance import match_stranger
from pitboss.rules.patrons.cash_log import CashKind, Direction
from pitboss.rules.roles import Place
from pitboss.services import house
from tests.floor.cast import Cast
from tests.floor.markers import make_patron

LIMIT = 1_000_000
# Around each limit, and what adds up to one.
AMOUNTS = st.sampled_from([100, 249_999, 250_000, 400_000, 600_000, 990_000, 1_000_000, 1_000_001])
KINDS = st.sampled_from([CashKind.BUY_IN, CashKind.CASH_OUT])


@dataclass(frozen=True)
class Paid:
    """One transaction as the oracle remembers it."""

    person: str
    kind: CashKind
    cents: int


ACTS = st.lists(
    st.one_of(
        st.tuples(st.just("cash"), st.integers(0, 3), KINDS, AMOUNTS),
        st.tuples(st.just("match"), st.integers(2, 3), st.integers(0, 1)),
    ),
    min_size=1,
    max_size=8,
)


def oracle(paid: list[Paid], known_as: dict[str, str]) -> dict[tuple[str, Direction], int]:
    """Add everything up, person by person and way by way, as slowly as it can be done."""
    sums: dict[tuple[str, Direction], int] = {}
    for item in paid:
        key = (known_as.get(item.person, item.person), item.kind.direction)
        sums[key] = sums.get(key, 0) + item.cents
    return sums


def key(cast: Cast, kind: CashKind, cents: int, who: Patron | Stranger) -> CashEntry:
    new = Transaction(
        kind,
        cents,
        None,
        patron=who if isinstance(who, Patron) else None,
        stranger=who if isinstance(who, Stranger) else None,
    )
    day = house.period_at(house.now()).gaming_day
    shown = cash_shown(new, day, outlook_of(new, day))
    return key_cash(new=new, confirmed=True, pen=cast.pen(cast.erin, Place.CAGE), shown=shown)


def described(cast: Cast, day: date, words: str) -> Stranger:
    return Stranger.objects.create(
        description=words, gaming_day=day, described_by=cast.erin, described_at=house.now()
    )


@pytest.mark.django_db(transaction=True)
@settings(
    max_examples=5,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(acts=ACTS)
def test_a138_sums_and_reports_are_those_of_a_slow_oracle(
    cast: Cast, acts: list[tuple[object, ...]]
) -> None:
    day = house.period_at(house.now()).gaming_day
    mark = uuid4().hex[:8]
    people: list[Patron | Stranger] = [
        make_patron(cast, f"Ana{mark}", "Ruiz"),
        make_patron(cast, f"Bea{mark}", "Stone"),
        described(cast, day, f"man, 40s, red cap, {mark}"),
        described(cast, day, f"woman, 30s, green coat, {mark}"),
    ]
    paid: list[Paid] = []
    known_as: dict[str, str] = {}
    for act in acts:
        if act[0] == "cash":
            _, which, kind, cents = act
            assert isinstance(which, int)
            assert isinstance(kind, CashKind)
            assert isinstance(cents, int)
            key(cast, kind, cents, people[which])
            paid.append(Paid(str(which), kind, cents))
        else:
            _, stranger, patron = act
            assert isinstance(stranger, int)
            assert isinstance(patron, int)
            # Only compliance says again who somebody was.
            if str(stranger) in known_as:
                continue
            found, named = people[stranger], people[patron]
            assert isinstance(found, Stranger)
            assert isinstance(named, Patron)
            match_stranger(
                stranger=found,
                patron=named,
                reason="The ID was seen.",
                pen=cast.pen(cast.alice),
            )
            known_as[str(stranger)] = str(patron)
    sums = oracle(paid, known_as)
    for which, who in enumerate(people):
        if str(which) in known_as:
            continue
        person = whose(
            who if isinstance(who, Patron) else None, who if isinstance(who, Stranger) else None
        )
        for direction in Direction:
            expected = sums.get((str(which), direction), 0)
            assert day_sum(person, day, direction) == expected
            # Sums only grow for whoever is not known to be somebody else.
            reports = reports_of(person, day, direction)
            assert reports.exists() == (expected > LIMIT)
