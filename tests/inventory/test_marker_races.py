"""Two pits must not lend one line twice: each act is held between its reading and its writing."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from inventory.kinds import (
    check_deposit,
    deposits,
    front_draw,
    marker_payment,
    marker_payment_means,
)
from inventory.kinds import marker as marker_kind
from inventory.kinds.check_deposit import CHECK_DEPOSIT
from inventory.kinds.deposits import FRONT_WITHDRAWAL
from inventory.kinds.front_draw import FRONT_DRAW
from inventory.kinds.marker import MARKER
from inventory.kinds.marker_payment_means import MARKER_PAYMENT_FRONT
from inventory.models import (
    ChequeTransfer,
    DepositAccount,
    Holder,
    Marker,
    MarkerEntry,
    Patron,
    TrayCount,
)
from inventory.selectors.cheques import holding_of, tray_holding
from inventory.selectors.credit import credit_of
from inventory.selectors.deposits import balance_cents
from pitboss.models import Pit, Slip, Table
from pitboss.rules.cheques.cheques import format_money
from pitboss.rules.flows.flows import Track
from pitboss.rules.refusal import Refused
from pitboss.rules.roles import Place, Role
from pitboss.services import house, signing
from pitboss.services.floor import add_table
from pitboss.services.shown import slip_shown
from pitboss.services.signing import Entry, sign
from pitboss.services.verification import verify
from pitboss.slips.raising import raise_kind, shown_before
from tests.floor.cage import open_with
from tests.floor.cast import PAR, Cast, add_person, make_cast
from tests.floor.check_bank import RECEIPT, prepare
from tests.floor.deposits import begin, by_patron, deposit
from tests.floor.markers import (
    TRAY,
    drawn,
    grant,
    issue,
    lend,
    make_patron,
    receive,
    sign_as_patron,
    stop,
    transfer,
)
from tests.races import at_once, hold_before, refusals

pytestmark = pytest.mark.django_db(transaction=True)


def more_tables(cast: Cast, count: int) -> list[Table]:
    """Put open tables into both pits. Their trays are of no matter here."""
    pits = [cast.pit, Pit.objects.exclude(pk=cast.pit.pk).get()]
    tables = [
        add_table(
            name=f"BJ-{30 + number}",
            pit=pits[number % 2],
            game="classic",
            minimum_cents=2_500,
            maximum_cents=300_000,
            par=PAR,
        )
        for number in range(count)
    ]
    Table.objects.filter(pk__in=[table.pk for table in tables]).update(is_open=True)
    return tables


@pytest.fixture
def floor(transactional_db: None) -> Cast:
    """The cast, committed, and an open table."""
    cast = make_cast()
    open_with(cast, TRAY)
    return cast


@pytest.fixture
def ana(floor: Cast) -> Patron:
    patron = make_patron(floor)
    grant(floor, patron, 1_000_000)
    return patron


def asking(
    cast: Cast, patron: Patron, amount_cents: int, table: Table, by: Any
) -> Callable[[], Slip]:
    """Return an issue whose screen was opened now, in whichever pit its table is."""
    table = Table.objects.get(pk=table.pk)
    marker = MARKER.at(table, {10_000: amount_cents // 10_000}, patron=patron)
    marker = replace(marker, draft=marker.new())
    shown = shown_before(marker)
    tablet = cast.devices[Place.PIT] if table.pit_id == cast.pit.pk else cast.other_pit_tablet
    pen = cast.pen(by)
    pen = type(pen)(pen.badge, pen.pin, tablet, pen.request_id)
    return lambda: raise_kind(marker, pen=pen, shown=shown)


def test_a26_two_pits_lend_in_the_same_second_and_one_succeeds(
    floor: Cast, ana: Patron, monkeypatch: pytest.MonkeyPatch
) -> None:
    lend(floor, ana, 600_000)
    here, there = more_tables(floor, 2)
    acts = [
        asking(floor, ana, 300_000, here, floor.alice),
        asking(floor, ana, 300_000, there, floor.bob),
    ]
    hold_before(monkeypatch, marker_kind, "issue_refusals")
    results = at_once(*acts)
    assert refusals(results) == [("over_line", "stale_line")]
    assert credit_of(ana, house.now()).remaining_cents == 100_000
    assert Marker.objects.filter(amount_cents=300_000).count() == 1


def test_fifty_hands_on_ten_patrons_never_lend_more_than_the_lines(
    floor: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Five tables in two pits, fifty tablets; each looks at the line, and lends what it saw."""
    tables = more_tables(floor, 5)
    patrons = [make_patron(floor, f"P{n}", "Many") for n in range(10)]
    for patron in patrons:
        grant(floor, patron, 1_000_000)
    hands = [add_person(f"hand{n}", f"6{n:02}", Role.SUPERVISOR) for n in range(50)]
    together = threading.Barrier(50)
    said: list[str] = []
    hold_before(monkeypatch, marker_kind, "issue_refusals")

    def lend_what_is_left(number: int) -> Callable[[], int]:
        def act() -> int:
            patron, table = patrons[number % 10], tables[number % 5]
            together.wait(timeout=30)
            lent = 0
            for _ in range(4):
                try:
                    asking(floor, patron, 300_000, table, hands[number])()
                    lent += 300_000
                except Refused as refused:
                    said.extend(
                        refusal.message
                        for refusal in refused.refusals
                        if refusal.code in ("over_line", "stale_line")
                    )
            return lent

        return act

    results = at_once(*[lend_what_is_left(number) for number in range(50)])
    assert sum(results) == sum(
        MarkerEntry.objects.filter(move="reserved").values_list("amount_cents", flat=True)
    )
    for patron in patrons:
        credit = credit_of(patron, house.now())
        assert 0 < credit.owed_cents <= 1_000_000
        assert credit.owed_cents + credit.remaining_cents == 1_000_000
    assert said
    amounts = {format_money(cents) for cents in range(0, 1_000_001, 100_000)}
    assert all(any(f"has {amount} of credit left" in text for amount in amounts) for text in said)
    # The test opened them without their openers, which verification would name.
    Table.objects.exclude(counts__slip__kind="opener").update(is_open=False)
    assert verify().is_sound


