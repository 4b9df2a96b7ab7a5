"""The demo's floor is set up as a real one is, and is loaded whole, however busy the machine."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from collections.abc import Iterator

import pytest
from django.core.management import CommandError, call_command
from django.test import override_settings

from pitboss.demo import Loaded, demo_signer, loaded, make_property
from pitboss.demo_floor import set_up_tables
from pitboss.management.commands.load_demo import HALF_LOADED
from pitboss.models import Property, Slip, Table
from pitboss.rules.games.printed import GAMES
from pitboss.rules.games.table_setup import CardProfile, stored_setup
from pitboss.rules.roles import Role
from pitboss.selectors.table_rules import edges_in_force, latest_setup, rules_in_force
from pitboss.services import house
from pitboss.services.verification import verify
from tables.demo_history import write_history
from tables.selectors.game_past import pasts_before
from tables.services.holds import open_investigations

pytestmark = pytest.mark.django_db(transaction=True)


def test_the_demos_tables_are_set_up_by_two_managers_over_all_games() -> None:
    make_property()
    set_up_tables()
    tables = list(Table.objects.select_related("pit"))
    assert len(tables) == 24
    assert {table.game for table in tables} == set(GAMES)
    assert {table.cards for table in tables} == {profile.value for profile in CardProfile}
    in_force = house.settings_at(house.now())
    for table in tables:
        assert table.setup == latest_setup(table), table
        assert rules_in_force(table, in_force).side_bets, table
        edges, refusals = edges_in_force(stored_setup(table.setup), in_force)
        assert edges, table
        assert not refusals, table
    assert set(Slip.objects.values_list("kind", "status")) == {("table_change", "done")}
    # The weeks before the first day: every game has a past, no month of it asks to be looked into.
    today = house.period_at(house.now()).gaming_day
    write_history(today)
    assert pasts_before(today, in_force).keys() == set(GAMES)
    assert open_investigations(now=house.now()) == 0
    assert verify().is_sound


# Three processes load the demo at once: each of them gets a fifth of a core.
HOGS = 2
LOADS = int(os.environ.get("PITBOSS_DEMO_LOADS", "1"))


@pytest.fixture
def busy_machine() -> Iterator[None]:
    """Let other programs compute for as long as the test runs.

    All on one core, which is all that the test has: the others go on with the other tests.
    """
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(cores)})
    hogs = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(HOGS)]
    yield
    os.sched_setaffinity(0, cores)
    for hog in hogs:
        hog.kill()
        hog.wait()


@pytest.mark.parametrize("time", range(LOADS))
@pytest.mark.usefixtures("busy_machine")
def test_a_busy_machine_loads_the_demo_whole(time: int) -> None:
    with override_settings(IS_DEMO=True):
        call_command("load_demo", stdout=io.StringIO())
    assert Table.objects.filter(is_open=True).count() == 22
    assert loaded() is Loaded.WHOLE


def test_each_table_has_a_dealer_of_its_own_before_anyone_deals() -> None:
    # The pits are loaded side by side. One dealer who signs for the trays of both is refused as
    # soon as the first pit opens the table where they deal.
    make_property()
    set_up_tables()
    signers = [demo_signer(Role.DEALER, table) for table in Table.objects.all()]
    assert len({signer.pk for signer in signers}) == 24


def test_a_demo_that_was_loaded_by_half_is_not_called_loaded() -> None:
    assert loaded() is Loaded.NOTHING
    make_property()
    set_up_tables()
    assert loaded() is Loaded.HALF
    with (
        override_settings(IS_DEMO=True),
        pytest.raises(CommandError, match="cut short") as refused,
    ):
        call_command("load_demo", stdout=io.StringIO())
    assert refused.value.returncode == HALF_LOADED


def test_a_property_that_is_not_the_demos_is_left_as_it_is() -> None:
    Property.objects.create(pk=1, name="Hotel Aurora", time_zone="America/New_York")
    assert loaded() is Loaded.WHOLE
