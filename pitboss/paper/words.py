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


# fmt: off
_SPANISH_SMALL = (
    "cero", "un", "dos", "tres", "cuatro", "cinco", "seis", "siete", "ocho", "nueve", "diez",
    "once", "doce", "trece", "catorce", "quince", "dieciséis", "diecisiete", "dieciocho",
    "diecinueve", "veinte", "veintiún", "veintidós", "veintitrés", "veinticuatro", "veinticinco",
    "veintiséis", "veintisiete", "veintiocho", "veintinueve",
)
_SPANISH_TENS = (
    "", "", "", "treinta", "cuarenta", "cincuenta", "sesenta", "setenta", "ochenta", "noventa",
)
_SPANISH_HUNDREDS = (
    "", "ciento", "doscientos", "trescientos", "cuatrocientos", "quinientos", "seiscientos",
    "setecientos", "ochocientos", "novecientos",
)
# fmt: on


def amount_in_spanish(amount_cents: int) -> str:
    """Write an amount out in Spanish, as a patron reads it above the English.

    >>> amount_in_spanish(670_000), amount_in_spanish(100)
    ('Seis mil setecientos dólares con 00/100', 'Un dólar con 00/100')
    >>> amount_in_spanish(2_300_117_250), amount_in_spanish(100_000_025)
    ('Veintitrés millones mil ciento setenta y dos dólares con 50/100', \
'Un millón de dólares con 25/100')
    """
    if amount_cents < 0:
        raise ValueError(f"a slip has no amount below zero: {amount_cents}")
    dollars, cents = divmod(amount_cents, 100)
    millions, rest = divmod(dollars, 1_000_000)
    parts = []
    if millions:
        parts.append("un millón" if millions == 1 else f"{_spanish(millions)} millones")
    if rest or not millions:
        parts.append(_spanish(rest))
    unit = "dólar" if dollars == 1 else "dólares"
    of = " de" if millions and not rest else ""
    words = " ".join(parts)
    return f"{words[0].upper()}{words[1:]}{of} {unit} con {cents:02}/100"


def _spanish(number: int) -> str:
    """Write a whole number below a million million out, before a word that it counts."""
    thousands, rest = divmod(number, 1_000)
    words = []
    if thousands:
        words.append("mil" if thousands == 1 else f"{_spanish(thousands)} mil")
    if rest or not thousands:
        words.append(_spanish_below_thousand(rest))
    return " ".join(words)


def _spanish_below_thousand(number: int) -> str:
    if number == 100:
        return "cien"
    hundreds, rest = divmod(number, 100)
    words = [_SPANISH_HUNDREDS[hundreds]] if hundreds else []
    if rest >= 30:
        tens, ones = divmod(rest, 10)
        words.append(_SPANISH_TENS[tens] + (f" y {_SPANISH_SMALL[ones]}" if ones else ""))
    elif rest or not hundreds:
        words.append(_SPANISH_SMALL[rest])
    return " ".join(words)
