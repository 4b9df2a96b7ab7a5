"""The inbox in hand: what arrives is seen in the title and heard, and one PIN notes two notices."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from pitboss.models import FloorException
from pitboss.rules.floor.acknowledging import NOTED
from pitboss.rules.roles import Place
from pitboss.services import house
from pitboss.services.exceptions import open_exception
from tables.services.calls import ANSWERED, SUPERVISOR_CALLED
from tests.axe import troubles
from tests.floor.cast import Cast
from tests.floor.hands import be_device, sign_in, sign_on_pad

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

# Count what would sound, as a machine without a loudspeaker cannot.
COUNT_NOTES = """
    window.notes = 0;
    window.buzzes = [];
    navigator.vibrate = (pattern) => window.buzzes.push(pattern) > 0;
    const start = OscillatorNode.prototype.start;
    OscillatorNode.prototype.start = function (...when) {
      window.notes += 1;
      start.apply(this, when);
    };
"""


def notice(cast: Cast, words: str) -> None:
    open_exception(
        code="badge_locked",
        sentence=words,
        details={"words": words},
        at=house.now(),
        person=None,
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
    sign_in(tablet, cast.heidi)
    tablet.goto("/inbox/")
    expect(tablet).to_have_title("Inbox · Pitboss")
    bell = tablet.get_by_role("button", name="Sound")
    expect(bell).to_have_attribute("aria-pressed", "false")
    notice(cast, "Badge 104 is locked.")
    expect(tablet).to_have_title("(1) Inbox · Pitboss")
    assert tablet.evaluate("window.notes") == 0, "nothing sounds that nobody turned on"

    bell.click()
    expect(bell).to_have_attribute("aria-pressed", "true")
    hear(tablet, 2)
    tablet.get_by_label("Reviewed, no action needed").check()
    notice(cast, "Badge 105 is locked.")
    expect(tablet).to_have_title("(2) Inbox · Pitboss")
    hear(tablet, 4)
    assert tablet.evaluate("window.buzzes") == [[120, 80, 120]] * 2
    newest, ticked = tablet.get_by_label("Reviewed, no action needed").all()
    expect(ticked).to_be_checked()
    assert not troubles(tablet)
    newest.check()
    tablet.get_by_role("button", name="Sign off checked…").click()
    sign_on_pad(tablet, cast.heidi, "Sign for all")
    expect(tablet.locator("#toasts")).to_contain_text("2 signed off")
    expect(tablet).to_have_title("Inbox · Pitboss")
    assert FloorException.objects.filter(resolution=NOTED).count() == 2
    tablet.reload()
    expect(tablet.get_by_role("button", name="Sound on")).to_be_visible()


def call(cast: Cast, about: str) -> FloorException:
    return open_exception(
        code=SUPERVISOR_CALLED,
        sentence=f"BJ-11 calls the supervisor: {about}.",
        details={"about": about},
        at=house.now(),
        person=None,
        table=cast.table,
    )


def test_a_call_is_answered_from_the_board_and_from_the_inbox_with_one_tap_each(
    cast: Cast, tablet: Page, live_server: LiveServer
) -> None:
    be_device(tablet.context, cast.devices[Place.PIT], live_server.url)
    sign_in(tablet, cast.alice)
    tablet.goto(f"/board/{cast.pit.pk}/")
    expect(tablet.locator("#mine")).to_contain_text("Nothing waiting for you")
    first = call(cast, "dispute at seat 3")
    expect(tablet.locator("#mine")).to_contain_text("1 Waiting for you")
    expect(tablet.locator("#t-BJ-11 .chip")).to_have_text("Calling")
    assert not troubles(tablet)
    tablet.get_by_role("button", name="Answer call").tap()
    expect(tablet.locator("#toasts")).to_contain_text("BJ-11 answered.")
    expect(tablet.locator("#mine")).to_contain_text("Nothing waiting for you")
    assert tablet.url.endswith(f"/board/{cast.pit.pk}/")
    first.refresh_from_db()
    assert (first.resolved_by, first.resolution) == (cast.alice, ANSWERED)

    second = call(cast, "color up")
    tablet.goto("/inbox/")
    expect(tablet.get_by_role("navigation", name="Parts of the inbox")).to_contain_text("For you 1")
    assert not troubles(tablet)
    tablet.get_by_role("button", name="Answer").tap()
    expect(tablet.get_by_text("Your inbox is clear")).to_be_visible()
    second.refresh_from_db()
    assert second.resolved_by == cast.alice
    tablet.get_by_role("link", name="Done 2").tap()
    expect(tablet.get_by_text("BJ-11 calls the supervisor: color up.")).to_be_visible()
    tablet.get_by_label("Find in inbox").fill("dispute")
    tablet.get_by_label("Find in inbox").press("Enter")
    expect(tablet.get_by_text("dispute at seat 3")).to_be_visible()
    expect(tablet.get_by_text("color up")).to_have_count(0)
