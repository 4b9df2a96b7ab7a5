"""The one place where a refusal becomes HTTP, for screens and for the API."""

from __future__ import annotations

from typing import Any

from rest_framework.exceptions import APIException
from rest_framework.response import Response
from rest_framework.views import exception_handler

from pitboss.rules.refusal import Refused

# Not yours to do. Everything else that is refused is a matter of time (409) or of input (422).
_FORBIDDEN = {
    "wrong_role",
    "administrators_sign_nothing",
    "not_employed",
    "licence_expired",
    "unknown_device",
    "wrong_place",
    "wrong_pit",
    "wrong_witness",
    "locked",
}
_CONFLICT = {
    "already_signed",
    "slip_closed",
    "out_of_order",
    "stale_screen",
    "already_dispatched",
    "not_dispatched",
    "signed_before",
    "other_officer",
    "already_resolved",
    "request_reused",
    "count_differs",
    "tray_moved",
    "already_acting",
    "already_counted",
    "already_explained",
    "already_pulled",
    "already_replaced",
    "box_not_pulled",
    "box_uncounted",
    "close_under_way",
    "count_first",
    "count_under_way",
    "day_closed",
    "day_not_over",
    "day_open",
    "dealer_held",
    "drop_waits",
    "earlier_day_open",
    "exception_open",
    "figures_differ",
    "hand_is_on",
    "nobody_to_relieve",
    "not_returned",
    "nothing_to_pull",
    "paper_used",
    "pull_under_way",
    "serial_unexplained",
    "slip_open",
    "slips_open",
    "table_closed",
    "table_closing",
    "table_open",
}


def http_status(refused: Refused) -> int:
    """Return 403 when the person may not, 409 when the moment is wrong, else 422 for the input."""
    codes = set(refused.codes)
    if codes & _FORBIDDEN:
        return 403
    return 409 if codes & _CONFLICT else 422


def problem(error: Exception, context: dict[str, Any]) -> Response | None:
    """Answer an API error as a problem document (RFC 9457) with stable codes."""
    if isinstance(error, Refused):
        return Response(
            {
                "type": "about:blank",
                "title": "Refused",
                "status": http_status(error),
                "detail": str(error),
                "refusals": [
                    {"code": refusal.code, "message": refusal.message} for refusal in error.refusals
                ],
            },
            status=http_status(error),
            content_type="application/problem+json",
        )
    response = exception_handler(error, context)
    if response is not None and isinstance(error, APIException):
        response.data = {
            "type": "about:blank",
            "title": error.default_detail,
            "status": response.status_code,
            "detail": response.data,
        }
        response.content_type = "application/problem+json"
    return response
