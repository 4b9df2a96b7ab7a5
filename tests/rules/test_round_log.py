"""A round told bit by bit: each part in its turn, and settled like one that is posted whole."""

from __future__ import annotations

from typing import Any

import pytest

from pitboss.rules.games.games import TableRules, table_rules
from pitboss.rules.games.printed import GAMES
from pitboss.rules.refusal import Refused
from pitboss.rules.rounds.log import (
    Log,
    RoundPart,
    add_part,
    as_round,
    has_bets,
    new_log,
    side_wagers,
    with_irregularities,
)
from pitboss.rules.rounds.payouts import paid_differently
from pitboss.rules.rounds.reading import read_round, write_verdict
from pitboss.rules.rounds.round import settle_round

DEALERS: dict[str, Any] = {"for": "dealer"}
CLASSIC = table_rules(GAMES["classic"], minimum_cents=500, maximum_cents=100_000)
ROOF = table_rules(GAMES["raise_the_roof"], minimum_cents=500, maximum_cents=100_000)
BIGGER = table_rules(GAMES["bet_bigger"], minimum_cents=250, maximum_cents=1_000)
STADIUM = table_rules(
    GAMES["stadium"],
    minimum_cents=500,
    maximum_cents=100_000,
    stadium={"keep_standoff_bet": "disabled", "auto_stand": {"soft": 17, "hard": 12}},
)
MAIN = {"wager": "blackjack", "stake_cents": 5_000}
TRILUX = {"wager": "trilux", "stake_cents": 1_000}


def seated(table: TableRules = CLASSIC, *bets: dict[str, Any]) -> Log:
    log = add_part(table, new_log(), RoundPart.SEATS, {"seats": [{"seat": 5}, {"seat": 6}]})
    return add_part(table, log, RoundPart.WAGERS, {"seat": 5, "bets": list(bets or (MAIN, TRILUX))})


def dealt(log: Log, *fallen: str, table: TableRules = CLASSIC) -> Log:
    """Deal `5:9c` to seat 5, `5.2:9c` to its second hand, `d:9s` to the dealer, `c:9s` to all."""
    told: list[dict[str, Any]] = []
    for item in fallen:
        where, _, card = item.partition(":")
        seat, _, hand = where.partition(".")
        if where == "d":
            told.append({"to": "dealer", "card": card})
        elif where == "c":
            told.append({"to": "community", "card": card})
        else:
            told.append({"seat": int(seat), "card": card, **({"hand": int(hand)} if hand else {})})
    return add_part(table, log, RoundPart.CARDS, {"cards": told})


def decided(log: Log, decision: str, table: TableRules = CLASSIC, **more: Any) -> Log:
    fields = {"seat": 5, "decision": decision, **more}
    return add_part(table, log, RoundPart.DECISIONS, fields)


def lines(log: Log, table: TableRules = CLASSIC) -> dict[str, int]:
    verdict = write_verdict(settle_round(table, read_round(as_round(log))))
    return {line["wager"]: line["payout_cents"] for line in verdict["lines"]}


def test_a_round_told_bit_by_bit_is_settled() -> None:
    log = dealt(seated(), "5:9c", "d:9s", "5:9d", "d:8h")
    assert has_bets(log)
    assert lines(decided(log, "stand")) == {"trilux": 9_000, "blackjack": 5_000}


def test_a_hand_is_hit_doubled_and_split_as_it_was_played() -> None:
    first = dealt(seated(), "5:6c", "d:9s", "5:5d")
    doubled = decided(first, "double", amount_cents=5_000)
    assert lines(dealt(doubled, "5:Tc", "d:8h"))["blackjack"] == 10_000
    hit = decided(dealt(seated(), "5:9c", "d:9s", "5:3d"), "hit")
    assert lines(dealt(hit, "5:9h", "d:8h"))["blackjack"] == 5_000
    pair = dealt(seated(), "5:8c", "d:9s", "5:8d")
    split = decided(pair, "split", amount_cents=5_000)
    played = dealt(split, "5.1:Th", "5.2:3c", "5.2:Tc", "d:8h")
    assert played["seats"][0]["hands"] == [{"cards": ["8c", "Th"]}, {"cards": ["8d", "3c", "Tc"]}]
    assert lines(played)["blackjack"] == 10_000, "18 and 21 against 17"


