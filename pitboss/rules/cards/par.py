"""How many sealed sets of each color the cabinet of each pit should hold, as the house sets it."""

from __future__ import annotations

import re
from typing import Any, Final

from pitboss.rules.cards.sets import DECKS, BackColour
from pitboss.rules.quoting import quoted
from pitboss.rules.refusal import Refusal, Refused

_LINE: Final = re.compile(r"(\S.{0,39}): ([0-9]{1,2}) (red|blue|green|black) of ([0-9])", re.ASCII)
LINES_MAX: Final = 60


class CardPar:
    """A kind of setting: one line a pit, color and number of decks."""

    def read(self, keyed: str) -> list[dict[str, Any]]:
        """Return the lines as they are stored. Every line that is wrong is named.

        >>> CardPar().read("Pit 1: 6 red of 6")
        [{'pit': 'Pit 1', 'colour': 'red', 'decks': 6, 'sets': 6}]
        """
        lines = [line.strip() for line in keyed.splitlines() if line.strip()]
        if len(lines) > LINES_MAX:
            raise Refused([Refusal("par_malformed", f"Write up to {LINES_MAX} lines.")])
        pars, refusals, seen = [], [], set()
        for number, line in enumerate(lines, 1):
            found = _LINE.fullmatch(line)
            key = (found[1], found[3], found[4]) if found else None
            if found is None or int(found[4]) not in DECKS or key in seen:
                message = f"Line {number}, {quoted(line)}, isn’t a valid par. {self.hint}"
                refusals.append(Refusal("par_malformed", message))
                continue
            seen.add(key)
            pars.append(
                {
                    "pit": found[1],
                    "colour": BackColour(found[3]).value,
                    "decks": int(found[4]),
                    "sets": int(found[2]),
                }
            )
        if refusals:
            raise Refused(refusals)
        return pars

    def words(self, value: list[dict[str, Any]]) -> str:
        """Say the pars in one line.

        >>> CardPar().words([]), CardPar().words(CardPar().read("Pit 1: 6 red of 6"))
        ('none', 'Pit 1: 6 red of 6')
        """
        return "; ".join(self._line(item) for item in value) or "none"

    def text(self, value: list[dict[str, Any]]) -> str:
        """Write the pars as they would be keyed."""
        return "\n".join(self._line(item) for item in value)

    @staticmethod
    def _line(each: dict[str, Any]) -> str:
        return f"{each['pit']}: {each['sets']} {each['colour']} of {each['decks']}"

    @property
    def hint(self) -> str:
        return "Write pit, sets, color, and decks, one of each a line: Pit 1: 6 red of 6."
