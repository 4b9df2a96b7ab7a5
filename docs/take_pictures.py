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
    ("count", "pit-1", "/slips/new/count/?table=BJ-11"),
    ("cage", "cage", "/cage/"),
    ("inbox", "shift-manager", "/inbox/"),
    ("security", "security", "/security/"),
    ("surveillance", "surveillance", "/surveillance/"),
    ("count_room", "count-room", "/boxes/"),
    ("compliance", "compliance", "/compliance/"),
    ("host", "host", "/hosts/"),
    ("administrator", "shift-manager", "/devices/"),
    ("vendor", "auditor", "/api/v1/docs/"),
)
# Bets by seat, then ranks as they are tapped on the dealer's terminal: a round of five seats.
BETS = {
    5: {"blackjack": (2_500, 2_500, 2_500)},
    4: {"blackjack": (2_500, 2_500), "trilux": (2_500, 500, 500, 500, 500)},
    3: {"blackjack": (2_500,)},
    2: {"blackjack": (10_000,), "trilux": (500,)},
    1: {"blackjack": (2_500,)},
}
RANKS = "927T9785AKT44T6Q"


def open_page(page: Page, *, post: str, path: str) -> None:
    """Stand at a post of the demo by its own bar, put the bar away, and open a page."""
    page.goto("/demo/tour/")
    page.locator(f"[formaction='/demo/be/{post}']").click()
    hide_the_bar(page)
    page.goto(path)


def hide_the_bar(page: Page) -> None:
    """Put the demo's own bar away: a real house has none."""
    # A terminal's page listens for events for as long as it is open: no network is idle there.
    bar = page.get_by_role("button", name="Hide the demo's bar")
    bar.click()
    bar.wait_for(state="hidden")


def check_a_payout(page: Page) -> None:
    """Enter a round on the felt of the demo's terminal."""
    page.goto("/demo/tour/")
    page.locator("[formaction='/demo/terminal']").click()
    page.locator("[data-k=end]").wait_for()
    hide_the_bar(page)
    for seat, bets in BETS.items():
        for wager, cheques in bets.items():
            page.locator(f'[data-k="bets-{seat}"], .rt--empty[data-k="seat-{seat}"]').first.click()
            page.locator(f'[data-k="wager-{wager}"]').click()
            for cents in cheques:
                page.locator(f'[data-k="stake-{cents}"]').click()
            page.locator("[data-k=bets-done]").click()
    for rank in RANKS:
        page.locator(f"[data-k=rank-{rank}]").click()
    page.locator("[data-k=not-suited]").click()
    page.get_by_text("Waiting for approval").first.wait_for()


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
