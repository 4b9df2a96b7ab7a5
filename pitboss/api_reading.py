"""How a body is read: only what can be hashed, signed and stored."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rest_framework.exceptions import ParseError
from rest_framework.parsers import JSONParser

from pitboss.rules.canonical import canonical, is_plain


class PlainJSONParser(JSONParser):
    """Reads JSON that can be hashed, signed and stored: no floats, no NUL, nothing without end."""

    def parse(
        self,
        stream: Any,
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        try:
            data = super().parse(stream, media_type, parser_context)
            text = canonical(data)
        except RecursionError:
            raise ParseError("The body is nested too deeply.") from None
        except TypeError:
            raise ParseError("Send whole numbers: amounts are in cents.") from None
        # How the canonical text writes a NUL; the text of a lone surrogate cannot be encoded.
        if "\\u0000" in text or not is_plain(text):
            raise ParseError("The body contains characters that can’t be saved.")
        return data
