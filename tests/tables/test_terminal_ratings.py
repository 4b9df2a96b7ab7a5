"""A table's terminal rates by card, sees its own table alone, and hears nothing of a patron."""

from __future__ import annotations

import json
from typing import Any
from uuid import uuid4

import pytest

from inventory.models import Patron
from pitboss.models import FloorException, JournalEntry
from pitboss.rules.patrons.patrons import Standing
from tables.models import Look, PlayRating, SeatHeld
from tests.floor.cast import Cast, ServerClock
from tests.floor.markers import stop
from tests.floor.ratings import add_patron, know_edge, open_tables, seat
from tests.floor.terminals import TerminalClient, make_terminal

pytestmark = pytest.mark.django_db
CARD = "70014412"


@pytest.fixture
def floor(cast: Cast, server_clock: ServerClock) -> Cast:
    open_tables(cast.table, cast.other_table)
    know_edge(cast.table)
    return cast


@pytest.fixture
def ana(floor: Cast) -> Patron:
    return add_patron(floor, card=CARD)


@pytest.fixture
def terminal(floor: Cast) -> TerminalClient:
    return TerminalClient(make_terminal(floor.table))


def post(terminal: TerminalClient, path: str, body: Any = None, key: str = "") -> Any:
    return terminal.post(path, body or {}, key=key or str(uuid4()))


def test_a_card_seats_a_player_and_their_evening_is_kept_once(
    floor: Cast, ana: Patron, terminal: TerminalClient, server_clock: ServerClock
) -> None:
    key = str(uuid4())
    first = post(terminal, "ratings", {"seat": 2, "card": CARD}, key)
    again = post(terminal, "ratings", {"seat": 2, "card": CARD}, key)
    assert (first.status_code, first.json()) == (again.status_code, again.json())
    assert first.json() | {"rating": 0} == {
        "rating": 0,
        "name": "A. Ruiz",
        "seats": [2],
        "state": "look_wanted",
    }
    rating = PlayRating.objects.get()
    assert (rating.began_by, rating.by_card, rating.device) == (None, True, terminal.device)
    at = f"ratings/{rating.pk}"
    assert post(terminal, f"{at}/looks", {"bet_cents": 5_000}).status_code == 201
    assert Look.objects.get().by is None
    assert post(terminal, f"{at}/away").json()["state"] == "away"
    assert post(terminal, f"{at}/looks", {"bet_cents": 5_000}).status_code == 409
    assert post(terminal, f"{at}/back").json()["state"] in ("rated", "look_wanted")
    assert post(terminal, f"{at}/seats", {"seat": 3}).json()["seats"] == [2, 3]
    assert [item["rating"] for item in terminal.get("ratings").json()] == [rating.pk]
    server_clock.move(minutes=10)
    ended = post(terminal, f"{at}/end", {"walked_cents": 10_000})
    assert ended.json()["state"] == "ended"
    rating.refresh_from_db()
    assert (rating.end, rating.ended_by) == ("left", None)
    assert terminal.get("ratings").json() == []


def test_a72_a_barred_card_is_a_call_and_security_is_notified(
    floor: Cast, ana: Patron, terminal: TerminalClient
) -> None:
    stop(floor, ana, Standing.SELF_EXCLUDED)
    answer = post(terminal, "ratings", {"seat": 2, "card": CARD})
    assert (answer.status_code, codes(answer)) == (409, ["call_supervisor"])
    assert "excluded" not in json.dumps(answer.json())
    opened = FloorException.objects.values_list("code", flat=True)
    assert {"excluded_at_table", "excluded_watched"} <= set(opened)
    assert not SeatHeld.objects.exists()


def codes(answer: Any) -> list[str]:
    problem = answer.json()
    return [item["code"] for item in problem.get("refusals", [])] or [problem["code"]]


def test_why_a_card_is_refused_is_never_told(
    floor: Cast, ana: Patron, terminal: TerminalClient
) -> None:
    unknown = post(terminal, "ratings", {"seat": 2, "card": "70099999"})
    seat(floor, ana, table=floor.other_table)
    elsewhere = post(terminal, "ratings", {"seat": 2, "card": CARD})
    assert codes(unknown) == codes(elsewhere) == ["call_supervisor"]
    assert JournalEntry.objects.filter(kind="rating_refused").exists()


def test_a_large_stay_is_ended_by_the_supervisor(
    floor: Cast, ana: Patron, terminal: TerminalClient, server_clock: ServerClock
) -> None:
    rating = post(terminal, "ratings", {"seat": 2, "card": CARD}).json()["rating"]
    post(terminal, f"ratings/{rating}/looks", {"bet_cents": 30_000})
    server_clock.move(minutes=20)
    assert codes(post(terminal, f"ratings/{rating}/end")) == ["call_supervisor"]


def test_a_terminal_sees_its_own_table_alone(
    floor: Cast, ana: Patron, terminal: TerminalClient
) -> None:
    other = seat(floor, ana, table=floor.other_table)
    assert post(terminal, f"ratings/{other.pk}/away").status_code == 404
    assert terminal.get("ratings").json() == []


@pytest.mark.parametrize(
    ("path", "said", "status"),
    [
        ("ratings", {"seat": 2}, 422),
        ("ratings", {"seat": 2, "card": CARD, "taken": True}, 422),
        ("ratings", {"seat": 8, "taken": True}, 422),
        ("ratings", {"card": CARD}, 422),
        ("seats", {"taken": [8]}, 422),
        ("seats", {}, 422),
    ],
)
def test_what_cannot_be_is_refused(
    ana: Patron, terminal: TerminalClient, path: str, said: dict[str, Any], status: int
) -> None:
    assert post(terminal, path, said).status_code == status


def test_a_headcount_takes_and_frees_seats_and_leaves_rated_ones(
    floor: Cast, ana: Patron, terminal: TerminalClient
) -> None:
    seat(floor, ana, 4)
    assert post(terminal, "ratings", {"seat": 1, "taken": True}).json()["state"] == "taken"
    assert post(terminal, "seats", {"taken": [3, 5]}).json() == {"taken": [3, 4, 5]}
    assert post(terminal, "seats", {"taken": []}).json() == {"taken": [4]}


def test_no_answer_holds_theo_standing_or_points(
    floor: Cast, ana: Patron, terminal: TerminalClient
) -> None:
    answers = [
        post(terminal, "ratings", {"seat": 2, "card": CARD}),
        terminal.get("ratings"),
    ]
    for answer in answers:
        text = json.dumps(answer.json())
        assert not [word for word in ("theo", "standing", "points", "comp") if word in text]
