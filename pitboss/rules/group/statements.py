"""The statement of a closed gaming day: its one text, and the proof that it is what a house signed.

Statements are numbered without a gap. Each names the digest of the one before, the newest seal of
the journal, and what its house sealed since the statement before. So one that is changed, left out,
told twice in two ways, or told by a database that was set back, does not fit.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Final

from pitboss.rules.canonical import canonical, digest, is_plain
from pitboss.rules.group.signing import Purpose, is_signed
from pitboss.rules.refusal import CONFLICT, Refusal, Refused, refuse

FORMAT: Final = "pitboss.statement/1"
# What a house of several hundred tables says in a day is a tenth of it.
CHARACTERS_MAX: Final = 4_000_000
_LARGEST: Final = 2**53

# The amounts of a table, each in the order of the master game report.
AMOUNTS: Final = (
    "opening_cents",
    "closing_cents",
    "fills_cents",
    "credits_cents",
    "markers_cents",
    "marker_payments_cents",
    "marker_cash_cents",
    "jackpots_cents",
)
# Known once every box is counted and posted; an estimate where someone made one.
LATE_AMOUNTS: Final = ("estimated_cents", "drop_cents", "statistical_drop_cents", "win_cents")


@dataclass(frozen=True, slots=True)
class TableLine:
    """What one table did in a gaming day."""

    table: str
    pit: str
    game: str
    opening_cents: int
    closing_cents: int
    fills_cents: int
    credits_cents: int
    markers_cents: int
    marker_payments_cents: int
    marker_cash_cents: int
    jackpots_cents: int
    estimated_cents: int | None
    drop_cents: int | None
    statistical_drop_cents: int | None
    win_cents: int | None

    @property
    def adds_up(self) -> bool:
        """Whether win is what the other figures make it, and stands where there is a drop."""
        if self.drop_cents is None:
            return self.win_cents is None and self.statistical_drop_cents is None
        return (
            self.win_cents
            == self.closing_cents
            + self.credits_cents
            + self.drop_cents
            + self.markers_cents
            - self.opening_cents
            - self.fills_cents
            - self.marker_payments_cents
            and self.statistical_drop_cents
            == self.drop_cents + self.markers_cents - self.marker_cash_cents
        )

    def as_text(self) -> dict[str, Any]:
        """Return the line as its statement says it."""
        return {name: getattr(self, name) for name in _COLUMNS}


_NAMES: Final = ("table", "pit", "game")
_COLUMNS: Final = (*_NAMES, *AMOUNTS, *LATE_AMOUNTS)


@dataclass(frozen=True, slots=True)
class SealMark:
    """One seal of a house's journal, by its number and its link."""

    number: int
    link: str

    def as_text(self) -> dict[str, Any]:
        """Return the seal as a statement says it."""
        return {"number": self.number, "link": self.link}


@dataclass(frozen=True, slots=True)
class Statement:
    """What a house says of one closed gaming day. A restated day is a new version of it."""

    house: str
    number: int
    # The digest of the statement before; empty for the first.
    previous: str
    gaming_day: date
    version: int
    closed_on: str
    closed_at: datetime
    stated_at: datetime
    seal: SealMark
    sealed_at: datetime
    # The seal of the statement before as the house has it now, and a digest of all since.
    since: SealMark | None
    seals_digest: str
    exceptions: int
    carried_over: int
    tables: tuple[TableLine, ...]

    @property
    def is_final(self) -> bool:
        """Whether every box of the day is counted and posted."""
        return all(line.win_cents is not None for line in self.tables)

    @property
    def text(self) -> str:
        """The one text that is signed."""
        return canonical(
            {
                "format": FORMAT,
                "property": self.house,
                "number": self.number,
                "previous": self.previous,
                "gaming_day": self.gaming_day.isoformat(),
                "version": self.version,
                "closed_on": self.closed_on,
                "closed_at": self.closed_at.isoformat(),
                "stated_at": self.stated_at.isoformat(),
                "seal": self.seal.as_text(),
                "sealed_at": self.sealed_at.isoformat(),
                "since": self.since.as_text() if self.since else None,
                "seals_digest": self.seals_digest,
                "exceptions": self.exceptions,
                "carried_over": self.carried_over,
                "tables": [line.as_text() for line in self.tables],
            }
        )


def seals_digest(links: Sequence[str]) -> str:
    """Return one digest for the links of several seals, in their order.

    >>> seals_digest([]) == seals_digest(["a"])
    False
    """
    return digest("\n".join(links))


