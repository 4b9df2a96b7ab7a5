"""What people's hands do on a tablet in browser tests: sign in, key a badge and PIN, tick lines."""

from __future__ import annotations

from playwright.sync_api import BrowserContext, Page, expect

from pitboss.middleware import DEVICE_COOKIE
from pitboss.models import Device, Person
from pitboss.rules.canonical import digest
from tests.floor.cast import PASSWORD, pin_of


def be_device(context: BrowserContext, device: Device, url: str) -> None:
    """Give a browser the token of a device, as its enrolment did."""
    token = f"token of {device.name}"
    Device.objects.filter(pk=device.pk).update(token_hash=digest(token))
    context.add_cookies([{"name": DEVICE_COOKIE, "value": token, "url": url}])


def sign_in(page: Page, person: Person) -> None:
    """Sign in with badge and password."""
    page.goto("/login/")
    page.get_by_label("Badge").fill(person.badge)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("main")).not_to_contain_text("Sign in")


def sign_on_pad(page: Page, person: Person, button: str) -> None:
    """Key a badge and a PIN on the open pad and sign; or tap, where the PIN was just keyed."""
    pad = page.locator("#sign-pad")
    pad.locator("#badge, [name=follows]").first.wait_for(state="attached")
    if pad.locator("[name=follows]").count():
        pad.get_by_role("button", name=button).click()
        return
    pad.locator("#badge").fill(person.badge)
    pad.locator("#badge").press("Enter")
    expect(page.locator("#badge-name")).to_contain_text(str(person))
    for digit in pin_of(person.badge):
        pad.get_by_role("button", name=digit, exact=True).click()
    pad.get_by_role("button", name=button).click()


def tick_every_line(page: Page) -> None:
    """Agree with every line of a slip."""
    expect(page.get_by_role("checkbox").first).to_be_visible()
    for box in page.get_by_role("checkbox").all():
        box.check()


def draw_on_pad(page: Page) -> None:
    """Hand the tablet over and sign as a patron would with a finger: two strokes; hand it back."""
    page.get_by_role("link", name="Hand tablet to patron").click()
    field = page.locator("[data-drawing-field]")
    field.scroll_into_view_if_needed()
    box = field.bounding_box()
    assert box is not None
    for start in (0.15, 0.5):
        page.mouse.move(box["x"] + box["width"] * start, box["y"] + box["height"] * 0.5)
        page.mouse.down()
        for step in range(1, 7):
            page.mouse.move(
                box["x"] + box["width"] * (start + 0.05 * step),
                box["y"] + box["height"] * (0.3 if step % 2 else 0.7),
            )
        page.mouse.up()
    page.get_by_role("button", name="Done, hand back").click()
