"""The cash log: what people key, what acts that move cash write, and how an entry is taken back.

Nothing in it is ever changed. A wrong entry is reversed by another that refers to it, on a slip
that two people sign.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from typing import Any
from uuid import uuid5

from django.db import models

from inventory.models import CashEntry, CashTold, Patron, Stranger
from inventory.selectors.cash_log import DayPerson, day_sum, policy_of, whose
from inventory.services.behalf import lock_entry, write_behalf
from inventory.services.currency_reports import lock_whose, watch
from inventory.services.exclusion import Compared, keep_comparison, stop_refusals
from pitboss.models import Device, Person, Signature, Slip, Table
from pitboss.rules.canonical import canonical, digest
from pitboss.rules.day.gaming_day import Period
from pitboss.rules.patrons.cash_log import (
    CashFacts,
    CashKind,
    Direction,
    Outlook,
    amount_refusals,
    description_refusals,
    entry_refusals,
    told_refusals,
)
from pitboss.rules.patrons.exclusion import Moment
from pitboss.rules.refusal import CONFLICT, Refusal, Refused, refuse
from pitboss.rules.roles import Place
from pitboss.services import house, journal
from pitboss.services.locks import lock_request, lock_table
from pitboss.services.pins import demand_worth, signed_act
from pitboss.services.signing import Pen


@dataclass(frozen=True, slots=True)
class Transaction:
    """Cash about to be logged: whose, for what, how much, and at which table, none at the cage."""

    kind: CashKind
    amount_cents: int
    table: Table | None
    # One of these: someone on file, someone described earlier today, or someone described now.
    patron: Patron | None = None
    stranger: Stranger | None = None
    description: str = ""
    # On whose behalf they do it, if not on their own; and what the kind asks in words.
    behalf: Patron | None = None
    told: str = ""

    @property
    def place(self) -> Place:
        return Place.PIT if self.table is not None else Place.CAGE

    @property
    def is_described(self) -> bool:
        return self.stranger is not None or bool(self.description)


def outlook_of(new: Transaction, day: date) -> Outlook:
    """Return what a transaction would make of its person's day, before it is stored."""
    before_cents = 0
    if new.patron is not None or new.stranger is not None:
        who = whose(new.patron, new.stranger)
        before_cents = day_sum(who, day, new.kind.direction)
    return Outlook(policy_of(day), new.kind.direction, before_cents, new.amount_cents)


def cash_shown(new: Transaction, day: date, outlook: Outlook) -> str:
    """Return the text of what is shown before cash is logged, which the signer posts back."""
    return canonical(
        {
            "kind": new.kind.value,
            "amount_cents": new.amount_cents,
            "table": new.table.name if new.table else None,
            "patron": new.patron.pk if new.patron else None,
            "stranger": new.stranger.pk if new.stranger else None,
            "description": new.description,
            "behalf": new.behalf.pk if new.behalf else None,
            "told": new.told,
            "gaming_day": day.isoformat(),
            "before_cents": outlook.before_cents,
            "report_over_cents": outlook.policy.report_over_cents,
        }
    )


