"""What stored figures of a rating say: its main wager, theo by wager, and how far chance strays."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from pitboss.rules.games.games import spoken
from pitboss.rules.games.tracked import MAIN_WAGERS
from pitboss.rules.ratings.reckoning import of_basis_points
from pitboss.rules.ratings.theo import Chance
from tables.models import PlayRating, RatingFigures


def newest_by_rating(ratings: Sequence[PlayRating]) -> dict[int, RatingFigures]:
    """Return what each rating comes to now."""
    figures = RatingFigures.objects.filter(rating__in=[rating.pk for rating in ratings])
    return {figure.rating_id: figure for figure in figures.order_by("rating", "revision")}


def main_of(figures: RatingFigures) -> str:
    """Return the main wager of a stay, by its name: the database has an order of its own."""
    return next((wager for wager in figures.edges if wager in MAIN_WAGERS), "")


def theo_of_wager(figures: RatingFigures, wager: str) -> Fraction:
    """Return what one wager adds to the theo of a stay."""
    edge = Fraction(figures.edges.get(wager, {}).get("edge") or 0)
    if wager == main_of(figures):
        edge += of_basis_points(figures.skill_bp)
    return Fraction(figures.action.get(wager, 0)) * edge


def wager_words(wager: str) -> str:
    """Say a wager, and a raise as what it is.

    >>> wager_words("raise_the_roof.raise")
    'raise the roof, raise'
    """
    name, _, part = wager.partition(".")
    return f"{spoken(name)}, raise" if part else spoken(name)


def chance_of(figures: RatingFigures, wager: str) -> Chance:
    """Return how far the bets on one wager may stray; nothing where no one knows its odds."""
    row = figures.edges.get(wager, {})
    return Chance(
        Fraction(row.get("variance", 0)),
        int(figures.squares.get(wager, 0)),
        Fraction(row.get("covariance", 0)),
        int(figures.crosses.get(wager, 0)),
    )


def chances_of(figures: RatingFigures) -> list[Chance]:
    """Return how far the bets of a stay may stray, wager by wager."""
    return [chance_of(figures, wager) for wager in figures.squares]
