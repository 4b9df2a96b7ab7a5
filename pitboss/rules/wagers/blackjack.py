"""Read and settle the main bet, insurance by itself, and a free-bet coupon."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from pitboss.rules.book.options import HouseOptions
from pitboss.rules.cards.playing_cards import check_decks, total_of
from pitboss.rules.cheques.cheques import format_money
from pitboss.rules.facts import (
    ANY_BET,
    LIMITED_BET,
    Case,
    amount,
    choice,
    dealer_hand,
    extra_of,
    flag,
    player_hand,
    stake,
    terms,
)
from pitboss.rules.games.dealer import SOFT_17
from pitboss.rules.games.games import Game
from pitboss.rules.games.printed import CLASSIC, FACE_UP_GAME
from pitboss.rules.paytables.paytables import pay_table
from pitboss.rules.refusal import Refusal, Refused, refuse
from pitboss.rules.said import Said, joined
from pitboss.rules.wagers.main_game import DealerHand, PlayerHand, Result, judge
from pitboss.rules.wagers.main_wagers import Play, PlayedHand, settle_play
from pitboss.rules.wagers.settlement import Settlement
from pitboss.rules.wagers.splits import by_value, read_split
from pitboss.rules.wagers.working import sentence, toke_notes

_BET: Final = "wager"
# Said by a table that splits aces again; how often is judged by its own rules.
RESPLIT_ACES: Final = "resplit_aces"
_BLACKJACK_EXTRA: Final = LIMITED_BET | frozenset(
    {
        "double_cents",
        "insurance_cents",
        "even_money",
        "surrender",
        "surrender_mode",
        "from_split",
        "split_hands",
        "dealer_bj_is_21",
        "blackjack_already_paid",
        "dealer_soft_17",
        RESPLIT_ACES,
    }
)
_COUPON_EXTRA: Final = frozenset({"options", "from_split", "dealer_bj_is_21", "dealer_soft_17"})
_INSURANCE_EXTRA: Final = ANY_BET | frozenset({"main_stake_cents", "dealer_soft_17"})


def settle(case: Case) -> Settlement:
    """Settle the main bet, with its doubles, splits, insurance, even money or surrender.

    >>> settle({"wager": "blackjack", "paytable": "6:5", "stake_cents": 700,
    ...         "player_cards": ["Th", "Ac"], "dealer_cards": ["9c", "8d"]}).payout_cents
    840
    """
    stake_cents = stake(case)
    table = pay_table("blackjack", case.get("paytable"))
    extra = extra_of(case, _BLACKJACK_EXTRA)
    agreed = terms(stake_cents, extra)
    stake_cents = agreed.stake_cents
    # The pay table tells which document's rules the hand was played by.
    game = FACE_UP_GAME if table.dealer_wins_ties else CLASSIC
    is_split = "split_hands" in extra
    insurance_cents = amount(extra.get("insurance_cents", 0), "insurance_cents")
    faults = _faults(extra, insurance_cents=insurance_cents, is_face_up=table.dealer_wins_ties)
    if 2 * insurance_cents > stake_cents:
        faults.append(
            Refusal("insurance_over_half", "Insurance is at most half the wager. Return the extra.")
        )
    if faults:
        raise Refused(faults)
    player = player_hand(case)
    if is_split:
        split = read_split(
            extra["split_hands"],
            player,
            is_pair=by_value,
            hands_max=game.splitting[0].hands_max,
            aces_hands_max=(
                game.splitting[0].hands_max
                if flag(extra, RESPLIT_ACES)
                else game.splitting[0].aces_hands_max
            ),
            aces_take_one_card=game.splitting[0].aces_one_card,
            double_field="double_cents",
            no_double=0,
        )
        hands = tuple(PlayedHand(hand, _double(double, stake_cents)) for hand, double in split)
    else:
        double_cents = _double(extra.get("double_cents", 0), stake_cents)
        hand = PlayerHand(player, bool(double_cents), flag(extra, "from_split"))
        hands = (PlayedHand(hand, double_cents),)
    _check_doubled_totals(hands, game)
    dealer = dealer_of(case, extra)
    check_decks(dealer.cards, *(played.hand.cards for played in hands))
    return settle_play(
        Play(
            wager="blackjack",
            table=table,
            terms=agreed,
            bets={_BET: stake_cents},
            hands=hands,
            dealer=dealer,
            insurance_each_cents=insurance_cents,
            is_even_money=flag(extra, "even_money"),
            is_surrendered=flag(extra, "surrender"),
            surrender_mode=surrender_mode(extra, agreed.options),
            already_paid=flag(extra, "blackjack_already_paid"),
        )
    )


def dealer_of(case: Case, extra: Mapping[str, Any], usual_soft_17: str | None = None) -> DealerHand:
    """Return the dealer's hand and how this table plays it."""
    soft_17 = choice(extra, "dealer_soft_17", SOFT_17) or usual_soft_17
    return DealerHand(dealer_hand(case), soft_17, flag(extra, "dealer_bj_is_21"))


