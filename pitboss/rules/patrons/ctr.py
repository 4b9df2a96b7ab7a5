"""FinCEN Form 112, the currency transaction report: its people, its sums, and what it still lacks.

Amounts are whole dollars, rounded up. Only a direction that is over the limit is reported.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from datetime import date
from enum import StrEnum, unique
from typing import Any, Final

from pitboss.rules.canonical import is_plain
from pitboss.rules.patrons.cash_log import CashKind, Direction
from pitboss.rules.patrons.patrons import DocumentKind
from pitboss.rules.refusal import Refusal

# What the form calls each kind of cash.
CODES: Final[Mapping[CashKind, str]] = {
    CashKind.BUY_IN: "18",
    CashKind.DEPOSIT: "55",
    CashKind.MARKER_PAYMENT: "46",
    CashKind.WAGER: "21",
    CashKind.EXCHANGE_IN: "14",
    CashKind.CHECK_BOUGHT: "12",
    CashKind.WIRE_OUT: "23",
    CashKind.FOREIGN_IN: "53",
    CashKind.OTHER_IN: "997",
    CashKind.CASH_OUT: "28",
    CashKind.WITHDRAWAL: "56",
    CashKind.MARKER_ADVANCE: "30",
    CashKind.JACKPOT: "31",
    CashKind.CHECK_CASHED: "13",
    CashKind.EXCHANGE_OUT: "15",
    CashKind.WIRE_IN: "32",
    CashKind.COMP: "33",
    CashKind.PROMOTION: "34",
    CashKind.FOREIGN_OUT: "54",
    CashKind.OTHER_OUT: "998",
}
ID_CODES: Final[Mapping[DocumentKind, str]] = {
    DocumentKind.DRIVING_LICENCE: "5",
    DocumentKind.STATE_ID: "5",
    DocumentKind.PASSPORT: "6",
    DocumentKind.ALIEN_CARD: "7",
    DocumentKind.OTHER_ID: "999",
}
PASSPORT: Final = "6"
OTHER_ID: Final = "999"
# The items that a filer may state as not known, and how each is called.
UNKNOWABLE: Final[Mapping[str, str]] = {
    "address": "address",
    "born_on": "date of birth",
    "tax_id": "tax ID",
    "id": "ID document",
    "occupation": "occupation",
}
BSA_ID: Final = re.compile(r"[0-9]{14}", re.ASCII)
_NAICS: Final = re.compile(r"[0-9]{3,6}", re.ASCII)
_PHONE: Final = re.compile(r"[0-9]{7,16}", re.ASCII)
_STATE: Final = re.compile(r"[A-Z]{2}", re.ASCII)
_EMAIL: Final = re.compile(r"[^@\s]+@[^@\s]+\.[^@\s]+", re.ASCII)
# Longest of each text, as the form has room for.
LONGEST: Final[Mapping[str, int]] = {
    "last_name": 150,
    "first_name": 35,
    "middle_name": 35,
    "name_suffix": 35,
    "alias": 150,
    "street": 100,
    "city": 50,
    "occupation": 50,
    "email": 50,
    "id_number": 25,
    "id_other": 50,
    "verified_how": 100,
    "second_document": 100,
    "account": 40,
}
SEXES: Final = ("F", "M", "")
# So many days before it is due a report is marked.
WARN_DAYS: Final = 2


@unique
class PartyRole(StrEnum):
    """What someone has to do with the cash, by the form's own code."""

    OWN = "50"
    FOR_ANOTHER = "17"
    ON_BEHALF = "23"

    @property
    def label(self) -> str:
        return {"50": "on own behalf", "17": "for someone else"}.get(
            self.value, "person on whose behalf it was"
        )


@dataclass(frozen=True, slots=True)
class CashMove:
    """Cash that changed hands once: by whom, and on whose behalf if not on their own."""

    by: str
    kind: CashKind
    cents: int
    behalf: str = ""
    # Which country's currency, or what else it was for.
    told: str = ""


@dataclass(frozen=True, slots=True)
class Share:
    """What one person has part in, in one role, in whole dollars."""

    role: PartyRole
    key: str
    in_dollars: int = 0
    out_dollars: int = 0
    # Whether several transactions made it: item 3.
    multiple: bool = False


