"""What a signer is asked for besides badge, PIN and a reason: short answers, each under a name.

A step names what it asks; the answers are stored with the signature and hashed with the request.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from pitboss.rules.day.win import PayoutSource
from pitboss.rules.refusal import Refusal
from pitboss.rules.said import Said

ANSWER_MAX: Final = 80


@dataclass(frozen=True, slots=True)
class Ask:
    """One question: how a screen puts it, and the answers to choose from, where it has such."""

    label: str
    missing: str
    choices: Mapping[str, str] | None = None
    # Stored where no one answered, for a question that only what is entered brings up. What
    # the step then does refuses, if it needs the answer.
    otherwise: str = ""


ASKS: Final[Mapping[str, Ask]] = {
    "review": Ask("Review reference", "Enter the review reference from the recording."),
    "officer": Ask("Surveillance officer", "Enter the name of the officer who confirmed it."),
    "bank_receipt": Ask("Number of the bank’s receipt", "Enter the number of the bank’s receipt."),
    "cash": Ask("Cash you counted ($)", "Count the cash, then enter the total in dollars."),
    "source": Ask(
        "Paid from",
        "Choose what it is paid from.",
        {
            PayoutSource.TRAY.value: "the tray",
            PayoutSource.CAGE.value: "the cage",
            PayoutSource.BANK_CHEQUE.value: "a cage check",
        },
    ),
    "short": Ask(
        "I counted these again, and the tray has them.",
        "Confirm that the tray has the cheques.",
        {"yes": "the tray has them"},
        otherwise="not asked",
    ),
    "held_for": Ask(
        "Held because the winner",
        "Enter why it can’t be paid now.",
        {
            "no_id": "has no identification",
            "underage": "may be under age",
            "self_excluded": "is on the exclusion list",
            "gone": "has left",
            "other": "cannot be paid for another reason",
        },
    ),
}


def answer_refusals(rows: Iterable[str], fields: Mapping[str, str]) -> list[Refusal]:
    """Return a refusal for each question that is not answered, or not with one of its choices.

    >>> [r.code for r in answer_refusals(["review", "source"], {"source": "pocket"})]
    ['review_missing', 'source_missing']
    >>> answer_refusals(["review", "short"], {"review": "R-2214", "more": "no harm"})
    []
    """
    refusals = []
    for name in rows:
        ask, answer = ASKS[name], fields.get(name, "")
        if not answer and ask.otherwise:
            continue
        if not answer or (ask.choices is not None and answer not in ask.choices):
            refusals.append(Refusal(f"{name}_missing", ask.missing))
        elif len(answer) > ANSWER_MAX:
            refusals.append(
                Refusal(
                    "answer_too_long",
                    Said(
                        "{label}: use {most} characters or fewer.",
                        label=Said(ask.label),
                        most=ANSWER_MAX,
                    ),
                )
            )
    return refusals
