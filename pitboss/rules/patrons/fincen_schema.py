"""Which file of currency reports FinCEN takes: the shape of a CTRX batch, as data, and its check.

The schema is ours, after EFL_CTRXBatchSchema.xsd in its version 1.2 of December 17, 2021: which
element stands where, how often, and with what in it. Whatever passes here passes there. What no
casino files is left out, and what the schema only permits but the form demands is demanded. A file
that does not follow it is never given out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final
from xml.etree import ElementTree

from pitboss.rules.patrons.cash_log import Direction
from pitboss.rules.patrons.ctr import CODES

NAMESPACE: Final = "www.fincen.gov/base"
YES: Final = "Y"
_PEOPLE: Final = ("50", "17", "23")
_PER_CODE: Final = {code: kind.direction for kind, code in CODES.items()}

_MANY: Final = 999_999
_Y: Final = r"Y?"
_DAY: Final = r"(19|20)[0-9]{2}(0[1-9]|1[0-2])(0[1-9]|[12][0-9]|3[01])"
_DOLLARS: Final = r"[0-9]{1,15}"


def _text(longest: int) -> str:
    """Return words with nothing but spaces between them: a tab or a new line rejects the batch."""
    return rf"(?=.{{1,{longest}}}\Z)\S+( +\S+)*"


# What stands in an element that has no others in it.
LEAVES: Final[Mapping[str, str]] = {
    "FormTypeCode": "CTRX",
    "EFilingPriorDocumentNumber": r"[0-9]{14}",
    "FilingDateText": _DAY,
    "CorrectsAmendsPriorReportIndicator": _Y,
    "FinCENDirectBackFileIndicator": _Y,
    "InitialReportIndicator": _Y,
    "ActivityPartyTypeCode": "35|37|30|8|34|50|17|23|58",
    "BirthDateUnknownIndicator": YES,
    "EFilingCoverageBeginningDateText": _DAY,
    "EFilingCoverageEndDateText": _DAY,
    "FemaleGenderIndicator": YES,
    "IndividualBirthDateText": _DAY,
    "IndividualEntityCashInAmountText": _DOLLARS,
    "IndividualEntityCashOutAmountText": _DOLLARS,
    "MaleGenderIndicator": YES,
    "MultipleTransactionsPersonsIndividualsIndicator": YES,
    "PartyAsEntityOrganizationIndicator": YES,
    "PrimaryRegulatorTypeCode": "9|1|2|7|3|4|6|14",
    "UnknownGenderIndicator": YES,
    "EntityLastNameUnknownIndicator": YES,
    "FirstNameUnknownIndicator": YES,
    "PartyNameTypeCode": "L|AKA|DBA",
    "RawEntityIndividualLastName": _text(150),
    "RawIndividualFirstName": _text(35),
    "RawIndividualMiddleName": _text(35),
    "RawIndividualNameSuffixText": _text(35),
    "RawPartyFullName": _text(150),
    "CityUnknownIndicator": YES,
    "CountryCodeUnknownIndicator": YES,
    "RawCityText": _text(50),
    "RawCountryCodeText": r"[A-Z]{2}",
    "RawStateCodeText": r"[A-Z]{2,3}",
    "RawStreetAddress1Text": _text(100),
    "RawZIPCode": r"[A-Za-z0-9]{1,9}",
    "StateCodeUnknownIndicator": YES,
    "StreetAddressUnknownIndicator": YES,
    "ZIPCodeUnknownIndicator": YES,
    "PhoneNumberText": r"[0-9]{1,16}",
    "IdentificationPresentUnknownIndicator": YES,
    "OtherIssuerCountryText": r"[A-Z]{2}",
    "OtherIssuerStateText": r"[A-Z]{2,3}",
    "OtherPartyIdentificationTypeText": _text(50),
    "PartyIdentificationNumberText": _text(25),
    "PartyIdentificationTypeCode": "1|2|4|5|6|7|9|10|11|12|13|14|28|999",
    "TINUnknownIndicator": YES,
    "OrganizationSubtypeID": "101|102|103|1999",
    "OrganizationTypeID": "1|2|4|5|999",
    "NAICSCode": r"[0-9]{3,6}",
    "OccupationBusinessText": _text(50),
    "ElectronicAddressText": _text(517),
    "AccountNumberText": _text(40),
    "PartyAccountAssociationTypeCode": "8|9",
    "AggregateTransactionIndicator": _Y,
    "ArmoredCarServiceIndicator": _Y,
    "ATMIndicator": _Y,
    "MailDepositShipmentIndicator": _Y,
    "NightDepositIndicator": _Y,
    "SharedBranchingIndicator": _Y,
    "TotalCashInReceiveAmountText": rf"({_DOLLARS})?",
    "TotalCashOutAmountText": rf"({_DOLLARS})?",
    "TransactionDateText": _DAY,
    "CurrencyTransactionActivityDetailTypeCode": "|".join(sorted(_PER_CODE)),
    "DetailTransactionAmountText": _DOLLARS,
    "OtherCurrencyTransactionActivityDetailText": rf"({_text(50)})?",
    "OtherForeignCurrencyCountryText": r"([A-Z]{2})?",
}


def _once(*names: str) -> tuple[tuple[str, int, int], ...]:
    return tuple((name, 1, 1) for name in names)


def _maybe(*names: str) -> tuple[tuple[str, int, int], ...]:
    return tuple((name, 0, 1) for name in names)


# What stands in an element, in this order: which, at least and at most so often.
NODES: Final[Mapping[str, tuple[tuple[str, int, int], ...]]] = {
    "EFilingBatchXML": (*_once("FormTypeCode"), ("Activity", 1, _MANY)),
    "Activity": (
        *_maybe("EFilingPriorDocumentNumber"),
        *_once("FilingDateText", "ActivityAssociation"),
        ("Party", 6, 2_002),
        *_once("CurrencyTransactionActivity"),
    ),
    "ActivityAssociation": _once(
        "CorrectsAmendsPriorReportIndicator",
        "FinCENDirectBackFileIndicator",
        "InitialReportIndicator",
    ),
    "Party": (
        *_once("ActivityPartyTypeCode"),
        *_maybe(
            "BirthDateUnknownIndicator",
            "EFilingCoverageBeginningDateText",
            "EFilingCoverageEndDateText",
            "FemaleGenderIndicator",
            "IndividualBirthDateText",
            "IndividualEntityCashInAmountText",
            "IndividualEntityCashOutAmountText",
            "MaleGenderIndicator",
            "MultipleTransactionsPersonsIndividualsIndicator",
            "PartyAsEntityOrganizationIndicator",
            "PrimaryRegulatorTypeCode",
            "UnknownGenderIndicator",
        ),
        ("PartyName", 1, 2),
        *_maybe("Address", "PhoneNumber"),
        ("PartyIdentification", 0, 2),
        *_maybe(
            "OrganizationClassificationTypeSubtype",
            "PartyOccupationBusiness",
            "ElectronicAddress",
        ),
        ("Account", 0, 198),
    ),
    "PartyName": _maybe(
        "EntityLastNameUnknownIndicator",
        "FirstNameUnknownIndicator",
        "PartyNameTypeCode",
        "RawEntityIndividualLastName",
        "RawIndividualFirstName",
        "RawIndividualMiddleName",
        "RawIndividualNameSuffixText",
        "RawPartyFullName",
    ),
    "Address": _maybe(
        "CityUnknownIndicator",
        "CountryCodeUnknownIndicator",
        "RawCityText",
        "RawCountryCodeText",
        "RawStateCodeText",
        "RawStreetAddress1Text",
        "RawZIPCode",
        "StateCodeUnknownIndicator",
        "StreetAddressUnknownIndicator",
        "ZIPCodeUnknownIndicator",
    ),
    "PhoneNumber": _once("PhoneNumberText"),
    "PartyIdentification": _maybe(
        "IdentificationPresentUnknownIndicator",
        "OtherIssuerCountryText",
        "OtherIssuerStateText",
        "OtherPartyIdentificationTypeText",
        "PartyIdentificationNumberText",
        "PartyIdentificationTypeCode",
        "TINUnknownIndicator",
    ),
    "OrganizationClassificationTypeSubtype": (
        *_maybe("OrganizationSubtypeID"),
        *_once("OrganizationTypeID"),
    ),
    "PartyOccupationBusiness": _maybe("NAICSCode", "OccupationBusinessText"),
    "ElectronicAddress": _once("ElectronicAddressText"),
    "Account": _once("AccountNumberText", "PartyAccountAssociation"),
    "PartyAccountAssociation": _once("PartyAccountAssociationTypeCode"),
    "CurrencyTransactionActivity": (
        *_once(
            "AggregateTransactionIndicator",
            "ArmoredCarServiceIndicator",
            "ATMIndicator",
            "MailDepositShipmentIndicator",
            "NightDepositIndicator",
            "SharedBranchingIndicator",
            "TotalCashInReceiveAmountText",
            "TotalCashOutAmountText",
            "TransactionDateText",
        ),
        ("CurrencyTransactionActivityDetail", 1, 219),
    ),
    "CurrencyTransactionActivityDetail": _once(
        "CurrencyTransactionActivityDetailTypeCode",
        "DetailTransactionAmountText",
        "OtherCurrencyTransactionActivityDetailText",
        "OtherForeignCurrencyCountryText",
    ),
}
# Only these parties may have these elements.
_ONLY_OF: Final[Mapping[str, tuple[str, ...]]] = {
    "EFilingCoverageBeginningDateText": ("35", "37"),
    "EFilingCoverageEndDateText": ("35", "37"),
    "IndividualBirthDateText": _PEOPLE,
    "IndividualEntityCashInAmountText": ("34", *_PEOPLE),
    "IndividualEntityCashOutAmountText": ("34", *_PEOPLE),
    "MultipleTransactionsPersonsIndividualsIndicator": _PEOPLE,
    "PartyAsEntityOrganizationIndicator": ("23",),
    "PrimaryRegulatorTypeCode": ("30", "34"),
    "Address": ("35", "30", "34", *_PEOPLE),
    "PhoneNumber": ("35", "8", *_PEOPLE),
    "OrganizationClassificationTypeSubtype": ("30", "34"),
    "PartyOccupationBusiness": _PEOPLE,
    "ElectronicAddress": _PEOPLE,
    "Account": _PEOPLE,
}


def tag(name: str) -> str:
    """Return an element's name as the parser has it."""
    return f"{{{NAMESPACE}}}{name}"


