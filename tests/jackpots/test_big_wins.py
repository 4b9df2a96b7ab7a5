"""Big wins: entered from their check, signed by whom odds and amount ask for, paid on papers."""

from __future__ import annotations

from functools import partial
from html import unescape
from typing import Any
from uuid import uuid4

import pytest
from django.db import DatabaseError, transaction

from inventory.models import ChequeTransfer
from inventory.selectors.cheques import tray_holding
from jackpots.kinds import big_win
from jackpots.models import Jackpot, JackpotPayment, TaxForm
from pitboss.models import FloorException, Signature, Slip, Table, Waiting
from pitboss.rules.flows.flows import due_steps
from pitboss.rules.roles import Place
from pitboss.selectors.pending import game_refusals
from pitboss.selectors.slips import signed_of
from pitboss.services import house
from pitboss.services.signing import Entry
from pitboss.services.verification import verify
from pitboss.slips.raising import raise_kind, shown_before
from tables.reports.win import table_report
from tests.floor.big_wins import (
    F05,
    F09,
    REVIEWED,
    SUITED,
    UNSUITED,
    count_out,
    enter,
    opened,
    raising,
    reject,
    released,
    roof,
    roof_claim,
    see_paid,
    set_up,
    verified,
    won,
)
from tests.floor.cast import Cast, ServerClock, refused
from tests.floor.house import change
from tests.floor.payouts import checked
from tests.floor.prints import printed
from tests.floor.tablets import signed_in, words
from tests.floor.tax_papers import claim, complete, make_winner, prepare
from tests.floor.terminals import TerminalClient, make_terminal
from tests.races import at_once, hold_before

pytestmark = pytest.mark.django_db(transaction=True)


def steps(slip: Slip) -> list[str]:
    return [step["name"] for step in slip.plan if step["track"] == "main"]


def test_a81_a_big_win_copies_its_check_and_nothing_is_entered_twice(
    cast: Cast, server_clock: ServerClock
) -> None:
    terminal = roof(cast)
    check = checked(terminal, F05)
    answer = terminal.get(f"checks/{check}").json()
    assert (answer["level"], answer["tax"]["federal_cents"]) == ("big_win", 720_000)
    slip = enter(cast, check=check)
    win = Jackpot.objects.get(slip=slip)
    assert slip.serial.startswith("BW-")
    assert (win.player_cards, win.dealer_cards) == ([], SUITED)
    assert (win.stake_cents, win.raise_cents, win.seat) == (1_000, 5_000, 3)
    assert win.figures.get().award_cents == 3_000_000
    assert steps(slip) == ["entered", "verified", "confirmed", "released", "counted_out", "paid"]
    with refused("already_entered"):
        enter(cast, check=check)
    released(cast, slip)
    patron = make_winner(cast)
    papers = complete(cast, slip, patron)
    assert papers.details["winners"][0]["form"] == "W-2G"
    # $7,200 stays: the tray pays $22,800, and the $60 go back beside it.
    count_out(cast, slip, {100_000: 22, 10_000: 8})
    form = TaxForm.objects.get()
    assert (form.reportable_cents, form.federal_cents) == (3_000_000, 720_000)
    see_paid(cast, slip)
    slip.refresh_from_db()
    payment = JackpotPayment.objects.get(jackpot=win)
    assert (slip.status, payment.paid_cents) == ("done", 2_280_000)
    assert tray_holding(cast.table)[100_000] == 18
    assert verify().is_sound


@pytest.mark.parametrize(
    ("case", "paytable", "decks", "claimed", "asks", "form_cents"),
    [
        ("F05", "H17_6_8_B", 6, F05, ["confirmed", "released"], 720_000),
        (
            "F06",
            "H17_6_8_B",
            6,
            roof_claim(100, 500, 3_000_000, UNSUITED),
            ["confirmed", "released"],
            None,
        ),
        (
            "F07",
            "H17_2_A",
            2,
            roof_claim(25, 125, 4_500_000),
            ["confirmed", "released"],
            1_080_000,
        ),
        ("F09, one of two", "H17_6_8_B", 6, F09, ["confirmed"], None),
    ],
)
def test_a82_odds_and_amount_say_who_signs_and_the_whole_wager_says_whether_a_form_is_due(
    cast: Cast,
    case: str,
    paytable: str,
    decks: int,
    claimed: dict[str, Any],
    asks: list[str],
    form_cents: int | None,
) -> None:
    terminal = roof(cast, paytable, decks=decks)
    check = checked(terminal, claimed)
    answer = terminal.get(f"checks/{check}").json()
    assert (answer["verdict"], answer["level"]) == ("right", "big_win"), case
    assert (answer["tax"]["federal_cents"] if answer["tax"] else None) == form_cents
    slip = enter(cast, check=check)
    assert steps(slip) == ["entered", "verified", *asks, "counted_out", "paid"]


