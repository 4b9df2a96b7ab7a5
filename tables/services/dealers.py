"""Dealers tap in and out. Who signed a closer stays with it until its tray is locked."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime

from pitboss.models import Device, Person, Slip, Table
from pitboss.rules.cheques.tray_counts import CLOSER
from pitboss.rules.flows.flows import SlipStatus
from pitboss.rules.refusal import CONFLICT, NOT_YOURS, Refusal, Refused, refuse
from pitboss.rules.roles import Place, Role
from pitboss.rules.said import Said
from pitboss.selectors.people import tells_whose_table_it_is
from pitboss.selectors.slips import due_step
from pitboss.services import house, journal
from pitboss.services.locks import lock_person, lock_table
from pitboss.services.pins import signed_act
from pitboss.services.signers import held_at, tells_where_dealers_deal, tells_who_dealt
from tables.models import Dealing

Then = Callable[["Dealing | None"], object]


def _nothing(dealing: Dealing | None) -> None:
    """Do nothing more."""


def tap_in(
    *, table_id: int, badge: str, pin: str, device: Device | None, then: Then = _nothing
) -> Dealing:
    """Put a dealer at a table, in place of the one who dealt there. Raises Refused.

    `then` is called in the same transaction, with what came of it.
    """
    with signed_act(act="tap_in", badge=badge, pin=pin, device=device) as dealer:
        # First of all: one badge tapped at two tables at once is taken one after the other.
        lock_person(dealer.pk)
        was_at = _dealing_of(dealer)
        tables = _lock({table_id, *([was_at.table_id] if was_at else [])})
        # Behind the locks: who waited for them would else end a dealing before it began.
        now = house.now()
        table, left = tables[table_id], _dealing_of(dealer)
        if left is not None and left.table_id not in tables:
            raise _moved(dealer)
        there = dealer_at(table)
        if there is not None and there.dealer_id == dealer.pk:
            then(there)
            return there  # A second tap, or a resend after a lost answer.
        refusals = [
            *_refusals(dealer, table, device),
            *_held_refusals(there),
            *_unfinished_refusals(there),
            *_unfinished_refusals(left),
        ]
        if not table.is_open:
            refusals.append(
                Refusal(
                    "table_closed", Said("{table} is closed. Open it first.", table=table), CONFLICT
                )
            )
        if refusals:
            raise Refused(refusals)
        if there is not None:
            _end(there, now)
        if left is not None:
            _end(left, now)
            _tell(tables[left.table_id], "tapped_out", dealer, device, now)
        dealing = put_at(table, dealer, now)
        if dealing is None:
            raise _moved(dealer)
        _tell(table, "tapped_in", dealer, device, now, relieves=there.dealer if there else None)
        then(dealing)
    return dealing


def tap_out(
    *, table_id: int, badge: str, pin: str, device: Device | None, then: Then = _nothing
) -> Dealing | None:
    """Let a dealer go on a break; none when they are out already. Raises Refused.

    `then` is called in the same transaction, with what came of it.
    """
    with signed_act(act="tap_out", badge=badge, pin=pin, device=device) as dealer:
        table = _lock({table_id})[table_id]
        now = house.now()
        refusals = _refusals(dealer, table, device)
        dealing = _dealing_of(dealer)
        if dealing is not None and dealing.table_id != table_id:
            refusals.append(
                Refusal(
                    "dealer_elsewhere",
                    Said(
                        "{dealer} deals at {dealing_table}. Tap out there.",
                        dealer=dealer,
                        dealing_table=dealing.table,
                    ),
                )
            )
        else:
            refusals += _unfinished_refusals(dealing)
        if refusals:
            raise Refused(refusals)
        if dealing is not None:
            _end(dealing, now)
            _tell(table, "tapped_out", dealer, device, now)
        then(dealing)
    return dealing


def put_at(table: Table, dealer: Person, at: datetime) -> Dealing | None:
    """Put a dealer at a table where no one deals; none when they deal elsewhere by now.

    The table is locked, the dealer's other tables are not: the database decides.
    """
    Dealing.objects.bulk_create(
        [Dealing(table=table, dealer=dealer, began_at=at)], ignore_conflicts=True
    )
    return Dealing.objects.filter(table=table, dealer=dealer, ended_at=None).first()


def dealer_at(table: Table) -> Dealing | None:
    """Return who deals at a table now."""
    return Dealing.objects.filter(table=table, ended_at=None).select_related("dealer").first()


def _badge_at(table: Table) -> str:
    there = dealer_at(table)
    return there.dealer.badge if there else ""


def _moved(dealer: Person) -> Refused:
    return refuse(
        "dealer_moved",
        Said("{dealer} has just come to another table. Tap in again.", dealer=dealer),
    )


def _dealing_of(dealer: Person) -> Dealing | None:
    return Dealing.objects.filter(dealer=dealer, ended_at=None).select_related("table").first()


tells_where_dealers_deal("""
    SELECT elsewhere.name FROM tables_dealing AS dealing
    JOIN pitboss_table AS elsewhere ON elsewhere.id = dealing.table_id
    WHERE dealing.dealer_id = asked.person AND dealing.ended_at IS NULL
      AND dealing.table_id <> asked.place
