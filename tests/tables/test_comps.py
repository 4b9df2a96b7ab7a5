"""Comps: by rank and by what is left, once; redeemed, voided, frozen; points by two departments."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.db import DatabaseError, transaction

from inventory.models import (
    CashEntry,
    ChequeTransfer,
    ExclusionCase,
    ListCheck,
    ListVersion,
    Patron,
)
from pitboss.kinds.setting import drafted_setting
from pitboss.models import JournalEntry, Slip
from pitboss.rules.floor.fields import read_facts
from pitboss.rules.flows.flows import SlipStatus, Track
from pitboss.rules.patrons.exclusion import ListKind
from pitboss.rules.patrons.patrons import Standing
from pitboss.rules.refusal import Refused
from pitboss.rules.roles import Place
from pitboss.services import house
from pitboss.services.signing import Entry
from pitboss.services.verification import verify
from pitboss.slips.addresses import new_url
from pitboss.slips.kind import the_kind
from pitboss.slips.raising import raise_kind, shown_before
from tables.models import Comp, CompEntry, PointsEntry, RatingFigures
from tables.services.comps import account_of, points_of
from tests.floor.cast import Cast, ServerClock, refused
from tests.floor.comps import after, assign_host, earn, give, raise_about, relate
from tests.floor.exclusion import RUIZ, put_on
from tests.floor.markers import make_patron, stop
from tests.floor.ratings import add_patron, open_tables, seat
from tests.floor.tablets import signed_in, words

pytestmark = pytest.mark.django_db


@pytest.fixture
def ana(cast: Cast, server_clock: ServerClock) -> Patron:
    """A patron with $100 earned: theo of $333.34 at 30%."""
    open_tables(cast.table, cast.other_table)
    patron = add_patron(cast)
    earn(patron, cast, 33_334)
    return patron


def left_of(patron: Patron) -> int:
    return account_of(patron, house.now()).left_cents


def test_a_comp_within_what_is_left_takes_one_signature(cast: Cast, ana: Patron) -> None:
    slip = give(cast, ana, 6_000)
    assert slip.status == SlipStatus.DONE
    comp = Comp.objects.get()
    assert (comp.earned_cents, comp.given_cents, comp.issuer) == (10_000, 0, cast.alice)
    assert [entry.move for entry in comp.entries.all()] == ["reserved", "issued"]
    assert left_of(ana) == 4_000
    assert verify().is_sound


def test_over_what_is_left_needs_the_next_rank(cast: Cast, ana: Patron) -> None:
    with refused("over_earned", "over_own_limit"):
        give(cast, ana, 10_001)
    slip = give(cast, ana, 10_001, over=True)
    assert slip.status == SlipStatus.OPEN
    assert left_of(ana) == -1
    with refused("wrong_role"):
        cast.sign(slip, "authorized", cast.bob)
    cast.sign(slip, "authorized", cast.carol)
    assert Comp.objects.get().entries.filter(move="issued").exists()


def test_a71_two_comps_of_one_day_count_together(cast: Cast, ana: Patron) -> None:
    earn(ana, cast, 100_000)
    give(cast, ana, 6_000)
    with refused("over_own_limit"):
        give(cast, ana, 6_000)
    give(cast, ana, 6_000, by=cast.bob)


def test_more_than_a_pit_manager_may_goes_to_the_shift_manager(cast: Cast, ana: Patron) -> None:
    slip = give(cast, ana, 60_000, over=True)
    assert [step["name"] for step in slip.plan if step["track"] == "main"] == [
        "issued",
        "senior_authorized",
    ]
    cast.sign(slip, "senior_authorized", cast.heidi)


@pytest.mark.django_db(transaction=True)
def test_a147_a146_who_is_on_a_list_is_comped_nothing_and_each_check_is_kept(
    cast: Cast, server_clock: ServerClock
) -> None:
    open_tables(cast.table)
    ana = make_patron(cast, born_on="1980-02-03")
    earn(ana, cast, 33_334)
    issued = give(cast, ana, 4_000)
    cash = raise_about(cast, "cash_comp", ana, by=cast.heidi, value_cents=1_000)
    cast.sign(cash, "authorized", cast.trent, Place.CAGE)
    waiting = give(cast, ana, 20_000, over=True)
    version = ListVersion.objects.get(slip=put_on(cast, RUIZ, kind=ListKind.OFAC))

    def stopped(act: Any) -> None:
        with pytest.raises(Refused) as error:
            act()
        assert "exclusion_stop" in error.value.codes
        check = ListCheck.objects.latest("pk")
        assert (check.moment, check.stopped, check.versions) == (
            "comp",
            True,
            {"ofac": version.pk},
        )

    stopped(lambda: give(cast, ana, 100))
    stopped(lambda: cast.sign(waiting, "authorized", cast.carol))
    fields = {"amount_cents": 100, "outlet": "Bar"}
    stopped(lambda: after(cast, "comp_redemption", issued, cast.erin, Place.CAGE, **fields))
    stopped(lambda: cast.sign(cash, "paid", cast.erin, Place.CAGE))
    assert ExclusionCase.objects.get().patron == ana
    assert not CashEntry.objects.exists()


def test_a_declined_comp_gives_its_value_back_once(cast: Cast, ana: Patron) -> None:
    slip = give(cast, ana, 20_000, over=True)
    entry = Entry(reason="Not for one hour of play.")
    cast.sign(slip, "refused", cast.carol, entry=entry, track=Track.VOID)
    assert left_of(ana) == 10_000
    comp = Comp.objects.get()
    assert [comp_entry.move for comp_entry in comp.entries.all()] == ["reserved", "voided"]


def test_a_comp_is_redeemed_up_to_its_value_and_then_stays(cast: Cast, ana: Patron) -> None:
    slip = give(cast, ana, 6_000)
    fields = {"amount_cents": 4_000, "outlet": "Steakhouse"}
    after(cast, "comp_redemption", slip, cast.erin, Place.CAGE, **fields)
    with refused("over_value"):
        after(cast, "comp_redemption", slip, cast.erin, Place.CAGE, **fields)
    with refused("already_redeemed"):
        after(cast, "comp_void", slip, cast.alice, Place.PIT)
    rest = CompEntry(
        comp=Comp.objects.get(),
        move="redeemed",
        amount_cents=2_001,
        outlet="Bar",
        device=cast.devices[Place.OFFICE],
        request_id=uuid4(),
        gaming_day=slip.gaming_day,
        at=house.now(),
    )
    with pytest.raises(DatabaseError, match="more than its value"), transaction.atomic():
        rest.save()


def test_a_void_takes_two_and_the_value_comes_back_once(cast: Cast, ana: Patron) -> None:
    slip = give(cast, ana, 6_000)
    void = after(cast, "comp_void", slip, cast.alice, Place.PIT)
    assert left_of(ana) == 4_000
    with refused("already_proposed"):
        after(cast, "comp_void", slip, cast.bob, Place.PIT)
    with refused("wrong_role"):
        cast.sign(void, "witnessed", cast.bob)
    cast.sign(void, "witnessed", cast.carol)
    assert left_of(ana) == 10_000
    with refused("already_void"):
        after(cast, "comp_void", slip, cast.alice, Place.PIT)
    with refused("comp_void"):
        after(cast, "comp_redemption", slip, cast.erin, Place.CAGE, amount_cents=1, outlet="Bar")


def test_a_void_that_lost_the_race_to_a_redemption_is_refused(cast: Cast, ana: Patron) -> None:
    slip = give(cast, ana, 6_000)
    void = after(cast, "comp_void", slip, cast.alice, Place.PIT)
    after(cast, "comp_redemption", slip, cast.erin, Place.CAGE, amount_cents=1, outlet="Bar")
    with refused("already_redeemed"):
        cast.sign(void, "witnessed", cast.carol)


def test_a66_a_relative_neither_rates_nor_corrects_nor_comps(cast: Cast, ana: Patron) -> None:
    relate(cast, ana, cast.alice)
    with refused("related_to_patron"):
        give(cast, ana, 100)
    with refused("related_to_patron", journal=("rating_refused",)):
        seat(cast, ana)
    rating = RatingFigures.objects.get().rating
    changes: dict[str, dict[str, Any]] = {
        "rating_void": {},
        "rating_correction": {"average_cents": 10_000, "minutes": 50},
    }
    for kind, said in changes.items():
        raising = the_kind(kind).at(rating=rating, **said)
        with refused("related_to_patron"):
            pen = cast.pen(cast.alice)
            raise_kind(raising, pen=pen, shown=shown_before(raising), reason="Family.")
    give(cast, ana, 100, by=cast.bob)
    relate(cast, ana, cast.alice, "ended")
    give(cast, ana, 100)


def test_no_one_confirms_their_own_relation(cast: Cast, ana: Patron) -> None:
    slip = raise_about(
        cast, "relation", ana, by=cast.alice, badge=cast.petra.badge, state="related"
    )
    with refused("is_the_person"):
        cast.sign(slip, "confirmed", cast.petra, Place.OFFICE)


def test_a69_a_void_under_a_comp_needs_a_shift_manager_and_left_goes_below_zero(
    cast: Cast, ana: Patron
) -> None:
    rating = RatingFigures.objects.get().rating
    give(cast, ana, 6_000)
    raising = the_kind("rating_void").at(rating=rating)
    slip = raise_kind(
        raising, pen=cast.pen(cast.alice), shown=shown_before(raising), reason="Not there."
    )
    cast.sign(slip, "witnessed", cast.carol)
    assert RatingFigures.objects.count() == 1
    cast.sign(slip, "senior_signed", cast.heidi)
    assert left_of(ana) == -6_000
    with refused("over_earned"):
        give(cast, ana, 1, by=cast.carol)
    assert "−$60" in words(signed_in(cast.alice, cast).get(f"/patrons/{ana.pk}/card/"))


def test_a69_a_comp_given_while_a_void_is_pending_sends_it_back(cast: Cast, ana: Patron) -> None:
    rating = RatingFigures.objects.get().rating
    raising = the_kind("rating_void").at(rating=rating)
    slip = raise_kind(
        raising, pen=cast.pen(cast.alice), shown=shown_before(raising), reason="Not there."
    )
    give(cast, ana, 6_000)
    with refused("comps_rest_on_it"):
        cast.sign(slip, "witnessed", cast.carol)


def test_a72_a_barred_patron_keeps_comps_and_points_that_are_frozen(
    cast: Cast, ana: Patron
) -> None:
    slip = give(cast, ana, 1_000)
    stop(cast, ana, Standing.SELF_EXCLUDED)
    with refused("self_excluded"):
        give(cast, ana, 100)
    with refused("self_excluded"):
        after(cast, "comp_redemption", slip, cast.erin, Place.CAGE, amount_cents=1, outlet="Bar")
    with refused("self_excluded"):
        raise_about(
            cast, "points_by_hand", ana, by=cast.hanna, change="add", points=5, why="promotion"
        )
    assert points_of(ana)["balance"] == 333
    with pytest.raises(DatabaseError, match="barred"), transaction.atomic():
        Comp.objects.create(**_row(Comp.objects.get()), slip=Slip.objects.latest("pk"))


def _row(comp: Comp) -> dict[str, Any]:
    names = ["patron", "kind", "value_cents", "valued_by", "issuer", "trip_began"]
    names += ["earned_cents", "given_cents", "gaming_day", "at"]
    return {name: getattr(comp, name) for name in names}


def test_the_database_issues_nothing_without_the_authority_that_is_asked_for(
    cast: Cast, ana: Patron
) -> None:
    slip = give(cast, ana, 20_000, over=True)
    comp = Comp.objects.get()
    with pytest.raises(DatabaseError, match="no one authorized"), transaction.atomic():
        CompEntry.objects.create(
            comp=comp,
            move="issued",
            amount_cents=20_000,
            slip=slip,
            gaming_day=slip.gaming_day,
            at=house.now(),
        )
    with pytest.raises(DatabaseError, match="something was given since"), transaction.atomic():
        Comp.objects.create(**_row(comp), slip=slip)
    with pytest.raises(DatabaseError), transaction.atomic():
        Comp.objects.update(value_cents=1)


def test_a73_cash_is_paid_at_the_cage_by_two_and_moves_no_cheque(cast: Cast, ana: Patron) -> None:
    slip = raise_about(cast, "cash_comp", ana, by=cast.heidi, value_cents=5_000)
    cast.sign(slip, "authorized", cast.trent, Place.CAGE)
    with refused("wrong_place"):
        cast.sign(slip, "paid", cast.erin, Place.PIT)
    with refused("signed_before"):
        cast.sign(slip, "paid", cast.trent, Place.CAGE)
    cast.sign(slip, "paid", cast.erin, Place.CAGE)
    assert [entry.move for entry in Comp.objects.get().entries.all()] == [
        "reserved",
        "issued",
        "redeemed",
    ]
    assert not ChequeTransfer.objects.exists()
    # It is cash out of the patron's day, and counts toward a currency report.
    logged = CashEntry.objects.get()
    assert (logged.kind, logged.direction, logged.amount_cents) == ("comp", "out", 5_000)
    assert (logged.patron, logged.slip) == (ana, slip)
    with refused("comp_malformed", journal=()):
        row = the_kind("comp").asked
        read_facts(row, {"comp": "cash", "value_cents": 1, "valued_by": "cost"})


def test_a74_points_by_hand_take_two_departments(cast: Cast, ana: Patron) -> None:
    fields: dict[str, Any] = {"change": "add", "points": 500, "why": "promotion"}
    with refused("wrong_role"):
        raise_about(cast, "points_by_hand", ana, by=cast.ruth, **fields)
    slip = raise_about(cast, "points_by_hand", ana, by=cast.hanna, **fields)
    with refused("wrong_role"):
        cast.sign(slip, "approved", cast.heidi)
    cast.sign(slip, "approved", cast.ruth, Place.OFFICE)
    assert points_of(ana) == {"played": 333, "by_hand": 500, "balance": 833}
    with refused("over_balance"):
        raise_about(
            cast,
            "points_by_hand",
            ana,
            by=cast.hanna,
            **{**fields, "change": "take", "points": 834},
        )
    with pytest.raises(DatabaseError, match="no slip"), transaction.atomic():
        PointsEntry.objects.create(
            patron=ana, points=1, slip=slip, gaming_day=slip.gaming_day, at=house.now()
        )


def test_a74_a_new_share_is_of_a_day_to_come_and_ended_days_keep_theirs(
    cast: Cast, ana: Patron, server_clock: ServerClock
) -> None:
    today = house.period_at(house.now()).gaming_day
    for day in (today - timedelta(days=1), today):
        with refused("holds_from_past", journal=()):
            drafted_setting("comp.share", "50%", day.isoformat())
    tomorrow = today + timedelta(days=1)
    fields: dict[str, Any] = {"key": "comp.share", "value": "50%", "from": tomorrow.isoformat()}
    raising = the_kind("setting_change").at(**fields)
    slip = raise_kind(
        raising, pen=cast.pen(cast.heidi), shown=shown_before(raising), reason="New policy."
    )
    cast.sign(slip, "approved", cast.mike)
    server_clock.move(days=1)
    earn(ana, cast, 10_000)
    account = account_of(ana, house.now())
    assert (account.days, account.earned_cents) == (2, 15_000)


def test_a_trip_ends_after_more_than_a_day_without_play(
    cast: Cast, ana: Patron, server_clock: ServerClock
) -> None:
    give(cast, ana, 6_000)
    server_clock.move(days=2)
    earn(ana, cast, 10_000)
    account = account_of(ana, house.now())
    assert (account.days, account.left_cents) == (2, 7_000)
    server_clock.move(days=3)
    earn(ana, cast, 20_000)
    account = account_of(ana, house.now())
    assert (account.days, account.given_cents, account.left_cents) == (1, 0, 6_000)


def test_a77_a_host_comps_their_own_patrons_and_reads_no_cash_or_credit(
    cast: Cast, ana: Patron
) -> None:
    host = signed_in(cast.hugo, cast, Place.OFFICE)
    assert host.get(f"/patrons/{ana.pk}/card/").status_code == 403
    with refused("not_your_patron"):
        give(cast, ana, 100, by=cast.hugo)
    assign_host(cast, ana, cast.hugo)
    give(cast, ana, 100, by=cast.hugo)
    page = words(host.get("/hosts/"))
    assert "Ana Ruiz" in page
    assert "$99" in page
    card = words(host.get(f"/patrons/{ana.pk}/card/"))
    assert "Comp…" in card
    assert "Patron file" not in card
    for url in (f"/patrons/{ana.pk}/", "/markers/", "/cash/", "/board/"):
        assert host.get(url).status_code == 403, url
        kept = JournalEntry.objects.filter(kind="page_refused", person=cast.hugo)
        assert url in kept.latest("pk").text, url
    with refused("wrong_role", journal=("rating_refused",)):
        seat(cast, ana, by=cast.hugo)
    assign_host(cast, ana, None)
    assert "Ana Ruiz" not in words(host.get("/hosts/"))


def test_the_pad_shows_what_is_left_and_asks_again_where_it_is_too_much(
    cast: Cast, ana: Patron
) -> None:
    page = signed_in(cast.alice, cast)
    url = new_url("comp", patron=ana.pk)
    assert "<dt>Left</dt><dd><b>$100</b></dd>" in words(page.get(url))
    fields = {"comp": "meal", "value_cents": "150", "valued_by": "retail", "request_id": uuid4()}
    answer = page.post(url, fields)
    assert answer.status_code == 409
    assert "Request authorization" in words(answer)
    review = words(page.post(url, fields | {"over": "yes"}))
    assert "Left for this trip afterward" in review


def test_a_pad_that_is_stale_is_refused(cast: Cast, ana: Patron) -> None:
    given: dict[str, Any] = {"comp": "meal", "value_cents": 1_000, "valued_by": "retail"}
    raising = replace(the_kind("comp").at(patron=ana, **given), badge=cast.bob.badge)
    stale = replace(raising, draft=raising.new())
    give(cast, ana, 500)
    with refused("balance_changed"):
        raise_kind(stale, pen=cast.pen(cast.bob), shown=shown_before(stale))
