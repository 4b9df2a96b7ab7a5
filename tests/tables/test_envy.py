"""Envy: recorded with a confirmed check, a round or a tap, and taken back with a correction."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest
from django.db import DatabaseError, connection, transaction

from pitboss.models import FloorException, Table
from pitboss.rules.payouts.mismatches import Way
from pitboss.rules.roles import Place
from pitboss.services import house
from pitboss.services.verification import verify as verify_journal
from tables.models import EnvyLine, FloorRequest, PayoutCheck, Round
from tables.reports.win import table_report
from tables.services.mismatches import settle_mismatch
from tests.floor.big_wins import opened, set_up
from tests.floor.cast import Cast, ServerClock
from tests.floor.jackpots import MIXED, TRAY, hit, open_tables, pay, released
from tests.floor.payouts import SUPER_3, checked, open_with_terminal, paid
from tests.floor.tablets import signed_in, words
from tests.floor.terminals import TerminalClient, make_terminal
from tests.races import at_once

pytestmark = pytest.mark.django_db

# Two sevens at Blazing 7's pay $125, and $2 to the tokes.
SEVENS = {
    "wager": "blazing_7s",
    "stake_cents": 500,
    "player_cards": ["7s", "7d"],
    "dealer_up": "8c",
    "paid_cents": 12_500,
    "seat": 3,
}
LOST = {**SEVENS, "player_cards": ["6s", "9d"], "paid_cents": 0}
WHOLE = {
    "dealer_cards": ["8c", "Th"],
    "seats": [
        {
            "seat": 3,
            "bets": [
                {"wager": "blackjack", "stake_cents": 5_000},
                {"wager": "blazing_7s", "stake_cents": 500},
            ],
            "cards": ["7s", "7d"],
            "decisions": ["stand"],
        }
    ],
}


@pytest.fixture
def terminal(cast: Cast) -> TerminalClient:
    open_tables(cast)
    return TerminalClient(make_terminal(Table.objects.get(pk=cast.table.pk)))


def codes(answer: Any) -> list[str]:
    return [refusal["code"] for refusal in answer.json()["refusals"]]


def confirmed(terminal: TerminalClient, claim: dict[str, Any] = SEVENS) -> int:
    check = checked(terminal, claim)
    response = terminal.post(f"checks/{check}/paid", {"paid_cents": claim["paid_cents"]})
    assert response.status_code == 201, response.content
    return check


def amounts() -> list[int]:
    return list(EnvyLine.objects.order_by("id").values_list("amount_cents", flat=True))


def listed(cast: Cast) -> str:
    """Return the tip pool list as accounting reads it."""
    return words(signed_in(cast.olga, cast, Place.OFFICE).get("/reports/tip-pool/"))


def test_a91_envy_is_a_tray_payout_and_a_line_of_the_tip_pool_list_until_corrected(
    cast: Cast, terminal: TerminalClient
) -> None:
    check = checked(terminal, SEVENS)
    assert amounts() == [], "nothing before it is confirmed"
    body = terminal.post(f"checks/{check}/paid", {"paid_cents": 12_500}).json()
    assert body["envy_cents"] == 200
    [line] = EnvyLine.objects.all()
    assert (line.wager, line.row, line.seat, line.dealer) == (
        "blazing_7s", "two_sevens", 3, cast.dan,
    )  # fmt: skip
    page = listed(cast)
    for must in ("Blazing 7", "Two sevens", "D. Danson", "$2 of envy", cast.table.name):
        assert must in page, must
    again = terminal.post("checks", {**LOST, "corrects": check})
    assert (again.status_code, again.json()["verdict"]) == (201, "right")
    assert amounts() == [200, -200]
    assert "$0 of envy" in listed(cast)
    cast.close_table(TRAY)
    win = table_report(Table.objects.get(pk=cast.table.pk), house.period_at(house.now()).gaming_day)
    envy = next(win_line for win_line in win.lines if win_line.key == "envy")
    assert (envy.amount_cents, [behind.amount_cents for behind in envy.behind]) == (0, [200, -200])
    assert verify_journal().is_sound


def test_a91_a_house_table_pays_the_envy_it_was_given_and_trilux_none_until_it_is(
    cast: Cast,
) -> None:
    terminal = opened(cast)
    three = {**SUPER_3, "wager": "trilux", "stake_cents": 500, "paid_cents": 15_000}
    set_up(cast, "classic", "trilux", {"three_of_a_kind": "30:1", "pair": "1:1"})
    setup = Table.objects.get(pk=cast.table.pk).setup | {"soft_17": "stand"}
    Table.objects.filter(pk=cast.table.pk).update(setup=setup)
    confirmed(terminal, three)
    assert amounts() == []
    setup["side_bets"]["trilux"]["envy_cents"] = {"three_of_a_kind": 700}
    Table.objects.filter(pk=cast.table.pk).update(setup=setup)
    confirmed(terminal, three)
    assert amounts() == [700]
    rows = next(
        wager for wager in terminal.get("table").json()["wagers"] if wager["wager"] == "trilux"
    )["paytable"]["rows"]
    assert {row["row"]: row["envy_cents"] for row in rows} == {"three_of_a_kind": 700, "pair": 0}


def test_envy_of_a_round_is_recorded_once_whoever_tells_it_first(
    cast: Cast, server_clock: ServerClock, terminal: TerminalClient
) -> None:
    assert terminal.put(f"rounds/{uuid4()}", WHOLE).status_code in (200, 201)
    [line] = EnvyLine.objects.all()
    assert (line.round, line.amount_cents, line.seat) == (Round.objects.get(), 200, 3)
    confirmed(terminal)
    assert amounts() == [200], "the check is of the hand that the round told"
    server_clock.move(minutes=5)
    confirmed(terminal)
    assert amounts() == [200, 200]
    server_clock.move(seconds=20)
    terminal.put(f"rounds/{uuid4()}", {**WHOLE, "dealer_cards": ["8d", "Th"]})
    assert amounts() == [200, 200], "the round is of the hand that was checked"
    server_clock.move(minutes=1)
    terminal.put(f"rounds/{uuid4()}", {**WHOLE, "dealer_cards": ["8s", "Th"]})
    assert amounts() == [200, 200, 200]


def test_envy_of_a_jackpot_goes_out_with_its_slip_and_is_on_the_same_list(
    cast: Cast, terminal: TerminalClient
) -> None:
    claim = {**SEVENS, "player_cards": list(MIXED), "dealer_up": "7h", "paid_cents": 100_000}
    confirmed(terminal, claim)
    assert amounts() == []
    slip = hit(cast, MIXED)
    released(cast, slip)
    pay(cast, slip, by=cast.bob)
    page = listed(cast)
    assert slip.serial in page
    assert "$5 of envy" in page


def test_a_hand_that_was_paid_nothing_adds_no_envy_until_it_is_put_right(
    cast: Cast, terminal: TerminalClient
) -> None:
    mismatch = paid(terminal, SEVENS, paid_cents=0)
    assert amounts() == []
    settle_mismatch(
        mismatch_id=mismatch.pk,
        way=Way.CORRECTED,
        reason="",
        found_cents=None,
        pen=cast.pen(cast.alice),
    )
    assert amounts() == [200]


def test_envy_goes_back_with_a_payout_that_does_not_stand(
    cast: Cast, terminal: TerminalClient
) -> None:
    mismatch = paid(terminal, SEVENS, paid_cents=0)
    settle_mismatch(
        mismatch_id=mismatch.pk,
        way=Way.OVERRIDDEN,
        reason="The second seven is a six.",
        found_cents=None,
        pen=cast.pen(cast.alice),
    )
    assert amounts() == []


def test_a_dealer_taps_envy_and_takes_a_wrong_tap_back(
    cast: Cast, server_clock: ServerClock, terminal: TerminalClient
) -> None:
    response = terminal.post("envy", {"wager": "blazing_7s", "row": "two_sevens"})
    assert (response.status_code, response.json()["amount_cents"]) == (201, 200)
    number = response.json()["envy"]
    assert terminal.post(f"envy/{number}/back", {}).json()["amount_cents"] == -200
    assert codes(terminal.post(f"envy/{number}/back", {})) == ["already_reversed"]
    assert codes(terminal.post("envy/999/back", {})) == ["unknown_envy"]
    assert codes(terminal.post("envy", {"wager": "blackjack", "row": "win"})) == ["no_envy_there"]
    jackpot = {"wager": "blazing_7s", "row": "three_sevens_mixed"}
    assert codes(terminal.post("envy", jackpot)) == ["paid_on_its_slip"]
    bad = {"wager": "blazing_7s", "row": "two_sevens", "seat": 0}
    assert codes(terminal.post("envy", bad)) == ["bad_seat"]
    confirmed(terminal)
    own = EnvyLine.objects.latest("id")
    assert codes(terminal.post(f"envy/{own.pk}/back", {})) == ["envy_of_a_check"]
    old = terminal.post("envy", {"wager": "blazing_7s", "row": "two_sevens", "seat": 2}).json()
    server_clock.move(minutes=11)
    assert codes(terminal.post(f"envy/{old['envy']}/back", {})) == ["envy_too_old"]
    Table.objects.filter(pk=cast.table.pk).update(is_open=False)
    closed = terminal.post("envy", {"wager": "blazing_7s", "row": "two_sevens"})
    assert codes(closed) == ["table_closed"]


def test_a_corrected_check_ends_its_request_and_its_approval(cast: Cast) -> None:
    terminal = open_with_terminal(cast)
    first = checked(terminal, SUPER_3)
    body = terminal.post(f"checks/{first}/approval", {}).json()["request"]
    tablet = signed_in(cast.alice, cast)
    assert ">Approve<" in words(tablet.get(f"/tables/{cast.table.name}/"))
    right = {**SUPER_3, "player_cards": ["9c", "8d"], "paid_cents": 0}
    again = terminal.post("checks", {**right, "corrects": first})
    assert again.status_code == 201
    assert ">Approve<" not in words(tablet.get(f"/tables/{cast.table.name}/"))
    assert not FloorException.objects.filter(resolved_at=None).exists()
    form = {"request_id": str(uuid4()), "act": "grant"}
    answer = tablet.post(f"/floor-log/requests/{body}/", form)
    assert answer.status_code in (409, 422)
    assert "was corrected" in words(answer)
    assert not hasattr(FloorRequest.objects.get(pk=body), "answer")
    late = {"paid_cents": 45_000, "already_paid": True}
    assert codes(terminal.post(f"checks/{first}/paid", late)) == ["check_corrected"]
    assert codes(terminal.post(f"checks/{first}/approval", {})) == ["check_corrected"]
    assert PayoutCheck.objects.get(pk=again.json()["check"]).corrects_id == first


def test_only_the_newest_check_of_the_same_bet_and_table_is_corrected(cast: Cast) -> None:
    terminal = open_with_terminal(cast)
    first = checked(terminal, SUPER_3)
    assert codes(terminal.post("checks", {**SUPER_3, "corrects": 999})) == ["unknown_check"]
    assert codes(terminal.post("checks", {**SUPER_3, "corrects": "x"})) == ["unknown_check"]
    other = {**SUPER_3, "wager": "trilux", "corrects": first}
    assert codes(terminal.post("checks", other)) == ["other_bet"]
    key, body = str(uuid4()), {**SUPER_3, "corrects": first}
    once = terminal.post("checks", body, key)
    assert terminal.post("checks", body, key).content == once.content
    assert codes(terminal.post("checks", body)) == ["already_corrected"]
    newest = once.json()["check"]
    assert terminal.post("checks", {**SUPER_3, "corrects": newest}).status_code == 201


@pytest.mark.parametrize(
    "change",
    [
        {"amount_cents": 300},
        {"amount_cents": -200},
        {"amount_cents": 0},
        {"wager": "trilux"},
        {"amount_cents": -100, "reverses": True},
        {"amount_cents": -200, "reverses": True, "row": "one_seven"},
        {"amount_cents": -200, "reverses": True, "check_of": None},
    ],
)
def test_the_database_keeps_no_envy_but_what_was_found(
    terminal: TerminalClient, change: dict[str, Any]
) -> None:
    confirmed(terminal)
    line = EnvyLine.objects.get()
    values = {**change, **({"reverses": line} if "reverses" in change else {})}
    wrong = EnvyLine(
        **{
            "table": line.table,
            "terminal": line.terminal,
            "gaming_day": line.gaming_day,
            "shift": line.shift,
            "at": line.at,
            "wager": line.wager,
            "row": line.row,
            "amount_cents": 200,
            "check_of": line.check_of,
            **values,
        }
    )
    with pytest.raises(DatabaseError), transaction.atomic():
        wrong.save()
    with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("UPDATE tables_envyline SET amount_cents = 1")


@pytest.mark.django_db(transaction=True)
def test_two_corrections_of_one_check_take_its_envy_back_once(
    cast: Cast, terminal: TerminalClient
) -> None:
    check = confirmed(terminal)
    answers = at_once(*[lambda: terminal.post("checks", {**LOST, "corrects": check})] * 2)
    assert sorted(answer.status_code for answer in answers) in ([201, 409], [201, 422])
    assert amounts() == [200, -200]
