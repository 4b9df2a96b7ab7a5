"""Rules for small screens come after the rule that they change.

Of two rules with one selector the later holds, whatever its media query says. A sheet's rule for
phones that is loaded before the plain rule of another sheet is lost: a stepper was cut off so.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

PROJECT = Path(__file__).parents[2]
SHEETS = PROJECT / "static/pitboss"


def loaded() -> list[str]:
    """Return the sheets that every page loads, in the order of their loading."""
    head = (PROJECT / "templates/_head.html").read_text()
    base = (PROJECT / "templates/base.html").read_text()
    return re.findall(r'rel="stylesheet" href="{% static \'pitboss/(\w+\.css)\' %}">', head + base)


def rules(sheet: str) -> Iterator[tuple[str, bool]]:
    """Yield each selector of a sheet, and whether a media query stands around it."""
    text = re.sub(r"/\*.*?\*/", "", (SHEETS / sheet).read_text(), flags=re.DOTALL)
    around: list[str] = []
    for before, end in re.findall(r"([^{};]*)([{};])", text):
        if end == "{":
            opened = " ".join(before.split())
            if not opened.startswith("@"):
                for selector in re.split(r",(?![^(]*\))", opened):
                    yield selector.strip(), any(one.startswith("@media") for one in around)
            around.append(opened)
        elif end == "}":
            around.pop()


def test_no_rule_for_small_screens_is_loaded_before_the_plain_one() -> None:
    sheets = loaded()
    assert len(sheets) > 6
    plain_in = {
        selector: place
        for place, sheet in enumerate(sheets)
        for selector, in_media in rules(sheet)
        if not in_media
    }
    lost = [
        f"{selector} of {sheet} is changed again by {sheets[plain_in[selector]]}"
        for place, sheet in enumerate(sheets)
        for selector, in_media in rules(sheet)
        if in_media and plain_in.get(selector, place) > place
    ]
    assert lost == []
