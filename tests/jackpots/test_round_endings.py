"""Rounds that end whatever was told: unverified, put right, called off; and what meters keep."""

from __future__ import annotations

import threading
from contextlib import suppress
from typing import Any
from uuid import uuid4

import pytest
from django.db import DatabaseError, IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext

from jackpots.models import Meter, MeterContribution
from pitboss.models import JournalEntry, Person
from pitboss.services.verification import verify
from tables.models import Round
from tables.services import rounds
from tables.services.floor_log import Tap
from tables.services.round_corrections import abort_by_supervisor, undo_by_supervisor
from tests.floor.cast import Cast, refused
from tests.floor.jackpots import TRAY, hit
from tests.floor.meters import sevens, shows
from tests.floor.tablets import signed_in, words
from tests.floor.terminals import TerminalClient, make_terminal
from tests.races import MEET_SECONDS, at_once, hold_before

pytestmark = pytest.mark.django_db

LIT = {"seats": [{"seat": seat, "lit": ["blazing_7s"]} for seat in (2, 5)]}
BETS: dict[str, Any] = {
    "seat": 5,
    "bets": [
        {"wager": "blackjack", "stake_cents": 5_000},
        {"wager": "blazing_7s", "stake_cents": 500},
    ],
}


@pytest.fixture
def meter(cast: Cast) -> Meter:
    meter = sevens(cast)
    cast.deliver(cast.ask(TRAY))
    cast.open_table(TRAY)
    return meter


@pytest.fixture
def terminal(cast: Cast, meter: Meter) -> TerminalClient:
    return TerminalClient(make_terminal(cast.table))


def codes(answer: Any) -> list[str]:
    return [refusal["code"] for refusal in answer.json()["refusals"]]


def told(terminal: TerminalClient, path: str, body: Any, status: int = 200) -> Any:
    answer = terminal.post(path, body)
    assert answer.status_code == status, answer.content
    return answer.json()


def dealt(terminal: TerminalClient, *fallen: str) -> int:
    """Start a round with one bettor, and deal `5:9c` to seat 5 and `d:9s` to the dealer."""
    round_ = int(told(terminal, "rounds", {"seats": [{"seat": 5}]}, 201)["round"])
    told(terminal, f"rounds/{round_}/wagers", BETS)
    for item in fallen:
        where, _, card = item.partition(":")
        to = {"to": "dealer"} if where == "d" else {"seat": int(where)}
        told(terminal, f"rounds/{round_}/cards", {"cards": [{**to, "card": card}]})
    return round_


def tap(cast: Cast, person: Person | None = None) -> Tap:
    pen = cast.pen(person or cast.alice)
    return Tap(person or cast.alice, pen.device, pen.request_id)


def test_a108_two_taps_move_the_meter_and_the_next_round_starts(
    meter: Meter, terminal: TerminalClient
) -> None:
    before = shows(meter)
    round_ = told(terminal, "rounds", LIT, 201)["round"]
    assert shows(meter) == before, "a sensor may still go dark"
    ended = told(terminal, f"rounds/{round_}/end", {})
    assert ended["outcome"] == "unverified"
    assert [item["seat"] for item in ended["verdict"]["unverified"]] == [2, 5]
    assert ended["verdict"]["differences"] == []
    assert shows(meter) - before == 200
    told(terminal, "rounds", LIT, 201)
    assert verify().is_sound


def test_a109_a_replaced_card_settles_the_round_and_both_are_read_with_their_times(
    terminal: TerminalClient,
) -> None:
    round_ = dealt(terminal, "5:Tc", "d:9s", "5:9c", "d:8h")
    put = {"part": 5, "place": 1, "card": "6c"}
    told(terminal, f"rounds/{round_}/replace", put)
    ended = told(terminal, f"rounds/{round_}/end", {})
    assert ended["outcome"] == "settled"
    main = next(line for line in ended["verdict"]["lines"] if line["wager"] == "blackjack")
    assert main["payout_cents"] == -5_000, "16 loses to 17; 19 had won"
    cards = [part for part in ended["parts"] if part["part"] == "cards"]
    wrong, right = cards[2], cards[-1]
    assert (wrong["told"]["cards"][0]["card"], right["told"]["cards"][0]["card"]) == ("9c", "6c")
    assert wrong["struck_at"]
    assert right["at"] == wrong["struck_at"]


