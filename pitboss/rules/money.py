"""Rates of money: a share of whole cents with its rounding stated, and the rate in words."""

from __future__ import annotations

BASIS_POINTS = 10_000


def share_half_up(amount_cents: int, basis_points: int) -> int:
    """Take a rate in hundredths of a percent, half a cent rounding up.

    >>> share_half_up(680740, 2400), share_half_up(50, 100)
    (163378, 1)
    """
    return (amount_cents * basis_points + BASIS_POINTS // 2) // BASIS_POINTS


def percent(basis_points: int) -> str:
    """Write a rate as people say it.

    >>> percent(2400), percent(307)
    ('24%', '3.07%')
    """
    whole, rest = divmod(basis_points, 100)
    return f"{whole}.{rest:02}".rstrip("0").rstrip(".") + "%" if rest else f"{whole}%"
