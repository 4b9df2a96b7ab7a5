"""The client that docs/api.md prints plays at a table, and is as short as the page says."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from time import sleep
from typing import Any

import pytest
from django.db import close_old_connections
from drf_spectacular.drainage import GENERATOR_STATS
from drf_spectacular.generators import SchemaGenerator
from pytest_django.live_server_helper import LiveServer

from pitboss.models import JournalEntry
from pitboss.rules.payouts.claims import CASE_FIELDS, read_claim
from pitboss.rules.paytables.printed import PAY_TABLES
from pitboss.rules.roles import Place
from pitboss.rules.wagers.extras import FIELDS
from pitboss.rules.wagers.settle import WAGERS, settle
from pitboss.services.devices import NewDevice
from tables.api.examples import CHECKS
from tables.models import PayoutCheck, Round
from tests.faults import own_database
from tests.faulty_proxy import FaultyProxy
from tests.floor.cast import Cast, let_device_in
from tests.rules.community import RULES

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
    new = NewDevice("Vendor", Place.PIT, table=cast.table)
    code = let_device_in(cast, new, by=cast.carol, second=cast.alice)
    client: dict[str, Any] = {"__name__": "client"}
    exec(printed_client(), client)
    rounds = client["play"](live_server.url, code, seconds=4)
    assert rounds >= 2
    assert Round.objects.exclude(ended_at=None).count() == rounds
    assert JournalEntry.objects.filter(kind="round_ended").count() == rounds
    assert PayoutCheck.objects.count() == 4 * rounds
    assert PayoutCheck.objects.filter(verdict="right").count() >= 2 * rounds
    assert not PayoutCheck.objects.filter(verdict="cannot_verify").exists()


def fail_in_turn(proxy: FaultyProxy) -> None:
    """Once a round is on: cut every line, lose the answer of a COMMIT, and hang; heal each time."""
    with own_database() as past:
        while past.execute("SELECT count(*) FROM tables_round").fetchone() == (0,):
            sleep(0.1)
    proxy.drop()
    sleep(1)
    proxy.heal()
    proxy.cut_answer_of(b"COMMIT", after=b'INSERT INTO "pitboss_storedanswer"')
    for _ in range(300):
        if proxy.cuts:
            break
        sleep(0.1)
    proxy.heal()
    sleep(1)
    proxy.hang()
    sleep(3)
    proxy.heal()


@pytest.mark.django_db(transaction=True)
def test_the_printed_client_survives_a_database_that_fails_and_does_everything_once(
    cast: Cast, database_proxy: FaultyProxy, live_server: LiveServer
) -> None:
    cast.deliver(cast.ask(COUNTED))
    cast.open_table(COUNTED)
    new = NewDevice("Vendor", Place.PIT, table=cast.table)
    code = let_device_in(cast, new, by=cast.carol, second=cast.alice)
    client: dict[str, Any] = {"__name__": "client"}
    exec(printed_client(), client)
    with ThreadPoolExecutor(1) as pool:
        failing = pool.submit(fail_in_turn, database_proxy)
        rounds = client["play"](live_server.url, code, seconds=15)
        failing.result()
    close_old_connections()
    assert database_proxy.cuts == 1
    assert Round.objects.exclude(ended_at=None).count() == rounds
    assert PayoutCheck.objects.count() == 4 * rounds


def test_the_schema_is_made_without_a_warning_and_tells_devices_from_terminals() -> None:
    GENERATOR_STATS.reset()
    schema = SchemaGenerator().get_schema(public=True)  # type: ignore[no-untyped-call]
    assert not GENERATOR_STATS
    schemes = schema["components"]["securitySchemes"]
    assert schemes.keys() == {"device", "terminal"}
    assert len({scheme["description"] for scheme in schemes.values()}) == 2


def test_the_schema_tells_checks_apart_by_their_wager() -> None:
    schema = SchemaGenerator().get_schema(public=True)  # type: ignore[no-untyped-call]
    shapes = schema["components"]["schemas"]
    mapping = shapes["CheckRequest"]["discriminator"]["mapping"]
    assert set(mapping) == set(FIELDS)
    for wager, shape in mapping.items():
        properties = shapes[shape.rpartition("/")[2]]["properties"]
        assert properties["wager"]["const"] == wager
        assert set(properties["extra"]["properties"]) == {field.name for field in FIELDS[wager]}


# What the table adds before it settles these: a meter, how its stadium is configured.
OF_THE_TABLE: dict[str, dict[str, Any]] = {
    "blazing_7s": {"jackpot_cents": 1_000_000},
    "stadium_blackjack": {"rules": RULES},
}


def test_the_schema_shows_the_example_of_every_wager() -> None:
    schema = SchemaGenerator().get_schema(public=True)  # type: ignore[no-untyped-call]
    body = schema["paths"]["/api/v1/checks"]["post"]["requestBody"]["content"]["application/json"]
    shown = {example["value"]["wager"] for example in body["examples"].values()}
    assert shown == CHECKS.keys()


@pytest.mark.parametrize("wager", WAGERS)
def test_every_wager_has_an_example_that_settles_as_it_says(wager: str) -> None:
    read_claim({"wager": wager, **CHECKS[wager]})
    # The bonuses of Face Up have no printed table: a house writes its own.
    printed = next(iter(PAY_TABLES[wager])) if wager in PAY_TABLES else {"pair": "2:1"}
    told = {name: CHECKS[wager][name] for name in CASE_FIELDS if name in CHECKS[wager]}
    if wager in OF_THE_TABLE:
        told["extra"] = {**told["extra"], **OF_THE_TABLE[wager]}
    settled = settle({"wager": wager, "paytable": printed, **told})
    if wager not in ("super_3", "blazing_7s"):
        assert settled.pushed_cents == CHECKS[wager]["paid_cents"]
