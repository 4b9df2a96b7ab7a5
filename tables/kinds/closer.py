"""A closer: the last count of a tray before it is locked. What differs was won or lost."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db import models

from inventory.models import Holder
from inventory.services.card_accounts import CLOSING, demand_cards
from pitboss.models import Signature, Slip, Table
from pitboss.paper.forms import Form, InBox, Part, Shows
from pitboss.rules.flows.flows import Need, Promise, SlipStatus, Step
from pitboss.rules.games.table_orders import OrderEnd, OrderKind
from pitboss.rules.roles import SUPERVISING, Place, Role
from pitboss.services.drafts import NewSlip
from pitboss.slips.kind import Kind, Raising
from tables.kinds.counting import (
    COUNTED,
    INVENTORY,
    TRAY_COUNT,
    TRAY_READERS,
    VERIFIED,
    VOIDED_AT_THE_TABLE,
    VOIDS,
    cards_ahead,
    counted_tray,
    table_of,
    tray_counted,
    tray_refusals,
    tray_review,
)
from tables.kinds.opener import NEXT_OPENER
from tables.models import Dealing
from tables.selectors.counts import final_check
from tables.services.live_changes import table_closed
from tables.services.round_corrections import abort_with_table
from tables.services.table_orders import end_orders
from tables.services.trays import last_opener, post_count


def _sequence(raising: Raising) -> dict[str, Any]:
    """Return the number of the opening that a closer ends."""
    opener = last_opener(table_of(raising))
    return {"sequence": int(opener.details["sequence"]) if opener else 1}


def _review(raising: Raising, new: NewSlip) -> dict[str, Any]:
    check = final_check(table_of(raising), raising.cheques)
    return {**tray_review(raising, new), "panel": check}


def _tells(slip: Slip) -> dict[str, Any] | None:
    """Return where a closing tray comes from, while it is not locked."""
    is_open = slip.status == SlipStatus.OPEN.value
    return final_check(slip.table, slip.cheques_by_cents) if slip.table and is_open else None


def _table_closed(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """Take the count as what the tray holds; what differs was won or lost. The table is shut."""
    assert slip.table is not None
    demand_cards(Table.objects.get(pk=slip.table.pk), CLOSING)
    rows = post_count(slip, against=Holder.PUBLIC, at=at)
    Table.objects.filter(pk=slip.table.pk).update(is_open=False)
    Dealing.objects.filter(table=slip.table, ended_at=None).update(ended_at=at)
    abort_with_table(slip.table, device=signature.device, at=at)
    for kind in OrderKind:
        end_orders(slip.table, kind, OrderEnd.TABLE_CLOSED, at)
    return [*rows, *table_closed(slip.table, at)]


CLOSER = Kind(
    "closer",
    title="Closer",
    series="C",
    open_to=SUPERVISING,
    lit_by="board",
    asked=(TRAY_COUNT,),
    refusals=tray_refusals,
    refuses_at_once=True,
    ahead=cards_ahead(CLOSING),
    drafted=counted_tray(_sequence),
    steps=(
        COUNTED,
        VERIFIED,
        Step(
            "top_signed",
            done="Top-signed",
            do="Top-sign",
            by=Role.PIT_MANAGER,
            at=None,
            attests="I certify that I verified this closer and took the bottom copy.",
            why=Need("A pit manager must top-sign every closer."),
        ),
        Step(
            "locked",
            done="Locked",
            do="Lock",
            by=Role.SUPERVISOR,
            at=Place.PIT,
            may_repeat="verified",
            attests="I certify that the lid is locked with the opener visible through it and "
            "that all equipment is secured.",
        ),
    ),
    void=VOIDED_AT_THE_TABLE,
    # The dealer who signed stays until the tray is locked, unless a shift manager lets them go.
    relief=(
        Step(
            "released",
            done="Dealer released",
            do="Release dealer",
            by=Role.SHIFT_MANAGER,
            at=None,
            needs_reason=True,
            attests="I certify that the dealer who signed this closer must leave before the "
            "tray is locked.",
        ),
        Step(
            "counted_again",
            done="Counted again",
            do="Count again",
            by=(Role.DEALER, Role.SUPERVISOR),
            at=Place.PIT,
            counts=True,
            attests="I certify that I counted the tray in the dealer's place and found the "
            "same count.",
        ),
    ),
    at_end="table_closed",
    effects={**VOIDS, "table_closed": _table_closed},
    readers=TRAY_READERS,
    promises=(Promise(3, 1),),
    paper=Form(
        parts=(
            Part(
                "Closer",
                "Into the table's drop box by the dealer, immediately.",
                "white",
                box=InBox.ON_TABLE,
            ),
            NEXT_OPENER,
            Part("Bottom copy", "To the pit manager who top-signed.", "pink"),
        ),
        shows=Shows.TRAY,
        caption=INVENTORY,
    ),
    tells=_tells,
    heading=lambda raising: f"Close {raising.table}",
    review=_review,
    raised=tray_counted,
)
