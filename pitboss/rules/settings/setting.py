"""One entry of the book of settings, and where defaults come from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from pitboss.rules.settings.kinds import SettingKind

MANUAL: Final = "House blackjack manual"
OUR_OWN: Final = "Default of Pitboss"


@dataclass(frozen=True, slots=True)
class Setting:
    """One thing that the house may set."""

    key: str
    subject: str
    title: str
    changes: str
    kind: SettingKind
    default: Any
    source: str
    # Holds from the start of a gaming day, not from the middle of one.
    by_the_day: bool = False

    def words(self, value: Any) -> str:
        return self.kind.words(value)
