"""Where the cards are: the stock, a set's passport, a table's slots and the change of its day."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Count, Q, QuerySet

from inventory.models import CardMove, CardPlace, CardSet
from inventory.selectors.card_stock import is_due
from inventory.services.cards import facts_of, where_is
from pitboss.models import FloorException, Pit, Slip, Table
from pitboss.rules.cards.judging import SetFacts
from pitboss.rules.cards.sets import (
    AT_TABLE,
    BAGGED,
    IN_STORE,
    ON_THE_GAME,
    SLOTS,
    WITH_SECURITY,
    CardAct,
    CardState,
)
from pitboss.rules.flows.book import kinds_of_desk
from pitboss.rules.flows.flows import SlipStatus
from pitboss.rules.games.table_setup import CardProfile
from pitboss.services import house
from pitboss.services.journal import CARDS

# The columns of the stock, in the order of a set's life; what is destroyed is no stock.
STOCK_COLUMNS: tuple[tuple[str, frozenset[CardState]], ...] = (
    ("Store", IN_STORE),
    ("Pit", frozenset({CardState.IN_PIT})),
    ("Table", AT_TABLE),
    ("Bagged", BAGGED),
    ("Security", WITH_SECURITY),
    ("Held", frozenset({CardState.HELD})),
)


@dataclass(frozen=True, slots=True)
class StockRow:
    """How many sets of one back and size lie where."""

    colour: str
    decks: int
    counts: tuple[int, ...]

    @property
    def total(self) -> int:
        return sum(self.counts)


def stock() -> list[StockRow]:
    """Return the stock by size and colour. One query."""
    found: dict[tuple[int, str], dict[str, int]] = {}
    rows = (
        CardPlace.objects.exclude(state=CardState.DESTROYED.value)
        .values_list("card_set__decks", "colour", "state")
        .annotate(sets=Count("card_set_id"))
    )
    for decks, colour, state, sets in rows:
        found.setdefault((decks, colour), {})[state] = sets
    return [
        StockRow(
            colour,
            decks,
            tuple(
                sum(states.get(state.value, 0) for state in column) for _, column in STOCK_COLUMNS
            ),
        )
        for (decks, colour), states in sorted(
            found.items(), key=lambda item: (-item[0][0], item[0][1])
        )
    ]


@dataclass(frozen=True, slots=True)
class Trouble:
    """One thing about cards that needs someone."""

    tone: str
    bold: str
    text: str
    url_name: str
    url_argument: str
    label: str


def needs_somebody(now: datetime) -> list[Trouble]:
    """Return what about the cards needs someone, the worst first."""
    troubles = []
    for place in _places().filter(state=CardState.HELD.value).order_by("since"):
        slip = CardMove.objects.select_related("slip").get(
            card_set=place.card_set, sequence=place.sequence
        )
        troubles.append(
            Trouble(
                "bad",
                f"{place.card_set} is on hold as evidence.",
                f"Since {_local(place.since):%b %-d %H:%M} on {slip.slip.serial}.",
                "card-set",
                place.card_set.number,
                "Look",
            )
        )
    for exception in FloorException.objects.filter(
        code__in=("card_seal", "card_receipt", "card_stock"), resolved_at=None
    ).order_by("id"):
        troubles.append(
            Trouble(
                "bad",
                "Not explained.",
                exception.sentence,
                "exception",
                str(exception.pk),
                "Explain",
            )
        )
    if is_due(now):
        troubles.append(
            Trouble(
                "wait",
                "Count all cards.",
                "Two people count every set that isn’t canceled.",
                "card-reckoning",
                "",
                "Count",
            )
        )
    for place in too_long_in_use(now):
        assert place.in_use_since is not None
        hours = int((now - place.in_use_since).total_seconds() // 3600)
        troubles.append(
            Trouble(
                "wait",
                f"{place.card_set} is in use for {hours} h.",
                f"In use {where_is(place)} since {_local(place.in_use_since):%b %-d %H:%M}.",
                "table-cards",
                str(place.table),
                "Change it",
            )
        )
    return troubles


def too_long_in_use(now: datetime) -> list[CardPlace]:
    """Return the sets that have been at a table, opened, for longer than the house allows."""
    hours = house.settings_at(now)["cards.in_use"]
    return list(
        _places()
        .filter(in_use_since__lt=now - timedelta(hours=hours))
        .exclude(state=CardState.SPARE.value)
        .order_by("in_use_since")
    )


def _places() -> QuerySet[CardPlace]:
    return CardPlace.objects.select_related("card_set", "table", "pit")


def _local(at: datetime) -> datetime:
    return at.astimezone(house.the_property().zone)


@dataclass(frozen=True, slots=True)
class PassportLine:
    """One line of a set's passport."""

    title: str
    words: str
    at: datetime
    serial: str


