"""Accounting, HR and surveillance systems over a real socket: each does what its scope says."""

from __future__ import annotations

import csv
from datetime import timedelta
from io import StringIO
from uuid import uuid4

import pytest
from django.urls import reverse
from pytest_django.live_server_helper import LiveServer

from pitboss.rules.roles import Place
from pitboss.services import house
from tables.models import SystemCall
from tables.selectors.table_days import table_days
from tables.services.incident_reports import save_incident
from tables.services.open_items import open_items
from tables.services.system_calls import sweep_calls
from tests.floor.cast import Cast, ServerClock
from tests.floor.days import close_the_day
from tests.floor.drop_box import count_and_post, count_tray, pull
from tests.floor.house import change
from tests.floor.tablets import signed_in, words
from tests.other_systems import OtherSystem, grant, system_at

pytestmark = pytest.mark.django_db(transaction=True)
TRAY = {10_000: 20, 2_500: 20}


@pytest.fixture
def system(cast: Cast, live_server: LiveServer) -> OtherSystem:
    return system_at(live_server.url, cast)


def test_no_scope_opens_an_address_of_another(cast: Cast, system: OtherSystem) -> None:
    addresses = {
        "ledger.read": "ledger/2026-05-02",
        "staff.read": "staff",
        "bookmarks.read": "bookmarks",
        "ratings.read": "feed",
        "comps.read": "patrons/1/values",
    }
    for scope, path in addresses.items():
        status, problem = system.get(path)
        assert (status, problem["refusals"][0]["code"]) == (403, "no_scope"), scope
    grant(cast, "staff.read")
    opened = {scope for scope, path in addresses.items() if system.get(path)[0] != 403}
    assert opened == {"staff.read"}


def test_the_general_ledger_of_a_closed_day_balances_by_the_accounts_of_the_house(
    cast: Cast, system: OtherSystem, server_clock: ServerClock
) -> None:
    cast.deliver(cast.ask(TRAY))
    cast.open_table(TRAY)
    cast.deliver(cast.ask({10_000: 10}))
    day = house.period_at(house.now()).gaming_day
    grant(cast, "ledger.read")
    status, problem = system.get(f"ledger/{day}")
    assert (status, problem["refusals"][0]["code"]) == (409, "day_not_closed")
    count_tray(cast, {10_000: 28, 2_500: 20})
    box = pull(cast)
    server_clock.move(days=1)
    close_the_day(cast, day, carry=[item.key for item in open_items(day)])
    status, problem = system.get(f"ledger/{day}")
    assert (status, problem["refusals"][0]["code"]) == (409, "drop_not_posted")
    count_and_post(cast, box, {"cash_10000": 150_000})

    status, ledger = system.get(f"ledger/{day}")
    (won,) = table_days(day, day)
    assert status == 200
    assert ledger["debit_cents"] == ledger["credit_cents"] > 0
    side = {line["about"]: line["debit_cents"] - line["credit_cents"] for line in ledger["lines"]}
    assert side["drop"] == 150_000
    assert side["win"] == -(won.win_cents or 0)
    assert sum(side.values()) == 0
    assert {line["account"] for line in ledger["lines"]} <= {"1110", "1120", "1130", "4010"}
    assert system.get("ledger/2026-13-40")[1]["refusals"][0]["code"] == "day_malformed"

    kept = house.settings_at(house.now())["ledger.accounts"]
    mapped = "\n".join(f"{name} X-{number}" for name, number in kept.items())
    change(cast, "ledger.accounts", mapped)
    status, text, headers = system.call("GET", f"ledger/{day}.csv")
    assert (status, headers["Content-Type"]) == (200, "text/csv; charset=utf-8")
    rows = list(csv.DictReader(StringIO(text)))
    assert {row["account"] for row in rows} <= {"X-1110", "X-1120", "X-1130", "X-4010"}
    cents = {
        name: sum(int(row[name].replace(".", "") or 0) for row in rows)
        for name in ("debit", "credit")
    }
    assert cents["debit"] == cents["credit"] == ledger["debit_cents"]


def test_staff_is_read_with_access_and_license(cast: Cast, system: OtherSystem) -> None:
    grant(cast, "staff.read")
    status, answer = system.get("staff")
    assert status == 200
    (dan,) = [item for item in answer["items"] if item["badge"] == cast.dan.badge]
    assert dan == {
        "employee_number": cast.dan.employee_number,
        "badge": cast.dan.badge,
        "first_name": cast.dan.first_name,
        "last_name": cast.dan.last_name,
        "role": "dealer",
        "has_access": True,
        "licence_number": cast.dan.licence_number,
        "licence_ends": cast.dan.licence_ends and cast.dan.licence_ends.isoformat(),
    }
    assert "pin" not in str(answer)


def test_surveillance_reads_moments_at_tables_once_and_in_order(
    cast: Cast, system: OtherSystem
) -> None:
    grant(cast, "bookmarks.read")
    fill = cast.ask(TRAY)
    cast.deliver(fill)
    save_incident(
        table_id=cast.table.pk,
        kind="minor",
        seat=3,
        by=cast.alice,
        device=cast.devices[Place.PIT],
        request_id=uuid4(),
    )
    status, first = system.get("bookmarks?after=0")
    assert status == 200
    assert [item["event"] for item in first["items"]] == [
        "fill_on_the_way",
        "fill_received",
        "incident",
    ]
    received, incident = first["items"][1:]
    assert (received["table"], received["serial"]) == (cast.table.name, fill.serial)
    assert (incident["table"], incident["seat"]) == (cast.table.name, 3)
    assert incident["title"] == "Minor"
    assert system.get(f"bookmarks?after={first['next']}")[1]["items"] == []
    assert system.get("bookmarks?after=x")[0] == 400


def test_the_page_of_systems_shows_the_last_calls_and_forgets_those_of_a_week_ago(
    cast: Cast, system: OtherSystem, server_clock: ServerClock
) -> None:
    system.get("staff")
    grant(cast, "staff.read")
    _, _, headers = system.call("GET", "staff")
    device = cast.devices[Place.OFFICE]
    browser = signed_in(cast.heidi, cast, Place.OFFICE)
    listed = words(browser.get(reverse("systems")))
    assert "Read employees and their licenses" in listed
    shown = words(browser.get(reverse("system", args=[device.pk])))
    assert headers["Request-Id"] in shown
    assert shown.index(headers["Request-Id"]) < shown.index("no_scope")
    assert list(SystemCall.objects.values_list("status", flat=True)) == [403, 200]
    assert sweep_calls(now=house.now() + timedelta(days=6)) == 0
    assert sweep_calls(now=house.now() + timedelta(days=8)) == 2
    assert "No calls in the last 7 days" in words(browser.get(reverse("system", args=[device.pk])))
