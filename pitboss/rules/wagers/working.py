"""The words of a verdict: what was decided, and which house option decided it."""

from __future__ import annotations

from collections.abc import Iterable

from pitboss.rules.book.options import HouseOptions

# An option and the reading through which it mattered.
Used = tuple[str, str]

TOKE_DOWN = "Dealer bet: the toke and its payoff come down."
TOKE_STAYS = "Dealer bet: the toke stays up for the next round."

# Rows whose names do not read well aloud.
_SPOKEN = {
    "three_queens_hearts": "Three queens of hearts",
    "three_queens_same_suit": "Three queens of one suit",
    "three_queens_same_colour": "Three queens of one color",
    "non_suited_20": "20 of two suits",
    "three_sevens_same_suit": "Three sevens of one suit",
    "three_sevens_same_colour": "Three sevens of one color",
    "three_sevens_mixed": "Three sevens of both colors",
    "non_suited_pair": "Pair of two suits",
    "suited": "Two cards of one suit",
    "one_non_suited": "One match in rank",
    "two_non_suited": "Two matches in rank",
    "one_suited": "One match in rank and suit",
    "two_suited": "Two matches in rank and suit",
    "one_non_suited_one_suited": "Two matches in rank, one in suit too",
}


def row_words(row: str) -> str:
    """Say the row of a pay table aloud.

    >>> row_words("three_of_a_kind"), row_words("three_queens_hearts")
    ('Three of a kind', 'Three queens of hearts')
    """
    return _SPOKEN.get(row) or row.replace("_", " ").capitalize()


def sentence(
    text: str, *, options: HouseOptions, used: Iterable[Used] = (), notes: Iterable[str] = ()
) -> str:
    """Join what was decided with the house options it depended on.

    >>> from pitboss.rules.book.options import DEFAULT_OPTIONS
    >>> sentence("Ace and nine.", options=DEFAULT_OPTIONS, used=[("ace_nine", "R70")])
    'Ace and nine. House option: ace and nine is a 20 (R70).'
    """
    parts = [text]
    parts += [f"House option: {options.words(name)} ({reading})." for name, reading in used]
    parts += notes
    return " ".join(parts)


def toke_notes(is_dealer_bet: bool, payout_cents: int) -> tuple[str, ...]:
    """Say what becomes of a dealer bet; it is decided like the player's own."""
    if not is_dealer_bet or payout_cents < 0:
        return ()
    return (TOKE_DOWN,) if payout_cents else (TOKE_STAYS,)
