"""What the demo's supervisors nodded to, by taps as on a floor."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

from pitboss.demo import demo_crew, demo_device, demo_person
from pitboss.demo_clock import let_time_pass
from pitboss.models import Pit, Table
from pitboss.rules.roles import Place, Role
from tables.services.floor_log import NewEntry, Tap, enter

_NODS: tuple[tuple[str, str, dict[str, Any]], ...] = (
    ("BJ-11", "buy_in", {"amount_cents": 60_000}),
    ("BJ-15", "cheque_change", {"taken": {"10000": 5}, "sent": {"2500": 20}}),
    ("BJ-13", "colour_up", {"taken": {"2500": 48}, "colour": "10000"}),
    ("BJ-11", "toke_box", {"cheques": {"10000": 1}}),
    ("BJ-12", "dealer_cut", {}),
    ("BJ-34", "standing", {"what": "buy_in", "up_to_cents": 100_000}),
)


def log_nods(pit: Pit) -> None:
    """Log what the supervisor of a pit nodded to."""
    tables = {table.name: table for table in Table.objects.filter(pit=pit)}
    supervisor = demo_person(Role.SUPERVISOR, demo_crew(pit))
    for name, code, given in _NODS:
        if name in tables:
            let_time_pass()
            enter(
                table_id=tables[name].pk,
                new=NewEntry(code, given),
                hand=Tap(supervisor, demo_device(Place.PIT, pit), uuid4()),
            )
