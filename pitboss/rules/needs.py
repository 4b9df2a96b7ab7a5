"""Why something waits for just this person: the threshold that was passed, and the rule behind it.

Whoever is asked to sign decides by the reason, not by the form: so the reason has the figures.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pitboss.rules.cheques import format_money
from pitboss.rules.tray_flows import CLOSER


@dataclass(frozen=True, slots=True)
class Need:
    """Why a step is this person's, and the setting that made it so, where one did."""

    sentence: str
    setting: str = ""


# Steps that a rule asks of a certain rank, whatever the figures are.
_ALWAYS = {
    "accepted": Need(
        "the tray differs from its last count, and a shift manager accepts that.",
        "count.tolerance",
    ),
    "security_reported": Need(
        "the variance is so large that security reports on it.", "count.tolerance"
    ),
    "surveillance_reported": Need(
        "the variance is so large that surveillance reports on it.", "count.tolerance"
    ),
    "patron_signed": Need("its patron has not signed yet."),
    "confirmed": Need("nobody who was there confirms it: that takes your own look."),
    "phone_confirmed": Need("surveillance confirms it to you by phone."),
    "jackpot_released": Need(
        "it takes a part of a meter, and a shift manager who did not verify it releases that."
    ),
    "pending_cleared": Need("its award is fixed, and a supervisor releases that."),
    "approved": Need("one proposes and another approves, and you did not propose it."),
    "void_witnessed": Need("a void takes two people, and one has signed."),
    "reject_agreed": Need("a jackpot is rejected by two people, and one has signed."),
    "held_witnessed": Need("a jackpot is held by two people, and one has signed."),
    "taken_over": Need("the officer was relieved: another counts the cheques and carries them on."),
    "shift_taken_on": Need("you come on, and answer for what is carried over by name."),
    "day_taken_on": Need("you come on, and answer for what is carried over by name."),
}


def need_of(
    step: str,
    *,
    kind: str,
    cheques: Mapping[int, int],
    details: Mapping[str, Any],
    top_sign_from_cents: int,
) -> Need:
    """Return why a step of a slip needs whoever it asks for.

    >>> need_of("top_signed", kind="fill", cheques={500_000: 2}, details={},
    ...         top_sign_from_cents=500_000).sentence
    'it holds a $5,000 cheque, and from $5,000 on a pit manager top-signs.'
    """
    if step == "top_signed":
        if kind == CLOSER.kind:
            return Need("a pit manager top-signs every closer.")
        return Need(
            f"it holds a {format_money(max(cheques))} cheque, and from "
            f"{format_money(top_sign_from_cents)} on a pit manager top-signs.",
            "approval.top_sign_from",
        )
    if step == "authorised":
        over = format_money(details["over_line_cents"])
        return Need(f"it passes the patron's line by {over}, and only another may let it.")
    return _ALWAYS.get(step, Need("the next signature is yours."))
