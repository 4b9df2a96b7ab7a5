"""Patrons as staff key them: who they are, read or refused with every reason."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from enum import StrEnum, unique
from typing import Any, Final

from pitboss.rules.canonical import is_plain
from pitboss.rules.people.languages import language_refusals
from pitboss.rules.refusal import Refusal, Refused


@unique
class TaxIdKind(StrEnum):
    """Whose number a tax id is. A patron may have none."""

    SSN = "ssn"
    ITIN = "itin"
    FOREIGN = "foreign"
    EIN = "ein"


@unique
class DocumentKind(StrEnum):
    """What is kept on file of a patron, in cipher."""

    PHOTO = "photo"
    SIGNATURE = "signature"
    DRIVING_LICENCE = "driving_licence"
    PASSPORT = "passport"
    STATE_ID = "state_id"
    ALIEN_CARD = "alien_card"
    OTHER_ID = "other_id"
    BANK_ACCOUNT = "bank_account"

    @property
    def proves_identity(self) -> bool:
        return self not in _NO_ID

    @property
    def is_picture(self) -> bool:
        """Whether it is nothing without its picture; the others have a number."""
        return self in (DocumentKind.PHOTO, DocumentKind.SIGNATURE)

    @property
    def label(self) -> str:
        return _DOCUMENT_LABELS.get(self, self.value.replace("_", " "))


_NO_ID = (DocumentKind.PHOTO, DocumentKind.SIGNATURE, DocumentKind.BANK_ACCOUNT)
_DOCUMENT_LABELS = {
    DocumentKind.DRIVING_LICENCE: "driver license",
    DocumentKind.SIGNATURE: "signature on file",
    DocumentKind.STATE_ID: "state ID card",
    DocumentKind.OTHER_ID: "other official ID",
}


@unique
class Standing(StrEnum):
    """Whether a patron may have credit. Only the first lets a marker be issued."""

    CLEAR = "clear"
    SUSPENDED = "suspended"
    SELF_EXCLUDED = "self_excluded"

    @property
    def label(self) -> str:
        return {"clear": "in good standing", "suspended": "suspended from credit"}.get(
            self.value, "self-excluded"
        )


# Longest of each text, and whether it must be there.
_TEXTS: Final = {
    "first_name": (40, True),
    "middle_name": (40, False),
    "last_name": (40, True),
    "name_suffix": (10, False),
    "street": (80, False),
    "street_more": (80, False),
    "city": (60, False),
    "region": (40, False),
    "postal_code": (16, False),
    "player_card": (20, False),
}
_ENTITY_TEXTS: Final = {"first_name": (40, False), "last_name": (120, True)}
COLUMNS: Final = (
    *_TEXTS,
    "country",
    "born_on",
    "tax_id_kind",
    "tax_id",
    "tax_country",
    "language",
)
_CARD: Final = re.compile(r"[A-Za-z0-9-]+", re.ASCII)
_COUNTRY: Final = re.compile(r"[A-Z]{2}", re.ASCII)
_FOREIGN_ID: Final = re.compile(r"[A-Z0-9./-]{4,24}", re.ASCII)


@dataclass(frozen=True, slots=True)
class PatronFields:
    """What the house knows of a patron. Only the tax id is secret even to those who may look."""

    first_name: str
    last_name: str
    # A company or trust that someone acts for: it has a legal name and no birthday.
    is_entity: bool = False
    middle_name: str = ""
    name_suffix: str = ""
    street: str = ""
    street_more: str = ""
    city: str = ""
    region: str = ""
    postal_code: str = ""
    country: str = "US"
    born_on: date | None = None
    player_card: str = ""
    tax_id_kind: TaxIdKind | None = None
    tax_id: str = ""
    # Where they are resident for tax; a person of another country gets another form.
    tax_country: str = "US"
    # What they read what they sign in; English unless told.
    language: str = ""

    @property
    def has_address(self) -> bool:
        return bool(self.street and self.city and self.country)

    def columns(self) -> dict[str, Any]:
        """Return everything but the tax id, by the column that keeps it."""
        secret = {"tax_id", "tax_id_kind"}
        fields = self.__dataclass_fields__
        return {name: getattr(self, name) for name in fields if name not in secret}


def read_patron(keyed: Mapping[str, str], *, today: date, least_age: int) -> PatronFields:
    """Return the patron that was keyed. Raises Refused with every reason.

    >>> read_patron({"first_name": "Ana", "last_name": "Ruiz", "tax_id": "123-45-6789"},
    ...             today=date(2026, 5, 1), least_age=21).tax_id
    '123456789'
    """
    found = {column: keyed.get(column, "").strip() for column in COLUMNS}
    is_entity = keyed.get("is_entity", "") == "yes"
    refusals = []
    for column, (longest, needed) in (_TEXTS | (_ENTITY_TEXTS if is_entity else {})).items():
        text = found[column]
        if needed and not text:
            refusals.append(Refusal("field_missing", f"Enter the {_said(column)}."))
        if len(text) > longest or not is_plain(text) or not text.isprintable():
            refusals.append(
                Refusal(
                    "text_too_long",
                    f"The {_said(column)} is too long. Use {longest} characters or fewer.",
                )
            )
    if found["player_card"] and not _CARD.fullmatch(found["player_card"]):
        refusals.append(
            Refusal("card_malformed", "A player card is letters and digits. Enter it again.")
        )
    countries = {}
    for column in ("country", "tax_country"):
        countries[column] = found[column].upper() or "US"
        if not _COUNTRY.fullmatch(countries[column]):
            refusals.append(
                Refusal("country_malformed", "Write a country as two letters, such as US.")
            )
    if is_entity and (found["first_name"] or found["born_on"]):
        words = "A company has a legal name only. Leave first name and birth date empty."
        refusals.append(Refusal("entity_malformed", words))
    born_on = _read_birth(found["born_on"], today, least_age, refusals)
    read_number = _read_ein if is_entity else _read_tax_id
    kind, tax_id = read_number(found["tax_id_kind"], found["tax_id"], refusals)
    refusals += language_refusals(found["language"])
    if refusals:
        raise Refused(refusals)
    return PatronFields(
        **{column: found[column] for column in _TEXTS},
        **countries,
        is_entity=is_entity,
        born_on=born_on,
        tax_id_kind=kind,
        tax_id=tax_id,
        language=found["language"],
    )


def _said(column: str) -> str:
    return column.replace("_", " ")


def _read_birth(keyed: str, today: date, least_age: int, refusals: list[Refusal]) -> date | None:
    if not keyed:
        return None
    try:
        born_on = date.fromisoformat(keyed)
    except ValueError:
        refusals.append(Refusal("date_malformed", "Enter the date of birth as YYYY-MM-DD."))
        return None
    years = today.year - born_on.year - ((today.month, today.day) < (born_on.month, born_on.day))
    if not least_age <= years <= 120:
        refusals.append(
            Refusal("birth_unlikely", f"A patron is {least_age} or older. Read the ID again.")
        )
    return born_on


def _read_ein(keyed_kind: str, keyed: str, refusals: list[Refusal]) -> tuple[TaxIdKind | None, str]:
    """Read the number of a company: nine digits, or a foreign number."""
    if not keyed or keyed_kind == TaxIdKind.FOREIGN:
        return _read_tax_id(keyed_kind, keyed, refusals)
    number = re.sub(r"[\s-]", "", keyed)
    if not re.fullmatch(r"[0-9]{9}", number, re.ASCII):
        refusals.append(Refusal("tax_id_malformed", "An EIN has nine digits. Enter it again."))
    return TaxIdKind.EIN, number


def _read_tax_id(
    keyed_kind: str, keyed: str, refusals: list[Refusal]
) -> tuple[TaxIdKind | None, str]:
    """Read a tax id: nine digits with the groups that are really given, or a foreign number."""
    if not keyed:
        return None, ""
    if keyed_kind not in ("", *TaxIdKind):
        refusals.append(Refusal("tax_id_kind_unknown", "Choose whose number the tax id is."))
        return None, ""
    if keyed_kind == TaxIdKind.FOREIGN:
        number = re.sub(r"\s", "", keyed).upper()
        if not _FOREIGN_ID.fullmatch(number):
            refusals.append(
                Refusal(
                    "tax_id_malformed",
                    "A foreign tax ID is 4 to 24 letters and digits. Enter it again.",
                )
            )
        return TaxIdKind.FOREIGN, number
    number = re.sub(r"[\s-]", "", keyed)
    if not re.fullmatch(r"[0-9]{9}", number, re.ASCII):
        refusals.append(Refusal("tax_id_malformed", "A tax ID has nine digits. Enter it again."))
        return None, ""
    kind = TaxIdKind.ITIN if number[0] == "9" else TaxIdKind.SSN
    if keyed_kind and keyed_kind != kind:
        refusals.append(
            Refusal(
                "tax_id_malformed",
                f"{masked(number)} isn’t a valid {keyed_kind.upper()}. Check it and enter "
                "it again.",
            )
        )
    if number[:3] in ("000", "666") or number[3:5] == "00" or number[5:] == "0000":
        refusals.append(
            Refusal(
                "tax_id_malformed", ("That number was never issued. Check it and enter it again.")
            )
        )
    return kind, number


def masked(secret: str) -> str:
    """Return a number as screens show it: its last four signs, or none of a short one.

    >>> masked("123456789"), masked("12345"), masked("")
    ('•••6789', '•••', '')
    """
    if not secret:
        return ""
    return f"•••{secret[-4:]}" if len(secret) >= 8 else "•••"
