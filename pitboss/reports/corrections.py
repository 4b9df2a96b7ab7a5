"""Corrections: what was finished wrong, what it should have said, and who signed that."""

from __future__ import annotations

from collections import Counter

from pitboss.models import Slip
from pitboss.reports.book import Group, report
from pitboss.reports.report import (
    Bar,
    Chart,
    Column,
    Report,
    ReportChoice,
    ReportScope,
    Row,
    Section,
    Shape,
    Tone,
    report_link,
    row_of,
    slip_cell,
    slip_link,
)
from pitboss.rules.flows.flows import SlipStatus, Track
from pitboss.selectors.details import written_of
from pitboss.slips.kind import kinds, the_kind

KEY, PAGE = "corrections", "report_corrections"

_COLUMNS = (
    Column("slip", "Slip", Shape.CODE),
    Column("corrects", "Corrects", Shape.CODE),
    Column("table", "Table"),
    Column("what", "What"),
    Column("says", "Before and after"),
    Column("proposed_by", "Proposed by"),
    Column("approved_by", "Approved by"),
    Column("at", "Proposed", Shape.TIME, is_minor=True),
    Column("state", "State", is_minor=True),
)


@report(
    key=KEY,
    title="Corrections",
    group=Group.PEOPLE,
    says="Every correction of a finished slip, with what it changed and who signed it.",
    page=PAGE,
    asked=ReportScope(days_max=366, days_before=6),
)
def corrections(choice: ReportChoice) -> Report:
    """Return what was corrected in some gaming days, or one kind of it."""
    wanted = [kind.kind for kind in kinds() if kind.corrects and choice.of in ("", kind.title)]
    slips = list(
        Slip.objects.filter(gaming_day__range=(choice.first, choice.last), kind__in=wanted)
        .select_related("table", "refers_to")
        .prefetch_related("signatures")
        .order_by("-id")
    )
    counts = Counter(sorted(slip.title for slip in slips))
    rows = tuple(_row(slip) for slip in slips)
    return Report(
        (Section("Corrected by people who did not sign it", _COLUMNS, rows, "No corrections."),),
        chart=Chart(
            "How many",
            Shape.COUNT,
            tuple(
                Bar(title, count, link=report_link(KEY, PAGE, choice, of=title))
                for title, count in counts.items()
            ),
        )
        if counts and not choice.of
        else None,
    )


def _row(slip: Slip) -> Row:
    signatures = [
        signature for signature in slip.signatures.all() if signature.track == Track.MAIN.value
    ]
    first, *others = signatures
    is_open = slip.status == SlipStatus.OPEN.value
    return row_of(
        slip_cell(slip.serial),
        slip_cell(slip.refers_to.serial) if slip.refers_to else None,
        str(slip.table or slip.details.get("table", "")),
        slip.title,
        _says(slip),
        f"{first.signed_as}: {slip.reason}" if slip.reason else first.signed_as,
        ", ".join(other.signed_as for other in others) or None,
        slip.raised_at,
        slip.get_status_display(),
        tone=Tone.WAIT if is_open else Tone.PLAIN,
        opens=slip_link(slip.serial),
    )


def _says(slip: Slip) -> str:
    """Return what a correction changes; of a patron only what their own page tells."""
    readers = the_kind(slip.kind).readers
    if readers is None or readers.names_patron:
        return ""
    changes = [f"{name}: {words}" for name, words in written_of(slip) if "corrected to" in words]
    return "; ".join(changes)
