"""Which roles may open which pages. Coarse: what may be signed is decided by `sign`."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec

from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpResponse

from pitboss.middleware import PitRequest
from pitboss.rules.roles import Role

P = ParamSpec("P")
View = Callable[Concatenate[PitRequest, P], HttpResponse]

_SUPERVISING = frozenset({Role.SUPERVISOR, Role.PIT_MANAGER, Role.SHIFT_MANAGER})
_CAGE = frozenset({Role.CASHIER, Role.CAGE_MANAGER})
_SECURITY = frozenset({Role.SECURITY, Role.SECURITY_MANAGER})
_SURVEILLANCE = frozenset({Role.SURVEILLANCE, Role.SURVEILLANCE_MANAGER})
_READING = frozenset({Role.AUDITOR, Role.ACCOUNTING})
_EVERYONE = frozenset(Role)
_MANAGING = frozenset(
    {Role.PIT_MANAGER, Role.SHIFT_MANAGER, Role.CAGE_MANAGER, Role.SECURITY_MANAGER}
)

PAGES: dict[str, frozenset[Role]] = {
    "board": _SUPERVISING | _SURVEILLANCE | _READING | _SECURITY,
    "table": _SUPERVISING | _SURVEILLANCE | _READING | _SECURITY,
    "fill": _SUPERVISING,
    "credit": _SUPERVISING,
    "credit_return": _CAGE,
    "patrons": _SUPERVISING | _CAGE | _READING | {Role.COMPLIANCE},
    "patron_file": _SUPERVISING | _CAGE | {Role.COMPLIANCE},
    "patron_secrets": _SUPERVISING | _CAGE | {Role.COMPLIANCE},
    "credit_line": _CAGE | {Role.ACCOUNTING},
    "credit_stop": _SUPERVISING | _CAGE | {Role.SECURITY_MANAGER, Role.COMPLIANCE},
    "marker": _SUPERVISING,
    "marker_payment": _SUPERVISING,
    "marker_payment_cage": _CAGE,
    "markers": _SUPERVISING | _CAGE | _READING,
    "marker_transfer": _SUPERVISING,
    "marker_recall": _CAGE,
    "cage_count": _CAGE,
    "count": _SUPERVISING,
    "dealer": _SUPERVISING,
    "shoe": _SUPERVISING,
    "prove": _SUPERVISING | _SURVEILLANCE | _READING,
    "pace": _SUPERVISING,
    "dealers": _SUPERVISING | _SURVEILLANCE | _READING,
    "drop": _SUPERVISING | _SECURITY,
    "count_room": frozenset({Role.COUNT_TEAM, Role.SHIFT_MANAGER}) | _READING,
    "drop_count": frozenset({Role.COUNT_TEAM}),
    "estimate": _SUPERVISING,
    "late": _SUPERVISING,
    "floor_note": _SUPERVISING,
    "reference": _SUPERVISING | _SURVEILLANCE | _READING | {Role.DEALER},
    "floor_log": _SUPERVISING | _SURVEILLANCE | _READING,
    "mismatch": _SUPERVISING | _SURVEILLANCE | _READING,
    "payouts": _SUPERVISING | _SURVEILLANCE | _READING,
    "own_payouts": frozenset({Role.DEALER}),
    "what_if": _SUPERVISING | _SURVEILLANCE | _READING,
    "win": _SUPERVISING | _READING,
    "variances": _READING
    | _SURVEILLANCE
    | {Role.SHIFT_MANAGER, Role.SECURITY_MANAGER, Role.COMPLIANCE},
    "serials": _READING | {Role.SHIFT_MANAGER},
    "days": _READING | {Role.SHIFT_MANAGER},
    "day_close": frozenset({Role.SHIFT_MANAGER}),
    "cage": _CAGE | _READING | {Role.SHIFT_MANAGER},
    "security": _SECURITY | _READING | {Role.SHIFT_MANAGER},
    "cards": _SUPERVISING | _SECURITY | _SURVEILLANCE | _READING,
    "card_desk": _SUPERVISING,
    "card_room": _SECURITY,
    "card_table": _SUPERVISING,
    "card_hold": _SUPERVISING | _SURVEILLANCE,
    "card_release": _SURVEILLANCE,
    "card_waiver": frozenset({Role.SHIFT_MANAGER}),
    "jackpots": _SUPERVISING | _SURVEILLANCE | _READING | _CAGE | {Role.COMPLIANCE},
    "jackpot": _SUPERVISING,
    "jackpot_review": _SURVEILLANCE | {Role.SHIFT_MANAGER},
    "tax_papers": _SUPERVISING | _CAGE,
    "tax_form": _SUPERVISING | _CAGE | _READING | {Role.COMPLIANCE},
    "tax_register": _READING | {Role.COMPLIANCE, Role.CAGE_MANAGER, Role.SHIFT_MANAGER},
    "tax_numbers": frozenset({Role.ACCOUNTING, Role.COMPLIANCE}),
    "tax_correct": frozenset({Role.ACCOUNTING, Role.COMPLIANCE, Role.CAGE_MANAGER}),
    "surveillance": _SURVEILLANCE | _READING | {Role.SHIFT_MANAGER},
    "meters": _SUPERVISING | _SURVEILLANCE | _READING | _CAGE,
    "meter_read": _SUPERVISING | {Role.ACCOUNTING},
    "meter_amount": frozenset({Role.PIT_MANAGER, Role.SHIFT_MANAGER, Role.ACCOUNTING}),
    "meter_terms": frozenset({Role.PIT_MANAGER, Role.SHIFT_MANAGER}),
    "cash": _SUPERVISING,
    "cage_cash": _CAGE,
    "cash_correct": _SUPERVISING | _CAGE,
    "cash_match": _SUPERVISING | _CAGE | {Role.COMPLIANCE},
    "cash_log": _SUPERVISING | _CAGE | _READING | {Role.COMPLIANCE},
    "currency_report": _READING | {Role.COMPLIANCE},
    "compliance": frozenset({Role.COMPLIANCE}),
    "note_new": _SUPERVISING | _CAGE,
    "inbox": _EVERYONE - {Role.ADMINISTRATOR},
    "slip": _EVERYONE - {Role.ADMINISTRATOR},
    "exception": _EVERYONE - {Role.ADMINISTRATOR, Role.DEALER},
    "people": _MANAGING | {Role.ADMINISTRATOR},
    "devices": _MANAGING | {Role.ADMINISTRATOR},
    "house": _MANAGING
    | _READING
    | {Role.SURVEILLANCE_MANAGER, Role.COMPLIANCE, Role.ADMINISTRATOR},
    "audit": _READING,
    "reports": _SUPERVISING | _READING | _SURVEILLANCE | _SECURITY | _CAGE | {Role.COMPLIANCE},
    # Pages of the desk of reports that no other page shows.
    "report_statistics": _READING | {Role.PIT_MANAGER, Role.SHIFT_MANAGER},
    "report_minutes": _READING | _MANAGING,
    "report_changes": _READING | {Role.SHIFT_MANAGER, Role.SURVEILLANCE_MANAGER, Role.COMPLIANCE},
    # Not for administrators: who keeps the system does not review its log.
    "report_access": _READING
    | {Role.SHIFT_MANAGER, Role.SECURITY_MANAGER, Role.SURVEILLANCE_MANAGER},
    "report_devices": _READING | _SURVEILLANCE | {Role.SHIFT_MANAGER, Role.SECURITY_MANAGER},
    "own": _EVERYONE,
}


def page(name: str) -> Callable[[View[P]], Callable[..., HttpResponse]]:
    """Open a view to signed-in people whose role may see this page; an unknown name crashes."""
    allowed = PAGES[name]

    def decorate(view: View[P]) -> Callable[..., HttpResponse]:
        @login_required
        @wraps(view)
        def checked(request: Any, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
            if request.role not in allowed:
                raise PermissionDenied(f"A {request.role.label} does not work with this page.")
            return view(request, *args, **kwargs)

        checked.page = name  # type: ignore[attr-defined]
        return checked

    return decorate


def may_open(role: Role, name: str) -> bool:
    """Tell whether a role may open a page, for links that would lead there."""
    return role in PAGES[name]
