"""Currency reports: opened once when a person's cash of a day passes the limit, closed when filed.

Everything here runs under the lock of that person's cash, so that two pits that log at once open
one report and miss none.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime
from typing import Any
from uuid import UUID, uuid5

from django.db import models, transaction

from inventory.models import (
    CtrBatchForm,
    CtrFiling,
    CtrForm,
    CurrencyReport,
    CurrencyReportClosing,
    Patron,
    Stranger,
)
from inventory.selectors.cash_log import (
    DayPerson,
    day_sum,
    patron_of,
    policy_of,
    reports_of,
    whose,
)
from inventory.selectors.patrons import root_of
from pitboss.models import Device, FloorException, Person
from pitboss.rules.cheques.cheques import format_money
from pitboss.rules.patrons.cash_log import CashPolicy, Direction
from pitboss.rules.patrons.compliance import (
    ClosingFacts,
    ReportOutcome,
    closing_refusals,
    compliance_refusals,
)
from pitboss.rules.patrons.ctr import bsa_refusals
from pitboss.rules.refusal import CONFLICT, Refused, refuse
from pitboss.services import house, journal
from pitboss.services.exceptions import CURRENCY_REPORT, mark_resolved, open_exception
from pitboss.services.locks import lock_cash_of, lock_request
from pitboss.services.pins import signed_act
from pitboss.services.signing import Pen


def lock_whose(patron: Patron | None, stranger: Stranger | None, *more: Patron | None) -> DayPerson:
    """Lock a person's cash, and return whose it is by what holds under the lock.

    A stranger comes before the patron they turned out to be, as everything takes them; of several
    patrons, such as those on whose behalf cash is, the lowest number comes first.
    """
    if stranger is not None:
        lock_cash_of(f"stranger:{stranger.pk}")
        patron = patron_of(stranger)
    for number in sorted({root_of(item.pk) for item in (patron, *more) if item is not None}):
        lock_cash_of(f"patron:{number}")
    return DayPerson(patron, stranger)


def watch(
    who: DayPerson, day: date, direction: Direction, at: datetime, *, others: bool = False
) -> list[models.Model]:
    """Open a currency report if a day's sum calls for one; return it, for the journal to vouch.

    The lock of the person's cash is held. A report that was filed on another sum is amended by a
    new one, even if the day came to less after all, and on the same sum if the cash was of `others`
    than it said; of what is open there is never a second.
    """
    policy = policy_of(day)
    sum_cents = day_sum(who, day, direction)
    reports = list(reports_of(who, day, direction))
    closings = sorted(filter(None, map(_closing, reports)), key=lambda closing: closing.pk)
    if len(closings) < len(reports):
        return []  # One is open, and the person who files it sees the sum as it is by then.
    last = closings[-1] if closings else None
    is_filed = last is not None and last.outcome == ReportOutcome.FILED.value
    if last is not None and last.sum_cents == sum_cents and not (is_filed and others):
        return []
    if not is_filed and not policy.is_reported(sum_cents):
        return []
    return [_open(who, day, direction, sum_cents, policy, last.report if last else None, at)]


def _closing(report: CurrencyReport) -> CurrencyReportClosing | None:
    return getattr(report, "closing", None)


def _open(
    who: DayPerson,
    day: date,
    direction: Direction,
    sum_cents: int,
    policy: CashPolicy,
    amends: CurrencyReport | None,
    at: datetime,
) -> CurrencyReport:
    report = CurrencyReport.objects.create(
        patron=who.patron,
        stranger=None if who.patron else who.stranger,
        gaming_day=day,
        direction=direction.value,
        sum_cents=sum_cents,
        limit_cents=policy.report_over_cents,
        due_on=policy.due_on(day),
        opened_at=at,
        amends=amends,
    )
    days_left = max(1, (report.due_on - house.period_at(at).gaming_day).days)
    open_exception(
        code=CURRENCY_REPORT,
        sentence=f"Currency report{' to amend' if amends else ''}: {who.name[:120]}, "
        f"{direction.label} {format_money(sum_cents)} on {day:%b %-d, %Y}.",
        details={"report": report.pk, "due_on": report.due_on.isoformat()},
        at=at,
        # No one caused it who could not also close it: the day's sum did.
        person=None,
        limit_seconds=days_left * 24 * 60 * 60,
    )
    return report


def close_report(*, report_id: int, reason: str, pen: Pen) -> CurrencyReportClosing:
    """Close a currency report that is not due, signed by compliance. Raises Refused."""
    with signed_act(
        act="currency_report_close", badge=pen.badge, pin=pen.pin, device=pen.device
    ) as person:
        lock_request(pen.request_id)
        now = house.now()
        report = (
            CurrencyReport.objects.select_related("patron", "stranger").filter(pk=report_id).first()
        )
        if report is None:
            raise refuse("unknown_report", "Report not found. Check the list.")
        who = lock_whose(report.patron, report.stranger)
        earlier = CurrencyReportClosing.objects.filter(report=report).first()
        if earlier is not None:
            if earlier.request_id == pen.request_id:
                return earlier  # A second tap, or a resend after a lost answer.
            raise refuse(
                "already_closed",
                f"{earlier.closed_by} has closed this report. Reload the page.",
                CONFLICT,
            )
        when = house.period_at(now)
        refusals = closing_refusals(
            ClosingFacts(
                role=house.role_in(person, when),
                gaming_day=report.gaming_day,
                today=when.gaming_day,
                is_due=is_due(report, who),
                reason=reason.strip(),
            )
        )
        if refusals:
            raise Refused(refusals)
        row = write_closing(
            report,
            who,
            person,
            now,
            outcome=ReportOutcome.NOT_DUE.value,
            reason=reason.strip(),
            request_id=pen.request_id,
        )
        _journal_closing([row], person, pen.device, now)
        return row


def file_reports(
    *,
    form: CtrForm,
    bsa_id: str,
    filed_on: date | None,
    by: Person,
    device: Device | None,
    request_id: UUID,
) -> list[CurrencyReportClosing]:
    """Close the reports of a form that was exported, by the number that its filing was given.

    Raises Refused.
    """
    with transaction.atomic(durable=True):
        lock_request(request_id)
        now = house.now()
        when = house.period_at(now)
        reports = reports_on(form)
        who = lock_whose(form.report.patron, form.report.stranger)
        earlier = list(CurrencyReportClosing.objects.filter(report__in=reports).order_by("id"))
        if earlier:
            if earlier[0].reference == bsa_id:
                return earlier  # A second tap, or a resend after a lost answer.
            words = f"{earlier[0].closed_by} has closed this report. Reload the page."
            raise refuse("already_closed", words, CONFLICT)
        exported = CtrBatchForm.objects.select_related("batch").filter(form=form).first()
        if exported is None:
            raise refuse(
                "not_exported", "This report isn’t exported yet. Export it first.", CONFLICT
            )
        refusals = [
            *compliance_refusals(house.role_in(by, when)),
            *bsa_refusals(bsa_id, filed_on, exported.batch.filing_on, today_on_the_wall(now)),
        ]
        if refusals:
            raise Refused(refusals)
        rows = [
            write_closing(
                report,
                who,
                by,
                now,
                outcome=ReportOutcome.FILED.value,
                filer=str(by),
                filed_on=filed_on,
                reference=bsa_id,
                request_id=uuid5(request_id, str(report.pk)),
            )
            for report in reports
        ]
        filings = [CtrFiling.objects.create(closing=row, form=form) for row in rows]
        _journal_closing(rows, by, device, now, filings)
        return rows


def reports_on(form: CtrForm) -> list[CurrencyReport]:
    """Return the reports that a form covers."""
    return [form.report, *([form.other] if form.other else [])]


def today_on_the_wall(now: datetime) -> date:
    """Return the calendar day of the house, by which papers are dated."""
    return now.astimezone(house.the_property().zone).date()


def write_closing(
    report: CurrencyReport, who: DayPerson, person: Person, at: datetime, **how: Any
) -> CurrencyReportClosing:
    """Close a report on the sum that its day has now, and with it what waited."""
    sum_cents = day_sum(who, report.gaming_day, Direction(report.direction))
    row = CurrencyReportClosing.objects.create(
        report=report, sum_cents=sum_cents, closed_by=person, closed_at=at, **how
    )
    resolution = f"Filed as {row.reference}." if row.reference else row.reason
    for exception in FloorException.objects.select_for_update(no_key=True).filter(
        code=CURRENCY_REPORT, details__report=report.pk, resolved_at=None
    ):
        mark_resolved(exception, person, resolution, at)
    return row


def _journal_closing(
    rows: list[CurrencyReportClosing],
    person: Person,
    device: Device | None,
    at: datetime,
    filings: Sequence[CtrFiling] = (),
) -> None:
    first = rows[0]
    journal.write(
        chain=journal.PEOPLE,
        kind="currency_report_closed",
        body={
            "report": first.report_id,
            "outcome": first.outcome,
            "sum_cents": first.sum_cents,
            **({"reports": [row.report_id for row in rows]} if len(rows) > 1 else {}),
        },
        at=at,
        person=person,
        device=device,
        rows=[*rows, *filings],
    )


def is_due(report: CurrencyReport, who: DayPerson | None = None) -> bool:
    """Tell whether a report must be filed: the sum is over, and no other one covers the day."""
    who = who or whose(report.patron, report.stranger)
    direction = Direction(report.direction)
    others = reports_of(who, report.gaming_day, direction).exclude(pk=report.pk)
    is_covered = any(
        (closing := _closing(other)) is None or closing.outcome == ReportOutcome.FILED.value
        for other in others.filter(amended_by=None)
    )
    over = policy_of(report.gaming_day).is_reported(day_sum(who, report.gaming_day, direction))
    return over and not is_covered
