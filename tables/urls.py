"""Addresses of the board, of each table, of its counts and its dealers."""

from __future__ import annotations

from django.conf import settings
from django.urls import path

from pitboss.slips.views import moved
from tables.api import envy as api_envy
from tables.api import events as api_events
from tables.api import felt as api_felt
from tables.api import floor as api_floor
from tables.api import ratings as api_ratings
from tables.api import rounds as api_rounds
from tables.api import sandbox as api_sandbox
from tables.api import shoes as api_shoes
from tables.api import systems as api_systems
from tables.api import table as api
from tables.views import (
    board,
    boxes,
    calls,
    count_sessions,
    days,
    dealers,
    drills,
    drop_runs,
    drops,
    floor_log,
    floor_reading,
    hold,
    hosts,
    incidents,
    keys,
    live_changes,
    mismatches,
    pace,
    part_shipments,
    payouts,
    prove,
    rating_audits,
    rating_pages,
    reference,
    relief,
    replay,
    reports,
    rounds,
    seats,
    shift,
    shoes,
    table,
    terminal,
    variances,
    what_if,
    yields,
)

urlpatterns = [
    path("board/", board.board, name="board"),
    path("board/<int:pit_id>/", board.pit_board, name="pit-board"),
    path("board/<int:pit_id>/poll", board.pit_board_poll, name="pit-board-poll"),
    path("calls/<int:exception_id>/answer", calls.call_answer, name="call-answer"),
    path("closed-tables/", board.closed_tables, name="closed-tables"),
    path("dealers/", relief.dealers, name="dealers"),
    path("dealers/<int:pit_id>/", relief.pit_dealers, name="pit-dealers"),
    path("dealers/<int:pit_id>/poll", relief.pit_dealers_poll, name="pit-dealers-poll"),
    path("dealers/<int:pit_id>/call", relief.string_call, name="string-call"),
    path("tables/<str:name>/", table.table, name="table"),
    path("tables/<str:name>/poll", table.table_poll, name="table-poll"),
    path("tables/<str:name>/drop/wait/", drops.drop_wait, name="drop-wait"),
    path("tables/<str:name>/drop/compartment/", drops.drop_compartment, name="drop-compartment"),
    path("tables/<str:name>/drop/estimate/", drops.drop_estimate, name="drop-estimate"),
    path("tables/<str:name>/what-if/", what_if.asked, name="what-if"),
    path("tables/<str:name>/win/", reports.table_win, name="table-win"),
    path("tables/<str:name>/reference/", reference.reference, name="reference"),
    path("tables/<str:name>/floor/", floor_log.floor_choose, name="floor-choose"),
    path("tables/<str:name>/floor/<str:code>/", floor_log.floor_enter, name="floor-enter"),
    path("tables/<str:name>/floor/<str:code>/send", floor_log.floor_send, name="floor-send"),
    path("tables/<str:name>/approve-all", floor_log.approve_all, name="approve-all"),
    path("floor-log/", floor_reading.floor_log, name="floor-log"),
    path("floor-log/requests/<int:request_id>/", floor_log.floor_request, name="floor-request"),
    path("terminal/", terminal.terminal, name="terminal"),
    path("terminal/worker.js", terminal.terminal_worker, name="terminal-worker"),
    path("drills/", drills.drills, name="drills"),
    path("payouts/", payouts.payouts, name="payouts"),
    path("payouts/own/", payouts.own_payouts, name="own-payouts"),
    path(
        "payouts/own/evaluations/<int:entry_id>/",
        payouts.evaluation_answer,
        name="evaluation-answer",
    ),
    path("tables/<str:name>/payouts/", payouts.table_payouts, name="table-payouts"),
    path("payouts/<int:mismatch_id>/", mismatches.mismatch, name="mismatch"),
    path("drop/runs/", drop_runs.drop_runs, name="drop-runs"),
    path("drop/runs/<str:serial>/", drop_runs.drop_run, name="drop-run"),
    path("drop/runs/<str:serial>/poll", drop_runs.drop_run_poll, name="drop-run-poll"),
    path("drop/runs/<str:serial>/watch", drop_runs.drop_run_watch, name="drop-run-watch"),
    path("drop/runs/<str:serial>/scan", drop_runs.drop_run_scan, name="drop-run-scan"),
    path("drop/runs/<str:serial>/leave", drop_runs.drop_run_leave, name="drop-run-leave"),
    path(
        "drop/runs/<str:serial>/join/<int:pit_id>/", drop_runs.drop_run_join, name="drop-run-join"
    ),
    path("hold/", hold.hold, name="hold"),
    path("incidents/", incidents.incidents, name="incidents"),
    path("tables/<str:name>/incident/", incidents.incident_new, name="incident-new"),
    path("keys/", keys.keys, name="keys"),
    path("drop/boxes/", drop_runs.drop_boxes, name="drop-boxes"),
    path("drop/boxes/register/", drop_runs.drop_boxes_register, name="drop-boxes-register"),
    path("boxes/sessions/<str:serial>/", count_sessions.count_session, name="count-session"),
    path(
        "boxes/sessions/<str:serial>/poll",
        count_sessions.count_session_poll,
        name="count-session-poll",
    ),
    path(
        "boxes/sessions/<str:serial>/count",
        count_sessions.count_session_count,
        name="count-session-count",
    ),
    path("boxes/machines/", count_sessions.count_machines, name="count-machines"),
    path(
        "boxes/sessions/<str:serial>/total",
        count_sessions.count_session_total,
        name="count-session-total",
    ),
    path(
        "boxes/sessions/<str:serial>/import",
        count_sessions.count_session_import,
        name="count-session-import",
    ),
    path(
        "boxes/sessions/<str:serial>/room/<str:place>/",
        count_sessions.count_session_room,
        name="count-session-room",
    ),
    path("boxes/", boxes.count_room, name="count-room"),
    path("boxes/poll", boxes.count_room_poll, name="count-room-poll"),
    path("replay/", replay.replay, name="replay"),
    path("replay/<int:pit_id>/", replay.pit_replay, name="pit-replay"),
    path("shift/", shift.shift, name="shift"),
    path("shift/house/", shift.house_shift, name="house-shift"),
    path("shift/<int:pit_id>/", shift.pit_shift, name="pit-shift"),
    path("days/", days.days, name="days"),
    path("days/<str:day>/win/", reports.day_win, name="day-win"),
    path("variances/", variances.variances, name="variances"),
    path("serials/", reports.serials, name="serials"),
    path("serials/csv", reports.serials_csv, name="serials-csv"),
    path(
        "serials/<str:series>/<int:year>/<int:number>/",
        reports.serial_explain,
        name="serial-explain",
    ),
    path("tables/<str:name>/dealer/", dealers.dealer, name="dealer"),
    path("tables/<str:name>/round/", rounds.open_round, name="round"),
    path("tables/<str:name>/prove/", prove.prove, name="prove"),
    path("tables/<str:name>/shoe/", shoes.shoe, name="shoe"),
    path("signs/<str:serial>/", live_changes.sign_changed, name="sign-changed"),
    path("fills/<str:serial>/part/", part_shipments.part_shipment, name="part-shipment"),
    path("tables/<str:name>/seat-leaves/", live_changes.seat_leaves, name="seat-leaves"),
    path("patrons/<int:patron_id>/card/", rating_pages.patron_card, name="patron-card"),
    path("yield/", yields.yield_view, name="yield"),
    path("hosts/", hosts.hosts, name="hosts"),
    path("surveillance/ratings/", rating_audits.rating_audits, name="rating-audits"),
    path("surveillance/ratings/<int:draw_id>/", rating_audits.rating_audit, name="rating-audit"),
    path("ratings/<int:rating_id>/", rating_pages.rating, name="rating"),
    path("tables/<str:name>/seats/<int:number>/", seats.seat, name="seat"),
    path("pace/", pace.pace, name="pace"),
    path("api/v1/feed", api_systems.Feed.as_view(), name="api-feed"),
    path(
        "api/v1/patrons/<str:card>/values", api_systems.Values.as_view(), name="api-patron-values"
    ),
    path("api/v1/patrons/<str:card>", api_systems.PatronPut.as_view(), name="api-patron"),
    path("api/v1/comps/<str:comp>/redeem", api_systems.Redeem.as_view(), name="api-comp-redeem"),
    path("api/v1/shoe", api_shoes.Shoe.as_view(), name="api-shoe"),
    path("api/v1/table", api.TableRead.as_view(), name="api-table"),
    path("api/v1/dealer/in", api.DealerIn.as_view(), name="api-dealer-in"),
    path("api/v1/dealer/out", api.DealerOut.as_view(), name="api-dealer-out"),
    path("api/v1/calls", api.Calls.as_view(), name="api-calls"),
    path("api/v1/envy", api_envy.Envy.as_view(), name="api-envy"),
    path("api/v1/envy/<int:line_id>/back", api_envy.EnvyBack.as_view(), name="api-envy-back"),
    path("api/v1/events", api_events.Events.as_view(), name="api-events"),
    path("api/v1/felt", api_felt.Felt.as_view(), name="api-felt"),
    path("api/v1/felt/paid", api_felt.FeltPaid.as_view(), name="api-felt-paid"),
    path("api/v1/checks", api.Checks.as_view(), name="api-checks"),
    path("api/v1/requests", api_floor.FloorRequests.as_view(), name="api-requests"),
    path("api/v1/job-cards", api_floor.JobCards.as_view(), name="api-job-cards"),
    path("api/v1/requests/kinds", api_floor.FloorKinds.as_view(), name="api-request-kinds"),
    path(
        "api/v1/requests/<int:request_id>/withdraw",
        api_floor.FloorRequestWithdraw.as_view(),
        name="api-request-withdraw",
    ),
    path(
        "api/v1/requests/<int:request_id>",
        api_floor.FloorRequestRead.as_view(),
        name="api-request",
    ),
    path("api/v1/seats", api_ratings.Heads.as_view(), name="api-seats"),
    path("api/v1/ratings", api_ratings.Ratings.as_view(), name="api-ratings"),
    path(
        "api/v1/ratings/<int:rating_id>/looks",
        api_ratings.RatingLooks.as_view(),
        name="api-rating-looks",
    ),
    path(
        "api/v1/ratings/<int:rating_id>/away",
        api_ratings.RatingAway.as_view(),
        name="api-rating-away",
    ),
    path(
        "api/v1/ratings/<int:rating_id>/back",
        api_ratings.RatingBack.as_view(),
        name="api-rating-back",
    ),
    path(
        "api/v1/ratings/<int:rating_id>/seats",
        api_ratings.RatingSeats.as_view(),
        name="api-rating-seats",
    ),
    path(
        "api/v1/ratings/<int:rating_id>/end",
        api_ratings.RatingEnd.as_view(),
        name="api-rating-end",
    ),
    path("api/v1/rounds", api_rounds.Rounds.as_view(), name="api-rounds"),
    path("api/v1/rounds/<int:round_id>", api_rounds.RoundRead.as_view(), name="api-round"),
    path("api/v1/rounds/<uuid:sent_id>", api_rounds.RoundWhole.as_view(), name="api-round-whole"),
    path(
        "api/v1/rounds/<int:round_id>/undo", api_rounds.RoundUndo.as_view(), name="api-round-undo"
    ),
    path(
        "api/v1/rounds/<int:round_id>/replace",
        api_rounds.RoundReplace.as_view(),
        name="api-round-replace",
    ),
    path(
        "api/v1/rounds/<int:round_id>/abort",
        api_rounds.RoundAborts.as_view(),
        name="api-round-abort",
    ),
    path("api/v1/rounds/<int:round_id>/end", api_rounds.RoundEnds.as_view(), name="api-round-end"),
    *(
        path(
            f"api/v1/rounds/<int:round_id>/{part.value}",
            telling.as_view(),
            name=f"api-round-{part.value}",
        )
        for part, telling in api_rounds.TELLING.items()
    ),
    path("api/v1/checks/<int:check_id>", api.CheckRead.as_view(), name="api-check"),
    path(
        "api/v1/checks/<int:check_id>/approval",
        api.CheckApproval.as_view(),
        name="api-check-approval",
    ),
    path("api/v1/checks/<int:check_id>/paid", api.CheckPaid.as_view(), name="api-check-paid"),
    # Where counts, late papers and pulls were raised before all kinds were raised in one place.
    *(
        path(
            f"tables/<str:name>/{address}/{end}", moved, {"kind": kind}, name=f"old-{address}{end}"
        )
        for kind, address in (
            ("opener", "opener"),
            ("closer", "closer"),
            ("count", "count"),
            ("shift_count", "shift-count"),
            ("recount", "recount"),
            ("late_fill", "late"),
            ("drop_pull", "drop"),
        )
        for end in ("", "sign")
    ),
    path("days/<str:day>/close/", moved, {"kind": "day_close"}, name="old-day-close"),
    path("shifts/close/", moved, {"kind": "shift_close"}, name="old-shift-close"),
    path("boxes/<str:serial>/", moved, {"kind": "drop_count"}, name="old-drop-count"),
    path("boxes/<str:serial>/sign", moved, {"kind": "drop_count"}, name="old-drop-countsign"),
]
if settings.IS_SANDBOX:
    urlpatterns += api_sandbox.urlpatterns
