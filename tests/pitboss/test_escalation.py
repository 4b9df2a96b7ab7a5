"""What waits too long shows in the inbox of the next rank."""

from __future__ import annotations

import pytest
from django.urls import reverse

from pitboss.models import JournalEntry, Person, Waiting
from pitboss.rules.floor.escalation import next_in_rank
from pitboss.rules.roles import Place, Role
from pitboss.selectors.waiting import waiting_for
from pitboss.services import house
from pitboss.services.escalation import escalate
from pitboss.services.exceptions import open_exception
from pitboss.tasks import escalate as escalate_task
from tests.floor.cast import Cast, ServerClock
from tests.floor.tablets import words
from tests.races import at_once
from tests.test_access import signed_in

pytestmark = pytest.mark.django_db(transaction=True)


def sees(person: Person, role: Role) -> list[str]:
    return [wait.step for wait in waiting_for(person, role)]


def test_after_a_while_the_next_rank_is_told_and_then_the_one_above(
    cast: Cast, server_clock: ServerClock
) -> None:
    fill = cast.ask()
    server_clock.move(minutes=9, seconds=59)
    assert escalate(now=house.now()) == 0
    assert sees(cast.trent, Role.CAGE_MANAGER) == []

    server_clock.move(seconds=1)
    assert escalate(now=house.now()) == 1
    assert sees(cast.trent, Role.CAGE_MANAGER) == ["issued"]
    assert sees(cast.erin, Role.CASHIER) == ["issued"]
    assert sees(cast.heidi, Role.SHIFT_MANAGER) == []
    assert escalate(now=house.now()) == 0

    server_clock.move(minutes=10)
    assert escalate(now=house.now()) == 1
    assert sees(cast.heidi, Role.SHIFT_MANAGER) == ["issued"]
    server_clock.move(minutes=10)
    assert escalate(now=house.now()) == 0, "there is nobody above"
    entries = JournalEntry.objects.filter(kind="escalated").order_by("pk")
    assert [entry.slip for entry in entries] == [fill, fill]
    assert ["cage_manager" in entry.text for entry in entries] == [True, False]


def test_what_was_signed_in_time_is_told_to_nobody(cast: Cast, server_clock: ServerClock) -> None:
    cast.carry(cast.ask())
    server_clock.move(minutes=9)
    assert escalate(now=house.now()) == 0
    ended = Waiting.objects.filter(until__isnull=False)
    assert ended
    server_clock.move(minutes=5)
    assert escalate(now=house.now()) == 1
    assert not ended.exclude(escalated_at=None).exists()
    assert sees(cast.bob, Role.SUPERVISOR) == ["agreed"], "a dealer does not come: tell the floor"


def test_an_exception_escalates_too(cast: Cast, server_clock: ServerClock) -> None:
    open_exception(
        code="count_differs", sentence="A count differs.", details={}, at=house.now(), person=None
    )
    asked = [Role(role) for role in Waiting.objects.get().by]
    server_clock.move(minutes=10)
    assert escalate(now=house.now()) == 1
    assert Waiting.objects.get().escalated_to == [role.value for role in next_in_rank(asked)]


def test_the_inbox_says_why_somebody_is_told(cast: Cast, server_clock: ServerClock) -> None:
    cast.ask()
    server_clock.move(minutes=10)
    escalate_task()
    screen = signed_in(cast.trent, cast.devices[Place.CAGE])
    assert "no cashier responded in time" in words(screen.get(reverse("inbox")))
    screen = signed_in(cast.erin, cast.devices[Place.CAGE])
    assert "responded in time" not in words(screen.get(reverse("inbox")))


def test_two_beats_at_once_tell_once(cast: Cast, server_clock: ServerClock) -> None:
    cast.ask()
    server_clock.move(minutes=10)
    told = at_once(lambda: escalate(now=house.now()), lambda: escalate(now=house.now()))
    assert sorted(told) == [0, 1]
    assert Waiting.objects.get(until=None).escalated_to == ["cage_manager"]
