"""The admin: every row, for auditors and administrators to read, and nothing to write.

A slip moves by `sign` alone. An admin that could write would be a way round four eyes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

from django.apps import apps
from django.contrib import admin
from django.contrib.auth import REDIRECT_FIELD_NAME
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.db import models
from django.http import HttpRequest, HttpResponse

from pitboss.confidential import COMPLIANCE_ONLY, SECRET_COLUMNS
from pitboss.rules.roles import Role
from pitboss.services import house

READERS = frozenset({Role.AUDITOR, Role.ADMINISTRATOR})


class ReadingRoom(admin.AdminSite):
    """An admin site that only shows."""

    site_header = site_title = "Pitboss records"
    index_title = "Every row, to read"
    site_url = "/"
    enable_nav_sidebar = False

    def has_permission(self, request: HttpRequest) -> bool:
        person = request.user
        if not person.is_authenticated:
            return False
        role = house.role_in(person, house.period_at(house.now()))
        return role in READERS

    def password_change(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> NoReturn:
        """Refuse: nothing is written from here, a password neither."""
        raise PermissionDenied("Nothing is changed here.")

    def login(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Send strangers to the one door there is: it counts attempts and locks."""
        wanted = request.GET.get(REDIRECT_FIELD_NAME, request.get_full_path())
        return redirect_to_login(wanted)


if TYPE_CHECKING:
    _ModelAdmin = admin.ModelAdmin[models.Model]
else:
    _ModelAdmin = admin.ModelAdmin


class Shown(_ModelAdmin):
    """A model to read: no adding, changing, deleting, and no actions."""

    actions = None
    list_per_page = 50
    show_full_result_count = False
    ordering = ("-pk",)

    def get_fields(self, request: HttpRequest, obj: models.Model | None = None) -> tuple[str, ...]:
        return tuple(
            field.name
            for field in self.model._meta.concrete_fields
            if field.name not in SECRET_COLUMNS
        )

    def get_readonly_fields(
        self, request: HttpRequest, obj: models.Model | None = None
    ) -> tuple[str, ...]:
        return self.get_fields(request, obj)

    def get_queryset(self, request: HttpRequest) -> models.QuerySet[models.Model]:
        foreign = [f.name for f in self.model._meta.concrete_fields if f.is_relation]
        return self.model._default_manager.select_related(*foreign).order_by(*self.ordering)

    def has_view_permission(self, request: HttpRequest, obj: models.Model | None = None) -> bool:
        return reading_room.has_permission(request)

    def has_module_permission(self, request: HttpRequest) -> bool:
        return reading_room.has_permission(request)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: models.Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: models.Model | None = None) -> bool:
        return False


reading_room = ReadingRoom(name="admin")
for _app in ("pitboss", "tables", "inventory", "jackpots"):
    for _model in apps.get_app_config(_app).get_models():
        if _model._meta.label not in COMPLIANCE_ONLY:
            reading_room.register(_model, Shown)
