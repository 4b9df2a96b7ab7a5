"""What a house may set about the floor: trays, dealers, cards and jackpots."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from pitboss.rules.card_par import CardPar
from pitboss.rules.setting import MANUAL, OUR_OWN, Setting
from pitboss.rules.setting_kinds import Amount, Choice, Whole
from pitboss.rules.tolerances import PRESETS

OWN_AMOUNTS: Final = "own"


def trays() -> Iterator[Setting]:
    """Yield every setting about trays and their counts."""
    presets = {each.id: f"{each.name} ({each.source})" for each in PRESETS.values()}
    subject = "Trays and counts"
    yield Setting(
        "count.tolerance",
        subject,
        "What follows from a variance",
        "Who signs a report on a tray that differs from its last count, and when the regulator "
        "is told.",
        Choice({**presets, OWN_AMOUNTS: "The amounts of this house, below"}),
        "NJ",
        PRESETS["NJ"].source,
    )
    yield Setting(
        "count.report_from",
        subject,
        "Variance from which security and surveillance report",
        "Only where the tolerance is that of this house.",
        Amount(1, 10_000_000),
        PRESETS["NJ"].report_from_cents,
        PRESETS["NJ"].source,
    )
    yield Setting(
        "count.regulator_from",
        subject,
        "Variance from which the regulator is told",
        "Only where the tolerance is that of this house.",
        Amount(1, 100_000_000),
        PRESETS["NJ"].regulator_from_cents,
        PRESETS["NJ"].source,
    )
    yield Setting(
        "count.regulator_hours",
        subject,
        "Hours within which the regulator is told",
        "Only where the tolerance is that of this house; 0 is at once.",
        Whole(0, 168, "hour"),
        PRESETS["NJ"].regulator_hours,
        PRESETS["NJ"].source,
    )
    yield Setting(
        "count.pull_within",
        subject,
        "Age of the count on which a drop box is pulled",
        "A box leaves an open table on a count that is no older than this.",
        Whole(1, 240, "minute"),
        15,
        OUR_OWN,
    )


def dealers() -> Iterator[Setting]:
    """Yield every setting about dealers."""
    yield Setting(
        "dealers.relief_after",
        "Dealers",
        "Minutes at a table after which a dealer's relief is due",
        "When the board and the string say that a dealer is due for relief.",
        Whole(10, 240, "minute"),
        60,
        OUR_OWN,
    )
    yield Setting(
        "dealers.break",
        "Dealers",
        "Length of a dealer's break",
        "How long a dealer rests before the string sends them to the next table.",
        Whole(5, 120, "minute"),
        20,
        OUR_OWN,
    )


def cards() -> Iterator[Setting]:
    """Yield every setting about cards."""
    subject = "Cards"
    yield Setting(
        "cards.retention",
        subject,
        "How long collected cards are kept",
        "So many days after security collected a set it may be destroyed, and not before.",
        Whole(0, 60, "day"),
        7,
        OUR_OWN,
    )
    yield Setting(
        "cards.in_use",
        subject,
        "Time after which a set has been in use too long",
        "A set that has been at a table for longer is on the list of what needs somebody.",
        Whole(1, 168, "hour"),
        24,
        OUR_OWN,
    )
    yield Setting(
        "cards.replacement",
        subject,
        "What replaces a bad card",
        "Whether one card of the same value, suit and colour is put in, or a whole new deck.",
        Choice({"one_card": "one card", "whole_deck": "the whole deck"}),
        "one_card",
        f"{MANUAL}, New cards 5",
    )
    yield Setting(
        "cards.inventory",
        subject,
        "Days after which all cards are counted again",
        "Then the inventory is on the list of what needs somebody.",
        Whole(1, 366, "day"),
        91,
        "NJAC 13:69E-1.18",
    )
    yield Setting(
        "cards.par",
        subject,
        "Sets that a pit's cabinet should hold",
        "The list of what to bring to each pit goes by it.",
        CardPar(),
        [],
        OUR_OWN,
    )


def jackpots() -> Iterator[Setting]:
    """Yield every setting about jackpots."""
    subject = "Jackpots"
    yield Setting(
        "jackpot.review",
        subject,
        "How surveillance confirms a jackpot",
        "Whether surveillance signs its review on its own screen, or confirms by phone to the "
        "shift manager, who records the officer and the reference.",
        Choice({"screen": "on its own screen", "phone": "by phone, recorded by a shift manager"}),
        "screen",
        f"{MANUAL}, Blazing 7's, Jackpot procedures 4",
    )
    yield Setting(
        "jackpot.review_valid",
        subject,
        "Age of a review on which a jackpot is released",
        "An older review is made again before the release.",
        Whole(5, 10_080, "minute"),
        240,
        OUR_OWN,
    )
    yield Setting(
        "jackpot.ends_round",
        subject,
        "When a jackpot lets its round end",
        "Whether the winner is paid at the table before the game ends, or the payment may move to "
        "the cage once the jackpot is released.",
        Choice(
            {
                "paid": "when the winner is paid",
                "released": "when it is released; the cage may pay",
            }
        ),
        "paid",
        f"{MANUAL}, Blazing 7's, Jackpot procedures 4",
    )
