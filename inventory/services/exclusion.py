"""Compare a patron with the lists before money moves, stop the act, and open the case.

A stop is a refusal, so all that the act wrote is rolled back; the comparison, the case and whom it
is told to are kept afterward in a transaction of their own. What only writes down is stored, and
its case opens with it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime

from inventory.models import ExclusionCase, ListCheck, Patron
from inventory.selectors.exclusion import ListMatch, decision_of, newest_versions, stops_of
from pitboss.models import FloorException, Person, Slip, Table
from pitboss.rules.patrons.exclusion import CaseDecision, Moment, stop_refusal
from pitboss.rules.refusal import Refusal
from pitboss.rules.roles import Role
from pitboss.services import afterward, house, journal
from pitboss.services.exceptions import (
    EXCLUSION_AGAIN,
    EXCLUSION_CASE,
    mark_resolved,
    open_exception,
)


@dataclass(frozen=True, slots=True)
class Compared:
    """One comparison: who, when, and what it was about."""

    patron: Patron
    moment: Moment
    at: datetime
    table: Table | None = None
    slip: Slip | None = None
    # The day of the fact: what was owed before someone joined a list is paid.
    day: date | None = None

    @property
    def gaming_day(self) -> date:
        return house.period_at(self.at).gaming_day

    def stops(self) -> list[ListMatch]:
        """Return what stands against it."""
        return stops_of(self.patron, self.moment, self.day or self.gaming_day)


def stop_refusals(compared: Compared, role: Role | None = None) -> list[Refusal]:
    """Return that an act must stop, and see to it that security and compliance are told."""
    versions = newest_versions()
    stops = compared.stops() if versions else []
    if not stops:
        return []
    afterward.keep_apart(lambda: _keep_stop(compared, stops, versions))
    return [stop_refusal(compared.moment, role)]


def keep_comparison(compared: Compared, *, is_past: bool = False) -> None:
    """Keep that a patron was compared at an act that goes on; call it before its journal entry.

    Where the moment stops nothing, or the act is past, what was found opens its case all the same.
    """
    versions = newest_versions()
    if not versions:
        return
    stops = compared.stops() if is_past or not compared.moment.stops else []
    if not stops:
        _write(compared, versions, None, stopped=False)
    _open_cases(compared, stops, versions, stopped=False)


def _keep_stop(compared: Compared, stops: Sequence[ListMatch], versions: dict[str, int]) -> None:
    # A slip that was about to be raised when it was stopped was never stored.
    slip = compared.slip if compared.slip and _is_stored(compared.slip) else None
    _open_cases(replace(compared, slip=slip), stops, versions, stopped=True)
    journal.write(
        chain=journal.chain_of(compared.table, journal.PEOPLE),
        kind="patron_stopped",
        body={"patron": compared.patron.pk, "moment": compared.moment.value},
        at=compared.at,
        slip=slip,
    )


def _is_stored(slip: Slip) -> bool:
    return Slip.objects.filter(pk=slip.pk).exists()


def _open_cases(
    compared: Compared, stops: Sequence[ListMatch], versions: dict[str, int], *, stopped: bool
) -> None:
    for found in stops:
        case = _case_of(compared, found)
        _write(compared, versions, case, stopped=stopped)
        _tell(compared, case)


def _case_of(compared: Compared, found: ListMatch) -> ExclusionCase:
    case = ExclusionCase.objects.filter(patron=compared.patron, row=found.row).first()
    if case is not None:
        case.require_seal()
        return case
    return ExclusionCase.objects.create(
        patron=compared.patron,
        row=found.row,
        match=found.match.value,
        moment=compared.moment.value,
        gaming_day=compared.gaming_day,
        opened_at=compared.at,
    )


def _write(
    compared: Compared, versions: dict[str, int], case: ExclusionCase | None, *, stopped: bool
) -> ListCheck:
    return ListCheck.objects.create(
        patron=compared.patron,
        moment=compared.moment.value,
        versions=versions,
        case=case,
        stopped=stopped,
        slip=compared.slip,
        table=compared.table,
        gaming_day=compared.gaming_day,
        at=compared.at,
    )


def _tell(compared: Compared, case: ExclusionCase) -> None:
    """Put a case on the list of security, the shift manager and compliance at once."""
    where = f"{compared.table}" if compared.table else "cage or office"
    decision = decision_of(case)
    if decision is CaseDecision.CLEARED:
        return
    is_again = decision is CaseDecision.CONFIRMED
    found = f"Go to {compared.patron} ({where}, {compared.moment.label})."
    open_exception(
        code=EXCLUSION_AGAIN if is_again else EXCLUSION_CASE,
        sentence=f"{found} The person is confirmed." if is_again else f"{found} Open the case.",
        details={"case": case.pk},
        at=compared.at,
        person=None,
        table=compared.table,
        slip=compared.slip if not compared.moment.stops else None,
    )


def resolve_told(case: ExclusionCase, person: Person, words: str, at: datetime) -> None:
    """Take a case off the lists: two people have decided it. The caller writes the journal."""
    floor_exceptions = FloorException.objects.select_for_update(no_key=True).filter(
        code=EXCLUSION_CASE, details__case=case.pk, resolved_at=None
    )
    for exception in floor_exceptions:
        mark_resolved(exception, person, words, at)
