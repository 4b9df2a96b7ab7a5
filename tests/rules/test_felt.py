"""The felt: ranks are enough where no suit decides, and each seat is owed what a check says."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from pitboss.rules.games.games import SideBetRules, TableRules, table_rules
from pitboss.rules.games.printed import GAMES
from pitboss.rules.payouts.check import TableNow, TableTerms, check_payout
from pitboss.rules.payouts.claims import read_claim
from pitboss.rules.payouts.levels import MustCheck
from pitboss.rules.refusal import Refused
from pitboss.rules.rounds.felt import LOST_BY_BUST, felt_answer, plays_of, read_felt, unchecked

TRAY = {50_000: 10, 10_000: 40, 2_500: 80, 500: 100, 250: 40, 100: 40}


def rules_of(game: str = "classic", most_cents: int = 200_000, **more: Any) -> TableRules:
    return table_rules(GAMES[game], minimum_cents=500, maximum_cents=most_cents, **more)


def now_at(rules: TableRules) -> TableNow:
    return TableNow(TableTerms.of(rules), TRAY, date(2026, 5, 1))


ROOF = {"raise_the_roof": SideBetRules("H17_6_8_B", 500, 100_000)}
CLASSIC = now_at(rules_of())


def seat(*bets: dict[str, Any], hands: str = "", number: int = 4, **more: Any) -> dict[str, Any]:
    """A seat whose hands are written "7 8 5, T 9"."""
    split = [{"cards": hand.split()} for hand in hands.split(",")] if hands else []
    return {"seat": number, "bets": list(bets), "hands": split, **more}


def bet(wager: str = "blackjack", cents: int = 2_500, **more: Any) -> dict[str, Any]:
    return {"wager": wager, "stake_cents": cents, **more}


def lines(dealer: str, *seats: dict[str, Any], now: TableNow = CLASSIC) -> list[dict[str, Any]]:
    felt = {"dealer": dealer.split(), "seats": list(seats)}
    answer = felt_answer(read_felt(felt, now))
    return [line for item in answer["seats"] for line in item["lines"]]


# Super 3 is only taken with it.
NEEDED = bet("trilux", 500)


def said(line: dict[str, Any]) -> tuple[int | None, str, str | None]:
    return line["payable_cents"], line["words"], line["asks"]


def test_the_drawn_round_is_owed_seat_by_seat_with_its_cheques_and_in_all() -> None:
    felt = {
        "dealer": ["9", "2", "7"],
        "seats": [
            seat({"wager": "blackjack", "bet": {"2500": 3}}, hands="T 9", number=5),
            seat(bet(cents=5_000), bet("trilux", 4_500), hands="7 8 5"),
            seat(bet(), hands="A K", number=3),
            seat(bet(cents=10_000), bet("trilux", 500, suited=False), hands="T 4 4", number=2),
            seat(bet(), hands="T 6 Q", number=1),
        ],
    }
    answer = felt_answer(read_felt(felt, CLASSIC))
    owed = {item["seat"]: (item["owed_cents"], item["cheques"]) for item in answer["seats"]}
    assert owed == {
        5: (7_500, {"2500": 3}),
        4: (45_500, {"10000": 4, "2500": 2, "500": 1}),
        3: (3_750, {"2500": 1, "500": 2, "250": 1}),
        2: (0, {}),
        1: (0, {}),
    }
    assert answer["owed_cents"] == 56_750
    body = [line for item in answer["seats"] for line in item["lines"]]
    assert [said(line) for line in body] == [
        (7_500, "19 beats 18", None),
        (5_000, "20 beats 18", None),
        # 9 to 1 whether it is a straight or a straight flush: no suit is asked for.
        (40_500, "Straight, 9 to 1", None),
        (3_750, "Blackjack, 3 to 2", None),
        (0, "18 ties 18", None),
        (0, "No win", None),
        (0, "Bust", None),
    ]
    assert [line["level"] for line in body if line["wager"] == "trilux"] == ["approval", "verbal"]
    assert body[2]["stake_cents"] == 4_500


@pytest.mark.parametrize(
    ("suited", "cards", "expected"),
    [
        (None, "T 4", (None, "", "suits")),
        (True, "T 4", (4_500, "Flush, 9 to 1", None)),
        (False, "T 4", (0, "No win", None)),
        (None, "Tc 4d", (0, "No win", None)),
        (None, "Tc 4c", (None, "", "suits")),
        (None, "9 9", (4_500, "Three of a kind, 9 to 1", None)),
    ],
)
def test_a_side_bet_asks_for_suits_only_where_they_change_what_it_is_owed(
    suited: bool | None, cards: str, expected: tuple[int | None, str, str | None]
) -> None:
    more = {} if suited is None else {"suited": suited}
    (line,) = lines("9", seat(bet("trilux", 500, **more), hands=cards))
    assert said(line) == expected


def test_suits_that_were_only_supposed_are_never_written_down() -> None:
    (_, line) = lines("9s", seat(NEEDED, bet("super_3", 500), hands="9 9"))
    assert line["verdict"] == "cannot_verify"
    (_, line) = lines(
        "9s", seat(bet("trilux", 500), bet("super_3", 500, suited=False), hands="9 9")
    )
    assert (line["payable_cents"], line["category"]) == (45_000, "three_of_a_kind")
    assert "(9 9 9♠)" in line["working"]
    assert line["claim"]["player_cards"] == ["9", "9"]


def test_suits_that_were_entered_are_said_as_they_are() -> None:
    (_, line) = lines(
        "9s", seat(bet("trilux", 500), bet("super_3", 500, suited=False), hands="9c 9d")
    )
    assert "(9♣ 9♦ 9♠)" in line["working"]


def test_a_super_3_without_the_trilux_that_it_needs_is_not_verified() -> None:
    orphan = seat(bet(), bet("super_3", 500), hands="9c 9d")
    other = seat(bet(), bet("trilux", 500), hands="Tc 9h", number=2)
    main, super_3, *_ = lines("9s 8h", orphan, other)
    assert said(main)[0] == 2_500, "18 beats 17"
    assert (super_3["verdict"], super_3["payable_cents"]) == ("cannot_verify", None)
    assert [reason["code"] for reason in super_3["reasons"]] == ["needs_trilux"]


def test_suits_that_contradict_each_other_verify_nothing() -> None:
    (line,) = lines("9s", seat(bet("trilux", 500, suited=True), hands="9c 9d"))
    assert [reason["code"] for reason in line["reasons"]] == ["suits_differ"]


@pytest.mark.parametrize("up", "23456789")
def test_a_natural_against_2_to_9_is_owed_before_the_dealers_second_card(up: str) -> None:
    (line,) = lines(up, seat(bet(), hands="A K"))
    assert said(line) == (3_750, "Blackjack, 3 to 2", None)


@pytest.mark.parametrize("up", "ATJQK")
def test_a_natural_against_an_ace_or_a_ten_waits_for_the_second_card(up: str) -> None:
    (line,) = lines(up, seat(bet(), hands="A K"))
    assert said(line) == (None, "", "cards")


@pytest.mark.parametrize(
    ("dealer", "hand", "expected"),
    [
        ("9 2 7", "", (None, "", "cards")),
        ("", "T 9", (None, "", "cards")),
        ("9 5", "T 9", (None, "", "cards")),
        ("9 8", "T 6", (0, "16 loses to 17", None)),
        ("9 7 T", "T 6", (2_500, "Dealer busts", None)),
        ("A K", "T 9", (0, "Dealer blackjack", None)),
        ("A K", "A Q", (0, "Both blackjack", None)),
    ],
)
def test_a_main_bet_says_in_a_few_words_how_it_came_out(
    dealer: str, hand: str, expected: tuple[int | None, str, str | None]
) -> None:
    (line,) = lines(dealer, seat(bet(), hands=hand))
    assert said(line) == expected


def test_a_split_is_owed_hand_by_hand_and_its_first_cards_are_counted_once() -> None:
    told = lines("9 8", seat(bet(), hands="8 3,8 2 T", dealt=["8", "8"]))
    assert [(line["hand"], said(line)) for line in told] == [
        (1, (0, "11 loses to 17", None)),
        (2, (2_500, "20 beats 17", None)),
    ]
    assert [line["net_cents"] for line in told] == [-2_500, 2_500]
    again = read_claim({**told[1]["claim"], "paid_cents": 2_500})
    assert check_payout(again, CLASSIC).verdict.value == "right"


def test_cards_named_in_a_split_keep_their_suits_and_another_rank_cannot_begin_a_hand() -> None:
    told = lines("9c 8d", seat(bet(), hands="8c 3,8 T", dealt=["8c", "8"]))
    assert [line["payable_cents"] for line in told] == [0, 2_500]
    told = lines("9 8", seat(bet(), hands="8 3,8 T", dealt=["8", "7"]))
    assert {line["verdict"] for line in told} == {"cannot_verify"}


@pytest.mark.parametrize(
    ("doubled", "owed_cents"),
    [({"doubled": True}, 5_000), ({"doubled": True, "double_cents": 1_000}, 3_500), ({}, 2_500)],
)
def test_a_double_is_for_the_stake_or_for_less(doubled: dict[str, Any], owed_cents: int) -> None:
    told = seat(bet())
    told["hands"] = [{"cards": ["6", "5", "T"], **doubled}]
    (line,) = lines("9 8", told)
    assert line["payable_cents"] == owed_cents


def test_bet_bigger_doubles_each_of_its_spots() -> None:
    bigger = now_at(rules_of("bet_bigger", most_cents=1_000))
    told = seat(bet("bet_bigger", 1_000, spots=["2x"]))
    told["hands"] = [{"cards": ["6", "5", "T"], "doubled": True}]
    (line,) = lines("9 8", told, now=bigger)
    assert line["claim"]["extra"] == {
        "spots": ["2x"], "double_cents_by_bet": {"ante": 1_000, "2x": 1_000}
    }  # fmt: skip
    assert line["payable_cents"] == 4_000


def test_insurance_knows_the_bet_that_it_insures() -> None:
    told = lines("A K", seat(bet(), bet("insurance", 1_200), hands="T 9"))
    assert [line["payable_cents"] for line in told] == [0, 2_400]
    (line,) = lines("A K", seat(bet("insurance", 1_200), hands="T 9"))
    assert line["verdict"] == "cannot_verify"


def test_a_coupon_goes_by_the_hand() -> None:
    told = lines(
        "9 8", seat(bet("free_bet_coupon"), hands="T 9"), seat(bet("free_bet_coupon"), number=2)
    )
    assert [said(line) for line in told] == [
        (2_500, "Coupon win, 1 to 1", None),
        (None, "", "cards"),
    ]


def test_a_raise_is_told_by_its_times_and_goes_by_the_dealers_whole_hand() -> None:
    roof = now_at(rules_of("raise_the_roof", side_bets=ROOF))
    (line,) = lines("6 4 5 7", seat(bet("raise_the_roof", 1_000, raise_times=5)), now=roof)
    assert said(line) == (None, "", "suits")
    (line,) = lines(
        "6 4 5 7", seat(bet("raise_the_roof", 1_000, raise_times=5, suited=True)), now=roof
    )
    assert line["payable_cents"] == 3_000_000
    # Five cards fall in too many ways to try each; suits in turn and one suit prove the same.
    (line,) = lines("2 3 4 5 T", seat(bet("raise_the_roof", 1_000, raise_times=1)), now=roof)
    assert line["payable_cents"] is not None


def test_only_the_plays_of_the_game_have_buttons() -> None:
    bigger = rules_of("bet_bigger", most_cents=1_000)
    assert plays_of(bigger) == ["double", "split", "surrender", "even_money"]
    assert plays_of(rules_of("face_up")) == ["double", "split"]
    assert plays_of(replace(bigger, game=GAMES["stadium"])) == []
    told = seat(bet("bet_bigger", 1_000), hands="T 6", surrender=True)
    (line,) = lines("9 8", told, now=now_at(bigger))
    assert (line["payable_cents"], line["words"]) == (0, "Surrendered")


def test_a_bet_that_this_table_does_not_take_is_not_verified() -> None:
    (line,) = lines("9 8", seat(bet("royal_match_21", 500), hands="T 6"))
    assert [reason["code"] for reason in line["reasons"]] == ["wager_not_offered"]


@pytest.mark.parametrize(
    ("must", "seats"),
    [(MustCheck.NOTHING, []), (MustCheck.SIDE_BETS, [4]), (MustCheck.ALL, [2, 4])],
)
def test_the_house_says_which_bets_must_be_checked(must: MustCheck, seats: list[int]) -> None:
    felt = {
        "dealer": ["9", "8"],
        "seats": [
            seat(bet("trilux", 500), hands="T 4"),
            seat(bet(), number=2),
            seat(bet(), hands="T 9", number=1),
        ],
    }
    assert unchecked(read_felt(felt, CLASSIC), must, CLASSIC.terms.rules) == seats


def test_no_seat_and_no_card_is_an_empty_felt() -> None:
    assert felt_answer(read_felt({}, CLASSIC)) == {"owed_cents": 0, "seats": []}


@pytest.mark.parametrize(
    ("felt", "code"),
    [
        ([], "bad_round"),
        ({"dealer": ["1"]}, "bad_card"),
        ({"dealer": [9]}, "bad_card"),
        ({"seats": [{"seat": 0}]}, "bad_seat"),
        ({"seats": [{"seat": 1}, {"seat": 1}]}, "seat_twice"),
        ({"seats": [seat(bet(), bet())]}, "bet_twice"),
        ({"seats": [seat(bet("keno"))]}, "unknown_wager"),
        ({"seats": [seat({"wager": "blackjack"})]}, "bad_stake"),
        ({"seats": [seat(bet("trilux", suited="yes"))]}, "bad_suited"),
        ({"seats": [seat(bet(), odd=1)]}, "unknown_field"),
    ],
)
def test_what_cannot_be_read_is_refused(felt: object, code: str) -> None:
    with pytest.raises(Refused) as refused:
        read_felt(felt, CLASSIC)
    assert [refusal.code for refusal in refused.value.refusals] == [code]


def test_a_split_that_is_no_list_of_hands_is_left_to_the_settlement() -> None:
    fields = {"wager": "blackjack", "stake_cents": 500, "paid_cents": 0, "player_cards": ["8", "8"]}
    for hands in ("8 8", [{"cards": "8"}]):
        claim = read_claim({**fields, "dealer_cards": ["9", "8"], "extra": {"split_hands": hands}})
        with pytest.raises(Refused):
            check_payout(claim, CLASSIC)
    claim = read_claim({**fields, "dealer_cards": ["9", "8"], "player_cards": "8 8",
                        "extra": {"split_hands": [{"cards": ["8"]}, {"cards": []}]}})  # fmt: skip
    with pytest.raises(Refused):
        check_payout(claim, CLASSIC)


@pytest.mark.parametrize(
    "game", [item.id for item in GAMES.values() if item.main_wager in LOST_BY_BUST]
)
@pytest.mark.parametrize("dealer", ["A K", "T 6 T", "9 8", "9 2 7"])
@pytest.mark.parametrize("hand", ["T 6 Q", "5 5 5 8"])
def test_a_bust_has_lost_in_every_game_so_a_terminal_may_say_so_without_a_line(
    game: str, dealer: str, hand: str
) -> None:
    (line,) = lines(dealer, seat(bet(), hands=hand), now=now_at(rules_of(game)))
    row = line["verdict"], line["payable_cents"], line["net_cents"]
    assert row == ("right", 0, -2_500), line


@pytest.mark.parametrize(
    ("dealer", "hands", "is_possible"),
    [
        ("Kd 8h", ["Kd 9c", "Qh 9s"], True),
        ("Kd 8h", ["Kd 9c", "Kd 9s"], False),
        # By rank alone: two decks hold eight kings.
        ("K 8", ["K Q", "K Q", "K Q", "K Q", "K Q", "K Q", "K Q"], True),
        ("K 8", ["K K", "K K", "K K", "K K", "9 9"], False),
    ],
)
def test_cards_of_all_seats_together_are_held_against_the_decks(
    dealer: str, hands: list[str], is_possible: bool
) -> None:
    seats = [seat(bet(), hands=hand, number=at) for at, hand in enumerate(hands, 1)]
    found = lines(dealer, *seats, now=now_at(rules_of("double_deck")))
    verdicts = {line["verdict"] for line in found}
    codes = {reason["code"] for line in found for reason in line["reasons"]}
    if is_possible:
        assert (verdicts, codes) == ({"right"}, set())
    else:
        assert (verdicts, codes) == ({"cannot_verify"}, {"too_many_of_a_card"})