def faults(content: bytes) -> list[str]:
    """Return what is wrong with a file, in the order of its elements; nothing when it is valid."""
    try:
        root = ElementTree.fromstring(content)
    except ElementTree.ParseError as error:
        return [f"not XML: {error}"]
    if root.tag != tag("EFilingBatchXML"):
        return [f"{_plain(root)} is not a batch"]
    found = list(_shape_faults(root))
    if found:
        return found
    return [*_count_faults(root), *(fault for node in root[1:] for fault in _sense_faults(node))]


def _plain(node: ElementTree.Element) -> str:
    return node.tag.removeprefix(f"{{{NAMESPACE}}}")


def _shape_faults(node: ElementTree.Element) -> Iterator[str]:
    """Yield every element that is not where, what or as often as it may be."""
    name = _plain(node)
    pattern = LEAVES.get(name)
    if pattern is not None:
        text = (node.text or "") if len(node) == 0 else "…"
        if not re.fullmatch(pattern, text):
            yield f"{name} has {text[:40]!r}"
        return
    wanted = NODES[name]
    names = [_plain(item) for item in node]
    order = {item: at for at, (item, _, _) in enumerate(wanted)}
    unknown = [item for item in names if item not in order]
    yield from (f"{item} does not belong into {name}" for item in unknown)
    if unknown:
        return
    if [order[item] for item in names] != sorted(order[item] for item in names):
        yield f"{name} is out of order"
    for item, least, most in wanted:
        if not least <= names.count(item) <= most:
            yield f"{name} has {names.count(item)} of {item}"
    for child in node:
        yield from _shape_faults(child)


