"""The keys of a property: made once, kept apart from the database, named where they may rotate."""

from __future__ import annotations

import hashlib
import hmac
import os
import re
import secrets
from dataclasses import dataclass
from pathlib import Path

import environ
from cryptography.fernet import Fernet
from django.core.exceptions import ImproperlyConfigured

from pitboss.durable import draft_of, sync, sync_folder

# File name -> how a new one is made. A named key is "name:secret"; the newest stands first.
_MAKERS = {
    "secret_key": lambda: secrets.token_urlsafe(50),
    "pin_pepper": lambda: secrets.token_urlsafe(32),
    "journal_keys": lambda: f"journal-1:{secrets.token_hex(32)}",
    "field_keys": lambda: Fernet.generate_key().decode(),
    "blind_index_key": lambda: secrets.token_urlsafe(32),
}
# What a house signs with for its group: the seed of an Ed25519 key. Only a house of a group has it.
STATEMENT_KEY = "statement_key"


@dataclass(frozen=True, slots=True)
class Keys:
    """What the site keeps secret. Lost, they lose signatures; leaked, they let them be forged."""

    secret_key: str
    pin_pepper: bytes
    journal_key_name: str
    journal_keys: dict[str, bytes]
    field_keys: tuple[str, ...]
    blind_index_key: bytes
    # Empty where the house belongs to no group.
    statement_key: str = ""

    @classmethod
    def load(cls, env: environ.Env, folder: Path, *, required: bool) -> Keys:
        """Read each key from PITBOSS_<NAME>, else from its file, which is made when it may be."""
        values = {name: _read(env, folder, name, required=required) for name in _MAKERS}
        journal = dict(_named(line) for line in values["journal_keys"].splitlines() if line.strip())
        return cls(
            secret_key=values["secret_key"],
            pin_pepper=values["pin_pepper"].encode(),
            journal_key_name=next(iter(journal)),
            journal_keys=journal,
            field_keys=tuple(values["field_keys"].split()),
            blind_index_key=values["blind_index_key"].encode(),
            statement_key=_read_statement_key(env, folder),
        )

    def as_files(self) -> dict[str, str]:
        """Return the content of each key's file, by its name."""
        journal = [f"{name}:{secret.decode()}" for name, secret in self.journal_keys.items()]
        return {
            "secret_key": f"{self.secret_key}\n",
            "pin_pepper": f"{self.pin_pepper.decode()}\n",
            "journal_keys": "".join(f"{line}\n" for line in journal),
            "field_keys": "".join(f"{key}\n" for key in self.field_keys),
            "blind_index_key": f"{self.blind_index_key.decode()}\n",
            **({STATEMENT_KEY: f"{self.statement_key}\n"} if self.statement_key else {}),
        }


def key_mark(key: bytes) -> str:
    """Return what a key is known by where it may not stand itself; nothing leads back to it.

    >>> key_mark(b"a") == key_mark(b"a") != key_mark(b"b")
    True
    """
    return hmac.new(key, b"pitboss key mark", hashlib.sha256).hexdigest()[:16]


def _named(line: str) -> tuple[str, bytes]:
    name, separator, secret = line.strip().partition(":")
    if not separator or len(secret) < 32:
        raise ImproperlyConfigured(
            "A journal key is a line “name:secret” of 32 characters or more."
        )
    return name, secret.encode()


def _read(env: environ.Env, folder: Path, name: str, *, required: bool) -> str:
    value = _found(env, folder, name)
    if value:
        return value
    if required:
        raise ImproperlyConfigured(f"Set {_variable(name)}, or put the key into {folder / name}.")
    return make_key(folder / name, _MAKERS[name]())


def _variable(name: str) -> str:
    return f"PITBOSS_{name.upper()}"


def _found(env: environ.Env, folder: Path, name: str) -> str:
    """Return a key from its variable, else from its file; empty where neither has it."""
    value = env.str(_variable(name), "")
    if value:
        return str(value)
    try:
        return (folder / name).read_text().strip()
    except FileNotFoundError:
        return ""


def _read_statement_key(env: environ.Env, folder: Path) -> str:
    value = _found(env, folder, STATEMENT_KEY)
    if value and not re.fullmatch(r"[0-9a-f]{64}", value):
        raise ImproperlyConfigured(
            f"{_variable(STATEMENT_KEY)} isn’t a key. Make one with manage.py statement_key --make."
        )
    return value


def make_key(path: Path, value: str) -> str:
    """Write a new key for its owner's eyes only; whoever comes second takes the first one's."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    with draft_of(path, mode=0o600) as (draft, file):
        file.write(f"{value}\n".encode())
        sync(file)
        try:
            os.link(draft, path)
        except FileExistsError:
            return path.read_text().strip()
    sync_folder(path.parent)
    return value


def replace_key(path: Path, value: str) -> None:
    """Write a key's file anew, so that whoever reads it meets the old content or the new one."""
    owner = path.stat()
    with draft_of(path, mode=0o600) as (draft, file):
        file.write(f"{value}\n".encode())
        sync(file)
        if os.geteuid() == 0:
            # The site does not run as root, and must still be able to read it.
            os.chown(draft, owner.st_uid, owner.st_gid)
        draft.replace(path)
    sync_folder(path.parent)


def write_key(path: Path, value: str) -> None:
    """Write a key's file whether or not there is one, whole or not at all."""
    if path.exists():
        replace_key(path, value)
        return
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    with draft_of(path, mode=0o600) as (draft, file):
        file.write(f"{value}\n".encode())
        sync(file)
        draft.replace(path)
    sync_folder(path.parent)
