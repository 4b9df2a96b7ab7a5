"""The shapes of rounds and felts on the wire: what a terminal may send of one, what it is told.

These types are the only description: reading refuses every field that they do not have, mypy holds
what is written against them, and the API's schema is made from them.
"""

from __future__ import annotations

from enum import StrEnum, unique
from typing import Annotated, Any, Literal, NotRequired, TypedDict

from pitboss.rules.games.eligibility import Whose
from pitboss.rules.rounds.seats import Phase
from pitboss.rules.wagers.settlement import SettlementTold

CardName = Annotated[str, "Rank and suit: `Qh`, `Td`, `7s`."]
CardOrRank = Annotated[str, "`9` is enough, `9c` where a bet depends on suits."]
Decided = Literal[
    "hit",
    "stand",
    "auto",
    "double",
    "split",
    "surrender",
    "insurance",
    "even_money",
    "raise",
]


@unique
class Outcome(StrEnum):
    """How a round ended."""

    SETTLED = "settled"
    PARTLY_SETTLED = "partly_settled"
    UNVERIFIED = "unverified"
    ABORTED = "aborted"


class SeatTaken(TypedDict):
    """A seat that is played, and which of its sensors are lit."""

    seat: int
    player: NotRequired[Annotated[str, "Who plays it, where one person plays several seats."]]
    lit: NotRequired[Annotated[list[str], "The wagers whose sensors are lit."]]


class SeatsTold(TypedDict):
    """The seats of a round."""

    seats: list[SeatTaken]


class RoundStart(TypedDict):
    """Which seats are lit, and whether a round that stands open is ended first."""

    seats: NotRequired[list[SeatTaken]]
    ends_open: NotRequired[bool]


# Some fields of the wire are words of Python.
RoundBet = TypedDict(
    "RoundBet",
    {
        "wager": str,
        "stake_cents": int,
        "for": NotRequired[Annotated[str, Whose, "Whose bet it is; the player’s when left out."]],
        "coupon": NotRequired[bool],
        "raise_cents": NotRequired[int],
        "spots": NotRequired[Annotated[dict[str, int], "Cents on each further spot: `2x`, `3x`."]],
    },
)
RoundBet.__doc__ = "One bet of a seat."


class WagersTold(TypedDict):
    """All bets of a seat, in place of what was told of it before."""

    seat: int
    bets: list[RoundBet]


class CardTold(TypedDict):
    """A card as it falls."""

    to: NotRequired[Annotated[Literal["seat", "dealer", "community"], "`seat` when left out."]]
    seat: NotRequired[int]
    hand: NotRequired[Annotated[int, "Which hand of a split, from 1."]]
    card: CardName


class CardsTold(TypedDict):
    """Cards in the order in which they fell."""

    cards: list[CardTold]


DecisionTold = TypedDict(
    "DecisionTold",
    {
        "seat": int,
        "hand": NotRequired[Annotated[int, "Which hand of a split, from 1."]],
        "decision": Decided,
        "amount_cents": NotRequired[Annotated[int, "What it adds: a double, a raise, insurance."]],
        "spot": NotRequired[Annotated[str, "Which spot of Bet Bigger; `main` when left out."]],
        "for": NotRequired[Annotated[str, Whose, "`dealer` for a decision on the dealer’s bet."]],
    },
)
DecisionTold.__doc__ = "What a player decided."

RoundPayout = TypedDict(
    "RoundPayout",
    {
        "seat": int,
        "wager": str,
        "for": NotRequired[Annotated[str, Whose]],
        "hand": NotRequired[Annotated[int, "One hand of a split; left out, all of them."]],
        "paid_cents": int,
    },
)
RoundPayout.__doc__ = "What was paid on one bet, without its stake."


class PayoutsTold(TypedDict):
    """What was paid."""

    payouts: list[RoundPayout]


class RoundHand(TypedDict):
    """One hand as it was played."""

    cards: list[CardName]
    doubles: NotRequired[Annotated[dict[str, int], "Cents doubled, by spot; `main` is the bet."]]
    toke_cents: NotRequired[int]
    toke_double_cents: NotRequired[int]


