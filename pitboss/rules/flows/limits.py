"""How much one person may sign for in one slip: a limit of their own, in place of their rank's."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from pitboss.rules.cheques.cheques import format_money
from pitboss.rules.refusal import Refusal
from pitboss.rules.roles import Role

# Kinds of slip by which value leaves a tray, the cage or the house on someone's word.
LIMITED_KINDS: Final = ("fill", "credit", "comp")
# What one person gives one patron in a gaming day without someone else's authority, by rank.
COMP_LIMITS: Final[Mapping[Role, int]] = {
    Role.SUPERVISOR: 10_000,
    Role.HOST: 25_000,
    Role.PIT_MANAGER: 50_000,
    Role.HOST_MANAGER: 250_000,
    Role.SHIFT_MANAGER: 500_000,
}


def limited_as(kind: str, details: Mapping[str, Any], *, is_late: bool) -> str:
    """Return the kind whose limits hold for a slip: a late paper is limited as what it was.

    >>> limited_as("late_credit", {"what": "credit"}, is_late=True)
    'credit'
    >>> limited_as("fill", {}, is_late=False)
    'fill'
    """
    return str(details["what"]) if is_late else kind


@dataclass(frozen=True, slots=True)
class OwnLimit:
    """One approved limit of one person for one kind of slip; None gives the rank's own back."""

    kind: str
    most_cents: int | None
    holds_from: datetime


def own_limit_cents(limits: Iterable[OwnLimit], kind: str, now: datetime) -> int | None:
    """Return what someone may sign for now, or None where only their rank limits them.

    `limits` are in the order in which they were approved; of one time, the last holds.
    """
    begun = [limit for limit in limits if limit.kind == kind and limit.holds_from <= now]
    begun.sort(key=lambda own_limit: own_limit.holds_from)
    return begun[-1].most_cents if begun else None


def limit_words(most_cents: int | None) -> str:
    """Say a limit.

    >>> limit_words(500_000), limit_words(None)
    ('$5,000', "as the rank's")
    """
    return "as the rank's" if most_cents is None else format_money(most_cents)


def limited_per(kind: str) -> str:
    """Say what a limit is counted over.

    >>> limited_per("fill"), limited_per("comp")
    ('in one fill', 'in comps to one patron in a gaming day')
    """
    return "in comps to one patron in a gaming day" if kind == "comp" else f"in one {kind}"


def own_limit_refusals(
    name: str, kind: str, most_cents: int | None, total_cents: int
) -> list[Refusal]:
    """Return why someone may not sign for a slip of this size.

    >>> own_limit_refusals("A. Ruiz", "fill", 500_000, 500_100)[0].message
    'The most A. Ruiz can sign for in one fill is $5,000. Call someone with a higher limit.'
    """
    if most_cents is None or total_cents <= most_cents:
        return []
    return [
        Refusal(
            "over_own_limit",
            f"The most {name} can sign for in one {kind} is {format_money(most_cents)}. "
            "Call someone with a higher limit.",
        )
    ]
