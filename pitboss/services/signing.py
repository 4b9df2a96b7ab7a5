"""`sign` and `raise_slip`: the only ways a slip comes to be and moves.

Screens, the API, tasks and the admin reach slips through these two alone, so four eyes cannot be
walked round. A refusal rolls everything back and is then journalled in a transaction of its own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import models, transaction

from pitboss.models import Person, Property, Signature, Slip, Table
from pitboss.rules.canonical import canonical, digest
from pitboss.rules.cheques.cheques import parse_cheques, total_cents
from pitboss.rules.flows.asks import ASKS
from pitboss.rules.flows.attesting import step_id
from pitboss.rules.flows.book import FLOWS, proved_by_signing
from pitboss.rules.flows.drawn import DRAWN
from pitboss.rules.flows.flows import PlanFacts, Track, is_yet_to_leave, next_step
from pitboss.rules.flows.signing import SignFacts, planned_step, sign_refusals
from pitboss.rules.people.one_pin import FOLLOWS
from pitboss.rules.refusal import CONFLICT, Refusal, Refused, refuse
from pitboss.rules.settings.in_force import SettingsInForce
from pitboss.services import house, journal, pads, passkeys
from pitboss.services.afterward import keep_what_was_left
from pitboss.services.attempts import shown_badge
from pitboss.services.beginnings import Beginning, begin
from pitboss.services.drafts import (
    NOTHING_MORE,
    Cheques,
    Entry,
    Judge,
    Judgement,
    NewSlip,
    Pen,
    is_request_id,
    read_entry,
)
from pitboss.services.effects import apply_effect
from pitboss.services.exceptions import open_exception
from pitboss.services.hands import matched
from pitboss.services.locks import (
    lock_request,
    lock_slip,
    lock_slip_and_table,
    lock_table,
)
from pitboss.services.numbering import next_number
from pitboss.services.pins import prove_pin, quoted
from pitboss.services.row_seals import tell_of_altered
from pitboss.services.shown import FIGURES, STOOD, request_shown, slip_shown, stored_cheques
from pitboss.services.signers import Signer, about, facts_of, signer_and_signatures
from pitboss.services.standing import move_wait, set_status
from pitboss.services.storing import store_signature
from pitboss.services.taps import demand_a_tap, tap_refusals, who_taps

# A service that raises slips, signs them and has effects needs no more than this module.
__all__ = [
    "NOTHING_MORE",
    "Entry",
    "Judgement",
    "NewSlip",
    "Pen",
    "raise_slip",
    "set_status",
    "sign",
]
# Where a signature keeps what its step asked for.
SAID = "said"


@dataclass(frozen=True, slots=True)
class _Attempt:
    """One attempt to sign: whose PIN was proven, with which pen, what they saw and entered."""

    here: Property
    person: Person
    pen: Pen
    shown: str
    entry: Entry
    at: datetime
    # What the pad said that it was signed on; none where no page was.
    pad: Mapping[str, Any] | None = None

    def behind_the_locks(self) -> _Attempt:
        """Return this attempt with the time at which nothing else is at its table any more.

        What it waited for is dated earlier: a closer never ends a round before it began.
        """
        return replace(self, at=house.now())

    def request_hash(self, what: Mapping[str, Any]) -> str:
        """Return by what a resend is the same request."""
        counted, figures, drawn = self.entry.counted, self.entry.figures, self.entry.drawn
        return digest(
            canonical(
                {
                    "what": dict(what),
                    "person": self.person.pk,
                    "shown": self.shown,
                    "counted": stored_cheques(counted) if counted is not None else None,
                    "reason": self.entry.reason,
                    "present": self.entry.present_badge,
                    "figures": dict(figures) if figures is not None else None,
                    **({DRAWN: drawn.stored()} if drawn is not None else {}),
                    **({SAID: dict(self.entry.said)} if self.entry.said else {}),
                }
            )
        )


def raise_slip(
    new: NewSlip, *, pen: Pen, shown: str, judge: Judge, entry: Entry = NOTHING_MORE
) -> Slip:
    """Raise a slip and sign its first step, or refuse with every reason and store nothing.

    Raises Refused.
    """
    now = house.now()
    begun = begin(pen.badge, table_id=new.table_id)
    here, table = begun.here, begun.table
    step = FLOWS[new.kind].steps[0].name
    if table is None and new.table_id is not None:
        refused = refuse("unknown_table", "Table not found. Check the board.")
        _journal_refusal(refused, person=None, pen=pen, table=None, slip=None, step=step, at=now)
        raise refused
    person = _proven(pen, begun, new.kind, step=step, now=now)
    try:
        entry = read_entry(pen, step, shown, entry)
        shown = pads.without_pad(shown)
        pad = pads.sent_for(shown, step_id(new.kind, Track.MAIN.value, step))
        new = replace(new, cheques=parse_cheques(new.cheques))
        with transaction.atomic(durable=True):
            return _raise(new, _Attempt(here, person, pen, shown, entry, now, pad), judge)
    except Refused as refused:
        _journal_refusal(refused, person=person, pen=pen, table=table, slip=None, step=step, at=now)
        tell_of_altered()
        keep_what_was_left()
        raise


def sign(
    *,
    slip_id: int,
    step: str,
    pen: Pen,
    shown: str,
    entry: Entry = NOTHING_MORE,
    track: Track = Track.MAIN,
) -> Signature:
    """Sign one step of a slip, with all that follows from it, or refuse with every reason.

    `shown` is the text that the signer was shown; it must be what the slip says under lock.
    Raises Refused. A resend with the same request id gets the same signature.
    """
    now = house.now()
    begun = begin(pen.badge, slip_id=slip_id)
    here, slip = begun.here, begun.slip
    if slip is None:
        refused = refuse("unknown_slip", "Slip not found. Check the inbox.")
        _journal_refusal(refused, person=None, pen=pen, table=None, slip=None, step=step, at=now)
        raise refused
    person = _proven(pen, begun, slip.kind, step=step, now=now)
    try:
        entry = read_entry(pen, step, shown, entry)
        shown = pads.without_pad(shown)
        pad = pads.sent_for(shown, step_id(slip.kind, track, step))
        with transaction.atomic(durable=True):
            return _sign(slip, step, track, _Attempt(here, person, pen, shown, entry, now, pad))
    except Refused as refused:
        _journal_refusal(
            refused,
            person=person,
            pen=pen,
            table=None,
            slip=slip,
            step=step,
            at=now,
            counted=entry.counted,
        )
        tell_of_altered()
        keep_what_was_left()
        raise


def _proven(pen: Pen, begun: Beginning, kind: str, *, step: str, now: datetime) -> Person:
    """Return who holds the pen. A wrong badge, PIN or passkey is on the table's journal too."""
    in_force, slip, table = begun.here.settings_at(now), begun.slip, begun.table
    try:
        if pen.follows is not None and begun.person is not None and slip is not None:
            person = who_taps(begun.person, pen.device, in_force.lockout, now)
        else:
            person = prove_pin(
                badge=pen.badge,
                pin=pen.pin,
                device=pen.device,
                policy=in_force.lockout,
                known=begun.person,
            )
        # What was begun before a PIN became too old is finished with it.
        begun_at = slip.raised_at if slip is not None else None
        aged = in_force.pin_age.refusals(str(person), person.pin_set_at, now, begun_at)
        if aged and not _was_sent(pen, person):
            raise Refused(aged)
        asked = proved_by_signing(kind)
        if asked is not None and not _was_sent(pen, person):
            passkeys.demand_passkey(person, asked, device=pen.device)
        return person
    except Refused as refused:
        _journal_refusal(refused, person=None, pen=pen, table=table, slip=slip, step=step, at=now)
        raise


