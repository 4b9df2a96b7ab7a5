"""Who reads what: every kind of slip, tried by every role and every device, page by page.

The rule is `pitboss/rules/flows/reading.py`; docs/controls.md shows it as a table.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from inventory.models import Patron
from pitboss.models import Device, JournalEntry, Person, Slip, Waiting
from pitboss.models.sealed import next_ids
from pitboss.rules.flows.book import FLOWS
from pitboss.rules.flows.flows import PlanFacts
from pitboss.rules.flows.reading import kinds_at, kinds_at_terminals, kinds_for, readers_of
from pitboss.rules.flows.reading_table import reading_table
from pitboss.rules.roles import Place, Role
from pitboss.selectors.finding import Sought, find_slips
from pitboss.services import house
from pitboss.services.refused_pages import KIND, PAGES_MAX, WITHIN
from pitboss.slips.addresses import new_url
from pitboss.slips.kind import form_of, kinds
from tests.floor.cast import Cast, ServerClock
from tests.floor.jackpots import open_tables
from tests.floor.markers import grant, issue, lend, receive, send, sign_as_patron
from tests.floor.markers import make_patron as make_borrower
from tests.floor.tablets import signing, words
from tests.test_access import address, is_api, routes, signed_in, someone, takes_turn

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("unhurried")]

# What somebody is asked for and cannot do on the device before them.
INBOX_COMING = "/inbox/?tab=coming"
CONTROLS = Path(__file__).resolve().parents[1] / "docs" / "controls.md"


def bare(*of_kinds: str) -> dict[str, Slip]:
    """Put a slip of each kind there that waits for nobody, and has nothing behind it.

    Whoever is let in to one may find that it cannot be drawn; what is asked here is the door.
    """
    now = house.now()
    when = house.period_at(now)
    made = [
        Slip(
            pk=slip_id,
            kind=kind,
            series=FLOWS[kind].series,
            year=2031,
            number=number,
            serial=f"{FLOWS[kind].series}-2031-{number:06}",
            table=None,
            gaming_day=when.gaming_day,
            shift=when.shift,
            raised_at=now,
            total_cents=0,
            details={"about": "something"},
            plan=FLOWS[kind].plan(PlanFacts(cheques={})),
        )
        for number, (slip_id, kind) in enumerate(
            zip(next_ids(Slip, len(of_kinds)), of_kinds, strict=True), start=1
        )
    ]
    return {slip.kind: slip for slip in Slip.objects.bulk_create(made)}


@pytest.fixture
def one_of_each(cast: Cast) -> dict[str, Slip]:
    return bare(*FLOWS)


def test_every_kind_of_slip_says_who_reads_it() -> None:
    for kind in FLOWS:
        readers = readers_of(kind)
        assert readers is not None, f"nobody reads a {kind}"
        assert form_of(kind).parts
        assert Role.AUDITOR in readers.roles, f"no auditor reads a {kind}"
        assert Role.ADMINISTRATOR not in readers.roles, f"an administrator reads a {kind}"
        assert Role.DEALER not in readers.roles, f"a dealer reads every {kind}"


@pytest.mark.parametrize("role", list(Role))
def test_each_role_opens_page_paper_and_print_of_its_own_kinds_and_no_others(
    cast: Cast, one_of_each: dict[str, Slip], role: Role
) -> None:
    client = signed_in(someone(cast, role), cast.devices[Place.OFFICE])
    client.raise_request_exception = False
    for number, (kind, slip) in enumerate(one_of_each.items()):
        is_refused = kind not in kinds_for(role)
        readers = sorted(item for item in Role if kind in kinds_for(item))
        if not is_refused and not takes_turn(role, readers, number):
            continue
        tries: dict[str, Callable[..., Any]] = {
            "slip": client.get,
            "slip-pdf": client.get,
            "slip-print": client.post,
            "slip-sign": client.post,
        }
        if is_refused:
            # One gate stands before all four (tried by every route that names a slip, below): a
            # role is turned away from each kind at one of them, in turn.
            turn = list(tries)[(number + list(Role).index(role)) % len(tries)]
            tries = {turn: tries[turn]}
        else:
            del tries["slip-print"], tries["slip-sign"]
        for name, ask in tries.items():
            step = ["main", "approved"] if name == "slip-sign" else []
            url = reverse(name, args=[slip.serial, *step])
            answer = ask(url, {"request_id": str(uuid4())})
            assert (answer.status_code == 403) is is_refused, f"{role}, {name} of a {kind}"


@pytest.mark.parametrize("place", list(Place))
def test_a_device_alone_reads_and_signs_by_the_api_what_its_place_may_and_nothing_else(
    cast: Cast, one_of_each: dict[str, Slip], place: Place
) -> None:
    device = cast.devices[place]
    signed_in(cast.olga, device)  # Its token is its name from now on.
    client = Client(
        headers={"authorization": f"Device {device.name}"}, raise_request_exception=False
    )
    for kind, slip in one_of_each.items():
        read = client.get(reverse("api-slip", args=[slip.serial]))
        sign = client.post(
            reverse("api-slip-sign", args=[slip.serial]), {}, content_type="application/json"
        )
        is_refused = kind not in kinds_at(place)
        assert (read.status_code == 403) is is_refused, f"{place} and a {kind}"
        assert (sign.status_code == 403) is is_refused, f"{place} and a {kind}"


def test_no_device_reads_a_slip_that_names_a_patron_with_no_one_before_it() -> None:
    patrons = {kind for kind in FLOWS if (readers := readers_of(kind)) and readers.names_patron}
    assert {"marker", "credit_line", "tax_papers"} <= patrons
    assert not patrons & {kind for place in Place for kind in kinds_at(place)}
    assert not patrons & kinds_at_terminals()


def lent(cast: Cast) -> Slip:
    """Return a marker that waits for its dealer."""
    open_tables(cast)
    patron = make_borrower(cast)
    grant(cast, patron, 500_000)
    marker = issue(cast, patron, 100_000)
    sign_as_patron(cast, marker)
    return marker


def opened(person: Person, device: Device, slip: Slip) -> int:
    return signed_in(person, device).get(reverse("slip", args=[slip.serial])).status_code


def test_a_dealer_reads_a_marker_where_and_while_it_waits_for_a_dealer(cast: Cast) -> None:
    marker = lent(cast)
    assert opened(cast.dan, cast.devices[Place.PIT], marker) == 200
    for place in (Place.OFFICE, Place.CAGE):
        assert opened(cast.dan, cast.devices[place], marker) == 403
    assert opened(cast.dan, cast.other_pit_tablet, marker) == 403
    cast.sign(marker, "dealer_signed", cast.dan)
    assert opened(cast.dan, cast.devices[Place.PIT], marker) == 403
    cast.sign(marker, "approved", cast.alice)
    for reader in (cast.alice, cast.heidi, cast.erin, cast.olga, cast.ruth, cast.petra):
        assert opened(reader, cast.devices[Place.OFFICE], marker) == 200
    for other in (cast.dan, cast.frank, cast.ivan, cast.paul, cast.judy):
        assert opened(other, cast.devices[Place.OFFICE], marker) == 403


def test_a_dealer_who_signed_is_not_sent_to_what_they_no_longer_read(cast: Cast) -> None:
    marker = lent(cast)
    client = signed_in(cast.dan, cast.devices[Place.PIT])
    page = words(client.get(reverse("slip", args=[marker.serial])))
    answer = client.post(
        reverse("slip-sign", args=[marker.serial, "main", "dealer_signed"]),
        signing(page, cast.dan),
    )
    assert (answer.status_code, answer.headers["Location"]) == (302, reverse("inbox"))


def test_whoever_is_told_that_a_step_waits_too_long_reads_it(cast: Cast) -> None:
    marker = lent(cast)
    assert opened(cast.ivan, cast.devices[Place.OFFICE], marker) == 403
    Waiting.objects.filter(slip=marker, until=None).update(escalated_to=["surveillance"])
    assert opened(cast.ivan, cast.devices[Place.OFFICE], marker) == 200


def test_an_inbox_says_where_a_slip_is_read_that_is_not_read_here(cast: Cast) -> None:
    marker = lent(cast)
    page = words(signed_in(cast.dan, cast.devices[Place.OFFICE]).get(INBOX_COMING))
    assert "Sign this on a tablet in Pit 1." in page
    assert marker.serial in page
    assert reverse("slip", args=[marker.serial]) not in page


def test_lists_that_more_people_see_name_no_patron_and_link_to_nothing_unread(cast: Cast) -> None:
    marker = lent(cast)
    cast.sign(marker, "dealer_signed", cast.dan)
    cast.sign(marker, "approved", cast.alice)
    patron = Patron.objects.get(pk=marker.details["patron"])
    begun = receive(cast, patron, cash_cents=10_000)
    for person in (cast.frank, cast.ivan):
        client = signed_in(person, cast.devices[Place.OFFICE])
        for url in (
            reverse("table", args=[cast.table.name]),
            reverse("pit-board", args=[cast.pit.pk]),
            reverse("inbox"),
        ):
            page = words(client.get(url))
            assert "Ruiz" not in page, f"{person} reads a patron at {url}"
            assert reverse("slip", args=[begun.serial]) not in page


@pytest.mark.parametrize("role", list(Role))
def test_every_route_that_names_a_slip_refuses_one_that_the_role_does_not_read(
    cast: Cast, one_of_each: dict[str, Slip], role: Role
) -> None:
    """By the name of its argument: a route that calls it otherwise would pass unseen."""
    client = signed_in(someone(cast, role), cast.devices[Place.OFFICE])
    unread = next((slip for kind, slip in one_of_each.items() if kind not in kinds_for(role)), None)
    by_serial = [
        (path, pattern)
        for path, pattern in routes()
        if "serial" in pattern.pattern.converters and not is_api(pattern)
    ]
    assert len(by_serial) > 7
    for path, pattern in by_serial if unread is not None else ():
        assert unread is not None
        url = address(cast, unread, pattern)
        answer = client.get(url)
        if answer.status_code == 405:
            answer = client.post(url, {"request_id": str(uuid4())})
        assert answer.status_code == 403, f"{role} passed at {path}"


@pytest.mark.parametrize("role", list(Role))
def test_no_kind_is_raised_about_a_slip_that_the_role_does_not_read(
    cast: Cast, one_of_each: dict[str, Slip], role: Role
) -> None:
    client = signed_in(someone(cast, role), cast.devices[Place.OFFICE])
    unread = next((slip for kind, slip in one_of_each.items() if kind not in kinds_for(role)), None)
    for kind in kinds() if unread is not None else ():
        assert unread is not None
        about = new_url(kind.kind, table=cast.table.name, of=unread.serial)
        assert client.get(about).status_code == 403, f"{role} passed at {about}"


def test_no_route_names_a_slip_by_another_word() -> None:
    known = {"serial", "pit_id", "name", "track", "step", "person_id", "device_id", "exception_id"}
    known |= {"patron_id", "document_id", "who", "entry", "stranger_id", "report_id", "note_id"}
    known |= {
        "check_id",
        "line_id",
        "mismatch_id",
        "round_id",
        "part",
        "place",
        "mark",
        "set",
        "day",
    }
    known |= {"series", "year", "number", "key", "meter_id", "code", "request_id", "report"}
    known |= {"form_id", "kind", "offer_id", "passkey_id", "sent_id", "meter", "form", "person"}
    # No slips: their pages say by role who reads them.
    known |= {"rating_id", "draw_id", "case_id", "entry_id"}
    known |= {"batch_id", "delivery_id", "job", "shape", "webhook_id"}
    # What another system of the house may ask for is said by its scope.
    known |= {"card", "comp", "employee_number"}
    for path, pattern in routes():
        assert set(pattern.pattern.converters) <= known, f"{path}: who reads what it names?"


def test_what_is_found_can_be_opened(cast: Cast, one_of_each: dict[str, Slip]) -> None:
    for role in Role:
        found = {slip.kind for slip in find_slips(Sought(number="2031"), role)}
        assert found == kinds_for(role)


def test_the_queue_of_the_cage_lists_only_what_a_device_alone_reads(cast: Cast) -> None:
    open_tables(cast)
    patron = make_borrower(cast)
    grant(cast, patron, 500_000)
    marker = lend(cast, patron, 100_000)
    send(cast, [marker.slip.serial])
    fill = cast.ask()
    cage = cast.devices[Place.CAGE]
    signed_in(cast.olga, cage)
    client = Client(headers={"authorization": f"Device {cage.name}"})
    queue = client.get(reverse("api-cage-queue")).json()["items"]
    assert [item["slip"]["serial"] for item in queue] == [fill.serial]


def kept() -> list[dict[str, Any]]:
    entries = JournalEntry.objects.filter(kind=KIND).order_by("pk")
    return [json.loads(entry.text) for entry in entries]


def test_a_refused_page_is_in_the_journal_once_with_person_and_device(
    server_clock: ServerClock, cast: Cast
) -> None:
    device = cast.devices[Place.PIT]
    client = signed_in(cast.dan, device)
    for _ in range(3):
        assert client.get(f"{reverse('compliance')}?x=1").status_code == 403
    (entry,) = kept()
    assert (entry["badge"], entry["where"]["device"]) == (cast.dan.badge, device.name)
    assert entry["body"] == {"method": "GET", "path": reverse("compliance")}
    client.get(reverse("audit"))
    signed_in(cast.dora, device).get(reverse("compliance"))
    assert len(kept()) == 3
    server_clock.move(seconds=WITHIN.total_seconds() + 1)
    signed_in(cast.dan, device).get(reverse("compliance"))
    assert len(kept()) == 4


def test_whoever_tries_every_door_does_not_fill_the_journal(cast: Cast) -> None:
    client = signed_in(cast.dan, cast.devices[Place.PIT])
    fill = cast.ask()
    for number in range(PAGES_MAX + 10):
        client.post(reverse("slip-sign", args=[fill.serial, "main", f"step{number}"]))
    bodies = [item["body"] for item in kept()]
    assert len(bodies) == PAGES_MAX
    assert [body.get("more_are_not_listed", False) for body in bodies[-2:]] == [False, True]


def test_a_device_that_was_refused_is_in_the_journal_and_a_stranger_is_not(cast: Cast) -> None:
    marker = lent(cast)
    device = cast.devices[Place.PIT]
    signed_in(cast.olga, device)
    client = Client(headers={"authorization": f"Device {device.name}"})
    assert client.get(reverse("api-slip", args=[marker.serial])).status_code == 403
    assert client.get(reverse("api-slip", args=[marker.serial])).status_code == 403
    (entry,) = kept()
    assert (entry["person"], entry["where"]["device"]) == (None, device.name)
    Client(enforce_csrf_checks=True).post(reverse("login"), {"badge": "101"})
    assert len(kept()) == 1


def test_a_form_that_was_not_ours_is_refused_in_our_words_and_kept(cast: Cast) -> None:
    fill = cast.ask()
    client = signed_in(cast.alice, cast.devices[Place.PIT])
    client.handler.enforce_csrf_checks = True
    answer = client.post(reverse("slip-sign", args=[fill.serial, "main", "issued"]))
    assert answer.status_code == 403
    assert "This form is too old." in words(answer)
    assert [item["badge"] for item in kept()] == [cast.alice.badge]


def test_the_documents_show_who_reads_what() -> None:
    table = reading_table()
    assert table in CONTROLS.read_text(), "put in what reading_table() returns"
