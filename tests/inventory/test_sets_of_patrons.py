"""Cheques of other sets that patrons bring: what pays a marker, is changed or colored up."""

from __future__ import annotations

from uuid import uuid4

import pytest

from inventory.models import ChequeTransfer, Holder, Patron
from inventory.selectors.cheques import tray_holding
from inventory.selectors.credit import credit_of
from pitboss.models import Table
from pitboss.rules.roles import Place
from pitboss.services import house
from tables.models import FloorEntry
from tables.services.floor_log import NewEntry, Tap, enter
from tests.floor.cast import Cast, ServerClock, refused
from tests.floor.house_cheques import (
    BLACK_2,
    DAY_AFTER,
    GREEN_2,
    PROMO_25,
    PROMO_SET,
    SECOND_SET,
    add_set,
    change,
    hold,
)
from tests.floor.markers import grant, lend, make_patron, pay

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("server_clock")]
TRAY = {10_000: 40, 2_500: 40, 500: 40, BLACK_2: 40, GREEN_2: 40}


@pytest.fixture
def debtor(cast: Cast, server_clock: ServerClock) -> Patron:
    """Somebody who owes $1,000, with main, a second and a promotional set in play."""
    add_set(cast, 2_500, 10_000, **SECOND_SET)
    add_set(cast, 2_500, **PROMO_SET)
    server_clock.move(days=1)
    cast.deliver(cast.ask(TRAY))
    cast.open_table(TRAY)
    patron = make_patron(cast, tax_id="123-45-6789", tax_id_kind="ssn")
    grant(cast, patron, 1_000_000)
    lend(cast, patron, 100_000)
    return patron


def owes(patron: Patron) -> int:
    return credit_of(patron, house.now()).outstanding_cents


def held(cast: Cast) -> dict[int, int]:
    return tray_holding(Table.objects.get(pk=cast.table.pk))


def withdraw_main(cast: Cast, server_clock: ServerClock) -> None:
    change(cast, what="withdraw_set", set="Main", **{"from": DAY_AFTER})
    server_clock.move(days=1)


def note(cast: Cast, code: str, taken: dict[int, int], **more: object) -> FloorEntry:
    given = {"taken": {str(key): count for key, count in taken.items()}, **more}
    hand = Tap(cast.alice, cast.devices[Place.PIT], uuid4())
    return enter(table_id=cast.table.pk, new=NewEntry(code, given), hand=hand)


def test_a_marker_is_paid_at_the_table_in_cheques_of_two_sets(cast: Cast, debtor: Patron) -> None:
    before = held(cast)
    hold(cast, {BLACK_2: 4}, Holder.CAGE, Holder.PUBLIC)
    paid = pay(cast, debtor, cheques={10_000: 2, BLACK_2: 4})
    assert (paid.total_cents, owes(debtor)) == (60_000, 40_000)
    after = held(cast)
    assert after[BLACK_2] == before[BLACK_2] + 4
    assert after[10_000] == before[10_000] + 2
    rows = ChequeTransfer.objects.filter(slip=paid, target=Holder.TRAY)
    assert dict(rows.values_list("denomination_cents", "count")) == {10_000: 2, BLACK_2: 4}


def test_a_promotional_cheque_pays_no_marker_at_the_table_or_the_cage(
    cast: Cast, debtor: Patron
) -> None:
    before = held(cast)
    with refused("no_cash_value", "promotional_in_tray"):
        pay(cast, debtor, cheques={2_500: 4, PROMO_25: 4})
    # The marker is still in the pit, and neither would pay it at the cage.
    with refused("no_cash_value", "nothing_owed"):
        pay(cast, debtor, cheques={2_500: 4, PROMO_25: 4}, at_cage=True)
    assert (held(cast), owes(debtor)) == (before, 100_000)


def test_a_withdrawn_cheque_pays_a_marker_at_the_cage_alone(
    cast: Cast, debtor: Patron, server_clock: ServerClock
) -> None:
    withdraw_main(cast, server_clock)
    with refused("redeem_at_cage"):
        pay(cast, debtor, cheques={2_500: 4})
    assert owes(debtor) == 100_000
    paid = pay(cast, debtor, cheques={GREEN_2: 4})
    assert (paid.total_cents, owes(debtor)) == (10_000, 90_000)


def test_change_goes_between_sets(cast: Cast, debtor: Patron) -> None:
    entry = note(cast, "cheque_change", {BLACK_2: 4}, sent={"2500": 16})
    assert entry.outcome == "granted"
    assert entry.facts["taken"] == {str(BLACK_2): 4}


@pytest.mark.parametrize("side", ["taken", "sent"])
def test_a_promotional_cheque_is_never_changed(cast: Cast, debtor: Patron, side: str) -> None:
    coupons, money = {PROMO_25: 16}, {10_000: 4}
    taken, sent = (coupons, money) if side == "taken" else (money, coupons)
    with refused("no_cash_value", journal=()):
        note(cast, "cheque_change", taken, sent={str(key): n for key, n in sent.items()})


@pytest.mark.parametrize("side", ["taken", "sent"])
def test_a_withdrawn_cheque_is_never_changed_at_a_table(
    cast: Cast, debtor: Patron, server_clock: ServerClock, side: str
) -> None:
    withdraw_main(cast, server_clock)
    gone, current = {10_000: 4}, {GREEN_2: 16}
    taken, sent = (gone, current) if side == "taken" else (current, gone)
    with refused("redeem_at_cage", journal=()):
        note(cast, "cheque_change", taken, sent={str(key): n for key, n in sent.items()})
    note(cast, "cheque_change", {BLACK_2: 4}, sent={str(GREEN_2): 16})


def test_a_withdrawn_cheque_is_not_colored_up_at_a_table(
    cast: Cast, debtor: Patron, server_clock: ServerClock
) -> None:
    assert note(cast, "colour_up", {500: 20}, colour="10000").outcome == "granted"
    withdraw_main(cast, server_clock)
    with refused("redeem_at_cage", journal=()):
        note(cast, "colour_up", {500: 20}, colour="10000")