def test_two_voids_of_one_marker_give_its_line_back_once(
    floor: Cast, ana: Patron, monkeypatch: pytest.MonkeyPatch
) -> None:
    slip = issue(floor, ana, 300_000)
    entry = Entry(reason="The patron went home.")
    floor.sign(slip, "voided", floor.alice, entry=entry, track=Track.VOID)
    slip.refresh_from_db()
    shown = slip_shown(slip)
    hold_before(monkeypatch, signing, "sign_refusals")
    results = at_once(
        *[
            lambda who=who, place=place: sign(
                slip_id=slip.pk,
                step="void_witnessed",
                pen=floor.pen(who, place),
                shown=shown,
                track=Track.VOID,
            )
            for who, place in ((floor.ivan, Place.SURVEILLANCE), (floor.frank, Place.SECURITY))
        ]
    )
    assert refusals(results) == [("already_signed", "stale_screen")]
    assert credit_of(ana, house.now()).remaining_cents == 1_000_000
    assert MarkerEntry.objects.filter(move="voided").count() == 1


def test_two_payments_in_two_places_take_what_is_owed_once(
    floor: Cast, ana: Patron, monkeypatch: pytest.MonkeyPatch
) -> None:
    lend(floor, ana, 300_000)
    (there,) = more_tables(floor, 1)
    hold_before(monkeypatch, marker_payment, "payment_refusals")
    results = at_once(
        lambda: receive(floor, ana, cash_cents=300_000),
        lambda: receive(replace(floor, dan=floor.dora), ana, cash_cents=300_000, table=there),
    )
    assert refusals(results) == [("payment_under_way",)]
    assert Slip.objects.filter(kind="marker_payment").count() == 1


