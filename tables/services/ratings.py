"""Rate players at a table: sit down, step away, move, leave. `looks` notes their bets.

A supervisor taps; only a large stay's end is signed. A rating reads rounds and the day's cash, and
touches neither ledger nor tray nor win.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta

from django.db import transaction

from inventory.models import Patron, Stranger
from inventory.selectors.credit import standing_of
from inventory.selectors.patrons import files_of
from inventory.services.exclusion import Compared, keep_comparison, stop_refusals
from inventory.services.patrons import lock_patron
from pitboss.models import Table
from pitboss.rules.cheques.cheques import total_cents
from pitboss.rules.patrons.cash_log import description_refusals
from pitboss.rules.patrons.exclusion import Moment
from pitboss.rules.patrons.patrons import Standing
from pitboss.rules.ratings.refusing import sentences
from pitboss.rules.ratings.stay import SitDown, close, open_refusals
from pitboss.rules.refusal import CONFLICT, Refused, refuse
from pitboss.services import house
from pitboss.services.locks import lock_table
from pitboss.services.signing import Pen
from tables.models import Away, MoneyKind, PlayRating, RatingMoney, SeatHeld, StayEnd
from tables.services.comps import is_related
from tables.services.floor_log import Tap
from tables.services.play_watch import break_due
from tables.services.rating_ends import end_due_at, finish, tell_security
from tables.services.rating_facts import (
    SEATS,
    closed_since,
    instant_of,
    opened_at,
    signs_of,
)
from tables.services.rating_hands import (
    AtTerminal,
    Hand,
    RatingAct,
    acting,
    demand_open,
    form_hash,
    held_by,
    whose_tap,
)


@dataclass(frozen=True, slots=True)
class Who:
    """Who sits down: a patron, someone described today, someone new, or one who gave no name."""

    patron_id: int | None = None
    stranger_id: int | None = None
    description: str = ""
    declined: bool = False
    by_card: bool = False


def take_seat(*, table_id: int, seat: int, hand: Tap | AtTerminal) -> SeatHeld:
    """Mark a seat as taken by someone who is not rated. Raises Refused."""
    said = form_hash("taken", by=whose_tap(hand), table=table_id, seat=seat)
    with acting("taken", hand, table_id) as act:
        earlier = held_by(hand, said)
        if earlier is not None:
            return earlier
        table = act.tables[table_id]
        end_due_at(table, act.now)
        codes = open_refusals(_facts(act, table, seat, act.now, has_patron=True))
        if codes:
            raise Refused(sentences(codes, table=table, seat=seat))
        held = _hold(act, table, seat, None, act.now, said)
        act.tell(table, "seat_taken", {"seat": seat})
        return held


def sit_down(
    *, table_id: int, seat: int, who: Who, hand: Tap | AtTerminal, minutes_ago: int = 0
) -> SeatHeld:
    """Begin a rating at a seat, or add a seat to the one that this person has here.

    Raises Refused.
    """
    said = form_hash(
        "sit_down",
        by=whose_tap(hand),
        table=table_id,
        seat=seat,
        ago=minutes_ago,
        who=asdict(who),
    )
    try:
        with acting("sit_down", hand, table_id) as act:
            earlier = held_by(hand, said)
            return earlier or _sat_down(act, act.tables[table_id], seat, who, minutes_ago, said)
    except Refused as refused:
        if isinstance(hand, Tap):
            call_security(table_id, seat, who, hand, refused)
        raise


def _sat_down(
    act: RatingAct, table: Table, seat: int, who: Who, minutes_ago: int, said: str
) -> SeatHeld:
    end_due_at(table, act.now)
    patron = lock_patron(who.patron_id) if who.patron_id is not None else None
    stranger = _stranger(act, table, seat, who) if patron is None else None
    began = act.now - timedelta(minutes=minutes_ago)
    open_now = _open_rating(patron, stranger)
    facts = _facts(
        act,
        table,
        seat,
        began,
        has_patron=patron is not None,
        has_stranger=stranger is not None,
        open_at=open_now.table.name if open_now else None,
        standing=standing_of(patron).value if patron else Standing.CLEAR.value,
        related=_is_related(act, patron),
        must_rest=patron is not None and break_due(patron, act.now, house.settings_at(act.now)),
    )
    codes = open_refusals(facts)
    if codes:
        elsewhere = open_now.table if open_now else ""
        raise Refused(
            sentences(codes, table=table, seat=seat, who=patron or stranger, elsewhere=elsewhere)
        )
    _compare(act, table, patron)
    if open_now is not None:
        held = _hold(act, table, seat, open_now, act.now, said)
        act.tell(table, "seat_added", {"rating": open_now.pk, "seat": seat})
        return held
    when = house.period_at(began)
    rating = PlayRating.objects.create(
        table=table,
        patron=patron,
        stranger=stranger,
        declined_name=who.declined,
        began_at=began,
        began_by=act.person,
        device=act.device,
        by_card=who.by_card,
        gaming_day=when.gaming_day,
        shift=when.shift,
    )
    held = _hold(act, table, seat, rating, began, said)
    act.tell(table, "rating_began", {"rating": rating.pk, "seat": seat, "by_card": who.by_card})
    return held


def _is_related(act: RatingAct, patron: Patron | None) -> bool:
    return act.person is not None and patron is not None and is_related(act.person, patron)


def _compare(act: RatingAct, table: Table, patron: Patron | None) -> None:
    """Compare who sits down with the exclusion lists. Raises Refused where they must not play."""
    if patron is None:
        return
    compared = Compared(patron, Moment.SEAT, act.now, table)
    if stops := stop_refusals(compared):
        raise Refused(stops)
    keep_comparison(compared)


def _facts(
    act: RatingAct,
    table: Table,
    seat: int,
    began: datetime,
    *,
    has_patron: bool = False,
    has_stranger: bool = False,
    open_at: str | None = None,
    standing: str = Standing.CLEAR.value,
    related: bool = False,
    must_rest: bool = False,
) -> SitDown:
    """Return what decides whether someone may sit down, in whole seconds."""
    held = SeatHeld.objects.filter(table=table)
    free_since = (
        held.filter(seat=seat, until__isnull=False)
        .order_by("-until")
        .values_list("until", flat=True)
    ).first()
    opened = opened_at(table)
    return SitDown(
        table=table.name,
        table_open=table.is_open,
        opened_at=_second(opened),
        seats=SEATS,
        seat=seat,
        taken=frozenset(held.filter(until=None).values_list("seat", flat=True)),
        has_patron=has_patron,
        has_stranger=has_stranger,
        open_at=open_at,
        standing=standing,
        related=related,
        break_due=must_rest,
        now=int(act.now.timestamp()),
        began=int(began.timestamp()),
        seat_free_since=_second(free_since),
        backdate=house.settings_at(act.now)["rating.backdate"] * 60,
    )


def _second(at: datetime | None) -> int | None:
    return None if at is None else int(at.timestamp())


def _stranger(act: RatingAct, table: Table, seat: int, who: Who) -> Stranger | None:
    """Return who was described today, or describe someone new. Raises Refused."""
    when = house.period_at(act.now)
    if who.stranger_id is not None:
        found = Stranger.objects.filter(pk=who.stranger_id, gaming_day=when.gaming_day).first()
        if found is None:
            raise refuse("unknown_stranger", "Description not found. Describe the player again.")
        return found
    words = " ".join(who.description.split())
    if who.declined and not words:
        words = f"Declined to give a name at {table}, seat {seat}"
    if not words:
        return None
    refusals = description_refusals(words)
    if refusals:
        raise Refused(refusals)
    assert act.person is not None, "a terminal seats by card alone"
    made = Stranger.objects.create(
        description=words,
        gaming_day=when.gaming_day,
        described_by=act.person,
        described_at=act.now,
    )
    act.rows.append(made)
    return made


def _open_rating(patron: Patron | None, stranger: Stranger | None) -> PlayRating | None:
    open_now = PlayRating.objects.filter(ended_at=None).select_related("table")
    if patron is not None:
        return open_now.filter(patron__in=files_of(patron.pk)).first()
    return open_now.filter(stranger=stranger).first() if stranger is not None else None


def _hold(
    act: RatingAct, table: Table, seat: int, rating: PlayRating | None, at: datetime, said: str
) -> SeatHeld:
    return SeatHeld.objects.create(
        table=table,
        seat=seat,
        rating=rating,
        from_at=at,
        by=act.person,
        request_id=act.hand.request_id,
        request_hash=said,
    )


def call_security(
    table_id: int, seat: int, who: Who, hand: Tap | AtTerminal, refused: Refused
) -> None:
    """Put someone who may not play on the lists of security and compliance."""
    if "self_excluded" not in refused.codes or who.patron_id is None:
        return
    with transaction.atomic(durable=True):
        person = hand.person if isinstance(hand, Tap) else None
        table = lock_table(table_id)
        tell_security(table, seat, who.patron_id, now=house.now(), person=person)


def free_seat(*, seat_id: int, hand: Tap | AtTerminal) -> SeatHeld:
    """Free a seat whose player was not rated. Raises Refused."""
    held = SeatHeld.objects.get(pk=seat_id)
    with acting("freed", hand, held.table_id) as act:
        held = SeatHeld.objects.get(pk=seat_id)
        if held.rating_id is not None:
            raise refuse("seat_is_rated", f"Seat {held.seat} is rated. End the rating.", CONFLICT)
        if held.until is not None:
            return held  # A second tap.
        held.until = act.now
        held.save(update_fields=["until"])
        act.tell(act.tables[held.table_id], "seat_freed", {"seat": held.seat})
        return held


def still_open(rating_id: int) -> PlayRating:
    """Return a rating that goes on, read under its table's lock. Raises Refused."""
    rating = PlayRating.objects.select_related("patron", "stranger").get(pk=rating_id)
    demand_open(rating)
    return rating


