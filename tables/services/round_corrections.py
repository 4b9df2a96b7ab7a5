"""Put a round right while it is open: undo, replace a card, abort; by the dealer or a supervisor.

The dealer corrects until payouts are told and aborts before the first card; after that it takes a
supervisor's tap on a tablet, which the journal keeps.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, Final

from django.db import transaction

from pitboss.models import Device, Person, Table
from pitboss.rules import facts
from pitboss.rules.floor.log import wrong_hand
from pitboss.rules.refusal import Refused
from pitboss.rules.roles import Role
from pitboss.rules.rounds.ending import Abort, RoundEnding, read_abort
from pitboss.rules.rounds.parts import Entry, played, replaced, undone, was_dealt
from pitboss.rules.rounds.reading import read_object
from pitboss.rules.rounds.told import (
    CardReplaced,
    Outcome,
    RoundAnswer,
    RoundVerdictTold,
    fields_of,
)
from pitboss.selectors.pending import game_refusals
from pitboss.services import house, journal
from pitboss.services.locks import lock_request
from pitboss.services.side_wagers import stakes_returned
from tables.models import Round
from tables.services.floor_log import Tap, by_of, in_hand
from tables.services.round_facts import (
    as_sent,
    finish,
    lock_round,
    round_key,
    rules_of,
    tell_wagers,
)
from tables.services.terminals import Terminal

_REPLACES: Final = fields_of(CardReplaced)
_ABORTS: Final = frozenset({"reason", "stakes_returned"})
# Given the parts and when: the parts as they count now.
Correct = Callable[[list[Entry], str], list[Entry]]


@transaction.atomic(savepoint=False)
def undo(*, terminal: Terminal, round_id: int) -> RoundAnswer:
    """Strike what was told last of an open round. Raises Refused."""
    round_ = lock_round(terminal.table.pk, round_id)
    _correct(round_, terminal, lambda parts, at: undone(parts, at=at, by="", is_supervisor=False))
    return as_sent(round_)


@transaction.atomic(savepoint=False)
def replace_card(*, terminal: Terminal, round_id: int, told: Mapping[str, Any]) -> RoundAnswer:
    """Put the right card in place of a wrong one. Raises Refused."""
    fields = read_object(told, "A replacement", _REPLACES)
    round_ = lock_round(terminal.table.pk, round_id)
    _correct(
        round_,
        terminal,
        lambda parts, at: replaced(parts, fields, at=at, by="", is_supervisor=False),
    )
    return as_sent(round_)


def _correct(round_: Round, terminal: Terminal | None, correct: Correct) -> None:
    round_.parts = correct(round_.parts, house.now().isoformat())
    rules, _ = rules_of(round_, terminal)
    round_.log = played(rules, round_.parts)
    round_.save(update_fields=["log", "parts"])


@transaction.atomic(savepoint=False)
def abort(*, terminal: Terminal, round_id: int, told: Mapping[str, Any]) -> RoundAnswer:
    """Call a round off before its first card. Raises Refused."""
    fields = read_object(told, "An abort", _ABORTS)
    round_ = lock_round(terminal.table.pk, round_id)
    reason = read_abort(
        fields.get("reason"), was_dealt=was_dealt(round_.parts), is_supervisor=False
    )
    _abort(round_, reason, device=terminal.device, person=None, is_back=True)
    return as_sent(round_)


def undo_by_supervisor(*, round_: Round, tap: Tap) -> Round:
    """Strike what was told last, also after payouts were told. Raises Refused."""

    def act(held: Round, person: Person, now: datetime) -> None:
        _correct(
            held,
            None,
            lambda parts, at: undone(parts, at=at, by=str(person), is_supervisor=True),
        )
        journal.write(
            chain=journal.chain_of(held.table, journal.HOUSE),
            kind="round_corrected",
            body={"round": held.pk, "request": str(tap.request_id)},
            at=now,
            person=person,
            device=tap.device,
        )

    return _by_supervisor(round_, tap, act)


def abort_by_supervisor(*, round_: Round, tap: Tap, told: Mapping[str, Any]) -> Round:
    """Call a round off after its first card, by a supervisor's tap. Raises Refused."""
    fields = read_object(told, "An abort", _ABORTS)

    def act(held: Round, person: Person, now: datetime) -> None:
        reason = read_abort(
            fields.get("reason"), was_dealt=was_dealt(held.parts), is_supervisor=True
        )
        is_back = facts.flag(fields, "stakes_returned")
        assert tap.device is not None, "no tap without a device"
        _abort(held, reason, device=tap.device, person=person, is_back=is_back)

    return _by_supervisor(round_, tap, act)


def _by_supervisor(
    round_: Round, tap: Tap, act: Callable[[Round, Person, datetime], None]
) -> Round:
    """Let a supervisor of the pit change an open round once for each form. Raises Refused."""
    with in_hand(tap) as person:
        lock_request(tap.request_id)
        now = house.now()
        seen = Round.objects.filter(pk=round_.pk, request_id=tap.request_id).first()
        if seen is not None:
            return seen  # A second tap, or a resend after a lost answer.
        held = lock_round(round_.table_id, round_.pk)
        if refusals := wrong_hand(by_of(person, tap, held.table, now), Role.SUPERVISOR):
            raise Refused(refusals)
        held.request_id = tap.request_id
        held.save(update_fields=["request_id"])
        act(held, person, now)
        return held


def _abort(
    round_: Round, reason: Abort, *, device: Device, person: Person | None, is_back: bool
) -> None:
    """End a round that does not count; what it gave the meters goes with its stakes."""
    if refusals := game_refusals(round_.table):
        raise Refused(refusals)
    now = house.now()
    if is_back:
        rows = stakes_returned(round_.table, key=round_key(round_), at=now)
        if rows:
            journal.write(
                chain=journal.chain_of(round_.table, journal.METERS),
                kind="meter.taken_back",
                body={"round": round_.pk, "reason": reason.value},
                at=now,
                person=person,
                device=device,
                rows=rows,
            )
    else:
        tell_wagers(round_, device=device, at=now)
    verdict = _aborted(reason, is_back=is_back, person=person)
    finish(round_, verdict, at=now, device=device, person=person)


def _aborted(reason: Abort, *, is_back: bool, person: Person | None = None) -> RoundVerdictTold:
    return {
        **RoundEnding().as_answer(),
        "outcome": Outcome.ABORTED.value,
        "differences": [],
        "reason": reason.value,
        "stakes_returned": is_back,
        "by": str(person) if person else "",
    }


def abort_with_table(table: Table, *, device: Device, at: datetime) -> None:
    """End the round that a closer finds open: the table is closed, and its bets stood."""
    standing = Round.objects.filter(table=table, ended_at=None).select_related("table").first()
    if standing is None:
        return
    tell_wagers(standing, device=device, at=at)
    finish(standing, _aborted(Abort.TABLE_CLOSED, is_back=False), at=at, device=device)
