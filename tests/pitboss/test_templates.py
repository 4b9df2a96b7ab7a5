"""The templates keep what the content security policy and the sprite promise."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.staticfiles import finders
from django.template.loader import get_template

TEMPLATES = Path(settings.BASE_DIR) / "templates"
NAMES = sorted(str(path.relative_to(TEMPLATES)) for path in TEMPLATES.rglob("*.html"))
STATIC = Path(settings.BASE_DIR) / "static"
SPRITE = (STATIC / "pitboss" / "icons.svg").read_text()
# Compressed, as they are sent.
COMPRESSED_MAX = 70_000
INLINE = re.compile(r"<style|\sstyle=|\son[a-z]+=|hx-on|<script(?![^>]*\ssrc=)|javascript:", re.I)


@pytest.mark.parametrize("name", NAMES)
def test_no_template_needs_inline_script_or_style(name: str) -> None:
    assert INLINE.findall((TEMPLATES / name).read_text()) == []


@pytest.mark.parametrize("name", NAMES)
def test_no_line_of_a_template_is_too_long_to_read(name: str) -> None:
    lines = (TEMPLATES / name).read_text().splitlines()
    assert [number for number, line in enumerate(lines, start=1) if len(line) > 140] == []


@pytest.mark.parametrize("name", NAMES)
def test_every_template_compiles_and_names_only_files_and_icons_that_exist(name: str) -> None:
    get_template(name)
    text = (TEMPLATES / name).read_text()

    for path in re.findall(r"{% static ['\"]([^'\"]+)['\"] %}", text):
        assert finders.find(path), path
    for icon in re.findall(r"{% icon \"([a-z-]+)\" %}", text):
        assert f'id="{icon}"' in SPRITE, icon
    for included in re.findall(r"{% (?:include|extends) \"([^\"]+)\"", text):
        get_template(included)


def test_what_the_first_visit_loads_stays_small_enough_for_a_patchy_line() -> None:
    # A tablet loads what its shell names, and the icons; a dealer's terminal what its own names.
    tablets, terminals = (
        [STATIC / name for name in _named_by("_head.html", shell)]
        for shell in ("base.html", "tables/terminal.html")
    )
    assert STATIC / "vendor" / "htmx.min.js" in tablets
    assert len(terminals) > len(list((STATIC / "pitboss" / "terminal").iterdir()))

    for files in ([*tablets, STATIC / "pitboss" / "icons.svg"], terminals):
        assert sum(len(gzip.compress(path.read_bytes())) for path in files) < COMPRESSED_MAX
        assert all(len(path.read_text().splitlines()) < 500 for path in files)


def _named_by(*templates: str) -> list[str]:
    written = "".join((TEMPLATES / name).read_text() for name in templates)
    return re.findall(r"{% static '([^']+)' %}", written)


def test_every_colour_and_size_of_the_styles_is_a_token_that_exists() -> None:
    styles = {path.name: path.read_text() for path in (STATIC / "pitboss").glob("*.css")}
    defined = set(re.findall(r"(--[a-z0-9-]+):", "".join(styles.values())))
    used = set(re.findall(r"var\((--[a-z0-9-]+)", "".join(styles.values())))

    assert used <= defined
