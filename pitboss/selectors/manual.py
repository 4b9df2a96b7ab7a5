"""The manual, read from `docs/manual`: one page a job, in parts that can be searched and linked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from django.conf import settings
from django.templatetags.static import static
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import slugify
from markdown_it import MarkdownIt
from markdown_it.token import Token

from pitboss.rules.book.manual_places import JOBS

FOLDER: Final = Path(settings.BASE_DIR) / "docs" / "manual"
# Documents that have a page of their own in the product; the others are read in the repository.
_ALSO_HERE: Final = {"../api.md": "api-docs", "../codes.md": "api-codes"}
_SNIPPET_CHARS: Final = 140
# Raw HTML stays text: the manual is ours, and so it stays.
_MARKDOWN: Final = MarkdownIt("commonmark", {"html": False}).enable("table")


@dataclass(frozen=True, slots=True)
class ManualPart:
    """A part of a job's page, under a heading of its own."""

    job: str
    title: str
    anchor: str
    html: SafeString
    text: str

    @property
    def url(self) -> str:
        return f"{reverse('manual-job', args=[self.job])}#{self.anchor}"

    def snippet(self, words: Sequence[str]) -> str:
        """Return what the part says around the first of the words."""
        places = [self.text.casefold().find(word) for word in words]
        at = min((place for place in places if place >= 0), default=0)
        start = self.text.rfind(". ", 0, at) + 2 if ". " in self.text[:at] else 0
        said = self.text[start : start + _SNIPPET_CHARS]
        return said if len(said) < _SNIPPET_CHARS else f"{said.rsplit(' ', 1)[0]} …"


@dataclass(frozen=True, slots=True)
class ManualJob:
    """One page of the manual."""

    name: str
    title: str
    opening: SafeString
    about: str
    parts: tuple[ManualPart, ...]

    @property
    def url(self) -> str:
        return reverse("manual-job", args=[self.name])


@cache
def manual() -> dict[str, ManualJob]:
    """Return every job's page by its name. The files are of the release: they are read once."""
    return {name: _read(name) for name in JOBS}


def found_in_manual(sought: str) -> list[ManualPart]:
    """Return the parts that have every word, those that have them in their headings first."""
    words = sought.casefold().split()
    if not words:
        return []
    parts = [
        part
        for job in manual().values()
        for part in job.parts
        if all(word in f"{job.title} {part.title} {part.text}".casefold() for word in words)
    ]
    return sorted(parts, key=lambda part: not any(word in part.title.casefold() for word in words))


def _read(name: str) -> ManualJob:
    tokens = _MARKDOWN.parse((FOLDER / f"{name}.md").read_text("utf-8"))
    heads = [at for at, token in enumerate(tokens) if token.type == "heading_open"]
    chunks = [tokens[at:until] for at, until in zip(heads, [*heads[1:], None], strict=True)]
    (first, *others) = chunks
    return ManualJob(
        name=name,
        title=_title(first),
        opening=_html(first),
        about=_text(first),
        parts=tuple(
            ManualPart(name, _title(chunk), slugify(_title(chunk)), _html(chunk), _text(chunk))
            for chunk in others
        ),
    )


def _title(chunk: Sequence[Token]) -> str:
    return chunk[1].content


def _html(chunk: Sequence[Token]) -> SafeString:
    """Return what stands under a heading; the template draws the heading itself."""
    body = list(chunk[3:])
    for token in body:
        token.children = _followed(token.children) if token.children else token.children
    # Made by the library from a file of this release, with raw HTML switched off.
    return mark_safe(str(_MARKDOWN.renderer.render(body, _MARKDOWN.options, {})))


def _followed(children: Sequence[Token]) -> list[Token]:
    """Let pictures and links lead to where they are in the product; other links are words alone."""
    followed = []
    is_elsewhere = False
    for token in children:
        if token.type == "image":
            token.attrs["src"] = static(f"manual/{Path(str(token.attrs['src'])).name}")
            token.attrs["loading"] = "lazy"
        elif token.type == "link_open":
            target = str(token.attrs["href"])
            is_elsewhere = target not in _ALSO_HERE
            token.attrs["href"] = "" if is_elsewhere else reverse(_ALSO_HERE[target])
        if not (is_elsewhere and token.type in ("link_open", "link_close")):
            followed.append(token)
    return followed


def _text(chunk: Sequence[Token]) -> str:
    """Return the words under a heading, without marks."""
    return " ".join(
        "".join(
            " " if child.type == "softbreak" else child.content
            for child in token.children or ()
            if child.type != "image"
        )
        for token in chunk[3:]
        if token.type == "inline"
    ).strip()
