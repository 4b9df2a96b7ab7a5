"""Numbers of slips: given by the server, in the transaction that uses them, never twice."""

from __future__ import annotations

from dataclasses import dataclass

from django.db import connection

from pitboss.models import SeriesCounter


@dataclass(frozen=True, slots=True)
class SlipNumber:
    """A number in a series and year, as it is written on the paper."""

    series: str
    year: int
    number: int

    def __str__(self) -> str:
        return f"{self.series}-{self.year}-{self.number:06d}"


def next_number(series: str, year: int) -> SlipNumber:
    """Return the next number of a series. Its counter stays locked until the act ends.

    One statement begins the counter or advances it. A rollback gives the number back, so a gap can
    only come from outside the site.
    """
    table = connection.ops.quote_name(SeriesCounter._meta.db_table)
    with connection.cursor() as cursor:
        cursor.execute(
            f"INSERT INTO {table} AS counter (series, year, last_number) VALUES (%s, %s, 1)"
            " ON CONFLICT (series, year) DO UPDATE SET last_number = counter.last_number + 1"
            " RETURNING last_number",
            [series, year],
        )
        (number,) = cursor.fetchone()
    return SlipNumber(series, year, number)
