"""Open and resolve the exceptions of the floor. One stays on someone's list until explained."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db import models, transaction

from pitboss.models import Device, FloorException, Person, Signature, Slip, Table, Waiting
from pitboss.models.sealed import note_altered
from pitboss.rules.flows.book import FLOWS
from pitboss.rules.flows.flows import REASON_MAX, SlipStatus
from pitboss.rules.flows.house_flows import PEOPLE_MANAGERS
from pitboss.rules.people import told
from pitboss.rules.roles import Role
from pitboss.services import house, journal

# The one exception that is answered by telling someone outside the house.
REGULATOR_NOTICE = "regulator_notice"
# A tray that differs from its last count: looked into and signed off on the slip of that count.
TRAY_VARIANCE = "tray_variance"
# A report on a person's cash of a day. It is due weeks after the day, and closed where it is filed.
CURRENCY_REPORT = "currency_report"
# A patron who has played for long, and one person who rates most of a patron's play.
PLAY_TIME = "play_time"
ONE_RATER = "one_rater"
# A rating that surveillance saw otherwise on video.
RATING_DIFFERS = "rating_differs"
# Someone who may not play came to a seat: security asks them to leave, compliance hears of it.
EXCLUDED_AT_TABLE = "excluded_at_table"
EXCLUDED_WATCHED = "excluded_watched"
# What a terminal asks its supervisor for: granted or declined where it is shown whole.
FLOOR_REQUEST = "floor_request"
# Incidents of a table that someone besides its supervisor is told of.
COUNTERFEIT_BILL = "counterfeit_bill"
CARDS_SUSPECTED = "cards_suspected"
# Cheating that someone suspects, and a player who threatens or was asked to leave.
CHEATING_SUSPECTED = "cheating_suspected"
PLAYER_THREATENS = "player_threatens"
SENSOR_DARK = "sensor_dark"
SENSOR_DARK_WATCHED = "sensor_dark_watched"
# A jackpot that is not paid before its tax papers are complete.
TAX_PAPERS = "tax_papers"
# Cheques missing from the cage: accounting or audit answers, and surveillance for itself.
CAGE_SHORT = "cage_short"
CAGE_SHORT_WATCHED = "cage_short_watched"
# A payout that the dealer confirmed otherwise than it was judged: settled beside its proof.
PAYOUT_DIFFERS = "payout_differs"
# A payout that went out without the approval that it needed.
PAID_WITHOUT_APPROVAL = "paid_without_approval"
# One bet confirmed as paid on two checks.
PAID_TWICE = "paid_twice"
# What security and surveillance say of a table that opened with a variance: a report that is due,
# or, where it is small, a notice.
VARIANCE_SECURITY = "variance_security"
VARIANCE_WATCHED = "variance_surveillance"
REPORTS_OF: Mapping[Role, str] = {
    Role.SECURITY: VARIANCE_SECURITY,
    Role.SURVEILLANCE: VARIANCE_WATCHED,
}
VARIANCE_TROUBLES = (TRAY_VARIANCE, VARIANCE_SECURITY, VARIANCE_WATCHED, REGULATOR_NOTICE)
# A round that ended with bets unchecked that the house wants checked.
BETS_UNCHECKED = "bets_unchecked"
# A patron who may be on a list: the case is decided where it is shown whole. One who was confirmed
# and comes again, blocked property that is reported, and a list that no one has imported lately.
EXCLUSION_CASE = "exclusion_case"
EXCLUSION_AGAIN = "exclusion_again"
OFAC_REPORT = "ofac_report"
LIST_STALE = "list_stale"
_STOPPING = (Role.SECURITY, Role.SHIFT_MANAGER, Role.COMPLIANCE)
# A tray that paid out more than its expected count shows: it is counted soon.
TRAY_MAY_BE_SHORT = "tray_may_be_short"
# A tray with cheques of a set that was withdrawn: they go to the cage.
CHEQUES_OUT_OF_PLAY = "cheques_out_of_play"
# The pieces of a table's own set that no one has counted for too long.
IMPRESSMENT_DUE = "impressment_due"
# Cheques of other houses in the box of a table that takes none.
FOREIGN_AT_TABLE = "foreign_at_table"
# A correction found that a win was paid too much or too little.
AWARD_RECEIVABLE = "award_receivable"
AWARD_LIABILITY = "award_liability"
# Cheques of a marker that no one signed for.
MARKER_RECEIVABLE = "marker_receivable"
# Limits of an open table that are signed: the sign on the table still has to say them.
SIGN_TO_CHANGE = "sign_to_change"
# A drop at another time than planned, and one that did not come at its time.
DROP_OFF_SCHEDULE = "drop_off_schedule"
DROP_OVERDUE = "drop_overdue"
# Markers and cash from paper that came in late, a marker from paper over its line, and more taken
# out of a deposit on paper than was in it.
LATE_MONEY = "late_money"
LATE_OVER_LINE = "late_over_line"
LATE_OVERDRAWN = "late_overdrawn"
# Tax that was withheld on paper otherwise than the law has it.
LATE_TAX_DIFFERS = "late_tax_differs"
# An outage sheet that was not printed again in time.
SHEET_DUE_IN_PIT = "outage_sheet_due"
SHEET_DUE_AT_CAGE = "outage_sheet_due_cage"
# A correction found that more of a deposit was used than was in it.
DEPOSIT_OVERDRAWN = "deposit_overdrawn"
# Counts of a tray that cannot all be: opened twice, or counted while it was closed.
COUNTS_CONTRADICT = "counts_contradict"
# The cage can ship a part of a fill now: the supervisor takes it, or waits for all of it.
PART_OFFERED = "part_offered"
# A box whose count is far from what the pit estimated.
ESTIMATE_GAP = "estimate_gap"
# What an acting shift manager signed, for the next shift manager; and too many nights of that.
ACTING_MANAGER = "acting_manager"
NO_SHIFT_MANAGER = "no_shift_manager"
# An account that no one uses; an access review that is late, and what one found to change.
ACCOUNT_DORMANT = "account_dormant"
ACCESS_REVIEW_LATE = "access_review_late"
ACCESS_CHANGE = "access_change"
# A game whose month lies outside its band: accounting investigates it.
HOLD_OUTSIDE = "hold_outside"
# An incident: a bookmark for surveillance, its report to write, and the regulator to notify.
INCIDENT_BOOKMARK = "incident_bookmark"
INCIDENT_UNWRITTEN = "incident_unwritten"
INCIDENT_NOTICE = "incident_notice"
# A key that is not back: each of three is told by an entry of their own. An inventory of the keys
# that is due, and keys that one did not find.
KEY_LATE = "key_late"
KEY_LATE_SECURITY = "key_late_security"
KEY_LATE_CUSTODIAN = "key_late_custodian"
KEY_INVENTORY_DUE = "key_inventory_due"
KEY_MISSING = "key_missing"
# The record itself, and the person who watches over it: told to audit and surveillance alike.
RECORD_WRONG = "record_wrong"
SEAL_FILE = "seal_file"
# The database is behind what its own seals saw: an auditor and surveillance accept that together.
RECORD_LOST = "record_lost"
SEALING_FAILED = "sealing_failed"
VERIFICATION_LATE = "verification_late"
BEAT_STOPPED = "beat_stopped"
_WATCHING = (Role.AUDITOR, Role.SURVEILLANCE)

# A row that decides was changed past the site.
RECORD_ALTERED = "record_altered"

# A PIN that others gave someone the means to set: offered, and then set with it.
PIN_OFFERED = "pin_offered"
PIN_SET = "pin_set"
# The keys of the house on the server, made or turned.
BREAK_GLASS = "break_glass"

# HR says of someone what is not on file: that they left, or anything else.
STAFF_LEFT = told.LEFT
STAFF_DIFFERS = told.DIFFERS

# Who answers for an exception; anyone who outranks them may as well.
ANSWERED_BY: Mapping[str, tuple[Role, ...]] = {
    ACCESS_CHANGE: (
        Role.SHIFT_MANAGER,
        Role.CAGE_MANAGER,
        Role.SECURITY_MANAGER,
        Role.SURVEILLANCE_MANAGER,
        Role.ACCOUNTING,
    ),
    ACCESS_REVIEW_LATE: (Role.CONTROLLER,),
    ACCOUNT_DORMANT: (Role.SECURITY_MANAGER, Role.SHIFT_MANAGER),
    ACTING_MANAGER: (Role.SHIFT_MANAGER,),
    BEAT_STOPPED: _WATCHING,
    "badge_locked": (Role.SECURITY_MANAGER, Role.SHIFT_MANAGER),
    BETS_UNCHECKED: (Role.SUPERVISOR,),
    "card_count": (Role.SURVEILLANCE, Role.SHIFT_MANAGER),
    "card_receipt": (Role.SHIFT_MANAGER,),
    "card_seal": (Role.SURVEILLANCE, Role.SHIFT_MANAGER),
    "card_stock": (Role.SHIFT_MANAGER, Role.ACCOUNTING),
    "cage_gained": (Role.CAGE_MANAGER, Role.SHIFT_MANAGER),
    CAGE_SHORT: (Role.ACCOUNTING, Role.AUDITOR),
    CAGE_SHORT_WATCHED: (Role.SURVEILLANCE,),
    "badge_on_two_devices": (Role.SECURITY_MANAGER, Role.SHIFT_MANAGER),
    CARDS_SUSPECTED: (Role.SURVEILLANCE, Role.SHIFT_MANAGER),
    CHEQUES_OUT_OF_PLAY: (Role.SUPERVISOR, Role.PIT_MANAGER),
    IMPRESSMENT_DUE: (Role.SUPERVISOR, Role.PIT_MANAGER),
    FOREIGN_AT_TABLE: (Role.PIT_MANAGER, Role.SHIFT_MANAGER),
    CHEATING_SUSPECTED: (Role.SURVEILLANCE, Role.SHIFT_MANAGER),
    PLAYER_THREATENS: (Role.SECURITY, Role.SHIFT_MANAGER),
    "count_differs": (Role.PIT_MANAGER,),
    COUNTERFEIT_BILL: (Role.SHIFT_MANAGER,),
    CURRENCY_REPORT: (Role.COMPLIANCE,),
    DROP_OFF_SCHEDULE: (Role.SHIFT_MANAGER,),
    DROP_OVERDUE: (Role.SHIFT_MANAGER, Role.SECURITY_MANAGER),
    LATE_MONEY: (Role.CAGE_MANAGER,),
    LATE_OVER_LINE: (Role.CAGE_MANAGER,),
    LATE_OVERDRAWN: (Role.CAGE_MANAGER,),
    LATE_TAX_DIFFERS: (Role.ACCOUNTING,),
    DEPOSIT_OVERDRAWN: (Role.CAGE_MANAGER,),
    SHEET_DUE_IN_PIT: (Role.SUPERVISOR, Role.PIT_MANAGER),
    SHEET_DUE_AT_CAGE: (Role.CASHIER, Role.CAGE_MANAGER),
    COUNTS_CONTRADICT: (Role.PIT_MANAGER,),
    "drop_documents": (Role.ACCOUNTING, Role.SHIFT_MANAGER),
    ESTIMATE_GAP: (Role.ACCOUNTING,),
    EXCLUDED_AT_TABLE: (Role.SECURITY,),
    EXCLUDED_WATCHED: (Role.COMPLIANCE,),
    EXCLUSION_AGAIN: _STOPPING,
    EXCLUSION_CASE: _STOPPING,
    FLOOR_REQUEST: (Role.SUPERVISOR,),
    HOLD_OUTSIDE: (Role.ACCOUNTING,),
    INCIDENT_BOOKMARK: (Role.SURVEILLANCE,),
    INCIDENT_NOTICE: (Role.SHIFT_MANAGER, Role.COMPLIANCE),
    INCIDENT_UNWRITTEN: (Role.SUPERVISOR,),
    KEY_INVENTORY_DUE: (Role.SECURITY_MANAGER,),
    KEY_LATE: (Role.SHIFT_MANAGER,),
    KEY_LATE_CUSTODIAN: (Role.SECURITY,),
    KEY_LATE_SECURITY: (Role.SECURITY,),
    KEY_MISSING: (Role.SECURITY_MANAGER, Role.SHIFT_MANAGER),
    LIST_STALE: (Role.COMPLIANCE,),
    "many_badges_tried": (Role.SECURITY_MANAGER, Role.SHIFT_MANAGER),
    "marker_log_differs": (Role.ACCOUNTING, Role.SHIFT_MANAGER),
    "meter_differs": (Role.ACCOUNTING, Role.SHIFT_MANAGER),
    "more_than_exists": (Role.PIT_MANAGER,),
    AWARD_RECEIVABLE: (Role.CAGE_MANAGER,),
    AWARD_LIABILITY: (Role.CAGE_MANAGER,),
    MARKER_RECEIVABLE: (Role.CAGE_MANAGER,),
    NO_SHIFT_MANAGER: (Role.COMPLIANCE,),
    OFAC_REPORT: (Role.COMPLIANCE,),
    "passkey_added": (Role.SECURITY_MANAGER, Role.SHIFT_MANAGER),
    "passkey_removed": (Role.SECURITY_MANAGER, Role.SHIFT_MANAGER),
    ONE_RATER: (Role.SURVEILLANCE_MANAGER, Role.SHIFT_MANAGER),
    PART_OFFERED: (Role.SUPERVISOR,),
    PAYOUT_DIFFERS: (Role.SUPERVISOR,),
    PLAY_TIME: (Role.SHIFT_MANAGER, Role.COMPLIANCE),
    PAID_TWICE: (Role.SUPERVISOR,),
    PAID_WITHOUT_APPROVAL: (Role.PIT_MANAGER,),
    RATING_DIFFERS: (Role.SURVEILLANCE_MANAGER, Role.SHIFT_MANAGER),
    RECORD_ALTERED: (Role.AUDITOR, Role.SURVEILLANCE),
    RECORD_LOST: _WATCHING,
    RECORD_WRONG: _WATCHING,
    BREAK_GLASS: (Role.SECURITY_MANAGER, Role.SURVEILLANCE),
    PIN_OFFERED: (Role.SECURITY_MANAGER, Role.SURVEILLANCE),
    PIN_SET: (Role.SECURITY_MANAGER, Role.SURVEILLANCE),
    REGULATOR_NOTICE: (Role.SHIFT_MANAGER,),
    "return_differs": (Role.CAGE_MANAGER, Role.SHIFT_MANAGER),
    SEALING_FAILED: _WATCHING,
    SEAL_FILE: (Role.AUDITOR,),
    # Each is told by an entry of their own: one's answer is not the other's.
    SENSOR_DARK: (Role.SHIFT_MANAGER,),
    SENSOR_DARK_WATCHED: (Role.SURVEILLANCE,),
    SIGN_TO_CHANGE: (Role.SUPERVISOR,),
    # Of these those who have a say over the person: `details` names them.
    STAFF_DIFFERS: PEOPLE_MANAGERS,
    STAFF_LEFT: PEOPLE_MANAGERS,
    "supervisor_called": (Role.SUPERVISOR,),
    TAX_PAPERS: (Role.SUPERVISOR, Role.CASHIER),
    TRAY_MAY_BE_SHORT: (Role.SUPERVISOR,),
    TRAY_VARIANCE: (Role.SHIFT_MANAGER,),
    VARIANCE_SECURITY: (Role.SECURITY,),
    VARIANCE_WATCHED: (Role.SURVEILLANCE,),
    VERIFICATION_LATE: _WATCHING,
}
# What is answered on a page of its own: the name of its address, and its number in `details`, or
# nothing where that page lists them all.
ANSWERED_ON: Mapping[str, tuple[str, str]] = {
    CURRENCY_REPORT: ("currency-report", "report"),
    EXCLUSION_CASE: ("exclusion-case", "case"),
    FLOOR_REQUEST: ("floor-request", "request"),
    HOLD_OUTSIDE: ("hold", ""),
    INCIDENT_UNWRITTEN: ("incidents", ""),
    PART_OFFERED: ("part-shipment", "fill"),
    TAX_PAPERS: ("tax-papers", "jackpot"),
    PAYOUT_DIFFERS: ("mismatch", "mismatch"),
    SIGN_TO_CHANGE: ("sign-changed", "change"),
}


def answered_by(exception: FloorException) -> tuple[Role, ...]:
    """Return who answers for an exception: the cage's own counts are no matter of the pit."""
    code, slip = exception.code, exception.slip
    if "managers" in exception.details:
        return tuple(Role(role) for role in exception.details["managers"])
    if code == "count_differs" and slip is not None and slip.table_id is None:
        return (Role.CAGE_MANAGER,)
    if code == KEY_LATE_CUSTODIAN and slip is not None:
        return tuple(Role(role) for role in slip.details["custodians"])
    return ANSWERED_BY[code]


