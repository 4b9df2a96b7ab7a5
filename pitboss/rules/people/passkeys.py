"""Passkeys: for which kinds of step one is asked and of whom, as the house has set it."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum, unique
from typing import Final

from pitboss.rules.roles import Role
from pitboss.rules.settings.kinds import Choice
from pitboss.rules.settings.setting import OUR_OWN, Setting


@unique
class Step(StrEnum):
    """The kinds of step that a house may ask a passkey for."""

    SIGN_IN = "sign_in"
    PEOPLE = "people"
    DEVICES = "devices"
    SETTINGS = "settings"


MANAGERS: Final = frozenset(
    {
        Role.PIT_MANAGER,
        Role.SHIFT_MANAGER,
        Role.CAGE_MANAGER,
        Role.SECURITY_MANAGER,
        Role.SURVEILLANCE_MANAGER,
        Role.ADMINISTRATOR,
    }
)
# Slips and signed acts, by the kind of step that they are.
_SLIPS: Final = {
    "person_change": Step.PEOPLE,
    "access_review": Step.PEOPLE,
    "leave_of_absence": Step.PEOPLE,
    "person_leaves": Step.PEOPLE,
    "person_returns": Step.PEOPLE,
    "limit_change": Step.PEOPLE,
    "setting_change": Step.SETTINGS,
    "table_change": Step.SETTINGS,
}
_ACTS: Final = {
    "grant_acting_role": Step.PEOPLE,
    "end_acting_role": Step.PEOPLE,
    "offer_pin": Step.PEOPLE,
    "revoke_passkey": Step.PEOPLE,
    "set_pin": Step.PEOPLE,
    "unlock_badge": Step.PEOPLE,
    "witness_pin": Step.PEOPLE,
    "let_in": Step.DEVICES,
    "offer_device": Step.DEVICES,
    "offer_token": Step.DEVICES,
    "unlock_device": Step.DEVICES,
}

# What a house may choose for each kind of step, and for those who have no passkey.
SIGN_IN_OF: Final = {
    "nobody": "never",
    "managers": "of managers",
    "everyone": "of everyone",
}
ASKED: Final = {"yes": "asked", "no": "not asked"}
HAVING_NONE: Final = {
    "pass": "badge and PIN are enough",
    "refuse": "refused until they have one",
}


def step_of_slip(kind: str) -> Step | None:
    """Return which kind of step it is to sign a slip, if a passkey may be asked for it.

    >>> step_of_slip("setting_change")
    <Step.SETTINGS: 'settings'>
    >>> step_of_slip("fill") is None
    True
    """
    return _SLIPS.get(kind)


def step_of_act(act: str) -> Step | None:
    """Return which kind of step a signed act is, if a passkey may be asked for it.

    >>> step_of_act("set_pin"), step_of_act("let_in"), step_of_act("tap_in")
    (<Step.PEOPLE: 'people'>, <Step.DEVICES: 'devices'>, None)
    """
    return _ACTS.get(act)


def is_asked_at_sign_in(role: Role, sign_in_of: str) -> bool:
    """Tell whether the house asks a role for a passkey when it signs in.

    >>> is_asked_at_sign_in(Role.SHIFT_MANAGER, "managers")
    True
    >>> is_asked_at_sign_in(Role.DEALER, "managers"), is_asked_at_sign_in(Role.DEALER, "everyone")
    (False, True)
    """
    return sign_in_of == "everyone" or (sign_in_of == "managers" and role in MANAGERS)


def passkey_settings() -> Iterator[Setting]:
    """Yield what a house may set about"""
    subject = "Passkeys"
    yield Setting(
        "passkey.sign_in",
        subject,
        "Sign-in with a passkey",
        "Asked after the password, of those who have a passkey.",
        Choice(SIGN_IN_OF),
        "managers",
        OUR_OWN,
    )
    yield Setting(
        "passkey.people",
        subject,
        "Passkey for changes of people",
        "Asked with badge and PIN: people, PINs, limits, acting roles and badges unlocked.",
        Choice(ASKED),
        "yes",
        OUR_OWN,
    )
    yield Setting(
        "passkey.devices",
        subject,
        "Passkey for devices",
        "Required, with badge and PIN, from both people who add a device or replace "
        "its token, and from the person who unlocks it.",
        Choice(ASKED),
        "yes",
        OUR_OWN,
    )
    yield Setting(
        "passkey.settings",
        subject,
        "Passkey for changes of settings and tables",
        "Asked with badge and PIN of the person who proposes and of the one who approves.",
        Choice(ASKED),
        "yes",
        OUR_OWN,
    )
    yield Setting(
        "passkey.having_none",
        subject,
        "People who have no passkey",
        "What a person without a passkey sees at a step that needs one. A first "
        "passkey is added with their own PIN, so no one is locked out.",
        Choice(HAVING_NONE),
        "pass",
        OUR_OWN,
    )
