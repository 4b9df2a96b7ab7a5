"""A report as a file of comma-separated values: what it is, the newest seal, then its sections."""

from __future__ import annotations

import csv
from io import StringIO

from pitboss.reports.heading import Heading
from pitboss.reports.report import Report
from pitboss.reports.wording import filed, harmless


def report_csv(report: Report, heading: Heading) -> str:
    """Return a report as a file. Every section begins with its title and a line of keys."""
    file = StringIO()
    out = csv.writer(file)
    for name, words in heading.lines():
        out.writerow([name, harmless(words)])
    for section in report.sections:
        out.writerow([])
        out.writerow([section.title])
        out.writerow([column.key for column in section.columns])
        for row in section.rows:
            out.writerow(
                [
                    filed(cell.value, column.shape, heading.zone)
                    for cell, column in zip(row.cells, section.columns, strict=True)
                ]
            )
    return file.getvalue()
