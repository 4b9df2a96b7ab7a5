"""Changing a table while it is dealt: what may change, when it takes effect, and who keeps what.

Limits are the pit manager's, terms the shift manager's too. A change counts from a moment on: what
was bet before it is judged by what held then, no matter who asks and however late.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum, unique
from typing import Any, Final

from pitboss.rules.cheques.cheques import format_money
from pitboss.rules.games.games import spoken
from pitboss.rules.games.play_options import LIMITS
from pitboss.rules.games.table_setup import BOUNDS, CardProfile, TableSetup, paytable_words
from pitboss.rules.refusal import CONFLICT, Refusal

LIVE_CHANGE: Final = "table_live_change"
# A time that is further off belongs to another shift, which has a manager of its own.
AHEAD_MOST: Final = timedelta(hours=24)


@unique
class When(StrEnum):
    """From when on a change is to count, once the sign is changed."""

    NEXT_ROUND = "next_round"
    END_OF_SHOE = "end_of_shoe"
    AT_TIME = "at_time"

    @property
    def label(self) -> str:
        return {
            When.NEXT_ROUND: "Next round",
            When.END_OF_SHOE: "Next shoe",
            When.AT_TIME: "At a time",
        }[self]


@unique
class Until(StrEnum):
    """How long players who were seated keep the old limits."""

    SHOE_ENDS = "shoe"
    THEY_LEAVE = "leave"


@dataclass(frozen=True, slots=True)
class Preset:
    """What a jurisdiction asks for before the limits of a table change."""

    id: str
    name: str
    source: str
    # With players at the table: how long before, and whether the minimum may rise at all.
    notice: timedelta = timedelta()
    minimum_may_rise: bool = True
    # What those who are seated keep, where the change comes in the middle of a shoe or at its end.
    keep_in_shoe: Until | None = None
    keep_after_shoe: Until | None = None
    keeps_maximum: bool = False

    def keeps(self, when: When) -> Until | None:
        """Return how long seated players keep the old limits; none where they keep nothing."""
        return self.keep_after_shoe if when is When.END_OF_SHOE else self.keep_in_shoe


_HOUSE: Final = Preset(
    "house", "House rule: no notice", "Default of Pitboss", keep_in_shoe=Until.SHOE_ENDS
)
PRESETS: Final[Mapping[str, Preset]] = {
    item.id: item
    for item in (
        _HOUSE,
        Preset(
            "OH",
            "Ohio: no notice, seated players keep their limits until they leave",
            "OAC 3772-11",
            keep_in_shoe=Until.THEY_LEAVE,
            keep_after_shoe=Until.THEY_LEAVE,
            keeps_maximum=True,
        ),
        Preset(
            "KS",
            "Kansas: no notice, seated players keep their minimum until they leave",
            "KAR 112-107",
            keep_in_shoe=Until.THEY_LEAVE,
            keep_after_shoe=Until.THEY_LEAVE,
        ),
        Preset(
            "MD",
            "Maryland: 30 minutes’ notice with players seated",
            "COMAR 36.05",
            notice=timedelta(minutes=30),
            minimum_may_rise=False,
        ),
    )
}


@dataclass(frozen=True, slots=True)
class SetupLine:
    """One thing that changes, before and after."""

    label: str
    before: str
    after: str

    @property
    def words(self) -> str:
        """Say it.

        >>> SetupLine("Minimum", "$15", "$25").words
        '$15 → $25'
        """
        return f"{self.before} → {self.after}"


@dataclass(frozen=True, slots=True)
class SetupChange:
    """What differs between two set-ups of a table: limits, terms, and what stays while it deals."""

    limits: tuple[SetupLine, ...]
    terms: tuple[SetupLine, ...]
    fixed: tuple[str, ...]

    @property
    def lines(self) -> tuple[SetupLine, ...]:
        return (*self.limits, *self.terms)


def change_of(was: TableSetup, wanted: TableSetup) -> SetupChange:
    """Return what a change would change."""
    limits = [
        SetupLine(label, format_money(before), format_money(after))
        for label, before, after in _limits(was, wanted)
        if before != after
    ]
    said = [
        SetupLine(label, before, after)
        for label, before, after in _terms(was, wanted)
        if before != after
    ]
    limits += [line for line in said if line.label in LIMITS]
    own, new = was.bound_words(), wanted.bound_words()
    limits += [
        SetupLine(label, own.get(label, "none"), new.get(label, "none"))
        for label in BOUNDS.values()
        if own.get(label) != new.get(label)
    ]
    terms = [line for line in said if line.label not in LIMITS]
    fixed = [
        label
        for label, before, after in (
            ("name", was.name, wanted.name),
            ("pit", was.pit, wanted.pit),
            ("game", was.game, wanted.game),
            ("decks", was.decks, wanted.decks),
            ("cards", was.cards, wanted.cards),
            ("par", dict(was.par), dict(wanted.par)),
        )
        if before != after
    ]
    return SetupChange(tuple(limits), tuple(terms), tuple(fixed))


def _limits(was: TableSetup, wanted: TableSetup) -> list[tuple[str, int, int]]:
    lines = [
        ("Minimum", was.minimum_cents, wanted.minimum_cents),
        ("Maximum", was.maximum_cents, wanted.maximum_cents),
    ]
    for wager in sorted(was.side_bets.keys() & wanted.side_bets.keys()):
        before, after = was.side_bets[wager], wanted.side_bets[wager]
        name = spoken(wager)
        lines.append((f"{name} minimum", before.minimum_cents, after.minimum_cents))
        lines.append((f"{name} maximum", before.maximum_cents, after.maximum_cents))
    return lines


def _terms(was: TableSetup, wanted: TableSetup) -> list[tuple[str, str, str]]:
    before, after = was.term_words(), wanted.term_words()
    lines = [(label, said, after[label]) for label, said in before.items()]
    for wager in sorted(was.side_bets.keys() | wanted.side_bets.keys()):
        lines.append((spoken(wager), _pays(was, wager), _pays(wanted, wager)))
    return lines


def _pays(setup: TableSetup, wager: str) -> str:
    bet = setup.side_bets.get(wager)
    return paytable_words(bet.paytable) if bet else "not taken"


@dataclass(frozen=True, slots=True)
class Facts:
    """What a change at a table is judged by, besides what it changes."""

    table: str
    is_open: bool
    # Players with a bet or a seat at the table, as the pit manager sees them.
    players: int
    when: When
    at: datetime | None
    now: datetime
    preset: Preset


def change_refusals(was: TableSetup, wanted: TableSetup, facts: Facts) -> list[Refusal]:
    """Return why a table may not be changed so while it is dealt: every reason."""
    change = change_of(was, wanted)
    refusals = []
    if not facts.is_open:
        refusals.append(
            Refusal(
                "table_closed",
                f"{facts.table} is closed. Set it up under House, Tables: two managers sign.",
                CONFLICT,
            )
        )
    if change.fixed:
        refusals.append(
            Refusal(
                "closed_table_only",
                f"An open table keeps its {', '.join(change.fixed)}. Close it, then set it up "
                "under House, Tables.",
            )
        )
    if not change.lines:
        refusals.append(
            Refusal(
                "nothing_changes",
                f"{facts.table} already has these limits and rules. Change something.",
            )
        )
    if facts.when is When.END_OF_SHOE and wanted.cards is CardProfile.CONTINUOUS:
        refusals.append(
            Refusal("no_shoe", "A continuous shuffler never ends a shoe. Choose another moment.")
        )
    if facts.when is When.AT_TIME and (
        facts.at is None or not facts.now < facts.at <= facts.now + AHEAD_MOST
    ):
        refusals.append(
            Refusal("bad_moment", "Choose a time within the next 24 hours for the change.")
        )
    is_raised = wanted.minimum_cents > was.minimum_cents
    if facts.players and is_raised and not facts.preset.minimum_may_rise:
        refusals.append(
            Refusal(
                "players_seated",
                f"Players are seated at {facts.table}. The minimum can’t be raised until they "
                f"leave ({facts.preset.source}).",
                CONFLICT,
            )
        )
    return refusals


def notice_of(change: SetupChange, players: int, preset: Preset) -> timedelta:
    """Return how long before a change its players are told."""
    return preset.notice if players and change.limits else timedelta()


def begins_at(
    when: When, *, at: datetime | None, told_until: datetime, tapped_at: datetime
) -> datetime | None:
    """Return from when on a change counts once its sign is up; none while a shoe must end first.

    `told_until` is when the notice to the players is over.
    """
    if when is When.END_OF_SHOE:
        return None
    return max(tapped_at, told_until, at if when is When.AT_TIME and at else tapped_at)


def kept_by(
    seats: Sequence[int],
    was: TableSetup,
    wanted: TableSetup,
    preset: Preset,
    when: When,
    kept_before: Mapping[str, Any],
) -> dict[str, Any]:
    """Return what seats keep of the limits before a change, as a version stores it.

    Anyone who kept still older ones keeps those.
    """
    until = preset.keeps(when)
    rises = wanted.minimum_cents > was.minimum_cents
    falls = preset.keeps_maximum and wanted.maximum_cents < was.maximum_cents
    if until is None or not seats or not (rises or falls):
        return {}
    older: Mapping[str, list[int]] = kept_before.get("seats", {})
    own = [
        min(was.minimum_cents, wanted.minimum_cents),
        max(was.maximum_cents, wanted.maximum_cents) if falls else wanted.maximum_cents,
    ]
    return {
        "until": until.value,
        "seats": {str(seat): older.get(str(seat), own) for seat in sorted(set(seats))},
    }


def without_seat(kept: Mapping[str, Any], seat: int) -> dict[str, Any]:
    """Return what is kept once the player of a seat has left.

    >>> without_seat({"until": "leave", "seats": {"2": [1500, 50000]}}, 2)
    {}
    """
    left = {item: limits for item, limits in kept["seats"].items() if item != str(seat)}
    return {**kept, "seats": left} if left else {}


def kept_limits(kept: Mapping[str, Any]) -> dict[int, tuple[int, int]]:
    """Return the minimum and maximum that each seat keeps.

    >>> kept_limits({"until": "shoe", "seats": {"2": [1500, 50000]}}), kept_limits({})
    ({2: (1500, 50000)}, {})
    """
    return {int(seat): (least, most) for seat, (least, most) in kept.get("seats", {}).items()}
