"""Players of the demo: rated at two tables of each pit, with a host, and comps that wait."""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from uuid import uuid4

from inventory.demo_patrons import club_cards
from inventory.models import Patron
from pitboss.demo import demo_device, demo_pen, demo_person
from pitboss.demo_clock import let_time_pass
from pitboss.models import Pit, Table
from pitboss.rules.roles import Place, Role
from pitboss.services import house
from pitboss.slips.kind import the_kind
from pitboss.slips.raising import raise_kind, shown_before
from tables.models import PlayRating, SeatHeld
from tables.services.floor_log import Tap
from tables.services.looks import see
from tables.services.rating_facts import SEATS, most_on
from tables.services.ratings import Who, sit_down, take_seat

# Table, seat, who it is (a player card, or words for someone unknown), and what they bet.
_PLAYERS = (
    ("BJ-11", 2, "70014412", 5_000),
    ("BJ-11", 3, "Man, fifties, gray suit", 2_500),
    ("BJ-11", 5, "Woman, thirties, red jacket", 10_000),
    ("BJ-13", 1, "70018830", 20_000),
    ("BJ-13", 4, "Man, twenties, black cap", 2_500),
    ("BJ-31", 6, "70020177", 5_000),
    ("BJ-31", 2, "Man, sixties, cane", 7_500),
    ("BJ-33", 3, "70021956", 2_500),
)
# Seats that someone sits at who is not rated.
_TAKEN = (("BJ-13", 6), ("BJ-33", 5))
# So many more of each pit, and what they bet.
_REGULARS = 16
_BETS = (2_500, 5_000, 2_500, 7_500, 10_000)
_HOSTED = ("70014412", "70018830")
# Given by the host, and waiting for the host manager: the play behind them has no theo yet.
_COMPS = (("70014412", "meal", 6_000), ("70018830", "room", 18_000))


def _tap(pit: Pit, *, waits: bool = True) -> Tap:
    if waits:
        let_time_pass()
    return Tap(demo_person(Role.SUPERVISOR), demo_device(Place.PIT, pit), uuid4())


def seat_players(pit: Pit) -> None:
    """Seat the players of a pit, and look at their first bets."""
    tables = {table.name: table for table in Table.objects.filter(pit=pit, is_open=True)}
    for name, seat, who, cents in _PLAYERS:
        if name not in tables:
            continue
        patron = Patron.objects.filter(player_card=who).first()
        sits = Who(patron_id=patron.pk, by_card=True) if patron else Who(description=who)
        held = sit_down(table_id=tables[name].pk, seat=seat, who=sits, hand=_tap(pit))
        assert held.rating is not None, "a player who is rated has a rating"
        see(rating_id=held.rating.pk, bet_cents=cents, hand=_tap(pit))
    for name, seat in _TAKEN:
        if name in tables:
            take_seat(table_id=tables[name].pk, seat=seat, hand=_tap(pit))


def seat_regulars(pit: Pit) -> None:
    """Seat patrons of the loyalty club and some who gave no name, two at a table."""
    tables = list(Table.objects.filter(pit=pit, is_open=True).order_by("name"))
    pits = list(Pit.objects.order_by("pk").values_list("pk", flat=True))
    cards = club_cards()[pits.index(pit.pk) :: len(pits)]
    guests = [Who(patron_id=found.pk, by_card=True) for found in _patrons(cards)]
    guests += [Who(declined=True)] * (_REGULARS - len(guests))
    for number, who in enumerate(guests):
        table = tables[number % len(tables)]
        held = SeatHeld.objects.filter(table=table, until=None).values_list("seat", flat=True)
        seat = max(set(range(1, SEATS + 1)) - set(held))
        # Many sit down in one minute of a busy evening.
        sit_down(table_id=table.pk, seat=seat, who=who, hand=_tap(pit, waits=number % 4 == 0))


def _patrons(cards: list[str]) -> list[Patron]:
    return list(Patron.objects.filter(player_card__in=cards).order_by("player_card"))


def look_at_everyone(pit: Pit) -> None:
    """Look at the bets of everyone who was not looked at yet, and again at the others."""
    stays = PlayRating.objects.filter(table__pit=pit, ended_at=None).select_related("table")
    for number, rating in enumerate(stays.order_by("id")):
        last = rating.looks.order_by("-at").first()
        seats = list(rating.seats.filter(until=None).values_list("seat", flat=True))
        most = most_on(rating.table, seats, house.now())
        bet = last.bet_cents if last else min(most, _BETS[number % len(_BETS)])
        see(rating_id=rating.pk, bet_cents=bet, hand=_tap(pit, waits=number % 4 == 0))


def leave_comps() -> None:
    """Give two patrons a host, who gives each a comp that waits for authority."""
    office = demo_device(Place.OFFICE)
    manager, host = demo_person(Role.HOST_MANAGER), demo_person(Role.HOST)
    for card in _HOSTED:
        patron = Patron.objects.get(player_card=card)
        assigned = the_kind("patron_host").at(patron=patron, badge=host.badge)
        raise_kind(assigned, pen=demo_pen(manager, office), shown=shown_before(assigned))
    for card, what, cents in _COMPS:
        given: dict[str, Any] = {
            "comp": what,
            "value_cents": cents,
            "valued_by": "retail",
        }
        patron = Patron.objects.get(player_card=card)
        comp = replace(the_kind("comp").at(patron=patron, over=True, **given), badge=host.badge)
        raise_kind(comp, pen=demo_pen(host, office), shown=shown_before(comp))
