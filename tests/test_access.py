"""Every route, with every role: who may open it, and that none of them moves a slip but `sign`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import product
from typing import Any
from uuid import uuid4

import pytest
from django.conf import settings
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse
from django.urls.converters import UUIDConverter

from inventory.models import ChequeTransfer, TrayCount
from pitboss.access import HIDDEN, PAGES
from pitboss.api_auth import DeviceView
from pitboss.celery import app as celery_app
from pitboss.confidential import ADMINISTRATORS_READ
from pitboss.middleware import DEVICE_COOKIE
from pitboss.models import Device, JournalEntry, Person, Signature, Slip, Table
from pitboss.rules.canonical import digest
from pitboss.rules.flows.reading import kinds_for
from pitboss.rules.roles import Place, Role
from pitboss.slips.addresses import new_url
from pitboss.slips.kind import kinds
from tests.floor.cast import Cast
from tests.floor.tablets import words

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("unhurried")]

# Open to whoever stands before the tablet: nothing of the floor is shown or changed there.
OPEN = {
    "login",
    "setup",
    "pin-enrol",
    "pin-keys",
    "pin-renew",
    # A challenge is given on an enrolled device, or after the right password.
    "passkey-ask",
    "passkey-sign-in",
    # To the house's identity provider and back, on enrolled devices.
    "provider-sign-in",
    "provider-back",
    "device-enrol",
    # The icon and the start page of the app; nothing of the house.
    "manifest",
    "healthz",
    "livez",
    "readyz",
    "api-enrol",
    "api-schema",
    "api-codes",
    "api-docs",
    # An empty shell; a terminal's own token opens what it shows.
    "terminal",
    "terminal-worker",
    # Shows a table and two words; a browser asks for it by itself.
    "push-worker",
    # What patrons read from across the room.
    "meter-display",
    "meter-display-poll",
}
# The page opens to these roles, and the act itself judges once more who may.
JUDGED_FURTHER = {
    "pin-offer",
    "device-renew",
    "device-revoke",
    "slip-print",
    # Each report names its own readers; tests/pitboss/test_reports.py tries them all.
    "report",
    "report-pdf",
    "report-csv",
}


def routes(
    patterns: list[URLPattern | URLResolver] | None = None, prefix: str = ""
) -> Iterator[tuple[str, URLPattern]]:
    for pattern in get_resolver().url_patterns if patterns is None else patterns:
        path = prefix + str(pattern.pattern)
        if isinstance(pattern, URLResolver) and pattern.app_name == "admin":
            continue  # Read and judged by a test of its own.
        if isinstance(pattern, URLResolver):
            yield from routes(pattern.url_patterns, path)
        else:
            yield path, pattern


def address(cast: Cast, slip: Slip, pattern: URLPattern, **instead: Any) -> str:
    """Return the address of a route on the cast's floor, with some values in place of its own."""
    values: dict[str, Any] = {
        "pit_id": cast.pit.pk,
        "name": cast.table.name,
        "serial": slip.serial,
        "track": "main",
        "step": "issued",
        "person_id": cast.dan.pk,
        # Not the one that this is tried on: what is put out ends its sessions.
        "device_id": cast.devices[Place.CAGE].pk,
        "offer_id": 1,
        "webhook_id": 1,
        "delivery_id": 1,
        "passkey_id": 1,
        "exception_id": 1,
        "patron_id": 1,
        "card": "70014412",
        "employee_number": cast.dan.employee_number,
        "comp": slip.serial,
        "document_id": 1,
        "who": "p1",
        "entry_id": 1,
        "stranger_id": 1,
        "case_id": 1,
        "report_id": 1,
        "batch_id": 1,
        "shape": "xml",
        "note_id": 1,
        "check_id": 1,
        "line_id": 1,
        "mismatch_id": 1,
        "rating_id": 1,
        "draw_id": 1,
        "round_id": 1,
        "part": "cards",
        "place": "pit",
        "mark": "06-R-0001",
        "day": "2026-05-01",
        "series": "F",
        "year": 2026,
        "number": 1,
        "key": "people.idle_lock",
        "meter_id": 1,
        "code": "dead_spread",
        "request_id": 1,
        "sent_id": "0f1d9f0e-6f0c-4a57-8c4b-7d1f3c1b2a90",
        "report": "minutes-lost",
        "form_id": 1,
        "kind": "W-2G",
        "raised": "fill",
        "job": "supervisor",
        "of": "",
        **instead,
    }
    # What old addresses name, and one that raises a kind: the set of cards, the entry of cash.
    values = {
        "set": values["mark"],
        "entry": values["entry_id"],
        "meter": 1,
        "form": 1,
        "person": 1,
    } | values
    wanted = pattern.pattern.converters
    if pattern.name == "slip-new":
        raised = instead.get("kind", values["raised"])
        named = {"patron": values["patron_id"], "set": values["set"], "entry": values["entry"]}
        named |= {"door": "opening", "meter": values["meter"], "form": values["form"]}
        named |= {"key": values["key"], "person": values["person"]}
        named |= {"upload": 1, "case": 1, "withheld": 1}
        return new_url(raised, table=values["name"], of=values["of"], **named)
    if "request_id" not in instead and isinstance(wanted.get("request_id"), UUIDConverter):
        values["request_id"] = uuid4()
    return reverse(str(pattern.name), kwargs={name: values[name] for name in wanted})


