"""From which address a request comes, when proxies may stand between."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network

Network = IPv4Network | IPv6Network


def networks(listed: Sequence[str]) -> tuple[Network, ...]:
    """Return the addresses and networks of the house's proxies. Raises ValueError.

    >>> networks(["10.0.0.7", "192.168.0.0/24"])
    (IPv4Network('10.0.0.7/32'), IPv4Network('192.168.0.0/24'))
    """
    return tuple(ip_network(item.strip()) for item in listed)


def source_of(*, peer: str, forwarded_for: str, trusted: Sequence[Network]) -> str:
    """Return the address that a request comes from.

    Only a trusted proxy is believed about who stands behind it: read from the right, the first
    address that is no proxy of the house is the source. What a stranger wrote further left in the
    header is never reached.

    >>> source_of(peer="203.0.113.9", forwarded_for="10.0.0.1", trusted=networks(["10.0.0.7"]))
    '203.0.113.9'
    >>> proxies = networks(["10.0.0.7"])
    >>> source_of(peer="10.0.0.7", forwarded_for="6.6.6.6, 10.1.1.1", trusted=proxies)
    '10.1.1.1'
    """
    source = _plain(peer)
    for hop in reversed(forwarded_for.split(",")):
        if not _is_trusted(source, trusted):
            break
        behind = _plain(hop)
        if not behind:
            break
        source = behind
    return source


@lru_cache(maxsize=1024)
def _plain(text: str) -> str:
    """Return an address in its one spelling, or nothing for what is no address."""
    try:
        address = ip_address(text.strip())
    except ValueError:
        return ""
    mapped = getattr(address, "ipv4_mapped", None)
    return str(mapped or address)


def _is_trusted(source: str, trusted: Sequence[Network]) -> bool:
    return bool(source) and any(ip_address(source) in network for network in trusted)
