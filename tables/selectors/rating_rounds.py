"""The rounds that a stay is priced by: what its figures open to where a terminal told them."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from pitboss.rules.cheques.cheques import format_money
from pitboss.rules.ratings.bets import ToldBet
from tables.models import PlayRating
from tables.selectors.rating_figures import wager_words
from tables.services.rating_facts import own_seats, rounds_during, spans_of, told_bets

# More than a terminal tells of one player in a gaming day.
_MOST = 2_000


def rounds_of(rating: PlayRating, now: datetime) -> list[dict[str, Any]]:
    """Return each round in which the player had a bet, in order: its number, when, and the bets.

    What lies there for someone else, or on a coupon, is shown and said not to count.
    """
    spans = spans_of(rating.seats.all())
    told = rounds_during(rating.table_id, rating.began_at, rating.ended_at or now)
    found = []
    for item in told[:_MOST]:
        bets = [bet for seat in own_seats(item, spans) for bet in told_bets(seat)]
        if bets:
            found.append(
                {"number": item.pk, "at": item.started_at, "bets": [_words(bet) for bet in bets]}
            )
    return found


def _words(bet: ToldBet) -> str:
    raised = f" raised {format_money(bet.raise_cents)}" if bet.raise_cents else ""
    words = f"{wager_words(bet.wager)} {format_money(bet.stake_cents)}{raised}"
    if not bet.is_players:
        return f"{words} (not the player’s)"
    return f"{words} (coupon)" if bet.coupon else words
