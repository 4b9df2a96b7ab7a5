"""`sign` and `raise_slip`: the only ways a slip comes to be and moves.

Screens, the API, tasks and the admin reach slips through these two alone, so four eyes cannot be
walked round. A refusal rolls everything back and is then journalled in a transaction of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import models, transaction
from django.db.models import Exists, OuterRef

from pitboss.models import Device, Person, Signature, Slip, Table, Waiting
from pitboss.rules.canonical import canonical, digest, is_plain
from pitboss.rules.cheques import parse_cheques, total_cents
from pitboss.rules.flow_book import FLOWS
from pitboss.rules.flows import PlanFacts, SlipStatus, Track, due_step, next_step
from pitboss.rules.refusal import Refusal, Refused, refuse
from pitboss.rules.roles import Place
from pitboss.rules.signing import SignFacts, sign_refusals
from pitboss.services import house, journal
from pitboss.services.effects import apply_effect, effect
from pitboss.services.exceptions import open_exception
from pitboss.services.locks import lock_request, lock_slip, lock_table, share_the_day
from pitboss.services.numbering import next_number
from pitboss.services.pins import prove_pin, quoted
from pitboss.services.shown import FIGURES, request_shown, slip_shown, stored_cheques

Cheques = Mapping[int, int]


@dataclass(frozen=True, slots=True)
class Pen:
    """Who signs, on what, and under which id a resend would come."""

    badge: str
    pin: str = field(repr=False)
    device: Device | None
    request_id: UUID


@dataclass(frozen=True, slots=True)
class Entry:
    """What the signer gives besides their name: a count, figures, a reason, a badge standing by."""

    counted: Cheques | None = None
    reason: str = ""
    present_badge: str = ""
    figures: Mapping[str, int] | None = None


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


def raise_slip(
    new: NewSlip, *, pen: Pen, shown: str, judge: Judge, entry: Entry = NOTHING_MORE
) -> Slip:
    """Raise a slip and sign its first step, or refuse with every reason and store nothing.

    Raises Refused.
    """
    now = house.now()
    step = FLOWS[new.kind].steps[0].name
    table = Table.objects.filter(pk=new.table_id).first() if new.table_id is not None else None
    if table is None and new.table_id is not None:
        refused = refuse("unknown_table", "There is no such table. Look at the board again.")
        _journal_refusal(refused, person=None, pen=pen, table=None, slip=None, step=step, at=now)
        raise refused
    person = _proven(pen, table=table, slip=None, step=step, now=now)
    try:
        entry = _read(pen, step, shown, entry)
        new = replace(new, cheques=parse_cheques(new.cheques))
        with transaction.atomic(durable=True):
            return _raise(new, person, pen, shown, judge, entry, now)
    except Refused as refused:
        _journal_refusal(refused, person=person, pen=pen, table=table, slip=None, step=step, at=now)
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
    slip = Slip.objects.select_related("table").filter(pk=slip_id).first()
    if slip is None:
        refused = refuse("unknown_slip", "There is no such slip. Look at the inbox again.")
        _journal_refusal(refused, person=None, pen=pen, table=None, slip=None, step=step, at=now)
        raise refused
    person = _proven(pen, table=slip.table, slip=slip, step=step, now=now)
    try:
        entry = _read(pen, step, shown, entry)
        with transaction.atomic(durable=True):
            return _sign(slip, step, track, person, pen, shown, entry, now)
    except Refused as refused:
        _journal_refusal(
            refused,
            person=person,
            pen=pen,
            table=slip.table,
            slip=slip,
            step=step,
            at=now,
            counted=entry.counted,
        )
        raise


def _proven(
    pen: Pen, *, table: Table | None, slip: Slip | None, step: str, now: datetime
) -> Person:
    """Return who holds the pen. A wrong badge or PIN is on the table's journal too."""
    try:
        return prove_pin(badge=pen.badge, pin=pen.pin, device=pen.device)
    except Refused as refused:
        _journal_refusal(refused, person=None, pen=pen, table=table, slip=slip, step=step, at=now)
        raise


