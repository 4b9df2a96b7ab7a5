"""The journal: verifying a million entries, and what that costs in memory."""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import subprocess
import sys
import uuid
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from functools import cache
from random import Random
from time import perf_counter
from typing import TYPE_CHECKING, Any

import django
import psycopg

from bench.measuring import Measure, measure, wall

if TYPE_CHECKING:
    from django.db.models import Model

FEW = 100_000
MANY = 1_000_000
PROMISED_SECONDS = 60
TABLES = 30
FILLS_A_BATCH = 5_000
SEED = 21

# The text that `canonical` gives, without its look for floats: there are none here.
_canonical = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode

# In a process of its own, which says at the end how much memory it ever held.
_VERIFY = """
import django
django.setup()
from django.core.management import call_command
call_command("verify_journal", quiet=True)
with open("/proc/self/status") as status:
    print(next(line.split()[1] for line in status if line.startswith("VmHWM")))
"""


def run() -> Iterator[Measure]:
    """Verify a tenth of a million entries, then the whole million, beside a bare HMAC over them."""
    if "PITBOSS_SUPERUSER_DATABASE_URL" not in os.environ:
        sys.exit("The journal is measured on servers of its own: use make bench.")
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "pitboss.settings")
    owner = {"DATABASE_URL": os.environ["PITBOSS_OWNER_DATABASE_URL"]}
    subprocess.run(
        [sys.executable, "manage.py", "migrate", "--verbosity=0"],
        env=os.environ | owner,
        check=True,
    )
    django.setup()
    from django.conf import settings

    floor = Floor()
    began = perf_counter()
    texts = floor.work_until(FEW)
    key = next(iter(settings.KEYS.journal_keys.values()))
    bare = Measure("a bare HMAC", measure(lambda: _link_all(key, texts), clock=wall), len(texts))
    yield bare
    yield _verify(floor, bare, None)
    floor.work_until(MANY)
    yield Measure("write the rows of a million entries", perf_counter() - began, floor.entries)
    yield _verify(floor, bare, PROMISED_SECONDS)


def _link_all(key: bytes, texts: list[str]) -> None:
    """Do what no verification can do without: one HMAC an entry."""
    link = ""
    for text in texts:
        link = hmac.new(key, f"{link}\n{text}".encode(), hashlib.sha256).hexdigest()


def _verify(floor: Floor, bare: Measure, limit_seconds: float | None) -> Measure:
    began = perf_counter()
    verified = subprocess.run(
        [sys.executable, "-c", _VERIFY], check=True, capture_output=True, text=True
    )
    seconds = perf_counter() - began
    megabytes = int(verified.stdout) // 1024
    return Measure(
        f"verify {floor.entries:,} entries, {floor.rows:,} rows ({megabytes} MB)",
        seconds,
        floor.entries,
        baseline=bare,
        limit_seconds=limit_seconds,
    )