_TITLES: Mapping[CardAct, str] = {
    CardAct.RECEIVED: "Received",
    CardAct.VAULTED: "Vaulted and sealed",
    CardAct.TO_PIT: "To the pit",
    CardAct.PUT_BACK: "Back to the store",
    CardAct.TO_TABLE: "To the table",
    CardAct.INSPECTED: "Inspected",
    CardAct.CARD_REPLACED: "Card replaced",
    CardAct.SWAPPED: "Exchanged",
    CardAct.UNUSED: "Back unopened",
    CardAct.REMOVED: "Off the game",
    CardAct.CANCELLED: "Canceled",
    CardAct.BAGGED: "Bagged",
    CardAct.COLLECTED: "Collected",
    CardAct.DESTROYED: "Destroyed",
    CardAct.HELD: "Held as evidence",
    CardAct.RELEASED: "Released",
}


def passport_of(card_set: CardSet) -> list[PassportLine]:
    """Return the whole life of a set so far: what happened, where, by whose hands."""
    moves = (
        card_set.moves.select_related("slip", "table", "pit")
        .prefetch_related("slip__signatures")
        .order_by("sequence")
    )
    return [
        PassportLine(
            _TITLES[CardAct(move.act)],
            "; ".join(filter(None, (_said_of(move), _hands(move.slip)))),
            move.at,
            move.slip.serial,
        )
        for move in moves
    ]


def _said_of(move: CardMove) -> str:
    """Return what a step says besides: where it led, its seal, bag and count."""
    where = ""
    if move.act == CardAct.TO_PIT.value:
        where = str(move.pit)
    elif move.act in (CardAct.TO_TABLE.value, CardAct.SWAPPED.value):
        where = f"{move.table}, {CardState(move.target).label.lower()}"
    elif move.act == CardAct.REMOVED.value:
        where = str(move.table)
    said = [
        where,
        f"seal {move.seal}" if move.seal else "",
        f"bag {move.bag}" if move.bag else "",
        f"counted {move.counted}" if move.counted is not None else "",
    ]
    return ", ".join(filter(None, said))


def _hands(slip: Slip) -> str:
    return " + ".join(signature.signed_as for signature in slip.signatures.all())


def sets_at(table: Table, at: datetime) -> list[CardMove]:
    """Return the step by which each set was at a table at an instant: which, and in which slot."""
    newest: dict[int, CardMove] = {}
    here = CardMove.objects.filter(table=table, at__lte=at).values("card_set_id")
    for move in (
        CardMove.objects.filter(card_set_id__in=here, at__lte=at)
        .select_related("card_set", "slip")
        .order_by("sequence")
    ):
        newest[move.card_set_id] = move
    return sorted(
        (move for move in newest.values() if move.table_id == table.pk),
        key=lambda move: move.card_set.number,
    )


def cards_at_table(table: Table) -> list[CardPlace]:
    """Return every set at a table, on its game first."""
    order = {state.value: index for index, state in enumerate(CardState)}
    places = _places().filter(table=table)
    return sorted(places, key=lambda place: order[place.state])


def cabinet_of(pit: Pit) -> list[CardPlace]:
    """Return the sealed sets in a pit's cabinet, the longest there first."""
    return list(
        _places()
        .filter(pit=pit, state=CardState.IN_PIT.value)
        .order_by("since", "card_set__number")
    )


def sets_in(states: Iterable[CardState], pit: Pit | None = None) -> list[CardPlace]:
    """Return the sets in some states, of one pit where one is named."""
    places = _places().filter(state__in=[state.value for state in states])
    if pit is not None:
        places = places.filter(pit=pit)
    return list(places.order_by("pit__name", "card_set__number"))


def open_card_slips(table: Table) -> list[Slip]:
    """Return the papers of cards that are under way at a table."""
    return list(
        Slip.objects.filter(
            table=table, kind__in=kinds_of_desk(CARDS), status=SlipStatus.OPEN.value
        )
        .prefetch_related("signatures")
        .order_by("id")
    )


@dataclass(frozen=True, slots=True)
class GuideStep:
    """One step of a change of day, as the guide shows it."""

    title: str
    words: str
    # done, now or next
    state: str
    # What the step is about, and which half of the change brings its set: 0 bags a set.
    number: str = ""
    half: int = 0
    slip: str = ""


