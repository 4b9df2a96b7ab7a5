"""The living demo: a real evening is loaded, somebody waits for everyone, and it plays on."""

from __future__ import annotations

import io
import os
import signal
from threading import Event

import pytest
from django.core.management import CommandError, call_command
from django.test import override_settings
from pytest_django.live_server_helper import LiveServer

from inventory.selectors.cheques import balances, counts_off_the_ledger
from pitboss.models import (
    ClosedDay,
    FloorException,
    JournalAudit,
    Person,
    Pit,
    Signature,
    Slip,
    Table,
    Waiting,
)
from pitboss.rules.games.printed import GAMES
from pitboss.rules.roles import Role
from pitboss.services import house
from pitboss.services.audits import unproven_entries
from pitboss.services.verification import verify
from pitboss.simulation import Scene, Stage
from tables.models import Mismatch, PayoutCheck, Round
from tables.services.drops import boxes_to_count


def ledger_adds_up() -> bool:
    return all(balance.adds_up for balance in balances()) and counts_off_the_ledger() == []


@pytest.mark.django_db(transaction=True)
def test_the_demo_is_a_real_evening_and_plays_on_without_a_wrong_cheque(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    with override_settings(IS_DEMO=True):
        call_command("load_demo", stdout=io.StringIO())
        # A property of two pits, over all games, with some days behind it.
        assert (Pit.objects.count(), Table.objects.count()) == (2, 24)
        assert {table.game for table in Table.objects.all()} == set(GAMES)
        assert Person.objects.count() >= 40
        assert ClosedDay.objects.count() == 1
        days = set(Slip.objects.values_list("gaming_day", flat=True))
        assert len(days) == 3
        assert max(days) == house.period_at(house.now()).gaming_day
        assert not Signature.objects.filter(signed_at__gt=house.now()).exists()
        assert not FloorException.objects.filter(code="more_than_exists").exists()
        assert PayoutCheck.objects.exclude(verdict="right").exists()
        # Everyone finds something to do.
        waited_for = {role for wait in Waiting.objects.filter(until=None) for role in wait.by}
        assert waited_for >= {
            Role.DEALER,
            Role.SUPERVISOR,
            Role.PIT_MANAGER,
            Role.SHIFT_MANAGER,
            Role.CASHIER,
            Role.SECURITY,
            Role.SURVEILLANCE,
            Role.ACCOUNTING,
            Role.COMPLIANCE,
        }
        assert boxes_to_count().exists()
        assert unproven_entries(JournalAudit.objects.get()) > 100, "for the auditor"
        assert verify().is_sound
        assert ledger_adds_up()

        line: LiveServer = request.getfixturevalue("live_server")
        said, checks = io.StringIO(), PayoutCheck.objects.count()
        call_command(
            "simulate",
            address=line.url,
            speed=100_000,
            minutes=9,
            seed=11,
            tables=24,
            stdout=said,
        )
        # Somebody presses Ctrl-C while the first scene waits for its minute.
        before, stopped = signal.getsignal(signal.SIGINT), io.StringIO()
        monkeypatch.setattr(Event, "wait", lambda *_: os.kill(os.getpid(), signal.SIGINT))
        call_command("simulate", address=line.url, tables=2, minutes=600, stdout=stopped)
        monkeypatch.undo()
        assert stopped.getvalue().endswith("Played 0 minutes, 0 acts.\n")
        assert signal.getsignal(signal.SIGINT) is before
    words = said.getvalue()
    assert words.endswith("acts.\n")
    assert PayoutCheck.objects.count() > checks + 24
    # Whatever was begun went through: cheques went, trays were counted, a table was closed.
    for wanted in ("matched CR-", "verified T-", "locked C-", "jackpot J-", "lends"):
        assert wanted in words, words
    assert verify().is_sound
    assert ledger_adds_up()
    # Rounds were told to their end. Of what was paid wrong some is settled, the newest waits.
    assert Round.objects.count() > 20
    assert not Round.objects.filter(ended_at=None).exists()
    assert "corrected a payout" in words
    assert Mismatch.objects.filter(settlement=None).count() >= 1


def test_only_a_demo_is_played_in() -> None:
    with pytest.raises(CommandError, match="Only a demo"):
        call_command("simulate")


def test_the_floor_is_left_between_two_acts() -> None:
    done: list[str] = []
    stop = Event()

    def scene() -> Scene:
        done.append("begun")
        yield 1
        done.append("ended")
        stop.set()
        yield 1
        done.append("never")

    stage = Stage(done.append, speed=100_000, stop=stop)
    stage.begin([scene()])
    stage.play(60)
    assert done == ["begun", "ended"]
    assert stage.acts == 2
