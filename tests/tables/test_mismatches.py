"""A payout confirmed otherwise than it was judged: told at once, proven, settled by signature."""

from __future__ import annotations

import threading
from contextlib import suppress
from datetime import timedelta
from functools import partial
from typing import Any
from uuid import uuid4

import pytest
from django.db import IntegrityError, connection, transaction
from django.db.utils import ProgrammingError
from django.urls import reverse

from pitboss.models import FloorException, JournalEntry, Waiting
from pitboss.rules.payouts.mismatches import Way
from pitboss.rules.roles import Place
from pitboss.services import house
from pitboss.services.signing import Pen
from pitboss.services.verification import verify
from tables.models import Mismatch, MismatchSettlement, PayoutCheck, PayoutConfirmation, PayoutWord
from tables.selectors.mismatches import mismatches, proof_of
from tables.services import mismatches as service
from tests.floor.cast import Cast, ServerClock, refused
from tests.floor.payouts import SUPER_3, UNKNOWN, checked, open_with_terminal, paid
from tests.floor.tablets import signed_in, signing, words
from tests.floor.terminals import TerminalClient, make_terminal
from tests.races import MEET_SECONDS, at_once, hold_before, refusals

pytestmark = pytest.mark.django_db


@pytest.fixture
def terminal(cast: Cast) -> TerminalClient:
    return open_with_terminal(cast)


def codes(answer: Any) -> list[str]:
    return [refusal["code"] for refusal in answer.json()["refusals"]]


def settle(
    cast: Cast, mismatch: Mismatch, way: Way = Way.CORRECTED, reason: str = "", **more: Any
) -> MismatchSettlement:
    pen = more.pop("pen", None) or cast.pen(cast.alice)
    return service.settle_mismatch(
        mismatch_id=mismatch.pk,
        way=way,
        reason=reason,
        found_cents=more.get("found_cents"),
        pen=pen,
    )


def test_what_is_confirmed_as_judged_troubles_nobody(terminal: TerminalClient) -> None:
    number = checked(terminal, stake_cents=200, paid_cents=18_000)
    answer = terminal.post(f"checks/{number}/paid", {"paid_cents": 18_000})
    assert (answer.status_code, answer.json()["mismatch"]) == (201, None)
    assert PayoutConfirmation.objects.get().check_of_id == number
    assert not FloorException.objects.exists()
    assert terminal.get(f"checks/{number}/paid").json() == answer.json()


def test_a_verdict_alone_opens_nothing_until_another_amount_is_confirmed(
    cast: Cast, terminal: TerminalClient
) -> None:
    number = checked(terminal, paid_cents=90_000)
    assert not FloorException.objects.exists()
    body = terminal.post(f"checks/{number}/paid", {"paid_cents": 90_000}).json()["mismatch"]
    assert (body["direction"], body["difference_cents"]) == ("overpaid", 45_000)
    assert (body["take_back"], body["add"]) == ({"10000": 5}, {"2500": 2})
    exception = FloorException.objects.get()
    assert exception.sentence == "BJ-11: Super 3 overpaid by $450."
    assert Waiting.objects.get(exception=exception).by == ["supervisor"]
    mismatch = Mismatch.objects.get()
    assert (mismatch.table, mismatch.dealer) == (cast.table, cast.dan)


def test_too_little_and_what_nobody_could_verify_are_told_as_well(
    terminal: TerminalClient,
) -> None:
    assert paid(terminal, paid_cents=40_000).direction == "underpaid"
    unknown = paid(terminal, UNKNOWN, paid_cents=2_500)
    assert (unknown.direction, unknown.difference_cents) == ("unverified", None)
    by_cheques = paid(terminal, paid={"10000": 4, "500": 11})
    assert (by_cheques.take_back, by_cheques.add) == ({"500": 1}, {}), "mended as it lies"


