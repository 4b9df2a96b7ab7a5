"""Change meters, their terms and their amounts: one person proposes, another approves.

Whatever is refused is kept in the journal of meters with what was and what was to be.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import models, transaction

from jackpots.models import JackpotPayment, Meter, MeterLink, MeterReading
from jackpots.services.figures import balance_of, lock_meter, write_changes
from jackpots.services.hits import pending_on
from pitboss.models import Device, Person, Signature, Slip, Table
from pitboss.rules.cheques import format_money
from pitboss.rules.flows import SlipStatus
from pitboss.rules.meter_flows import METER_ADJUSTMENT, METER_CHANGE
from pitboss.rules.meters import (
    MICROCENTS,
    Cause,
    Change,
    MeterTerms,
    adjustment_refusals,
    stored_terms,
)
from pitboss.rules.refusal import Refusal, Refused, refuse
from pitboss.rules.roles import Role, may_act_as
from pitboss.selectors.pending import pending_jackpots
from pitboss.services import house, journal
from pitboss.services.effects import effect
from pitboss.services.exceptions import open_exception
from pitboss.services.locks import lock_request, lock_settings
from pitboss.services.pins import signed_act
from pitboss.services.signing import Entry, Judgement, NewSlip, Pen, raise_slip
from pitboss.services.table_changes import rules_in_force
from tables.models import Round

# Who reads meters; whoever outranks them may as well.
READERS = (Role.SUPERVISOR, Role.ACCOUNTING)


def new_terms(terms: MeterTerms, meter: Meter | None) -> NewSlip:
    """Return a meter about to be proposed: a new one, or other terms of one that runs."""
    was = meter.terms() if meter else None
    words = terms.words()
    before = was.words() if was else {}
    return NewSlip(
        METER_CHANGE.kind,
        None,
        {},
        details={
            "about": f"{'change' if meter else 'start'} {terms.name}",
            "says": [
                [name, said if before.get(name, said) == said else f"{said} (was {before[name]})"]
                for name, said in words.items()
            ],
            "meter": meter.pk if meter else None,
            "is": terms.stored(),
            "was": was.stored() if was else None,
        },
    )


def propose_terms(new: NewSlip, *, reason: str, pen: Pen, shown: str) -> Slip:
    """Propose a meter's terms, signed by a manager of the pit. Raises Refused."""
    with _refusal_kept(new, "terms_refused"):
        return raise_slip(
            new,
            pen=pen,
            shown=shown,
            judge=lambda table, original: Judgement(terms_refusals(new.details)),
            entry=Entry(reason=reason),
        )


def terms_refusals(details: Mapping[str, Any], own: Slip | None = None) -> list[Refusal]:
    """Return why a meter may not be so: every reason. `own` is the slip that says it."""
    terms = stored_terms(details["is"])
    meter = lock_meter(details["meter"]) if details["meter"] is not None else None
    refusals = []
    if Meter.objects.filter(name=terms.name).exclude(pk=details["meter"]).exists():
        refusals.append(Refusal("name_taken", f"There is a meter {terms.name} already."))
    waiting = _waiting(METER_CHANGE.kind, own, details__is__name=terms.name)
    if waiting is not None:
        refusals.append(
            Refusal("already_proposed", f"{waiting} waits. Approve or refuse it first.")
        )
    if meter is not None:
        refusals += pending_refusals(meter)
        refusals += _running_refusals(meter, terms, details)
    return refusals + _table_refusals(terms, meter)


def pending_refusals(meter: Meter) -> list[Refusal]:
    """Return why nothing of a meter changes: a jackpot is pending on it."""
    return [
        Refusal(
            "jackpot_pending", f"{slip} is pending on {meter}. Nothing of it changes meanwhile."
        )
        for slip in pending_on(meter)
    ]


def _running_refusals(meter: Meter, terms: MeterTerms, details: Mapping[str, Any]) -> list[Refusal]:
    """Return why a meter that runs may not take other terms."""
    refusals = []
    current = meter.terms()
    if current == terms:
        refusals.append(Refusal("nothing_changes", f"{meter} is so already."))
    if details["was"] != current.stored():
        refusals.append(
            Refusal("terms_changed", f"{meter} was changed meanwhile. Look at it again.")
        )
    if (terms.wager, terms.level, terms.start_cents) != (
        meter.wager,
        meter.level,
        meter.start_cents,
    ):
        refusals.append(
            Refusal("bet_stays", f"{meter} keeps its bet and what it started at. Start another.")
        )
    if terms.maximum_cents is not None and balance_of(meter).shown_cents > terms.maximum_cents:
        refusals.append(
            Refusal("over_maximum", f"{meter} shows more than that. Adjust the meter first.")
        )
    return refusals


