"""What a supervisor ordered at a table, and how a payout check follows it.

A ruling on an irregular hand holds for that hand, a flat-bet order for the shoe. A terminal cannot
leave one out: the check reads what stands at its table, names it, and says which facts it changed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum, unique
from typing import Any, Final

from pitboss.rules.cards.playing_cards import Card, cards, hand_total, is_blackjack, total_words
from pitboss.rules.floor.irregularities import SEATS_AT_A_TABLE, Effect, Ruling, ruling_of
from pitboss.rules.games.dealer import STAND
from pitboss.rules.games.eligibility import Bet, Whose, layout
from pitboss.rules.games.games import Game, spoken
from pitboss.rules.payouts.claims import Claim
from pitboss.rules.refusal import Refusal, Refused
from pitboss.rules.rounds.reading import read_bet
from pitboss.rules.rounds.seats import Phase
from pitboss.rules.rounds.told import SettledLine
from pitboss.rules.said import Said, joined
from pitboss.rules.wagers.settlement import Settlement

RETURNED: Final = "returned"
# Bets on the hand itself; side bets go by the first cards, which no ruling changes.
_BY_THE_HAND: Final = frozenset({"blackjack", "free_bet_coupon"})
_BY_DEALERS_HAND: Final = _BY_THE_HAND | {"bet_bigger", "raise_the_roof", "insurance"}
# Not placed before the deal, and so no bets of a first hand.
_LATER: Final = frozenset({"insurance"})


@unique
class OrderKind(StrEnum):
    """What can stand at a table until its end."""

    RULING = "ruling"
    FLAT_BET = "flat_bet"


@unique
class OrderEnd(StrEnum):
    """Why an order no longer stands."""

    HAND_OVER = "hand_over"
    SHOE_OVER = "shoe_over"
    LIFTED = "lifted"
    TABLE_CLOSED = "table_closed"


@dataclass(frozen=True, slots=True)
class FlatBet:
    """Every hand of the shoe carries the bets of the first one at this seat."""

    seat: int
    bets: tuple[Bet, ...]

    def as_facts(self) -> dict[str, Any]:
        """Return the order as it is kept."""
        return {"seat": self.seat, "bets": [_written(bet) for bet in self.bets]}

    @property
    def words(self) -> Said:
        """Say what lies there on every hand.

        >>> FlatBet(4, (Bet("bet_bigger", 1_000, spots={"2x": 1_000}),)).words
        '$10 on the ante with 2x'
        """
        return joined(map(_bet_words, self.bets), ", ")


def _bet_words(bet: Bet) -> Said:
    wager = Said(spoken(bet.wager))
    if not bet.spots:
        return Said("{stake_cents} on {wager}", stake_cents=bet.stake_cents, wager=wager)
    return Said(
        "{stake_cents} on {wager} with {spots}",
        stake_cents=bet.stake_cents,
        wager=wager,
        spots=", ".join(bet.spots),
    )


@dataclass(frozen=True, slots=True)
class Order:
    """One order that stands, by its number in the floor log."""

    number: int
    what: Ruling | FlatBet

    @property
    def code(self) -> str:
        if isinstance(self.what, Ruling):
            return self.what.irregular.value
        return OrderKind.FLAT_BET.value

    @property
    def is_by_seat(self) -> bool:
        """Say whether it touches some seats and not others, so that the seat must be known."""
        return bool(self.what.out) if isinstance(self.what, Ruling) else True


@dataclass(frozen=True, slots=True)
class Followed:
    """A payout after the orders that touch it.

    `returned` is the settlement of a bet that goes back; `notes` say what was changed, by the
    number of its order.
    """

    claim: Claim
    refusals: tuple[Refusal, ...] = ()
    returned: Settlement | None = None
    notes: tuple[tuple[Order, str], ...] = ()

    def said(self, settlement: Settlement) -> Settlement:
        """Return a settlement whose working names what was ordered."""
        if not self.notes:
            return settlement
        words = " ".join(note for _, note in self.notes)
        return settlement._replace(working=f"{settlement.working} {words}")

    def as_answer(self) -> list[dict[str, Any]]:
        """Return the orders that were followed, as they are written on the wire."""
        return [
            {"number": order.number, "code": order.code, "message": note}
            for order, note in self.notes
        ]


def read_flat_bet(game: Game, *, seat: int | None, bets: Sequence[Mapping[str, Any]]) -> FlatBet:
    """Read a flat-bet order. Raises Refused with every reason.

    >>> from pitboss.rules.games.printed import GAMES
    >>> bets = [{"wager": "bet_bigger", "stake_cents": 1_000}]
    >>> read_flat_bet(GAMES["bet_bigger"], seat=4, bets=bets).words
    '$10 on the ante'
    >>> read_flat_bet(GAMES["classic"], seat=4, bets=bets)
    Traceback (most recent call last):
    pitboss.rules.refusal.Refused: Classic blackjack has no flat-bet order. Don’t order one here.
    """
    refusals = []
    if not game.flat_bet:
        refusals.append(
            Refusal(
                "no_flat_bet",
                Said("{game} has no flat-bet order. Don’t order one here.", game=game.name),
            )
        )
    if seat is None or not 1 <= seat <= SEATS_AT_A_TABLE:
        refusals.append(Refusal("seat_missing", "Choose the seat of the player who is flat bet."))
    read = tuple(read_bet(entry) for entry in bets)
    if not read:
        refusals.append(Refusal("bets_missing", "Enter the bet on the first hand of the shoe."))
    if refusals:
        raise Refused(refusals)
    assert seat is not None
    return FlatBet(seat, read)


def order_of(number: int, kind: str, facts: Mapping[str, Any]) -> Order:
    """Return an order that was kept and touches payouts."""
    if kind == OrderKind.RULING:
        return Order(number, ruling_of(facts))
    return Order(number, FlatBet(facts["seat"], tuple(read_bet(bet) for bet in facts["bets"])))


def follow(claim: Claim, orders: Sequence[Order], soft_17: str | None) -> Followed:
    """Return the payout as the orders at its table have it."""
    notes: list[tuple[Order, str]] = []
    returned: Settlement | None = None
    refusals: list[Refusal] = []
    for order in orders:
        refusals += _refusals(claim, order)
        if isinstance(order.what, FlatBet):
            continue
        claim, note, back = _ruled(claim, order.what, soft_17)
        returned = returned or back
        if note:
            notes.append((order, note))
    return Followed(claim, tuple(refusals), returned, tuple(notes))


def _refusals(claim: Claim, order: Order) -> Iterator[Refusal]:
    """Yield why an order leaves a payout open."""
    what = order.what
    if order.is_by_seat and claim.seat is None:
        yield Refusal("seat_needed", "A supervisor’s order covers one seat. Choose the seat.")
        return
    if isinstance(what, FlatBet) and claim.seat == what.seat and _differs(claim, what):
        yield Refusal(
            "flat_bet_differs",
            Said(
                "Seat {seat} is flat bet until the shoe ends: {what}. {stake_cents} on {wager} "
                "is another bet. Call the supervisor.",
                seat=what.seat,
                what=what.words,
                stake_cents=claim.stake_cents,
                wager=Said(spoken(claim.wager)),
            ),
        )


def _differs(claim: Claim, order: FlatBet) -> bool:
    extra = claim.case.get("extra")
    extra = extra if isinstance(extra, Mapping) else {}
    if claim.wager in _LATER or extra.get("dealer_bet") is True:
        return False
    wager = "blackjack" if claim.wager == "free_bet_coupon" else claim.wager
    spots = extra.get("spots")
    keyed = set(spots) if isinstance(spots, list) and all(map(_is_text, spots)) else set()
    return not any(
        bet.wager == wager and bet.stake_cents == claim.stake_cents and set(bet.spots) == keyed
        for bet in order.bets
    )


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _ruled(
    claim: Claim, ruling: Ruling, soft_17: str | None
) -> tuple[Claim, str, Settlement | None]:
    """Return a payout under a ruling, what that changed, and how it goes back where it does."""
    title = ruling.guide.title
    if ruling.effect is Effect.HAND_OFF or claim.seat in ruling.out:
        returned = _returned(ruling, claim.seat)
        return claim, returned.working, returned
    if ruling.effect is Effect.PLAIN_21:
        if claim.wager in _BY_THE_HAND:
            note = f"{title}: a dealer's blackjack is a plain 21 in this hand."
            return _with_extra(claim, dealer_bj_is_21=True), note, None
        return claim, f"{title}: side bets go by the dealer's first card.", None
    if ruling.effect is Effect.PAID_BLACKJACK_BACK:
        return _paid_back(claim, title)
    if ruling.effect is Effect.CARD_BURNED and claim.wager in _BY_DEALERS_HAND:
        return _burned(claim, title, soft_17)
    return claim, "", None


def _returned(ruling: Ruling, seat: int | None) -> Settlement:
    """Return the settlement of a bet that goes back whole."""
    why = "the hand was called off, every bet goes back."
    if ruling.effect is not Effect.HAND_OFF:
        why = f"seat {seat} is out of the hand, its bets are returned."
    rule = f"irregularity.{ruling.irregular.value}"
    return Settlement(RETURNED, 0, True, rule, f"{ruling.guide.title}: {why}")


def _paid_back(claim: Claim, title: str) -> tuple[Claim, str, None]:
    if claim.wager not in _BY_THE_HAND:
        return claim, "", None
    if claim.wager == "blackjack" and is_blackjack(_read(claim.case.get("player_cards"))):
        note = f"{title}: a blackjack that was paid is a push. Its payout is returned."
        return _with_extra(claim, blackjack_already_paid=True), note, None
    return claim, f"{title}: only original wagers are taken, what was added goes back.", None


def _burned(claim: Claim, title: str, soft_17: str | None) -> tuple[Claim, str, None]:
    """Leave out the cards that the dealer drew after a hand that had to stand."""
    hand = _read(claim.case.get("dealer_cards"))
    kept = _standing(hand, soft_17)
    if kept == len(hand):
        return claim, "", None
    burned = ", ".join(card.face for card in hand[kept:])
    note = f"{title}: {burned} is burned, the dealer stands on {total_words(hand[:kept])}."
    case = {**claim.case, "dealer_cards": [card.name for card in hand[:kept]]}
    return replace(claim, case=case), note, None


def _standing(hand: Sequence[Card], soft_17: str | None) -> int:
    """Return how many of the dealer's cards count: none that came after a hand had to stand."""
    for kept in range(2, len(hand)):
        total, soft = hand_total(hand[:kept])
        if total >= 18 or (total == 17 and (not soft or soft_17 == STAND)):
            return kept
    return len(hand)


