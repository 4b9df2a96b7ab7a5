"""Front money and safekeeping that moved on paper in an outage: deposited, withdrawn, or drawn.

The patron has signed the form and the money has changed hands, so it is posted whatever the deposit
holds now: what was taken beyond it is flagged for the cage manager, who looks for a deposit that is
still to be entered. A draw at a table left the tray at its time, as a marker does.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any, Final

from django.db import models

from inventory.kinds.carrying import CHEQUES
from inventory.kinds.deposits import (
    DEPOSIT_ASKED,
    FRONT_DEPOSIT,
    FRONT_WITHDRAWAL,
    WITHDRAWAL_ASKED,
    brought_refusals,
    deposit_details,
    deposit_entry,
    usable_from,
    withdrawal_details,
)
from inventory.kinds.front_draw import FRONT_DRAW
from inventory.kinds.marker import OWED_READERS
from inventory.kinds.of_a_patron import (
    back_to_choice,
    of_chosen_patron,
    patron_choice,
    patron_locked,
    patron_of,
)
from inventory.models import DepositAccount, DepositMove, Holder, Patron
from inventory.selectors.deposits import usable_cents
from inventory.services.cash_log import log_cash
from inventory.services.exclusion import Compared, keep_comparison
from inventory.services.ledger import lock_public
from inventory.services.patrons import lock_patron
from pitboss.models import Signature, Slip
from pitboss.rules.cheques.cheques import format_money, total_cents
from pitboss.rules.day import late_papers
from pitboss.rules.patrons.cash_log import CashKind
from pitboss.rules.patrons.credit_line import AMOUNT_MAX_CENTS, amount_refusals
from pitboss.rules.patrons.exclusion import Moment
from pitboss.rules.patrons.payment_means import DepositedIn
from pitboss.rules.refusal import Refusal, Refused
from pitboss.services.drafts import NewSlip
from pitboss.services.exceptions import LATE_OVERDRAWN, open_exception
from pitboss.slips.kind import Raising
from pitboss.slips.late import (
    FROM_PAPER,
    entered_time,
    form_entered,
    on_paper,
    paper_details,
    paper_refusals,
    true_time_of,
)
from tables.kinds.late_page import OF_THE_CAGE, closed_day, late_kind, late_look_of_patron
from tables.selectors.tray_past import cage_count_since
from tables.services.contradictions import name_contradictions
from tables.services.restating import (
    Since,
    counting_refusals,
    post_restated,
    post_with_the_public,
)

_WRITES: Final = ("Patron, card", "ID", "Account", "Amount in words")


def _new(raising: Raising, details: Mapping[str, Any]) -> NewSlip:
    return NewSlip(
        raising.kind.kind,
        raising.table.pk if raising.table else None,
        raising.cheques,
        details={**details, **paper_details(raising)},
        happened_at=entered_time(raising),
    )


def _form_refusals(raising: Raising) -> list[Refusal]:
    paper = raising.kind.on_paper
    assert paper is not None, "it is entered from a form"
    return [*paper_refusals(raising, paper.code), *closed_day(raising)]


def _drafted_deposit(raising: Raising) -> NewSlip:
    return _new(raising, {"what": "deposit", **deposit_details(raising)})


def _deposit_refusals(raising: Raising) -> list[Refusal]:
    return [*_form_refusals(raising), *brought_refusals(raising)]


def _deposited(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """Take a deposit in at its time; its cheques went to the cage then. Raises Refused."""
    means, true_time = DepositedIn(slip.details["means"]), true_time_of(slip)
    patron = lock_patron(slip.details["patron"])
    _keep_compared(patron, Moment.DEPOSIT, slip, at)
    rows: list[models.Model] = []
    if means is DepositedIn.CHEQUES:
        lock_public()
        cage = cage_count_since(true_time)
        if refusals := counting_refusals(cage):
            raise Refused(refusals)
        rows += post_restated(
            slip,
            slip.cheques_by_cents,
            Holder.PUBLIC,
            Holder.CAGE,
            since=Since(cage=cage),
            signature=signature,
            at=at,
        )
    if means is DepositedIn.CASH:
        rows += _logged(patron, CashKind.DEPOSIT, slip, signature)
    usable_at = usable_from(means, true_time)
    entry = deposit_entry(slip, patron, DepositMove.DEPOSITED, at, usable_at)
    return [*rows, entry, *form_entered(slip, at)]


def _drafted_withdrawal(raising: Raising) -> NewSlip:
    return _new(raising, {"what": "withdrawal", **withdrawal_details(raising)})


def _withdrawal_refusals(raising: Raising) -> list[Refusal]:
    refusals = _form_refusals(raising)
    if not 0 < raising.given["amount"] <= AMOUNT_MAX_CENTS:
        refusals.append(
            Refusal("bad_amount", "Amount must be more than $0. Enter what was withdrawn.")
        )
    return refusals


def _withdrawn(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """Take a withdrawal off the deposit: the cash left the cage then."""
    patron = lock_patron(slip.details["patron"])
    _keep_compared(patron, Moment.WITHDRAWAL, slip, at)
    _flag_overdrawn(patron, slip, at)
    logged = _logged(patron, CashKind.WITHDRAWAL, slip, signature)
    entry = deposit_entry(slip, patron, DepositMove.WITHDRAWN, at, at)
    return [*logged, entry, *form_entered(slip, at)]


def _drafted_draw(raising: Raising) -> NewSlip:
    patron, amount_cents = patron_of(raising), total_cents(raising.cheques)
    return _new(
        raising,
        {
            "what": "front_draw",
            "about": str(patron),
            "patron": patron.pk,
            "patron_name": patron.full_name,
            "player_card": patron.player_card,
            "account": DepositAccount.FRONT_MONEY.value,
            "amount_cents": amount_cents,
            "says": [
                ["Patron", patron.full_name],
                ["Drawn from front money", format_money(amount_cents)],
            ],
        },
    )


def _draw_refusals(raising: Raising) -> list[Refusal]:
    amount_cents = total_cents(raising.cheques)
    return [*_form_refusals(raising), *amount_refusals(amount_cents, raising.cheques)]


def _drawn(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """Take a draw off front money, and its cheques out of the tray at their time."""
    patron = lock_patron(slip.details["patron"])
    _keep_compared(patron, Moment.WITHDRAWAL, slip, at)
    _flag_overdrawn(patron, slip, at)
    entry = deposit_entry(slip, patron, DepositMove.DRAWN, at, at)
    moved = post_with_the_public(
        slip, gave=Holder.TRAY, got=Holder.PUBLIC, signature=signature, at=at
    )
    name_contradictions(slip, signature, at)
    return [entry, *moved, *form_entered(slip, at)]


def _keep_compared(patron: Patron, moment: Moment, slip: Slip, at: datetime) -> None:
    """It was done on paper: nothing is stopped, but the case opens."""
    keep_comparison(Compared(patron, moment, at, slip.table, slip), is_past=True)


def _flag_overdrawn(patron: Patron, slip: Slip, at: datetime) -> None:
    account, cents = DepositAccount(slip.details["account"]), slip.details["amount_cents"]
    over = cents - usable_cents(patron, account, at)
    if over <= 0:
        return
    open_exception(
        code=LATE_OVERDRAWN,
        sentence=f"{slip.serial} took {format_money(over)} more in an outage than {patron} can use "
        f"of {account.label}. Check for a deposit that isn’t entered yet.",
        details={"over_cents": over},
        at=at,
        person=None,
        table=slip.table,
        slip=slip,
    )


def _logged(patron: Patron, kind: CashKind, slip: Slip, signature: Signature) -> list[models.Model]:
    """Log cash that changed hands in an outage, in the sums of its own day."""
    return log_cash(
        patron=patron,
        kind=kind,
        amount_cents=slip.details["amount_cents"],
        slip=slip,
        signature=signature,
        at=true_time_of(slip),
    )


LATE_DRAW = late_kind(
    late_papers.LATE_DRAW,
    title="Late front money at a table",
    begins=of_chosen_patron,
    chooses=patron_choice,
    locks=patron_locked,
    asked=(CHEQUES, *FROM_PAPER),
    refusals=_draw_refusals,
    drafted=_drafted_draw,
    posted=_drawn,
    readers=OWED_READERS,
    on_paper=on_paper(
        "FT",
        FRONT_DRAW,
        writes=("Patron, card", "ID", "Amount in words", "Front money, by the cage"),
        is_money=True,
    ),
    look=late_look_of_patron,
    heading=lambda raising: f"Late front money, {raising.table}",
    back=back_to_choice,
)
LATE_WITHDRAWAL = replace(
    LATE_DRAW,
    kind=late_papers.LATE_WITHDRAWAL,
    title="Late withdrawal",
    asked=(*WITHDRAWAL_ASKED, *FROM_PAPER),
    refusals=_withdrawal_refusals,
    drafted=_drafted_withdrawal,
    effects={"late_posted": _withdrawn},
    on_paper=on_paper(
        "FW",
        FRONT_WITHDRAWAL,
        writes=(*_WRITES, "Amount ($)"),
        has_cheques=False,
        is_money=True,
    ),
    heading=lambda raising: "Late withdrawal",
    **OF_THE_CAGE,
)
LATE_DEPOSIT = replace(
    LATE_WITHDRAWAL,
    kind=late_papers.LATE_DEPOSIT,
    title="Late deposit",
    asked=(*DEPOSIT_ASKED, *FROM_PAPER),
    refusals=_deposit_refusals,
    drafted=_drafted_deposit,
    effects={"late_posted": _deposited},
    on_paper=on_paper(
        "FD",
        FRONT_DEPOSIT,
        writes=(*_WRITES, "Deposited in, issuer and number", "Others with an interest"),
        is_money=True,
    ),
    heading=lambda raising: "Late deposit",
)
