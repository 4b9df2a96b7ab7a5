"""Pages that cannot be shown, in the house's words."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.template.loader import render_to_string

from pitboss.api import problem_document


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer a request that makes no sense."""
    context = {"wrong": "This request makes no sense.", "to_do": "Go back and try again."}
    return render(request, "pitboss/error.html", context, status=400)


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer someone whose role does not work with a page."""
    context = {
        "wrong": "Not yours to open.",
        "to_do": str(exception) or "Ask the shift manager.",
    }
    return render(request, "pitboss/error.html", context, status=403)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer when there is nothing at an address, a program as programs are answered."""
    if request.path.startswith("/api/"):
        sentence = "There is nothing at this address."
        reasons = [{"code": "not_found", "message": sentence}]
        return JsonResponse(
            problem_document(404, sentence, reasons),
            status=404,
            content_type="application/problem+json",
        )
    context = {
        "wrong": "There is nothing here.",
        "to_do": "Look for it on the board, or ask the shift manager.",
    }
    return render(request, "pitboss/error.html", context, status=404)


def broken(request: HttpRequest) -> HttpResponse:
    """Answer when the site itself failed. Drawn without a database: that may be what failed."""
    context = {
        "wrong": "Something broke on our side.",
        "to_do": "Nothing was signed. Try again; if it stays, use paper slips and call the house.",
    }
    return HttpResponse(render_to_string("pitboss/error.html", context), status=500)