def the_floor() -> list[Any]:
    """Return everything that only a signature may change."""
    return [
        list(model.objects.order_by("pk").values())
        for model in (Slip, Signature, ChequeTransfer, TrayCount)
    ] + [list(Table.objects.order_by("pk").values("pk", "tray_sequence", "is_open"))]


def signed_in(person: Person, device: Device) -> Client:
    client = Client()
    Device.objects.filter(pk=device.pk).update(token_hash=digest(device.name))
    client.cookies[DEVICE_COOKIE] = device.name
    client.force_login(person)
    return client


def someone(cast: Cast, role: Role) -> Person:
    Person.objects.filter(pk=cast.olga.pk).update(role=role.value)
    return Person.objects.get(pk=cast.olga.pk)


def is_api(pattern: URLPattern) -> bool:
    """Tell whether only a device's token opens this route."""
    view: Any = getattr(pattern.callback, "cls", None)
    return view is not None and issubclass(view, DeviceView)


def test_every_route_says_who_may_open_it() -> None:
    for path, pattern in routes():
        if is_api(pattern):
            continue
        view = pattern.callback
        page = getattr(getattr(view, "__wrapped__", view), "page", getattr(view, "page", None))
        if getattr(view, "raises_kinds", False) or pattern.name in OPEN:
            continue  # Each kind says to whom it is open.
        assert page in PAGES, f"{path} is open to nobody knows whom"


def test_a_stranger_is_sent_to_the_door(cast: Cast) -> None:
    slip = cast.ask()
    for path, pattern in routes():
        if pattern.name in OPEN or is_api(pattern):
            continue
        response = Client().get(address(cast, slip, pattern))
        at_the_door = (
            response.status_code in (302, 405) or response.headers.get("HX-Redirect") == "/"
        )
        assert at_the_door, f"{path} answered a stranger with {response.status_code}"
        if response.status_code == 302:
            assert response.headers["Location"].startswith("/login/")


def test_every_route_of_the_api_takes_a_devices_token_and_nothing_else(cast: Cast) -> None:
    slip = cast.ask()
    patterns = [pattern for _, pattern in routes() if is_api(pattern)]
    assert patterns
    browser = signed_in(cast.trent, cast.devices[Place.CAGE])
    for pattern in patterns:
        url = address(cast, slip, pattern)
        for client, token in (
            (Client(), ""),
            (Client(), "Device nobody knows me"),
            (Client(), "Bearer cage"),
            (browser, ""),
        ):
            headers = {"authorization": token} if token else {}
            for response in (
                client.get(url, headers=headers),
                client.post(url, {}, content_type="application/json", headers=headers),
            ):
                assert response.status_code == 401, f"{url} answered {token!r}"
                assert response.headers["WWW-Authenticate"] == "Device"


@pytest.mark.parametrize("role", list(Role))
def test_each_role_opens_its_own_pages_and_no_others(cast: Cast, role: Role) -> None:
    slip = cast.ask()
    client = signed_in(someone(cast, role), cast.devices[Place.OFFICE])
    for number, (path, pattern) in enumerate(routes()):
        view: Any = pattern.callback
        page = getattr(view, "page", None)
        # What ends the session would leave nobody to try the rest.
        if page is None or pattern.name in ("logout", "lock", "session-end"):
            continue
        if role in PAGES[page] and not takes_turn(role, sorted(PAGES[page]), number):
            continue
        url = address(cast, slip, pattern)
        response = client.get(url)
        if response.status_code == 405:
            response = client.post(url, {"request_id": str(uuid4())})
        if role in PAGES[page]:
            # Who reads which kind of slip is tried in test_who_reads_what.py.
            judged_further = pattern.name in JUDGED_FURTHER or (
                "serial" in pattern.pattern.converters and slip.kind not in kinds_for(role)
            )
            assert response.status_code != 403 or judged_further, f"{role} may not open {path}"
        else:
            not_yours = 404 if page in HIDDEN else 403
            assert response.status_code == not_yours, f"{role} may open {path}"


@pytest.mark.parametrize("role", list(Role))
def test_each_role_raises_the_kinds_that_are_open_to_it_and_no_others(
    cast: Cast, role: Role
) -> None:
    slip = cast.ask()
    client = signed_in(someone(cast, role), cast.devices[Place.OFFICE])
    assert kinds()
    for kind in kinds():
        of = slip.serial if slip.kind in kind.refers_to else ""
        response = client.get(new_url(kind.kind, table=cast.table.name, of=of))
        is_refused = response.status_code == 403
        assert is_refused is (role not in kind.open_to), f"{role} and a {kind.kind}"


