"""What a terminal asks its supervisor for, and what came of it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.http import HttpResponse
from drf_spectacular.utils import OpenApiExample, PolymorphicProxySerializer, extend_schema
from rest_framework import serializers
from rest_framework.generics import get_object_or_404
from rest_framework.request import Request
from rest_framework.response import Response

from pitboss.api_reading import read_body
from pitboss.api_schema import key_header, problems
from pitboss.api_types import described, serializer_of
from pitboss.rules.book.jobs.card import Job
from pitboss.rules.book.teaching import cards_for
from pitboss.rules.canonical import canonical
from pitboss.rules.floor.book import FLOOR_KINDS
from pitboss.rules.floor.fields import Field
from pitboss.rules.floor.nods import PAYOUT
from pitboss.selectors.teaching import taught_at
from tables.api.terminals import TerminalView, terminal_of
from tables.models import FloorRequest
from tables.selectors.floor_log import (
    RequestAnswer,
    as_sent,
    card_as_sent,
    kind_as_sent,
    latest_requests,
)
from tables.services import floor_log, withdrawals

_ASKED = [kind.code for kind in FLOOR_KINDS.values() if kind.is_asked]
_EXAMPLES: dict[str, dict[str, Any]] = {
    "Buy-in": {"kind": "buy_in", "facts": {"amount_cents": 100_000}},
    "Cheque change": {
        "kind": "cheque_change",
        "facts": {"taken": {"10000": 5}, "sent": {"2500": 20}},
    },
    "Cut by the dealer": {"kind": "dealer_cut", "facts": {}},
}


class AskInput(serializers.Serializer[Any]):
    """What is asked for: a kind of the floor log, and the facts that this kind asks."""

    kind = serializers.ChoiceField(choices=_ASKED)
    facts = serializers.DictField(required=False)


def _facts_schema(asks: Iterable[Field]) -> dict[str, Any]:
    """Return the JSON Schema of what a kind asks, from the fields that read it."""
    asked = list(asks)
    return {
        "type": "object",
        "properties": {
            field.name: {**_field_schema(field), "description": field.label} for field in asked
        },
        "required": [field.name for field in asked if field.is_needed],
        "additionalProperties": False,
    }


def _field_schema(field: Field) -> dict[str, Any]:
    choices = getattr(field, "choices", {})
    seat = {"type": "integer", "minimum": 1, "maximum": len(choices)}
    schemas: dict[str, dict[str, Any]] = {
        "money": {"type": "integer", "minimum": 0},
        "cheques": {"type": "object", "additionalProperties": {"type": "integer", "minimum": 0}},
        "yes": {"type": "boolean"},
        "number": {"type": "integer"},
        "day": {"type": "string", "format": "date"},
        "seat": seat,
        "seats": {"type": "array", "items": seat},
        "pick": {"type": "string", "enum": list(choices)},
    }
    return schemas.get(field.shape, {"type": "string"})


def _facts_of_any_kind() -> dict[str, Any]:
    """Return the JSON Schema of the facts of a request that is read again, whatever its kind."""
    fields: dict[str, dict[str, dict[str, Any]]] = {}
    for code in (*_ASKED, PAYOUT.code):
        for field in FLOOR_KINDS[code].asks:
            schema = {key: value for key, value in _field_schema(field).items() if key != "enum"}
            fields.setdefault(field.name, {})[canonical(schema)] = schema
    properties = {
        name: next(iter(found.values())) if len(found) == 1 else {"anyOf": list(found.values())}
        for name, found in sorted(fields.items())
    }
    return {
        "type": "object",
        "properties": properties,
        "description": "What was asked. A kind has its own of these fields.",
    }


AskAnswer: type[serializers.Serializer[Any]] = type(
    "RequestAnswer",
    (serializer_of(RequestAnswer),),
    {
        "__doc__": RequestAnswer.__doc__,
        "facts": described(serializers.DictField, _facts_of_any_kind())(),
    },
)


def _ask_of(code: str) -> type[AskInput]:
    """Return the request of one kind: `facts` is just what this kind asks."""
    asks = list(FLOOR_KINDS[code].asks)
    name = "".join(word.capitalize() for word in code.split("_"))
    is_needed = any(field.is_needed for field in asks)
    fields = {
        "kind": described(serializers.CharField, {"type": "string", "const": code})(),
        "facts": described(serializers.DictField, _facts_schema(asks))(required=is_needed),
    }
    said = {"__doc__": FLOOR_KINDS[code].words or FLOOR_KINDS[code].title}
    return type(f"{name}Ask", (AskInput,), {**fields, **said})


def _ask_of_any_kind() -> PolymorphicProxySerializer:
    """Return the requests of all kinds, told apart by `kind`, for the schema."""
    return PolymorphicProxySerializer(
        component_name="Ask",
        serializers={code: _ask_of(code) for code in _ASKED},
        resource_type_field_name="kind",
    )


class ChoiceShape(serializers.Serializer[Any]):
    """One of a few answers."""

    value = serializers.CharField()
    words = serializers.CharField()


class AskShape(serializers.Serializer[Any]):
    """One thing that a kind asks."""

    name = serializers.CharField()
    title = serializers.CharField()
    shape = serializers.CharField(
        help_text="`money` is sent in cents, `cheques` by denomination, `day` as 2026-05-01, `yes` "
        "as true or false, `number` as such, everything else as a text."
    )
    is_needed = serializers.BooleanField()
    choices = ChoiceShape(many=True)


class JobCardShape(serializers.Serializer[Any]):
    """How one job is done at this table."""

    job = serializers.ChoiceField(choices=[job.value for job in Job])
    part = serializers.CharField(help_text="The heading that it is listed under.")
    title = serializers.CharField()
    lines = serializers.ListField(child=serializers.CharField())
    written_in = serializers.CharField(help_text="Document and passage.")


class KindShape(serializers.Serializer[Any]):
    """A kind of request, with all that a terminal needs to draw its form."""

    kind = serializers.CharField()
    title = serializers.CharField()
    words = serializers.CharField(allow_blank=True)
    group = serializers.CharField()
    heading = serializers.CharField(help_text="Under which a screen lists its group.")
    is_approval = serializers.BooleanField()
    guide = serializers.ListField(child=serializers.CharField(), help_text="What to do, in order.")
    cards = JobCardShape(many=True)
    asks = AskShape(many=True)


class FloorKinds(TerminalView):
    """What a terminal may ask for."""

    @extend_schema(
        operation_id="read_request_kinds", responses={200: KindShape(many=True), **problems(429)}
    )
    def get(self, request: Request) -> Response:
        """Read every kind that can be asked for, and what it asks."""
        at = taught_at(terminal_of(request).table)
        return Response([kind_as_sent(FLOOR_KINDS[code], at) for code in _ASKED])


class JobCards(TerminalView):
    """How the jobs at this table are done."""

    @extend_schema(
        operation_id="read_job_cards",
        responses={200: JobCardShape(many=True), **problems(429)},
    )
    def get(self, request: Request) -> Response:
        """Read the job cards of this table: its game, its decks, and how they are shuffled."""
        at = taught_at(terminal_of(request).table)
        return Response([card_as_sent(card) for card in cards_for(at)])


class FloorRequests(TerminalView):
    """Requests to the supervisor."""

    made_at = "requests/{request}"

    @extend_schema(
        operation_id="read_requests", responses={200: AskAnswer(many=True), **problems(429)}
    )
    def get(self, request: Request) -> Response:
        """Read the last requests of this table in this gaming day, newest first."""
        return Response(
            [
                as_sent(floor_request)
                for floor_request in latest_requests(terminal_of(request).table)
            ]
        )

    @extend_schema(
        operation_id="ask_supervisor",
        request=_ask_of_any_kind(),
        parameters=[key_header()],
        responses={201: AskAnswer, **problems(409, 415, 422, 429)},
        examples=[
            OpenApiExample(name, value=example, request_only=True)
            for name, example in _EXAMPLES.items()
        ],
    )
    def post(self, request: Request) -> HttpResponse:
        """Request an approval, or report an incident; the supervisor answers on the tablet."""
        given = read_body(AskInput, self.body(request))
        code, facts = given.validated_data["kind"], given.validated_data.get("facts", {})
        terminal = terminal_of(request)

        def act() -> RequestAnswer:
            return as_sent(floor_log.ask(terminal=terminal, code=code, given=facts))

        return self.once(request, act, status=201)


class FloorRequestWithdraw(TerminalView):
    """A request of this table, taken back."""

    @extend_schema(
        operation_id="withdraw_request",
        request=None,
        parameters=[key_header()],
        responses={200: AskAnswer, **problems(404, 409, 415, 422, 429)},
    )
    def post(self, request: Request, request_id: int) -> HttpResponse:
        """Withdraw a request that no one has answered. A report can’t be withdrawn."""
        self.no_body(request)
        terminal = terminal_of(request)
        floor_request = get_object_or_404(FloorRequest, pk=request_id, table=terminal.table)

        def act() -> RequestAnswer:
            withdrawals.withdraw(terminal=terminal, asked=floor_request)
            floor_request.refresh_from_db()
            return as_sent(floor_request)

        return self.once(request, act)


class FloorRequestRead(TerminalView):
    """One request of this table."""

    @extend_schema(operation_id="read_request", responses={200: AskAnswer, **problems(404, 429)})
    def get(self, request: Request, request_id: int) -> Response:
        """Read what came of a request."""
        table = terminal_of(request).table
        return Response(as_sent(get_object_or_404(FloorRequest, pk=request_id, table=table)))
