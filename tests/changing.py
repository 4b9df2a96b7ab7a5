"""Change the house in tests: as on the floor, by a slip that two managers sign."""

from __future__ import annotations

from pitboss.models import Person, SettingValue, Slip
from pitboss.rules.roles import Place
from pitboss.services.setting_changes import new_change, propose_setting
from pitboss.services.shown import request_shown
from tests.cast import Cast


def propose(
    cast: Cast,
    key: str,
    keyed: str,
    holds_from: str = "",
    *,
    by: Person | None = None,
    reason: str = "Safer.",
) -> Slip:
    """Propose a value as Carol, or as somebody else."""
    new = new_change(key=key, keyed=keyed, holds_from=holds_from)
    return propose_setting(
        new,
        reason=reason,
        pen=cast.pen(by or cast.carol, Place.OFFICE),
        shown=request_shown(new, None),
    )


def change(cast: Cast, key: str, keyed: str, holds_from: str = "") -> SettingValue:
    """Let a value hold that Carol proposes and Heidi approves."""
    slip = propose(cast, key, keyed, holds_from)
    cast.sign(slip, "approved", cast.heidi, Place.OFFICE)
    return SettingValue.objects.get(slip=slip)
