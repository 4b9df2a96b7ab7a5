"""Forty boxes through the real screens: a machine's file, one total, the main bank, one posting."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect
from pytest_django.live_server_helper import LiveServer

from pitboss.models import Slip
from pitboss.rules.roles import Place
from tables.models import BoxTally
from tests.browser import OpenTablet
from tests.floor.cast import Cast
from tests.floor.count_sessions import ready
from tests.floor.hands import sign_on_pad
from tests.floor.house import change
from tests.screens.test_drop_run_in_hand import opened
from tests.tables.test_count_sessions import HEAD, pulled

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
BOXES = 40


def test_a118_forty_boxes_are_counted_accepted_and_posted_on_the_screen(
    cast: Cast, open_tablet: OpenTablet, live_server: LiveServer
) -> None:
    change(cast, "count.second", "total")
    pulled(cast, tables=BOXES)
    session = ready(cast)
    paul = opened(open_tablet, live_server, cast.devices[Place.OFFICE], cast.paul)
    paul.goto(f"/boxes/sessions/{session.serial}/")
    rows = "".join(f"{4001 + number},,2000,{number + 1}\n" for number in range(BOXES))
    paul.get_by_label("Counting machine file (CSV)").set_input_files(
        {"name": "counter.csv", "mimeType": "text/csv", "buffer": f"{HEAD}{rows}".encode()}
    )
    paul.get_by_role("button", name="Import first counts").click()
    expect(paul.locator("#toasts")).to_contain_text("counter.csv imported")
    assert BoxTally.objects.filter(turn=1).count() == BOXES

    quinn = opened(open_tablet, live_server, cast.devices[Place.OFFICE], cast.quinn)
    quinn.goto(f"/boxes/sessions/{session.serial}/")
    quinn.get_by_role("link", name="Enter the second count").click()
    dollars = 20 * sum(range(1, BOXES + 1))
    quinn.get_by_label("$20 bills").fill(f"{dollars:,}")
    quinn.get_by_role("button", name="Save second count").click()
    expect(quinn.locator("#toasts")).to_contain_text(f"{BOXES} boxes counted twice")

    for page, person, button in (
        (paul, cast.paul, "Sign as count team member"),
        (quinn, cast.quinn, "Sign as count team member"),
    ):
        page.goto(f"/slips/{session.serial}/")
        sign_on_pad(page, person, button)
        expect(page.locator("#toasts")).to_contain_text("Closed")

    erin = opened(open_tablet, live_server, cast.devices[Place.CAGE], cast.erin)
    erin.goto(f"/slips/{session.serial}/")
    erin.locator("[name=said_cash], [name=cash]").first.fill(f"{dollars:,}")
    sign_on_pad(erin, cast.erin, "Sign as cashier")
    expect(erin.locator("#toasts")).to_contain_text("Accepted")

    ruth = opened(open_tablet, live_server, cast.devices[Place.OFFICE], cast.ruth)
    ruth.goto(f"/slips/{session.serial}/")
    sign_on_pad(ruth, cast.ruth, "Sign as accountant")
    expect(ruth.locator("#toasts")).to_contain_text("Posted")
    assert Slip.objects.filter(kind="drop_count", status="done").count() == BOXES