def test_a82_a_win_without_a_form_names_its_winner_from_the_amount_of_the_house(
    cast: Cast,
) -> None:
    terminal = roof(cast)
    slip = won(cast, terminal, roof_claim(100, 500, 3_000_000, UNSUITED))
    released(cast, slip)
    cheques = {100_000: 30}
    with refused("winner_unnamed"):
        count_out(cast, slip, cheques)
    patron = make_winner(cast, ids=())
    with refused("photo_id_missing"):
        prepare(cast, slip, claim(slip, patron))
    papers = complete(cast, slip, make_winner(cast, "Ben", tax_id=""))
    assert papers.details["winners"][0]["form"] == ""
    count_out(cast, slip, cheques)
    see_paid(cast, slip)
    assert not TaxForm.objects.exists()


def two_of_one_round(cast: Cast) -> tuple[Slip, Slip]:
    terminal = roof(cast)
    first, second = won(cast, terminal, F09), won(cast, terminal, F09, seat=4)
    for slip in (first, second):
        released(cast, slip)
    return first, second


def test_a83_two_spots_of_one_patron_are_one_wager_and_one_form(cast: Cast) -> None:
    first, second = two_of_one_round(cast)
    with refused("winner_unnamed"):
        count_out(cast, first, {100_000: 1})
    patron = make_winner(cast)
    alone = prepare(cast, first, claim(first, patron))
    with refused("identical_wager"):
        prepare(cast, second, claim(second, patron))
    alone.refresh_from_db()
    assert (alone.status, alone.details["winners"][0]["form"]) == ("done", "")
    both = prepare(cast, first, claim(first, patron, share_cents=200_000), also=[second])
    both.refresh_from_db()
    assert (both.status, both.details["winners"][0]["form"]) == ("done", "W-2G")
    for slip in (first, second):
        count_out(cast, slip, {100_000: 1})
        see_paid(cast, slip)
    form = TaxForm.objects.get()
    assert (form.form, form.reportable_cents, form.federal_cents) == ("W-2G", 200_000, 0)
    assert verify().is_sound


def test_a83_two_spots_of_two_patrons_owe_no_form(cast: Cast) -> None:
    first, second = two_of_one_round(cast)
    winners = (make_winner(cast), make_winner(cast, "Ben", tax_id=""))
    for slip, patron in zip((first, second), winners, strict=True):
        papers = prepare(cast, slip, claim(slip, patron))
        papers.refresh_from_db()
        assert papers.details["winners"][0]["form"] == ""
        count_out(cast, slip, {100_000: 1})
        see_paid(cast, slip)
    assert not TaxForm.objects.exists()


def test_a83_another_round_is_another_wager(cast: Cast) -> None:
    terminal = roof(cast)
    first = verified(cast, won(cast, terminal, F09))
    second = verified(cast, won(cast, terminal, F09))
    keys = Jackpot.objects.order_by("pk").values_list("round_key", flat=True)
    assert list(keys) == [first.serial, second.serial]


def test_a88_each_wrong_hand_is_refused_for_its_own_reason(cast: Cast) -> None:
    terminal = roof(cast)
    slip = won(cast, terminal)
    with refused("wrong_role", "signed_before", "dealt_here"):
        cast.sign(slip, "verified", cast.dan)
    with refused("out_of_order"):
        see_paid(cast, slip)
    cast.sign(slip, "verified", cast.carol)
    with refused("out_of_order"):
        count_out(cast, slip, {100_000: 30})
    cast.sign(slip, "confirmed", cast.ivan, Place.SURVEILLANCE, entry=REVIEWED)
    with refused("signed_before"):
        cast.sign(slip, "released", cast.carol)
    cast.sign(slip, "released", cast.heidi)
    with refused("tax_papers_incomplete"):
        count_out(cast, slip, {100_000: 30})
    papers = complete(cast, slip, make_winner(cast))
    with refused("payment_differs"):
        count_out(cast, slip, {100_000: 30})
    count_out(cast, slip, {100_000: 22, 10_000: 8})
    with refused("already_dispatched"):
        reject(cast, slip)
    other = make_winner(cast, "Ben", tax_id="")
    with refused("slip_closed"):
        prepare(cast, slip, claim(slip, other))
    assert papers.status == "done"
    see_paid(cast, slip)


