"""Which settings a process loads: those of a house, or those of the desk of a group."""

from __future__ import annotations

import os


def choose_settings() -> None:
    """Choose the settings by PITBOSS_ENV, unless they are chosen already."""
    is_group = os.environ.get("PITBOSS_ENV") == "group"
    os.environ.setdefault(
        "DJANGO_SETTINGS_MODULE", "pitboss.group.settings" if is_group else "pitboss.settings"
    )
