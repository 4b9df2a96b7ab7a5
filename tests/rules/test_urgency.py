"""What waits comes in one order, and counts for somebody only where they can do it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from pitboss.rules.floor.ranking import urgency_of
from pitboss.rules.floor.urgency import Asks, Here, Urgency, can_do, in_order
from pitboss.rules.payouts.big_wins import BIG_WIN
from pitboss.rules.roles import Place, Role

NOW = datetime(2026, 5, 1, 21, tzinfo=UTC)


@pytest.mark.parametrize(
    ("asked", "rank"),
    [
        ({"code": "supervisor_called"}, Urgency.CALL),
        ({"code": "payout_differs"}, Urgency.PAYOUT),
        ({"kind": BIG_WIN, "step": "verified"}, Urgency.PAYOUT),
        ({"kind": "jackpot", "step": "verified"}, Urgency.JACKPOT),
        ({"code": "floor_request"}, Urgency.APPROVAL),
        ({"code": "a code of next year"}, Urgency.TROUBLE),
        ({"kind": "opener", "step": "accepted"}, Urgency.TROUBLE),
        ({"kind": "fill", "step": "received"}, Urgency.SLIP),
        ({"kind": "setting_change", "step": "approved"}, Urgency.FORM),
        ({"code": "tax_papers"}, Urgency.FORM),
    ],
)
def test_each_thing_that_waits_has_its_rank(asked: dict[str, str], rank: Urgency) -> None:
    assert urgency_of(**asked) is rank


def test_the_ranks_are_those_of_the_floor_and_the_newest_is_first_in_each() -> None:
    assert [rank.name for rank in Urgency if rank not in (4, 6, 8)] == [
        "CALL",
        "PAYOUT",
        "JACKPOT",
        "APPROVAL",
        "SLIP",
        "FORM",
    ]
    older, newer = NOW - timedelta(hours=1), NOW
    things = [(Urgency.SLIP, newer), (Urgency.CALL, older), (Urgency.CALL, newer)]
    assert sorted(things, key=lambda thing: in_order(*thing)) == [
        (Urgency.CALL, newer),
        (Urgency.CALL, older),
        (Urgency.SLIP, newer),
    ]


FILL = Asks([Role.SUPERVISOR], Place.PIT, pit_id=1)


@pytest.mark.parametrize(
    ("asks", "here", "can"),
    [
        (FILL, Here(Role.SUPERVISOR, Place.PIT, 1), True),
        (FILL, Here(Role.SHIFT_MANAGER, Place.PIT, 1), True),
        (FILL, Here(Role.SUPERVISOR, Place.PIT, 2), False),
        (FILL, Here(Role.SUPERVISOR, Place.OFFICE), False),
        (FILL, Here(Role.SUPERVISOR, None), False),
        (FILL, Here(Role.CASHIER, Place.PIT, 1), False),
        # A release is signed anywhere, but on a pit's tablet only of that pit.
        (Asks([Role.SHIFT_MANAGER], pit_id=1), Here(Role.SHIFT_MANAGER, Place.OFFICE), True),
        (Asks([Role.SHIFT_MANAGER], pit_id=1), Here(Role.SHIFT_MANAGER, Place.PIT, 2), False),
        (Asks([Role.SHIFT_MANAGER]), Here(Role.SHIFT_MANAGER, Place.PIT, 2), True),
        # A call is answered in its pit; an explanation is given anywhere.
        (
            Asks([Role.SUPERVISOR], pit_id=1, code="supervisor_called"),
            Here(Role.SUPERVISOR, Place.PIT, 2),
            False,
        ),
        (
            Asks([Role.PIT_MANAGER], pit_id=1, code="count_differs"),
            Here(Role.PIT_MANAGER, Place.PIT, 2),
            True,
        ),
    ],
)
def test_what_somebody_can_do_depends_on_role_place_and_pit(
    asks: Asks, here: Here, can: bool
) -> None:
    assert can_do(asks, here) is can
