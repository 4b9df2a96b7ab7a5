"""The flows of cheques between cage and table: the fill, and its way back."""

from __future__ import annotations

from pitboss.rules.cheques import needs_top_sign
from pitboss.rules.flows import TAKEN_OVER, Flow, PlanFacts, Step
from pitboss.rules.roles import Place, Role


def holds_high_cheques(facts: PlanFacts) -> bool:
    """Tell whether the pit manager top-signs (manual, "Fills" 4, "Credits" 5)."""
    return needs_top_sign(facts.cheques, facts.top_sign_from_cents)


VOIDED_AT_THE_CAGE = (
    Step(
        "voided",
        by=Role.CASHIER,
        at=Place.CAGE,
        attests="This slip is void. No cheques left the cage on it.",
        needs_reason=True,
        may_repeat="issued",
    ),
    Step(
        "void_witnessed",
        by=(Role.SECURITY, Role.SURVEILLANCE, Role.PIT_MANAGER, Role.CAGE_MANAGER),
        at=None,
        attests="I had no part in this slip and saw it voided.",
        then="slip_voided",
    ),
)

CARRIER_RELIEVED = (
    Step(
        "relieved",
        by=Role.SHIFT_MANAGER,
        at=None,
        attests="The officer who carries these cheques cannot go on. Another takes over.",
        needs_reason=True,
    ),
    Step(
        TAKEN_OVER,
        by=Role.SECURITY,
        at=None,
        attests="I counted the cheques and carry them from here.",
        counts=True,
    ),
)

FILL = Flow(
    kind="fill",
    title="Fill",
    series="F",
    steps=(
        Step(
            "requested",
            by=Role.SUPERVISOR,
            at=Place.PIT,
            attests="This table needs these cheques.",
        ),
        Step(
            "top_signed",
            by=Role.PIT_MANAGER,
            at=None,
            when=holds_high_cheques,
            attests="I approve a fill with cheques this high.",
        ),
        Step(
            "issued",
            by=Role.CASHIER,
            at=Place.CAGE,
            attests="I prepared these cheques as the slip says.",
        ),
        Step(
            "carried",
            by=Role.SECURITY,
            at=Place.CAGE,
            attests="I compared request, slip and cheques, and carry them to the table.",
            then="cheques_to_carrier",
            dispatches=True,
        ),
        Step(
            "agreed",
            by=Role.DEALER,
            at=Place.PIT,
            attests="I counted every line with the supervisor and agree.",
            counts=True,
            may_be_blind=True,
            in_presence_of="carried",
        ),
        Step(
            "received",
            by=Role.SUPERVISOR,
            at=Place.PIT,
            may_repeat="requested",
            attests="I verified every line. Duplicate dropped, original to security.",
            then="cheques_into_tray",
        ),
    ),
    void=VOIDED_AT_THE_CAGE,
    relief=CARRIER_RELIEVED,
)

FILL_RETURN = Flow(
    kind="fill_return",
    title="Return of a fill",
    series="R",
    steps=(
        Step(
            "sent_back",
            by=Role.SUPERVISOR,
            at=Place.PIT,
            attests="This fill is wrong. Nothing entered the tray; it goes back as it came.",
            needs_reason=True,
            then="fill_sent_back",
        ),
        Step(
            "carried_back",
            by=Role.SECURITY,
            at=Place.PIT,
            same_as="original:carried",
            attests="I carry back all the cheques I brought.",
        ),
        Step(
            "counted_in",
            by=Role.CASHIER,
            at=Place.CAGE,
            records=True,
            attests="I counted the cheques that came back.",
            then="cheques_back_to_cage",
        ),
    ),
    relief=CARRIER_RELIEVED,
)
