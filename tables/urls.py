"""Addresses of the board, of each table, of its counts and its dealers."""

from __future__ import annotations

from django.urls import path

from tables.api import floor as api_floor
from tables.api import rounds as api_rounds
from tables.api import shoes as api_shoes
from tables.api import table as api
from tables.views import (
    board,
    boxes,
    counts,
    days,
    dealers,
    drops,
    floor_log,
    floor_reading,
    late,
    mismatches,
    pace,
    payouts,
    prove,
    reference,
    relief,
    reports,
    shoes,
    table,
    terminal,
    variances,
    what_if,
)

urlpatterns = [
    path("board/", board.board, name="board"),
    path("board/<int:pit_id>/", board.pit_board, name="pit-board"),
    path("board/<int:pit_id>/poll", board.pit_board_poll, name="pit-board-poll"),
    path("closed-tables/", board.closed_tables, name="closed-tables"),
    path("dealers/", relief.dealers, name="dealers"),
    path("dealers/<int:pit_id>/", relief.pit_dealers, name="pit-dealers"),
    path("dealers/<int:pit_id>/poll", relief.pit_dealers_poll, name="pit-dealers-poll"),
    path("dealers/<int:pit_id>/call", relief.string_call, name="string-call"),
    path("tables/<str:name>/", table.table, name="table"),
    path("tables/<str:name>/poll", table.table_poll, name="table-poll"),
    path("tables/<str:name>/drop/", drops.drop_pull, name="drop-pull"),
    path("tables/<str:name>/drop/sign", drops.drop_pull_sign, name="drop-pull-sign"),
    path("tables/<str:name>/drop/wait/", drops.drop_wait, name="drop-wait"),
    path("tables/<str:name>/drop/estimate/", drops.drop_estimate, name="drop-estimate"),
    path("tables/<str:name>/late/", late.late_new, name="late-new"),
    path("tables/<str:name>/late/sign", late.late_sign, name="late-sign"),
    path("tables/<str:name>/what-if/", what_if.asked, name="what-if"),
    path("tables/<str:name>/win/", reports.table_win, name="table-win"),
    path("tables/<str:name>/reference/", reference.reference, name="reference"),
    path("tables/<str:name>/floor/", floor_log.floor_choose, name="floor-choose"),
    path("tables/<str:name>/floor/<str:code>/", floor_log.floor_enter, name="floor-enter"),
    path("tables/<str:name>/floor/<str:code>/send", floor_log.floor_send, name="floor-send"),
    path("floor-log/", floor_reading.floor_log, name="floor-log"),
    path("floor-log/requests/<int:request_id>/", floor_log.floor_request, name="floor-request"),
    path("terminal/", terminal.terminal, name="terminal"),
    path("payouts/", payouts.payouts, name="payouts"),
    path("payouts/own/", payouts.own_payouts, name="own-payouts"),
    path("tables/<str:name>/payouts/", payouts.table_payouts, name="table-payouts"),
    path("payouts/<int:mismatch_id>/", mismatches.mismatch, name="mismatch"),
    path("boxes/", boxes.count_room, name="count-room"),
    path("boxes/poll", boxes.count_room_poll, name="count-room-poll"),
    path("boxes/<str:serial>/", boxes.drop_count, name="drop-count"),
    path("boxes/<str:serial>/sign", boxes.drop_count_sign, name="drop-count-sign"),
    path("days/", days.days, name="days"),
    path("days/<str:day>/win/", reports.day_win, name="day-win"),
    path("days/<str:day>/close/", days.day_close, name="day-close"),
    path("variances/", variances.variances, name="variances"),
    path("shifts/close/", days.shift_close, name="shift-close"),
    path("serials/", reports.serials, name="serials"),
    path("serials/csv", reports.serials_csv, name="serials-csv"),
    path(
        "serials/<str:series>/<int:year>/<int:number>/",
        reports.serial_explain,
        name="serial-explain",
    ),
    path("tables/<str:name>/dealer/", dealers.dealer, name="dealer"),
    path("tables/<str:name>/prove/", prove.prove, name="prove"),
    path("tables/<str:name>/shoe/", shoes.shoe, name="shoe"),
    path("pace/", pace.pace, name="pace"),
    path("api/v1/shoe", api_shoes.Shoe.as_view(), name="api-shoe"),
    path("api/v1/table", api.TableRead.as_view(), name="api-table"),
    path("api/v1/dealer/in", api.DealerIn.as_view(), name="api-dealer-in"),
    path("api/v1/dealer/out", api.DealerOut.as_view(), name="api-dealer-out"),
    path("api/v1/calls", api.Calls.as_view(), name="api-calls"),
    path("api/v1/checks", api.Checks.as_view(), name="api-checks"),
    path("api/v1/requests", api_floor.FloorRequests.as_view(), name="api-requests"),
    path("api/v1/requests/kinds", api_floor.FloorKinds.as_view(), name="api-request-kinds"),
    path(
        "api/v1/requests/<int:request_id>",
        api_floor.FloorRequestRead.as_view(),
        name="api-request",
    ),
    path("api/v1/rounds", api_rounds.Rounds.as_view(), name="api-rounds"),
    path("api/v1/rounds/<int:round_id>", api_rounds.RoundRead.as_view(), name="api-round"),
    path("api/v1/rounds/<int:round_id>/end", api_rounds.RoundEnds.as_view(), name="api-round-end"),
    path(
        "api/v1/rounds/<int:round_id>/<str:part>",
        api_rounds.RoundPart.as_view(),
        name="api-round-part",
    ),
    path("api/v1/checks/<int:check_id>", api.CheckRead.as_view(), name="api-check"),
    path("api/v1/checks/<int:check_id>/paid", api.CheckPaid.as_view(), name="api-check-paid"),
    *(
        path(f"tables/<str:name>/{address}/", counts.count_pad, {"kind": kind}, name=address)
        for kind, address in counts.ADDRESSES.items()
    ),
    *(
        path(
            f"tables/<str:name>/{address}/sign",
            counts.count_sign,
            {"kind": kind},
            name=f"{address}-sign",
        )
        for kind, address in counts.ADDRESSES.items()
    ),
]
