"""The desk as an app of Django. It is the only one of ours that the desk's process loads."""

from __future__ import annotations

from django.apps import AppConfig
from django.db.models.signals import post_migrate


class GroupConfig(AppConfig):
    """Grants the site's role its rights after each migration, as a house does."""

    name = "pitboss.group"
    label = "group"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from pitboss.grants import grant_to_site

        post_migrate.connect(grant_to_site, dispatch_uid="group.grants")
