"""Where events may be sent, how they are signed, and when sending ends."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from pitboss.rules.floor.table_events import (
    OUTBOX_KINDS,
    OUTBOX_SLIPS,
    HouseEvent,
    house_event_of,
)
from pitboss.rules.people.webhooks import (
    DEAD_AFTER,
    URL_MAX,
    WAITS,
    is_dead,
    is_public,
    new_refusals,
    next_try,
    signature,
    signature_header,
    url_refusals,
)

NOW = datetime(2026, 11, 17, 20, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    "address",
    [
        *("127.0.0.1", "10.0.0.7", "172.16.0.1", "192.168.1.1", "169.254.169.254", "0.0.0.0"),
        *("100.64.0.1", "224.0.0.1", "255.255.255.255", "198.18.0.1", "192.88.99.1", "192.0.0.8"),
        *("::1", "::", "fe80::1%eth0", "fc00::1", "fec0::1", "ff0e::1", "2001:db8::1"),
        # An address of the house inside another: mapped, compatible, NAT64, 6to4, Teredo.
        *("::ffff:10.0.0.7", "::10.0.0.7", "64:ff9b::a00:7", "64:ff9b:1::a00:7", "2002:a00:7::1"),
        *("2001:0:a00:7::1", "nonsense"),
    ],
)
def test_what_is_not_public(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize("address", ["93.184.216.34", "2606:4700::1111", "::ffff:93.184.216.34"])
def test_what_is_public(address: str) -> None:
    assert is_public(address)


@pytest.mark.parametrize(
    ("url", "codes"),
    [
        ("https://example.com/in?x=1", []),
        ("https://93.184.216.34:8443/in", []),
        ("http://example.com/in", ["url_not_https"]),
        ("http://10.0.0.7/in", ["url_not_https", "url_not_public"]),
        ("https://[::1]/in", ["url_not_public"]),
        ("https://user:word@example.com/", ["url_with_secret"]),
        ("https://example.com/#in", ["url_with_secret"]),
        ("ftp://example.com/", ["url_malformed"]),
        ("https:///in", ["url_malformed"]),
        ("https://example.com:99999/", ["url_malformed"]),
        ("https://example.com/a b", ["url_malformed"]),
        ("https://exämple.com/", ["url_malformed"]),
        (f"https://example.com/{'x' * URL_MAX}", ["url_malformed"]),
        # Listed by the operator: inside, and without TLS.
        ("http://ledger.house:8080/in", []),
        ("http://10.0.0.9/in", []),
    ],
)
def test_an_address_is_judged(url: str, codes: list[str]) -> None:
    found = url_refusals(url, {"ledger.house", "10.0.0.9"})
    assert [refusal.code for refusal in found] == codes


def test_a_webhook_has_a_name_and_events_that_exist() -> None:
    known = list(HouseEvent)
    assert list(new_refusals("Ledger", ["day_closed"], known)) == []
    wrong = new_refusals("", ["day_closed", "no_such"], known)
    assert [refusal.code for refusal in wrong] == ["name_malformed", "events_unknown"]
    assert [refusal.code for refusal in new_refusals("x" * 41, [], known)] == [
        "name_malformed",
        "events_unknown",
    ]


def test_every_secret_that_holds_signs() -> None:
    header = signature_header(["new", "old"], 1_763_400_000, b"{}")
    new, old = (signature(item, 1_763_400_000, b"{}") for item in ("new", "old"))
    assert header == f"t=1763400000,v1={new},v1={old}"
    assert signature("new", 1_763_400_001, b"{}") != new


def test_waits_grow_and_end_after_a_day() -> None:
    assert [next_try(n, NOW) - NOW for n in (1, 2, 7, 99)] == [
        WAITS[0],
        WAITS[1],
        WAITS[-1],
        WAITS[-1],
    ]
    assert not is_dead(None, NOW)
    assert not is_dead(NOW - DEAD_AFTER + timedelta(seconds=1), NOW)
    assert is_dead(NOW - DEAD_AFTER, NOW)


@pytest.mark.parametrize(
    ("kind", "status", "event"),
    [
        ("fill.received", "done", "fill_received"),
        ("fill.carried", "open", "fill_on_the_way"),
        ("credit.acknowledged", "done", "credit_acknowledged"),
        ("day_close.day_taken_on", "done", "day_closed"),
        ("opener.verified", "done", "table_opened"),
        ("jackpot.entered", "open", "jackpot_step"),
        ("tapped_in", "", None),
        ("fill.issued", "open", None),
        ("meter.read", "", None),
    ],
)
def test_what_other_systems_hear(kind: str, status: str, event: str | None) -> None:
    found = house_event_of(kind, {"serial": "X-1", "status": status})
    assert (found[0].value if found else None) == event
    if found:
        # Else the database would not keep it for them.
        assert kind.partition(".")[0] in OUTBOX_SLIPS or kind in OUTBOX_KINDS
