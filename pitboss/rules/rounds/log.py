"""A round told while it is dealt: seats, wagers, cards, decisions, payouts, each in its order.

The log has the shape that `read_round` reads, so that a round told bit by bit is settled like one
posted whole. Each part is taken or refused with its reasons; what is taken is a new log.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from copy import deepcopy
from dataclasses import dataclass
from enum import StrEnum, unique
from typing import Any, Final, get_args

from pitboss.rules import facts
from pitboss.rules.cards.playing_cards import card, cards
from pitboss.rules.games.decisions import Decision, Situation, decision_refusals
from pitboss.rules.games.eligibility import WHOSE, Bet, Whose, judge_wagers
from pitboss.rules.games.games import TableRules, spoken
from pitboss.rules.quoting import quoted
from pitboss.rules.refusal import CONFLICT, Refused, refuse
from pitboss.rules.rounds.play import MAIN
from pitboss.rules.rounds.reading import SEATS_MAX, read_bet, read_list, read_object
from pitboss.rules.rounds.told import (
    CardsTold,
    CardTold,
    Decided,
    DecisionTold,
    Irregularities,
    PayoutsTold,
    RoundPayout,
    SeatsTold,
    SeatTaken,
    WagersTold,
    fields_of,
)
from pitboss.rules.rounds.wagers import METERED
from pitboss.rules.said import Said

Log = dict[str, Any]

DEALER: Final = "dealer"
COMMUNITY: Final = "community"
PLAIN_DECISIONS: Final = ("hit", "stand", "auto")
DECISIONS: Final = get_args(Decided)
_IRREGULARITIES: Final = fields_of(Irregularities)
STADIUM: Final = "stadium_blackjack"
INSURANCE_BET: Final = ("insurance", Whose.PLAYER.value)
_PAYOUT: Final = fields_of(RoundPayout)


@unique
class RoundPart(StrEnum):
    """What may be told of a round while it is open."""

    SEATS = "seats"
    WAGERS = "wagers"
    CARDS = "cards"
    DECISIONS = "decisions"
    PAYOUTS = "payouts"


def new_log() -> Log:
    """Return a round of which nothing is told yet."""
    return {"seats": [], "dealer_cards": [], "community": [], "payouts": []}


def add_part(table: TableRules, log: Log, part: RoundPart, told: object) -> Log:
    """Return the log with one part more. Raises Refused with every reason; nothing is then added.

    >>> from pitboss.rules.games.games import table_rules
    >>> from pitboss.rules.games.printed import GAMES
    >>> table = table_rules(GAMES["classic"], minimum_cents=500, maximum_cents=100_000)
    >>> log = add_part(table, new_log(), RoundPart.SEATS, {"seats": [{"seat": 5}]})
    >>> add_part(table, log, RoundPart.CARDS, {"cards": [{"to": "dealer", "card": "9s"}]})
    Traceback (most recent call last):
    pitboss.rules.refusal.Refused: No bets on the table. Enter the bets before the cards.
    """
    return _ADDS[part](table, deepcopy(log), told)


def has_bets(log: Log) -> bool:
    """Tell whether any wager was told, or a sensor lit."""
    return any(seat["bets"] or seat.get("lit") for seat in log["seats"])


def side_wagers(log: Log) -> dict[str, int]:
    """Return how many wagers of each bet the players have made, by their sensors or by the dealer.

    >>> side_wagers({"seats": [{"lit": ["blazing_7s"], "bets": []},
    ...                        {"bets": [{"wager": "trilux"}, {"wager": "trilux",
    ...                                                        "for": "dealer"}]}]})
    {'blazing_7s': 1, 'trilux': 1}
    """
    made: Counter[str] = Counter()
    for seat in log["seats"]:
        own = [
            bet["wager"]
            for bet in seat["bets"]
            if bet.get("for", Whose.PLAYER.value) == Whose.PLAYER.value
        ]
        made.update([*own, *(wager for wager in seat.get("lit", ()) if wager not in own)])
    return dict(made)


def with_irregularities(log: Log, told: object) -> Log:
    """Return the log with what the dealer says of a round when it ends. Raises Refused."""
    fields = read_object(told, "The end of a round", _IRREGULARITIES)
    return {**log, **{name: facts.flag(fields, name) for name in fields}}


def as_round(log: Log) -> dict[str, Any]:
    """Return the round as `read_round` takes it: seats that bet, and hands as they were played."""
    seats = []
    for seat in log["seats"]:
        if seat["bets"]:
            told = {name: value for name, value in seat.items() if name != "lit"}
            # Side bets read the first two cards; a hand that was only stood on needs no more.
            if len(told["hands"]) == 1 and not _was_played(told["hands"][0]):
                told.pop("hands")
            seats.append({name: value for name, value in told.items() if value != []})
    return {
        **{name: value for name, value in log.items() if name != "payouts"},
        "seats": seats,
    }


def _was_played(hand: Mapping[str, Any]) -> bool:
    return len(hand["cards"]) > 2 or len(hand) > 1


def has_fallen(log: Log) -> bool:
    """Tell whether a card was dealt: from then on the wagers stand."""
    return bool(log["dealer_cards"] or any(seat["cards"] for seat in log["seats"]))


def _too_late(message: str) -> Refused:
    return refuse("cards_have_fallen", message, CONFLICT)


def _seats(table: TableRules, log: Log, told: object) -> Log:
    fields = read_object(told, "The seats", fields_of(SeatsTold))
    if has_fallen(log):
        raise _too_late("Cards are out. Enter seats before the first card.")
    taken = {seat["seat"] for seat in log["seats"]}
    for entry in read_list(fields.get("seats"), "seats", most=SEATS_MAX):
        seat = read_object(entry, "A seat", fields_of(SeatTaken))
        number, player = _number(seat.get("seat")), seat.get("player", "")
        lit = _lit(table, seat.get("lit", []))
        if not isinstance(player, str) or len(player) > 40:
            raise refuse("bad_player", "player must be a name of 40 characters or fewer.")
        if number in taken:
            raise refuse(
                "seat_twice",
                Said("Seat {number} is already taken. Enter each seat once.", number=number),
            )
        taken.add(number)
        log["seats"].append(
            {"seat": number, "player": player, "bets": [], "cards": [], "hands": [],
             "decisions": [], **({"lit": lit} if lit else {})}
        )  # fmt: skip
    return log


def _lit(table: TableRules, raw: object) -> list[str]:
    """Return the bets whose sensors are lit at a seat. Raises Refused."""
    lit = read_list(raw, "lit", most=len(METERED))
    for wager in lit:
        if wager not in METERED or wager not in table.side_bets:
            raise refuse(
                "no_sensor_bet", Said("{wager} has no sensor at this table.", wager=quoted(wager))
            )
    return list(dict.fromkeys(lit))


def _wagers(table: TableRules, log: Log, told: object) -> Log:
    """Take all bets of a seat, in place of what was told of it before."""
    fields = read_object(told, "The wagers", fields_of(WagersTold))
    if has_fallen(log):
        raise _too_late("Cards are out. Enter wagers before the first card.")
    seat = _seat(log, fields.get("seat"))
    given = read_list(fields.get("bets"), "bets", most=40)
    bets = [read_bet(entry) for entry in given]
    played = Counter(item["player"] or str(item["seat"]) for item in log["seats"])
    hands = played[seat["player"] or str(seat["seat"])]
    verdict = judge_wagers(table.at_seat(seat["seat"]), bets, hands=hands)
    if verdict.refusals:
        raise Refused(verdict.refusals)
    seat["bets"] = given
    return log


def _cards(table: TableRules, log: Log, told: object) -> Log:
    fields = read_object(told, "The cards", fields_of(CardsTold))
    if not has_bets(log):
        raise refuse(
            "no_wagers", "No bets on the table. Enter the bets before the cards.", CONFLICT
        )
    for entry in read_list(fields.get("cards"), "cards", most=facts.HAND_CARDS_MAX):
        fallen = read_object(entry, "A card", fields_of(CardTold))
        name = card(fallen.get("card")).name
        where = facts.choice(fallen, "to", (DEALER, COMMUNITY, "seat")) or "seat"
        if where == DEALER:
            _room(log["dealer_cards"]).append(name)
        elif where == COMMUNITY:
            _room(log["community"], most=SEATS_MAX).append(name)
        else:
            seat = _seat(log, fallen.get("seat"))
            if not seat["bets"]:
                message = Said(
                    "No bet at seat {seat}, so it gets no card. Check the seat.", seat=seat["seat"]
                )
                raise refuse("seat_without_bets", message)
            if not seat["hands"]:
                seat["hands"] = [{"cards": []}]
            _room(_hand(seat, fallen.get("hand", 1))["cards"]).append(name)
            if len(seat["hands"]) == 1 and len(seat["cards"]) < 2:
                seat["cards"].append(name)
    return log


def _room(held: list[str], most: int = facts.HAND_CARDS_MAX) -> list[str]:
    if len(held) >= most:
        raise refuse("too_many_cards", "More cards than any hand can have. Check the seat.")
    return held


def _decisions(table: TableRules, log: Log, told: object) -> Log:
    fields = read_object(told, "A decision", fields_of(DecisionTold))
    seat = _seat(log, fields.get("seat"))
    word = facts.choice(fields, "decision", DECISIONS)
    if word is None:
        raise refuse("bad_decision", f"decision must be one of {', '.join(DECISIONS)}.")
    if len(seat["cards"]) < 2 or not log["dealer_cards"]:
        raise refuse(
            "not_dealt",
            "Decisions come after two cards and the dealer's up card. Enter those first.",
            CONFLICT,
        )
    hand = _hand(seat, fields.get("hand", 1))
    amount_cents = facts.amount(fields.get("amount_cents", 0), "amount_cents")
    if table.game.main_wager == STADIUM:
        return _stadium_decision(seat, word, amount_cents, log)
    if word in PLAIN_DECISIONS:
        return log
    decision = Decision(word)
    is_toke = facts.choice(fields, "for", WHOSE) == Whose.DEALER
    main = _bet_of(seat, table.game.main_wager)
    situation = Situation(
        cards(hand["cards"]),
        main.stake_cents if main else 0,
        card(log["dealer_cards"][0]),
        added_cents=amount_cents,
        hands=len(seat["hands"]),
    )
    if not is_toke and decision is not Decision.RAISE:
        refusals = decision_refusals(table, decision, situation)
        if refusals:
            raise Refused(refusals)
    _APPLY[decision](_Decided(seat, hand, amount_cents, fields.get("spot", MAIN), is_toke))
    return log


def _stadium_decision(seat: dict[str, Any], word: str, amount_cents: int, log: Log) -> Log:
    if word == Decision.INSURANCE:
        seat["insurance_cents"] = amount_cents
    else:
        seat["decisions"].append(word)
    return log


@dataclass(frozen=True, slots=True)
class _Decided:
    """A decision that was allowed: whose, on which hand, for how much, at which spot."""

    seat: dict[str, Any]
    hand: dict[str, Any]
    amount_cents: int
    spot: object
    is_toke: bool


def _double(decided: _Decided) -> None:
    if decided.is_toke:
        decided.hand["toke_double_cents"] = decided.amount_cents
        return
    if not isinstance(decided.spot, str):
        raise refuse("unknown_spot", f"Spot {quoted(decided.spot)} not found.")
    decided.hand.setdefault("doubles", {})[decided.spot] = decided.amount_cents


def _split(decided: _Decided) -> None:
    if decided.is_toke:
        # The first hand keeps the dealer bet; this is what was put on a further one.
        decided.hand["toke_cents"] = decided.amount_cents
        return
    hands = decided.seat["hands"]
    place = next(at for at, hand in enumerate(hands) if hand is decided.hand)
    first, second = decided.hand["cards"]
    hands[place : place + 1] = [{"cards": [first]}, {"cards": [second]}]


def _surrender(decided: _Decided) -> None:
    if decided.is_toke:
        raise refuse(
            "bad_decision",
            "A dealer bet goes with the hand: it is not surrendered. Surrender the player's bet.",
        )
    decided.seat["surrender"] = True


def _insurance(decided: _Decided) -> None:
    name = "toke_insurance_cents" if decided.is_toke else "insurance_cents"
    decided.seat[name] = decided.amount_cents


def _even_money(decided: _Decided) -> None:
    decided.seat["toke_even_money" if decided.is_toke else "even_money"] = True


def _raise(decided: _Decided) -> None:
    roof = ("raise_the_roof", Whose.DEALER if decided.is_toke else Whose.PLAYER)
    for bet in decided.seat["bets"]:
        if (bet["wager"], bet.get("for", Whose.PLAYER)) == roof:
            bet["raise_cents"] = decided.amount_cents
            return
    raise refuse(
        "no_such_bet",
        Said(
            "{wager} was not bet at this seat. Check the seat.",
            wager=Said(spoken("raise_the_roof")),
        ),
    )


_APPLY: Final[Mapping[Decision, Callable[[_Decided], None]]] = {
    Decision.DOUBLE: _double,
    Decision.SPLIT: _split,
    Decision.SURRENDER: _surrender,
    Decision.INSURANCE: _insurance,
    Decision.EVEN_MONEY: _even_money,
    Decision.RAISE: _raise,
}


def with_payouts(table: TableRules, log: Log, told: object) -> Log:
    """Return the log with what was paid; of the old one nothing is changed. Raises Refused."""
    log = {**log, "payouts": [*log["payouts"]]}
    fields = read_object(told, "The payouts", fields_of(PayoutsTold))
    for entry in read_list(fields.get("payouts"), "payouts", most=SEATS_MAX):
        paid = read_object(entry, "A payout", _PAYOUT)
        seat = _seat(log, paid.get("seat"))
        whose = facts.choice(paid, "for", WHOSE) or Whose.PLAYER.value
        wager = paid.get("wager")
        if len(seat["cards"]) < 2 or not log["dealer_cards"]:
            raise refuse(
                "not_dealt",
                "Payouts come after two cards and the dealer's up card. Enter those first.",
                CONFLICT,
            )
        if not isinstance(wager, str) or (wager, whose) not in _bets_paid(seat):
            raise refuse(
                "no_such_bet",
                Said(
                    "{wager} was not bet at seat {seat}. Check the seat.",
                    wager=quoted(wager),
                    seat=seat["seat"],
                ),
            )
        one = {"seat": seat["seat"], "wager": wager, "for": whose}
        if "hand" in paid:
            if wager != table.game.main_wager:
                raise refuse(
                    "no_such_hand",
                    Said(
                        "{wager} is not paid by the hand. Pay it once for the seat.",
                        wager=Said(spoken(str(wager))),
                    ),
                )
            _hand(seat, paid["hand"])
            one["hand"] = paid["hand"]
        if any(_is_same_push(one, other) for other in log["payouts"]):
            raise refuse(
                "paid_twice",
                Said(
                    "{wager} at seat {seat} is already paid. Do not pay it again.",
                    wager=Said(spoken(str(wager))),
                    seat=seat["seat"],
                ),
                CONFLICT,
            )
        paid_cents = facts.amount(paid.get("paid_cents"), "paid_cents")
        log["payouts"].append({**one, "paid_cents": paid_cents})
    return log


def _bets_paid(seat: Mapping[str, Any]) -> set[tuple[str, str]]:
    """Return what may be paid at a seat: its bets, and the insurance beside them."""
    bets = {(bet["wager"], bet.get("for", Whose.PLAYER.value)) for bet in seat["bets"]}
    return bets | ({INSURANCE_BET} if seat.get("insurance_cents") else set())


def _is_same_push(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Tell whether two payouts are of one hand; told without a hand, one is of all of them."""
    if any(one[name] != other[name] for name in ("seat", "wager", "for")):
        return False
    return None in (one.get("hand"), other.get("hand")) or one["hand"] == other["hand"]


