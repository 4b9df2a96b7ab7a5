"""A supervisor's yes before cheques go out: asked for a check, given by a tap, used once.

It is a request of the floor log like any other. What it is for, and how much, the check says, never
the terminal; a standing approval answers it immediately.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from uuid import uuid5

from django.db import transaction

from pitboss.models import FloorException, Slip, Table
from pitboss.rules.cheques.cheques import format_money
from pitboss.rules.floor.log import LogOutcome
from pitboss.rules.floor.nods import PAYOUT
from pitboss.rules.games.games import spoken
from pitboss.rules.payouts.big_wins import BIG_WIN
from pitboss.rules.payouts.levels import Level, approval_faults
from pitboss.rules.refusal import CONFLICT, Refusal, Refused, refuse
from pitboss.rules.said import Said
from pitboss.services import house
from pitboss.services.exceptions import (
    FLOOR_REQUEST,
    PAID_WITHOUT_APPROVAL,
    mark_resolved,
    open_exception,
)
from pitboss.services.locks import lock_table
from tables.models import (
    FloorEntry,
    FloorRequest,
    PayoutCheck,
    PayoutConfirmation,
    PayoutWord,
)
from tables.services.floor_log import Tap, answer, ask_for, demand_not_corrected
from tables.services.terminals import Terminal


def needs_approval(check: PayoutCheck) -> bool:
    """Tell whether a payout waits for the supervisor. A check of an earlier release does not."""
    return bool(check.answer.get("level") == Level.APPROVAL.value)


def is_big_win(check: PayoutCheck) -> bool:
    """Tell whether a payout is paid on a slip of its own."""
    return bool(check.answer.get("level") == Level.BIG_WIN.value)


def _on_its_slip(check: PayoutCheck) -> Refused:
    """Return that a big win is paid on its slip, and on which."""
    entered = Slip.objects.filter(
        kind=BIG_WIN, table=check.table_id, raised_at__gte=check.at, details__check=check.pk
    ).first()
    if entered is None:
        return refuse(
            "big_win_not_entered", "This is a big win. Enter it; it is paid on its slip.", CONFLICT
        )
    return refuse(
        "paid_on_its_slip",
        Said("This win is paid on {entered}. Sign there.", entered=entered),
        CONFLICT,
    )


def amount_of(check: PayoutCheck) -> int:
    """Return what a payout is approved for: what is owed, or what is paid where no one knows."""
    return check.paid_cents if check.payable_cents is None else check.payable_cents


@transaction.atomic(savepoint=False)
def ask_approval(*, terminal: Terminal, check: PayoutCheck) -> FloorRequest:
    """Ask the supervisor to approve a payout, once while it waits or holds. Raises Refused."""
    table = lock_table(terminal.table.pk)
    now = house.now()
    if is_big_win(check):
        raise _on_its_slip(check)
    if not needs_approval(check):
        raise refuse(
            "approval_not_needed", "No approval is needed for this payout. Pay it.", CONFLICT
        )
    if not table.is_open:
        raise refuse(
            "table_closed",
            Said("{table} is closed. Nothing is paid there. Check the table.", table=table),
            CONFLICT,
        )
    if PayoutConfirmation.objects.filter(check_of=check).exists():
        raise refuse(
            "already_confirmed",
            "This payout was confirmed as paid. No approval is needed.",
            CONFLICT,
        )
    demand_not_corrected(check.pk)
    last = last_request(check)
    if last is not None:
        floor_entry: FloorEntry | None = getattr(last, "answer", None)
        if floor_entry is None or not _faults(last, floor_entry, check, amount_of(check), now):
            return last
    facts = {
        "check": check.pk,
        "amount_cents": amount_of(check),
        "bet": spoken(check.wager)[:40],
        "seat": check.claim.get("seat"),
        "cheques": check.answer.get("cheques") or None,
    }
    given = {name: value for name, value in facts.items() if value is not None}
    return ask_for(terminal, table, PAYOUT, given, now)


def grant_all(
    *, table: Table, asked: Iterable[int], tap: Tap
) -> tuple[list[FloorEntry], list[Refusal]]:
    """Approve several payouts of one table by one tap: each by itself, as if tapped one by one.

    Returns what was approved, and why the others were not. A second tap approves none twice.
    """
    granted: list[FloorEntry] = []
    refusals: list[Refusal] = []
    waiting = FloorRequest.objects.filter(pk__in=asked, table=table, kind=PAYOUT.code)
    for floor_request in waiting.order_by("at", "pk"):
        hand = Tap(tap.person, tap.device, uuid5(tap.request_id, str(floor_request.pk)))
        try:
            granted.append(answer(asked=floor_request, is_granted=True, hand=hand))
        except Refused as refused:
            refusals += [
                replace(why, message=f"{floor_request.sentence} {why.message}")
                for why in refused.refusals
            ]
    return granted, refusals


def last_request(check: PayoutCheck) -> FloorRequest | None:
    """Return what was asked last for a check, with its answer."""
    asked = FloorRequest.objects.filter(
        table=check.table_id, kind=PAYOUT.code, at__gte=check.at, facts__check=check.pk
    ).filter(withdrawal=None)
    return asked.select_related("answer__by").order_by("-id").first()


@dataclass(frozen=True, slots=True)
class Word:
    """On whose word a payout went out: an approval, or none where one was needed."""

    approval: FloorEntry | None = None
    is_missing: bool = False


def word_for(
    check: PayoutCheck, paid_cents: int, *, named: int | None, is_out: bool, now: datetime
) -> Word:
    """Return on whose word a payout goes out. Raises Refused before it does.

    `is_out` says that it went out: it is stored and flagged, never refused. So is an amount other
    than what is owed, which the supervisor settles anyway.
    """
    if is_big_win(check):
        if is_out:
            return Word(is_missing=True)
        raise _on_its_slip(check)
    if named is not None:
        return Word(_named(check, paid_cents, named, now))
    if not needs_approval(check):
        return Word()
    last = last_request(check)
    answer: FloorEntry | None = getattr(last, "answer", None)
    if last is not None and answer is not None:
        faults = _faults(last, answer, check, paid_cents, now)
        if not faults:
            return Word(answer)
        if not is_out and paid_cents == amount_of(check):
            raise Refused(faults)
    if is_out or paid_cents != amount_of(check):
        return Word(is_missing=True)
    raise refuse(
        "approval_missing",
        Said("{paid_cents} needs approval. Ask the supervisor, then pay.", paid_cents=paid_cents),
        CONFLICT,
    )


def _named(check: PayoutCheck, paid_cents: int, request_id: int, now: datetime) -> FloorEntry:
    """Return an approval that the terminal names by its request. Raises Refused."""
    floor_request = (
        FloorRequest.objects.filter(pk=request_id, table=check.table_id, kind=PAYOUT.code)
        .select_related("answer__by")
        .first()
    )
    if floor_request is None:
        raise refuse("unknown_approval", "Approval not found at this table. Request one.")
    answer: FloorEntry | None = getattr(floor_request, "answer", None)
    faults = _faults(floor_request, answer, check, paid_cents, now)
    if faults or answer is None:
        raise Refused(faults)
    return answer


def _faults(
    asked: FloorRequest,
    answer: FloorEntry | None,
    check: PayoutCheck,
    paid_cents: int,
    now: datetime,
) -> list[Refusal]:
    is_granted = answer is not None and answer.outcome == LogOutcome.GRANTED.value
    return approval_faults(
        asked.facts,
        check=check.pk,
        paid_cents=paid_cents,
        granted_at=answer.at if answer is not None and is_granted else None,
        is_used=answer is not None and PayoutWord.objects.filter(approval=answer).exists(),
        now=now,
        expires=timedelta(minutes=house.settings_at(now)["approval.expires"]),
    )


def end_wait(check: PayoutCheck, at: datetime, why: str = "It was paid before an answer.") -> None:
    """Take a request off the supervisors' list that no answer is needed to any more."""
    last, dealer = last_request(check), check.dealer
    if last is None or dealer is None or getattr(last, "answer", None) is not None:
        return
    waiting = FloorException.objects.select_for_update(no_key=True).filter(
        code=FLOOR_REQUEST, table=check.table_id, details__request=last.pk, resolved_at=None
    )
    for exception in waiting:
        mark_resolved(exception, dealer, why, at)


def flag_unapproved(confirmation: PayoutConfirmation) -> None:
    """Tell the pit manager of a payout that went out without the word that it needed."""
    check = confirmation.check_of
    paid = format_money(confirmation.paid_cents)
    late = " while the line was down" if confirmation.keyed_at or check.keyed_at else ""
    open_exception(
        code=PAID_WITHOUT_APPROVAL,
        sentence=f"{check.table}: {paid} on {spoken(check.wager)} paid without approval{late}.",
        details={"check": check.pk},
        at=confirmation.at,
        person=check.dealer,
        table=check.table,
    )
