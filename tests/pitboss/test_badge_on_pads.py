"""Which badge a pad has before anyone keys one: of who may sign next, as far as it is known."""

from __future__ import annotations

import re

import pytest

from pitboss.models import Person, Slip
from pitboss.rules.roles import Place
from pitboss.services import house
from tables.models import Dealing
from tests.floor.cast import Cast
from tests.floor.tablets import signed_in

pytestmark = pytest.mark.django_db
TOP_SIGNED = {500_000: 2}


def badge_on(cast: Cast, slip: Slip, person: Person, place: Place = Place.PIT) -> str:
    """Return the badge on the pad of a slip, on a device that somebody is signed in on."""
    page = signed_in(person, cast, place).get(f"/slips/{slip.serial}/").content.decode()
    found = re.search(r'id="badge" name="badge" value="([^"]*)"', page)
    assert found is not None, "no pad is shown"
    return found[1]


def test_a_step_that_its_signer_may_repeat_has_their_badge(cast: Cast) -> None:
    fill = cast.ask()
    assert badge_on(cast, fill, cast.erin, Place.CAGE) == cast.erin.badge
    cast.carry(fill)
    cast.sign(fill, "agreed", cast.dan, entry=cast.agreement(fill))
    assert badge_on(cast, fill, cast.alice) == cast.alice.badge
    assert badge_on(cast, fill, cast.bob) == cast.bob.badge


def test_a_step_for_another_person_has_not_the_badge_of_who_signed(cast: Cast) -> None:
    fill = cast.ask(TOP_SIGNED, by=cast.carol)
    assert badge_on(cast, fill, cast.carol, Place.OFFICE) == ""
    assert badge_on(cast, cast.ask(TOP_SIGNED), cast.carol, Place.OFFICE) == cast.carol.badge


def test_a_dealers_step_has_the_badge_of_who_deals_at_that_table(cast: Cast) -> None:
    fill = cast.ask()
    cast.carry(fill)
    assert badge_on(cast, fill, cast.alice) == ""
    Dealing.objects.create(table=cast.other_table, dealer=cast.dora, began_at=house.now())
    assert badge_on(cast, fill, cast.alice) == ""
    Dealing.objects.create(table=cast.table, dealer=cast.dan, began_at=house.now())
    assert badge_on(cast, fill, cast.alice) == cast.dan.badge
    # The officer’s step at the cage is no dealer’s.
    carried = cast.ask()
    cast.issue(carried)
    assert badge_on(cast, carried, cast.erin, Place.CAGE) == ""
