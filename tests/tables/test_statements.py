"""Closed days stated to a group: signed, chained to each other and to the seals, once a version."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError
from pytest_django.live_server_helper import LiveServer

from pitboss.models import JournalEntry, JournalSeal
from pitboss.rules.group.signing import mark_of, public_key
from pitboss.rules.group.statements import (
    NOTHING_HELD,
    Held,
    Statement,
    proof_refusals,
    read_statement,
)
from pitboss.services import house
from pitboss.services.seals import write_seal
from pitboss.services.verification import verify
from tables.models import DayStatement, SettledWin
from tables.selectors.table_days import table_days
from tables.services import statements
from tables.services.open_items import open_items
from tables.services.settling import settle_due_days
from tables.services.statements import due_days, state_due_days
from tests.floor.cast import Cast, ServerClock
from tests.floor.days import close_the_day
from tests.floor.drop_box import count_and_post, count_tray, pull
from tests.other_systems import OtherSystem, grant, system_at
from tests.races import at_once, hold_before

pytestmark = pytest.mark.django_db(transaction=True)
TRAY = {10_000: 20, 2_500: 20}
SEED = "07" * 32
KEYS = {mark_of(public_key(SEED)): public_key(SEED)}


@pytest.fixture(autouse=True)
def own_keys(settings: Any, tmp_path: Path) -> None:
    """Give each test a key to sign with, and a seal file of its own."""
    settings.PITBOSS_DATA = tmp_path
    settings.SEAL_FILE = tmp_path / "seals" / "seals.log"
    sign_with(settings, SEED)


def sign_with(settings: Any, key: str) -> None:
    settings.KEYS = replace(settings.KEYS, statement_key=key)


@pytest.fixture
def system(cast: Cast, live_server: LiveServer) -> OtherSystem:
    return system_at(live_server.url, cast)


def played_day(cast: Cast, server_clock: ServerClock) -> tuple[date, Any]:
    """Play a day and close it; return the day and its box, which is not counted yet."""
    cast.deliver(cast.ask(TRAY))
    cast.open_table(TRAY)
    cast.deliver(cast.ask({10_000: 10}))
    day = house.period_at(house.now()).gaming_day
    count_tray(cast, {10_000: 28, 2_500: 20})
    box = pull(cast)
    server_clock.move(days=1)
    close_the_day(cast, day, carry=[item.key for item in open_items(day)])
    return day, box


def seal_later(server_clock: ServerClock) -> None:
    server_clock.move(minutes=10)
    write_seal(now=house.now())


def read(row: DayStatement) -> Statement:
    return read_statement(row.text)


def held(row: DayStatement, version: int) -> Held:
    said = read(row)
    return Held(row.number, row.digest, said.house, said.seal, version)


def test_a_closed_day_is_stated_once_and_again_when_it_is_final(
    cast: Cast, system: OtherSystem, server_clock: ServerClock
) -> None:
    grant(cast, "group.read")
    day, box = played_day(cast, server_clock)
    assert state_due_days(now=house.now()) == 0, "no seal covers it yet"
    write_seal(now=house.now())
    grant(cast, "staff.read")
    assert state_due_days(now=house.now()) == 0, "more was written since, and may be of the day"
    seal_later(server_clock)
    assert state_due_days(now=house.now()) == 1
    assert (due_days(), state_due_days(now=house.now())) == ([], 0)

    count_and_post(cast, box, {"cash_10000": 150_000})
    server_clock.move(minutes=1)
    assert settle_due_days() == 1
    seal_later(server_clock)
    assert state_due_days(now=house.now()) == 1
    first, second = DayStatement.objects.order_by("number")

    status, answer = system.get("statements")
    assert status == 200
    assert [each["text"] for each in answer["items"]] == [first.text, second.text]
    assert (answer["newest"], answer["closed_to"], answer["is_whole"]) == (2, str(day), True)
    early, final = (read_statement(each["text"]) for each in answer["items"])
    assert (early.version, early.is_final) == (1, False)
    assert (final.version, final.is_final) == (2, True)
    (won,) = table_days(day, day)
    (line,) = final.tables
    assert (line.win_cents, line.drop_cents) == (won.win_cents, 150_000)
    assert line.fills_cents == won.figures.fills_cents
    for item, statement, before in zip(
        answer["items"], (early, final), (NOTHING_HELD, held(first, 1)), strict=True
    ):
        assert not proof_refusals(
            statement,
            key_mark=item["key_mark"],
            signature=item["signature"],
            keys=KEYS,
            held=before,
        )
    sealed = JournalSeal.objects.get(number=final.seal.number)
    assert sealed.link == final.seal.link
    assert sealed.at > SettledWin.objects.get().settled_at
    status, answer = system.get(f"statements?after={first.number}")
    assert [each["number"] for each in answer["items"]] == [2]
    assert JournalEntry.objects.filter(kind="day_stated").count() == 2
    assert verify().is_sound


def test_a_database_that_was_set_back_is_told_by_the_next_statement(
    cast: Cast, system: OtherSystem, server_clock: ServerClock, owner_connection: Any
) -> None:
    grant(cast, "group.read")
    _, box = played_day(cast, server_clock)
    seal_later(server_clock)
    state_due_days(now=house.now())
    first = DayStatement.objects.get()
    owner_connection.execute("ALTER TABLE pitboss_journalseal DISABLE TRIGGER USER")
    owner_connection.execute(
        "UPDATE pitboss_journalseal SET link = repeat('0', 64) WHERE number = %s",
        [read(first).seal.number],
    )
    owner_connection.execute("ALTER TABLE pitboss_journalseal ENABLE TRIGGER USER")
    count_and_post(cast, box, {"cash_10000": 150_000})
    server_clock.move(minutes=1)
    settle_due_days()
    seal_later(server_clock)
    assert state_due_days(now=house.now()) == 1
    second = DayStatement.objects.get(number=2)
    found = proof_refusals(
        read(second),
        key_mark=second.key_mark,
        signature=second.signature,
        keys=KEYS,
        held=held(first, 1),
    )
    assert [each.code for each in found] == ["seals_broken"]


def test_nothing_is_stated_for_no_one_or_without_a_key(
    cast: Cast, system: OtherSystem, server_clock: ServerClock, settings: Any
) -> None:
    played_day(cast, server_clock)
    seal_later(server_clock)
    assert state_due_days(now=house.now()) == 0
    grant(cast, "group.read")
    sign_with(settings, "")
    assert state_due_days(now=house.now()) == 0
    status, problem = system.get("statements")
    assert (status, problem["refusals"][0]["code"]) == (409, "no_statement_key")
    sign_with(settings, SEED)
    assert system.get("statements")[1]["newest"] == 0
    grant(cast, "group.read", "remove")
    assert state_due_days(now=house.now()) == 0
    assert system.get("statements")[0] == 403
    assert system.get("statements?after=x")[0] == 403


def test_two_workers_state_a_day_once(
    cast: Cast,
    system: OtherSystem,
    server_clock: ServerClock,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    grant(cast, "group.read")
    played_day(cast, server_clock)
    seal_later(server_clock)
    now = house.now()
    hold_before(monkeypatch, statements, "table_days")
    acts = [lambda: state_due_days(now=now)] * 2
    assert sorted(at_once(*acts)) == [0, 1]
    assert DayStatement.objects.get().number == 1


def test_the_database_refuses_a_second_version_one(
    cast: Cast, system: OtherSystem, server_clock: ServerClock
) -> None:
    grant(cast, "group.read")
    played_day(cast, server_clock)
    seal_later(server_clock)
    state_due_days(now=house.now())
    row = DayStatement.objects.get()
    row.pk, row.number, row.digest = None, 2, "0" * 64
    with pytest.raises(IntegrityError, match="day_stated_once_a_version"):
        row.save(force_insert=True)


def test_the_key_is_made_once_and_shown(settings: Any, tmp_path: Path) -> None:
    sign_with(settings, "")
    with pytest.raises(CommandError, match="has no key"):
        call_command("statement_key")
    out = StringIO()
    call_command("statement_key", "--make", stdout=out)
    key = (tmp_path / "keys" / "statement_key").read_text().strip()
    assert public_key(key) in out.getvalue()
    assert key not in out.getvalue()
    sign_with(settings, key)
    with pytest.raises(CommandError, match="already"):
        call_command("statement_key", "--make")
    call_command("statement_key", "--renew", stdout=out)
    assert (tmp_path / "keys" / "statement_key").read_text().strip() != key
