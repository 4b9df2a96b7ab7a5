"""What goes to compliance: who a stranger was, and notes that no one else reads."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from django.db import models, transaction

from inventory.models import (
    NoteReading,
    Patron,
    Stranger,
    StrangerMatch,
    SuspicionNote,
)
from inventory.selectors.cash_log import DayPerson, is_confirmed, latest_match
from inventory.selectors.patrons import root_of
from inventory.services.currency_reports import watch
from inventory.services.same_patrons import join_refusals
from pitboss.ciphers import Place, decrypt, encrypt
from pitboss.confidential import COMPLIANCE_CHAIN
from pitboss.models import Device, Person, Table
from pitboss.rules.patrons.cash_log import Direction
from pitboss.rules.patrons.compliance import MatchFacts, match_refusals, note_refusals
from pitboss.rules.refusal import CONFLICT, NOT_YOURS, Refused, refuse
from pitboss.rules.roles import Role
from pitboss.services import house, journal
from pitboss.services.locks import lock_cash_of, lock_request
from pitboss.services.pins import signed_act
from pitboss.services.signing import Pen


def match_stranger(
    *, stranger: Stranger, patron: Patron | None, reason: str, pen: Pen
) -> StrangerMatch:
    """Say who a described person was, or that they were not who was said. Raises Refused.

    Their cash then counts with the patron's, and a report opens where the two together call for it.
    Their play counts once a pit manager has signed the same match on the same gaming day.
    """
    with signed_act(
        act="match_stranger", badge=pen.badge, pin=pen.pin, device=pen.device
    ) as person:
        now = house.now()
        reason = reason.strip()
        lock_request(pen.request_id)
        lock_cash_of(f"stranger:{stranger.pk}")
        stands = latest_match(stranger)
        was = stands.patron if stands is not None else None
        # Of two patrons, the lower number first.
        for item in sorted({root_of(p.pk) for p in (was, patron) if p is not None}):
            lock_cash_of(f"patron:{item}")
        earlier = StrangerMatch.objects.filter(request_id=pen.request_id).first()
        if earlier is not None:
            if (earlier.stranger_id, earlier.patron) == (stranger.pk, patron):
                return earlier  # A second tap, or a resend after a lost answer.
            raise refuse(
                "request_reused",
                "This form was already sent with something else in it. Reload the page.",
                CONFLICT,
            )
        refusals = match_refusals(
            MatchFacts(
                person_id=person.pk,
                role=house.role_in(person, house.period_at(now)),
                reason=reason,
                patron_id=patron.pk if patron else None,
                stands_patron_id=was.pk if was else None,
                stands_by_id=stands.matched_by_id if stands else None,
                is_confirmed=is_confirmed(stranger),
                is_same_day=house.period_at(now).gaming_day == stranger.gaming_day,
            )
        )
        if patron is not None:
            refusals += join_refusals(patron, stranger=stranger)
        if refusals:
            raise Refused(refusals)
        match = StrangerMatch.objects.create(
            stranger=stranger,
            patron=patron,
            reason=reason,
            matched_by=person,
            matched_at=now,
            request_id=pen.request_id,
        )
        journal.write(
            chain=journal.PEOPLE,
            kind="stranger_matched",
            body={
                "stranger": stranger.pk,
                "patron": patron.pk if patron else None,
                "instead_of": was.pk if was else None,
                "reason": reason,
            },
            at=now,
            person=person,
            device=pen.device,
            rows=[match, *_watch_both(stranger, (was, patron), now)],
        )
        return match


def _watch_both(
    stranger: Stranger, patrons: tuple[Patron | None, Patron | None], at: datetime
) -> list[models.Model]:
    """Open every report that parting or joining people's cash calls for."""
    day = stranger.gaming_day
    people = [DayPerson(patron) if patron else DayPerson(None, stranger) for patron in patrons]
    return [
        row for who in people for direction in Direction for row in watch(who, day, direction, at)
    ]


def write_note(
    *,
    text: str,
    pen: Pen,
    table: Table | None = None,
    patron: Patron | None = None,
    stranger: Stranger | None = None,
) -> SuspicionNote:
    """Keep what someone saw, for compliance alone. Raises Refused.

    A chain of the journal that compliance alone knows of says that it was written, not what.
    """
    with signed_act(
        act="compliance_note",
        badge=pen.badge,
        pin=pen.pin,
        device=pen.device,
        chain=COMPLIANCE_CHAIN,
    ) as person:
        lock_request(pen.request_id)
        now = house.now()
        earlier = SuspicionNote.objects.filter(request_id=pen.request_id).first()
        if earlier is not None:
            if _words(earlier) == text.strip():
                return earlier  # A second tap, or a resend after a lost answer.
            raise refuse(
                "request_reused",
                "This form was already sent with something else in it. Reload the page.",
                CONFLICT,
            )
        when = house.period_at(now)
        refusals = note_refusals(house.role_in(person, when), text.strip())
        if refusals:
            raise Refused(refusals)
        note = SuspicionNote.objects.create(
            text_cipher=encrypt(text.strip().encode(), text_place(pen.request_id)),
            patron=patron,
            stranger=stranger,
            table=table,
            gaming_day=when.gaming_day,
            written_by=person,
            written_at=now,
            request_id=pen.request_id,
        )
        journal.write(
            chain=COMPLIANCE_CHAIN,
            kind="compliance_note",
            body={},
            at=now,
            person=person,
            device=pen.device,
            rows=[note],
        )
        return note


@transaction.atomic(durable=True)
def read_note(*, note: SuspicionNote, reader: Person, device: Device | None) -> str:
    """Return the words of a note to compliance, and keep that they were read. Raises Refused."""
    now = house.now()
    if house.role_in(reader, house.period_at(now)) != Role.COMPLIANCE:
        raise refuse("wrong_role", "Only compliance can read this.", NOT_YOURS)
    reading = NoteReading.objects.create(note=note, read_by=reader, read_at=now)
    journal.write(
        chain=COMPLIANCE_CHAIN,
        kind="compliance_note_read",
        body={"note": note.pk},
        at=now,
        person=reader,
        device=device,
        rows=[reading],
    )
    return _words(note)


def _words(note: SuspicionNote) -> str:
    return decrypt(note.text_cipher, text_place(note.request_id)).decode()


def text_place(request_id: UUID) -> Place:
    """Return the place that a note's words are bound to."""
    return SuspicionNote._meta.label, request_id, "text"