def surrender_mode(extra: Mapping[str, Any], options: HouseOptions) -> str:
    """Return how the table takes a surrender: its own word, or the house's option."""
    return choice(extra, "surrender_mode", ("late", "early")) or options.surrender_mode


def _double(value: object, stake_cents: int) -> dict[str, int]:
    cents = amount(value, "double_cents")
    if cents > stake_cents:
        raise refuse(
            "double_above_wager",
            "A double can’t be more than the wager it is for. Return the extra.",
        )
    return {_BET: cents} if cents else {}


def _check_doubled_totals(hands: tuple[PlayedHand, ...], game: Game) -> None:
    """Refuse a double on a total that the game does not double."""
    low, high = game.doubling[0].totals
    for played in hands:
        total = total_of(played.hand.cards[:2])
        # 21 is refused with a reason of its own.
        if played.double_cents and total < 21 and not low <= total <= high:
            raise refuse(
                "double_total",
                Said(
                    "{game} doubles totals of {low} to {high}, not {total}. Check the cards.",
                    game=game.name,
                    low=low,
                    high=high,
                    total=total,
                ),
            )


def _faults(extra: Mapping[str, Any], *, insurance_cents: int, is_face_up: bool) -> list[Refusal]:
    """List what cannot go together."""
    if not extra:
        return []
    taken = {
        "even money": flag(extra, "even_money"),
        "surrender": flag(extra, "surrender"),
        "a split": "split_hands" in extra,
        "a double": bool(extra.get("double_cents")),
        "a hand from a split": flag(extra, "from_split"),
    }
    faults = []
    for alone in ("even money", "surrender", "a split"):
        others = [name for name, is_taken in taken.items() if is_taken and name != alone]
        if taken[alone] and others:
            faults.append(
                Refusal(
                    "cannot_combine",
                    Said(
                        "{alone} can’t be combined with {others}. Choose one.",
                        alone=Said(alone.capitalize()),
                        others=joined(map(Said, others), ", "),
                    ),
                )
            )
    if taken["even money"] and insurance_cents:
        faults.append(
            Refusal("cannot_combine", "Even money is taken instead of insurance. Choose one.")
        )
    is_insured = taken["even money"] or bool(insurance_cents)
    if is_face_up and (is_insured or taken["surrender"] or flag(extra, "dealer_bj_is_21")):
        faults.append(
            Refusal(
                "not_offered",
                "Face Up has no insurance, even money, surrender, or hole card. Leave it out.",
            )
        )
    if is_insured and flag(extra, "dealer_bj_is_21"):
        faults.append(
            Refusal(
                "not_offered",
                "No insurance is sold once the hole card has been shown. Return the bet.",
            )
        )
    return faults