@dataclass(frozen=True, slots=True)
class DayChangeGuide:
    """A change of day on a live game: its steps, and how far it is."""

    steps: tuple[GuideStep, ...]

    @property
    def now(self) -> GuideStep | None:
        return next((step for step in self.steps if step.state == "now"), None)

    @property
    def is_begun(self) -> bool:
        return any(step.state == "done" for step in self.steps)


def change_guide(table: Table) -> DayChangeGuide:
    """Return how far the change of day of a table is, from what was signed since it opened."""
    places = {CardState(place.state): place for place in cards_at_table(table)}
    facts = {place.state: place for place in facts_of(places.values())}
    profile = CardProfile(table.cards)
    two_sets = profile == CardProfile.SHUFFLER
    first, second = _exchanges(table)
    halves = [_half(1, first, facts, profile)]
    if two_sets and (CardState.IN_PLAY in facts or second is not None):
        halves.append(_half(2, second, facts, profile))
    steps = [step for half in halves for step in half]
    now = next((index for index, step in enumerate(steps) if step.state != "done"), len(steps))
    return DayChangeGuide(
        tuple(
            step if step.state == "done" else _as(step, "now" if index == now else "next")
            for index, step in enumerate(steps)
        )
    )


def _as(step: GuideStep, state: str) -> GuideStep:
    return GuideStep(step.title, step.words, state, step.number, step.half, step.slip)


def _exchanges(table: Table) -> tuple[Slip | None, Slip | None]:
    """Return the papers of the change that is under way: its first half, and its second.

    A change that is over and whose second set came off the game again is no longer told.
    """
    opened = table.counts.filter(slip__kind="opener").order_by("-id").first()
    slips = Slip.objects.filter(
        Q(status=SlipStatus.OPEN.value) | Q(status=SlipStatus.DONE.value),
        table=table,
        kind="card_to_table",
    ).exclude(details__takes_out="")
    if opened is not None:
        slips = slips.filter(raised_at__gt=opened.at)
    newest = slips.order_by("-id").first()
    if newest is None:
        return None, None
    if not newest.details["brings_out"]:
        return newest, None
    first = (
        slips.filter(details__set=newest.details["brings_out"], pk__lt=newest.pk)
        .order_by("-id")
        .first()
    )
    return first, newest


def _half(
    half: int,
    exchange: Slip | None,
    facts: Mapping[CardState, SetFacts],
    profile: CardProfile,
) -> tuple[GuideStep, GuideStep]:
    """Return the two steps of one half: the new set comes in, the old one is bagged."""
    slot = CardState.IN_PLAY if half == 2 or profile == CardProfile.HAND else CardState.SHUFFLER
    old = facts.get(slot)
    counted = slot == CardState.IN_PLAY
    if exchange is None:
        number = old.number if old else ""
        return (
            GuideStep(_IN[half, profile], f"for {number}" if number else "", "next", half=half),
            GuideStep(_OUT[counted], number, "next"),
        )
    details = exchange.details
    leaving = facts_of(_places().filter(card_set__number=details["takes_out"]))[0]
    is_in = exchange.status == SlipStatus.DONE.value
    is_bagged = leaving.state not in AT_TABLE
    came = GuideStep(
        _IN[half, profile],
        f"{details['set']} came in for {details['takes_out']}",
        "done" if is_in else "next",
        half=half,
        slip="" if is_in else exchange.serial,
    )
    off = GuideStep(
        _OUT[details["taken_from"] == CardState.IN_PLAY.value],
        f"{leaving.number}, {leaving.where}",
        "done" if is_bagged else "next",
        number=leaving.number,
        slip=leaving.named_on,
    )
    return came, off


_IN = {
    (1, CardProfile.SHUFFLER): "New set into the shuffler",
    (2, CardProfile.SHUFFLER): "End of the shoe: second new set",
    (1, CardProfile.CONTINUOUS): "New set into the shuffler",
    (1, CardProfile.HAND): "End of the shoe: new set",
    (1, CardProfile.NONE): "New set",
}
_OUT = {True: "Old set counted, canceled, bagged", False: "Old set canceled, bagged"}


def is_closing(table: Table) -> bool:
    """Tell whether a closer of a table is under way."""
    return Slip.objects.filter(table=table, kind="closer", status=SlipStatus.OPEN.value).exists()


def slots_of(table: Table) -> tuple[CardState, ...]:
    """Return the slots that a table has for cards."""
    return SLOTS[CardProfile(table.cards)]


def is_on_the_game(place: CardPlace) -> bool:
    """Tell whether a set is on its table's game."""
    return CardState(place.state) in ON_THE_GAME
