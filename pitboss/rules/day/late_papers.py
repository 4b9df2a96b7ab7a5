"""The rules of what happened on paper while the line was down.

The pit works on numbered paper then. What was done is entered afterwards, with the paper's number
and the true time. Its number was handed out by accounting, and the next rank compares the entry
with the form and its picture. A tray gives no more than it held. Into a day that was closed nothing
is entered any more; a correction, posted today, names the day that it restates.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Final

from pitboss.rules.cheques.cheques import BY_CENTS, combined, ordered
from pitboss.rules.cheques.tray_counts import LATE_COUNTS
from pitboss.rules.refusal import CONFLICT, Refusal

LATE_FILL: Final = "late_fill"
LATE_CREDIT: Final = "late_credit"
CORRECTION: Final = "correction"
LATE_MARKER: Final = "late_marker"
LATE_PAYMENT: Final = "late_payment"
LATE_DEPOSIT: Final = "late_deposit"
LATE_WITHDRAWAL: Final = "late_withdrawal"
LATE_DRAW: Final = "late_draw"
LATE_JACKPOT: Final = "late_jackpot"
LATE_BIG_WIN: Final = "late_big_win"
LATE_TAX: Final = "late_tax_papers"
LATE_VAULTING: Final = "late_card_vaulting"
LATE_CANCELLATION: Final = "late_card_cancellation"
# What was won and paid on paper, from the tray or beside it.
LATE_WINS: Final = frozenset({LATE_JACKPOT, LATE_BIG_WIN})
# What left a tray for a patron on paper, for no cash in the box.
LATE_TO_PATRONS: Final = LATE_WINS | {LATE_MARKER, LATE_DRAW}
# What moved cheques of a tray on paper.
LATE_MOVES: Final = LATE_TO_PATRONS | {LATE_FILL, LATE_CREDIT, LATE_PAYMENT, CORRECTION}
# What was done at a tray on paper: it is posted when it is entered, and belongs where it happened.
LATE_KINDS: Final = LATE_MOVES | LATE_COUNTS


def correction_refusals(restated: date, is_closed: bool) -> list[Refusal]:
    """Return why a day is not restated by a correction.

    >>> [r.code for r in correction_refusals(date(2026, 5, 1), is_closed=False)]
    ['day_open']
    """
    if is_closed:
        return []
    return [
        Refusal(
            "day_open",
            f"The gaming day {restated:%b %-d, %Y} is still open. Enter it late, not as a "
            "correction.",
            CONFLICT,
        )
    ]


@dataclass(frozen=True, slots=True)
class TrayMove:
    """Cheques that went into a tray, or out of it with a minus, at the time that it happened."""

    at: datetime
    cheques: Mapping[int, int]


def tray_refusals(
    cheques: Mapping[int, int],
    *,
    counted: Mapping[int, int],
    moves: Iterable[TrayMove],
    true_time: datetime,
    found: Mapping[int, int],
) -> list[Refusal]:
    """Return why cheques cannot have left a tray then, by its counts and slips.

    `counted` is the count before, and `moves` all that the tray gave and took from it to the count
    after, or to now. What was there at the time must still be there at every later moment, or
    another slip took the same cheques. A tray wins between counts, which no slip tells: that much
    more may have left as the cage `found` when it was counted since.

    >>> noon = datetime.fromisoformat("2026-05-01T12:00+00:00")
    >>> [r.message for r in tray_refusals({500_000: 28}, counted={500_000: 4}, moves=[],
    ...                                   true_time=noon, found={})]  # doctest: +ELLIPSIS
    ['By its counts and slips, the tray didn’t have that many $5,000 gray then. ...']
    """
    then, later = dict(counted), []
    for move in sorted(moves, key=lambda move: move.at):
        if move.at <= true_time:
            then = combined(then, move.cheques)
        else:
            later.append(move)
    not_then = _short(cheques, combined(then, found))
    held, not_since = then, set[int]()
    for move in later:
        held = combined(held, move.cheques)
        not_since |= _short(cheques, combined(held, found))
    return [
        *(
            Refusal(
                "tray_did_not_hold",
                "By its counts and slips, the tray didn’t have that many "
                f"{_name(cents)} then. Check the form. If the table had won them, "
                "count the cage first.",
            )
            for cents in ordered(not_then)
        ),
        *(
            Refusal(
                "tray_does_not_hold",
                f"Other slips have since taken the {_name(cents)} out of the tray. "
                "Check the form. If the table had won them, count the cage first.",
                CONFLICT,
            )
            for cents in ordered(not_since - not_then)
        ),
    ]


def _short(wanted: Mapping[int, int], held: Mapping[int, int]) -> set[int]:
    return {cents for cents, count in wanted.items() if count > held.get(cents, 0)}


def _name(cents: int) -> str:
    return BY_CENTS[cents].name