def key_cash(*, new: Transaction, confirmed: bool, pen: Pen, shown: str) -> CashEntry:
    """Log cash that someone keyed and signs for. Raises Refused.

    `shown` is what the signer saw of the day's sum; `confirmed` that they read the warning which
    stands before the transaction that takes it over the limit.
    """
    with signed_act(
        act="log_cash", badge=pen.badge, pin=pen.pin, device=pen.device, shown=shown
    ) as person:
        lock_request(pen.request_id)
        if new.table is not None:
            lock_table(new.table.pk)
        now = house.now()
        request_hash = digest(canonical({"by": person.pk, "shown": shown, "seen": confirmed}))
        earlier = CashEntry.objects.filter(request_id=pen.request_id).first()
        if earlier is not None:
            if earlier.request_hash == request_hash:
                return earlier  # A second tap, or a resend after a lost answer.
            raise refuse(
                "request_reused",
                "This form was already sent with something else in it. Reload the page.",
                CONFLICT,
            )
        when = house.period_at(now)
        who = lock_whose(new.patron, new.stranger, new.behalf)
        outlook = outlook_of(new, when.gaming_day)
        assert pen.device is not None, "a signed act has a device"
        refusals = entry_refusals(
            CashFacts(
                kind=new.kind,
                amount_cents=new.amount_cents,
                keyed_by=str(person),
                role=house.role_in(person, when),
                place=Place(pen.device.place),
                pit_id=new.table.pit_id if new.table else None,
                device_pit_id=pen.device.pit_id,
                knows_patron=new.patron is not None,
                is_described=new.is_described,
                described_on=new.stranger.gaming_day if new.stranger else None,
                gaming_day=when.gaming_day,
                shown_is_current=shown == cash_shown(new, when.gaming_day, outlook),
                level=outlook.level,
                confirmed=confirmed,
            )
        )
        if new.description:
            refusals.extend(description_refusals(new.description))
        if new.behalf is not None and new.behalf == who.patron:
            words = "That is the person who brought it. Choose someone else."
            refusals.append(Refusal("behalf_is_own", words))
        refusals.extend(told_refusals(new.kind, new.told))
        refusals.extend(_compare(who.patron, new, now))
        if refusals:
            raise Refused(refusals)
        demand_worth(person, new.amount_cents, now)
        rows: list[models.Model] = []
        if new.description:
            stranger = _describe(new.description, person, when, now)
            rows.append(stranger)
            who = DayPerson(None, stranger)
        entry, reports = _write(
            who,
            new.patron,
            _By(person, _signed_as(person), pen.device),
            kind=new.kind,
            amount_cents=new.amount_cents,
            table=new.table,
            when=when,
            at=now,
            was_warned=outlook.needs_confirmation,
            request_id=pen.request_id,
            request_hash=request_hash,
        )
        if new.told:
            rows.append(CashTold.objects.create(entry=entry, words=new.told))
        if new.behalf is not None:
            behalf, more = write_behalf(
                entry, who, None, new.behalf, person, now, uuid5(pen.request_id, "behalf")
            )
            reports = [*reports, behalf, *more]
        journal.write(
            chain=journal.chain_of(new.table, journal.CAGE),
            kind="cash_logged",
            body={"entry": entry.pk, "kind": entry.kind, "amount_cents": entry.amount_cents},
            at=now,
            person=person,
            device=pen.device,
            rows=[*rows, entry, *reports],
        )
        return entry


def log_cash(
    *,
    patron: Patron,
    kind: CashKind,
    amount_cents: int,
    slip: Slip,
    signature: Signature,
    at: datetime,
) -> list[models.Model]:
    """Log cash that an act has moved: a marker paid in cash, a jackpot handed out in cash.

    Call it in the effect of the act, inside its transaction and before anything of that effect
    writes the journal, and return these rows with the effect's own, so that the act's journal entry
    vouches for them. It takes the lock of the patron's cash, sums the gaming day of `at` (when the
    cash changed hands) and opens a currency report when the sum passes the limit. One slip logs
    cash of one kind once. Raises Refused for an amount that is none.
    """
    refusals = amount_refusals(amount_cents)
    if refusals:
        raise Refused(refusals)
    entry, reports = _write(
        lock_whose(patron, None),
        patron,
        _By(signature.person, signature.signed_as, signature.device),
        kind=kind,
        amount_cents=amount_cents,
        table=slip.table,
        when=house.period_at(at),
        at=at,
        now=signature.signed_at,
        slip=slip,
    )
    return [entry, *reports]


def log_late_cash(
    *, new: Transaction, slip: Slip, signature: Signature, at: datetime
) -> list[models.Model]:
    """Log cash that was written down on paper, at the time on the form; `log_cash` says how.

    It changed hands long ago, so nothing is asked and no one is stopped any more.
    """
    when = house.period_at(at)
    who, rows = lock_whose(new.patron, None), list[models.Model]()
    if new.description:
        stranger = _describe(new.description, signature.person, when, at)
        rows.append(stranger)
        who = DayPerson(None, stranger)
    entry, reports = _write(
        who,
        new.patron,
        _By(signature.person, signature.signed_as, signature.device),
        kind=new.kind,
        amount_cents=new.amount_cents,
        table=new.table,
        when=when,
        at=at,
        now=signature.signed_at,
        slip=slip,
    )
    if new.told:
        rows.append(CashTold.objects.create(entry=entry, words=new.told))
    return [*rows, entry, *reports]


def reversal_refusals(entry: CashEntry) -> list[Refusal]:
    """Return why an entry cannot be reversed."""
    if entry.reverses_id is not None:
        return [Refusal("is_reversal", "This entry reverses another. Log the cash again.")]
    if CashEntry.objects.filter(reverses=entry).exists():
        return [
            Refusal(
                "already_reversed",
                "This entry was already reversed. Nothing more is needed.",
                CONFLICT,
            )
        ]
    return []


