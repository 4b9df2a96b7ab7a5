"""Write the rule book as a page: `python -m pitboss.rules document > docs/rules.md`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pitboss.rules.book.options import OPTIONS
from pitboss.rules.book.readings import READINGS
from pitboss.rules.book.refusal_index import refusal_index
from pitboss.rules.book.rulebook import PAYING_ORDER, RULES
from pitboss.rules.floor.irregularities import GUIDES
from pitboss.rules.games.game_modules import game_modules
from pitboss.rules.paytables.paytables import PAY_TABLES, ROWS, PayTable
from pitboss.rules.stadium.selected import SETTINGS
from pitboss.rules.wagers.settle import WAGERS

_INTRODUCTION = (
    "# Rules\n\nThis page is written by `python -m pitboss.rules document`; a test keeps "
    "it true. Every verdict\ncarries one of the rule ids below. *Where* names the document "
    "and the paragraph; the words are ours.\n*Readings* are passages that can be "
    "understood in more than one way: the section of that name says\nhow they are read, "
    "and *House options* which of them a house may decide for itself.\n\n`x to y` is "
    "profit on top of the returned stake. Money is whole cents.\n\n"
)
_HOUSE_TABLES = """\
A house may define a pay table of its own for these wagers from the rows named here, each with odds
such as `30:1`. Lucky Ladies and Blazing 7's rows may also pay a share of a meter, such as
`100% of MEGA` for the largest stake. A hand that fits several rows is paid the best of them.
"""
_REFUSALS = (
    "An impossible case, a bet that isn’t allowed, and a line that isn’t a case get these "
    "codes. The\ncodes never change. The sentence after a code may, and `…` is filled in "
    "when it is shown. When there\nare several reasons, `reasons` lists them all.\n\n"
)
_IRREGULAR = """\
A supervisor decides, and the check of that hand follows: it names the irregularity and what it
changed. A bet that goes back is settled by the rule `irregularity.` and its code.
"""
_OPTIONS = """\
The first choice is the default. A property records its choices with a date, like a pay table, and a
case names another choice in `extra.options`, for example `{"pair_by": "value"}`.
"""
_STADIUM = """\
A Stadium round carries the terminal's own configuration in `extra.rules`. What the operator selects
must be stated. Any other setting may be left out: its first choice is the default. One with a
reading decides what the document leaves open.
"""
# Everything a terminal asks: single cases and whole rounds.
_ANSWERING = (
    "wagers.settle",
    "odds.odds",
    "cheques.cut",
    "tax.tax",
    "rounds.round",
    "roulette.game",
    "baccarat.game",
)
# The command line refuses lines, and imports what has nothing to do with cases.
_READING = ("__main__",)


def rules_page() -> str:
    """Return the whole page."""
    return "\n".join(_page())


def _page() -> Iterator[str]:
    yield _INTRODUCTION
    yield "## The order of paying a table\n"
    for number, (source, text) in enumerate(PAYING_ORDER, 1):
        yield f"{number}. {text} *({source})*"
    yield "\n## Rules by wager"
    for wager in WAGERS:
        yield f"\n### `{wager}`\n"
        yield from _table(
            ("Rule", "Where", "What it says", "Readings"),
            (
                (f"`{rule.id}`", str(rule.source), rule.text, ", ".join(rule.readings))
                for rule in RULES.values()
                if rule.wager == wager
            ),
        )
    yield "\n## Games that are modules"
    for game in game_modules().values():
        yield f"\n### `{game.id}`\n"
        named = ", ".join(f"`{key}` ({name})" for key, name in game.paytables.items())
        yield f"Pay tables: {named}.\n"
        yield from _table(
            ("Bet", "Where", "What it says"),
            ((f"`{bet.id}`", str(bet.source), bet.text) for bet in game.bets.values()),
        )
    yield "\n## Irregular hands\n"
    yield _IRREGULAR
    yield from _table(
        ("Irregularity", "Where", "What happened", "What may be decided"),
        (
            (
                f"`{guide.code.value}`",
                str(guide.source),
                guide.title,
                "; ".join(
                    f"{decision.label} (`{decision.effect.value}`)" for decision in guide.decisions
                ),
            )
            for guide in GUIDES.values()
        ),
    )
    yield "\n## Printed pay tables"
    for wager, tables in PAY_TABLES.items():
        for table in tables.values():
            yield f"\n### `{wager}` `{table.id}`\n"
            yield f"{table.name[:1].upper()}{table.name[1:]}. Where: {table.source}.\n"
            yield from _pay_table(table)
    yield "\n## House pay tables\n"
    yield _HOUSE_TABLES
    yield from _table(
        ("Wager", "Rows"),
        ((f"`{wager}`", ", ".join(f"`{row}`" for row in rows)) for wager, rows in ROWS.items()),
    )
    yield "\n## Readings\n"
    yield from _table(
        ("Reading", "How we read it"), ((f"`{name}`", text) for name, text in READINGS.items())
    )
    yield "\n## House options\n"
    yield _OPTIONS
    yield from _table(
        ("Option", "Readings", "Wagers", "Question", "Choices"),
        (
            (
                f"`{option.name}`",
                ", ".join(option.readings),
                ", ".join(option.wagers),
                option.question,
                "; ".join(f"`{name}`: {words}" for name, words in option.choices.items()),
            )
            for option in OPTIONS
        ),
    )
    yield "\n## Stadium settings\n"
    yield _STADIUM
    yield from _table(
        ("Setting", "Stated", "Reading", "Question", "Choices"),
        (
            (
                f"`{setting.name}`",
                "always" if setting.reading is None else "if not the first",
                setting.reading or "",
                setting.question,
                "; ".join(
                    f"`{setting.written(choice)}`: {words}"
                    for choice, words in setting.choices.items()
                ),
            )
            for setting in SETTINGS
        ),
    )
    yield "\n## Refusals\n"
    yield _REFUSALS
    yield from _table(
        ("Code", "What is said"),
        (
            (f"`{code}`", " / ".join(said))
            for code, said in refusal_index(*_ANSWERING, alone=_READING).items()
        ),
    )
    yield ""


def _pay_table(table: PayTable) -> Iterator[str]:
    columns = {"Row": [f"`{row}`" for row in table.pays]}
    columns["Pays"] = [str(pay) for pay in table.pays.values()]
    if table.ante_pays:
        columns["Ante without a raise"] = [str(table.ante_pays[row]) for row in table.pays]
    if table.envy_cents:
        columns["Envy"] = [f"${table.envy_cents[row] // 100}" for row in table.pays]
    yield from _table(tuple(columns), zip(*columns.values(), strict=True))


def _table(titles: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> Iterator[str]:
    yield f"| {' | '.join(titles)} |"
    yield f"|{'---|' * len(titles)}"
    for row in rows:
        yield f"| {' | '.join(row)} |"
