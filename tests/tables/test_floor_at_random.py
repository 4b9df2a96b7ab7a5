"""Random acts on four tables and a cage, legal and illegal, by one hand and by four at once.

An auditor, written here from the ledger's two identities and sharing nothing with the selectors,
reads every row that was added: what the places of the house hold together is what it received less
what it destroyed; a tray holds at each count what the ledger said before it and what the count
posted; the public never holds less than nothing; no tray's sequence has a hole; whoever was voided
moved nothing. In the end the journal vouches for all of it.

A run says its seed. One hand alone, by a clock of its own, does the very same acts for the same
seed, so what it finds can be found again; four hands choose the same for the same seed but meet as
the machine lets them, so the round that failed is told act by act. PITBOSS_SEED chooses the seed,
PITBOSS_ACTS how many acts the four play; one alone plays a quarter of that.
"""

from __future__ import annotations

import os
import sys
from collections import Counter, defaultdict
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from random import Random
from threading import Lock

import pytest
from django.db import connection
from django.utils import timezone

from inventory.models import ChequeTransfer, TrayCount
from inventory.selectors.cheques import balances, cage_holding, counts_off_the_ledger, tray_holdings
from pitboss.models import FloorException, Signature, Slip, Table
from pitboss.rules.cheques.tray_counts import TRAY_COUNTS
from pitboss.rules.roles import Role
from pitboss.services import house
from pitboss.services.floor import add_table
from pitboss.services.verification import verify
from tables.kinds.late import CODES
from tests.floor.cage import receive
from tests.floor.cast import PAR, Cast, add_person
from tests.floor.house import change
from tests.floor.outages import declare, pack_of
from tests.floor.players import Player

pytestmark = pytest.mark.django_db(transaction=True)

SEED = int(os.environ.get("PITBOSS_SEED", "20260501"))
ACTS = int(os.environ.get("PITBOSS_ACTS", "2500"))
# From here on a floor must have seen everything, and some of it after so many; a run cut shorter is
# for looking at one trail.
ACTS_FOR_ALL = 2_400
ACTS_FOR_SOME = 600
HANDS = 4
ACTS_A_ROUND = 20
# Whoever looks at all that the selectors say after each act would do little else.
ROUNDS_A_LOOK = {1: 40, HANDS: 1}
# Enough of each trade that four tables are not kept waiting for one pair of hands.
MORE_PEOPLE = {
    "200": Role.DEALER,
    "201": Role.DEALER,
    "202": Role.DEALER,
    "203": Role.DEALER,
    "204": Role.SUPERVISOR,
    "205": Role.CASHIER,
    "206": Role.SECURITY,
    "207": Role.PIT_MANAGER,
}
LEFT_OUT = {Role.ADMINISTRATOR, Role.AUDITOR}
OPENED_ON_VARIANCE = {"opener", "recount"}