def _chain(table: Table | None, slip: Slip | None) -> str:
    # An act on a slip of no table holds the head of its desk's chain, and must want no other.
    return journal.chain_of(table, FLOWS[slip.kind].desk if slip is not None else journal.PEOPLE)


def chain_for(exception: FloorException) -> str:
    """Return the chain of the journal that tells of an exception."""
    return _chain(exception.table, exception.slip)


@transaction.atomic(savepoint=False)
def open_exception(
    *,
    code: str,
    sentence: str,
    details: Mapping[str, Any],
    at: datetime,
    person: Person | None,
    table: Table | None = None,
    slip: Slip | None = None,
    limit_seconds: int | None = None,
) -> FloorException:
    """Open an exception and put it on the list of the person who answers for it.

    The same trouble with the same slip, or the same details, stays one exception while it is open.
    Its clock is full after `limit_seconds`, or as long as the house lets anything wait.
    """
    same = FloorException.objects.filter(code=code, slip=slip, table=table, resolved_at=None)
    standing = same.filter(details=dict(details)).first()
    if standing is not None:
        return standing
    when = house.period_at(at)
    exception = FloorException.objects.create(
        code=code,
        sentence=sentence,
        details=dict(details),
        table=table,
        slip=slip,
        gaming_day=when.gaming_day,
        shift=when.shift,
        opened_at=at,
        opened_by=person,
    )
    if not closes_with_slip(exception):
        _ask(exception, at, limit_seconds)
    # In the journal too, since screens ask its heads whether anything changed.
    journal.write(
        chain=_chain(table, slip),
        kind="exception_opened",
        body={"exception": exception.pk, "code": code, "sentence": sentence},
        at=at,
        person=person,
        slip=slip,
    )
    return exception


