"""What a program is answered when something is wrong (RFC 9457)."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from pitboss.refusal_codes import codes_url


def problem_document(status: int, sentence: str, refusals: list[dict[str, str]]) -> dict[str, Any]:
    """Return a problem: what went wrong, in a sentence and in every code."""
    return {
        "type": codes_url(refusals[0]["code"]) if refusals else "about:blank",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "detail": sentence,
        "refusals": refusals,
    }