def whole_dollars(cents: int) -> int:
    """Return an amount as the form has it.

    >>> whole_dollars(1_296_226), whole_dollars(1_296_200)
    (12963, 12962)
    """
    return -(-cents // 100)


def reported(moves: Iterable[CashMove], directions: Collection[Direction]) -> list[CashMove]:
    """Return the cash that a report on these directions is about."""
    return [move for move in moves if move.kind.direction in directions]


def shares_of(moves: Iterable[CashMove]) -> list[Share]:
    """Return who had part in what, one row a person and role, in the order of the form."""
    cents: dict[tuple[PartyRole, str, Direction], int] = {}
    times: Counter[tuple[str, Direction]] = Counter()
    for move in moves:
        roles = [(PartyRole.OWN, move.by)]
        if move.behalf:
            roles = [(PartyRole.FOR_ANOTHER, move.by), (PartyRole.ON_BEHALF, move.behalf)]
        for role, key in roles:
            place = (role, key, move.kind.direction)
            cents[place] = cents.get(place, 0) + move.cents
        times.update({(key, move.kind.direction) for _, key in roles})
    order = tuple(PartyRole)
    people = sorted({(order.index(role), key) for role, key, _ in cents})
    return [
        Share(
            order[at],
            key,
            whole_dollars(cents.get((order[at], key, Direction.IN), 0)),
            whole_dollars(cents.get((order[at], key, Direction.OUT), 0)),
            # By or for them, whatever their part in each was.
            any(times[key, direction] > 1 for direction in Direction),
        )
        for at, key in people
    ]


def details_of(moves: Iterable[CashMove]) -> dict[str, int]:
    """Return whole dollars by the form's code. Their sums are the form's totals, so it adds up.

    A code that needs words has them after it.

    >>> details_of([CashMove("a", CashKind.BUY_IN, 1_000_050), CashMove("a", CashKind.BUY_IN, 50)])
    {'18': 10001}
    >>> details_of([CashMove("a", CashKind.FOREIGN_IN, 1_000_000, told="CA")])
    {'53 CA': 10000}
    """
    cents: dict[str, int] = {}
    for move in moves:
        code = f"{CODES[move.kind]} {move.told}".strip()
        cents[code] = cents.get(code, 0) + move.cents
    return {code: whole_dollars(cents[code]) for code in sorted(cents, key=_in_order)}


def _in_order(detail: str) -> tuple[int, str]:
    code, _, told = detail.partition(" ")
    return int(code), told


def total(details: Mapping[str, int], direction: Direction) -> int:
    """Return the total of one direction in whole dollars."""
    codes = {code for kind, code in CODES.items() if kind.direction == direction}
    return sum(dollars for code, dollars in details.items() if code.partition(" ")[0] in codes)


@dataclass(frozen=True, slots=True)
class Party:
    """One person or entity of the form, with everything that it asks of them."""

    role: PartyRole
    key: str
    in_dollars: int = 0
    out_dollars: int = 0
    # Several transactions by or for them on the day: item 3.
    multiple: bool = False
    # Someone who was only described has no name to report.
    is_identified: bool = True
    is_entity: bool = False
    last_name: str = ""
    first_name: str = ""
    middle_name: str = ""
    name_suffix: str = ""
    alias: str = ""
    born_on: str = ""
    sex: str = ""
    street: str = ""
    city: str = ""
    region: str = ""
    postal_code: str = ""
    country: str = "US"
    # 1 is an SSN or ITIN, 2 an EIN, 9 a foreign number.
    tax_id_code: str = ""
    tax_id: str = ""
    occupation: str = ""
    naics: str = ""
    phone: str = ""
    email: str = ""
    id_code: str = ""
    id_number: str = ""
    id_state: str = ""
    id_country: str = ""
    id_other: str = ""
    verified_how: str = ""
    verified_by: str = ""
    # What showed the address where a passport does not.
    second_document: str = ""
    account: str = ""
    unknown: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        parts = (self.first_name, self.middle_name, self.last_name, self.name_suffix)
        return " ".join(part for part in parts if part) or "Not known"

    @property
    def has_address(self) -> bool:
        return bool(self.street and self.city)


@dataclass(frozen=True, slots=True)
class ReportForm:
    """A whole report, as it is signed and exported."""

    gaming_day: date
    parties: tuple[Party, ...]
    details: Mapping[str, int]
    aggregated: bool = False
    amends: bool = False
    prior_bsa_id: str = ""

    @property
    def in_dollars(self) -> int:
        return total(self.details, Direction.IN)

    @property
    def out_dollars(self) -> int:
        return total(self.details, Direction.OUT)

    @property
    def multiple(self) -> bool:
        """Whether item 3 is checked for anyone."""
        return any(party.multiple for party in self.parties)

    def as_json(self) -> dict[str, Any]:
        """Return the form as plain values."""
        return {**asdict(self), "gaming_day": self.gaming_day.isoformat()}


def form_of(stored: Mapping[str, Any]) -> ReportForm:
    """Return a form from its plain values."""
    parties = tuple(
        Party(**{**party, "role": PartyRole(party["role"]), "unknown": tuple(party["unknown"])})
        for party in stored["parties"]
    )
    day = date.fromisoformat(stored["gaming_day"])
    return ReportForm(**{**stored, "gaming_day": day, "parties": parties})


def is_aggregated(moves: Collection[CashMove], parties: Iterable[Party], limit_cents: int) -> bool:
    """Tell whether item 24 is checked: no one is identified, no transaction is over the limit.

    >>> is_aggregated([CashMove("s1", CashKind.BUY_IN, 990_000)] * 2, [], 1_000_000)
    True
    """
    no_one = not any(party.is_identified for party in parties)
    return no_one and all(move.cents <= limit_cents for move in moves)


def in_roles(party: Party, shares: Iterable[Share]) -> list[Party]:
    """Return a person once for each role that they have: each is its own Part I."""
    return [
        replace(
            party,
            role=share.role,
            in_dollars=share.in_dollars,
            out_dollars=share.out_dollars,
            multiple=share.multiple,
        )
        for share in shares
        if share.key == party.key
    ]


def form_refusals(form: ReportForm) -> list[Refusal]:
    """Return what a report still lacks: every reason."""
    refusals = []
    if form.amends and not BSA_ID.fullmatch(form.prior_bsa_id):
        refusals.append(
            Refusal(
                "prior_missing",
                "An amendment names the report that it amends. Enter its 14-digit BSA ID.",
            )
        )
    seen = set()
    for party in form.parties:
        if party.is_identified and party.key not in seen:
            refusals += _party_refusals(party)
        seen.add(party.key)
    return refusals


def _party_refusals(party: Party) -> list[Refusal]:
    """Return what is missing or wrong of one person. What is stated as not known is not missing."""
    name = party.name
    missing = [
        words
        for item, words in UNKNOWABLE.items()
        if item not in party.unknown and not _has(party, item)
    ]
    refusals = [
        Refusal("ctr_item_missing", f"{name}: enter the {words}, or check it as not known.")
        for words in missing
    ]
    if not party.last_name or not (party.first_name or party.is_entity):
        refusals.append(Refusal("ctr_item_missing", f"{name}: enter first and last name."))
    if party.id_code == PASSPORT and not party.second_document:
        refusals.append(
            Refusal(
                "second_document_missing",
                f"{name}: a passport has no address. Enter the second document that shows it.",
            )
        )
    if party.id_code and not party.verified_how:
        refusals.append(
            Refusal("ctr_item_missing", f"{name}: enter how the identity was verified.")
        )
    if party.verified_how and not (party.id_number or "id" not in party.unknown):
        refusals.append(
            Refusal(
                "id_number_missing",
                f"{name}: identity was verified. Choose the document that was seen, even if "
                "you know them well.",
            )
        )
    if party.id_code == OTHER_ID and not party.id_other:
        refusals.append(
            Refusal("ctr_item_missing", f"{name}: enter what kind of ID document it is.")
        )
    if party.country == "US" and party.region and not _STATE.fullmatch(party.region):
        refusals.append(
            Refusal("ctr_item_malformed", f"{name}: enter the state as two letters on their file.")
        )
    for value, shape, words in (
        (party.naics, _NAICS, "The NAICS code has 3 to 6 digits"),
        (party.phone, _PHONE, "The phone number has 7 to 16 digits"),
        (party.email, _EMAIL, "The e-mail address isn’t valid"),
    ):
        if value and not shape.fullmatch(value):
            refusals.append(Refusal("ctr_item_malformed", f"{name}: {words}. Enter it again."))
    for field, longest in LONGEST.items():
        text = getattr(party, field)
        if len(text) > longest or not is_plain(text) or not text.isprintable():
            words = field.replace("_", " ")
            refusals.append(
                Refusal(
                    "ctr_item_malformed",
                    f"{name}: the {words} is too long. Use {longest} characters or fewer.",
                )
            )
    return refusals


def _has(party: Party, item: str) -> bool:
    """Tell whether an item stands on the form; an entity and whom it is for need fewer."""
    match item:
        case "address":
            return party.has_address
        case "born_on":
            return party.is_entity or bool(party.born_on)
        case "tax_id":
            return bool(party.tax_id_code and party.tax_id)
        case "id":
            is_absent = party.is_entity or party.role == PartyRole.ON_BEHALF
            return is_absent or bool(party.id_code and party.id_number)
        case _:
            return bool(party.occupation)


@dataclass(frozen=True, slots=True)
class FilingDue:
    """How near a report is to its last day."""

    due_on: date
    today: date

    @property
    def days_left(self) -> int:
        return (self.due_on - self.today).days

    @property
    def tone(self) -> str:
        """Return the color that it is shown in.

        >>> [FilingDue(date(2026, 5, 16), date(2026, 5, day)).tone for day in (13, 14, 16, 17)]
        ['half', 'wait', 'wait', 'bad']
        """
        if self.days_left < 0:
            return "bad"
        return "wait" if self.days_left <= WARN_DAYS else "half"


def bsa_refusals(bsa_id: str, filed_on: date | None, first: date, today: date) -> list[Refusal]:
    """Return why a report is not filed by what was entered."""
    refusals = []
    if not BSA_ID.fullmatch(bsa_id):
        refusals.append(
            Refusal("bsa_id_malformed", "Enter the 14-digit BSA ID of the acknowledgement.")
        )
    if filed_on is None:
        refusals.append(Refusal("date_missing", "Enter the day the report was filed."))
    elif not first <= filed_on <= today:
        refusals.append(
            Refusal(
                "date_impossible",
                "The day must be between the export and today. Enter the day it was filed.",
            )
        )
    return refusals
