"""Drop boxes: what pits estimated against what was counted, and papers that were wrong in them."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from pitboss.models import FloorException, Slip
from pitboss.reports.book import Group, report
from pitboss.reports.report import (
    Cell,
    Column,
    Finding,
    Report,
    ReportChoice,
    ReportScope,
    Row,
    Section,
    Shape,
    Tone,
    row_of,
    slip_cell,
    slip_link,
)
from pitboss.rules.drop.box_papers import serial_of
from pitboss.rules.drop.corrections import DROP_CORRECTION
from pitboss.rules.drop.estimates import allowed_gap_cents
from pitboss.rules.drop.figures import DROP_COUNT, PULLS, cash_cents
from pitboss.rules.flows.flows import SlipStatus
from pitboss.services import house
from pitboss.services.shown import FIGURES
from tables.reports.game_papers import table_win_link
from tables.services.estimate_gaps import estimates_of_boxes

_ESTIMATES = (
    Column("day", "Gaming day", Shape.DAY),
    Column("table", "Table", Shape.CODE),
    Column("box", "Box", Shape.CODE, is_minor=True),
    Column("pull", "Pulled on", Shape.CODE, is_minor=True),
    Column("estimated", "Estimated", Shape.MONEY),
    Column("counted", "Counted", Shape.MONEY),
    Column("gap", "Gap", Shape.CHANGE),
    Column("allowed", "Allowed", Shape.MONEY, is_minor=True),
)


@report(
    key="estimates",
    title="Drop estimates",
    group=Group.GAMES,
    says="What pits estimated to be in each drop box, against what was counted in it.",
    page="win",
    asked=ReportScope(days_max=31, pit=True),
)
def estimates(choice: ReportChoice) -> Report:
    """Return every posted box with its estimate, those too far apart marked."""
    pulls = [
        pull
        for pull in Slip.objects.filter(
            kind__in=PULLS,
            status=SlipStatus.DONE.value,
            gaming_day__range=(choice.first, choice.last),
        )
        .select_related("table__pit")
        .defer("plan")
        .order_by("id")
        if pull.table is not None and choice.pit in (None, pull.table.pit)
    ]
    counts, guesses = _counted(pulls, choice), estimates_of_boxes(pulls)
    rows = [
        _box(pull, guesses.get(pull.serial), counts[pull.serial])
        for pull in pulls
        if pull.serial in counts
    ]
    far = sum(row.tone is Tone.BAD for row in rows)
    return Report(
        sections=(Section("By box", _ESTIMATES, tuple(rows), "No box was posted."),),
        finding=Finding(Tone.BAD, f"{far} of {len(rows)} boxes are too far from their estimate.")
        if far
        else Finding(Tone.GOOD, f"Boxes posted: {len(rows)}, none too far from its estimate."),
        formulas=(
            "Gap: counted less estimated. Estimated: the newest estimate of each shift since the "
            "box before. Allowed: the larger of an amount and a share of the estimate (settings).",
        ),
    )


def _counted(pulls: list[Slip], choice: ReportChoice) -> dict[str, tuple[str, int]]:
    """Return the count of each box, and the cash that it holds as corrected, by its pull."""
    serials = {pull.serial for pull in pulls}
    # A box is counted on the day of its pull or after, and corrected later still.
    done = Slip.objects.filter(
        kind__in=(DROP_COUNT, DROP_CORRECTION),
        status=SlipStatus.DONE.value,
        gaming_day__gte=choice.first,
    )
    found: dict[str, tuple[str, int]] = {}
    for serial, details in done.order_by("id").values_list("serial", "details"):
        if (pull := details["pull"]) in serials:
            first = found.get(pull, (serial, 0))[0]
            found[pull] = (first, cash_cents(details[FIGURES]))
    return found


def _box(pull: Slip, estimate: int | None, counted: tuple[str, int]) -> Row:
    serial, cash = counted
    settings = house.settings_at(pull.raised_at)
    least, share = settings["drop.estimate_gap"], settings["drop.estimate_share"]
    allowed = allowed_gap_cents(estimate, least, share) if estimate is not None else None
    gap = cash - estimate if estimate is not None else None
    is_far = gap is not None and allowed is not None and abs(gap) > allowed
    return row_of(
        pull.gaming_day,
        str(pull.table),
        " ".join(filter(None, (pull.details["box"], pull.details.get("tag", "")))),
        slip_cell(pull.serial),
        estimate,
        Cell(cash, slip_link(serial)),
        gap,
        allowed,
        tone=Tone.BAD if is_far else Tone.PLAIN,
        opens=table_win_link(str(pull.table), pull.gaming_day.isoformat(), None),
    )


_PAPERS = (
    Column("day", "Gaming day", Shape.DAY),
    Column("box", "Box", Shape.CODE),
    Column("count", "Count", Shape.CODE, is_minor=True),
    Column("paper", "Copy", Shape.CODE),
    Column("what", "What is wrong"),
    Column("answer", "Answer"),
)
_WRONG = {"missing": "Missing", "foreign": "Of another box", "double": "Found twice"}


@report(
    key="box-papers",
    title="Copies in drop boxes",
    group=Group.PAPERS,
    says="Copies that were missing, foreign, double, or unreadable when a box was posted.",
    page="win",
    asked=ReportScope(days_before=6, days_max=31),
)
def box_papers(choice: ReportChoice) -> Report:
    """Return every copy that was not as it should be, with the answer of accounting."""
    found = list(
        FloorException.objects.filter(
            code="drop_documents", gaming_day__range=(choice.first, choice.last)
        )
        .select_related("slip")
        .order_by("id")
    )
    serials = {
        serial_of(code)
        for floor_exception in found
        for key in _WRONG
        for code in floor_exception.details[key]
    }
    # A code that no one knows opens nothing.
    on_file = set(Slip.objects.filter(serial__in=serials).values_list("serial", flat=True))
    rows = [row for floor_exception in found for row in _copies(floor_exception, on_file)]
    opened = sum(row.tone is Tone.BAD for row in rows)
    return Report(
        sections=(Section("Copies", _PAPERS, tuple(rows), "Every copy was where it belongs."),),
        finding=Finding(Tone.BAD, f"Copies not explained: {opened} of {len(rows)}.")
        if opened
        else Finding(Tone.GOOD, f"Copies that were not as expected: {len(rows)}, all explained."),
    )


def _copies(found: FloorException, on_file: Collection[str]) -> Iterator[Row]:
    assert found.slip is not None, "copies are compared on a count"
    named = [(code, words) for key, words in _WRONG.items() for code in found.details[key]]
    if unread := found.details["unreadable"]:
        named.append(("", f"{unread} unreadable"))
    for code, words in named:
        yield row_of(
            found.gaming_day,
            str(found.slip.details["box"]),
            slip_cell(found.slip.serial),
            Cell(code, slip_link(serial) if (serial := serial_of(code)) in on_file else None),
            words,
            found.resolution or "Open",
            tone=Tone.PLAIN if found.resolution else Tone.BAD,
        )
