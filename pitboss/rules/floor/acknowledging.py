"""What one PIN may acknowledge in one batch: notices, and never money.

Cheques, markers, jackpots and voids are decided one by one, by whoever saw the figures of each. A
notice only asks that someone of the right rank has read it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from pitboss.rules.refusal import Refusal

# More than a screen shows is not read.
BATCH_MAX = 50
# Exceptions that someone reads, and no one has to count, pay or explain figures for.
NOTICES = frozenset(
    {
        "account_dormant",
        "badge_locked",
        "badge_on_two_devices",
        "many_badges_tried",
        "supervisor_called",
    }
)
# A variance is a notice where the table opened without the signature of who reads it.
_SOMETIMES = frozenset({"tray_variance", "variance_security", "variance_surveillance"})
NOTED = "Read and noted."


@dataclass(frozen=True, slots=True)
class Ticked:
    """One thing that was ticked: an exception by its code, or a slip by its number."""

    words: str
    code: str = ""
    serial: str = ""
    details: Mapping[str, object] = field(default_factory=dict)


def is_notice(code: str, details: Mapping[str, object]) -> bool:
    """Tell whether an exception may be acknowledged with others.

    >>> is_notice("tray_variance", {"is_notice": True}), is_notice("tray_variance", {})
    (True, False)
    """
    return code in NOTICES or (code in _SOMETIMES and details.get("is_notice") is True)


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
    for item in ticked:
        if item.serial:
            refusals.append(
                Refusal(
                    "signed_alone",
                    f"{item.serial} has to be reviewed and signed on its own page.",
                )
            )
        elif not is_notice(item.code, item.details):
            refusals.append(
                Refusal(
                    "explained_alone", f"This has to be explained on its own page: {item.words}"
                )
            )
    return refusals
