"""Archive a closed month: its entries, its seals, and every row that these vouch for, in one file.

The file is proven from the disk before the journal names it. Nothing is taken out of the database:
what is signed stays there.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any

from django.apps import apps
from django.conf import settings
from django.db import transaction
from django.db.models import JSONField, Model

from pitboss.build import this_build
from pitboss.durable import draft_of, sync, sync_folder
from pitboss.models import ClosedDay, DayDigest, JournalEntry, Slip
from pitboss.rules.refusal import CONFLICT, refuse
from pitboss.services import house, journal
from pitboss.services.archive_file import ENTRIES, SEALS, ArchivePartKind, ArchiveRow, ArchiveWriter
from pitboss.services.verification.archived import MONTH_ARCHIVED, check_archive
from pitboss.services.verification.digests import digested_models
from pitboss.services.verification.findings import VerificationReport
from pitboss.services.verification.rows import TIME_SQL, Vouched, as_text, vouched_models
from pitboss.services.verification.scratch import slots_of
from pitboss.services.verification.snapshot import FETCH_ROWS, Snapshot, open_snapshot

# Rows that nothing vouches for, and that a month is not whole without: by when they are of.
_ALONE = {"pitboss.Attempt": "at", "tables.Round": "started_at"}

_ENTRY_COLUMNS = (
    *("id", "chain", "number", "at", "kind", "person", "slip", "text", "key_name", "link"),
)
_ENTRIES_SQL = f"""
    SELECT id, %s, number, {TIME_SQL.format(column="at")}, kind, person_id, slip_id, text,
        key_name, link
    FROM pitboss_journalentry
    WHERE chain_id = %s AND number BETWEEN %s AND %s ORDER BY number
"""
# The newest entry of before a time: a chain never goes back in time.
_LAST_BEFORE_SQL = """
    SELECT number, link FROM pitboss_journalentry
    WHERE chain_id = %s AND at < %s ORDER BY number DESC LIMIT 1
"""
_SEAL_COLUMNS = ("number", "at", "text", "key_name", "link")
_SEALS_SQL = f"""
    SELECT number, {TIME_SQL.format(column="at")}, text, key_name, link FROM pitboss_journalseal
    WHERE number BETWEEN %s AND %s ORDER BY number
"""
_LAST_SEAL_SQL = """
    SELECT number, link FROM pitboss_journalseal WHERE at < %s ORDER BY number DESC LIMIT 1
"""


@dataclass(frozen=True, slots=True)
class GamingMonth:
    """A calendar month of gaming days, and the instants at which it begins and ends."""

    name: str
    first: date
    last: date
    began: datetime
    ended: datetime

    @property
    def file_name(self) -> str:
        return f"pitboss-{self.name}.archive"


@dataclass(frozen=True, slots=True)
class WrittenArchive:
    """What was written."""

    path: Path
    bytes: int
    manifest_sha256: str
    report: VerificationReport


def month_named(name: str) -> GamingMonth:
    """Return a month by its name, such as 2026-10. Raises Refused."""
    try:
        first = date.fromisoformat(f"{name}-01")
    except ValueError:
        raise refuse("no_month", f"“{name}” isn’t a month. Enter it like 2026-10.") from None
    after = (first + timedelta(days=31)).replace(day=1)
    began, ended = house.day_span(first)[0], house.day_span(after)[0]
    return GamingMonth(name, first, after - timedelta(days=1), began, ended)


def archived_months() -> dict[str, str]:
    """Return the months that the journal names an archive of, each with its manifest's hash."""
    entries = JournalEntry.objects.filter(chain__name=journal.HOUSE, kind=MONTH_ARCHIVED)
    bodies = [json.loads(text)["body"] for text in entries.values_list("text", flat=True)]
    return dict(sorted((body["month"], body["manifest"]) for body in bodies))


