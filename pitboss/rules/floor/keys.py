"""Sensitive keys: who hands each out, who takes it, with whom, and when it is back."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum, unique
from typing import Final

from pitboss.rules.refusal import CONFLICT, NOT_YOURS, Refusal
from pitboss.rules.roles import Role, may_act_as

RELEASE: Final = "release"
CONTENTS: Final = "contents"
INVENTORY_MONTHS: Final = 3
INVENTORY_DAYS: Final = 92


@dataclass(frozen=True, slots=True)
class Key:
    """One sensitive key, or a ring of them."""

    code: str
    title: str
    custodians: tuple[Role, ...]
    # Each of these roles takes it, together.
    takers: tuple[Role, ...]
    # So many minutes after it was drawn it is back; at the end of the shift where none are told.
    minutes: int | None = None
    # It opens nothing before a session of the count team is open.
    needs_session: bool = False

    @property
    def back(self) -> str:
        """Say when it is back.

        >>> KEYS["card_store"].back, KEYS["trolley"].back
        ('within 30 min', 'by the end of the shift')
        """
        return f"within {self.minutes} min" if self.minutes else "by the end of the shift"


_CAGE: Final = (Role.CASHIER, Role.CAGE_MANAGER, Role.ACCOUNTING)
KEYS: Final[Mapping[str, Key]] = {
    key.code: key
    for key in (
        Key(RELEASE, "Drop box release", (Role.SECURITY,), (Role.SECURITY, Role.SUPERVISOR)),
        Key(
            CONTENTS,
            "Drop box contents",
            _CAGE,
            (Role.COUNT_TEAM, Role.COUNT_TEAM),
            needs_session=True,
        ),
        Key("trolley", "Drop trolley", (Role.SECURITY,), (Role.SECURITY, Role.COUNT_TEAM)),
        Key("count_door", "Count room door", (Role.SECURITY,), (Role.SECURITY, Role.COUNT_TEAM)),
        Key("count_lock", "Count room door, second lock", _CAGE, (Role.SECURITY, Role.COUNT_TEAM)),
        Key(
            "card_store",
            "Card and dice store",
            (Role.SECURITY,),
            (Role.SECURITY, Role.SUPERVISOR),
            minutes=30,
        ),
        Key(
            "card_lock",
            "Card and dice store, second lock",
            (Role.PIT_MANAGER,),
            (Role.SECURITY, Role.SUPERVISOR),
            minutes=30,
        ),
        Key(
            "progressive",
            "Progressive cabinet",
            (Role.SECURITY,),
            (Role.SECURITY, Role.SUPERVISOR),
            minutes=60,
        ),
        Key(
            "server_room",
            "Server room",
            (Role.SECURITY,),
            (Role.SECURITY, Role.SUPERVISOR),
            minutes=60,
        ),
        Key("lids", "Tray lids", (Role.PIT_MANAGER,), (Role.SUPERVISOR,)),
        Key("stand", "Pit stand", (Role.PIT_MANAGER,), (Role.SUPERVISOR,)),
        Key("shuffler", "Shufflers", (Role.PIT_MANAGER,), (Role.SUPERVISOR,)),
        Key("toke_box", "Toke boxes", (Role.PIT_MANAGER,), (Role.SUPERVISOR,)),
    )
}
CUSTODIANS: Final = tuple(dict.fromkeys(role for key in KEYS.values() for role in key.custodians))
TAKERS: Final = tuple(dict.fromkeys(role for key in KEYS.values() for role in key.takers))
# No one has both of these in one gaming day.
_APART: Final = {RELEASE: CONTENTS, CONTENTS: RELEASE}


def custodian_refusals(key: Key, role: Role) -> list[Refusal]:
    """Return why a role does not hand a key out, or take it back.

    >>> custodian_refusals(KEYS["release"], Role.SECURITY)
    []
    >>> [each.code for each in custodian_refusals(KEYS["contents"], Role.SECURITY)]
    ['not_the_custodian']
    """
    if any(may_act_as(role, custodian) for custodian in key.custodians):
        return []
    who = " or ".join(custodian.label for custodian in key.custodians)
    return [Refusal("not_the_custodian", f"{key.title}: {who} keeps this key.", NOT_YOURS)]


def taker_refusals(key: Key, taken: Sequence[Role], role: Role) -> list[Refusal]:
    """Return why someone of a role does not take a key, when these have taken it before.

    >>> taker_refusals(KEYS["release"], [Role.SECURITY], Role.SUPERVISOR)
    []
    >>> [each.code for each in taker_refusals(KEYS["contents"], [], Role.SECURITY)]
    ['not_a_taker']
    """
    left = list(key.takers)
    for item in (*taken, role):
        fit = next((wanted for wanted in left if may_act_as(item, wanted)), None)
        if fit is None:
            who = " and ".join(wanted.label for wanted in key.takers)
            words = f"{key.title} is drawn by: {who}. Someone of those signs."
            return [Refusal("not_a_taker", words, NOT_YOURS)]
        left.remove(fit)
    return []


def drawing_refusals(key: Key, *, is_out: str, has_session: bool) -> list[Refusal]:
    """Return why a key does not leave its hook. `is_out` names the slip on which it is out."""
    refusals = []
    if is_out:
        words = f"{key.title}: this key left its hook on {is_out}. Return it first."
        refusals.append(Refusal("key_out", words, CONFLICT))
    if key.needs_session and not has_session:
        refusals.append(
            Refusal(
                "no_count_session",
                f"{key.title} is drawn only while a count session is open. Open one first.",
                CONFLICT,
            )
        )
    return refusals


def apart_refusals(key: Key, had: Collection[str], name: str) -> list[Refusal]:
    """Return why someone who had these keys this gaming day does not get this one.

    >>> [each.code for each in apart_refusals(KEYS["contents"], {"release"}, "F. Frank")]
    ['had_other_key']
    """
    other = _APART.get(key.code)
    if other not in had:
        return []
    return [
        Refusal(
            "had_other_key",
            f"{name} had the {KEYS[str(other)].title.lower()} key this gaming "
            "day, so someone else must sign for this one.",
            CONFLICT,
        )
    ]


def due_at(key: Key, drawn: datetime, shift_ends: datetime, back_by: datetime | None) -> datetime:
    """Return when a key is due: as was entered, else after its minutes, else with the shift."""
    if back_by is not None:
        return back_by
    return drawn + timedelta(minutes=key.minutes) if key.minutes else shift_ends


def is_late(due: datetime, grace_minutes: int, now: datetime) -> bool:
    """Tell whether a key that is out raises the alarm: due at 06:00, it does at 06:16.

    >>> six = datetime(2026, 5, 1, 6)
    >>> is_late(six, 15, six + timedelta(minutes=15)), is_late(six, 15, six + timedelta(minutes=16))
    (False, True)
    """
    return now > due + timedelta(minutes=grace_minutes)


@unique
class HookFound(StrEnum):
    """What an inventory finds on a hook."""

    HERE = "here"
    OUT = "out"
    MISSING = "missing"

    @property
    def label(self) -> str:
        return {"here": "On the hook", "out": "Signed out", "missing": "Missing"}[self.value]


def inventory_refusals(found: Mapping[str, str]) -> list[Refusal]:
    """Return why an inventory of the keys is not complete."""
    words = {hook_found.value for hook_found in HookFound}
    return [
        Refusal("key_not_counted", f"{key.title}: choose where it is.")
        for key in KEYS.values()
        if found.get(key.code) not in words
    ]


def inventory_wrong(found: Mapping[str, str], out: Iterable[str]) -> list[str]:
    """Return the keys that are not where they should be, by name.

    >>> inventory_wrong({"lids": "here", "stand": "missing", "shuffler": "here"}, ["shuffler"])
    ['Pit stand', 'Shufflers']
    """
    signed_out = set(out)
    return [
        KEYS[code].title
        for code, where in found.items()
        if (where == HookFound.OUT.value) != (code in signed_out)
        or where == HookFound.MISSING.value
    ]
