"""What a patron's play has earned, what was given on it, and what may be done with a comp.

Everything that is given is reserved under the patron's lock: two who spend one balance at once
find it spent.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from django.db.models import Exists, F, OuterRef, Q, QuerySet, Subquery, Sum
from django.db.models.functions import Coalesce

from inventory.models import Patron, StrangerMatch
from inventory.selectors.credit import standing_of
from inventory.selectors.patrons import files_of
from inventory.services.exclusion import Compared, keep_comparison, stop_refusals
from pitboss.models import Person, SettingValue, Slip
from pitboss.rules.cheques.cheques import format_money
from pitboss.rules.patrons.exclusion import Moment
from pitboss.rules.ratings import comps
from pitboss.rules.refusal import CONFLICT, INPUT, NOT_YOURS, Refusal
from pitboss.rules.roles import Role
from pitboss.rules.settings.book import BOOK, LIMIT
from pitboss.services import house
from tables.models import (
    Comp,
    CompEntry,
    CompMove,
    PlayRating,
    PointsEntry,
    RatingFigures,
    Relation,
)

# Over this, no limit is meant.
_NO_LIMIT = 10**15
# A trip is looked for in so many of the last days of play; no one stays longer.
_DAYS_READ = 120


@dataclass(frozen=True, slots=True)
class CompAccount:
    """What a trip has earned, what was given on it, and what is left. Left may be below zero."""

    trip_began: date
    days: int
    theo_cents: int
    earned_cents: int
    given_cents: int

    @property
    def left_cents(self) -> int:
        return self.earned_cents - self.given_cents


def strangers_of(patron: Patron, *, said: bool = False) -> list[int]:
    """Return the descriptions that turned out to be this patron; the newest match of each holds.

    Only what two have signed, or with `said` what one has as well.
    """
    files = files_of(patron.pk)
    ever = StrangerMatch.objects.filter(patron__in=files).values("stranger")
    last = StrangerMatch.objects.filter(stranger__in=ever).order_by("stranger", "-id")
    newest = last.distinct("stranger").values("pk")
    held = StrangerMatch.objects.filter(pk__in=newest, patron__in=files)
    if not said:
        earlier = StrangerMatch.objects.filter(stranger=OuterRef("stranger"), pk__lt=OuterRef("pk"))
        before = earlier.order_by("-id").values("patron")[:1]
        held = held.alias(before=Subquery(before)).filter(before=F("patron"))
    return list(held.values_list("stranger", flat=True))


def play_of(patron: Patron, *, said: bool = False) -> QuerySet[PlayRating]:
    """Return every rating of a patron, on each file, also under a description matched to them.

    What earns follows a match that two have signed. What protects the patron or the house follows
    it as soon as it is `said`.
    """
    mine = Q(patron__in=files_of(patron.pk)) | Q(stranger__in=strangers_of(patron, said=said))
    return PlayRating.objects.filter(mine)


def trip_days(days: Iterable[date], gap_days: int) -> list[date]:
    """Return the days of the last trip, newest first, of days of play in that order.

    >>> days = [date(2026, 5, 9), date(2026, 5, 7), date(2026, 5, 4)]
    >>> [day.day for day in trip_days(days, 1)]
    [9, 7]
    """
    trip: list[date] = []
    for day in days:
        if trip and (trip[-1] - day).days - 1 > gap_days:
            break
        trip.append(day)
    return trip


def theo_by_day(patron: Patron, since: date | None = None) -> list[tuple[date, int]]:
    """Return the theo of each rating as it counts now, with its gaming day; void ones left out."""
    play = play_of(patron)
    if since is not None:
        play = play.filter(gaming_day__gte=since)
    newest = RatingFigures.objects.filter(rating__in=play).order_by("rating", "-revision")
    figures = newest.distinct("rating").values_list("rating__gaming_day", "theo_cents", "is_void")
    return [(day, cents) for day, cents, is_void in figures if cents is not None and not is_void]


def value_by_day(key: str) -> Callable[[date], Any]:
    """Return what says the value of a setting on a gaming day, past ones too. One query.

    Ended ratings keep what was in force in their time.
    """
    rows = SettingValue.objects.filter(key=key).select_related("slip").order_by("holds_from", "id")
    changes = [
        (date.fromisoformat(row.slip.details["day"]), row.slip.details["value"]) for row in rows
    ]

    def value_on(day: date) -> Any:
        in_force = [value for since, value in changes if since <= day]
        return in_force[-1] if in_force else BOOK[key].default

    return value_on


def account_of(patron: Patron, now: datetime) -> CompAccount:
    """Return what a patron's last trip has earned, and what is left of it."""
    today = house.period_at(now).gaming_day
    gap = house.settings_at(now)["trip.gap"]
    played = play_of(patron).order_by("-gaming_day").values_list("gaming_day", flat=True)
    days = trip_days(played.distinct()[:_DAYS_READ], gap)
    began = days[-1] if days else today
    theo = theo_by_day(patron, began) if days else []
    share_on = value_by_day("comp.share")
    return CompAccount(
        trip_began=began,
        days=len(days),
        theo_cents=sum(cents for _, cents in theo),
        earned_cents=comps.earned((cents, share_on(day)) for day, cents in theo),
        given_cents=_sum(given_to(patron).filter(trip_began__gte=began)),
    )


