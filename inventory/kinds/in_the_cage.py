"""What slips of the cage about no table share: who counts, who reads them, and the way out."""

from __future__ import annotations

from typing import Final

from pitboss.paper.forms import Form, Part
from pitboss.rules.flows.flows import Readers, Step, void_witnessed
from pitboss.rules.roles import AT_THE_CAGE, GUARDING, KEEPING_BOOKS, WATCHING, Place, Role

VAULT_READERS: Final = Readers(
    AT_THE_CAGE | GUARDING | WATCHING | KEEPING_BOOKS | {Role.SHIFT_MANAGER},
    frozenset({Place.CAGE}),
)
# Anyone who keyed the wrong figure may say so; someone of another desk, or the manager, looks on.
VOIDED_IN_THE_CAGE: Final = (
    Step(
        "voided",
        done="Voided",
        do="Void",
        by=Role.CASHIER,
        at=Place.CAGE,
        attests="I void this slip. I certify that no cheques were moved on it.",
        needs_reason=True,
        may_repeat="counted",
    ),
    void_witnessed((Role.SECURITY, Role.SURVEILLANCE, Role.CAGE_MANAGER)),
)


def cage_paper(original: str, duplicate: str, reason_as: str = "Reason") -> Form:
    """Return the paper of a slip of the cage, by where its two parts go."""
    return Form(
        parts=(Part("Original", original), Part("Duplicate", duplicate)),
        original_at=Place.CAGE,
        caption="Cashier's cage",
        reason_as=reason_as,
    )
