"""Cash that was written down on paper in an outage: it goes into the sums of its own gaming day.

The pit enters what its tables took and gave, the cage what its windows did. No one is stopped any
more: a person on a list opens a case, and a sum over the limit its report.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Any, Final

from django.db import models

from inventory.kinds.marker import OWED_READERS
from inventory.kinds.of_a_patron import DollarAmount
from inventory.models import Patron
from inventory.selectors.patrons import patron_of_card
from inventory.services.cash_log import Transaction, log_late_cash
from inventory.services.exclusion import Compared, keep_comparison
from pitboss.models import Signature, Slip
from pitboss.paper.forms import Form, OnPaper, Part
from pitboss.rules.cheques.cheques import format_money
from pitboss.rules.floor.fields import Pick, Words
from pitboss.rules.patrons.cash_log import (
    KEYED_AT,
    CashKind,
    amount_refusals,
    description_refusals,
    told_refusals,
)
from pitboss.rules.patrons.exclusion import Moment
from pitboss.rules.refusal import Refusal
from pitboss.rules.roles import Place
from pitboss.services.drafts import NewSlip
from pitboss.slips.kind import Raising
from pitboss.slips.late import (
    FROM_PAPER,
    entered_time,
    form_entered,
    paper_details,
    paper_refusals,
    true_time_of,
)
from tables.kinds.late_page import OF_THE_CAGE, closed_day, late_kind

_PARTS: Final = Form(parts=(Part("Original", "To accounting, with the cash log of its day."),))
_WRITES: Final = ("Patron and card, or description", "What for", "Amount", "In or out")


def _what(place: Place) -> Pick:
    """Return which cash of a place is on its form."""
    kinds = [kind for kind, places in KEYED_AT.items() if place in places]
    return Pick(
        name="cash_kind",
        label="What for",
        choices={kind.value: kind.label.capitalize() for kind in kinds},
    )


def _asked(place: Place) -> tuple[Any, ...]:
    return (
        _what(place),
        DollarAmount(name="amount", label="Amount ($)"),
        Words(name="card", label="Player card", is_needed=False, most=40),
        Words(name="description", label="Or who it was, as written", is_needed=False, most=200),
        *(
            [Words(name="told", label="Country code, or what for", is_needed=False, most=50)]
            if place is Place.CAGE
            else []
        ),
        *FROM_PAPER,
    )


def _patron(raising: Raising) -> Patron | None:
    return patron_of_card(raising.given.get("card", ""))


def _drafted(raising: Raising) -> NewSlip:
    given, patron = raising.given, _patron(raising)
    kind, cents = CashKind(given["cash_kind"]), given["amount"]
    who = patron.full_name if patron is not None else given.get("description", "")
    return NewSlip(
        raising.kind.kind,
        raising.table.pk if raising.table else None,
        {},
        details={
            "what": "cash",
            "cash_kind": kind.value,
            "amount_cents": cents,
            "patron": patron.pk if patron is not None else None,
            "description": "" if patron is not None else given.get("description", ""),
            "told": given.get("told", ""),
            "says": [
                ["Cash", f"{format_money(cents)}, {kind.label}"],
                ["Whose", who],
                *([["For", given["told"]]] if given.get("told") else []),
            ],
            **paper_details(raising),
        },
        happened_at=entered_time(raising),
    )


def _refusals(raising: Raising) -> list[Refusal]:
    """Return why cash on a form may not be entered: every reason."""
    paper, given = raising.kind.on_paper, raising.given
    assert paper is not None, "it is entered from a form"
    refusals = [
        *paper_refusals(raising, paper.code),
        *closed_day(raising),
        *amount_refusals(given["amount"]),
        *told_refusals(CashKind(given["cash_kind"]), given.get("told", "")),
    ]
    if _patron(raising) is not None:
        return refusals
    if given.get("card", "").strip():
        refusals.append(Refusal("card_unknown", "No patron has this card. Check the form."))
    elif not given.get("description", ""):
        refusals.append(
            Refusal("who_missing", "Enter the card, or the description that is on the form.")
        )
    else:
        refusals.extend(description_refusals(given["description"]))
    return refusals


def _posted(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """Log the cash at its own time, in the sums of its own day."""
    details, true_time = slip.details, true_time_of(slip)
    patron = Patron.objects.get(pk=details["patron"]) if details["patron"] else None
    new = Transaction(
        kind=CashKind(details["cash_kind"]),
        amount_cents=details["amount_cents"],
        table=slip.table,
        patron=patron,
        description=details["description"],
        told=details["told"],
    )
    rows = log_late_cash(new=new, slip=slip, signature=signature, at=true_time)
    if patron is not None:
        # It was taken on paper: nothing is stopped, but the case opens.
        keep_comparison(Compared(patron, Moment.CASH, at, slip.table, slip), is_past=True)
    return [*rows, *form_entered(slip, at)]


LATE_CASH = late_kind(
    "late_cash",
    title="Late cash",
    asked=_asked(Place.PIT),
    refusals=_refusals,
    drafted=_drafted,
    posted=_posted,
    readers=OWED_READERS,
    heading=lambda raising: f"Late cash, {raising.table or 'the cage'}",
    on_paper=OnPaper(
        code="CS",
        title="Cash log",
        form=_PARTS,
        signers=(("Logged", "supervisor"),),
        writes=_WRITES,
        has_cheques=False,
        is_money=True,
    ),
)
LATE_CAGE_CASH = replace(
    LATE_CASH,
    kind="late_cage_cash",
    title="Late cash of the cage",
    asked=_asked(Place.CAGE),
    **OF_THE_CAGE,
    on_paper=OnPaper(
        code="CC",
        title="Cash log of the cage",
        form=_PARTS,
        signers=(("Logged", "cashier"),),
        writes=_WRITES,
        has_cheques=False,
        is_money=True,
        at_a_table=False,
    ),
)
