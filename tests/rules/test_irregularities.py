"""The manual's irregularities: what may be decided, and how a payout check follows it."""

from __future__ import annotations

from typing import Any

import pytest

from pitboss.rules.floor.irregularities import (
    GUIDES,
    Effect,
    Irregular,
    Ruling,
    guides_for,
    read_ruling,
    ruling_of,
)
from pitboss.rules.games.printed import GAMES
from pitboss.rules.games.table_orders import (
    FlatBet,
    Order,
    OrderKind,
    follow,
    order_of,
    read_flat_bet,
)
from pitboss.rules.payouts.check import PayoutVerdict, TableNow, Verdict, check_payout
from pitboss.rules.payouts.claims import read_claim
from pitboss.rules.refusal import Refused
from tests.rules.test_payout_check import at_table

HAND: dict[str, Any] = {
    "wager": "blackjack",
    "stake_cents": 2_500,
    "player_cards": ["Th", "9c"],
    "dealer_cards": ["Kd", "8s"],
    "paid_cents": 2_500,
    "seat": 4,
}


def ruled(irregular: Irregular, decision: str = "", **more: Any) -> Order:
    decided = decision or GUIDES[irregular].decisions[0].code
    return Order(7, Ruling(irregular, decided, **more))


def checked(*orders: Order, game: str = "classic", **changes: Any) -> PayoutVerdict:
    now = at_table(game)
    now = TableNow(now.terms, now.tray, now.paid_on, orders=orders)
    return check_payout(read_claim({**HAND, **changes}), now)


def test_every_irregularity_of_the_manual_has_its_card() -> None:
    assert set(GUIDES) == set(Irregular)
    for guide in GUIDES.values():
        assert guide.steps
        assert guide.say.endswith(".")
        assert any(item in str(guide.source) for item in ("Irregularities", "Dealing of Cards"))
    prescribed = {guide.code for guide in GUIDES.values() if guide.is_prescribed}
    # Of these the manual only says that the supervisor decides.
    assert set(Irregular) - prescribed == {
        Irregular.CARD_FACE_UP,
        Irregular.CARD_EXPOSED,
        Irregular.PASSED_OVER,
        Irregular.TOO_FEW_CARDS,
    }


def test_a_game_is_shown_only_the_cards_that_speak_of_it() -> None:
    assert len(guides_for(GAMES["classic"])) == 10
    assert {guide.code for guide in GUIDES.values()} - {
        guide.code for guide in guides_for(GAMES["bet_bigger"])
    } == {Irregular.HOLE_CARD_SHOWN, Irregular.BLACKJACK_MISSED}
    assert guides_for(GAMES["stadium"]) == []


@pytest.mark.parametrize(
    ("change", "codes"),
    [
        ({"irregular": "earthquake"}, ["unknown_irregularity"]),
        ({"decision": "as_you_like"}, ["decision_missing"]),
        ({"seat": None}, ["seat_missing"]),
        ({"seat": 8}, ["bad_seat"]),
        ({"out": [0]}, ["bad_seat"]),
        (
            {"irregular": "drew_on_seventeen", "decision": "burned", "out": [2]},
            ["out_not_offered"],
        ),
        (
            {"game": "bet_bigger", "irregular": "hole_card_shown", "decision": "plain_21"},
            ["no_rule_for_hole_card"],
        ),
        ({"game": "stadium"}, ["not_for_this_game"]),
    ],
)
def test_a_ruling_is_refused_with_every_reason(change: dict[str, Any], codes: list[str]) -> None:
    keyed = {"irregular": "player_skipped", "decision": "finish", "seat": 4, "out": [], **change}
    game = GAMES[keyed.pop("game", "classic")]
    with pytest.raises(Refused) as caught:
        read_ruling(game, **keyed)
    assert list(caught.value.codes) == codes


def test_a_player_who_was_passed_over_gets_the_next_card_and_nothing_is_backed_up() -> None:
    guide = GUIDES[Irregular.PASSED_OVER]
    assert "not backed up" in " ".join(guide.steps)
    given: dict[str, Any] = {"irregular": "passed_over", "decision": "next_card", "out": []}
    assert read_ruling(GAMES["classic"], seat=5, **given).seat == 5
    with pytest.raises(Refused, match="Choose the seat"):
        read_ruling(GAMES["classic"], seat=None, **given)


