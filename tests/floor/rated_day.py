"""A day of rated players, with something for every report about them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from uuid import uuid4

from inventory.models import Patron
from pitboss.models import Slip
from pitboss.rules.roles import Place
from pitboss.services import house
from pitboss.services.exceptions import PLAY_TIME, open_exception
from pitboss.slips.kind import the_kind
from pitboss.slips.raising import raise_kind, shown_before
from tables.models import AdviceTaken, PlayRating
from tests.floor.cast import Cast, ServerClock
from tests.floor.comps import give, raise_about
from tests.floor.ratings import add_patron, know_edge, left, look, seat, tell_round
from tests.floor.terminals import make_terminal

REBATE: dict[str, Any] = {
    "rate": 10,
    "least_loss_cents": 100,
    "most_cents": 500_000,
    "least_decisions": 1,
    "bet_cents": 10_000,
    "rounds": 100,
}


def rate_players(cast: Cast, clock: ServerClock) -> Patron:
    """Rate two patrons at the table of the cast, which is open: one of them on a rebate."""
    know_edge(cast.table)
    ana, ben = add_patron(cast, "Ruiz", "70014412"), add_patron(cast, "Ortiz", "70015500")
    agreed = raise_about(cast, "rebate", ben, by=cast.hanna, **REBATE)
    cast.sign(agreed, "agreed", cast.trent, Place.CAGE)
    stays = seat(cast, ana, 1), seat(cast, ben, 2)
    for _ in range(3):
        for stay in stays:
            look(cast, stay, 5_000, {"trilux": 500})
        clock.move(minutes=15)
    for stay in stays:
        left(cast, stay, walked_cents=0)
    _correct(cast, stays[0])
    give(cast, ana, 100)
    points = raise_about(
        cast, "points_by_hand", ana, by=cast.hanna, change="add", points=50, why="promotion"
    )
    cast.sign(points, "approved", cast.petra, Place.OFFICE)
    _settle(cast, agreed)
    _more(cast, ana)
    return ana


def _correct(cast: Cast, rating: PlayRating) -> None:
    raising = the_kind("rating_correction").at(rating=rating, average_cents=4_000, minutes=45)
    slip = raise_kind(
        raising, pen=cast.pen(cast.bob), shown=shown_before(raising), reason="Another seat."
    )
    cast.sign(slip, "approved", cast.carol)


def _settle(cast: Cast, agreed: Slip) -> None:
    raising = replace(the_kind("rebate_settlement").at(original=agreed), badge=cast.ruth.badge)
    slip = raise_kind(raising, pen=cast.pen(cast.ruth, Place.OFFICE), shown=shown_before(raising))
    cast.sign(slip, "approved", cast.trent, Place.CAGE)


def _more(cast: Cast, patron: Patron) -> None:
    """Leave a round with a side bet, an answer to advice, and an alert of long play."""
    device = make_terminal(cast.table, "Terminal of rounds")
    tell_round(device, cast.table, house.now(), {1: {"blackjack": 5_000, "trilux": 500}})
    AdviceTaken.objects.create(
        table=cast.table,
        what="minimum",
        sentence="Raise BJ-11 to $25.",
        working=[["Bets", "3"]],
        answer="done",
        by=cast.carol,
        device=cast.devices[Place.PIT],
        request_id=uuid4(),
        gaming_day=house.period_at(house.now()).gaming_day,
        at=house.now(),
    )
    open_exception(
        code=PLAY_TIME,
        sentence=f"{patron} has played 6 h without a break. Speak to them, and enter who did.",
        details={"patron": patron.pk, "alert": "play_continuous", "since": 0},
        at=house.now(),
        person=None,
    )
