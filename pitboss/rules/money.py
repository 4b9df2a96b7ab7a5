"""Money in words, and its rates: a share of whole cents with its rounding stated."""

from __future__ import annotations

from functools import lru_cache

BASIS_POINTS = 10_000


@lru_cache(maxsize=4096)
def format_money(amount_cents: int) -> str:
    """Write an amount as the floor reads it: thousands, cents only when there are cents.

    >>> [format_money(cents) for cents in (670_000, 250, 0, -45_000)]
    ['$6,700', '$2.50', '$0', '−$450']
    """
    sign = "−" if amount_cents < 0 else ""
    dollars, cents = divmod(abs(amount_cents), 100)
    return f"{sign}${dollars:,}.{cents:02}" if cents else f"{sign}${dollars:,}"


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
