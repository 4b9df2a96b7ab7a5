"""Check payouts: judged by the rules of the table at that moment, one row in ink each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from typing import Any, Final

from django.db.models import Q

from pitboss.metrics import count_verdict
from pitboss.models import Table
from pitboss.models.plain import prepared
from pitboss.rules.games.table_orders import Order
from pitboss.rules.payouts.check import (
    PayoutVerdict,
    TableNow,
    TableTerms,
    check_payout,
    not_verified,
)
from pitboss.rules.payouts.claims import Claim, read_claim
from pitboss.rules.payouts.outcome import outcome_sentence
from pitboss.rules.people.languages import ENGLISH
from pitboss.rules.refusal import CONFLICT, Refusal, refuse
from pitboss.rules.rounds.wagers import METERED
from pitboss.rules.said import Said
from pitboss.rules.settings.in_force import SettingsInForce
from pitboss.selectors.table_rules import rules_in_force
from pitboss.services import house
from pitboss.services.once import GivenAnswer, RequestKey, as_text, replayed
from pitboss.translating import in_language
from tables.models import Dealing, PayoutCheck
from tables.selectors.past_rules import rules_at, was_closed
from tables.services.in_force import meters_of, settings_of, tax_of, terms_of, tray_of
from tables.services.table_orders import orders_at
from tables.services.terminals import Terminal

# A payout keyed longer ago than this came late: the line was down.
LATE_AFTER = timedelta(seconds=30)
# How long ago it may have been keyed; what is older belongs on paper.
KEYED_WITHIN = timedelta(hours=24)


# The check and the answer kept for a resend: one statement is one transaction, and one way to the
# database and back. The check's own number leads the answer.
_STORE_SQL: Final = """
    WITH stored AS (
        INSERT INTO tables_payoutcheck
            (table_id, terminal_id, dealer_id, at, keyed_at, wager, verdict, stake_cents,
             paid_cents, payable_cents, corrects_id, claim, answer)
        VALUES (%(table)s, %(terminal)s, %(dealer)s, %(at)s, %(keyed_at)s, %(wager)s, %(verdict)s,
                %(stake_cents)s, %(paid_cents)s, %(payable_cents)s, %(corrects)s, %(claim)s,
                %(answer)s)
        RETURNING id
    )
    INSERT INTO pitboss_storedanswer (device_id, key, request_hash, status, at, answer)
    SELECT %(terminal)s::bigint, %(key)s, %(request_hash)s, %(status)s::integer, %(at)s,
           concat('{"check":', stored.id, ',', %(rest)s::text)
    FROM stored
    RETURNING answer
