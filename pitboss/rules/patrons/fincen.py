"""A batch of currency reports written as FinCEN publishes its file, and the same as CSV."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import count
from typing import Final
from xml.etree import ElementTree

from pitboss.rules.patrons.ctr import Party, ReportForm
from pitboss.rules.patrons.fincen_schema import NAMESPACE, YES, tag
from pitboss.rules.tax.house import Payer

_XSI: Final = "http://www.w3.org/2001/XMLSchema-instance"
_LOCATION: Final = (
    "www.fincen.gov/base https://www.fincen.gov/sites/default/files/schema/base/"
    "EFL_CTRXBatchSchema.xsd"
)
CASINO: Final = "1"
_IRS: Final = "7"


@dataclass(frozen=True, slots=True)
class Filer:
    """The house as the file names it."""

    payer: Payer
    institution: str


def written(forms: Sequence[ReportForm], filer: Filer, on: date) -> bytes:
    """Return the XML of a batch. The same forms on the same day are the same bytes."""
    ElementTree.register_namespace("fc2", NAMESPACE)
    root = ElementTree.Element(tag("EFilingBatchXML"))
    _leaf(root, "FormTypeCode", "CTRX")
    numbers = count(1)
    for form in forms:
        _activity(root, form, filer, on, numbers)
    parties = root.findall(f".//{tag('Party')}")
    root.set("ActivityCount", str(len(forms)))
    root.set("PartyCount", str(len(parties)))
    root.set("TotalAmount", str(sum(sum(form.details.values()) for form in forms)))
    root.set(f"{{{_XSI}}}schemaLocation", _LOCATION)
    ElementTree.indent(root)
    content: bytes = ElementTree.tostring(root, encoding="UTF-8", xml_declaration=True)
    return content + b"\n"


def _leaf(parent: ElementTree.Element, name: str, text: str) -> None:
    ElementTree.SubElement(parent, tag(name)).text = text


def _some(parent: ElementTree.Element, leaves: Mapping[str, str]) -> None:
    """Write the leaves that have something in them."""
    for name, text in leaves.items():
        if text:
            _leaf(parent, name, text)


def _node(parent: ElementTree.Element, name: str, numbers: Iterator[int]) -> ElementTree.Element:
    return ElementTree.SubElement(parent, tag(name), SeqNum=str(next(numbers)))


def _day(day: date) -> str:
    return f"{day:%Y%m%d}"


def _yes(holds: object) -> str:
    return YES if holds else ""


def _activity(
    root: ElementTree.Element, form: ReportForm, filer: Filer, on: date, numbers: Iterator[int]
) -> None:
    activity = _node(root, "Activity", numbers)
    _some(activity, {"EFilingPriorDocumentNumber": form.prior_bsa_id if form.amends else ""})
    _leaf(activity, "FilingDateText", _day(on))
    kind = _node(activity, "ActivityAssociation", numbers)
    _leaf(kind, "CorrectsAmendsPriorReportIndicator", _yes(form.amends))
    _leaf(kind, "FinCENDirectBackFileIndicator", "")
    _leaf(kind, "InitialReportIndicator", _yes(not form.amends))
    _house_parties(activity, form, filer, on, numbers)
    for party in form.parties:
        _person(activity, party, numbers)
    cash = _node(activity, "CurrencyTransactionActivity", numbers)
    _leaf(cash, "AggregateTransactionIndicator", _yes(form.aggregated))
    for name in ("ArmoredCarService", "ATM", "MailDepositShipment", "NightDeposit"):
        _leaf(cash, f"{name}Indicator", "")
    _leaf(cash, "SharedBranchingIndicator", "")
    _leaf(cash, "TotalCashInReceiveAmountText", str(form.in_dollars or ""))
    _leaf(cash, "TotalCashOutAmountText", str(form.out_dollars or ""))
    _leaf(cash, "TransactionDateText", _day(form.gaming_day))
    for detail, dollars in form.details.items():
        code, _, told = detail.partition(" ")
        row = _node(cash, "CurrencyTransactionActivityDetail", numbers)
        _leaf(row, "CurrencyTransactionActivityDetailTypeCode", code)
        _leaf(row, "DetailTransactionAmountText", str(dollars))
        _leaf(row, "OtherCurrencyTransactionActivityDetailText", told if code > "9" else "")
        _leaf(row, "OtherForeignCurrencyCountryText", told if code < "9" else "")


def _house_parties(
    activity: ElementTree.Element, form: ReportForm, filer: Filer, on: date, numbers: Iterator[int]
) -> None:
    """Write who sends the file, whom to ask, and where the cash changed hands."""
    payer = filer.payer
    tin = payer.tin.replace("-", "")
    phone = re.sub(r"[^0-9]", "", payer.phone)
    for code, name in (("35", payer.name), ("37", payer.contact)):
        party = _node(activity, "Party", numbers)
        _leaf(party, "ActivityPartyTypeCode", code)
        _leaf(party, "EFilingCoverageBeginningDateText", _day(form.gaming_day))
        _leaf(party, "EFilingCoverageEndDateText", _day(on))
        _full_name(party, name, numbers)
        if code == "35":
            _house_address(party, payer, numbers)
            _leaf(_node(party, "PhoneNumber", numbers), "PhoneNumberText", phone)
            _number(party, tin, "4", numbers)
            _number(party, payer.transmitter_code, "28", numbers)
    _institution(activity, "30", filer, {}, numbers)
    contact = _node(activity, "Party", numbers)
    _leaf(contact, "ActivityPartyTypeCode", "8")
    _full_name(contact, payer.contact, numbers)
    _leaf(_node(contact, "PhoneNumber", numbers), "PhoneNumberText", phone)
    sums = {
        "IndividualEntityCashInAmountText": str(form.in_dollars or ""),
        "IndividualEntityCashOutAmountText": str(form.out_dollars or ""),
    }
    _institution(activity, "34", filer, sums, numbers)


def _institution(
    activity: ElementTree.Element,
    code: str,
    filer: Filer,
    sums: Mapping[str, str],
    numbers: Iterator[int],
) -> None:
    party = _node(activity, "Party", numbers)
    _leaf(party, "ActivityPartyTypeCode", code)
    _some(party, sums)
    _leaf(party, "PrimaryRegulatorTypeCode", _IRS)
    _full_name(party, filer.payer.name, numbers)
    if filer.payer.trade_name:
        _full_name(party, filer.payer.trade_name, numbers, "DBA")
    _house_address(party, filer.payer, numbers)
    _number(party, filer.payer.tin.replace("-", ""), "2", numbers)
    kind = _node(party, "OrganizationClassificationTypeSubtype", numbers)
    _leaf(kind, "OrganizationSubtypeID", filer.institution)
    _leaf(kind, "OrganizationTypeID", CASINO)


def _full_name(
    party: ElementTree.Element, name: str, numbers: Iterator[int], kind: str = "L"
) -> None:
    found = _node(party, "PartyName", numbers)
    _leaf(found, "PartyNameTypeCode", kind)
    _leaf(found, "RawPartyFullName", name)


def _house_address(party: ElementTree.Element, payer: Payer, numbers: Iterator[int]) -> None:
    address = _node(party, "Address", numbers)
    _leaf(address, "RawCityText", payer.city)
    _leaf(address, "RawCountryCodeText", "US")
    _leaf(address, "RawStateCodeText", payer.region)
    _leaf(address, "RawStreetAddress1Text", payer.street)
    _leaf(address, "RawZIPCode", payer.postal_code.replace("-", ""))


def _number(party: ElementTree.Element, number: str, code: str, numbers: Iterator[int]) -> None:
    found = _node(party, "PartyIdentification", numbers)
    _leaf(found, "PartyIdentificationNumberText", number)
    _leaf(found, "PartyIdentificationTypeCode", code)


def _person(activity: ElementTree.Element, party: Party, numbers: Iterator[int]) -> None:
    """Write one Part I."""
    node = _node(activity, "Party", numbers)
    is_person = not party.is_entity
    is_born = bool(party.born_on)
    _leaf(node, "ActivityPartyTypeCode", party.role.value)
    _some(
        node,
        {
            "BirthDateUnknownIndicator": _yes(is_person and not is_born),
            "FemaleGenderIndicator": _yes(is_person and party.sex == "F"),
            "IndividualBirthDateText": party.born_on.replace("-", "") if is_person else "",
            "IndividualEntityCashInAmountText": str(party.in_dollars or ""),
            "IndividualEntityCashOutAmountText": str(party.out_dollars or ""),
            "MaleGenderIndicator": _yes(is_person and party.sex == "M"),
            "MultipleTransactionsPersonsIndividualsIndicator": _yes(party.multiple),
            "PartyAsEntityOrganizationIndicator": _yes(party.is_entity),
            "UnknownGenderIndicator": _yes(is_person and not party.sex),
        },
    )
    _names(node, party, numbers)
    _address(_node(node, "Address", numbers), party)
    if party.phone:
        _leaf(_node(node, "PhoneNumber", numbers), "PhoneNumberText", party.phone)
    _identification(node, party, numbers)
    if party.occupation or party.naics:
        work = _node(node, "PartyOccupationBusiness", numbers)
        _some(work, {"NAICSCode": party.naics, "OccupationBusinessText": party.occupation})
    if party.email:
        _leaf(_node(node, "ElectronicAddress", numbers), "ElectronicAddressText", party.email)
    for dollars, code in ((party.in_dollars, "8"), (party.out_dollars, "9")):
        if party.account and dollars:
            account = _node(node, "Account", numbers)
            _leaf(account, "AccountNumberText", party.account)
            link = _node(account, "PartyAccountAssociation", numbers)
            _leaf(link, "PartyAccountAssociationTypeCode", code)


def _names(node: ElementTree.Element, party: Party, numbers: Iterator[int]) -> None:
    name = _node(node, "PartyName", numbers)
    no_first = not party.first_name and not party.is_entity
    _some(
        name,
        {
            "EntityLastNameUnknownIndicator": _yes(not party.last_name),
            "FirstNameUnknownIndicator": _yes(no_first),
            "PartyNameTypeCode": "L",
            "RawEntityIndividualLastName": party.last_name,
            "RawIndividualFirstName": party.first_name,
            "RawIndividualMiddleName": party.middle_name,
            "RawIndividualNameSuffixText": party.name_suffix,
        },
    )
    if party.alias:
        other = _node(node, "PartyName", numbers)
        _leaf(other, "PartyNameTypeCode", "DBA" if party.is_entity else "AKA")
        _leaf(other, "RawEntityIndividualLastName", party.alias)


def _address(node: ElementTree.Element, party: Party) -> None:
    knows = party.has_address
    is_state = knows and len(party.region) in (2, 3) and party.region.isupper()
    zip_code = re.sub(r"[^A-Za-z0-9]", "", party.postal_code)[:9] if knows else ""
    _some(
        node,
        {
            "CityUnknownIndicator": _yes(not knows),
            "CountryCodeUnknownIndicator": _yes(not knows),
            "RawCityText": party.city if knows else "",
            "RawCountryCodeText": party.country if knows else "",
            "RawStateCodeText": party.region if is_state else "",
            "RawStreetAddress1Text": party.street if knows else "",
            "RawZIPCode": zip_code,
            "StateCodeUnknownIndicator": _yes(not is_state),
            "StreetAddressUnknownIndicator": _yes(not knows),
            "ZIPCodeUnknownIndicator": _yes(not zip_code),
        },
    )


def _identification(node: ElementTree.Element, party: Party, numbers: Iterator[int]) -> None:
    tax = _node(node, "PartyIdentification", numbers)
    if party.tax_id:
        _leaf(tax, "PartyIdentificationNumberText", party.tax_id)
        _leaf(tax, "PartyIdentificationTypeCode", party.tax_id_code)
    else:
        _leaf(tax, "TINUnknownIndicator", YES)
    shown = _node(node, "PartyIdentification", numbers)
    has_id = bool(party.id_code and party.id_number)
    _some(
        shown,
        {
            "IdentificationPresentUnknownIndicator": _yes(not has_id),
            "OtherIssuerCountryText": party.id_country if has_id else "",
            "OtherIssuerStateText": party.id_state if has_id else "",
            "OtherPartyIdentificationTypeText": party.id_other if has_id else "",
            "PartyIdentificationNumberText": party.id_number if has_id else "",
            "PartyIdentificationTypeCode": party.id_code if has_id else "",
        },
    )


CSV_COLUMNS: Final = (
    "report",
    "gaming_day",
    "amends",
    "prior_bsa_id",
    "total_in",
    "total_out",
    "details",
    "multiple",
    "aggregated",
    "role",
    "entity",
    "last_name",
    "first_name",
    "middle_name",
    "name_suffix",
    "alias",
    "born_on",
    "sex",
    "street",
    "city",
    "region",
    "postal_code",
    "country",
    "tax_id_code",
    "tax_id",
    "occupation",
    "naics",
    "phone",
    "email",
    "id_code",
    "id_number",
    "id_state",
    "id_country",
    "id_other",
    "verified_how",
    "verified_by",
    "second_document",
    "account",
    "cash_in",
    "cash_out",
)


def as_rows(forms: Iterable[ReportForm]) -> str:
    """Return the same batch as CSV: a line for each person of each report."""
    text = io.StringIO()
    table = csv.DictWriter(text, CSV_COLUMNS, extrasaction="ignore", lineterminator="\r\n")
    table.writeheader()
    for number, form in enumerate(forms, 1):
        details = "; ".join(f"{code}={dollars}" for code, dollars in form.details.items())
        for party in form.parties:
            table.writerow(
                {
                    **{name: getattr(party, name, "") for name in CSV_COLUMNS},
                    "report": number,
                    "gaming_day": form.gaming_day.isoformat(),
                    "amends": _yes(form.amends),
                    "prior_bsa_id": form.prior_bsa_id,
                    "total_in": form.in_dollars,
                    "total_out": form.out_dollars,
                    "details": details,
                    "multiple": _yes(party.multiple),
                    "aggregated": _yes(form.aggregated),
                    "role": party.role.value,
                    "entity": _yes(party.is_entity),
                    "cash_in": party.in_dollars,
                    "cash_out": party.out_dollars,
                }
            )
    return text.getvalue()
