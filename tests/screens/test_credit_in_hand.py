"""A credit carried through the real screens, the one that came back, and the cage's own count."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from inventory.selectors.cheques import cage_holding, tray_holding
from pitboss.models import Device, Person, Signature, Slip, Table
from pitboss.rules.roles import Place
from tests.browser import OpenTablet
from tests.floor.cage import IN_TRAY, ask_credit, carry_off, open_with, receive
from tests.floor.cast import Cast
from tests.floor.hands import be_device, sign_in, sign_on_pad, tick_every_line

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def opened(
    open_tablet: OpenTablet, live_server: LiveServer, device: Device, person: Person
) -> Page:
    page = open_tablet()
    be_device(page.context, device, live_server.url)
    sign_in(page, person)
    return page


def test_a_credit_goes_from_tray_to_cage_and_is_matched_at_the_table(
    cast: Cast, open_tablet: OpenTablet, live_server: LiveServer
) -> None:
    open_with(cast)
    pit = opened(open_tablet, live_server, cast.devices[Place.PIT], cast.alice)
    cage = opened(open_tablet, live_server, cast.devices[Place.CAGE], cast.erin)

    pit.goto("/tables/BJ-11/")
    pit.get_by_role("link", name="Credit").click()
    # Suggested down to par: the four grays that this table should not hold.
    expect(pit.get_by_label("$5,000 gray, cheques")).to_have_value("4")
    pit.get_by_role("link", name="Empty").click()
    expect(pit.get_by_label("$5,000 gray, cheques")).to_have_value("0")
    pit.get_by_label("$25 green, cheques").fill("40")
    pit.get_by_role("button", name="Send").click()
    sign_on_pad(pit, cast.alice, "Sign as supervisor")
    expect(pit.locator("#toasts")).to_contain_text("The dealer proves it next")
    credit = Slip.objects.get(kind="credit")

    tick_every_line(pit)
    sign_on_pad(pit, cast.dan, "Sign as dealer")
    expect(pit.locator("#toasts")).to_contain_text("Proved")
    sign_on_pad(pit, cast.frank, "Sign as security officer")
    expect(pit.locator("#toasts")).to_contain_text("Carried")

    cage.goto("/cage/")
    queue = cage.locator("#queue")
    expect(queue).to_contain_text("Count incoming credits")
    queue.get_by_role("link", name="Review and sign").click()
    tick_every_line(cage)
    cage.get_by_label("Badge of the officer").fill(cast.frank.badge)
    sign_on_pad(cage, cast.erin, "Sign as cashier")
    expect(cage.locator("#toasts")).to_contain_text("Acknowledged")

    # Taken in, and still on every list until the table has matched the papers.
    cage.goto("/cage/")
    expect(queue).to_contain_text("not yet matched")
    pit.goto("/tables/BJ-11/")
    expect(pit.locator("#slips")).to_contain_text("Credit $1,000")
    pit.get_by_role("link", name="Review and sign").click()
    tick_every_line(pit)
    pit.get_by_label("Badge of the officer").fill(cast.frank.badge)
    sign_on_pad(pit, cast.alice, "Sign as supervisor")
    expect(pit.locator("#main")).to_contain_text("All signatures complete.")
    expect(queue).not_to_contain_text("not yet matched")

    assert list(
        Signature.objects.filter(slip=credit).values_list("step", "person__first_name", "place")
    ) == [
        ("requested", "Alice", "pit"),
        ("proved", "Dan", "pit"),
        ("carried", "Frank", "pit"),
        ("acknowledged", "Erin", "cage"),
        ("matched", "Alice", "pit"),
    ]
    assert tray_holding(Table.objects.get(name="BJ-11"))[2_500] == IN_TRAY[2_500] - 40


def test_a21_a_credit_that_the_cage_counts_otherwise_comes_back_and_is_corrected(
    cast: Cast, open_tablet: OpenTablet, live_server: LiveServer
) -> None:
    open_with(cast)
    credit = ask_credit(cast)
    carry_off(cast, credit)
    pit = opened(open_tablet, live_server, cast.devices[Place.PIT], cast.alice)
    cage = opened(open_tablet, live_server, cast.devices[Place.CAGE], cast.erin)

    cage.goto(f"/slips/{credit.serial}/")
    cage.get_by_role("link", name="A line doesn’t match…").click()
    cage.get_by_label("$25 green, cheques counted").fill("39")
    cage.get_by_label("Badge of the officer").fill(cast.frank.badge)
    sign_on_pad(cage, cast.erin, "Sign as cashier")
    expect(cage.get_by_role("alert")).to_contain_text("Slip says 40, you counted 39.")
    cage.locator("#sign-pad").get_by_role("link", name="Send it back…").click()
    cage.get_by_label("What is wrong").fill("One green is missing")
    sign_on_pad(cage, cast.erin, "Sign as cashier")
    expect(cage.locator("#toasts")).to_contain_text("goes back")
    back = Slip.objects.get(kind="credit_return")

    pit.goto(f"/slips/{back.serial}/")
    sign_on_pad(pit, cast.frank, "Sign as security officer")
    expect(pit.locator("#toasts")).to_contain_text("Carried back")
    for person, button, said in (
        (cast.dan, "Sign as dealer", "Recounted"),
        (cast.alice, "Sign as supervisor", "Counted in"),
    ):
        pit.get_by_label("$25 green, cheques counted").fill("39")
        sign_on_pad(pit, person, button)
        expect(pit.locator("#toasts")).to_contain_text(f"{said}: {person}")
    expect(pit.locator("#main")).to_contain_text("All signatures complete.")

    pit.goto(f"/slips/{credit.serial}/")
    pit.get_by_role("link", name="Send a corrected credit").click()
    expect(pit.locator("#main")).to_contain_text(f"Replaces {credit.serial}")
    pit.get_by_label("$25 green, cheques").fill("39")
    pit.get_by_role("button", name="Send $975").click()
    sign_on_pad(pit, cast.alice, "Sign as supervisor")
    expect(pit.locator("#toasts")).to_contain_text("The dealer proves it next")

    credit.refresh_from_db()
    assert credit.status == "returned"
    assert Slip.objects.get(kind="credit", refers_to=credit).cheques == {"2500": 39}
    assert tray_holding(Table.objects.get(name="BJ-11")) == IN_TRAY


def tells(page: Page, number: int) -> bool:
    """Whether the page says the number; a part of a longer one, as of a time, is not it."""
    return re.search(rf"(?<!\d){number}(?!\d)", page.content()) is not None


def test_the_cage_is_counted_blind_by_two_people_on_the_pad(
    cast: Cast, open_tablet: OpenTablet, live_server: LiveServer
) -> None:
    receive(cast, {10_000: 437, 2_500: 1_013})
    cage = opened(open_tablet, live_server, cast.devices[Place.CAGE], cast.erin)
    cage.goto("/cage/")
    cage.get_by_role("link", name="Count the cage").click()
    cage.get_by_text("Cheques", exact=True).first.click()
    counted = {"$100 black, cheques": "430", "$25 green, cheques": "1013"}
    for field in cage.locator("input[data-part=cheques]").all():
        label = str(field.get_attribute("aria-label"))
        field.fill(counted.get(label, "0"))
    assert not tells(cage, 437), "the pad tells what to find"
    cage.get_by_role("button", name="Review and sign").click()
    assert not tells(cage, 437), "the slip tells what to find"
    sign_on_pad(cage, cast.erin, "Sign as cashier")
    expect(cage.locator("#toasts")).to_contain_text("A second person counts it too")

    tick_every_line(cage)
    assert not tells(cage, 437), "the second person is told what to find"
    sign_on_pad(cage, cast.trent, "Sign as cashier")
    expect(cage.locator("#main")).to_contain_text("All signatures complete.")
    assert cage_holding() == {10_000: 430, 2_500: 1_013}

    cage.goto("/cage/counts/")
    expect(cage.get_by_role("table")).to_contain_text("−$700")
