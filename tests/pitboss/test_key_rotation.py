"""A new key takes over, and what the old one made still verifies."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import environ
import pytest
from cryptography.fernet import Fernet, MultiFernet
from django.core.management import CommandError, call_command
from django.db import DatabaseError

from pitboss.keys import Keys, key_mark
from pitboss.models import JournalEntry, JournalSeal
from pitboss.rules.refusal import Refused
from pitboss.services import house, journal, seals
from pitboss.services.key_rotation import Rotating, rotate_key
from pitboss.services.verification import Wrong, verify
from tests.floor.cast import Cast

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def key_folder(settings: Any, tmp_path: Path) -> Path:
    """Give each test a data folder of its own, with the keys of this run."""
    folder = tmp_path / "keys"
    folder.mkdir()
    for name, text in settings.KEYS.as_files().items():
        (folder / name).write_text(text)
    settings.PITBOSS_DATA = tmp_path
    settings.SEAL_FILE = tmp_path / "seals" / "seals.log"
    return folder


def start_anew(settings: Any, folder: Path) -> None:
    settings.KEYS = Keys.load(environ.Env(), folder, required=True)


def test_old_entries_verify_and_new_ones_use_the_new_key(
    cast: Cast, settings: Any, key_folder: Path
) -> None:
    slip = cast.ask()
    seals.write_seal(now=house.now())
    assert rotate_key(which=Rotating.JOURNAL) == "journal-2"
    start_anew(settings, key_folder)
    cast.deliver(slip)
    seals.write_seal(now=house.now())

    assert verify().findings == []
    used = JournalEntry.objects.order_by("pk").values_list("key_name", flat=True)
    assert set(used) == {"journal-1", "journal-2"}
    assert list(used) == sorted(used)
    by_seal = JournalSeal.objects.order_by("number").values_list("key_name", flat=True)
    assert list(by_seal) == ["journal-1", "journal-2"]
    # The old key is needed still: without it nothing that it made can be believed.
    settings.KEYS.journal_keys.pop("journal-1")
    assert Wrong.UNKNOWN_KEY in {finding.code for finding in verify().findings}


def test_the_old_key_vouches_for_the_new_one(settings: Any, key_folder: Path) -> None:
    rotate_key(which=Rotating.JOURNAL)
    entry = JournalEntry.objects.get(kind="key_rotated")
    start_anew(settings, key_folder)

    assert (entry.chain.name, entry.key_name) == (journal.HOUSE, "journal-1")
    new = settings.KEYS.journal_keys["journal-2"]
    assert json.loads(entry.text)["body"] == {
        "key": "journal",
        "name": "journal-2",
        "mark": key_mark(new),
    }
    assert new.decode() not in entry.text
    assert settings.KEYS.journal_key_name == "journal-2"
    assert list(settings.KEYS.journal_keys) == ["journal-2", "journal-1"]


def test_what_an_old_field_key_hid_can_still_be_read(settings: Any, key_folder: Path) -> None:
    old = settings.KEYS.field_keys
    hidden = Fernet(old[0]).encrypt(b"a player's number")
    name = rotate_key(which=Rotating.FIELD)
    start_anew(settings, key_folder)

    new, *rest = settings.KEYS.field_keys
    assert tuple(rest) == old
    assert name == f"field-{key_mark(new.encode())}"
    both = MultiFernet([Fernet(key) for key in settings.KEYS.field_keys])
    assert both.decrypt(hidden) == b"a player's number"
    assert Fernet(new).decrypt(both.encrypt(b"next")) == b"next"


def test_the_file_is_for_its_owner_alone_and_nothing_lies_beside_it(key_folder: Path) -> None:
    before = sorted(path.name for path in key_folder.iterdir())
    rotate_key(which=Rotating.JOURNAL)
    rotate_key(which=Rotating.JOURNAL)

    assert (key_folder / "journal_keys").stat().st_mode & 0o777 == 0o600
    assert sorted(path.name for path in key_folder.iterdir()) == before
    lines = (key_folder / "journal_keys").read_text().splitlines()
    names = [line.partition(":")[0] for line in lines]
    assert names == ["journal-3", "journal-2", "journal-1"]


def test_a_key_that_cannot_be_journalled_is_not_made(key_folder: Path, settings: Any) -> None:
    before = (key_folder / "journal_keys").read_text()
    # Longer than its column.
    name = "x" * 99
    settings.KEYS = replace(settings.KEYS, journal_key_name=name, journal_keys={name: b"y" * 64})

    with pytest.raises(DatabaseError):
        rotate_key(which=Rotating.JOURNAL)
    assert (key_folder / "journal_keys").read_text() == before


def test_keys_of_the_environment_are_not_rotated_in_a_file(
    key_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PITBOSS_JOURNAL_KEYS", f"mine:{'0' * 64}")
    before = (key_folder / "journal_keys").read_text()

    with pytest.raises(Refused) as caught:
        rotate_key(which=Rotating.JOURNAL)
    assert caught.value.codes == ("key_in_environment",)
    assert (key_folder / "journal_keys").read_text() == before


def test_a_missing_file_is_not_begun_anew(key_folder: Path) -> None:
    (key_folder / "field_keys").unlink()

    with pytest.raises(Refused) as caught:
        rotate_key(which=Rotating.FIELD)
    assert caught.value.codes == ("key_missing",)
    assert not JournalEntry.objects.filter(kind="key_rotated").exists()


def test_the_command_says_what_to_do_next(key_folder: Path) -> None:
    said = io.StringIO()
    call_command("rotate_key", "journal", stdout=said)
    assert "journal-2 is the journal key from the next start." in said.getvalue()
    with pytest.raises(CommandError):
        call_command("rotate_key", "pepper")
