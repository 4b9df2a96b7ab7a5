"""Estimated win from counts, slips, buy-ins and what terminals report, for many tables at once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from inventory.selectors.cheques import WORTH_SQL
from pitboss.models import Table
from pitboss.rules.cheques.tray_counts import (
    CLOSER,
    COUNT,
    EVERY_COUNT,
    LATE_CLOSER,
    LATE_COUNT,
    LATE_OPENER,
    LATE_SHIFT_COUNT,
    OPENER,
    RECOUNT,
    SHIFT_COUNT,
)
from pitboss.rules.day.gaming_day import Clock, period
from pitboss.rules.day.hold import hold_basis_points
from pitboss.rules.day.late_papers import LATE_BIG_WIN, LATE_JACKPOT, LATE_KINDS, LATE_TO_PATRONS
from pitboss.rules.day.win_estimate import (
    NO_PAST,
    Estimate,
    EstimateBasis,
    Fact,
    Past,
    What,
    estimate,
)
from pitboss.rules.flows.corrections import COUNT_CORRECTION, RESTATING
from pitboss.rules.patrons.cash_log import CashKind
from pitboss.rules.payouts.big_wins import BIG_WIN
from pitboss.rules.payouts.jackpot_flows import JACKPOT
from pitboss.rules.rounds.told import Outcome
from pitboss.standby import reading_connection

# Rounds and payouts are summed by this many seconds: no one reads a chart finer.
_BUCKET = 600

# One statement, however many tables. Each begins with its last count before the time asked for, and
# reads from there by its own index; nothing looks further back. With OFFSET 0 no plan can read the
# years instead.
_FACTS_SQL = f"""
WITH asked AS (SELECT unnest(%(tables)s::bigint[]) AS table_id),
first AS (
    SELECT asked.table_id, coalesce(before.tray_sequence, 0) AS tray_sequence,
           coalesce(before.id, 0) AS id, coalesce(before.at, %(since)s) AS at
    FROM asked LEFT JOIN LATERAL (
        SELECT id, tray_sequence, at FROM inventory_traycount
        WHERE table_id = asked.table_id AND at <= %(since)s
        ORDER BY tray_sequence DESC, at DESC, id DESC LIMIT 1
    ) AS before ON true
),
counts AS (
    SELECT counted.table_id, counted.at, slip.kind,
           slip.total_cents + coalesce((
               SELECT sum((corrected.details->>'change_cents')::bigint)::bigint
               FROM pitboss_slip AS corrected
               WHERE corrected.kind = %(count_correction)s AND corrected.status = 'done'
                 AND (corrected.details->>'of_count')::bigint = slip.id), 0) AS total_cents
    FROM first CROSS JOIN LATERAL (
        SELECT * FROM inventory_traycount AS near
        WHERE near.table_id = first.table_id AND near.tray_sequence >= first.tray_sequence
          AND (near.at, near.id) >= (first.at, first.id) AND near.at <= %(until)s
        OFFSET 0
    ) AS counted
    CROSS JOIN LATERAL (
        SELECT * FROM pitboss_slip WHERE id = counted.slip_id AND kind = ANY(%(counts)s) OFFSET 0
    ) AS slip
),
last AS (SELECT table_id, max(at) AS at FROM counts GROUP BY table_id),
moves AS (
    SELECT moved.table_id, slip.kind, moved.source, moved.target,
           CASE WHEN slip.kind = ANY(%(late)s) THEN (slip.details->>'true_time')::timestamptz
                ELSE moved.at END AS at,
           {WORTH_SQL}
             * CASE WHEN moved.target = 'tray' THEN 1 ELSE -1 END AS cents
    FROM first CROSS JOIN LATERAL (
        SELECT * FROM inventory_chequetransfer AS near
        WHERE near.table_id = first.table_id AND near.tray_sequence > first.tray_sequence
          AND near.at <= %(until)s
        OFFSET 0
    ) AS moved
    CROSS JOIN LATERAL (SELECT * FROM pitboss_slip WHERE id = moved.slip_id OFFSET 0) AS slip
    WHERE slip.kind <> ALL(%(counts)s) AND slip.kind <> ALL(%(restating)s)
      AND (slip.kind <> ALL(%(late)s) OR 'cage' IN (moved.source, moved.target)
        OR slip.kind = ANY(%(late_to_patrons)s) AND moved.target = 'public'
        OR slip.kind = 'late_payment' AND moved.source = 'public')
)
SELECT table_id, kind, at, total_cents FROM counts
UNION ALL
SELECT table_id,
       CASE WHEN kind = ANY(%(jackpots)s) THEN 'paid'
            WHEN kind = ANY(%(big_wins)s) THEN 'big_win'
            WHEN source IN ('cage', 'carrier') OR target IN ('cage', 'carrier') THEN 'moved'
            ELSE 'marker' END,
       at,
       CASE WHEN kind = ANY(%(jackpots)s::text[] || %(big_wins)s::text[])
              OR (source NOT IN ('cage', 'carrier') AND target NOT IN ('cage', 'carrier'))
            THEN -cents ELSE cents END