def step_away(*, rating_id: int, hand: Tap | AtTerminal) -> Away:
    """Note that a player left the seat for a while. Raises Refused."""
    with acting("away", hand, PlayRating.objects.get(pk=rating_id).table_id) as act:
        rating = still_open(rating_id)
        standing = rating.absences.filter(until=None).first()
        if standing is not None:
            return standing  # A second tap.
        away = Away.objects.create(rating=rating, from_at=act.now)
        act.tell(act.tables[rating.table_id], "stepped_away", {"rating": rating.pk})
        return away


def come_back(*, rating_id: int, hand: Tap | AtTerminal) -> Away | None:
    """Note that a player is back; none when they were not away. Raises Refused."""
    with acting("back", hand, PlayRating.objects.get(pk=rating_id).table_id) as act:
        rating = still_open(rating_id)
        away = rating.absences.filter(until=None).first()
        if away is not None:
            away.until = act.now
            away.save(update_fields=["until"])
            act.tell(act.tables[rating.table_id], "came_back", {"rating": rating.pk})
        return away


@dataclass(frozen=True, slots=True)
class Leaving:
    """What is said of a player who leaves."""

    # None: no one saw what they walked with.
    walked_cents: int | None = None
    # The same as it was counted, by color; none where only the amount was said.
    cheques: Mapping[int, int] | None = None
    # At the last sign of play, where no one saw them go.
    at_last_sign: bool = False
    # The bet as someone remembers it, where no one looked.
    guess_cents: int | None = None

    @property
    def walked(self) -> int | None:
        """What they walked with, in cents."""
        return self.walked_cents if self.cheques is None else total_cents(self.cheques)


