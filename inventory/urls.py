"""Addresses of what moves cheques and cash, of patrons and markers, and of the desks."""

from __future__ import annotations

from django.urls import path

from inventory import api
from inventory.views import (
    card_reckoning,
    card_table,
    cards,
    cash_keying,
    cash_log,
    compliance,
    credit_desk,
    currency_reports,
    desks,
    exclusion,
    marker_log,
    patrons,
    sar,
)
from pitboss.slips.views import moved

urlpatterns = [
    # Where kinds were raised before all were raised in one place.
    path("tables/<str:name>/fill/", moved, {"kind": "fill"}, name="old-fill"),
    path("tables/<str:name>/fill/sign", moved, {"kind": "fill"}, name="old-fill-sign"),
    path("slips/<str:serial>/return/", moved, {"kind": "fill_return"}, name="old-return"),
    path("tables/<str:name>/credit/", moved, {"kind": "credit"}, name="old-credit"),
    path("tables/<str:name>/credit/sign", moved, {"kind": "credit"}, name="old-credit-sign"),
    path("slips/<str:serial>/send-back/", moved, {"kind": "credit_return"}, name="old-send-back"),
    path("cage/count/", moved, {"kind": "cage_count"}, name="old-cage-count"),
    path("cage/count/sign", moved, {"kind": "cage_count"}, name="old-cage-count-sign"),
    path("cage/receipt/", moved, {"kind": "house_receipt"}, name="old-receipt"),
    path("cage/receipt/sign", moved, {"kind": "house_receipt"}, name="old-receipt-sign"),
    path("cage/destruction/", moved, {"kind": "house_destruction"}, name="old-destruction"),
    path("cage/destruction/sign", moved, {"kind": "house_destruction"}, name="old-destroy-sign"),
    path("tables/<str:name>/marker/", moved, {"kind": "marker"}, name="old-marker"),
    path(
        "tables/<str:name>/marker-payment/", moved, {"kind": "marker_payment"}, name="old-payment"
    ),
    path("cage/marker-payment/", moved, {"kind": "marker_payment_cage"}, name="old-cage-payment"),
    path("markers/to-cage/", moved, {"kind": "marker_transfer"}, name="old-transfer"),
    path("markers/to-pit/", moved, {"kind": "marker_recall"}, name="old-recall"),
    path("markers/", marker_log.markers_out, name="markers"),
    path("markers/log/", marker_log.marker_log, name="marker-log"),
    path("credit/", credit_desk.credit_desk, name="credit-desk"),
    path("patrons/<int:patron_id>/contacts/new/", credit_desk.contact_new, name="contact-new"),
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
    # Where a patron's credit was changed before all kinds were raised in one place.
    *(
        path(
            f"patrons/<int:patron_id>/{address}/",
            moved,
            {"kind": f"credit_{address}"},
            name=f"old-credit-{address}",
        )
        for address in ("line", "stop", "restore")
    ),
    path("cage/", desks.cage, name="cage"),
    path("cage/poll", desks.cage_poll, name="cage-poll"),
    path("cage/counts/", desks.cage_counts, name="cage-counts"),
    path("cards/", cards.cards, name="cards"),
    path("cards/labels.pdf", cards.card_labels, name="card-labels"),
    path("cards/reckoning/", card_reckoning.card_reckoning, name="card-reckoning"),
    # Where cards were signed for before all kinds were raised in one place.
    *(
        path(f"cards/{address}/{ending}", moved, {"kind": kind}, name=f"old-{kind}{ending}")
        for kind, address in {
            "card_inventory": "count",
            "card_receipt": "receive",
            "card_vaulting": "vault",
            "card_issue": "move/issue",
            "card_put_back": "move/put-back",
            "card_collection": "move/collect",
            "card_late_cancellation": "room/cancel",
            "card_destruction": "room/destroy",
        }.items()
        for ending in ("", "sign")
    ),
    path("cards/sets/<str:set>/hold/", moved, {"kind": "card_hold"}, name="old-card-hold"),
    path("cards/sets/<str:set>/release/", moved, {"kind": "card_release"}, name="old-release"),
    path("cards/sets/<str:mark>/", cards.card_set, name="card-set"),
    path("tables/<str:name>/cards/", card_table.table_cards, name="table-cards"),
    *(
        path(
            f"tables/<str:name>/cards/{address}", moved, {"kind": kind}, name=f"old-cards-{address}"
        )
        for address, kind in {
            "bring/": "card_to_table",
            "bring/sign": "card_to_table",
            "bag/": "card_cancellation",
            "bag/sign": "card_cancellation",
            "replace/": "card_replacement",
            "spare/": "card_unused",
            "waive/": "card_waiver",
        }.items()
    ),
    path("tables/<str:name>/cash/", cash_keying.cash_new, name="cash-new"),
    path("tables/<str:name>/cash/sign", cash_keying.cash_sign, name="cash-sign"),
    path("cage/cash/", cash_keying.cage_cash_new, name="cage-cash"),
    path("cage/cash/sign", cash_keying.cage_cash_sign, name="cage-cash-sign"),
    path("cash-refused/", cash_keying.cash_refused, name="cash-refused"),
    path("cash/", cash_log.cash_today, name="cash-log"),
    path("cash/<str:day>/", cash_log.cash_day, name="cash-day"),
    path("cash/<str:day>/multiple/", cash_log.cash_multiple, name="cash-multiple"),
    path("cash/<str:day>/multiple.csv", cash_log.cash_multiple_csv, name="cash-multiple-csv"),
    path("cash/<str:day>/people/<str:who>/", cash_log.cash_person, name="cash-person"),
    path(
        "cash-entries/<int:entry>/back/", moved, {"kind": "cash_correction"}, name="old-take-back"
    ),
    path("cash-strangers/<int:stranger_id>/", cash_log.cash_match, name="cash-match"),
    path("compliance/", compliance.desk, name="compliance"),
    path(
        "compliance/reports/<int:report_id>/",
        currency_reports.currency_report,
        name="currency-report",
    ),
    path(
        "compliance/reports/<int:report_id>/filed",
        currency_reports.currency_report_filed,
        name="currency-report-filed",
    ),
    path("compliance/reports/<int:report_id>/form/", currency_reports.ctr_form, name="ctr-form"),
    path("compliance/batches/", currency_reports.ctr_batches, name="ctr-batches"),
    path(
        "compliance/batches/<int:batch_id>.<str:shape>",
        currency_reports.ctr_file,
        name="ctr-file",
    ),
    path("cash-entries/<int:entry_id>/behalf/", currency_reports.cash_behalf, name="cash-behalf"),
    path("compliance/sar/", sar.sar_cases, name="sar-cases"),
    path("compliance/sar/new/", sar.sar_new, name="sar-new"),
    path("compliance/sar/<int:case_id>/", sar.sar_case, name="sar-case"),
    path("compliance/lists/", exclusion.exclusion_lists, name="exclusion-lists"),
    path("compliance/lists/file", exclusion.exclusion_list_file, name="exclusion-list-file"),
    path("compliance/cases/", exclusion.exclusion_cases, name="exclusion-cases"),
    path("compliance/cases/<int:case_id>/", exclusion.exclusion_case, name="exclusion-case"),
    path("compliance/notes/new/", compliance.note_new, name="note-new"),
    path("compliance/notes/<int:note_id>/", compliance.note, name="note"),
    path("security/", desks.security, name="security"),
    path("security/poll", desks.security_poll, name="security-poll"),
    path("api/v1/cage/queue", api.CageQueue.as_view(), name="api-cage-queue"),
    path("api/v1/slips/<str:serial>", api.SlipDetail.as_view(), name="api-slip"),
    path("api/v1/slips/<str:serial>/sign", api.SlipSign.as_view(), name="api-slip-sign"),
]
