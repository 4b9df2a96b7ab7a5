"""One sitting of the count team: who may count which box, what is posted, and files of a machine.

The first count of a box and the second are by different members, and the second does not see the
first. The main bank counts the cash before it sees the total.
"""

from __future__ import annotations

import csv
import io
import re
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
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

COLUMNS: Final = ("box_tag", "compartment", "denomination_cents", "pieces")
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
    # Who entered the first count, if anyone did, and whether that is whoever enters now.
    has_first: bool = False
    by_first: bool = False
    is_settled: bool = False


def entry_refusals(facts: EntryFacts) -> list[Refusal]:
    """Return every reason why this count may not be entered now."""
    if not facts.is_open:
        return [Refusal("session_closed", "This session is closed. Nothing is counted.", CONFLICT)]
    refusals = []
    if not facts.is_member:
        refusals.append(Refusal("not_a_member", "Only members of this session count.", NOT_YOURS))
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
        refusals.append(Refusal("not_in_session", f"Box {facts.box} isn’t part of this session."))
    elif facts.is_settled:
        refusals.append(Refusal("already_counted", f"Box {facts.box} was counted twice.", CONFLICT))
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
                "You are a member of this session. Someone who did not count signs this.",
                CONFLICT,
            )
        ]
    return []


# A box by its tag, and its compartment where it has some.
BoxKey = tuple[str, str]


def read_machine_file(
    text: str, boxes: Collection[BoxKey]
) -> tuple[dict[BoxKey, dict[str, int]], list[Refusal]]:
    """Return the bills of each box in a counting machine's file, and every reason against it.

    A box without compartments is the same whatever its file says of one.

    >>> head = "box_tag,compartment,denomination_cents,pieces"
    >>> read_machine_file(f"{head}\\n4011,A,2000,3\\n", {("4011", "")})
    ({('4011', ''): {'cash_2000': 6000}}, [])
    """
    rows = list(csv.reader(io.StringIO(text, newline=""), strict=False))
    head = [word.strip().lower() for word in rows[0]] if rows else []
    if sorted(head) != sorted(COLUMNS):
        raise refuse(
            "bad_header", f"The first row isn’t the header. It must be: {', '.join(COLUMNS)}."
        )
    counts: defaultdict[BoxKey, dict[str, int]] = defaultdict(dict)
    refusals: list[Refusal] = []
    for number, row in enumerate(rows[1:], 2):
        if not any(word.strip() for word in row):
            continue
        if len(row) != len(head):
            refusals.append(
                Refusal("bad_row", f"Line {number} has {len(row)} columns, not {len(head)}.")
            )
            continue
        named = dict(zip(head, (word.strip() for word in row), strict=True))
        refusals += _read_row(number, named, boxes, counts)
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
    if key not in boxes and any(each == tag for each, _ in boxes):
        refusals.append(
            Refusal(
                "unknown_compartment",
                f"Line {number}: box {quoted(tag)} has nothing to count in compartment "
                f"{quoted(key[1])}.",
            )
        )
    elif key not in boxes:
        refusals.append(
            Refusal("unknown_box", f"Line {number}: box {quoted(tag)} isn’t in this session.")
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
