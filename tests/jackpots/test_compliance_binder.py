"""The binder that an examiner is handed, and the clocks on the desk that fills it."""

from __future__ import annotations

from datetime import date

import pytest
from django.urls import reverse

from inventory.models import CurrencyReport, ExclusionCase
from inventory.services.sar import NewCase, open_case
from jackpots.kinds.withheld import WITHHELD_WIN
from jackpots.reports.compliance_binder import binder
from pitboss.reports.report import Report, ReportChoice, Tone
from pitboss.rules.patrons.exclusion import ListKind
from pitboss.rules.roles import Place, Role
from pitboss.slips.raising import raise_kind, shown_before
from tests.floor.cash_log import log, today
from tests.floor.cast import Cast, ServerClock
from tests.floor.currency_reports import BSA_ID, file_whole, make_known
from tests.floor.exclusion import RUIZ, confirm_case, put_on
from tests.floor.jackpots import COLOURED, hit, open_tables, reviewed
from tests.floor.tablets import signed_in, words
from tests.floor.tax_papers import make_winner, name_payer
from tests.jackpots.test_withheld import name
from tests.test_access import someone

pytestmark = pytest.mark.django_db(transaction=True)


def month(first: date, last: date) -> Report:
    return binder(ReportChoice(first, last))


def told(report: Report, title: str) -> list[list[object]]:
    """Return what one section of the binder says, row by row."""
    (section,) = [item for item in report.sections if item.title == title]
    return [[cell.value for cell in row.cells] for row in section.rows]


def test_a_month_of_compliance_is_one_binder(cast: Cast, server_clock: ServerClock) -> None:
    first = today()
    tom = make_known(cast, "Tom", "Reed", "219-09-9999", "1971-03-04")
    log(cast, tom, 11_000)
    log(cast, make_known(cast, "Jane", "Reed", "219-09-9998", "1973-05-06"), 4_000)
    report = CurrencyReport.objects.get()
    assert month(first, first).finding.tone is Tone.WAIT  # type: ignore[union-attr]
    server_clock.move(days=1)
    file_whole(cast, report)
    name_payer(cast)
    open_tables(cast)
    win = hit(cast, COLOURED)
    reviewed(cast, win)
    put_on(cast, RUIZ)
    ana = make_winner(cast)
    case = ExclusionCase.objects.get(patron=ana)
    confirm_case(cast, case)
    win.refresh_from_db()
    with pytest.raises(Exception, match="Stop"):
        name(cast, win, ana)
    receipt = WITHHELD_WIN.at(win.table, original=win)
    slip = raise_kind(receipt, pen=cast.pen(cast.erin, Place.CAGE), shown=shown_before(receipt))
    cast.sign(slip, "withholding_witnessed", cast.alice)

    made = month(first, today())
    assert (made.finding.tone, made.finding.words) == (  # type: ignore[union-attr]
        Tone.GOOD,
        "No currency report is late or waiting.",
    )
    (filed,) = told(made, "Currency reports")
    assert filed[:4] == [first, "Tom Reed", "cash in", 1_100_000]
    assert filed[6:] == [BSA_ID, "Filed"]
    assert told(made, "Multiple-transaction log") == [[first, 2, 1_500_000, 0]]
    (brought,) = told(made, "Exclusion lists")
    assert brought[1:6] == [ListKind.SELF_EXCLUSION.label, 1, 1, 0, 0]
    (decided,) = told(made, "Exclusion cases")
    assert (decided[1], decided[5]) == ("Ana Ruiz", "Confirmed")
    (kept,) = told(made, "Withheld winnings")
    assert kept[:5] == [slip.serial, today(), "Ana Ruiz", 243_105, "Not decided"]
    assert ["Big win or jackpot", 1, 1] in told(made, "Comparisons")
    # What was not yet so on an earlier day is not in it.
    assert told(month(first, first), "Exclusion lists") == []


def test_a_report_that_is_late_is_said_first(cast: Cast, server_clock: ServerClock) -> None:
    first = today()
    log(cast, make_known(cast, "Tom", "Reed", "219-09-9999", "1971-03-04"), 11_000)
    server_clock.move(days=16)
    made = month(first, first)
    assert (made.finding.tone, made.finding.words) == (  # type: ignore[union-attr]
        Tone.BAD,
        "Late: 1 of 1 currency reports.",
    )
    assert told(made, "Currency reports")[0][-1] == "Late"


@pytest.mark.parametrize("role", [role for role in Role if role != Role.COMPLIANCE])
def test_compliance_alone_takes_the_binder(cast: Cast, role: Role) -> None:
    client = signed_in(someone(cast, role), cast, Place.OFFICE)
    for way in ("report", "report-csv", "report-pdf"):
        assert client.get(reverse(way, args=["compliance-binder"])).status_code in (403, 404)


def test_no_case_of_suspicious_activity_is_in_the_binder(cast: Cast) -> None:
    first = today()
    before = month(first, first)
    open_case(
        new=NewCase(
            text="Three buy-ins of $9,900.",
            amount_cents=2_970_000,
            detected_on=first,
            has_suspect=True,
        ),
        pen=cast.pen(cast.petra, Place.OFFICE),
    )
    assert month(first, first) == before


def test_the_desk_shows_what_is_due_first_and_which_list_is_old(
    cast: Cast, server_clock: ServerClock
) -> None:
    def desk() -> str:
        return words(signed_in(cast.petra, cast, Place.OFFICE).get(reverse("compliance")))

    def chips() -> list[str]:
        page = desk()
        page = page[: page.index('id="reports-heading"')]
        return [part[: part.index("</span>")] for part in page.split('class="chip ')[1:]]

    assert chips() == []
    put_on(cast, RUIZ)
    log(cast, make_known(cast, "Tom", "Reed", "219-09-9999", "1971-03-04"), 11_000)
    open_case(
        new=NewCase(text="Odd.", amount_cents=1, detected_on=today(), has_suspect=True),
        pen=cast.pen(cast.petra, Place.OFFICE),
    )
    make_winner(cast)
    assert chips() == [
        'chip--half">due May 16',
        'chip--half">due May 31',
        'chip--wait">since May 1',
        'chip--half">oldest May 1',
    ]
    server_clock.move(days=31)
    assert [chip.partition('"')[0] for chip in chips()] == [
        "chip--bad",
        "chip--bad",
        "chip--wait",
        "chip--bad",
    ]
    assert "Binder" in desk()
