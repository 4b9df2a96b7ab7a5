"""The pages of cards, as a tablet posts them: chosen, signed for, refused with the reason."""

from __future__ import annotations

from io import BytesIO
from typing import Any

import pytest
from django.test import Client
from pypdf import PdfReader

from inventory.models import CardPlace, CardSet
from pitboss.models import FloorException, Person, Slip
from pitboss.rules.roles import Place
from pitboss.slips.addresses import new_url
from tests.floor.cards import (
    IN_PLAY,
    SPARE,
    bag,
    bring,
    hold,
    in_pit,
    put_on,
    receive_cards,
    seal_of,
    state_of,
    uses_cards,
    vault,
)
from tests.floor.cast import Cast, ServerClock
from tests.floor.house import change
from tests.floor.tablets import signed_in, signing, words

pytestmark = pytest.mark.django_db
TRAY = {10_000: 20, 2_500: 20}


def sign(client: Client, url: str, page: Any, person: Person, **more: Any) -> Any:
    """Sign on the pad of a page; follow to where it leads."""
    return client.post(url, signing(words(page), person, **more), follow=True)


def next_signature(client: Client, slip: Slip, step: str, person: Person) -> Any:
    page = client.get(f"/slips/{slip.serial}/")
    return sign(client, f"/slips/{slip.serial}/sign/main/{step}", page, person)


def test_cards_are_received_vaulted_and_issued_on_the_screen(cast: Cast) -> None:
    office = signed_in(cast.alice, cast, Place.OFFICE)
    keyed = {
        "manufacturer": "Angel",
        "design": "Gold crown",
        "lot": "GPI-1",
        "colour": "blue",
        "decks": "6",
        "invoiced": "2",
        "found": "x",
        "damaged": "",
    }
    wrong = office.post(new_url("card_receipt"), keyed)
    assert (wrong.status_code, "x isn’t a whole number" in words(wrong)) == (422, True)
    assert office.post(new_url("card_receipt"), {**keyed, "found": "0"}).status_code == 422
    pad = office.post(new_url("card_receipt"), {**keyed, "found": "2"})
    assert "Gold crown" in words(pad)
    done = sign(office, new_url("card_receipt"), pad, cast.alice)
    slip = Slip.objects.get(kind="card_receipt")
    assert slip.serial in words(done)
    next_signature(office, slip, "taken_in", cast.frank)
    assert CardSet.objects.count() == 2

    assert office.post(new_url("card_vaulting"), {}).status_code == 422
    pad = office.post(new_url("card_vaulting"), {"seal_06-B-0001": "77-1", "seal_06-B-0002": ""})
    sign(office, new_url("card_vaulting"), pad, cast.dora)
    slip = Slip.objects.get(kind="card_vaulting")
    answer = next_signature(office, slip, "verified", cast.bob)
    assert answer.redirect_chain[-1][0] == "/cards/"

    assert office.post(new_url("card_issue"), {"pit": cast.pit.pk}).status_code == 422
    assert office.post(new_url("card_issue"), {"set": "06-B-0001"}).status_code == 422
    assert office.post(new_url("card_issue"), {"set": "06-B-0999", "pit": 1}).status_code == 422
    pad = office.post(new_url("card_issue"), {"set": "06-B-0001", "pit": cast.pit.pk})
    sign(office, new_url("card_issue"), pad, cast.alice)
    next_signature(office, Slip.objects.get(kind="card_issue"), "witnessed", cast.frank)
    assert state_of("06-B-0001") == "in_pit"
    assert office.get("/cards/move/levitate/").status_code == 404
    assert office.get("/cards/move/destroy/").status_code == 404, "that is of another room"


def test_what_is_refused_on_a_pad_stays_on_the_pad(cast: Cast) -> None:
    numbers = receive_cards(cast)
    office = signed_in(cast.alice, cast, Place.OFFICE)
    pad = office.post(new_url("card_vaulting"), {f"seal_{numbers[0]}": "77-1"})
    refused = sign(office, new_url("card_vaulting"), pad, cast.alice)
    assert refused.status_code == 403
    assert "This step needs: dealer" in words(refused)
    vault(cast, numbers)
    pad = office.post(new_url("card_issue"), {"set": numbers, "pit": cast.pit.pk})
    refused = sign(office, new_url("card_issue"), pad, cast.dan)
    assert "This step needs: supervisor" in words(refused)
    keyed = {"manufacturer": "A", "design": "B", "lot": "C", "colour": "red", "decks": "6"}
    pad = office.post(new_url("card_receipt"), {**keyed, "invoiced": "1", "found": "1"})
    assert "supervisor" in words(sign(office, new_url("card_receipt"), pad, cast.dan))
    assert Slip.objects.filter(kind__in=("card_issue",)).count() == 0


