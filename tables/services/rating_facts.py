"""What is known of a stay: its seats, the last bets seen or told, and when a look is wanted."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings as site
from django.db.models import Q

from inventory.models import TrayCount
from pitboss.models import RoundsTold, Table
from pitboss.rules.cheques.tray_counts import CLOSERS, OPENERS
from pitboss.rules.floor.irregularities import SEATS_AT_A_TABLE
from pitboss.rules.games.eligibility import Whose
from pitboss.rules.games.games import TableRules
from pitboss.rules.games.tracked import MAIN_WAGERS
from pitboss.rules.ratings.bets import ToldBet
from pitboss.rules.ratings.prompts import prompt_moment, wanted_since
from pitboss.rules.ratings.stay import LastSigns
from pitboss.rules.ratings.theo import Skill
from pitboss.rules.rounds.told import Outcome
from pitboss.rules.settings.in_force import SettingsInForce
from pitboss.selectors.table_rules import rules_in_force
from pitboss.services import house
from tables.models import PlayRating, Round, SeatHeld, SkillSeen

SEATS = SEATS_AT_A_TABLE
# Who sits out for longer is looked at.
_ROUNDS_READ = 20


def opened_at(table: Table) -> datetime | None:
    """Return when a table opened last."""
    return _counted(table, OPENERS)


def _counted(
    table: Table, kinds: frozenset[str], before: datetime | None = None
) -> datetime | None:
    counts = TrayCount.objects.filter(table=table, slip__kind__in=kinds)
    if before is not None:
        counts = counts.filter(at__lt=before)
    return counts.order_by("-at").values_list("at", flat=True).first()


def closed_since(table: Table, began_at: datetime, now: datetime) -> datetime | None:
    """Return when a table closed after a stay began; none where it is open since before."""
    opened = opened_at(table)
    if table.is_open and (opened is None or opened <= began_at):
        return None
    closed = _counted(table, CLOSERS, before=opened if table.is_open else None)
    return closed if closed is not None and closed >= began_at else min(now, opened or now)


def most_on(table: Table, seats: Sequence[int], now: datetime) -> int:
    """Return the most that may lie on some seats of a table now; some keep older limits."""
    return most_by(rules_in_force(table, house.settings_at(now), now), seats)


def most_by(rules: TableRules, seats: Sequence[int]) -> int:
    """Return the most that may lie on some seats by the rules of a table."""
    return sum(rules.kept.get(seat, (0, rules.maximum_cents))[1] for seat in seats)


Spans = Mapping[int, Sequence[tuple[datetime, datetime | None]]]


def spans_of(seats: Iterable[SeatHeld]) -> dict[int, list[tuple[datetime, datetime | None]]]:
    """Return from when until when each seat of a stay was held."""
    spans: dict[int, list[tuple[datetime, datetime | None]]] = {}
    for held in seats:
        spans.setdefault(held.seat, []).append((held.from_at, held.until))
    return spans


def own_seats(round_told: Round, spans: Spans) -> list[Mapping[str, Any]]:
    """Return the seats of a round that a stay held when the round began."""
    return [
        seat
        for seat in round_told.log["seats"]
        if any(
            since <= round_told.started_at and (until is None or round_told.started_at <= until)
            for since, until in spans.get(seat["seat"], ())
        )
    ]


def told_bets(seat: Mapping[str, Any]) -> list[ToldBet]:
    """Return the bets of a seat as a terminal told them."""
    return [
        ToldBet(
            wager=bet["wager"],
            stake_cents=bet["stake_cents"],
            raise_cents=bet.get("raise_cents", 0),
            is_players=bet.get("for", Whose.PLAYER.value) == Whose.PLAYER.value,
            coupon=bet.get("coupon", False),
        )
        for bet in seat["bets"]
    ]


def rounds_during(table_id: int, since: datetime, until: datetime) -> Any:
    """Return the rounds of a table which began within a time, where every one of them was told.

    A terminal that reports only some would show a stay shorter than it was, and cheaper.
    """
    whole = Q()
    for terminal_id, from_at, to_at in _told_spans(table_id, until):
        whole |= Q(terminal=terminal_id, started_at__gte=from_at, **_before(to_at))
    rounds = _rounds_between(table_id, since, until)
    return rounds.filter(whole) if whole else rounds.none()


def _before(at: datetime | None) -> dict[str, datetime]:
    return {} if at is None else {"started_at__lt": at}


def _rounds_between(table_id: int, since: datetime, until: datetime) -> Any:
    return (
        Round.objects.filter(table=table_id, started_at__gte=since, started_at__lte=until)
        .exclude(outcome=Outcome.ABORTED.value)
        .order_by("started_at", "id")
    )


def _told_spans(table_id: int, until: datetime) -> Iterator[tuple[int, datetime, datetime | None]]:
    """Yield from when until when each terminal of a table told every round, as managers said."""
    said = RoundsTold.objects.filter(device__table=table_id, since__lte=until)
    newest: dict[int, RoundsTold] = {}
    for rounds_told in said.order_by("device_id", "id"):
        before = newest.get(rounds_told.device_id)
        if before is not None and before.tells_every_round:
            yield rounds_told.device_id, before.since, rounds_told.since
        newest[rounds_told.device_id] = rounds_told
    for item in newest.values():
        if item.tells_every_round:
            yield item.device_id, item.since, None


def last_told(rating: PlayRating, now: datetime) -> datetime | None:
    """Return when the last bet was told of a stay, where every round is."""
    return _last_bet(rating, rounds_during(rating.table_id, rating.began_at, now))


def _last_bet(rating: PlayRating, rounds: Any) -> datetime | None:
    spans = spans_of(rating.seats.all())
    for item in rounds.order_by("-started_at", "-id").iterator(chunk_size=50):
        if any(bet.is_players for seat in own_seats(item, spans) for bet in told_bets(seat)):
            found: datetime = item.started_at
            return found
    return None


def _last_seen(rating: PlayRating, now: datetime) -> datetime | None:
    """Return when a bet was seen last where rounds may be missing: in a look or in some round."""
    looked = rating.looks.order_by("-at").values_list("at", flat=True).first()
    told = _last_bet(rating, _rounds_between(rating.table_id, rating.began_at, now))
    return max((at for at in (looked, told) if at is not None), default=None)


def told_now(
    table: Table, held: Iterable[SeatHeld], now: datetime, in_force: SettingsInForce
) -> dict[int, int]:
    """Return the last main bet that a terminal told of each stay, where it tells them now."""
    since = now - timedelta(minutes=in_force["rating.told_gap"])
    seats = {item.seat: item for item in held}
    found: dict[int, int] = {}
    for entry in rounds_during(table.pk, since, now).order_by("-started_at", "-id")[:_ROUNDS_READ]:
        bets: dict[int, int] = {}
        for told in entry.log["seats"]:
            seat = seats.get(told["seat"])
            if seat is None or seat.rating_id is None or seat.from_at > entry.started_at:
                continue
            cents = sum(
                bet.stake_cents
                for bet in told_bets(told)
                if bet.is_players and not bet.coupon and bet.wager in MAIN_WAGERS
            )
            if cents:
                bets[seat.rating_id] = bets.get(seat.rating_id, 0) + cents
        found = bets | found
        if len(found) == len({item.rating_id for item in seats.values()} - {None}):
            break
    return found


def signs_of(
    rating: PlayRating,
    now: datetime,
    in_force: SettingsInForce,
    *,
    asked: datetime | None = None,
    closed: datetime | None = None,
    barred: datetime | None = None,
) -> LastSigns:
    """Return what was seen of a stay that is to end, in seconds of its own."""

    def second(at: datetime | None) -> int | None:
        return None if at is None else seconds_into(rating, at)

    told = last_told(rating, now)
    return LastSigns(
        began=0,
        now=seconds_into(rating, now),
        asked=second(asked),
        last_bet=second(told),
        last_look=second(_last_seen(rating, now)),
        table_closed=second(closed),
        barred=second(barred),
        grace=in_force["rating.grace"] * 60,
        unattended_after=in_force["rating.unattended_after"] * 60,
    )


def skill_now(rating: PlayRating) -> Skill:
    """Return how a player plays, as was seen last; as usual where no one said."""
    seen = SkillSeen.objects.filter(rating=rating).order_by("-id").first()
    return Skill(seen.level) if seen is not None else Skill.USUAL


def seconds_into(rating: PlayRating, at: datetime) -> int:
    """Return how many seconds into a stay an instant is."""
    return int((at - rating.began_at).total_seconds())


def instant_of(rating: PlayRating, second: int) -> datetime:
    """Return the instant of a second of a stay."""
    return rating.began_at + timedelta(seconds=second)


def look_wanted_since(
    rating: PlayRating, last_look: datetime | None, now: datetime, in_force: SettingsInForce
) -> datetime | None:
    """Return since when Pitboss wants a look at a stay; none where there was one since."""
    elapsed, every = seconds_into(rating, now), in_force["rating.looks_every"] * 60
    moments = list(_moments(rating.pk, max(0, elapsed // every - 1), elapsed // every, every))
    last = None if last_look is None else seconds_into(rating, last_look)
    since = wanted_since(moments, elapsed, last)
    return None if since is None else instant_of(rating, since)


def _moments(rating_id: int, first: int, last: int, every: int) -> Iterator[int]:
    """Yield the moments drawn for some windows, by a key that the database does not have."""
    keys = site.KEYS
    key = keys.journal_keys[keys.journal_key_name]
    for window in range(first, last + 1):
        drawn = hmac.new(key, f"look:{rating_id}:{window}".encode(), hashlib.sha256).digest()
        yield prompt_moment(drawn, window, every)
