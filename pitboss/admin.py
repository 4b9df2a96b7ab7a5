"""The admin: rows for auditors to read, some of them for administrators, and nothing to write.

A slip moves by `sign` alone. An admin that could write would be a way round four eyes.
"""

from __future__ import annotations

from functools import update_wrapper
from typing import TYPE_CHECKING, Any, NoReturn

from django.apps import apps
from django.contrib import admin
from django.contrib.auth import REDIRECT_FIELD_NAME
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.db import models
from django.http import HttpRequest, HttpResponse

from pitboss.confidential import (
    ADMINISTRATORS_READ,
    COMPLIANCE_ONLY,
    shown_columns,
    without_compliance,
)
from pitboss.rules.roles import Role
from pitboss.standby import from_standby, is_only_read, rendered

READERS = frozenset({Role.AUDITOR, Role.ADMINISTRATOR})


def reader_of(request: Any) -> Role | None:
    """Return who reads, in the role of this shift; no one for a stranger."""
    return request.role if request.user.is_authenticated else None


class ReadingRoom(admin.AdminSite):
    """An admin site that only shows."""

    site_header = site_title = "Pitboss records"
    index_title = "All records (read only)"
    site_url = "/"
    enable_nav_sidebar = False

    def has_permission(self, request: HttpRequest) -> bool:
        return reader_of(request) in READERS

    def admin_view(self, view: Any, cacheable: bool = False) -> Any:
        """Refuse whoever is signed in and reads no records; strangers are sent to the door."""
        inner = super().admin_view(view, cacheable)

        def checked(request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
            if request.user.is_authenticated and not self.has_permission(request):
                raise PermissionDenied("Records are read by auditors and administrators.")
            if not is_only_read(request):
                return inner(request, *args, **kwargs)
            return from_standby(lambda: rendered(inner(request, *args, **kwargs)))

        return update_wrapper(checked, inner)

    def password_change(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> NoReturn:
        """Refuse: nothing is written from here, a password neither."""
        raise PermissionDenied("Nothing can be changed here.")

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
        return tuple(field.name for field in shown_columns(self.model))

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:
        """Filter by what is shown, and by the whole of it: no part of a hidden column is guessed.

        What another row says is asked of that row.
        """
        column, _, how = lookup.partition("__")
        shown = {name for item in shown_columns(self.model) for name in (item.name, item.attname)}
        return column in shown and how in ("", "exact", "id__exact", "pk__exact")

    def get_readonly_fields(
        self, request: HttpRequest, obj: models.Model | None = None
    ) -> tuple[str, ...]:
        return self.get_fields(request, obj)

    def get_queryset(self, request: HttpRequest) -> models.QuerySet[models.Model]:
        foreign = [f.name for f in self.model._meta.concrete_fields if f.is_relation]
        rows = self.model._default_manager.select_related(*foreign).order_by(*self.ordering)
        return without_compliance(rows)

    def has_view_permission(self, request: HttpRequest, obj: models.Model | None = None) -> bool:
        role = reader_of(request)
        if role == Role.ADMINISTRATOR:
            return self.model._meta.label in ADMINISTRATORS_READ
        return role in READERS

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