def test_a_hand_that_is_split_again_lies_where_it_lay() -> None:
    pair = dealt(seated(), "5:8c", "d:9s", "5:8d")
    two = dealt(decided(pair, "split", amount_cents=5_000), "5.1:8h", "5.2:8s")
    three = decided(two, "split", hand=2, amount_cents=5_000)
    assert [hand["cards"] for hand in three["seats"][0]["hands"]] == [["8c", "8h"], ["8d"], ["8s"]]
    four = decided(two, "split", amount_cents=5_000)
    assert [hand["cards"] for hand in four["seats"][0]["hands"]] == [["8c"], ["8h"], ["8d", "8s"]]


def test_one_player_at_two_seats_bets_twice_the_minimum_at_each() -> None:
    def told(*players: str) -> Log:
        seats = [{"seat": seat, "player": player} for seat, player in enumerate(players, 5)]
        log = add_part(CLASSIC, new_log(), RoundPart.SEATS, {"seats": seats})
        bets = [{"wager": "blackjack", "stake_cents": 500}]
        return add_part(CLASSIC, log, RoundPart.WAGERS, {"seat": 5, "bets": bets})

    for players in (("A. Moreau", "B. Ruiz"), ("", "")):
        assert has_bets(told(*players))
    with pytest.raises(Refused) as caught:
        told("A. Moreau", "A. Moreau")
    assert caught.value.codes == ("under_minimum",)


@pytest.mark.parametrize("fallen", [("5:9c", "5:9d"), ("5:9c", "d:9s")])
def test_nothing_is_decided_or_paid_before_two_cards_and_the_dealers_first(
    fallen: tuple[str, ...],
) -> None:
    log = dealt(seated(), *fallen)
    with pytest.raises(Refused, match="after two cards"):
        decided(log, "hit")
    paid = {"payouts": [{"seat": 5, "wager": "trilux", "paid_cents": 1}]}
    with pytest.raises(Refused, match="after two cards"):
        add_part(CLASSIC, log, RoundPart.PAYOUTS, paid)


def test_insurance_even_money_surrender_and_raises_are_kept() -> None:
    insured = decided(dealt(seated(), "5:Tc", "d:As", "5:9d"), "insurance", amount_cents=2_500)
    assert lines(dealt(insured, "d:Kh"))["blackjack"] == 0
    even = decided(dealt(seated(), "5:Ac", "d:As", "5:Kd"), "even_money")
    assert lines(dealt(even, "d:Kh"))["blackjack"] == 5_000
    ante = {"wager": "bet_bigger", "stake_cents": 500}
    bigger = dealt(seated(BIGGER, ante), "5:Tc", "d:9s", "5:6d", table=BIGGER)
    given_up = decided(bigger, "surrender", BIGGER)
    assert lines(dealt(given_up, "d:8h", table=BIGGER), BIGGER) == {"bet_bigger": -250}
    roof = {"wager": "raise_the_roof", "stake_cents": 500}
    log = dealt(seated(ROOF, MAIN, roof), "5:Tc", "d:9s", "5:9d", table=ROOF)
    raised = decided(log, "raise", ROOF, amount_cents=1_500)
    assert raised["seats"][0]["bets"][1]["raise_cents"] == 1_500
    tipped = seated(ROOF, MAIN, roof, {**roof, "for": "dealer"})
    log = dealt(tipped, "5:Tc", "d:9s", "5:9d", table=ROOF)
    raised = decided(log, "raise", ROOF, amount_cents=500, **{"for": "dealer"})
    assert [bet.get("raise_cents") for bet in raised["seats"][0]["bets"]] == [None, None, 500]
    with pytest.raises(Refused, match="was not bet"):
        decided(dealt(seated(), "5:Tc", "d:9s", "5:9d"), "raise", amount_cents=500)


def test_a_bet_for_the_dealer_is_decided_by_itself() -> None:
    toke = {"wager": "blackjack", "stake_cents": 500, "for": "dealer"}
    log = dealt(seated(CLASSIC, MAIN, toke), "5:6c", "d:As", "5:5d")
    log = decided(log, "insurance", amount_cents=250, **DEALERS)
    log = decided(log, "double", amount_cents=500, **DEALERS)
    seat = log["seats"][0]
    assert seat["toke_insurance_cents"] == 250
    assert seat["hands"][0]["toke_double_cents"] == 500
    with pytest.raises(Refused, match="not surrendered"):
        decided(log, "surrender", **DEALERS)
    pair = dealt(seated(CLASSIC, MAIN, toke), "5:8c", "d:9s", "5:8d")
    split = decided(pair, "split", amount_cents=5_000)
    further = decided(split, "split", hand=2, amount_cents=500, **DEALERS)
    assert further["seats"][0]["hands"][1] == {"cards": ["8d"], "toke_cents": 500}
    natural = dealt(seated(CLASSIC, MAIN, toke), "5:Ac", "d:As", "5:Kd")
    assert decided(natural, "even_money", **DEALERS)["seats"][0]["toke_even_money"]


