"""The string: who relieves whom at which table, and when."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from pitboss.rules.floor.relief import AtTable, Relief, Resting, string_of

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)
ANN, BEN, CAL, DEE, EVA = range(1, 6)


def at(minutes: int) -> datetime:
    return NOON + timedelta(minutes=minutes)


def string(
    tables: list[AtTable], resting: list[Resting], sent: dict[str, int] | None = None
) -> list[Relief]:
    return string_of(
        tables,
        resting,
        sent or {},
        relief_after=timedelta(minutes=60),
        break_for=timedelta(minutes=20),
        now=at(50),
    )


def told(reliefs: list[Relief]) -> list[tuple[str, int | None, datetime | None]]:
    return [(relief.table, relief.by, relief.at) for relief in reliefs]


THREE = [
    AtTable("BJ-11", ANN, at(0)),
    AtTable("BJ-12", BEN, at(20)),
    AtTable("BJ-13", CAL, at(40)),
]


def test_one_relief_dealer_keeps_a_string_of_three_going() -> None:
    assert told(string(THREE, [Resting(DEE, at(40))])) == [
        ("BJ-11", DEE, at(60)),
        ("BJ-12", ANN, at(80)),
        ("BJ-13", BEN, at(100)),
    ]


def test_whoever_is_free_late_relieves_late() -> None:
    first = string(THREE, [Resting(DEE, at(75))])[0]
    assert (first.table, first.due_at, first.at) == ("BJ-11", at(60), at(75))


def test_a_table_without_a_dealer_comes_first() -> None:
    reliefs = string([*THREE, AtTable("BJ-14")], [Resting(DEE, at(40)), Resting(EVA, at(45))])
    assert told(reliefs)[:2] == [("BJ-14", DEE, at(50)), ("BJ-11", EVA, at(60))]
    assert reliefs[0].relieved is None


def test_a_table_without_a_dealer_comes_before_a_long_overdue_one_and_none_in_the_past() -> None:
    overdue = AtTable("BJ-11", ANN, at(-60))
    reliefs = string([overdue, AtTable("BJ-14")], [Resting(DEE, at(0)), Resting(EVA, at(5))])
    assert told(reliefs) == [("BJ-14", DEE, at(50)), ("BJ-11", EVA, at(50))]


def test_whoever_is_sent_goes_there_and_nowhere_else() -> None:
    reliefs = string(THREE, [Resting(DEE, at(40)), Resting(EVA, at(90))], {"BJ-11": EVA})
    assert told(reliefs) == [
        ("BJ-12", DEE, at(80)),
        ("BJ-11", EVA, at(90)),
        ("BJ-13", BEN, at(100)),
    ]
    assert [relief.is_sent for relief in reliefs] == [False, True, False]


def test_whoever_was_sent_and_deals_by_now_relieves_nobody() -> None:
    assert told(string(THREE[:1], [Resting(DEE, at(40))], {"BJ-11": BEN})) == [
        ("BJ-11", DEE, at(60))
    ]


def test_whoever_is_relieved_comes_to_the_table_that_nobody_was_free_for() -> None:
    reliefs = string([*THREE[:1], AtTable("BJ-14")], [Resting(DEE, at(40))], {"BJ-11": DEE})
    assert told(reliefs) == [("BJ-11", DEE, at(60)), ("BJ-14", ANN, at(80))]
    assert [relief.is_sent for relief in reliefs] == [True, False]


def test_with_nobody_free_nobody_comes() -> None:
    assert told(string(THREE, [])) == [
        ("BJ-11", None, None),
        ("BJ-12", None, None),
        ("BJ-13", None, None),
    ]
