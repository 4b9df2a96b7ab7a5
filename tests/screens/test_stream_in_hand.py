"""The terminal's page on the stream of events: what happens is shown without asking."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import Page, expect

from bench.serving import served
from pitboss.models import Person
from pitboss.rules.roles import Place
from pitboss.services.devices import NewDevice
from tables.services.dealers import tap_in
from tests.browser import OpenTablet
from tests.floor.cast import Cast, let_device_in, pin_of
from tests.floor.listeners import environ_of_test, event_server

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

# Beside a stream the page asks by itself every 15 seconds. Its clock stands still but for these
# steps, which come to less: what it shows then, the stream has told.
STEP_MS, STEPS = 100, 100


def deal(cast: Cast, dealer: Person) -> None:
    tap_in(
        table_id=cast.table.pk,
        badge=dealer.badge,
        pin=pin_of(dealer.badge),
        device=cast.devices[Place.PIT],
    )


def enrolled(cast: Cast, page: Page) -> None:
    new = NewDevice("Terminal BJ-11", Place.PIT, table=cast.table)
    code = let_device_in(cast, new, by=cast.carol, second=cast.alice)
    page.goto("/terminal/")
    page.get_by_label("Code").fill(code)
    page.get_by_role("button", name="Enroll").tap()
    expect(page.get_by_role("heading", name=cast.table.name)).to_be_visible()


def test_a_terminal_shows_what_the_stream_tells_while_its_own_clock_stands_still(
    cast: Cast, open_tablet: OpenTablet
) -> None:
    cast.open_table({})
    with event_server() as port:
        environ = environ_of_test(PITBOSS_EVENTS_ADDRESS=f"localhost:{port}")
        with served(environ, 1) as web:
            page = open_tablet(base_url=f"http://localhost:{web.port}")
            page.clock.install()
            enrolled(cast, page)
            bar = page.locator("#bar")
            expect(bar).to_contain_text(str(cast.dan))
            page.wait_for_function("window.PitEvents.isOpen()")
            page.clock.pause_at(datetime.now(UTC) + timedelta(seconds=1))
            assert page.evaluate("window.PitEvents.isOpen()")
            deal(cast, cast.dora)
            for _ in range(STEPS):
                if str(cast.dora) in (bar.text_content() or ""):
                    break
                # The answer of the server takes real time, which the page's own clock does not see.
                page.wait_for_timeout(200)
                page.clock.run_for(STEP_MS)
            expect(bar).to_contain_text(str(cast.dora))
            page.context.close()
