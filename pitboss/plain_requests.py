"""Turn away what no one types: NUL and halves of characters, before any page has to think of them.

PostgreSQL keeps no NUL and UTF-8 no half of a character, so that each would fail wherever it first
meets the database. A body of JSON is read by `api_reading`, which refuses the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from django.http import HttpRequest, HttpResponse, QueryDict, UnreadablePostError
from django.http.multipartparser import MultiPartParserError

from pitboss.rules.canonical import is_plain
from pitboss.views.errors import malformed

# Another encoding could write what UTF-8 cannot, or is no encoding of text at all.
_CHARSETS = frozenset({"utf-8", "utf8", "us-ascii"})


class PlainRequestsMiddleware:
    """Answer 400 to a request that holds what cannot be kept, wherever in it that stands."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if not is_plain_head(request):
            return malformed(request)
        return self.get_response(request)

    def process_view(
        self, request: HttpRequest, view: Callable[..., HttpResponse], args: Any, kwargs: Any
    ) -> HttpResponse | None:
        # A form's body has been read by no one yet; that of the API is never a form.
        if request.path_info.startswith("/api/"):
            return None
        try:
            is_plain_form = all(map(is_plain, _posted(request)))
        except (MultiPartParserError, UnreadablePostError):
            return malformed(request)
        return None if is_plain_form else malformed(request)


def is_plain_head(request: HttpRequest) -> bool:
    """Tell whether address, headers and cookies hold only what can be kept."""
    charset = (request.content_params or {}).get("charset", "utf-8")
    if charset.lower() not in _CHARSETS:
        return False
    headers = (value for value in request.META.values() if isinstance(value, str))
    # A cookie in quotes may write a NUL in octal, which its header does not show.
    cookies = (text for pair in request.COOKIES.items() for text in pair)
    return all(
        is_plain(text)
        for texts in (headers, [request.path_info], cookies, _pairs(request.GET))
        for text in texts
    )


def _posted(request: HttpRequest) -> Iterator[str]:
    """Yield every name and text of a form, and what its files are said to hold."""
    yield from _pairs(request.POST)
    for name, files in request.FILES.lists():
        yield name
        for file in files:
            yield file.content_type or ""


def _pairs(asked: QueryDict) -> Iterator[str]:
    for name, values in asked.lists():
        yield name
        yield from (str(value) for value in values)
