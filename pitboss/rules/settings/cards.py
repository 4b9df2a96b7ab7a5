"""Settings of cards: how long they are kept, when they are changed, what a cabinet holds."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from pitboss.rules.cards.change_days import CHANGE_DAYS, EVERY_DAY
from pitboss.rules.cards.par import CardPar
from pitboss.rules.settings.kinds import Choice, Whole
from pitboss.rules.settings.setting import MANUAL, OUR_OWN, Setting

# The seal of a vaulted set stands for its inspection.
SEAL_STANDS: Final = "seal"


def card_settings() -> Iterator[Setting]:
    """Yield every setting about cards."""
    subject = "Cards"
    yield Setting(
        "cards.retention",
        subject,
        "How long collected cards are kept",
        "Collected sets can’t be destroyed until this many days have passed.",
        Whole(0, 60, "day"),
        7,
        OUR_OWN,
    )
    yield Setting(
        "cards.in_use",
        subject,
        "Time after which a set has been in use too long",
        "A set that has been at a table longer than this is listed as needing attention.",
        Whole(1, 168, "hour"),
        24,
        OUR_OWN,
    )
    yield Setting(
        "cards.change_day",
        subject,
        "Scheduled day of the card change",
        "On this day new cards can be logged as the scheduled change. Other days need another "
        "reason.",
        Choice(CHANGE_DAYS),
        EVERY_DAY,
        f"{MANUAL}, New Cards on the Gaming Table 1",
    )
    yield Setting(
        "cards.replacement",
        subject,
        "What replaces a bad card",
        "Whether the card is replaced with one of the same value, suit, and color, or "
        "with a whole new deck.",
        Choice({"one_card": "one card", "whole_deck": "the whole deck"}),
        "one_card",
        f"{MANUAL}, New cards 5",
    )
    yield Setting(
        "cards.vaulted_inspection",
        subject,
        "Vaulted cards in the shuffler of a closed table",
        "Whether a matching seal replaces the dealer’s inspection, so that a supervisor can "
        "place the set before the dealer arrives. After a wrong or broken seal, both always "
        "inspect.",
        Choice(
            {
                SEAL_STANDS: "a matching seal is enough",
                "dealer": "the dealer inspects them too",
            }
        ),
        SEAL_STANDS,
        f"{MANUAL}, New cards",
    )
    yield Setting(
        "cards.inventory",
        subject,
        "Days after which all cards are counted again",
        "After this, the inventory is listed as needing attention.",
        Whole(1, 366, "day"),
        91,
        "NJAC 13:69E-1.18",
    )
    yield Setting(
        "cards.par",
        subject,
        "Sets that a pit's cabinet should hold",
        "The list of what to bring to each pit is based on it.",
        CardPar(),
        [],
        OUR_OWN,
    )
