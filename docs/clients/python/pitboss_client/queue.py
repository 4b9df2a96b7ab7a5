"""Checks that were entered while the terminal was offline: on its disk until the house has them."""

from __future__ import annotations

import json
import os
import uuid
from datetime import UTC, datetime
from pathlib import Path
from typing import cast

from pitboss_client.api import Api
from pitboss_client.line import Problem
from pitboss_client.shapes import CheckAnswer, CheckRequest


class OfflineQueue:
    """A file of checks in the order in which they were entered, each with its own key.

    Until a check is sent nothing is known about it: call no payout right.
    """

    def __init__(self, path: Path) -> None:
        self._path = path

    def keep(self, body: CheckRequest, entered: datetime | None = None) -> None:
        """Store a check before anything else happens: a power cut does not lose it."""
        keyed_at = (entered or datetime.now(UTC)).isoformat()
        line = json.dumps({"key": str(uuid.uuid4()), "body": {**body, "keyed_at": keyed_at}})
        with self._path.open("a") as file:
            file.write(line + "\n")
            file.flush()
            os.fsync(file.fileno())

    def waiting(self) -> int:
        """Return how many checks wait."""
        return len(self._lines())

    def send(self, api: Api) -> list[CheckAnswer | Problem]:
        """Send what waits, oldest first; return each answer or refusal. Raises Offline.

        A check leaves the file once the house has answered it, so a resend has the same key.
        """
        answers: list[CheckAnswer | Problem] = []
        while lines := self._lines():
            kept = json.loads(lines[0])
            body = cast("CheckRequest", kept["body"])
            try:
                answers.append(api.check_payout(body, key=kept["key"]))
            except Problem as problem:
                answers.append(problem)
            self._write(lines[1:])
        return answers

    def _lines(self) -> list[str]:
        return self._path.read_text().splitlines() if self._path.exists() else []

    def _write(self, lines: list[str]) -> None:
        """Replace the file at once: it is never half written."""
        beside = self._path.with_suffix(".new")
        beside.write_text("".join(f"{line}\n" for line in lines))
        beside.replace(self._path)
