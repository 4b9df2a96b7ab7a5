"""How the cast enters what was done on paper, and compares and approves it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from pitboss.models import Person, Slip, Table
from pitboss.services.signing import Entry
from pitboss.slips.kind import Raising
from pitboss.slips.raising import raise_kind, shown_before
from tables.kinds.late import CODES, CORRECTION, LATE_CREDIT, LATE_FILL
from tests.floor.cast import Cast
from tests.floor.outages import ready

LATE = {10_000: 10}


def late_paper(
    what: str,
    table: Table,
    true_time: datetime,
    *,
    number: str,
    cheques: Mapping[int, int] = LATE,
    corrects: bool = False,
) -> Raising:
    """Return a paper about to be entered."""
    kind = CORRECTION if corrects else {"fill": LATE_FILL, "credit": LATE_CREDIT}[what]
    return kind.at(
        table,
        dict(cheques),
        what=what,
        paper_number=number,
        true_time=true_time.isoformat(),
        signers="A. Smith, B. Jones",
    )


def key(
    cast: Cast,
    what: str,
    true_time: datetime,
    *,
    number: str = "",
    cheques: Mapping[int, int] = LATE,
    corrects: bool = False,
    by: Person | None = None,
    reason: str = "The line was down from nine to ten.",
    table: Table | None = None,
) -> Slip:
    """Enter a paper as Alice, from the next form of its kind."""
    table = Table.objects.get(pk=(table or cast.table).pk)
    number = number or ready(cast, CODES[what], true_time)
    paper = late_paper(what, table, true_time, number=number, cheques=cheques, corrects=corrects)
    pen = cast.pen(by or cast.alice)
    return raise_kind(paper, pen=pen, shown=shown_before(paper), reason=reason)


def top_sign(cast: Cast, slip: Slip) -> None:
    """Let a manager of the pit sign for high cheques of a paper, where it has any."""
    if any(step["name"] == "top_signed" for step in slip.plan):
        cast.sign(slip, "top_signed", cast.mike)


def approve(cast: Cast, slip: Slip) -> None:
    """Let everybody sign a paper whom it waits for."""
    top_sign(cast, slip)
    who, entry = cast.carol, Entry()
    if slip.kind == "correction":
        who, entry = cast.heidi, Entry(reason="I hold the paper in my hand.")
    cast.sign(slip, "approved", who, entry=entry)
    slip.refresh_from_db()
