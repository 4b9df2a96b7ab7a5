"""A stay at a table: when it may begin, when it ends, on which gaming days it lies, what it won."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Final

from pitboss.rules.day.gaming_day import Clock, day_start, gaming_day
from pitboss.rules.patrons.patrons import Standing
from pitboss.rules.ratings.reckoning import Unreckoned

BACKDATE_SECONDS: Final = 600
GRACE_SECONDS: Final = 300
UNATTENDED_SECONDS: Final = 1_800


@dataclass(frozen=True, slots=True)
class SitDown:
    """What decides whether a rating may begin. Times are seconds on one clock."""

    table: str
    table_open: bool
    opened_at: int | None
    seats: int
    seat: int
    taken: frozenset[int]
    has_patron: bool
    has_stranger: bool
    # The table where this person is rated already.
    open_at: str | None
    standing: str
    related: bool
    now: int
    began: int
    seat_free_since: int | None
    break_due: bool = False
    backdate: int = BACKDATE_SECONDS


def open_refusals(facts: SitDown) -> list[str]:
    """Return the codes of every reason why a rating may not begin, in the order they are read."""
    reasons = {
        "table_closed": not facts.table_open,
        "bad_seat": not 1 <= facts.seat <= facts.seats,
        "seat_taken": facts.seat in facts.taken,
        "who_missing": facts.has_patron == facts.has_stranger,
        "rated_elsewhere": facts.open_at not in (None, facts.table),
        "self_excluded": facts.standing == Standing.SELF_EXCLUDED.value,
        "related_to_patron": facts.related,
        "in_the_future": facts.began > facts.now,
        "begun_too_early": facts.began < _earliest(facts),
        "break_due": facts.break_due,
    }
    return [code for code, holds in reasons.items() if holds]


def _earliest(facts: SitDown) -> int:
    """Return the first second at which the stay may have begun; it is never in the future."""
    known = (facts.now - facts.backdate, facts.seat_free_since, facts.opened_at)
    return min(facts.now, max(item for item in known if item is not None))


@dataclass(frozen=True, slots=True)
class LastSigns:
    """What was seen of a stay that is to end. Times are seconds on one clock."""

    began: int
    now: int
    # The end that someone entered; none where it ends by itself.
    asked: int | None = None
    last_bet: int | None = None
    last_look: int | None = None
    table_closed: int | None = None
    # When the player was barred from play.
    barred: int | None = None
    grace: int = GRACE_SECONDS
    unattended_after: int = UNATTENDED_SECONDS

    @property
    def sign(self) -> int:
        """The last second at which the player was surely there."""
        known = (self.began, self.last_bet, self.last_look)
        return max(item for item in known if item is not None)

    @property
    def latest(self) -> int:
        """The last second that a stay may be said to have lasted."""
        if self.last_bet is not None:
            return self.last_bet + self.grace
        return self.sign + self.unattended_after


@dataclass(frozen=True, slots=True)
class Ended:
    """When a stay ended and why, or why it may not end so. Neither: it goes on."""

    at: int | None = None
    end: str | None = None
    refusals: tuple[str, ...] = ()


def close(signs: LastSigns) -> Ended:
    """Return when a stay ends: as someone entered, or by itself.

    >>> close(LastSigns(began=0, now=7_200, last_look=5_400))
    Ended(at=5400, end='unattended', refusals=())
    >>> close(LastSigns(began=0, now=7_200, last_look=7_000, barred=7_100))
    Ended(at=7100, end='barred', refusals=())
    """
    if signs.asked is not None:
        return _closed_by_somebody(signs, signs.asked)
    by_itself = _closed_by_itself(signs)
    if signs.barred is None:
        return by_itself
    barred = max(signs.began, signs.barred)
    ended_before = by_itself.at is not None and by_itself.at <= barred
    return by_itself if ended_before else Ended(barred, "barred")


def _closed_by_itself(signs: LastSigns) -> Ended:
    if signs.table_closed is not None:
        return Ended(min(signs.table_closed, signs.latest), "table_closed")
    if signs.now - signs.sign >= signs.unattended_after:
        return Ended(signs.sign, "unattended")
    return Ended()


def _closed_by_somebody(signs: LastSigns, asked: int) -> Ended:
    at_the_closer = signs.table_closed is not None and asked >= signs.table_closed
    at = signs.table_closed if at_the_closer and signs.table_closed is not None else asked
    told = signs.last_bet is not None
    reasons = {
        "before_beginning": asked < signs.began,
        "in_the_future": asked > signs.now,
        "after_last_bet": told and at > signs.latest,
        "no_sign_of_play": not told and at > signs.latest,
    }
    refusals = tuple(code for code, holds in reasons.items() if holds)
    if refusals:
        return Ended(refusals=refusals)
    return Ended(at, "table_closed" if at_the_closer else "left")


@dataclass(frozen=True, slots=True)
class DayPiece:
    """The part of a stay that lies on one gaming day."""

    gaming_day: date
    seconds: int


def cut_days(clock: Clock, began: datetime, ended: datetime) -> list[DayPiece]:
    """Return a stay cut where the gaming day turns, by the house's own clock. Raises Unreckoned."""
    if ended <= began:
        raise Unreckoned("no_time")
    return list(_pieces(clock, began, ended))


def _pieces(clock: Clock, began: datetime, ended: datetime) -> Iterator[DayPiece]:
    while began < ended:
        day = gaming_day(clock, began)
        turns = min(ended, day_start(clock, day + timedelta(days=1)))
        yield DayPiece(day, int((turns - began).total_seconds()))
        began = turns


@dataclass(frozen=True, slots=True)
class StayMoney:
    """What a player brought to a table and took away, in cents. Coupons are no money."""

    cash: int = 0
    cheques: int = 0
    marker: int = 0
    front_money: int = 0
    # None: no one saw what the player walked with.
    walked: int | None = None
    moved_on: int = 0


def house_win_cents(money: StayMoney) -> int | None:
    """Return what the house won of a stay; None where no one saw what was walked with.

    >>> house_win_cents(StayMoney(cash=100_000, walked=62_500))
    37500
    """
    if money.walked is None:
        return None
    brought = money.cash + money.cheques + money.marker + money.front_money
    return brought - money.walked - money.moved_on
