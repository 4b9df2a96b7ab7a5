"""The site as an app: it loads the Celery app and keeps the database's grants true."""

from __future__ import annotations

from django.apps import AppConfig
from django.db.models.signals import post_migrate


class PitbossConfig(AppConfig):
    name = "pitboss"
    verbose_name = "Pitboss"

    def ready(self) -> None:
        # The Celery app must exist before any task is named, and not before Django is ready.
        from pitboss import celery  # noqa: F401
        from pitboss.grants import grant_to_site

        # Registers the reports of the desk, and the effects that flows name.
        from pitboss.reports import access, changes, devices, minutes  # noqa: F401
        from pitboss.services import (  # noqa: F401
            limits,
            setting_changes,
            staffing,
            table_changes,
        )

        post_migrate.connect(grant_to_site)
