"""A house keeps those who can give PINs, and two keys on the server bring it back."""

from __future__ import annotations

import io
import re
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import DatabaseError, connection, transaction
from django.test import Client

from pitboss.kinds import person_leaves
from pitboss.kinds.person import new_change
from pitboss.kinds.person_leaves import leaving_refusals
from pitboss.middleware import DEVICE_COOKIE
from pitboss.models import FloorException, JournalEntry, Person, PinEnrolment, Slip
from pitboss.rules.canonical import digest
from pitboss.rules.roles import Place, Role
from pitboss.services import house
from pitboss.services.break_glass import break_glass, make_keys, set_pin_by_keys
from pitboss.services.own_secrets import change_own_pin
from pitboss.services.pin_offers import Wanted
from pitboss.services.staffing import fields_of
from tests.floor.cast import Cast, ServerClock, add_person, refused
from tests.floor.pins import NEW_PIN, give_pin, offer
from tests.pitboss.test_staffing import approve, leaves, propose
from tests.races import at_once, hold_before

pytestmark = pytest.mark.django_db(transaction=True)

KEPT = ("act_refused",)


def demoted(cast: Cast, person: Person) -> Slip:
    new = new_change(person, replace(fields_of(person), role=Role.PIT_MANAGER))
    return propose(cast, new, by=cast.mike if person == cast.heidi else cast.heidi)


def test_the_last_two_shift_managers_stay(cast: Cast) -> None:
    with refused("too_few_shift_managers"):
        leaves(cast, cast.heidi, cast.mike)
    with refused("too_few_shift_managers"):
        demoted(cast, cast.heidi)
    nina = add_person("nina", "130", Role.SHIFT_MANAGER)
    Person.objects.filter(pk=nina.pk).update(pin_hash="")
    with refused("too_few_shift_managers"):
        leaves(cast, cast.heidi, cast.mike)
    give_pin(cast, nina, cast.heidi, cast.sybil, old_secret="a long pass phrase")
    assert leaves(cast, cast.heidi, cast.mike).status == "open"


def test_who_was_to_be_demoted_stays_when_another_went_before_it_was_approved(cast: Cast) -> None:
    nina = add_person("nina", "130", Role.SHIFT_MANAGER)
    slip = demoted(cast, cast.heidi)
    Person.objects.filter(pk=cast.mike.pk).update(is_active=False)
    with refused("too_few_shift_managers"):
        approve(cast, slip, by=nina)


def test_an_offer_of_a_new_pin_takes_no_shift_manager_away(cast: Cast) -> None:
    offer(cast, cast.heidi, cast.mike)
    assert house.able_people()[Role.SHIFT_MANAGER] == 2


def test_nobody_goes_whose_going_leaves_a_role_without_a_witness(cast: Cast) -> None:
    assert leaving_refusals(cast.dan.pk) == []
    # Of the three who look after the independent, the house can spare none but with a fourth.
    Person.objects.filter(pk=cast.judy.pk).update(is_active=False)
    codes = [refusal.code for refusal in leaving_refusals(cast.petra.pk)]
    assert codes == ["no_one_to_witness"]
    with refused("no_one_to_witness"):
        leaves(cast, cast.petra, cast.vera)
    add_person("otto", "131", Role.COMPLIANCE)
    assert leaves(cast, cast.petra, cast.vera).status == "open"