# A key that is taken ends the transaction; a test that holds one around it could not look further.
@pytest.mark.django_db(transaction=True)
def test_a_resend_is_one_confirmation_and_a_second_one_is_refused(
    terminal: TerminalClient,
) -> None:
    address, key = f"checks/{checked(terminal)}/paid", str(uuid4())
    first = terminal.post(address, {"paid_cents": 90_000}, key)
    again = terminal.post(address, {"paid_cents": 90_000}, key)
    assert (again.content, again.headers["Idempotent-Replayed"]) == (first.content, "true")
    other = terminal.post(address, {"paid_cents": 45_000})
    assert (other.status_code, codes(other)) == (409, ["already_confirmed"])
    assert (PayoutConfirmation.objects.count(), Mismatch.objects.count()) == (1, 1)


def test_one_bet_paid_on_two_checks_is_told_to_the_supervisor(
    cast: Cast, terminal: TerminalClient, server_clock: ServerClock
) -> None:
    """Another key makes another check: each is right by itself, and the player has it twice."""

    def pay(**change: Any) -> None:
        number = checked(terminal, stake_cents=200, paid_cents=18_000, **change)
        answer = terminal.post(f"checks/{number}/paid", {"paid_cents": 18_000})
        assert answer.status_code == 201, answer.content

    pay()
    pay(seat=4)
    pay(seat=None)
    pay(seat=None)
    pay(player_cards=["9h", "9d"])
    assert not FloorException.objects.exists(), "other seats and other cards are other bets"
    pay()
    floor_exception = FloorException.objects.get()
    assert floor_exception.code == "paid_twice"
    assert floor_exception.sentence == "BJ-11: Super 3 at seat 5 was paid twice: $180, then $180."
    assert Waiting.objects.get(exception=floor_exception).by == ["supervisor"]
    server_clock.move(seconds=60)
    pay()
    assert FloorException.objects.count() == 1, "the next round's hand is another"


def test_one_bet_that_comes_again_after_an_outage_is_told_by_the_time_it_was_keyed(
    terminal: TerminalClient, server_clock: ServerClock
) -> None:
    """Its answer was lost, so the terminal kept it and sent it later, as another request."""

    def pay(**change: Any) -> int:
        number = checked(terminal, stake_cents=200, paid_cents=18_000, **change)
        answer = terminal.post(f"checks/{number}/paid", {"paid_cents": 18_000})
        assert answer.status_code == 201, answer.content
        return number

    keyed = house.now()
    first = pay()
    server_clock.move(minutes=20)
    pay(keyed_at=(keyed + timedelta(minutes=5)).isoformat())
    pay(keyed_at=(keyed + timedelta(minutes=10)).isoformat())
    assert not FloorException.objects.exists(), "hands of other rounds that came together"
    again = pay(keyed_at=(keyed + timedelta(seconds=20)).isoformat())
    floor_exception = FloorException.objects.get(code="paid_twice")
    assert (floor_exception.details["check"], floor_exception.details["before"]) == (again, first)


def test_the_database_knows_a_bet_again_by_the_time_it_was_keyed(
    terminal: TerminalClient, server_clock: ServerClock
) -> None:
    keyed = house.now()
    paid_past_the_service(terminal)
    server_clock.move(minutes=20)
    paid_past_the_service(terminal, keyed_at=(keyed + timedelta(minutes=5)).isoformat())
    paid_past_the_service(terminal, keyed_at=(keyed + timedelta(minutes=10)).isoformat())
    with pytest.raises(IntegrityError, match="paid twice is told"):
        paid_past_the_service(terminal, keyed_at=(keyed + timedelta(seconds=20)).isoformat())


