"""Gather the static files beside the folder they are served from, and put them there whole."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand

from pitboss.durable import replace_folder


class Command(BaseCommand):
    help = "Gather the static files again. If it is interrupted, the old ones stay, or none."

    def handle(self, *args: Any, **options: Any) -> None:
        place: Path = settings.STATIC_ROOT
        made = place.with_name(f"{place.name}.unfinished")
        shutil.rmtree(made, ignore_errors=True)
        made.mkdir(parents=True)
        # Said before anything reads the files: a list of them that a power cut tore is not met.
        settings.STATIC_ROOT = made
        call_command("collectstatic", interactive=False, verbosity=0, skip_checks=True)
        replace_folder(made, place)
