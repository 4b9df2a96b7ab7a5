"""Reading a patron as keyed: the baseline is taken, and each single fault is named."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from pitboss.rules.patrons.patrons import DocumentKind, Standing, TaxIdKind, masked, read_patron
from pitboss.rules.refusal import Refused

TODAY = date(2026, 5, 1)
ANA = {
    "first_name": " Ana ",
    "last_name": "Ruiz",
    "street": "1 Ocean Ave",
    "city": "Atlantic City",
    "region": "NJ",
    "postal_code": "08401",
    "born_on": "1980-05-01",
    "player_card": "PC-1001",
    "tax_id": "123-45-6789",
}


def test_a_patron_is_read_as_keyed() -> None:
    ana = read_patron(ANA, today=TODAY, least_age=21)
    assert (ana.first_name, ana.country, ana.tax_country) == ("Ana", "US", "US")
    assert (ana.tax_id_kind, ana.tax_id) == (TaxIdKind.SSN, "123456789")
    assert ana.has_address
    assert "tax_id" not in ana.columns()
    assert ana.columns()["born_on"] == date(1980, 5, 1)


def test_a_name_is_enough() -> None:
    ana = read_patron({"first_name": "Ana", "last_name": "Ruiz"}, today=TODAY, least_age=21)
    assert not ana.has_address
    for needed in ("street", "city"):
        assert not read_patron({**ANA, needed: ""}, today=TODAY, least_age=21).has_address
    assert (ana.tax_id_kind, ana.born_on) == (None, None)


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"first_name": " "}, "field_missing"),
        ({"last_name": ""}, "field_missing"),
        ({"last_name": "R" * 41}, "text_too_long"),
        ({"street": "1 Ocean\x00Ave"}, "text_too_long"),
        ({"player_card": "PC 1001"}, "card_malformed"),
        ({"country": "USA"}, "country_malformed"),
        ({"tax_country": "1"}, "country_malformed"),
        ({"born_on": "1.5.1980"}, "date_malformed"),
        ({"born_on": "2005-05-02"}, "birth_unlikely"),
        ({"born_on": "1905-05-01"}, "birth_unlikely"),
        ({"tax_id": "123-45-678"}, "tax_id_malformed"),
        ({"tax_id": "000-45-6789"}, "tax_id_malformed"),
        ({"tax_id": "123-00-6789"}, "tax_id_malformed"),
        ({"tax_id": "123-45-0000"}, "tax_id_malformed"),
        ({"tax_id": "666-45-6789"}, "tax_id_malformed"),
        ({"tax_id_kind": "itin"}, "tax_id_malformed"),
        ({"tax_id_kind": "badge"}, "tax_id_kind_unknown"),
        ({"tax_id_kind": "foreign", "tax_id": "x"}, "tax_id_malformed"),
    ],
)
def test_each_fault_is_named(change: dict[str, str], code: str) -> None:
    with pytest.raises(Refused) as caught:
        read_patron({**ANA, **change}, today=TODAY, least_age=21)
    assert caught.value.codes == (code,)


def test_a_patron_turns_twenty_one_on_the_day() -> None:
    for born_on in ("2005-05-01", "1905-05-02"):
        read = read_patron({**ANA, "born_on": born_on}, today=TODAY, least_age=21)
        assert read.born_on == date.fromisoformat(born_on)


def test_where_eighteen_is_enough_it_is() -> None:
    young = {**ANA, "born_on": "2008-05-01"}
    assert read_patron(young, today=TODAY, least_age=18).born_on == date(2008, 5, 1)


def test_a_number_of_another_kind_is_told_apart() -> None:
    assert (
        read_patron({**ANA, "tax_id": "900-70-1234"}, today=TODAY, least_age=21).tax_id_kind
        is TaxIdKind.ITIN
    )
    foreign = {**ANA, "tax_id_kind": "foreign", "tax_id": "ruiz 80 05-01"}
    assert read_patron(foreign, today=TODAY, least_age=21).tax_id == "RUIZ8005-01"


def test_a_mask_never_tells_a_short_number() -> None:
    assert [masked(number) for number in ("1234567", "12345678", "")] == ["•••", "•••5678", ""]


def test_only_identity_papers_prove_identity() -> None:
    proving = {kind for kind in DocumentKind if kind.proves_identity}
    assert proving == set(DocumentKind) - {
        DocumentKind.PHOTO,
        DocumentKind.SIGNATURE,
        DocumentKind.BANK_ACCOUNT,
    }
    assert {kind for kind in DocumentKind if kind.is_picture} == {
        DocumentKind.PHOTO,
        DocumentKind.SIGNATURE,
    }
    assert DocumentKind.STATE_ID.label == "state ID card"
    assert DocumentKind.PASSPORT.label == "passport"


def test_each_standing_has_its_words() -> None:
    assert [standing.label for standing in Standing] == [
        "in good standing",
        "suspended from credit",
        "self-excluded",
    ]


def test_a_company_has_a_legal_name_and_an_ein() -> None:
    def read(**keyed: str) -> Any:
        given = {"is_entity": "yes", "last_name": "Acme Poultry LLC", "tax_id": "12-7654321"}
        return read_patron({**given, **keyed}, today=date(2026, 5, 1), least_age=21)

    acme = read()
    assert (acme.is_entity, acme.tax_id_kind, acme.tax_id) == (True, TaxIdKind.EIN, "127654321")
    assert read(tax_id="").tax_id_kind is None
    assert read(tax_id="DE-1234", tax_id_kind="foreign").tax_id_kind is TaxIdKind.FOREIGN
    for keyed, code in (
        ({"first_name": "Ann"}, "entity_malformed"),
        ({"born_on": "1980-01-01"}, "entity_malformed"),
        ({"tax_id": "12"}, "tax_id_malformed"),
        ({"last_name": "x" * 121}, "text_too_long"),
    ):
        with pytest.raises(Refused) as error:
            read(**keyed)
        assert error.value.codes == (code,)
