"""The seal file is never filled again in silence, and sealing cannot stop unheard."""

from __future__ import annotations

import json
import socket
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from pitboss.models import FloorException, JournalEntry, JournalSeal, SealingState, Waiting
from pitboss.rules.canonical import canonical
from pitboss.rules.roles import Place
from pitboss.selectors.record_health import SEALING_SECONDS_MAX, record_parts
from pitboss.services import house, seals
from pitboss.services.journal import make_link
from pitboss.services.seal_acceptance import accept_seal_file
from pitboss.services.seal_file import line_of
from pitboss.services.verification import Wrong, verify
from pitboss.tasks import watch_record, write_seal
from tests.floor.cast import Cast, pin_of, refused
from tests.floor.tablets import words
from tests.full_disks import room_for
from tests.test_access import signed_in

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def seal_file(cast: Cast, settings: Any) -> Path:
    """Seal three acts of a house."""
    for _ in range(3):
        act_and_seal(cast)
    assert record_parts()["sealing"]["status"] == "ok"
    return Path(settings.SEAL_FILE)


def act_and_seal(cast: Cast) -> None:
    cast.ask()
    assert seals.write_seal(now=house.now()) is not None


def numbers(path: Path) -> list[int]:
    return [json.loads(line)["seal"]["number"] for line in path.read_text().splitlines()]


def shown(cast: Cast) -> str:
    desk = signed_in(cast.olga, cast.devices[Place.OFFICE])
    return words(desk.get(reverse("audit")))


def healthz() -> tuple[int, Any]:
    answer = Client().get("/healthz?parts=sealing")
    return answer.status_code, json.loads(answer.content)["sealing"]


def cut(bytes_kept: int) -> Callable[[Path], object]:
    return lambda path: path.write_bytes(path.read_bytes()[:bytes_kept])


def rewrite(path: Path) -> None:
    path.write_text(path.read_text().replace("cage", "cave"))


SPOILING = {
    "deleted": (Path.unlink, "missing"),
    "emptied": (cut(0), "missing"),
    "cut within a line": (cut(900), "shortened"),
    "cut by its last byte": (cut(-1), "shortened"),
    "replaced": (rewrite, "rewritten"),
    "added to": (lambda path: path.write_text(path.read_text() + "{}\n"), "rewritten"),
}


@pytest.mark.parametrize("how", SPOILING)
def test_a_file_that_lost_something_is_an_alarm_and_is_not_filled_again(
    cast: Cast, seal_file: Path, how: str
) -> None:
    spoil, found = SPOILING[how]
    spoil(seal_file)
    before = seal_file.read_bytes() if seal_file.exists() else b""

    # Nothing moved, and yet a seal is due: it says what was found.
    seal = seals.write_seal(now=house.now())
    assert seal is not None
    body = json.loads(seal.text)["file"]
    assert (body["found"], body["bytes"]) == (found, len(before))
    assert seal_file.read_bytes().startswith(before)
    added = seal_file.read_bytes()[len(before) :].decode().strip().splitlines()
    assert [json.loads(line)["seal"]["number"] for line in added] == [4]

    exception = FloorException.objects.get(code="seal_file")
    assert Waiting.objects.get(exception=exception).by == ["auditor"]
    status, told = healthz()
    # How long ago it was sealed may be a second more by now.
    assert (status, told["why"]) == (503, record_parts()["sealing"]["why"])
    assert record_parts()["sealing"]["why"] == "seal_file"
    assert "The seal file was changed." in shown(cast)
    assert Wrong.SEAL_FILE_BROKEN in {finding.code for finding in verify().findings}

    # It goes on, and the same loss is told once.
    act_and_seal(cast)
    assert "found" not in json.loads(JournalSeal.objects.get(number=5).text)["file"]
    assert FloorException.objects.filter(code="seal_file").count() == 1