def given_to(patron: Patron) -> QuerySet[Comp]:
    """Return the comps of a patron that count, on each file: those that are not voided."""
    voided = CompEntry.objects.filter(comp=OuterRef("pk"), move=CompMove.VOIDED.value)
    return Comp.objects.filter(~Exists(voided), patron__in=files_of(patron.pk))


def _sum(given: QuerySet[Comp]) -> int:
    """Return what comps come to; what expired unused was not given."""
    expired = CompEntry.objects.filter(comp=OuterRef("pk"), move=CompMove.EXPIRED.value)
    counted = F("value_cents") - Coalesce(Subquery(expired.values("amount_cents")[:1]), 0)
    return given.order_by().aggregate(cents=Sum(counted))["cents"] or 0


def given_today(person: Person, patron: Patron, day: date) -> int:
    """Return what someone gave a patron on a gaming day."""
    return _sum(given_to(patron).filter(issuer=person, gaming_day=day))


def limit_cents(person: Person, role: Role, now: datetime) -> int:
    """Return what someone gives one patron in a gaming day without further authority."""
    own = house.own_limit_of(person, "comp", now)
    if own is not None:
        return own
    key = f"{LIMIT}comp.{role.value}"
    most = house.settings_at(now)[key] if key in BOOK else 0
    return _NO_LIMIT if most is None else most


def is_related(person: Person, patron: Patron) -> bool:
    """Tell whether someone who works here is related to a patron, as two confirmed."""
    rows = Relation.objects.filter(person=person, patron__in=files_of(patron.pk))
    newest = rows.order_by("patron_id", "-id").distinct("patron_id").values_list("ended", flat=True)
    return not all(newest)


@dataclass(frozen=True, slots=True)
class CompRequest:
    """A comp that someone wants to give, as it stands under the patron's lock."""

    patron: Patron
    person: Person
    role: Role
    value_cents: int
    now: datetime

    def account(self) -> CompAccount:
        return account_of(self.patron, self.now)

    def today_cents(self) -> int:
        """Return what the issuer will have given this patron today."""
        day = house.period_at(self.now).gaming_day
        return given_today(self.person, self.patron, day) + self.value_cents

    def answer(self, account: CompAccount) -> comps.CompAnswer:
        """Return whether it may be given, and whose authority it needs."""
        return comps.comp(
            comps.CompAsked(
                earned_cents=account.earned_cents,
                given_cents=account.given_cents,
                asked_cents=self.value_cents,
                issuer_limit_cents=limit_cents(self.person, self.role, self.now),
                issuer_today_cents=self.today_cents() - self.value_cents,
                standing=standing_of(self.patron).value,
                related=is_related(self.person, self.patron),
            )
        )


