"""Events at a table, for the schema, and for a web node that has no process for them."""

from __future__ import annotations

from typing import Any, Final

from drf_spectacular.utils import OpenApiExample, OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.request import Request
from rest_framework.response import Response

from pitboss.api_schema import problems
from pitboss.problems import problem_document
from pitboss.rules.floor.table_events import SAYS
from tables.api.terminals import TerminalView

WHERE_FROM: Final = "Last-Event-ID"
TOO_MANY: Final = "too_many_streams"
AWAY: Final = "events_away"
# A terminal asks for what it needs every two seconds meanwhile.
ASK_AGAIN_SECONDS: Final = 30

_NAMES = "\n".join(f"- `{name.value}`: {words}" for name, words in SAYS.items())
_EXAMPLE = (
    'id: 412.88.51\nevent: approval_answered\ndata: {"table": "BJ-11", '
    '"at": "2026-11-16T20:24:05+00:00", "request": 12, "state": "granted"}\n\n'
)


class AsAsked(BaseContentNegotiation):
    """Takes `Accept: text/event-stream` for what it is here: a wish that this node cannot meet."""

    def select_parser(self, request: Request, parsers: Any) -> Any:
        return parsers[0]

    def select_renderer(self, request: Request, renderers: Any, format_suffix: Any = None) -> Any:
        return renderers[0], renderers[0].media_type


class Events(TerminalView):
    """What happens at this terminal's table."""

    content_negotiation_class = AsAsked

    @extend_schema(
        operation_id="stream_events",
        parameters=[
            OpenApiParameter(
                WHERE_FROM,
                type={"type": "string", "pattern": r"^\d{1,18}\.\d{1,18}\.\d{1,18}$"},
                location=OpenApiParameter.HEADER,
                required=False,
                description="The `id` of the last event that you have. You get what came after.",
            )
        ],
        responses={
            (200, "text/event-stream"): OpenApiResponse(
                {"type": "string"},
                f"Server-sent events, without end.\n\n{_NAMES}",
                examples=[OpenApiExample("A request was granted", value=_EXAMPLE)],
            ),
            **problems(429, 503),
        },
    )
    def get(self, request: Request) -> Response:
        """Stream what happens at this table, from the journal, as server-sent events."""
        sentence = "No stream of events here. Ask every 2 seconds instead."
        document = problem_document(503, sentence, [{"code": AWAY, "message": sentence}])
        return Response(
            document,
            status=503,
            content_type="application/problem+json",
            headers={"Retry-After": str(ASK_AGAIN_SECONDS)},
        )
