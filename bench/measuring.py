"""Time a piece of work, and say how it compares.

Only ratios within one run mean anything: machines differ, and so does the same one an hour later.
Time is the processor's, ours and our children's, since the clock on the wall also counts what other
programs do meanwhile. Work that waits for a server of its own asks for the wall.
"""

from __future__ import annotations

import gc
import resource
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from time import perf_counter, process_time

Work = Callable[[], object]
Clock = Callable[[], float]


def processor() -> float:
    """Return the seconds this process and its finished children have spent computing."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return process_time() + children.ru_utime + children.ru_stime


wall: Clock = perf_counter


@dataclass(frozen=True, slots=True)
class Measure:
    """How long one piece of work took, how many things it did, and what it is held against.

    `baseline` is another measure of the same run; `limit_seconds` is what was promised for the
    whole, or for each thing done where `limit_each` says so.
    """

    name: str
    seconds: float
    count: int = 1
    baseline: Measure | None = None
    limit_seconds: float | None = None
    limit_each: bool = False

    @property
    def each_seconds(self) -> float:
        return self.seconds / self.count

    @property
    def ratio(self) -> float | None:
        """How many times as long as the baseline one thing took."""
        return None if self.baseline is None else self.each_seconds / self.baseline.each_seconds

    @property
    def is_kept(self) -> bool | None:
        """Whether the promise was kept, where there is one."""
        if self.limit_seconds is None:
            return None
        return (self.each_seconds if self.limit_each else self.seconds) <= self.limit_seconds

    def line(self) -> str:
        """Return one line of the report."""
        parts = [f"{self.name:<58}", f"{_duration(self.seconds):>9}"]
        parts.append(f"{_duration(self.each_seconds):>9} each" if self.count > 1 else " " * 14)
        if self.ratio is not None:
            assert self.baseline is not None
            parts.append(f"{self.ratio:6.2f} x {self.baseline.name}")
        if self.limit_seconds is not None:
            kept = "within" if self.is_kept else "OVER"
            parts.append(f"{kept} {_duration(self.limit_seconds)}")
        return "  ".join(parts).rstrip()


def measure(
    work: Work, *, repeats: int = 5, before: Work | None = None, clock: Clock = processor
) -> float:
    """Return the shortest of several runs: what else the machine does only ever adds time.

    `before` runs each time outside the clock, to empty a cache for instance.
    """
    return min(_time_once(work, before, clock) for _ in range(repeats))


def measure_in_turn(works: Sequence[tuple[Work, Work | None]], *, repeats: int = 7) -> list[float]:
    """Measure several pieces of work, each with what goes before it, taking turns.

    A machine that slows down meanwhile then slows them all, and their ratio still means something.
    """
    rounds = [
        [_time_once(work, before, processor) for work, before in works] for _ in range(repeats)
    ]
    return [min(times) for times in zip(*rounds, strict=True)]


def _time_once(work: Work, before: Work | None, clock: Clock) -> float:
    if before is not None:
        before()
    gc.collect()
    gc.disable()
    started = clock()
    work()
    seconds = clock() - started
    gc.enable()
    return seconds


def report(title: str, measures: Iterable[Measure]) -> bool:
    """Print measures as they come; return whether every promise was kept."""
    print(title)
    are_kept = True
    for measured in measures:
        print("  " + measured.line(), flush=True)
        are_kept &= measured.is_kept is not False
    return are_kept


def _duration(seconds: float) -> str:
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds / 1e-9:.3g} ns"
