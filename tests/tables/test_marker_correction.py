"""A marker to the wrong patron, or for a wrong amount, is reversed once and issued right."""

from __future__ import annotations

import pytest
from django.db import IntegrityError, transaction

from inventory.models import Marker, MarkerEntry, MarkerMove, Patron
from inventory.selectors.cheques import balances, counts_off_the_ledger, tray_holding
from inventory.selectors.credit import credit_of, outstanding
from inventory.selectors.marker_log import log_differences
from pitboss.models import FloorException, Slip
from pitboss.rules.cheques.cheques import total_cents
from pitboss.rules.roles import Place, Role
from pitboss.services import house
from pitboss.services.signing import Entry
from tables.reports.win import TableWin, table_report
from tests.floor.cast import Cast, ServerClock, add_person, refused
from tests.floor.corrections import approve, propose
from tests.floor.drop_box import count_and_post, pull
from tests.floor.markers import TRAY, grant, lend, make_patron, pay
from tests.floor.tablets import signed_in, words

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def ana(cast: Cast) -> Patron:
    return make_patron(cast)


@pytest.fixture
def anna(cast: Cast) -> Patron:
    return make_patron(cast, "Anna")


@pytest.fixture
def marker(cast: Cast, ana: Patron, anna: Patron, server_clock: ServerClock) -> Slip:
    """M-88: $3,000 issued to Ana Ruiz and signed by Anna Ruiz."""
    grant(cast, ana, 1_000_000)
    grant(cast, anna, 1_000_000)
    cast.deliver(cast.ask(TRAY))
    cast.open_table(TRAY)
    server_clock.move(minutes=10)
    lent = lend(cast, ana, 300_000)
    server_clock.move(minutes=10)
    slip: Slip = lent.slip
    slip.refresh_from_db()
    return slip


@pytest.fixture
def tina(cast: Cast) -> object:
    """A cage manager who granted no line."""
    return add_person("tina", "941", Role.CAGE_MANAGER)


def owed(patron: Patron) -> tuple[int, int]:
    credit = credit_of(patron, house.now())
    return credit.outstanding_cents, credit.remaining_cents


def report(cast: Cast) -> TableWin:
    return table_report(cast.table, house.period_at(house.now()).gaming_day)


def is_sound() -> bool:
    return all(balance.adds_up for balance in balances()) and not counts_off_the_ledger()


def corrected(cast: Cast, marker: Slip, by: object, **given: object) -> Slip:
    cheques = given.pop("cheques", marker.cheques_by_cents)
    correction = propose(cast, "marker_correction", marker, cheques, **given)  # type: ignore[arg-type]
    return approve(cast, correction, by, place=Place.CAGE)  # type: ignore[arg-type]


def test_a124_a_marker_signed_by_another_patron_is_reversed_once_and_issued_on_theirs(
    cast: Cast, marker: Slip, ana: Patron, anna: Patron, tina: object, server_clock: ServerClock
) -> None:
    server_clock.move(hours=1)
    cast.close_table(dict(tray_holding(cast.table)))
    count_and_post(cast, pull(cast), {"cash_10000": 800_000})
    win, tray = report(cast).final_cents, tray_holding(cast.table)
    correction = corrected(cast, marker, tina, patron=anna, signed=True, paper="M-88 original")
    assert owed(ana) == (0, 1_000_000)
    assert owed(anna) == (300_000, 700_000)
    assert report(cast).final_cents == win
    assert tray_holding(cast.table) == tray
    assert [item.marker.slip.serial for item in outstanding(marker.gaming_day, anna)] == [
        correction.serial
    ]
    assert MarkerEntry.objects.filter(move=MarkerMove.CORRECTED).count() == 1
    assert ["Ana Ruiz owes", "$3,000", "$0"] in correction.details["restated"]
    assert not log_differences(marker.gaming_day)
    for patron in (ana, anna):
        page = words(signed_in(cast.trent, cast, Place.CAGE).get(f"/patrons/{patron.pk}/"))
        assert marker.serial in page
        assert correction.serial in page
    assert is_sound()


