"""The shoe of a terminal's table: marked as it is shuffled, dealt and broken down."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers
from rest_framework.request import Request

from pitboss.api_reading import read_body
from pitboss.api_schema import key_header, problems
from pitboss.rules.floor.standards import SHOE_SECONDS, Mark, Rating
from tables.api.terminals import TerminalView, terminal_of
from tables.models import ShoeMark
from tables.selectors.pace import timed_by
from tables.services.shoes import mark_at_terminal


class ShoeInput(serializers.Serializer[Any]):
    """What happens to the shoe now."""

    mark = serializers.ChoiceField(choices=[mark.value for mark in Mark])


class ShoeAnswer(serializers.Serializer[Any]):
    """The mark, and how long what it ended took."""

    mark = serializers.ChoiceField(choices=[mark.value for mark in Mark])
    at = serializers.DateTimeField()
    seconds = serializers.IntegerField(
        allow_null=True,
        help_text="Of the shuffle or shoe that it ended, where one dealer did the whole of it.",
    )
    rating = serializers.ChoiceField(
        choices=[rating.value for rating in Rating],
        allow_null=True,
        help_text="Of a shuffle of six or eight decks, by the manual's scale.",
    )
    standard_seconds = serializers.IntegerField(
        allow_null=True, help_text="The manual’s standard time for a shoe of this many decks."
    )


class Shoe(TerminalView):
    """The shoe of this table."""

    @extend_schema(
        operation_id="mark_shoe",
        request=ShoeInput,
        parameters=[key_header()],
        responses={200: ShoeAnswer, **problems(409, 415, 422, 429)},
        examples=[OpenApiExample("Shuffle", value={"mark": "shuffle"}, request_only=True)],
    )
    def post(self, request: Request) -> HttpResponse:
        """Mark the shuffle, the first card after it, or a shoe that is broken down."""
        given = read_body(ShoeInput, self.body(request))
        terminal, mark = terminal_of(request), Mark(given.validated_data["mark"])
        return self.once(request, lambda: _answer(mark_at_terminal(terminal=terminal, mark=mark)))


def _answer(row: ShoeMark) -> dict[str, Any]:
    took = timed_by(row)
    return {
        "mark": row.mark,
        "at": row.at.isoformat(),
        "seconds": row.seconds,
        "rating": took.rating.value if took and took.rating else None,
        "standard_seconds": SHOE_SECONDS.get(row.decks),
    }
