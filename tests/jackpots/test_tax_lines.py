"""Tax lines as data: proposed, confirmed, approved, and on the W-2G (A153)."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.urls import reverse

from jackpots.kinds.tax_line import TAX_LINE
from jackpots.models import JackpotPayment, TaxForm, TaxLine
from jackpots.tasks import draw_tax_forms
from pitboss.models import Person, Slip
from pitboss.rules.roles import Place, Role
from pitboss.services.verification import verify
from pitboss.slips.addresses import new_url
from pitboss.slips.raising import raise_kind, shown_before
from tests.floor.big_wins import F05, count_out, released, roof, see_paid, won
from tests.floor.cast import Cast, add_person, refused
from tests.floor.tablets import signed_in, words
from tests.floor.tax_papers import complete, make_winner, name_payer

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("server_clock")]
OHIO: dict[str, Any] = {
    "level": "state",
    "place": "OH",
    "rate": 275,
    "trigger": "federal_withholding",
    "base": "net",
    "who": "all",
    "payer_number": "52-1",
    "paid_from": "2026-01-01",
    "source": "R.C. 5747.063",
    "confirmed_by": "A. Adviser, CPA",
}
COLUMBUS = {**OHIO, "level": "local", "place": "Columbus", "rate": 250, "payer_number": ""}


def propose(cast: Cast, given: dict[str, Any]) -> Slip:
    line = TAX_LINE.at(**{name: value for name, value in given.items() if value != ""})
    return raise_kind(line, pen=cast.pen(cast.ruth, Place.OFFICE), shown=shown_before(line))


@pytest.fixture
def sara(cast: Cast) -> Person:
    return add_person("sara", "919", Role.CONTROLLER)


def confirmed(cast: Cast, sara: Person, *lines: dict[str, Any]) -> None:
    for given in lines:
        cast.sign(propose(cast, given), "approved", sara, Place.OFFICE)


def test_a153_f29_boxes_13_to_18_and_what_the_winner_gets(cast: Cast, sara: Person) -> None:
    confirmed(cast, sara, OHIO, COLUMBUS)
    name_payer(cast)
    terminal = roof(cast)
    # The terminal knows them too: what the check tells is what the papers will withhold.
    tax = terminal.post("checks", F05).json()["tax"]
    assert (tax["federal_cents"], tax["state_cents"]) == (720_000, 82_500)
    assert (tax["locality"], tax["local_cents"]) == ("Columbus", 75_000)
    slip = released(cast, won(cast, terminal))
    complete(cast, slip, make_winner(cast))
    count_out(cast, slip)
    see_paid(cast, slip)
    form = TaxForm.objects.get()
    assert (form.federal_cents, form.state_cents, form.local_cents) == (720_000, 82_500, 75_000)
    assert form.withheld_cents == 877_500
    # $21,225 is paid; the $60 that were bet never left the layout.
    payment = JackpotPayment.objects.get()
    assert (payment.award_cents, payment.paid_cents) == (3_000_000, 2_122_500)
    boxes = [form.boxes[str(box)] for box in range(13, 19)]
    assert boxes == ["OH", "30000.00", "825.00", "30000.00", "750.00", "Columbus"]
    draw_tax_forms()
    assert form.pdfs.count() == 2
    report = words(signed_in(cast.ruth, cast).get(reverse("report", args=["tax-forms"])))
    assert "Form 945" in report
    assert verify().findings == []


def test_a153_an_unconfirmed_line_cannot_be_switched_on(cast: Cast, sara: Person) -> None:
    with refused("line_unconfirmed"):
        propose(cast, {**OHIO, "confirmed_by": ""})
    slip = propose(cast, OHIO)
    assert not TaxLine.objects.exists()
    with refused("signed_before", "wrong_role"):
        cast.sign(slip, "approved", cast.ruth, Place.OFFICE)
    with refused("wrong_role"):
        cast.sign(slip, "approved", cast.heidi, Place.OFFICE)
    row = TaxLine(
        place="OH",
        level="state",
        basis_points=275,
        trigger="any_w2g",
        base="net",
        who="all",
        paid_from="2026-01-01",
        source="x",
        confirmed_by="A",
        slip=slip,
    )
    with pytest.raises(IntegrityError, match="two people sign"), transaction.atomic():
        row.save()
    cast.sign(slip, "approved", sara, Place.OFFICE)
    line = TaxLine.objects.get()
    assert line.as_rule().payer_number == "52-1"
    assert verify().findings == []


def test_the_page_offers_what_no_one_confirmed(cast: Cast, sara: Person) -> None:
    client = signed_in(cast.ruth, cast)
    page = client.get(reverse("tax-lines"))
    assert "withheld by no one" in words(page)
    assert "Columbus" in words(page)
    assert reverse("tax-lines") in client.get(reverse("tax-register")).content.decode()
    url = new_url("tax_line", place="Columbus", rate="2.5", level="local")
    asked = client.get(url).content.decode()
    assert 'value="2.5"' in asked
    entered = {**COLUMBUS, "rate": "2.5", "confirmed_by": ""}
    answer = client.post(new_url("tax_line"), entered)
    assert answer.status_code == 422
    assert "who confirmed this line" in words(answer)
    reviewed = client.post(new_url("tax_line"), {**entered, "confirmed_by": "A. Adviser"})
    assert "2.5%" in words(reviewed)
    confirmed(cast, sara, OHIO)
    propose(cast, COLUMBUS)
    seen = words(client.get(reverse("tax-lines")))
    assert "In effect" in seen
    assert "waiting for approval" in seen
