"""Tax forms after they went out: drawn by a worker, read on record, corrected, voided, exported."""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path

import pytest
from celery import current_app
from django.urls import reverse

from inventory.services.patrons import change_patron
from jackpots.kinds.tax_correction import TAX_CORRECTION, Amounts
from jackpots.models import TaxForm, TaxPdf
from jackpots.selectors.tax_register import forms_of, totals_of
from jackpots.services import tax_forms, tax_pdfs
from jackpots.services.tax_exports import export_forms
from jackpots.services.tax_pdfs import pdf_place
from jackpots.tasks import draw_tax_forms
from pitboss.ciphers import decrypt
from pitboss.models import JournalEntry, Slip
from pitboss.rules.roles import Place
from pitboss.rules.tax.forms import COLUMNS, Audience, FormIssue
from pitboss.rules.tax.tax import TaxFormName
from pitboss.services.verification import verify
from pitboss.slips.addresses import new_url
from pitboss.slips.raising import raise_kind, shown_before
from tests.floor.cast import Cast, refused
from tests.floor.jackpots import COLOURED, hit, open_tables, pay, released
from tests.floor.markers import KEYED
from tests.floor.tablets import words
from tests.floor.tax_papers import complete, make_winner, name_payer
from tests.test_access import signed_in

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("server_clock"),
]
DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "tax.md"


def issued(cast: Cast) -> TaxForm:
    """Pay a jackpot of $2,431.05 on complete papers, and return its form."""
    open_tables(cast)
    slip = hit(cast, COLOURED)
    released(cast, slip)
    complete(cast, slip, make_winner(cast))
    pay(cast, slip)
    return TaxForm.objects.get()


def journalled(kind: str) -> int:
    return JournalEntry.objects.filter(kind=kind).count()