@pytest.mark.django_db(transaction=True)
def test_one_bet_confirmed_on_two_checks_at_once_is_told_once(
    terminal: TerminalClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each is held after it was stored; without the table's lock neither would see the other."""
    numbers = [checked(terminal, stake_cents=200, paid_cents=18_000) for _ in range(2)]
    clients = [terminal, TerminalClient(terminal.device)]
    hold_before(monkeypatch, service, "_flag_paid_twice")
    statuses = at_once(
        *(
            lambda client=client, number=number: (
                client.post(f"checks/{number}/paid", {"paid_cents": 18_000}).status_code
            )
            for client, number in zip(clients, numbers, strict=True)
        )
    )
    assert statuses == [201, 201]
    floor_exception = FloorException.objects.get(code="paid_twice")
    assert {floor_exception.details["check"], floor_exception.details["before"]} == set(numbers)


def paid_past_the_service(terminal: TerminalClient, **change: Any) -> None:
    """Store a check and its confirmation, and tell nobody."""
    number = checked(terminal, stake_cents=200, paid_cents=18_000, **change)
    check = PayoutCheck.objects.get(pk=number)
    with transaction.atomic():
        PayoutConfirmation.objects.create(check_of=check, at=check.at, paid_cents=18_000)
        with connection.cursor() as cursor:
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")


def test_the_database_stores_no_bet_as_paid_twice_that_nobody_is_told_of(
    terminal: TerminalClient, server_clock: ServerClock
) -> None:
    paid_past_the_service(terminal)
    for other in ({"seat": 4}, {"seat": None}, {"seat": None}, {"player_cards": ["9h", "9d"]}):
        paid_past_the_service(terminal, **other)
    with pytest.raises(IntegrityError, match="paid twice is told"):
        paid_past_the_service(terminal)
    server_clock.move(seconds=60)
    paid_past_the_service(terminal)


@pytest.mark.django_db(transaction=True)
def test_the_database_lets_two_at_once_not_pass_each_other(terminal: TerminalClient) -> None:
    """Past the service nobody holds the table: the one that comes second waits, then looks."""
    checks = [
        PayoutCheck.objects.get(pk=checked(terminal, stake_cents=200, paid_cents=18_000))
        for _ in range(2)
    ]
    both_stored, both_looked = threading.Barrier(2), threading.Barrier(2)

    def store(check: PayoutCheck) -> str:
        try:
            with transaction.atomic():
                PayoutConfirmation.objects.create(check_of=check, at=check.at, paid_cents=18_000)
                both_stored.wait(timeout=30)
                with connection.cursor() as cursor:
                    cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
                with suppress(threading.BrokenBarrierError):
                    both_looked.wait(timeout=MEET_SECONDS)
        except IntegrityError as error:
            return str(error)
        return "stored"

    answers = sorted(at_once(*(partial(store, check) for check in checks)), reverse=True)
    assert answers[0] == "stored"
    assert "paid twice is told" in answers[1]


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({}, "bad_amount"),
        ({"paid_cents": -1}, "bad_amount"),
        ({"paid_cents": 500, "paid": {"100": 1}}, "paid_differs"),
        ({"paid": {"7": 1}}, "unknown_denomination"),
        ({"paid_cents": 500, "stake_cents": 1}, "unknown_field"),
        ({"paid_cents": 500, "keyed_at": "now"}, "bad_time"),
    ],
)
def test_what_cannot_be_read_is_refused_and_kept_nowhere(
    terminal: TerminalClient, body: dict[str, Any], code: str
) -> None:
    answer = terminal.post(f"checks/{checked(terminal)}/paid", body)
    assert (answer.status_code, codes(answer)) == (422, [code])
    assert not PayoutConfirmation.objects.exists()


def test_a_terminal_confirms_the_checks_of_its_own_table_only(
    cast: Cast, terminal: TerminalClient
) -> None:
    number = checked(terminal)
    other = TerminalClient(make_terminal(cast.other_table))
    for answer in (
        other.post(f"checks/{number}/paid", {"paid_cents": 0}),
        other.get(f"checks/{number}/paid"),
        terminal.get(f"checks/{number}/paid"),
    ):
        assert answer.status_code == 404