"""
CREATED: Final = 201


def check(request_key: RequestKey, *, terminal: Terminal, keyed: Mapping[str, Any]) -> GivenAnswer:
    """Judge a payout, store it and answer, once for each key. Raises Refused."""
    return replayed(request_key, lambda: store(request_key, terminal=terminal, keyed=keyed))


def store(
    request_key: RequestKey,
    *,
    terminal: Terminal,
    keyed: Mapping[str, Any],
    corrects: PayoutCheck | None = None,
) -> GivenAnswer:
    """Judge a payout and store it with its answer, in one statement. Raises Refused."""
    now = house.now()
    sent = dict(keyed)
    keyed_at = keyed_late(sent.pop("keyed_at", None), now)
    claim = read_claim(sent)
    verdict = _judge(terminal, claim, now, keyed_at)
    answer = verdict.as_answer()
    told = _told(terminal.table.name, claim.wager, claim.stake_cents, claim.seat, now, keyed_at)
    row = prepared(
        _STORE_SQL,
        {
            "table": terminal.table.pk,
            "terminal": terminal.device.pk,
            "dealer": dealer_then(terminal, keyed_at),
            "at": now,
            "keyed_at": keyed_at,
            "wager": claim.wager,
            "verdict": verdict.verdict.value,
            "stake_cents": claim.stake_cents,
            "paid_cents": claim.paid_cents,
            "payable_cents": verdict.payable_cents,
            "corrects": corrects.pk if corrects else None,
            "claim": as_text(sent),
            "answer": as_text(answer),
            "key": request_key.key,
            "request_hash": request_key.request_hash,
            "status": CREATED,
            # Without the bracket that the number comes after.
            "rest": as_text(_as_read({**told, **answer}, claim, verdict, request_key.language))[1:],
        },
    )
    assert row is not None, "a check that is stored returns its answer"
    (text,) = row
    count_verdict(verdict.verdict.value)
    return GivenAnswer(CREATED, text)


def _as_read(
    answer: Mapping[str, Any], claim: Claim, verdict: PayoutVerdict, language: str
) -> Mapping[str, Any]:
    """Return an answer in the language of the terminal; what is stored of a check is English."""
    if language == ENGLISH:
        return answer
    return in_language({**answer, "working": outcome_sentence(claim, verdict)}, language)


def stored(
    *,
    terminal: Terminal,
    told: Mapping[str, Any],
    judged_by: TableNow,
    keyed_at: datetime | None,
    faults: Sequence[Refusal] = (),
) -> PayoutCheck:
    """Judge a payout and store it, in the transaction of whoever answers for it. Raises Refused.

    `faults` are of the table that it lies on: with one nothing is verified.
    """
    claim = read_claim(told)
    verdict = not_verified(claim, faults, judged_by) if faults else check_payout(claim, judged_by)
    count_verdict(verdict.verdict.value)
    return PayoutCheck.objects.create(
        table=terminal.table,
        terminal=terminal.device,
        dealer_id=dealer_then(terminal, keyed_at),
        at=house.now(),
        keyed_at=keyed_at,
        wager=claim.wager,
        verdict=verdict.verdict.value,
        stake_cents=claim.stake_cents,
        paid_cents=claim.paid_cents,
        payable_cents=verdict.payable_cents,
        claim=dict(told),
        answer=verdict.as_answer(),
    )


def as_sent(row: PayoutCheck, table: str) -> dict[str, Any]:
    """Return a check as its terminal is told."""
    told = _told(table, row.wager, row.stake_cents, row.claim.get("seat"), row.at, row.keyed_at)
    return {"check": row.pk, **told, **row.answer}


def _told(
    table: str,
    wager: str,
    stake_cents: int,
    seat: int | None,
    at: datetime,
    keyed_at: datetime | None,
) -> dict[str, Any]:
    """Return what an answer says besides its verdict."""
    return {
        "table": table,
        "wager": wager,
        "stake_cents": stake_cents,
        "seat": seat,
        "checked_at": at.isoformat(),
        "keyed_at": keyed_at.isoformat() if keyed_at else None,
    }


def what_if(*, table: Table, keyed: Mapping[str, Any], at: datetime | None) -> PayoutVerdict:
    """Judge a payout that no one makes, now or at a time that is past. Stores nothing.

    Raises Refused.
    """
    now = house.now()
    claim = read_claim(keyed)
    if at is not None and at > now:
        raise refuse(
            "not_yet", "That time is in the future. Its rules aren’t known yet. Check the time."
        )
    the_property = house.the_property()
    in_force = the_property.settings_at(at or now)
    rules = rules_in_force(table, in_force) if at is None else rules_at(table, at, in_force)
    paid_on = (at or now).astimezone(the_property.zone).date()
    meters = _meters(table, claim) if at is None else {}
    terms = TableTerms.of(rules)
    # No one's seat in particular: what was ordered for one seat says nothing about it.
    orders = tuple(
        order
        for order in orders_at(table, at or now)
        if claim.seat is not None or not order.is_by_seat
    )
    return check_payout(claim, _table_now(table, terms, in_force, paid_on, meters, orders))


def _judge(
    terminal: Terminal, claim: Claim, now: datetime, keyed_at: datetime | None
) -> PayoutVerdict:
    if keyed_at is not None:
        return judge_at(terminal, claim, keyed_at)
    return check_payout(claim, table_now(terminal, now, [claim.wager]))


def table_now(terminal: Terminal, now: datetime, wagers: Iterable[str]) -> TableNow:
    """Return what payouts of some wagers are judged against at this moment. Raises Refused."""
    table = terminal.table
    if not table.is_open:
        raise refuse(
            "table_closed", Said("{table} is closed. Open it first.", table=table), CONFLICT
        )
    in_force = settings_of(terminal, now)
    terms = terms_of(terminal, in_force)
    meters = meters_of(table) if any(wager in METERED for wager in wagers) else {}
    paid_on = now.astimezone(terminal.zone).date()
    judged_by = _table_now(table, terms, in_force, paid_on, meters, terminal.orders_at(now))
    return replace(judged_by, is_dealt=True)


def judge_at(terminal: Terminal, claim: Claim, at: datetime) -> PayoutVerdict:
    """Judge a payout by the rules of its own time, and on no meters: they have moved on since."""
    return check_payout(claim, table_then(terminal, at))


def table_then(terminal: Terminal, at: datetime) -> TableNow:
    """Return what payouts of a time that is past are judged against. Raises Refused."""
    if was_closed(terminal.table, at):
        raise refuse(
            "table_closed_then",
            Said(
                "{table} was closed at that time. If it was opened on paper, enter its opener "
                "first, then send this again.",
                table=terminal.table,
            ),
            CONFLICT,
        )
    in_force = house.settings_at(at)
    terms = TableTerms.of(rules_at(terminal.table, at, in_force))
    paid_on = at.astimezone(terminal.zone).date()
    orders = orders_at(terminal.table, at)
    judged_by = _table_now(terminal.table, terms, in_force, paid_on, {}, orders)
    return replace(judged_by, is_dealt=True)


def _meters(table: Table, claim: Claim) -> Mapping[str, int]:
    return meters_of(table) if claim.wager in METERED else {}


def _table_now(
    table: Table,
    terms: TableTerms,
    in_force: SettingsInForce,
    paid_on: date,
    meters: Mapping[str, int],
    orders: tuple[Order, ...],
) -> TableNow:
    return TableNow(
        terms=terms,
        tray=tray_of(table),
        paid_on=paid_on,
        meters=meters,
        cut=in_force.cut_options,
        levels=in_force.level_terms,
        tax=tax_of(in_force),
        orders=orders,
    )


def dealer_then(terminal: Terminal, keyed_at: datetime | None) -> int | None:
    """Return who dealt when something was keyed: now, or then if it comes late."""
    if keyed_at is None:
        return terminal.dealer_id
    dealings = Dealing.objects.filter(table=terminal.table, began_at__lte=keyed_at)
    then = dealings.filter(Q(ended_at=None) | Q(ended_at__gt=keyed_at))
    return then.order_by("-began_at").values_list("dealer_id", flat=True).first()


def keyed_late(keyed: object, now: datetime) -> datetime | None:
    """Return when something was keyed that comes late; none for what comes at once.

    Raises Refused.
    """
    if keyed is None:
        return None
    try:
        at = datetime.fromisoformat(keyed) if isinstance(keyed, str) else None
        at = at.astimezone(UTC) if at is not None and at.tzinfo is not None else None
    except (ValueError, OverflowError):
        at = None
    if at is None:
        raise refuse("bad_time", "keyed_at must be a time with its zone: 2026-05-01T21:47:00Z.")
    if at > now + LATE_AFTER:
        raise refuse("keyed_in_the_future", "keyed_at has not come yet. Set the terminal's clock.")
    if at < now - KEYED_WITHIN:
        raise refuse("keyed_too_long_ago", "This payout is more than a day old. Use a paper slip.")
    return at if now - at > LATE_AFTER else None
