"""Keys that are not back in time, and an inventory of them that is due."""

from __future__ import annotations

from datetime import datetime, timedelta

from pitboss.models import FloorException
from pitboss.rules.floor.keys import INVENTORY_DAYS
from pitboss.selectors.accounts import begun_at
from pitboss.services import house
from pitboss.services.exceptions import (
    KEY_INVENTORY_DUE,
    KEY_LATE,
    KEY_LATE_CUSTODIAN,
    KEY_LATE_SECURITY,
    open_exception,
)
from tables.selectors.keys import hooks, last_inventory

# Each is told by an entry of their own.
ALARMS = (KEY_LATE_CUSTODIAN, KEY_LATE_SECURITY, KEY_LATE)


def find_late_keys(*, now: datetime) -> None:
    """Alarm custodian, security and shift manager of each key that is not back. Once for each."""
    grace = house.settings_at(now)["keys.grace"]
    for hook in hooks(now, grace):
        if hook.slip is None or hook.due is None or not hook.is_late:
            continue
        who = ", ".join(hook.holders) or "no one yet"
        due = hook.due.astimezone(house.the_property().zone)
        for code in ALARMS:
            # An alarm that was answered does not come again for the same draw.
            if FloorException.objects.filter(code=code, slip=hook.slip).exists():
                continue
            open_exception(
                code=code,
                sentence=f"{hook.key.title}: key out with {who}, due at {due:%H:%M}. Get it back.",
                details={"key": hook.key.code},
                at=now,
                person=None,
                slip=hook.slip,
            )
    _tell_of_inventory(now)


def _tell_of_inventory(now: datetime) -> None:
    """Tell security when no one has counted the keys for three months."""
    last = last_inventory()
    since = last.raised_at if last is not None else begun_at()
    if since is None or now - since < timedelta(days=INVENTORY_DAYS):
        return
    open_exception(
        code=KEY_INVENTORY_DUE,
        sentence="The physical inventory of the keys is due. Two departments count them.",
        details={"since": since.date().isoformat()},
        at=now,
        person=None,
    )
