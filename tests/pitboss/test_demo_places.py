"""The demo's switcher and tour: one tap to any place, and no way to them in a real house."""

from __future__ import annotations

from collections.abc import Iterator
from time import sleep

import pytest
from django.db import transaction
from django.test import Client, override_settings
from django.utils import timezone

from pitboss.demo import make_property
from pitboss.demo_posts import POSTS, TERMINAL_TABLE, TOUR
from pitboss.middleware import DEVICE_COOKIE
from pitboss.models import Device, FloorException, Pit, Table
from pitboss.services.devices import tablet_by_token
from pitboss.services.exceptions import PAYOUT_DIFFERS, open_exception
from pitboss.services.floor import add_table
from tests.floor.tablets import words

pytestmark = pytest.mark.django_db(transaction=True)
ADDRESSES = "tests.demo_addresses"


@pytest.fixture
def house() -> None:
    """Make the demo's property with two pits, a table in each."""
    make_property()
    for number, name in enumerate(("Pit 1", "Pit 2"), 1):
        pit = Pit.objects.create(name=name)
        add_table(
            name=f"BJ-{number}5",
            pit=pit,
            game="classic",
            minimum_cents=2_500,
            maximum_cents=100_000,
            par={2_500: 20},
        )


@pytest.fixture
def demo(house: None) -> Iterator[Client]:
    """Return a browser of a site that is a demo."""
    with override_settings(ROOT_URLCONF=ADDRESSES, IS_DEMO=True):
        yield Client()


def test_one_tap_puts_a_browser_at_a_post_as_whoever_works_there(demo: Client) -> None:
    for key, post in POSTS.items():
        answer = demo.post(f"/demo/be/{key}", follow=True)
        assert answer.status_code == 200
        assert answer.wsgi_request.user == post.person()
        device = tablet_by_token(demo.cookies[DEVICE_COOKIE].value)
        assert device is not None
        assert (device.place, device.pit) == (post.place.value, post.the_pit())
        assert f'aria-current="true">{post.label}</button>' in words(answer)
    # A second round finds the same devices, and nobody seems to be in two places.
    for key in POSTS:
        demo.post(f"/demo/be/{key}")
    places = {(post.place, post.pit) for post in POSTS.values()}
    assert Device.objects.count() == len(places)
    assert not FloorException.objects.exists()


def test_one_tap_makes_a_browser_the_terminal_of_a_table(demo: Client) -> None:
    # A second tap renews the token of the terminal that is there; one that was put out stays out.
    for expected in ("new", "renewed", "new"):
        answer = demo.post("/demo/terminal")
        address, code = answer.headers["Location"].split("#code=")
        assert address == "/terminal/"
        assert demo.get(address).status_code == 200
        body = {"code": code}
        token = demo.post("/api/v1/enrol", body, content_type="application/json").json()["token"]
        told = demo.get("/api/v1/table", headers={"authorization": f"Device {token}"}).json()
        assert told["table"] == TERMINAL_TABLE, expected
        if expected == "renewed":
            assert Device.objects.filter(table__name=TERMINAL_TABLE).count() == 1
            Device.objects.exclude(table=None).update(revoked_at=timezone.now())


def test_the_tour_leads_to_where_each_stop_is(demo: Client) -> None:
    page = words(demo.get("/demo/tour/"))
    for stop in TOUR:
        assert stop.title in page
        assert stop.who in page
    answer = demo.post("/demo/be/cage", {"next": "/cage/counts/"})
    assert answer.headers["Location"] == "/cage/counts/"


def test_the_tour_ticks_what_was_looked_at_and_what_was_done_since_it_began(demo: Client) -> None:
    def done() -> list[str]:
        stops = demo.get("/demo/tour/").context["stops"]
        return [stop["stop"].title for stop in stops if stop["is_done"]]

    table = Table.objects.get(name="BJ-15")

    def mispay(check: int) -> None:
        with transaction.atomic():
            open_exception(
                code=PAYOUT_DIFFERS,
                sentence="BJ-15: blackjack overpaid by $50.",
                details={"check": check},
                at=timezone.now(),
                person=None,
                table=table,
            )

    mispay(1)
    demo.cookies.pop("pitboss_tour", None)
    sleep(1)
    assert done() == []
    assert f"0 of {len(TOUR)} done." in words(demo.get("/demo/tour/"))
    demo.post("/demo/be/pit-1", {"next": "/board/", "stop": "0"})
    demo.post("/demo/be/pit-1", {"next": "/slips/new/fill/?table=BJ-14", "stop": "1"})
    # To go where a fill is requested is not to request it.
    assert done() == ["The pit at a glance"]
    mispay(2)
    assert done() == ["The pit at a glance", "Is this payout right?"]
    demo.post("/demo/be/auditor", {"stop": "99"})
    assert done() == ["The pit at a glance", "Is this payout right?"]
    demo.cookies["pitboss_tour"] = "none"
    assert done() == []


def test_nobody_is_sent_off_the_site(demo: Client) -> None:
    answer = demo.post("/demo/be/cage", {"next": "https://elsewhere.example/"})
    assert answer.headers["Location"] == "/"


def test_the_bar_can_be_hidden_for_good_and_brought_back(demo: Client) -> None:
    demo.post("/demo/be/cage")
    assert 'name="next" value="/cage/"' in words(demo.get("/cage/"))
    answer = demo.post("/demo/bar/hide", {"next": "/cage/"})
    assert answer.headers["Location"] == "/cage/", "one stays where one was"
    hidden = words(demo.get("/cage/"))
    assert "demobar" not in hidden
    assert "Demo: change place" in hidden
    demo.post("/demo/bar/show")
    assert "demobar" in words(demo.get("/cage/"))


@pytest.mark.parametrize(
    "address", ["demo/be/cage", "demo/device/cage", "demo/bar/hide", "demo/terminal"]
)
def test_a_real_house_has_no_switcher(house: None, address: str) -> None:
    client = Client()
    assert client.post(f"/{address}").status_code == 404
    # Even if somebody gave them an address, they refuse.
    with override_settings(ROOT_URLCONF=ADDRESSES):
        answer = client.post(f"/{address}")
    assert answer.status_code == 404
    assert DEVICE_COOKIE not in answer.cookies
    assert not Device.objects.exists()


def test_a_real_house_has_no_tour_and_no_bar(house: None) -> None:
    client = Client()
    assert client.get("/demo/tour/").status_code == 404
    with override_settings(ROOT_URLCONF=ADDRESSES):
        assert client.get("/demo/tour/").status_code == 404
    assert b"demobar" not in client.get("/login/").content


def test_a_post_that_is_none_is_not_found(demo: Client) -> None:
    assert demo.post("/demo/be/owner").status_code == 404
    assert demo.post("/demo/device/roof").status_code == 404