class SeatPlayed(TypedDict):
    """A seat of a round that is over."""

    seat: int
    player: NotRequired[str]
    bets: NotRequired[list[RoundBet]]
    cards: NotRequired[Annotated[list[CardName], "The two first dealt."]]
    hands: NotRequired[Annotated[list[RoundHand], "How they were played; none when stood on."]]
    insurance_cents: NotRequired[int]
    even_money: NotRequired[bool]
    surrender: NotRequired[bool]
    decisions: NotRequired[Annotated[list[str], "Of a stadium seat, in order."]]
    toke_decisions: NotRequired[list[str]]
    toke_insurance_cents: NotRequired[int]
    toke_even_money: NotRequired[bool]
    first_bets: NotRequired[Annotated[list[RoundBet], "The first of the shoe, under a flat bet."]]


class Irregularities(TypedDict):
    """What went wrong in a round, where something did."""

    limit_called: NotRequired[bool]
    hole_card_shown: NotRequired[bool]
    blackjack_found_late: NotRequired[bool]
    coupons_approved: NotRequired[bool]


class CardReplaced(TypedDict):
    """The right card in place of a wrong one."""

    part: Annotated[int, "The `number` of the part that sent it."]
    place: Annotated[int, "Which card of that part, from 1."]
    card: CardName


class RoundEnd(Irregularities):
    """What went wrong in the round, where something did."""

    unverified: NotRequired[Annotated[bool, "End it although a hand can’t have been played so."]]


class RoundSent(Irregularities):
    """A round that is over: seats with bets, cards and hands, the dealer's cards, payouts."""

    seats: list[SeatPlayed]
    dealer_cards: NotRequired[list[CardName]]
    community: NotRequired[list[CardName]]
    payouts: NotRequired[list[RoundPayout]]


class WholeRound(RoundSent):
    """A round that is over: seats with bets, cards and hands, the dealer's cards, payouts."""

    unverified: NotRequired[Annotated[bool, "Take it although a hand can’t have been played so."]]


class SettledRound(Irregularities):
    """A round as it is settled."""

    seats: list[SeatPlayed]
    dealer_cards: list[CardName]
    community: list[CardName]
    meters: dict[str, int]


class SeatTold(SeatPlayed):
    """A seat as it was told."""

    lit: NotRequired[list[str]]


class RoundLog(Irregularities):
    """What counts of a round: seats with bets, cards, hands and decisions, and payouts."""

    seats: list[SeatTold]
    dealer_cards: list[CardName]
    community: list[CardName]
    payouts: list[RoundPayout]


class _PartHead(TypedDict):
    """One part as it was sent. What was undone or replaced stays, with `struck_at`."""

    number: int
    at: str
    struck_at: NotRequired[str]
    struck_by: NotRequired[str]
    replaced_by: NotRequired[Annotated[int, "The part that stands for it."]]
    instead_of: NotRequired[Annotated[int, "The part that it stands for."]]


class SeatsPart(_PartHead):
    """Seats as they were sent."""

    part: Literal["seats"]
    told: SeatsTold


class WagersPart(_PartHead):
    """Bets of one seat as they were sent."""

    part: Literal["wagers"]
    told: WagersTold


class CardsPart(_PartHead):
    """Cards as they were sent."""

    part: Literal["cards"]
    told: CardsTold


class DecisionsPart(_PartHead):
    """A decision as it was sent."""

    part: Literal["decisions"]
    told: DecisionTold


class PayoutsPart(_PartHead):
    """Payouts as they were sent."""

    part: Literal["payouts"]
    told: PayoutsTold


class WholePart(_PartHead):
    """A round that was sent whole."""

    part: Literal["whole"]
    told: WholeRound


class EarlierPart(_PartHead):
    """What a round was told before its parts were kept one by one."""

    part: Literal["earlier"]
    told: RoundLog


# What the shapes are called together, and the field that tells them apart.
RoundPart = Annotated[
    SeatsPart | WagersPart | CardsPart | DecisionsPart | PayoutsPart | WholePart | EarlierPart,
    ("RoundPart", "part"),
]


