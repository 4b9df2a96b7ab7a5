"""Forms W-2G and 1042-S, box by box: what stands in each, who gets which copy, what is exported.

A form is laid out by its box numbers and names. It is a substitute for the printed form, and the
numbers of a person stand in it only where they must.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum, unique
from typing import Final

from pitboss.rules.tax.house import Payer
from pitboss.rules.tax.tax import TaxFormName
from pitboss.rules.tax.win import Nonresident

# Any other type of gambling winnings, in the list of wager codes of electronic filing.
WAGER_CODE: Final = "9"
WAGER_TYPE_MAX: Final = 35
_INCOME_CODE: Final = "28"


@unique
class FormIssue(StrEnum):
    """Whether a form is the first to go out, or corrects or voids one that did."""

    ORIGINAL = "original"
    CORRECTED = "corrected"
    VOID = "void"


@unique
class Audience(StrEnum):
    """Whom copies of a form are for. The winner's show no more than the end of a number."""

    WINNER = "winner"
    PAYER = "payer"


@dataclass(frozen=True, slots=True)
class FormCopy:
    """One copy of a form, and where it goes."""

    name: str
    goes: str
    audience: Audience


COPIES: Final[Mapping[TaxFormName, tuple[FormCopy, ...]]] = {
    TaxFormName.W2G: (
        FormCopy("A", "Filed with the Internal Revenue Service", Audience.PAYER),
        FormCopy("1", "For the state, city or local tax department", Audience.PAYER),
        FormCopy("B", "Winner: with the federal return if tax was withheld", Audience.WINNER),
        FormCopy("C", "For the winner's records", Audience.WINNER),
        FormCopy("2", "Winner: with the state or local return", Audience.WINNER),
        FormCopy("D", "For the payer's records", Audience.PAYER),
    ),
    TaxFormName.F1042S: (
        FormCopy("A", "Filed with the Internal Revenue Service", Audience.PAYER),
        FormCopy("B", "For the recipient", Audience.WINNER),
        FormCopy("C", "Recipient: with the federal return", Audience.WINNER),
        FormCopy("D", "Recipient: with the state return", Audience.WINNER),
        FormCopy("E", "For the withholding agent's records", Audience.PAYER),
    ),
}

W2G_BOXES: Final[Mapping[str, str]] = {
    "1": "Reportable winnings",
    "2": "Date won",
    "3": "Type of wager",
    "4": "Federal income tax withheld",
    "5": "Transaction",
    "6": "Race",
    "7": "Winnings from identical wagers",
    "8": "Cashier",
    "9": "Winner's taxpayer identification no.",
    "10": "Window",
    "11": "First identification no.",
    "12": "Second identification no.",
    "13": "State / Payer's state identification no.",
    "14": "State winnings",
    "15": "State income tax withheld",
    "16": "Local winnings",
    "17": "Local income tax withheld",
    "18": "Name of locality",
}
F1042S_BOXES: Final[Mapping[str, str]] = {
    "1": "Income code",
    "2": "Gross income",
    "3": "Chapter indicator",
    "3a": "Exemption code",
    "3b": "Tax rate",
    "4a": "Exemption code",
    "4b": "Tax rate",
    "5": "Withholding allowance",
    "6": "Net income",
    "7a": "Federal tax withheld",
    "7b": "Tax not deposited, escrow",
    "7c": "Later year, partnership",
    "7d": "Rate pool",
    "8": "Tax withheld by other agents",
    "9": "Overwithheld tax repaid",
    "10": "Total withholding credit",
    "11": "Tax paid by the agent",
    "12a": "Withholding agent's EIN",
    "12b": "Agent's ch. 3 status",
    "12c": "Agent's ch. 4 status",
    "12d": "Agent's name",
    "12e": "Agent's GIIN",
    "12f": "Country code",
    "12g": "Foreign TIN",
    "12h": "Agent's address",
    "12i": "City, state, ZIP",
    "13a": "Recipient's name",
    "13b": "Recipient's country code",
    "13c": "Recipient's address",
    "13d": "City, region, postal code",
    "13e": "Recipient's U.S. TIN",
    "13f": "Ch. 3 status",
    "13g": "Ch. 4 status",
    "13h": "Recipient's GIIN",
    "13i": "Recipient's foreign TIN",
    "13j": "LOB code",
    "13k": "Account number",
    "13l": "Date of birth",
    "14": "Primary agent",
    "15": "Intermediary",
    "16": "Payer",
    "17a": "State tax withheld",
    "17b": "Payer's state no.",
    "17c": "State",
}
BOXES: Final = {TaxFormName.W2G: W2G_BOXES, TaxFormName.F1042S: F1042S_BOXES}
# Not a box of its own: the state's number for the payer, which stands in box 13 with the state.
PAYER_NUMBER: Final = "payer_number"
# The boxes in which a person's own number stands. A row says no more than what kind it is; the
# number itself is in cipher.
SECRET_BOXES: Final = {TaxFormName.W2G: ("9", "11", "12"), TaxFormName.F1042S: ("13e", "13i")}


