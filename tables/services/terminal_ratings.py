"""Ratings as the terminal of a table keeps them: who sits where, bets, who left.

A terminal is told no theo, no standing, and never why a card was refused: it calls the supervisor.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, Final

from inventory.selectors.patrons import patron_of_card
from pitboss.models import Device
from pitboss.rules.refusal import CONFLICT, Refused, refuse
from pitboss.rules.said import Said
from pitboss.services import house
from pitboss.services.once import Keeping
from tables.models import PlayRating, SeatHeld
from tables.selectors.ratings import name_of, open_ratings
from tables.services import looks, ratings
from tables.services.rating_facts import SEATS, look_wanted_since
from tables.services.rating_hands import AtTerminal, keep_refusal
from tables.services.ratings import Leaving, Who
from tables.services.terminals import Terminal

# What a dealer sees for themselves, and so may be told. Everything else is the supervisor's.
_TOLD: Final = frozenset(
    {
        "after_last_bet",
        "amount_malformed",
        "bad_seat",
        "look_while_away",
        "no_sign_of_play",
        "not_your_table",
        "over_maximum",
        "rating_ended",
        "seat_taken",
        "table_closed",
        "unknown_rating",
    }
)


@contextmanager
def untold() -> Iterator[None]:
    """Say nothing of a patron to a terminal: what it may not know is a call. Raises Refused."""
    try:
        yield
    except Refused as refused:
        if not _TOLD.issuperset(refused.codes):
            raise call_supervisor() from refused
        raise


def call_supervisor() -> Refused:
    """Return what a terminal is told instead of a reason."""
    return refuse("call_supervisor", "Call the supervisor to this seat.", CONFLICT)


def who_has(card: str) -> Who:
    """Return who has a card. Raises Refused."""
    patron = patron_of_card(card)
    if patron is None:
        raise refuse("unknown_card", "Card not found. Scan it again.")
    return Who(patron_id=patron.pk, by_card=True)


def sit_down(device: Device, seat: int, who: Who) -> dict[str, Any]:
    """Begin a rating at a seat of the terminal's table, by card. Raises Refused."""
    assert device.table_id is not None, "a terminal stands at a table"
    held = ratings.sit_down(table_id=device.table_id, seat=seat, who=who, hand=AtTerminal(device))
    assert held.rating is not None, "who sits down by card is rated"
    return as_sent(_own(device, held.rating.pk))


def take_seat(device: Device, seat: int) -> dict[str, Any]:
    """Note that someone sits there who is not rated. Raises Refused."""
    assert device.table_id is not None, "a terminal stands at a table"
    ratings.take_seat(table_id=device.table_id, seat=seat, hand=AtTerminal(device))
    return {"rating": None, "name": "", "seats": [seat], "state": "taken"}


def note_refused(device: Device, act: str, refused: Refused, seat: int, who: Who | None) -> None:
    """Keep what a terminal was refused, and call security where someone may not play."""
    assert device.table_id is not None, "a terminal stands at a table"
    hand = AtTerminal(device)
    keep_refusal(act, hand, device.table_id, refused)
    if who is not None:
        ratings.call_security(device.table_id, seat, who, hand, refused)


def change(device: Device, rating_id: int, act: Callable[[AtTerminal], object]) -> dict[str, Any]:
    """Do something to a rating of this table, and answer with how it is then. Raises Refused."""
    _own(device, rating_id)
    act(AtTerminal(device))
    return as_sent(_own(device, rating_id))


def see(
    terminal: Terminal, rating_id: int, bet_cents: int, side: dict[str, int], keeping: Keeping
) -> None:
    """Note a bet as it lies on the table now, and keep how the rating is then. Raises Refused."""
    looks.see(
        rating_id=rating_id,
        bet_cents=bet_cents,
        hand=AtTerminal(terminal.device, terminal=terminal),
        side=side,
        # Who was looked at just now is at the table, and no look is wanted.
        keeping=lambda seen: keeping(_sent(seen.look.rating, seen.seats, "rated")),
    )


def add_seat(device: Device, rating_id: int, seat: int) -> dict[str, Any]:
    """Note that a player plays one more seat. Raises Refused."""
    rating = _own(device, rating_id)
    return change(
        device,
        rating_id,
        lambda hand: ratings.sit_down(
            table_id=rating.table_id,
            seat=seat,
            who=Who(patron_id=rating.patron_id, stranger_id=rating.stranger_id),
            hand=hand,
        ),
    )


def leave(device: Device, rating_id: int, walked_cents: int | None) -> dict[str, Any]:
    """Note that a player left. Raises Refused."""
    leaving = Leaving(walked_cents=walked_cents)
    return change(
        device,
        rating_id,
        lambda hand: ratings.leave(rating_id=rating_id, hand=hand, leaving=leaving),
    )


def step_away(device: Device, rating_id: int) -> dict[str, Any]:
    """Note that a player left the seat for a while. Raises Refused."""
    return change(device, rating_id, lambda hand: ratings.step_away(rating_id=rating_id, hand=hand))


def come_back(device: Device, rating_id: int) -> dict[str, Any]:
    """Note that a player is back. Raises Refused."""
    return change(device, rating_id, lambda hand: ratings.come_back(rating_id=rating_id, hand=hand))


def count_heads(device: Device, taken: Iterable[int]) -> dict[str, Any]:
    """Set which seats are taken by people who are not rated; rated seats stay. Raises Refused."""
    assert device.table_id is not None, "a terminal stands at a table"
    wanted = set(taken)
    if not wanted <= set(range(1, SEATS + 1)):
        raise refuse("bad_seat", Said("Choose a seat from 1 to {most}.", most=SEATS))
    held = SeatHeld.objects.filter(table=device.table_id, until=None)
    for item in held.filter(rating=None).exclude(seat__in=wanted):
        ratings.free_seat(seat_id=item.pk, hand=AtTerminal(device))
    for seat in sorted(wanted - set(held.values_list("seat", flat=True))):
        ratings.take_seat(table_id=device.table_id, seat=seat, hand=AtTerminal(device))
    return {"taken": sorted(held.order_by().values_list("seat", flat=True))}


def at_table(device: Device) -> list[dict[str, Any]]:
    """Return the ratings that go on at the terminal's table."""
    assert device.table is not None, "a terminal stands at a table"
    return [as_sent(rating) for rating in open_ratings(device.table)]


def _own(device: Device, rating_id: int) -> Any:
    """Return a rating of the terminal's table. Raises Refused."""
    found = PlayRating.objects.filter(pk=rating_id, table=device.table_id)
    rating = found.select_related("patron", "stranger").first()
    if rating is None:
        raise looks.unknown_rating()
    return rating


def as_sent(rating: PlayRating) -> dict[str, Any]:
    """Return a rating as a terminal shows it: a short name, the seats, and whether to look."""
    seats = rating.seats.filter(until=None).order_by("seat").values_list("seat", flat=True)
    return _sent(rating, seats, _state(rating))


def _sent(rating: PlayRating, seats: Iterable[int], state: str) -> dict[str, Any]:
    return {"rating": rating.pk, "name": name_of(rating), "seats": list(seats), "state": state}


def _state(rating: PlayRating) -> str:
    if rating.ended_at is not None:
        return "ended"
    if rating.absences.filter(until=None).exists():
        return "away"
    now = house.now()
    last = rating.looks.order_by("-at").values_list("at", flat=True).first()
    wanted = look_wanted_since(rating, last, now, house.settings_at(now))
    return "look_wanted" if wanted is not None or last is None else "rated"
