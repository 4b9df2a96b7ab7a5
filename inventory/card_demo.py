"""Cards of the demo: a stocked store, sealed sets in each pit, and cards on every table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from inventory.kinds.card_batches import CARD_ISSUE, CARD_VAULTING
from inventory.kinds.card_receipt import CARD_RECEIPT
from inventory.kinds.card_to_table import CARD_TO_TABLE
from inventory.models import CardSet
from pitboss.demo import demo_crew, demo_device, demo_pen, demo_person, demo_signer
from pitboss.models import Pit, Slip, Table
from pitboss.rules.cards.sets import CardState, cards_of
from pitboss.rules.games.table_setup import CardProfile
from pitboss.rules.roles import Place, Role
from pitboss.selectors.slips import due_step
from pitboss.services.shown import slip_shown
from pitboss.services.signing import Pen, sign
from pitboss.slips.kind import Raising
from pitboss.slips.raising import raise_kind, shown_before

_COLOURS = ("red", "blue")
# Sets of each size and color that are left: as the maker sent them, and sealed in each pit.
_LEFT_IN_STORE = {6: 4, 8: 2, 2: 2}
_LEFT_IN_PIT = {6: 4, 8: 1, 2: 1}
# Tables that have a second set beside the one they deal from.
_WITH_TWO = ("BJ-11", "BJ-13", "BJ-31")
_DEALT_FROM = {
    CardProfile.SHUFFLER: CardState.IN_PLAY,
    CardProfile.CONTINUOUS: CardState.SHUFFLER,
    CardProfile.HAND: CardState.IN_PLAY,
}


def receive_cards() -> None:
    """Receive from the maker what the tables take, and what is left in the store."""
    wanted = _wanted()
    pits = list(Pit.objects.all())
    for colour in _COLOURS:
        for decks, left in _LEFT_IN_STORE.items():
            sent = left + sum(_LEFT_IN_PIT[decks] + wanted[pit.pk, colour, decks] for pit in pits)
            _sign(
                CARD_RECEIPT.at(
                    manufacturer="Angel",
                    design="Gold crown",
                    lot="GPI-88214",
                    colour=colour,
                    decks=decks,
                    invoiced=sent,
                    found=sent,
                )
            )


def issue_cards() -> None:
    """Vault cards and issue them, to each pit what its tables take and what is left there."""
    wanted = _wanted()
    for colour in _COLOURS:
        begun = dict.fromkeys(_LEFT_IN_STORE, 0)
        for pit in Pit.objects.all():
            numbers = []
            for decks, left in _LEFT_IN_PIT.items():
                first = begun[decks]
                begun[decks] += left + wanted[pit.pk, colour, decks]
                numbers += _numbers(colour, decks)[first : begun[decks]]
            _sign(CARD_VAULTING.at(seal={number: _seal(number) for number in numbers}))
            _sign(CARD_ISSUE.at(set=numbers, pit=pit.pk))


def bring_cards(tables: Iterable[Table]) -> None:
    """Bring to each table what it deals from."""
    for table in tables:
        slot = _DEALT_FROM.get(CardProfile(table.cards))
        if slot is not None:
            _bring(table, "blue", slot)
        if table.name in _WITH_TWO:
            _bring(table, "red", CardState.SHUFFLER)


def _wanted() -> Counter[tuple[int, str, int]]:
    """Return how many sets of each color and size the tables of each pit take."""
    wanted: Counter[tuple[int, str, int]] = Counter()
    for table in Table.objects.all():
        wanted[table.pit_id, "blue", table.decks] += table.cards != CardProfile.NONE
        wanted[table.pit_id, "red", table.decks] += table.name in _WITH_TWO
    return wanted


def _numbers(colour: str, decks: int) -> list[str]:
    sets = CardSet.objects.filter(colour=colour, decks=decks).order_by("number")
    return list(sets.values_list("number", flat=True))


def _seal(number: str) -> str:
    return f"77-{number.replace('-', '')}"


def _bring(table: Table, colour: str, slot: CardState) -> None:
    place = (
        CardSet.objects.filter(
            colour=colour,
            decks=table.decks,
            place__state=CardState.IN_PIT.value,
            place__pit=table.pit,
        )
        .order_by("number")
        .first()
    )
    assert place is not None, "the demo's cabinets are stocked"
    is_by_hand = table.cards == CardProfile.HAND
    counted = cards_of(table.decks) if is_by_hand else None
    _sign(
        CARD_TO_TABLE.at(
            table, set=place.number, seal=_seal(place.number), slot=slot, counted=counted
        )
    )


def _sign(raising: Raising) -> None:
    """Raise a slip and let the demo's people sign it to its end."""
    table = raising.table

    def pen(role: Role) -> Pen:
        place = Place.PIT if table else Place.OFFICE
        person = demo_signer(role, table, demo_crew(table.pit)) if table else demo_person(role)
        return demo_pen(person, demo_device(place, table.pit if table else None))

    first = raising.kind.steps[0].roles[0]
    slip = raise_kind(raising, pen=pen(first), shown=shown_before(raising))
    while (due := due_step(slip)) is not None:
        sign(
            slip_id=slip.pk,
            step=due.name,
            pen=pen(due.by[0]),
            shown=slip_shown(slip),
        )
        slip = Slip.objects.select_related("table__pit").get(pk=slip.pk)
