"""What waits says what is asked for, never what is not done yet, and where it is done."""

from __future__ import annotations

import pytest
from django.urls import reverse

from pitboss.models import Device
from pitboss.rules.flow_book import FLOWS
from pitboss.rules.roles import Place
from pitboss.selectors.slips import TITLES, TO_DO
from tests.cast import Cast
from tests.tablets import signed_in


def test_every_step_has_a_word_for_what_is_asked_and_another_for_what_is_done() -> None:
    steps = {
        step.name for flow in FLOWS.values() for step in (*flow.steps, *flow.void, *flow.relief)
    }
    assert steps <= TITLES.keys()
    assert TITLES.keys() == TO_DO.keys()
    assert (TITLES["top_signed"], TO_DO["top_signed"]) == ("Top-signed", "Top-sign")


@pytest.mark.django_db
def test_a_tablet_of_another_pit_shows_a_slip_and_says_where_it_is_signed(cast: Cast) -> None:
    fill = cast.ask()
    cast.carry(fill)
    tablet, url = signed_in(cast.bob, cast), reverse("slip", args=[fill.serial])
    assert "Sign as dealer" in tablet.get(url).content.decode()
    there = Device.objects.filter(pk=cast.devices[Place.PIT].pk)
    there.update(pit=cast.other_pit_tablet.pit)
    shown = tablet.get(url).content.decode()
    assert "Sign as dealer" not in shown
    assert f"Signed on a tablet of {cast.pit}." in shown
