"""The rules of an outage: paper is used inside it only, on forms whose numbers all come home.

A form bears its kind, its number and a check digit: `P-MK-000031-5`. Forms are issued in packs, to
a pit or to the cage. Each number ends as entered late, void, or returned unused; until none is left
the outage cannot be closed.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum, unique
from typing import Final

from pitboss.rules.quoting import quoted
from pitboss.rules.refusal import CONFLICT, Refusal, Refused, refuse

OUTAGE: Final = "outage"
FORM_PACK: Final = "form_pack"
FORM_RETURN: Final = "form_return"
# The report that a pit or the cage works by on paper, and the entry that each printing leaves.
SHEET: Final = "outage-sheet"
SHEET_PRINTED: Final = "outage_sheet_printed"
PACK_MAX: Final = 200
NUMBER_MAX: Final = 999_999
# The holder of a pack that is no pit.
THE_CAGE: Final = "cage"
_NAMED_MAX: Final = 20
_FORM: Final = re.compile(r"P-([A-Z]{2})-([0-9]{6})-([0-9])", re.ASCII)
_RANGE: Final = re.compile(r"([0-9]{1,6})(?:-([0-9]{1,6}))?", re.ASCII)


@unique
class FormEnd(StrEnum):
    """How the life of a form ended."""

    ENTERED = "entered"
    VOID = "void"
    UNUSED = "unused"


@unique
class FormState(StrEnum):
    """What is known of a form: one that has not ended is missing, or being entered."""

    USED = "used"
    VOID = "void"
    UNUSED = "unused"
    ENTERING = "entering"
    MISSING = "missing"


def check_digit(number: int) -> int:
    """Return the Luhn digit of a form's number.

    >>> check_digit(31), check_digit(32), check_digit(0)
    (5, 3, 0)
    """
    total = 0
    for place, digit in enumerate(reversed(f"{number:06d}")):
        doubled = int(digit) * (2 if place % 2 == 0 else 1)
        total += doubled - 9 if doubled > 9 else doubled
    return -total % 10


def form_number(code: str, number: int) -> str:
    """Return a number as it is printed on a form.

    >>> form_number("MK", 31)
    'P-MK-000031-5'
    """
    return f"P-{code}-{number:06d}-{check_digit(number)}"


@dataclass(frozen=True, slots=True)
class FormNumber:
    """A number of a form, taken apart."""

    code: str
    number: int

    def __str__(self) -> str:
        return form_number(self.code, self.number)


def read_form_number(keyed: str) -> FormNumber:
    """Return the number that was entered or scanned, the letter of its part left out.

    Raises Refused: where the digit at its end is another, a digit before it was misread.

    >>> str(read_form_number(" p-mk-000031-5/d ")), read_form_number("P-MK-000031-5").number
    ('P-MK-000031-5', 31)
    """
    found = _FORM.fullmatch(keyed.strip().upper().partition("/")[0])
    if found is None:
        words = f"{quoted(keyed)} isn’t a form number" if keyed.strip() else "No form number"
        raise refuse(
            "form_number_malformed",
            f"{words}. Enter the number printed on the form, like {form_number('FL', 31)}.",
        )
    number = FormNumber(found[1], int(found[2]))
    if int(found[3]) != check_digit(number.number):
        raise refuse(
            "form_digit_wrong",
            f"{quoted(keyed)}: the last digit doesn’t fit the number. Read the form again.",
        )
    return number


def read_range(keyed: str, issued: Collection[int]) -> list[int]:
    """Return the numbers of a pack that were entered: single ones, ranges, or whole form numbers.

    Raises Refused with every reason.

    >>> read_range("31-33, 40", range(1, 51))
    [31, 32, 33, 40]
    >>> read_range("P-MK-000031-5", range(1, 51))
    [31]
    """
    numbers: list[int] = []
    refusals: list[Refusal] = []
    for word in keyed.replace(",", " ").split():
        try:
            numbers += _read_word(word, issued)
        except Refused as refused:
            refusals += refused.refusals
    twice = sorted({number for number in numbers if numbers.count(number) > 1})
    if twice:
        named = ", ".join(map(str, twice[:_NAMED_MAX]))
        refusals.append(Refusal("form_twice", f"Entered twice: {named}. Enter each form once."))
    if refusals:
        raise Refused(refusals)
    return numbers


def _read_word(word: str, issued: Collection[int]) -> list[int]:
    found = _RANGE.fullmatch(word)
    if found is None:
        first = last = read_form_number(word).number
    else:
        first, last = int(found[1]), int(found[2] or found[1])
    # Looked at before the range is written out: a slip of the finger is no list of a million.
    if first > last or first not in issued or last not in issued:
        raise refuse("form_not_of_pack", f"{quoted(word)} isn’t in this pack. Check the numbers.")
    return list(range(first, last + 1))


def pack_refusals(forms: int, shown_first: int, next_number: int) -> list[Refusal]:
    """Return why a pack of forms may not be issued under the numbers that were shown."""
    refusals = []
    if not 1 <= forms <= PACK_MAX:
        refusals.append(
            Refusal("pack_size", f"A pack has 1 to {PACK_MAX} forms. Enter how many to issue.")
        )
    if shown_first != next_number:
        refusals.append(
            Refusal(
                "numbers_taken",
                "Another pack took these numbers. Go back and review the new ones.",
                CONFLICT,
            )
        )
    if next_number + forms - 1 > NUMBER_MAX:
        refusals.append(
            Refusal("numbers_used_up", "All numbers of this form are used. Contact IT.")
        )
    return refusals


def start_refusals(
    scope: Sequence[str],
    started_at: datetime,
    now: datetime,
    down: Sequence[tuple[str, str]],
    within_days: int,
) -> list[Refusal]:
    """Return why an outage may not be declared; `down` is what other outages cover already."""
    refusals = []
    if not scope:
        refusals.append(Refusal("scope_missing", "Choose the pits, or the cage, that are down."))
    if started_at > now:
        refusals.append(
            Refusal("starts_ahead", "The outage starts in the future. Enter when it began.")
        )
    if now - started_at > timedelta(days=within_days):
        refusals.append(
            Refusal(
                "started_long_ago",
                f"The outage began more than {within_days} days ago. Check the start.",
            )
        )
    refusals.extend(
        Refusal("already_down", f"{name} is already in {serial}. End that outage first.", CONFLICT)
        for name, serial in down
        if name in scope
    )
    return refusals


@dataclass(frozen=True, slots=True)
class Frame:
    """An outage as a late entry sees it: which places were down, and from when until when."""

    serial: str
    scope: Collection[str]
    started_at: datetime
    ended_at: datetime | None
    is_closed: bool = False

    def holds(self, holder: str, at: datetime) -> bool:
        return (
            holder in self.scope
            and self.started_at <= at
            and (self.ended_at is None or at <= self.ended_at)
        )


def frame_of(frames: Iterable[Frame], holder: str, at: datetime) -> Frame:
    """Return the outage in which a holder's form was used at a time. Raises Refused.

    >>> frame_of([], "Pit 1", datetime(2026, 5, 1))
    Traceback (most recent call last):
    ...
    pitboss.rules.refusal.Refused: Pit 1 was in no outage at that time. Check the time on the form.
    """
    found = next((frame for frame in frames if frame.holds(holder, at)), None)
    if found is None:
        place = "The cage" if holder == THE_CAGE else holder
        raise refuse(
            "outside_outage",
            f"{place} was in no outage at that time. Check the time on the form.",
        )
    if found.is_closed:
        raise refuse(
            "outage_closed", f"{found.serial} is closed. Take the form to accounting.", CONFLICT
        )
    return found


def due_refusals(frame: Frame, now: datetime, within_days: int) -> list[Refusal]:
    """Return why it is too late for a form of an outage."""
    if frame.ended_at is None or now - frame.ended_at <= timedelta(days=within_days):
        return []
    return [
        Refusal(
            "true_time_too_old",
            f"Forms must be entered within {within_days} days after the outage. Take this one "
            "to accounting.",
        )
    ]


def is_money_overdue(frame: Frame, now: datetime, within_hours: int) -> bool:
    """Tell whether a marker or cash came in later than the house asks after an outage.

    >>> noon = datetime(2026, 5, 1, 12)
    >>> frame = Frame("OU-2026-000001", ["cage"], noon, noon)
    >>> is_money_overdue(frame, noon + timedelta(hours=24), 24)
    False
    >>> is_money_overdue(frame, noon + timedelta(hours=24, minutes=1), 24)
    True
    """
    return frame.ended_at is not None and now - frame.ended_at > timedelta(hours=within_hours)


def close_refusals(missing: Sequence[str]) -> list[Refusal]:
    """Return why an outage may not be closed: the numbers that nothing is known of.

    >>> close_refusals([])
    []
    >>> close_refusals(["P-MK-000031-5"])[0].message
    'Not accounted for: P-MK-000031-5. Enter each one late, void it, or return it unused.'
    """
    if not missing:
        return []
    named = ", ".join(missing[:_NAMED_MAX])
    if len(missing) > _NAMED_MAX:
        named += f", and {len(missing) - _NAMED_MAX} more"
    return [
        Refusal(
            "forms_missing",
            f"Not accounted for: {named}. Enter each one late, void it, or return it unused.",
            CONFLICT,
        )
    ]


def end_refusals(ended: Iterable[tuple[str, str]]) -> list[Refusal]:
    """Return why forms may not end: each has ended otherwise, and is said with how.

    >>> end_refusals([("P-MK-000031-5", "entered")])[0].message
    'P-MK-000031-5 is already entered. Leave it out.'
    """
    return [
        Refusal("form_ended", f"{number} is already {how}. Leave it out.", CONFLICT)
        for number, how in ended
    ]
