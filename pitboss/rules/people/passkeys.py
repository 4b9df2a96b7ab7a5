"""Passkeys: for which kinds of step one is asked and of whom, as the house has set it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from pitboss.rules.people.proofs import Proved
from pitboss.rules.roles import Role
from pitboss.rules.settings.kinds import Choice
from pitboss.rules.settings.setting import OUR_OWN, Setting

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
# Signed acts that are no slips, by what they are.
_ACTS: Final = {
    "grant_acting_role": Proved.PEOPLE,
    "end_acting_role": Proved.PEOPLE,
    "offer_pin": Proved.PEOPLE,
    "revoke_passkey": Proved.PEOPLE,
    "set_pin": Proved.PEOPLE,
    "unlock_badge": Proved.PEOPLE,
    "witness_pin": Proved.PEOPLE,
    "let_in": Proved.DEVICES,
    "offer_device": Proved.DEVICES,
    "offer_token": Proved.DEVICES,
    "unlock_device": Proved.DEVICES,
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


def proved_by(act: str) -> Proved | None:
    """Return what a signed act is, if a passkey may be asked for it.

    >>> proved_by("set_pin"), proved_by("let_in"), proved_by("tap_in")
    (<Proved.PEOPLE: 'people'>, <Proved.DEVICES: 'devices'>, None)
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