def test_a_further_spot_is_doubled_by_its_name() -> None:
    bet = {"wager": "bet_bigger", "stake_cents": 500, "spots": {"2x": 500}}
    log = dealt(seated(BIGGER, bet), "5:6c", "d:9s", "5:5d", table=BIGGER)
    log = decided(log, "double", BIGGER, amount_cents=500, spot="2x")
    assert log["seats"][0]["hands"][0]["doubles"] == {"2x": 500}
    with pytest.raises(Refused, match=r"Spot .* not found"):
        decided(log, "double", BIGGER, amount_cents=500, spot=2)


def test_a_stadium_tells_its_players_decisions_in_a_row() -> None:
    bet = {"wager": "stadium_blackjack", "stake_cents": 1_000}
    log = dealt(seated(STADIUM, bet), "5:Th", "d:As", "5:9d", table=STADIUM)
    log = decided(log, "insurance", STADIUM, amount_cents=500)
    log = dealt(decided(log, "stand", STADIUM), "c:8d", table=STADIUM)
    assert log["seats"][0]["insurance_cents"] == 500
    assert lines(log, STADIUM) == {"stadium_blackjack": -500}


@pytest.mark.parametrize(
    ("part", "told", "code"),
    [
        (RoundPart.SEATS, {"seats": [{"seat": 5}]}, "seat_twice"),
        (RoundPart.SEATS, {"seats": [{"seat": 0}]}, "bad_seat"),
        (RoundPart.SEATS, {"seats": [{"seat": 1, "player": 7}]}, "bad_player"),
        (RoundPart.SEATS, {"seats": 7}, "bad_round"),
        (RoundPart.SEATS, {"chairs": []}, "unknown_field"),
        (RoundPart.SEATS, [], "bad_round"),
        (RoundPart.WAGERS, {"seat": 1, "bets": [MAIN]}, "seat_empty"),
        (RoundPart.WAGERS, {"seat": 6, "bets": [TRILUX]}, "needs_main_wager"),
        (RoundPart.WAGERS, {"seat": 6, "bets": [{**MAIN, "stake_cents": 100}]}, "under_minimum"),
        (RoundPart.CARDS, {"cards": [{"seat": 6, "card": "9c"}]}, "seat_without_bets"),
        (RoundPart.CARDS, {"cards": [{"seat": 5, "card": "1c"}]}, "bad_card"),
        (RoundPart.CARDS, {"cards": [{"seat": 5, "hand": 2, "card": "9c"}]}, "no_such_hand"),
        (RoundPart.CARDS, {"cards": [{"to": "shoe", "card": "9c"}]}, "bad_to"),
        (RoundPart.CARDS, {"cards": [{"to": "dealer", "card": "9c"}] * 25}, "bad_round"),
        (RoundPart.DECISIONS, {"seat": 5, "decision": "hit"}, "not_dealt"),
        (RoundPart.DECISIONS, {"seat": 5}, "bad_decision"),
        (RoundPart.DECISIONS, {"seat": 5, "decision": "fold"}, "bad_decision"),
        (
            RoundPart.PAYOUTS,
            {"payouts": [{"seat": 5, "wager": "trilux", "paid_cents": 1}]},
            "not_dealt",
        ),
    ],
)
def test_a_part_out_of_turn_is_refused_and_changes_nothing(
    part: RoundPart, told: Any, code: str
) -> None:
    log = seated()
    before = as_round(log)
    with pytest.raises(Refused) as caught:
        add_part(CLASSIC, log, part, told)
    assert code in caught.value.codes
    assert as_round(log) == before


