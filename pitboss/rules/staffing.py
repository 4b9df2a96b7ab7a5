"""People as a manager keys or imports them: read, or refused with every reason, by line."""

from __future__ import annotations

import csv
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import date
from io import StringIO
from typing import Any, Final

from pitboss.rules.quoting import quoted
from pitboss.rules.refusal import Refusal, Refused, refuse
from pitboss.rules.roles import Role, may_witness

COLUMNS: Final = (
    "badge",
    "first_name",
    "last_name",
    "role",
    "employee_number",
    "licence_number",
    "licence_ends",
)
# One slip names them all, and a manager reads it through before signing.
IMPORT_MAX: Final = 100
_BADGE: Final = re.compile(r"[A-Za-z0-9-]{1,12}", re.ASCII)
_LONGEST: Final = {"first_name": 40, "last_name": 40, "employee_number": 20, "licence_number": 20}
_NEEDED: Final = ("first_name", "last_name", "employee_number")
_ROLES: Final = {name: role for role in Role for name in (role.value, role.label)}


@dataclass(frozen=True, slots=True)
class PersonFields:
    """What the house knows of somebody who works here."""

    badge: str
    first_name: str
    last_name: str
    role: Role
    employee_number: str
    licence_number: str
    licence_ends: date | None

    def stored(self) -> dict[str, Any]:
        """Return the fields as a slip keeps them."""
        ends = self.licence_ends.isoformat() if self.licence_ends else None
        return {**asdict(self), "role": self.role.value, "licence_ends": ends}

    def words(self) -> dict[str, str]:
        """Say each field."""
        return {
            "Badge": self.badge,
            "Name": f"{self.first_name} {self.last_name}",
            "Role": self.role.label,
            "Employee number": self.employee_number,
            "Licence": self.licence_number or "none",
            "Licence ends": f"{self.licence_ends:%d %b %Y}" if self.licence_ends else "never",
        }


def read_person(keyed: Mapping[str, str]) -> PersonFields:
    """Return the fields that were keyed. Raises Refused with every reason.

    >>> read_person({"badge": "77", "first_name": "Ana", "last_name": "Ruiz", "role": "dealer",
    ...              "employee_number": "E77", "licence_number": "", "licence_ends": ""}).role
    <Role.DEALER: 'dealer'>
    """
    found = {column: keyed.get(column, "").strip() for column in COLUMNS}
    refusals = []
    if not _BADGE.fullmatch(found["badge"]):
        refusals.append(Refusal("badge_malformed", "A badge is up to 12 letters and digits."))
    for column, longest in _LONGEST.items():
        if len(found[column]) > longest or not found[column].isprintable():
            refusals.append(
                Refusal("text_too_long", f"Keep the {_said(column)} under {longest + 1} signs.")
            )
    refusals.extend(
        Refusal("field_missing", f"Key the {_said(column)}.")
        for column in _NEEDED
        if not found[column]
    )
    role = _ROLES.get(found["role"].lower())
    if role is None:
        refusals.append(Refusal("role_unknown", f"{quoted(found['role'])} is no role here."))
    ends = None
    if found["licence_ends"]:
        try:
            ends = date.fromisoformat(found["licence_ends"])
        except ValueError:
            refusals.append(
                Refusal("date_malformed", "Write the end of the licence as 2027-12-31.")
            )
    if ends is not None and not found["licence_number"]:
        refusals.append(Refusal("field_missing", "Key the licence number that ends then."))
    if refusals or role is None:
        raise Refused(refusals)
    return PersonFields(
        badge=found["badge"],
        first_name=found["first_name"],
        last_name=found["last_name"],
        role=role,
        employee_number=found["employee_number"],
        licence_number=found["licence_number"],
        licence_ends=ends,
    )


def _said(column: str) -> str:
    return column.replace("_", " ")


def read_people(text: str) -> list[PersonFields]:
    """Return everybody in a CSV text with a heading line. Raises Refused: errors by line."""
    rows = [row for row in csv.reader(StringIO(text.lstrip("\ufeff"))) if any(row)]
    heading = [each.strip().lower().replace(" ", "_") for each in rows[0]] if rows else []
    missing = [column for column in COLUMNS if column not in heading]
    if missing:
        raise refuse(
            "heading_wrong",
            f"The first line names the columns {', '.join(COLUMNS)}. "
            f"Missing: {', '.join(missing)}.",
        )
    if not 1 < len(rows) <= IMPORT_MAX + 1:
        raise refuse("import_size", f"Import 1 to {IMPORT_MAX} people at a time.")
    people, refusals = [], []
    seen: dict[tuple[str, str], int] = {}
    for number, row in enumerate(rows[1:], 2):
        try:
            person = read_person(dict(zip(heading, row, strict=False)))
        except Refused as refused:
            refusals += [Refusal(r.code, f"Line {number}: {r.message}") for r in refused.refusals]
            continue
        people.append(person)
        for column in ("badge", "employee_number"):
            earlier = seen.setdefault((column, getattr(person, column)), number)
            if earlier != number:
                message = f"Line {number}: line {earlier} has the same {_said(column)}."
                refusals.append(Refusal("twice_in_file", message))
    if refusals:
        raise Refused(refusals)
    return people


def may_manage(manager: Role, role: Role) -> bool:
    """Tell whether a role may propose and approve changes about people of another.

    A manager of the same ladder, or a shift manager. Another shift manager or security's manager
    looks after shift managers.

    >>> may_manage(Role.CAGE_MANAGER, Role.CASHIER), may_manage(Role.CAGE_MANAGER, Role.DEALER)
    (True, False)
    """
    is_manager = manager == Role.SHIFT_MANAGER or manager.value.endswith("_manager")
    return is_manager and (manager == Role.SHIFT_MANAGER or may_witness(manager, role))
