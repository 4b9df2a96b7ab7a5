"""What HR says against what is on file, and who has a say over it."""

from __future__ import annotations

import pytest

from pitboss.rules.people.told import (
    DIFFERS,
    LEFT,
    OnFile,
    Word,
    differences,
    managers_of,
    notice_code,
)
from pitboss.rules.roles import Role

DAN = {"badge": "104", "first_name": "Dan", "last_name": "D", "role": "dealer"}
HERE = OnFile({**DAN, "licence_number": "TG-104", "licence_ends": ""}, True, False)
ON_LEAVE = OnFile(HERE.fields, False, False)
GONE = OnFile(HERE.fields, False, True)


@pytest.mark.parametrize(
    ("word", "on_file", "columns"),
    [
        (Word(False, DAN), None, []),
        (Word(False, DAN), GONE, []),
        # Suspended they sign nothing; restored they would.
        (Word(False, DAN), ON_LEAVE, []),
        (Word(False, DAN), HERE, ["is_employed"]),
        (Word(True, DAN), None, ["is_employed"]),
        (Word(True, DAN), HERE, []),
        (Word(True, DAN), ON_LEAVE, []),
        (Word(True, {**DAN, "badge": "9"}), GONE, ["is_employed", "badge"]),
        (Word(True, {**DAN, "licence_number": ""}), HERE, ["licence_number"]),
        (Word(True, {**DAN, "licence_ends": "2027-01-31"}), HERE, ["licence_ends"]),
    ],
)
def test_only_what_hr_says_is_compared(
    word: Word, on_file: OnFile | None, columns: list[str]
) -> None:
    found = differences(word, on_file)
    assert [item.column for item in found] == columns
    assert all(item.is_now and item.said for item in found)
    assert notice_code(word) == (DIFFERS if word.is_employed else LEFT)


@pytest.mark.parametrize(
    ("word", "on_file", "roles"),
    [
        (Word(False, DAN), HERE, {Role.PIT_MANAGER, Role.SHIFT_MANAGER}),
        (Word(True, {**DAN, "role": "pit_manager"}), HERE, {Role.SHIFT_MANAGER}),
        # No one has a say over both: each may bring the other.
        (
            Word(True, {**DAN, "role": "auditor"}),
            HERE,
            {
                Role.PIT_MANAGER,
                Role.SHIFT_MANAGER,
                Role.SURVEILLANCE_MANAGER,
                Role.ACCOUNTING,
            },
        ),
    ],
)
def test_who_can_raise_the_slip_is_asked(word: Word, on_file: OnFile, roles: set[Role]) -> None:
    assert set(managers_of(word, on_file, is_founding=False)) == roles


def test_compliance_reviews_access_and_gives_none() -> None:
    auditor = OnFile({**DAN, "role": "auditor"}, True, False)
    named = Word(True, {**DAN, "role": "auditor", "first_name": "Dana"})
    assert Role.COMPLIANCE in managers_of(named, auditor, is_founding=False)
    assert Role.COMPLIANCE in managers_of(Word(False, DAN), auditor, is_founding=False)
    assert Role.COMPLIANCE not in managers_of(named, None, is_founding=False)
    # Someone of whom HR names no role yet is for all who add people.
    nameless = managers_of(Word(True, {"first_name": "A"}), None, is_founding=False)
    assert Role.CAGE_MANAGER in nameless
    assert Role.COMPLIANCE not in nameless
    assert Role.SHIFT_MANAGER in managers_of(named, None, is_founding=True)