def settle_insurance(case: Case) -> Settlement:
    """Settle an insurance bet by itself.

    >>> settle_insurance({"paytable": "2:1", "stake_cents": 750, "dealer_cards": ["As", "Kc"],
    ...                   "extra": {"main_stake_cents": 1500}}).payout_cents
    1500
    """
    stake_cents = stake(case)
    table = pay_table("insurance", case.get("paytable"))
    extra = extra_of(case, _INSURANCE_EXTRA)
    agreed = terms(stake_cents, extra)
    if "main_stake_cents" not in extra:
        raise refuse("missing_main_stake", "Add main_stake_cents: insurance is at most half of it.")
    main_cents = amount(extra["main_stake_cents"], "main_stake_cents", least=1)
    if 2 * stake_cents > main_cents:
        raise refuse(
            "insurance_over_half", "Insurance is at most half the wager. Return the extra."
        )
    player = player_hand(case)
    dealer = dealer_of(case, extra)
    check_decks(player, dealer.cards)
    dealer.need_up_card()
    if not dealer.cards[0].is_ace:
        raise refuse(
            "insurance_without_ace",
            "Insurance is offered only when the dealer shows an ace. Check the up card.",
        )
    dealer.need_blackjack_known()
    stake_cents = agreed.stake_cents
    if dealer.has_blackjack:
        pay = table.pays["insurance_wins"]
        payout_cents = int(pay.award(stake_cents))
        category = "insurance_wins"
        text = (
            f"Dealer has blackjack: insurance of {format_money(stake_cents)} wins "
            f"{format_money(payout_cents)} at {pay}."
        )
    else:
        payout_cents = -stake_cents
        category = "insurance_loses"
        text = f"Dealer has no blackjack: insurance of {format_money(stake_cents)} is taken."
    notes = agreed.notes + toke_notes(agreed.is_dealer_bet, payout_cents)
    return Settlement(
        category,
        payout_cents,
        payout_cents > 0,
        f"insurance.{category}",
        sentence(text, options=agreed.options, notes=notes),
        agreed.readings,
    )


def settle_coupon(case: Case) -> Settlement:
    """Settle a free-bet coupon: even money on any win, no cash lost.

    >>> settle_coupon({"paytable": "3:2", "stake_cents": 2500, "player_cards": ["Ah", "Kd"],
    ...                "dealer_cards": ["9c", "8d"]}).payout_cents
    2500
    """
    face_cents = stake(case)
    table = pay_table("free_bet_coupon", case.get("paytable"))
    extra = extra_of(case, _COUPON_EXTRA)
    agreed = terms(face_cents, extra)
    player = player_hand(case)
    dealer = dealer_of(case, extra)
    check_decks(player, dealer.cards)
    judged = judge(
        PlayerHand(player, is_split=flag(extra, "from_split")), dealer, options=agreed.options
    )
    used = (*judged.used, ("coupon_push", "R33")) if judged.result is Result.PUSH else judged.used
    pay = table.pays["coupon_win"]
    payout_cents = 0
    is_kept = False
    text = judged.text.removesuffix(".")
    if judged.result is Result.LOSE:
        category = "coupon_lose"
        text = text.split(":")[0] + ": the coupon is collected, no cash is lost."
    elif judged.result is Result.PUSH:
        category = "coupon_push"
        is_kept = agreed.options.coupon_push == "kept"
        text = text.split(":")[0] + ": no cash is paid."
    else:
        category = "coupon_win"
        payout_cents = int(pay.award(agreed.stake_cents))
        text += f": a coupon is only ever paid even money, {format_money(payout_cents)}."
    return Settlement(
        category,
        payout_cents,
        is_kept,
        f"free_bet_coupon.{category}",
        sentence(text, options=agreed.options, used=used, notes=agreed.notes),
        ("R33", *(reading for _, reading in used if reading != "R33"), *agreed.readings),
    )
