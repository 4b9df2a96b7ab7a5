"""The credit desk, a patron's credit card, and the pages that raise slips about checks."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from django.urls import reverse

from inventory.models import Patron
from pitboss.models import Slip
from pitboss.rules.roles import Place
from pitboss.services import house
from tests.floor.cage import open_with
from tests.floor.cast import Cast, ServerClock
from tests.floor.check_bank import contact, deposit_checks, prepare, send_back, write_off
from tests.floor.deposits import deposit
from tests.floor.markers import TRAY, grant, lend, make_patron, transfer
from tests.floor.tablets import fields_of, signed_in, signing, words
from tests.inventory.test_payment_means import check

pytestmark = pytest.mark.django_db
DESK = "credit-desk"


@pytest.fixture
def ana(server_clock: ServerClock, cast: Cast) -> Patron:
    server_clock.now = datetime(2026, 1, 2, 18, tzinfo=UTC)
    open_with(cast, TRAY)
    patron = make_patron(cast, tax_id="123-45-6789", tax_id_kind="ssn")
    grant(cast, patron, 1_000_000)
    return patron


def test_the_desk_shows_what_is_due_returned_and_in_collection_with_its_next_act(
    server_clock: ServerClock, cast: Cast, ana: Patron
) -> None:
    late, back, collected, pit = (lend(cast, ana, 100_000) for _ in range(4))
    transfer(cast, [str(late), str(back), str(collected)])
    first, second = deposit_checks(cast, [str(back), str(collected)])
    server_clock.now = datetime(2026, 1, 10, 18, tzinfo=UTC)
    send_back(cast, second)
    other = make_patron(cast, "Bo", "Lind")
    grant(cast, other, 1_000_000)
    server_clock.move(minutes=1)
    contact(cast, ana)
    server_clock.move(minutes=1)
    send_back(cast, first)
    server_clock.move(minutes=1)
    cage = words(signed_in(cast.trent, cast, Place.CAGE).get(reverse(DESK)))
    # Due on Jan 9: red the day after.
    assert "1 d late" in cage
    assert 'class="is-bad"' in cage
    assert "Deposit…" in cage
    assert "Redeposit…" in cage
    collector = words(signed_in(cast.colin, cast, Place.OFFICE).get(reverse(DESK)))
    assert reverse("contact-new", args=[ana.pk]) in collector
    assert "Settle or write off…" in collector
    assert "Deposit…" not in collector
    card = words(signed_in(cast.colin, cast, Place.OFFICE).get(reverse("patron", args=[ana.pk])))
    assert "Promised to pay on Friday." in card
    assert "Jan 9<span" in card
    assert str(pit) in card


def test_a_batch_is_raised_on_the_screen_with_what_is_due_checked(
    server_clock: ServerClock, cast: Cast, ana: Patron
) -> None:
    marker = lend(cast, ana, 100_000)
    transfer(cast, [str(marker)])
    cage = signed_in(cast.erin, cast, Place.CAGE)
    url = reverse("slip-new", args=["check_deposit"])
    assert " checked>" not in words(cage.get(url))
    server_clock.now = datetime(2026, 1, 9, 18, tzinfo=UTC)
    cage = signed_in(cast.erin, cast, Place.CAGE)
    page = words(cage.get(url))
    assert "Due today" in page
    form = fields_of(page)
    pad = words(cage.post(url, form))
    assert "every check listed on this slip is in this batch" in pad
    done = cage.post(url, signing(pad, cast.erin))
    assert done.status_code == 302
    slip = Slip.objects.get(kind="check_deposit")
    assert str(slip) in words(cage.get(reverse(DESK)))
    office = signed_in(cast.ruth, cast, Place.OFFICE)
    own = words(office.get(reverse("slip", args=[slip.serial])))
    sign = reverse("slip-sign", args=[slip.serial, "main", "batch_verified"])
    assert office.post(sign, signing(own, cast.ruth, said_bank_receipt="FB-1")).status_code == 302
    desk = words(office.get(reverse(DESK)))
    assert "Returned…" in desk
    back = reverse("slip-new", args=["check_return"])
    assert str(marker) in words(office.get(f"{back}?of={slip.serial}"))
    deposit_ = slip.bank_deposits.get()
    pad = words(office.get(f"{back}?of={slip.serial}&check={deposit_.pk}"))
    answer = office.post(
        f"{back}?of={slip.serial}&check={deposit_.pk}", signing(pad, cast.ruth, reason="No funds.")
    )
    assert answer.status_code == 302
    assert office.get(f"{back}?of={slip.serial}&check=999999").status_code == 404


def test_markers_are_consolidated_on_the_screen(cast: Cast, ana: Patron) -> None:
    markers = [lend(cast, ana, 100_000), lend(cast, ana, 200_000)]
    transfer(cast, [str(marker) for marker in markers])
    cage = signed_in(cast.erin, cast, Place.CAGE)
    url = f"{reverse('slip-new', args=['consolidation'])}?patron={ana.pk}"
    page = words(cage.get(url))
    assert str(markers[0]) in page
    one = words(cage.post(url, {**fields_of(page), "marker": [str(markers[0])]}))
    assert "Choose at least two markers" in one
    pad = words(cage.post(url, {**fields_of(page), "marker": [str(marker) for marker in markers]}))
    assert "$3,000" in pad
    assert cage.post(url, signing(pad, cast.erin)).status_code == 302
    other = make_patron(cast, "Bo", "Lind")
    nothing = f"{reverse('slip-new', args=['consolidation'])}?patron={other.pk}"
    assert "owes nothing" in words(cage.get(nothing))


def test_front_money_is_drawn_on_the_screen(cast: Cast, ana: Patron) -> None:
    deposit(cast, ana, 500_000)
    pit = signed_in(cast.alice, cast)
    url = f"{reverse('slip-new', args=['front_draw'])}?table={cast.table.name}&patron={ana.pk}"
    page = words(pit.get(url))
    assert "Safekeeping isn’t drawn at a table" in page
    pad = words(pit.post(url, {**fields_of(page), "amount": "300"}))
    assert pit.post(url, signing(pad, cast.alice)).status_code == 302
    assert Slip.objects.get(kind="front_draw").total_cents == 30_000


def test_a_collector_logs_a_contact_on_the_screen(
    server_clock: ServerClock, cast: Cast, ana: Patron
) -> None:
    marker = lend(cast, ana, 100_000)
    transfer(cast, [str(marker)])
    (sent,) = deposit_checks(cast, [str(marker)])
    send_back(cast, sent)
    url = reverse("contact-new", args=[ana.pk])
    assert signed_in(cast.erin, cast, Place.CAGE).get(url).status_code == 403
    office = signed_in(cast.colin, cast, Place.OFFICE)
    page = words(office.get(url))
    assert str(marker) in page
    form = {**fields_of(page), "how": "phone", "says": "No answer.", "next_on": "soon"}
    refused = office.post(url, form)
    assert refused.status_code == 422
    assert "No answer." in words(refused)
    assert office.post(url, {**form, "next_on": "2026-01-20"}).status_code == 302
    assert "No answer." in words(office.get(reverse("patron", args=[ana.pk])))


def test_what_was_written_off_and_is_at_the_bank_stands_on_the_patrons_card(
    server_clock: ServerClock, cast: Cast, ana: Patron
) -> None:
    first, second = lend(cast, ana, 100_000), lend(cast, ana, 200_000)
    transfer(cast, [str(first), str(second)])
    deposit_checks(cast, [str(first)])
    write_off(cast, second, 50_000)
    prepare(cast, [str(second)])
    check(cast, ana, 100_000)
    page = words(signed_in(cast.trent, cast, Place.CAGE).get(reverse("patron", args=[ana.pk])))
    assert "is at the bank and clears on" in page
    assert "was written off" in page
    assert "Personal check" in page
    assert house.now() == server_clock.now