def test_an_auditor_accepts_the_file_with_a_reason_and_then_all_is_well(
    cast: Cast, seal_file: Path
) -> None:
    cut(900)(seal_file)
    act_and_seal(cast)
    sign = {"device": cast.devices[Place.OFFICE]}
    with refused("wrong_role", journal=["act_refused"]):
        accept_seal_file(reason="Disk", badge=cast.dan.badge, pin=pin_of(cast.dan.badge), **sign)
    auditor: dict[str, Any] = {"badge": cast.olga.badge, "pin": pin_of(cast.olga.badge), **sign}
    with refused("reason_missing", journal=["act_refused"]):
        accept_seal_file(reason=" ", **auditor)
    with refused("unknown_device", journal=["act_refused"]):
        accept_seal_file(reason="Disk", **(auditor | {"device": None}))

    assert accept_seal_file(reason="The disk was exchanged.", **auditor) == 4

    entry = JournalEntry.objects.get(kind="seal_file_accepted")
    assert json.loads(entry.text)["body"]["reason"] == "The disk was exchanged."
    assert entry.person == cast.olga
    assert FloorException.objects.get(code="seal_file").resolved_by == cast.olga
    assert record_parts()["sealing"]["status"] == "ok"
    assert verify().findings == []
    act_and_seal(cast)
    assert verify().findings == []
    with refused("nothing_to_accept", journal=["act_refused"]):
        accept_seal_file(reason="Again", **auditor)

    # What it has since is held to as before.
    cut(-1)(seal_file)
    act_and_seal(cast)
    assert [finding.code for finding in verify().findings] == [Wrong.SEAL_FILE_BROKEN]


def test_who_explains_the_exception_accepts_the_file(cast: Cast, seal_file: Path) -> None:
    seal_file.unlink()
    act_and_seal(cast)
    desk = signed_in(cast.olga, cast.devices[Place.OFFICE])
    exception = FloorException.objects.get(code="seal_file")
    answer = desk.post(
        reverse("exception", args=[exception.pk]),
        {
            "badge": cast.olga.badge,
            "pin": pin_of(cast.olga.badge),
            "reason": "The disk was exchanged.",
            "request_id": str(uuid4()),
        },
    )
    assert answer.status_code == 302
    assert JournalEntry.objects.filter(kind="seal_file_accepted").count() == 1
    assert record_parts()["sealing"]["status"] == "ok"
    assert verify().findings == []


