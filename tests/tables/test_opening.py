"""Open a table: the tray is counted blind, verified, and compared with what it should hold."""

from __future__ import annotations

from datetime import timedelta
from uuid import uuid4

import pytest
from django.db import IntegrityError, ProgrammingError, transaction

from inventory.models import ChequeTransfer, Holder, TrayCount
from inventory.selectors.cheques import holding_of, tray_holding
from pitboss.models import FloorException, JournalEntry, Slip, Table, Waiting
from pitboss.rules.flows.flows import Track
from pitboss.rules.roles import Place
from pitboss.services import house
from pitboss.services.explaining import Told, resolve_exception
from pitboss.services.shown import slip_shown
from pitboss.services.signing import Entry
from pitboss.slips.raising import shown_before
from tables.kinds.opener import OPENER
from tables.models import Dealing
from tables.services.trays import count_refusals
from tests.floor.cast import Cast, ServerClock, pin_of, refused
from tests.floor.house import change, keep_shut

pytestmark = pytest.mark.django_db
TRAY = {10_000: 20, 2_500: 20}
BECAUSE = Entry(reason="Counted twice.")


def is_open(cast: Cast) -> bool:
    return Table.objects.get(pk=cast.table.pk).is_open


def stocked(cast: Cast, cheques: dict[int, int] = TRAY) -> None:
    cast.deliver(cast.ask(cheques))


def counted_and_verified(cast: Cast, counted: dict[int, int], kind: str = "opener") -> Slip:
    slip = cast.count(kind, counted)
    cast.sign(slip, "verified", cast.alice, entry=Entry(counted=counted))
    slip.refresh_from_db()
    return slip


def test_a01_an_opener_equal_to_the_closer_opens_the_table(cast: Cast) -> None:
    stocked(cast)
    cast.open_table(TRAY)
    closer = cast.close_table({10_000: 18, 2_500: 25})
    assert closer.status == "done"
    assert not is_open(cast)

    opener = cast.count("opener", {10_000: 18, 2_500: 25})
    assert [step["name"] for step in opener.plan if step["track"] == "main"] == [
        "counted",
        "verified",
    ]
    cast.sign(opener, "verified", cast.alice, entry=Entry(counted={10_000: 18, 2_500: 25}))

    assert is_open(cast)
    assert tray_holding(cast.table) == {10_000: 18, 2_500: 25}
    assert opener.refers_to == closer
    assert not opener.transfers.exists()


def test_the_dealer_who_counted_deals_at_the_table_from_then_on(cast: Cast) -> None:
    stocked(cast)
    cast.open_table(TRAY)
    assert Dealing.objects.get().dealer == cast.dan
    cast.close_table(TRAY)
    assert Dealing.objects.get().ended_at is not None


def test_a_dealer_who_went_to_deal_elsewhere_meanwhile_stays_there(cast: Cast) -> None:
    stocked(cast)
    opener = cast.count("opener", TRAY)
    Dealing.objects.create(table=cast.other_table, dealer=cast.dan, began_at=house.now())
    cast.sign(opener, "verified", cast.alice, entry=Entry(counted=TRAY))
    assert is_open(cast)
    assert Dealing.objects.get().table == cast.other_table


def test_a02_two_swapped_denominations_differ_although_the_total_agrees(cast: Cast) -> None:
    keep_shut(cast)
    stocked(cast, {10_000: 20, 2_500: 80})
    opener = counted_and_verified(cast, {10_000: 25, 2_500: 60})
    assert not is_open(cast)
    assert Waiting.objects.get(until=None).by == ["shift_manager"]
    cast.sign(opener, "accepted", cast.heidi, entry=BECAUSE)
    assert is_open(cast)
    assert {
        (move.denomination_cents, move.source, move.target, move.count)
        for move in opener.transfers.all()
    } == {(10_000, "variance", "tray", 5), (2_500, "tray", "variance", 20)}


