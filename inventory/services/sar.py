"""Cases of suspicious activity: opened, written to, read and decided, by compliance alone.

Everything is told to a chain of the journal that no one else knows of, and no page, report or
record of a patron says that there is a case.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any
from uuid import UUID

from django.db import models, transaction

from inventory.models import Patron, SarCase, SarReading, SarStep, SuspicionNote
from inventory.selectors.sar import decision_of, proposal_of
from pitboss.ciphers import Place, decrypt, encrypt
from pitboss.confidential import COMPLIANCE_CHAIN
from pitboss.models import Device, Person
from pitboss.rules.patrons.compliance import NOTE_MAX, text_refusals
from pitboss.rules.patrons.sar import (
    ProposalFacts,
    SarOutcome,
    SarPolicy,
    StepKind,
    answer_refusals,
    case_refusals,
    proposal_refusals,
    role_refusals,
)
from pitboss.rules.refusal import CONFLICT, Refusal, Refused, refuse
from pitboss.rules.roles import Role
from pitboss.services import house, journal
from pitboss.services.locks import lock_cash_of, lock_request
from pitboss.services.pins import signed_act
from pitboss.services.signing import Pen


@dataclass(frozen=True, slots=True)
class NewCase:
    """Something suspicious about to be looked into."""

    text: str
    amount_cents: int
    detected_on: date | None
    has_suspect: bool
    patron: Patron | None = None
    note: SuspicionNote | None = None
    continues: SarCase | None = None


@dataclass(frozen=True, slots=True)
class Proposal:
    """How someone wants a case to end."""

    outcome: SarOutcome
    reason: str = ""
    bsa_id: str = ""
    filed_on: date | None = None
    # Whether to be asked later if the activity went on.
    reminds: bool = False


def open_case(*, new: NewCase, pen: Pen) -> SarCase:
    """Open a case, signed by compliance. Raises Refused."""
    with _signed("sar_open", pen) as (person, role, now):
        earlier = SarCase.objects.filter(request_id=pen.request_id).first()
        if earlier is not None:
            return earlier  # A second tap, or a resend after a lost answer.
        refusals = case_refusals(role, new.text.strip(), new.detected_on, today_of(now))
        if new.continues is not None and decision_of(new.continues) is None:
            words = "The case that this continues is still open. Decide it first."
            refusals.append(Refusal("case_open", words, CONFLICT))
        if refusals or new.detected_on is None:
            raise Refused(refusals)
        due_on = policy_at(now).due_on(new.detected_on, has_suspect=new.has_suspect)
        case = SarCase.objects.create(
            text_cipher=_hidden(new.text.strip(), pen.request_id),
            patron=new.patron,
            note=new.note,
            continues=new.continues,
            amount_cents=new.amount_cents,
            detected_on=new.detected_on,
            has_suspect=new.has_suspect,
            due_on=due_on,
            opened_by=person,
            opened_at=now,
            request_id=pen.request_id,
        )
        _journal("sar_case_opened", case, person, pen.device, now, [case])
        return case


def write_to(*, case: SarCase, text: str, pen: Pen) -> SarStep:
    """Add to a case. What stands there stays. Raises Refused."""
    with _signed("sar_write", pen) as (person, role, now):
        missing = "Enter what you found."
        refusals = role_refusals(role) + text_refusals(text.strip(), most=NOTE_MAX, missing=missing)
        if refusals:
            raise Refused(refusals)
        return _step(case, StepKind.WRITTEN, person, pen, now, text=text.strip())


def propose(*, case: SarCase, proposal: Proposal, pen: Pen) -> SarStep:
    """Propose how a case ends. Another officer agrees. Raises Refused."""
    with _signed("sar_propose", pen) as (person, role, now):
        lock_cash_of(f"sar:{case.pk}")
        refusals = proposal_refusals(
            ProposalFacts(
                role=role,
                outcome=proposal.outcome,
                is_decided=decision_of(case) is not None,
                is_proposed=proposal_of(case) is not None and not _is_resent(pen),
                detected_on=case.detected_on,
                today=today_of(now),
                reason=proposal.reason.strip(),
                bsa_id=proposal.bsa_id.strip(),
                filed_on=proposal.filed_on,
            )
        )
        if refusals:
            raise Refused(refusals)
        is_filed = proposal.outcome == SarOutcome.FILED
        review_on = (
            policy_at(now).review_on(proposal.filed_on)
            if is_filed and proposal.reminds and proposal.filed_on
            else None
        )
        return _step(
            case,
            StepKind.PROPOSED,
            person,
            pen,
            now,
            text=proposal.reason.strip(),
            outcome=proposal.outcome.value,
            bsa_id=proposal.bsa_id.strip() if is_filed else "",
            filed_on=proposal.filed_on if is_filed else None,
            review_on=review_on,
        )


def answer_proposal(*, proposal: SarStep, agrees: bool, reason: str, pen: Pen) -> SarStep:
    """Agree to how a case ends, as another officer, or withdraw the proposal. Raises Refused."""
    with _signed("sar_answer", pen) as (person, role, now):
        lock_cash_of(f"sar:{proposal.case_id}")
        stands = proposal_of(proposal.case)
        refusals = answer_refusals(
            role,
            agrees=agrees,
            is_open=(stands is not None and stands.pk == proposal.pk) or _is_resent(pen),
            by_proposer=proposal.taken_by_id == person.pk,
            reason=reason.strip(),
        )
        if refusals:
            raise Refused(refusals)
        kind = StepKind.AGREED if agrees else StepKind.WITHDRAWN
        text = "" if agrees else reason.strip()
        return _step(proposal.case, kind, person, pen, now, text=text, answers=proposal)


def review(*, case: SarCase, text: str, pen: Pen) -> SarStep:
    """Say that the activity did not go on: no one is asked again. Raises Refused."""
    with _signed("sar_review", pen) as (person, role, now):
        refusals = role_refusals(role)
        refusals += text_refusals(text.strip(), most=NOTE_MAX, missing="Enter what you reviewed.")
        if decision_of(case) is None:
            refusals.append(Refusal("case_open", "This case is still open. Decide it.", CONFLICT))
        if refusals:
            raise Refused(refusals)
        return _step(case, StepKind.REVIEWED, person, pen, now, text=text.strip())


@transaction.atomic(durable=True)
def read_case(*, case: SarCase, reader: Person, device: Device | None) -> dict[str, Any]:
    """Return the words of a case to compliance, and keep that they were read. Raises Refused."""
    now = house.now()
    refusals = role_refusals(house.role_in(reader, house.period_at(now)))
    if refusals:
        raise Refused(refusals)
    reading = SarReading.objects.create(case=case, read_by=reader, read_at=now)
    _journal("sar_case_read", case, reader, device, now, [reading])
    return {
        "words": _shown(case.text_cipher, case.request_id),
        "steps": [
            {
                "step": step,
                "words": _shown(step.text_cipher, step.request_id) if step.text_cipher else "",
            }
            for step in case.steps.select_related("taken_by", "answers")
        ],
    }


def policy_at(now: datetime) -> SarPolicy:
    """Return by when cases are decided, as the house has it set."""
    return house.settings_at(now).sar_policy


def today_of(now: datetime) -> date:
    return now.astimezone(house.the_property().zone).date()


@contextmanager
def _signed(act: str, pen: Pen) -> Iterator[tuple[Person, Role, datetime]]:
    """Give an act to the person who signs it, told to the chain of compliance alone."""
    with signed_act(
        act=act, badge=pen.badge, pin=pen.pin, device=pen.device, chain=COMPLIANCE_CHAIN
    ) as person:
        lock_request(pen.request_id)
        now = house.now()
        yield person, house.role_in(person, house.period_at(now)), now


def _is_resent(pen: Pen) -> bool:
    return SarStep.objects.filter(request_id=pen.request_id).exists()


def _step(
    case: SarCase,
    kind: StepKind,
    person: Person,
    pen: Pen,
    at: datetime,
    *,
    text: str = "",
    **more: Any,
) -> SarStep:
    earlier = SarStep.objects.filter(request_id=pen.request_id).first()
    if earlier is not None:
        if (earlier.case_id, earlier.kind) == (case.pk, kind.value):
            return earlier  # A second tap, or a resend after a lost answer.
        raise refuse(
            "request_reused",
            "This form was already sent with something else in it. Reload the page.",
            CONFLICT,
        )
    step = SarStep.objects.create(
        case=case,
        kind=kind.value,
        text_cipher=_hidden(text, pen.request_id) if text else "",
        taken_by=person,
        taken_at=at,
        request_id=pen.request_id,
        **more,
    )
    _journal(f"sar_case_{kind.value}", case, person, pen.device, at, [step])
    return step


def _journal(
    kind: str,
    case: SarCase,
    person: Person,
    device: Device | None,
    at: datetime,
    rows: list[models.Model],
) -> None:
    """Tell the chain of compliance that something was done, and nothing of whom it is about."""
    journal.write(
        chain=COMPLIANCE_CHAIN,
        kind=kind,
        body={"case": case.pk},
        at=at,
        person=person,
        device=device,
        rows=rows,
    )


def _hidden(text: str, request_id: UUID) -> str:
    return encrypt(text.encode(), _place(request_id))


def _shown(cipher: str, request_id: UUID) -> str:
    return decrypt(cipher, _place(request_id)).decode()


def _place(request_id: UUID) -> Place:
    return SarCase._meta.label, request_id, "text"
