"""Play on in the demo: rounds, mispays, fills, credits, markers, a jackpot, a closing."""

from __future__ import annotations

import os
import random
import signal
from collections.abc import Iterator
from threading import Event
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from inventory.demo_scenes import bring_fill, lend, send_credit
from jackpots.demo_scenes import hit
from pitboss import demo
from pitboss.models import Table
from pitboss.rules.games.table_setup import CardProfile
from pitboss.rules.refusal import Refused
from pitboss.selectors.pending import pending_jackpots
from pitboss.simulation import Say, Scene, SimulatedTerminal, Stage
from tables.demo_scenes import (
    close_table,
    count_tray,
    play_table,
    relieve_dealers,
    settle_payouts,
)

# A jackpot is paid from a meter of these; a closing needs a table that deals no cards of its own.
_METERED = "blazing_7s"


class Command(BaseCommand):
    help = "Play on in the running demo through its API and services. Refused in production."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--speed", type=float, default=1, help="60 plays an hour in a minute")
        parser.add_argument("--minutes", type=float, default=60, help="of the floor's time")
        parser.add_argument("--seed", type=int, default=None, help="the same seed, the same play")
        parser.add_argument("--tables", type=int, default=24, help="how many tables deal")
        parser.add_argument("--address", default="", help="where the site answers")

    def handle(self, *args: Any, **options: Any) -> None:
        if not settings.IS_DEMO:
            raise CommandError("Only a demo is played in: PITBOSS_ENV is not demo.")
        if demo.loaded() is not demo.Loaded.WHOLE:
            raise CommandError("There is nothing to play in. Start the demo with make run.")
        if options["speed"] <= 0 or options["minutes"] <= 0:
            raise CommandError("Speed and minutes are more than 0.")
        stop = Event()
        before = {
            number: signal.signal(number, lambda *_: stop.set())
            for number in (signal.SIGINT, signal.SIGTERM)
        }
        try:
            self._play(options, stop)
        except Refused as refused:
            raise CommandError(str(refused)) from None
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def _play(self, options: dict[str, Any], stop: Event) -> None:
        dice = random.Random(options["seed"])
        stage = Stage(self._say, speed=options["speed"], stop=stop)
        tables = list(Table.objects.filter(is_open=True).select_related("pit"))[: options["tables"]]
        if not tables:
            raise CommandError("No table is open. Open one first.")
        terminals = [SimulatedTerminal(options["address"] or _address(), table) for table in tables]
        self._say(f"{len(terminals)} terminals are on; Ctrl-C ends it after the act under way.")
        for terminal in terminals:
            scene = play_table(terminal, self._say, random.Random(dice.random()))
            stage.begin([scene], after_minutes=dice.uniform(0, 1))
        stage.begin([relieve_dealers(terminals, self._say, random.Random(dice.random()))])
        stage.begin([settle_payouts(self._say, random.Random(dice.random()))])
        for scene in _errands(terminals, self._say, dice):
            stage.begin([scene], after_minutes=dice.uniform(0, options["minutes"] * 0.6))
        stage.play(options["minutes"])
        self._say(f"Played {stage.minute:.0f} minutes, {stage.acts} acts.")

    def _say(self, words: str) -> None:
        self.stdout.write(words)


def _address() -> str:
    host = os.environ.get("PITBOSS_HOST") or "127.0.0.1"
    return f"http://{host}:{os.environ.get('PITBOSS_PORT') or '8000'}/"


def _errands(terminals: list[SimulatedTerminal], say: Say, dice: random.Random) -> Iterator[Scene]:
    """Yield what happens besides play, each at a table of its own choosing."""
    tables = [terminal.table for terminal in terminals]
    with_cards = [table for table in tables if table.cards != CardProfile.NONE] or tables
    for _ in range(max(1, len(tables) // 4)):
        yield bring_fill(dice.choice(with_cards), say, random.Random(dice.random()))
        yield send_credit(dice.choice(with_cards), say, random.Random(dice.random()))
        yield count_tray(dice.choice(with_cards), say, random.Random(dice.random()))
    yield lend(dice.choice(with_cards), say, random.Random(dice.random()))
    metered = [
        terminal
        for terminal in terminals
        if terminal.table.game == _METERED and not pending_jackpots(terminal.table)
    ]
    if metered:
        yield hit(dice.choice(metered), say, random.Random(dice.random()))
    without = [table for table in tables if table.cards == CardProfile.NONE]
    if without:
        yield close_table(dice.choice(without), say, random.Random(dice.random()))
