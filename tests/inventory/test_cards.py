"""Cards from the vault to the shredder: what happens to a set, and what cannot."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import Any

import pytest

from inventory.kinds.card_at_table import CARD_UNUSED
from inventory.kinds.card_batches import CARD_COLLECTION as COLLECT
from inventory.kinds.card_batches import CARD_DESTRUCTION as DESTROY
from inventory.kinds.card_batches import CARD_ISSUE as ISSUE
from inventory.kinds.card_batches import CARD_LATE_CANCELLATION as CANCEL_LATE
from inventory.kinds.card_batches import CARD_PUT_BACK as PUT_BACK
from inventory.kinds.card_hold import CARD_RELEASE
from inventory.kinds.card_receipt import CARD_RECEIPT
from inventory.kinds.card_to_table import CARD_TO_TABLE
from inventory.models import CardMove, CardPlace, CardSet
from pitboss.models import FloorException, JournalEntry, Slip, Waiting
from pitboss.rules.flows.flows import Track
from pitboss.rules.refusal import Refused
from pitboss.rules.roles import Place
from pitboss.services.shown import request_shown
from pitboss.services.signing import Entry, Judgement, NewSlip, raise_slip
from pitboss.services.verification import verify
from pitboss.slips.raising import raise_kind, shown_before
from tests.floor.cards import (
    IN_PLAY,
    SHUFFLER,
    SPARE,
    TEN_RED,
    bag,
    begin,
    begin_bagging,
    begin_vaulting,
    bring,
    collect,
    destroy,
    hold,
    in_pit,
    issue,
    put_on,
    receive_cards,
    seal_of,
    state_of,
    vault,
)
from tests.floor.cast import Cast, ServerClock, refused
from tests.floor.house import change
from tests.tampering import explain_by_sql

pytestmark = pytest.mark.django_db
TROUBLE = {
    "journal": ("sign_refused", "exception_opened"),
    "ignoring": ("pitboss.FloorException", "pitboss.Waiting"),
}


@pytest.mark.django_db(transaction=True)
def test_a_set_lives_from_the_carton_to_the_shredder_and_its_passport_tells_it(
    cast: Cast, server_clock: ServerClock
) -> None:
    number, other = receive_cards(cast)
    assert (number, other) == ("06-R-0001", "06-R-0002")
    card_set = CardSet.objects.get(number=number)
    assert (card_set.manufacturer, card_set.colour, card_set.cards) == ("Angel", "red", 312)
    vault(cast, [number])
    issue(cast, [number])
    put_on(cast, number)
    bag(cast, number, "B-0091", SHUFFLER, shuffler_shows=312)
    collect(cast, [number])
    server_clock.move(days=7)
    destroy(cast, [number])
    moves = list(CardMove.objects.filter(card_set=card_set).order_by("sequence"))
    assert [move.act for move in moves] == [
        "received",
        "vaulted",
        "to_pit",
        "to_table",
        "inspected",
        "removed",
        "cancelled",
        "bagged",
        "collected",
        "destroyed",
    ]
    assert [move.sequence for move in moves] == list(range(1, 11))
    assert {move.bag for move in moves} == {"", "B-0091"}
    assert state_of(other) == "received"
    assert verify().is_sound
    chains = JournalEntry.objects.filter(slip__in=[move.slip_id for move in moves])
    assert set(chains.values_list("chain__name", flat=True)) == {
        "cards",
        f"table:{cast.table.pk}",
    }


def test_cards_are_received_by_two_departments_and_what_differs_is_reported(cast: Cast) -> None:
    numbers = receive_cards(cast, replace(TEN_RED, invoiced=4, found=2, damaged=1))
    assert len(numbers) == 2
    report = FloorException.objects.get(code="card_receipt")
    assert "invoice says 4 sets, 2 came whole and 1 damaged" in report.sentence
    assert Waiting.objects.get(exception=report).by == ["shift_manager"]


def test_a_receipt_waits_for_somebody_of_another_desk(cast: Cast) -> None:
    came = CARD_RECEIPT.at(**asdict(TEN_RED))
    slip = raise_kind(came, pen=cast.pen(cast.alice), shown=shown_before(came))
    assert not CardSet.objects.exists()
    with refused("wrong_role"):
        cast.sign(slip, "taken_in", cast.bob)
    cast.sign(slip, "taken_in", cast.ruth)
    assert CardSet.objects.count() == 2


@pytest.mark.parametrize(
    ("said", "code"),
    [
        ({"manufacturer": " "}, "text_missing"),
        ({"design": "x" * 61}, "text_missing"),
        ({"lot": "\x00"}, "text_missing"),
        ({"colour": "pink"}, "colour_unknown"),
        ({"decks": 3}, "decks_unknown"),
        ({"found": 0}, "sets_out_of_range"),
        ({"found": 201}, "sets_out_of_range"),
        ({"damaged": -1}, "sets_out_of_range"),
    ],
)
def test_a_delivery_is_keyed_whole(cast: Cast, said: dict[str, Any], code: str) -> None:
    with refused(code):
        receive_cards(cast, replace(TEN_RED, **said))


def test_a40_nobody_verifies_what_they_inspected(cast: Cast) -> None:
    numbers = receive_cards(cast)
    slip = begin_vaulting(cast, numbers)
    with refused("signed_before", "wrong_role"):
        cast.sign(slip, "verified", cast.dora, Place.OFFICE)
    cast.sign(slip, "verified", cast.bob, Place.OFFICE)
    assert {state_of(number) for number in numbers} == {"vaulted"}
    issue(cast, numbers)
    brought = bring(cast, numbers[0])
    with refused("signed_before", "wrong_role"):
        cast.sign(brought, "inspected", cast.alice)


@pytest.mark.parametrize(
    ("seals", "code"),
    [
        ({"06-R-0001": "77-1", "06-R-0002": "77-1"}, "seal_used"),
        ({"06-R-0001": "7"}, "seal_malformed"),
    ],
)
def test_each_set_gets_a_seal_of_its_own(cast: Cast, seals: dict[str, Any], code: str) -> None:
    numbers = receive_cards(cast)
    with refused(code):
        begin_vaulting(cast, numbers, **seals)


def test_a_seal_that_waits_on_another_slip_or_was_used_is_refused(cast: Cast) -> None:
    one, two = receive_cards(cast)
    slip = begin_vaulting(cast, [one])
    with refused("seal_used"):
        begin_vaulting(cast, [two], **dict[str, Any]({two: seal_of(one)}))
    cast.sign(slip, "verified", cast.bob, Place.OFFICE)
    with refused("seal_used"):
        begin_vaulting(cast, [two], **dict[str, Any]({two: seal_of(one)}))


def test_security_is_there_when_cards_go_to_the_pit(cast: Cast) -> None:
    numbers = receive_cards(cast)
    vault(cast, numbers)
    slip = begin(cast, ISSUE, numbers, pit=cast.pit)
    assert {state_of(number) for number in numbers} == {"vaulted"}
    with refused("wrong_role"):
        cast.sign(slip, "witnessed", cast.alice)
    with refused("card_slip_open"):
        begin(cast, ISSUE, numbers[:1], pit=cast.pit)
    cast.sign(slip, "witnessed", cast.frank)
    place = CardPlace.objects.get(card_set__number=numbers[0])
    assert (place.state, place.pit, place.table) == ("in_pit", cast.pit, None)
    back = begin(cast, PUT_BACK, numbers)
    cast.sign(back, "witnessed", cast.frank)
    assert {state_of(number) for number in numbers} == {"vaulted"}


def test_a33_a_set_at_one_table_goes_to_no_other_and_the_sentence_says_where_it_is(
    cast: Cast,
) -> None:
    (number,) = in_pit(cast)
    put_on(cast, number)
    with refused("card_elsewhere"):
        bring(cast, number, table=cast.other_table)
    with pytest.raises(Refused, match=r"is in the shuffler of BJ-11. It cannot go to BJ-12"):
        bring(cast, number, table=cast.other_table)


def test_a33_a_set_of_another_pit_is_brought_over_by_the_store(cast: Cast) -> None:
    numbers = receive_cards(cast)
    vault(cast, numbers)
    issue(cast, numbers, pit=cast.other_pit_tablet.pit)
    with refused("card_elsewhere"):
        bring(cast, numbers[0])


@pytest.mark.parametrize("stage", ["cancelled", "bagged", "collected", "destroyed"])
def test_a34_no_role_brings_a_cancelled_set_back(
    cast: Cast, server_clock: ServerClock, stage: str
) -> None:
    (number,) = in_pit(cast)
    put_on(cast, number, IN_PLAY)
    bag(cast, number, "B-0001")
    if stage in ("collected", "destroyed"):
        collect(cast, [number])
    if stage == "destroyed":
        server_clock.move(days=7)
        destroy(cast, [number])
    for person in cast.people:
        for act in (ISSUE, PUT_BACK):
            with pytest.raises(Refused, match="never comes back"):
                begin(cast, act, [number], pit=cast.pit, by=person)
        with pytest.raises(Refused, match="never comes back"):
            bring(cast, number, by=person)
        with pytest.raises(Refused, match="never comes back"):
            hold(cast, number, by=person)
    assert state_of(number) == {"cancelled": "bagged"}.get(stage, stage)


def test_a35_two_sets_at_one_table_differ_in_colour(cast: Cast) -> None:
    one, two = in_pit(cast, sets=2)
    (blue,) = in_pit(cast, "blue")
    put_on(cast, one)
    with refused("same_colour"):
        bring(cast, two, IN_PLAY)
    put_on(cast, blue, IN_PLAY)


@pytest.mark.django_db(transaction=True)
def test_a36_a_set_counted_short_is_held_and_never_cancelled(cast: Cast) -> None:
    (number,) = in_pit(cast)
    put_on(cast, number, IN_PLAY)
    slip = bag(cast, number, "B-0311", counted=311)
    assert (slip.status, state_of(number)) == ("done", "held")
    assert not CardMove.objects.filter(card_set__number=number, act="cancelled").exists()
    incident = FloorException.objects.get(code="card_count")
    assert "counted 311 of 312, 1 short" in incident.sentence
    assert set(Waiting.objects.get(exception=incident).by) == {"surveillance", "shift_manager"}
    with refused("card_elsewhere"):
        begin(cast, COLLECT, [number])
    for act in (DESTROY, CANCEL_LATE):
        with refused("card_elsewhere"):
            begin(cast, act, [number], by=cast.frank, place=Place.SECURITY)
    assert verify().is_sound


def test_a36_a_miscount_is_voided_and_counted_again(cast: Cast) -> None:
    (number,) = in_pit(cast)
    put_on(cast, number, IN_PLAY)
    slip = begin_bagging(cast, number, "B-0311", counted=311)
    assert state_of(number) == "removed"
    entry = Entry(reason="One stuck in the shoe.")
    cast.sign(slip, "voided", cast.alice, entry=entry, track=Track.VOID)
    cast.sign(slip, "void_witnessed", cast.carol, track=Track.VOID)
    assert state_of(number) == "removed"
    assert bag(cast, number, "B-0311", None, counted=312).status == "done"
    assert state_of(number) == "bagged"
    assert not FloorException.objects.filter(code="card_count").exists()


def test_a37_the_shufflers_set_is_counted_unless_its_display_shows_the_right_number(
    cast: Cast,
) -> None:
    (number,) = in_pit(cast)
    put_on(cast, number)
    with refused("shuffler_differs"):
        begin_bagging(cast, number, "B-0001", SHUFFLER, shuffler_shows=311)
    with refused("count_required"):
        begin_bagging(cast, number, "B-0001", SHUFFLER)
    with refused("not_there"):
        begin_bagging(cast, number, "B-0001", IN_PLAY, counted=312)
    bag(cast, number, "B-0001", SHUFFLER, shuffler_shows=312)
    assert state_of(number) == "bagged"


def test_a37_cards_in_play_are_counted_whatever_the_display_shows(cast: Cast) -> None:
    (number,) = in_pit(cast)
    put_on(cast, number, IN_PLAY)
    with refused("count_required"):
        begin_bagging(cast, number, "B-0001", IN_PLAY, shuffler_shows=312)
    with refused("not_there"):
        begin_bagging(cast, number, "B-0001", SHUFFLER, shuffler_shows=312)


def test_a38_the_dealer_signs_the_bag_first_and_the_supervisor_is_another(cast: Cast) -> None:
    (number,) = in_pit(cast)
    put_on(cast, number, IN_PLAY)
    with refused("wrong_role"):
        begin_bagging(cast, number, "B-0001", counted=312, by=cast.alice)
    slip = begin_bagging(cast, number, "B-0001", counted=312)
    with refused("signed_before", "wrong_role"):
        cast.sign(slip, "cancelled", cast.dan)
    assert state_of(number) == "removed"
    cast.sign(slip, "cancelled", cast.alice)
    assert state_of(number) == "bagged"


def test_a_bag_is_used_once(cast: Cast) -> None:
    (red,) = in_pit(cast)
    (blue,) = in_pit(cast, "blue")
    put_on(cast, red, IN_PLAY)
    put_on(cast, blue, SHUFFLER)
    slip = begin_bagging(cast, red, "b-0001", counted=312)
    for again in ("B-0001", " b-0001 "):
        with refused("bag_used"):
            begin_bagging(cast, blue, again, SHUFFLER, shuffler_shows=312)
    cast.sign(slip, "cancelled", cast.alice)
    with refused("bag_used"):
        begin_bagging(cast, blue, "B-0001", SHUFFLER, shuffler_shows=312)
    with refused("bag_malformed"):
        begin_bagging(cast, blue, "!", SHUFFLER, shuffler_shows=312)


@pytest.mark.parametrize(
    ("said", "code"),
    [({"seal": "77-9999"}, "seal_differs"), ({"seal_is_whole": False}, "seal_broken")],
)
def test_a_wrong_or_broken_seal_stops_the_set_and_is_on_somebodys_list(
    cast: Cast, said: dict[str, Any], code: str
) -> None:
    (number,) = in_pit(cast)
    with refused(code, **TROUBLE):
        bring(cast, number, **said)
    trouble = FloorException.objects.get(code="card_seal")
    assert trouble.details["set"] == number
    assert set(Waiting.objects.get(exception=trouble).by) == {"surveillance", "shift_manager"}
    # The right number does not help any more: somebody explains it, or the set is held.
    with refused("seal_in_question"):
        bring(cast, number)
    hold(cast, number)
    assert state_of(number) == "held"


def test_a_wrong_seal_that_sql_explained_stops_the_set_all_the_same(cast: Cast) -> None:
    (number,) = in_pit(cast)
    with refused("seal_differs", **TROUBLE):
        bring(cast, number, seal="77-9999")
    explain_by_sql(cast.heidi)
    with pytest.raises(Refused) as stopped:
        bring(cast, number)
    assert stopped.value.codes == ("seal_in_question",)


def test_a_wrong_seal_keyed_by_whoever_may_not_bring_cards_opens_nothing(cast: Cast) -> None:
    (number,) = in_pit(cast)
    with refused("seal_differs", "wrong_role"):
        bring(cast, number, by=cast.dan, seal="77-9999")
    assert not FloorException.objects.exists()


def test_cards_of_another_shoe_are_refused(cast: Cast) -> None:
    (eight,) = in_pit(cast, decks=8)
    with refused("wrong_decks"):
        bring(cast, eight)


def test_a_spare_stays_sealed_and_goes_back_unused(cast: Cast) -> None:
    (number,) = in_pit(cast)
    slip = bring(cast, number, SPARE)
    assert (slip.status, state_of(number)) == ("done", "spare")

    def put_back(who: str = "alice") -> Slip:
        back = CARD_UNUSED.at(cast.table, set=number)
        return raise_kind(back, pen=cast.pen(getattr(cast, who)), shown=shown_before(back))

    with refused("wrong_role"):
        put_back("dan")
    put_back()
    assert state_of(number) == "in_pit"
    bring(cast, number, SPARE)
    put_on(cast, number, IN_PLAY)
    with refused("card_elsewhere"):
        put_back()


def test_a_set_that_fails_its_inspection_comes_off_the_game(cast: Cast) -> None:
    (number,) = in_pit(cast)
    slip = bring(cast, number)
    entry = Entry(reason="The dealer found a bent corner.")
    cast.sign(slip, "voided", cast.alice, entry=entry, track=Track.VOID)
    cast.sign(slip, "void_witnessed", cast.carol, track=Track.VOID)
    assert state_of(number) == "removed"
    assert bag(cast, number, "B-0001", None, counted=312).details["taken_from"] == "shuffler"


def test_cancelling_after_collection_is_a_choice_of_the_house(
    cast: Cast, server_clock: ServerClock
) -> None:
    change(cast, "signing.card_cancellation", "after_collection")
    (number,) = in_pit(cast)
    put_on(cast, number, IN_PLAY)
    slip = bag(cast, number, "B-0001")
    assert [s.step for s in slip.signatures.all()] == ["bag_signed", "bagged"]
    assert state_of(number) == "bagged_uncancelled"
    collect(cast, [number])
    assert state_of(number) == "collected_uncancelled"
    server_clock.move(days=7)
    with refused("card_elsewhere"):
        begin(cast, DESTROY, [number], by=cast.frank, place=Place.SECURITY)
    late = begin(cast, CANCEL_LATE, [number], by=cast.frank, place=Place.SECURITY)
    cast.sign(late, "witnessed", cast.alice)
    assert state_of(number) == "collected"


def test_collected_cards_are_kept_as_long_as_the_house_says(
    cast: Cast, server_clock: ServerClock
) -> None:
    change(cast, "cards.retention", "3")
    (number,) = in_pit(cast)
    put_on(cast, number, IN_PLAY)
    bag(cast, number, "B-0001")
    collect(cast, [number])
    server_clock.move(days=3, seconds=-1)
    with refused("kept_longer"):
        begin(cast, DESTROY, [number], by=cast.frank, place=Place.SECURITY)
    server_clock.move(seconds=1)
    destroy(cast, [number])
    assert state_of(number) == "destroyed"


def test_a_held_set_is_let_go_by_surveillance_and_the_shift_manager(cast: Cast) -> None:
    (number,) = in_pit(cast)
    put_on(cast, number, IN_PLAY)
    held = hold(cast, number, by=cast.ivan, reason="The jackpot of seat 3 is verified.")
    assert (state_of(number), held.table) == ("held", cast.table)
    cast.sign(held, "confirmed", cast.heidi)
    let_go = CARD_RELEASE.at(set=number)
    shown = shown_before(let_go)
    slip = raise_kind(let_go, pen=cast.pen(cast.ivan), shown=shown, reason="Nothing was found.")
    cast.sign(slip, "confirmed", cast.heidi)
    assert state_of(number) == "held"
    cast.sign(slip, "collected", cast.frank)
    assert state_of(number) == "collected_uncancelled"


def test_a_set_held_meanwhile_is_not_inspected_or_cancelled(cast: Cast) -> None:
    (number,) = in_pit(cast)
    slip = bring(cast, number)
    hold(cast, number)
    with refused("card_elsewhere"):
        cast.sign(slip, "inspected", cast.dan)
    entry = Entry(reason="It is held.")
    cast.sign(slip, "voided", cast.alice, entry=entry, track=Track.VOID)
    cast.sign(slip, "void_witnessed", cast.carol, track=Track.VOID)
    assert state_of(number) == "held"


def test_cards_of_a_jackpot_hand_keep_every_set_on_the_game_until_it_is_settled(
    cast: Cast,
) -> None:
    (red,) = in_pit(cast)
    (blue,) = in_pit(cast, "blue")
    put_on(cast, red, IN_PLAY)
    new = NewSlip(
        "card_waiver", cast.table.pk, {}, details={"for": "closing", "cards_held": ["7h", "7d"]}
    )
    pending = raise_slip(
        new,
        pen=cast.pen(cast.heidi),
        shown=request_shown(new, cast.table),
        judge=lambda table, original: Judgement(),
        entry=Entry(reason="A jackpot is pending."),
    )
    with refused("cards_held"):
        begin_bagging(cast, red, "B-0001", counted=312)
    with refused("cards_held"):
        bring(cast, blue, SHUFFLER, takes_out=red, taken_from=IN_PLAY)
    put_on(cast, blue, SHUFFLER)
    cast.sign(pending, "witnessed", cast.carol)
    bag(cast, red, "B-0001")
    assert state_of(red) == "bagged"


def test_a_second_tap_brings_a_set_once(cast: Cast) -> None:
    (number,) = in_pit(cast)
    pen = cast.pen(cast.alice)
    first = bring(cast, number, pen=pen)
    shown = first.signatures.get().shown
    brought = CARD_TO_TABLE.at(cast.table, set=number, seal=seal_of(number), slot=SHUFFLER)
    again = raise_kind(brought, pen=pen, shown=shown)
    assert again == first
    assert CardMove.objects.filter(card_set__number=number, act="to_table").count() == 1
