"""A log of markers that does not balance is somebody's to explain."""

from __future__ import annotations

from datetime import timedelta

import psycopg
import pytest

from inventory import tasks
from inventory.models import MarkerEntry
from inventory.selectors.marker_log import day_logs, log_differences
from inventory.services.marker_logs import check_last_marker_log, check_marker_log
from pitboss.models import FloorException
from pitboss.services import house
from tests.floor.cage import open_with
from tests.floor.cast import ServerClock, make_cast
from tests.floor.markers import TRAY, grant, lend, make_patron, pay

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_row_that_went_past_the_site_opens_one_exception(
    server_clock: ServerClock, owner_connection: psycopg.Connection[tuple[object, ...]]
) -> None:
    cast = make_cast()
    open_with(cast, TRAY)
    ana = make_patron(cast)
    grant(cast, ana, 1_000_000)
    lend(cast, ana, 300_000)
    paid = pay(cast, ana, cash_cents=100_000)
    day = house.period_at(house.now()).gaming_day
    assert check_marker_log(day=day) is None

    # The owner of the database can switch a trigger off, and then take a payment away.
    owner_connection.execute("ALTER TABLE inventory_markerentry DISABLE TRIGGER USER")
    try:
        owner_connection.execute("DELETE FROM inventory_markerentry WHERE slip_id = %s", [paid.pk])
    finally:
        owner_connection.execute("ALTER TABLE inventory_markerentry ENABLE TRIGGER USER")
    said = log_differences(day)
    assert said == ["The log has $0 paid back, and its slips $1,000."]

    server_clock.move(days=1)
    tasks.check_marker_log()
    tasks.check_marker_log()
    exception = FloorException.objects.get(code="marker_log_differs")
    assert exception.details == {"gaming_day": day.isoformat(), "differs": said}
    assert exception.waits.get().by == ["accounting", "shift_manager"]


def test_a_day_opens_with_what_the_day_before_left(server_clock: ServerClock) -> None:
    cast = make_cast()
    open_with(cast, TRAY)
    ana = make_patron(cast)
    grant(cast, ana, 1_000_000)
    lend(cast, ana, 300_000)
    day = house.period_at(house.now()).gaming_day
    server_clock.move(days=1)
    pay(cast, ana, cash_cents=100_000)
    first = next(log for log in day_logs(day) if log.pit == cast.pit)
    second = next(log for log in day_logs(day + timedelta(days=1)) if log.pit == cast.pit)
    assert (first.closing_cents, second.opening_cents) == (300_000, 300_000)
    assert (second.paid_cents, second.closing_cents, second.found_cents) == (
        100_000,
        200_000,
        200_000,
    )
    assert check_last_marker_log() is None
    assert MarkerEntry.objects.filter(gaming_day=day).count() == 2
