"""What a terminal is told without asking: which entry of the journal is news at which table.

An event is thin. It names what changed and where to read it, so that it tells a dealer nothing that
the terminal could not read by itself. Entries that are not named here are no event: what
surveillance or a host notes at a table is not a dealer's to hear of.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Self

from pitboss.rules.flows.house_flows import TABLE_CHANGE
from pitboss.rules.games.live_changes import LIVE_CHANGE


class EventName(StrEnum):
    """The events, under the names that terminals know for good."""

    APPROVAL_ANSWERED = "approval_answered"
    MISMATCH_SETTLED = "mismatch_settled"
    JACKPOT_STEP = "jackpot_step"
    METER_CHANGED = "meter_changed"
    TABLE_OPENED = "table_opened"
    TABLE_CLOSED = "table_closed"
    LIMITS_CHANGED = "limits_changed"
    FILL_ON_THE_WAY = "fill_on_the_way"
    TABLE_CHANGED = "table_changed"
    # Not in the journal: the terminal was away for too long, or from before a backup was restored.
    RESET = "reset"


SAYS: Mapping[EventName, str] = {
    EventName.APPROVAL_ANSWERED: "A request was granted, declined or noted. Read `request`.",
    EventName.MISMATCH_SETTLED: "A mismatch was settled. Read `paid` of its `check`.",
    EventName.JACKPOT_STEP: "A jackpot or a big win moved on: `serial`, `step`, `status`.",
    EventName.METER_CHANGED: "A meter changed. Read the table.",
    EventName.TABLE_OPENED: "The table opened.",
    EventName.TABLE_CLOSED: "The table closed.",
    EventName.LIMITS_CHANGED: "Limits or terms changed, or will. Read the table.",
    EventName.FILL_ON_THE_WAY: "An officer left the cage with a fill: `serial`.",
    EventName.TABLE_CHANGED: "Something else that the table shows changed. Read the table.",
    EventName.RESET: "You were away for too long. Read the table and what is open again.",
}

METERS = "meters"
HOUSE = "house"

# Acts whose details are for others, and that change what a terminal reads of its table.
_PLAIN = frozenset(
    {
        "tapped_in",
        "tapped_out",
        "shoe_marked",
        "round_corrected",
        "round_aborted",
        "payout_mismatch",
        "setting_change.approved",
    }
)
_CALLS = frozenset({"exception_opened", "exception_resolved"})
_METERS = frozenset({"meter.contributed", "meter.rolled_up", "meter.read", "meter_change.approved"})
_WINS = frozenset({"jackpot", "big_win"})
_DONE = "done"
_BY_DONE = {
    "opener": EventName.TABLE_OPENED,
    "closer": EventName.TABLE_CLOSED,
    LIVE_CHANGE: EventName.LIMITS_CHANGED,
    TABLE_CHANGE: EventName.LIMITS_CHANGED,
}

# Of the chains that all tables share, the only entries that are looked at.
SHARED_KINDS = (*sorted(_METERS), "setting_change.approved", f"{TABLE_CHANGE}.approved")


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened, as a terminal is told it."""

    name: EventName
    facts: Mapping[str, Any]


def event_of(kind: str, body: Mapping[str, Any]) -> Event | None:
    """Return what an entry of the journal tells a terminal; none where that is not its business.

    >>> event_of("fill.carried", {"serial": "F-2026-000029", "status": "open"})
    Event(name=<EventName.FILL_ON_THE_WAY: 'fill_on_the_way'>, facts={'serial': 'F-2026-000029'})
    >>> event_of("evaluation_answered", {}) is None
    True
    """
    subject, _, step = kind.partition(".")
    if kind == "floor_logged":
        return _answered(body)
    if kind == "floor_withdrawn":
        facts = {"request": body["request"], "state": "withdrawn"}
        return Event(EventName.APPROVAL_ANSWERED, facts)
    if kind == "sign_changed":
        # The table is dealt by what was signed from now on, or from the moment that was chosen.
        return Event(EventName.LIMITS_CHANGED, {"serial": body["slip"]})
    if kind == "mismatch_settled":
        return Event(
            EventName.MISMATCH_SETTLED, {"check": body.get("check"), "way": body.get("way")}
        )
    if kind == "fill.carried":
        return Event(EventName.FILL_ON_THE_WAY, {"serial": body["serial"]})
    if kind in _METERS:
        return Event(EventName.METER_CHANGED, {"meter": body.get("meter")})
    if subject in _WINS and step:
        facts = {"serial": body["serial"], "step": step, "status": body["status"]}
        return Event(EventName.JACKPOT_STEP, facts)
    if subject in _BY_DONE and body.get("status") == _DONE:
        return Event(_BY_DONE[subject], {"serial": body["serial"]})
    is_call = kind in _CALLS and body.get("code") == "supervisor_called"
    return Event(EventName.TABLE_CHANGED, {}) if kind in _PLAIN or is_call else None


def _answered(body: Mapping[str, Any]) -> Event:
    """Return the answer to a request; what a supervisor logs unasked may be an order."""
    if body.get("request") is None:
        return Event(EventName.TABLE_CHANGED, {})
    return Event(
        EventName.APPROVAL_ANSWERED, {"request": body["request"], "state": body["outcome"]}
    )


