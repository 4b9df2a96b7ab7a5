"""The rules of every correction: a finished document is never edited, a new one corrects it.

Two people who signed nothing of it say what it should have said, a shift manager signs third where
its gaming day is closed, and the newest correction of a document counts. All of them stay in sight.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

from pitboss.rules.cheques.cheques import format_money
from pitboss.rules.cheques.set_changes import LEAST_CENTS
from pitboss.rules.flows.flows import PlanFacts, SlipStatus
from pitboss.rules.refusal import CONFLICT, Refusal

FILL_CORRECTION: Final = "fill_correction"
COUNT_CORRECTION: Final = "count_correction"
MARKER_CORRECTION: Final = "marker_correction"
PAYMENT_CORRECTION: Final = "payment_correction"
AWARD_CORRECTION: Final = "award_correction"
CARD_CORRECTION: Final = "card_correction"
DEPOSIT_CORRECTION: Final = "deposit_correction"
# What restates the win of a table: its transfers are no play of the time at which they are posted.
RESTATING: Final = frozenset(
    {
        FILL_CORRECTION,
        COUNT_CORRECTION,
        MARKER_CORRECTION,
        PAYMENT_CORRECTION,
        DEPOSIT_CORRECTION,
        AWARD_CORRECTION,
    }
)
# What decides the steps of a correction besides those that each needs.
CLOSED_DAY: Final = "closed_day"


def is_of_a_closed_day(facts: PlanFacts) -> bool:
    """Tell whether the shift manager restates a gaming day that was closed."""
    return CLOSED_DAY in facts.marks


def signer_refusals(signer: str, signed: Mapping[str, str]) -> list[Refusal]:
    """Return why someone takes no part in a correction: they signed what it corrects.

    `signed` has the slip that each person signed, by badge.

    >>> [r.code for r in signer_refusals("118", {"118": "DC-2026-000007"})]
    ['signed_original']
    """
    if signer not in signed:
        return []
    return [
        Refusal(
            "signed_original",
            f"You signed {signed[signer]}. Someone who took no part in it must sign this.",
        )
    ]


def standing_refusals(serial: str, status: str, later: tuple[str, str] | None) -> list[Refusal]:
    """Return why a document is not corrected now: it is not finished, or something corrects it.

    `later` is the correction of it that was not declined, and how that stands.

    >>> standing_refusals("F-7", "done", None)
    []
    >>> [r.code for r in standing_refusals("F-7", "open", None)]
    ['not_finished']
    >>> [r.message for r in standing_refusals("F-7", "done", ("K-1", "open"))]
    ['K-1 is pending. Approve or decline it first.']
    >>> [r.message for r in standing_refusals("F-7", "done", ("K-1", "done"))]
    ['K-1 has corrected this. Correct that one.']
    """
    if status != SlipStatus.DONE.value:
        words = f"{serial} is {status}. Only a finished slip can be corrected."
        return [Refusal("not_finished", words, CONFLICT)]
    if later is None:
        return []
    by, stands = later
    words = (
        f"{by} is pending. Approve or decline it first."
        if stands == SlipStatus.OPEN.value
        else f"{by} has corrected this. Correct that one."
    )
    return [Refusal("already_corrected", words)]


def unchanged_refusals(lines: Sequence[tuple[str, str, str]]) -> list[Refusal]:
    """Return that nothing is corrected where every line stays: (title, before, after).

    >>> [r.code for r in unchanged_refusals([("$25 green", "100", "100")])]
    ['nothing_changes']
    >>> unchanged_refusals([("$25 green", "100", "60")])
    []
    """
    if any(before != after for _, before, after in lines):
        return []
    return [Refusal("nothing_changes", "This is what it says now. Change at least one line.")]


def parted(was: Mapping[int, int], now: Mapping[int, int]) -> tuple[dict[int, int], dict[int, int]]:
    """Return by how many cheques of each denomination a figure rises, and by how many it falls.

    >>> parted({2_500: 100, 500: 20}, {2_500: 60, 10_000: 10, 500: 20})
    ({10000: 10}, {2500: 40})
    """
    changes = {cents: now.get(cents, 0) - was.get(cents, 0) for cents in {*was, *now}}
    return (
        {cents: change for cents, change in changes.items() if change > 0},
        {cents: -change for cents, change in changes.items() if change < 0},
    )


def award_refusals(*, from_tray: bool, paid_cents: int, cheques_cents: int) -> list[Refusal]:
    """Return why cheques are not what a tray paid on a win; what no cheque pays is left out.

    >>> [r.code for r in award_refusals(from_tray=True, paid_cents=1_000, cheques_cents=500)]
    ['payment_differs']
    >>> award_refusals(from_tray=False, paid_cents=1_000, cheques_cents=0)
    []
    """
    if not from_tray or abs(paid_cents - cheques_cents) < LEAST_CENTS:
        return []
    return [
        Refusal(
            "payment_differs",
            f"The tray paid {format_money(paid_cents)}, and these cheques are "
            f"{format_money(cheques_cents)}. Enter the cheques that left the tray.",
            CONFLICT,
        )
    ]


@dataclass(frozen=True, slots=True)
class MarkerFacts:
    """What decides whether a marker is corrected: what was paid on it, and whom it goes to."""

    serial: str
    patron: str
    paid_cents: int
    amount_cents: int
    is_signed: bool = False
    is_stopped: bool = False
    is_at_cage: bool = False


def marker_refusals(facts: MarkerFacts) -> list[Refusal]:
    """Return why a marker is not corrected so.

    >>> paid = MarkerFacts("M-88", "Ana Ruiz", paid_cents=100, amount_cents=300_000)
    >>> [r.code for r in marker_refusals(paid)]
    ['marker_paid']
    >>> stopped = MarkerFacts("M-88", "Ana Ruiz", 0, 300_000, is_signed=True, is_stopped=True)
    >>> [r.code for r in marker_refusals(stopped)]
    ['credit_stopped']
    >>> [r.code for r in marker_refusals(MarkerFacts("M-88", "Ana", 0, 1, is_at_cage=True))]
    ['marker_at_cage']
    """
    refusals = []
    if facts.paid_cents:
        words = (
            f"{format_money(facts.paid_cents)} of {facts.serial} was paid. Correct that "
            "first, then the marker."
        )
        refusals.append(Refusal("marker_paid", words, CONFLICT))
    if facts.is_at_cage:
        words = f"{facts.serial} is at the cage. Bring it back to the pit, then correct it."
        refusals.append(Refusal("marker_at_cage", words, CONFLICT))
    if facts.is_signed and facts.is_stopped and facts.amount_cents:
        words = f"{facts.patron}’s credit is stopped. The cage manager restores it first."
        refusals.append(Refusal("credit_stopped", words))
    return refusals


@dataclass(frozen=True, slots=True)
class PaymentFacts:
    """What decides whether a payment is corrected: what can be paid with it, and by whom."""

    patron: str
    amount_cents: int
    # What the patron owes once the payment is taken back.
    owed_cents: int
    # Markers it paid that are at the bank, replaced, or written off since.
    gone: Sequence[str] = ()


def payment_refusals(facts: PaymentFacts) -> list[Refusal]:
    """Return why a payment is not corrected so; that nothing was paid is right too.

    >>> [r.code for r in payment_refusals(PaymentFacts("Ana", 200, 100, ["M-1"]))]
    ['marker_gone_on', 'more_than_owed']
    >>> payment_refusals(PaymentFacts("Ana", 0, 0))
    []
    """
    refusals = [
        Refusal(
            "marker_gone_on",
            f"{serial} is at the bank, replaced, or written off. This payment stays as it is.",
            CONFLICT,
        )
        for serial in facts.gone
    ]
    if facts.amount_cents > facts.owed_cents:
        words = (
            f"{facts.patron} owes {format_money(facts.owed_cents)} without this payment, and this "
            f"is {format_money(facts.amount_cents)}. Check the amount and the patron."
        )
        refusals.append(Refusal("more_than_owed", words))
    return refusals


@dataclass(frozen=True, slots=True)
class CheckFacts:
    """Where the check is that a payment was made with."""

    is_returned: bool = False
    # Until when the bank may still return it; none where it is not there, or has cleared.
    at_bank_until: date | None = None


def check_refusals(facts: CheckFacts) -> list[Refusal]:
    """Return why what a check paid is not corrected now.

    >>> check_refusals(CheckFacts())
    []
    >>> [r.code for r in check_refusals(CheckFacts(is_returned=True))]
    ['check_returned']
    >>> [r.message for r in check_refusals(CheckFacts(at_bank_until=date(2026, 5, 15)))]
    ['The bank has this check until May 15, 2026. Correct it after that, or enter its return.']
    """
    if facts.is_returned:
        words = (
            "The bank returned this check, so what it paid is owed again. Leave the payment as it "
            "is."
        )
        return [Refusal("check_returned", words, CONFLICT)]
    if facts.at_bank_until is not None:
        words = (
            f"The bank has this check until {facts.at_bank_until:%b %-d, %Y}. Correct it after "
            "that, or enter its return."
        )
        return [Refusal("check_at_bank", words, CONFLICT)]
    return []
