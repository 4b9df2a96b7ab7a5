"""When a look is wanted: at a moment in each stretch of the stay that no one can know beforehand.

The server draws the moment from a key. A player who bets up when watched, and a rater who looks
when it suits, gain nothing: looks at those moments are the ones that count.
"""

from __future__ import annotations


def prompt_moment(drawn: bytes, window: int, every: int) -> int:
    """Return the second of the stay at which a look is wanted, in one window of so many seconds.

    `drawn` is what the key gave for this window.

    >>> prompt_moment(bytes([0, 0, 4, 176]), 0, 1_200), prompt_moment(bytes([0, 0, 0, 7]), 2, 1_200)
    (0, 2407)
    """
    return window * every + int.from_bytes(drawn[:4], "big") % every


def wanted_since(moments: list[int], elapsed: int, last_look: int | None) -> int | None:
    """Return since which second of the stay a look is wanted; none when one was taken since.

    >>> wanted_since([300, 1_900], 2_000, 1_000), wanted_since([300, 1_900], 1_500, 1_000)
    (1900, None)
    """
    passed = [moment for moment in moments if moment <= elapsed]
    if not passed or (last_look is not None and last_look >= passed[-1]):
        return None
    return passed[-1]


def bet_ladder(
    last_cents: int | None, minimum_cents: int, most_cents: int
) -> list[tuple[int, str]]:
    """Return the six bets that are one tap away, each with its words, none twice.

    >>> bet_ladder(10_000, 2_500, 300_000)[:4]
    [(10000, 'same as last'), (5000, 'half'), (20000, 'double'), (2500, 'table minimum')]
    """
    found: dict[int, str] = {}
    if last_cents is not None:
        found[last_cents] = "same as last"
        half = last_cents // 2 // 100 * 100
        if half >= minimum_cents:
            found.setdefault(half, "half")
        found.setdefault(last_cents * 2, "double")
    found.setdefault(minimum_cents, "table minimum")
    steps = [minimum_cents * times for times in (2, 3, 4, 6, 10, 20)]
    near = last_cents if last_cents is not None else minimum_cents
    # The steps of the house's ladder that lie nearest to the bet come first.
    for step in sorted(steps, key=lambda cents: (abs(cents - near), cents)):
        found.setdefault(step, "")
    return [(cents, words) for cents, words in found.items() if cents <= most_cents][:6]
