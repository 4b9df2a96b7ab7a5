"""Accounts: suspended when no one uses them, and while someone is on leave; back by two people."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime

from django.db import transaction

from pitboss.models import AccountEvent, Person, Slip, Visit
from pitboss.rules.people.access_review import DEPARTMENTS, quarter_of
from pitboss.rules.people.dormant import AccountStep, Why
from pitboss.rules.roles import Role, can_be_managed
from pitboss.selectors.access_reviews import unfinished
from pitboss.selectors.accounts import begun_at, last_use, standing_of, with_last_use
from pitboss.services import house, journal
from pitboss.services.exceptions import ACCESS_REVIEW_LATE, ACCOUNT_DORMANT, open_exception
from pitboss.services.locks import lock_person, lock_staff
from pitboss.services.staff_words import compare_told
from pitboss.services.staffing import staffing_refusals_of
from pitboss.services.visits import end_sessions


def sweep_accounts(*, now: datetime) -> None:
    """Note who is new, let leaves begin and end, suspend what no one uses, tell of late reviews.

    Safe to run twice: each account is looked at under its lock.
    """
    _note_the_new(now)
    for person_id in Person.objects.order_by("pk").values_list("pk", flat=True):
        _look_at(person_id, now)
    _tell_of_late_reviews(now)


@transaction.atomic(durable=True)
def _note_the_new(now: datetime) -> None:
    lock_staff()
    new = Person.objects.exclude(account_events__step=AccountStep.KNOWN.value).order_by("pk")
    events = [_event(person, AccountStep.KNOWN, now) for person in new]
    if events:
        _write("accounts_known", {"people": [event.person_id for event in events]}, now, events)


@transaction.atomic(durable=True)
def _look_at(person_id: int, now: datetime) -> None:
    """Suspend one account, or restore it after a leave, if it is time."""
    lock_staff()
    lock_person(person_id)
    person = with_last_use(Person.objects.filter(pk=person_id)).get()
    standing, today = standing_of(person_id), house.period_at(now).gaming_day
    leave = standing.leave_on(today)
    stopped = standing.last if standing.is_stopped else None
    if stopped is not None and stopped.why == Why.ON_LEAVE.value and leave is None:
        restore(person, now, why=Why.ON_LEAVE)
    elif person.is_active and leave is not None:
        stop(person, AccountStep.SUSPENDED, Why.ON_LEAVE, now)
    elif person.is_active and standing.known_since is not None:
        dormancy = house.settings_at(now).dormancy
        why = dormancy.why(standing.known_since, last_use(person), standing.back_since, now)
        if why is not None:
            _suspend(person, why, now)


def _suspend(person: Person, why: Why, now: datetime) -> None:
    """Suspend an unused account; where the house could not do without it, only tell of it."""
    refusals = staffing_refusals_of([(person, None)])
    able = house.able_people()
    if person.pin_hash:
        able[Role(person.role)] -= 1
    if not refusals and can_be_managed(Role(person.role), able):
        stop(person, AccountStep.SUSPENDED, why, now)
        words = (
            f"{person}: account {why.label} for too long and suspended. Two managers restore it."
        )
    else:
        words = (
            f"{person}: account {why.label} for too long. The house can’t do without it, so it "
            "wasn’t suspended. Remove access, or have them sign in."
        )
    open_exception(
        code=ACCOUNT_DORMANT,
        sentence=words,
        details={"badge": person.badge, "why": why.value},
        at=now,
        person=person,
    )


def stop(
    person: Person, step: AccountStep, why: Why, now: datetime, slip: Slip | None = None
) -> AccountEvent:
    """Stop an account at once, with its sessions. The caller holds staff and person.

    What a slip does its own entry of the journal vouches for.
    """
    Person.objects.filter(pk=person.pk).update(is_active=False)
    end_sessions(Visit.objects.filter(person=person, ended_at=None), now)
    event = _event(person, step, now, why=why, slip=slip)
    if slip is None:
        body = {"of": person.badge, "why": why.value}
        _write("account_suspended", body, now, [event])
    return event


def restore(
    person: Person, now: datetime, *, why: Why | None = None, slip: Slip | None = None
) -> AccountEvent:
    """Let an account be used again. The caller holds the person."""
    Person.objects.filter(pk=person.pk).update(is_active=True)
    event = _event(person, AccountStep.RESTORED, now, why=why, slip=slip)
    if slip is None:
        _write("account_restored", {"of": person.badge}, now, [event])
    compare_told(person.employee_number, at=now)
    return event


def _event(
    person: Person,
    step: AccountStep,
    at: datetime,
    *,
    why: Why | None = None,
    slip: Slip | None = None,
) -> AccountEvent:
    return AccountEvent.objects.create(
        person=person, step=step.value, why=why.value if why else "", slip=slip, at=at
    )


def _write(
    kind: str, body: Mapping[str, object], at: datetime, rows: Iterable[AccountEvent]
) -> None:
    journal.write(chain=journal.PEOPLE, kind=kind, body=body, at=at, rows=rows)


def _tell_of_late_reviews(now: datetime) -> None:
    """Tell accounting of departments whose review of a quarter is two weeks overdue."""
    begun, today = begun_at(), house.period_at(now).gaming_day
    quarter = quarter_of(today).before
    if begun is None or house.period_at(begun).gaming_day > quarter.last_day:
        return
    if not quarter.is_overdue(today):
        return
    for name in unfinished(quarter):
        open_exception(
            code=ACCESS_REVIEW_LATE,
            sentence=f"The access review of {DEPARTMENTS[name].title} for {quarter.label} is "
            "overdue. The department head and compliance must sign it.",
            details={"department": name, "quarter": str(quarter)},
            at=now,
            person=None,
        )
