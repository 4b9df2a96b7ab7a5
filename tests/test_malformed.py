"""Every route, sent what no person types: NUL, halves of characters, numbers without end.

None of it may break the site: what cannot be kept is a 400 with the house's own page, or a problem
document, and everything else is answered as what it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import cycle
from typing import Any
from urllib.parse import quote
from uuid import uuid4

import pytest
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.db.models import Field
from django.http import QueryDict
from django.test import Client, RequestFactory
from django.urls import URLPattern, reverse

from pitboss.access import pages
from pitboss.admin import reading_room
from pitboss.models import FloorException, Slip
from pitboss.rules.roles import Place, Role
from pitboss.wsgi import application
from tests.databases import take_time
from tests.floor.cast import Cast, pin_of
from tests.floor.jackpots import hit, open_tables
from tests.floor.markers import grant, issue, make_patron
from tests.test_access import address, is_api, routes, signed_in, someone

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("unhurried")]

STORE = "no-store"
# Dates at the ends of time, digits that are none, numbers that no column holds.
ODD = (
    "²",
    "٣",
    "-1",
    "0",
    "99999999999999999999999999",
    "9" * 5000,
    "0001-01-01",
    "9999-12-31",
    "p99999999999999999999",
    "%",
    "1e400",
    "[" * 2000,
)

# Read from any form, whatever it asks for.
OF_EVERY_FORM = {"badge", "pin", "shown", "request_id", "passkey", "csrfmiddlewaretoken"}

# Stands in an address where an odd piece is put, by what reads it there; "ODD" for all others.
PIECES: dict[str, Any] = {
    "IntConverter": 987654321,
    "UUIDConverter": "0f1d9f0e-6f0c-4a57-8c4b-7d1f3c1b2a90",
}


@dataclass
class Walk:
    """Who opens each route on a floor with something of everything, and what it reads there."""

    cast: Cast
    slip: Slip
    clients: dict[Role, Client] = field(default_factory=dict)
    values: dict[str, Any] = field(default_factory=dict)

    def client_for(self, pattern: URLPattern) -> Client:
        page = getattr(pattern.callback, "page", None)
        if getattr(pattern.callback, "raises_kinds", False):
            page = "fill"
        if page is None:
            return Client(raise_request_exception=False)
        # Whoever may do most of those who may: an act is then refused as late as it can be.
        order = (Role.SHIFT_MANAGER, Role.CAGE_MANAGER, Role.COMPLIANCE, Role.ACCOUNTING, *Role)
        role = next(role for role in order if role in pages()[page])
        if role not in self.clients:
            person = next((p for p in self.cast.people if p.role == role), None)
            client = signed_in(person or someone(self.cast, role), self.cast.devices[Place.PIT])
            client.raise_request_exception = False
            self.clients[role] = client
        return self.clients[role]

    def url(self, pattern: URLPattern, **instead: Any) -> str:
        return address(self.cast, self.slip, pattern, **{**self.values, **instead})


@pytest.fixture
def walk(cast: Cast) -> Walk:
    open_tables(cast)
    patron = make_patron(cast)
    grant(cast, patron, 500_000)
    marker = issue(cast, patron, 100_000)
    hit(cast)
    trouble = FloorException.objects.first()
    return Walk(
        cast,
        marker,
        values={
            "patron_id": patron.pk,
            "who": f"p{patron.pk}",
            "exception_id": trouble.pk if trouble else 1,
        },
    )


def of_site() -> Iterator[tuple[str, URLPattern]]:
    for path, pattern in routes():
        take_time()
        if not path.startswith("api/") and pattern.name not in ("logout", "lock"):
            yield path, pattern


def is_turned_away(response: Any) -> bool:
    """Tell whether this is the house's own 400: a problem document where a program asked."""
    if response.request["PATH_INFO"].startswith("/api/"):
        codes = [refusal["code"] for refusal in response.json()["refusals"]]
        is_own = response.headers["Content-Type"] == "application/problem+json"
        is_own = is_own and codes == ["malformed_request"]
    else:
        is_own = b"This request cannot be read." in response.content
    return bool(response.status_code == 400 and is_own)