def _was_sent(pen: Pen, person: Person) -> bool:
    """Tell whether this very request was signed: a resend's passkey was used the first time."""
    sent = Signature.objects.filter(person=person)
    return is_request_id(pen.request_id) and sent.filter(request_id=pen.request_id).exists()


def _raise(new: NewSlip, attempt: _Attempt, judge: Judge) -> Slip:
    was_sent = lock_request(attempt.pen.request_id, shares_the_day=True)
    table = lock_table(new.table_id) if new.table_id is not None else None
    original = _lock_original(new.refers_to_id, table) if new.refers_to_id is not None else None
    attempt = attempt.behind_the_locks()
    request_hash = attempt.request_hash(
        {
            "new": new.kind,
            "table": new.table_id,
            # What a count of a tray says of the floor, such as the slips under way, may be another
            # when the same form comes again. The text that was shown has it, and is hashed too.
            **(
                {}
                if new.counts_tray
                else {"refers": new.refers_to_id, "details": dict(new.details)}
            ),
            "cheques": stored_cheques(new.cheques),
        }
    )
    earlier = _earlier(attempt.pen.request_id, request_hash) if was_sent else None
    if earlier is not None:
        return earlier.slip
    judgement = judge(table, original)
    refusals = list(judgement.refusals)
    if attempt.shown != request_shown(new, table):
        refusals.append(
            Refusal(
                "stale_screen",
                "Something changed at this table. Review it, then sign.",
                CONFLICT,
            )
        )
    in_force = attempt.here.settings_at(attempt.at)
    refusals += _cheque_refusals(new, attempt, table, in_force)
    slip = _drafted(new, attempt, table, original, judgement, in_force)
    step = FLOWS[new.kind].steps[0].name
    signer, signatures = signer_and_signatures(
        attempt.person,
        attempt.pen.device,
        attempt.here,
        attempt.at,
        about(slip, step, Track.MAIN, attempt.entry, is_new=True),
        slip,
    )
    closed = house.day_closed_refusal(slip.gaming_day)
    # Some kinds say so themselves, before anyone signs.
    if closed not in refusals and signer.day_is_closed:
        refusals.append(closed)
    facts = facts_of(
        slip,
        step=step,
        track=Track.MAIN,
        signer=signer,
        entry=attempt.entry,
        signatures=signatures,
        shown_is_current=True,
    )
    refusals.extend(sign_refusals(facts))
    if facts.own_limit_cents is None:
        refusals.extend(in_force.limit_refusals(facts.kind, facts.signer_role, slip.total_cents))
    if refusals:
        raise Refused(refusals)
    # The counter is everyone's: it is locked last, when nothing can be refused any more.
    number = next_number(in_force.series(FLOWS[new.kind].series), slip.gaming_day.year)
    slip.series, slip.year, slip.number = number.series, number.year, number.number
    slip.serial = str(number)
    _write(slip, facts, signer, attempt, request_hash, in_force, is_new=True)
    return slip


