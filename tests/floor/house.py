"""Change the house in tests: as on the floor, by a slip that two managers sign."""

from __future__ import annotations

from typing import Any

from pitboss.kinds.setting import SETTING_KIND
from pitboss.models import Person, SettingValue, Slip
from pitboss.rules.roles import Place
from pitboss.slips.raising import raise_kind, shown_before
from tests.floor.cast import Cast


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
    raising = SETTING_KIND.at(key=key, value=keyed, **dict[str, Any]({"from": holds_from}))
    return raise_kind(
        raising,
        reason=reason,
        pen=cast.pen(by or cast.carol, Place.OFFICE),
        shown=shown_before(raising),
    )


def change(cast: Cast, key: str, keyed: str, holds_from: str = "") -> SettingValue:
    """Let a value hold that Carol proposes and Heidi approves."""
    slip = propose(cast, key, keyed, holds_from)
    cast.sign(slip, "approved", cast.heidi, Place.OFFICE)
    return SettingValue.objects.get(slip=slip)


def keep_shut(cast: Cast) -> None:
    """Let tables with a variance stay shut until everyone has signed."""
    change(cast, "count.open_with_variance", "strict")
