"""Webhooks: where a house's event may be sent, how it is signed, and when sending is given up.

An address inside the house is as good as a door: whoever may name one could have Pitboss knock at
the database. So events go to public addresses alone, but for hosts that the operator has listed.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from urllib.parse import SplitResult, urlsplit

from pitboss.rules.refusal import Refusal

NAME_MAX = 40
URL_MAX = 300
# After each failure a longer wait, at last six hours.
WAITS = tuple(timedelta(seconds=item) for item in (10, 30, 120, 600, 3_600, 10_800, 21_600))
# One that answered nothing for so long is switched off.
DEAD_AFTER = timedelta(hours=24)
# For so long after a new secret the old one signs too, so that the other system can change over.
OLD_SECRET_HOLDS = timedelta(hours=24)

# Of IPv6 only this much is given out; site-local, NAT64 and compatible addresses are outside of it.
_GIVEN_OUT = ip_network("2000::/3")
# Addresses that carry another one inside, 6to4 and Teredo, and relays: where they lead isn't seen.
_CARRIERS = tuple(
    ip_network(item) for item in ("2002::/16", "2001::/32", "192.88.99.0/24", "192.0.0.0/24")
)


def is_public(address: str) -> bool:
    """Tell whether an address is one of the public network, and leads to no other.

    >>> is_public("93.184.216.34"), is_public("10.0.0.7"), is_public("169.254.169.254")
    (True, False, False)
    >>> is_public("64:ff9b::a00:7"), is_public("2002:a00:7::1"), is_public("::ffff:10.0.0.7")
    (False, False, False)
    """
    try:
        found: IPv4Address | IPv6Address = ip_address(address.partition("%")[0])
    except ValueError:
        return False
    if isinstance(found, IPv6Address) and found not in _GIVEN_OUT:
        return found.ipv4_mapped is not None and is_public(str(found.ipv4_mapped))
    is_carrier = any(found in carrier for carrier in _CARRIERS)
    return found.is_global and not found.is_multicast and not is_carrier


def url_refusals(url: str, listed: Collection[str]) -> Iterator[Refusal]:
    """Yield every reason why no event may be sent to an address.

    What a name leads to is judged when it is called: a name may lead elsewhere tomorrow.
    """
    parts = _parts(url)
    if parts is None or not url.isascii() or len(url) > URL_MAX or any(c.isspace() for c in url):
        words = (
            f"Enter a web address of {URL_MAX} characters or fewer, like https://example.com/in."
        )
        yield Refusal("url_malformed", words)
        return
    host = parts.hostname or ""
    if parts.username is not None or parts.password is not None or parts.fragment:
        yield Refusal("url_with_secret", "Enter the address without a user name or “#”.")
    if host in listed:
        return
    if parts.scheme != "https":
        yield Refusal("url_not_https", "Enter an address that begins with https://.")
    if _is_literal(host) and not is_public(host):
        yield Refusal("url_not_public", private_words(host))


def private_words(host: str) -> str:
    """Return what a person is told of an address inside."""
    return f"{host} isn’t a public address. Ask the operator to list it."


def _parts(url: str) -> SplitResult | None:
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError:
        return None
    return parts if parts.scheme in ("http", "https") and parts.hostname else None


def _is_literal(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True


def new_refusals(name: str, events: Sequence[str], known: Iterable[str]) -> Iterator[Refusal]:
    """Yield what is wrong with a new webhook besides its address."""
    if not 0 < len(name) <= NAME_MAX:
        words = f"Enter a name of {NAME_MAX} characters or fewer."
        yield Refusal("name_malformed", words)
    if not events or not set(events) <= set(known):
        yield Refusal("events_unknown", "Choose one event or more.")


def signature(secret: str, at: int, body: bytes) -> str:
    """Return the signature of a body sent at a moment, which a receiver compares.

    >>> signature("s3cret", 1763400000, b"{}")[:16]
    '950f819c718f0b1d'
    """
    text = f"{at}.".encode() + body
    return hmac.new(secret.encode(), text, hashlib.sha256).hexdigest()


def signature_header(secrets: Sequence[str], at: int, body: bytes) -> str:
    """Return the header that signs a body with each secret that holds now."""
    return ",".join([f"t={at}", *(f"v1={signature(secret, at, body)}" for secret in secrets)])


def next_try(tries: int, now: datetime) -> datetime:
    """Return when a delivery that has failed so many times is tried again."""
    return now + WAITS[min(tries, len(WAITS)) - 1]


def is_dead(failing_since: datetime | None, now: datetime) -> bool:
    """Tell whether a webhook has failed for so long that it is switched off."""
    return failing_since is not None and now - failing_since >= DEAD_AFTER
