"""What compliance decides: whose cash a stranger's was, how a report ends, what a note may say."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from enum import StrEnum, unique
from typing import Final

from pitboss.rules.canonical import is_plain
from pitboss.rules.flows.flows import REASON_MAX
from pitboss.rules.refusal import CONFLICT, NOT_YOURS, Refusal
from pitboss.rules.roles import Role, department, may_act_as

NOTE_MAX: Final = 2_000
# Who may say that a described person is a patron; anyone who outranks them may as well.
MATCHED_BY: Final = (Role.SUPERVISOR, Role.CASHIER, Role.COMPLIANCE)


@unique
class ReportOutcome(StrEnum):
    """How a currency report ends."""

    FILED = "filed"
    NOT_DUE = "not_due"

    @property
    def label(self) -> str:
        return self.value.replace("_", " ")


def text_refusals(text: str, *, most: int, missing: str) -> list[Refusal]:
    """Return why a text that must be there cannot be kept."""
    if not is_plain(text):
        return [
            Refusal("text_malformed", "The text has characters that can’t be saved. Remove them.")
        ]
    if not text:
        return [Refusal("reason_missing", missing)]
    if len(text) > most:
        return [Refusal("reason_too_long", f"Text is too long. Use {most} characters or fewer.")]
    return []


@dataclass(frozen=True, slots=True)
class MatchFacts:
    """Who says that a described person is a patron, and what was said of it before."""

    person_id: int
    role: Role
    reason: str
    patron_id: int | None
    # The match that stands: whose it is, and who made it; none when there is none.
    stands_patron_id: int | None
    stands_by_id: int | None
    # Whether two have signed it already, and whether its day goes on.
    is_confirmed: bool = False
    is_same_day: bool = True


def match_refusals(facts: MatchFacts) -> list[Refusal]:
    """Return why a description may not be joined to a patron, or be parted from one."""
    refusals = text_refusals(
        facts.reason, most=REASON_MAX, missing="Enter how you recognized this person."
    )
    if not any(may_act_as(facts.role, wanted) for wanted in MATCHED_BY):
        refusals.append(
            Refusal(
                "wrong_role",
                "Only a supervisor, a cashier, or compliance can enter who it was.",
                NOT_YOURS,
            )
        )
    if facts.patron_id == facts.stands_patron_id:
        refusals += _confirming_refusals(facts)
    elif facts.stands_by_id is not None:
        # What was joined is parted by someone who has no part in the pit's own mistake.
        if facts.role != Role.COMPLIANCE:
            refusals.append(
                Refusal(
                    "match_stands",
                    "Someone already identified this person. Only compliance can change it.",
                    CONFLICT,
                )
            )
        elif facts.stands_by_id == facts.person_id:
            refusals.append(
                Refusal(
                    "signed_before",
                    "You made this match. Another officer must change it.",
                    CONFLICT,
                )
            )
    return refusals


def _confirming_refusals(facts: MatchFacts) -> list[Refusal]:
    """Return why a match may not be signed a second time, so that play follows it."""
    confirms = facts.patron_id is not None and not facts.is_confirmed
    if not confirms or not may_act_as(facts.role, Role.PIT_MANAGER):
        return [Refusal("nothing_changes", "That’s already the match. Choose another patron.")]
    refusals = []
    if facts.stands_by_id == facts.person_id:
        refusals.append(
            Refusal(
                "signed_before", "You made this match. Another manager must confirm it.", CONFLICT
            )
        )
    if not facts.is_same_day:
        refusals.append(
            Refusal(
                "match_too_late",
                "A match is confirmed on its gaming day. Their cash still counts together.",
                CONFLICT,
            )
        )
    return refusals


def behalf_refusals(role: Role, *, is_own: bool, is_same: bool, is_standing: bool) -> list[Refusal]:
    """Return why it cannot be said so on whose behalf cash was."""
    refusals = []
    if not any(may_act_as(role, wanted) for wanted in MATCHED_BY):
        refusals.append(
            Refusal(
                "wrong_role",
                "Only a supervisor, a cashier, or compliance can enter whose it was.",
                NOT_YOURS,
            )
        )
    if is_own:
        refusals.append(
            Refusal("behalf_is_own", "That is the person who brought it. Choose someone else.")
        )
    if is_same:
        refusals.append(
            Refusal("nothing_changes", "That’s already on record. Choose someone else.")
        )
    if not is_standing:
        refusals.append(
            Refusal("already_reversed", "This entry was reversed. Log the cash again.", CONFLICT)
        )
    return refusals


@dataclass(frozen=True, slots=True)
class ClosingFacts:
    """Why someone says that a report is not due, and what the cash log says of it now."""

    role: Role
    gaming_day: date
    today: date
    # The day's sum is more than the limit, and no other open report of the same person covers it.
    is_due: bool
    reason: str = ""


def compliance_refusals(role: Role) -> list[Refusal]:
    """Return why someone has no part in how a currency report ends."""
    if role == Role.COMPLIANCE:
        return []
    return [Refusal("wrong_role", "Only compliance can close a currency report.", NOT_YOURS)]


def day_refusals(gaming_day: date, today: date) -> list[Refusal]:
    """Return why a report on a gaming day comes too early."""
    if today > gaming_day:
        return []
    return [
        Refusal(
            "day_still_runs",
            f"The gaming day {gaming_day:%b %-d, %Y} is not over, and its sum may grow. "
            "Close this when it is.",
            CONFLICT,
        )
    ]


def closing_refusals(facts: ClosingFacts) -> list[Refusal]:
    """Return why a currency report may not be closed as not due."""
    refusals = compliance_refusals(facts.role) + day_refusals(facts.gaming_day, facts.today)
    if facts.is_due:
        refusals.append(
            Refusal("report_is_due", "The day’s sum is over the limit. File the report.")
        )
    missing = "Enter why no report is due."
    return refusals + text_refusals(facts.reason, most=REASON_MAX, missing=missing)


def may_write_note(role: Role) -> bool:
    """Tell whether a role may write to compliance: whoever works in the pit or in the cage.

    >>> may_write_note(Role.DEALER), may_write_note(Role.SECURITY)
    (True, False)
    """
    return role in (*department(Role.DEALER), *department(Role.CASHIER))


def note_refusals(role: Role, text: str) -> list[Refusal]:
    """Return why a note on suspicious activity may not be kept."""
    refusals = text_refusals(text, most=NOTE_MAX, missing="Write what you saw.")
    if not may_write_note(role):
        refusals.append(
            Refusal("wrong_role", "Only the pit and the cage can write notes.", NOT_YOURS)
        )
    return refusals
