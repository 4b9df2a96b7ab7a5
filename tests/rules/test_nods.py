"""What a dealer waits for a supervisor's word on, and what needs none."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from pitboss.rules.drop.figures import Documents, Figures
from pitboss.rules.floor.book import FLOOR_KINDS, floor_kind
from pitboss.rules.floor.fields import (
    Cheques,
    Day,
    DayAndTime,
    Each,
    Field,
    Money,
    Number,
    Pick,
    Several,
    Text,
    TimeOfDay,
    Words,
    Yes,
    read_facts,
    told,
)
from pitboss.rules.floor.log import (
    By,
    FloorKind,
    Ground,
    LogGroup,
    LogOutcome,
    SignedWhen,
    decline_refusals,
    entry_refusals,
    request_refusals,
)
from pitboss.rules.floor.nods import covers
from pitboss.rules.games.table_setup import CardProfile
from pitboss.rules.refusal import Refused
from pitboss.rules.roles import Place, Role
from pitboss.rules.settings.in_force import SettingsInForce

DAY = date(2026, 5, 1)
TRAY = {100_000: 10, 50_000: 20, 10_000: 60, 2_500: 100, 500: 100, 100: 40}
GROUND = Ground("BJ-11", True, 2_500, DAY, SettingsInForce({}), TRAY)
ALICE = By("A. Aliceson", Role.SUPERVISOR, Place.PIT, 1, 1, is_signed=False)
COUPON = {
    "face_cents": 2_500,
    "coupon_initials": "AA",
    "coupon_badge": "101",
    "dated": "2026-05-01",
    "bet": "even",
}


def judged(code: str, given: dict[str, Any], ground: Ground = GROUND, by: By = ALICE) -> list[str]:
    """Return the codes by which an entry is refused, read from what was given."""
    kind = FLOOR_KINDS[code]
    return [
        refusal.code for refusal in entry_refusals(kind, read_facts(kind.asks, given), ground, by)
    ]


def codes_of(kind: FloorKind | Field, given: Any) -> tuple[str, ...]:
    with pytest.raises(Refused) as caught:
        read_facts(kind.asks if isinstance(kind, FloorKind) else (kind,), given)
    return caught.value.codes


ALLOWED: list[tuple[str, dict[str, Any]]] = [
    ("buy_in", {"amount_cents": 30_000}),
    ("cheque_change", {"taken": {"10000": 1}, "sent": {"2500": 4}}),
    ("cheque_change", {"taken": {"2500": 4}, "sent": {"10000": 1}}),
    ("cheque_change", {"taken": {"2500": 12}, "sent": {"500": 60}}),
    ("colour_up", {"taken": {"2500": 4}, "colour": "10000"}),
    ("colour_up", {"taken": {"2500": 40}, "colour": "10000"}),
    ("toke_box", {"cheques": {"10000": 1}}),
    ("toke_box", {"cheques": {"10000": 1, "500": 2}}),
    ("toke_change", {"taken": {"500": 20}, "sent": {"2500": 4}}),
    # Verified of any amount: manual, lines 464 and 997.
    ("toke_change", {"taken": {"500": 10}, "sent": {"2500": 2}}),
    ("colour_up", {"taken": {"100": 25}, "colour": "2500"}),
    ("touch_tray", {"why": "lammer"}),
    ("coupon", COUPON),
    ("coupon", {**COUPON, "dated": "2026-04-30", "redated": True}),
    ("dealer_cut", {}),
    ("dead_spread", {}),
    ("standing", {"what": "buy_in", "up_to_cents": 100_000}),
    ("standing", {"what": "dealer_cut"}),
]
REFUSED: list[tuple[str, dict[str, Any], list[str]]] = [
    ("buy_in", {"amount_cents": 29_900}, ["nod_not_needed"]),
    ("buy_in", {"amount_cents": 50_050}, ["odd_cents"]),
    ("buy_in", {"amount_cents": 300_000}, ["signature_missing"]),
    ("cheque_change", {"taken": {"2500": 11}, "sent": {"500": 55}}, ["nod_not_needed"]),
    ("cheque_change", {"taken": {"10000": 2}, "sent": {"2500": 4}}, ["change_unequal"]),
    ("cheque_change", {"taken": {"2500": 12}, "sent": {"500": 50}}, ["change_unequal"]),
    ("cheque_change", {"taken": {"10000": 2}, "sent": {"10000": 2}}, ["nothing_changes"]),
    ("colour_up", {"taken": {"2500": 3}, "colour": "10000"}, ["too_little_for_colour"]),
    ("colour_up", {"taken": {"10000": 5}, "colour": "10000"}, ["no_colour_up"]),
    ("colour_up", {"taken": {"10000": 1, "2500": 4}, "colour": "10000"}, ["no_colour_up"]),
    ("toke_box", {"cheques": {"2500": 8}}, ["nod_not_needed"]),
    ("toke_change", {"taken": {"500": 25}, "sent": {"2500": 4}}, ["change_unequal"]),
    ("toke_change", {"taken": {"500": 20}, "sent": {"2500": 3}}, ["change_unequal"]),
    ("coupon", {**COUPON, "dated": "2026-04-30"}, ["coupon_not_redated"]),
    ("coupon", {**COUPON, "dated": "2026-05-02"}, ["coupon_dated_ahead"]),
    ("coupon", {**COUPON, "coupon_initials": "A"}, ["coupon_initials_malformed"]),
    ("coupon", {**COUPON, "coupon_initials": "A1"}, ["coupon_initials_malformed"]),
    ("coupon", {**COUPON, "coupon_badge": "1 01"}, ["coupon_badge_malformed"]),
    ("coupon", {**COUPON, "coupon_badge": "１０１"}, ["coupon_badge_malformed"]),
    ("standing", {"what": "buy_in"}, ["up_to_missing"]),
    ("standing", {"what": "buy_in", "up_to_cents": 300_000}, ["standing_too_high"]),
    ("standing", {"what": "buy_in", "up_to_cents": 2_500_001}, ["standing_too_high"]),
    ("standing_end", {"what": "buy_in"}, ["nothing_stands"]),
]


@pytest.mark.parametrize(("code", "given"), ALLOWED)
def test_what_the_manual_asks_a_nod_for_is_granted_by_a_tap(
    code: str, given: dict[str, Any]
) -> None:
    assert judged(code, given) == []
    assert FLOOR_KINDS[code].sentence(read_facts(FLOOR_KINDS[code].asks, given)).endswith(".")


@pytest.mark.parametrize(("code", "given", "refusals"), REFUSED)
def test_each_nod_is_refused_by_its_own_rule(
    code: str, given: dict[str, Any], refusals: list[str]
) -> None:
    assert judged(code, given) == refusals


@pytest.mark.parametrize(
    ("code", "given"), [("dealer_cut", {}), ("dead_spread", {}), ("touch_tray", {"why": "count"})]
)
def test_nobody_cuts_or_spreads_while_a_round_is_on(code: str, given: dict[str, Any]) -> None:
    assert judged(code, given, replace(GROUND, has_round=True)) == ["round_is_on"]


def test_a_continuous_shuffler_is_not_broken_down_on_a_dead_game() -> None:
    continuous = replace(GROUND, cards=CardProfile.CONTINUOUS)
    assert judged("dead_spread", {}, continuous) == ["continuous_stays"]
    assert judged("touch_tray", {"why": "count"}, continuous) == []


def test_a_closing_notice_is_said_once_and_taken_back_once() -> None:
    said = replace(GROUND, standing=frozenset({"closing_notice"}))
    for code, at in (("closing_notice", GROUND), ("closing_withdrawn", said)):
        assert judged(code, {}, at) == []
        assert FLOOR_KINDS[code].sentence({}).startswith("The table ")
    assert judged("closing_notice", {}, said) == ["closing_said"]
    assert judged("closing_withdrawn", {}) == ["no_closing_said"]


def test_a_closed_table_needs_no_nod_and_somebody_else_gives_none() -> None:
    assert judged("dealer_cut", {}, replace(GROUND, is_open=False)) == ["table_closed"]
    assert judged("dealer_cut", {}, by=replace(ALICE, role=Role.DEALER)) == ["wrong_role"]
    assert judged("dealer_cut", {}, by=replace(ALICE, place=Place.CAGE)) == ["wrong_place"]
    assert judged("dealer_cut", {}, by=replace(ALICE, device_pit_id=2)) == ["wrong_pit"]
    assert judged("dealer_cut", {}, by=replace(ALICE, device_pit_id=None)) == []
    assert judged("dealer_cut", {}, by=replace(ALICE, role=Role.SHIFT_MANAGER)) == []


def test_the_second_amount_is_signed_unless_the_house_asks_for_none() -> None:
    big = {"amount_cents": 300_000}
    kind = FLOOR_KINDS["buy_in"]
    (unsigned,) = entry_refusals(kind, big, GROUND, ALICE)
    assert (
        unsigned.message
        == "Buy-in or change of $3,000 or more needs a signature. Enter your badge and PIN."
    )
    assert kind.outcome is LogOutcome.GRANTED
    assert judged("buy_in", big, by=replace(ALICE, is_signed=True)) == []
    never = replace(GROUND, settings=SettingsInForce({"nod.signed_from": None}))
    assert judged("buy_in", big, never) == []
    assert judged("standing", {"what": "buy_in", "up_to_cents": 500_000}, never) == []


def test_a_pit_manager_signs_a_standing_approval_of_what_is_signed() -> None:
    high = {"what": "buy_in", "up_to_cents": 300_000}
    manager = replace(ALICE, role=Role.PIT_MANAGER)
    assert judged("standing", high, by=manager) == ["signature_missing"]
    assert judged("standing", high, by=replace(manager, is_signed=True)) == []


def test_a_kind_that_is_always_signed_says_so() -> None:
    kind = FloorKind("x", "Keys", LogGroup.INCIDENT, signed=SignedWhen.ALWAYS, is_approval=False)
    refusals = entry_refusals(kind, {}, GROUND, ALICE)
    assert [refusal.message for refusal in refusals] == [
        "Keys needs a signature. Enter your badge and PIN."
    ]
    assert kind.outcome is LogOutcome.NOTED
    assert kind.sentence({}) == "Keys."


def test_a_kind_without_words_of_its_own_tells_its_answers() -> None:
    asks = (Number(name="count", label="Cards", most=52), Yes(name="torn", label="Torn"))
    kind = FloorKind("x", "Cards dropped", LogGroup.INCIDENT, asks)
    assert kind.sentence({"count": 3, "torn": True}) == "Cards dropped: cards 3; torn yes."
    assert kind.sends({}, GROUND) == {}
    assert {group.heading for group in LogGroup} >= {"Approve", "Incidents"}


def test_the_cheques_to_send_are_the_guides_for_the_tables_minimum() -> None:
    buy_in = FLOOR_KINDS["buy_in"].sends
    assert buy_in({"amount_cents": 100_000}, GROUND) == {10_000: 5, 2_500: 20}
    five = replace(GROUND, minimum_cents=500)
    assert buy_in({"amount_cents": 30_000}, five) == {2_500: 8, 500: 20}
    # The book knows the tray as it was counted last: what it lacks may lie there by now.
    empty = replace(GROUND, tray={})
    assert buy_in({"amount_cents": 100_000}, empty) == {10_000: 5, 2_500: 20}


def test_a_colour_up_sends_the_wished_colour_and_what_is_below_it() -> None:
    colour_up = FLOOR_KINDS["colour_up"].sends
    facts = {"taken": {"2500": 50}, "colour": "10000"}
    assert colour_up(facts, GROUND) == {10_000: 12, 2_500: 2}
    assert colour_up(facts, replace(GROUND, tray={})) == {10_000: 12, 2_500: 2}
    assert colour_up({**facts, "colour": "500000"}, GROUND) == {}
    change = {"taken": {"10000": 1}, "sent": {"2500": 4}}
    assert FLOOR_KINDS["cheque_change"].sends(change, GROUND) == {2_500: 4}


def test_a_higher_cheque_of_the_house_lifts_what_needs_a_nod() -> None:
    lifted = replace(GROUND, settings=SettingsInForce({"approval.cheque_from": 50_000}))
    assert judged("toke_box", {"cheques": {"10000": 1}}, lifted) == ["nod_not_needed"]


def test_a_standing_instruction_covers_what_is_within_its_amount() -> None:
    cut = FLOOR_KINDS["dealer_cut"]
    assert covers(cut, {}, {"what": "dealer_cut"})
    standing = replace(GROUND, standing=frozenset({"buy_in"}))
    assert judged("standing_end", {"what": "buy_in"}, standing) == []
    end = FLOOR_KINDS["standing_end"]
    assert end.sentence({"what": "buy_in"}) == "Buy-in or change needs a word again."
    given = {"what": "buy_in", "up_to_cents": 100_000}
    assert FLOOR_KINDS["standing"].sentence(given) == (
        "Buy-in or change up to $1,000 needs no word until the shift ends."
    )


def test_a_coupon_on_a_bet_that_pays_odds_says_what_the_player_was_told() -> None:
    facts = read_facts(FLOOR_KINDS["coupon"].asks, {**COUPON, "bet": "odds", "redated": True})
    sentence = FLOOR_KINDS["coupon"].sentence(facts)
    assert sentence.startswith("Coupon of $25 on a bet that pays odds, at even money: AA, badge")
    assert sentence.endswith("date corrected.")
    assert FLOOR_KINDS["coupon"].sentence(COUPON) == "Coupon of $25: AA, badge 101, May 1, 2026."
    assert FLOOR_KINDS["coupon"].amount(facts) == 2_500


def test_a_terminal_does_not_give_instructions() -> None:
    standing = FLOOR_KINDS["standing"]
    assert [r.code for r in request_refusals(standing, {}, GROUND)] == ["not_for_terminals"]
    assert request_refusals(FLOOR_KINDS["dealer_cut"], {}, GROUND) == []
    with pytest.raises(Refused, match="entry not found"):
        floor_kind(["buy_in"])


def test_a_no_says_why_in_a_few_words() -> None:
    assert [r.code for r in decline_refusals(" ")] == ["reason_missing"]
    assert [r.code for r in decline_refusals("x" * 201)] == ["reason_too_long"]
    assert decline_refusals("x" * 200) == []


MONEY = Money(name="m", label="Cash")
FIELDS: list[tuple[Field, object]] = [
    (MONEY, "a lot"),
    (MONEY, True),
    (MONEY, 0),
    (MONEY, 100_000_001),
    (Cheques(name="m", label="In"), {"2500": 0}),
    (Words(name="m", label="Note"), 5),
    (Text(name="m", label="List"), 5),
    (Words(name="m", label="Note", most=4), "12345"),
    (Words(name="m", label="Note"), "\x00"),
    (Words(name="m", label="Note"), "bell\x07"),
    (Pick(name="m", label="To", choices={"a": "A"}), "b"),
    (Pick(name="m", label="To", choices={"a": "A"}), ["a"]),
    (Day(name="m", label="Dated"), "yesterday"),
    (Day(name="m", label="Dated"), 5),
    (DayAndTime(name="m", label="Time"), "at noon"),
    (DayAndTime(name="m", label="Time"), 5),
    (DayAndTime(name="m", label="Time"), "9999-12-31T23:59-05:00"),
    (DayAndTime(name="m", label="Time"), "0001-01-01T00:00"),
    (TimeOfDay(name="m", label="Told at"), "25:00"),
    (TimeOfDay(name="m", label="Told at"), 5),
    (Figures(name="m", label="Figures"), "60"),
    (Several(name="m", label="Carried over"), "slip:F-3"),
    (Several(name="m", label="Carried over"), [3]),
    (Each(name="m", label="Seals"), "77-1"),
    (Each(name="m", label="Seals"), {"a": 1}),
    (Documents(name="m", label="Documents"), 5),
    (Yes(name="m", label="So"), "maybe"),
    (Number(name="m", label="Cards", most=5), "6"),
    (Number(name="m", label="Cards"), "six"),
    (Number(name="m", label="Cards"), True),
]


@pytest.mark.parametrize(("field", "raw"), FIELDS)
def test_what_a_field_cannot_read_is_refused_by_its_name(field: Field, raw: object) -> None:
    assert codes_of(field, {"m": raw}) == ("m_malformed",)


def test_every_reason_is_told_at_once_and_strange_answers_are_refused() -> None:
    given = {"taken": {}, "sent": {"7": 1}, "tip": 1}
    assert codes_of(FLOOR_KINDS["cheque_change"], given) == (
        "taken_missing",
        "unknown_denomination",
        "not_asked",
    )


def test_what_was_read_is_told_in_words() -> None:
    asks = (
        MONEY,
        Cheques(name="c", label="In"),
        Words(name="w", label="Note"),
        Pick(name="p", label="To", choices={"a": "the first"}),
        Day(name="d", label="Dated"),
        DayAndTime(name="t", label="Time"),
        TimeOfDay(name="o", label="Told at"),
        Figures(name="f", label="Figures"),
        Documents(name="e", label="Documents"),
        Several(name="s", label="Carried over"),
        Each(name="x", label="Seals"),
        Yes(name="y", label="So"),
        Number(name="n", label="Took", unit="s"),
    )
    given = {"m": "1,250.50", "c": {2500: 4}, "w": " a  b ", "p": "a", "d": "2026-05-01"}
    given |= {"t": "2026-05-01T10:05", "o": "9:05", "f": {"cash_2000": 6_000}, "e": "m-31 f-3"}
    given |= {"s": ["a b", "c"], "x": {"06-R-0001": "77-1"}}
    facts = read_facts(asks, {**given, "y": "yes", "n": " 5 "})
    assert [words for _, words in told(asks, facts)] == [
        "$1,250.50",
        "4 × $25 green, $100",
        "a b",
        "the first",
        "May 1, 2026",
        "May 1, 2026, 10:05",
        "09:05",
        "$60",
        "F-3, M-31",
        "a, b, c",
        "06-R-0001 77-1",
        "yes",
        "5 s",
    ]
    assert told(asks, {"m": 100}) == [("Cash", "$1")]
    assert Yes(name="y", label="So").words(False) == "no"
    assert Words(name="w", label="Note").words("a") == "a"


def test_a_field_takes_what_lies_on_its_limits() -> None:
    number = Number(name="n", label="Cards", least=2, most=5)
    assert [number.read(item) for item in (2, "5")] == [2, 5]
    assert Words(name="w", label="Note", most=4).read("1234") == "1234"


@pytest.mark.parametrize("cheque_cents", [500, 10_000, 500_000])
def test_a123_five_tokes_for_one_cheque_are_granted_by_a_tap_below_any_cheque(
    cheque_cents: int,
) -> None:
    """Of any amount (manual, line 997): no setting makes a color change of tokes need no word."""
    house = replace(GROUND, settings=SettingsInForce({"approval.cheque_from": cheque_cents}))
    assert judged("toke_change", {"taken": {"500": 5}, "sent": {"2500": 1}}, house) == []
