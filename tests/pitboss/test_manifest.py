"""Pitboss on a home screen: its description and icons are there, and it starts by place."""

from __future__ import annotations

import pytest
from django.contrib.staticfiles import finders
from django.test import Client
from django.urls import reverse

from pitboss.rules.roles import Place
from tests.floor.cast import Cast
from tests.floor.tablets import signed_in, words

pytestmark = pytest.mark.django_db


def test_a_browser_finds_what_it_needs_to_install_it(cast: Cast) -> None:
    assert f'rel="manifest" href="{reverse("manifest")}"' in words(Client().get(reverse("login")))
    answer = Client().get(reverse("manifest"))
    assert answer.headers["Content-Type"] == "application/manifest+json"
    described = answer.json()
    assert {"name", "short_name", "start_url", "display", "icons"} <= described.keys()
    assert {icon["sizes"] for icon in described["icons"]} == {"192x192", "512x512"}
    assert any(icon["purpose"] == "maskable" for icon in described["icons"])
    for icon in described["icons"]:
        name = icon["src"].rpartition("/")[2].split(".")[0]
        found = finders.find(f"pitboss/{name}.png")
        assert found
        with open(found, "rb") as file:
            assert file.read(8) == b"\x89PNG\r\n\x1a\n"


@pytest.mark.parametrize(
    ("who", "place", "page"),
    [
        ("alice", Place.PIT, "board"),
        ("erin", Place.CAGE, "cage"),
        ("frank", Place.SECURITY, "security"),
        ("ivan", Place.SURVEILLANCE, "surveillance"),
    ],
)
def test_it_starts_where_its_device_stands(cast: Cast, who: str, place: Place, page: str) -> None:
    start = Client().get(reverse("manifest")).json()["start_url"]
    home = signed_in(getattr(cast, who), cast, place).get(start)
    assert home.headers["Location"] == reverse(page)
