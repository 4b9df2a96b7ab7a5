"""The stock of cards of a day, by back and size: what there was, what came and went, what is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta

Back = tuple[str, int]


@dataclass(frozen=True, slots=True)
class Reckoning:
    """One back and size over a day. A set leaves the stock when it is cancelled."""

    colour: str
    decks: int
    opening: int
    received: int
    cancelled: int
    # Gone without having been canceled: by the life of a set there are none.
    destroyed: int
    # What two people found last, or what the books say where no one counted.
    on_hand: int

    @property
    def book(self) -> int:
        return self.opening + self.received - self.cancelled - self.destroyed

    @property
    def difference(self) -> int:
        return self.on_hand - self.book

    @property
    def words(self) -> str:
        """Say how the stock does not come out.

        >>> Reckoning("red", 6, 12, 4, 2, 0, 13).words
        'red, 6 decks: 12 + 4 − 2 − 0 = 14 expected, 13 on hand'
        """
        return (
            f"{self.colour}, {self.decks} deck{'' if self.decks == 1 else 's'}: "
            f"{self.opening} + {self.received} − {self.cancelled} − {self.destroyed} = "
            f"{self.book} expected, {self.on_hand} on hand"
        )


def reckon(
    *,
    opening: Mapping[Back, int],
    received: Mapping[Back, int],
    cancelled: Mapping[Back, int],
    destroyed: Mapping[Back, int],
    on_hand: Mapping[Back, int],
) -> list[Reckoning]:
    """Return the reckoning of every back and size that has anything to say.

    >>> [each.difference for each in reckon(
    ...     opening={("red", 6): 12}, received={("red", 6): 4}, cancelled={("red", 6): 2},
    ...     destroyed={}, on_hand={("red", 6): 13, ("blue", 8): 1},
    ... )]
    [1, -1]
    """
    backs = {
        back for figures in (opening, received, cancelled, destroyed, on_hand) for back in figures
    }
    return [
        Reckoning(
            colour,
            decks,
            opening.get((colour, decks), 0),
            received.get((colour, decks), 0),
            cancelled.get((colour, decks), 0),
            destroyed.get((colour, decks), 0),
            on_hand.get((colour, decks), 0),
        )
        for colour, decks in sorted(backs)
    ]


def is_inventory_due(last: date | None, today: date, days: int) -> bool:
    """Tell whether all cards must be counted again.

    >>> is_inventory_due(date(2026, 1, 1), date(2026, 4, 2), 91)
    True
    >>> is_inventory_due(date(2026, 1, 1), date(2026, 4, 1), 91)
    False
    >>> is_inventory_due(None, date(2026, 4, 1), 91)
    True
    """
    return last is None or last + timedelta(days=days) <= today
