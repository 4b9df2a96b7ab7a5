"""Patrons and markers on the screen: what is asked, refused and shown."""

from __future__ import annotations

import html
import re
from typing import Any
from uuid import uuid4

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from inventory.models import CreditLine, Marker, Patron, PatronDocument
from inventory.selectors.credit import credit_of, standing_of
from inventory.selectors.marker_log import day_logs, log_differences
from inventory.services.marker_logs import check_last_marker_log, check_marker_log
from pitboss.models import FloorException, JournalEntry, Person, Slip
from pitboss.rules.patrons.patrons import Standing
from pitboss.rules.roles import Place
from pitboss.services import house
from pitboss.slips.addresses import new_url
from tests.floor.cage import open_with
from tests.floor.cast import Cast, pin_of
from tests.floor.markers import (
    TRAY,
    grant,
    issue,
    lend,
    make_patron,
    pay,
    sign_as_patron,
    transfer,
    void,
)
from tests.floor.tablets import signed_in, words

pytestmark = pytest.mark.django_db
PNG = b"\x89PNG\r\n\x1a\nnot much of a picture"


def pad_of(response: Any) -> dict[str, Any]:
    """Return the hidden fields of the pad on a page, as a browser would send them."""
    page = words(response)
    form = page[page.index('id="sign-pad"') :]
    hidden = re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', form)
    return {name: html.unescape(value) for name, value in hidden}


def by(person: Person) -> dict[str, str]:
    return {"badge": person.badge, "pin": pin_of(person.badge)}


@pytest.fixture
def ana(cast: Cast) -> Patron:
    open_with(cast, TRAY)
    patron = make_patron(cast, player_card="PC-1001", tax_id="123-45-6789")
    grant(cast, patron, 1_000_000)
    return patron


def test_a_card_that_is_swiped_leads_to_the_amount(cast: Cast, ana: Patron) -> None:
    page = signed_in(cast.alice, cast)
    moved = page.get("/tables/BJ-11/marker/")
    assert moved.headers["Location"] == new_url("marker", table="BJ-11")
    response = page.get(moved.headers["Location"])
    assert "Player card or name" in words(response)
    found = page.get(new_url("marker", table="BJ-11", q="ruiz"))
    assert f"?table=BJ-11&amp;patron={ana.pk}" in found.content.decode()
    swiped = page.get(new_url("marker", table="BJ-11", q="PC-1001"))
    assert "$10,000</span>" in words(swiped)
    assert "Cut the cheques" in words(swiped)


def test_a_marker_is_issued_and_signed_on_the_screen(cast: Cast, ana: Patron) -> None:
    page = signed_in(cast.alice, cast)
    url = new_url("marker", table="BJ-11", patron=ana.pk)
    cut = page.post(url, {"amount": "3,000"})
    assert "25" in words(cut)
    issued = page.post(url, {**pad_of(cut), **by(cast.alice)})
    slip = Slip.objects.get(kind="marker")
    assert issued["Location"] == reverse("slip", args=[slip.serial])
    assert "Hand tablet to patron" in words(page.get(issued["Location"]))
    shown = page.get(f"{issued['Location']}?hand")
    assert "Ana Ruiz</b>, sign with your finger" in words(shown)
    passport = ana.documents.get(kind="passport")
    sign = reverse("slip-sign", args=[slip.serial, "main", "patron_signed"])
    drawn = "[[[100,100],[150,60],[200,140],[260,80],[300,90],[360,120],[420,70],[480,100]]]"
    form = {**pad_of(shown), **by(cast.alice), "document": passport.pk}
    small = page.post(sign, {**form, "drawn": "[[[1,1],[2,2]]]", "face_matches": "yes"})
    assert "That isn’t a signature yet" in words(small)
    unmatched = page.post(sign, {**form, "drawn": drawn})
    assert "then confirm they match" in words(unmatched)
    again = page.get(f"{issued['Location']}?hand")
    form = {**pad_of(again), **by(cast.alice), "document": passport.pk}
    done = page.post(sign, {**form, "drawn": drawn, "face_matches": "yes"})
    assert done.status_code == 302
    assert "matched with passport …5678" in words(page.get(issued["Location"]))


@pytest.mark.parametrize(
    ("keyed", "said"),
    [
        ({"amount": "-5"}, "Amount isn’t valid.</b> Enter dollars"),
        ({"amount": "0"}, "more than $0"),
        ({"amount": "ten"}, "Amount isn’t valid.</b> Enter dollars"),
        ({"amount": "1000.10"}, "can’t be made in cheques"),
        ({"amount": "12000"}, "has $10,000 of credit left"),
        ({"amount": "99999999999"}, "Amount isn’t valid.</b> Enter dollars"),
    ],
)
def test_a_wrong_amount_is_refused_with_nothing_stored(
    cast: Cast, ana: Patron, keyed: dict[str, str], said: str
) -> None:
    page = signed_in(cast.alice, cast)
    answer = page.post(new_url("marker", table="BJ-11", patron=ana.pk), keyed)
    assert answer.status_code in (409, 422)
    assert said in words(answer)
    assert not Marker.objects.exists()


