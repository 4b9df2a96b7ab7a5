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
from pitboss.rules.cheques import BY_CENTS
from pitboss.rules.games import spoken
from pitboss.rules.games_printed import GAMES
from pitboss.rules.house_flows import TABLE_CHANGE
from pitboss.rules.paytables import ROWS
from pitboss.rules.refusal import Refused, refuse
from pitboss.rules.roles import Role, may_act_as
from pitboss.rules.setting_kinds import Amount, Percent
from pitboss.rules.table_setup import (
    AUTO_STANDS,
    HOUSE_TABLE,
    KEEP_STANDOFF_BET,
    CardProfile,
    blackjack_words,
    edges_as_keyed,
    is_stadium,
    read_setup,
)
from pitboss.services.shown import request_shown
from pitboss.services.signing import NewSlip
from pitboss.services.table_changes import latest_setup, new_setup, propose_table, table_refusals
from pitboss.views.forms import TEXT_MAX, pen_of, text
from pitboss.views.pads import pad_of

# On the wire each field has this before its name: the pad has a badge and a reason of its own.
_SET = "set_"
_MONEY = Amount(0, 10**12)
_PERCENT = Percent(0, 10_000)


@require_GET
@page("house")
def tables(request: PitRequest) -> HttpResponse:
    """List every table as it is set up, with what was approved for its next opening."""
    rows = []
    for table in Table.objects.select_related("pit"):
        latest = latest_setup(table)
        rows.append(
            {
                "table": table,
                "game": GAMES[table.game].name,
                "url": reverse("table-edit", args=[table.name]),
                "is_coming": latest is not None and latest != table.setup,
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
    if table is not None:
        keyed["name"] = table.name
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
    game = GAMES.get(keyed.get("game", ""))
    edges = _edges(request, keyed)
    context = {
        "bets": _bets(game, keyed, edges) if game else [],
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
            said[wager] = {"state": "warn", "words": words}
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
            table = Table.objects.filter(pk=number).first() if number.isdigit() else None
            if table is None:
                raise refuse("unknown_table", "There is no such table. Look at the list again.")
        new = new_setup(read_setup(keyed), table)
        slip = propose_table(
            new,
            reason=text(request.POST, "reason"),
            pen=pen_of(request),
            shown=text(request.POST, "shown"),
        )
    except Refused as refused:
        return _render(request, table, keyed, new=new, refused=refused)
    messages.success(request, f"{slip.serial} waits for another manager.")
    return redirect("slip", serial=slip.serial)


def _keyed(posted: QueryDict) -> dict[str, str]:
    return {
        name.removeprefix(_SET): str(value)[:TEXT_MAX].replace("\x00", "")
        for name, value in posted.items()
        if name.startswith(_SET)
    }


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
    keyed: dict[str, str] = {
        name: str(stored[name])
        for name in ("pit", "game", "decks", "soft_17", "blackjack_pays", "cards")
        if name in stored
    }
    keyed["minimum"] = _MONEY.text(stored["minimum_cents"])
    keyed["maximum"] = _MONEY.text(stored["maximum_cents"])
    keyed["is_vip"] = "yes" if stored.get("is_vip") else ""
    keyed |= {f"par_{cents}": str(count) for cents, count in stored["par"].items()}
    for wager, terms in stored["side_bets"].items():
        own = not isinstance(terms["paytable"], str)
        keyed[f"bet_{wager}"] = HOUSE_TABLE if own else terms["paytable"]
        if own:
            rows = terms["paytable"].items()
            keyed[f"bet_{wager}_rows"] = "\n".join(f"{row} {odds}" for row, odds in rows)
        keyed[f"bet_{wager}_minimum"] = _MONEY.text(terms["minimum_cents"])
        keyed[f"bet_{wager}_maximum"] = _MONEY.text(terms["maximum_cents"])
    stadium = stored.get("stadium")
    if stadium:
        keyed["keep_standoff_bet"] = stadium["keep_standoff_bet"]
        keyed["auto_stand"] = "{soft}/{hard}".format(**stadium["auto_stand"])
    return keyed


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
        fields = {f"{_SET}{name}": value for name, value in keyed.items() if value}
        pad = pad_of(
            request,
            url=reverse("table-propose"),
            sentence=TABLE_CHANGE.steps[0].attests,
            button="Propose",
            refused=refused,
            inputs=({"name": "reason", "label": "Reason"},),
            fields=fields | ({"table": str(table.pk)} if table else {}),
            shown=request_shown(new, None),
        )
    game = GAMES.get(keyed.get("game", ""))
    edges = _edges(request, keyed) if new is None else {}
    context: dict[str, Any] = {
        "heading": f"Set up {table}" if table else "New table",
        "back": {"url": reverse("house-tables"), "label": "Tables"},
        "own_url": reverse("table-edit", args=[table.name]) if table else reverse("table-new"),
        "table": table,
        "game": game,
        "games": [{"value": each.id, "label": each.name} for each in GAMES.values()],
        "fields": _fields(game, keyed) if game else [],
        "par": [
            {"name": f"{_SET}par_{cents}", "cents": cents, "value": keyed.get(f"par_{cents}", "")}
            for cents in BY_CENTS
        ],
        "bets": _bets(game, keyed, edges) if game else [],
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


def _fields(game: Any, keyed: dict[str, str]) -> list[dict[str, Any]]:
    """Return the choices that a game leaves to its table."""
    choices: list[tuple[str, str, dict[str, str]]] = [
        ("decks", "Decks", {str(each): str(each) for each in game.decks}),
        ("soft_17", "Dealer on soft 17", {each: f"{each}s" for each in game.soft_17}),
        (
            "blackjack_pays",
            "Blackjack pays",
            {each: blackjack_words(each) for each in game.blackjack_pays},
        ),
        ("cards", "Cards", {each.value: each.label for each in CardProfile}),
    ]
    if is_stadium(game):
        choices.append(("keep_standoff_bet", "Tied bets", dict(KEEP_STANDOFF_BET)))
        timer = {each: f"soft {each.replace('/', ', hard ')}" for each in AUTO_STANDS}
        choices.append(("auto_stand", "Expired timer stands on", timer))
    return [
        {
            "name": f"{_SET}{name}",
            "label": label,
            "choices": [
                {"value": value, "label": words, "is_chosen": value == keyed.get(name)}
                for value, words in allowed.items()
            ],
        }
        for name, label, allowed in choices
    ]


def _bets(
    game: Any, keyed: dict[str, str], edges: dict[str, dict[str, str]]
) -> list[dict[str, Any]]:
    """Return the side bets of a game, each with its pay tables, what is keyed, and its edge."""
    return [
        {
            "name": f"{_SET}bet_{bet.wager}",
            "label": spoken(bet.wager),
            "edge": edges.get(bet.wager),
            "tables": [
                {"value": each, "is_chosen": each == keyed.get(f"bet_{bet.wager}")}
                for each in bet.paytables
            ],
            "is_house": keyed.get(f"bet_{bet.wager}") == HOUSE_TABLE,
            "rows": keyed.get(f"bet_{bet.wager}_rows", ""),
            "row_names": ", ".join(ROWS[bet.wager]).replace("_", " "),
            "minimum": keyed.get(f"bet_{bet.wager}_minimum", ""),
            "maximum": keyed.get(f"bet_{bet.wager}_maximum", ""),
        }
        for bet in game.side_bets
    ]
