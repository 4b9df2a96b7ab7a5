"""Tables of games without rules here: tracked in full, with no verdict on a payout."""

from __future__ import annotations

from typing import Any

import pytest
from django.urls import reverse

from jackpots.kinds.big_win import BIG_WIN_KIND
from jackpots.models import Jackpot
from pitboss.models import Pit, Slip, Table
from pitboss.rules.games.table_setup import read_setup, stored_setup
from pitboss.rules.games.tracked import TRACKED_GAMES
from pitboss.rules.refusal import Refused
from pitboss.selectors.table_rules import rules_in_force
from pitboss.services import house
from pitboss.slips.addresses import new_url
from pitboss.slips.raising import raise_kind, shown_before
from tables.models import PayoutCheck
from tables.reports.win import table_report
from tables.selectors.holds import hold_of
from tests.floor.cage import send_credit
from tests.floor.cast import Cast
from tests.floor.drop_box import count_and_post, pull
from tests.floor.setups import set_up
from tests.floor.tablets import signed_in, words
from tests.floor.terminals import TerminalClient, make_terminal

pytestmark = pytest.mark.django_db
TRAY = {10_000: 20, 2_500: 40}
RO_1 = {
    "name": "RO-1",
    "pit": "Pit 1",
    "game": "roulette",
    "minimum": "15",
    "maximum": "2,000",
    "par_2500": "100",
}


@pytest.fixture
def wheel(cast: Cast) -> Cast:
    """The cast at roulette RO-1, set up by two managers."""
    cast.table = set_up(cast, RO_1)
    return cast


def test_a103_roulette_is_opened_filled_credited_dropped_and_closed(wheel: Cast) -> None:
    wheel.deliver(wheel.ask(TRAY))  # $3,000
    assert wheel.open_table(TRAY).status == "done"
    wheel.deliver(wheel.ask({2_500: 20}))  # $500
    credit = send_credit(wheel, {2_500: 20})  # $500
    assert Slip.objects.get(pk=credit.pk).status == "done"
    closing = {10_000: 10, 2_500: 40}  # $2,000
    assert wheel.close_table(closing).status == "done"
    assert wheel.table.cards == "none", "no card keeps a wheel shut"
    count_and_post(wheel, pull(wheel), {"cash_10000": 200_000})
    # 2,000 + 500 + 2,000 - 3,000 - 500, of $2,000 in the box.
    day = house.period_at(house.now()).gaming_day
    final = table_report(wheel.table, day, None).final
    assert final is not None
    assert final.win_cents == 100_000
    held = hold_of("roulette", day.replace(day=1), house.settings_at(house.now()))
    assert held is not None
    assert (held.win_cents, held.drop_cents, held.hold) == (100_000, 200_000, 5_000)


def test_a103_a_check_answers_that_there_are_no_rules(wheel: Cast) -> None:
    wheel.deliver(wheel.ask(TRAY))
    wheel.open_table(TRAY)
    terminal = TerminalClient(make_terminal(wheel.table))
    for wager in ("roulette", "blackjack"):
        body = terminal.post(
            "checks", {"wager": wager, "stake_cents": 10_000, "paid_cents": 350_000}
        ).json()
        assert body["verdict"] == "cannot_verify", body
        assert [reason["code"] for reason in body["reasons"]] == ["no_rules_for_game"]
    assert PayoutCheck.objects.count() == 2
    refused = terminal.post("rounds", {}).json()["refusals"]
    assert [item["code"] for item in refused] == ["no_rules_for_game"]
    table = terminal.get("table").json()
    assert table["wagers"] == []


def test_a103_every_page_of_the_table_opens(wheel: Cast) -> None:
    wheel.deliver(wheel.ask(TRAY))
    wheel.open_table(TRAY)
    client = signed_in(wheel.heidi, wheel)
    for url in (
        reverse("board"),
        reverse("table", args=["RO-1"]),
        "/tables/RO-1/cards/",
        reverse("house-tables"),
        new_url("table_change", table="RO-1"),
        reverse("drills"),
        reverse("what-if", args=["RO-1"]),
    ):
        page = client.get(url, follow=True)
        assert page.status_code == 200, url
    assert "Roulette" in words(client.get(reverse("house-tables")))
    form = words(client.get(new_url("table_change", table="RO-1")))
    assert "Blackjack pays" not in form
    assert "Soft 17" not in form


def test_a103_twelve_thousand_dollars_still_need_a_big_win_slip(wheel: Cast) -> None:
    wheel.deliver(wheel.ask(TRAY))
    wheel.open_table(TRAY)
    client = signed_in(wheel.alice, wheel)
    form = words(client.get("/slips/new/big_win/?table=RO-1&wager=roulette"))
    assert "What won, in words" in form
    table = Table.objects.get(name="RO-1")
    fields: dict[str, Any] = {
        "wager": "roulette",
        "seat": 3,
        "stake": 40_000,
        "hand": "Straight up on 17",
    }
    won = BIG_WIN_KIND.at(table, **fields, amount=1_200_000)
    slip = raise_kind(won, pen=wheel.pen(wheel.dan), shown=shown_before(won))
    assert slip.details["working"] == "Straight up on 17. $400 wins $12,000, as entered."
    assert [step["name"] for step in slip.plan if step["track"] == "main"][:3] == [
        "entered",
        "verified",
        "released",
    ]
    wheel.sign(slip, "verified", wheel.alice)
    assert Jackpot.objects.get(slip=slip).wager_cents == 40_000
    page = words(signed_in(wheel.heidi, wheel).get(reverse("slip", args=[slip.serial])))
    assert "$12,000" in page