def test_a_rejected_win_pays_nothing_and_its_check_is_not_entered_again(cast: Cast) -> None:
    terminal = roof(cast)
    check = checked(terminal, F05)
    slip = verified(cast, enter(cast, check=check))
    assert FloorException.objects.filter(code="tax_papers", resolved_at=None).exists()
    reject(cast, slip)
    assert not FloorException.objects.filter(code="tax_papers", resolved_at=None).exists()
    slip.refresh_from_db()
    assert (slip.status, JackpotPayment.objects.count()) == ("voided", 0)
    with refused("already_entered"):
        enter(cast, check=check)


def test_the_round_goes_on_once_a_win_is_verified(cast: Cast) -> None:
    terminal = roof(cast)
    slip = won(cast, terminal)
    assert [refusal.code for refusal in game_refusals(cast.table)] == ["big_win_pending"]
    verified(cast, slip)
    assert game_refusals(cast.table) == []


def test_a89_a_bet_asks_for_all_of_its_cards_and_the_house_says_from_which_odds(
    cast: Cast,
) -> None:
    terminal = opened(cast)
    set_up(cast, "face_up", "four_card_bonus", {"straight_flush": "500:1", "flush": "180:1"})
    hand: dict[str, Any] = {"wager": "four_card_bonus", "stake": 500, "seat": 2}
    cards: dict[str, Any] = {"player_1": "8h", "player_2": "9h", "dealer_1": "Th"}
    with refused("cards_missing", journal=()):
        enter(cast, **hand, **cards)
    slip = enter(cast, **hand, **cards, dealer_2="Jh")
    assert "confirmed" in steps(slip)
    verified(cast, slip)
    flush: dict[str, Any] = {**cards, "dealer_1": "2h", "dealer_2": "Kh"}
    with refused("no_big_win", journal=()):
        enter(cast, **hand, **flush)
    claimed = {
        "wager": "four_card_bonus",
        "stake_cents": 500,
        "player_cards": ["8h", "9h"],
        "dealer_cards": ["2h", "Kh"],
        "paid_cents": 90_000,
        "seat": 3,
    }
    check = checked(terminal, claimed)
    assert terminal.get(f"checks/{check}").json()["level"] == "approval"
    with refused("no_big_win", journal=()):
        enter(cast, check=check)
    change(cast, "approval.long_odds_from", "100")
    assert "confirmed" in steps(enter(cast, **hand, **flush))
    check = checked(terminal, claimed)
    assert terminal.get(f"checks/{check}").json()["level"] == "big_win"
    assert "confirmed" in steps(enter(cast, check=check))


def win_figures(cast: Cast) -> dict[str, int | None]:
    """Return every figure of the table's win today."""
    day = house.period_at(house.now()).gaming_day
    report = table_report(Table.objects.get(pk=cast.table.pk), day, None)
    return {line.key: line.amount_cents for line in report.lines}


def test_a92_paying_more_than_the_tray_should_hold_is_stored_and_asks_for_a_count(
    cast: Cast,
) -> None:
    tray = {50_000: 2, 10_000: 40, 2_500: 80}
    cast.deliver(cast.ask(tray))
    cast.open_table(tray)
    cast.table.refresh_from_db()
    terminal = TerminalClient(make_terminal(cast.table))
    set_up(cast, "raise_the_roof", "raise_the_roof", "H17_6_8_B")
    slip = released(cast, won(cast, terminal, roof_claim(1, 4, 250_000)))
    complete(cast, slip, make_winner(cast))
    before = win_figures(cast)
    with refused("short_unconfirmed"):
        count_out(cast, slip, {50_000: 5})
    assert tray_holding(cast.table)[50_000] == 2
    assert not FloorException.objects.filter(code="tray_may_be_short").exists()
    body = count_out(cast, slip, {50_000: 5}, short="yes").facts["said"]
    assert body == {"source": "tray", "short": "yes"}
    # A payout is no fill and no credit: the win of the table stands as it was.
    assert win_figures(cast) == before
    [flag] = FloorException.objects.filter(code="tray_may_be_short", resolved_at=None)
    assert flag.details["short"] == {"50000": 3}
    assert flag.waits.get().limit_seconds == 30 * 60
    assert tray_holding(cast.table)[50_000] == -3
    [moved] = ChequeTransfer.objects.filter(slip=slip)
    assert (moved.source, moved.target, moved.count) == ("tray", "public", 5)
    see_paid(cast, slip)
    # The tray won cheques that the ledger did not hear of: the count says what it holds.
    count = cast.count("count", {50_000: 1, 10_000: 50, 2_500: 80})
    cast.sign(count, "verified", cast.alice, entry=Entry(counted=count.cheques_by_cents))
    flag.refresh_from_db()
    assert flag.resolution == f"Counted on {count.serial}."


