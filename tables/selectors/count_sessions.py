"""A session of the count team as it stands: its members, who is in the room, and every box."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from pitboss.models import Person, Signature, Slip
from pitboss.rules.drop.figures import cash_cents
from pitboss.rules.drop.sessions import COUNT_SESSION, FIRST, IN_TOTAL, THREE
from pitboss.rules.flows.flows import SlipStatus, Track
from tables.models import BoxTally, RoomMove

JOINING: Final = ("opened", "joined", "joined_third")
CLOSING: Final = ("closed", "closed_second", "closed_third")


@dataclass(frozen=True, slots=True)
class CountedBox:
    """A box of a session with its counts; both are the same once it has a second one."""

    pull: Slip
    first: BoxTally | None = None
    second: BoxTally | None = None

    @property
    def name(self) -> str:
        """Return what the box is called: by its tag, where it has one."""
        tag = self.pull.details.get("tag", "")
        return f"{tag} ({self.pull.details['box']})" if tag else str(self.pull.details["box"])

    @property
    def machine_key(self) -> tuple[str, str]:
        """Return how a counting machine's file names it: its tag, and its compartment if any."""
        details = self.pull.details
        return str(details.get("tag") or details["box"]), str(details.get("compartment", ""))


@dataclass(frozen=True, slots=True)
class SessionState:
    """A session as its screens show it."""

    session: Slip
    members: list[Person]
    away: frozenset[int]
    least: int
    signed: frozenset[str]
    boxes: list[CountedBox]

    @property
    def in_room(self) -> list[Person]:
        return [member for member in self.members if member.pk not in self.away]

    @property
    def in_total(self) -> bool:
        """Tell whether the second count is one of all boxes; sessions of before had no choice."""
        return bool(self.session.details.get("second") == IN_TOTAL)

    @property
    def is_tested(self) -> bool:
        return "test_seen" in self.signed

    @property
    def is_counted(self) -> bool:
        """Tell whether counts may still be entered: open, and no one has closed it."""
        return self.session.status == SlipStatus.OPEN.value and "closed" not in self.signed

    @property
    def uncounted(self) -> list[CountedBox]:
        return [box for box in self.boxes if box.second is None]

    @property
    def total_cents(self) -> int:
        """Return the cash of all boxes, as it was counted twice."""
        return sum(cash_cents(box.second.figures) for box in self.boxes if box.second is not None)


def open_sessions() -> list[Slip]:
    """Return the sessions under way, oldest first."""
    return list(Slip.objects.filter(kind=COUNT_SESSION, status=SlipStatus.OPEN).order_by("id"))


def session_of(pull: Slip) -> Slip | None:
    """Return the open session that counts a box, if any."""
    return next(
        (session for session in open_sessions() if pull.serial in session.details["pulls"]), None
    )


def session_state(session: Slip) -> SessionState:
    """Return a session as it stands; a fixed number of queries, however many boxes."""
    signatures = Signature.objects.filter(slip=session, track=Track.MAIN).select_related("person")
    signed = {signature.step: signature.person for signature in signatures.order_by("id")}
    moves = RoomMove.objects.filter(session=session).order_by("id")
    away = {move.person_id: not move.is_back for move in moves}
    return SessionState(
        session=session,
        members=[signed[step] for step in JOINING if step in signed],
        away=frozenset(key for key, is_away in away.items() if is_away),
        least=3 if THREE in session.details["team"] else 2,
        signed=frozenset(signed),
        boxes=_boxes(session, session.details["pulls"]),
    )


def _boxes(session: Slip, serials: Sequence[str]) -> list[CountedBox]:
    pulls = {
        pull.serial: pull
        for pull in Slip.objects.filter(serial__in=serials).select_related("table").defer("plan")
    }
    first: dict[int, BoxTally] = {}
    second: dict[int, BoxTally] = {}
    tallies = BoxTally.objects.filter(session=session).select_related("person").order_by("id")
    for tally in tallies:
        (first if tally.turn == FIRST else second)[tally.pull_id] = tally
    return [
        CountedBox(pulls[serial], first.get(pulls[serial].pk), second.get(pulls[serial].pk))
        for serial in serials
    ]
