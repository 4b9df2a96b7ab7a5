"""Cash that was written down on paper in an outage goes into the sums of its own day."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import pytest

from inventory.models import CashEntry, CurrencyReport, ExclusionCase, Patron, Stranger
from inventory.selectors.cash_log import DayPerson, day_sum
from inventory.services.patrons import add_patron
from pitboss.models import PaperFormEnd, Slip, Table
from pitboss.rules.patrons.cash_log import Direction
from pitboss.rules.roles import Place
from pitboss.services import house
from pitboss.services.verification import verify
from pitboss.slips.raising import raise_kind, shown_before
from tables.kinds.late_cash import LATE_CAGE_CASH, LATE_CASH
from tests.floor.cash_log import RED_JACKET
from tests.floor.cast import Cast, ServerClock, refused
from tests.floor.exclusion import put_on
from tests.floor.outages import declare, end, pack_of, picture, ready

pytestmark = pytest.mark.django_db


def enter(cast: Cast, true_time: datetime, *, number: str = "", **given: Any) -> Slip:
    """Enter the cash of a table from its form as Alice."""
    number = number or ready(cast, "CS", true_time)
    paper = LATE_CASH.at(
        Table.objects.get(pk=cast.table.pk),
        paper_number=number,
        true_time=true_time.isoformat(),
        signers="A. Aliceson",
        **{"cash_kind": "buy_in", "amount": 600_000, **given},
    )
    return raise_kind(paper, pen=cast.pen(cast.alice), shown=shown_before(paper))


@pytest.fixture
def patron(cast: Cast) -> Patron:
    keyed = {"first_name": "Ana", "last_name": "Ruiz", "player_card": "100200300"}
    return add_patron(keyed=keyed, pen=cast.pen(cast.alice))


def test_late_cash_is_summed_on_the_day_and_at_the_time_on_the_form(
    cast: Cast, patron: Patron, server_clock: ServerClock
) -> None:
    outage = declare(cast)
    server_clock.move(minutes=10)
    at = house.now()
    # The next gaming day has begun when the line is back.
    server_clock.move(hours=23)
    end(cast, outage)
    slips = [enter(cast, at, card=patron.player_card) for _ in range(2)]
    assert not CashEntry.objects.exists()
    for slip in slips:
        cast.sign(slip, "approved", cast.carol)
    day = house.period_at(at).gaming_day
    assert day < house.period_at(house.now()).gaming_day
    assert day_sum(DayPerson(patron, None), day, Direction.IN) == 1_200_000
    assert set(CashEntry.objects.values_list("at", "gaming_day", "table")) == {
        (at, day, cast.table.pk)
    }
    report = CurrencyReport.objects.get()
    assert (report.gaming_day, report.opened_at) == (day, house.now())
    assert PaperFormEnd.objects.filter(how="entered").count() == 2
    assert not verify().findings


def test_somebody_unknown_is_described_as_on_the_form(
    cast: Cast, server_clock: ServerClock
) -> None:
    declare(cast)
    server_clock.move(minutes=10)
    at = house.now()
    slip = enter(cast, at, description=RED_JACKET)
    cast.sign(slip, "approved", cast.carol)
    stranger = Stranger.objects.get()
    assert CashEntry.objects.get().stranger == stranger
    assert stranger.gaming_day == house.period_at(at).gaming_day


def test_cash_of_somebody_on_a_list_is_logged_and_opens_the_case(
    cast: Cast, patron: Patron, server_clock: ServerClock
) -> None:
    declare(cast)
    server_clock.move(minutes=10)
    put_on(cast, f"SX-1,{patron.last_name},{patron.first_name},,,,,,,")
    slip = enter(cast, house.now(), card=patron.player_card)
    cast.sign(slip, "approved", cast.carol)
    assert CashEntry.objects.get().patron == patron
    assert ExclusionCase.objects.get().moment == "cash"


def test_a_form_that_does_not_say_whose_cash_it_was_is_not_entered(
    cast: Cast, server_clock: ServerClock
) -> None:
    declare(cast)
    server_clock.move(minutes=10)
    at = house.now()
    number = ready(cast, "CS", at)
    with refused("who_missing"):
        enter(cast, at, number=number)
    with refused("card_unknown"):
        enter(cast, at, number=number, card="9999999")
    with refused("description_too_short"):
        enter(cast, at, number=number, description="man")
    with refused("amount_malformed"):
        enter(cast, at, number=number, description=RED_JACKET, amount=0)


def test_the_cage_enters_its_own_cash_and_its_manager_approves(
    cast: Cast, patron: Patron, server_clock: ServerClock
) -> None:
    declare(cast)
    server_clock.move(minutes=10)
    pack_of(cast, "CC", holder="cage")
    picture(cast, "P-CC-000001-8")
    paper = LATE_CAGE_CASH.at(
        cash_kind="cash_out",
        amount=300_000,
        card=patron.player_card,
        paper_number="P-CC-000001-8",
        true_time=house.now().isoformat(),
        signers="E. Erinson",
    )
    slip = raise_kind(paper, pen=cast.pen(cast.erin, Place.CAGE), shown=shown_before(paper))
    with refused("wrong_role"):
        cast.sign(slip, "approved", cast.carol)
    cast.sign(slip, "approved", cast.trent, Place.CAGE)
    entry = CashEntry.objects.get()
    assert (entry.kind, entry.place, entry.table) == ("cash_out", "cage", None)
