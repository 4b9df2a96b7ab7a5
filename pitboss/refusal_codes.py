"""Every code that the API answers with, its status, and what a program does then.

Codes of refusals are read from where they are written, so that none is left out; the others are
those of the frame that reads requests.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from pitboss import faults
from pitboss.rules.book.refusal_index import WrittenRefusal, written_refusals

_PROJECT = Path(__file__).resolve().parents[1]
_PACKAGES = ("pitboss", "tables", "inventory", "jackpots")
# The desk of a group is a site of its own: no program of a house meets what it refuses.
_OF_THE_GROUP = _PROJECT / "pitboss" / "group"

# What is answered before a request reaches the house.
_FRAME: Final = (
    WrittenRefusal("parse_error", "The body can’t be read.", 400),
    WrittenRefusal("key_missing", "Send an Idempotency-Key, a new one for each act.", 400),
    WrittenRefusal("key_malformed", "An Idempotency-Key is up to 64 plain characters.", 400),
    WrittenRefusal("bad_after", "after is the number of the last one that you have.", 400),
    WrittenRefusal("bad_event_id", "Last-Event-ID is the id of the last event that you have.", 400),
    WrittenRefusal("required", "This field is required.", 422),
    WrittenRefusal("invalid", "A value of this kind is expected.", 422),
    WrittenRefusal("not_authenticated", "There is no token.", 401),
    WrittenRefusal(
        "authentication_failed", "This token isn’t valid. Enroll the device again.", 401
    ),
    WrittenRefusal("permission_denied", "This device isn’t allowed to.", 403),
    WrittenRefusal("not_found", "There is nothing at this address.", 404),
    WrittenRefusal("method_not_allowed", "This address does not take that method.", 405),
    WrittenRefusal("body_too_slow", "What you sent took too long.", 408),
    WrittenRefusal("body_too_large", "This is too large.", 413),
    WrittenRefusal("blank", "This field may not be blank.", 422),
    WrittenRefusal("invalid_choice", "This is not one of the choices.", 422),
    WrittenRefusal("max_length", "This is too long.", 422),
    WrittenRefusal("max_value", "This is too large a number.", 422),
    WrittenRefusal("min_value", "This is too small a number.", 422),
    WrittenRefusal("not_a_dict", "An object is expected.", 422),
    WrittenRefusal("not_a_list", "A list is expected.", 422),
    WrittenRefusal("null", "This field may not be null.", 422),
    WrittenRefusal("unsupported_media_type", "The body is not JSON.", 415),
    WrittenRefusal("throttled", "Too many requests.", 429),
    WrittenRefusal("events_away", "No stream of events here. Ask every 2 seconds instead.", 503),
    WrittenRefusal("too_many_streams", "Too many streams are open here.", 503),
    *(
        WrittenRefusal(fault.code, fault.sentence, fault.status)
        for fault in (
            faults.BROKEN,
            faults.AWAY,
            faults.BUSY,
            faults.SLOW,
            faults.READ_ONLY,
            faults.FULL,
        )
    ),
)

# Someone else is at it, or this node may not: the same again may well be done.
TRY_AGAIN: Final = frozenset({faults.BUSY.code, "table_busy", "clock_off"})

WHAT_TO_DO: Final = {
    400: "Correct the request, and send it with a new key.",
    401: "Enroll the device again.",
    403: "Show the sentence. Another person or another device does this.",
    404: "Read the list again: it isn’t at this table.",
    405: "Correct the program.",
    408: "Send the same request again with the same key.",
    409: "Read the current state, then decide. Show the sentence.",
    413: "Send less.",
    415: "Send JSON.",
    422: "Show the sentence. Correct what it names, and send it with a new key.",
    429: "Wait for `Retry-After`, then send the same request with the same key.",
    500: "Send the same request again with the same key, and report the `Request-Id`.",
    503: "Wait for `Retry-After`, then send the same request with the same key.",
}


@dataclass(frozen=True, slots=True)
class RefusalCode:
    """A code, with its status and every sentence that comes with it; … is filled in."""

    code: str
    status: int
    sentences: tuple[str, ...]

    @property
    def what_to_do(self) -> str:
        return WHAT_TO_DO[self.status]


def codes_url(code: str) -> str:
    """Return where a code is explained, as the `type` of a problem."""
    return f"/api/v1/codes/#{code}"


@cache
def codes() -> tuple[RefusalCode, ...]:
    """Return every code, by its name. They are the same as long as the program is."""
    sentences: defaultdict[str, set[str]] = defaultdict(set)
    statuses: dict[str, int] = {}
    for written_refusal in (*_FRAME, *written()):
        # A sentence that is made elsewhere says nothing here.
        sentences[written_refusal.code] |= {written_refusal.message} - {"…"}
        statuses.setdefault(
            written_refusal.code,
            503 if written_refusal.code in TRY_AGAIN else written_refusal.status,
        )
    return tuple(
        RefusalCode(code, statuses[code], tuple(sorted(sentences[code])))
        for code in sorted(sentences)
    )


def written() -> Iterator[WrittenRefusal]:
    """Yield every refusal that the house writes out."""
    for package in _PACKAGES:
        for path in sorted((_PROJECT / package).rglob("*.py")):
            if path.is_relative_to(_OF_THE_GROUP):
                continue
            yield from written_refusals(ast.parse(path.read_text(encoding="utf-8")))


def codes_page() -> str:
    """Write docs/codes.md."""
    return "\n".join(_lines())


def _lines() -> Iterator[str]:
    yield "# Codes\n"
    yield "Every refusal and fault of the API has a code. Act on the code."
    yield "Show the sentence to a person. In it, … stands for what is filled in."
    yield "`manage.py list_codes` writes this page, and the site shows it at `/api/v1/codes/`.\n"
    yield "## What a program does, by status\n"
    yield "| Status | What to do |"
    yield "|---|---|"
    for status, words in WHAT_TO_DO.items():
        yield f"| {status} | {words} |"
    yield "\n## All codes\n"
    yield "| Code | Status | What it says |"
    yield "|---|---|---|"
    for code in codes():
        words = "<br>".join(code.sentences).replace("|", "\\|").replace("\n", " ")
        yield f"| `{code.code}` | {code.status} | {words} |"
    yield ""
