"""Settle the bets that pay dollar awards and shares of a meter: Lucky Ladies and Blazing 7's."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Final

from pitboss.rules.book.options import HouseOptions
from pitboss.rules.cards.playing_cards import hand_words
from pitboss.rules.cheques.cheques import format_money
from pitboss.rules.facts import ANY_BET, Case, Terms, amount, extra_of, stake, terms, whole
from pitboss.rules.paytables.categories import blazing_7s, lucky_ladies
from pitboss.rules.paytables.paytables import (
    LOSE,
    METERS,
    STAKES_CENTS,
    MeterShare,
    Pay,
    PayTable,
    pay_table,
)
from pitboss.rules.quoting import quoted
from pitboss.rules.refusal import refuse
from pitboss.rules.rounding import to_cents
from pitboss.rules.said import Said, joined
from pitboss.rules.wagers.settlement import Settlement
from pitboss.rules.wagers.side_bets import starting_cards
from pitboss.rules.wagers.working import Used, row_words, sentence, toke_notes

_LADIES_EXTRA: Final = ANY_BET | frozenset({"jackpots_cents", "other_winner_stakes_cents"})
_SEVENS_EXTRA: Final = ANY_BET | frozenset(
    {"jackpot_cents", "winners_same_hand", "winner_number", "taken_before_cents"}
)
_SEATS_MAX: Final = 7
# Each winner holds two of the cards, the dealer shows one more, and a shoe has 8 of each card.
_WINNERS_MAX: Final[Mapping[str, int]] = {
    "three_queens_hearts": 3,
    "three_queens_same_suit": 3,
    "three_queens_same_colour": 7,
    "three_sevens_same_suit": 3,
    "three_sevens_same_colour": 7,
}


def _check_stake(wager: str, stake_cents: int) -> None:
    allowed = STAKES_CENTS[wager]
    if stake_cents not in allowed:
        amounts = joined(map(format_money, allowed), " or ")
        raise refuse(
            "stake_not_taken",
            Said("This bet is {amounts} and nothing else. Check the amount.", amounts=amounts),
        )


def _rounded(exact: Fraction, options: HouseOptions, used: list[Used], reading: str) -> int:
    if exact.denominator != 1:
        used.append(("fractions_of_a_cent", reading))
    return to_cents(exact, options.fractions_of_a_cent)


def _pays(
    table: PayTable, rows: tuple[str, ...], category: str, options: HouseOptions, used: list[Used]
) -> list[Pay]:
    """Return what is paid: the best row, or every row the hand fits where the house pays all."""
    if options.awards == "cumulative":
        fitting = [table.pays[row] for row in rows if row in table.pays]
        if len(fitting) > 1:
            used.append(("awards", "R02"))
            return fitting
    return [table.pays[category]]


def settle_lucky_ladies(case: Case) -> Settlement:
    """Settle a Lucky Ladies bet on the player's two cards and the dealer's first.

    >>> settle_lucky_ladies({"paytable": "A", "stake_cents": 500, "player_cards": ["Qc", "Qd"],
    ...                      "dealer_up": "Qh"}).payout_cents
    25000
    """
    stake_cents = stake(case)
    table = pay_table("lucky_ladies", case.get("paytable"))
    extra = extra_of(case, _LADIES_EXTRA)
    agreed = terms(stake_cents, extra)
    options = agreed.options
    _check_stake("lucky_ladies", stake_cents)
    player, dealer = starting_cards(case, "lucky_ladies")
    meters = _posted(extra)
    others = _other_stakes(extra)
    rows = lucky_ladies(player, dealer, options)
    category = table.best(rows)
    used: list[Used] = []
    if {held.value for held in player} == {1, 9}:
        used.append(("ace_nine", "R70"))
    is_jackpot = category != LOSE and isinstance(table.pays[category], MeterShare)
    _check_winners(category, 1 + len(others))
    held = hand_words(player + dealer)
    if category == LOSE:
        text = f"{held} isn’t a Lucky Ladies hand: the {format_money(stake_cents)} bet loses."
        return _settled("lucky_ladies", LOSE, -stake_cents, False, text, agreed, used)
    exact = Fraction(0)
    for pay in _pays(table, rows, category, options, used):
        if not isinstance(pay, MeterShare):
            exact += pay.award(stake_cents)
            continue
        if pay.meter not in meters:
            raise refuse("missing_meter", f"Add the posted {pay.meter} jackpot in jackpots_cents.")
        exact += shared_jackpot(
            meters[pay.meter], pay, stake_cents, others, how=options.jackpot_shares
        )
        if others:
            used.append(("jackpot_shares", "R72"))
    award_cents = _rounded(exact, options, used, "R73")
    payout_cents = award_cents
    if options.award_stake == "included":
        used.append(("award_stake", "R71"))
        payout_cents = award_cents - stake_cents
    paid = table.pays[category].spoken(stake_cents)
    text = (
        f"{row_words(category)} ({held}): Lucky Ladies pays {paid}, {table.name}. "
        f"{format_money(stake_cents)} wins {format_money(payout_cents)}."
    )
    if others and is_jackpot:
        text += f" {1 + len(others)} players share the jackpot."
    return _settled("lucky_ladies", category, payout_cents, True, text, agreed, used)


def shared_jackpot(
    jackpot_cents: int, pay: MeterShare, stake_cents: int, others: tuple[int, ...], *, how: str
) -> Fraction:
    """Return one winner's part of a posted jackpot, exactly.

    >>> mega = MeterShare("MEGA", {500: 50, 1000: 100})
    >>> ways = ("divide_then_entitle", "scale_entitlements", "divide_and_cap")
    >>> [int(shared_jackpot(5_000_000, mega, 500, (500,), how=how)) for how in ways]
    [1250000, 2500000, 2500000]
    """
    share = Fraction(pay.percent_by_stake[stake_cents], 100)
    winners = 1 + len(others)
    if how == "scale_entitlements":
        owed = share + sum(Fraction(pay.percent_by_stake[other], 100) for other in others)
        return jackpot_cents * share / max(owed, Fraction(1))
    if how == "divide_and_cap":
        return jackpot_cents * min(Fraction(1, winners), share)
    return Fraction(jackpot_cents, winners) * share


def _posted(extra: Mapping[str, Any]) -> dict[str, int]:
    posted = extra.get("jackpots_cents", {})
    if not isinstance(posted, Mapping):
        raise refuse("bad_meters", "jackpots_cents must list the posted jackpots by name.")
    for name in posted:
        if name not in METERS["lucky_ladies"]:
            raise refuse("unknown_meter", f"Lucky Ladies jackpot {quoted(name)} not found.")
    return {name: amount(cents, f"jackpots_cents.{name}") for name, cents in posted.items()}


def _other_stakes(extra: Mapping[str, Any]) -> tuple[int, ...]:
    others = extra.get("other_winner_stakes_cents", [])
    if not isinstance(others, list | tuple):
        raise refuse("bad_winners", "other_winner_stakes_cents must list the other winners' bets.")
    for other in others:
        if type(other) is not int or other not in STAKES_CENTS["lucky_ladies"]:
            raise refuse("bad_winners", "Another winner's Lucky Ladies bet is $5 or $10.")
    return tuple(others)


def _check_winners(category: str, winners: int) -> None:
    """Refuse winners beside a losing hand, or more than the cards and seats allow.

    A fixed award may have several winners too: each is paid in full, so nothing hangs on how many.
    """
    if winners == 1:
        return
    if category == LOSE:
        raise refuse(
            "no_award_to_share",
            "This hand wins nothing, so no one shares its award. Check the cards.",
        )
    if winners > _WINNERS_MAX.get(category, _SEATS_MAX):
        raise refuse(
            "too_many_winners",
            "A shoe does not have the cards for so many winners. Count them again.",
        )


def settle_blazing_7s(case: Case) -> Settlement:
    """Settle a Blazing 7's bet: an award in dollars or a part of the progressive meter.

    >>> won = settle_blazing_7s({"paytable": "A", "stake_cents": 500, "player_cards": ["7s", "7d"],
    ...                          "dealer_up": "8c"})
    >>> won.payout_cents, won.net_cents, won.envy_cents
    (12500, 12000, 200)
    """
    stake_cents = stake(case)
    table = pay_table("blazing_7s", case.get("paytable"))
    extra = extra_of(case, _SEVENS_EXTRA)
    agreed = terms(stake_cents, extra)
    options = agreed.options
    if agreed.is_dealer_bet:
        raise refuse(
            "dealer_bet_not_taken", "No dealer bets are taken on Blazing 7's. Return the bet."
        )
    _check_stake("blazing_7s", stake_cents)
    player, dealer = starting_cards(case, "blazing_7s")
    winners = whole(extra, "winners_same_hand", least=1, most=_SEATS_MAX, default=1)
    meter_cents = amount(extra.get("jackpot_cents", 0), "jackpot_cents")
    taken_cents = amount(extra.get("taken_before_cents", 0), "taken_before_cents")
    turn = whole(extra, "winner_number", least=1, most=winners, default=1)
    rows = blazing_7s(player, dealer, options)
    category = table.best(rows)
    used: list[Used] = []
    if dealer[0].value == 7 and [held.value for held in player].count(7) == 1:
        used.append(("one_seven_v_seven", "R80"))
    _check_winners(category, winners)
    held = hand_words(player + dealer)
    if category == LOSE:
        text = f"{held} wins nothing on Blazing 7's: the {format_money(stake_cents)} was collected."
        return _settled(
            "blazing_7s", LOSE, -stake_cents, False, text, agreed, used, net_cents=-stake_cents
        )
    pay = table.pays[category]
    if isinstance(pay, MeterShare):
        if "jackpot_cents" not in extra:
            raise refuse("missing_meter", "Add the meter, jackpot_cents, frozen at entry.")
        if taken_cents:
            used.append(("meter_in_one_round", "R85"))
            if options.meter_in_one_round == "reduced":
                meter_cents = max(meter_cents - taken_cents, 0)
        if winners > 1:
            used.append(("same_jackpot_hand", "R82"))
        share = Fraction(pay.percent_by_stake[stake_cents], 100)
        exact = _seven_jackpot(
            meter_cents, share, winners=winners, turn=turn, how=options.same_jackpot_hand
        )
    else:
        exact = pay.award(stake_cents)
    award_cents = _rounded(exact, options, used, "R83")
    is_returned = options.blazing_stake == "returned"
    used.append(("blazing_stake", "R81"))
    envy_cents = table.envy_cents.get(category, 0)
    text = (
        f"{row_words(category)} ({held}): Blazing 7's awards {pay.spoken(stake_cents)}. "
        f"Pay {format_money(award_cents)}, and {format_money(envy_cents)} envy to the dealers' "
        "tokes."
    )
    if winners > 1:
        text += f" {winners} players have this hand."
    return _settled(
        "blazing_7s",
        category,
        award_cents,
        is_returned,
        text,
        agreed,
        used,
        net_cents=award_cents if is_returned else award_cents - stake_cents,
        envy_cents=envy_cents,
    )


def _seven_jackpot(
    meter_cents: int, share: Fraction, *, winners: int, turn: int, how: str
) -> Fraction:
    """Return one patron's part when several have the same jackpot hand.

    >>> [int(_seven_jackpot(1000, Fraction(1, 10), winners=2, turn=2, how=how))
    ...  for how in ("shared", "in_turn", "each_in_full")]
    [50, 90, 100]
    """
    if how == "in_turn":
        return meter_cents * (1 - share) ** (turn - 1) * share
    if how == "each_in_full":
        return meter_cents * share
    return meter_cents * share / winners


def _settled(
    wager: str,
    category: str,
    payout_cents: int,
    stake_returned: bool,
    text: str,
    agreed: Terms,
    used: list[Used],
    *,
    net_cents: int | None = None,
    envy_cents: int | None = None,
) -> Settlement:
    notes = agreed.notes + toke_notes(agreed.is_dealer_bet, payout_cents)
    return Settlement(
        category,
        payout_cents,
        stake_returned,
        f"{wager}.{category}",
        sentence(text, options=agreed.options, used=used, notes=notes),
        (*(reading for _, reading in used), *agreed.readings),
        net_cents=net_cents,
        envy_cents=envy_cents,
    )
