"""A small sandbox in tests: the demo's people, one pit, one table that they opened."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta

from django.test import override_settings

from pitboss.demo import demo_dealer, demo_device, demo_pen, demo_person, make_property
from pitboss.demo_clock import in_the_past
from pitboss.models import Pit, Table
from pitboss.rules.roles import Place, Role
from pitboss.services.floor import add_table
from pitboss.services.shown import slip_shown
from pitboss.services.signing import Entry, sign
from pitboss.slips.kind import the_kind
from pitboss.slips.raising import raise_kind, shown_before


@contextmanager
def sandbox_settings() -> Iterator[None]:
    """Let the site be what `make sandbox` starts."""
    with override_settings(ROOT_URLCONF="tests.sandbox_addresses", IS_DEMO=True, IS_SANDBOX=True):
        yield


def make_sandbox(
    game: str = "classic", *, minimum_cents: int = 2_500, maximum_cents: int = 100_000
) -> Table:
    """Make the demo's property with one table, open on an empty tray for an hour."""
    with in_the_past() as clock:
        clock.put(clock.began - timedelta(hours=1), pace=timedelta(seconds=1))
        return _opened_table(game, minimum_cents, maximum_cents)


def _opened_table(game: str, minimum_cents: int, maximum_cents: int) -> Table:
    make_property()
    pit = Pit.objects.create(name="Pit 1")
    table = add_table(
        name="BJ-15",
        pit=pit,
        game=game,
        minimum_cents=minimum_cents,
        maximum_cents=maximum_cents,
        par={},
    )
    tablet, opener = demo_device(Place.PIT, pit), the_kind("opener").at(table)
    dealer = demo_pen(demo_dealer(table), tablet)
    slip = raise_kind(opener, pen=dealer, shown=shown_before(opener))
    sign(
        slip_id=slip.pk,
        step="verified",
        pen=demo_pen(demo_person(Role.SUPERVISOR), tablet),
        shown=slip_shown(slip),
        entry=Entry(counted={}),
    )
    table.refresh_from_db()
    return table
