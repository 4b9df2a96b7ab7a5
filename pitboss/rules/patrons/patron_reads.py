"""What a patron reads before they sign by hand: the amount, and the words that bind them.

A slip keeps these words in its details, so that they are part of what is shown, signed and hashed.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from typing import Any

from pitboss.rules.cheques.cheques import format_money

# Where a slip keeps what its patron reads.
READS = "reads"


def reads(amount_cents: int, says: Iterable[str], caption: str = "") -> dict[str, Any]:
    """Return what a patron reads, as a slip keeps it: the amount that counts, then sentences.

    >>> reads(300_000, ["I promise."])
    {'amount_cents': 300000, 'caption': '', 'says': ['I promise.']}
    """
    return {"amount_cents": amount_cents, "caption": caption, "says": list(says)}


def promise_to_pay(
    *, payee: str, amount_cents: int, table: str, bank: str, due_on: date
) -> list[str]:
    """Return the promise that makes a marker an instrument.

    Without a bank account on file nothing is said of a deposit.

    >>> for line in promise_to_pay(payee="Tide", amount_cents=300_000, table="BJ-11",
    ...                            bank="First Bank, ending 6789", due_on=date(2026, 5, 15)):
    ...     print(line)
    I promise to pay to the order of Tide the sum of $3,000 on demand, for gaming cheques of this \
value that I receive at BJ-11.
    I authorize Tide to deposit this marker to my account at First Bank, ending 6789, no later \
than May 15, 2026, unless I pay it first.
    """
    sum_words = format_money(amount_cents)
    says = [
        f"I promise to pay to the order of {payee} the sum of {sum_words} on demand, for gaming "
        f"cheques of this value that I receive at {table}."
    ]
    if bank:
        says.append(
            f"I authorize {payee} to deposit this marker to my account at {bank}, no later than "
            f"{due_on:%b %-d, %Y}, unless I pay it first."
        )
    return says


def deposit_words(*, payee: str, amount_cents: int, account: str) -> list[str]:
    """Return what a patron signs when they leave money at the cage.

    >>> deposit_words(payee="Tide", amount_cents=300_000, account="safekeeping")[0]
    'I deposit $3,000 with Tide as safekeeping.'
    """
    return [
        f"I deposit {format_money(amount_cents)} with {payee} as {account}.",
        "I was given the receipt for it. No one else has an interest in this money, except as "
        "named on this slip.",
    ]


def withdrawal_words(*, payee: str, amount_cents: int, account: str) -> list[str]:
    """Return what a patron signs when they take money back.

    >>> withdrawal_words(payee="Tide", amount_cents=300_000, account="safekeeping")
    ['I withdraw $3,000 in cash from my safekeeping with Tide.']
    """
    return [f"I withdraw {format_money(amount_cents)} in cash from my {account} with {payee}."]


def paying_words(
    *, payee: str, amount_cents: int, source: str, serials: Iterable[str]
) -> list[str]:
    """Return what a patron signs when something of theirs pays their markers.

    >>> paying_words(payee="Tide", amount_cents=300_000, source="my front money",
    ...              serials=["M-000001"])
    ['I authorize Tide to pay $3,000 from my front money on my marker M-000001.']
    """
    named = list(serials)
    markers = "marker" if len(named) == 1 else "markers"
    return [
        f"I authorize {payee} to pay {format_money(amount_cents)} from {source} on my {markers} "
        f"{', '.join(named)}."
    ]
