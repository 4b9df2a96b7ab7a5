"""A shift is handed over in hand: refused while things are open, then with them carried by name."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from pitboss.models import CarriedOver, ClosedShift, Device, Person, Slip
from pitboss.rules.roles import Place
from pitboss.services import house
from pitboss.services.verification import verify
from tables.services.shifts import open_in, shift_before
from tests.browser import OpenTablet
from tests.floor.cast import Cast, ServerClock
from tests.floor.days import unsigned_closer
from tests.floor.hands import be_device, sign_in, sign_on_pad, tick_every_line
from tests.floor.jackpots import TRAY, hit
from tests.floor.meters import sevens

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def at(open_tablet: OpenTablet, server: LiveServer, device: Device, person: Person) -> Page:
    page = open_tablet()
    be_device(page.context, device, server.url)
    sign_in(page, person)
    return page


def test_a58_a_shift_with_a_jackpot_a_fill_and_a_closer_open_is_closed_the_right_way(
    server_clock: ServerClock, cast: Cast, open_tablet: OpenTablet, live_server: LiveServer
) -> None:
    sevens(cast)
    cast.deliver(cast.ask(TRAY))
    cast.open_table(TRAY)
    jackpot = hit(cast)
    fill = cast.ask({500: 20})
    cast.carry(fill)
    closer = unsigned_closer(cast, cast.other_table)
    server_clock.now = house.period_at(house.now()).ends
    server_clock.move(minutes=5)
    office = at(open_tablet, live_server, cast.devices[Place.OFFICE], cast.heidi)
    pit = at(open_tablet, live_server, cast.devices[Place.PIT], cast.alice)

    # What a rule opened besides, of the hit or the closer, stands in the way like the three.
    begun = {item.key: item.sentence for item in open_in(shift_before(house.now()))}
    assert {f"slip:{slip.serial}" for slip in (jackpot, fill, closer)} <= begun.keys()
    carried = {key: words for key, words in begun.items() if key != f"slip:{fill.serial}"}

    # With nothing ticked it is refused, and every reason is named.
    office.goto("/days/")
    expect(office.locator("#main")).to_contain_text(f"{len(begun)} still open")
    office.get_by_role("link", name="Hand off…").click()
    sign_on_pad(office, cast.heidi, "Sign as shift manager")
    reasons = office.get_by_role("alert")
    for sentence in begun.values():
        expect(reasons).to_contain_text(sentence)
    expect(reasons.locator("li")).to_have_count(len(begun))
    assert not Slip.objects.filter(kind="shift_close").exists()

    # The fill is finished where it stands. What is then left goes over by name.
    pit.goto(f"/slips/{fill.serial}/")
    tick_every_line(pit)
    pit.get_by_label("Badge of the officer").fill(cast.frank.badge)
    sign_on_pad(pit, cast.dan, "Sign as dealer")
    expect(pit.locator("#toasts")).to_contain_text("Agreed")
    sign_on_pad(pit, cast.alice, "Sign as supervisor")
    expect(pit.locator("#main")).to_contain_text("All signatures complete.")
    office.goto("/shifts/close/")
    expect(office.locator("#main")).not_to_contain_text(fill.serial)
    for key in carried.keys() - {f"slip:{closer.serial}"}:
        office.locator(f'[name=carry][value="{key}"]').check()
    sign_on_pad(office, cast.heidi, "Sign as shift manager")
    expect(reasons.locator("li")).to_have_count(1)
    expect(reasons).to_contain_text(closer.serial)
    expect(office.locator(f'[value="slip:{jackpot.serial}"]')).to_be_checked()
    office.locator(f'[name=carry][value="slip:{closer.serial}"]').check()
    sign_on_pad(office, cast.heidi, "Sign as shift manager")
    expect(office.locator("#toasts")).to_contain_text("The incoming shift manager signs next.")
    assert not ClosedShift.objects.exists()

    # Whoever comes on reads both names, and takes them on.
    sign_in(office, cast.mike)
    office.goto("/inbox/")
    card = office.get_by_role("article").filter(has_text="Shift handoff")
    card.get_by_role("link", name="Review and sign").click()
    for sentence in carried.values():
        expect(office.locator("#main")).to_contain_text(sentence)
    sign_on_pad(office, cast.mike, "Sign as shift manager")
    expect(office.locator("#main")).to_contain_text("All signatures complete.")
    office.goto("/days/")
    expect(office.locator("#main")).to_contain_text("Handed off")

    ended = shift_before(house.now())
    closed = ClosedShift.objects.get()
    assert (closed.gaming_day, closed.shift) == (ended.gaming_day, ended.shift)
    assert {carried_over.sentence for carried_over in CarriedOver.objects.all()} == {
        *carried.values()
    }
    assert {carried_over.accepted_by for carried_over in CarriedOver.objects.all()} == {cast.mike}
    assert verify().is_sound
