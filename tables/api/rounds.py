"""Rounds of a terminal's table: started, told as they are dealt, and ended."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.http import HttpResponse
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.exceptions import NotFound
from rest_framework.generics import get_object_or_404
from rest_framework.request import Request
from rest_framework.response import Response

from pitboss.api_schema import problems
from pitboss.rules.rounds.ending import Abort, Outcome
from pitboss.rules.rounds.log import Part
from pitboss.services import house
from tables.api.schema import after_parameter, once_header
from tables.api.terminals import KEPT_TO_READ, TerminalView, terminal_of
from tables.models import Round
from tables.services import round_corrections, rounds
from tables.services.round_facts import as_sent

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
    outcome = serializers.ChoiceField(
        choices=[each.value for each in Outcome],
        allow_null=True,
        help_text="How it ended. `unverified` isn’t a mismatch: too little was sent to judge it.",
    )
    log = serializers.DictField(help_text="Seats, wagers, cards, decisions and payouts that count.")
    parts = serializers.ListField(
        child=serializers.DictField(),
        help_text="Each part by its `number`, as sent. What was undone or replaced stays, "
        "with `struck_at`.",
    )
    verdict = serializers.DictField(
        allow_null=True,
        help_text="`lines` in the order of paying, `flags`, `house_cents`, `envy_cents`, "
        "`unverified` seats with the reason, and `differences`: bets that were not paid as than "
        "settled.",
    )


class RoundsPage(serializers.Serializer[Any]):
    """Rounds after the one that was named."""

    items = RoundAnswer(many=True)
    next = serializers.IntegerField(
        allow_null=True, help_text="Send it as `after` for the next page; null at the end."
    )


class RoundStart(serializers.Serializer[Any]):
    """Which seats are lit, and whether a round that stands open is ended first."""

    seats = serializers.ListField(child=serializers.DictField(), required=False)
    ends_open = serializers.BooleanField(required=False)


class CardReplaced(serializers.Serializer[Any]):
    """The right card in place of a wrong one."""

    part = serializers.IntegerField(help_text="The `number` of the part that sent it.")
    place = serializers.IntegerField(help_text="Which card of that part, from 1.")
    card = serializers.CharField()


class RoundAbort(serializers.Serializer[Any]):
    """Why the round does not count."""

    reason = serializers.ChoiceField(choices=[each.value for each in Abort])


class WholeRound(serializers.Serializer[Any]):
    """A round that is over: seats with bets, cards and hands, the dealer's cards, payouts."""

    seats = serializers.ListField(child=serializers.DictField())
    dealer_cards = serializers.ListField(child=serializers.CharField(), required=False)
    community = serializers.ListField(child=serializers.CharField(), required=False)
    payouts = serializers.ListField(child=serializers.DictField(), required=False)
    limit_called = serializers.BooleanField(required=False)
    hole_card_shown = serializers.BooleanField(required=False)
    blackjack_found_late = serializers.BooleanField(required=False)
    coupons_approved = serializers.BooleanField(required=False)
    unverified = serializers.BooleanField(required=False)


class RoundEnd(serializers.Serializer[Any]):
    """What went wrong in the round, where something did."""

    limit_called = serializers.BooleanField(required=False)
    hole_card_shown = serializers.BooleanField(required=False)
    blackjack_found_late = serializers.BooleanField(required=False)
    coupons_approved = serializers.BooleanField(required=False)
    unverified = serializers.BooleanField(
        required=False, help_text="End it although a hand cannot have been played so."
    )


class _RoundView(TerminalView):
    # A stadium has many seats.
    body_max = 200_000


