"""Addresses of the board, of each table, of its counts and its dealers."""

from __future__ import annotations

from django.urls import path

from tables.views import board, counts, dealers, table

urlpatterns = [
    path("board/", board.board, name="board"),
    path("board/<int:pit_id>/", board.pit_board, name="pit-board"),
    path("board/<int:pit_id>/poll", board.pit_board_poll, name="pit-board-poll"),
    path("closed-tables/", board.closed_tables, name="closed-tables"),
    path("tables/<str:name>/", table.table, name="table"),
    path("tables/<str:name>/poll", table.table_poll, name="table-poll"),
    path("tables/<str:name>/dealer/", dealers.dealer, name="dealer"),
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