def test_the_command_accepts_the_file(
    cast: Cast, seal_file: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    seal_file.unlink()
    act_and_seal(cast)
    command = "pitboss.management.commands.accept_seal_file.getpass"
    fields = {
        "badge": cast.olga.badge,
        "device": cast.devices[Place.OFFICE].name,
        "reason": "Moved",
    }
    monkeypatch.setattr(command, lambda _: "000000")
    with pytest.raises(CommandError, match="PIN"):
        call_command("accept_seal_file", **fields)
    monkeypatch.setattr(command, lambda _: pin_of(cast.olga.badge))
    call_command("accept_seal_file", **fields)
    assert "goes on from seal 4" in capsys.readouterr().out


def test_a_missing_file_is_named_by_verification_before_the_next_seal(seal_file: Path) -> None:
    seal_file.unlink()
    assert [finding.code for finding in verify().findings] == [Wrong.SEAL_FILE_BROKEN]


def test_a_full_disk_is_heard_and_the_seal_is_made_all_the_same(
    cast: Cast, seal_file: Path
) -> None:
    with room_for(seal_file):
        act_and_seal(cast)
    assert numbers(seal_file) == [1, 2, 3]
    assert JournalSeal.objects.count() == 4
    assert "cannot be written" in FloorException.objects.get(code="sealing_failed").sentence
    assert record_parts()["sealing"]["why"] == "failed"
    assert healthz()[0] == 503
    assert "A seal could not be written to every place." in shown(cast)

    # Once there is room the file has every seal, and the exception waits to be explained.
    seals.write_seal(now=house.now())
    assert numbers(seal_file)[:4] == [1, 2, 3, 4]
    assert healthz()[0] == 200
    assert FloorException.objects.get(code="sealing_failed").resolved_at is None
    assert not FloorException.objects.filter(code="seal_file").exists()
    assert verify().findings == []


@pytest.mark.parametrize("why", ["late", "never"])
def test_sealing_that_stopped_is_told_to_audit_and_surveillance(
    cast: Cast, seal_file: Path, why: str
) -> None:
    watch_record.delay()
    assert not FloorException.objects.filter(code="sealing_failed").exists()
    late = house.now() - timedelta(seconds=SEALING_SECONDS_MAX + 1)
    SealingState.objects.update(went_well_at=late if why == "late" else None)

    watch_record.delay()
    watch_record.delay()

    exception = FloorException.objects.get(code="sealing_failed")
    assert Waiting.objects.get(exception=exception).by == ["auditor", "surveillance"]
    assert record_parts()["sealing"]["why"] == why
    assert healthz()[0] == 503
    assert exception.sentence in shown(cast)


def test_a_state_that_claims_the_future_is_not_believed(seal_file: Path) -> None:
    SealingState.objects.update(went_well_at=house.now() + timedelta(hours=1))
    assert record_parts()["sealing"]["why"] == "late"


def test_seals_go_to_a_second_file_too_from_when_it_is_named(
    cast: Cast, seal_file: Path, settings: Any, tmp_path: Path
) -> None:
    settings.SEAL_COPY = tmp_path / "elsewhere" / "copy.log"
    act_and_seal(cast)
    act_and_seal(cast)
    assert numbers(settings.SEAL_COPY) == [4, 5]
    assert settings.SEAL_COPY.read_text() == "".join(
        seal_file.read_text().splitlines(keepends=True)[3:]
    )

    with room_for(settings.SEAL_COPY):
        act_and_seal(cast)
    assert "second seal file" in SealingState.objects.get().trouble
    write_seal.delay()
    assert numbers(settings.SEAL_COPY)[:3] == [4, 5, 6]


def test_seals_go_to_the_log_of_another_machine(cast: Cast, seal_file: Path, settings: Any) -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as log:
        log.bind(("127.0.0.1", 0))
        log.settimeout(5)
        settings.SEAL_SYSLOG = f"127.0.0.1:{log.getsockname()[1]}"
        act_and_seal(cast)
        heard = log.recv(2_000).decode()
    assert (
        f"pitboss-seal number=4 key=journal-1 link={JournalSeal.objects.get(number=4).link}"
        in heard
    )

    settings.SEAL_SYSLOG = "/nowhere/log"
    act_and_seal(cast)
    assert "cannot be sent" in SealingState.objects.get().trouble


def test_the_record_is_verified_against_a_copy(
    cast: Cast, seal_file: Path, tmp_path: Path, owner_connection: Any, capsys: Any
) -> None:
    copy, log = tmp_path / "copy.log", tmp_path / "syslog"
    copy.write_bytes(seal_file.read_bytes())
    third = JournalSeal.objects.get(number=3)
    log.write_text(
        "Nov 16 20:00:00 pit cron: something else\n"
        f"Nov 16 20:00:01 pit pitboss-seal number=3 key=journal-1 link={third.link}\n"
    )
    for path in (copy, log):
        call_command("verify_journal", "--quiet", "--against", str(path))

    # Whoever rewrites database and file together, with the key, is found by the copy.
    forge(owner_connection, third, seal_file)
    assert verify().findings == []
    for item in (copy, log):
        with pytest.raises(SystemExit):
            call_command("verify_journal", "--quiet", "--against", str(item))
        assert "is not the database's. [seal_file_differs]" in capsys.readouterr().out
    with pytest.raises(CommandError, match="cannot be read"):
        call_command("verify_journal", "--against", str(tmp_path / "nothing"))


def forge(owner: Any, seal: JournalSeal, seal_file: Path) -> None:
    """Make the newest seal anew, as only who has the key could, in the database and in the file."""
    body = json.loads(seal.text)
    text = canonical(body | {"moved": {}})
    before = JournalSeal.objects.get(number=seal.number - 1).link
    link = make_link(settings.KEYS.journal_keys[seal.key_name], before, text)
    owner.execute("ALTER TABLE pitboss_journalseal DISABLE TRIGGER USER")
    owner.execute(
        "UPDATE pitboss_journalseal SET text = %s, link = %s WHERE number = %s",
        [text, link, seal.number],
    )
    owner.execute("ALTER TABLE pitboss_journalseal ENABLE TRIGGER USER")
    lines = seal_file.read_text().splitlines()
    lines[-1] = line_of(seal.key_name, link, text)
    seal_file.write_text("\n".join(lines) + "\n")
    owner.execute("UPDATE pitboss_sealingstate SET file_bytes = %s", [seal_file.stat().st_size])
