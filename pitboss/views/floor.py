"""Set up tables: keyed, looked at with the exact edge of each side bet, then signed by two."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST

from pitboss.access import page
from pitboss.api import http_status
from pitboss.middleware import PitRequest
from pitboss.models import Pit, Table
from pitboss.rules.flows.house_flows import TABLE_CHANGE
from pitboss.rules.games.games import spoken
from pitboss.rules.games.table_setup import (
    PAYTABLE_5,
    edges_as_keyed,
    is_stadium,
    keyed_setup,
    read_setup,
)
from pitboss.rules.games.tracked import TABLE_GAMES
from pitboss.rules.refusal import Refused, refuse
from pitboss.rules.roles import Role, may_act_as
from pitboss.rules.settings.kinds import Percent
from pitboss.services.pads import attested_first
from pitboss.services.shown import request_shown
from pitboss.services.signing import NewSlip
from pitboss.services.table_changes import (
    is_setup_coming,
    latest_setup,
    new_setup,
    propose_table,
    setup_now,
    table_refusals,
)
from pitboss.slips.addresses import row_id
from pitboss.views.forms import TEXT_MAX, pen_of, text
from pitboss.views.pads import pad_of
from pitboss.views.setup_fields import SET, bets_of, fields_of

# As many oddities of a pay table as fit under it; mending the first mostly mends the rest.
_ODD_MAX = 3
_PERCENT = Percent(0, 10_000)


@require_GET
@page("house")
def tables(request: PitRequest) -> HttpResponse:
    """List every table as it is set up, with what was approved for its next opening."""
    rows = []
    for table in Table.objects.select_related("pit"):
        now = setup_now(table, request.house)
        rows.append(
            {
                "table": table,
                "minimum_cents": now["minimum_cents"],
                "maximum_cents": now["maximum_cents"],
                "game": TABLE_GAMES[table.game].name,
                "url": reverse("table-edit", args=[table.name]),
                "is_coming": is_setup_coming(table),
            }
        )
    context = {
        "heading": "Tables",
        "back": {"url": reverse("house"), "label": "House"},
        "rows": rows,
        "may_propose": may_act_as(request.role, Role.PIT_MANAGER),
    }
    return render(request, "pitboss/house_tables.html", context)


@require_GET
@page("house")
def table_new(request: PitRequest) -> HttpResponse:
    """Key a new table; with ?look=, see its edges and sign."""
    return _form(request, None)


@require_GET
@page("house")
def table_edit(request: PitRequest, name: str) -> HttpResponse:
    """Key another setup of a table; with ?look=, see its edges and sign."""
    return _form(request, get_object_or_404(Table.objects.select_related("pit"), name=name))


def _form(request: PitRequest, table: Table | None) -> HttpResponse:
    keyed = _keyed(request.GET) or (_setup_keyed(table) if table else {})
    copied = _copied(request.GET.get("copy", ""))
    if copied:
        # Everything of the other table but its name, and its pit where this one has its own.
        keyed = {**copied, "pit": keyed.get("pit") or copied["pit"]}
    if table is not None:
        keyed["name"] = table.name
    if "paytable_5" in request.GET:
        return _render(request, table, keyed | PAYTABLE_5)
    if "look" not in request.GET:
        return _render(request, table, keyed)
    try:
        new = new_setup(read_setup(keyed), table)
        refusals = table_refusals(new.details)
        if refusals:
            raise Refused(refusals)
    except Refused as refused:
        return _render(request, table, keyed, refused=refused)
    return _render(request, table, keyed, new=new)


@require_GET
@page("house")
def table_edges(request: PitRequest) -> HttpResponse:
    """Say the exact edge of each side bet while its pay table is chosen or typed."""
    keyed = _keyed(request.GET)
    game = TABLE_GAMES.get(keyed.get("game", ""))
    edges = _edges(request, keyed)
    context = {
        "bets": bets_of(game, keyed, edges) if game else [],
        "stops": _stops(edges),
        "is_news": True,
    }
    return render(request, "pitboss/_edges.html", context)


def _edges(request: PitRequest, keyed: dict[str, str]) -> dict[str, dict[str, str]]:
    """Return how each side bet stands: its edge in words, and whether that is well."""
    band = (request.house["paytable.edge_least"], request.house["paytable.edge_most"])
    said = {}
    for wager, found in edges_as_keyed(keyed, request.house.options, band).items():
        if isinstance(found, Refused):
            said[wager] = {"state": "wrong", "words": str(found)}
        elif found.favours_the_player:
            words = f"{found.words}: it would pay players more than they stake. Lower its odds."
            said[wager] = {"state": "stop", "words": words}
        elif not found.is_in_band:
            least, most = (_PERCENT.words(each) for each in band)
            words = f"{found.words}, outside the band of the house, {least} to {most}"
            odd = "".join(f" {each.message}" for each in found.warnings[:_ODD_MAX])
            said[wager] = {"state": "warn", "words": f"{words}.{odd}" if odd else words}
        elif found.warnings:
            odd = " ".join(each.message for each in found.warnings[:_ODD_MAX])
            said[wager] = {"state": "warn", "words": f"{found.words}. {odd}"}
        else:
            said[wager] = {"state": "fine", "words": found.words}
    return said


def _stops(edges: dict[str, dict[str, str]]) -> str:
    """Return which side bets cannot be proposed as they are keyed."""
    return ", ".join(spoken(wager) for wager, edge in edges.items() if edge["state"] == "stop")


@require_POST
@page("house")
def table_propose(request: PitRequest) -> HttpResponse:
    """Propose a setup with the badge and PIN on the pad."""
    keyed = _keyed(request.POST)
    table, new = None, None
    try:
        number = text(request.POST, "table")
        if number:
            table = Table.objects.filter(pk=row_id(number) or 0).first()
            if table is None:
                raise refuse("unknown_table", "Table not found. Check the list.")
        new = new_setup(read_setup(keyed), table)
        slip = propose_table(
            new,
            reason=text(request.POST, "reason"),
            pen=pen_of(request),
            shown=text(request.POST, "shown"),
        )
    except Refused as refused:
        return _render(request, table, keyed, new=new, refused=refused)
    messages.success(request, f"{slip.serial} is pending. Another manager must approve it.")
    return redirect("slip", serial=slip.serial)


def _keyed(posted: QueryDict) -> dict[str, str]:
    return {
        name.removeprefix(SET): str(value)[:TEXT_MAX].replace("\x00", "")
        for name, value in posted.items()
        if name.startswith(SET)
    }


def _copied(name: str) -> dict[str, str]:
    """Return the setup of another table as it would be keyed, without its name."""
    other = Table.objects.select_related("pit").filter(name=name[:12]).first() if name else None
    if other is None:
        return {}
    return {key: value for key, value in _setup_keyed(other).items() if key != "name"}


def _setup_keyed(table: Table) -> dict[str, str]:
    """Return a table as it would be keyed: what was approved last, else as it stands."""
    stored: dict[str, Any] = latest_setup(table) or {
        "pit": table.pit.name,
        "game": table.game,
        "decks": table.decks,
        "minimum_cents": table.minimum_cents,
        "maximum_cents": table.maximum_cents,
        "cards": table.cards,
        "par": table.par,
        "side_bets": {},
    }
    return keyed_setup(stored)


def _render(
    request: PitRequest,
    table: Table | None,
    keyed: dict[str, str],
    *,
    new: NewSlip | None = None,
    refused: Refused | None = None,
) -> HttpResponse:
    pad = None
    if new is not None:
        fields = {f"{SET}{name}": value for name, value in keyed.items() if value}
        pad = pad_of(
            request,
            passkey="prove",
            url=reverse("table-propose"),
            attested=attested_first(TABLE_CHANGE),
            button="Propose",
            refused=refused,
            inputs=({"name": "reason", "label": "Reason"},),
            fields=fields | ({"table": str(table.pk)} if table else {}),
            shown=request_shown(new, None),
        )
    game = TABLE_GAMES.get(keyed.get("game", ""))
    edges = _edges(request, keyed) if new is None else {}
    context: dict[str, Any] = {
        "heading": f"Set up {table}" if table else "New table",
        "back": {"url": reverse("house-tables"), "label": "Tables"},
        "own_url": reverse("table-edit", args=[table.name]) if table else reverse("table-new"),
        "table": table,
        "game": game,
        "games": [{"value": each.id, "label": each.name} for each in TABLE_GAMES.values()],
        "others": list(
            Table.objects.exclude(pk=table.pk if table else 0).values_list("name", flat=True)
        ),
        "fields": fields_of(game, keyed) if game else [],
        "par": [
            {"name": f"{SET}par_{cents}", "cents": cents, "value": keyed.get(f"par_{cents}", "")}
            for cents in request.house.cheques.in_play_at(table.name if table else "")
        ],
        "bets": bets_of(game, keyed, edges) if game else [],
        "has_paytable_5": game is not None and is_stadium(game),
        "stops": _stops(edges),
        "keyed": keyed,
        "pits": list(Pit.objects.values_list("name", flat=True)),
        "says": new.details["says"] if new else None,
        "pad": pad,
        "refusals": refused.refusals if refused else (),
    }
    return render(
        request,
        "pitboss/table_setup.html",
        context,
        status=http_status(refused) if refused else 200,
    )