def test_what_was_keyed_without_a_line_is_marked_and_lies_with_who_dealt_then(
    cast: Cast, server_clock: ServerClock, terminal: TerminalClient
) -> None:
    keyed_at = server_clock.now.isoformat()
    server_clock.move(minutes=10)
    late = {"keyed_at": keyed_at}
    tapped = {"badge": cast.dora.badge, "pin": cast.pen(cast.dora).pin}
    assert terminal.post("dealer/in", tapped).status_code == 200
    mismatch = paid(terminal, SUPER_3 | late, paid_cents=90_000, **late)
    assert mismatch.dealer == cast.dan
    assert proof_of(mismatches().get()).keyed_at == server_clock.now.replace(minute=0)


def test_the_proof_has_cards_rule_working_and_the_difference(
    cast: Cast, terminal: TerminalClient
) -> None:
    paid(terminal, paid_cents=90_000)
    proof = proof_of(mismatches().get())
    assert [[card.name for card in hand.cards] for hand in proof.hands] == [
        ["9 of spades"],
        ["9 of clubs", "9 of diamonds"],
    ]
    assert proof.working == (
        "Three of a kind (9♣ 9♦ 9♠): Super 3 pays 90 to 1, paytable 1.",
        "$5 wins $450.",
        "Owed in cheques: $450.",
        "Confirmed as paid: $900.",
    )
    assert [(line.cents, line.count) for line in proof.take_back] == [(10_000, 5)]
    assert [(line.cents, line.count) for line in proof.add] == [(2_500, 2)]


@pytest.mark.django_db(transaction=True)
def test_a_correction_stands_at_what_is_owed_and_empties_the_list(
    cast: Cast, terminal: TerminalClient
) -> None:
    mismatch = paid(terminal, paid_cents=90_000)
    settlement = settle(cast, mismatch)
    assert (settlement.way, settlement.stands_cents) == ("corrected", 45_000)
    exception = FloorException.objects.get()
    assert exception.resolution == "Corrected: $450."
    assert not Waiting.objects.filter(until=None).exists()
    answer = terminal.get(f"checks/{mismatch.confirmation.check_of_id}/paid").json()
    assert answer["mismatch"]["settlement"]["by"] == str(cast.alice)
    assert JournalEntry.objects.latest("pk").kind == "mismatch_settled"
    assert verify().is_sound


def test_an_override_stands_at_what_was_paid_with_its_reason(
    cast: Cast, terminal: TerminalClient
) -> None:
    mismatch = paid(terminal, paid_cents=90_000)
    settlement = settle(cast, mismatch, Way.OVERRIDDEN, "The player has left the table.")
    assert (settlement.stands_cents, settlement.settled_by) == (90_000, cast.alice)


def test_what_the_rules_could_not_say_the_supervisor_finds_and_explains(
    cast: Cast, terminal: TerminalClient
) -> None:
    mismatch = paid(terminal, UNKNOWN, paid_cents=2_500)
    settlement = settle(cast, mismatch, reason="Dealer had 20.", found_cents=0)
    assert (settlement.way, settlement.stands_cents) == ("corrected", 0)


def test_a_second_tap_settles_once_and_another_supervisor_is_told_who_was_quicker(
    cast: Cast, terminal: TerminalClient
) -> None:
    mismatch, pen = paid(terminal, paid_cents=90_000), cast.pen(cast.alice)
    first = settle(cast, mismatch, pen=pen)
    assert settle(cast, mismatch, pen=pen) == first
    with refused("already_settled", journal=["act_refused"]):
        settle(cast, mismatch, pen=cast.pen(cast.bob))


@pytest.mark.parametrize(
    ("signer", "place", "change", "code"),
    [
        ("dan", Place.PIT, {}, ("signed_before", "wrong_role")),
        ("erin", Place.PIT, {}, ("wrong_role",)),
        ("alice", Place.CAGE, {}, ("wrong_place",)),
        ("alice", Place.PIT, {"way": Way.OVERRIDDEN}, ("reason_missing",)),
        ("alice", Place.PIT, {"way": Way.OVERRIDDEN, "reason": "x" * 501}, ("reason_too_long",)),
        ("alice", Place.PIT, {"way": Way.OVERRIDDEN, "reason": "a\x00"}, ("text_malformed",)),
        ("alice", Place.PIT, {"found_cents": 5_000}, ("amount_is_known",)),
    ],
)
def test_each_reason_refuses_and_changes_nothing(
    cast: Cast,
    terminal: TerminalClient,
    signer: str,
    place: Place,
    change: dict[str, Any],
    code: tuple[str, ...],
) -> None:
    mismatch = paid(terminal, paid_cents=90_000)
    with refused(*code, journal=["act_refused"]):
        settle(cast, mismatch, pen=cast.pen(getattr(cast, signer), place), **change)


