"""What all counts of a tray share: two people, blind, on a slip made of what the first counted.

The dealer counts and signs first; the slip's cheques are what the dealer counted. The supervisor
goes over every line and must find the same. Both are blind: what the book says is told after that.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any, Final

from django.db import models

from inventory.models import Holder
from inventory.services.card_accounts import cards_refusals, is_waived
from pitboss.models import Signature, Slip, Table
from pitboss.models.plain import in_one_trip
from pitboss.rules.floor.fields import Count
from pitboss.rules.flows.flows import Readers, SlipStatus, Step, void_witnessed
from pitboss.rules.refusal import Refusal
from pitboss.rules.roles import GUARDING, KEEPING_BOOKS, SUPERVISING, WATCHING, Place, Role
from pitboss.services.drafts import NewSlip
from pitboss.services.effects import Effect
from pitboss.services.exceptions import ask_after_voided_variance
from pitboss.services.signing import set_status
from pitboss.slips.kind import Raising
from tables.services.dealers import dealer_at
from tables.services.trays import count_refusals, post_count, serials_under_way

TRAY_COUNT: Final = Count(
    name="cheques",
    label="Count",
    hint="This is a blind count. You’ll see the expected count after both people sign. "
    "Your entries are saved on this tablet if you go offline.",
)
TRAY_READERS: Final = Readers(SUPERVISING | GUARDING | WATCHING | KEEPING_BOOKS | {Role.COMPLIANCE})
INVENTORY: Final = "Table inventory slip"
COUNTED: Final = Step(
    "counted",
    done="Counted",
    do="Count",
    by=Role.DEALER,
    at=Place.PIT,
    attests="I certify that I counted this tray from the highest denomination down and that it "
    "contains the cheques listed.",
)
VERIFIED: Final = Step(
    "verified",
    done="Verified",
    do="Verify",
    by=Role.SUPERVISOR,
    at=Place.PIT,
    counts=True,
    may_be_blind=True,
    attests="I certify that I verified every line with the dealer and found the same count.",
)
VOIDED_AT_THE_TABLE: Final = (
    Step(
        "voided",
        done="Voided",
        do="Void",
        by=Role.SUPERVISOR,
        at=Place.PIT,
        may_repeat="verified",
        needs_reason=True,
        attests="I void this count. The tray is to be counted again on a new slip.",
    ),
    # Both managers of a shift may have a part in it already.
    void_witnessed(
        (Role.PIT_MANAGER, Role.SECURITY, Role.SURVEILLANCE),
        attests="I certify that I took no other part in this count and witnessed it being voided.",
        then="count_voided",
    ),
)


def _count_voided(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """Void a count. What it found is asked after all the same."""
    set_status(slip, SlipStatus.VOIDED)
    ask_after_voided_variance(slip, at)
    return []


def _count_posted(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """Take the count as what the tray holds; what differs was won or lost since the last one."""
    return post_count(slip, against=Holder.PUBLIC, at=at)


VOIDS: Final[Mapping[str, Effect]] = {"count_voided": _count_voided}
POSTS: Final[Mapping[str, Effect]] = {**VOIDS, "count_posted": _count_posted}


def table_of(raising: Raising) -> Table:
    assert raising.table is not None, "a count is of a table's tray"
    return raising.table


def tray_refusals(raising: Raising) -> list[Refusal]:
    """Return why a tray may not be counted for this purpose now."""
    return count_refusals(raising.kind.kind, table_of(raising))


def cards_ahead(door: str) -> Callable[[Raising], Sequence[Refusal]]:
    """Return what says which cards stop a count's last step, unless a shift manager waived them."""

    def ahead(raising: Raising) -> Sequence[Refusal]:
        table = table_of(raising)
        refusals = cards_refusals(table, door)
        return refusals if refusals and not is_waived(table, door) else ()

    return ahead


def stands_in_for(raising: Raising) -> int | None:
    """Return the void count of this kind that a new one stands in for."""
    asked = [table_of(raising).pk, raising.kind.kind, SlipStatus.VOIDED.value, table_of(raising).pk]
    (found,) = in_one_trip((_VOIDED_SINCE, asked))
    return found[0][0] if found else None


_VOIDED_SINCE: Final = """
    SELECT voided.id FROM pitboss_slip AS voided
    WHERE voided.table_id = %s AND voided.kind = %s AND voided.status = %s
      AND voided.id > coalesce((
        SELECT last.slip_id FROM inventory_traycount AS last WHERE last.table_id = %s
        ORDER BY last.tray_sequence DESC, last.at DESC, last.id DESC LIMIT 1), 0)
    ORDER BY voided.id DESC LIMIT 1
"""


def outside_the_count(raising: Raising) -> dict[str, Any]:
    """Return the slips whose cheques are under way while a tray is counted."""
    return {"outside": serials_under_way(table_of(raising))}


def counted_tray(
    details: Callable[[Raising], dict[str, Any]],
    refers_to: Callable[[Raising], int | None] = stands_in_for,
) -> Callable[[Raising], NewSlip]:
    """Return how a count is drafted, by what its paper says besides cheques and refers to."""

    def drafted(raising: Raising) -> NewSlip:
        said = details(raising)
        return NewSlip(
            raising.kind.kind,
            table_of(raising).pk,
            raising.cheques,
            refers_to(raising),
            details=said,
            counts_tray=True,
        )

    return drafted


def tray_review(raising: Raising, new: NewSlip) -> dict[str, Any]:
    """Return what the dealer reads before they sign: empty tubes too, and what is left out."""
    table, facts = table_of(raising), []
    if new.details.get("sequence"):
        facts.append({"name": "Opening today", "value": str(new.details["sequence"])})
    if new.details.get("outside"):
        facts.append({"name": "Outside the count", "value": ", ".join(new.details["outside"])})
    there = dealer_at(table)
    return {
        "facts": facts,
        "colours": table.par_cheques,
        "badge": there.dealer.badge if there else "",
    }


def tray_counted(count: Slip) -> str:
    return f"{count.title} {count.serial} counted. The supervisor verifies it."
