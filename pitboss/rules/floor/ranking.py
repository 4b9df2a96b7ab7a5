"""Which rank each thing that waits has: an exception by its code, a slip by its kind."""

from __future__ import annotations

from typing import Final

from pitboss.rules.cheques.tray_counts import VARIANCE_STEPS
from pitboss.rules.floor.urgency import Urgency
from pitboss.rules.flows.book import FLOWS

_OF_EXCEPTIONS: Final = {
    "supervisor_called": Urgency.CALL,
    "payout_differs": Urgency.PAYOUT,
    "paid_twice": Urgency.PAYOUT,
    "paid_without_approval": Urgency.PAYOUT,
    "floor_request": Urgency.APPROVAL,
    "part_offered": Urgency.APPROVAL,
    "sign_to_change": Urgency.APPROVAL,
    "tax_papers": Urgency.FORM,
    "currency_report": Urgency.FORM,
    "access_change": Urgency.FORM,
    "access_review_late": Urgency.FORM,
    "account_dormant": Urgency.FORM,
    "hold_outside": Urgency.FORM,
    "incident_unwritten": Urgency.FORM,
    "key_inventory_due": Urgency.FORM,
    "staff_differs": Urgency.FORM,
}


def urgency_of(*, code: str = "", kind: str = "", step: str = "") -> Urgency:
    """Return the rank of an exception by its code, or of a slip by its kind and the step it is at.

    >>> urgency_of(code="supervisor_called").name, urgency_of(kind="fill", step="issued").name
    ('CALL', 'SLIP')
    >>> urgency_of(code="count_differs").name, urgency_of(kind="closer", step="accepted").name
    ('TROUBLE', 'TROUBLE')
    """
    if code:
        return _OF_EXCEPTIONS.get(code, Urgency.TROUBLE)
    if step in VARIANCE_STEPS:
        return Urgency.TROUBLE
    return FLOWS[kind].urgency if kind in FLOWS else Urgency.SLIP
