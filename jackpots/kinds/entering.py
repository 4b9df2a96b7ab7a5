"""The pages that hits are entered on where no terminal does: the bet, and the cards it has."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from jackpots.models import MeterLink
from pitboss.middleware import PitRequest
from pitboss.models import Table
from pitboss.rules.cards.playing_cards import CARDS
from pitboss.rules.floor.fields import Field, Money, Pick, SeatNumber, Words
from pitboss.rules.floor.irregularities import SEATS_AT_A_TABLE
from pitboss.rules.games.games import spoken
from pitboss.rules.games.tracked import TRACKED_GAMES
from pitboss.rules.payouts.check import TableTerms
from pitboss.rules.payouts.jackpots import can_hit
from pitboss.rules.payouts.meters import MeterSource
from pitboss.rules.paytables.paytables import STAKES_CENTS
from pitboss.rules.refusal import Refused
from pitboss.rules.wagers.wager_cards import cards_of
from pitboss.selectors.table_rules import rules_in_force
from pitboss.slips.addresses import own_url
from pitboss.slips.fields import drawn
from pitboss.slips.kind import Look, Raising
from pitboss.views.forms import new_request_id

# A dealer's hand that decides a bet is seldom longer; the terminal takes any.
_HAND_SHOWN: Final = 8
_CARDS: Final = {code: held.face for code, held in CARDS.items()}


def big_win_look(request: PitRequest, raising: Raising, refused: Refused | None) -> Look:
    """Ask which bet won; then its seat, its stake and as many cards as decide it."""
    assert raising.table is not None, "a big win without a table"
    given: Mapping[str, Any] = request.POST if refused else request.GET
    bets = bets_of(request, raising.table)
    check, wager = given.get("check", ""), given.get("wager", "")
    context: dict[str, Any] = {
        "url": own_url(raising),
        "request_id": new_request_id(),
        "check": check,
        "wager": wager if wager in bets else "",
        "bet": bets.get(wager, ""),
        "bets": [
            {"url": own_url(raising, wager=item), "label": label} for item, label in bets.items()
        ],
        "fields": [drawn(field, given) for field in _fields(check, wager if wager in bets else "")],
        "cards": [drawn(field, given) for field in _cards(wager if wager in bets else "")],
    }
    return "jackpots/big_win_new.html", context


def jackpot_look(request: PitRequest, raising: Raising, refused: Refused | None) -> Look:
    """Ask for the seat, its bet and the three cards that decide it."""
    assert raising.table is not None, "a jackpot without a table"
    given = request.POST if refused else request.GET
    offered = rules_in_force(raising.table, request.house).side_bets
    bets = [wager for wager, bet in offered.items() if can_hit(bet.table(wager))]
    return "jackpots/enter.html", {
        "url": own_url(raising),
        "request_id": new_request_id(),
        "corrects": raising.original,
        "keyed": given,
        "seats": [str(seat) for seat in range(1, SEATS_AT_A_TABLE + 1)],
        "wagers": {wager: spoken(wager) for wager in bets},
        "asks_stake": any(len(STAKES_CENTS.get(wager, (0, 0))) != 1 for wager in bets),
        "asks_locked": MeterLink.objects.filter(
            table=raising.table, until=None, meter__source=MeterSource.CONTROLLER.value
        ).exists(),
        "cards": [{"value": code, "label": label} for code, label in _CARDS.items()],
    }


def bets_of(request: PitRequest, table: Table) -> dict[str, str]:
    """Return the bets of a table that can be a big win: all that it takes."""
    if table.game in TRACKED_GAMES:
        return {table.game: TRACKED_GAMES[table.game].name}
    offered = TableTerms.of(rules_in_force(table, request.house)).paytables
    return {wager: _capital(spoken(wager)) for wager in offered}


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]


def _fields(check: str, wager: str) -> Iterator[Field]:
    if not check and not wager:
        return
    yield SeatNumber(name="seat", label="Seat")
    if check:
        return
    yield Money(name="stake", label="Stake, in dollars")
    if wager in TRACKED_GAMES:
        yield Money(name="amount", label="Wins, in dollars, without the stake")
        yield Words(name="hand", label="What won, in words", most=200)
    if wager == "raise_the_roof":
        yield Money(name="raise", label="Raise, in dollars", is_needed=False)


def _cards(wager: str) -> Iterator[Field]:
    """Yield as many cards as decide a bet. None is chosen before someone chose it."""
    if not wager or wager in TRACKED_GAMES:
        return
    cards = cards_of(wager)
    for side, (_, most) in (("player", cards.player), ("dealer", cards.dealer)):
        for place in range(1, min(most, _HAND_SHOWN) + 1):
            yield Pick(
                name=f"{side}_{place}",
                label=f"{side.capitalize()}, card {place}",
                choices=_CARDS,
                is_needed=False,
            )
