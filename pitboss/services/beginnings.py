"""What an act of signing begins with, read at once: the house, who holds the pen, and about what.

All of it is read again under the locks where it decides.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from pitboss.models import Person, Property, Slip, Table
from pitboss.models.plain import attnames, columns, in_one_trip, read_row
from pitboss.rules.canonical import is_plain
from pitboss.services import house

# Of the slip, what names the table, and the chain that keeps a refusal.
_OF_THE_SLIP = ("id", "serial", "kind", "table_id", "raised_at")
_OF_THE_HOUSE = ("id", "name", "time_zone", "is_demo")


@dataclass(frozen=True, slots=True)
class Beginning:
    """The house, whose badge it is, if anyone's, and the slip or the table, if there is one."""

    here: Property
    person: Person | None
    slip: Slip | None
    table: Table | None


@cache
def _asking() -> str:
    return f"""
        SELECT {columns(Property, "house", _OF_THE_HOUSE)},
            (SELECT max(value.id) FROM pitboss_settingvalue AS value),
            {columns(Person, "person")}, {columns(Slip, "slip", _OF_THE_SLIP)},
            {columns(Table, "place")}
        FROM pitboss_property AS house
        LEFT JOIN pitboss_person AS person ON person.badge = %s
        LEFT JOIN pitboss_slip AS slip ON slip.id = %s
        LEFT JOIN pitboss_table AS place ON place.id = %s
        WHERE house.id = 1
    """


def begin(badge: object, *, slip_id: int | None = None, table_id: int | None = None) -> Beginning:
    """Return what an act begins with. What is no badge is no one's."""
    typed = str(badge).strip() if is_plain(badge) else ""
    (rows,) = in_one_trip((_asking(), [typed, slip_id, table_id]))
    if not rows:
        raise Property.DoesNotExist
    row = rows[0]
    person_at = len(_OF_THE_HOUSE) + 1
    slip_at = person_at + len(attnames(Person))
    table_at = slip_at + len(_OF_THE_SLIP)
    return Beginning(
        here=_house(row[:person_at]),
        person=read_row(Person, row[person_at:]),
        slip=read_row(Slip, row[slip_at:], _OF_THE_SLIP),
        table=read_row(Table, row[table_at:]),
    )


# The house as it is by its row and by the last setting that was approved. Settings are approved one
# at a time and never changed: what the two say is the version of all of them.
_kept: dict[tuple[object, ...], Property] = {}


def _house(version: tuple[object, ...]) -> Property:
    """Return the house with its settings, read when its version is another than the one kept."""
    kept = _kept.get(version)
    if kept is None:
        kept = house.the_property()
        forget_house()
        _kept[version] = kept
    return kept


def forget_house() -> None:
    """Keep no house: a process that begins has none."""
    _kept.clear()
