"""Lists of people who may not play, borrow or be paid: who is on one, and what follows from it.

A tax id, or a name with its date of birth, is a hit. A near name of the same year of birth, or one
whose date of birth is not known, is possible and looked at by two people. No one is paid before.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum, unique
from typing import Final

from pitboss.rules.refusal import CONFLICT, Refusal
from pitboss.rules.roles import Role


@unique
class ListKind(StrEnum):
    """Which list someone is on. The values are stored."""

    SELF_EXCLUSION = "self_exclusion"
    STATE_EXCLUSION = "state_exclusion"
    HOUSE_BAN = "house_ban"
    TRESPASS = "trespass"
    CREDIT_SUSPENSION = "credit_suspension"
    OFAC = "ofac"
    MINOR = "minor"

    @property
    def label(self) -> str:
        return _LIST_LABELS[self]


_LIST_LABELS: Final = {
    ListKind.SELF_EXCLUSION: "Self-exclusion",
    ListKind.STATE_EXCLUSION: "State exclusion",
    ListKind.HOUSE_BAN: "House ban",
    ListKind.TRESPASS: "Trespass",
    ListKind.CREDIT_SUSPENSION: "Credit suspension",
    ListKind.OFAC: "OFAC",
    ListKind.MINOR: "Minors",
}


@unique
class Moment(StrEnum):
    """When a patron is compared with the lists. The values are stored."""

    PATRON_FILE = "patron_file"
    CASH = "cash"
    MARKER = "marker"
    DEBT = "debt"
    TAX_FORM = "tax_form"
    WIN = "win"
    PAYMENT = "payment"
    DEPOSIT = "deposit"
    WITHDRAWAL = "withdrawal"
    SEAT = "seat"
    COMP = "comp"

    @property
    def label(self) -> str:
        return _MOMENT_LABELS[self]

    @property
    def stops(self) -> bool:
        """Whether the act waits. What is only written down is stored; a debt is taken."""
        return self not in (Moment.PATRON_FILE, Moment.DEBT)

    @property
    def pays(self) -> bool:
        """Whether the act would pay the person."""
        return self in (Moment.TAX_FORM, Moment.WIN, Moment.PAYMENT, Moment.WITHDRAWAL)


_MOMENT_LABELS: Final = {
    Moment.PATRON_FILE: "patron put on file",
    Moment.CASH: "cash",
    Moment.MARKER: "marker",
    Moment.DEBT: "marker payment",
    Moment.TAX_FORM: "tax form",
    Moment.WIN: "big win or jackpot",
    Moment.PAYMENT: "payment of a win",
    Moment.DEPOSIT: "deposit",
    Moment.WITHDRAWAL: "withdrawal",
    Moment.SEAT: "player seated",
    Moment.COMP: "comp",
}


@unique
class Match(StrEnum):
    """How sure it is that a patron is a person on a list."""

    HIT = "hit"
    POSSIBLE = "possible"


@unique
class CaseDecision(StrEnum):
    """What two people found out about a match."""

    CLEARED = "cleared"
    CONFIRMED = "confirmed"


@unique
class Ending(StrEnum):
    """What became of winnings that were withheld."""

    FORFEITED = "forfeited"
    RETURNED = "returned"
    BLOCKED = "blocked"

    @property
    def label(self) -> str:
        return _ENDING_LABELS[self]


_ENDING_LABELS: Final = {
    Ending.FORFEITED: "Forfeited",
    Ending.RETURNED: "Returned to the person",
    Ending.BLOCKED: "Blocked, nothing paid or returned",
}


def applies(kind: ListKind, moment: Moment) -> bool:
    """Tell whether a list stops anything at a moment: who may not borrow may be paid.

    >>> applies(ListKind.CREDIT_SUSPENSION, Moment.MARKER)
    True
    >>> applies(ListKind.CREDIT_SUSPENSION, Moment.WIN), applies(ListKind.OFAC, Moment.WIN)
    (False, True)
    """
    return kind is not ListKind.CREDIT_SUSPENSION or moment is Moment.MARKER


def stop_refusal(moment: Moment, role: Role | None = None) -> Refusal:
    """Return what the person at the act is told. The list's name is not theirs to know.

    >>> stop_refusal(Moment.WIN, Role.SUPERVISOR).message
    'Stop. Do not pay. Security is coming.'
    >>> stop_refusal(Moment.WIN, Role.DEALER).message
    'Call the supervisor.'
    """
    if role is Role.DEALER:
        sentence = "Call the supervisor."
    elif moment.pays:
        sentence = "Stop. Do not pay. Security is coming."
    else:
        sentence = "Stop. Do not go on with this. Security is coming."
    return Refusal("exclusion_stop", sentence, CONFLICT)


# Names -------------------------------------------------------------------------------------------

# What stands behind a name and is none.
_SUFFIXES: Final = frozenset({"JR", "SR", "II", "III", "IV"})
# What people are called by and what their ID says.
_CALLED: Final[Mapping[str, str]] = {
    "AL": "ALBERT",
    "ALEX": "ALEXANDER",
    "ANDY": "ANDREW",
    "BETH": "ELIZABETH",
    "BETTY": "ELIZABETH",
    "BILL": "WILLIAM",
    "BOB": "ROBERT",
    "CHRIS": "CHRISTOPHER",
    "CHUCK": "CHARLES",
    "DAN": "DANIEL",
    "DAVE": "DAVID",
    "DICK": "RICHARD",
    "ED": "EDWARD",
    "GREG": "GREGORY",
    "JIM": "JAMES",
    "JOE": "JOSEPH",
    "KATE": "KATHERINE",
    "KEN": "KENNETH",
    "LARRY": "LAWRENCE",
    "LIZ": "ELIZABETH",
    "MATT": "MATTHEW",
    "MIKE": "MICHAEL",
    "NICK": "NICHOLAS",
    "PAT": "PATRICIA",
    "PEGGY": "MARGARET",
    "RICK": "RICHARD",
    "ROB": "ROBERT",
    "SAM": "SAMUEL",
    "STEVE": "STEVEN",
    "SUE": "SUSAN",
    "TOM": "THOMAS",
    "TONY": "ANTHONY",
    "WILL": "WILLIAM",
}
_WORD: Final = re.compile(r"[^\W_]+")
# A shorter name is compared whole: one letter less is someone else.
_NEAR_FROM: Final = 4


def words_of(text: str) -> tuple[str, ...]:
    """Return the words of a name as they are compared: no accents, no case, no suffix.

    >>> words_of("Núñez-de la Cruz, Jr.")
    ('NUNEZ', 'DE', 'LA', 'CRUZ')
    """
    bare = "".join(
        letter
        for letter in unicodedata.normalize("NFKD", text.replace("’", "").replace("'", ""))
        if not unicodedata.combining(letter)
    )
    return tuple(word for word in _WORD.findall(bare.upper()) if word not in _SUFFIXES)


@dataclass(frozen=True, slots=True)
class Name:
    """One name of a person: what is written first, and the family name."""

    first: tuple[str, ...]
    last: tuple[str, ...]

    @classmethod
    def of(cls, first: str, last: str) -> Name:
        return cls(words_of(first), words_of(last))

    @classmethod
    def whole(cls, text: str) -> Name:
        """Read a whole name: Ruiz, Ana or Ana Ruiz.

        >>> Name.whole("Ruiz, Ana") == Name.whole("ana ruiz")
        True
        """
        last, comma, first = text.partition(",")
        if comma:
            return cls.of(first, last)
        words = words_of(text)
        return cls(words[:-1], words[-1:])

    @property
    def swapped(self) -> Name:
        return Name(self.last, self.first)

    @property
    def forms(self) -> frozenset[str]:
        """What the family name may be written as: all in one, or one part of a double name."""
        return frozenset({"".join(self.last), *(word for word in self.last if len(word) > 2)}) - {
            ""
        }


def shortened(word: str) -> frozenset[str]:
    """Return a word and all that is left of it without one letter: near words share one.

    >>> sorted(shortened("RUIZ"))
    ['RIZ', 'RUI', 'RUIZ', 'RUZ', 'UIZ']
    >>> shortened("SMITH") & shortened("SMIHT") != frozenset()
    True
    """
    if len(word) < _NEAR_FROM:
        return frozenset({word})
    return frozenset({word, *(word[:at] + word[at + 1 :] for at in range(len(word)))})


def keys_of(names: Iterable[Name]) -> frozenset[str]:
    """Return what people of these family names are found by in an index."""
    return frozenset(key for name in names for form in name.forms for key in shortened(form))


def sought_keys(name: Name) -> frozenset[str]:
    """Return what someone is sought by: first and family name may stand the other way round."""
    return keys_of((name, name.swapped))


def is_near(one: str, other: str) -> bool:
    """Tell whether two words are the same but for one letter, or two that changed places.

    >>> is_near("RUIZ", "RUIS"), is_near("MARTIN", "MARIN"), is_near("RUIZ", "RIUZ")
    (True, True, True)
    >>> is_near("RUIZ", "DIAZ"), is_near("LEE", "LEA")
    (False, False)
    """
    if one == other:
        return True
    if min(len(one), len(other)) < _NEAR_FROM or abs(len(one) - len(other)) > 1:
        return False
    if len(one) != len(other):
        longer, shorter = sorted((one, other), key=len, reverse=True)
        return shorter in shortened(longer)
    off = [at for at, (a, b) in enumerate(zip(one, other, strict=True)) if a != b]
    if len(off) == 1:
        return True
    return (
        len(off) == 2
        and off[1] == off[0] + 1
        and (one[off[0]], one[off[1]]) == (other[off[1]], other[off[0]])
    )


def _first_is_near(one: Sequence[str], other: Sequence[str]) -> bool:
    if not one or not other:
        return True
    a, b = one[0], other[0]
    if len(a) == 1 or len(b) == 1:
        return a[0] == b[0]
    return is_near(_CALLED.get(a, a), _CALLED.get(b, b))


def names_are_near(one: Name, other: Name) -> bool:
    """Tell whether two names may be one person's."""
    return any(
        any(is_near(a, b) for a in name.forms for b in other.forms)
        and _first_is_near(name.first, other.first)
        for name in (one, one.swapped)
    )


