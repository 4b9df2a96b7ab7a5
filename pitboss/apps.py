"""The site as an app: it loads the Celery app and keeps the database's grants true."""

from __future__ import annotations

from django.apps import AppConfig
from django.conf import settings
from django.db.models.signals import post_migrate, pre_migrate

from pitboss.own_database import refuse_demo


class PitbossConfig(AppConfig):
    name = "pitboss"
    verbose_name = "Pitboss"

    def ready(self) -> None:
        # The Celery app must exist before any task is named, and not before Django is ready.
        from pitboss import celery  # noqa: F401
        from pitboss.flow_book_rows import write_flow_book
        from pitboss.grants import grant_to_site

        # Registers the reports of the desk.
        from pitboss.reports import access, changes, corrections, devices, minutes  # noqa: F401
        from pitboss.services.guard_sheets import keep_guards, look_at_guards
        from pitboss.services.row_seals import seal_unsealed
        from pitboss.slips.kind import find_kinds

        find_kinds()

        pre_migrate.connect(look_at_guards)
        post_migrate.connect(grant_to_site)
        post_migrate.connect(seal_unsealed)
        post_migrate.connect(write_flow_book)
        if settings.PITBOSS_ENV == "production":
            refuse_demo()
        # After the grants of the last app.
        post_migrate.connect(keep_guards)
