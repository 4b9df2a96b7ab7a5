"""The floor log: entries by a tap or signed, requests of terminals, what the database keeps."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest
from django.db import Error, connection, transaction

from pitboss.models import FloorException, JournalEntry, Person, Table, Waiting
from pitboss.rules.floor.log import decline_refusals
from pitboss.rules.refusal import Refused
from pitboss.rules.roles import Place
from pitboss.services import house
from pitboss.services.verification import verify
from tables.models import FloorEntry, FloorRequest
from tables.services import floor_log
from tables.services.floor_log import NewEntry, Tap, answer, enter
from tests.floor.cast import Cast, ServerClock, refused
from tests.floor.house import change
from tests.floor.terminals import TerminalClient, make_terminal
from tests.races import at_once, hold_before, refusals
from tests.tampering import columns_of

COUNTED = {10_000: 40, 2_500: 80, 500: 100, 100: 40}
BUY_IN = {"amount_cents": 100_000}


@pytest.fixture
def floor(cast: Cast) -> Cast:
    """Return the cast with its first table open."""
    cast.deliver(cast.ask(COUNTED))
    cast.open_table(COUNTED)
    return cast


@pytest.fixture
def terminal(floor: Cast) -> TerminalClient:
    return TerminalClient(make_terminal(floor.table))


def tap(cast: Cast, person: Any = None, place: Place = Place.PIT) -> Tap:
    return Tap(person or cast.alice, cast.devices[place], uuid4())


def note(
    cast: Cast, code: str, given: dict[str, Any] | None = None, hand: Any = None
) -> FloorEntry:
    new = NewEntry(code, given or {})
    return enter(table_id=cast.table.pk, new=new, hand=hand or tap(cast))


def ask(terminal: TerminalClient, kind: str = "buy_in", facts: Any = None) -> Any:
    return terminal.post("requests", {"kind": kind, "facts": BUY_IN if facts is None else facts})


def codes(answer: Any) -> list[str]:
    return [refusal["code"] for refusal in answer.json()["refusals"]]


@pytest.mark.django_db
def test_a_nod_is_logged_by_a_tap_with_the_cheques_to_send(floor: Cast) -> None:
    hand = tap(floor)
    entry = note(floor, "buy_in", BUY_IN, hand)
    assert (entry.outcome, entry.amount_cents, entry.is_signed) == ("granted", 100_000, False)
    assert entry.sends == {"10000": 5, "2500": 20}
    assert entry.signed_as == "A. Aliceson TG-101"
    journal_entry = JournalEntry.objects.get(kind="floor_logged")
    assert journal_entry.chain.table == floor.table
    assert "Buy-in or change of $1,000." in journal_entry.text
    assert note(floor, "buy_in", BUY_IN, hand) == entry, "a second tap makes no second line"
    with refused("request_reused", journal=()):
        note(floor, "buy_in", {"amount_cents": 200_000}, hand)


@pytest.mark.django_db
def test_what_is_signed_takes_a_badge_and_a_pin(floor: Cast) -> None:
    big = {"amount_cents": 500_000}

    def described(hand: Any) -> FloorEntry:
        new = NewEntry("buy_in", big, description="man, 40s, tall, red cap, picture 117")
        return enter(table_id=floor.table.pk, new=new, hand=hand)

    with refused("signature_missing", "who_missing", journal=()):
        note(floor, "buy_in", big)
    with refused("wrong_role", journal=("act_refused",)):
        described(floor.pen(floor.dan))
    entry = described(floor.pen(floor.bob))
    assert (entry.by, entry.needs_signature, entry.is_signed) == (floor.bob, True, True)
    with refused("who_missing", journal=("act_refused",)):
        note(floor, "buy_in", big, floor.pen(floor.bob))
    Person.objects.filter(pk=floor.bob.pk).update(pin_by_others_at=house.now())
    with refused("fresh_pin", journal=("act_refused",)):
        described(floor.pen(floor.bob))


@pytest.mark.django_db
def test_a_nod_is_refused_for_the_wrong_hand_place_or_moment(floor: Cast) -> None:
    with refused("wrong_role", journal=()):
        note(floor, "dealer_cut", hand=tap(floor, floor.dan))
    with refused("wrong_place", "wrong_role", journal=()):
        note(floor, "dealer_cut", hand=tap(floor, floor.erin, Place.CAGE))
    with refused("wrong_pit", journal=()):
        note(floor, "dealer_cut", hand=Tap(floor.alice, floor.other_pit_tablet, uuid4()))
    with refused("unknown_device", journal=()):
        note(floor, "dealer_cut", hand=Tap(floor.alice, None, uuid4()))
    floor.alice.is_active = False
    floor.alice.save(update_fields=["is_active"])
    with refused("not_employed", journal=()):
        note(floor, "dealer_cut", hand=tap(floor))
    with refused("table_closed", journal=()):
        new = NewEntry("dealer_cut")
        enter(table_id=floor.other_table.pk, new=new, hand=tap(floor, floor.bob))
    with refused("unknown_patron", journal=()):
        new = NewEntry("buy_in", BUY_IN, patron_id=77)
        enter(table_id=floor.table.pk, new=new, hand=tap(floor, floor.bob))


@pytest.mark.django_db
def test_a_terminal_asks_and_its_supervisor_grants(floor: Cast, terminal: TerminalClient) -> None:
    response = ask(terminal)
    assert (response.status_code, response.json()["state"]) == (201, "waiting")
    row = FloorRequest.objects.get(pk=response.json()["request"])
    waiting = Waiting.objects.get(exception__code="floor_request", until=None)
    assert (waiting.table, waiting.by) == (floor.table, ["supervisor"])
    answer(asked=row, is_granted=True, hand=tap(floor))
    read = terminal.get(f"requests/{row.pk}").json()
    assert (read["state"], read["answered_by"]) == ("granted", "A. Aliceson")
    assert read["cheques"] == {"10000": 5, "2500": 20}
    assert not Waiting.objects.filter(until=None).exists()
    assert FloorException.objects.get(code="floor_request").resolved_by == floor.alice


@pytest.mark.django_db
def test_a_no_says_why_and_a_request_is_answered_once(
    floor: Cast, terminal: TerminalClient
) -> None:
    row = FloorRequest.objects.get(pk=ask(terminal).json()["request"])
    with refused("reason_missing", journal=()):
        answer(asked=row, is_granted=False, hand=tap(floor))
    with refused("wrong_role", journal=()):
        answer(asked=row, is_granted=False, hand=tap(floor, floor.dan), reason="No.")
    hand = tap(floor)
    floor_entry = answer(asked=row, is_granted=False, hand=hand, reason="Count the bills again.")
    assert (
        answer(asked=row, is_granted=False, hand=hand, reason="Count the bills again.")
        == floor_entry
    )
    with refused("already_answered", journal=()):
        answer(asked=row, is_granted=True, hand=tap(floor, floor.bob))
    read = terminal.get(f"requests/{row.pk}").json()
    assert (read["state"], read["reason"]) == ("declined", "Count the bills again.")
    assert read["cheques"] == {}


@pytest.mark.django_db
def test_a_request_is_sent_twice_and_asked_once_and_judged_like_an_entry(
    floor: Cast, terminal: TerminalClient
) -> None:
    body = {"kind": "buy_in", "facts": BUY_IN}
    first = terminal.post("requests", body, "k1")
    again = terminal.post("requests", body, "k1")
    assert (again.json(), again.headers["Idempotent-Replayed"]) == (first.json(), "true")
    assert FloorRequest.objects.count() == 1
    assert codes(ask(terminal, facts={"amount_cents": 20_000})) == ["nod_not_needed"]
    assert codes(ask(terminal, facts={})) == ["amount_cents_missing"]
    assert ask(terminal, "standing").status_code == 422
    other = TerminalClient(make_terminal(floor.other_table))
    assert other.get(f"requests/{first.json()['request']}").status_code == 404
    assert codes(other.post("requests", {"kind": "dealer_cut"})) == ["table_closed"]


@pytest.mark.django_db
def test_a_terminal_reads_what_it_may_ask_and_what_it_has_asked(
    floor: Cast, terminal: TerminalClient
) -> None:
    kinds = {item["kind"]: item for item in terminal.get("requests/kinds").json()}
    assert "standing" not in kinds
    assert [kind["shape"] for kind in kinds["colour_up"]["asks"]] == ["cheques", "pick"]
    assert {"value": "10000", "words": "$100 black"} in kinds["colour_up"]["asks"][1]["choices"]
    first, second = (ask(terminal, facts=facts).json() for facts in (BUY_IN, BUY_IN))
    row = FloorRequest.objects.get(pk=first["request"])
    answer(asked=row, is_granted=True, hand=tap(floor))
    body = terminal.get("requests").json()
    assert [item["state"] for item in body] == ["waiting", "granted"]
    assert body[0] == second


@pytest.mark.django_db
def test_a_standing_instruction_answers_until_the_shift_ends(
    floor: Cast, terminal: TerminalClient, server_clock: ServerClock
) -> None:
    given = {"what": "buy_in", "up_to_cents": 100_000}
    Table.objects.filter(pk=floor.other_table.pk).update(is_open=True)
    enter(table_id=floor.other_table.pk, new=NewEntry("standing", given), hand=tap(floor))
    assert ask(terminal).json()["state"] == "waiting", "it stands at another table"
    standing = note(floor, "standing", given)
    granted = ask(terminal).json()
    assert (granted["state"], granted["is_standing"]) == ("granted", True)
    entry = FloorEntry.objects.get(answers=granted["request"])
    assert (entry.under, entry.by) == (standing, floor.alice)
    assert ask(terminal, facts={"amount_cents": 100_100}).json()["state"] == "waiting"
    note(floor, "standing_end", {"what": "buy_in"})
    assert ask(terminal).json()["state"] == "waiting"
    note(floor, "standing", given)
    # The shift after, and the same shift of the day after.
    for hours in (9, 15):
        server_clock.move(hours=hours)
        assert ask(terminal).json()["state"] == "waiting"


@pytest.mark.django_db
def test_nobody_cuts_while_a_round_of_the_table_is_on(
    floor: Cast, terminal: TerminalClient
) -> None:
    round_ = terminal.post("rounds", {}).json()["round"]
    with refused("round_is_on", journal=()):
        note(floor, "dealer_cut")
    Table.objects.filter(pk=floor.other_table.pk).update(is_open=True)
    enter(table_id=floor.other_table.pk, new=NewEntry("dealer_cut"), hand=tap(floor))
    assert terminal.post(f"rounds/{round_}/end", {}).status_code == 200
    note(floor, "dealer_cut")


@pytest.mark.django_db
def test_no_instruction_stands_for_what_must_be_signed(
    floor: Cast, terminal: TerminalClient, server_clock: ServerClock
) -> None:
    note(floor, "standing", {"what": "buy_in", "up_to_cents": 100_000})
    change(floor, "nod.signed_from", "500")
    assert ask(terminal).json()["state"] == "waiting"


@pytest.mark.django_db(transaction=True)
def test_two_supervisors_answer_one_request_and_one_of_them_does(
    floor: Cast, terminal: TerminalClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = FloorRequest.objects.get(pk=ask(terminal).json()["request"])
    hold_before(monkeypatch, floor_log, "ground_of")
    results = at_once(
        lambda: answer(asked=row, is_granted=True, hand=tap(floor, floor.alice)),
        lambda: answer(asked=row, is_granted=False, hand=tap(floor, floor.bob), reason="No."),
    )
    assert refusals(results) == [("already_answered",)]
    assert FloorEntry.objects.filter(answers=row).count() == 1


@pytest.mark.django_db(transaction=True)
def test_the_database_keeps_the_log_past_every_service(
    floor: Cast, terminal: TerminalClient
) -> None:
    row = FloorRequest.objects.get(pk=ask(terminal).json()["request"])
    entry = answer(asked=row, is_granted=True, hand=tap(floor))
    other = ask(terminal, "dealer_cut", {}).json()["request"]
    columns = columns_of(FloorEntry)
    listed = ", ".join(columns)

    def copied(**instead: str) -> str:
        values = {"request_id": "gen_random_uuid()", "answers_id": "NULL", **instead}
        taken = ", ".join(values.get(column, column) for column in columns)
        return f"INSERT INTO tables_floorentry ({listed}) SELECT {taken} FROM tables_floorentry"

    broken = [
        (copied(outcome="'declined'"), "a_no_says_why"),
        (copied(reason="'why'"), "a_no_says_why"),
        (copied(outcome="'maybe'"), "floor_outcome_known"),
        (copied(needs_signature="true"), "signed_where_it_must_be"),
        (copied(sentence="''"), "floor_entry_says_what"),
        (copied(answers_id=str(row.pk)), "answers_id_key"),
        (copied(answers_id=str(other)), "what its own table asked"),
        (copied(under_id="id"), "no such instruction stands"),
        (
            copied(under_id="id", answers_id=str(other), kind="'dealer_cut'", facts="'{}'"),
            "no such instruction stands",
        ),
        (f"UPDATE tables_floorentry SET reason = 'x' WHERE id = {entry.pk}", "permission denied"),
        (f"DELETE FROM tables_floorentry WHERE id = {entry.pk}", "permission denied"),
        ("TRUNCATE tables_floorentry CASCADE", "permission denied"),
        (f"UPDATE tables_floorrequest SET sentence = 'x' WHERE id = {row.pk}", "permission denied"),
        (f"DELETE FROM tables_floorrequest WHERE id = {other}", "permission denied"),
    ]
    for sql, words in broken:
        with pytest.raises(Error, match=words), transaction.atomic():
            connection.cursor().execute(sql)
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(copied())  # Only what is wrong is refused.


@pytest.mark.django_db(transaction=True)
def test_the_journal_vouches_for_every_line(floor: Cast, terminal: TerminalClient) -> None:
    note(floor, "standing", {"what": "buy_in", "up_to_cents": 100_000})
    ask(terminal)
    ask(terminal, "dead_spread", {})
    assert verify().is_sound


def test_what_follows_from_a_kind_is_registered_once() -> None:
    floor_log.follows("nothing_of_the_sort")(lambda entry, new: [])
    with pytest.raises(AssertionError, match="two things follow"):
        floor_log.follows("nothing_of_the_sort")(lambda entry, new: [])
    del floor_log._FOLLOWS["nothing_of_the_sort"]


@pytest.mark.django_db
def test_a_refusal_of_what_follows_leaves_no_line(
    floor: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    def never(entry: FloorEntry, new: NewEntry) -> list[Any]:
        raise Refused([decline_refusals("")[0]])

    monkeypatch.setitem(floor_log._FOLLOWS, "dealer_cut", never)
    with refused("reason_missing", journal=()):
        note(floor, "dealer_cut")
