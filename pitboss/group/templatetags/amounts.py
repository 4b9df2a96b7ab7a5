"""How the desk writes amounts. It loads nothing of a house, so not its tags either."""

from __future__ import annotations

from django import template

from pitboss.rules.money import format_money

register = template.Library()
_NONE = "–"


@register.filter
def money(cents: int | None) -> str:
    """Return an amount in dollars, a loss with its minus; a dash where there is none."""
    return _NONE if cents is None else format_money(cents)


@register.filter
def count(number: int | None) -> str:
    """Return how many; a dash where no one knows."""
    return _NONE if number is None else f"{number:,}"


@register.filter
def percent(basis_points: int | None) -> str:
    """Return hundredths of a percent as a percentage; a dash where there is none.

    >>> percent(1_234), percent(-5), percent(None)
    ('12.34%', '−0.05%', '–')
    """
    if basis_points is None:
        return _NONE
    sign = "−" if basis_points < 0 else ""
    whole, rest = divmod(abs(basis_points), 100)
    return f"{sign}{whole}.{rest:02}%"