_LineHead = TypedDict(
    "_LineHead",
    {
        "seat": int,
        "wager": str,
        "for": Annotated[str, Whose],
        "phase": Annotated[str, Phase],
        "staked_cents": int,
    },
)


class SettledLine(_LineHead, SettlementTold):
    """One bet as it was settled."""

    pushes: NotRequired[Annotated[list[int], "Cents that go out to each hand."]]


class SeatRemark(TypedDict):
    """Something to look at, at one seat or in the whole round."""

    seat: int | None
    code: str
    message: str


PaidDifference = TypedDict(
    "PaidDifference",
    {
        "seat": int,
        "wager": str,
        "for": Annotated[str, Whose],
        "hand": NotRequired[int],
        "paid_cents": int,
        "payable_cents": int,
        "difference_cents": Annotated[int, "Above zero is too much, below zero too little."],
    },
)
PaidDifference.__doc__ = "A bet that was paid another amount than it was settled for."


class SettledTold(TypedDict):
    """A settled round on the wire."""

    lines: list[SettledLine]
    flags: list[SeatRemark]
    house_cents: int
    envy_cents: int


class RoundVerdictTold(SettledTold):
    """How a round ended: its bets in the order of paying, and what was paid differently."""

    outcome: Annotated[str, Outcome]
    unverified: Annotated[list[SeatRemark], "Seats that could not be judged, with the reason."]
    differences: NotRequired[list[PaidDifference]]
    reason: NotRequired[Annotated[str, "Why it was aborted."]]
    stakes_returned: NotRequired[bool]
    by: NotRequired[Annotated[str, "Who aborted it; empty for the dealer."]]


class RoundAnswer(TypedDict):
    """A round as it stands: what was told, and once it has ended, how it was settled."""

    round: int
    started_at: str
    ended_at: str | None
    outcome: Annotated[
        str | None,
        Outcome,
        "How it ended. `unverified` isn’t a mismatch: too little was sent to judge it.",
    ]
    log: RoundLog
    parts: list[RoundPart]
    verdict: RoundVerdictTold | None


class FeltBet(TypedDict):
    """A bet on the felt, by its stake or by the cheques on the spot."""

    wager: str
    stake_cents: NotRequired[int]
    bet: NotRequired[Annotated[dict[str, int], "Cheques by denomination in cents."]]
    suited: NotRequired[Annotated[bool, "Whether the cards of the bet are of one suit."]]
    spots: NotRequired[list[str]]
    raise_times: NotRequired[int]


class FeltHand(TypedDict):
    """A hand on the felt."""

    cards: list[CardOrRank]
    doubled: NotRequired[bool]
    double_cents: NotRequired[Annotated[int, "Where it was doubled for less."]]


class FeltSeatTold(TypedDict):
    """A seat on the felt."""

    seat: int
    bets: NotRequired[list[FeltBet]]
    hands: NotRequired[list[FeltHand]]
    dealt: NotRequired[Annotated[list[CardOrRank], "After a split: the two cards first dealt."]]
    surrender: NotRequired[bool]
    even_money: NotRequired[bool]


class FeltTold(TypedDict):
    """What lies on the felt: the dealer's cards, and each seat's bets and hands."""

    dealer: NotRequired[Annotated[list[CardOrRank], "The up card first."]]
    seats: NotRequired[list[FeltSeatTold]]


class FeltPayout(TypedDict):
    """What was paid on one bet of the felt."""

    seat: int
    wager: str
    hand: NotRequired[Annotated[int | None, "Of a split."]]
    paid_cents: int


class FeltPaidTold(FeltTold):
    """The felt once more, and what was paid on it. Leave out what has a check of its own."""

    paid: list[FeltPayout]
    already_paid: NotRequired[Annotated[bool, "It went out without approval: stored, flagged."]]
    unchecked: NotRequired[Annotated[bool, "End it although bets are unchecked that must not be."]]
    keyed_at: NotRequired[Annotated[str, "When it was entered, where the line was down since."]]


def fields_of(shape: Any) -> frozenset[str]:
    """Return the names of the fields of a shape.

    >>> sorted(fields_of(FeltHand))
    ['cards', 'double_cents', 'doubled']
    """
    return frozenset(shape.__annotations__)
