"""A marker as a check: when it is due, how old it is, and why it can’t be joined or deposited."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum, unique
from typing import Final

from pitboss.rules.cheques.cheques import format_money
from pitboss.rules.patrons.bank_days import Terms, due_on
from pitboss.rules.refusal import CONFLICT, Refusal

# A check goes to the bank once, and once more after it came back.
DEPOSITS_MAX: Final = 2


@unique
class CheckState(StrEnum):
    """Where a check that is owed on stands."""

    HELD = "held"
    RETURNED = "returned"
    IN_COLLECTION = "in_collection"

    @property
    def label(self) -> str:
        return _STATES[self]


_STATES: Final = {
    CheckState.HELD: "Not deposited",
    CheckState.RETURNED: "Returned",
    CheckState.IN_COLLECTION: "In collection",
}


@dataclass(frozen=True, slots=True)
class Check:
    """What decides what can be done with one check: a marker, or a check that paid markers."""

    serial: str
    balance_cents: int
    dated: date
    due_on: date
    # How often it went to the bank, and how often it came back.
    deposits: int = 0
    returns: int = 0
    # Someone talked to the patron about it since it came back.
    is_contacted: bool = False
    at_cage: bool = True
    # It names the patron’s bank, so a bank takes it.
    has_bank: bool = True
    # What it paid was returned, and that check is deposited again in its place.
    is_replaced: bool = False

    @property
    def state(self) -> CheckState:
        """Return where it stands.

        >>> may = date(2026, 5, 1)
        >>> Check("M-1", 1, may, may, deposits=2, returns=2).state.value
        'in_collection'
        """
        if not self.returns:
            return CheckState.HELD
        if self.is_contacted or self.deposits >= DEPOSITS_MAX:
            return CheckState.IN_COLLECTION
        return CheckState.RETURNED


# From how many days past its due day on; below 0 a check is not due.
BUCKETS: Final = (
    (1, 7, "1–7 days past due"),
    (8, 14, "8–14 days past due"),
    (15, 30, "15–30 days past due"),
    (31, 45, "31–45 days past due"),
    (46, 90, "46–90 days past due"),
    (91, 180, "91–180 days past due"),
)
NOT_DUE, DUE_TODAY, OLDEST = "Not due", "Due today", "Over 180 days past due"
AGES: Final = (
    NOT_DUE,
    DUE_TODAY,
    *(name for _, _, name in BUCKETS),
    OLDEST,
    CheckState.RETURNED.label,
    CheckState.IN_COLLECTION.label,
)


def age_of(check: Check, today: date) -> str:
    """Return the one line of the aging report that a check stands in.

    >>> may = date(2026, 5, 1)
    >>> age_of(Check("M-1", 1, may, may), may), age_of(Check("M-1", 1, may, may), date(2026, 5, 9))
    ('Due today', '8–14 days past due')
    """
    if check.state is not CheckState.HELD:
        return check.state.label
    late = (today - check.due_on).days
    if late <= 0:
        return NOT_DUE if late else DUE_TODAY
    return next((name for least, most, name in BUCKETS if least <= late <= most), OLDEST)


def consolidated_check(
    checks: Sequence[Check], holidays: Collection[date], terms: Terms
) -> tuple[int, date, date]:
    """Return the amount, date and due day of the one check that replaces others.

    It has the date of the earliest of them, and is due no later than that one was.

    >>> jan = [Check("M-1", 400_000, date(2026, 1, 2), date(2026, 1, 16)),
    ...        Check("M-2", 300_000, date(2026, 1, 9), date(2026, 1, 23))]
    >>> from pitboss.rules.patrons.bank_days import NEW_JERSEY
    >>> consolidated_check(jan, (), NEW_JERSEY)
    (700000, datetime.date(2026, 1, 2), datetime.date(2026, 1, 16))
    """
    cents = sum(check.balance_cents for check in checks)
    first = min(checks, key=lambda check: (check.dated, check.due_on))
    return cents, first.dated, min(first.due_on, due_on(cents, first.dated, holidays, terms))


def joining_refusals(checks: Sequence[Check], today: date) -> list[Refusal]:
    """Return why checks may not be joined in one: every reason."""
    refusals = []
    if len(checks) < 2:
        refusals.append(
            Refusal("nothing_to_join", "Choose at least two markers that are at the cage.")
        )
    for check in checks:
        if check.deposits or check.returns or check.is_replaced:
            refusals.append(
                Refusal(
                    "was_deposited",
                    f"{check.serial} was deposited or returned. It can’t be consolidated.",
                    CONFLICT,
                )
            )
        if check.due_on < today:
            refusals.append(
                Refusal(
                    "past_due",
                    f"{check.serial} was due on {check.due_on:%b %-d, %Y}. Deposit it.",
                    CONFLICT,
                )
            )
        if not check.at_cage:
            refusals.append(_at_the_pit(check))
    return refusals


def _at_the_pit(check: Check) -> Refusal:
    return Refusal(
        "marker_elsewhere",
        f"The original of {check.serial} isn’t at the cage. Have it transferred first.",
    )


def bank_refusals(check: Check) -> list[Refusal]:
    """Return why a check may not go to the bank: every reason."""
    refusals = []
    if check.is_replaced:
        refusals.append(
            Refusal(
                "replaced_by_check",
                f"A personal check replaced {check.serial}. Deposit that check.",
                CONFLICT,
            )
        )
    if check.deposits > check.returns or check.balance_cents <= 0:
        refusals.append(
            Refusal(
                "nothing_to_deposit",
                f"{check.serial} is paid or already at the bank. Leave it out.",
                CONFLICT,
            )
        )
    elif check.deposits >= DEPOSITS_MAX:
        refusals.append(
            Refusal(
                "deposited_twice",
                f"The bank returned {check.serial} twice. Collect it from the patron.",
                CONFLICT,
            )
        )
    if not check.at_cage:
        refusals.append(_at_the_pit(check))
    if not check.has_bank:
        refusals.append(
            Refusal(
                "no_bank",
                f"{check.serial} names no bank. Collect it from the patron.",
                CONFLICT,
            )
        )
    return refusals


@dataclass(frozen=True, slots=True)
class WriteOffFacts:
    """Everything that decides whether an amount may be written off."""

    serial: str
    balance_cents: int
    amount_cents: int
    # Who proposes and approves it, and who granted, issued or collected that credit.
    signers: frozenset[int] = frozenset()
    involved: frozenset[int] = frozenset()


def write_off_refusals(facts: WriteOffFacts) -> list[Refusal]:
    """Return why an amount may not be written off.

    One of the two who sign is independent of approving, issuing and collecting that credit.

    >>> [each.code for each in write_off_refusals(WriteOffFacts("M-1", 100, 101))]
    ['more_than_owed']
    """
    refusals = []
    if facts.amount_cents <= 0:
        refusals.append(Refusal("bad_amount", "Amount must be more than $0. Enter it again."))
    if facts.amount_cents > facts.balance_cents:
        refusals.append(
            Refusal(
                "more_than_owed",
                f"{format_money(facts.balance_cents)} is owed on {facts.serial}. Enter less.",
            )
        )
    if facts.signers and facts.signers <= facts.involved:
        refusals.append(
            Refusal(
                "not_independent",
                "Everyone who signed this also approved, issued, or collected this credit. "
                "Someone who wasn’t involved must sign it.",
                CONFLICT,
            )
        )
    return refusals


def recovery_refusals(left_cents: int, amount_cents: int) -> list[Refusal]:
    """Return why an amount isn’t a recovery of what was written off.

    >>> [each.code for each in recovery_refusals(100, 101)], recovery_refusals(100, 100)
    (['more_than_written_off'], [])
    """
    if amount_cents <= 0:
        return [Refusal("bad_amount", "Amount must be more than $0. Enter it again.")]
    if amount_cents > left_cents:
        return [
            Refusal(
                "more_than_written_off",
                f"{format_money(left_cents)} of it is written off and not recovered. Enter less.",
            )
        ]
    return []


def no_payment_refusals(
    patron: str, owes_since: date | None, paid_on: date | None, today: date, days: int
) -> list[Refusal]:
    """Return that a patron who owes and has not paid for so many days is lent nothing.

    `owes_since` is the day of the oldest marker that is owed on; 0 days for no such limit.

    >>> may, june = date(2026, 5, 1), date(2026, 6, 1)
    >>> [each.code for each in no_payment_refusals("A. Ruiz", may, None, june, 30)]
    ['no_payment_30_days']
    """
    if not days or owes_since is None:
        return []
    last = max(owes_since, paid_on or owes_since)
    if today - last <= timedelta(days=days):
        return []
    return [
        Refusal(
            # The days are a setting; the code stays what it is.
            "no_payment_30_days",
            f"{patron} owes and made no payment for {(today - last).days} days. "
            "Don’t issue credit until something is paid.",
            CONFLICT,
        )
    ]
