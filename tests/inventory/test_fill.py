"""A fill, from request to tray, and every way it may not go."""

from __future__ import annotations

import re
from collections.abc import Mapping

import pytest

from inventory.models import ChequeTransfer, Holder
from inventory.selectors.cheques import (
    cheques_on_the_way,
    holding_of,
    slips_under_way,
    tray_holding,
    tray_holdings,
)
from pitboss.models import FloorException, SeriesCounter, Slip, Table, Waiting
from pitboss.rules.cheques.cheques import count_of
from pitboss.rules.flows.flows import Track
from pitboss.rules.refusal import Refused
from pitboss.rules.roles import Place, Role
from pitboss.services.people import grant_acting_role
from pitboss.services.shown import slip_shown
from pitboss.services.signing import Entry
from pitboss.slips.addresses import new_url
from tests.floor.cast import SOME_CHEQUES, Cast, pin_of, refused
from tests.floor.tablets import signed_in, words

pytestmark = pytest.mark.django_db

BIG = {500_000: 2, 2_500: 20}
# What a count that differs leaves besides the refused attempt.
OPENED = ("sign_refused", "exception_opened")
TROUBLE = ("pitboss.FloorException", "pitboss.Waiting")


def status(slip: Slip) -> str:
    return str(Slip.objects.values_list("status", flat=True).get(pk=slip.pk))


def waits_for(slip: Slip) -> list[str]:
    return list(Waiting.objects.filter(slip=slip, until=None).values_list("step", flat=True))


def test_a12_a_fill_signed_in_order_moves_its_cheques_from_cage_to_tray(cast: Cast) -> None:
    fill = cast.ask({10_000: 20, 2_500: 20})
    cast.deliver(fill)

    fill.refresh_from_db()
    assert fill.status == "done"
    assert fill.total_cents == 250_000
    assert tray_holding(Table.objects.get(pk=cast.table.pk)) == {10_000: 20, 2_500: 20}
    assert holding_of(Holder.CAGE) == {10_000: -20, 2_500: -20}
    assert list(
        ChequeTransfer.objects.order_by("id").values_list(
            "denomination_cents", "count", "source", "target", "tray_sequence"
        )
    ) == [
        (10_000, 20, "cage", "carrier", None),
        (2_500, 20, "cage", "carrier", None),
        (10_000, 20, "carrier", "tray", 1),
        (2_500, 20, "carrier", "tray", 2),
    ]
    assert not Waiting.objects.filter(until=None).exists()


def test_a_second_fill_adds_to_the_tray_and_to_no_other(cast: Cast) -> None:
    cast.deliver(cast.ask({2_500: 20}))
    cast.deliver(cast.ask({2_500: 40, 500: 60}))
    assert tray_holdings(Table.objects.all()) == {
        cast.table.pk: {2_500: 60, 500: 60},
        cast.other_table.pk: {},
    }
    assert Table.objects.get(pk=cast.table.pk).tray_sequence == 3


def test_a_fill_waits_for_each_signer_in_turn_and_shows_what_is_on_the_way(cast: Cast) -> None:
    fill = cast.ask(BIG)
    seen = [waits_for(fill)]
    cast.sign(fill, "top_signed", cast.carol)
    seen.append(waits_for(fill))
    cast.sign(fill, "issued", cast.erin, Place.CAGE)
    seen.append(waits_for(fill))
    assert cheques_on_the_way(cast.table) == {}
    cast.sign(fill, "carried", cast.frank, Place.CAGE)
    seen.append(waits_for(fill))
    assert cheques_on_the_way(cast.table) == BIG
    assert list(slips_under_way(["fill"])) == [fill]
    cast.sign(fill, "agreed", cast.dan, entry=cast.agreement(fill))
    seen.append(waits_for(fill))
    cast.sign(fill, "received", cast.bob)
    seen.append(waits_for(fill))
    assert seen == [["top_signed"], ["issued"], ["carried"], ["agreed"], ["received"], []]
    assert cheques_on_the_way(cast.table) == {}
    assert not slips_under_way(["fill"]).exists()


STEPS = {
    "issued": ("erin", Place.CAGE),
    "carried": ("frank", Place.CAGE),
    "agreed": ("dan", Place.PIT),
    "received": ("alice", Place.PIT),
}


def sign_step(cast: Cast, fill: Slip, step: str) -> None:
    name, place = STEPS[step]
    entry = cast.agreement(fill) if step == "agreed" else Entry()
    cast.sign(fill, step, getattr(cast, name), place, entry=entry)


