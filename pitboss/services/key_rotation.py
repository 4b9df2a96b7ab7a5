"""Rotate a key: a new one is made and used from the next start on; the old ones stay to read with.

The entry that tells of it is still made with the old key, which so vouches for the new one.
"""

from __future__ import annotations

import os
import re
import secrets
from enum import StrEnum
from pathlib import Path

from cryptography.fernet import Fernet
from django.conf import settings
from django.db import transaction

from pitboss.keys import key_mark, replace_key
from pitboss.models import JournalChain
from pitboss.rules.refusal import refuse
from pitboss.services import house, journal


class Rotating(StrEnum):
    """The keys that may rotate. The others are bound up with what was hashed by them."""

    JOURNAL = "journal"
    FIELD = "field"


@transaction.atomic(durable=True)
def rotate_key(*, which: Rotating) -> str:
    """Put a new key before the old ones in its file; return its name. Raises Refused.

    Every node reads its keys as it starts: give the file to all of them, then start them anew.
    """
    file_name = f"{which.value}_keys"
    variable = f"PITBOSS_{file_name.upper()}"
    if os.environ.get(variable):
        raise refuse(
            "key_in_environment",
            f"{variable} is set, so key files are ignored. Put a new key before the "
            "others there, or unset it and keep the keys in their file.",
        )
    # Two rotations at once would take one another's key away.
    JournalChain.objects.select_for_update().get(name=journal.HOUSE)
    path: Path = settings.PITBOSS_DATA / "keys" / file_name
    try:
        lines = path.read_text().split()
    except FileNotFoundError:
        raise refuse("key_missing", f"{path} not found. Restore it from its backup.") from None
    if which is Rotating.JOURNAL:
        names = [line.partition(":")[0] for line in lines]
        name, secret = _next_name(names), secrets.token_hex(32)
        line = f"{name}:{secret}"
    else:
        line = secret = Fernet.generate_key().decode()
        name = f"field-{key_mark(secret.encode())}"
    journal.write(
        chain=journal.HOUSE,
        kind="key_rotated",
        body={"key": which.value, "name": name, "mark": key_mark(secret.encode())},
        at=house.now(),
    )
    replace_key(path, "\n".join([line, *lines]))
    return name


def _next_name(names: list[str]) -> str:
    """Return a journal key's name that was never used.

    >>> _next_name(["journal-2", "journal-1"]), _next_name(["of-the-house"])
    ('journal-3', 'journal-1')
    """
    numbers = [int(found[1]) for name in names if (found := re.fullmatch(r"journal-(\d+)", name))]
    return f"journal-{max(numbers, default=0) + 1}"
