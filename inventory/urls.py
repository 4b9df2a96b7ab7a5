"""Addresses of what moves cheques, of patrons and their markers, and of the desks that serve."""

from __future__ import annotations

from django.urls import path

from inventory import api
from inventory.views import cage, credits, desks, fills, marker_log, markers, patrons

urlpatterns = [
    path("tables/<str:name>/fill/", fills.fill_new, name="fill-new"),
    path("tables/<str:name>/fill/sign", fills.fill_sign, name="fill-sign"),
    path("slips/<str:serial>/return/", fills.fill_return, name="fill-return"),
    path("tables/<str:name>/credit/", credits.credit_new, name="credit-new"),
    path("tables/<str:name>/credit/sign", credits.credit_sign, name="credit-sign"),
    path("slips/<str:serial>/send-back/", credits.credit_return, name="credit-return"),
    path("tables/<str:name>/marker/", markers.marker_new, name="marker-new"),
    path("tables/<str:name>/marker-payment/", markers.marker_payment, name="marker-payment"),
    path("cage/marker-payment/", markers.marker_payment_cage, name="marker-payment-cage"),
    path("markers/", marker_log.markers_out, name="markers"),
    path("markers/log/", marker_log.marker_log, name="marker-log"),
    path("markers/to-cage/", marker_log.marker_transfer, name="marker-transfer"),
    path("markers/to-pit/", marker_log.marker_recall, name="marker-recall"),
    path("patrons/", patrons.patrons, name="patrons"),
    path("patrons/new/", patrons.patron_new, name="patron-new"),
    path("patrons/<int:patron_id>/", patrons.patron, name="patron"),
    path("patrons/<int:patron_id>/correct/", patrons.patron_edit, name="patron-edit"),
    path("patrons/<int:patron_id>/papers/", patrons.patron_paper, name="patron-paper"),
    path(
        "patrons/<int:patron_id>/papers/<int:document_id>",
        patrons.patron_document,
        name="patron-document",
    ),
    path("patrons/<int:patron_id>/line/", patrons.credit_line, name="credit-line"),
    path("patrons/<int:patron_id>/stop/", patrons.credit_stop, name="credit-stop"),
    path("patrons/<int:patron_id>/restore/", patrons.credit_restore, name="credit-restore"),
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
