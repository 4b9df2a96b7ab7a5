"""Comps and points by hand: what was given, by whose authority, for accounting's review."""

from __future__ import annotations

from collections import defaultdict
from datetime import date

from django.urls import reverse

from pitboss.models import Slip
from pitboss.reports.book import Group, report
from pitboss.reports.report import (
    Cell,
    Column,
    Finding,
    Link,
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
from pitboss.rules.cheques.cheques import format_money
from tables.models import Comp, CompEntry, CompKind, CompMove, PointsEntry

PAGE = "report_comps"
# What a patron is given in a gaming day from which it is marked.
MARKED_CENTS = 60_000
_SHOWN = 1_000
_COMPS = (
    Column("slip", "Slip", Shape.CODE),
    Column("patron", "Patron"),
    Column("issuer", "Issued by"),
    Column("authority", "Authorized by", is_minor=True),
    Column("kind", "Comp"),
    Column("value", "Value", Shape.MONEY),
    Column("valued_by", "Valued by", is_minor=True),
    Column("gaming_day", "Gaming day", Shape.DAY),
    Column("earned", "Trip earned", Shape.MONEY),
    Column("left", "Left after it", Shape.CHANGE),
    Column("redeemed", "Redeemed", Shape.MONEY),
    Column("state", "State"),
)


@report(
    key="comps",
    title="Comps",
    group=Group.PEOPLE,
    says="Every comp with its issuer, authority, value, and what was left of the trip.",
    page=PAGE,
    asked=ReportScope(days_max=92, days_before=6),
)
def comps(choice: ReportChoice) -> Report:
    """Return the comps of some gaming days, and who was given much in one of them."""
    found = Comp.objects.filter(gaming_day__range=(choice.first, choice.last))
    if choice.of.isdecimal() and len(choice.of) < 10:
        found = found.filter(patron=int(choice.of))
    found = found.select_related("slip", "patron", "issuer").prefetch_related(
        "entries", "slip__signatures"
    )
    given = list(found.order_by("-id")[:_SHOWN])
    counted = [comp for comp in given if not _is_void(comp)]
    total = sum(comp.value_cents for comp in counted)
    return Report(
        (
            Section("Comps", _COMPS, tuple(_row(comp) for comp in given), "No comps were given."),
            Section(
                f"From {format_money(MARKED_CENTS)} to one patron in a gaming day",
                (
                    Column("patron", "Patron"),
                    Column("gaming_day", "Gaming day", Shape.DAY),
                    Column("given", "Given", Shape.MONEY),
                ),
                tuple(_marked(counted, choice)),
                "No patron was given as much in one day.",
            ),
        ),
        finding=Finding(Tone.PLAIN, f"Comps given: {len(counted):,}, {format_money(total)}."),
        formulas=(
            "Trip earned = the trip’s theo × the share in effect on each day.",
            "Left after it = trip earned − everything given on the trip.",
        ),
    )


def _is_void(comp: Comp) -> bool:
    return any(entry.move == CompMove.VOIDED for entry in comp.entries.all())


def _row(comp: Comp) -> Row:
    entries = list(comp.entries.all())
    redeemed = sum(entry.amount_cents for entry in entries if entry.move == CompMove.REDEEMED)
    authority = [
        signature.signed_as
        for signature in comp.slip.signatures.all()
        if signature.step.endswith("authorized")
    ]
    is_void = _is_void(comp)
    card = Link(reverse("patron-card", args=[comp.patron_id]), "rating")
    return row_of(
        slip_cell(comp.slip.serial),
        str(comp.patron),
        str(comp.issuer),
        ", ".join(authority),
        CompKind(comp.kind).label,
        Cell(comp.value_cents, slip_link(comp.slip.serial)),
        comp.valued_by,
        comp.gaming_day,
        Cell(comp.earned_cents, card),
        Cell(comp.earned_cents - comp.given_cents - comp.value_cents, card),
        Cell(redeemed, slip_link(comp.slip.serial)),
        _state(entries),
        tone=Tone.BAD if is_void else Tone.PLAIN,
    )


def _state(entries: list[CompEntry]) -> str:
    moves = {entry.move for entry in entries}
    if CompMove.VOIDED.value in moves:
        return "void"
    if CompMove.EXPIRED.value in moves:
        return "expired"
    return "issued" if CompMove.ISSUED.value in moves else "needs authorization"


def _marked(counted: list[Comp], choice: ReportChoice) -> list[Row]:
    days: dict[tuple[str, int, date], int] = defaultdict(int)
    for comp in counted:
        days[str(comp.patron), comp.patron_id, comp.gaming_day] += comp.value_cents
    return [
        row_of(
            name,
            day,
            cents,
            opens=report_link(
                "comps",
                PAGE,
                ReportChoice(day, day),
                of=str(patron),
            ),
            tone=Tone.WAIT,
        )
        for (name, patron, day), cents in sorted(days.items())
        if cents >= MARKED_CENTS
    ]


@report(
    key="points",
    title="Points by hand",
    group=Group.PEOPLE,
    says="Points that were added or removed on a slip, with the reason and both signers.",
    page=PAGE,
    asked=ReportScope(days_max=92, days_before=30),
)
def points(choice: ReportChoice) -> Report:
    """Return the points that people changed."""
    found = PointsEntry.objects.filter(gaming_day__range=(choice.first, choice.last))
    found = found.select_related("slip", "patron").prefetch_related("slip__signatures")
    rows = [
        row_of(
            slip_cell(points_entry.slip.serial),
            str(points_entry.patron),
            points_entry.gaming_day,
            Cell(points_entry.points, slip_link(points_entry.slip.serial)),
            dict(map(tuple, points_entry.slip.details["says"])).get("Why", ""),
            _signers(points_entry.slip),
        )
        for points_entry in found.order_by("-id")[:_SHOWN]
    ]
    columns = (
        Column("slip", "Slip", Shape.CODE),
        Column("patron", "Patron"),
        Column("gaming_day", "Gaming day", Shape.DAY),
        Column("points", "Points", Shape.COUNT),
        Column("why", "Reason"),
        Column("signed_by", "Signed by"),
    )
    return Report((Section("Points", columns, tuple(rows), "No points were changed by hand."),))


def _signers(slip: Slip) -> str:
    return ", ".join(signature.signed_as for signature in slip.signatures.all())
