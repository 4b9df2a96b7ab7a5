"""What the seal file saw and the database no longer has.

A fail-over to a standby that lagged, or a restore, sets the database back. The seal file lies
outside it and does not go back. Its newest seals were made with the key, each after the one before,
so only this house can have written them, and they tell how far each chain had come.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from django.conf import settings

from pitboss.confidential import COMPLIANCE_CHAIN
from pitboss.models import JournalEntry, JournalSeal, Table
from pitboss.services.journal import make_link, plain_time
from pitboss.services.seal_file import SealLine, lines_of_file

# The entry by which two people accept what was lost.
LOSS_ACCEPTED = "loss_accepted"
# How many bytes of the file are hashed at a time.
_PIECE = 1 << 20


@dataclass(frozen=True, slots=True)
class Loss:
    """Seals that the file has and the database lost: which, of what time, and where they stand."""

    first: int
    last: int
    since: str
    until: str
    start: int
    end: int
    digest: str

    def as_text(self) -> dict[str, Any]:
        return asdict(self)

    @property
    def words(self) -> str:
        seals = (
            f"seal {self.first}" if self.first == self.last else f"seals {self.first}–{self.last}"
        )
        return f"The database lost what {seals} saw: a failover or a restore set it back."


@dataclass(frozen=True, slots=True)
class LostChain:
    """A chain of the journal that had come further than it is now."""

    name: str
    # The newest entry that a seal saw and that is still there as it was seen.
    kept: int
    last: int

    @property
    def entries(self) -> int:
        return self.last - self.kept


def loss_in(fields: Mapping[str, Any]) -> Loss | None:
    """Return the loss that a seal tells of, given its text."""
    lost = fields.get("file", {}).get("lost")
    return None if lost is None else Loss(**lost)


def find_loss(last: JournalSeal | None, *, start: int, size: int) -> Loss | None:
    """Return what the file has beyond the database's last seal; None when it isn't all ours.

    The file is read from `start`, where it was as remembered, to its end.
    """
    number, link = (last.number, last.link) if last else (0, "")
    first, until = None, ""
    for line in lines_of_file(size, start=start):
        if line.seal is None:
            return None
        if first is None and line.seal["number"] <= number:
            # On its way to the file when the database was set back, and in both.
            continue
        key = settings.KEYS.journal_keys.get(line.key_name)
        follows = line.seal["number"] == number + 1
        if not follows or key is None or make_link(key, link, line.text) != line.link:
            return None
        number, link, until = line.seal["number"], line.link, line.seal["at"]
        first = first or line
    if first is None:
        return None
    return Loss(
        last.number + 1 if last else 1,
        number,
        since=plain_time(last.at) if last else "",
        until=until,
        start=first.start,
        end=size,
        digest=digest_of(first.start, size),
    )


def digest_of(start: int, end: int) -> str:
    """Return the hash of a part of the seal file."""
    digest = hashlib.sha256()
    with settings.SEAL_FILE.open("rb") as file:
        while start < end:
            piece = os.pread(file.fileno(), min(_PIECE, end - start), start)
            if not piece:
                break
            digest.update(piece)
            start += len(piece)
    return digest.hexdigest()


def lost_seals(loss: Loss) -> Iterator[SealLine]:
    """Read the lost seals from the file."""
    return lines_of_file(loss.end, start=loss.start)


def lost_chains(loss: Loss, known: Mapping[str, Sequence[Any]]) -> list[LostChain]:
    """Return how far each chain had come, where that is further than what is still there.

    `known` are the heads that the newest seal before the loss knew. Compliance's own chain is not
    among what is returned: no one else is told how much it holds.
    """
    seen: dict[str, dict[int, str]] = {}
    for line in lost_seals(loss):
        assert line.seal is not None
        for name, (number, link) in line.seal.get("heads", line.seal.get("moved", {})).items():
            if number and name != COMPLIANCE_CHAIN:
                seen.setdefault(name, {})[number] = link
    return [
        chain
        for name, heads in sorted(seen.items())
        if (chain := _lost_chain(name, heads, known.get(name, (0, ""))[0])).entries
    ]


def _lost_chain(name: str, heads: Mapping[int, str], sealed: int) -> LostChain:
    there = JournalEntry.objects.filter(chain__name=name, number__in=heads)
    kept = [number for number, link in there.values_list("number", "link") if heads[number] == link]
    return LostChain(name, kept=max(kept, default=sealed), last=max(heads))


def chain_words(name: str) -> str:
    """Return a chain as people call it: its table, or its desk."""
    _, of_table, table_id = name.partition("table:")
    table = Table.objects.filter(pk=int(table_id)).first() if of_table else None
    return table.name if table is not None else name
