"""Every page of the site under axe, in the dark theme and in the light one.

The walk takes its pages from the site's own routes: a page that is added is walked to, or the test
says that it needs an address. One browser opens them all, as whoever may open each.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from urllib.parse import urlencode
from uuid import uuid4

import pytest
from django.conf import settings
from django.test import Client
from django.urls import URLPattern, reverse
from playwright.sync_api import Page
from pytest_django.live_server_helper import LiveServer

from inventory.models import CurrencyReport
from inventory.services.compliance import write_note
from inventory.services.sar import NewCase, open_case
from pitboss.access import PAGES, pages
from pitboss.middleware import DEVICE_COOKIE
from pitboss.models import FloorException, Person, SeriesCounter, Slip, WebhookDelivery
from pitboss.rules.flows.flows import SlipStatus
from pitboss.rules.people.access_review import quarter_of
from pitboss.rules.refusal import Refused
from pitboss.rules.roles import Place, Role
from pitboss.services import house
from pitboss.services.devices import NewDevice, offer_device
from pitboss.services.signing import Entry
from pitboss.services.webhook_sending import hand_out
from pitboss.services.webhooks import ask_webhook, switch_on
from pitboss.slips.addresses import new_url
from pitboss.slips.kind import kinds
from tables.models import Scope
from tables.services.incident_reports import save_incident
from tables.services.system_calls import keep_call
from tests.axe import troubles
from tests.browser import OpenTablet
from tests.floor.cage import ask_credit, carry_off
from tests.floor.cards import in_pit
from tests.floor.cash_log import log
from tests.floor.cast import Cast, pin_of
from tests.floor.count_sessions import open_session
from tests.floor.drop_box import begin_pull, count_tray, pull
from tests.floor.drop_runs import register, start
from tests.floor.hands import be_device
from tests.floor.house import keep_shut
from tests.floor.markers import make_patron
from tests.floor.meters import sevens
from tests.floor.outages import declare, numbers_of, pack_of
from tests.floor.payouts import paid
from tests.floor.terminals import TerminalClient, make_terminal
from tests.test_access import OPEN, address, is_api, routes

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

TRAY = {10_000: 40, 2_500: 60, 500: 100}
# Read by a program or a printer; and a page that is gone once there is a house, with its own test.
NO_PAGES = {
    "badge-name",
    "healthz",
    # Only where the servers name an identity provider, with a test of their own.
    "provider-back",
    "provider-sign-in",
    "livez",
    "readyz",
    "request-outcome",
    "serials-csv",
    "slip-pdf",
    "form-pack-pdf",
    "outage-form-picture",
    "patron-photo",
    "setup",
    "card-labels",
    "report-pdf",
    "report-csv",
    "tax-pdf-payer",
    "tax-pdf-winner",
    "ctr-file",
}
# Pages that a table or a jackpot has only for minutes; the tests that get there run axe themselves.
PASSING = {
    "passkey-remove",
    "patron-document",
    "tax-form",
    "tax-papers",
}
# Pages about a case, a rating, a posted count, a hit or a change that this floor does not have.
OF_ANOTHER_FLOOR = {
    "acting_manager",
    "award_correction",
    "card_correction",
    "check_return",
    "comp_redemption",
    "comp_void",
    "ctr",
    "deposit_correction",
    "drop_correction",
    "exclusion-case",
    "exclusion_cleared",
    "exclusion_confirmed",
    "hold_investigation",
    "incident_supplement",
    "jackpot_review",
    "late_tax_papers",
    "list_import",
    "marker_correction",
    "marker_recovery",
    "marker_set_off",
    "part-shipment",
    "payment_correction",
    "rating",
    "rating-audit",
    "rating_correction",
    "rating_void",
    "rebate_settlement",
    "sign-changed",
    "tax_correction",
    "tax_papers",
    "winner",
    "withheld_outcome",
    "withheld_win",
    "write_off",
}
# The rows of a table are alike: axe reads a dozen of each, not the five hundred of who may do what.
SHORTEN = """() => {
  for (const body of document.querySelectorAll("tbody"))
    for (const row of [...body.rows].slice(12)) row.remove();
}"""
LIGHT = "(theme) => { document.documentElement.dataset.theme = theme; }"


@pytest.fixture
def floor(cast: Cast) -> dict[str, dict[str, Any]]:
    """Let something of every kind be under way, and return the addresses that need a certain one.

    One table is open with a box that left it, a fill and a credit on their way, one is shut with a
    variance, and a number is missing.
    """
    keep_shut(cast)
    cast.table, cast.other_table = cast.other_table, cast.table
    cast.deliver(cast.ask(TRAY))
    short = TRAY | {500: 90}
    opener = cast.count("opener", short)
    cast.sign(opener, "verified", cast.alice, entry=Entry(counted=short))
    cast.table, cast.other_table = cast.other_table, cast.table
    cast.deliver(cast.ask(TRAY))
    cast.open_table(TRAY)
    terminal = TerminalClient(make_terminal(cast.table))
    mismatch = paid(terminal, paid_cents=90_000)
    count_tray(cast, TRAY)
    box = pull(cast)
    count_tray(cast, TRAY | {500: 104})
    begin_pull(cast, new_box="B-208")
    register(cast, "4011 4471")
    run = start(cast, "4471")
    session = open_session(cast)
    pack, outage = pack_of(cast, "FL", 3), declare(cast)
    credit = ask_credit(cast, {2_500: 20})
    carry_off(cast, credit)
    fill = cast.ask({10_000: 20})
    cast.carry(fill)
    with pytest.raises(Refused):
        cast.sign(fill, "agreed", cast.dan, entry=cast.agreement(fill, {10_000: 19}))
    missing = SeriesCounter.objects.get(series=fill.series)
    SeriesCounter.objects.filter(pk=missing.pk).update(last_number=missing.last_number + 1)
    today = house.period_at(house.now()).gaming_day
    number = {"series": fill.series, "year": missing.year, "number": missing.last_number + 1}
    patron = make_patron(cast)
    fields = {"kind": "buy_in", "facts": {"amount_cents": 100_000}}
    trouble = FloorException.objects.latest("pk")
    offered = offer_device(
        new=NewDevice("Tablet 9", Place.CAGE),
        badge=cast.heidi.badge,
        pin=pin_of(cast.heidi.badge),
        device=cast.devices[Place.OFFICE],
    )
    refused_cash = {"table": cast.table.name, "who": f"p{patron.pk}"}
    refused_cash |= {"amount": "10,100", "kind": "buy_in"}
    webhook, _ = ask_webhook(
        name="Ledger",
        url="https://ledger.example/events",
        events=["table_opened"],
        badge=cast.heidi.badge,
        pin=pin_of(cast.heidi.badge),
        device=cast.devices[Place.OFFICE],
    )
    switch_on(
        webhook_id=webhook.pk,
        badge=cast.judy.badge,
        pin=pin_of(cast.judy.badge),
        device=cast.devices[Place.OFFICE],
    )
    hand_out(now=house.now())
    keep_call(
        device=cast.devices[Place.OFFICE],
        scope=Scope.STAFF_READ,
        method="GET",
        status=403,
        code="no_scope",
        number="5d1f0a",
    )
    incident = save_incident(
        table_id=cast.table.pk,
        kind="past_posting",
        seat=6,
        by=cast.alice,
        device=cast.devices[Place.PIT],
        request_id=uuid4(),
    )
    case = NewCase("Three buy-ins.", 2_970_000, detected_on=today, has_suspect=True)
    return {
        "": {
            "day": today.isoformat(),
            "patron_id": patron.pk,
            "entry_id": log(cast, patron, 10_500).pk,
            "stranger_id": log(cast, "A tall man in a red cap", 500).stranger_id,
            "note_id": write_note(
                text="Three buy-ins of $3,000 under three names.", pen=cast.pen(cast.alice)
            ).pk,
            "report_id": CurrencyReport.objects.latest("pk").pk,
            "mark": in_pit(cast)[0],
            "meter_id": sevens(cast).pk,
            "mismatch_id": mismatch.pk,
            "request_id": terminal.post("requests", fields).json()["request"],
            "code": "cheque_change",
            "offer_id": offered.pk,
            "webhook_id": webhook.pk,
            "delivery_id": WebhookDelivery.objects.latest("pk").pk,
            "case_id": open_case(new=case, pen=cast.pen(cast.petra, Place.OFFICE)).pk,
        },
        "slip": {"serial": opener.serial},
        "fill_return": {"of": fill.serial},
        "credit_return": {"of": credit.serial},
        "drop_count": {"of": box.serial},
        "drop-run": {"serial": run.serial},
        "drop-run-join": {"serial": run.serial},
        "count-session": {"serial": session.serial},
        "count-session-count": {"serial": session.serial},
        "count-session-room": {"serial": session.serial, "place": "leave"},
        "count-session-total": {"serial": session.serial},
        "outage": {"serial": outage.serial},
        "outage-form": {"number": numbers_of(pack)[0]},
        "form_return": {"of": pack.serial},
        "access_review": {
            "url": new_url("access_review", department="pit", quarter=str(quarter_of(today)))
        },
        "cash-refused": {"url": f"{reverse('cash-refused')}?{urlencode(refused_cash)}"},
        "count_correction": {"of": done("opener")},
        "fill_correction": {"of": done("fill")},
        "incident_report": {"url": new_url("incident_report", incident=incident.pk)},
        "system": {"device_id": cast.devices[Place.OFFICE].pk},
        "key_draw": {"key": "release"},
        "request_cancellation": {"of": cast.ask({10_000: 20}).serial},
        "exception": {"exception_id": trouble.pk},
        "serial-explain": number,
        "opener": {"name": cast.other_table.name},
        "recount": {"name": cast.other_table.name},
    }


def done(kind: str) -> str:
    """Return the serial of a slip of a kind that all have signed."""
    return Slip.objects.filter(kind=kind, status=SlipStatus.DONE.value).latest("pk").serial


def page_of(pattern: URLPattern) -> str | None:
    view: Any = pattern.callback
    return getattr(getattr(view, "__wrapped__", view), "page", getattr(view, "page", None))


def is_walked(pattern: URLPattern) -> bool:
    """Tell whether a browser shows something of its own at a route."""
    is_poll = getattr(pattern.callback, "answers_for_itself", False)
    return not (is_api(pattern) or is_poll or pattern.name in NO_PAGES | PASSING)


def who_opens(cast: Cast, pattern: URLPattern, kind: str = "") -> Person | None:
    """Return somebody who may open a route; nobody signed in for the door."""
    page = kind or page_of(pattern)
    if page is None or pattern.name in OPEN:
        return None
    # A shift manager sees most; a page of one trade alone is opened by that trade.
    people = [cast.heidi, cast.alice, *cast.people]
    return next(person for person in people if Role(person.role) in pages()[page])


def signed_in(person: Person | None, cast: Cast) -> Client:
    """Return a client of a pit's tablet that is somebody's, without the way through the door."""
    client = Client()
    client.cookies[DEVICE_COOKIE] = f"token of {cast.devices[Place.PIT].name}"
    if person is not None:
        client.force_login(person)
    return client


def be(page: Page, client: Client, server: LiveServer) -> None:
    """Let a browser be whose a client is from here on."""
    name = settings.SESSION_COOKIE_NAME
    # A page that still asks for news would be led to the door when its session goes.
    page.goto("about:blank")
    page.context.clear_cookies(name=name)
    if name in client.cookies:
        value = client.cookies[name].value
        page.context.add_cookies([{"name": name, "value": value, "url": server.url}])


def stops(
    cast: Cast, floor: dict[str, dict[str, Any]], missing: list[str]
) -> Iterator[tuple[str, str, Client]]:
    """Yield every page with its address and who opens it, and note which have no address here."""
    slip = Slip.objects.filter(kind="fill").latest("pk")
    for path, pattern in routes():
        if not is_walked(pattern):
            continue
        # One route raises every kind of slip.
        raised = [kind.kind for kind in kinds()] if pattern.name == "slip-new" else [""]
        for kind in raised:
            name = kind or str(pattern.name)
            if name in OF_ANOTHER_FLOOR:
                continue
            client = signed_in(who_opens(cast, pattern, kind), cast)
            named = {**floor[""], "raised": kind, **floor.get(name, {})}
            url = named.get("url") or address(cast, slip, pattern, **named)
            answer = client.get(url)
            if answer.status_code in (302, 308, 405):
                continue  # Something is sent there, or it leads on; nobody looks at it.
            # A page that says why not now is a page too.
            if answer.status_code not in (200, 409):
                missing.append(f"{name} at {path} answered {answer.status_code}: give it a value")
            # Else a fragment of a page that is walked to.
            elif b"<html" in answer.content:
                yield name, url, client


def troubles_of(tablet: Page, where: str) -> list[str]:
    """Return what axe finds in the dark, and which colours it finds too pale in the light."""
    tablet.evaluate(SHORTEN)
    tablet.evaluate(LIGHT, "dark")
    found = troubles(tablet)
    tablet.evaluate(LIGHT, "light")
    found += troubles(tablet, "color-contrast")
    return [f"{where}: {item}" for item in found]


def test_every_page_is_without_barriers_in_both_themes(
    cast: Cast,
    floor: dict[str, dict[str, Any]],
    open_tablet: OpenTablet,
    live_server: LiveServer,
) -> None:
    tablet = open_tablet()
    be_device(tablet.context, cast.devices[Place.PIT], live_server.url)
    missing: list[str] = []
    walked = list(stops(cast, floor, missing))
    assert not missing, "\n".join(missing)
    found: list[str] = []
    for name, url, client in walked:
        be(tablet, client, live_server)
        tablet.goto(url)
        found += troubles_of(tablet, name)
    assert len(walked) > len(PAGES), "a walk that saw so little proves nothing"
    # What is shown only after something was sent: a pad to sign on.
    be(tablet, signed_in(cast.alice, cast), live_server)
    tablet.goto(new_url("fill", table=cast.table.name))
    tablet.get_by_role("button", name="Request").click()
    tablet.locator("#sign-pad").wait_for()
    found += troubles_of(tablet, "fill-sign")
    assert not found, "\n".join(found)


def test_the_page_that_makes_a_house_is_without_barriers(tablet: Page) -> None:
    tablet.goto(reverse("setup"))
    assert not troubles_of(tablet, "setup")
