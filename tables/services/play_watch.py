"""Watch how long patrons play, over tables, days and cards, and whether one person rates a patron.

An alert is an exception: whoever closes it says who spoke to the patron. Where the house bars, long
play bars the next rating until there was a break.
"""

from __future__ import annotations

from collections import Counter
from datetime import datetime, timedelta
from typing import Any, Final

from django.db import transaction

from inventory.models import Patron
from inventory.selectors.patrons import files_of, root_of
from pitboss.models import FloorException, Person
from pitboss.rules.cheques.cheques import format_money
from pitboss.rules.ratings.play_alerts import PlayLimits, PlayTime, play_time, stricter
from pitboss.rules.ratings.reckoning import Span, merged_spans
from pitboss.rules.settings.in_force import SettingsInForce
from pitboss.services import house
from pitboss.services.exceptions import ONE_RATER, PLAY_TIME, open_exception
from tables.models import LossLimit, PlayRating
from tables.selectors.rating_figures import newest_by_rating
from tables.services.comps import play_of

_WEEK: Final = timedelta(days=7)
_MONTH: Final = timedelta(days=30)
# One person on more than half of so many ratings of a patron is looked into.
RATINGS_LEAST: Final = 10
BARS: Final = "bars"
_WORDS: Final = {
    "play_continuous": "has played {hours} h without a break",
    "play_day": "has played {hours} h in 24 hours",
    "play_week": "has played {hours} h in 7 days",
    "play_loss": "has lost {lost} today",
}


def own_loss_limit(patron: Patron) -> int | None:
    """Return the daily loss that a patron set themselves: the strictest of their files."""
    limits = LossLimit.objects.filter(patron__in=files_of(patron.pk))
    newest = limits.order_by("patron_id", "-id").distinct("patron_id")
    return stricter(*(loss_limit.loss_cents for loss_limit in newest))


def limits_of(in_force: SettingsInForce, own_loss_cents: int | None = None) -> PlayLimits:
    """Return from when on play is an alert."""
    return PlayLimits(
        continuous=in_force["alert.continuous"] * 3_600,
        pause=in_force["alert.pause"] * 60,
        day=in_force["alert.day"] * 3_600,
        week=in_force["alert.week"] * 3_600,
        loss_cents=stricter(in_force["alert.loss"], own_loss_cents),
    )


def _spans(patron: Patron, now: datetime) -> list[Span]:
    stays = play_of(patron, said=True).filter(began_at__gte=now - _WEEK - timedelta(days=1))
    return [
        (int(began.timestamp()), int((ended or now).timestamp()))
        for began, ended in stays.values_list("began_at", "ended_at")
    ]


def time_played(patron: Patron, now: datetime, in_force: SettingsInForce) -> PlayTime:
    """Return how long a patron has played, at whatever tables and on whatever days."""
    spans, limits = _spans(patron, now), limits_of(in_force, own_loss_limit(patron))
    return play_time(spans, int(now.timestamp()), limits, lost_today(patron, now))


def lost_today(patron: Patron, now: datetime) -> int:
    """Return what a patron lost in the gaming day, where it is known what they left with."""
    stays = play_of(patron, said=True).filter(gaming_day=house.period_at(now).gaming_day)
    figures = newest_by_rating(list(stays))
    return sum(figure.result_cents or 0 for figure in figures.values())


def break_due(patron: Patron, now: datetime, in_force: SettingsInForce) -> bool:
    """Tell whether a patron may not be rated before a break: only where the house bars."""
    if in_force["alert.does"] != BARS:
        return False
    return bool({"play_day", "play_week"} & {*time_played(patron, now, in_force).alerts})


def watch_play() -> int:
    """Open an alert for everyone who has played too long; return how many were opened."""
    now = house.now()
    playing = PlayRating.objects.filter(ended_at=None, patron__isnull=False)
    patrons = Patron.objects.filter(pk__in=playing.values("patron")).order_by("pk")
    opened = sum(_alert(patron, now) for patron in patrons)
    ended = PlayRating.objects.filter(
        ended_at__gte=now - timedelta(minutes=10), patron__isnull=False
    )
    rated = Patron.objects.filter(pk__in=ended.values("patron")).order_by("pk")
    # What someone lost is known when they leave.
    opened += sum(_alert(patron, now) for patron in rated.exclude(pk__in=patrons))
    return opened + sum(_one_rater(patron, now) for patron in rated)


def _alert(patron: Patron, now: datetime) -> int:
    in_force = house.settings_at(now)
    time = time_played(patron, now, in_force)
    runs = merged_spans(_spans(patron, now), gap=in_force["alert.pause"] * 60)
    since = {"play_continuous": runs[-1][0] if runs else 0}
    day = house.period_at(now).gaming_day.isoformat()
    hours = {
        "play_continuous": time.continuous,
        "play_day": time.day,
        "play_week": time.week,
    }
    lost = format_money(lost_today(patron, now))
    opened = 0
    for code in time.alerts:
        words = _WORDS[code].format(hours=hours.get(code, 0) // 3_600, lost=lost)
        # One run is one alert, however often it is looked at, and over a turn of the day.
        # On whichever of their files they play.
        whose = root_of(patron.pk)
        details = {"patron": whose, "alert": code, "since": since.get(code, day)}
        sentence = f"{patron} {words}. Speak to them, and enter who did."
        opened += _open_once(PLAY_TIME, sentence, details, now)
    return opened


def _one_rater(patron: Patron, now: datetime) -> int:
    """Open an exception where one person rates most of a patron's play."""
    recent = PlayRating.objects.filter(patron=patron, began_at__gte=now - _MONTH)
    by = Counter(recent.exclude(began_by=None).values_list("began_by", flat=True))
    total = sum(by.values())
    if total < RATINGS_LEAST:
        return 0
    person_id, most = by.most_common(1)[0]
    if most * 2 <= total:
        return 0
    person = Person.objects.get(pk=person_id)
    month = f"{now:%Y-%m}"
    details = {"patron": patron.pk, "person": person_id, "month": month}
    sentence = f"{person} made {most} of {total} ratings of {patron} in 30 days. Investigate."
    return _open_once(ONE_RATER, sentence, details, now)


def _open_once(code: str, sentence: str, details: dict[str, Any], now: datetime) -> int:
    with transaction.atomic(durable=True):
        if FloorException.objects.filter(code=code, details=details).exists():
            return 0
        open_exception(code=code, sentence=sentence, details=details, at=now, person=None)
        return 1