def test_a03_thirty_dollars_short_stays_shut_until_all_reported(cast: Cast) -> None:
    keep_shut(cast)
    stocked(cast, {500: 100})
    short = {500: 94}
    opener = counted_and_verified(cast, short)
    # The shift manager has it on their list at once, with both counts.
    assert Waiting.objects.get(until=None).by == ["shift_manager"]
    assert '"expected":{"500":100}' in slip_shown(Slip.objects.get(pk=opener.pk))
    cast.sign(opener, "accepted", cast.heidi, entry=BECAUSE)
    cast.sign(opener, "security_reported", cast.frank, Place.SECURITY, entry=BECAUSE)
    assert not is_open(cast)
    cast.sign(opener, "surveillance_reported", cast.ivan, Place.SURVEILLANCE, entry=BECAUSE)
    assert is_open(cast)
    assert tray_holding(cast.table) == short
    assert list(opener.transfers.values_list("source", "target", "count")) == [
        ("tray", "variance", 6)
    ]
    assert holding_of(Holder.PUBLIC) == {}, "a variance is never win or loss"
    assert not FloorException.objects.filter(code="regulator_notice").exists()


def test_a_tray_over_its_book_is_variance_as_well(cast: Cast) -> None:
    keep_shut(cast)
    stocked(cast, {500: 100})
    opener = counted_and_verified(cast, {500: 101})
    cast.sign(opener, "accepted", cast.heidi, entry=BECAUSE)
    assert tray_holding(cast.table) == {500: 101}
    assert list(opener.transfers.values_list("source", "target", "count")) == [
        ("variance", "tray", 1)
    ]


@pytest.mark.parametrize(
    ("step", "person", "place"),
    [
        ("accepted", "carol", Place.PIT),
        ("accepted", "alice", Place.PIT),
        ("security_reported", "heidi", Place.PIT),
        ("surveillance_reported", "heidi", Place.PIT),
    ],
)
def test_nobody_signs_a_variance_out_of_turn_or_rank(
    cast: Cast, step: str, person: str, place: Place
) -> None:
    keep_shut(cast)
    stocked(cast, {500: 100})
    opener = counted_and_verified(cast, {500: 94})
    codes = {
        ("accepted", "carol"): ["wrong_role"],
        ("accepted", "alice"): ["wrong_role", "signed_before"],
        ("security_reported", "heidi"): ["wrong_role", "out_of_order"],
        ("surveillance_reported", "heidi"): ["wrong_role", "out_of_order"],
    }[step, person]
    with refused(*codes):
        cast.sign(opener, step, getattr(cast, person), place, entry=BECAUSE)


def test_a_variance_is_not_accepted_without_a_reason(cast: Cast) -> None:
    keep_shut(cast)
    stocked(cast, {500: 100})
    opener = counted_and_verified(cast, {500: 99})
    with refused("reason_missing"):
        cast.sign(opener, "accepted", cast.heidi)


@pytest.mark.parametrize(
    ("preset", "counted", "steps"),
    [
        ("NJ", {500: 95}, ["accepted"]),
        ("NJ", {500: 94}, ["accepted", "security_reported", "surveillance_reported"]),
        ("KS", {500: 80}, ["accepted"]),
        ("WA", {500: 99}, ["accepted", "security_reported"]),
        ("WA", {500: 95, 2_500: 1}, ["accepted", "security_reported"]),
    ],
)
def test_the_jurisdiction_says_who_reports(
    cast: Cast, preset: str, counted: dict[int, int], steps: list[str]
) -> None:
    keep_shut(cast)
    if preset != "NJ":
        change(cast, "count.tolerance", preset)
    stocked(cast, {500: 100})
    opener = cast.count("opener", counted)
    main = [step["name"] for step in opener.plan if step["track"] == "main"]
    assert main == ["counted", "verified", *steps]


# ------------------------------------------------------------------ the regulator (A04)


def notice_of(cast: Cast) -> FloorException:
    stocked(cast, {10_000: 20})
    counted_and_verified(cast, {10_000: 19})
    return FloorException.objects.get(code="regulator_notice")


def answer(cast: Cast, notice: FloorException, told: Told | None, resolution: str = "") -> None:
    resolve_exception(
        exception_id=notice.pk,
        resolution=resolution,
        badge=cast.heidi.badge,
        pin=pin_of(cast.heidi.badge),
        request_id=uuid4(),
        device=cast.devices[Place.OFFICE],
        told=told,
    )


