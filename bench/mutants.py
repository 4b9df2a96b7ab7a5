"""Break the code one small piece at a time, and see whether a test fails.

make mutants                                    # every subject, a sample, half an hour
make mutants ARGS="ledger journal --minutes 60"
make mutants ARGS="tax --all"
make mutants ARGS="drop --only pull_details"    # what a survivor was called, once it has a test

The tests of a subject run once, unharmed, to see which functions each of them reaches. After that
each mutant is a child of this process whose functions have other code: nothing is imported or
collected again, and only tests that reach the function are run, quickest first, until one fails. A
mutant that no test fails for has survived. docs/mutants.md names those that may, with the reason;
any other ends this with an error.
"""

from __future__ import annotations

import argparse
import builtins
import functools
import gc
import os
import random
import re
import signal
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

import pytest

from bench.mutations import MARK, Mutation, marked, mutations_of

PROJECT = Path(__file__).resolve().parents[1]
NAMED = PROJECT / "docs" / "mutants.md"
SECONDS_MIN = 20

# What is broken, and the tests that are to notice; a folder stands for all of its modules.
SUBJECTS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "signing": (
        ("pitboss/services/signing.py", "pitboss/rules/flows/signing.py"),
        (
            "tests/pitboss/test_sign.py",
            "tests/pitboss/test_signing_races.py",
            "tests/pitboss/test_signed_by_the_book.py",
            "tests/pitboss/test_attestations.py",
            "tests/pitboss/test_pins.py",
            "tests/pitboss/test_limits.py",
            "tests/pitboss/test_tampering.py",
            "tests/pitboss/test_row_seals.py",
            "tests/inventory/test_fill.py",
            "tests/inventory/test_sets_of_cheques.py",
            "tests/inventory/test_exclusion.py",
            "tests/rules/test_flows.py",
            "tests/rules/test_decisions.py",
            "pitboss/rules/flows",
        ),
    ),
    "ledger": (
        ("inventory/services/ledger.py", "inventory/selectors/cheques.py"),
        (
            "tests/inventory/test_fill.py",
            "tests/inventory/test_credit.py",
            "tests/inventory/test_cage.py",
            "tests/inventory/test_sets_of_cheques.py",
            "tests/inventory/test_house_cheques.py",
            "tests/tables/test_opening.py",
            "tests/tables/test_counts.py",
            "tests/tables/test_day_close.py",
            "tests/inventory/test_public_races.py",
        ),
    ),
    "journal": (
        ("pitboss/services/journal.py", "pitboss/services/verification"),
        (
            "tests/pitboss/test_journal.py",
            "tests/pitboss/test_journal_heads.py",
            "tests/pitboss/test_tampering.py",
            "tests/pitboss/test_seals.py",
            "tests/pitboss/test_row_seals.py",
            "tests/pitboss/test_seal_file.py",
            "tests/pitboss/test_verification_by_itself.py",
        ),
    ),
    "markers": (
        (
            "inventory/kinds/marker.py",
            "inventory/kinds/marker_payment.py",
            "inventory/services/marker_payments.py",
            "inventory/selectors/credit.py",
        ),
        (
            "tests/inventory/test_marker.py",
            "tests/inventory/test_marker_payment.py",
            "tests/inventory/test_payment_means.py",
            "tests/inventory/test_marker_log.py",
            "tests/inventory/test_marker_races.py",
            "tests/inventory/test_marker_pages.py",
        ),
    ),
    "jackpots": (
        ("jackpots/kinds/jackpot.py", "jackpots/kinds/big_win.py", "jackpots/services/hits.py"),
        (
            "tests/jackpots/test_jackpots.py",
            "tests/jackpots/test_jackpot_payments.py",
            "tests/jackpots/test_big_wins.py",
            "tests/jackpots/test_big_win_entry.py",
            "tests/jackpots/test_meters.py",
            "tests/jackpots/test_meter_races.py",
        ),
    ),
    "tax": (
        ("pitboss/rules/tax/tax.py", "pitboss/rules/tax/lines.py", "pitboss/rules/tax/papers.py"),
        (
            "tests/rules/test_tax.py",
            "tests/rules/test_tax_lines.py",
            "tests/rules/test_tax_papers.py",
            "tests/rules/test_big_wins.py",
            "tests/rules/test_jackpot_awards.py",
            "tests/rules/test_payout_check.py",
            "pitboss/rules/tax",
        ),
    ),
    "drop": (
        ("pitboss/rules/drop", "tables/services/drops.py"),
        (
            "tests/rules/test_late_and_drop.py",
            "tests/rules/test_drop_runs.py",
            "tests/rules/test_drop_corrections.py",
            "tests/rules/test_count_sessions.py",
            "tests/rules/test_box_papers.py",
            "tests/rules/test_compartments.py",
            "tests/tables/test_drop.py",
            "tests/tables/test_drop_runs.py",
            "tests/tables/test_compartments.py",
            "tests/tables/test_count_sessions.py",
            "pitboss/rules/drop",
        ),
    ),
    "ratings": (
        ("pitboss/rules/ratings/theo.py", "pitboss/rules/ratings/stay.py",
         "pitboss/rules/ratings/comps.py", "tables/services/ratings.py"),
        (
            "tests/rules/ratings",
            "pitboss/rules/ratings",
            "tests/tables/test_ratings.py",
            "tests/tables/test_rating_changes.py",
            "tests/tables/test_play_watch.py",
            "tests/tables/test_same_patrons.py",
            "tests/inventory/test_exclusion.py",
        ),
    ),
}  # fmt: skip


