"""A finished fill, credit or count is corrected by two who did not sign it; both figures stay."""

from __future__ import annotations

import re

import pytest
from django.db import IntegrityError, connection, transaction

from inventory.models import Holder
from inventory.selectors.cheques import (
    balances,
    cage_holding,
    counts_off_the_ledger,
    holding_of,
    tray_holding,
)
from pitboss.models import Person, Slip
from pitboss.rules.flows.corrections import RESTATING
from pitboss.rules.flows.flows import Track
from pitboss.rules.roles import Place, Role
from pitboss.services import house
from pitboss.services.signing import Entry
from pitboss.slips.addresses import new_url
from pitboss.slips.correcting import chain_of
from pitboss.slips.kind import kinds
from tables.models import SettledWin
from tables.reports.win import TableWin, table_report
from tables.selectors.table_days import table_days
from tables.services.settling import settle_due_days
from tests.floor.cage import send_credit
from tests.floor.cast import Cast, ServerClock, add_person, refused
from tests.floor.corrections import approve, propose
from tests.floor.days import close_the_day
from tests.floor.drop_box import count_and_post, count_tray, pull
from tests.floor.tablets import signed_in, words
from tests.races import at_once

pytestmark = pytest.mark.django_db(transaction=True)
TRAY = {10_000: 100}


def is_sound() -> bool:
    return all(balance.adds_up for balance in balances()) and not counts_off_the_ledger()


def report(cast: Cast) -> TableWin:
    return table_report(cast.table, house.period_at(house.now()).gaming_day)


@pytest.fixture
def fill(cast: Cast, server_clock: ServerClock) -> Slip:
    """A table that opened on $10,000, and a fill of 100 green into it."""
    cast.deliver(cast.ask(TRAY))
    cast.open_table(TRAY)
    server_clock.move(hours=1)
    fill = cast.ask({2_500: 100})
    cast.deliver(fill)
    fill.refresh_from_db()
    server_clock.move(minutes=5)
    return fill


def test_a126_a_fill_is_corrected_by_opposite_transfers_and_stays_as_it_was_signed(
    cast: Cast, fill: Slip
) -> None:
    before = cage_holding()
    correction = propose(cast, "fill_correction", fill, {2_500: 60, 500: 10})
    assert [step["name"] for step in correction.plan if step["track"] == "main"] == [
        "proposed",
        "approved",
    ]
    assert correction.serial.startswith("K-")
    assert tray_holding(cast.table) == {10_000: 100, 2_500: 100}, "nothing is approved yet"
    approve(cast, correction)
    assert correction.status == "done"
    assert tray_holding(cast.table) == {10_000: 100, 2_500: 60, 500: 10}
    assert cage_holding()[2_500] == before[2_500] + 40
    fill.refresh_from_db()
    assert fill.cheques_by_cents == {2_500: 100}
    assert is_sound()


def test_a_fill_that_a_count_has_seen_restates_win_and_moves_no_tray(
    cast: Cast, fill: Slip, server_clock: ServerClock
) -> None:
    closer = cast.close_table({10_000: 100, 2_500: 60})
    count_and_post(cast, pull(cast), {"cash_10000": 800_000})
    before = report(cast)
    assert (before.figures.fills_cents, before.final_cents) == (250_000, 700_000)
    correction = propose(cast, "fill_correction", fill, {2_500: 60})
    assert ["Win of BJ-11, May 1", "+$7,000", "+$8,000"] in correction.details["restated"]
    approve(cast, correction)
    after = report(cast)
    assert (after.figures.fills_cents, after.final_cents) == (150_000, 800_000)
    assert tray_holding(cast.table) == closer.cheques_by_cents
    behind = next(line for line in after.lines if line.key == "fills").behind
    assert [(item.serial, item.amount_cents) for item in behind] == [
        (fill.serial, 250_000),
        (correction.serial, -100_000),
    ]
    assert [(line.sign, line.amount_cents) for line in after.corrections] == [(1, 100_000)]
    assert is_sound()


def test_a126_signers_of_the_original_and_a_second_correction_are_rejected(
    cast: Cast, fill: Slip
) -> None:
    with refused("signed_original"):
        propose(cast, "fill_correction", fill, {2_500: 60}, by=cast.alice)
    correction = propose(cast, "fill_correction", fill, {2_500: 60})
    with refused("already_corrected"):
        propose(cast, "fill_correction", fill, {2_500: 50}, by=cast.carol)
    with refused("signed_before", "wrong_role"):
        cast.sign(correction, "approved", cast.bob)
    with refused("wrong_role"):
        cast.sign(correction, "approved", cast.carol)
    Person.objects.filter(pk=cast.frank.pk).update(role=Role.SHIFT_MANAGER.value)
    with refused("signed_original"):
        cast.sign(correction, "approved", cast.frank)
    approve(cast, correction)


