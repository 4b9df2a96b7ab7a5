"""The inbox in hand: what arrives is seen in the title and heard, and one PIN notes two notices."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from pitboss.models import FloorException
from pitboss.rules.acknowledging import NOTED
from pitboss.rules.roles import Place
from pitboss.services import house
from pitboss.services.exceptions import open_exception
from tests.axe import troubles
from tests.cast import Cast
from tests.hands import be_device, sign_in, sign_on_pad

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

# Count what would sound, as a machine without a loudspeaker cannot.
COUNT_NOTES = """
    window.notes = 0;
    const start = OscillatorNode.prototype.start;
    OscillatorNode.prototype.start = function (...when) {
      window.notes += 1;
      start.apply(this, when);
    };
"""


def call(cast: Cast, words: str) -> None:
    open_exception(
        code="supervisor_called",
        sentence=words,
        details={"words": words},
        at=house.now(),
        person=None,
        table=cast.table,
    )


def hear(tablet: Page, notes: int) -> None:
    """Wait until so many notes have sounded. The site lets nobody evaluate a string meanwhile."""
    for _ in range(50):
        if tablet.evaluate("window.notes") == notes:
            return
        tablet.wait_for_timeout(100)
    pytest.fail(f"{tablet.evaluate('window.notes')} notes sounded, not {notes}")


def test_what_arrives_is_counted_and_heard_and_noted_together(
    cast: Cast, tablet: Page, live_server: LiveServer
) -> None:
    tablet.add_init_script(COUNT_NOTES)
    be_device(tablet.context, cast.devices[Place.PIT], live_server.url)
    sign_in(tablet, cast.alice)
    tablet.goto("/inbox/")
    expect(tablet).to_have_title("Inbox · Pitboss")
    bell = tablet.get_by_role("button", name="Sound")
    expect(bell).to_have_attribute("aria-pressed", "false")
    call(cast, "BJ-11 calls.")
    expect(tablet).to_have_title("(1) Inbox · Pitboss", timeout=6_000)
    assert tablet.evaluate("window.notes") == 0, "nothing sounds that nobody turned on"

    bell.click()
    expect(bell).to_have_attribute("aria-pressed", "true")
    hear(tablet, 2)
    tablet.get_by_label("Read, nothing to do").check()
    call(cast, "BJ-11 calls again.")
    expect(tablet).to_have_title("(2) Inbox · Pitboss", timeout=6_000)
    hear(tablet, 4)
    first, second = tablet.get_by_label("Read, nothing to do").all()
    expect(first).to_be_checked()
    assert not troubles(tablet)
    second.check()
    tablet.get_by_role("button", name="Note what is ticked…").click()
    sign_on_pad(tablet, cast.alice, "Sign for all")
    expect(tablet.locator("#toasts")).to_contain_text("2 read and noted")
    expect(tablet).to_have_title("Inbox · Pitboss")
    assert FloorException.objects.filter(resolution=NOTED).count() == 2
    tablet.reload()
    expect(tablet.get_by_role("button", name="Sound on")).to_be_visible()
