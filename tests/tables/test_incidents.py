"""Incidents, irregular hands and keys: who is told, what stands, and how checks follow it."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest
from django.db import IntegrityError, transaction

from pitboss.models import FloorException, Table, Waiting
from pitboss.rules.floor.standards import Mark
from pitboss.rules.roles import Place
from tables.models import FloorEntry, KeyLoan, PayoutCheck, TableOrder
from tables.services.floor_log import NewEntry, Tap, enter
from tables.services.shoes import mark_shoe
from tests.floor.cast import Cast, ServerClock, refused
from tests.floor.tablets import signed_in, signing, words
from tests.floor.terminals import TerminalClient, make_terminal
from tests.races import at_once, hold_before

pytestmark = pytest.mark.django_db

COUNTED = {10_000: 40, 2_500: 80, 500: 100, 100: 40}
HAND: dict[str, Any] = {
    "wager": "blackjack",
    "stake_cents": 2_500,
    "player_cards": ["Ah", "Kd"],
    "dealer_cards": ["As", "Ks"],
    "paid_cents": 3_750,
    "seat": 4,
}
COUNTERFEIT = {"worth": "100", "bill": "kept", "cheques": "none"}
FLAT = {"seat": 4, "stake_cents": 1_000, "spot_2x": True, "told": True}


@pytest.fixture
def floor(server_clock: ServerClock, cast: Cast) -> Cast:
    cast.deliver(cast.ask(COUNTED))
    cast.open_table(COUNTED)
    cast.table.refresh_from_db()
    return cast


@pytest.fixture
def terminal(floor: Cast) -> TerminalClient:
    return TerminalClient(make_terminal(floor.table))


def deal(cast: Cast, game: str, **more: Any) -> None:
    """Let another game be dealt at the table."""
    Table.objects.filter(pk=cast.table.pk).update(game=game, setup={}, **more)
    cast.table.refresh_from_db()


def note(cast: Cast, code: str, hand: Any = None, **given: Any) -> FloorEntry:
    tap = hand or Tap(cast.alice, cast.devices[Place.PIT], uuid4())
    return enter(table_id=cast.table.pk, new=NewEntry(code, given), hand=tap)


def waits_for() -> set[tuple[str, str]]:
    return {
        (wait.exception.code, role)
        for wait in Waiting.objects.filter(until=None, exception__isnull=False)
        for role in wait.by
        if wait.exception is not None
    }


def test_a_suspected_bill_stays_on_the_table_and_the_shift_manager_is_told(floor: Cast) -> None:
    with refused("lapse_unexplained", journal=()):
        note(floor, "counterfeit_bill", **COUNTERFEIT | {"bill": "dropped"})
    with refused("lapse_unexplained", journal=()):
        note(floor, "counterfeit_bill", **COUNTERFEIT | {"cheques": "sent"})
    entry = note(floor, "counterfeit_bill", **COUNTERFEIT)
    floor_exception = FloorException.objects.get(code="counterfeit_bill")
    assert floor_exception.details == {"entry": entry.pk}
    assert "Suspected counterfeit bill" in floor_exception.sentence
    assert ("counterfeit_bill", "shift_manager") in waits_for()
    # What went otherwise is written down as it was.
    note(floor, "counterfeit_bill", **COUNTERFEIT | {"bill": "dropped", "note": "Paddle slipped."})


def test_a_dark_sensor_is_told_to_surveillance_and_to_the_shift_manager(floor: Cast) -> None:
    deal(floor, "raise_the_roof")
    with refused("no_sensors", journal=()):
        note(floor, "sensor_dark", seat=3)
    deal(floor, "blazing_7s")
    with refused("seat_missing", journal=()):
        note(floor, "sensor_dark")
    note(floor, "sensor_dark", seat=3)
    assert {
        ("sensor_dark", "shift_manager"),
        ("sensor_dark_watched", "surveillance"),
    } <= waits_for()


@pytest.mark.parametrize(
    ("code", "wrong", "refusal", "right"),
    [
        ("cards_dropped", {}, "shuffle_first", {"shuffled": True}),
        (
            "cards_defective",
            {"fault": "tampered", "remedy": "card"},
            "hold_the_cards",
            {"fault": "tampered", "remedy": "held"},
        ),
        (
            "one_hand",
            {"seat": 2, "gives_up": [2], "told": True},
            "keeps_one_spot",
            {"seat": 2, "gives_up": [3], "told": True},
        ),
        ("one_hand", {"seat": 2}, "player_not_told", {"seat": 2, "told": True}),
        ("sits_out", {"hands": 4}, "seat_missing", {"seat": 5, "hands": 4}),
        (
            "knows_dealer",
            {"who": "friend"},
            "remedy_missing",
            {"who": "friend", "remedy": "watched"},
        ),
        ("counting_suspected", {"seat": 5}, "note_missing", {"seat": 5, "note": "Spreads 1-8."}),
        (
            "dispute",
            {"seat": 5, "claim": "I had 20.", "decision": "stands", "round": 77},
            "unknown_round",
            {"seat": 5, "claim": "I had 20.", "decision": "stands"},
        ),
        ("flat_bet_end", {"seat": 5}, "no_flat_bet", None),
        ("irregular_hand_over", {}, "no_ruling_stands", None),
        ("irregular_player_skipped", {}, "seat_missing", {"seat": 4, "out": [6]}),
        (
            "irregular_too_few_cards",
            {"decision": "pray"},
            "decision_malformed",
            {"decision": "reshuffled"},
        ),
    ],
)
def test_each_incident_is_refused_by_its_rule_and_then_logged(
    floor: Cast, code: str, wrong: dict[str, Any], refusal: str, right: dict[str, Any] | None
) -> None:
    with refused(refusal, journal=()):
        note(floor, code, **wrong)
    if right is not None:
        assert note(floor, code, **right).outcome == "noted"


def test_a_check_follows_a_ruling_until_the_hand_is_over(
    floor: Cast, terminal: TerminalClient
) -> None:
    assert terminal.post("checks", HAND).json()["verdict"] == "overpaid"
    # No dealer decides it.
    own = terminal.post("checks", {**HAND, "extra": {"dealer_bj_is_21": True}}).json()
    assert [reason["code"] for reason in own["reasons"]] == ["not_ruled"]
    entry = note(floor, "irregular_hole_card_shown")
    body = terminal.post("checks", HAND).json()
    assert body["verdict"] == "right"
    assert "plain 21 in this hand" in body["working"]
    assert [(order["number"], order["code"]) for order in body["orders"]] == [
        (entry.pk, "hole_card_shown")
    ]
    note(floor, "irregular_hand_over")
    assert terminal.post("checks", HAND).json()["verdict"] == "overpaid"
    assert TableOrder.objects.get().end == "hand_over"


def test_a_ruling_that_nobody_ended_touches_no_hand_some_minutes_later(
    floor: Cast, terminal: TerminalClient, server_clock: ServerClock
) -> None:
    before = server_clock.now.isoformat()
    server_clock.move(minutes=1)
    note(floor, "irregular_hole_card_shown")
    keyed_at = server_clock.now.isoformat()
    server_clock.move(minutes=4)
    assert terminal.post("checks", HAND).json()["verdict"] == "right"
    server_clock.move(minutes=2)
    assert terminal.post("checks", HAND).json()["verdict"] == "overpaid"
    # A payout of then that comes late is judged by what stood then.
    late = terminal.post("checks", {**HAND, "keyed_at": keyed_at}).json()
    assert (late["verdict"], late["orders"][0]["code"]) == ("right", "hole_card_shown")
    assert terminal.post("checks", {**HAND, "keyed_at": before}).json()["verdict"] == "overpaid"


def test_a_seat_that_stepped_out_gets_its_bet_back(floor: Cast, terminal: TerminalClient) -> None:
    note(floor, "irregular_player_skipped", seat=4, out=["6"])
    tablet, asked = signed_in(floor.alice, floor), f"/tables/{floor.table.name}/what-if/"
    hand = {"wager": "blackjack", "stake": "25", "player_cards": "Th 9c", "dealer_cards": "Kd 8s"}
    assert "Underpaid" in words(tablet.get(asked, hand))
    assert "its bets are returned" in words(tablet.get(asked, {**hand, "seat": "6"}))
    for seat in (4, 6):
        body = terminal.post("checks", {**HAND, "seat": seat, "paid_cents": 0}).json()
        assert (body["verdict"], body["category"]) == ("right", "returned")
    assert terminal.post("checks", {**HAND, "seat": None}).json()["verdict"] == "cannot_verify"


def test_a_flat_bet_is_enforced_until_the_shoe_ends(
    floor: Cast, terminal: TerminalClient, server_clock: ServerClock
) -> None:
    with refused("no_flat_bet", journal=()):
        note(floor, "flat_bet", **FLAT)
    deal(floor, "bet_bigger", minimum_cents=500, maximum_cents=1_000)
    with refused("player_not_told", journal=()):
        note(floor, "flat_bet", **FLAT | {"told": False})
    note(floor, "flat_bet", **FLAT)
    with refused("flat_bet_stands", journal=()):
        note(floor, "flat_bet", **FLAT)
    bet = {
        "wager": "bet_bigger",
        "stake_cents": 1_000,
        "player_cards": ["Th", "9c"],
        "dealer_cards": ["Kd", "8s"],
        "extra": {"spots": ["2x"]},
        "paid_cents": 2_000,
        "seat": 4,
    }
    assert terminal.post("checks", bet).json()["verdict"] == "right"
    other = terminal.post("checks", {**bet, "stake_cents": 500}).json()
    assert other["verdict"] == "cannot_verify"
    assert [reason["code"] for reason in other["reasons"]] == ["flat_bet_differs"]
    # The same at the bets of a round that is told.
    number = terminal.post("rounds", {}).json()["round"]
    terminal.post(f"rounds/{number}/seats", {"seats": [{"seat": 4}]})
    fields = {"seat": 4, "bets": [{"wager": "bet_bigger", "stake_cents": 500}]}
    wrong = terminal.post(f"rounds/{number}/wagers", fields)
    assert [refusal["code"] for refusal in wrong.json()["refusals"]] == ["flat_bet_differs"]
    # And in a round that is sent whole: what lay there is not called right.
    terminal.post(f"rounds/{number}/abort", {"reason": "wrong_entry"})
    played = {"seat": 4, "bets": fields["bets"], "cards": ["Th", "9c"]}
    whole = {"seats": [played], "dealer_cards": ["Kd", "8s"]}
    sent = terminal.put(f"rounds/{uuid4()}", whole)
    assert [refusal["code"] for refusal in sent.json()["refusals"]] == ["flat_bet_differs"]
    taken = terminal.put(f"rounds/{uuid4()}", {**whole, "unverified": True}).json()
    assert (taken["outcome"], taken["verdict"]["lines"]) == ("unverified", [])
    assert [item["code"] for item in taken["verdict"]["unverified"]] == ["flat_bet_differs"]
    assert "Ordered" in words(signed_in(floor.alice, floor).get(f"/tables/{floor.table.name}/"))
    tap = Tap(floor.alice, floor.devices[Place.PIT], uuid4())
    mark_shoe(table_id=floor.table.pk, mark=Mark.SHUFFLE, hand=tap)
    assert TableOrder.objects.get().end == "shoe_over"
    free = terminal.post("checks", {**bet, "stake_cents": 500, "paid_cents": 1_000}).json()
    assert free["verdict"] == "right"


def test_a_flat_bet_can_be_lifted_before_the_shoe_ends(floor: Cast) -> None:
    deal(floor, "bet_bigger", minimum_cents=500, maximum_cents=1_000)
    note(floor, "flat_bet", **FLAT)
    note(floor, "flat_bet", **FLAT | {"seat": 5})
    note(floor, "flat_bet_end", seat=4)
    with refused("no_flat_bet_stands", journal=()):
        note(floor, "flat_bet_end", seat=4)
    note(floor, "flat_bet", **FLAT)
    # The end of a hand ends what was ruled in it, and lifts nothing.
    note(floor, "irregular_card_exposed", decision="dealt")
    note(floor, "irregular_hand_over")
    assert [(order.seat, order.end) for order in TableOrder.objects.order_by("id")] == [
        (4, "lifted"),
        (5, ""),
        (4, ""),
        (None, "hand_over"),
    ]


def test_what_stands_at_one_table_is_no_matter_of_another(
    floor: Cast, terminal: TerminalClient
) -> None:
    there = floor.other_table
    Table.objects.filter(pk=there.pk).update(is_open=True)
    hand = Tap(floor.alice, floor.devices[Place.PIT], uuid4())
    enter(table_id=there.pk, new=NewEntry("irregular_hole_card_shown"), hand=hand)
    assert terminal.post("checks", HAND).json()["verdict"] == "overpaid"
    with refused("no_ruling_stands", journal=()):
        note(floor, "irregular_hand_over")
    note(floor, "irregular_hole_card_shown")
    note(floor, "irregular_hand_over")
    assert TableOrder.objects.get(ended_at=None).table == there
    # Nor is a round of that table one that a guest here disputes.
    number = TerminalClient(make_terminal(there)).post("rounds", {}).json()["round"]
    dispute = {"seat": 5, "claim": "I had 20.", "decision": "stands", "round": number}
    with refused("unknown_round", journal=()):
        note(floor, "dispute", **dispute)
    own = terminal.post("rounds", {}).json()["round"]
    note(floor, "dispute", **dispute | {"round": own})
    with refused("unknown_round", journal=()):
        note(floor, "dispute", **dispute | {"round": own + 1})


def test_a_table_that_closes_takes_its_orders_with_it(floor: Cast) -> None:
    note(floor, "irregular_hole_card_shown")
    floor.close_table(COUNTED)
    assert TableOrder.objects.get().end == "table_closed"


def test_a_round_is_settled_as_the_supervisor_ruled(floor: Cast, terminal: TerminalClient) -> None:
    number = terminal.post("rounds", {}).json()["round"]
    terminal.post(f"rounds/{number}/seats", {"seats": [{"seat": 2}, {"seat": 4}]})
    for seat in (2, 4):
        bets = [{"wager": "blackjack", "stake_cents": 2_500}]
        terminal.post(f"rounds/{number}/wagers", {"seat": seat, "bets": bets})
    fallen = [
        {"seat": 2, "card": "Th"}, {"seat": 4, "card": "9h"}, {"to": "dealer", "card": "Kd"},
        {"seat": 2, "card": "Tc"}, {"seat": 4, "card": "9c"}, {"to": "dealer", "card": "7s"},
        {"to": "dealer", "card": "4c"},
    ]  # fmt: skip
    terminal.post(f"rounds/{number}/cards", {"cards": fallen})
    assert terminal.post(f"rounds/{number}/end", {}).status_code != 200
    note(floor, "irregular_drew_on_seventeen")
    note(floor, "irregular_dealer_card_missed", out=["4"])
    ended = terminal.post(f"rounds/{number}/end", {})
    assert ended.status_code == 200, ended.content
    lines = ended.json()["verdict"]["lines"]
    assert [(line["seat"], line["category"], line["payout_cents"]) for line in lines] == [
        (2, "player_wins", 2_500),
        (4, "returned", 0),
    ]
    assert not TableOrder.objects.filter(ended_at=None).exists()
    # And the hand can be proved from the rack.
    page = signed_in(floor.alice, floor).get(f"/tables/{floor.table.name}/prove/")
    assert "Seat 4" in words(page)
    wrong = signed_in(floor.alice, floor).get(f"/tables/{floor.table.name}/prove/?round=99")
    assert wrong.status_code == 404


def test_a_hand_called_off_gives_back_every_bet_of_the_round(
    floor: Cast, terminal: TerminalClient
) -> None:
    number = terminal.post("rounds", {}).json()["round"]
    terminal.post(f"rounds/{number}/seats", {"seats": [{"seat": 2}]})
    bets = [{"wager": "blackjack", "stake_cents": 2_500}]
    terminal.post(f"rounds/{number}/wagers", {"seat": 2, "bets": bets})
    terminal.post(f"rounds/{number}/cards", {"cards": [{"seat": 2, "card": "Th"}]})
    own = terminal.post(f"rounds/{number}/end", {"hole_card_shown": True})
    assert [refusal["code"] for refusal in own.json()["refusals"]] == ["not_ruled"]
    note(floor, "irregular_too_few_cards", decision="hand_off")
    verdict = terminal.post(f"rounds/{number}/end", {}).json()["verdict"]
    assert (verdict["house_cents"], verdict["lines"][0]["category"]) == (0, "returned")


def test_a_terminal_asks_for_a_ruling_and_the_supervisor_gives_it(
    floor: Cast, terminal: TerminalClient
) -> None:
    response = terminal.post("requests", {"kind": "irregular_card_exposed", "facts": {}})
    assert [refusal["code"] for refusal in response.json()["refusals"]] == ["decision_missing"]
    response = terminal.post(
        "requests", {"kind": "irregular_card_exposed", "facts": {"decision": "dealt"}}
    )
    assert response.status_code == 201, response.content
    assert not TableOrder.objects.exists()


def test_keys_are_in_one_hand_from_signing_out_to_signing_in(floor: Cast) -> None:
    with refused("signature_missing", journal=()):
        note(floor, "keys_taken", key="tray_lids")
    note(floor, "keys_taken", floor.pen(floor.alice), key="tray_lids")
    with refused("keys_out", journal=("act_refused",)):
        note(floor, "keys_taken", floor.pen(floor.bob), key="tray_lids")
    with refused("keys_in", journal=("act_refused",)):
        note(floor, "keys_returned", floor.pen(floor.bob), key="podium")
    page = words(signed_in(floor.bob, floor).get(f"/tables/{floor.table.name}/floor/"))
    assert "A. Aliceson has had the keys to the tray lids since" in page
    note(floor, "keys_returned", floor.pen(floor.bob), key="tray_lids")
    loan = KeyLoan.objects.get()
    assert loan.returned is not None
    assert (loan.taken.by, loan.returned.by) == (floor.alice, floor.bob)
    note(floor, "keys_taken", floor.pen(floor.bob), key="tray_lids")


@pytest.mark.django_db(transaction=True)
def test_two_hands_at_two_tables_take_the_keys_of_their_pit_once(
    floor: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Each has looked who has the keys, and is about to write that they are taken.
    hold_before(monkeypatch, KeyLoan.objects, "create")
    new, there = NewEntry("keys_taken", {"key": "podium"}), floor.other_table.pk
    results = at_once(
        lambda: enter(table_id=floor.table.pk, new=new, hand=floor.pen(floor.alice)),
        lambda: enter(table_id=there, new=new, hand=floor.pen(floor.bob)),
    )
    assert ("keys_out",) in results
    assert KeyLoan.objects.count() == 1


def test_the_database_keeps_orders_and_keys_as_they_were_given(floor: Cast) -> None:
    note(floor, "irregular_hole_card_shown")
    note(floor, "keys_taken", floor.pen(floor.alice), key="podium")
    order, loan = TableOrder.objects.get(), KeyLoan.objects.get()
    for rows, change, said in (
        (TableOrder.objects.filter(pk=order.pk), {"facts": {}}, "only ever ends"),
        (TableOrder.objects.filter(pk=order.pk), {"ended_at": order.began_at}, "says_why"),
        (TableOrder.objects.filter(pk=order.pk), {"end": "lifted"}, "says_why"),
        (KeyLoan.objects.filter(pk=loan.pk), {"key": "shufflers"}, "only ever ends"),
    ):
        with pytest.raises(IntegrityError, match=said), transaction.atomic():
            rows.update(**change)
    # One hand has the keys of a pit, whatever entry says so; and an entry takes keys once.
    for key, entry, said in (
        ("podium", order.entry, "keys_in_one_hand"),
        ("shufflers", loan.taken, "taken_id_key"),
    ):
        with pytest.raises(IntegrityError, match=said), transaction.atomic():
            KeyLoan.objects.create(pit=floor.pit, key=key, taken=entry)
    TableOrder.objects.update(ended_at=order.began_at, end="lifted")
    with pytest.raises(IntegrityError, match="only ever ends"), transaction.atomic():
        TableOrder.objects.update(end="hand_over")


def test_a_guided_card_is_two_taps_away_and_says_what_to_do_and_to_say(floor: Cast) -> None:
    tablet = signed_in(floor.alice, floor)
    choose = words(tablet.get(f"/tables/{floor.table.name}/floor/"))
    assert "A player got no cards" in choose
    url = f"/tables/{floor.table.name}/floor/irregular_player_skipped/"
    card = words(tablet.get(url))
    assert "sits this hand out" in card
    assert "I am sorry" in card
    form = {"request_id": str(uuid4()), "seat": "4", "out": ["6", "7"]}
    assert tablet.post(url, form).status_code == 302
    assert FloorEntry.objects.latest("pk").sentence == (
        "A player got no cards at seat 4: finish the hand; seats 6, 7 out."
    )
    assert TableOrder.objects.get().facts["out"] == [4, 6, 7]
    keys = f"/tables/{floor.table.name}/floor/keys_taken/"
    assert "Tray lids" in words(tablet.get(keys))
    pad = words(tablet.post(keys, {"request_id": str(uuid4()), "key": "podium"}))
    assert tablet.post(keys, signing(pad, floor.alice)).status_code == 302
    assert KeyLoan.objects.get().taken.is_signed
    assert not PayoutCheck.objects.exists()
