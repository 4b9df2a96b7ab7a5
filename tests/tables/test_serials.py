"""Every number accounted for: used, void, missing, and the reason why."""

from __future__ import annotations

import pytest
from django.db import transaction
from django.db.utils import InternalError, ProgrammingError

from pitboss.models import SeriesCounter
from pitboss.services import house
from pitboss.services.numbering import SlipNumber
from tables.models import SerialExplanation
from tables.services.serials import explain_gap, gaps, serial_report
from tests.floor.cast import Cast, ServerClock, refused
from tests.floor.days import close_the_day

pytestmark = pytest.mark.django_db


def lose(number: int) -> None:
    """Give numbers away up to one that no slip will bear, as a break-in from outside would."""
    SeriesCounter.objects.filter(series="F").update(last_number=number)


def test_a56_missing_numbers_are_listed_and_the_day_waits_for_their_reasons(
    cast: Cast, server_clock: ServerClock
) -> None:
    SeriesCounter.objects.create(series="F", year=2026, last_number=0)
    void = cast.ask()
    cast.void(void)
    lose(2)
    cast.deliver(cast.ask())
    lose(4)
    cast.deliver(cast.ask())
    (line,) = [series_line for series_line in serial_report(2026) if series_line.series == "F"]
    assert (line.first, line.last, line.given, line.used, line.void) == (1, 5, 5, 3, 1)
    assert [str(n) for n in line.missing] == ["F-2026-000002", "F-2026-000004"]
    assert line.duplicate == ()
    assert line.titles == "Fill"

    day = house.period_at(house.now()).gaming_day
    server_clock.move(days=1)
    with refused("serial_unexplained"):
        close_the_day(cast, day)
    second, fourth = SlipNumber("F", 2026, 2), SlipNumber("F", 2026, 4)
    explain_gap(number=second, reason="Restored from a copy.", pen=cast.pen(cast.ruth))
    with refused("serial_unexplained"):
        close_the_day(cast, day)
    explain_gap(number=fourth, reason="Restored from a copy.", pen=cast.pen(cast.heidi))
    assert gaps(2026) == []
    assert close_the_day(cast, day).status == "done"
    (line,) = [series_line for series_line in serial_report(2026) if series_line.series == "F"]
    assert line.unexplained == ()
    assert line.explanations[2].explained_by == cast.ruth


def test_a_gap_is_explained_once_by_whoever_may_and_in_ink(cast: Cast) -> None:
    cast.ask()
    lose(2)
    number = SlipNumber("F", house.period_at(house.now()).gaming_day.year, 2)
    for pen, reason, code in (
        (cast.pen(cast.alice), "Lost.", "wrong_role"),
        (cast.pen(cast.ruth), "  ", "reason_missing"),
        (cast.pen(cast.ruth), "x" * 501, "reason_too_long"),
    ):
        with refused(code, journal=("act_refused",)):
            explain_gap(number=number, reason=reason, pen=pen)
    with refused("not_missing", journal=("act_refused",)):
        explain_gap(number=SlipNumber("F", number.year, 1), reason="Lost.", pen=cast.pen(cast.ruth))
    first = explain_gap(number=number, reason="Lost.", pen=cast.pen(cast.ruth))
    assert explain_gap(number=number, reason="Lost.", pen=cast.pen(cast.ruth)) == first
    with refused("already_explained", journal=("act_refused",)):
        explain_gap(number=number, reason="Found.", pen=cast.pen(cast.heidi))
    with pytest.raises((ProgrammingError, InternalError)), transaction.atomic():
        SerialExplanation.objects.update(reason="Found.")


def test_a_number_that_was_never_given_is_named(cast: Cast) -> None:
    fill = cast.ask()
    SeriesCounter.objects.filter(series="F").update(last_number=0)
    (line,) = [series_line for series_line in serial_report() if series_line.series == "F"]
    assert [str(n) for n in line.duplicate] == [fill.serial]
