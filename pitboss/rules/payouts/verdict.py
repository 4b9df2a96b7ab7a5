"""What a payout is judged against, and the verdict on it: facts in, and the answer on the wire."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum, unique
from typing import Any

from pitboss.rules.cheques.cheques import ordered
from pitboss.rules.cheques.cutting import Cut, CutOptions
from pitboss.rules.games.games import TableRules, stadium_settings
from pitboss.rules.games.table_orders import Followed, Order
from pitboss.rules.games.tracked import is_tracked, module_of
from pitboss.rules.payouts.levels import Level, LevelTerms
from pitboss.rules.paytables.pays import PayTable
from pitboss.rules.paytables.paytables import pay_table
from pitboss.rules.refusal import Refusal
from pitboss.rules.said import joined, whole
from pitboss.rules.tax.house import HouseTax
from pitboss.rules.tax.tax import TaxAnswer
from pitboss.rules.wagers.settlement import Settlement


@unique
class Verdict(StrEnum):
    """What is said of a payout. There is no answer by default."""

    RIGHT = "right"
    OVERPAID = "overpaid"
    UNDERPAID = "underpaid"
    CANNOT_VERIFY = "cannot_verify"


@dataclass(frozen=True, slots=True)
class Approval:
    """Someone must say yes before cheques leave the rack: why, and who."""

    code: str
    message: str
    by: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TableTerms:
    """The rules in force at a table, with each pay table looked up once."""

    rules: TableRules
    paytables: Mapping[str, PayTable]
    options: Mapping[str, str]
    stadium: Mapping[str, Any]

    @classmethod
    def of(cls, rules: TableRules) -> TableTerms:
        main = rules.game.main_wager
        if is_tracked(rules.game):
            module = module_of(rules)
            settled = {module.id: module.pay_table(rules.blackjack_pays)} if module else {}
            return cls(rules, settled, rules.options.changed(), {})
        tables = {main: pay_table(main, rules.blackjack_pays)}
        if main != "stadium_blackjack" and rules.game.insurance.offered:
            tables["insurance"] = pay_table("insurance", "2:1")
        if rules.game.coupons:
            tables["free_bet_coupon"] = pay_table("free_bet_coupon", rules.blackjack_pays)
        for wager, terms in rules.side_bets.items():
            tables[wager] = terms.table(wager)
        is_stadium = main == "stadium_blackjack"
        return cls(
            rules, tables, rules.options.changed(), stadium_settings(rules) if is_stadium else {}
        )

    def maximum_cents(self, wager: str, seat: int | None = None) -> int:
        """Return the most that one bet on a wager may be, at a seat where that is known."""
        side_bet = self.rules.side_bets.get(wager)
        return side_bet.maximum_cents if side_bet else self.rules.at_seat(seat).maximum_cents

    def keyed_paytable(self, wager: str) -> object:
        """Return a side bet's pay table as the house keyed it: an id, or rows of its own."""
        side_bet = self.rules.side_bets.get(wager)
        return side_bet.paytable if side_bet else None


@dataclass(frozen=True, slots=True)
class TableNow:
    """What a payout is judged against: the table's terms, its tray and meters, the house, a day."""

    terms: TableTerms
    tray: Mapping[int, int]
    paid_on: date
    meters: Mapping[str, int] = field(default_factory=dict)
    cut: CutOptions = field(default_factory=CutOptions)
    levels: LevelTerms = field(default_factory=LevelTerms)
    tax: HouseTax = field(default_factory=HouseTax)
    # What the supervisor has ordered that stands at the table.
    orders: tuple[Order, ...] = ()
    # A dealer asks, who decides no irregular hand; whoever wonders what would be may suppose one.
    is_dealt: bool = False


@dataclass(frozen=True, slots=True)
class PayoutVerdict:
    """What is owed, whether that is what is about to be paid, and what it takes to pay it.

    On the wire `expected_cents` is the exact settlement, below zero for a bet that is lost, and
    `payable_cents` what leaves the tray for it, without what no cheque pays.
    """

    verdict: Verdict
    paid_cents: int
    reasons: tuple[Refusal, ...] = ()
    settlement: Settlement | None = None
    paytable: PayTable | None = None
    payable_cents: int | None = None
    cut: Cut | None = None
    fill: Mapping[int, int] = field(default_factory=dict)
    approvals: tuple[Approval, ...] = ()
    tax: TaxAnswer | None = None
    take_back: Mapping[int, int] = field(default_factory=dict)
    add: Mapping[int, int] = field(default_factory=dict)
    followed: Followed | None = None
    warnings: tuple[Refusal, ...] = ()
    # What it waits for before it is paid.
    level: Level = Level.VERBAL

    @property
    def difference_cents(self) -> int | None:
        """How much too much is about to be paid; below zero when it is too little."""
        return None if self.payable_cents is None else self.paid_cents - self.payable_cents

    def as_answer(self) -> dict[str, Any]:
        """Return the verdict as it is written on the wire. Every field is always there."""
        settlement, cut, table = self.settlement, self.cut, self.paytable
        return {
            "verdict": self.verdict.value,
            "paid_cents": self.paid_cents,
            "expected_cents": settlement.payout_cents if settlement else None,
            "payable_cents": self.payable_cents,
            "difference_cents": self.difference_cents,
            "category": settlement.category if settlement else None,
            "rule": settlement.rule if settlement else None,
            "working": self.working,
            "readings": list(settlement.readings) if settlement else [],
            "envy_cents": (settlement.envy_cents or 0) if settlement else 0,
            "paytable": None
            if table is None
            else {
                "id": table.id,
                "name": table.name,
                "version": table.version,
                "printed_in": str(table.source),
            },
            "cheques": _keyed(cut.cheques) if cut else None,
            "stacks": {str(c): list(rows) for c, rows in cut.stacks.items()} if cut else None,
            "breakage_cents": cut.breakage_cents if cut else 0,
            "cut_working": cut.working if cut else "",
            "fill": _keyed(self.fill),
            "take_back": _keyed(self.take_back),
            "add": _keyed(self.add),
            "level": self.level.value,
            "approvals": [
                {"code": approval.code, "message": whole(approval.message), "by": list(approval.by)}
                for approval in self.approvals
            ],
            "tax": self.tax.as_json() if self.tax else None,
            "orders": self.followed.as_answer() if self.followed else [],
            "warnings": [_told(warning) for warning in self.warnings],
            "reasons": [_told(reason) for reason in self.reasons],
        }

    @property
    def working(self) -> str:
        """Say how the verdict came about, so that a supervisor can read it out."""
        if self.settlement is None:
            return joined(reason.message for reason in self.reasons)
        return self.settlement.working


def _told(reason: Refusal) -> dict[str, str]:
    return {"code": reason.code, "message": whole(reason.message)}


def _keyed(cheques: Mapping[int, int]) -> dict[str, int]:
    return {str(cents): cheques[cents] for cents in ordered(cheques)}
