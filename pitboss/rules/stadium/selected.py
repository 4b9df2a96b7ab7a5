"""How a stadium is configured: what the operator selects, and how open passages are read.

A round cannot be settled without knowing the operator's selections, so those must be given. The
passages the document leaves open are settings too, each with the default reading and its id.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from pitboss.rules.quoting import quoted
from pitboss.rules.refusal import Refusal, Refused, refuse


@dataclass(frozen=True, slots=True)
class Selection:
    """One selection: the values it may take, each with its words, and the reading it settles.

    A setting without a reading is one the operator must state; any other falls back on the first
    of its choices.
    """

    name: str
    question: str
    choices: Mapping[Any, str]
    reading: str | None = None
    keys: tuple[str, ...] = ()

    @property
    def default(self) -> Any:
        return next(iter(self.choices))

    def written(self, choice: Any) -> str:
        """Write a choice as a case writes it."""
        return json.dumps(dict(zip(self.keys, choice, strict=True)) if self.keys else choice)


OPERATOR_SETTINGS: Final = (
    Selection(
        "dealer_soft_17",
        "What the dealer does on a soft 17",
        {"stand": "the dealer stands on soft 17", "hit": "the dealer hits soft 17"},
    ),
    Selection(
        "surrender",
        "Whether a hand may be surrendered",
        {
            "disabled": "surrender is not offered",
            "enabled": "surrender is offered",
            "not_against_blackjack": "surrender does not hold against a dealer blackjack",
        },
    ),
    Selection(
        "keep_standoff_bet",
        "Which tied bets the house keeps",
        {
            "disabled": "ties push",
            "always": "the house keeps ties",
            "when_not_insured": "the house keeps ties that are not insured",
            "always_but_push_insurance": "the house keeps ties and gives the insurance back",
        },
    ),
    Selection(
        "double_totals",
        "On which totals a hand may be doubled",
        {(2, 20): "double on 2 to 20", (10, 11): "double on 10 and 11"},
    ),
    Selection(
        "double_after_split",
        "Whether a split hand may be doubled",
        {True: "double after a split", False: "no double after a split"},
    ),
    Selection(
        "max_split_hands",
        "How many hands a player may hold",
        {3: "split to three hands", 2: "split once"},
    ),
    Selection(
        "auto_stand",
        "Where a hand stands when the timer runs out, soft and hard",
        {
            (17, 12): "stand on soft 17 and hard 12",
            (17, 17): "stand on soft 17 and hard 17",
            (18, 17): "stand on soft 18 and hard 17",
            (18, 12): "stand on soft 18 and hard 12",
        },
        keys=("soft", "hard"),
    ),
)
EQUIPMENT: Final = (
    Selection("decks", "Decks in the shoe", {8: "eight decks", 6: "six decks"}, ""),
    Selection(
        "dealer",
        "Who deals; the money is the same",
        {"live": "a live dealer", "automated": "an automated dealer"},
        "",
    ),
)
OPEN_READINGS: Final = (
    Selection(
        "insured_double_blackjack",
        "Both have blackjack, the bet is insured and not kept",
        {
            "one_to_one": "the bet is paid 1 to 1 and the insurance goes back",
            "push_and_insurance": "the bet pushes and the insurance pays 2 to 1",
        },
        "ST01",
    ),
    Selection(
        "insured_double_blackjack_kept",
        "Both have blackjack, the bet is insured, the house always keeps ties",
        {
            "kept": "the bet is kept and the insurance pays 2 to 1",
            "one_to_one": "an insured double blackjack isn’t a tie: 1 to 1",
        },
        "ST02",
    ),
    Selection(
        "push_insurance_on",
        "On which ties the insurance is given back",
        {
            "double_blackjack": "the insurance goes back only on two blackjacks",
            "any_tie": "the insurance goes back on any tie",
        },
        "ST03",
    ),
    Selection(
        "split_v_dealer_blackjack",
        "Split hands, some bust, and the dealer has blackjack",
        {
            "left_and_bust": "busted hands and the first hand's stake are lost",
            "bust_and_one": "busted hands and one more stake are lost",
            "larger": "busted hands are lost, and at least one stake",
        },
        "ST04",
    ),
    Selection(
        "insurance_after_all_bust",
        "Insurance when every hand has bust",
        {
            "lost": "the dealer draws none, so the insurance is lost",
            "next_card": "the next community card settles the insurance",
        },
        "ST05",
    ),
    Selection(
        "kept_double",
        "A tied double that the house keeps",
        {"whole": "the whole doubled bet is kept", "initial": "only the first stake is kept"},
        "ST12",
    ),
    Selection(
        "surrender_insurance",
        "Insurance on a surrendered hand",
        {
            "next_card": "the dealer's second card settles the insurance",
            "lost": "the insurance is lost with the hand",
            "returned": "the insurance is given back with the hand",
        },
        "ST15",
    ),
    Selection(
        "insured_tie",
        "An insured bet that ties without a dealer blackjack, uninsured ties kept",
        {"push": "the bet was insured, so it pushes", "kept": "the tie is kept"},
        "ST21",
    ),
)
SETTINGS: Final = (*OPERATOR_SETTINGS, *EQUIPMENT, *OPEN_READINGS)
_BY_NAME: Final = {setting.name: setting for setting in SETTINGS}


@dataclass(frozen=True, slots=True)
class StadiumRules:
    """A checked configuration. Read one with `stadium_rules`."""

    dealer_soft_17: str
    surrender: str
    keep_standoff_bet: str
    double_totals: tuple[int, int]
    double_after_split: bool
    max_split_hands: int
    auto_stand: tuple[int, int]
    decks: int
    dealer: str
    insured_double_blackjack: str
    insured_double_blackjack_kept: str
    push_insurance_on: str
    split_v_dealer_blackjack: str
    insurance_after_all_bust: str
    kept_double: str
    surrender_insurance: str
    insured_tie: str

    def words(self, name: str) -> str:
        """Say a setting as the working of a verdict does."""
        return _BY_NAME[name].choices[getattr(self, name)]


def stadium_rules(given: object) -> StadiumRules:
    """Read a configuration. Raises Refused naming every setting that is missing or wrong.

    >>> stadium_rules({"dealer_soft_17": "sometimes"}).dealer_soft_17
    Traceback (most recent call last):
    pitboss.rules.refusal.Refused: rule dealer_soft_17 cannot be 'sometimes'. Use ...
    """
    if not isinstance(given, Mapping):
        raise refuse("bad_rules", "extra.rules must say how the stadium is configured.")
    chosen: dict[str, Any] = {}
    refusals = []
    for setting in SETTINGS:
        if setting.name not in given and setting.reading is not None:
            chosen[setting.name] = setting.default
            continue
        match = _choice(setting, given.get(setting.name))
        if match is None:
            is_given = setting.name in given
            wrong = f"cannot be {quoted(given[setting.name])}" if is_given else "is missing"
            known = ", ".join(setting.written(choice) for choice in setting.choices)
            refusals.append(
                Refusal("bad_rules", f"rule {setting.name} {wrong}. Use one of: {known}.")
            )
        else:
            chosen[setting.name] = match
    refusals += [
        Refusal("bad_rules", f"Stadium rule {quoted(name)} not found.")
        for name in given
        if name not in _BY_NAME
    ]
    if refusals:
        raise Refused(refusals)
    return StadiumRules(**chosen)


def _choice(setting: Selection, value: object) -> Any:
    """Return the choice that a value from JSON names, or None."""
    if setting.keys:
        if not isinstance(value, Mapping) or value.keys() != set(setting.keys):
            return None
        value = tuple(value[key] for key in setting.keys)
    elif isinstance(value, list):
        value = tuple(value)
    return next((choice for choice in setting.choices if _is_same(choice, value)), None)


def _is_same(choice: object, value: object) -> bool:
    """Compare as JSON means it: true is not 1, and 3.0 is not 3."""
    if isinstance(choice, tuple) and isinstance(value, tuple):
        return len(choice) == len(value) and all(map(_is_same, choice, value))
    return type(choice) is type(value) and choice == value
