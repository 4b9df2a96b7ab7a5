"""Account for every number that was given: used, void, missing, and why."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db import connection
from django.db.models import Count, Max, Min, Q

from pitboss.models import Person, SeriesCounter, Slip
from pitboss.rules.canonical import is_plain
from pitboss.rules.flows.book import FLOWS
from pitboss.rules.flows.flows import REASON_MAX, SlipStatus
from pitboss.rules.refusal import CONFLICT, NOT_YOURS, refuse
from pitboss.rules.roles import Role, may_act_as
from pitboss.services import house, journal
from pitboss.services.locks import lock_desk
from pitboss.services.numbering import SlipNumber
from pitboss.services.pins import signed_act
from pitboss.services.signing import Pen
from tables.models import SerialExplanation

EXPLAINED_BY = (Role.ACCOUNTING, Role.SHIFT_MANAGER)

# Numbers that were given and that no slip bears.
_MISSING_SQL = """
    SELECT counter.series, counter.year, given.number
    FROM pitboss_seriescounter AS counter
    CROSS JOIN LATERAL generate_series(1, counter.last_number) AS given(number)
    -- Years of which no number is missing are told by a count, and not looked through.
    WHERE counter.last_number > (
        SELECT count(*) FROM pitboss_slip AS slip
        WHERE (slip.series, slip.year) = (counter.series, counter.year)
            AND slip.number BETWEEN 1 AND counter.last_number
    )
    AND NOT EXISTS (
        SELECT FROM pitboss_slip AS slip
        WHERE (slip.series, slip.year, slip.number)
            = (counter.series, counter.year, given.number)
    )
    AND (%(year)s::int IS NULL OR counter.year = %(year)s)
    ORDER BY counter.series, counter.year, given.number
"""
# Numbers that two slips bear, or that were never given.
_ODD_SQL = """
    SELECT slip.series, slip.year, slip.number
    FROM pitboss_slip AS slip
    LEFT JOIN pitboss_seriescounter AS counter USING (series, year)
    WHERE %(year)s::int IS NULL OR slip.year = %(year)s
    GROUP BY slip.series, slip.year, slip.number, counter.last_number
    HAVING count(*) > 1 OR slip.number > coalesce(counter.last_number, 0)
    ORDER BY 1, 2, 3
"""


@dataclass(frozen=True, slots=True)
class SeriesLine:
    """One series in one year, as the serial report shows it."""

    series: str
    year: int
    titles: str
    first: int | None
    last: int | None
    given: int
    used: int
    void: int
    missing: tuple[SlipNumber, ...]
    duplicate: tuple[SlipNumber, ...]
    explanations: dict[int, SerialExplanation]

    @property
    def unexplained(self) -> tuple[SlipNumber, ...]:
        return tuple(
            slip_number
            for slip_number in self.missing
            if slip_number.number not in self.explanations
        )


def serial_report(year: int | None = None) -> list[SeriesLine]:
    """Return every series of a year, or of all: first, last, used, void, missing, duplicate."""
    counters = SeriesCounter.objects.order_by("year", "series")
    slips = Slip.objects.all()
    explained = SerialExplanation.objects.select_related("explained_by")
    if year is not None:
        counters, slips = counters.filter(year=year), slips.filter(year=year)
        explained = explained.filter(year=year)
    used = {
        (row["series"], row["year"]): row
        for row in slips.values("series", "year")
        .annotate(
            first=Min("number"),
            last=Max("number"),
            used=Count("id"),
            void=Count("id", filter=Q(status=SlipStatus.VOIDED)),
        )
        .order_by()
    }
    missing, duplicate = _numbers(_MISSING_SQL, year), _numbers(_ODD_SQL, year)
    lines = []
    for counter in counters:
        key = (counter.series, counter.year)
        row: Mapping[str, Any] = used.get(key) or {}
        lines.append(
            SeriesLine(
                series=counter.series,
                year=counter.year,
                titles=_titles(counter.series),
                first=row.get("first"),
                last=row.get("last"),
                given=counter.last_number,
                used=row.get("used", 0),
                void=row.get("void", 0),
                missing=tuple(n for n in missing if (n.series, n.year) == key),
                duplicate=tuple(n for n in duplicate if (n.series, n.year) == key),
                explanations={
                    serial_explanation.number: serial_explanation
                    for serial_explanation in explained
                    if (serial_explanation.series, serial_explanation.year) == key
                },
            )
        )
    return lines


def gaps(year: int) -> list[SlipNumber]:
    """Return every number of a year that is missing and that no one has explained."""
    explanations = SerialExplanation.objects.filter(year=year)
    explained = set(explanations.values_list("series", "number"))
    return [
        number
        for number in _numbers(_MISSING_SQL, year)
        if (number.series, number.number) not in explained
    ]


def explain_gap(*, number: SlipNumber, reason: str, pen: Pen) -> SerialExplanation:
    """Say why a number is missing, signed by accounting or a shift manager. Raises Refused."""
    with signed_act(act="serial_explained", badge=pen.badge, pin=pen.pin, device=pen.device) as who:
        lock_desk("serials")
        now = house.now()
        earlier = SerialExplanation.objects.filter(
            series=number.series, year=number.year, number=number.number
        ).first()
        reason = reason.strip()
        if earlier is not None:
            if (earlier.explained_by_id, earlier.reason) == (who.pk, reason):
                return earlier  # A second tap, or a resend after a lost answer.
            raise refuse(
                "already_explained",
                f"{earlier.explained_by} has explained {number}. Reload the page.",
                CONFLICT,
            )
        _demand_reader(who)
        if number not in _numbers(_MISSING_SQL, number.year):
            raise refuse("not_missing", f"{number} isn’t missing. Check the report.")
        if not reason or not is_plain(reason):
            raise refuse("reason_missing", "Enter why no slip has this number.")
        if len(reason) > REASON_MAX:
            raise refuse(
                "reason_too_long", f"Explanation is too long. Use {REASON_MAX} characters or fewer."
            )
        explanation = SerialExplanation.objects.create(
            series=number.series,
            year=number.year,
            number=number.number,
            reason=reason,
            explained_by=who,
            explained_at=now,
        )
        journal.write(
            chain=journal.HOUSE,
            kind="serial_explained",
            body={"serial": str(number), "reason": reason},
            at=now,
            person=who,
            device=pen.device,
            rows=[explanation],
        )
        return explanation


def _demand_reader(person: Person) -> None:
    role = house.role_in(person, house.period_at(house.now()))
    if not any(may_act_as(role, wanted) for wanted in EXPLAINED_BY):
        raise refuse(
            "wrong_role",
            "Only accounting or a shift manager can explain a missing number.",
            NOT_YOURS,
        )


def _numbers(sql: str, year: int | None) -> list[SlipNumber]:
    with connection.cursor() as cursor:
        cursor.execute(sql, {"year": year})
        return [SlipNumber(*row) for row in cursor.fetchall()]


def _titles(series: str) -> str:
    return ", ".join(flow.title for flow in FLOWS.values() if flow.series == series)
