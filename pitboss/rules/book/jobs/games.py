"""Job cards of single games and side bets: what is done there and at no other table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from pitboss.rules.book.jobs.card import Job, JobCard, manual
from pitboss.rules.paytables.pays import Source
from pitboss.rules.paytables.printed import BET_BIGGER, FACE_UP, RAISE_THE_ROOF, STADIUM

_DOUBLE_DECK: Final = JobCard(
    Job.DOUBLE_DECK,
    "Double deck",
    manual("1061-1085", "Double Deck Blackjack procedures"),
    (
        "Shuffled by machine only.",
        "The player cuts 20 cards in or more. The cut card goes half a deck or more from the back. "
        "The burn card is never shown.",
        "Blackjack pays 3 to 2. Bets go to $10,000.",
        "Pairs are split once. A player may play two hands and may enter during the shoe.",
        "Double for any amount up to the bet, and at least the table minimum.",
        "Dealer bets of any amount within the table maximum.",
    ),
)
_RAISE_THE_ROOF: Final = JobCard(
    Job.RAISE_THE_ROOF,
    "Raise the Roof",
    Source(RAISE_THE_ROOF, "Dealing the game (lines 21-68)"),
    (
        "Dealt only on a layout with areas marked Bust Ante and Raise the Roof and with the pay "
        "table.",
        "Bust Ante and Raise bet on the dealer’s bust. They win or lose, and never push.",
        "The Bust Ante is placed with the blackjack bet, before any card. The two amounts need not "
        "be equal.",
        "Insurance is for the blackjack bet only.",
        "Without a dealer blackjack, a Raise of 1 to 5 antes may be added until you act on your "
        "own hand.",
        "All players broke or have blackjack, and an ante or raise is still there: play your hand "
        "out.",
        "No bust takes both bets. A bust pays an ante alone 1 to 1, an ante with a raise both by "
        "the pay table and the card that broke you.",
    ),
)
_STADIUM: Final = JobCard(
    Job.STADIUM,
    "Stadium Blackjack",
    Source(STADIUM, "Rules of play (lines 3-67)"),
    (
        "The terminals accept bets until the timer ends. Then no more bets.",
        "Deal one card to Player, one to Dealer, and one to Player. Each terminal decides for "
        "itself.",
        "Draw to Community when the podium asks for it, until every hand stands or has bust.",
        "The card is a hit, a double, or the first split hand’s next card. For those who stood it "
        "is the dealer’s second card.",
        "The dealer’s hand uses the community cards that are left, and draws to 17.",
        "All hands bust: draw nothing. All have blackjack against an ace or a ten: draw one card.",
        "The system settles the bets, side bets on the first cards.",
    ),
)
_FACE_UP: Final = JobCard(
    Job.FACE_UP,
    "Face Up Blackjack",
    Source(FACE_UP, "Recommended dealing procedures (lines 8-89)"),
    (
        "Both dealer cards are dealt face up. The dealer wins all ties.",
        "2-Card and 4-Card Bonus are settled first, before anyone acts.",
        "Double 9, 10, or 11 for up to the bet, one card face up, after a split too.",
        "A pair is split once. A split hand may be hit up to 20.",
        "Hit 16 or less until a hard 17 or more. A bust pays every remaining bet even money.",
        "At the end of the round all cards go into the discard rack.",
    ),
)
_BET_BIGGER: Final = JobCard(
    Job.BET_BIGGER,
    "Bet Bigger with Lucky Ladies",
    Source(BET_BIGGER, "Rules of the game (lines 11-81)"),
    (
        "At the first opening of the day, spread each deck, verify it, and wash all decks "
        "together.",
        "The ante is at most $10. Each of 2x, 3x, and 4x matches it. Lucky Ladies is $5 or $10, "
        "Match the Dealer and Perfect Pair half the minimum to $10.",
        "Settle Lucky Ladies, Perfect Pair, and Match the Dealer first.",
        "Insurance is equal on every bet. A wave of the hand closes it.",
        "Signals: tap to hit, wave to stay, a V of two fingers to split. Surrender is said aloud "
        "and costs half.",
        "Only cards of the same printed rank are split, to four hands. Aces are split once and get "
        "one card each.",
        "A hand over 21: take the bet, then the cards, immediately.",
        "Hit soft 17.",
        "Several hands of a player are adjacent, and given up when the house asks.",
        "Flat bet: the player is notified, and bets as on the first hand until the shoe ends.",
        "Only the best Lucky Ladies hand is paid. Posted jackpots never change during a hand.",
    ),
)
_BLAZING: Final = JobCard(
    Job.BLAZING,
    "Blazing 7’s",
    manual("1089-1131", "Blazing 7’s Blackjack procedures"),
    (
        "Shuffled by machine only.",
        "The bet is $5, with a blackjack bet. No dealer bets, no bets on another player’s sensor.",
        "A sensor that stays dark: call surveillance and the shift manager.",
        "Press Start, also without a bet. Collect the bets into the tray. Press End after the "
        "cards are collected.",
        "Pay a hand’s Blazing 7’s before its other side bets, then go on to the next hand.",
        "A jackpot: enter hand and seat immediately to stop the meter, then call the supervisor, "
        "who calls surveillance and the shift manager.",
        "Finish the round when the supervisor says so. The jackpot is paid after the review and "
        "after the tax forms. Press End once the player is paid.",
        "Several jackpots: enter each, from right to left, one at a time.",
    ),
)
_TRILUX: Final = JobCard(
    Job.TRILUX,
    "TriLux and Super 3",
    manual("1038-1059", "Trilux Blackjack procedures"),
    (
        "TriLux needs a blackjack bet, Super 3 both, all before the cards. A second hand need not "
        "double them.",
        "The hand is the player’s first two cards and the up card.",
        "Before anyone hits, from right to left: take the losing bets, then pay the winners.",
        "Break the payout down, stack it with the bet, and hand off all of it.",
        "Envy comes from the tray to the dealers’ tokes. Dealer bets are paid after it, apart, and "
        "earn no envy.",
        "No new bet until the hand is over.",
    ),
)
# By the game's id, and by the side bet that brings it to a table.
OF_GAME: Final[Mapping[str, JobCard]] = {
    "double_deck": _DOUBLE_DECK,
    "stadium": _STADIUM,
    "face_up": _FACE_UP,
    "bet_bigger": _BET_BIGGER,
}
OF_BET: Final[Mapping[str, JobCard]] = {
    "raise_the_roof": _RAISE_THE_ROOF,
    "blazing_7s": _BLAZING,
    "trilux": _TRILUX,
}