def test_a126_the_third_in_a_chain_shows_all(cast: Cast, fill: Slip) -> None:
    first = approve(cast, propose(cast, "fill_correction", fill, {2_500: 60}))
    with refused("already_corrected"):
        propose(cast, "fill_correction", fill, {2_500: 50}, by=cast.carol)
    with refused("signed_original"):
        propose(cast, "fill_correction", first, {2_500: 50}, by=cast.bob)
    second = propose(cast, "fill_correction", first, {2_500: 50}, by=cast.carol)
    with refused("signed_original"):
        cast.sign(second, "approved", cast.heidi)
    approve(cast, second, cast.mike)
    nina = add_person("nina", "931", Role.SUPERVISOR)
    noel = add_person("noel", "932", Role.SHIFT_MANAGER)
    third = approve(cast, propose(cast, "fill_correction", second, {2_500: 90}, by=nina), noel)
    assert tray_holding(cast.table) == {10_000: 100, 2_500: 90}
    assert [slip.pk for slip in chain_of(second)] == [fill.pk, first.pk, second.pk, third.pk]
    office = signed_in(cast.olga, cast, Place.OFFICE)
    page = words(office.get(f"/slips/{third.serial}/"))
    for slip in (fill, first, second, third):
        assert slip.serial in page
    of_fill = words(office.get(f"/slips/{fill.serial}/"))
    assert first.serial in of_fill
    assert "Corrected" in of_fill


def test_a_correction_changes_something_and_only_of_a_finished_slip(cast: Cast, fill: Slip) -> None:
    with refused("nothing_changes"):
        propose(cast, "fill_correction", fill, {2_500: 100})
    slip = cast.ask({500: 20})
    with refused("not_finished"):
        propose(cast, "fill_correction", slip, {500: 10})


def test_a_declined_correction_changes_nothing_and_another_can_be_proposed(
    cast: Cast, fill: Slip
) -> None:
    correction = propose(cast, "fill_correction", fill, {2_500: 60})
    no = Entry(reason="The video shows five stacks.")
    cast.sign(correction, "refused", cast.heidi, entry=no, track=Track.VOID)
    assert tray_holding(cast.table)[2_500] == 100
    approve(cast, propose(cast, "fill_correction", fill, {2_500: 60}))


def test_a_tray_that_is_not_expected_to_have_the_cheques_is_counted_first(
    cast: Cast, fill: Slip
) -> None:
    cast.close_table({10_000: 100})
    opener = cast.open_table({10_000: 100})
    assert opener.status == "done"
    again = cast.ask({2_500: 20})
    cast.deliver(again)
    correction = propose(cast, "fill_correction", again, {500: 20})
    # Somebody took them to the cage meanwhile.
    send_credit(cast, {2_500: 20})
    with refused("tray_does_not_hold"):
        cast.sign(correction, "approved", cast.heidi)
    count_tray(cast, {10_000: 100})
    approve(cast, correction)
    assert tray_holding(cast.table) == {10_000: 100}
    assert is_sound()


def test_into_a_closed_day_the_shift_manager_signs_third_and_it_is_settled_again(
    cast: Cast, fill: Slip, server_clock: ServerClock
) -> None:
    cast.close_table({10_000: 100, 2_500: 60})
    count_and_post(cast, pull(cast), {"cash_10000": 800_000})
    day = fill.gaming_day
    server_clock.move(days=1)
    close_the_day(cast, day)
    assert settle_due_days() == 1
    correction = propose(cast, "fill_correction", fill, {2_500: 60})
    approve(cast, correction)
    assert [signature.step for signature in correction.signatures.order_by("id")] == [
        "proposed",
        "approved",
        "restated",
    ]
    assert table_days(day, day)[0].win_cents == 800_000, "before it is settled again"
    assert settle_due_days() == 1
    rows = SettledWin.objects.order_by("revision").values_list("revision", "win_cents")
    assert list(rows) == [(1, 700_000), (2, 800_000)]
    assert table_days(day, day)[0].win_cents == 800_000


def test_a_closer_corrected_restates_its_period_and_the_next_opener_finds_no_variance(
    cast: Cast, fill: Slip, server_clock: ServerClock
) -> None:
    closer = cast.close_table({10_000: 100, 2_500: 100})
    count_and_post(cast, pull(cast), {"cash_10000": 800_000})
    assert report(cast).final_cents == 800_000
    day = house.period_at(house.now()).gaming_day
    server_clock.move(hours=1)
    opener = cast.count("opener", {10_000: 100, 2_500: 90})
    cast.sign(opener, "verified", cast.alice, entry=Entry(counted={10_000: 100, 2_500: 90}))
    for step, person, place in (
        ("accepted", cast.heidi, Place.PIT),
        ("security_reported", cast.frank, Place.SECURITY),
        ("surveillance_reported", cast.ivan, Place.SURVEILLANCE),
    ):
        if any(item["name"] == step for item in opener.plan):
            cast.sign(opener, step, person, place, entry=Entry(reason="Looked into."))
    assert holding_of(Holder.VARIANCE) == {2_500: 10}
    correction = propose(cast, "count_correction", closer, {10_000: 100, 2_500: 90})
    with refused("signed_original"):
        cast.sign(correction, "approved", cast.carol)
    pam = add_person("pam", "933", Role.PIT_MANAGER)
    approve(cast, correction, pam)
    assert holding_of(Holder.VARIANCE) == {}
    assert tray_holding(cast.table) == {10_000: 100, 2_500: 90}
    after = table_report(cast.table, day)
    assert after.final_cents == 775_000
    behind = next(line for line in after.lines if line.key == "closing").behind
    assert [item.amount_cents for item in behind] == [1_250_000, -25_000]
    assert is_sound()


