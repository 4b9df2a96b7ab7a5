"""A patron's play: this trip's time, average, theo with its range and result with its band, and
each rating with what its figures are made of."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import date, datetime
from fractions import Fraction
from typing import Any

from django.urls import reverse

from inventory.models import Patron
from inventory.selectors.credit import standing_of
from inventory.selectors.exclusion import barred_since, oldest_list, stops_of
from inventory.selectors.patrons import files_of, identity_documents, other_files
from pitboss.models import Person
from pitboss.rules.cheques.cheques import format_cheques, format_money
from pitboss.rules.patrons.exclusion import Moment
from pitboss.rules.patrons.patrons import Standing
from pitboss.rules.ratings.reckoning import half_up
from pitboss.rules.ratings.theo import BetBasis, band
from pitboss.rules.roles import HOSTING, WATCHING, Role
from pitboss.rules.settings.in_force import SettingsInForce
from pitboss.rules.settings.ratings import YES
from pitboss.services import house
from tables.models import (
    Comp,
    CompKind,
    CompMove,
    MoneyKind,
    PlayRating,
    RatingFigures,
    StayEnd,
)
from tables.selectors.rating_audits import draws_waiting
from tables.selectors.rating_figures import (
    chances_of,
    main_of,
    newest_by_rating,
    theo_of_wager,
    wager_words,
)
from tables.selectors.rating_rounds import rounds_of
from tables.selectors.ratings import minutes_words, name_of
from tables.services.comps import account_of, play_of, points_of
from tables.services.hosts import host_of, tier_of
from tables.services.play_watch import own_loss_limit
from tables.services.rating_facts import seconds_into, skill_now
from tables.services.rating_worth import figures_of, worth_of

_FLOOR_ROLES = frozenset({Role.SUPERVISOR})
# Ratings, and comps, that a card lists.
_LISTED = 50
# Days before an ID ends from which a card says so.
_ID_NEAR = 30


def sees_theo(role: Role, in_force: SettingsInForce) -> bool:
    """Tell whether a role is shown theo: supervisors where the house says so."""
    return role not in _FLOOR_ROLES or in_force["rating.floor_sees_theo"] == YES


def ratings_of(patron: Patron) -> list[PlayRating]:
    """Return the last ratings of a patron, also under a description that was matched to them."""
    found = (
        play_of(patron)
        .select_related("table", "began_by", "patron", "stranger")
        .prefetch_related("seats", "looks")
        .order_by("-began_at", "-id")
    )
    return list(found[:_LISTED])


def trip_of(ratings: Sequence[PlayRating], gap_days: int) -> list[PlayRating]:
    """Return the ratings of the last trip: days with no more than the gap between them."""
    trip: list[PlayRating] = []
    last: date | None = None
    for rating in ratings:
        if last is not None and (last - rating.gaming_day).days - 1 > gap_days:
            break
        trip.append(rating)
        last = rating.gaming_day
    return trip


def card_of(patron: Patron, now: datetime, role: Role, in_force: SettingsInForce) -> dict[str, Any]:
    """Return a patron's card."""
    ratings = ratings_of(patron)
    blind: set[int] = set()
    if role in WATCHING:
        keys = [rating.pk for rating in ratings]
        blind = set(draws_waiting().filter(rating__in=keys).values_list("rating", flat=True))
        ratings = [rating for rating in ratings if rating.pk not in blind]
    figures = newest_by_rating(ratings)
    playing = next((rating for rating in ratings if rating.ended_at is None), None)
    if playing is not None and (so_far := _so_far(playing, now)).seconds:
        figures[playing.pk] = so_far
    trip = trip_of(ratings, in_force["trip.gap"])
    counted = [figures[item.pk] for item in trip if item.pk in figures]
    counted = [item for item in counted if not item.is_void]
    shows = sees_theo(role, in_force)
    standing = standing_of(patron)
    # Hosts are told nothing of credit.
    is_clear = standing is Standing.CLEAR or (
        role in HOSTING and standing is not Standing.SELF_EXCLUDED
    )
    return {
        "name": patron.full_name,
        "card": patron.player_card,
        "since": patron.added_at,
        "others": list(other_files(patron)),
        "tier": tier_of(patron),
        "playing": _playing_words(playing, now) if playing else "",
        "checks": _checks(patron, "" if is_clear else standing.label, now),
        "host": host_of(patron),
        # What a trip has earned would tell what a rating came to that is still to be watched.
        "comps": _comps(patron, now) if shows and not blind else None,
        "blind": len(blind),
        "facts": [*_trip_facts(trip, counted, ratings), *_own_limit(patron)],
        "theo": _theo(counted) if shows else None,
        "result": _result(counted) if shows else None,
        "ratings": [_line(rating, figures.get(rating.pk), now, shows=shows) for rating in ratings],
        "count": len(trip),
    }


