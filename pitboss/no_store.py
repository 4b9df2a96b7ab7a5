"""Keep what the floor shows out of every cache: of the tablet, of a proxy, of the way back.

Every page names people, patrons or amounts, or says that there are none. Files that are the same
for everyone (styles, scripts, fonts) are answered before this, and are cached.
"""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse


class NoStoreMiddleware:
    """Say on every answer that it is stored nowhere, whatever a view said of it."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        response.headers["Cache-Control"] = "no-store"
        return response
