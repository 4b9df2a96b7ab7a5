"""Pay tables: every printed cell, house tables, versions by date."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from pitboss.rules.paytables.paytables import (
    PAY_TABLES,
    ROWS,
    MeterShare,
    Odds,
    house_pay_table,
    in_force_on,
    parse_pay,
    pay_table,
)
from pitboss.rules.refusal import Refused
from pitboss.rules.wagers.settle import settle_case
from tests.mutate_paytables import unnoticed_changes
from tests.rules.cases import outcome, refused, settled
from tests.rules.printed_cells import CELLS, Cell


@pytest.mark.parametrize("cell", CELLS, ids=str)
def test_every_cell_of_every_pay_table_pays_what_is_printed(cell: Cell) -> None:
    answer = settle_case(cell.case)
    assert answer["payout_cents"] == cell.payout_cents, answer
    assert answer.get("envy_cents") == cell.envy_cents


def test_every_row_of_every_printed_table_has_a_cell() -> None:
    printed = {(w, t, row) for w, ts in PAY_TABLES.items() for t in ts for row in ts[t].pays}
    tested = {(cell.wager, cell.table, cell.row) for cell in CELLS}
    assert printed <= tested


def test_no_single_number_of_a_pay_table_can_change_unnoticed() -> None:
    made, unnoticed = unnoticed_changes()
    assert made > 350
    assert unnoticed == []


def test_printed_rows_are_rows_of_their_wager() -> None:
    for wager, rows in ROWS.items():
        for table in PAY_TABLES.get(wager, {}).values():
            assert list(table.pays) == [row for row in rows if row in table.pays] or wager in (
                "match_the_dealer",
            )


def test_a_dispute_is_settled_with_the_table_of_its_day() -> None:
    old = PAY_TABLES["super_3"]["1"]
    new = replace(old, version=2, valid_from=date(2026, 5, 1))
    assert in_force_on([old, new], date(2026, 4, 30)) is old
    assert in_force_on([old, new], date(2026, 5, 1)) is new
    with pytest.raises(Refused) as caught:
        in_force_on([new], date(2026, 4, 30))
    assert caught.value.codes == ("no_pay_table_then",)


def test_a_case_may_carry_the_table_that_held_then() -> None:
    old = PAY_TABLES["super_3"]["1"]
    better = replace(old, pays={**old.pays, "straight_flush": Odds(200)}, version=2)
    assert outcome("super_3", better, "5h 7h", "6h")[1] == 200_000
    assert outcome("super_3", old, "5h 7h", "6h")[1] == 180_000
    assert refused("trilux", better, "5h 7h", "6h") == "wrong_paytable"


def test_of_two_tables_of_one_day_the_later_version_holds() -> None:
    old = PAY_TABLES["super_3"]["1"]
    new = replace(old, version=2)
    assert in_force_on([new, old], date(2026, 5, 1)) is new


@pytest.mark.parametrize(
    ("text", "pay"),
    [("30:1", Odds(30)), ("5 to 2", Odds(5, 2)), ("6:5", Odds(6, 5)), ("1000000:1", Odds(10**6))],
)
def test_odds_are_read_as_people_write_them(text: str, pay: Odds) -> None:
    assert parse_pay(text) == pay


@pytest.mark.parametrize(
    "text",
    ["", "0:1", "1:0", "-1:1", "1.5:1", "30", 30, None, True, ["30:1"], "30:1 ", "٣:1", "9" * 99,
     "50% of MEGA"],
)  # fmt: skip
def test_what_is_no_payout_is_refused(text: object) -> None:
    with pytest.raises(Refused) as caught:
        parse_pay(text)
    assert caught.value.codes == ("bad_pay",)


def test_a_share_of_a_meter_is_in_proportion_to_the_stake() -> None:
    assert parse_pay("100% of MEGA", (500, 1000)) == MeterShare("MEGA", {500: 50, 1000: 100})
    with pytest.raises(Refused):
        parse_pay("101% of MEGA", (500, 1000))


def test_the_house_defines_a_bonus_from_named_rows() -> None:
    table = {"suited_blackjack": "25:1", "pair": "8:1", "suited": "2:1"}
    assert outcome("two_card_bonus", table, "Ah Kh") == ("suited_blackjack", 25000, True)
    assert outcome("two_card_bonus", table, "8h 8d") == ("pair", 8000, True)
    assert outcome("two_card_bonus", table, "8h 8h") == ("pair", 8000, True)
    assert outcome("two_card_bonus", table, "8h 3h") == ("suited", 2000, True)
    assert outcome("two_card_bonus", table, "8h 3d") == ("lose", -1000, False)


def test_a_house_table_pays_the_best_paid_row_whatever_its_order() -> None:
    upside_down = {"pair": "50:1", "suited_pair": "2:1"}
    assert outcome("two_card_bonus", upside_down, "8h 8h") == ("pair", 50000, True)


@pytest.mark.parametrize(
    ("hand", "row"),
    [
        ("Ah Kh", "suited_blackjack"), ("Ah Kd", "blackjack"), ("8h 8h", "suited_pair"),
        ("8h 8d", "coloured_pair"), ("8h 8c", "pair"), ("Kd Qd", "royal_match"),
        ("Kd Td", "suited_20"), ("Kd Ts", "total_20"), ("9d Ac", "total_20"),
        ("5c 6c", "suited_connectors"), ("Ac 2c", "suited_connectors"),
        ("9c 3c", "suited"), ("9c 3s", "same_colour"), ("9c 3h", "lose"),
    ],
)  # fmt: skip
def test_two_card_bonus_knows_every_row(hand: str, row: str) -> None:
    table = {row: f"{100 - at}:1" for at, row in enumerate(ROWS["two_card_bonus"])}
    assert outcome("two_card_bonus", table, hand)[0] == row


@pytest.mark.parametrize(
    ("player", "dealer", "row"),
    [
        ("8h 8h", "8h 8h", "four_identical"), ("8h 8d", "8c 8s", "four_of_a_kind"),
        ("5h 7h", "6h 8h", "straight_flush"), ("Jh Ah", "Qh Kh", "straight_flush"),
        ("8h 8d", "8c 2s", "three_of_a_kind"), ("8h 2d", "8c 2s", "two_pair"),
        ("Ah 2d", "3c 4s", "straight"), ("2h 9h", "Kh 5h", "flush"),
        ("8h 3d", "8c 2s", "pair"), ("9h 3d", "Kh 5d", "same_colour"),
        ("9h 3d", "Kc 5d", "lose"), ("Kh Ad", "2c 3d", "lose"),
    ],
)  # fmt: skip
def test_four_card_bonus_knows_every_row(player: str, dealer: str, row: str) -> None:
    table = {row: f"{100 - at}:1" for at, row in enumerate(ROWS["four_card_bonus"])}
    assert outcome("four_card_bonus", table, player, dealer)[0] == row


def test_four_card_bonus_needs_both_dealer_cards() -> None:
    assert refused("four_card_bonus", {"pair": "2:1"}, "8h 8d", "8c") == "missing_dealer_cards"


def test_a_bonus_without_a_table_is_refused() -> None:
    assert refused("two_card_bonus", "A", "8h 8d") == "unknown_paytable"


@pytest.mark.parametrize(
    ("wager", "pays", "code"),
    [
        ("trilux", {}, "empty_pay_table"),
        ("trilux", {"full_house": "3:1"}, "unknown_row"),
        ("trilux", {"flush": "0:1"}, "bad_pay"),
        ("blackjack", {"blackjack": "2:1"}, "no_house_table"),
        ("lucky_ladies", {"three_queens": "50% of GRAND"}, "unknown_meter"),
        ("raise_the_roof", {"bust_6": "10:1"}, "incomplete_pay_table"),
    ],
)
def test_a_house_table_that_cannot_be_is_refused(
    wager: str, pays: dict[str, object], code: str
) -> None:
    with pytest.raises(Refused) as caught:
        house_pay_table(wager, pays)
    assert caught.value.codes == (code,)


@pytest.mark.parametrize("table", [None, 1, ["A"], True])
def test_a_pay_table_is_an_id_or_rows(table: object) -> None:
    with pytest.raises(Refused) as caught:
        pay_table("trilux", table)
    assert caught.value.codes == ("bad_paytable",)


def test_a_house_table_of_raise_the_roof_needs_the_soft_17_rule() -> None:
    pays = {"bust_10": "1:1", "bust_9": "1:1", "bust_8": "2:1", "bust_7": "5:1", "bust_6": "11:1"}
    assert refused("raise_the_roof", pays, "", "Td 6c 6h") == "missing_soft_17"
    paid = outcome("raise_the_roof", pays, "", "Td 6c 6h", raise_cents=1000, dealer_soft_17="stand")
    assert paid == ("bust_6", 22000, True)
    alone = outcome("raise_the_roof", pays, "", "4d 5c 6h 7s", dealer_soft_17="stand")
    assert alone == ("bust_7", 1000, True)


def test_house_tables_of_the_meter_bets_may_share_a_meter() -> None:
    ladies = {"three_queens": "100% of MINOR", "matched_20": "30:1"}
    meters = {"MINOR": 30000}
    won = outcome("lucky_ladies", ladies, "Qh Qd", "Qc", 500, jackpots_cents=meters)
    assert won == ("three_queens", 15000, True)
    won = outcome("lucky_ladies", ladies, "Kh Kh", "2c", 500, jackpots_cents=meters)
    assert won == ("matched_20", 15000, True)
    sevens = {"one_seven": "2:1", "three_sevens_mixed": "5% of JACKPOT"}
    answer = settled("blazing_7s", sevens, "7h 2d", "Kc", 500)
    assert (answer["payout_cents"], answer["envy_cents"]) == (1000, 0)
    answer = settled("blazing_7s", sevens, "7h 7d", "7c", 500, jackpot_cents=1001)
    assert answer["payout_cents"] == 50


def test_pays_say_what_they_pay() -> None:
    ladies = PAY_TABLES["lucky_ladies"]["A"].pays
    assert str(ladies["three_queens_hearts"]) == "50% or 100% of MEGA"
    assert str(ladies["matched_20"]) == "$125 or $250"
    assert ladies["three_queens_hearts"].spoken(500) == "50% of MEGA"
    assert ladies["matched_20"].spoken(1000) == "$250"
    assert Odds(5, 2).spoken(500) == "5 to 2"
    assert ladies["three_queens_hearts"].award(500) == 0
