"""The outage sheet: what a pit and the cage work by on paper, and when each was last printed."""

from __future__ import annotations

from typing import Any

import pytest
from django.urls import reverse

from pitboss.models import FloorException, JournalEntry, Slip
from pitboss.rules.roles import Place
from pitboss.selectors.outages import sheets_printed
from pitboss.services import house
from pitboss.services.outage_sheets import find_overdue_sheets
from tests.floor.cage import open_with, receive
from tests.floor.cast import Cast, ServerClock
from tests.floor.markers import TRAY, grant, lend, make_patron
from tests.floor.outages import declare, end
from tests.floor.tablets import signed_in, words

pytestmark = pytest.mark.django_db
SHEET = "/reports/outage-sheet/"


@pytest.fixture
def floor(cast: Cast, server_clock: ServerClock) -> Slip:
    """An open table, a patron who owes $6,000 of $10,000, and a fill that is under way."""
    receive(cast, {10_000: 400, 2_500: 400})
    open_with(cast, TRAY)
    patron = make_patron(cast)
    grant(cast, patron, 1_000_000)
    lend(cast, patron, 600_000)
    return cast.ask({10_000: 10})


def test_the_sheet_of_a_pit_has_trays_slips_credit_limits_and_keys(cast: Cast, floor: Slip) -> None:
    page = words(signed_in(cast.alice, cast).get(f"{SHEET}?pit={cast.pit.pk}"))
    assert "Expected trays and limits" in page
    assert cast.table.name in page
    assert floor.serial in page
    assert "Ana Ruiz" in page
    for amount in ("10,000", "6,000", "4,000"):
        assert amount in page
    assert "All keys are in." in page


def test_the_sheet_of_the_cage_has_its_cheques_and_what_waits_there(
    cast: Cast, floor: Slip
) -> None:
    page = words(signed_in(cast.erin, cast, Place.CAGE).get(f"{SHEET}?by=cage"))
    assert "Expected in the cage" in page
    assert floor.serial in page
    assert "Available" in page


def test_whoever_reads_no_marker_finds_no_credit_on_it(cast: Cast, floor: Slip) -> None:
    page = words(signed_in(cast.ivan, cast, Place.SURVEILLANCE).get(SHEET))
    assert "Expected trays and limits" in page
    assert "Ana Ruiz" not in page


def test_a_sheet_is_due_until_it_is_printed_and_again_after_two_hours(
    cast: Cast, floor: Slip, server_clock: ServerClock
) -> None:
    tablet, url = signed_in(cast.alice, cast), reverse("outages")
    assert words(tablet.get(url)).count("never") == 3
    printed = tablet.get(f"/reports/outage-sheet/pdf?pit={cast.pit.pk}")
    assert printed.content.startswith(b"%PDF")
    assert JournalEntry.objects.filter(kind="outage_sheet_printed").count() == 1
    assert words(tablet.get(url)).count("never") == 2
    assert words(tablet.get(url)).count("<b>due</b>") == 2
    server_clock.move(hours=2, minutes=1)
    assert words(signed_in(cast.alice, cast).get(url)).count("<b>due</b>") == 3


def test_an_outage_leads_to_its_next_step(cast: Cast, server_clock: ServerClock) -> None:
    outage = declare(cast, house.now())
    url, page = reverse("outages"), reverse("outage", args=[outage.serial])
    carol = signed_in(cast.carol, cast)
    assert "End the outage…" in words(carol.get(url))
    assert "End the outage…" in words(carol.get(page))
    end(cast, outage)
    assert "Close the outage…" in words(carol.get(url))
    assert "End the outage…" not in words(carol.get(page))


def test_an_overdue_sheet_is_an_item_once_until_it_is_printed(
    cast: Cast, floor: Slip, server_clock: ServerClock
) -> None:
    find_overdue_sheets(now=house.now())
    assert not FloorException.objects.filter(code__startswith="outage_sheet").exists()
    tablet, cage = signed_in(cast.alice, cast), signed_in(cast.erin, cast, Place.CAGE)
    tablet.get(f"/reports/outage-sheet/pdf?pit={cast.pit.pk}")
    cage.get("/reports/outage-sheet/pdf?by=cage")
    server_clock.move(hours=2, minutes=1)
    find_overdue_sheets(now=house.now())
    find_overdue_sheets(now=house.now())
    due = FloorException.objects.filter(code__startswith="outage_sheet", resolved_at=None)
    assert sorted(floor_exception.details["place"] for floor_exception in due) == sorted(
        [cast.pit.name, "cage"]
    )
    inbox = words(signed_in(cast.alice, cast).get(reverse("inbox")))
    assert f"{cast.pit.name}: the outage sheet was printed at" in inbox
    assert "The cage: the outage sheet" not in inbox
    signed_in(cast.alice, cast).get("/reports/outage-sheet/pdf")
    assert [floor_exception.details["place"] for floor_exception in due.all()] == ["cage"]
    signed_in(cast.erin, cast, Place.CAGE).get("/reports/outage-sheet/pdf?by=cage")
    assert not due.all().exists()
    find_overdue_sheets(now=house.now())
    assert not due.all().exists()


def test_what_was_printed_is_read_in_as_many_queries_however_often_it_was(
    cast: Cast, floor: Slip, django_assert_num_queries: Any
) -> None:
    tablet = signed_in(cast.alice, cast)
    for _ in range(4):
        tablet.get("/reports/outage-sheet/pdf")
    with django_assert_num_queries(2):
        assert set(sheets_printed()) >= {cast.pit.name}
