"""Settings of ratings: how often a look is wanted, when a stay ends by itself, who sees theo."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from pitboss.rules.games.tracked import TABLE_GAMES
from pitboss.rules.quoting import quoted
from pitboss.rules.refusal import refuse
from pitboss.rules.settings.kinds import Amount, Choice, Percent, Ratio, Whole
from pitboss.rules.settings.setting import OUR_OWN, Setting

_SUBJECT: Final = "Players"
_COMPS: Final = "Comps"
_TIME: Final = "Play time"
_PACE: Final = re.compile(r"[0-9]{1,3}([ ,]+[0-9]{1,3}){0,11}", re.ASCII)
# Rounds an hour with one to seven players, as published by J. Kilby.
PACE: Final = (209, 139, 105, 84, 70, 60, 52)
# Begins the key of the pace of one game.
PACE_OF: Final = "pace."
YES: Final = "yes"


@dataclass(frozen=True, slots=True)
class PaceList:
    """Rounds an hour with one player, with two, and so on. Or none, as of amounts."""

    none_means: str = ""

    def read(self, keyed: str) -> list[int] | None:
        """Return the rounds an hour.

        >>> PaceList().read("209, 139 105"), PaceList(none_means="the same").read("")
        ([209, 139, 105], None)
        """
        text = keyed.strip()
        if self.none_means and text.lower() in ("", "none"):
            return None
        rates = [int(part) for part in re.findall(r"[0-9]+", text)]
        if not _PACE.fullmatch(text) or not all(rates) or rates != sorted(rates, reverse=True):
            raise refuse("pace_malformed", f"{quoted(keyed)} isn’t a valid pace. {self.hint}")
        return rates

    def words(self, value: list[int] | None) -> str:
        return self.none_means if value is None else ", ".join(map(str, value))

    def text(self, value: list[int] | None) -> str:
        return "" if value is None else " ".join(map(str, value))

    @property
    def hint(self) -> str:
        empty = f" Leave it empty for {self.none_means}." if self.none_means else ""
        return f"Enter the rounds an hour with 1 player, 2 players, and so on, none rising.{empty}"


def rating_settings() -> Iterator[Setting]:
    """Yield every setting about ratings."""
    yield Setting(
        "rating.looks_every",
        _SUBJECT,
        "How often a bet is checked",
        "Pitboss draws one moment in each stretch of this length and asks for the bet then.",
        Whole(5, 60, "minute"),
        20,
        OUR_OWN,
    )
    yield Setting(
        "rating.looks_least",
        _SUBJECT,
        "Drawn looks that count by themselves",
        "With this many looks when Pitboss asked, other looks don’t change the average.",
        Whole(1, 20, "look"),
        3,
        OUR_OWN,
    )
    yield Setting(
        "rating.unattended_after",
        _SUBJECT,
        "Time without a look or a bet that ends a rating",
        "A rating with no sign of play for this long ends at its last sign.",
        Whole(10, 120, "minute"),
        30,
        OUR_OWN,
    )
    yield Setting(
        "rating.grace",
        _SUBJECT,
        "Time after the last reported bet that still counts",
        "Where a terminal reports every bet, a stay ends no later than this after the last one.",
        Whole(0, 30, "minute"),
        5,
        OUR_OWN,
    )
    yield Setting(
        "rating.backdate",
        _SUBJECT,
        "How far back a rating can begin",
        "A supervisor can enter that a player sat down up to this long ago.",
        Whole(0, 60, "minute"),
        10,
        OUR_OWN,
    )
    yield Setting(
        "rating.told_gap",
        _SUBJECT,
        "Time without reported rounds after which looks count",
        "With a longer gap in the rounds that a terminal reports, the average comes from looks.",
        Whole(1, 60, "minute"),
        10,
        OUR_OWN,
    )
    for key, whom, given_up in (
        ("rating.skill_chart", "a player by the chart", 0),
        ("rating.skill", "a usual player", 80),
        ("rating.skill_weak", "a weak player", 160),
    ):
        yield Setting(
            key,
            _SUBJECT,
            f"What {whom} gives up beyond the strategy chart",
            "Added to the exact edge of the main game. The supervisor taps "
            "how someone plays. Without a tap they play as usual.",
            Percent(0, 1_000),
            given_up,
            OUR_OWN,
        )
    yield Setting(
        "rating.main_variance",
        _SUBJECT,
        "Variance of one hand of the main game",
        "In units of the bet, squared: how wide the band of a result is.",
        Ratio(Fraction(1, 2), Fraction(5)),
        "33/25",
        OUR_OWN,
    )
    yield Setting(
        "rating.main_covariance",
        _SUBJECT,
        "Covariance of two hands against one dealer",
        "Widens the band of a player with several hands.",
        Ratio(Fraction(0), Fraction(5)),
        "12/25",
        OUR_OWN,
    )
    yield Setting(
        "rating.edge_per_count",
        _SUBJECT,
        "What one point of the true count takes off the edge",
        "Used in the second opinion on reported shoes, which only surveillance sees.",
        Percent(0, 200),
        50,
        OUR_OWN,
    )
    yield Setting(
        "rating.set_edge",
        _SUBJECT,
        "Edge of a main game that has no strategy chart",
        "Used for games whose exact edge can’t be calculated, and marked as set by the house.",
        Percent(0, 2_000, none_means="no theo for those games"),
        None,
        OUR_OWN,
    )
    yield Setting(
        "rating.pace",
        _SUBJECT,
        "Rounds an hour by number of players",
        "Used where no terminal reports the rounds of a table.",
        PaceList(),
        list(PACE),
        "J. Kilby, as published",
    )
    for game in TABLE_GAMES.values():
        yield Setting(
            f"{PACE_OF}{game.id}",
            _SUBJECT,
            f"Rounds an hour of {game.name}",
            "Used for this game instead of the pace of every game.",
            PaceList(none_means="the pace of every game"),
            None,
            OUR_OWN,
        )
    yield Setting(
        "rating.signed_theo",
        _SUBJECT,
        "Theo at which the end of a rating is signed",
        "At this theo or more, ending a rating takes badge and PIN.",
        Amount(100, 100_000_000),
        50_000,
        OUR_OWN,
    )
    yield Setting(
        "rating.signed_average",
        _SUBJECT,
        "Average bet at which the end of a rating is signed",
        "At this average bet or more, ending a rating takes badge and PIN.",
        Amount(100, 100_000_000),
        25_000,
        OUR_OWN,
    )
    yield Setting(
        "rating.floor_sees_theo",
        _SUBJECT,
        "Supervisors see theo",
        "Dealers and terminals never see it.",
        Choice({YES: "yes", "no": "no, managers only"}),
        YES,
        OUR_OWN,
    )
    yield from _audit_settings()
    yield Setting(
        "comp.share",
        _COMPS,
        "Share of theo that a patron earns in comps",
        "What a trip earns is this share of its theo. Days before the change keep their share.",
        Percent(0, 10_000),
        3_000,
        OUR_OWN,
        by_the_day=True,
    )
    yield Setting(
        "points.cents",
        _COMPS,
        "Theo for one point",
        "A gaming day earns one point for each full amount of its theo.",
        Amount(1, 1_000_000),
        100,
        OUR_OWN,
        by_the_day=True,
    )
    yield Setting(
        "comp.days",
        _COMPS,
        "Days until a comp expires",
        "What is not redeemed by then no longer counts as given. Frozen comps don’t expire.",
        Whole(1, 730, "day"),
        90,
        OUR_OWN,
    )
    yield Setting(
        "trip.gap",
        _COMPS,
        "Days without play within one trip",
        "After more days without play, the next visit is a new trip.",
        Whole(0, 30, "day"),
        1,
        OUR_OWN,
        by_the_day=True,
    )
    for key, title, changes, kind, default in (
        ("continuous", "Play without a break", "in one run", Whole(1, 24, "hour"), 6),
        ("day", "Play in 24 hours", "in the last 24 hours", Whole(1, 24, "hour"), 12),
        ("week", "Play in 7 days", "in the last 7 days", Whole(1, 168, "hour"), 48),
    ):
        yield Setting(
            f"alert.{key}",
            _TIME,
            f"{title} that is an alert",
            f"Counted {changes}, over all tables, gaming days, and cards of one patron.",
            kind,
            default,
            OUR_OWN,
        )
    yield Setting(
        "alert.loss",
        _TIME,
        "Loss in one gaming day that is an alert",
        "Counted where it is known what a patron left with.",
        Amount(100, 1_000_000_000, none_means="no alert"),
        None,
        OUR_OWN,
    )
    yield Setting(
        "alert.pause",
        _TIME,
        "Break that ends a run of play",
        "After a shorter break, a run of play goes on.",
        Whole(5, 240, "minute"),
        15,
        OUR_OWN,
    )
    yield Setting(
        "alert.does",
        _TIME,
        "What long play does",
        "Where it bars, a patron over the limit of a day or a week is not rated before a break.",
        Choice({"tells": "notifies", "bars": "notifies and bars the next rating"}),
        "tells",
        OUR_OWN,
    )


def _audit_settings() -> Iterator[Setting]:
    """Yield the settings of the blind audit, and of raters beside each other."""
    yield Setting(
        "rating.draw_share",
        _SUBJECT,
        "Ratings that surveillance watches on video",
        "Drawn after they end, by a key that no one can read. Signed ratings are always drawn.",
        Percent(0, 10_000),
        300,
        OUR_OWN,
    )
    yield Setting(
        "rating.draw_tolerance",
        _SUBJECT,
        "How far a rating may be from video",
        "Time times bet, against what surveillance saw. Beyond it an exception opens.",
        Percent(0, 10_000),
        2_500,
        OUR_OWN,
    )
    yield Setting(
        "rater.least",
        _SUBJECT,
        "Ratings before a rater’s bias counts",
        "Counted where a rating has both looks and reported rounds.",
        Whole(1, 500, "rating"),
        20,
        OUR_OWN,
    )
    yield Setting(
        "rater.most",
        _SUBJECT,
        "Bias of a rater that is out of line",
        "Bets seen against bets reported, up or down.",
        Percent(0, 10_000),
        1_500,
        OUR_OWN,
    )
