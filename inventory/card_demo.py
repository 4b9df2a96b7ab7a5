"""Cards of the demo: a stocked store, sealed sets in each pit, and cards on every table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable

from inventory.models import CardSet
from inventory.services.card_store import (
    ISSUE,
    Delivery,
    new_receipt,
    new_sets_slip,
    new_vaulting,
    raise_sets_slip,
    receive_sets,
    vault_sets,
)
from inventory.services.card_table import Brought, bring_to_table, new_bringing
from pitboss.demo import demo_crew, demo_device, demo_pen, demo_person, demo_signer
from pitboss.models import Pit, Slip, Table
from pitboss.rules.card_sets import CardState, cards_of
from pitboss.rules.roles import Place, Role
from pitboss.rules.table_setup import CardProfile
from pitboss.selectors.slips import due_step
from pitboss.services.shown import request_shown, slip_shown
from pitboss.services.signing import NewSlip, Pen, sign

_COLOURS = ("red", "blue")
# Sets of each size and colour that are left: as the maker sent them, and sealed in each pit.
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
            _receive(Delivery("Angel", "Gold crown", "GPI-88214", colour, decks, sent, sent))


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
            _vault(numbers)
            _issue(numbers, pit)


def bring_cards(pit: Pit) -> None:
    """Bring to every table of a pit what it deals from."""
    for table in Table.objects.filter(pit=pit).select_related("pit"):
        slot = _DEALT_FROM.get(CardProfile(table.cards))
        if slot is not None:
            _bring(table, "blue", slot)
        if table.name in _WITH_TWO:
            _bring(table, "red", CardState.SHUFFLER)


def _wanted() -> Counter[tuple[int, str, int]]:
    """Return how many sets of each colour and size the tables of each pit take."""
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


def _receive(delivery: Delivery) -> None:
    _sign_on(
        new_receipt(delivery),
        lambda **signed: receive_sets(delivery, **signed),
    )


def _vault(numbers: Iterable[str]) -> None:
    seals = {number: _seal(number) for number in numbers}
    _sign_on(new_vaulting(seals), lambda **signed: vault_sets(seals, **signed), first=Role.DEALER)


def _issue(numbers: list[str], pit: Pit) -> None:
    _sign_on(
        new_sets_slip(ISSUE, numbers, pit),
        lambda **signed: raise_sets_slip(ISSUE, numbers, pit=pit, **signed),
    )


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
    brought = Brought(place.number, _seal(place.number), slot, counted=counted)
    _sign_on(
        new_bringing(table, brought),
        lambda **signed: bring_to_table(table, brought, **signed),
        table=table,
    )


def _sign_on(
    new: NewSlip,
    raise_it: Callable[..., Slip],
    *,
    first: Role = Role.SUPERVISOR,
    table: Table | None = None,
) -> None:
    """Raise a slip and let the demo's people sign it to its end."""

    def pen(role: Role) -> Pen:
        place = Place.PIT if table else Place.OFFICE
        person = demo_signer(role, table, demo_crew(table.pit)) if table else demo_person(role)
        return demo_pen(person, demo_device(place, table.pit if table else None))

    slip = raise_it(pen=pen(first), shown=request_shown(new, table))
    while (due := due_step(slip)) is not None:
        sign(
            slip_id=slip.pk,
            step=due["name"],
            pen=pen(Role(due["by"][0])),
            shown=slip_shown(slip),
        )
        slip = Slip.objects.select_related("table__pit").get(pk=slip.pk)
