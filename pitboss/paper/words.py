"""Amounts in words, as a cheque or a slip writes them so that no figure can be changed."""

from __future__ import annotations

# fmt: off
_SMALL = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine",
    "ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen",
    "eighteen", "nineteen",
)
_TENS = (
    "zero", "ten", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety",
)
# fmt: on
_THOUSANDS = ("", " thousand", " million", " billion", " trillion", " quadrillion", " quintillion")


def amount_in_words(amount_cents: int) -> str:
    """Write an amount out in dollars and hundredths.

    >>> amount_in_words(670_000)
    'Six thousand seven hundred dollars and 00/100'
    >>> amount_in_words(2_300_017_250)
    'Twenty-three million one hundred seventy-two dollars and 50/100'
    >>> amount_in_words(100), amount_in_words(25)
    ('One dollar and 00/100', 'Zero dollars and 25/100')
    """
    if amount_cents < 0:
        raise ValueError(f"a slip has no amount below zero: {amount_cents}")
    dollars, cents = divmod(amount_cents, 100)
    unit = "dollar" if dollars == 1 else "dollars"
    return f"{_whole(dollars).capitalize()} {unit} and {cents:02}/100"


def _whole(number: int) -> str:
    if number == 0:
        return _SMALL[0]
    groups = []
    for name in _THOUSANDS:
        number, group = divmod(number, 1_000)
        if group:
            groups.append(f"{_below_thousand(group)}{name}")
    return " ".join(reversed(groups))


def _below_thousand(number: int) -> str:
    hundreds, rest = divmod(number, 100)
    words = [f"{_SMALL[hundreds]} hundred"] if hundreds else []
    if rest >= 20:
        tens, ones = divmod(rest, 10)
        words.append(f"{_TENS[tens]}-{_SMALL[ones]}" if ones else _TENS[tens])
    elif rest:
        words.append(_SMALL[rest])
    return " ".join(words)
