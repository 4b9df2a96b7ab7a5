"""All that a slip says on paper, as plain values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime

from pitboss.paper.forms import Form, Part
from pitboss.rules.day.zone_names import zone_name


@dataclass(frozen=True, slots=True)
class SignatureLine:
    """One line to sign on: whose it is, and once signed by whom, when and over what."""

    step: str
    role: str
    signed_as: str | None = None
    signed_at: datetime | None = None
    shown_hash: str = ""
    # No one will sign it any more: the slip was voided or went back.
    is_closed: bool = False


@dataclass(frozen=True, slots=True)
class SignatureGroup:
    """The lines of one track of the slip."""

    heading: str
    lines: tuple[SignatureLine, ...]


@dataclass(frozen=True, slots=True)
class Note:
    """Something the slip says besides its figures: a heading and a text."""

    heading: str
    text: str
    is_grave: bool = False


@dataclass(frozen=True, slots=True)
class Figure:
    """A line of a box's count. Unseen figures are drawn as a blank line."""

    name: str
    pieces: int | None = None
    amount_cents: int | None = None
    is_sum: bool = False


@dataclass(frozen=True, slots=True)
class PatronHand:
    """Where a patron signs by hand: who they are, and once signed what they drew and showed."""

    name: str
    strokes: tuple[tuple[tuple[int, int], ...], ...] = ()
    matched_with: str = ""


@dataclass(frozen=True, slots=True)
class Issue:
    """This very paper: who had it made, when, and the number of the copy; none is for viewing."""

    by: str
    at: datetime
    copy: int | None
    # The parts on it were never printed before, although others of the slip were.
    has_new_parts: bool = False

    @property
    def is_reprint(self) -> bool:
        return self.copy is not None and self.copy > 1 and not self.has_new_parts


@dataclass(frozen=True, slots=True)
class SlipPaper:
    """All that a slip says on paper. Times are by the property's clock."""

    form: Form
    parts: tuple[Part, ...]
    title: str
    property_name: str
    serial: str
    gaming_day: date
    raised_at: datetime
    shift: str
    pit: str
    table: str
    game: str
    cheques: Mapping[int, int]
    # What someone counted who was to record it, if the slip has such a step.
    counted: Mapping[int, int] | None
    has_count: bool
    groups: tuple[SignatureGroup, ...]
    notes: tuple[Note, ...]
    # VOID, RETURNED, LATE: written across every part.
    mark: str
    issue: Issue
    # Which opening of the gaming day a count belongs to.
    opening: int | None = None
    # What a counted tray should have held, once it may be told.
    expected: Mapping[int, int] | None = None
    # Colors that were counted too and of which there may be none.
    colours: tuple[int, ...] = ()
    figures: tuple[Figure, ...] = ()
    facts: tuple[Note, ...] = ()
    # What one part says that the others do not, by the part's name.
    part_notes: Mapping[str, Note] = field(default_factory=dict)
    is_late: bool = False
    # The person who signs it by hand, for slips that a patron signs.
    patron: PatronHand | None = None

    @property
    def differs(self) -> bool:
        return self.expected is not None and {c: n for c, n in self.expected.items() if n} != {
            c: n for c, n in self.cheques.items() if n
        }


def written_at(moment: datetime) -> str:
    """Write an instant to the second, with its zone: an hour comes twice on one night a year."""
    return f"{moment:%b %-d, %Y %H:%M:%S} {zone_name(moment)}"