def test_a13_each_step_is_refused_early_and_a_second_time(cast: Cast) -> None:
    """At every point of a fill try all four signatures; only the one that is due is taken."""
    fill = cast.ask()
    steps = list(STEPS)
    for position, due in enumerate(steps):
        for step in steps[position + 1 :]:
            nobody_carries = {"other_officer"} if step == "agreed" and position < 2 else set()
            with refused("out_of_order", *nobody_carries):
                sign_step(cast, fill, step)
        sign_step(cast, fill, due)
        for step in steps[: position + 1]:
            with refused("already_signed"):
                sign_step(cast, fill, step)
    assert status(fill) == "done"


PAIRS = [
    # What the first signed, and what the same person, given the role for it, tries to sign too.
    ("requested", "top_signed"),
    ("requested", "issued"),
    ("requested", "carried"),
    ("requested", "agreed"),
    ("top_signed", "issued"),
    ("top_signed", "carried"),
    ("top_signed", "agreed"),
    ("top_signed", "received"),
    ("issued", "carried"),
    ("issued", "agreed"),
    ("issued", "received"),
    ("carried", "agreed"),
    ("carried", "received"),
    ("agreed", "received"),
]
ROLE_FOR = {
    "top_signed": (Role.PIT_MANAGER, Place.PIT),
    "issued": (Role.CASHIER, Place.CAGE),
    "carried": (Role.SECURITY, Place.CAGE),
    "agreed": (Role.DEALER, Place.PIT),
    "received": (Role.SUPERVISOR, Place.PIT),
}


@pytest.mark.parametrize(("first", "second"), PAIRS, ids="+".join)
def test_a14_nobody_signs_two_steps_of_a_fill(cast: Cast, first: str, second: str) -> None:
    """Even with the role for it: the second role is given to the same person between the two."""
    fill = cast.ask(BIG)
    signers = {
        "requested": cast.alice,
        "top_signed": cast.carol,
        "issued": cast.erin,
        "carried": cast.frank,
        "agreed": cast.dan,
    }
    order = ["top_signed", "issued", "carried", "agreed", "received"]
    for step in order[: order.index(second)]:
        entry = cast.agreement(fill) if step == "agreed" else Entry()
        cast.sign(fill, step, signers[step], ROLE_FOR[step][1], entry=entry)
    role, place = ROLE_FOR[second]
    twice = signers[first]
    twice.role = role.value
    twice.save(update_fields=["role"])

    with refused("signed_before"):
        entry = cast.agreement(fill) if second == "agreed" else Entry()
        cast.sign(fill, second, twice, place, entry=entry)


def test_a14_the_requester_may_also_receive(cast: Cast) -> None:
    fill = cast.ask(by=cast.alice)
    cast.deliver(fill)
    signers = dict(fill.signatures.values_list("step", "person"))
    assert signers["requested"] == signers["received"] == cast.alice.pk


def test_a15_the_requester_cannot_top_sign_even_as_acting_pit_manager(cast: Cast) -> None:
    fill = cast.ask(BIG, by=cast.alice)
    grant_acting_role(
        person_id=cast.alice.pk,
        role=Role.PIT_MANAGER,
        badge=cast.heidi.badge,
        pin=pin_of(cast.heidi.badge),
        device=cast.devices[Place.OFFICE],
    )
    with refused("signed_before"):
        cast.sign(fill, "top_signed", cast.alice)
    cast.sign(fill, "top_signed", cast.carol)


def test_a15_an_acting_pit_manager_top_signs_the_fill_of_another(cast: Cast) -> None:
    fill = cast.ask(BIG, by=cast.alice)
    with refused("wrong_role"):
        cast.sign(fill, "top_signed", cast.bob)
    grant_acting_role(
        person_id=cast.bob.pk,
        role=Role.PIT_MANAGER,
        badge=cast.heidi.badge,
        pin=pin_of(cast.heidi.badge),
        device=cast.devices[Place.OFFICE],
    )
    assert cast.sign(fill, "top_signed", cast.bob).role == "pit_manager"


def test_a15_without_the_top_sign_nothing_is_issued_or_dispatched(cast: Cast) -> None:
    fill = cast.ask(BIG)
    with refused("out_of_order"):
        cast.sign(fill, "issued", cast.erin, Place.CAGE)
    with refused("out_of_order"):
        cast.sign(fill, "carried", cast.frank, Place.CAGE)
    assert not ChequeTransfer.objects.exists()