def _read(pen: Pen, step: str, shown: str, entry: Entry) -> Entry:
    """Return what was entered, in its one form. Raises Refused for what no row can hold."""
    refusals = []
    if not _is_request_id(pen.request_id):
        refusals.append(Refusal("request_malformed", "This form is broken. Open it again."))
    if not all(map(is_plain, (step, shown, entry.reason, entry.present_badge))):
        refusals.append(Refusal("text_malformed", "The text holds signs that cannot be kept."))
    counted = None
    try:
        counted = parse_cheques(entry.counted) if entry.counted is not None else None
    except Refused as refused:
        refusals.extend(refused.refusals)
    if refusals:
        raise Refused(refusals)
    return Entry(counted, entry.reason.strip(), entry.present_badge.strip(), entry.figures)


def _is_request_id(given: object) -> bool:
    return isinstance(given, UUID)


def _raise(
    new: NewSlip,
    person: Person,
    pen: Pen,
    shown: str,
    judge: Judge,
    entry: Entry,
    now: datetime,
) -> Slip:
    lock_request(pen.request_id)
    share_the_day()
    table = lock_table(new.table_id) if new.table_id is not None else None
    original = _lock_original(new.refers_to_id, table) if new.refers_to_id is not None else None
    what = {
        "new": new.kind,
        "table": new.table_id,
        "refers": new.refers_to_id,
        "details": dict(new.details),
    }
    request_hash = _request_hash(
        person, shown, entry, what | {"cheques": stored_cheques(new.cheques)}
    )
    earlier = _earlier(pen.request_id, request_hash)
    if earlier is not None:
        return earlier.slip
    judgement = judge(table, original)
    refusals = list(judgement.refusals)
    if shown != request_shown(new, table):
        refusals.append(
            Refusal(
                "stale_screen",
                "Something changed at this table meanwhile. Look at it again, then sign.",
            )
        )
    flow = FLOWS[new.kind]
    belongs = house.period_at(new.happened_at or now)
    if house.is_closed(belongs.gaming_day):
        refusals.append(house.day_closed_refusal(belongs.gaming_day))
    in_force = house.settings_at(now)
    number = next_number(in_force.series(flow.series), belongs.gaming_day.year)
    slip = Slip(
        kind=new.kind,
        series=number.series,
        year=number.year,
        number=number.number,
        serial=str(number),
        table=table,
        gaming_day=belongs.gaming_day,
        shift=belongs.shift,
        raised_at=now,
        cheques=stored_cheques(new.cheques),
        total_cents=total_cents(new.cheques),
        reason=entry.reason,
        details=dict(new.details),
        tray_sequence=table.tray_sequence if table and new.counts_tray else None,
        plan=flow.plan(
            replace(
                judgement.facts or PlanFacts(new.cheques),
                top_sign_from_cents=in_force["approval.top_sign_from"],
                agrees_blind=in_force.agrees_blind,
            )
        ),
        refers_to=original,
    )
    facts = _facts(slip, flow.steps[0].name, Track.MAIN, person, pen, entry, now, True)
    refusals.extend(sign_refusals(facts))
    if facts.own_limit_cents is None:
        refusals.extend(in_force.limit_refusals(slip.kind, facts.signer_role, slip.total_cents))
    if refusals:
        raise Refused(refusals)
    slip.save(force_insert=True)
    _write(slip, facts, person, pen, shown, entry, now, request_hash, rows=[slip])
    return slip


def _lock_original(slip_id: int, table: Table | None) -> Slip:
    """Lock the slip that a new one refers to: of the same table, whose lock covers it."""
    if not Slip.objects.filter(pk=slip_id, table=table).exists():
        raise refuse("unknown_slip", "This table has no slip that this one could refer to.")
    return lock_slip(slip_id)


