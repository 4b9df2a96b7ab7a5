"""Job cards: how the work at a table is done, by game and by how its cards are shuffled.

The facts are those of the house manual and of the Bet Bigger rules; the words are ours. A card
says where it comes from, so that whoever has the manual in hand finds the passage.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum, unique
from typing import Final

from pitboss.rules.floor.irregularities import GUIDES, game_refusals
from pitboss.rules.games.games import Game
from pitboss.rules.games.table_setup import MACHINE_ONLY, CardProfile
from pitboss.rules.paytables.pays import Source
from pitboss.rules.paytables.printed import BET_BIGGER, MANUAL

# Above this the manual has the cut card two decks from the back.
_BIG_SHOE: Final = 6
# The manual's strategy is for one dealer card.
_BOTH_CARDS_SEEN: Final = "face_up"


@unique
class Job(StrEnum):
    """What a card is about. An approval names the cards that belong to it."""

    SHUFFLE = "shuffle"
    WASH = "wash"
    CUT = "cut"
    BURN = "burn"
    DEAD_GAME = "dead_game"
    BILLS = "bills"
    TRAY = "tray"
    TAP_OUT = "tap_out"
    TOKES = "tokes"
    SHOE = "shoe"
    PROTECTION = "protection"
    IRREGULAR = "irregular"
    FUNDAMENTALS = "fundamentals"
    DOUBLE_DECK = "double_deck"
    BLAZING = "blazing"


@dataclass(frozen=True, slots=True)
class JobCard:
    """One card: its title, its lines in order, and where they come from."""

    job: Job
    title: str
    source: Source
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TaughtAt:
    """What decides which cards a table has."""

    game: Game
    decks: int
    cards: CardProfile


def _manual(lines: str, heading: str) -> Source:
    return Source(MANUAL, f"{heading} (lines {lines})")


_BY_HAND: Final = JobCard(
    Job.SHUFFLE,
    "Regulation shuffle",
    _manual("149-170", "Shuffle and cut of cards"),
    (
        "Call “Shuffle”. Slug the cards of the shoe into the discard rack, half of them at a time, "
        "from the bottom up.",
        "Too many or too few cards: notify the supervisor before you go on.",
        "Once the cards are out of the shoe, do nothing else until the shuffle is over. Keep your "
        "eyes on the cards.",
        "Put all cards in the center, behind the insurance line. Make two equal stacks. Turn "
        "the right stack by 180 degrees.",
        "Riffle about 3/4 deck from each stack once. Put them between the stacks.",
        "Riffle 3/4 deck of the mixed stack with 3/4 deck of the left stack, then of the right "
        "one, in turn, until one stack is left.",
        "Make two equal stacks again. From each, strip 3/4 deck 3 to 5 times, and riffle. Leave "
        "3/4 inch on both sides so that the mix can be seen.",
        "Call “Rolling” or “Shuffle check”, turn the cards over, and offer the cut.",
        "Never shuffle because a player asks. Never change the house shuffle.",
    ),
)
_BY_MACHINE: Final = JobCard(
    Job.SHUFFLE,
    "Shuffling machine",
    _manual("132-135", "New cards, vaulted"),
    (
        "One set is in the machine, the other is in play. They have different back colors.",
        "Call “Shuffle”. Put the cards of the shoe and of the discard rack into the machine and "
        "bring out the other set.",
        "Too many or too few cards: notify the supervisor before you go on.",
        "Never shuffle because a player asks.",
    ),
)
_CONTINUOUS: Final = JobCard(
    Job.SHUFFLE,
    "Continuous shuffler",
    _manual("193", "Continuous shuffler machines"),
    (
        "After each hand, put the cards of the discard rack into the shuffler, face up.",
        "The cards stay in the shuffler, also on a dead game.",
    ),
)
_WASH: Final = JobCard(
    Job.WASH,
    "Wash of new cards",
    _manual("119-128", "New cards on the gaming table"),
    (
        "Supervisor, then dealer: spread each deck face up and face down, and inspect it.",
        "A bad card is replaced with one of the same value, suit, and color.",
        "No player is seated during the wash.",
        "Make four piles. Mix the cards face down with both hands for at least 8 rotations.",
        "Then shuffle. Without a player, spread the cards in two half circles.",
    ),
)
_BILLS: Final = JobCard(
    Job.BILLS,
    "Laying out bills",
    _manual("451-494", "Making change and Buy-ins"),
    (
        "Clear your hands. Lay the bills below the insurance line, at your left, face up, the "
        "highest denomination at the left.",
        "$100, $20, $10, and $1 bills: rows of five. $50 and $5 bills: rows of four.",
        "At most on the layout: $2,500 in $100, $1,000 in $50, $500 in $20, $250 in $10, $100 in "
        "$5, $250 in $1 bills.",
        "Call the amount: “Changing 300”. Cut the cheques at your right, the highest first.",
        "Move your hands away so that the supervisor sees everything. Send nothing of $300 or more "
        "before approval.",
        "Never cup the stacks. Never push them into the betting square. Drop the bills, then show "
        "clear hands.",
    ),
)
_TRAY: Final = JobCard(
    Job.TRAY,
    "Tray order and lammers",
    _manual("443-445", "Rack maintenance"),
    (
        "Work from the outside tubes in. Never use more than one tube of a color on a side.",
        "Black and higher: one tube at a time, from the right side only. On a $100 game black may "
        "come from both outside tubes.",
        "You may reach across the center for a payoff, but with one hand only.",
        "Clean the tray after every hand. Losing bets are sorted before the next hand.",
        "Space grey, orange, purple, and black, except the color that a player uses, and that one "
        "when the player stops or the shoe ends.",
        "No lammers on the tubes of lower denominations that you work from.",
        "On a dead game, no one touches the tray without a supervisor.",
    ),
)
_TAP_OUT: Final = JobCard(
    Job.TAP_OUT,
    "Tapping out",
    _manual("870-882", "Relief of dealers"),
    (
        "Finish every transaction. Keep dealing until you are tapped out.",
        "Clean the tray and lammer off black and higher, so that it can be verified.",
        "Slide the shoe toward the center, burn a card, and tuck it under the shoe.",
        "Clear your hands: clap, palms up, palms down.",
        "The incoming dealer clears hands, then removes the burned card.",
        "Watch the table until the incoming dealer has the shoe. Talk only about the game.",
    ),
)
_TOKES: Final = JobCard(
    Job.TOKES,
    "Tokes",
    _manual("992-1004", "Tokes"),
    (
        "Never ask for a toke.",
        "A winning toke and its payoff come down. A toke isn’t parlayed. On a push it stays up.",
        "Pay the toke after the player’s bet.",
        "$100 cheques go into the toke box only with approval. The supervisor verifies every color "
        "change of tokes.",
        "A toke without instructions goes into the box.",
    ),
)
_SHOE: Final = JobCard(
    Job.SHOE,
    "Shoe protection",
    _manual("571-580", "Game protection, shoe"),
    (
        "Keep a hand on the shoe while cards are in it, except to make change and to pay the first "
        "two spots. Cover the window.",
        "Bring the shoe forward for fills, credits, markers, drops, and relief.",
        "A shoe without its chain: notify the supervisor.",
        "Players never touch the cards.",
    ),
)
_PROTECTION: Final = JobCard(
    Job.PROTECTION,
    "Game protection",
    _manual("537-570", "Game protection"),
    (
        "Eyes on the layout. Never turn away from the tray, also on a dead game.",
        "Scan all bets before the hand. Near the maximum call “Pay or take to the table maximum”.",
        "Get a hand signal for every hand below 21, away from the bet.",
        "Call “cheques play” from a $100 cheque.",
        "Watch first and third base for capping and pinching, and the discard rack for hands.",
        "Money before cards. Clear your hands before and after you touch your body, the tray, or "
        "a bet.",
        "Notify the supervisor of suspicious play quietly. Never accuse a player.",
    ),
)
_FUNDAMENTALS: Final = JobCard(
    Job.FUNDAMENTALS,
    "The five fundamentals",
    _manual("1030-1036", "Basic strategy, rudimentary fundamentals"),
    (
        "Always split aces and eights.",
        "Never split fives.",
        "Double 10 or 11 when it is more than the dealer’s up card.",
        "Hit to at least a hard 17.",
        "Against a 6 or less, mostly stand on whatever can bust.",
    ),
)
_DOUBLE_DECK: Final = JobCard(
    Job.DOUBLE_DECK,
    "Double deck",
    _manual("1061-1085", "Double Deck Blackjack procedures"),
    (
        "Shuffled by machine only.",
        "Pairs are split once. A player may play two hands and may enter during the shoe.",
        "Double for any amount up to the bet, and at least the table minimum.",
        "Dealer bets of any amount within the table maximum.",
    ),
)
_BLAZING: Final = JobCard(
    Job.BLAZING,
    "Blazing 7’s",
    _manual("1089-1121", "Blazing 7’s Blackjack procedures"),
    (
        "Shuffled by machine only.",
        "The bet is $5, with a blackjack bet. No dealer bets, no bets on another player’s sensor.",
        "A sensor that stays dark: call surveillance and the shift manager.",
        "Press Start, also without a bet. Collect the bets into the tray. Press End after the "
        "cards are collected.",
        "Pay a hand’s Blazing 7’s before its other side bets, then go on to the next hand.",
        "A jackpot: enter it at once to stop the meter, then call the supervisor.",
    ),
)


def has_strategy(game: Game) -> bool:
    """Tell whether the manual's strategy is for this game: it goes by one dealer card."""
    return game.id != _BOTH_CARDS_SEEN


