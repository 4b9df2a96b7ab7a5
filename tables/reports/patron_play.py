"""What a patron is told of their own play, alerts of long play, and loss rebates."""

from __future__ import annotations

from collections.abc import Iterable

from django.urls import reverse

from inventory.models import Patron
from pitboss.models import FloorException
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
from pitboss.services.exceptions import PLAY_TIME
from tables.models import Comp, CompKind, MoneyKind, PlayRating, RatingMoney, RebateAgreement
from tables.selectors.rated_play import Rated, rated_between
from tables.services.comps import given_to, play_of, points_of

PAGE = "report_statement"
_SHOWN = 1_000
_BROUGHT = (MoneyKind.CASH, MoneyKind.MARKER, MoneyKind.FRONT_MONEY, MoneyKind.CHEQUES)


@report(
    key="statement",
    title="Statement of play",
    group=Group.PEOPLE,
    says="One patron’s play, for that patron: time, buy-ins, result, comps, and points.",
    page=PAGE,
    asked=ReportScope(days_max=366, days_before=30),
    noted="statement_printed",
)
def statement(choice: ReportChoice) -> Report:
    """Return the statement of one patron; without one, who played and can be given one."""
    patron = _patron(choice)
    if patron is None:
        return _who_played(choice)
    rated = [
        item
        for item in rated_between(choice.first, choice.last, ratings=play_of(patron))
        if item.counts
    ]
    money = _money(item.rating for item in rated)
    comps = given_to(patron).filter(gaming_day__range=(choice.first, choice.last))
    known = [item.figures.result_cents for item in rated if item.figures]
    results = [cents for cents in known if cents is not None]
    return Report(
        (
            Section(
                "Play",
                (
                    Column("gaming_day", "Gaming day", Shape.DAY),
                    Column("table", "Table"),
                    Column("from", "From", Shape.TIME),
                    Column("to", "To", Shape.TIME),
                    Column("played", "Played, min", Shape.MINUTES),
                    Column("brought", "Brought", Shape.MONEY),
                    Column("left_with", "Left with", Shape.MONEY),
                    Column("result", "Won or lost", Shape.CHANGE),
                ),
                tuple(_play_row(item, money) for item in rated),
                "No play in these days.",
            ),
            Section(
                "Comps",
                (
                    Column("slip", "Slip", Shape.CODE),
                    Column("gaming_day", "Gaming day", Shape.DAY),
                    Column("comp", "Comp"),
                    Column("value", "Value", Shape.MONEY),
                ),
                tuple(_comp_row(comp) for comp in comps.select_related("slip")),
                "No comps in these days.",
            ),
        ),
        finding=Finding(
            Tone.PLAIN,
            f"{patron.full_name}: {len(rated):,} stays, won or lost "
            f"{format_money(-sum(results))} where it is known, "
            f"{points_of(patron)['balance']:,} points.",
        ),
        formulas=("Won or lost = left with − brought, where someone saw what was left with.",),
    )


def _patron(choice: ReportChoice) -> Patron | None:
    named = choice.of
    if not (named.isascii() and named.isdecimal() and len(named) < 12):
        return None
    return Patron.objects.filter(pk=int(named)).first()


def _who_played(choice: ReportChoice) -> Report:
    stays: dict[int, list[Rated]] = {}
    for rated in rated_between(choice.first, choice.last):
        if rated.rating.patron_id is not None:
            stays.setdefault(rated.rating.patron_id, []).append(rated)
    rows = [
        row_of(
            found[0].who,
            len(found),
            sum(rated.figures.seconds for rated in found if rated.figures),
            opens=report_link("statement", PAGE, choice, of=str(patron)),
        )
        for patron, found in sorted(stays.items(), key=lambda item: item[1][0].who)
    ]
    columns = (
        Column("patron", "Patron"),
        Column("stays", "Stays", Shape.COUNT),
        Column("played", "Played, min", Shape.MINUTES),
    )
    return Report((Section("Patrons", columns, tuple(rows), "No patron was rated."),))


def _money(ratings: Iterable[PlayRating]) -> dict[int, dict[str, int]]:
    rows = RatingMoney.objects.filter(rating__in=[rating.pk for rating in ratings])
    sums: dict[int, dict[str, int]] = {}
    for row in rows:
        of = sums.setdefault(row.rating_id, {})
        of[row.kind] = of.get(row.kind, 0) + row.amount_cents
    return sums


