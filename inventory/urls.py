"""Addresses of fills and credits, of the desks that serve them, and of the cage's own work."""

from __future__ import annotations

from django.urls import path

from inventory import api
from inventory.views import cage, credits, desks, fills

urlpatterns = [
    path("tables/<str:name>/fill/", fills.fill_new, name="fill-new"),
    path("tables/<str:name>/fill/sign", fills.fill_sign, name="fill-sign"),
    path("slips/<str:serial>/return/", fills.fill_return, name="fill-return"),
    path("tables/<str:name>/credit/", credits.credit_new, name="credit-new"),
    path("tables/<str:name>/credit/sign", credits.credit_sign, name="credit-sign"),
    path("slips/<str:serial>/send-back/", credits.credit_return, name="credit-return"),
    path("cage/", desks.cage, name="cage"),
    path("cage/poll", desks.cage_poll, name="cage-poll"),
    path("cage/count/", cage.cage_count, name="cage-count"),
    path("cage/count/sign", cage.cage_count_sign, name="cage-count-sign"),
    path("cage/counts/", cage.cage_counts, name="cage-counts"),
    path("cage/receipt/", cage.house_receipt, name="house-receipt"),
    path("cage/receipt/sign", cage.house_receipt_sign, name="house-receipt-sign"),
    path("cage/destruction/", cage.house_destruction, name="house-destruction"),
    path("cage/destruction/sign", cage.house_destruction_sign, name="house-destruction-sign"),
    path("security/", desks.security, name="security"),
    path("security/poll", desks.security_poll, name="security-poll"),
    path("api/v1/cage/queue", api.CageQueue.as_view(), name="api-cage-queue"),
    path("api/v1/slips/<str:serial>", api.SlipDetail.as_view(), name="api-slip"),
    path("api/v1/slips/<str:serial>/sign", api.SlipSign.as_view(), name="api-slip-sign"),
]
