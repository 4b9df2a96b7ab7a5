"""The benches are found by name, and say whether a promise was kept. Nothing is timed here."""

from __future__ import annotations

import subprocess
import sys
from time import sleep

import pytest

from bench.__main__ import main, names
from bench.measuring import Measure, measure, measure_in_turn, processor, report, wall

BASELINE = Measure("the other", seconds=2.0, count=1_000)


def test_every_module_is_a_bench_but_the_tools() -> None:
    assert "rules" in names()
    assert not {"measuring", "__main__"} & {*names()}


def test_an_unknown_bench_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["no_such_bench"])
    assert "no bench named no_such_bench" in capsys.readouterr().err


def test_a_measure_is_compared_thing_by_thing() -> None:
    ours = Measure("ours", seconds=3.0, count=3_000, baseline=BASELINE)
    assert ours.ratio == 0.5
    assert ours.line().endswith("1 ms each    0.50 x the other")
    assert ours.is_kept is None


@pytest.mark.parametrize(
    ("limit_seconds", "limit_each", "is_kept"),
    [(3.0, False, True), (2.9, False, False), (0.001, True, True), (0.0009, True, False)],
)
def test_a_promise_holds_for_the_whole_or_for_each(
    limit_seconds: float, limit_each: bool, is_kept: bool
) -> None:
    ours = Measure("ours", 3.0, 3_000, limit_seconds=limit_seconds, limit_each=limit_each)
    assert ours.is_kept is is_kept


def test_a_report_says_when_a_promise_was_broken(capsys: pytest.CaptureFixture[str]) -> None:
    assert report("title", [BASELINE]) is True
    assert report("title", [Measure("slow", 1.0, limit_seconds=0.5)]) is False
    assert "OVER 500 ms" in capsys.readouterr().out


def test_works_take_turns_and_are_prepared_outside_the_clock() -> None:
    calls: list[str] = []
    works = [
        (lambda: calls.append("one"), lambda: calls.append("before")),
        (lambda: calls.append("two"), None),
    ]
    times = measure_in_turn(works, repeats=2)
    assert calls == ["before", "one", "two", "before", "one", "two"]
    assert len(times) == 2


def test_the_processors_clock_counts_children_and_leaves_out_waiting() -> None:
    assert measure(lambda: sleep(0.2), repeats=1) < 0.1
    assert measure(lambda: sleep(0.2), repeats=1, clock=wall) >= 0.2
    started = processor()
    subprocess.run([sys.executable, "-c", "sum(range(3_000_000))"], check=True)
    assert processor() - started > 0.02
