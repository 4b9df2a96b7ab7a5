"""The flows of cheques from table to cage: the credit, and its way back to the tray."""

from __future__ import annotations

from pitboss.rules.fill_flows import CARRIER_RELIEVED, holds_high_cheques
from pitboss.rules.flows import Flow, Step
from pitboss.rules.roles import Place, Role

# A credit begins at the table, so there it ends when it was a mistake: the supervisor and somebody
# who had no part in it, before a single cheque has left.
VOIDED_AT_THE_TABLE = (
    Step(
        "voided",
        by=Role.SUPERVISOR,
        at=Place.PIT,
        attests="This slip is void. No cheques left the table on it.",
        needs_reason=True,
        may_repeat="requested",
    ),
    Step(
        "void_witnessed",
        by=(Role.SECURITY, Role.SURVEILLANCE, Role.PIT_MANAGER),
        at=None,
        attests="I had no part in this slip and saw it voided.",
        then="slip_voided",
    ),
)

CREDIT = Flow(
    kind="credit",
    title="Credit",
    series="CR",
    steps=(
        Step(
            "requested",
            by=Role.SUPERVISOR,
            at=Place.PIT,
            attests="These cheques leave this table for the cage.",
        ),
        Step(
            "top_signed",
            by=Role.PIT_MANAGER,
            at=None,
            when=holds_high_cheques,
            attests="I approve a credit with cheques this high.",
        ),
        Step(
            "proved",
            by=Role.DEALER,
            at=Place.PIT,
            counts=True,
            attests="I cut out every line before the supervisor and the officer.",
        ),
        Step(
            "carried",
            by=Role.SECURITY,
            at=Place.PIT,
            attests="I compared request and cheques, and carry them to the cage.",
            then="credit_leaves_the_tray",
            dispatches=True,
        ),
        Step(
            "acknowledged",
            by=Role.CASHIER,
            at=Place.CAGE,
            counts=True,
            in_presence_of="carried",
            attests="I counted every line before the officer and take the cheques in.",
            then="credit_into_the_cage",
        ),
        Step(
            "matched",
            by=Role.SUPERVISOR,
            at=Place.PIT,
            counts=True,
            in_presence_of="carried",
            may_repeat="requested",
            attests="The acknowledgment agrees with the copy on the table. Both papers dropped.",
        ),
    ),
    void=VOIDED_AT_THE_TABLE,
    relief=CARRIER_RELIEVED,
)

CREDIT_RETURN = Flow(
    kind="credit_return",
    title="Return of a credit",
    series="RC",
    steps=(
        Step(
            "sent_back",
            by=Role.CASHIER,
            at=Place.CAGE,
            attests="This credit is wrong. The cage took nothing in; it goes back as it came.",
            needs_reason=True,
            then="credit_sent_back",
        ),
        Step(
            "carried_back",
            by=Role.SECURITY,
            at=Place.PIT,
            same_as="original:carried",
            attests="I brought back all the cheques I carried off.",
        ),
        Step(
            "recounted",
            by=Role.DEALER,
            at=Place.PIT,
            records=True,
            attests="I counted the cheques that came back, before they enter the tray.",
        ),
        Step(
            "counted_in",
            by=Role.SUPERVISOR,
            at=Place.PIT,
            records=True,
            attests="I counted them too, and they are in the tray again.",
            then="credit_back_into_the_tray",
        ),
    ),
    relief=CARRIER_RELIEVED,
)
