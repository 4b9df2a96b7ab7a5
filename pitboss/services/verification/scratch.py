"""Scratch space on disk for work over more rows than should be in memory at once."""

from __future__ import annotations

import os
import tempfile
from collections import defaultdict
from collections.abc import Iterator

DIGEST_BYTES = 32
_NOTHING = bytes(DIGEST_BYTES)


class _Scratch:
    """A file without a name: it is gone when it is closed, however the process ends."""

    def __init__(self) -> None:
        self._file = tempfile.TemporaryFile(prefix="pitboss-")  # noqa: SIM115  `close` ends it
        self._descriptor = self._file.fileno()

    def close(self) -> None:
        self._file.close()

    def _read(self, length: int, offset: int) -> bytearray:
        content = bytearray(os.pread(self._descriptor, length, offset))
        content.extend(bytes(length - len(content)))
        return content

    def _write(self, content: bytes | bytearray, offset: int) -> None:
        view = memoryview(content)
        while view:
            written = os.pwrite(self._descriptor, view, offset)
            view = view[written:]
            offset += written


class Slots(_Scratch):
    """One digest a row id, in any order in, block by block in the order of ids out."""

    SLOTS_A_BLOCK = 2048
    BLOCKS_KEPT_MAX = 128

    def __init__(self) -> None:
        super().__init__()
        self.count = 0
        self._blocks: dict[int, bytearray] = {}
        # Where each block lies in the file. A row can have any id: someone may have given it one.
        self._places: dict[int, int] = {}

    def put(self, row_id: int, digest: bytes) -> bool:
        """Keep a digest; return False when the id has one already, which stays."""
        number, slot = divmod(row_id, self.SLOTS_A_BLOCK)
        block = self._blocks.get(number)
        if block is None:
            block = self._load(number)
        start = slot * DIGEST_BYTES
        end = start + DIGEST_BYTES
        if block[start:end] != _NOTHING:
            return False
        block[start:end] = digest
        self.count += 1
        return True

    def put_newest(self, row_id: int, record: bytes) -> None:
        """Keep a record that begins with its version, unless a newer one is there."""
        number, slot = divmod(row_id, self.SLOTS_A_BLOCK)
        block = self._blocks.get(number)
        if block is None:
            block = self._load(number)
        start = slot * DIGEST_BYTES
        end = start + DIGEST_BYTES
        if block[start:end] == _NOTHING:
            self.count += 1
        if record > block[start:end]:
            block[start:end] = record

    def numbers(self) -> set[int]:
        """Return the numbers of the blocks that hold anything."""
        return set(self._places)

    def block(self, number: int) -> bytes:
        """Return a block as it is, empty when nothing was put there."""
        kept = self._blocks.get(number)
        if kept is not None:
            return bytes(kept)
        place = self._places.get(number)
        if place is None:
            return bytes(self._block_bytes)
        return bytes(self._read(self._block_bytes, place))

    @property
    def _block_bytes(self) -> int:
        return self.SLOTS_A_BLOCK * DIGEST_BYTES

    def _load(self, number: int) -> bytearray:
        if len(self._blocks) >= self.BLOCKS_KEPT_MAX:
            for kept, content in self._blocks.items():
                self._write(content, self._places[kept])
            self._blocks.clear()
        place = self._places.setdefault(number, len(self._places) * self._block_bytes)
        block = self._blocks[number] = self._read(self._block_bytes, place)
        return block


def slots_of(
    number: int, one: bytes, other: bytes
) -> Iterator[tuple[int, bytes | None, bytes | None]]:
    """Yield each row id of two blocks of the same number that either has, with both digests."""
    for slot in range(Slots.SLOTS_A_BLOCK):
        digests = [block[slot * DIGEST_BYTES : (slot + 1) * DIGEST_BYTES] for block in (one, other)]
        left, right = (None if digest == _NOTHING else digest for digest in digests)
        if left is not None or right is not None:
            yield number * Slots.SLOTS_A_BLOCK + slot, left, right


class Spool(_Scratch):
    """Many queues of short records in one file: each comes out by name, in the order it went in."""

    BLOCK_BYTES = 4096

    def __init__(self, record_bytes: int) -> None:
        super().__init__()
        self._record_bytes = record_bytes
        self._per_block = self.BLOCK_BYTES // record_bytes
        self._open: defaultdict[str, bytearray] = defaultdict(bytearray)
        self._full: defaultdict[str, list[int]] = defaultdict(list)
        self._end = 0

    def put(self, name: str, record: bytes) -> None:
        block = self._open[name]
        block += record
        if len(block) == self._per_block * self._record_bytes:
            self._write(block, self._end)
            self._full[name].append(self._end)
            self._end += len(block)
            block.clear()

    def names(self) -> list[str]:
        return sorted(self._open)

    def take(self, name: str) -> Iterator[bytes]:
        length = self._per_block * self._record_bytes
        for offset in self._full.get(name, []):
            yield from self._records(bytes(self._read(length, offset)))
        yield from self._records(bytes(self._open.get(name, b"")))

    def _records(self, block: bytes) -> Iterator[bytes]:
        for start in range(0, len(block), self._record_bytes):
            yield block[start : start + self._record_bytes]
