"""One sitting of the count team: who may count which box, what is posted, and files of a machine.

The first count of a box and the second are by different members, and the second does not see the
first. The main bank counts the cash before it sees the total.
"""

from __future__ import annotations

import csv
import io
import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from pitboss.rules.cheques.cheques import format_money, read_money
from pitboss.rules.drop.figures import BILLS_CENTS, lines_in
from pitboss.rules.flows.flows import PlanFacts
from pitboss.rules.quoting import quoted
from pitboss.rules.refusal import CONFLICT, NOT_YOURS, Refusal, refuse

COUNT_SESSION: Final = "count_session"
FIRST: Final = 1
SECOND: Final = 2
# A session whose house asks for three members has a step for the third.
THREE: Final = "three"

# The second count is of each box, or one of all boxes together by denomination.
PER_BOX: Final = "per_box"
IN_TOTAL: Final = "total"

COLUMNS: Final = ("box_tag", "compartment", "denomination_cents", "pieces")
COLUMN_MAX: Final = 40
FILE_MAX: Final = 500_000
_PIECES: Final = re.compile(r"[0-9]{1,6}", re.ASCII)


def has_third(facts: PlanFacts) -> bool:
    """Tell whether three members count."""
    return THREE in facts.marks


@dataclass(frozen=True, slots=True)
class EntryFacts:
    """What decides whether a member may enter a count of a box."""

    is_open: bool
    is_tested: bool
    is_member: bool
    in_room: int
    least: int
    box: str
    is_of_session: bool
    turn: int
    # Who entered the first count, if anyone did, and whether that is the person who enters now.
    has_first: bool = False
    by_first: bool = False
    is_settled: bool = False
    # A member who left the room with badge and PIN, and is not back.
    is_away: bool = False


def entry_refusals(facts: EntryFacts) -> list[Refusal]:
    """Return every reason why this count may not be entered now."""
    if not facts.is_open:
        return [Refusal("session_closed", "This session is closed. Nothing is counted.", CONFLICT)]
    refusals = []
    if not facts.is_member:
        refusals.append(
            Refusal("not_a_member", "Only members of this session count. Join it first.", NOT_YOURS)
        )
    if facts.is_away:
        refusals.append(
            Refusal("not_in_room", "You left the room. Come back with badge and PIN.", NOT_YOURS)
        )
    if facts.in_room < facts.least:
        refusals.append(
            Refusal(
                "session_paused",
                f"{facts.in_room} of {facts.least} members are in the room. Wait for the others.",
            )
        )
    if not facts.is_tested:
        refusals.append(
            Refusal("not_tested", "The counter isn’t tested yet. Two members test it and sign.")
        )
    if not facts.is_of_session:
        refusals.append(
            Refusal(
                "not_in_session", f"Box {facts.box} isn’t part of this session. Scan another one."
            )
        )
    elif facts.is_settled:
        refusals.append(
            Refusal(
                "already_counted",
                f"Box {facts.box} was counted twice. Open the next box.",
                CONFLICT,
            )
        )
    elif facts.turn == SECOND and not facts.has_first:
        refusals.append(
            Refusal("first_missing", f"Box {facts.box} has no first count yet. Enter it first.")
        )
    elif facts.turn == SECOND and facts.by_first:
        refusals.append(
            Refusal(
                "counted_first",
                f"You entered the first count of box {facts.box}. Another member counts again.",
                NOT_YOURS,
            )
        )
    return refusals


def unequal_lines(first: Mapping[str, int], second: Mapping[str, int]) -> list[str]:
    """Return the lines in which two counts of a box are not the same.

    >>> unequal_lines({"cash_2000": 6_000, "documents": 1}, {"cash_2000": 4_000, "documents": 1})
    ['$20 bills']
    """
    return [
        line.title
        for line in lines_in(first, second)
        if first.get(line.key, 0) != second.get(line.key, 0)
    ]


def second_refusals(box: str, first: Mapping[str, int], second: Mapping[str, int]) -> list[Refusal]:
    """Return why a second count does not stand: the lines, and no figure of the first."""
    lines = unequal_lines(first, second)
    if not lines:
        return []
    return [
        Refusal(
            "counts_differ",
            f"Box {box}: the counts don’t match in {', '.join(lines)}. Count the box again.",
        )
    ]


