"""See that an embedded site has its keys: made once, and never again for the same database."""

from __future__ import annotations

import secrets
from pathlib import Path

import environ
from django.core.exceptions import ImproperlyConfigured

from pitboss.embedded.configuration import CannotRun
from pitboss.keys import Keys, make_key

PASSWORDS = ("database_superuser", "database_owner", "database_site")
# What the nodes of a cluster know each other by.
CLUSTER_PASSWORDS = ("database_replication", "database_rewind")


def see_to_keys(
    folder: Path, *, database_exists: bool, names: tuple[str, ...] = PASSWORDS
) -> dict[str, str]:
    """Make the site's keys where this is the first start; return the database's passwords.

    A database whose keys are lost must not get new ones in silence: its journal would look forged
    and its encrypted fields could never be read again.
    """
    try:
        Keys.load(environ.Env(), folder, required=database_exists)
    except ImproperlyConfigured as error:
        raise CannotRun(str(error)) from None
    return {name: _password(folder / name, may_make=not database_exists) for name in names}


def _password(path: Path, *, may_make: bool) -> str:
    password = path.read_text().strip() if path.exists() else ""
    if password:
        return password
    if not may_make:
        raise CannotRun(
            f"{path} is missing, and the database was made with it: put it back from your "
            "backup, or set PITBOSS_DATA to a new folder."
        )
    path.unlink(missing_ok=True)
    return make_key(path, secrets.token_hex(24))