def _cheque_refusals(
    new: NewSlip, attempt: _Attempt, table: Table | None, in_force: SettingsInForce
) -> Sequence[Refusal]:
    """Return which cheques of a slip of a table were not in play when it was done."""
    if table is None:
        return ()
    then = attempt.here.settings_at(new.happened_at) if new.happened_at else in_force
    return then.cheques.refusals(new.cheques, ships=FLOWS[new.kind].ships, table=table.name)


def _drafted(
    new: NewSlip,
    attempt: _Attempt,
    table: Table | None,
    original: Slip | None,
    judgement: Judgement,
    in_force: SettingsInForce,
) -> Slip:
    """Return the slip as it will be raised, but for its number."""
    belongs = attempt.here.period_at(new.happened_at or attempt.at)
    return Slip(
        kind=new.kind,
        table=table,
        gaming_day=belongs.gaming_day,
        shift=belongs.shift,
        raised_at=attempt.at,
        cheques=stored_cheques(new.cheques),
        total_cents=total_cents(new.cheques),
        reason=attempt.entry.reason,
        details={**new.details, **({STOOD: _stood(table)} if table else {})},
        tray_sequence=table.tray_sequence if table and new.counts_tray else None,
        plan=FLOWS[new.kind].plan(
            replace(
                judgement.facts or PlanFacts(new.cheques),
                top_sign_from_cents=in_force["approval.top_sign_from"],
                agrees_blind=in_force.agrees_blind(new.kind),
            )
        ),
        refers_to=original,
    )