def _sign(
    slip: Slip,
    step: str,
    track: Track,
    person: Person,
    pen: Pen,
    shown: str,
    entry: Entry,
    now: datetime,
) -> Signature:
    lock_request(pen.request_id)
    if slip.table_id is not None:
        lock_table(slip.table_id)
    slip = lock_slip(slip.pk)
    request_hash = _request_hash(
        person, shown, entry, {"slip": slip.pk, "track": str(track), "step": step}
    )
    earlier = _earlier(pen.request_id, request_hash)
    if earlier is not None:
        return earlier
    facts = _facts(slip, step, track, person, pen, entry, now, shown == slip_shown(slip))
    refusals = sign_refusals(facts)
    if refusals:
        raise Refused(refusals)
    return _write(slip, facts, person, pen, shown, entry, now, request_hash, rows=[])


def _facts(
    slip: Slip,
    step: str,
    track: Track,
    person: Person,
    pen: Pen,
    entry: Entry,
    now: datetime,
    shown_is_current: bool,
) -> SignFacts:
    """Gather what decides whether this person may sign, as plain values."""
    when = house.period_at(now)
    signatures = list(slip.signatures.select_related("person")) if slip.pk else []
    signed = {(each.track, each.step): each.person_id for each in signatures}
    names = {each.person_id: str(each.person) for each in signatures}
    if slip.refers_to_id is not None:
        for each in Signature.objects.filter(slip=slip.refers_to_id).select_related("person"):
            signed["original", each.step] = each.person_id
            names[each.person_id] = str(each.person)
    present = (
        Person.objects.filter(badge=entry.present_badge).first() if entry.present_badge else None
    )
    # Read anew under the locks: whoever was let go, or put out, while they waited signs nothing.
    person = Person.objects.get(pk=person.pk)
    device = pen.device if house.is_usable(pen.device) else None
    return SignFacts(
        plan=slip.plan,
        track=str(track),
        step=step,
        status=SlipStatus(slip.status),
        signed=signed,
        signer_id=person.pk,
        signer_role=house.role_in(person, when),
        signer_name=str(person),
        signer_may_work=person.is_active,
        licence_ends=person.licence_ends,
        gaming_day=when.gaming_day,
        device_place=Place(device.place) if device else None,
        device_pit_id=device.pit_id if device else None,
        slip_pit_id=slip.table.pit_id if slip.table else None,
        device_table_id=device.table_id if device else None,
        slip_table_id=slip.table_id,
        shown_is_current=shown_is_current,
        cheques=slip.cheques_by_cents,
        counted=entry.counted,
        figures=slip.details.get(FIGURES, {}),
        figures_keyed=entry.figures,
        present_id=present.pk if present else None,
        reason=entry.reason,
        names=names,
        tray_moved=_tray_moved(slip),
        held_at=held_at(person, at=slip),
        kind=slip.kind,
        total_cents=slip.total_cents,
        own_limit_cents=house.own_limit_of(person, slip.kind, now),
    )


def _tray_moved(slip: Slip) -> bool:
    """Tell whether cheques moved since this slip's count began. The table is locked by now."""
    if slip.tray_sequence is None or slip.table_id is None:
        return False
    return Table.objects.get(pk=slip.table_id).tray_sequence != slip.tray_sequence


def held_at(person: Person, *, at: Slip | None = None) -> str:
    """Return the table whose closer this person signed as its dealer and whose tray is not locked.

    A shift manager's release with a second person's count lets them go. Whoever signs another slip
    of that very table does not leave it.
    """
    released = Signature.objects.filter(
        slip=OuterRef("slip"), track=Track.RELIEF, step="counted_again"
    )
    held = (
        Signature.objects.filter(
            person=person,
            track=Track.MAIN,
            step="counted",
            slip__kind="closer",
            slip__status=SlipStatus.OPEN,
        )
        .exclude(Exists(released))
        .exclude(slip__table=at.table_id if at else None)
        .select_related("slip__table")
        .first()
    )
    return str(held.slip.table) if held else ""


