"""Addresses of meters and jackpots."""

from __future__ import annotations

from django.urls import path

from jackpots.views import meter_papers, meters

urlpatterns = [
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
