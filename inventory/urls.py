"""Addresses of fills and of the desks that serve them."""

from __future__ import annotations

from django.urls import path

from inventory import views

urlpatterns = [
    path("tables/<str:name>/fill/", views.fill_new, name="fill-new"),
    path("tables/<str:name>/fill/sign", views.fill_sign, name="fill-sign"),
    path("slips/<str:serial>/return/", views.fill_return, name="fill-return"),
    path("cage/", views.cage, name="cage"),
    path("cage/poll", views.cage_poll, name="cage-poll"),
    path("security/", views.security, name="security"),
    path("security/poll", views.security_poll, name="security-poll"),
]