def _play_row(rated: Rated, money: dict[int, dict[str, int]]) -> Row:
    rating, figures = rated.rating, rated.figures
    own = money.get(rating.pk, {})
    assert figures is not None, "only what counts is listed"
    left_with = own.get(MoneyKind.WALKED, own.get(MoneyKind.MOVED_ON))
    lost = figures.result_cents
    return row_of(
        rating.gaming_day,
        rating.table.name,
        rating.began_at,
        rating.ended_at,
        figures.seconds,
        sum(own.get(kind, 0) for kind in _BROUGHT),
        left_with,
        -lost if lost is not None else None,
        opens=Link(reverse("rating", args=[rating.pk]), "rating"),
    )


def _comp_row(comp: Comp) -> Row:
    link = slip_link(comp.slip.serial)
    return row_of(
        slip_cell(comp.slip.serial),
        comp.gaming_day,
        CompKind(comp.kind).label,
        Cell(comp.value_cents, link),
    )


@report(
    key="play-time",
    title="Play time",
    group=Group.PEOPLE,
    says="Alerts of long play: whose, how long, and who spoke to the patron.",
    page="report_comps",
    asked=ReportScope(days_max=92, days_before=6),
)
def play_time(choice: ReportChoice) -> Report:
    """Return the alerts of long play, and what was done about each."""
    found = FloorException.objects.filter(
        code=PLAY_TIME, gaming_day__range=(choice.first, choice.last)
    ).select_related("resolved_by")
    rows = [
        row_of(
            floor_exception.gaming_day,
            floor_exception.opened_at,
            Cell(
                floor_exception.sentence,
                Link(reverse("exception", args=[floor_exception.pk]), "exception"),
            ),
            floor_exception.resolution or "open",
            str(floor_exception.resolved_by or ""),
            floor_exception.resolved_at,
            tone=Tone.PLAIN if floor_exception.resolved_at else Tone.WAIT,
        )
        for floor_exception in found.order_by("-id")[:_SHOWN]
    ]
    columns = (
        Column("gaming_day", "Gaming day", Shape.DAY),
        Column("at", "At", Shape.TIME),
        Column("alert", "Alert"),
        Column("done", "What was done"),
        Column("by", "Closed by"),
        Column("closed_at", "Closed at", Shape.TIME),
    )
    return Report((Section("Alerts", columns, tuple(rows), "No one played for so long."),))


@report(
    key="rebates",
    title="Loss rebates",
    group=Group.PEOPLE,
    says="Rebates agreed before play, the cost that was shown, and what was settled.",
    page="report_comps",
    asked=ReportScope(days_max=366, days_before=30),
)
def rebates(choice: ReportChoice) -> Report:
    """Return the rebates that were agreed in some gaming days."""
    found = RebateAgreement.objects.filter(
        slip__gaming_day__range=(choice.first, choice.last)
    ).select_related("slip", "patron", "settlement__slip")
    rows = [_rebate_row(rebate_agreement) for rebate_agreement in found.order_by("-id")[:_SHOWN]]
    columns = (
        Column("slip", "Slip", Shape.CODE),
        Column("patron", "Patron"),
        Column("gaming_day", "Gaming day", Shape.DAY),
        Column("rate", "Rate, %", Shape.PERCENT),
        Column("cost", "Cost shown"),
        Column("settlement", "Settled on", Shape.CODE),
        Column("loss", "Loss", Shape.CHANGE),
        Column("rebate", "Rebate", Shape.MONEY),
    )
    return Report((Section("Rebates", columns, tuple(rows), "No rebate was agreed."),))


def _rebate_row(agreement: RebateAgreement) -> Row:
    settled = getattr(agreement, "settlement", None)
    said = dict(map(tuple, agreement.slip.details["says"]))
    own = slip_link(agreement.slip.serial)
    link = slip_link(settled.slip.serial) if settled else None
    return row_of(
        slip_cell(agreement.slip.serial),
        str(agreement.patron),
        agreement.slip.gaming_day,
        Cell(agreement.rate_bp, own),
        said.get("Costs on average", ""),
        slip_cell(settled.slip.serial) if settled else None,
        Cell(settled.loss_cents, link) if settled else None,
        Cell(settled.rebate_cents, link) if settled else None,
    )
