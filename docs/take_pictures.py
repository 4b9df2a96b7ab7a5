"""Take the pictures of the documents from a running demo: `python docs/take_pictures.py [ADDRESS]`.

Start `make run` first. Needs Playwright (requirements-dev.txt) and a Chromium.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

PICTURES = Path(__file__).parent / "pictures"
# Name of the picture, post of the demo and page.
SHOTS = (
    ("board", "pit-1", "/board/"),
    ("table", "pit-1", "/tables/BJ-15/"),
    ("count", "pit-1", "/tables/BJ-11/count/"),
    ("cage", "cage", "/cage/"),
    ("inbox", "shift-manager", "/inbox/"),
)
# Tapped on the dealer's terminal: three nines, about to be paid twice what they are worth.
TAPS = ("Wager-super_3", "stake-500", "9c", "9d", "9s", "award-90000", "check")


def open_page(page: Page, *, post: str, path: str) -> None:
    """Stand at a post of the demo by its own bar, put the bar away, and open a page."""
    page.goto("/demo/tour/")
    page.locator(f"[formaction='/demo/be/{post}']").click()
    hide_the_bar(page)
    page.goto(path)


def hide_the_bar(page: Page) -> None:
    """Put the demo's own bar away: a real house has none."""
    page.wait_for_load_state("networkidle")
    page.get_by_role("button", name="Hide the demo's bar").click()
    page.wait_for_load_state("networkidle")


def check_a_payout(page: Page) -> None:
    """Have a payout checked on the terminal of the demo."""
    page.goto("/demo/tour/")
    page.locator("[formaction='/demo/terminal']").click()
    page.locator("[data-k=check]").wait_for()
    hide_the_bar(page)
    for name in TAPS:
        page.locator(f'[data-k="{name}"]').click()
    page.locator("[data-verdict]").wait_for()


def read_the_week(page: Page) -> None:
    """Open the master game report over the days that the demo has behind it."""
    open_page(page, post="auditor", path="/reports/game/")
    page.get_by_role("link", name="7 days").click()
    page.wait_for_load_state("networkidle")


def main(address: str) -> None:
    """Take every picture anew."""
    PICTURES.mkdir(exist_ok=True)
    program = shutil.which("chromium") or shutil.which("google-chrome")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])

        def take(name: str, prepare: Callable[[Page], None]) -> None:
            context = browser.new_context(
                base_url=address, viewport={"width": 1024, "height": 768}, reduced_motion="reduce"
            )
            page = context.new_page()
            prepare(page)
            page.wait_for_timeout(1500)
            page.screenshot(path=PICTURES / f"{name}.png")
            context.close()

        for name, post, path in SHOTS:
            take(name, partial(open_page, post=post, path=path))
        take("terminal", check_a_payout)
        take("report", read_the_week)
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:8000")