""")
tells_whose_table_it_is(_badge_at)
tells_who_dealt("""
    SELECT FROM tables_dealing AS dealing
    WHERE dealing.dealer_id = asked.person AND dealing.table_id = asked.place
      AND (dealing.ended_at IS NULL OR dealing.ended_at > asked.since)
""")


def _lock(table_ids: Iterable[int]) -> dict[int, Table]:
    """Lock tables in the order of their ids, as everything does that needs more than one."""
    return {table_id: lock_table(table_id) for table_id in sorted(table_ids)}


def _refusals(dealer: Person, table: Table, device: Device | None) -> list[Refusal]:
    """Return why someone may not tap in or out here now."""
    refusals = []
    if house.role_in(dealer, house.period_at(house.now())) != Role.DEALER:
        refusals.append(
            Refusal(
                "wrong_role",
                Said(
                    "{dealer} isn’t working as a dealer this shift. Call the shift manager.",
                    dealer=dealer,
                ),
                NOT_YOURS,
            )
        )
    if device is not None and device.place != Place.PIT:
        refusals.append(
            Refusal(
                "wrong_place",
                "Dealers tap in and out on a device of the pit. Use one there.",
                NOT_YOURS,
            )
        )
    elif device is not None and device.pit_id not in (None, table.pit_id):
        refusals.append(
            Refusal(
                "wrong_pit",
                Said("{table} is in another pit. Tap on a tablet there.", table=table),
                NOT_YOURS,
            )
        )
    elif device is not None and device.table_id not in (None, table.pk):
        refusals.append(
            Refusal(
                "wrong_table",
                Said("This terminal isn’t at {table}. Use the one that is.", table=table),
                NOT_YOURS,
            )
        )
    held = held_at(dealer)
    if held:
        refusals.append(held_refusal(dealer, held))
    return refusals


def _held_refusals(there: Dealing | None) -> list[Refusal]:
    """Return why no one may take a table over: its dealer signed the closer and must stay."""
    held = held_at(there.dealer) if there is not None else ""
    return [held_refusal(there.dealer, held)] if there is not None and held else []


def _unfinished_refusals(dealing: Dealing | None) -> list[Refusal]:
    """Return what a dealer has to see finished before leaving: slips signed beside the supervisor.

    What waits for the cage or an officer is under way, and the next dealer goes on with it. A
    closer has its own rule.
    """
    if dealing is None:
        return []
    begun = (
        Slip.objects.filter(
            table=dealing.table_id, status=SlipStatus.OPEN, signatures__person=dealing.dealer_id
        )
        .exclude(kind=CLOSER)
        .order_by("id")
        .distinct()
        .prefetch_related("signatures")
    )
    return [
        Refusal(
            "transaction_open",
            Said(
                "{title} {slip_serial} needs the supervisor, and {dealer} has signed it. "
                "Finish it at the table, then change dealers.",
                title=Said(slip.title),
                slip_serial=slip.serial,
                dealer=dealing.dealer,
            ),
        )
        for slip in begun
        if _is_at_the_table(slip, dealing.dealer_id)
    ]


def _is_at_the_table(slip: Slip, dealer_id: int) -> bool:
    """Tell whether the dealer was the last to sign, and the supervisor beside them is the next."""
    last = max(slip.signatures.all(), key=lambda signature: signature.pk)
    due = due_step(slip)
    return (
        last.person_id == dealer_id
        and due is not None
        and due.at == Place.PIT
        and Role.SUPERVISOR in due.by
    )


def held_refusal(dealer: Person, table: str) -> Refusal:
    """Return why a dealer stays: their tray is signed for and not locked."""
    return Refusal(
        "dealer_held",
        Said(
            "{dealer} signed {table}’s closer and can’t leave until the tray "
            "is locked. Lock the tray first.",
            dealer=dealer,
            table=table,
        ),
        CONFLICT,
    )


def _end(dealing: Dealing, now: datetime) -> None:
    dealing.ended_at = now
    dealing.save(update_fields=["ended_at"])


def _tell(
    table: Table,
    kind: str,
    dealer: Person,
    device: Device | None,
    now: datetime,
    *,
    relieves: Person | None = None,
) -> None:
    journal.write(
        chain=journal.chain_of(table, journal.HOUSE),
        kind=kind,
        body={"dealer": dealer.badge, "relieves": str(relieves) if relieves else None},
        at=now,
        person=dealer,
        device=device,
    )
