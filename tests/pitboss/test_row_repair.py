"""A row that was changed outside Pitboss is put right by an auditor and surveillance together."""

from __future__ import annotations

import json
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from pitboss.management.commands import repair_row as command
from pitboss.models import JournalEntry, Person
from pitboss.models.sealed import RecordAltered
from pitboss.rules.roles import Place
from pitboss.services.pin_offers import Witness
from pitboss.services.row_repair import Repaired, repair_row
from pitboss.services.verification import Wrong, verify
from tests.floor.cast import Cast, pin_of, refused
from tests.tampering import Owner, found

pytestmark = pytest.mark.django_db(transaction=True)


def alter(person: Person, last_name: str = "Other") -> None:
    """Change a person's name by SQL, as the site's role."""
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE pitboss_person SET last_name = %s, version = version + 1 WHERE id = %s",
            [last_name, person.pk],
        )


def repair(cast: Cast, person: Person, **more: Any) -> Repaired:
    def witness(who: Person) -> Witness:
        return Witness(who.badge, pin_of(who.badge))

    arguments: dict[str, Any] = {
        "label": "pitboss.Person",
        "row_id": person.pk,
        "changes": {"last_name": person.last_name},
        "reason": "Put back from the slip.",
        "auditor": witness(more.pop("first", cast.olga)),
        "watcher": witness(more.pop("second", cast.ivan)),
        "device": cast.devices[Place.OFFICE],
    }
    return repair_row(**{**arguments, **more})


def test_what_is_put_back_as_it_was_is_proven_by_the_journal(cast: Cast) -> None:
    alter(cast.dan)
    assert found(verify()) == {(Wrong.ROW_ALTERED, "person", cast.dan.pk)}
    assert repair(cast, cast.dan).is_proven
    dan = Person.objects.get(pk=cast.dan.pk)
    assert (dan.last_name, dan.is_sealed()) == (cast.dan.last_name, True)
    entry = json.loads(JournalEntry.objects.get(kind="row_repaired").text)
    assert entry["body"]["was"] == {"last_name": "Other"}
    assert entry["body"]["second"] == cast.ivan.signs_as
    assert entry["body"]["is_proven"] is True
    assert verify().is_sound
    cast.sign(cast.ask(), "issued", cast.erin, Place.CAGE)


def test_what_two_people_stand_for_is_told_from_what_is_proven(cast: Cast) -> None:
    alter(cast.dan)
    assert not repair(cast, cast.dan, changes={}).is_proven
    assert Person.objects.get(pk=cast.dan.pk).last_name == "Other"
    assert verify().is_sound


def test_an_older_version_that_the_owner_put_back_is_written_anew(
    cast: Cast, owner_connection: Owner
) -> None:
    kept = dict(Person.objects.filter(pk=cast.dan.pk).values("version", "seal", "last_name")[0])
    for name in ("One", "Two", "Three"):
        Person.objects.filter(pk=cast.dan.pk).update(last_name=name)
    owner_connection.execute("ALTER TABLE pitboss_person DISABLE TRIGGER sealed")
    owner_connection.execute(
        "UPDATE pitboss_person SET version = %(version)s, seal = %(seal)s,"
        " last_name = %(last_name)s WHERE id = %(id)s",
        {**kept, "id": cast.dan.pk},
    )
    owner_connection.execute("ALTER TABLE pitboss_person ENABLE TRIGGER sealed")
    assert (Wrong.ROW_SET_BACK, "person", cast.dan.pk) in found(verify())
    assert repair(cast, cast.dan, changes={"last_name": "Three"}).is_proven
    assert verify().is_sound


@pytest.mark.parametrize(
    ("code", "change"),
    [
        ("wrong_role", lambda cast: {"first": cast.heidi}),
        ("wrong_role", lambda cast: {"second": cast.mike}),
        ("wrong_role", lambda cast: {"first": cast.ivan, "second": cast.olga}),
        ("wrong_role", lambda cast: {"second": cast.olga}),
        ("reason_missing", lambda cast: {"reason": " "}),
        ("reason_too_long", lambda cast: {"reason": "x" * 600}),
        ("unknown_model", lambda cast: {"label": "pitboss.Slip"}),
        ("unknown_model", lambda cast: {"label": "nothing"}),
        ("unknown_row", lambda cast: {"row_id": 10**9}),
        ("unknown_column", lambda cast: {"changes": {"pin_hash": "x"}}),
        ("unknown_column", lambda cast: {"changes": {"version": "9"}}),
        ("value_malformed", lambda cast: {"changes": {"licence_ends": "soon"}}),
    ],
)
def test_each_wrong_repair_is_refused(cast: Cast, code: str, change: Any) -> None:
    alter(cast.dan)
    with refused(code, journal=("act_refused",)):
        repair(cast, cast.dan, **change(cast))


def test_a_row_that_holds_is_not_repaired(cast: Cast) -> None:
    with refused("not_altered", journal=("act_refused",)):
        repair(cast, cast.dan)


def test_somebody_whose_own_row_was_altered_signs_nothing(cast: Cast) -> None:
    alter(cast.olga)
    with pytest.raises(RecordAltered):
        repair(cast, cast.olga)
    assert not Person.objects.get(pk=cast.olga.pk).is_sealed()


def test_the_command_shows_a_row_and_repairs_it(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    alter(cast.dan)
    said = StringIO()
    call_command("repair_row", "pitboss.Person", str(cast.dan.pk), stdout=said)
    assert "last_name = Other" in said.getvalue()
    assert "pin_hash = …" in said.getvalue()
    assert "The seal doesn’t match the row." in said.getvalue()
    pins = iter([pin_of(cast.olga.badge), pin_of(cast.ivan.badge)])
    monkeypatch.setattr(command, "getpass", lambda prompt: next(pins))
    arguments = [
        *("repair_row", "pitboss.Person", str(cast.dan.pk)),
        *("--auditor", cast.olga.badge, "--surveillance", cast.ivan.badge),
        *("--device", cast.devices[Place.OFFICE].name, "--reason", "Put back."),
        *("--set", f"last_name={cast.dan.last_name}"),
    ]
    call_command(*arguments, stdout=said)
    assert "the journal proves it" in said.getvalue()
    pins = iter([pin_of(cast.olga.badge), pin_of(cast.ivan.badge)])
    with pytest.raises(CommandError, match="nothing to repair"):
        call_command(*arguments, stdout=said)
