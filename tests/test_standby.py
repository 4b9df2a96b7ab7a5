"""Reports, exports, replay and records are read from a standby, and say of when they are."""

from __future__ import annotations

import io
import json
import re
import threading
import time
import zipfile
from typing import Any
from urllib.parse import urlencode

import psycopg
import pytest
from django.db import Error, connection, connections, transaction
from django.test import Client
from django.urls import reverse
from prometheus_client import CollectorRegistry

from pitboss import standby as reading
from pitboss.models import Attempt, JournalEntry, Person, Slip
from pitboss.reports.book import BOOK
from pitboss.rules.roles import Place, Role
from pitboss.selectors.gauges import HouseCollector
from pitboss.selectors.preflight import preflight
from pitboss.services import house
from pitboss.services.exports import export_day
from pitboss.standby import from_standby, has_standby, read_from, reading_alias
from pitboss.timeouts import STANDBY
from tests.databases import database_url
from tests.floor.cast import Cast
from tests.floor.tablets import words
from tests.standby import Standby, standby, two_servers
from tests.test_access import signed_in, someone

__all__ = ["standby", "two_servers"]

pytestmark = pytest.mark.django_db(transaction=True)
BEHIND = re.compile(r"As of (\d\d:\d\d:\d\d), (\d+) s behind\.")
AWAY = "The standby doesn’t answer. Read from the primary at "


@pytest.fixture
def floor(standby: Standby, cast: Cast) -> Cast:
    """The cast on the primary, with a fill, all of it on the standby too."""
    cast.deliver(cast.ask())
    standby.catches_up()
    return cast


def accounting(cast: Cast) -> Client:
    return signed_in(someone(cast, Role.ACCOUNTING), cast.devices[Place.OFFICE])


def day_of(cast: Cast) -> str:
    return house.period_at(house.now()).gaming_day.isoformat()


def addresses(cast: Cast) -> dict[str, str]:
    won = reverse("table-win", args=[cast.table.name])
    return {
        "report": reverse("report", args=["game"]),
        "day-win": reverse("day-win", args=[day_of(cast)]),
        "table-win": f"{won}?{urlencode({'day': day_of(cast)})}",
        "replay": reverse("pit-replay", args=[cast.pit.pk]),
        "records": reverse("admin:pitboss_slip_changelist"),
    }


def test_every_page_of_them_says_how_far_behind_it_is(floor: Cast) -> None:
    olga = signed_in(floor.olga, floor.devices[Place.OFFICE])
    for name, address in addresses(floor).items():
        page = olga.get(address)
        assert page.status_code == 200, name
        found = BEHIND.search(words(page))
        assert found is not None, name
        assert int(found[2]) <= 1, name
    # The board decides: it is read from the primary, and no other page says anything.
    assert " s behind" not in words(olga.get(reverse("board"), follow=True))


def test_what_the_standby_does_not_show_yet_is_not_in_a_report(
    floor: Cast, standby: Standby
) -> None:
    olga = signed_in(floor.olga, floor.devices[Place.OFFICE])
    olga.get(reverse("reports"))
    standby.catches_up()
    standby.both.pause()
    try:
        later = floor.ask()
        records = reverse("admin:pitboss_slip_changelist")
        page = words(olga.get(records))
        assert BEHIND.search(page)
        assert later.serial not in page
        assert later.serial in words(olga.get(reverse("slip", args=[later.serial])))
    finally:
        standby.both.resume()
    standby.catches_up()
    assert later.serial in words(olga.get(records))


def test_a_standby_too_far_behind_is_not_read_and_that_is_said(
    floor: Cast, standby: Standby, settings: Any
) -> None:
    settings.READ_LAG_SECONDS = 1
    olga = signed_in(floor.olga, floor.devices[Place.OFFICE])
    standby.catches_up()
    standby.both.pause()
    try:
        later = floor.ask()
        time.sleep(1.2)
        page = words(olga.get(reverse("admin:pitboss_slip_changelist")))
        assert later.serial in page
        assert re.search(r"The standby is \d+ s behind\. Read from the primary at \d\d:", page)
    finally:
        standby.both.resume()