def test_undo_takes_back_the_last_part_once_for_each_key(terminal: TerminalClient) -> None:
    round_ = dealt(terminal, "5:Tc", "d:9s", "5:9c")
    key = str(uuid4())
    first = terminal.post(f"rounds/{round_}/undo", {}, key)
    assert terminal.post(f"rounds/{round_}/undo", {}, key).content == first.content
    assert first.json()["log"]["seats"][0]["cards"] == ["Tc"]
    for _ in range(2):
        told(terminal, f"rounds/{round_}/undo", {})
    stands = terminal.post(f"rounds/{round_}/undo", {})
    assert (stands.status_code, codes(stands)) == (409, ["bets_counted"])
    changed = terminal.post(f"rounds/{round_}/wagers", BETS)
    assert (changed.status_code, codes(changed)) == (409, ["cards_have_fallen"])


def test_a110_an_impossible_hand_is_fixed_or_ended_unverified_and_the_next_round_starts(
    terminal: TerminalClient,
) -> None:
    round_ = dealt(terminal, "5:Tc", "d:9s", "5:9c", "d:8h", "d:2c")
    answer = terminal.post(f"rounds/{round_}/end", {})
    assert (answer.status_code, codes(answer)) == (422, ["dealer_drew_too_far"])
    ended = told(terminal, f"rounds/{round_}/end", {"unverified": True})
    assert (ended["outcome"], ended["verdict"]["lines"]) == ("unverified", [])
    told(terminal, "rounds", {}, 201)


def test_a_start_ends_the_round_that_stands_open_where_the_dealer_says_so(
    terminal: TerminalClient,
) -> None:
    first = dealt(terminal, "5:Tc", "d:9s", "5:9c", "d:8h", "d:2c")
    refusal = terminal.post("rounds", {})
    assert (refusal.status_code, codes(refusal)) == (409, ["round_open"])
    second = told(terminal, "rounds", {"ends_open": True}, 201)["round"]
    assert Round.objects.get(pk=first).outcome == "unverified"
    assert Round.objects.get(ended_at=None).pk == second


def test_a111_only_a_supervisor_aborts_after_the_first_card_and_the_meter_gives_back_once(
    cast: Cast, meter: Meter, terminal: TerminalClient
) -> None:
    before = shows(meter)
    round_ = dealt(terminal, "5:Tc")
    assert shows(meter) - before == 100
    answer = terminal.post(f"rounds/{round_}/abort", {"reason": "misdeal"})
    assert (answer.status_code, codes(answer)) == (409, ["abort_needs_supervisor"])
    held = Round.objects.get(pk=round_)
    back = {"reason": "misdeal", "stakes_returned": True}
    with refused("wrong_role", journal=()):
        abort_by_supervisor(round_=held, tap=tap(cast, cast.dan), told=back)
    with refused("bad_reason", journal=()):
        abort_by_supervisor(round_=held, tap=tap(cast), told={"reason": "bored"})
    once = tap(cast)
    for _ in range(2):
        done = abort_by_supervisor(round_=held, tap=once, told=back)
        assert (done.outcome, shows(meter)) == ("aborted", before)
    with refused("round_ended", journal=()):
        abort_by_supervisor(round_=held, tap=tap(cast), told=back)
    entry = JournalEntry.objects.filter(kind="round_aborted").get()
    assert entry.person == cast.alice
    assert verify().is_sound


def test_a_round_aborted_with_its_stakes_kept_leaves_the_meter_as_it_is(
    cast: Cast, meter: Meter, terminal: TerminalClient
) -> None:
    before = shows(meter)
    round_ = dealt(terminal, "5:Tc")
    held = Round.objects.get(pk=round_)
    abort_by_supervisor(round_=held, tap=tap(cast), told={"reason": "equipment"})
    assert shows(meter) - before == 100