WRONG = {2_500: 80, 10_000: 5}


def test_a16_an_equal_total_in_other_colours_is_refused_and_opens_an_exception(cast: Cast) -> None:
    fill = cast.ask({2_500: 100})
    cast.carry(fill)
    with refused("count_differs", journal=OPENED, ignoring=TROUBLE):
        cast.sign(fill, "agreed", cast.dan, entry=cast.agreement(fill, WRONG))

    assert [s.step for s in fill.signatures.all()] == ["requested", "issued", "carried"]
    assert tray_holding(cast.table) == {}
    trouble = FloorException.objects.get()
    assert (trouble.code, trouble.slip, trouble.table) == ("count_differs", fill, cast.table)
    assert trouble.details == {
        "slip": {"2500": 100},
        "counted": {"2500": 80, "10000": 5},
    }
    assert list(trouble.waits.values_list("by", "until")) == [(["pit_manager"], None)]

    # The same wrong count again is the same trouble; another one is another.
    with refused("count_differs"):
        cast.sign(fill, "agreed", cast.dora, entry=cast.agreement(fill, WRONG))
    with refused("count_differs", journal=OPENED, ignoring=TROUBLE):
        cast.sign(fill, "agreed", cast.dan, entry=cast.agreement(fill, {2_500: 99}))
    assert FloorException.objects.count() == 2


def test_a_wrong_count_by_someone_who_may_not_count_opens_nothing(cast: Cast) -> None:
    fill = cast.ask({2_500: 100})
    cast.carry(fill)
    with refused("count_differs", "wrong_role"):
        cast.sign(fill, "agreed", cast.bob, entry=cast.agreement(fill, WRONG))


def go_back(cast: Cast, fill: Slip, counted: Mapping[int, int]) -> Slip:
    back = cast.send_back(fill)
    cast.sign(back, "carried_back", cast.frank)
    cast.sign(back, "counted_in", cast.erin, Place.CAGE, entry=Entry(counted=counted))
    return back


def test_a16_a_wrong_fill_goes_back_with_the_same_officer_and_is_replaced(cast: Cast) -> None:
    fill = cast.ask({2_500: 100})
    cast.carry(fill)
    with pytest.raises(Refused):
        cast.sign(fill, "agreed", cast.dan, entry=cast.agreement(fill, WRONG))

    back = cast.send_back(fill)
    assert (status(fill), status(back)) == ("returning", "open")
    assert (waits_for(fill), waits_for(back)) == ([], ["carried_back"])
    assert (back.serial[:2], back.refers_to) == ("R-", fill)
    with refused("other_officer"):
        cast.sign(back, "carried_back", cast.grace)
    with refused("slip_closed"):
        cast.sign(fill, "agreed", cast.dan, entry=cast.agreement(fill))
    cast.sign(back, "carried_back", cast.frank)
    cast.sign(back, "counted_in", cast.erin, Place.CAGE, entry=Entry(counted=WRONG))

    assert (status(fill), status(back)) == ("returned", "done")
    assert holding_of(Holder.CARRIER) == {}
    assert holding_of(Holder.CAGE) == {}
    # The cage counted what the table had counted: nothing changed on the way.
    assert not FloorException.objects.filter(code="return_differs").exists()

    anew = cast.ask({2_500: 100}, replaces=fill)
    assert (anew.refers_to, anew.number) == (fill, fill.number + 1)
    cast.deliver(anew)
    assert tray_holding(cast.table) == {2_500: 100}


def test_a16_cheques_that_changed_on_the_way_back_are_an_exception(cast: Cast) -> None:
    fill = cast.ask({2_500: 100})
    cast.carry(fill)
    back = go_back(cast, fill, {2_500: 60})
    trouble = FloorException.objects.get(code="return_differs")
    assert (trouble.slip, trouble.details["counted"]) == (back, {"2500": 60})
    assert status(fill) == "returned"


def test_a_fill_that_went_back_whole_is_no_exception(cast: Cast) -> None:
    fill = cast.ask({2_500: 100})
    cast.carry(fill)
    go_back(cast, fill, {2_500: 100})
    assert not FloorException.objects.exists()


def test_nothing_is_sent_back_before_it_left_or_after_it_was_received(cast: Cast) -> None:
    fill = cast.ask()
    with refused("not_dispatched"):
        cast.send_back(fill)
    cast.deliver(fill)
    with refused("slip_closed"):
        cast.send_back(fill)


