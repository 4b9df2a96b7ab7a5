"""Join two ordered sequences without holding either."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeVar

T = TypeVar("T")


def side_by_side(
    left: Iterator[tuple[int, T]], right: Iterator[tuple[int, T]]
) -> Iterator[tuple[int, T | None, T | None]]:
    """Yield every number that either sequence has, in order, with what each has there.

    >>> list(side_by_side(iter([(1, "a"), (3, "c")]), iter([(1, "A"), (2, "B")])))
    [(1, 'a', 'A'), (2, None, 'B'), (3, 'c', None)]
    """
    one, other = next(left, None), next(right, None)
    while one is not None or other is not None:
        if other is None or (one is not None and one[0] < other[0]):
            assert one is not None
            yield one[0], one[1], None
            one = next(left, None)
        elif one is None or other[0] < one[0]:
            yield other[0], None, other[1]
            other = next(right, None)
        else:
            yield one[0], one[1], other[1]
            one, other = next(left, None), next(right, None)
