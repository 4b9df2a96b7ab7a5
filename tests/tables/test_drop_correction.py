"""A posted count of a box is corrected by people who did not sign it, and both figures stay."""

from __future__ import annotations

from datetime import date

import pytest
from django.db import IntegrityError, transaction

from pitboss.models import Person, Slip
from pitboss.rules.flows.flows import Track
from pitboss.rules.roles import Place, Role
from pitboss.services import house
from pitboss.services.signing import Entry
from pitboss.slips.addresses import new_url
from pitboss.slips.raising import raise_kind, shown_before
from tables.kinds.drop_correction import DROP_CORRECTION
from tables.models import SettledWin
from tables.reports.win import table_report
from tables.selectors.table_days import table_days
from tables.services.settling import settle_due_days
from tests.floor.cast import Cast, ServerClock, add_person, refused
from tests.floor.days import close_the_day
from tests.floor.drop_box import count_and_post, pull
from tests.floor.tablets import signed_in, words
from tests.races import at_once

pytestmark = pytest.mark.django_db(transaction=True)
TRAY = {10_000: 100}
POSTED = {"cash_10000": 800_000}
EVIDENCE = "A strap of $100 bills was recorded as $20 bills."


@pytest.fixture
def posted(cast: Cast, server_clock: ServerClock) -> Slip:
    """A day on which BJ-11 won $1,200 on a drop of $8,000, counted and posted."""
    cast.deliver(cast.ask(TRAY))
    cast.open_table(TRAY)
    server_clock.move(hours=4)
    cast.close_table({10_000: 32})
    return count_and_post(cast, pull(cast), POSTED)


@pytest.fixture
def rosa(cast: Cast) -> Person:
    """A second accountant: Ruth has posted the count."""
    return add_person("rosa", "918", Role.ACCOUNTING)


def propose(cast: Cast, original: Slip, by: Person, figures: dict[str, int] | None = None) -> Slip:
    documents = original.details["figures"]["documents"]
    figures = {"documents": documents, **({"cash_10000": 900_000} if figures is None else figures)}
    correction = DROP_CORRECTION.at(original=Slip.objects.get(pk=original.pk), figures=figures)
    return raise_kind(
        correction,
        pen=cast.pen(by, Place.OFFICE),
        shown=shown_before(correction),
        reason=EVIDENCE,
    )


def approve(cast: Cast, correction: Slip, by: Person | None = None) -> None:
    seen = Entry(reason="The video shows nine straps.")
    if any(step["name"] == "confirmed" for step in correction.plan):
        cast.sign(correction, "confirmed", cast.vera, Place.SURVEILLANCE, entry=seen)
    cast.sign(correction, "approved", by or cast.trent, Place.CAGE)
    if any(step["name"] == "restated" for step in correction.plan):
        cast.sign(correction, "restated", cast.heidi, Place.PIT)
    correction.refresh_from_db()


def day_of(count: Slip) -> date:
    return count.gaming_day


def test_a120_a_corrected_count_restates_win_and_hold_and_both_figures_stay(
    cast: Cast, posted: Slip, rosa: Person
) -> None:
    table = cast.table
    before = table_report(table, day_of(posted))
    assert (before.final_cents, before.drop_cents) == (120_000, 800_000)
    correction = propose(cast, posted, rosa)
    # From $500 on the surveillance manager has seen the video.
    assert [step["name"] for step in correction.plan if step["track"] == "main"] == [
        "proposed",
        "confirmed",
        "approved",
    ]
    assert table_report(table, day_of(posted)).final_cents == 120_000, "nothing is approved yet"
    approve(cast, correction)
    assert correction.status == "done"
    assert correction.refers_to == posted
    after = table_report(table, day_of(posted))
    assert (after.final_cents, after.drop_cents) == (220_000, 900_000)
    behind = next(line for line in after.lines if line.key == "cash").behind
    assert [(item.serial, item.amount_cents) for item in behind] == [
        (posted.serial, 800_000),
        (correction.serial, 100_000),
    ]
    assert [line.amount_cents for line in after.corrections] == [100_000]
    page = words(signed_in(cast.olga, cast, Place.OFFICE).get(f"/slips/{correction.serial}/"))
    for shown in ("$8,000", "$9,000", "+$1,200", "+$2,200", "15.00%", "24.44%"):
        assert shown in page
    posted.refresh_from_db()
    assert posted.details["figures"]["cash_10000"] == 800_000, "the count stays as it was signed"
    of_count = words(signed_in(cast.olga, cast, Place.OFFICE).get(f"/slips/{posted.serial}/"))
    assert correction.serial in of_count


def test_a120_a_second_correction_chains_to_the_first(
    cast: Cast, posted: Slip, rosa: Person
) -> None:
    first = propose(cast, posted, rosa)
    approve(cast, first)
    with refused("already_corrected"):
        propose(cast, posted, rosa, {"cash_10000": 840_000})
    sara = add_person("sara", "919", Role.ACCOUNTING)
    tina = add_person("tina", "920", Role.CAGE_MANAGER)
    # Who signed the first correction takes no part in the second.
    with refused("signed_original"):
        propose(cast, first, rosa, {"cash_10000": 860_000})
    second = propose(cast, first, sara, {"cash_10000": 860_000})
    assert [step["name"] for step in second.plan if step["track"] == "main"] == [
        "proposed",
        "approved",
    ], "$400 needs no video"
    with refused("signed_original"):
        cast.sign(second, "approved", cast.trent, Place.CAGE)
    approve(cast, second, tina)
    report = table_report(cast.table, day_of(posted))
    assert (report.final_cents, report.drop_cents) == (180_000, 860_000)
    assert [(line.sign, line.amount_cents) for line in report.corrections] == [
        (1, 100_000),
        (-1, 40_000),
    ]


