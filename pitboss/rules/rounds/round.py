"""Settle a whole round in one call: every seat, every wager, in the order a table is paid.

Side bets first, from the dealer's right to the left, a progressive before the other side bets of a
hand, envy at once and dealer bets after the player's; then what ends while the players act, from
the left; then, once the dealer has played, from the right to the left again.
"""

from __future__ import annotations

from collections import Counter

from pitboss.rules.games.eligibility import Bet, RoundMoment, judge_wagers
from pitboss.rules.games.games import TableRules
from pitboss.rules.refusal import Refusal, Refused, refuse
from pitboss.rules.rounds.play import deal_faults, dealer_faults, decision_faults, round_flags
from pitboss.rules.rounds.seats import (
    DealtRound,
    Hand,
    Phase,
    RoundVerdict,
    Seat,
    SeatFlag,
    WagerLine,
)
from pitboss.rules.rounds.wagers import SIDE_BET_ORDER, WHOSE_ORDER, Wagers, share_meters
from pitboss.rules.said import Said

__all__ = [
    "DealtRound",
    "Hand",
    "Phase",
    "RoundVerdict",
    "Seat",
    "SeatFlag",
    "WagerLine",
    "settle_round",
]

PHASE_ORDER = {phase: place for place, phase in enumerate(Phase)}


def settle_round(table: TableRules, round_: DealtRound, *, is_whole: bool = True) -> RoundVerdict:
    """Settle every wager of a round. Raises Refused with all that stands against it.

    Where not all seats were told, the dealer may have drawn for one of the others.

    >>> from pitboss.rules.cards.playing_cards import cards
    >>> from pitboss.rules.games.games import table_rules
    >>> from pitboss.rules.games.printed import GAMES
    >>> table = table_rules(GAMES["classic"], minimum_cents=500, maximum_cents=100_000)
    >>> seat = Seat(5, (Bet("blackjack", 5_000), Bet("trilux", 1_000)), cards(["9c", "9d"]))
    >>> verdict = settle_round(table, DealtRound((seat,), cards(["9s", "8h"])))
    >>> [(line.wager, line.settlement.payout_cents) for line in verdict.lines]
    [('trilux', 9000), ('blackjack', 5000)]
    """
    if not round_.dealer:
        raise refuse("missing_dealer_cards", "Enter the dealer's cards, up card first.")
    is_stadium = table.game.main_wager == "stadium_blackjack"
    refusals = list(_seat_number_faults(round_))
    flags: list[SeatFlag] = []
    in_action: list[tuple[Seat, Bet]] = []
    hands_of = Counter(seat.player or str(seat.number) for seat in round_.seats)
    for seat in round_.seats:
        verdict = judge_wagers(
            table.at_seat(seat.number),
            seat.bets,
            hands=hands_of[seat.player or str(seat.number)],
            moment=RoundMoment.AFTER_DEAL,
            limit_called=round_.limit_called,
            first_bets=seat.first_bets,
            coupon_approved=round_.coupons_approved,
        )
        misdealt = list(deal_faults(seat))
        refusals += [_at(seat, fault) for fault in (*verdict.refusals, *misdealt)]
        if not is_stadium and not misdealt:
            refusals += [_at(seat, fault) for fault in decision_faults(table, round_, seat)]
        flags += [SeatFlag(seat.number, _at(seat, flag)) for flag in verdict.flags]
        in_action += [(seat, bet) for bet in verdict.in_action]
    if not is_stadium:
        refusals += dealer_faults(table, round_, is_whole=is_whole)
    if round_.hole_card_shown and not (table.game.peek and table.game.main_wager == "blackjack"):
        refusals.append(
            Refusal(
                "no_rule_for_hole_card",
                Said(
                    "{game} does not say what a hole card shown too early does. Call the "
                    "supervisor.",
                    game=table.game.name,
                ),
            )
        )
    if refusals:
        raise Refused(refusals)
    lines = _settle_all(table, round_, in_action)
    return RoundVerdict(tuple(lines), (*flags, *round_flags(table, round_)))


def _settle_all(
    table: TableRules, round_: DealtRound, in_action: list[tuple[Seat, Bet]]
) -> list[WagerLine]:
    wagers = Wagers.of(table, round_)
    settled: list[tuple[Seat, Bet, WagerLine]] = []
    refusals: list[Refusal] = []
    for seat, bet in in_action:
        try:
            settled += [(seat, bet, line) for line in wagers.lines(seat, bet)]
        except Refused as refused:
            refusals += [_at(seat, reason) for reason in refused.refusals]
    if refusals:
        raise Refused(refusals)
    settled.sort(key=lambda entry: _order(entry[2]))
    lines = [line for *_, line in settled]
    for place, settlement in share_meters(wagers, settled).items():
        lines[place] = lines[place]._replace(settlement=settlement)
    return lines


def _order(line: WagerLine) -> tuple[int, int, int, int]:
    """Place a wager in the order of payment."""
    # What ends while players act is settled as the dealer walks from first base; all else is
    # taken and paid from third base.
    seat = line.seat if line.phase is Phase.PLAYER_ACTION else -line.seat
    whose = WHOSE_ORDER[line.whose]
    if line.phase is Phase.SIDE_BETS:
        return 0, seat, SIDE_BET_ORDER[line.wager], whose
    # The main bet comes before a Bust Ante, and each is followed by the dealer's bet on it.
    return PHASE_ORDER[line.phase], seat, int(line.wager == "raise_the_roof"), whose


def _seat_number_faults(round_: DealtRound) -> list[Refusal]:
    counts = Counter(seat.number for seat in round_.seats)
    return [
        Refusal(
            "seat_twice",
            Said(
                "Seat {number} is listed {count} times. Enter each seat once.",
                number=number,
                count=count,
            ),
        )
        for number, count in counts.items()
        if count > 1
    ]


def _at(seat: Seat, reason: Refusal) -> Refusal:
    return Refusal(
        reason.code, Said("Seat {number}: {reason}", number=seat.number, reason=reason.message)
    )
