"""Currency reports: opened once when a person's cash of a day passes the limit, closed when filed.

Everything here runs under the lock of that person's cash, so that two pits that log at once open
one report and miss none.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime

from django.db import models

from inventory.models import CurrencyReport, CurrencyReportClosing, Patron, Stranger
from inventory.selectors.cash_log import (
    Whose,
    day_sum,
    patron_of,
    policy_of,
    reports_of,
    whose,
)
from pitboss.models import FloorException
from pitboss.rules.cheques.cheques import format_money
from pitboss.rules.patrons.cash_log import CashPolicy, Direction
from pitboss.rules.patrons.compliance import ClosingFacts, Outcome, closing_refusals
from pitboss.rules.refusal import CONFLICT, Refused, refuse
from pitboss.services import house, journal
from pitboss.services.exceptions import CURRENCY_REPORT, mark_resolved, open_exception
from pitboss.services.locks import lock_cash_of, lock_request
from pitboss.services.pins import signed_act
from pitboss.services.signing import Pen


def lock_whose(patron: Patron | None, stranger: Stranger | None) -> Whose:
    """Lock a person's cash, and return whose it is by what holds under the lock.

    A stranger comes before the patron they turned out to be, as everything takes them.
    """
    if stranger is not None:
        lock_cash_of(f"stranger:{stranger.pk}")
        patron = patron_of(stranger)
    if patron is not None:
        lock_cash_of(f"patron:{patron.pk}")
    return Whose(patron, stranger)


def watch(who: Whose, day: date, direction: Direction, at: datetime) -> list[models.Model]:
    """Open a currency report if a day's sum calls for one; return it, for the journal to vouch.

    The lock of the person's cash is held. A report that was closed on another sum is amended by a
    new one; of what is open there is never a second.
    """
    policy = policy_of(day)
    sum_cents = day_sum(who, day, direction)
    if not policy.is_reported(sum_cents):
        return []
    reports = list(reports_of(who, day, direction))
    closings = sorted(filter(None, map(_closing, reports)), key=lambda closing: closing.pk)
    if len(closings) < len(reports):
        return []  # One is open, and whoever files it sees the sum as it is by then.
    last = closings[-1] if closings else None
    if last is not None and last.sum_cents == sum_cents:
        return []
    return [_open(who, day, direction, sum_cents, policy, last.report if last else None, at)]


def _closing(report: CurrencyReport) -> CurrencyReportClosing | None:
    return getattr(report, "closing", None)


def _open(
    who: Whose,
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
        # Nobody caused it who could not also close it: the day's sum did.
        person=None,
        limit_seconds=days_left * 24 * 60 * 60,
    )
    return report


@dataclass(frozen=True, slots=True)
class Closing:
    """How somebody wants to close a report: as filed, or as not due with the reason."""

    outcome: Outcome
    filer: str = ""
    filed_on: date | None = None
    reference: str = ""
    reason: str = ""


def close_report(*, report_id: int, closing: Closing, pen: Pen) -> CurrencyReportClosing:
    """Close a currency report, signed by compliance. Raises Refused."""
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
            raise refuse("already_closed", f"{earlier.closed_by} has closed this report.", CONFLICT)
        when = house.period_at(now)
        sum_cents = day_sum(who, report.gaming_day, Direction(report.direction))
        refusals = closing_refusals(
            ClosingFacts(
                role=house.role_in(person, when),
                outcome=closing.outcome,
                gaming_day=report.gaming_day,
                today=when.gaming_day,
                is_due=is_due(report, who),
                filer=closing.filer.strip(),
                filed_on=closing.filed_on,
                reference=closing.reference.strip(),
                reason=closing.reason.strip(),
            )
        )
        if refusals:
            raise Refused(refusals)
        is_filed = closing.outcome == Outcome.FILED
        row = CurrencyReportClosing.objects.create(
            report=report,
            outcome=closing.outcome.value,
            filer=closing.filer.strip() if is_filed else "",
            filed_on=closing.filed_on if is_filed else None,
            reference=closing.reference.strip() if is_filed else "",
            reason="" if is_filed else closing.reason.strip(),
            sum_cents=sum_cents,
            closed_by=person,
            closed_at=now,
            request_id=pen.request_id,
        )
        resolution = f"Filed as {row.reference}." if is_filed else row.reason
        for exception in FloorException.objects.select_for_update(no_key=True).filter(
            code=CURRENCY_REPORT, details__report=report.pk, resolved_at=None
        ):
            mark_resolved(exception, person, resolution, now)
        journal.write(
            chain=journal.PEOPLE,
            kind="currency_report_closed",
            body={"report": report.pk, "outcome": row.outcome, "sum_cents": sum_cents},
            at=now,
            person=person,
            device=pen.device,
            rows=[row],
        )
        return row


def is_due(report: CurrencyReport, who: Whose | None = None) -> bool:
    """Tell whether a report must be filed: the sum is over, and no other one covers the day."""
    who = who or whose(report.patron, report.stranger)
    direction = Direction(report.direction)
    others = reports_of(who, report.gaming_day, direction).exclude(pk=report.pk)
    is_covered = any(
        (closing := _closing(each)) is None or closing.outcome == Outcome.FILED.value
        for each in others.filter(amended_by=None)
    )
    over = policy_of(report.gaming_day).is_reported(day_sum(who, report.gaming_day, direction))
    return over and not is_covered
