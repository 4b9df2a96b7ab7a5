"""What a counting machine delivers by itself: its own file or rows, and whose boxes it names.

It is no count of anyone: a member of the session takes it in.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Final

from pitboss.rules.drop.sessions import COLUMNS, ColumnMap, read_machine_file, rows_of
from pitboss.rules.refusal import Refusal

# More would be no longer than the longest file.
ROWS_MAX: Final = 5_000
# So many boxes are named in a sentence, and the others counted.
_NAMED: Final = 5


@dataclass(frozen=True, slots=True)
class MachineRow:
    """How many bills of one kind a machine found in a box."""

    box_tag: str
    denomination_cents: int
    pieces: int
    compartment: str = ""


def file_of(name: str, rows: Iterable[MachineRow]) -> str:
    """Return rows as a file in our own columns.

    The name of the run is in it: the same bills of another run are another file.

    >>> print(file_of("run 7", [MachineRow("4011", 2_000, 3)]), end="")
    box_tag,compartment,denomination_cents,pieces,run
    4011,,2000,3,run 7
    """
    file = io.StringIO()
    out = csv.writer(file, lineterminator="\n")
    out.writerow([*COLUMNS, "run"])
    for row in rows:
        out.writerow([row.box_tag, row.compartment, row.denomination_cents, row.pieces, name])
    return file.getvalue()


def tags_in(text: str, columns: ColumnMap) -> list[str]:
    """Return the boxes that a file names, by tag. Raises Refused for another heading.

    >>> columns = ColumnMap("Bag", "", "Denom", "Qty")
    >>> tags_in("Bag,Denom,Qty\\n4012,20,1\\n4011,5,2\\n4011,1,9", columns)
    ['4011', '4012']
    """
    head, rows = rows_of(text, columns)
    whole = [row for _, row in rows if len(row) == len(head)]
    return sorted({columns.read(head, row)["box_tag"].upper() for row in whole})


def delivery_refusals(text: str, columns: ColumnMap) -> list[Refusal]:
    """Return why no session could take this in, whichever boxes it has.

    >>> columns = ColumnMap("Bag", "", "Denom", "Qty")
    >>> [each.code for each in delivery_refusals("Bag,Denom,Qty\\n4011,30,1", columns)]
    ['bad_denomination']
    """
    named = {(tag, "") for tag in tags_in(text, columns)}
    return read_machine_file(text, named, columns)[1]


def fit_refusals(named: Collection[str], boxes: Collection[str]) -> list[Refusal]:
    """Return why a session does not take in a file that names these boxes, whole as it is.

    >>> [each.code for each in fit_refusals(["4011"], ["4012"])]
    ['no_box_of_session']
    >>> fit_refusals(["4011", "4999"], ["4011"])[0].message
    'Not in this session: box 4999. Nothing of it is imported: have the machine send the others.'
    """
    strange = [tag for tag in named if tag not in boxes]
    if not strange:
        return []
    if len(strange) == len(named):
        return [
            Refusal(
                "no_box_of_session",
                "None of its boxes is in this session. Check which boxes the machine counted.",
            )
        ]
    more = f" and {len(strange) - _NAMED} more" if len(strange) > _NAMED else ""
    return [
        Refusal(
            "unknown_box",
            f"Not in this session: box {', '.join(strange[:_NAMED])}{more}. Nothing of it is "
            "imported: have the machine send the others.",
        )
    ]
