"""Seal the journal: the heads of all chains at one moment, chained, in the database and in a file.

One seal an hour holds every head; those between hold the heads that moved. What is wrong with the
file, or with a second place, never keeps a seal from being made: it is noted, and told.
"""

from __future__ import annotations

import json
import logging
import logging.handlers
import socket
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import connection, transaction
from django.db.models import QuerySet

from pitboss.confidential import COMPLIANCE_CHAIN
from pitboss.models import GuardSheet, JournalChain, JournalSeal, SealingState
from pitboss.rules.canonical import canonical
from pitboss.services import alarms, house, seal_file
from pitboss.services.journal import make_link, plain_time
from pitboss.services.losses import Loss, find_loss
from pitboss.services.seal_file import (
    NO_FILE,
    Memory,
    SealFileFound,
    SealLine,
    line_of,
    memory_of,
    parsed,
)

# A seal is due when any head moved, and at least this often; as often one holds every head.
SEAL_AGE_MAX = timedelta(hours=1)
# A seal reaches the file right after it is committed. One that is older than this and not there
# was taken out, or no one watches the disk.
FILE_DELAY_MAX = timedelta(minutes=10)

# The entry by which an auditor accepts that the file goes on without what it lost.
SEAL_FILE_ACCEPTED = "seal_file_accepted"

SEALS_LOCK = 0x50_49_54_02
_TAIL_BYTES = 64 * 1024
_log = logging.getLogger(__name__)

FOUND_WORDS = {
    SealFileFound.MISSING: "The seal file is missing.",
    SealFileFound.SHORTENED: "The seal file is shorter than it was.",
    SealFileFound.REWRITTEN: "The seal file was rewritten.",
    SealFileFound.AHEAD: "The seal file is ahead of the database.",
}

Heads = dict[str, list[Any]]


@dataclass(frozen=True, slots=True)
class Looked:
    """How the file is now, and what is wrong: with it, or with a database that was set back."""

    memory: Memory
    found: SealFileFound | None = None
    loss: Loss | None = None

    def as_text(self) -> dict[str, Any]:
        said = self.memory.as_text(self.found)
        return said if self.loss is None else {**said, "lost": self.loss.as_text()}


def write_seal(*, now: datetime) -> JournalSeal | None:
    """Seal the chains if a seal is due, then bring file and second places up to date.

    Return the new seal. Whatever is wrong with the file is noted and told, not raised: the seal in
    the database is made all the same.
    """
    seal = _seal_heads(now)
    troubles = list(_bring_up_to_date())
    _note(now, troubles)
    if troubles:
        _log.error("sealing: %s", " ".join(troubles))
        alarms.sound(alarms.SEALING_FAILED, " ".join(troubles)[:500], {}, now)
    return seal


@transaction.atomic(durable=True)
def _seal_heads(now: datetime) -> JournalSeal | None:
    lock_seals()
    # One statement, so that the heads are those of one moment.
    heads: Heads = {
        name: [number, link]
        for name, number, link in JournalChain.objects.order_by("name").values_list(
            "name", "head_number", "head_link"
        )
    }
    last = JournalSeal.objects.order_by("-number").first()
    looked = _look(last, now)
    known, whole = known_heads(last)
    moved = {name: head for name, head in heads.items() if known.get(name) != head}
    # A note to compliance is sealed with what comes next: a seal of its own would tell of it.
    is_told = bool(moved.keys() - {COMPLIANCE_CHAIN})
    is_quiet = looked.found is None and not is_told
    if last is not None and is_quiet and now - last.at < SEAL_AGE_MAX:
        return None
    fields: dict[str, Any] = {
        "number": last.number + 1 if last else 1,
        # A seal is never older than the one before it, whatever the clock of a node says.
        "at": plain_time(max(now, last.at) if last else now),
        "file": looked.as_text(),
        "guards": GuardSheet.objects.order_by("-number").values_list("link", flat=True).first(),
    }
    if whole is None or looked.found is not None or now - whole.at >= SEAL_AGE_MAX:
        fields["heads"] = heads
    else:
        fields |= {"moved": moved, "whole": whole.number}
    text = canonical(fields)
    keys = settings.KEYS
    seal = JournalSeal.objects.create(
        number=fields["number"],
        at=max(now, last.at) if last else now,
        text=text,
        key_name=keys.journal_key_name,
        link=make_link(keys.journal_keys[keys.journal_key_name], last.link if last else "", text),
    )
    if looked.found is not None:
        _tell_of_file(seal, looked, looked.found)
    return seal


