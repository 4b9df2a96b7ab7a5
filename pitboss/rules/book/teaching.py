"""Job cards: how the work at a table is done, by its game and by how its cards are shuffled.

The facts are those of the five documents; the words are ours. A card says where it comes from, so
that whoever has the document in hand finds the passage.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

from pitboss.rules.book.jobs.card import Job, JobCard, manual
from pitboss.rules.book.jobs.games import OF_BET, OF_GAME
from pitboss.rules.book.jobs.hand import (
    CONDUCT,
    FUNDAMENTALS,
    INSURANCE,
    PAYING,
    PICKUP,
    PLAYERS,
    PROTECTION,
    TAP_OUT,
)
from pitboss.rules.book.jobs.money import (
    BILLS,
    CHANGE,
    CLOSING,
    COUPONS,
    FILLS,
    LIMITS,
    MARKERS,
    OPENING,
    TOKES,
    TRAY,
)
from pitboss.rules.book.jobs.shoe import BY_HAND, BY_MACHINE, CARD_CHANGE, CONTINUOUS, SHOE, WASH
from pitboss.rules.floor.irregularities import GUIDES, game_refusals
from pitboss.rules.floor.standards import SHOE_SECONDS, SHUFFLE_SECONDS
from pitboss.rules.games.games import Game
from pitboss.rules.games.table_setup import MACHINE_ONLY, CardProfile
from pitboss.rules.games.tracked import is_tracked
from pitboss.rules.paytables.pays import Source
from pitboss.rules.paytables.printed import BET_BIGGER

# From this on the manual has the cut card two decks from the back.
_BIG_SHOE: Final = 6
# The manual's strategy is for one dealer card.
_BOTH_CARDS_SEEN: Final = "face_up"
_PODIUM: Final = "stadium"
# What is done alike at every table, whatever is dealt there.
_MONEY: Final = (BILLS, CHANGE, TOKES, TRAY)
_EVERYWHERE: Final = (OPENING, FILLS, MARKERS, CLOSING, TAP_OUT, PLAYERS, CONDUCT)
# The cards that belong to a slip, by its kind: whoever signs it has them at hand.
_OF_SLIP: Final[Mapping[str, tuple[Job, ...]]] = {
    "opener": (Job.OPENING,),
    "closer": (Job.CLOSING,),
    "fill": (Job.FILLS,),
    "credit": (Job.FILLS,),
    "marker": (Job.MARKERS,),
    "card_to_table": (Job.WASH, Job.CARD_CHANGE),
    "card_cancellation": (Job.CARD_CHANGE,),
}


@dataclass(frozen=True, slots=True)
class TaughtAt:
    """What decides which cards a table has. Without its bets it has those of its document."""

    game: Game
    decks: int
    cards: CardProfile
    bets: frozenset[str] | None = None

    @property
    def offers(self) -> frozenset[str]:
        """The side bets of the table."""
        if self.bets is None:
            return frozenset(bet.wager for bet in self.game.side_bets)
        return self.bets


def has_strategy(game: Game) -> bool:
    """Tell whether the manual's strategy is for this game: it goes by one dealer card."""
    return game.id != _BOTH_CARDS_SEEN and not is_tracked(game)


def cards_for(place: TaughtAt) -> tuple[JobCard, ...]:
    """Return the job cards of a table."""
    return tuple(_cards(place))


def cards_of(place: TaughtAt, jobs: tuple[Job, ...]) -> tuple[JobCard, ...]:
    """Return those cards of a table that are about these jobs."""
    return tuple(card for card in _cards(place) if card.job in jobs)


def cards_of_slip(place: TaughtAt, kind: str) -> tuple[JobCard, ...]:
    """Return those cards of a table that belong to a slip."""
    return cards_of(place, _OF_SLIP.get(kind, ()))


def _cards(place: TaughtAt) -> Iterator[JobCard]:
    """Yield what is of this game first, then the cards, the hand, the money, and the table."""
    if place.cards is CardProfile.NONE:
        return
    if is_tracked(place.game):
        yield from (*_MONEY, *_EVERYWHERE)
        return
    yield from _of_game(place)
    yield from _of_the_cards(place)
    if place.game.id != _PODIUM:
        yield from _of_the_hand(place)
    if has_strategy(place.game):
        yield FUNDAMENTALS
    yield from _MONEY
    if place.game.coupons:
        yield COUPONS
    yield from (*_EVERYWHERE, PROTECTION)


