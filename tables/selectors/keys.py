"""The board of hooks: which keys are out, with whom, since when, and how late."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from typing import Final

from pitboss.models import Slip
from pitboss.rules.floor.keys import KEYS, Key, is_late
from pitboss.rules.flows.flows import SlipStatus
from tables.models import KeyTaken

DRAW: Final = "key_draw"
INVENTORY: Final = "key_inventory"


@dataclass(frozen=True, slots=True)
class Hook:
    """One hook: its key, and who has it."""

    key: Key
    slip: Slip | None = None
    holders: tuple[str, ...] = ()
    since: datetime | None = None
    due: datetime | None = None
    is_late: bool = False

    @property
    def is_out(self) -> bool:
        """Tell whether the key has left, or is about to: its slip is open."""
        return self.slip is not None


def draws_open() -> list[Slip]:
    """Return the slips on which keys are out, oldest first."""
    return list(Slip.objects.filter(kind=DRAW, status=SlipStatus.OPEN.value).order_by("id"))


def out_on(key: Key) -> str:
    """Return the number of the slip on which a key is out, or nothing."""
    slips = Slip.objects.filter(kind=DRAW, status=SlipStatus.OPEN.value, details__key=key.code)
    return slips.values_list("serial", flat=True).first() or ""


def hooks(now: datetime, grace_minutes: int) -> list[Hook]:
    """Return every hook, with who has its key. Two queries."""
    slips = {slip.details["key"]: slip for slip in draws_open()}
    taken: dict[int, list[KeyTaken]] = {}
    for row in KeyTaken.objects.filter(slip__in=slips.values()).select_related("person"):
        taken.setdefault(row.slip_id, []).append(row)
    return [_hook(key, slips.get(key.code), taken, now, grace_minutes) for key in KEYS.values()]


def _hook(
    key: Key,
    slip: Slip | None,
    taken: dict[int, list[KeyTaken]],
    now: datetime,
    grace_minutes: int,
) -> Hook:
    if slip is None:
        return Hook(key)
    rows = taken.get(slip.pk, [])
    due = datetime.fromisoformat(slip.details["due"])
    return Hook(
        key,
        slip,
        tuple(str(row.person) for row in rows),
        slip.raised_at,
        due,
        is_late(due, grace_minutes, now),
    )


def keys_had(person_id: int, gaming_day: date) -> set[str]:
    """Return the keys that someone took in a gaming day."""
    rows = KeyTaken.objects.filter(person=person_id, gaming_day=gaming_day)
    return set(rows.values_list("key", flat=True))


def last_inventory() -> Slip | None:
    """Return the last inventory of the keys that all have signed."""
    return Slip.objects.filter(kind=INVENTORY, status=SlipStatus.DONE.value).order_by("-id").first()
