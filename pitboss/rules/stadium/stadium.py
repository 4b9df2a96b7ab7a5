"""Stadium Blackjack: a spot settled from community cards and the player's decisions.

    settle(case: Mapping[str, Any]) -> Settlement          raises Refused

The case holds `paytable` ("3:2" or "6:5"), `stake_cents`, `player_cards` (two), `dealer_up` and
`extra`: `community` (cards in the order dealt), `decisions` (in the order the terminal asks),
`insurance_cents` (0 if absent), `rules` (see `stadium_rules`) and `dealer_bet` for a toke. The
player's decisions take community cards first; the dealer plays with those that are left.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from pitboss.rules.cards.playing_cards import Card, is_blackjack, total_of, total_words
from pitboss.rules.cheques.cheques import format_money
from pitboss.rules.paytables.pays import Source
from pitboss.rules.paytables.printed import STADIUM
from pitboss.rules.stadium.play import Community, StadiumHand, play_dealer, play_spot
from pitboss.rules.stadium.table import StadiumTable, read_table
from pitboss.rules.wagers.settlement import Settlement
from pitboss.rules.wagers.working import toke_notes

# One rule for each way a spot can end: where it is written, and what it says in our words.
RULES: Final[Mapping[str, tuple[Source, str]]] = {
    "blackjack": (
        Source(STADIUM, "2.a"),
        "A two-card 21 is a blackjack, paid 3 to 2 or 6 to 5 unless the dealer has one too.",
    ),
    "blackjack_push": (
        Source(STADIUM, "5.h.ii"),
        "Two blackjacks push when neither insurance nor even money was taken.",
    ),
    "blackjack_insured": (
        Source(STADIUM, "5.h.i"),
        "Two blackjacks with insurance: the bet is paid 1 to 1 and the insurance goes back.",
    ),
    "blackjack_standoff_kept": (
        Source(STADIUM, "5.g"),
        "Where the house keeps standoffs, two blackjacks are one.",
    ),
    "even_money": (
        Source(STADIUM, "5.e"),
        "A blackjack against an ace may be paid 1 to 1 immediately.",
    ),
    "win": (
        Source(STADIUM, "2.a"),
        "A better hand is paid 1 to 1, and so is every hand if the dealer busts.",
    ),
    "lose": (Source(STADIUM, "2.a"), "A hand the dealer beats loses its wager."),
    "push": (Source(STADIUM, "5.g"), "Equal totals push."),
    "standoff_kept": (
        Source(STADIUM, "5.g"),
        "Where the house keeps standoffs, a tied hand loses its wager.",
    ),
    "bust": (
        Source(STADIUM, "5.c.vi, 5.d.iv"),
        "A hand over 21 loses its whole wager, whatever the dealer has.",
    ),
    "dealer_blackjack": (
        Source(STADIUM, "5.c.vii, 5.h.ii"),
        "A dealer's blackjack takes the first wager; what a double added goes back.",
    ),
    "surrender": (Source(STADIUM, "5.f"), "A surrendered hand forfeits half its wager."),
    "surrender_refused": (
        Source(STADIUM, "5.f"),
        "Where surrender does not hold against a blackjack, the whole wager is lost to one.",
    ),
    "split": (
        Source(STADIUM, "5.d"),
        "Split hands settle one by one; a dealer's blackjack takes busted hands and one wager.",
    ),
}


@dataclass(frozen=True, slots=True)
class _Part:
    """One hand's outcome and money."""

    outcome: str
    wager_cents: int
    payout_cents: int


@dataclass(slots=True)
class _Verdict:
    """A settlement in the making."""

    hands: list[list[Card]]
    dealer: list[Card]
    parts: list[_Part] = field(default_factory=list)
    insurance_payout_cents: int = 0
    sentences: list[str] = field(default_factory=list)
    readings: list[str] = field(default_factory=list)

    def say(self, sentence: str) -> None:
        self.sentences.append(sentence)

    def read(self, reading: str, words: str) -> None:
        """Record that an open passage decided this, and how it is read here."""
        self.readings.append(reading)
        self.sentences.append(f"Reading {reading}: {words}.")


