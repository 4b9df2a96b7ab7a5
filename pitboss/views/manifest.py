"""What a browser needs to put Pitboss on a device's home screen."""

from __future__ import annotations

from django.http import HttpRequest, JsonResponse
from django.templatetags.static import static
from django.urls import reverse
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

# Of the dark theme: what the device shows before the first page is drawn.
_ROOM = "#131b18"
_ICONS = (
    ("icon-192.png", "192x192", "any"),
    ("icon-512.png", "512x512", "any"),
    ("icon-maskable.png", "512x512", "maskable"),
)


@require_safe
@cache_control(public=True, max_age=3600)
def manifest(request: HttpRequest) -> JsonResponse:
    """Describe the app. It starts at the first page, which leads to where its device stands."""
    described = {
        "id": "/",
        "name": "Pitboss",
        "short_name": "Pitboss",
        "start_url": reverse("home"),
        "scope": "/",
        "display": "standalone",
        "background_color": _ROOM,
        "theme_color": _ROOM,
        "icons": [
            {
                "src": static(f"pitboss/{name}"),
                "sizes": sizes,
                "type": "image/png",
                "purpose": purpose,
            }
            for name, sizes, purpose in _ICONS
        ],
        "shortcuts": [
            {"name": label, "url": reverse(name)}
            for label, name in (("Board", "board"), ("Inbox", "inbox"), ("Search", "search"))
        ],
    }
    return JsonResponse(described, content_type="application/manifest+json")


# It says nothing of the house, and is asked for before anyone signs in.
manifest.answers_for_itself = True  # type: ignore[attr-defined]