def test_a_ruling_is_kept_as_plain_facts_and_read_again() -> None:
    ruling = read_ruling(
        GAMES["classic"], irregular="one_card_only", decision="finish", seat=2, out=[6, 2]
    )
    assert ruling.out == (2, 6)
    assert ruling_of(ruling.as_facts()) == ruling
    order = order_of(7, OrderKind.RULING, ruling.as_facts())
    assert (order.code, order.what) == ("one_card_only", ruling)
    # Where it happens to nobody's hand, a seat says nothing.
    exposed = read_ruling(
        GAMES["classic"], irregular="card_exposed", decision="dealt", seat=3, out=[]
    )
    assert exposed.seat is None


def test_an_exposed_hole_card_makes_the_dealers_blackjack_a_plain_21() -> None:
    order = ruled(Irregular.HOLE_CARD_SHOWN)
    natural: dict[str, Any] = {"player_cards": ["Ah", "Kd"], "dealer_cards": ["As", "Ks"]}
    assert checked(**natural, paid_cents=0).verdict is Verdict.RIGHT
    under = checked(order, **natural, paid_cents=3_750)
    assert under.verdict is Verdict.RIGHT
    assert "plain 21 in this hand" in under.working
    assert under.as_answer()["orders"] == [
        {
            "number": 7,
            "code": "hole_card_shown",
            "message": "Hole card turned instead of the up card: "
            "a dealer's blackjack is a plain 21 in this hand.",
        }
    ]
    # A drawn 21 pushes with it; without the ruling it would have lost.
    drawn: dict[str, Any] = {"player_cards": ["7h", "7d", "7c"], "dealer_cards": ["As", "Ks"]}
    assert checked(order, **drawn, paid_cents=0).settlement.payout_cents == 0  # type: ignore[union-attr]
    assert checked(**drawn, paid_cents=0).settlement.payout_cents == -2_500  # type: ignore[union-attr]
    # No insurance is sold once the card was seen.
    insured = checked(order, **natural, paid_cents=0, extra={"insurance_cents": 1_000})
    assert [reason.code for reason in insured.reasons] == ["not_offered"]


def test_side_bets_go_by_the_first_card_after_an_exposed_hole_card() -> None:
    side = {
        "wager": "trilux",
        "stake_cents": 1_000,
        "player_cards": ["9c", "9d"],
        "dealer_up": "9s",
        "paid_cents": 9_000,
    }
    side_bet: dict[str, Any] = {**side, "dealer_cards": None}
    verdict = checked(ruled(Irregular.HOLE_CARD_SHOWN), **side_bet)
    assert verdict.verdict is Verdict.RIGHT
    assert "side bets go by the dealer's first card" in verdict.working
    # A missed blackjack and a burned card leave them alone.
    for irregular in (Irregular.BLACKJACK_MISSED, Irregular.DREW_ON_SEVENTEEN):
        assert checked(ruled(irregular), **side_bet).as_answer()["orders"] == []


def test_a_missed_blackjack_takes_original_wagers_and_pushes_a_paid_blackjack() -> None:
    order = ruled(Irregular.BLACKJACK_MISSED)
    dealer: dict[str, Any] = {"dealer_cards": ["Ks", "Ah"]}
    paid = checked(order, player_cards=["As", "Kd"], **dealer, paid_cents=0)
    assert paid.verdict is Verdict.RIGHT
    assert "Its payout is returned" in paid.working
    assert paid.settlement is not None
    assert paid.settlement.rule == "blackjack.paid_natural_reversed"
    doubled = checked(
        order,
        player_cards=["6s", "5d", "Tc"],
        **dealer,
        paid_cents=0,
        extra={"double_cents": 2_500},
    )
    assert doubled.settlement is not None
    assert doubled.settlement.payout_cents == -2_500
    assert "what was added goes back" in doubled.working


@pytest.mark.parametrize(
    ("dealer", "stands_on"),
    [
        (["Kd", "7s", "5c"], "17"),
        (["Kd", "8s", "3c"], "18"),
        (["Kd", "9s", "5c", "2c"], "19"),
        (["Ad", "6s", "4c"], "soft 17"),
    ],
)
def test_a_card_drawn_on_seventeen_is_burned_and_does_not_count(
    dealer: list[str], stands_on: str
) -> None:
    order = ruled(Irregular.DREW_ON_SEVENTEEN)
    assert checked(dealer_cards=dealer).verdict is Verdict.CANNOT_VERIFY
    verdict = checked(order, dealer_cards=dealer, player_cards=["Th", "Tc"])
    assert verdict.verdict is Verdict.RIGHT
    assert f"is burned, the dealer stands on {stands_on}." in verdict.working


