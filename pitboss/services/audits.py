"""Verify the journal in the background: for who asked and watches how far it is, and by itself."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import IntegrityError, transaction

from pitboss.confidential import without_compliance
from pitboss.models import FloorException, JournalAudit, JournalEntry, Person, Property
from pitboss.rules.canonical import digest
from pitboss.rules.day.verifying import Begun, Reach, due_reach
from pitboss.services import alarms, day_digests, house, journal
from pitboss.services.verification import Position, VerificationReport, verify
from pitboss.services.verification.position import position_text, read

# A verification says how far it is every few seconds; one silent for so long has died.
_SILENCE = timedelta(minutes=5)
_ENDED = "audit_ended"
_HOURLY = JournalAudit.Kind.HOURLY


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


def begin_due(*, now: datetime) -> JournalAudit | None:
    """Begin the verification that is due by itself, unless one is under way."""
    if not Property.objects.exists() or JournalAudit.objects.filter(ended_at=None).exists():
        return None
    begun = JournalAudit.objects.order_by("-asked_at").values_list("asked_at", flat=True)
    reach = due_reach(
        now,
        house.the_property().zone,
        house.settings_at(now).nightly_verification_hour,
        Begun(begun.exclude(kind=_HOURLY).first(), begun.first()),
    )
    if reach is None:
        return None
    kind = JournalAudit.Kind.NIGHTLY if reach is Reach.WHOLE else JournalAudit.Kind.HOURLY
    try:
        with transaction.atomic():
            return JournalAudit.objects.create(kind=kind, asked_at=now)
    except IntegrityError:
        return None


def unproven_entries(audit: JournalAudit) -> int:
    """Return how many entries were written since a verification began, but for its own."""
    since = JournalEntry.objects.filter(at__gt=audit.began_at or audit.asked_at)
    return without_compliance(since).exclude(kind=_ENDED).count()


def audit_due(*, now: datetime) -> int | None:
    """Return the audit that no one works on: asked for, or begun by a worker that died since."""
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
        # In parts of a hundred: how many there are would tell of those that are not told.
        part = done * 100 // total if total else 0
        row.update(doing=what[:60], done=part, total=100, heard_at=house.now())

    audit = row.get()
    since = last_position() if audit.kind == _HOURLY else None
    if since is None:
        # After days without a worker, or at the first run of a house, none was digested yet.
        day_digests.digest_days(now=house.now())
    report = verify(since=since, progress=say)
    _end(audit_id, report)


def last_position() -> Position | None:
    """Return up to where the record was last proven, None when no one can tell."""
    proven = JournalAudit.objects.exclude(position="").order_by("-ended_at", "-id").first()
    return read(proven.position, proven.key_name, proven.mark) if proven else None


@transaction.atomic(durable=True)
def _end(audit_id: int, report: VerificationReport) -> None:
    """Keep what was found, and tell of what no one has answered for yet."""
    now = house.now()
    audit = JournalAudit.objects.get(pk=audit_id)
    audit.ended_at = now
    audit.looked_at = report.looked_at
    audit.findings = [str(finding)[:500] for finding in report.findings[:100]]
    audit.findings_total = report.findings_total
    unanswered = [mark for mark in _marks(report) if mark not in _answered()]
    if not unanswered:
        audit.position, audit.key_name, audit.mark = position_text(report.position)
    audit.save()
    if unanswered:
        first = report.findings[0]
        alarms.sound(
            alarms.RECORD_WRONG,
            f"Faults found in the record: {report.findings_total:,}. "
            f"The first: {first}. See the audit page.",
            {"audit": audit.pk, "marks": unanswered},
            now,
        )
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


def _marks(report: VerificationReport) -> list[str]:
    """Return what each finding is known by, from one verification to the next."""
    return [digest(str(finding))[:16] for finding in report.findings]


def _answered() -> set[str]:
    """Return the findings that someone has answered for: they are not told again."""
    answered = FloorException.objects.filter(
        code=alarms.RECORD_WRONG, resolved_at__isnull=False
    ).values_list("details", flat=True)
    return {mark for details in answered for mark in details["marks"]}


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
