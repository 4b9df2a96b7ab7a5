"""Call the supervisor to a table: on the list of whoever supervises until somebody came."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from pitboss.models import FloorException
from pitboss.rules.canonical import is_plain
from pitboss.rules.refusal import refuse
from pitboss.services import house
from pitboss.services.exceptions import open_exception
from pitboss.services.locks import lock_table
from tables.services.terminals import Terminal

SUPERVISOR_CALLED = "supervisor_called"
WORDS_MAX = 80


@transaction.atomic(savepoint=False)
def call_supervisor(*, terminal: Terminal, about: str) -> FloorException:
    """Call the supervisor; a call that stands is not doubled. Raises Refused."""
    now: datetime = house.now()
    about = about.strip() if is_plain(about) else ""
    if len(about) > WORDS_MAX or not about.isprintable():
        raise refuse("bad_about", f"Say what it is about in up to {WORDS_MAX} signs, or nothing.")
    table = lock_table(terminal.table.pk)
    standing = FloorException.objects.filter(
        code=SUPERVISOR_CALLED, table=table, resolved_at=None
    ).first()
    if standing is not None:
        return standing
    return open_exception(
        code=SUPERVISOR_CALLED,
        sentence=f"{table} calls the supervisor{f': {about}' if about else ''}.",
        details={"terminal": terminal.device.name, "about": about},
        at=now,
        person=None,
        table=table,
    )