FROM moves
UNION ALL
SELECT first.table_id,
       CASE figure.key WHEN 'fills' THEN 'moved' WHEN 'credits' THEN 'moved'
            WHEN 'jackpots' THEN 'paid' ELSE 'marker' END,
       (slip.details->>'true_time')::timestamptz,
       figure.value::bigint
         * CASE WHEN figure.key IN ('credits', 'marker_payments') THEN -1 ELSE 1 END
FROM first JOIN pitboss_slip AS slip
  ON slip.table_id = first.table_id AND slip.kind = ANY(%(restating)s) AND slip.status = 'done'
 AND slip.gaming_day >= first.at::date - 1
CROSS JOIN LATERAL jsonb_each_text(slip.details->'figures') AS figure
WHERE (slip.details->>'true_time')::timestamptz > first.at
  AND (slip.details->>'true_time')::timestamptz <= %(until)s
  AND figure.key IN ('fills', 'credits', 'markers', 'marker_payments', 'jackpots')
UNION ALL
SELECT envy.table_id, 'paid', envy.at, envy.amount_cents
FROM first JOIN tables_envyline AS envy
  ON envy.table_id = first.table_id AND envy.at > first.at AND envy.at <= %(until)s
UNION ALL
SELECT entry.table_id, 'buy_in', entry.at,
       CASE WHEN entry.reverses_id IS NULL THEN entry.amount_cents ELSE -entry.amount_cents END
FROM first JOIN inventory_cashentry AS entry
  ON entry.table_id = first.table_id AND entry.kind = %(buy_in)s AND entry.at > first.at
 AND entry.at <= %(until)s AND entry.gaming_day >= first.at::date - 1
UNION ALL
SELECT paid.table_id, booked.kind, paid.at, booked.sign * paid.cash_cents
FROM first JOIN inventory_markerentry AS paid
  ON paid.table_id = first.table_id AND paid.cash_cents > 0 AND paid.at > first.at
 AND paid.at <= %(until)s AND paid.gaming_day >= first.at::date - 1
-- It is in the box, as an estimate of the box knows, and it bought nothing.
CROSS JOIN (VALUES ('buy_in', 1), ('marker', -1)) AS booked (kind, sign)
UNION ALL
SELECT guess.table_id, 'guess', guess.keyed_at, guess.cash_cents
FROM first JOIN tables_dropestimate AS guess
  ON guess.table_id = first.table_id AND guess.keyed_at > first.at
 AND guess.keyed_at <= %(until)s AND guess.gaming_day >= first.at::date - 1
UNION ALL
SELECT told.table_id, 'round', max(told.ended_at),
       sum((told.verdict->>'house_cents')::bigint)::bigint
FROM first JOIN last ON last.table_id = first.table_id
JOIN tables_round AS told
  ON told.table_id = first.table_id AND told.outcome <> %(aborted)s
 AND told.started_at > first.at AND told.ended_at <= %(until)s
 AND told.verdict->>'house_cents' IS NOT NULL