def _of_game(place: TaughtAt) -> Iterator[JobCard]:
    if place.game.id in OF_GAME:
        yield OF_GAME[place.game.id]
    if place.game.id != _PODIUM:
        yield from (card for wager, card in OF_BET.items() if wager in place.offers)


def _of_the_cards(place: TaughtAt) -> Iterator[JobCard]:
    yield _shuffle(place)
    yield from (WASH, CARD_CHANGE)
    if place.cards is not CardProfile.CONTINUOUS:
        yield _cut(place)
        yield _burn(place)
        yield SHOE
    yield _dead_game(place)


def _of_the_hand(place: TaughtAt) -> Iterator[JobCard]:
    yield _dealing(place)
    if place.game.insurance.offered:
        yield INSURANCE
    yield _doubles(place.game)
    yield from (PAYING, PICKUP, _limits(place.game))
    yield _irregular(place)


def _clock(seconds: int) -> str:
    return f"{seconds // 60}:{seconds % 60:02}"


def _shuffle(place: TaughtAt) -> JobCard:
    if place.cards is CardProfile.CONTINUOUS:
        return CONTINUOUS
    if place.cards is not CardProfile.HAND:
        return BY_MACHINE
    scale = SHUFFLE_SECONDS.get(place.decks)
    if scale is None:
        return BY_HAND
    best, strong, meets = (_clock(seconds) for seconds, _ in scale)
    rated = (
        f"{place.decks} decks: {best} or less is outstanding, up to {strong} strong, up to {meets} "
        "meets expectations. More needs improvement."
    )
    return replace(BY_HAND, lines=(*BY_HAND.lines, rated))


def _dealing(place: TaughtAt) -> JobCard:
    own = (
        "Both of your own cards lie face up."
        if place.game.id == _BOTH_CARDS_SEEN
        else "Your own first card lies face down. The second goes under it, face down, while you "
        "turn the first over."
    )
    standard = SHOE_SECONDS.get(place.decks)
    pace = (
        (f"Standard for a shoe of {place.decks} decks: {_clock(standard)}. Deal to the action.",)
        if standard
        else ()
    )
    return JobCard(
        Job.DEALING,
        "Dealing a round",
        manual("531-533, 670, 694-731", "Card placement; Dealing of cards"),
        (
            "Scan the bets, then call “No more bets”. Ask a regular player who was interrupted "
            "whether to play or to sit out.",
            "From your left, clockwise: one card face up below each bet, one to yourself, then a "
            "second one to each.",
            own,
            "Cards follow the curve of the table below the bets. The next card lies on the lower "
            "left edge and covers one pip at most, never the center. Every card can be read.",
            "One hand covers the shoe, never both. Hits go out with the left hand to spots 1 and "
            "2, to spot 3 as you like, with the right hand to the others.",
            "From your left, announce each total. Act only on a hand signal, and draw no card "
            "before it.",
            "Then announce your own total, before and after each hit. Your cards go from left to "
            "right and never overlap.",
            "Call “Dealer breaks”, and total each hand again before you pay it.",
            "A hand with one card, a player passed over, a card too many: call the supervisor "
            "before you go on.",
            *pace,
        ),
    )


def _doubles(game: Game) -> JobCard:
    minimum = " It meets the table minimum." if game.doubling[0].meets_minimum else ""
    aces = (
        ("Split aces receive one card each, sideways.",) if game.splitting[0].aces_one_card else ()
    )
    return JobCard(
        Job.DOUBLES,
        "Doubles and splits",
        manual("813-829", "Doubling down; Splitting pairs"),
        (
            "The double lies at your right of the first bet, which stays in the center. No "
            f"currency: change it first.{minimum}",
            "One card, face up, sideways at the left base of the hand, covering one pip at most. "
            "Never face down, even if the player asks.",
            "Split: the first bet to the left, the new one to the right. A dealer bet that isn’t "
            "split stays in front of the left hand.",
            "Finish the left hand, then deal to the right one.",
            *aces,
            "A ten and an ace after a split: sideways. It is 21, gets no card, and pays even "
            "money.",
        ),
    )


def _limits(game: Game) -> JobCard:
    hands = game.hands
    several = ", ".join(f"{count} hands: {least} times" for count, least in hands.minimums.items())
    lines = (
        f"A player may play {hands.hands_max} hands. The house may allow only one.",
        *(
            (f"Least bet of each hand, in table minimums, except in the VIP room: {several}.",)
            if several
            else ()
        ),
        *(
            (
                "A bet on another player’s spot is accepted below 300 to 1, and never on a "
                "progressive.",
            )
            if game.piggyback
            else ()
        ),
    )
    return replace(LIMITS, lines=(*LIMITS.lines, *lines))


