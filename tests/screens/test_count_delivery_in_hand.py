"""A counting machine delivers while a member looks on: it appears there, one tap takes it in."""

from __future__ import annotations

from uuid import uuid4

import pytest
from playwright.sync_api import expect
from pytest_django.live_server_helper import LiveServer

from pitboss.rules.roles import Place
from tables.models import BoxTally
from tests.axe import troubles
from tests.browser import OpenTablet
from tests.floor.cast import Cast
from tests.floor.count_sessions import ready
from tests.other_systems import another_system, grant
from tests.screens.test_drop_run_in_hand import opened
from tests.tables.test_count_sessions import HEAD, pulled

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_a119_what_a_machine_delivers_appears_by_itself_and_is_taken_in_with_one_tap(
    cast: Cast, open_tablet: OpenTablet, live_server: LiveServer
) -> None:
    pulled(cast, tables=2)
    session = ready(cast)
    machine = another_system(live_server.url, "Counter 2")
    grant(cast, "counts.write", device="Counter 2")
    paul = opened(open_tablet, live_server, cast.devices[Place.OFFICE], cast.paul)
    paul.goto(f"/boxes/sessions/{session.serial}/")
    arrived = paul.locator("#session-delivered")
    expect(arrived).to_be_hidden()
    for name, tag in (("run-412.csv", "4001"), ("run-413.csv", "4999")):
        said = {"name": name, "file": f"{HEAD}{tag},A,2000,206\n"}
        assert machine.call("POST", "counts", said, str(uuid4()))[0] == 201
    expect(arrived).to_contain_text("run-412.csv")
    expect(arrived).to_contain_text("Counter 2")
    expect(arrived).to_contain_text("None of its boxes is in this session.")
    assert troubles(paul) == []
    arrived.get_by_role("button", name="Import as your first counts").click()
    expect(paul.locator("#toasts")).to_contain_text("run-412.csv imported")
    expect(arrived).to_contain_text("Imported")
    assert [tally.person for tally in BoxTally.objects.all()] == [cast.paul]
