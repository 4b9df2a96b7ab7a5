"""Years of history, written straight into a database: slips, signatures, journal, ledger, checks.

python -m bench.history --slips 500000 --checks 5000000 --days 1826

It fills the floor that is there, table by table and day by day: a table that plays is opened,
filled, counted and closed, and its box is pulled and counted; each day the cage is counted and the
day is closed. Every row is one that the site could have written, but for the links of the journal,
which no one here signs. PostgreSQL makes the rows itself, and no trigger looks at them.
"""

from __future__ import annotations

import argparse
import json
import os
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import django
import psycopg
from psycopg import sql

SLIPS = 500_000
CHECKS = 5_000_000
DAYS = 1826
# What one table does in a day: the slips of a table-day, and the hour of each.
PLAY = (
    ("opener", 1),
    ("fill", 3),
    ("count", 5),
    ("closer", 9),
    ("drop_pull", 10),
    ("drop_count", 12),
)
EACH_DAY = (("cage_count", 20), ("day_close", 23))
TRAY = {10_000: 40, 2_500: 80, 500: 100}
FILL = {10_000: 10, 2_500: 20, 500: 20}
CASH_CENTS = 150_000
EXCEPTION_EVERY = 100
# Where the years are: the tables that grow with every day.
GROWING = (
    "inventory_cagecount",
    "inventory_chequetransfer",
    "inventory_publicbalance",
    "inventory_traycount",
    "pitboss_attempt",
    "pitboss_closedday",
    "pitboss_floorexception",
    "pitboss_journalentry",
    "pitboss_signature",
    "pitboss_slip",
    "pitboss_waiting",
    "tables_dealing",
    "tables_payoutcheck",
)

# Days and tables that play: evenly over the years, and every table on the last of the days.
_PLAYED = """
    CREATE TEMP TABLE played AS
    SELECT row_number() OVER (PARTITION BY table_id ORDER BY day) - 1 AS turn,
           day, table_id, pit_id, place
    FROM (
        SELECT %(today)s::date - (%(days)s - (k * %(days)s / %(played)s))::int AS day,
               t.id AS table_id, t.pit_id, t.place
        FROM generate_series(0, %(played)s - 1) AS k
        JOIN (SELECT id, pit_id, row_number() OVER (ORDER BY id) - 1 AS place
              FROM pitboss_table) AS t ON t.place = k %% %(tables)s
        UNION
        SELECT %(today)s::date - 1, id, pit_id, row_number() OVER (ORDER BY id) - 1
        FROM pitboss_table
    ) AS table_day;
    ANALYZE played;
"""

