"""Approvals of payouts: asked for a check, given by one tap, used once, or flagged as missing."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest
from django.db import DatabaseError, connection, transaction

from pitboss.models import FloorException, JournalEntry, Person
from pitboss.rules.roles import Place
from pitboss.services import house
from tables.models import (
    Dealing,
    FloorEntry,
    FloorRequest,
    PayoutCheck,
    PayoutConfirmation,
    PayoutWord,
)
from tables.services.approval_escalation import escalate_approvals
from tables.services.dealers import put_at
from tables.services.floor_log import NewEntry, Tap, answer, enter
from tests.floor.cast import Cast, ServerClock, refused
from tests.floor.payouts import SUPER_3, checked, open_with_terminal
from tests.floor.tablets import signed_in, words
from tests.floor.terminals import TerminalClient
from tests.races import at_once

pytestmark = pytest.mark.django_db

# 90 to 1 on $4.50 is $405, and on $2 it is $180 in green and less.
ROW = {**SUPER_3, "stake_cents": 450, "paid_cents": 40_500}
SMALL = {**SUPER_3, "stake_cents": 200, "paid_cents": 18_000, "bet": {"100": 2}}
# F01: nine greens on three nines of a $25 TriLux.
F01 = {
    "wager": "trilux",
    "stake_cents": 2_500,
    "player_cards": ["9c", "9d"],
    "dealer_up": "9s",
    "paid_cents": 22_500,
    "bet": {"2500": 1},
    "seat": 5,
}
PAID = {"paid_cents": 40_500}


@pytest.fixture
def terminal(cast: Cast) -> TerminalClient:
    return open_with_terminal(cast)


def codes(answer: Any) -> list[str]:
    return [refusal["code"] for refusal in answer.json()["refusals"]]


def tap(cast: Cast, person: Person | None = None) -> Tap:
    pen = cast.pen(person or cast.alice)
    return Tap(person or cast.alice, pen.device, pen.request_id)


def asked(terminal: TerminalClient, check: int) -> FloorRequest:
    response = terminal.post(f"checks/{check}/approval", {})
    assert response.status_code == 201, response.content
    return FloorRequest.objects.get(pk=response.json()["request"])


def grant(cast: Cast, request: FloorRequest, person: Person | None = None) -> FloorEntry:
    return answer(asked=request, is_granted=True, hand=tap(cast, person))


def pay(terminal: TerminalClient, check: int, **more: Any) -> Any:
    return terminal.post(f"checks/{check}/paid", {**PAID, **more})


def test_a84_nothing_is_paid_before_approval_and_already_paid_is_stored_once_and_flagged(
    cast: Cast, terminal: TerminalClient
) -> None:
    check = checked(terminal, ROW)
    assert terminal.get(f"checks/{check}").json()["level"] == "approval"
    asked(terminal, check)
    response = pay(terminal, check)
    assert (response.status_code, codes(response)) == (409, ["approval_missing"])
    assert not PayoutConfirmation.objects.exists()
    key = str(uuid4())
    body = {**PAID, "already_paid": True}
    first = terminal.post(f"checks/{check}/paid", body, key)
    assert terminal.post(f"checks/{check}/paid", body, key).content == first.content
    assert first.json()["is_unapproved"]
    assert PayoutConfirmation.objects.count() == 1
    [flag] = FloorException.objects.filter(resolved_at=None)
    assert flag.code == "paid_without_approval"
    tablet = signed_in(cast.alice, cast)
    assert ">Approve<" not in words(tablet.get(f"/tables/{cast.table.name}/"))
    office = signed_in(cast.carol, cast, Place.OFFICE)
    assert "paid without approval" in words(office.get("/inbox/"))


def test_a_payout_goes_out_on_one_tap_of_the_supervisor(
    cast: Cast, terminal: TerminalClient
) -> None:
    check = checked(terminal, ROW)
    request = asked(terminal, check)
    assert asked(terminal, check) == request, "asked once while it waits"
    assert (request.facts["check"], request.facts["amount_cents"]) == (check, 40_500)
    tablet = signed_in(cast.alice, cast)
    page = words(tablet.get(f"/tables/{cast.table.name}/"))
    assert "Payout of $405 on Super 3, seat 5." in page
    assert ">Approve<" in page
    form = {"request_id": str(uuid4()), "act": "grant"}
    assert tablet.post(f"/floor-log/requests/{request.pk}/", form).status_code == 302
    state = terminal.get(f"checks/{check}/approval").json()
    assert (state["state"], state["answered_by"]) == ("granted", str(cast.alice))
    body = pay(terminal, check).json()
    assert (body["approved_by"], body["is_unapproved"]) == (str(cast.alice), False)
    assert not FloorException.objects.filter(resolved_at=None).exists()


def test_a85_an_approval_is_for_one_check_and_amount_once_and_for_five_minutes(
    cast: Cast, server_clock: ServerClock, terminal: TerminalClient
) -> None:
    check, other = checked(terminal, ROW), checked(terminal, ROW)
    request = asked(terminal, check)
    waiting = pay(terminal, check, approval=request.pk)
    assert codes(waiting) == ["approval_missing"]
    with refused("wrong_role", journal=()):
        grant(cast, request, cast.dan)
    grant(cast, request)
    assert codes(pay(terminal, other, approval=request.pk)) == ["approval_other_check"]
    more = pay(terminal, check, approval=request.pk, paid_cents=45_000)
    assert (more.status_code, codes(more)) == (409, ["approval_other_amount"])
    server_clock.move(minutes=5, seconds=1)
    late = pay(terminal, check)
    assert (late.status_code, codes(late)) == (409, ["approval_expired"])
    again = asked(terminal, check)
    assert again != request
    grant(cast, again)
    assert pay(terminal, check).status_code == 201
    assert codes(pay(terminal, check)) == ["already_confirmed"]
    assert codes(pay(terminal, other, approval=999)) == ["unknown_approval"]
    assert codes(pay(terminal, other, approval="x")) == ["bad_approval"]


def test_a85_a_supervisor_who_deals_does_not_approve_their_own_payout(
    cast: Cast, terminal: TerminalClient
) -> None:
    Dealing.objects.filter(table=cast.table, ended_at=None).update(ended_at=house.now())
    put_at(cast.table, cast.bob, house.now())
    check = checked(terminal, ROW)
    request = asked(terminal, check)
    with refused("own_request", journal=()):
        grant(cast, request, cast.bob)
    grant(cast, request)
    assert pay(terminal, check).status_code == 201


def test_a_payout_that_was_declined_is_not_paid(cast: Cast, terminal: TerminalClient) -> None:
    check = checked(terminal, ROW)
    answer(asked=asked(terminal, check), is_granted=False, hand=tap(cast), reason="Wrong seat.")
    assert codes(pay(terminal, check)) == ["approval_missing"]


def test_a86_a_standing_approval_replaces_the_tap_until_it_ends(
    cast: Cast, server_clock: ServerClock, terminal: TerminalClient
) -> None:
    for_an_hour = {"what": "payout", "up_to_cents": "1,000", "minutes": "60"}
    with refused("standing_too_high", journal=()):
        high = {**for_an_hour, "up_to_cents": "3,000"}
        enter(table_id=cast.table.pk, new=NewEntry("standing", high), hand=tap(cast))
    enter(table_id=cast.table.pk, new=NewEntry("standing", for_an_hour), hand=tap(cast))
    server_clock.move(minutes=59)
    check = checked(terminal, ROW)
    body = terminal.post(f"checks/{check}/approval", {}).json()
    assert (body["state"], body["is_standing"]) == ("granted", True)
    assert pay(terminal, check).status_code == 201
    server_clock.move(minutes=2)
    check = checked(terminal, ROW)
    assert terminal.post(f"checks/{check}/approval", {}).json()["state"] == "waiting"
    assert codes(pay(terminal, check)) == ["approval_missing"]


@pytest.mark.parametrize("claim", [SMALL, F01], ids=["$180", "F01"])
def test_a87_a_small_payout_asks_nobody(claim: dict[str, Any], terminal: TerminalClient) -> None:
    check = checked(terminal, claim)
    answer = terminal.get(f"checks/{check}").json()
    assert (answer["verdict"], answer["level"]) == ("right", "verbal")
    response = terminal.post(f"checks/{check}/approval", {})
    assert (response.status_code, codes(response)) == (409, ["approval_not_needed"])
    assert terminal.get(f"checks/{check}/approval").status_code == 404
    assert pay(terminal, check, paid_cents=claim["paid_cents"]).status_code == 201
    assert not FloorRequest.objects.exists()


def test_nobody_approves_a_payout_that_no_table_asked_for(
    cast: Cast, terminal: TerminalClient
) -> None:
    facts = {"check": 1, "amount_cents": 40_500, "bet": "Super 3"}
    response = terminal.post("requests", {"kind": "payout", "facts": facts})
    assert response.status_code in (400, 422)
    given = {"check": "1", "amount_cents": "405", "bet": "Super 3"}
    with refused("only_answered", journal=()):
        enter(table_id=cast.table.pk, new=NewEntry("payout", given), hand=tap(cast))


def test_what_was_paid_while_the_line_was_down_is_stored_and_flagged(
    server_clock: ServerClock, terminal: TerminalClient
) -> None:
    keyed_at = house.now().isoformat()
    server_clock.move(minutes=10)
    check = checked(terminal, ROW, keyed_at=keyed_at)
    assert pay(terminal, check, keyed_at=keyed_at).status_code == 201
    assert "while the line was down" in FloorException.objects.get().sentence


def test_the_database_pays_nothing_that_nobody_approved(
    cast: Cast, terminal: TerminalClient
) -> None:
    check = PayoutCheck.objects.get(pk=checked(terminal, ROW))
    other = checked(terminal, ROW)
    entry = grant(cast, asked(terminal, other))

    def paid_on(approval: FloorEntry | None) -> None:
        with transaction.atomic():
            paid = PayoutConfirmation.objects.create(
                check_of=check, at=house.now(), paid_cents=40_500
            )
            if approval is not None:
                PayoutWord.objects.create(confirmation=paid, at=paid.at, approval=approval)
            with connection.cursor() as cursor:
                cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")

    for approval in (None, entry):
        with pytest.raises(DatabaseError, match="nobody approved"):
            paid_on(approval)


@pytest.mark.django_db(transaction=True)
def test_two_requests_for_one_check_at_once_are_one(terminal: TerminalClient) -> None:
    check, other = checked(terminal, ROW), TerminalClient(terminal.device)
    first, second = at_once(
        lambda: terminal.post(f"checks/{check}/approval", {}).json()["request"],
        lambda: other.post(f"checks/{check}/approval", {}).json()["request"],
    )
    assert first == second
    assert FloorRequest.objects.count() == 1


def test_a_big_payout_is_approved_with_badge_and_pin(cast: Cast, terminal: TerminalClient) -> None:
    claim = {
        "wager": "blackjack",
        "stake_cents": 300_000,
        "player_cards": ["Ah", "Kd"],
        "dealer_cards": ["9c", "8d"],
        "paid_cents": 450_000,
    }
    check = checked(terminal, claim)
    assert terminal.get(f"checks/{check}").json()["level"] == "approval", "never a slip"
    request = asked(terminal, check)
    with refused("signature_missing", journal=()):
        grant(cast, request)
    answer(asked=request, is_granted=True, hand=cast.pen(cast.alice))
    assert pay(terminal, check, paid_cents=450_000).status_code == 201


def test_a86_a_pit_manager_signs_a_standing_approval_up_to_the_house_limit(
    cast: Cast, terminal: TerminalClient
) -> None:
    high = {"what": "payout", "up_to_cents": 2_500_000}
    new = NewEntry("standing", high)
    with refused("standing_too_high", journal=()):
        enter(table_id=cast.table.pk, new=new, hand=tap(cast))
    with refused("signature_missing", journal=()):
        enter(table_id=cast.table.pk, new=new, hand=tap(cast, cast.carol))
    over = NewEntry("standing", {**high, "up_to_cents": 2_500_001})
    with refused("standing_too_high", journal=("act_refused",)):
        enter(table_id=cast.table.pk, new=over, hand=cast.pen(cast.carol))
    given = enter(table_id=cast.table.pk, new=new, hand=cast.pen(cast.carol))
    assert given.is_signed
    # A blackjack on $2,000 pays $3,000: signed by itself, and covered by what was signed before.
    natural = {
        "wager": "blackjack",
        "stake_cents": 200_000,
        "player_cards": ["Ah", "Kd"],
        "dealer_cards": ["9s", "8c"],
        "paid_cents": 300_000,
        "seat": 5,
    }
    check = checked(terminal, natural)
    body = terminal.post(f"checks/{check}/approval", {}).json()
    assert (body["state"], body["is_standing"]) == ("granted", True)
    assert terminal.post(f"checks/{check}/paid", {"paid_cents": 300_000}).status_code == 201
    enter(
        table_id=cast.table.pk,
        new=NewEntry("standing", {**high, "up_to_cents": 299_900}),
        hand=tap(cast),
    )
    again = terminal.post(f"checks/{checked(terminal, natural)}/approval", {}).json()
    assert again["state"] == "waiting", "a supervisor's tap covers nothing that is signed"


def test_several_payouts_of_a_table_are_approved_by_one_tap(
    cast: Cast, terminal: TerminalClient
) -> None:
    requests = [asked(terminal, checked(terminal, {**ROW, "seat": seat})) for seat in (1, 2, 3)]
    tablet = signed_in(cast.alice, cast)
    page = words(tablet.get(f"/tables/{cast.table.name}/"))
    assert "3 payouts wait, $1,215 together." in page
    assert "Approve all 3" in page
    grant(cast, requests[0])
    form = {"request_id": str(uuid4()), "asked": [request.pk for request in requests]}
    address = f"/tables/{cast.table.name}/approve-all"
    page = words(tablet.post(address, form, follow=True))
    assert f"Granted: 2 payouts at {cast.table.name}." in page
    assert "already granted this" in page
    assert "Approve all" not in page
    assert FloorEntry.objects.count() == 3
    assert tablet.post(address, form).status_code == 302
    assert FloorEntry.objects.count() == 3
    assert tablet.post(address, {"request_id": str(uuid4()), "asked": ["x"]}).status_code == 302


def test_the_board_has_a_banner_that_approves_a_payout_with_one_tap(
    cast: Cast, terminal: TerminalClient
) -> None:
    tablet = signed_in(cast.alice, cast)
    board = f"/board/{cast.pit.pk}/"
    assert "Approve" not in words(tablet.get(board))
    first = asked(terminal, checked(terminal, {**ROW, "seat": 1}))
    page = words(tablet.get(board))
    assert "Payout of $405" in page
    assert f'action="/floor-log/requests/{first.pk}/"' in page
    assert "Approve</button>" in page
    form = {"request_id": str(uuid4()), "act": "grant", "on": "board"}
    tapped = tablet.post(f"/floor-log/requests/{first.pk}/", form)
    assert tapped["Location"] == "/board/"
    assert FloorEntry.objects.get().outcome == "granted"
    assert "Approve</button>" not in words(tablet.get(board))
    # Several of one table have one button, and what went out is asked no more.
    second = checked(terminal, {**ROW, "seat": 2})
    several = [asked(terminal, second)]
    several += [asked(terminal, checked(terminal, {**ROW, "seat": seat})) for seat in (3, 4)]
    assert "Approve all 3" in words(tablet.get(board))
    assert pay(terminal, second, already_paid=True).status_code == 201
    page = words(tablet.get(board))
    assert "Approve all 2" in page
    assert "Approve all 2" in words(tablet.get(f"{board}poll?v=0"))
    # Whoever answers none sees none.
    watching = signed_in(cast.ivan, cast, Place.SURVEILLANCE)
    assert "Approve" not in words(watching.get(board))
    all_of_them = {
        "request_id": str(uuid4()),
        "asked": [floor_request.pk for floor_request in several],
    }
    done = tablet.post(f"/tables/{cast.table.name}/approve-all", {**all_of_them, "on": "board"})
    assert done["Location"] == "/board/"
    assert "Approve" not in words(tablet.get(board))


def test_an_unanswered_payout_goes_to_the_pit_and_then_to_its_manager(
    cast: Cast, server_clock: ServerClock, terminal: TerminalClient
) -> None:
    asked(terminal, checked(terminal, ROW))
    terminal.post("requests", {"kind": "buy_in", "facts": {"amount_cents": 50_000}})
    server_clock.move(seconds=59)
    assert escalate_approvals(now=house.now()) == 0
    server_clock.move(seconds=1)
    assert escalate_approvals(now=house.now()) == 1
    assert escalate_approvals(now=house.now()) == 0, "told once"
    assert "Overdue" in words(signed_in(cast.alice, cast).get("/inbox/"))
    manager = signed_in(cast.carol, cast)
    assert "Payout of $405" not in words(manager.get("/inbox/"))
    server_clock.move(seconds=60)
    assert escalate_approvals(now=house.now()) == 1
    page = words(manager.get("/inbox/"))
    assert "Payout of $405" in page
    assert "Escalated to you" in page
    [entry] = JournalEntry.objects.filter(kind="escalated").order_by("-id")[:1]
    assert '"told":["pit_manager"]' in entry.text