def archive_month(name: str, folder: Path) -> WrittenArchive:
    """Write the archive of a closed month, prove it from the disk, and journal it. Raises Refused.

    Months are archived in their order: each file goes on where the one before ended.
    """
    month, now = month_named(name), house.now()
    _refuse_unready(month, now)
    path = folder / month.file_name
    if path.exists():
        sentence = (
            f"{path} already exists, and the journal doesn’t name it. Move it, and try again."
        )
        raise refuse("file_in_the_way", sentence)
    try:
        with draft_of(path, mode=0o600) as (draft, file):
            manifest = _write(ArchiveWriter(file, now), month, now)
            sync(file)
            report = VerificationReport()
            proven = check_archive(draft, report, settings.KEYS.journal_keys)
            if proven is None or not report.is_sound:
                raise refuse(
                    "archive_unsound",
                    f"The archive of {name} doesn’t prove what it contains: {report.first} Run "
                    "verify_journal. Nothing was kept.",
                    CONFLICT,
                )
            size = draft.stat().st_size
            draft.rename(path)
            sync_folder(folder)
    except OSError as error:
        raise refuse("file_impossible", f"{path} cannot be made: {error.strerror}.") from error
    with transaction.atomic(durable=True):
        journal.write(
            chain=journal.HOUSE,
            kind=MONTH_ARCHIVED,
            body={"month": name, "manifest": manifest, "bytes": size},
            at=house.now(),
        )
    return WrittenArchive(path, size, manifest, report)


def _refuse_unready(month: GamingMonth, now: datetime) -> None:
    """Refuse a month that is not over, not closed, not digested, or not the next."""
    if now < month.ended:
        raise refuse("month_not_over", f"{month.name} isn’t over. Archive it after its last day.")
    done = archived_months()
    if month.name in done:
        raise refuse(
            "month_archived", f"{month.name} is already archived. Choose the next month.", CONFLICT
        )
    firsts = JournalEntry.objects.filter(number=1).order_by("at")
    earliest = firsts.values_list("at", flat=True).first()
    first = house.period_at(earliest or now).gaming_day.replace(day=1)
    due = _after(max(done)) if done else first
    if due != month.first:
        raise refuse(
            "month_skipped", f"{due:%Y-%m} is the next month to archive. Enter that one.", CONFLICT
        )
    days = [month.first, month.last]
    open_days = (
        Slip.objects.filter(gaming_day__range=days)
        .exclude(gaming_day__in=ClosedDay.objects.values("gaming_day"))
        .order_by("gaming_day")
        .values_list("gaming_day", flat=True)
    )
    if (day := open_days.first()) is not None:
        raise refuse(
            "month_open",
            f"{day:%b %-d, %Y} isn’t closed. Close it, then archive {month.name}.",
            CONFLICT,
        )
    for model in digested_models():
        last = DayDigest.objects.filter(label=model._meta.label).order_by("-gaming_day").first()
        rows = model._default_manager.filter(at__lt=month.ended)
        if last is not None:
            rows = rows.filter(at__gte=last.ended_at)
        if rows.exists():
            raise refuse(
                "month_undigested",
                f"Rows of {month.name} aren’t digested yet. The worker does it within an hour of "
                "the day’s end.",
                CONFLICT,
            )


def _after(name: str) -> date:
    return (date.fromisoformat(f"{name}-01") + timedelta(days=31)).replace(day=1)


def _write(writer: ArchiveWriter, month: GamingMonth, now: datetime) -> str:
    with open_snapshot() as snapshot, closing(Vouched()) as vouched:
        chains = _chains(snapshot, month)
        entries = ArchivePartKind(ENTRIES, "pitboss.JournalEntry", "chain", _ENTRY_COLUMNS)
        writer.add(entries, _entries(snapshot, chains, vouched))
        last_seals = [_last(snapshot, _LAST_SEAL_SQL, [at]) for at in (month.began, month.ended)]
        (before, before_link), (last, link) = last_seals
        seals = ArchivePartKind(SEALS, "pitboss.JournalSeal", "chain", _SEAL_COLUMNS)
        writer.add(seals, map(list, snapshot.stream(_SEALS_SQL, [before + 1, last])))
        for model in vouched_models():
            if vouched.count(model._meta.label):
                writer.add(_kind(model, "entries"), _ink(snapshot, model, vouched))
        digests = list(DayDigest.objects.filter(gaming_day__range=[month.first, month.last]))
        for model in digested_models():
            spans = [digest for digest in digests if digest.label == model._meta.label]
            if spans:
                span = [min(d.began_at for d in spans), max(d.ended_at for d in spans)]
                writer.add(_kind(model, "digests"), _rows(snapshot, model, "at", span))
        for label, column in _ALONE.items():
            model = apps.get_model(label)
            rows = _rows(snapshot, model, column, [month.began, month.ended])
            writer.add(_kind(model, ""), rows)
    keys = settings.KEYS
    return writer.finish(
        {
            "property": house.the_property().name,
            "month": month.name,
            "began": journal.plain_time(month.began),
            "ended": journal.plain_time(month.ended),
            "made_at": journal.plain_time(now),
            "program": this_build().words,
            "chains": {
                name: {"first": first + 1, "last": last, "before": before, "link": link}
                for name, _, (first, before), (last, link) in chains
            },
            "seals": {"first": before + 1, "last": last, "before": before_link, "link": link},
            "digests": [
                [
                    digest.label,
                    digest.gaming_day.isoformat(),
                    journal.plain_time(digest.began_at),
                    journal.plain_time(digest.ended_at),
                    digest.rows,
                    digest.digest,
                ]
                for digest in sorted(digests, key=lambda d: (d.label, d.gaming_day))
            ],
        },
        keys.journal_key_name,
        keys.journal_keys[keys.journal_key_name],
    )


