"""Two people at once at the end of a day: a box, a post, a late paper, the close itself.

The acts meet where they have read and not yet written. With the locks only one can be there.
"""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from inventory.models import ChequeTransfer
from pitboss.models import ClosedDay, Signature, Slip
from pitboss.rules.roles import Place
from pitboss.services import house, signing
from pitboss.services.shown import slip_shown
from tables.kinds import drop_count, drop_pull, handover
from tests.floor.cast import Cast, make_cast
from tests.floor.days import hand_over
from tests.floor.drop_box import begin_count, begin_pull, count_tray, pull, verify
from tests.floor.late_papers import key
from tests.floor.outages import ready
from tests.races import at_once, hold_before, refusals, while_held

pytestmark = pytest.mark.django_db(transaction=True)
TRAY = {10_000: 20}
BOX = {"cash_10000": 100_000}


@pytest.fixture
def floor(transactional_db: None) -> Cast:
    """The cast with an open table whose tray was just counted, committed."""
    cast = make_cast()
    cast.deliver(cast.ask(TRAY))
    cast.open_table(TRAY)
    count_tray(cast, TRAY)
    return cast


def test_two_officers_pull_one_box_and_one_has_it(
    floor: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    hold_before(monkeypatch, drop_pull, "pull_refusals")
    results = at_once(
        lambda: begin_pull(floor, by=floor.frank), lambda: begin_pull(floor, by=floor.grace)
    )
    assert refusals(results) == [("pull_under_way", "stale_screen")]
    assert Slip.objects.filter(kind="drop_pull").count() == 1


def test_two_count_teams_count_one_box_and_one_count_stands(
    floor: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    box = pull(floor)
    hold_before(monkeypatch, drop_count, "box_count_refusals")
    results = at_once(
        lambda: begin_count(floor, box, BOX, by=floor.paul),
        lambda: begin_count(floor, box, {"cash_10000": 90_000}, by=floor.quinn),
    )
    (refused,) = refusals(results)
    assert "already_counted" in refused
    assert Slip.objects.filter(kind="drop_count").count() == 1


def test_a_count_posted_twice_is_posted_once(floor: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    count = begin_count(floor, pull(floor), BOX)
    verify(floor, count, BOX)
    pen = floor.pen(floor.ruth, Place.OFFICE)
    shown = slip_shown(Slip.objects.get(pk=count.pk))
    hold_before(monkeypatch, signing, "_earlier")

    def post() -> Signature:
        return floor.sign(count, "posted", floor.ruth, pen=pen, shown=shown)

    first, second = at_once(post, post)
    assert first == second == count.signatures.get(step="posted")


def test_a_paper_keyed_at_two_tables_at_once_is_keyed_at_one(
    floor: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = house.now() - timedelta(milliseconds=1)
    number = ready(floor, "FL", before)
    hold_before(monkeypatch, signing, "sign_refusals")
    results = at_once(
        lambda: key(floor, "fill", before, number=number),
        lambda: key(floor, "fill", before, number=number, by=floor.bob, table=floor.other_table),
    )
    assert refusals(results) == [("paper_used",)]
    assert Slip.objects.filter(kind="late_fill").count() == 1
    assert not ChequeTransfer.objects.filter(slip__kind="late_fill").exists()


def test_a_slip_raised_while_its_day_closes_waits_and_is_refused(
    floor: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One paper of yesterday is keyed while yesterday is closed, which nobody else sees yet."""
    really = timezone.now()
    happened = house.now() - timedelta(milliseconds=1)
    yesterday = house.period_at(really).gaming_day
    monkeypatch.setattr(timezone, "now", lambda: really + timedelta(days=1))
    close = hand_over(floor, yesterday)
    number = ready(floor, "FL", happened)
    results = while_held(
        monkeypatch,
        handover,
        "bring_public_forward",
        lambda: floor.sign(close, "day_taken_on", floor.mike),
        lambda: key(floor, "fill", happened, number=number),
    )
    assert refusals(results) == [("day_closed",)]
    assert ClosedDay.objects.filter(gaming_day=yesterday).exists()
    assert not Slip.objects.filter(kind="late_fill").exists()


def test_the_close_waits_for_a_slip_that_is_being_raised(
    floor: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The slip is written and nobody else sees it yet; the close comes in between and must wait."""
    really = timezone.now()
    happened = house.now() - timedelta(milliseconds=1)
    yesterday = house.period_at(really).gaming_day
    monkeypatch.setattr(timezone, "now", lambda: really + timedelta(days=1))
    close = hand_over(floor, yesterday)
    number = ready(floor, "FL", happened)
    results = while_held(
        monkeypatch,
        signing,
        "_write",
        lambda: key(floor, "fill", happened, number=number),
        lambda: floor.sign(close, "day_taken_on", floor.mike),
    )
    assert refusals(results) == [("slip_open",)]
    assert not ClosedDay.objects.filter(gaming_day=yesterday).exists()
