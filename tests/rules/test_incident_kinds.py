"""Incidents and irregular hands as entries of the floor log: each allowed once, then one change."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from pitboss.rules.floor.book import FLOOR_KINDS, floor_kind
from pitboss.rules.floor.fields import SeatNumber, Seats, read_facts
from pitboss.rules.floor.incidents import flat_bet_in
from pitboss.rules.floor.irregular_kinds import HAND_OVER, ruling_in
from pitboss.rules.floor.irregularities import Irregular, Ruling
from pitboss.rules.floor.log import Ground, LogGroup, LogOutcome, ground_refusals
from pitboss.rules.games.printed import GAMES
from pitboss.rules.games.table_orders import (
    FlatBet,
    Order,
    OrderKind,
    flat_bet_refusals,
    ruled_round,
)
from pitboss.rules.refusal import Refused
from pitboss.rules.settings.in_force import SettingsInForce

GROUND = Ground(
    table="BJ-11",
    is_open=True,
    minimum_cents=500,
    gaming_day=date(2026, 5, 1),
    settings=SettingsInForce({}),
)


def against(code: str, given: dict[str, Any], ground: Ground = GROUND) -> list[str]:
    """Return the codes by which an entry is refused."""
    kind = floor_kind(code)
    try:
        facts = read_facts(kind.asks, given)
    except Refused as refused:
        return list(refused.codes)
    return [refusal.code for refusal in ground_refusals(kind, facts, ground)]


@pytest.mark.parametrize(
    ("code", "given", "codes"),
    [
        ("counterfeit_bill", {"worth": "50", "bill": "kept", "cheques": "none"}, []),
        (
            "counterfeit_bill",
            {"worth": "50", "bill": "returned", "cheques": "none"},
            ["lapse_unexplained"],
        ),
        (
            "counterfeit_bill",
            {"worth": "50", "bill": "returned", "cheques": "none", "note": "He took it."},
            [],
        ),
        (
            "counterfeit_bill",
            {"worth": "50", "bill": "kept", "cheques": "sent"},
            ["lapse_unexplained"],
        ),
        ("cards_dropped", {"shuffled": "yes"}, []),
        ("cards_dropped", {}, ["shuffle_first"]),
        ("cards_defective", {"fault": "worn", "remedy": "set"}, []),
        ("cards_defective", {"fault": "tampered", "remedy": "held"}, []),
        ("cards_defective", {"fault": "tampered", "remedy": "set"}, ["hold_the_cards"]),
        ("one_hand", {"seat": "2", "told": "yes"}, []),
        ("one_hand", {"seat": "2", "gives_up": ["2", "3"]}, ["player_not_told", "keeps_one_spot"]),
        ("one_hand", {"seat": "9", "told": "yes"}, ["seat_malformed"]),
        ("sensor_dark", {"seat": 3}, ["no_sensors"]),
        ("irregular_hole_card_shown", {}, []),
        ("irregular_player_skipped", {"seat": 3, "out": [9]}, ["out_malformed"]),
        ("irregular_player_skipped", {"seat": 3, "out": "4"}, ["out_malformed"]),
        (HAND_OVER, {}, ["no_ruling_stands"]),
    ],
)
def test_an_incident_is_refused_by_its_own_rule(
    code: str, given: dict[str, Any], codes: list[str]
) -> None:
    assert against(code, given) == codes


def test_what_a_game_has_no_rule_for_is_refused_there() -> None:
    bigger = replace(GROUND, game=GAMES["bet_bigger"])
    assert against("irregular_hole_card_shown", {}, bigger) == ["no_rule_for_hole_card"]
    assert against("sensor_dark", {"seat": 3}, replace(GROUND, game=GAMES["blazing_7s"])) == []
    ruled = replace(GROUND, standing=frozenset({OrderKind.RULING.value}))
    assert against(HAND_OVER, {}, ruled) == []


FLAT = {"seat": 4, "stake_cents": 1_000, "told": True}


def test_a_flat_bet_takes_every_bet_of_the_first_hand() -> None:
    bigger = replace(GROUND, game=GAMES["bet_bigger"])
    assert against("flat_bet", FLAT, bigger) == []
    assert against("flat_bet", FLAT) == ["no_flat_bet"]
    assert against("flat_bet", {**FLAT, "told": False}, bigger) == ["player_not_told"]
    whole = {**FLAT, "spot_2x": True, "spot_4x": True, "lucky_ladies_cents": 500}
    order = flat_bet_in(GAMES["bet_bigger"], whole)
    assert order.words == "$10 on the ante with 2x, 4x, $5 on Lucky Ladies"
    assert flat_bet_in(GAMES["bet_bigger"], FLAT).words == "$10 on the ante"


def test_an_irregular_hand_is_told_in_one_sentence() -> None:
    kinds = [kind for kind in FLOOR_KINDS.values() if kind.group is LogGroup.IRREGULARITY]
    assert len(kinds) == len(Irregular) + 1
    assert {kind.outcome for kind in kinds} == {LogOutcome.NOTED}
    assert FLOOR_KINDS["irregular_one_card_only"].words == "Irregularities 7.B"
    assert FLOOR_KINDS["irregular_one_card_only"].sentence({"seat": 4, "out": [4]}) == (
        "A player got only one card at seat 4: finish the hand; seat 4 out."
    )
    assert FLOOR_KINDS["irregular_card_exposed"].sentence({"decision": "burned"}) == (
        "A card was drawn in error and seen: put it into the discards and play on."
    )
    assert FLOOR_KINDS[HAND_OVER].sentence({}).startswith("The irregular hand is over")
    game = GAMES["classic"]
    assert ruling_in(game, "irregular_drew_on_seventeen", {}).decision == "burned"
    with pytest.raises(Refused):
        ruling_in(game, "irregular_card_exposed", {})


def test_seats_are_said_and_read_as_they_are_tapped() -> None:
    assert SeatNumber(name="seat", label="Seat").read(" 3 ") == 3
    assert Seats(name="out", label="Out").words([4, 6]) == "4, 6"


def seat(number: int, **bet: Any) -> dict[str, Any]:
    return {"seat": number, "bets": [{"wager": "blackjack", "stake_cents": 500, **bet}]}


ROUND: dict[str, Any] = {"seats": [seat(2), seat(4)], "dealer_cards": ["Kd", "7s", "5c"]}


def ruled(irregular: Irregular, decision: str, *out: int) -> Order:
    return Order(7, Ruling(irregular, decision, None, out))


def test_a_round_is_settled_as_it_was_ruled() -> None:
    told, lines = ruled_round(ROUND, [ruled(Irregular.HOLE_CARD_SHOWN, "plain_21")], "stand")
    assert (told, lines) == ({**ROUND, "hole_card_shown": True}, [])
    late = ruled(Irregular.BLACKJACK_MISSED, "original_only")
    assert ruled_round(ROUND, [late], "stand")[0]["blackjack_found_late"] is True
    drew = ruled(Irregular.DREW_ON_SEVENTEEN, "burned")
    assert ruled_round(ROUND, [drew], "stand")[0]["dealer_cards"] == ["Kd", "7s"]
    out = ruled(Irregular.DEALER_CARD_MISSED, "finish", 4)
    told, (line,) = ruled_round(ROUND, [out], "stand")
    assert [item["seat"] for item in told["seats"]] == [2]
    assert (line["seat"], line["category"], line["staked_cents"]) == (4, "returned", 500)
    off = ruled(Irregular.CARD_EXPOSED, "hand_off")
    spots = {**ROUND, "seats": [seat(2, spots={"2x": 500})]}
    told, (line,) = ruled_round(spots, [off], "stand")
    assert (told["seats"], line["staked_cents"]) == ([], 1_000)
    # Only the ruling on a card drawn too many takes one off.
    kept = ruled(Irregular.CARD_EXPOSED, "dealt")
    assert ruled_round(ROUND, [kept], "stand") == (ROUND, [])
    flat = Order(8, FlatBet(4, ()))
    assert ruled_round(ROUND, [flat], "stand") == (ROUND, [])


def test_bets_that_break_a_flat_bet_are_refused_before_the_deal() -> None:
    order = Order(8, flat_bet_in(GAMES["bet_bigger"], FLAT))
    same = [{"wager": "bet_bigger", "stake_cents": 1_000}]
    other = [{"wager": "bet_bigger", "stake_cents": 500}]
    assert flat_bet_refusals([order], 4, same) == []
    assert [refusal.code for refusal in flat_bet_refusals([order], 4, other)] == [
        "flat_bet_differs"
    ]
    assert flat_bet_refusals([order], 5, other) == []
    # What cannot be read is refused where bets are read.
    assert [refusal.code for refusal in flat_bet_refusals([order], 4, None)] == ["flat_bet_differs"]
    skipped = Order(7, Ruling(Irregular.PLAYER_SKIPPED, "finish", 4))
    assert flat_bet_refusals([skipped], 4, other) == []


def test_keys_are_signed_for_at_a_closed_table_too() -> None:
    closed = replace(GROUND, is_open=False)
    assert against("keys_taken", {"key": "podium"}, closed) == []
    assert against("cards_dropped", {"shuffled": "yes"}, closed) == ["table_closed"]
