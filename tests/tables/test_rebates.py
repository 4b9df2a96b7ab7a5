"""Loss rebates: agreed before play, with what they cost; settled once, by what is known alone."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from django.db import DatabaseError, transaction

from inventory.models import ExclusionCase, ListCheck, Patron
from pitboss.models import Slip
from pitboss.rules.roles import Place
from pitboss.services import house
from pitboss.slips.kind import the_kind
from pitboss.slips.raising import raise_kind, shown_before
from tables.models import PlayRating, RatingFigures, RebateAgreement, RebateSettlement
from tests.floor.cast import Cast, ServerClock, refused
from tests.floor.comps import raise_about
from tests.floor.exclusion import RUIZ, clear, put_on
from tests.floor.markers import make_patron
from tests.floor.ratings import add_patron, know_edge, open_tables

pytestmark = pytest.mark.django_db
TERMS: dict[str, Any] = {
    "rate": 10,
    "least_loss_cents": 1_000_000,
    "most_cents": 500_000,
    "least_decisions": 300,
    "bet_cents": 100_000,
    "rounds": 100,
}


@pytest.fixture
def ana(cast: Cast, server_clock: ServerClock) -> Patron:
    open_tables(cast.table)
    know_edge(cast.table)
    return add_patron(cast)


def played(patron: Patron, cast: Cast, result: int | None, hands: int = 200) -> RatingFigures:
    now = house.now()
    when = house.period_at(now)
    rating = PlayRating.objects.create(
        table=cast.table,
        patron=patron,
        began_at=now,
        began_by=cast.bob,
        gaming_day=when.gaming_day,
        shift=when.shift,
    )
    rating.ended_at, rating.end, rating.ended_by = now, "left", cast.bob
    rating.save(update_fields=["ended_at", "end", "ended_by"])
    return RatingFigures.objects.create(
        rating=rating,
        revision=0,
        made_at=now,
        seconds=3_600,
        basis="told",
        pace_basis="counted",
        average="100000",
        decisions=str(hands),
        result_cents=result,
    )


def agree(cast: Cast, patron: Patron) -> Slip:
    slip = raise_about(cast, "rebate", patron, by=cast.hanna, **TERMS)
    cast.sign(slip, "agreed", cast.trent, Place.CAGE)
    return slip


def settle(cast: Cast, slip: Slip) -> Slip:
    raising = replace(the_kind("rebate_settlement").at(original=slip), badge=cast.ruth.badge)
    return raise_kind(raising, pen=cast.pen(cast.ruth, Place.OFFICE), shown=shown_before(raising))


def test_the_slip_says_what_a_rebate_costs_before_it_is_signed(cast: Cast, ana: Patron) -> None:
    slip = raise_about(cast, "rebate", ana, by=cast.hanna, **TERMS)
    said = dict(map(tuple, slip.details["says"]))
    assert said["Costs on average"] == "$418.57 of $405.90 theo, over 100 rounds of $1,000"
    with refused("wrong_role"):
        cast.sign(slip, "agreed", cast.heidi)


def test_a78_a_rebate_is_agreed_before_play(
    cast: Cast, ana: Patron, server_clock: ServerClock
) -> None:
    slip = raise_about(cast, "rebate", ana, by=cast.hanna, **TERMS)
    played(ana, cast, 1_000)
    server_clock.move(minutes=1)
    with refused("agreed_too_late"):
        cast.sign(slip, "agreed", cast.trent, Place.CAGE)
    other = add_patron(cast, "Moreau")
    played(other, cast, 1_000)
    with refused("agreed_too_late"):
        raise_about(cast, "rebate", other, by=cast.hanna, **TERMS)


def test_a78_unknown_results_and_void_ratings_are_not_counted(
    cast: Cast, ana: Patron, server_clock: ServerClock
) -> None:
    slip = agree(cast, ana)
    with refused("no_play"):
        settle(cast, slip)
    server_clock.move(minutes=1)
    played(ana, cast, 2_500_000)
    server_clock.move(minutes=1)
    unknown = played(ana, cast, None)
    with refused("result_not_known"):
        settle(cast, slip)
    raising = the_kind("rating_void").at(rating=unknown.rating)
    void = raise_kind(
        raising, pen=cast.pen(cast.alice), shown=shown_before(raising), reason="No one saw it."
    )
    cast.sign(void, "witnessed", cast.carol)
    with refused("too_little_play"):
        settle(cast, slip)
    played(ana, cast, -1_000_050)
    done = settle(cast, slip)
    cast.sign(done, "approved", cast.trent, Place.CAGE)
    row = RebateSettlement.objects.get()
    assert (row.loss_cents, row.rebate_cents) == (1_499_950, 149_995)
    with refused("already_settled"):
        settle(cast, slip)


def test_a_settlement_that_no_longer_fits_and_rows_without_a_slip_are_refused(
    cast: Cast, ana: Patron, server_clock: ServerClock
) -> None:
    slip = agree(cast, ana)
    server_clock.move(minutes=1)
    played(ana, cast, 2_500_000, hands=400)
    pending = settle(cast, slip)
    played(ana, cast, 100_000)
    with refused("result_changed"):
        cast.sign(pending, "approved", cast.trent, Place.CAGE)
    agreement = RebateAgreement.objects.get()
    with pytest.raises(DatabaseError, match="no slip"), transaction.atomic():
        RebateSettlement.objects.create(
            agreement=agreement,
            loss_cents=1,
            rebate_cents=1,
            slip=pending,
            gaming_day=pending.gaming_day,
            at=house.now(),
        )
    with pytest.raises(DatabaseError), transaction.atomic():
        RebateAgreement.objects.update(rate_bp=5_000)


@pytest.mark.django_db(transaction=True)
def test_a147_who_is_on_a_list_is_promised_and_paid_no_rebate(
    cast: Cast, server_clock: ServerClock
) -> None:
    open_tables(cast.table)
    know_edge(cast.table)
    ana = make_patron(cast, born_on="1980-02-03")
    pending = raise_about(cast, "rebate", ana, by=cast.hanna, **TERMS)
    stopped = (
        "inventory.ExclusionCase",
        "inventory.ListCheck",
        "pitboss.FloorException",
        "pitboss.Waiting",
    )
    put_on(cast, RUIZ)
    row = ("sign_refused", "exception_opened", "patron_stopped")
    with refused("exclusion_stop", journal=row, ignoring=stopped):
        cast.sign(pending, "agreed", cast.trent, Place.CAGE)
    again = ("sign_refused", "patron_stopped")
    with refused("exclusion_stop", "already_proposed", journal=again, ignoring=stopped):
        raise_about(cast, "rebate", ana, by=cast.hanna, **TERMS)
    assert not RebateAgreement.objects.exists()
    clear(cast, ExclusionCase.objects.get(patron=ana))
    cast.sign(pending, "agreed", cast.trent, Place.CAGE)

    played(ana, cast, -2_000_000, hands=400)
    settlement = settle(cast, pending)
    # A row that changed is looked at again.
    put_on(cast, RUIZ.replace(",,,,,", ",,,Tall,,"))
    with refused("exclusion_stop", journal=row, ignoring=stopped):
        cast.sign(settlement, "approved", cast.trent, Place.CAGE)
    assert not RebateSettlement.objects.exists()
    moments = ListCheck.objects.filter(stopped=True).values_list("moment", flat=True)
    assert list(moments) == ["comp"] * 3
