"""The stock of cards: against its par, over a day, and against what two people counted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from django.db.models import Count, QuerySet

from inventory.models import CardMove, CardPlace
from pitboss.models import Slip
from pitboss.rules.cards.sets import ALIVE, CardAct, CardState
from pitboss.rules.cards.stock import Back, Reckoning, is_inventory_due, reckon
from pitboss.rules.day.gaming_day import day_start
from pitboss.rules.flows.flows import SlipStatus
from pitboss.services import house


@dataclass(frozen=True, slots=True)
class ParLine:
    """What one pit's cabinet holds of one back and size, and what it should."""

    pit: str
    colour: str
    decks: int
    par: int
    held: int
    # What the store could bring of it.
    in_store: int

    @property
    def short(self) -> int:
        return max(0, self.par - self.held)

    @property
    def can_bring(self) -> int:
        return min(self.short, self.in_store)


def stock_against_par(now: datetime) -> list[ParLine]:
    """Return every par of the house beside what is there: the list of what to bring to each pit.

    What the store has is promised to the pits in the order of the house's own list.
    """
    sealed = (
        CardPlace.objects.filter(state__in=(CardState.IN_PIT.value, CardState.VAULTED.value))
        .values_list("pit__name", "colour", "card_set__decks")
        .annotate(sets=Count("card_set_id"))
    )
    held = {(pit, colour, decks): sets for pit, colour, decks, sets in sealed}
    left = {(colour, decks): sets for (pit, colour, decks), sets in held.items() if pit is None}
    lines = []
    for par in house.settings_at(now)["cards.par"]:
        back = (par["colour"], par["decks"])
        line = ParLine(
            par["pit"],
            par["colour"],
            par["decks"],
            par["sets"],
            held.get((par["pit"], *back), 0),
            left.get(back, 0),
        )
        left[back] = line.in_store - line.can_bring
        lines.append(line)
    return lines


# What a set must be to be in stock: not canceled, wherever it lies.
_IN_STOCK = sorted(state.value for state in ALIVE)


def in_stock_at(at: datetime) -> dict[Back, int]:
    """Return how many sets of each back and size were in stock at an instant, from their steps."""
    return _by_back(stock_moves(at))


def stock_moves(at: datetime) -> QuerySet[CardMove]:
    """Return the newest step of each set that was in stock at an instant."""
    newest = (
        CardMove.objects.filter(at__lte=at)
        .order_by("card_set_id", "-sequence")
        .distinct("card_set_id")
        .values("pk")
    )
    return CardMove.objects.filter(pk__in=newest, target__in=_IN_STOCK)


def _by_back(moves: QuerySet[CardMove]) -> dict[Back, int]:
    counted = moves.values_list("card_set__colour", "card_set__decks").annotate(
        sets=Count("card_set_id", distinct=True)
    )
    return {(colour, decks): sets for colour, decks, sets in counted.order_by()}


def bounds_of(day: date) -> tuple[datetime, datetime]:
    """Return when a gaming day begins and ends, by the house's clock of that day."""
    the_property = house.the_property()
    noon = datetime(day.year, day.month, day.day, 12, tzinfo=the_property.zone)
    clock = the_property.clock_at(noon)
    return day_start(clock, day), day_start(clock, day + timedelta(days=1))


def reckoning_until(start: datetime, end: datetime, on_hand: Mapping[Back, int]) -> list[Reckoning]:
    """Return what came and went between two instants, beside what is on hand at the second."""
    return reckon(
        opening=in_stock_at(start),
        received=_by_back(moves_within(start, end, CardAct.RECEIVED)),
        cancelled=_by_back(moves_within(start, end, CardAct.CANCELLED)),
        destroyed=_by_back(moves_within(start, end, CardAct.DESTROYED)),
        on_hand=on_hand,
    )


def moves_within(start: datetime, end: datetime, act: CardAct) -> QuerySet[CardMove]:
    """Return the steps by which sets came or went between two instants, each set once.

    A set that was canceled has gone already when it is destroyed.
    """
    moves = CardMove.objects.filter(at__gt=start, at__lte=end, act=act.value)
    if act is CardAct.DESTROYED:
        moves = moves.exclude(card_set__moves__act=CardAct.CANCELLED.value)
    return moves


def reckoned_span(day: date, now: datetime, counted: Slip | None) -> tuple[datetime, datetime]:
    """Return the time that a day's reckoning is of: to its last count, else its end, or so far."""
    start, end = bounds_of(day)
    return start, counted.raised_at if counted is not None else min(end, now)


def reckoning_of(day: date, now: datetime) -> list[Reckoning]:
    """Return the reckoning of a gaming day: so far, for the one that is going on.

    What is on hand is what two people found last in it; where no one counted, where the sets are
    said to be now, or were at its end.
    """
    counted = inventory_of(day)
    start, end = reckoned_span(day, now, counted)
    if counted is not None:
        known = dict.fromkeys(in_stock_at(end), 0)
        return reckoning_until(start, end, {**known, **found_in(counted)})
    if end < now:
        return reckoning_until(start, end, in_stock_at(end))
    places = (
        CardPlace.objects.filter(state__in=_IN_STOCK)
        .values_list("colour", "card_set__decks")
        .annotate(sets=Count("card_set_id"))
    )
    return reckoning_until(
        start, now, {(colour, decks): sets for colour, decks, sets in places.order_by()}
    )


def last_inventory() -> Slip | None:
    """Return the last inventory that two people signed."""
    return (
        Slip.objects.filter(kind="card_inventory", status=SlipStatus.DONE.value)
        .order_by("-id")
        .first()
    )


def inventory_of(day: date) -> Slip | None:
    """Return the last inventory that two people signed in a gaming day."""
    return (
        Slip.objects.filter(kind="card_inventory", status=SlipStatus.DONE.value, gaming_day=day)
        .order_by("-id")
        .first()
    )


def found_in(slip: Slip) -> dict[Back, int]:
    """Return what an inventory found, by back and size."""
    return {(colour, decks): sets for colour, decks, sets in slip.details["found"]}


def is_due(now: datetime) -> bool:
    """Tell whether all cards must be counted again."""
    last = last_inventory()
    if not CardPlace.objects.exists():
        return False
    return is_inventory_due(
        last.gaming_day if last else None,
        house.period_at(now).gaming_day,
        house.settings_at(now)["cards.inventory"],
    )
