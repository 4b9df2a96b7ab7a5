"""Errands between cage and tables while the demo plays on: fills, credits, markers."""

from __future__ import annotations

import random
from collections.abc import Mapping

from inventory.demo_patrons import patron_signs
from inventory.kinds.credit import CREDIT
from inventory.kinds.fill import FILL
from inventory.kinds.marker import MARKER, cut_of
from inventory.models import Patron
from inventory.selectors.cheques import tray_holding
from pitboss.demo import demo_crew, demo_device, demo_pen, demo_person
from pitboss.models import Slip, Table
from pitboss.rules.cheques.cheques import STACK_CHEQUES, format_money
from pitboss.rules.roles import Place, Role
from pitboss.services.signing import Entry, Pen
from pitboss.simulation import Say, Scene, nothing_more, signed_to_the_end
from pitboss.slips.plan import PlannedStep
from pitboss.slips.raising import raise_kind, shown_before


def bring_fill(table: Table, say: Say, dice: random.Random) -> Scene:
    """Ask for what a tray lacks most, and let it come."""
    table.refresh_from_db()
    cheques = _whole_stacks(_missing(table))
    if not cheques:
        return
    raising = FILL.at(table, cheques)
    fill = raise_kind(raising, pen=_supervisor(table), shown=shown_before(raising))
    say(f"{table}: asks for a fill of {format_money(fill.total_cents)}, {fill.serial}")
    yield dice.uniform(0.5, 2)
    yield from signed_to_the_end(fill, say, dice)


def send_credit(table: Table, say: Say, dice: random.Random) -> Scene:
    """Send a stack of what a tray holds most to the cage."""
    table.refresh_from_db()
    held = tray_holding(table)
    cents = max(held, key=lambda item: held[item], default=0)
    if held.get(cents, 0) < 2 * STACK_CHEQUES:
        return
    raising = CREDIT.at(table, {cents: STACK_CHEQUES})
    credit = raise_kind(raising, pen=_supervisor(table), shown=shown_before(raising))
    say(f"{table}: sends {format_money(credit.total_cents)} to the cage, {credit.serial}")
    yield dice.uniform(0.5, 2)
    yield from signed_to_the_end(credit, say, dice)


def lend(table: Table, say: Say, dice: random.Random) -> Scene:
    """Lend a patron with a line some hundred dollars on a marker."""
    table.refresh_from_db()
    patron = Patron.objects.exclude(player_card="").order_by("pk")[1]
    raising = MARKER.at(table, cut_of(table, 10_000 * dice.randint(3, 8)), patron=patron)
    marker = raise_kind(raising, pen=_supervisor(table), shown=shown_before(raising))
    say(f"{table}: lends {patron} {format_money(marker.total_cents)}, {marker.serial}")
    yield dice.uniform(0.5, 2)
    yield from signed_to_the_end(marker, say, dice, _entry)


def _entry(slip: Slip, due: PlannedStep) -> Entry:
    return patron_signs(slip) if due.drawn else nothing_more(slip, due)


def _missing(table: Table) -> dict[int, int]:
    held = tray_holding(table)
    return {
        cents: par - held.get(cents, 0)
        for cents, par in table.par_cheques.items()
        if par - held.get(cents, 0) >= STACK_CHEQUES
    }


def _whole_stacks(missing: Mapping[int, int]) -> dict[int, int]:
    """Return the two colors that lack most, in whole stacks, as a cage sends them."""
    most = sorted(missing, key=lambda cents: missing[cents], reverse=True)[:2]
    return {cents: missing[cents] // STACK_CHEQUES * STACK_CHEQUES for cents in most}


def _supervisor(table: Table) -> Pen:
    person = demo_person(Role.SUPERVISOR, demo_crew(table.pit))
    return demo_pen(person, demo_device(Place.PIT, table.pit))