def sum_of(counts: Iterable[Mapping[str, int]]) -> dict[str, int]:
    """Return the counts of several boxes as one, line by line.

    >>> sum_of([{"cash_2000": 6_000}, {"cash_2000": 4_000}])["cash_2000"]
    10000
    """
    every = list(counts)
    return {line.key: sum(item.get(line.key, 0) for item in every) for line in lines_in(*every)}


@dataclass(frozen=True, slots=True)
class TotalFacts:
    """What decides whether a member may enter the second count of all boxes together."""

    in_total: bool
    # Boxes without a first count, and whether whoever enters now counted one of them first.
    uncounted: Sequence[str]
    counted_first: bool
    is_settled: bool


def total_refusals(facts: TotalFacts) -> list[Refusal]:
    """Return every reason why no second count in total is entered now."""
    if not facts.in_total:
        return [Refusal("second_per_box", "Each box is counted twice here. Open the next box.")]
    if facts.is_settled:
        return [
            Refusal("already_counted", "The boxes were counted twice. Close the session.", CONFLICT)
        ]
    refusals = []
    if facts.uncounted:
        boxes = ", ".join(facts.uncounted)
        refusals.append(Refusal("first_missing", f"No first count yet: {boxes}. Enter it first."))
    if facts.counted_first:
        refusals.append(
            Refusal(
                "counted_first",
                "You entered a first count. A member who didn’t must count the total.",
                NOT_YOURS,
            )
        )
    return refusals


def total_differs(first: Mapping[str, int], second: Mapping[str, int]) -> list[Refusal]:
    """Return why a second count in total does not stand: the lines, and no figure of the first."""
    lines = unequal_lines(first, second)
    if not lines:
        return []
    return [
        Refusal(
            "counts_differ",
            f"The counts don’t match in {', '.join(lines)}. Count the cash of all boxes again.",
        )
    ]


def close_refusals(uncounted: Sequence[str], *, is_member: bool) -> list[Refusal]:
    """Return why a session may not be closed by this person now."""
    refusals = []
    if not is_member:
        refusals.append(
            Refusal("not_a_member", "Only members of this session close it.", NOT_YOURS)
        )
    if uncounted:
        boxes = ", ".join(uncounted)
        refusals.append(
            Refusal("boxes_left", f"Not counted twice: {boxes}. Count them, then close.")
        )
    return refusals


def accept_refusals(counted: str, total_cents: int) -> list[Refusal]:
    """Return why the main bank does not accept the cash: it counted another amount.

    >>> accept_refusals("16,465", 1_646_500)
    []
    >>> accept_refusals("16,445", 1_646_500)[0].message
    'The counts don’t match: $20 short. The cash stays in the count room. Count it again.'
    """
    cents = read_money(counted.strip())
    if cents is None:
        return [Refusal("bad_amount", "Amount isn’t valid. Enter dollars, like 16,445.")]
    gap = cents - total_cents
    if not gap:
        return []
    words = f"{format_money(abs(gap))} {'over' if gap > 0 else 'short'}"
    return [
        Refusal(
            "cash_differs",
            f"The counts don’t match: {words}. The cash stays in the count room. Count it again.",
        )
    ]


def outsider_refusals(badge: str, members: Collection[str]) -> list[Refusal]:
    """Return why a member may not accept or post what they counted."""
    if badge in members:
        return [
            Refusal(
                "signed_before",
                "You are a member of this session. Someone who didn’t count must sign this.",
                CONFLICT,
            )
        ]
    return []


@dataclass(frozen=True, slots=True)
class ColumnMap:
    """What a counting machine calls the columns of its file, and in what it names a bill."""

    box_tag: str = COLUMNS[0]
    # Empty where the machine knows of none.
    compartment: str = COLUMNS[1]
    denomination: str = COLUMNS[2]
    pieces: str = COLUMNS[3]
    in_dollars: bool = False

    @property
    def columns(self) -> list[str]:
        named = (self.box_tag, self.compartment, self.denomination, self.pieces)
        return [name.strip().lower() for name in named if name.strip()]

    def read(self, head: Sequence[str], row: Sequence[str]) -> dict[str, str]:
        """Return a row under our own names, a bill in cents."""
        named = dict(zip(head, (word.strip() for word in row), strict=True))
        bill = named[self.denomination.strip().lower()]
        if self.in_dollars and (cents := read_money(bill)) is not None:
            bill = str(cents)
        return {
            "box_tag": named[self.box_tag.strip().lower()],
            "compartment": named.get(self.compartment.strip().lower(), ""),
            "denomination_cents": bill,
            "pieces": named[self.pieces.strip().lower()],
        }