def takes_turn(role: Role, roles: list[Role], number: int) -> bool:
    """Tell whether a role opens this one of many pages that several open, three roles a page.

    Every page is refused to each role that may not open it; drawing each for each that may would
    take most of a run.
    """
    return (roles.index(role) - number) % len(roles) < 3


def hammer(
    client: Client,
    cast: Cast,
    slip: Slip,
    badge: str,
    methods: tuple[str, ...],
    raised: list[str],
) -> None:
    """Send something plausible to every address, with a PIN that nobody has."""
    body = {
        "badge": badge,
        "pin": "000000",
        "shown": "{}",
        "cheques_2500": "20",
        "reason": "because",
        "status": "done",
    }
    for _, pattern in routes():
        if pattern.name in ("logout", "lock", "device-revoke", "session-end"):
            continue
        # One route raises every kind of slip.
        for kind, method in product(raised if pattern.name == "slip-new" else [""], methods):
            url = address(cast, slip, pattern, raised=kind, of=slip.serial)
            sent = {**body, "request_id": str(uuid4())}
            if method in ("get", "post"):
                getattr(client, method)(url, sent)
            else:
                getattr(client, method)(url, json.dumps(sent), content_type="application/json")


@pytest.mark.parametrize("role", list(Role))
def test_no_route_moves_a_slip_without_a_badge_and_pin_that_may(cast: Cast, role: Role) -> None:
    """Whoever is signed in, on a device where the next step belongs."""
    slip = cast.ask()
    before = the_floor()
    person = someone(cast, role)
    # Who may open most also asks for every page; a page moves nothing whoever it is drawn for.
    methods = ("get", "post") if role == Role.SHIFT_MANAGER else ("post",)
    # Every kind by each role that it is open to, and by one in four of the others.
    raised = [
        kind.kind
        for number, kind in enumerate(kinds())
        if role in kind.open_to or (number + list(Role).index(role)) % 4 == 0
    ]
    client = signed_in(person, cast.devices[Place.CAGE])
    hammer(client, cast, slip, person.badge, methods, raised)
    assert the_floor() == before


def test_no_other_method_moves_a_slip(cast: Cast) -> None:
    slip = cast.ask()
    before = the_floor()
    client = signed_in(cast.heidi, cast.devices[Place.PIT])
    others = ("put", "patch", "delete", "options")
    hammer(client, cast, slip, cast.heidi.badge, others, [kind.kind for kind in kinds()])
    assert the_floor() == before


@pytest.mark.parametrize("role", list(Role))
def test_the_records_are_read_by_auditors_and_administrators_and_written_by_nobody(
    cast: Cast, role: Role
) -> None:
    slip = cast.ask()
    before = the_floor()
    client = signed_in(someone(cast, role), cast.devices[Place.OFFICE])
    for model in (Slip, Signature, JournalEntry, ChequeTransfer, Person, Device):
        base = f"admin:{model._meta.app_label}_{model._meta.model_name}"
        row = model._default_manager.latest("pk") if model._default_manager.exists() else slip
        listing = client.get(reverse(f"{base}_changelist"))
        one = client.get(reverse(f"{base}_change", args=[row.pk]))
        is_kept = model._meta.label in ADMINISTRATORS_READ
        if role == Role.AUDITOR or (role == Role.ADMINISTRATOR and is_kept):
            assert (listing.status_code, one.status_code) in ((200, 200), (200, 302))
            assert "argon2" not in words(one), "a hash is shown"
        else:
            assert (listing.status_code, one.status_code) == (403, 403)
        for name, arguments in (("add", []), ("change", [row.pk]), ("delete", [row.pk])):
            answer = client.post(reverse(f"{base}_{name}", args=arguments), {"status": "done"})
            assert answer.status_code in (302, 403)
    assert the_floor() == before


def test_no_task_moves_a_slip(cast: Cast) -> None:
    slip = cast.ask()
    before = the_floor()
    celery_app.loader.import_default_modules()
    tasks = [task for name, task in celery_app.tasks.items() if not name.startswith("celery.")]
    assert tasks, "the site has tasks of its own"
    for task in tasks:
        for arguments in ((), (slip.pk,), (slip.serial,)):
            try:
                task.apply(args=arguments, throw=True)
            except (TypeError, ValueError):
                continue  # It does not take such arguments.
    assert the_floor() == before


def test_a52_a_supervisor_who_calls_the_shift_managers_step_gets_403_and_an_entry(
    cast: Cast,
) -> None:
    slip = cast.ask()
    cast.carry(slip)
    client = signed_in(cast.bob, cast.devices[Place.PIT])
    response = client.post(
        reverse("slip-sign", args=[slip.serial, "relief", "relieved"]),
        {
            "request_id": str(uuid4()),
            "badge": cast.bob.badge,
            "pin": cast.bob.badge * 2,
            "shown": "",
            "reason": "He fell ill.",
        },
    )
    assert response.status_code == 403
    assert "wrong_role" in JournalEntry.objects.filter(kind="sign_refused").latest("id").text


def test_the_demo_has_no_door_in_production() -> None:
    assert not settings.IS_DEMO
    assert "demo-device" not in {pattern.name for _, pattern in routes()}
