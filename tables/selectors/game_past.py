"""What each game did in days that are settled: how much it held, and how it strayed."""

from __future__ import annotations

from datetime import date, timedelta
from fractions import Fraction

from django.db.models import Count, DecimalField, Exists, F, OuterRef, Q, Sum
from django.db.models.functions import Cast

from pitboss.rules.day.hold import Experience
from pitboss.rules.day.win_estimate import Past
from pitboss.rules.settings.in_force import SettingsInForce
from tables.models import SettledWin

_EXACT = DecimalField(max_digits=40, decimal_places=4)


def pasts(first: date, last: date, days_least: int) -> dict[str, Past]:
    """Return what each game did in the settled days of a time. One query.

    Of a day that was corrected the newest revision counts.
    """
    newer = SettledWin.objects.filter(
        gaming_day=OuterRef("gaming_day"),
        table=OuterRef("table"),
        revision__gt=OuterRef("revision"),
    )
    win, dropped = Cast("win_cents", _EXACT), Cast("dropped", _EXACT)
    off = Cast(F("win_cents") - F("estimated_cents"), _EXACT)
    guessed = Q(estimated_cents__isnull=False)
    sums = (
        # As `statistical_drop` has it.
        SettledWin.objects.alias(
            dropped=F("drop_cents") + F("markers_cents") - F("marker_cash_cents")
        )
        .filter(~Exists(newer), gaming_day__range=(first, last), dropped__gt=0)
        .values("game")
        .annotate(
            days=Count("id"),
            win=Sum("win_cents"),
            drop=Sum("dropped"),
            squares=Sum(win * win / dropped, output_field=_EXACT),
            guessed=Count("id", filter=guessed),
            off=Sum(off * off, filter=guessed, output_field=_EXACT),
            guessed_drop=Sum(dropped * dropped, filter=guessed, output_field=_EXACT),
        )
    )
    least = max(2, days_least)
    return {
        item["game"]: Past(
            Experience(item["days"], int(item["win"]), int(item["drop"]), int(item["squares"]))
            if item["days"] >= least
            else None,
            Fraction(int(item["off"]), int(item["guessed_drop"]))
            if item["guessed"] >= least
            else None,
        )
        for item in sums
    }


def experiences(first: date, last: date, days_least: int) -> dict[str, Experience]:
    """Return what each game did that has enough settled days in a time. One query."""
    return {
        game: past.experience
        for game, past in pasts(first, last, days_least).items()
        if past.experience is not None
    }


def pasts_before(day: date, in_force: SettingsInForce) -> dict[str, Past]:
    """Return what each game did before a gaming day, as far back as the house looks. One query."""
    first = day - timedelta(days=in_force["statistics.days"])
    return pasts(first, day - timedelta(days=1), in_force["statistics.least"])
