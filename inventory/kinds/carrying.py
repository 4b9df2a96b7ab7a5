"""What fills and credits share: the ways out, the readers, and the screen that shows the tray."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.http import QueryDict
from django.utils.http import urlencode

from inventory.selectors.cheques import asked_already, tray_holding
from pitboss.middleware import PitRequest
from pitboss.models import Slip, Table
from pitboss.rules.cheques.cheques import (
    BY_CENTS,
    BY_THE_UNIT_FROM_CENTS,
    STACK_CHEQUES,
    combined,
    format_money,
    needs_top_sign,
    ordered,
    total_cents,
)
from pitboss.rules.cheques.keys import worth_of
from pitboss.rules.floor.fields import Cheques as ChequesField
from pitboss.rules.flows.flows import TAKEN_OVER, Need, Promise, Readers, Step
from pitboss.rules.refusal import Refused, refuse
from pitboss.rules.roles import (
    AT_THE_CAGE,
    GUARDING,
    KEEPING_BOOKS,
    SUPERVISING,
    WATCHING,
    Place,
    Role,
)
from pitboss.services.drafts import NewSlip
from pitboss.slips.addresses import own_url
from pitboss.slips.kind import Look, Raising
from pitboss.views.forms import new_request_id

Cheques = Mapping[int, int]

# None at all is refused by the kind, in words that fit it.
CHEQUES: Final = ChequesField(name="cheques", label="Cheques", is_needed=False)
CARRIED_READERS: Final = Readers(
    SUPERVISING | AT_THE_CAGE | GUARDING | WATCHING | KEEPING_BOOKS, frozenset({Place.CAGE})
)
# Between cage and table: pit, cage and security, always.
CARRIED_PROMISES: Final = (Promise(4, 3), Promise(5, 3, having="top_signed"))
CARRIER_RELIEVED: Final = (
    Step(
        "relieved",
        done="Officer relieved",
        do="Relieve the officer",
        by=Role.SHIFT_MANAGER,
        at=None,
        attests="I certify that the officer carrying these cheques cannot continue and must be "
        "relieved.",
        needs_reason=True,
    ),
    Step(
        TAKEN_OVER,
        done="Taken over",
        do="Take over",
        by=Role.SECURITY,
        at=None,
        attests="I certify that I counted these cheques and accept custody of them from this "
        "point.",
        counts=True,
        why=Need("The officer was relieved. Another officer must count and carry these cheques."),
    ),
)


def of_the_original(code: str, otherwise: str) -> Callable[[Raising], NewSlip]:
    """Return how a return is drafted: with all the cheques of what it returns."""

    def drafted(raising: Raising) -> NewSlip:
        original = raising.original
        assert original is not None, "a return refers to what it returns"
        if original.kind not in raising.kind.refers_to or original.table_id is None:
            raise refuse(code, f"{original.serial} {otherwise}")
        cheques = original.cheques_by_cents
        return NewSlip(raising.kind.kind, original.table_id, cheques, original.pk)

    return drafted


def keyed_cheques(fields: QueryDict) -> dict[int, int]:
    """Return what can be shown of a refused form, or of an address that proposes cheques."""
    keyed = {}
    for cents in BY_CENTS:
        value = fields.get(f"cheques_{cents}", "").strip()
        if value.isascii() and value.isdigit() and len(value) < 7:
            keyed[cents] = int(value)
    return keyed


@dataclass(frozen=True, slots=True)
class TrayScreen:
    """How the screen speaks that chooses cheques before a tray."""

    # 1 when cheques come into the tray, -1 when they leave it.
    sign: int
    verb: str
    # With {} where the amount goes.
    button: str
    starts: tuple[tuple[str, str], ...]
    # What is suggested for a tray that holds this and should hold that.
    suggested: Callable[[Cheques, Cheques], dict[int, int]]


def tray_look(asking: TrayScreen) -> Callable[[PitRequest, Raising, Refused | None], Look]:
    """Return the page on which cheques are chosen, color by color, before the tray."""

    def look(request: PitRequest, raising: Raising, refused: Refused | None) -> Look:
        asked = keyed_cheques(request.POST) if refused else _start(request, asking, raising)
        return "inventory/fill_new.html", {"ask": _ask(request, asking, raising, asked)}

    return look


def suggestion(asking: TrayScreen) -> Callable[[PitRequest, Raising], dict[int, int]]:
    """Return what suggests cheques for a tray, with nothing chosen before."""

    def suggested(request: PitRequest, raising: Raising) -> dict[int, int]:
        return _start(request, asking, raising)

    return suggested


def _at(raising: Raising) -> Table:
    assert raising.table is not None, "cheques are asked for at a table"
    return raising.table


def _start(request: PitRequest, asking: TrayScreen, raising: Raising) -> dict[int, int]:
    table, kind = _at(raising), raising.kind.kind
    start = request.GET.get("start", "par")
    if proposed := keyed_cheques(request.GET):
        return proposed
    if raising.original is not None:
        return raising.original.cheques_by_cents
    if start == "last":
        last = Slip.objects.filter(table=table, kind=kind).order_by("-id").first()
        return last.cheques_by_cents if last else {}
    if start == "empty":
        return {}
    # What was asked for already is as good as in the tray, or out of it: no one asks twice.
    coming = [
        {cents: asking.sign * count for cents, count in slip.cheques_by_cents.items()}
        for slip in asked_already(table, kind)
    ]
    par = {
        cents: count
        for cents, count in table.par_cheques.items()
        if cents in request.house.cheques.in_play_at(table.name)
    }
    return asking.suggested(combined(tray_holding(table), *coming), par)


def _ask(
    request: PitRequest, asking: TrayScreen, raising: Raising, fields: Mapping[int, int]
) -> dict[str, Any]:
    """Return the tray's colors, to choose from."""
    table, original = _at(raising), raising.original
    held = tray_holding(table)
    proposed: dict[str, str | int] = {
        f"cheques_{cents}": count for cents, count in keyed_cheques(request.GET).items()
    }
    start = "" if original or proposed else request.GET.get("start", "par")
    has_all = "all" in (request.GET.get("colours"), request.POST.get("colours"))
    cheques = request.house.cheques
    # What is out of play leaves a tray, and never comes to one.
    offered = (cheques.in_play_at if asking.sign > 0 else cheques.begun_at)(table.name)
    colours = set(offered) if has_all else table.par_cheques.keys() | fields.keys() | held.keys()
    # What the address names already, which more colors do not change.
    named: dict[str, Any] = {"start": start} if start else proposed
    of = original.serial if original else ""
    top_sign_from = request.house["approval.top_sign_from"]
    return {
        "url": own_url(raising),
        "request_id": new_request_id(),
        # By what the page began with: what was keyed for one purpose is not shown for another.
        "keep": f"{raising.kind.kind}-{table.name}-{urlencode({**proposed, 'of': of})}",
        "fields": {"colours": "all"} if has_all else {},
        "more": None
        if has_all
        else {"url": own_url(raising, **named, colours="all"), "label": "Other denominations…"},
        "sign": asking.sign,
        "verb": asking.verb,
        "button": asking.button,
        "starts": [
            {"label": label, "url": own_url(raising, start=key), "is_current": start == key}
            for key, label in asking.starts
        ]
        if original is None
        else [],
        "rows": [
            {
                "cents": cents,
                "held": held.get(cents, 0),
                "par": table.par_cheques.get(cents, 0),
                "asked": fields.get(cents, 0),
                "step": 1 if worth_of(cents) >= BY_THE_UNIT_FROM_CENTS else STACK_CHEQUES,
                "most": None,
            }
            for cents in ordered(colours)
        ],
        "total_cents": total_cents(fields),
        "tray_cents": total_cents(held),
        "button_text": asking.button.format(format_money(total_cents(fields))),
        "facts": [
            {
                "name": "Top-sign",
                "value": "pit manager"
                if needs_top_sign(fields, top_sign_from)
                else f"from {format_money(top_sign_from)} cheques up",
            }
        ],
        "note": _note(asking, raising, held, fields),
    }


def _note(
    asking: TrayScreen, raising: Raising, held: Mapping[int, int], fields: Mapping[int, int]
) -> str | None:
    if raising.original is not None:
        return f"Replaces {raising.original.serial}, which went back."
    already = asked_already(_at(raising), raising.kind.kind)
    if already:
        slips = ", ".join(f"{slip.serial}, {format_money(slip.total_cents)}" for slip in already)
        return f"Already requested: {slips}. The suggested fill accounts for it."
    beyond = [
        BY_CENTS[cents].name for cents in ordered(fields) if fields[cents] > held.get(cents, 0)
    ]
    if asking.sign < 0 and beyond:
        # The tray wins between counts, so this is no reason to refuse.
        return f"More than the tray should have: {', '.join(beyond)}. The dealer must prove it."
    return None