def test_a_wrong_amount_is_restated_in_line_tray_and_win(
    cast: Cast, marker: Slip, ana: Patron, tina: object
) -> None:
    held = total_cents(tray_holding(cast.table))
    less = {10_000: 20}
    corrected(cast, marker, tina, patron=ana, signed=True, cheques=less)
    assert owed(ana) == (200_000, 800_000)
    assert total_cents(tray_holding(cast.table)) == held + 100_000
    cast.close_table(dict(tray_holding(cast.table)))
    markers = next(line for line in report(cast).lines if line.key == "markers")
    assert markers.amount_cents == 200_000
    assert is_sound()


def test_without_a_signed_paper_nobody_owes_a_marker_and_the_cage_manager_asks(
    cast: Cast, marker: Slip, ana: Patron, anna: Patron, tina: object
) -> None:
    correction = corrected(cast, marker, tina, patron=anna, signed=False)
    assert owed(ana) == (0, 1_000_000)
    assert owed(anna) == (0, 1_000_000)
    found = FloorException.objects.get(slip=correction)
    assert (found.code, found.details["amount_cents"]) == ("marker_receivable", 300_000)
    # The paper is found: what was corrected is corrected again.
    uma = add_person("uma", "942", Role.CAGE_MANAGER)
    again = propose(
        cast, "marker_correction", correction, marker.cheques_by_cents, by=cast.carol,
        patron=anna, signed=True,
    )  # fmt: skip
    approve(cast, again, uma, place=Place.CAGE)
    assert owed(anna) == (300_000, 700_000)


def test_over_the_line_a_shift_manager_authorizes_it(
    cast: Cast, marker: Slip, ana: Patron, tina: object
) -> None:
    poor = make_patron(cast, "Polly")
    grant(cast, poor, 100_000)
    correction = propose(
        cast, "marker_correction", marker, marker.cheques_by_cents, patron=poor, signed=True
    )
    assert "authorised" in [step["name"] for step in correction.plan]
    entry = Entry(reason="Known for twenty years.")
    cast.sign(correction, "authorised", cast.heidi, entry=entry)
    approve(cast, correction, tina, place=Place.CAGE)  # type: ignore[arg-type]
    assert owed(poor)[0] == 300_000
    assert Marker.objects.get(slip=correction).over_line_cents == 200_000


def test_a_marker_that_was_paid_is_not_corrected_and_signers_stay_apart(
    cast: Cast, marker: Slip, ana: Patron, anna: Patron
) -> None:
    with refused("signed_original"):
        propose(
            cast, "marker_correction", marker, marker.cheques_by_cents, by=cast.alice,
            patron=anna, signed=True,
        )  # fmt: skip
    with refused("nothing_changes"):
        propose(cast, "marker_correction", marker, marker.cheques_by_cents, patron=ana, signed=True)
    open_one = propose(
        cast, "marker_correction", marker, marker.cheques_by_cents, patron=anna, signed=True
    )
    with refused("signed_before", "wrong_role"):
        cast.sign(open_one, "approved", cast.bob, Place.CAGE)
    pay(cast, ana, cash_cents=100_000)
    with refused("marker_paid"):
        cast.sign(open_one, "approved", cast.trent, Place.CAGE)


def test_the_database_takes_a_marker_back_only_on_a_signed_correction(
    cast: Cast, marker: Slip
) -> None:
    issued = MarkerEntry.objects.get(move=MarkerMove.ISSUED)
    issued.pk, issued.move = None, MarkerMove.CORRECTED.value
    with pytest.raises(IntegrityError, match="no signed correction"), transaction.atomic():
        issued.save(force_insert=True)


def test_correct_on_a_marker_looks_up_the_patron_who_signed(
    cast: Cast, marker: Slip, anna: Patron
) -> None:
    pit = signed_in(cast.bob, cast, Place.PIT)
    page = words(pit.get(f"/slips/{marker.serial}/"))
    address = f"/slips/new/marker_correction/?of={marker.serial}"
    assert address in page
    asked = words(pit.get(address))
    assert "Another patron…" in asked
    found = words(pit.get(f"{address}&q=Anna"))
    assert f"patron={anna.pk}" in found
    sent = {f"cheques_{cents}": str(n) for cents, n in marker.cheques_by_cents.items()}
    review = words(pit.post(f"{address}&patron={anna.pk}", {**sent, "signed": "yes"}))
    assert "Anna" in review
