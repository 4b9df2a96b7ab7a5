"""Drop boxes with tags, and the run on which many are pulled.

A run is one continuous drop of many boxes. The officer signs at its start, one supervisor joins for
each pit, surveillance watches, and each table takes two scans: the tag of the old box and that of
the new one. It ends when every table is pulled, or has a reason why its box stays.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum, unique
from typing import Final

from pitboss.rules.refusal import CONFLICT, NOT_YOURS, Refusal

DROP_RUN: Final = "drop_run"
TAG_MAX: Final = 20
TAGS_MAX: Final = 300
REASON_MAX: Final = 120
_TAG: Final = re.compile(r"[A-Z0-9][A-Z0-9.-]{0,19}", re.ASCII)


@unique
class BoxKind(StrEnum):
    """What a box is for."""

    REGULAR = "regular"
    EMERGENCY = "emergency"
    # With a compartment for each shift.
    MULTI = "multi"


@unique
class BoxPlace(StrEnum):
    """Where a box is. It is in one place at a time."""

    STORE = "store"
    TROLLEY = "trolley"
    TABLE = "table"
    COUNT_ROOM = "count_room"

    @property
    def label(self) -> str:
        return self.value.replace("_", " ")


def read_tag(scanned: str) -> str:
    """Return a tag as it is stored, or nothing where it is none.

    >>> read_tag(" b-207 "), read_tag("two words"), read_tag("")
    ('B-207', '', '')
    """
    tag = scanned.strip().upper()
    return tag if _TAG.fullmatch(tag) else ""


def read_tags(entered: str) -> tuple[list[str], list[Refusal]]:
    """Return the tags of a list in their order, each once, and why some are none.

    A run of numbers may be entered by its ends.

    >>> read_tags("4001-4003, b-7 4002")[0]
    ['4001', '4002', '4003', 'B-7']
    """
    tags: dict[str, None] = {}
    bad: list[str] = []
    for word in entered.replace(",", " ").split():
        ends = re.fullmatch(r"([0-9]{1,9})-([0-9]{1,9})", word, re.ASCII)
        if ends is not None and 0 <= int(ends[2]) - int(ends[1]) < TAGS_MAX:
            width = len(ends[1])
            tags |= {f"{number:0{width}}": None for number in range(int(ends[1]), int(ends[2]) + 1)}
        elif tag := read_tag(word):
            tags[tag] = None
        else:
            bad.append(word[:TAG_MAX])
    refusals = [
        Refusal("bad_tag", f"“{word}” isn’t a valid tag. Use letters, digits, and dashes.")
        for word in bad
    ]
    if len(tags) > TAGS_MAX:
        refusals.append(Refusal("too_many_tags", f"Enter {TAGS_MAX} tags or fewer at a time."))
    return list(tags), refusals


@dataclass(frozen=True, slots=True)
class ScannedBox:
    """A box as a scan finds it."""

    tag: str
    place: BoxPlace
    # The table that it is on.
    table: str = ""


@dataclass(frozen=True, slots=True)
class ScanFacts:
    """What decides whether a box may be pulled on a run."""

    table: str
    # The tables of the run, and those that are done or left.
    tables: Collection[str]
    settled: Collection[str]
    is_open: bool
    is_watched: bool
    is_joined: bool
    pit: str
    by_officer: bool
    old_tag: str
    new_tag: str
    old: ScannedBox | None
    new: ScannedBox | None
    # The tag of the box that is on the table, as far as is known.
    on_table: str = ""


def scan_refusals(facts: ScanFacts) -> list[Refusal]:
    """Return every reason why this box may not be pulled on this run now."""
    return [
        *_run_refusals(facts),
        *_table_refusals(facts),
        *_old_refusals(facts),
        *_new_refusals(facts),
    ]


def _run_refusals(facts: ScanFacts) -> list[Refusal]:
    if not facts.is_open:
        return [Refusal("run_ended", "This run has ended. Start another one.", CONFLICT)]
    refusals = []
    if not facts.by_officer:
        refusals.append(
            Refusal("not_the_officer", "Only the officer who started this run can scan.", NOT_YOURS)
        )
    if not facts.is_watched:
        refusals.append(
            Refusal(
                "not_watched",
                "Surveillance isn’t watching yet. They tap “We are watching” on their screen.",
            )
        )
    if not facts.is_joined:
        refusals.append(
            Refusal("pit_not_joined", f"No supervisor has joined for {facts.pit}. Ask one to sign.")
        )
    return refusals


def _table_refusals(facts: ScanFacts) -> list[Refusal]:
    if facts.table not in facts.tables:
        return [Refusal("not_on_the_run", f"{facts.table} isn’t on this run. Check the list.")]
    if facts.table in facts.settled:
        return [
            Refusal(
                "already_scanned", f"{facts.table} is already done. Go to the next table.", CONFLICT
            )
        ]
    return []


def _old_refusals(facts: ScanFacts) -> list[Refusal]:
    old = facts.old
    if old is None:
        return [_unknown(facts.old_tag, "old")]
    if old.place is BoxPlace.TABLE and old.table != facts.table:
        return [Refusal("other_table", f"Box {old.tag} belongs to {old.table}. Check the table.")]
    if facts.on_table and old.tag != facts.on_table:
        return [
            Refusal(
                "other_box",
                f"Box {facts.on_table} is on {facts.table}, not {old.tag}. Scan it again.",
            )
        ]
    if old.place is BoxPlace.COUNT_ROOM:
        return [
            Refusal(
                "box_not_counted",
                f"Box {old.tag} is in the count room. Scan the one here.",
                CONFLICT,
            )
        ]
    return []


def _new_refusals(facts: ScanFacts) -> list[Refusal]:
    new = facts.new
    if new is None:
        return [_unknown(facts.new_tag, "new")]
    if new.tag == facts.old_tag:
        return [Refusal("same_box", "Both tags are the same. Scan the new box.")]
    return box_refusals(new)


def _unknown(tag: str, which: str) -> Refusal:
    if not tag:
        return Refusal("box_missing", f"Scan the {which} box.")
    return Refusal("unknown_box", f"Box {tag} isn’t on file. Register it, or scan it again.")


def box_refusals(box: ScannedBox) -> list[Refusal]:
    """Return why a box may not go on a table: it is on another one, or it is not empty."""
    if box.place is BoxPlace.TABLE:
        return [
            Refusal(
                "box_on_a_table", f"Box {box.tag} is on {box.table}. Use another box.", CONFLICT
            )
        ]
    if box.place is BoxPlace.COUNT_ROOM:
        return [
            Refusal(
                "box_not_counted", f"Box {box.tag} isn’t counted yet. Use another box.", CONFLICT
            )
        ]
    return []


def start_refusals(
    pits: Sequence[str],
    tables: Sequence[str],
    busy: Mapping[str, str],
    unknown: Sequence[str],
    not_free: Sequence[ScannedBox],
) -> list[Refusal]:
    """Return why a run may not start: without pits or tables, twice in a pit, with other boxes."""
    refusals = []
    if not pits:
        refusals.append(Refusal("pits_missing", "Choose the pits of this run."))
    elif not tables:
        refusals.append(
            Refusal(
                "nothing_to_pull",
                "No table of these pits has a box to pull. Choose others.",
                CONFLICT,
            )
        )
    refusals += [
        Refusal("pit_on_a_run", f"{pit} is already on {run}. End it first.", CONFLICT)
        for pit, run in busy.items()
    ]
    refusals += [_unknown(tag, "new") for tag in unknown]
    refusals += [refusal for box in not_free for refusal in box_refusals(box)]
    return refusals


def end_refusals(unexplained: Sequence[str], not_back: Sequence[str]) -> list[Refusal]:
    """Return why a run may not end: tables without a pull or a reason."""
    if not unexplained:
        return []
    tables = ", ".join(unexplained)
    return [
        Refusal(
            "tables_left",
            f"No box was pulled at {tables}. Pull it, or enter why it stays.",
        ),
        *(
            Refusal("dealer_waits", f"{table} asked you to wait. Go back to it.")
            for table in not_back
        ),
    ]
