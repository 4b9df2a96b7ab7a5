"""Drop boxes at their tables: why one stays, a dealer who makes the team wait, an estimate."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from django.db import models

from inventory.models import TrayCount
from pitboss.models import Device, Person, Slip, Table
from pitboss.rules.cheques.tray_counts import CLOSER, COUNT, SHIFT_COUNT
from pitboss.rules.drop.compartments import compartment_refusals as compartment_refusals
from pitboss.rules.drop.compartments import segments
from pitboss.rules.drop.figures import DROP_PULL, FIGURE_MAX
from pitboss.rules.flows.flows import SlipStatus
from pitboss.rules.refusal import CONFLICT, NOT_YOURS, Refusal, refuse
from pitboss.rules.roles import Role, may_act_as
from pitboss.services import house, journal
from pitboss.services.locks import lock_request, lock_table
from pitboss.services.pins import demand_worth, signed_act
from pitboss.services.signing import Pen
from tables.models import Dealing, DropEstimate, DropWait
from tables.selectors.compartments import standing_on
from tables.services.compartments import pulled_on, segment_details


def wait_of(table: Table) -> DropWait | None:
    """Return what makes the drop team wait at a table, if anything."""
    return DropWait.objects.filter(table=table, lifted_at=None).select_related("asked_by").first()


def ask_to_wait(*, table: Table, pen: Pen) -> DropWait:
    """Make the drop team wait for the end of the hand, by the dealer's word. Raises Refused."""
    with signed_act(act="drop_wait", badge=pen.badge, pin=pen.pin, device=pen.device) as person:
        lock_request(pen.request_id)
        table = lock_table(table.pk)
        now = house.now()
        standing = wait_of(table)
        if standing is not None:
            return standing  # A second tap, or the box already waits.
        _demand_dealer(person, table)
        if not table.is_open:
            raise refuse("table_closed", f"{table} is closed. No hand is on.", CONFLICT)
        wait = DropWait.objects.create(table=table, asked_by=person, asked_at=now)
        _tell(table, "drop_waits", person, pen.device, now)
        return wait


def lift_wait(*, table: Table, pen: Pen) -> DropWait | None:
    """Let the drop team go on: the hand is over. Raises Refused."""
    with signed_act(act="drop_lift", badge=pen.badge, pin=pen.pin, device=pen.device) as person:
        lock_request(pen.request_id)
        table = lock_table(table.pk)
        now = house.now()
        standing = wait_of(table)
        if standing is None:
            return None  # A second tap.
        _demand_dealer(person, table)
        standing.lifted_by = person
        standing.lifted_at = now
        standing.save(update_fields=["lifted_by", "lifted_at"])
        _tell(table, "drop_goes_on", person, pen.device, now)
        return standing


def estimate_drop(*, table: Table, cash_cents: int, pen: Pen) -> DropEstimate:
    """Keep what a supervisor thinks is in a box, for this shift. Raises Refused.

    An estimate is never changed: another one is keyed, and the newest counts.
    """
    with signed_act(act="drop_estimate", badge=pen.badge, pin=pen.pin, device=pen.device) as person:
        lock_request(pen.request_id)
        table = lock_table(table.pk)
        now = house.now()
        earlier = DropEstimate.objects.filter(request_id=pen.request_id).first()
        if earlier is not None:
            if (earlier.table_id, earlier.cash_cents) == (table.pk, cash_cents):
                return earlier
            raise refuse(
                "request_reused",
                "This form was already sent with another amount. Reload the page.",
                CONFLICT,
            )
        _demand(person, Role.SUPERVISOR, "A supervisor estimates what is in a box.")
        if not 0 <= cash_cents <= FIGURE_MAX:
            raise refuse("figure_malformed", "Enter the cash you think is in the box, in dollars.")
        demand_worth(person, cash_cents, now)
        when = house.period_at(now)
        estimate = DropEstimate.objects.create(
            table=table,
            gaming_day=when.gaming_day,
            shift=when.shift,
            cash_cents=cash_cents,
            keyed_by=person,
            keyed_at=now,
            request_id=pen.request_id,
        )
        journal.write(
            chain=journal.chain_of(table, journal.HOUSE),
            kind="drop_estimated",
            body={"cash_cents": cash_cents},
            at=now,
            person=person,
            device=pen.device,
            rows=[estimate],
        )
        return estimate


def count_before_pull(table: Table) -> TrayCount | None:
    """Return the last count of a table's tray."""
    return (
        TrayCount.objects.filter(table=table)
        .select_related("slip")
        .order_by("-tray_sequence", "-at", "-id")
        .first()
    )


def count_of_pull(table: Table, within: timedelta | None = None) -> str | None:
    """Return the serial of the count on which a table's box is pulled.

    None where the house pulls boxes of open tables without one: the cash then belongs to the
    stretch of play in which the box was pulled.
    """
    count = count_before_pull(table)
    if count is None or (table.is_open and not _is_fresh(table, count, within)):
        return None
    return None if table.is_open and pulled_on(count.slip.serial) else count.slip.serial


