"""What happens at the demo's tables while it plays on: rounds, mispays, reliefs, a closing."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any
from uuid import uuid4

from inventory.selectors.cheques import tray_holding
from pitboss.demo import PIN, demo_crew, demo_device, demo_pen, demo_person
from pitboss.models import FloorException, Person, Slip, Table
from pitboss.rules.cheques import combined, format_money
from pitboss.rules.refusal import Refused
from pitboss.rules.roles import Place, Role
from pitboss.rules.table_setup import CardProfile
from pitboss.services.exceptions import resolve_exception
from pitboss.services.shown import request_shown
from pitboss.simulation import Say, Scene, Terminal, signed_to_the_end
from tables.demo_play import Shoe, claims_of, deal
from tables.models import Dealing
from tables.services.calls import SUPERVISOR_CALLED
from tables.services.trays import new_count, raise_count

# One payout in so many is about to be made wrong; the terminal says so in time.
_MISPAID_ONE_IN = 9
# One table in so many calls its supervisor after a hand.
_CALLS_ONE_IN = 40


def play_table(terminal: Terminal, say: Say, dice: random.Random) -> Scene:
    """Deal round after round at a table, with every payout checked before it is made."""
    told = terminal.get("table")
    table, shoe = terminal.table, Shoe(told["decks"], dice)
    stakes = {each["wager"]: each["minimum_cents"] for each in told["wagers"]}
    while Table.objects.get(pk=table.pk).is_open:
        for claim in claims_of(deal(shoe, dice.randint(1, 5)), stakes):
            owed = terminal.post("checks", {**claim, "paid_cents": 0}).get("payable_cents")
            if owed:
                _pay(terminal, claim, owed, say, dice)
        if dice.randrange(_CALLS_ONE_IN) == 0:
            terminal.post("calls", {"about": "Colour change"})
            say(f"{table}: calls its supervisor")
            yield dice.uniform(0.5, 3)
            _answer_call(table, say)
        yield dice.uniform(0.6, 1.6)


def _pay(
    terminal: Terminal, claim: Mapping[str, Any], owed: int, say: Say, dice: random.Random
) -> None:
    if dice.randrange(_MISPAID_ONE_IN) == 0:
        keyed = {**claim, "paid_cents": owed + claim["stake_cents"]}
        wrong = terminal.post("checks", keyed)
        say(f"{terminal.table}: {claim['wager']} {wrong['verdict']}, {wrong['working']}")
    terminal.post("checks", {**claim, "paid_cents": owed})


def _answer_call(table: Table, say: Say) -> None:
    call = FloorException.objects.filter(
        code=SUPERVISOR_CALLED, table=table, resolved_at=None
    ).first()
    if call is None:
        return
    supervisor = demo_person(Role.SUPERVISOR, demo_crew(table.pit))
    resolve_exception(
        exception_id=call.pk,
        resolution="Came and approved it.",
        badge=supervisor.badge,
        pin=PIN,
        request_id=uuid4(),
        device=demo_device(Place.PIT, table.pit),
    )
    say(f"{table}: {supervisor} came")


def relieve_dealers(terminals: list[Terminal], say: Say, dice: random.Random) -> Scene:
    """Let a dealer tap in at a table every few minutes, in place of whoever deals there."""
    while True:
        yield dice.uniform(4, 8)
        terminal = dice.choice(terminals)
        dealer = demo_person(Role.DEALER, dice.randrange(24))
        try:
            terminal.tap_in(dealer)
        except Refused as refused:
            say(f"{terminal.table}: {dealer} does not relieve: {refused}")
        else:
            say(f"{terminal.table}: {dealer} deals")


def count_tray(table: Table, say: Say, dice: random.Random) -> Scene:
    """Count the tray of an open table: dealer, then supervisor."""
    slip = _raise_count("count", table, _played(table, dice))
    say(f"{table}: {slip.serial} counts the tray, {format_money(slip.total_cents)}")
    yield dice.uniform(0.5, 2)
    yield from signed_to_the_end(slip, say, dice)


def close_table(table: Table, say: Say, dice: random.Random) -> Scene:
    """Close a table that deals no cards of its own: counted, verified, top-signed and locked."""
    assert table.cards == CardProfile.NONE, "a table with cards is closed with its cards accounted"
    slip = _raise_count("closer", table, _played(table, dice))
    say(f"{table}: {slip.serial} closes it on {format_money(slip.total_cents)}")
    yield dice.uniform(0.5, 2)
    yield from signed_to_the_end(slip, say, dice)


def _played(table: Table, dice: random.Random) -> dict[int, int]:
    """Return what a tray holds after some play: a few cheques went out."""
    held = tray_holding(table)
    gone = {cents: -dice.randint(0, 6) for cents, number in held.items() if number > 20}
    return combined(held, gone)


def _raise_count(kind: str, table: Table, counted: Mapping[int, int]) -> Slip:
    table = Table.objects.select_related("pit").get(pk=table.pk)
    return raise_count(
        kind,
        table=table,
        counted=counted,
        pen=demo_pen(_dealer_at(table), demo_device(Place.PIT, table.pit)),
        shown=request_shown(new_count(kind, table, counted), table),
    )


def _dealer_at(table: Table) -> Person:
    dealing = Dealing.objects.filter(table=table, ended_at=None).select_related("dealer").first()
    return dealing.dealer if dealing else demo_person(Role.DEALER)
