"""What people do with cards in tests: from the maker's carton to a table, and to the shredder."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from typing import Any

from inventory.kinds.card_at_table import CARD_WAIVER
from inventory.kinds.card_batches import (
    CARD_COLLECTION,
    CARD_DESTRUCTION,
    CARD_ISSUE,
    CARD_VAULTING,
)
from inventory.kinds.card_cancellation import CARD_CANCELLATION
from inventory.kinds.card_hold import CARD_HOLD
from inventory.kinds.card_receipt import CARD_RECEIPT
from inventory.kinds.card_to_table import CARD_TO_TABLE
from inventory.models import CardPlace, CardSet
from pitboss.models import Person, Pit, Slip, Table
from pitboss.rules.cards.sets import CardState
from pitboss.rules.roles import Place
from pitboss.services.signing import Pen
from pitboss.slips.kind import Kind
from pitboss.slips.raising import raise_kind, shown_before
from tests.floor.cast import Cast


@dataclass(frozen=True)
class Delivery:
    """What the maker sent: how many sets the invoice says, how many came whole, how many not."""

    manufacturer: str
    design: str
    lot: str
    colour: str
    decks: int
    invoiced: int
    found: int
    damaged: int = 0


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
    came = CARD_RECEIPT.at(**asdict(delivery))
    slip = raise_kind(came, pen=cast.pen(cast.alice, Place.OFFICE), shown=shown_before(came))
    cast.sign(slip, "taken_in", cast.frank, Place.OFFICE)
    return [card_set.number for card_set in CardSet.objects.filter(receipt=slip).order_by("number")]


def begin_vaulting(
    cast: Cast, numbers: Iterable[str], by: Person | None = None, **seals: str
) -> Slip:
    marks = {number: seals.get(number, seal_of(number)) for number in numbers}
    vaulted = CARD_VAULTING.at(seal=marks)
    pen = cast.pen(by or cast.dora, Place.OFFICE)
    return raise_kind(vaulted, pen=pen, shown=shown_before(vaulted))


def vault(cast: Cast, numbers: Iterable[str]) -> Slip:
    slip = begin_vaulting(cast, numbers)
    cast.sign(slip, "verified", cast.bob, Place.OFFICE)
    return slip


def begin(
    cast: Cast,
    kind: Kind,
    numbers: Iterable[str],
    *,
    pit: Pit | None = None,
    by: Person | None = None,
    place: Place = Place.PIT,
) -> Slip:
    """Raise a slip about several sets, as Bob or somebody else."""
    chosen = kind.at(set=list(numbers), **dict[str, Any]({"pit": pit.pk} if pit else {}))
    return raise_kind(chosen, pen=cast.pen(by or cast.bob, place), shown=shown_before(chosen))


def issue(cast: Cast, numbers: Iterable[str], pit: Pit | None = None) -> Slip:
    """Bring vaulted sets into the cabinet of the first pit."""
    slip = begin(cast, CARD_ISSUE, numbers, pit=pit or cast.pit)
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
    named = {"set": number, "seal": seal_of(number), "slot": slot, **said}
    brought = CARD_TO_TABLE.at(table, **named)
    return raise_kind(brought, pen=pen or cast.pen(by or cast.alice), shown=shown_before(brought))


def put_on(cast: Cast, number: str, slot: CardState = SHUFFLER, **said: Any) -> Slip:
    """Bring a set to a table, and let Dan inspect it unless its seal stands for that."""
    slip = bring(cast, number, slot, **said)
    if any(step["name"] == "inspected" for step in slip.plan):
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
    came = taken_from.value if taken_from else ""
    bagging = CARD_CANCELLATION.at(table, set=number, bag=bag, taken_from=came, **said)
    return raise_kind(bagging, pen=cast.pen(by or cast.dan), shown=shown_before(bagging))


def bag(
    cast: Cast, number: str, bag: str, taken_from: CardState | None = IN_PLAY, **fields: Any
) -> Slip:
    """Count, cancel and bag a set: Dan, then Alice."""
    fields = fields or {"counted": 312}
    slip = begin_bagging(cast, number, bag, taken_from, **fields)
    last = [step["name"] for step in slip.plan if step["track"] == "main"][-1]
    cast.sign(slip, last, cast.alice)
    slip.refresh_from_db()
    return slip


def collect(cast: Cast, numbers: Iterable[str]) -> Slip:
    """Let Frank collect bags from the first pit."""
    slip = begin(cast, CARD_COLLECTION, numbers)
    cast.sign(slip, "collected", cast.frank)
    return slip


def destroy(cast: Cast, numbers: Iterable[str]) -> Slip:
    """Let Frank destroy sets before Ivan's eyes."""
    slip = begin(cast, CARD_DESTRUCTION, numbers, by=cast.frank, place=Place.SECURITY)
    cast.sign(slip, "witnessed", cast.ivan, Place.SURVEILLANCE)
    return slip


def hold(cast: Cast, number: str, by: Person | None = None, reason: str = "A mark.") -> Slip:
    table = CardPlace.objects.get(card_set__number=number).table
    held = CARD_HOLD.at(table, set=number)
    pen = cast.pen(by or cast.alice)
    return raise_kind(held, pen=pen, shown=shown_before(held), reason=reason)


def waive(cast: Cast, door: str, table: Table | None = None) -> Slip:
    """Let a table go on without its cards: Heidi, and Carol who was told."""
    table = Table.objects.get(pk=(table or cast.table).pk)
    waived = CARD_WAIVER.at(table, door=door)
    pen, shown = cast.pen(cast.heidi), shown_before(waived)
    slip = raise_kind(waived, pen=pen, shown=shown, reason="The machine is stuck.")
    cast.sign(slip, "witnessed", cast.carol)
    return slip
