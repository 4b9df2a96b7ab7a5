"""What waits for whom, since when. One query for the inbox, the board's badges and escalation."""

from __future__ import annotations

from functools import cache
from typing import Any

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import OuterRef, Q, QuerySet

from pitboss.models import Device, FloorException, Person, Pit, Signature, Slip, Waiting
from pitboss.models.plain import attnames, columns, in_one_trip, read_row
from pitboss.rules.floor.ranking import urgency_of
from pitboss.rules.floor.urgency import Asks, Here, Urgency, can_do
from pitboss.rules.flows.flows import repeatable
from pitboss.rules.roles import Place, Role


def waiting_now() -> QuerySet[Waiting]:
    """Return everything that waits, longest first."""
    return Waiting.objects.filter(until=None).order_by("since", "id")


def waiting_for(person: Person, role: Role) -> list[Waiting]:
    """Return what waits for a person: steps that name their role, and that they may still sign.

    Anyone who signed a slip before is not asked again, unless the step says so. What has waited too
    long for others shows here too.
    """
    waits = (
        waiting_now()
        .filter(_names(role))
        .select_related("slip__table__pit", "exception__table", "exception__slip", "table", "pit")
        .prefetch_related("slip__signatures")
    )
    return [
        wait
        for wait in waits
        if not _is_barred(
            person,
            wait,
            {s.step for s in wait.slip.signatures.all() if s.person_id == person.pk}
            if wait.slip
            else set(),
        )
    ]


def waiting_around(pit: Pit, person: Person, role: Role) -> tuple[list[Waiting], list[Waiting]]:
    """Return what waits at a pit's tables, and what of all that waits is for a person. One query.

    The board asks for both every time that something happens in the pit.
    """
    signed = Signature.objects.filter(slip=OuterRef("slip"), person=person)
    waits = _with_steps(waiting_now().filter(Q(table__pit=pit) | _names(role))).annotate(
        own_steps=ArraySubquery(signed.values("step"))
    )
    of_pit: list[Waiting] = []
    for_person: list[Waiting] = []
    for wait in waits:
        if wait.table is not None and wait.table.pit_id == pit.pk:
            of_pit.append(wait)
        is_named = role.value in (*wait.by, *wait.escalated_to)
        if is_named and not _is_barred(person, wait, set(wait.own_steps)):
            for_person.append(wait)
    return of_pit, for_person


def waiting_in(pit: Pit) -> list[Waiting]:
    """Return what waits at a pit's tables, each with the steps that its slip has behind it."""
    return list(_with_steps(waiting_now().filter(table__pit=pit)))


def _with_steps(waits: QuerySet[Waiting]) -> QuerySet[Waiting]:
    signed = Signature.objects.filter(slip=OuterRef("slip")).values("step")
    return waits.select_related("slip", "exception", "table").annotate(
        signed_steps=ArraySubquery(signed)
    )


def _names(role: Role) -> Q:
    return Q(by__contains=[role.value]) | Q(escalated_to__contains=[role.value])


def _is_barred(person: Person, wait: Waiting, own: set[str]) -> bool:
    if wait.slip is None:
        return wait.exception is not None and wait.exception.opened_by_id == person.pk
    planned = next(step for step in wait.slip.plan if step["name"] == wait.step)
    return bool(own - repeatable(planned))


def rank_of(wait: Waiting) -> Urgency:
    """Return how urgent something that waits is."""
    if wait.exception is not None:
        return urgency_of(code=wait.exception.code)
    assert wait.slip is not None
    return urgency_of(kind=wait.slip.kind, step=wait.step)


def is_done_here(wait: Waiting, role: Role, device: Device | None) -> bool:
    """Tell whether a role can do what waits on this device."""
    asks = Asks(
        by=[Role(item) for item in wait.by],
        place=Place(wait.place) if wait.place else None,
        pit_id=wait.pit_id,
        code=wait.exception.code if wait.exception else "",
    )
    if device is None:
        return can_do(asks, Here(role, None))
    return can_do(asks, Here(role, Place(device.place), device.pit_id))


def is_for_you(wait: Waiting, role: Role, device: Device | None) -> bool:
    """Tell whether something is on someone's list here: to do, or to see that others do it."""
    return role.value in wait.escalated_to or is_done_here(wait, role, device)


def count_waiting_for(person: Person, role: Role, device: Device | None) -> int:
    """Return the number on the inbox's badge: what this person can do on this device."""
    (rows,) = in_one_trip((_asking_what_waits(), [person.pk, [role.value], [role.value]]))
    waits = [_read_wait(row) for row in rows]
    return sum(
        is_for_you(wait, role, device) for wait, own in waits if not _is_barred(person, wait, own)
    )


# Of a slip and of an exception, what decides whether a person is asked.
_OF_THE_SLIP = ("id", "plan")
_OF_THE_EXCEPTION = ("id", "code", "opened_by_id")


@cache
def _asking_what_waits() -> str:
    """Return the question of the badge that every page carries: what `waiting_for` reads of it."""
    return f"""
        SELECT {columns(Waiting, "waits")}, {columns(Slip, "slip", _OF_THE_SLIP)},
            {columns(FloorException, "exception", _OF_THE_EXCEPTION)},
            ARRAY(SELECT signed.step FROM pitboss_signature AS signed
                  WHERE signed.slip_id = waits.slip_id AND signed.person_id = %s)
        FROM pitboss_waiting AS waits
        LEFT JOIN pitboss_slip AS slip ON slip.id = waits.slip_id
        LEFT JOIN pitboss_floorexception AS exception ON exception.id = waits.exception_id
        WHERE waits.until IS NULL
          AND (waits.by @> %s::varchar[] OR waits.escalated_to @> %s::varchar[])
    """


def _read_wait(row: tuple[Any, ...]) -> tuple[Waiting, set[str]]:
    """Return something that waits, and the steps of it that the person who asks has signed."""
    slip_at = len(attnames(Waiting))
    exception_at = slip_at + len(_OF_THE_SLIP)
    wait = read_row(Waiting, row)
    assert wait is not None, "what waits has an id"
    wait.slip = read_row(Slip, row[slip_at:], _OF_THE_SLIP)
    wait.exception = read_row(FloorException, row[exception_at:], _OF_THE_EXCEPTION)
    return wait, set(row[-1])


def waiting_at(place: Place) -> QuerySet[Waiting]:
    """Return what waits for a signature at a place: the queue of the cage, of security."""
    return waiting_now().filter(place=place.value)
