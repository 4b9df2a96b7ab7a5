"""What a drop box holds: a count of money has figures instead of cheques, cents by line."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from pitboss.rules.cheques.cheques import format_money
from pitboss.rules.floor.fields import Field
from pitboss.rules.refusal import Refusal, Refused

DROP_PULL: Final = "drop_pull"
LATE_PULL: Final = "late_pull"
# What takes a box off its table, on the site or on paper.
PULLS: Final = frozenset({DROP_PULL, LATE_PULL})
DROP_COUNT: Final = "drop_count"

BILLS_CENTS = (10_000, 5_000, 2_000, 1_000, 500, 200, 100)
COUPONS = "coupons"
FOREIGN_CHEQUES = "foreign_cheques"
DOCUMENTS = "documents"
PROMOTIONAL = "promotional"
# More than any box ever held: a slip of the finger.
FIGURE_MAX = 10**11
# No number of a slip, and no number of a paper, is longer with the letter of its part.
CODE_MAX = 24


@dataclass(frozen=True, slots=True)
class FigureLine:
    """One line of a box's count: what it is called, and in what it is counted."""

    key: str
    title: str
    # The amount is a multiple of this; documents are counted by the piece.
    unit_cents: int = 1
    is_money: bool = True


FIGURE_LINES: tuple[FigureLine, ...] = (
    *(
        FigureLine(f"cash_{cents}", f"{format_money(cents)} bills", unit_cents=cents)
        for cents in BILLS_CENTS
    ),
    FigureLine(COUPONS, "Coupons"),
    FigureLine(FOREIGN_CHEQUES, "Cheques of other houses"),
    FigureLine(DOCUMENTS, "Documents", is_money=False),
)
"""The lines of a drop count, in the order in which the team calls them."""

_PROMOTIONAL_LINE: Final = FigureLine(PROMOTIONAL, "Promotional cheques")
_BY_KEY = {line.key: line for line in (*FIGURE_LINES, _PROMOTIONAL_LINE)}


def figure_lines(*, promotional: bool) -> tuple[FigureLine, ...]:
    """Return the lines of a count, with promotional cheques where the house has or had some.

    >>> [line.title for line in figure_lines(promotional=True)][-2:]
    ['Promotional cheques', 'Documents']
    """
    if not promotional:
        return FIGURE_LINES
    return (*FIGURE_LINES[:-1], _PROMOTIONAL_LINE, FIGURE_LINES[-1])


def lines_in(*counts: Mapping[str, int]) -> tuple[FigureLine, ...]:
    """Return the lines of counts that were stored: older ones know no promotional cheques."""
    return figure_lines(promotional=any(PROMOTIONAL in figures for figures in counts))


def read_figures(raw: Mapping[str, object]) -> dict[str, int]:
    """Return the figures of a count, every line present. Raises Refused with every reason.

    Promotional cheques are present where there are any: most houses have none.

    >>> read_figures({"cash_2000": 6_000, "coupons": 2_500})["cash_2000"]
    6000
    >>> read_figures({"cash_2000": 6_050})
    Traceback (most recent call last):
    pitboss.rules.refusal.Refused: $60.50 isn’t an exact number of $20 bills. Count them again.
    """
    refusals = [
        Refusal("figure_unknown", "The count has a line that no drop box has. Open it again.")
        for key in raw
        if key not in _BY_KEY
    ]
    lines = lines_in({PROMOTIONAL: 1}) if raw.get(PROMOTIONAL) else FIGURE_LINES
    figures = {line.key: 0 for line in lines}
    for line in lines:
        value = raw.get(line.key, 0)
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= FIGURE_MAX:
            refusals.append(
                Refusal("figure_malformed", f"{line.title}: enter the count as a number.")
            )
        elif value % line.unit_cents:
            refusals.append(
                Refusal(
                    "not_a_multiple",
                    f"{format_money(value)} isn’t an exact number of {line.title}. "
                    "Count them again.",
                )
            )
        else:
            figures[line.key] = value
    if refusals:
        raise Refused(refusals)
    return figures


_DOLLARS = re.compile(r"[0-9]{1,9}(\.[0-9]{2})?")


def read_keyed(keyed: Mapping[str, str]) -> dict[str, int]:
    """Return figures as they were keyed: dollars by line, documents by the piece. Raises Refused.

    >>> read_keyed({"cash_2000": "1,060", "coupons": "25.50", "documents": "3"})["coupons"]
    2550
    """
    raw: dict[str, object] = {}
    for key, words in keyed.items():
        plain = words.replace(",", "").replace("$", "").strip() or "0"
        is_money = key not in _BY_KEY or _BY_KEY[key].is_money
        if not _DOLLARS.fullmatch(plain) or (not is_money and "." in plain):
            raw[key] = None
        else:
            whole, _, cents = plain.partition(".")
            raw[key] = int(whole) * (100 if is_money else 1) + int(cents or 0)
    return read_figures(raw)


def cash_cents(figures: Mapping[str, int]) -> int:
    """Return the cash of a counted box.

    >>> cash_cents({"cash_10000": 50_000, "cash_100": 300, "coupons": 2_500, "documents": 2})
    50300
    """
    return sum(cents for key, cents in figures.items() if key.startswith("cash_"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures(Field):
    """What a box held, line by line. An empty box is a count too."""

    shape = "figures"
    is_needed: bool = False

    def read(self, raw: object) -> dict[str, int]:
        """Return the figures of a count, every line present.

        >>> Figures(name="figures", label="Figures").read({"cash_2000": 6_000})["cash_2000"]
        6000
        """
        if not isinstance(raw, Mapping):
            raise self._refuse("enter what was counted, line by line.")
        return read_figures(raw)

    def words(self, value: Mapping[str, int]) -> str:
        return format_money(cash_cents(value))


@dataclass(frozen=True, slots=True, kw_only=True)
class Documents(Field):
    """The codes of the papers found in a box as they are printed, each as often as it lay there."""

    is_needed: bool = False

    def read(self, raw: object) -> list[str]:
        """Return the codes in their order.

        >>> Documents(name="documents", label="Found").read(" f-2026-000003/d, M-0031 ")
        ['F-2026-000003/D', 'M-0031']
        """
        if not isinstance(raw, str):
            raise self._refuse("enter the codes, with a space between them.")
        codes = sorted(word.upper() for word in raw.replace(",", " ").split())
        if any(not word.isascii() or len(word) > CODE_MAX for word in codes):
            raise self._refuse("a code isn’t valid. Scan it again.")
        return codes

    def words(self, value: list[str]) -> str:
        return ", ".join(value)


def document_refusals(
    figures: Mapping[str, int], documents: tuple[str, ...], unreadable: int = 0
) -> list[Refusal]:
    """Return why the papers named do not fit the number of papers counted."""
    if figures[DOCUMENTS] != len(documents) + unreadable:
        return [
            Refusal(
                "documents_differ",
                f"{figures[DOCUMENTS]} documents were counted, but {len(documents) + unreadable} "
                "are listed. Scan each of them once, and count those you can’t read.",
            )
        ]
    return []