def test_a_lost_message_or_a_late_payer_costs_no_form(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Nobody has said who the payer is: the form is issued, and waits to be drawn.
    form = issued(cast)
    assert not TaxPdf.objects.exists()
    draw_tax_forms()
    assert not TaxPdf.objects.exists()
    name_payer(cast)
    # No worker ever heard of it: the sweep finds it, once.
    draw_tax_forms()
    draw_tax_forms()
    assert TaxPdf.objects.filter(form=form).count() == 2
    assert tax_pdfs.draw_form(form.pk) is False
    assert journalled("tax_form_drawn") == 1
    assert verify().findings == []


def test_a_broker_that_is_gone_stops_no_payment(
    cast: Cast, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    name_payer(cast)

    def lost(form_id: int) -> None:
        raise ConnectionError("no broker")

    monkeypatch.setattr(current_app.tasks[tax_forms.DRAW], "delay", lost)
    form = issued(cast)
    assert not form.pdfs.exists()
    assert "no broker" in caplog.text
    draw_tax_forms()
    assert form.pdfs.count() == 2


def test_the_copies_are_read_by_role_and_on_record(cast: Cast) -> None:
    name_payer(cast)
    form = issued(cast)
    drawn = {pdf.audience: pdf for pdf in form.pdfs.all()}
    assert drawn.keys() == {"winner", "payer"}
    place = pdf_place(form.pk, Audience.WINNER)
    assert decrypt(drawn["winner"].content_cipher, place).startswith(b"%PDF")
    winner, payer = (reverse(f"tax-pdf-{item}", args=[form.pk]) for item in ("winner", "payer"))
    pit = signed_in(cast.alice, cast.devices[Place.PIT])
    assert pit.get(winner)["Content-Type"] == "application/pdf"
    assert pit.get(payer).status_code == 403
    papers = pit.get(reverse("slip-pdf", args=[form.papers.serial]))
    assert papers.content.startswith(b"%PDF")
    assert journalled("tax_form_read") == 1
    office = signed_in(cast.ruth, cast.devices[Place.OFFICE])
    assert office.get(payer).status_code == 200
    assert journalled("tax_form_read") == 2
    page = words(office.get(reverse("tax-form", args=[form.pk])))
    assert "•••6789" in page
    assert "123456789" not in page
    assert "S12345678901234" not in page


def propose(cast: Cast, form: TaxForm, issue: FormIssue, amounts: Amounts | None = None) -> Slip:
    own = Amounts(form.reportable_cents, form.federal_cents, form.state_cents)
    raising = TAX_CORRECTION.at(form=form, issue=issue.value, amounts=amounts or own)
    return raise_kind(
        raising,
        reason="The file was wrong.",
        pen=cast.pen(cast.ruth, Place.OFFICE),
        shown=shown_before(raising),
    )


def test_a_form_is_corrected_and_voided_by_new_ones_that_two_people_sign(cast: Cast) -> None:
    name_payer(cast)
    form = issued(cast)
    with refused("nothing_changes"):
        propose(cast, form, FormIssue.CORRECTED)
    with refused("tax_above_winnings"):
        propose(cast, form, FormIssue.CORRECTED, Amounts(100, 200))
    change_patron(
        patron_id=form.patron_id,
        keyed={"first_name": "Anna", "last_name": "Ruiz", **KEYED, "born_on": "1980-02-03"},
        pen=cast.pen(cast.alice),
    )
    form = TaxForm.objects.select_related("patron").get(pk=form.pk)
    slip = propose(cast, form, FormIssue.CORRECTED, Amounts(242_605, 1_000))
    with refused("already_proposed"):
        propose(cast, form, FormIssue.VOID)
    with refused("signed_before"):
        cast.sign(slip, "approved", cast.ruth, Place.OFFICE)
    cast.sign(slip, "approved", cast.trent, Place.CAGE)
    corrected = TaxForm.objects.get(number=1)
    assert (corrected.replaces, corrected.issue, corrected.account) == (
        form,
        "corrected",
        form.account,
    )
    assert corrected.boxes["winner_full_name"] == "Anna Ruiz"
    assert (corrected.boxes["4"], form.boxes["4"]) == ("10.00", "0.00")
    with refused("already_replaced"):
        propose(cast, form, FormIssue.VOID)
    corrected = TaxForm.objects.select_related("patron").get(pk=corrected.pk)
    cast.sign(propose(cast, corrected, FormIssue.VOID), "approved", cast.trent, Place.CAGE)
    void = TaxForm.objects.get(number=2)
    assert (void.issue, void.federal_cents) == ("void", 1_000)
    with refused("form_is_void"):
        propose(cast, TaxForm.objects.select_related("patron").get(pk=void.pk), FormIssue.VOID)
    # Of a year each form stands once, as it is now, and a void one counts for nothing.
    assert list(forms_of(2026)) == [void]
    assert totals_of(forms_of(2026)) == []
    assert verify().findings == []


def test_the_export_has_every_box_and_is_signed_for(cast: Cast) -> None:
    form = issued(cast)
    pen = cast.pen(cast.ruth, Place.OFFICE)
    with refused("payer_missing", journal=["act_refused"]):
        export_forms(tax_year=2026, kind=TaxFormName.W2G, pen=pen)
    name_payer(cast)
    with refused("wrong_role", journal=["act_refused"]):
        export_forms(tax_year=2026, kind=TaxFormName.W2G, pen=cast.pen(cast.alice, Place.OFFICE))
    with refused("nothing_to_export", journal=["act_refused"]):
        export_forms(tax_year=2025, kind=TaxFormName.W2G, pen=pen)
    exported = export_forms(tax_year=2026, kind=TaxFormName.W2G, pen=pen)
    [row] = csv.DictReader(io.StringIO(exported))
    assert row["box_9_winners_taxpayer_identification_no"] == "123456789"
    assert row["box_1_reportable_winnings"] == "2426.05"
    assert row["box_11_first_identification_no"] == "driver license NJ S12345678901234"
    assert row["payer_tin"] == "12-3456789"
    assert (row["account_number"], row["wager_code"]) == (form.account, "9")
    assert journalled("tax_forms_exported") == 1


def test_the_document_names_every_column_of_the_export() -> None:
    named = set(re.findall(r"^\| `(\w+)` \|", DOCUMENT.read_text(), re.MULTILINE))
    assert named == {name for columns in COLUMNS.values() for name, _ in columns}


def test_the_register_shows_the_year_to_the_office_alone(cast: Cast) -> None:
    name_payer(cast)
    form = issued(cast)
    office = signed_in(cast.ruth, cast.devices[Place.OFFICE])
    page = words(office.get(reverse("tax-register"), {"year": "2026"}))
    for must in (form.account, "Ana Ruiz", "•••6789", "$2,426.05", "Form 945", "Feb 1, 2027"):
        assert must in page
    address = reverse("report", args=["tax-forms"])
    told = words(office.get(address, {"from": "2026-05-01", "to": "2026-05-01"}))
    for must in (form.account, "•••6789", "$2,426.05"):
        assert must in told
    assert office.get(reverse("tax-export", args=[2026, "W-2G"])).status_code == 200
    assert office.get(reverse("tax-export", args=[2026, "W-4"])).status_code == 404
    address = new_url("tax_correction", form=form.pk)
    assert office.get(f"/tax/forms/{form.pk}/correct/")["Location"] == address
    assert office.get(address).status_code == 200
    keyed = {"reportable": "2,426.05", "federal": "1", "state": "0"}
    assert office.post(address, keyed | {"federal": "some"}).status_code == 422
    assert "$0 becomes $1" in words(office.post(address, keyed))
    pit = signed_in(cast.alice, cast.devices[Place.PIT])
    assert pit.get(reverse("tax-register")).status_code == 403
