"""How many taps a whole fill and a whole marker take, without a badge reader.

Every tap of a finger counts, on all tablets together: a tile, a digit of a badge or a PIN, a box.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect
from pytest_django.live_server_helper import LiveServer

from inventory.models import Marker
from inventory.selectors.cheques import tray_holding
from pitboss.models import Device, Person, Slip
from pitboss.rules.cheques.cheques import suggest_to_par
from pitboss.rules.roles import Place
from tests.browser import OpenTablet
from tests.floor.cage import open_with
from tests.floor.cast import PAR, Cast, pin_of
from tests.floor.hands import be_device, draw_on_pad, sign_in
from tests.floor.house import keep_shut
from tests.floor.markers import TRAY, grant, make_patron
from tests.floor.ratings import seat

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
# Five of the tray's colors are below par.
LOW = {100_000: 20, 10_000: 40, 2_500: 60, 500: 100}


class Fingers:
    """The fingers of everybody, on several tablets, who know what the screens do not."""

    def __init__(self) -> None:
        self.taps = 0

    def tap(self, what: Locator) -> None:
        what.tap()
        self.taps += 1

    def digits(self, page: Page, digits: str) -> None:
        keys = page.locator("#sign-pad [data-keys]")
        for digit in digits:
            self.tap(keys.get_by_role("button", name=digit, exact=True))

    def sign(self, page: Page, person: Person, button: str) -> None:
        """Sign on a pad that has the badge already."""
        pad = page.locator("#sign-pad")
        expect(pad.locator("#badge")).to_have_value(person.badge)
        self.digits(page, pin_of(person.badge))
        self.tap(pad.get_by_role("button", name=button))


@pytest.fixture
def opened(open_tablet: OpenTablet, live_server: LiveServer) -> Callable[[Device, Person], Page]:
    """Return what opens a tablet on which somebody is signed in."""

    def tablet(device: Device, person: Person) -> Page:
        page = open_tablet()
        be_device(page.context, device, live_server.url)
        sign_in(page, person)
        return page

    return tablet


def test_a_whole_fill_takes_five_people_45_taps(
    cast: Cast, opened: Callable[[Device, Person], Page]
) -> None:
    keep_shut(cast)
    cast.deliver(cast.ask(LOW))
    cast.open_table(LOW)
    pit = opened(cast.devices[Place.PIT], cast.alice)
    cage = opened(cast.devices[Place.CAGE], cast.erin)
    security = opened(cast.devices[Place.SECURITY], cast.frank)
    # Another officer is on duty as well: who carries is chosen.
    opened(cast.devices[Place.SECURITY], cast.grace)
    board = f"/board/{cast.pit.pk}/"
    fingers = Fingers()

    pit.goto(board)
    tile = pit.locator("#t-BJ-11")
    fingers.tap(tile.get_by_role("link", name="Request fill"))
    fingers.sign(pit, cast.alice, "Sign as supervisor")
    expect(pit.locator("#toasts")).to_contain_text("requested")
    fill = Slip.objects.filter(kind="fill").latest("pk")
    assert len(fill.cheques_by_cents) == 5
    requested = fingers.taps

    cage.goto("/cage/")
    fingers.tap(cage.get_by_role("link", name="Review and sign"))
    fingers.sign(cage, cast.erin, "Sign as cashier")
    expect(cage.locator("#toasts")).to_contain_text("Issued")
    issued = fingers.taps

    security.goto("/security/")
    expect(security.locator("#queue")).to_contain_text("Pick up at the cage")
    fingers.tap(cage.get_by_role("button", name=str(cast.frank)))
    expect(cage.locator("#badge-name")).to_contain_text(str(cast.frank))
    fingers.sign(cage, cast.frank, "Sign as security officer")
    expect(cage.locator("#toasts")).to_contain_text("Carried")
    carried = fingers.taps

    pit.goto(board)
    fingers.tap(tile.locator(".tile__foot"))
    expect(pit.get_by_role("checkbox")).to_have_count(5)
    for box in pit.get_by_role("checkbox").all():
        fingers.tap(box)
    fingers.tap(pit.get_by_role("button", name=str(cast.frank)))
    fingers.sign(pit, cast.dan, "Sign as dealer")
    expect(pit.locator("#toasts")).to_contain_text("Agreed")
    agreed = fingers.taps
    fingers.sign(pit, cast.alice, "Sign as supervisor")
    expect(pit.locator("#main")).to_contain_text("All signatures complete.")

    assert [requested, issued - requested, carried - issued, agreed - carried] == [8, 8, 8, 14]
    assert fingers.taps == 45
    assert tray_holding(cast.table) == {
        cents: LOW.get(cents, 0) + more
        for cents, more in {100_000: 0, **suggest_to_par(LOW, PAR)}.items()
    }


def test_the_wrong_officer_by_name_is_refused_as_by_badge(
    cast: Cast, opened: Callable[[Device, Person], Page]
) -> None:
    fill = cast.ask({2_500: 100})
    cast.carry(fill)
    opened(cast.devices[Place.SECURITY], cast.grace)
    pit = opened(cast.devices[Place.PIT], cast.alice)
    pit.goto(f"/slips/{fill.serial}/")
    fingers = Fingers()
    expect(pit.get_by_role("checkbox")).to_have_count(1)
    for box in pit.get_by_role("checkbox").all():
        fingers.tap(box)
    fingers.tap(pit.get_by_role("button", name=str(cast.grace)))
    expect(pit.get_by_label("Badge of the officer")).to_have_value(cast.grace.badge)
    pad = pit.locator("#sign-pad")
    pad.locator("#badge").fill(cast.dan.badge)
    pad.locator("#pin").fill(pin_of(cast.dan.badge))
    pad.get_by_role("button", name="Sign as dealer").tap()
    expect(pit.get_by_role("alert")).to_contain_text("The badge scanned belongs to someone else")


def test_a_whole_marker_takes_35_taps_of_staff(
    cast: Cast, opened: Callable[[Device, Person], Page]
) -> None:
    open_with(cast, TRAY)
    patron = make_patron(cast)
    grant(cast, patron, 1_000_000)
    seat(cast, patron, 3)
    pit = opened(cast.devices[Place.PIT], cast.alice)
    pit.goto(f"/board/{cast.pit.pk}/")
    fingers = Fingers()

    fingers.tap(pit.locator("#t-BJ-11").get_by_role("link", name="BJ-11"))
    fingers.tap(pit.locator("#acts").get_by_role("link", name="Marker to a patron"))
    fingers.tap(pit.get_by_role("link", name="Ana Ruiz"))
    fingers.tap(pit.get_by_role("button", name="$3,000", exact=True))
    fingers.sign(pit, cast.alice, "Sign as supervisor")
    expect(pit.locator("#toasts")).to_contain_text("Hand the tablet to the patron")
    draw_on_pad(pit)
    # The way to the patron's page; the stroke and "Done" are the patron's own.
    fingers.taps += 1
    fingers.tap(pit.get_by_label("Face and signature match this ID"))
    fingers.sign(pit, cast.alice, "Sign as supervisor")
    expect(pit.get_by_role("main")).to_contain_text("matched with passport …5678")
    fingers.sign(pit, cast.dan, "Sign as dealer")
    expect(pit.locator("#toasts")).to_contain_text("Dealer signed")
    fingers.sign(pit, cast.alice, "Sign as supervisor")
    expect(pit.get_by_role("main")).to_contain_text("All signatures complete.")

    assert fingers.taps == 34
    assert Marker.objects.get().amount_cents == 300_000
