"""The page of the documentation that lists every setting of the house."""

from __future__ import annotations

from collections.abc import Iterator

from pitboss.rules.settings.book import BOOK, SERIES, by_subject

_INTRODUCTION = (
    "# Settings\n\nThis page is written by `python -m pitboss.rules settings`; a test "
    "keeps it true. Two managers change a\nsetting under “House”: one proposes, another "
    "approves. The value takes effect at the time on the slip,\nnever in the past. The "
    "value of every earlier day is kept.\n\n"
)


def settings_page() -> str:
    """Return the page of the documentation that lists every setting."""
    return "\n".join(_page())


def _page() -> Iterator[str]:
    yield _INTRODUCTION
    for subject, settings in by_subject(BOOK.values()).items():
        yield f"## {subject}\n"
        yield "| Setting | Title | What it changes | Default | What can be entered | Source |"
        yield "|---|---|---|---|---|---|"
        if settings[0].key.startswith(SERIES):
            # One for each series that a release knows; the page does not change with them.
            yield (
                f"| `{SERIES}<letters>` | Letters before the number of a slip, for each series | "
                f"{settings[0].changes} | the series' own letters | {settings[0].kind.hint} | "
                f"{settings[0].source} |"
            )
        else:
            for each in settings:
                yield (
                    f"| `{each.key}` | {each.title} | {each.changes} | "
                    f"{each.words(each.default)} | {each.kind.hint} | {each.source} |"
                )
        yield ""