def names_are_same(one: Name, other: Name) -> bool:
    """Tell whether two names are the same, middle names apart."""
    return bool(one.first and other.first) and (
        "".join(one.last) == "".join(other.last) and one.first[0] == other.first[0]
    )


@dataclass(frozen=True, slots=True)
class Someone:
    """A patron, or a person on a list, as they are compared."""

    names: tuple[Name, ...]
    born_on: date | None = None
    # The index of the whole tax id, and its last four digits.
    tax_id_index: str = ""
    tax_id_ends: str = ""


def match_of(patron: Someone, listed: Someone) -> Match | None:
    """Return whether a patron is a person on a list: surely, possibly, or not."""
    if patron.tax_id_index and patron.tax_id_index == listed.tax_id_index:
        return Match.HIT
    pairs = [(one, other) for one in patron.names for other in listed.names]
    if (
        patron.born_on is not None
        and patron.born_on == listed.born_on
        and any(names_are_same(*pair) for pair in pairs)
    ):
        return Match.HIT
    if not any(names_are_near(*pair) for pair in pairs):
        return None
    if patron.born_on is None or listed.born_on is None:
        return Match.POSSIBLE
    same_end = bool(patron.tax_id_ends) and patron.tax_id_ends == listed.tax_id_ends
    return Match.POSSIBLE if patron.born_on.year == listed.born_on.year or same_end else None


