"""Which roles may open which pages, and which slips. What may be signed is decided by `sign`."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec

from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponse

from pitboss.middleware import PitRequest
from pitboss.models import Slip
from pitboss.rules.flows.reading import may_open_slip
from pitboss.rules.roles import AT_THE_CAGE as _CAGE
from pitboss.rules.roles import GUARDING as _SECURITY
from pitboss.rules.roles import HOSTING as _HOSTING
from pitboss.rules.roles import KEEPING_BOOKS as _READING
from pitboss.rules.roles import SUPERVISING as _SUPERVISING
from pitboss.rules.roles import WATCHING as _SURVEILLANCE
from pitboss.rules.roles import Place, Role
from pitboss.selectors.reading import asked_of
from pitboss.slips.kind import Kind, is_hidden, kind_named, kinds

# Pages of which no one else is told that they are there: to them the address is not found.
HIDDEN = frozenset({"sar"})
P = ParamSpec("P")
View = Callable[Concatenate[PitRequest, P], HttpResponse]

_EVERYONE = frozenset(Role)
_MANAGING = frozenset(
    {Role.PIT_MANAGER, Role.SHIFT_MANAGER, Role.CAGE_MANAGER, Role.SECURITY_MANAGER}
)

PAGES: dict[str, frozenset[Role]] = {
    "board": _SUPERVISING | _SURVEILLANCE | _READING | _SECURITY,
    "table": _SUPERVISING | _SURVEILLANCE | _READING | _SECURITY,
    "patrons": _SUPERVISING | _CAGE | _READING | {Role.COMPLIANCE, Role.COLLECTOR},
    "patron_file": _SUPERVISING | _CAGE | {Role.COMPLIANCE},
    "patron_secrets": _SUPERVISING | _CAGE | {Role.COMPLIANCE},
    "markers": _SUPERVISING | _CAGE | _READING,
    "credit_desk": _CAGE | _READING | {Role.SHIFT_MANAGER, Role.COLLECTOR},
    "collection": frozenset({Role.COLLECTOR}),
    "dealer": _SUPERVISING,
    # A host opens the cards of their own patrons alone.
    "rating": _SUPERVISING | _SURVEILLANCE | _READING | _HOSTING,
    "rating_audit": _SURVEILLANCE,
    "hosts": _HOSTING,
    "yield": _READING | {Role.PIT_MANAGER, Role.SHIFT_MANAGER},
    "seat": _SUPERVISING,
    "shoe": _SUPERVISING,
    "sign_changed": _SUPERVISING,
    "part_shipment": _SUPERVISING | _CAGE,
    "prove": _SUPERVISING | _SURVEILLANCE | _READING,
    "pace": _SUPERVISING,
    "round": _SUPERVISING,
    "dealers": _SUPERVISING | _SURVEILLANCE | _READING,
    "drop": _SUPERVISING | _SECURITY,
    "drop_runs": _SUPERVISING | _SECURITY | _SURVEILLANCE | _READING | {Role.COUNT_TEAM},
    "hold": _READING | {Role.PIT_MANAGER, Role.SHIFT_MANAGER, Role.COMPLIANCE},
    "incident": _SUPERVISING | _SECURITY | _SURVEILLANCE,
    "incidents": _SUPERVISING | _SECURITY | _SURVEILLANCE | _READING | {Role.COMPLIANCE},
    "keys": _SUPERVISING
    | _SECURITY
    | _SURVEILLANCE
    | _READING
    | _CAGE
    | {Role.COUNT_TEAM, Role.COMPLIANCE},
    "drop_boxes": _SECURITY | {Role.SHIFT_MANAGER},
    "outages": _SUPERVISING | _CAGE | _SURVEILLANCE | _READING,
    # A form of a marker names its patron.
    "outage_form": _SUPERVISING | _CAGE | _READING,
    "form_packs": frozenset({Role.ACCOUNTING}),
    "count_room": frozenset({Role.COUNT_TEAM, Role.SHIFT_MANAGER}) | _READING,
    "count_machines": frozenset({Role.COUNT_TEAM, Role.ACCOUNTING}),
    "estimate": _SUPERVISING,
    "floor_note": _SUPERVISING,
    "reference": _SUPERVISING | _SURVEILLANCE | _READING | {Role.DEALER},
    "floor_log": _SUPERVISING | _SURVEILLANCE | _READING,
    "mismatch": _SUPERVISING | _SURVEILLANCE | _READING,
    "payouts": _SUPERVISING | _SURVEILLANCE | _READING,
    "own_payouts": frozenset({Role.DEALER}),
    "drills": _SUPERVISING | {Role.DEALER},
    "what_if": _SUPERVISING | _SURVEILLANCE | _READING,
    "win": _SUPERVISING | _READING,
    "shift": _SUPERVISING | _READING,
    "replay": _SUPERVISING | _SURVEILLANCE | _READING,
    "variances": _READING
    | _SURVEILLANCE
    | {Role.SHIFT_MANAGER, Role.SECURITY_MANAGER, Role.COMPLIANCE},
    "serials": _READING | {Role.SHIFT_MANAGER},
    "days": _READING | {Role.SHIFT_MANAGER},
    "cage": _CAGE | _READING | {Role.SHIFT_MANAGER},
    "security": _SECURITY | _READING | {Role.SHIFT_MANAGER},
    "cards": _SUPERVISING | _SECURITY | _SURVEILLANCE | _READING,
    "jackpots": _SUPERVISING | _SURVEILLANCE | _READING | _CAGE | {Role.COMPLIANCE},
    "tax_form": _SUPERVISING | _CAGE | _READING | {Role.COMPLIANCE},
    "tax_register": _READING | {Role.COMPLIANCE, Role.CAGE_MANAGER, Role.SHIFT_MANAGER},
    "tax_lines": _READING | {Role.COMPLIANCE, Role.CAGE_MANAGER, Role.SHIFT_MANAGER},
    "tax_numbers": frozenset({Role.ACCOUNTING, Role.COMPLIANCE}),
    "surveillance": _SURVEILLANCE | _READING | {Role.SHIFT_MANAGER},
    "meters": _SUPERVISING | _SURVEILLANCE | _READING | _CAGE,
    "meter_read": _SUPERVISING | {Role.ACCOUNTING},
    "cash": _SUPERVISING,
    "cage_cash": _CAGE,
    "cash_refused": _SUPERVISING | _CAGE,
    "cash_match": _SUPERVISING | _CAGE | {Role.COMPLIANCE},
    "cash_log": _SUPERVISING | _CAGE | _READING | {Role.COMPLIANCE},
    "currency_report": _READING | {Role.COMPLIANCE},
    "ctr_form": _CAGE | {Role.COMPLIANCE},
    "ctr_batches": frozenset({Role.COMPLIANCE}),
    "compliance": frozenset({Role.COMPLIANCE}),
    "sar": frozenset({Role.COMPLIANCE}),
    "instruments": _READING | {Role.COMPLIANCE, Role.CAGE_MANAGER, Role.SHIFT_MANAGER},
    "exclusion_lists": frozenset({Role.COMPLIANCE}),
    # Who is on which list is told to no one else.
    "exclusion_case": _SECURITY | {Role.SHIFT_MANAGER, Role.COMPLIANCE},
    "winner": _SUPERVISING | _CAGE,
    "withheld": _CAGE | _READING | {Role.SHIFT_MANAGER, Role.COMPLIANCE},
    "note_new": _SUPERVISING | _CAGE,
    "inbox": _EVERYONE - {Role.ADMINISTRATOR},
    "slip": _EVERYONE - {Role.ADMINISTRATOR},
    "exception": _EVERYONE - {Role.ADMINISTRATOR, Role.DEALER},
    "people": _MANAGING
    | {Role.HOST_MANAGER}
    | {Role.SURVEILLANCE_MANAGER, Role.ACCOUNTING, Role.COMPLIANCE, Role.ADMINISTRATOR},
    "access_reviews": _MANAGING
    | _READING
    | {Role.HOST_MANAGER, Role.SURVEILLANCE_MANAGER, Role.COMPLIANCE},
    "devices": _MANAGING | {Role.SURVEILLANCE_MANAGER, Role.ADMINISTRATOR},
    "device_unlock": _SECURITY | {Role.SHIFT_MANAGER},
    "house": _MANAGING
    | _READING
    | {Role.SURVEILLANCE_MANAGER, Role.COMPLIANCE, Role.ADMINISTRATOR},
    "webhooks": _READING | {Role.SHIFT_MANAGER, Role.ADMINISTRATOR},
    "systems": _READING
    | {Role.SHIFT_MANAGER, Role.HOST_MANAGER, Role.COMPLIANCE, Role.ADMINISTRATOR},
    "webhook_change": frozenset({Role.SHIFT_MANAGER, Role.ADMINISTRATOR}),
    "audit": _READING,
    "reports": _SUPERVISING
    | _READING
    | _SURVEILLANCE
    | _SECURITY
    | _CAGE
    | {Role.COMPLIANCE, Role.COLLECTOR},
    # Pages of the desk of reports that no other page shows.
    "report_statistics": _READING | {Role.PIT_MANAGER, Role.SHIFT_MANAGER},
    "report_players": _READING | _SURVEILLANCE | {Role.PIT_MANAGER, Role.SHIFT_MANAGER},
    "report_comps": _READING | {Role.PIT_MANAGER, Role.SHIFT_MANAGER, Role.COMPLIANCE},
    # Who counts cards, and how well someone plays, is told to no one else.
    "report_counts": _SURVEILLANCE,
    # What a patron is handed of their own play.
    "report_statement": _READING | {Role.SHIFT_MANAGER, Role.COMPLIANCE, Role.CAGE_MANAGER},
    "report_minutes": _READING | _MANAGING,
    "report_changes": _READING | {Role.SHIFT_MANAGER, Role.SURVEILLANCE_MANAGER, Role.COMPLIANCE},
    "report_corrections": _READING
    | _MANAGING
    | {Role.CAGE_MANAGER, Role.SURVEILLANCE_MANAGER, Role.COMPLIANCE},
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
            if name in HIDDEN and request.role not in allowed:
                raise Http404("Page not found.")
            _demand_role(request, allowed)
            if "serial" in kwargs:
                _demand_reading(request, str(kwargs["serial"]))
            return view(request, *args, **kwargs)

        checked.page = name  # type: ignore[attr-defined]
        return checked

    return decorate


def kind_page(view: Callable[[PitRequest, Kind], HttpResponse]) -> Callable[..., HttpResponse]:
    """Open the view that raises slips to those to whom the kind in its address is open."""

    @login_required
    @wraps(view)
    def checked(request: Any, kind: str) -> HttpResponse:
        found = kind_named(kind)
        if found is None:
            raise Http404("Type of slip not found.")
        _demand_role(request, found.open_to)
        if "of" in request.GET:
            _demand_reading(request, request.GET["of"])
        request.kind = found
        return view(request, found)

    checked.raises_kinds = True  # type: ignore[attr-defined]
    return checked


def _demand_role(request: PitRequest, allowed: frozenset[Role]) -> None:
    if request.role not in allowed:
        raise PermissionDenied("You don’t have access to this page.")


def on_a_device(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Open a view on enrolled devices alone, before anything that was sent is looked at."""

    @wraps(view)
    def checked(request: Any, *args: Any, **kwargs: Any) -> HttpResponse:
        if request.device is None:
            raise PermissionDenied("This device isn’t enrolled. Use one that is.")
        return view(request, *args, **kwargs)

    return checked


