"""Sets of cheques: their keys, what they are worth, where they may be, and what pays from them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import date

import pytest

from pitboss.rules.cheques import cheques as cheques_module
from pitboss.rules.cheques.buy_ins import cut_buy_in
from pitboss.rules.cheques.cheques import (
    BY_CENTS,
    Denomination,
    combined,
    count_of,
    format_cheques,
    learn,
    multiple_refusal,
    needs_top_sign,
    ordered,
    parse_cheques,
    staked_cents,
    suggest_to_par,
    total_cents,
)
from pitboss.rules.cheques.counting import CountBy, read_colour
from pitboss.rules.cheques.cutting import (
    CutOptions,
    TrayShort,
    bet_by_face,
    cut_converted_bet,
    cut_payout,
)
from pitboss.rules.cheques.keys import (
    NUMBERS,
    SET_STEP,
    SETS,
    ChequeSet,
    Rank,
    SetKind,
    cheque_key,
    forget_sets,
    kind_of,
    learn_set,
    stake_of,
    worth_of,
)
from pitboss.rules.cheques.set_changes import (
    MOST_CENTS,
    adding_refusals,
    new_set_refusals,
    next_number,
    set_refusals,
)
from pitboss.rules.cheques.sets import (
    MANUAL,
    HouseCheques,
    described,
    described_set,
    house_cheques,
    is_of_cheques,
    key_of,
    learn_cheque,
    no_money_refusals,
    set_key,
    set_words,
    words_of,
)
from pitboss.rules.drop.figures import (
    FIGURE_LINES,
    PROMOTIONAL,
    figure_lines,
    lines_in,
    read_figures,
)
from pitboss.rules.floor.nods import CHEQUE_CHANGE, COLOUR_UP
from pitboss.rules.games.games import table_rules
from pitboss.rules.games.printed import GAMES
from pitboss.rules.payouts.check import TableNow, TableTerms, Verdict, check_payout
from pitboss.rules.payouts.claims import read_claim
from pitboss.rules.refusal import Refusal, Refused
from pitboss.rules.settings.in_force import SettingsInForce

SECOND = ChequeSet(1, "Second", "S", "gold", Rank.SECONDARY)
PROMO = ChequeSet(5, "Promo", "X", "lime")
FRIDAY = ChequeSet(8, "Friday", "F", "navy", tables=("BJ-1", "BJ-2"))
WHEEL = ChequeSet(11, "Wheel", "W", "coral", tables=("RO-1",))
GREEN_2, BLACK_2, RED_2 = (cheque_key(1, cents) for cents in (2_500, 10_000, 500))
PROMO_25 = cheque_key(5, 2_500)
FRIDAY_100 = cheque_key(8, 10_000)
YELLOW = cheque_key(11, 12)


def of_set(number: int, cents: int) -> Denomination:
    return replace(BY_CENTS[cents], of_set=number)


@pytest.fixture(autouse=True)
def house_with_sets() -> Iterator[None]:
    """Know four sets beside main for one test."""
    for cheque_set in (SECOND, PROMO, FRIDAY, WHEEL):
        learn_set(cheque_set)
    learned = [of_set(1, 500), of_set(1, 2_500), of_set(1, 10_000), of_set(5, 2_500)]
    learned += [of_set(8, 10_000), Denomination(12, "yellow", "L", 5, of_set=11)]
    for cheque in learned:
        learn(cheque)
    yield
    forget_sets()
    for cheque in learned:
        del cheques_module._known[cheque.key]


def rows(*sets: ChequeSet) -> list[tuple[str, dict[str, object]]]:
    found = [
        (set_key(cheque_set.number), described_set(cheque_set, in_play=True)) for cheque_set in sets
    ]
    found += [
        (key_of(denomination.key), described(denomination, in_play=True))
        for denomination in BY_CENTS.values()
        if denomination.of_set in {known.number for known in sets}
    ]
    return found


def the_house() -> HouseCheques:
    return house_cheques(rows(SECOND, PROMO, FRIDAY, WHEEL))


def without_main() -> HouseCheques:
    gone = (set_key(0), described_set(SETS[0], in_play=False))
    return house_cheques([*rows(SECOND, PROMO, FRIDAY, WHEEL), gone])


def codes(refusals: list[Refusal]) -> list[str]:
    return [refusal.code for refusal in refusals]


def test_no_key_is_of_two_cheques_and_the_ledger_holds_them_all() -> None:
    assert MOST_CENTS < SET_STEP
    numbers = [number for item in NUMBERS.values() for number in item]
    assert numbers == list(range(len(numbers)))
    assert cheque_key(numbers[-1], MOST_CENTS) < 2**31, "as a PostgreSQL integer"


def test_only_value_cheques_are_money() -> None:
    held = {2_500: 2, GREEN_2: 3, PROMO_25: 5, FRIDAY_100: 7, YELLOW: 300}
    assert total_cents(held) == 12_500
    assert [worth_of(key) for key in held] == [2_500, 2_500, 0, 0, 0]
    assert staked_cents(held) == 25_000
    assert stake_of(YELLOW) == 0
    assert (BY_CENTS[GREEN_2].worth, BY_CENTS[PROMO_25].worth) == (2_500, 0)
    assert bet_by_face({YELLOW: 4, GREEN_2: 1}) == {2_500: 1}
    assert not needs_top_sign({cheque_key(8, 500_000): 4}, 500_000)
    assert needs_top_sign({cheque_key(1, 500_000): 1}, 500_000)


def test_a_slip_lists_main_before_the_second_set_and_what_is_no_money_last() -> None:
    held = {PROMO_25: 1, 500: 1, FRIDAY_100: 1, GREEN_2: 1, 2_500: 1, BLACK_2: 1}
    assert ordered(held) == [BLACK_2, 2_500, GREEN_2, 500, PROMO_25, FRIDAY_100]
    assert list(combined(held, {GREEN_2: 1})) == ordered(held)
    assert format_cheques({GREEN_2: 2, 2_500: 1}) == "1 × $25 green, 2 × $25 green (Second)"
    assert BY_CENTS[GREEN_2].mark == "GS"
    assert BY_CENTS[2_500].mark == "G"
    assert (BY_CENTS[GREEN_2].spots, BY_CENTS[2_500].spots) == ("gold", "")
    assert (BY_CENTS[YELLOW].value, BY_CENTS[YELLOW].label) == ("No value", "L")


def test_keys_are_read_like_cents() -> None:
    assert parse_cheques({str(GREEN_2): 3, "2500": 1}) == {2_500: 1, GREEN_2: 3}
    with pytest.raises(Refused, match="no cheque"):
        parse_cheques({str(cheque_key(1, 25)): 3})
    assert count_of(GREEN_2, 5_000) == 2
    wrong = multiple_refusal(GREEN_2, 3_000)
    assert wrong is not None
    assert "$25 or $50" in wrong.message
    assert read_colour(CountBy.DOLLARS, GREEN_2, {f"dollars_{GREEN_2}": "75"}) == 3
    pieces = read_colour(CountBy.DOLLARS, YELLOW, {f"dollars_{YELLOW}": "75"})
    assert isinstance(pieces, Refusal)
    assert read_colour(CountBy.CHEQUES, YELLOW, {f"cheques_{YELLOW}": "75"}) == 75
    assert suggest_to_par({}, {cheque_key(1, 500): 40}) == {RED_2: 40}


def test_a_set_is_where_its_kind_may_be() -> None:
    house = the_house()
    assert house.refusals([2_500, GREEN_2, FRIDAY_100], ships=True, table="BJ-1") == []
    elsewhere = house.refusals([FRIDAY_100, PROMO_25, YELLOW], ships=True, table="BJ-9")
    assert codes(elsewhere) == ["promotional_in_tray", "not_of_this_table", "not_of_this_table"]
    assert PROMO_25 in house.in_play
    assert PROMO_25 not in house.in_play_at("BJ-1")
    assert YELLOW in house.begun_at("RO-1")
    assert PROMO_25 in house.bet_at("BJ-9")
    assert FRIDAY_100 not in house.bet_at("BJ-9")
    assert YELLOW not in house.begun_at("BJ-1")
    assert house.has_promotional
    assert not MANUAL.has_promotional


def test_a_house_with_only_main_is_as_it_was() -> None:
    assert MANUAL.paying == MANUAL.in_play == MANUAL.in_play_at("BJ-1")
    assert MANUAL.paying_sets == ()
    assert house_cheques([]) == MANUAL


def test_a_cheque_is_in_play_while_its_set_is() -> None:
    only_cheques = [row for row in rows(SECOND) if row[0] != set_key(1)]
    assert GREEN_2 not in house_cheques(only_cheques).begun
    house = without_main()
    assert house.paying == (10_000, 2_500, 500)
    assert house.paying_sets == (BLACK_2, GREEN_2, RED_2)
    assert 2_500 in house.begun
    assert codes(house.refusals([2_500, GREEN_2], ships=True, table="BJ-1")) == ["out_of_play"]
    assert house.refusals([2_500], ships=False, table="BJ-1") == []
    assert codes(house.redeemed_at_cage([2_500, PROMO_25, GREEN_2])) == [
        "no_cash_value",
        "redeem_at_cage",
    ]
    assert codes(no_money_refusals([2_500, FRIDAY_100])) == ["no_cash_value"]


def test_what_a_set_is_stands_on_its_slip() -> None:
    assert dict(set_words(SECOND))["Rank"] == "Secondary"
    assert dict(set_words(FRIDAY))["Tables"] == "BJ-1, BJ-2"
    assert "Letter" not in dict(set_words(SETS[0]))
    assert ("Set", "Second") in words_of(BY_CENTS[GREEN_2])
    assert key_of(GREEN_2) == "cheques.1.2500"
    forget_sets()
    learn_cheque(set_key(5), described_set(PROMO, in_play=True))
    assert SETS[5] == PROMO
    learn_cheque(key_of(PROMO_25), described(BY_CENTS[PROMO_25], in_play=True))
    assert is_of_cheques(set_key(5))
    assert kind_of(PROMO_25) is SetKind.PROMOTIONAL


TABLES = ("BJ-1", "BJ-2", "RO-1")


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"name": ""}, "bad_set_name"),
        ({"name": "x" * 21}, "bad_set_name"),
        ({"name": "second"}, "set_name_taken"),
        ({"number": 1}, "set_taken"),
        ({"letter": "SS"}, "bad_letter"),
        ({"letter": "S"}, "letter_taken"),
        ({"spots": "plaid"}, "bad_colour"),
        ({"spots": "gold"}, "colour_taken"),
        ({"tables": ("BJ-1",)}, "bad_tables"),
        ({"number": 9}, "bad_tables"),
        ({"number": 9, "tables": ("BJ-3",)}, "bad_tables"),
        ({"number": 12, "tables": ("BJ-1", "BJ-2")}, "bad_tables"),
    ],
)
def test_a_set_that_no_house_can_have(change: dict[str, object], code: str) -> None:
    wanted = ChequeSet(2, "Third", "T", "silver", Rank.RESERVE)
    assert new_set_refusals(wanted, TABLES) == []
    assert codes(new_set_refusals(replace(wanted, **change), TABLES)) == [code]  # type: ignore[arg-type]


def test_every_kind_has_so_many_numbers() -> None:
    assert next_number(SetKind.VALUE) == 2
    for number in NUMBERS[SetKind.PROMOTIONAL]:
        learn_set(ChequeSet(number, f"Promo {number}"))
    assert next_number(SetKind.PROMOTIONAL) is None


def test_a_set_is_withdrawn_and_comes_back() -> None:
    house = the_house()
    assert set_refusals(SETS[0], house, in_play=False) == []
    assert codes(set_refusals(SETS[0], house, in_play=True)) == ["nothing_changes"]
    assert codes(set_refusals(SETS[0], MANUAL, in_play=False)) == ["last_denomination"]
    assert codes(set_refusals(SECOND, without_main(), in_play=False)) == ["last_denomination"]
    assert set_refusals(PROMO, without_main(), in_play=False) == []
    assert set_refusals(SETS[0], without_main(), in_play=True) == []
    assert codes(set_refusals(SETS[0], without_main(), in_play=False)) == ["nothing_changes"]


def test_a_set_has_the_colors_to_itself() -> None:
    house = the_house()
    assert adding_refusals(replace(BY_CENTS[100], of_set=1), house, secondary_from_cents=0) == []
    alike = replace(BY_CENTS[100], of_set=1, colour="gold")
    assert codes(adding_refusals(alike, house, secondary_from_cents=0)) == ["colour_taken"]
    strange = Denomination(5_000, "brown", "N", 5, of_set=1)
    assert codes(adding_refusals(strange, house, secondary_from_cents=0)) == ["not_in_main"]
    assert adding_refusals(replace(strange, of_set=5), house, secondary_from_cents=0) == []
    assert (
        adding_refusals(Denomination(3, "teal", "T", 5, of_set=11), house, secondary_from_cents=0)
        == []
    )


# What is paid from several sets

BOTH = CutOptions(sets=(10_000, BLACK_2, 2_500, GREEN_2, 500, RED_2))
SECOND_ONLY = CutOptions(denominations=(10_000, 2_500, 500), sets=(BLACK_2, GREEN_2, RED_2))


def test_a_payout_takes_main_first_and_then_the_second_set() -> None:
    tray = {2_500: 5, GREEN_2: 40, 500: 40}
    cut = cut_payout(amount_cents=17_500, tray=tray, bet={GREEN_2: 7}, options=BOTH)
    assert cut.cheques == {2_500: 5, GREEN_2: 2}
    assert "2 × $25 green (Second)" in cut.working
    up = cut_payout(
        amount_cents=20_000,
        tray={**tray, BLACK_2: 4},
        bet={2_500: 8},
        colour_up=True,
        options=BOTH,
    )
    assert up.cheques == {BLACK_2: 2}


def test_nothing_is_paid_from_a_set_out_of_play() -> None:
    tray = {2_500: 40, GREEN_2: 4, RED_2: 60}
    cut = cut_payout(amount_cents=17_500, tray=tray, bet={2_500: 7}, options=SECOND_ONLY)
    assert 2_500 not in cut.cheques
    assert total_cents(cut.cheques) == 17_500
    with pytest.raises(TrayShort) as short:
        cut_payout(amount_cents=17_500, tray={2_500: 40}, bet={2_500: 7}, options=SECOND_ONLY)
    assert short.value.fill == {GREEN_2: 20}


def test_a_buy_in_is_cut_from_the_sets_in_play() -> None:
    tray = {GREEN_2: 40, RED_2: 60, 500: 60}
    cut = cut_buy_in(amount_cents=20_000, tray=tray, table_minimum_cents=500, options=SECOND_ONLY)
    assert cut.cheques == {GREEN_2: 4, RED_2: 20}


def test_a_promotional_bet_is_paid_in_value_cheques_and_never_converted() -> None:
    tray = {2_500: 10, 500: 20}
    assert cut_payout(amount_cents=2_500, tray=tray, bet={PROMO_25: 1}).cheques == {2_500: 1}
    with pytest.raises(Refused, match="drop box"):
        cut_converted_bet(amount_cents=2_500, tray=tray, bet={PROMO_25: 1})


def test_a_claim_stakes_a_promotional_cheque_and_pays_none() -> None:
    fields = {"wager": "blackjack", "bet": {str(PROMO_25): 1}, "paid": {"2500": 1}}
    assert read_claim(fields).stake_cents == 2_500
    with pytest.raises(Refused) as refused:
        read_claim({**fields, "paid": {str(PROMO_25): 1}})
    assert refused.value.codes == ("no_cash_value",)


def test_a_check_says_that_promotional_cheques_go_into_the_box() -> None:
    trilux = {
        "wager": "trilux",
        "stake_cents": 2_500,
        "player_cards": ["9c", "9d"],
        "dealer_up": "9s",
        "paid_cents": 22_500,
    }
    rules = table_rules(GAMES["classic"], minimum_cents=500, maximum_cents=300_000)
    now = TableNow(TableTerms.of(rules), {2_500: 40, 10_000: 40}, date(2026, 5, 1))
    promotional = check_payout(read_claim({**trilux, "bet": {str(PROMO_25): 1}}), now)
    assert promotional.verdict is Verdict.RIGHT
    assert codes([*promotional.warnings]) == ["promotional_to_box"]
    assert check_payout(read_claim({**trilux, "bet": {"2500": 1}}), now).warnings == ()


def test_a_table_takes_no_cheque_for_color_that_is_not_its_money() -> None:
    from pitboss.rules.floor.log import Ground

    settings = SettingsInForce({}, without_main())
    ground = Ground.__new__(Ground)
    object.__setattr__(ground, "settings", settings)
    object.__setattr__(ground, "tray", {BLACK_2: 4, 10_000: 4})
    facts = {"taken": {"2500": 20}, "colour": "10000", "sent": {str(BLACK_2): 5}}
    assert "redeem_at_cage" in codes(list(COLOUR_UP.judge(facts, ground)))
    assert codes(list(CHEQUE_CHANGE.judge(facts, ground)))[0] == "redeem_at_cage"
    mine = {"taken": {str(GREEN_2): 12}, "colour": "10000"}
    assert COLOUR_UP.judge(mine, ground) == []
    assert COLOUR_UP.sends is not None
    assert COLOUR_UP.sends(mine, ground) == {BLACK_2: 3}


def test_two_counts_of_a_box_differ_by_its_promotional_cheques() -> None:
    assert lines_in({"cash_100": 0}) == FIGURE_LINES
    assert figure_lines(promotional=False) == FIGURE_LINES
    assert [line.key for line in figure_lines(promotional=True)][-2] == PROMOTIONAL


def test_a_box_has_a_line_of_promotional_cheques_where_it_has_some() -> None:
    assert PROMOTIONAL not in read_figures({"cash_2000": 4_000})
    assert PROMOTIONAL not in read_figures({PROMOTIONAL: 0})
    counted = read_figures({"cash_2000": 4_000, PROMOTIONAL: 2_500})
    assert counted[PROMOTIONAL] == 2_500
    assert [line.key for line in lines_in(counted)] == list(counted)
    with pytest.raises(Refused):
        read_figures({PROMOTIONAL: "many"})


def test_a_secondary_set_begins_where_the_house_says() -> None:
    house = the_house()
    small = replace(BY_CENTS[100], of_set=1)
    assert codes(adding_refusals(small, house, secondary_from_cents=2_500)) == ["below_secondary"]
    assert codes(adding_refusals(small, house, secondary_from_cents=101)) == ["below_secondary"]
    assert adding_refusals(small, house, secondary_from_cents=100) == []
    # Main is no secondary set, whatever is added to it.
    coral = Denomination(1_000, "coral", "N", 5)
    assert adding_refusals(coral, MANUAL, secondary_from_cents=50_000_000) == []
