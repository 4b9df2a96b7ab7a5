"""What a tablet on a patchy line loads before it shows anything: under 100 KB in all."""

from __future__ import annotations

import gzip
import re

import pytest
from django.contrib.staticfiles import finders
from django.test import Client

from pitboss.middleware import DEVICE_COOKIE
from pitboss.models import Device
from pitboss.rules.canonical import digest
from pitboss.rules.roles import Place
from tests.floor.cast import Cast

pytestmark = pytest.mark.django_db
PAINT_BYTES_MAX = 100_000
# A table's tile, compressed, is about this much; a pit shows twelve without scrolling.
TILE_BYTES, TILES = 700, 12


def test_a_first_paint_of_the_board_is_under_100_kb(cast: Cast) -> None:
    Device.objects.filter(pk=cast.devices[Place.PIT].pk).update(token_hash=digest("token"))
    client = Client(headers={"accept-encoding": "gzip"})
    client.cookies[DEVICE_COOKIE] = "token"
    client.force_login(cast.alice)
    answer = client.get("/board/", follow=True)
    assert answer.headers["Content-Encoding"] == "gzip"
    page = gzip.decompress(answer.content).decode()
    files = set(re.findall(r'(?:src|href)="/static/([^"#]+)', page))
    assert len(files) > 10
    static_bytes = 0
    for name in files:
        path = finders.find(name)
        assert isinstance(path, str), name
        with open(path, "rb") as file:
            static_bytes += len(gzip.compress(file.read()))
    assert static_bytes + len(answer.content) + TILE_BYTES * TILES < PAINT_BYTES_MAX
