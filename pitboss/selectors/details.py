"""What a slip says besides cheques, in the words of the paper."""

from __future__ import annotations

from pitboss.models import Slip
from pitboss.slips.kind import kind_named


def written_of(slip: Slip) -> list[tuple[str, str]]:
    """Return headings and words of what stands in a slip's details, figures only once counted."""
    kind = kind_named(slip.kind)
    if kind is not None and kind.writes is not None:
        return kind.writes(slip)
    return entered_words(slip)


def entered_words(slip: Slip) -> list[tuple[str, str]]:
    """Return what was entered when a slip was raised, in words."""
    return [(name, value) for name, value in slip.details.get("says", [])]
