"""IDs by the text of their barcode: AAMVA cards old and new, and what is none."""

from __future__ import annotations

from datetime import date

import pytest

from pitboss.rules.patrons.id_scan import SCAN_MAX, read_id
from pitboss.rules.patrons.patrons import DocumentKind
from pitboss.rules.refusal import Refused

HEAD = "@\n\x1e\rANSI 636036080002DL00410200ZN02410033DL"
CARD = (
    f"{HEAD}DAQR12345678901234\nDCSO'NEIL\nDDEN\nDACTOM\nDDFN\nDADALAN\nDDGN\nDCUJR\nDCAD\n"
    "DBD05012022\nDBB03041971\nDBA03042030\nDBC1\nDAG1 OCEAN AVE\nDAHAPT 2\nDAIATLANTIC CITY\n"
    "DAJNJ\nDAK084011234  \nDCGUSA\nDCK99\r"
)


def test_a_card_of_today_fills_the_file_and_is_an_id_itself() -> None:
    found = read_id(CARD)
    assert found.fields == {
        "last_name": "O'Neil",
        "first_name": "Tom",
        "middle_name": "Alan",
        "name_suffix": "Jr",
        "street": "1 Ocean Ave",
        "street_more": "Apt 2",
        "city": "Atlantic City",
        "region": "NJ",
        "postal_code": "08401-1234",
        "country": "US",
        "born_on": "1971-03-04",
    }
    assert (found.kind, found.number, found.issuer) == (
        DocumentKind.DRIVING_LICENCE,
        "R12345678901234",
        "NJ",
    )
    assert (found.expires_on, found.sex) == (date(2030, 3, 4), "M")


def test_a_wedge_may_send_other_line_ends() -> None:
    assert read_id(CARD.replace("\n", "\r\n")) == read_id(CARD)
    assert read_id(CARD.replace("\x1e", "").replace("\n", "\r")) == read_id(CARD)


@pytest.mark.parametrize(
    ("data", "names"),
    [
        ("DAAREED,ANN,MARIE", ("Reed", "Ann", "Marie")),
        ("DAAREED", ("Reed", None, None)),
        ("DABREED\nDACANN", ("Reed", "Ann", None)),
        ("DCSREED\nDCTANN MARIE", ("Reed", "Ann", "Marie")),
        ("DCSREED\nDACANN\nDADNONE", ("Reed", "Ann", None)),
    ],
)
def test_names_of_older_cards(data: str, names: tuple[str | None, ...]) -> None:
    fields = read_id(f"{HEAD.replace('DL', 'ID')}DAQ1\n{data}").fields
    assert tuple(map(fields.get, ("last_name", "first_name", "middle_name"))) == names


def test_a_state_id_and_a_canadian_card() -> None:
    card = HEAD.replace("DL", "ID") + "DAQ1\nDCSROY\nDACLUC\nDAKH2X 1Y4\nDCGCAN\nDBB19710304\nDBC2"
    found = read_id(card)
    assert (found.kind, found.issuer, found.sex) == (DocumentKind.STATE_ID, "CA", "F")
    assert (found.fields["postal_code"], found.fields["country"]) == ("H2X 1Y4", "CA")
    assert read_id(card.replace("19710304", "13451971")).fields.get("born_on") is None


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "scan_unreadable"),
        ("70014412", "scan_unreadable"),
        (CARD + "x" * SCAN_MAX, "scan_unreadable"),
        (HEAD + "DCSREED", "scan_incomplete"),
        (HEAD + "DAQ1", "scan_incomplete"),
    ],
)
def test_what_is_no_id_is_refused(text: str, code: str) -> None:
    with pytest.raises(Refused) as error:
        read_id(text)
    assert error.value.codes == (code,)
