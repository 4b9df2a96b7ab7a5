"""A finished deposit, withdrawal or draw of front money put right: whose, from where, how much.

What it did to a deposit is taken back and done as it should have been; where both are of one
deposit the difference is. Its cash goes from the log of one person to that of the other, on its own
day, and its cheques as a marker's or a payment's do. Money that is gone is not taken twice: where a
deposit has less left than it should, the cage manager is asked.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Self

from django.db import models

from inventory.kinds.carrying import CHEQUES
from inventory.kinds.marker import OWED_READERS
from inventory.kinds.of_a_patron import DollarAmount
from inventory.models import CashEntry, DepositAccount, DepositEntry, DepositMove, Holder, Patron
from inventory.services.cash_log import log_cash, reverse_cash
from inventory.services.ledger import lock_public
from pitboss.middleware import PitRequest
from pitboss.models import Signature, Slip
from pitboss.rules.cheques.cheques import format_money, total_cents
from pitboss.rules.day.late_papers import LATE_DEPOSIT, LATE_DRAW, LATE_WITHDRAWAL
from pitboss.rules.floor.fields import Pick
from pitboss.rules.flows.corrections import DEPOSIT_CORRECTION as CORRECTION_OF_A_DEPOSIT
from pitboss.rules.flows.corrections import parted
from pitboss.rules.flows.flows import Promise
from pitboss.rules.patrons.cash_log import CashKind
from pitboss.rules.patrons.credit_line import AMOUNT_MAX_CENTS
from pitboss.rules.refusal import Refusal, Refused
from pitboss.rules.roles import AT_THE_CAGE, Place, Role
from pitboss.services.drafts import NewSlip
from pitboss.slips.correcting import (
    CHECKED,
    CorrectionForm,
    Line,
    chain_of,
    checked,
    cheque_lines,
    cheques_asked,
    correcting_kind,
    correction_page,
    days_of,
    declined_by,
    details_of,
    facts_of,
    original_of,
    refusals_of,
    root_of,
    steps_of,
)
from pitboss.slips.kind import Look, Raising
from pitboss.slips.late import true_time_of
from tables.kinds.on_another_patron import (
    begun,
    lock_both,
    locked,
    other_patron,
    right_patron,
    search,
)
from tables.selectors.tray_past import (
    cage_count_after,
    cage_count_since,
    count_that_saw,
    place_in_tray,
)
from tables.services.deposit_changes import (
    Put,
    deposit_changes,
    deposit_lines,
    deposits_changed,
)
from tables.services.restated import figures_of, restated_days, win_change, win_lines
from tables.services.restating import Since, counting_refusals, post_restated

_DEPOSITS: Final = ("front_deposit", LATE_DEPOSIT)
_WITHDRAWALS: Final = ("front_withdrawal", LATE_WITHDRAWAL)
_DRAWS: Final = ("front_draw", LATE_DRAW)
_LATE: Final = (LATE_DEPOSIT, LATE_WITHDRAWAL, LATE_DRAW)
_ACCOUNTS: Final = {
    deposit_account.value: deposit_account.label.capitalize() for deposit_account in DepositAccount
}
_ACCOUNT: Final = Pick(name="account", label="Account", choices=_ACCOUNTS, is_needed=False)


@dataclass(frozen=True, slots=True)
class _Moved:
    """What a slip, or its newest correction, did to a deposit."""

    patron: Patron
    account: DepositAccount
    amount_cents: int
    cheques: Mapping[int, int]

    @classmethod
    def of(cls, slip: Slip) -> Self:
        details = slip.details
        cheques = slip.cheques_by_cents
        return cls(
            Patron.objects.get(pk=details["patron"]),
            DepositAccount(details.get("account", DepositAccount.FRONT_MONEY.value)),
            details.get("amount_cents", total_cents(cheques)),
            cheques,
        )


def _says(slip: Slip) -> Patron:
    return Patron.objects.get(pk=slip.details["patron"])


def _patron(raising: Raising) -> Patron:
    return right_patron(raising, _says)


def _locked(raising: Raising) -> Raising:
    return locked(raising, _patron(raising), _says(original_of(raising)))


def _has_cheques(root: Slip) -> bool:
    """Tell whether a slip moved cheques: a draw does, and a deposit that was brought in them."""
    return root.kind in _DRAWS or root.details.get("means") == "cheques"


def _is_cash(root: Slip) -> bool:
    return root.kind in _WITHDRAWALS or root.details.get("means") == "cash"


def _happened(root: Slip) -> datetime:
    if root.kind in _LATE:
        return true_time_of(root)
    return root.signatures.latest("id").signed_at


def _now(raising: Raising) -> _Moved:
    original = original_of(raising)
    was, given, root = _Moved.of(original), raising.given, root_of(original)
    cheques = dict(raising.cheques) if _has_cheques(root) else {}
    amount = total_cents(cheques) if _has_cheques(root) else given.get("amount", was.amount_cents)
    account = given.get("account", was.account.value) if root.kind not in _DRAWS else "front_money"
    return _Moved(_patron(raising), DepositAccount(account), amount, cheques)


def _lines(raising: Raising) -> list[Line]:
    was, now = _Moved.of(original_of(raising)), _now(raising)
    *cheques, _ = cheque_lines(was.cheques, now.cheques)
    return [
        ("Patron", str(was.patron), str(now.patron)),
        ("Account", was.account.label.capitalize(), now.account.label.capitalize()),
        *cheques,
        ("Amount", format_money(was.amount_cents), format_money(now.amount_cents)),
    ]


def _put(root: Slip, moved: _Moved) -> Put:
    sign = 1 if root.kind in _DEPOSITS else -1
    return moved.patron, moved.account, sign * moved.amount_cents


def _cash_logged(original: Slip) -> CashEntry | None:
    """Return the entry of the cash log that the slip stands in now."""
    kinds = (CashKind.DEPOSIT.value, CashKind.WITHDRAWAL.value)
    return (
        CashEntry.objects.filter(slip__in=chain_of(original), kind__in=kinds)
        .filter(reverses=None, reversed_by=None)
        .select_related("patron", "stranger", "table")
        .last()
    )


def _drafted(raising: Raising) -> NewSlip:
    original = original_of(raising)
    root, table = root_of(original), original.table
    was, now = _Moved.of(original), _now(raising)
    changes = deposit_changes(_put(root, was), _put(root, now))
    days, figures = [root.gaming_day], {}
    restated = deposit_lines(changes)
    if table is not None:
        moved = {"markers": now.amount_cents - was.amount_cents}
        days = restated_days(table, root, place_in_tray(root))
        restated += win_lines(table, dict.fromkeys(days, win_change(moved)))
        figures = figures_of(table, root, moved)
    logged = _cash_logged(original)
    stands = (
        logged is not None
        and logged.patron == now.patron
        and logged.amount_cents == now.amount_cents
    )
    return NewSlip(
        raising.kind.kind,
        table.pk if table else None,
        dict(now.cheques),
        original.pk,
        details={
            **details_of(raising, _lines(raising), days, restated),
            **figures,
            "about": f"{root.serial}, {format_money(now.amount_cents)}",
            "patron": now.patron.pk,
            "patron_name": now.patron.full_name,
            "account": now.account.value,
            "amount_cents": now.amount_cents,
            "entries": changes,
            "logs_cash": _is_cash(root) and bool(now.amount_cents) and not stands,
            "entry": logged.pk if logged is not None and not stands else None,
        },
    )


def _refusals(raising: Raising) -> list[Refusal]:
    refusals = refusals_of(raising, _lines(raising))
    if not 0 <= _now(raising).amount_cents <= AMOUNT_MAX_CENTS:
        refusals.append(Refusal("bad_amount", "Enter what it should have been, $0 or more."))
    return refusals


def _posted(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """Move deposits, cash and cheques to where they should have gone. Raises Refused."""
    checked(slip, signature, at)
    assert slip.refers_to is not None, "a correction is of a finished slip"
    original, root = slip.refers_to, root_of(slip)
    patrons = lock_both(slip.details["patron"], _says(original))
    rows = deposits_changed(slip, patrons, _usable_at(root, at), at)
    rows += _cash_moved(slip, root, patrons[slip.details["patron"]], signature, at)
    if _has_cheques(root):
        rows += _cheques_moved(slip, original, signature, at)
    return rows


def _usable_at(root: Slip, at: datetime) -> datetime:
    """Return from when it can be used: a check that was deposited clears when it did before."""
    if root.kind not in _DEPOSITS:
        return at
    entry = DepositEntry.objects.filter(slip=root, move=DepositMove.DEPOSITED).first()
    return max(at, entry.usable_at) if entry is not None else at


def _cash_moved(
    slip: Slip, root: Slip, patron: Patron, signature: Signature, at: datetime
) -> list[models.Model]:
    """Reverse the cash that was logged wrong, and log it as it was, on its own day."""
    rows: list[models.Model] = []
    if slip.details["entry"] is not None:
        entries = CashEntry.objects.select_related("patron", "stranger", "table")
        rows += reverse_cash(entries.get(pk=slip.details["entry"]), slip, signature, at)
    if slip.details["logs_cash"]:
        rows += log_cash(
            patron=patron,
            kind=CashKind.DEPOSIT if root.kind in _DEPOSITS else CashKind.WITHDRAWAL,
            amount_cents=slip.details["amount_cents"],
            slip=slip,
            signature=signature,
            at=_happened(root),
        )
    return rows


def _cheques_moved(
    slip: Slip, original: Slip, signature: Signature, at: datetime
) -> list[models.Model]:
    """Move what was brought to the cage, or left a tray, by more or by less."""
    root, table = root_of(slip), slip.table
    more, less = parted(original.cheques_by_cents, slip.cheques_by_cents)
    lock_public()
    if table is not None:
        since = Since(count_that_saw(table, root))
        gave, got = Holder.TRAY, Holder.PUBLIC
    else:
        is_late = root.kind in _LATE
        since = Since(
            cage=cage_count_since(true_time_of(root)) if is_late else cage_count_after(root)
        )
        gave, got = Holder.PUBLIC, Holder.CAGE
    if refusals := counting_refusals(since.cage):
        raise Refused(refusals)
    return [
        *post_restated(slip, more, gave, got, since=since, signature=signature, at=at),
        *post_restated(slip, less, got, gave, since=since, signature=signature, at=at),
    ]


def _look(request: PitRequest, raising: Raising, refused: Refused | None) -> Look:
    original = original_of(raising)
    root, was = root_of(original), _Moved.of(original)
    asked = CorrectionForm(
        about=f"{original.title}, {_patron(raising)}",
        approves="The cage manager approves it.",
        lines=cheques_asked(was.cheques)
        if _has_cheques(root)
        else [("amount", "Amount", True, format_money(was.amount_cents))],
        fields=() if root.kind in _DRAWS else (_ACCOUNT,),
        values={"account": was.account.value},
        other=other_patron(raising),
    )
    return correction_page(request, raising, refused, asked)


DEPOSIT_CORRECTION = correcting_kind(
    CORRECTION_OF_A_DEPOSIT,
    title="Deposit correction",
    at_a_table=False,
    open_to=AT_THE_CAGE,
    lit_by="patrons",
    refers_to=(*_DEPOSITS, *_WITHDRAWALS, *_DRAWS, CORRECTION_OF_A_DEPOSIT),
    asked=(CHEQUES, DollarAmount(name="amount", label="Amount ($)", is_needed=False), _ACCOUNT),
    begins=lambda request, raising: begun(request, raising, _says),
    chooses=search,
    locks=_locked,
    facts=lambda raising: facts_of(days_of(raising)),
    refusals=_refusals,
    drafted=_drafted,
    steps=steps_of(Role.CASHIER, Role.CAGE_MANAGER, at=Place.CAGE),
    void=declined_by(Role.CAGE_MANAGER, Role.CASHIER),
    at_end="deposit_correction_posted",
    effects={CHECKED: checked, "deposit_correction_posted": _posted},
    readers=OWED_READERS,
    promises=(Promise(2, 1), Promise(3, 2, having="restated")),
    look=_look,
    raised=lambda slip: f"{slip.serial} proposed. The cage manager approves it.",
)
