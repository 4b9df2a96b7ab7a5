"""People as a manager keys or imports them: read, or refused with every reason, by line."""

from __future__ import annotations

import csv
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import date
from io import StringIO
from typing import Any, Final

from pitboss.rules.people.sign_in import identity_of, subject_in, subject_refusals
from pitboss.rules.quoting import quoted
from pitboss.rules.refusal import Refusal, Refused, refuse
from pitboss.rules.roles import Role

COLUMNS: Final = (
    "badge",
    "first_name",
    "last_name",
    "role",
    "employee_number",
    "licence_number",
    "licence_ends",
)
# By what name the house's identity provider knows them; a list need not have it.
SUBJECT: Final = "subject"
# One slip names them all, and a manager reads it through before signing.
IMPORT_MAX: Final = 100
_BADGE: Final = re.compile(r"[A-Za-z0-9-]{1,12}", re.ASCII)
# What a column is called where that is not its name with spaces.
_SAID: Final = {"licence_number": "license number", "licence_ends": "license expires"}
_COLUMN_SAID: Final = {title: column for column, title in _SAID.items()}
_LONGEST: Final = {"first_name": 40, "last_name": 40, "employee_number": 20, "licence_number": 20}
_NEEDED: Final = ("first_name", "last_name", "employee_number")
_ROLES: Final = {name: role for role in Role for name in (role.value, role.label)}


@dataclass(frozen=True, slots=True)
class PersonFields:
    """What the house knows of someone who works here."""

    badge: str
    first_name: str
    last_name: str
    role: Role
    employee_number: str
    licence_number: str
    licence_ends: date | None
    # Issuer and subject; kept when nothing about it is entered.
    identity: str = ""

    def stored(self) -> dict[str, Any]:
        """Return the fields as a slip keeps them; slips of before say nothing of an identity."""
        ends = self.licence_ends.isoformat() if self.licence_ends else None
        stored = {**asdict(self), "role": self.role.value, "licence_ends": ends}
        if not self.identity:
            del stored["identity"]
        return stored

    def words(self) -> dict[str, str]:
        """Say each field."""
        return {
            "Badge": self.badge,
            "Name": f"{self.first_name} {self.last_name}",
            "Role": self.role.label,
            "Employee number": self.employee_number,
            "License": self.licence_number or "none",
            "License expires": f"{self.licence_ends:%b %-d, %Y}" if self.licence_ends else "never",
            **({"Provider sign-in": _said_identity(self.identity)} if self.identity else {}),
        }


def fields_refusals(found: Mapping[str, str]) -> list[Refusal]:
    """Return what of the fields that are there cannot be kept, whoever enters or sends them.

    >>> [each.code for each in fields_refusals({"badge": "1 1", "last_name": "x" * 41})]
    ['badge_malformed', 'text_too_long']
    """
    refusals = []
    if "badge" in found and not _BADGE.fullmatch(found["badge"]):
        refusals.append(
            Refusal("badge_malformed", "A badge is up to 12 letters and digits. Enter it again.")
        )
    for column, longest in _LONGEST.items():
        text = found.get(column, "")
        if len(text) > longest or not text.isprintable():
            refusals.append(
                Refusal(
                    "text_too_long",
                    f"The {column_title(column)} is too long. Use {longest} characters or fewer.",
                )
            )
    return refusals


def _said_identity(identity: str) -> str:
    """Say by what name a provider knows someone, and which provider."""
    return f"{subject_in(identity)} at {identity.partition(' ')[0]}"


def read_person(keyed: Mapping[str, str], *, issuer: str = "", identity: str = "") -> PersonFields:
    """Return the fields that were entered. Raises Refused with every reason.

    A subject is one of the issuer's; without an issuer the identity stays as it is.

    >>> read_person({"badge": "77", "first_name": "Ana", "last_name": "Ruiz", "role": "dealer",
    ...              "employee_number": "E77", "licence_number": "", "licence_ends": ""}).role
    <Role.DEALER: 'dealer'>
    """
    found = {column: keyed.get(column, "").strip() for column in COLUMNS}
    refusals = fields_refusals(found)
    refusals.extend(
        Refusal("field_missing", f"Enter the {column_title(column)}.")
        for column in _NEEDED
        if not found[column]
    )
    if issuer:
        subject = keyed.get(SUBJECT, "").strip()
        refusals.extend(subject_refusals(subject))
        identity = identity_of(issuer, subject) if subject else ""
    role = _ROLES.get(found["role"].lower())
    if role is None:
        refusals.append(
            Refusal(
                "role_unknown",
                f"{quoted(found['role'])} isn’t a role here. Choose one from the list.",
            )
        )
    ends = None
    if found["licence_ends"]:
        try:
            ends = date.fromisoformat(found["licence_ends"])
        except ValueError:
            refusals.append(
                Refusal("date_malformed", "Write the license expiration as 2027-12-31.")
            )
    if ends is not None and not found["licence_number"]:
        refusals.append(
            Refusal("field_missing", "Enter the number of the license that expires then.")
        )
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
        identity=identity,
    )


def column_title(column: str) -> str:
    """Return what people call a column of the list."""
    return _SAID.get(column, column.replace("_", " "))


def read_people(text: str, *, issuer: str = "") -> list[PersonFields]:
    """Return everyone in a CSV text with a heading line. Raises Refused: errors by line."""
    rows = [row for row in csv.reader(StringIO(text.lstrip("\ufeff"))) if any(row)]
    titles = [title.strip().lower().replace("_", " ") for title in rows[0]] if rows else []
    heading = [_COLUMN_SAID.get(title, title.replace(" ", "_")) for title in titles]
    missing = [column for column in COLUMNS if column not in heading]
    if missing:
        raise refuse(
            "heading_wrong",
            f"The first line must have the columns {', '.join(map(column_title, COLUMNS))}. "
            f"Missing: {', '.join(map(column_title, missing))}.",
        )
    if not 1 < len(rows) <= IMPORT_MAX + 1:
        raise refuse("import_size", f"Import 1 to {IMPORT_MAX} people at a time.")
    people, refusals = [], []
    seen: dict[tuple[str, str], int] = {}
    for number, row in enumerate(rows[1:], 2):
        try:
            person = read_person(dict(zip(heading, row, strict=False)), issuer=issuer)
        except Refused as refused:
            refusals += [Refusal(r.code, f"Line {number}: {r.message}") for r in refused.refusals]
            continue
        people.append(person)
        for column in ("badge", "employee_number", "identity"):
            value = getattr(person, column)
            earlier = seen.setdefault((column, value), number) if value else number
            if earlier != number:
                message = (
                    f"Line {number}: line {earlier} has the same {column_title(column)}. "
                    "Correct one."
                )
                refusals.append(Refusal("twice_in_file", message))
    if refusals:
        raise Refused(refusals)
    return people
