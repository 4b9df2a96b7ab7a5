"""Load the demo property, once, and say who can sign in."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from inventory.demo import leave_some_under_way, stock_cards, stock_trays
from jackpots.demo import leave_hits, start_meters
from pitboss import demo
from pitboss.demo_floor import set_up_tables
from pitboss.services import house
from tables.demo import log_nods, open_tables


class Command(BaseCommand):
    help = "Load the demo property into an empty database. Refused in production."

    def handle(self, *args: Any, **options: Any) -> None:
        if not settings.IS_DEMO:
            raise CommandError("The demo property is for PITBOSS_ENV=demo alone.")
        if not demo.is_loaded():
            demo.make_property()
            set_up_tables()
            stock_trays()
            stock_cards()
            open_tables()
            start_meters()
            leave_some_under_way()
            leave_hits()
            log_nods()
        self.stdout.write(demo.greeting(house.now().date()))
