"""A host's patrons: who plays now and where, what is left to give, last trips, birthdays."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import Any

from django.db.models import Max, QuerySet
from django.urls import reverse

from inventory.models import Patron
from inventory.selectors.credit import standing_of
from inventory.selectors.patrons import patrons_named
from pitboss.models import Person
from pitboss.rules.patrons.patrons import Standing
from pitboss.rules.roles import Role
from tables.models import PlayRating
from tables.selectors.ratings import minutes_words
from tables.services.comps import account_of
from tables.services.hosts import patrons_of
from tables.services.rating_facts import seconds_into

_LISTED = 60
BIRTHDAY_DAYS = 7


def host_view(person: Person, role: Role, asked: str, now: datetime, today: date) -> dict[str, Any]:
    """Return the patrons of a host; a host manager looks up any. No cash, credit or tax."""
    mine = _listed(person, role, asked)
    playing = {
        play_rating.patron_id: play_rating
        for play_rating in PlayRating.objects.filter(patron__in=mine, ended_at=None).select_related(
            "table"
        )
    }
    last = dict(
        PlayRating.objects.filter(patron__in=mine)
        .order_by()
        .values("patron")
        .annotate(day=Max("gaming_day"))
        .values_list("patron", "day")
    )
    lines = [_line(patron, playing.get(patron.pk), last.get(patron.pk), now) for patron in mine]
    return {
        "playing": [line for line in lines if line["playing"]],
        "others": [line for line in lines if not line["playing"]],
        "birthdays": [
            line | {"birthday": day}
            for line, patron in zip(lines, mine, strict=True)
            if (day := next_birthday(patron.born_on, today)) is not None
            and day - today <= timedelta(days=BIRTHDAY_DAYS)
        ],
    }


def _listed(person: Person, role: Role, asked: str) -> list[Patron]:
    found: QuerySet[Patron] | list[Patron] = patrons_of(person)
    if role is Role.HOST_MANAGER and asked:
        found = patrons_named(asked)
    elif asked:
        named = {patron.pk for patron in patrons_named(asked)}
        found = [patron for patron in found if patron.pk in named]
    return list(found[:_LISTED])


def _line(
    patron: Patron, rating: PlayRating | None, last: date | None, now: datetime
) -> dict[str, Any]:
    playing = ""
    if rating is not None:
        playing = f"{rating.table} · {minutes_words(seconds_into(rating, now))}"
    return {
        "url": reverse("patron-card", args=[patron.pk]),
        "name": str(patron),
        "playing": playing,
        "last": last,
        "left_cents": account_of(patron, now).left_cents,
        "is_barred": standing_of(patron) is Standing.SELF_EXCLUDED,
    }


def next_birthday(born_on: date | None, today: date) -> date | None:
    """Return when someone's next birthday is, today included; of a leap day, March 1.

    >>> next_birthday(date(1980, 2, 29), date(2026, 2, 20)), next_birthday(None, date(2026, 1, 1))
    (datetime.date(2026, 3, 1), None)
    """
    if born_on is None:
        return None
    for year in (today.year, today.year + 1):
        try:
            day = born_on.replace(year=year)
        except ValueError:
            day = date(year, 3, 1)
        if day >= today:
            return day
    raise AssertionError("one of two birthdays is to come")
