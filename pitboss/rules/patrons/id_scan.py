"""An ID as its barcode says it: the text of an AAMVA PDF417, scanned by a wedge or pasted."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from typing import Final

from pitboss.rules.patrons.patrons import DocumentKind
from pitboss.rules.refusal import refuse

SCAN_MAX: Final = 2_000
_HEADER: Final = re.compile(r"(?:ANSI |AAMVA)\s*([0-9]{6})")
# Where the first line of data begins: after the letters of its subfile.
_FIRST: Final = re.compile(r"(DL|ID)(D[A-Z]{2}[^\n]*)$")
_ELEMENT: Final = re.compile(r"^(D[A-Z]{2})(.*)$")
_DIGITS: Final = re.compile(r"[0-9]{8}", re.ASCII)
# What a wedge sends for an end of line, and what the standard puts between records.
_BREAKS: Final = re.compile(r"[\r\n\x1c\x1d\x1e]+")
_NONE: Final = frozenset({"", "NONE", "UNAVL"})
_COUNTRIES: Final = {"USA": "US", "CAN": "CA", "MEX": "MX"}


@dataclass(frozen=True, slots=True)
class ScannedId:
    """What an ID says of its bearer, as the file of a patron has it, and of itself."""

    fields: dict[str, str]
    kind: DocumentKind
    number: str
    issuer: str
    expires_on: date | None
    sex: str


def read_id(text: str) -> ScannedId:
    """Return what the barcode of an ID says. Raises Refused.

    >>> scan = "@\\n\\x1e\\rANSI 636036080002DL00410200DLDAQS123\\nDCSREED\\nDACTOM\\nDBB03041971"
    >>> read_id(scan).fields["born_on"]
    '1971-03-04'
    """
    lines = _BREAKS.split(text.strip())
    if len(text) > SCAN_MAX or not any(_HEADER.search(line) for line in lines):
        raise refuse(
            "scan_unreadable",
            "This isn’t the barcode of a driver’s license or state ID. Scan it again.",
        )
    kind = DocumentKind.DRIVING_LICENCE
    found: dict[str, str] = {}
    for line in lines:
        first = _FIRST.search(line) if _HEADER.search(line) else None
        if first is not None:
            kind = DocumentKind.STATE_ID if first[1] == "ID" else kind
            line = first[2]
        element = _ELEMENT.match(line)
        if element is not None and element[2].strip().upper() not in _NONE:
            found.setdefault(element[1], element[2].strip())
    if "DAQ" not in found or not ({"DCS", "DAB", "DAA"} & found.keys()):
        raise refuse(
            "scan_incomplete", "The barcode has no name or number. Scan it again or enter it."
        )
    return _scanned(kind, found)


def _scanned(kind: DocumentKind, found: dict[str, str]) -> ScannedId:
    last, first, middle = _names(found)
    country = _COUNTRIES.get(found.get("DCG", "USA"), "US")
    born_on, expires_on = _day(found.get("DBB", "")), _day(found.get("DBA", ""))
    postal = found.get("DAK", "")
    if country == "US":
        # Nine digits of which the last four may be nothing.
        postal = postal[:5] if postal[5:9] in ("", "0000") else f"{postal[:5]}-{postal[5:9]}"
    fields = {
        "last_name": last[:40],
        "first_name": first[:40],
        "middle_name": middle[:40],
        "name_suffix": _title(found.get("DCU", ""))[:10],
        "street": _title(found.get("DAG", ""))[:80],
        "street_more": _title(found.get("DAH", ""))[:80],
        "city": _title(found.get("DAI", ""))[:60],
        "region": found.get("DAJ", "")[:40],
        "postal_code": postal[:16],
        "country": country,
        "born_on": born_on.isoformat() if born_on else "",
    }
    return ScannedId(
        fields={name: value for name, value in fields.items() if value},
        kind=kind,
        number=found["DAQ"][:60],
        issuer=found.get("DAJ", country),
        expires_on=expires_on,
        sex={"1": "M", "2": "F"}.get(found.get("DBC", ""), ""),
    )


def _names(found: dict[str, str]) -> tuple[str, str, str]:
    """Return last, first and middle name; older cards have them in one element."""
    if "DAA" in found and "DCS" not in found:
        parts = [_title(part) for part in re.split(r"[,@]", found["DAA"])]
        last, first, middle = (*parts, "", "")[:3]
        return last, first, middle
    last = found.get("DCS", found.get("DAB", ""))
    # Some states have every given name in one element.
    given = found.get("DAC", found.get("DCT", "")).replace(",", " ").split(" ", 1)
    middle = found.get("DAD", given[1] if len(given) > 1 else "")
    return _title(last), _title(given[0]), _title(middle)


def _title(text: str) -> str:
    """Return a name as people write it: barcodes have capitals only.

    >>> _title("O'NEIL-REED"), _title("1 OCEAN AVE"), _title("McKay")
    ("O'Neil-Reed", '1 Ocean Ave', 'McKay')
    """
    text = text.strip()
    return re.sub(r"[A-Z]+", lambda word: word[0].capitalize(), text) if text.isupper() else text


def _day(text: str) -> date | None:
    """Return a day: month first in the United States, the year first elsewhere.

    >>> _day("03041971"), _day("19710304"), _day("1971")
    (datetime.date(1971, 3, 4), datetime.date(1971, 3, 4), None)
    """
    if not _DIGITS.fullmatch(text):
        return None
    if int(text[:4]) >= 1_900:
        text = text[4:] + text[:4]
    try:
        return date(int(text[4:]), int(text[:2]), int(text[2:4]))
    except ValueError:
        return None
