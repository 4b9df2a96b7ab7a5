"""A group reads a house over a socket: what the house signed is kept, proved and shown."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import psycopg
import pytest
from pytest_django.live_server_helper import LiveServer

from pitboss.models import Device
from pitboss.rules.group.signing import Purpose, is_signed, mark_of, public_key, sign_text
from pitboss.rules.group.statements import digest_of, read_statement
from pitboss.rules.roles import Place
from pitboss.services import house
from pitboss.services.devices import NewDevice
from pitboss.services.seals import write_seal
from tables.models import DayStatement
from tables.services.open_items import open_items
from tables.services.settling import settle_due_days
from tables.services.statements import state_due_days
from tests.floor.cast import Cast, ServerClock, let_device_in
from tests.floor.days import close_the_day
from tests.floor.drop_box import count_and_post, count_tray, pull
from tests.group.desk import Desk, a_desk, words
from tests.group.tls import behind_tls, make_certificates
from tests.other_systems import grant

pytestmark = pytest.mark.django_db(transaction=True)
TRAY = {10_000: 20, 2_500: 20}
SEED = "07" * 32
KEY = public_key(SEED)


@pytest.fixture(autouse=True)
def own_keys(settings: Any, tmp_path: Path) -> None:
    """Give each test a key of the house to sign with, and a seal file of its own."""
    settings.SEAL_FILE = tmp_path / "seals" / "seals.log"
    settings.KEYS = replace(settings.KEYS, statement_key=SEED)


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    with a_desk(tmp_path / "group") as made:
        yield made


class Lakeside:
    """The house of the test as the group knows it: played, closed, counted, stated."""

    def __init__(self, cast: Cast, clock: ServerClock, url: str) -> None:
        self.cast, self.clock, self.url = cast, clock, url

    def joins(self, desk: Desk) -> None:
        """Let the group's device in by two people, grant it its scope, and add the house."""
        new = NewDevice("group", Place.OFFICE)
        code = let_device_in(self.cast, new, by=self.cast.heidi, second=self.cast.mike)
        ended, said = desk.manage("add_house", "Lakeside", self.url, "--code", code, "--key", KEY)
        assert ended == 0, said
        grant(self.cast, "group.read", device="group")

    def plays_a_day(self) -> Any:
        """Play a day and close it; return its box, which is not counted yet."""
        self.cast.deliver(self.cast.ask(TRAY))
        self.cast.open_table(TRAY)
        self.cast.deliver(self.cast.ask({10_000: 10}))
        day = house.period_at(house.now()).gaming_day
        count_tray(self.cast, {10_000: 28, 2_500: 20})
        box = pull(self.cast)
        self.clock.move(days=1)
        close_the_day(self.cast, day, carry=[item.key for item in open_items(day)])
        self.states()
        return box

    def counts(self, box: Any) -> None:
        """Count and post a box: its day is restated, final."""
        count_and_post(self.cast, box, {"cash_10000": 150_000})
        self.clock.move(minutes=1)
        settle_due_days()
        self.states()

    def states(self) -> None:
        self.clock.move(minutes=10)
        write_seal(now=house.now())
        assert state_due_days(now=house.now()) == 1


@pytest.fixture
def lakeside(cast: Cast, server_clock: ServerClock, live_server: LiveServer) -> Lakeside:
    return Lakeside(cast, server_clock, live_server.url)


