"""What is brought to be signed: a pen, what its holder enters, and the draft of a slip."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any
from uuid import UUID

from pitboss.models import Device, Slip, Table
from pitboss.rules.canonical import is_plain
from pitboss.rules.cheques.cheques import parse_cheques
from pitboss.rules.flows.drawn import Drawn
from pitboss.rules.flows.flows import PlanFacts
from pitboss.rules.refusal import Refusal, Refused

Cheques = Mapping[int, int]


@dataclass(frozen=True, slots=True)
class Pen:
    """Who signs, on what, and under which id a resend would come."""

    badge: str
    pin: str = field(repr=False)
    device: Device | None
    request_id: UUID
    # The signature that this one follows by a tap, as the session says that is sent from; 0 where
    # it says so no more. None where a PIN was entered.
    follows: int | None = None


@dataclass(frozen=True, slots=True)
class Entry:
    """What the signer gives besides their name: a count, figures, a reason, answers, a badge.

    Or what someone drew who does not work here, and the ID that they were matched with.
    """

    counted: Cheques | None = None
    reason: str = ""
    present_badge: str = ""
    figures: Mapping[str, int] | None = None
    drawn: Drawn | None = None
    # Answers to what the step asks besides.
    said: Mapping[str, str] = field(default_factory=dict)


NOTHING_MORE = Entry()


@dataclass(frozen=True, slots=True)
class NewSlip:
    """A slip about to be raised."""

    kind: str
    # None for the slips of the cage and the house, which are about no table.
    table_id: int | None
    cheques: Cheques
    refers_to_id: int | None = None
    details: Mapping[str, Any] = field(default_factory=dict)
    # The slip counts the tray, and holds only while no cheque moves.
    counts_tray: bool = False
    # When it happened, for what was done on paper and is keyed afterwards; now unless told.
    happened_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a service says of a slip about to be raised, under the locks of its table."""

    refusals: Sequence[Refusal] = ()
    # What decides its steps; its cheques alone unless told.
    facts: PlanFacts | None = None


# Given the locked table, if any, and the slip that the new one refers to.
Judge = Callable[[Table | None, Slip | None], Judgement]


def read_entry(pen: Pen, step: str, shown: str, entry: Entry) -> Entry:
    """Return what was entered, in its one form. Raises Refused for what no row can hold."""
    refusals = []
    if not is_request_id(pen.request_id):
        refusals.append(Refusal("request_malformed", "This form is broken. Open it again."))
    texts = (step, shown, entry.reason, entry.present_badge, *entry.said.values())
    if not all(map(is_plain, texts)):
        refusals.append(
            Refusal("text_malformed", "The text has characters that can’t be saved. Remove them.")
        )
    counted = None
    try:
        counted = parse_cheques(entry.counted) if entry.counted is not None else None
    except Refused as refused:
        refusals.extend(refused.refusals)
    if refusals:
        raise Refused(refusals)
    return replace(
        entry,
        counted=counted,
        reason=entry.reason.strip(),
        present_badge=entry.present_badge.strip(),
        said={name: answer.strip() for name, answer in entry.said.items()},
    )


def is_request_id(given: object) -> bool:
    return isinstance(given, UUID)
