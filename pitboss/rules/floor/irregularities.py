"""What goes wrong on a hand, what the manual has the supervisor do and say, and what it changes.

The dealer stops and calls: no dealer decides any of these (manual, "Irregularities"). Where the
manual prescribes the outcome there is one decision; where it only names the trouble, the supervisor
chooses among those a table can be played on with.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum, unique
from typing import Any, Final

from pitboss.rules.games.games import Game
from pitboss.rules.paytables.pays import Source
from pitboss.rules.paytables.printed import MANUAL
from pitboss.rules.refusal import Refusal, Refused

SEATS_AT_A_TABLE: Final = 7


@unique
class Effect(StrEnum):
    """What a decision changes in the settlement of the hand."""

    NOTHING = "nothing"
    # A dealer's blackjack is a plain 21, and side bets go by the first card.
    PLAIN_21 = "plain_21"
    # A blackjack paid before the dealer's came to light is taken back to a push.
    PAID_BLACKJACK_BACK = "paid_blackjack_back"
    # The dealer's hand stands as it was before the card too many.
    CARD_BURNED = "card_burned"
    # Anyone who steps out, or never had a hand, gets every bet of the seat back.
    SEATS_OUT = "seats_out"
    # The hand is called off: every bet of every seat goes back.
    HAND_OFF = "hand_off"


_OF_THE_HOLE_CARD: Final = (Effect.PLAIN_21, Effect.PAID_BLACKJACK_BACK)


@unique
class Irregular(StrEnum):
    """What the manual lists. The codes are public: verdicts and the floor log name them."""

    HOLE_CARD_SHOWN = "hole_card_shown"
    BLACKJACK_MISSED = "blackjack_missed"
    PLAYER_SKIPPED = "player_skipped"
    ONE_CARD_ONLY = "one_card_only"
    DEALER_CARD_MISSED = "dealer_card_missed"
    CARD_FACE_UP = "card_face_up"
    CARD_EXPOSED = "card_exposed"
    PASSED_OVER = "passed_over"
    DREW_ON_SEVENTEEN = "drew_on_seventeen"
    TOO_FEW_CARDS = "too_few_cards"


@dataclass(frozen=True, slots=True)
class RulingOption:
    """One way to go on, and what it does to the bets."""

    code: str
    label: str
    effect: Effect = Effect.NOTHING


@dataclass(frozen=True, slots=True)
class Guide:
    """The card of one irregularity: what to do, in order, what to say, what can be decided."""

    code: Irregular
    title: str
    source: Source
    steps: tuple[str, ...]
    say: str
    decisions: tuple[RulingOption, ...]
    # Whose hand it happened to, where it happened to one.
    needs_seat: bool = False
    # Everyone may be given the choice to stay in or to get out.
    offers_out: bool = False

    @property
    def is_prescribed(self) -> bool:
        """Say whether the manual itself decides, so that nothing is left to choose."""
        return len(self.decisions) == 1

    def decision(self, code: object) -> RulingOption | None:
        return next((decision for decision in self.decisions if decision.code == code), None)


_OFF: Final = RulingOption("hand_off", "Call the hand off, give every bet back", Effect.HAND_OFF)
_FINISH: Final = RulingOption("finish", "Finish the hand", Effect.SEATS_OUT)
_CHOICE: Final = (
    "Ask each guest in turn: stay in the hand, or take your bets back and sit it out. "
    "A guest who stays keeps every bet at the seat in play. No one keeps only a side "
    "bet."
)
_SORRY: Final = "I am sorry, that was our mistake."

GUIDES: Final[Mapping[Irregular, Guide]] = {
    guide.code: guide
    for guide in (
        Guide(
            Irregular.HOLE_CARD_SHOWN,
            "Hole card turned instead of the up card",
            Source(MANUAL, "Irregularities 1"),
            (
                "Have the dealer stop with both cards where they are.",
                "Apologize and explain before another card is turned.",
                "Have the true up card turned over as well.",
                "Take and pay every side bet by that first card, Blazing 7's too.",
                "Play on with hits and stands as usual. A dealer's blackjack is now a plain 21.",
            ),
            f"{_SORRY} The wrong card was turned. Your side bets go by the first card, "
"and everyone plays their hand. If the dealer has a blackjack, it counts "
"only as 21.",
            (RulingOption("plain_21", "Play on, blackjack counts as 21", Effect.PLAIN_21),),
        ),
        Guide(
            Irregular.BLACKJACK_MISSED,
            "Dealer's blackjack found after the players acted",
            Source(MANUAL, "Irregularities 2; Use of the Ace Finder 3"),
            (
                "Have the dealer stop before the next card or payout.",
                "Collect the original wagers. What was added to split or to double goes back.",
                "A blackjack that was paid becomes a push: take its payout back, leave the bet.",
            ),
            f"{_SORRY} The dealer had blackjack from the start. Only your first wager is taken; "
            "what you added to double or split is yours.",
            (
                RulingOption(
                    "original_only",
                    "Take original wagers, push paid blackjacks",
                    Effect.PAID_BLACKJACK_BACK,
                ),
            ),
        ),
        Guide(
            Irregular.PLAYER_SKIPPED,
            "A player got no cards",
            Source(MANUAL, "Irregularities 7.A"),
            (
                "Stop the hand where it was noticed, even if all cards are out.",
                "Apologize to everyone. The player who was passed over sits this hand "
"out.",
                _CHOICE,
                "Have the dealer finish the hands that stay.",
            ),
            f"{_SORRY} By our procedures the hand goes on and the guest without cards "
"sits it out. Because it was our mistake, each of you can stay in or take "
"your bets back.",
            (_FINISH,),
            needs_seat=True,
            offers_out=True,
        ),
        Guide(
            Irregular.ONE_CARD_ONLY,
            "A player got only one card",
            Source(MANUAL, "Irregularities 7.B; Dealing of Cards 10"),
            (
                "Deal all the other second cards first.",
                "Before anyone hits, deal that player the second card.",
                "That player may stay in or take the bets back.",
                _CHOICE,
            ),
            f"{_SORRY} Here is the second card. You may play the hand or take the bets back, and "
            "so may everyone at the table.",
            (_FINISH,),
            needs_seat=True,
            offers_out=True,
        ),
        Guide(
            Irregular.DEALER_CARD_MISSED,
            "The dealer has one card or none",
            Source(MANUAL, "Irregularities 7.C; Dealing of Cards 10"),
            (
                "Deal everyone the second card.",
                "Then have the dealer take the cards that are missing.",
                _CHOICE,
            ),
            f"{_SORRY} The dealer's hand was short and has its cards now. Each of you may stay "
            "in or take the bets back.",
            (_FINISH,),
            offers_out=True,
        ),
        Guide(
            Irregular.CARD_FACE_UP,
            "A card lies face up in the shoe",
            Source(MANUAL, "Irregularities 3"),
            (
                "Have the dealer stop with a hand over the shoe.",
                "The manual leaves the outcome to you. Decide, announce it to the "
"table, then play on.",
            ),
            f"{_SORRY} A card was turned over in the shoe. I’ll explain how we’ll go on.",
            (
                RulingOption("burned", "Put it into the discards and play on"),
                RulingOption("dealt", "Deal it as the next card"),
                _OFF,
            ),
        ),
        Guide(
            Irregular.CARD_EXPOSED,
            "A card was drawn in error and seen",
            Source(MANUAL, "Irregularities 4"),
            (
                "Leave the card where it is: it is not backed up to another hand.",
                "The manual leaves the outcome to you. Decide, announce it to the "
"table, then play on.",
            ),
            f"{_SORRY} A card came out too early. I’ll explain where it goes.",
            (
                RulingOption("dealt", "Deal it as the next card"),
                RulingOption("burned", "Put it into the discards and play on"),
                _OFF,
            ),
        ),
        Guide(
            Irregular.PASSED_OVER,
            "A player was passed over",
            Source(MANUAL, "Dealing of Cards 11"),
            (
                "Stop the dealer. The card that went to the next player stays there: it is not "
                "backed up.",
                "The player who wanted a card, a double, or a split gets the next card.",
                "The manual leaves the rest to you. Decide, announce it to the table, then play "
                "on.",
            ),
            f"{_SORRY} You were passed over. I’ll explain how your hand goes on.",
            (
                RulingOption("next_card", "The player gets the next card"),
                _OFF,
            ),
            needs_seat=True,
        ),
        Guide(
            Irregular.DREW_ON_SEVENTEEN,
            "The dealer drew on seventeen or more",
            Source(MANUAL, "Irregularities 5; Hitting the Dealer's Hand 5"),
            (
                "Review the hand before the card is moved.",
                "Burn the extra card. The dealer's hand is what it was before it.",
                "Take and pay by that total.",
            ),
            f"{_SORRY} The dealer had to stand. That card doesn’t count.",
            (RulingOption("burned", "Burn the card, keep the hand", Effect.CARD_BURNED),),
        ),
        Guide(
            Irregular.TOO_FEW_CARDS,
            "Too few cards to finish the round",
            Source(MANUAL, "Irregularities 6"),
            (
                "Stop the dealer. No one draws until you decide.",
                "The manual leaves the outcome to you. Decide, announce it to the "
"table, then play on.",
            ),
            f"{_SORRY} The shoe ran out during this round. I’ll explain how we’ll "
"finish it.",
            (
                RulingOption("reshuffled", "Shuffle the discards and finish the round"),
                _OFF,
            ),
        ),
    )
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Ruling:
    """What a supervisor decided about one hand: the trouble, the decision, the seats it touches."""

    irregular: Irregular
    decision: str
    seat: int | None = None
    out: tuple[int, ...] = ()

    @property
    def guide(self) -> Guide:
        return GUIDES[self.irregular]

    @property
    def effect(self) -> Effect:
        decided = self.guide.decision(self.decision)
        assert decided is not None
        return decided.effect

    def as_facts(self) -> dict[str, Any]:
        """Return the ruling as it is kept."""
        return {
            "irregular": self.irregular.value,
            "decision": self.decision,
            "seat": self.seat,
            "out": list(self.out),
        }


def ruling_of(facts: Mapping[str, Any]) -> Ruling:
    """Return a ruling that was kept."""
    return Ruling(
        Irregular(facts["irregular"]), facts["decision"], facts["seat"], tuple(facts["out"])
    )


def guides_for(game: Game) -> list[Guide]:
    """Return the cards that a game has a use for, in the order a supervisor looks for them."""
    return [guide for guide in GUIDES.values() if not game_refusals(guide, game)]


def read_ruling(
    game: Game, *, irregular: str, decision: str, seat: int | None, out: Sequence[int]
) -> Ruling:
    """Read what a supervisor decided. Raises Refused with every reason.

    >>> from pitboss.rules.games.printed import GAMES
    >>> ruling = read_ruling(GAMES["classic"], irregular="player_skipped", decision="finish",
    ...                      seat=4, out=[6])
    >>> ruling.out
    (4, 6)
    """
    if irregular not in tuple(Irregular):
        raise Refused([Refusal("unknown_irregularity", "Choose what happened from the list.")])
    guide = GUIDES[Irregular(irregular)]
    refusals = game_refusals(guide, game)
    if guide.decision(decision) is None:
        refusals.append(Refusal("decision_missing", "Choose how the hand goes on."))
    if guide.needs_seat and seat is None:
        refusals.append(Refusal("seat_missing", "Choose the seat where it happened."))
    if any(not 1 <= item <= SEATS_AT_A_TABLE for item in (*out, *([seat] if seat else ()))):
        refusals.append(
            Refusal("bad_seat", f"A table has the seats 1 to {SEATS_AT_A_TABLE}. Choose one.")
        )
    if out and not guide.offers_out:
        refusals.append(
            Refusal("out_not_offered", "No one can leave the hand for this. Clear the seats.")
        )
    if refusals:
        raise Refused(refusals)
    outside = set(out)
    if guide.code is Irregular.PLAYER_SKIPPED and seat is not None:
        # A guest without cards cannot stay in.
        outside.add(seat)
    return Ruling(guide.code, decision, seat if guide.needs_seat else None, tuple(sorted(outside)))


def game_refusals(guide: Guide, game: Game) -> list[Refusal]:
    """Return why the manual's word on this says nothing about a game."""
    if game.main_wager == "stadium_blackjack":
        message = f"{game.name} is dealt from the podium. Follow its own procedure."
        return [Refusal("not_for_this_game", message)]
    is_of_the_hole_card = guide.decisions[0].effect in _OF_THE_HOLE_CARD
    if is_of_the_hole_card and not (game.peek and game.main_wager == "blackjack"):
        message = f"{game.name} doesn’t say how to settle it. Call the shift manager."
        return [Refusal("no_rule_for_hole_card", message)]
    return []