def test_a_dealer_aborts_before_the_first_card(meter: Meter, terminal: TerminalClient) -> None:
    before = shows(meter)
    round_ = told(terminal, "rounds", LIT, 201)["round"]
    ended = told(terminal, f"rounds/{round_}/abort", {"reason": "wrong_entry"})
    assert (ended["outcome"], ended["verdict"]["reason"]) == ("aborted", "wrong_entry")
    assert shows(meter) == before


def test_a111_no_round_is_aborted_while_a_jackpot_is_pending(
    cast: Cast, terminal: TerminalClient
) -> None:
    round_ = dealt(terminal, "5:7h", "d:7h", "5:7c")
    hit(cast, ("7h", "7c"), seat=5)
    held = Round.objects.get(pk=round_)
    with refused("jackpot_pending", journal=()):
        abort_by_supervisor(round_=held, tap=tap(cast), told={"reason": "misdeal"})


def test_a_supervisor_undoes_what_was_told_after_payouts_once_for_each_form(
    cast: Cast, terminal: TerminalClient
) -> None:
    round_ = dealt(terminal, "5:Tc", "d:9s", "5:9c", "d:8h")
    paid = {"payouts": [{"seat": 5, "wager": "blackjack", "paid_cents": 4_000}]}
    told(terminal, f"rounds/{round_}/payouts", paid)
    answer = terminal.post(f"rounds/{round_}/undo", {})
    assert (answer.status_code, codes(answer)) == (409, ["payouts_told"])
    held = Round.objects.get(pk=round_)
    once = tap(cast)
    for _ in range(2):
        assert undo_by_supervisor(round_=held, tap=once).log["payouts"] == []
    struck = Round.objects.get(pk=round_).parts[-1]
    assert struck["struck_by"] == str(cast.alice)
    assert JournalEntry.objects.filter(kind="round_corrected").count() == 1


def test_a112_of_seven_seats_five_are_judged_and_nothing_is_a_mismatch(
    terminal: TerminalClient,
) -> None:
    round_ = told(terminal, "rounds", {"seats": [{"seat": n} for n in range(1, 8)]}, 201)["round"]
    bet = {"wager": "blackjack", "stake_cents": 2_500}
    for seat in range(1, 8):
        told(terminal, f"rounds/{round_}/wagers", {"seat": seat, "bets": [bet]})
    fallen = [{"seat": seat, "card": card} for seat in range(1, 6) for card in ("Tc", "9d")]
    dealer = [{"to": "dealer", "card": card} for card in ("9s", "8h")]
    told(terminal, f"rounds/{round_}/cards", {"cards": [*fallen, *dealer]})
    paid = [{"seat": n, "wager": "blackjack", "paid_cents": 2_500} for n in range(1, 6)]
    told(terminal, f"rounds/{round_}/payouts", {"payouts": paid})
    verdict = told(terminal, f"rounds/{round_}/end", {})["verdict"]
    assert verdict["outcome"] == "partly_settled"
    assert [line["seat"] for line in verdict["lines"]] == [5, 4, 3, 2, 1]
    assert [item["seat"] for item in verdict["unverified"]] == [6, 7]
    assert verdict["differences"] == []


def test_a113_a_closer_leaves_no_round_open(cast: Cast, meter: Meter) -> None:
    terminal = TerminalClient(make_terminal(cast.table))
    before = shows(meter)
    round_ = dealt(terminal)
    assert terminal.get("table").json()["round"] == round_, "it is shown after a power cut"
    cast.close_table(TRAY)
    ended = Round.objects.get()
    assert (ended.outcome, (ended.verdict or {})["reason"]) == ("aborted", "table_closed")
    assert shows(meter) - before == 100, "the bets stood"
    assert verify().is_sound


@pytest.mark.django_db(transaction=True)
def test_a113_two_terminals_cannot_open_two_rounds(cast: Cast, terminal: TerminalClient) -> None:
    other = TerminalClient(make_terminal(cast.table, "Second terminal"))
    answers = at_once(
        lambda: terminal.post("rounds", {}).status_code,
        lambda: other.post("rounds", {}).status_code,
    )
    assert sorted(answers) == [201, 409]


