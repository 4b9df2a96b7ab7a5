"""The account of the documents: what it cites exists, every line is in it, its page is current."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from docs.coverage import ACCOUNT, ASIDE, PARTLY, RIGHT, STATES, Document, Item, page, read

PROJECT = Path(__file__).resolve().parents[1]
DOCUMENTS = list(read(ACCOUNT.read_text()))
ITEMS = [
    pytest.param(document, item, id=f"{document.number}:{item.cited}")
    for document in DOCUMENTS
    for item in document.items
]


def test_all_that_the_documents_say_of_a_pit_is_in_the_account() -> None:
    assert [document.number for document in DOCUMENTS] == ["000", "001", "002", "003", "004"]
    counted = [item for document in DOCUMENTS for item in document.items if item.state != ASIDE]
    assert len(counted) == 232


@pytest.mark.parametrize(("document", "item"), ITEMS)
def test_an_item_cites_what_exists(document: Document, item: Item) -> None:
    assert item.state in STATES
    assert item.what
    assert max(item.lines) <= document.length
    assert item.lines - document.blank, "only blank lines are cited"
    for place in item.places:
        assert (PROJECT / place).exists(), place
    for test in item.tests:
        name, _, function = test.partition("::")
        text = (PROJECT / "tests" / name).read_text()
        assert re.search(rf"^def {function}\(", text, re.MULTILINE), test


@pytest.mark.parametrize(("document", "item"), ITEMS)
def test_what_is_right_is_proved_and_nothing_else_says_so(document: Document, item: Item) -> None:
    assert bool(item.tests) == (item.state == RIGHT)
    assert bool(item.places) == (item.state in {RIGHT, PARTLY})


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda item: item.number)
def test_every_line_of_a_document_is_accounted_for(document: Document) -> None:
    cited = set().union(*(item.lines for item in document.items))
    lines = set(range(1, document.length + 1))
    assert sorted(lines - cited - document.blank) == []


def test_the_page_is_current() -> None:
    written = (PROJECT / "docs" / "coverage.md").read_text()
    assert written == page(DOCUMENTS), "python docs/coverage.py > docs/coverage.md"
