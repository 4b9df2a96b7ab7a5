"""What the database refuses about cards by itself, to the site and to its owner."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

import psycopg
import pytest
from django.db import DatabaseError, IntegrityError, transaction

from inventory.models import CardMove, CardPlace, CardSet
from pitboss.models import Slip
from pitboss.rules.cards.sets import AT_TABLE, BAGGED, EDGES, CardAct, CardState
from pitboss.services import house
from tests.floor.cards import IN_PLAY, SHUFFLER, bag, bring, in_pit, put_on, receive_cards, vault
from tests.floor.cast import Cast, make_cast

pytestmark = pytest.mark.django_db
Owner = psycopg.Connection[tuple[object, ...]]


def refused_by_the_database(words: str, act: Callable[[], Any]) -> None:
    with pytest.raises(DatabaseError, match=words), transaction.atomic():
        act()


def step(number: str, slip: Slip, **said: Any) -> Callable[[], CardMove]:
    """Return a step of a set's life, written past every service."""
    place = CardPlace.objects.get(card_set__number=number)
    values = {
        "card_set": place.card_set,
        "sequence": place.sequence + 1,
        "source": place.state,
        "slip": slip,
        "at": house.now(),
        **said,
    }
    return lambda: CardMove.objects.create(**values)


def placed(cast: Cast, act: CardAct, target: CardState) -> dict[str, Any]:
    """Return what a step to a state says of its place, so that only its edge can be wrong."""
    return {
        "act": act.value,
        "target": target.value,
        "table": cast.table if target in AT_TABLE else None,
        "pit": cast.pit if target in AT_TABLE | BAGGED | {CardState.IN_PIT} else None,
        "seal": "77-R-0001" if act in (CardAct.TO_TABLE, CardAct.VAULTED) else "",
        "bag": "B-7777" if act == CardAct.BAGGED else "",
    }


def attempt(act: Callable[[], CardMove]) -> tuple[str | None, str]:
    """Return where a set would be after a step, which is then undone, or why it was refused."""
    try:
        with transaction.atomic():
            place = CardPlace.objects.get(card_set=act().card_set)
            transaction.set_rollback(True)
    except DatabaseError as error:
        return None, str(error)
    return place.state, ""


# The acts that lead a fresh set into each state, by an edge that the life of a set has.
ROADS = {
    CardState.RECEIVED: (),
    CardState.VAULTED: (CardAct.VAULTED,),
    CardState.IN_PIT: (CardAct.VAULTED, CardAct.TO_PIT),
    CardState.SPARE: (CardAct.VAULTED, CardAct.TO_PIT, (CardAct.TO_TABLE, CardState.SPARE)),
    CardState.SHUFFLER: (CardAct.VAULTED, CardAct.TO_PIT, (CardAct.TO_TABLE, SHUFFLER)),
    CardState.IN_PLAY: (CardAct.VAULTED, CardAct.TO_PIT, (CardAct.TO_TABLE, IN_PLAY)),
}
_OFF = (*ROADS[CardState.IN_PLAY], CardAct.REMOVED)
ROADS |= {
    CardState.REMOVED: _OFF,
    CardState.CANCELLED: (*_OFF, CardAct.CANCELLED),
    CardState.BAGGED: (*_OFF, CardAct.CANCELLED, CardAct.BAGGED),
    CardState.COLLECTED: (*_OFF, CardAct.CANCELLED, CardAct.BAGGED, CardAct.COLLECTED),
    CardState.DESTROYED: (
        *_OFF,
        CardAct.CANCELLED,
        CardAct.BAGGED,
        CardAct.COLLECTED,
        CardAct.DESTROYED,
    ),
    CardState.BAGGED_UNCANCELLED: (*_OFF, CardAct.BAGGED),
    CardState.COLLECTED_UNCANCELLED: (*_OFF, CardAct.BAGGED, CardAct.COLLECTED),
    CardState.HELD: (CardAct.HELD,),
}


@pytest.mark.parametrize("source", list(CardState))
def test_the_database_knows_the_life_of_a_set_as_the_rules_do(
    cast: Cast, source: CardState
) -> None:
    """From every state, every act to every state: allowed exactly where the rules allow it."""
    number, _ = receive_cards(cast)
    paper = CardSet.objects.get(number=number).receipt
    for leg in ROADS[source]:
        act, target = leg if isinstance(leg, tuple) else (leg, None)
        state = CardState(CardPlace.objects.get(card_set__number=number).state)
        target = target or next(to for start, to in EDGES[act] if start == state)
        step(number, paper, **placed(cast, act, target))()
    assert CardPlace.objects.get(card_set__number=number).state == source.value
    for act, target in product(CardAct, CardState):
        after, words = attempt(step(number, paper, **placed(cast, act, target)))
        if (source, target) in EDGES[act]:
            # A road that used an act on this slip already may not use it twice.
            assert after == target.value or "a_slip_moves_a_set_once" in words, words
        else:
            assert after is None, f"{act} led from {source} to {target}"


