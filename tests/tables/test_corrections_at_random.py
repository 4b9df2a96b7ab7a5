"""Finished documents of every kind, corrected in any order, end where right ones would have.

One evening is played twice: once with wrong slips that are corrected afterwards, some of them
twice, and once with right ones. Ledger, lines, win, and payouts must be the same.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from random import Random
from typing import Any

import pytest
from django.db import transaction

from inventory.kinds.deposits import FRONT_WITHDRAWAL
from inventory.kinds.front_draw import FRONT_DRAW
from inventory.kinds.marker_payment_means import MARKER_PAYMENT_FRONT, MARKER_PAYMENT_WIRE
from inventory.models import CardPlace, CashEntry, DepositAccount, Holder, Patron
from inventory.selectors.cash_log import DayPerson, day_sum
from inventory.selectors.cheques import (
    balances,
    cage_holding,
    counts_off_the_ledger,
    holding_of,
    tray_holding,
)
from inventory.selectors.credit import credit_of
from inventory.selectors.deposits import balance_cents
from pitboss.models import Person, Slip, Table
from pitboss.rules.patrons.cash_log import Direction
from pitboss.rules.roles import Place, Role
from pitboss.services import house
from pitboss.services.signing import Entry
from pitboss.slips.raising import raise_kind, shown_before
from tables.kinds.late_marker import LATE_MARKER, LATE_PAYMENT
from tables.reports.win import table_report
from tables.selectors.tip_pool import tip_pool_list
from tests.floor.big_wins import F09, count_out, released, roof, see_paid, won
from tests.floor.cage import send_credit
from tests.floor.cards import begin_vaulting, receive_cards
from tests.floor.cash_log import log, propose_back
from tests.floor.cast import Cast, ServerClock, add_person
from tests.floor.corrections import approve, propose
from tests.floor.deposits import begin, by_patron, deposit
from tests.floor.drop_box import count_and_post, count_tray, pull
from tests.floor.late_papers import approve as approve_paper
from tests.floor.late_papers import key
from tests.floor.markers import drawn, grant, lend, make_patron, pay, transfer
from tests.floor.terminals import TerminalClient
from tests.inventory.test_payment_means import check
from tests.tables.test_late_markers import approve as approve_late
from tests.tables.test_late_markers import enter as enter_late

pytestmark = pytest.mark.django_db
_OF_A_DEPOSIT = ("deposit", "withdrawal", "draw")
_BY_MEANS = ("check", "wire", "front")
_PAYMENTS = ("payment", "late_payment", *_BY_MEANS)
Cheques = dict[int, int]
# What the trays hold when they are counted; patrons hold plenty of each color.
COUNTED = {100_000: 30, 50_000: 10, 10_000: 100, 2_500: 50, 500: 60, 100: 70}
# Who corrects: none of them signs a slip of the evening.
RANKS = {
    "sup": Role.SUPERVISOR,
    "pit": Role.PIT_MANAGER,
    "shift": Role.SHIFT_MANAGER,
    "cage": Role.CAGE_MANAGER,
    "books": Role.ACCOUNTING,
    "eyes": Role.SURVEILLANCE_MANAGER,
    "teller": Role.CASHIER,
}


@dataclass
class Evening:
    """One evening at a table: what each document says, and the slips that came of it."""

    cast: Cast
    clock: ServerClock
    terminal: TerminalClient
    patrons: dict[str, Patron]
    says: dict[str, Any]
    sets: list[str]
    slips: dict[str, Slip] = field(default_factory=dict)
    # Cash that the cage logged, as it stands now.
    logged: CashEntry | None = None

    def play(self) -> None:
        cast, says = self.cast, self.says
        count_tray(cast, COUNTED)
        self._keep("vaulting", lambda: self._vault(says["vaulting"]))
        self._keep("fill", lambda: self._fill(says["fill"]))
        self._keep("credit", lambda: send_credit(cast, says["credit"]))
        self._keep("payment", lambda: self._pay(*says["payment"]))
        self._keep("check", lambda: check(cast, self.patrons[says["check"][0]], says["check"][1]))
        self._keep("wire", lambda: self._wire(*says["wire"]))
        self._keep("front", lambda: self._pay_from_front(*says["front"]))
        who, amount = says["marker"]
        self._keep("marker", lambda: lend(cast, self.patrons[who], amount).slip)
        self._keep("deposit", lambda: self._deposit(*says["deposit"]))
        self._keep("withdrawal", lambda: self._withdraw(*says["withdrawal"]))
        self._keep("draw", lambda: self._draw(*says["draw"]))
        self._log(*says["cash"])
        self._keep("win", self._win)
        self._keep("count", lambda: count_tray(cast, says["count"]))
        self._keep("second_fill", lambda: self._fill(says["second_fill"]))
        self.clock.move(minutes=2)
        on_paper = house.now()
        self._keep("closer", lambda: cast.close_table(says["closer"]))
        self._keep("late_fill", lambda: self._fill_late(says["late_fill"], on_paper))
        self._keep("late_marker", lambda: self._lend_late(*says["late_marker"], at=on_paper))
        self._keep("late_payment", lambda: self._pay_late(*says["late_payment"], at=on_paper))
        self._keep("drop", lambda: count_and_post(cast, pull(cast), says["drop"]))
        self._keep("recount", lambda: self._recount(says["recount"]))

    def _keep(self, name: str, make: Callable[[], Slip]) -> None:
        self.clock.move(minutes=7)
        slip = make()
        slip.refresh_from_db()
        assert slip.status == "done", f"{name} is {slip.status}"
        self.slips[name] = slip

    def _log(self, who: str, dollars: int) -> None:
        self.logged = log(self.cast, self.patrons[who], dollars, table=None)

    def _fill(self, cheques: Cheques) -> Slip:
        fill = self.cast.ask(cheques)
        self.cast.deliver(fill)
        return fill

    def _fill_late(self, cheques: Cheques, at: datetime) -> Slip:
        """Enter a fill that was carried on paper before the table was closed."""
        fill = key(self.cast, "fill", at, cheques=cheques)
        approve_paper(self.cast, fill)
        return fill

    def _lend_late(self, who: str, cheques: Cheques, *, at: datetime) -> Slip:
        """Enter a marker that was lent on paper before the table was closed."""
        marker = enter_late(self.cast, LATE_MARKER, self.patrons[who], at, cheques=cheques)
        return approve_late(self.cast, marker)

    def _pay_late(self, who: str, cheques: Cheques, cash: int, *, at: datetime) -> Slip:
        paid = enter_late(
            self.cast, LATE_PAYMENT, self.patrons[who], at, cheques=cheques, cash=cash
        )
        return approve_late(self.cast, paid)

    def _wire(self, who: str, cents: int) -> Slip:
        sent = {"issuer": "Harbor", "reference": "W-77"}
        slip = begin(self.cast, MARKER_PAYMENT_WIRE, self.patrons[who], amount=cents, **sent)
        self.cast.sign(slip, "wire_credited", self.cast.trent, Place.CAGE)
        return slip

    def _pay_from_front(self, who: str, cents: int) -> Slip:
        slip = begin(self.cast, MARKER_PAYMENT_FRONT, self.patrons[who], amount=cents)
        by_patron(self.cast, slip)
        self.cast.sign(slip, "payment_verified", self.cast.trent, Place.CAGE)
        return slip

    def _deposit(self, who: str, cents: int) -> Slip:
        return deposit(self.cast, self.patrons[who], cents)

    def _withdraw(self, who: str, account: str, cents: int) -> Slip:
        patron = self.patrons[who]
        slip = begin(self.cast, FRONT_WITHDRAWAL, patron, account=account, amount=cents)
        by_patron(self.cast, slip)
        return slip

    def _draw(self, who: str, cheques: Cheques) -> Slip:
        cast, table = self.cast, Table.objects.get(pk=self.cast.table.pk)
        new = FRONT_DRAW.at(table, cheques, patron=self.patrons[who])
        slip = raise_kind(new, pen=cast.pen(cast.alice), shown=shown_before(new))
        cast.sign(slip, "patron_signed", cast.alice, entry=Entry(drawn=drawn(slip)))
        cast.sign(slip, "dealer_signed", cast.dan)
        cast.sign(slip, "approved", cast.alice)
        return slip

    def _vault(self, seals: list[str]) -> Slip:
        vaulting = begin_vaulting(
            self.cast, self.sets, **dict[str, Any](zip(self.sets, seals, strict=True))
        )
        self.cast.sign(vaulting, "verified", self.cast.bob, Place.OFFICE)
        return vaulting

    def _pay(self, who: str, cheques: Cheques, cash_cents: int) -> Slip:
        return pay(self.cast, self.patrons[who], cheques=cheques, cash_cents=cash_cents)

    def _win(self) -> Slip:
        slip = released(self.cast, won(self.cast, self.terminal, F09))
        count_out(self.cast, slip, {100_000: 1} if self.says["win"] == "tray" else None)
        see_paid(self.cast, slip)
        return slip

    def _recount(self, counted: Cheques) -> Slip:
        recount = self.cast.count("recount", counted)
        self.cast.sign(recount, "verified", self.cast.alice, entry=Entry(counted=counted))
        names = {step["name"] for step in recount.plan}
        looked = Entry(reason="Looked into.")
        for step, person, place in (
            ("accepted", self.cast.heidi, Place.PIT),
            ("security_reported", self.cast.frank, Place.SECURITY),
            ("surveillance_reported", self.cast.ivan, Place.SURVEILLANCE),
        ):
            if step in names:
                self.cast.sign(recount, step, person, place, entry=looked)
        return recount

    def correct(self, name: str, says: Any, people: dict[str, Person]) -> None:
        """Let two people correct what a document says, or what its newest correction does."""
        self.clock.move(minutes=3)
        if name == "cash":
            self._correct_cash(*says, people=people)
            return
        cast, slip = self.cast, self.slips[name]
        if name == "drop":
            self.slips[name] = self._correct_drop(slip, says, people)
            return
        by, place, given, cheques = people["shift"], Place.PIT, {}, says
        kind = "fill_correction"
        if name in ("count", "closer", "recount"):
            kind, by = "count_correction", people["pit"]
        elif name == "win":
            kind, by, place = "award_correction", people["cage"], Place.CAGE
            given = {"source": says}
            cheques = {100_000: 1} if says == "tray" else {}
        elif name in ("marker", "late_marker"):
            kind, by, place = "marker_correction", people["cage"], Place.CAGE
            who, lent = says
            given = {"patron": self.patrons[who], "signed": True}
            cheques = lent if name == "late_marker" else {10_000: lent // 10_000}
        elif name == "vaulting":
            kind, by, cheques = "card_correction", people["pit"], {}
            given = {"seal": dict(zip(self.sets, says, strict=True))}
        elif name in _PAYMENTS:
            kind, by, place = "payment_correction", people["cage"], Place.CAGE
            given, cheques = self._payment_given(name, says)
        elif name in _OF_A_DEPOSIT:
            kind, by, place = "deposit_correction", people["cage"], Place.CAGE
            given, cheques = self._deposit_given(name, says)
        of_the_cage = name in _PAYMENTS or name in _OF_A_DEPOSIT
        first = people["teller"] if of_the_cage else people["sup"]
        at = Place.CAGE if of_the_cage else Place.PIT
        correction = propose(cast, kind, slip, cheques, by=first, place=at, **given)
        self.slips[name] = approve(cast, correction, by, place=place)

    def _correct_cash(self, who: str, dollars: int, *, people: dict[str, Person]) -> None:
        """Take an entry of the cash log back, and log it as it was."""
        assert self.logged is not None, "cash was logged"
        wrong = propose_back(self.cast, self.logged, by=people["sup"])
        self.cast.sign(wrong, "approved", people["pit"])
        self._log(who, dollars)

    def _payment_given(self, name: str, says: Any) -> tuple[dict[str, Any], Cheques]:
        """Return what a correction of a payment is given, and its cheques."""
        given: dict[str, Any] = {"patron": self.patrons[says[0]]}
        if name in _BY_MEANS:
            return given | {"amount": says[1]}, {}
        return given | {"cash": says[2]}, says[1]

    def _deposit_given(self, name: str, says: Any) -> tuple[dict[str, Any], Cheques]:
        """Return what a correction of a deposit is given, and its cheques."""
        given: dict[str, Any] = {"patron": self.patrons[says[0]]}
        if name == "draw":
            return given, says[1]
        if name == "withdrawal":
            given["account"] = says[1]
        return given | {"amount": says[-1]}, {}

    def _correct_drop(self, slip: Slip, says: Any, people: dict[str, Person]) -> Slip:
        figures = {"documents": slip.details["figures"]["documents"], **says}
        correction = propose(
            self.cast, "drop_correction", slip, by=people["books"], place=Place.OFFICE,
            figures=figures,
        )  # fmt: skip
        if any(step["name"] == "confirmed" for step in correction.plan):
            seen = Entry(reason="The video shows it.")
            eyes = people["eyes"]
            self.cast.sign(correction, "confirmed", eyes, Place.SURVEILLANCE, entry=seen)
        return approve(self.cast, correction, people["cage"], place=Place.CAGE)

    def facts(self) -> dict[str, Any]:
        """Return where everything is, what is owed, and what was won."""
        day = house.period_at(house.now()).gaming_day
        report = table_report(self.cast.table, day)
        assert all(balance.adds_up for balance in balances())
        assert counts_off_the_ledger() == []
        return {
            "tray": tray_holding(self.cast.table),
            "cage": cage_holding(),
            "public": holding_of(Holder.PUBLIC),
            "variance": holding_of(Holder.VARIANCE),
            "figures": report.figures,
            "drop": report.drop,
            "win": report.final,
            "envy": sum(item.amount_cents for item in tip_pool_list(day, day, None)),
            "credit": {
                who: (credit.outstanding_cents, credit.remaining_cents)
                for who, patron in self.patrons.items()
                for credit in [credit_of(patron, house.now())]
            },
            "deposits": {
                (who, account.value): balance_cents(patron, account)
                for who, patron in self.patrons.items()
                for account in DepositAccount
            },
            "cards": list(
                CardPlace.objects.order_by("card_set").values_list("card_set", "state", "seal")
            ),
            "cash": {
                (who, way.value): day_sum(DayPerson(patron), day, way)
                for who, patron in self.patrons.items()
                for way in Direction
            },
        }


def right_ones(chance: Random) -> dict[str, Any]:
    return {
        "fill": {2_500: chance.randrange(20, 40), 500: chance.randrange(20, 40)},
        "credit": {10_000: chance.randrange(5, 15)},
        "vaulting": [f"77-{chance.randrange(100)}-{set_no}" for set_no in (1, 2)],
        "payment": (
            chance.choice(["ana", "anna"]),
            {10_000: chance.randrange(1, 10)},
            chance.randrange(1, 10) * 10_000,
        ),
        "check": (chance.choice(["bea", "beth"]), chance.randrange(1, 10) * 10_000),
        "wire": (chance.choice(["bea", "beth"]), chance.randrange(1, 10) * 10_000),
        "front": (chance.choice(["bea", "beth"]), chance.randrange(1, 10) * 10_000),
        "marker": (chance.choice(["ana", "anna"]), chance.randrange(10, 30) * 10_000),
        "late_marker": (chance.choice(["ana", "anna"]), {10_000: chance.randrange(5, 15)}),
        "late_payment": (
            chance.choice(["bea", "beth"]),
            {10_000: chance.randrange(1, 5)},
            chance.randrange(1, 5) * 10_000,
        ),
        "deposit": (chance.choice(["ana", "anna"]), chance.randrange(10, 30) * 10_000),
        "withdrawal": (
            chance.choice(["ana", "anna"]),
            chance.choice(["front_money", "safekeeping"]),
            chance.randrange(1, 10) * 10_000,
        ),
        "cash": (chance.choice(["ana", "anna"]), chance.randrange(1, 10) * 100),
        "draw": (chance.choice(["ana", "anna"]), {10_000: chance.randrange(5, 15)}),
        "win": chance.choice(["tray", "cage"]),
        "count": _about(chance, COUNTED),
        "second_fill": {10_000: chance.randrange(5, 15)},
        "closer": _about(chance, COUNTED),
        "late_fill": {2_500: chance.randrange(5, 15)},
        "recount": dict(COUNTED),
        "drop": {"cash_10000": chance.randrange(20, 90) * 10_000},
    }


def _about(chance: Random, cheques: Cheques) -> Cheques:
    return {cents: count + chance.randrange(-4, 5) for cents, count in cheques.items()}


def wrong_one(chance: Random, name: str, right: Any) -> Any:
    """Return what a document may say instead."""
    if name == "win":
        return "cage" if right == "tray" else "tray"
    if name in ("count", "closer", "recount"):
        return _about(chance, right)
    return right_ones(chance)[name]


@pytest.mark.parametrize("seed", range(3))
def test_corrected_documents_end_where_right_ones_would_have(
    cast: Cast, server_clock: ServerClock, seed: int
) -> None:
    chance = Random(seed)
    patrons = {
        "ana": make_patron(cast, tax_id="123-45-6789"),
        "anna": make_patron(cast, "Anna", tax_id="987-65-4321"),
        # These two owe on a marker at the cage and on another in the pit, and pay both.
        "bea": make_patron(cast, "Bea", "Stone", tax_id="123-45-6788"),
        "beth": make_patron(cast, "Beth", "Stone", tax_id="987-65-4320"),
    }
    for patron in patrons.values():
        grant(cast, patron, 5_000_000)
    terminal = roof(cast)
    sets = receive_cards(cast)
    for name in ("bea", "beth"):
        transfer(cast, [str(lend(cast, patrons[name], 300_000))])
    for patron in patrons.values():
        lend(cast, patron, 200_000)
        for account in DepositAccount:
            deposit(cast, patron, 1_000_000, account=account.value)
    teams = [
        {name: add_person(f"{name}{no}", f"9{no}{at}", rank) for at, (name, rank) in all_ranks()}
        for no in (1, 2)
    ]
    right = right_ones(chance)
    began, clock = transaction.savepoint(), server_clock.now
    world = Evening(cast, server_clock, terminal, patrons, right, sets)
    world.play()
    wanted = world.facts()
    transaction.savepoint_rollback(began)
    server_clock.now = clock
    cast.table.refresh_from_db()

    wrong = {name: wrong_one(chance, name, right[name]) for name in right}
    world = Evening(cast, server_clock, terminal, patrons, wrong, sets)
    world.play()
    again = {name for name in right if name != "win" and chance.random() < 0.4}
    due = [name for name in right if wrong[name] != right[name]]
    chance.shuffle(due)
    for name in due:
        says, first = right[name], wrong_one(chance, name, right[name])
        if name in again and first not in (says, wrong[name]):
            world.correct(name, first, teams[0])
            world.correct(name, says, teams[1])
        else:
            world.correct(name, says, teams[0])
    assert world.facts() == wanted


def all_ranks() -> list[tuple[int, tuple[str, Role]]]:
    return list(enumerate(RANKS.items()))
