"""A table's setup as it is keyed: each field is read, and everything wrong with it is gathered."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from pitboss.rules.cheques.cheques import parse_cheques
from pitboss.rules.games.games import Game, SideBet, SideBetRules, side_bet_minimum_cents, spoken
from pitboss.rules.games.play_options import not_printed, options_of
from pitboss.rules.payouts.envy import read_envy
from pitboss.rules.paytables.paytables import ROWS
from pitboss.rules.quoting import quoted
from pitboss.rules.refusal import Refusal, Refused
from pitboss.rules.settings.kinds import Amount
from pitboss.rules.stadium.selected import EQUIPMENT, OPEN_READINGS, OPERATOR_SETTINGS

HOUSE_TABLE: Final = "house"
_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]{0,11}", re.ASCII)
BET: Final = Amount(25, 1_000_000_000)
PIT_NAME_MAX: Final = 40
_STADIUM: Final = {
    operator_setting.name: operator_setting for operator_setting in OPERATOR_SETTINGS
}
# Who deals, and the passages that a stadium's document leaves open.
STADIUM_READINGS: Final = (
    *(selection for selection in EQUIPMENT if selection.name == "dealer"),
    *OPEN_READINGS,
)
KEEP_STANDOFF_BET: Final[Mapping[str, str]] = _STADIUM["keep_standoff_bet"].choices
# "17/12" is soft 17 and hard 12.
AUTO_STANDS: Final = {
    "/".join(map(str, choice)): dict(zip(("soft", "hard"), choice, strict=True))
    for choice in _STADIUM["auto_stand"].choices
}


class SetupForm:
    """Reads one form and gathers what is wrong with it."""

    def __init__(self, keyed: Mapping[str, str]) -> None:
        self.keyed = keyed
        self.refusals: list[Refusal] = []

    def name(self) -> str:
        name = self.keyed.get("name", "").strip().upper()
        if not _NAME.fullmatch(name):
            message = "A table's name is up to 12 letters, digits and hyphens: BJ-11."
            self.refusals.append(Refusal("name_malformed", message))
        return name

    def pit(self) -> str:
        pit = self.keyed.get("pit", "").strip()
        if not pit or len(pit) > PIT_NAME_MAX or not pit.isprintable():
            message = f"Enter a pit name of {PIT_NAME_MAX} characters or fewer."
            self.refusals.append(Refusal("pit_malformed", message))
        return pit

    def choice(self, field: str, allowed: Mapping[str, Any]) -> Any:
        value = self.keyed.get(field, "")
        if value not in allowed:
            message = f"{field.replace('_', ' ').capitalize()}: choose {' or '.join(allowed)}."
            self.refusals.append(Refusal("choice_unknown", message))
        return allowed.get(value, next(iter(allowed.values())))

    def amount(self, field: str, default_cents: int | None) -> int:
        keyed = self.keyed.get(field, "")
        if default_cents is not None and not keyed.strip():
            return default_cents
        try:
            return BET.read(keyed) or 0
        except Refused as refused:
            said = field.removeprefix("bet_").replace("_", " ").capitalize()
            self.refusals += [Refusal(r.code, f"{said}: {r.message}") for r in refused.refusals]
            return 1

    def par(self) -> Mapping[int, int]:
        counts = {
            field.removeprefix("par_"): int(value) if value.strip().isdecimal() else value
            for field, value in self.keyed.items()
            if field.startswith("par_") and value.strip()
        }
        try:
            return {cents: count for cents, count in parse_cheques(counts).items() if count}
        except Refused as refused:
            self.refusals.extend(refused.refusals)
            return {}

    def side_bets(
        self, game: Game, minimum_cents: int, maximum_cents: int, is_vip: bool
    ) -> dict[str, SideBetRules]:
        bets = {}
        for bet in game.takes:
            field = f"bet_{bet.wager}"
            chosen = self.keyed.get(field, "")
            if chosen:
                most_cents = (bet.vip_maximum_cents if is_vip else None) or bet.maximum_cents
                bets[bet.wager] = SideBetRules(
                    paytable=self.rows(bet) if chosen == HOUSE_TABLE else chosen,
                    minimum_cents=self.amount(
                        f"{field}_minimum", side_bet_minimum_cents(bet, minimum_cents)
                    ),
                    maximum_cents=self.amount(f"{field}_maximum", most_cents or maximum_cents),
                    envy_cents=self.envy(bet),
                )
        return bets

    def envy(self, bet: SideBet) -> dict[str, int]:
        """Return what the house adds to the tokes beside a row, one a line: `two sevens $2`."""
        try:
            return read_envy(self.keyed.get(f"bet_{bet.wager}_envy", ""))
        except Refused as refused:
            self.refusals += [
                Refusal(r.code, f"{spoken(bet.wager)}: {r.message}") for r in refused.refusals
            ]
            return {}

    def play(self, game: Game) -> dict[str, str]:
        """Return how the table plays where it is other than the game's first choice."""
        chosen = {
            name: self.choice(name, {choice: choice for choice in choices})
            for name, choices in options_of(game).items()
            if self.keyed.get(name)
        }
        return not_printed(game, chosen)

    def stadium(self) -> dict[str, Any]:
        """Return how a stadium is set; a passage that is left open where it is read otherwise."""
        readings = {
            stadium_reading.name: self.choice(
                stadium_reading.name, {str(choice): choice for choice in stadium_reading.choices}
            )
            for stadium_reading in STADIUM_READINGS
            if self.keyed.get(stadium_reading.name, stadium_reading.default)
            != stadium_reading.default
        }
        return {
            **readings,
            "keep_standoff_bet": self.choice(
                "keep_standoff_bet", {item: item for item in KEEP_STANDOFF_BET}
            ),
            "auto_stand": self.choice("auto_stand", AUTO_STANDS),
        }

    def rows(self, bet: SideBet) -> dict[str, str]:
        """Return the rows of a pay table of the house's own, best first."""
        rows: dict[str, str] = {}
        for row, odds in rows_keyed(bet.wager, self.keyed):
            if not row or row in rows:
                line = quoted(f"{row} {odds}".strip())
                message = f"{spoken(bet.wager)}: {line} isn’t a row of its own."
                self.refusals.append(Refusal("row_malformed", message))
            else:
                rows[row] = odds
        return rows


def rows_keyed(wager: str, keyed: Mapping[str, str]) -> list[tuple[str, str]]:
    """Return the rows of a pay table as they are keyed, each with its odds.

    On a page they are chosen one by one, `bet_<wager>_row1` and `_odds1`; a setup that is stored
    has them a line each: `suited pair 25:1`.

    >>> rows_keyed("trilux", {"bet_trilux_row1": "flush", "bet_trilux_odds1": "5:1"})
    [('flush', '5:1')]
    """
    field = f"bet_{wager}"
    lines = keyed.get(f"{field}_rows", "").splitlines()
    parted = (line.strip().rpartition(" ") for line in lines if line.strip())
    found = [(name.strip().lower().replace(" ", "_"), odds) for name, _, odds in parted]
    for number in range(1, len(ROWS[wager]) + 1):
        row = keyed.get(f"{field}_row{number}", "")
        odds = keyed.get(f"{field}_odds{number}", "").strip()
        if row or odds:
            found.append((row, odds))
    return found
