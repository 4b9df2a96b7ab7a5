"""What one PIN may acknowledge in one batch: notices, and never money.

Cheques, markers, jackpots and voids are decided one by one, by whoever saw the figures of each. A
notice only asks that somebody of the right rank has read it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pitboss.rules.refusal import Refusal

# More than a screen shows is not read.
BATCH_MAX = 50
# Exceptions that somebody reads, and nobody has to count, pay or explain figures for.
NOTICES = frozenset(
    {"badge_locked", "badge_on_two_devices", "many_badges_tried", "supervisor_called"}
)
NOTED = "Read and noted."


@dataclass(frozen=True, slots=True)
class Ticked:
    """One thing that was ticked: an exception by its code, or a slip by its number."""

    words: str
    code: str = ""
    serial: str = ""


def is_notice(code: str) -> bool:
    """Tell whether an exception may be acknowledged with others."""
    return code in NOTICES


def batch_refusals(ticked: Sequence[Ticked]) -> list[Refusal]:
    """Return every reason why these may not be acknowledged together.

    >>> [refusal.code for refusal in batch_refusals([Ticked("Fill $500", serial="F-2026-000001")])]
    ['signed_alone']
    >>> [refusal.code for refusal in batch_refusals([Ticked("Short.", code="count_differs")])]
    ['explained_alone']
    """
    if not ticked:
        return [Refusal("nothing_ticked", "Check at least one notice.")]
    if len(ticked) > BATCH_MAX:
        return [Refusal("too_many_ticked", f"Check no more than {BATCH_MAX} at a time.")]
    refusals = []
    for each in ticked:
        if each.serial:
            refusals.append(
                Refusal(
                    "signed_alone",
                    f"{each.serial} has to be reviewed and signed on its own page.",
                )
            )
        elif not is_notice(each.code):
            refusals.append(
                Refusal(
                    "explained_alone", f"This has to be explained on its own page: {each.words}"
                )
            )
    return refusals