def comp_refusal(code: str, asking: CompRequest, account: CompAccount) -> Refusal:
    """Return why a comp is not given, with what to do."""
    limit = format_money(limit_cents(asking.person, asking.role, asking.now))
    words, status = {
        "amount_malformed": ("Enter the value in dollars, like 25.", INPUT),
        "self_excluded": (f"{asking.patron} can’t be given comps. Call compliance.", NOT_YOURS),
        "related_to_patron": (
            f"You are related to {asking.patron}. Someone else must give this comp.",
            NOT_YOURS,
        ),
        "over_earned": (
            f"{format_money(account.left_cents)} is left of this trip. Request authorization, "
            "or give less.",
            CONFLICT,
        ),
        "over_own_limit": (
            f"You can give a patron {limit} in a gaming day. Request authorization, or give less.",
            CONFLICT,
        ),
    }[code]
    return Refusal(code, words, status)


def write_entry(
    comp: Comp, move: CompMove, slip: Slip | None, at: datetime, **more: Any
) -> CompEntry:
    """Write what happened to a comp."""
    return CompEntry.objects.create(
        **{
            "comp": comp,
            "move": move.value,
            "amount_cents": comp.value_cents,
            "slip": slip,
            "gaming_day": house.period_at(at).gaming_day,
            "at": at,
            **more,
        }
    )


def redeemed_cents(comp: Comp) -> int:
    """Return how much of a comp was redeemed."""
    redeemed = comp.entries.filter(move=CompMove.REDEEMED.value).order_by()
    return redeemed.aggregate(cents=Sum("amount_cents"))["cents"] or 0


def comp_stops(patron: Patron, at: datetime, slip: Slip | None = None) -> list[Refusal]:
    """Return that nothing is given to a patron who is on a list; security and compliance know."""
    return stop_refusals(Compared(patron, Moment.COMP, at, None, slip))


def keep_compared(patron: Patron, at: datetime, slip: Slip | None = None) -> None:
    """Keep that a patron was compared when something was given; before its journal entry."""
    keep_comparison(Compared(patron, Moment.COMP, at, None, slip))


def redemption_refusals(comp: Comp, amount_cents: int) -> list[Refusal]:
    """Return why an amount of a comp cannot be redeemed. Its patron is locked."""
    moves = set(comp.entries.values_list("move", flat=True))
    if CompMove.VOIDED.value in moves:
        return [Refusal("comp_void", f"{comp.slip} is void. It can’t be redeemed.", CONFLICT)]
    if CompMove.EXPIRED.value in moves:
        words = f"{comp.slip} has expired. Request a new comp."
        return [Refusal("comp_expired", words, CONFLICT)]
    if CompMove.ISSUED.value not in moves:
        words = f"{comp.slip} needs authorization first. Have it signed."
        return [Refusal("comp_not_issued", words, CONFLICT)]
    left = comp.value_cents - redeemed_cents(comp)
    refusals = []
    if amount_cents < 1:
        refusals.append(Refusal("amount_malformed", "Enter the amount in dollars, like 25."))
    if amount_cents > left:
        words = f"{format_money(left)} is left of {comp.slip}. Redeem that or less."
        refusals.append(Refusal("over_value", words, CONFLICT))
    if standing_of(comp.patron).value == "self_excluded":
        words = f"{comp.slip} is frozen. Call compliance."
        refusals.append(Refusal("self_excluded", words, NOT_YOURS))
    return [*refusals, *comp_stops(comp.patron, house.now())]


def points_of(patron: Patron) -> dict[str, int]:
    """Return a patron's points: of play, day by day, and by hand."""
    days: dict[date, list[int]] = {}
    for day, cents in theo_by_day(patron):
        days.setdefault(day, []).append(cents)
    cents_on = value_by_day("points.cents")
    played = sum(comps.points_of_day(theo, cents_on(day)) for day, theo in days.items())
    entries = PointsEntry.objects.filter(patron__in=files_of(patron.pk)).order_by()
    by_hand = entries.aggregate(points=Sum("points"))["points"] or 0
    return {"played": played, "by_hand": by_hand, "balance": played + by_hand}
