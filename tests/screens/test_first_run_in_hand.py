"""A property begins with nothing, and its hands come to its first opened table by screens alone.

Nobody is written into the database, no service is called: what a page does not offer, these people
cannot do.
"""

from __future__ import annotations

import re
from io import StringIO
from itertools import chain

import pytest
from django.core.management import call_command
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from inventory.selectors.cheques import balances, tray_holding
from pitboss.models import Person, Slip, Table
from pitboss.selectors.table_rules import rules_in_force
from pitboss.services import house
from pitboss.services.verification import verify
from tests.browser import OpenTablet
from tests.floor.cast import PASSWORD, pin_of
from tests.floor.hands import sign_in, sign_on_pad, tick_every_line

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

HANA, IVO = "901", "902"
DEALER, SUPERVISOR, CASHIER, OFFICER = "613", "624", "635", "647"
LIST = f"""\
badge,first_name,last_name,role,employee_number,licence_number,licence_ends
{DEALER},Nora,Quist,dealer,E613,TG-613,2099-12-31
{SUPERVISOR},Bela,Roth,supervisor,E624,TG-624,2099-12-31
{CASHIER},Cleo,Stamm,cashier,E635,TG-635,2099-12-31
{OFFICER},Omid,Tahan,security,E647,TG-647,2099-12-31
"""
TRAY = {10_000: 40, 2_500: 60, 500: 100}
NAMES = {10_000: "$100 black", 2_500: "$25 green", 500: "$5 red"}


def person(badge: str) -> Person:
    return Person.objects.get(badge=badge)


def come_to_the_house(page: Page) -> None:
    """Open the site as nobody has before, and begin the property with two managers."""
    printed = StringIO()
    call_command("first_run", stdout=printed)
    code = re.search(r"\b[0-9A-F]{12}\b", printed.getvalue())
    assert code is not None
    page.goto("/")
    expect(page.get_by_role("heading", name="Set up your property")).to_be_visible()
    page.get_by_label("Code that").fill(code[0])
    page.get_by_label("Property name").fill("Harbour House")
    page.get_by_label("Time zone").select_option("America/Chicago")
    page.get_by_label("Name of this device").fill("Office desk")
    for number, (badge, name) in enumerate(((HANA, "Hana"), (IVO, "Ivo")), 1):
        manager = page.get_by_role("group", name=f"Shift manager {number}")
        for label, value in (
            ("Badge", badge),
            ("First name", name),
            ("Last name", "Kral"),
            ("Employee number", f"E{badge}"),
            ("License number", f"TG-{badge}"),
            ("License expires", "2099-12-31"),
            ("PIN, six digits", pin_of(badge)),
            ("PIN again", pin_of(badge)),
            ("Password", PASSWORD),
        ):
            manager.get_by_label(label).fill(value)
    page.get_by_role("button", name="Begin").click()
    expect(page.locator("#toasts")).to_contain_text("The property has begun")


def next_step(page: Page, title: str) -> None:
    """See at the office what comes next, and follow the way there."""
    page.goto("/")
    due = page.locator(".way--next")
    expect(due.locator("b")).to_have_text(title)
    due.get_by_role("link", name="Go on").click()


def approve(page: Page, badge: str = IVO) -> None:
    """Sign what the first manager proposed as the second, on the slip that is shown."""
    sign_on_pad(page, person(badge), "Sign")
    expect(page.locator("#main")).to_contain_text("All signatures complete.")


def propose(page: Page, button: str = "Propose") -> None:
    page.get_by_label("Reason").fill("To begin.")
    sign_on_pad(page, person(HANA), button)
    expect(page.locator("#toasts")).to_contain_text("Another manager must approve it")


def set_a_value(page: Page, title: str, value: str) -> None:
    page.goto("/house/")
    page.get_by_role("link", name=title).click()
    page.get_by_label("New value").fill(value)
    page.get_by_role("button", name="Review change").click()
    propose(page)
    approve(page)