def _tell_of_file(seal: JournalSeal, looked: Looked, found: SealFileFound) -> None:
    """Tell of a file that is not as it was left, or ahead. It goes on from how it is now."""
    state = _locked_state()
    state.file_bytes = looked.memory.bytes
    state.save(update_fields=["file_bytes"])
    if looked.loss is not None:
        alarms.sound(
            alarms.RECORD_LOST,
            f"{looked.loss.words} Slips signed since then may be missing. Enter them late. "
            "An auditor and surveillance accept the loss on the server, with accept_loss.",
            {"seal": seal.number, "first": looked.loss.first, "last": looked.loss.last},
            seal.at,
        )
        return
    alarms.sound(
        alarms.SEAL_FILE,
        f"{FOUND_WORDS[found]} Seal {seal.number} says so, and the file goes on from there. "
        "Find out what happened. Explain it, and you accept the file as it is now.",
        {"seal": seal.number, "found": found.value},
        seal.at,
    )


def known_heads(last: JournalSeal | None) -> tuple[Heads, JournalSeal | None]:
    """Return the heads as a seal and those before it tell them, and which last held them all."""
    if last is None:
        return {}, None
    answer = json.loads(last.text)
    if "heads" in answer:
        return answer["heads"], last
    since = JournalSeal.objects.filter(
        number__gte=answer["whole"], number__lte=last.number
    ).order_by("number")
    heads: Heads = {}
    for seal in since:
        body = json.loads(seal.text)
        heads |= body["heads"] if "heads" in body else body["moved"]
    return heads, since[0]


def _look(last: JournalSeal | None, now: datetime) -> Looked:
    """Return how the file is now, and whether it is not as it was left."""
    left = SealingState.objects.first()
    left_bytes = left.file_bytes if left else 0
    remembered = memory_of(json.loads(last.text)) if last else NO_FILE
    try:
        if remembered is None:
            assert last is not None
            return _first_look(last, now)
        newer = [_line(seal) for seal in _after(remembered.seal)]
        memory, found = seal_file.check_seal_file(remembered, left_bytes, newer)
        if found is None:
            return Looked(memory)
        loss = None
        if found is SealFileFound.REWRITTEN and seal_file.is_as_remembered(remembered):
            loss = find_loss(last, start=remembered.bytes, size=memory.bytes)
    except OSError:
        # It is there and cannot be read. What is remembered stays so; adding to it will tell.
        return Looked(remembered or NO_FILE)
    # What it lost is never filled in: it goes on with the seal that says so.
    memory = Memory(memory.bytes, memory.end, last.number if last else 0)
    return Looked(memory, SealFileFound.AHEAD if loss else found, loss)


def _first_look(last: JournalSeal, now: datetime) -> Looked:
    """Look at a file of which no seal remembers anything: an earlier release wrote them all."""
    size = seal_file.file_size()
    number = _last_number(size) if size else 0
    lost = _after(number).first()
    found = None
    if lost is not None and (not size or now - lost.at > FILE_DELAY_MAX):
        found, number = (SealFileFound.SHORTENED if size else SealFileFound.MISSING), last.number
    memory, _ = seal_file.check_seal_file(NO_FILE, 0, [])
    return Looked(Memory(memory.bytes, memory.end, number), found)


def _bring_up_to_date() -> Iterator[str]:
    """Send every place what it does not have yet; yield what went wrong, in sentences."""
    for send, words in (
        (_append_to_file, "The seal file cannot be written"),
        (_append_to_copy, "The second seal file cannot be written"),
        (_send_to_log, "Seals cannot be sent to the log"),
    ):
        try:
            send()
        except OSError as error:
            yield f"{words}: {error.strerror or error}."


def append_missing_lines() -> int:
    """Append every seal that was kept out of the file, and return how many those were."""
    return _append_to_file()