def _read(given: object) -> tuple[Card, ...]:
    """Return cards; none where the settlement will say what is wrong with them."""
    if not isinstance(given, list):
        return ()
    try:
        return cards(given)
    except Refused:
        return ()


def _with_extra(claim: Claim, **facts: bool) -> Claim:
    extra = claim.case.get("extra")
    if extra is not None and not isinstance(extra, Mapping):
        return claim
    return replace(claim, case={**claim.case, "extra": {**(extra or {}), **facts}})


def _written(bet: Bet) -> dict[str, Any]:
    written: dict[str, Any] = {"wager": bet.wager, "stake_cents": bet.stake_cents}
    if bet.spots:
        written["spots"] = dict(bet.spots)
    return written


# What a terminal may only say where the supervisor has ruled so.
_RULED: Final = {
    "dealer_bj_is_21": Effect.PLAIN_21,
    "blackjack_already_paid": Effect.PAID_BLACKJACK_BACK,
    "hole_card_shown": Effect.PLAIN_21,
    "blackjack_found_late": Effect.PAID_BLACKJACK_BACK,
}


def not_ruled(fields: object, orders: Sequence[Order]) -> list[Refusal]:
    """Return why a terminal may not settle a hand as irregular: no dealer decides that.

    >>> [refusal.code for refusal in not_ruled({"hole_card_shown": True}, [])]
    ['not_ruled']
    """
    body = fields if isinstance(fields, Mapping) else {}
    ruled = {order.what.effect for order in orders if isinstance(order.what, Ruling)}
    if all(body.get(name) is not True or effect in ruled for name, effect in _RULED.items()):
        return []
    return [
        Refusal(
            "not_ruled",
            "Only the supervisor rules on an irregular hand. Call the supervisor to "
            "log the ruling.",
        )
    ]


