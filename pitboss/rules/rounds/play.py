"""Was the round played as its table's rules demand? Decisions, the dealer's hand, the shoe."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from pitboss.rules.cards.playing_cards import Card
from pitboss.rules.games.dealer import check_finished, check_not_overdrawn
from pitboss.rules.games.decisions import Decision, Situation, decision_refusals
from pitboss.rules.games.eligibility import Bet, Whose
from pitboss.rules.games.games import TableRules
from pitboss.rules.refusal import Refusal, Refused
from pitboss.rules.rounds.seats import DealtRound, Hand, Seat, SeatFlag
from pitboss.rules.said import Said

MAIN = "main"


@dataclass(frozen=True, slots=True)
class PlayedBox:
    """How a box was played, as a round's seat or a single check tells it.

    `stakes` are the player's bets on the main game: "main", and the further spots of Bet Bigger.
    A check may tell one hand of a split alone, so `hands_held` can be more than the hands told.
    """

    cards: tuple[Card, ...]
    stakes: Mapping[str, int]
    hands: tuple[Hand, ...]
    hands_held: int
    dealer_up: Card | None
    insurance_cents: int = 0
    takes_even_money: bool = False
    surrenders: bool = False


def decision_faults(table: TableRules, round_: DealtRound, seat: Seat) -> Iterator[Refusal]:
    """Yield every reason why this seat's hands cannot have been played so at this table."""
    yield from _toke_faults(table, round_, seat)
    if not (seat.hands or seat.surrenders or seat.takes_even_money or seat.insurance_cents):
        return
    main = main_bet(table, seat)
    box = PlayedBox(
        cards=seat.cards,
        stakes={MAIN: main.stake_cents, **main.spots} if main else {},
        hands=seat.hands,
        hands_held=max(len(seat.hands), 1),
        dealer_up=round_.dealer[0],
        insurance_cents=seat.insurance_cents,
        takes_even_money=seat.takes_even_money,
        surrenders=seat.surrenders,
    )
    yield from box_faults(table, box)


def _toke_faults(table: TableRules, round_: DealtRound, seat: Seat) -> Iterator[Refusal]:
    """Yield what was decided for a dealer bet that no player's bet could be here (Tokes 5)."""
    chose = seat.toke_insurance_cents or seat.toke_takes_even_money
    if not chose and not any(hand.toke_double_cents for hand in seat.hands):
        return
    wager = table.game.main_wager
    staked = (bet for bet in seat.bets if bet.wager == wager and bet.whose is Whose.DEALER)
    toke = next(staked, None)
    first_cents = toke.stake_cents if toke else 0
    for number, hand in enumerate(seat.hands):
        if hand.toke_double_cents:
            asked = Situation(
                hand.cards[:2],
                hand.toke_cents if number else first_cents,
                round_.dealer[0],
                added_cents=hand.toke_double_cents,
                hands=len(seat.hands),
            )
            yield from decision_refusals(table, Decision.DOUBLE, asked)
    for taken, decision, added_cents in (
        (seat.toke_takes_even_money, Decision.EVEN_MONEY, 0),
        (seat.toke_insurance_cents, Decision.INSURANCE, seat.toke_insurance_cents),
    ):
        if taken:
            asked = Situation(seat.cards, first_cents, round_.dealer[0], added_cents=added_cents)
            yield from decision_refusals(table, decision, asked)


def box_faults(table: TableRules, box: PlayedBox) -> Iterator[Refusal]:
    """Yield every reason why a box cannot have been played so at this table."""
    stake_cents, up = box.stakes.get(MAIN, 0), box.dealer_up
    if len(box.hands) > 1:
        asked = Situation(
            box.cards, stake_cents, up, added_cents=stake_cents, hands=box.hands_held - 1
        )
        yield from decision_refusals(table, Decision.SPLIT, asked)
    for hand in box.hands:
        for spot, added_cents in hand.doubles.items():
            asked = Situation(
                hand.cards[:2],
                box.stakes.get(spot, 0),
                up,
                added_cents=added_cents,
                hands=box.hands_held,
            )
            yield from decision_refusals(table, Decision.DOUBLE, asked)
    for taken, decision, added_cents in (
        (box.surrenders, Decision.SURRENDER, 0),
        (box.takes_even_money, Decision.EVEN_MONEY, 0),
        (box.insurance_cents, Decision.INSURANCE, box.insurance_cents),
    ):
        if taken:
            asked = Situation(box.cards, stake_cents, up, added_cents=added_cents)
            yield from decision_refusals(table, decision, asked)