def _demand_reading(request: PitRequest, serial: str) -> None:
    """Refuse a slip of a kind that this role does not read and is not asked to sign here.

    Every route that names a slip passes here, by the name of its argument.
    """
    slip = Slip.objects.only("kind", "serial").filter(serial=serial).first()
    if slip is not None and not opens_slip(request, slip):
        raise PermissionDenied(
            f"You can’t open {serial} as {request.role.label}. Ask the supervisor or "
            "the desk that keeps it."
        )


def opens_slip(request: PitRequest, slip: Slip) -> bool:
    """Tell whether whoever is signed in may open a slip on this device, as it stands now."""
    place = Place(request.device.place) if request.device else None
    pit_id = request.device.pit_id if request.device else None
    opens = may_open_slip(slip.kind, request.role, place, None) or may_open_slip(
        slip.kind, request.role, place, asked_of(slip, pit_id)
    )
    return opens and not is_hidden(slip, request.role)


def may_open(role: Role, name: str) -> bool:
    """Tell whether a role may open a page, or raise a kind, for links that would lead there."""
    kind = kind_named(name)
    return role in (kind.open_to if kind is not None else PAGES[name])


def pages() -> dict[str, frozenset[Role]]:
    """Return every page and every kind that can be raised, with the roles that it is open to."""
    return PAGES | {kind.kind: kind.open_to for kind in kinds()}