def test_bags_are_collected_cancelled_and_destroyed_on_the_screen(
    cast: Cast, server_clock: ServerClock
) -> None:
    (number,) = in_pit(cast)
    put_on(cast, number, IN_PLAY)
    bag(cast, number, "B-0001")
    pit = signed_in(cast.alice, cast)
    pad = pit.post(new_url("card_collection"), {"set": number})
    assert "bag B-0001" in words(pad)
    sign(pit, new_url("card_collection"), pad, cast.alice)
    slip = Slip.objects.get(kind="card_collection")
    security = signed_in(cast.frank, cast, Place.SECURITY)
    assert slip.serial in words(security.get("/security/"))
    pit = signed_in(cast.frank, cast)
    next_signature(pit, slip, "collected", cast.frank)
    security = signed_in(cast.frank, cast, Place.SECURITY)
    pad = security.post(new_url("card_destruction"), {"set": number})
    early = sign(security, new_url("card_destruction"), pad, cast.frank)
    assert "stays in storage for 7 days" in words(early)
    server_clock.move(days=7)
    security = signed_in(cast.frank, cast, Place.SECURITY)
    pad = security.post(new_url("card_destruction"), {"set": number})
    sign(security, new_url("card_destruction"), pad, cast.frank)
    assert Slip.objects.get(kind="card_destruction").status == "open"
    assert "No sets for this" in words(security.get(new_url("card_late_cancellation")))


def test_the_page_of_all_cards_finds_sets_and_tells_what_needs_somebody(cast: Cast) -> None:
    (number,) = in_pit(cast)
    put_on(cast, number)
    client = signed_in(cast.alice, cast)
    page = words(client.get("/cards/?table=BJ-11"))
    assert "1 set" in page
    assert "in the shuffler since" in page
    assert client.get(f"/cards/?set={number.lower()}").headers["Location"].endswith(f"{number}/")
    assert "Set 06-R-9999 not found" in words(client.get("/cards/?set=06-R-9999"))
    assert "No cards were at BJ-11 then" in words(
        client.get("/cards/?table=BJ-11&at=2020-01-01T10:00")
    )
    assert "No cards are on the books" not in page
    hold(cast, number)
    assert "is on hold as evidence" in words(client.get("/cards/"))
    assert client.get("/cards/sets/06-R-9999/").status_code == 404


def test_labels_are_printed_for_a_receipt_and_for_single_sets(cast: Cast) -> None:
    numbers = receive_cards(cast)
    client = signed_in(cast.alice, cast)
    receipt = CardSet.objects.first()
    assert receipt is not None
    for url in (
        f"/cards/labels.pdf?receipt={receipt.receipt.serial}",
        f"/cards/labels.pdf?set={numbers[0]}&set={numbers[1]}",
    ):
        answer = client.get(url)
        text = PdfReader(BytesIO(answer.content)).pages[0].extract_text()
        assert all(number in text for number in numbers)
        assert "RED backs, 6 decks" in text
    assert client.get("/cards/labels.pdf").status_code == 404


def test_a_set_is_held_and_let_go_on_the_screen(cast: Cast) -> None:
    (number,) = in_pit(cast)
    office = signed_in(cast.ivan, cast, Place.OFFICE)
    url = new_url("card_hold", set=number)
    assert office.get(f"/cards/sets/{number}/hold/").headers["Location"] == url
    sign(office, url, office.get(url), cast.ivan, reason="A mark.")
    assert state_of(number) == "held"
    assert "Release" in words(office.get(f"/cards/sets/{number}/"))
    url = new_url("card_release", set=number)
    refused = sign(office, url, office.get(url), cast.alice, reason="No.")
    assert refused.status_code == 403
    assert office.get(new_url("card_hold", set="06-R-9999")).status_code == 404


def test_a_table_shows_its_slots_papers_and_what_it_waits_for(cast: Cast) -> None:
    uses_cards(cast.table)
    client = signed_in(cast.heidi, cast)
    page = words(client.get("/tables/BJ-11/cards/"))
    assert "Before BJ-11 opens." in page
    assert "Waive it" in page
    (number,) = in_pit(cast)
    change(cast, "cards.vaulted_inspection", "dealer")
    slip = bring(cast, number)
    page = words(client.get("/tables/BJ-11/cards/"))
    assert "Not inspected by the dealer" in page
    assert slip.serial in page
    cast.sign(slip, "inspected", cast.dan)
    assert "Before BJ-11 opens." not in words(client.get("/tables/BJ-11/cards/"))
    uses_cards(cast.other_table, "none")
    assert "has no cards of its own" in words(client.get("/tables/BJ-12/cards/"))
    assert client.get(new_url("card_to_table", table="BJ-12")).status_code == 404


