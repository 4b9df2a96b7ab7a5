"""Every setting is found by its own words, and stands under the task that it belongs to."""

from __future__ import annotations

import pytest

from pitboss.rules.settings.book import BOOK, by_subject
from pitboss.rules.settings.finding import OTHER, TASKS, matching, task_of
from pitboss.rules.settings.setting import Setting


@pytest.mark.parametrize("setting", BOOK.values(), ids=lambda setting: setting.key)
def test_a_setting_is_found_by_its_key_and_its_title(setting: Setting) -> None:
    assert setting in matching(BOOK.values(), setting.key)
    assert setting in matching(BOOK.values(), f"  {setting.title.upper()} ")
    assert setting in matching(BOOK.values(), " ".join(reversed(setting.title.split())))


def test_what_is_not_there_is_not_found_and_nothing_sought_is_all() -> None:
    assert matching(BOOK.values(), "zebra") == []
    assert matching(BOOK.values(), " ") == list(BOOK.values())


def test_each_subject_has_one_task() -> None:
    placed = [subject for subjects in TASKS.values() for subject in subjects]
    assert len(placed) == len(set(placed))
    assert {task_of(subject) for subject in by_subject(BOOK.values())} <= {*TASKS, OTHER}
