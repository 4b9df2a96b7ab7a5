"""Values of a report in words: as a person reads them, and as a file keeps them."""

from __future__ import annotations

from datetime import date, datetime
from zoneinfo import ZoneInfo

from pitboss.reports.report import Bar, Shape, Value
from pitboss.rules.cheques.cheques import format_money

# A spreadsheet takes what begins so for a formula.
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def words_of(value: Value, shape: Shape, zone: ZoneInfo) -> str:
    """Return a value as a screen and paper show it.

    >>> utc = ZoneInfo("UTC")
    >>> [words_of(1_234, shape, utc) for shape in (Shape.MONEY, Shape.CHANGE, Shape.PERCENT)]
    ['$12.34', '+$12.34', '12.34%']
    >>> words_of(-50, Shape.PERCENT, utc), words_of(90, Shape.MINUTES, utc)
    ('−0.50%', '1.5')
    >>> words_of(None, Shape.MONEY, utc), words_of(1_234_567, Shape.COUNT, utc)
    ('–', '1,234,567')
    """
    if value is None:
        return "–"
    if isinstance(value, datetime):
        here = value.astimezone(zone)
        return f"{here:%a, %b %-d, %H:%M}"
    if isinstance(value, date):
        return f"{value:%a, %b %-d, %Y}"
    if isinstance(value, str):
        return value
    return _number(value, shape)


def _number(value: int, shape: Shape) -> str:
    sign = "−" if value < 0 else ""
    match shape:
        case Shape.MONEY:
            return format_money(value)
        case Shape.CHANGE:
            return f"+{format_money(value)}" if value > 0 else format_money(value)
        case Shape.PERCENT:
            whole, rest = divmod(abs(value), 100)
            return f"{sign}{whole}.{rest:02}%"
        case Shape.MINUTES:
            tenths = (value + 3) // 6
            return f"{tenths // 10:,}.{tenths % 10}"
    return f"{sign}{abs(value):,}"


def bar_words(bar: Bar, shape: Shape, zone: ZoneInfo) -> str:
    """Return what a bar shows by its color and its band.

    >>> bar_words(Bar("BJ-11", 2_857, 1_726, 2_274, says="outside"), Shape.PERCENT, ZoneInfo("UTC"))
    'outside 17.26% to 22.74%'
    """
    band = ""
    if bar.low is not None and bar.high is not None:
        band = f"{words_of(bar.low, shape, zone)} to {words_of(bar.high, shape, zone)}"
    return f"{bar.says} {band}".strip()


def filed(value: Value, shape: Shape, zone: ZoneInfo) -> str:
    """Return a value as a file keeps it: plain, with a point, and no formula of a spreadsheet.

    >>> utc = ZoneInfo("UTC")
    >>> filed(-1_234_50, Shape.MONEY, utc), filed(1_805, Shape.PERCENT, utc)
    ('-1234.50', '18.05')
    >>> filed("=1+1", Shape.WORDS, utc), filed(None, Shape.COUNT, utc)
    ("'=1+1", '')
    """
    if value is None:
        return ""
    if isinstance(value, datetime):
        return value.astimezone(zone).isoformat(timespec="seconds")
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, str):
        return harmless(value)
    if shape in (Shape.MONEY, Shape.CHANGE, Shape.PERCENT):
        return hundredths(value)
    return str(value)


def harmless(words: str) -> str:
    """Return words that no spreadsheet takes for a formula.

    >>> harmless("=HYPERLINK(1)"), harmless("Dealt twice")
    ("'=HYPERLINK(1)", 'Dealt twice')
    """
    return f"'{words}" if words.startswith(_FORMULA) else words


def hundredths(value: int) -> str:
    """Write hundredths, of a dollar or of a percent, with a point.

    >>> hundredths(-5), hundredths(123_400)
    ('-0.05', '1234.00')
    """
    whole, rest = divmod(abs(value), 100)
    return f"{'-' if value < 0 else ''}{whole}.{rest:02}"
