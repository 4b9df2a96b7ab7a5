"""Job cards of the cards themselves: shuffles, the wash, the shoe, a change of sets."""

from __future__ import annotations

from typing import Final

from pitboss.rules.book.jobs.card import Job, JobCard, manual

_WHEN: Final = (
    "Shuffle a new set, after the hand in which the cut card comes out, on a dead game, after "
    "cards were dropped or mishandled, and when a supervisor orders it. Never because a player "
    "asks."
)
_COUNT: Final = "Too many or too few cards: notify the supervisor before you go on."

BY_HAND: Final = JobCard(
    Job.SHUFFLE,
    "Regulation shuffle",
    manual("107-170", "Shuffle and cut of cards"),
    (
        _WHEN,
        "Call “Shuffle” before you move a card. No approval is needed.",
        "Bring the shoe forward to the corner of the tray. Slug its cards into the discard rack: "
        "half of them into the lower half of the discards, the rest above. All cards are in the "
        "rack before you begin.",
        _COUNT,
        "Once the cards are out of the shoe, do nothing else until the shuffle is over. Keep your "
        "eyes on the cards.",
        "Put all cards in the center, behind the insurance line. Make two equal stacks. Turn "
        "the right stack clockwise by 180 degrees.",
        "Riffle about 3/4 deck from each stack once. Put them between the stacks, above where you "
        "shuffle. You may square and halve a packet before each riffle.",
        "Riffle 3/4 deck of the mixed stack with 3/4 deck of the left stack, then of the right "
        "one, once each, in turn, until one stack is left.",
        "Make two equal stacks again. From each, strip 3/4 deck 3 to 5 times, and riffle once. "
        "Leave 3/4 inch on both sides, with three of the four logos in view, so that the mix can "
        "be seen.",
        "The alternate shuffle riffles twice in its first half. Never change the house shuffle.",
        "Call “Rolling” or “Shuffle check” without waiting for approval, turn the cards over with "
        "their backs to the player, and offer the cut.",
        "Cards are mixed evenly, without clumps. The mix is rated, and so is the time.",
    ),
)
BY_MACHINE: Final = JobCard(
    Job.SHUFFLE,
    "Shuffling machine",
    manual("132-147", "New cards, vaulted; Shuffle and cut of cards"),
    (
        _WHEN,
        "One set is in the machine, the other is in play. They have different back colors.",
        "Before the first player comes, the second set lies spread face down. When one comes, put "
        "it into the machine and bring out the set that is in there.",
        "Call “Shuffle”. Put the cards of the shoe and of the discard rack into the machine and "
        "bring out the other set.",
        _COUNT,
    ),
)
CONTINUOUS: Final = JobCard(
    Job.SHUFFLE,
    "Continuous shuffler",
    manual("193", "Continuous shuffler machines"),
    (
        "After each hand, put the cards of the discard rack into the shuffler, face up.",
        "The cards stay in the shuffler, also on a dead game.",
    ),
)
WASH: Final = JobCard(
    Job.WASH,
    "Wash of new cards",
    manual("119-128", "New cards on the gaming table"),
    (
        "New cards come on a scheduled change day, when the old ones are dirty or hard to handle, "
        "and when a supervisor finds it necessary.",
        "The supervisor brings the sealed box and opens it before the dealer and the players.",
        "Supervisor, then dealer: spread each deck face up and face down, in both directions, and "
        "inspect it. Inspected decks go into the discard rack.",
        "A bad card is replaced with one of the same value, suit, and color.",
        "No player is seated during the wash.",
        "Make four piles. Mix the cards face down with both hands for at least 8 rotations.",
        "Then shuffle. Without a player, spread the cards in two half circles.",
    ),
)
CARD_CHANGE: Final = JobCard(
    Job.CARD_CHANGE,
    "Changing and canceling cards",
    manual("557, 918-926, 961", "Inspecting and canceling cards"),
    (
        "Vaulted cards: spread the backs in both directions. Count them where there is no "
        "shuffler, at the opening and the closing only.",
        "Every deck is complete and without faults before it is played.",
        "On a live game, a new set of the other color goes into the shuffler. The old set that was "
        "in there is canceled and bagged.",
        "When the shoe ends, the second new set comes to the table and the old one leaves the "
        "discard rack. The dealer signs the bag. The supervisor counts, cancels, and bags it.",
        "Put the second new set into the shuffler, bring out the first, and deal.",
        "At the closing, the cards that were in play are canceled and counted. Those of the "
        "shuffler are canceled, and counted only if its number is wrong.",
    ),
)
SHOE: Final = JobCard(
    Job.SHOE,
    "Shoe protection",
    manual("571-580", "Game protection, shoe"),
    (
        "Keep a hand on the shoe while cards are in it, except to make change and to take and pay "
        "the first two spots. Cover the window, above all while players hit.",
        "Bring the shoe forward and off center for fills, credits, markers, drops, and relief.",
        "A shoe without its chain, or not hooked up: notify the supervisor.",
        "Players never touch the cards.",
        "On a dead game no cards stay in the shoe. Spread them after approval.",
    ),
)
