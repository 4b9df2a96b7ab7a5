"""Who lets a device in, and how long its token holds."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from pitboss.rules.refusal import NOT_YOURS, Refusal
from pitboss.rules.roles import Place, Role, may_act_as

TOKEN_DAYS_LEAST: Final = 7
# A new token is offered again when the last offer seems to have been lost on its way.
OFFER_LOST: Final = timedelta(minutes=10)
# How long requests with the old token, on their way when the new one was first used, still arrive.
ON_THEIR_WAY: Final = timedelta(minutes=1)

_ASKING = (
    Role.PIT_MANAGER,
    Role.CAGE_MANAGER,
    Role.SECURITY_MANAGER,
    Role.SURVEILLANCE_MANAGER,
    Role.ADMINISTRATOR,
)
# Who answers for what stands in a place. One of the two who let a device in is one of them.
_OF_PLACE: dict[Place, tuple[Role, ...]] = {
    Place.PIT: (Role.SUPERVISOR,),
    Place.CAGE: (Role.CASHIER,),
    Place.SECURITY: (Role.SECURITY,),
    Place.SURVEILLANCE: (Role.SURVEILLANCE,),
    Place.OFFICE: (Role.SHIFT_MANAGER, Role.ACCOUNTING, Role.COMPLIANCE, Role.AUDITOR),
}


def may_ask(role: Role) -> bool:
    """Tell whether a role may ask for a device to be let in, or put one out."""
    return any(may_act_as(role, wanted) for wanted in _ASKING)


def is_of_place(role: Role, place: Place) -> bool:
    """Tell whether a role answers for what stands in a place.

    >>> is_of_place(Role.SHIFT_MANAGER, Place.PIT), is_of_place(Role.SHIFT_MANAGER, Place.CAGE)
    (True, False)
    """
    return any(may_act_as(role, wanted) for wanted in _OF_PLACE[place])


def second_refusals(place: Place, first: Role, second: Role) -> list[Refusal]:
    """Return why a second person may not let a device in that a first one asked for."""
    if is_of_place(second, place):
        return []
    if not is_of_place(first, place):
        message = f"One of the two must work at the {place.value}. Ask someone who does to sign."
        return [Refusal("not_of_the_place", message)]
    if not may_ask(second):
        return [
            Refusal(
                "wrong_role",
                "Only a manager or someone who works there can add a device.",
                NOT_YOURS,
            )
        ]
    return []


@dataclass(frozen=True, slots=True)
class TokenPolicy:
    """How long a token of a device holds, and after what time it gives way to a new one."""

    holds: timedelta
    rotates_after: timedelta

    def is_due(self, made_at: datetime | None, offered_at: datetime | None, now: datetime) -> bool:
        """Tell whether a device should get its next token now."""
        if made_at is None or now - made_at < self.rotates_after:
            return False
        return offered_at is None or now - offered_at >= OFFER_LOST