ONLY_LEFT = Leaving()


def leave(*, rating_id: int, hand: Hand, leaving: Leaving = ONLY_LEFT) -> PlayRating:
    """End a rating: the player left. Raises Refused."""
    table_id = PlayRating.objects.get(pk=rating_id).table_id
    with acting("left", hand, table_id) as act:
        rating = PlayRating.objects.get(pk=rating_id)
        by = act.person.pk if act.person is not None else None
        if rating.ended_at is not None and rating.ended_by_id == by:
            return rating  # A second tap.
        rating, table = still_open(rating_id), act.tables[table_id]
        at, end = _asked_end(rating, table, act.now, leaving)
        money = []
        if leaving.walked is not None:
            walked = _money(rating, MoneyKind.WALKED, leaving.walked, at)
            walked.cheques = {str(key): n for key, n in (leaving.cheques or {}).items() if n}
            money.append(walked)
        finish(
            rating,
            table,
            at,
            end,
            now=act.now,
            person=act.person,
            device=act.device,
            is_signed=isinstance(hand, Pen),
            guess_cents=leaving.guess_cents,
            money=money,
        )
        return rating


def _asked_end(
    rating: PlayRating, table: Table, now: datetime, leaving: Leaving
) -> tuple[datetime, StayEnd]:
    """Return when a stay ends as someone says, and why. Raises Refused."""
    in_force = house.settings_at(now)
    closed = closed_since(table, rating.began_at, now)
    seen = signs_of(rating, now, in_force, closed=closed)
    asked = instant_of(rating, seen.sign) if leaving.at_last_sign else now
    ended = close(signs_of(rating, now, in_force, asked=asked, closed=closed))
    if ended.refusals:
        sign = instant_of(rating, seen.sign).astimezone(house.the_property().zone)
        raise Refused(sentences(ended.refusals, sign=f"{sign:%H:%M}"))
    assert ended.at is not None, "what somebody ends has ended"
    assert ended.end is not None, "what has ended says why"
    return instant_of(rating, ended.at), StayEnd(ended.end)


