"""The bank calendar: which days banks work, when a check has cleared, when a marker is deposited.

The house enters the bank holidays. Due days follow N.J.A.C. 13:69D-1.28: by the amount, counted in
calendar days from the date of the check; a weekend or holiday moves it to the next banking day.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import date, timedelta
from itertools import pairwise
from typing import Final

from pitboss.rules.cheques.cheques import format_money, read_money
from pitboss.rules.quoting import quoted
from pitboss.rules.refusal import Refusal, Refused

HOLIDAYS_MAX: Final = 200
# Up to this amount a check is due after so many days; above the last amount, None, after so many.
Terms = Sequence[Sequence[int | None]]
NEW_JERSEY: Final[Terms] = ((100_000, 7), (500_000, 14), (None, 45))
DUE_DAYS_MAX: Final = 365
TERMS_MAX: Final = 20
# What the Federal Reserve Banks keep: by month, weekday and which one, or by a fixed day.
_FIXED: Final = ((1, 1), (6, 19), (7, 4), (11, 11), (12, 25))
_FLOATING: Final = ((1, 0, 3), (2, 0, 3), (5, 0, -1), (9, 0, 1), (10, 0, 2), (11, 3, 4))
_SUNDAY: Final = 6


def is_banking_day(day: date, holidays: Collection[date]) -> bool:
    """Tell whether banks work on a day.

    >>> is_banking_day(date(2026, 2, 16), {date(2026, 2, 16)})
    False
    """
    return day.weekday() < 5 and day not in holidays


def banking_day_from(day: date, holidays: Collection[date]) -> date:
    """Return the day itself if banks work on it, or the next one on which they do.

    >>> banking_day_from(date(2026, 1, 10), ())
    datetime.date(2026, 1, 12)
    """
    while not is_banking_day(day, holidays):
        day += timedelta(days=1)
    return day


def banking_days_after(day: date, count: int, holidays: Collection[date]) -> date:
    """Return the day that is so many banking days later.

    >>> banking_days_after(date(2026, 2, 13), 1, {date(2026, 2, 16)})
    datetime.date(2026, 2, 17)
    """
    for _ in range(count):
        day = banking_day_from(day + timedelta(days=1), holidays)
    return day


def due_on(
    amount_cents: int, dated: date, holidays: Collection[date], terms: Terms = NEW_JERSEY
) -> date:
    """Return the last day on which a marker is deposited.

    >>> due_on(500_000, date(2026, 1, 2), ())
    datetime.date(2026, 1, 16)
    >>> due_on(500_001, date(2026, 1, 2), {date(2026, 2, 16)})
    datetime.date(2026, 2, 17)
    """
    days = next(days for most, days in terms if most is None or amount_cents <= most)
    return banking_day_from(dated + timedelta(days=days or 0), holidays)


def federal_holidays(year: int) -> list[date]:
    """Return the days on which the Federal Reserve Banks are closed in a year.

    A holiday on a Sunday is kept on Monday; one on a Saturday isn’t kept on another day.

    >>> [f"{day:%m-%d}" for day in federal_holidays(2027)]
    ['01-01', '01-18', '02-15', '05-31', '06-19', '07-05', '09-06', '10-11', '11-11', '11-25', \
'12-25']
    """
    days = [date(year, month, day) for month, day in _FIXED]
    days += [_nth(year, *row) for row in _FLOATING]
    return sorted(day + timedelta(days=day.weekday() == _SUNDAY) for day in days)


def _nth(year: int, month: int, weekday: int, which: int) -> date:
    """Return the n-th of a weekday in a month; the last one for -1."""
    found = [
        day
        for day in (date(year, month, 1) + timedelta(days=n) for n in range(31))
        if day.month == month and day.weekday() == weekday
    ]
    return found[which - 1 if which > 0 else which]


def default_holidays() -> list[str]:
    """Return what a house begins with: the Federal Reserve's days of the next years, as stored."""
    return [day.isoformat() for year in range(2026, 2031) for day in federal_holidays(year)]


class DayList:
    """Bank holidays, one date a line."""

    def read(self, keyed: str) -> list[str]:
        """Return the days as they are stored, in order, each once. Every wrong line is named.

        >>> DayList().read("2026-12-25\\n2026-01-01\\n2026-01-01")
        ['2026-01-01', '2026-12-25']
        """
        lines = [line.strip() for line in keyed.splitlines() if line.strip()]
        refusals, days = [], set()
        for number, line in enumerate(lines, 1):
            try:
                days.add(date.fromisoformat(line).isoformat())
            except ValueError:
                message = f"Line {number}, {quoted(line)}, isn’t a valid date. {self.hint}"
                refusals.append(Refusal("days_malformed", message))
        if len(days) > HOLIDAYS_MAX:
            refusals.append(
                Refusal("days_malformed", f"Enter {HOLIDAYS_MAX} days or fewer. {self.hint}")
            )
        if refusals:
            raise Refused(refusals)
        return sorted(days)

    def words(self, value: list[str]) -> str:
        return ", ".join(f"{date.fromisoformat(item):%b %-d, %Y}" for item in value) or "none"

    def text(self, value: list[str]) -> str:
        return "\n".join(value)

    @property
    def hint(self) -> str:
        return "Enter one date per line, like 2026-12-25."


class DueTerms:
    """After how many days a check is due, by its amount: one line each, the last without limit."""

    def read(self, keyed: str) -> list[list[int | None]]:
        """Return the terms as they are stored, smallest amount first. Every wrong line is named.

        >>> DueTerms().read("$1,000: 7\\n$5,000: 14\\nabove: 45")
        [[100000, 7], [500000, 14], [None, 45]]
        """
        lines = [line.strip() for line in keyed.splitlines() if line.strip()]
        refusals, terms = [], []
        for number, line in enumerate(lines, 1):
            term = self._line(line)
            if term is None:
                message = f"Line {number}, {quoted(line)}, isn’t valid. {self.hint}"
                refusals.append(Refusal("due_terms_malformed", message))
            else:
                terms.append(term)
        amounts = [most for most, _ in terms[:-1]]
        rises = None not in amounts and all(
            (low or 0) < (high or 0) for low, high in pairwise(amounts)
        )
        if not refusals and (
            not terms or terms[-1][0] is not None or not rises or len(terms) > TERMS_MAX
        ):
            message = f"Amounts must rise, and the last line begins with “above”. {self.hint}"
            refusals.append(Refusal("due_terms_malformed", message))
        if refusals:
            raise Refused(refusals)
        return terms

    def _line(self, line: str) -> list[int | None] | None:
        amount, _, days = (part.strip() for part in line.partition(":"))
        most = None if amount.lower() == "above" else read_money(amount)
        if most is None and amount.lower() != "above":
            return None
        if not (days.isascii() and days.isdigit()) or int(days) > DUE_DAYS_MAX:
            return None
        return [most, int(days)]

    def words(self, value: Terms) -> str:
        """Say the terms.

        >>> DueTerms().words(NEW_JERSEY)
        '$1,000 or less: 7 days, $5,000 or less: 14 days, above: 45 days'
        """
        return ", ".join(
            f"{'above' if most is None else f'{format_money(most)} or less'}: {days} days"
            for most, days in value
        )

    def text(self, value: Terms) -> str:
        return "\n".join(
            f"{'above' if most is None else format_money(most)}: {days}" for most, days in value
        )

    @property
    def hint(self) -> str:
        return "Enter one line per amount with its days, like $1,000: 7. The last is above: 45."
