"""The desk of reports: one list, and one way to show any of them, print it or take it away."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from csp.constants import NONE
from csp.decorators import csp
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_GET

from pitboss.access import may_open, page
from pitboss.middleware import PitRequest
from pitboss.models import Pit
from pitboss.paper.report import report_pdf
from pitboss.patience import patient_view
from pitboss.reports.as_csv import report_csv
from pitboss.reports.book import BOOK, ReportEntry, readable_by
from pitboss.reports.drawing import bars_of
from pitboss.reports.heading import Heading, heading_of
from pitboss.reports.report import Cell, Column, Link, Report, ReportChoice, Row, Section, Shape
from pitboss.reports.wording import bar_words, words_of
from pitboss.rules.day.outages import SHEET_PRINTED
from pitboss.rules.flows.reading import may_read_serial
from pitboss.rules.roles import Role
from pitboss.services import house, journal
from pitboss.services.outage_sheets import sheet_printed
from pitboss.standby import reads_standby
from pitboss.views.forms import day_of, text

# What a number was opened for: at most a line, a table and a game by their names.
OF_MAX = 160


@require_GET
@page("reports")
def reports(request: PitRequest) -> HttpResponse:
    """List every report that this person may read."""
    choice = _choice(request, None)
    context = {
        "heading": "Reports",
        "groups": [
            {
                "title": group.value,
                "entries": [
                    {"entry": entry, "url": f"{reverse('report', args=[entry.key])}"}
                    for entry in entries
                ],
            }
            for group, entries in readable_by(request.role).items()
        ],
        "day": choice.last,
    }
    return render(request, "pitboss/reports.html", context)


@require_GET
@page("reports")
@reads_standby
@patient_view
def report(request: PitRequest, report: str) -> HttpResponse:
    """Show a report."""
    entry = _entry(request, report)
    choice = _choice(request, entry)
    made = entry.make(choice)
    heading = heading_of(entry, choice, request.user.signs_as)
    own = reverse("report", args=[entry.key])
    context = {
        "heading": entry.title,
        "back": {"url": f"{own}?{choice.query(of='')}", "label": entry.title}
        if choice.of
        else {"url": reverse("reports"), "label": "Reports"},
        "entry": entry,
        "head": heading,
        "report": made,
        "sections": [_section(section, heading, request.role) for section in made.sections],
        "chart": _chart(made, heading, request.role),
        "choice": choice,
        "ways": [
            {
                "label": label,
                "url": f"{own}?{choice.query(by=way, of='')}",
                "is_current": way == choice.by,
            }
            for way, label in entry.asked.ways.items()
        ],
        "spans": _spans(entry, choice, own),
        "shifts": house.the_property().shifts_on(choice.last) if entry.asked.shift else (),
        "pits": Pit.objects.all() if entry.asked.pit else (),
        "pdf_url": f"{reverse('report-pdf', args=[entry.key])}?{choice.query()}",
        "csv_url": f"{reverse('report-csv', args=[entry.key])}?{choice.query()}",
    }
    return render(request, "pitboss/report.html", context)


# Chromium shows a PDF in a page of its own making and holds that page to the response's policy.
@require_GET
@csp({"frame-ancestors": [NONE]})
@page("reports")
def report_on_paper(request: PitRequest, report: str) -> HttpResponse:
    """Send a report as a PDF."""
    entry = _entry(request, report)
    choice = _choice(request, entry)
    _note_printing(request, entry, choice)
    return _paper(request, entry, choice)


@require_GET
@page("reports")
def report_file(request: PitRequest, report: str) -> HttpResponse:
    """Send a report as comma-separated values."""
    entry = _entry(request, report)
    choice = _choice(request, entry)
    _note_printing(request, entry, choice)
    return _values(request, entry, choice)


# That it was taken away is on record once by now, in the primary: what is read may be read twice.
@reads_standby
@patient_view
def _paper(request: PitRequest, entry: ReportEntry, choice: ReportChoice) -> HttpResponse:
    heading = heading_of(entry, choice, request.user.signs_as)
    return _file(report_pdf(entry.make(choice), heading), "application/pdf", entry, choice, "pdf")


@reads_standby
@patient_view
def _values(request: PitRequest, entry: ReportEntry, choice: ReportChoice) -> HttpResponse:
    content = report_csv(entry.make(choice), heading_of(entry, choice, request.user.signs_as))
    return _file(content, "text/csv; charset=utf-8", entry, choice, "csv")


def _note_printing(request: PitRequest, entry: ReportEntry, choice: ReportChoice) -> None:
    """Keep that someone took a report away, where each printing is on record."""
    if not entry.noted:
        return
    now, pit = house.now(), choice.pit.name if choice.pit is not None else ""
    with transaction.atomic(durable=True):
        if entry.noted == SHEET_PRINTED:
            sheet_printed(pit, choice.by, person=request.user, device=request.device, at=now)
        journal.write(
            chain=journal.PEOPLE,
            kind=entry.noted,
            body={
                "report": entry.key,
                "of": choice.of,
                "from": choice.first.isoformat(),
                "to": choice.last.isoformat(),
                "pit": pit,
                "by": choice.by,
            },
            at=now,
            person=request.user,
            device=request.device,
        )


def _file(
    content: str | bytes, kind: str, entry: ReportEntry, choice: ReportChoice, ends: str
) -> HttpResponse:
    days = choice.last.isoformat()
    if not choice.is_one_day:
        days = f"{choice.first.isoformat()}-to-{days}"
    return HttpResponse(
        content,
        content_type=kind,
        headers={
            "Content-Disposition": f'attachment; filename="{entry.key}-{days}.{ends}"',
            "Cache-Control": "no-store",
        },
    )


def _entry(request: PitRequest, key: str) -> ReportEntry:
    """Return a report that this person may read."""
    entry = BOOK.get(key)
    if entry is None:
        raise Http404("Report not found.")
    if not may_open(request.role, entry.page):
        raise PermissionDenied("You don’t have access to this report.")
    return entry


def _choice(request: PitRequest, entry: ReportEntry | None) -> ReportChoice:
    """Return what the address asks for; what it does not say, or cannot, is the usual."""
    today = request.period.gaming_day
    last = min(day_of(request.GET, "to") or today, today)
    if entry is None:
        return ReportChoice(last, last)
    asked = entry.asked
    first = day_of(request.GET, "from") or last - timedelta(days=asked.days_before)
    first = max(min(first, last), last - timedelta(days=asked.days_max - 1))
    shift, pit, way = (text(request.GET, name) for name in ("shift", "pit", "by"))
    return ReportChoice(
        first=first,
        last=last,
        shift=shift if asked.shift and shift in house.the_property().shifts_on(last) else None,
        pit=Pit.objects.filter(pk=int(pit)).first()
        if asked.pit and pit.isascii() and pit.isdigit() and len(pit) < 10
        else None,
        by=way if way in asked.ways else next(iter(asked.ways), ""),
        of=text(request.GET, "of")[:OF_MAX],
        reader=request.role,
    )


def _spans(entry: ReportEntry, choice: ReportChoice, own: str) -> list[dict[str, Any]]:
    """Return the times that are asked for most, as links: the day, the month and year to date."""
    if entry.asked.is_now or entry.asked.days_max == 1:
        return []
    last = choice.last
    spans = {
        "Day": last,
        "7 days": last - timedelta(days=6),
        "Month to date": last.replace(day=1),
        "Year to date": last.replace(month=1, day=1),
    }
    reach = last - timedelta(days=entry.asked.days_max - 1)
    return [
        {
            "label": label,
            "url": f"{own}?{choice.query(**{'from': first.isoformat(), 'of': ''})}",
            "is_current": first == choice.first,
        }
        for label, first in spans.items()
        if first >= reach
    ]


def _section(section: Section, heading: Heading, role: Role) -> dict[str, Any]:
    """Return a section with its values in words, and links where the reader may go."""
    return {
        "title": section.title,
        "nothing": section.nothing,
        "columns": section.columns,
        "rows": [_row(row, section, heading, role) for row in section.rows],
        "sums": _row(section.sums, section, heading, role) if section.sums else None,
    }


def _row(row: Row, section: Section, heading: Heading, role: Role) -> dict[str, Any]:
    return {
        "tone": row.tone,
        "cells": [
            _cell(cell, column, heading, role)
            for cell, column in zip(row.cells, section.columns, strict=True)
        ],
    }


def _cell(cell: Cell, column: Column, heading: Heading, role: Role) -> dict[str, Any]:
    # Nothing is made of nothing; a win of nothing is made of what was taken and given.
    is_nothing = cell.value is None or (
        cell.value == 0 and column.shape in (Shape.COUNT, Shape.MONEY, Shape.MINUTES)
    )
    classes = [f"is-{column.shape}"]
    classes += ["num"] if column.shape.is_number else []
    classes += ["hide-p"] if column.is_minor else []
    classes += ["faint"] if is_nothing else []
    return {
        "classes": " ".join(classes),
        "words": words_of(cell.value, column.shape, heading.zone),
        "url": "" if is_nothing else _url(cell.link, role),
    }


def _url(link: Link | None, role: Role) -> str:
    if link is None or not may_open(role, link.page):
        return ""
    return link.url if link.serial is None or may_read_serial(link.serial, role) else ""


def _chart(made: Report, heading: Heading, role: Role) -> dict[str, Any] | None:
    chart = made.chart
    if chart is None or not chart.bars:
        return None
    return {
        "title": chart.title,
        "bars": [
            {
                "bar": drawn,
                "words": words_of(bar.value, chart.shape, heading.zone),
                "says": bar_words(bar, chart.shape, heading.zone),
                "url": _url(bar.link, role),
            }
            for bar, drawn in zip(chart.bars, bars_of(chart), strict=True)
        ],
    }
