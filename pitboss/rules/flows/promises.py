"""Who is there when every reachable state of every flow is held to what its kind promises."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from pitboss.rules.flows.flows import Flow
from pitboss.rules.roles import Role


def returned_by(flow: Flow) -> str:
    """Return the kind on which cheques go back when they are under way and something is wrong."""
    return flow.sent_back.by if flow.sent_back else ""


# Who is in the house on a quiet shift: no one acts in another rank, and no second pit manager or
# shift manager can be called. From every state these people must find a way out.
NORMAL_SHIFT: Final[Mapping[Role, int]] = {
    Role.DEALER: 2,
    Role.SUPERVISOR: 2,
    Role.PIT_MANAGER: 1,
    Role.SHIFT_MANAGER: 1,
    Role.CASHIER: 2,
    Role.CAGE_MANAGER: 1,
    Role.SECURITY: 2,
    Role.SURVEILLANCE: 1,
    Role.COUNT_TEAM: 2,
    Role.HOST: 1,
    Role.HOST_MANAGER: 1,
    Role.ACCOUNTING: 1,
    Role.CONTROLLER: 1,
    Role.COLLECTOR: 1,
    Role.COMPLIANCE: 1,
}
# How many of each role there are where the fewest people are looked for, all of them acting too.
SEVERAL: Final = 3
