"""A counting machine delivers its file over a real socket; a member in the room takes it in."""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping
from typing import Any
from uuid import uuid4

import pytest
from django.db import DatabaseError, transaction
from django.test import Client
from django.urls import reverse
from pytest_django.live_server_helper import LiveServer

from pitboss.models import JournalEntry, Slip
from pitboss.rules.drop.sessions import SECOND
from pitboss.rules.roles import Place, Role
from tables.models import BoxTally, CountDelivery, CountFile
from tests.floor.cast import Cast, add_person, refused
from tests.floor.count_sessions import enter, open_session, ready, step_out
from tests.floor.tablets import signed_in, words
from tests.other_systems import OtherSystem, another_system, grant, system_at
from tests.tables.test_count_sessions import F15, REFUSED, bring, pulled
from tests.tables.test_counting_machines import save

pytestmark = pytest.mark.django_db(transaction=True)
HEAD = "box_tag,compartment,denomination_cents,pieces\n"
ROWS = "4001,A,2000,206\n4002,A,500,477\n"


@pytest.fixture
def machine(cast: Cast, live_server: LiveServer) -> OtherSystem:
    return system_at(live_server.url, cast)


def deliver(
    machine: OtherSystem, said: Mapping[str, Any], key: str = ""
) -> tuple[int, Any, dict[str, str]]:
    status, text, headers = machine.call("POST", "counts", dict(said), key or str(uuid4()))
    return status, json.loads(text), headers


def code_of(answer: tuple[int, Any, dict[str, str]]) -> tuple[int, str]:
    return answer[0], answer[1]["refusals"][0]["code"]


def take_in(browser: Client, session: Slip, number: int) -> Any:
    url = reverse("count-session-import", args=[session.serial])
    return browser.post(url, {"delivery": number, "request_id": str(uuid4())})


def test_a119_a_machine_delivers_and_a_member_takes_it_in_with_one_tap(
    cast: Cast, machine: OtherSystem
) -> None:
    boxes = pulled(cast)
    said = {"name": "counter-2.csv", "file": HEAD + ROWS}
    assert code_of(deliver(machine, said)) == (403, "no_scope")
    grant(cast, "counts.write")
    assert code_of(deliver(machine, said)) == (409, "no_open_session")
    session = ready(cast)
    key = str(uuid4())
    status, told, headers = deliver(machine, said, key)
    again = deliver(machine, said, key)
    assert (status, told["state"], told["boxes"]) == (201, "waiting", ["4001", "4002"])
    assert (again[0], again[1]) == (201, told)
    assert again[2]["Idempotent-Replayed"] == "true"
    assert machine.get(headers["Location"].removeprefix("/api/v1/")) == (200, told)
    # The machine counts for no one.
    assert not BoxTally.objects.exists()

    paul = signed_in(cast.paul, cast, Place.OFFICE)
    page = reverse("count-session", args=[session.serial])
    shown = words(paul.get(page))
    assert "counter-2.csv" in shown
    assert "Import as your first counts" in shown
    for figure in ("206", "4,120", "477", "2,385"):
        assert figure not in shown
    take_in(paul, session, told["delivery"])
    tallies = {tally.pull_id: tally for tally in BoxTally.objects.all()}
    assert set(tallies) == {boxes[0].pk, boxes[1].pk}
    assert tallies[boxes[0].pk].figures["cash_2000"] == 412_000
    assert {tally.person for tally in tallies.values()} == {cast.paul}
    file = CountFile.objects.get()
    assert (file.person, file.name) == (cast.paul, "counter-2.csv")
    assert "Imported" in words(paul.get(page))
    assert machine.get(f"counts/{told['delivery']}")[1]["state"] == "imported"
    # Twice is refused, whoever tries: the second member, the machine, a file from a stick.
    assert take_in(paul, session, told["delivery"]).status_code == 409
    assert code_of(deliver(machine, said)) == (409, "already_imported")
    with refused("already_imported", journal=REFUSED):
        bring(cast, session, ROWS)
    # The second count is a person's, and not the one's who took the file in.
    with refused("counted_first", journal=REFUSED):
        enter(cast, session, boxes[0], F15[0], turn=SECOND, by=cast.paul)
    enter(cast, session, boxes[0], F15[0], documents=[])
    enter(cast, session, boxes[0], F15[0], turn=SECOND, documents=[])
    told_of = JournalEntry.objects.get(kind="counts_delivered")
    assert told_of.person is None
    assert file.sha256 in told_of.text