def test_a_group_pulls_proves_and_shows_what_a_house_signed(desk: Desk, lakeside: Lakeside) -> None:
    lakeside.joins(desk)
    box = lakeside.plays_a_day()
    ended, said = desk.manage("pull")
    assert (ended, "Lakeside: 1 statements" in said) == (0, True), said
    lakeside.counts(box)
    ended, said = desk.manage("pull")
    assert (ended, "Lakeside: 1 statements" in said) == (0, True), said
    ended, said = desk.manage("pull")
    assert (ended, "Lakeside: 0 statements" in said) == (0, True), said
    first, final = DayStatement.objects.order_by("number")
    assert desk.rows("SELECT number, text FROM group_statement ORDER BY 1") == [
        (1, first.text),
        (2, final.text),
    ]
    assert "2 statements are proved" in desk.manage("prove")[1]

    (line,) = read_statement(final.text).tables
    with desk.serving() as browser:
        status, page = browser.get("/")
        assert "Sign in" in words(page), "no page without signing in"
        assert browser.sign_in()[0] == 200
        status, page = browser.get("/?span=day&of=2026-05-01")
        assert status == 200
        assert (
            f"${(line.win_cents or 0) // 100:,}" in words(page).replace("−", "-")
            or (line.win_cents or 0) < 0
        )
        assert "$1,500" in words(page)
        assert "Up to date" in words(page)
        assert "restated" not in words(page), "it was not final before"
        assert "Lakeside" in words(browser.get("/?span=month&of=2026-05-09")[1])
        assert "No statement." in words(browser.get("/?span=day&of=2026-04-01")[1])
        (newest,) = desk.rows("SELECT id FROM group_statement WHERE number = 2")
        status, page = browser.get(f"/statements/{newest[0]}/")
        assert (status, "Proved now" in page) == (200, True)
        assert lakeside.cast.table.name in page
        file = json.loads(browser.get(f"/statements/{newest[0]}/file")[1])
        assert is_signed(KEY, Purpose.STATEMENT, file["text"], file["signature"])
        house_page = words(browser.get("/houses/1/")[1])
        assert "2, version 2" in house_page
        assert "1, version 1" in house_page


def test_a_changed_statement_is_kept_apart_and_shown_as_no_figure(
    desk: Desk, lakeside: Lakeside, owner_connection: Any
) -> None:
    lakeside.joins(desk)
    lakeside.plays_a_day()
    row = DayStatement.objects.get()
    said = read_statement(row.text)
    (line,) = said.tables
    changed = replace(said, tables=(replace(line, fills_cents=line.fills_cents + 100),))

    def becomes(text: str, signature: str) -> None:
        owner_connection.execute("ALTER TABLE tables_daystatement DISABLE TRIGGER never_changed")
        owner_connection.execute(
            "UPDATE tables_daystatement SET text = %s, signature = %s", [text, signature]
        )
        owner_connection.execute("ALTER TABLE tables_daystatement ENABLE TRIGGER never_changed")

    becomes(changed.text, row.signature)
    ended, words_said = desk.manage("pull")
    assert ended == 1
    assert "signature isn’t of this text" in words_said
    becomes(changed.text, sign_text("08" * 32, Purpose.STATEMENT, changed.text))
    assert desk.manage("pull")[0] == 1
    desk.manage("pull")
    assert desk.rows("SELECT count(*) FROM group_statement") == [(0,)]
    assert desk.rows("SELECT codes, digest FROM group_doubt") == [
        ("signature_wrong", digest_of(changed))
    ]
    with desk.serving() as browser:
        browser.sign_in()
        assert "Proof fails" in words(browser.get("/?of=2026-05-01")[1])
        assert "The signature isn’t of this text" in words(browser.get("/houses/1/")[1])
    becomes(row.text, row.signature)
    assert desk.manage("pull")[0] == 0, "it goes on as soon as the proof holds"


def test_a_key_that_is_not_on_file_proves_nothing_until_it_is_added(
    desk: Desk, lakeside: Lakeside, settings: Any
) -> None:
    lakeside.joins(desk)
    box = lakeside.plays_a_day()
    assert desk.manage("pull")[0] == 0
    new = "09" * 32
    settings.KEYS = replace(settings.KEYS, statement_key=new)
    lakeside.counts(box)
    ended, said = desk.manage("pull")
    assert (ended, f"key {mark_of(public_key(new))}, which isn’t on file" in said) == (1, True)
    assert desk.manage("add_house", "Lakeside", "--key", "zz")[0] == 1
    assert desk.manage("add_house", "Lakeside", "--key", public_key(new))[0] == 0
    assert desk.manage("pull")[0] == 0
    assert desk.manage("prove")[0] == 0


