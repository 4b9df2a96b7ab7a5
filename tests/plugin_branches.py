"""Measure which branches of the services are taken, where PITBOSS_BRANCHES names a folder.

pyproject.toml names this plugin (`-p`) before the one that starts the servers: what a module runs
as it is imported counts too. Workers of a run inherit the environment, and measure as well.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

if folder := os.environ.get("PITBOSS_BRANCHES"):
    from bench.branches import measuring

    measures = measuring(Path(folder))
    measures.start()

    # A worker of a long run is not waited for once its session has ended.
    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish() -> None:
        measures.stop()
        measures.save()
