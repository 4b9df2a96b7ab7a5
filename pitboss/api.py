"""The one place where a refusal becomes HTTP, for screens and for the API."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from django.http import JsonResponse
from django.utils.translation import override
from rest_framework.exceptions import APIException, ValidationError
from rest_framework.response import Response
from rest_framework.views import exception_handler

from pitboss.faults import BUSY, Fault
from pitboss.metrics import count_refusals
from pitboss.problems import problem_document
from pitboss.refusal_codes import TRY_AGAIN
from pitboss.rules.refusal import CONFLICT, Refused
from pitboss.translating import asked_language, translated


def http_status(refused: Refused) -> int:
    """Return 403 when the person may not, 409 when the moment is wrong, else 422 for the input."""
    count_refusals(refused.codes)
    if set(refused.codes) & TRY_AGAIN:
        return CONFLICT
    # Of several reasons the lowest says most: what is not yours is not a matter of time.
    return min(refusal.status for refusal in refused.refusals)


def problem(error: Exception, context: Mapping[str, Any]) -> Response | None:
    """Answer an API error as a problem document (RFC 9457) with stable codes."""
    if isinstance(error, Refused):
        with override(asked_language(context.get("request"))):
            refusals = [
                {"code": refusal.code, "message": translated(refusal.message)}
                for refusal in error.refusals
            ]
        sentence = " ".join(refusal["message"] for refusal in refusals)
        if set(error.codes) & TRY_AGAIN:
            # A program tries again by itself.
            count_refusals(error.codes)
            busy = _problem(503, sentence, refusals)
            busy["Retry-After"] = str(BUSY.retry_seconds)
            return busy
        return _problem(http_status(error), sentence, refusals)
    response = exception_handler(error, dict(context))
    if response is None:
        return None
    refusals = list(_reasons(error))
    sentence = " ".join(refusal["message"] for refusal in refusals)
    # It was read and is refused for what it says, as the rules refuse it.
    status = 422 if isinstance(error, ValidationError) else response.status_code
    answer = _problem(status, sentence, refusals)
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
        for item in details:
            yield from _field_reasons(item, field)
    elif "message" in details and isinstance(details["message"], str):
        named = f"{field}: " if field else ""
        reason = {"code": str(details["code"]), "message": f"{named}{details['message']}"}
        yield {**reason, "field": field} if field else reason
    else:
        for name, entry in details.items():
            yield from _field_reasons(entry, f"{field}.{name}" if field else str(name))
