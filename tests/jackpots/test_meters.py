"""Meters: what wagers add, who changes them, and that they fall only for a signed reason."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import DatabaseError, connection, transaction

from jackpots.models import Meter, MeterContribution, MeterEntry, MeterReading
from jackpots.services.contributions import roll_up, roll_up_all
from jackpots.services.figures import balance_of
from jackpots.services.meter_reading import read_meter
from jackpots.tasks import roll_up_meters
from pitboss.models import FloorException, JournalEntry, Table
from pitboss.rules.flows.flows import Track
from pitboss.rules.payouts.meters import Cause
from pitboss.rules.refusal import Refused
from pitboss.rules.roles import Place
from pitboss.services import house
from pitboss.services.side_wagers import side_wagers_taken
from pitboss.services.signing import Entry
from pitboss.services.verification import Wrong, verify
from tests.floor.cast import Cast, ServerClock, refused
from tests.floor.meters import (
    MEGA,
    SEVENS,
    adjust,
    approve,
    play,
    propose,
    read,
    sevens,
    shows,
    start,
    wager,
)

pytestmark = pytest.mark.django_db(transaction=True)
KEPT = ("sign_refused", "meter.terms_refused")


def test_a_meter_starts_when_two_have_signed_and_says_who_counts_it(cast: Cast) -> None:
    play("blazing_7s", cast.table, cast.other_table)
    slip = propose(cast, SEVENS)
    assert not Meter.objects.exists()
    assert "needs the regulator’s approval" in dict(slip.details["says"])["Counted by"]
    approve(cast, slip)
    meter = Meter.objects.get()
    assert shows(meter) == 2_431_055
    assert meter.terms().tables == ("BJ-11", "BJ-12")
    assert verify().is_sound


@pytest.mark.parametrize("who", ["alice", "trent", "judy", "ruth"])
def test_only_the_pits_managers_propose_a_meter(cast: Cast, who: str) -> None:
    play("blazing_7s", cast.table, cast.other_table)
    code = "administrators_sign_nothing" if who == "judy" else "wrong_role"
    with refused(code, journal=KEPT):
        propose(cast, SEVENS, by=getattr(cast, who))


def test_nobody_approves_a_meter_of_their_own(cast: Cast) -> None:
    play("blazing_7s", cast.table, cast.other_table)
    slip = propose(cast, SEVENS)
    with refused("signed_before"):
        approve(cast, slip, by=cast.carol)


def test_tables_are_linked_that_take_the_bet_and_no_others(cast: Cast) -> None:
    play("blazing_7s", cast.table)
    with refused("bet_not_offered", journal=KEPT):
        propose(cast, SEVENS)
    with refused("unknown_table", journal=KEPT):
        propose(cast, SEVENS | {"tables": "BJ-11 BJ-99"})


def test_a_table_whose_own_rules_are_broken_is_not_linked(cast: Cast) -> None:
    play("bet_bigger", cast.other_table)
    Table.objects.filter(pk=cast.other_table.pk).update(maximum_cents=300_000)
    with refused("over_game_maximum", journal=KEPT):
        propose(cast, MEGA)


def test_a_table_plays_for_one_meter_of_a_bet(cast: Cast) -> None:
    sevens(cast)
    with refused("already_linked", journal=KEPT):
        propose(cast, SEVENS | {"name": "Another"})
    with refused("name_taken", "already_linked", journal=KEPT):
        propose(cast, SEVENS)


def test_wagers_add_exactly_their_rate_and_the_reserve_grows_unseen(cast: Cast) -> None:
    meter = sevens(cast, rate="0.0333%", reserve="2.5%")
    for _ in range(3):
        wager(cast.table)
        wager(cast.other_table, 2)
    now = balance_of(meter)
    # 9 wagers of $5 at 0.0333% are 1.4985 cents: one cent shows, the rest is carried.
    assert now.shown_microcents == 2_431_055_000_000 + 1_498_500
    assert (now.shown_cents, now.reserve_cents) == (2_431_056, 112)
    assert verify().is_sound


def test_a_round_told_twice_adds_once(cast: Cast) -> None:
    meter = sevens(cast)
    assert len(wager(cast.table, 3, key="round 7")) == 1
    assert wager(cast.table, 3, key="round 7") == []
    assert shows(meter) == 2_431_055 + 300


def test_a_table_without_a_meter_adds_nothing_and_a_round_of_others_neither(cast: Cast) -> None:
    meter = sevens(cast, tables="BJ-11")
    assert wager(cast.other_table) == []
    with transaction.atomic():
        assert side_wagers_taken(cast.table, {"trilux": 4}, key="r1", at=house.now()) == []
    assert shows(meter) == 2_431_055


def test_the_roll_up_writes_one_entry_a_meter_and_the_journal_vouches_for_it(cast: Cast) -> None:
    meter = sevens(cast)
    wager(cast.table, 2)
    before = shows(meter)
    roll_up_meters()
    entry = meter.entries.latest("number")
    assert (entry.cause, entry.number) == ("contributed", 2)
    assert entry.balance_microcents == 2_431_255_000_000
    assert shows(meter) == before == 2_431_255
    assert roll_up_all() == 0
    assert JournalEntry.objects.filter(kind="meter.rolled_up", chain__name="meters").count() == 1
    assert verify().is_sound


def test_what_passes_the_maximum_goes_into_the_reserve(cast: Cast) -> None:
    meter = sevens(cast, maximum="24,311", reserve="0")
    wager(cast.table)
    now = balance_of(meter)
    assert (now.shown_cents, now.reserve_cents) == (2_431_100, 55)
    roll_up(meter_id=meter.pk)
    now = balance_of(meter)
    assert (now.shown_cents, now.reserve_cents) == (2_431_100, 55)


def test_a_change_of_rate_counts_earlier_wagers_at_the_old_one(cast: Cast) -> None:
    meter = sevens(cast)
    wager(cast.table)
    slip = propose(cast, SEVENS | {"rate": "10%"}, meter)
    assert "10% on the meter" in dict(slip.details["says"])["Of each wager"]
    wager(cast.table)
    approve(cast, slip, by=cast.ruth)
    wager(cast.table)
    assert shows(meter) == 2_431_055 + 100 + 100 + 50
    assert verify().is_sound


@pytest.mark.parametrize(
    ("change", "codes"),
    [
        ({}, ("nothing_changes",)),
        ({"start": "20,000"}, ("bet_stays",)),
        ({"maximum": "24,311"}, ("over_maximum",)),
    ],
)
def test_a_running_meter_keeps_what_it_is(
    cast: Cast, change: dict[str, str], codes: tuple[str, ...]
) -> None:
    meter = sevens(cast)
    wager(cast.table)
    with refused(*codes, journal=KEPT):
        propose(cast, SEVENS | change, meter)


def test_terms_that_changed_meanwhile_are_not_approved(cast: Cast) -> None:
    meter = sevens(cast)
    slip = propose(cast, SEVENS | {"rate": "10%"}, meter)
    with refused("already_proposed", journal=KEPT):
        propose(cast, SEVENS | {"rate": "5%"}, meter)
    cast.sign(
        slip, "refused", cast.carol, Place.OFFICE, entry=Entry(reason="No."), track=Track.VOID
    )
    stale = propose(cast, SEVENS | {"rate": "10%"}, meter)
    approve(cast, stale)
    assert Meter.objects.get().rate_ppm == 100_000


def test_a49_a_reading_that_differs_from_the_roll_forward_is_an_exception(cast: Cast) -> None:
    meter = sevens(cast)
    wager(cast.table)
    read(cast, meter, 2_431_155)
    assert not FloorException.objects.exists()
    read(cast, meter, 2_431_155 + 500)
    exception = FloorException.objects.get()
    assert exception.code == "meter_differs"
    assert "$5 more" in exception.sentence
    assert [r.difference_cents for r in MeterReading.objects.order_by("id")] == [0, 500]
    assert verify().is_sound


def test_a49_an_adjustment_takes_a_reason_two_people_and_never_lowers_but_for_a_listed_one(
    cast: Cast,
) -> None:
    meter = sevens(cast)
    before = shows(meter)
    kept = ("sign_refused", "meter.adjustment_refused")
    with refused("meter_would_fall", journal=kept):
        adjust(cast, meter, Cause.CORRECTION, before - 500)
    entry = JournalEntry.objects.filter(kind="meter.adjustment_refused").latest("id")
    assert '"after_cents":2430555,"before_cents":2431055' in entry.text
    with refused("wrong_cause", journal=kept):
        adjust(cast, meter, Cause.WON, before - 500)
    slip = adjust(cast, meter, Cause.MALFUNCTION, before - 500)
    assert shows(meter) == before
    with refused("signed_before"):
        approve(cast, slip, by=cast.ruth)
    wager(cast.table)
    approve(cast, slip)
    # What was wagered meanwhile stays on the meter.
    assert shows(meter) == before - 500 + 100
    assert verify().is_sound


def test_what_is_moved_into_the_reserve_is_in_the_reserve(cast: Cast) -> None:
    meter = sevens(cast)
    approve(cast, adjust(cast, meter, Cause.RESERVE, 2_000_000))
    now = balance_of(meter)
    assert (now.shown_cents, now.reserve_cents) == (2_000_000, 431_055)


def test_a_posted_jackpot_is_changed_once_in_24_hours(
    cast: Cast, server_clock: ServerClock
) -> None:
    play("bet_bigger", cast.other_table)
    meter = start(cast, MEGA)
    approve(cast, adjust(cast, meter, Cause.POSTED, 4_000_000))
    assert shows(meter) == 4_000_000
    server_clock.move(hours=23)
    with refused("posted_today", journal=("sign_refused", "meter.adjustment_refused")):
        adjust(cast, meter, Cause.POSTED, 6_000_000)
    server_clock.move(hours=1)
    approve(cast, adjust(cast, meter, Cause.POSTED, 6_000_000))
    assert shows(meter) == 6_000_000


def test_a_dealer_reads_no_meter(cast: Cast) -> None:
    meter = sevens(cast)
    with refused("wrong_role", journal=("act_refused",)):
        read(cast, meter, 1_00, by=cast.dan)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"cause": "correction", "amount_microcents": -1}, "nobody signed for it"),
        ({"cause": "won", "amount_microcents": -1_000_000}, "nobody signed for it"),
        ({"cause": "contributed", "amount_microcents": 5}, "does not add up"),
        ({"cause": "malfunction", "amount_microcents": -1, "slip_id": "proposed"}, "two people"),
        ({"cause": "started", "amount_microcents": 0, "slip_id": "proposed"}, "starts once"),
        ({"number": 9}, "it is not the next"),
        ({"balance_microcents": 1}, "its figures do not follow"),
        ({"contributions_through": 4_000}, "does not add up"),
    ],
)
def test_the_database_refuses_a_change_that_nobody_signed_or_that_does_not_add_up(
    cast: Cast, change: dict[str, Any], words: str
) -> None:
    meter = sevens(cast)
    proposed = adjust(cast, meter, Cause.MALFUNCTION, 2_000_000)
    last = meter.entries.get()
    if change.get("slip_id") == "proposed":
        change = change | {"slip_id": proposed.pk}
    amount = change.get("amount_microcents", 0)
    row: dict[str, Any] = {
        "meter": meter,
        "number": 2,
        "cause": "contributed",
        "amount_microcents": amount,
        "balance_microcents": last.balance_microcents + amount,
        "reserve_balance_microcents": 0,
        "contributions_through": 0,
        "gaming_day": last.gaming_day,
        "at": last.at,
    }
    with pytest.raises(DatabaseError, match=words):
        MeterEntry.objects.create(**row | change)


@pytest.mark.parametrize(
    "change", [{"epoch": 7}, {"amount_microcents": 1}, {"reserve_microcents": 1}]
)
def test_the_database_refuses_a_contribution_that_is_not_what_its_wagers_add(
    cast: Cast, change: dict[str, Any]
) -> None:
    meter = sevens(cast)
    (row,) = wager(cast.table)
    values = {
        field.attname: getattr(row, field.attname)
        for field in row._meta.fields
        if field.name != "id"
    }
    with pytest.raises(DatabaseError, match=r"epoch 7, not 0|not what its wagers add"):
        MeterContribution.objects.create(**values | {"key": "other"} | change)
    assert meter.contributions.count() == 1


def test_the_database_refuses_terms_that_nobody_approved(cast: Cast) -> None:
    meter = sevens(cast)
    with pytest.raises(DatabaseError, match="nobody approved these terms"):
        Meter.objects.filter(pk=meter.pk).update(rate_ppm=1)


def test_what_is_written_of_a_meter_stays(cast: Cast, owner_connection: Any) -> None:
    meter = sevens(cast)
    wager(cast.table)
    read(cast, meter, 2_431_155)
    for table in ("metercontribution", "meterentry", "meterreading"):
        with owner_connection.cursor() as cursor, pytest.raises(Exception, match="never changed"):
            cursor.execute(f"DELETE FROM jackpots_{table}")


def test_a_resend_of_a_reading_is_one_reading(cast: Cast) -> None:
    meter = sevens(cast)
    pen = cast.pen(cast.ruth, Place.OFFICE)

    def send(cents: int) -> MeterReading:
        return read_meter(
            meter_id=meter.pk,
            read_cents=cents,
            badge=pen.badge,
            pin=pen.pin,
            request_id=pen.request_id,
            device=pen.device,
        )

    assert send(2_431_055).pk == send(2_431_055).pk
    with refused("request_reused", journal=("act_refused",)):
        send(1)


def test_a_table_linked_to_a_meter_by_sql_adds_nothing_to_it(cast: Cast) -> None:
    play("blazing_7s", cast.table)
    start(cast, SEVENS | {"tables": "BJ-11"})
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE jackpots_meterlink SET table_id = %s, version = version + 1",
            [cast.other_table.pk],
        )
    with pytest.raises(Refused) as refused_by:
        wager(cast.other_table, 1)
    assert refused_by.value.codes == ("record_altered",)
    assert not MeterContribution.objects.exists()
    assert Wrong.ROW_ALTERED in {finding.code for finding in verify().findings}
