"""What the site does in the background. A task takes ids and calls a service, nothing else."""

from __future__ import annotations

from typing import Any

from celery import Task, shared_task
from celery.signals import worker_ready
from django.db import connections

from pitboss.services import audits, escalation, heartbeat, house, once, seals


@shared_task(name="pitboss.write_seal")
def write_seal() -> None:
    """Seal the journal, if a seal is due, and bring the seal file up to date."""
    seals.write_seal(now=house.now())


@shared_task(name="pitboss.escalate")
def escalate() -> None:
    """Tell the next rank of what has waited too long."""
    escalation.escalate(now=house.now())


@shared_task(name="pitboss.run_audit")
def run_audit(audit_id: int) -> None:
    """Verify the journal for somebody who asked on the screen."""
    audits.run_audit(audit_id)


@shared_task(name="pitboss.find_audits")
def find_audits() -> None:
    """Begin an audit whose message was lost, or whose worker died."""
    due = audits.audit_due(now=house.now())
    if due is not None:
        audits.run_audit(due)


@shared_task(name="pitboss.beat_heart", bind=True)
def beat_heart(self: Task[Any, None]) -> None:
    """Note that this worker is alive. That it runs at all shows that beat and broker are, too."""
    heartbeat.beat_heart(worker=self.request.hostname or "eager", now=house.now())


@shared_task(name="pitboss.sweep_answers")
def sweep_answers() -> None:
    """Forget the answers that were kept for a resend and are a week old."""
    once.sweep_answers(now=house.now())


@worker_ready.connect
def _first_beat(sender: Any, **_: Any) -> None:
    """Be seen at once, not only when the first periodic task comes round."""
    try:
        heartbeat.beat_heart(worker=sender.hostname, now=house.now())
    finally:
        # The pool forks from this process; no child may inherit its connection.
        connections.close_all()
