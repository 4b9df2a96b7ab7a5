"""Form 112 by its rules: roles, whole dollars, items 3 and 24, what it lacks, and FinCEN's file."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitboss.rules.canonical import canonical
from pitboss.rules.patrons.cash_log import CashKind, Direction, told_refusals
from pitboss.rules.patrons.ctr import (
    CODES,
    UNKNOWABLE,
    CashMove,
    FilingDue,
    Party,
    PartyRole,
    ReportForm,
    bsa_refusals,
    details_of,
    form_of,
    form_refusals,
    in_roles,
    is_aggregated,
    reported,
    shares_of,
    total,
    whole_dollars,
)
from pitboss.rules.patrons.fincen import CSV_COLUMNS, Filer, as_rows, written
from pitboss.rules.patrons.fincen_schema import LEAVES, NODES, faults, tag
from pitboss.rules.tax.house import Payer

DAY = date(2026, 5, 1)
TOM = Party(
    PartyRole.OWN,
    "p1",
    in_dollars=12_000,
    last_name="Reed",
    first_name="Tom",
    middle_name="A.",
    name_suffix="Jr.",
    alias="Tommy",
    born_on="1971-03-04",
    sex="M",
    street="1 Ocean Ave",
    city="Atlantic City",
    region="NJ",
    postal_code="08401-1234",
    tax_id_code="1",
    tax_id="219099999",
    occupation="Dentist",
    naics="6212",
    phone="6095550100",
    email="tom@example.com",
    id_code="5",
    id_number="S12345",
    id_state="NJ",
    verified_how="License seen",
    account="FD-1",
)
FORM = ReportForm(DAY, (TOM,), {"18": 12_000})
PAYER = Payer(
    name="Tide Casino LLC",
    street="500 Boardwalk",
    city="Atlantic City",
    region="NJ",
    postal_code="08401",
    phone="609-555-0100",
    tin="12-3456789",
    contact="Compliance office",
    transmitter_code="PTCC1234",
)
FILER = Filer(PAYER, "101")


def file_of(*forms: ReportForm, filer: Filer = FILER) -> bytes:
    return written(forms, filer, date(2026, 5, 2))


def test_every_kind_of_cash_has_a_code_of_its_direction() -> None:
    assert set(CODES) == set(CashKind)
    assert len(set(CODES.values())) == len(CODES)


MOVES = st.lists(
    st.builds(
        CashMove,
        by=st.sampled_from(["p1", "p2", "s1"]),
        kind=st.sampled_from(list(CashKind)),
        cents=st.integers(1, 2_000_000),
        behalf=st.sampled_from(["", "p3", "p4"]),
    ),
    min_size=1,
    max_size=12,
)


@given(moves=MOVES)
def test_shares_and_details_are_those_of_a_slow_oracle(moves: list[CashMove]) -> None:
    shares = {(share.role, share.key): share for share in shares_of(moves)}
    assert len(shares) == len(shares_of(moves))
    for (role, key), share in shares.items():
        for direction, dollars in (
            (Direction.IN, share.in_dollars),
            (Direction.OUT, share.out_dollars),
        ):
            cents = 0
            for move in moves:
                if move.kind.direction != direction:
                    continue
                is_own = role == PartyRole.OWN and move.by == key and not move.behalf
                is_for = role == PartyRole.FOR_ANOTHER and move.by == key and move.behalf
                is_behalf = role == PartyRole.ON_BEHALF and move.behalf == key
                cents += move.cents if is_own or is_for or is_behalf else 0
            assert dollars == whole_dollars(cents)
    details = details_of(moves)
    for direction in Direction:
        cents = sum(move.cents for move in moves if move.kind.direction == direction)
        # Rounded up once a code, never down, and the form adds up.
        assert cents <= total(details, direction) * 100 < cents + 100 * max(1, len(details))
    assert reported(moves, {Direction.IN}) == [
        move for move in moves if move.kind.direction == Direction.IN
    ]


def test_item_3_is_of_each_person_who_had_part_in_several_of_one_direction() -> None:
    move = CashMove("p1", CashKind.BUY_IN, 1)
    assert not any(
        share.multiple for share in shares_of([move, replace(move, kind=CashKind.WIRE_IN)])
    )
    assert [share.multiple for share in shares_of([move, move])] == [True]
    # Two people who bring cash for a third: only of the third it was several.
    shared = [replace(move, behalf="p3"), replace(move, by="p2", behalf="p3")]
    assert {share.key: share.multiple for share in shares_of(shared)} == {
        "p1": False,
        "p2": False,
        "p3": True,
    }
    # Their own, and another's: they made two, in two roles.
    own = shares_of([move, replace(move, behalf="p3")])
    assert [(share.key, share.multiple) for share in own] == [
        ("p1", True),
        ("p1", True),
        ("p3", False),
    ]


def test_item_24_needs_no_one_known_and_no_transaction_over_the_limit() -> None:
    stranger = Party(PartyRole.OWN, "s1", is_identified=False)
    small = [CashMove("s1", CashKind.BUY_IN, 990_000)] * 2
    assert is_aggregated(small, [stranger], 1_000_000)
    assert not is_aggregated(small, [stranger, TOM], 1_000_000)
    assert not is_aggregated([CashMove("s1", CashKind.BUY_IN, 1_000_001)], [stranger], 1_000_000)


def test_a_form_comes_back_from_its_plain_values() -> None:
    form = replace(FORM, parties=(replace(TOM, unknown=("id",)),))
    assert not form.multiple
    assert replace(form, parties=(TOM, replace(TOM, multiple=True))).multiple
    assert form_of(json.loads(canonical(form.as_json()))) == form
    assert [
        role.role.value for role in in_roles(TOM, shares_of([CashMove("p1", CashKind.WAGER, 1)]))
    ]


LACKS: list[tuple[str, dict[str, Any]]] = [
    ("ctr_item_missing", {"street": ""}),
    ("ctr_item_missing", {"born_on": ""}),
    ("ctr_item_missing", {"tax_id": ""}),
    ("ctr_item_missing", {"id_number": ""}),
    ("ctr_item_missing", {"occupation": ""}),
    ("ctr_item_missing", {"first_name": ""}),
    ("ctr_item_missing", {"verified_how": ""}),
    ("ctr_item_missing", {"id_code": "999"}),
    ("second_document_missing", {"id_code": "6"}),
    # Somebody whom the house knows still showed a document with a number at some time.
    ("id_number_missing", {"id_code": "", "id_number": "", "unknown": ("id",)}),
    ("ctr_item_malformed", {"region": "New Jersey"}),
    ("ctr_item_malformed", {"naics": "12"}),
    ("ctr_item_malformed", {"phone": "609-555"}),
    ("ctr_item_malformed", {"email": "tom"}),
    ("ctr_item_malformed", {"occupation": "x" * 51}),
    ("ctr_item_malformed", {"alias": "a\nb"}),
]


@pytest.mark.parametrize(("code", "changed"), LACKS)
def test_one_change_is_one_thing_that_a_form_lacks(code: str, changed: dict[str, Any]) -> None:
    assert form_refusals(FORM) == []
    form = replace(FORM, parties=(replace(TOM, **changed),))
    assert [refusal.code for refusal in form_refusals(form)] == [code]


def test_what_is_stated_as_not_known_is_not_missing() -> None:
    bare = Party(PartyRole.OWN, "p1", last_name="Reed", first_name="Tom")
    assert len(form_refusals(replace(FORM, parties=(bare,)))) == 5
    told = replace(bare, unknown=tuple(UNKNOWABLE))
    assert form_refusals(replace(FORM, parties=(told,))) == []
    stranger = Party(PartyRole.OWN, "s1", is_identified=False)
    assert form_refusals(replace(FORM, parties=(stranger,))) == []
    assert (stranger.name, TOM.name) == ("Not known", "Tom A. Reed Jr.")


def test_a_company_needs_no_birthday_and_its_owner_no_id() -> None:
    company = Party(
        PartyRole.ON_BEHALF,
        "p2",
        is_entity=True,
        last_name="Acme LLC",
        street="1 Mill Rd",
        city="Reno",
        tax_id_code="2",
        tax_id="127654321",
        occupation="Poultry",
        alias="Acme",
    )
    assert form_refusals(replace(FORM, parties=(TOM, company))) == []


def test_an_amendment_names_the_report_before() -> None:
    form = replace(FORM, amends=True)
    assert [refusal.code for refusal in form_refusals(form)] == ["prior_missing"]
    assert form_refusals(replace(form, prior_bsa_id="31000000000123")) == []


def test_days_left_and_what_is_entered_of_a_filing() -> None:
    assert FilingDue(DAY, DAY).days_left == 0
    assert next(party_role.label for party_role in PartyRole) == "on own behalf"
    codes = [refusal.code for refusal in bsa_refusals("1", None, DAY, DAY)]
    assert codes == ["bsa_id_malformed", "date_missing"]
    early = bsa_refusals("31000000000123", date(2026, 4, 30), DAY, DAY)
    assert [refusal.code for refusal in early] == ["date_impossible"]
    assert bsa_refusals("31000000000123", DAY, DAY, DAY) == []


def test_words_of_cash() -> None:
    assert told_refusals(CashKind.FOREIGN_OUT, "MX") == []
    assert told_refusals(CashKind.BUY_IN, "") == []
    for kind, told in ((CashKind.BUY_IN, "x"), (CashKind.OTHER_OUT, ""), (CashKind.OTHER_IN, "\n")):
        assert [refusal.code for refusal in told_refusals(kind, told)] == ["told_malformed"]


def test_a_file_is_valid_whoever_is_in_it() -> None:
    stranger = Party(PartyRole.OWN, "s1", in_dollars=19_800, is_identified=False)
    jane = replace(TOM, role=PartyRole.ON_BEHALF, key="p2", sex="F", region="", naics="")
    company = Party(
        PartyRole.ON_BEHALF, "p3", out_dollars=5, is_entity=True, last_name="Acme", alias="A"
    )
    bare = replace(TOM, occupation="", naics="", email="", phone="", account="", alias="")
    forms = (
        FORM,
        replace(FORM, parties=(replace(stranger, multiple=True),), aggregated=True),
        replace(
            FORM,
            parties=(replace(TOM, role=PartyRole.FOR_ANOTHER), jane, company),
            amends=True,
            prior_bsa_id="31000000000123",
        ),
        replace(FORM, parties=(bare,), details={"28": 5, "53 CA": 7, "998 Race book": 3}),
    )
    content = file_of(*forms, filer=Filer(replace(PAYER, trade_name="Tide"), "102"))
    assert faults(content) == []
    assert content == file_of(*forms, filer=Filer(replace(PAYER, trade_name="Tide"), "102"))
    root = ElementTree.fromstring(content)
    assert (root.get("ActivityCount"), root.get("TotalAmount")) == ("4", "36015")
    rows = list(csv.DictReader(io.StringIO(as_rows(forms))))
    assert list(rows[0]) == list(CSV_COLUMNS)
    assert [row["role"] for row in rows] == ["50", "50", "17", "23", "23", "50"]


def changed(act: Callable[[ElementTree.Element], object]) -> list[str]:
    """Return what is wrong with a good file in which one thing was changed."""
    root = ElementTree.fromstring(file_of(FORM))
    act(root)
    return faults(ElementTree.tostring(root))


def find(root: ElementTree.Element, name: str) -> ElementTree.Element:
    found = root.find(f".//{tag(name)}")
    assert found is not None
    return found


def put(name: str, text: str) -> Callable[[ElementTree.Element], object]:
    return lambda root: setattr(find(root, name), "text", text)


def detail_first(root: ElementTree.Element) -> None:
    """Put the detail of a transaction before all else that it holds."""
    activity = find(root, "CurrencyTransactionActivity")
    activity.insert(0, find(root, "CurrencyTransactionActivityDetail"))
    del activity[-1]


FAULTS: list[tuple[str, Callable[[ElementTree.Element], object]]] = [
    ("FormTypeCode has 'SARX'", put("FormTypeCode", "SARX")),
    ("TransactionDateText has '20261301'", put("TransactionDateText", "20261301")),
    ("NAICSCode has 'x'", put("NAICSCode", "x")),
    ("RawCityText has ' Reno'", put("RawCityText", " Reno")),
    ("RawCityText has 'Las\\tVegas'", put("RawCityText", "Las\tVegas")),
    (f"RawCityText has '{'R' * 40}'", put("RawCityText", "R" * 51)),
    ("OrganizationTypeID has '12'", put("OrganizationTypeID", "12")),
    (
        "FormTypeCode has '…'",
        lambda root: ElementTree.SubElement(find(root, "FormTypeCode"), tag("Party")),
    ),
    (
        "Surprise does not belong into Activity",
        lambda root: ElementTree.SubElement(find(root, "Activity"), tag("Surprise")),
    ),
    (
        "CurrencyTransactionActivity is out of order",
        detail_first,
    ),
    (
        "Activity has 0 of FilingDateText",
        lambda root: find(root, "Activity").remove(find(root, "FilingDateText")),
    ),
    ("ActivityCount is 2, not 1", lambda root: root.set("ActivityCount", "2")),
    ("SeqNum does not count up", lambda root: find(root, "Party").set("SeqNum", "9")),
    ("2 parties of type 37", put("ActivityPartyTypeCode", "37")),
    ("not one kind of report", put("InitialReportIndicator", "")),
    (
        "an amendment and nothing else names a prior report",
        lambda root: (
            put("CorrectsAmendsPriorReportIndicator", "Y")(root),
            put("InitialReportIndicator", "")(root),
        ),
    ),
    (
        "TotalCashInReceiveAmountText is not the sum of its details",
        put("TotalCashInReceiveAmountText", "1"),
    ),
    (
        "parties of type 17 and 23 go together",
        lambda root: setattr(root.findall(f".//{tag('ActivityPartyTypeCode')}")[-1], "text", "17"),
    ),
    (
        "no place or no person",
        lambda root: setattr(root.findall(f".//{tag('ActivityPartyTypeCode')}")[-1], "text", "34"),
    ),
    (
        "EFilingCoverageBeginningDateText does not belong to a party of type 30",
        put("ActivityPartyTypeCode", "30"),
    ),
]


@pytest.mark.parametrize(("said", "act"), FAULTS)
def test_one_change_is_one_fault(said: str, act: Callable[[ElementTree.Element], object]) -> None:
    assert said in changed(act)


def test_words_may_have_spaces_between_them_up_to_the_length_of_their_element() -> None:
    for city in ("Reno", "Las  Vegas", "R", "R" * 50):
        assert changed(put("RawCityText", city)) == []


def test_what_is_no_batch_is_said() -> None:
    assert faults(b"<x")[0].startswith("not XML")
    assert faults(b"<x/>") == ["x is not a batch"]


def test_every_element_of_the_schema_is_described() -> None:
    named = {child for children in NODES.values() for child, _, _ in children}
    assert named <= {*LEAVES, *NODES}
    assert set(LEAVES) <= named


def test_who_may_transmit() -> None:
    assert PAYER.may_transmit
    assert not replace(PAYER, contact="").may_transmit
