"""Big wins: the cases of the floor book, who signs each, and when the round goes on."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from pitboss.rules.book.options import HouseOptions
from pitboss.rules.flows.flows import PlanFacts, SlipStatus
from pitboss.rules.games.games import SideBetRules, table_rules
from pitboss.rules.games.printed import GAMES
from pitboss.rules.patrons.patrons import DocumentKind
from pitboss.rules.payouts.big_wins import (
    BigWinTerms,
    check_refusals,
    holds_round,
    is_to_release,
    marks_of,
    reviewed_by_phone,
    reviewed_on_screen,
)
from pitboss.rules.payouts.check import PayoutVerdict, TableNow, TableTerms, check_payout
from pitboss.rules.payouts.claims import read_claim
from pitboss.rules.settings.in_force import SettingsInForce
from pitboss.rules.tax.house import HouseTax
from pitboss.rules.tax.papers import Winner, paper_refusals, parts_of

ON = date(2026, 5, 1)
TRAY = {100_000: 60, 50_000: 20, 10_000: 200, 2_500: 80, 500: 100, 100: 100}
SUITED = ["6h", "4h", "5h", "7h"]
UNSUITED = ["6h", "4c", "5h", "7h"]
SUPER_3 = {"wager": "super_3", "player_cards": ["9c", "9d"], "dealer_up": "9s"}
SUITED_NINES = {"wager": "super_3", "player_cards": ["9c", "9c"], "dealer_up": "9c"}
TRILUX = {"wager": "trilux", "player_cards": ["9c", "9d"], "dealer_up": "9s"}


# A game, its side bets by their pay tables, and its decks.
Dealt = tuple[str, dict[str, Any], int]
BOTH = "reviewed to_release"


def judged(at: Dealt, claim: dict[str, Any], **more: Any) -> PayoutVerdict:
    game, bets, decks = at
    rules = table_rules(
        GAMES[game],
        minimum_cents=2_500,
        maximum_cents=1_000_000,
        decks=decks,
        side_bets={wager: SideBetRules(table, 100, 1_000_000) for wager, table in bets.items()},
        **more,
    )
    now = TableNow(TableTerms.of(rules), TRAY, ON)
    return check_payout(read_claim({"paid_cents": 0, **claim}), now)


def bet(hand: dict[str, Any], dollars: int) -> dict[str, Any]:
    return {**hand, "stake_cents": dollars * 100}


def roof(cards: list[str], ante: int, raised: int) -> dict[str, Any]:
    extra = {"extra": {"raise_cents": raised * 100}} if raised else {}
    return {
        "wager": "raise_the_roof",
        "stake_cents": ante * 100,
        "dealer_cards": cards,
        **extra,
    }


CLASSIC = ("classic", {"trilux": "MANUAL-9", "super_3": "1"}, 6)
ROOF = ("raise_the_roof", {"raise_the_roof": "H17_6_8_B"}, 6)
ROOF_2 = ("raise_the_roof", {"raise_the_roof": "H17_2_A"}, 2)
FACE_UP = ("face_up", {"four_card_bonus": {"straight_flush": "500:1"}}, 6)
BONUS = {
    "wager": "four_card_bonus",
    "stake_cents": 500,
    "player_cards": ["8h", "9h"],
    "dealer_cards": ["Th", "Jh"],
}
BLACKJACK = {
    "wager": "blackjack",
    "stake_cents": 1_000_000,
    "player_cards": ["As", "Kd"],
    "dealer_cards": ["9h", "8c"],
}


@pytest.mark.parametrize(
    ("case", "at", "claim", "cents", "level", "marks", "federal"),
    [
        ("F01", CLASSIC, bet(TRILUX, 25), 22_500, "verbal", "", None),
        ("F02", CLASSIC, bet(TRILUX, 45), 40_500, "approval", "", None),
        ("F02", CLASSIC, bet(SUPER_3, 25), 225_000, "approval", "", None),
        ("F03", CLASSIC, BLACKJACK, 1_500_000, "approval", "", None),
        ("F04", CLASSIC, bet(SUITED_NINES, 50), 1_350_000, "big_win", "to_release", None),
        ("F05", ROOF, roof(SUITED, 10, 50), 3_000_000, "big_win", BOTH, 720_000),
        ("F06", ROOF, roof(UNSUITED, 100, 500), 3_000_000, "big_win", BOTH, None),
        ("F07", ROOF_2, roof(SUITED, 25, 125), 4_500_000, "big_win", BOTH, 1_080_000),
        ("F08", ROOF, roof(SUITED, 10, 0), 1_000, "verbal", "", None),
        ("F09", ROOF, roof(SUITED, 1, 1), 100_000, "big_win", "reviewed", None),
        ("F10", FACE_UP, BONUS, 250_000, "big_win", "reviewed", 0),
    ],
)
def test_the_cases_of_the_floor_book(
    case: str,
    at: Dealt,
    claim: dict[str, Any],
    cents: int,
    level: str,
    marks: str,
    federal: int | None,
) -> None:
    verdict = judged(at, claim)
    assert (verdict.payable_cents, verdict.level.value) == (cents, level), case
    assert (verdict.tax.federal_cents if verdict.tax else None) == federal, case
    if level == "big_win":
        wager_cents = claim["stake_cents"] + claim.get("extra", {}).get("raise_cents", 0)
        assert sorted(marks_of(cents, wager_cents, BigWinTerms())) == marks.split(), case


def test_f08_the_ante_by_another_reading_pays_even_money_beside_the_raise() -> None:
    even = HouseOptions(ante_with_raise="even_money")
    verdict = judged(ROOF, roof(SUITED, 10, 50), options=even)
    assert verdict.payable_cents == 2_501_000
    assert verdict.tax is not None
    assert verdict.tax.federal_cents == 600_240


def test_a83_added_wagers_owe_one_form_and_the_stakes_that_go_back_are_no_winnings() -> None:
    winner = Winner("Ana", 200_000, has_address=True, has_us_tin=True)
    [part] = parts_of([winner], house=HouseTax(), paid_on=ON, wager_cents=400, returned_cents=400)
    assert part.answer.form is not None
    assert (part.answer.form.value, part.reportable_cents, part.withheld_cents) == (
        "W-2G",
        200_000,
        0,
    )


@pytest.mark.parametrize(
    ("ids", "needs_name", "codes"),
    [
        ((), False, []),
        ((), True, ["photo_id_missing"]),
        ((DocumentKind.PASSPORT,), True, []),
    ],
)
def test_a_win_without_a_form_names_its_winner_where_the_house_asks_for_it(
    ids: tuple[DocumentKind, ...], needs_name: bool, codes: list[str]
) -> None:
    winner = Winner("Ana", 100_000, has_address=True, has_us_tin=True, ids=ids)
    parts = parts_of([winner], house=HouseTax(), paid_on=ON, wager_cents=10_000)
    found = paper_refusals(parts, 100_000, needs_name=needs_name)
    assert [refusal.code for refusal in found] == codes


def facts(*marks: str) -> PlanFacts:
    return PlanFacts({}, marks=frozenset(marks))


def test_the_marks_of_a_win_choose_its_steps() -> None:
    by_phone = BigWinTerms(by_phone=True)
    assert sorted(marks_of(3_000_000, 6_000, by_phone)) == ["by_phone", "reviewed", "to_release"]
    assert sorted(marks_of(100, 100, by_phone)) == []
    assert reviewed_on_screen(facts("reviewed"))
    assert not reviewed_on_screen(facts("reviewed", "by_phone"))
    assert not reviewed_on_screen(facts())
    assert reviewed_by_phone(facts("reviewed", "by_phone"))
    assert not reviewed_by_phone(facts("by_phone"))
    assert is_to_release(facts("to_release"))
    assert not is_to_release(facts())


PLAN = [{"name": "verified"}, {"name": "confirmed"}, {"name": "paid"}]
VERIFIED = {("main", "verified")}
CONFIRMED = {*VERIFIED, ("main", "confirmed")}


@pytest.mark.parametrize(
    ("ends_round", "signed", "holds"),
    [
        ("verified", set(), True),
        ("verified", VERIFIED, False),
        ("confirmed", VERIFIED, True),
        ("confirmed", CONFIRMED, False),
        ("paid", CONFIRMED, True),
        ("paid", {("relief", "held_witnessed")}, False),
    ],
)
def test_the_house_says_at_which_step_the_round_goes_on(
    ends_round: str, signed: set[tuple[str, str]], holds: bool
) -> None:
    assert holds_round(SlipStatus.OPEN, PLAN, signed, ends_round) is holds
    assert not holds_round(SlipStatus.VOIDED, PLAN, signed, ends_round)


def test_only_a_check_of_a_big_win_that_is_not_paid_is_entered() -> None:
    def codes(level: str, *, is_confirmed: bool = False) -> list[str]:
        found = check_refusals({"level": level}, is_confirmed=is_confirmed)
        return [refusal.code for refusal in found]

    assert codes("big_win") == []
    assert codes("jackpot") == ["is_a_jackpot"]
    assert codes("approval") == ["no_big_win"]
    assert codes("big_win", is_confirmed=True) == ["already_confirmed"]


def test_a_house_without_settings_of_its_own_asks_as_the_floor_book_does() -> None:
    terms = SettingsInForce({}).big_win_terms
    assert (terms.long_odds_from, terms.review_from_cents) == (300, 2_500_000)
    assert (terms.release_from_cents, terms.id_from_cents) == (1_000_000, 1_000_000)
    assert terms.ends_round == "verified"
    assert (
        SettingsInForce({"bigwin.review_from": 100_000}).big_win_terms.review_from_cents == 100_000
    )
