"""Suspicious activity: what compliance looks into, by when it is filed, and who decides."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum, unique
from typing import Final

from pitboss.rules.flows.flows import REASON_MAX
from pitboss.rules.patrons.compliance import NOTE_MAX, text_refusals
from pitboss.rules.patrons.ctr import BSA_ID
from pitboss.rules.refusal import CONFLICT, NOT_YOURS, Refusal
from pitboss.rules.roles import Role

WARN_DAYS: Final = 5


@unique
class SarOutcome(StrEnum):
    """How a case ends."""

    FILED = "filed"
    NOT_FILED = "not_filed"

    @property
    def label(self) -> str:
        return self.value.replace("_", " ")


@unique
class StepKind(StrEnum):
    """What is done about a case."""

    WRITTEN = "written"
    PROPOSED = "proposed"
    AGREED = "agreed"
    WITHDRAWN = "withdrawn"
    REVIEWED = "reviewed"

    @property
    def label(self) -> str:
        return self.value


@dataclass(frozen=True, slots=True)
class SarPolicy:
    """By when a case is decided, and from which amount it must be filed."""

    from_cents: int = 500_000
    days_with_suspect: int = 30
    days_without: int = 60
    review_days: int = 120

    def due_on(self, detected_on: date, *, has_suspect: bool) -> date:
        """Return the last day to file.

        >>> SarPolicy().due_on(date(2026, 5, 1), has_suspect=True).isoformat()
        '2026-05-31'
        """
        days = self.days_with_suspect if has_suspect else self.days_without
        return detected_on + timedelta(days=days)

    def review_on(self, filed_on: date) -> date:
        """Return when it is asked whether the activity went on."""
        return filed_on + timedelta(days=self.review_days)


@dataclass(frozen=True, slots=True)
class SarClock:
    """How near a case is to its last day."""

    due_on: date
    today: date

    @property
    def days_left(self) -> int:
        return (self.due_on - self.today).days

    @property
    def tone(self) -> str:
        """Return the color that it is shown in.

        >>> [SarClock(date(2026, 5, 31), date(2026, 5, day)).tone for day in (25, 26, 31)]
        ['half', 'wait', 'wait']
        >>> SarClock(date(2026, 5, 31), date(2026, 6, 1)).tone
        'bad'
        """
        if self.days_left < 0:
            return "bad"
        return "wait" if self.days_left <= WARN_DAYS else "half"


def role_refusals(role: Role) -> list[Refusal]:
    """Return why someone has no part in cases. It says nothing of any."""
    if role == Role.COMPLIANCE:
        return []
    return [Refusal("wrong_role", "Only compliance can do this.", NOT_YOURS)]


def case_refusals(role: Role, text: str, detected_on: date | None, today: date) -> list[Refusal]:
    """Return why a case cannot be opened so."""
    refusals = role_refusals(role)
    refusals += text_refusals(text, most=NOTE_MAX, missing="Enter what is suspicious.")
    if detected_on is None:
        refusals.append(Refusal("date_missing", "Enter the day it was detected."))
    elif detected_on > today:
        refusals.append(
            Refusal("date_impossible", "That day is still to come. Enter the day it was detected.")
        )
    return refusals


@dataclass(frozen=True, slots=True)
class ProposalFacts:
    """How someone wants to end a case."""

    role: Role
    outcome: SarOutcome
    is_decided: bool
    is_proposed: bool
    detected_on: date
    today: date
    reason: str = ""
    bsa_id: str = ""
    filed_on: date | None = None


def proposal_refusals(facts: ProposalFacts) -> list[Refusal]:
    """Return why an end of a case cannot be proposed so."""
    refusals = role_refusals(facts.role)
    if facts.is_decided:
        refusals.append(
            Refusal(
                "case_decided",
                "This case is already decided. Open a new one to add something.",
                CONFLICT,
            )
        )
    if facts.is_proposed:
        refusals.append(
            Refusal(
                "already_proposed",
                "A proposal is pending. Have another officer agree to it, or withdraw it.",
            )
        )
    if facts.outcome == SarOutcome.NOT_FILED:
        missing = "Enter why it is not filed."
        return refusals + text_refusals(facts.reason, most=REASON_MAX, missing=missing)
    if not BSA_ID.fullmatch(facts.bsa_id):
        refusals.append(
            Refusal("bsa_id_malformed", "Enter the 14-digit BSA ID of the acknowledgement.")
        )
    if facts.filed_on is None:
        refusals.append(Refusal("date_missing", "Enter the day it was filed."))
    elif not facts.detected_on <= facts.filed_on <= facts.today:
        refusals.append(
            Refusal(
                "date_impossible",
                "The day must be between detection and today. Enter the day it was filed.",
            )
        )
    return refusals


def answer_refusals(
    role: Role, *, agrees: bool, is_open: bool, by_proposer: bool, reason: str
) -> list[Refusal]:
    """Return why a proposal cannot be agreed to, or withdrawn."""
    refusals = role_refusals(role)
    if not is_open:
        refusals.append(
            Refusal(
                "already_answered", "This proposal is no longer open. Review the case.", CONFLICT
            )
        )
    if agrees and by_proposer:
        refusals.append(
            Refusal(
                "signed_before", "You proposed this. Another officer must agree to it.", CONFLICT
            )
        )
    if not agrees:
        missing = "Enter why it is withdrawn."
        refusals += text_refusals(reason, most=REASON_MAX, missing=missing)
    return refusals
