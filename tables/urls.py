"""Addresses of the board and of each table."""

from __future__ import annotations

from django.urls import path

from tables import views

urlpatterns = [
    path("board/", views.board, name="board"),
    path("board/<int:pit_id>/", views.pit_board, name="pit-board"),
    path("board/<int:pit_id>/poll", views.pit_board_poll, name="pit-board-poll"),
    path("tables/<str:name>/", views.table, name="table"),
    path("tables/<str:name>/poll", views.table_poll, name="table-poll"),
]