GROUP BY told.table_id, told.ended_at > last.at,
         floor(extract(epoch FROM told.ended_at) / %(bucket)s)
"""
# What gives a stretch its course and nothing to its sum: a chart asks for it, a tile does not.
_COURSE_SQL = """
UNION ALL
SELECT told.table_id, 'payout', max(told.at), sum(told.paid_cents)::bigint
FROM tables_payoutcheck AS told JOIN first ON first.table_id = told.table_id
WHERE told.at > (SELECT min(at) FROM first) AND told.at > first.at AND told.at <= %(until)s
  AND NOT EXISTS (SELECT FROM tables_payoutcheck AS later WHERE later.corrects_id = told.id)
GROUP BY told.table_id, floor(extract(epoch FROM told.at) / %(bucket)s)
"""
_KINDS = {
    OPENER: What.OPENED,
    COUNT: What.COUNTED,
    SHIFT_COUNT: What.COUNTED,
    CLOSER: What.CLOSED,
    RECOUNT: What.RECOUNTED,
    LATE_OPENER: What.OPENED,
    LATE_COUNT: What.COUNTED,
    LATE_SHIFT_COUNT: What.COUNTED,
    LATE_CLOSER: What.CLOSED,
}


def estimates_of(
    tables: Iterable[Table],
    clock: Clock,
    since: datetime,
    until: datetime,
    pasts: Mapping[str, Past] | None = None,
    *,
    with_course: bool = True,
) -> dict[int, Estimate]:
    """Return what tables won from one instant to another, as far as it is known. One query."""
    every = list(tables)
    facts = _facts([table.pk for table in every], clock, since, until, with_course=with_course)
    return {
        table.pk: estimate(facts[table.pk], until, (pasts or {}).get(table.game, NO_PAST))
        for table in every
    }


def _facts(
    keys: Sequence[int], clock: Clock, since: datetime, until: datetime, *, with_course: bool
) -> dict[int, list[Fact]]:
    values: dict[str, Any] = {
        "tables": list(keys),
        "since": since,
        "until": until,
        "late": sorted(LATE_KINDS),
        "late_to_patrons": sorted(LATE_TO_PATRONS),
        "restating": sorted(RESTATING),
        "count_correction": COUNT_CORRECTION,
        "counts": sorted(EVERY_COUNT),
        "jackpots": [JACKPOT, LATE_JACKPOT],
        "big_wins": [BIG_WIN, LATE_BIG_WIN],
        "buy_in": CashKind.BUY_IN.value,
        "aborted": Outcome.ABORTED.value,
        "bucket": _BUCKET,
    }
    facts: dict[int, list[Fact]] = defaultdict(list)
    with reading_connection().cursor() as cursor:
        cursor.execute(_FACTS_SQL + (_COURSE_SQL if with_course else ""), values)
        for table_id, kind, at, cents in cursor.fetchall():
            what = _KINDS.get(kind) or What(kind)
            began = period(clock, at).began if what is What.GUESS else None
            facts[table_id].append(Fact(what, at, cents, began))
    return facts


@dataclass(frozen=True, slots=True)
class SoFar:
    """What a tile says of a table's day: win, hold, and until when both are known."""

    win_cents: int
    drop_cents: int
    # None while it is known up to now.
    known_until: datetime | None = None

    @property
    def hold(self) -> int | None:
        return hold_basis_points(self.win_cents, self.drop_cents)


def so_far(table: Estimate, since: datetime, now: datetime) -> SoFar | None:
    """Return what is known of a table's day without guessing at its play; none if that is nothing.

    A tile says no more than counts and reports do: what a game is expected to hold is for a shift.
    """
    parts = table.during(since, now)
    if not parts or any(part.basis is EstimateBasis.UNKNOWN for part in parts[:-1]):
        return None
    until = now
    if parts[-1].basis is EstimateBasis.UNKNOWN:
        until = parts[-1].began
        if until <= since or len(parts) == 1:
            return None
    won, dropped = table.win_cents(since, until), table.drop_cents(since, until)
    return SoFar(won, dropped, until if until < now else None)
