"""What slips by which the house changes itself share: who reads them, their paper, their words."""

from __future__ import annotations

from typing import Final

from pitboss.models import Slip
from pitboss.rules.flows.flows import Readers
from pitboss.rules.flows.house_flows import MANAGERS
from pitboss.rules.roles import KEEPING_BOOKS, Role

READERS: Final = Readers(frozenset(MANAGERS) | KEEPING_BOOKS | {Role.COMPLIANCE})


def pending_words(slip: Slip) -> str:
    """Say that a change waits for another manager."""
    return f"{slip.serial} is pending. Another manager must approve it."