def pull_details(table: Table, details: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the details of a table's pull: one for each compartment that was used."""
    standing, locked = standing_on(table)
    if standing is None:
        return [dict(details)]
    parts = segments(standing, locked, details["count"], is_open=table.is_open)
    return [segment_details(details, part) for part in parts]


def needs_count() -> bool:
    """Tell whether an open table is counted before its box leaves."""
    return bool(house.settings_at(house.now())["drop.count_open"] == "count")


def pull_refusals(table: Table, *, within: timedelta | None = None) -> list[Refusal]:
    """Return why the box of a table may not be pulled now.

    On a run the tray was counted before the run came, so its count may be older: `within`.
    """
    refusals = []
    wait = wait_of(table)
    if wait is not None:
        refusals.append(
            Refusal(
                "hand_is_on",
                f"A hand is in progress. {wait.asked_by} asked you to wait and will say "
                "when it’s over.",
                CONFLICT,
            )
        )
    under_way = Slip.objects.filter(table=table, kind=DROP_PULL, status=SlipStatus.OPEN).first()
    if under_way is not None:
        refusals.append(
            Refusal(
                "pull_under_way",
                f"{under_way.serial} pulls this box. Finish it or void it.",
                CONFLICT,
            )
        )
        return refusals
    count = count_before_pull(table)
    if table.is_open:
        if needs_count():
            refusals.extend(_count_refusals(table, count, within))
    elif count is not None and pulled_on(count.slip.serial):
        refusals.append(
            Refusal(
                "already_pulled",
                f"{table} is closed and its box was pulled. There is no box to pull.",
                CONFLICT,
            )
        )
    elif count is None or count.slip.kind != CLOSER:
        refusals.append(
            Refusal(
                "nothing_to_pull",
                f"{table} wasn’t opened since its box was put on. Leave the box there.",
                CONFLICT,
            )
        )
    standing, locked = standing_on(table)
    if standing is not None and not refusals:
        refusals += compartment_refusals(
            standing,
            locked,
            count.slip.serial if count is not None else None,
            is_open=table.is_open,
            needs_count=needs_count(),
        )
    return refusals


def _count_refusals(
    table: Table, count: TrayCount | None, on_a_run: timedelta | None
) -> list[Refusal]:
    """An open table is counted just before its box leaves, so that win can be told apart."""
    if count is not None and pulled_on(count.slip.serial):
        return [
            Refusal(
                "already_pulled",
                f"The box was pulled on {count.slip.serial}. Count the tray again.",
                CONFLICT,
            )
        ]
    if _is_fresh(table, count, on_a_run):
        return []
    minutes = _within(on_a_run) // timedelta(minutes=1)
    return [
        Refusal(
            "count_first",
            f"{table} stays open, so count the tray first. The dealer and supervisor must sign "
            f"within {minutes} minutes of the pull.",
            CONFLICT,
        )
    ]


def _within(on_a_run: timedelta | None) -> timedelta:
    return on_a_run or timedelta(minutes=house.settings_at(house.now())["count.pull_within"])


def _is_fresh(table: Table, count: TrayCount | None, on_a_run: timedelta | None) -> bool:
    """Tell whether a count is new enough to pull the box of an open table on."""
    counts = (COUNT, SHIFT_COUNT) if on_a_run else (COUNT,)
    return (
        count is not None
        and count.slip.kind in counts
        and (on_a_run is not None or count.tray_sequence == table.tray_sequence)
        and house.now() - count.at <= _within(on_a_run)
    )


def boxes_to_count() -> models.QuerySet[Slip]:
    """Return the boxes that left their tables and whose count no one has begun, oldest first."""
    return Slip.objects.filter(pulled_box__waits=True).order_by("id")


def _demand(person: Person, role: Role, sentence: str) -> None:
    if not may_act_as(house.role_in(person, house.period_at(house.now())), role):
        raise refuse("wrong_role", sentence, NOT_YOURS)


def _demand_dealer(person: Person, table: Table) -> None:
    _demand(
        person, Role.DEALER, "Only the dealer at the table can say whether a hand is in progress."
    )
    dealing = Dealing.objects.filter(table=table, ended_at=None).select_related("dealer").first()
    if dealing is not None and dealing.dealer_id != person.pk:
        raise refuse(
            "other_dealer", f"{dealing.dealer} is the dealer at {table} and has to sign this."
        )


def _tell(table: Table, kind: str, person: Person, device: Device | None, at: datetime) -> None:
    journal.write(
        chain=journal.chain_of(table, journal.HOUSE),
        kind=kind,
        body={"badge": person.badge},
        at=at,
        person=person,
        device=device,
    )
