"""Promotional cheques: from the cage to the player they are for, and from the count room back.

They are no money: a player bets one at its face, and it ends in a drop box. So each that goes
out is known by its player and offer, and what the boxes held is known again before it is issued
once more.
"""

from __future__ import annotations

from typing import Final

from inventory.kinds.in_the_cage import VAULT_READERS, VOIDED_IN_THE_CAGE, cage_paper
from inventory.models import Holder
from inventory.services.errands import moves
from pitboss.rules.cheques.cheques import BY_CENTS, ordered
from pitboss.rules.cheques.keys import SetKind, kind_of
from pitboss.rules.floor.fields import Count
from pitboss.rules.flows.flows import Promise, Step
from pitboss.rules.refusal import Refusal
from pitboss.rules.roles import AT_THE_CAGE, Place, Role
from pitboss.services import house
from pitboss.slips.kind import Kind, Raising

PROMOTIONAL_ISSUE: Final = "promotional_issue"
PROMOTIONAL_RETURN: Final = "promotional_return"


def _refusals(raising: Raising) -> list[Refusal]:
    """Return why these may not be issued, or returned, as promotional cheques."""
    listed = [key for key in ordered(raising.cheques) if raising.cheques[key]]
    if not listed:
        return [Refusal("nothing_counted", "Count at least one cheque.")]
    refusals = [
        Refusal(
            "not_promotional",
            f"{BY_CENTS[key].name} isn’t a promotional cheque. Leave it out.",
        )
        for key in listed
        if kind_of(key) is not SetKind.PROMOTIONAL
    ]
    if refusals or raising.kind.kind == PROMOTIONAL_RETURN:
        return refusals
    cheques = house.settings_at(house.now()).cheques
    return [*cheques.not_yet_in_play(listed), *cheques.out_of_play(listed)]


PROMOTIONAL_ISSUE_KIND = Kind(
    PROMOTIONAL_ISSUE,
    title="Issue of promotional cheques",
    series="IP",
    open_to=AT_THE_CAGE,
    lit_by="cage",
    at_a_table=False,
    asked=(
        Count(
            name="cheques",
            label="Count",
            hint="Count the promotional cheques that the player gets.",
            of=SetKind.PROMOTIONAL,
        ),
    ),
    refusals=_refusals,
    steps=(
        Step(
            "counted",
            done="Counted",
            do="Count",
            by=Role.CASHIER,
            at=Place.CAGE,
            counts=True,
            attests="I certify that I counted these promotional cheques out for the player and "
            "the offer named on this slip.",
            needs_reason=True,
            reason_label="Player and offer",
        ),
        Step(
            "issued",
            done="Issued",
            do="Issue",
            by=Role.CASHIER,
            at=Place.CAGE,
            counts=True,
            attests="I certify that I also counted these promotional cheques and that the player "
            "named on this slip was given all of them.",
            then="promotional_cheques_issued",
        ),
    ),
    void=VOIDED_IN_THE_CAGE,
    effects={"promotional_cheques_issued": moves(Holder.CAGE, Holder.PUBLIC)},
    readers=VAULT_READERS,
    promises=(Promise(2, 1),),
    paper=cage_paper("To accounting.", "Kept in the cage.", reason_as="Player and offer"),
    heading=lambda raising: "Issue promotional cheques",
    raised=lambda issue: f"{issue.serial} signed. Another cashier counts and issues them.",
)

PROMOTIONAL_RETURN_KIND = Kind(
    PROMOTIONAL_RETURN,
    title="Return of promotional cheques",
    series="RP",
    open_to=AT_THE_CAGE,
    lit_by="cage",
    at_a_table=False,
    asked=(
        Count(
            name="cheques",
            label="Count",
            hint="Count what the count room brought out of the boxes.",
            of=SetKind.PROMOTIONAL,
        ),
    ),
    refusals=_refusals,
    steps=(
        Step(
            "counted",
            done="Counted",
            do="Count",
            by=Role.CASHIER,
            at=Place.CAGE,
            counts=True,
            attests="I certify that I counted the promotional cheques that the count room brought "
            "to the cage.",
            needs_reason=True,
            reason_label="Drop count",
        ),
        Step(
            "handed_over",
            done="Handed over",
            do="Hand over",
            by=Role.COUNT_TEAM,
            at=Place.CAGE,
            counts=True,
            attests="I certify that I brought these promotional cheques from the count room, "
            "counted them at the cage, and handed over all of them.",
            then="promotional_cheques_returned",
        ),
    ),
    void=VOIDED_IN_THE_CAGE,
    effects={"promotional_cheques_returned": moves(Holder.PUBLIC, Holder.CAGE)},
    readers=VAULT_READERS,
    promises=(Promise(2, 2),),
    paper=cage_paper("To accounting.", "Kept in the cage.", reason_as="Drop count"),
    heading=lambda raising: "Return promotional cheques",
    raised=lambda back: f"{back.serial} signed. The count team counts and hands them over.",
)