def _table_refusals(terms: MeterTerms, meter: Meter | None) -> list[Refusal]:
    """Return why tables cannot be linked: they must take the bet, all at the same odds."""
    refusals = []
    in_force = house.settings_at(house.now())
    tables = {each.name: each for each in Table.objects.filter(name__in=terms.tables)}
    pays = set()
    for name in terms.tables:
        if name not in tables:
            refusals.append(Refusal("unknown_table", f"There is no table {name[:12]}."))
            continue
        try:
            bet = rules_in_force(tables[name], in_force).side_bets.get(terms.wager)
        except Refused as refused:
            refusals += [Refusal(each.code, f"{name}: {each.message}") for each in refused.refusals]
            continue
        if bet is None:
            spoken = terms.wager.replace("_", " ")
            refusals.append(Refusal("bet_not_offered", f"{name} does not take {spoken}."))
            continue
        pays.add(str(sorted(bet.table(terms.wager).pays.items())))
    if len(pays) > 1:
        refusals.append(
            Refusal("odds_differ", "Linked tables must pay the same on the same hands.")
        )
    elsewhere = (
        MeterLink.objects.filter(
            table__name__in=terms.tables, wager=terms.wager, level=terms.level, until=None
        )
        .exclude(meter=meter)
        .select_related("table", "meter")
    )
    refusals += [
        Refusal("already_linked", f"{link.table} plays for {link.meter}.") for link in elsewhere
    ]
    return refusals


