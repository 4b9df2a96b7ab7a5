"""Numbers of slips: given by the server, in the transaction that uses them, never twice."""

from __future__ import annotations

from dataclasses import dataclass

from django.db import transaction

from pitboss.models import SeriesCounter


@dataclass(frozen=True, slots=True)
class SlipNumber:
    """A number in a series and year, as it is written on the paper."""

    series: str
    year: int
    number: int

    def __str__(self) -> str:
        return f"{self.series}-{self.year}-{self.number:06d}"


@transaction.atomic(savepoint=False)
def next_number(series: str, year: int) -> SlipNumber:
    """Return the next number of a series, under the lock of its counter.

    A rollback gives the number back, so a gap can only come from outside the site.
    """
    SeriesCounter.objects.bulk_create(
        [SeriesCounter(series=series, year=year)], ignore_conflicts=True
    )
    counter = SeriesCounter.objects.select_for_update().get(series=series, year=year)
    counter.last_number += 1
    counter.save(update_fields=["last_number"])
    return SlipNumber(series, year, counter.last_number)
