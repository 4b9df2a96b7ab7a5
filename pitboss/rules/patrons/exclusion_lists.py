"""A list as it is imported: read from CSV, compared with what stands, and when two must sign."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any, Final

from pitboss.rules.canonical import canonical, digest, is_plain
from pitboss.rules.patrons.exclusion import Name, words_of
from pitboss.rules.refusal import Refusal, Refused

COLUMNS: Final = (
    "id",
    "last_name",
    "first_name",
    "aliases",
    "born_on",
    "ssn",
    "address",
    "description",
    "from",
    "until",
)
ROWS_MAX: Final = 50_000
# The front door takes no larger body.
BYTES_MAX: Final = 4_500_000
# More reasons than this say no more.
_REASONS_MAX: Final = 8
ID_MAX: Final = 40
# What the id of a row from another property begins with.
FROM_ANOTHER: Final = "@"
_LONGEST: Final = {
    "id": ID_MAX,
    "last_name": 120,
    "first_name": 80,
    "aliases": 1_000,
    "address": 300,
    "description": 500,
}


@dataclass(frozen=True, slots=True)
class Listed:
    """One person on a list, as the file has them."""

    external_id: str
    last_name: str
    first_name: str = ""
    aliases: tuple[str, ...] = ()
    born_on: date | None = None
    # Nine digits, or the last four.
    ssn: str = ""
    address: str = ""
    description: str = ""
    from_on: date | None = None
    until_on: date | None = None

    @property
    def names(self) -> tuple[Name, ...]:
        return (
            Name.of(self.first_name, self.last_name),
            *(Name.whole(alias) for alias in self.aliases),
        )

    @property
    def digest(self) -> str:
        """What tells a row that changed from one that did not."""
        days = (self.born_on, self.from_on, self.until_on)
        stored: dict[str, Any] = {
            "id": self.external_id,
            "names": [self.last_name, self.first_name, *self.aliases],
            "days": [day.isoformat() if day else None for day in days],
            "ssn": self.ssn,
            "says": [self.address, self.description],
        }
        return digest(canonical(stored))


def read_list(content: bytes) -> list[Listed]:
    """Return the people on a list. Raises Refused with the lines that cannot be read."""
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise Refused([Refusal("file_malformed", "Save the file as CSV in UTF-8.")]) from None
    reader = csv.DictReader(io.StringIO(text, newline=""))
    missing = {"id", "last_name"} - set(reader.fieldnames or ())
    unknown = set(reader.fieldnames or ()) - set(COLUMNS)
    if missing or unknown:
        raise Refused(
            [
                Refusal(
                    "columns_unknown",
                    f"The first line must name these columns: {', '.join(COLUMNS)}.",
                )
            ]
        )
    found: dict[str, Listed] = {}
    refusals: list[Refusal] = []
    for line, raw in _lines(reader):
        try:
            listed = read_row(line, raw)
        except Refused as refused:
            refusals += refused.refusals
            continue
        if listed.external_id in found:
            refusals.append(
                Refusal("id_twice", f"Line {line}: {listed.external_id} is in the file twice.")
            )
        found[listed.external_id] = listed
        if len(found) > ROWS_MAX:
            raise Refused(
                [
                    Refusal(
                        "file_too_long",
                        f"The file has too many rows. Choose one of {ROWS_MAX:,} rows or fewer.",
                    )
                ]
            )
    if not found and not refusals:
        refusals.append(Refusal("file_empty", "The file has no one in it. Choose another file."))
    if refusals:
        raise Refused(refusals[:_REASONS_MAX])
    return list(found.values())


def _lines(reader: csv.DictReader[str]) -> Iterator[tuple[int, dict[str, Any]]]:
    try:
        for raw in reader:
            yield reader.line_num, raw
    except csv.Error:
        raise Refused(
            [Refusal("file_malformed", f"Line {reader.line_num} isn’t CSV. Save the file again.")]
        ) from None


def read_row(line: int, raw: Mapping[str, Any]) -> Listed:
    """Return the person of one line. Raises Refused."""
    if None in raw:
        raise _wrong(line, "has more cells than the first line")
    cells = {name: (raw.get(name) or "").strip() for name in COLUMNS}
    for name, longest in _LONGEST.items():
        if len(cells[name]) > longest or not is_plain(cells[name]):
            raise _wrong(line, f"has {name} that is too long or can’t be saved")
    if not cells["id"] or not words_of(cells["last_name"]):
        raise _wrong(line, "has no id or no last name")
    if cells["id"].startswith(FROM_ANOTHER):
        raise _wrong(line, "has an id that begins with @, as ids from another property do")
    ssn = re.sub(r"[\s-]", "", cells["ssn"])
    if not re.fullmatch(r"([0-9]{9}|[0-9]{4})?", ssn, re.ASCII):
        raise _wrong(line, "has an SSN that isn’t nine digits or the last four")
    days = {name: _day(line, name, cells[name]) for name in ("born_on", "from", "until")}
    return Listed(
        external_id=cells["id"],
        last_name=cells["last_name"],
        first_name=cells["first_name"],
        aliases=tuple(alias.strip() for alias in cells["aliases"].split(";") if alias.strip()),
        born_on=days["born_on"],
        ssn=ssn,
        address=cells["address"],
        description=cells["description"],
        from_on=days["from"],
        until_on=days["until"],
    )


def _day(line: int, name: str, text: str) -> date | None:
    try:
        return date.fromisoformat(text) if text else None
    except ValueError:
        raise _wrong(line, f"has {name} that isn’t a date like 1980-02-03") from None


def _wrong(line: int, what: str) -> Refused:
    return Refused(
        [Refusal("line_malformed", f"Line {line} {what}. Correct it, and choose the file again.")]
    )


@dataclass(frozen=True, slots=True)
class Diff:
    """What an import changes, by the id of each row."""

    added: tuple[str, ...]
    changed: tuple[str, ...]
    removed: tuple[str, ...]
    same: int

    @property
    def stood(self) -> int:
        """How many rows there were before."""
        return len(self.changed) + len(self.removed) + self.same

    @property
    def needs_second(self) -> bool:
        """Whether so many vanish that a second person signs: more than 5 of 100."""
        return len(self.removed) * 20 > self.stood


def diff_of(standing: Mapping[str, str], new: Mapping[str, str]) -> Diff:
    """Compare a list with the one that stands, by the digest of each row.

    >>> diff_of({"a": "1", "b": "1", "c": "1"}, {"a": "1", "b": "2", "d": "1"})
    Diff(added=('d',), changed=('b',), removed=('c',), same=1)
    """
    return Diff(
        added=tuple(key for key in new if key not in standing),
        changed=tuple(key for key in new if key in standing and standing[key] != new[key]),
        removed=tuple(key for key in standing if key not in new),
        same=sum(standing.get(key) == value for key, value in new.items()),
    )
