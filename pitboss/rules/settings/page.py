"""The page of the documentation that lists every setting of the house."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pitboss.rules.settings.book import BOOK, SERIES, by_subject, series_setting
from pitboss.rules.settings.setting import Setting

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
    # The kinds of slip, and with them their series, are known only where the site is set up.
    fixed = (setting for setting in BOOK.values() if not setting.key.startswith(SERIES))
    for subject, settings in by_subject(fixed).items():
        yield from _section(
            subject, ((setting, setting.words(setting.default)) for setting in settings)
        )
    every = series_setting("<letters>", "Letters before the number of a slip, for each series")
    yield from _section(every.subject, [(every, "the series' own letters")])


def _section(subject: str, rows: Iterable[tuple[Setting, str]]) -> Iterator[str]:
    """Yield the part of one subject: its settings, each with the words of its default."""
    yield f"## {subject}\n"
    yield "| Setting | Title | What it changes | Default | What can be entered | Source |"
    yield "|---|---|---|---|---|---|"
    for setting, default in rows:
        yield (
            f"| `{setting.key}` | {setting.title} | {setting.changes} | {default} "
            f"| {setting.kind.hint} | {setting.source} |"
        )
    yield ""