def cards_for(place: TaughtAt) -> tuple[JobCard, ...]:
    """Return the job cards of a table."""
    return tuple(_cards(place))


def cards_of(place: TaughtAt, jobs: tuple[Job, ...]) -> tuple[JobCard, ...]:
    """Return those cards of a table that are about these jobs."""
    return tuple(card for card in _cards(place) if card.job in jobs)


def _cards(place: TaughtAt) -> Iterator[JobCard]:
    if place.cards is CardProfile.NONE:
        return
    yield {CardProfile.HAND: _BY_HAND, CardProfile.CONTINUOUS: _CONTINUOUS}.get(
        place.cards, _BY_MACHINE
    )
    yield _WASH
    if place.cards is not CardProfile.CONTINUOUS:
        yield _cut(place)
        yield _burn(place)
    yield _dead_game(place)
    yield from (_BILLS, _TRAY, _TAP_OUT, _TOKES)
    if place.cards is not CardProfile.CONTINUOUS:
        yield _SHOE
    yield _PROTECTION
    yield _irregular(place)
    if has_strategy(place.game):
        yield _FUNDAMENTALS
    if place.game.id == "double_deck":
        yield _DOUBLE_DECK
    if any(bet.wager == "blazing_7s" for bet in place.game.side_bets):
        yield _BLAZING


