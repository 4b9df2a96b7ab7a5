"""Styles, scripts and pictures: where they are fetched from, put together once for each.

A page names thirty of them. Their names change only with a new build, and that starts anew.
"""

from __future__ import annotations

from functools import cache

from django.contrib.staticfiles.storage import StaticFilesStorage
from whitenoise.storage import CompressedManifestStaticFilesStorage


class FilesAsTheyLie(StaticFilesStorage):
    """Files under their own names, for tests."""

    @cache  # noqa: B019 - there is one for the life of the process
    def url(self, name: str) -> str:
        """Return where a file is fetched from."""
        return super().url(name)


class BuiltFiles(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """Files under the names of their contents, as the last build wrote them down."""

    @cache  # noqa: B019 - there is one for the life of the process
    def url(self, name: str, force: bool = False) -> str:
        """Return where a file is fetched from."""
        return str(super().url(name, force))