@pytest.mark.parametrize(
    ("part", "told", "code"),
    [
        (RoundPart.SEATS, {"seats": [{"seat": 1}]}, "cards_have_fallen"),
        (RoundPart.WAGERS, {"seat": 5, "bets": [MAIN]}, "cards_have_fallen"),
        (
            RoundPart.DECISIONS,
            {"seat": 5, "decision": "split", "amount_cents": 1},
            "split_not_matched",
        ),
        (RoundPart.DECISIONS, {"seat": 5, "decision": "surrender"}, "surrender_disabled"),
        (RoundPart.PAYOUTS, {"payouts": [{"seat": 5, "wager": "super_3"}]}, "no_such_bet"),
        (RoundPart.PAYOUTS, {"payouts": [{"seat": 5, "wager": "trilux"}]}, "bad_amount"),
        (RoundPart.PAYOUTS, {"payouts": [{"seat": 5, "wager": "trilux", "paid_cents": 1}] * 2},
         "paid_twice"),
    ],
)  # fmt: skip
def test_after_the_first_cards_other_things_are_out_of_turn(
    part: RoundPart, told: Any, code: str
) -> None:
    log = dealt(seated(), "5:9c", "d:9s", "5:9d")
    with pytest.raises(Refused) as caught:
        add_part(CLASSIC, log, part, told)
    assert code in caught.value.codes


def test_no_hand_holds_more_cards_than_there_are() -> None:
    log = seated()
    for _ in range(24):
        log = dealt(log, "d:2s")
    with pytest.raises(Refused, match="More cards"):
        dealt(log, "d:2s")


def test_a_raise_is_decided_without_a_main_bet_of_ones_own() -> None:
    toke = {"wager": "super_3", "stake_cents": 500}
    with pytest.raises(Refused):
        seated(CLASSIC, toke)
    log = seated(CLASSIC, {"wager": "blackjack", "stake_cents": 500, "for": "piggyback"})
    log = dealt(log, "5:9c", "d:As", "5:9d")
    with pytest.raises(Refused) as caught:
        decided(log, "double", amount_cents=500)
    assert "double_above_wager" in caught.value.codes


def test_what_was_paid_otherwise_is_named() -> None:
    log = dealt(seated(), "5:9c", "d:9s", "5:9d", "d:8h")
    fields = {
        "payouts": [
            {"seat": 5, "wager": "trilux", "paid_cents": 9_500},
            {"seat": 5, "wager": "blackjack", "paid_cents": 5_000},
        ]
    }
    log = add_part(CLASSIC, log, RoundPart.PAYOUTS, fields)
    verdict = write_verdict(settle_round(CLASSIC, read_round(as_round(log))))
    assert paid_differently(CLASSIC, log, verdict["lines"], lambda cents: cents) == [
        {
            "seat": 5,
            "wager": "trilux",
            "for": "player",
            "paid_cents": 9_500,
            "payable_cents": 9_000,
            "difference_cents": 500,
        }
    ]


def test_a_lost_bet_is_paid_nothing_and_the_dealers_bet_by_itself() -> None:
    toke = {"wager": "blackjack", "stake_cents": 500, "for": "dealer"}
    log = dealt(seated(CLASSIC, MAIN, toke), "5:9c", "d:9s", "5:7d", "d:8h")
    told = [
        {"seat": 5, "wager": "blackjack", "paid_cents": 0},
        {"seat": 5, "wager": "blackjack", "for": "dealer", "paid_cents": 500},
    ]
    log = add_part(CLASSIC, log, RoundPart.PAYOUTS, {"payouts": told})
    verdict = write_verdict(settle_round(CLASSIC, read_round(as_round(log))))
    (different,) = paid_differently(CLASSIC, log, verdict["lines"], lambda cents: cents)
    assert (different["for"], different["difference_cents"]) == ("dealer", 500)


def test_irregularities_are_told_at_the_end() -> None:
    assert with_irregularities(seated(), {"limit_called": True})["limit_called"] is True
    with pytest.raises(Refused):
        with_irregularities(seated(), {"misdeal": True})
    with pytest.raises(Refused):
        with_irregularities(seated(), {"limit_called": 1})


def test_a_dealers_bet_is_no_wager_of_the_players() -> None:
    toke = {"wager": "trilux", "stake_cents": 500, "for": "dealer"}
    assert side_wagers(seated(CLASSIC, MAIN, TRILUX, toke)) == {"blackjack": 1, "trilux": 1}


# Paid hand by hand


def eights() -> Log:
    """Two eights, $50 each, split: 18 wins against 17, 8 and 7 loses."""
    log = decided(dealt(seated(CLASSIC, MAIN), "5:8c", "d:9s", "5:8d"), "split", amount_cents=5_000)
    return dealt(log, "5.1:Tc", "5.2:7d", "d:8h")