class _Between:
    """Stands for "no test yet": what belongs to a module is torn down, what to the run is not."""

    def __init__(self, session: pytest.Session) -> None:
        self.session = session

    def listchain(self) -> list[Any]:
        return [self.session]


# Functions by file, name and first line: a decorated one is found as well.
Live = dict[tuple[str, str, int], list[FunctionType]]


@dataclass
class Tally:
    killed: int = 0
    survived: list[str] = field(default_factory=list)
    unreached: Counter[str] = field(default_factory=Counter)


class Breaker:
    """Run in place of pytest's own loop: once unharmed, then a child for each mutant."""

    def __init__(
        self, files: list[Path], named: frozenset[str], seconds: float, seed: int, only: str
    ) -> None:
        self.files, self.named, self.seconds, self.seed = files, named, seconds, seed
        self.only = only
        self.tally = Tally()
        self._failed = False
        self.error = ""

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._failed = self._failed or report.failed

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        live = _live_code(str(file) for file in self.files)
        reaching, seconds = self._unharmed(session, live)
        if self._failed:
            self.error = "The tests fail before anything is broken."
            return True
        _let_go()
        caches = [
            get_object
            for get_object in gc.get_objects()
            if type(get_object) is functools._lru_cache_wrapper
        ]
        ends = time.monotonic() + self.seconds
        mutations = [
            mutation
            for file in self.files
            for mutation in mutations_of(file, PROJECT)
            if self.only in mutation.name
        ]
        random.Random(self.seed).shuffle(mutations)
        for done, mutation in enumerate(mutations):
            if time.monotonic() > ends:
                say(f"Time is up: {len(mutations) - done} of {len(mutations)} mutants not tried.")
                break
            tests = reaching.get((str(mutation.file), mutation.function), [])
            if not tests:
                self.tally.unreached[f"{mutation.place} {mutation.function}"] += 1
                continue
            self._try(session, mutation, tests, seconds, live, caches)
        return True

    def _unharmed(
        self, session: pytest.Session, live: Live
    ) -> tuple[dict[tuple[str, str], list[pytest.Item]], dict[str, float]]:
        reaching: defaultdict[tuple[str, str], list[pytest.Item]] = defaultdict(list)
        seconds: dict[str, float] = {}
        reached: set[tuple[str, str]] = set()
        setattr(builtins, MARK, lambda file, function: reached.add((file, function)))
        for file in self.files:
            _break(marked(file), live)
        for item in session.items:
            reached.clear()
            began = time.monotonic()
            _run(item, session)
            seconds[item.nodeid] = time.monotonic() - began
            for function in reached:
                reaching[function].append(item)
            if self._failed:
                say(f"{item.nodeid} fails unharmed.")
                break
        for items in reaching.values():
            items.sort(key=lambda item: seconds[item.nodeid])
        return reaching, seconds

    def _try(
        self,
        session: pytest.Session,
        mutation: Mutation,
        tests: list[pytest.Item],
        seconds: dict[str, float],
        live: Live,
        caches: list[Any],
    ) -> None:
        limit = max(SECONDS_MIN, 4 * sum(seconds[test.nodeid] for test in tests))
        child = os.fork()
        if not child:
            os.setsid()
            signal.signal(signal.SIGALRM, signal.SIG_DFL)
            signal.alarm(int(limit))
            code = 1
            try:
                _break(mutation.code, live)
                for cache in caches:
                    cache.cache_clear()
                for item in tests:
                    _run(item, session)
                    if self._failed:
                        break
                code = 1 if self._failed else 0
            finally:
                os._exit(code)
        _, status = os.waitpid(child, 0)
        if status:
            self.tally.killed += 1
        else:
            self.tally.survived.append(mutation.name)
            known = " (named in docs/mutants.md)" if mutation.name in self.named else ""
            say(f"SURVIVED {mutation.name}   line {mutation.line}, {len(tests)} tests{known}")


