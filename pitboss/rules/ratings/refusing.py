"""What is said when a rating may not begin, go on or end: a sentence for each code."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from pitboss.rules.refusal import CONFLICT, INPUT, NOT_YOURS, Refusal

_SENTENCES: Final = {
    "table_closed": (CONFLICT, "{table} is closed. Open it first."),
    "bad_seat": (INPUT, "{table} has no such seat. Choose one of its seats."),
    "seat_taken": (CONFLICT, "Seat {seat} is taken. Choose an empty seat."),
    "who_missing": (INPUT, "Choose who sits there: one patron, or one description."),
    "rated_elsewhere": (CONFLICT, "{who} is rated at {elsewhere}. Move the rating from there."),
    "self_excluded": (NOT_YOURS, "Do not deal to this player. Security is notified."),
    "related_to_patron": (NOT_YOURS, "You are related to {who}. Someone else rates them."),
    "in_the_future": (INPUT, "That time is in the future. Enter a time that has passed."),
    "begun_too_early": (INPUT, "A stay can’t begin that long ago. Enter a later time."),
    "break_due": (CONFLICT, "{who} must take a break. Call the shift manager."),
    "before_beginning": (INPUT, "The stay began after that. Enter a later time."),
    "after_last_bet": (INPUT, "The last bet at this seat was at {sign}. End the stay then."),
    "no_sign_of_play": (INPUT, "No one saw a bet after {sign}. End the stay then."),
}
CODES: Final = frozenset(_SENTENCES)


def sentences(codes: Iterable[str], **said: object) -> list[Refusal]:
    """Return the refusals of these codes, each with its sentence.

    >>> sentences(["table_closed"], table="BJ-12")[0].message
    'BJ-12 is closed. Open it first.'
    """
    return [
        Refusal(code, words.format(**said), status)
        for code, (status, words) in ((code, _SENTENCES[code]) for code in codes)
    ]
