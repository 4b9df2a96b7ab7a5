"""What the site does in the background. A task takes ids and calls a service, nothing else."""

from __future__ import annotations

from typing import Any

from celery import Task, shared_task
from celery.signals import worker_ready
from django.conf import settings
from django.db import connections

from pitboss.services import (
    accounts,
    attempts,
    audits,
    day_digests,
    escalation,
    heartbeat,
    house,
    once,
    outage_sheets,
    pushing,
    seals,
    watching,
    webhook_sending,
)


# It takes a moment. One that hangs on its disk is ended, and the next minute's tries again.
@shared_task(name="pitboss.write_seal", soft_time_limit=40, time_limit=50)
def write_seal() -> None:
    """Seal the journal, if a seal is due, and bring the seal file up to date."""
    seals.write_seal(now=house.now())


@shared_task(name="pitboss.watch_record")
def watch_record() -> None:
    """Tell audit and surveillance when the record is no longer kept as it should be."""
    watching.watch_record(now=house.now())


@shared_task(name="pitboss.escalate")
def escalate() -> None:
    """Tell the next rank of what has waited too long."""
    escalation.escalate(now=house.now())


@shared_task(name="pitboss.find_overdue_sheets")
def find_overdue_sheets() -> None:
    """Ask for the outage sheets that were not printed again in time."""
    outage_sheets.find_overdue_sheets(now=house.now())


# Years of a record take longer than a task may else: it says every few seconds how far it is.
_LONG_SECONDS = 8 * 3600


@shared_task(name="pitboss.run_audit", soft_time_limit=_LONG_SECONDS, time_limit=_LONG_SECONDS + 60)
def run_audit(audit_id: int) -> None:
    """Verify the journal for someone who asked on the screen."""
    audits.run_audit(audit_id)


@shared_task(name="pitboss.digest_days")
def digest_days() -> None:
    """Digest the days that are over, of what is too much for the journal."""
    day_digests.digest_days(now=house.now())


@shared_task(
    name="pitboss.find_audits", soft_time_limit=_LONG_SECONDS, time_limit=_LONG_SECONDS + 60
)
def find_audits() -> None:
    """Begin an audit that is due, or whose message was lost, or whose worker died."""
    audits.begin_due(now=house.now())
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


@shared_task(name="pitboss.sweep_accounts")
def sweep_accounts() -> None:
    """Suspend accounts that no one uses, and those of people on leave; tell of late reviews."""
    # In the demo no one works every day.
    if not settings.IS_DEMO:
        accounts.sweep_accounts(now=house.now())


@shared_task(name="pitboss.sweep_strays")
def sweep_strays() -> None:
    """Forget the tries with unknown badges whose time is over."""
    attempts.sweep_strays(now=house.now())


# Another system that hangs is given a few seconds each; the next message goes on from there.
@shared_task(name="pitboss.send_webhooks", soft_time_limit=100, time_limit=120)
def send_webhooks() -> None:
    """Send to other systems what the outbox has for them."""
    webhook_sending.send_due(now=house.now())


@shared_task(name="pitboss.sweep_webhooks")
def sweep_webhooks() -> None:
    """Forget what was sent to other systems a month ago."""
    webhook_sending.sweep(now=house.now())


# As a webhook that hangs: a few seconds each, eight at a time.
@shared_task(name="pitboss.send_pushes", soft_time_limit=100, time_limit=120)
def send_pushes() -> None:
    """Tell devices that are put away what has come for their people."""
    pushing.send_due(now=house.now())


@shared_task(name="pitboss.sweep_pushes")
def sweep_pushes() -> None:
    """Forget the browsers of people who have signed out."""
    pushing.sweep(now=house.now())


@worker_ready.connect
def _first_beat(sender: Any, **_: Any) -> None:
    """Be seen at once, not only when the first periodic task comes round."""
    try:
        heartbeat.beat_heart(worker=sender.hostname, now=house.now())
        write_seal.apply_async(expires=60, retry=False)
    finally:
        # The pool forks from this process; no child may inherit its connection.
        connections.close_all()
