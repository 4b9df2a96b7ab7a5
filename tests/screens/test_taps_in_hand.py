"""How many taps the everyday acts of a pit take, from the board, without a badge reader.

Every tap of a finger counts: a tile, a digit of a PIN, a box that is ticked.
"""

from __future__ import annotations

from datetime import timedelta

import pytest
from playwright.sync_api import Locator, Page, expect
from pytest_django.live_server_helper import LiveServer

from inventory.selectors.cheques import tray_holding
from pitboss.models import FloorException, Person, Slip, Table
from pitboss.rules.cheques.cheques import STACK_CHEQUES, suggest_to_par
from pitboss.rules.roles import Place
from pitboss.services import house
from pitboss.services.exceptions import open_exception
from tables.models import Call, Dealing, FloorEntry, MismatchSettlement
from tables.services.calls import SUPERVISOR_CALLED
from tables.services.relief import call_dealer
from tests.floor.cast import PAR, Cast, pin_of
from tests.floor.hands import be_device, sign_in
from tests.floor.house import keep_shut
from tests.floor.payouts import SUPER_3, checked, paid
from tests.floor.terminals import TerminalClient, make_terminal

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
TRAY = {10_000: 40, 2_500: 60, 500: 100}


class Finger:
    """One finger on one tablet, which counts its taps from the board on."""

    def __init__(self, page: Page, board: str) -> None:
        self.page, self._board = page, board
        self.taps = 0

    def begin(self) -> None:
        self.page.goto(self._board)
        self.taps = 0

    def tap(self, what: Locator) -> None:
        what.tap()
        self.taps += 1

    def keys(self, digits: str) -> None:
        keys = self.page.locator("#sign-pad [data-keys]")
        for digit in digits:
            self.tap(keys.get_by_role("button", name=digit, exact=True))

    def sign(self, person: Person, button: str) -> None:
        """Sign on a pad that has the badge already, or key the badge first."""
        pad = self.page.locator("#sign-pad")
        if pad.locator("#badge").input_value() != person.badge:
            self.tap(pad.locator("#badge"))
            pad.locator("#badge").fill("")
            self.keys(person.badge)
            self.tap(pad.get_by_role("button", name="Next", exact=True))
        self.keys(pin_of(person.badge))
        self.tap(pad.get_by_role("button", name=button))


@pytest.fixture
def finger(cast: Cast, tablet: Page, live_server: LiveServer) -> Finger:
    """A supervisor's, at the board of a pit with one table open."""
    keep_shut(cast)
    cast.deliver(cast.ask(TRAY))
    cast.open_table(TRAY)
    be_device(tablet.context, cast.devices[Place.PIT], live_server.url)
    sign_in(tablet, cast.alice)
    return Finger(tablet, f"/board/{cast.pit.pk}/")


def test_a_pit_is_run_with_few_taps(cast: Cast, finger: Finger) -> None:
    page = finger.page
    tile = page.locator("#t-BJ-11")
    said = page.locator("#toasts")

    # A call: one tap on the board.
    call = open_exception(
        code=SUPERVISOR_CALLED,
        sentence="BJ-11 calls the supervisor.",
        details={"about": ""},
        at=house.now(),
        person=None,
        table=cast.table,
    )
    finger.begin()
    finger.tap(page.get_by_role("button", name="Answer call"))
    expect(said).to_contain_text("BJ-11 answered.")
    assert finger.taps == 1
    assert FloorException.objects.get(pk=call.pk).resolved_by == cast.alice

    # A payout that needs approval: one tap on the banner.
    terminal = TerminalClient(make_terminal(cast.table))
    check = checked(terminal, {**SUPER_3, "stake_cents": 450, "paid_cents": 40_500})
    assert terminal.post(f"checks/{check}/approval", {}).status_code == 201
    finger.begin()
    finger.tap(page.get_by_role("button", name="Approve"))
    expect(page.get_by_role("button", name="Approve")).to_have_count(0)
    assert finger.taps == 1
    assert FloorEntry.objects.get().outcome == "granted"

    # A payout that differs: the tile leads to its proof, where it is ruled.
    mismatch = paid(terminal, paid_cents=90_000)
    finger.begin()
    expect(tile).to_contain_text("Mismatch")
    finger.tap(tile.locator(".tile__foot"))
    finger.sign(cast.alice, "Corrected")
    page.wait_for_url("**/inbox/")
    assert finger.taps <= 8
    assert MismatchSettlement.objects.get().mismatch == mismatch

    # Relief: the tile leads to the pad, with the badge of who is next.
    long_ago = house.now() - timedelta(minutes=63)
    Dealing.objects.filter(table=cast.table, ended_at=None).update(began_at=long_ago)
    call_dealer(
        Call.JOIN,
        pit=cast.pit,
        badge=cast.dora.badge,
        by=cast.alice,
        device=cast.devices[Place.PIT],
    )
    finger.begin()
    expect(tile).to_contain_text("Relief due")
    finger.tap(tile.locator(".tile__foot"))
    finger.sign(cast.dora, "Tap in")
    expect(said).to_contain_text("deals at BJ-11")
    assert finger.taps <= 8

    # A fill: the foot of a tile whose tray is low leads to the pad, with what brings it to par.
    finger.begin()
    finger.tap(tile.get_by_role("link", name="Request fill"))
    finger.sign(cast.alice, "Sign as supervisor")
    expect(said).to_contain_text("requested")
    assert finger.taps <= 8
    fill = Slip.objects.filter(kind="fill").latest("pk")
    assert fill.cheques_by_cents == suggest_to_par(TRAY, PAR)
    cast.carry(fill)
    cast.sign(fill, "agreed", cast.dora, entry=cast.agreement(fill))
    cast.sign(fill, "received", cast.alice)

    # A table closed by four people: counted, verified, top-signed, locked.
    finger.begin()
    finger.tap(tile.get_by_role("link", name="BJ-11"))
    finger.tap(page.locator("#acts").get_by_role("link", name="Close"))
    keys = page.locator("[data-keys]")
    held = tray_holding(cast.table)
    for cents in PAR:
        for number in divmod(held.get(cents, 0), STACK_CHEQUES):
            for digit in str(number):
                finger.tap(keys.get_by_role("button", name=digit, exact=True))
            finger.tap(keys.get_by_role("button", name="Next"))
    finger.tap(page.get_by_role("button", name="Review and sign"))
    finger.sign(cast.dora, "Sign as dealer")
    expect(said).to_contain_text("The supervisor verifies it.")
    for box in page.get_by_role("checkbox").all():
        finger.tap(box)
    finger.sign(cast.alice, "Sign as supervisor")
    expect(said).to_contain_text("Verified")
    finger.sign(cast.carol, "Sign as pit manager")
    expect(said).to_contain_text("Top-signed")
    finger.sign(cast.alice, "Sign as supervisor")
    expect(page.locator("#main")).to_contain_text("All signatures complete.")
    assert finger.taps <= 90
    assert not Table.objects.get(name="BJ-11").is_open