def differences(log: Log, *payouts: dict[str, Any]) -> list[tuple[Any, ...]]:
    told = [{"seat": 5, **payout} for payout in payouts]
    log = add_part(CLASSIC, log, RoundPart.PAYOUTS, {"payouts": told}) if told else log
    verdict = write_verdict(settle_round(CLASSIC, read_round(as_round(log))))
    found = paid_differently(CLASSIC, log, verdict["lines"], lambda cents: cents)
    return [(item["wager"], item.get("hand"), item["difference_cents"]) for item in found]


def test_a_split_hand_that_won_is_paid_whatever_the_other_lost() -> None:
    whole = {"wager": "blackjack", "paid_cents": 5_000}
    assert differences(eights(), whole) == []
    assert differences(eights(), {**whole, "paid_cents": 0}) == [("blackjack", None, -5_000)]
    assert differences(eights(), {**whole, "hand": 1}) == []
    assert differences(eights(), {**whole, "hand": 2}) == [
        ("blackjack", 2, 5_000),
        ("blackjack", 1, -5_000),
    ]


def test_insurance_is_paid_though_the_bet_beside_it_is_lost() -> None:
    log = dealt(seated(CLASSIC, MAIN), "5:Tc", "d:As", "5:8d")
    log = dealt(decided(log, "insurance", amount_cents=2_500), "d:Kh")
    main = {"wager": "blackjack", "paid_cents": 5_000}
    assert differences(log, main) == []
    apart = {"wager": "insurance", "paid_cents": 5_000}
    assert differences(log, apart, {**main, "paid_cents": 0}) == []
    assert differences(log, {**main, "hand": 1, "paid_cents": 0}) == [("blackjack", 2, -5_000)]


def test_a_seat_that_was_not_judged_hides_no_winner_that_went_unpaid() -> None:
    log = add_part(CLASSIC, new_log(), RoundPart.SEATS, {"seats": [{"seat": 5}, {"seat": 6}]})
    for seat in (5, 6):
        log = add_part(CLASSIC, log, RoundPart.WAGERS, {"seat": seat, "bets": [MAIN]})
    log = dealt(log, "5:9c", "6:9h", "d:9s", "5:9d", "6:9d", "d:8h")
    paid = {"seat": 6, "wager": "blackjack", "paid_cents": 5_000}
    log = add_part(CLASSIC, log, RoundPart.PAYOUTS, {"payouts": [paid]})
    lines = write_verdict(settle_round(CLASSIC, read_round(as_round(log))))["lines"]
    judged = [line for line in lines if line["seat"] == 5]
    (different,) = paid_differently(CLASSIC, log, judged, lambda cents: cents)
    assert (different["seat"], different["difference_cents"]) == (5, -5_000)


def test_a_winner_that_nobody_told_as_paid_is_a_difference() -> None:
    log = dealt(seated(), "5:9c", "d:9s", "5:9d", "d:8h")
    assert differences(log) == []
    assert differences(log, {"wager": "trilux", "paid_cents": 9_000}) == [
        ("blackjack", None, -5_000)
    ]


def test_a_payout_names_a_hand_that_is_there_and_each_hand_once() -> None:
    main = {"wager": "blackjack", "paid_cents": 5_000}
    for payouts, code in (
        ([{**main, "hand": 3}], "no_such_hand"),
        ([{"wager": "insurance", "paid_cents": 0}], "no_such_bet"),
        ([{**main, "hand": 1}, {**main, "hand": 1}], "paid_twice"),
        ([{**main, "hand": 1}, main], "paid_twice"),
    ):
        with pytest.raises(Refused) as refused:
            differences(eights(), *payouts)
        assert refused.value.codes == (code,)
    side = dealt(seated(), "5:9c", "d:9s", "5:9d", "d:8h")
    with pytest.raises(Refused) as refused:
        differences(side, {"wager": "trilux", "paid_cents": 0, "hand": 1})
    assert refused.value.codes == ("no_such_hand",)


def test_a_dealers_bet_on_one_hand_of_two_owes_nothing_on_the_other() -> None:
    toke = {"wager": "blackjack", "stake_cents": 500, "for": "dealer"}
    log = dealt(seated(CLASSIC, MAIN, toke), "5:8c", "d:9s", "5:8d")
    log = dealt(decided(log, "split", amount_cents=5_000), "5.1:Tc", "5.2:7d", "d:8h")
    tokes = {"wager": "blackjack", "for": "dealer"}
    assert differences(
        log,
        {"wager": "blackjack", "paid_cents": 5_000},
        {**tokes, "hand": 1, "paid_cents": 500},
        {**tokes, "hand": 2, "paid_cents": 500},
    ) == [("blackjack", 2, 500)]
