"""From which address a request comes: a stranger cannot write it themselves."""

from __future__ import annotations

import pytest

from pitboss.rules.people.sources import networks, source_of

PROXIES = networks(["10.0.0.0/24", "fd00::7"])


@pytest.mark.parametrize(
    ("peer", "forwarded_for", "source"),
    [
        ("203.0.113.9", "", "203.0.113.9"),
        # Nobody believes a stranger.
        ("203.0.113.9", "10.9.9.9", "203.0.113.9"),
        ("10.0.0.7", "198.51.100.4", "198.51.100.4"),
        # What the browser wrote stands left of what the proxy wrote.
        ("10.0.0.7", "10.9.9.9, 198.51.100.4", "198.51.100.4"),
        # Two proxies of the house in a row.
        ("10.0.0.7", "198.51.100.4, 10.0.0.8", "198.51.100.4"),
        ("fd00::7", "2001:DB8::1", "2001:db8::1"),
        ("::ffff:10.0.0.7", "198.51.100.4", "198.51.100.4"),
        # A proxy that names nobody, or nonsense, is itself the source.
        ("10.0.0.7", "", "10.0.0.7"),
        ("10.0.0.7", "unknown", "10.0.0.7"),
        # A socket of this machine has no address.
        ("", "198.51.100.4", ""),
    ],
)
def test_the_source_is_the_first_address_that_is_no_proxy_of_the_house(
    peer: str, forwarded_for: str, source: str
) -> None:
    assert source_of(peer=peer, forwarded_for=forwarded_for, trusted=PROXIES) == source


def test_without_trusted_proxies_nothing_is_forwarded() -> None:
    assert source_of(peer="10.0.0.7", forwarded_for="1.2.3.4", trusted=()) == "10.0.0.7"


def test_a_proxy_that_is_no_address_is_refused() -> None:
    with pytest.raises(ValueError, match=r"proxy\.example"):
        networks(["proxy.example"])
