"""Records of the floor log: what the manual has recorded, and what it forbids."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from typing import Any

import pytest

from pitboss.rules.cards.change_days import WEEKDAYS, is_change_day
from pitboss.rules.floor.book import FLOOR_KINDS
from pitboss.rules.floor.fields import read_facts
from pitboss.rules.floor.log import Ground, ground_refusals
from pitboss.rules.games.printed import GAMES
from pitboss.rules.games.table_setup import CardProfile
from pitboss.rules.refusal import Refusal
from pitboss.rules.settings.in_force import SettingsInForce

# A Friday.
DAY = date(2026, 5, 1)
GROUND = Ground("BJ-11", True, 2_500, DAY, SettingsInForce({}))
MONDAYS = replace(GROUND, settings=SettingsInForce({"cards.change_day": "mon"}))
FRIDAYS = replace(GROUND, settings=SettingsInForce({"cards.change_day": "fri"}))
PACE = {"badge": "201", "rounds": 6, "minutes": 5, "players": 1}
GOOD = {"badge": "201", "courtesy": "SP", "procedure": "ME", "protection": "OP"}


def judged(code: str, given: dict[str, Any], ground: Ground = GROUND) -> list[Refusal]:
    kind = FLOOR_KINDS[code]
    return ground_refusals(kind, read_facts(kind.asks, given), ground)


def at(game: str = "classic", cards: str = "shuffler") -> Ground:
    return replace(GROUND, game=GAMES[game], cards=CardProfile(cards))


@pytest.mark.parametrize(
    ("code", "given", "ground", "codes"),
    [
        ("shuffled", {"reason": "cut_card", "how": "machine", "mix": "even"}, GROUND, []),
        ("shuffled", {"reason": "dead_game", "how": "hand"}, at(cards="hand"), []),
        ("shuffled", {"reason": "player", "how": "machine"}, GROUND, ["not_for_a_player"]),
        ("shuffled", {"reason": "ordered", "how": "hand"}, at("double_deck"), ["machine_only"]),
        ("shuffled", {"reason": "ordered", "how": "hand"}, at("blazing_7s"), ["machine_only"]),
        ("shuffled", {"reason": "ordered", "how": "machine"}, at("blazing_7s"), []),
        ("shuffled", {"reason": "ordered", "how": "hand"}, at(cards="continuous"), ["no_shoe"]),
        ("new_cards", {"reason": "change_day"}, GROUND, []),
        ("new_cards", {"reason": "change_day"}, FRIDAYS, []),
        ("new_cards", {"reason": "change_day"}, MONDAYS, ["no_change_day"]),
        ("new_cards", {"reason": "worn"}, MONDAYS, []),
        ("washed", {"rotations": 8, "empty": "yes"}, GROUND, []),
        ("washed", {"rotations": 7, "empty": "yes"}, GROUND, ["wash_too_short"]),
        ("washed", {"rotations": 8}, GROUND, ["players_seated"]),
        ("tray_ready", {"clean": "yes", "lammered": "yes"}, GROUND, []),
        ("tray_ready", {"clean": "yes"}, GROUND, ["tray_not_ready"]),
        ("tray_ready", {"lammered": "yes"}, GROUND, ["tray_not_ready"]),
        ("roll_call", {"expected": 4, "present": 4}, GROUND, []),
        ("roll_call", {"expected": 4, "present": 3}, GROUND, ["missing_unnamed"]),
        ("roll_call", {"expected": 4, "present": 3, "note": "D. Dealer"}, GROUND, []),
        ("roll_call", {"expected": 4, "present": 5}, GROUND, ["too_many"]),
        ("pace_check", PACE, GROUND, []),
        ("pace_check", {**PACE, "minutes": 4}, GROUND, ["counted_too_short"]),
        ("evaluation", GOOD, GROUND, []),
        ("evaluation", {**GOOD, "mix": "NI"}, GROUND, ["improvement_unexplained"]),
        ("evaluation", {**GOOD, "mix": "NI", "note": "Riffle longer."}, GROUND, []),
    ],
)
def test_a_record_is_refused_by_its_own_rule(
    code: str, given: dict[str, Any], ground: Ground, codes: list[str]
) -> None:
    assert [refusal.code for refusal in judged(code, given, ground)] == codes


@pytest.mark.parametrize(
    ("code", "given", "ground", "line"),
    [
        ("shuffled", {"reason": "player", "how": "machine"}, GROUND, 147),
        ("shuffled", {"reason": "ordered", "how": "hand"}, at("double_deck"), 1070),
        ("shuffled", {"reason": "ordered", "how": "hand"}, at("blazing_7s"), 1097),
        ("washed", {"rotations": 7, "empty": "yes"}, GROUND, 127),
        ("tray_ready", {}, GROUND, 877),
        ("dead_spread", {}, at(cards="continuous"), 193),
    ],
)
def test_what_the_manual_forbids_is_refused_with_its_line(
    code: str, given: dict[str, Any], ground: Ground, line: int
) -> None:
    (refusal,) = judged(code, given, ground)
    assert f"(manual, line {line})" in refusal.message


def test_records_are_told_in_one_sentence() -> None:
    fields: dict[str, dict[str, Any]] = {
        "roll_call": {"expected": 4, "present": 3, "note": "D. Dealer"},
        "evaluation": {**GOOD, "note": "Smile more"},
        "toke_count": {"cheques": {"2500": 4}, "badge": "201"},
    }
    assert [FLOOR_KINDS[code].sentence(facts) for code, facts in fields.items()] == [
        "Roll call: 3 of 4 dealers, missing: D. Dealer.",
        "Evaluation of badge 201: courtesy SP, procedure ME, game protection OP. Smile more.",
        "Toke box counted with badge 201: 4 × $25 green.",
    ]
    assert FLOOR_KINDS["roll_call"].sentence({"expected": 4, "present": 4}).endswith("4 dealers.")
    assert FLOOR_KINDS["pace_check"].sentence({**PACE, "players": 2}) == (
        "Pace of badge 201: 6 rounds in 5 min with 2 players, 72 rounds and 144 hands an hour."
    )
    assert "with 1 player, " in FLOOR_KINDS["pace_check"].sentence(PACE)
    assert FLOOR_KINDS["evaluation"].sentence(GOOD).endswith("protection OP.")
    assert FLOOR_KINDS["toke_count"].amount(fields["toke_count"]) == 10_000


@pytest.mark.parametrize("reason", ["new_set", "cut_card", "dead_game", "mishandled", "ordered"])
def test_the_manual_has_five_reasons_to_shuffle(reason: str) -> None:
    assert judged("shuffled", {"reason": reason, "how": "machine"}) == []


def test_each_weekday_is_the_change_day_of_one_schedule() -> None:
    for number, name in enumerate(WEEKDAYS):
        day = date(2026, 5, 4) + timedelta(days=number)
        assert [weekday for weekday in WEEKDAYS if is_change_day(weekday, day)] == [name]
        assert is_change_day("daily", day)
