"""Trays that hold cheques out of play: each is on someone's list until they are at the cage."""

from __future__ import annotations

from datetime import datetime

from django.db.models import Q

from inventory.selectors.cheques import tray_holdings
from pitboss.models import FloorException, Table
from pitboss.rules.cheques.cheques import format_cheques
from pitboss.rules.cheques.keys import SETS, set_of
from pitboss.rules.cheques.sets import set_key
from pitboss.rules.day.gaming_day import day_start
from pitboss.services import house, journal
from pitboss.services.exceptions import CHEQUES_OUT_OF_PLAY, open_exception


def find_withdrawn_sets(*, now: datetime) -> None:
    """Open an exception for each tray with cheques of a set that was withdrawn."""
    here = house.the_property()
    cheques = here.settings_at(now).cheques
    gone = {set_of(key) for key in cheques.begun} - set(cheques.sets)
    if not gone:
        return
    since = {
        number: max(
            setting_value.holds_from
            for setting_value in here.setting_values
            if setting_value.key == set_key(number) and setting_value.holds_from <= now
        )
        for number in gone
    }
    today = day_start(here.clock, here.period_at(now).gaming_day)
    tables = list(Table.objects.order_by("name"))
    held = tray_holdings(tables)
    for table in tables:
        for number, withdrawn_at in sorted(since.items()):
            own = {key: n for key, n in held[table.pk].items() if set_of(key) == number and n > 0}
            # One that was answered comes again on the next gaming day, while the tray has any.
            details = {"set": number, "since": journal.plain_time(withdrawn_at)}
            floor_exceptions = FloorException.objects.filter(
                Q(resolved_at=None) | Q(resolved_at__gte=today),
                code=CHEQUES_OUT_OF_PLAY,
                table=table,
                details=details,
            )
            if own and not floor_exceptions.exists():
                open_exception(
                    code=CHEQUES_OUT_OF_PLAY,
                    sentence=f"{table} has {format_cheques(own)}: {SETS[number].name} is out of "
                    "play. Send them to the cage on a credit.",
                    details=details,
                    at=now,
                    person=None,
                    table=table,
                )