@dataclass(frozen=True, slots=True)
class CutDepth:
    """How deep a player cuts, how far from the back the cut card goes, and who says so."""

    player: str
    back: str
    source: Source


def cut_of(game: Game, decks: int) -> CutDepth:
    """Return where cards are cut at a game.

    >>> from pitboss.rules.games.printed import GAMES
    >>> cut_of(GAMES["double_deck"], 2).back
    'half a deck or more'
    """
    if game.id == "double_deck":
        source = manual("1071-1072", "Double Deck Blackjack procedures")
        return CutDepth("20 cards", "half a deck or more", source)
    if game.id == "bet_bigger":
        return CutDepth(
            "one deck", "about one deck", Source(BET_BIGGER, "Rules of the game (line 15)")
        )
    back = "1.5 to 2 decks" if decks >= _BIG_SHOE else "as the supervisor orders"
    return CutDepth("one deck", back, manual("169-176", "Shuffle and cut of cards"))


def _cut(place: TaughtAt) -> JobCard:
    cut = cut_of(place.game, place.decks)
    return JobCard(
        Job.CUT,
        "Cut and loading the shoe",
        cut.source,
        (
            "Offer the cut to the player who got the cut card, then clockwise. After a cut card on "
            "the dealer’s hand, begin at the first spot.",
            "Offer it on the insurance line, not past it, with the backs away from you.",
            f"The cut is at least {cut.player} from either end. No player wants it: ask for "
            "approval and cut in the middle yourself.",
            "Deliver with the left hand to spots 1 to 3 of a 6- or 7-spot game, to spots 1 and 2 "
            "of a 5-spot game, and to spot 1 of a smaller one.",
            "Move the cards in front of the cut card to the back. "
            f"Cut card from the back: {cut.back}.",
            "Align the cards all at once against the shoe, a finger along their right side and "
            "top, backs away from you. Load them without showing one, and put the roller back.",
            "Run your index finger down the cards in the shoe. Never bang or shake it.",
        ),
    )


def _burn(place: TaughtAt) -> JobCard:
    is_shown = place.game.id != "double_deck"
    lines = "178-185, 696-697, 875-879" if is_shown else "178-185, 696-697, 1073"
    return JobCard(
        Job.BURN,
        "Burning a card",
        manual(lines, "Burning a card"),
        (
            "Burn one card face down after the shuffle, and when a new dealer taps in.",
            "Show it only if a player asks to see it."
            if is_shown
            else "Never show the burn card on double deck.",
            "At a relief the outgoing dealer burns it and leaves it under the shoe. The incoming "
            "dealer puts it into the discard rack.",
            "Relief after the shuffle and before the first hand: the card that was burned comes "
            "out of the rack and lies under the edge of the shoe. If none was burned yet, pull the "
            "shoe to the middle and burn none.",
            "None burned, or two: deal on. If someone disputes it, call the supervisor.",
        ),
    )


def _dead_game(place: TaughtAt) -> JobCard:
    if place.cards is CardProfile.CONTINUOUS:
        return JobCard(
            Job.DEAD_GAME,
            "Dead game",
            manual("187-193", "Dead game"),
            (
                "The cards stay in the continuous shuffler. Nothing is spread.",
                "No one touches the tray without a supervisor. Keep your hands palms down at "
                "the sides of the tray.",
            ),
        )
    machine = (
        ("A player comes before the machine is done: shuffle by hand, don’t wait.",)
        if place.cards is CardProfile.SHUFFLER and place.game.id not in MACHINE_ONLY
        else ()
    )
    return JobCard(
        Job.DEAD_GAME,
        "Dead game",
        manual("187-189", "Dead game"),
        (
            "Ask for approval, then break down the shoe.",
            "Spread the cards face down in two half circles that don’t pass the insurance line.",
            *machine,
            "No one touches the tray without a supervisor. Keep your hands palms down at the sides "
            "of the tray.",
        ),
    )


def _irregular(place: TaughtAt) -> JobCard:
    titles = [guide.title for guide in GUIDES.values() if not game_refusals(guide, place.game)]
    return JobCard(
        Job.IRREGULAR,
        "Irregularities",
        manual("774-791", "Irregularities"),
        (
            "Stop and call the supervisor. No dealer decides an irregular hand.",
            *(f"{title}." for title in titles),
        ),
    )
