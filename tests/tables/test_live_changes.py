"""Limits and terms change at an open table; each bet is judged by what held when it was made."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.db import IntegrityError, connection, transaction
from django.db.utils import ProgrammingError

from jackpots.kinds.big_win import BIG_WIN_KIND
from pitboss.models import FloorException, JournalEntry, RulesVersion, Slip, Table, Waiting
from pitboss.rules.floor.standards import Mark
from pitboss.rules.floor.table_events import Event, EventName, event_of
from pitboss.rules.flows.flows import PlanFacts
from pitboss.rules.payouts.jackpot_flows import ENDS_ROUND
from pitboss.rules.roles import Place
from pitboss.selectors.table_rules import latest_setup, minimum_now, rules_in_force
from pitboss.services import house
from pitboss.services.verification import verify
from pitboss.slips.raising import raise_kind, shown_before
from tables.kinds import live_change
from tables.models import Round, SignChange
from tables.services.floor_log import Tap
from tables.services.live_changes import coming_at, seat_left
from tables.services.shoes import mark_shoe
from tests.floor.cast import Cast, ServerClock, refused
from tests.floor.house import change as change_setting
from tests.floor.live_changes import asked, change, tap
from tests.floor.setups import approve, propose
from tests.floor.tablets import words
from tests.floor.terminals import TerminalClient, make_terminal
from tests.pitboss.test_table_changes import BJ_11
from tests.races import at_once, hold_before
from tests.tables.test_rounds import pend_a_jackpot
from tests.test_access import signed_in

pytestmark = pytest.mark.django_db(transaction=True)

COUNTED = {10_000: 40, 2_500: 80, 500: 100, 100: 40}
BET = {
    "wager": "blackjack",
    "stake_cents": 2_000,
    "player_cards": ["Th", "9d"],
    "dealer_cards": ["Tc", "8d"],
    "paid_cents": 2_000,
}
LEANER: dict[str, Any] = {
    "bet_trilux": "house",
    "bet_trilux_rows": "straight flush 20:1\nflush 8:1",
}


@pytest.fixture
def floor(cast: Cast, server_clock: ServerClock) -> Cast:
    """The first table open at $15 to $500."""
    Table.objects.filter(pk=cast.table.pk).update(minimum_cents=1_500, maximum_cents=50_000)
    cast.deliver(cast.ask(COUNTED))
    cast.open_table(COUNTED)
    cast.table.refresh_from_db()
    return cast


@pytest.fixture
def terminal(floor: Cast) -> TerminalClient:
    return TerminalClient(make_terminal(floor.table))


def mark(cast: Cast, what: Mark) -> None:
    hand = Tap(cast.alice, cast.devices[Place.PIT], uuid4())
    mark_shoe(table_id=cast.table.pk, mark=what, hand=hand)


def warned(terminal: TerminalClient, **more: Any) -> list[str]:
    answer = terminal.post("checks", {**BET, **more})
    assert answer.status_code == 201, answer.content
    assert answer.json()["verdict"] == "right"
    return [warning["code"] for warning in answer.json()["warnings"]]


def minimum(cast: Cast) -> int:
    in_force = house.settings_at(house.now())
    return rules_in_force(Table.objects.get(pk=cast.table.pk), in_force).minimum_cents


def test_the_pit_manager_alone_ends_mid_shoe_entry_and_says_how_many_hands_are_played(
    floor: Cast,
) -> None:
    slip = change(floor, "next_round", 0, mid_shoe="no", hands_each="2")
    assert (slip.status, slip.details["terms"]) == ("done", False)
    assert slip.details["sign"] == "$15 to $500, no mid-shoe entry"
    assert [label for label, _, _ in slip.details["changes"]] == [
        "Hands of one player",
        "Mid-shoe entry",
    ]


def test_a93_limits_change_at_an_open_table_from_the_next_shoe(
    floor: Cast, terminal: TerminalClient, server_clock: ServerClock
) -> None:
    mark(floor, Mark.SHUFFLE)
    server_clock.move(minutes=2)
    mark(floor, Mark.DEAL)
    server_clock.move(minutes=10)  # 20:52
    slip = change(floor, "end_of_shoe", 3, minimum="25")
    assert slip.status == "done"
    assert slip.serial.startswith("TL-")
    assert slip.details["changes"] == [["Minimum", "$15", "$25"]]
    server_clock.move(minutes=6)  # 20:58
    bet_at = server_clock.now
    assert warned(terminal) == []
    assert terminal.get("table").json()["coming"]["words"] == "Waiting for the sign"
    server_clock.move(minutes=6)  # 21:04
    tap(floor, slip, 1, 2, 3)
    assert minimum(floor) == 1_500
    coming = terminal.get("table").json()["coming"]
    assert (coming["minimum_cents"], coming["words"]) == (2_500, "From the next shoe")
    mark(floor, Mark.SHUFFLE)
    server_clock.move(minutes=2)  # 21:06
    mark(floor, Mark.DEAL)
    (version,) = RulesVersion.objects.all()
    assert (version.from_at, version.slip, version.kept) == (server_clock.now, slip, {})
    server_clock.move(minutes=4)  # 21:10
    assert warned(terminal, seat=2) == ["under_minimum"]
    shown = terminal.get("table").json()
    assert (shown["minimum_cents"], shown["coming"]) == (2_500, None)
    # Disputed at 23:00.
    server_clock.move(minutes=110)
    assert warned(terminal, keyed_at=bet_at.isoformat()) == []
    assert warned(terminal, keyed_at=(version.from_at + timedelta(minutes=4)).isoformat()) == [
        "under_minimum"
    ]
    assert Table.objects.get(pk=floor.table.pk).is_open
    assert not Slip.objects.filter(kind="closer").exists()
    entry = JournalEntry.objects.get(kind="sign_changed")
    assert '"changes":[["Minimum","$15","$25"]]' in entry.text
    signed = JournalEntry.objects.get(slip=slip, kind="table_live_change.changed")
    assert "A busy night." in signed.text
    told = [
        event_of(journal_entry.kind, json.loads(journal_entry.text)["body"])
        for journal_entry in (signed, entry)
    ]
    assert told == [Event(EventName.LIMITS_CHANGED, {"serial": slip.serial})] * 2
    assert not verify().findings


def test_a93_a_round_goes_on_by_the_limits_it_began_with(
    floor: Cast, terminal: TerminalClient, server_clock: ServerClock
) -> None:
    round_ = terminal.post("rounds", {}).json()["round"]
    server_clock.move(seconds=20)
    tap(floor, change(floor, minimum="25"))
    assert minimum(floor) == 2_500
    assert warned(terminal) == []
    seats = terminal.post(f"rounds/{round_}/seats", {"seats": [{"seat": 5}]})
    assert seats.status_code == 200
    wagers = {"seat": 5, "bets": [{"wager": "blackjack", "stake_cents": 2_000}]}
    assert terminal.post(f"rounds/{round_}/wagers", wagers).status_code == 200
    # Another begins where this one ends, and goes by the sign.
    after = terminal.post("rounds", {"ends_open": True, "seats": [{"seat": 5}]}).json()["round"]
    response = terminal.post(f"rounds/{after}/wagers", wagers)
    assert [refusal["code"] for refusal in response.json()["refusals"]] == ["under_minimum"]


def test_a94_who_is_seated_keeps_the_old_minimum_until_the_shoe_ends(
    floor: Cast, terminal: TerminalClient, server_clock: ServerClock
) -> None:
    mark(floor, Mark.SHUFFLE)
    mark(floor, Mark.DEAL)
    tap(floor, change(floor, players=3, minimum="25"), 1, 2, 3)
    assert [warned(terminal, seat=seat) for seat in (1, 3)] == [[], []]
    assert warned(terminal, seat=4) == ["under_minimum"]
    assert [item["seat"] for item in terminal.get("table").json()["kept"]] == [1, 2, 3]
    client = signed_in(floor.alice, floor.devices[Place.PIT])
    assert "Seat 2 keeps $15 to $500" in words(client.get("/tables/BJ-11/"))
    round_ = terminal.post("rounds", {"seats": [{"seat": 1}, {"seat": 4}]}).json()["round"]
    bets = [{"wager": "blackjack", "stake_cents": 2_000}]
    status_codes = [
        terminal.post(f"rounds/{round_}/wagers", {"seat": seat, "bets": bets}).status_code
        for seat in (1, 4)
    ]
    assert status_codes == [200, 422]
    terminal.post(f"rounds/{round_}/end", {})
    Round.objects.filter(ended_at=None).update(
        ended_at=server_clock.now, outcome="aborted", verdict={}
    )
    server_clock.move(minutes=1)
    mark(floor, Mark.SHUFFLE)
    assert warned(terminal, seat=1) == ["under_minimum"]
    assert not verify().findings


def test_a94_in_ohio_they_keep_their_limits_until_they_leave(
    floor: Cast, terminal: TerminalClient, server_clock: ServerClock
) -> None:
    change_setting(floor, "limits.preset", "OH")
    tap(floor, change(floor, players=2, minimum="25", maximum="300"), 1, 2)
    kept = terminal.get("table").json()["kept"]
    assert [(item["minimum_cents"], item["maximum_cents"]) for item in kept] == [
        (1_500, 50_000)
    ] * 2
    # Whoever kept older limits keeps those at the next change.
    tap(floor, change(floor, players=2, minimum="50"), 1, 2)
    assert warned(terminal, seat=1) == []
    mark(floor, Mark.SHUFFLE)
    server_clock.move(minutes=1)
    mark(floor, Mark.DEAL)
    assert warned(terminal, seat=1) == []
    client = signed_in(floor.alice, floor.devices[Place.PIT])
    left = {"seat": "1", "request_id": str(uuid4())}
    told = client.post("/tables/BJ-11/seat-leaves/", left, follow=True)
    assert "Seat 1 has the limits on the sign." in words(told)
    assert warned(terminal, seat=1) == ["under_minimum"]
    assert warned(terminal, seat=2) == []
    again = client.post("/tables/BJ-11/seat-leaves/", left, follow=True)
    assert "There is nothing to end." in words(again)
    floor.close_table(COUNTED)
    assert RulesVersion.objects.latest("id").kept == {}
    assert not verify().findings


def test_a94_a_supervisor_changes_no_limits_alone(floor: Cast) -> None:
    with refused("wrong_role"):
        change(floor, minimum="25", by=floor.alice)


def test_a95_maryland_asks_for_half_an_hour_with_players_seated(
    floor: Cast, terminal: TerminalClient, server_clock: ServerClock
) -> None:
    change_setting(floor, "limits.preset", "MD")
    with refused("players_seated"):
        change(floor, players=2, minimum="25")
    slip = change(floor, players=2, maximum="1,000")
    signed = server_clock.now
    server_clock.move(minutes=5)
    tap(floor, slip, 1, 2)
    (version,) = RulesVersion.objects.all()
    assert version.from_at == signed + timedelta(minutes=30)
    over = {"stake_cents": 80_000, "paid_cents": 80_000}
    assert terminal.get("table").json()["maximum_cents"] == 50_000
    assert "From " in terminal.get("table").json()["coming"]["words"]
    server_clock.move(minutes=24)
    assert terminal.get("table").json()["maximum_cents"] == 50_000
    server_clock.move(minutes=1)
    assert warned(terminal, **over) == []
    # With nobody there: at once, and not before the sign.
    slip = change(floor, players=0, minimum="25", maximum="500")
    server_clock.move(minutes=45)
    assert minimum(floor) == 1_500
    tap(floor, slip)
    assert minimum(floor) == 2_500


def test_a95_a_notice_is_over_before_the_next_shoe_counts(
    floor: Cast, server_clock: ServerClock
) -> None:
    change_setting(floor, "limits.preset", "MD")
    tap(floor, change(floor, "end_of_shoe", 2, maximum="1,000"))
    mark(floor, Mark.SHUFFLE)
    server_clock.move(minutes=10)
    mark(floor, Mark.DEAL)
    assert not RulesVersion.objects.exists()
    server_clock.move(minutes=25)
    mark(floor, Mark.SHUFFLE)
    mark(floor, Mark.DEAL)
    assert RulesVersion.objects.get().from_at == server_clock.now


def test_a96_terms_need_the_shift_manager_too(floor: Cast) -> None:
    slip = change(floor, **LEANER)
    assert (slip.status, slip.details["terms"]) == ("open", True)
    with refused("not_signed_yet", journal=()):
        tap(floor, slip)
    with refused("signed_before", "wrong_role"):
        floor.sign(slip, "approved", floor.carol)
    floor.sign(slip, "approved", floor.heidi)
    tap(floor, slip)
    rules = rules_in_force(floor.table, house.settings_at(house.now()))
    assert rules.side_bets["trilux"].paytable == {"straight_flush": "20:1", "flush": "8:1"}
    assert not verify().findings


def test_a96_no_term_changes_while_a_win_is_pending(floor: Cast) -> None:
    slip = change(floor, **LEANER)
    pend_a_jackpot(floor)
    with refused("jackpot_pending"):
        floor.sign(slip, "approved", floor.heidi)
    with refused("already_proposed", "jackpot_pending"):
        change(floor, **LEANER, minimum="25")


def test_a96_no_term_changes_while_a_big_win_is_pending(floor: Cast) -> None:
    slip = change(floor, **LEANER)
    Slip.objects.create(
        kind="big_win",
        series="BW",
        year=2026,
        number=1,
        serial="BW-2026-000001",
        table=floor.table,
        gaming_day=slip.gaming_day,
        shift=slip.shift,
        raised_at=slip.raised_at,
        total_cents=0,
        details={ENDS_ROUND: "verified"},
        plan=BIG_WIN_KIND.plan(PlanFacts({})),
    )
    with refused("big_win_pending"):
        floor.sign(slip, "approved", floor.heidi)


def test_a96_of_two_changes_in_one_second_one_is_stored(
    floor: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    hold_before(monkeypatch, live_change, "change_refusals")
    news = [asked(floor, minimum=least) for least in ("25", "50")]
    pens = [floor.pen(who) for who in (floor.carol, floor.heidi)]
    told = at_once(
        *(
            lambda new=new, pen=pen: raise_kind(new, pen=pen, shown=shown_before(new), reason="So.")
            for new, pen in zip(news, pens, strict=True)
        )
    )
    assert sorted(isinstance(item, Slip) for item in told) == [False, True]
    assert ("stale_screen",) in told
    assert Slip.objects.filter(kind="table_live_change").count() == 1


def test_a_page_that_was_left_open_signs_nothing(floor: Cast) -> None:
    client = signed_in(floor.carol, floor.devices[Place.PIT])
    page = client.get("/slips/new/table_live_change/?table=BJ-11")
    after = page.context["after"]
    change(floor, minimum="25")
    sent = {"set_minimum": "50", "set_maximum": "500", "when": "next_round", "players": "0"}
    response = client.post("/slips/new/table_live_change/?table=BJ-11", {**sent, "after": after})
    assert response.status_code in (409, 422)
    assert "changed while you had this open" in words(response)


def test_a_time_is_chosen_and_a_later_change_replaces_it(
    floor: Cast, terminal: TerminalClient, server_clock: ServerClock
) -> None:
    tap(floor, change(floor, "at_time", at="10:30", minimum="25"))
    assert terminal.get("table").json()["coming"]["words"] == "From 10:30"
    assert minimum(floor) == 1_500
    slip = change(floor, minimum="20")
    tap(floor, slip)
    server_clock.move(hours=2)
    assert minimum(floor) == 2_000
    assert latest_setup(floor.table) == slip.details["is"]
    assert coming_at(floor.table, server_clock.now) is None


def test_a_change_that_was_replaced_leaves_the_sign_alone(floor: Cast) -> None:
    first = change(floor, minimum="25")
    second = change(floor, minimum="50")
    (waiting,) = FloorException.objects.filter(code="sign_to_change", resolved_at=None)
    assert waiting.slip == second
    assert FloorException.objects.get(slip=first).resolution == f"Replaced by {second.serial}."
    with refused("change_replaced", journal=()):
        tap(floor, first)
    tap(floor, second)
    assert not Waiting.objects.filter(exception=waiting, until=None).exists()
    with refused("already_changed", journal=()):
        tap(floor, second)


def test_only_a_supervisor_of_the_pit_taps(floor: Cast) -> None:
    slip = change(floor, minimum="25")
    with refused("wrong_role", journal=()):
        tap(floor, slip, by=floor.dan)
    with refused("wrong_place", journal=()):
        tap(floor, slip, place=Place.CAGE)
    with refused("seat_unknown", journal=()):
        tap(floor, slip, 9)


def test_a_second_tap_is_the_first_and_says_the_same(floor: Cast) -> None:
    slip = change(floor, minimum="25")
    sign = tap(floor, slip, 1)
    client = signed_in(floor.alice, floor.devices[Place.PIT])
    sent = {"request_id": str(sign.request_id), "seats": ["1"]}
    assert client.post(f"/signs/{slip.serial}/", sent).status_code == 302
    assert client.post(f"/signs/{slip.serial}/", {**sent, "seats": ["2"]}).status_code == 409
    assert SignChange.objects.count() == 1


@pytest.mark.parametrize(
    ("when", "changes", "codes"),
    [
        ("next_round", {"minimum": "15"}, ["nothing_changes"]),
        ("next_round", {"decks": "8"}, ["closed_table_only", "nothing_changes"]),
        ("at_time", {"minimum": "25"}, ["bad_moment"]),
        ("next_round", {"minimum": "many"}, ["amount_malformed"]),
        ("next_round", {"minimum": "900"}, ["bad_limits"]),
    ],
)
def test_what_an_open_table_does_not_take(
    floor: Cast, when: str, changes: dict[str, Any], codes: list[str]
) -> None:
    is_read = codes[0] in ("nothing_changes", "closed_table_only", "bad_moment")
    with refused(*codes, journal=("sign_refused",) if is_read else ()):
        change(floor, when, **changes)


def test_a_closed_table_is_set_up_by_two_managers_as_before(floor: Cast) -> None:
    floor.close_table(COUNTED)
    with refused("table_closed"):
        change(floor, minimum="25")


def test_a_change_lasts_over_closing_until_the_table_is_set_up_otherwise(
    floor: Cast, server_clock: ServerClock
) -> None:
    approve(floor, propose(floor, {**BJ_11, "minimum": "15", "maximum": "500"}, floor.table))
    tap(floor, change(floor, minimum="25"))
    floor.close_table(COUNTED)
    server_clock.move(hours=1)
    floor.open_table(COUNTED)
    # What two managers approved while it was open comes with the opening.
    assert minimum_now(floor.table) == 1_500
    tap(floor, change(floor, minimum="25"))
    floor.close_table(COUNTED)
    server_clock.move(hours=1)
    floor.open_table(COUNTED)
    assert minimum_now(floor.table) == 2_500
    assert not verify().findings


def test_a_shoe_that_never_comes_ends_with_the_table(floor: Cast) -> None:
    slip = change(floor, "end_of_shoe", minimum="25")
    tap(floor, slip)
    floor.close_table(COUNTED)
    assert minimum_now(floor.table) == 2_500


def test_a_sign_can_be_changed_once_the_table_is_closed(floor: Cast) -> None:
    slip = change(floor, "end_of_shoe", minimum="25")
    floor.close_table(COUNTED)
    tap(floor, slip)
    assert minimum_now(floor.table) == 2_500


def test_a_continuous_shuffler_has_no_next_shoe(floor: Cast) -> None:
    Table.objects.filter(pk=floor.table.pk).update(cards="continuous")
    with refused("no_shoe"):
        change(floor, "end_of_shoe", minimum="25")


def test_a_declined_change_changes_nothing(floor: Cast) -> None:
    from pitboss.rules.flows.flows import Track
    from pitboss.services.signing import Entry

    slip = change(floor, **LEANER)
    entry = Entry(reason="Not tonight.")
    floor.sign(slip, "declined", floor.heidi, entry=entry, track=Track.VOID)
    slip.refresh_from_db()
    assert slip.status == "voided"
    assert not FloorException.objects.filter(code="sign_to_change").exists()
    assert change(floor, minimum="25").status == "done"


def test_limits_are_changed_on_the_screens(floor: Cast) -> None:
    pit = floor.devices[Place.PIT]
    carol, alice = signed_in(floor.carol, pit), signed_in(floor.alice, pit)
    assert "/slips/new/table_live_change/?table=BJ-11" in words(carol.get("/tables/BJ-11/"))
    assert "Pit managers only" in words(alice.get("/tables/BJ-11/"))
    address = "/slips/new/table_live_change/?table=BJ-11"
    assert "The sign says $15 to $500." in words(carol.get(address))
    sent = {"set_minimum": "25", "set_maximum": "500", "when": "next_round", "players": "2"}
    wrong = carol.post(address, {**sent, "set_minimum": "900"})
    assert wrong.status_code == 422
    review = carol.post(address, sent)
    assert "$15 → $25" in words(review)
    pen = floor.pen(floor.carol)
    signed = {
        **sent, "shown": shown_before(asked(floor, players=2, minimum="25", maximum="500")),
        "badge": pen.badge, "pin": pen.pin, "request_id": str(pen.request_id), "reason": "Busy.",
    }  # fmt: skip
    assert carol.post(address, signed, follow=True).status_code == 200
    slip = Slip.objects.get(kind="table_live_change")
    assert "Change the sign" in words(alice.get(f"/board/{floor.pit.pk}/"))
    assert "Waiting for the sign" in words(alice.get("/tables/BJ-11/"))
    assert "Change the sign" in words(alice.get("/inbox/"))
    page = words(alice.get(f"/signs/{slip.serial}/"))
    assert "Players who are seated keep the old minimum until the shoe ends." in page
    tapped = {"request_id": str(uuid4()), "seats": ["2"]}
    told = alice.post(f"/signs/{slip.serial}/", tapped, follow=True)
    assert "Sign of BJ-11 changed. New limits: Now." in words(told)
    assert "The sign was changed." in words(alice.get(f"/signs/{slip.serial}/"))
    assert "$25–500" in words(alice.get(f"/board/{floor.pit.pk}/"))
    assert "$25–500" in words(alice.get("/tables/BJ-11/reference/"))
    tap(floor, change(floor, "end_of_shoe", minimum="50"))
    assert "$50 to $500: from the next shoe" in words(alice.get(f"/board/{floor.pit.pk}/"))
    house_page = signed_in(floor.carol, floor.devices[Place.OFFICE]).get("/house/tables/")
    assert "$25 to $500" in words(house_page)


def test_the_database_takes_no_version_without_slip_or_sign(floor: Cast) -> None:
    slip = change(floor, minimum="25")
    fill = floor.ask()
    other = floor.other_table
    for table, named in ((floor.table, fill), (floor.table, slip), (other, slip)):
        with pytest.raises((IntegrityError, ProgrammingError)), transaction.atomic():
            RulesVersion.objects.create(table=table, from_at=house.now(), slip=named)
    with pytest.raises((IntegrityError, ProgrammingError)), transaction.atomic():
        SignChange.objects.create(
            slip=fill, table=floor.table, at=house.now(), by=floor.alice,
            device=floor.devices[Place.PIT], request_id=uuid4(),
        )  # fmt: skip
    tap(floor, slip)
    for relation in ("pitboss_rulesversion", "tables_signchange"):
        with (
            pytest.raises((IntegrityError, ProgrammingError)),
            transaction.atomic(),
            connection.cursor() as cursor,
        ):
            cursor.execute(f"DELETE FROM {relation}")


def test_two_who_see_a_player_leave_end_it_once(
    floor: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tables.services import live_changes

    change_setting(floor, "limits.preset", "KS")
    tap(floor, change(floor, players=1, minimum="25"), 4)
    hold_before(monkeypatch, live_changes, "without_seat")
    hands = [Tap(who, floor.devices[Place.PIT], uuid4()) for who in (floor.alice, floor.bob)]
    told = at_once(
        *(lambda hand=hand: seat_left(table_id=floor.table.pk, seat=4, hand=hand) for hand in hands)
    )
    assert ("nothing_kept",) in told
    assert RulesVersion.objects.count() == 2
