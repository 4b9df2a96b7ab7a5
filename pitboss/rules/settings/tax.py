"""What a house and its tax adviser may set about tax: figures, rates, choices, and the payer."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from pitboss.rules.settings.kinds import Amount, Choice, Percent
from pitboss.rules.settings.setting import OUR_OWN, Setting
from pitboss.rules.tax.house import STATES, TREATIES, PayerCard, TreatyList
from pitboss.rules.tax.tables import Base
from pitboss.rules.tax.win import Nonresident, NonresidentTrigger

_SUBJECT: Final = "Tax"
_PUBLISHED: Final = "the published figure of the year"
_AMOUNT: Final = Amount(100, 100_000_000, none_means=_PUBLISHED)
_RATE: Final = Percent(0, 5_000, none_means="the published rate")
_BASES: Final = {
    Base.NET.value: "what was won beyond the wager",
    Base.GROSS.value: "all that is received, the wager in it",
}


def tax_settings() -> Iterator[Setting]:
    """Yield every setting about tax."""
    yield Setting(
        "tax.payer",
        _SUBJECT,
        "The payer that tax forms name",
        "The name, address, telephone, and numbers on every form. Forms are drawn once name, "
        "address, and TIN are entered. A file of currency reports needs the contact and the "
        "transmitter code too.",
        PayerCard(),
        {},
        OUR_OWN,
    )
    yield Setting(
        "tax.basis",
        _SUBJECT,
        "Winnings used for the reporting test",
        "Whether a W-2G is due, and its box 1. Withholding is always based on winnings "
        "minus the wager.",
        Choice(_BASES),
        Base.NET.value,
        "Instructions for Forms W-2G and 5754: the payer's option",
    )
    yield Setting(
        "tax.report_from",
        _SUBJECT,
        "Winnings from which a W-2G is due",
        "With at least 300 times the wager. The published figure moves with the year of payment; "
        "enter that of a new year here, with its date, as soon as it is known.",
        _AMOUNT,
        None,
        "26 USC 6041(a) and (h)",
    )
    yield Setting(
        "tax.withhold_over",
        _SUBJECT,
        "Winnings above which tax is withheld",
        "More than this, and at least 300 times the wager, is subject to regular withholding.",
        _AMOUNT,
        None,
        "26 USC 3402(q)",
    )
    for name, title, source in (
        ("regular", "Rate of regular withholding", "26 USC 3402(q)"),
        ("backup", "Rate of backup withholding, without a taxpayer number", "26 USC 3406"),
        ("nonresident", "Rate withheld from a non-resident", "26 USC 1441"),
    ):
        yield Setting(
            f"tax.{name}_rate",
            _SUBJECT,
            title,
            "The share of the winnings that is kept back.",
            _RATE,
            None,
            source,
        )
    yield Setting(
        "tax.state",
        _SUBJECT,
        "State whose line a W-2G carries",
        "Boxes 13 to 15, and what is withheld for the state.",
        Choice({"": "no state line", **{state: state for state in STATES}}),
        "",
        OUR_OWN,
    )
    yield Setting(
        "tax.state_rate",
        _SUBJECT,
        "Rate that the state withholds",
        "In place of the rate on file, or where none is confirmed.",
        Percent(0, 2_000, none_means="the rate on file"),
        None,
        OUR_OWN,
    )
    yield Setting(
        "tax.nonresident",
        _SUBJECT,
        "A side bet that a non-resident wins",
        "Whether it counts as blackjack, which is exempt, or is taxed. The law isn’t clear: a "
        "shift manager decides each win unless the tax adviser has decided for the house.",
        Choice(
            {
                Nonresident.ASK.value: "a shift manager decides each win",
                Nonresident.EXEMPT.value: "exempt, as blackjack",
                Nonresident.WITHHOLD_30.value: "taxed",
            }
        ),
        Nonresident.ASK.value,
        "26 USC 871(j)",
    )
    yield Setting(
        "tax.nonresident_trigger",
        _SUBJECT,
        "Wins of a non-resident that are reported",
        "The law has no minimum amount. With “every win”, each winner of a jackpot says where they "
        "are resident before they are paid.",
        Choice(
            {
                NonresidentTrigger.AS_W2G.value: "those that would call for a W-2G",
                NonresidentTrigger.ANY_WIN.value: "every win",
            }
        ),
        NonresidentTrigger.AS_W2G.value,
        OUR_OWN,
    )
    yield Setting(
        "tax.nonresident_base",
        _SUBJECT,
        "Winnings that a non-resident is taxed on",
        "Box 2 of the 1042-S, and what is withheld.",
        Choice(_BASES),
        Base.GROSS.value,
        OUR_OWN,
    )
    yield Setting(
        "tax.treaties",
        _SUBJECT,
        "Countries whose residents may claim a treaty",
        "With a W-8BEN and a taxpayer number they are withheld at this rate.",
        TreatyList(),
        dict(TREATIES),
        "IRS Publication 515; check each year",
    )