def _money(rating: PlayRating, kind: MoneyKind, amount_cents: int, at: datetime) -> RatingMoney:
    return RatingMoney(rating=rating, kind=kind.value, amount_cents=amount_cents, at=at)


def move(
    *, rating_id: int, to_table_id: int, seat: int, hand: Tap, cheques_cents: int = 0
) -> SeatHeld:
    """End a rating here and begin it there, in one act. Raises Refused."""
    old = PlayRating.objects.get(pk=rating_id)
    said = form_hash(
        "move",
        by=whose_tap(hand),
        rating=rating_id,
        table=to_table_id,
        seat=seat,
        cheques=cheques_cents,
    )
    with acting("moved", hand, old.table_id, to_table_id) as act:
        earlier = held_by(hand, said)
        if earlier is not None:
            return earlier
        old = still_open(rating_id)
        here, there = act.tables[old.table_id], act.tables[to_table_id]
        if here == there:
            return _move_seat(act, old, here, seat, said)
        end_due_at(there, act.now)
        at, _ = _asked_end(old, here, act.now, ONLY_LEFT)
        _demand_seat(act, old, there, seat)
        finish(
            old,
            here,
            at,
            StayEnd.MOVED,
            now=act.now,
            person=act.person,
            device=act.device,
            money=[_money(old, MoneyKind.MOVED_ON, cheques_cents, at)] if cheques_cents else [],
        )
        when = house.period_at(act.now)
        rating = PlayRating.objects.create(
            table=there,
            patron=old.patron,
            stranger=old.stranger,
            declined_name=old.declined_name,
            began_at=act.now,
            began_by=act.person,
            device=act.device,
            by_card=old.by_card,
            gaming_day=when.gaming_day,
            shift=when.shift,
            continues=old,
        )
        held = _hold(act, there, seat, rating, act.now, said)
        if cheques_cents:
            brought = _money(rating, MoneyKind.CHEQUES, cheques_cents, act.now)
            brought.save()
            act.rows.append(brought)
        act.tell(there, "rating_began", {"rating": rating.pk, "seat": seat, "by_card": False})
        return held


def _move_seat(act: RatingAct, rating: PlayRating, table: Table, seat: int, said: str) -> SeatHeld:
    """Give a player another seat of the same table, in place of those they held."""
    _demand_seat(act, rating, table, seat)
    for held in rating.seats.filter(until=None):
        held.until = act.now
        held.save(update_fields=["until"])
    moved = _hold(act, table, seat, rating, act.now, said)
    act.tell(table, "seat_changed", {"rating": rating.pk, "seat": seat})
    return moved


def _demand_seat(act: RatingAct, rating: PlayRating, table: Table, seat: int) -> None:
    """Refuse a seat that cannot be moved to. Raises Refused."""
    patron = lock_patron(rating.patron_id) if rating.patron_id is not None else None
    facts = _facts(
        act,
        table,
        seat,
        act.now,
        has_patron=patron is not None,
        has_stranger=patron is None,
        standing=standing_of(patron).value if patron else Standing.CLEAR.value,
        related=_is_related(act, patron),
    )
    codes = open_refusals(facts)
    if codes:
        raise Refused(sentences(codes, table=table, seat=seat, who=patron, elsewhere=""))
