"""The Celery app. A task takes ids and calls a service; what is lost here a sweep finds again."""

from __future__ import annotations

import os

from celery import Celery
from django.conf import settings

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
    broker_transport_options={"visibility_timeout": 900},
    broker_connection_retry_on_startup=True,
    worker_cancel_long_running_tasks_on_connection_loss=True,
    worker_hijack_root_logger=False,
    timezone="UTC",
    beat_scheduler="pitboss.beat:OneBeat",
    # Tests run a task where it is sent, and see its errors.
    task_always_eager=settings.PITBOSS_ENV == "test",
    task_eager_propagates=True,
)
# What the apps add: CELERY_BEAT_SCHEDULE, and whatever a house must set otherwise.
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