def settle(case: Mapping[str, Any]) -> Settlement:
    """Settle one player's spot. Raises Refused for a round that cannot have been.

    >>> settled = settle({
    ...     "paytable": "3:2", "stake_cents": 1000, "player_cards": ["Th", "4d"],
    ...     "dealer_up": "6c", "extra": {
    ...         "community": ["5c", "9d", "Td"], "decisions": ["hit", "stand"],
    ...         "rules": {"dealer_soft_17": "stand", "surrender": "enabled",
    ...                   "keep_standoff_bet": "disabled", "double_totals": [2, 20],
    ...                   "double_after_split": True, "max_split_hands": 3,
    ...                   "auto_stand": {"soft": 17, "hard": 17}}}})
    >>> settled.category, settled.payout_cents
    ('win', 1000)
    >>> settled.working
    'Player 19 against a dealer bust with 25: wins $10, 1 to 1.'
    """
    table = read_table(case)
    verdict = _settle_blackjack(table) if is_blackjack(table.player) else _settle_play(table)
    category = verdict.parts[0].outcome if len(verdict.parts) == 1 else "split"
    payout_cents = sum(part.payout_cents for part in verdict.parts)
    payout_cents += verdict.insurance_payout_cents
    verdict.sentences += toke_notes(table.is_dealer_bet, payout_cents)
    return Settlement(
        category=category,
        payout_cents=payout_cents,
        stake_returned=_stake_returned(table, category, verdict),
        rule=f"stadium.{category}",
        working=" ".join(verdict.sentences),
        readings=tuple(verdict.readings),
        detail={
            "player_hands": [[held.name for held in hand] for hand in verdict.hands],
            "dealer_hand": [held.name for held in verdict.dealer],
            "per_hand": [
                {
                    "outcome": part.outcome,
                    "wager_cents": part.wager_cents,
                    "payout_cents": part.payout_cents,
                }
                for part in verdict.parts
            ],
            "insurance_payout_cents": verdict.insurance_payout_cents,
        },
        pushes=(
            *(max(part.payout_cents, 0) for part in verdict.parts),
            max(verdict.insurance_payout_cents, 0),
        ),
    )


def _stake_returned(table: StadiumTable, category: str, verdict: _Verdict) -> bool | None:
    """Say whether the whole wager goes back, or None where only a part does."""
    wager_cents = verdict.parts[0].wager_cents
    if category in {"split", "surrender"} or table.insurance_cents:
        return None
    if verdict.parts[0].payout_cents >= 0:
        return True
    return False if verdict.parts[0].payout_cents == -wager_cents else None


# A player's blackjack


def _settle_blackjack(table: StadiumTable) -> _Verdict:
    stake = table.stake_cents
    verdict = _Verdict(hands=[list(table.player)], dealer=[table.up])
    if "even_money" in table.decisions:
        verdict.say(
            f"Even money: the blackjack is paid {format_money(stake)}, 1 to 1, immediately."
        )
        verdict.parts.append(_Part("even_money", stake, stake))
        return verdict
    if table.up_may_be_blackjack:
        verdict.dealer.append(Community(table.community).draw("the dealer's second card"))
    if is_blackjack(verdict.dealer):
        _settle_two_blackjacks(table, verdict)
        return verdict
    to, per = table.odds
    award = stake * to // per
    verdict.say(f"Blackjack pays {to} to {per}: {format_money(award)}.")
    verdict.parts.append(_Part("blackjack", stake, award))
    _settle_insurance(table, verdict)
    return verdict


