"""A fill shipped in part through the real screens: the cage offers, the pit takes, one PIN none."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from pitboss.models import Device, Person, Slip
from pitboss.rules.roles import Place
from tests.browser import OpenTablet
from tests.floor.cast import Cast
from tests.floor.hands import be_device, sign_in

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def opened(
    open_tablet: OpenTablet, live_server: LiveServer, device: Device, person: Person
) -> Page:
    page = open_tablet()
    be_device(page.context, device, live_server.url)
    sign_in(page, person)
    return page


def test_a122_the_cage_ships_less_and_the_supervisor_takes_part_with_a_tap(
    cast: Cast, open_tablet: OpenTablet, live_server: LiveServer
) -> None:
    request = cast.ask({10_000: 20, 2_500: 100})
    cage = opened(open_tablet, live_server, cast.devices[Place.CAGE], cast.erin)
    pit = opened(open_tablet, live_server, cast.devices[Place.PIT], cast.alice)
    cage.goto(f"/slips/{request.serial}/")
    cage.get_by_role("link", name="Ship less…").click()
    cage.get_by_label("$25 green, cheques that ship").fill("60")
    cage.get_by_label("Why the cage ships less").fill("Green is being counted.")
    cage.get_by_role("button", name="Offer this part").click()
    expect(cage.locator("#toasts")).to_contain_text("Wait for the supervisor’s answer.")

    pit.goto("/inbox/")
    pit.get_by_role("link", name="Answer").click()
    expect(pit.locator("main")).to_contain_text("The cage can ship $3,500 of $4,500")
    pit.get_by_role("button", name="Take part").click()
    expect(pit.locator("#toasts")).to_contain_text("has the rest.")
    ships, rest = Slip.objects.filter(details__part_of=request.serial).order_by("id")
    assert (ships.total_cents, rest.total_cents) == (350_000, 100_000)
    cage.goto(f"/slips/{ships.serial}/")
    expect(cage.locator("main")).to_contain_text(f"Part of{request.serial}")