class Rounds(_RoundView):
    """Rounds of this table."""

    @extend_schema(
        operation_id="list_rounds",
        parameters=[after_parameter()],
        responses={200: RoundsPage, **problems(429)},
    )
    def get(self, request: Request) -> Response:
        """List the rounds of this table in the last 7 days, oldest first, 100 to a page."""
        since = house.now() - KEPT_TO_READ
        found = Round.objects.filter(table=terminal_of(request).table, started_at__gte=since)
        return self.page(request, found, as_sent)

    @extend_schema(
        operation_id="start_round",
        request=RoundStart,
        parameters=[once_header()],
        responses={201: RoundAnswer, **problems(409, 415, 422, 429)},
        examples=[
            OpenApiExample(
                "Two sensors lit",
                value={"seats": [{"seat": seat, "lit": ["blazing_7s"]} for seat in (2, 5)]},
                request_only=True,
            )
        ],
    )
    def post(self, request: Request) -> HttpResponse:
        """Start a round. Refused while another is open, or a jackpot is pending and not held."""
        terminal, told = terminal_of(request), self.body(request)
        return self.once(
            request, lambda: rounds.start_round(terminal=terminal, told=told), status=201
        )


class RoundWhole(_RoundView):
    """A round that equipment sends whole."""

    @extend_schema(
        operation_id="put_round",
        request=WholeRound,
        responses={200: RoundAnswer, **problems(409, 415, 422, 429)},
    )
    def put(self, request: Request, sent_id: UUID) -> Response:
        """Settle and store a round that is over, in one request. Its key makes it one round."""
        terminal, told = terminal_of(request), self.body(request)
        return Response(rounds.put_round(terminal=terminal, key=sent_id, told=told))


class RoundRead(_RoundView):
    """One round."""

    @extend_schema(operation_id="read_round", responses={200: RoundAnswer, **problems(404, 429)})
    def get(self, request: Request, round_id: int) -> Response:
        """Read a round as it stands."""
        table = terminal_of(request).table
        return Response(as_sent(get_object_or_404(Round, pk=round_id, table=table)))


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
            raise NotFound(f"A round has no {part[:20]}. Send {', '.join(Part)}.")
        terminal, told = terminal_of(request), self.body(request)
        return self.once(
            request,
            lambda: rounds.tell_round(
                terminal=terminal, round_id=round_id, part=Part(part), told=told
            ),
        )


class RoundUndo(_RoundView):
    """What was told last, taken back."""

    @extend_schema(
        operation_id="undo_round",
        request=None,
        parameters=[once_header()],
        responses={200: RoundAnswer, **problems(404, 409, 415, 422, 429)},
    )
    def post(self, request: Request, round_id: int) -> HttpResponse:
        """Strike the last part. Once payouts are told, a supervisor does it on a tablet."""
        terminal = terminal_of(request)
        return self.once(
            request, lambda: round_corrections.undo(terminal=terminal, round_id=round_id)
        )


class RoundReplace(_RoundView):
    """A card that was told wrong."""

    @extend_schema(
        operation_id="replace_card",
        request=CardReplaced,
        parameters=[once_header()],
        responses={200: RoundAnswer, **problems(404, 409, 415, 422, 429)},
    )
    def post(self, request: Request, round_id: int) -> HttpResponse:
        """Put the right card in place of a wrong one; what was told after it is judged again."""
        terminal, told = terminal_of(request), self.body(request)
        return self.once(
            request,
            lambda: round_corrections.replace_card(terminal=terminal, round_id=round_id, told=told),
        )


class RoundAborts(_RoundView):
    """A round that does not count."""

    @extend_schema(
        operation_id="abort_round",
        request=RoundAbort,
        parameters=[once_header()],
        responses={200: RoundAnswer, **problems(404, 409, 415, 422, 429)},
    )
    def post(self, request: Request, round_id: int) -> HttpResponse:
        """Call a round off before its first card; after it a supervisor does, on a tablet."""
        terminal, told = terminal_of(request), self.body(request)
        return self.once(
            request,
            lambda: round_corrections.abort(terminal=terminal, round_id=round_id, told=told),
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
        """Settle what was told and end the round; it never waits for cards.

        Refused while a jackpot is pending and not held, and for a hand that cannot be: fix the
        card, or send `unverified`.
        """
        terminal, told = terminal_of(request), self.body(request)
        return self.once(
            request,
            lambda: rounds.end_round(terminal=terminal, round_id=round_id, told=told),
        )
