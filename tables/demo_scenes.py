"""What happens at the demo's tables while it plays on: rounds, mispays, reliefs, a closing."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any
from uuid import uuid4

from inventory.selectors.cheques import tray_holding
from pitboss.demo import PIN, demo_crew, demo_device, demo_pen, demo_person, demo_signer
from pitboss.models import FloorException, Slip, Table
from pitboss.rules.cheques.cheques import combined, format_money
from pitboss.rules.games.table_setup import CardProfile
from pitboss.rules.refusal import Refused
from pitboss.rules.roles import Place, Role
from pitboss.services.explaining import resolve_exception
from pitboss.simulation import Say, Scene, SimulatedTerminal, signed_to_the_end
from pitboss.slips.kind import the_kind
from pitboss.slips.raising import raise_kind, shown_before
from tables.demo_play import DemoHand, DemoShoe, bets_of, claims_of, deal, fallen
from tables.demo_terminals import settle_payout
from tables.models import Mismatch
from tables.services.calls import SUPERVISOR_CALLED

# One payout in so many is keyed wrong; the terminal says so in time.
_MISPAID_ONE_IN = 6
# One of so many of those is paid so all the same.
_PAID_SO_ONE_IN = 2
# One of so many that were paid wrong stands, for a reason.
_STANDS_ONE_IN = 4
# One table in so many has a shoe that tells its rounds; so has every table with a progressive.
_SMART_SHOE_ONE_IN = 4
# One table in so many calls its supervisor after a hand.
_CALLS_ONE_IN = 40


def play_table(terminal: SimulatedTerminal, say: Say, dice: random.Random) -> Scene:
    """Deal round after round at a table, with every payout checked before it is made."""
    body = terminal.get("table")
    table, shoe = terminal.table, DemoShoe(body["decks"], dice)
    stakes = {wager["wager"]: wager["minimum_cents"] for wager in body["wagers"]}
    tells_rounds = "blackjack" in stakes and (
        body["meters"] or dice.randrange(_SMART_SHOE_ONE_IN) == 0
    )
    waits_for = ""
    while Table.objects.get(pk=table.pk).is_open:
        hands = deal(shoe, dice.sample(range(1, 7), dice.randint(1, 3)), body["soft_17"])
        if tells_rounds:
            try:
                _tell_round(terminal, hands, stakes, say, dice)
            except Refused as refused:
                # A jackpot is pending, or someone has begun a round here by hand: said once.
                if str(refused) != waits_for:
                    waits_for = str(refused)
                    say(f"{table}: no round yet: {waits_for}")
        else:
            _pay_hands(terminal, hands[:1], stakes, say, dice)
        if dice.randrange(_CALLS_ONE_IN) == 0:
            terminal.post("calls", {"about": "Color change"})
            say(f"{table}: calls its supervisor")
            yield dice.uniform(0.5, 3)
            _answer_call(table, say)
        yield dice.uniform(0.6, 1.6)


def _tell_round(
    terminal: SimulatedTerminal,
    hands: list[DemoHand],
    stakes: Mapping[str, int],
    say: Say,
    dice: random.Random,
) -> None:
    """Tell a round from its first bet to its end. Raises Refused where none may begin."""
    round_ = f"rounds/{terminal.post('rounds', {})['round']}"
    terminal.post(f"{round_}/seats", {"seats": [{"seat": hand.seat} for hand in hands]})
    for hand in hands:
        terminal.post(f"{round_}/wagers", {"seat": hand.seat, "bets": bets_of(stakes)})
    for cards in fallen(hands):
        if cards:
            terminal.post(f"{round_}/cards", {"cards": cards})
    if payouts := _pay_hands(terminal, hands, stakes, say, dice):
        terminal.post(f"{round_}/payouts", {"payouts": payouts})
    verdict = terminal.post(f"{round_}/end", {})["verdict"]
    for paid in verdict["differences"]:
        say(
            f"{terminal.table}: the round ends with seat {paid['seat']} paid "
            f"{format_money(paid['paid_cents'])} for {format_money(paid['payable_cents'])}"
        )


def _pay_hands(
    terminal: SimulatedTerminal,
    hands: list[DemoHand],
    stakes: Mapping[str, int],
    say: Say,
    dice: random.Random,
) -> list[dict[str, Any]]:
    """Have every bet of some hands checked and paid; return what was paid."""
    payouts = []
    for claim in (claim for hand in hands for claim in claims_of(hand, stakes)):
        owed = terminal.post("checks", {**claim, "paid_cents": 0}).get("payable_cents")
        if owed:
            paid_cents = _pay(terminal, claim, owed, say, dice)
            payouts.append(
                {"seat": claim["seat"], "wager": claim["wager"], "paid_cents": paid_cents}
            )
    return payouts


def _pay(
    terminal: SimulatedTerminal, claim: Mapping[str, Any], owed: int, say: Say, dice: random.Random
) -> int:
    """Pay what is owed, or now and then something else; return what was paid."""
    if dice.randrange(_MISPAID_ONE_IN) == 0:
        keyed = {**claim, "paid_cents": owed + claim["stake_cents"]}
        wrong = terminal.post("checks", keyed)
        say(f"{terminal.table}: {claim['wager']} {wrong['verdict']}, {wrong['working']}")
        if dice.randrange(_PAID_SO_ONE_IN) == 0:
            terminal.post(f"checks/{wrong['check']}/paid", {"paid_cents": keyed["paid_cents"]})
            say(f"{terminal.table}: paid anyway; the supervisor is notified")
            return int(keyed["paid_cents"])
    terminal.post("checks", {**claim, "paid_cents": owed})
    return owed


def settle_payouts(say: Say, dice: random.Random) -> Scene:
    """Let supervisors settle what was paid wrong, but for the newest: whoever watches may."""
    while True:
        yield dice.uniform(1.5, 4)
        unsettled = Mismatch.objects.filter(settlement=None).select_related("table__pit")
        for mismatch in unsettled.order_by("-pk")[1:]:
            stands = dice.randrange(_STANDS_ONE_IN) == 0
            why = "The player had left with it." if stands else ""
            settlement = settle_payout(mismatch, stands_because=why)
            say(f"{mismatch.table}: {settlement.settled_by} {settlement.way} a payout")


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


def relieve_dealers(terminals: list[SimulatedTerminal], say: Say, dice: random.Random) -> Scene:
    """Let a dealer tap in at a table every few minutes, in place of the person who deals there."""
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
    raising = the_kind(kind).at(table, counted)
    pen = demo_pen(demo_signer(Role.DEALER, table), demo_device(Place.PIT, table.pit))
    return raise_kind(raising, pen=pen, shown=shown_before(raising))
