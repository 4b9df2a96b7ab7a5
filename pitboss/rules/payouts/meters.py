"""Meters of progressive and posted jackpots: their terms, and their arithmetic to the microcent.

A meter is counted in millionths of a cent, so that any rate of a wager is a whole number and no
fraction is ever lost: what a rounded award leaves stays on the meter. It rises by wagers and falls
only for a listed reason. The reserve is what wagers add without showing it; it pays the next seed,
and what the hits of one round take beyond the meter. Below zero the house has advanced it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum, unique
from typing import Any, Final

from pitboss.rules.cheques.cheques import format_money
from pitboss.rules.paytables.paytables import METERS, STAKES_CENTS
from pitboss.rules.quoting import quoted
from pitboss.rules.refusal import CONFLICT, Refusal, Refused, refuse
from pitboss.rules.settings.kinds import Amount

MICROCENTS: Final = 1_000_000
PARTS: Final = 1_000_000
NAME_MAX: Final = 40
POSTED_EVERY: Final = timedelta(hours=24)
_AMOUNT: Final = Amount(100, 100_000_000_000)
_NO_LIMIT: Final = Amount(100, 100_000_000_000, none_means="no limit")
_RATE: Final = re.compile(r"([0-9]{1,2})(?:\.([0-9]{1,4}))? ?%?", re.ASCII)


# The slip by which two people say what a meter is.
METER_TERMS: Final = "meter_change"


@unique
class MeterSource(StrEnum):
    """Who counts a meter."""

    CONTROLLER = "controller"
    PITBOSS = "pitboss"
    POSTED = "posted"

    @property
    def words(self) -> str:
        return _SOURCE_WORDS[self]


_SOURCE_WORDS: Final = {
    MeterSource.CONTROLLER: "a vendor's controller, read and compared daily",
    MeterSource.PITBOSS: "Pitboss itself, which then acts as a progressive controller and "
    "needs the regulator’s approval",
    MeterSource.POSTED: "posted and paid by the house, whatever was wagered",
}


@unique
class Cause(StrEnum):
    """Why a meter or its reserve changed. The values are stored; the database knows them too."""

    STARTED = "started"
    CONTRIBUTED = "contributed"
    WON = "won"
    RESTORED = "restored"
    SEEDED = "seeded"
    SEED_RECOVERY = "seed_recovery"
    READ = "read"
    CORRECTION = "correction"
    MALFUNCTION = "malfunction"
    OVER_MAXIMUM = "over_maximum"
    RESERVE = "reserve"
    POSTED = "posted"

    @property
    def words(self) -> str:
        return _CAUSE_WORDS[self]


_CAUSE_WORDS: Final = {
    Cause.STARTED: "the meter starts",
    Cause.CONTRIBUTED: "wagers",
    Cause.WON: "won by a patron",
    Cause.RESTORED: "a hit was rejected",
    Cause.SEEDED: "reset after a win",
    Cause.SEED_RECOVERY: "seed money recovered",
    Cause.READ: "the controller had counted more",
    Cause.CORRECTION: "corrected upwards",
    Cause.MALFUNCTION: "a malfunction corrected",
    Cause.OVER_MAXIMUM: "over the maximum",
    Cause.RESERVE: "moved into the reserve",
    Cause.POSTED: "reposted by the house",
}
# What lets the shown amount fall (WAC 230-15-695; the printed rules of posted jackpots).
FALLS: Final = frozenset(
    {
        Cause.WON,
        Cause.MALFUNCTION,
        Cause.OVER_MAXIMUM,
        Cause.RESERVE,
        Cause.SEED_RECOVERY,
        Cause.POSTED,
    }
)
# What two people may change a counted meter for; the first only ever raises it.
ADJUSTING: Final = (
    Cause.CORRECTION,
    Cause.MALFUNCTION,
    Cause.OVER_MAXIMUM,
    Cause.RESERVE,
    Cause.SEED_RECOVERY,
)


@dataclass(frozen=True, slots=True)
class MeterTerms:
    """What two people agreed that a meter is."""

    name: str
    wager: str
    level: str
    source: MeterSource
    start_cents: int
    reset_cents: int
    # Parts of a million of each wager that go on the meter, and unseen into its reserve.
    rate_ppm: int
    reserve_ppm: int
    maximum_cents: int | None
    tables: tuple[str, ...]

    @property
    def is_posted(self) -> bool:
        return self.source is MeterSource.POSTED

    def stored(self) -> dict[str, Any]:
        """Return the terms as a slip keeps them."""
        return {
            "name": self.name,
            "wager": self.wager,
            "level": self.level,
            "source": self.source.value,
            "start_cents": self.start_cents,
            "reset_cents": self.reset_cents,
            "rate_ppm": self.rate_ppm,
            "reserve_ppm": self.reserve_ppm,
            "maximum_cents": self.maximum_cents,
            "tables": list(self.tables),
        }

    def words(self) -> dict[str, str]:
        """Say the terms line by line."""
        words = {
            "Bet": f"{self.wager.replace('_', ' ')}, {self.level}",
            "Counted by": self.source.words,
            "Posted" if self.is_posted else "Starts at": format_money(self.start_cents),
        }
        if not self.is_posted:
            most = self.maximum_cents
            words |= {
                "Resets to": format_money(self.reset_cents),
                "Of each wager": f"{rate_words(self.rate_ppm)} on the meter, "
                f"{rate_words(self.reserve_ppm)} into the reserve",
                "At most": "no limit" if most is None else format_money(most),
            }
        return words | {"Tables": ", ".join(self.tables)}


def stored_terms(stored: Mapping[str, Any]) -> MeterTerms:
    """Return the terms that a slip keeps."""
    return MeterTerms(
        **{**stored, "source": MeterSource(stored["source"]), "tables": tuple(stored["tables"])}
    )


def read_terms(keyed: Mapping[str, str]) -> MeterTerms:
    """Return the terms that a manager keyed. Raises Refused with every reason.

    >>> keyed = {"name": "Sevens", "bet": "blazing_7s:JACKPOT", "source": "pitboss",
    ...          "start": "10,000", "reset": "10,000", "rate": "20%", "reserve": "2.5",
    ...          "maximum": "", "tables": "BJ-15 BJ-16"}
    >>> terms = read_terms(keyed)
    >>> terms.rate_ppm, terms.reserve_ppm, terms.maximum_cents, terms.tables
    (200000, 25000, None, ('BJ-15', 'BJ-16'))
    """
    refusals: list[Refusal] = []

    def read(name: str, kind: Any) -> Any:
        try:
            return kind(keyed.get(name, ""))
        except Refused as refused:
            refusals.extend(refused.refusals)
            return None

    source = read("source", _source)
    posted = source is MeterSource.POSTED
    wager, level = read("bet", _bet) or ("", "")
    start = read("start", _AMOUNT.read)
    terms = MeterTerms(
        name=read("name", _name),
        wager=wager,
        level=level,
        source=source,
        start_cents=start,
        reset_cents=start if posted else read("reset", _AMOUNT.read),
        rate_ppm=0 if posted else read("rate", parse_rate),
        reserve_ppm=0 if posted else read("reserve", parse_rate),
        maximum_cents=None if posted else read("maximum", _NO_LIMIT.read),
        tables=tuple(sorted(set(keyed.get("tables", "").replace(",", " ").split()))),
    )
    if refusals:
        raise Refused(refusals)
    refusals += _terms_refusals(terms)
    if refusals:
        raise Refused(refusals)
    return terms


def _terms_refusals(terms: MeterTerms) -> list[Refusal]:
    refusals = []
    if terms.is_posted != (terms.wager == "lucky_ladies"):
        refusals.append(
            Refusal("wrong_source", "Lucky Ladies is posted by the house; Blazing 7's is counted.")
        )
    if not terms.is_posted and not terms.rate_ppm:
        refusals.append(
            Refusal("rate_missing", "Enter the part of each wager that goes on the meter.")
        )
    if terms.rate_ppm + terms.reserve_ppm > PARTS:
        refusals.append(
            Refusal(
                "rate_too_high", "More than the whole wager would go on the meter. Lower the rate."
            )
        )
    most = terms.maximum_cents
    if most is not None and most < max(terms.start_cents, terms.reset_cents):
        refusals.append(
            Refusal(
                "maximum_too_low",
                "The maximum is below the start or reset amount. Raise it.",
            )
        )
    if not terms.tables:
        refusals.append(Refusal("no_tables", "Link at least one table to the meter."))
    return refusals


def _name(keyed: str) -> str:
    name = " ".join(keyed.split())
    if not name or len(name) > NAME_MAX:
        raise refuse("name_malformed", f"Enter a meter name of 1 to {NAME_MAX} letters.")
    return name


def _bet(keyed: str) -> tuple[str, str]:
    wager, _, level = keyed.partition(":")
    if level not in METERS.get(wager, ()):
        raise refuse(
            "unknown_meter",
            f"No bet of the house has a meter {quoted(keyed)}. Choose one from the list.",
        )
    return wager, level


def _source(keyed: str) -> MeterSource:
    try:
        return MeterSource(keyed)
    except ValueError:
        raise refuse("unknown_source", "Choose who counts this meter.") from None


def parse_rate(keyed: str) -> int:
    """Return a part of a wager in parts of a million.

    >>> parse_rate("20%"), parse_rate("0.0625"), rate_words(625)
    (200000, 625, '0.0625%')
    """
    found = _RATE.fullmatch(keyed.strip() or "0")
    if found is None:
        raise refuse(
            "rate_malformed", f"{quoted(keyed)} isn’t a valid rate. Enter it like 20% or 2.5%."
        )
    return int(found[1]) * 10_000 + int((found[2] or "").ljust(4, "0"))


def rate_words(ppm: int) -> str:
    """Say a rate.

    >>> rate_words(200_000), rate_words(25_000), rate_words(0)
    ('20%', '2.5%', '0%')
    """
    whole, rest = divmod(ppm, 10_000)
    return f"{whole}.{rest:04}".rstrip("0").rstrip(".") + "%"


def in_cents(microcents: int) -> int:
    """Return the whole cents of a meter, as it is shown and won: fractions stay on it.

    >>> in_cents(2_431_055_999_999), in_cents(-1)
    (2431055, -1)
    """
    return microcents // MICROCENTS


@dataclass(frozen=True, slots=True)
class Contribution:
    """What wagers add to a meter and, unseen, to its reserve."""

    amount_microcents: int
    reserve_microcents: int


def contribution_of(wagers_cents: int, *, rate_ppm: int, reserve_ppm: int) -> Contribution:
    """Return what wagers of so much add: exactly, since cents times a rate are microcents.

    >>> contribution_of(500, rate_ppm=200_000, reserve_ppm=12_345)
    Contribution(amount_microcents=100000000, reserve_microcents=6172500)
    """
    return Contribution(wagers_cents * rate_ppm, wagers_cents * reserve_ppm)


def stake_of(wager: str) -> int:
    """Return the one stake of a bet that feeds a meter.

    >>> stake_of("blazing_7s")
    500
    """
    return min(STAKES_CENTS[wager])


def rolled_up(
    balance_microcents: int, parts: Contribution, maximum_cents: int | None
) -> Contribution:
    """Return what contributions really add: what passes the maximum goes into the reserve.

    >>> rolled_up(99 * MICROCENTS, Contribution(3 * MICROCENTS, 1), 100)
    Contribution(amount_microcents=1000000, reserve_microcents=2000001)
    """
    if maximum_cents is None:
        return parts
    room = max(maximum_cents * MICROCENTS - balance_microcents, 0)
    over = max(parts.amount_microcents - room, 0)
    return Contribution(parts.amount_microcents - over, parts.reserve_microcents + over)


@dataclass(frozen=True, slots=True)
class MeterStanding:
    """What the hits of one round have done to a meter and its reserve."""

    taken_microcents: int = 0
    # Beyond what the meter held, and so charged to the reserve.
    excess_microcents: int = 0
    # Put on the meter again from the reserve.
    seeded_microcents: int = 0


def standing_of(
    frozen_cents: int, awards_cents: Iterable[int], *, empties: bool, reset_cents: int
) -> MeterStanding:
    """Return what the hits of a round do, together, to the meter that their first entry froze.

    A part of a cent is never won. A hit on the whole meter seeds it again at its reset.

    >>> standing_of(1_000_000, [100_000, 1_000_000], empties=True, reset_cents=50_000)
    MeterStanding(taken_microcents=1000000000000, excess_microcents=100000000000, \
seeded_microcents=50000000000)
    """
    owed = sum(awards_cents)
    taken = min(owed, frozen_cents)
    return MeterStanding(
        taken * MICROCENTS,
        (owed - taken) * MICROCENTS,
        reset_cents * MICROCENTS if empties else 0,
    )


@dataclass(frozen=True, slots=True)
class Change:
    """One change of a meter: its cause, and by how much it and its reserve change."""

    cause: Cause
    amount_microcents: int
    reserve_microcents: int = 0


def changes_between(before: MeterStanding, after: MeterStanding) -> list[Change]:
    """Return the changes that lead from what a round had done to what it does now.

    >>> [(c.cause.value, c.amount_microcents) for c in changes_between(MeterStanding(70, 0, 5),
    ...                                                                MeterStanding())]
    [('restored', 70), ('seed_recovery', -5)]
    """
    changes = []
    taken = after.taken_microcents - before.taken_microcents
    excess = after.excess_microcents - before.excess_microcents
    seeded = after.seeded_microcents - before.seeded_microcents
    if taken or excess:
        cause = Cause.WON if taken > 0 or (not taken and excess > 0) else Cause.RESTORED
        changes.append(Change(cause, -taken, -excess))
    if seeded:
        cause = Cause.SEEDED if seeded > 0 else Cause.SEED_RECOVERY
        changes.append(Change(cause, seeded, -seeded))
    return changes


def adjustment_refusals(
    terms: MeterTerms,
    *,
    cause: Cause,
    before_cents: int,
    after_cents: int,
    last_posted_at: datetime | None,
    last_won_at: datetime | None,
    mid_game: Sequence[str],
    now: datetime,
) -> list[Refusal]:
    """Return why a meter may not be set to another amount: every reason."""
    refusals = []
    if terms.is_posted != (cause is Cause.POSTED) or (
        not terms.is_posted and cause not in ADJUSTING
    ):
        refusals.append(
            Refusal("wrong_cause", "A meter can’t be changed for this reason. Choose another.")
        )
    if before_cents == after_cents:
        refusals.append(
            Refusal("nothing_changes", "The meter already shows this amount. Enter another.")
        )
    if after_cents < before_cents and cause not in FALLS:
        listed = ", ".join(item.words for item in ADJUSTING if item in FALLS)
        refusals.append(
            Refusal(
                "meter_would_fall",
                f"The amount goes down only for a listed reason. Choose one: {listed}.",
            )
        )
    if after_cents > before_cents and cause in FALLS - {Cause.POSTED, Cause.MALFUNCTION}:
        refusals.append(
            Refusal(
                "meter_would_rise", "For this reason the amount must go down. Enter a lower amount."
            )
        )
    most = terms.maximum_cents
    if most is not None and after_cents > most:
        refusals.append(
            Refusal(
                "over_maximum", f"This meter’s maximum is {format_money(most)}. Enter that or less."
            )
        )
    if cause is Cause.POSTED:
        won_since = (
            last_won_at is not None and last_posted_at is not None and last_won_at > last_posted_at
        )
        if last_posted_at is not None and now - last_posted_at < POSTED_EVERY and not won_since:
            refusals.append(
                Refusal(
                    "posted_today",
                    "A posted jackpot can change once in 24 hours unless won. Try again later.",
                    CONFLICT,
                )
            )
        refusals += [
            Refusal(
                "mid_game",
                f"A game is in progress at {table}. Post it between two games.",
                CONFLICT,
            )
            for table in mid_game
        ]
    return refusals