def read_statement(text: str) -> Statement:
    """Return what a text says. Raises Refused where it is no statement of a known format."""
    try:
        if len(text) > CHARACTERS_MAX or not is_plain(text):
            raise ValueError("too long, or nothing that can be stored")
        said = json.loads(text)
        if said["format"] != FORMAT:
            raise refuse(
                "statement_format",
                f"The format of the statement isn’t {FORMAT}. Update the group desk.",
                CONFLICT,
            )
        statement = Statement(
            house=_name(said["property"]),
            number=_count(said["number"]),
            previous=_name(said["previous"], least=0),
            gaming_day=date.fromisoformat(said["gaming_day"]),
            version=_count(said["version"]),
            closed_on=_name(said["closed_on"]),
            closed_at=_instant(said["closed_at"]),
            stated_at=_instant(said["stated_at"]),
            seal=_seal(said["seal"]),
            sealed_at=_instant(said["sealed_at"]),
            since=None if said["since"] is None else _seal(said["since"]),
            seals_digest=_name(said["seals_digest"], least=0),
            exceptions=_count(said["exceptions"]),
            carried_over=_count(said["carried_over"]),
            tables=tuple(_line(each) for each in said["tables"]),
        )
    except (ValueError, KeyError, TypeError, RecursionError):
        raise _malformed() from None
    # What is read is all that was signed: nothing stands in the text that no one sees.
    if statement.text != text:
        raise _malformed()
    return statement


def _malformed() -> Refused:
    return refuse(
        "statement_malformed",
        "The statement can’t be read. Notify the property that sent it.",
        CONFLICT,
    )


def _name(value: Any, least: int = 1) -> str:
    if not isinstance(value, str) or not least <= len(value) <= 200:
        raise ValueError("no name")
    return value


def _count(value: Any) -> int:
    if type(value) is not int or not 0 <= value <= _LARGEST:
        raise ValueError("no count")
    return value


def _amount(value: Any) -> int:
    if type(value) is not int or abs(value) > _LARGEST:
        raise ValueError("no amount")
    return value


def _instant(value: Any) -> datetime:
    instant = datetime.fromisoformat(value)
    if instant.utcoffset() is None:
        raise ValueError("an instant of no zone")
    return instant


def _seal(said: Any) -> SealMark:
    return SealMark(_count(said["number"]), _name(said["link"], least=0))


def _line(said: Any) -> TableLine:
    read: dict[str, Any] = {name: _name(said[name], least=0) for name in _NAMES}
    read |= {name: _amount(said[name]) for name in AMOUNTS}
    read |= {name: None if said[name] is None else _amount(said[name]) for name in LATE_AMOUNTS}
    return TableLine(**read)


@dataclass(frozen=True, slots=True)
class Held:
    """What a group holds of a house: its newest statement, and the versions of each day."""

    number: int
    digest: str
    house: str
    seal: SealMark
    # The newest version of the day that comes next; 0 where none is held.
    version: int = 0


NOTHING_HELD: Final = Held(0, "", "", SealMark(0, ""))


def proof_refusals(
    statement: Statement, *, key_mark: str, signature: str, keys: Mapping[str, str], held: Held
) -> list[Refusal]:
    """Return every reason why a statement is not the next one that its house signed."""
    wrong = []
    key = keys.get(key_mark)
    if key is None:
        wrong.append(
            Refusal(
                "unknown_key",
                f"It is signed by key {key_mark}, which isn’t on file. Compare it with the "
                "property, and add it.",
                CONFLICT,
            )
        )
    elif not is_signed(key, Purpose.STATEMENT, statement.text, signature):
        wrong.append(
            Refusal(
                "signature_wrong",
                "The signature isn’t of this text. Ask the property what was changed.",
                CONFLICT,
            )
        )
    return [*wrong, *_order_refusals(statement, held), *_figure_refusals(statement)]


def _order_refusals(statement: Statement, held: Held) -> list[Refusal]:
    wrong = []
    if held.house and statement.house != held.house:
        wrong.append(
            Refusal(
                "other_property",
                f"It is of {statement.house}, not of {held.house}. Check the address.",
                CONFLICT,
            )
        )
    if statement.number != held.number + 1 or statement.previous != held.digest:
        wrong.append(
            Refusal(
                "chain_broken",
                f"Statement {statement.number} doesn’t follow statement {held.number} that was "
                "received. Ask the property what became of it.",
                CONFLICT,
            )
        )
    if statement.version != held.version + 1:
        wrong.append(
            Refusal(
                "version_wrong",
                f"It is version {statement.version} of {statement.gaming_day:%b %-d, %Y}, and "
                f"version {held.version + 1} is next. Ask the property for the other.",
                CONFLICT,
            )
        )
    expected = held.seal if held.number else None
    if statement.since != expected or statement.seal.number < held.seal.number:
        wrong.append(
            Refusal(
                "seals_broken",
                f"Its seals don’t go on from seal {held.seal.number}, as it was received. The "
                "database of the property was set back, or changed. Ask its auditor.",
                CONFLICT,
            )
        )
    return wrong


def _figure_refusals(statement: Statement) -> list[Refusal]:
    names = [line.table for line in statement.tables]
    off = [line.table for line in statement.tables if not line.adds_up]
    if len(set(names)) == len(names) and not off:
        return []
    return [
        Refusal(
            "figures_wrong",
            f"The figures of {', '.join(off) or 'its tables'} don’t add up. Notify accounting of "
            "the property.",
            CONFLICT,
        )
    ]


def digest_of(statement: Statement) -> str:
    """Return what the next statement names this one by."""
    return digest(statement.text)
