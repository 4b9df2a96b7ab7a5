"""The one place where a refusal becomes HTTP, for screens and for the API."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from http import HTTPStatus
from typing import Any

from rest_framework.exceptions import APIException, ValidationError
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
    "wrong_table",
    "wrong_witness",
    "locked",
}
_CONFLICT = {
    "already_pending",
    "earlier_hit_pending",
    "jackpot_pending",
    "mid_game",
    "not_confirmed",
    "not_rejected",
    "payment_differs",
    "posted_today",
    "reading_unexplained",
    "review_expired",
    "tax_papers_incomplete",
    "terms_changed",
    "already_closed",
    "already_confirmed",
    "already_reversed",
    "day_still_runs",
    "match_stands",
    "already_signed",
    "slip_closed",
    "out_of_order",
    "stale_screen",
    "already_dispatched",
    "not_dispatched",
    "signed_before",
    "other_officer",
    "already_resolved",
    "already_settled",
    "request_reused",
    "count_differs",
    "tray_moved",
    "already_acting",
    "already_counted",
    "already_explained",
    "already_answered",
    "already_pulled",
    "already_replaced",
    "box_not_pulled",
    "box_uncounted",
    "close_under_way",
    "closing_said",
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
    "key_reused",
    "no_closing_said",
    "nobody_to_relieve",
    "not_returned",
    "nothing_stands",
    "nothing_to_pull",
    "paper_used",
    "pull_under_way",
    "round_ended",
    "round_is_on",
    "round_open",
    "cards_have_fallen",
    "no_wagers",
    "not_dealt",
    "paid_twice",
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


def problem(error: Exception, context: Mapping[str, Any]) -> Response | None:
    """Answer an API error as a problem document (RFC 9457) with stable codes."""
    if isinstance(error, Refused):
        refusals = [{"code": each.code, "message": each.message} for each in error.refusals]
        return _problem(http_status(error), str(error), refusals)
    response = exception_handler(error, dict(context))
    if response is None:
        return None
    refusals = list(_reasons(error))
    sentence = " ".join(refusal["message"] for refusal in refusals)
    answer = _problem(response.status_code, sentence, refusals)
    for name in ("WWW-Authenticate", "Retry-After"):
        if name in response.headers:
            answer[name] = response.headers[name]
    return answer


def problem_document(status: int, sentence: str, refusals: list[dict[str, str]]) -> dict[str, Any]:
    """Return a problem: what went wrong, in a sentence and in every code."""
    return {
        "type": "about:blank",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "detail": sentence,
        "refusals": refusals,
    }


def _problem(status: int, sentence: str, refusals: list[dict[str, str]]) -> Response:
    return Response(
        problem_document(status, sentence, refusals),
        status=status,
        content_type="application/problem+json",
    )


def _reasons(error: Exception) -> Iterator[dict[str, str]]:
    """Yield what is wrong, with the field where it is wrong."""
    if isinstance(error, ValidationError):
        yield from _field_reasons(error.get_full_details(), "")
    elif isinstance(error, APIException):
        yield {"code": str(error.get_codes()), "message": str(error.detail)}
    else:
        yield {"code": "not_found", "message": "There is nothing at this address."}


def _field_reasons(details: Any, field: str) -> Iterator[dict[str, str]]:
    if isinstance(details, list):
        for each in details:
            yield from _field_reasons(each, field)
    elif "message" in details and isinstance(details["message"], str):
        named = f"{field}: " if field else ""
        reason = {"code": str(details["code"]), "message": f"{named}{details['message']}"}
        yield {**reason, "field": field} if field else reason
    else:
        for name, each in details.items():
            yield from _field_reasons(each, f"{field}.{name}" if field else str(name))
