"""Jackpots: meters, approvals and tax papers."""

from __future__ import annotations

from django.apps import AppConfig


class JackpotsConfig(AppConfig):
    name = "jackpots"
