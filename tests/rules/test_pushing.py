"""Notifications: what a lock screen says, and which browsers are told."""

from __future__ import annotations

import pytest

from pitboss.rules.floor.pushing import ENDPOINT_MAX, address_refusals, lock_screen_words
from pitboss.rules.floor.urgency import Urgency

SERVICES = frozenset({"push.example.com"})
POINT = "BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8"
AUTH = "BTBZMqHH6r4Tts7J_aSIgg"
HERE = "https://push.example.com/one"


def codes(endpoint: str, p256dh: str = POINT, auth: str = AUTH) -> list[str]:
    return [refusal.code for refusal in address_refusals(endpoint, p256dh, auth, SERVICES)]


def test_a_lock_screen_names_a_table_and_nothing_more() -> None:
    told = {urgency: lock_screen_words(urgency, "BJ-15") for urgency in Urgency}
    assert {urgency: words for urgency, words in told.items() if words} == {
        Urgency.CALL: "BJ-15 calls",
        Urgency.PAYOUT: "BJ-15: payout",
        Urgency.JACKPOT: "BJ-15: jackpot",
        Urgency.NO_DEALER: "BJ-15: no dealer",
        Urgency.APPROVAL: "BJ-15: approval",
    }
    assert lock_screen_words(Urgency.APPROVAL, "") == "Pit: approval"


@pytest.mark.parametrize("endpoint", [HERE, "https://a.push.example.com:443/one?two=3"])
def test_a_service_that_the_house_uses_is_sent_to(endpoint: str) -> None:
    assert codes(endpoint) == []


@pytest.mark.parametrize(
    "endpoint",
    [
        "",
        "https://evil.example/one",
        "https://evilpush.example.com/one",
        "https://push.example.com.evil.example/one",
        "https://push.example.com@evil.example/",
        "https://me@push.example.com/one",
        "https://push.example.com/one#two",
        "https://push.example.com/one two",
        "https://push.example.com/one\n",
        "https://push.example.com/ö",
        "https://[push.example.com/",
        f"{HERE}/{'x' * ENDPOINT_MAX}",
    ],
)
def test_no_other_address_is(endpoint: str) -> None:
    assert codes(endpoint) == ["push_service_unknown"]


@pytest.mark.parametrize(
    ("p256dh", "auth"),
    [
        ("", AUTH),
        (POINT[:-2], AUTH),
        ("C" + POINT[1:], AUTH),
        ("Ö" + POINT, AUTH),
        ("B", AUTH),
        (POINT, ""),
        (POINT, AUTH + AUTH),
    ],
)
def test_keys_that_are_none_are_refused(p256dh: str, auth: str) -> None:
    assert codes(HERE, p256dh, auth) == ["push_keys_malformed"]


def test_a_house_that_sends_none_says_so() -> None:
    (only,) = address_refusals(HERE, POINT, AUTH, frozenset())
    assert only.code == "push_is_off"