def test_above_the_line_an_authority_is_asked_for(cast: Cast, ana: Patron) -> None:
    page = signed_in(cast.alice, cast)
    url = new_url("marker", table="BJ-11", patron=ana.pk)
    cut = page.post(url, {"amount": "12000", "over": "yes"})
    assert "$2,000 over the line." in words(cut)
    page.post(url, {**pad_of(cut), **by(cast.alice)})
    slip = Slip.objects.get(kind="marker")
    inbox = signed_in(cast.heidi, cast, Place.OFFICE).get(reverse("inbox"))
    assert slip.serial in words(inbox)
    assert "Authorize" in words(inbox)


def test_what_was_keyed_stays_beside_its_refusal_and_the_way_back_brings_it(
    cast: Cast, ana: Patron
) -> None:
    page = signed_in(cast.alice, cast)
    url = new_url("marker", table="BJ-11", patron=ana.pk)
    asked_over = 'name="over" value="yes" checked>'
    fresh = words(page.get(url))
    assert 'value="" inputmode="decimal"' in fresh
    assert asked_over not in fresh
    # Nothing of an address that a refused form was sent to is taken for what was keyed.
    refused = words(page.post(f"{url}&amount=700", {"amount": "0", "over": "yes"}))
    assert 'value="0" inputmode="decimal"' in refused
    assert asked_over in refused
    again = words(page.get(f"{url}&amount=12000&over=yes"))
    assert 'value="12000" inputmode="decimal"' in again
    assert asked_over in again


def test_an_unknown_patron_is_not_found(cast: Cast, ana: Patron) -> None:
    page = signed_in(cast.alice, cast)
    assert page.get(new_url("marker", table="BJ-11", patron=ana.pk + 100)).status_code == 404
    nobody = page.get(new_url("marker", table="BJ-11", q="nobody"))
    assert "No match" in words(nobody)


def test_a_payment_is_taken_by_the_dealer_and_verified(cast: Cast, ana: Patron) -> None:
    lend(cast, ana, 300_000)
    page = signed_in(cast.alice, cast)
    url = new_url("marker_payment", table="BJ-11", patron=ana.pk)
    response = page.get(url)
    assert "$3,000</span>" in words(response)
    # Checks and wires are the cage's.
    assert "Paid another way" not in words(response)
    looked = page.post(url, {"cheques_10000": "10", "cash": "500"})
    assert "$1,000 in cheques (10 × $100 black) and $500 in cash" in words(looked)
    # Whoever wants to change it finds what was keyed; and a patron may pay in any colour.
    again = re.search(r'href="([^"]+)"[^>]*>Change it', words(looked))
    assert again is not None
    changed = words(page.get(again[1]))
    assert all(keyed in changed for keyed in ('value="10"', 'value="500"', "cheques_2000000"))
    taken = page.post(url, {**pad_of(looked), **by(cast.dan)})
    slip = Slip.objects.get(kind="marker_payment")
    assert taken["Location"] == reverse("slip", args=[slip.serial])
    sign = reverse("slip-sign", args=[slip.serial, "main", "payment_verified"])
    page.post(sign, {**pad_of(page.get(taken["Location"])), **by(cast.alice)})
    assert credit_of(ana, house.now()).outstanding_cents == 150_000
    too_much = page.post(url, {"cash": "5000"})
    assert "Return the rest" in words(too_much)


def test_a_payment_that_passes_the_days_limit_warns_before_it_is_taken(
    cast: Cast, ana: Patron
) -> None:
    grant(cast, ana, 2_000_000)
    lend(cast, ana, 1_200_000)
    page = signed_in(cast.alice, cast)
    url = new_url("marker_payment", table="BJ-11", patron=ana.pk)
    looked = page.post(url, {"cash": "10500"})
    assert "Get the patron’s ID and tax ID" in words(looked)
    below = page.post(url, {"cash": "900"})
    assert "Get the patron’s ID" not in words(below)


def test_a32_cash_payments_on_markers_in_two_places_open_one_currency_report(
    cast: Cast, ana: Patron
) -> None:
    grant(cast, ana, 2_000_000)
    lend(cast, ana, 1_100_000)
    pay(cast, ana, cash_cents=600_000)
    assert not FloorException.objects.filter(code="currency_report").exists()
    transfer(cast, [str(Marker.objects.get())])
    pay(cast, ana, cash_cents=500_000, at_cage=True)
    assert FloorException.objects.filter(code="currency_report").count() == 1


