"""Jackpots from the lit sensor to the release: frozen, shared, reviewed, released by another."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import DatabaseError

from jackpots.kinds.jackpot import JACKPOT_KIND
from jackpots.kinds.jackpot_review import JACKPOT_REVIEW_KIND
from jackpots.models import Jackpot, JackpotFigure, JackpotPayment, Meter, MeterFreeze
from jackpots.services.figures import balance_of
from pitboss.models import FloorException, JournalEntry, Signature, Slip, Table
from pitboss.rules.flows.flows import Track
from pitboss.rules.payouts.meters import Cause
from pitboss.rules.refusal import Refused
from pitboss.rules.roles import Place
from pitboss.services.explaining import resolve_exception
from pitboss.services.row_seals import tell_of_altered
from pitboss.services.signing import Entry
from pitboss.services.verification import verify
from pitboss.slips.raising import raise_kind, shown_before
from tests.floor.cast import Cast, ServerClock, refused
from tests.floor.house import change
from tests.floor.jackpots import (
    COLOURED,
    MIXED,
    REVIEWED,
    SUITED,
    award,
    confirm,
    entered,
    figures,
    hit,
    hold,
    open_tables,
    pay,
    reject,
    release,
    released,
    reviewed,
    verify_hand,
)
from tests.floor.meters import MEGA, SEVENS, adjust, approve, play, propose, shows, start, wager
from tests.tampering import explain_by_sql

pytestmark = pytest.mark.django_db(transaction=True)
START = 2_431_055


def test_a41_a_hit_is_frozen_at_once_and_other_tables_play_on_on_the_reseeded_value(
    cast: Cast,
) -> None:
    meter = open_tables(cast)
    wager(cast.table, 2)
    slip = hit(cast, SUITED)
    assert slip.status == "open"
    assert award(slip) == START + 200
    assert shows(meter) == 1_000_000
    wager(cast.other_table, 5)
    assert (award(slip), shows(meter)) == (START + 200, 1_000_500)
    assert Meter.objects.get().epoch == 1
    assert MeterFreeze.objects.get().slip == slip
    assert verify().is_sound


def test_a_tenth_leaves_the_rest_on_the_meter_and_a_part_of_a_cent_too(cast: Cast) -> None:
    meter = open_tables(cast)
    slip = hit(cast, COLOURED)
    # 10% of $24,310.55 is $2,431.055: rounded down, the half cent stays on the meter.
    assert award(slip) == 243_105
    assert shows(meter) == START - 243_105


def test_a42_the_same_entry_sent_twice_is_one_jackpot_and_is_paid_once(cast: Cast) -> None:
    open_tables(cast)
    pen = cast.pen(cast.dan)
    first = hit(cast, MIXED, pen=pen)
    # The table's own screen changed with the entry; the resend brings what was shown then.
    shown = Signature.objects.get(slip=first).shown
    raising = JACKPOT_KIND.at(cast.table, entered=entered(MIXED))
    second = raise_kind(raising, pen=pen, shown=shown)
    assert second == first
    released(cast, first)
    payer = cast.pen(cast.alice)
    entry = Entry(said={"source": "cage"})
    shown = cast.sign(first, "paid", cast.alice, pen=payer, entry=entry).shown
    cast.sign(first, "paid", cast.alice, pen=payer, entry=entry, shown=shown)
    assert Jackpot.objects.count() == JackpotPayment.objects.count() == 1
    with refused("already_signed"):
        cast.sign(first, "paid", cast.alice, entry=entry, pen=cast.pen(cast.alice))


def test_a43_nobody_releases_before_surveillance_nor_a_dealer_nor_who_verified(
    cast: Cast,
) -> None:
    open_tables(cast)
    slip = hit(cast, SUITED)
    verify_hand(cast, slip, by=cast.mike)
    with refused("out_of_order"):
        release(cast, slip)
    confirm(cast, slip)
    with refused("wrong_role"):
        release(cast, slip, by=cast.dora)
    with refused("wrong_role"):
        release(cast, slip, by=cast.alice)
    with refused("signed_before"):
        release(cast, slip, by=cast.mike)
    release(cast, slip)
    assert Signature.objects.filter(slip=slip, step="jackpot_released").exists()


def test_a_fixed_award_may_be_released_by_the_supervisor_who_verified_it(cast: Cast) -> None:
    open_tables(cast)
    slip = hit(cast, MIXED)
    assert award(slip) == 100_000
    reviewed(cast, slip)
    release(cast, slip, by=cast.alice)
    pay(cast, slip, by=cast.bob)
    slip.refresh_from_db()
    assert slip.status == "done"
    assert JackpotPayment.objects.get().paid_cents == 100_000
    assert verify().is_sound


@pytest.mark.parametrize("what", [{"rate": "10%"}, {"reset": "5,000"}, {"maximum": "90,000"}])
def test_a44_a_meter_is_not_edited_while_a_jackpot_is_pending_and_the_attempt_is_kept(
    cast: Cast, what: dict[str, str]
) -> None:
    meter = open_tables(cast)
    earlier = propose(cast, SEVENS | {"rate": "5%"}, meter)
    slip = hit(cast, COLOURED)
    with refused(
        "jackpot_pending", "already_proposed", journal=("sign_refused", "meter.terms_refused")
    ):
        propose(cast, SEVENS | what, meter)
    entry = JournalEntry.objects.filter(kind="meter.terms_refused").latest("id")
    assert '"was":{' in entry.text
    assert '"is":{' in entry.text
    with refused("jackpot_pending"):
        approve(cast, earlier)
    with refused("jackpot_pending", journal=("sign_refused", "meter.adjustment_refused")):
        adjust(cast, meter, Cause.CORRECTION, 9_000_000)
    with pytest.raises(DatabaseError, match="a jackpot is pending"):
        Meter.objects.filter(pk=meter.pk).update(rate_ppm=1, slip=earlier)
    reject(cast, slip)
    approve(cast, earlier)
    assert Meter.objects.get().rate_ppm == 50_000


def test_a45_two_hits_of_a_round_are_shared_and_processed_right_to_left(cast: Cast) -> None:
    meter = open_tables(cast)
    left = hit(cast, SUITED, seat=2)
    assert award(left) == START
    right = hit(cast, ("7h", "7h"), seat=5)
    assert figures(left) == [START, START // 2]
    assert figures(right) == [START // 2]
    assert MeterFreeze.objects.count() == 1
    # What the halving leaves stays on the meter, above its reset.
    assert shows(meter) == 1_000_000 + 1
    for slip in (left, right):
        reviewed(cast, slip)
    with refused("earlier_hit_pending"):
        release(cast, left)
    release(cast, right)
    with refused("earlier_hit_pending"):
        release(cast, left)
    hold(cast, right)
    release(cast, left)
    assert verify().is_sound


@pytest.mark.parametrize(
    ("option", "keyed", "first", "second", "reserve"),
    [
        ("same_jackpot_hand", "in_turn", START, 0, 0),
        ("same_jackpot_hand", "each_in_full", START, START, START),
    ],
)
def test_a45_the_amounts_follow_what_the_house_has_set(
    cast: Cast, option: str, keyed: str, first: int, second: int, reserve: int
) -> None:
    change(cast, f"reading.{option}", keyed)
    meter = open_tables(cast, reserve="0")
    right = hit(cast, SUITED, seat=5)
    left = hit(cast, SUITED, seat=2)
    assert (award(right), award(left)) == (first, second)
    # The seed of the next meter, and what exceeds this one, are charged to the reserve.
    assert balance_of(meter).reserve_cents == -1_000_000 - reserve


def test_a45_a_tenth_beside_the_whole_is_paid_on_the_same_meter_and_the_excess_by_the_reserve(
    cast: Cast,
) -> None:
    meter = open_tables(cast, reserve="0")
    hit(cast, SUITED, seat=5)
    tenth = hit(cast, COLOURED, seat=2)
    assert award(tenth) == 243_105
    assert shows(meter) == 1_000_000
    assert balance_of(meter).reserve_cents == -1_000_000 - 243_105


def test_a46_a_rejected_hit_gives_the_meter_back_what_came_since_and_is_corrected(
    cast: Cast,
) -> None:
    meter = open_tables(cast)
    wrong = hit(cast, COLOURED)
    assert shows(meter) == START - 243_105
    wager(cast.other_table, 4)
    with refused("reason_missing"):
        cast.sign(wrong, "rejected", cast.bob, track=Track.VOID)
    reject(cast, wrong)
    wrong.refresh_from_db()
    assert wrong.status == "voided"
    assert shows(meter) == START + 400
    right = hit(cast, SUITED, replaces=wrong)
    assert right.refers_to == wrong
    # The hand was dealt before those wagers: it is paid on the meter as it first froze.
    assert award(right) == START
    assert shows(meter) == 1_000_000 + 400
    with refused("already_pending", "not_rejected"):
        hit(cast, SUITED, replaces=right)
    with refused("already_pending", "already_replaced"):
        hit(cast, SUITED, replaces=wrong)
    assert verify().is_sound


def test_a_later_hit_waits_and_is_reckoned_anew_when_an_earlier_one_is_rejected(
    cast: Cast,
) -> None:
    meter = open_tables(cast)
    first = hit(cast, SUITED)
    wager(cast.table)
    second = hit(cast, COLOURED, table=cast.other_table, by=cast.dora)
    assert award(second) == 100_010
    reviewed(cast, second)
    with refused("earlier_hit_pending"):
        release(cast, second)
    reject(cast, first)
    assert figures(second) == [100_010, (START + 100) // 10]
    figure = JackpotFigure.objects.filter(jackpot__slip=second).latest("number")
    assert (figure.because, figure.slip) == ("earlier_rejected", first)
    assert shows(meter) == START + 100 - (START + 100) // 10
    release(cast, second)
    assert verify().is_sound


def test_a_released_figure_no_longer_moves(cast: Cast) -> None:
    open_tables(cast)
    first = hit(cast, SUITED)
    released(cast, first)
    hold(cast, first, "underage")
    second = hit(cast, COLOURED, table=cast.other_table, by=cast.dora)
    released(cast, second)
    before = figures(second)
    cast.sign(first, "rejected", cast.bob, entry=Entry(reason="A minor."), track=Track.VOID)
    cast.sign(first, "reject_agreed", cast.carol, track=Track.VOID)
    assert figures(second) == before
    figure = JackpotFigure.objects.filter(jackpot__slip=second).latest("number")
    figure.pk, figure.number, figure.award_cents = None, 9, 1
    with pytest.raises(DatabaseError, match="final once it is released"):
        figure.save(force_insert=True)
    assert verify().is_sound


def test_by_phone_a_shift_manager_records_who_confirmed_and_may_release(cast: Cast) -> None:
    change(cast, "jackpot.review", "phone")
    open_tables(cast)
    slip = hit(cast, COLOURED)
    verify_hand(cast, slip)
    with refused("unknown_step"):
        confirm(cast, slip)
    with refused("officer_missing"):
        cast.sign(slip, "phone_confirmed", cast.heidi, entry=REVIEWED)
    fields = {"officer": "I. Ivanson", "review": "R-77"}
    cast.sign(slip, "phone_confirmed", cast.heidi, entry=Entry(said=fields))
    assert Signature.objects.get(step="phone_confirmed").facts == {"said": fields}
    release(cast, slip)
    # Surveillance signed nothing, so the pit does not see the winner paid on its own word.
    with refused("wrong_role"):
        pay(cast, slip, by=cast.bob)
    # The officer may, as soon as the papers are complete.
    with refused("tax_papers_incomplete"):
        pay(cast, slip, by=cast.frank)


def test_an_old_review_is_made_again_before_the_release(
    cast: Cast, server_clock: ServerClock
) -> None:
    open_tables(cast)
    slip = hit(cast, SUITED)
    reviewed(cast, slip)
    server_clock.move(hours=5)
    with refused("review_expired"):
        release(cast, slip)

    def again(**said: str) -> Slip:
        jackpot = Slip.objects.get(pk=slip.pk)
        table = Table.objects.get(pk=cast.table.pk)
        raising = JACKPOT_REVIEW_KIND.at(table, original=jackpot)
        return raise_kind(
            raising,
            said=said,
            pen=cast.pen(cast.ivan, Place.SURVEILLANCE),
            shown=shown_before(raising),
        )

    with refused("officer_missing", "review_missing"):
        again()
    assert again(officer="I. Ivanson", review="R-78").status == "done"
    release(cast, slip)


@pytest.mark.parametrize(
    ("cards", "more", "code"),
    [
        (SUITED, {"seat": 0}, "unknown_seat"),
        (SUITED, {"seat": 8}, "unknown_seat"),
        (SUITED, {"wager": "lucky_ladies"}, "bet_not_offered"),
        (("7h", "8h"), {}, "no_jackpot"),
        (("8h", "9h"), {}, "no_jackpot"),
        (("7h", "7x"), {}, "bad_card"),
        (("7h",), {}, "two_cards_needed"),
        (SUITED, {"dealer_cards": ()}, "missing_dealer_cards"),
        (SUITED, {"stake_cents": 1_000}, "stake_not_taken"),
    ],
)
def test_a_hand_that_cannot_be_is_refused_before_anybody_signs(
    cast: Cast, cards: tuple[str, ...], more: dict[str, Any], code: str
) -> None:
    open_tables(cast)
    with refused(code, journal=()):
        hit(cast, cards, **{"seat": 3, **more})  # type: ignore[arg-type]


def test_one_seat_has_one_pending_jackpot_and_a_closed_table_none(cast: Cast) -> None:
    open_tables(cast)
    slip = hit(cast, COLOURED)
    with refused("already_pending"):
        hit(cast, SUITED)
    jackpot = Jackpot.objects.get(slip=slip)
    jackpot.pk, jackpot.slip_id = None, cast.ask().pk
    with pytest.raises(DatabaseError):
        jackpot.save(force_insert=True)
    Table.objects.filter(pk=cast.other_table.pk).update(is_open=False)
    with refused("table_closed"):
        hit(cast, SUITED, table=cast.other_table, by=cast.dora)


def test_nobody_but_a_dealer_enters_and_a_table_without_a_meter_has_no_jackpot(
    cast: Cast,
) -> None:
    open_tables(cast, tables="BJ-11")
    with refused("wrong_role"):
        hit(cast, SUITED, by=cast.alice)
    with refused("no_meter", journal=()):
        hit(cast, SUITED, table=cast.other_table)


def test_a_controller_says_what_it_locked_and_a_difference_stops_the_release(cast: Cast) -> None:
    meter = open_tables(cast, source="controller")
    with refused("locked_amount_missing"):
        hit(cast, SUITED)
    slip = hit(cast, SUITED, locked_cents=START + 500)
    assert award(slip) == START + 500
    assert shows(meter) == 1_000_000
    reviewed(cast, slip)
    with refused("reading_unexplained"):
        release(cast, slip)
    trouble = FloorException.objects.get(code="meter_differs")
    pen = cast.pen(cast.ruth, Place.OFFICE)
    resolve_exception(
        exception_id=trouble.pk,
        resolution="One round was not told of.",
        badge=pen.badge,
        pin=pen.pin,
        request_id=pen.request_id,
        device=pen.device,
    )
    release(cast, slip)
    assert verify().is_sound


def test_a_difference_that_sql_explained_stops_the_release_all_the_same(cast: Cast) -> None:
    open_tables(cast, source="controller")
    slip = hit(cast, SUITED, locked_cents=START + 500)
    reviewed(cast, slip)
    explain_by_sql(cast.ruth)
    with pytest.raises(Refused, match="Accounting must explain it first"):
        release(cast, slip)
    assert slip.signatures.filter(step="released").count() == 0
    tell_of_altered()
    assert FloorException.objects.filter(code="record_altered").exists()


def test_what_a_controller_did_not_lock_stays_on_the_meter(cast: Cast) -> None:
    meter = open_tables(cast, source="controller")
    slip = hit(cast, SUITED, locked_cents=START - 500)
    assert award(slip) == START - 500
    assert shows(meter) == 1_000_000 + 500
    reject(cast, slip)
    assert shows(meter) == START


def test_no_controller_no_locked_amount(cast: Cast) -> None:
    open_tables(cast)
    with refused("locked_amount_unknown"):
        hit(cast, SUITED, locked_cents=1)


def test_two_winners_of_a_posted_jackpot_share_it_and_the_house_may_post_it_anew(
    cast: Cast,
) -> None:
    play("bet_bigger", cast.other_table)
    meter = start(cast, MEGA)
    approve(cast, adjust(cast, meter, Cause.POSTED, 6_000_000))
    Table.objects.filter(pk=cast.other_table.pk).update(is_open=True)
    ladies: dict[str, Any] = {
        "wager": "lucky_ladies",
        "dealer_cards": ("Qh",),
        "table": cast.other_table,
    }
    one = hit(cast, ("Qh", "Qh"), 4, stake_cents=1_000, **ladies)
    other = hit(cast, ("Qh", "Qh"), 2, stake_cents=500, **ladies)
    assert figures(one) == [6_000_000, 3_000_000]
    assert figures(other) == [1_500_000]
    assert shows(meter) == 6_000_000
    with refused("posted_today", "mid_game", journal=("sign_refused", "meter.adjustment_refused")):
        adjust(cast, meter, Cause.POSTED, 1_000_000)


def test_a_win_of_any_posted_jackpot_lets_the_house_post_the_others_anew(cast: Cast) -> None:
    play("bet_bigger", cast.other_table)
    mega = start(cast, MEGA)
    start(cast, MEGA, name="MINOR", bet="lucky_ladies:MINOR", start="1,000")
    approve(cast, adjust(cast, mega, Cause.POSTED, 6_000_000))
    with refused("posted_today", journal=("sign_refused", "meter.adjustment_refused")):
        adjust(cast, mega, Cause.POSTED, 7_000_000)
    Table.objects.filter(pk=cast.other_table.pk).update(is_open=True)
    ladies: dict[str, Any] = {"wager": "lucky_ladies", "table": cast.other_table}
    won = hit(cast, ("Qh", "Qd"), 4, stake_cents=1_000, dealer_cards=("Qh",), **ladies)
    assert figures(won) == [100_000]
    released(cast, won)
    pay(cast, won)
    approve(cast, adjust(cast, mega, Cause.POSTED, 7_000_000))
    assert shows(mega) == 7_000_000