def _count_faults(root: ElementTree.Element) -> Iterator[str]:
    amounts = root.findall(f".//{tag('DetailTransactionAmountText')}")
    for name, truth in (
        ("ActivityCount", len(root) - 1),
        ("PartyCount", len(root.findall(f".//{tag('Party')}"))),
        ("TotalAmount", sum(int(amount.text or 0) for amount in amounts)),
    ):
        if root.get(name) != str(truth):
            yield f"{name} is {root.get(name)}, not {truth}"
    numbers = [node.get("SeqNum") for node in root.iter() if _plain(node) in NODES][1:]
    if numbers != [str(number) for number in range(1, len(numbers) + 1)]:
        yield "SeqNum does not count up"


def _texts(node: ElementTree.Element, name: str) -> list[str]:
    return [part.text or "" for part in node.findall(f".//{tag(name)}")]


def _sense_faults(activity: ElementTree.Element) -> Iterator[str]:
    """Yield what no element says alone: who must be there, what adds up, what goes together."""
    parties = activity.findall(tag("Party"))
    codes = [_texts(party, "ActivityPartyTypeCode")[0] for party in parties]
    for code in ("35", "37", "30", "8"):
        if codes.count(code) != 1:
            yield f"{codes.count(code)} parties of type {code}"
    if "34" not in codes or not set(codes) & set(_PEOPLE):
        yield "no place or no person"
    if ("17" in codes) != ("23" in codes):
        yield "parties of type 17 and 23 go together"
    for party, code in zip(parties, codes, strict=True):
        for child in party:
            if code not in _ONLY_OF.get(_plain(child), (code,)):
                yield f"{_plain(child)} does not belong to a party of type {code}"
    marks = [_texts(activity, name)[0] for name, _, _ in NODES["ActivityAssociation"]]
    if marks.count(YES) != 1:
        yield "not one kind of report"
    if bool(marks[0]) != bool(_texts(activity, "EFilingPriorDocumentNumber")):
        yield "an amendment and nothing else names a prior report"
    yield from _sum_faults(activity)


def _sum_faults(activity: ElementTree.Element) -> Iterator[str]:
    codes = _texts(activity, "CurrencyTransactionActivityDetailTypeCode")
    amounts = _texts(activity, "DetailTransactionAmountText")
    for direction, name in (
        (Direction.IN, "TotalCashInReceiveAmountText"),
        (Direction.OUT, "TotalCashOutAmountText"),
    ):
        rows = zip(codes, amounts, strict=True)
        summed = sum(int(amount) for code, amount in rows if _PER_CODE[code] == direction)
        if int(_texts(activity, name)[0] or 0) != summed:
            yield f"{name} is not the sum of its details"