WHOLE = {
    "seats": [{**BETS, "cards": ["Tc", "9c"]}, {**BETS, "seat": 6, "cards": ["7h", "2d"]}],
    "dealer_cards": ["9s", "8h"],
    "payouts": [{"seat": 5, "wager": "blackjack", "paid_cents": 5_000}],
}


def test_a_whole_round_is_put_once_under_its_key(meter: Meter, terminal: TerminalClient) -> None:
    before, key = shows(meter), uuid4()
    first = terminal.put(f"rounds/{key}", WHOLE)
    assert first.status_code == 200, first.content
    assert terminal.put(f"rounds/{key}", WHOLE).json() == first.json()
    answer = first.json()
    assert answer["outcome"] == "settled"
    assert [(line["seat"], line["wager"]) for line in answer["verdict"]["lines"]] == [
        (6, "blazing_7s"),
        (5, "blazing_7s"),
        (6, "blackjack"),
        (5, "blackjack"),
    ]
    assert shows(meter) - before == 200
    assert Round.objects.count() == 1
    other = terminal.put(f"rounds/{key}", {**WHOLE, "payouts": []})
    assert (other.status_code, codes(other)) == (409, ["key_reused"])
    told(terminal, "rounds", {}, 201)
    while_open = terminal.put(f"rounds/{uuid4()}", WHOLE)
    assert (while_open.status_code, codes(while_open)) == (409, ["round_open"])


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"dealer_cards": ["9s", "8h", "2c"]}, "dealer_drew_too_far"),
        ({"seats": [{"seat": 5, "bets": 7}]}, "bad_round"),
        ({"hole_card_shown": True}, "not_ruled"),
        ({"surprise": 1}, "unknown_field"),
    ],
)
def test_a_whole_round_that_cannot_be_is_refused_and_stored_nowhere(
    terminal: TerminalClient, change: dict[str, Any], code: str
) -> None:
    answer = terminal.put(f"rounds/{uuid4()}", {**WHOLE, **change})
    assert code in codes(answer)
    assert not Round.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_a_whole_round_that_comes_twice_at_once_is_one_round(terminal: TerminalClient) -> None:
    key, other = uuid4(), TerminalClient(terminal.device)
    first, second = at_once(
        lambda: terminal.put(f"rounds/{key}", WHOLE).json(),
        lambda: other.put(f"rounds/{key}", WHOLE).json(),
    )
    assert first == second
    assert Round.objects.count() == 1


def test_a_whole_round_told_again_under_another_key_is_stored_once(
    meter: Meter, terminal: TerminalClient
) -> None:
    """Equipment that lost its key must not move a meter twice. Bets alone come again."""
    before = shows(meter)
    first = terminal.put(f"rounds/{uuid4()}", WHOLE).json()
    again = terminal.put(f"rounds/{uuid4()}", WHOLE)
    assert (again.status_code, codes(again)) == (409, ["told_before"])
    assert f"round {first['round']}." in again.json()["refusals"][0]["message"]
    assert (Round.objects.count(), shows(meter) - before) == (1, 200)
    others: list[dict[str, Any]] = [
        {"dealer_cards": ["9s", "8d"]},
        *({"seats": [BETS], "dealer_cards": [], "payouts": [], "unverified": True},) * 2,
        {"dealer_cards": ["9s", "8c"]},
        {"dealer_cards": ["9c", "8c"]},
    ]
    for change in others:
        answer = terminal.put(f"rounds/{uuid4()}", {**WHOLE, **change})
        assert answer.status_code == 200, answer.content
    assert terminal.put(f"rounds/{uuid4()}", WHOLE).status_code == 200, "five rounds later"


@pytest.mark.django_db(transaction=True)
def test_a_whole_round_asks_the_database_three_times(terminal: TerminalClient) -> None:
    """Who calls; the table with all that is read under its lock; the round with its entry."""
    seats = [{**BETS, "bets": BETS["bets"][:1], "cards": ["Tc", "9c"]}]
    sent = {"seats": seats, "dealer_cards": ["9s", "8h"]}
    terminal.put(f"rounds/{uuid4()}", sent)
    with CaptureQueriesContext(connection) as captured:
        answer = terminal.put(f"rounds/{uuid4()}", {**sent, "dealer_cards": ["9s", "8d"]})
    assert answer.status_code == 200, answer.content
    asked = [item["sql"] for item in captured if item["sql"] not in ("BEGIN", "COMMIT")]
    assert len(asked) == 3, asked


