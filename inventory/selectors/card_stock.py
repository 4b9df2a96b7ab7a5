"""The stock of cards against what the house wants: par per pit and colour, and what to bring."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count

from inventory.models import CardPlace
from pitboss.rules.card_sets import CardState
from pitboss.services import house


@dataclass(frozen=True, slots=True)
class ParLine:
    """What one pit's cabinet holds of one back and size, and what it should."""

    pit: str
    colour: str
    decks: int
    par: int
    held: int
    # What the store could bring of it.
    in_store: int

    @property
    def short(self) -> int:
        return max(0, self.par - self.held)

    @property
    def can_bring(self) -> int:
        return min(self.short, self.in_store)


def stock_against_par(now: datetime) -> list[ParLine]:
    """Return every par of the house beside what is there: the list of what to bring to each pit.

    What the store has is promised to the pits in the order of the house's own list.
    """
    sealed = (
        CardPlace.objects.filter(state__in=(CardState.IN_PIT.value, CardState.VAULTED.value))
        .values_list("pit__name", "colour", "card_set__decks")
        .annotate(sets=Count("card_set_id"))
    )
    held = {(pit, colour, decks): sets for pit, colour, decks, sets in sealed}
    left = {(colour, decks): sets for (pit, colour, decks), sets in held.items() if pit is None}
    lines = []
    for par in house.settings_at(now)["cards.par"]:
        back = (par["colour"], par["decks"])
        line = ParLine(
            par["pit"],
            par["colour"],
            par["decks"],
            par["sets"],
            held.get((par["pit"], *back), 0),
            left.get(back, 0),
        )
        left[back] = line.in_store - line.can_bring
        lines.append(line)
    return lines
