"""State each closed day to the group, signed: once it is closed, and again when it is restated."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any, Final

from django.conf import settings
from django.db import connection, transaction
from django.db.models import Exists, Max, OuterRef

from pitboss.models import CarriedOver, ClosedDay, FloorException, JournalChain, JournalSeal
from pitboss.rules.group.signing import Purpose, mark_of, public_key, sign_text
from pitboss.rules.group.statements import (
    SealMark,
    Statement,
    TableLine,
    digest_of,
    read_statement,
    seals_digest,
)
from pitboss.rules.refusal import CONFLICT, refuse
from pitboss.selectors.journal_feed import SETTLED_AFTER
from pitboss.services import house, journal
from pitboss.services.seals import known_heads
from tables.models import DayStatement, Scope, SettledWin, SystemScope
from tables.selectors.table_days import TableDay, table_days
from tables.services.systems import has_scope

# What one run takes on: a house that joins a group with years of days states them in a few.
DAYS_A_RUN: Final = 20
# Rows are numbered before they are committed: so far back one may still come.
_MAY_STILL_COME: Final = 5_000
# What one answer brings: of two hundred tables, a megabyte.
STATEMENTS_AT_ONCE: Final = 10
_STATEMENTS_LOCK: Final = 0x50_49_54_07


def state_due_days(*, now: datetime) -> int:
    """State every closed day that was not, or was settled anew; return how many statements."""
    if not settings.KEYS.statement_key or not _is_read():
        return 0
    return sum(_state_day(day, now) for day in due_days()[:DAYS_A_RUN])


def _is_read() -> bool:
    """Tell whether any system may read statements: none is made for no one."""
    asked = SystemScope.objects.filter(scope=Scope.GROUP_READ.value).select_related("device")
    return any(
        has_scope(row.device, Scope.GROUP_READ)
        for row in asked.order_by("device_id", "-id").distinct("device_id")
    )


def due_days() -> list[date]:
    """Return the closed days of which there is something to state, oldest first."""
    stated = DayStatement.objects.filter(gaming_day=OuterRef("gaming_day"))
    new = ClosedDay.objects.filter(~Exists(stated)).values_list("gaming_day", flat=True)
    newest = DayStatement.objects.aggregate(newest=Max("settled_to"))["newest"] or 0
    settled: dict[date, int] = dict(
        SettledWin.objects.filter(pk__gt=newest - _MAY_STILL_COME)
        .values_list("gaming_day")
        .annotate(Max("pk"))
        .order_by()
    )
    taken_in: dict[date, int] = dict(
        DayStatement.objects.filter(gaming_day__in=settled)
        .values_list("gaming_day")
        .annotate(Max("settled_to"))
        .order_by()
    )
    restated = {day for day, number in taken_in.items() if settled[day] > number}
    return sorted(restated.union(new))


def _state_day(day: date, now: datetime) -> int:
    """Write the next statement of a day, where a seal covers all that it says."""
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        closed = ClosedDay.objects.select_related("slip").get(gaming_day=day)
        settled = SettledWin.objects.filter(gaming_day=day)
        found = settled.aggregate(newest=Max("pk"), at=Max("settled_at"))
        settled_to, settled_at = found["newest"] or 0, found["at"]
        seal = JournalSeal.objects.order_by("-number").first()
        known_at = max(closed.closed_at, settled_at or closed.closed_at)
        if seal is None or not _covers(seal, known_at):
            # The next run finds one that does.
            return 0
        lines = tuple(_line(each) for each in table_days(day, day))
        exceptions = FloorException.objects.filter(gaming_day=day).count()
        carried = CarriedOver.objects.filter(closed_day=closed).count()
    with transaction.atomic(durable=True):
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [_STATEMENTS_LOCK])
        of_day = DayStatement.objects.filter(gaming_day=day).order_by("-version").first()
        if of_day is not None and of_day.settled_to >= settled_to:
            return 0  # Another worker was faster.
        last = DayStatement.objects.order_by("-number").first()
        before = read_statement(last.text) if last is not None else None
        since = _seal_now(before.seal.number) if before is not None else None
        statement = Statement(
            house=house.the_property().name,
            number=last.number + 1 if last is not None else 1,
            previous=last.digest if last is not None else "",
            gaming_day=day,
            version=of_day.version + 1 if of_day is not None else 1,
            closed_on=closed.slip.serial,
            closed_at=closed.closed_at,
            stated_at=now,
            seal=SealMark(seal.number, seal.link),
            sealed_at=seal.at,
            since=since,
            seals_digest=_seals_since(since, seal),
            exceptions=exceptions,
            carried_over=carried,
            tables=lines,
        )
        _keep(statement, settled_to, now)
    return 1


def _covers(seal: JournalSeal, known_at: datetime) -> bool:
    """Tell whether a seal is of all that was known by then: nothing was written since, or so much
    later that all of it was committed.
    """
    if seal.at >= known_at + SETTLED_AFTER:
        return True
    sealed, _ = known_heads(seal)
    heads = JournalChain.objects.values_list("name", "head_number", "head_link")
    return sealed == {name: [number, link] for name, number, link in heads}


def _keep(statement: Statement, settled_to: int, now: datetime) -> None:
    key = settings.KEYS.statement_key
    row = DayStatement.objects.create(
        number=statement.number,
        gaming_day=statement.gaming_day,
        version=statement.version,
        settled_to=settled_to,
        text=statement.text,
        digest=digest_of(statement),
        key_mark=mark_of(public_key(key)),
        signature=sign_text(key, Purpose.STATEMENT, statement.text),
        stated_at=now,
    )
    journal.write(
        chain=journal.HOUSE,
        kind="day_stated",
        body={
            "statement": row.number,
            "gaming_day": row.gaming_day.isoformat(),
            "version": row.version,
            "digest": row.digest,
        },
        at=now,
        rows=[row],
    )


def _seal_now(number: int) -> SealMark:
    """Return a seal as the database has it today; without a link where it has none."""
    link = JournalSeal.objects.filter(number=number).values_list("link", flat=True).first()
    return SealMark(number, link or "")


def _seals_since(since: SealMark | None, seal: JournalSeal) -> str:
    if since is None:
        return ""
    later = JournalSeal.objects.filter(number__gt=since.number, number__lte=seal.number)
    return seals_digest(list(later.order_by("number").values_list("link", flat=True)))


def _line(day: TableDay) -> TableLine:
    figures = day.figures
    return TableLine(
        table=day.table,
        pit=day.pit,
        game=day.game,
        opening_cents=figures.opening_cents,
        closing_cents=figures.closing_cents,
        fills_cents=figures.fills_cents,
        credits_cents=figures.credits_cents,
        markers_cents=figures.markers_issued_cents,
        marker_payments_cents=figures.marker_payments_cents,
        marker_cash_cents=figures.marker_cash_cents,
        jackpots_cents=day.jackpots_cents,
        estimated_cents=day.estimated_cents,
        drop_cents=day.drop_cents,
        statistical_drop_cents=day.statistical_drop_cents,
        win_cents=day.win_cents,
    )


def statements_after(after: int) -> dict[str, Any]:
    """Return the statements that follow a number, and how far the house has come.

    Raises Refused.
    """
    key = settings.KEYS.statement_key
    if not key:
        raise refuse(
            "no_statement_key",
            "The property has no key to sign statements. Make one with manage.py statement_key.",
            CONFLICT,
        )
    following = DayStatement.objects.filter(number__gt=after).order_by("number")
    rows = list(following[: STATEMENTS_AT_ONCE + 1])
    newest = DayStatement.objects.aggregate(newest=Max("number"))["newest"] or 0
    closed = ClosedDay.objects.aggregate(to=Max("gaming_day"))["to"]
    return {
        "property": house.the_property().name,
        "gaming_day": house.period_at(house.now()).gaming_day.isoformat(),
        "closed_to": closed.isoformat() if closed else None,
        "newest": newest,
        "items": [
            {
                "number": row.number,
                "text": row.text,
                "key_mark": row.key_mark,
                "signature": row.signature,
            }
            for row in rows[:STATEMENTS_AT_ONCE]
        ],
        "is_whole": len(rows) <= STATEMENTS_AT_ONCE,
    }
