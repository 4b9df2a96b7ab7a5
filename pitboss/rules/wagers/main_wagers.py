"""The money of the main game: one or several equal bets on one or several hands of a player.

Blackjack has one bet on a hand; Bet Bigger has an ante and up to three further spots, all decided
by the same cards. Both settle here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from pitboss.rules.cards.playing_cards import is_blackjack
from pitboss.rules.cheques.cheques import format_money
from pitboss.rules.facts import Terms
from pitboss.rules.paytables.pays import Odds, PayTable
from pitboss.rules.paytables.printed import PAY_TABLES
from pitboss.rules.refusal import refuse
from pitboss.rules.rounding import odds_cents, to_cents
from pitboss.rules.wagers.main_game import DealerHand, HandJudgement, PlayerHand, Result, judge
from pitboss.rules.wagers.settlement import Settlement
from pitboss.rules.wagers.working import Used, sentence, toke_notes


@dataclass(frozen=True, slots=True)
class PlayedHand:
    """A hand and the double put beside each bet on it."""

    hand: PlayerHand
    double_cents: Mapping[str, int] = field(default_factory=dict)

    def wagered_cents(self, bets: Mapping[str, int]) -> int:
        return sum(bets.values()) + sum(self.double_cents.values())


@dataclass(frozen=True, slots=True)
class Play:
    """All that decides the main bets of one player in one round."""

    wager: str
    table: PayTable
    terms: Terms
    bets: Mapping[str, int]
    hands: tuple[PlayedHand, ...]
    dealer: DealerHand
    insurance_each_cents: int = 0
    is_even_money: bool = False
    is_surrendered: bool = False
    surrender_mode: str = "late"
    already_paid: bool = False

    @property
    def bet_cents(self) -> int:
        return sum(self.bets.values())

    @property
    def insurance_cents(self) -> int:
        return self.insurance_each_cents * len(self.bets)

    @property
    def is_split(self) -> bool:
        return len(self.hands) > 1


@dataclass(slots=True)
class _Account:
    """What has been decided so far: amounts, words, and the options they hang on."""

    payout_cents: int = 0
    pushes: list[int] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    used: list[Used] = field(default_factory=list)
    readings: list[str] = field(default_factory=list)
    per_hand: list[dict[str, Any]] = field(default_factory=list)

    def add(self, payout_cents: int, text: str, used: tuple[Used, ...] = ()) -> None:
        self.payout_cents += payout_cents
        self.pushes.append(max(payout_cents, 0))
        self.texts.append(text)
        self.used += [entry for entry in used if entry not in self.used]


def settle_play(play: Play) -> Settlement:
    """Settle the main bets of one player, insurance included."""
    account = _Account()
    returned: bool | None
    if play.is_even_money:
        category, clause, returned = _even_money(play, account)
    elif play.is_surrendered:
        category, clause, returned = _surrender(play, account)
    elif play.is_split:
        category, clause, returned = _split(play, account)
    else:
        category, clause, returned = _single(play, account)
    if play.insurance_each_cents:
        _insurance(play, account, category)
        returned = None
    if play.wager == "bet_bigger":
        # Several bets lie there: no one word says which stakes go back.
        returned = None
    terms = play.terms
    notes = terms.notes + toke_notes(terms.is_dealer_bet, account.payout_cents)
    detail: dict[str, Any] = {}
    if account.per_hand:
        detail["per_hand"] = account.per_hand
    return Settlement(
        category,
        account.payout_cents,
        returned,
        f"{play.wager}.{clause}",
        sentence(" ".join(account.texts), options=terms.options, used=account.used, notes=notes),
        (*(reading for _, reading in account.used), *account.readings, *terms.readings),
        detail,
        pushes=tuple(account.pushes),
    )


def _money(
    play: Play, played: PlayedHand, judged: HandJudgement
) -> tuple[int, str, tuple[Used, ...]]:
    """Return what a judged hand pays, and say it."""
    wagered_cents = played.wagered_cents(play.bets)
    used = judged.used
    if judged.result is Result.LOSE:
        return -wagered_cents, f"{judged.text} {format_money(wagered_cents)} is taken.", used
    if judged.result is Result.ORIGINAL_LOST:
        return -play.bet_cents, f"{judged.text} {format_money(play.bet_cents)} is taken.", used
    if judged.result is Result.PUSH:
        return 0, judged.text, used
    pay = play.table.pays["blackjack" if judged.result is Result.BLACKJACK else "win"]
    how = play.terms.options.fractions_of_a_cent
    assert isinstance(pay, Odds)
    payout_cents = 0
    is_rounded = False
    for bet, bet_cents in play.bets.items():
        cents, rounded = odds_cents(pay, bet_cents + played.double_cents.get(bet, 0), how)
        payout_cents += cents
        is_rounded = is_rounded or rounded
    if is_rounded:
        used = (*used, ("fractions_of_a_cent", "R03"))
    text = judged.text.removesuffix(".")
    said = f"{text}: {format_money(wagered_cents)} wins {format_money(payout_cents)} at {pay}."
    return payout_cents, said, used


def _judge(play: Play, played: PlayedHand) -> HandJudgement:
    return judge(
        played.hand,
        play.dealer,
        options=play.terms.options,
        dealer_wins_ties=play.table.dealer_wins_ties,
        even_money_after_check=play.wager == "bet_bigger",
        already_paid=play.already_paid,
    )


def _single(play: Play, account: _Account) -> tuple[str, str, bool | None]:
    played = play.hands[0]
    judged = _judge(play, played)
    payout_cents, text, used = _money(play, played, judged)
    if judged.category == "push_blackjack" and play.insurance_each_cents:
        used = (*used, ("insured_double_blackjack", "R16"))
        if play.terms.options.insured_double_blackjack == "one_to_one":
            # Insurance itself goes back then; see _insurance.
            payout_cents = play.bet_cents
            text = (
                f"Both have blackjack and the bet is insured: it wins {format_money(payout_cents)}."
            )
    account.add(payout_cents, text, used)
    if play.table.dealer_wins_ties and judged.result is Result.BLACKJACK:
        account.texts.append(f"Face Up is read as this table says: {play.table.name} (R20).")
        account.readings.append("R20")
    returned = judged.result not in (Result.LOSE, Result.ORIGINAL_LOST)
    return judged.category, judged.clause, returned


def _even_money(play: Play, account: _Account) -> tuple[str, str, bool | None]:
    bet_cents = play.bet_cents
    play.dealer.need_up_card()
    if not play.dealer.cards[0].is_ace:
        raise refuse(
            "even_money_without_ace",
            "Even money is offered only when the dealer shows an ace. Check the up card.",
        )
    if not is_blackjack(play.hands[0].hand.cards):
        raise refuse(
            "even_money_without_blackjack",
            "Even money needs a player's blackjack. Check the cards.",
        )
    said = format_money(bet_cents)
    text = f"Player took even money on a blackjack: {said} wins {said}."
    account.add(bet_cents, text)
    return "even_money", "even_money", True


def _surrender(play: Play, account: _Account) -> tuple[str, str, bool | None]:
    cards = play.hands[0].hand.cards
    if len(cards) != 2:
        raise refuse(
            "surrender_too_late",
            "A hand is surrendered on its first two cards only. Check the cards.",
        )
    if is_blackjack(cards):
        raise refuse(
            "surrender_blackjack", "A blackjack can’t be surrendered. Settle it as a blackjack."
        )
    play.dealer.need_up_card()
    used: tuple[Used, ...] = ()
    if play.surrender_mode == "late":
        play.dealer.need_blackjack_known()
    if play.dealer.has_blackjack:
        used = (("surrender_mode", "R18"),)
        if play.surrender_mode == "late":
            bet_cents = play.bet_cents
            account.add(
                -bet_cents,
                "Dealer has blackjack, so the hand cannot be given up: "
                f"{format_money(bet_cents)} is taken.",
                used,
            )
            category = "surrender_refused_dealer_blackjack"
            return category, category, False
    how = play.terms.options.fractions_of_a_cent
    kept_cents = sum(to_cents(Fraction(cents, 2), how) for cents in play.bets.values())
    if any(cents % 2 for cents in play.bets.values()):
        used = (*used, ("fractions_of_a_cent", "R03"))
    text = (
        f"Player gave up the hand: half of {format_money(play.bet_cents)} is taken, "
        f"{format_money(kept_cents)} goes back."
    )
    account.add(kept_cents - play.bet_cents, text, used)
    return "surrender", "surrender", None


def _split(play: Play, account: _Account) -> tuple[str, str, bool | None]:
    judged = [_judge(play, played) for played in play.hands]
    clause = "split"
    amounts: list[tuple[int, str, tuple[Used, ...]]]
    if play.dealer.has_blackjack:
        clause = "split_dealer_blackjack"
        amounts = _split_v_blackjack(play, judged)
    else:
        amounts = [
            _money(play, played, verdict)
            for played, verdict in zip(play.hands, judged, strict=True)
        ]
    for number, (payout_cents, text, used) in enumerate(amounts, 1):
        account.add(payout_cents, f"Hand {number}: {text}", used)
        played, verdict = play.hands[number - 1], judged[number - 1]
        account.per_hand.append(
            {
                "cards": [card.name for card in played.hand.cards],
                "outcome": verdict.category,
                "wager_cents": played.wagered_cents(play.bets),
                "payout_cents": payout_cents,
            }
        )
    return "split", clause, None


def _split_v_blackjack(
    play: Play, judged: list[HandJudgement]
) -> list[tuple[int, str, tuple[Used, ...]]]:
    """Take the original wager once, busted hands whole, and give the rest back.

    The original wager lies on the first hand.
    """
    how = play.terms.options.split_v_dealer_blackjack
    used: tuple[Used, ...] = (("split_v_dealer_blackjack", "R15"),)
    bet_cents = play.bet_cents
    amounts: list[tuple[int, str, tuple[Used, ...]]] = []
    original_owed = True
    for number, (played, verdict) in enumerate(zip(play.hands, judged, strict=True)):
        wagered_cents = played.wagered_cents(play.bets)
        if verdict.category == "player_bust":
            text = f"{verdict.text} {format_money(wagered_cents)} is taken."
            amounts.append((-wagered_cents, text, used))
        elif verdict.result is Result.PUSH:
            # Ace and ten, where the house counts them as a blackjack after a split.
            amounts.append((0, verdict.text, (*verdict.used, *used)))
            original_owed = original_owed and number > 0
        elif how == "all":
            text = f"Dealer has blackjack: {format_money(wagered_cents)} is taken."
            amounts.append((-wagered_cents, text, used))
        elif original_owed and (number == 0 or how == "original_again"):
            text = f"Dealer has blackjack: the original {format_money(bet_cents)} is taken."
            amounts.append((-bet_cents, text, used))
            original_owed = False
        else:
            text = f"Dealer has blackjack: {format_money(wagered_cents)} goes back."
            amounts.append((0, text, used))
    return amounts


def _insurance(play: Play, account: _Account, category: str) -> None:
    insurance_cents = play.insurance_cents
    play.dealer.need_up_card()
    if not play.dealer.cards[0].is_ace:
        raise refuse(
            "insurance_without_ace",
            "Insurance is offered only when the dealer shows an ace. Check the up card.",
        )
    play.dealer.need_blackjack_known()
    if not play.dealer.has_blackjack:
        account.add(
            -insurance_cents,
            f"Dealer has no blackjack: insurance of {format_money(insurance_cents)} is taken.",
        )
        return
    both = category == "push_blackjack"
    if both and play.terms.options.insured_double_blackjack == "one_to_one":
        account.add(0, f"Insurance of {format_money(insurance_cents)} goes back.")
        return
    pay = PAY_TABLES["insurance"]["2:1"].pays["insurance_wins"]
    won_cents = int(pay.award(insurance_cents))
    account.add(
        won_cents,
        f"Dealer has blackjack: insurance of {format_money(insurance_cents)} wins "
        f"{format_money(won_cents)} at {pay}.",
    )