class HouseEvent(StrEnum):
    """What other systems of the house are told, under names that they know for good."""

    MISMATCH_SETTLED = EventName.MISMATCH_SETTLED.value
    JACKPOT_STEP = EventName.JACKPOT_STEP.value
    TABLE_OPENED = EventName.TABLE_OPENED.value
    TABLE_CLOSED = EventName.TABLE_CLOSED.value
    LIMITS_CHANGED = EventName.LIMITS_CHANGED.value
    FILL_ON_THE_WAY = EventName.FILL_ON_THE_WAY.value
    FILL_RECEIVED = "fill_received"
    CREDIT_ACKNOWLEDGED = "credit_acknowledged"
    DAY_CLOSED = "day_closed"


_HOUSE_NAMES = frozenset(HouseEvent)
_HOUSE_BY_DONE = {
    "fill": HouseEvent.FILL_RECEIVED,
    "credit": HouseEvent.CREDIT_ACKNOWLEDGED,
    "day_close": HouseEvent.DAY_CLOSED,
}
# Slips whose entries may be an event, and the entries of no slip that are. The database keeps an
# entry of these for the webhooks, in the transaction of its act.
OUTBOX_SLIPS = (
    "big_win",
    "closer",
    "credit",
    "day_close",
    "fill",
    "jackpot",
    "opener",
    TABLE_CHANGE,
    LIVE_CHANGE,
)
OUTBOX_KINDS = ("mismatch_settled", "sign_changed")


def house_event_of(
    kind: str, body: Mapping[str, Any]
) -> tuple[HouseEvent, Mapping[str, Any]] | None:
    """Return what an entry of the journal tells other systems; none where nothing.

    >>> house_event_of("fill.received", {"serial": "F-2026-000029", "status": "done"})
    (<HouseEvent.FILL_RECEIVED: 'fill_received'>, {'serial': 'F-2026-000029'})
    >>> house_event_of("tapped_in", {}) is None
    True
    """
    subject = kind.partition(".")[0]
    if subject in _HOUSE_BY_DONE and body.get("status") == _DONE:
        return _HOUSE_BY_DONE[subject], {"serial": body["serial"]}
    event = event_of(kind, body)
    if event is None or event.name.value not in _HOUSE_NAMES:
        return None
    return HouseEvent(event.name.value), event.facts


@dataclass(frozen=True, slots=True)
class FeedPlace:
    """How far a terminal has heard: the number of the last entry in each chain that it hears.

    A chain counts without a gap and in the order of its commits, so nothing is missed or told
    twice, whatever node tells it.
    """

    table: int
    meters: int
    house: int

    def __str__(self) -> str:
        return f"{self.table}.{self.meters}.{self.house}"

    @classmethod
    def read(cls, text: str) -> Self | None:
        """Return the place that a `Last-Event-ID` names; none where it is not one of ours.

        >>> FeedPlace.read("12.3.45")
        FeedPlace(table=12, meters=3, house=45)
        >>> [FeedPlace.read(text) for text in ("12.3", "12.3.x", "12.3.9999999999999999999")]
        [None, None, None]
        """
        parts = text.split(".")
        if len(parts) != 3 or not all(_is_number(part) for part in parts):
            return None
        return cls(*map(int, parts))

    def after(self, chain: str, number: int) -> Self:
        """Return the place after an entry of a chain, never further back."""
        name = chain if chain in (METERS, HOUSE) else "table"
        return replace(self, **{name: max(number, getattr(self, name))})

    def of(self, chain: str) -> int:
        """Return the number of the last entry that was heard of a chain."""
        heard: int = getattr(self, chain if chain in (METERS, HOUSE) else "table")
        return heard


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= 18


# A terminal that missed more begins again with what is open: that is soonest read as a whole.
BACKLOG_MAX = 1_000


def must_reset(heard: FeedPlace, heads: FeedPlace) -> bool:
    """Tell whether a terminal can't be told what it missed: too much, or of another history.

    >>> heard = FeedPlace(5, 5, 5)
    >>> must_reset(heard, FeedPlace(9, 5, 5)), must_reset(heard, FeedPlace(4, 5, 5))
    (False, True)
    """
    pairs = (
        (heard.table, heads.table),
        (heard.meters, heads.meters),
        (heard.house, heads.house),
    )
    return any(had > head or head - had > BACKLOG_MAX for had, head in pairs)


def block(place: FeedPlace, event: EventName | None = None, data: str = "") -> bytes:
    r"""Return one block of the stream; without an event it only says how far it has come.

    >>> block(FeedPlace(1, 2, 3))
    b'id: 1.2.3\n\n'
    >>> block(FeedPlace(1, 2, 3), EventName.RESET, "{}")
    b'id: 1.2.3\nevent: reset\ndata: {}\n\n'
    """
    sentence = f"event: {event.value}\ndata: {data}\n" if event is not None else ""
    return f"id: {place}\n{sentence}\n".encode()
