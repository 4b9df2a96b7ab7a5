"""The Celery app. A task takes ids and calls a service; what is lost here a sweep finds again."""

from __future__ import annotations

import os
from typing import Any

from celery import Celery, bootsteps
from django.conf import settings

from pitboss.timeouts import BROKER_SECONDS, broker_options

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "pitboss.settings")

app = Celery("pitboss", broker=settings.BROKER_URL)
app.conf.update(
    accept_content=["json"],
    task_serializer="json",
    task_ignore_result=True,
    # A worker that dies in the middle of a task leaves it to the next one; tasks are idempotent.
    task_acks_late=True,
    task_reject_on_worker_lost=True,
    worker_prefetch_multiplier=1,
    task_soft_time_limit=240,
    task_time_limit=300,
    # Longer than any task may take, so that none is handed out twice while it runs.
    broker_transport_options={"visibility_timeout": 900, **broker_options(settings.PROCESS_KIND)},
    broker_connection_timeout=BROKER_SECONDS,
    # However long Redis is away, a worker is there when it comes back.
    broker_connection_max_retries=None,
    # Who has asked for something does not wait for its message: a sweep finds what was not sent.
    task_publish_retry_policy={"max_retries": 1, "interval_start": 0, "interval_step": 0},
    broker_connection_retry_on_startup=True,
    worker_cancel_long_running_tasks_on_connection_loss=True,
    worker_hijack_root_logger=False,
    timezone="UTC",
    beat_scheduler="pitboss.beat:OneBeat",
    # What keeps the record waits for nothing else, and nothing else waits for it: a seal that
    # hangs on its disk, or a verification of years, takes no worker from the floor.
    task_routes={
        "pitboss.write_seal": {"queue": "seals"},
        "pitboss.run_audit": {"queue": "verification"},
        "pitboss.find_audits": {"queue": "verification"},
        "pitboss.digest_days": {"queue": "verification"},
        # Half a minute of a core, once for a set of rules.
        "tables.work_out_edges": {"queue": "verification"},
    },
    # Tests run a task where it is sent, and see its errors.
    task_always_eager=settings.PITBOSS_ENV == "test",
    task_eager_propagates=True,
)
# What the apps add: CELERY_BEAT_SCHEDULE, and whatever a house must set otherwise.
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


class Watch(bootsteps.StartStopStep):
    """Have the keeping of the record watched every minute, by each worker of itself.

    Beat cannot be asked to: what is watched for is, among others, that beat has stopped.
    """

    requires = ("celery.worker.components:Timer",)
    EVERY_SECONDS = 60.0

    def start(self, parent: Any) -> None:
        parent.timer.call_repeatedly(self.EVERY_SECONDS, _send_watch, priority=10)


def _send_watch() -> None:
    # Not tried again: it would hold up the worker, and the next one is a minute away.
    app.send_task("pitboss.watch_record", expires=Watch.EVERY_SECONDS, retry=False)


app.steps["worker"].add(Watch)
