"""A fill that was done on paper goes through the real screens: a supervisor, then a manager."""

from __future__ import annotations

from datetime import timedelta

import pytest
from playwright.sync_api import expect
from pytest_django.live_server_helper import LiveServer

from inventory.selectors.cheques import tray_holding
from pitboss.models import Signature, Slip, Table
from pitboss.rules.roles import Place
from pitboss.services import house
from tests.axe import troubles
from tests.browser import OpenTablet
from tests.floor.cage import receive
from tests.floor.cast import Cast, ServerClock
from tests.floor.hands import sign_on_pad
from tests.floor.outages import ready
from tests.screens.test_fill_in_hand import opened

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
TRAY = {10_000: 20, 2_500: 20}


def test_a_late_fill_is_compared_by_a_manager_before_it_is_in_the_tray(
    server_clock: ServerClock, cast: Cast, open_tablet: OpenTablet, live_server: LiveServer
) -> None:
    receive(cast, {10_000: 200, 2_500: 200})
    cast.deliver(cast.ask(TRAY))
    cast.open_table(TRAY)
    server_clock.move(hours=1)
    pit = opened(open_tablet, live_server, cast.devices[Place.PIT], cast.alice)

    number = ready(cast, "FL", house.now() - timedelta(minutes=30))
    pit.goto("/tables/BJ-11/late/")
    # A browser draws a day and time wide: it stays inside its panel.
    edge = "(each) => Math.round(each.getBoundingClientRect().right)"
    assert pit.locator("#true_time").evaluate(edge) < pit.locator("aside .panel").evaluate(edge)
    on_paper = (house.now() - timedelta(minutes=30)).astimezone(house.the_property().zone)
    pit.get_by_label("Form number").fill(number)
    pit.locator("[name=true_time]").fill(on_paper.strftime("%Y-%m-%dT%H:%M"))
    pit.get_by_label("Signed on the form by").fill("A. Aliceson, E. Erinson, F. Frankson")
    pit.locator("[name=cheques_10000]").fill("10")
    pit.get_by_role("button", name="Review and sign").click()
    pit.get_by_label("Why it was done on paper").fill("The line was down.")
    sign_on_pad(pit, cast.alice, "Sign as supervisor")
    expect(pit.locator("#toasts")).to_contain_text(f"from form {number}")
    slip = Slip.objects.get(kind="late_fill")
    assert tray_holding(Table.objects.get(pk=cast.table.pk)) == TRAY
    assert troubles(pit) == []

    pit.goto(f"/slips/{slip.serial}/")
    sign_on_pad(pit, cast.carol, "Sign as pit manager")
    expect(pit.locator("#toasts")).to_contain_text("Approved")
    slip.refresh_from_db()
    assert slip.status == "done"
    steps = Signature.objects.filter(slip=slip).values_list("step", "place").order_by("id")
    assert list(steps) == [
        ("keyed", "pit"),
        ("approved", "pit"),
    ]
    assert tray_holding(Table.objects.get(pk=cast.table.pk)) == {10_000: 30, 2_500: 20}