def test_the_cage_takes_a_payment_on_what_lies_there(cast: Cast, ana: Patron) -> None:
    marker = lend(cast, ana, 300_000)
    page = signed_in(cast.erin, cast, Place.CAGE)
    url = new_url("marker_payment_cage", patron=ana.pk)
    asked = words(page.get(url))
    assert "Transfer it here first" in asked
    assert "Paid another way" in asked
    transfer(cast, [str(marker)])
    looked = page.post(url, {"cash": "3000"})
    assert "paid in full" in words(looked)
    assert page.post(url, {**pad_of(looked), **by(cast.erin)}).status_code == 302


def test_markers_go_to_the_cage_and_back_on_the_screen(cast: Cast, ana: Patron) -> None:
    markers = [str(lend(cast, ana, 100_000)) for _ in range(2)]
    page = signed_in(cast.alice, cast)
    to_cage = new_url("marker_transfer", pit=cast.pit.pk)
    to_pit = new_url("marker_recall", pit=cast.pit.pk)
    listed = page.get(to_cage)
    assert all(serial in words(listed) for serial in markers)
    looked = page.post(to_cage, {"marker": markers})
    assert "2 markers, $2,000" in words(looked)
    page.post(to_cage, {**pad_of(looked), **by(cast.alice)})
    slip = Slip.objects.get(kind="marker_transfer")
    cage = signed_in(cast.erin, cast, Place.CAGE)
    assert "Take markers from the pit" in words(cage.get(reverse("cage")))
    sign = reverse("slip-sign", args=[slip.serial, "main", "taken_by_cage"])
    opened = cage.get(reverse("slip", args=[slip.serial]))
    cage.post(sign, {**pad_of(opened), **by(cast.erin)})
    back = cage.post(to_pit, {"marker": markers[:1]})
    assert cage.post(to_pit, {**pad_of(back), **by(cast.erin)}).status_code == 302
    for chosen in ({"marker": "nothing"}, {}):
        assert "Choose at least one marker" in words(cage.post(to_pit, chosen))
    assert "No markers are there" in words(page.get(to_cage))


def test_what_is_outstanding_is_shown_by_place_patron_and_age(cast: Cast, ana: Patron) -> None:
    lend(cast, ana, 300_000)
    page = signed_in(cast.olga, cast, Place.OFFICE)
    shown = words(page.get(reverse("markers")))
    for part in ("By place", "By age", "By patron", "Pit 1", "today", "$3,000"):
        assert part in shown
    assert "No markers outstanding" not in shown


def test_the_log_of_a_day_balances_to_the_cent(cast: Cast, ana: Patron) -> None:
    lend(cast, ana, 300_000)
    second = lend(cast, ana, 200_000)
    void(cast, issue(cast, ana, 100_000))
    pay(cast, ana, cash_cents=50_000)
    transfer(cast, [str(second)])
    day = house.period_at(house.now()).gaming_day
    log = next(log for log in day_logs(day) if log.pit == cast.pit)
    assert (log.opening_cents, log.issued_cents, log.paid_cents) == (0, 600_000, 50_000)
    assert (log.transferred_cents, log.voided_cents) == (150_000, 100_000)
    assert log.closing_cents == log.found_cents == 300_000
    assert log_differences(day) == []
    assert check_marker_log(day=day) is None
    assert check_last_marker_log() is None
    shown = words(signed_in(cast.olga, cast, Place.OFFICE).get(reverse("marker-log")))
    assert "The log balances." in shown
    assert "paid at BJ-11, $500 cash" in shown
    earlier = signed_in(cast.olga, cast, Place.OFFICE).get(
        reverse("marker-log"), {"day": "2020-01-01"}
    )
    assert "Nothing that day." in words(earlier)
    never = signed_in(cast.olga, cast, Place.OFFICE).get(reverse("marker-log"), {"day": "never"})
    assert never.status_code == 200


def test_a_patron_is_put_on_file_and_corrected_on_the_screen(cast: Cast) -> None:
    page = signed_in(cast.erin, cast, Place.CAGE)
    empty = page.get(reverse("patron-new"))
    keyed = {"first_name": "Bo", "last_name": "Li", "tax_id": "123-45-6789", "country": "US"}
    missing = page.post(
        reverse("patron-new"), {**pad_of(empty), **by(cast.erin), **keyed, "last_name": ""}
    )
    assert "Enter the last name" in words(missing)
    assert "123-45-6789" not in words(missing)
    page.post(reverse("patron-new"), {**pad_of(missing), **by(cast.erin), **keyed})
    bo = Patron.objects.get()
    shown = words(page.get(reverse("patron", args=[bo.pk])))
    assert "•••6789" in shown
    edit = page.get(reverse("patron-edit", args=[bo.pk]))
    form = {**pad_of(edit), **by(cast.erin), **keyed, "tax_id": "", "city": "Camden"}
    assert page.post(reverse("patron-edit", args=[bo.pk]), form).status_code == 302
    bo.refresh_from_db()
    assert (bo.city, bo.tax_id_ends) == ("Camden", "6789")
    assert "Bo Li" in words(page.get(reverse("patrons"), {"q": "li"}))


