"""Job cards of a hand and of the people around it: dealing, paying, protection, conduct."""

from __future__ import annotations

from typing import Final

from pitboss.rules.book.jobs.card import Job, JobCard, manual

INSURANCE: Final = JobCard(
    Job.INSURANCE,
    "Insurance and ace finder",
    manual("793-811", "Insurance wagers; Use of the ace finder"),
    (
        "Settle every side bet first.",
        "Ace up: turn both cards sideways, call “Insurance or even money”, and wave from left to "
        "right along the insurance line.",
        "Insurance is at most half of the bet, on the line at your right of the hand. Offer even "
        "money to a blackjack.",
        "Call “Insurance closed” and wave from right to left. Slide both cards horizontally into "
        "the ace finder.",
        "Ten or face card up: slide both cards vertically. Never lift any part of them.",
        "Blackjack: turn it over. From third base to first, take the losing bets, push blackjacks, "
        "and pay insurance 2 to 1 in turn.",
        "None behind an ace: put the cards back, collect insurance, and go on.",
        "A blackjack missed, or no peek: notify the supervisor before you go on.",
    ),
)
PAYING: Final = JobCard(
    Job.PAYING,
    "Taking and paying",
    manual("732-757", "Taking and paying"),
    (
        "Begin at third base and finish one hand at a time: the bet, then its toke.",
        "Right hand, but left hand for the first two spots. Spot 3 as you like. Never both at "
        "once.",
        "Size into the bet. Never throw, drop, or slide cheques. Too few in hand: return them to "
        "the tray and bring the right amount.",
        "A push: pat the table in front of the bet, palm up and open.",
        "Several colors: break the bet down in the circle, the highest nearest to you, and pay "
        "from the highest to the lowest.",
        "Pay color for color. A blackjack on a high stack: halve it and cut into it three times, "
        "or break it down and cut the payout before the tray. Heel it off next to the bet.",
        "$100 cheques go out with approval, except on a $100 game. Call “cheques play” for any bet "
        "with one.",
        "$500 cheques are proved before the tray in fours, and never mixed with others.",
        "Payouts in front of the tray are broken down parallel to it, the highest toward the "
        "middle of the table. Separate two colors before you pay them.",
    ),
)
PICKUP: Final = JobCard(
    Job.PICKUP,
    "Picking up and proving hands",
    manual("542, 759-772", "Picking up the cards"),
    (
        "Money before cards.",
        "Pick up with the right hand, from right to left, each hand on top of the one before. The "
        "left hand may only help with large hands.",
        "The dealer’s hand goes on top of them, face up, into the discard rack.",
        "A player questions a hand: notify the supervisor, and move nothing.",
        "As the supervisor directs: the dealer’s hand comes off the top, then hand after hand from "
        "the right, until the one in question. The supervisor decides.",
    ),
)
TAP_OUT: Final = JobCard(
    Job.TAP_OUT,
    "Tapping out",
    manual("697, 870-882", "Relief of dealers"),
    (
        "Finish every transaction. Don’t wait for relief: deal or shuffle until you are tapped "
        "out.",
        "Clean the tray and lammer off black and higher, so that it can be verified.",
        "Slide the shoe toward the center, burn a card, and tuck it under the shoe. A card that "
        "was just burned goes there instead.",
        "Clear your hands: clap, palms up, palms down, with fingers spread.",
        "The incoming dealer comes from directly behind, clears hands, then removes the burned "
        "card.",
        "Watch the table until the incoming dealer has the shoe. Talk only about the game.",
        "Go straight to the break area. Never sit at a vacant table.",
    ),
)
PROTECTION: Final = JobCard(
    Job.PROTECTION,
    "Game protection",
    manual("535-570", "Game protection"),
    (
        "Eyes on the layout. Never turn away from the tray, also on a dead game. Stand upright on "
        "both feet and never lean.",
        "Walk the game: left of the tray for spots 1 and 2, the middle for 3 to 5, the right for 6 "
        "and 7.",
        "Call every change, hand, and shuffle. No answer: call louder.",
        "Scan all bets before the hand. Near the maximum call “Pay or take to the table maximum”.",
        "Get a hand signal for every hand below 21, away from the bet.",
        "Call “cheques play” from a $100 cheque.",
        "Players’ hands stay behind the insurance line, out of the tray, and off their bets once "
        "the first card is dealt. Nothing lies at the discard rack.",
        "Watch first and third base for capping and pinching, and the discard rack for hands.",
        "Money before cards.",
        "Clear your hands after change, a payout, cleaning the tray, or a drop; before color comes "
        "in and you tap in or out; before and after you touch your body or break down a bet.",
        "Cards that are worn, marked, or perhaps tampered with, a player who often sits out, and "
        "suspicious play: notify the supervisor quietly. Never accuse a player.",
    ),
)
PLAYERS: Final = JobCard(
    Job.PLAYERS,
    "Players at your table",
    manual("593-646, 672-675, 975-988", "Customer relations; Dealer courtesy"),
    (
        "Greet every new player: “Hello”, “Welcome”, “Good evening”, not “How are you today?”. "
        "Smile and make eye contact.",
        "Ask for the player’s card, and offer to have one made.",
        "Wish good luck when cheques go out. Thank the player for every toke. When a player "
        "leaves: “Thank you”, “Did I earn your A today?”, “Have a good day”.",
        "“Sir”, “Ma’am”, or “Mr.” and “Ms.” with an initial. First names for those who prefer it.",
        "Explain the rules and the options of a hand, never how to play or bet it.",
        "Each player sits at the chair of the spot. Bags and cups leave the table.",
        "Never argue or raise your voice. Complaints, abuse, and what you can’t answer go to the "
        "supervisor.",
        "Never accept anything from a player’s hand.",
        "Remember the house’s training in the customs of its players. Be polite whatever the bet.",
        "Know the way to outlets, restrooms, elevators, and exits. Suggest what the house offers.",
        "Set the pace: neither hurry players nor wait for slow ones without a polite word.",
    ),
)
CONDUCT: Final = JobCard(
    Job.CONDUCT,
    "Conduct in the pit",
    manual("633-646, 878-882, 967-990", "General casino policies"),
    (
        "Be at your table five minutes before the start. The relief dealer leaves for the first "
        "break when the string is complete.",
        "No smoking, gum, food, or telephone. Messages only in an emergency. Bring nothing into "
        "the pit.",
        "No cursing, no sarcasm, no disrespect. Dealers of different games don’t talk to each "
        "other.",
        "Uniform and name tag in every public area. Breaks and aprons off only in break areas. "
        "Leave by the designated exit.",
        "Follow the supervisor. Ask afterward, away from the players, and ask your own supervisor "
        "first.",
        "A friend or relative sits down: notify the supervisor.",
        "No drop box leaves during a hand. Ask the drop team to wait, and call when you are ready.",
        "Face the front of the game. Keep the layout clean.",
        "Evaluations include courtesy and disputes. Promotion goes by contribution, reliability, "
        "performance, experience, and seniority.",
    ),
)
FUNDAMENTALS: Final = JobCard(
    Job.FUNDAMENTALS,
    "The five fundamentals",
    manual("1030-1036", "Basic strategy, rudimentary fundamentals"),
    (
        "Always split aces and eights.",
        "Never split fives.",
        "Double 10 or 11 when it is more than the dealer’s up card.",
        "Hit to at least a hard 17.",
        "Against a 6 or less, mostly stand on whatever can bust.",
    ),
)
