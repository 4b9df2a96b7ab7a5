"""The flows of a tray's counts: opener, closer, recount, and the counts between them.

The dealer counts and signs first; the slip's cheques are what the dealer counted. The supervisor
goes over every line and must find the same. Both are blind: what the book says is told after that.
"""

from __future__ import annotations

from dataclasses import replace

from pitboss.rules.flows import Flow, PlanFacts, Step
from pitboss.rules.roles import Place, Role


def tray_differs(facts: PlanFacts) -> bool:
    """Tell whether any denomination differs from what the tray should hold."""
    return facts.differs


def security_reports(facts: PlanFacts) -> bool:
    """Tell whether security reports on the variance."""
    return facts.differs and Role.SECURITY in facts.reported_by


def surveillance_reports(facts: PlanFacts) -> bool:
    """Tell whether surveillance reports on the variance."""
    return facts.differs and Role.SURVEILLANCE in facts.reported_by


_COUNTED = Step(
    "counted",
    by=Role.DEALER,
    at=Place.PIT,
    attests="I counted this tray, from the highest cheque down, and this is what it holds.",
)
_VERIFIED = Step(
    "verified",
    by=Role.SUPERVISOR,
    at=Place.PIT,
    counts=True,
    attests="I went over every line with the dealer and found the same.",
)
# Compared with the last count, a variance is looked into as soon as both have signed.
_COMPARED = replace(_VERIFIED, then="variance_found")
_VARIANCE = (
    Step(
        "accepted",
        by=Role.SHIFT_MANAGER,
        at=None,
        when=tray_differs,
        needs_reason=True,
        attests="The tray differs from its last count. I was told, and looked into it.",
    ),
    Step(
        "security_reported",
        by=Role.SECURITY,
        at=None,
        when=security_reports,
        needs_reason=True,
        attests="I was called to this variance and report what I saw.",
    ),
    Step(
        "surveillance_reported",
        by=Role.SURVEILLANCE,
        at=None,
        when=surveillance_reports,
        needs_reason=True,
        attests="I reviewed the pictures of this tray and report what they show.",
    ),
)
# From these steps on both have counted, and the book may be shown beside what they found.
VARIANCE_STEPS = frozenset(step.name for step in _VARIANCE)
_VOIDED_AT_THE_TABLE = (
    Step(
        "voided",
        by=Role.SUPERVISOR,
        at=Place.PIT,
        may_repeat="verified",
        needs_reason=True,
        attests="This count is void. The tray is counted again on a new slip.",
    ),
    Step(
        "void_witnessed",
        by=Role.PIT_MANAGER,
        at=None,
        attests="I had no part in this count and saw it voided.",
        then="count_voided",
    ),
)

OPENER = Flow(
    kind="opener",
    title="Opener",
    series="O",
    steps=(_COUNTED, _COMPARED, *_VARIANCE),
    void=_VOIDED_AT_THE_TABLE,
    at_end="table_opened",
    blind_until="verified",
)

# A table that stays shut for days is counted by two people all the same; it opens for nobody.
RECOUNT = Flow(
    kind="recount",
    title="Recount",
    series="T",
    steps=(replace(_COUNTED, by=(Role.DEALER, Role.SUPERVISOR)), _COMPARED, *_VARIANCE),
    void=_VOIDED_AT_THE_TABLE,
    at_end="recount_posted",
    blind_until="verified",
)

CLOSER = Flow(
    kind="closer",
    title="Closer",
    series="C",
    steps=(
        _COUNTED,
        _VERIFIED,
        Step(
            "top_signed",
            by=Role.PIT_MANAGER,
            at=None,
            attests="I verified this closer and take the bottom copy.",
        ),
        Step(
            "locked",
            by=Role.SUPERVISOR,
            at=Place.PIT,
            may_repeat="verified",
            attests="The lid is locked with the opener readable under it, and equipment is stowed.",
        ),
    ),
    void=_VOIDED_AT_THE_TABLE,
    # The dealer who signed stays until the tray is locked, unless a shift manager lets them go.
    relief=(
        Step(
            "released",
            by=Role.SHIFT_MANAGER,
            at=None,
            needs_reason=True,
            attests="The dealer who signed this closer must go before the tray is locked.",
        ),
        Step(
            "counted_again",
            by=(Role.DEALER, Role.SUPERVISOR),
            at=Place.PIT,
            counts=True,
            attests="I counted the tray in the dealer's place and found the same.",
        ),
    ),
    at_end="table_closed",
)

COUNT = Flow(
    kind="count",
    title="Mid-shift count",
    series="T",
    steps=(_COUNTED, _VERIFIED),
    void=_VOIDED_AT_THE_TABLE,
    at_end="count_posted",
)

SHIFT_COUNT = Flow(
    kind="shift_count",
    title="Shift-change count",
    series="T",
    steps=(
        _COUNTED,
        _VERIFIED,
        Step(
            "taken_on",
            by=Role.SUPERVISOR,
            at=Place.PIT,
            counts=True,
            attests="I come on shift, found every line the same, and answer for this tray now.",
        ),
    ),
    void=_VOIDED_AT_THE_TABLE,
    at_end="count_posted",
)

TRAY_COUNTS = frozenset(flow.kind for flow in (OPENER, RECOUNT, CLOSER, COUNT, SHIFT_COUNT))
# Of a locked tray: what differs from its last count is variance, for nobody has played at it.
COMPARED_COUNTS = frozenset(flow.kind for flow in (OPENER, RECOUNT))