class Floor:
    """Fills on thirty tables, six signatures each, written past the site for speed.

    Each entry vouches for its signature, and for the slip or the transfers made with it, as on a
    real floor. The people behind the ids are left out: verification does not ask for them.
    """

    def __init__(self) -> None:
        from inventory.models import ChequeTransfer
        from pitboss.models import JournalEntry, Pit, Signature, Slip
        from pitboss.services.floor import add_table

        pit = Pit.objects.create(name="Pit 1")
        tables = [
            add_table(
                name=f"BJ-{number}",
                pit=pit,
                game="classic_6",
                minimum_cents=2_500,
                maximum_cents=300_000,
                par={},
            )
            for number in range(TABLES)
        ]
        self._chains = [_Chain(table.pk) for table in tables]
        self._random = Random(SEED)
        self._plan = _plan()
        self._slips = _Sheet(Slip)
        self._signatures = _Sheet(Signature)
        self._transfers = _Sheet(ChequeTransfer)
        self._entries = _Sheet(JournalEntry)
        self._fills = 0
        self._now = datetime(2026, 1, 1, tzinfo=UTC)

    @property
    def entries(self) -> int:
        return self._entries.last_id

    @property
    def rows(self) -> int:
        return self._slips.last_id + self._signatures.last_id + self._transfers.last_id

    def work_until(self, entries: int) -> list[str]:
        """Fill until there are so many entries; return the texts of the last batch."""
        from django.db import connection

        from pitboss.services.seals import write_seal

        texts: list[str] = []
        connection.close()
        database = os.environ["PITBOSS_SUPERUSER_DATABASE_URL"]
        site = connection.settings_dict["NAME"]
        with psycopg.connect(database, dbname=site, autocommit=True) as superuser:
            # No triggers: they judge signatures one by one, and this is a million of them.
            superuser.execute("SET session_replication_role = replica")
            while self.entries < entries:
                for _ in range(FILLS_A_BATCH):
                    if self.entries < entries:
                        self._fill()
                texts = [row["text"] for row in self._entries.rows]
                for sheet in (self._slips, self._signatures, self._transfers, self._entries):
                    sheet.copy(superuser)
                for chain in self._chains:
                    superuser.execute(
                        "UPDATE pitboss_journalchain SET head_number = %s, head_link = %s "
                        "WHERE id = %s",
                        [chain.number, chain.link, chain.id],
                    )
                write_seal(now=self._now)
            superuser.execute("ANALYZE")
        return texts

    def _fill(self) -> None:
        """Carry one fill through its six signatures."""
        from pitboss.rules.canonical import digest
        from pitboss.rules.cheques.cheques import total_cents

        self._fills += 1
        chain = self._chains[self._fills % TABLES]
        cheques = {str(cents): 20 * self._random.randint(1, 5) for cents in (500_000, 2_500, 500)}
        by_cents = {int(cents): count for cents, count in cheques.items()}
        serial = f"F-2026-{self._fills:06}"
        slip = self._slips.add(
            kind="fill",
            series="F",
            year=2026,
            number=self._fills,
            serial=serial,
            table_id=chain.table_id,
            gaming_day=self._now.date(),
            shift="Day",
            raised_at=self._now,
            cheques=cheques,
            total_cents=total_cents(by_cents),
            reason="",
            details={},
            tray_sequence=None,
            plan=self._plan,
            refers_to_id=None,
            status="done",
        )
        signed: list[Any] = []
        for person, step in enumerate(self._plan[:6], 1):
            self._now += timedelta(milliseconds=700)
            shown = _canonical(
                {
                    "serial": serial,
                    "kind": "fill",
                    "table": f"BJ-{chain.table_id}",
                    "cheques": cheques,
                    "status": "open",
                    "signatures": signed,
                }
            )
            counted = cheques if step["counts"] else None
            signature = self._signatures.add(
                slip_id=slip["id"],
                track=step["track"],
                step=step["name"],
                person_id=person,
                signed_as=f"P. Personson · TG-10{person}",
                role=step["roles"][0],
                device_id=1,
                place=step["at"] or "pit",
                signed_at=self._now,
                shown=shown,
                shown_hash=digest(shown),
                counted=counted,
                facts={"present": "104"} if step["in_presence_of"] else {},
                reason="",
                request_id=uuid.UUID(int=self._random.getrandbits(128), version=4),
                request_hash=digest(serial),
            )
            signed.append([step["track"], step["name"], signature["signed_as"], counted])
            vouched = [self._slips.voucher(slip)] if person == 1 else []
            vouched.append(self._signatures.voucher(signature))
            moves = {"carried": ("cage", "carrier"), "received": ("carrier", "tray")}
            if step["name"] in moves:
                vouched += self._move(slip, chain, *moves[step["name"]])
            self._journal(chain, slip, signature, vouched)

    def _move(self, slip: dict[str, Any], chain: _Chain, source: str, target: str) -> list[Any]:
        vouched = []
        for cents, count in slip["cheques"].items():
            chain.tray_sequence += target == "tray"
            transfer = self._transfers.add(
                slip_id=slip["id"],
                denomination_cents=int(cents),
                count=count,
                source=source,
                target=target,
                table_id=chain.table_id if target == "tray" else None,
                tray_sequence=chain.tray_sequence if target == "tray" else None,
                at=self._now,
            )
            vouched.append(self._transfers.voucher(transfer))
        return vouched

    def _journal(
        self, chain: _Chain, slip: dict[str, Any], signature: dict[str, Any], vouched: list[Any]
    ) -> None:
        from django.conf import settings

        from pitboss.services.journal import make_link, plain_time

        chain.number += 1
        kind = f"fill.{signature['step']}"
        text = _canonical(
            {
                "chain": chain.name,
                "number": chain.number,
                "at": plain_time(self._now),
                "kind": kind,
                "person": signature["person_id"],
                "badge": f"10{signature['person_id']}",
                "slip": slip["id"],
                "where": {"device": "Pit 1 tablet", "place": "pit", "pit": 1},
                "body": {
                    "serial": slip["serial"],
                    "status": "open",
                    "total_cents": slip["total_cents"],
                    "as": signature["signed_as"],
                    "role": signature["role"],
                    "shown_hash": signature["shown_hash"],
                    "reason": "",
                },
                "rows": vouched,
            }
        )
        keys = settings.KEYS
        key_name = keys.journal_key_name
        chain.link = make_link(keys.journal_keys[key_name], chain.link, text)
        self._entries.add(
            chain_id=chain.id,
            number=chain.number,
            at=self._now,
            kind=kind,
            person_id=signature["person_id"],
            slip_id=slip["id"],
            text=text,
            key_name=key_name,
            link=chain.link,
        )