def test_a_fill_is_sent_back_once_and_with_a_reason(cast: Cast) -> None:
    fill = cast.ask()
    cast.carry(fill)
    with refused("reason_missing"):
        cast.send_back(fill, reason="  ")
    with refused("wrong_role"):
        cast.send_back(fill, by=cast.dan)
    back = cast.send_back(fill)
    with refused("slip_closed"):
        cast.send_back(fill)
    with pytest.raises(Refused) as caught:
        cast.send_back(back)
    assert caught.value.codes == ("not_a_fill",)


def test_only_a_fill_that_went_back_is_replaced_and_once(cast: Cast) -> None:
    fill = cast.ask()
    with refused("not_returned"):
        cast.ask(replaces=fill)
    cast.carry(fill)
    go_back(cast, fill, SOME_CHEQUES)
    anew = cast.ask(replaces=fill)
    with refused("already_replaced"):
        cast.ask(replaces=fill)
    cast.void(anew)
    assert cast.ask(replaces=fill).refers_to == fill


def test_a_fill_of_another_table_is_not_replaced_here(cast: Cast) -> None:
    fill = cast.ask()
    cast.carry(fill)
    go_back(cast, fill, SOME_CHEQUES)
    cast.table = cast.other_table
    with refused("unknown_slip"):
        cast.ask(replaces=fill)


def test_nobody_is_relieved_of_a_replacing_fill_that_is_still_at_the_cage(cast: Cast) -> None:
    """The officer of the returned fill carries nothing of the new one."""
    fill = cast.ask()
    cast.carry(fill)
    go_back(cast, fill, SOME_CHEQUES)
    anew = cast.ask(replaces=fill)
    with refused("nobody_to_relieve"):
        cast.relieve(anew)


def test_an_officer_who_falls_ill_is_relieved_and_the_fill_goes_on(cast: Cast) -> None:
    fill = cast.ask()
    cast.carry(fill)
    cast.sign(
        fill, "relieved", cast.heidi, entry=Entry(reason="Frank fell ill."), track=Track.RELIEF
    )
    assert waits_for(fill) == ["taken_over"]
    with refused("out_of_order"):
        cast.sign(fill, "agreed", cast.dan, entry=cast.agreement(fill))
    with refused("count_differs", journal=OPENED, ignoring=TROUBLE):
        cast.sign(fill, "taken_over", cast.grace, entry=Entry(counted={500: 1}), track=Track.RELIEF)
    counted = Entry(counted=SOME_CHEQUES)
    cast.sign(fill, "taken_over", cast.grace, entry=counted, track=Track.RELIEF)
    assert waits_for(fill) == ["agreed"]
    with refused("other_officer"):
        cast.sign(fill, "agreed", cast.dan, entry=cast.agreement(fill))
    cast.sign(fill, "agreed", cast.dan, entry=cast.agreement(fill, present=cast.grace))
    cast.sign(fill, "received", cast.alice)
    assert status(fill) == "done"


@pytest.mark.parametrize("relieved_on", ["fill", "return"])
def test_a_return_can_always_be_carried_by_whoever_took_over(cast: Cast, relieved_on: str) -> None:
    fill = cast.ask()
    cast.carry(fill)
    if relieved_on == "fill":
        cast.relieve(fill)
        back = cast.send_back(fill)
    else:
        back = cast.send_back(fill)
        cast.relieve(back)
    with refused("other_officer"):
        cast.sign(back, "carried_back", cast.frank)
    cast.sign(back, "carried_back", cast.grace)
    cast.sign(back, "counted_in", cast.trent, Place.CAGE, entry=Entry(counted=SOME_CHEQUES))
    assert (status(fill), status(back)) == ("returned", "done")


@pytest.mark.parametrize(
    ("denomination", "amount"), [(2_500, 3_000), (250, 100), (500_000, 100), (25, 10)]
)
def test_a17_an_amount_that_no_number_of_cheques_makes_is_refused_at_entry(
    denomination: int, amount: int
) -> None:
    with pytest.raises(Refused) as caught:
        count_of(denomination, amount)
    assert caught.value.codes == ("not_a_multiple",)


@pytest.mark.parametrize("count", [1.2, "2", True, None])
def test_a17_a_count_that_is_no_whole_number_raises_no_slip(cast: Cast, count: object) -> None:
    with refused("bad_count"):
        cast.ask({2_500: count}, shown="{}")  # type: ignore[dict-item]


