"""How a terminal calls: by its token, for its own table, each request once, and not too often."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from datetime import timedelta
from http import HTTPStatus
from typing import Any, Final, TypeVar

from django.db.models import Model, QuerySet
from django.http import HttpResponse
from rest_framework.exceptions import AuthenticationFailed, ParseError
from rest_framework.permissions import BasePermission
from rest_framework.request import Request
from rest_framework.response import Response

from pitboss.api_auth import DeviceAuthentication, DeviceView, token_of
from pitboss.api_rates import DeviceRate, a_minute_of, take_of_device
from pitboss.api_reading import read_key
from pitboss.models import Device
from pitboss.rates import BucketTaken
from pitboss.rules.canonical import canonical, digest
from pitboss.rules.flows.reading import kinds_at_terminals
from pitboss.rules.quoting import quoted
from pitboss.rules.refusal import refuse
from pitboss.services import house
from pitboss.services.devices import note_seen
from pitboss.services.once import GivenAnswer, RequestKey, answer_once
from pitboss.translating import asked_language
from tables.services.in_force import settings_of
from tables.services.terminals import Terminal, terminal_by_token

BODY_MAX: Final = 16_384
TOO_LARGE: Final = 413
PAGE: Final = 100
# A terminal that was off for longer begins with what is open.
KEPT_TO_READ: Final = timedelta(days=7)
_AFTER_MAX: Final = 2**63 - 1

Row = TypeVar("Row", bound=Model)


class TerminalAuthentication(DeviceAuthentication):
    """Read `Authorization: Device <token>` of a terminal, and what its table stands on."""

    def authenticate(self, request: Request) -> tuple[None, Any] | None:
        token = token_of(request)
        if token is None:
            return None
        terminal = terminal_by_token(token)
        if terminal is None:
            raise AuthenticationFailed(
                "This token doesn’t belong to a terminal. Enroll the terminal again."
            )
        return None, terminal


class IsTerminal(BasePermission):
    """Let in the terminals of tables."""

    message = "Only a table's terminal may call this."

    def has_permission(self, request: Request, view: Any) -> bool:
        return isinstance(request.auth, Terminal)


class TerminalRate(DeviceRate):
    """Let each terminal through as often as its own table's settings say."""

    named = "terminal"

    def take(self, request: Request) -> BucketTaken:
        """Take one request of the terminal that called."""
        return take_of(terminal_of(request))


def take_of(terminal: Terminal) -> BucketTaken:
    """Take one request of a terminal: return how many are left, and how long it waits."""
    return take_of_device(terminal.device, a_minute_of(settings_of(terminal, house.now())))


def terminal_of(request: Request) -> Terminal:
    """Return the terminal that called; the view's permissions have let it in."""
    assert isinstance(request.auth, Terminal), "a view without a terminal's permission"
    return request.auth


class TerminalView(DeviceView):
    """A view of the API for the terminal of one table. What it asks for is always its own table."""

    authentication_classes = [TerminalAuthentication]
    permission_classes = [IsTerminal]
    throttle_classes = [TerminalRate]
    # A round of a stadium is longer than a wager.
    body_max = BODY_MAX
    # Where what a POST makes is read, by the fields of the answer.
    made_at = ""

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        note_seen(terminal_of(request).device, house.now())

    def caller(self, request: Request) -> Device | None:
        return request.auth.device if isinstance(request.auth, Terminal) else None

    def kinds_read(self, request: Request) -> frozenset[str]:
        return kinds_at_terminals()

    def once(
        self, request: Request, act: Callable[[], Mapping[str, Any]], *, status: int = 200
    ) -> HttpResponse:
        """Carry a request out once, and answer every resend as the first time."""
        return as_response(answer_once(self.request_key(request), act, status=status))

    def page(
        self, request: Request, found: QuerySet[Row], as_sent: Callable[[Row], Mapping[str, Any]]
    ) -> Response:
        """Answer with what came after the last one that the terminal knows, oldest first.

        Raises ParseError where `after` is not a number.
        """
        given = request.query_params.get("after", "0")
        if not (given.isascii() and given.isdigit()) or int(given) > _AFTER_MAX:
            raise ParseError("after is the number of the last one that you have.", "bad_after")
        rows = list(found.filter(pk__gt=int(given)).order_by("pk")[: PAGE + 1])
        items = [as_sent(row) for row in rows[:PAGE]]
        return Response({"items": items, "next": rows[PAGE - 1].pk if len(rows) > PAGE else None})

    def no_body(self, request: Request) -> None:
        """Refuse a body where none is read. Raises Refused."""
        for name in self.body(request):
            message = f"There is no field {quoted(name)}. Send an empty object."
            raise refuse("unknown_field", message)

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        """Say where what was made is read."""
        answer: Any = super().finalize_response(request, response, *args, **kwargs)
        say_where(answer, self.made_at)
        return answer

    def request_key(self, request: Request, *, without: str = "") -> RequestKey:
        """Return which request this is, one field left aside.

        Raises ParseError where the client did not name it.
        """
        key = read_key(request)
        body = {name: value for name, value in self.body(request).items() if name != without}
        asked = f"{request.method} {request.path}\n{canonical(body)}"
        language = asked_language(request)
        return RequestKey(terminal_of(request).device, key, digest(asked), language)

    def body(self, request: Request) -> dict[str, Any]:
        """Return the body, an object of a sensible size. Raises Refused."""
        body = request.data
        if not isinstance(body, dict):
            raise refuse("bad_body", "Send a JSON object.")
        if int(request.META.get("CONTENT_LENGTH") or 0) > self.body_max:
            raise refuse("body_too_large", f"Send at most {self.body_max:,} bytes.", TOO_LARGE)
        return body


def say_where(answer: Any, made_at: str) -> None:
    """Say where what was made is read, by the fields of the answer."""
    if answer.status_code == HTTPStatus.CREATED and made_at:
        made = answer.data if isinstance(answer, Response) else json.loads(answer.content)
        answer.headers["Location"] = f"/api/v1/{made_at.format(**made)}"


def as_response(answer: GivenAnswer) -> HttpResponse:
    """Return an answer as it was first made, and say so when it is not new."""
    response = HttpResponse(answer.text, status=answer.status, content_type="application/json")
    if answer.is_replay:
        response.headers["Idempotent-Replayed"] = "true"
    return response