def _so_far(rating: PlayRating, now: datetime) -> RatingFigures:
    """Return what a stay that goes on would come to if it ended now. Nothing of it is stored."""
    return figures_of(rating, worth_of(rating, now, ()), now)


def _checks(patron: Patron, standing: str, now: datetime) -> list[dict[str, Any]]:
    """Say at a glance what is asked before anyone is dealt to, or given something.

    `standing` is what stands against them, and empty where nothing does.
    """
    today = house.period_at(now).gaming_day
    proofs = list(identity_documents(patron, today).values_list("expires_on", flat=True))
    return [
        _check(not standing, standing.capitalize() or "In good standing"),
        _exclusion_check(patron, today),
        _id_check(proofs, today),
    ]


def _exclusion_check(patron: Patron, today: date) -> dict[str, Any]:
    """Compare a patron with the lists as they stand, as sitting down would."""
    barred = barred_since(patron.pk, today)
    if barred is not None:
        return _check(False, "Excluded", f"since {_on(barred.date())}")
    if stops_of(patron, Moment.SEAT, today):
        return _check(False, "Not clear to play", "call compliance")
    oldest = oldest_list()
    if oldest is None:
        return _check(False, "No list on file", "to compare with")
    if oldest.is_stale:
        return _check(False, "Old exclusion list", f"of {_on(oldest.imported_on)}")
    return _check(True, "No exclusion", f"lists of {_on(oldest.imported_on)}")


def _id_check(proofs: Sequence[date | None], today: date) -> dict[str, Any]:
    """Say how long the ID on file still holds that holds longest."""
    if not proofs:
        return _check(False, "No valid ID", "on file")
    expires = [proof for proof in proofs if proof is not None]
    if len(expires) < len(proofs):
        return _check(True, "ID on file")
    last = max(expires)
    days = (last - today).days
    if days > _ID_NEAR:
        return _check(True, "Valid ID", f"expires {_on(last)}")
    left = f"ID: {days} day{'' if days == 1 else 's'} left"
    return _check(False, left, f"expires {_on(last)}")


def _check(is_good: bool, what: str, more: str = "") -> dict[str, Any]:
    return {"is_good": is_good, "what": what, "more": more}


def _on(day: date) -> str:
    return f"{day:%b %-d, %Y}"


def _own_limit(patron: Patron) -> list[dict[str, str]]:
    cents = own_loss_limit(patron)
    return [] if cents is None else [{"name": "Own loss limit", "value": format_money(cents)}]


def _comps(patron: Patron, now: datetime) -> dict[str, Any]:
    """Return what the trip has earned and was given, each comp with its slip, and the points."""
    account = account_of(patron, now)
    given = Comp.objects.filter(patron__in=files_of(patron.pk), trip_began__gte=account.trip_began)
    given = given.select_related("slip", "issuer").prefetch_related("entries")
    return {
        "account": account,
        "points": points_of(patron),
        "lines": [_comp_line(comp) for comp in given.order_by("-id")[:_LISTED]],
    }


def _comp_line(comp: Comp) -> dict[str, Any]:
    moves = {entry.move for entry in comp.entries.all()}
    redeemed = sum(
        entry.amount_cents for entry in comp.entries.all() if entry.move == CompMove.REDEEMED
    )
    state = "Issued"
    if CompMove.VOIDED.value in moves:
        state = "Void"
    elif CompMove.EXPIRED.value in moves:
        state = "Expired"
    elif redeemed:
        state = "Redeemed" if redeemed == comp.value_cents else "Partly redeemed"
    elif CompMove.ISSUED.value not in moves:
        state = "Needs authorization"
    return {
        "url": reverse("slip", args=[comp.slip.serial]),
        "what": CompKind(comp.kind).label,
        "serial": comp.slip.serial,
        "at": comp.at,
        "by": str(comp.issuer),
        "value_cents": comp.value_cents,
        "state": state,
    }


def _playing_words(rating: PlayRating, now: datetime) -> str:
    seats = [str(seat.seat) for seat in rating.seats.all() if seat.until is None]
    return (
        f"{rating.table}, seat {' and '.join(seats)} · {minutes_words(seconds_into(rating, now))}"
    )