@effect("meter_changed")
def _meter_changed(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """Start the meter, or let a running one go on by its new terms, once all added so far is in."""
    lock_settings()
    refusals = terms_refusals(slip.details, own=slip)
    if refusals:
        raise Refused(refusals)
    terms = stored_terms(slip.details["is"])
    columns = {key: value for key, value in terms.stored().items() if key != "tables"}
    gaming_day = house.period_at(at).gaming_day
    rows: list[models.Model] = []
    if slip.details["meter"] is None:
        meter = Meter.objects.create(**columns, slip=slip)
        lock_meter(meter.pk)
        start = Change(Cause.STARTED, terms.start_cents * MICROCENTS)
        rows += write_changes(meter, [start], slip=slip, gaming_day=gaming_day, at=at)
    else:
        meter = lock_meter(slip.details["meter"])
        rows += write_changes(meter, [], slip=slip, gaming_day=gaming_day, at=at)
        Meter.objects.filter(pk=meter.pk).update(**columns, slip=slip)
    _link(meter, terms, at)
    return rows


def _link(meter: Meter, terms: MeterTerms, at: datetime) -> None:
    standing = meter.links.filter(until=None)
    standing.exclude(table__name__in=terms.tables).update(until=at)
    linked = set(standing.values_list("table__name", flat=True))
    MeterLink.objects.bulk_create(
        MeterLink(meter=meter, table=table, wager=terms.wager, level=terms.level, since=at)
        for table in Table.objects.filter(name__in=set(terms.tables) - linked).order_by("name")
    )


def new_adjustment(meter: Meter, cause: Cause, after_cents: int) -> NewSlip:
    """Return another amount of a meter, about to be proposed."""
    before = balance_of(meter).shown_cents
    return NewSlip(
        METER_ADJUSTMENT.kind,
        None,
        {},
        details={
            "about": f"{meter} to {format_money(after_cents)}",
            "says": [
                ["Meter", meter.name],
                ["Shows", format_money(before)],
                ["Shall show", format_money(after_cents)],
                ["Because", cause.words],
            ],
            "meter": meter.pk,
            "cause": cause.value,
            "before_cents": before,
            "after_cents": after_cents,
        },
    )


def propose_adjustment(new: NewSlip, *, reason: str, pen: Pen, shown: str) -> Slip:
    """Propose another amount of a meter, for a listed reason. Raises Refused."""
    with _refusal_kept(new, "adjustment_refused"):
        return raise_slip(
            new,
            pen=pen,
            shown=shown,
            judge=lambda table, original: Judgement(amount_refusals(new.details)),
            entry=Entry(reason=reason),
        )


def amount_refusals(details: Mapping[str, Any], own: Slip | None = None) -> list[Refusal]:
    """Return why a meter may not be set to an amount now: every reason."""
    meter = lock_meter(details["meter"])
    refusals = adjustment_refusals(
        meter.terms(),
        cause=Cause(details["cause"]),
        before_cents=details["before_cents"],
        after_cents=details["after_cents"],
        last_posted_at=_last_posted_at(meter),
        last_won_at=_last_won_at(meter),
        mid_game=_mid_game(meter),
        now=house.now(),
    )
    if not meter.is_posted:
        refusals += pending_refusals(meter)
    waiting = _waiting(METER_ADJUSTMENT.kind, own, details__meter=meter.pk)
    if waiting is not None:
        refusals.append(
            Refusal("already_proposed", f"{waiting} waits. Approve or refuse it first.")
        )
    return refusals


def _last_posted_at(meter: Meter) -> datetime | None:
    """Return when the house last changed a posted amount; its start is no change."""
    last = meter.entries.filter(cause=Cause.POSTED.value).order_by("-number").first()
    return last.at if last else None


def _last_won_at(meter: Meter) -> datetime | None:
    """Return when a jackpot of this meter was last paid."""
    paid = JackpotPayment.objects.filter(jackpot__freeze__meter=meter).order_by("-at").first()
    return paid.at if paid else None


def _mid_game(meter: Meter) -> list[str]:
    """Return the tables of a meter at which a game is under way, or held open by a jackpot."""
    linked = set(meter.links.filter(until=None).values_list("table_id", flat=True))
    pending = {str(slip.table) for slip in pending_jackpots() if slip.table_id in linked}
    rounds = Round.objects.filter(table__in=linked, ended_at=None)
    return sorted(pending.union(rounds.values_list("table__name", flat=True)))


@effect("meter_adjusted")
def _meter_adjusted(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """Move a meter by what two people agreed on; what wagers added meanwhile stays on it."""
    refusals = amount_refusals(slip.details, own=slip)
    if refusals:
        raise Refused(refusals)
    meter = lock_meter(slip.details["meter"])
    cause = Cause(slip.details["cause"])
    amount = (slip.details["after_cents"] - slip.details["before_cents"]) * MICROCENTS
    if balance_of(meter).shown_microcents + amount < 0:
        raise refuse("meter_below_nothing", "The meter holds less than that by now. Refuse this.")
    into_reserve = -amount if cause in (Cause.RESERVE, Cause.OVER_MAXIMUM) else 0
    return list(
        write_changes(
            meter,
            [Change(cause, amount, into_reserve)],
            slip=slip,
            gaming_day=house.period_at(at).gaming_day,
            at=at,
        )
    )


def read_meter(
    *,
    meter_id: int,
    read_cents: int,
    badge: str,
    pin: str,
    request_id: UUID,
    device: Device | None,
) -> MeterReading:
    """Record what a meter shows, beside what it should show. A difference is an exception.

    Raises Refused. A resend gets the reading that it made.
    """
    with signed_act(act="read_meter", badge=badge, pin=pin, device=device) as person:
        return _read(meter_id, read_cents, person, request_id, device)


def _read(
    meter_id: int, read_cents: int, person: Person, request_id: UUID, device: Device | None
) -> MeterReading:
    now = house.now()
    lock_request(request_id)
    earlier = MeterReading.objects.filter(request_id=request_id).first()
    if earlier is not None:
        if (earlier.meter_id, earlier.read_cents) != (meter_id, read_cents):
            raise refuse("request_reused", "This form was already sent with another figure.")
        return earlier
    when = house.period_at(now)
    role = house.role_in(person, when)
    if not any(may_act_as(role, reader) for reader in READERS):
        raise refuse("wrong_role", "A meter is read by accounting or a supervisor.")
    meter = lock_meter(meter_id)
    reading = MeterReading.objects.create(
        meter=meter,
        read_cents=read_cents,
        expected_cents=balance_of(meter).shown_cents,
        read_by=person,
        gaming_day=when.gaming_day,
        at=now,
        request_id=request_id,
    )
    journal.write(
        chain=journal.METERS,
        kind="meter.read",
        body={
            "meter": meter.name,
            "read_cents": read_cents,
            "expected_cents": reading.expected_cents,
        },
        at=now,
        person=person,
        device=device,
        rows=[reading],
    )
    if reading.difference_cents:
        report_difference(meter, reading.read_cents, reading.expected_cents, person, now)
    return reading


def report_difference(
    meter: Meter,
    read_cents: int,
    expected_cents: int,
    person: Person,
    at: datetime,
    slip: Slip | None = None,
) -> None:
    """Open an exception for a meter that does not show what it should."""
    off = read_cents - expected_cents
    way = "more" if off > 0 else "less"
    open_exception(
        code="meter_differs",
        sentence=f"{meter} shows {format_money(abs(off))} {way} than it should: "
        f"{format_money(read_cents)}, not {format_money(expected_cents)}.",
        details={"meter": meter.pk, "read_cents": read_cents, "expected_cents": expected_cents},
        at=at,
        person=person,
        table=slip.table if slip else None,
        slip=slip,
    )


def _waiting(kind: str, own: Slip | None, **about: Any) -> Slip | None:
    """Return the slip that already waits for the same thing."""
    return (
        Slip.objects.filter(kind=kind, status=SlipStatus.OPEN.value, **about)
        .exclude(pk=own.pk if own else 0)
        .first()
    )


@contextmanager
def _refusal_kept(new: NewSlip, kind: str) -> Iterator[None]:
    """Keep in the journal of meters what somebody tried to change, with before and after."""
    try:
        yield
    except Refused as refused:
        keep = ("meter", "was", "is", "cause", "before_cents", "after_cents")
        with transaction.atomic(durable=True):
            journal.write(
                chain=journal.METERS,
                kind=f"meter.{kind}",
                body={
                    "codes": list(refused.codes),
                    **{key: new.details[key] for key in keep if key in new.details},
                },
                at=house.now(),
            )
        raise
