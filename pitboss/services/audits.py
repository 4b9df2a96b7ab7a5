"""Verify the journal in the background, for somebody who watches how far it is."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import IntegrityError, transaction

from pitboss.models import JournalAudit, JournalEntry, Person
from pitboss.services import house, journal
from pitboss.services.verification import verify

# A verification says how far it is every few seconds; one silent for so long has died.
_SILENCE = timedelta(minutes=5)
_ENDED = "audit_ended"


def ask_audit(*, person: Person) -> JournalAudit:
    """Ask for a verification of the whole record; one under way answers for the next."""
    now = house.now()
    try:
        with transaction.atomic():
            audit = JournalAudit.objects.create(asked_by=person, asked_at=now)
            journal.write(
                chain=journal.HOUSE,
                kind="audit_asked",
                body={"audit": audit.pk},
                at=now,
                person=person,
            )
    except IntegrityError:
        return JournalAudit.objects.get(ended_at=None)
    return audit


def unproven_entries(audit: JournalAudit) -> int:
    """Return how many entries were written since a verification began, but for its own."""
    since = JournalEntry.objects.filter(at__gt=audit.began_at or audit.asked_at)
    return since.exclude(kind=_ENDED).count()


def audit_due(*, now: datetime) -> int | None:
    """Return the audit that nobody works on: asked for, or begun by a worker that died since."""
    audit = JournalAudit.objects.filter(ended_at=None).first()
    if audit is None or (audit.heard_at is not None and now - audit.heard_at < _SILENCE):
        return None
    return audit.pk


def run_audit(audit_id: int) -> None:
    """Verify the record, and say on the way how far it is."""
    if not _begin(audit_id):
        return
    row = JournalAudit.objects.filter(pk=audit_id)

    def say(what: str, done: int, total: int) -> None:
        row.update(doing=what[:60], done=done, total=total, heard_at=house.now())

    report = verify(progress=say)
    with transaction.atomic(durable=True):
        now = house.now()
        audit = JournalAudit.objects.get(pk=audit_id)
        audit.ended_at = now
        audit.looked_at = report.looked_at
        audit.findings = [str(finding)[:500] for finding in report.findings[:100]]
        audit.findings_total = report.findings_total
        audit.save()
        journal.write(
            chain=journal.HOUSE,
            kind=_ENDED,
            body={
                "audit": audit.pk,
                "looked_at": audit.looked_at,
                "wrong": audit.findings_total,
            },
            at=now,
            person=audit.asked_by,
        )


@transaction.atomic(durable=True)
def _begin(audit_id: int) -> bool:
    """Take an audit on, unless another worker has."""
    audit = (
        JournalAudit.objects.select_for_update(skip_locked=True)
        .filter(pk=audit_id, ended_at=None)
        .first()
    )
    now = house.now()
    if audit is None or (audit.heard_at is not None and now - audit.heard_at < _SILENCE):
        return False
    audit.began_at = audit.heard_at = now
    audit.save(update_fields=["began_at", "heard_at"])
    return True