def test_a_desk_says_that_a_house_is_unreachable_refuses_or_was_set_back(
    desk: Desk, lakeside: Lakeside, owner_connection: Any
) -> None:
    lakeside.joins(desk)
    lakeside.plays_a_day()
    assert desk.manage("pull")[0] == 0
    grant(lakeside.cast, "group.read", "remove", device="group")
    ended, said = desk.manage("pull")
    assert (ended, "answered 403" in said) == (1, True), said
    grant(lakeside.cast, "group.read", device="group")
    owner_connection.execute("ALTER TABLE tables_daystatement DISABLE TRIGGER USER")
    owner_connection.execute("DELETE FROM tables_daystatement")
    owner_connection.execute("ALTER TABLE tables_daystatement ENABLE TRIGGER USER")
    ended, said = desk.manage("pull")
    assert (ended, "Its database was set back" in said) == (1, True), said
    with desk.owner() as owner:
        owner.execute("UPDATE group_house SET address = 'http://127.0.0.1:9'")
    ended, said = desk.manage("pull")
    assert ended == 1
    with desk.owner() as owner:
        owner.execute("UPDATE group_house SET address = %s", [lakeside.url])
        owner.execute("UPDATE group_house SET said_closed_to = '2026-04-20', trouble = ''")
        owner.execute("UPDATE group_house SET is_doubted = false")
    with desk.serving() as browser:
        browser.sign_in()
        assert "has closed days to Apr 20" in words(browser.get("/")[1])


def test_the_desks_database_refuses_what_the_desk_refuses(desk: Desk, lakeside: Lakeside) -> None:
    lakeside.joins(desk)
    lakeside.plays_a_day()
    assert desk.manage("pull")[0] == 0
    columns = ", ".join(
        name
        for (name,) in desk.rows(
            "SELECT column_name FROM information_schema.columns"
            " WHERE table_name = 'group_statement' AND column_name NOT IN"
            " ('id', 'number', 'gaming_day')"
        )
    )
    with desk.owner() as owner:
        for refused in ("UPDATE group_statement SET win_cents = 1", "DELETE FROM group_statement"):
            with pytest.raises(psycopg.errors.RestrictViolation, match="never changed"):
                owner.execute(refused)
        with pytest.raises(psycopg.errors.RestrictViolation, match="does not follow"):
            owner.execute(
                f"INSERT INTO group_statement ({columns}, number, gaming_day)"
                f" SELECT {columns}, 3, '2026-05-02' FROM group_statement"
            )
        owner.execute("ALTER TABLE group_statement DISABLE TRIGGER never_changed")
        owner.execute("UPDATE group_statement SET fills_cents = fills_cents + 100")
        owner.execute("ALTER TABLE group_statement ENABLE TRIGGER never_changed")
    ended, said = desk.manage("prove")
    assert (ended, "isn’t as the desk wrote it" in said) == (1, True), said
    with desk.serving() as browser:
        browser.sign_in()
        page = words(browser.get("/?of=2026-05-01")[1])
        assert "Proof fails" in page
        assert "$2,000" not in page
        assert "No figure of this statement is shown" in words(browser.get("/statements/1/")[1])


def test_the_desk_changes_its_token_before_it_ends(desk: Desk, lakeside: Lakeside) -> None:
    lakeside.joins(desk)
    before = Device.objects.get(name="group").token_hash
    with desk.owner() as owner:
        owner.execute("UPDATE group_house SET token_at = token_at - interval '2 days'")
    assert desk.manage("pull")[0] == 0
    device = Device.objects.get(name="group")
    assert device.token_hash != before
    assert desk.manage("pull")[0] == 0


