"""Sheets of guards: what the migrations made, keyed, each following the one before."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from django.apps import AppConfig, apps
from django.conf import settings
from django.db import connections, transaction
from django.db.backends.base.base import BaseDatabaseWrapper

from pitboss.guards import Guards, differences, standing_guards
from pitboss.rules.canonical import canonical
from pitboss.services.house import now
from pitboss.services.journal import make_link, plain_time

# What a sheet follows when it is the first: no entry and no seal follows this.
FIRST = "guards"
SHEETS_SQL = "SELECT number, text, key_name, link FROM pitboss_guardsheet ORDER BY number"

# What PostgreSQL parses and writes again in its own words.
_REWORDED = ("constraint ", "unique index ", "definition of trigger ")

Sheet = tuple[int, str, str, str]


def differing(connection: BaseDatabaseWrapper) -> list[str]:
    """Return how the guards differ from the newest sheet; nothing where there is none yet."""
    with connection.cursor() as cursor:
        last = _newest(cursor)
        if last is None:
            return []
        return differences(standing_guards(cursor), json.loads(last[1])["guards"])


def keep_sheet(connection: BaseDatabaseWrapper, *, migrated: bool, altered: list[str]) -> None:
    """Write a sheet where migrations changed the guards, or where they had been altered before.

    What was altered by hand is never taken over: without a migration the sheet before stays the
    measure, and the new one only names what was found.
    """
    with connection.cursor() as cursor:
        last = _newest(cursor)
        standing = standing_guards(cursor)
        kept: Guards | None = json.loads(last[1])["guards"] if last else None
        if kept is not None and not migrated:
            standing = dict(kept)
        if standing != kept or altered:
            _write(cursor, last, standing, altered)


def take_over_definitions(connection: BaseDatabaseWrapper) -> None:
    """After a restore of what was sound, take over how PostgreSQL now writes conditions.

    It parses what a dump says anew, and may say the same in other words. Whatever else differs
    stays a finding.
    """
    with connection.cursor() as cursor:
        last = _newest(cursor)
        if last is None:
            return
        kept = json.loads(last[1])["guards"]
        standing = standing_guards(cursor)
        reworded = {
            name: says
            for name, says in standing.items()
            if name.startswith(_REWORDED) and name in kept
        }
        if {**kept, **reworded} != kept:
            _write(cursor, last, {**kept, **reworded}, [])


def proven(
    sheets: Iterator[Sheet], keys: Mapping[str, bytes]
) -> Iterator[tuple[int, dict[str, Any] | None, str]]:
    """Yield each sheet's number, what it says if it is proven, and its link."""
    previous = FIRST
    for number, text, key_name, link in sheets:
        key = keys.get(key_name)
        right = key is not None and make_link(key, previous, text) == link
        yield number, json.loads(text) if right else None, link
        previous = link


def _newest(cursor: Any) -> Sheet | None:
    cursor.execute("SELECT to_regclass('public.pitboss_guardsheet') IS NOT NULL")
    if not cursor.fetchone()[0]:
        return None
    cursor.execute(f"{SHEETS_SQL} DESC LIMIT 1")
    row: Sheet | None = cursor.fetchone()
    return row


def _write(cursor: Any, last: Sheet | None, guards: Guards, altered: list[str]) -> None:
    keys = settings.KEYS
    at = now()
    text = canonical(
        {
            "number": last[0] + 1 if last else 1,
            "at": plain_time(at),
            "guards": guards,
            "altered": altered,
        }
    )
    link = make_link(keys.journal_keys[keys.journal_key_name], last[3] if last else FIRST, text)
    cursor.execute(
        "INSERT INTO pitboss_guardsheet (number, at, text, key_name, link) "
        "VALUES (%s, %s, %s, %s, %s)",
        [last[0] + 1 if last else 1, at, text, keys.journal_key_name, link],
    )


# What was found before migrations ran, for the sheet that is written after them.
_found: dict[str, list[str]] = {}


def look_at_guards(*, sender: AppConfig, using: str, **_: Any) -> None:
    """Compare the guards with the last sheet before anything is migrated."""
    if sender is not _first():
        return
    with transaction.atomic(using=using):
        _found[using] = differing(connections[using])


def keep_guards(*, sender: AppConfig, using: str, plan: Any = (), **_: Any) -> None:
    """Write a sheet once all is migrated and granted."""
    if sender is not _last():
        return
    with transaction.atomic(using=using):
        keep_sheet(connections[using], migrated=bool(plan), altered=_found.pop(using, []))


def _first() -> AppConfig:
    return next(app for app in apps.get_app_configs() if app.models_module is not None)


def _last() -> AppConfig:
    return [app for app in apps.get_app_configs() if app.models_module is not None][-1]
