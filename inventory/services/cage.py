"""What a count of the cage does not find: sold at the window, or missing."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from inventory.models import Holder
from pitboss.models import Person, Slip
from pitboss.rules.cheques.cheques import format_cheques, format_money, total_cents
from pitboss.services import house
from pitboss.services.exceptions import CAGE_SHORT, CAGE_SHORT_WATCHED, open_exception


def missing_from_the_cage(
    slip: Slip, missing: Mapping[int, int], person: Person, at: datetime
) -> Holder:
    """Say who has cheques that a count of the cage missed: the public, or no one knows.

    Cheques are sold at the window, and so the public has what little is missing. From the amount of
    the house on it is a shortage: variance, and two departments each look into it. Colors that the
    cage has too many of make up for none: a shortage is not hidden by what patrons cashed in.
    """
    short_cents = total_cents(missing)
    if short_cents < house.settings_at(at)["cage.short_from"]:
        return Holder.PUBLIC
    for code in (CAGE_SHORT, CAGE_SHORT_WATCHED):
        open_exception(
            code=code,
            sentence=f"{slip.serial}: the cage is short {format_money(short_cents)}, "
            f"{format_cheques(missing)}. Find out where they went.",
            details={
                "short_cents": short_cents,
                "cheques": {str(cents): number for cents, number in missing.items()},
            },
            at=at,
            person=person,
            table=slip.table,
            slip=slip,
        )
    return Holder.VARIANCE