def test_a19_numbers_come_from_the_server_one_after_the_other(cast: Cast) -> None:
    serials = [cast.ask().serial for _ in range(3)]
    year = Slip.objects.values_list("year", flat=True).first()
    assert serials == [f"F-{year}-{number:06d}" for number in (1, 2, 3)]


def test_a19_a_refused_request_uses_no_number(cast: Cast) -> None:
    with refused("nothing_asked"):
        cast.ask({})
    with refused("nothing_asked"):
        cast.ask({2_500: 0})
    with refused("wrong_role"):
        cast.ask(by=cast.dan)
    assert not SeriesCounter.objects.exists()
    assert cast.ask().number == 1


def test_a19_a_number_that_a_terminal_shows_for_itself_is_a_stale_screen(cast: Cast) -> None:
    fill = cast.ask()
    forged = slip_shown(Slip.objects.get(pk=fill.pk)).replace("000001", "000417")
    with refused("stale_screen"):
        cast.sign(fill, "issued", cast.erin, Place.CAGE, shown=forged)


@pytest.mark.parametrize("issued", [False, True])
def test_a20_a_void_before_dispatch_takes_two_people_and_keeps_its_number(
    cast: Cast, issued: bool
) -> None:
    fill = cast.ask()
    if issued:
        cast.issue(fill)
    with refused("reason_missing"):
        cast.void(fill, reason=" ")
    cast.sign(fill, "voided", cast.erin, Place.CAGE, entry=Entry(reason="Twice."), track=Track.VOID)
    assert (status(fill), waits_for(fill)) == ("open", ["void_witnessed"])
    with refused("signed_before", "wrong_role"):
        cast.sign(fill, "void_witnessed", cast.erin, Place.CAGE, track=Track.VOID)
    with refused("signed_before", "wrong_role"):
        cast.sign(fill, "void_witnessed", cast.alice, track=Track.VOID)
    cast.sign(fill, "void_witnessed", cast.grace, Place.SECURITY, track=Track.VOID)

    assert (status(fill), waits_for(fill)) == ("voided", [])
    assert not ChequeTransfer.objects.exists()
    assert cast.ask().number == fill.number + 1
    with refused("slip_closed"):
        sign_step(cast, fill, "carried") if issued else cast.sign(
            fill, "issued", cast.trent, Place.CAGE
        )


def test_a20_nothing_leaves_on_a_slip_that_the_cage_has_signed_as_void(cast: Cast) -> None:
    fill = cast.ask()
    cast.issue(fill)
    cast.sign(fill, "voided", cast.erin, Place.CAGE, entry=Entry(reason="Twice."), track=Track.VOID)
    with refused("out_of_order"):
        cast.sign(fill, "carried", cast.frank, Place.CAGE)


@pytest.mark.parametrize("delivered", [False, True])
def test_a20_after_dispatch_a_void_is_refused(cast: Cast, delivered: bool) -> None:
    fill = cast.ask()
    if delivered:
        cast.deliver(fill)
    else:
        cast.carry(fill)
    closed = ["slip_closed"] if delivered else []
    with refused("already_dispatched", *closed):
        cast.void(fill)


def test_a_fill_asked_for_in_the_meantime_makes_the_screen_stale(cast: Cast) -> None:
    shown = cast.shown_to_ask()
    cast.ask(by=cast.bob)
    with refused("stale_screen"):
        cast.ask(shown=shown)


def test_a_tray_that_moved_in_the_meantime_makes_the_screen_stale(cast: Cast) -> None:
    fill = cast.ask()
    cast.carry(fill)
    cast.sign(fill, "agreed", cast.dan, entry=cast.agreement(fill))
    shown = cast.shown_to_ask().replace(fill.serial, "").replace('""', "")
    cast.sign(fill, "received", cast.alice)
    with refused("stale_screen"):
        cast.ask(shown=shown)
    assert '"tray_sequence":2' in cast.shown_to_ask()


def test_what_was_asked_for_already_is_not_suggested_again(cast: Cast) -> None:
    page, url = signed_in(cast.alice, cast), new_url("fill", table=cast.table.name)
    pattern = r'name="cheques_(\d+)" value="([1-9]\d*)"'

    def suggested() -> dict[int, int]:
        found = re.findall(pattern, words(page.get(url)))
        return {int(cents): int(count) for cents, count in found}

    to_par = suggested()
    assert to_par
    fill = cast.ask(to_par)
    assert suggested() == {}
    assert f"Already requested: {fill.serial}" in words(page.get(url))
    cast.void(fill)
    assert suggested() == to_par