def _stood(table: Table) -> dict[str, str]:
    return {"pit": table.pit.name, "game": table.game}


def _lock_original(slip_id: int, table: Table | None) -> Slip:
    """Lock the slip that a new one refers to: of the same table, whose lock covers it."""
    if not Slip.objects.filter(pk=slip_id, table=table).exists():
        raise refuse("unknown_slip", "This table doesn’t have that slip. Check the slip number.")
    return lock_slip(slip_id)


def _sign(slip: Slip, step: str, track: Track, attempt: _Attempt) -> Signature:
    was_sent = lock_request(attempt.pen.request_id)
    slip = lock_slip_and_table(slip)
    attempt = attempt.behind_the_locks()
    request_hash = attempt.request_hash({"slip": slip.pk, "track": str(track), "step": step})
    earlier = _earlier(attempt.pen.request_id, request_hash) if was_sent else None
    if earlier is not None:
        if attempt.pen.follows is not None:
            demand_a_tap(earlier)
        return earlier
    if attempt.entry.drawn is not None:
        drawn = matched(slip, attempt.entry.drawn)
        attempt = replace(attempt, entry=replace(attempt.entry, drawn=drawn))
    signer, signatures = signer_and_signatures(
        attempt.person,
        attempt.pen.device,
        attempt.here,
        attempt.at,
        about(slip, step, track, attempt.entry),
        slip,
    )
    own = [signature for signature in signatures if signature.slip_id == slip.pk]
    facts = facts_of(
        slip,
        step=step,
        track=track,
        signer=signer,
        entry=attempt.entry,
        signatures=signatures,
        shown_is_current=attempt.shown == slip_shown(slip, own),
    )
    in_force = attempt.here.settings_at(attempt.at)
    refusals = sign_refusals(facts)
    if attempt.pen.follows is not None:
        refusals += tap_refusals(slip, facts, signer, attempt.pen.follows, own, in_force)
    signed = {(signature.track, signature.step): signature.person_id for signature in own}
    if track is Track.MAIN and FLOWS[slip.kind].ships and is_yet_to_leave(slip.plan, signed):
        # Cheques that went out of play after they were asked for stay in the cage.
        refusals = [*refusals, *in_force.cheques.out_of_play(slip.cheques_by_cents)]
    if refusals:
        raise Refused(refusals)
    return _write(slip, facts, signer, attempt, request_hash, in_force, is_new=False)


