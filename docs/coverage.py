"""Read the account of the documents (coverage.txt), and write it as a page.

Run it as: python docs/coverage.py > docs/coverage.md
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

ACCOUNT = Path(__file__).with_suffix(".txt")
RIGHT, PARTLY, MISSING, ASIDE = STATES = ("right", "partly", "missing", "aside")


@dataclass(frozen=True)
class Item:
    """What a document says in some of its lines, and what became of it."""

    cited: str
    state: str
    what: str
    places: tuple[str, ...] = ()
    tests: tuple[str, ...] = ()

    @property
    def lines(self) -> set[int]:
        return lines_of(self.cited)


@dataclass
class Document:
    """One document of the house, by its number."""

    number: str
    title: str
    length: int
    blank: set[int]
    items: list[Item] = field(default_factory=list)


def lines_of(cited: str) -> set[int]:
    """Return the lines that are cited as "3, 7-9".

    >>> sorted(lines_of("3, 7-9"))
    [3, 7, 8, 9]
    """
    found: set[int] = set()
    for part in cited.split(","):
        first, _, last = part.strip().partition("-")
        found |= set(range(int(first), int(last or first) + 1))
    return found


def read(text: str) -> Iterator[Document]:
    """Yield the documents of an account, each with its items."""
    document: Document | None = None
    for line in text.splitlines():
        if line.startswith("["):
            if document is not None:
                yield document
            number, title, length, blank = (part.strip() for part in line[1:-1].split("|"))
            document = Document(number, title, int(length), lines_of(blank))
        elif line and not line.startswith("#"):
            assert document is not None, "an item stands below its document"
            cited, state, what, *rest = (part.strip() for part in line.split("|"))
            places, tests = (
                tuple(item.strip() for item in part.split(",") if item.strip())
                for part in (*rest, "", "")[:2]
            )
            document.items.append(Item(cited, state, what, places, tests))
    if document is not None:
        yield document


def page(documents: list[Document]) -> str:
    """Return the page: the sums first, then each document."""
    counted = [item for document in documents for item in document.items if item.state != ASIDE]
    sums = Counter(item.state for item in counted)
    lines = [
        "# Every line of the documents",
        "",
        "Generated from `docs/coverage.txt` with `python docs/coverage.py`. Each item is what a",
        "document of the house says about a pit, by its lines, with its place in the code and",
        "the test that proves it. What isn’t built is shown as missing, and what is built in part",
        "says which part.",
        "",
        f"**{sums[RIGHT]} of {len(counted)} are right**, {sums[PARTLY]} partly, "
        f"{sums[MISSING]} missing.",
        "",
        "| Document | Lines | Items | Right | Partly | Missing |",
        "|---|---|---|---|---|---|",
    ]
    for document in documents:
        of = Counter(item.state for item in document.items if item.state != ASIDE)
        lines.append(
            f"| {document.number} {document.title} | {document.length} | {of.total()} "
            f"| {of[RIGHT]} | {of[PARTLY]} | {of[MISSING]} |"
        )
    for entry in documents:
        lines += ["", f"## {entry.number} {entry.title}", ""]
        lines += ["| Lines | What | State | Where | Test |", "|---|---|---|---|---|"]
        lines += [_row(item) for item in entry.items if item.state != ASIDE]
        asides = [item for item in entry.items if item.state == ASIDE]
        lines += ["", "No matter of a pit system:", ""]
        lines += [f"- {item.what} ({item.cited})" for item in asides]
    return "\n".join(lines) + "\n"


def _row(item: Item) -> str:
    places = ", ".join(f"`{place}`" for place in item.places)
    tests = ", ".join(f"`{test.partition('::')[2]}`" for test in item.tests)
    return f"| {item.cited} | {item.what} | {item.state} | {places} | {tests} |"


if __name__ == "__main__":
    sys.stdout.write(page(list(read(ACCOUNT.read_text()))))