@dataclass(frozen=True, slots=True)
class Recipient:
    """The person a form goes to, as the file knew them when it went out."""

    first_name: str
    last_name: str
    full_name: str
    street: str
    city: str
    region: str
    postal_code: str
    country: str
    tax_country: str
    born_on: date | None = None

    def boxes(self) -> dict[str, str]:
        """Return what the form says of the winner, by names of its own."""
        born = self.born_on.isoformat() if self.born_on else ""
        own = {name: str(getattr(self, name)) for name in self.__dataclass_fields__}
        return {f"winner_{name}": text for name, text in {**own, "born_on": born}.items()}


@dataclass(frozen=True, slots=True)
class PaidWin:
    """What was won and paid, and by whom, as both forms need it."""

    won_on: date
    wager: str
    transaction: str
    cashier: str
    window: str
    account: str
    reportable_cents: int
    federal_cents: int
    nonresident: Nonresident | None = None
    rate_basis_points: int = 0
    state: str = ""
    state_cents: int = 0
    # The number by which the state knows the payer, where its tax line has one.
    payer_number: str = ""
    locality: str = ""
    local_cents: int = 0


def dollars(cents: int) -> str:
    """Write an amount as a form has it.

    >>> dollars(163378), dollars(0)
    ('1633.78', '0.00')
    """
    return f"{cents // 100}.{cents % 100:02}"


def w2g_boxes(paid: PaidWin, recipient: Recipient) -> dict[str, str]:
    """Return a W-2G without the payer and without the winner's own numbers.

    A side bet is neither a race nor keno: box 5 names the slip, which no one asks for, and box 6
    stays empty.
    """
    boxes = {
        **dict.fromkeys(W2G_BOXES, ""),
        **recipient.boxes(),
        "1": dollars(paid.reportable_cents),
        "2": paid.won_on.isoformat(),
        "3": paid.wager.upper()[:WAGER_TYPE_MAX],
        "4": dollars(paid.federal_cents),
        "5": paid.transaction,
        "7": "0.00",
        "8": paid.cashier,
        "10": paid.window,
    }
    if paid.state:
        boxes |= {
            "13": paid.state,
            "14": dollars(paid.reportable_cents),
            "15": dollars(paid.state_cents),
            **({PAYER_NUMBER: paid.payer_number} if paid.payer_number else {}),
        }
    if paid.locality:
        boxes |= {
            "16": dollars(paid.reportable_cents),
            "17": dollars(paid.local_cents),
            "18": paid.locality,
        }
    return boxes


def f1042s_boxes(paid: PaidWin, recipient: Recipient) -> dict[str, str]:
    """Return a 1042-S without the agent and without the recipient's own numbers."""
    withheld = dollars(paid.federal_cents)
    exemption = "04" if paid.nonresident is Nonresident.TREATY else "00"
    rate = f"{paid.rate_basis_points // 100}.{paid.rate_basis_points % 100:02}"
    return {
        **dict.fromkeys(F1042S_BOXES, ""),
        **_recipient_boxes(recipient),
        "1": _INCOME_CODE,
        "2": dollars(paid.reportable_cents),
        "3": "3",
        "3a": exemption,
        "3b": rate,
        "4a": "15",
        "4b": "00.00",
        "7a": withheld,
        "8": "0.00",
        "9": "0.00",
        "10": withheld,
        "13f": "16",
        "13g": "23",
        "13k": paid.account,
    }


def corrected_boxes(
    form: TaxFormName,
    boxes: Mapping[str, str],
    recipient: Recipient,
    *,
    reportable_cents: int,
    federal_cents: int,
    state_cents: int,
) -> dict[str, str]:
    """Return a form with other amounts and the winner as the file has them now."""
    won, withheld = dollars(reportable_cents), dollars(federal_cents)
    if form is TaxFormName.W2G:
        state = {"14": won, "15": dollars(state_cents)} if boxes["13"] else {}
        local = {"16": won} if boxes["18"] else {}
        return {**boxes, **recipient.boxes(), "1": won, "4": withheld, **state, **local}
    return {**boxes, **_recipient_boxes(recipient), "2": won, "7a": withheld, "10": withheld}


