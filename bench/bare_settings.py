"""The site's settings, with the bench's one address more."""

from __future__ import annotations

from pitboss.settings import *  # noqa: F403

ROOT_URLCONF = "bench.bare_site"
