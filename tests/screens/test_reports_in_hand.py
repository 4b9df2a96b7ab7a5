"""A report through the real screens: opened at the desk, followed to a slip, taken away twice."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from pypdf import PdfReader
from pytest_django.live_server_helper import LiveServer

from pitboss.models import JournalSeal, Slip
from pitboss.reports.book import BOOK
from pitboss.rules.roles import Place
from pitboss.services import house
from tests.axe import troubles
from tests.floor.cast import Cast
from tests.floor.drop_box import count_and_post, pull
from tests.floor.hands import be_device, sign_in

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
TRAY = {10_000: 20, 2_500: 20}


def test_a_number_of_a_report_leads_to_its_slip_and_the_report_goes_home_as_pdf_and_csv(
    cast: Cast, tablet: Page, live_server: LiveServer
) -> None:
    cast.deliver(cast.ask(TRAY))
    cast.open_table(TRAY)
    cast.deliver(cast.ask({10_000: 10}))
    cast.close_table({10_000: 15, 2_500: 20})
    count_and_post(cast, pull(cast), {"cash_10000": 210_000})
    fill = Slip.objects.filter(kind="fill").latest("pk")
    seal = JournalSeal.objects.create(
        number=412, at=house.now(), text="{}", key_name="journal-1", link="ab12" * 16
    )
    be_device(tablet.context, cast.devices[Place.OFFICE], live_server.url)
    sign_in(tablet, cast.heidi)

    tablet.goto("/reports/")
    tablet.get_by_role("link", name="Master game report").click()
    row = tablet.get_by_role("row").filter(has_text="BJ-11")
    expect(row).to_contain_text("+$600")
    expect(row).to_contain_text("28.57%")
    expect(tablet.locator("figure")).to_contain_text("BJ-11")
    expect(tablet.locator("#main")).to_contain_text(seal.link)

    tablet.get_by_role("link", name="By pit").click()
    tablet.get_by_role("row").filter(has_text="Pit 1").get_by_role("link").first.click()
    expect(row).to_be_visible()
    for name, seen in (("PDF", _in_pdf), ("CSV", Path.read_text)):
        with tablet.expect_download() as taken:
            tablet.get_by_role("link", name=name, exact=True).click()
        words = seen(taken.value.path())
        assert seal.link in words
        assert "BJ-11" in words

    row.get_by_role("link", name="$1,000", exact=True).click()
    tablet.get_by_role("link", name=fill.serial).click()
    expect(tablet.get_by_role("heading", level=1)).to_contain_text("Fill $1,000")

    # The walk under axe opens one report; here are the others, on a phone.
    tablet.set_viewport_size({"width": 390, "height": 844})
    for key in BOOK:
        tablet.goto(f"/reports/{key}/")
        wide = tablet.evaluate("document.documentElement.scrollWidth")
        assert wide <= 390, f"{key} is {wide} wide"
        assert not troubles(tablet), key


def _in_pdf(path: Path) -> str:
    return " ".join(page.extract_text() for page in PdfReader(path).pages)