@pytest.mark.django_db(transaction=True)
def test_a34_a_cancelled_set_comes_back_for_nobody_not_even_by_the_owners_sql(
    owner_connection: Owner,
) -> None:
    cast = make_cast()
    (number,) = in_pit(cast)
    put_on(cast, number, IN_PLAY)
    bag(cast, number, "B-0001")
    newest = CardMove.objects.filter(card_set__number=number).latest("sequence")
    insert = """
        INSERT INTO inventory_cardmove
            (card_set_id, sequence, act, source, target, pit_id, seal, bag, slip_id, at)
        VALUES (%s, %s, %s, 'bagged', %s, %s, '', '', %s, now())
    """
    for target, pit in (("in_pit", cast.pit.pk), ("vaulted", None), ("held", None)):
        for act in CardAct:
            values = [newest.card_set_id, newest.sequence + 1, act.value, target, pit]
            with pytest.raises(psycopg.errors.RestrictViolation, match="no such step"):
                owner_connection.execute(insert, [*values, newest.slip_id])
            owner_connection.rollback()
    for table in ("inventory_cardplace", "inventory_cardmove", "inventory_cardset"):
        for statement in (
            f"UPDATE {table} SET colour = 'blue'",
            f"UPDATE {table} SET at = at",
            f"UPDATE {table} SET state = 'vaulted'",
            f"DELETE FROM {table}",
            f"TRUNCATE {table} CASCADE",
        ):
            with pytest.raises((psycopg.errors.RestrictViolation, psycopg.errors.UndefinedColumn)):
                owner_connection.execute(statement)
            owner_connection.rollback()
    assert CardPlace.objects.get(card_set__number=number).state == "bagged"


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"state": "vaulted"}, "newest step"),
        ({"table": None}, "newest step"),
        ({"is_inspected": True}, "newest step"),
        ({"sequence": 1}, "newest step"),
    ],
)
def test_where_a_set_is_follows_from_its_steps_alone(
    cast: Cast, change: dict[str, Any], words: str
) -> None:
    (number,) = in_pit(cast)
    bring(cast, number)
    places = CardPlace.objects.filter(card_set__number=number)
    refused_by_the_database(words, lambda: places.update(**change))
    refused_by_the_database(
        "permission denied|never changed", lambda: places._raw_delete("default")
    )


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ({"sequence": 99}, "out of order"),
        ({"source": "vaulted"}, "the set is in_pit"),
        ({"table": "other"}, "another pit"),
        ({"seal": "77-9999"}, "the seal is another"),
        ({"table": None}, "cards_at_a_table_name_it"),
        ({"slip": "fill"}, "nobody signed"),
        ({"act": "levitated"}, "no such step"),
    ],
)
def test_a_step_that_is_not_true_is_refused(cast: Cast, said: dict[str, Any], words: str) -> None:
    (number,) = in_pit(cast)
    slip = CardMove.objects.filter(card_set__number=number).latest("sequence").slip
    values = placed(cast, CardAct.TO_TABLE, SHUFFLER) | said
    if said.get("table") == "other":
        values |= {"table": cast.table, "pit": cast.other_pit_tablet.pit}
    if said.get("slip") == "fill":
        values["slip"] = cast.ask()
    refused_by_the_database(words, step(number, values.pop("slip", slip), **values))


def test_one_set_a_slot_and_one_colour_a_table(cast: Cast) -> None:
    red, other_red = in_pit(cast, sets=2)
    (blue,) = in_pit(cast, "blue")
    put_on(cast, red)
    slip = CardMove.objects.filter(card_set__number=blue).latest("sequence").slip
    values = placed(cast, CardAct.TO_TABLE, SHUFFLER)
    blue_here = step(blue, slip, **values | {"seal": "77-B-0001"})
    with pytest.raises(IntegrityError, match="one_set_a_slot"), transaction.atomic():
        blue_here()
    values = placed(cast, CardAct.TO_TABLE, IN_PLAY) | {"seal": "77-R-0002"}
    red_too = step(other_red, slip, **values)
    with pytest.raises(IntegrityError, match="differ_in_colour"), transaction.atomic():
        red_too()


def test_a_seal_and_a_bag_are_used_once(cast: Cast) -> None:
    one, two = receive_cards(cast)
    vault(cast, [one])
    slip = CardMove.objects.filter(card_set__number=one).latest("sequence").slip
    values = placed(cast, CardAct.VAULTED, CardState.VAULTED)
    with pytest.raises(IntegrityError, match="a_seal_is_used_once"), transaction.atomic():
        step(two, slip, **values)()