def test_two_who_are_put_out_at_once_leave_two_shift_managers(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    nina = add_person("nina", "130", Role.SHIFT_MANAGER)
    hold_before(monkeypatch, person_leaves, "leaving_refusals")
    results = at_once(
        lambda: leaves(cast, cast.heidi, nina), lambda: leaves(cast, cast.mike, cast.sybil)
    )
    assert house.able_people()[Role.SHIFT_MANAGER] == 2
    (codes,) = [result for result in results if isinstance(result, tuple)]
    assert "too_few_shift_managers" in codes


@pytest.mark.parametrize("change", ["is_active = false", "role = 'dealer'", "pin_hash = ''"])
def test_the_database_keeps_two_shift_managers(cast: Cast, change: str) -> None:
    statement = f"UPDATE pitboss_person SET version = version + 1, {change} WHERE badge = '108'"
    with (
        pytest.raises(DatabaseError, match="fewer than two shift managers"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(statement)


# ------------------------------------------------------------------ two keys


@pytest.fixture(autouse=True)
def data_folder(settings: Any, tmp_path: Path) -> Path:
    settings.PITBOSS_DATA = tmp_path
    return tmp_path / "keys" / "break_glass"


@pytest.fixture
def keys(cast: Cast) -> tuple[str, str]:
    return make_keys(server_account="ops")


def turn(keys: tuple[str, str], **changed: Any) -> str:
    call: dict[str, Any] = {"badge": "108", "reason": "Both lost their PIN."}
    return break_glass(**{"keys": keys, "server_account": "ops", **call, **changed})


def wanted(code: str, badge: str = "108") -> Wanted:
    return Wanted(badge, code, "", NEW_PIN)


def test_both_keys_bring_a_manager_back(cast: Cast, keys: tuple[str, str]) -> None:
    code = turn((keys[1], keys[0].lower()))
    person = set_pin_by_keys(wanted(code), device=cast.devices[Place.OFFICE])
    assert person == cast.heidi
    # At once a manager with every power: there is nobody else to act.
    assert person.pin_by_others_at is None
    assert offer(cast, cast.dan, cast.heidi, NEW_PIN)
    kinds = ["break_glass_keys_made", "break_glass", "pin_set_by_keys"]
    assert JournalEntry.objects.filter(kind__in=kinds).count() == 3
    assert FloorException.objects.filter(code="break_glass").count() == 3
    with refused("code_unknown", journal=KEPT):
        set_pin_by_keys(wanted(code), device=cast.devices[Place.OFFICE])


def test_one_key_opens_nothing(cast: Cast, keys: tuple[str, str]) -> None:
    for tried in ((keys[0], keys[0]), (keys[0], ""), ("", keys[1]), ("x", "y")):
        with refused("keys_wrong", journal=KEPT):
            turn(tried)


def test_only_their_hashes_are_kept_for_the_owner_alone(
    cast: Cast, keys: tuple[str, str], data_folder: Path
) -> None:
    text = data_folder.read_text()
    assert all(key not in text for key in keys)
    assert data_folder.stat().st_mode & 0o777 == 0o600


def test_keys_that_the_journal_does_not_know_open_nothing(
    cast: Cast, keys: tuple[str, str], data_folder: Path
) -> None:
    kept = data_folder.read_text()
    mine = make_keys(server_account="ops")
    data_folder.write_text(kept)
    for tried in (keys, mine):
        with refused("keys_not_vouched_for", journal=KEPT):
            turn(tried)
    data_folder.unlink()
    with refused("keys_missing", journal=KEPT):
        turn(keys)


def test_new_keys_of_an_open_house_rest_for_a_day(cast: Cast, server_clock: ServerClock) -> None:
    cast.deliver(cast.ask({2_500: 20}))
    cast.open_table({2_500: 20})
    keys = make_keys(server_account="ops")
    server_clock.move(hours=24, seconds=-1)
    with refused("keys_too_new", journal=KEPT):
        turn(keys)
    server_clock.move(seconds=1)
    assert turn(keys)


@pytest.mark.parametrize(
    ("changed", "code"),
    [
        ({"badge": "104"}, "wrong_role"),
        ({"badge": "999"}, "wrong_role"),
        ({"badge": "\x00"}, "badge_malformed"),
        ({"reason": " "}, "reason_missing"),
        ({"reason": "x" * 501}, "reason_missing"),
    ],
)
def test_the_keys_are_not_turned_otherwise(
    cast: Cast, keys: tuple[str, str], changed: dict[str, Any], code: str
) -> None:
    with refused(code, journal=KEPT):
        turn(keys, **changed)


@pytest.mark.parametrize(
    ("badge", "device", "code"),
    [
        ("115", True, "code_unknown"),
        ("108", False, "unknown_device"),
        ("\x00", True, "badge_malformed"),
    ],
)
def test_a_code_is_of_one_person_on_an_enrolled_device(
    cast: Cast, keys: tuple[str, str], badge: str, device: bool, code: str
) -> None:
    printed = turn(keys)
    with refused(code, journal=KEPT):
        set_pin_by_keys(
            wanted(printed, badge), device=cast.devices[Place.OFFICE] if device else None
        )


def test_a_code_ends_after_an_hour_or_with_the_next_offer(
    cast: Cast, keys: tuple[str, str], server_clock: ServerClock
) -> None:
    server_clock.move(hours=24)
    code = turn(keys)
    offer(cast, cast.heidi, cast.mike)
    with refused("code_unknown", journal=KEPT):
        set_pin_by_keys(wanted(code), device=cast.devices[Place.OFFICE])
    code = turn(keys)
    server_clock.move(hours=1)
    with refused("code_unknown", journal=KEPT):
        set_pin_by_keys(wanted(code), device=cast.devices[Place.OFFICE])


def test_no_code_of_an_offer_works_without_its_witness(cast: Cast) -> None:
    half = offer(cast, cast.heidi, cast.mike)
    with refused("code_unknown", journal=KEPT):
        set_pin_by_keys(wanted(half), device=cast.devices[Place.OFFICE])


def test_the_command_makes_and_turns_the_keys(cast: Cast, tmp_path: Path) -> None:
    printed = io.StringIO()
    call_command("break_glass", "keys", stdout=printed)
    found = re.findall(r"key +([0-9A-F-]{24})", printed.getvalue())
    assert len(set(found)) == 2
    files = []
    for number, key in enumerate(found):
        files.append(tmp_path / f"{number}")
        files[-1].write_text(f"{key}\n")
    asked = ["break_glass", "for", "108", "--reason", "Lost.", "--key-file", str(files[0])]
    with pytest.raises(CommandError, match="twice"):
        call_command(*asked)
    with pytest.raises(CommandError, match="aren’t the two"):
        call_command(*asked, "--key-file", str(files[0]))
    printed = io.StringIO()
    call_command(*asked, "--key-file", str(files[1]), stdout=printed)
    code = re.search(r"\b[0-9A-F]{16}\b", printed.getvalue())
    assert code is not None
    client = Client()
    office = cast.devices[Place.OFFICE]
    client.cookies[DEVICE_COOKIE] = office.name
    form = {"person_badge": "108", "code": code[0], "new_pin": NEW_PIN, "new_pin_again": NEW_PIN}
    assert client.get("/pin/keys/").status_code == 200
    assert client.post("/pin/keys/", {**form, "code": "0" * 16}).status_code == 422
    assert client.post("/pin/keys/", form).headers["Location"] == "/login/"
    change_own_pin(badge="108", old_pin=NEW_PIN, new_pin="902746", device=office)


def test_an_offer_of_the_keys_is_written_without_a_person(
    cast: Cast, keys: tuple[str, str]
) -> None:
    code = turn(keys)
    row = PinEnrolment.objects.get()
    assert (row.by_keys, row.offered_by, row.code_hash) == (True, None, digest(code))
    assert row.expires_at - row.offered_at == timedelta(hours=1)