def test_a120_nobody_who_signed_the_count_signs_its_correction(
    cast: Cast, posted: Slip, rosa: Person
) -> None:
    with refused("signed_original"):
        propose(cast, posted, cast.ruth)
    with refused("signed_original", "wrong_role"):
        propose(cast, posted, cast.paul)
    Person.objects.filter(pk=cast.quinn.pk).update(role=Role.CAGE_MANAGER.value)
    correction = propose(cast, posted, rosa, {"cash_10000": 810_000})
    with refused("signed_before", "wrong_role"):
        cast.sign(correction, "approved", rosa, Place.CAGE)
    with refused("wrong_role"):
        cast.sign(correction, "approved", cast.erin, Place.CAGE)
    approve(cast, correction)


def test_a_correction_changes_something_and_only_of_a_posted_count(
    cast: Cast, posted: Slip, rosa: Person
) -> None:
    with refused("nothing_changes"):
        propose(cast, posted, rosa, POSTED)
    open_count = Slip.objects.get(pk=posted.pk)
    correction = propose(cast, open_count, rosa)
    sara = add_person("sara", "919", Role.ACCOUNTING)
    with refused("not_posted"):
        propose(cast, correction, sara, {"cash_500": 500})


def test_a_declined_correction_changes_nothing_and_another_can_be_proposed(
    cast: Cast, posted: Slip, rosa: Person
) -> None:
    correction = propose(cast, posted, rosa)
    with refused("already_corrected"):
        propose(cast, posted, rosa, {"cash_10000": 700_000})
    no = Entry(reason="The video shows eight straps.")
    cast.sign(correction, "refused", cast.trent, Place.CAGE, entry=no, track=Track.VOID)
    assert table_report(cast.table, day_of(posted)).final_cents == 120_000
    approve(cast, propose(cast, posted, rosa))


def test_a_closed_day_is_restated_by_the_shift_manager_and_settled_again(
    cast: Cast, posted: Slip, rosa: Person, server_clock: ServerClock
) -> None:
    day = day_of(posted)
    server_clock.move(days=1)
    close_the_day(cast, day)
    assert settle_due_days() == 1
    correction = propose(cast, posted, rosa)
    approve(cast, correction)
    assert [signature.step for signature in correction.signatures.all()] == [
        "proposed",
        "confirmed",
        "approved",
        "restated",
    ]
    assert table_days(day, day)[0].win_cents == 220_000, "before it is settled again"
    assert settle_due_days() == 1
    rows = SettledWin.objects.order_by("revision").values_list("revision", "win_cents")
    assert list(rows) == [(1, 120_000), (2, 220_000)]
    assert table_days(day, day)[0].win_cents == 220_000
    assert house.is_closed(day)


def test_the_database_keeps_one_correction_a_count_and_its_signers_apart(
    cast: Cast, posted: Slip, rosa: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    correction = propose(cast, posted, rosa, {"cash_10000": 810_000})
    twin = Slip.objects.get(pk=correction.pk)
    twin.pk, twin.number, twin.serial = None, 999_999, "X-1"
    with pytest.raises(IntegrityError, match="one_correction_a_count"), transaction.atomic():
        twin.save(force_insert=True)
    Person.objects.filter(pk=cast.paul.pk).update(role=Role.CAGE_MANAGER.value)
    monkeypatch.setattr("tables.kinds.drop_correction.signer_refusals", lambda *told: [])
    with pytest.raises(IntegrityError, match="they signed what this corrects"):
        cast.sign(correction, "approved", cast.paul, Place.CAGE)


def test_two_corrections_of_one_count_at_once_leave_one(
    cast: Cast, posted: Slip, rosa: Person
) -> None:
    sara = add_person("sara", "919", Role.ACCOUNTING)
    results = at_once(
        lambda: propose(cast, posted, rosa, {"cash_10000": 900_000}),
        lambda: propose(cast, posted, sara, {"cash_10000": 700_000}),
    )
    assert [isinstance(result, Slip) for result in results].count(True) == 1
    assert Slip.objects.filter(kind="drop_correction").count() == 1


def test_accounting_finds_the_correction_on_the_count_and_sees_before_and_after(
    cast: Cast, posted: Slip, rosa: Person
) -> None:
    office = signed_in(rosa, cast, Place.OFFICE)
    address = new_url("drop_correction", of=posted.serial)
    assert address.replace("&", "&amp;") in words(office.get(f"/slips/{posted.serial}/"))
    asked = words(office.get(address))
    assert "Before" in asked
    assert 'value="$8,000"' in asked
    documents = posted.details["figures"]["documents"]
    sent = {"figure_cash_10000": "9,000", "figure_documents": str(documents)}
    review = words(office.post(address, sent))
    assert "+$2,200" in review
    assert "24.44%" in review
    again = office.post(address, {"figure_cash_10000": "8,000", "figure_documents": str(documents)})
    assert again.status_code == 422
    assert "These are the posted figures" in words(again)
    propose(cast, posted, rosa)
    assert address not in words(office.get(f"/slips/{posted.serial}/"))