@pytest.mark.parametrize(
    ("said", "code"),
    [
        ({"amount": 90_000, "hand": "Red"}, "no_big_win"),
        ({"amount": 1_200_000}, "hand_missing"),
        ({"hand": "Straight up on 17"}, "amount_missing"),
    ],
)
def test_a103_a_big_win_in_words_says_what_won_and_how_much(
    wheel: Cast, said: dict[str, Any], code: str
) -> None:
    wheel.deliver(wheel.ask(TRAY))
    wheel.open_table(TRAY)
    table = Table.objects.get(name="RO-1")
    won = BIG_WIN_KIND.at(table, wager="roulette", seat=3, stake=40_000, **said)
    with pytest.raises(Refused) as refused:
        shown_before(won)
    assert refused.value.codes == (code,)


@pytest.mark.parametrize("game", TRACKED_GAMES)
def test_a103_each_of_the_others_is_set_up_and_has_rules_without_bets(
    cast: Cast, game: str
) -> None:
    fields = {"decks": "8", "cards": "none"} if game == "baccarat" else {"cards": "none"}
    if game == "spanish_21":
        fields = {"decks": "6", "cards": "shuffler"}
    setup = read_setup({**RO_1, "name": "TG-1", "game": game, **fields})
    assert stored_setup(setup.stored()) == setup
    assert "tracked without verdicts" in setup.words()["Game"]
    assert set(setup.term_words()) == {"VIP"}
    table = Table.objects.create(
        name="TG-1",
        pit=Pit.objects.all()[0],
        game=game,
        minimum_cents=1_500,
        maximum_cents=200_000,
        decks=setup.decks,
    )
    rules = rules_in_force(table, house.settings_at(house.now()))
    assert not rules.side_bets


def test_a_wheel_and_baccarat_have_reference_cards_without_the_manuals_hands(wheel: Cast) -> None:
    terminal = TerminalClient(make_terminal(wheel.table))
    client = signed_in(wheel.carol, wheel)

    def asked() -> tuple[str, list[str], int]:
        page = words(client.get(reverse("reference", args=["RO-1"])))
        jobs = [item["job"] for item in terminal.get("job-cards").json()]
        return page, jobs, terminal.get("requests/kinds").status_code

    page, jobs, status = asked()
    assert (jobs, status) == ([], 200)
    assert "How cheques are cut" in page
    assert "strategy" not in page.casefold()
    Table.objects.filter(name="RO-1").update(game="baccarat", cards="hand", decks=8)
    page, jobs, status = asked()
    assert status == 200
    assert "bills" in jobs
    assert "cut" not in jobs
    assert "Laying out bills" in page


def test_roulette_is_verified_by_the_pay_table_that_the_house_chose(
    cast: Cast,
) -> None:
    cast.table = set_up(cast, {**RO_1, "blackjack_pays": "double_zero"})
    cast.deliver(cast.ask(TRAY))
    cast.open_table(TRAY)
    terminal = TerminalClient(make_terminal(cast.table))
    (wager,) = terminal.get("table").json()["wagers"]
    assert wager["paytable"]["name"] == "Roulette, double zero"
    assert {"bet": "split", "name": "Split", "numbers": 2, "which": 0} in wager["bets"]
    assert "first_four" not in {item["bet"] for item in wager["bets"]}
    split = {"bet": "split", "numbers": ["17", "20"], "result": "17"}
    bet = {"wager": "roulette", "stake_cents": 2_500, "seat": 3}
    right = terminal.post("checks", {**bet, "extra": split, "paid_cents": 42_500}).json()
    assert (right["verdict"], right["level"]) == ("right", "approval"), right
    assert right["cheques"] == {"10000": 4, "2500": 1}
    over = terminal.post("checks", {**bet, "extra": split, "paid_cents": 45_000}).json()
    assert (over["verdict"], over["difference_cents"]) == ("overpaid", 2_500)
    big = {**bet, "stake_cents": 60_000, "extra": split, "paid_cents": 1_020_000}
    assert terminal.post("checks", big).json()["level"] == "big_win"
    much = terminal.post(
        "checks", {**bet, "stake_cents": 250_000, "extra": split, "paid_cents": 0}
    ).json()
    assert [warning["code"] for warning in much["warnings"]] == ["over_maximum"]
    bad = {**bet, "extra": {**split, "result": "37"}, "paid_cents": 0}
    assert terminal.post("checks", bad).json()["refusals"][0]["code"] == "bad_result"
    other = {**bet, "wager": "blackjack", "player_cards": ["9c", "9d"], "paid_cents": 0}
    assert terminal.post("checks", other).json()["reasons"][0]["code"] == "wager_not_offered"
    client = signed_in(cast.heidi, cast)
    page = client.get(
        reverse("what-if", args=["RO-1"]),
        {"wager": "roulette", "bet": "dozen", "which": "2", "result": "13", "stake": "25"},
    )
    assert "Dozen 2 pays 2 to 1" in words(page)
    form = words(client.get(new_url("table_change", table="RO-1")))
    assert "double zero, red 5.26% (1/19)" in form
