"""Load the demo property, once, and say who can sign in."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, time, timedelta
from functools import partial
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import connections

import inventory.demo as cheques
import jackpots.demo as jackpots
import tables.demo as floor
from pitboss import demo
from pitboss.demo_clock import DemoClock, hurry, in_the_past, side_by_side
from pitboss.demo_floor import say_what_labor_costs, set_up_tables
from pitboss.embedded.preparing import PROGRESS
from pitboss.models import Pit
from pitboss.services import house

# The exit code that tells the launcher of a demo whose loading was cut short.
HALF_LOADED = 3
# Of the last night, these boxes wait: one for the count team, one for accounting.
_UNCOUNTED, _UNPOSTED = "BJ-37", "BJ-17"


class Command(BaseCommand):
    help = "Load the demo property into an empty database. Refused in production."

    def handle(self, *args: Any, **options: Any) -> None:
        if not settings.IS_DEMO:
            raise CommandError("The demo property is for PITBOSS_ENV=demo alone.")
        found = demo.loaded()
        if found is demo.Loaded.HALF:
            raise CommandError(
                "Loading the demo into this database was cut short. Load it into an empty one.",
                returncode=HALF_LOADED,
            )
        if found is demo.Loaded.NOTHING:
            hurry()
            with in_the_past() as clock:
                # The house is older than anything in it: no chain goes back in time.
                clock.put(clock.began - timedelta(days=demo.DAYS + 1), pace=timedelta())
                demo.make_property()
                _Evening(clock, self._tell).load()
            connections.close_all()
        self.stdout.write(demo.greeting(house.now().date()))
        if settings.IS_SANDBOX:
            self.stdout.write(demo.SANDBOX_WORDS)

    def _tell(self, what: str) -> None:
        """Say how far it is, for the launcher to pass on."""
        self.stdout.write(f"{PROGRESS}{what}")
        self.stdout.flush()


class _Evening:
    """The days before this evening and the evening itself, signed one after the other."""

    def __init__(self, clock: DemoClock, tell: Callable[[str], None]) -> None:
        self._clock = clock
        self._tell = tell
        self._zone = house.the_property().zone
        self._today = clock.began.astimezone(self._zone).date()

    def load(self) -> None:
        steps = demo.DAYS + 2
        self._tell(f"Setting up the demo's tables, cheques, and cards (1 of {steps}) ...")
        self._open_the_house()
        for night in range(demo.DAYS):
            self._tell(f"Dealing night {night + 1} ({night + 2} of {steps}) ...")
            self._live_a_day(night)
        self._tell(f"Opening the evening's tables ({steps} of {steps}) ...")
        self._fill_the_evening()

    def _open_the_house(self) -> None:
        """Set the tables up, receive cheques and cards, start the meters, and open."""
        self._turn(demo.DAYS, time(8))
        side_by_side(set_up_tables, cheques.file_patrons)
        say_what_labor_costs()
        floor.write_history(self._today - timedelta(days=demo.DAYS))
        side_by_side(_store_cards, _stock_the_house)
        self._turn(demo.DAYS, time(11))
        self._in_both_pits(_stock)
        self._turn(demo.DAYS, time(13), seconds=30)
        cheques.lend_on_the_first_day()

    def _live_a_day(self, night: int) -> None:
        """Deal till the day turns, then count trays and boxes, and close the day."""
        day = demo.DAYS - night
        self._turn(day - 1, time(4, 45), seconds=20)
        self._in_both_pits(partial(_night, night))
        self._turn(day - 1, time(8, 30), seconds=40)
        if day > 1:
            floor.count_boxes()
            self._turn(day - 1, time(9, 30))
            floor.close_the_day()
        else:
            floor.count_boxes(leave=[_UNCOUNTED], not_posted=[_UNPOSTED])
            cheques.count_cage()
            cheques.bring_checks_to_the_bank()
            demo.verify_record()

    def _fill_the_evening(self) -> None:
        """Open the other tables, and leave some work for everyone."""
        self._turn(0, time(15), seconds=25)
        self._in_both_pits(_open_for_the_evening)
        self._turn(0, time(17), seconds=90)
        cheques.get_checks_back()
        cheques.lend_to_patrons()
        cheques.log_cash_of_the_day()
        cheques.import_the_lists()
        self._clock.put(self._clock.began - timedelta(minutes=75), pace=timedelta(seconds=45))
        self._in_both_pits(_evening)
        self._clock.put(self._clock.began - timedelta(minutes=38), pace=timedelta(seconds=40))
        self._in_both_pits(_relief)
        # What waits has waited for a minute or two, not since loading began.
        self._clock.catch_up(timedelta(seconds=100), pace=timedelta(seconds=2))
        self._in_both_pits(_last_minutes)
        floor.leave_comps()
        jackpots.leave_hits()
        floor.hand_the_day_over()

    def _in_both_pits(self, part: Any) -> None:
        side_by_side(*(partial(part, pit) for pit in Pit.objects.all()))
        hurry()

    def _turn(self, days_ago: int, at: time, *, seconds: int = 12) -> None:
        """Put the clock to a time of the house, so many days ago."""
        day = self._today - timedelta(days=days_ago)
        self._clock.put(datetime.combine(day, at, self._zone), pace=timedelta(seconds=seconds))


def _store_cards() -> None:
    cheques.receive_cards()
    cheques.issue_cards()


def _stock_the_house() -> None:
    cheques.stock_cage()
    jackpots.start_meters()


def _stock(pit: Pit) -> None:
    cheques.stock_trays(pit)
    cheques.bring_cards(floor.early_tables(pit))
    floor.put_terminals(pit)
    floor.open_early_tables(pit)


def _open_for_the_evening(pit: Pit) -> None:
    # Cards that lay on a table since the first day would all be due to be changed.
    cheques.bring_cards(floor.evening_tables(pit))
    floor.open_tables(pit)


def _night(night: int, pit: Pit) -> None:
    floor.check_payouts(floor.early_tables(pit), hands=6)
    floor.end_the_night(pit, night)


def _evening(pit: Pit) -> None:
    floor.seat_players(pit)
    floor.seat_regulars(pit)
    cheques.bring_fills(pit)
    floor.check_payouts(floor.open_now(pit), hands=4)
    floor.count_the_evening(pit)
    floor.log_nods(pit)


def _relief(pit: Pit) -> None:
    floor.relieve_dealers(pit)
    floor.look_at_everyone(pit)


def _last_minutes(pit: Pit) -> None:
    # A bet that no one saw for half an hour would end a rating as soon as the site starts.
    floor.look_at_everyone(pit)
    cheques.leave_some_under_way(pit)
    cheques.leave_markers(pit)
    floor.call_supervisors(pit)
