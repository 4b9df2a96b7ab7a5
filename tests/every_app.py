"""Settings that only mypy loads: those of a house, with the desk of a group beside its apps."""

from __future__ import annotations

from pathlib import Path

from pitboss.settings import *  # noqa: F403
from pitboss.settings import INSTALLED_APPS as APPS_OF_A_HOUSE

INSTALLED_APPS = [*APPS_OF_A_HOUSE, "pitboss.group.apps.GroupConfig"]
GROUP_AUTHORITY: Path | None = None
