"""A win of somebody on a list: stopped, never paid, withheld against a receipt, and its end."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import DatabaseError, transaction
from django.urls import reverse

from inventory.models import ExclusionCase, ListCheck, Patron
from jackpots.kinds.withheld import WITHHELD_OUTCOME, WITHHELD_WIN
from jackpots.models import Jackpot, TaxForm, WithheldEnd, WithheldWin
from jackpots.selectors.jackpots import hit_now, jackpots
from jackpots.services.winners import name_winner
from jackpots.services.withheld import in_the_place
from pitboss.models import FloorException, Person, Slip, Waiting
from pitboss.rules.day.win import Paid, PayoutSource
from pitboss.rules.flows.flows import SlipStatus, Track
from pitboss.rules.patrons.exclusion import ListKind
from pitboss.rules.refusal import Refused
from pitboss.rules.roles import Place, Role
from pitboss.services import house
from pitboss.services.signing import Entry
from pitboss.services.verification import verify
from pitboss.slips.addresses import new_url
from pitboss.slips.raising import raise_kind, shown_before
from tables.services.payouts import payouts_between
from tests.floor.cast import Cast, ServerClock, refused
from tests.floor.exclusion import RUIZ, clear, confirm_case, put_on
from tests.floor.jackpots import COLOURED, hit, open_tables, pay, release, released, reviewed
from tests.floor.tax_papers import claim, complete, make_winner, name_payer, prepare
from tests.test_access import signed_in

STOPS = ("sign_refused", "patron_stopped")
pytestmark = pytest.mark.django_db(transaction=True)
STOPPED = (
    "inventory.ExclusionCase",
    "inventory.ListCheck",
    "pitboss.FloorException",
    "pitboss.Waiting",
)


def name(cast: Cast, slip: Slip, patron: Patron) -> None:
    name_winner(
        slip=slip,
        patron=patron,
        person=cast.alice,
        device=cast.devices[Place.PIT],
        role=Role.SUPERVISOR,
    )


def withhold(cast: Cast, win: Slip, by: Person | None = None) -> Slip:
    win.refresh_from_db()
    receipt = WITHHELD_WIN.at(win.table, original=win)
    pen = cast.pen(by or cast.erin, Place.CAGE)
    return raise_kind(receipt, pen=pen, shown=shown_before(receipt))


def end(cast: Cast, withheld: WithheldWin, ending: str, to: str = "") -> Slip:
    outcome = WITHHELD_OUTCOME.at(
        withheld=withheld, ending=ending, **dict[str, Any]({"to": to} if to else {})
    )
    pen = cast.pen(cast.petra, Place.OFFICE)
    return raise_kind(outcome, pen=pen, shown=shown_before(outcome), reason="As the state has it.")


@pytest.fixture
def win(cast: Cast) -> Slip:
    """A hit of 10% of a meter at $24,310.55, as in A144."""
    name_payer(cast)
    open_tables(cast)
    slip = hit(cast, COLOURED)
    reviewed(cast, slip)
    return slip


def stopped(cast: Cast, win: Slip, kind: ListKind = ListKind.SELF_EXCLUSION) -> ExclusionCase:
    """Put the winner on a list, and name them."""
    put_on(cast, RUIZ, kind=kind)
    ana = make_winner(cast)
    with refused(
        "exclusion_stop", journal=("exception_opened", "patron_stopped"), ignoring=STOPPED
    ):
        name(cast, win, ana)
    return ExclusionCase.objects.get(patron=ana)


def test_a144_a_win_of_somebody_self_excluded_is_stopped_and_withheld_against_a_receipt(
    cast: Cast, win: Slip, server_clock: ServerClock
) -> None:
    before = house.now()
    owed = Jackpot.objects.get(slip=win).figures.latest("pk").award_cents
    assert owed == 243_105
    case = stopped(cast, win)
    ana = case.patron
    release(cast, win)
    with refused("exclusion_stop", "tax_papers_incomplete", journal=STOPS, ignoring=STOPPED):
        pay(cast, win)
    with refused("exclusion_stop", journal=STOPS, ignoring=STOPPED):
        prepare(cast, win, claim(win, ana, signs_w9=True))
    assert not TaxForm.objects.exists()
    with refused("not_confirmed"):
        withhold(cast, win)
    confirm_case(cast, case)

    server_clock.move(minutes=1)
    receipt = withhold(cast, win)
    assert receipt.serial.startswith("FR-")
    with refused("wrong_role", "signed_before"):
        cast.sign(receipt, "withholding_witnessed", cast.erin, Place.CAGE)
    cast.sign(receipt, "withholding_witnessed", cast.alice)
    win.refresh_from_db()
    assert win.status == SlipStatus.WITHHELD.value
    (kept,) = in_the_place()
    assert (kept.amount_cents, kept.case, kept.slip) == (owed, case, receipt)
    assert not Waiting.objects.filter(slip=win, until=None).exists()
    assert not FloorException.objects.filter(slip=win, resolved_at=None).exists()
    assert not TaxForm.objects.exists()
    assert hit_now(jackpots().get(slip=win)).state == "withheld"
    # The table has lost it all the same, and the meter stays where a paid award leaves it.
    payouts = [
        payout for payout in payouts_between(before, house.now()) if payout.serial == win.serial
    ]
    assert (Paid.JACKPOT, PayoutSource.CAGE, owed) in [
        (paid_out.paid, paid_out.source, paid_out.amount_cents) for paid_out in payouts
    ]
    with refused("slip_closed"):
        pay(cast, win)
    assert not verify().findings


def test_withheld_winnings_end_once_by_compliance_and_accounting(cast: Cast, win: Slip) -> None:
    case = stopped(cast, win)
    confirm_case(cast, case)
    cast.sign(withhold(cast, win), "withholding_witnessed", cast.alice)
    kept = WithheldWin.objects.get()
    with refused("forfeited_to"):
        end(cast, kept, "forfeited")
    with refused("not_ofac"):
        end(cast, kept, "blocked")
    slip = end(cast, kept, "forfeited", "Division of Gaming Enforcement")
    with refused("already_proposed"):
        end(cast, kept, "returned")
    with refused("wrong_role", "signed_before"):
        cast.sign(slip, "approved", cast.petra, Place.OFFICE)
    cast.sign(slip, "approved", cast.ruth, Place.OFFICE)
    assert WithheldEnd.objects.get().to == "Division of Gaming Enforcement"
    assert not in_the_place()
    with refused("already_ended"):
        end(cast, kept, "returned")
    assert not verify().findings


def test_a146_ofac_property_is_blocked_and_nothing_else(
    cast: Cast, server_clock: ServerClock, win: Slip
) -> None:
    case = stopped(cast, win, ListKind.OFAC)
    release(cast, win)
    with refused("exclusion_stop", "tax_papers_incomplete", journal=STOPS, ignoring=STOPPED):
        pay(cast, win)
    confirm_case(cast, case)
    # Ten business days from Friday, May 1.
    clock = FloorException.objects.get(code="ofac_report")
    assert (clock.details["due_on"], clock.resolved_at) == ("2026-05-15", None)
    # Whoever was confirmed and comes again is told of again.
    told = ("sign_refused", "exception_opened", "patron_stopped")
    with refused("exclusion_stop", "tax_papers_incomplete", journal=told, ignoring=STOPPED):
        pay(cast, win)
    cast.sign(withhold(cast, win), "withholding_witnessed", cast.alice)
    kept = WithheldWin.objects.get()
    with refused("ofac_blocked"):
        end(cast, kept, "returned")
    with refused("ofac_blocked"):
        end(cast, kept, "forfeited", "Someone")
    cast.sign(end(cast, kept, "blocked"), "approved", cast.ruth, Place.OFFICE)
    # It stays where it is.
    assert list(in_the_place()) == [kept]


def test_a_winner_who_was_cleared_is_paid_and_each_comparison_is_kept(
    cast: Cast, win: Slip
) -> None:
    case = stopped(cast, win)
    clear(cast, case)
    with refused("not_confirmed"):
        withhold(cast, win)
    name(cast, win, case.patron)
    complete(cast, win, case.patron, signs_w9=True)
    release(cast, win)
    pay(cast, win)
    win.refresh_from_db()
    assert win.status == SlipStatus.DONE.value
    kept = ListCheck.objects.filter(slip=win).order_by("pk").values_list("moment", "stopped")
    assert list(kept)[-3:] == [("win", False), ("tax_form", False), ("payment", False)]
    assert not verify().findings


def test_what_was_won_before_somebody_joined_a_list_is_paid(
    cast: Cast, win: Slip, server_clock: ServerClock
) -> None:
    put_on(cast, "SX-1,Ruiz,Ana,,1980-02-03,,,,2026-05-02,")
    ana = make_winner(cast)
    server_clock.move(days=2)
    name(cast, win, ana)
    assert not ExclusionCase.objects.exists()


def test_a_winner_is_stopped_at_the_payment_when_the_list_came_later(cast: Cast, win: Slip) -> None:
    ana = make_winner(cast)
    complete(cast, win, ana, signs_w9=True)
    release(cast, win)
    put_on(cast, RUIZ)
    told = ("sign_refused", "exception_opened", "patron_stopped")
    with refused("exclusion_stop", journal=told, ignoring=STOPPED):
        pay(cast, win)
    assert ExclusionCase.objects.get(patron=ana).moment == "payment"


def test_a_receipt_that_was_voided_leaves_the_win_open(cast: Cast, win: Slip) -> None:
    confirm_case(cast, stopped(cast, win))
    receipt = withhold(cast, win)
    entry = Entry(reason="Wrong win.")
    cast.sign(receipt, "voided", cast.erin, Place.CAGE, entry=entry, track=Track.VOID)
    cast.sign(receipt, "void_witnessed", cast.frank, Place.SECURITY, track=Track.VOID)
    win.refresh_from_db()
    assert win.status == SlipStatus.OPEN.value
    cast.sign(withhold(cast, win), "withholding_witnessed", cast.alice)
    assert not verify().findings


def test_a_win_that_was_paid_is_named_and_withheld_no_more(cast: Cast) -> None:
    name_payer(cast)
    open_tables(cast)
    slip = hit(cast, COLOURED)
    released(cast, slip)
    complete(cast, slip, ana := make_winner(cast), signs_w9=True)
    pay(cast, slip)
    with pytest.raises(Refused) as caught:
        name(cast, slip, ana)
    assert caught.value.codes == ("slip_closed",)
    with refused("slip_closed", "not_confirmed"):
        withhold(cast, slip)


def test_past_the_service_nothing_is_withheld_or_ended(cast: Cast, win: Slip) -> None:
    case = stopped(cast, win)
    confirm_case(cast, case)
    jackpot, now = Jackpot.objects.get(slip=win), house.now()
    day = house.period_at(now).gaming_day
    other = Slip.objects.exclude(pk=win.pk).latest("pk")
    with pytest.raises(DatabaseError), transaction.atomic():
        WithheldWin.objects.create(
            jackpot=jackpot, case=case, amount_cents=243_105, slip=other, gaming_day=day, at=now
        )
    with pytest.raises(DatabaseError), transaction.atomic():
        Slip.objects.filter(pk=win.pk).update(status="withheld")
    cast.sign(withhold(cast, win), "withholding_witnessed", cast.alice)
    with pytest.raises(DatabaseError), transaction.atomic():
        WithheldEnd.objects.create(
            withheld=WithheldWin.objects.get(), ending="returned", slip=other, at=now
        )


def test_the_supervisor_names_the_winner_and_the_cage_withholds_from_the_wins_page(
    cast: Cast, win: Slip
) -> None:
    put_on(cast, RUIZ)
    ana = make_winner(cast)
    pit = signed_in(cast.alice, cast.devices[Place.PIT])
    page = pit.get(reverse("slip", args=[win.serial]))
    assert reverse("winner", args=[win.serial]) in page.text
    assert pit.get(reverse("winner", args=[win.serial])).status_code == 200
    url = f"{reverse('winner', args=[win.serial])}?patron={ana.pk}"
    assert "Check the winner" in pit.get(url).text
    answer = pit.post(url, {"patron": ana.pk})
    assert (answer.status_code, "Do not pay" in answer.text) == (409, True)
    assert "Do not pay" in pit.get(reverse("slip", args=[win.serial])).text
    confirm_case(cast, ExclusionCase.objects.get(patron=ana))
    cage = signed_in(cast.erin, cast.devices[Place.CAGE])
    page = cage.get(reverse("slip", args=[win.serial]))
    assert new_url("withheld_win", of=win.serial) in page.text
    assert "Self-exclusion" not in page.text
    assert cage.get(new_url("withheld_win", of=win.serial)).status_code == 200
    cast.sign(withhold(cast, win), "withholding_witnessed", cast.alice)
    office = signed_in(cast.petra, cast.devices[Place.OFFICE])
    assert "$2,431.05" in office.get(reverse("withheld")).text
    kept = WithheldWin.objects.get()
    assert office.get(new_url("withheld_outcome", withheld=kept.pk)).status_code == 200


def test_a_winner_on_no_list_is_named_by_one_tap(cast: Cast, win: Slip) -> None:
    put_on(cast, "SX-1,Zorn,Zed,,,,,,,")
    ana = make_winner(cast)
    pit = signed_in(cast.alice, cast.devices[Place.PIT])
    answer = pit.post(reverse("winner", args=[win.serial]), {"patron": ana.pk})
    assert answer.status_code == 302
    assert "Ana Ruiz" in pit.get(reverse("slip", args=[win.serial])).text