def _trip_facts(
    trip: Sequence[PlayRating],
    counted: Sequence[RatingFigures],
    ratings: Sequence[PlayRating],
) -> list[dict[str, str]]:
    if not trip:
        return [{"name": "Trip", "value": "no play on file"}]
    first, last = trip[-1].gaming_day, trip[0].gaming_day
    days = f"{first:%b %-d}" if first == last else f"{first:%b %-d}–{last:%b %-d}"
    seconds = sum(item.seconds for item in counted)
    known = [item for item in counted if item.average and item.seconds]
    weighed = sum(Fraction(item.average) * item.seconds for item in known)
    average = Fraction(weighed, sum(item.seconds for item in known)) if known else None
    hands = half_up(sum((Fraction(item.decisions) for item in known), Fraction(0)))
    usual = [name for name, _ in Counter(rating.table.name for rating in ratings).most_common(2)]
    return [
        {"name": "Trip", "value": days},
        {"name": "Played", "value": minutes_words(seconds)},
        {"name": "Average bet", "value": format_money(half_up(average)) if average else "–"},
        {"name": "Hands", "value": f"{hands:,}"},
        {"name": "Usual tables", "value": ", ".join(usual)},
    ]


def _theo(counted: Sequence[RatingFigures]) -> dict[str, Any]:
    """Return the theo of a trip, and how far it may be off for want of data."""
    known = [item for item in counted if item.theo]
    cents = half_up(sum((Fraction(item.theo) for item in known), Fraction(0)))
    low = sum(item.low_cents or 0 for item in known)
    high = sum(item.high_cents or 0 for item in known)
    return {
        "is_known": bool(known),
        "cents": cents,
        "low": low,
        "high": high,
        "words": _theo_words(known),
        "unknown": len(counted) - len(known),
        "drawn": drawn_span(low, high, cents),
    }


def drawn_span(low: int, high: int, at: int) -> dict[str, int | None]:
    """Return where a range, a figure and zero stand on a line of 1,000, each with room beside it.

    >>> drawn_span(100, 300, 200)
    {'low': 100, 'wide': 800, 'at': 500, 'zero': None}
    >>> drawn_span(-100, 300, 500)["zero"]
    233
    """
    least, most = min(low, at), max(high, at)
    whole = max(1, most - least)

    def place(cents: int) -> int:
        return 100 + 800 * (cents - least) // whole

    return {
        "low": place(low),
        "wide": place(high) - place(low),
        "at": place(at),
        "zero": place(0) if least < 0 < most else None,
    }


def _theo_words(known: Sequence[RatingFigures]) -> str:
    """Say what a trip’s theo is known from: of stays that were played, and have one."""
    played = [item for item in known if item.basis]
    looked = sum(item.basis != BetBasis.TOLD for item in played)
    if looked == len(known) and looked:
        return f"From bets that were seen.{_if_now(known)}"
    if looked:
        others = "The others are exact, from rounds."
        return f"{looked} of {len(known)} ratings from looks. {others}{_if_now(known)}"
    if played:
        return f"Exact, from rounds.{_if_now(known)}"
    return "No bet was seen." if known else "No rating of this trip has a theo yet."


def _if_now(known: Sequence[RatingFigures]) -> str:
    # What is not stored is of a stay that goes on.
    goes_on = any(item.pk is None for item in known)
    return " The stay that goes on counts as if it ended now." if goes_on else ""


def _result(counted: Sequence[RatingFigures]) -> dict[str, Any] | None:
    """Return what the house won where that is known, and how far chance alone may stray."""
    known = [item for item in counted if item.result_cents is not None and item.theo]
    if not known:
        return None
    won = sum(item.result_cents or 0 for item in known)
    theo = sum((Fraction(item.theo) for item in known), Fraction(0))
    found = band(theo, won, [chance for item in known for chance in chances_of(item)])
    return {
        "cents": won,
        "low": found.low_cents,
        "high": found.high_cents,
        "state": found.state,
        "of": len(known),
        "drawn": drawn_span(found.low_cents, found.high_cents, won),
    }