@dataclass(frozen=True, slots=True)
class Cut:
    """How deep a player cuts, how far from the back the cut card goes, and who says so."""

    player: str
    back: str
    source: Source


def cut_of(game: Game, decks: int) -> Cut:
    """Return where cards are cut at a game.

    >>> from pitboss.rules.games.printed import GAMES
    >>> cut_of(GAMES["double_deck"], 2).back
    'half a deck or more'
    """
    if game.id == "double_deck":
        source = _manual("1071-1072", "Double Deck Blackjack procedures")
        return Cut("20 cards", "half a deck or more", source)
    if game.id == "bet_bigger":
        return Cut("one deck", "about one deck", Source(BET_BIGGER, "Rules of the game (line 15)"))
    back = "1.5 to 2 decks" if decks >= _BIG_SHOE else "as the supervisor orders"
    return Cut("one deck", back, _manual("169-176", "Shuffle and cut of cards"))


def _cut(place: TaughtAt) -> JobCard:
    cut = cut_of(place.game, place.decks)
    return JobCard(
        Job.CUT,
        "Cut and loading the shoe",
        cut.source,
        (
            "Offer the cut to the player who got the cut card, then clockwise. After a cut card on "
            "the dealer’s hand, begin at the first spot.",
            f"The cut is at least {cut.player} from either end. No player wants it: ask for "
            "approval and cut yourself.",
            "Deliver with the left hand to spots 1 to 3 of a 6- or 7-spot game, to spots 1 and 2 "
            "of a 5-spot game, and to spot 1 of a smaller one.",
            "Move the cards in front of the cut card to the back. "
            f"Cut card from the back: {cut.back}.",
            "Align the cards against the shoe, backs away from you, and load them without showing "
            "one. Never bang or shake the shoe.",
        ),
    )


def _burn(place: TaughtAt) -> JobCard:
    is_shown = place.game.id != "double_deck"
    lines = "178-185" if is_shown else "1073"
    return JobCard(
        Job.BURN,
        "Burning a card",
        _manual(lines, "Burning a card"),
        (
            "Burn one card face down after the shuffle, and when a new dealer taps in.",
            "Show it only if a player asks to see it."
            if is_shown
            else "Never show the burn card on double deck.",
            "None burned, or two: deal on. If someone disputes it, call the supervisor.",
        ),
    )


def _dead_game(place: TaughtAt) -> JobCard:
    if place.cards is CardProfile.CONTINUOUS:
        return JobCard(
            Job.DEAD_GAME,
            "Dead game",
            _manual("187-193", "Dead game"),
            (
                "The cards stay in the continuous shuffler. Nothing is spread.",
                "No one touches the tray without a supervisor. Hands palms down at its sides.",
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
        _manual("187-189", "Dead game"),
        (
            "Ask for approval, then break down the shoe.",
            "Spread the cards face down in two half circles that don’t pass the insurance line.",
            *machine,
            "No one touches the tray without a supervisor. Hands palms down at its sides.",
        ),
    )


def _irregular(place: TaughtAt) -> JobCard:
    titles = [guide.title for guide in GUIDES.values() if not game_refusals(guide, place.game)]
    return JobCard(
        Job.IRREGULAR,
        "Irregularities",
        _manual("774-791", "Irregularities"),
        (
            "Stop and call the supervisor. No dealer decides an irregular hand.",
            *(f"{title}." for title in titles),
        ),
    )
