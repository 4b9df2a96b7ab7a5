"""Addresses of meters and jackpots."""

from __future__ import annotations

from django.urls import path

from jackpots import api
from jackpots.views import meters, room, tax_lines, tax_register, withheld
from pitboss.slips.views import moved

urlpatterns = [
    path("jackpots/", room.room, name="jackpots"),
    path("jackpots/poll", room.room_poll, name="jackpots-poll"),
    path("jackpots/report/", room.report, name="jackpot-report"),
    # Where jackpots were entered and reviewed before all kinds were raised in one place.
    path("jackpots/<str:serial>/review/", moved, {"kind": "jackpot_review"}, name="old-review"),
    path("tables/<str:name>/jackpot/", moved, {"kind": "jackpot"}, name="old-jackpot"),
    path("jackpots/<str:serial>/tax/", tax_register.tax_papers, name="tax-papers"),
    path("jackpots/<str:serial>/winner/", withheld.winner, name="winner"),
    path("withheld/", withheld.withheld, name="withheld"),
    path("surveillance/", room.surveillance, name="surveillance"),
    path("surveillance/poll", room.surveillance_poll, name="surveillance-poll"),
    path("api/v1/jackpots", api.Jackpots.as_view(), name="api-jackpots"),
    path("api/v1/jackpots/<str:serial>", api.JackpotRead.as_view(), name="api-jackpot"),
    path(
        "api/v1/checks/<int:check_id>/big-win", api.CheckBigWin.as_view(), name="api-check-big-win"
    ),
    path("api/v1/big-wins", api.BigWins.as_view(), name="api-big-wins"),
    path("api/v1/big-wins/<str:serial>", api.BigWinRead.as_view(), name="api-big-win"),
    path("tax/lines/", tax_lines.tax_lines, name="tax-lines"),
    path("tax/", tax_register.tax_register, name="tax-register"),
    path("tax/forms/<int:form_id>/", tax_register.tax_form, name="tax-form"),
    path("tax/forms/<int:form_id>/winner.pdf", tax_register.tax_pdf_winner, name="tax-pdf-winner"),
    path("tax/forms/<int:form_id>/payer.pdf", tax_register.tax_pdf_payer, name="tax-pdf-payer"),
    path("tax/forms/<int:form>/correct/", moved, {"kind": "tax_correction"}, name="old-correct"),
    path("tax/<int:year>/<str:kind>/export/", tax_register.tax_export, name="tax-export"),
    path("meters/", meters.meters, name="meters"),
    path("meters/poll", meters.meters_poll, name="meters-poll"),
    path("meters/display/", meters.meter_display, name="meter-display"),
    path("meters/display/poll", meters.meter_display_poll, name="meter-display-poll"),
    # Where meters were changed before all kinds were raised in one place.
    path("meters/new/", moved, {"kind": "meter_change"}, name="old-meter-new"),
    path("meters/<int:meter>/terms/", moved, {"kind": "meter_change"}, name="old-meter-terms"),
    path("meters/<int:meter>/amount/", moved, {"kind": "meter_adjustment"}, name="old-amount"),
    path("meters/report/", meters.meter_report, name="meter-report"),
    path("meters/<int:meter_id>/", meters.meter, name="meter"),
    path("meters/<int:meter_id>/read/", meters.meter_read, name="meter-read"),
]
