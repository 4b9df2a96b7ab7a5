"""Drive a real Chromium against the live site, as tablets on the floor do.

`tablet` is one page of 1024 x 768 in a browser context of its own; `open_tablet()` opens as many
as a test needs, each a device with cookies of its own. A page that raises an error in its script,
or breaks the content security policy, fails the test that showed it.

Without a browser these tests are skipped, except where PITBOSS_BROWSER_REQUIRED is set.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.db import connections
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Page,
    expect,
    sync_playwright,
)
from pytest_django.live_server_helper import LiveServer

PROGRAMS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--no-first-run",
    "--disable-sync",
]

OpenTablet = Callable[..., Page]
# How long a page may take on a machine that does much else: no test measures by it.
PATIENCE_MS = 60_000
expect.set_options(timeout=PATIENCE_MS)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Start one Chromium for this worker."""
    program = next(filter(None, map(shutil.which, PROGRAMS)), None)
    if program is None:
        sentence = "there is no Chromium on this machine (on Debian: apt-get install chromium)"
        if os.environ.get("PITBOSS_BROWSER_REQUIRED"):
            pytest.fail(sentence)
        pytest.skip(sentence)
    # Playwright keeps an event loop in this thread. Django takes what runs beside it for async code
    # and gives it other connections: those from before would stay open, and nobody's.
    connections.close_all()
    with sync_playwright() as playwright, pytest.MonkeyPatch.context() as patch:
        patch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "1")
        chromium = playwright.chromium.launch(executable_path=program, args=FLAGS)
        yield chromium
        chromium.close()
        connections.close_all()


@pytest.fixture
def open_tablet(browser: Browser, live_server: LiveServer) -> Iterator[OpenTablet]:
    """Return what opens one more tablet; options are those of a Playwright context."""
    contexts: list[BrowserContext] = []
    troubles: list[str] = []

    def hear(message: ConsoleMessage) -> None:
        if "Content Security Policy" in message.text:
            troubles.append(message.text)

    def open_one(**options: Any) -> Page:
        context = browser.new_context(
            **{
                "base_url": live_server.url,
                "viewport": {"width": 1024, "height": 768},
                "has_touch": True,
                "reduced_motion": "reduce",
                # A test that stops requests on their way stops all of them.
                "service_workers": "block",
                **options,
            }
        )
        context.set_default_timeout(PATIENCE_MS)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: troubles.append(str(error)))
        page.on("console", hear)
        return page

    yield open_one
    # A poll that is still under way would meet a database that is being taken away.
    for context in contexts:
        context.close()
    assert not troubles, "\n".join(troubles)


@pytest.fixture
def tablet(open_tablet: OpenTablet) -> Page:
    """Open one tablet."""
    return open_tablet()
