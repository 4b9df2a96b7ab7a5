"""Counts and departures of told shoes, for surveillance: theo by the count, and moves off chart."""

from __future__ import annotations

from collections.abc import Iterable

from django.urls import reverse

from pitboss.reports.book import Group, report
from pitboss.reports.report import (
    Cell,
    Column,
    Link,
    Report,
    ReportChoice,
    ReportScope,
    Section,
    Shape,
    Tone,
    report_link,
    row_of,
)
from pitboss.rules.odds.wager_odds import as_percent
from pitboss.rules.ratings.reckoning import half_up
from pitboss.rules.settings.book import BOOK
from pitboss.services import house
from tables.models import PlayRating
from tables.selectors.rated_play import rated_between
from tables.selectors.told_shoes import CountedStay, counted_stays

PAGE = "report_counts"


@report(
    key="counts",
    title="Counts and departures",
    group=Group.PLAY,
    says="Bets by the count of the shoe, and moves off the strategy chart, from reported hands.",
    page=PAGE,
    asked=ReportScope(days_max=7, pit=True),
)
def counts(choice: ReportChoice) -> Report:
    """Return how players bet by the count; opened, the moves of one that were not the chart's."""
    rated = rated_between(choice.first, choice.last, choice.pit, reader=choice.reader)
    ratings = [item.rating for item in rated if not (item.figures and item.figures.is_void)]
    if choice.of:
        return _departures(
            play_rating for play_rating in ratings if str(play_rating.pk) == choice.of
        )
    in_force = house.settings_at(house.now())
    step = in_force["rating.edge_per_count"]
    rows = []
    for stay in counted_stays(ratings):
        found, high = stay.theo(step), stay.highest
        rating = stay.rating
        line = row_of(
            str(rating.patron or rating.stranger),
            rating.table.name,
            rating.began_at,
            len(stay.bets),
            sum(bet.bet_cents for bet in stay.bets),
            half_up(found.flat),
            half_up(found.theo),
            high.bet_cents,
            f"{float(high.true_count):+.1f}",
            len(stay.departures),
            opens=report_link("counts", PAGE, choice, of=str(rating.pk)),
            tone=Tone.WAIT if found.theo < 0 else Tone.PLAIN,
        )
        rows.append((found.theo - found.flat, line))
    columns = (
        Column("who", "Player"),
        Column("table", "Table"),
        Column("from", "From", Shape.TIME),
        Column("rounds", "Hands", Shape.COUNT),
        Column("staked", "Staked", Shape.MONEY),
        Column("flat", "Theo by the chart", Shape.CHANGE),
        Column("counted", "Theo by the count", Shape.CHANGE),
        Column("bet", "Highest bet", Shape.MONEY),
        Column("true", "At count"),
        Column("departures", "Off the chart", Shape.COUNT),
    )
    lines = tuple(line for _, line in sorted(rows, key=lambda row: row[0]))
    setting = BOOK["rating.edge_per_count"]
    return Report(
        (Section("By stay", columns, lines, "No hands were reported with their cards."),),
        formulas=(
            f"Theo by the count = bet × (edge − true count × {setting.words(step)}), hand by hand. "
            f"Setting {setting.key}.",
            "True count = Hi-Lo count × 52 ÷ cards left, of the rounds reported of the shoe.",
            "Drawn ratings are left out until they are watched on video.",
        ),
    )


def _departures(ratings: Iterable[PlayRating]) -> Report:
    stays: list[CountedStay] = list(counted_stays(list(ratings)))
    rows = [
        row_of(
            departure.at,
            Cell(
                " ".join(departure.cards), Link(reverse("rating", args=[stay.rating.pk]), "rating")
            ),
            departure.up,
            departure.found.chart.value,
            departure.found.made.move.value,
            as_percent(departure.found.cost),
            str(departure.found.cost),
        )
        for stay in stays
        for departure in stay.departures
    ]
    columns = (
        Column("at", "At", Shape.TIME),
        Column("cards", "Hand"),
        Column("up", "Dealer shows"),
        Column("chart", "Chart"),
        Column("made", "Move"),
        Column("cost", "Cost of the bets"),
        Column("exact", "Exactly", Shape.CODE, is_minor=True),
    )
    moves = sum(stay.moves for stay in stays)
    title = f"Moves off the chart, of {moves:,}"
    return Report(
        (Section(title, columns, tuple(rows), "Every move was the chart’s."),),
        formulas=(
            "Cost = value of the chart’s move − of the move made, when the dealer has no "
            "blackjack, by the chart after it. Below zero the move was better than the chart’s.",
            "Of a pair that was split, only the split is compared.",
        ),
    )
