"""Number each request: on its answer, on every line that it logs, and on one line of its own.

A vendor who reports a problem names the number, and the operator finds all that happened there. A
line has who and where, never what was entered: a query may name a patron, and a body has a PIN.
"""

from __future__ import annotations

import json
import logging
import time
import uuid
from collections.abc import Callable
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from pitboss.metrics import count_request

HEADER = "Request-Id"
_current: ContextVar[str] = ContextVar("request_number", default="")
_log = logging.getLogger("pitboss.request")


def new_number() -> str:
    """Return a number that no other request has."""
    return uuid.uuid4().hex


def current_number() -> str:
    """Return the number of the request that is being answered; empty outside of one."""
    return _current.get()


class RequestLogMiddleware:
    """Give a request its number, and log what became of it."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        number = new_number()
        token = _current.set(number)
        began = time.perf_counter()
        try:
            response = self.get_response(request)
            response.headers[HEADER] = number
            seconds = time.perf_counter() - began
            count_request(request, response, seconds)
            milliseconds = round(seconds * 1000)
            facts = _facts(request, response, milliseconds)
            words = "{method} {path} {status} {ms} ms".format(**facts)
            _log.log(_level(request, response), words, extra={"facts": facts})
            return response
        finally:
            _current.reset(token)


def _level(request: HttpRequest, response: HttpResponse) -> int:
    """Return how loud a line is: hundreds of tablets ask for news every two seconds."""
    if response.status_code >= 500:
        return logging.ERROR
    is_quiet = response.status_code == 204 or request.path_info.startswith(settings.STATIC_URL)
    return logging.DEBUG if is_quiet else logging.INFO


def _facts(request: HttpRequest, response: HttpResponse, milliseconds: int) -> dict[str, Any]:
    # What the session or the token has shown, where a view came so far; nothing is read for it.
    person, device = request.__dict__.get("_cached_user"), getattr(request, "device", None)
    match = request.resolver_match
    facts = {
        "method": request.method,
        "path": request.path_info,
        "status": response.status_code,
        "ms": milliseconds,
        "route": match.route if match else None,
        "table": match.kwargs.get("name") if match else None,
        "person": getattr(person, "badge", None),
        "device": device.name if device is not None else None,
    }
    return {name: fact for name, fact in facts.items() if fact is not None}


class NumberFilter(logging.Filter):
    """Put the number of the request that is being answered on every line."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.request_number = _current.get()
        return True


class JsonLines(logging.Formatter):
    """Write a line of the log as one JSON object, for what collects logs."""

    def format(self, record: logging.LogRecord) -> str:
        line = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
            "request_id": getattr(record, "request_number", ""),
            **getattr(record, "facts", {}),
        }
        if record.exc_info:
            line["error"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False)