# All slips with their numbers: those of tables, then those of the house.
_SLIPS = """
    CREATE TEMP TABLE paper AS
    SELECT * FROM jsonb_to_recordset(%(papers)s::jsonb)
        AS paper(kind text, series text, plan jsonb, cheques jsonb, cents bigint);
    CREATE TEMP TABLE made AS
    SELECT row_number() OVER (ORDER BY at, table_id, kind) AS id,
           row_number() OVER (PARTITION BY paper.series, extract(year FROM day)
                              ORDER BY at, table_id) AS number,
           kind, paper.series, day, extract(year FROM day)::int AS year, table_id, pit_id, place,
           turn, at
    FROM (
        SELECT play.kind, day, table_id, pit_id, place, turn,
               day + interval '12 hours' + play.hour * interval '1 hour'
                   + place * interval '1 second' AS at
        FROM played, jsonb_to_recordset(%(play)s::jsonb) AS play(kind text, hour int)
        UNION ALL
        SELECT each.kind, day, NULL, NULL, 0, 0,
               day + interval '10 hours' + each.hour * interval '1 hour'
        FROM (SELECT DISTINCT day FROM played) AS days,
             jsonb_to_recordset(%(each_day)s::jsonb) AS each(kind text, hour int)
    ) AS act
    JOIN paper USING (kind);
    ALTER TABLE made ADD COLUMN serial text;
    UPDATE made SET serial = series || '-' || year || '-' || lpad(number::text, 6, '0');
    CREATE INDEX ON made (table_id, turn, kind);
    ANALYZE made;

    INSERT INTO pitboss_slip (id, kind, series, year, number, serial, table_id, gaming_day, shift,
        raised_at, cheques, total_cents, reason, details, tray_sequence, plan, status)
    SELECT slip.id, slip.kind, slip.series, slip.year, slip.number, slip.serial, slip.table_id,
        slip.day, CASE WHEN slip.kind IN ('closer', 'drop_pull', 'drop_count') THEN 'Swing'
                       WHEN slip.table_id IS NULL THEN 'Grave' ELSE 'Day' END,
        slip.at AT TIME ZONE 'UTC', paper.cheques, paper.cents, '',
        CASE slip.kind
            WHEN 'opener' THEN '{"sequence": 1}'::jsonb
            WHEN 'drop_pull' THEN jsonb_build_object('box', 'B-' || slip.place,
                'new_box', 'N-' || slip.place, 'emergency', false, 'count', other.serial,
                'surveillance_told_at', to_char(slip.at, 'YYYY-MM-DD"T"HH24:MI:SS"+00:00"'))
            WHEN 'drop_count' THEN jsonb_build_object('box', 'B-' || slip.place,
                'pull', other.serial, 'figures', %(figures)s::jsonb, 'documents', '[]'::jsonb)
            WHEN 'day_close' THEN jsonb_build_object(
                'gaming_day', to_char(slip.day, 'YYYY-MM-DD'), 'carried', '[]'::jsonb)
            ELSE '{}'::jsonb
        END,
        CASE slip.kind WHEN 'opener' THEN slip.turn * 6
                       WHEN 'count' THEN slip.turn * 6 + 3
                       WHEN 'closer' THEN slip.turn * 6 + 6 END,
        paper.plan, 'done'
    FROM made AS slip JOIN paper USING (kind)
    LEFT JOIN made AS other ON other.table_id = slip.table_id AND other.turn = slip.turn
        AND other.kind = CASE slip.kind WHEN 'drop_pull' THEN 'closer'
                                        WHEN 'drop_count' THEN 'drop_pull' END;
    INSERT INTO pitboss_seriescounter (series, year, last_number)
    SELECT series, year, max(number) FROM made GROUP BY series, year;
"""

# A minute from one signature to the next, each by one of those who may sign it.
_SIGNED = """
    CREATE TEMP TABLE signer AS
    SELECT id, role, badge, left(first_name, 1) || '. ' || last_name || ' ' || licence_number
               AS signed_as, row_number() OVER (PARTITION BY role ORDER BY id) - 1 AS place,
           count(*) OVER (PARTITION BY role) AS of_role
    FROM pitboss_person;
    CREATE TEMP TABLE step AS
    SELECT paper.kind, each->>'name' AS name, coalesce(each->>'at', 'pit') AS at_place,
           (each->>'counts')::boolean AS counts, each->'by'->>0 AS role,
           ARRAY(SELECT jsonb_array_elements_text(each->'by')) AS by, paper.cheques, place
    FROM paper, jsonb_array_elements(paper.plan) WITH ORDINALITY AS planned(each, place)
    WHERE each->>'track' = 'main';
    ANALYZE signer;
    ANALYZE step;
    CREATE TEMP TABLE signed AS
    SELECT row_number() OVER (ORDER BY slip.at, slip.id, step.place) AS id, slip.id AS slip_id,
           slip.kind, slip.serial, slip.table_id, slip.pit_id, step.place AS turn,
           step.name AS step, step.at_place, signer.id AS person_id, signer.role, signer.badge,
           signer.signed_as, (slip.at + step.place * interval '1 minute') AT TIME ZONE 'UTC' AS at
    FROM made AS slip
    JOIN step USING (kind)
    JOIN signer ON signer.role = step.role
        AND signer.place = (slip.place + step.place) %% signer.of_role;
    ANALYZE signed;

    INSERT INTO pitboss_signature (id, slip_id, track, step, person_id, signed_as, role, device_id,
        place, signed_at, shown, shown_hash, counted, facts, reason, request_id, request_hash)
    SELECT signed.id, slip_id, 'main', signed.step, person_id, signed_as, signed.role, device.id,
        signed.at_place, at, shown.text, encode(sha256(convert_to(shown.text, 'UTF8')), 'hex'),
        CASE WHEN counts THEN cheques END, '{}', '', gen_random_uuid(), md5(shown.text)
    FROM signed
    JOIN step ON step.kind = signed.kind AND step.name = signed.step
    JOIN (SELECT DISTINCT ON (place) id, place FROM pitboss_device ORDER BY place, id) AS device
        ON device.place = signed.at_place
    CROSS JOIN LATERAL (SELECT jsonb_build_object('serial', serial, 'kind', signed.kind,
        'cheques', cheques, 'step', signed.step)::text AS text) AS shown;

    INSERT INTO pitboss_waiting (slip_id, step, "by", place, pit_id, table_id, since, until,
        limit_seconds, escalated_to)
    SELECT slip_id, signed.step, by, signed.at_place, pit_id, table_id, at - interval '1 minute',
        at, 300, '{}'
    FROM signed JOIN step ON step.kind = signed.kind AND step.name = signed.step
    WHERE turn > 1;

    INSERT INTO pitboss_attempt (badge, device_id, source, kind, outcome, at)
    SELECT badge, (SELECT min(id) FROM pitboss_device), '', 'pin', 'right', at FROM signed;

    INSERT INTO pitboss_journalentry (chain_id, number, at, kind, person_id, slip_id, text,
        key_name, link)
    SELECT chain.id, row_number() OVER (PARTITION BY chain.id ORDER BY signed.id), at,
        kind || '.' || step, person_id, slip_id,
        jsonb_build_object('chain', chain.name, 'kind', kind || '.' || step, 'slip', slip_id,
            'badge', badge, 'rows', '[]'::jsonb, 'body', jsonb_build_object('serial', serial,
            'status', 'open', 'as', signed_as, 'role', role, 'reason', ''))::text,
        'bench', md5(signed.id::text) || md5(serial)
    FROM signed
    JOIN pitboss_journalchain AS chain
        ON chain.name = coalesce('table:' || signed.table_id, 'cage');
    UPDATE pitboss_journalchain AS chain SET head_number = last.number, head_link = last.link
    FROM (SELECT DISTINCT ON (chain_id) chain_id, number, link FROM pitboss_journalentry
          ORDER BY chain_id, number DESC) AS last WHERE last.chain_id = chain.id;
"""

