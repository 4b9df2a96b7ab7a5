"""Front money and safekeeping at the cage: deposited before two cashiers, withdrawn by the patron.

A deposit keeps who the money belongs to: name, permanent address and tax ID (31 CFR 1021.410), and
an ID that was matched when the patron signed.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any, Final

from django.db import models

from inventory.kinds.carrying import CHEQUES
from inventory.kinds.marker import OWED_READERS, WITNESSES
from inventory.kinds.of_a_patron import (
    DollarAmount,
    back_to_choice,
    id_on_file,
    of_chosen_patron,
    patron_choice,
    patron_locked,
    patron_of,
    signed_by_patron,
    tells_hand,
    valid_ids,
)
from inventory.models import DepositAccount, DepositEntry, DepositMove, Holder, Patron
from inventory.selectors.deposits import bank_holidays, usable_cents
from inventory.services.cash_log import log_cash
from inventory.services.exclusion import Compared, keep_comparison, stop_refusals
from inventory.services.ledger import move_cheques
from inventory.services.patrons import lock_patron
from pitboss.models import Signature, Slip
from pitboss.paper.forms import Form, Part, Shows
from pitboss.rules.cheques.cheques import format_cheques, format_money, total_cents
from pitboss.rules.cheques.sets import no_money_refusals
from pitboss.rules.floor.fields import Pick, Words
from pitboss.rules.flows.flows import BY_ANOTHER, Promise, SlipStatus, Step, void_witnessed
from pitboss.rules.patrons.cash_log import CashKind
from pitboss.rules.patrons.credit_line import AMOUNT_MAX_CENTS
from pitboss.rules.patrons.exclusion import Moment
from pitboss.rules.patrons.patron_reads import READS, deposit_words, reads, withdrawal_words
from pitboss.rules.patrons.payment_means import (
    TEXT_MAX,
    DepositedIn,
    deposit_refusals,
    free_at,
    instrument_refusals,
)
from pitboss.rules.refusal import Refusal, Refused
from pitboss.rules.roles import AT_THE_CAGE, Place, Role
from pitboss.services import house
from pitboss.services.drafts import NewSlip
from pitboss.slips.kind import Kind, Raising

_ACCOUNTS: Final = {
    deposit_account.value: deposit_account.label.capitalize() for deposit_account in DepositAccount
}
_ACCOUNT: Final = Pick(name="account", label="Account", choices=_ACCOUNTS)
DEPOSIT_ASKED: Final = (
    _ACCOUNT,
    Pick(
        name="means",
        label="Deposited in",
        choices={
            deposited_in.value: deposited_in.label.capitalize() for deposited_in in DepositedIn
        },
    ),
    DollarAmount(name="amount", label="Amount ($), unless in cheques", is_needed=False),
    CHEQUES,
    Words(name="issuer", label="Bank or issuer", is_needed=False, most=TEXT_MAX),
    Words(name="reference", label="Number", is_needed=False, most=TEXT_MAX),
    Words(
        name="interest",
        label="Other people with an interest in this money",
        is_needed=False,
        most=200,
    ),
)
WITHDRAWAL_ASKED: Final = (_ACCOUNT, DollarAmount(name="amount", label="Amount ($)"))


def _means(raising: Raising) -> DepositedIn:
    return DepositedIn(raising.given["means"])


def _amount_cents(raising: Raising) -> int:
    if _means(raising) is DepositedIn.CHEQUES:
        return total_cents(raising.cheques)
    return int(raising.given.get("amount", 0))


def deposit_details(raising: Raising) -> dict[str, Any]:
    """Return what a slip keeps of a deposit: whose, what was brought, and for which account."""
    patron, means, amount_cents = patron_of(raising), _means(raising), _amount_cents(raising)
    account = DepositAccount(raising.given["account"])
    issuer, reference = raising.given.get("issuer", ""), raising.given.get("reference", "")
    says = [
        ["Patron", patron.full_name],
        ["Account", account.label.capitalize()],
        ["Deposited", f"{format_money(amount_cents)} in {means.label}"],
    ]
    if raising.cheques:
        says.append(["Cheques", format_cheques(raising.cheques)])
    if issuer or reference:
        says.append(["Issuer and number", f"{issuer}, {reference}"])
    if others := raising.given.get("interest", ""):
        says.append(["Others with an interest", others])
    return {
        **_about(patron, account, amount_cents, says),
        "means": means.value,
        "issuer": issuer,
        "reference": reference,
        "interest": raising.given.get("interest", ""),
    }


def _drafted_deposit(raising: Raising) -> NewSlip:
    """Draft a deposit, with what the patron reads of it."""
    details = deposit_details(raising)
    amount_cents = details["amount_cents"]
    words = deposit_words(
        payee=house.the_property().name,
        amount_cents=amount_cents,
        account=DepositAccount(details["account"]).label,
    )
    language = patron_of(raising).language
    return NewSlip(
        raising.kind.kind,
        None,
        raising.cheques,
        details={**details, READS: reads(amount_cents, words, "Deposit", language)},
    )


def _about(
    patron: Patron, account: DepositAccount, amount_cents: int, says: list[list[str]]
) -> dict[str, Any]:
    return {
        "about": f"{patron}, {format_money(amount_cents)}",
        "says": says,
        "patron": patron.pk,
        "patron_name": patron.full_name,
        "account": account.value,
        "amount_cents": amount_cents,
    }


def _deposit_refusals(raising: Raising) -> list[Refusal]:
    """Return why a deposit may not be taken: every reason."""
    patron = patron_of(raising)
    return [
        *stop_refusals(Compared(patron, Moment.DEPOSIT, house.now())),
        *_who_refusals(patron),
        *brought_refusals(raising),
    ]


def brought_refusals(raising: Raising) -> list[Refusal]:
    """Return why what was brought is no deposit."""
    means, refusals = _means(raising), no_money_refusals(raising.cheques)
    if not 0 < _amount_cents(raising) <= AMOUNT_MAX_CENTS:
        refusals.append(
            Refusal("bad_amount", "Amount must be more than $0. Enter what was deposited.")
        )
    if bool(raising.cheques) != (means is DepositedIn.CHEQUES):
        refusals.append(
            Refusal(
                "means_differ", "Enter cheques only for a deposit in cheques. Check what was paid."
            )
        )
    if means.has_issuer:
        given = raising.given
        refusals += instrument_refusals(given.get("issuer", ""), given.get("reference", ""))
    return refusals


def _who_refusals(patron: Patron) -> list[Refusal]:
    """Return what is missing on file of someone whose money the cage keeps."""
    refusals = []
    if not valid_ids(patron).exists():
        refusals.append(
            Refusal("no_identity", f"No valid ID of {patron} is on file. Add one first.")
        )
    if not patron.address_lines:
        refusals.append(Refusal("no_address", f"Add {patron}’s address first."))
    if not patron.tax_id_kind:
        refusals.append(Refusal("no_tax_id", f"Add {patron}’s tax ID first."))
    return refusals


def _deposited(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """Take a deposit in. A check can be used once it has cleared; all else immediately."""
    details, means = slip.details, DepositedIn(slip.details["means"])
    patron = lock_patron(details["patron"])
    keep_comparison(Compared(patron, Moment.DEPOSIT, at, None, slip))
    rows: list[models.Model] = []
    if means is DepositedIn.CHEQUES:
        rows += move_cheques(
            slip=slip,
            cheques=slip.cheques_by_cents,
            source=Holder.PUBLIC,
            target=Holder.CAGE,
            at=at,
        )
    if means is DepositedIn.CASH:
        rows += log_cash(
            patron=patron,
            kind=CashKind.DEPOSIT,
            amount_cents=details["amount_cents"],
            slip=slip,
            signature=signature,
            at=at,
        )
    usable_at = usable_from(means, at)
    return [*rows, deposit_entry(slip, patron, DepositMove.DEPOSITED, at, usable_at)]


def usable_from(means: DepositedIn, at: datetime) -> datetime:
    """Return from when a deposit that was brought at a time can be used."""
    paid_by = means.clears_as
    if paid_by is None:
        return at
    days, zone = house.settings_at(at)["credit.clear_days"], house.the_property().zone
    return free_at(paid_by, at, days, bank_holidays(at), zone)


def deposit_entry(
    slip: Slip, patron: Patron, move: DepositMove, at: datetime, usable_at: datetime
) -> DepositEntry:
    """Write what a slip moves of the deposit that it names, on the slip’s own day."""
    return DepositEntry.objects.create(
        patron=patron,
        account=slip.details["account"],
        move=move.value,
        amount_cents=slip.details["amount_cents"],
        usable_at=usable_at,
        slip=slip,
        gaming_day=slip.gaming_day,
        shift=slip.shift,
        at=at,
    )


def withdrawal_details(raising: Raising) -> dict[str, Any]:
    """Return what a slip keeps of a withdrawal: whose, how much, and from which account."""
    patron, amount_cents = patron_of(raising), raising.given["amount"]
    account = DepositAccount(raising.given["account"])
    says = [
        ["Patron", patron.full_name],
        ["Account", account.label.capitalize()],
        ["Withdrawn", f"{format_money(amount_cents)} in cash"],
    ]
    return _about(patron, account, amount_cents, says)


def _drafted_withdrawal(raising: Raising) -> NewSlip:
    details = withdrawal_details(raising)
    amount_cents = details["amount_cents"]
    words = withdrawal_words(
        payee=house.the_property().name,
        amount_cents=amount_cents,
        account=DepositAccount(details["account"]).label,
    )
    language = patron_of(raising).language
    reading = reads(amount_cents, words, "Withdrawal", language)
    return NewSlip(raising.kind.kind, None, {}, details={**details, READS: reading})


def _withdrawal_refusals(raising: Raising) -> list[Refusal]:
    patron, now = patron_of(raising), house.now()
    usable = usable_cents(patron, DepositAccount(raising.given["account"]), now)
    waiting = Slip.objects.filter(
        kind=raising.kind.kind, status=SlipStatus.OPEN, details__patron=patron.pk
    ).first()
    refusals = [
        *stop_refusals(Compared(patron, Moment.WITHDRAWAL, now)),
        *deposit_refusals(usable, raising.given["amount"]),
    ]
    if waiting is not None:
        refusals.append(
            Refusal(
                "withdrawal_under_way", f"{waiting} is a withdrawal of {patron}. Finish it first."
            )
        )
    return refusals


def _withdrawn(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """Pay a deposit out, under the patron’s lock. Raises Refused."""
    details = slip.details
    patron = lock_patron(details["patron"])
    compared = Compared(patron, Moment.WITHDRAWAL, at, None, slip)
    usable = usable_cents(patron, DepositAccount(details["account"]), at)
    refusals = [*stop_refusals(compared), *deposit_refusals(usable, details["amount_cents"])]
    if refusals:
        raise Refused(refusals)
    keep_comparison(compared)
    logged = log_cash(
        patron=patron,
        kind=CashKind.WITHDRAWAL,
        amount_cents=details["amount_cents"],
        slip=slip,
        signature=signature,
        at=at,
    )
    return [*logged, deposit_entry(slip, patron, DepositMove.WITHDRAWN, at, at)]


_PAPER: Final = Form(
    parts=(
        Part("Original", "To accounting with the slips of the shift."),
        Part("Receipt", "To the patron."),
    ),
    original_at=Place.CAGE,
    shows=Shows.FACTS,
    caption="Patron deposit",
)


def _void_after(*steps: str) -> tuple[Step, ...]:
    """Return the way out: whoever received or requested it may void it too."""
    return (
        Step(
            "voided",
            done="Voided",
            do="Void",
            by=Role.CASHIER,
            at=Place.CAGE,
            may_repeat=steps,
            needs_reason=True,
            attests="I void this slip. I certify that no money was kept or paid out on it.",
        ),
        void_witnessed(WITNESSES),
    )


FRONT_DEPOSIT = Kind(
    "front_deposit",
    title="Deposit",
    series="FD",
    open_to=AT_THE_CAGE,
    lit_by="cage",
    at_a_table=False,
    begins=of_chosen_patron,
    chooses=patron_choice,
    locks=patron_locked,
    asked=DEPOSIT_ASKED,
    refusals=_deposit_refusals,
    drafted=_drafted_deposit,
    steps=(
        Step(
            "deposit_received",
            done="Deposit received",
            do="Receive",
            by=Role.CASHIER,
            at=Place.CAGE,
            attests="I certify that I counted this deposit in the patron’s view and accepted it.",
        ),
        signed_by_patron(Role.CASHIER, Place.CAGE, may_repeat="deposit_received"),
        Step(
            "deposit_verified",
            done="Deposit verified",
            do="Verify",
            why=BY_ANOTHER,
            by=Role.CASHIER,
            at=Place.CAGE,
            attests="I certify that I also counted this deposit and that the patron was given "
            "the receipt.",
            then="deposit_taken",
        ),
    ),
    void=_void_after("deposit_received", "patron_signed"),
    effects={"deposit_taken": _deposited},
    readers=OWED_READERS,
    promises=(Promise(2, 1),),
    paper=_PAPER,
    tells=tells_hand,
    matches=id_on_file,
    heading=lambda raising: "Deposit",
    back=back_to_choice,
    raised=lambda slip: f"{slip.serial} received. Hand the tablet to the patron.",
)

FRONT_WITHDRAWAL = Kind(
    "front_withdrawal",
    title="Withdrawal",
    series="FW",
    open_to=AT_THE_CAGE,
    lit_by="cage",
    at_a_table=False,
    begins=of_chosen_patron,
    chooses=patron_choice,
    locks=patron_locked,
    asked=WITHDRAWAL_ASKED,
    refusals=_withdrawal_refusals,
    drafted=_drafted_withdrawal,
    steps=(
        Step(
            "withdrawal_requested",
            done="Withdrawal requested",
            do="Request",
            by=Role.CASHIER,
            at=Place.CAGE,
            attests="I certify that the patron asked for this withdrawal from their deposit.",
        ),
        signed_by_patron(
            Role.CASHIER,
            Place.CAGE,
            may_repeat="withdrawal_requested",
            then="deposit_withdrawn",
        ),
    ),
    void=_void_after("withdrawal_requested", "patron_signed"),
    effects={"deposit_withdrawn": _withdrawn},
    readers=OWED_READERS,
    promises=(Promise(1, 1),),
    paper=_PAPER,
    tells=tells_hand,
    matches=id_on_file,
    heading=lambda raising: "Withdrawal",
    back=back_to_choice,
    raised=lambda slip: f"{slip.serial} requested. Hand the tablet to the patron.",
)
