"""Envy that a dealer taps: for a hand that neither a check nor a round tells of."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers
from rest_framework.request import Request

from pitboss.api_schema import key_header, problems
from tables.api.terminals import TerminalView, terminal_of
from tables.services import envy


class EnvyInput(serializers.Serializer[Any]):
    """The row of a pay table that was hit; what it adds, the table says."""

    wager = serializers.CharField()
    row = serializers.CharField(help_text="A row of the wager’s pay table that carries envy.")
    seat = serializers.IntegerField(required=False, min_value=1, max_value=500)


class EnvyAnswer(serializers.Serializer[Any]):
    """One line of the shift's tip pool list."""

    envy = serializers.IntegerField()
    wager = serializers.CharField()
    row = serializers.CharField()
    seat = serializers.IntegerField(allow_null=True)
    amount_cents = serializers.IntegerField(help_text="Below zero where it reverses another line.")
    says = serializers.CharField()
    at = serializers.DateTimeField()
    takes_back = serializers.IntegerField(allow_null=True)


class Envy(TerminalView):
    """Envy at this table."""

    @extend_schema(
        operation_id="tap_envy",
        request=EnvyInput,
        parameters=[key_header()],
        responses={201: EnvyAnswer, **problems(409, 415, 422, 429)},
        examples=[
            OpenApiExample(
                "Two sevens", value={"wager": "blazing_7s", "row": "two_sevens"}, request_only=True
            )
        ],
    )
    def post(self, request: Request) -> HttpResponse:
        """Record envy for a hand without a check. A confirmed check records its own."""
        terminal, told = terminal_of(request), self.body(request)
        return self.once(request, lambda: envy.tap_envy(terminal=terminal, told=told), status=201)


class EnvyBack(TerminalView):
    """Envy that was tapped by mistake."""

    @extend_schema(
        operation_id="take_back_envy",
        request=None,
        parameters=[key_header()],
        responses={201: EnvyAnswer, **problems(404, 409, 415, 422, 429)},
    )
    def post(self, request: Request, line_id: int) -> HttpResponse:
        """Reverse envy that was tapped, within ten minutes."""
        self.no_body(request)
        terminal = terminal_of(request)
        return self.once(
            request, lambda: envy.take_back(terminal=terminal, line_id=line_id), status=201
        )