def _write(
    slip: Slip,
    facts: SignFacts,
    signer: Signer,
    attempt: _Attempt,
    request_hash: str,
    in_force: SettingsInForce,
    *,
    is_new: bool,
) -> Signature:
    """Store a signature that may be, apply its effect, move what waits, and journal it all."""
    assert signer.device is not None, "a signature without a device was not refused"
    step = planned_step(slip.plan, facts.track, facts.step)
    assert step is not None, "a step that the slip does not have was not refused"
    entry = attempt.entry
    shown = pads.signed_text(attempt.shown, slip.kind, step, attempt.pad)
    signature = Signature(
        slip=slip,
        track=facts.track,
        step=facts.step,
        person=signer.person,
        signed_as=signer.person.signs_as,
        role=signer.role.value,
        device=signer.device,
        place=signer.device.place,
        signed_at=attempt.at,
        shown=shown,
        shown_hash=digest(shown),
        counted=stored_cheques(entry.counted) if entry.counted is not None else None,
        facts={
            **({FOLLOWS: attempt.pen.follows} if attempt.pen.follows is not None else {}),
            **({"present": entry.present_badge} if entry.present_badge else {}),
            **({FIGURES: dict(entry.figures)} if entry.figures is not None else {}),
            **({DRAWN: entry.drawn.stored()} if entry.drawn is not None else {}),
            **_answers(step, entry),
        },
        reason=entry.reason,
        request_id=attempt.pen.request_id,
        request_hash=request_hash,
    )
    signed = {**facts.signed, (facts.track, facts.step): signer.person.pk}
    finishes = facts.track == Track.MAIN and next_step(slip.plan, signed, Track.MAIN) is None
    # Nothing waits on a slip that is done, whatever its effect; another effect may end it too.
    moves_on = finishes or step["then"] is None
    limit_seconds = in_force.wait_limit_seconds
    store_signature(
        signature,
        is_new=is_new,
        finishes=finishes,
        waits=(signed, attempt.at, limit_seconds) if moves_on else None,
    )
    rows: list[models.Model] = [slip, signature] if is_new else [signature]
    if step["then"] is not None:
        rows.extend(apply_effect(step["then"], slip, signature, attempt.at))
    if not moves_on:
        move_wait(slip, signed, attempt.at, limit_seconds=limit_seconds)
    journal.write(
        chain=journal.chain_of(slip.table, FLOWS[slip.kind].desk),
        kind=f"{slip.kind}.{facts.step}",
        body={
            "serial": slip.serial,
            "status": slip.status,
            "total_cents": slip.total_cents,
            "as": signature.signed_as,
            "role": signature.role,
            "shown_hash": signature.shown_hash,
            "reason": signature.reason,
            **({FOLLOWS: attempt.pen.follows} if attempt.pen.follows is not None else {}),
        },
        at=attempt.at,
        person=signer.person,
        device=signer.device,
        slip=slip,
        rows=rows,
    )
    return signature


def _answers(step: Mapping[str, Any], entry: Entry) -> dict[str, Any]:
    """Return what the signer answered to what the step asks, and nothing else that was sent."""
    # Slips of an earlier release have steps that ask nothing.
    answers = {name: entry.said.get(name) or ASKS[name].otherwise for name in step.get("asks", ())}
    return {SAID: answers} if answers else {}


def _earlier(request_id: UUID, request_hash: str) -> Signature | None:
    """Return the signature that this very request has already made."""
    earlier = Signature.objects.filter(request_id=request_id).first()
    if earlier is not None and earlier.request_hash != request_hash:
        raise refuse(
            "request_reused",
            "This form was already submitted with different amounts. Reopen it.",
            CONFLICT,
        )
    return earlier


@transaction.atomic(durable=True)
def _journal_refusal(
    refused: Refused,
    *,
    person: Person | None,
    pen: Pen,
    table: Table | None,
    slip: Slip | None,
    step: str,
    at: datetime,
    counted: Cheques | None = None,
) -> None:
    """Keep a refused attempt to sign, or to raise a slip at a table, after all was rolled back.

    A count that differs from the slip is on the pit manager's list at once, and only once: the
    journal's head, locked here, lets one attempt at a table look at that list at a time.
    """
    table = slip.table if slip else table
    journal.write(
        chain=journal.chain_of(table, FLOWS[slip.kind].desk if slip else journal.CAGE),
        kind="sign_refused",
        body={
            "step": quoted(step),
            "badge": shown_badge(pen.badge),
            "codes": list(refused.codes),
            "serial": slip.serial if slip else None,
        },
        at=at,
        person=person,
        device=pen.device,
        slip=slip,
    )
    if slip is not None and counted is not None and set(refused.codes) == {"count_differs"}:
        open_exception(
            code="count_differs",
            sentence=f"{slip.serial}: {refused}"[:500],
            details={"slip": slip.cheques, "counted": stored_cheques(counted)},
            at=at,
            person=person,
            table=table,
            slip=slip,
        )
