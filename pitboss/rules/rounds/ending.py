"""How a round ends: settled, partly settled, unverified or aborted. It never waits for cards.

What was not told cannot be judged, and that is no fault: those seats are unverified, with a reason.
A hand that cannot have been played so is put right, or accepted as unverified by who ends it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum, unique
from typing import Final

from pitboss.rules.games.games import TableRules
from pitboss.rules.refusal import CONFLICT, Refusal, Refused, refuse
from pitboss.rules.rounds.log import Log
from pitboss.rules.rounds.reading import write_verdict
from pitboss.rules.rounds.round import settle_round
from pitboss.rules.rounds.seats import DealtRound, RoundVerdict, Seat, SeatFlag
from pitboss.rules.rounds.told import Outcome, RoundVerdictTold
from pitboss.rules.said import Said, whole

_NOTHING: Final = RoundVerdict((), ())
# Told too little, which is no fault of the hand.
_UNTOLD: Final = frozenset({"dealer_not_finished"})


@unique
class Abort(StrEnum):
    """Why a round does not count."""

    MISDEAL = "misdeal"
    CARD_EXPOSED = "card_exposed"
    WRONG_ENTRY = "wrong_entry"
    EQUIPMENT = "equipment"
    EVACUATION = "evacuation"
    TABLE_CLOSED = "table_closed"

    @property
    def words(self) -> str:
        return self.value.replace("_", " ").capitalize()


@dataclass(frozen=True, slots=True)
class RoundEnding:
    """What could be judged of a round, and which seats could not, with the reasons."""

    verdict: RoundVerdict = _NOTHING
    unverified: tuple[SeatFlag, ...] = ()

    @property
    def outcome(self) -> Outcome:
        if not self.unverified:
            return Outcome.SETTLED
        return Outcome.PARTLY_SETTLED if self.verdict.lines else Outcome.UNVERIFIED

    def as_answer(self) -> RoundVerdictTold:
        """Return the ending as it is written on the wire."""
        settled = write_verdict(self.verdict)
        return {
            "outcome": self.outcome.value,
            "lines": settled["lines"],
            "flags": settled["flags"],
            "house_cents": settled["house_cents"],
            "envy_cents": settled["envy_cents"],
            "unverified": [
                {"seat": flag.seat, "code": flag.reason.code, "message": whole(flag.reason.message)}
                for flag in self.unverified
            ],
        }


def settle_told(table: TableRules, round_: DealtRound, *, is_accepted: bool = False) -> RoundEnding:
    """Settle the seats that were told completely; the others are unverified.

    Raises Refused for a hand that cannot have been played so, unless it is accepted as unverified.

    >>> from pitboss.rules.cards.playing_cards import cards
    >>> from pitboss.rules.games.eligibility import Bet
    >>> from pitboss.rules.games.games import table_rules
    >>> from pitboss.rules.games.printed import GAMES
    >>> table = table_rules(GAMES["classic"], minimum_cents=500, maximum_cents=100_000)
    >>> seats = (Seat(5, (Bet("blackjack", 5_000),), cards(["9c", "9d"])),
    ...          Seat(6, (Bet("blackjack", 5_000),), ()))
    >>> ending = settle_told(table, DealtRound(seats, cards(["9s", "8h"])))
    >>> ending.outcome.value, [flag.seat for flag in ending.unverified]
    ('partly_settled', [6])
    """
    untold = [flag for seat in round_.seats if (flag := _untold(seat)) is not None]
    numbers = {flag.seat for flag in untold}
    seats = tuple(seat for seat in round_.seats if seat.number not in numbers)
    if not seats:
        return RoundEnding(unverified=tuple(untold) or (_NOTHING_TOLD,))
    try:
        verdict = settle_round(table, replace(round_, seats=seats), is_whole=not untold)
    except Refused as refused:
        if not is_accepted and not all(_is_untold(refusal.code) for refusal in refused.refusals):
            raise
        flags = (SeatFlag(None, reason) for reason in refused.refusals)
        return RoundEnding(unverified=(*untold, *flags))
    return RoundEnding(verdict, tuple(untold))


_NOTHING_TOLD: Final = SeatFlag(
    None, Refusal("nothing_told", "No bets or cards were entered for this round. Enter them first.")
)


def sensed_only(log: Log) -> tuple[SeatFlag, ...]:
    """Return the seats of which no more is known than that a sensor was lit."""
    return tuple(
        SeatFlag(
            seat["seat"],
            Refusal(
                "bets_not_told",
                Said(
                    "Seat {seat}: only its sensor bet was entered. Enter its other bets.",
                    seat=seat["seat"],
                ),
            ),
        )
        for seat in log["seats"]
        if seat.get("lit") and not seat["bets"]
    )


def read_abort(reason: object, *, was_dealt: bool, is_supervisor: bool) -> Abort:
    """Return why a round is aborted. Raises Refused where that is not said, or not the dealer's."""
    if not isinstance(reason, str) or reason not in tuple(Abort):
        raise refuse("bad_reason", f"reason must be one of {', '.join(Abort)}.")
    if was_dealt and not is_supervisor:
        raise refuse(
            "abort_needs_supervisor",
            "Cards are out. Ask the supervisor to abort this round.",
            CONFLICT,
        )
    return Abort(reason)


def _untold(seat: Seat) -> SeatFlag | None:
    """Return that a seat's cards were not all told; none where they were."""
    if len(seat.cards) >= 2 and all(len(hand.cards) >= 2 for hand in seat.hands):
        return None
    message = Said("Seat {number}: not all cards were entered. Enter them all.", number=seat.number)
    return SeatFlag(seat.number, Refusal("cards_not_told", message))


def _is_untold(code: str) -> bool:
    return code in _UNTOLD or code.startswith("missing_")
