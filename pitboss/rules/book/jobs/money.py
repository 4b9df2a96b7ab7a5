"""Job cards of cheques and money: bills, the tray, change, tokes, and what a table signs for."""

from __future__ import annotations

from typing import Final

from pitboss.rules.book.jobs.card import Job, JobCard, manual

BILLS: Final = JobCard(
    Job.BILLS,
    "Laying out bills",
    manual("449-529, 686", "Money handling, Buy-ins, Counterfeit bills"),
    (
        "Clear your hands. Check each bill face down, then lay it face up and upright below the "
        "insurance line, at your left, the highest denomination at the left.",
        "$100, $20, $10, and $1 bills: rows of five. $50 and $5 bills: rows of four.",
        "At most on the layout: $2,500 in $100, $1,000 in $50, $500 in $20, $250 in $10, $100 in "
        "$5, $250 in $1 bills.",
        "Call the amount, whatever it is: “Changing 300”. Cut the cheques at your right, the "
        "highest first and nearest to the tray.",
        "Move your hands away so that the supervisor sees everything. Send nothing of $300 or more "
        "before approval.",
        "Stack the highest denomination at the bottom. Never cup the stacks. Never push them into "
        "the betting square.",
        "Put the bills into one pile and drop them, then show clear palms. Currency is never bet.",
        "A bill that may be counterfeit: call the supervisor. Send no cheques. Don’t drop it and "
        "don’t return it.",
    ),
)
CHANGE: Final = JobCard(
    Job.CHANGE,
    "Changing and coloring cheques",
    manual("464, 518-520, 831-858, 986", "Cheque change; Conversions and totals"),
    (
        "Call “Cheque change”. Break the player’s cheques down at the left, above the tray, and "
        "the change at the right, the highest denomination nearest to the tray.",
        "Approval: every cheque that comes in for color, any $100 cheque or higher, and $300 or "
        "more without one.",
        "Pay in the color that is bet, and watch that the player doesn’t run out of it.",
        "A payout may be colored up if the player asks, the supervisor orders it, the color runs "
        "low, or it is more than a stack of 20. Black and higher need approval.",
        "A bet may be converted if the player asks or the color runs low, both with approval, or "
        "if the supervisor orders it.",
        "A bet that pays more than even money is converted only to pay in full, or by order.",
        "Call every total and conversion, to the player and to the supervisor.",
        "A player who leaves with cheques that can be carried isn’t offered a color change. Make "
        "it when asked.",
    ),
)
TRAY: Final = JobCard(
    Job.TRAY,
    "Tray order and lammers",
    manual("443-445, 756, 990", "Rack maintenance"),
    (
        "Work from the outside tubes in. Never use more than one tube of a color on a side.",
        "Black and higher: one tube at a time, from the right side only. On a $100 game black may "
        "come from both outside tubes.",
        "You may reach across the center for a payoff, but with one hand only.",
        "Clean the tray after every hand. Losing bets are sorted before the next hand, and go into "
        "tubes of black or higher only if they are of that color.",
        "Space gray, orange, purple, and black, except the color that a player uses, and that one "
        "when the player stops or the shoe ends.",
        "No lammers on the tubes of lower denominations that you work from.",
        "Straighten the tray only while the supervisor watches. On a dead game, no one touches it "
        "without a supervisor.",
    ),
)
TOKES: Final = JobCard(
    Job.TOKES,
    "Tokes",
    manual("992-1005", "Tokes"),
    (
        "Never ask for a toke.",
        "A winning toke and its payoff come down. A toke isn’t parlayed. On a push it stays up.",
        "Pay the toke after the player’s bet. The player may insure, split, or double it, by the "
        "rules of any bet.",
        "At most 10% of the table maximum if the player bets the maximum. If not, bet and toke "
        "together stay within it. Any color is accepted.",
        "$100 cheques go into the toke box only with approval. The supervisor verifies every color "
        "change of tokes.",
        "A toke without instructions goes into the box. If the player leaves it to you, ask them "
        "to decide. If they don’t, it goes into the box.",
        "Tap a winning toke on the box once, lightly. Thank the player, with eye contact.",
    ),
)
COUPONS: Final = JobCard(
    Job.COUPONS,
    "Free bet coupons",
    manual("689-692", "Free bet coupons"),
    (
        "A coupon is bet where even money is paid, unless the coupon or a supervisor allows more.",
        "On any bet it pays even money, never odds. The player hears this first.",
        "Initials, badge number, and date of the supervisor are legible and checked when it is "
        "bet.",
        "An earlier date: the supervisor writes this gaming day on it.",
    ),
)
LIMITS: Final = JobCard(
    Job.LIMITS,
    "Minimum and maximum",
    manual("860-868", "Minimum and maximum wagers"),
    (
        "Check every large bet before the hand.",
        "Below the minimum: notify the player immediately. Found after the first card: finish the "
        "hand, take or pay, and inform the player.",
        "Above the maximum: notify the player immediately. Found after the decision: call the "
        "supervisor.",
        "A player who wants the bet untouched: call “Pay or take to the table limit”. What is "
        "above it is neither paid nor taken.",
    ),
)
OPENING: Final = JobCard(
    Job.OPENING,
    "Opening the game",
    manual("928-951", "Opening the game"),
    (
        "Before the dealer comes, the supervisor puts one set into the shuffler and leaves the "
        "other in the vault. The tray is unlocked when the dealer is there.",
        "Count the tray before the supervisor: cut one full stack of the highest denomination down "
        "to prove 20, then size it against the others.",
        "Cheques that fill no stack are counted with spacers in the tray, or cut out before it.",
        "Check the opener: date, shift, pit, game, table number, each denomination, the total, and "
        "the signatures and numbers of those who closed.",
        "Both sign, with first initial, last name, and license number. It is verified in the "
        "system before the dealer drops it.",
        "Spread the vaulted cards until a player comes. If one is waiting, put them into the "
        "shuffler and bring out the other set.",
    ),
)
CLOSING: Final = JobCard(
    Job.CLOSING,
    "Closing the game",
    manual("953-965", "Closing the game"),
    (
        "Bring up the float cover and place it over the tray. Then it lies in the center of the "
        "layout, at the rail, before the supervisor.",
        "Remove the full stacks, break one down to prove 20, and line up the others with it. Cut "
        "out the rest before the tray.",
        "Call each denomination, the highest first. The supervisor writes it on closer and opener.",
        "Both check date, shift, pit, table, amounts, and totals. The dealer signs, then the "
        "supervisor. The pit manager top-signs and keeps the bottom copy.",
        "The closer goes into the drop box, the opener into the tray, at the upper left.",
        "Shoe, paddle, signs, and cut cards go under the table. Cards are canceled and bagged.",
        "Check the lid. The dealer who counted and signed stays until the tray is locked.",
    ),
)
FILLS: Final = JobCard(
    Job.FILLS,
    "Fills and credits",
    manual("886-912", "Fills, Credits"),
    (
        "Ask the players to remove their bets first.",
        "Fill: check date, time, pit, game, table, shift, signature, license number, each "
        "denomination, and the total.",
        "The supervisor reads each line and points to it. Agree aloud before the next.",
        "Cut down a stack of the highest denomination and size the others with it. Break down "
        "short stacks one at a time. Anything wrong: don’t sign, and no cheques go into the tray.",
        "Sign with first initial, last name, and license number, then the supervisor. Drop the "
        "duplicate. The officer receives the original.",
        "Credit: prove the cheques to supervisor and officer, and check the same lines. "
        "Supervisor, dealer, and officer sign. The pink copy stays on the game in public view.",
        "When the acknowledgment matches the copy on the game, the dealer drops both.",
        "$5,000 cheques and higher are top-signed by a pit manager first.",
    ),
)
MARKERS: Final = JobCard(
    Job.MARKERS,
    "Markers",
    manual("914-916", "Markers"),
    (
        "A player asks for a marker: notify the supervisor, who brings it signed.",
        "Check amount, date, and table. Sign with first initial, last name, and license number.",
        "Cut the cheques. The supervisor approves and lays the marker next to them.",
        "Send the cheques, then drop your copy.",
    ),
)
