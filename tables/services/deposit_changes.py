"""By how much a correction raises or lowers the deposits of those it is about.

Money that is gone is not taken twice: where a deposit has less left than it should, the cage
manager is asked.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db import models

from inventory.models import DepositAccount, DepositEntry, DepositMove, Patron
from inventory.selectors.deposits import settled_cents
from pitboss.models import Slip
from pitboss.rules.cheques.cheques import format_money
from pitboss.services.exceptions import DEPOSIT_OVERDRAWN, open_exception
from pitboss.slips.correcting import Line

# Whose deposit, which account, and what a slip put into it; less than nothing took it out.
Put = tuple[Patron, DepositAccount, int]


def deposit_changes(was: Put, now: Put) -> list[dict[str, Any]]:
    """Return by how much each deposit rises or falls: that it was of, and that it should be of."""
    change: dict[tuple[int, str], int] = {}
    for (patron, account, cents), sign in ((was, -1), (now, 1)):
        key = (patron.pk, account.value)
        change[key] = change.get(key, 0) + sign * cents
    return [
        {
            "patron": patron,
            "account": account,
            "move": (DepositMove.RAISED if cents > 0 else DepositMove.LOWERED).value,
            "amount_cents": abs(cents),
        }
        for (patron, account), cents in change.items()
        if cents
    ]


def deposit_lines(changes: list[dict[str, Any]]) -> list[Line]:
    """Return what each deposit has before and after."""
    lines = []
    for change in changes:
        patron, account = Patron.objects.get(pk=change["patron"]), DepositAccount(change["account"])
        has = settled_cents(patron, account)
        sign = 1 if change["move"] == DepositMove.RAISED.value else -1
        title = f"{account.label.capitalize()} of {patron}"
        after = has + sign * change["amount_cents"]
        lines.append((title, format_money(has), format_money(max(0, after))))
    return lines


def deposits_changed(
    slip: Slip, patrons: Mapping[int, Patron], usable_at: datetime, at: datetime
) -> list[models.Model]:
    """Change the deposits as a correction says, under their patrons' locks."""
    rows: list[models.Model] = []
    for entry in slip.details["entries"]:
        patron = patrons[entry["patron"]]
        rows.append(
            DepositEntry.objects.create(
                patron=patron,
                account=entry["account"],
                move=entry["move"],
                amount_cents=entry["amount_cents"],
                usable_at=usable_at,
                slip=slip,
                gaming_day=slip.gaming_day,
                shift=slip.shift,
                at=at,
            )
        )
        _flag_overdrawn(slip, patron, DepositAccount(entry["account"]), at)
    return rows


def _flag_overdrawn(slip: Slip, patron: Patron, account: DepositAccount, at: datetime) -> None:
    short = -settled_cents(patron, account)
    if short <= 0:
        return
    open_exception(
        code=DEPOSIT_OVERDRAWN,
        sentence=f"{slip.serial}: {account.label} of {patron} is {format_money(short)} short, "
        "since the money was already used. Collect it, and record how.",
        details={"short_cents": short},
        at=at,
        person=None,
        table=slip.table,
        slip=slip,
    )
