"""Players in tests: patrons on file, seats taken, bets seen, rounds told."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

from inventory.models import Patron
from pitboss.models import Device, Person, RoundsTold, Table
from pitboss.rules.roles import Place
from pitboss.services import house
from tables.models import MainEdge, PlayRating, Round
from tables.services.floor_log import Tap
from tables.services.looks import see
from tables.services.main_edges import exact_rules, written
from tables.services.ratings import Leaving, Who, leave, sit_down
from tests.floor.cast import Cast

CLASSIC_PPM = 4_059


def add_patron(cast: Cast, last_name: str = "Ruiz", card: str = "") -> Patron:
    return Patron.objects.create(
        first_name="Ana",
        last_name=last_name,
        player_card=card,
        added_at=house.now(),
        added_by=cast.erin,
        request_id=uuid4(),
    )


def open_tables(*tables: Table) -> None:
    for table in tables:
        Table.objects.filter(pk=table.pk).update(is_open=True)


def know_edge(table: Table, ppm: int = CLASSIC_PPM) -> None:
    """Keep the edge of a table's rules as the worker would, without the seconds that it takes."""
    from pitboss.selectors.table_rules import rules_in_force

    table = Table.objects.get(pk=table.pk)
    rules = exact_rules(rules_in_force(table, house.settings_at(house.now())))
    assert rules is not None
    row, key = written(rules)
    MainEdge.objects.create(
        digest=key, rules=row, edge=f"{ppm}/1000000", ppm=ppm, made_at=house.now()
    )


def tap(cast: Cast, person: Person | None = None, place: Place = Place.PIT) -> Tap:
    return Tap(person or cast.alice, cast.devices[place], uuid4())


def seat(
    cast: Cast,
    patron: Patron,
    number: int = 1,
    *,
    table: Table | None = None,
    by: Person | None = None,
    ago: int = 0,
) -> PlayRating:
    held = sit_down(
        table_id=(table or cast.table).pk,
        seat=number,
        who=Who(patron_id=patron.pk),
        hand=tap(cast, by),
        minutes_ago=ago,
    )
    assert held.rating is not None
    return held.rating


def look(cast: Cast, rating: PlayRating, cents: int, side: Mapping[str, int] | None = None) -> Any:
    return see(rating_id=rating.pk, bet_cents=cents, hand=tap(cast), side=side).look


def left(cast: Cast, rating: PlayRating, **said: Any) -> PlayRating:
    return leave(rating_id=rating.pk, hand=tap(cast), leaving=Leaving(**said))


def tells_every_round(device: Device, *, every: bool = True) -> None:
    """Let a terminal count as reporting every round, as a manager would have said long ago."""
    RoundsTold.objects.create(
        device=device,
        tells_every_round=every,
        since=datetime(2020, 1, 1, tzinfo=UTC),
        by=Person.objects.order_by("pk")[0],
    )


def tell_round(
    device: Device,
    table: Table,
    at: datetime,
    bets: Mapping[int, Mapping[str, int]],
    *,
    every: bool = True,
) -> Round:
    """Keep a round as a terminal would have told it: bets by seat and wager.

    The terminal counts as reporting every round, unless something else is said of it.
    """
    if every and not device.rounds_told.exists():
        tells_every_round(device)
    return Round.objects.create(
        table=table,
        terminal=device,
        started_at=at,
        ended_at=at,
        outcome="settled",
        verdict={},
        log={
            "seats": [
                {
                    "seat": number,
                    "bets": [
                        {"wager": wager, "stake_cents": cents} for wager, cents in made.items()
                    ],
                }
                for number, made in bets.items()
            ]
        },
    )