@pytest.mark.parametrize(
    ("found_cents", "reason", "code"),
    [
        (None, "Dealer had 20.", "amount_missing"),
        (-100, "Dealer had 20.", "amount_missing"),
        (2_500, "Dealer had 17.", "nothing_to_correct"),
        (0, "", "reason_missing"),
    ],
)
def test_what_nobody_verified_is_put_right_to_an_amount_with_a_reason(
    cast: Cast, terminal: TerminalClient, found_cents: int | None, reason: str, code: str
) -> None:
    mismatch = paid(terminal, UNKNOWN, paid_cents=2_500)
    with refused(code, journal=["act_refused"]):
        settle(cast, mismatch, reason=reason, found_cents=found_cents)


def test_a_tablet_of_another_pit_and_a_number_that_is_none_are_refused(
    cast: Cast, terminal: TerminalClient
) -> None:
    mismatch = paid(terminal, paid_cents=90_000)
    pen = cast.pen(cast.alice)
    with refused("wrong_pit", journal=["act_refused"]):
        settle(cast, mismatch, pen=Pen(pen.badge, pen.pin, cast.other_pit_tablet, uuid4()))
    with refused("unknown_mismatch", journal=["act_refused"]):
        settle(cast, Mismatch(pk=10**6))


def test_the_database_refuses_what_the_services_refuse(
    cast: Cast, terminal: TerminalClient
) -> None:
    check = PayoutCheck.objects.get(pk=checked(terminal))
    now = check.at

    def confirmed(**change: Any) -> PayoutConfirmation:
        confirmation = PayoutConfirmation.objects.create(
            **{"check_of": check, "at": now, "paid_cents": 90_000, **change}
        )
        PayoutWord.objects.create(confirmation=confirmation, at=now)
        return confirmation

    def told(confirmation: PayoutConfirmation, **change: Any) -> Mismatch:
        told = {"table": cast.table, "dealer": cast.dan, "at": now, "owed_cents": 45_000}
        cheques: dict[str, Any] = {"take_back": {}, "add": {}}
        return Mismatch.objects.create(
            **{"confirmation": confirmation, "paid_cents": 90_000, **told, **cheques, **change}
        )

    def confirmed_alone() -> None:
        with transaction.atomic():
            confirmed()
            with connection.cursor() as cursor:
                cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")

    with pytest.raises(IntegrityError, match="has a mismatch"):
        confirmed_alone()
    for change in (
        {"owed_cents": None},
        {"paid_cents": 50_000},
        {"dealer": cast.dora},
        {"table": cast.other_table},
    ):
        with pytest.raises(IntegrityError, match="what its check says"), transaction.atomic():
            told(confirmed(), **change)
    with pytest.raises(IntegrityError, match="a_mismatch_differs"), transaction.atomic():
        told(confirmed(paid_cents=45_000), paid_cents=45_000)
    mismatch = told(confirmed())
    with pytest.raises(IntegrityError, match="check_of_id_key"), transaction.atomic():
        confirmed()

    def settled(**change: Any) -> None:
        row = {"way": "corrected", "stands_cents": 45_000, "settled_by": cast.alice}
        MismatchSettlement.objects.create(
            **{"mismatch": mismatch, "settled_at": now, "request_id": uuid4(), **row, **change}
        )

    broken: list[tuple[dict[str, Any], str]] = [
        ({"settled_by": cast.dan}, "dealer settles no"),
        ({"stands_cents": 50_000}, "lets stand"),
        ({"way": "overridden", "reason": "So be it."}, "lets stand"),
        ({"way": "overridden", "stands_cents": 90_000}, "an_override_says_why"),
        ({"way": "forgotten", "reason": "So be it."}, "settled_in_a_known_way"),
    ]
    for settling, why in broken:
        with pytest.raises(IntegrityError, match=why), transaction.atomic():
            settled(**settling)
    settled()
    with pytest.raises(IntegrityError, match="mismatch_id_key"), transaction.atomic():
        settled()
    for model in (PayoutConfirmation, Mismatch, MismatchSettlement):
        with pytest.raises(ProgrammingError, match="permission denied"), transaction.atomic():
            model.objects.update(id=7)


