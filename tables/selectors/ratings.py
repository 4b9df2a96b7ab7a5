"""Read who sits at a table: each seat as a tablet shows it, and the one that is tapped."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db.models import Count, Max, OuterRef, Q, QuerySet, Subquery
from django.urls import reverse
from django.utils import timezone

from inventory.selectors.patrons import AT_HAND_MAX, tells_who_is_seated
from pitboss.models import FloorException, Table
from pitboss.rules.cheques.cheques import format_money
from pitboss.rules.games.games import spoken
from pitboss.rules.ratings.prompts import bet_ladder
from pitboss.rules.ratings.reckoning import Unreckoned, half_up
from pitboss.rules.ratings.theo import Skill
from pitboss.rules.settings.in_force import SettingsInForce
from pitboss.selectors.table_rules import rules_in_force
from pitboss.services.exceptions import EXCLUDED_AT_TABLE
from tables.models import Look, PlayRating, SeatHeld
from tables.services.rating_facts import (
    SEATS,
    last_told,
    look_wanted_since,
    most_on,
    seconds_into,
    skill_now,
    told_now,
)
from tables.services.rating_worth import average_so_far, told_so_far


def seats_taken(table: Any) -> Subquery:
    """Return how many seats of a table are taken, for a query over tables."""
    held = SeatHeld.objects.filter(table=table, until=None).order_by().values("table")
    return Subquery(held.annotate(taken=Count("pk")).values("taken"))


@tells_who_is_seated
def patrons_seated(table: str) -> list[int]:
    """Return who sits at a table of this name, or anywhere: who sat down last comes first."""
    held = SeatHeld.objects.filter(until=None, rating__patron__isnull=False)
    here = held.filter(table__name=table) if table else held
    return list(
        here.order_by("-from_at", "-id").values_list("rating__patron", flat=True)[:AT_HAND_MAX]
    )


def minutes_words(seconds: int) -> str:
    """Say how long someone has been there.

    >>> minutes_words(4_320), minutes_words(1_080)
    ('1 h 12 min', '18 min')
    """
    hours, minutes = divmod(seconds // 60, 60)
    return f"{hours} h {minutes:02} min" if hours else f"{minutes} min"


def name_of(rating: PlayRating) -> str:
    """Say who is rated, as short as a seat has room for."""
    if rating.patron is not None:
        return f"{rating.patron.first_name[:1]}. {rating.patron.last_name}"
    return "No name" if rating.declined_name else "Unknown player"


def open_ratings(table: Table) -> QuerySet[Any]:
    """Return the ratings that go on at a table, each with its last look."""
    newest = Look.objects.filter(rating=OuterRef("pk")).order_by("-at", "-id")
    return (
        PlayRating.objects.filter(table=table, ended_at=None)
        .select_related("patron", "stranger")
        .annotate(
            last_look=Max("looks__at"),
            last_bet_cents=Subquery(newest.values("bet_cents")[:1]),
            is_away=Count("absences", filter=Q(absences__until=None)),
        )
        .order_by("id")
    )


def seats_at(table: Table, now: datetime, in_force: SettingsInForce) -> list[dict[str, Any]]:
    """Return every seat of a table, first base first, as its page shows it."""
    stays = {rating.pk: rating for rating in open_ratings(table)}
    held = {
        seat_held.seat: seat_held for seat_held in SeatHeld.objects.filter(table=table, until=None)
    }
    barred = {
        floor_exception.details["seat"]: floor_exception.opened_at
        for floor_exception in FloorException.objects.filter(
            table=table, code=EXCLUDED_AT_TABLE, resolved_at=None
        )
    }
    url = reverse("table", args=[table.name])
    fields = told_now(table, held.values(), now, in_force) if stays else {}
    return [
        {
            "number": number,
            "url": f"{url}?seat={number}#seat",
            **_seat(held.get(number), stays, barred.get(number), fields, now, in_force),
        }
        for number in range(1, SEATS + 1)
    ]


def _seat(
    held: SeatHeld | None,
    stays: Mapping[int, Any],
    barred_at: datetime | None,
    told: Mapping[int, int],
    now: datetime,
    in_force: SettingsInForce,
) -> dict[str, Any]:
    """Return how one seat looks: a state with its word, who is there, the bet, the time."""
    if held is None and barred_at is not None:
        at = f"security notified {timezone.localtime(barred_at):%H:%M}"
        return {"state": "barred", "word": "Barred", "name": "Do not deal", "small": at}
    if held is None:
        return {"state": "empty", "word": "Empty", "small": "Tap or scan card"}
    if held.rating_id is None:
        since = minutes_words(int((now - held.from_at).total_seconds()))
        return {"state": "hollow", "word": "Taken", "name": "No name", "small": since}
    rating = stays[held.rating_id]
    bet = format_money(rating.last_bet_cents) if rating.last_bet_cents else ""
    seat = {"name": name_of(rating), "bet": bet, "rating": rating.pk}
    seconds = seconds_into(rating, now)
    if rating.is_away:
        return seat | {"state": "dim", "word": "Away", "small": minutes_words(seconds)}
    if rating.pk in told:
        bet = format_money(told[rating.pk])
        return seat | {
            "state": "rated",
            "word": "Rated",
            "bet": bet,
            "small": f"{minutes_words(seconds)}, from rounds",
        }
    quiet = int((now - (rating.last_look or rating.began_at)).total_seconds())
    if quiet >= in_force["rating.unattended_after"] * 60 and last_told(rating, now) is None:
        small = f"no look {minutes_words(quiet)}"
        return seat | {"state": "dim", "word": "Unattended", "small": small}
    wanted = look_wanted_since(rating, rating.last_look, now, in_force)
    if wanted is not None or rating.last_look is None:
        return seat | {"state": "look", "word": "Look due", "small": minutes_words(seconds)}
    return seat | {"state": "rated", "word": "Rated", "small": minutes_words(seconds)}


def seat_panel(
    table: Table, number: int, now: datetime, in_force: SettingsInForce
) -> dict[str, Any] | None:
    """Return the seat that was tapped, with what can be done about it; none for no seat."""
    if not 1 <= number <= SEATS:
        return None
    held = (
        SeatHeld.objects.filter(table=table, seat=number, until=None)
        .select_related("rating")
        .first()
    )
    panel: dict[str, Any] = {"number": number, "url": reverse("seat", args=[table.name, number])}
    if held is None:
        return panel | {"state": "empty", "title": f"Seat {number}"}
    if held.rating_id is None:
        return panel | {"state": "taken", "title": f"Seat {number} · Taken", "held": held}
    rating: Any = open_ratings(table).get(pk=held.rating_id)
    looks = rating.looks.count()
    seats = list(rating.seats.filter(until=None).values_list("seat", flat=True))
    whole = Table.objects.get(pk=table.pk)
    rules = rules_in_force(whole, in_force, now)
    told = told_so_far(rating, now)
    wanted = told is None and (
        rating.last_look is None
        or look_wanted_since(rating, rating.last_look, now, in_force) is not None
    )
    last = "The terminal reports every bet" if told is not None else None
    if rating.last_look is not None:
        at = timezone.localtime(rating.last_look)
        last = f"Last look {at:%H:%M}, {format_money(rating.last_bet_cents)}"
    return panel | {
        "state": "rated",
        "title": f"Seat {number} · {name_of(rating)}",
        "rating": rating,
        "is_away": bool(rating.is_away),
        "wanted": wanted,
        "last": last or "No look yet",
        "ladder": [
            {"cents": cents, "words": words, "is_first": not place}
            for place, (cents, words) in enumerate(
                bet_ladder(rating.last_bet_cents, rules.minimum_cents, most_on(whole, seats, now))
            )
        ],
        "average": format_money(half_up(told.average))
        if told is not None
        else _average_words(rating, now),
        "known_from": f"{told.decisions} rounds" if told is not None else look_words(looks),
        "looks": looks,
        "skill": skill_now(rating).value,
        "skills": list(Skill),
        "time": minutes_words(seconds_into(rating, now)),
        "side_bets": [{"wager": wager, "name": spoken(wager)} for wager in rules.side_bets],
        "card_url": reverse("patron-card", args=[rating.patron_id])
        if rating.patron_id
        else reverse("rating", args=[rating.pk]),
        "moves": [
            {"name": item.name, "is_current": item.pk == table.pk}
            for item in Table.objects.filter(pit=table.pit_id, is_open=True).order_by("name")
        ],
        "seats": range(1, SEATS + 1),
    }


def look_words(looks: int) -> str:
    """Say how many looks there were.

    >>> look_words(1), look_words(4)
    ('1 look', '4 looks')
    """
    return f"{looks} look{'s' if looks != 1 else ''}"


def _average_words(rating: PlayRating, now: datetime) -> str:
    try:
        return format_money(half_up(average_so_far(rating, now)))
    except Unreckoned:
        return ""