class _Chain:
    """A chain as it grows."""

    def __init__(self, table_id: int) -> None:
        from pitboss.models import JournalChain

        chain = JournalChain.objects.get(table_id=table_id)
        self.id, self.name, self.table_id = chain.pk, chain.name, table_id
        self.number, self.link, self.tray_sequence = 0, "", 0


class _Sheet:
    """Rows of one model on their way into the database."""

    def __init__(self, model: type[Model]) -> None:
        from pitboss.services.journal import inked_columns

        self._model = model
        self._columns = [field.attname for field in model._meta.concrete_fields]
        self._inked = inked_columns(model)
        self.rows: list[dict[str, Any]] = []
        self.last_id = 0

    def add(self, **values: Any) -> dict[str, Any]:
        self.last_id += 1
        values["id"] = self.last_id
        self.rows.append(values)
        return values

    def voucher(self, row: dict[str, Any]) -> list[Any]:
        """Return what an entry stores to vouch for a row."""
        from pitboss.services.journal import plain_digest

        digest = plain_digest(_marked(row[column]) for column in self._inked)
        return [self._model._meta.label, row["id"], digest]

    def copy(self, superuser: psycopg.Connection[Any]) -> None:
        """Write the rows, fast: as lines of text, in one go."""
        columns = ", ".join(f'"{column}"' for column in self._columns)
        table = self._model._meta.db_table
        lines = "\n".join(
            "\t".join([_copied(row[column]) for column in self._columns]) for row in self.rows
        )
        with (
            superuser.cursor() as cursor,
            cursor.copy(f"COPY {table} ({columns}) FROM STDIN") as copy,
        ):
            copy.write(lines)
        self.rows = []


@cache
def _text_of_plan() -> str:
    """Return the one plan that all these slips have: written out once, not 160,000 times."""
    return _canonical(_plan())


def _plan() -> list[dict[str, Any]]:
    from inventory.kinds.fill import FILL
    from pitboss.rules.flows.flows import PlanFacts

    return FILL.plan(PlanFacts(cheques={500_000: 1}))


def _plain(value: Any) -> str:
    """Return the text that the journal gives a value."""
    if isinstance(value, str):
        return value
    if isinstance(value, datetime):
        return value.isoformat(timespec="microseconds")
    if isinstance(value, list):
        return _text_of_plan()
    return _canonical(value) if isinstance(value, dict) else str(value)


def _marked(value: Any) -> str:
    return "-" if value is None else f"+{_plain(value)}"


def _copied(value: Any) -> str:
    return "\\N" if value is None else _plain(value).replace("\\", "\\\\")
