"""What a table's own options forbid is called right nowhere: by no check, felt or round."""

from __future__ import annotations

from uuid import uuid4

import pytest

from pitboss.services import house
from tables.models import PayoutCheck, Round
from tests.floor.big_wins import opened
from tests.floor.cast import Cast
from tests.floor.dealt_rounds import Dealt, set_up
from tests.floor.terminals import TerminalClient
from tests.tables.test_incidents import note

pytestmark = pytest.mark.django_db

TABLE = {
    "game": "classic",
    "decks": 6,
    "soft_17": "stand",
    "blackjack_pays": "3:2",
    "minimum_cents": 500,
    "maximum_cents": 300_000,
    "side_bets": {},
}
STAKE_CENTS = 2_500
DEALER = "Ts 7s"


def dealt(
    first: str, *hands: str, doubles: tuple[int, ...] = (), surrenders: bool = False
) -> Dealt:
    told = [hand.split() for hand in hands] or [first.split()]
    bets = [{"wager": "blackjack", "stake_cents": STAKE_CENTS}]
    more = [0] * (len(told) - len(doubles))
    return Dealt(4, bets, first.split(), told, [*doubles, *more], surrenders=surrenders)


@pytest.mark.parametrize(
    ("play", "seat", "codes"),
    [
        ({"double_after_split": "no"},
         dealt("8h 8d", "8h 3d Tc", "8d 9c", doubles=(STAKE_CENTS,)), "double_after_split"),
        ({"doubles": "10-11"}, dealt("5h 4d", "5h 4d Tc", doubles=(STAKE_CENTS,)), "double_total"),
        ({"double_for_less": "no"},
         dealt("6h 5d", "6h 5d Tc", doubles=(1_000,)), "double_for_less"),
        ({}, dealt("6h 5d", "6h 5d Tc", doubles=(400,)), "double_under_minimum"),
        ({}, dealt("6h 5d", "6h 5d Tc", doubles=(STAKE_CENTS + 500,)), "double_above_wager"),
        ({"split_hands": "2"}, dealt("8h 8d", "8h Tc", "8d Td", "8c Th"), "split_too_many"),
        ({}, dealt("Ah Ad", "Ah 9c", "Ad 9d", "Ac 9h"), "aces_split_again split_too_many"),
        ({}, dealt("Ah Ad", "Ah 3c 7c", "Ad 9d"), "split_ace_drew"),
        ({"resplit_aces": "yes"}, dealt("Ah Ad", "Ah 3c 7c", "Ad 9d", "Ac 9h"), "split_ace_drew"),
        ({"resplit_aces": "yes"},
         dealt("Ah Ad", "Ah 3c 7c", "Ad 9d", doubles=(STAKE_CENTS,)),
         "split_ace_drew double_split_aces"),
        ({}, dealt("Th 9d", surrenders=True), "surrender_disabled"),
        ({}, dealt("Th 9d", "Th 9d 2c 5s"), "drew_after_21"),
    ],
)  # fmt: skip
def test_what_a_table_forbids_is_called_right_nowhere(
    cast: Cast, play: dict[str, str], seat: Dealt, codes: str
) -> None:
    terminal = opened(cast)
    set_up(cast, {**TABLE, **({"play": play} if play else {})})
    dealer = DEALER.split()
    felt = terminal.post("felt", {"dealer": dealer, "seats": [seat.on_the_felt()]}).json()
    (told,) = felt["seats"]
    for line in told["lines"]:
        assert line["payable_cents"] is None
        assert {reason["code"] for reason in line["reasons"]} & {*codes.split()}
        for cents in (0, STAKE_CENTS, 2 * STAKE_CENTS):
            found = terminal.post("checks", {**line["claim"], "paid_cents": cents}).json()
            assert found["verdict"] == "cannot_verify"
    assert not PayoutCheck.objects.filter(verdict="right").exists()
    _is_no_round(terminal, seat, dealer, {*codes.split()})


def _is_no_round(terminal: TerminalClient, seat: Dealt, dealer: list[str], codes: set[str]) -> None:
    sent = {
        "dealer_cards": dealer,
        "seats": [seat.in_a_round()],
        "payouts": [{"seat": 4, "wager": "blackjack", "paid_cents": STAKE_CENTS}],
    }
    refused = terminal.put(f"rounds/{uuid4()}", sent)
    assert {refusal["code"] for refusal in refused.json()["refusals"]} & codes
    assert not Round.objects.exists()
    taken = terminal.put(f"rounds/{uuid4()}", {**sent, "unverified": True}).json()
    assert (taken["outcome"], taken["verdict"]["lines"]) == ("unverified", [])


def test_insurance_and_even_money_are_right_only_where_they_are_offered(cast: Cast) -> None:
    terminal = opened(cast)
    insurance = {
        "wager": "insurance", "stake_cents": 1_000, "dealer_cards": ["As", "Kh"],
        "extra": {"main_stake_cents": STAKE_CENTS}, "paid_cents": 2_000,
    }  # fmt: skip
    even = {
        "wager": "blackjack", "stake_cents": STAKE_CENTS, "player_cards": ["Ah", "Kd"],
        "dealer_cards": ["As"], "extra": {"even_money": True}, "paid_cents": STAKE_CENTS,
    }  # fmt: skip
    for play, found in (
        ({}, ["right", "right"]),
        ({"even_money": "no"}, ["right", "cannot_verify"]),
        ({"insurance": "no"}, ["cannot_verify", "cannot_verify"]),
    ):
        set_up(cast, {**TABLE, "play": play})
        verdicts = [terminal.post("checks", item).json()["verdict"] for item in (insurance, even)]
        assert verdicts == found


def test_a_coupon_on_odds_is_settled_only_where_the_supervisor_logged_it(cast: Cast) -> None:
    terminal = opened(cast)
    trilux = {"paytable": "MANUAL-9", "minimum_cents": 500, "maximum_cents": 10_000}
    set_up(cast, {**TABLE, "side_bets": {"trilux": trilux}})
    coupon = {"wager": "trilux", "stake_cents": 2_500, "coupon": True}
    main = {"wager": "blackjack", "stake_cents": STAKE_CENTS}
    sent = {
        "seats": [{"seat": 4, "cards": ["9c", "9d"], "bets": [main, coupon]}],
        "dealer_cards": ["9s", "8h"],
        "coupons_approved": True,
    }
    refused = terminal.put(f"rounds/{uuid4()}", sent)
    assert [refusal["code"] for refusal in refused.json()["refusals"]] == ["coupon_not_approved"]
    day = house.period_at(house.now()).gaming_day.isoformat()
    fields = {"coupon_initials": "AA", "coupon_badge": "101", "dated": day, "face_cents": 2_500}
    note(cast, "coupon", **fields, bet="even")
    assert terminal.put(f"rounds/{uuid4()}", sent).status_code == 409
    note(cast, "coupon", **fields, bet="odds")
    ended = terminal.put(f"rounds/{uuid4()}", sent).json()
    (line,) = [item for item in ended["verdict"]["lines"] if item["wager"] == "trilux"]
    assert line["payout_cents"] == 2_500, "a coupon is only ever paid even money"