def test_a_standby_that_is_away_costs_one_wait_and_no_report(floor: Cast, standby: Standby) -> None:
    olga = signed_in(floor.olga, floor.devices[Place.OFFICE])
    address = reverse("report", args=["game"])
    standby.proxy.hang()
    connections[STANDBY].close()
    for most in (6.0, 2.5):
        began = time.monotonic()
        page = olga.get(address)
        assert page.status_code == 200
        assert AWAY in words(page)
        assert time.monotonic() - began < most
    standby.proxy.heal()
    assert AWAY in words(olga.get(address)), "it is not asked again at once"
    reading.forget_silence()
    assert BEHIND.search(words(olga.get(address)))


def test_a_standby_that_ends_amid_a_report_leaves_it_whole(floor: Cast, standby: Standby) -> None:
    tried = []

    def read() -> int:
        source = read_from()
        assert source is not None
        tried.append(source.why)
        if source.is_standby:
            with standby.both.on_standby() as superuser:
                pid = connections[STANDBY].connection.info.backend_pid
                superuser.execute("SELECT pg_terminate_backend(%s)", [pid])
        return Slip.objects.count()

    assert from_standby(read) == 1
    assert tried == ["", "The standby stopped answering."]
    assert from_standby(Slip.objects.count) == 1


def test_what_takes_too_long_is_not_asked_a_second_time(floor: Cast) -> None:
    asked = []

    def read() -> None:
        asked.append(reading_alias())
        with connections[reading_alias()].cursor() as cursor:
            cursor.execute("SET statement_timeout = 50")
            cursor.execute("SELECT pg_sleep(1)")

    with pytest.raises(Error, match="statement timeout"):
        from_standby(read)
    assert asked == [STANDBY]


def test_a_write_by_that_address_is_refused(floor: Cast, standby: Standby) -> None:
    attempt = Attempt(badge="101", kind=Attempt.Kind.PIN, at=house.now())
    with pytest.raises(Error, match="read-only transaction"):
        attempt.save(using=STANDBY)
    with pytest.raises(Error, match="read-only transaction"), connections[STANDBY].cursor() as sql:
        sql.execute("UPDATE pitboss_person SET is_active = false")
    # What was read there is written to the primary, if at all.
    person = from_standby(lambda: Person.objects.get(pk=floor.dan.pk))
    assert person._state.db == STANDBY
    person.language = "es"
    person.save()
    assert Person.objects.using("default").get(pk=person.pk).language == "es"


def test_a_transaction_of_the_primary_reads_nothing_elsewhere(floor: Cast) -> None:
    def read() -> tuple[str, str, str]:
        before = reading_alias()
        with transaction.atomic():
            within = Slip.objects.all().db
        return before, within, Slip.objects.all().db

    assert from_standby(read) == (STANDBY, "default", STANDBY)
    assert Slip.objects.all().db == "default"
    assert from_standby(lambda: Slip.objects.select_for_update().db) == "default"


def test_other_threads_and_later_requests_read_the_primary(floor: Cast) -> None:
    seen: list[str] = []

    def read() -> None:
        thread = threading.Thread(target=lambda: seen.append(reading_alias()))
        thread.start()
        thread.join()

    from_standby(read)
    assert seen == ["default"]


def test_who_took_a_report_away_is_written_to_the_primary_once(
    floor: Cast, standby: Standby
) -> None:
    client = signed_in(floor.heidi, floor.devices[Place.OFFICE])
    key = next(item.key for item in BOOK.values() if item.noted == "outage_sheet_printed")
    answer = client.get(reverse("report-csv", args=[key]))
    assert answer.status_code == 200
    assert "read,As of " in answer.content.decode().replace('"', "")
    assert JournalEntry.objects.filter(kind="outage_sheet_printed").count() == 1


