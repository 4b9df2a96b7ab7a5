"""Sign-in by the house's identity provider: by what name it knows a person, and what is beside."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from pitboss.rules.refusal import Refusal
from pitboss.rules.settings.kinds import Choice
from pitboss.rules.settings.setting import OUR_OWN, Setting

# OpenID Connect: a subject is at most 255 ASCII characters.
SUBJECT_MAX: Final = 255
_SUBJECT: Final = re.compile(rf"[!-~]{{1,{SUBJECT_MAX}}}")

BY_BADGE: Final = {
    "always": "badge and password sign in everyone",
    "provider_down": "people with a provider sign-in use it, while the provider answers",
}


def identity_of(issuer: str, subject: str) -> str:
    """Return how a provider's name for a person is kept: a subject means nothing elsewhere.

    >>> identity_of("https://id.example.com", "u-17")
    'https://id.example.com u-17'
    """
    return f"{issuer} {subject}"


def subject_in(identity: str) -> str:
    """Return the subject of an identity, or nothing.

    >>> subject_in("https://id.example.com u-17"), subject_in("")
    ('u-17', '')
    """
    return identity.partition(" ")[2]


def subject_refusals(subject: str) -> list[Refusal]:
    """Return why a text is no subject of a provider.

    >>> subject_refusals("u-17"), subject_refusals("")
    ([], [])
    >>> [refusal.code for refusal in subject_refusals("u 17")]
    ['subject_malformed']
    """
    if not subject or _SUBJECT.fullmatch(subject):
        return []
    return [
        Refusal(
            "subject_malformed",
            "Copy the subject from the identity provider: up to 255 letters, digits, "
            "and symbols, no spaces.",
        )
    ]


def asks_for_the_provider(by_badge: str, *, has_identity: bool) -> bool:
    """Tell whether someone signs in by the provider, while it answers, and not by badge.

    >>> asks_for_the_provider("provider_down", has_identity=True)
    True
    >>> asks_for_the_provider("provider_down", has_identity=False)
    False
    """
    return by_badge == "provider_down" and has_identity


def sign_in_settings() -> Iterator[Setting]:
    """Yield what a house may set about signing in beside its provider."""
    yield Setting(
        "sign_in.by_badge",
        "People and devices",
        "Badge and password in addition to the identity provider",
        "Only where the servers name an identity provider. While it does not answer, badge and "
        "password sign in everyone.",
        Choice(BY_BADGE),
        "always",
        OUR_OWN,
    )
