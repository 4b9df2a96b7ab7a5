"""A jackpot while the demo plays on: entered at a terminal, reviewed, released and paid."""

from __future__ import annotations

import random

from pitboss.demo import PIN, demo_signer
from pitboss.models import Slip
from pitboss.rules.cheques.cheques import format_money
from pitboss.rules.roles import Role
from pitboss.services.signing import Entry
from pitboss.simulation import Say, Scene, SimulatedTerminal, signed_to_the_end
from pitboss.slips.plan import PlannedStep

_SAID = {"review": "Cameras 2-29A and B", "source": "cage"}


def hit(terminal: SimulatedTerminal, say: Say, dice: random.Random) -> Scene:
    """Let three sevens come: the dealer enters it, and the others sign it to its end."""
    entered = terminal.post(
        "jackpots",
        {
            "badge": demo_signer(Role.DEALER, terminal.table).badge,
            "pin": PIN,
            "seat": dice.randint(1, 6),
            "wager": "blazing_7s",
            "player_cards": ["7h", "7s"],
            "dealer_cards": ["7h"],
        },
    )
    slip = Slip.objects.get(serial=entered["serial"])
    say(f"{terminal.table}: jackpot {slip.serial}, {format_money(entered['award_cents'])}")
    yield dice.uniform(1, 3)
    yield from signed_to_the_end(slip, say, dice, _entry)


def _entry(slip: Slip, due: PlannedStep) -> Entry:
    return Entry(said={name: _SAID[name] for name in due.asks if name in _SAID})