def _write(
    slip: Slip,
    facts: SignFacts,
    person: Person,
    pen: Pen,
    shown: str,
    entry: Entry,
    now: datetime,
    request_hash: str,
    *,
    rows: list[models.Model],
) -> Signature:
    """Store a signature that may be, apply its effect, move what waits, and journal it all."""
    assert pen.device is not None, "a signature without a device was not refused"
    step = next(s for s in slip.plan if (s["track"], s["name"]) == (facts.track, facts.step))
    signature = Signature.objects.create(
        slip=slip,
        track=facts.track,
        step=facts.step,
        person=person,
        signed_as=person.signs_as,
        role=facts.signer_role.value,
        device=pen.device,
        place=pen.device.place,
        signed_at=now,
        shown=shown,
        shown_hash=digest(shown),
        counted=stored_cheques(entry.counted) if entry.counted is not None else None,
        facts={
            **({"present": entry.present_badge} if entry.present_badge else {}),
            **({FIGURES: dict(entry.figures)} if entry.figures is not None else {}),
        },
        reason=entry.reason,
        request_id=pen.request_id,
        request_hash=request_hash,
    )
    rows.append(signature)
    signed = {**facts.signed, (facts.track, facts.step): person.pk}
    if facts.track == Track.MAIN and next_step(slip.plan, signed, Track.MAIN) is None:
        set_status(slip, SlipStatus.DONE)
    if step["then"] is not None:
        rows.extend(apply_effect(step["then"], slip, signature, now))
    move_waits(slip, signed, now)
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
        },
        at=now,
        person=person,
        device=pen.device,
        slip=slip,
        rows=rows,
    )
    return signature


def set_status(slip: Slip, status: SlipStatus) -> None:
    """Move a slip on. Only `sign` and the effects it runs call this, under the slip's lock."""
    slip.status = status.value
    slip.save(update_fields=["status"])


def move_waits(slip: Slip, signed: Mapping[tuple[str, str], int], now: datetime) -> None:
    """End what waited on this slip and begin what waits next."""
    due = due_step(slip.plan, signed) if slip.status == SlipStatus.OPEN.value else None
    waits = Waiting.objects.filter(slip=slip, until=None)
    if due is not None and waits.filter(step=due["name"]).exists():
        return
    waits.update(until=now)
    if due is not None:
        Waiting.objects.create(
            slip=slip,
            step=due["name"],
            by=due["by"],
            place=due["at"] or "",
            pit=slip.table.pit if slip.table else None,
            table=slip.table,
            since=now,
            limit_seconds=house.settings_at(now).wait_limit_seconds,
        )


@effect("slip_voided")
def _slip_voided(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    set_status(slip, SlipStatus.VOIDED)
    return []


def _earlier(request_id: UUID, request_hash: str) -> Signature | None:
    """Return the signature that this very request has already made."""
    earlier = Signature.objects.filter(request_id=request_id).select_related("slip").first()
    if earlier is not None and earlier.request_hash != request_hash:
        raise refuse(
            "request_reused", "This form was already sent with other figures. Open it again."
        )
    return earlier


def _request_hash(person: Person, shown: str, entry: Entry, what: Mapping[str, Any]) -> str:
    return digest(
        canonical(
            {
                "what": dict(what),
                "person": person.pk,
                "shown": shown,
                "counted": stored_cheques(entry.counted) if entry.counted is not None else None,
                "reason": entry.reason,
                "present": entry.present_badge,
                "figures": dict(entry.figures) if entry.figures is not None else None,
            }
        )
    )


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
    """Keep a refused attempt to sign, after everything else was rolled back.

    A count that differs from the slip is on the pit manager's list at once, and only once: the
    journal's head, locked here, lets one attempt at a table look at that list at a time.
    """
    journal.write(
        chain=journal.chain_of(table, FLOWS[slip.kind].desk if slip else journal.CAGE),
        kind="sign_refused",
        body={
            "step": quoted(step),
            "badge": quoted(pen.badge),
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
