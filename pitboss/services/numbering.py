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
    """Return the next number of a series. Its counter stays locked until the act ends."""
    return next_numbers(series, year, 1)[0]


def next_numbers(series: str, year: int, count: int) -> list[SlipNumber]:
    """Return the next numbers of a series, for slips that are written together.

    One statement begins the counter or advances it. A rollback gives the numbers back, so a gap can
    only come from outside the site.
    """
    table = connection.ops.quote_name(SeriesCounter._meta.db_table)
    with connection.cursor() as cursor:
        cursor.execute(
            f"INSERT INTO {table} AS counter (series, year, last_number) VALUES (%s, %s, %s)"
            " ON CONFLICT (series, year)"
            " DO UPDATE SET last_number = counter.last_number + excluded.last_number"
            " RETURNING last_number",
            [series, year, count],
        )
        (last,) = cursor.fetchone()
    return [SlipNumber(series, year, number) for number in range(last - count + 1, last + 1)]
