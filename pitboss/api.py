"""The one place where a refusal becomes HTTP, for screens and for the API."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from django.http import JsonResponse
from rest_framework.exceptions import APIException, ValidationError
from rest_framework.response import Response
from rest_framework.views import exception_handler

from pitboss.faults import BUSY, Fault
from pitboss.metrics import count_refusals
from pitboss.problems import problem_document
from pitboss.rules.refusal import CONFLICT, NOT_YOURS, Refusal, Refused

# A refusal says itself which no it is; of these codes not every refusal does yet.
_FORBIDDEN = {
    "wrong_role",
    "not_employed",
    "unknown_device",
    "wrong_place",
    "wrong_pit",
    "provider_unproven",
    "subject_unknown",
    "use_provider",
}
_CONFLICT = {
    "provider_down",
    "provider_refused",
    "sign_in_over",
    "cage_left_out",
    "tray_does_not_hold",
    "already_pending",
    "earlier_hit_pending",
    "jackpot_pending",
    "not_confirmed",
    "not_rejected",
    "payment_differs",
    "reading_unexplained",
    "review_expired",
    "terms_changed",
    "already_confirmed",
    "already_reversed",
    "slip_closed",
    "not_dispatched",
    "signed_before",
    "already_resolved",
    "already_settled",
    "request_given_up",
    "request_reused",
    "count_differs",
    "already_counted",
    "already_answered",
    "already_pulled",
    "already_replaced",
    "box_not_pulled",
    "box_uncounted",
    "count_first",
    "count_under_way",
    "day_open",
    "drop_waits",
    "exception_open",
    "hand_is_on",
    "key_reused",
    "not_returned",
    "nothing_stands",
    "nothing_to_pull",
    "pull_under_way",
    "abort_needs_supervisor",
    "approval_expired",
    "approval_missing",
    "approval_not_needed",
    "approval_other_amount",
    "approval_other_check",
    "approval_used",
    "bets_counted",
    "nothing_to_undo",
    "payouts_told",
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


# Somebody else is at it, or this node may not: the same again may well be done.
_BUSY = {BUSY.code, "table_busy", "clock_off"}


def http_status(refused: Refused) -> int:
    """Return 403 when the person may not, 409 when the moment is wrong, else 422 for the input."""
    count_refusals(refused.codes)
    if set(refused.codes) & _BUSY:
        return CONFLICT
    # Of several reasons the lowest says most: what is not yours is not a matter of time.
    return min(_status_of(refusal) for refusal in refused.refusals)


def _status_of(refusal: Refusal) -> int:
    if refusal.code in _FORBIDDEN:
        return NOT_YOURS
    return CONFLICT if refusal.code in _CONFLICT else refusal.status


def problem(error: Exception, context: Mapping[str, Any]) -> Response | None:
    """Answer an API error as a problem document (RFC 9457) with stable codes."""
    if isinstance(error, Refused):
        refusals = [{"code": each.code, "message": each.message} for each in error.refusals]
        if set(error.codes) & _BUSY:
            # A program tries again by itself.
            count_refusals(error.codes)
            busy = _problem(503, str(error), refusals)
            busy["Retry-After"] = str(BUSY.retry_seconds)
            return busy
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


def fault_response(fault: Fault) -> JsonResponse:
    """Answer a program that something failed, and when to send the same again."""
    sentence = fault.sentence
    if fault.retry_seconds is not None:
        sentence = f"{sentence} Send the same request again with the same key. It is done once."
    answer = JsonResponse(
        problem_document(fault.status, sentence, [{"code": fault.code, "message": sentence}]),
        status=fault.status,
        content_type="application/problem+json",
        headers={"Cache-Control": "no-store"},
    )
    if fault.retry_seconds is not None:
        answer["Retry-After"] = str(fault.retry_seconds)
    return answer


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
