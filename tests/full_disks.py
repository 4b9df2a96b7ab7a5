"""A disk that is full for one file: the kernel itself refuses to let it grow further."""

from __future__ import annotations

import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def room_for(path: Path, more_bytes: int = 0) -> Iterator[None]:
    """Let no file of this process grow past the length of one, and so many bytes more."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (path.stat().st_size + more_bytes, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