def test_a_set_is_brought_on_the_screen_and_a_broken_seal_is_told(cast: Cast) -> None:
    one, two = in_pit(cast, sets=2)
    client = signed_in(cast.alice, cast)
    url = new_url("card_to_table", table="BJ-11")
    assert client.get("/tables/BJ-11/cards/bring/").headers["Location"] == url
    assert one in words(client.get(f"{url}&slot=shuffler"))
    for missing in ({}, {"set": one, "seal": "77-1"}, {"set": "06-R-9999", "whole": "yes"}):
        assert client.post(url, {"slot": "shuffler", **missing}).status_code in (404, 422)
    broken = {"set": one, "seal": seal_of(one), "slot": "shuffler", "whole": "no"}
    pad = client.post(url, broken)
    assert "BROKEN" in words(pad)
    refused = sign(client, url, pad, cast.alice)
    assert "is broken" in words(refused)
    assert FloorException.objects.filter(code="card_seal").count() == 1
    assert client.post(url, {"set": "", "shown": "{}"}).status_code == 422
    pad = client.post(url, {**broken, "scanned": two, "seal": seal_of(two), "whole": "yes"})
    sign(client, url, pad, cast.alice)
    assert state_of(two) == "shuffler"


def test_bagging_replacing_and_a_spare_on_the_screen(cast: Cast) -> None:
    (red,) = in_pit(cast)
    (blue,) = in_pit(cast, "blue")
    put_on(cast, red, IN_PLAY)
    bring(cast, blue, SPARE)
    client = signed_in(cast.alice, cast)
    page = words(client.get("/tables/BJ-11/cards/"))
    assert "Back to the cabinet" in page
    spare = new_url("card_unused", table="BJ-11", set=blue)
    sign(client, spare, client.get(spare), cast.alice)
    assert state_of(blue) == "in_pit"

    replace = new_url("card_replacement", table="BJ-11", set=red)
    assert "One card of the same value" in words(client.get(replace))
    assert client.post(replace, {"rank": "1", "suit": "h"}).status_code == 422
    pad = client.post(replace, {"rank": "8", "suit": "h"})
    assert "8 of hearts" in words(pad)
    sign(client, replace, pad, cast.alice, reason="Bent.")
    slip = Slip.objects.get(kind="card_replacement")
    next_signature(client, slip, "agreed", cast.dan)
    assert CardPlace.objects.get(card_set__number=red).state == "in_play"

    strange = new_url("card_cancellation", table="BJ-11", set="06-R-9999")
    assert client.get(strange).status_code == 404
    url = new_url("card_cancellation", table="BJ-11", set=red)
    keyed = {"bag": "B-0001", "taken_from": "in_play", "counted": "3 1 2"}
    assert client.post(url, keyed).status_code == 422
    pad = client.post(url, {**keyed, "counted": "312"})
    refused = sign(client, url, pad, cast.alice)
    assert "This step needs: dealer" in words(refused)
    sign(client, url, pad, cast.dan)
    assert state_of(red) == "removed"
    off = words(client.get("/tables/BJ-11/cards/"))
    assert "Not bagged yet" in off
    assert f"<b>{red}</b>" not in off


def test_a_waiver_on_the_screen(cast: Cast) -> None:
    uses_cards(cast.table)
    client = signed_in(cast.heidi, cast)
    url = new_url("card_waiver", table="BJ-11", door="opening")
    assert client.get(new_url("card_waiver", table="BJ-11")).status_code == 404
    sign(client, url, client.get(url), cast.heidi, reason="The machine is stuck.")
    slip = Slip.objects.get(kind="card_waiver")
    next_signature(client, slip, "witnessed", cast.carol)
    assert "Waived." in words(client.get("/tables/BJ-11/cards/"))


def test_the_reckoning_and_the_count_on_the_screen(cast: Cast, server_clock: ServerClock) -> None:
    receive_cards(cast)
    server_clock.move(minutes=1)
    client = signed_in(cast.alice, cast, Place.OFFICE)
    page = words(client.get("/cards/reckoning/"))
    assert "No card count in this day" in page
    assert "Day after" not in page
    assert "Day after" in words(client.get("/cards/reckoning/?day=2026-04-30"))
    assert client.get("/cards/reckoning/?day=yesterday").status_code == 200
    blind = words(client.get(new_url("card_inventory")))
    assert "Red" in blind
    assert "2 sets" not in blind
    assert client.post(new_url("card_inventory"), {"sets_red_6": ""}).status_code == 422
    pad = client.post(new_url("card_inventory"), {"sets_red_6": "1"})
    refused = sign(client, new_url("card_inventory"), pad, cast.dan)
    assert refused.status_code == 403
    sign(client, new_url("card_inventory"), pad, cast.alice)
    next_signature(client, Slip.objects.get(kind="card_inventory"), "verified", cast.ruth)
    assert "The count doesn’t balance." in words(client.get("/cards/reckoning/"))
