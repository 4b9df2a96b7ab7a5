"""Floor terms: the words of the house manual and of Pitboss, in one list.

The meanings are our own words. What a manual's reader looks up by another name is found under it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Term:
    """One term, what it means, and what else it is called."""

    name: str
    meaning: str
    also: tuple[str, ...] = ()

    def has(self, words: Sequence[str]) -> bool:
        """Tell whether each of these words is in its name or its other names."""
        names = " ".join((self.name, *self.also)).casefold()
        return all(word in names for word in words)


# Cards and hands
_CARDS: Final = (
    Term(
        "Blackjack",
        "An ace and a ten-value card as the first two cards, never after a split.",
        ("snapper", "natural"),
    ),
    Term("Burn", "Put a card face down into the discard rack without playing it.", ("burn card",)),
    Term("Bust", "Draw to more than 21. The hand loses at once.", ("break",)),
    Term(
        "Card set", "The decks that one table plays with: one back color, sealed and used together."
    ),
    Term("Cold turkey", "A first hand of two face cards."),
    Term(
        "Cut card",
        "The colored card a player cuts with, and the one that ends the shoe when it comes out.",
    ),
    Term("Discard rack", "The holder for cards that were played.", ("discard holder",)),
    Term(
        "Double down",
        "Add up to the first bet on two cards that aren’t 21, and receive exactly one more card.",
    ),
    Term("Hard total", "A total in which no ace counts as 11."),
    Term("Hit", "Receive one more card.", ("scratch",)),
    Term("Hole card", "The dealer’s second card, face down under the first."),
    Term(
        "Insurance",
        "A bet of up to half when the dealer shows an ace. It pays 2 to 1 on a dealer blackjack.",
    ),
    Term("Pat hand", "Two cards that total so high that no one would draw to them."),
    Term("Pips", "The spots on a card: a seven has seven."),
    Term("Push", "A tie. The bet neither wins nor loses.", ("stand-off", "standoff")),
    Term("Riffle", "Mix two stacks into each other, once."),
    Term("Roller", "The weight in the shoe that pushes the cards forward."),
    Term(
        "Shoe",
        "The box that cards are dealt from. Also the round of cards from one shuffle to the next.",
    ),
    Term(
        "Shoe hand",
        "The hand that stays on the shoe. The other one is the free hand.",
        ("free hand",),
    ),
    Term("Shuffle", "Mix the cards: from the last card of one shoe to the first of the next."),
    Term(
        "Slug",
        "Put cards from the shoe into the discard rack in parts, from the bottom up.",
        ("slugging",),
    ),
    Term("Soft total", "A total in which an ace counts as 11 without busting.", ("soft hand",)),
    Term(
        "Split",
        "Make two hands of two cards of the same value, with a second equal bet.",
        ("split pairs",),
    ),
    Term("Stand", "Receive no more cards."),
    Term("Stiff", "A two-card total of 12 to 16, which the next card can bust."),
    Term("Strip", "Pull packets off the top of a stack so that their order is reversed."),
    Term("Up card", "The dealer’s first card, face up."),
    Term(
        "Wash",
        "Mix all cards face down, in circles and with both hands, before the shuffle.",
        ("washing", "chemmy shuffle"),
    ),
)
# Cheques, bets, and money
_MONEY: Final = (
    Term("Barber pole", "A stack with more than one denomination in it."),
    Term("Buy-in", "Cash that a player changes into cheques at the table."),
    Term("Case bet", "A bet of everything a player has left."),
    Term("Cash out", "Change cheques into cash, at the cage."),
    Term("Cheque", "A token of the house that is worth money.", ("chip",)),
    Term("Cheque change", "Cheques for other cheques of the same value."),
    Term("Clean money", "Cheques of the house, from the tray."),
    Term("Color up", "Change a player’s cheques into a higher denomination.", ("conversion",)),
    Term("Credit", "Cheques that go from a table back to the cage, on a slip."),
    Term("Credit line", "The most that a patron can owe on markers."),
    Term(
        "Cut into",
        "Match a stack with cheques of the same denomination and the same height.",
        ("size into",),
    ),
    Term("Dirty money", "Losing bets that the dealer picked up and hasn’t sorted yet."),
    Term(
        "Drag",
        "Remove money from a bet before the cards are dealt, which is allowed.",
        ("dragging",),
    ),
    Term("Drop", "What is in the drop box: cash and slips."),
    Term("Drop box", "The locked box under the table."),
    Term(
        "Envy",
        "Money from the tray to the dealers’ tokes when a player wins a listed hand.",
        ("lucky george",),
    ),
    Term("Even money", "Paid 1 to 1. Offered for a blackjack when the dealer shows an ace."),
    Term("Fill", "Cheques that come from the cage to a table, on a slip."),
    Term("Foreign cheque", "A cheque of another casino."),
    Term("Free bet coupon", "A coupon that is bet like cheques and pays even money."),
    Term("Heel off", "Lean a payout against the bet so that both can be counted."),
    Term("Lammer", "A plastic marker that separates cheques in the tray."),
    Term("Let it ride", "Bet the winnings together with the first bet."),
    Term("Lock it up", "Put money into the tray."),
    Term("Marker", "Cheques on credit, against a patron’s credit line and signature."),
    Term("Paddle", "The plastic tool that pushes bills and slips into the drop box."),
    Term("Par", "How many cheques of each denomination a tray is set up with."),
    Term("Parlay", "Raise a bet by what the last hand won. A toke isn’t parlayed."),
    Term("Piggyback", "A bet on another player’s spot."),
    Term("Shy", "A bet below the minimum."),
    Term("Sleeper", "A bet that someone forgot."),
    Term("Sweeten", "Add to a bet before the cards are dealt, which is allowed."),
    Term("Toke", "Money for the dealers, often as a bet.", ("tip",)),
    Term(
        "Tray",
        "The cheques of a table, in their tubes.",
        ("rack", "bankroll", "float"),
    ),
)
# People, places, and what is signed
_FLOOR: Final = (
    Term(
        "Base",
        "A spot: first base farthest to the dealer’s left, second in the center, third farthest "
        "to the right.",
        ("first base", "second base", "third base", "center field"),
    ),
    Term("Closer", "The count that closes a table."),
    Term("Dealer", "The person who deals the cards at a table."),
    Term("Dead game", "An open table without a player."),
    Term("Dead spread", "The cards of a dead game, spread in two half circles."),
    Term("Edge", "What one side wins on average, in percent of the bet."),
    Term(
        "Float cover",
        "The lid that locks the tray. It is kept in a slide under the table.",
        ("lid", "slide"),
    ),
    Term("Gaming day", "The day of the books. It can end after midnight."),
    Term("Head to head", "One player against the dealer."),
    Term("High roller", "A player with high bets."),
    Term("Hold", "Win divided by drop, in percent."),
    Term("Meter", "The amount of a progressive jackpot. It is running, stopped, or reset."),
    Term("Opener", "The count that opens a table. It must match the closer before it."),
    Term("Relief", "A dealer who takes a table over so that another can go on break."),
    Term("String", "The tables and dealers that one relief dealer serves."),
    Term("System", "A plan for betting or playing."),
    Term("Table inventory slip", "The document of an opener or a closer.", ("t.i.s.", "tis")),
    Term("Tap in, tap out", "Begin or end dealing at a table."),
    Term("Top-sign", "The pit manager’s second signature."),
    Term("Variance", "How far a count is from the expected count: over or short."),
)
# Game protection
_PROTECTION: Final = (
    Term(
        "Agent",
        "Someone who works with a dealer to cheat. Also someone who handles money for a player.",
    ),
    Term(
        "Backing up cards",
        "Rebuild hands from the discard rack. Only a supervisor orders it.",
        ("prove a hand",),
    ),
    Term(
        "Capping",
        "Add cheques to the top of a bet after the cards are dealt. Cheating.",
        ("pressing",),
    ),
    Term(
        "Cooler",
        "A set of cards in a secret order that is brought into the game.",
        ("cold deck", "stacked deck"),
    ),
    Term(
        "Count",
        "A hand’s total, the tray’s value, or to keep track of the cards that were dealt.",
        ("counting",),
    ),
    Term("Crimp", "A bend in a card, made to recognize it."),
    Term("Daub", "Color on a card, put there to recognize it.", ("card marking",)),
    Term("Flat bet", "An order to bet the same for the rest of the shoe."),
    Term("Past post", "Place or raise a bet after the cards are dealt. Cheating."),
    Term("Pinch", "Remove cheques from a bet after the cards are dealt. Cheating.", ("pinching",)),
)
GLOSSARY: Final = tuple(
    sorted((*_CARDS, *_MONEY, *_FLOOR, *_PROTECTION), key=lambda term: term.name.casefold())
)


def by_letter() -> dict[str, list[Term]]:
    """Return the terms under the letter that each begins with.

    >>> [term.name for term in by_letter()["E"]]
    ['Edge', 'Envy', 'Even money']
    """
    found: dict[str, list[Term]] = {}
    for term in GLOSSARY:
        found.setdefault(term.name[0], []).append(term)
    return found
