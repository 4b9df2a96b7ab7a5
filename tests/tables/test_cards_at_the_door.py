"""A table opens and closes only with its cards accounted for, or waived by two people."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest

from inventory.kinds.card_at_table import CARD_WAIVER
from inventory.services.card_accounts import is_waived
from pitboss.models import FloorException, Slip, Table
from pitboss.rules.cards.sets import CardState
from pitboss.rules.flows.flows import Track
from pitboss.rules.roles import Place
from pitboss.services.explaining import resolve_exception
from pitboss.services.signing import Entry
from pitboss.slips.raising import raise_kind, shown_before
from tests.floor.cards import (
    IN_PLAY,
    SHUFFLER,
    SPARE,
    bag,
    begin_bagging,
    bring,
    hold,
    in_pit,
    put_on,
    uses_cards,
    waive,
)
from tests.floor.cast import Cast, ServerClock, pin_of, refused
from tests.floor.house import change
from tests.floor.tablets import signed_in, words

pytestmark = pytest.mark.django_db
TRAY = {10_000: 20, 2_500: 20}


@pytest.fixture
def stocked(cast: Cast) -> Cast:
    """The cast, with cheques in the first table's tray and a shuffler in its setup."""
    cast.deliver(cast.ask(TRAY))
    uses_cards(cast.table)
    return cast


def is_open(cast: Cast) -> bool:
    return Table.objects.get(pk=cast.table.pk).is_open


def test_a_table_opens_once_its_cards_are_there_and_inspected(stocked: Cast) -> None:
    cast = stocked
    change(cast, "cards.vaulted_inspection", "dealer")
    opener = cast.count("opener", TRAY)
    verify = Entry(counted=TRAY)
    with refused("cards_missing"):
        cast.sign(opener, "verified", cast.alice, entry=verify)
    (number,) = in_pit(cast)
    brought = bring(cast, number)
    with refused("cards_not_inspected"):
        cast.sign(opener, "verified", cast.alice, entry=verify)
    cast.sign(brought, "inspected", cast.dan)
    cast.sign(opener, "verified", cast.alice, entry=verify)
    assert is_open(cast)


def test_a104_a_vaulted_set_that_the_supervisor_placed_on_its_seal_opens_the_table(
    stocked: Cast, server_clock: ServerClock
) -> None:
    (number,) = in_pit(stocked)
    placed = bring(stocked, number)
    assert placed.status == "done", "nobody waits for a dealer"
    page = words(signed_in(stocked.alice, stocked).get("/tables/BJ-11/cards/"))
    assert f"Placed on seal 77-{number[3:]}" in page
    server_clock.move(minutes=30)
    stocked.open_table(TRAY)
    assert is_open(stocked)


def test_a104_after_another_seal_number_both_inspect(stocked: Cast) -> None:
    (number,) = in_pit(stocked)
    trouble = ("pitboss.FloorException", "pitboss.Waiting")
    with refused("seal_differs", journal=["sign_refused", "exception_opened"], ignoring=trouble):
        bring(stocked, number, seal="77-9999")
    opener = stocked.count("opener", TRAY)
    with refused("cards_missing"):
        stocked.sign(opener, "verified", stocked.alice, entry=Entry(counted=TRAY))
    resolve_exception(
        exception_id=FloorException.objects.get(code="card_seal").pk,
        resolution="Misread. The seal is whole.",
        badge=stocked.heidi.badge,
        pin=pin_of(stocked.heidi.badge),
        request_id=uuid4(),
        device=stocked.devices[Place.OFFICE],
    )
    brought = bring(stocked, number)
    with refused("cards_not_inspected"):
        stocked.sign(opener, "verified", stocked.alice, entry=Entry(counted=TRAY))
    stocked.sign(brought, "inspected", stocked.dan)
    stocked.sign(opener, "verified", stocked.alice, entry=Entry(counted=TRAY))
    assert is_open(stocked)


def test_a104_cards_that_come_into_play_are_inspected_by_both(stocked: Cast) -> None:
    (number,) = in_pit(stocked)
    brought = bring(stocked, number, IN_PLAY)
    assert brought.status == "open"
    stocked.sign(brought, "inspected", stocked.dan)


def test_a_sealed_spare_is_nothing_to_deal_from(stocked: Cast) -> None:
    (number,) = in_pit(stocked)
    bring(stocked, number, SPARE)
    opener = stocked.count("opener", TRAY)
    with refused("cards_missing"):
        stocked.sign(opener, "verified", stocked.alice, entry=Entry(counted=TRAY))


@pytest.mark.parametrize(("profile", "slot"), [("continuous", SHUFFLER), ("hand", IN_PLAY)])
def test_each_profile_is_dealt_from_its_own_slot(
    stocked: Cast, profile: str, slot: CardState
) -> None:
    uses_cards(stocked.table, profile)
    (number,) = in_pit(stocked)
    counted: dict[str, Any] = {"counted": 312} if profile == "hand" else {}
    with refused("no_such_slot"):
        bring(stocked, number, IN_PLAY if slot is SHUFFLER else SHUFFLER, **counted)
    put_on(stocked, number, slot, **counted)
    stocked.open_table(TRAY)
    assert is_open(stocked)


