"""What a patron reads before they sign by hand: the amount, and the words that bind them.

A slip keeps these words in its details, so that they are part of what is shown, signed and hashed.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from typing import Any, Final

from pitboss.rules.said import Said

# Where a slip keeps what its patron reads.
READS = "reads"


def reads(
    amount_cents: int, says: Iterable[str], caption: str = "", language: str = ""
) -> dict[str, Any]:
    """Return what a patron reads, as a slip keeps it: the amount that counts, then sentences.

    With what each is made of, where it knows that, and the language that the patron asked for.

    >>> reads(300_000, ["I promise."])
    {'amount_cents': 300000, 'caption': '', 'says': ['I promise.']}
    """
    sentences = list(says)
    made_of = [
        [sentence.words, dict(sentence.names)]
        for sentence in sentences
        if isinstance(sentence, Said)
    ]
    return {
        "amount_cents": amount_cents,
        "caption": caption,
        "says": [str(sentence) for sentence in sentences],
        **({"made_of": made_of} if made_of else {}),
        **({"language": language} if language else {}),
    }


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
    return [
        Said(
            "I promise to pay to the order of {payee} the sum of {amount_cents} on demand, for "
            "gaming cheques of this value that I receive at {table}.",
            payee=payee,
            amount_cents=amount_cents,
            table=table,
        ),
        *_deposit_allowed(payee, bank, due_on),
    ]


def joined_promise(
    *, payee: str, amount_cents: int, serials: Iterable[str], bank: str, due_on: date
) -> list[str]:
    """Return the promise of one check that replaces several markers.

    >>> joined_promise(payee="Tide", amount_cents=700_000, serials=["M-000001", "M-000002"],
    ...                bank="", due_on=date(2026, 1, 16))
    ['I promise to pay to the order of Tide the sum of $7,000 on demand, in place of my markers \
M-000001, M-000002, which are returned to me.']
    """
    return [
        Said(
            "I promise to pay to the order of {payee} the sum of {amount_cents} on demand, in "
            "place of my markers {markers}, which are returned to me.",
            payee=payee,
            amount_cents=amount_cents,
            markers=", ".join(serials),
        ),
        *_deposit_allowed(payee, bank, due_on),
    ]


def draw_words(*, payee: str, amount_cents: int, table: str) -> list[str]:
    """Return what a patron signs when they play their front money.

    >>> draw_words(payee="Tide", amount_cents=300_000, table="BJ-11")
    ['I draw $3,000 from my front money with Tide, for gaming cheques of this value that I \
receive at BJ-11.']
    """
    return [
        Said(
            "I draw {amount_cents} from my front money with {payee}, for gaming cheques of this "
            "value that I receive at {table}.",
            amount_cents=amount_cents,
            payee=payee,
            table=table,
        )
    ]


def _deposit_allowed(payee: str, bank: str, due_on: date) -> list[str]:
    if not bank:
        return []
    return [
        Said(
            "I authorize {payee} to deposit this marker to my account at {bank}, no later than "
            "{due_on}, unless I pay it first.",
            payee=payee,
            bank=bank,
            due_on=due_on.isoformat(),
        )
    ]


def deposit_words(*, payee: str, amount_cents: int, account: str) -> list[str]:
    """Return what a patron signs when they leave money at the cage.

    >>> deposit_words(payee="Tide", amount_cents=300_000, account="safekeeping")[0]
    'I deposit $3,000 with Tide as safekeeping.'
    """
    return [
        Said(
            "I deposit {amount_cents} with {payee} as {account}.",
            amount_cents=amount_cents,
            payee=payee,
            account=account,
        ),
        Said(
            "I was given the receipt for it. No one else has an interest in this money, except as "
            "named on this slip."
        ),
    ]


def withdrawal_words(*, payee: str, amount_cents: int, account: str) -> list[str]:
    """Return what a patron signs when they take money back.

    >>> withdrawal_words(payee="Tide", amount_cents=300_000, account="safekeeping")
    ['I withdraw $3,000 in cash from my safekeeping with Tide.']
    """
    return [
        Said(
            "I withdraw {amount_cents} in cash from my {account} with {payee}.",
            amount_cents=amount_cents,
            account=account,
            payee=payee,
        )
    ]


# Whether a win pays, and whether several markers are paid.
_PAYING: Final = {
    (False, False): "I authorize {payee} to pay {amount_cents} from my front money on my marker "
    "{markers}.",
    (False, True): "I authorize {payee} to pay {amount_cents} from my front money on my markers "
    "{markers}.",
    (True, False): "I authorize {payee} to pay {amount_cents} from my win {win} on my marker "
    "{markers}.",
    (True, True): "I authorize {payee} to pay {amount_cents} from my win {win} on my markers "
    "{markers}.",
}


def paying_words(
    *, payee: str, amount_cents: int, serials: Iterable[str], win: str = ""
) -> list[str]:
    """Return what a patron signs when their front money, or a win, pays their markers.

    >>> paying_words(payee="Tide", amount_cents=300_000, serials=["M-000001"])
    ['I authorize Tide to pay $3,000 from my front money on my marker M-000001.']
    >>> paying_words(payee="Tide", amount_cents=300_000, serials=["M-1", "M-2"], win="J-7")
    ['I authorize Tide to pay $3,000 from my win J-7 on my markers M-1, M-2.']
    """
    named = list(serials)
    return [
        Said(
            _PAYING[bool(win), len(named) > 1],
            payee=payee,
            amount_cents=amount_cents,
            markers=", ".join(named),
            **({"win": win} if win else {}),
        )
    ]
