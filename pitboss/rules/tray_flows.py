"""The flows of a tray's counts: opener, closer, and the counts between them.

The dealer counts and signs first; the slip's cheques are what the dealer counted. The supervisor
goes over every line and must find the same.
"""

from __future__ import annotations

from pitboss.rules.flows import Flow, PlanFacts, Step
from pitboss.rules.roles import Place, Role


def tray_differs(facts: PlanFacts) -> bool:
    """Tell whether any denomination differs from what the tray should hold."""
    return facts.differs


def variance_is_reported(facts: PlanFacts) -> bool:
    """Tell whether security and surveillance report on the variance."""
    return facts.differs and abs(facts.variance_cents) >= facts.report_from_cents


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
        then="slip_voided",
    ),
)

OPENER = Flow(
    kind="opener",
    title="Opener",
    series="O",
    steps=(
        _COUNTED,
        _VERIFIED,
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
            when=variance_is_reported,
            needs_reason=True,
            attests="I was called to this variance and report what I saw.",
        ),
        Step(
            "surveillance_reported",
            by=Role.SURVEILLANCE,
            at=None,
            when=variance_is_reported,
            needs_reason=True,
            attests="I reviewed the pictures of this tray and report what they show.",
        ),
    ),
    void=_VOIDED_AT_THE_TABLE,
    at_end="table_opened",
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

TRAY_COUNTS = frozenset(flow.kind for flow in (OPENER, CLOSER, COUNT, SHIFT_COUNT))