@dataclass
class Auditor:
    """Reads what was added since it last looked, when nobody is in the middle of an act."""

    places: defaultdict[str, Counter[int]] = field(default_factory=lambda: defaultdict(Counter))
    trays: defaultdict[int, Counter[int]] = field(default_factory=lambda: defaultdict(Counter))
    sequences: Counter[int] = field(default_factory=Counter)
    received: Counter[int] = field(default_factory=Counter)
    last_transfer: int = 0
    last_count: int = 0
    transfers: int = 0
    counts: int = 0

    def look(self, *, at_all: bool = True) -> None:
        """Follow every new transfer and count; hold all that the ledger says against them."""
        new = ChequeTransfer.objects.filter(pk__gt=self.last_transfer).order_by("pk")
        counts = list(
            TrayCount.objects.filter(pk__gt=self.last_count).select_related("slip").order_by("pk")
        )
        moves = list(new.select_related("slip"))
        for move in moves:
            self._follow(move)
            self.last_transfer = move.pk
            self.transfers += 1
        self._check_trays(counts, moves)
        self.counts += len(counts)
        if counts:
            self.last_count = counts[-1].pk
        self._check_identity()
        if at_all:
            self._check_selectors()
            self._check_slips()

    def _follow(self, move: ChequeTransfer) -> None:
        cents = move.denomination_cents
        self.places[move.source][cents] -= move.count
        self.places[move.target][cents] += move.count
        # A draw on the public sees only what was stored before it, so the rows tell the order.
        assert self.places["public"][cents] >= 0, f"{move.slip}: the public owes {cents}: {move}"
        if "outside" in (move.source, move.target):
            self.received[cents] += move.count if move.source == "outside" else -move.count
        if move.slip.kind in OPENED_ON_VARIANCE:
            assert "public" not in (move.source, move.target), f"{move.slip}: {move}"

    def _check_trays(self, counts: list[TrayCount], moves: list[ChequeTransfer]) -> None:
        """Walk each tray by its sequence: no hole in it, and at each count the tray is counted."""
        by_tray: defaultdict[int, list[ChequeTransfer | TrayCount]] = defaultdict(list)
        seen: list[ChequeTransfer | TrayCount] = [*(move for move in moves if move.table_id)]
        for event in [*seen, *counts]:
            by_tray[event.table_id or 0].append(event)
        for table_id, events in by_tray.items():
            events.sort(key=lambda event: (event.tray_sequence or 0, isinstance(event, TrayCount)))
            tray = self.trays[table_id]
            for event in events:
                if isinstance(event, TrayCount):
                    counted = Counter({int(c): n for c, n in event.cheques.items()})
                    assert event.tray_sequence == self.sequences[table_id], f"{event.slip}"
                    assert held(tray) == held(counted), f"{event.slip}: {tray}, not {counted}"
                    assert held(counted) == held(Counter(event.slip.cheques_by_cents))
                    continue
                self.sequences[table_id] += 1
                assert event.tray_sequence == self.sequences[table_id], f"a hole before {event}"
                way = event.count if event.target == "tray" else -event.count
                tray[event.denomination_cents] += way

    def _check_identity(self) -> None:
        """All places of the house together hold what it received less what it destroyed."""
        in_trays: Counter[int] = Counter()
        for tray in self.trays.values():
            in_trays.update(tray)
        assert held(self.places["tray"]) == held(in_trays)
        everywhere: Counter[int] = Counter()
        for place in ("cage", "tray", "carrier", "public", "variance"):
            everywhere.update(self.places[place])
        assert held(everywhere) == held(self.received)

    def _check_selectors(self) -> None:
        """The selectors, which start from counts, say the same as all of history."""
        tables = list(Table.objects.all())
        for table_id, holding in tray_holdings(tables).items():
            assert holding == held(self.trays[table_id]), f"the tray of {table_id}"
        assert cage_holding() == held(self.places["cage"])
        assert [
            balance for balance in balances() if not balance.adds_up or balance.public < 0
        ] == []
        assert counts_off_the_ledger() == []
        for table in tables:
            assert table.tray_sequence == self.sequences[table.pk], f"{table} skipped a number"

    def _check_slips(self) -> None:
        """Cheques are carried on slips that are under way, and nothing moved on a void one."""
        assert not ChequeTransfer.objects.filter(slip__status="voided").exists()
        carried: Counter[int] = Counter()
        under_way = Slip.objects.filter(
            kind__in=["fill", "credit"], status__in=["open", "returning"]
        ).prefetch_related("signatures")
        for slip in under_way:
            steps = {signature.step for signature in slip.signatures.all()}
            if "carried" in steps and "acknowledged" not in steps:
                carried.update(slip.cheques_by_cents)
        assert held(self.places["carrier"]) == held(carried)
        from_nowhere = ChequeTransfer.objects.filter(source="variance").exclude(
            slip__kind__in=OPENED_ON_VARIANCE
        )
        asked_after = FloorException.objects.filter(code__in=["more_than_exists", "cage_gained"])
        explained = set(asked_after.values_list("slip_id", flat=True))
        late = {"late_fill", "late_credit", "correction"}
        unasked = [
            str(move.slip)
            for move in from_nowhere.select_related("slip")
            if move.slip_id not in explained and move.slip.kind not in late
        ]
        assert unasked == [], "cheques came from variance and nobody asks after them"


def held(cheques: Counter[int]) -> dict[int, int]:
    return {cents: number for cents, number in cheques.items() if number}


@dataclass
class Clock:
    """Goes on by a little whenever it is read, and by a minute an act: days pass, and shifts."""

    at: datetime = datetime(2026, 5, 1, 13, tzinfo=UTC)
    lock: Lock = field(default_factory=Lock)

    def __call__(self) -> datetime:
        with self.lock:
            self.at += timedelta(milliseconds=1)
            return self.at

    def move(self, acts: int) -> None:
        with self.lock:
            self.at += timedelta(minutes=acts)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """Let the floor go by a clock of its own: what a seed did once, it does again."""
    clock = Clock()
    monkeypatch.setattr(timezone, "now", clock)
    return clock


