"""Take the pictures of the documents from a running demo: `python docs/take_pictures.py [ADDRESS]`.

Start `make run` first. Needs Playwright (requirements-dev.txt) and a Chromium.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

PICTURES = Path(__file__).parent / "pictures"
PASSWORD = "pit-demo-house"
# Name of the picture, badge, device and page.
SHOTS = (
    ("board", "2001", "Pit 1", "/board/"),
    ("table", "2001", "Pit 1", "/tables/BJ-15/"),
    ("count", "2001", "Pit 1", "/tables/BJ-11/count/"),
    ("cage", "2009", "Cage", "/cage/"),
    ("inbox", "2005", "Office", "/inbox/"),
)


def sign_in(page: Page, badge: str, place: str) -> None:
    """Be a device of the demo, then somebody on it."""
    page.goto("/login/")
    page.get_by_role("button", name=place, exact=True).click()
    page.wait_for_load_state("networkidle")
    page.goto("/login/")
    page.get_by_label("Badge").fill(badge)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url(lambda url: "/login" not in url)


def main(address: str) -> None:
    """Take every picture anew."""
    PICTURES.mkdir(exist_ok=True)
    program = shutil.which("chromium") or shutil.which("google-chrome")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        for name, badge, place, path in SHOTS:
            context = browser.new_context(
                base_url=address, viewport={"width": 1024, "height": 768}, reduced_motion="reduce"
            )
            page = context.new_page()
            sign_in(page, badge, place)
            page.goto(path)
            page.wait_for_timeout(1500)
            page.screenshot(path=PICTURES / f"{name}.png")
            context.close()
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:8000")
