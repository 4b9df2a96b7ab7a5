"""Payouts judged by the rules of their own table: one right baseline, and single changes of it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from pitboss.rules.book.options import HouseOptions
from pitboss.rules.cheques.cutting import Breakage, CutOptions
from pitboss.rules.games.games import SideBetRules, table_rules
from pitboss.rules.games.printed import GAMES
from pitboss.rules.payouts.check import (
    PayoutVerdict,
    TableNow,
    TableTerms,
    Verdict,
    check_payout,
)
from pitboss.rules.payouts.claims import CASE_FIELDS, read_claim
from pitboss.rules.payouts.levels import LevelTerms
from pitboss.rules.refusal import Refused
from pitboss.rules.tax.house import HouseTax
from pitboss.rules.wagers.settle import settle

WORKED = Path(__file__).parent / "data" / "settle.jsonl"
TRAY = {100_000: 20, 10_000: 100, 2_500: 200, 500: 200, 250: 40, 100: 60}
DAY = date(2026, 5, 1)
LIMITS = {"minimum_cents": 500, "maximum_cents": 300_000}
# What a game's own document caps, or leaves to the house.
OWN_LIMITS: dict[str, dict[str, Any]] = {
    "bet_bigger": {"minimum_cents": 250, "maximum_cents": 1_000},
    "stadium": {
        "stadium": {"keep_standoff_bet": "disabled", "auto_stand": {"soft": 17, "hard": 12}}
    },
}


def at_table(game: str = "classic", **choices: Any) -> TableNow:
    rules = table_rules(GAMES[game], **{**LIMITS, **OWN_LIMITS.get(game, {}), **choices})
    return TableNow(TableTerms.of(rules), TRAY, DAY)


TRILUX: dict[str, Any] = {
    "wager": "trilux",
    "stake_cents": 1_000,
    "player_cards": ["9c", "9d"],
    "dealer_up": "9s",
    "paid_cents": 9_000,
    "bet": {"500": 2},
}


def judged(changes: Mapping[str, Any] | None = None, now: TableNow | None = None) -> PayoutVerdict:
    return check_payout(read_claim({**TRILUX, **(changes or {})}), now or at_table())


def codes(verdict: PayoutVerdict) -> list[str]:
    return [reason.code for reason in verdict.reasons]


def approvals(verdict: PayoutVerdict) -> dict[str, tuple[str, ...]]:
    return {approval.code: approval.by for approval in verdict.approvals}


def test_a_payout_that_is_owed_is_right_and_cut_colour_for_colour() -> None:
    verdict = judged()
    assert verdict.verdict is Verdict.RIGHT
    assert (verdict.payable_cents, verdict.difference_cents) == (9_000, 0)
    assert verdict.cut is not None
    assert dict(verdict.cut.cheques) == {500: 18}
    assert not verdict.approvals
    assert verdict.as_answer()["paytable"]["id"] == "MANUAL-9"


@pytest.mark.parametrize(
    ("paid_cents", "verdict", "difference_cents"),
    [
        (9_025, Verdict.OVERPAID, 25),
        (8_975, Verdict.UNDERPAID, -25),
        (0, Verdict.UNDERPAID, -9_000),
    ],
)
def test_any_other_amount_is_over_or_under_by_so_much(
    paid_cents: int, verdict: Verdict, difference_cents: int
) -> None:
    found = judged({"paid_cents": paid_cents})
    assert (found.verdict, found.difference_cents) == (verdict, difference_cents)


def test_a_lost_bet_pays_nothing() -> None:
    lost = {"player_cards": ["9c", "2d"], "dealer_up": "5s"}
    assert judged({**lost, "paid_cents": 0}).verdict is Verdict.RIGHT
    over = judged({**lost, "paid_cents": 1_000})
    assert (over.verdict, over.difference_cents) == (Verdict.OVERPAID, 1_000)
    assert over.as_answer()["expected_cents"] == -1_000


def test_cheques_on_the_layout_are_compared_colour_by_colour() -> None:
    found = judged({"paid_cents": None, "paid": {"10000": 1}})
    assert (dict(found.take_back), dict(found.add)) == ({10_000: 1}, {500: 18})
    payout_verdict = judged({"paid_cents": 10_000})
    assert (dict(payout_verdict.take_back), dict(payout_verdict.add)) == ({500: 2}, {})


def test_a_payout_is_mended_as_it_lies_by_the_fewest_cheques() -> None:
    short = judged({"paid_cents": None, "paid": {"2500": 3, "500": 2}})
    assert (short.difference_cents, dict(short.take_back), dict(short.add)) == (-500, {}, {500: 1})
    over = judged({"paid_cents": None, "paid": {"2500": 4, "500": 3}})
    assert (over.difference_cents, dict(over.take_back), dict(over.add)) == (2_500, {2_500: 1}, {})
    bare = judged({"paid_cents": None, "paid": {"10000": 1}}, replace(at_table(), tray={}))
    assert (dict(bare.take_back), dict(bare.add)) == ({}, {}), "nothing to change it with"


def test_no_correction_is_made_up_where_no_cheques_can_make_it() -> None:
    assert not judged({"paid_cents": 9_030}).take_back, "no cheque pays 30 cents"
    short = replace(at_table(), tray={500: 18})
    assert not judged({"paid_cents": 1_000_000}, short).take_back
    empty = judged({"paid_cents": 1_000}, replace(at_table(), tray={}))
    assert (empty.cut, dict(empty.fill)) == (None, {500: 20})
    assert empty.verdict is Verdict.UNDERPAID
    assert not empty.add
    assert empty.as_answer()["cheques"] is None
    assert approvals(empty) == {}


def test_what_no_cheque_pays_goes_the_way_of_the_house() -> None:
    six_to_five = at_table("raise_the_roof", blackjack_pays="6:5")
    natural = {
        "wager": "blackjack",
        "stake_cents": 700,
        "player_cards": ["Ah", "Kd"],
        "dealer_cards": ["9c", "8d"],
        "dealer_up": None,
        "bet": {"500": 1, "100": 2},
    }
    down = judged({**natural, "paid_cents": 800}, six_to_five)
    assert (down.verdict, down.payable_cents) == (Verdict.RIGHT, 800)
    assert down.as_answer()["breakage_cents"] == 40
    up = replace(six_to_five, cut=CutOptions(breakage=Breakage.UP))
    assert judged({**natural, "paid_cents": 850}, up).verdict is Verdict.RIGHT


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"wager": "blazing_7s", "stake_cents": 500}, "wager_not_offered"),
        ({"dealer_up": None}, "missing_dealer_cards"),
        ({"player_cards": ["9c"]}, "two_cards_needed"),
        ({"paytable": "TRI-02"}, "paytable_differs"),
        ({"extra": {"options": {"ace_in_straight": "high_only"}}}, "table_decides"),
        ({"wager": "blackjack", "extra": {"surrender": True}}, "surrender_disabled"),
    ],
)
def test_what_is_not_settled_cannot_be_verified(changes: dict[str, Any], code: str) -> None:
    found = judged(changes)
    assert found.verdict is Verdict.CANNOT_VERIFY
    assert code in codes(found)
    assert (found.payable_cents, found.difference_cents, found.cut) == (None, None, None)
    answer = found.as_answer()
    assert answer["working"]
    assert (answer["expected_cents"], answer["cheques"]) == (None, None)


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"player_cards": ["9c", "9x"]}, "bad_card"),
        ({"extra": "doubled"}, "bad_extra"),
        ({"extra": {"colour": 1}}, "unknown_field"),
        ({"dealer_cards": ["8s"]}, "dealer_up_differs"),
        ({"player_cards": ["9c"] * 30}, "too_many_cards"),
        ({"stake_cents": 0}, "bad_stake"),
        ({"stake_cents": "500"}, "bad_stake"),
        ({"paid_cents": None}, "bad_amount"),
        ({"paid_cents": 10**12}, "bad_amount"),
        ({"paid": {"500": 1}}, "paid_differs"),
        ({"paid": 7, "paid_cents": None}, "bad_cheques"),
        ({"bet": {"3": 1}}, "unknown_denomination"),
        ({"colour_up": 3}, "bad_colour_up"),
        ({"colour_up": []}, "bad_colour_up"),
        ({"seat": 501}, "bad_seat"),
        ({"wager": 7}, "unknown_wager"),
        ({"note": "x"}, "unknown_field"),
    ],
)
def test_what_cannot_be_read_is_refused(changes: dict[str, Any], code: str) -> None:
    with pytest.raises(Refused) as caught:
        judged(changes)
    assert code in caught.value.codes


@pytest.mark.parametrize("colour_up", [True, False, 10_000])
def test_a_payout_may_be_coloured_up_to_a_colour_of_the_players(colour_up: object) -> None:
    assert read_claim({**TRILUX, "colour_up": colour_up}).colour_up is colour_up


def test_a_payout_is_an_object() -> None:
    with pytest.raises(Refused, match="object"):
        read_claim([])


def test_a_terminal_may_say_again_what_its_table_decides() -> None:
    fields = {
        "wager": "blackjack",
        "paytable": "3:2",
        "stake_cents": 2_500,
        "player_cards": ["Th", "9d"],
        "dealer_cards": ["Tc", "8d"],
        "dealer_up": None,
        "extra": {"dealer_soft_17": "stand"},
        "paid_cents": 2_500,
        "bet": {"2500": 1},
        "colour_up": True,
        "seat": 3,
    }
    assert judged(fields).verdict is Verdict.RIGHT
    assert judged({**fields, "extra": {"dealer_soft_17": "hit"}}).verdict is Verdict.CANNOT_VERIFY


def test_a_house_table_is_known_by_its_rows() -> None:
    own = {"pair": "11:1", "suited_pair": "25:1"}
    now = at_table("face_up", side_bets={"two_card_bonus": SideBetRules(own, 500, 10_000)})
    pair = {
        "wager": "two_card_bonus",
        "stake_cents": 500,
        "player_cards": ["9c", "9d"],
        "dealer_up": None,
        "paid_cents": 5_500,
        "bet": {"500": 1},
    }
    for told in (None, own, "house"):
        assert judged({**pair, "paytable": told}, now).verdict is Verdict.RIGHT
    assert judged({**pair, "paytable": {"pair": "8:1"}}, now).verdict is Verdict.CANNOT_VERIFY


def test_the_houses_readings_decide() -> None:
    options = HouseOptions(ace_in_straight="high_only")
    ace_low = {"player_cards": ["Ac", "2d"], "dealer_up": "3s"}
    assert judged(ace_low).settlement is not None
    read = judged(ace_low, at_table(options=options))
    assert read.settlement is not None
    assert (judged(ace_low).payable_cents, read.payable_cents) == (9_000, 0)


def test_a_bet_over_the_limit_is_paid_to_the_limit_when_that_was_called() -> None:
    now = at_table(maximum_cents=100_000)
    over = {
        "wager": "blackjack",
        "stake_cents": 150_000,
        "player_cards": ["Th", "9d"],
        "dealer_cards": ["Tc", "8d"],
        "dealer_up": None,
        "paid_cents": 100_000,
        "bet": {"10000": 15},
    }
    called = judged({**over, "extra": {"pay_or_take_to_limit": True}}, now)
    assert called.verdict is Verdict.RIGHT
    uncalled = judged(over, now)
    assert uncalled.verdict is Verdict.UNDERPAID
    assert "Call the supervisor" in uncalled.working
    within = {**over, "stake_cents": 5_000, "paid_cents": 5_000, "bet": {"2500": 2}}
    assert judged({**within, "extra": {"pay_or_take_to_limit": True}}, now).payable_cents == 5_000


def test_who_must_approve_is_said_with_the_verdict() -> None:
    super_3 = {"wager": "super_3", "stake_cents": 500, "paid_cents": 45_000, "bet": {"500": 1}}
    assert set(approvals(judged(super_3))) == {
        "pays_with_100",
        "coloured_up_to_100",
        "sends_out_300",
    }
    at_100 = at_table(minimum_cents=10_000)
    main = {
        "wager": "blackjack",
        "stake_cents": 50_000,
        "player_cards": ["Th", "9d"],
        "dealer_cards": ["Tc", "8d"],
        "dealer_up": None,
        "paid_cents": 50_000,
        "bet": {"10000": 5},
    }
    assert approvals(judged(main, at_100)) == {"sends_out_300": ("supervisor",)}
    higher = replace(at_100, cut=CutOptions(approval_from_cents=100_000))
    assert approvals(judged(main, higher)) == {}


def test_long_odds_and_jackpots_are_confirmed_by_surveillance() -> None:
    ladies = {
        "wager": "lucky_ladies",
        "stake_cents": 1_000,
        "player_cards": ["Qh", "Qh"],
        "dealer_up": "Qh",
        "paid_cents": 5_000_000,
    }
    now = at_table("bet_bigger")
    missing = judged(ladies, now)
    assert codes(missing) == ["missing_meter"]
    posted = replace(now, meters={"MEGA": 5_000_000, "MAJOR": 100_000, "MINOR": 50_000})
    won = judged(ladies, posted)
    assert won.verdict is Verdict.RIGHT
    assert approvals(won)["jackpot"] == ("supervisor", "surveillance", "shift_manager")
    assert won.tax is not None
    assert won.as_answer()["tax"]["form"] == "W-2G"
    own = {"pair": "300:1"}
    face_up = at_table("face_up", side_bets={"two_card_bonus": SideBetRules(own, 500, 10_000)})
    pair = {"wager": "two_card_bonus", "stake_cents": 500, "dealer_up": None, "paid_cents": 150_000,
            "bet": {"500": 1}}  # fmt: skip
    found = judged(pair, face_up)
    assert approvals(found)["long_odds"] == ("supervisor", "surveillance")
    assert found.tax is None, "a resident's $1,500 needs no paper in 2026"
    assert "long_odds" not in approvals(
        judged(pair, replace(face_up, levels=LevelTerms(long_odds_from=301)))
    )


def test_blazing_sevens_are_paid_from_the_houses_meter_alone() -> None:
    now = at_table("blazing_7s")
    sevens = {
        "wager": "blazing_7s",
        "stake_cents": 500,
        "player_cards": ["7s", "7s"],
        "dealer_up": "7s",
        "paid_cents": 2_431_055,
        "bet": {"500": 1},
    }
    told = judged({**sevens, "extra": {"jackpot_cents": 2_431_055}}, now)
    assert set(codes(told)) == {"table_decides", "missing_meter"}
    metered = judged(sevens, replace(now, meters={"JACKPOT": 2_431_055}))
    assert metered.settlement is not None
    assert metered.settlement.payout_cents == 2_431_055
    assert metered.as_answer()["envy_cents"] > 0


def test_a_surrender_is_settled_by_the_tables_own_rule() -> None:
    surrender = {
        "wager": "bet_bigger",
        "stake_cents": 1_000,
        "player_cards": ["Th", "6d"],
        "dealer_cards": ["As", "9c"],
        "dealer_up": None,
        "extra": {"surrender": True},
        "paid_cents": 0,
    }
    late = judged(surrender, at_table("bet_bigger"))
    assert late.verdict is Verdict.RIGHT
    early = GAMES["bet_bigger"].surrender[1]
    natural = {**surrender, "dealer_cards": ["As", "Kc"]}
    assert judged(natural, at_table("bet_bigger")).as_answer()["expected_cents"] == -1_000
    half = judged(natural, at_table("bet_bigger", surrender=early))
    assert half.as_answer()["expected_cents"] == -500


def test_stadium_rounds_take_the_stadiums_own_settings() -> None:
    now = at_table("stadium")
    tie = {
        "wager": "stadium_blackjack",
        "stake_cents": 1_000,
        "player_cards": ["Th", "9d"],
        "dealer_up": "9c",
        "extra": {"community": ["Td"], "decisions": ["stand"], "insurance_cents": 0},
        "paid_cents": 0,
    }
    assert judged(tie, now).verdict is Verdict.RIGHT


def test_every_worked_case_is_judged_as_it_was_settled() -> None:
    """Where a table can offer the wager so; what it cannot is never called right by mistake."""
    verified = 0
    for line in WORKED.read_text().splitlines():
        case = json.loads(line)
        if case["wager"] == "stadium_blackjack":
            continue
        settled = settle(case)
        claim = {name: case[name] for name in CASE_FIELDS if name in case}
        claim["paid_cents"] = max(settled.payout_cents, 0)
        now = replace(at_table(_game_of(case)), tray={**TRAY, 25: 100}, meters=_meters(case))
        found = check_payout(read_claim(claim), now)
        if found.verdict is Verdict.CANNOT_VERIFY:
            assert found.reasons, case["id"]
        else:
            assert found.settlement is not None
            assert found.settlement.payout_cents == settled.payout_cents, case["id"]
            verified += 1
    assert verified > 130


def _game_of(case: Mapping[str, Any]) -> str:
    wager = "blackjack" if case["wager"] in ("insurance", "free_bet_coupon") else case["wager"]
    return next(
        game.id
        for game in GAMES.values()
        if wager in (game.main_wager, *(bet.wager for bet in game.side_bets))
    )


def _meters(case: Mapping[str, Any]) -> dict[str, int]:
    extra = case.get("extra") or {}
    meters = dict(extra.get("jackpots_cents", {}))
    if "jackpot_cents" in extra:
        meters["JACKPOT"] = extra["jackpot_cents"]
    return meters


# The table's own rules, as for a round


EIGHTS: dict[str, Any] = {
    "wager": "blackjack",
    "stake_cents": 2_000,
    "player_cards": ["8c", "8d"],
    "dealer_up": None,
    "dealer_cards": ["9s", "8h"],
    "bet": {"500": 4},
    "extra": {"split_hands": [{"cards": ["8c", "Th"]}, {"cards": ["8d", "7d"]}]},
    "paid_cents": 2_000,
}


@pytest.mark.parametrize(
    ("changes", "verdict"),
    [
        ({}, Verdict.RIGHT),
        ({"paid_cents": 0}, Verdict.UNDERPAID),
        ({"hand": 1}, Verdict.RIGHT),
        ({"hand": 2}, Verdict.OVERPAID),
        ({"hand": 2, "paid_cents": 0}, Verdict.RIGHT),
    ],
)
def test_a_hand_that_won_is_paid_whatever_the_other_lost(
    changes: dict[str, Any], verdict: Verdict
) -> None:
    found = judged({**EIGHTS, **changes})
    assert found.verdict is verdict
    assert found.as_answer()["expected_cents"] == 0, "the settlement is netted, the payout is not"


def test_insurance_is_paid_though_the_bet_beside_it_is_lost() -> None:
    insured = {
        **EIGHTS,
        "player_cards": ["Tc", "8d"],
        "dealer_cards": ["As", "Kh"],
        "extra": {"insurance_cents": 1_000},
    }
    assert judged(insured).verdict is Verdict.RIGHT
    assert judged({**insured, "paid_cents": 0}).verdict is Verdict.UNDERPAID


def test_a_hand_is_named_that_is_there() -> None:
    assert codes(judged({**EIGHTS, "hand": 3})) == ["no_such_hand"]
    assert codes(judged({"hand": 1})) == ["no_such_hand"], "a side bet has no hands"
    with pytest.raises(Refused) as refused:
        judged({**EIGHTS, "hand": 5})
    assert refused.value.codes == ("bad_hand",)


def _split_of(*hands: str) -> dict[str, Any]:
    return {**EIGHTS, "extra": {"split_hands": [{"cards": hand.split()} for hand in hands]}}


DOUBLED = {
    **EIGHTS,
    "player_cards": ["6c", "5d", "Th"],
    "extra": {"double_cents": 2_000},
    "paid_cents": 4_000,
}


@pytest.mark.parametrize(
    ("game", "limits", "claim", "code"),
    [
        ("double_deck", {}, _split_of("8c Th", "8d Td", "8h Tc"), "split_too_many"),
        ("classic", {"minimum_cents": 1_500},
         {**DOUBLED, "extra": {"double_cents": 1_000}, "paid_cents": 3_000},
         "double_under_minimum"),
        ("double_deck", {}, {**DOUBLED, "player_cards": ["Kd", "Kd"], "extra": None,
                             "dealer_cards": ["Kd", "8h"], "paid_cents": 2_000},
         "too_many_of_a_card"),
        ("classic", {}, {**DOUBLED, "player_cards": ["2h"] * 6, "extra": None,
                         "dealer_cards": ["2h", "Tc", "5d"], "paid_cents": 0},
         "too_many_of_a_card"),
        ("classic", {}, {**EIGHTS, "player_cards": ["8c", "3d", "Th"],
                         "extra": {"double_cents": 2_000, "from_split": True},
                         "paid_cents": 4_000}, None),
    ],
)  # fmt: skip
def test_a_hand_that_the_table_cannot_have_had_is_not_verified(
    game: str, limits: dict[str, Any], claim: dict[str, Any], code: str | None
) -> None:
    found = judged(claim, at_table(game, **limits))
    assert codes(found) == ([code] if code else [])
    assert found.verdict is (Verdict.CANNOT_VERIFY if code else Verdict.RIGHT)


def test_one_hand_of_split_aces_that_drew_is_no_hand_of_this_table() -> None:
    drew = {**EIGHTS, "player_cards": ["As", "5d", "5c"], "extra": {"from_split": True}}
    assert codes(judged(drew)) == ["split_ace_drew"]
    coupon = {**drew, "wager": "free_bet_coupon", "bet": None}
    assert codes(judged(coupon)) == ["split_ace_drew"]
    assert judged({**drew, "player_cards": ["As", "9d"]}).verdict is Verdict.RIGHT
    assert judged({**drew, "player_cards": ["5d", "5c", "As"]}).verdict is Verdict.RIGHT


@pytest.mark.parametrize(
    ("claim", "code"),
    [
        ({"bet": {"500": 4}}, None),
        ({"bet": {"500": 3}}, "bet_differs"),
        ({"bet": {"10000": 1}, "stake_cents": 2_500, "paid_cents": 2_500}, "bet_differs"),
        # Both hands, and a double, may be told with the bet that they were added to.
        ({"bet": {"500": 8}}, None),
        ({**DOUBLED, "bet": {"500": 8}}, None),
        ({**DOUBLED, "bet": {"500": 4}}, None),
        ({**DOUBLED, "bet": {"500": 9}}, "bet_differs"),
    ],
)
def test_the_cheques_on_a_bet_are_what_was_staked(claim: dict[str, Any], code: str | None) -> None:
    found = judged({**EIGHTS, **claim})
    assert codes(found) == ([code] if code else [])
    assert found.verdict is (Verdict.CANNOT_VERIFY if code else Verdict.RIGHT)


def test_a_bet_outside_the_limits_is_paid_with_a_warning() -> None:
    for stake_cents, code in ((2_000, "under_minimum"), (400_000, "over_maximum")):
        claim = {**EIGHTS, "stake_cents": stake_cents, "player_cards": ["Tc", "9d"],
                 "extra": None, "bet": None, "paid_cents": stake_cents}  # fmt: skip
        found = judged(claim, at_table(minimum_cents=2_500))
        assert found.verdict is Verdict.RIGHT
        assert [warning["code"] for warning in found.as_answer()["warnings"]] == [code]
    toke = {**EIGHTS, "stake_cents": 500, "player_cards": ["Tc", "9d"], "bet": None,
            "extra": {"dealer_bet": True}, "paid_cents": 500}  # fmt: skip
    assert judged(toke, at_table(minimum_cents=2_500)).warnings == ()


LADIES = {"wager": "lucky_ladies", "stake_cents": 500, "player_cards": ["Th", "Td"], "bet": None,
          "dealer_up": None, "dealer_cards": ["Th", "8h"], "paid_cents": 2_000}  # fmt: skip


@pytest.mark.parametrize(
    ("game", "claim"),
    [
        ("bet_bigger", {**EIGHTS, "wager": "bet_bigger", "stake_cents": 500, "bet": None,
                        "player_cards": ["Tc", "9d"], "paid_cents": 500, "extra": {}}),
        ("bet_bigger", LADIES),
    ],
)  # fmt: skip
def test_a_dealer_bet_that_the_table_does_not_take_is_not_verified(
    game: str, claim: dict[str, Any]
) -> None:
    table = at_table(game)
    assert judged(claim, table).verdict is Verdict.RIGHT
    toke = {**claim, "extra": {"dealer_bet": True}}
    assert codes(judged(toke, table)) == ["dealer_bet_not_taken"]


def test_insurance_and_a_raise_are_warned_of_by_the_limits_they_fall_under() -> None:
    insurance = {"wager": "insurance", "stake_cents": 500_000, "player_cards": None, "bet": None,
                 "dealer_up": None, "dealer_cards": ["As", "Kh"], "paid_cents": 1_000_000,
                 "extra": {"main_stake_cents": 1_000_000}}  # fmt: skip
    assert [warning.code for warning in judged(insurance).warnings] == ["over_maximum"]
    roof = at_table("raise_the_roof", side_bets={
        "raise_the_roof": SideBetRules("H17_6_8_B", 100, 1_000_000)}, soft_17="hit")  # fmt: skip
    raised = _roof(1_000, 5_000, 3_000_000, "6h 4h 5h 7h")
    assert judged(raised, roof).warnings == ()
    most = replace(roof.terms, rules=replace(roof.terms.rules, raise_max_cents=4_000))
    warned = judged(raised, replace(roof, terms=most))
    assert [warning.code for warning in warned.warnings] == ["raise_over_maximum"]


def test_a_spot_of_bet_bigger_is_doubled_by_what_lies_on_it() -> None:
    doubled = {
        "wager": "bet_bigger",
        "stake_cents": 500,
        "player_cards": ["6c", "5d", "Th"],
        "dealer_up": None,
        "dealer_cards": ["9s", "8h"],
        "bet": None,
        "extra": {"spots": ["2x"], "double_cents_by_bet": {"ante": 500, "2x": 250}},
        "paid_cents": 1_750,
    }
    assert judged(doubled, at_table("bet_bigger")).verdict is Verdict.RIGHT


def test_a_busted_double_needs_no_dealer_to_be_judged() -> None:
    bust = {**DOUBLED, "player_cards": ["9c", "5d", "Th"], "dealer_cards": None, "paid_cents": 0}
    assert judged(bust).verdict is Verdict.RIGHT


# Tax on a raised bet (R90), and the house's own state


def _roof(ante_cents: int, raise_cents: int, paid_cents: int, cards: str) -> dict[str, Any]:
    return {
        "wager": "raise_the_roof",
        "stake_cents": ante_cents,
        "player_cards": None,
        "dealer_up": None,
        "dealer_cards": cards.split(),
        "bet": None,
        "extra": {"raise_cents": raise_cents},
        "paid_cents": paid_cents,
    }


@pytest.mark.parametrize(
    ("case", "ante", "raised", "cards", "form", "withheld"),
    [
        ("F05", 1_000, 5_000, "6h 4h 5h 7h", "W-2G", 720_000),
        ("F06", 10_000, 50_000, "6h 4d 5h 7h", None, 0),
    ],
)
def test_the_wager_of_a_raised_bet_is_ante_and_raise(
    case: str, ante: int, raised: int, cards: str, form: str | None, withheld: int
) -> None:
    table = at_table("raise_the_roof", side_bets={
        "raise_the_roof": SideBetRules("H17_6_8_B", 100, 1_000_000)}, soft_17="hit")  # fmt: skip
    found = judged(_roof(ante, raised, 3_000_000, cards), table)
    assert found.verdict is Verdict.RIGHT, case
    assert (found.tax.form.value if found.tax and found.tax.form else None) == form
    assert (found.tax.federal_cents if found.tax else 0) == withheld


def test_a_check_shows_what_the_houses_own_state_withholds() -> None:
    posted = {"MEGA": 5_000_000, "MAJOR": 100_000, "MINOR": 50_000}
    ladies = {"wager": "lucky_ladies", "stake_cents": 1_000, "player_cards": ["Qh", "Qh"],
              "dealer_up": "Qh", "paid_cents": 5_000_000}  # fmt: skip
    now = replace(at_table("bet_bigger"), meters=posted)
    bare = judged(ladies, now).tax
    jersey = judged(ladies, replace(now, tax=HouseTax(state="NJ"))).tax
    assert bare is not None
    assert jersey is not None
    assert (bare.state_cents, jersey.state_cents > 0) == (0, True)


def test_a_metered_award_is_paid_to_the_cent() -> None:
    now = replace(at_table("blazing_7s"), meters={"JACKPOT": 2_431_047})
    sevens = {"wager": "blazing_7s", "stake_cents": 500, "player_cards": ["7s", "7s"],
              "dealer_up": "7s", "bet": None, "paid_cents": 2_431_047}  # fmt: skip
    found = judged(sevens, now)
    assert (found.verdict, found.payable_cents) == (Verdict.RIGHT, 2_431_047)
    assert found.as_answer()["breakage_cents"] == 0
