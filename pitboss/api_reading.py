"""How a body is read: only what can be hashed, signed and stored."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import suppress
from io import BytesIO
from typing import Any, Final

from rest_framework import serializers
from rest_framework.exceptions import ParseError
from rest_framework.parsers import JSONParser
from rest_framework.request import Request

from pitboss.rules.canonical import canonical, is_plain
from pitboss.rules.quoting import quoted
from pitboss.rules.refusal import Refusal, Refused

KEY_HEADER: Final = "Idempotency-Key"
KEY_MAX: Final = 64
# Far fewer levels than can be read.
_DEEP: Final = 200


def read_key(request: Request, *, is_needed: bool = True, least: int = 1) -> str:
    """Return by which key a request is done once. Raises ParseError where it is not named."""
    key = request.headers.get(KEY_HEADER, "")
    if not key and is_needed:
        raise ParseError(f"Send an {KEY_HEADER}, a new one for each act.", "key_missing")
    if key and (not least <= len(key) <= KEY_MAX or not key.isascii() or not key.isprintable()):
        message = f"An {KEY_HEADER} is {least} to {KEY_MAX} plain characters, ideally a UUID."
        raise ParseError(message, "key_malformed")
    return key


def read_body(shape: type[serializers.Serializer[Any]], data: Any) -> serializers.Serializer[Any]:
    """Read a body into a shape. Raises ValidationError, and Refused for a field that it has not.

    A field that is read by no one is a mistake of the person who sent it: they learn of it at once.
    """
    given = shape(data=data)
    if unknown := list(_unknown(given, data)):
        raise Refused(unknown)
    given.is_valid(raise_exception=True)
    return given


def _unknown(shape: Any, data: Any) -> Iterator[Refusal]:
    """Yield what stands in a body that its shape does not have, however deep it stands."""
    if isinstance(shape, serializers.ListSerializer | serializers.ListField):
        for item in data if isinstance(data, list) else ():
            yield from _unknown(shape.child, item)
    elif isinstance(shape, serializers.Serializer) and isinstance(data, Mapping):
        known = ", ".join(shape.fields)
        for name, entry in data.items():
            if name not in shape.fields:
                message = f"There is no field {quoted(name)}. Use: {known}."
                yield Refusal("unknown_field", message)
            else:
                yield from _unknown(shape.fields[name], entry)


class PlainJSONParser(JSONParser):
    """Reads JSON that can be hashed, signed and stored: no floats, no NUL, nothing without end."""

    def parse(
        self,
        stream: Any,
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        body = stream.read()
        if _is_surely_plain(body):
            # What is wrong with the others is said below.
            with suppress(ValueError):
                return json.loads(body.decode(), parse_float=_refuse, parse_constant=_refuse)
        try:
            data = super().parse(BytesIO(body), media_type, parser_context)
            text = canonical(data)
        except RecursionError:
            raise ParseError("The body is nested too deeply.") from None
        except TypeError:
            raise ParseError("Send whole numbers: amounts are in cents.") from None
        # How the canonical text writes a NUL; the text of a lone surrogate cannot be encoded.
        if "\\u0000" in text or not is_plain(text):
            raise ParseError("The body contains characters that can’t be saved.")
        return data


def _is_surely_plain(body: bytes) -> bool:
    """Tell whether nothing in a body can hide a NUL or half of a character, or be nested deeply.

    So nearly every body is: it need not be written out once more to look at all that it says.
    """
    is_flat = body.count(b"[") + body.count(b"{") < _DEEP
    return is_flat and body.isascii() and b"\\" not in body


def _refuse(text: str) -> Any:
    raise ValueError(f"{text} is no whole number")
