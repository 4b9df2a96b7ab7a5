"""What HR says of someone, against what is on file: what differs, and who has a say over it.

It grants nothing and takes nothing away. Two people do, who read what HR says.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from pitboss.rules.flows.house_flows import PEOPLE_MANAGERS
from pitboss.rules.people.staffing import column_title
from pitboss.rules.roles import GRANTS_NO_ACCESS, MAY_MANAGE, Role

# What HR may say of someone who works here; what it leaves out is not compared.
TOLD_COLUMNS: Final = (
    "badge",
    "first_name",
    "last_name",
    "role",
    "licence_number",
    "licence_ends",
)
# A leaver still signs until someone removes their access.
LEFT: Final = "staff_left"
DIFFERS: Final = "staff_differs"


@dataclass(frozen=True, slots=True)
class OnFile:
    """Someone as the house has them; `has_left` where two people removed their access for good.

    One whose account is suspended, or who is on leave, has no access and has not left.
    """

    fields: Mapping[str, str]
    has_access: bool
    has_left: bool


@dataclass(frozen=True, slots=True)
class Word:
    """What HR says of one employee number: whether they are employed, and which fields."""

    is_employed: bool
    fields: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing that HR says otherwise: as it is on file, and as HR has it."""

    column: str
    title: str
    is_now: str
    said: str


def differences(word: Word, on_file: OnFile | None) -> list[Difference]:
    """Return what HR says otherwise than it is on file.

    A leaver whose account is suspended can sign nothing; once it is restored, that differs.
    """
    if not word.is_employed:
        if on_file is None or not on_file.has_access:
            return []
        return [Difference("is_employed", "Employment", "works here", "left")]
    if on_file is None:
        return [Difference("is_employed", "Employment", "not on file", "works here")]
    found = []
    if on_file.has_left:
        found.append(Difference("is_employed", "Employment", "left", "works here"))
    for column in TOLD_COLUMNS:
        was, said = on_file.fields.get(column, ""), word.fields.get(column)
        if said is not None and said != was:
            title = column_title(column).capitalize()
            found.append(Difference(column, title, was or "none", said or "none"))
    return found


def notice_code(word: Word) -> str:
    """Return what kind of notice a word that differs becomes."""
    return DIFFERS if word.is_employed else LEFT


def managers_of(word: Word, on_file: OnFile | None, *, is_founding: bool) -> list[Role]:
    """Return who can raise the slip that makes a word true.

    `is_founding`: the house has not yet two people who look after the role; shift managers do.
    """
    named = [on_file.fields["role"]] if on_file is not None else []
    if word.is_employed and word.fields.get("role"):
        named.append(word.fields["role"])
    found = set(PEOPLE_MANAGERS)
    for role in named:
        # Of two roles whose managers no one is both, each may bring the other.
        found = found & set(MAY_MANAGE[Role(role)]) or found | set(MAY_MANAGE[Role(role)])
    if word.is_employed and (on_file is None or on_file.has_left or len(set(named)) > 1):
        found -= GRANTS_NO_ACCESS
    if is_founding:
        found.add(Role.SHIFT_MANAGER)
    return [role for role in PEOPLE_MANAGERS if role in found]
