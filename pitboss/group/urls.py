"""Addresses of the desk of a group: all it has."""

from __future__ import annotations

from django.urls import path

from pitboss.group import views

urlpatterns = [
    path("", views.home, name="home"),
    path("login/", views.login, name="login"),
    path("logout/", views.logout, name="logout"),
    path("houses/<int:house_id>/", views.house, name="house"),
    path("statements/<int:statement_id>/", views.statement, name="statement"),
    path("statements/<int:statement_id>/file", views.statement_file, name="statement-file"),
    path("livez", views.livez, name="livez"),
]
handler404 = "pitboss.group.views.not_found"