@pytest.mark.django_db(transaction=True)
def test_two_supervisors_at_once_settle_it_once(
    cast: Cast, terminal: TerminalClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each is held between its reading and its writing; the table's lock lets one through."""
    mismatch = paid(terminal, paid_cents=90_000)
    hold_before(monkeypatch, service, "settling_refusals")
    results = at_once(
        lambda: settle(cast, mismatch, pen=cast.pen(cast.alice)),
        lambda: settle(cast, mismatch, Way.OVERRIDDEN, "He left.", pen=cast.pen(cast.bob)),
    )
    assert refusals(results) == [("already_settled",)]
    assert MismatchSettlement.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_two_confirmations_at_once_are_one(
    terminal: TerminalClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    address, other = f"checks/{checked(terminal)}/paid", TerminalClient(terminal.device)
    hold_before(monkeypatch, service, "read_claim")
    statuses = at_once(
        lambda: terminal.post(address, {"paid_cents": 90_000}).status_code,
        lambda: other.post(address, {"paid_cents": 45_000}).status_code,
    )
    assert sorted(statuses) == [201, 409]
    assert PayoutConfirmation.objects.count() == 1


def test_it_stands_in_the_inbox_on_the_board_and_at_the_table_until_it_is_signed(
    cast: Cast, terminal: TerminalClient
) -> None:
    mismatch = paid(terminal, paid_cents=90_000)
    client = signed_in(cast.alice, cast)
    url = reverse("mismatch", args=[mismatch.pk])
    assert url in words(client.get("/inbox/"))
    exception = reverse("exception", args=[FloorException.objects.get().pk])
    board = words(client.get(f"/board/{cast.pit.pk}/"))
    assert ("Mismatch" in board, exception in board) == (True, True)
    assert exception in words(client.get(f"/tables/{cast.table.name}/"))
    assert client.get(exception).headers["Location"] == url
    page = words(client.get(url))
    assert "Overpaid by $450" in page
    assert "super_3.three_of_a_kind" in page
    wrong = client.post(f"{url}?way=corrected", signing(page, cast.dan))
    assert (wrong.status_code, "Only a supervisor can settle" in words(wrong)) == (403, True)
    override = words(client.get(f"{url}?way=overridden"))
    late = client.post(f"{url}?way=overridden", signing(override, cast.alice))
    assert late.status_code == 422
    done = client.post(f"{url}?way=corrected", signing(page, cast.alice))
    assert (done.status_code, done.headers["Location"]) == (302, "/inbox/")
    assert "Corrected: $450." in words(client.get(url))
    again = signing(page, cast.bob, request_id=str(uuid4()))
    quicker = client.post(f"{url}?way=corrected", again)
    assert (quicker.status_code, "note--wait" in words(quicker)) == (409, True)


def test_surveillance_reads_the_proof_and_has_no_pad(cast: Cast, terminal: TerminalClient) -> None:
    url = reverse("mismatch", args=[paid(terminal, UNKNOWN, paid_cents=2_500).pk])
    page = words(signed_in(cast.ivan, cast, Place.SURVEILLANCE).get(url))
    assert ("paid without verification" in page, "data-signpad" in page) == (True, False)
    page = words(signed_in(cast.alice, cast).get(url))
    assert 'name="found"' in page
