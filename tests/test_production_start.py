"""No start in production runs on the database of a demo."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from django.db import connection

from pitboss.models import Property
from pitboss.own_database import SENTENCE
from tests.databases import PROJECT, database_url
from tests.floor.cast import Cast

STARTS = {
    "web": ["-c", "import pitboss.front"],
    "wsgi": ["-c", "import pitboss.wsgi"],
    "worker": ["-m", "celery", "-A", "pitboss.celery", "worker", "--pool", "solo"],
    "beat": ["-m", "celery", "-A", "pitboss.celery", "beat", "--schedule", "/dev/null"],
    "manage.py": ["manage.py", "runserver", "--noreload", "0"],
    "first run": ["manage.py", "first_run"],
}


def started(command: list[str], **more: str) -> subprocess.CompletedProcess[str]:
    environ = os.environ | {
        "DATABASE_URL": database_url("", str(connection.settings_dict["NAME"])),
        "DJANGO_SETTINGS_MODULE": "pitboss.settings",
        "PITBOSS_ENV": "production",
        **more,
    }
    return subprocess.run(
        [sys.executable, *command],
        cwd=PROJECT,
        env=environ,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@pytest.mark.django_db(transaction=True)
def test_no_process_of_production_starts_on_a_demo_database() -> None:
    Property.objects.create(pk=1, name="Anything", is_demo=True)
    for name, command in STARTS.items():
        ended = started(command)
        assert ended.returncode != 0, name
        assert SENTENCE in ended.stderr, f"{name}: {ended.stderr[-600:]}"
        assert "Traceback" not in ended.stderr, name


@pytest.mark.django_db(transaction=True)
def test_no_process_of_production_is_a_sandbox(cast: Cast) -> None:
    for name, command in STARTS.items():
        ended = started(command, PITBOSS_SANDBOX="1")
        assert ended.returncode != 0, name
        assert "only a demo is a sandbox" in ended.stderr, f"{name}: {ended.stderr[-600:]}"


@pytest.mark.django_db(transaction=True)
def test_production_starts_on_the_database_of_a_house_and_without_one(cast: Cast) -> None:
    assert started(STARTS["web"]).returncode == 0
    nowhere = started(STARTS["web"], DATABASE_URL="postgres://nobody@127.0.0.1:1/nothing")
    assert nowhere.returncode == 0, nowhere.stderr


@pytest.mark.django_db
def test_the_site_cannot_take_the_mark_off_a_demo() -> None:
    Property.objects.create(pk=1, name="Anything", is_demo=True)
    with pytest.raises(Exception, match="permission denied"), connection.cursor() as cursor:
        cursor.execute("UPDATE pitboss_property SET is_demo = false")
