"""What each page is for, in up to three lines: the words behind its question mark."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

LINES_MAX: Final = 3

# By the page's name in pitboss.access.
_BY_PAGE: Final[Mapping[str, tuple[str, ...]]] = {
    "access_reviews": (
        "Each quarter a department head keeps, changes, or removes the access of everyone.",
        "Compliance signs last. A review still missing two weeks after the quarter turns red.",
    ),
    "audit": (
        "Proves that no record was changed, removed, or added outside Pitboss.",
        "Verify now, find an action, or export a gaming day.",
    ),
    "board": (
        "Every table of the pit: who deals, what is open, and what needs someone.",
        "Tap a table to work at it. The strip above counts what needs you.",
    ),
    "cage": (
        "Fills to prepare, credits to count, and what the cage has in cheques.",
        "The oldest request comes first.",
    ),
    "cage_cash": (
        "Log cash of a patron at the cage window.",
        "Pitboss adds up the gaming day and warns before the reporting limit.",
    ),
    "cards": (
        "Every set of cards: where it is, who signed for it, and what is due.",
        "Scan a label to open its set.",
    ),
    "cash": (
        "Log a player’s cash at this table.",
        "Pitboss adds up the gaming day and warns before the reporting limit.",
    ),
    "cash_log": (
        "The cash of a gaming day, patron by patron, in and out.",
        "A wrong entry is reversed by two people. Both entries stay.",
    ),
    "cash_refused": (
        "Decline cash when the patron refuses to be identified.",
        "Return the cash. Compliance is notified, and nothing is logged.",
    ),
    "cash_match": (
        "Match an unknown player to a patron, so that the cash is added to the right name.",
    ),
    "compliance": (
        "Reports to file, notes to review, and matches to decide.",
        "Only compliance sees this page.",
    ),
    "count_room": (
        "Drop boxes that were pulled and aren’t posted yet.",
        "Two people count a box without seeing each other’s figures. Accounting posts it.",
    ),
    "count_machines": (
        "What each counting machine calls the columns of its file.",
        "Save one, then choose it where its file is imported.",
    ),
    "collection": (
        "Log a call, letter, or visit about what a patron owes.",
        "A contact can’t be changed. Log another one to add something.",
    ),
    "credit_desk": (
        "Markers and checks that are due, returned, or in collection, each with what comes next.",
        "A red row is past its due day.",
    ),
    "currency_report": (
        "A currency transaction report (CTR) with the cash behind it.",
        "Complete it, have another officer approve it, export it, and enter its BSA ID.",
    ),
    "ctr_batches": (
        "Export approved currency reports as one file.",
        "File it in BSA E-Filing, then enter the BSA ID of each report.",
    ),
    "ctr_form": (
        "FinCEN Form 112: everyone who has part in the cash, and what the form asks of them.",
        "What you save is signed by you and approved by another compliance officer.",
    ),
    "days": (
        "Gaming days and shifts: what is open, closed, and final.",
        "Open items must be settled or carried over before a day can close.",
    ),
    "dealer": ("Tap a dealer in or out. The string follows automatically.",),
    "dealers": (
        "Who deals, who is on break, and whose relief is due.",
        "Send a dealer, or add one to the string.",
    ),
    "device_unlock": ("Unlock a device after too many wrong PINs.",),
    "devices": (
        "Tablets, terminals, and screens that can be used here.",
        "Two people add a device. One manager can remove it.",
    ),
    "drills": (
        "Practice payouts by the rules of a table of this house.",
        "Practice is part of no record of the floor.",
    ),
    "drop": (
        "Ask the dealer of this table to finish the hand before the box is pulled.",
        "At the shift change, lock the compartment of the box after the count and enable the next.",
    ),
    "drop_boxes": (
        "Register drop boxes by the tags on them.",
        "A run then moves each box by its tag.",
    ),
    "drop_runs": (
        "The drop of many tables on one run: scan the box that comes off, then the new one.",
        "Sign once at the start of each pit. The list shows which boxes are left.",
    ),
    "estimate": ("Estimate what is in the box, for the win before the count.",),
    "exception": (
        "Something that didn’t match, and who must explain it.",
        "Enter what happened. The entry can’t be changed afterward.",
    ),
    "exclusion_case": (
        "Someone who may be on an exclusion list.",
        "Compare the document with the list. Security and compliance decide.",
    ),
    "exclusion_lists": ("Import exclusion lists and sign what they change.",),
    "floor_log": (
        "What was approved, noted, or declined, by shift, pit, and table.",
        "Entries are never changed.",
    ),
    "floor_note": (
        "Approve, note, or decide something at this table.",
        "Most entries are one tap. Large amounts need your badge and PIN.",
    ),
    "hold": (
        "Hold of each game by month: the band that chance allows, and a dot for what it held.",
        "A game outside its band is investigated within 30 days. Accounting writes it.",
    ),
    "hosts": (
        "Patrons by host: who looks after whom, their play, and what is left for comps.",
        "A host sees their own patrons only.",
    ),
    "house": (
        "Settings of the house and its tables.",
        "One manager proposes a change, another approves it, and it has an effective date.",
    ),
    "inbox": (
        "What needs you, most urgent first.",
        "“Coming” is for you but not yet, or not on this device. “Done” is what you finished.",
    ),
    "jackpots": (
        "Jackpots and big wins that are open, and who signs next.",
        "Nothing is paid before surveillance confirms it.",
    ),
    "tax_lines": (
        "What is withheld for the state and the city of the house, and who confirmed it.",
        "Accounting proposes a line, the controller approves it. Unconfirmed lines do nothing.",
    ),
    "incident": (
        "Save what happened with three taps. Surveillance gets table, seat, and time.",
        "Write the report before the shift ends. The terminal doesn’t show it.",
    ),
    "incidents": (
        "What happened at tables, with the reports on it.",
        "A report that was signed is never changed. Later text is a supplement.",
    ),
    "keys": (
        "Every sensitive key: on its hook, or with whom, since when, and when it is due.",
        "The custodian and each person who takes a key sign. A late key raises the alarm.",
    ),
    "markers": ("Markers that are out, by place, patron, and age.",),
    "meter_read": ("Enter what the meter shows. The expected amount appears afterward.",),
    "meters": (
        "Progressive meters: the amount now, what wagers added, and every change.",
        "Two people sign a change.",
    ),
    "mismatch": (
        "A payout that didn’t match what was owed, with its cards and working.",
        "Correct it, or enter why it stays.",
    ),
    "note_new": ("Write a note to compliance. The patron must not learn about it.",),
    "outage_form": (
        "One numbered form: add its picture, then enter it late.",
        "A form that was not used goes back to accounting.",
    ),
    "outages": (
        "Outages, and the numbered forms for them.",
        "Forms are used only in an outage. It closes when no form is missing.",
    ),
    "form_packs": ("Print the forms of a pack before you hand it over.",),
    "own_payouts": ("Your own payouts: how many were right, and where you can improve.",),
    "pace": (
        "Shuffle and shoe times of dealers against the standards of the manual.",
        "A time counts only if one dealer did all of it.",
    ),
    "part_shipment": (
        "The cage offers a part of a fill and says why. The supervisor takes it or declines.",
        "The slip carries only what ships. The rest stays requested, and the pit can cancel it.",
    ),
    "patron_file": (
        "A patron’s file: identity, documents, credit line, and markers.",
        "Who opens a document is recorded.",
    ),
    "patron_secrets": ("A document on file. Who opened it is recorded.",),
    "patrons": ("Find a patron by card, number, or name, or put one on file.",),
    "payouts": ("How often payouts were right, by dealer, bet, and table.",),
    "people": (
        "Who works here, with role and license.",
        "One manager proposes a change, another approves it.",
    ),
    "prove": ("A stored round, in the order in which its cards come off the discard rack.",),
    "rating": ("One stay of a player: time, looks, average bet, and theo with its basis.",),
    "rating_audit": (
        "Ratings that Pitboss drew after they ended.",
        "Watch the player on video and enter what you see.",
        "You see the rating after you sign, never before.",
    ),
    "reference": (
        "Cards for this table: what it pays, how to cut cheques, and how the job is done.",
        "They come from the rules that check payouts and from the house manual.",
    ),
    "replay": (
        "The board as it was at any minute of the last seven gaming days.",
        "Move the slider, or open a table to read what happened there. Nothing can be changed.",
    ),
    "reports": ("Every report you can open. Tap a figure to see what it is made of.",),
    "round": ("Undo the last entry of an open round, or abort the round.",),
    "sar": (
        "Cases of suspicious activity, with the days left to file.",
        "Only compliance knows that a case exists. Each time you open one is recorded.",
    ),
    "seat": ("Who plays at this seat. Two taps seat a player, and two more save a bet.",),
    "security": ("Cheques and boxes to carry, and what you have signed for.",),
    "serials": ("Every slip number of a series. A missing number is shown.",),
    "shift": (
        "How the shift is doing: win by hour, hold against its band, waits, and staffing.",
        "Estimates say what they are based on. Tap a figure to see what it is made of.",
    ),
    "shoe": ("Time a shuffle and a shoe against the standards of the manual.",),
    "sign_changed": ("Confirm that the limit sign of the table shows the new limits.",),
    "slip": (
        "A slip: what it says, who signed, and who signs next.",
        "Review the amounts, then sign with your badge and PIN.",
    ),
    "surveillance": ("What surveillance must confirm or know of, newest first.",),
    "systems": (
        "Other systems of the house that call Pitboss: what each may do, and its last calls.",
        "Grant or remove a scope with a slip, System access.",
    ),
    "table": (
        "One table: its tray, its open slips, and what happened.",
        "The buttons start slips. A gray one says why you can’t use it now.",
    ),
    "tax_form": ("The tax form of a win. It must be complete before the win is paid.",),
    "tax_numbers": ("Export tax forms with their numbers. You sign for each export.",),
    "instruments": ("Checks, money orders and traveler’s checks from the listed amount.",),
    "tax_register": ("Every tax form of the year.",),
    "variances": ("Counts that were over or short, and what was found.",),
    "webhook_change": ("Switch a webhook, renew its secret, or send an event again. Sign it.",),
    "webhooks": (
        "Other systems of the house that receive events, such as a jackpot or a closed day.",
        "One person requests a webhook. A second one switches it on.",
        "One that doesn’t answer for 24 hours is switched off automatically.",
    ),
    "what_if": ("Test a payout by the rules of this table. Nothing is stored.",),
    "win": ("Win and hold, to the cent. Tap a figure to see every slip behind it.",),
    "winner": ("Enter the winner, so that exclusion lists are compared before the win is paid.",),
    "withheld": ("Winnings of excluded people, and where they went.",),
    "yield": (
        "What each table earns by hour, and what to open, close, or raise.",
        "Each piece of advice shows its figures. Your answer and its outcome are saved.",
    ),
}
# By the name of an address, where a page of that name serves several jobs.
_BY_ADDRESS: Final[Mapping[str, tuple[str, ...]]] = {
    "build": (
        "Version and hash of the program that runs here, next to what two managers approved.",
        "Printed shift reports name the same build.",
    ),
    "card-reckoning": ("Cards received, in use, canceled, and destroyed. They must add up.",),
    "closed-tables": ("Closed tables, with the age of their last count.",),
    "first-steps": ("What a new house sets up first, in order.",),
    "glossary": (
        "The words of the floor and of Pitboss.",
        "Search finds them too.",
    ),
    "home": ("The start page of your role.",),
    "house-cheques": (
        "Every denomination of the house, and from when it is in play.",
        "A manager proposes, the cage manager approves, another shift manager releases the change.",
        "It takes effect with a later gaming day.",
    ),
    "house-tables": (
        "Tables of the house: game, limits, pay tables, and tray.",
        "Two managers set up a table.",
    ),
    "jackpot-report": ("What was won, what was paid, and what the dealers received.",),
    "manual": (
        "How each job is done with Pitboss. Your own job comes first.",
        "Find any word of it. The question mark of a page opens the part about that page.",
    ),
    "manual-job": (
        "One job’s page of the manual.",
        "The list of its parts leads to each.",
    ),
    "own-secrets": ("Change your own PIN and password.",),
    "passkeys": ("Add a key or this device as a second proof of who you are.",),
    "person-limits": ("The amounts a person can sign for.",),
    "roles": ("Who may open which page and sign which step.",),
    "search": (
        "Find a slip, a table, a person, a patron, a card set, a setting, a term, or a page.",
        "You find only what you can open.",
    ),
    "sessions": ("Where you are signed in. End a session you don’t know.",),
    "slip-new": (
        "Raise a slip in three steps: enter, review, sign.",
        "Nothing is stored before you sign.",
    ),
    "table-cards": ("The card sets at this table, and the daily change step by step.",),
}


def help_for(address: str, page: str) -> tuple[str, ...]:
    """Return what a page is for: by its own address, else by the page that it belongs to.

    >>> help_for("roles", "people")
    ('Who may open which page and sign which step.',)
    >>> help_for("nowhere", "")
    ()
    """
    return _BY_ADDRESS.get(address) or _BY_PAGE.get(page, ())
