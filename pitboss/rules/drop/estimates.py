"""What a pit estimated to be in a box against what was counted: far apart is an item."""

from __future__ import annotations

_BASIS = 10_000


def allowed_gap_cents(estimate_cents: int, least_cents: int, share: int) -> int:
    """Return how far a count may be from its estimate: the larger of an amount and a share.

    The share is in hundredths of a percent.

    >>> allowed_gap_cents(1_000_000, 50_000, 2_000), allowed_gap_cents(100_000, 50_000, 2_000)
    (200000, 50000)
    """
    return max(least_cents, estimate_cents * share // _BASIS)


def gap_cents(estimate_cents: int, actual_cents: int, least_cents: int, share: int) -> int | None:
    """Return by how much a count differs from its estimate; none where that is allowed.

    >>> gap_cents(1_000_000, 790_000, 50_000, 2_000)
    -210000
    >>> gap_cents(1_000_000, 800_000, 50_000, 2_000) is None
    True
    """
    gap = actual_cents - estimate_cents
    return gap if abs(gap) > allowed_gap_cents(estimate_cents, least_cents, share) else None