def test_paper_says_of_when_it_is(floor: Cast) -> None:
    from pypdf import PdfReader

    answer = accounting(floor).get(reverse("report-pdf", args=["game"]))
    text = PdfReader(io.BytesIO(answer.content)).pages[0].extract_text()
    assert BEHIND.search(" ".join(text.split()))


def test_an_export_names_where_it_was_read_and_is_journaled_at_the_primary(
    floor: Cast, standby: Standby
) -> None:
    def exported() -> dict[str, Any]:
        file = io.BytesIO(b"left of another try" * 1_000)
        day = house.period_at(house.now()).gaming_day
        export_day(day=day, person=floor.olga, device=None, to=file)
        with zipfile.ZipFile(file) as archive:
            assert archive.testzip() is None
            assert len(archive.read("pitboss.slip.jsonl").splitlines()) == 1
            body: dict[str, Any] = json.loads(archive.read("manifest.json"))
        return body

    assert exported()["read_from"] == "standby"
    assert JournalEntry.objects.filter(kind="day_exported").count() == 1
    standby.proxy.drop()
    assert exported()["read_from"] == "primary"


def test_an_address_that_leads_elsewhere_is_read_by_no_report(
    floor: Cast, standby: Standby, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = connections.settings[STANDBY]
    connections[STANDBY].close()
    del connections[STANDBY]
    with monkeypatch.context() as set_:
        set_.setitem(there, "HOST", str(standby.both.primary.sockets))
        set_.setitem(there, "PORT", "")
        assert "leads to no standby" in told_of(floor)
        assert "leads to no standby" in found()["DATABASE_READ_URL"]
        # Nothing is written there either, primary or not.
        with pytest.raises(Error, match="read-only transaction"):
            Attempt(badge="1", kind=Attempt.Kind.PIN, at=house.now()).save(using=STANDBY)
        connections[STANDBY].close()
        del connections[STANDBY]
        other = psycopg.conninfo.conninfo_to_dict(database_url("", "postgres"))
        for part, name in (("HOST", "host"), ("PASSWORD", "password")):
            set_.setitem(there, part, str(other[name]))
        set_.setitem(there, "NAME", "postgres")
        assert "another database" in told_of(floor)
        refused = [item for item in preflight() if item.what == "DATABASE_READ_URL"]
        assert [item.is_refusal for item in refused] == [True]
        connections[STANDBY].close()
        del connections[STANDBY]


def told_of(cast: Cast) -> str:
    return words(accounting(cast).get(reverse("report", args=["game"])))


def found() -> dict[str, str]:
    return {item.what: item.wrong for item in preflight()}


def test_a_kept_connection_to_a_standby_that_became_the_primary_is_dropped(
    floor: Cast, standby: Standby, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = connections[STANDBY]
    monkeypatch.setitem(there.settings_dict["OPTIONS"], "target_session_attrs", "standby")
    there.ensure_connection()
    assert there.is_usable()
    monkeypatch.setitem(there.settings_dict["OPTIONS"], "target_session_attrs", "read-write")
    assert not there.is_usable()


def test_metrics_and_preflight_say_how_far_behind_it_is(floor: Cast, standby: Standby) -> None:
    def gauge(name: str) -> float | None:
        registry = CollectorRegistry()
        registry.register(HouseCollector())
        return registry.get_sample_value(f"pitboss_read_standby_{name}")

    assert gauge("up") == 1
    lag = gauge("lag_seconds")
    assert lag is not None
    assert lag < 1
    assert any(re.match(r"DATABASE_READ_URL \(\d\.\d s behind\)", what) for what in found())
    standby.proxy.drop()
    connections[STANDBY].close()
    assert (gauge("up"), gauge("lag_seconds")) == (0, None)
    assert found()["DATABASE_READ_URL"] == "The standby doesn’t answer."
    assert connection.alias == "default"


def test_without_the_address_nothing_is_said_and_nothing_else_is_asked(cast: Cast) -> None:
    assert not has_standby()
    page = words(accounting(cast).get(reverse("report", args=["game"])))
    assert "Read from" not in page
    assert " behind" not in page
