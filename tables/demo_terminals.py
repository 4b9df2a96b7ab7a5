"""The demo's terminals, and what its dealers had them check."""

from __future__ import annotations

import json
import random
import secrets
from collections.abc import Iterable, Mapping
from typing import Any
from uuid import uuid4

from pitboss.demo import demo_crew, demo_device, demo_pen, demo_person, token_end, vouched
from pitboss.models import Device, Pit, Table
from pitboss.rules.canonical import canonical, digest
from pitboss.rules.games.printed import GAMES
from pitboss.rules.games.table_setup import stored_setup
from pitboss.rules.payouts.mismatches import Way
from pitboss.rules.roles import Place, Role
from pitboss.services import house
from pitboss.services.devices import tell_rounds
from pitboss.services.once import RequestKey
from tables.demo_play import DemoShoe, claims_of, deal
from tables.models import Mismatch, MismatchSettlement, PayoutCheck
from tables.services.calls import call_supervisor
from tables.services.checks import check, what_if
from tables.services.floor_log import ask
from tables.services.mismatches import confirm_paid, settle_mismatch
from tables.services.terminals import Terminal, terminal_by_token

# One payout in so many is keyed wrong.
_SLIP_OF_THE_HAND = 14
# One of so many of those is paid so all the same, and put right by the supervisor.
_PAID_SO = 4


def put_terminals(pit: Pit) -> None:
    """Put a terminal at every table of a pit."""
    for table in Table.objects.filter(pit=pit):
        with vouched(table):
            terminal = Device.objects.create(
                name=f"Terminal {table.name}",
                place="pit",
                table=table,
                token_hash=digest(str(uuid4())),
                token_ends_at=token_end(),
                enrolled_at=house.now(),
            )
        manager = demo_person(Role.SHIFT_MANAGER)
        tell_rounds(device_id=terminal.pk, every=True, actor=manager)


def check_payouts(tables: Iterable[Table], *, hands: int) -> None:
    """Let each table have some winning payouts checked; a few are about to be paid wrong."""
    for table in tables:
        # The same hands at every loading, whichever pit is ahead of the other.
        dice = random.Random(f"{table.name} {PayoutCheck.objects.filter(table=table).count()}")
        shoe = DemoShoe(table.decks, dice)
        side_bets = stored_setup(table.setup).side_bets
        terminal = _terminal_of(table)
        for _ in range(hands):
            times = dice.choice((1, 1, 2, 4))
            stakes = {
                GAMES[table.game].main_wager: table.minimum_cents * times,
                **{wager: bet.minimum_cents for wager, bet in side_bets.items()},
            }
            [hand] = deal(shoe, [dice.randint(1, 6)], stored_setup(table.setup).soft_17)
            for claim in claims_of(hand, stakes):
                owed = what_if(table=table, keyed={**claim, "paid_cents": 0}, at=None).payable_cents
                if owed:
                    is_wrong = dice.randrange(_SLIP_OF_THE_HAND) == 0
                    paid_cents = owed + (claim["stake_cents"] if is_wrong else 0)
                    keyed = {**claim, "paid_cents": paid_cents}
                    checked = _check(terminal, keyed)
                    if is_wrong and dice.randrange(_PAID_SO) == 0:
                        settle_payout(_pay_so(terminal, checked))


def mispay(table: Table) -> None:
    """Let a table pay something wrong; its supervisor has not come yet."""
    dice = random.Random(table.name)
    shoe, terminal = DemoShoe(table.decks, dice), _terminal_of(table)
    stakes = {GAMES[table.game].main_wager: table.minimum_cents * 2}
    owed = None
    while not owed:
        [hand] = deal(shoe, [1], stored_setup(table.setup).soft_17)
        claim = next(claims_of(hand, stakes))
        owed = what_if(table=table, keyed={**claim, "paid_cents": 0}, at=None).payable_cents
    _pay_so(terminal, _check(terminal, {**claim, "paid_cents": owed * 2}))


def _check(terminal: Terminal, keyed: Mapping[str, Any]) -> PayoutCheck:
    key = RequestKey(terminal.device, str(uuid4()), digest(canonical(keyed)))
    answer = json.loads(check(key, terminal=terminal, keyed=keyed).text)
    return PayoutCheck.objects.get(pk=answer["check"])


def _pay_so(terminal: Terminal, checked: PayoutCheck) -> Mismatch:
    """Let the dealer confirm what was keyed, whatever the verdict was."""
    fields = {"paid_cents": checked.paid_cents}
    answer = confirm_paid(terminal=terminal, check=checked, told=fields)
    return Mismatch.objects.select_related("table__pit").get(pk=answer["mismatch"]["id"])


def settle_payout(mismatch: Mismatch, *, stands_because: str = "") -> MismatchSettlement:
    """Let the supervisor of its pit put a payout right, or let it stand for a reason."""
    pit = mismatch.table.pit
    supervisor = demo_person(Role.SUPERVISOR, demo_crew(pit))
    return settle_mismatch(
        mismatch_id=mismatch.pk,
        way=Way.OVERRIDDEN if stands_because else Way.CORRECTED,
        reason=stands_because,
        found_cents=None,
        pen=demo_pen(supervisor, demo_device(Place.PIT, pit)),
    )


def call_from(table: Table, about: str) -> None:
    """Let a table call its supervisor."""
    call_supervisor(terminal=_terminal_of(table), about=about)


def ask_from(table: Table, kind: str, facts: Mapping[str, object]) -> None:
    """Let a table ask its supervisor for an approval, which no one has given yet."""
    ask(terminal=_terminal_of(table), code=kind, given=facts)


def _terminal_of(table: Table) -> Terminal:
    token = secrets.token_urlsafe(32)
    with vouched(table):
        Device.objects.filter(table=table).update(token_hash=digest(token))
    terminal = terminal_by_token(token)
    assert terminal is not None, f"{table} has a terminal"
    return terminal
