"""Which control a payout gets, and when an approval fits one."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from pitboss.rules.floor.log import own_refusals
from pitboss.rules.floor.nods import BUY_IN, PAYOUT, STANDING_INSTRUCTION, still_stands
from pitboss.rules.payouts.levels import Level, LevelTerms, Payout, approval_faults, level_of
from pitboss.rules.settings.in_force import SettingsInForce

NOW = datetime(2026, 5, 1, 21, 47, tzinfo=UTC)


@pytest.mark.parametrize(
    ("case", "payout", "level"),
    [
        ("F01", Payout(22_500, 2_500), Level.VERBAL),
        ("F02", Payout(40_500, 4_500, asks_word=True), Level.APPROVAL),
        ("F02", Payout(225_000, 2_500, asks_word=True), Level.APPROVAL),
        ("F03", Payout(1_500_000, 1_000_000, is_main=True, asks_word=True), Level.APPROVAL),
        ("F04", Payout(1_350_000, 5_000, asks_word=True), Level.BIG_WIN),
        ("F06", Payout(3_000_000, 60_000, asks_word=True), Level.BIG_WIN),
        ("F10", Payout(250_000, 500, asks_word=True), Level.BIG_WIN),
        ("a form is due", Payout(150_000, 500, owes_form=True, asks_word=True), Level.BIG_WIN),
        ("exactly 300 to 1", Payout(30_000, 100, asks_word=True), Level.BIG_WIN),
        ("just below", Payout(29_999, 100), Level.VERBAL),
        ("a share of a meter", Payout(2_431_055, 500, is_entered=True), Level.JACKPOT),
    ],
)
def test_the_highest_control_that_applies_is_asked(case: str, payout: Payout, level: Level) -> None:
    assert level_of(payout, LevelTerms()) is level, case


def test_a_main_bet_is_a_big_win_only_where_the_house_says_from_when() -> None:
    payout = Payout(1_500_000, 1_000_000, is_main=True, asks_word=True)
    for from_cents, level in ((1_500_000, Level.BIG_WIN), (1_500_001, Level.APPROVAL)):
        assert level_of(payout, LevelTerms(main_from_cents=from_cents)) is level


@pytest.mark.parametrize(
    ("change", "codes"),
    [
        ({}, []),
        ({"check": 813}, ["approval_other_check"]),
        ({"paid_cents": 45_000}, ["approval_other_amount"]),
        ({"is_used": True}, ["approval_used"]),
        ({"now": NOW + timedelta(minutes=5)}, []),
        ({"now": NOW + timedelta(minutes=5, seconds=1)}, ["approval_expired"]),
        ({"granted_at": None}, ["approval_missing"]),
    ],
)
def test_a85_an_approval_fits_one_check_and_amount_once_for_five_minutes(
    change: dict[str, Any], codes: list[str]
) -> None:
    fits: dict[str, Any] = {
        "check": 812,
        "paid_cents": 40_500,
        "granted_at": NOW,
        "is_used": False,
        "now": NOW,
        "expires": timedelta(minutes=5),
    }
    faults = approval_faults({"check": 812, "amount_cents": 40_500}, **{**fits, **change})
    assert [fault.code for fault in faults] == codes


def test_a_standing_approval_ends_after_its_minutes_or_with_the_shift() -> None:
    hour = {"what": "payout", "up_to_cents": 100_000, "minutes": 60}
    assert still_stands(hour, NOW, NOW + timedelta(minutes=59))
    assert not still_stands(hour, NOW, NOW + timedelta(minutes=60))
    assert still_stands({"what": "payout"}, NOW, NOW + timedelta(hours=7))
    says = STANDING_INSTRUCTION.sentence
    assert says(hour) == "Payout up to $1,000 needs no word for 60 minutes."
    assert says({"what": "dealer_cut"}).endswith("until the shift ends.")


def test_the_house_decides_from_when_a_payout_is_big() -> None:
    assert SettingsInForce({}).level_terms == LevelTerms()
    own = SettingsInForce({"bigwin.main_from": 2_500_000, "bigwin.amount_from": 500_000})
    assert own.level_terms == LevelTerms(big_from_cents=500_000, main_from_cents=2_500_000)


def test_the_cheques_of_a_payout_are_those_that_its_check_has_cut() -> None:
    ground: Any = None
    facts = {"check": 812, "amount_cents": 40_500, "bet": "TriLux"}
    assert PAYOUT.sends(facts, ground) == {}
    sent = PAYOUT.sends({**facts, "cheques": {"10000": 4, "500": 1}}, ground)
    assert sent == {10_000: 4, 500: 1}
    assert PAYOUT.amount(facts) == 40_500


def test_a_payout_is_approved_only_where_the_table_asks() -> None:
    assert [refusal.code for refusal in own_refusals(PAYOUT)] == ["only_answered"]
    assert own_refusals(BUY_IN) == []
    facts = {"check": 812, "amount_cents": 40_500, "bet": "TriLux", "seat": 4}
    assert PAYOUT.sentence(facts) == "Payout of $405 on TriLux, seat 4."
    assert PAYOUT.sentence({**facts, "cheques": {}} | {"seat": 2}).endswith("seat 2.")
    del facts["seat"]
    assert PAYOUT.sentence(facts) == "Payout of $405 on TriLux."
