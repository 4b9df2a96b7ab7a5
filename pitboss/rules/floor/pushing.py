"""Notifications on a device that is put away: what is told, in which words, through whom.

A lock screen is read by whoever walks by. It says which table, and in two words why; no name, no
amount. A notification goes through the maker of the browser, so its text is encrypted for the one
device, and it goes to the makers that the operator lists alone.
"""

from __future__ import annotations

from base64 import urlsafe_b64decode
from binascii import Error
from collections.abc import Collection, Iterator
from typing import Final
from urllib.parse import urlsplit

from pitboss.rules.floor.urgency import Urgency
from pitboss.rules.refusal import Refusal

ENDPOINT_MAX: Final = 1000
# A point of the curve, uncompressed, and the secret beside it.
KEY_BYTES: Final = 65
AUTH_BYTES: Final = 16

_SAYS: Final = {
    Urgency.CALL: "{} calls",
    Urgency.PAYOUT: "{}: payout",
    Urgency.JACKPOT: "{}: jackpot",
    Urgency.NO_DEALER: "{}: no dealer",
    Urgency.APPROVAL: "{}: approval",
}


def lock_screen_words(urgency: Urgency, table: str) -> str | None:
    """Return what a lock screen says of something that waits; none where it can wait.

    >>> lock_screen_words(Urgency.CALL, "BJ-15"), lock_screen_words(Urgency.SLIP, "BJ-15")
    ('BJ-15 calls', None)
    """
    says = _SAYS.get(urgency)
    return says.format(table or "Pit") if says else None


def address_refusals(
    endpoint: str, p256dh: str, auth: str, services: Collection[str]
) -> Iterator[Refusal]:
    """Yield every reason why a browser's address cannot be sent to."""
    if not services:
        words = "Notifications are off in this house. The administrator turns them on."
        yield Refusal("push_is_off", words)
        return
    if not _is_of(endpoint, services):
        words = (
            "This browser’s notification service isn’t one that the house uses. Use another "
            "browser."
        )
        yield Refusal("push_service_unknown", words)
    key = bytes_of(p256dh)
    if len(key) != KEY_BYTES or key[0] != 4 or len(bytes_of(auth)) != AUTH_BYTES:
        words = "The browser’s keys can’t be read. Turn notifications on again."
        yield Refusal("push_keys_malformed", words)


def bytes_of(text: str) -> bytes:
    """Return what a browser wrote in URL-safe base 64, without padding; nothing if it is none."""
    try:
        return urlsafe_b64decode(text + "=" * (-len(text) % 4)) if text.isascii() else b""
    except Error:
        return b""


def _is_of(endpoint: str, services: Collection[str]) -> bool:
    if len(endpoint) > ENDPOINT_MAX or not endpoint.isascii() or not endpoint.isprintable():
        return False
    try:
        parts = urlsplit(endpoint)
        host = parts.hostname or ""
    except ValueError:
        return False
    if parts.username is not None or parts.fragment or " " in endpoint:
        return False
    return any(host == service or host.endswith(f".{service}") for service in services)
