"""Slips that are signed by what their people signed on another one: a run, a session of the count.

Forty boxes are pulled on one run. Each pull is a slip of its own, as if it had been signed alone,
and its signatures are those that officer and supervisor gave with badge and PIN for the whole run.
They are judged like any other signature, and each says on which slip it was given.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final
from uuid import UUID, uuid5

from pitboss.models import Device, Person, Property, Signature, Slip, Table
from pitboss.rules.canonical import digest
from pitboss.rules.cheques.cheques import total_cents
from pitboss.rules.flows.book import FLOWS
from pitboss.rules.flows.flows import PlanFacts, SlipStatus, Track
from pitboss.rules.flows.signing import sign_refusals
from pitboss.rules.refusal import Refused
from pitboss.services import house
from pitboss.services.drafts import Entry, NewSlip
from pitboss.services.numbering import next_numbers
from pitboss.services.shown import FIGURES, STOOD, stored_cheques
from pitboss.services.signers import About, Signer, about, facts_of, signer_of

# Where a signature names the slip that it was given on.
ON = "on"
_NO_CHEQUES: Final = PlanFacts({})


@dataclass(frozen=True, slots=True)
class Given:
    """A signature that someone gave on another slip, and that stands for a step of this one."""

    step: str
    person: Person
    device: Device
    # What they were shown when they gave it.
    shown: str
    figures: Mapping[str, int] | None = None
    # When they gave it, where that is not when the slip happened.
    at: datetime | None = None

    @property
    def entry(self) -> Entry:
        return Entry(figures=self.figures)


@dataclass(frozen=True, slots=True)
class Covered:
    """A slip about to be written, with every signature that was given for it."""

    new: NewSlip
    table: Table | None
    given: Sequence[Given]
    # When it happened; the signatures stand there at that time.
    at: datetime
    # What decides its steps.
    facts: PlanFacts = _NO_CHEQUES


@dataclass(slots=True)
class _Desk:
    """What is read once for many slips."""

    here: Property
    signers: dict[tuple[int, int, datetime, About], Signer] = field(default_factory=dict)

    def signer(self, slip: Slip, given: Given, at: datetime) -> Signer:
        asked = about(slip, given.step, Track.MAIN, given.entry)
        key = (given.person.pk, given.device.pk, at, asked)
        if key not in self.signers:
            self.signers[key] = signer_of(given.person, given.device, self.here, at, asked)
        return self.signers[key]


def write_covered(
    by: Slip, covered: Sequence[Covered], *, request_id: UUID
) -> tuple[list[Slip], list[Signature]]:
    """Write done slips of one kind with the signatures that were given for them on another.

    Raises Refused. Call it in the act's own transaction, under its locks: the caller runs what
    follows from them and writes the journal, which vouches for every row that this returns.
    """
    slips, signed = write_begun(by, covered, request_id=request_id)
    Slip.objects.filter(pk__in=[slip.pk for slip in slips]).update(status=SlipStatus.DONE.value)
    for slip in slips:
        slip.status = SlipStatus.DONE.value
    return slips, signed


def write_begun(
    by: Slip, covered: Sequence[Covered], *, request_id: UUID
) -> tuple[list[Slip], list[Signature]]:
    """Write slips with the signatures that were given for them on another, and leave them open.

    As `write_covered`. The caller lets each wait for the person who signs it next.
    """
    desk = _Desk(house.the_property())
    slips = [_drafted(item, desk.here) for item in covered]
    _number(slips, desk.here)
    Slip.objects.bulk_create(slips)
    signed: list[list[Signature]] = [[] for _ in slips]
    # In turns: the database holds each signature to the plan of its slip, in its order.
    for turn in range(max((len(item.given) for item in covered), default=0)):
        turns = [
            (slip, item.given[turn], item.given[turn].at or item.at, earlier)
            for slip, item, earlier in zip(slips, covered, signed, strict=True)
            if turn < len(item.given)
        ]
        refusals = [
            refusal
            for slip, given, at, earlier in turns
            for refusal in sign_refusals(
                facts_of(
                    slip,
                    step=given.step,
                    track=Track.MAIN,
                    signer=desk.signer(slip, given, at),
                    entry=given.entry,
                    signatures=earlier,
                    shown_is_current=True,
                )
            )
        ]
        if refusals:
            # The same of forty boxes is said once.
            raise Refused(list(dict.fromkeys(refusals)))
        for slip, given, at, earlier in turns:
            earlier.append(_signature(by, slip, given, desk.signer(slip, given, at), request_id))
        Signature.objects.bulk_create(earlier[-1] for _, _, _, earlier in turns)
    return slips, [signature for item in signed for signature in item]


def _drafted(covered: Covered, here: Property) -> Slip:
    new, table = covered.new, covered.table
    belongs = here.period_at(covered.at)
    stood = {STOOD: {"pit": table.pit.name, "game": table.game}} if table else {}
    return Slip(
        kind=new.kind,
        table=table,
        gaming_day=belongs.gaming_day,
        shift=belongs.shift,
        raised_at=covered.at,
        cheques=stored_cheques(new.cheques),
        total_cents=total_cents(new.cheques),
        details={**new.details, **stood},
        plan=FLOWS[new.kind].plan(covered.facts),
        refers_to_id=new.refers_to_id,
    )


def _number(slips: Sequence[Slip], here: Property) -> None:
    """Give each slip the next number of its series, in one step for all of a year."""
    by_year: dict[tuple[str, int], list[Slip]] = {}
    for slip in slips:
        series = here.settings_at(slip.raised_at).series(FLOWS[slip.kind].series)
        by_year.setdefault((series, slip.gaming_day.year), []).append(slip)
    for (series, year), group in by_year.items():
        for slip, number in zip(group, next_numbers(series, year, len(group)), strict=True):
            slip.series, slip.year, slip.number = number.series, number.year, number.number
            slip.serial = str(number)


def _signature(by: Slip, slip: Slip, given: Given, signer: Signer, request_id: UUID) -> Signature:
    name = f"{slip.serial} {given.step}"
    return Signature(
        slip=slip,
        track=Track.MAIN,
        step=given.step,
        person=signer.person,
        signed_as=signer.person.signs_as,
        role=signer.role.value,
        device=given.device,
        place=given.device.place,
        signed_at=signer.at,
        shown=given.shown,
        shown_hash=digest(given.shown),
        facts={
            ON: by.serial,
            **({FIGURES: dict(given.figures)} if given.figures is not None else {}),
        },
        request_id=uuid5(request_id, name),
        request_hash=digest(name),
    )
