"""The demo's floor is set up as a real one is: every table by two managers, over all games."""

from __future__ import annotations

import pytest

from pitboss.demo import make_property
from pitboss.demo_floor import set_up_tables
from pitboss.models import Slip, Table
from pitboss.rules.games_printed import GAMES
from pitboss.rules.table_setup import CardProfile, stored_setup
from pitboss.services import house
from pitboss.services.table_changes import edges_in_force, latest_setup, rules_in_force
from pitboss.services.verification import verify

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
    assert verify().is_sound
