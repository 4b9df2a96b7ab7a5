"""The flows of markers: lent at a table, paid back, and carried to the cage.

House manual, "Markers": the supervisor pre-signs, the dealer checks and signs, the cheques are cut,
the supervisor approves. What regulators add: the line is checked and reserved first, the patron
signs and is matched with an ID, and whoever lends never raises the line as well.
"""

from __future__ import annotations

from typing import Final

from pitboss.rules.flows import Flow, PlanFacts, Step
from pitboss.rules.roles import Place, Role

# Who may let a patron go above the line: nobody who could have extended the credit is alone in it.
AUTHORITIES: Final = (Role.SHIFT_MANAGER, Role.CAGE_MANAGER)
_WITNESSES: Final = (Role.PIT_MANAGER, Role.CAGE_MANAGER, Role.SECURITY, Role.SURVEILLANCE)


def goes_over_the_line(facts: PlanFacts) -> bool:
    """Tell whether a marker needs somebody's authority to pass its patron's line."""
    return facts.over_line


MARKER = Flow(
    kind="marker",
    title="Marker",
    series="M",
    steps=(
        Step(
            "issued",
            by=Role.SUPERVISOR,
            at=Place.PIT,
            attests="I looked the patron's line up and lend this amount from it.",
            then="line_reserved",
        ),
        Step(
            "authorised",
            by=AUTHORITIES,
            at=None,
            when=goes_over_the_line,
            needs_reason=True,
            attests="I know what this patron owes and let this one marker pass the line.",
        ),
        Step(
            "patron_signed",
            by=Role.SUPERVISOR,
            at=Place.PIT,
            may_repeat="issued",
            drawn=True,
            attests="The patron signed before me. Face and signature match the ID on file.",
        ),
        Step(
            "dealer_signed",
            by=Role.DEALER,
            at=Place.PIT,
            attests="I checked amount, date and table, and cut these cheques.",
        ),
        Step(
            "approved",
            by=Role.SUPERVISOR,
            at=Place.PIT,
            may_repeat=("issued", "patron_signed"),
            attests="The cheques cut are this marker. They go to the patron, the copy is dropped.",
            then="marker_paid_out",
        ),
    ),
    void=(
        Step(
            "voided",
            by=Role.SUPERVISOR,
            at=Place.PIT,
            may_repeat=("issued", "patron_signed"),
            needs_reason=True,
            attests="This marker is void. No cheque went out on it; every part says VOID.",
        ),
        Step(
            "void_witnessed",
            by=_WITNESSES,
            at=None,
            attests="I had no part in this marker and saw it voided.",
            then="marker_voided",
        ),
    ),
)

_PAYMENT_VOIDED = Step(
    "void_witnessed",
    by=_WITNESSES,
    at=None,
    attests="I had no part in this payment and saw that nothing was taken.",
    then="slip_voided",
)

MARKER_PAYMENT = Flow(
    kind="marker_payment",
    title="Marker payment",
    series="MP",
    steps=(
        Step(
            "payment_received",
            by=Role.DEALER,
            at=Place.PIT,
            attests="I counted this payment out in view and took it.",
        ),
        Step(
            "payment_verified",
            by=Role.SUPERVISOR,
            at=Place.PIT,
            attests="I verified the payment. Cheques are in the tray, cash and copy dropped.",
            then="marker_payment_taken",
        ),
    ),
    void=(
        Step(
            "voided",
            by=Role.SUPERVISOR,
            at=Place.PIT,
            needs_reason=True,
            attests="This payment is void. What the patron gave is theirs again.",
        ),
        _PAYMENT_VOIDED,
    ),
)

MARKER_PAYMENT_CAGE = Flow(
    kind="marker_payment_cage",
    title="Marker payment at the cage",
    series="MP",
    steps=(
        Step(
            "payment_received",
            by=Role.CASHIER,
            at=Place.CAGE,
            attests="I counted this payment out in view and took it.",
        ),
        Step(
            "payment_verified",
            by=Role.CASHIER,
            at=Place.CAGE,
            attests="I counted it too. A marker paid in full goes back to its patron.",
            then="marker_payment_taken",
        ),
    ),
    void=(
        Step(
            "voided",
            by=Role.CASHIER,
            at=Place.CAGE,
            may_repeat="payment_received",
            needs_reason=True,
            attests="This payment is void. What the patron gave is theirs again.",
        ),
        _PAYMENT_VOIDED,
    ),
)

_TRANSFER_VOIDED = Step(
    "void_witnessed",
    by=_WITNESSES,
    at=None,
    attests="I had no part in this transfer and saw that no marker left on it.",
    then="slip_voided",
)

MARKER_TRANSFER = Flow(
    kind="marker_transfer",
    title="Markers to the cage",
    series="MT",
    steps=(
        Step(
            "sent_to_cage",
            by=Role.SUPERVISOR,
            at=Place.PIT,
            attests="These originals leave the pit with this slip.",
        ),
        Step(
            "taken_by_cage",
            by=Role.CASHIER,
            at=Place.CAGE,
            attests="I have every marker that stands here, with its balance.",
            then="markers_to_cage",
        ),
    ),
    void=(
        Step(
            "voided",
            by=(Role.SUPERVISOR, Role.CASHIER),
            at=None,
            may_repeat="sent_to_cage",
            needs_reason=True,
            attests="This transfer is void. The markers stay in the pit.",
        ),
        _TRANSFER_VOIDED,
    ),
)

MARKER_RECALL = Flow(
    kind="marker_recall",
    title="Markers to the pit",
    series="MT",
    steps=(
        Step(
            "sent_to_pit",
            by=Role.CASHIER,
            at=Place.CAGE,
            attests="These originals leave the cage with this slip.",
        ),
        Step(
            "taken_by_pit",
            by=Role.SUPERVISOR,
            at=Place.PIT,
            attests="I have every marker that stands here, with its balance.",
            then="markers_to_pit",
        ),
    ),
    void=(
        Step(
            "voided",
            by=(Role.SUPERVISOR, Role.CASHIER),
            at=None,
            may_repeat="sent_to_pit",
            needs_reason=True,
            attests="This transfer is void. The markers stay in the cage.",
        ),
        _TRANSFER_VOIDED,
    ),
)

PAYMENT_KINDS: Final = frozenset({MARKER_PAYMENT.kind, MARKER_PAYMENT_CAGE.kind})
TRANSFER_KINDS: Final = frozenset({MARKER_TRANSFER.kind, MARKER_RECALL.kind})