def give_a_pin(page: Page, badge: str, offerer: str, witness: str) -> None:
    """One offers a PIN, another stands by; each has half of the code that its person enters."""
    page.goto("/people/")
    page.get_by_role("link", name=f"New PIN for {person(badge)}").click()
    sign_on_pad(page, person(offerer), "Sign and show code")
    code = page.locator(".big").inner_text()
    page.goto("/people/")
    page.get_by_role("link", name=f"Witness the new PIN of {person(badge)}").click()
    sign_on_pad(page, person(witness), "Sign and show code")
    second = page.locator(".big").inner_text()
    page.goto("/pin/")
    page.get_by_label("Your badge").fill(badge)
    page.get_by_label("First code").fill(code)
    page.get_by_label("Second code").fill(second)
    page.get_by_label("New PIN, six digits").fill(pin_of(badge))
    page.get_by_label("New PIN again").fill(pin_of(badge))
    page.get_by_label("New password").fill(PASSWORD)
    page.locator("#badge").fill(witness)
    page.locator("#pin").fill(pin_of(witness))
    page.get_by_role("button", name="Set PIN").click()
    expect(page.locator("#toasts")).to_contain_text(f"PIN of {person(badge)} set.")


def let_in(office: Page, device: Page, name: str, place: str, second: str) -> None:
    """Add a device with the code that the office reads out when two have signed."""
    office.goto("/devices/")
    office.get_by_label("Device name").fill(name)
    office.get_by_label("Place").select_option(label=place)
    sign_on_pad(office, person(HANA), "Ask for a device")
    expect(office.locator("#sign-pad")).to_contain_text(f"I know {name} and")
    sign_on_pad(office, person(second), "Sign and show the code")
    code = office.locator(".big").inner_text()
    device.goto("/")
    device.get_by_role("link", name="Enroll this device").click()
    device.get_by_label("One-time code").fill(code)
    device.get_by_role("button", name="Enrol").click()
    expect(device.locator("#toasts")).to_contain_text(f"This device is {name} now.")


def set_up_a_table(page: Page) -> None:
    page.get_by_label("Game").select_option(label="Classic blackjack")
    page.get_by_role("button", name="Go on").click()
    for label, value in (
        ("Name", "BJ-1"),
        ("Pit", "Pit 1"),
        ("Minimum, dollars", "25"),
        ("Maximum, dollars", "500"),
    ):
        page.get_by_label(label, exact=True).fill(value)
    page.get_by_label("Decks").select_option("6")
    page.get_by_label("Cards").select_option(label="no cards of its own")
    bet = page.get_by_role("region", name="TriLux")
    look = page.get_by_role("button", name="Review")
    # Chosen row by row, the edge follows; what favours the players cannot be looked at further.
    bet.get_by_label("Pay table").select_option("house")
    for number, (row, odds) in enumerate((("pair", "5:1"), ("flush", "9:1")), start=1):
        bet.get_by_label(f"Row {number}", exact=True).select_option(row)
        bet.get_by_label(f"Odds of row {number}", exact=True).press_sequentially(odds)
    expect(bet).to_contain_text("it would pay players more than they stake")
    expect(look).to_be_disabled()
    bet.get_by_label("Pay table").select_option("MANUAL-9")
    expect(bet).to_contain_text("House edge 3.24% (4059/125333)")
    expect(look).to_be_enabled()
    for cents, number in TRAY.items():
        page.get_by_label(NAMES[cents]).fill(str(number))
    page.get_by_role("button", name="Review").click()
    expect(page.locator("#sign-pad")).to_be_visible()
    expect(page.locator("#main")).to_contain_text("3.24% (4059/125333)")


def key_cheques(page: Page) -> None:
    """Key a count of the whole tray by stacks and odd cheques."""
    expect(page.locator("#count-pad")).to_be_visible()
    for row in page.locator("[data-row]").all():
        cents = int(str(row.get_attribute("data-row")))
        stacks, odd = divmod(TRAY.get(cents, 0), 20)
        row.locator(f"[name=stacks_{cents}]").fill(str(stacks))
        row.locator(f"[name=odd_{cents}]").fill(str(odd))
    page.get_by_role("button", name="Review and sign").click()