def test_a04_a_hundred_dollars_out_waits_until_somebody_records_agent_and_time(
    cast: Cast, server_clock: ServerClock
) -> None:
    notice = notice_of(cast)
    wait = Waiting.objects.get(exception=notice)
    assert (wait.by, wait.until, wait.since) == (["shift_manager"], None, server_clock.now)
    assert notice.details == {"variance_cents": -10_000, "due_at": "2026-05-02T13:00:00+00:00"}
    assert "$100 short" in notice.sentence
    assert "within 24 hours" in notice.sentence
    # The clock runs from the count, not from the shift manager's signature.
    assert not is_open(cast)

    told_at = server_clock.now + timedelta(minutes=5)
    server_clock.move(minutes=20)
    answer(cast, notice, Told("Agent Ruiz", told_at))
    notice.refresh_from_db()
    assert notice.resolution == "Notified Agent Ruiz at 09:05 on May 1, 2026."
    wait.refresh_from_db()
    assert wait.until == server_clock.now


@pytest.mark.parametrize(
    ("whom", "minutes", "code"),
    [
        (None, 0, "notice_missing"),
        ("  ", 0, "notice_missing"),
        ("Agent Ruiz", 21, "told_in_the_future"),
        ("Agent Ruiz", -1, "told_too_early"),
    ],
)
def test_a04_a_notice_names_somebody_and_a_time_that_can_be(
    cast: Cast, server_clock: ServerClock, whom: str | None, minutes: int, code: str
) -> None:
    notice = notice_of(cast)
    told = Told(whom, server_clock.now + timedelta(minutes=minutes)) if whom is not None else None
    server_clock.move(minutes=20)
    with refused(code, journal=["act_refused"]):
        answer(cast, notice, told, "We called them.")


def test_a04_a_count_that_was_voided_needs_an_explanation_but_no_notice(cast: Cast) -> None:
    notice = notice_of(cast)
    assert notice.slip is not None
    cast.sign(notice.slip, "voided", cast.alice, entry=BECAUSE, track=Track.VOID)
    cast.sign(notice.slip, "void_witnessed", cast.carol, track=Track.VOID)
    answer(cast, FloorException.objects.get(pk=notice.pk), None, "A black lay under the green.")
    notice.refresh_from_db()
    assert notice.resolution == "A black lay under the green."


def test_a_variance_below_the_regulators_amount_opens_no_notice(cast: Cast) -> None:
    stocked(cast, {100: 200})
    counted_and_verified(cast, {100: 101})
    assert FloorException.objects.get().code == "tray_variance"


def test_in_kansas_the_regulator_is_told_at_once(cast: Cast) -> None:
    change(cast, "count.tolerance", "KS")
    notice = notice_of(cast)
    assert "Notify the regulator immediately" in notice.sentence


# ------------------------------------------------------------------ refusals


def test_a_table_that_is_open_is_not_opened_again(cast: Cast) -> None:
    stocked(cast)
    cast.open_table(TRAY)
    with refused("table_open"):
        cast.count("opener", TRAY)


def test_one_count_at_a_time(cast: Cast) -> None:
    stocked(cast)
    cast.count("opener", TRAY)
    with refused("count_under_way"):
        cast.count("opener", TRAY, by=cast.dora)
    with refused("count_under_way"):
        cast.count("recount", TRAY, by=cast.bob)


def test_a_table_does_not_open_while_its_fill_is_under_way(cast: Cast) -> None:
    first = cast.ask()
    with refused("slips_open"):
        cast.count("opener", TRAY)
    second = cast.ask({2_500: 20})
    table = Table.objects.get(pk=cast.table.pk)
    with refused("slips_open"):
        cast.count("opener", TRAY)
    entry = JournalEntry.objects.filter(kind="sign_refused").latest("id")
    assert "slips_open" in entry.text
    (refusal,) = count_refusals("opener", table)
    assert refusal.message == (
        f"BJ-11 can’t open while slips are open. Finish {first.serial}, {second.serial}."
    )


@pytest.mark.parametrize("kind", ["opener", "recount"])
def test_a_supervisor_who_finds_another_number_stops_the_count(cast: Cast, kind: str) -> None:
    stocked(cast)
    slip = cast.count(kind, TRAY)
    with refused(
        "count_differs",
        journal=["sign_refused", "exception_opened"],
        ignoring=["pitboss.FloorException", "pitboss.Waiting"],
    ):
        cast.sign(slip, "verified", cast.alice, entry=Entry(counted=TRAY | {2_500: 19}))
    assert not is_open(cast)