def _ask(exception: FloorException, at: datetime, limit_seconds: int | None = None) -> None:
    """Let an exception wait for the person who answers for it."""
    table = exception.table
    Waiting.objects.create(
        exception=exception,
        step="explained",
        by=[role.value for role in answered_by(exception)],
        table=table,
        pit_id=table.pit_id if table else None,
        since=at,
        limit_seconds=limit_seconds or house.settings_at(at).wait_limit_seconds,
    )


def closes_with_slip(exception: FloorException) -> bool:
    """Tell whether the signatures that its slip still waits for close an exception.

    Those steps are on someone's list already; the exception itself asks no one twice.
    """
    slip = exception.slip
    return (
        exception.code == TRAY_VARIANCE
        and slip is not None
        and slip.status == SlipStatus.OPEN.value
    )


def standing(found: models.QuerySet[FloorException]) -> list[FloorException]:
    """Return which of these are open, for an act that waits for them.

    Ask for the answered ones too: one that was changed past the site stands, whatever it says.
    """
    exceptions = list(found)
    for exception in exceptions:
        if not exception.is_sealed():
            note_altered(exception)
    return [
        exception
        for exception in exceptions
        if exception.resolved_at is None or not exception.is_sealed()
    ]


def sign_off_variance(slip: Slip, last: Signature, at: datetime) -> None:
    """Close the variance of a count that all have signed, in the words of who accepted it.

    Where the count stands without the shift manager, the variance stays a notice on their list.
    """
    accepted = slip.signatures.filter(step="accepted").first()
    if accepted is None:
        return
    for exception in _open_variances(slip):
        words = f"Signed off on {slip.serial}. {accepted.signed_as}: {accepted.reason}"
        close_exception(exception, words[:REASON_MAX], last.person, last.device, at)