# A fill comes in, and the public wins it by the next count.
_LEDGER = """
    CREATE TEMP TABLE moved AS
    SELECT slip.id AS slip_id, slip.at AT TIME ZONE 'UTC' AS at, line.cents, line.count,
           way.source, way.target, way.is_tray, slip.table_id, slip.day,
           slip.turn * 6 + way.after + line.place AS tray_sequence
    FROM made AS slip
    JOIN (VALUES ('fill', 'cage', 'carrier', false, 0), ('fill', 'carrier', 'tray', true, 0),
                 ('count', 'tray', 'public', true, 3))
        AS way(kind, source, target, is_tray, after) USING (kind)
    CROSS JOIN (
        SELECT key::int AS cents, value::int AS count,
               row_number() OVER (ORDER BY key::int) AS place
        FROM jsonb_each_text(%(fill)s::jsonb)
    ) AS line;
    INSERT INTO inventory_chequetransfer (id, slip_id, denomination_cents, count, source, target,
        table_id, tray_sequence, at)
    SELECT row_number() OVER (ORDER BY at, slip_id, cents, source), slip_id, cents, count, source,
        target, CASE WHEN is_tray THEN table_id END, CASE WHEN is_tray THEN tray_sequence END, at
    FROM moved;

    INSERT INTO inventory_traycount (id, table_id, slip_id, tray_sequence, cheques, at)
    SELECT row_number() OVER (ORDER BY at, id), table_id, id,
        turn * 6 + CASE kind WHEN 'opener' THEN 0 ELSE 6 END, %(tray)s, at AT TIME ZONE 'UTC'
    FROM made WHERE kind IN ('opener', 'count', 'closer');
    UPDATE pitboss_table AS t SET tray_sequence = last.turn * 6 + 6
    FROM (SELECT table_id, max(turn) AS turn FROM played GROUP BY table_id) AS last
    WHERE last.table_id = t.id;

    CREATE TEMP TABLE ended AS
    SELECT day, max(id) FILTER (WHERE source = 'cage') AS of_cage,
           max(id) FILTER (WHERE target = 'public') AS of_public
    FROM (SELECT transfer.id, transfer.source, transfer.target, slip.gaming_day AS day
          FROM inventory_chequetransfer AS transfer JOIN pitboss_slip AS slip
              ON slip.id = transfer.slip_id) AS moved_on GROUP BY day;
    INSERT INTO inventory_cagecount (slip_id, after_transfer, cheques, at)
    SELECT made.id, of_cage, %(stock)s, at AT TIME ZONE 'UTC'
    FROM made JOIN ended USING (day) WHERE kind = 'cage_count' ORDER BY day;
    INSERT INTO inventory_publicbalance (slip_id, after_transfer, cheques, at)
    SELECT made.id, of_public, %(stock)s, at AT TIME ZONE 'UTC'
    FROM made JOIN ended USING (day) WHERE kind = 'day_close' ORDER BY day;
    INSERT INTO pitboss_closedday (gaming_day, slip_id, closed_at)
    SELECT day, id, at AT TIME ZONE 'UTC' FROM made WHERE kind = 'day_close' ORDER BY day;
"""