def test_a_count_needs_a_dealer_at_the_pit(cast: Cast) -> None:
    stocked(cast)
    with refused("wrong_role"):
        cast.count("opener", TRAY, by=cast.alice)


def test_the_dealer_cannot_verify_and_the_verifier_cannot_be_the_cage(cast: Cast) -> None:
    stocked(cast)
    opener = cast.count("opener", TRAY)
    with refused("wrong_role", "signed_before"):
        cast.sign(opener, "verified", cast.dan, entry=Entry(counted=TRAY))
    with refused("wrong_place"):
        cast.sign(opener, "verified", cast.alice, Place.CAGE, entry=Entry(counted=TRAY))
    with refused("count_missing"):
        cast.sign(opener, "verified", cast.alice)


def test_an_opener_of_an_empty_tray_is_a_count(cast: Cast) -> None:
    opener = cast.count("opener", {})
    cast.sign(opener, "verified", cast.alice, entry=Entry(counted={}))
    assert is_open(cast)


def test_the_book_is_no_part_of_what_is_shown_until_both_have_signed(cast: Cast) -> None:
    stocked(cast, {500: 100})
    table = Table.objects.get(pk=cast.table.pk)
    before = shown_before(OPENER.at(table, {500: 94}))
    opener = cast.count("opener", {500: 94})
    for shown in (before, slip_shown(Slip.objects.get(pk=opener.pk))):
        assert "expected" not in shown
        assert "accepted" not in shown
        assert "100" not in shown.replace("BJ-11", "")


# ------------------------------------------------------------------ sequences (A08)


def test_a08_a_table_opened_twice_in_a_day_carries_one_and_two(
    cast: Cast, server_clock: ServerClock
) -> None:
    stocked(cast)
    first = cast.open_table(TRAY)
    first_closer = cast.close_table(TRAY)
    second = cast.open_table(TRAY)
    second_closer = cast.close_table(TRAY)
    slips = [first, first_closer, second, second_closer]
    assert [slip.details["sequence"] for slip in slips] == [1, 1, 2, 2]
    assert second.refers_to == first_closer
    server_clock.move(days=1)
    assert cast.open_table(TRAY).details["sequence"] == 1


def test_a08_a_closer_after_the_day_turned_keeps_the_number_of_its_opener(
    cast: Cast, server_clock: ServerClock
) -> None:
    stocked(cast)
    cast.open_table(TRAY)
    cast.close_table(TRAY)
    cast.open_table(TRAY)
    server_clock.move(days=1)
    assert cast.close_table(TRAY).details["sequence"] == 2


def test_a_void_opener_gives_its_number_in_the_day_back(cast: Cast) -> None:
    stocked(cast)
    opener = cast.count("opener", {2_500: 1})
    cast.sign(opener, "voided", cast.alice, entry=BECAUSE, track=Track.VOID)
    cast.sign(opener, "void_witnessed", cast.carol, track=Track.VOID)
    assert cast.open_table(TRAY).details["sequence"] == 1


# ------------------------------------------------------------------ past the services


def test_a_count_is_stored_once_a_slip_and_never_changed(cast: Cast) -> None:
    stocked(cast)
    opener = cast.open_table(TRAY)
    count = TrayCount.objects.get()
    assert (count.slip, count.cheques) == (opener, {"10000": 20, "2500": 20})
    with pytest.raises(IntegrityError), transaction.atomic():
        TrayCount.objects.create(
            table=cast.table, slip=opener, tray_sequence=9, cheques={}, at=house.now()
        )
    with pytest.raises(ProgrammingError, match="permission denied"), transaction.atomic():
        TrayCount.objects.update(cheques={})


def test_the_journal_vouches_for_an_opening_and_its_variance(cast: Cast) -> None:
    keep_shut(cast)
    stocked(cast, {500: 100})
    opener = counted_and_verified(cast, {500: 99})
    cast.sign(opener, "accepted", cast.heidi, entry=BECAUSE)
    entry = JournalEntry.objects.get(kind="opener.accepted")
    move = ChequeTransfer.objects.get(slip=opener)
    count = TrayCount.objects.get()
    assert f'["inventory.ChequeTransfer",{move.pk},' in entry.text
    assert f'["inventory.TrayCount",{count.pk},' in entry.text
