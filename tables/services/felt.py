"""A whole round on the dealer's felt: what is owed at every seat, and what was paid at its end."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

from django.db import transaction

from pitboss.models import Person
from pitboss.rules import facts
from pitboss.rules.games.games import spoken
from pitboss.rules.payouts.check import TableNow
from pitboss.rules.payouts.levels import MustCheck
from pitboss.rules.refusal import refuse
from pitboss.rules.rounds.felt import FeltLine, felt_answer, read_felt, unchecked
from pitboss.rules.rounds.reading import read_list, read_object
from pitboss.rules.rounds.told import FeltPayout, fields_of
from pitboss.rules.said import Said
from pitboss.services import house
from pitboss.services.exceptions import BETS_UNCHECKED, open_exception
from pitboss.services.locks import lock_table
from tables.services.checks import as_sent, keyed_late, stored, table_now, table_then
from tables.services.mismatches import confirm_paid
from tables.services.terminals import Terminal

_PAID: Final = fields_of(FeltPayout)
_PAID_MOST: Final = 60
_SAID: Final = ("already_paid", "unchecked")


def owed(*, terminal: Terminal, told: Mapping[str, Any]) -> dict[str, Any]:
    """Return what every bet on the felt is owed now. Stores nothing. Raises Refused."""
    now = house.now()
    return felt_answer(read_felt(told, table_now(terminal, now, _wagers(told))))


@transaction.atomic(savepoint=False)
def end(*, terminal: Terminal, told: Mapping[str, Any]) -> dict[str, Any]:
    """Store what was paid on the felt: a check and its confirmation for each bet. Raises Refused.

    What was paid is told as it was shown; it is judged anew, so what the terminal had wrong differs
    and goes to the supervisor like any other payout.
    """
    lock_table(terminal.table.pk)
    now = house.now()
    sent = dict(told)
    keyed = sent.pop("keyed_at", None)
    keyed_at = keyed_late(keyed, now)
    is_out, is_accepted = (facts.flag(sent, name) for name in _SAID)
    for name in _SAID:
        sent.pop(name, None)
    payouts = read_list(sent.pop("paid", []), "paid", most=_PAID_MOST)
    judged_by = (
        table_now(terminal, now, _wagers(sent))
        if keyed_at is None
        else table_then(terminal, keyed_at)
    )
    lines: dict[tuple[object, ...], FeltLine] = {
        (line.seat, line.wager, line.hand): line for line in read_felt(sent, judged_by)
    }
    must = MustCheck(house.settings_at(keyed_at or now)["felt.must_check"])
    seats = unchecked(lines.values(), must, judged_by.terms.rules)
    if seats:
        _demand_checked(terminal, seats, now, is_accepted=is_accepted or keyed_at is not None)
    answers = []
    for entry in payouts:
        paid = read_object(entry, "A payout", _PAID)
        key = tuple(_plain(paid.get(name)) for name in ("seat", "wager", "hand"))
        line = lines.pop(key, None)
        if line is None:
            raise refuse(
                "no_such_bet",
                Said(
                    "{wager} at seat {seat} isn’t on this felt, or was sent twice. Check the bet.",
                    wager=Said(spoken(str(paid.get("wager"))[:24])),
                    seat=str(paid.get("seat"))[:4],
                ),
            )
        answers.append(_paid(terminal, line, paid.get("paid_cents"), judged_by, keyed, is_out))
    return {"paid": answers}


def _paid(
    terminal: Terminal,
    line: FeltLine,
    paid_cents: object,
    judged_by: TableNow,
    keyed: object,
    is_out: bool,
) -> dict[str, Any]:
    now = house.now()
    check = stored(
        terminal=terminal,
        told={**line.told, "paid_cents": paid_cents},
        judged_by=judged_by,
        keyed_at=keyed_late(keyed, now),
        faults=line.faults,
    )
    fields = {"paid_cents": paid_cents, "already_paid": is_out}
    if keyed is not None:
        fields["keyed_at"] = keyed
    confirmed = confirm_paid(terminal=terminal, check=check, told=fields)
    return {
        "seat": check.claim["seat"],
        "wager": check.wager,
        "hand": check.claim.get("hand"),
        "verdict": check.verdict,
        "payable_cents": check.payable_cents,
        **confirmed,
        "claim": check.claim,
        "answer": as_sent(check, terminal.table.name),
    }


def _demand_checked(
    terminal: Terminal, seats: list[int], now: datetime, *, is_accepted: bool
) -> None:
    """Refuse a round with bets unchecked, or tell the supervisor of it where it has ended so."""
    dealer_id = terminal.dealer_id
    listed = ", ".join(map(str, seats))
    which = Said("seats {listed}" if len(seats) > 1 else "seat {listed}", listed=listed)
    if not is_accepted:
        raise refuse(
            "bets_unchecked",
            Said("Not checked: {which}. Enter the cards, or end the round unchecked.", which=which),
        )
    open_exception(
        code=BETS_UNCHECKED,
        sentence=f"{terminal.table}: a round ended unchecked. {which.capitalize()}.",
        details={"seats": seats},
        at=now,
        person=Person.objects.get(pk=dealer_id) if dealer_id is not None else None,
        table=terminal.table,
    )


def _wagers(fields: Mapping[str, Any]) -> list[str]:
    """Return the wagers on a felt that was not read yet, to know which meters it needs."""
    seats = fields.get("seats")
    bets = [
        bet
        for seat in (seats if isinstance(seats, list) else [])
        if isinstance(seat, Mapping) and isinstance(seat.get("bets"), list)
        for bet in seat["bets"]
    ]
    return [bet["wager"] for bet in bets if isinstance(bet, Mapping) and bet.get("wager")]


def _plain(value: object) -> object:
    """Return what may be looked up; anything else is no seat, wager or hand of a felt."""
    return value if isinstance(value, str | int | None) else ""