@transaction.atomic(durable=True)
def _append_to_file() -> int:
    # The lock orders the writers of all nodes, also where the file lies on a shared disk.
    state = _locked_state()
    last = JournalSeal.objects.order_by("-number").first()
    remembered = memory_of(json.loads(last.text)) if last else None
    if remembered is None:
        return 0
    missing = list(_after(remembered.seal))
    memory, found = seal_file.check_seal_file(
        remembered, state.file_bytes, [_line(journal_seal) for journal_seal in missing]
    )
    if found is not None:
        # It changed since it was looked at: the next seal says so, and goes on from there.
        return 0
    lines = [_line(journal_seal) for journal_seal in missing if journal_seal.number > memory.seal]
    state.file_bytes = seal_file.append_to(settings.SEAL_FILE, lines) if lines else memory.bytes
    state.save(update_fields=["file_bytes"])
    return len(lines)


@transaction.atomic(durable=True)
def _append_to_copy() -> None:
    copy = settings.SEAL_COPY
    if copy is None:
        return
    state = _locked_state()
    seals = _unsent(state.copied_seal)
    if seals:
        seal_file.append_to(copy, [_line(seal) for seal in seals])
        state.copied_seal = seals[-1].number
        state.save(update_fields=["copied_seal"])


@transaction.atomic(durable=True)
def _send_to_log() -> None:
    if not settings.SEAL_SYSLOG:
        return
    state = _locked_state()
    seals = _unsent(state.logged_seal)
    if seals:
        _log_seals(seals)
        state.logged_seal = seals[-1].number
        state.save(update_fields=["logged_seal"])


def _unsent(sent: int | None) -> list[JournalSeal]:
    """Return the seals that a second place was not sent; a new one begins with the newest."""
    if sent is None:
        return list(JournalSeal.objects.order_by("-number")[:1])
    return list(_after(sent))


class _Sending(logging.handlers.SysLogHandler):
    """A handler that does not swallow what goes wrong."""

    def handleError(self, record: logging.LogRecord) -> None:
        raise


def _log_seals(seals: list[JournalSeal]) -> None:
    address: str = settings.SEAL_SYSLOG
    tcp = address.startswith("tcp:")
    host, _, port = address.removeprefix("tcp:").rpartition(":")
    where: Any = address if address.startswith("/") else (host, int(port))
    kind = socket.SOCK_STREAM if tcp else None if address.startswith("/") else socket.SOCK_DGRAM
    handler = _Sending(where, socktype=kind)
    try:
        for seal in seals:
            line = seal_file.syslog_line(seal.number, seal.key_name, seal.link)
            handler.emit(logging.LogRecord("seals", logging.INFO, "", 0, line, None, None))
    finally:
        handler.close()


@transaction.atomic(durable=True)
def _note(now: datetime, troubles: list[str]) -> None:
    """Note how this run went, for monitors."""
    state = _locked_state()
    state.tried_at = now
    state.trouble = " ".join(troubles)[:500]
    if not troubles:
        state.went_well_at = now
    state.save(update_fields=["tried_at", "trouble", "went_well_at"])


def _locked_state() -> SealingState:
    lock_seals()
    now = house.now()
    defaults = {"since": now, "tried_at": now}
    state, _ = SealingState.objects.get_or_create(pk=1, defaults=defaults)
    return state


def _after(number: int) -> QuerySet[JournalSeal]:
    return JournalSeal.objects.filter(number__gt=number).order_by("number")


def _last_number(size: int) -> int:
    """Return the number of the file's last line that is a seal of this database, 0 when none is."""
    length = _TAIL_BYTES
    while True:
        start = max(0, size - length)
        for raw in reversed(seal_file.whole_lines(start, size)):
            line = parsed(0, raw)
            if line.seal is not None and _is_ours(line):
                return int(line.seal["number"])
        if start == 0:
            return 0
        length *= 2


def _is_ours(line: SealLine) -> bool:
    assert line.seal is not None
    return JournalSeal.objects.filter(number=line.seal["number"], link=line.link).exists()


def _line(seal: JournalSeal) -> str:
    return line_of(seal.key_name, seal.link, seal.text)


def lock_seals() -> None:
    """Take the turn of writing seals, until the transaction ends."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [SEALS_LOCK])
