"""A session of the count team: opened by two or three, closed by all, accepted, and posted at once.

Between, each box is counted twice without a PIN (`tables/services/count_sessions.py`). The main
bank counts the cash before it sees the total, and accounting posts every box with one signature.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db import models
from django.urls import reverse

from pitboss.models import Signature, Slip
from pitboss.paper.forms import Form, Part, Shows
from pitboss.rules.cheques.cheques import format_money
from pitboss.rules.drop.figures import cash_cents
from pitboss.rules.drop.sessions import (
    COUNT_SESSION as SESSION,
)
from pitboss.rules.drop.sessions import (
    THREE,
    accept_refusals,
    close_refusals,
    has_third,
    outsider_refusals,
)
from pitboss.rules.flows.flows import Need, PlanFacts, Promise, Readers, Step, void_witnessed
from pitboss.rules.refusal import Refusal, Refused
from pitboss.rules.roles import AT_THE_CAGE, KEEPING_BOOKS, Place, Role
from pitboss.services import house
from pitboss.services.drafts import NewSlip
from pitboss.services.signing import SAID
from pitboss.slips.kind import Kind, Raising
from tables.selectors.count_sessions import CLOSING, JOINING, open_sessions, session_state
from tables.services.drop_posting import post_session
from tables.services.drops import boxes_to_count

_TESTED = ("tested", "test_seen")


def _is_of_three() -> bool:
    return bool(house.settings_at(house.now())["count.team_least"] == "3")


def _drafted(raising: Raising) -> NewSlip:
    taken = {serial for session in open_sessions() for serial in session.details["pulls"]}
    pulls = [pull for pull in boxes_to_count() if pull.serial not in taken]
    return NewSlip(
        raising.kind.kind,
        None,
        {},
        details={
            "team": [THREE] if _is_of_three() else [],
            "second": house.settings_at(house.now())["count.second"],
            "pulls": [pull.serial for pull in pulls],
            "boxes": [str(pull.details["box"]) for pull in pulls],
        },
    )


def _refusals(raising: Raising) -> list[Refusal]:
    if not raising.new().details["pulls"]:
        return [
            Refusal("no_boxes", "No box is waiting for a count session. Boxes come from the pits.")
        ]
    return []


def _facts(raising: Raising) -> PlanFacts:
    return PlanFacts({}, marks=frozenset(raising.new().details["team"]))


def _closed(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """Let a member close the session once every box is counted twice. Raises Refused."""
    state = session_state(slip)
    refusals = close_refusals(
        [box.name for box in state.uncounted], is_member=signature.person in state.members
    )
    if refusals:
        raise Refused(refusals)
    return []


def _member(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """Let members of the session test its counter, and no one else. Raises Refused."""
    refusals = close_refusals([], is_member=signature.person in session_state(slip).members)
    if refusals:
        raise Refused(refusals)
    return []


def _accepted(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """Take the cash over if the main bank has counted the same. Raises Refused."""
    state = session_state(slip)
    refusals = [
        *outsider_refusals(signature.person.badge, [member.badge for member in state.members]),
        *accept_refusals(signature.facts[SAID]["cash"], state.total_cents),
    ]
    if refusals:
        raise Refused(refusals)
    return []


def _posted(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """Post every box of the session, or none. Raises Refused."""
    state = session_state(slip)
    badges = [member.badge for member in state.members]
    if refusals := outsider_refusals(signature.person.badge, badges):
        raise Refused(refusals)
    return post_session(state, signature, at, signature.request_id)


def _is_seen(slip: Slip) -> bool:
    """Tell whether the main bank has counted: until then no one is shown what was found."""
    return bool(slip.pk) and slip.signatures.filter(step="accepted").exists()


def _writes(slip: Slip) -> list[tuple[str, str]]:
    boxes = slip.details["boxes"]
    written = [("Boxes", str(len(boxes))), ("From", ", ".join(boxes) or "none")]
    if not _is_seen(slip):
        return [*written, ("Cash", "Not shown until the main bank has counted it.")]
    state = session_state(slip)
    return [
        *written,
        ("Cash", format_money(state.total_cents)),
        *(
            (f"Box {box.name}", format_money(cash_cents(box.second.figures)))
            for box in state.boxes
            if box.second is not None
        ),
    ]


def _shows(slip: Slip) -> Mapping[str, Any]:
    """Return which counts are signed for; their figures are in ink, and unseen until accepted."""
    state = session_state(slip)
    counts = [
        [
            box.pull.serial,
            box.first.pk if box.first else None,
            box.second.pk if box.second else None,
        ]
        for box in state.boxes
    ]
    return {"counts": counts, **({"total_cents": state.total_cents} if _is_seen(slip) else {})}


def _tells(slip: Slip) -> dict[str, Any]:
    return {"template": "tables/_written.html", "has_lines": True, "written": _writes(slip)}


def _review(raising: Raising, new: NewSlip) -> dict[str, Any]:
    return {"panel": _tells(Slip(kind=new.kind, details=dict(new.details)))}


def _member_step(name: str, done: str, do: str, attests: str, **more: Any) -> Step:
    return Step(
        name, done=done, do=do, by=Role.COUNT_TEAM, at=Place.OFFICE, attests=attests, **more
    )


_IN_THE_ROOM = (
    "I am a member of this count session. I am in the count room, and I will not leave it without "
    "signing out."
)
_ALL_COUNTED = (
    "I certify that the boxes I counted were emptied and counted as I entered them, and that all "
    "the cash of this session is in the count room."
)

COUNT_SESSION = Kind(
    SESSION,
    title="Count session",
    series="CN",
    open_to=frozenset({Role.COUNT_TEAM}),
    lit_by="count_room",
    desk="house",
    at_a_table=False,
    refusals=_refusals,
    facts=_facts,
    drafted=_drafted,
    steps=(
        _member_step("opened", "Opened", "Open the session", _IN_THE_ROOM),
        _member_step(
            "joined",
            "Joined",
            "Join the session",
            _IN_THE_ROOM,
            why=Need("A count session has at least two members.", "count.team_least"),
        ),
        _member_step(
            "joined_third",
            "Third member joined",
            "Join the session",
            _IN_THE_ROOM,
            when=has_third,
            why=Need("Here a count session has three members.", "count.team_least"),
        ),
        _member_step(
            "tested",
            "Counter tested",
            "Test the counter",
            "I certify that I tested the currency counter with known bills before this count, "
            "with the result entered on this slip.",
            may_repeat=JOINING,
            needs_reason=True,
            reason_label="Machine, test bills, and result",
            then="session_tested",
        ),
        _member_step(
            "test_seen",
            "Test confirmed",
            "Confirm the test",
            "I certify that I saw the test of the currency counter and its result.",
            may_repeat=JOINING,
            then="session_tested",
        ),
        _member_step(
            "closed",
            "Closed",
            "Close the session",
            _ALL_COUNTED,
            may_repeat=(*JOINING, *_TESTED),
            then="session_closed",
        ),
        _member_step(
            "closed_second",
            "Closed by the second count",
            "Close the session",
            _ALL_COUNTED,
            may_repeat=(*JOINING, *_TESTED),
            then="session_closed",
        ),
        _member_step(
            "closed_third",
            "Closed by the third",
            "Close the session",
            _ALL_COUNTED,
            when=has_third,
            may_repeat=(*JOINING, *_TESTED),
            then="session_closed",
        ),
        Step(
            "accepted",
            done="Accepted",
            do="Count and accept",
            by=Role.CASHIER,
            at=Place.CAGE,
            asks=("cash",),
            why=Need("The main bank counts the cash before it sees the total."),
            attests="I certify that I counted this cash before I was shown a total, and accept it "
            "into the main bank.",
            then="session_accepted",
        ),
        Step(
            "posted",
            done="Posted",
            do="Post",
            by=Role.ACCOUNTING,
            at=Place.OFFICE,
            attests="I certify that I took no part in this count. I reviewed every box of this "
            "session and post them.",
            then="session_posted",
        ),
    ),
    void=(
        _member_step(
            "voided",
            "Voided",
            "Void",
            "I void this count session. Its boxes are to be counted again.",
            may_repeat=(*JOINING, *_TESTED, *CLOSING),
            needs_reason=True,
        ),
        void_witnessed(
            (Role.ACCOUNTING, Role.SECURITY),
            attests="I certify that I took no other part in this session and witnessed it being "
            "voided.",
        ),
    ),
    effects={
        "session_tested": _member,
        "session_closed": _closed,
        "session_accepted": _accepted,
        "session_posted": _posted,
    },
    readers=Readers(KEEPING_BOOKS | AT_THE_CAGE | {Role.COUNT_TEAM, Role.SHIFT_MANAGER}),
    promises=(Promise(4, 3), Promise(5, 3, having="joined_third")),
    paper=Form(
        parts=(Part("Original", "To accounting with the documents from the boxes."),),
        original_at=Place.OFFICE,
        shows=Shows.FACTS,
        caption="Count room",
    ),
    heading=lambda raising: "Open a count session",
    review=_review,
    raised=lambda session: f"{session.serial} opened. The next member joins.",
    writes=_writes,
    shows=_shows,
    tells=_tells,
    goes_on=lambda session: reverse("count-session", args=[session.serial]),
)
