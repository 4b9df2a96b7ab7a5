"""Addresses of meters and jackpots."""

from __future__ import annotations

from django.urls import path

from jackpots import api
from jackpots.views import entry, meter_papers, meters, reviews, room, tax_papers, tax_register

urlpatterns = [
    path("jackpots/", room.room, name="jackpots"),
    path("jackpots/poll", room.room_poll, name="jackpots-poll"),
    path("jackpots/report/", room.report, name="jackpot-report"),
    path("jackpots/<str:serial>/review/", reviews.jackpot_review, name="jackpot-review"),
    path("jackpots/<str:serial>/tax/", tax_papers.tax_papers, name="tax-papers"),
    path("tables/<str:name>/jackpot/", entry.jackpot_new, name="jackpot-new"),
    path("surveillance/", room.surveillance, name="surveillance"),
    path("surveillance/poll", room.surveillance_poll, name="surveillance-poll"),
    path("api/v1/jackpots", api.Jackpots.as_view(), name="api-jackpots"),
    path("api/v1/jackpots/<str:serial>", api.JackpotRead.as_view(), name="api-jackpot"),
    path("tax/", tax_register.tax_register, name="tax-register"),
    path("tax/forms/<int:form_id>/", tax_register.tax_form, name="tax-form"),
    path("tax/forms/<int:form_id>/winner.pdf", tax_register.tax_pdf_winner, name="tax-pdf-winner"),
    path("tax/forms/<int:form_id>/payer.pdf", tax_register.tax_pdf_payer, name="tax-pdf-payer"),
    path("tax/forms/<int:form_id>/correct/", tax_register.tax_correct, name="tax-correct"),
    path("tax/<int:year>/<str:kind>/export/", tax_register.tax_export, name="tax-export"),
    path("meters/", meters.meters, name="meters"),
    path("meters/poll", meters.meters_poll, name="meters-poll"),
    path("meters/display/", meters.meter_display, name="meter-display"),
    path("meters/display/poll", meters.meter_display_poll, name="meter-display-poll"),
    path("meters/new/", meter_papers.meter_terms, name="meter-new"),
    path("meters/report/", meters.meter_report, name="meter-report"),
    path("meters/<int:meter_id>/", meters.meter, name="meter"),
    path("meters/<int:meter_id>/read/", meters.meter_read, name="meter-read"),
    path("meters/<int:meter_id>/terms/", meter_papers.meter_terms, name="meter-terms"),
    path("meters/<int:meter_id>/amount/", meter_papers.meter_amount, name="meter-amount"),
]
