"""Lists that houses of a group share: signed by the house whose list it is, compared by the other.

What a house shares are its own self-exclusions, bans and trespass notices, never what it has from
another. Where they are imported each row keeps the name of its source, so that neither the own list
of a house nor another's ever ends it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Any, Final

from pitboss.rules.canonical import canonical, digest, is_plain
from pitboss.rules.group.signing import Purpose, is_public_key, is_signed, mark_of
from pitboss.rules.patrons.exclusion import ListKind
from pitboss.rules.patrons.exclusion_lists import (
    FROM_ANOTHER,
    ID_MAX,
    ROWS_MAX,
    Listed,
    read_row,
)
from pitboss.rules.quoting import quoted
from pitboss.rules.refusal import CONFLICT, Refusal, Refused, refuse

FORMAT: Final = "pitboss.list/1"
# What a house decides itself. Lists of a state, the Treasury and credit come from their source.
SHARED: Final = (ListKind.SELF_EXCLUSION, ListKind.HOUSE_BAN, ListKind.TRESPASS)
_DIGEST_LENGTH: Final = 20
_TRUSTED: Final = re.compile(r"([a-z0-9-]{1,12})\s+([0-9a-f]{64})", re.ASCII)
_SOURCES_MAX: Final = 100


@dataclass(frozen=True, slots=True)
class SharedList:
    """A list as another house signed it."""

    # As this house calls the other one.
    source: str
    house: str
    made_at: datetime
    people: tuple[Listed, ...]


def prefix_of(source: str) -> str:
    """Return what the id of each row from another house begins with.

    >>> prefix_of("lakeside")
    '@lakeside/'
    """
    return f"{FROM_ANOTHER}{source}/"


def source_in(external_id: str) -> str:
    """Return the house that a row is from, by its id; empty for one of the own list.

    >>> source_in("@lakeside/HB-1"), source_in("HB-1")
    ('lakeside', '')
    """
    if not external_id.startswith(FROM_ANOTHER):
        return ""
    return external_id.removeprefix(FROM_ANOTHER).partition("/")[0]


def text_of(*, house: str, kind: ListKind, made_at: datetime, people: Iterable[Listed]) -> str:
    """Return the one text of a list, to be signed."""
    return canonical(
        {
            "format": FORMAT,
            "property": house,
            "list": kind.value,
            "made_at": made_at.isoformat(),
            "rows": [_cells(each) for each in people],
        }
    )


def _cells(listed: Listed) -> dict[str, str]:
    return {
        "id": listed.external_id,
        "last_name": listed.last_name,
        "first_name": listed.first_name,
        "aliases": ";".join(listed.aliases),
        "born_on": _written(listed.born_on),
        "ssn": listed.ssn,
        "address": listed.address,
        "description": listed.description,
        "from": _written(listed.from_on),
        "until": _written(listed.until_on),
    }


def _written(day: date | None) -> str:
    return day.isoformat() if day else ""


def is_signed_file(content: bytes) -> bool:
    """Tell whether a file is a signed list rather than CSV.

    >>> is_signed_file(b' {"text": ""}'), is_signed_file(b"id,last_name")
    (True, False)
    """
    return content.lstrip()[:1] == b"{"


def read_shared(content: bytes, *, kind: ListKind, trusted: Mapping[str, str]) -> SharedList:
    """Return the list in a signed file, as one of the trusted houses signed it. Raises Refused."""
    try:
        signed = json.loads(content)
        text, key_mark, signature = (_text(signed[name]) for name in _PARTS)
        source = _source_of(text, key_mark, signature, trusted)
        said = json.loads(text)
        shared = SharedList(
            source, _text(said["property"]), _instant(said["made_at"]), _people(said, source)
        )
        named = ListKind(said["list"])
        if said["format"] != FORMAT:
            raise ValueError("another format")
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise refuse(
            "file_malformed", "This isn’t a signed list. Ask the other property for it again."
        ) from None
    if named is not kind:
        raise refuse(
            "other_list", f"The file is a {named.label} list. Choose {named.label}, and compare."
        )
    return shared


_PARTS: Final = ("text", "key_mark", "signature")


def _source_of(text: str, key_mark: str, signature: str, trusted: Mapping[str, str]) -> str:
    source = next((name for name, key in trusted.items() if mark_of(key) == key_mark), None)
    if source is None:
        raise refuse(
            "unknown_key",
            "The file is signed by a key that isn’t in the setting “Properties whose lists are "
            "imported”. Compare the key with the property, and propose it.",
            CONFLICT,
        )
    if not is_signed(trusted[source], Purpose.LIST, text, signature):
        raise refuse(
            "signature_wrong",
            f"The signature isn’t of this list. Ask {source} for the file again.",
            CONFLICT,
        )
    return source


def _people(said: Any, source: str) -> tuple[Listed, ...]:
    rows = said["rows"]
    if not isinstance(rows, list) or len(rows) > ROWS_MAX:
        raise ValueError("no rows, or too many")
    people = [
        _from(read_row(number, {name: _text(cell) for name, cell in row.items()}), source)
        for number, row in enumerate(rows, 1)
    ]
    if len({each.external_id for each in people}) != len(people):
        raise ValueError("an id twice")
    return tuple(people)


def _from(listed: Listed, source: str) -> Listed:
    """Return a person as they are listed here: by an id that names the other house."""
    known = prefix_of(source) + listed.external_id
    if len(known) > ID_MAX:
        known = prefix_of(source) + digest(listed.external_id)[:_DIGEST_LENGTH]
    return replace(listed, external_id=known)


def _text(value: Any) -> str:
    if not isinstance(value, str) or not is_plain(value):
        raise ValueError("no text")
    return value


def _instant(value: Any) -> datetime:
    instant = datetime.fromisoformat(_text(value))
    if instant.utcoffset() is None:
        raise ValueError("an instant of no zone")
    return instant


@dataclass(frozen=True, slots=True)
class TrustedHouses:
    """The houses whose lists are imported: a short name and the public key of each, one a line."""

    def read(self, keyed: str) -> dict[str, str]:
        """Return the keys by name, as they are stored. Every line that is wrong is named.

        >>> from pitboss.rules.group.signing import public_key
        >>> TrustedHouses().read(f"lakeside {public_key('00' * 32)}")["lakeside"][:8]
        '3b6a27bc'
        >>> TrustedHouses().read("")
        {}
        """
        trusted: dict[str, str] = {}
        refusals = []
        for number, line in enumerate(filter(None, map(str.strip, keyed.splitlines())), 1):
            found = _TRUSTED.fullmatch(line)
            is_new = found and found[1] not in trusted and found[2] not in trusted.values()
            if found is None or not is_new or not is_public_key(found[2]):
                message = (
                    f"Line {number}, {quoted(line)}, isn’t a property and its key. {self.hint}"
                )
                refusals.append(Refusal("houses_malformed", message))
            else:
                trusted[found[1]] = found[2]
        if len(trusted) > _SOURCES_MAX:
            refusals.append(
                Refusal("houses_malformed", f"List {_SOURCES_MAX} properties or fewer.")
            )
        if refusals:
            raise Refused(refusals[:8])
        return trusted

    def words(self, value: Mapping[str, str]) -> str:
        return ", ".join(f"{name} ({mark_of(key)})" for name, key in value.items()) or "None."

    def text(self, value: Mapping[str, str]) -> str:
        return "\n".join(f"{name} {key}" for name, key in value.items())

    @property
    def hint(self) -> str:
        return (
            "Enter one property per line: a short name of a to z, 0 to 9, and hyphens, then its "
            "public key of 64 hex digits."
        )