def test_an_opener_corrected_goes_to_variance_and_a_count_between_cancels_out(
    cast: Cast, server_clock: ServerClock
) -> None:
    cast.deliver(cast.ask(TRAY))
    opener = cast.open_table(TRAY)
    server_clock.move(hours=1)
    between = count_tray(cast, {10_000: 90})
    server_clock.move(hours=1)
    cast.close_table({10_000: 80})
    count_and_post(cast, pull(cast), {"cash_10000": 800_000})
    before = report(cast).figures
    pam = add_person("pam", "933", Role.PIT_MANAGER)
    approve(cast, propose(cast, "count_correction", opener, {10_000: 98}), pam)
    assert holding_of(Holder.VARIANCE) == {10_000: 2}
    assert report(cast).figures.opening_cents == before.opening_cents - 20_000
    rosa = add_person("rosa", "934", Role.PIT_MANAGER)
    approve(cast, propose(cast, "count_correction", between, {10_000: 85}), rosa)
    assert report(cast).figures.opening_cents == before.opening_cents - 20_000
    assert report(cast).figures.closing_cents == before.closing_cents
    assert tray_holding(cast.table) == {10_000: 80}
    assert is_sound()


def test_the_database_keeps_one_correction_a_slip_and_its_signers_apart(
    cast: Cast, fill: Slip, monkeypatch: pytest.MonkeyPatch
) -> None:
    correction = propose(cast, "fill_correction", fill, {2_500: 60})
    twin = Slip.objects.get(pk=correction.pk)
    twin.pk, twin.number, twin.serial = None, 999_999, "X-1"
    with pytest.raises(IntegrityError, match="one_correction_a_document"), transaction.atomic():
        twin.save(force_insert=True)
    Person.objects.filter(pk=cast.frank.pk).update(role=Role.SHIFT_MANAGER.value)
    monkeypatch.setattr("pitboss.slips.correcting.signer_refusals", lambda *told: [])
    with pytest.raises(IntegrityError, match="they signed what this corrects"):
        cast.sign(correction, "approved", cast.frank)


def test_two_corrections_of_one_slip_at_once_leave_one(cast: Cast, fill: Slip) -> None:
    results = at_once(
        lambda: propose(cast, "fill_correction", fill, {2_500: 60}),
        lambda: propose(cast, "fill_correction", fill, {2_500: 50}, by=cast.carol),
    )
    assert [isinstance(result, Slip) for result in results].count(True) == 1
    assert Slip.objects.filter(kind="fill_correction").count() == 1


def test_correct_on_a_finished_slip_shows_before_and_after(cast: Cast, fill: Slip) -> None:
    pit = signed_in(cast.bob, cast, Place.PIT)
    address = new_url("fill_correction", of=fill.serial)
    assert address.replace("&", "&amp;") in words(pit.get(f"/slips/{fill.serial}/"))
    asked = words(pit.get(address))
    assert "Before" in asked
    assert 'value="100"' in asked
    review = words(pit.post(address, {"cheques_2500": "60"}))
    assert "$2,500" in review
    assert "$1,500" in review
    again = pit.post(address, {"cheques_2500": "100"})
    assert again.status_code == 422
    assert "Change at least one line" in words(again)
    propose(cast, "fill_correction", fill, {2_500: 60})
    assert address not in words(pit.get(f"/slips/{fill.serial}/"))


def test_the_database_holds_every_kind_that_corrects() -> None:
    # The others have a guard of their own.
    corrects = {kind.kind for kind in kinds() if kind.corrects} - {
        "cash_correction",
        "drop_correction",
        "rating_correction",
        "tax_correction",
    }
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_get_functiondef('tables_others_correct'::regproc)")
        [signed] = cursor.fetchone()
        cursor.execute("SELECT indexname, indexdef FROM pg_indexes WHERE schemaname = 'public'")
        indexes = dict(cursor.fetchall())
    for held, wanted in (
        (signed, corrects),
        (indexes["one_correction_a_document"], corrects),
        # By this one the days of a table find what restates them.
        (indexes["corrections_of_a_table"], RESTATING),
    ):
        assert set(re.findall(r"'(\w+_correction)'", held)) == wanted