def shoe_faults(decks: int, shown: Iterable[Card]) -> Iterator[Refusal]:
    """Yield every card that lies on the table more often than its decks hold it."""
    for card, count in Counter(shown).items():
        if count > decks:
            yield Refusal(
                "too_many_of_a_card",
                Said(
                    "{card} lies on the table {count} times; the shoe has {decks}. Check the "
                    "cards. If they are right, hold them and call the supervisor.",
                    card=card.face,
                    count=count,
                    decks=decks,
                ),
            )


def deal_faults(seat: Seat) -> Iterator[Refusal]:
    """Yield why the cards and bets keyed for this seat do not belong together."""
    if len(seat.cards) != 2:
        yield Refusal("two_cards_needed", "Enter the first two cards.")
    if any(len(hand.cards) < 2 for hand in seat.hands):
        yield Refusal("missing_player_cards", "A hand has at least two cards. Enter them all.")
    if len(seat.hands) == 1 and seat.hands[0].cards[:2] != seat.cards:
        yield Refusal(
            "hand_differs_from_deal",
            "The hand does not begin with the two cards first dealt. Check the cards.",
        )
    for hand in seat.hands[1:]:
        tokes = {bet.stake_cents for bet in seat.bets if bet.whose is Whose.DEALER}
        if hand.toke_cents and hand.toke_cents not in tokes:
            yield Refusal(
                "toke_split_not_matched",
                "A dealer bet on a split hand matches the one before it. Check the amount.",
            )


def main_bet(table: TableRules, seat: Seat) -> Bet | None:
    """Return the player's own bet on the main game."""
    wager = table.game.main_wager
    return next(
        (bet for bet in seat.bets if bet.wager == wager and bet.whose is Whose.PLAYER), None
    )


def is_live(table: TableRules, round_: DealtRound, seat: Seat) -> bool:
    """Say whether this seat still waits for the dealer's hand."""
    if any(bet.wager == "raise_the_roof" for bet in seat.bets):
        return True
    if seat.surrenders or seat.takes_even_money:
        return False
    if seat.has_blackjack:
        # A blackjack waits only where the house lets a drawn 21 tie it.
        return table.options.natural_v_drawn_21 == "tie" and not round_.dealer_has_blackjack
    return any(not hand.is_bust for hand in seat.played)


def dealer_faults(
    table: TableRules, round_: DealtRound, *, is_whole: bool = True
) -> tuple[Refusal, ...]:
    """Return why the dealer's hand is not played out, or was drawn too far, for these bets.

    Of a round that is not whole no one knows whether another seat waited for the dealer.
    """
    dealer = round_.dealer
    try:
        if any(is_live(table, round_, seat) for seat in round_.seats):
            check_finished(dealer, table.soft_17)
        else:
            check_not_overdrawn(dealer, table.soft_17)
            if is_whole and len(dealer) > 2:
                return (
                    Refusal(
                        "dealer_drew_needlessly",
                        "Every hand had ended, so the dealer draws no card. Call the supervisor.",
                    ),
                )
    except Refused as refused:
        return refused.refusals
    return ()


def round_flags(table: TableRules, round_: DealtRound) -> Iterator[SeatFlag]:
    """Yield what can be settled but should not have happened."""
    acted = any(
        len(hand.cards) > 2 or seat.is_split for seat in round_.seats for hand in seat.played
    )
    if table.game.peek and round_.dealer_has_blackjack and acted:
        yield SeatFlag(
            None,
            Refusal(
                "blackjack_found_late",
                "The dealer's blackjack was found after players had acted. Call the supervisor.",
            ),
        )
    if table.game.hands.adjacent:
        yield from _apart_flags(round_)
    shown = [*round_.dealer, *round_.community]
    if table.game.main_wager == "stadium_blackjack":
        # Every terminal plays the same two cards.
        shown += round_.seats[0].cards if round_.seats else ()
    else:
        shown += [card for seat in round_.seats for hand in seat.played for card in hand.cards]
    yield from (SeatFlag(None, fault) for fault in shoe_faults(table.decks, shown))


def _apart_flags(round_: DealtRound) -> Iterator[SeatFlag]:
    """Yield a flag for a player whose seats do not lie side by side."""
    seats_of: dict[str, list[int]] = {}
    for seat in round_.seats:
        if seat.player:
            seats_of.setdefault(seat.player, []).append(seat.number)
    for player, numbers in seats_of.items():
        if max(numbers) - min(numbers) >= len(numbers):
            yield SeatFlag(
                max(numbers),
                Refusal(
                    "hands_not_adjacent",
                    Said(
                        "{player} plays seats {listed}, which are not side by side. Ask the player "
                        "to move together.",
                        player=player[:40],
                        listed=", ".join(map(str, sorted(numbers))),
                    ),
                ),
            )
