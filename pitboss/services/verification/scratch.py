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
    """One digest a row id, in any order in, in the order of ids out."""

    SLOTS_A_BLOCK = 2048
    BLOCKS_KEPT_MAX = 128

    def __init__(self) -> None:
        super().__init__()
        self._blocks: dict[int, bytearray] = {}
        self._top = 0

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
        return True

    def items(self) -> Iterator[tuple[int, bytes]]:
        """Yield every id that has a digest, in order, with it."""
        self._flush()
        for number in range(self._top):
            block = bytes(self._read(self._block_bytes, number * self._block_bytes))
            for slot in range(self.SLOTS_A_BLOCK):
                digest = block[slot * DIGEST_BYTES : (slot + 1) * DIGEST_BYTES]
                if digest != _NOTHING:
                    yield number * self.SLOTS_A_BLOCK + slot, digest

    @property
    def _block_bytes(self) -> int:
        return self.SLOTS_A_BLOCK * DIGEST_BYTES

    def _load(self, number: int) -> bytearray:
        if len(self._blocks) >= self.BLOCKS_KEPT_MAX:
            self._flush()
        block = self._read(self._block_bytes, number * self._block_bytes)
        self._blocks[number] = block
        self._top = max(self._top, number + 1)
        return block

    def _flush(self) -> None:
        for number, block in self._blocks.items():
            self._write(block, number * self._block_bytes)
        self._blocks.clear()


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
