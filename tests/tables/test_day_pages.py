"""The pages of late papers, serials and days: what they ask, refuse and show."""

from __future__ import annotations

import csv
import html
import re
from datetime import timedelta
from io import StringIO
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from pitboss.middleware import DEVICE_COOKIE
from pitboss.models import ClosedDay, Device, Person, SeriesCounter, Slip
from pitboss.rules.canonical import digest
from pitboss.rules.roles import Place
from pitboss.services import house
from pitboss.slips.addresses import new_url
from tables.models import SerialExplanation
from tests.floor.cast import Cast, ServerClock, pin_of
from tests.floor.days import close_the_day
from tests.floor.drop_box import begin_count, count_tray, pull
from tests.floor.outages import ready
from tests.floor.tablets import words

pytestmark = pytest.mark.django_db
TRAY = {10_000: 20, 2_500: 20}


def signed_in(cast: Cast, person: Person, place: Place = Place.PIT) -> Client:
    device = cast.devices[place]
    Device.objects.filter(pk=device.pk).update(token_hash=digest(device.name))
    client = Client()
    client.cookies[DEVICE_COOKIE] = device.name
    client.force_login(person)
    return client


def pad_of(response: Any) -> dict[str, Any]:
    """Return the hidden fields of the pad on a page, as a browser would send them."""
    page = words(response)
    form = page[page.index('id="sign-pad"') :]
    hidden = re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', form)
    return {name: html.unescape(value) for name, value in hidden}


def by(person: Person) -> dict[str, str]:
    return {"badge": person.badge, "pin": pin_of(person.badge)}


def test_a25_a_paper_is_keyed_on_the_screen_by_the_clock_of_the_house(
    cast: Cast, server_clock: ServerClock
) -> None:
    cast.deliver(cast.ask(TRAY))
    cast.open_table(TRAY)
    server_clock.move(hours=2)
    client = signed_in(cast, cast.alice)
    number = ready(cast, "FL", house.now() - timedelta(hours=1))
    url = new_url("late_fill", table="BJ-11")
    # Ten in the morning in New York is two in the afternoon in Greenwich.
    keyed = {
        "what": "fill",
        "paper_number": number.lower(),
        "signers": "A. Smith, B. Jones",
        "true_time": "2026-05-01T10:00",
        "cheques_10000": "10",
    }
    response = client.post(url, keyed)
    assert "LATE" in words(response)
    assert "Fri, May 1, 2026, 10:00" in words(response)
    done = client.post(url, {**pad_of(response), **by(cast.alice), "reason": "The line was down."})
    late = Slip.objects.get(kind="late_fill")
    assert done.headers["Location"] == reverse("slip", args=[late.serial])
    assert late.details["true_time"] == "2026-05-01T14:00:00.000000+00:00"
    shown = words(client.get(reverse("slip", args=[late.serial])))
    assert f"Form {number}" in shown


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"what": "marker"}, "choose fill, credit"),
        ({"true_time": "yesterday"}, "choose a day and a time"),
        ({"true_time": "2026-05-01T23:00"}, "is in the future"),
        ({"paper_number": ""}, "number printed on the form"),
        ({"cheques_10000": ""}, "at least one cheque"),
    ],
)
def test_a_paper_that_cannot_be_is_sent_back_with_what_was_keyed(
    cast: Cast, server_clock: ServerClock, change: dict[str, str], said: str
) -> None:
    keyed = {
        "what": "fill",
        "paper_number": "P-FL-000001-8",
        "signers": "A. Smith, B. Jones",
        "true_time": "2026-05-01T08:00",
        "cheques_10000": "10",
        "cheques_2500": "",
    }
    client = signed_in(cast, cast.alice)
    response = client.post(new_url("late_fill", table="BJ-11"), {**keyed, **change})
    assert response.status_code == 422
    assert said in words(response)
    if "cheques_10000" not in change:
        assert 'name="cheques_10000" value="10"' in words(response)


def test_a51_the_screen_offers_a_correction_once_the_day_is_closed(
    cast: Cast, server_clock: ServerClock
) -> None:
    cast.deliver(cast.ask(TRAY))
    cast.open_table(TRAY)
    day = house.period_at(house.now()).gaming_day
    server_clock.move(days=1)
    close_the_day(cast, day)
    keyed = {
        "what": "credit",
        "paper_number": ready(cast, "CR", house.now() - timedelta(hours=23, minutes=30)),
        "signers": "A. Smith, B. Jones",
        "true_time": "2026-05-01T09:30",
        "cheques_10000": "1",
    }
    client = signed_in(cast, cast.alice)
    url = new_url("late_fill", table="BJ-11")
    refused = client.post(url, keyed)
    assert refused.status_code == 409
    assert "Its day is closed" in words(refused)
    response = client.post(url, {**keyed, "corrects": "yes"})
    assert response.status_code == 200
    client.post(url, {**pad_of(response), **by(cast.alice), "reason": "Found under the tray."})
    assert Slip.objects.get(kind="correction").details["restates"] == day.isoformat()