_ADDS: Final[Mapping[RoundPart, Callable[[TableRules, Log, object], Log]]] = {
    RoundPart.SEATS: _seats,
    RoundPart.WAGERS: _wagers,
    RoundPart.CARDS: _cards,
    RoundPart.DECISIONS: _decisions,
    RoundPart.PAYOUTS: with_payouts,
}


def _number(value: object) -> int:
    if type(value) is not int or not 1 <= value <= SEATS_MAX:
        raise refuse("bad_seat", f"seat must be a number from 1 to {SEATS_MAX}.")
    return value


def _seat(log: Log, value: object) -> dict[str, Any]:
    number = _number(value)
    for seat in log["seats"]:
        if seat["seat"] == number:
            found: dict[str, Any] = seat
            return found
    raise refuse(
        "seat_empty", Said("No player at seat {number}. Enter the seats first.", number=number)
    )


def _hand(seat: dict[str, Any], value: object) -> dict[str, Any]:
    hands = seat["hands"]
    if type(value) is not int or not 1 <= value <= len(hands):
        raise refuse(
            "no_such_hand",
            Said(
                "Seat {seat} has {hands} hands. Choose one of them.",
                seat=seat["seat"],
                hands=len(hands),
            ),
        )
    found: dict[str, Any] = hands[value - 1]
    return found


def _bet_of(seat: Mapping[str, Any], wager: str) -> Bet | None:
    bets = [read_bet(entry) for entry in seat["bets"]]
    return next((b for b in bets if b.wager == wager and b.whose is Whose.PLAYER), None)