def _line(
    rating: PlayRating, figures: RatingFigures | None, now: datetime, *, shows: bool
) -> dict[str, Any]:
    seats = sorted({seat.seat for seat in rating.seats.all()})
    looks = len(rating.looks.all())
    by = rating.began_by
    words = {
        None: "figures follow",
        "": "no bet was seen",
        BetBasis.TOLD.value: "from rounds",
        BetBasis.LOOKED.value: f"{looks} look{'s' if looks != 1 else ''}",
        BetBasis.GUESSED.value: "from memory",
    }[figures.basis if figures else None]
    if rating.ended_at is None:
        words = f"{looks} look{'s' if looks != 1 else ''}, playing now"
    if figures is not None and figures.is_void:
        words = "void"
    return {
        "url": reverse("rating", args=[rating.pk]),
        "where": f"{rating.table}, seat {' and '.join(map(str, seats))}",
        "began_at": rating.began_at,
        "ended_at": rating.ended_at,
        "words": words,
        "by": str(by) if by else "",
        "theo_cents": figures.theo_cents if figures and shows else None,
        "low": figures.low_cents if figures and shows else None,
        "high": figures.high_cents if figures and shows else None,
        "is_exact": bool(figures and figures.basis == BetBasis.TOLD),
    }


def rating_page_of(
    rating: PlayRating, now: datetime, role: Role, in_force: SettingsInForce
) -> dict[str, Any]:
    """Return one rating with every figure opened to what it is made of."""
    revisions = list(rating.figures.select_related("slip").order_by("revision"))
    figures = revisions[-1] if revisions else None
    if rating.ended_at is None and (so_far := _so_far(rating, now)).seconds:
        figures = so_far
    shows = sees_theo(role, in_force)
    return {
        "rating": rating,
        "name": str(rating.patron) if rating.patron else name_of(rating),
        "time": minutes_words(
            figures.seconds if figures else seconds_into(rating, rating.ended_at or now)
        ),
        "end": StayEnd(rating.end).label if rating.end else "",
        "figures": figures,
        "average": _money_of(figures.average if figures else ""),
        "decisions": half_up(Fraction(figures.decisions))
        if figures and figures.decisions
        else None,
        "lines": _theo_lines(figures) if figures and shows else [],
        "shows_theo": shows,
        "looks": rating.looks.select_related("by").order_by("at", "id"),
        "rounds": rounds_of(rating, now),
        "seats": rating.seats.order_by("from_at", "id"),
        "absences": rating.absences.order_by("from_at"),
        "skill": skill_now(rating).label.lower(),
        "money": [
            {
                "label": MoneyKind(row.kind).label,
                "at": row.at,
                "amount_cents": row.amount_cents,
                "cheques": format_cheques({int(key): n for key, n in row.cheques.items()})
                if row.cheques
                else "",
            }
            for row in rating.money.order_by("id")
            if role not in HOSTING
        ],
        "revisions": revisions if shows else [],
        "raters": _raters(rating),
    }


def _money_of(fraction: str) -> str:
    return format_money(half_up(Fraction(fraction))) if fraction else ""


def _raters(rating: PlayRating) -> list[Person]:
    looked = [look.by for look in rating.looks.select_related("by")]
    everyone = (*looked, rating.began_by, rating.ended_by)
    return list(dict.fromkeys(item for item in everyone if item is not None))


_FROM: Mapping[str, str] = {"exact": "exact", "set": "set by the house", "": "not known"}


def _theo_lines(figures: RatingFigures) -> list[dict[str, Any]]:
    """Return what each wager adds to the theo: action, edge, product."""
    main = main_of(figures)
    lines = []
    for wager in sorted(figures.action, key=lambda figure: (figure != main, figure)):
        row = figures.edges.get(wager, {"edge": "", "from": ""})
        skill_bp = figures.skill_bp if wager == main else 0
        lines.append(
            {
                "wager": wager_words(wager),
                "action_cents": half_up(Fraction(figures.action[wager])),
                "edge": as_percent4(Fraction(row["edge"] or 0)),
                # Of several rules it is what they give together: each is listed below.
                "fraction": row["edge"] if not row.get("parts") else "",
                "source": _FROM.get(row["from"], row["from"]),
                "skill": f"{skill_bp / 100:.2f}%" if skill_bp else "",
                "theo_cents": half_up(theo_of_wager(figures, wager)),
                "parts": [
                    {
                        "action_cents": half_up(Fraction(cents)),
                        "edge": as_percent4(Fraction(edge)),
                        "fraction": edge,
                    }
                    for cents, edge in row.get("parts", ())
                ],
            }
        )
    return lines


def as_percent4(edge: Fraction) -> str:
    """Write an edge in percent with four decimals, a half rounded up.

    >>> as_percent4(Fraction(4059, 1_000_000)), as_percent4(Fraction(-1, 800))
    ('0.4059%', '-0.1250%')
    """
    sign, whole = ("-", -edge) if edge < 0 else ("", edge)
    points = half_up(whole * 1_000_000)
    return f"{sign}{points // 10_000}.{points % 10_000:04}%"
