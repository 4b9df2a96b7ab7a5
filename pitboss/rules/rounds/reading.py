"""Read a round as a terminal posts it, and write its verdict as the terminal shows it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeVar

from pitboss.rules import facts
from pitboss.rules.cards.playing_cards import Card, cards
from pitboss.rules.games.eligibility import WHOSE, Bet, Whose
from pitboss.rules.quoting import quoted
from pitboss.rules.refusal import Refusal, Refused, refuse
from pitboss.rules.rounds.seats import DealtRound, Hand, RoundVerdict, Seat
from pitboss.rules.rounds.told import (
    RoundBet,
    RoundHand,
    SeatPlayed,
    SettledRound,
    SettledTold,
    fields_of,
)
from pitboss.rules.said import whole

SEATS_MAX: Final = 500
"""A stadium has many terminals; a table has seven seats."""

_ROUND: Final = fields_of(SettledRound)
_SEAT: Final = fields_of(SeatPlayed)
_BET: Final = fields_of(RoundBet)
_HAND: Final = fields_of(RoundHand)

Read = TypeVar("Read")


def read_round(raw: object) -> DealtRound:
    """Read a round from JSON. Raises Refused with what is wrong at every seat.

    >>> round_ = read_round({"dealer_cards": ["9s", "8h"], "seats": [
    ...     {"seat": 5, "cards": ["9c", "9d"], "bets": [{"wager": "trilux", "stake_cents": 500}]}]})
    >>> round_.seats[0].bets[0].stake_cents
    500
    """
    fields = read_object(raw, "A round", _ROUND)
    given = read_list(fields.get("seats", []), "seats", most=SEATS_MAX)
    seats = []
    refusals: list[Refusal] = []
    for place, entry in enumerate(given, 1):
        try:
            seats.append(_seat(entry))
        except Refused as refused:
            refusals += [
                Refusal(reason.code, f"Seat entry {place}: {reason.message}")
                for reason in refused.refusals
            ]
    if refusals:
        raise Refused(refusals)
    return DealtRound(
        seats=tuple(seats),
        dealer=facts.hand(fields.get("dealer_cards", []), "dealer_cards"),
        # Community cards serve many hands, so there may be more of them than one hand holds.
        community=_community(fields.get("community", [])),
        meters=_amounts(fields.get("meters", {}), "meters"),
        limit_called=facts.flag(fields, "limit_called"),
        hole_card_shown=facts.flag(fields, "hole_card_shown"),
        blackjack_found_late=facts.flag(fields, "blackjack_found_late"),
        coupons_approved=facts.flag(fields, "coupons_approved"),
    )


def write_verdict(verdict: RoundVerdict) -> SettledTold:
    """Return a settled round as it is written on the wire."""
    return {
        "lines": [
            {
                "seat": line.seat,
                "wager": line.wager,
                "for": line.whose.value,
                "phase": line.phase.value,
                "staked_cents": line.stake_cents,
                **line.settlement.as_answer(),
                "pushes": list(line.settlement.pushes) or [line.settlement.pushed_cents],
            }
            for line in verdict.lines
        ],
        "flags": [
            {"seat": flag.seat, "code": flag.reason.code, "message": whole(flag.reason.message)}
            for flag in verdict.flags
        ],
        "house_cents": verdict.house_cents,
        "envy_cents": verdict.envy_cents,
    }


def _seat(raw: object) -> Seat:
    fields = read_object(raw, "A seat", _SEAT)
    number = fields.get("seat")
    if type(number) is not int or not 1 <= number <= SEATS_MAX:
        raise refuse("bad_seat", f"seat must be a number from 1 to {SEATS_MAX}.")
    player = fields.get("player", "")
    if not isinstance(player, str):
        raise refuse("bad_player", "player must be a name.")
    toke_decisions = fields.get("toke_decisions")
    first_bets = fields.get("first_bets")
    return Seat(
        number=number,
        bets=_each(fields.get("bets", []), "bets", read_bet),
        cards=facts.hand(fields.get("cards", []), "cards"),
        hands=_each(fields.get("hands", []), "hands", _hand),
        insurance_cents=facts.amount(fields.get("insurance_cents", 0), "insurance_cents"),
        takes_even_money=facts.flag(fields, "even_money"),
        surrenders=facts.flag(fields, "surrender"),
        decisions=_words(fields.get("decisions", []), "decisions"),
        toke_decisions=(
            None if toke_decisions is None else _words(toke_decisions, "toke_decisions")
        ),
        toke_insurance_cents=facts.amount(
            fields.get("toke_insurance_cents", 0), "toke_insurance_cents"
        ),
        toke_takes_even_money=facts.flag(fields, "toke_even_money"),
        player=player,
        first_bets=None if first_bets is None else _each(first_bets, "first_bets", read_bet),
    )


def read_bet(raw: object) -> Bet:
    """Read one bet from JSON. Raises Refused."""
    fields = read_object(raw, "A bet", _BET)
    wager = fields.get("wager")
    if not isinstance(wager, str):
        raise refuse("unknown_wager", f"Wager {quoted(wager)} not found.")
    return Bet(
        wager=wager,
        stake_cents=facts.amount(fields.get("stake_cents"), "stake_cents", least=1),
        whose=Whose(facts.choice(fields, "for", WHOSE) or Whose.PLAYER),
        is_coupon=facts.flag(fields, "coupon"),
        raise_cents=facts.amount(fields.get("raise_cents", 0), "raise_cents"),
        spots=_amounts(fields.get("spots", {}), "spots"),
    )


def _hand(raw: object) -> Hand:
    fields = read_object(raw, "A hand", _HAND)
    doubles = _amounts(fields.get("doubles", {}), "doubles")
    return Hand(
        cards=facts.hand(fields.get("cards", []), "cards of a hand"),
        doubles={spot: cents for spot, cents in doubles.items() if cents},
        toke_cents=facts.amount(fields.get("toke_cents", 0), "toke_cents"),
        toke_double_cents=facts.amount(fields.get("toke_double_cents", 0), "toke_double_cents"),
    )


def _community(raw: object) -> tuple[Card, ...]:
    given = read_list(raw, "community", most=SEATS_MAX)
    return cards(given)


def read_object(raw: object, what: str, known: frozenset[str]) -> Mapping[str, Any]:
    """Return an object that has no other fields. Raises Refused."""
    # The exact type is asked first: it is the common one, and asking is ten times as quick.
    if type(raw) is not dict and not isinstance(raw, Mapping):
        raise refuse("bad_round", f"{what} must be an object, not {quoted(raw)}.")
    if not raw.keys() <= known:
        unknown = next(name for name in raw if name not in known)
        raise refuse(
            "unknown_field",
            f"{what} has no field {quoted(unknown)}. Use: {', '.join(sorted(known)) or 'none'}.",
        )
    return raw


def read_list(raw: object, name: str, *, most: int) -> list[Any]:
    """Return a list that is not too long. Raises Refused."""
    if not isinstance(raw, list) or len(raw) > most:
        raise refuse("bad_round", f"{name} must be a list of at most {most}.")
    return raw


def _each(raw: object, name: str, read: Callable[[object], Read]) -> tuple[Read, ...]:
    return tuple(read(entry) for entry in read_list(raw, name, most=40))


def _words(raw: object, name: str) -> tuple[str, ...]:
    words = read_list(raw, name, most=60)
    if not all(isinstance(word, str) for word in words):
        raise refuse("bad_decision", f"{name} must be words like hit and stand.")
    return tuple(words)


def _amounts(raw: object, name: str) -> dict[str, int]:
    if type(raw) is not dict and not isinstance(raw, Mapping):
        raise refuse("bad_round", f"{name} must be an object of amounts.")
    return {str(key): facts.amount(cents, f"{name}.{str(key)[:20]}") for key, cents in raw.items()}
