"""Every address of the site, and the demo's own beside them: what a demo serves."""

from __future__ import annotations

from pitboss.urls import handler400, handler403, handler404, handler500
from pitboss.urls import urlpatterns as _of_the_site
from pitboss.views import demo

__all__ = ["handler400", "handler403", "handler404", "handler500", "urlpatterns"]

urlpatterns = [*_of_the_site, *demo.urlpatterns]