def test_rows_and_a_machines_own_columns_come_to_the_same(cast: Cast, machine: OtherSystem) -> None:
    pulled(cast, tables=2)
    session = ready(cast)
    save(cast)
    grant(cast, "counts.write")
    rows = [{"box_tag": "4001", "denomination_cents": 2_000, "pieces": 206}]
    sent = deliver(machine, {"name": "run 7", "rows": rows})
    assert sent[0] == 201
    own = "Station,Bag ID,Denom,Qty\n1,4002,5.00,477\n"
    other = deliver(machine, {"name": "glory.csv", "machine": "Glory 2", "file": own})
    assert other[1]["boxes"] == ["4002"]
    # The same bills of another run are another delivery; of the same run they are the same.
    assert deliver(machine, {"name": "run 8", "rows": rows})[0] == 201
    assert code_of(deliver(machine, {"name": "run 7", "rows": rows})) == (409, "already_delivered")
    paul = signed_in(cast.paul, cast, Place.OFFICE)
    assert "Glory 2" in words(paul.get(reverse("count-session", args=[session.serial])))
    for item in (sent, other):
        assert take_in(paul, session, item[1]["delivery"]).status_code == 302
    counted = {
        tally.pull.details["tag"]: {k: v for k, v in tally.figures.items() if v}
        for tally in BoxTally.objects.select_related("pull")
    }
    assert counted == {"4001": {"cash_2000": 412_000}, "4002": {"cash_500": 238_500}}


def test_what_no_session_could_take_in_is_refused_to_the_machine(
    cast: Cast, machine: OtherSystem
) -> None:
    pulled(cast, tables=1)
    ready(cast)
    grant(cast, "counts.write")
    row = {"box_tag": "4001", "denomination_cents": 2_000, "pieces": 1}
    for said, code in (
        ({"name": "a"}, "file_or_rows"),
        ({"name": "a", "file": HEAD + ROWS, "rows": [row]}, "file_or_rows"),
        ({"name": "a", "file": "Bag,Qty\n4001,1\n"}, "bad_header"),
        ({"name": "a", "file": HEAD + "4001,A,2000,1.5\n"}, "not_a_multiple"),
        ({"name": "a", "file": HEAD}, "file_empty"),
        ({"name": "a", "file": HEAD + "4001,A,2000\n"}, "bad_row"),
        ({"name": "a", "file": HEAD + ROWS, "machine": "Other"}, "machine_unknown"),
        ({"name": "a", "rows": [{**row, "denomination_cents": 300}]}, "invalid_choice"),
        ({"name": "a", "rows": [{**row, "serial": "9"}]}, "unknown_field"),
        ({"name": "a", "rows": []}, "file_empty"),
        ({"name": "a", "file": HEAD + "4001,A,2000,1\n" + " " * 500_000}, "max_length"),
        ({"name": "a", "figures": 1, "file": HEAD + ROWS}, "unknown_field"),
    ):
        assert code_of(deliver(machine, said)) == (422, code), said["name"]
    long = {"name": "a", "file": "4001,A,2000,1\n" * 80_000}
    assert code_of(deliver(machine, long)) == (413, "body_too_large")
    assert code_of((*machine.get("counts/99999"), {})) == (404, "delivery_unknown")
    assert not CountDelivery.objects.exists()


