"""What every address for another system does: it asks for its scope and keeps each call."""

from __future__ import annotations

from typing import Any, ClassVar

from rest_framework.request import Request
from rest_framework.response import Response

from pitboss.api_auth import DeviceView, device_of
from pitboss.request_log import current_number
from pitboss.rules.roles import Place
from tables.models import Scope
from tables.services import systems
from tables.services.system_calls import keep_call


class SystemView(DeviceView):
    """A view for a device of the office that two people granted a scope."""

    scope: ClassVar[Scope]

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Let a system in by its scope alone."""
        super().initial(request, *args, **kwargs)
        systems.demand_scope(device_of(request), self.scope)

    def finalize_response(
        self, request: Request, response: Response, *args: Any, **kwargs: Any
    ) -> Response:
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
        return super().finalize_response(request, response, *args, **kwargs)


def _code_of(response: Response) -> str:
    """Return why a call was refused: the first code; empty where it was not."""
    if response.status_code < 400:
        return ""
    refusals = (getattr(response, "data", None) or {}).get("refusals", [])
    return str(refusals[0]["code"]) if refusals else ""
