"""An opener, and the recount of a table that stays shut: a locked tray against its last count.

No one has played at it, so what differs is variance, looked into as soon as both have signed. Who
signs before the table opens, and who only reports on it afterward, the house decides.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any, Final

from django.db import models

from inventory.models import Holder
from inventory.selectors.cheques import tray_holding
from inventory.services.card_accounts import OPENING, demand_cards
from pitboss.models import Signature, Slip, Table
from pitboss.paper.forms import Form, InBox, Layout, Part, Shows
from pitboss.rules.cheques.cheques import difference, format_money, total_cents
from pitboss.rules.flows.flows import Need, PlanFacts, Promise, SlipStatus, Step
from pitboss.rules.roles import SUPERVISING, Role
from pitboss.services.exceptions import (
    REGULATOR_NOTICE,
    REPORTS_OF,
    TRAY_VARIANCE,
    open_exception,
    sign_off_variance,
)
from pitboss.services.shown import stored_cheques
from pitboss.services.table_changes import apply_setup
from pitboss.slips.kind import Kind, Raising
from tables.kinds.counting import (
    COUNTED,
    INVENTORY,
    TRAY_COUNT,
    TRAY_READERS,
    VERIFIED,
    VOIDED_AT_THE_TABLE,
    VOIDS,
    counted_tray,
    table_of,
    tray_counted,
    tray_refusals,
    tray_review,
)
from tables.selectors.counts import compared
from tables.services.dealers import put_at
from tables.services.trays import openings_today, post_count, variance_terms_now


def _differs(facts: PlanFacts) -> bool:
    """Tell whether the tray differs in a way that someone signs before the count stands."""
    return facts.differs


def _security_reports(facts: PlanFacts) -> bool:
    return facts.differs and Role.SECURITY in facts.reported_by


def _surveillance_reports(facts: PlanFacts) -> bool:
    return facts.differs and Role.SURVEILLANCE in facts.reported_by


_COUNTED_TO_OPEN: Final = replace(
    COUNTED,
    attests="I certify that I counted this tray from the highest denomination down, that it "
    "contains the cheques listed, and that the cards this table deals from are in place.",
)
_COMPARED: Final = replace(VERIFIED, then="variance_found")
_VARIANCE: Final = (
    Step(
        "accepted",
        done="Variance accepted",
        do="Accept the variance",
        by=Role.SHIFT_MANAGER,
        at=None,
        when=_differs,
        needs_reason=True,
        attests="I acknowledge that this tray differs from its last count. I was notified and "
        "investigated the difference.",
        why=Need(
            "The tray doesn’t match its last count. A shift manager must sign off on the variance.",
            "count.open_alone_to",
        ),
    ),
    Step(
        "security_reported",
        done="Security reported",
        do="Report",
        by=Role.SECURITY,
        at=None,
        when=_security_reports,
        needs_reason=True,
        attests="I responded to this variance and report what I observed.",
        why=Need("This variance requires a security report.", "count.open_with_variance"),
    ),
    Step(
        "surveillance_reported",
        done="Surveillance reported",
        do="Report",
        by=Role.SURVEILLANCE,
        at=None,
        when=_surveillance_reports,
        needs_reason=True,
        attests="I reviewed the recorded coverage of this tray and report what it shows.",
        why=Need("This variance requires a surveillance report.", "count.open_with_variance"),
    ),
)
_PROMISES: Final = (
    Promise(2, 1),
    Promise(3, 1, having="accepted"),
    Promise(4, 2, having="security_reported"),
    Promise(4, 2, having="surveillance_reported"),
)
NEXT_OPENER: Final = Part(
    "Next opener",
    "Into the tray, upper left, readable under the locked lid.",
    stock="yellow",
    title="Next opener",
    layout=Layout.LID,
    box=InBox.MAYBE,
)


def _facts(raising: Raising) -> PlanFacts:
    """Say how a count compares with what the tray should hold: that decides who signs."""
    counted, expected = raising.cheques, tray_holding(table_of(raising))
    variance_cents, terms = total_cents(counted) - total_cents(expected), variance_terms_now()
    differs = bool(difference(expected, counted))
    return PlanFacts(
        cheques=counted,
        differs=differs and terms.is_authorized(variance_cents),
        reported_by=terms.reports_first(variance_cents),
    )


def _last_count(raising: Raising) -> int | None:
    last = table_of(raising).counts.order_by("-tray_sequence", "-at", "-id").first()
    return last.slip_id if last else None


def _expected_once_verified(slip: Slip) -> dict[str, Any]:
    """Show what the tray should hold, once both have counted: until then the count is blind."""
    if slip.table is None or not slip.signatures.filter(step="verified").exists():
        return {}
    if slip.status != SlipStatus.OPEN.value:
        return {}
    return {"expected": {str(c): n for c, n in tray_holding(slip.table).items()}}


def _variance_found(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """Open what two people found, and start the regulator's clock if the tray differs by so much.

    It closes with the signatures that the slip asks for. Where it asks for none, the table opens
    and the shift manager notes it.
    """
    assert slip.table is not None
    expected = tray_holding(slip.table)
    if not difference(expected, slip.cheques_by_cents):
        return []
    variance_cents = slip.total_cents - total_cents(expected)
    tolerance = variance_terms_now().tolerance
    against = slip.refers_to.serial if slip.refers_to else "the expected count"
    open_exception(
        code=TRAY_VARIANCE,
        sentence=f"{slip.table}: {slip.serial} {_variance_words(variance_cents)} {against}.",
        details={
            "variance_cents": variance_cents,
            "against": against,
            "expected": stored_cheques(expected),
            "counted": slip.cheques,
            "tolerance": tolerance.id,
            "is_notice": not _is_signed_off(slip),
        },
        at=at,
        person=None,
        table=slip.table,
        slip=slip,
    )
    if tolerance.is_told_to_regulator(variance_cents):
        _open_notice(slip, variance_cents, tolerance.regulator_hours, at)
    return []


def _is_signed_off(slip: Slip) -> bool:
    """Tell whether the shift manager signs on this slip, by the plan that it was raised with."""
    return any(step["name"] == "accepted" for step in slip.plan)


def _reports_owed(slip: Slip, at: datetime) -> None:
    """Ask security and surveillance for what they did not sign on the slip itself.

    A report is due in the time that the house gives; below the amount of a report it is a notice.
    """
    found = slip.floorexception_set.filter(code=TRAY_VARIANCE).first()
    if found is None:
        return
    terms, variance_cents = variance_terms_now(), found.details["variance_cents"]
    signed = {step["name"] for step in slip.plan}
    owing = set(terms.tolerance.who_reports(variance_cents))
    for role in terms.tolerance.reported_by:
        is_owed = role in owing
        if f"{role.value}_reported" in signed or (not is_owed and _is_signed_off(slip)):
            continue
        asked = "Report what you found." if is_owed else "No report is due."
        open_exception(
            code=REPORTS_OF[role],
            sentence=f"{found.sentence} {asked}",
            details={
                "variance_cents": variance_cents,
                "is_notice": not is_owed,
                **({"due_at": (at + terms.report_due).isoformat()} if is_owed else {}),
            },
            at=at,
            person=None,
            table=slip.table,
            slip=slip,
            limit_seconds=int(terms.report_due.total_seconds()) if is_owed else None,
        )


def _variance_words(variance_cents: int) -> str:
    if not variance_cents:
        return "doesn’t have the same colors as"
    way = "short of" if variance_cents < 0 else "over"
    return f"is {format_money(abs(variance_cents))} {way}"


def _open_notice(slip: Slip, variance_cents: int, hours: int, at: datetime) -> None:
    """Ask for the regulator to be told, by a clock that runs from the count."""
    variance = (
        f"{slip.table}: {slip.serial} is {format_money(-variance_cents)} short."
        if variance_cents < 0
        else f"{slip.table}: {slip.serial} is {format_money(variance_cents)} over."
    )
    notify = (
        f"Notify the regulator within {hours} hours, and record who and when."
        if hours
        else "Notify the regulator immediately, and record who and when."
    )
    open_exception(
        code=REGULATOR_NOTICE,
        sentence=f"{variance} {notify}",
        details={
            "variance_cents": variance_cents,
            "due_at": (at + timedelta(hours=hours)).isoformat(),
        },
        at=at,
        person=None,
        table=slip.table,
        slip=slip,
        limit_seconds=hours * 3600 or None,
    )


def _table_opened(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """Take the count as what the tray holds. What differs is variance, never win."""
    assert slip.table is not None
    versions = apply_setup(slip.table, at)
    # Before the count is posted: what was waived for this opening is spent by its count.
    demand_cards(Table.objects.get(pk=slip.table.pk), OPENING)
    rows = _recount_posted(slip, signature, at)
    Table.objects.filter(pk=slip.table.pk).update(is_open=True)
    # Who counted the tray stands behind it, unless they went to deal elsewhere meanwhile.
    put_at(slip.table, slip.signatures.get(step="counted").person, at)
    return [*versions, *rows]


def _recount_posted(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """Take the count as what the tray of a closed table holds."""
    if not _is_signed_off(slip):
        # The count stands on two signatures, so what they found is opened with it.
        _variance_found(slip, signature, at)
    rows = post_count(slip, against=Holder.VARIANCE, at=at)
    sign_off_variance(slip, signature, at)
    _reports_owed(slip, at)
    return rows


OPENER = Kind(
    "opener",
    title="Opener",
    series="O",
    open_to=SUPERVISING,
    lit_by="board",
    asked=(TRAY_COUNT,),
    refusals=tray_refusals,
    refuses_at_once=True,
    facts=_facts,
    drafted=counted_tray(
        lambda raising: {"sequence": openings_today(table_of(raising)) + 1}, _last_count
    ),
    steps=(_COUNTED_TO_OPEN, _COMPARED, *_VARIANCE),
    void=VOIDED_AT_THE_TABLE,
    at_end="table_opened",
    blind_until="verified",
    effects={**VOIDS, "variance_found": _variance_found, "table_opened": _table_opened},
    readers=TRAY_READERS,
    promises=_PROMISES,
    # Manual, "Opening" and "Closing": white and yellow, and the pit manager's bottom copy.
    paper=Form(
        parts=(
            Part(
                "Opener",
                "Into the table's drop box by the dealer, immediately.",
                "yellow",
                box=InBox.ON_TABLE,
            ),
        ),
        refers_as="Made from",
        referred_as="Opened on",
        shows=Shows.TRAY,
        caption=INVENTORY,
    ),
    shows=_expected_once_verified,
    tells=compared,
    heading=lambda raising: f"Open {raising.table}",
    review=tray_review,
    raised=tray_counted,
)

# A table that stays shut for days is counted by two people all the same; it opens for no one.
RECOUNT = Kind(
    "recount",
    title="Recount",
    series="T",
    open_to=SUPERVISING,
    lit_by="board",
    asked=(TRAY_COUNT,),
    refusals=tray_refusals,
    refuses_at_once=True,
    facts=_facts,
    drafted=counted_tray(lambda raising: {}, _last_count),
    steps=(replace(COUNTED, by=(Role.DEALER, Role.SUPERVISOR)), _COMPARED, *_VARIANCE),
    void=VOIDED_AT_THE_TABLE,
    at_end="recount_posted",
    blind_until="verified",
    effects={**VOIDS, "variance_found": _variance_found, "recount_posted": _recount_posted},
    readers=TRAY_READERS,
    promises=_PROMISES,
    paper=Form(
        parts=(
            Part(
                "Recount",
                "Into the table's drop box with the opener that was in the tray.",
                box=InBox.ON_TABLE,
            ),
            NEXT_OPENER,
        ),
        refers_as="Counts again",
        referred_as="Counted again on",
        shows=Shows.TRAY,
        caption=INVENTORY,
    ),
    shows=_expected_once_verified,
    tells=compared,
    heading=lambda raising: f"Recount {raising.table}",
    review=tray_review,
    raised=tray_counted,
)