def test_a_house_on_file_takes_up_another_token(desk: Desk, lakeside: Lakeside) -> None:
    lakeside.joins(desk)
    lakeside.plays_a_day()
    with desk.owner() as owner:
        owner.execute("UPDATE group_house SET token_cipher = 'b1:AAAA'")
    ended, said = desk.manage("pull")
    assert (ended, "Add the property again" in said) == (1, True), said
    device, cast = Device.objects.get(name="group"), lakeside.cast
    code = let_device_in(cast, device, by=cast.heidi, second=cast.mike)
    again = ("add_house", "Lakeside", lakeside.url, "--code", code, "--key", KEY)
    ended, said = desk.manage(*again)
    assert ended == 0, said
    assert desk.manage("pull")[0] == 0
    assert desk.rows("SELECT count(*) FROM group_house") == [(1,)]
    ended, said = desk.manage("add_house", "Seaside", *again[2:])
    assert (ended, "by another name" in said) == (1, True), said


def test_a_house_is_read_over_tls_by_a_certificate_that_the_desk_trusts(
    desk: Desk, lakeside: Lakeside, tmp_path: Path
) -> None:
    trusted, served = make_certificates(tmp_path / "tls")
    with behind_tls(lakeside.url, served) as url:
        lakeside.url, desk.authority = url, str(trusted)
        lakeside.joins(desk)
        lakeside.plays_a_day()
        assert "1 statements" in desk.manage("pull")[1]
        desk.authority = ""
        ended, said = desk.manage("pull")
        assert (ended, "The certificate isn’t valid" in said) == (1, True), said


def test_no_page_is_shown_to_who_is_not_signed_in_and_none_changes_anything(
    desk: Desk, lakeside: Lakeside
) -> None:
    lakeside.joins(desk)
    lakeside.plays_a_day()
    desk.manage("pull")
    listed = desk.manage("shell", "--verbosity=0", typed=_ROUTES)[1]
    routes = json.loads(listed[listed.index("[") : listed.rindex("]") + 1])
    paths = [re.sub("<int:[a-z_]+>", "1", each) for each in routes]
    assert "statements/1/file" in paths
    assert not any("<" in path for path in paths)
    with desk.serving() as browser:
        for path in paths:
            if path in ("livez", "login/", "logout/"):
                continue
            _, page = browser.get(f"/{path}")
            assert "Lakeside" not in page, path
            assert 'name="password"' in page, path
        assert browser.get("/livez") == (200, "ok")
        for _ in range(5):
            assert browser.sign_in("wrong")[0] == 403
        assert browser.sign_in()[0] == 403, "five wrong passwords lock the name"
        with desk.owner() as owner:
            owner.execute("UPDATE group_reader SET locked_until = NULL")
        assert browser.sign_in()[0] == 200
        for path in paths:
            if path in ("login/", "logout/"):
                continue
            assert browser.get(f"/{path}")[0] == 200, path
            status, _ = browser.post(f"/{path}", anything="1")
            assert status == 405, path
        desk.manage("reader", "Greta", "--remove")
        assert 'name="password"' in browser.get("/")[1], "a session ends with its reader"


_ROUTES = """
import json
from pitboss.group.urls import urlpatterns
print(json.dumps([str(each.pattern) for each in urlpatterns]))
"""


def test_the_desk_adds_no_house_without_a_good_address_and_key(
    desk: Desk, lakeside: Lakeside
) -> None:
    for address, key, reason in (
        ("http://pit.example.com", KEY, "must begin with https"),
        ("https://pit.example.com/x", KEY, "like https://pit.example.com"),
        (lakeside.url, "00", "64 hex digits"),
        (lakeside.url, KEY, "answered 422"),
        ("http://127.0.0.1:9", KEY, "Not reached"),
    ):
        ended, said = desk.manage("add_house", "X", address, "--code", "AAAA-AAAA", "--key", key)
        assert (ended, reason in said) == (1, True), said
    assert desk.rows("SELECT count(*) FROM group_house") == [(0,)]
