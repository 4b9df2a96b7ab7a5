"""Make the moving picture of the README from a running demo: `python docs/take_film.py [ADDRESS]`.

One fill, from the tile of a low tray to the signature that puts its cheques into the tray, as its
five people see it. Start `make run` first. Needs Playwright (requirements-dev.txt) and a Chromium.
"""

from __future__ import annotations

import shutil
import sys
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont
from playwright.sync_api import Locator, Page, sync_playwright
from take_pictures import PICTURES, open_page

PIN = "271828"
BYTES_MAX = 2_000_000
SIZE = (768, 576)
CAPTION_HEIGHT = 44
FONT = Path(__file__).parents[1] / "pitboss" / "paper" / "fonts" / "Roboto-Regular.ttf"
INK, PAPER, RING = "#ffffff", "#10211b", "#ffcf40"
# Where a finger is about to tap, so that who watches knows what changed the picture.
RING_RADIUS = 26
GLANCE_MS, READ_MS, KEY_MS = 700, 2_200, 130
# What an answer may take on a busy machine, pictures of the next page included.
ANSWER_MS = 1_500


@dataclass(slots=True)
class Film:
    """Pictures of a page, each with what is said under it and how long it stays."""

    said: str = ""
    frames: list[Image.Image] = field(default_factory=list)
    lengths: list[int] = field(default_factory=list)

    def take(self, page: Page, ms: int, at: Locator | None = None) -> None:
        """Add what the page shows, with a ring around what is tapped next."""
        box = at.bounding_box() if at is not None else None
        shot = Image.open(BytesIO(page.screenshot())).convert("RGB")
        if box is not None:
            x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
            ring = (x - RING_RADIUS, y - RING_RADIUS, x + RING_RADIUS, y + RING_RADIUS)
            ImageDraw.Draw(shot).ellipse(ring, outline=RING, width=5)
        frame = Image.new("RGB", (SIZE[0], SIZE[1] + CAPTION_HEIGHT), PAPER)
        frame.paste(shot.resize(SIZE, Image.Resampling.LANCZOS))
        pen = ImageDraw.Draw(frame)
        font = ImageFont.truetype(FONT, 20)
        pen.text((20, SIZE[1] + CAPTION_HEIGHT / 2), self.said, INK, font, anchor="lm")
        self.frames.append(frame)
        self.lengths.append(ms)

    def tap(self, page: Page, what: Locator, ms: int = GLANCE_MS) -> None:
        what.scroll_into_view_if_needed()
        self.take(page, ms, what)
        what.tap()

    def sign(self, page: Page, button: str) -> None:
        """Sign on a pad that has the badge already."""
        pad = page.locator("#sign-pad")
        keys = pad.locator("[data-keys]")
        for digit in PIN:
            self.tap(page, keys.get_by_role("button", name=digit, exact=True), KEY_MS)
        self.tap(page, pad.get_by_role("button", name=button))
        page.wait_for_timeout(ANSWER_MS)

    def save(self, path: Path) -> None:
        first, *others = self.frames
        first.save(
            path, save_all=True, append_images=others, duration=self.lengths, loop=0,
            quality=55, method=6, minimize_size=True,
        )  # fmt: skip
        if path.stat().st_size > BYTES_MAX:
            raise SystemExit(f"{path} has {path.stat().st_size:,} bytes: take fewer frames.")


def play_a_fill(film: Film, pit: Page, cage: Page, security: Page) -> None:
    """Request a fill, issue it, carry it, count it at the table, and receive it."""
    # Pads offer the officers who are on duty by their names.
    open_page(security, post="security", path="/security/")

    film.said = "A tray is low. The supervisor requests what brings it to par."
    open_page(pit, post="pit-1", path="/board/")
    low = pit.get_by_role("link", name="Request fill").first
    table = low.locator("xpath=ancestor::*[starts-with(@id, 't-')][1]").get_attribute("id")
    film.take(pit, READ_MS)
    film.tap(pit, low)
    pit.locator("#sign-pad").wait_for()
    film.take(pit, READ_MS)
    film.sign(pit, "Sign as supervisor")
    film.take(pit, READ_MS)

    film.said = "The cage prepares it, and the cashier signs the slip."
    open_page(cage, post="cage", path="/cage/")
    film.take(cage, READ_MS)
    name = str(table).removeprefix("t-")
    row = cage.locator("li, tr, article").filter(has_text=name)
    film.tap(cage, row.get_by_role("link", name="Review and sign").first)
    cage.locator("#sign-pad").wait_for()
    film.take(cage, GLANCE_MS)
    film.sign(cage, "Sign as cashier")

    film.said = "The officer who carries it signs on the same screen."
    film.take(cage, GLANCE_MS)
    film.tap(cage, cage.get_by_role("button", name="K. Abara").first)
    film.sign(cage, "Sign as security officer")
    film.take(cage, READ_MS)

    film.said = "At the table the dealer counts each line and agrees."
    pit.goto("/board/")
    pit.wait_for_load_state("networkidle")
    film.take(pit, GLANCE_MS)
    film.tap(pit, pit.locator(f"[id='{table}'] .tile__foot"))
    pit.locator("#sign-pad").wait_for()
    for box in pit.get_by_role("checkbox").all():
        film.tap(pit, box, KEY_MS * 2)
    film.tap(pit, pit.get_by_role("button", name="K. Abara").first)
    film.sign(pit, "Sign as dealer")

    film.said = "The supervisor signs last: from now on the cheques are in the tray."
    film.take(pit, GLANCE_MS)
    film.sign(pit, "Sign as supervisor")
    film.take(pit, READ_MS * 2)


def main(address: str) -> None:
    """Make the film again."""
    program = shutil.which("chromium") or shutil.which("google-chrome")
    film = Film()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])

        def tablet() -> Page:
            context = browser.new_context(
                base_url=address, viewport={"width": 1024, "height": 768}, has_touch=True,
                reduced_motion="reduce",
            )  # fmt: skip
            return context.new_page()

        play_a_fill(film, tablet(), tablet(), tablet())
        browser.close()
    film.save(PICTURES / "fill.webp")
    print(f"{len(film.frames)} frames, {sum(film.lengths) / 1000:.0f} s")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:8000")
