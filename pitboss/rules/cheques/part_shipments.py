"""A fill of which the cage ships only a part now: what ships, what is left, and why not."""

from __future__ import annotations

from collections.abc import Mapping

from pitboss.rules.cheques.cheques import BY_CENTS, ordered
from pitboss.rules.flows.flows import REASON_MAX
from pitboss.rules.refusal import Refusal

Cheques = Mapping[int, int]


def left_over(requested: Cheques, ships: Cheques) -> dict[int, int]:
    """Return what is still to come of a request once a part of it ships.

    >>> left_over({2_500: 100, 500: 20}, {2_500: 60, 500: 20})
    {2500: 40}
    """
    rest = {cents: requested[cents] - ships.get(cents, 0) for cents in ordered(requested)}
    return {cents: count for cents, count in rest.items() if count > 0}


def part_refusals(requested: Cheques, ships: Cheques, reason: str) -> list[Refusal]:
    """Return why a cashier may not offer this part of a request."""
    refusals = []
    over = [cents for cents in ordered(ships) if ships[cents] > requested.get(cents, 0)]
    if over:
        names = ", ".join(BY_CENTS[cents].name for cents in over)
        refusals.append(
            Refusal("more_than_requested", f"More {names} than requested. Enter less on that line.")
        )
    if not any(ships.values()):
        refusals.append(
            Refusal("nothing_ships", "Nothing ships. Enter what the cage can send, or void it.")
        )
    elif not over and not left_over(requested, ships):
        refusals.append(
            Refusal("ships_in_full", "That’s the whole request. Issue the fill as it is.")
        )
    if not reason:
        refusals.append(Refusal("reason_missing", "Enter why the cage ships less."))
    elif len(reason) > REASON_MAX:
        refusals.append(
            Refusal("reason_too_long", f"Reason is too long. Use {REASON_MAX} characters or fewer.")
        )
    return refusals
