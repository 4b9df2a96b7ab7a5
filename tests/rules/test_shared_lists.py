"""A list that another house signed: what is read of it, and each reason why it is refused."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime
from typing import Any

import pytest

from pitboss.rules.canonical import canonical
from pitboss.rules.group.signing import Purpose, mark_of, public_key, sign_text
from pitboss.rules.patrons.exclusion import ListKind
from pitboss.rules.patrons.exclusion_lists import Listed
from pitboss.rules.patrons.shared_lists import (
    SharedList,
    TrustedHouses,
    read_shared,
    text_of,
)
from pitboss.rules.refusal import Refused

SEED = "07" * 32
KEY = public_key(SEED)
AT = datetime(2026, 5, 3, 9, tzinfo=UTC)
ANA = Listed(
    "HB-1",
    "Ruiz",
    "Ana",
    aliases=("Anna R.", "A. Ruiz"),
    born_on=date(1980, 2, 3),
    ssn="6789",
    address="12 Elm",
    description="Card marking",
    from_on=date(2026, 1, 1),
    until_on=date(2027, 1, 1),
)
ZED = Listed("HB-2", "Zorn")


def file_of(text: str, *, key: str = KEY, seed: str = SEED) -> bytes:
    signature = sign_text(seed, Purpose.LIST, text)
    said = {"text": text, "key_mark": mark_of(key), "signature": signature}
    return json.dumps(said).encode()


def said(*people: Listed, **changed: Any) -> str:
    text = text_of(house="Lakeside", kind=ListKind.HOUSE_BAN, made_at=AT, people=people)
    return canonical(json.loads(text) | changed)


def read(content: bytes, kind: ListKind = ListKind.HOUSE_BAN) -> SharedList:
    return read_shared(content, kind=kind, trusted={"lakeside": KEY})


def codes(content: bytes, kind: ListKind = ListKind.HOUSE_BAN) -> tuple[str, ...]:
    with pytest.raises(Refused) as caught:
        read(content, kind)
    return caught.value.codes


def test_a_list_is_read_as_it_was_signed_by_ids_that_name_its_source() -> None:
    found = read(file_of(said(ANA, ZED)))
    assert (found.source, found.house, found.made_at) == ("lakeside", "Lakeside", AT)
    ana, zed = found.people
    assert (ana.external_id, zed.external_id) == ("@lakeside/HB-1", "@lakeside/HB-2")
    assert (ana.aliases, ana.born_on, ana.until_on) == (ANA.aliases, ANA.born_on, ANA.until_on)
    assert read(file_of(said())).people == ()


def test_a_long_id_is_named_by_its_digest() -> None:
    long = Listed("X" * 40, "Ruiz")
    (found,) = read(file_of(said(long))).people
    assert found.external_id.startswith("@lakeside/")
    assert len(found.external_id) == 30


def test_a_file_without_proof_is_refused() -> None:
    assert codes(file_of(said(ANA), key=public_key("08" * 32))) == ("unknown_key",)
    assert codes(file_of(said(ANA), seed="08" * 32)) == ("signature_wrong",)
    assert codes(file_of(said(ANA)), ListKind.TRESPASS) == ("other_list",)


@pytest.mark.parametrize(
    "changed",
    [
        {"format": "pitboss.list/2"},
        {"list": "friends"},
        {"made_at": "2026-05-03T09:00:00"},
        {"property": 7},
        {"property": "\ud800"},
        {"rows": {}},
        {"rows": [7]},
        {"rows": [{"id": 7}]},
        {"rows": [{"id": "1", "last_name": "Ruiz"}] * 2},
    ],
)
def test_what_is_no_list_is_refused(changed: dict[str, Any]) -> None:
    text = json.dumps(json.loads(said(ANA)) | changed)
    assert codes(file_of(text)) == ("file_malformed",)


def test_a_line_that_is_wrong_is_named() -> None:
    assert codes(file_of(said(rows=[{"id": "1"}]))) == ("line_malformed",)
    assert codes(file_of(said(rows=[{"id": "@x/1", "last_name": "Ruiz"}]))) == ("line_malformed",)
    assert codes(b"[]") == ("file_malformed",)


def test_houses_are_trusted_by_name_and_key() -> None:
    kind = TrustedHouses()
    other = public_key("08" * 32)
    trusted = kind.read(f"lakeside {KEY}\n\n seaside  {other}")
    assert trusted == {"lakeside": KEY, "seaside": other}
    assert kind.read(kind.text(trusted)) == trusted
    assert kind.words(trusted) == f"lakeside ({mark_of(KEY)}), seaside ({mark_of(other)})"
    assert kind.words({}) == "None."
    for wrong in ("lakeside", f"Lakeside {KEY}", f"a {KEY}\na {other}", f"a {KEY}\nb {KEY}"):
        with pytest.raises(Refused) as caught:
            kind.read(wrong)
        assert caught.value.codes == ("houses_malformed",)
    many = "\n".join(f"h{number} {public_key(f'{number:064x}')}" for number in range(1, 102))
    with pytest.raises(Refused):
        kind.read(many)
