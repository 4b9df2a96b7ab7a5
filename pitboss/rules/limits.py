"""How much one person may sign for in one slip: a limit of their own, in place of their rank's."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from pitboss.rules.cheques import format_money
from pitboss.rules.refusal import Refusal

# Kinds of slip by which value leaves a tray or the cage on somebody's word.
LIMITED_KINDS: Final = ("fill", "credit")


@dataclass(frozen=True, slots=True)
class OwnLimit:
    """One approved limit of one person for one kind of slip; None gives the rank's own back."""

    kind: str
    most_cents: int | None
    holds_from: datetime


def own_limit_cents(limits: Iterable[OwnLimit], kind: str, now: datetime) -> int | None:
    """Return what somebody may sign for now, or None where only their rank limits them.

    `limits` are in the order in which they were approved; of one time, the last holds.
    """
    begun = [each for each in limits if each.kind == kind and each.holds_from <= now]
    begun.sort(key=lambda each: each.holds_from)
    return begun[-1].most_cents if begun else None


def limit_words(most_cents: int | None) -> str:
    """Say a limit.

    >>> limit_words(500_000), limit_words(None)
    ('$5,000', "as the rank's")
    """
    return "as the rank's" if most_cents is None else format_money(most_cents)


def own_limit_refusals(
    name: str, kind: str, most_cents: int | None, total_cents: int
) -> list[Refusal]:
    """Return why somebody may not sign for a slip of this size.

    >>> own_limit_refusals("A. Ruiz", "fill", 500_000, 500_100)[0].message
    'A. Ruiz signs for at most $5,000 in one fill. Call somebody whose limit is higher.'
    """
    if most_cents is None or total_cents <= most_cents:
        return []
    return [
        Refusal(
            "over_own_limit",
            f"{name} signs for at most {format_money(most_cents)} in one {kind}. "
            "Call somebody whose limit is higher.",
        )
    ]