def test_a_new_property_comes_to_its_first_opened_table_by_its_screens(
    open_tablet: OpenTablet, live_server: LiveServer
) -> None:
    office, pit, cage = open_tablet(), open_tablet(), open_tablet()
    come_to_the_house(office)
    sign_in(office, person(HANA))

    # A choice of the house, made by two; the page says what holds and who signed for it.
    set_a_value(office, "Cheque value that needs the pit manager’s top-sign", "$1,000")
    set_a_value(office, "Largest fill, supervisor", "10,000")

    next_step(office, "People")
    office.get_by_label("A CSV file").set_input_files(
        {"name": "people.csv", "mimeType": "text/csv", "buffer": LIST.encode()}
    )
    office.get_by_role("button", name="Review").click()
    propose(office)
    approve(office)

    next_step(office, "PINs")
    for badge in (SUPERVISOR, CASHIER, OFFICER):
        give_a_pin(office, badge, IVO, HANA)
    # Whoever stands above somebody may be the witness, not only a manager.
    give_a_pin(office, DEALER, HANA, SUPERVISOR)

    next_step(office, "A table")
    set_up_a_table(office)
    propose(office, "Sign as pit manager or shift manager")
    approve(office)

    next_step(office, "Devices")
    let_in(office, pit, "Pit 1 tablet", "Pit 1", IVO)
    let_in(office, cage, "Cage window", "Cage", CASHIER)

    next_step(office, "House cheques")
    expect(office.get_by_role("heading", name="Cage")).to_be_visible()
    sign_in(cage, person(CASHIER))
    cage.get_by_role("link", name="Receive").click()
    key_cheques(cage)
    cage.get_by_label("Maker and invoice").fill("Blue Ridge Gaming, invoice 1")
    sign_on_pad(cage, person(CASHIER), "Sign as cashier")
    expect(cage.locator("#toasts")).to_contain_text("Security counts them too.")
    tick_every_line(cage)
    sign_on_pad(cage, person(OFFICER), "Sign as security officer")
    expect(cage.locator("#main")).to_contain_text("All signatures complete.")

    next_step(office, "A first fill")
    expect(office.locator("#t-BJ-1")).to_contain_text("Closed")
    sign_in(pit, person(SUPERVISOR))
    pit.locator("#t-BJ-1").get_by_role("link").first.click()
    pit.locator("#acts").get_by_role("link", name="Fill").click()
    for cents, number in TRAY.items():
        pit.get_by_label(f"{NAMES[cents]}, cheques").fill(str(number))
    pit.get_by_role("button", name="Request").click()
    sign_on_pad(pit, person(SUPERVISOR), "Sign as supervisor")
    expect(pit.locator("#toasts")).to_contain_text("Waiting")
    fill = Slip.objects.get(kind="fill")
    cage.goto("/cage/")
    cage.locator("#queue").get_by_role("link", name="Review and sign").click()
    sign_on_pad(cage, person(CASHIER), "Sign as cashier")
    expect(cage.locator("#toasts")).to_contain_text("Issued")
    sign_on_pad(cage, person(OFFICER), "Sign as security officer")
    expect(cage.locator("#toasts")).to_contain_text("Carried")
    pit.goto(f"/slips/{fill.serial}/")
    tick_every_line(pit)
    pit.get_by_label("Badge of the officer").fill(OFFICER)
    sign_on_pad(pit, person(DEALER), "Sign as dealer")
    expect(pit.locator("#toasts")).to_contain_text("Agreed")
    sign_on_pad(pit, person(SUPERVISOR), "Sign as supervisor")
    expect(pit.locator("#main")).to_contain_text("All signatures complete.")

    next_step(office, "A first opening")
    pit.goto("/tables/BJ-1/")
    pit.locator("#acts").get_by_role("link", name="Open").click()
    key_cheques(pit)
    sign_on_pad(pit, person(DEALER), "Sign as dealer")
    expect(pit.locator("#toasts")).to_contain_text("The supervisor verifies it.")
    tick_every_line(pit)
    sign_on_pad(pit, person(SUPERVISOR), "Sign as supervisor")
    expect(pit.locator("#main")).to_contain_text("All signatures complete.")

    # The house is open: the office's own way leads to the board from now on.
    office.goto("/")
    expect(office.locator("#t-BJ-1")).to_contain_text("Open")
    office.goto("/house/first-steps/")
    expect(office.locator("#main")).to_contain_text("The house is open.")
    expect(office.locator(".way--next")).to_have_count(0)

    table = Table.objects.get(name="BJ-1")
    assert table.is_open
    assert tray_holding(table) == TRAY
    rules = rules_in_force(table, house.settings_at(house.now()))
    assert list(rules.side_bets) == ["trilux"]
    assert all(balance.adds_up for balance in balances())
    # Each thing that the house is by now was signed by two different people.
    for slip in Slip.objects.prefetch_related("signatures"):
        signers = [signature.person_id for signature in slip.signatures.all()]
        assert len(set(signers)) >= 2, slip
    kinds = set(chain.from_iterable(Slip.objects.values_list("kind")))
    assert kinds == {"setting_change", "person_change", "table_change", "house_receipt", "fill",
                     "opener"}  # fmt: skip
    assert verify().is_sound
