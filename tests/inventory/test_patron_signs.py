"""The patron's own screen: what they sign and nothing else of the site; a PIN opens the rest."""

from __future__ import annotations

from typing import Any

import pytest
from django.urls import reverse

from inventory.kinds.deposits import FRONT_DEPOSIT
from inventory.kinds.marker_payment_means import MARKER_PAYMENT_FRONT
from inventory.models import Patron
from pitboss.models import Signature, Slip
from pitboss.rules.roles import Place
from tests.floor.cage import open_with
from tests.floor.cast import Cast, ServerClock, pin_of
from tests.floor.deposits import begin, deposit
from tests.floor.markers import TRAY, grant, issue, lend, make_patron, transfer, void
from tests.floor.tablets import signed_in, signing, words

pytestmark = pytest.mark.django_db
DRAWN = "[[[100,100],[150,60],[200,140],[260,80],[300,90],[360,120],[420,70],[480,100]]]"


@pytest.fixture
def ana(cast: Cast) -> Patron:
    open_with(cast, TRAY)
    patron = make_patron(cast, tax_id="123-45-6789")
    grant(cast, patron, 1_000_000)
    return patron


def handed(client: Any, slip: Slip) -> str:
    answer = client.get(f"{reverse('slip', args=[slip.serial])}?hand")
    assert answer.status_code == 200
    return words(answer)


def test_a_patron_sees_the_promise_and_nothing_of_the_pit(
    server_clock: ServerClock, cast: Cast, ana: Patron
) -> None:
    slip = issue(cast, ana, 300_000)
    page = handed(signed_in(cast.alice, cast), slip)
    assert '<p class="psign__figure">$3,000</p>' in page
    assert "Three thousand dollars and 00/100" in page
    assert "I promise to pay to the order of" in page
    assert "at First Bank, ending 6789, no later than May 15, 2026" in page
    assert "Done, hand back" in page
    assert "I do not want to sign" in page
    # No rail, no inbox, no poll, and not what the house would lend.
    for other in ('class="rail"', reverse("inbox"), reverse("board"), "data-live", "$10,000"):
        assert other not in page
    assert "$7,000" not in page.split('name="shown"')[0]


def test_the_slip_itself_shows_the_way_there_and_no_field_to_sign_in(
    cast: Cast, ana: Patron
) -> None:
    slip = issue(cast, ana, 300_000)
    page = words(signed_in(cast.alice, cast).get(reverse("slip", args=[slip.serial])))
    assert "Hand tablet to patron" in page
    assert "data-drawing-field" not in page
    assert "I promise to pay to the order of" in page


def test_a_wrong_pin_keeps_what_the_patron_drew(cast: Cast, ana: Patron) -> None:
    slip = issue(cast, ana, 300_000)
    tablet = signed_in(cast.alice, cast)
    page = handed(tablet, slip)
    passport = ana.documents.get(kind="passport").pk
    form = signing(page, cast.alice, document=passport, face_matches="yes", drawn=DRAWN)
    url = reverse("slip-sign", args=[slip.serial, "main", "patron_signed"])
    again = words(tablet.post(url, {**form, "pin": "999999"}))
    assert DRAWN in again
    assert "data-with-staff" in again
    assert 'class="rail"' not in again
    done = tablet.post(url, form)
    assert done.status_code == 302
    kept = Signature.objects.get(slip=slip, step="patron_signed").shown
    assert "I promise to pay to the order of" in kept


def test_who_does_not_sign_hands_back_a_tablet_that_only_a_pin_opens(
    cast: Cast, ana: Patron
) -> None:
    slip = issue(cast, ana, 300_000)
    tablet = signed_in(cast.alice, cast)
    handed(tablet, slip)
    own = reverse("slip", args=[slip.serial])
    tablet.post(reverse("lock"), {"next": own, "by_hand": "yes"})
    closed = tablet.get(own)
    assert closed.status_code == 302
    assert closed["Location"].startswith(reverse("lock"))


def test_a_tablet_in_a_patrons_hand_shows_no_other_page(cast: Cast, ana: Patron) -> None:
    slip = issue(cast, ana, 300_000)
    tablet = signed_in(cast.alice, cast)
    before = tablet.get(reverse("board"))
    # What Back asks for is asked of the server, which knows whose hand it is in.
    assert before["Cache-Control"] == "no-store"
    page = handed(tablet, slip)
    own = reverse("slip", args=[slip.serial])
    for other in (reverse("board"), own, reverse("inbox"), reverse("patron", args=[ana.pk])):
        back = tablet.get(other)
        assert (back.status_code, back["Location"]) == (302, f"{own}?hand")
    assert tablet.get(f"{reverse('badge-name')}?badge={cast.alice.badge}").status_code == 200
    passport = ana.documents.get(kind="passport").pk
    form = signing(page, cast.alice, document=passport, face_matches="yes", drawn=DRAWN)
    url = reverse("slip-sign", args=[slip.serial, "main", "patron_signed"])
    assert tablet.post(url, {**form, "pin": "999999"}).status_code != 302
    assert tablet.get(reverse("board"))["Location"] == f"{own}?hand"
    assert tablet.post(url, form).status_code == 302
    assert tablet.get(reverse("inbox")).status_code == 200


def test_a_pin_takes_the_tablet_back_from_who_does_not_sign(cast: Cast, ana: Patron) -> None:
    slip = issue(cast, ana, 300_000)
    tablet = signed_in(cast.alice, cast)
    handed(tablet, slip)
    own = reverse("slip", args=[slip.serial])
    tablet.post(reverse("lock"), {"next": own, "by_hand": "yes"})
    opened = tablet.post(reverse("unlock"), {"pin": pin_of(cast.alice.badge)})
    assert opened["Location"] == own
    assert tablet.get(own).status_code == 200


def test_a_slip_that_was_voided_meanwhile_gives_the_tablet_back(cast: Cast, ana: Patron) -> None:
    slip = issue(cast, ana, 300_000)
    tablet = signed_in(cast.alice, cast)
    handed(tablet, slip)
    void(cast, slip)
    own = reverse("slip", args=[slip.serial])
    assert 'class="rail"' in words(tablet.get(f"{own}?hand"))
    assert tablet.get(reverse("inbox")).status_code == 200


def test_a_deposit_and_a_payment_from_it_have_their_own_words(cast: Cast, ana: Patron) -> None:
    cage = signed_in(cast.erin, cast, Place.CAGE)
    slip = begin(cast, FRONT_DEPOSIT, ana, account="safekeeping", means="cash", amount=250_000)
    page = handed(cage, slip)
    assert "I deposit $2,500 with" in page
    assert "as safekeeping" in page
    marker = lend(cast, ana, 300_000)
    transfer(cast, [str(marker)])
    deposit(cast, ana, 500_000)
    slip = begin(cast, MARKER_PAYMENT_FRONT, ana, amount=300_000)
    # The other tablet is still in a hand.
    cage = signed_in(cast.erin, cast, Place.CAGE)
    assert f"from my front money on my marker {marker}" in handed(cage, slip)
