"""Read DATABASE_URL as libpq reads it, so that it may name several servers.

One of them is the primary, and which one changes by itself: a connection goes to the first that
takes writes. That of DATABASE_READ_URL goes to the first that takes none.
"""

from __future__ import annotations

from typing import Any

import psycopg
from django.core.exceptions import ImproperlyConfigured
from psycopg.conninfo import conninfo_to_dict

_OF_DJANGO = {
    "dbname": "NAME",
    "user": "USER",
    "password": "PASSWORD",
    "host": "HOST",
    "port": "PORT",
}


# What has to be asked of several servers under each name, and why.
_OF_SEVERAL = {
    "DATABASE_URL": ("read-write", "the site uses the one that takes writes"),
    "DATABASE_READ_URL": ("standby", "reports read from one that takes none"),
}


def read_address(url: str, name: str = "DATABASE_URL") -> dict[str, Any]:
    """Return an address as Django's settings have it. Raises ImproperlyConfigured.

    >>> read_address("postgresql://site:pw@10.0.0.1,10.0.0.2:5433/pit"
    ...              "?target_session_attrs=read-write")["PORT"]
    ',5433'
    >>> read_address("postgresql://site:pw@10.0.0.1,10.0.0.2/pit")
    Traceback (most recent call last):
    ...
    django.core.exceptions.ImproperlyConfigured: DATABASE_URL names several servers: end it with \
?target_session_attrs=read-write, so that the site uses the one that takes writes.
    """
    if not url.startswith(("postgres://", "postgresql://")):
        raise ImproperlyConfigured(f"{name} must begin with postgresql://.")
    try:
        conninfo = conninfo_to_dict(url)
    except psycopg.ProgrammingError:
        # What libpq says of it may quote the password.
        raise ImproperlyConfigured(
            f"{name} cannot be read: write postgresql://user:password@host:port/database, "
            "with %40 for @ and so on in the password, and options of PostgreSQL alone after ?."
        ) from None
    several = "," in str(conninfo.get("host", ""))
    asked, why = _OF_SEVERAL[name]
    if several and conninfo.get("target_session_attrs") != asked:
        raise ImproperlyConfigured(
            f"{name} names several servers: end it with ?target_session_attrs={asked}, "
            f"so that {why}."
        )
    address: dict[str, Any] = {_OF_DJANGO[n]: str(conninfo.pop(n, "")) for n in list(_OF_DJANGO)}
    return {**address, "OPTIONS": conninfo}
