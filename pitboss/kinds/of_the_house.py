"""What slips by which the house changes itself share: who reads them, their paper, their words."""

from __future__ import annotations

from typing import Final

from pitboss.models import Slip
from pitboss.rules.flows.flows import Readers
from pitboss.rules.flows.house_flows import MANAGERS, PEOPLE_MANAGERS
from pitboss.rules.roles import GRANTS_NO_ACCESS, KEEPING_BOOKS, Role

# Who signs about people and may give them access.
GRANTING: Final = tuple(role for role in PEOPLE_MANAGERS if role not in GRANTS_NO_ACCESS)
READERS: Final = Readers(frozenset(MANAGERS) | KEEPING_BOOKS | {Role.COMPLIANCE})


def pending_words(slip: Slip) -> str:
    """Say that a change waits for another manager."""
    return f"{slip.serial} is pending. Another manager must approve it."
