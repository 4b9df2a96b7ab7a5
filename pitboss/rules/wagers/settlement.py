"""What a settled wager answers: the amount, and the working that leads to it."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated, Any, Final, NamedTuple, NotRequired, TypedDict, cast

NO_DETAIL: Final[Mapping[str, Any]] = MappingProxyType({})


class HandSettled(TypedDict):
    """One hand of a bet that is settled hand by hand."""

    cards: NotRequired[list[str]]
    outcome: str
    wager_cents: int
    payout_cents: Annotated[int, "Beyond the stake; below zero for a hand that is lost."]


class SettlementDetail(TypedDict):
    """What a split comes to hand by hand, and how a stadium seat played out."""

    per_hand: NotRequired[list[HandSettled]]
    player_hands: NotRequired[Annotated[list[list[str]], "The cards of each hand of the seat."]]
    dealer_hand: NotRequired[list[str]]
    insurance_payout_cents: NotRequired[int]


class SettlementTold(TypedDict):
    """A settled wager on the wire; empty parts are left out."""

    category: str
    payout_cents: Annotated[int, "Beyond the stake; below zero for a bet that is lost."]
    stake_returned: Annotated[bool | None, "Null where only a part of it goes back."]
    rule: str
    working: Annotated[str, "The sentence to read out."]
    readings: NotRequired[list[str]]
    net_cents: NotRequired[int]
    envy_cents: NotRequired[int]
    detail: NotRequired[SettlementDetail]


class Settlement(NamedTuple):
    """A verdict on one wager.

    `payout_cents` is what is paid beyond the returned stake, minus the stake when it is lost and
    0 on a push. `stake_returned` is None where one word cannot say it (split hands, insured bets,
    half a bet surrendered). `rule` is a stable id from the rule book, `working` a sentence to read
    out, and `readings` name the unclear passages whose reading decided this verdict. For a bet
    collected before the deal `net_cents` is the award less that stake; `envy_cents` is what the
    house adds to the dealers' tokes.

    `pushes` is what goes out to each hand, and last to an insurance bet, where several are settled
    together: cheques are pushed to a hand that won, whatever another one lost.

    A named tuple, because one is made for every bet and a frozen dataclass takes four times as
    long to make.
    """

    category: str
    payout_cents: int
    stake_returned: bool | None
    rule: str
    working: str
    readings: tuple[str, ...] = ()
    detail: Mapping[str, Any] = NO_DETAIL
    net_cents: int | None = None
    envy_cents: int | None = None
    pushes: tuple[int, ...] = ()

    @property
    def pushed_cents(self) -> int:
        """What goes out to all hands and bets of the wager, beyond their stakes."""
        return sum(self.pushes) if self.pushes else max(self.payout_cents, 0)

    def as_answer(self) -> SettlementTold:
        """Return the answer as it is written on the wire; empty parts are left out."""
        answer: SettlementTold = {
            "category": self.category,
            "payout_cents": self.payout_cents,
            "stake_returned": self.stake_returned,
            "rule": self.rule,
            "working": self.working,
        }
        if self.readings:
            answer["readings"] = list(self.readings)
        if self.net_cents is not None:
            answer["net_cents"] = self.net_cents
        if self.envy_cents is not None:
            answer["envy_cents"] = self.envy_cents
        if self.detail:
            answer["detail"] = cast("SettlementDetail", dict(self.detail))
        return answer
