"""The refusals that a dealer or a patron meets, read from where they are written."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from tests.visible import PROJECT

# Where a dealer taps in and out, signs, calls, asks, and is approved; where a PIN is entered;
# where a bet, a payout, a round, and a count of cheques are judged. A folder stands for all in it.
WRITTEN_IN = (
    "pitboss/rules/baccarat",
    "pitboss/rules/cards/playing_cards.py",
    "pitboss/rules/cheques/buy_ins.py",
    "pitboss/rules/cheques/cheques.py",
    "pitboss/rules/cheques/counting.py",
    "pitboss/rules/cheques/cutting.py",
    "pitboss/rules/floor/card_nods.py",
    "pitboss/rules/floor/fields.py",
    "pitboss/rules/floor/log.py",
    "pitboss/rules/floor/nods.py",
    "pitboss/rules/flows/asks.py",
    "pitboss/rules/flows/drawn.py",
    "pitboss/rules/flows/fresh_pins.py",
    "pitboss/rules/flows/signing.py",
    "pitboss/rules/games/dealer.py",
    "pitboss/rules/games/decisions.py",
    "pitboss/rules/games/eligibility.py",
    "pitboss/rules/games/table_orders.py",
    "pitboss/rules/payouts/check.py",
    "pitboss/rules/payouts/check_faults.py",
    "pitboss/rules/payouts/claims.py",
    "pitboss/rules/payouts/levels.py",
    "pitboss/rules/roulette",
    "pitboss/rules/rounds",
    "pitboss/rules/wagers",
    "pitboss/services/attempts.py",
    "pitboss/services/pads.py",
    "pitboss/services/pins.py",
    "pitboss/services/signing.py",
    "tables/services/approvals.py",
    "tables/services/calls.py",
    "tables/services/check_corrections.py",
    "tables/services/checks.py",
    "tables/services/coupons.py",
    "tables/services/dealers.py",
    "tables/services/drills.py",
    "tables/services/envy.py",
    "tables/services/felt.py",
    "tables/services/mismatches.py",
    "tables/services/round_corrections.py",
    "tables/services/round_facts.py",
    "tables/services/rounds.py",
    "tables/services/shoes.py",
    "tables/services/terminal_ratings.py",
    "tables/services/trays.py",
)

# What only a program that calls wrongly is answered: it names a field of the API, or how one is
# written. The terminal sends none of it.
_OF_PROGRAMS = re.compile(
    "|".join(
        (
            r"\b[a-z]+_[a-z_]+\b",
            r"\bmust be (?:a number|the number|a name|one of|true|an object|words|a list|a whole)",
            r"\bmust (?:list|give|say)\b",
            r"\bhas no (?:field|use for)\b",
            r"^A (?:case|payout) is an object",
            r"Use: |Wagers: |Send (?:each|at most)|Leave out which|Seat entry|names no numbers",
            r"another key|for each round|was sent twice|decided by the table|from place 1",
            r"Cheques are given by denomination",
        )
    )
)
_PROGRAMS_CODES = frozenset(
    {
        "bad_spots",
        "unknown_denomination",
        "bad_doubles",
        "double_without_bet",
        "bad_meters",
        "bad_winners",
        "unknown_meter",
        "unknown_spot",
        "unknown_wager",
        "no_such_part",
        "no_such_card",
    }
)


def dealer_refusals() -> Iterator[tuple[str, str]]:
    """Yield each sentence that refuses, as a catalog names it, with where it is written.

    One that no catalog can name, because it is filled in where it is written, is "".
    """
    for where in _files():
        tree = ast.parse((PROJECT / where).read_text(encoding="utf-8"))
        calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and node.args]
        for call in calls:
            for message in _messages(call):
                for told in _named(tree, message):
                    yield from _read(where, call.lineno, told)


def _messages(call: ast.Call) -> Iterator[ast.expr]:
    """Yield what a call says: a refusal, the words of a field, or a sentence by itself."""
    if len(call.args) > 1 and _is(call, "refuse", "Refusal", "Approval"):
        if _code(call) not in _PROGRAMS_CODES:
            yield call.args[1]
    elif isinstance(call.func, ast.Attribute) and call.func.attr == "_refuse":
        yield call.args[0]
    elif _is(call, "Said"):
        yield call


def _named(tree: ast.Module, message: ast.expr) -> Iterator[ast.expr]:
    """Yield a message, or all that is called by its name in its module."""
    if not isinstance(message, ast.Name):
        yield message
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and message.id in (
            target.id for target in node.targets if isinstance(target, ast.Name)
        ):
            yield node.value


def _files() -> Iterator[str]:
    for where in WRITTEN_IN:
        path = PROJECT / where
        found = sorted(path.glob("*.py")) if path.is_dir() else [path]
        yield from (str(item.relative_to(PROJECT)) for item in found)


def _read(where: str, line: int, node: ast.expr) -> Iterator[tuple[str, str]]:
    for words in _words(node):
        if not _OF_PROGRAMS.search(re.sub(r"\{\w+\}", "", words)):
            yield f"{where}:{line}: {words}", words


def _code(call: ast.Call) -> str:
    return str(call.args[0].value) if isinstance(call.args[0], ast.Constant) else ""


def _is(call: ast.Call, *names: str) -> bool:
    return getattr(call.func, "id", "") in names


def _words(node: ast.expr) -> Iterator[str]:
    if isinstance(node, ast.Constant):
        yield str(node.value)
    elif isinstance(node, ast.IfExp):
        yield from (*_words(node.body), *_words(node.orelse))
    elif isinstance(node, ast.Call) and _is(node, "Said") and not _is_word(node.args[0]):
        yield from _words(node.args[0])
    elif isinstance(node, ast.JoinedStr):
        # Its own words tell whether it is of a program.
        parts = [part.value for part in node.values if isinstance(part, ast.Constant)]
        if not _OF_PROGRAMS.search(" ".join(map(str, parts))):
            yield ""


def _is_word(node: ast.expr) -> bool:
    """Tell the name of a role or of a place from a sentence: it is tried by its own test."""
    return not isinstance(node, ast.Constant | ast.IfExp)