def ask_after_voided_variance(slip: Slip, at: datetime) -> None:
    """Ask the shift manager after a variance whose count was voided: it does not vanish with it."""
    for exception in _open_variances(slip):
        _ask(exception, at)


def _open_variances(slip: Slip) -> list[FloorException]:
    return list(
        FloorException.objects.select_for_update(of=("self",), no_key=True)
        .filter(slip=slip, code=TRAY_VARIANCE, resolved_at=None)
        .select_related("table", "slip")
    )


def close_exception(
    exception: FloorException,
    resolution: str,
    person: Person,
    device: Device | None,
    now: datetime,
) -> None:
    """End an exception that the caller has locked and judged, and write it in the journal."""
    mark_resolved(exception, person, resolution, now)
    journal.write(
        chain=chain_for(exception),
        kind="exception_resolved",
        body={"exception": exception.pk, "code": exception.code, "resolution": resolution},
        at=now,
        person=person,
        device=device,
        slip=exception.slip,
    )


def mark_resolved(exception: FloorException, person: Person, resolution: str, at: datetime) -> None:
    """End an exception, and the wait for it. The caller holds its lock, and writes the journal."""
    exception.resolved_at = at
    exception.resolved_by = person
    exception.resolution = resolution
    exception.save(update_fields=["resolved_at", "resolved_by", "resolution"])
    exception.waits.filter(until=None).update(until=at)
