"""Dealers tap in and out: one at a table, at one table each."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.urls import reverse

from pitboss.models import Device, JournalEntry, Person, Table
from pitboss.rules.roles import Place
from pitboss.services import house
from pitboss.services.signing import Entry
from tables.models import Dealing
from tables.selectors.board import tiles_of
from tables.services.dealers import dealer_at, tap_in, tap_out
from tests.floor.cast import Cast, ServerClock, pin_of, refused
from tests.floor.tablets import period_now, signed_in, signing, words

pytestmark = pytest.mark.django_db


@pytest.fixture
def floor(cast: Cast) -> Cast:
    """The cast, with both tables open and nobody behind them."""
    Table.objects.update(is_open=True)
    return cast


def tap(cast: Cast, person: Person, device: Device | None = None) -> dict[str, Any]:
    return {
        "badge": person.badge,
        "pin": pin_of(person.badge),
        "device": device or cast.devices[Place.PIT],
    }


def test_a_dealer_comes_in_and_goes_out(floor: Cast, server_clock: ServerClock) -> None:
    tap_in(table_id=floor.table.pk, **tap(floor, floor.dan))
    there = dealer_at(floor.table)
    assert there is not None
    assert there.dealer == floor.dan
    server_clock.move(minutes=40)
    out = tap_out(table_id=floor.table.pk, **tap(floor, floor.dan))
    assert out is not None
    assert out.ended_at == server_clock.now
    assert dealer_at(floor.table) is None
    journal_entries = JournalEntry.objects.filter(chain__table=floor.table).order_by("pk")
    assert list(journal_entries.values_list("kind", flat=True)) == ["tapped_in", "tapped_out"]


def test_a_dealer_signs_at_the_table_where_they_deal(floor: Cast) -> None:
    there = Cast(**(vars(floor) | {"table": floor.other_table}))
    tap_in(table_id=there.table.pk, **tap(floor, floor.dan))
    with refused("dealer_elsewhere"):
        floor.count("count", {})
    count = there.count("count", {})
    there.sign(count, "verified", floor.alice, entry=Entry(counted={}))
    tap_out(table_id=there.table.pk, **tap(floor, floor.dan))
    # Who deals nowhere may come to sign: an opener is counted before anybody can tap in.
    assert floor.count("count", {}).table == floor.table


def test_a_second_tap_changes_nothing(floor: Cast) -> None:
    first = tap_in(table_id=floor.table.pk, **tap(floor, floor.dan))
    assert tap_in(table_id=floor.table.pk, **tap(floor, floor.dan)) == first
    assert Dealing.objects.count() == 1
    tap_out(table_id=floor.table.pk, **tap(floor, floor.dan))
    assert tap_out(table_id=floor.table.pk, **tap(floor, floor.dan)) is None
    assert JournalEntry.objects.filter(kind__startswith="tapped").count() == 2


def test_whoever_comes_in_relieves_whoever_dealt(floor: Cast) -> None:
    tap_in(table_id=floor.table.pk, **tap(floor, floor.dan))
    tap_in(table_id=floor.table.pk, **tap(floor, floor.dora))
    assert Dealing.objects.get(ended_at=None).dealer == floor.dora
    entry = JournalEntry.objects.filter(kind="tapped_in").latest("id")
    assert '"relieves":"D. Danson"' in entry.text


def test_a_dealer_who_goes_to_another_table_leaves_the_first_and_both_boards_hear(
    floor: Cast,
) -> None:
    tap_in(table_id=floor.table.pk, **tap(floor, floor.dan))
    tap_in(table_id=floor.other_table.pk, **tap(floor, floor.dan))
    assert Dealing.objects.get(ended_at=None).table == floor.other_table
    taps = JournalEntry.objects.filter(kind__startswith="tapped").order_by("id")
    kinds = taps.values_list("kind", "chain__table__name")
    assert list(kinds) == [
        ("tapped_in", "BJ-11"),
        ("tapped_out", "BJ-11"),
        ("tapped_in", "BJ-12"),
    ]


def test_who_may_not_tap(floor: Cast) -> None:
    table = floor.table.pk
    with refused("wrong_role", journal=["act_refused"]):
        tap_in(table_id=table, **tap(floor, floor.alice))
    with refused("wrong_place", journal=["act_refused"]):
        tap_in(table_id=table, **tap(floor, floor.dan, floor.devices[Place.CAGE]))
    with refused("wrong_pit", journal=["act_refused"]):
        tap_in(table_id=table, **tap(floor, floor.dan, floor.other_pit_tablet))
    with refused("wrong_pin", journal=["pin_wrong", "act_refused"]):
        tap_in(table_id=table, **tap(floor, floor.dan) | {"pin": "000000"})
    tap_in(table_id=table, **tap(floor, floor.dan))
    with refused("dealer_elsewhere", journal=["act_refused"]):
        tap_out(table_id=floor.other_table.pk, **tap(floor, floor.dan))
    Table.objects.update(is_open=False)
    with refused("table_closed", journal=["act_refused"]):
        tap_in(table_id=table, **tap(floor, floor.dora))
    Device.objects.filter(place="pit").update(revoked_at=house.now())
    with refused("unknown_device", journal=["act_refused"]):
        tap_in(table_id=table, **tap(floor, floor.dora))


def test_dealers_change_when_what_one_signed_is_finished_at_the_table(floor: Cast) -> None:
    here, there = floor.table.pk, floor.other_table.pk
    tap_in(table_id=here, **tap(floor, floor.dan))
    fill = floor.ask()
    floor.carry(fill)
    floor.sign(fill, "agreed", floor.dan, entry=floor.agreement(fill))
    with refused("transaction_open", journal=["act_refused"]):
        tap_out(table_id=here, **tap(floor, floor.dan))
    with refused("transaction_open", journal=["act_refused"]):
        tap_in(table_id=there, **tap(floor, floor.dan))
    with refused("transaction_open", journal=["act_refused"]):
        tap_in(table_id=here, **tap(floor, floor.dora))
    floor.sign(fill, "received", floor.alice)
    # What is still on its way is not at the table: the next dealer goes on with it.
    floor.carry(floor.ask())
    tap_in(table_id=here, **tap(floor, floor.dora))
    assert Dealing.objects.get(ended_at=None).dealer == floor.dora


def test_a_dealer_without_a_licence_does_not_deal(floor: Cast) -> None:
    Person.objects.filter(pk=floor.dan.pk).update(licence_ends="2020-01-01")
    with refused("not_employed", journal=["act_refused"]):
        tap_in(table_id=floor.table.pk, **tap(floor, floor.dan))


def test_the_database_knows_one_dealer_a_table_and_one_table_a_dealer(floor: Cast) -> None:
    now = house.now()
    Dealing.objects.create(table=floor.table, dealer=floor.dan, began_at=now)
    with pytest.raises(IntegrityError, match="one_dealer_a_table"), transaction.atomic():
        Dealing.objects.create(table=floor.table, dealer=floor.dora, began_at=now)
    with pytest.raises(IntegrityError, match="one_table_a_dealer"), transaction.atomic():
        Dealing.objects.create(table=floor.other_table, dealer=floor.dan, began_at=now)
    with pytest.raises(IntegrityError, match="dealing_ends_after_it_began"), transaction.atomic():
        Dealing.objects.update(ended_at=now.replace(year=2000))


def test_the_board_says_who_deals_and_when_relief_is_due(
    floor: Cast, server_clock: ServerClock
) -> None:
    tap_in(table_id=floor.table.pk, **tap(floor, floor.dan))
    server_clock.move(minutes=59)
    first, second = tiles_of(floor.pit, period_now())
    assert (first["dealer"]["name"], first["dealer"]["minutes"]) == ("D. Danson", 59)
    assert not first["dealer"]["is_due"]
    assert (second["dealer"], second["nobody"]) == (None, "No dealer")
    server_clock.move(minutes=1)
    assert tiles_of(floor.pit, period_now())[0]["dealer"]["is_due"]


def test_the_pad_takes_a_dealer_in_and_out(floor: Cast) -> None:
    client = signed_in(floor.alice, floor)
    url = reverse("dealer", args=["BJ-11"])
    page = words(client.get(url))
    assert "No dealer here" in page
    assert client.post(url, signing(page, floor.dan)).status_code == 302
    page = words(client.get(f"{url}?tap=out"))
    assert "D. Danson deals here" in page
    wrong = client.post(f"{url}?tap=out", signing(page, floor.dan, pin="000000"))
    assert wrong.status_code in (403, 422)
    assert "Wrong PIN" in words(wrong)
    assert client.post(f"{url}?tap=out", signing(page, floor.dan)).status_code == 302
    assert dealer_at(floor.table) is None