def reverse_cash(
    entry: CashEntry, slip: Slip, signature: Signature, at: datetime
) -> list[models.Model]:
    """Take an entry out of the sum of its own gaming day, whenever that was. Raises Refused."""
    who, behalf = lock_entry(entry)
    refusals = reversal_refusals(entry)
    if refusals:
        raise Refused(refusals)
    proposed = slip.signatures.select_related("person", "device").get(step="proposed")
    direction = Direction(entry.direction)
    before_cents = day_sum(who, entry.gaming_day, direction)
    reversal = CashEntry.objects.create(
        kind=entry.kind,
        direction=entry.direction,
        amount_cents=entry.amount_cents,
        patron=entry.patron,
        stranger=entry.stranger,
        place=entry.place,
        table=entry.table,
        gaming_day=entry.gaming_day,
        shift=entry.shift,
        at=at,
        signed_as=proposed.signed_as,
        keyed_by=proposed.person,
        device=proposed.device,
        day_sum_cents=before_cents - entry.amount_cents,
        slip=slip,
        reverses=entry,
        reason=slip.reason,
        seconded_by=signature.person,
    )
    people = [who, *([DayPerson(behalf)] if behalf else [])]
    return [
        reversal,
        *(row for person in people for row in watch(person, entry.gaming_day, direction, at)),
    ]


def log_noted_cash(
    *,
    new: Transaction,
    person: Person,
    device: Device,
    is_signed: bool,
    confirmed: bool,
    at: datetime,
) -> list[models.Model]:
    """Log someone's cash that a supervisor nodded to at a table, in the transaction of that nod.

    Call it under the table's lock and before the journal; return these rows, so that the approval's
    entry vouches for them. What takes the day over the limit is signed and its warning read.
    Raises Refused.
    """
    assert new.patron is not None or new.is_described, "whose cash it is must be known"
    when = house.period_at(at)
    who = lock_whose(new.patron, new.stranger)
    outlook = outlook_of(new, when.gaming_day)
    stops = _compare(who.patron, new, at)
    if stops or (outlook.needs_confirmation and not (confirmed and is_signed)):
        raise Refused(
            [
                *stops,
                *([] if confirmed else [Refusal("warning_unseen", outlook.sentence)]),
                *([] if is_signed else [Refusal("signature_missing", "Enter your badge and PIN.")]),
            ]
        )
    rows: list[models.Model] = []
    if new.description:
        stranger = _describe(new.description, person, when, at)
        rows.append(stranger)
        who = DayPerson(None, stranger)
    entry, reports = _write(
        who,
        new.patron,
        _By(person, _signed_as(person), device),
        kind=new.kind,
        amount_cents=new.amount_cents,
        table=new.table,
        when=when,
        at=at,
        was_warned=outlook.needs_confirmation,
    )
    return [*rows, entry, *reports]


def _compare(patron: Patron | None, new: Transaction, at: datetime) -> list[Refusal]:
    """Compare whoever's cash it is with the lists; return that it must stop, if it must."""
    if patron is None:
        return []
    compared = Compared(patron, Moment.CASH, at, new.table)
    stops = stop_refusals(compared)
    if not stops:
        keep_comparison(compared)
    return stops


def _describe(description: str, person: Person, when: Period, at: datetime) -> Stranger:
    """Keep who it is that no one has on file, in words that were judged."""
    return Stranger.objects.create(
        description=description,
        gaming_day=when.gaming_day,
        described_by=person,
        described_at=at,
    )


@dataclass(frozen=True, slots=True)
class _By:
    """Who logged an entry, as they signed, and on what."""

    person: Person
    signed_as: str
    device: Device


def _signed_as(person: Person) -> str:
    return f"{person} {person.licence_number}".strip()


def _write(
    who: DayPerson,
    patron: Patron | None,
    by: _By,
    *,
    kind: CashKind,
    amount_cents: int,
    table: Table | None,
    when: Period,
    at: datetime,
    now: datetime | None = None,
    **more: Any,
) -> tuple[CashEntry, list[models.Model]]:
    """Store an entry under the lock of its person's cash, and the report that it calls for.

    Cash of a form changed hands at `at` and is entered `now`: a report is opened then, not before.
    """
    direction = kind.direction
    before_cents = day_sum(who, when.gaming_day, direction)
    entry = CashEntry.objects.create(
        kind=kind.value,
        direction=direction.value,
        amount_cents=amount_cents,
        patron=patron,
        stranger=who.stranger if patron is None else None,
        place=(Place.PIT if table is not None else Place.CAGE).value,
        table=table,
        gaming_day=when.gaming_day,
        shift=when.shift,
        at=at,
        signed_as=by.signed_as,
        keyed_by=by.person,
        device=by.device,
        day_sum_cents=before_cents + amount_cents,
        **more,
    )
    return entry, watch(who, when.gaming_day, direction, now or at)
