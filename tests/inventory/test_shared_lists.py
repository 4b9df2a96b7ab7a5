"""Lists that houses of a group share: signed by one, compared and imported by the other."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import date, timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.urls import reverse
from pytest_django.live_server_helper import LiveServer

from inventory.kinds.exclusion_list import LIST_IMPORT
from inventory.models import ListRow, ListUpload
from inventory.selectors.exclusion import lists_now, rows_from, standing_rows, stops_of
from inventory.services.exclusion_lists import find_stale_lists, upload_list
from inventory.services.list_sharing import share_list
from pitboss.models import FloorException, JournalEntry, Slip
from pitboss.rules.flows.flows import SlipStatus
from pitboss.rules.group.signing import Purpose, mark_of, public_key, sign_text
from pitboss.rules.patrons.exclusion import ListKind, Moment
from pitboss.rules.patrons.exclusion_lists import Listed
from pitboss.rules.patrons.shared_lists import text_of
from pitboss.rules.refusal import Refused
from pitboss.rules.roles import Place
from pitboss.services import house
from pitboss.services.verification import verify
from pitboss.slips.raising import raise_kind, shown_before
from tests.floor.cast import Cast, ServerClock
from tests.floor.exclusion import RUIZ, put_on
from tests.floor.house import change
from tests.floor.markers import make_patron
from tests.floor.tablets import signed_in, words
from tests.other_systems import grant, system_at

pytestmark = pytest.mark.django_db(transaction=True)
OURS, THEIRS = "07" * 32, "08" * 32


@pytest.fixture(autouse=True)
def own_key(settings: Any) -> None:
    settings.KEYS = replace(settings.KEYS, statement_key=OURS)


def signed(
    *people: Listed, kind: ListKind = ListKind.HOUSE_BAN, seed: str = THEIRS, **later: float
) -> bytes:
    """Return the file of a list as Lakeside signs it now, or later."""
    made_at = house.now() + timedelta(**later)
    text = text_of(house="Lakeside", kind=kind, made_at=made_at, people=people)
    return json.dumps(
        {
            "text": text,
            "key_mark": mark_of(public_key(seed)),
            "signature": sign_text(seed, Purpose.LIST, text),
        }
    ).encode()


def brought(cast: Cast, content: bytes, kind: ListKind = ListKind.HOUSE_BAN) -> ListUpload:
    return upload_list(
        kind=kind,
        content=content,
        person=cast.petra,
        device=cast.devices[Place.OFFICE],
        request_id=uuid4(),
    )


def imported(cast: Cast, upload: ListUpload) -> Slip:
    raising = LIST_IMPORT.at(upload=upload)
    pen = cast.pen(cast.petra, Place.OFFICE)
    slip = raise_kind(raising, pen=pen, shown=shown_before(raising))
    slip.refresh_from_db()
    return slip


def codes_of(cast: Cast, content: bytes, kind: ListKind = ListKind.HOUSE_BAN) -> tuple[str, ...]:
    with pytest.raises(Refused) as caught:
        brought(cast, content, kind)
    return caught.value.codes


def trust(cast: Cast) -> None:
    change(cast, "exclusion.trusted", f"lakeside {public_key(THEIRS)}")


ANA = Listed("HB-1", "Ruiz", "Ana", ssn="6789")
ZED = Listed("HB-2", "Zorn", "Zed")


def test_the_list_of_another_property_changes_only_what_came_from_it(cast: Cast) -> None:
    put_on(cast, "OWN-1,Kane,Kim,,,,,,,", kind=ListKind.HOUSE_BAN)
    trust(cast)
    slip = imported(cast, brought(cast, signed(ANA, ZED)))
    assert slip.status == SlipStatus.DONE.value
    assert (slip.details["source"], slip.details["diff"]["added"]) == ("lakeside", 2)
    assert slip.details["says"][0] == ["List", "House ban of lakeside"]
    ids = set(standing_rows().values_list("external_id", flat=True))
    assert ids == {"OWN-1", "@lakeside/HB-1", "@lakeside/HB-2"}
    ana = make_patron(cast, first_name="Ana", last_name="Ruiz")
    assert [each.row.external_id for each in stops_of(ana, Moment.CASH, _today())] == [
        "@lakeside/HB-1"
    ]

    put_on(cast, "OWN-2,Lane,Lou,,,,,,,", kind=ListKind.HOUSE_BAN)
    ids = set(standing_rows().values_list("external_id", flat=True))
    assert ids == {"OWN-2", "@lakeside/HB-1", "@lakeside/HB-2"}
    labels = [each["label"] for each in lists_now() if each["version"]]
    assert labels == ["House ban", "House ban of lakeside"]
    assert not verify().findings


def test_who_leaves_anothers_list_is_removed_by_two(cast: Cast) -> None:
    trust(cast)
    imported(cast, brought(cast, signed(ANA, ZED)))
    slip = imported(cast, brought(cast, signed(ANA, minutes=1)))
    assert slip.status == SlipStatus.OPEN.value
    assert rows_from(ListKind.HOUSE_BAN, "lakeside").count() == 2
    cast.sign(slip, "seconded", cast.heidi, Place.OFFICE)
    assert rows_from(ListKind.HOUSE_BAN, "lakeside").count() == 1


def test_an_older_list_is_not_imported_after_a_newer_one(cast: Cast) -> None:
    trust(cast)
    old = brought(cast, signed(ANA, ZED))
    imported(cast, brought(cast, signed(ANA, minutes=1)))
    with pytest.raises(Refused) as caught:
        imported(cast, old)
    assert "list_older" in caught.value.codes


def test_only_a_trusted_key_and_its_own_text_are_taken(cast: Cast) -> None:
    assert codes_of(cast, signed(ANA)) == ("unknown_key",)
    trust(cast)
    assert codes_of(cast, signed(ANA, seed="09" * 32)) == ("unknown_key",)
    file = json.loads(signed(ANA))
    file["text"] = file["text"].replace("Ruiz", "Ruis")
    assert codes_of(cast, json.dumps(file).encode()) == ("signature_wrong",)
    assert codes_of(cast, signed(ANA), ListKind.TRESPASS) == ("other_list",)
    for odd in (b"{", b"{}", b'{"text": 1, "key_mark": "", "signature": ""}', b"{" * 100_000):
        assert codes_of(cast, odd) == ("file_malformed",)
    assert codes_of(cast, b"id,last_name\n@lakeside/HB-1,Ruiz") == ("line_malformed",)
    upload = brought(cast, signed(ANA))
    change(cast, "exclusion.trusted", "")
    with pytest.raises(Refused) as caught:
        imported(cast, upload)
    assert caught.value.codes == ("unknown_key",)
    assert not ListRow.objects.exists()


def test_anothers_list_gets_too_old_for_itself(cast: Cast, server_clock: ServerClock) -> None:
    trust(cast)
    imported(cast, brought(cast, signed(ANA)))
    server_clock.move(days=7)
    put_on(cast, "OWN-1,Kane,Kim,,,,,,,", kind=ListKind.HOUSE_BAN)
    find_stale_lists()
    alert = FloorException.objects.get(code="list_stale")
    assert alert.sentence.startswith("The House ban of lakeside list is from May 1, 2026.")
    put_on(cast, "OWN-1,Kane,Kim,,,,,,,", "OWN-2,Lane,Lou,,,,,,,", kind=ListKind.HOUSE_BAN)
    alert.refresh_from_db()
    assert alert.resolved_at is None
    imported(cast, brought(cast, signed(ANA, minutes=1)))
    alert.refresh_from_db()
    assert alert.resolved_by == cast.petra


def test_what_a_house_shares_is_its_own_signed_and_in_the_journal(cast: Cast) -> None:
    put_on(cast, RUIZ.replace("SX", "HB"), kind=ListKind.HOUSE_BAN)
    trust(cast)
    imported(cast, brought(cast, signed(ZED)))
    file = share_list(kind=ListKind.HOUSE_BAN, person=cast.petra, device=None)
    rows = json.loads(file["text"])["rows"]
    assert [(each["id"], each["last_name"], each["born_on"]) for each in rows] == [
        ("HB-1", "Ruiz", "1980-02-03")
    ]
    entry = JournalEntry.objects.get(kind="list_shared")
    assert json.loads(entry.text)["body"]["rows"] == 1
    with pytest.raises(Refused) as caught:
        share_list(kind=ListKind.OFAC, person=cast.petra, device=None)
    assert caught.value.codes == ("list_not_shared",)


def test_compliance_takes_the_file_on_its_page_and_a_system_by_its_scope(
    cast: Cast, live_server: LiveServer, settings: Any
) -> None:
    put_on(cast, RUIZ, kind=ListKind.SELF_EXCLUSION)
    browser = signed_in(cast.petra, cast, Place.OFFICE)
    page = words(browser.get(reverse("exclusion-lists")))
    assert "Share with the group" in page
    answer = browser.post(reverse("exclusion-list-file"), {"list": "self_exclusion"})
    assert json.loads(json.loads(answer.content)["text"])["rows"][0]["last_name"] == "Ruiz"
    assert "attachment" in answer.headers["Content-Disposition"]
    refused = browser.post(reverse("exclusion-list-file"), {"list": "ofac"})
    assert refused.status_code == 422
    assert "Only these lists are shared" in words(refused)

    system = system_at(live_server.url, cast)
    assert system.get("lists/self_exclusion")[0] == 403
    grant(cast, "lists.read")
    status, file = system.get("lists/self_exclusion")
    assert (status, file["key_mark"]) == (200, mark_of(public_key(OURS)))
    assert system.get("lists/ofac")[0] == 404
    settings.KEYS = replace(settings.KEYS, statement_key="")
    status, problem = system.get("lists/self_exclusion")
    assert (status, problem["refusals"][0]["code"]) == (409, "no_statement_key")
    assert "Share with the group" not in words(browser.get(reverse("exclusion-lists")))
    assert JournalEntry.objects.filter(kind="list_shared").count() == 2


def _today() -> date:
    return house.period_at(house.now()).gaming_day
