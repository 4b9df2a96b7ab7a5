"""A drop run through the real screens: watched, joined, walked by scans, and ended by two."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from pitboss.models import Device, Person, Slip
from pitboss.rules.roles import Place
from tests.browser import OpenTablet
from tests.floor.cast import Cast
from tests.floor.drop_runs import forty_tables, register
from tests.floor.hands import be_device, sign_in, sign_on_pad

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def opened(
    open_tablet: OpenTablet, live_server: LiveServer, device: Device, person: Person
) -> Page:
    page = open_tablet()
    be_device(page.context, device, live_server.url)
    sign_in(page, person)
    return page


def read_by_scanner(page: Page, label: str, tag: str) -> None:
    """Type a tag and end it with Enter, as a scanner does."""
    field = page.get_by_label(label)
    expect(field).to_be_focused()
    page.keyboard.type(tag)
    page.keyboard.press("Enter")


def test_a116_a_run_is_watched_joined_walked_and_ended(
    cast: Cast, open_tablet: OpenTablet, live_server: LiveServer
) -> None:
    tables = forty_tables(cast, pits=1, tables=3)
    register(cast, "4001-4003 4501-4503")
    officer = opened(open_tablet, live_server, cast.devices[Place.PIT], cast.frank)
    eye = opened(open_tablet, live_server, cast.devices[Place.SURVEILLANCE], cast.ivan)

    officer.goto("/drop/runs/")
    officer.get_by_role("link", name="Start a drop run…").click()
    officer.get_by_label("Pit 1, 3 boxes to pull").check()
    officer.get_by_label("Tags of the new boxes").fill("4501-4503")
    officer.get_by_role("button", name="Review and sign").click()
    sign_on_pad(officer, cast.frank, "Sign as security officer")
    expect(officer.locator("#main")).to_contain_text("Surveillance isn’t watching yet.")
    run = Slip.objects.get(kind="drop_run")

    eye.goto(f"/drop/runs/{run.serial}/")
    eye.get_by_role("button", name="We are watching").click()
    expect(eye.locator("#main")).to_contain_text("Surveillance watching")

    officer.get_by_role("link", name="Pit 1: supervisor joins…").click()
    sign_on_pad(officer, cast.alice, "Sign as supervisor")
    expect(officer.locator("#main")).to_contain_text("Pit 1: A. Aliceson witnesses.")

    for number, table in enumerate(tables, 1):
        expect(officer.get_by_role("heading", name=table.name)).to_be_visible()
        read_by_scanner(officer, "1. Old box tag", f"400{number}")
        read_by_scanner(officer, "2. New box tag", f"450{number}")
        expect(officer.locator("#drop-walk")).to_contain_text(f"400{number} out · 450{number} on")
    expect(officer.locator("#drop-progress")).to_contain_text("3 of 3 done")
    expect(eye.locator("#drop-progress")).to_contain_text("3 of 3 done")

    officer.get_by_role("link", name="End run…").click()
    sign_on_pad(officer, cast.frank, "Sign as security officer")
    expect(officer.locator("#toasts")).to_contain_text("Ended")
    officer.goto(f"/slips/{run.serial}/")
    sign_on_pad(officer, cast.grace, "Sign")
    expect(officer.locator("#main")).to_contain_text("All signatures complete.")
    assert Slip.objects.filter(kind="drop_pull", status="done").count() == 3
