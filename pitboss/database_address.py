"""Read DATABASE_URL as libpq reads it, so that it may name several servers.

One of them is the primary, and which one changes by itself: a connection goes to the first that
takes writes.
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


def read_address(url: str) -> dict[str, Any]:
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
        raise ImproperlyConfigured("DATABASE_URL must begin with postgresql://.")
    try:
        told = conninfo_to_dict(url)
    except psycopg.ProgrammingError:
        # What libpq says of it may quote the password.
        raise ImproperlyConfigured(
            "DATABASE_URL cannot be read: write postgresql://user:password@host:port/database, "
            "with %40 for @ and so on in the password, and options of PostgreSQL alone after ?."
        ) from None
    several = "," in str(told.get("host", ""))
    if several and told.get("target_session_attrs") != "read-write":
        raise ImproperlyConfigured(
            "DATABASE_URL names several servers: end it with ?target_session_attrs=read-write, "
            "so that the site uses the one that takes writes."
        )
    address: dict[str, Any] = {_OF_DJANGO[n]: str(told.pop(n, "")) for n in list(_OF_DJANGO)}
    return {**address, "OPTIONS": told}
