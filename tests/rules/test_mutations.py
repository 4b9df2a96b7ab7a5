"""The small mistakes that `make mutants` makes, and the list of those that may live."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from bench.mutants import SUBJECTS, files_of, survivors_named
from bench.mutations import MARK, marked, mutations_of

PROJECT = Path(__file__).resolve().parents[2]
SOURCE = '''
def owed(cents, rates, is_paid=False):
    """Return what is owed."""
    total = 0
    for rate in rates:
        if rate > 1 and not is_paid:
            total += cents * rate
    notes.append("told")
    return total
'''


@pytest.fixture
def source(tmp_path: Path) -> Path:
    file = tmp_path / "owing.py"
    file.write_text(SOURCE)
    return file


def answer_of(code: Any) -> Any:
    names: dict[str, Any] = {"notes": []}
    exec(code, names)
    return names["owed"](100, [1, 2]), names["notes"]


def test_each_mistake_is_one_piece_of_the_code(source: Path) -> None:
    found = {mutation.change: mutation for mutation in mutations_of(source, source.parent)}
    assert sorted(found) == [
        "0 -> 1",
        "1 -> 2",
        "cents * rate -> cents // rate",
        "not is_paid -> is_paid",
        "notes.append('told') -> nothing",
        "rate > 1 -> rate >= 1",
        "rate > 1 and (not is_paid) -> rate > 1 or not is_paid",
        "return total -> return None",
    ]
    assert found["rate > 1 -> rate >= 1"].name == "owing.py owed: rate > 1 -> rate >= 1"
    answers = {change: answer_of(mutation.code) for change, mutation in found.items()}
    assert answers["rate > 1 -> rate >= 1"] == (300, ["told"])
    assert answers["not is_paid -> is_paid"] == (0, ["told"])
    assert answers["notes.append('told') -> nothing"] == (200, [])
    assert answers["return total -> return None"] == (None, ["told"])
    # Each of them is the only one: what the others break is whole in it.
    assert answers["0 -> 1"] == (201, ["told"])


def test_marked_code_says_that_it_was_called_and_does_what_it_did(
    source: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    called: list[str] = []
    monkeypatch.setattr(f"builtins.{MARK}", lambda _, name: called.append(name), raising=False)
    assert answer_of(marked(source)) == (200, ["told"])
    assert called == ["owed"]


def test_what_may_live_is_still_in_the_code() -> None:
    named = survivors_named()
    places = {item.partition(" ")[0] for item in named}
    found = {
        mutation.name for place in places for mutation in mutations_of(PROJECT / place, PROJECT)
    }
    assert named
    assert named <= found


@pytest.mark.parametrize("subject", SUBJECTS)
def test_every_subject_names_code_and_tests_that_are_there(subject: str) -> None:
    paths, tests = SUBJECTS[subject]
    assert all(file.is_file() for file in files_of(paths))
    assert all((PROJECT / test).exists() for test in tests)
