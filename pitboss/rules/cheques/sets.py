"""The cheques of a house as data: what it adds to the manual's ten, and what is in play when.

Each change is a row that holds from the start of a gaming day on, under a key such as
`cheques.main.1000` for a cheque or `cheques.set.5` for a whole set; what it says stands on the slip
that three people signed. How a cheque looks is said with its first row and stays so for good:
another look is another set.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from pitboss.rules.cheques.cheques import (
    BY_CENTS,
    DENOMINATIONS,
    Denomination,
    learn,
    ordered,
)
from pitboss.rules.cheques.keys import (
    MAIN,
    SETS,
    ChequeSet,
    Rank,
    SetKind,
    cheque_key,
    face_of,
    kind_of,
    learn_set,
    set_of,
    worth_of,
)
from pitboss.rules.refusal import Refusal

CHEQUE_CHANGE: Final = "cheque_change"
KEY: Final = "cheques."
_MAIN: Final = f"{KEY}main."
_SET: Final = f"{KEY}set."

COLOURS: Final = (
    *(denomination.colour for denomination in DENOMINATIONS),
    *("brown", "yellow", "sky", "maroon", "lime", "navy"),
    *("gold", "coral", "peach", "lavender", "olive", "silver"),
)
"""Every color that cheques are drawn in."""

PROOFS: Final[Mapping[int, tuple[int, ...]]] = {4: (2, 2), 5: (2, 2, 1)}
"""How the last unit of a high color is proven, by how many it is cut in."""


@dataclass(frozen=True, slots=True)
class HouseCheques:
    """Which cheques a house has at one instant, by their keys, in the order of a slip."""

    # All that are or were in play: what may lie in a tray, and what a count can find.
    begun: tuple[int, ...]
    in_play: tuple[int, ...]
    # The sets in play, by their numbers.
    sets: tuple[int, ...] = (MAIN,)

    @property
    def paying(self) -> tuple[int, ...]:
        """The denominations in cents of which some set in play pays, highest first."""
        faces = {worth_of(key) for key in self.in_play} - {0}
        return tuple(sorted(faces, reverse=True))

    @property
    def paying_sets(self) -> tuple[int, ...]:
        """The value cheques in play by key, where others than those of main are."""
        return () if self.paying_keys == self.paying else self.paying_keys

    @property
    def paying_keys(self) -> tuple[int, ...]:
        """The value cheques in play by key, of whatever set."""
        return tuple(key for key in self.in_play if worth_of(key))

    @property
    def has_promotional(self) -> bool:
        """Whether players have, or may still have, promotional cheques."""
        return any(kind_of(key) is SetKind.PROMOTIONAL for key in self.begun)

    def begun_at(self, table: str) -> tuple[int, ...]:
        """Return what may lie in the tray of a table, in play or not."""
        return _at(table, self.begun)

    def in_play_at(self, table: str) -> tuple[int, ...]:
        """Return what may be shipped to the tray of a table."""
        return _at(table, self.in_play)

    def bet_at(self, table: str) -> tuple[int, ...]:
        """Return what may lie on a bet of a table: what its tray may have, and promotional ones."""
        return tuple(
            key
            for key in self.in_play
            if SETS[set_of(key)].may_be_at(table) or kind_of(key) is SetKind.PROMOTIONAL
        )

    def refusals(self, cheques: Iterable[int], *, ships: bool, table: str) -> list[Refusal]:
        """Return why these cheques may not be on a slip of a table.

        A tray may hold what is out of play until it is counted and sent to the cage; what ships
        cheques to a tray or a patron ships only those in play.
        """
        listed = ordered(cheques)
        elsewhere = [key for key in listed if not SETS[set_of(key)].may_be_at(table)]
        here = [key for key in listed if key not in elsewhere]
        refusals = [_elsewhere(key, table) for key in elsewhere]
        refusals += self.not_yet_in_play(here)
        return refusals + (self.out_of_play(here) if ships else [])

    def not_yet_in_play(self, cheques: Iterable[int]) -> list[Refusal]:
        """Return which of these no one has seen yet: they come into play on a day ahead."""
        return [
            Refusal(
                "not_yet_in_play",
                f"{BY_CENTS[key].name} isn’t in play yet. Leave it out until its gaming day.",
            )
            for key in ordered(cheques)
            if key not in self.begun
        ]

    def out_of_play(self, cheques: Iterable[int]) -> list[Refusal]:
        """Return which of these went out of play: the cage redeems them, and no one ships them."""
        return [
            Refusal(
                "out_of_play", f"{BY_CENTS[key].name} is out of play. Use another denomination."
            )
            for key in ordered(cheques)
            if key in self.begun and key not in self.in_play
        ]

    def redeemed_at_cage(self, cheques: Iterable[int]) -> list[Refusal]:
        """Return why a table may not take these from a patron: the cage redeems them, or no one."""
        gone = [key for key in ordered(cheques) if worth_of(key) and key not in self.in_play]
        return no_money_refusals(cheques) + [
            Refusal("redeem_at_cage", f"{BY_CENTS[key].name} is out of play. The cage redeems it.")
            for key in gone
        ]


def _at(table: str, keys: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(key for key in keys if SETS[set_of(key)].may_be_at(table))


def _elsewhere(key: int, table: str) -> Refusal:
    name = BY_CENTS[key].name
    if kind_of(key) is SetKind.PROMOTIONAL:
        return Refusal(
            "promotional_in_tray", f"{name} goes into the drop box, never a tray. Leave it out."
        )
    return Refusal("not_of_this_table", f"{name} isn’t played at {table}. Leave it out.")


def no_money_refusals(cheques: Iterable[int]) -> list[Refusal]:
    """Return why these may not be taken for money, or paid as such: they have no cash value.

    >>> no_money_refusals([2_500])
    []
    """
    return [
        Refusal("no_cash_value", f"{BY_CENTS[key].name} has no cash value. Use value cheques.")
        for key in ordered(cheques)
        if not worth_of(key)
    ]


MANUAL: Final = HouseCheques(
    tuple(denomination.cents for denomination in DENOMINATIONS),
    tuple(denomination.cents for denomination in DENOMINATIONS),
)
"""A house that has changed nothing."""


def is_of_cheques(key: str) -> bool:
    """Tell whether a row of the settings is about a cheque, or a set of them."""
    return key.startswith(KEY)


def is_of_a_set(key: str) -> bool:
    """Tell whether a row of the settings is about a whole set."""
    return key.startswith(_SET)


def key_of(cheque: int) -> str:
    """Return under which key of the settings a cheque is changed.

    >>> key_of(1_000), key_of(500_002_500)
    ('cheques.main.1000', 'cheques.5.2500')
    """
    number = set_of(cheque)
    return f"{KEY}{number}.{face_of(cheque)}" if number else f"{_MAIN}{cheque}"


def cheque_of(key: str) -> int:
    """Return which cheque a key of the settings is about.

    >>> cheque_of("cheques.main.1000"), cheque_of("cheques.5.2500")
    (1000, 500002500)
    """
    number, cents = key.removeprefix(KEY).split(".")
    return cheque_key(MAIN if number == "main" else int(number), int(cents))


def set_key(number: int) -> str:
    """Return under which key of the settings a set is changed."""
    return f"{_SET}{number}"


def number_of(key: str) -> int:
    """Return which set a key is about.

    >>> number_of(set_key(5))
    5
    """
    return int(key.removeprefix(_SET))


def learn_cheque(key: str, value: Mapping[str, Any]) -> None:
    """Know a set, or how a cheque looks, also before its day: the maker delivers earlier."""
    if is_of_a_set(key):
        learn_set(set_from(number_of(key), value))
    else:
        learn(denomination_of(cheque_of(key), value))


def set_from(number: int, value: Mapping[str, Any]) -> ChequeSet:
    """Return a set as its slip describes it."""
    return ChequeSet(
        number,
        value["name"],
        value["letter"],
        _colour(value["spots"]),
        Rank(value["rank"]),
        tuple(value["tables"]),
    )


def described_set(known: ChequeSet, *, in_play: bool) -> dict[str, Any]:
    """Return what a slip keeps of a set, and whether it is in play from then on.

    >>> promo = ChequeSet(5, "Promo", "X", "gold")
    >>> set_from(5, described_set(promo, in_play=True)) == promo
    True
    """
    return {
        "name": known.name,
        "letter": known.letter,
        "spots": known.spots,
        "rank": known.rank.value,
        "tables": list(known.tables),
        "in_play": in_play,
    }


def _colour(written: str) -> str:
    """Return a color as it is spelled now: slips of an earlier release say grey.

    >>> _colour("grey"), _colour("green")
    ('gray', 'green')
    """
    return "gray" if written == "grey" else written


def denomination_of(cheque: int, value: Mapping[str, Any]) -> Denomination:
    """Return a cheque as its slip describes it."""
    return Denomination(
        face_of(cheque),
        _colour(value["colour"]),
        value["letter"],
        value["unit"],
        tuple(value["proof"]),
        pushed_apart=value["pushed_apart"],
        of_set=set_of(cheque),
    )


def described(denomination: Denomination, *, in_play: bool) -> dict[str, Any]:
    """Return what a slip keeps of a cheque, and whether it is in play from then on.

    >>> green = BY_CENTS[2_500]
    >>> denomination_of(green.key, described(green, in_play=True)) == green
    True
    """
    return {
        "colour": denomination.colour,
        "letter": denomination.letter,
        "unit": denomination.unit,
        "proof": list(denomination.proof),
        "pushed_apart": denomination.pushed_apart,
        "in_play": in_play,
    }


def house_cheques(rows: Iterable[tuple[str, Mapping[str, Any]]]) -> HouseCheques:
    """Return the cheques of a house by the changes that hold, in their order.

    >>> brown = described(Denomination(1_000, "brown", "N", 5), in_play=True)
    >>> pink = described(BY_CENTS[250], in_play=False)
    >>> now = house_cheques([(key_of(1_000), brown), (key_of(250), pink)])
    >>> 1_000 in now.in_play, 250 in now.in_play, 250 in now.begun
    (True, False, True)
    """
    cheques = dict.fromkeys(MANUAL.in_play, True)
    sets = {MAIN: True}
    for key, value in rows:
        if is_of_a_set(key):
            sets[number_of(key)] = value["in_play"]
        else:
            cheques[cheque_of(key)] = value["in_play"]
    # A cheque is in play while its set is, and no earlier.
    begun = ordered(key for key in cheques if set_of(key) in sets)
    in_play = (key for key in begun if cheques[key] and sets[set_of(key)])
    return HouseCheques(
        tuple(begun), tuple(in_play), tuple(number for number in sorted(sets) if sets[number])
    )


SET_KINDS: Final[Mapping[str, str]] = {
    SetKind.VALUE.value: "Value",
    SetKind.PROMOTIONAL.value: "Promotional",
    SetKind.TOURNAMENT.value: "Tournament",
    SetKind.NON_VALUE.value: "Non-value (roulette)",
}
RANKS: Final[Mapping[str, str]] = {rank.value: rank.value.capitalize() for rank in Rank}
RULES: Final[Mapping[SetKind, str]] = {
    SetKind.VALUE: "Money at every table and at the cage. Out of play, the cage redeems it.",
    SetKind.PROMOTIONAL: "Bet at its face. A win is paid in value cheques, and it goes into the "
    "drop box. No cash value.",
    SetKind.TOURNAMENT: "At its tables only. No cash value, and never in win.",
    SetKind.NON_VALUE: "At its table only, counted in pieces. Not in win.",
}
"""The rule of each kind of set, in a line."""


def set_words(known: ChequeSet) -> list[tuple[str, str]]:
    """Say what a set is, line by line."""
    lines = [("Set", known.name), ("Kind", SET_KINDS[known.kind.value])]
    if known.kind is SetKind.VALUE:
        lines.append(("Rank", RANKS[known.rank.value]))
    if known.number:
        lines += [("Letter", known.letter), ("Edge spots", known.spots)]
    if known.tables:
        lines.append(("Tables", ", ".join(known.tables)))
    return [*lines, ("Rule", RULES[known.kind])]


def words_of(denomination: Denomination) -> list[tuple[str, str]]:
    """Say how a cheque looks and how it is cut, line by line."""
    return [
        ("Denomination", denomination.value),
        ("Color", denomination.colour),
        ("Letter", denomination.mark),
        ("Cut", cutting_words(denomination)),
        *([("Set", SETS[denomination.of_set].name)] if denomination.of_set else []),
    ]


def cutting_words(denomination: Denomination) -> str:
    """Say how a cheque is cut.

    >>> cutting_words(BY_CENTS[500_000]), cutting_words(BY_CENTS[500])
    ('in fours, the last proven 2-2, rows pushed apart', 'in fives')
    """
    words = ["in fours" if denomination.unit == 4 else "in fives"]
    if denomination.proof:
        words.append(f"the last proven {'-'.join(map(str, denomination.proof))}")
    if denomination.pushed_apart:
        words.append("rows pushed apart")
    return ", ".join(words)
