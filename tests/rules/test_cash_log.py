"""What a day's cash leads to, and who may log it: one allowed entry, and every single change."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from pitboss.rules.flows.flows import REASON_MAX
from pitboss.rules.patrons.cash_log import (
    AMOUNT_MAX_CENTS,
    DESCRIPTION_MAX,
    DESCRIPTION_MIN,
    KEYED_AT,
    CashFacts,
    CashKind,
    CashLevel,
    CashPolicy,
    Direction,
    Outlook,
    amount_refusals,
    asks_who,
    description_refusals,
    entry_refusals,
    who_refusals,
)
from pitboss.rules.patrons.compliance import (
    NOTE_MAX,
    ClosingFacts,
    MatchFacts,
    ReportOutcome,
    behalf_refusals,
    closing_refusals,
    match_refusals,
    note_refusals,
)
from pitboss.rules.roles import Place, Role

POLICY = CashPolicy()
MAY_1 = date(2026, 5, 1)
BUY_IN = CashFacts(
    kind=CashKind.BUY_IN,
    amount_cents=50_000,
    keyed_by="A. Alison",
    role=Role.SUPERVISOR,
    place=Place.PIT,
    pit_id=1,
    device_pit_id=1,
    knows_patron=True,
    is_described=False,
    described_on=None,
    gaming_day=MAY_1,
    shown_is_current=True,
    level=CashLevel.QUIET,
    confirmed=False,
)
AT_THE_CAGE = replace(BUY_IN, place=Place.CAGE, pit_id=None, device_pit_id=None, role=Role.CASHIER)


@pytest.mark.parametrize(
    ("before", "amount", "level"),
    [
        (0, 299_999, CashLevel.QUIET),
        (0, 300_000, CashLevel.LOGGED),
        (299_999, 1, CashLevel.LOGGED),
        (0, 799_999, CashLevel.LOGGED),
        (0, 800_000, CashLevel.NEAR),
        # More than the limit is reported, the limit itself is not.
        (500_000, 500_000, CashLevel.NEAR),
        (500_000, 500_001, CashLevel.CROSSES),
        (600_000, 500_000, CashLevel.CROSSES),
        (0, 1_000_001, CashLevel.CROSSES),
        (1_000_000, 1, CashLevel.CROSSES),
        (1_000_001, 1, CashLevel.OVER),
    ],
)
def test_a_transaction_brings_the_day_so_near_to_a_report(
    before: int, amount: int, level: CashLevel
) -> None:
    outlook = Outlook(POLICY, Direction.IN, before, amount)
    assert outlook.level == level
    assert outlook.needs_confirmation == (level == CashLevel.CROSSES)
    assert outlook.after_cents == before + amount
    assert bool(outlook.sentence) == (level != CashLevel.QUIET)


def test_what_a_house_sets_moves_every_level() -> None:
    policy = CashPolicy(log_from_cents=1, near_cents=2, report_over_cents=3, report_days=2)
    assert [policy.level(0, amount) for amount in (1, 2, 3, 4)] == [
        CashLevel.LOGGED,
        CashLevel.NEAR,
        CashLevel.NEAR,
        CashLevel.CROSSES,
    ]
    assert policy.due_on(MAY_1) == date(2026, 5, 3)


def test_a_report_is_due_fifteen_days_after_the_gaming_day() -> None:
    assert POLICY.due_on(MAY_1) == date(2026, 5, 16)


def test_the_staff_are_told_what_to_do_and_what_never_to_say() -> None:
    said = {
        level: Outlook(POLICY, Direction.OUT, before, 100_000).sentence
        for before, level in (
            (1_000_100, CashLevel.OVER),
            (950_000, CashLevel.CROSSES),
            (800_000, CashLevel.NEAR),
            (250_000, CashLevel.LOGGED),
        )
    }
    assert "cash out is already over $10,000" in said[CashLevel.OVER]
    assert "Don’t tell them what the limit is" in said[CashLevel.CROSSES]
    assert said[CashLevel.NEAR].startswith("They’re $1,000 from the CTR limit")
    assert said[CashLevel.LOGGED].startswith("Cash of $3,000 or more")


def test_cash_goes_in_for_buy_ins_and_payments_and_out_for_all_else() -> None:
    assert {kind for kind in CashKind if kind.direction == Direction.IN} == {
        CashKind.BUY_IN,
        CashKind.MARKER_PAYMENT,
        CashKind.DEPOSIT,
        CashKind.WAGER,
        CashKind.EXCHANGE_IN,
        CashKind.CHECK_BOUGHT,
        CashKind.WIRE_OUT,
        CashKind.FOREIGN_IN,
        CashKind.OTHER_IN,
    }
    assert Direction.OUT.label == "cash out"
    assert [kind.label for kind in CashKind][:8] == [
        "buy-in",
        "marker payment",
        "cash-out",
        "marker advance",
        "jackpot paid in cash",
        "deposit in cash",
        "withdrawal in cash",
        "comp paid in cash",
    ]


@pytest.mark.parametrize("facts", [BUY_IN, AT_THE_CAGE])
def test_the_baselines_are_allowed(facts: CashFacts) -> None:
    assert entry_refusals(facts) == []


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"role": Role.DEALER}, "wrong_role"),
        ({"role": Role.CASHIER}, "wrong_role"),
        ({"role": Role.COMPLIANCE}, "wrong_role"),
        ({"place": Place.OFFICE}, "wrong_place"),
        ({"pit_id": None, "device_pit_id": None}, "wrong_place"),
        ({"device_pit_id": 2}, "wrong_pit"),
        ({"kind": CashKind.MARKER_PAYMENT}, "kind_not_keyed"),
        ({"kind": CashKind.JACKPOT}, "kind_not_keyed"),
        ({"kind": CashKind.MARKER_ADVANCE}, "kind_not_keyed"),
        ({"amount_cents": 0}, "amount_malformed"),
        ({"amount_cents": -100}, "amount_malformed"),
        ({"amount_cents": AMOUNT_MAX_CENTS + 1}, "amount_malformed"),
        ({"knows_patron": False}, "who_missing"),
        ({"is_described": True}, "who_missing"),
        (
            {"knows_patron": False, "is_described": True, "described_on": date(2026, 4, 30)},
            "described_another_day",
        ),
        ({"shown_is_current": False}, "stale_screen"),
        ({"level": CashLevel.CROSSES}, "warning_unseen"),
    ],
)
def test_one_change_is_one_reason_to_refuse_an_entry(change: dict[str, Any], expected: str) -> None:
    assert [refusal.code for refusal in entry_refusals(replace(BUY_IN, **change))] == [expected]


@pytest.mark.parametrize(
    "change",
    [
        {"role": Role.SHIFT_MANAGER},
        {"device_pit_id": None},
        {"kind": CashKind.CASH_OUT},
        {"amount_cents": AMOUNT_MAX_CENTS},
        {"knows_patron": False, "is_described": True},
        {"knows_patron": False, "is_described": True, "described_on": MAY_1},
        {"level": CashLevel.CROSSES, "confirmed": True},
        {"level": CashLevel.OVER},
    ],
)
def test_some_changes_still_allow_an_entry(change: dict[str, Any]) -> None:
    assert entry_refusals(replace(BUY_IN, **change)) == []


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"role": Role.SUPERVISOR}, ["wrong_role"]),
        ({"pit_id": 1}, ["wrong_place"]),
        ({"kind": CashKind.JACKPOT}, ["kind_not_keyed"]),
        ({"kind": CashKind.MARKER_ADVANCE}, []),
    ],
)
def test_the_cage_logs_what_happens_at_its_window(
    change: dict[str, Any], expected: list[str]
) -> None:
    found = [refusal.code for refusal in entry_refusals(replace(AT_THE_CAGE, **change))]
    assert found == expected


def test_what_people_key_is_never_what_another_act_writes() -> None:
    assert set(CashKind) - KEYED_AT.keys() == {
        CashKind.MARKER_PAYMENT,
        CashKind.JACKPOT,
        CashKind.DEPOSIT,
        CashKind.WITHDRAWAL,
        CashKind.COMP,
    }


def test_an_amount_is_at_least_a_cent() -> None:
    assert amount_refusals(1) == []
    assert [refusal.code for refusal in amount_refusals(0)] == ["amount_malformed"]


@pytest.mark.parametrize(
    ("description", "expected"),
    [
        ("Man, 50s, 6 ft, heavy, gray beard, red jacket", []),
        ("x" * (DESCRIPTION_MIN - 1), ["description_too_short"]),
        ("x" * DESCRIPTION_MIN, []),
        ("", ["description_too_short"]),
        ("x" * DESCRIPTION_MAX, []),
        ("x" * (DESCRIPTION_MAX + 1), ["description_too_long"]),
        ("a man with a \x00 in his name", ["text_malformed"]),
    ],
)
def test_a_description_is_good_enough_to_know_somebody_again(
    description: str, expected: list[str]
) -> None:
    assert [refusal.code for refusal in description_refusals(description)] == expected


FIRST_MATCH = MatchFacts(
    person_id=1,
    role=Role.SUPERVISOR,
    reason="She showed her player card.",
    patron_id=7,
    stands_patron_id=None,
    stands_by_id=None,
)
CHANGED_MATCH = replace(
    FIRST_MATCH, role=Role.COMPLIANCE, person_id=2, stands_patron_id=8, stands_by_id=1
)

CONFIRMED_MATCH = replace(
    FIRST_MATCH, role=Role.PIT_MANAGER, person_id=2, stands_patron_id=7, stands_by_id=1
)


@pytest.mark.parametrize(
    ("facts", "change", "expected"),
    [
        (FIRST_MATCH, {}, []),
        (FIRST_MATCH, {"role": Role.CASHIER}, []),
        (FIRST_MATCH, {"role": Role.COMPLIANCE}, []),
        (FIRST_MATCH, {"role": Role.DEALER}, ["wrong_role"]),
        (FIRST_MATCH, {"reason": ""}, ["reason_missing"]),
        (FIRST_MATCH, {"reason": "x" * REASON_MAX}, []),
        (FIRST_MATCH, {"reason": "x" * (REASON_MAX + 1)}, ["reason_too_long"]),
        (FIRST_MATCH, {"reason": "\ud800"}, ["text_malformed"]),
        (FIRST_MATCH, {"patron_id": None}, ["nothing_changes"]),
        (CHANGED_MATCH, {}, []),
        (CHANGED_MATCH, {"patron_id": None}, []),
        (CHANGED_MATCH, {"patron_id": 8}, ["nothing_changes"]),
        (CHANGED_MATCH, {"role": Role.SUPERVISOR}, ["match_stands"]),
        (CHANGED_MATCH, {"person_id": 1}, ["signed_before"]),
        (CONFIRMED_MATCH, {}, []),
        (CONFIRMED_MATCH, {"role": Role.SHIFT_MANAGER}, []),
        (CONFIRMED_MATCH, {"role": Role.SUPERVISOR}, ["nothing_changes"]),
        (CONFIRMED_MATCH, {"is_confirmed": True}, ["nothing_changes"]),
        (CONFIRMED_MATCH, {"person_id": 1}, ["signed_before"]),
        (CONFIRMED_MATCH, {"is_same_day": False}, ["match_too_late"]),
    ],
)
def test_one_change_is_one_reason_to_refuse_a_match(
    facts: MatchFacts, change: dict[str, Any], expected: list[str]
) -> None:
    assert [refusal.code for refusal in match_refusals(replace(facts, **change))] == expected


NOT_DUE = ClosingFacts(
    role=Role.COMPLIANCE,
    gaming_day=MAY_1,
    today=date(2026, 5, 4),
    is_due=False,
    reason="One entry was keyed twice.",
)


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({}, []),
        ({"role": Role.SHIFT_MANAGER}, ["wrong_role"]),
        ({"today": MAY_1}, ["day_still_runs"]),
        ({"is_due": True}, ["report_is_due"]),
        ({"reason": ""}, ["reason_missing"]),
        ({"reason": "x" * (REASON_MAX + 1)}, ["reason_too_long"]),
    ],
)
def test_one_change_is_one_reason_to_refuse_the_end_of_a_report(
    change: dict[str, Any], expected: list[str]
) -> None:
    assert [refusal.code for refusal in closing_refusals(replace(NOT_DUE, **change))] == expected
    assert [outcome.label for outcome in ReportOutcome] == ["filed", "not due"]


def test_one_change_is_one_reason_to_refuse_on_whose_behalf_cash_was() -> None:
    facts = {"is_own": False, "is_same": False, "is_standing": True}

    def codes(role: Role = Role.CASHIER, **change: bool) -> list[str]:
        return [refusal.code for refusal in behalf_refusals(role, **{**facts, **change})]

    assert codes() == []
    assert codes(Role.SECURITY) == ["wrong_role"]
    assert codes(is_own=True) == ["behalf_is_own"]
    assert codes(is_same=True) == ["nothing_changes"]
    assert codes(is_standing=False) == ["already_reversed"]


@pytest.mark.parametrize(
    ("role", "text", "expected"),
    [
        (Role.DEALER, "He asked how much he may pay before papers are made.", []),
        (Role.SHIFT_MANAGER, "The same bills came back.", []),
        (Role.CASHIER, "Two people, one envelope.", []),
        (Role.SECURITY, "The same bills came back.", ["wrong_role"]),
        (Role.COMPLIANCE, "The same bills came back.", ["wrong_role"]),
        (Role.DEALER, "", ["reason_missing"]),
        (Role.DEALER, "x" * (NOTE_MAX + 1), ["reason_too_long"]),
    ],
)
def test_a_note_is_written_by_the_pit_and_the_cage(
    role: Role, text: str, expected: list[str]
) -> None:
    assert [refusal.code for refusal in note_refusals(role, text)] == expected


@pytest.mark.parametrize(
    ("amount_cents", "is_told", "expected"),
    [(249_999, False, []), (250_000, True, []), (250_000, False, ["who_missing"])],
)
def test_cash_from_the_amount_that_asks_who_is_taken_from_somebody(
    amount_cents: int, is_told: bool, expected: list[str]
) -> None:
    found = who_refusals(CashPolicy(), amount_cents, is_told=is_told)
    assert [refusal.code for refusal in found] == expected


def test_a138_who_must_be_named_by_one_amount_or_by_what_came_at_one_seat() -> None:
    policy = CashPolicy()
    assert not asks_who(policy, 249_999)
    assert asks_who(policy, 250_000)
    assert not asks_who(policy, 150_000, 149_999)
    assert asks_who(policy, 150_000, 150_000)
    assert who_refusals(policy, 990_000, is_told=True) == []
    assert [refusal.code for refusal in who_refusals(policy, 990_000, is_told=False)] == [
        "who_missing"
    ]
    assert who_refusals(policy, 100_000, is_told=False) == []
    # F23 and F24: each direction alone, and the limit itself is not over it.
    assert policy.level(600_000, 400_000) is CashLevel.NEAR
    assert policy.level(600_000, 400_001) is CashLevel.CROSSES
    assert policy.level(0, 900_000) is CashLevel.NEAR