def _recipient_boxes(recipient: Recipient) -> dict[str, str]:
    """Return what a 1042-S says of its recipient."""
    town = ", ".join(filter(None, (recipient.city, recipient.region, recipient.postal_code)))
    return {
        **recipient.boxes(),
        "13a": recipient.full_name,
        "13b": recipient.tax_country,
        "13c": recipient.street,
        "13d": f"{town}, {recipient.country}",
        "13l": recipient.born_on.strftime("%Y%m%d") if recipient.born_on else "",
    }


def with_payer(form: TaxFormName, boxes: Mapping[str, str], payer: Payer) -> dict[str, str]:
    """Return a form with the payer in the boxes that name them."""
    if form is TaxFormName.W2G:
        number = boxes.get(PAYER_NUMBER, "") or payer.state_id
        state = f"{boxes['13']} {number}".strip() if boxes["13"] else ""
        return {**boxes, "13": state}
    town = ", ".join(part for part in (payer.city, payer.region, payer.postal_code) if part)
    return {
        **boxes,
        "12a": payer.tin,
        "12b": "15",
        "12c": "29",
        "12d": payer.name,
        "12f": "US",
        "12h": payer.street,
        "12i": town,
    }


def with_numbers(
    form: TaxFormName, boxes: Mapping[str, str], numbers: Mapping[str, str], audience: Audience
) -> dict[str, str]:
    """Return a form with a person's numbers: whole for the payer, their ends for the winner.

    >>> blank = dict.fromkeys(W2G_BOXES, "")
    >>> with_numbers(TaxFormName.W2G, blank, {"9": "123456789"}, Audience.WINNER)["9"]
    'XXX-XX-6789'
    """
    shown = dict(boxes)
    for box in SECRET_BOXES[form]:
        number = numbers.get(box, "")
        shown[box] = " ".join(
            filter(None, (boxes[box], number if audience is Audience.PAYER else truncated(number)))
        )
    return shown


def truncated(number: str) -> str:
    """Write a number as a winner's copy may: the rest replaced by X.

    >>> truncated("123456789"), truncated("S1234567"), truncated("12"), truncated("")
    ('XXX-XX-6789', 'XXXX4567', 'XX', '')
    """
    if len(number) == 9 and number.isdigit():
        return f"XXX-XX-{number[-4:]}"
    shown = 4 if len(number) >= 8 else 0
    return "X" * (len(number) - shown) + number[len(number) - shown :]


# The columns of the export, in their order: name, and from which box or fact each is taken. They
# are ours; `docs/tax.md` says how they meet the template of the filing system.
_COMMON: Final = (
    ("tax_year", "tax_year"),
    ("form", "form"),
    ("account_number", "account"),
    ("corrected", "corrected"),
    ("void", "void"),
    ("amendment_number", "number"),
    ("payer_tin", "payer_tin"),
    ("payer_name", "payer_name"),
    ("payer_street", "payer_street"),
    ("payer_city", "payer_city"),
    ("payer_state", "payer_region"),
    ("payer_zip", "payer_postal_code"),
    ("payer_phone", "payer_phone"),
    ("winner_first_name", "winner_first_name"),
    ("winner_last_name", "winner_last_name"),
    ("winner_street", "winner_street"),
    ("winner_city", "winner_city"),
    ("winner_state", "winner_region"),
    ("winner_zip", "winner_postal_code"),
    ("winner_country", "winner_country"),
    ("date_paid", "paid_on"),
)


def _column(label: str) -> str:
    words = "".join(sign if sign.isalnum() else " " for sign in label.replace("'", "").lower())
    return "_".join(words.split())


COLUMNS: Final[Mapping[TaxFormName, tuple[tuple[str, str], ...]]] = {
    form: (
        *_COMMON,
        *((("wager_code", "wager_code"),) if form is TaxFormName.W2G else ()),
        *((f"box_{box}_{_column(label)}", box) for box, label in boxes.items()),
    )
    for form, boxes in BOXES.items()
}


def export_row(form: TaxFormName, facts: Mapping[str, str]) -> list[str]:
    """Return one line of the export; a text that a spreadsheet would run is made harmless."""
    return [_harmless(facts.get(key, "")) for _, key in COLUMNS[form]]


def _harmless(text: str) -> str:
    """Quote what a spreadsheet would take for a formula.

    >>> _harmless("=1+1"), _harmless("-5.00"), _harmless("O'Neil")
    ("'=1+1", "'-5.00", "O'Neil")
    """
    return f"'{text}" if text[:1] in ("=", "+", "-", "@", "\t", "\r") else text


def export_head(form: TaxFormName) -> Sequence[str]:
    """Return the names of the columns."""
    return [name for name, _ in COLUMNS[form]]