@pytest.fixture
def broken() -> Iterator[list[str]]:
    """Return a list for every address that broke; a walk goes on to its end, then names them."""
    found: list[str] = []
    yield found
    assert not found, "\n".join(found)


def note(broken: list[str], response: Any, where: str) -> None:
    # No worker beats in a test, and the page of health says so with a 503.
    if response.status_code >= 500 and response.request["PATH_INFO"] != reverse("healthz"):
        broken.append(f"{response.status_code} {where}"[:300])
    elif not connection.needs_rollback:
        take_time()


@pytest.fixture
def names(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """Return the names of all fields that a page asks for, as it asks for them."""
    asked: set[str] = set()

    def listening(method: str) -> Callable[..., Any]:
        spoken = getattr(QueryDict, method)

        def listen(self: QueryDict, name: str, *more: Any) -> Any:
            asked.add(name)
            return spoken(self, name, *more)

        return listen

    for method in ("get", "__getitem__", "__contains__", "getlist"):
        monkeypatch.setattr(QueryDict, method, listening(method))
    return asked


def test_nul_in_any_query_and_any_field_is_a_400_on_every_route(
    walk: Walk, names: set[str]
) -> None:
    for path, pattern in of_site():
        client, url = walk.client_for(pattern), walk.url(pattern)
        names.clear()
        client.get(url)
        client.post(url, {"request_id": str(uuid4())})
        for name in sorted(names | {"any"}):
            assert is_turned_away(client.get(url, {name: "a\x00b"})), f"{path}?{name}"
            assert is_turned_away(client.post(url, {name: "a\x00b"})), f"{path} {name} as a part"
            posted = client.post(
                url, f"{name}=a%00b", content_type="application/x-www-form-urlencoded"
            )
            assert is_turned_away(posted), f"{path} {name} as a field"
        assert is_turned_away(client.get(f"{url}?a%00b=1")), f"{path} in a name"
        assert is_turned_away(client.post(url, {"a\x00b": "1"})), f"{path} in the name of a part"


def test_nul_in_any_address_is_a_400_on_every_route(walk: Walk) -> None:
    for path, pattern in of_site():
        client = walk.client_for(pattern)
        for name, converter in pattern.pattern.converters.items():
            if type(converter).__name__ == "StringConverter":
                url = walk.url(pattern, **{name: "a\x00b"})
                assert is_turned_away(client.get(url)), path
                assert is_turned_away(client.post(url)), path
        assert is_turned_away(client.get(walk.url(pattern) + "%00")), path


def test_nul_in_headers_cookies_and_files_is_a_400(walk: Walk) -> None:
    cast = walk.cast
    url = reverse("slip", args=[walk.slip.serial])
    client = signed_in(cast.heidi, cast.devices[Place.PIT])
    assert client.get(url).status_code == 200
    assert is_turned_away(client.get(url, headers={"hx-current-url": "a\x00b"}))
    assert is_turned_away(client.get(url, headers={"referer": "a\x00b"}))
    assert is_turned_away(client.get(url, headers={"host": "local\x00host"}))
    for cookie in ("sessionid", "pitboss_device", "csrftoken", "any"):
        client = signed_in(cast.heidi, cast.devices[Place.PIT])
        client.cookies[cookie] = "a\x00b"
        assert is_turned_away(client.get(url)), cookie
    octal = Client(headers={"cookie": 'sessionid="a\\000b"'})
    assert is_turned_away(octal.get(url))
    client = signed_in(cast.erin, cast.devices[Place.CAGE])
    upload = reverse("patron-paper", args=[walk.values["patron_id"]])
    for file in (
        {"a\x00b": SimpleUploadedFile("id.png", b"\x89PNG")},
        {"content": SimpleUploadedFile("id.png", b"\x89PNG", content_type="image/\x00png")},
    ):
        assert is_turned_away(client.post(upload, file)), file


def test_the_bytes_of_a_file_may_hold_a_nul(walk: Walk) -> None:
    client = signed_in(walk.cast.erin, walk.cast.devices[Place.CAGE])
    upload = reverse("patron-paper", args=[walk.values["patron_id"]])
    answer = client.post(upload, {"content": SimpleUploadedFile("id.png", b"\x89PNG\x00\x00")})
    assert not is_turned_away(answer)


@pytest.mark.parametrize("charset", ["utf-7", "utf-16", "idna", "no-such-thing"])
def test_another_encoding_than_utf_8_is_a_400(walk: Walk, charset: str) -> None:
    url = reverse("slip", args=[walk.slip.serial])
    client = signed_in(walk.cast.heidi, walk.cast.devices[Place.PIT])
    for kind in ("application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "text/x"):
        headers = {"content-type": f"{kind}; charset={charset}"}
        assert is_turned_away(client.get(f"{url}?a=+2AA-", headers=headers)), kind
        body = b'--x\r\nContent-Disposition: form-data; name="reason"\r\n\r\n+2AA-\r\n--x--\r\n'
        posted = client.generic("POST", url, body, content_type=f"{kind}; charset={charset}")
        assert is_turned_away(posted), kind


@pytest.mark.parametrize("charset", ["hex", "rot13", "base64"])
def test_what_is_no_encoding_of_text_is_a_400_and_no_crash_of_the_server(charset: str) -> None:
    """The test client makes requests of its own kind; this is what the web server calls."""
    factory = RequestFactory()
    for path, says in (("/login/", b"cannot be read"), ("/api/v1/table", b"malformed_request")):
        begun: list[str] = []
        body = application(
            {**factory.get(f"{path}?a=1").environ, "CONTENT_TYPE": f"text/x; charset={charset}"},
            lambda status, headers, begun=begun: begun.append(status),
        )
        assert begun == ["400 Bad Request"]
        assert says in b"".join(body)


def test_no_odd_address_breaks_any_route(walk: Walk, broken: list[str]) -> None:
    for path, pattern in of_site():
        client = walk.client_for(pattern)
        for name, converter in pattern.pattern.converters.items():
            piece = PIECES.get(type(converter).__name__, "ODD")
            filled = walk.url(pattern, **{name: piece})
            for odd in ODD:
                url = filled.replace(str(piece), quote(odd, safe=""))
                answer = client.get(url)
                if answer.status_code == 405:
                    answer = client.post(url)
                note(broken, answer, f"{path} {name}={odd[:30]!r}")
    for raw in ("/slips/%FF%FE/", "/tables/%ED%A0%80/", "/%C0%80/", "/audit/?number=%ED%A0%80"):
        note(broken, walk.clients[Role.SHIFT_MANAGER].get(raw), raw)


def test_no_odd_value_in_any_query_or_field_breaks_any_route(
    walk: Walk, names: set[str], broken: list[str]
) -> None:
    """Each field gets each odd value once, beside others in the others; the PIN is right."""
    heidi = walk.cast.heidi
    signing = {"badge": heidi.badge, "pin": pin_of(heidi.badge), "shown": "{}"}
    # What every signature is sent with is read in one place: three odd values a route, in turn.
    turns = cycle(zip(ODD, ODD[1:] + ODD[:1], ODD[2:] + ODD[:2], strict=True))
    for path, pattern in of_site():
        client, url = walk.client_for(pattern), walk.url(pattern)
        names.clear()
        gets = client.get(url).status_code != 405
        for odd in odd_fields(names) if gets else ():
            note(broken, client.get(url, odd), f"GET {path}?{odd}"[:300])
        names.clear()
        if client.post(url, {**signing, "request_id": str(uuid4())}).status_code == 405:
            continue
        for odd in odd_fields(names):
            sent = {**odd, **signing, "request_id": str(uuid4())}
            note(broken, client.post(url, sent), f"POST {path} {odd}"[:300])
        for name, value in zip(("pin", "request_id", "shown"), next(turns), strict=True):
            sent = {**signing, "request_id": str(uuid4()), name: value}
            note(broken, client.post(url, sent), f"POST {path} {name}={value[:30]!r}")


def odd_fields(names: set[str]) -> Iterator[dict[str, str]]:
    """Yield every field with an odd value, as often as each needs to have had them all."""
    asked = sorted(names - OF_EVERY_FORM)
    for shift in range(len(ODD)) if asked else ():
        yield {name: ODD[(shift + at) % len(ODD)] for at, name in enumerate(asked)}


def is_read_by(key: Field[Any, Any], odd: str) -> bool:
    try:
        key.to_python(odd)
    except (ValidationError, ValueError):
        return False
    return True


def test_no_odd_query_breaks_the_records(walk: Walk, broken: list[str]) -> None:
    client = signed_in(walk.cast.olga, walk.cast.devices[Place.OFFICE])
    client.raise_request_exception = False
    # What a kind of key cannot be is refused before any row is asked for: once for each kind of
    # key. What it can be is asked of every model.
    unreadable: set[tuple[type[Field[Any, Any]], str]] = set()
    for model in reading_room._registry:
        base = f"admin:{model._meta.app_label}_{model._meta.model_name}"
        listing = reverse(f"{base}_changelist")
        assert is_turned_away(client.get(listing, {"q": "a\x00b"}))
        for asked in ({"o": "99"}, {"o": "-1.x"}, {"p": "9" * 30}, {"e": "1"}, {"all": ""}):
            note(broken, client.get(listing, asked), f"{listing} {asked}")
        for odd in ODD:
            if not is_read_by(model._meta.pk, odd):
                kind = (type(model._meta.pk), odd)
                if kind in unreadable:
                    continue
                unreadable.add(kind)
            one = reverse(f"{base}_change", args=["ODD"]).replace("ODD", quote(odd, safe=""))
            for url in (one, one.replace("/change/", "/history/")):
                note(broken, client.get(url), f"{url[:80]}")


def test_nul_in_any_part_of_an_api_request_is_a_400_with_a_problem(walk: Walk) -> None:
    for path, pattern in routes():
        if not path.startswith("api/"):
            continue
        url = walk.url(pattern)
        client = Client(raise_request_exception=False)
        assert is_turned_away(client.get(f"{url}?a=%00")), path
        assert is_turned_away(client.get(f"{url}%00")), path
        assert is_turned_away(client.get(url, headers={"authorization": "Device a\x00b"})), path
        assert is_turned_away(client.get(url, headers={"idempotency-key": "a\x00b"})), path
        for kind in ("application/json; charset=utf-7", "application/json; charset=hex"):
            posted = client.generic("POST", url, b"{}", content_type=kind)
            assert is_turned_away(posted), path


def test_every_answer_of_the_site_is_stored_nowhere(walk: Walk) -> None:
    for path, pattern in routes():
        client = Client() if is_api(pattern) else walk.client_for(pattern)
        for method in (client.get, client.post):
            if pattern.name in ("logout", "lock"):
                continue
            answer = method(walk.url(pattern))
            assert answer.headers["Cache-Control"] == STORE, f"{path} may be kept"
            assert "Expires" not in answer.headers or answer.headers["Cache-Control"] == STORE


def test_papers_exports_and_records_are_stored_nowhere_and_static_files_are(walk: Walk) -> None:
    cast = walk.cast
    client = signed_in(cast.olga, cast.devices[Place.OFFICE])
    for url in (
        reverse("slip-pdf", args=[walk.slip.serial]),
        reverse("admin:index"),
        reverse("admin:pitboss_slip_changelist"),
        reverse("report-csv", args=["minutes-lost"]),
    ):
        assert client.get(url).headers["Cache-Control"] == STORE, url
    style = client.get("/static/pitboss/base.css")
    style.close()
    assert STORE not in style.headers["Cache-Control"]
