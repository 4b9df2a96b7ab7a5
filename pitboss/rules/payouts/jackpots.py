"""Which hands are jackpots, and what each hit of one round is owed.

Hits of a round are processed from the dealer's right to the left, which is from the highest seat
down, each on the meter that the first entry of the round froze.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from pitboss.rules.book.options import HouseOptions
from pitboss.rules.cheques.cheques import format_money
from pitboss.rules.floor.irregularities import SEATS_AT_A_TABLE
from pitboss.rules.games.games import TableRules, spoken
from pitboss.rules.paytables.paytables import STAKES_CENTS, MeterShare, PayTable
from pitboss.rules.refusal import Refusal, Refused, refuse
from pitboss.rules.rounds.wagers import METERED
from pitboss.rules.wagers.settle import settle
from pitboss.rules.wagers.settlement import Settlement

# The pay table heads these rows "dealer's up card is 7": they are entered, the fixed one too.
ENTERED: Final = frozenset(
    {"three_sevens_same_suit", "three_sevens_same_colour", "three_sevens_mixed"}
)


def is_entered(table: PayTable, row: str) -> bool:
    """Tell whether a row is entered as a jackpot: a share of a meter, or a row beside one."""
    return isinstance(table.pays.get(row), MeterShare) or row in ENTERED


@dataclass(frozen=True, slots=True)
class Hit:
    """A winning hand at one seat, as it was entered."""

    seat: int
    wager: str
    stake_cents: int
    player_cards: tuple[str, ...]
    dealer_cards: tuple[str, ...]
    # The id of a printed table, or the rows of the house's own.
    paytable: str | Mapping[str, str]

    def case(self, extra: Mapping[str, Any]) -> dict[str, Any]:
        return {
            "wager": self.wager,
            "paytable": self.paytable,
            "stake_cents": self.stake_cents,
            "player_cards": list(self.player_cards),
            "dealer_cards": list(self.dealer_cards),
            "extra": dict(extra),
        }


@dataclass(frozen=True, slots=True)
class Found:
    """What a hand that was entered is: its row, and the part of a meter that it wins, if any."""

    category: str
    # The meter's level, and per cent of it; none and 0 for an award that is fixed.
    level: str | None
    percent: int
    envy_cents: int
    pays: str


@dataclass(frozen=True, slots=True)
class AwardOwed:
    """What one hit is owed, with the working that leads to it."""

    award_cents: int
    working: str


def read_hit(
    rules: TableRules,
    *,
    seat: int,
    wager: str,
    stake_cents: int | None,
    player_cards: Sequence[str],
    dealer_cards: Sequence[str],
) -> Hit:
    """Return a hit as a terminal or tablet gives it. Raises Refused with every reason."""
    refusals = []
    if not 1 <= seat <= SEATS_AT_A_TABLE:
        refusals.append(Refusal("unknown_seat", f"Choose a seat from 1 to {SEATS_AT_A_TABLE}."))
    bet = rules.side_bets.get(wager)
    if bet is None:
        refusals.append(
            Refusal("bet_not_offered", "This table doesn’t offer that bet. Choose another.")
        )
        raise Refused(refusals)
    stakes = STAKES_CENTS.get(wager, ())
    if stake_cents is None and len(stakes) == 1:
        stake_cents = stakes[0]
    if stake_cents is None:
        refusals.append(Refusal("stake_missing", "Enter the bet at this seat."))
    if refusals or stake_cents is None:
        raise Refused(refusals)
    return Hit(seat, wager, stake_cents, tuple(player_cards), tuple(dealer_cards), bet.paytable)


def judge_hit(hit: Hit, table: PayTable, options: HouseOptions) -> Found:
    """Return what a hand is. Raises Refused when it cannot be, or is no jackpot.

    The meters do not decide which row a hand fits, so any amount serves to find it.
    """
    settled = settle(hit.case({**_no_meters(hit.wager), "options": _chosen(options)}))
    pay = table.pays.get(settled.category)
    if pay is None:
        raise refuse(
            "no_jackpot", f"This hand wins nothing on {spoken(hit.wager)}. Check the cards."
        )
    if not is_entered(table, settled.category):
        # Long odds without a meter are a big win, which has a slip of its own.
        raise refuse(
            "no_jackpot",
            f"This hand pays {pay.spoken(hit.stake_cents)}, which isn’t a jackpot. "
            "Check the payout at the table.",
        )
    return Found(
        category=settled.category,
        level=pay.meter if isinstance(pay, MeterShare) else None,
        percent=pay.percent_by_stake[hit.stake_cents] if isinstance(pay, MeterShare) else 0,
        envy_cents=table.envy_cents.get(settled.category, 0),
        pays=pay.spoken(hit.stake_cents),
    )


def can_hit(table: PayTable) -> bool:
    """Tell whether a bet has a row that is entered as a jackpot.

    >>> from pitboss.rules.paytables.paytables import PAY_TABLES
    >>> can_hit(PAY_TABLES["blazing_7s"]["A"]), can_hit(PAY_TABLES["trilux"]["TRI-01"])
    (True, False)
    """
    return any(is_entered(table, row) for row in table.pays)


def _no_meters(wager: str) -> dict[str, Any]:
    if wager == "lucky_ladies":
        return {"jackpots_cents": {"MEGA": 0, "MAJOR": 0, "MINOR": 0}}
    return {"jackpot_cents": 0} if wager in METERED else {}


def _chosen(options: HouseOptions) -> dict[str, str]:
    names = ("awards", "fractions_of_a_cent", "same_jackpot_hand", "meter_in_one_round")
    more = ("jackpot_shares", "ace_nine", "award_stake", "one_seven_v_seven", "blazing_stake")
    return {name: getattr(options, name) for name in (*names, *more)}


def in_order(seats: Sequence[int]) -> list[int]:
    """Return the places of hits in the order in which they are processed: right to left.

    >>> in_order([2, 5, 3])
    [1, 2, 0]
    """
    return sorted(range(len(seats)), key=lambda place: -seats[place])


def fixed_award(hit: Hit, options: HouseOptions) -> AwardOwed:
    """Return what a hit is owed that hangs on no meter."""
    return _award(settle(hit.case({**_no_meters(hit.wager), "options": _chosen(options)})))


def awards_of(
    hits: Sequence[Hit],
    found: Sequence[Found],
    frozen_cents: int,
    options: HouseOptions,
) -> list[AwardOwed]:
    """Return what the hits of one round on one meter are owed, in the order given.

    The same hand is shared, or paid in turn, as the house reads the manual; another jackpot hand is
    paid on the same frozen meter, or on what those to its right left of it.
    """
    awards: dict[int, AwardOwed] = {}
    taken_by: list[tuple[str, int]] = []
    order = in_order([hit.seat for hit in hits])
    for place in order:
        hit, what = hits[place], found[place]
        same = [other for other in order if found[other].category == what.category]
        extra: dict[str, Any] = {"options": _chosen(options)}
        if hit.wager == "lucky_ladies":
            extra["jackpots_cents"] = {what.level: frozen_cents}
            extra["other_winner_stakes_cents"] = [
                hits[other].stake_cents for other in same if other != place
            ]
        else:
            extra["jackpot_cents"] = frozen_cents
            extra["winners_same_hand"] = len(same)
            extra["winner_number"] = 1 + same.index(place)
            extra["taken_before_cents"] = sum(
                cents for category, cents in taken_by if category != what.category
            )
        awards[place] = _award(settle(hit.case(extra)))
        taken_by.append((what.category, awards[place].award_cents))
    return [awards[place] for place in range(len(hits))]


def _award(settled: Settlement) -> AwardOwed:
    return AwardOwed(settled.payout_cents, settled.working)


@dataclass(frozen=True, slots=True)
class Example:
    """A round with two hits, worked through as the house reads the manual today."""

    frozen_cents: int
    lines: tuple[tuple[str, int], ...]

    @property
    def excess_cents(self) -> int:
        return max(sum(cents for _, cents in self.lines) - self.frozen_cents, 0)


def worked_example(frozen_cents: int, options: HouseOptions) -> tuple[Example, Example]:
    """Return two rounds with two hits: the same hand twice, and a tenth beside the whole meter.

    >>> same, mixed = worked_example(1_000_000, HouseOptions())
    >>> [cents for _, cents in same.lines], [cents for _, cents in mixed.lines]
    ([500000, 500000], [100000, 1000000])
    >>> mixed.excess_cents
    100000
    """
    suited = (("7h", "7h"), Found("three_sevens_same_suit", "JACKPOT", 100, 0, ""))
    coloured = (("7h", "7d"), Found("three_sevens_same_colour", "JACKPOT", 10, 0, ""))
    examples = []
    for right, left in ((suited, suited), (coloured, suited)):
        hits = [
            Hit(seat, "blazing_7s", 500, cards, ("7h",), "A")
            for seat, (cards, _) in ((5, right), (2, left))
        ]
        awards = awards_of(hits, [right[1], left[1]], frozen_cents, options)
        words = [
            f"Seat {hit.seat}: {what.percent}% of {format_money(frozen_cents)}"
            for hit, (_, what) in zip(hits, (right, left), strict=True)
        ]
        paid = [award.award_cents for award in awards]
        examples.append(Example(frozen_cents, tuple(zip(words, paid, strict=True))))
    return examples[0], examples[1]
