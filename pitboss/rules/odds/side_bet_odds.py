"""Exact odds of the bets that are decided by the first cards: side bets, and insurance."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Final

from pitboss.rules.book.options import DEFAULT_OPTIONS, HouseOptions
from pitboss.rules.cards.playing_cards import DECK, Card
from pitboss.rules.odds.deal_counting import all_ways, row_ways
from pitboss.rules.odds.wager_odds import RowOdds, WagerOdds
from pitboss.rules.paytables.pays import LOSE, NOTHING, Odds, Pay, PayTable
from pitboss.rules.refusal import Refusal, Refused
from pitboss.rules.rounding import to_cents

LOST: Final = Fraction(-1)


def side_bet_odds(
    table: PayTable,
    decks: int,
    *,
    options: HouseOptions = DEFAULT_OPTIONS,
    meters: Mapping[str, int] = NOTHING,
    stake_cents: int | None = None,
) -> WagerOdds:
    """Return the odds of a bet on the first two, three or four cards of a full shoe.

    The stake matters only where a table prints dollars for each stake; left out, it is the
    smallest. A meter that is not given is empty.

    >>> from pitboss.rules.paytables.paytables import PAY_TABLES
    >>> side_bet_odds(PAY_TABLES["perfect_pair"]["A"], 8).edge
    Fraction(12, 83)
    """
    pays = {
        row: _pays_on_one_unit(pay, table, options, meters, stake_cents)
        for row, pay in table.pays.items()
    }
    house_keeps_stake = _house_keeps_stake(table, options)
    ways = dict.fromkeys([*pays, LOSE], 0)
    kept = squares = Fraction(0)
    for rows, count in row_ways(table.wager, decks, options).items():
        best = table.best(rows)
        ways[best] += count
        if best == LOSE:
            kept += count
            squares += count
            continue
        paid = [row for row in rows if row in pays] if options.awards == "cumulative" else [best]
        keeps = house_keeps_stake - sum(pays[row] for row in paid)
        kept += count * keeps
        squares += count * keeps**2
    deals = all_ways(table.wager, decks)
    return WagerOdds(
        edge=kept / deals,
        variance=squares / deals - (kept / deals) ** 2,
        rows={
            row: RowOdds(Fraction(count, deals), pays.get(row, LOST)) for row, count in ways.items()
        },
    )


def _house_keeps_stake(table: PayTable, options: HouseOptions) -> bool:
    """Say whether a winner's stake stays with the house, so that the bet pays "for one"."""
    if table.wager == "blazing_7s":
        return options.blazing_stake == "collected"
    return table.wager == "lucky_ladies" and options.award_stake == "included"


def _pays_on_one_unit(
    pay: Pay,
    table: PayTable,
    options: HouseOptions,
    meters: Mapping[str, int],
    stake_cents: int | None,
) -> Fraction:
    if isinstance(pay, Odds):
        return Fraction(pay.to, pay.per)
    stake = stake_cents or min(table.stakes_cents)
    return Fraction(to_cents(pay.award(stake, meters), options.fractions_of_a_cent), stake)


def insurance_odds(table: PayTable, decks: int, *, seen: Sequence[Card] = ()) -> WagerOdds:
    """Return the odds of a ten under the dealer's ace. `seen` are cards known besides that ace.

    >>> from pitboss.rules.paytables.paytables import PAY_TABLES
    >>> insurance_odds(PAY_TABLES["insurance"]["2:1"], 6).edge
    Fraction(23, 311)
    """
    faults = [
        Refusal("too_many_of_a_card", f"{held} is seen {count} times; there are {decks} of it.")
        for held, count in Counter(seen).items()
        if count > decks
    ]
    if sum(held.is_ace for held in seen) >= 4 * decks:
        faults.append(Refusal("too_many_aces", "The dealer's ace is not among the cards seen."))
    if faults:
        raise Refused(faults)
    unseen = len(DECK) * decks - len(seen) - 1
    tens = 16 * decks - sum(held.is_ten for held in seen)
    wins = Fraction(tens, unseen)
    (row,) = table.pays
    pay = table.pays[row]
    pays = _pays_on_one_unit(pay, table, DEFAULT_OPTIONS, NOTHING, None)
    return WagerOdds(
        edge=(1 - wins) - wins * pays,
        rows={row: RowOdds(wins, pays), LOSE: RowOdds(1 - wins, LOST)},
    )
