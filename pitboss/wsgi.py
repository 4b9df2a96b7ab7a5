"""What the web server calls."""

from __future__ import annotations

from typing import Any

import django
from django.core.handlers.wsgi import WSGIHandler, WSGIRequest

from pitboss.which_settings import choose_settings

choose_settings()


class SiteRequest(WSGIRequest):
    """A request that is read whatever encoding it names: what makes no sense is a 400, no crash."""

    def _set_content_type_params(self, meta: dict[str, Any]) -> None:
        try:
            super()._set_content_type_params(meta)  # type: ignore[misc]
        except LookupError:
            # Python knows it, but not as an encoding of text: `hex`, `rot13`.
            self._encoding = None


class SiteHandler(WSGIHandler):
    """The handler, with requests of our own."""

    request_class = SiteRequest


django.setup(set_prefix=False)
application = SiteHandler()
