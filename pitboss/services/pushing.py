"""Notifications: turned on by a person for their visit, and sent once for each thing that waits.

What is sent is what the inbox shows as theirs, on the device that they signed in on; it ends with
the visit. A notification is marked as sent before it is, so that a worker that dies tells no one
twice: the inbox has it anyway.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from django.urls import reverse

from pitboss import outgoing
from pitboss.models import Device, Person, PushAddress, PushSent, Visit, Waiting
from pitboss.rules.canonical import digest
from pitboss.rules.floor.pushing import address_refusals, bytes_of, lock_screen_words
from pitboss.rules.refusal import CONFLICT, Refusal, Refused, refuse
from pitboss.rules.roles import Role
from pitboss.selectors.waiting import is_for_you, rank_of, waiting_for
from pitboss.services import house, journal
from pitboss.services.visits import open_visits
from pitboss.web_push import Browser, encrypted, headers_for, is_on_the_curve

# Longer no one keeps it: who was called three minutes ago has seen the board.
LASTS: Final = timedelta(minutes=3)
_SENT_AT_ONCE: Final = 8
# The browser has forgotten us, or its person has forbidden us.
_GONE: Final = frozenset({404, 410})


@dataclass(frozen=True, slots=True)
class _Push:
    """A notification to be sent."""

    address_id: int
    browser: Browser
    waiting_id: int
    words: str


def is_on() -> bool:
    """Tell whether the operator lets notifications leave the house."""
    return bool(settings.PUSH_CONTACT and settings.PUSH_SERVICES)


def address_of(session_key: str | None) -> PushAddress | None:
    """Return where the browser of a session is reached, if its person wants that."""
    return PushAddress.objects.filter(visit__in=_visits(session_key)).first()


@transaction.atomic(durable=True)
def turn_on(
    *,
    endpoint: str,
    p256dh: str,
    auth: str,
    session_key: str | None,
    person: Person,
    device: Device | None,
) -> None:
    """Tell a person's browser from now on of what comes for them. Raises Refused."""
    services = settings.PUSH_SERVICES if is_on() else ()
    refusals = list(address_refusals(endpoint, p256dh, auth, services))
    if not refusals and not is_on_the_curve(bytes_of(p256dh)):
        words = "The browser’s keys can’t be read. Turn notifications on again."
        refusals = [Refusal("push_keys_malformed", words)]
    if refusals:
        raise Refused(refusals)
    now = house.now()
    visit = _visits(session_key).select_for_update(of=("self",)).first()
    if visit is None or visit.person_id != person.pk:
        raise refuse("signed_out", "You were signed out. Sign in and try again.", CONFLICT)
    keyed = {"endpoint": endpoint, "p256dh": p256dh, "auth": auth, "since": now}
    address, is_new = PushAddress.objects.update_or_create(visit=visit, defaults=keyed)
    if not is_new:
        return
    # What waits already is on the screen before them.
    waits = waiting_for(person, house.role_in(person, house.period_at(now)))
    PushSent.objects.bulk_create(PushSent(address=address, waiting=wait) for wait in waits)
    _write("push_on", person, device, now)


@transaction.atomic(durable=True)
def turn_off(*, session_key: str | None, person: Person, device: Device | None) -> None:
    """Tell a person's browser of nothing more."""
    ended, _ = PushAddress.objects.filter(visit__in=_visits(session_key)).delete()
    if ended:
        _write("push_off", person, device, house.now())


def send_due(*, now: datetime) -> int:
    """Tell each browser what has come for its person; return how many notifications were taken."""
    if not is_on():
        return 0
    reached = PushAddress.objects.filter(visit__in=open_visits(now)).values_list("pk", flat=True)
    due = [push for address_id in list(reached) for push in _take_due(address_id, now)]
    if not due:
        return 0
    with ThreadPoolExecutor(_SENT_AT_ONCE) as pool:
        answers = list(pool.map(lambda push: _sent(push, now), due))
    gone = {push.address_id for push, status in zip(due, answers, strict=True) if status in _GONE}
    PushAddress.objects.filter(pk__in=gone).delete()
    return sum(200 <= status < 300 for status in answers)


def sweep(*, now: datetime) -> None:
    """Forget the browsers of visits that are over."""
    PushAddress.objects.exclude(visit__in=open_visits(now)).delete()


@transaction.atomic
def _take_due(address_id: int, now: datetime) -> Sequence[_Push]:
    """Return what one browser is to be told, and mark it as told."""
    address = (
        PushAddress.objects.select_for_update(skip_locked=True, of=("self",))
        .select_related("visit__person", "visit__device")
        .filter(pk=address_id)
        .first()
    )
    if address is None:
        return ()
    person, device = address.visit.person, address.visit.device
    role = Role(house.role_in(person, house.period_at(now)))
    waits = [wait for wait in waiting_for(person, role) if is_for_you(wait, role, device)]
    sent = set(address.sent.values_list("waiting", flat=True))
    browser = Browser(address.endpoint, bytes_of(address.p256dh), bytes_of(address.auth))
    due = [
        _Push(address_id, browser, wait.pk, words)
        for wait in waits
        if wait.pk not in sent and (words := _words(wait)) is not None
    ]
    PushSent.objects.bulk_create(
        PushSent(address=address, waiting_id=push.waiting_id) for push in due
    )
    return due


def _words(wait: Waiting) -> str | None:
    return lock_screen_words(rank_of(wait), wait.table.name if wait.table else "")


def _sent(push: _Push, now: datetime) -> int:
    """Send a notification; return the status of the answer, 0 where there is none."""
    fields = {"title": push.words, "tag": str(push.waiting_id), "url": reverse("inbox")}
    body = encrypted(json.dumps(fields).encode(), push.browser)
    headers = headers_for(push.browser, topic=f"w{push.waiting_id}", lasts=LASTS, now=now)
    try:
        return outgoing.post(push.browser.endpoint, body, headers, listed=settings.WEBHOOK_HOSTS)
    except outgoing.NotSent:
        return 0


def _visits(session_key: str | None) -> QuerySet[Visit]:
    visits = Visit.objects.filter(ended_at=None)
    return visits.filter(session_hash=digest(session_key)) if session_key else visits.none()


def _write(kind: str, person: Person, device: Device | None, now: datetime) -> None:
    journal.write(chain=journal.PEOPLE, kind=kind, body={}, at=now, person=person, device=device)
