"""Rules at the command line: one JSON case a line in, one JSON answer a line out.

    python -m pitboss.rules settle < cases.jsonl
    python -m pitboss.rules document > docs/rules.md
    python -m pitboss.rules settings > docs/settings.md

A line that is no case is answered with an error, and the next line is read.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable, Iterator
from typing import Any, BinaryIO, Final

from pitboss.rules.refusal import Refused, refuse
from pitboss.rules.wagers.settle import refusal_answer

# Longer than any honest case; a line beyond it is skipped without being held in memory.
LINE_BYTES_MAX: Final = 1 << 20

SUBJECTS: Final = {
    "settle": "what a wager pays, by which rule, and the working to read out",
    "odds": "exact probabilities of a side bet, and the house edge",
    "cut": "which cheques pay an amount or a buy-in, and who must approve",
    "tax": "which form a win needs, and what is withheld",
    "rate": "what a player's stay, comp or hour at a table is worth, by question",
    "document": "write docs/rules.md: rules, pay tables, readings and house options",
    "settings": "write docs/settings.md: everything that a house may set",
}

Answer = Callable[[Any], dict[str, Any]]


def _answerer(subject: str) -> Answer:
    """Return the function that answers a subject; each loads only what it needs."""
    if subject == "settle":
        from pitboss.rules.wagers.settle import settle_case

        return settle_case
    if subject == "odds":
        from pitboss.rules.odds import odds

        return odds.answer
    if subject == "cut":
        from pitboss.rules.cheques import cut

        return cut.answer
    if subject == "rate":
        from pitboss.rules.ratings import wire

        return wire.answer
    from pitboss.rules.tax import tax

    return tax.answer


def _lines(source: BinaryIO) -> Iterator[bytes | None]:
    """Yield each line; None stands for one that is too long."""
    while line := source.readline(LINE_BYTES_MAX + 1):
        if len(line) <= LINE_BYTES_MAX or line.endswith(b"\n"):
            yield line
            continue
        while line and not line.endswith(b"\n"):
            line = source.readline(LINE_BYTES_MAX)
        yield None


def _no_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Build an object, but refuse one that says the same field twice: which is meant is a guess."""
    found = dict(pairs)
    if len(found) != len(pairs):
        raise refuse("repeated_field", "An object has a field twice. Use each field once.")
    return found


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is no number")


_DECODER: Final = json.JSONDecoder(object_pairs_hook=_no_repeats, parse_constant=_no_constant)


def _read(line: bytes | None) -> dict[str, Any]:
    """Return the case on a line, or refuse the line."""
    if line is None:
        raise refuse("line_too_long", f"A line can have at most {LINE_BYTES_MAX} bytes.")
    try:
        case = _DECODER.decode(line.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise refuse("not_utf8", "The line is not UTF-8 text.") from None
    except RecursionError:
        raise refuse("nested_too_deep", "The line nests too deep to be a case.") from None
    except ValueError:
        raise refuse("not_json", "The line is not one JSON object.") from None
    if not isinstance(case, dict):
        raise refuse("not_an_object", "The line is JSON, but not an object.")
    return case


def answer_lines(answer: Answer, source: BinaryIO, sink: BinaryIO) -> None:
    """Answer every line as soon as it is read."""
    for line in _lines(source):
        try:
            answered = answer(_read(line))
        except Refused as refused:
            answered = refusal_answer(refused)
        sink.write(json.dumps(answered).encode() + b"\n")
        sink.flush()


def main(arguments: list[str] | None = None) -> int:
    """Run one subcommand on standard input and output."""
    parser = argparse.ArgumentParser(
        prog="python -m pitboss.rules",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    subjects = parser.add_subparsers(dest="subject", required=True, metavar="subject")
    for name, says in SUBJECTS.items():
        subjects.add_parser(name, help=says, description=says)
    subject = parser.parse_args(arguments).subject
    try:
        if subject == "document":
            from pitboss.rules.book.document import rules_page

            sys.stdout.write(rules_page())
            sys.stdout.flush()
        elif subject == "settings":
            from pitboss.rules.settings.page import settings_page

            sys.stdout.write(settings_page())
            sys.stdout.flush()
        else:
            answer_lines(_answerer(subject), sys.stdin.buffer, sys.stdout.buffer)
    except BrokenPipeError:
        # The reader has gone. Point stdout elsewhere, or Python complains once more at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