def test_a_stop_and_the_last_signature_meet_and_no_cheque_leaves_after_the_stop(
    floor: Cast, ana: Patron, monkeypatch: pytest.MonkeyPatch
) -> None:
    slip = issue(floor, ana, 300_000)
    sign_as_patron(floor, slip)
    floor.sign(slip, "dealer_signed", floor.dan)
    hold_before(monkeypatch, marker_kind, "completion_refusals")
    results = at_once(
        lambda: floor.sign(slip, "approved", floor.alice),
        lambda: stop(floor, ana),
    )
    stopped = [result for result in results if isinstance(result, Slip)]
    assert stopped
    marker = Marker.objects.get(slip=slip)
    issued = marker.entries.filter(move="issued").first()
    if issued is None:
        assert ("credit_stopped",) in results
        assert holding_of(Holder.PUBLIC) == {}
    else:
        # It went out before the stop was signed: the stop waited for the patron's lock.
        assert issued.at <= stopped[0].raised_at or holding_of(Holder.PUBLIC) != {}


def test_a_marker_between_count_and_verify_makes_the_count_stale(
    floor: Cast, ana: Patron, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The tray gives cheques while a second person verifies its count: never both."""
    slip = issue(floor, ana, 300_000)
    sign_as_patron(floor, slip)
    floor.sign(slip, "dealer_signed", floor.dan)
    counted = tray_holding(floor.table)
    count = floor.count("count", counted, by=floor.dora)
    shown, marker_shown = slip_shown(count), slip_shown(Slip.objects.get(pk=slip.pk))
    hold_before(monkeypatch, signing, "sign_refusals")
    results = at_once(
        lambda: sign(
            slip_id=count.pk,
            step="verified",
            pen=floor.pen(floor.bob),
            shown=shown,
            entry=Entry(counted=counted),
        ),
        lambda: sign(
            slip_id=slip.pk, step="approved", pen=floor.pen(floor.alice), shown=marker_shown
        ),
    )
    slip.refresh_from_db()
    assert slip.status == "done"
    after = {10_000: 75, 2_500: 80}
    assert tray_holding(floor.table) == after
    if refusals(results):
        # The marker was first, and the count is of a tray that is no more.
        assert refusals(results) == [("tray_moved",)]
    else:
        moved = ChequeTransfer.objects.filter(slip=slip, source="tray").earliest("pk")
        found = TrayCount.objects.get(slip=count)
        assert moved.tray_sequence is not None
        assert found.tray_sequence < moved.tray_sequence
    assert holding_of(Holder.PUBLIC) == {10_000: 25, 2_500: 20}


def test_a133_front_money_pays_once_what_two_windows_ask_in_one_second(
    floor: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    rich = make_patron(floor, tax_id="123-45-6789")
    grant(floor, rich, 1_000_000)
    transfer(floor, [str(lend(floor, rich, 600_000))])
    deposit(floor, rich, 500_000)
    payment = MARKER_PAYMENT_FRONT.at(patron=rich, amount=300_000)
    shown = shown_before(payment)
    hold_before(monkeypatch, marker_payment_means, "payment_judged")

    def asked(by: Any) -> Callable[[], Slip]:
        pen = floor.pen(by, Place.CAGE)
        return lambda: raise_kind(payment, pen=pen, shown=shown)

    results = at_once(asked(floor.erin), asked(floor.trent))
    assert len(refusals(results)) == 1
    assert Slip.objects.filter(kind="marker_payment_front").count() == 1


def test_a_payment_and_a_withdrawal_do_not_both_take_the_same_front_money(
    floor: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    rich = make_patron(floor, tax_id="123-45-6789")
    grant(floor, rich, 1_000_000)
    transfer(floor, [str(lend(floor, rich, 600_000))])
    deposit(floor, rich, 500_000)
    pays = begin(floor, MARKER_PAYMENT_FRONT, rich, amount=300_000)
    by_patron(floor, pays)
    takes = begin(floor, FRONT_WITHDRAWAL, rich, account="front_money", amount=300_000)
    entry = Entry(drawn=drawn(takes))
    hold_before(monkeypatch, marker_payment_means, "deposit_refusals")
    hold_before(monkeypatch, deposits, "deposit_refusals")

    def signing_of(slip: Slip, step: str, by: Any, entry: Entry) -> Callable[[], Any]:
        pen, shown = floor.pen(by, Place.CAGE), slip_shown(Slip.objects.get(pk=slip.pk))
        return lambda: sign(slip_id=slip.pk, step=step, pen=pen, shown=shown, entry=entry)

    results = at_once(
        signing_of(pays, "payment_verified", floor.trent, Entry()),
        signing_of(takes, "patron_signed", floor.erin, entry),
    )
    assert refusals(results) == [("deposit_short",)]
    assert balance_cents(rich, DepositAccount.FRONT_MONEY) == 200_000


def test_a135_the_whole_front_money_in_two_pits_at_once_is_drawn_once(
    floor: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    rich = make_patron(floor, tax_id="123-45-6789")
    deposit(floor, rich, 500_000)
    tables = more_tables(floor, 2)

    def drawing(table: Table, by: Any) -> Callable[[], Slip]:
        table = Table.objects.get(pk=table.pk)
        new = FRONT_DRAW.at(table, {10_000: 50}, patron=rich)
        new = replace(new, draft=new.new())
        shown, pen = shown_before(new), floor.pen(by)
        if table.pit_id != floor.pit.pk:
            pen = replace(pen, device=floor.other_pit_tablet)
        return lambda: raise_kind(new, pen=pen, shown=shown)

    acts = [drawing(tables[0], floor.alice), drawing(tables[1], floor.bob)]
    hold_before(monkeypatch, front_draw, "deposit_refusals")
    assert refusals(at_once(*acts)) == [("deposit_short",)]
    assert balance_cents(rich, DepositAccount.FRONT_MONEY) == 0
    assert Slip.objects.filter(kind="front_draw").count() == 1


def test_two_windows_do_not_both_put_one_check_in_a_batch(
    floor: Cast, ana: Patron, monkeypatch: pytest.MonkeyPatch
) -> None:
    marker = lend(floor, ana, 300_000)
    transfer(floor, [str(marker)])
    batch = CHECK_DEPOSIT.at(check=[str(marker)])
    shown = shown_before(batch)
    hold_before(monkeypatch, check_deposit, "bank_refusals")

    def preparing(by: Any) -> Callable[[], Slip]:
        pen = floor.pen(by, Place.CAGE)
        return lambda: raise_kind(batch, pen=pen, shown=shown)

    (codes,) = refusals(at_once(preparing(floor.erin), preparing(floor.trent)))
    assert "already_going" in codes
    assert Slip.objects.filter(kind="check_deposit").count() == 1


def test_a_batch_and_a_payment_do_not_both_take_one_marker(
    floor: Cast, ana: Patron, monkeypatch: pytest.MonkeyPatch
) -> None:
    marker = lend(floor, ana, 300_000)
    transfer(floor, [str(marker)])
    batch = prepare(floor, [str(marker)])
    paid = receive(floor, ana, cash_cents=300_000, at_cage=True)
    hold_before(monkeypatch, signing, "sign_refusals")

    def signing_of(slip: Slip, step: str, by: Any, entry: Entry, at: Place) -> Callable[[], Any]:
        pen, shown = floor.pen(by, at), slip_shown(Slip.objects.get(pk=slip.pk))
        return lambda: sign(slip_id=slip.pk, step=step, pen=pen, shown=shown, entry=entry)

    results = at_once(
        signing_of(batch, "batch_verified", floor.ruth, RECEIPT, Place.OFFICE),
        signing_of(paid, "payment_verified", floor.trent, Entry(), Place.CAGE),
    )
    assert refusals(results) == [("balance_changed",)]
    assert credit_of(ana, house.now()).outstanding_cents == 0
