"""Two people spend one patron's balance at once, and one of them finds it spent."""

from __future__ import annotations

import threading

import pytest
from django.db import DatabaseError, transaction

from inventory.models import Patron
from pitboss.models import Slip
from pitboss.rules.flows.flows import PlanFacts
from pitboss.services import house
from tables.kinds import comp as comp_kind
from tables.models import Comp
from tests.floor.cast import Cast
from tests.floor.comps import assign_host, earn, give
from tests.floor.ratings import add_patron, open_tables
from tests.races import at_once, hold_before

pytestmark = pytest.mark.django_db(transaction=True)


def test_a70_host_and_pit_manager_give_one_balance_at_once_and_one_is_issued(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_tables(cast.table)
    ana = add_patron(cast)
    earn(ana, cast, 33_334)
    assign_host(cast, ana, cast.hugo)
    hold_before(monkeypatch, comp_kind, "_judged")
    results = at_once(
        lambda: give(cast, ana, 8_000, by=cast.hugo),
        lambda: give(cast, ana, 8_000, by=cast.carol),
    )
    assert sorted(type(result).__name__ for result in results) == ["Slip", "tuple"]
    assert ("balance_changed", "over_earned") in results
    assert Comp.objects.count() == 1


def test_a71_a_supervisor_gives_twice_at_once_on_two_tablets_and_one_is_over_their_limit(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_tables(cast.table)
    ana = add_patron(cast)
    earn(ana, cast, 100_000)
    hold_before(monkeypatch, comp_kind, "_judged")
    results = at_once(lambda: give(cast, ana, 6_000), lambda: give(cast, ana, 6_000))
    assert sorted(type(result).__name__ for result in results) == ["Slip", "tuple"]
    assert [
        result for result in results if isinstance(result, tuple) and "over_own_limit" in result
    ]
    assert Comp.objects.count() == 1


def paper(patron: Patron, number: int) -> Slip:
    when = house.period_at(house.now())
    return Slip.objects.create(
        kind="comp",
        series="CO",
        year=2031,
        number=number,
        serial=f"CO-2031-{number:06}",
        gaming_day=when.gaming_day,
        shift=when.shift,
        raised_at=house.now(),
        total_cents=0,
        details={"patron": patron.pk, "amount_cents": 8_000},
        plan=comp_kind.COMP.plan(PlanFacts({})),
    )


def test_two_rows_past_the_service_find_the_balance_spent_too(cast: Cast) -> None:
    ana = add_patron(cast)
    slips = [paper(ana, number) for number in (1, 2)]
    meeting = threading.Barrier(2)

    def write(slip: Slip) -> str:
        try:
            with transaction.atomic():
                meeting.wait(timeout=10)
                Comp.objects.create(
                    slip=slip,
                    patron=ana,
                    kind="meal",
                    value_cents=8_000,
                    valued_by="retail",
                    issuer=cast.bob,
                    trip_began=slip.gaming_day,
                    earned_cents=10_000,
                    given_cents=0,
                    gaming_day=slip.gaming_day,
                    at=house.now(),
                )
        except DatabaseError as error:
            return str(error).partition("refused: ")[2].partition("\n")[0]
        return "written"

    results = at_once(lambda: write(slips[0]), lambda: write(slips[1]))
    assert sorted(results) == ["something was given since", "written"]
