"""The felt of a terminal's table: what every seat is owed at once, and what was paid."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from pitboss.api_schema import key_header, problems
from pitboss.api_types import choices_of, serializer_of
from pitboss.rules.payouts.check import Verdict
from pitboss.rules.rounds.told import FeltPaidTold, FeltTold
from pitboss.rules.wagers.extras import FIELDS
from pitboss.translating import asked_language, in_language
from tables.api import shapes
from tables.api.terminals import TerminalView, terminal_of
from tables.services import felt

_EXAMPLE = {
    "dealer": ["9", "2", "7"],
    "seats": [
        {
            "seat": 4,
            "bets": [
                {"wager": "blackjack", "bet": {"2500": 2}},
                {"wager": "trilux", "stake_cents": 4_500, "suited": False},
            ],
            "hands": [{"cards": ["7", "8", "5"]}],
        }
    ],
}


class FeltLineShape(shapes.VerdictShape):
    """One bet, or one hand of a split: what it is owed, and the claim to check it by."""

    seat = serializers.IntegerField()
    wager = serializers.ChoiceField(choices=list(FIELDS))
    name = serializers.CharField()
    hand = serializers.IntegerField(allow_null=True)
    stake_cents = serializers.IntegerField()
    asks = serializers.ChoiceField(
        choices=["cards", "suits"], allow_null=True, help_text="What has to be entered still."
    )
    words = serializers.CharField()
    net_cents = serializers.IntegerField(
        allow_null=True, help_text="What this hand alone wins, or below zero loses."
    )
    claim = shapes.checked_field("Send it to `/checks` with `paid_cents`.")


class FeltSeatShape(serializers.Serializer[Any]):
    """All that is owed at one seat."""

    seat = serializers.IntegerField()
    owed_cents = serializers.IntegerField()
    cheques = shapes.cheques_field()
    lines = FeltLineShape(many=True)


class FeltAnswer(serializers.Serializer[Any]):
    """What every bet on the felt is owed."""

    owed_cents = serializers.IntegerField()
    seats = FeltSeatShape(many=True)


class FeltPaidShape(shapes.PaidAnswer):
    """A payout of the felt as it is stored."""

    seat = serializers.IntegerField()
    wager = serializers.ChoiceField(choices=list(FIELDS))
    hand = serializers.IntegerField(allow_null=True)
    verdict = serializers.ChoiceField(choices=choices_of(Verdict))
    payable_cents = serializers.IntegerField(allow_null=True)
    claim = shapes.checked_field("The bet as it was checked.")
    answer = shapes.CheckAnswer()


class FeltPaidAnswer(serializers.Serializer[Any]):
    """Every payout of the felt that was told as paid."""

    paid = FeltPaidShape(many=True)


class Felt(TerminalView):
    """The felt of this table."""

    @extend_schema(
        operation_id="read_felt",
        request=serializer_of(FeltTold),
        responses={200: FeltAnswer, **problems(415, 422, 429)},
        examples=[OpenApiExample("One seat", value=_EXAMPLE, request_only=True)],
    )
    def post(self, request: Request) -> Response:
        """Say what every bet on the felt is owed. Nothing is stored."""
        owed = felt.owed(terminal=terminal_of(request), told=self.body(request))
        return Response(in_language(owed, asked_language(request)))


class FeltPaid(TerminalView):
    """What was paid on the felt."""

    @extend_schema(
        operation_id="pay_felt",
        request=serializer_of(FeltPaidTold),
        parameters=[key_header()],
        responses={201: FeltPaidAnswer, **problems(409, 415, 422, 429)},
    )
    def post(self, request: Request) -> HttpResponse:
        """Store a check and its confirmation for each bet that was paid, in one request."""
        terminal, told = terminal_of(request), self.body(request)
        return self.once(request, lambda: felt.end(terminal=terminal, told=told), status=201)