def test_a_burned_card_changes_nothing_where_the_dealer_played_on_rightly() -> None:
    order = ruled(Irregular.DREW_ON_SEVENTEEN)
    assert checked(order).as_answer()["orders"] == []
    drawn = checked(order, dealer_cards=["Kd", "2s", "6c"])
    assert (drawn.verdict, drawn.as_answer()["orders"]) == (Verdict.RIGHT, [])
    # Where a soft 17 is hit, only a hard one had to stand.
    soft, hard = (
        {**HAND, "dealer_cards": cards} for cards in (["Ad", "6s", "4c"], ["Kd", "7s", "4c"])
    )
    assert follow(read_claim(soft), [order], "hit").notes == ()
    assert follow(read_claim(hard), [order], "hit").claim.case["dealer_cards"] == ["Kd", "7s"]
    # No other ruling takes a card off the dealer's hand.
    exposed = ruled(Irregular.CARD_EXPOSED, "dealt")
    assert checked(exposed, dealer_cards=["Kd", "7s", "4c"]).verdict is Verdict.CANNOT_VERIFY
    # What cannot be read is left to the settlement, which says why.
    with pytest.raises(Refused):
        checked(order, dealer_cards=["Kd", "7s", "no card"])
    with pytest.raises(Refused):
        checked(order, dealer_cards="Kd7s")
    assert checked(order, dealer_cards=None).verdict is Verdict.CANNOT_VERIFY
    with pytest.raises(Refused):
        checked(ruled(Irregular.HOLE_CARD_SHOWN), extra=[])


def test_a_seat_that_steps_out_gets_its_bets_back_and_the_others_are_settled() -> None:
    order = ruled(Irregular.PLAYER_SKIPPED, seat=4, out=(4, 6))
    back = checked(order, seat=6, paid_cents=0)
    assert back.verdict is Verdict.RIGHT
    assert back.settlement is not None
    assert (back.settlement.category, back.settlement.rule) == (
        "returned",
        "irregularity.player_skipped",
    )
    assert (back.settlement.payout_cents, back.settlement.stake_returned) == (0, True)
    assert "seat 6 is out of the hand, its bets are returned" in back.working
    assert back.as_answer()["orders"][0]["code"] == "player_skipped"
    assert checked(order, seat=6, paid_cents=2_500).verdict is Verdict.OVERPAID
    assert checked(order, seat=5).verdict is Verdict.RIGHT
    unseated = checked(order, seat=None)
    assert [reason.code for reason in unseated.reasons] == ["seat_needed"]


@pytest.mark.parametrize("irregular", [Irregular.CARD_EXPOSED, Irregular.TOO_FEW_CARDS])
def test_a_hand_that_is_called_off_gives_every_bet_back(irregular: Irregular) -> None:
    verdict = checked(ruled(irregular, "hand_off"), seat=None, paid_cents=0)
    assert verdict.verdict is Verdict.RIGHT
    assert "every bet goes back" in verdict.working
    # A bet that goes back stays back, whatever else is ruled in the hand.
    both = [ruled(irregular, "hand_off"), ruled(Irregular.DREW_ON_SEVENTEEN)]
    assert follow(read_claim(HAND), both, "stand").returned is not None
    # Played on, nothing changes, and the seat is nobody's concern.
    other = GUIDES[irregular].decisions[0]
    assert other.effect is Effect.NOTHING
    assert checked(ruled(irregular, other.code), seat=None).as_answer()["orders"] == []


def test_no_dealer_decides_an_irregular_hand() -> None:
    now = at_table()
    claim = read_claim({**HAND, "extra": {"dealer_bj_is_21": True}})
    order = ruled(Irregular.HOLE_CARD_SHOWN)
    for orders, codes in (((), ["not_ruled"]), ((order,), [])):
        dealt = TableNow(now.terms, now.tray, now.paid_on, orders=orders, is_dealt=True)
        assert [reason.code for reason in check_payout(claim, dealt).reasons] == codes
    # Whoever only wonders may suppose one.
    assert check_payout(claim, now).verdict is Verdict.RIGHT