OUR_COLUMNS: Final = ColumnMap()


def map_refusals(name: str, columns: ColumnMap) -> list[Refusal]:
    """Return why the columns of a machine cannot be saved."""
    refusals = []
    if not name.strip() or len(name) > COLUMN_MAX:
        refusals.append(Refusal("machine_name", "Enter the name of the machine."))
    named = (columns.box_tag, columns.denomination, columns.pieces)
    longest = max(map(len, (*named, columns.compartment)))
    if not all(item.strip() for item in named) or longest > COLUMN_MAX:
        refusals.append(
            Refusal("columns_missing", "Enter the columns of box, bill and pieces as in the file.")
        )
    elif len(set(columns.columns)) != len(columns.columns):
        refusals.append(Refusal("columns_twice", "Two columns have the same name. Check them."))
    return refusals


# A box by its tag, and its compartment where it has some.
BoxKey = tuple[str, str]


def rows_of(text: str, columns: ColumnMap) -> tuple[list[str], list[tuple[int, list[str]]]]:
    """Return the heading of a counting machine's file, and its rows by line.

    Raises Refused for a heading that its columns don't fit.
    """
    rows = list(csv.reader(io.StringIO(text, newline=""), strict=False))
    head = [word.strip().lower() for word in rows[0]] if rows else []
    # A machine may tell more than is asked; a column that stands there twice could be either.
    if any(head.count(name) != 1 for name in columns.columns):
        named = ", ".join(columns.columns)
        raise refuse("bad_header", f"The first row isn’t the header. It must have: {named}.")
    numbered = enumerate(rows[1:], 2)
    return head, [(number, row) for number, row in numbered if any(map(str.strip, row))]


def read_machine_file(
    text: str, boxes: Collection[BoxKey], columns: ColumnMap = OUR_COLUMNS
) -> tuple[dict[BoxKey, dict[str, int]], list[Refusal]]:
    """Return the bills of each box in a counting machine's file, and every reason against it.

    A box without compartments is the same whatever its file says of one.

    >>> head = "box_tag,compartment,denomination_cents,pieces"
    >>> read_machine_file(f"{head}\\n4011,A,2000,3\\n", {("4011", "")})
    ({('4011', ''): {'cash_2000': 6000}}, [])
    """
    head, rows = rows_of(text, columns)
    counts: defaultdict[BoxKey, dict[str, int]] = defaultdict(dict)
    refusals: list[Refusal] = []
    for number, row in rows:
        if len(row) != len(head):
            refusals.append(
                Refusal(
                    "bad_row",
                    f"Line {number} has {len(row)} columns, not {len(head)}. Choose another file.",
                )
            )
            continue
        refusals += _read_row(number, columns.read(head, row), boxes, counts)
    if not counts and not refusals:
        refusals.append(Refusal("file_empty", "The file names no box. Choose another file."))
    return dict(counts), refusals


def _read_row(
    number: int,
    row: Mapping[str, str],
    boxes: Collection[BoxKey],
    counts: defaultdict[BoxKey, dict[str, int]],
) -> list[Refusal]:
    tag, denomination, pieces = row["box_tag"].upper(), row["denomination_cents"], row["pieces"]
    key = (tag, "") if (tag, "") in boxes else (tag, row["compartment"].upper())
    refusals = []
    if key not in boxes and any(item == tag for item, _ in boxes):
        refusals.append(
            Refusal(
                "unknown_compartment",
                f"Line {number}: box {quoted(tag)} has nothing to count in compartment "
                f"{quoted(key[1])}. Choose another file.",
            )
        )
    elif key not in boxes:
        refusals.append(
            Refusal(
                "unknown_box",
                f"Line {number}: box {quoted(tag)} isn’t in this session. Choose another file.",
            )
        )
    bills = {str(cents) for cents in BILLS_CENTS}
    if denomination not in bills:
        refusals.append(
            Refusal("bad_denomination", f"Line {number}: {quoted(denomination)} isn’t a bill.")
        )
    elif not _PIECES.fullmatch(pieces):
        bill = format_money(int(denomination))
        refusals.append(
            Refusal(
                "not_a_multiple",
                f"Line {number}: {quoted(pieces)} isn’t an exact number of {bill} bills.",
            )
        )
    elif not refusals:
        line = f"cash_{denomination}"
        counts[key][line] = counts[key].get(line, 0) + int(denomination) * int(pieces)
    return refusals
