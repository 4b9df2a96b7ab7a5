"""The flows of a drop box: pulled from its table, counted twice, posted.

A count of money has figures instead of cheques: cents by line. The second of the count team keys
every figure again without seeing the first, and must find the same.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from pitboss.rules.cheques import format_money
from pitboss.rules.flows import Flow, Step
from pitboss.rules.refusal import Refusal, Refused
from pitboss.rules.roles import Place, Role

DROP_PULL = Flow(
    kind="drop_pull",
    title="Drop box",
    series="D",
    steps=(
        Step(
            "pulled",
            by=Role.SECURITY,
            at=Place.PIT,
            attests="I took this box off its table, locked, and put the new one in its place.",
        ),
        Step(
            "witnessed",
            by=Role.SUPERVISOR,
            at=Place.PIT,
            attests="No hand was on. I saw the box leave locked and the new one go on.",
        ),
    ),
    void=(
        Step(
            "voided",
            by=(Role.SECURITY, Role.SUPERVISOR),
            at=Place.PIT,
            may_repeat="pulled",
            needs_reason=True,
            attests="This pull is void. The box did not leave its table on it.",
        ),
        Step(
            "void_witnessed",
            by=Role.PIT_MANAGER,
            at=None,
            attests="I had no part in this pull and saw it voided.",
            then="slip_voided",
        ),
    ),
)

DROP_COUNT = Flow(
    kind="drop_count",
    title="Drop count",
    series="DC",
    steps=(
        Step(
            "counted",
            by=Role.COUNT_TEAM,
            at=Place.OFFICE,
            attests="I emptied this box and counted everything that was in it.",
        ),
        Step(
            "verified",
            by=Role.COUNT_TEAM,
            at=Place.OFFICE,
            figures=True,
            attests="I counted it again on my own. The box is empty.",
        ),
        Step(
            "posted",
            by=Role.ACCOUNTING,
            at=Place.OFFICE,
            attests="I took no part in the count, looked it over, and post it.",
            then="drop_posted",
        ),
    ),
    void=(
        Step(
            "voided",
            by=Role.COUNT_TEAM,
            at=Place.OFFICE,
            may_repeat="counted",
            needs_reason=True,
            attests="This count is void. The box is counted again on a new slip.",
        ),
        Step(
            "void_witnessed",
            by=(Role.ACCOUNTING, Role.SECURITY),
            at=None,
            attests="I had no part in this count and saw it voided.",
            then="slip_voided",
        ),
    ),
    desk="house",
)

BILLS_CENTS = (10_000, 5_000, 2_000, 1_000, 500, 200, 100)
COUPONS = "coupons"
FOREIGN_CHEQUES = "foreign_cheques"
DOCUMENTS = "documents"
# More than any box ever held: a slip of the finger.
FIGURE_MAX = 10**11


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

_BY_KEY = {line.key: line for line in FIGURE_LINES}


def read_figures(raw: Mapping[str, object]) -> dict[str, int]:
    """Return the figures of a count, every line present. Raises Refused with every reason.

    >>> read_figures({"cash_2000": 6_000, "coupons": 2_500})["cash_2000"]
    6000
    >>> read_figures({"cash_2000": 6_050})
    Traceback (most recent call last):
    pitboss.rules.refusal.Refused: $60.50 is no whole number of $20 bills.
    """
    refusals = [
        Refusal("figure_unknown", "The count has a line that no drop box has. Open it again.")
        for key in raw
        if key not in _BY_KEY
    ]
    figures = {line.key: 0 for line in FIGURE_LINES}
    for line in FIGURE_LINES:
        value = raw.get(line.key, 0)
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= FIGURE_MAX:
            refusals.append(
                Refusal("figure_malformed", f"{line.title}: key what was counted, in figures.")
            )
        elif value % line.unit_cents:
            refusals.append(
                Refusal(
                    "not_a_multiple", f"{format_money(value)} is no whole number of {line.title}."
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


def document_refusals(figures: Mapping[str, int], documents: tuple[str, ...]) -> list[Refusal]:
    """Return why the papers named do not fit the number of papers counted."""
    if figures[DOCUMENTS] != len(documents):
        return [
            Refusal(
                "documents_differ",
                f"{figures[DOCUMENTS]} documents were counted and {len(documents)} are named. "
                "Name each of them once.",
            )
        ]
    return []
