"""Settings as someone looks for them: by what they are about to do, or by a few words."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from pitboss.rules.settings.setting import Setting

# What a manager is about to do, and the subjects that it touches.
TASKS: Final = {
    "Run the floor": (
        "The day",
        "Tables",
        "Dealers",
        "Trays and counts",
        "Cards",
        "Slips",
        "Incidents",
    ),
    "Approve and sign": ("Approvals", "Signing", "Limits by role"),
    "Pay and deal": ("Pay tables", "Bets", "Readings of the rules"),
    "Jackpots and tax": ("Jackpots", "Tax"),
    "Players and cash": ("Players", "Patrons", "Cash of the day", "Exclusion"),
    "People, devices, and reports": ("People and devices", "Passkeys", "Statistics"),
}
OTHER: Final = "Other"
_TASK_OF: Final = {subject: task for task, subjects in TASKS.items() for subject in subjects}


def task_of(subject: str) -> str:
    """Return the task that a subject belongs to; one that no one placed is under the last.

    >>> task_of("Tax"), task_of("Something new")
    ('Jackpots and tax', 'Other')
    """
    return _TASK_OF.get(subject, OTHER)


def matching(settings: Iterable[Setting], sought: str) -> list[Setting]:
    """Return the settings that have every word of what is sought, in any order.

    It is looked for in the title, the key, the subject, and what the setting changes.

    >>> from pitboss.rules.settings.book import BOOK
    >>> [setting.key for setting in matching(BOOK.values(), "idle LOCK")]
    ['people.idle_lock']
    """
    wanted = sought.casefold().split()
    return [setting for setting in settings if all(word in _words(setting) for word in wanted)]


def _words(setting: Setting) -> str:
    key = setting.key.replace("_", " ").replace(".", " ")
    row = (setting.title, setting.key, key, setting.subject, setting.changes)
    return " ".join(row).casefold()
