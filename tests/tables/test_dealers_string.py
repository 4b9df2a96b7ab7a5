"""The string of a pit: called in, sent, relieved, resting, home; held while a tray is unlocked."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import IntegrityError, ProgrammingError, connection, transaction
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from pitboss.models import JournalEntry, Person, Table
from pitboss.rules.roles import Place, Role
from pitboss.services import house
from pitboss.services.verification import verify
from tables.models import Call, Dealing, StringCall
from tables.selectors.relief import PitString, pit_string
from tables.services.dealers import tap_in, tap_out
from tables.services.relief import call_dealer
from tests.floor.cast import Cast, ServerClock, add_person, pin_of, refused
from tests.floor.jackpots import open_tables
from tests.floor.tablets import period_now, signed_in, words

pytestmark = pytest.mark.django_db


@pytest.fixture
def floor(cast: Cast, server_clock: ServerClock) -> Cast:
    """Both tables open; Dan deals at the first since now."""
    Table.objects.update(is_open=True)
    tap(cast, cast.dan)
    return cast


def tap(cast: Cast, dealer: Person, table: Table | None = None, *, out: bool = False) -> None:
    (tap_out if out else tap_in)(
        table_id=(table or cast.table).pk,
        badge=dealer.badge,
        pin=pin_of(dealer.badge),
        device=cast.devices[Place.PIT],
    )


def say(cast: Cast, call: Call, dealer: Person, table: Table | None = None) -> StringCall:
    if table is not None:
        table = Table.objects.get(pk=table.pk)
    return call_dealer(
        call,
        pit=cast.pit,
        badge=dealer.badge,
        by=cast.alice,
        device=cast.devices[Place.PIT],
        table=table,
    )


def string(cast: Cast) -> PitString:
    now = house.now()
    return pit_string(cast.pit, period_now(), house.settings_at(now), now)


def relief(cast: Cast, table: Table) -> tuple[Person | None, Person | None]:
    found = string(cast).relief_of(table.name)
    assert found is not None
    people = string(cast).people
    return people.get(found.relieved or 0), people.get(found.by or 0)


def test_the_string_goes_on_by_taps_alone(floor: Cast, server_clock: ServerClock) -> None:
    tap(floor, floor.dora, floor.other_table)
    eve = add_person("eve", "121", Role.DEALER)
    say(floor, Call.JOIN, eve)
    assert relief(floor, floor.table) == (floor.dan, eve)
    server_clock.move(minutes=60)
    tap(floor, eve)
    resting = string(floor).resting
    assert [(rest.dealer, rest.free_at - house.now()) for rest in resting] == [
        (floor.dan, timedelta(minutes=20))
    ]
    assert relief(floor, floor.other_table) == (floor.dora, floor.dan)
    assert relief(floor, floor.table) == (eve, floor.dora)


def test_whoever_is_sent_relieves_that_table(floor: Cast) -> None:
    say(floor, Call.JOIN, floor.dora)
    assert relief(floor, floor.other_table) == (None, floor.dora)
    say(floor, Call.RELIEVE, floor.dora, floor.table)
    assert relief(floor, floor.table) == (floor.dan, floor.dora)
    assert relief(floor, floor.other_table)[1] == floor.dan, "who is relieved goes on from there"


def test_whoever_goes_home_rests_no_longer(floor: Cast, server_clock: ServerClock) -> None:
    server_clock.move(minutes=30)
    tap(floor, floor.dan, out=True)
    server_clock.move(minutes=1)
    say(floor, Call.LEAVE, floor.dan)
    assert string(floor).resting == []
    server_clock.move(minutes=1)
    say(floor, Call.JOIN, floor.dan)
    assert [rest.dealer for rest in string(floor).resting] == [floor.dan]


def test_a_second_tap_says_nothing_twice(floor: Cast) -> None:
    assert say(floor, Call.JOIN, floor.dora) == say(floor, Call.JOIN, floor.dora)
    assert JournalEntry.objects.filter(kind="string_join").count() == 1


def test_what_the_string_cannot_want(floor: Cast) -> None:
    with refused("wrong_role", "calls_self", journal=[]):
        say(floor, Call.JOIN, floor.alice)
    with refused("dealer_elsewhere", journal=[]):
        say(floor, Call.LEAVE, floor.dan)
    Table.objects.filter(pk=floor.other_table.pk).update(is_open=False)
    with refused("table_closed", journal=[]):
        say(floor, Call.RELIEVE, floor.dora, floor.other_table)
    Person.objects.filter(pk=floor.dora.pk).update(licence_ends="2020-01-01")
    with refused("not_employed", journal=[]):
        say(floor, Call.JOIN, floor.dora)
    with refused("unknown_badge", journal=[]):
        say(floor, Call.JOIN, Person(badge="999"))


def test_a_dealer_whose_tray_is_signed_and_not_locked_is_sent_nowhere(cast: Cast) -> None:
    cast.open_table({})
    closer = cast.count("closer", {})
    Dealing.objects.update(ended_at=house.now())
    for call in (Call.JOIN, Call.LEAVE):
        with refused("dealer_held", journal=[]):
            say(cast, call, cast.dan)
    assert closer.status == "open"


def test_the_database_keeps_calls_as_they_were_said(floor: Cast) -> None:
    said = say(floor, Call.JOIN, floor.dora)
    with pytest.raises(ProgrammingError, match="permission denied"), transaction.atomic():
        StringCall.objects.update(call="leave")
    for wrong, constraint in (
        ({"call": "relieve"}, "only_a_relief_names_a_table"),
        ({"table": floor.table}, "only_a_relief_names_a_table"),
        ({"called_by": floor.dora}, "nobody_calls_themselves"),
        ({"call": "dance"}, "string_call_known"),
    ):
        values = {
            "pit": said.pit,
            "dealer": said.dealer,
            "call": said.call,
            "gaming_day": said.gaming_day,
            "shift": said.shift,
            "called_by": said.called_by,
            "at": said.at,
            **wrong,
        }
        with pytest.raises(IntegrityError, match=constraint), transaction.atomic():
            StringCall.objects.create(**values)


@pytest.mark.django_db(transaction=True)
def test_the_journal_vouches_for_every_call(server_clock: ServerClock, cast: Cast) -> None:
    open_tables(cast)
    eve = add_person("eve", "121", Role.DEALER)
    say(cast, Call.JOIN, eve)
    say(cast, Call.RELIEVE, eve, cast.table)
    assert verify().is_sound


def test_the_page_shows_the_string_and_takes_calls(floor: Cast, server_clock: ServerClock) -> None:
    tablet = signed_in(floor.alice, floor)
    url = reverse("pit-dealers", args=[floor.pit.pk])
    assert tablet.get(reverse("dealers")).headers["Location"] == url
    call_url = reverse("string-call", args=[floor.pit.pk])
    assert tablet.post(call_url, {"call": "join", "badge": floor.dora.badge}).status_code == 302
    page = words(tablet.get(url))
    assert "D. Dorason" in page
    assert "Free" in page
    sent = {"call": "relieve", "badge": floor.dora.badge, "table": "BJ-11"}
    assert tablet.post(call_url, sent).status_code == 302
    wrong = tablet.post(call_url, {"call": "dance", "badge": floor.dora.badge})
    assert "Choose what the dealer is to do" in words(wrong)
    server_clock.move(minutes=61)
    tablet = signed_in(floor.alice, floor)
    assert "Due 10:00" in words(tablet.get(url))


def test_the_page_asks_as_much_for_many_dealers_as_for_one(floor: Cast) -> None:
    def queries() -> int:
        with CaptureQueriesContext(connection) as captured:
            string(floor)
        return len(captured)

    first = queries()
    for number in range(3):
        dealer = add_person(f"d{number}", f"15{number}", Role.DEALER)
        say(floor, Call.JOIN, dealer)
    tap(floor, floor.dora, floor.other_table)
    assert queries() == first


def test_a_dealer_reads_of_their_own_turn(floor: Cast, server_clock: ServerClock) -> None:
    say(floor, Call.JOIN, floor.dora)
    say(floor, Call.RELIEVE, floor.dora, floor.table)
    dealing = words(signed_in(floor.dan, floor).get(reverse("inbox")))
    assert "You deal at BJ-11" in dealing
    assert "D. Dorason, 10:00" in dealing
    resting = words(signed_in(floor.dora, floor).get(reverse("inbox")))
    assert "You are on a break" in resting
    assert "BJ-11, 10:00" in resting
    server_clock.move(minutes=60)
    tap(floor, floor.dora)
    assert "BJ-12" in words(signed_in(floor.dan, floor).get(reverse("inbox")))