def test_a56_the_serial_report_is_a_page_and_a_table_and_takes_the_reason(
    cast: Cast, server_clock: ServerClock
) -> None:
    cast.ask()
    SeriesCounter.objects.filter(series="F").update(last_number=2)
    client = signed_in(cast, cast.ruth, Place.OFFICE)
    assert "F-2026-000002" in words(client.get(reverse("serials")))
    url = reverse("serial-explain", args=["F", 2026, 2])
    signed = {**pad_of(client.get(url)), **by(cast.ruth), "reason": "=Lost in a restore."}
    assert client.post(url, signed).status_code == 302
    assert SerialExplanation.objects.get().explained_by == cast.ruth
    assert "accounted for" in words(client.get(reverse("serials")))
    sheet = client.get(reverse("serials-csv")).content.decode()
    rows = list(csv.reader(StringIO(sheet)))
    assert rows[0] == [
        "series", "year", "first", "last", "given", "used", "void", "missing", "why",
    ]  # fmt: skip
    assert ["F", "2026", "1", "1", "2", "1", "0", "1", ""] in rows
    # A reason that begins like a formula stays words in a spreadsheet.
    assert rows[-1][-1] == "'=Lost in a restore." or rows[-2][-1] == "'=Lost in a restore."
    assert client.get(reverse("serial-explain", args=["F", 2026, 1])).status_code == 404


def test_a58_the_page_names_what_is_open_and_each_is_ticked_by_hand(
    cast: Cast, server_clock: ServerClock
) -> None:
    fill = cast.ask(TRAY)
    day = house.period_at(house.now()).gaming_day
    server_clock.move(days=1)
    client = signed_in(cast, cast.heidi)
    url = new_url("day_close", day=day.isoformat())
    got = client.get(url)
    page = words(got)
    assert f"{fill.serial}: fill $2,500 for BJ-11 is not finished." in page
    assert f'name="carry" value="slip:{fill.serial}" form="sign-pad">' in page
    refused = client.post(url, {**pad_of(got), **by(cast.heidi)})
    assert refused.status_code == 409
    signed = {**pad_of(got), **by(cast.heidi), "carry": f"slip:{fill.serial}"}
    assert client.post(url, signed).status_code == 302
    close = Slip.objects.get(kind="day_close")
    paper = reverse("slip", args=[close.serial])
    incoming = signed_in(cast, cast.mike)
    got = incoming.get(paper)
    assert f"{fill.serial}: fill $2,500 for BJ-11 is not finished." in words(got)
    incoming.post(
        reverse("slip-sign", args=[close.serial, "main", "day_taken_on"]),
        {**pad_of(got), **by(cast.mike)},
    )
    assert ClosedDay.objects.get().gaming_day == day
    assert close.serial in words(client.get(reverse("days")))
    assert "Day closed" in words(client.get(reverse("day-win", args=[day.isoformat()])))


def test_the_second_counts_page_and_its_paper_hold_no_figure_of_the_first(cast: Cast) -> None:
    cast.deliver(cast.ask(TRAY))
    cast.open_table(TRAY)
    count_tray(cast, TRAY)
    count = begin_count(cast, pull(cast), {"cash_10000": 7_770_000})
    client = signed_in(cast, cast.quinn, Place.OFFICE)
    page = words(client.get(reverse("slip", args=[count.serial])))
    assert "77,700" not in page
    assert "7770000" not in page
    assert 'name="figure_cash_10000" value=""' in page


def test_pages_of_days_that_are_none_answer_not_found(cast: Cast) -> None:
    client = signed_in(cast, cast.heidi)
    for url in (
        reverse("day-win", args=["2026-02-30"]),
        new_url("day_close", day="2026-02-30"),
    ):
        assert client.get(url).status_code == 404
    assert client.get(reverse("table-win", args=["BJ-11"]) + "?day=never").status_code == 404


def test_a_request_sent_twice_hands_a_day_over_once(cast: Cast, server_clock: ServerClock) -> None:
    cast.deliver(cast.ask(TRAY))
    day = house.period_at(house.now()).gaming_day
    server_clock.move(days=1)
    client = signed_in(cast, cast.heidi)
    url = new_url("day_close", day=day.isoformat())
    signed = {**pad_of(client.get(url)), **by(cast.heidi)}
    first, second = client.post(url, signed), client.post(url, signed)
    assert first.headers["Location"] == second.headers["Location"]
    assert Slip.objects.filter(kind="day_close").count() == 1
    other = client.post(url, {**signed, "request_id": str(uuid4())})
    assert other.status_code == 409


def test_the_inbox_names_the_box_that_waits_to_be_posted(cast: Cast) -> None:
    cast.deliver(cast.ask(TRAY))
    cast.open_table(TRAY)
    count_tray(cast, TRAY)
    begin_count(cast, pull(cast), {"cash_10000": 10_000})
    client = signed_in(cast, cast.quinn, Place.OFFICE)
    assert "BJ-11 · Drop count" in words(client.get(reverse("inbox")))
    assert "Box BJ-11" in words(client.get(reverse("count-room")))
