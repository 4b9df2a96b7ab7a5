"""Record the envy of winning hands for the tip pool, and take it back where a hand was wrong.

It follows a confirmed check or a round that ended, by itself; without either the dealer taps it.
Envy of jackpots and big wins is said and paid on their slips, and so is not written here.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, Final

from django.db import transaction
from django.db.models import Q, QuerySet

from pitboss.models import Device, Table
from pitboss.rules.cheques.cheques import format_money
from pitboss.rules.games.games import TableRules, spoken
from pitboss.rules.payouts.envy import TAKEN_BACK_WITHIN, RoundEnvy, envy_of_round, tap_refusals
from pitboss.rules.payouts.jackpots import is_entered
from pitboss.rules.payouts.levels import Level, Payout, level_of
from pitboss.rules.refusal import CONFLICT, Refused, refuse
from pitboss.rules.rounds.reading import read_object
from pitboss.rules.said import Said
from pitboss.rules.settings.in_force import SettingsInForce
from pitboss.rules.wagers.working import row_words
from pitboss.services import house, journal
from pitboss.services.locks import lock_table
from tables.models import EnvyLine, PayoutCheck, PayoutConfirmation, Round
from tables.services.in_force import settings_of, terms_of
from tables.services.terminals import Terminal

_TAPPED: Final = frozenset({"wager", "row", "seat"})
# A hand that was checked is told of by its round soon after, or the other way round.
_SAME_HAND: Final = timedelta(minutes=2)


def envy_of_check(
    confirmation: PayoutConfirmation, *, stands_cents: int, device: Device, at: datetime
) -> EnvyLine | None:
    """Record the envy of a payout that was confirmed, once. None where there is none to pay."""
    check = confirmation.check_of
    cents = check.answer.get("envy_cents") or 0
    # A jackpot's envy goes out with its slip.
    if not cents or not stands_cents or check.answer.get("level") == Level.JACKPOT.value:
        return None
    if EnvyLine.objects.filter(check_of=check).exists():
        return None
    seat, row = check.claim.get("seat"), check.answer["category"]
    if _told_by_round(check.table, check.wager, seat, at):
        return None
    return _write(
        EnvyLine(
            table=check.table,
            terminal=device,
            dealer_id=check.dealer_id,
            wager=check.wager,
            row=row,
            seat=seat,
            amount_cents=cents,
            check_of=check,
        ),
        at,
    )


def take_back_of_check(check: PayoutCheck, *, device: Device, at: datetime) -> None:
    """Take back the envy of a check that was corrected or did not stand."""
    for line in EnvyLine.objects.filter(check_of=check, reverses=None, reversal=None):
        _reverse(line, device=device, at=at)


def envy_of_round_ended(
    round_: Round,
    verdict: Mapping[str, Any],
    rules: TableRules,
    in_force: SettingsInForce,
    *,
    device: Device,
    at: datetime,
) -> None:
    """Record the envy of a round that ended, but what a check of the same hand has recorded."""
    owed = list(envy_of_round(verdict["lines"]))
    if not owed:
        return
    before = Round.objects.filter(table=round_.table_id, ended_at__isnull=False)
    last = before.exclude(pk=round_.pk).order_by("-started_at").first()
    since = min(round_.started_at, at - _SAME_HAND)
    if last is not None and last.ended_at is not None:
        since = max(since, last.ended_at)
    for found in owed:
        if _is_on_a_slip(found, verdict, rules, in_force):
            continue
        recorded = _standing(round_.table).filter(at__gt=since, wager=found.wager, round=None)
        if recorded.filter(Q(seat=found.seat) | Q(seat=None)).exists():
            continue
        _write(
            EnvyLine(
                table=round_.table,
                terminal=device,
                dealer_id=round_.dealer_id,
                wager=found.wager,
                row=found.row,
                seat=found.seat,
                amount_cents=found.amount_cents,
                round=round_,
            ),
            at,
        )


def _is_on_a_slip(
    found: RoundEnvy, verdict: Mapping[str, Any], rules: TableRules, in_force: SettingsInForce
) -> bool:
    """Tell whether a winning bet of a round is entered as a jackpot or a big win."""
    line = next(
        item
        for item in verdict["lines"]
        if (item["seat"], item["wager"], item.get("category"))
        == (found.seat, found.wager, found.row)
    )
    payout = Payout(
        amount_cents=line["payout_cents"],
        wager_cents=line["staked_cents"],
        is_entered=is_entered(rules.side_bets[found.wager].table(found.wager), found.row),
    )
    return level_of(payout, in_force.level_terms) in (Level.BIG_WIN, Level.JACKPOT)


def _told_by_round(table: Table, wager: str, seat: int | None, at: datetime) -> bool:
    """Tell whether the round of this hand has ended and recorded its envy."""
    lines = _standing(table).filter(round__isnull=False, wager=wager, at__gt=at - _SAME_HAND)
    if seat is not None:
        lines = lines.filter(seat=seat)
    last = Round.objects.filter(table=table).order_by("-started_at").first()
    return last is not None and lines.filter(round=last).exists()


def _standing(table: Table) -> QuerySet[EnvyLine]:
    return EnvyLine.objects.filter(table=table, reverses=None, reversal=None)


@transaction.atomic(savepoint=False)
def tap_envy(*, terminal: Terminal, told: Mapping[str, Any]) -> dict[str, Any]:
    """Record envy that no check or round tells of: the dealer taps its row. Raises Refused."""
    fields = read_object(told, "Envy", _TAPPED)
    table = lock_table(terminal.table.pk)
    now = house.now()
    if not table.is_open:
        raise refuse(
            "table_closed",
            Said("{table} is closed. Nothing is paid there. Check the table.", table=table),
            CONFLICT,
        )
    terms = terms_of(terminal, settings_of(terminal, now))
    wager, row = str(fields.get("wager")), str(fields.get("row"))
    seat = fields.get("seat")
    if seat is not None and (type(seat) is not int or not 1 <= seat <= 500):
        raise refuse("bad_seat", "seat must be the number of a seat.")
    if refusals := tap_refusals(terms.paytables, wager, row):
        raise Refused(refusals)
    if is_entered(terms.paytables[wager], row):
        words = "This hand is a jackpot. Its slip pays the envy."
        raise refuse("paid_on_its_slip", words, CONFLICT)
    line = EnvyLine(
        table=table,
        terminal=terminal.device,
        dealer_id=terminal.dealer_id,
        wager=wager,
        row=row,
        seat=seat,
        amount_cents=terms.paytables[wager].envy_cents[row],
    )
    return as_sent(_write(line, now))


@transaction.atomic(savepoint=False)
def take_back(*, terminal: Terminal, line_id: int) -> dict[str, Any]:
    """Take back envy that the dealer tapped by mistake. Raises Refused."""
    table = lock_table(terminal.table.pk)
    now = house.now()
    line = EnvyLine.objects.filter(pk=line_id, table=table, reverses=None).first()
    if line is None:
        raise refuse("unknown_envy", "Envy not found at this table. Check its number.")
    if EnvyLine.objects.filter(reverses=line).exists():
        raise refuse(
            "already_reversed", "This envy is already reversed. Nothing more is needed.", CONFLICT
        )
    if line.check_of_id is not None or line.round_id is not None:
        raise refuse(
            "envy_of_a_check", "This envy came with its payout. Correct the check instead."
        )
    if now - line.at > TAKEN_BACK_WITHIN:
        raise refuse("envy_too_old", "This envy is too old to reverse. Call the supervisor.")
    return as_sent(_reverse(line, device=terminal.device, at=now))


def _reverse(line: EnvyLine, *, device: Device, at: datetime) -> EnvyLine:
    back = EnvyLine(
        table=line.table,
        terminal=device,
        dealer_id=line.dealer_id,
        wager=line.wager,
        row=line.row,
        seat=line.seat,
        amount_cents=-line.amount_cents,
        check_of_id=line.check_of_id,
        round_id=line.round_id,
        reverses=line,
    )
    return _write(back, at)


def _write(line: EnvyLine, at: datetime) -> EnvyLine:
    """Store a line of the shift's tip pool list, with its entry in the journal."""
    when = house.period_at(at)
    line.at, line.gaming_day, line.shift = at, when.gaming_day, when.shift
    line.save(force_insert=True)
    journal.write(
        chain=journal.chain_of(line.table, journal.HOUSE),
        kind="envy_reversed" if line.reverses_id else "envy_paid",
        body={"envy": line.pk, "says": words_of(line), "amount_cents": line.amount_cents},
        at=at,
        person=line.dealer,
        device=line.terminal,
        rows=[line],
    )
    return line


def words_of(line: EnvyLine) -> str:
    """Say a line of the tip pool list in words."""
    seat = f", seat {line.seat}" if line.seat else ""
    amount = format_money(abs(line.amount_cents))
    return f"{amount} on {spoken(line.wager)}, {row_words(line.row).lower()}{seat}"


def as_sent(line: EnvyLine) -> dict[str, Any]:
    """Return a line of the tip pool list as its terminal is told."""
    return {
        "envy": line.pk,
        "wager": line.wager,
        "row": line.row,
        "seat": line.seat,
        "amount_cents": line.amount_cents,
        "says": words_of(line),
        "at": line.at.isoformat(),
        "takes_back": line.reverses_id,
    }