# Age of a list, and what ends -------------------------------------------------------------------


def is_business_day(day: date) -> bool:
    return day.weekday() < 5


def business_days_after(day: date, count: int) -> date:
    """Return the day that is so many business days later.

    >>> business_days_after(date(2026, 5, 1), 10)
    datetime.date(2026, 5, 15)
    """
    while count:
        day += timedelta(days=1)
        count -= is_business_day(day)
    return day


def is_stale(imported_on: date, today: date, stale_after: int) -> bool:
    """Tell whether a list is older than so many business days.

    >>> [is_stale(date(2026, 5, 1), date(2026, 5, day), 2) for day in (5, 6)]
    [False, True]
    """
    return today > business_days_after(imported_on, stale_after)


OFAC_REPORT_DAYS: Final = 10
TO_MAX: Final = 120


def ending_refusals(kind: ListKind, ending: Ending, to: str) -> list[Refusal]:
    """Return why withheld winnings may not end so."""
    refusals = []
    if kind is ListKind.OFAC and ending is not Ending.BLOCKED:
        refusals.append(
            Refusal(
                "ofac_blocked",
                "OFAC property stays blocked. Nothing is paid, returned, or forfeited.",
                CONFLICT,
            )
        )
    if kind is not ListKind.OFAC and ending is Ending.BLOCKED:
        refusals.append(Refusal("not_ofac", "Only OFAC property is blocked. Choose another end."))
    if (ending is Ending.FORFEITED) != bool(to):
        refusals.append(
            Refusal(
                "forfeited_to",
                "Enter who receives forfeited winnings."
                if ending is Ending.FORFEITED
                else "Only forfeited winnings go to someone else. Leave that blank.",
            )
        )
    return refusals
