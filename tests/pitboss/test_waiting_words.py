"""What waits says what is asked for, never what is not done yet, and where it is done."""

from __future__ import annotations

import pytest
from django.urls import reverse

from pitboss.models import Device
from pitboss.rules.flows.book import FLOWS
from pitboss.rules.roles import Place
from pitboss.selectors.slips import step_title, to_do
from tests.floor.cast import Cast
from tests.floor.tablets import signed_in, words


def test_every_step_has_a_word_for_what_is_asked_and_another_for_what_is_done() -> None:
    for flow in FLOWS.values():
        for step in (*flow.steps, *flow.void, *flow.relief):
            title, asked = step_title(flow.kind, step.name), to_do(flow.kind, step.name)
            assert step.name not in (title, asked), f"{flow.kind}.{step.name} has no words"
    assert step_title("fill", "top_signed") == step_title("closer", "top_signed") == "Top-signed"
    assert to_do("fill", "top_signed") == "Top-sign"


def test_a_step_of_an_earlier_release_is_called_by_its_name() -> None:
    assert step_title("fill", "sealed") == to_do("a kind of last year", "sealed") == "sealed"


@pytest.mark.django_db
def test_a_tablet_of_another_pit_shows_a_slip_and_says_where_it_is_signed(cast: Cast) -> None:
    fill = cast.ask()
    cast.carry(fill)
    tablet, url = signed_in(cast.bob, cast), reverse("slip", args=[fill.serial])
    assert "Sign as dealer" in words(tablet.get(url))
    there = Device.objects.filter(pk=cast.devices[Place.PIT].pk)
    there.update(pit=cast.other_pit_tablet.pit)
    shown = words(tablet.get(url))
    assert "Sign as dealer" not in shown
    assert f"Sign this on a tablet in {cast.pit}." in shown
