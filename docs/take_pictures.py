"""Take the pictures of the documents from a running demo: `python docs/take_pictures.py [ADDRESS]`.

Start `make run` first. Needs Playwright (requirements-dev.txt) and a Chromium.
"""

from __future__ import annotations

import shutil
import sys
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


def stand_at(page: Page, post: str) -> None:
    """Stand at a post of the demo, by its own bar, then put the bar away."""
    page.goto("/demo/tour/")
    page.locator(f"[formaction='/demo/be/{post}']").click()
    page.wait_for_load_state("networkidle")
    page.get_by_role("button", name="Hide the demo's bar").click()
    page.wait_for_load_state("networkidle")


def main(address: str) -> None:
    """Take every picture anew."""
    PICTURES.mkdir(exist_ok=True)
    program = shutil.which("chromium") or shutil.which("google-chrome")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        for name, post, path in SHOTS:
            context = browser.new_context(
                base_url=address, viewport={"width": 1024, "height": 768}, reduced_motion="reduce"
            )
            page = context.new_page()
            stand_at(page, post)
            page.goto(path)
            page.wait_for_timeout(1500)
            page.screenshot(path=PICTURES / f"{name}.png")
            context.close()
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:8000")