def test_a_table_without_a_setup_opens_as_before(cast: Cast) -> None:
    cast.deliver(cast.ask(TRAY))
    cast.open_table(TRAY)
    assert is_open(cast)


def test_a_table_closes_when_its_cards_are_bagged_or_held(stocked: Cast) -> None:
    cast = stocked
    (red,) = in_pit(cast)
    (blue,) = in_pit(cast, "blue")
    put_on(cast, red)
    put_on(cast, blue, IN_PLAY)
    cast.open_table(TRAY)
    closer = cast.count("closer", TRAY)
    cast.sign(closer, "verified", cast.alice, entry=Entry(counted=TRAY))
    cast.sign(closer, "top_signed", cast.carol)
    with refused("cards_at_table"):
        cast.sign(closer, "locked", cast.alice)
    bag(cast, blue, "B-0001")
    slip = begin_bagging(cast, red, "B-0002", SHUFFLER, shuffler_shows=312)
    with refused("cards_at_table"):
        cast.sign(closer, "locked", cast.alice)
    cast.sign(slip, "cancelled", cast.alice)
    cast.sign(closer, "locked", cast.alice)
    assert not is_open(cast)


def test_a_closer_says_before_the_count_which_cards_will_stop_it(stocked: Cast) -> None:
    (red,) = in_pit(stocked)
    put_on(stocked, red)
    stocked.open_table(TRAY)
    alice = signed_in(stocked.alice, stocked)
    warning = f"BJ-11 cannot close: {red} is "
    page = words(alice.get("/slips/new/closer/?table=BJ-11"))
    assert warning in page
    assert "This is a blind count." in page
    assert warning not in words(alice.get("/slips/new/count/?table=BJ-11"))
    waive(stocked, "closing")
    assert warning not in words(alice.get("/slips/new/closer/?table=BJ-11"))


def test_a_closer_says_nothing_of_cards_that_are_bagged(stocked: Cast) -> None:
    (red,) = in_pit(stocked)
    put_on(stocked, red, IN_PLAY)
    stocked.open_table(TRAY)
    bag(stocked, red, "B-0001")
    page = words(signed_in(stocked.alice, stocked).get("/slips/new/closer/?table=BJ-11"))
    assert "cannot close" not in page
    assert "This is a blind count." in page


def test_what_is_held_does_not_keep_a_table_open(stocked: Cast) -> None:
    (red,) = in_pit(stocked)
    put_on(stocked, red)
    stocked.open_table(TRAY)
    hold(stocked, red)
    stocked.close_table(TRAY)
    assert not is_open(stocked)


def test_cards_stay_in_a_continuous_shuffler_over_night(stocked: Cast) -> None:
    uses_cards(stocked.table, "continuous")
    (number,) = in_pit(stocked)
    put_on(stocked, number)
    stocked.open_table(TRAY)
    stocked.close_table(TRAY)
    stocked.open_table(TRAY)
    assert is_open(stocked)


def test_a_shift_manager_and_a_second_person_let_a_table_go_on_once(stocked: Cast) -> None:
    cast = stocked
    waiver = waive(cast, "opening")
    assert {s.role for s in waiver.signatures.all()} == {"shift_manager", "pit_manager"}
    cast.open_table(TRAY)
    assert is_open(cast)
    assert not is_waived(cast.table, "opening")
    cast.close_table(TRAY)
    opener = cast.count("opener", TRAY)
    with refused("cards_missing"):
        cast.sign(opener, "verified", cast.alice, entry=Entry(counted=TRAY))


def test_a_waiver_is_of_one_door_and_of_no_use_where_nothing_is_missing(stocked: Cast) -> None:
    cast = stocked
    (number,) = in_pit(cast)
    waive(cast, "opening")
    assert is_waived(cast.table, "opening")
    assert not is_waived(cast.table, "closing")
    put_on(cast, number)
    with refused("nothing_to_waive"):
        waive(cast, "opening")


def test_one_signature_waives_nothing_and_a_refused_waiver_is_void(stocked: Cast) -> None:
    cast = stocked

    def begin(who: str, reason: str = "Stuck.") -> Slip:
        table = Table.objects.get(pk=cast.table.pk)
        waived = CARD_WAIVER.at(table, door="opening")
        pen, shown = cast.pen(getattr(cast, who)), shown_before(waived)
        return raise_kind(waived, pen=pen, shown=shown, reason=reason)

    with refused("wrong_role"):
        begin("carol")
    with refused("reason_missing"):
        begin("heidi", reason=" ")
    slip = begin("heidi")
    assert not is_waived(cast.table, "opening")
    entry = Entry(reason="The cards came.")
    cast.sign(slip, "refused", cast.carol, entry=entry, track=Track.VOID)
    assert not is_waived(cast.table, "opening")