FLAT = Order(
    9,
    read_flat_bet(
        GAMES["bet_bigger"],
        seat=4,
        bets=[{"wager": "bet_bigger", "stake_cents": 1_000, "spots": {"2x": 1_000}}],
    ),
)
BIGGER: dict[str, Any] = {
    "game": "bet_bigger",
    "wager": "bet_bigger",
    "stake_cents": 1_000,
    "extra": {"spots": ["2x"]},
    "paid_cents": 2_000,
}


def test_a_flat_bet_seat_is_paid_on_the_bets_of_the_first_hand_only() -> None:
    assert FLAT.code == "flat_bet"
    assert checked(FLAT, **BIGGER).verdict is Verdict.RIGHT
    changes: list[dict[str, Any]] = [
        {"stake_cents": 500},
        {"extra": {"spots": ["2x", "3x"]}},
        {"extra": {}},
        {"wager": "perfect_pair", "extra": None, "dealer_cards": None},
        {"extra": {"spots": "2x"}},
        {"extra": {"spots": ["2x", []]}},
    ]
    for change in changes:
        verdict = checked(FLAT, **{**BIGGER, **change})
        assert verdict.verdict is Verdict.CANNOT_VERIFY
        assert [reason.code for reason in verdict.reasons] == ["flat_bet_differs"]
        assert "$10 on the ante with 2x" in verdict.working
    # Another seat plays as it likes; nobody knows whose bet it is without a seat.
    free = checked(FLAT, **{**BIGGER, "seat": 5, "stake_cents": 500, "paid_cents": 1_000})
    assert free.verdict is Verdict.RIGHT
    assert checked(FLAT, **{**BIGGER, "seat": None}).reasons[0].code == "seat_needed"


def test_insurance_and_a_dealer_bet_are_no_bets_of_the_first_hand() -> None:
    for change in ({"wager": "insurance"}, {"extra": {"dealer_bet": True}}):
        claim = read_claim({**HAND, **change})
        assert follow(claim, [FLAT], "stand").refusals == ()
    first = [{"wager": wager, "stake_cents": 1_000} for wager in ("bet_bigger", "lucky_ladies")]
    order = Order(9, read_flat_bet(GAMES["bet_bigger"], seat=4, bets=first))
    for wager, codes in (("lucky_ladies", []), ("perfect_pair", ["flat_bet_differs"])):
        claim = read_claim({**HAND, "wager": wager, "stake_cents": 1_000})
        assert [refusal.code for refusal in follow(claim, [order], "hit").refusals] == codes
    coupon = Order(9, FlatBet(4, read_flat_bet(GAMES["bet_bigger"], seat=4, bets=[
        {"wager": "blackjack", "stake_cents": 2_500}]).bets))  # fmt: skip
    assert follow(read_claim({**HAND, "wager": "free_bet_coupon"}), [coupon], "hit").refusals == ()


@pytest.mark.parametrize(
    ("keyed", "codes"),
    [
        ({"seat": None}, ["seat_missing"]),
        ({"seat": 9}, ["seat_missing"]),
        ({"bets": []}, ["bets_missing"]),
    ],
)
def test_a_flat_bet_order_is_refused_without_its_seat_or_bets(
    keyed: dict[str, Any], codes: list[str]
) -> None:
    bets = [{"wager": "bet_bigger", "stake_cents": 1_000}]
    with pytest.raises(Refused) as caught:
        read_flat_bet(GAMES["bet_bigger"], **{"seat": 4, "bets": bets, **keyed})
    assert list(caught.value.codes) == codes


def test_a_flat_bet_order_is_kept_as_plain_facts_and_read_again() -> None:
    assert isinstance(FLAT.what, FlatBet)
    kept = FLAT.what.as_facts()
    assert order_of(9, OrderKind.FLAT_BET, kept) == FLAT
    plain = read_flat_bet(
        GAMES["bet_bigger"], seat=1, bets=[{"wager": "bet_bigger", "stake_cents": 500}]
    )
    assert plain.as_facts() == {
        "seat": 1,
        "bets": [{"wager": "bet_bigger", "stake_cents": 500}],
    }