# A chain by its name and id, its last entry before the month, and its last one in it.
_Chain = tuple[str, int, tuple[int, str], tuple[int, str]]


def _chains(snapshot: Snapshot, month: GamingMonth) -> list[_Chain]:
    named = list(snapshot.stream("SELECT name, id FROM pitboss_journalchain ORDER BY name"))
    return [
        (
            name,
            chain_id,
            _last(snapshot, _LAST_BEFORE_SQL, [chain_id, month.began]),
            _last(snapshot, _LAST_BEFORE_SQL, [chain_id, month.ended]),
        )
        for name, chain_id in named
    ]


def _last(snapshot: Snapshot, sql: str, values: list[Any]) -> tuple[int, str]:
    """Return the number and the link of what was last; none is 0 and an empty link."""
    with snapshot.cursor() as cursor:
        cursor.execute(sql, values)
        number, link = cursor.fetchone() or (0, "")
    return int(number), str(link)


def _entries(snapshot: Snapshot, chains: list[_Chain], vouched: Vouched) -> Iterator[ArchiveRow]:
    """Yield every entry of the month, and keep what each vouches for."""
    for name, chain_id, (before, _), (last, _) in chains:
        for row in snapshot.stream(_ENTRIES_SQL, [name, chain_id, before + 1, last]):
            yield list(row)
            for label, row_id, digest, *version in json.loads(row[7])["rows"]:
                if not version and vouched.knows(label):
                    vouched.add(label, row_id, digest)


def _kind(model: type[Model], proof: str) -> ArchivePartKind:
    """Return how the rows of a model are written: by their id, and every column as text."""
    fields = _fields(model, proof)
    names = tuple(field.attname for field in fields)
    label = model._meta.label
    return ArchivePartKind(
        name=f"{label.lower()}.jsonl",
        label=label,
        proof=proof,
        columns=("row", *names) if proof == "entries" else names,
        json=tuple(place for place, field in enumerate(fields) if isinstance(field, JSONField)),
    )


def _fields(model: type[Model], proof: str) -> list[Any]:
    """Return the columns of a model: those in ink where entries prove them, else all."""
    fields = list(model._meta.concrete_fields)
    if proof != "entries":
        return fields
    inked = journal.inked_columns(model)
    return [field for field in fields if field.attname in inked]


def _ink(snapshot: Snapshot, model: type[Model], vouched: Vouched) -> Iterator[ArchiveRow]:
    """Yield each row of a model that the month's entries vouch for, as texts."""
    columns = ", ".join(as_text(field) for field in _fields(model, "entries"))
    key = model._meta.pk.column
    sql = (
        f'SELECT "{key}", {columns} FROM {model._meta.db_table} WHERE "{key}" = ANY(%s) ORDER BY 1'
    )
    promised = vouched.of(model)
    for number in sorted(promised.numbers()):
        block = promised.block(number)
        ids = [row_id for row_id, digest, _ in slots_of(number, block, block) if digest]
        for start in range(0, len(ids), FETCH_ROWS):
            yield from map(list, snapshot.stream(sql, [ids[start : start + FETCH_ROWS]]))


def _rows(
    snapshot: Snapshot, model: type[Model], column: str, span: list[datetime]
) -> Iterator[ArchiveRow]:
    """Yield each row of a model of a time, as texts, in the order of their ids."""
    columns = ", ".join(as_text(field) for field in model._meta.concrete_fields)
    sql = (
        f"SELECT {columns} FROM {model._meta.db_table} "
        f'WHERE "{column}" >= %s AND "{column}" < %s ORDER BY "{model._meta.pk.column}"'
    )
    yield from map(list, snapshot.stream(sql, span))
