"""The client that docs/api.md prints plays at a table, and is as short as the page says."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from drf_spectacular.drainage import GENERATOR_STATS
from drf_spectacular.generators import SchemaGenerator
from pytest_django.live_server_helper import LiveServer

from pitboss.models import JournalEntry
from pitboss.rules.roles import Place
from pitboss.services.devices import offer_device
from tables.models import PayoutCheck, Round
from tests.cast import Cast

COUNTED = {10_000: 40, 2_500: 80, 500: 100, 100: 40}
PAGE = Path(__file__).resolve().parents[2] / "docs" / "api.md"


def printed_client() -> str:
    (client,) = re.findall(r"```python\n(.*?)```", PAGE.read_text(), flags=re.DOTALL)
    return str(client)


def test_the_printed_client_has_fewer_than_a_hundred_lines() -> None:
    assert len(printed_client().splitlines()) < 100


@pytest.mark.django_db(transaction=True)
def test_the_printed_client_plays_at_a_table(cast: Cast, live_server: LiveServer) -> None:
    cast.deliver(cast.ask(COUNTED))
    cast.open_table(COUNTED)
    code = offer_device(
        name="Vendor", place=Place.PIT, pit=None, table=cast.table, actor=cast.carol
    )
    client: dict[str, Any] = {"__name__": "client"}
    exec(printed_client(), client)
    rounds = client["play"](live_server.url, code, seconds=4)
    assert rounds >= 2
    assert Round.objects.exclude(ended_at=None).count() == rounds
    assert JournalEntry.objects.filter(kind="round_ended").count() == rounds
    assert PayoutCheck.objects.count() == 4 * rounds
    assert PayoutCheck.objects.filter(verdict="right").count() >= 2 * rounds
    assert not PayoutCheck.objects.filter(verdict="cannot_verify").exists()


def test_the_schema_is_made_without_a_warning_and_tells_devices_from_terminals() -> None:
    GENERATOR_STATS.reset()  # type: ignore[no-untyped-call]
    schema = SchemaGenerator().get_schema(public=True)  # type: ignore[no-untyped-call]
    assert not GENERATOR_STATS
    schemes = schema["components"]["securitySchemes"]
    assert schemes.keys() == {"device", "terminal"}
    assert len({scheme["description"] for scheme in schemes.values()}) == 2
