"""Every address of the site, and the sandbox's own beside them: what `make sandbox` serves."""

from __future__ import annotations

from tables.api import sandbox
from tests.demo_addresses import handler400, handler403, handler404, handler500
from tests.demo_addresses import urlpatterns as _of_the_demo

__all__ = ["handler400", "handler403", "handler404", "handler500", "urlpatterns"]

urlpatterns = [*_of_the_demo, *sandbox.urlpatterns]
