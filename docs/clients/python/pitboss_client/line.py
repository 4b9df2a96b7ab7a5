"""How requests go out: again with the same key until there is an answer, and no act done twice."""

from __future__ import annotations

import http.client
import json
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
from collections.abc import Mapping, Sequence
from typing import Any

# Not a decision of the house: the same request is sent again.
_AGAIN = (429, 500, 502, 503, 504)
_WAITS = (0.5, 1.0, 2.0, 4.0, 8.0)


class Problem(Exception):
    """What the house refused. Act on `codes`; report `request_id`."""

    def __init__(self, document: Mapping[str, Any], request_id: str) -> None:
        super().__init__(document["detail"])
        self.status: int = document["status"]
        self.codes: list[str] = [refusal["code"] for refusal in document["refusals"]]
        self.request_id = request_id


class Offline(Exception):
    """No answer came. Whether it was done is unknown: send it again with the same key."""


class Line:
    """A connection to one house, with the token of one device."""

    def __init__(self, url: str, token: str = "", *, waits: Sequence[float] = _WAITS) -> None:
        self.url = url.rstrip("/")
        self.device_token = token
        self._waits = waits

    def call(
        self,
        method: str,
        path: str,
        *,
        body: object = None,
        query: Mapping[str, object] | None = None,
        key: str = "",
    ) -> Any:
        """Send a request until the house answers it. Raises Problem and Offline."""
        known = {name: value for name, value in (query or {}).items() if value is not None}
        address = f"{self.url}{path}" + (f"?{urllib.parse.urlencode(known)}" if known else "")
        headers = {"Content-Type": "application/json"}
        if method == "POST":
            headers["Idempotency-Key"] = key or str(uuid.uuid4())
        if self.device_token:
            headers["Authorization"] = f"Device {self.device_token}"
        told = None if method == "GET" else json.dumps({} if body is None else body).encode()
        request = urllib.request.Request(address, told, headers, method=method)
        for wait in (*self._waits, None):
            after = wait
            try:
                with urllib.request.urlopen(request, timeout=15) as answer:
                    return json.load(answer)
            except urllib.error.HTTPError as error:
                if error.code not in _AGAIN:
                    request_id = error.headers.get("Request-Id", "")
                    raise Problem(json.load(error), request_id) from None
                after = float(error.headers.get("Retry-After") or wait or 0)
            except (OSError, http.client.HTTPException, ValueError):
                pass  # The line is down: the same request, with the same key, is sent again.
            if wait is not None:
                time.sleep(after or 0)
        raise Offline(f"{method} {address}")