def test_a_picture_on_file_is_shown_and_who_looked_is_kept(cast: Cast, ana: Patron) -> None:
    page = signed_in(cast.alice, cast)
    url = reverse("patron-paper", args=[ana.pk])
    form = {**pad_of(page.get(url)), **by(cast.alice)}
    none = page.post(url, form)
    assert "Choose the type of document" in words(none)
    wrong = page.post(url, {**form, "kind": "passport", "number": "1", "expires_on": "soon"})
    assert "Write the date as" in words(wrong)
    picture = SimpleUploadedFile("ana.png", PNG, "text/html")
    form = {**form, "request_id": str(uuid4())}
    assert page.post(url, {**form, "kind": "photo", "content": picture}).status_code == 302
    photo = PatronDocument.objects.get(kind="photo")
    shown = page.get(reverse("patron-document", args=[ana.pk, photo.pk]))
    assert (shown.content, shown["Content-Type"], shown["Cache-Control"]) == (
        PNG,
        "image/png",
        "no-store",
    )
    assert JournalEntry.objects.latest("pk").kind == "patron_document_read"
    passport = ana.documents.get(kind="passport")
    assert page.get(reverse("patron-document", args=[ana.pk, passport.pk])).status_code == 404
    auditor = signed_in(cast.olga, cast, Place.OFFICE)
    assert auditor.get(reverse("patron-document", args=[ana.pk, photo.pk])).status_code == 403
    slip = issue(cast, ana, 100_000)
    assert "Photo" in words(page.get(reverse("slip", args=[slip.serial])))
    sign_as_patron(cast, slip)


def test_a_line_is_proposed_and_a_credit_stopped_on_the_screen(cast: Cast, ana: Patron) -> None:
    page = signed_in(cast.erin, cast, Place.CAGE)
    url = new_url("credit_line", patron=ana.pk)
    assert "Temporary, on top" in words(page.get(url))
    for keyed, said in (
        ({"line": "gift", "amount": "100"}, "choose permanent, temporary"),
        ({"line": "temporary", "amount": "100", "until": "soon"}, "choose a day and a time"),
        (
            {"line": "temporary", "amount": "a lot", "until": ""},
            "Amount isn’t valid.</b> Enter dollars",
        ),
        # What would be refused when it is signed is told before.
        ({"line": "temporary", "amount": "100", "until": ""}, "Enter when a temporary line ends"),
    ):
        assert said in words(page.post(url, keyed))
    looked = page.post(url, {"line": "temporary", "amount": "5000", "until": "2099-05-01T06:00"})
    assert "$5,000, temporary" in words(looked)
    form = {**pad_of(looked), **by(cast.erin), "reason": "For the weekend."}
    page.post(url, form)
    proposed = Slip.objects.filter(kind="credit_line").latest("pk")
    cast.sign(proposed, "approved", cast.trent, Place.CAGE)
    assert CreditLine.objects.filter(kind="temporary").count() == 1
    # Where credit was stopped before all kinds were raised in one place.
    moved = page.get(f"/patrons/{ana.pk}/stop/?standing=self_excluded")
    stop = new_url("credit_stop", standing="self_excluded", patron=ana.pk)
    assert moved.headers["Location"] == stop
    form = {**pad_of(page.get(stop)), **by(cast.erin)}
    assert page.post(stop, {**form, "reason": "Asked for it."}).status_code == 302
    assert standing_of(ana) is Standing.SELF_EXCLUDED
    again = new_url("credit_restore", patron=ana.pk)
    form = {**pad_of(page.get(again)), **by(cast.erin), "reason": "A year is over."}
    assert page.post(again, form).status_code == 302
    stuck = page.post(again, {**form, "request_id": str(uuid4())})
    assert "is pending for" in words(stuck)


def test_a_marker_being_signed_is_on_its_patrons_page(cast: Cast, ana: Patron) -> None:
    slip = issue(cast, ana, 100_000)
    shown = words(signed_in(cast.alice, cast).get(reverse("patron", args=[ana.pk])))
    assert slip.serial in shown
    assert "Being signed" in shown
