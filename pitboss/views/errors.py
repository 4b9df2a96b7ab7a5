"""Pages that cannot be shown, in the house's words."""

from __future__ import annotations

import sys

from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.middleware.csrf import get_token
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import reverse

from pitboss.api import fault_response
from pitboss.faults import PASSING, RESEND, Fault, fault_of
from pitboss.middleware import DEVICE_COOKIE, request_id_of
from pitboss.models import Person
from pitboss.problems import problem_document
from pitboss.services import house
from pitboss.services.devices import tablet_by_token
from pitboss.services.refused_pages import keep_refused_page


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer a request that makes no sense, or is too long to be read."""
    if isinstance(exception, RequestDataTooBig) and request.path_info.startswith("/api/"):
        most = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
        return _problem(413, "body_too_large", f"This is too large. Send at most {most:,} bytes.")
    return malformed(request)


def malformed(request: HttpRequest) -> HttpResponse:
    """Answer a request that cannot be read, and draw it without: any part may be what is wrong."""
    if request.path_info.startswith("/api/"):
        sentence = (
            "The request contains characters that can’t be saved. Send plain UTF-8 without NUL."
        )
        return _problem(400, "malformed_request", sentence)
    context = {
        "wrong": "This request cannot be read.",
        "to_do": "Nothing was changed. Go back and try again.",
    }
    return HttpResponse(render_to_string("pitboss/error.html", context), status=400)


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer someone whose role does not work with a page, and keep that they tried."""
    _keep_refused(request)
    context = {
        "wrong": "You don’t have access to this page.",
        "to_do": str(exception) or "Ask the shift manager.",
    }
    return render(request, "pitboss/error.html", context, status=403)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer when there is nothing at an address, a program as programs are answered."""
    if request.path.startswith("/api/"):
        return _problem(404, "not_found", "Page not found.")
    context = {
        "wrong": "There is nothing here.",
        "to_do": "Check the board, or ask the shift manager.",
    }
    return render(request, "pitboss/error.html", context, status=404)


def broken(request: HttpRequest) -> HttpResponse:
    """Answer when the site itself failed. Drawn without a database: that may be what failed."""
    fault = fault_of(sys.exc_info()[1])
    request.META[RESEND] = fault.code in PASSING and _is_done_once(request)
    if request.path.startswith("/api/"):
        return fault_response(fault)
    is_act = request.method not in ("GET", "HEAD")
    page = render_to_string("pitboss/error.html", _told(request, fault, is_act=is_act))
    answer = HttpResponse(page, status=fault.status, headers={"Cache-Control": "no-store"})
    if fault.retry_seconds is not None:
        answer["Retry-After"] = str(fault.retry_seconds)
        if not is_act:
            answer["Refresh"] = str(fault.retry_seconds)
    return answer


def _is_done_once(request: HttpRequest) -> bool:
    """Tell whether an act carries what makes it done once, however often it is sent."""
    if request.path.startswith("/api/"):
        return "Idempotency-Key" in request.headers
    return request_id_of(request) is not None


def _told(request: HttpRequest, fault: Fault, *, is_act: bool) -> dict[str, str]:
    if not is_act:
        to_do = (
            "Nothing was changed. Try again. "
            "If it keeps happening, use paper slips and call IT support."
        )
        return {"wrong": fault.sentence, "to_do": to_do}
    wrong = "We don’t know yet if this was saved."
    request_id = request_id_of(request)
    if request_id is None:
        to_do = f"{fault.sentence} Check whether it was done before you do it again."
        return {"wrong": wrong, "to_do": to_do}
    return {
        "wrong": wrong,
        "to_do": (
            f"{fault.sentence} Don’t write a paper slip yet. This page is checking automatically."
        ),
        "ask_url": reverse("request-outcome", args=[request_id]),
        "csrf_token": get_token(request),
    }


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Answer a form that this site did not make, or made for another sign-in."""
    _keep_refused(request)
    context = {
        "wrong": "This form is too old.",
        "to_do": "Nothing was changed. Go back, open the page again and enter it once more.",
    }
    return HttpResponse(render_to_string("pitboss/error.html", context), status=403)


def _keep_refused(request: HttpRequest) -> None:
    user = getattr(request, "user", None)
    # A form is judged before the page that would have named the device.
    if not hasattr(request, "device"):
        request.device = tablet_by_token(  # type: ignore[attr-defined]
            request.COOKIES.get(DEVICE_COOKIE, "")
        )
    keep_refused_page(
        method=request.method or "",
        path=request.path,
        person=user if isinstance(user, Person) else None,
        device=request.device,  # type: ignore[attr-defined]
        at=house.now(),
    )


def _problem(status: int, code: str, sentence: str) -> JsonResponse:
    return JsonResponse(
        problem_document(status, sentence, [{"code": code, "message": sentence}]),
        status=status,
        content_type="application/problem+json",
    )
