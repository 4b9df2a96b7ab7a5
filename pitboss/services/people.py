"""People: signed in, lifted for a shift, unlocked."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db import transaction

from pitboss.models import ActingRole, Device, Person, Slip, Visit
from pitboss.rules.canonical import digest
from pitboss.rules.day.gaming_day import Period
from pitboss.rules.refusal import CONFLICT, NOT_YOURS, Refusal, refuse
from pitboss.rules.roles import Role, acting_roles, may_grant, may_unlock
from pitboss.services import house, journal
from pitboss.services.attempts import forgive
from pitboss.services.exceptions import ACTING_MANAGER, NO_SHIFT_MANAGER, open_exception
from pitboss.services.locks import lock_person
from pitboss.services.pins import clean_badge, demand_settled_pin, signed_act
from pitboss.services.source import source


def password_refusals(password: str, person: Person) -> list[Refusal]:
    """Return why a password may not be chosen. None is needed by someone who has one."""
    if not password:
        missing = Refusal("password_missing", "Choose a password too: it opens the site.")
        return [] if person.password else [missing]
    try:
        validate_password(password, person)
    except ValidationError as error:
        return [Refusal("password_weak", sentence) for sentence in error.messages]
    return []


def grant_acting_role(
    *,
    person_id: int,
    role: Role,
    badge: str,
    pin: str,
    device: Device | None,
    until: datetime | None = None,
) -> ActingRole:
    """Let someone act in another role, to a time or until the shift ends, signed by a manager.

    A pit manager grants it up to supervisor, a shift manager up to pit manager, and a shift
    manager who leaves names a pit manager in their place. In surveillance its own manager signs.
    Raises Refused.
    """
    with signed_act(act="grant_acting_role", badge=badge, pin=pin, device=device) as granter:
        now = house.now()
        when = house.period_at(now)
        person = lock_person(person_id)
        if not may_grant(house.role_in(granter, when), Role(person.role), role):
            raise refuse(
                "wrong_role",
                "A pit manager can grant acting rank up to supervisor, a shift manager above that. "
                "In surveillance, only its manager can.",
                NOT_YOURS,
            )
        if person.pk == granter.pk:
            raise refuse(
                "signed_before",
                "You can’t give yourself an acting role. Ask another manager.",
                CONFLICT,
            )
        if not house.may_work(person, when):
            raise refuse(
                "not_employed",
                f"{person} isn’t cleared to work today. Choose someone else.",
                NOT_YOURS,
            )
        demand_settled_pin(granter, now)
        if role not in acting_roles(Role(person.role)) and not _takes_over(person, role):
            raise refuse(
                "role_out_of_reach",
                f"{person} can’t act as {role.label} this shift. Choose another role or person.",
            )
        if until is not None and not now < until <= when.ends:
            raise refuse("bad_time", f"Choose a time later than now and before {shift_ends(when)}.")
        acting = begin_acting(person, role, granter, now, until=until)
        journal.write(
            chain=journal.PEOPLE,
            kind="acting_role_granted",
            body={
                "to": person.badge,
                "role": role.value,
                "shift": when.shift,
                **({"until": until.isoformat()} if until else {}),
            },
            at=now,
            person=granter,
            device=device,
        )
        if role == Role.SHIFT_MANAGER:
            watch_acting_manager(acting, [granter])
    return acting


def _takes_over(person: Person, role: Role) -> bool:
    """Tell whether a pit manager is named by the shift manager who leaves."""
    return role == Role.SHIFT_MANAGER and person.role == Role.PIT_MANAGER.value


def shift_ends(when: Period) -> str:
    """Say when the shift ends, by the clock of the house."""
    return f"{when.ends.astimezone(house.the_property().zone):%H:%M}"


def begin_acting(
    person: Person,
    role: Role,
    granter: Person,
    now: datetime,
    *,
    until: datetime | None = None,
    named_on: Slip | None = None,
) -> ActingRole:
    """Write an acting role of a locked person, unless one holds already. Raises Refused."""
    when = house.period_at(now)
    if house.acting_now(when).filter(person=person).exists():
        raise refuse(
            "already_acting", f"{person} is acting in another role now. End that first.", CONFLICT
        )
    return ActingRole.objects.create(
        person=person,
        gaming_day=when.gaming_day,
        shift=when.shift,
        role=role.value,
        granted_by=granter,
        granted_at=now,
        until=until,
        named_on=named_on,
    )


# Nights in a row without a shift manager after which compliance is told.
_NIGHTS: Final = 3
_LIST_DUE: Final = timedelta(hours=24)


def watch_acting_manager(acting: ActingRole, named_by: Sequence[Person]) -> None:
    """Put what an acting shift manager does on the list of the next one, and count the nights."""
    person, at = acting.person, acting.granted_at
    badges = [person.badge, *(item.badge for item in named_by)]
    open_exception(
        code=ACTING_MANAGER,
        sentence=f"{person} acts as shift manager this shift. Review what they signed.",
        details={"acting": acting.pk, "badges": badges},
        at=at,
        person=person,
        slip=acting.named_on,
        limit_seconds=int(_LIST_DUE.total_seconds()),
    )
    days = [acting.gaming_day - timedelta(days=back) for back in range(_NIGHTS)]
    held = ActingRole.objects.filter(role=Role.SHIFT_MANAGER.value, gaming_day__in=days)
    if held.values("gaming_day").distinct().count() == _NIGHTS:
        open_exception(
            code=NO_SHIFT_MANAGER,
            sentence=f"This is the {_NIGHTS}rd night in a row without a shift manager.",
            details={"gaming_day": acting.gaming_day.isoformat()},
            at=at,
            person=None,
        )


def end_acting_role(*, person_id: int, badge: str, pin: str, device: Device | None) -> ActingRole:
    """End an acting role before its time, signed by who has it or by who may grant it.

    Raises Refused.
    """
    with signed_act(act="end_acting_role", badge=badge, pin=pin, device=device) as actor:
        now = house.now()
        when = house.period_at(now)
        person = lock_person(person_id)
        acting = house.acting_now(when).filter(person=person).select_for_update().first()
        if acting is None:
            raise refuse(
                "not_acting", f"{person} has no acting role now. There is nothing to end.", CONFLICT
            )
        acting.require_seal()
        granting = may_grant(house.role_in(actor, when), Role(person.role), Role(acting.role))
        if actor.pk != person.pk and not granting:
            raise refuse(
                "wrong_role",
                f"Only {person}, or a manager who can grant it, can end this.",
                NOT_YOURS,
            )
        acting.ended_at, acting.ended_by = now, actor
        acting.save(update_fields=["ended_at", "ended_by"])
        journal.write(
            chain=journal.PEOPLE,
            kind="acting_role_ended",
            body={"of": person.badge, "role": acting.role, "shift": acting.shift},
            at=now,
            person=actor,
            device=device,
        )
    return acting


def unlock_badge(*, badge: str, actor_badge: str, actor_pin: str, device: Device | None) -> None:
    """Forgive the wrong attempts of a badge, signed by security or a shift manager.

    Raises Refused.
    """
    with signed_act(act="unlock_badge", badge=actor_badge, pin=actor_pin, device=device) as actor:
        now = house.now()
        badge = clean_badge(badge)
        role = house.role_in(actor, house.period_at(now))
        whose = Person.objects.filter(badge=badge).values_list("role", flat=True).first()
        if not may_unlock(role, Role(whose) if whose else Role.DEALER):
            raise refuse(
                "wrong_role",
                "Security or a shift manager can unlock a badge. For surveillance, accounting, "
                "compliance, audit and IT, a shift manager can’t.",
                NOT_YOURS,
            )
        if actor.badge == badge:
            raise refuse(
                "signed_before",
                "You can’t unlock your own badge. Ask security or a shift manager.",
                CONFLICT,
            )
        forgive(badge=badge)
        journal.write(
            chain=journal.PEOPLE,
            kind="badge_unlocked",
            body={"badge": badge},
            at=now,
            person=actor,
            device=device,
        )


@transaction.atomic(durable=True)
def begin_visit(*, person: Person, device: Device | None, session_key: str = "") -> Visit:
    """Record a log-in. One badge logged in on two devices at once is an exception."""
    lock_person(person.pk)
    now = house.now()
    ended = Visit.objects.filter(device=device, ended_at=None)
    # Unknown devices cannot be told apart: one person there does not end another's visit.
    (ended if device else ended.filter(person=person)).update(ended_at=now)
    elsewhere = (
        Visit.objects.filter(person=person, ended_at=None, began_at__gt=now - timedelta(hours=12))
        .exclude(device=device)
        .select_related("device")
    )
    for other in elsewhere:
        open_exception(
            code="badge_on_two_devices",
            sentence=f"{person} is signed in on two devices: {other.device or 'an unknown device'} "
            f"and {device or 'an unknown device'}.",
            details={
                "badge": person.badge,
                "devices": sorted(
                    [
                        other.device.name if other.device else "unknown",
                        device.name if device else "unknown",
                    ]
                ),
            },
            at=now,
            person=person,
        )
    visit = Visit.objects.create(
        person=person,
        device=device,
        source=source(),
        session_hash=digest(session_key) if session_key else "",
        began_at=now,
    )
    journal.write(
        chain=journal.PEOPLE, kind="logged_in", body={}, at=now, person=person, device=device
    )
    return visit


@transaction.atomic(durable=True)
def end_visit(*, person: Person, device: Device | None) -> None:
    """Record that someone logged out, or was switched for another person."""
    now = house.now()
    ended = Visit.objects.filter(person=person, device=device, ended_at=None).update(ended_at=now)
    if ended:
        journal.write(
            chain=journal.PEOPLE, kind="logged_out", body={}, at=now, person=person, device=device
        )
