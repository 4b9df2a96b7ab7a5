"""Rounds of a terminal's table: started, told as they are dealt, and ended."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, TypedDict
from uuid import UUID

from django.http import HttpResponse
from drf_spectacular.utils import OpenApiExample, extend_schema, extend_schema_view
from rest_framework.generics import get_object_or_404
from rest_framework.request import Request
from rest_framework.response import Response

from pitboss.api_schema import key_header, problems
from pitboss.api_types import serializer_of
from pitboss.rules.rounds.ending import Abort
from pitboss.rules.rounds.log import RoundPart
from pitboss.rules.rounds.told import (
    CardReplaced,
    CardsTold,
    DecisionTold,
    PayoutsTold,
    RoundAnswer,
    RoundEnd,
    RoundStart,
    SeatsTold,
    WagersTold,
    WholeRound,
)
from pitboss.services import house
from tables.api.schema import after_parameter
from tables.api.terminals import KEPT_TO_READ, TerminalView, terminal_of
from tables.models import Round
from tables.services import round_corrections, rounds
from tables.services.round_facts import as_sent

_EXAMPLES = {
    RoundPart.SEATS: {"seats": [{"seat": 5}]},
    RoundPart.WAGERS: {
        "seat": 5,
        "bets": [
            {"wager": "blackjack", "stake_cents": 5_000},
            {"wager": "trilux", "stake_cents": 1_000},
        ],
    },
    RoundPart.CARDS: {"cards": [{"seat": 5, "card": "9c"}, {"to": "dealer", "card": "9s"}]},
    RoundPart.DECISIONS: {"seat": 5, "decision": "double", "amount_cents": 5_000},
    RoundPart.PAYOUTS: {"payouts": [{"seat": 5, "wager": "trilux", "paid_cents": 9_000}]},
}


RoundShape = serializer_of(RoundAnswer)


class RoundsPage(TypedDict):
    """Rounds after the one that was named."""

    items: list[RoundAnswer]
    next: Annotated[int | None, "Send it as `after` for the next page; null at the end."]


class RoundAbort(TypedDict):
    """Why the round does not count."""

    reason: Annotated[str, Abort]


class _RoundView(TerminalView):
    # A stadium has many seats.
    body_max = 200_000


class Rounds(_RoundView):
    """Rounds of this table."""

    made_at = "rounds/{round}"

    @extend_schema(
        operation_id="list_rounds",
        parameters=[after_parameter()],
        responses={200: serializer_of(RoundsPage), **problems(429)},
    )
    def get(self, request: Request) -> Response:
        """List the rounds of this table in the last 7 days, oldest first, 100 to a page."""
        since = house.now() - KEPT_TO_READ
        found = Round.objects.filter(table=terminal_of(request).table, started_at__gte=since)
        return self.page(request, found, as_sent)

    @extend_schema(
        operation_id="start_round",
        request=serializer_of(RoundStart),
        parameters=[key_header()],
        responses={201: RoundShape, **problems(409, 415, 422, 429)},
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
        request=serializer_of(WholeRound),
        responses={200: RoundShape, **problems(409, 415, 422, 429)},
    )
    def put(self, request: Request, sent_id: UUID) -> Response:
        """Settle and store a round that is over, in one request. Its key makes it one round."""
        terminal, told = terminal_of(request), self.body(request)
        return Response(rounds.put_round(terminal=terminal, key=sent_id, told=told))


class RoundRead(_RoundView):
    """One round."""

    @extend_schema(operation_id="read_round", responses={200: RoundShape, **problems(404, 429)})
    def get(self, request: Request, round_id: int) -> Response:
        """Read a round as it stands."""
        table = terminal_of(request).table
        return Response(as_sent(get_object_or_404(Round, pk=round_id, table=table)))


class _RoundTold(_RoundView):
    """What is told of a round while it is dealt."""

    part: RoundPart

    def post(self, request: Request, round_id: int) -> HttpResponse:
        """Add one part to the round."""
        terminal, told = terminal_of(request), self.body(request)
        return self.once(
            request,
            lambda: rounds.tell_round(
                terminal=terminal, round_id=round_id, part=self.part, told=told
            ),
        )


def _telling(part: RoundPart, shape: Any, says: str) -> type[_RoundTold]:
    """Return the view of one part, with its own body in the schema."""

    @extend_schema_view(
        post=extend_schema(
            operation_id=f"tell_{part.value}",
            description=says,
            request=serializer_of(shape),
            parameters=[key_header()],
            responses={200: RoundShape, **problems(404, 409, 415, 422, 429)},
            examples=[
                OpenApiExample(part.value.capitalize(), value=_EXAMPLES[part], request_only=True)
            ],
        )
    )
    class Telling(_RoundTold):
        pass

    Telling.part = part
    return Telling


TELLING: Mapping[RoundPart, type[_RoundTold]] = {
    RoundPart.SEATS: _telling(RoundPart.SEATS, SeatsTold, "Enter the seats that are played."),
    RoundPart.WAGERS: _telling(RoundPart.WAGERS, WagersTold, "Enter all bets of one seat."),
    RoundPart.CARDS: _telling(RoundPart.CARDS, CardsTold, "Enter cards as they fall."),
    RoundPart.DECISIONS: _telling(
        RoundPart.DECISIONS, DecisionTold, "Enter what a player decided."
    ),
    RoundPart.PAYOUTS: _telling(RoundPart.PAYOUTS, PayoutsTold, "Enter what was paid."),
}


class RoundUndo(_RoundView):
    """What was told last, taken back."""

    @extend_schema(
        operation_id="undo_round",
        request=None,
        parameters=[key_header()],
        responses={200: RoundShape, **problems(404, 409, 415, 422, 429)},
    )
    def post(self, request: Request, round_id: int) -> HttpResponse:
        """Strike the last part. Once payouts are told, a supervisor does it on a tablet."""
        self.no_body(request)
        terminal = terminal_of(request)
        return self.once(
            request, lambda: round_corrections.undo(terminal=terminal, round_id=round_id)
        )


class RoundReplace(_RoundView):
    """A card that was told wrong."""

    @extend_schema(
        operation_id="replace_card",
        request=serializer_of(CardReplaced),
        parameters=[key_header()],
        responses={200: RoundShape, **problems(404, 409, 415, 422, 429)},
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
        request=serializer_of(RoundAbort),
        parameters=[key_header()],
        responses={200: RoundShape, **problems(404, 409, 415, 422, 429)},
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
        request=serializer_of(RoundEnd),
        parameters=[key_header()],
        responses={200: RoundShape, **problems(404, 409, 415, 422, 429)},
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
