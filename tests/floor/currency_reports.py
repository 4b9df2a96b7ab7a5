"""Currency reports in tests: completed, approved, exported and filed as compliance does it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import uuid4

from inventory.kinds.currency_report import CURRENCY_REPORT
from inventory.models import CtrBatch, CtrForm, CurrencyReport, CurrencyReportClosing, Patron
from inventory.services.ctr import Answers, cash_behind, export_batch, save_form
from inventory.services.currency_reports import file_reports, today_on_the_wall
from inventory.services.patrons import NewDocument, add_document, add_patron
from pitboss.models import Person, Slip
from pitboss.rules.patrons.ctr import UNKNOWABLE
from pitboss.rules.patrons.patrons import DocumentKind
from pitboss.rules.roles import Place
from pitboss.services import house
from pitboss.slips.raising import raise_kind, shown_before
from tests.floor.cast import Cast
from tests.floor.house import change
from tests.floor.markers import KEYED
from tests.floor.tax_papers import PAYER

BSA_ID = "31000000000123"
FILER = f"{PAYER}\nTrade name: Tide Casino\nContact: Compliance office\nTransmitter code: PTCC1234"
NOTHING_KNOWN = Answers(unknown=tuple(UNKNOWABLE))
WORK = {"occupation": "Dentist", "sex": "F", "verified_how": "License seen", "id_state": "NJ"}


def name_filer(cast: Cast) -> None:
    """Let two managers enter who files, unless they have."""
    if not house.settings_at(house.now()).tax.payer.may_transmit:
        change(cast, "tax.payer", FILER)


def make_known(cast: Cast, first: str, last: str, tax_id: str, born_on: str) -> Patron:
    """Put a patron on file with everything that a report asks."""
    keyed = {"first_name": first, "last_name": last, "tax_id": tax_id, "born_on": born_on, **KEYED}
    patron = add_patron(keyed=keyed, pen=cast.pen(cast.alice))
    licence = NewDocument(DocumentKind.DRIVING_LICENCE, number="S12345678901234", issuer="NJ")
    add_document(patron_id=patron.pk, new=licence, pen=cast.pen(cast.alice))
    return patron


def make_company(cast: Cast, name: str = "Acme Poultry LLC") -> Patron:
    """Put a company on file that somebody acts for."""
    keyed = {"is_entity": "yes", "last_name": name, "tax_id": "12-7654321", **KEYED}
    return add_patron(keyed=keyed, pen=cast.pen(cast.alice))


def answers_of(patron: Patron, **changed: str) -> Answers:
    """Return what is entered of a patron whose ID was seen."""
    document = patron.documents.first()
    return Answers({**WORK, **changed}, document.pk if document else None)


def write_out(
    report: CurrencyReport,
    by: Person,
    answers: Mapping[str, Answers] | None = None,
    prior_bsa_id: str = "",
) -> CtrForm:
    """Write a report out; of whom nothing is told, nothing is known."""
    told = dict.fromkeys(cash_behind(report).people, NOTHING_KNOWN) | dict(answers or {})
    return save_form(
        report=report,
        answers=told,
        prior_bsa_id=prior_bsa_id,
        person=by,
        device=None,
        request_id=uuid4(),
    )


def complete(cast: Cast, form: CtrForm, by: Person | None = None) -> Slip:
    """Sign that a report is complete, as Erin at the cage."""
    form = CtrForm.objects.select_related("report__patron", "report__stranger").get(pk=form.pk)
    raising = CURRENCY_REPORT.at(form=form)
    pen = cast.pen(by, Place.OFFICE) if by else cast.pen(cast.erin, Place.CAGE)
    return raise_kind(raising, pen=pen, shown=shown_before(raising))


def approve(cast: Cast, report: CurrencyReport, **more: Any) -> Slip:
    """Let Erin complete a report and Petra approve it."""
    slip = complete(cast, write_out(report, cast.erin, **more))
    cast.sign(slip, "approved", cast.petra, Place.OFFICE)
    return slip


def export(cast: Cast) -> CtrBatch:
    """Put every approved report into one batch."""
    name_filer(cast)
    return export_batch(by=cast.petra, device=None, request_id=uuid4())


def file(
    cast: Cast, report: CurrencyReport, bsa_id: str = BSA_ID, by: Person | None = None
) -> list[CurrencyReportClosing]:
    """Enter under which number an exported report was filed."""
    form = (report.forms.filter(exported__isnull=False)).latest("id")
    return file_reports(
        form=form,
        bsa_id=bsa_id,
        filed_on=today_on_the_wall(house.now()),
        by=by or cast.petra,
        device=None,
        request_id=uuid4(),
    )


def file_whole(cast: Cast, report: CurrencyReport) -> CurrencyReportClosing:
    """Take a report all the way."""
    prior = BSA_ID if report.amends else ""
    approve(cast, report, prior_bsa_id=prior)
    export(cast)
    return file(cast, report)[0]
