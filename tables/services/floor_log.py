"""Write the floor log: entries made on a tablet, requests of terminals, and answers to them.

An entry is made by a tap of whoever is signed in, so that the game goes on, or by badge and PIN
where its kind asks for them. Both go through one door, `enter`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any
from uuid import UUID, uuid4

from django.db import models, transaction
from django.db.models import Exists, OuterRef

from inventory.models import Patron, TrayCount
from pitboss.models import Device, FloorException, Person, Table
from pitboss.rules.canonical import canonical, digest, is_plain
from pitboss.rules.cheques.cheques import ordered
from pitboss.rules.cheques.tray_counts import OPENERS
from pitboss.rules.day.gaming_day import Period
from pitboss.rules.floor.book import floor_kind
from pitboss.rules.floor.closing_notice import CLOSING, STAYS_OPEN
from pitboss.rules.floor.fields import Facts, read_facts
from pitboss.rules.floor.log import (
    By,
    FloorKind,
    Ground,
    LogOutcome,
    decline_refusals,
    entry_refusals,
    hand_refusals,
    own_refusals,
    request_refusals,
)
from pitboss.rules.floor.nods import PAYOUT, STANDING, STANDING_END, WHAT, covers, still_stands
from pitboss.rules.games.table_setup import CardProfile
from pitboss.rules.games.tracked import TABLE_GAMES
from pitboss.rules.refusal import CONFLICT, NOT_YOURS, Refusal, Refused, refuse
from pitboss.rules.roles import Place
from pitboss.selectors.table_rules import minimum_now
from pitboss.services import house, journal
from pitboss.services.afterward import keep_what_was_left
from pitboss.services.exceptions import FLOOR_REQUEST, mark_resolved, open_exception
from pitboss.services.locks import lock_request, lock_table
from pitboss.services.pins import demand_worth, signed_act
from pitboss.services.signing import Pen
from tables.models import (
    Dealing,
    FloorEntry,
    FloorRequest,
    PayoutCheck,
    RequestWithdrawal,
    Round,
    TableOrder,
)
from tables.services.in_force import tray_of
from tables.services.named_cash import rated_at, who_is_asked
from tables.services.terminals import Terminal

# What follows from an entry that was granted or noted, under its table's lock and before the
# journal. Returns the rows written, for the journal's entry to vouch for. May raise Refused.
Following = Callable[["FloorEntry", "NewEntry"], Sequence[models.Model]]
_FOLLOWS: dict[str, Following] = {}


def follows(code: str) -> Callable[[Following], Following]:
    """Register what follows from an entry of a kind."""

    def register(function: Following) -> Following:
        assert code not in _FOLLOWS, f"two things follow from {code}"
        _FOLLOWS[code] = function
        return function

    return register


@dataclass(frozen=True, slots=True)
class Tap:
    """Who makes an entry without a signature: whoever is signed in on a tablet."""

    person: Person
    device: Device | None
    request_id: UUID


@dataclass(frozen=True, slots=True)
class NewEntry:
    """An entry about to be made: its kind, what was keyed, and whose it is where that is known."""

    code: str
    given: Mapping[str, object] = field(default_factory=dict)
    patron_id: int | None = None
    # Or who it is that no one has on file: someone described earlier today, or now, in words.
    stranger_id: int | None = None
    description: str = ""
    # The signer read what stands before it: cash that takes a patron's day over the limit.
    is_confirmed: bool = False

    @property
    def told(self) -> tuple[int | None, int | None, str]:
        """Whose it is: a patron, someone described today, or someone described now."""
        return self.patron_id, self.stranger_id, self.description

    def with_seat(self, kind: FloorKind, facts: Facts, table: Table) -> NewEntry:
        """Return the entry with the person who is rated at its seat, unless someone was named."""
        if not kind.names_patron or any(self.told) or "seat" not in facts:
            return self
        patron_id, stranger_id = rated_at(table, facts["seat"])
        return replace(self, patron_id=patron_id, stranger_id=stranger_id)


def ground_of(table: Table, now: datetime) -> Ground:
    """Return what entries at a table are judged by now."""
    when = house.period_at(now)
    return Ground(
        table=table.name,
        is_open=table.is_open,
        minimum_cents=minimum_now(table),
        game=TABLE_GAMES[table.game],
        decks=table.decks,
        cards=CardProfile(table.cards),
        gaming_day=when.gaming_day,
        settings=house.settings_at(now),
        tray=tray_of(table),
        has_round=Round.objects.filter(table=table, ended_at=None).exists(),
        standing=frozenset(
            {
                *standing_at(table, when),
                *([CLOSING] if closing_notice_of(table) else ()),
                *TableOrder.objects.filter(table=table, ended_at=None).values_list(
                    "kind", flat=True
                ),
            }
        ),
    )


def last_closing_word(table: Any) -> models.QuerySet[FloorEntry]:
    """Return what was said last of a table's closing, since it opened: a notice, or none after all.

    `table` is one, or a reference to it in another query.
    """
    opened = TrayCount.objects.filter(
        table=OuterRef("table"), slip__kind__in=OPENERS, at__gt=OuterRef("at")
    )
    floor_entries = FloorEntry.objects.filter(table=table, kind__in=[CLOSING, STAYS_OPEN])
    return floor_entries.filter(~Exists(opened)).order_by("-id")


def closing_notice_of(table: Table) -> FloorEntry | None:
    """Return the notice that an open table closes after this shoe, if it stands."""
    floor_entry = last_closing_word(table).first() if table.is_open else None
    return floor_entry if floor_entry is not None and floor_entry.kind == CLOSING else None


def standing_at(table: Table, when: Period) -> dict[str, FloorEntry]:
    """Return the instructions that stand at a table in a shift, by the kind that they are on."""
    floor_entries = FloorEntry.objects.filter(
        table=table,
        gaming_day=when.gaming_day,
        shift=when.shift,
        kind__in=[STANDING, STANDING_END],
    )
    last = {entry.facts[WHAT]: entry for entry in floor_entries.select_related("by").order_by("id")}
    return {what: entry for what, entry in last.items() if entry.kind == STANDING}


def enter(*, table_id: int, new: NewEntry, hand: Tap | Pen) -> FloorEntry:
    """Make an entry at a table, by a tap or signed. Raises Refused."""
    kind = floor_kind(new.code)
    facts = read_facts(kind.asks, new.given)
    with in_hand(hand) as person:
        lock_request(hand.request_id)
        table = lock_table(table_id)
        now = house.now()
        new = new.with_seat(kind, facts, table)
        marks = _marks(person, hand, table, kind, facts, new)
        earlier = _earlier(marks)
        if earlier is not None:
            return earlier
        ground = ground_of(table, now)
        refusals = [
            *own_refusals(kind),
            *entry_refusals(kind, facts, ground, by_of(person, hand, table, now)),
            *who_is_asked(kind, facts, new.told, table, now),
        ]
        if refusals:
            raise Refused(refusals)
        device = _device(hand)
        return _write(_Act(kind, facts, ground, table, person, device, now, marks, new))


def answer(
    *,
    asked: FloorRequest,
    is_granted: bool,
    hand: Tap | Pen,
    reason: str = "",
    patron_id: int | None = None,
    stranger_id: int | None = None,
    description: str = "",
    is_confirmed: bool = False,
) -> FloorEntry:
    """Say yes or no to what a terminal asked, once. Raises Refused."""
    kind = floor_kind(asked.kind)
    reason = " ".join(reason.split()) if is_plain(reason) else ""
    with in_hand(hand) as person:
        lock_request(hand.request_id)
        table = lock_table(asked.table_id)
        now = house.now()
        new = NewEntry(asked.kind, {}, patron_id, stranger_id, description, is_confirmed)
        new = new.with_seat(kind, asked.facts, table)
        more = {"asked": asked.pk, "granted": is_granted, "why": reason}
        marks = _marks(person, hand, table, kind, asked.facts, new, **more)
        earlier = _earlier(marks)
        if earlier is not None:
            return earlier
        demand_open(asked)
        if kind is PAYOUT and is_granted:
            demand_not_corrected(asked.facts["check"])
        ground = ground_of(table, now)
        by = by_of(person, hand, table, now)
        if is_granted:
            refusals = [
                *entry_refusals(kind, asked.facts, ground, by),
                *who_is_asked(kind, asked.facts, new.told, table, now),
            ]
        else:
            refusals = [*hand_refusals(kind, by), *decline_refusals(reason)]
        if not refusals and asked.dealer_id == person.pk:
            refusals = [
                Refusal(
                    "own_request", "You asked for this at the table. Someone else must answer it."
                )
            ]
        if refusals:
            raise Refused(refusals)
        return _write(
            _Act(kind, asked.facts, ground, table, person, _device(hand), now, marks, new),
            asked=asked,
            outcome=kind.outcome if is_granted else LogOutcome.DECLINED,
            reason="" if is_granted else reason,
        )


def demand_open(floor_request: FloorRequest) -> None:
    """Refuse a second end of a request: it is answered once, or withdrawn once. Raises Refused."""
    floor_entry = FloorEntry.objects.filter(answers=floor_request).select_related("by").first()
    if floor_entry is not None:
        raise refuse(
            "already_answered",
            f"{floor_entry.by} already {floor_entry.outcome} this. Reload the page.",
            CONFLICT,
        )
    if RequestWithdrawal.objects.filter(asked=floor_request).exists():
        raise refuse(
            "request_withdrawn",
            "This request was withdrawn at the table. There is nothing to answer.",
            CONFLICT,
        )


def demand_not_corrected(check: int) -> None:
    """Refuse what is said of a payout whose cards were put right since. Raises Refused."""
    if PayoutCheck.objects.filter(corrects=check).exists():
        raise refuse("check_corrected", "This payout was corrected. Review the new one.")


@transaction.atomic(savepoint=False)
def ask(*, terminal: Terminal, code: object, given: Mapping[str, object]) -> FloorRequest:
    """Ask the supervisor of a terminal's table. A standing approval answers immediately.

    Raises Refused, also where the dealer needs no word.
    """
    kind = floor_kind(code)
    facts = read_facts(kind.asks, given)
    table = lock_table(terminal.table.pk)
    now = house.now()
    refusals = request_refusals(kind, facts, ground_of(table, now))
    if refusals:
        raise Refused(refusals)
    return ask_for(terminal, table, kind, facts, now)


def ask_for(
    terminal: Terminal, table: Table, kind: FloorKind, facts: Facts, now: datetime
) -> FloorRequest:
    """Put a request before the supervisors of a locked table, judged by who makes it."""
    ground, when = ground_of(table, now), house.period_at(now)
    dealing = Dealing.objects.filter(table=table, ended_at=None).select_related("dealer").first()
    floor_request = FloorRequest.objects.create(
        kind=kind.code,
        table=table,
        terminal=terminal.device,
        dealer=dealing.dealer if dealing else None,
        gaming_day=when.gaming_day,
        shift=when.shift,
        at=now,
        facts=facts,
        sentence=kind.sentence(facts),
    )
    standing = _standing_for(kind, facts, ground, table, now)
    if standing is not None and not still_stands(standing.facts, standing.at, now):
        standing = None
    if standing is None:
        open_exception(
            code=FLOOR_REQUEST,
            sentence=f"{table} asks. {floor_request.sentence}"[:500],
            details={"request": floor_request.pk, "asks": floor_request.sentence},
            at=now,
            person=None,
            table=table,
        )
    journal.write(
        chain=journal.chain_of(table, journal.HOUSE),
        kind="floor_asked",
        body={"request": floor_request.pk, "kind": kind.code, "sentence": floor_request.sentence},
        at=now,
        person=floor_request.dealer,
        device=terminal.device,
        rows=[floor_request],
    )
    if standing is not None:
        # Made by no form: the request is kept once by its own key.
        marks = _Marks(uuid4(), digest(f"request:{floor_request.pk}"), is_signed=False)
        new, device = NewEntry(kind.code), terminal.device
        _write(
            _Act(kind, facts, ground, table, standing.by, device, now, marks, new),
            asked=floor_request,
            under=standing,
        )
    return floor_request


def _standing_for(
    kind: FloorKind, facts: Facts, ground: Ground, table: Table, now: datetime
) -> FloorEntry | None:
    """Return the instruction that covers a request.

    What is signed is covered by what a pit manager signed alone; never cash of which it must be
    told whose it is.
    """
    standing = standing_at(table, house.period_at(now)).get(kind.code)
    if standing is None:
        return None
    if kind.needs_signature(facts, ground.settings) and not standing.is_signed:
        return None
    if who_is_asked(kind, facts, NewEntry(kind.code).told, table, now):
        return None
    return standing if covers(kind, facts, standing.facts) else None


@dataclass(frozen=True, slots=True)
class _Marks:
    """By what a form is known again, and whether it was signed."""

    request_id: UUID
    request_hash: str
    is_signed: bool


@dataclass(frozen=True, slots=True)
class _Act:
    """An entry that was judged and may be written: what it says, where, by whom and when."""

    kind: FloorKind
    facts: Facts
    ground: Ground
    table: Table
    person: Person
    device: Device
    now: datetime
    marks: _Marks
    new: NewEntry


def _marks(
    person: Person,
    hand: Tap | Pen,
    table: Table,
    kind: FloorKind,
    facts: Facts,
    new: NewEntry,
    **more: Any,
) -> _Marks:
    is_signed = isinstance(hand, Pen)
    fields = {
        "by": person.pk,
        "table": table.pk,
        "kind": kind.code,
        "facts": dict(facts),
        "patron": new.patron_id,
        **({"stranger": new.stranger_id} if new.stranger_id is not None else {}),
        "description": new.description,
        "confirmed": new.is_confirmed,
        "signed": is_signed,
        **more,
    }
    return _Marks(hand.request_id, digest(canonical(fields)), is_signed)


def _earlier(marks: _Marks) -> FloorEntry | None:
    """Return the entry that this form made when it was sent before. Raises Refused."""
    earlier = FloorEntry.objects.filter(request_id=marks.request_id).first()
    if earlier is not None and earlier.request_hash != marks.request_hash:
        raise refuse(
            "request_reused",
            "This form was already sent with something else in it. Reload the page.",
            CONFLICT,
        )
    return earlier


@contextmanager
def in_hand(hand: Tap | Pen) -> Iterator[Person]:
    """Open the transaction of an entry, in the hand of whoever taps or signs. Raises Refused."""
    if isinstance(hand, Pen):
        with signed_act(
            act="floor_log", badge=hand.badge, pin=hand.pin, device=hand.device
        ) as person:
            yield person
        return
    try:
        with transaction.atomic(durable=True):
            if not house.is_usable(hand.device):
                raise refuse(
                    "unknown_device", "This device is not enrolled. Use one that is.", NOT_YOURS
                )
            if not house.may_work(hand.person, house.period_at(house.now())):
                raise refuse(
                    "not_employed",
                    f"{hand.person} can’t work today. Call the shift manager.",
                    NOT_YOURS,
                )
            yield hand.person
    finally:
        keep_what_was_left()


def _device(hand: Tap | Pen) -> Device:
    assert hand.device is not None, "nobody's hand is on no device"
    return hand.device


def by_of(person: Person, hand: Tap | Pen, table: Table, now: datetime) -> By:
    """Return who someone is to a table: their role in this shift, and where their device is."""
    device = _device(hand)
    return By(
        name=str(person),
        role=house.role_in(person, house.period_at(now)),
        place=Place(device.place),
        device_pit_id=device.pit_id,
        pit_id=table.pit_id,
        is_signed=isinstance(hand, Pen),
    )


def _write(
    act: _Act,
    *,
    asked: FloorRequest | None = None,
    under: FloorEntry | None = None,
    outcome: LogOutcome | None = None,
    reason: str = "",
) -> FloorEntry:
    """Store an entry, what follows from it, and its line in the journal."""
    kind, when = act.kind, house.period_at(act.now)
    if act.marks.is_signed:
        demand_worth(act.person, kind.amount(act.facts) or 0, act.now)
    outcome = outcome or kind.outcome
    sends = kind.sends(act.facts, act.ground) if outcome is not LogOutcome.DECLINED else {}
    entry = FloorEntry.objects.create(
        kind=kind.code,
        table=act.table,
        gaming_day=when.gaming_day,
        shift=when.shift,
        at=act.now,
        outcome=outcome.value,
        facts=dict(act.facts),
        title=kind.title,
        sentence=kind.sentence(act.facts),
        reason=reason,
        amount_cents=kind.amount(act.facts),
        sends={str(cents): sends[cents] for cents in ordered(sends)},
        patron=_patron(kind, act.new),
        by=act.person,
        signed_as=act.person.signs_as,
        role=house.role_in(act.person, when).value,
        device=act.device,
        # What stands was signed once, for all that it covers.
        needs_signature=under is None and kind.needs_signature(act.facts, act.ground.settings),
        is_signed=act.marks.is_signed,
        answers=asked,
        under=under,
        request_id=act.marks.request_id,
        request_hash=act.marks.request_hash,
    )
    rows: list[models.Model] = [entry]
    if outcome is not LogOutcome.DECLINED and kind.code in _FOLLOWS:
        rows.extend(_FOLLOWS[kind.code](entry, act.new))
    if asked is not None:
        words = f"{entry.outcome.capitalize()}. {entry.reason}".strip()
        end_wait(asked, entry.by, words, entry.at)
    journal.write(
        chain=journal.chain_of(act.table, journal.HOUSE),
        kind="floor_logged",
        body={
            "entry": entry.pk,
            "kind": kind.code,
            "title": kind.title,
            "sentence": entry.sentence,
            "outcome": outcome.value,
            "reason": reason,
            "request": asked.pk if asked else None,
            "under": under.pk if under else None,
        },
        at=act.now,
        person=act.person,
        device=act.device,
        rows=rows,
    )
    return entry


def _patron(kind: FloorKind, new: NewEntry) -> Patron | None:
    if new.patron_id is None:
        return None
    patron = Patron.objects.filter(pk=new.patron_id).first() if kind.names_patron else None
    if patron is None:
        raise refuse("unknown_patron", "Patron not found. Look them up again.")
    return patron


def end_wait(floor_request: FloorRequest, by: Person, words: str, at: datetime) -> None:
    """Take a request that needs no answer anymore off the list of those who could answer it."""
    waiting = FloorException.objects.select_for_update(no_key=True).filter(
        code=FLOOR_REQUEST,
        table=floor_request.table,
        details__request=floor_request.pk,
        resolved_at=None,
    )
    for exception in waiting:
        mark_resolved(exception, by, words, at)
