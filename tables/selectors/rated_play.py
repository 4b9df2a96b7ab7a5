"""Ratings of some gaming days with what each comes to now, for reports and the yield view."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from fractions import Fraction

from django.db.models import QuerySet

from pitboss.models import Person, Pit
from pitboss.rules.games.tracked import TABLE_GAMES
from pitboss.rules.ratings.bets import BetSeen, average_bet
from pitboss.rules.ratings.reckoning import BASIS_POINTS, Unreckoned, half_up
from pitboss.rules.ratings.theo import BetBasis, ChanceBand, band
from pitboss.rules.roles import WATCHING, Role
from tables.models import PlayRating, RatingFigures
from tables.selectors.rating_audits import draws_waiting
from tables.selectors.rating_figures import (
    chance_of,
    chances_of,
    main_of,
    newest_by_rating,
    theo_of_wager,
)
from tables.services.rating_facts import seconds_into

# More ratings than this are not read at once; a report says so.
READ_MAX = 5_000


@dataclass(frozen=True, slots=True)
class Rated:
    """One ended rating and its newest figures; none where they are not made yet."""

    rating: PlayRating
    figures: RatingFigures | None

    @property
    def counts(self) -> bool:
        return self.figures is not None and not self.figures.is_void

    @property
    def theo_cents(self) -> int | None:
        return self.figures.theo_cents if self.figures is not None else None

    @property
    def average_cents(self) -> int | None:
        if self.figures is None or not self.figures.average:
            return None
        return half_up(Fraction(self.figures.average))

    @property
    def who(self) -> str:
        return str(self.rating.patron or self.rating.stranger)

    @property
    def rater(self) -> Person | None:
        return self.rating.began_by

    def key(self, way: str) -> tuple[str, str]:
        """Return what a rating is put together by: how an address names it, and in words."""
        if way == "table":
            return self.rating.table.name, self.rating.table.name
        if way == "game":
            game = self.rating.table.game
            return game, TABLE_GAMES[game].name
        if way == "rater":
            rater = self.rater
            return (rater.badge, str(rater)) if rater else ("-", "went on automatically")
        patron = self.rating.patron_id
        return (f"p{patron}" if patron else f"s{self.rating.stranger_id}"), self.who


def rated_between(
    first: date,
    last: date,
    pit: Pit | None = None,
    *,
    ratings: QuerySet[PlayRating] | None = None,
    reader: Role | None = None,
) -> list[Rated]:
    """Return the ended ratings of some gaming days, newest first; of all, or of those given.

    Where surveillance reads, those that it has still to watch on video are left out.
    """
    found = PlayRating.objects.all() if ratings is None else ratings
    found = found.filter(gaming_day__range=(first, last), ended_at__isnull=False)
    if pit is not None:
        found = found.filter(table__pit=pit)
    if reader in WATCHING:
        found = found.exclude(pk__in=draws_waiting().values("rating"))
    found = found.select_related("table", "patron", "stranger", "began_by", "ended_by")
    found = found.prefetch_related("seats", "looks", "absences").order_by("-began_at", "-id")
    read = list(found[:READ_MAX])
    figures = newest_by_rating(read)
    return [Rated(rating, figures.get(rating.pk)) for rating in read]


def band_of(rated: Iterable[Rated]) -> ChanceBand | None:
    """Return theo against result of ratings whose result is known, with the band of chance."""
    known = [item.figures for item in rated if item.counts and item.figures is not None]
    known = [
        rating_figures
        for rating_figures in known
        if rating_figures.theo and rating_figures.result_cents is not None
    ]
    if not known:
        return None
    theo = sum((Fraction(rating_figures.theo) for rating_figures in known), Fraction(0))
    won = sum(rating_figures.result_cents or 0 for rating_figures in known)
    return band(
        theo, won, [chance for rating_figures in known for chance in chances_of(rating_figures)]
    )


def band_of_wager(rated: Iterable[Rated], wager: str) -> tuple[Fraction, ChanceBand]:
    """Return the theo of one wager over ratings, and how far chance alone may take its result."""
    figures = [item.figures for item in rated if item.counts and item.figures is not None]
    theo = sum((theo_of_wager(figure, wager) for figure in figures), Fraction(0))
    return theo, band(theo, None, [chance_of(figure, wager) for figure in figures])


def is_told(rated: Rated) -> bool:
    """Tell whether a rating's figures come from rounds that a terminal reported."""
    return rated.figures is not None and rated.figures.basis == BetBasis.TOLD.value


def looked_and_told(rated: Rated, looks_least: int) -> tuple[Fraction, Fraction] | None:
    """Return the theo of a rating by the bets seen and by the rounds told; none without both.

    Of the main game alone: a look has its bet always, and a side bet only where someone keyed it.
    """
    figures, rating = rated.figures, rated.rating
    if figures is None or figures.is_void or not is_told(rated) or rating.ended_at is None:
        return None
    ended_at = rating.ended_at
    looks = [
        BetSeen(seconds_into(rating, look.at), look.bet_cents, look.prompted)
        for look in sorted(rating.looks.all(), key=lambda look: (look.at, look.pk))
    ]
    away = [
        (seconds_into(rating, away.from_at), seconds_into(rating, away.until or ended_at))
        for away in rating.absences.all()
    ]
    edge = figures.edges[main_of(figures)]["edge"]
    try:
        seen = average_bet(seconds_into(rating, ended_at), looks, away, looks_least=looks_least)
    except Unreckoned:
        return None
    a_unit = Fraction(edge or 0) + Fraction(figures.skill_bp, BASIS_POINTS)
    worth = Fraction(figures.decisions) * a_unit
    return seen.average * worth, Fraction(figures.average) * worth
