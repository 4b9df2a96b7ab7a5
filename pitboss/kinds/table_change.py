"""A table: set up by two managers with the exact edge of each side bet, from its next opening."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from django.db import models
from django.shortcuts import get_object_or_404
from django.urls import reverse

from pitboss.kinds.of_the_house import READERS, pending_words
from pitboss.middleware import PitRequest
from pitboss.models import Pit, Signature, Slip, Table
from pitboss.paper.forms import HOUSE_FORM
from pitboss.rules.floor.fields import Each
from pitboss.rules.floor.urgency import Urgency
from pitboss.rules.flows.flows import BY_ANOTHER, Promise, SlipStatus, Step
from pitboss.rules.flows.house_flows import MANAGERS, REFUSED, TABLE_CHANGE
from pitboss.rules.games.games import spoken
from pitboss.rules.games.table_setup import (
    PAYTABLE_5,
    Edge,
    TableSetup,
    is_stadium,
    keyed_setup,
    read_setup,
    stored_setup,
)
from pitboss.rules.games.tracked import TABLE_GAMES
from pitboss.rules.people.proofs import Proved
from pitboss.rules.refusal import Refusal, Refused
from pitboss.rules.roles import KEEPING_BOOKS, Role
from pitboss.selectors.pending import game_refusals
from pitboss.selectors.setup_fields import (
    SET,
    amounts_of,
    bets_of,
    edges_said,
    fields_of,
    setup_keyed,
    stops_of,
)
from pitboss.selectors.table_rules import edges_in_force, latest_setup, main_edge_words
from pitboss.services import house
from pitboss.services.drafts import NewSlip
from pitboss.services.locks import lock_settings
from pitboss.services.table_changes import set_up_table
from pitboss.slips.addresses import own_url
from pitboss.slips.kind import Kind, Look, Raising

# The table that its address names, which stands already; a new one has none.
_STANDS = "stands"


def _begins(request: PitRequest, raising: Raising) -> Raising:
    """Return another setup of the table that its address names, or a new table."""
    name = request.GET.get("table", "")
    if not name:
        return raising
    table = get_object_or_404(Table.objects.select_related("pit"), name=name)
    given = {**raising.given, _STANDS: table}
    return replace(raising, given=given, named={**raising.named, "table": name})


def _drafted(raising: Raising) -> NewSlip:
    """Draft what was entered for a table. Raises Refused for what cannot be read."""
    table: Table | None = raising.given.get(_STANDS)
    keyed = raising.given["set"]
    return new_setup(read_setup({"name": table.name, **keyed} if table else keyed), table)


def new_setup(setup: TableSetup, table: Table | None) -> NewSlip:
    """Draft a table: a new one, or another setup of one that stands.

    Raises Refused where a pay table favors the player.
    """
    in_force = house.settings_at(house.now())
    edges, refusals = edges_in_force(setup, in_force)
    if refusals:
        raise Refused(refusals)
    main_edge = main_edge_words(setup, in_force)
    return NewSlip(
        TABLE_CHANGE,
        None,
        {},
        details={
            "about": f"{'set up' if table else 'add'} {setup.name}",
            "says": [
                *([name, words] for name, words in setup.words().items()),
                *([["Edge of the main game", main_edge]] if main_edge else []),
                *([f"Edge of {spoken(edge.wager)}", _edge_words(edge)] for edge in edges),
                *(
                    [f"{spoken(edge.wager)}, check this", warning.message]
                    for edge in edges
                    for warning in edge.warnings
                ),
                ["Effective", "the next opening"],
            ],
            "table": table.pk if table else None,
            "is": setup.stored(),
        },
    )


def _edge_words(edge: Edge) -> str:
    return edge.words if edge.is_in_band else f"{edge.words}, OUTSIDE the band of the house"


def _refusals(raising: Raising) -> list[Refusal]:
    """Return why a table may not be proposed so, what cannot be read included."""
    try:
        return _setup_refusals(raising.new().details)
    except Refused as refused:
        return list(refused.refusals)


def _setup_refusals(details: Mapping[str, Any], own: Slip | None = None) -> list[Refusal]:
    """Return why a table may not be set up so: every reason. `own` is the slip that says it."""
    wanted = stored_setup(details["is"])
    refusals = []
    same_name = Table.objects.filter(name=wanted.name).exclude(pk=details["table"])
    if same_name.exists():
        refusals.append(
            Refusal("name_taken", f"There is a table {wanted.name}. Choose another name.")
        )
    if details["table"] is not None:
        table = Table.objects.get(pk=details["table"])
        if table.name != wanted.name:
            refusals.append(
                Refusal(
                    "name_stays",
                    f"{table} can’t be renamed: its slips carry the name. Set up "
                    "a new table instead.",
                )
            )
        # What a pending jackpot pays must not move under it.
        refusals += game_refusals(table)
        if latest_setup(table, apart_from=own) == details["is"]:
            refusals.append(
                Refusal("nothing_changes", f"{table} is already set up this way. Change something.")
            )
    waiting = (
        Slip.objects.filter(
            kind=TABLE_CHANGE, status=SlipStatus.OPEN.value, details__is__name=wanted.name
        )
        .exclude(pk=own.pk if own else 0)
        .first()
    )
    if waiting is not None:
        refusals.append(
            Refusal("already_proposed", f"{waiting} is pending. Approve or decline it first.")
        )
    in_force = house.settings_at(house.now())
    try:
        wanted.rules(in_force.options)
    except Refused as refused:
        refusals.extend(refused.refusals)
    else:
        refusals.extend(edges_in_force(wanted, in_force)[1])
    return refusals


def _table_set_up(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """Set the table up as approved. Raises Refused when it no longer can be."""
    lock_settings()
    refusals = _setup_refusals(slip.details, own=slip)
    if refusals:
        raise Refused(refusals)
    return set_up_table(slip, at)


def _look(request: PitRequest, raising: Raising, refused: Refused | None) -> Look:
    """Ask for the game first, then for what the game leaves to the table, with its edges."""
    table: Table | None = raising.given.get(_STANDS)
    keyed = _keyed(request, table, is_refused=refused is not None)
    game = TABLE_GAMES.get(keyed.get("game", ""))
    edges = edges_said(keyed, request.house)
    others = Table.objects.exclude(pk=table.pk if table else 0)
    return "pitboss/table_setup.html", {
        "url": own_url(raising),
        "table": table,
        "game": game,
        "games": [{"value": known.id, "label": known.name} for known in TABLE_GAMES.values()],
        "others": list(others.values_list("name", flat=True)),
        "fields": fields_of(game, keyed) if game else [],
        "amounts": amounts_of(game, keyed) if game else [],
        "par": [
            {"name": f"{SET}par_{cents}", "cents": cents, "value": keyed.get(f"par_{cents}", "")}
            for cents in request.house.cheques.in_play_at(table.name if table else "")
        ],
        "bets": bets_of(game, keyed, edges) if game else [],
        "has_paytable_5": game is not None and is_stadium(game),
        "stops": stops_of(edges),
        "keyed": keyed,
        "pits": list(Pit.objects.values_list("name", flat=True)),
    }


def _keyed(request: PitRequest, table: Table | None, *, is_refused: bool) -> dict[str, str]:
    """Return the form as it is filled in: what was entered, or copied, or what stands."""
    keyed = setup_keyed(request.POST if is_refused else request.GET)
    if not keyed and table is not None:
        keyed = _as_keyed(table)
    copied = _copied(request.GET.get("copy", ""))
    if copied:
        # Everything of the other table but its name, and its pit where this one has its own.
        keyed = {**copied, "pit": keyed.get("pit") or copied["pit"]}
    if "paytable_5" in request.GET:
        keyed |= PAYTABLE_5
    return keyed


def _copied(name: str) -> dict[str, str]:
    """Return the setup of another table as it would be keyed, without its name."""
    other = Table.objects.select_related("pit").filter(name=name[:12]).first() if name else None
    if other is None:
        return {}
    return {key: value for key, value in _as_keyed(other).items() if key != "name"}


def _as_keyed(table: Table) -> dict[str, str]:
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


def _heading(raising: Raising) -> str:
    return f"Set up {raising.given[_STANDS]}" if _STANDS in raising.given else "New table"


TABLE_SETUP = Kind(
    TABLE_CHANGE,
    title="Table",
    series="HT",
    # Whoever reads the house sees how a table is set up; managers of the pit sign for another.
    open_to=frozenset(MANAGERS) | KEEPING_BOOKS | {Role.COMPLIANCE, Role.ADMINISTRATOR},
    lit_by="house",
    at_a_table=False,
    desk="house",
    is_change=True,
    changes_house=True,
    begins=_begins,
    asked=(Each(name="set", label="Game, limits, pay tables, and par"),),
    drafted=_drafted,
    refusals=_refusals,
    urgency=Urgency.FORM,
    proves=Proved.SETTINGS,
    steps=(
        Step(
            "proposed",
            done="Proposed",
            do="Propose",
            by=(Role.PIT_MANAGER, Role.SHIFT_MANAGER),
            at=None,
            needs_reason=True,
            attests="I propose this setup for the table, effective at its next opening.",
        ),
        Step(
            "approved",
            done="Approved",
            do="Approve",
            why=BY_ANOTHER,
            by=MANAGERS,
            at=None,
            attests="I reviewed the table's game, limits, and pay tables with their house "
            "edges, and I approve them.",
            then="table_set_up",
        ),
    ),
    void=REFUSED,
    effects={"table_set_up": _table_set_up},
    readers=READERS,
    promises=(Promise(2, 1),),
    paper=HOUSE_FORM,
    look=_look,
    heading=_heading,
    back=lambda raising: {"url": reverse("house-tables"), "label": "Tables"},
    raised=pending_words,
)
