"""Rounds of a terminal's table: started, told as they are dealt, and ended."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.exceptions import NotFound
from rest_framework.generics import get_object_or_404
from rest_framework.request import Request
from rest_framework.response import Response

from pitboss.api_schema import problems
from pitboss.rules.round_log import Part
from tables.api.schema import once_header
from tables.api.terminals import TerminalView, terminal_of
from tables.models import Round
from tables.services import rounds

_EXAMPLES = {
    Part.SEATS: {"seats": [{"seat": 5}]},
    Part.WAGERS: {
        "seat": 5,
        "bets": [
            {"wager": "blackjack", "stake_cents": 5_000},
            {"wager": "trilux", "stake_cents": 1_000},
        ],
    },
    Part.CARDS: {"cards": [{"seat": 5, "card": "9c"}, {"to": "dealer", "card": "9s"}]},
    Part.DECISIONS: {"seat": 5, "decision": "double", "amount_cents": 5_000},
    Part.PAYOUTS: {"payouts": [{"seat": 5, "wager": "trilux", "paid_cents": 9_000}]},
}


class RoundAnswer(serializers.Serializer[Any]):
    """A round as it stands: what was told, and once it has ended, how it was settled."""

    round = serializers.IntegerField()
    started_at = serializers.DateTimeField()
    ended_at = serializers.DateTimeField(allow_null=True)
    log = serializers.DictField(help_text="Seats, wagers, cards, decisions and payouts, as told.")
    verdict = serializers.DictField(
        allow_null=True,
        help_text="`lines` in the order of paying, `flags`, `house_cents`, `envy_cents`, and "
        "`differences`: bets that were paid otherwise than settled.",
    )


class RoundEnd(serializers.Serializer[Any]):
    """What went wrong in the round, where something did."""

    limit_called = serializers.BooleanField(required=False)
    hole_card_shown = serializers.BooleanField(required=False)
    blackjack_found_late = serializers.BooleanField(required=False)
    coupons_approved = serializers.BooleanField(required=False)


class _RoundView(TerminalView):
    # A stadium has many seats.
    body_max = 200_000


class Rounds(_RoundView):
    """Rounds of this table."""

    @extend_schema(
        operation_id="start_round",
        request=None,
        parameters=[once_header()],
        responses={201: RoundAnswer, **problems(409, 415, 422, 429)},
    )
    def post(self, request: Request) -> HttpResponse:
        """Start a round. Refused while another is open, or a jackpot is pending and not held."""
        terminal = terminal_of(request)
        return self.once(request, lambda: rounds.start_round(terminal=terminal), status=201)


class RoundRead(_RoundView):
    """One round."""

    @extend_schema(operation_id="read_round", responses={200: RoundAnswer, **problems(404, 429)})
    def get(self, request: Request, round_id: int) -> Response:
        """Read a round as it stands."""
        table = terminal_of(request).table
        return Response(rounds.as_sent(get_object_or_404(Round, pk=round_id, table=table)))


class RoundPart(_RoundView):
    """What is told of a round while it is dealt."""

    @extend_schema(
        operation_id="tell_round",
        request={"application/json": {"type": "object", "additionalProperties": {}}},
        parameters=[
            once_header(),
            OpenApiParameter(
                "part", str, OpenApiParameter.PATH, enum=[part.value for part in Part]
            ),
        ],
        responses={200: RoundAnswer, **problems(404, 409, 415, 422, 429)},
        examples=[
            OpenApiExample(part.value.capitalize(), value=example, request_only=True)
            for part, example in _EXAMPLES.items()
        ],
    )
    def post(self, request: Request, round_id: int, part: str) -> HttpResponse:
        """Tell seats, the wagers of a seat, cards as they fall, a decision, or what was paid."""
        if part not in tuple(Part):
            raise NotFound(f"A round has no {part[:20]}. Tell {', '.join(Part)}.")
        terminal, told = terminal_of(request), self.body(request)
        return self.once(
            request,
            lambda: rounds.tell_round(
                terminal=terminal, round_id=round_id, part=Part(part), told=told
            ),
        )


class RoundEnds(_RoundView):
    """The end of a round."""

    @extend_schema(
        operation_id="end_round",
        request=RoundEnd,
        parameters=[once_header()],
        responses={200: RoundAnswer, **problems(404, 409, 415, 422, 429)},
    )
    def post(self, request: Request, round_id: int) -> HttpResponse:
        """Settle the round and end it. Refused while a jackpot is pending and not held."""
        terminal, told = terminal_of(request), self.body(request)
        return self.once(
            request,
            lambda: rounds.end_round(terminal=terminal, round_id=round_id, told=told),
        )
