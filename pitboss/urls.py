"""Addresses of the site. Each app brings its own."""

from __future__ import annotations

from django.conf import settings
from django.urls import include, path

from pitboss.admin import reading_room
from pitboss.api_devices import Enrol
from pitboss.views import (
    api_docs,
    audit,
    demo,
    door,
    errors,
    floor,
    health,
    house,
    inbox,
    limits,
    paper,
    people,
    reports,
    setup,
    slips,
    staffing,
)

urlpatterns = [
    path("", door.home, name="home"),
    path("setup/", setup.setup, name="setup"),
    path("login/", door.login, name="login"),
    path("logout/", door.logout, name="logout"),
    path("lock/", door.lock, name="lock"),
    path("unlock/", door.unlock, name="unlock"),
    path("badge/", door.badge_name, name="badge-name"),
    path("pin/", door.pin_enrol, name="pin-enrol"),
    path("device/", door.device_enrol, name="device-enrol"),
    path("devices/", people.devices, name="devices"),
    path("devices/<int:device_id>/renew", people.device_renew, name="device-renew"),
    path("devices/<int:device_id>/revoke", people.device_revoke, name="device-revoke"),
    path("people/", people.people, name="people"),
    path("people/new/", staffing.person_new, name="person-new"),
    path("people/import/", staffing.people_import, name="people-import"),
    path("people/roles/", staffing.roles, name="roles"),
    path("people/propose", staffing.people_propose, name="people-propose"),
    path("people/<int:person_id>/", staffing.person_edit, name="person-edit"),
    path("people/<int:person_id>/leave", staffing.person_leave, name="person-leave"),
    path("people/<int:person_id>/limits/", limits.person_limits, name="person-limits"),
    path("people/<int:person_id>/limits/propose", limits.limit_propose, name="limit-propose"),
    path("people/<int:person_id>/pin", people.pin_offer, name="pin-offer"),
    path("people/<int:person_id>/acting", people.acting_role, name="acting-role"),
    path("people/<int:person_id>/unlock", people.badge_unlock, name="badge-unlock"),
    path("house/", house.settings_list, name="house"),
    path("house/first-steps/", house.first_steps_list, name="first-steps"),
    path("house/tables/", floor.tables, name="house-tables"),
    path("house/tables/new/", floor.table_new, name="table-new"),
    path("house/tables/edges", floor.table_edges, name="table-edges"),
    path("house/tables/propose", floor.table_propose, name="table-propose"),
    path("house/tables/<str:name>/", floor.table_edit, name="table-edit"),
    path("house/<str:key>/", house.setting, name="setting"),
    path("house/<str:key>/propose", house.setting_propose, name="setting-propose"),
    path("inbox/", inbox.inbox, name="inbox"),
    path("inbox/poll", inbox.inbox_poll, name="inbox-poll"),
    path("inbox/acknowledge/", inbox.acknowledge_ticked, name="acknowledge"),
    path("exceptions/<int:exception_id>/", inbox.exception, name="exception"),
    path("slips/<str:serial>/", slips.slip, name="slip"),
    path("slips/<str:serial>/sign/<str:track>/<str:step>", slips.slip_sign, name="slip-sign"),
    path("slips/<str:serial>/pdf", paper.slip_pdf, name="slip-pdf"),
    path("slips/<str:serial>/print", paper.slip_print, name="slip-print"),
    path("api/v1/enrol", Enrol.as_view(), name="api-enrol"),
    path("api/v1/schema/", api_docs.schema, name="api-schema"),
    path("api/v1/docs/", api_docs.docs, name="api-docs"),
    path("audit/", audit.audit, name="audit"),
    path("audit/state", audit.audit_state, name="audit-state"),
    path("audit/verify", audit.audit_verify, name="audit-verify"),
    path("audit/export", audit.audit_export, name="audit-export"),
    path("reports/", reports.reports, name="reports"),
    path("reports/<str:report>/", reports.report, name="report"),
    path("reports/<str:report>/pdf", reports.report_on_paper, name="report-pdf"),
    path("reports/<str:report>/csv", reports.report_file, name="report-csv"),
    path("healthz", health.healthz, name="healthz"),
    path("records/", reading_room.urls),
    path("", include("tables.urls")),
    path("", include("inventory.urls")),
    path("", include("jackpots.urls")),
]
if settings.IS_DEMO:
    urlpatterns += demo.urlpatterns

handler400 = errors.bad_request
handler403 = errors.forbidden
handler404 = errors.not_found
handler500 = errors.broken
