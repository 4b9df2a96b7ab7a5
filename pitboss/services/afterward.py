"""What a refused act leaves behind: what must be kept although all else of it was rolled back."""

from __future__ import annotations

import threading
from collections.abc import Callable

from django.db import transaction

_left = threading.local()


def act_has_ended() -> bool:
    """Tell whether a transaction that begins here is the outermost one."""
    try:
        with transaction.atomic(durable=True):
            return True
    except RuntimeError:
        return False


def keep_apart(what: Callable[[], None]) -> None:
    """Keep something in a transaction of its own: now, or once the act that is refused has ended.

    Anyone who ends a refused act calls `keep_what_was_left`.
    """
    if act_has_ended():
        with transaction.atomic(durable=True):
            what()
        return
    _left.__dict__.setdefault("acts", []).append(what)


def keep_what_was_left() -> None:
    """Keep what acts that were refused have left, each in a transaction of its own."""
    if not _left.__dict__.get("acts") or not act_has_ended():
        return
    for what in _left.__dict__.pop("acts"):
        with transaction.atomic(durable=True):
            what()
