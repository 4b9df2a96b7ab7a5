"""Settle Bet Bigger: the ante and its 2x, 3x and 4x spots, all decided by the same cards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from pitboss.rules.book.options import HouseOptions
from pitboss.rules.cards.playing_cards import check_decks
from pitboss.rules.facts import ANY_BET, Case, amount, extra_of, flag, player_hand, stake, terms
from pitboss.rules.games.dealer import HIT
from pitboss.rules.paytables.paytables import pay_table
from pitboss.rules.quoting import quoted
from pitboss.rules.refusal import refuse
from pitboss.rules.wagers.blackjack import dealer_of, surrender_mode
from pitboss.rules.wagers.main_game import PlayerHand
from pitboss.rules.wagers.main_wagers import Play, PlayedHand, settle_play
from pitboss.rules.wagers.settlement import Settlement
from pitboss.rules.wagers.splits import by_rank, read_split

ANTE: Final = "ante"
SPOTS: Final[Mapping[str, int]] = {"2x": 2, "3x": 3, "4x": 4}
ANTE_CENTS_MAX: Final = 1000
_EXTRA: Final = ANY_BET | frozenset(
    {
        "spots",
        "insurance_each_cents",
        "even_money",
        "surrender",
        "surrender_mode",
        "double_cents_by_bet",
        "split_hands",
        "from_split",
        "dealer_soft_17",
    }
)
_DOUBLES: Final = "double_cents_by_bet"


def settle(case: Case) -> Settlement:
    """Settle the ante and every spot bet beside it.

    >>> settle({"paytable": "3:2", "stake_cents": 250, "player_cards": ["Ah", "Kd"],
    ...         "dealer_cards": ["Ts", "9c"], "extra": {"spots": ["2x"]}}).payout_cents
    750
    """
    ante_cents = stake(case)
    table = pay_table("bet_bigger", case.get("paytable"))
    if ante_cents > ANTE_CENTS_MAX:
        raise refuse("ante_above_limit", "A Bet Bigger ante is at most $10. Return the extra.")
    extra = extra_of(case, _EXTRA)
    agreed = terms(ante_cents, extra)
    options = agreed.options
    spots = _spots(extra)
    bets = bets_laid(ante_cents, spots, options)
    each_cents = amount(extra.get("insurance_each_cents", 0), "insurance_each_cents")
    if 2 * each_cents > ante_cents:
        raise refuse(
            "insurance_over_half", "Insurance on each bet is at most half of it. Return the extra."
        )
    player = player_hand(case)
    _check_combination(extra, each_cents)
    if "split_hands" in extra:
        split = read_split(
            extra["split_hands"],
            player,
            is_pair=by_rank,
            hands_max=4,
            aces_hands_max=2,
            aces_take_one_card=True,
            double_field=_DOUBLES,
            no_double={},
        )
        hands = tuple(PlayedHand(hand, _doubles(doubles, bets, options)) for hand, doubles in split)
    else:
        doubles = _doubles(extra.get(_DOUBLES, {}), bets, options)
        hand = PlayerHand(player, bool(doubles), flag(extra, "from_split"))
        hands = (PlayedHand(hand, doubles),)
    # These rules have the dealer hit a soft 17; a table may say otherwise.
    dealer = dealer_of(case, extra, usual_soft_17=HIT)
    check_decks(dealer.cards, *(played.hand.cards for played in hands))
    settled = settle_play(
        Play(
            wager="bet_bigger",
            table=table,
            terms=agreed,
            bets=bets,
            hands=hands,
            dealer=dealer,
            insurance_each_cents=each_cents,
            is_even_money=flag(extra, "even_money"),
            is_surrendered=flag(extra, "surrender"),
            surrender_mode=surrender_mode(extra, options),
        )
    )
    return _with_spot_options(settled, bets, hands, options)


def _spots(extra: Mapping[str, Any]) -> tuple[str, ...]:
    spots = extra.get("spots", [])
    if not isinstance(spots, list | tuple) or len(spots) > len(SPOTS):
        raise refuse("bad_spots", "spots must list some of 2x, 3x and 4x.")
    for spot in spots:
        if not isinstance(spot, str) or spot not in SPOTS:
            raise refuse("bad_spots", f"{quoted(spot)} isn’t a spot. Choose 2x, 3x, or 4x.")
    if len(set(spots)) != len(spots):
        raise refuse("bad_spots", "A spot takes one bet. Use each spot once.")
    return tuple(spots)


def bets_laid(ante_cents: int, spots: Sequence[str], options: HouseOptions) -> dict[str, int]:
    """Return the bet in each place; by default every spot matches the ante."""
    times = SPOTS if options.bet_bigger_spot == "multiple" else dict.fromkeys(SPOTS, 1)
    return {ANTE: ante_cents} | {spot: ante_cents * times[spot] for spot in spots}


def _doubles(value: object, bets: Mapping[str, int], options: HouseOptions) -> dict[str, int]:
    if not isinstance(value, Mapping):
        raise refuse("bad_doubles", f"{_DOUBLES} must give an amount for each bet doubled.")
    doubles = {}
    for bet, cents in value.items():
        if bet not in bets:
            raise refuse(
                "double_without_bet", f"Bet {quoted(bet)} not found, so it can’t be doubled."
            )
        doubles[bet] = amount(cents, f"{_DOUBLES}.{bet}", least=1)
        if doubles[bet] > bets[bet]:
            raise refuse(
                "double_above_wager",
                "A double can’t be more than the wager it is for. Return the extra.",
            )
    if options.bet_bigger_doubles == "equal" and is_uneven(doubles, bets):
        raise refuse(
            "doubles_differ", "Every bet must be doubled for the same amount. Check the amounts."
        )
    return doubles


def is_uneven(doubles: Mapping[str, int], bets: Mapping[str, int]) -> bool:
    """Say whether some bets are doubled and others not, or for another amount."""
    return bool(doubles) and (len(doubles) != len(bets) or len(set(doubles.values())) != 1)


def _check_combination(extra: Mapping[str, Any], each_cents: int) -> None:
    """Refuse what cannot go together."""
    is_even_money, is_surrendered = flag(extra, "even_money"), flag(extra, "surrender")
    is_split, is_from_split = "split_hands" in extra, flag(extra, "from_split")
    ends_hand = is_even_money or is_surrendered or is_split
    if is_even_money + is_surrendered + is_split > 1 or (
        ends_hand and (extra.get(_DOUBLES) or is_from_split)
    ):
        raise refuse(
            "cannot_combine",
            "Choose only one: even money, surrender, or split. "
            "None of them can be combined with a double or a split hand.",
        )
    if is_even_money and each_cents:
        raise refuse("cannot_combine", "Even money is taken instead of insurance. Choose one.")


def _with_spot_options(
    settled: Settlement,
    bets: Mapping[str, int],
    hands: tuple[PlayedHand, ...],
    options: HouseOptions,
) -> Settlement:
    """Add what was read of the spots: how much they hold, alone, and unequally doubled."""
    words = []
    readings = []
    if len(bets) > 1:
        words.append(f"House option: {options.words('bet_bigger_spot')} (R30).")
        readings.append("R30")
        if "2x" not in bets or ("4x" in bets and "3x" not in bets):
            words.append("Spots are independent of each other (R31).")
            readings.append("R31")
    if any(is_uneven(played.double_cents, bets) for played in hands):
        words.append(f"House option: {options.words('bet_bigger_doubles')} (R32).")
        readings.append("R32")
    if not words:
        return settled
    return settled._replace(
        working=" ".join([settled.working, *words]),
        readings=(*settled.readings, *readings),
    )
