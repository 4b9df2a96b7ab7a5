"""What an idle tablet goes on showing: a board that everyone reads, or nothing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from pitboss.rules.roles import Place
from pitboss.rules.settings.kinds import Choice
from pitboss.rules.settings.setting import OUR_OWN, Setting

SHOWS_BOARD: Final = "board"
LOCKS: Final = "lock"
# The cage has no board to show.
BY_PLACE: Final = {
    Place.PIT: ("people.idle_pit", "An idle tablet in the pit", SHOWS_BOARD),
    Place.SURVEILLANCE: ("people.idle_surveillance", "An idle device of surveillance", SHOWS_BOARD),
    Place.SECURITY: ("people.idle_security", "An idle device of security", LOCKS),
    Place.OFFICE: ("people.idle_office", "An idle device in an office", LOCKS),
}


def idle_settings() -> Iterator[Setting]:
    """Yield what the house chooses for each place."""
    for key, title, default in BY_PLACE.values():
        yield Setting(
            key,
            "People and devices",
            title,
            "The board stays readable without the words that can name a patron. Anything else, and "
            "every action, needs the PIN.",
            Choice({SHOWS_BOARD: "keeps showing the board", LOCKS: "shows only the lock"}),
            default,
            OUR_OWN,
        )