# Boxes that were counted, what is explained, who dealt, and the payouts that were checked.
_BESIDES = """
    INSERT INTO tables_pulledbox (pull_id, waits)
    SELECT id, false FROM made WHERE kind = 'drop_pull';
    INSERT INTO pitboss_floorexception (code, sentence, details, table_id, slip_id, gaming_day,
        shift, opened_at, resolved_at, resolved_by_id, resolution, version, seal)
    SELECT 'count_differs', serial || ': 500 differs.', '{"counted": {"500": 19}}', table_id, id,
        day, 'Day', at AT TIME ZONE 'UTC', at AT TIME ZONE 'UTC' + interval '5 minutes',
        (SELECT min(id) FROM signer WHERE role = 'pit_manager'), 'Counted again.', 1, 'none:none'
    FROM made WHERE id %% %(exception_every)s = 0 AND table_id IS NOT NULL;
    INSERT INTO pitboss_waiting (exception_id, step, "by", place, pit_id, table_id, since, until,
        limit_seconds, escalated_to)
    SELECT trouble.id, 'explained', '{pit_manager}', '', t.pit_id, t.id, opened_at, resolved_at,
        300, '{}'
    FROM pitboss_floorexception AS trouble JOIN pitboss_table AS t ON t.id = trouble.table_id;

    INSERT INTO tables_dealing (table_id, dealer_id, began_at, ended_at)
    SELECT table_id, signer.id, (day + interval '13 hours' + half * interval '1 hour')
            AT TIME ZONE 'UTC', (day + interval '14 hours' + half * interval '1 hour')
            AT TIME ZONE 'UTC'
    FROM played CROSS JOIN generate_series(0, 7) AS half
    JOIN signer ON signer.role = 'dealer'
        AND signer.place = (played.place + half %% 2) %% signer.of_role;

    INSERT INTO tables_payoutcheck (table_id, terminal_id, dealer_id, at, wager, verdict,
        stake_cents, paid_cents, payable_cents, claim, answer)
    SELECT t.id, (SELECT min(id) FROM pitboss_device), signer.id,
        (%(today)s::date - %(days)s + (k * %(days)s::float8 / %(checks)s) * interval '1 day'),
        'blackjack', 'right', 5000, 7500, 7500, %(claim)s, %(answer)s
    FROM generate_series(0, %(checks)s::int - 1) AS k
    JOIN (SELECT id, row_number() OVER (ORDER BY id) - 1 AS place FROM pitboss_table) AS t
        ON t.place = k %% %(tables)s
    JOIN signer ON signer.role = 'dealer' AND signer.place = t.place %% signer.of_role;
"""

_CLAIM = {
    "wager": "blackjack",
    "stake_cents": 5_000,
    "player_cards": ["Ah", "Kd"],
    "dealer_cards": ["9c", "8d"],
    "paid_cents": 7_500,
    "bet": {"2500": 2},
    "seat": 3,
}
_ANSWER = {
    "verdict": "right",
    "rule": "blackjack.natural",
    "payout_cents": 7_500,
    "cheques": {"2500": 3},
    "working": "A natural pays 3 to 2: $50 pays $75.",
}


@dataclass(frozen=True, slots=True)
class Sizes:
    """How much history there is."""

    slips: int = SLIPS
    checks: int = CHECKS
    days: int = DAYS


