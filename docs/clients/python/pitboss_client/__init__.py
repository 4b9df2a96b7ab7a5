"""A client of the Pitboss API for terminals and systems, on Python’s own library alone."""

from __future__ import annotations

from pitboss_client.api import Api
from pitboss_client.line import Offline, Problem
from pitboss_client.queue import OfflineQueue

__all__ = ["Api", "Offline", "OfflineQueue", "Problem"]
