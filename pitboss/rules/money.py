"""Money is whole cents. Here it is divided with a stated rounding, and written for people."""

from __future__ import annotations

BASIS_POINTS = 10_000


def dollars(amount_cents: int) -> str:
    """Write an amount as the floor reads it.

    >>> dollars(680740), dollars(-50), dollars(200000)
    ('$6,807.40', '-$0.50', '$2,000')
    """
    whole, cents = divmod(abs(amount_cents), 100)
    sign = "-" if amount_cents < 0 else ""
    return f"{sign}${whole:,}" + (f".{cents:02}" if cents else "")


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