def write_history(superuser_url: str, sizes: Sizes, today: str) -> None:
    """Fill the floor of a database with its past, up to the day before today."""
    with psycopg.connect(superuser_url, autocommit=True) as connection:
        # Made by the million: neither signed nor judged one by one.
        connection.execute("SET session_replication_role = replica")
        connection.execute("SET work_mem = '256MB'")
        row = connection.execute("SELECT count(*) FROM pitboss_table").fetchone()
        assert row is not None
        values = _values(sizes, today, tables=row[0])
        for statements in (_PLAYED, _SLIPS, _SIGNED, _LEDGER, _BESIDES):
            for statement in statements.split(";\n"):
                if statement.strip():
                    # Values cannot be bound in every one of these: they are written into the text.
                    connection.execute(_with_values(statement, values))
        _go_on_counting(connection)
        connection.execute("VACUUM ANALYZE")


def _with_values(statement: str, values: dict[str, Any]) -> sql.Composed:
    text = statement.replace("{", "{{").replace("}", "}}").replace("%%", "%")
    for name in values:
        text = text.replace(f"%({name})s", f"{{{name}}}")
    # The text is this module's own, and the values are quoted.
    return sql.SQL(text).format(**{name: sql.Literal(value) for name, value in values.items()})


def _values(sizes: Sizes, today: str, tables: int) -> dict[str, Any]:
    from pitboss.rules.cheques.cheques import total_cents
    from pitboss.rules.drop.figures import FIGURE_LINES
    from pitboss.rules.flows.book import FLOWS
    from pitboss.rules.flows.flows import PlanFacts
    from pitboss.services.shown import stored_cheques

    def paper(kind: str) -> dict[str, Any]:
        cheques = {"fill": FILL, **dict.fromkeys(("opener", "count", "closer"), TRAY)}.get(kind, {})
        return {
            "kind": kind,
            "series": FLOWS[kind].series,
            "plan": FLOWS[kind].plan(PlanFacts(cheques)),
            "cheques": stored_cheques(cheques),
            "cents": total_cents(cheques),
        }

    def hours(acts: tuple[tuple[str, int], ...]) -> str:
        return json.dumps([{"kind": kind, "hour": hour} for kind, hour in acts])

    figures = {line.key: 0 for line in FIGURE_LINES} | {"cash_10000": CASH_CENTS}
    return {
        "today": today,
        "days": sizes.days,
        "checks": sizes.checks,
        "tables": tables,
        "played": max(1, sizes.slips // len(PLAY)),
        "play": hours(PLAY),
        "each_day": hours(EACH_DAY),
        "papers": json.dumps([paper(kind) for kind, _ in (*PLAY, *EACH_DAY)]),
        "figures": json.dumps(figures),
        "fill": json.dumps(FILL),
        "tray": json.dumps(stored_cheques(TRAY)),
        "stock": json.dumps(stored_cheques(dict.fromkeys(TRAY, 1_000_000))),
        "exception_every": EXCEPTION_EVERY,
        "claim": json.dumps(_CLAIM),
        "answer": json.dumps(_ANSWER),
    }


def _go_on_counting(connection: psycopg.Connection[Any]) -> None:
    """Let the site's next rows follow these."""
    for (table,) in connection.execute(
        "SELECT table_name FROM information_schema.columns WHERE table_schema = 'public'"
        " AND column_name = 'id' AND is_identity = 'YES'"
    ).fetchall():
        connection.execute(
            sql.SQL(
                "SELECT setval(pg_get_serial_sequence({0}, 'id'), max(id)) FROM {1}"
                " HAVING max(id) IS NOT NULL"
            ).format(sql.Literal(table), sql.Identifier(table))
        )


def main(arguments: list[str] | None = None) -> None:
    """Fill the database of the environment with history."""
    parser = argparse.ArgumentParser(prog="python -m bench.history", description=__doc__)
    for name, default in (("slips", SLIPS), ("checks", CHECKS), ("days", DAYS)):
        parser.add_argument(f"--{name}", type=int, default=default)
    parser.add_argument("--today", default="", help="the day after the last; today unless told")
    given = parser.parse_args(arguments)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "pitboss.settings")
    django.setup()
    from bench.databases import database_url
    from pitboss.services import house

    name = urlsplit(os.environ["DATABASE_URL"]).path.removeprefix("/")
    today = given.today or house.period_at(house.now()).gaming_day.isoformat()
    write_history(
        database_url("SUPERUSER_", name), Sizes(given.slips, given.checks, given.days), today
    )


if __name__ == "__main__":
    main()
