"""A credit, from tray to cage and matched; and every way it may not go, or goes back."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction

from inventory.models import ChequeTransfer, Holder
from inventory.selectors.cheques import balances, holding_of, tray_holding
from pitboss.models import FloorException, Signature, Slip, Table, Waiting
from pitboss.rules.canonical import digest
from pitboss.rules.cheques.cheques import difference
from pitboss.rules.flows.flows import Track
from pitboss.rules.flows.signing import sign_refusals
from pitboss.rules.refusal import Refused
from pitboss.rules.roles import Place, Role
from pitboss.services import signing
from pitboss.services.signing import Entry
from tests.floor.cage import (
    GREENS,
    IN_TRAY,
    acknowledge,
    ask_credit,
    bring_back,
    carry_off,
    credits_in_transit,
    match,
    open_with,
    prove,
    refuse_at_the_cage,
    send_credit,
)
from tests.floor.cast import Cast, make_cast, refused
from tests.floor.house import change
from tests.floor.prints import printed

pytestmark = pytest.mark.django_db

# What a count that differs leaves besides the refused attempt.
OPENED = ("sign_refused", "exception_opened")
TROUBLE = ("pitboss.FloorException", "pitboss.Waiting")
BIG = {500_000: 1, 2_500: 20}
# The same total in other colours.
WRONG = {2_500: 20, 10_000: 5}


@pytest.fixture
def pit(cast: Cast) -> Cast:
    """The cast, its first table open on a full tray."""
    open_with(cast)
    return cast


def status(slip: Slip) -> str:
    return str(Slip.objects.values_list("status", flat=True).get(pk=slip.pk))


def waits_for(slip: Slip) -> list[str]:
    return list(Waiting.objects.filter(slip=slip, until=None).values_list("step", flat=True))


def less(cheques: dict[int, int]) -> dict[int, int]:
    return difference(cheques, IN_TRAY)


def test_a_credit_signed_in_order_moves_its_cheques_from_tray_to_cage(pit: Cast) -> None:
    before = ChequeTransfer.objects.order_by("-id").values_list("id", flat=True)[0]
    credit = send_credit(pit)

    assert (status(credit), credit.serial[:3]) == ("done", "CR-")
    assert tray_holding(pit.table) == less(GREENS)
    assert holding_of(Holder.CARRIER) == {}
    assert holding_of(Holder.CAGE)[2_500] == 40 - 100
    assert list(
        ChequeTransfer.objects.filter(id__gt=before)
        .order_by("id")
        .values_list("denomination_cents", "count", "source", "target")
    ) == [(2_500, 40, "tray", "carrier"), (2_500, 40, "carrier", "cage")]
    assert all(balance.adds_up for balance in balances())


def test_a_credit_is_in_transit_from_the_tray_until_it_is_matched(pit: Cast) -> None:
    credit = ask_credit(pit, BIG)
    seen = [(waits_for(credit), credits_in_transit().count())]
    for step, person, place, entry in (
        ("top_signed", pit.carol, Place.OFFICE, Entry()),
        ("proved", pit.dan, Place.PIT, Entry(counted=BIG)),
        ("carried", pit.frank, Place.PIT, Entry()),
        ("acknowledged", pit.erin, Place.CAGE, pit.agreement(credit)),
        ("matched", pit.bob, Place.PIT, pit.agreement(credit)),
    ):
        pit.sign(credit, step, person, place, entry=entry)
        seen.append((waits_for(credit), credits_in_transit().count()))
    assert seen == [
        (["top_signed"], 0),
        (["proved"], 0),
        (["carried"], 0),
        (["acknowledged"], 1),
        (["matched"], 1),
        ([], 0),
    ]


STEPS = {
    "proved": ("dan", Place.PIT),
    "carried": ("frank", Place.PIT),
    "acknowledged": ("erin", Place.CAGE),
    "matched": ("alice", Place.PIT),
}


def sign_step(cast: Cast, credit: Slip, step: str) -> None:
    name, place = STEPS[step]
    entry = Entry() if step == "carried" else cast.agreement(credit)
    cast.sign(credit, step, getattr(cast, name), place, entry=entry)


def test_each_step_of_a_credit_is_refused_early_and_a_second_time(pit: Cast) -> None:
    credit = ask_credit(pit)
    steps = list(STEPS)
    for position, due in enumerate(steps):
        for step in steps[position + 1 :]:
            nobody_carries = {"other_officer"} if position < 2 and step != "carried" else set()
            with refused("out_of_order", *nobody_carries):
                sign_step(pit, credit, step)
        sign_step(pit, credit, due)
        for step in steps[: position + 1]:
            with refused("already_signed"):
                sign_step(pit, credit, step)
    assert status(credit) == "done"


ROLE_FOR = {
    "top_signed": (Role.PIT_MANAGER, Place.PIT),
    "proved": (Role.DEALER, Place.PIT),
    "carried": (Role.SECURITY, Place.PIT),
    "acknowledged": (Role.CASHIER, Place.CAGE),
    "matched": (Role.SUPERVISOR, Place.PIT),
}
PAIRS = [
    (first, second)
    for number, first in enumerate(["requested", *ROLE_FOR])
    for second in list(ROLE_FOR)[number:]
    if (first, second) != ("requested", "matched")
]


@pytest.mark.parametrize(("first", "second"), PAIRS, ids="+".join)
def test_a14_nobody_signs_two_steps_of_a_credit(pit: Cast, first: str, second: str) -> None:
    credit = ask_credit(pit, BIG)
    signers = {
        "requested": pit.alice,
        "top_signed": pit.carol,
        "proved": pit.dora,
        "carried": pit.frank,
        "acknowledged": pit.erin,
    }
    order = list(ROLE_FOR)
    for step in order[: order.index(second)]:
        entry = Entry() if step in ("top_signed", "carried") else pit.agreement(credit)
        pit.sign(credit, step, signers[step], ROLE_FOR[step][1], entry=entry)
    role, place = ROLE_FOR[second]
    twice = signers[first]
    twice.role = role.value
    twice.save(update_fields=["role"])
    with refused("signed_before"):
        entry = Entry() if second in ("top_signed", "carried") else pit.agreement(credit)
        pit.sign(credit, second, twice, place, entry=entry)


@pytest.mark.parametrize(
    ("step", "name", "place"),
    [
        ("proved", "dan", Place.CAGE),
        ("carried", "frank", Place.CAGE),
        ("acknowledged", "erin", Place.PIT),
        ("matched", "alice", Place.CAGE),
    ],
)
def test_each_step_of_a_credit_is_signed_where_it_belongs(
    pit: Cast, step: str, name: str, place: Place
) -> None:
    credit = ask_credit(pit)
    for earlier in list(STEPS)[: list(STEPS).index(step)]:
        sign_step(pit, credit, earlier)
    with refused("wrong_place"):
        entry = Entry() if step == "carried" else pit.agreement(credit)
        pit.sign(credit, step, getattr(pit, name), place, entry=entry)


def test_a_closed_table_sends_no_credit(pit: Cast) -> None:
    pit.close_table(IN_TRAY)
    with refused("table_closed"):
        ask_credit(pit)


def test_an_empty_credit_is_refused(pit: Cast) -> None:
    with refused("nothing_asked"):
        ask_credit(pit, {})
    with refused("wrong_role"):
        ask_credit(pit, by=pit.dan)


def test_a_credit_may_be_larger_than_the_ledger_knows_of(pit: Cast) -> None:
    """The tray wins between counts; the dealer proves what is really there."""
    send_credit(pit, {2_500: 160})
    assert tray_holding(pit.table)[2_500] == 100 - 160


def test_a_credit_with_5000_cheques_waits_for_the_top_sign(pit: Cast) -> None:
    credit = ask_credit(pit, BIG)
    with refused("out_of_order"):
        pit.sign(credit, "proved", pit.dan, entry=Entry(counted=BIG))
    with refused("wrong_role"):
        pit.sign(credit, "top_signed", pit.bob)


def test_a_dealer_who_proves_other_cheques_stops_the_credit_at_the_table(pit: Cast) -> None:
    credit = ask_credit(pit)
    with refused("count_differs", journal=OPENED, ignoring=TROUBLE):
        pit.sign(credit, "proved", pit.dan, entry=Entry(counted={2_500: 39}))
    assert credits_in_transit().count() == 0


def test_a21_a_count_at_the_cage_that_differs_is_refused_and_the_credit_stays_in_transit(
    pit: Cast,
) -> None:
    credit = ask_credit(pit)
    carry_off(pit, credit)
    with refused("count_differs", journal=OPENED, ignoring=TROUBLE):
        acknowledge(pit, credit, WRONG)

    assert (status(credit), waits_for(credit)) == ("open", ["acknowledged"])
    assert list(credits_in_transit()) == [credit]
    assert holding_of(Holder.CARRIER) == GREENS
    trouble = FloorException.objects.get()
    assert (trouble.code, trouble.slip) == ("count_differs", credit)
    assert trouble.details["counted"] == {"10000": 5, "2500": 20}


def test_a21_it_comes_back_with_the_same_officer_is_recounted_and_a_corrected_one_refers_to_it(
    pit: Cast,
) -> None:
    credit = ask_credit(pit)
    carry_off(pit, credit)
    with pytest.raises(Refused):
        acknowledge(pit, credit, WRONG)

    back = refuse_at_the_cage(pit, credit)
    assert (status(credit), status(back)) == ("returning", "open")
    assert (waits_for(credit), waits_for(back)) == ([], ["carried_back"])
    assert (back.serial[:3], back.refers_to) == ("RC-", credit)
    assert list(credits_in_transit()) == [credit]
    with refused("slip_closed"):
        acknowledge(pit, credit)
    with refused("other_officer"):
        pit.sign(back, "carried_back", pit.grace)
    bring_back(pit, back, WRONG)

    assert (status(credit), status(back)) == ("returned", "done")
    assert not credits_in_transit().exists()
    assert tray_holding(pit.table) == IN_TRAY
    assert holding_of(Holder.CARRIER) == {}
    # The table found what the cage had found: nothing changed on the way.
    assert not FloorException.objects.filter(code="return_differs").exists()

    anew = ask_credit(pit, WRONG, replaces=credit)
    assert (anew.refers_to, anew.number) == (credit, credit.number + 1)
    carry_off(pit, anew)
    acknowledge(pit, anew)
    match(pit, anew)
    assert tray_holding(pit.table) == less(WRONG)
    assert [status(slip) for slip in (credit, back, anew)] == ["returned", "done", "done"]


def test_a21_dealer_and_supervisor_must_find_the_same_before_cheques_enter_the_tray(
    pit: Cast,
) -> None:
    credit = ask_credit(pit)
    carry_off(pit, credit)
    back = refuse_at_the_cage(pit, credit)
    pit.sign(back, "carried_back", pit.frank)
    pit.sign(back, "recounted", pit.dan, entry=Entry(counted=WRONG))
    with refused("count_differs", journal=OPENED, ignoring=TROUBLE):
        pit.sign(back, "counted_in", pit.alice, entry=Entry(counted=GREENS))
    assert tray_holding(pit.table) == less(GREENS)
    assert status(credit) == "returning"
    with refused("signed_before", "wrong_role"):
        pit.sign(back, "counted_in", pit.dan, entry=Entry(counted=WRONG))
    pit.sign(back, "counted_in", pit.alice, entry=Entry(counted=WRONG))
    assert (status(credit), tray_holding(pit.table)) == ("returned", IN_TRAY)


def test_a21_cheques_that_changed_on_the_way_back_are_an_exception(pit: Cast) -> None:
    credit = ask_credit(pit)
    carry_off(pit, credit)
    back = refuse_at_the_cage(pit, credit)
    bring_back(pit, back, {2_500: 12})
    trouble = FloorException.objects.get(code="return_differs")
    assert (trouble.slip, trouble.details["counted"]) == (back, {"2500": 12})


def test_a_credit_is_sent_back_by_the_cage_once_with_a_reason_while_it_is_carried(
    pit: Cast,
) -> None:
    credit = ask_credit(pit)
    with refused("not_dispatched"):
        refuse_at_the_cage(pit, credit)
    carry_off(pit, credit)
    with refused("reason_missing"):
        refuse_at_the_cage(pit, credit, reason=" ")
    with refused("wrong_role"):
        refuse_at_the_cage(pit, credit, by=pit.alice)
    back = refuse_at_the_cage(pit, credit)
    with refused("slip_closed"):
        refuse_at_the_cage(pit, credit)
    with pytest.raises(Refused) as caught:
        refuse_at_the_cage(pit, back)
    assert caught.value.codes == ("not_a_credit",)


def test_a_credit_that_the_cage_took_in_does_not_go_back(pit: Cast) -> None:
    credit = ask_credit(pit)
    carry_off(pit, credit)
    acknowledge(pit, credit)
    with refused("already_acknowledged"):
        refuse_at_the_cage(pit, credit)


def test_only_a_credit_that_came_back_is_replaced_and_once(pit: Cast) -> None:
    credit = ask_credit(pit)
    with refused("not_returned"):
        ask_credit(pit, replaces=credit)
    carry_off(pit, credit)
    bring_back(pit, refuse_at_the_cage(pit, credit), GREENS)
    anew = ask_credit(pit, replaces=credit)
    with refused("already_replaced"):
        ask_credit(pit, replaces=credit)
    void(pit, anew)
    assert ask_credit(pit, replaces=credit).refers_to == credit


def test_a22_an_acknowledgment_that_differs_from_the_copy_on_the_table_is_not_matched(
    pit: Cast,
) -> None:
    credit = ask_credit(pit)
    carry_off(pit, credit)
    acknowledge(pit, credit)
    with refused("count_differs", journal=OPENED, ignoring=TROUBLE):
        match(pit, credit, {2_500: 20})
    assert (status(credit), waits_for(credit)) == ("open", ["matched"])
    assert list(credits_in_transit()) == [credit]
    match(pit, credit)
    assert status(credit) == "done"


@pytest.mark.parametrize("step", ["acknowledged", "matched"])
def test_cashier_and_supervisor_sign_before_the_officer_who_carried_it(
    pit: Cast, step: str
) -> None:
    credit = ask_credit(pit)
    carry_off(pit, credit)
    if step == "matched":
        acknowledge(pit, credit)
    name, place = STEPS[step]
    with refused("other_officer"):
        entry = pit.agreement(credit, present=pit.grace)
        pit.sign(credit, step, getattr(pit, name), place, entry=entry)
    with refused("officer_missing"):
        pit.sign(credit, step, getattr(pit, name), place, entry=Entry(counted=GREENS))


def void(cast: Cast, credit: Slip, reason: str = "Asked for twice.") -> None:
    entry = Entry(reason=reason)
    cast.sign(credit, "voided", cast.alice, entry=entry, track=Track.VOID)
    cast.sign(credit, "void_witnessed", cast.ivan, Place.SURVEILLANCE, track=Track.VOID)


@pytest.mark.parametrize("is_proved", [False, True])
def test_a_credit_is_voided_at_the_table_by_two_people_before_it_leaves(
    pit: Cast, is_proved: bool
) -> None:
    credit = ask_credit(pit)
    if is_proved:
        prove(pit, credit)
    with refused("reason_missing"):
        void(pit, credit, reason=" ")
    entry = Entry(reason="Twice.")
    with refused("wrong_place"):
        pit.sign(credit, "voided", pit.alice, Place.CAGE, entry=entry, track=Track.VOID)
    pit.sign(credit, "voided", pit.alice, entry=entry, track=Track.VOID)
    assert (status(credit), waits_for(credit)) == ("open", ["void_witnessed"])
    with refused("out_of_order"):
        if is_proved:
            pit.sign(credit, "carried", pit.frank)
        else:
            pit.sign(credit, "proved", pit.dan, entry=Entry(counted=GREENS))
    with refused("signed_before", "wrong_role"):
        pit.sign(credit, "void_witnessed", pit.alice, track=Track.VOID)
    pit.sign(credit, "void_witnessed", pit.grace, Place.SECURITY, track=Track.VOID)
    assert (status(credit), waits_for(credit)) == ("voided", [])
    assert tray_holding(pit.table) == IN_TRAY
    assert ask_credit(pit).number == credit.number + 1


def test_the_pit_manager_who_top_signed_does_not_witness_its_void(pit: Cast) -> None:
    credit = ask_credit(pit, BIG)
    pit.sign(credit, "top_signed", pit.carol)
    pit.sign(credit, "voided", pit.alice, entry=Entry(reason="No."), track=Track.VOID)
    with refused("signed_before"):
        pit.sign(credit, "void_witnessed", pit.carol, track=Track.VOID)


def test_a_credit_that_left_the_table_is_not_voided(pit: Cast) -> None:
    credit = ask_credit(pit)
    carry_off(pit, credit)
    with refused("already_dispatched"):
        void(pit, credit)


@pytest.mark.parametrize("relieved_on", ["credit", "return"])
def test_whoever_took_over_from_the_carrier_brings_it_to_the_end(
    pit: Cast, relieved_on: str
) -> None:
    credit = ask_credit(pit)
    with refused("nobody_to_relieve"):
        pit.relieve(credit)
    carry_off(pit, credit)
    if relieved_on == "credit":
        pit.relieve(credit)
        with refused("other_officer"):
            acknowledge(pit, credit)
        entry = pit.agreement(credit, present=pit.grace)
        pit.sign(credit, "acknowledged", pit.erin, Place.CAGE, entry=entry)
        pit.sign(credit, "matched", pit.bob, entry=entry)
        assert status(credit) == "done"
    else:
        back = refuse_at_the_cage(pit, credit)
        pit.relieve(back)
        with refused("other_officer"):
            pit.sign(back, "carried_back", pit.frank)
        pit.sign(back, "carried_back", pit.grace)


def test_a_credit_of_another_table_is_not_replaced_here(pit: Cast) -> None:
    credit = ask_credit(pit)
    carry_off(pit, credit)
    bring_back(pit, refuse_at_the_cage(pit, credit), GREENS)
    pit.table = pit.other_table
    Table.objects.filter(pk=pit.table.pk).update(is_open=True)
    with refused("unknown_slip"):
        ask_credit(pit, replaces=credit)


def test_the_database_keeps_the_count_of_the_cage_to_the_slip_past_the_service(pit: Cast) -> None:
    credit = ask_credit(pit)
    carry_off(pit, credit)
    row = {
        "slip": credit,
        "track": "main",
        "step": "acknowledged",
        "person": pit.erin,
        "signed_as": pit.erin.signs_as,
        "role": "cashier",
        "device": pit.devices[Place.CAGE],
        "place": "cage",
        "signed_at": credit.raised_at,
        "shown": "{}",
        "shown_hash": digest("{}"),
        "facts": {"present": pit.frank.badge},
        "request_id": pit.pen(pit.erin).request_id,
    }
    for counted in (None, {"2500": 39}, {"10000": 10}):
        with pytest.raises(IntegrityError, match="count differs"), transaction.atomic():
            Signature.objects.create(**row, counted=counted)
    with pytest.raises(IntegrityError, match="officer"), transaction.atomic():
        Signature.objects.create(**{**row, "facts": {}}, counted={"2500": 40})
    Signature.objects.create(**row, counted={"2500": 40})


def at_once(*acts: Any) -> list[Any]:
    """Run acts side by side; return what each gave, a refusal as its codes."""

    def attempt(act: Any) -> Any:
        try:
            return act()
        except Refused as refusal:
            return tuple(sorted(set(refusal.codes)))
        finally:
            connection.close()

    with ThreadPoolExecutor(len(acts)) as pool:
        return list(pool.map(attempt, acts))


@pytest.mark.django_db(transaction=True)
def test_a_credit_is_acknowledged_or_sent_back_but_not_both(
    transactional_db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both are held between reading and writing; the table's lock lets one through."""
    floor = make_cast()
    open_with(floor)
    credit = ask_credit(floor)
    carry_off(floor, credit)
    meeting = threading.Barrier(2)
    judge = sign_refusals

    def meet_then_judge(facts: Any) -> Any:
        with suppress(threading.BrokenBarrierError):
            meeting.wait(timeout=0.3)
        return judge(facts)

    monkeypatch.setattr(signing, "sign_refusals", meet_then_judge)
    results = at_once(
        lambda: acknowledge(floor, credit),
        lambda: refuse_at_the_cage(floor, credit, by=floor.trent),
    )
    refusals = [result for result in results if isinstance(result, tuple)]
    assert refusals in (
        [("slip_closed", "stale_screen")],
        [("already_acknowledged", "stale_screen")],
        [("already_acknowledged",)],
    )
    held = holding_of(Holder.CARRIER)
    assert (status(credit), held) in [("open", {}), ("returning", GREENS)]


def test_a123_under_slip_first_no_cheque_leaves_before_the_cage_has_printed_the_slip(
    cast: Cast,
) -> None:
    open_with(cast)
    before = ask_credit(cast)
    carry_off(cast, before)
    change(cast, "credit.family", "slip_first")
    credit = ask_credit(cast)
    prove(cast, credit)
    with refused("slip_not_printed"):
        cast.sign(credit, "carried", cast.frank)
    with pytest.raises(Refused, match="printed at the cage"):
        printed(cast, credit, Place.PIT, cast.alice)
    move = ChequeTransfer.objects.filter(slip=before).latest("id")
    move.pk, move.slip, move.tray_sequence = None, credit, (move.tray_sequence or 0) + 1
    with pytest.raises(IntegrityError, match="not printed"), transaction.atomic():
        move.save(force_insert=True)
    assert credit.serial in printed(cast, credit)
    cast.sign(credit, "carried", cast.frank)
    acknowledge(cast, credit)
    match(cast, credit)
    credit.refresh_from_db()
    assert credit.status == "done"