def _settle_two_blackjacks(table: StadiumTable, verdict: _Verdict) -> None:
    stake, rules = table.stake_cents, table.rules
    keep = rules.keep_standoff_bet
    verdict.say("Player and dealer both have blackjack.")
    if not table.insurance_cents:
        if keep == "disabled":
            verdict.say("The bet pushes.")
            verdict.parts.append(_Part("blackjack_push", stake, 0))
        else:
            verdict.say(f"The house keeps the standoff: {format_money(stake)} is lost.")
            verdict.parts.append(_Part("blackjack_standoff_kept", stake, -stake))
        return

    if keep == "always_but_push_insurance":
        verdict.say(f"The house keeps {format_money(stake)} and gives the insurance back.")
        verdict.parts.append(_Part("blackjack_standoff_kept", stake, -stake))
        return
    if keep == "always":
        verdict.read("ST02", rules.words("insured_double_blackjack_kept"))
        if rules.insured_double_blackjack_kept == "kept":
            verdict.parts.append(_Part("blackjack_standoff_kept", stake, -stake))
            verdict.insurance_payout_cents = 2 * table.insurance_cents
        else:
            verdict.parts.append(_Part("blackjack_insured", stake, stake))
        return
    verdict.read("ST01", rules.words("insured_double_blackjack"))
    if rules.insured_double_blackjack == "one_to_one":
        verdict.parts.append(_Part("blackjack_insured", stake, stake))
    else:
        verdict.parts.append(_Part("blackjack_insured", stake, 0))
        verdict.insurance_payout_cents = 2 * table.insurance_cents


# Any other hand


def _settle_play(table: StadiumTable) -> _Verdict:
    spot = play_spot(table.player, table.stake_cents, table.community, table.decisions, table.rules)
    verdict = _Verdict(hands=[hand.cards for hand in spot.hands], dealer=[table.up])
    if spot.is_surrendered:
        _settle_surrender(table, verdict, spot.community)
    elif all(hand.is_bust for hand in spot.hands):
        for at, hand in enumerate(spot.hands):
            _settle_bust(verdict, _name(spot.hands, at), hand)
        _settle_insurance_after_bust(table, verdict, spot.community)
    else:
        verdict.dealer = play_dealer(table.up, spot.community, table.rules)
        if is_blackjack(verdict.dealer):
            _settle_dealer_blackjack(table, verdict, spot.hands)
        else:
            for at, hand in enumerate(spot.hands):
                _settle_hand(table, verdict, _name(spot.hands, at), hand)
        _settle_insurance(table, verdict)
    return verdict


def _name(hands: list[StadiumHand], at: int) -> str:
    return "Player" if len(hands) == 1 else f"Hand {at + 1}:"


def _settle_surrender(table: StadiumTable, verdict: _Verdict, community: Community) -> None:
    stake, rules = table.stake_cents, table.rules
    is_conditional = rules.surrender == "not_against_blackjack" and table.up_may_be_blackjack
    card_settles_insurance = table.insurance_cents > 0 and rules.surrender_insurance == "next_card"
    if is_conditional or card_settles_insurance:
        verdict.dealer.append(community.draw("the dealer's second card"))
    if is_conditional and is_blackjack(verdict.dealer):
        verdict.say("Surrender does not hold against a dealer blackjack: the wager is lost.")
        verdict.parts.append(_Part("surrender_refused", stake, -stake))
    else:
        # The half given back is rounded down, so an odd cent stays with the house.
        lost = stake - stake // 2
        verdict.say(f"Surrendered: {format_money(lost)} of {format_money(stake)} is lost.")
        verdict.parts.append(_Part("surrender", stake, -lost))
    if not table.insurance_cents:
        return
    verdict.read("ST15", rules.words("surrender_insurance"))
    if card_settles_insurance:
        _settle_insurance(table, verdict)
    elif rules.surrender_insurance == "lost":
        verdict.insurance_payout_cents = -table.insurance_cents


def _settle_bust(verdict: _Verdict, name: str, hand: StadiumHand) -> None:
    verdict.say(f"{name} busts with {hand.total}: {format_money(hand.wager_cents)} is lost.")
    verdict.parts.append(_Part("bust", hand.wager_cents, -hand.wager_cents))


def _settle_insurance_after_bust(
    table: StadiumTable, verdict: _Verdict, community: Community
) -> None:
    if not table.insurance_cents:
        return
    verdict.read("ST05", table.rules.words("insurance_after_all_bust"))
    if table.rules.insurance_after_all_bust == "next_card":
        verdict.dealer.append(community.draw("the insurance"))
    _settle_insurance(table, verdict)