def play(cast: Cast, clock: Clock, hands: int, acts: int) -> tuple[Auditor, list[str]]:
    """Let some players act side by side, round by round; the auditor looks after each."""
    tables = [cast.table, cast.other_table]
    for name in ("BJ-13", "BJ-14"):
        tables.append(
            add_table(
                name=name,
                pit=cast.pit,
                game="classic",
                minimum_cents=2_500,
                maximum_cents=300_000,
                par=PAR,
            )
        )
    people = [person for person in cast.people if Role(person.role) not in LEFT_OUT]
    people += [add_person(f"p{badge}", badge, role) for badge, role in MORE_PEOPLE.items()]
    receive(cast, {500_000: 20, 10_000: 300, 2_500: 400, 500: 400})
    auditor = Auditor()
    auditor.look()
    # The line is down all night: papers may be entered, with or without a picture.
    change(cast, "late.picture", "no")
    for code in CODES.values():
        pack_of(cast, code, 200)
    declare(cast, house.now() - timedelta(hours=6))
    players = [Player(Random(f"{SEED}:{hand}"), people, cast.devices) for hand in range(hands)]
    trail: list[str] = []

    def turn(player: Player) -> None:
        try:
            for _ in range(acts):
                player.act()
        finally:
            if hands > 1:
                connection.close()

    number = 0
    while number * acts * hands < ACTS * hands / HANDS:
        number += 1
        clock.move(acts * hands)
        for player in players:
            player.trail.clear()
        try:
            if hands == 1:
                turn(players[0])
            else:
                with ThreadPoolExecutor(hands) as pool:
                    list(pool.map(turn, players))
            auditor.look(at_all=number % ROUNDS_A_LOOK[hands] == 0)
        except BaseException as error:
            error.add_note(f"seed {SEED}, round {number}, {hands} at once")
            for hand, player in enumerate(players):
                error.add_note(f"hand {hand}:\n  " + "\n  ".join(player.trail))
            raise
        trail += [line for player in players for line in player.trail]
    auditor.look()
    return auditor, trail


# Every kind of slip that moves or counts cheques; each must have come to its end.
DONE = {
    "opener",
    "closer",
    "count",
    "shift_count",
    "recount",
    "fill",
    "credit",
    "fill_return",
    "credit_return",
    "cage_count",
    "house_receipt",
    "house_destruction",
    "late_fill",
    "late_credit",
    "drop_pull",
    "drop_count",
}
SOME = {"opener", "closer", "count", "fill", "credit", "cage_count", "late_fill"}
# Refusals that only a floor in motion gives.
REFUSED = {
    "count_differs",
    "out_of_order",
    "signed_before",
    "slips_open",
    "stale_screen",
    "tray_moved",
    "wrong_place",
    "wrong_role",
}


def demand_a_lively_floor(auditor: Auditor, trail: list[str]) -> None:
    """A floor on which nothing happened proves nothing: all kinds of acts were stored."""
    told = verify()
    assert told.is_sound, told.findings
    slips = Slip.objects.all()
    done = Counter(slips.filter(status="done").values_list("kind", flat=True))
    void = Counter(slips.filter(status="voided").values_list("kind", flat=True))
    again = sum(": again" in line for line in trail)
    refused = Counter(
        code
        for line in trail
        if "refused " in line
        for code in line.split("refused ")[1].split(",")
    )
    # Openings of one table in one day carry 1, 2, 3…
    reopened = slips.filter(kind="opener", status="done", details__sequence__gt=1).count()
    varied = Signature.objects.filter(step="accepted").count()
    relieved = Signature.objects.filter(track="relief").count()
    days = slips.values("gaming_day").distinct().count()
    sys.stdout.write(
        f"seed {SEED}: {len(trail)} acts in {days} days, {refused.total()} reasons to refuse, "
        f"{Signature.objects.count()} signed, {again} sent again, {auditor.transfers} transfers, "
        f"{auditor.counts} counts of trays, {reopened} re-openings, {varied} variances accepted, "
        f"{relieved} relieved, done {dict(done)}, void {dict(void)}, refused {dict(refused)}\n"
    )
    assert auditor.transfers > len(trail) / 20
    if len(trail) >= ACTS_FOR_SOME:
        assert done.keys() >= SOME, f"never done: {SOME - done.keys()}"
        assert refused
        assert void
    if len(trail) < ACTS_FOR_ALL:
        return
    assert done.keys() >= DONE, f"never done: {DONE - done.keys()}"
    assert refused.keys() >= REFUSED, f"never refused: {REFUSED - refused.keys()}"
    assert void.keys() & TRAY_COUNTS, "no count was voided"
    assert void.keys() - TRAY_COUNTS, "nothing but counts was voided"
    assert slips.filter(status="returned").exists()
    for seen in (again, reopened, varied, relieved):
        assert seen
    assert days > 1


def test_one_hand_at_random_keeps_the_ledger_whole_after_each_act(clock: Clock, cast: Cast) -> None:
    auditor, trail = play(cast, clock, hands=1, acts=1)
    demand_a_lively_floor(auditor, trail)


def test_four_hands_at_once_at_random_keep_the_ledger_whole(clock: Clock, cast: Cast) -> None:
    auditor, trail = play(cast, clock, hands=HANDS, acts=ACTS_A_ROUND)
    demand_a_lively_floor(auditor, trail)
