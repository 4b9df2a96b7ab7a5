"""Which page of the manual is whose, and which part of it a page of the site opens."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from pitboss.rules.roles import Role

# In the order of the manual's first page.
JOBS: Final = (
    "supervisor",
    "dealer",
    "shift_manager",
    "cashier",
    "security",
    "surveillance",
    "count_room",
    "compliance",
    "auditor",
    "host",
    "administrator",
    "vendor",
)
_JOB_OF: Final[Mapping[Role, str]] = {
    Role.PIT_MANAGER: "shift_manager",
    Role.CAGE_MANAGER: "cashier",
    Role.SECURITY_MANAGER: "security",
    Role.SURVEILLANCE_MANAGER: "surveillance",
    Role.COUNT_TEAM: "count_room",
    Role.ACCOUNTING: "auditor",
    Role.CONTROLLER: "auditor",
    Role.COLLECTOR: "cashier",
    Role.HOST_MANAGER: "host",
}
# By the page's name in pitboss.access: a part of the reader's own job, where it has one.
PARTS: Final[Mapping[str, Mapping[str, str]]] = {
    "supervisor": {
        "board": "start-of-your-shift",
        "floor_note": "answer-a-call-or-an-approval",
        "jackpots": "jackpots-and-big-wins",
        "markers": "marker",
        "mismatch": "answer-a-call-or-an-approval",
        "patrons": "marker",
        "rating": "rate-players",
        "seat": "rate-players",
        "sign_changed": "change-limits-of-an-open-table",
        "tax_form": "jackpots-and-big-wins",
        "winner": "jackpots-and-big-wins",
    },
    "dealer": {"drills": "practice", "own_payouts": "check-a-payout"},
    "shift_manager": {
        "days": "shift-manager",
        "house": "tables-and-pay-tables",
        "inbox": "inbox",
        "replay": "replay",
        "shift": "shift",
        "yield": "yield",
    },
    "cashier": {
        "cage": "fills",
        "cage_cash": "cash",
        "collection": "collection",
        "credit_desk": "checks-and-the-bank",
        "cash_log": "cash",
        "markers": "markers-and-payments",
        "patrons": "markers-and-payments",
    },
    "security": {
        "cards": "cards",
        "drop_boxes": "drop-run",
        "drop_runs": "drop-run",
        "exclusion_case": "exclusion-cases",
        "security": "carry-a-fill-or-a-credit",
    },
    "surveillance": {
        "drop_runs": "watch-a-drop-run",
        "jackpots": "confirm-a-jackpot-or-a-big-win",
        "replay": "reports",
        "surveillance": "confirm-a-jackpot-or-a-big-win",
        "rating_audit": "watch-drawn-ratings",
        "variances": "reports",
    },
    "count_room": {"count_room": "a-count-session"},
    "compliance": {
        "compliance": "currency-reports",
        "currency_report": "currency-reports",
        "exclusion_case": "exclusion-lists",
        "exclusion_lists": "exclusion-lists",
        "reports": "reports",
    },
    "auditor": {
        "audit": "prove-the-record",
        "count_room": "day-end",
        "people": "who-may-do-what",
        "reports": "reports",
        "serials": "find-and-export",
    },
    "host": {"hosts": "your-patrons", "rating": "your-patrons"},
    "administrator": {
        "devices": "devices",
        "house": "a-new-house",
        "people": "people",
        "systems": "systems",
        "webhook_change": "webhooks",
        "webhooks": "webhooks",
    },
}


def job_of(role: Role) -> str:
    """Return the page of the manual that a role reads first.

    >>> job_of(Role.DEALER), job_of(Role.PIT_MANAGER)
    ('dealer', 'shift_manager')
    """
    return _JOB_OF.get(role, role.value)


def part_for(role: Role, page: str) -> tuple[str, str]:
    """Return the manual's page for a role, and the part of it that a page of the site is about.

    >>> part_for(Role.CASHIER, "cage"), part_for(Role.CASHIER, "own")
    (('cashier', 'fills'), ('cashier', ''))
    """
    job = job_of(role)
    return job, PARTS.get(job, {}).get(page, "")