def flat_bet_refusals(orders: Sequence[Order], seat: object, bets: object) -> list[Refusal]:
    """Return why the bets told of a seat break its flat-bet order."""
    laid = [read_bet(bet) for bet in bets] if isinstance(bets, list) else []
    return [
        Refusal(
            "flat_bet_differs",
            Said(
                "Seat {seat} is flat bet until the shoe ends: {what}. Take the bet back.",
                seat=seat,
                what=order.what.words,
            ),
        )
        for order in orders
        if isinstance(order.what, FlatBet)
        and order.what.seat == seat
        and layout(laid) != layout(order.what.bets)
    ]


def ruled_round(
    fields: Mapping[str, Any], orders: Sequence[Order], soft_17: str | None
) -> tuple[dict[str, Any], list[SettledLine]]:
    """Return a round as the rulings have it settled, and the lines of the bets that go back."""
    ruled = dict(fields)
    lines: list[SettledLine] = []
    for order in orders:
        if not isinstance(order.what, Ruling):
            continue
        ruling = order.what
        if ruling.effect is Effect.PLAIN_21:
            ruled["hole_card_shown"] = True
        elif ruling.effect is Effect.PAID_BLACKJACK_BACK:
            ruled["blackjack_found_late"] = True
        elif ruling.effect is Effect.CARD_BURNED:
            kept = _standing(_read(ruled.get("dealer_cards")), soft_17)
            ruled["dealer_cards"] = ruled["dealer_cards"][:kept]
        is_off = ruling.effect is Effect.HAND_OFF
        stay = [seat for seat in ruled["seats"] if not (is_off or seat["seat"] in ruling.out)]
        for seat in ruled["seats"]:
            if seat not in stay:
                lines += [_returned_line(ruling, seat["seat"], bet) for bet in seat["bets"]]
        ruled["seats"] = stay
    return ruled, lines


def _returned_line(ruling: Ruling, seat: int, bet: Mapping[str, Any]) -> SettledLine:
    spots_cents = sum(bet.get("spots", {}).values())
    return {
        "seat": seat,
        "wager": bet["wager"],
        "for": bet.get("for", Whose.PLAYER.value),
        "phase": Phase.AFTER_DEALER.value,
        "staked_cents": bet["stake_cents"] + spots_cents,
        **_returned(ruling, seat).as_answer(),
        "pushes": [0],
    }
