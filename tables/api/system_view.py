"""What every address for another system does: it asks for its scope and keeps each call."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

from django.http import HttpResponse
from rest_framework.request import Request
from rest_framework.response import Response

from pitboss.api_auth import DeviceView, device_of
from pitboss.api_reading import read_key
from pitboss.request_log import current_number
from pitboss.rules.canonical import canonical, digest
from pitboss.rules.roles import Place
from pitboss.services.once import RequestKey, answer_once
from tables.api.terminals import as_response, say_where
from tables.models import Scope
from tables.services import systems
from tables.services.system_calls import keep_call


class SystemView(DeviceView):
    """A view for a device of the office that two people granted a scope."""

    scope: ClassVar[Scope]
    # Where what a POST makes is read, by the fields of the answer.
    made_at = ""

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Let a system in by its scope alone."""
        super().initial(request, *args, **kwargs)
        systems.demand_scope(device_of(request), self.scope)

    def once(
        self, request: Request, act: Callable[[], Mapping[str, Any]], *, status: int = 200
    ) -> HttpResponse:
        """Carry a request out once, and answer every resend as the first time."""
        asked = f"{request.method} {request.path}\n{canonical(request.data)}"
        key = RequestKey(device_of(request), read_key(request), digest(asked))
        return as_response(answer_once(key, act, status=status))

    def finalize_response(
        self, request: Request, response: Response, *args: Any, **kwargs: Any
    ) -> Any:
        """Keep the call before it is answered: no call of a system is missing from its page."""
        device = self.caller(request)
        if device is not None and device.place == Place.OFFICE.value and device.table_id is None:
            keep_call(
                device=device,
                scope=self.scope,
                method=request.method or "",
                status=response.status_code,
                code=_code_of(response),
                number=current_number(),
            )
        answer: Any = super().finalize_response(request, response, *args, **kwargs)
        say_where(answer, self.made_at)
        return answer


def _code_of(response: Response) -> str:
    """Return why a call was refused: the first code; empty where it was not."""
    if response.status_code < 400:
        return ""
    refusals = (getattr(response, "data", None) or {}).get("refusals", [])
    return str(refusals[0]["code"]) if refusals else ""
