"""What a jackpot's payment moves, who stands behind it, what its slip says, and what stays."""

from __future__ import annotations

from io import BytesIO
from typing import Any
from uuid import uuid4

import pytest
from django.db import DatabaseError, transaction
from pypdf import PdfReader

from inventory.models import ChequeTransfer
from inventory.selectors.cheques import tray_holding
from inventory.services.cards import hand_refusals
from jackpots.models import Jackpot, JackpotPayment
from pitboss.models import FloorException, Signature, Slip
from pitboss.paper.content import Issue
from pitboss.paper.slip import draw_slip
from pitboss.rules.flows.flows import Track
from pitboss.rules.roles import Place
from pitboss.selectors.pending import game_refusals
from pitboss.selectors.slip_papers import slip_paper
from pitboss.services import house
from pitboss.services.signing import Entry
from pitboss.services.verification import verify
from tests.floor.cast import Cast, refused
from tests.floor.house import change
from tests.floor.jackpots import (
    COLOURED,
    MIXED,
    SUITED,
    TRAY,
    confirm,
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

pytestmark = pytest.mark.django_db(transaction=True)


def test_a47_no_game_starts_or_ends_while_a_jackpot_is_pending(cast: Cast) -> None:
    open_tables(cast)
    assert game_refusals(cast.table) == []
    slip = hit(cast, MIXED)
    assert [refusal.code for refusal in game_refusals(cast.table)] == ["jackpot_pending"]
    assert game_refusals(cast.other_table) == []
    released(cast, slip)
    assert game_refusals(cast.table)
    pay(cast, slip, by=cast.bob)
    assert game_refusals(cast.table) == []
    other = hit(cast, MIXED)
    reject(cast, other)
    assert game_refusals(cast.table) == []


def test_a_held_jackpot_lets_the_round_end_and_stays_owed(cast: Cast) -> None:
    open_tables(cast)
    slip = hit(cast, MIXED)
    verify_hand(cast, slip)
    with refused("not_confirmed"):
        hold(cast, slip)
    confirm(cast, slip)
    with refused("held_for_missing"):
        cast.sign(slip, "held", cast.heidi, entry=Entry(reason="Left."), track=Track.RELIEF)
    # Until then no set leaves the game: the hand lies there to be looked at.
    assert [refusal.code for refusal in hand_refusals(cast.table)] == ["cards_held"]
    hold(cast, slip, "gone")
    assert game_refusals(cast.table) == []
    assert hand_refusals(cast.table) == []
    slip.refresh_from_db()
    assert slip.status == "open"
    release(cast, slip, by=cast.bob)
    pay(cast, slip)
    assert JackpotPayment.objects.get().award_cents == 100_000


def test_what_the_tray_pays_moves_in_the_ledger(cast: Cast) -> None:
    open_tables(cast)
    slip = hit(cast, MIXED)
    released(cast, slip)
    before = tray_holding(cast.table)
    with refused("count_missing"):
        pay(cast, slip, "tray", by=cast.bob)
    with refused("payment_differs"):
        pay(cast, slip, "tray", by=cast.bob, counted={10_000: 9})
    with refused("wrong_place"):
        cast.sign(
            slip,
            "paid",
            cast.bob,
            Place.OFFICE,
            entry=Entry(said={"source": "tray"}, counted={10_000: 10}),
        )
    with refused("cheques_not_of_the_tray"):
        pay(cast, slip, "cage", by=cast.bob, counted={10_000: 10})
    pay(cast, slip, "tray", by=cast.bob, counted={10_000: 8, 2_500: 8})
    after = tray_holding(cast.table)
    assert (before[10_000] - after[10_000], before[2_500] - after[2_500]) == (8, 8)
    moved = ChequeTransfer.objects.filter(slip=slip)
    assert {(cheque_transfer.source, cheque_transfer.target) for cheque_transfer in moved} == {
        ("tray", "public")
    }
    assert verify().is_sound


def test_a_tray_that_has_won_more_than_the_ledger_knows_pays_and_is_counted(cast: Cast) -> None:
    open_tables(cast)
    slip = hit(cast, MIXED)
    released(cast, slip)
    assert not tray_holding(cast.table).get(50_000)
    pay(cast, slip, "tray", by=cast.bob, counted={50_000: 2})
    floor_exception = FloorException.objects.get(code="tray_may_be_short")
    assert "Count it within 30 minutes." in floor_exception.sentence
    assert floor_exception.slip == slip
    assert verify().is_sound


def test_a_share_of_a_meter_is_paid_to_the_cent_by_the_cage_where_no_cheque_pays_it(
    cast: Cast,
) -> None:
    open_tables(cast, start="10,000.37")
    slip = hit(cast, COLOURED)
    released(cast, slip)
    for counted in ({}, {10_000: 10}):
        with refused("tray_pays_no_cents"):
            pay(cast, slip, "tray", by=cast.bob, counted=counted)
    short = JackpotPayment(
        jackpot=Jackpot.objects.get(slip=slip),
        source="tray",
        award_cents=100_003,
        breakage_cents=3,
        paid_cents=100_000,
        gaming_day=slip.gaming_day,
        at=slip.raised_at,
    )
    with pytest.raises(DatabaseError, match="paid to the cent"), transaction.atomic():
        short.save()
    pay(cast, slip, "cage", by=cast.bob)
    payment = JackpotPayment.objects.get()
    assert (payment.paid_cents, payment.breakage_cents) == (100_003, 0)


def test_a_held_jackpot_does_not_keep_its_table_open_and_a_locked_tray_pays_nothing(
    cast: Cast,
) -> None:
    open_tables(cast)
    slip = hit(cast, MIXED)
    with refused("slips_open"):
        cast.count("closer", TRAY)
    reviewed(cast, slip)
    hold(cast, slip)
    cast.close_table(TRAY)
    release(cast, slip, by=cast.bob)
    with refused("table_closed"):
        pay(cast, slip, "tray", counted={10_000: 10})
    pay(cast, slip)


def test_the_cage_pays_only_where_the_house_lets_the_payment_move(cast: Cast) -> None:
    open_tables(cast)
    slip = hit(cast, MIXED)
    released(cast, slip)
    entry = Entry(said={"source": "cage"})
    with refused("payment_stays"):
        cast.sign(slip, "paid", cast.erin, Place.CAGE, entry=entry)
    pay(cast, slip, by=cast.bob)
    change(cast, "jackpot.ends_round", "released")
    moved = hit(cast, MIXED)
    reviewed(cast, moved)
    assert game_refusals(cast.table)
    release(cast, moved)
    # The patron goes to the cage, and the table deals on.
    assert game_refusals(cast.table) == []
    with refused("wrong_place"):
        cast.sign(
            moved,
            "paid",
            cast.erin,
            Place.CAGE,
            entry=Entry(said={"source": "tray"}, counted={10_000: 10}),
        )
    cast.sign(moved, "paid", cast.erin, Place.CAGE, entry=entry)
    assert JackpotPayment.objects.filter(jackpot__slip=moved, source="cage").exists()


def test_a_payment_that_nobody_signed_is_refused_by_the_database(cast: Cast) -> None:
    open_tables(cast)
    slip = hit(cast, MIXED)
    jackpot = Jackpot.objects.get(slip=slip)
    with pytest.raises(DatabaseError, match="nobody signed that this jackpot was paid so"):
        JackpotPayment.objects.create(
            jackpot=jackpot,
            source="cage",
            award_cents=100_000,
            paid_cents=100_000,
            gaming_day=slip.gaming_day,
            at=slip.raised_at,
        )


def test_the_database_asks_for_the_review_too(cast: Cast) -> None:
    open_tables(cast)
    slip = hit(cast, MIXED)
    verify_hand(cast, slip)
    signature = Signature.objects.get(slip=slip, step="verified")
    signature.pk, signature.step, signature.person = None, "confirmed", cast.ivan
    signature.role, signature.place = "surveillance", "surveillance"
    signature.device = cast.devices[Place.SURVEILLANCE]
    signature.request_id = uuid4()
    with pytest.raises(DatabaseError, match="asks for is missing"):
        signature.save(force_insert=True)


def test_the_payout_slip_says_the_amount_the_hand_the_review_and_the_payment(cast: Cast) -> None:
    open_tables(cast)
    slip = hit(cast, MIXED)
    released(cast, slip)
    pay(cast, slip, by=cast.bob)
    slip = Slip.objects.get(pk=slip.pk)
    pdf = draw_slip(slip_paper(slip, Issue("W. Ames", house.now(), 1)))
    words = " ".join(" ".join(p.extract_text().split()) for p in PdfReader(BytesIO(pdf)).pages)
    for must in (
        "JACKPOT PAYOUT SLIP",
        "Seat 3",
        "7♥ 7♣, dealer 7♥",
        "Award $1,000",
        "Envy $5",
        "Cards held 7♥ 7♣ 7♥",
        "Review CAM 2-11A 21:41, I. Ivanson",
        "Paid $1,000 from the cage",
    ):
        assert must in words, must


def test_what_is_written_of_a_hit_stays(cast: Cast, owner_connection: Any) -> None:
    open_tables(cast)
    slip = hit(cast, MIXED)
    released(cast, slip)
    pay(cast, slip, by=cast.bob)
    hit(cast, SUITED)
    for table in ("meterfreeze", "frozenamount", "jackpot", "jackpotfigure", "jackpotpayment"):
        with owner_connection.cursor() as cursor, pytest.raises(Exception, match="never changed"):
            cursor.execute(f"DELETE FROM jackpots_{table}")
