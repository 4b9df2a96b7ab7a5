"""What people do with cards in tests: from the maker's carton to a table, and to the shredder."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from inventory.models import CardPlace, CardSet
from inventory.services.card_accounts import new_waiver, waive_cards
from inventory.services.card_bags import Bagging, bag_set, new_bagging
from inventory.services.card_store import (
    COLLECT,
    DESTROY,
    ISSUE,
    Delivery,
    SetsAct,
    hold_set,
    new_hold,
    new_receipt,
    new_sets_slip,
    new_vaulting,
    raise_sets_slip,
    receive_sets,
    vault_sets,
)
from inventory.services.card_table import Brought, bring_to_table, new_bringing
from pitboss.models import Person, Pit, Slip, Table
from pitboss.rules.card_sets import CardState
from pitboss.rules.roles import Place
from pitboss.services.shown import request_shown
from pitboss.services.signing import Pen
from tests.cast import Cast

TEN_RED = Delivery("Angel", "Gold crown", "GPI-88214", "red", 6, invoiced=2, found=2)
SHUFFLER = CardState.SHUFFLER
IN_PLAY = CardState.IN_PLAY
SPARE = CardState.SPARE


def state_of(number: str) -> str:
    return CardPlace.objects.get(card_set__number=number).state


def seal_of(number: str) -> str:
    """Return the seal that a set got in tests: its own number, turned into a seal's."""
    return f"77-{number[3:]}"


def uses_cards(table: Table, profile: str = "shuffler") -> None:
    """Give a table a setup that names how its cards are shuffled, as two managers would."""
    Table.objects.filter(pk=table.pk).update(setup={"name": table.name}, cards=profile)
    table.refresh_from_db()


def receive_cards(cast: Cast, delivery: Delivery = TEN_RED) -> list[str]:
    """Take a delivery in: Alice counts, Frank counts too."""
    slip = receive_sets(
        delivery,
        pen=cast.pen(cast.alice, Place.OFFICE),
        shown=request_shown(new_receipt(delivery), None),
    )
    cast.sign(slip, "taken_in", cast.frank, Place.OFFICE)
    return [each.number for each in CardSet.objects.filter(receipt=slip)]


def begin_vaulting(
    cast: Cast, numbers: Iterable[str], by: Person | None = None, **seals: str
) -> Slip:
    marks = {number: seals.get(number, seal_of(number)) for number in numbers}
    return vault_sets(
        marks,
        pen=cast.pen(by or cast.dora, Place.OFFICE),
        shown=request_shown(new_vaulting(marks), None),
    )


def vault(cast: Cast, numbers: Iterable[str]) -> Slip:
    slip = begin_vaulting(cast, numbers)
    cast.sign(slip, "verified", cast.bob, Place.OFFICE)
    return slip


def begin(
    cast: Cast,
    act: SetsAct,
    numbers: Iterable[str],
    *,
    pit: Pit | None = None,
    by: Person | None = None,
    place: Place = Place.PIT,
) -> Slip:
    """Raise a slip about several sets, as Bob or somebody else."""
    return raise_sets_slip(
        act,
        numbers,
        pit=pit,
        pen=cast.pen(by or cast.bob, place),
        shown=request_shown(new_sets_slip(act, numbers, pit), None),
    )


def issue(cast: Cast, numbers: Iterable[str], pit: Pit | None = None) -> Slip:
    """Bring vaulted sets into the cabinet of the first pit."""
    slip = begin(cast, ISSUE, numbers, pit=pit or cast.pit)
    cast.sign(slip, "witnessed", cast.grace, Place.OFFICE)
    return slip


def in_pit(cast: Cast, colour: str = "red", sets: int = 1, decks: int = 6) -> list[str]:
    """Return fresh sets, vaulted and locked in the cabinet of the first pit."""
    delivery = replace(TEN_RED, colour=colour, decks=decks, invoiced=sets, found=sets)
    numbers = receive_cards(cast, delivery)
    vault(cast, numbers)
    issue(cast, numbers)
    return numbers


def bring(
    cast: Cast,
    number: str,
    slot: CardState = SHUFFLER,
    *,
    table: Table | None = None,
    by: Person | None = None,
    pen: Pen | None = None,
    **said: Any,
) -> Slip:
    """Bring a set to the first table, or another, as Alice."""
    table = Table.objects.get(pk=(table or cast.table).pk)
    brought = Brought(number, **{"seal": seal_of(number), **said}, slot=slot)
    return bring_to_table(
        table,
        brought,
        pen=pen or cast.pen(by or cast.alice),
        shown=request_shown(new_bringing(table, brought), table),
    )


def put_on(cast: Cast, number: str, slot: CardState = SHUFFLER, **said: Any) -> Slip:
    """Bring a set to a table and let Dan inspect it."""
    slip = bring(cast, number, slot, **said)
    cast.sign(slip, "inspected", cast.dan)
    return slip


def begin_bagging(
    cast: Cast,
    number: str,
    bag: str,
    taken_from: CardState | None = IN_PLAY,
    *,
    table: Table | None = None,
    by: Person | None = None,
    **said: Any,
) -> Slip:
    """Count a set off the game, as Dan."""
    table = Table.objects.get(pk=(table or cast.table).pk)
    bagging = Bagging(number, bag, taken_from, **said)
    return bag_set(
        table,
        bagging,
        pen=cast.pen(by or cast.dan),
        shown=request_shown(new_bagging(table, bagging), table),
    )


def bag(
    cast: Cast, number: str, bag: str, taken_from: CardState | None = IN_PLAY, **said: Any
) -> Slip:
    """Count, cancel and bag a set: Dan, then Alice."""
    said = said or {"counted": 312}
    slip = begin_bagging(cast, number, bag, taken_from, **said)
    last = [step["name"] for step in slip.plan if step["track"] == "main"][-1]
    cast.sign(slip, last, cast.alice)
    slip.refresh_from_db()
    return slip


def collect(cast: Cast, numbers: Iterable[str]) -> Slip:
    """Let Frank collect bags from the first pit."""
    slip = begin(cast, COLLECT, numbers)
    cast.sign(slip, "collected", cast.frank)
    return slip


def destroy(cast: Cast, numbers: Iterable[str]) -> Slip:
    """Let Frank destroy sets before Ivan's eyes."""
    slip = begin(cast, DESTROY, numbers, by=cast.frank, place=Place.SECURITY)
    cast.sign(slip, "witnessed", cast.ivan, Place.SURVEILLANCE)
    return slip


def hold(cast: Cast, number: str, by: Person | None = None, reason: str = "A mark.") -> Slip:
    new = new_hold(number)
    table = Table.objects.get(pk=new.table_id) if new.table_id else None
    return hold_set(
        number, reason=reason, pen=cast.pen(by or cast.alice), shown=request_shown(new, table)
    )


def waive(cast: Cast, door: str, table: Table | None = None) -> Slip:
    """Let a table go on without its cards: Heidi, and Carol who was told."""
    table = Table.objects.get(pk=(table or cast.table).pk)
    slip = waive_cards(
        table,
        door,
        reason="The machine is stuck.",
        pen=cast.pen(cast.heidi),
        shown=request_shown(new_waiver(table, door), table),
    )
    cast.sign(slip, "witnessed", cast.carol)
    return slip