# Where this speaks; pytest's own words go to a file that is shown only when it fails.
_SPEAKING = os.dup(1)


def say(text: str) -> None:
    os.write(_SPEAKING, f"{text}\n".encode())


def _run(item: pytest.Item, session: pytest.Session) -> None:
    item.config.hook.pytest_runtest_protocol(item=item, nextitem=_Between(session))


def _let_go() -> None:
    """Close what a child may not share with its parent."""
    from django.db import connections

    from pitboss.celery import app

    connections.close_all()
    app.pool.force_close_all()  # type: ignore[attr-defined]


def _codes(code: CodeType) -> Iterator[CodeType]:
    for co_const in code.co_consts:
        if isinstance(co_const, CodeType):
            yield co_const
            yield from _codes(co_const)


def _live_code(files: Iterable[str]) -> Live:
    """Return every function of some files that lives in this process, by where it is written."""
    wanted = frozenset(files)
    found: defaultdict[tuple[str, str, int], list[FunctionType]] = defaultdict(list)
    for get_object in gc.get_objects():
        if type(get_object) is FunctionType and get_object.__code__.co_filename in wanted:
            code = get_object.__code__
            found[code.co_filename, code.co_qualname, code.co_firstlineno].append(get_object)
    return found


def _break(module: CodeType, live: Live) -> None:
    for code in _codes(module):
        for function in live.get((code.co_filename, code.co_qualname, code.co_firstlineno), []):
            if function.__code__.co_freevars == code.co_freevars:
                function.__code__ = code


def survivors_named() -> frozenset[str]:
    """Return the mutants that docs/mutants.md lets live."""
    return frozenset(re.findall(r"^- `(.+?)`:? ", NAMED.read_text(), re.M))


def files_of(paths: Iterable[str]) -> list[Path]:
    found = [PROJECT / path for path in paths]
    return [
        file
        for path in found
        for file in (sorted(path.glob("[!_]*.py")) if path.is_dir() else [path])
    ]


def in_a_child(work: Callable[[], int]) -> int:
    """Give each subject a process of its own: pytest runs once in a process."""
    child = os.fork()
    if not child:
        code = 2
        try:
            code = work()
        finally:
            sys.stdout.flush()
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def try_subject(name: str, seconds: float, seed: int, only: str) -> int:
    paths, tests = SUBJECTS[name]
    named = survivors_named()
    breaker = Breaker(files_of(paths), named, seconds, seed, only)
    with tempfile.TemporaryFile() as words:
        os.dup2(words.fileno(), 1)
        os.dup2(words.fileno(), 2)
        code = pytest.main(["-q", "-p", "no:cacheprovider", *tests], plugins=[breaker])
        if code or breaker.error:
            words.seek(0)
            say(words.read().decode(errors="replace"))
            say(f"{name}: {breaker.error or 'The tests could not be run.'}")
            return 2
    tally = breaker.tally
    new = [item for item in tally.survived if item not in named]
    say(
        f"{name}: {tally.killed} killed, {len(tally.survived)} survived "
        f"({len(new)} of them not named), {sum(tally.unreached.values())} in functions that no "
        f"test of the subject calls."
    )
    for function, count in tally.unreached.most_common():
        say(f"  not called: {function} ({count})")
    return 1 if new else 0


def main() -> int:
    parser = argparse.ArgumentParser(prog="make mutants", description=__doc__.partition("\n")[0])
    parser.add_argument("subjects", nargs="*", help=", ".join(SUBJECTS))
    parser.add_argument("--minutes", type=float, default=30, help="for all subjects together")
    parser.add_argument("--all", action="store_true", help="every mutant, however long it takes")
    parser.add_argument("--seed", type=int, default=1, help="which sample is tried")
    parser.add_argument("--only", default="", help="words of a mutant's name")
    asked = parser.parse_args()
    subjects = asked.subjects or list(SUBJECTS)
    if unknown := [subject for subject in subjects if subject not in SUBJECTS]:
        parser.error(
            f"There is no subject {', '.join(unknown)}: name some of {', '.join(SUBJECTS)}."
        )
    each = float("inf") if asked.all else asked.minutes * 60 / len(subjects)
    codes = [
        in_a_child(functools.partial(try_subject, name, each, asked.seed, asked.only))
        for name in subjects
    ]
    return max(codes)


if __name__ == "__main__":
    sys.exit(main())
