"""A database that was set back: told, named chain by chain, accepted by two, never hidden."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.core.management import CommandError, call_command
from django.db import connection, connections
from django.urls import reverse

from pitboss.embedded.servers import create_database
from pitboss.models import FloorException, JournalEntry, JournalSeal, Waiting
from pitboss.rules.roles import Place
from pitboss.selectors.record_health import record_parts
from pitboss.services import house, seals
from pitboss.services.loss_acceptance import accept_loss, losses_to_accept
from pitboss.services.pin_offers import Witness
from pitboss.services.verification import Wrong, verify
from tests.databases import as_superuser
from tests.floor.cast import Cast, pin_of, refused
from tests.floor.tablets import words
from tests.test_access import signed_in

pytestmark = pytest.mark.django_db(transaction=True)

Moment = Callable[[], None]


def act_and_seal(cast: Cast) -> None:
    cast.ask()
    assert seals.write_seal(now=house.now()) is not None


@pytest.fixture
def seal_file(cast: Cast, settings: Any) -> Path:
    """Seal two acts of a house."""
    act_and_seal(cast)
    act_and_seal(cast)
    return Path(settings.SEAL_FILE)


@pytest.fixture
def keep_moment() -> Iterator[Callable[[], Moment]]:
    """Return what copies the database as it is; what that returns sets the database back to it."""
    name = str(connection.settings_dict["NAME"])
    kept = f"{name}_standby"

    def exchange(made: str, of: str) -> None:
        connections.close_all()
        with as_superuser() as superuser:
            superuser.execute(f"DROP DATABASE IF EXISTS {made} WITH (FORCE)")
            create_database(superuser, made, template=of)

    def keep() -> Moment:
        exchange(kept, name)
        return lambda: exchange(name, kept)

    yield keep
    connections.close_all()
    with as_superuser() as superuser:
        superuser.execute(f"DROP DATABASE IF EXISTS {kept} WITH (FORCE)")


@pytest.fixture
def set_back(cast: Cast, seal_file: Path, keep_moment: Callable[[], Moment]) -> Path:
    """Lose two acts and their seals to a standby that lagged; the file has them."""
    fail_over = keep_moment()
    act_and_seal(cast)
    act_and_seal(cast)
    fail_over()
    assert JournalSeal.objects.count() == 2
    return seal_file


def watchers(cast: Cast) -> dict[str, Any]:
    return {
        "auditor": Witness(cast.olga.badge, pin_of(cast.olga.badge)),
        "watcher": Witness(cast.ivan.badge, pin_of(cast.ivan.badge)),
        "device": cast.devices[Place.OFFICE],
    }


def test_a_database_behind_its_seals_is_told_as_a_loss_and_not_as_a_rewritten_file(
    cast: Cast, set_back: Path
) -> None:
    before = set_back.read_bytes()
    assert Wrong.SEAL_MISSING in {finding.code for finding in verify().findings}

    seal = seals.write_seal(now=house.now())

    assert seal is not None
    body = json.loads(seal.text)["file"]
    assert (seal.number, body["found"]) == (3, "ahead")
    lost = body["lost"]
    assert (lost["first"], lost["last"]) == (3, 4)
    assert before[lost["start"] :].count(b"\n") == 2
    assert lost["end"] == len(before)
    assert set_back.read_bytes().startswith(before)
    exception = FloorException.objects.get(code="record_lost")
    assert "The database lost what seals 3–4 saw" in exception.sentence
    assert Waiting.objects.get(exception=exception).by == ["auditor", "surveillance"]
    assert not FloorException.objects.filter(code="seal_file").exists()
    assert record_parts()["sealing"]["why"] == "record_lost"
    assert [finding.code for finding in verify().findings] == [Wrong.RECORD_LOST]
    desk = signed_in(cast.olga, cast.devices[Place.OFFICE])
    assert "The database was set back and lost entries." in words(desk.get(reverse("audit")))

    # It goes on, and the same loss is told once.
    act_and_seal(cast)
    assert FloorException.objects.filter(code="record_lost").count() == 1
    assert [finding.code for finding in verify().findings] == [Wrong.RECORD_LOST]


def test_one_person_cannot_explain_a_loss_away(cast: Cast, set_back: Path) -> None:
    seals.write_seal(now=house.now())
    desk = signed_in(cast.olga, cast.devices[Place.OFFICE])
    exception = FloorException.objects.get(code="record_lost")
    answer = desk.post(
        reverse("exception", args=[exception.pk]),
        {
            "badge": cast.olga.badge,
            "pin": pin_of(cast.olga.badge),
            "reason": "A standby took over.",
            "request_id": str(uuid4()),
        },
    )
    assert answer.status_code == 422
    assert "An auditor and surveillance accept a loss together." in words(answer)
    exception.refresh_from_db()
    assert exception.resolved_at is None


def test_two_people_accept_a_loss_and_verification_is_green_and_says_so(
    cast: Cast, set_back: Path, tmp_path: Path
) -> None:
    act_and_seal(cast)
    (found,) = losses_to_accept()
    table = next(chain for chain in found.chains if chain.name == f"table:{cast.table.pk}")
    # One act of the first lost seal, one of the second, after what both have.
    assert table.entries == 2
    assert "compliance" not in {chain.name for chain in found.chains}

    assert accept_loss(reason="A standby lagged.", **watchers(cast)) == [found]

    entry = JournalEntry.objects.get(kind="loss_accepted")
    body = json.loads(entry.text)["body"]
    assert body["chains"][table.name] == [table.kept, table.last]
    assert (body["reason"], body["second"]) == ("A standby lagged.", cast.ivan.signs_as)
    assert entry.person == cast.olga
    assert FloorException.objects.get(code="record_lost").resolved_by == cast.olga
    assert record_parts()["sealing"]["status"] == "ok"
    report = verify()
    assert report.findings == []
    assert [gap.endswith("A standby lagged.") for gap in report.gaps] == [True]
    act_and_seal(cast)
    assert verify().findings == []
    assert verify(since=report.position).findings == []
    # A second place has the lost seals as well, and so vouches for the same gap.
    copy = tmp_path / "copy.log"
    copy.write_bytes(set_back.read_bytes())
    assert verify(against=copy).findings == []
    with refused("nothing_to_accept", journal=["act_refused"]):
        accept_loss(reason="Again", **watchers(cast))


def test_the_gap_of_an_accepted_loss_stays_as_it_was(cast: Cast, set_back: Path) -> None:
    act_and_seal(cast)
    accept_loss(reason="A standby lagged.", **watchers(cast))
    lines = set_back.read_text().splitlines(keepends=True)
    lines[2] = lines[2].replace('"link":"', '"link":"0', 1)
    set_back.write_text("".join(lines))
    assert Wrong.SEAL_FILE_DIFFERS in {finding.code for finding in verify().findings}


def test_a_second_loss_is_accepted_by_itself(
    cast: Cast, set_back: Path, keep_moment: Callable[[], Moment]
) -> None:
    act_and_seal(cast)
    accept_loss(reason="A standby lagged.", **watchers(cast))
    act_and_seal(cast)
    fail_over = keep_moment()
    act_and_seal(cast)
    fail_over()
    act_and_seal(cast)
    assert [finding.code for finding in verify().findings] == [Wrong.RECORD_LOST]
    (found,) = accept_loss(reason="It lagged again.", **watchers(cast))
    assert (found.loss.first, found.loss.last) == (5, 5)
    report = verify()
    assert (report.findings, len(report.gaps)) == ([], 2)


def test_who_is_not_the_two_is_refused(cast: Cast, set_back: Path) -> None:
    act_and_seal(cast)
    two = watchers(cast)
    alone = two | {"watcher": two["auditor"]}
    with refused("wrong_role", journal=["act_refused"]):
        accept_loss(reason="A standby lagged.", **alone)
    with refused("reason_missing", journal=["act_refused"]):
        accept_loss(reason=" ", **two)
    with refused("unknown_device", journal=["act_refused"]):
        accept_loss(reason="A standby lagged.", **(two | {"device": None}))
    assert not JournalEntry.objects.filter(kind="loss_accepted").exists()


def test_a_file_ahead_that_was_not_made_with_the_key_is_a_rewritten_file(
    cast: Cast, set_back: Path
) -> None:
    lines = set_back.read_text().splitlines(keepends=True)
    lines[3] = lines[3].replace('"link":"', '"link":"0', 1)
    set_back.write_text("".join(lines))
    seal = seals.write_seal(now=house.now())
    assert seal is not None
    assert json.loads(seal.text)["file"]["found"] == "rewritten"
    assert FloorException.objects.filter(code="seal_file").exists()


def test_the_command_shows_a_loss_and_accepts_it(
    cast: Cast, set_back: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    call_command("accept_loss")
    assert "The database has everything its seals saw." in capsys.readouterr().out
    seals.write_seal(now=house.now())
    call_command("accept_loss")
    shown = capsys.readouterr().out
    assert "The database lost what seals 3–4 saw" in shown
    assert f"{cast.table.name}: up to 2 entries after entry" in shown
    assert "Accepted" not in shown
    pins = iter(["000000", "000000", pin_of(cast.olga.badge), pin_of(cast.ivan.badge)])
    monkeypatch.setattr("pitboss.management.commands.accept_loss.getpass", lambda _: next(pins))
    fields = {
        "auditor": cast.olga.badge,
        "surveillance": cast.ivan.badge,
        "device": cast.devices[Place.OFFICE].name,
        "reason": "A standby lagged.",
    }
    with pytest.raises(CommandError, match="PIN"):
        call_command("accept_loss", **fields)
    call_command("accept_loss", **fields)
    assert "Verification knows of this gap from now on." in capsys.readouterr().out
    call_command("verify_journal")
    assert "Accepted: The database lost what seals 3–4 saw" in capsys.readouterr().out
