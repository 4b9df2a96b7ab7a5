"""Every finished kind of slip has a correction, or the decisions say why it needs none."""

from __future__ import annotations

import re
from pathlib import Path

from pitboss.rules.flows.book import FLOWS
from pitboss.slips.kind import kinds

DECISIONS = Path(__file__).resolve().parents[2] / "docs" / "decisions.md"
HEADING = "## Which finished slips have a correction, and which need none"
# These correct what is no slip, or name it otherwise: an entry, a form, a rating.
OF_THEIR_OWN = {"tax_papers"}


def named() -> str:
    text = DECISIONS.read_text()
    section = text[text.index(HEADING) + len(HEADING) :]
    return re.sub(r"\s+", " ", section[: section.index("\n## ")])


def corrected() -> set[str]:
    return {kind for item in kinds() if item.corrects for kind in item.refers_to} | OF_THEIR_OWN


def test_every_kind_is_corrected_or_the_decisions_say_why_not() -> None:
    section = named()
    corrections = {kind.kind for kind in kinds() if kind.corrects}
    left = [
        flow.title
        for kind, flow in FLOWS.items()
        if kind not in corrected() | corrections and flow.title not in section
    ]
    assert left == []


def test_no_kind_that_is_corrected_is_listed_as_one_that_is_not() -> None:
    listed = named().partition("The others, by their titles:")[2]
    titles = {FLOWS[kind].title for kind in corrected() if kind in FLOWS}
    words = set(re.split(r"[,.;:]", listed))
    assert titles & {word.strip() for word in words} == set()
