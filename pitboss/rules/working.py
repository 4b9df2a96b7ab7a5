"""The words of a verdict: what was decided, and which house option decided it."""

from __future__ import annotations

from collections.abc import Iterable

from pitboss.rules.options import HouseOptions

# An option and the reading through which it mattered.
Used = tuple[str, str]

TOKE_DOWN = "Dealer bet: the toke and its payoff come down."
TOKE_STAYS = "Dealer bet: the toke stays up for the next round."


def sentence(
    text: str, *, options: HouseOptions, used: Iterable[Used] = (), notes: Iterable[str] = ()
) -> str:
    """Join what was decided with the house options it depended on.

    >>> from pitboss.rules.options import DEFAULT_OPTIONS
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