def test_a92_the_pad_asks_for_one_tap_where_the_tray_may_be_short(cast: Cast) -> None:
    tray = {50_000: 2, 10_000: 40}
    cast.deliver(cast.ask(tray))
    cast.open_table(tray)
    cast.table.refresh_from_db()
    terminal = TerminalClient(make_terminal(cast.table))
    set_up(cast, "raise_the_roof", "raise_the_roof", "H17_6_8_B")
    slip = released(cast, won(cast, terminal, roof_claim(1, 4, 250_000)))
    complete(cast, slip, make_winner(cast))
    pit = signed_in(cast.alice, cast)
    page = f"/slips/{slip.serial}/"
    box = 'name="said_short" value="yes"'
    shown = words(pit.get(page))
    assert box not in shown
    pen = cast.pen(cast.dan)
    keyed = {
        "badge": pen.badge,
        "pin": pen.pin,
        "request_id": str(pen.request_id),
        "shown": unescape(shown.split('name="shown" value="')[1].split('"')[0]),
        "said_source": "tray",
        "counted_50000": "5",
    }
    response = pit.post(f"{page}sign/main/counted_out", keyed)
    assert response.status_code == 409
    assert box in words(response)
    assert 'value="5"' in words(response)
    paid = pit.post(f"{page}sign/main/counted_out", keyed | {"said_short": "yes"})
    assert paid.status_code == 302
    assert FloorException.objects.filter(code="tray_may_be_short").count() == 1


def copied(win: Jackpot, **change: Any) -> Jackpot:
    """Return the row of a win once more, changed in one thing, on the same slip."""
    fields = {
        concrete_field.attname: getattr(win, concrete_field.attname)
        for concrete_field in Jackpot._meta.concrete_fields
    }
    return Jackpot(**{**fields, "id": None, **change})


@pytest.mark.parametrize(
    ("change", "match"),
    [
        ({"stake_cents": 2_000}, "its check says otherwise"),
        ({"round_key": ""}, "is of a round"),
        ({"check_of_id": None}, "this bet was entered"),
    ],
)
def test_the_database_refuses_a_win_that_is_not_that_of_its_check(
    cast: Cast, change: dict[str, Any], match: str
) -> None:
    terminal = roof(cast)
    win = Jackpot.objects.get(slip=won(cast, terminal))
    with pytest.raises(DatabaseError, match=match), transaction.atomic():
        copied(win, **change).save(force_insert=True)


def test_the_database_refuses_another_amount_and_a_payment_before_it_is_counted_out(
    cast: Cast,
) -> None:
    terminal = roof(cast)
    slip = released(cast, won(cast, terminal))
    win = Jackpot.objects.get(slip=slip)
    figure = win.figures.get()
    figure.pk, figure.number, figure.award_cents = None, 2, 3_100_000
    with pytest.raises(DatabaseError, match="what its check found"), transaction.atomic():
        figure.save(force_insert=True)
    payment = JackpotPayment(
        jackpot=win,
        source="tray",
        award_cents=3_000_000,
        paid_cents=3_000_000,
        gaming_day=slip.gaming_day,
        at=slip.raised_at,
    )
    complete(cast, slip, make_winner(cast))
    with pytest.raises(DatabaseError, match="nobody signed"), transaction.atomic():
        payment.save(force_insert=True)


def test_the_database_lets_nobody_see_it_paid_before_surveillance(cast: Cast) -> None:
    terminal = roof(cast)
    slip = verified(cast, won(cast, terminal))
    early = Signature.objects.get(slip=slip, step="verified")
    early.pk, early.step, early.request_id = None, "paid", uuid4()
    with pytest.raises(DatabaseError, match="out of order"), transaction.atomic():
        early.save(force_insert=True)