def test_a_session_says_why_it_does_not_take_a_delivery_in(
    cast: Cast, machine: OtherSystem
) -> None:
    pulled(cast, tables=2)
    grant(cast, "counts.write")
    session = ready(cast)
    stray = deliver(machine, {"name": "stray.csv", "file": HEAD + "4999,A,2000,3\n"})
    mixed = deliver(machine, {"name": "mixed.csv", "file": HEAD + "4001,A,2000,1\n4999,A,500,1\n"})
    quinn = signed_in(cast.quinn, cast, Place.OFFICE)
    shown = words(quinn.get(reverse("count-session", args=[session.serial])))
    assert "None of its boxes is in this session" in shown
    assert "Not in this session: box 4999" in shown
    assert "Import as your first counts" not in shown
    for item in (stray, mixed):
        answer = take_in(quinn, session, item[1]["delivery"])
        assert answer.status_code == 422
        assert "box 4999" in words(answer).replace("“", "").replace("”", "")
    assert not BoxTally.objects.exists()
    assert take_in(quinn, session, 999_999).status_code == 404


def test_only_a_member_in_the_room_takes_a_delivery_in(cast: Cast, machine: OtherSystem) -> None:
    pulled(cast, tables=1)
    grant(cast, "counts.write")
    session = open_session(cast)
    _, told, _ = deliver(machine, {"name": "a.csv", "file": HEAD + "4001,A,2000,206\n"})
    page = reverse("count-session", args=[session.serial])
    paul, ruth = (signed_in(item, cast, Place.OFFICE) for item in (cast.paul, cast.ruth))
    # Not before the counter is tested, and for no one who is not a member.
    assert "Import as your first counts" not in words(paul.get(page))
    assert take_in(paul, session, told["delivery"]).status_code != 302
    assert take_in(ruth, session, told["delivery"]).status_code == 403
    assert not BoxTally.objects.exists()


def test_a118_a_member_who_left_the_room_enters_nothing(cast: Cast, machine: OtherSystem) -> None:
    boxes = pulled(cast, tables=1)
    grant(cast, "counts.write")
    session = ready(cast)
    uma = add_person("uma", "130", Role.COUNT_TEAM)
    assert uma not in [cast.paul, cast.quinn]
    _, told, _ = deliver(machine, {"name": "a.csv", "file": HEAD + "4001,A,2000,206\n"})
    step_out(cast, session, cast.paul)
    paul = signed_in(cast.paul, cast, Place.OFFICE)
    answer = take_in(paul, session, told["delivery"])
    assert answer.status_code == 403
    assert "You left the room" in words(answer)
    step_out(cast, session, cast.paul, is_back=True)
    assert take_in(paul, session, told["delivery"]).status_code == 302
    assert BoxTally.objects.get().pull == boxes[0]


def test_a_machine_reads_its_own_deliveries_and_none_is_changed(
    cast: Cast, machine: OtherSystem
) -> None:
    pulled(cast, tables=1)
    grant(cast, "counts.write")
    ready(cast)
    _, told, _ = deliver(machine, {"name": "a.csv", "file": HEAD + "4001,A,2000,206\n"})
    row = CountDelivery.objects.get()
    row.content = HEAD + "4001,A,2000,1\n"
    with pytest.raises(DatabaseError), transaction.atomic():
        row.save()
    with pytest.raises(DatabaseError), transaction.atomic():
        CountDelivery.objects.all().delete()
    stranger = another_system(f"http://{machine.where}", "office 2")
    grant(cast, "counts.write", device="office 2")
    assert stranger.get(f"counts/{told['delivery']}")[0] == 404


def test_of_two_that_deliver_the_same_at_once_one_is_kept(cast: Cast, machine: OtherSystem) -> None:
    pulled(cast, tables=1)
    grant(cast, "counts.write")
    ready(cast)
    said = {"name": "a.csv", "file": HEAD + "4001,A,2000,206\n"}
    gate, found = threading.Barrier(4), []

    def send() -> None:
        gate.wait()
        found.append(deliver(machine, said)[0])

    threads = [threading.Thread(target=send) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(found) == [201, 409, 409, 409]
    assert CountDelivery.objects.count() == 1