@pytest.mark.django_db(transaction=True)
def test_a_whole_round_under_two_keys_at_once_is_one_round(
    terminal: TerminalClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = TerminalClient(terminal.device)
    hold_before(monkeypatch, rounds, "read_whole")
    answers = at_once(
        *(
            lambda client=client: client.put(f"rounds/{uuid4()}", WHOLE).status_code
            for client in (terminal, other)
        )
    )
    assert sorted(answers) == [200, 409]
    assert Round.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_the_database_lets_no_round_pass_that_is_told_under_two_keys_at_once(
    terminal: TerminalClient,
) -> None:
    """Past the service nobody holds the table: the one that comes second waits, then looks."""
    terminal.put(f"rounds/{uuid4()}", {**WHOLE, "dealer_cards": ["9s", "8d"]})
    made = Round.objects.get()
    parts = [{**made.parts[0], "told": WHOLE}]
    both_begun, both_stored = threading.Barrier(2), threading.Barrier(2)

    def store() -> str:
        try:
            with transaction.atomic():
                both_begun.wait(timeout=30)
                Round.objects.create(
                    table=made.table,
                    terminal=made.terminal,
                    started_at=made.started_at,
                    ended_at=made.ended_at,
                    key=uuid4(),
                    log={**made.log, "dealer_cards": WHOLE["dealer_cards"]},
                    parts=parts,
                    outcome=made.outcome,
                    verdict=made.verdict,
                )
                with suppress(threading.BrokenBarrierError):
                    both_stored.wait(timeout=MEET_SECONDS)
        except IntegrityError as error:
            return str(error)
        return "stored"

    answers = sorted(at_once(store, store), reverse=True)
    assert answers[0].startswith("this round was told as round")
    assert answers[1] == "stored"


def test_the_database_takes_back_what_a_round_gave_and_knows_how_each_round_ended(
    meter: Meter, terminal: TerminalClient
) -> None:
    round_ = dealt(terminal, "5:Tc")
    given = MeterContribution.objects.get()
    given.pk, given.wagers, given.key = None, -given.wagers, f"{given.key}:back"
    given.amount_microcents, given.reserve_microcents = -1, -given.reserve_microcents
    with pytest.raises(DatabaseError, match="takes back what it gave"), transaction.atomic():
        given.save(force_insert=True)
    with pytest.raises(DatabaseError, match="has_an_outcome"), transaction.atomic():
        Round.objects.filter(pk=round_).update(outcome="settled")


def test_a_supervisor_undoes_and_aborts_an_open_round_on_a_tablet(
    cast: Cast, meter: Meter, terminal: TerminalClient
) -> None:
    round_ = dealt(terminal, "5:Tc", "d:9s")
    tablet = signed_in(cast.alice, cast)
    url = f"/tables/{cast.table.name}/round/"
    assert "Undo the last entry" in words(tablet.get(url))
    form = {"round": str(round_), "request_id": str(uuid4())}
    for _ in range(2):
        assert tablet.post(url, {**form, "act": "undo"}).status_code == 302
    assert Round.objects.get().log["dealer_cards"] == []
    ends = {**form, "request_id": str(uuid4()), "act": "abort"}
    answer = tablet.post(url, {**ends, "reason": "bored"})
    assert answer.status_code == 422
    assert tablet.post(url, {**ends, "reason": "misdeal", "stakes": "returned"}).status_code == 302
    assert Round.objects.get().outcome == "aborted"
    late = tablet.post(url, {**ends, "request_id": str(uuid4()), "reason": "misdeal"})
    assert late.status_code == 409
    assert "No round is open" in words(tablet.get(url))
    assert tablet.post(url, {**form, "round": "x"}).status_code == 404
    assert tablet.post(url, {**form, "round": "999"}).status_code == 404
