"""What is done besides signing in that a house may ask a passkey for."""

from __future__ import annotations

from enum import StrEnum, unique


@unique
class Proved(StrEnum):
    """The kinds of act that a house may ask a passkey for."""

    SIGN_IN = "sign_in"
    PEOPLE = "people"
    DEVICES = "devices"
    SETTINGS = "settings"
