"""How much may be lent to a patron now, which markers a payment redeems, and why not."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Final

from pitboss.rules.cheques.cheques import format_money, total_cents
from pitboss.rules.patrons.patrons import Standing
from pitboss.rules.refusal import Refusal

# More than any line: a slip of the finger.
AMOUNT_MAX_CENTS: Final = 100_000_000_000


@dataclass(frozen=True, slots=True)
class LineGranted:
    """A line as two people granted it."""

    amount_cents: int
    holds_from: datetime
    # None for a permanent line; a temporary one is lent on top until it ends.
    holds_until: datetime | None = None


def line_cents(permanent: LineGranted | None, temporary: LineGranted | None, now: datetime) -> int:
    """Return the line in force: the permanent one, and what a temporary one adds while it holds."""
    lines = [line for line in (permanent, temporary) if line is not None and line.holds_from <= now]
    return sum(
        line.amount_cents for line in lines if line.holds_until is None or now < line.holds_until
    )


@dataclass(frozen=True, slots=True)
class Credit:
    """What a patron may owe and does owe, read under one lock."""

    line_cents: int
    # Cheques that went out and were not paid back.
    outstanding_cents: int
    # Markers that are being signed: their line is taken, their cheques are not.
    reserved_cents: int
    standing: Standing = Standing.CLEAR
    # Paid by checks that the bank may still return: no longer owed, and not yet lent again.
    uncleared_cents: int = 0

    @property
    def owed_cents(self) -> int:
        return self.outstanding_cents + self.reserved_cents

    @property
    def remaining_cents(self) -> int:
        """Return what may still be lent. An authority is for one marker and lends nothing more.

        >>> Credit(1_000_000, 100_000, 0, uncleared_cents=500_000).remaining_cents
        400000
        """
        return max(0, self.line_cents - self.owed_cents - self.uncleared_cents)

    def over_line_cents(self, amount_cents: int) -> int:
        """Return by how much a marker passes the line, and so needs someone's authority.

        >>> Credit(1_000_000, 900_000, 0).over_line_cents(150_000)
        50000
        """
        return max(0, amount_cents - self.remaining_cents)


@dataclass(frozen=True, slots=True)
class IssueFacts:
    """Everything that decides whether a marker may be issued now."""

    patron: str
    credit: Credit
    amount_cents: int
    cheques: Mapping[int, int]
    # What the supervisor was shown to remain, and whether they ask to pass it.
    shown_remaining_cents: int
    asks_authority: bool
    has_identity: bool
    # The supervisor had a hand in granting the line that is lent from.
    granted_by_extender: bool


def issue_refusals(facts: IssueFacts) -> list[Refusal]:
    """Return every reason why a marker may not be issued; each says what remains."""
    refusals = [
        *amount_refusals(facts.amount_cents, facts.cheques),
        *standing_refusals(facts.patron, facts.credit),
    ]
    credit = facts.credit
    remains = f"{facts.patron} has {format_money(credit.remaining_cents)} of credit left"
    if not credit.line_cents:
        refusals.append(
            Refusal("no_line", f"{facts.patron} has no credit line. The cage sets one up.")
        )
    elif credit.remaining_cents != facts.shown_remaining_cents:
        refusals.append(
            Refusal(
                "stale_line",
                f"{remains}. That changed while you had it open. Review it, then sign.",
            )
        )
    over_cents = credit.over_line_cents(facts.amount_cents)
    if over_cents and not facts.asks_authority:
        refusals.append(
            Refusal(
                "over_line",
                f"{remains}. This marker is {format_money(over_cents)} over. "
                "Issue less, or request authorization.",
            )
        )
    if facts.asks_authority and not over_cents:
        refusals.append(
            Refusal("authority_not_needed", f"{remains}. This marker doesn’t need authorization.")
        )
    if facts.granted_by_extender:
        refusals.append(
            Refusal(
                "granted_by_extender",
                f"You approved {facts.patron}’s credit line. "
                "Another supervisor must issue this marker.",
            )
        )
    if not facts.has_identity:
        refusals.append(
            Refusal("no_identity", f"No valid ID of {facts.patron} is on file. Add one first.")
        )
    return refusals


def standing_refusals(patron: str, credit: Credit) -> list[Refusal]:
    """Return why a patron is lent nothing, whatever remains of the line."""
    if credit.standing == Standing.CLEAR:
        return []
    return [
        Refusal(
            "credit_stopped",
            f"{patron} is {credit.standing.label}. Don’t issue credit. Void the marker.",
        )
    ]


def completion_refusals(patron: str, credit: Credit, over_line_cents: int) -> list[Refusal]:
    """Return why a marker that was issued may not be paid out after all.

    Its own amount is reserved by now. A line that was lowered meanwhile stops it.
    """
    refusals = standing_refusals(patron, credit)
    # A marker that went over the line and was paid by check may leave more than the line uncleared.
    waits_cents = min(credit.uncleared_cents, credit.line_cents)
    beyond_cents = credit.owed_cents + waits_cents - credit.line_cents - over_line_cents
    if beyond_cents > 0:
        refusals.append(
            Refusal(
                "line_lowered",
                f"The line of {patron} is {format_money(credit.line_cents)} now, "
                f"{format_money(beyond_cents)} too little: $0 remains. Void the marker.",
            )
        )
    return refusals


def amount_refusals(amount_cents: int, cheques: Mapping[int, int]) -> list[Refusal]:
    """Return what is wrong with an amount and the cheques that are cut for it."""
    if amount_cents <= 0:
        return [Refusal("bad_amount", "A marker must be more than $0. Enter the amount.")]
    if amount_cents > AMOUNT_MAX_CENTS:
        return [Refusal("bad_amount", "The amount is more than any credit line. Enter it again.")]
    if total_cents(cheques) != amount_cents:
        return [
            Refusal(
                "cut_differs",
                f"These cheques are {format_money(total_cents(cheques))}, and the marker "
                f"{format_money(amount_cents)}. Cut it again.",
            )
        ]
    return []


@dataclass(frozen=True, slots=True)
class Owed:
    """One marker that is not paid back: what is left of it, and when it was issued."""

    marker_id: int
    serial: str
    balance_cents: int
    issued_on: date
    # The number of its issue: of two of a day the later one is the newer.
    order: int


def newest_first(markers: Iterable[Owed]) -> list[Owed]:
    """Return markers in the order in which they are redeemed."""
    return sorted(markers, key=lambda owed: (owed.issued_on, owed.order), reverse=True)


def redeemed(markers: Sequence[Owed], amount_cents: int) -> list[tuple[Owed, int]]:
    """Return what a payment takes off each marker, in the order given, until it is used up.

    >>> may = date(2026, 5, 1)
    >>> two = [Owed(2, "M-2", 100_000, may, 2), Owed(1, "M-1", 300_000, may, 1)]
    >>> [(owed.serial, cents) for owed, cents in redeemed(two, 150_000)]
    [('M-2', 100000), ('M-1', 50000)]
    """
    parts = []
    for owed in markers:
        part_cents = min(amount_cents, owed.balance_cents)
        if part_cents > 0:
            parts.append((owed, part_cents))
            amount_cents -= part_cents
    return parts


def payment_refusals(
    *, owed: Sequence[Owed], first: Owed | None, amount_cents: int, waiver: str
) -> list[Refusal]:
    """Return why a payment may not be taken: it must be owed, newest first unless waived.

    `owed` is all that the patron owes where it can be paid; `first` the marker that they want to
    pay before the others, if they named one.
    """
    if amount_cents <= 0:
        return [Refusal("bad_amount", "A payment must be more than $0. Count it again.")]
    total = sum(item.balance_cents for item in owed)
    if not total:
        return [
            Refusal(
                "nothing_owed",
                "No marker that can be paid here is outstanding. Check where its original is.",
            )
        ]
    refusals = []
    if amount_cents > total:
        refusals.append(
            Refusal(
                "more_than_owed",
                f"{format_money(total)} is owed here, and this is "
                f"{format_money(amount_cents)}. Return the rest.",
            )
        )
    newest = newest_first(owed)[0]
    if first is not None and first != newest and not waiver.strip():
        refusals.append(
            Refusal(
                "out_of_redemption_order",
                f"{newest.serial} is the newest and gets paid first. "
                "To pay another one first, enter a reason.",
            )
        )
    return refusals
