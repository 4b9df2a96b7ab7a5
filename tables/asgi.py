"""What the server of events calls: `granian --interface asgi tables.asgi:application`."""

from __future__ import annotations

import os
from typing import Any

import django


def make() -> Any:
    """Return the server of events, on a site that is set up."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "pitboss.settings")
    django.setup()
    from tables.api.event_server import EventServer

    return EventServer()


application = make()
