"""What hands do in a count session in tests: open it, test the counter, count boxes, close it."""

from __future__ import annotations

from collections.abc import Mapping
from uuid import uuid4

from pitboss.models import Person, Slip
from pitboss.rules.drop.sessions import FIRST, SECOND
from pitboss.rules.roles import Place
from pitboss.services.signing import Entry
from pitboss.slips.raising import raise_kind, shown_before
from tables.kinds.count_session import COUNT_SESSION
from tables.models import BoxTally
from tables.selectors.box_papers import copies_expected
from tables.selectors.count_sessions import session_state
from tables.services.count_sessions import enter_count, move_in_room
from tests.floor.cast import Cast

TEST = Entry(reason="Counter 2, 100 test bills of $20, counted 100.")


def open_session(cast: Cast) -> Slip:
    """Open a session as Paul; nobody has joined it."""
    session = COUNT_SESSION.at()
    return raise_kind(session, pen=cast.pen(cast.paul, Place.OFFICE), shown=shown_before(session))


def ready(cast: Cast, third: Person | None = None) -> Slip:
    """Open a session that Quinn has joined, and a third where there is one, counter tested."""
    session = open_session(cast)
    cast.sign(session, "joined", cast.quinn, Place.OFFICE)
    if third is not None:
        cast.sign(session, "joined_third", third, Place.OFFICE)
    cast.sign(session, "tested", cast.paul, Place.OFFICE, entry=TEST)
    cast.sign(session, "test_seen", cast.quinn, Place.OFFICE)
    return session


def enter(
    cast: Cast,
    session: Slip,
    pull: Slip,
    figures: Mapping[str, int],
    *,
    turn: int = FIRST,
    by: Person | None = None,
    documents: list[str] | None = None,
) -> BoxTally:
    """Enter a count: the first as Paul with every copy that is expected, the second as Quinn."""
    if documents is None:
        documents = [copy.code for copy in copies_expected([pull])[pull.serial]]
    return enter_count(
        session=session,
        pull=pull,
        turn=turn,
        figures={"documents": len(documents), **figures},
        documents=documents if turn == FIRST else (),
        by=by or (cast.paul if turn == FIRST else cast.quinn),
        device=cast.devices[Place.OFFICE],
        request_id=uuid4(),
    )


def count_twice(cast: Cast, session: Slip, pull: Slip, figures: Mapping[str, int]) -> None:
    enter(cast, session, pull, figures)
    enter(cast, session, pull, figures, turn=SECOND)


def close(cast: Cast, session: Slip, third: Person | None = None) -> None:
    cast.sign(session, "closed", cast.paul, Place.OFFICE)
    cast.sign(session, "closed_second", cast.quinn, Place.OFFICE)
    if third is not None:
        cast.sign(session, "closed_third", third, Place.OFFICE)


def accept(cast: Cast, session: Slip, dollars: str = "") -> None:
    """Count the cash at the main bank as Erin, and find what was counted unless told."""
    fields = {"cash": dollars or str(session_state(session).total_cents // 100)}
    cast.sign(session, "accepted", cast.erin, Place.CAGE, entry=Entry(said=fields))


def step_out(cast: Cast, session: Slip, person: Person, *, is_back: bool = False) -> None:
    move_in_room(session=session, is_back=is_back, pen=cast.pen(person, Place.OFFICE))