def test_two_entries_of_one_check_at_once_enter_it_once(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    terminal = roof(cast)
    check = checked(terminal, F05)
    what = raising(cast, check=check)
    shown = shown_before(what)
    pens = [cast.pen(cast.dan), cast.pen(cast.dan)]
    hold_before(monkeypatch, big_win, "entry_refusals")
    answers = at_once(*(partial(raise_kind, what, pen=pen, shown=shown) for pen in pens))
    [codes] = [answer for answer in answers if not isinstance(answer, Slip)]
    assert "already_entered" in codes
    assert Slip.objects.filter(kind="big_win").count() == 1


def test_its_paper_says_hand_bet_working_review_and_payment(cast: Cast) -> None:
    terminal = roof(cast)
    slip = released(cast, won(cast, terminal))
    complete(cast, slip, make_winner(cast))
    count_out(cast, slip, {100_000: 22, 10_000: 8})
    see_paid(cast, slip)
    paper = printed(cast, slip, Place.PIT, cast.alice)
    for said in (
        "BIG WIN PAYOUT SLIP",
        "dealer 6♥ 4♥ 5♥ 7♥",
        "$10, raised $50",
        "Owed $30,000",
        "CAM 2-11A 21:41",
        "$22,800 from the tray",
        "Withheld $7,200",
    ):
        assert said in paper, said


def test_surveillance_and_the_pit_manager_are_asked_at_once_and_sign_in_either_order(
    cast: Cast,
) -> None:
    terminal = roof(cast)
    slip = verified(cast, won(cast, terminal))
    asked = Waiting.objects.filter(slip=slip, until=None).order_by("step")
    assert list(asked.values_list("step", flat=True)) == ["confirmed", "released"]
    office = signed_in(cast.carol, cast, Place.OFFICE)
    assert "Release" in words(office.get("/inbox/"))
    assert "I release this win" in words(office.get(f"/slips/{slip.serial}/"))
    watching = signed_in(cast.ivan, cast, Place.SURVEILLANCE)
    assert "I reviewed the recorded coverage" in words(watching.get(f"/slips/{slip.serial}/"))
    cast.sign(slip, "released", cast.carol)
    assert list(asked.values_list("step", flat=True)) == ["confirmed"]
    with refused("out_of_order"):
        count_out(cast, slip, {100_000: 30})
    early = Signature.objects.get(slip=slip, step="released")
    early.pk, early.step, early.request_id = None, "counted_out", uuid4()
    early.role, early.person = "dealer", cast.dora
    early.facts = {"said": {"source": "tray", "short": "not asked"}}
    with pytest.raises(DatabaseError, match="out of order"), transaction.atomic():
        early.save(force_insert=True)
    with refused("already_signed"):
        cast.sign(slip, "released", cast.heidi)
    cast.sign(slip, "confirmed", cast.ivan, Place.SURVEILLANCE, entry=REVIEWED)
    assert list(asked.values_list("step", flat=True)) == ["counted_out"]


def test_nobody_releases_before_it_is_verified(cast: Cast) -> None:
    terminal = roof(cast)
    slip = won(cast, terminal)
    with refused("out_of_order"):
        cast.sign(slip, "released", cast.carol)
    early = Signature.objects.get(slip=slip, step="entered")
    early.pk, early.step, early.request_id = None, "released", uuid4()
    early.role, early.person = "pit_manager", cast.carol
    with pytest.raises(DatabaseError, match="out of order"), transaction.atomic():
        early.save(force_insert=True)


def test_a_shift_manager_who_released_it_records_the_review_by_phone(cast: Cast) -> None:
    change(cast, "jackpot.review", "phone")
    terminal = roof(cast)
    slip = verified(cast, won(cast, terminal))
    assert "phone_confirmed" in steps(slip)
    cast.sign(slip, "released", cast.heidi)
    entry = Entry(said={"officer": "I. Ivanson", "review": "CAM 2-11A 21:41"})
    cast.sign(slip, "phone_confirmed", cast.heidi, entry=entry)
    slip.refresh_from_db()
    assert [
        step["name"] for step in due_steps(slip.plan, signed_of(list(slip.signatures.all())))
    ] == ["counted_out"]
