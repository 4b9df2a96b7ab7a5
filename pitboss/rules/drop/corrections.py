"""The rules of a posted count of a drop box that was wrong: who may correct it, and what it asks.

The count stays as it was signed. A correction says what each line should be; the newest one counts,
and both figures stay in sight.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from pitboss.rules.drop.figures import COUPONS, FOREIGN_CHEQUES, cash_cents
from pitboss.rules.flows.corrections import CLOSED_DAY
from pitboss.rules.flows.flows import PlanFacts
from pitboss.rules.refusal import Refusal

DROP_CORRECTION: Final = "drop_correction"
# What decides the steps of a correction besides those that each needs.
VIDEO: Final = "video"


def drop_of(figures: Mapping[str, int]) -> int:
    """Return what a box held that is worth money to the house.

    >>> drop_of({"cash_10000": 800_000, "coupons": 2_500, "foreign_cheques": 10_000})
    810000
    """
    return cash_cents(figures) + figures[FOREIGN_CHEQUES]


def moved_cents(was: Mapping[str, int], now: Mapping[str, int]) -> int:
    """Return how much money a correction moves, in any direction: what makes up for it counts too.

    >>> was = {"cash_10000": 50_000, "coupons": 0, "foreign_cheques": 0}
    >>> moved_cents(was, {"cash_10000": 0, "coupons": 50_000, "foreign_cheques": 0})
    100000
    """
    return sum(
        abs(after - before)
        for before, after in (
            (cash_cents(was), cash_cents(now)),
            (was[COUPONS], now[COUPONS]),
            (was[FOREIGN_CHEQUES], now[FOREIGN_CHEQUES]),
        )
    )


def marks_of(moved: int, video_from_cents: int, *, is_closed: bool) -> frozenset[str]:
    """Return what a correction asks besides: the video from an amount on, a third rank afterwards.

    >>> sorted(marks_of(50_000, 50_000, is_closed=True)), marks_of(49_999, 50_000, is_closed=False)
    (['closed_day', 'video'], frozenset())
    """
    video = {VIDEO} if moved >= video_from_cents else set()
    return frozenset(video | ({CLOSED_DAY} if is_closed else set()))


def needs_video(facts: PlanFacts) -> bool:
    """Tell whether the surveillance manager confirms the video."""
    return VIDEO in facts.marks


def nothing_refusals(was: Mapping[str, int], now: Mapping[str, int]) -> list[Refusal]:
    """Return why figures correct nothing."""
    if dict(was) == dict(now):
        return [
            Refusal("nothing_changes", "These are the posted figures. Change at least one line.")
        ]
    return []


def hold_text(win_cents: int, drop_cents: int) -> str:
    """Return win as a share of the drop, to a hundredth of a percent, half away from zero.

    >>> hold_text(120_000, 800_000), hold_text(220_000, 900_000), hold_text(-100, 300)
    ('15.00%', '24.44%', '−33.33%')
    >>> hold_text(5, 0)
    'none'
    """
    if drop_cents <= 0:
        return "none"
    share = (abs(win_cents) * 20_000 + drop_cents) // (2 * drop_cents)
    sign = "−" if win_cents < 0 else ""
    return f"{sign}{share // 100}.{share % 100:02d}%"
