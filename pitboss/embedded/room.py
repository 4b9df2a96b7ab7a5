"""Tell whether a disk has room for a database to go on, and wait while it has none."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable
from pathlib import Path

# Four segments of PostgreSQL's log: what it needs to recover and to take up its work.
ROOM_BYTES_MIN = 64 * 1024 * 1024
_LOOK_SECONDS = 1


def has_room(*folders: Path) -> bool:
    """Tell whether there is room on the disks of all these folders."""
    return all(shutil.disk_usage(folder).free >= ROOM_BYTES_MIN for folder in folders)


def await_room(*folders: Path, go_on: Callable[[], None], say: Callable[[str], None]) -> bool:
    """Wait until there is room, and say so; return whether there was none."""
    if has_room(*folders):
        return False
    say(
        f"The disk of {folders[0]} is full. What was signed is kept. Make room: Pitboss waits "
        f"until {ROOM_BYTES_MIN // 1024**2} MB are free, then goes on by itself."
    )
    while not has_room(*folders):
        go_on()
        time.sleep(_LOOK_SECONDS)
    say("There is room on the disk again; going on ...")
    return True
