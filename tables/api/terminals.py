"""How a terminal calls: by its token, for its own table, each request once, and not too often."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import Any, Final, TypeVar

from django.db.models import Model, QuerySet
from django.http import HttpResponse
from django.views.decorators.http import conditional_page
from rest_framework.exceptions import AuthenticationFailed, ParseError
from rest_framework.permissions import BasePermission
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import BaseThrottle

from pitboss import rates
from pitboss.api_auth import DeviceAuthentication, DeviceView, token_of
from pitboss.models import Device
from pitboss.rules.canonical import canonical, digest
from pitboss.rules.flows.reading import kinds_at_terminals
from pitboss.rules.refusal import refuse
from pitboss.services import house
from pitboss.services.devices import note_seen
from pitboss.services.once import Answer, RequestKey, answer_once
from tables.services.in_force import settings_of
from tables.services.terminals import Terminal, terminal_by_token

KEY_HEADER: Final = "Idempotency-Key"
KEY_MAX: Final = 64
BODY_MAX: Final = 16_384
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


class TerminalRate(BaseThrottle):
    """Let each terminal through so often a minute, as the house has set it, on all web nodes."""

    _wait_seconds: float = 0

    def allow_request(self, request: Request, view: Any) -> bool:
        self._wait_seconds = seconds_to_wait(terminal_of(request))
        return self._wait_seconds == 0

    def wait(self) -> float:
        return self._wait_seconds


def seconds_to_wait(terminal: Terminal) -> float:
    """Take one request of a terminal: return 0, or for how many seconds it waits."""
    now = house.now()
    return rates.take(
        f"device:{terminal.device.pk}",
        a_minute=int(settings_of(terminal, now)["people.terminal_requests"]),
        at=now.timestamp(),
    )


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

    @classmethod
    def as_view(cls, **initkwargs: Any) -> Any:
        view: Any = super().as_view(**initkwargs)
        # Who reads the same again is answered 304 and no body.
        conditional: Any = conditional_page(view)
        conditional.answers_for_itself = view.answers_for_itself
        return conditional

    def request_key(self, request: Request, *, without: str = "") -> RequestKey:
        """Return which request this is, one field left aside.

        Raises ParseError where the client did not name it.
        """
        key = request.headers.get(KEY_HEADER, "")
        if not key:
            raise ParseError(f"Send an {KEY_HEADER}, a new one for each act.", "key_missing")
        if len(key) > KEY_MAX or not key.isascii() or not key.isprintable():
            message = f"An {KEY_HEADER} is up to {KEY_MAX} plain characters, ideally a UUID."
            raise ParseError(message, "key_malformed")
        body = {name: value for name, value in self.body(request).items() if name != without}
        asked = f"{request.method} {request.path}\n{canonical(body)}"
        return RequestKey(terminal_of(request).device, key, digest(asked))

    def body(self, request: Request) -> dict[str, Any]:
        """Return the body, an object of a sensible size. Raises Refused."""
        body = request.data
        if not isinstance(body, dict):
            raise refuse("bad_body", "Send a JSON object.")
        if int(request.META.get("CONTENT_LENGTH") or 0) > self.body_max:
            raise refuse("body_too_long", f"Send at most {self.body_max:,} bytes.")
        return body


def as_response(answer: Answer) -> HttpResponse:
    """Return an answer as it was first made, and say so when it is not new."""
    response = HttpResponse(answer.text, status=answer.status, content_type="application/json")
    if answer.is_replay:
        response.headers["Idempotent-Replayed"] = "true"
    return response