def _settle_dealer_blackjack(
    table: StadiumTable, verdict: _Verdict, hands: list[StadiumHand]
) -> None:
    """Take busted hands whole and one wager of the rest; where that lies is open to reading."""
    how = table.rules.split_v_dealer_blackjack
    first_alive = next(at for at, hand in enumerate(hands) if not hand.is_bust)
    has_bust = any(hand.is_bust for hand in hands)
    loser = {
        "left_and_bust": 0,
        "bust_and_one": first_alive,
        "larger": None if has_bust else 0,
    }[how]
    for at, hand in enumerate(hands):
        name = _name(hands, at)
        if hand.is_bust:
            _settle_bust(verdict, name, hand)
        elif at == loser:
            verdict.say(
                f"{name} {total_words(hand.cards)} against a dealer blackjack:"
                f" {format_money(table.stake_cents)} is lost."
            )
            verdict.parts.append(_Part("dealer_blackjack", hand.wager_cents, -table.stake_cents))
        else:
            verdict.say(f"{name} the dealer has blackjack: the wager goes back.")
            verdict.parts.append(_Part("returned", hand.wager_cents, 0))
    if has_bust:
        verdict.read("ST04", table.rules.words("split_v_dealer_blackjack"))


def _settle_hand(table: StadiumTable, verdict: _Verdict, name: str, hand: StadiumHand) -> None:
    if hand.is_bust:
        _settle_bust(verdict, name, hand)
        return
    wager = hand.wager_cents
    dealer_total = total_of(verdict.dealer)
    player_words = f"{name} {total_words(hand.cards)} against"
    if dealer_total > 21:
        verdict.say(f"{player_words} a dealer bust with {dealer_total}: wins {_even(wager)}.")
        verdict.parts.append(_Part("win", wager, wager))
    elif hand.total > dealer_total:
        verdict.say(f"{player_words} {total_words(verdict.dealer)}: wins {_even(wager)}.")
        verdict.parts.append(_Part("win", wager, wager))
    elif hand.total < dealer_total:
        verdict.say(f"{player_words} {total_words(verdict.dealer)}: {format_money(wager)} is lost.")
        verdict.parts.append(_Part("lose", wager, -wager))
    else:
        _settle_tie(table, verdict, f"{player_words} {total_words(verdict.dealer)}", wager)


def _even(wager_cents: int) -> str:
    return f"{format_money(wager_cents)}, 1 to 1"


def _settle_tie(table: StadiumTable, verdict: _Verdict, words: str, wager: int) -> None:
    rules = table.rules
    keep = rules.keep_standoff_bet
    is_kept = keep != "disabled"
    if keep == "when_not_insured" and table.insurance_cents:
        verdict.read("ST21", rules.words("insured_tie"))
        is_kept = rules.insured_tie == "kept"
    if not is_kept:
        verdict.say(f"{words}: a push.")
        verdict.parts.append(_Part("push", wager, 0))
        return
    lost = wager
    if wager > table.stake_cents:
        verdict.read("ST12", rules.words("kept_double"))
        lost = wager if rules.kept_double == "whole" else table.stake_cents
    verdict.say(f"{words}: the house keeps the standoff, {format_money(lost)} is lost.")
    verdict.parts.append(_Part("standoff_kept", wager, -lost))


def _settle_insurance(table: StadiumTable, verdict: _Verdict) -> None:
    """Pay insurance 2 to 1 against a dealer blackjack, take it otherwise."""
    insurance = table.insurance_cents
    if not insurance:
        return
    if is_blackjack(verdict.dealer):
        verdict.insurance_payout_cents = 2 * insurance
        verdict.say(f"Insurance pays 2 to 1: {format_money(2 * insurance)}.")
        return
    keeps_ties = table.rules.keep_standoff_bet == "always_but_push_insurance"
    if keeps_ties and any(part.outcome == "standoff_kept" for part in verdict.parts):
        verdict.read("ST03", table.rules.words("push_insurance_on"))
        if table.rules.push_insurance_on == "any_tie":
            return
    verdict.insurance_payout_cents = -insurance
    verdict.say(f"The dealer has no blackjack: insurance of {format_money(insurance)} is lost.")
