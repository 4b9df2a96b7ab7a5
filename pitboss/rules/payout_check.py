"""Is the payout about to be made right? The verdict, its working, and the cheques to cut.

A wager is judged by the rules of its own table: what the table decides, a terminal cannot decide
otherwise. What the facts given do not settle is answered "cannot verify", with the reasons; "right"
is only ever the outcome of a settlement.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from enum import StrEnum, unique
from typing import Any, Final

from pitboss.rules.cheques import combined, format_money, ordered
from pitboss.rules.cutting import SUPERVISOR, Cut, CutOptions, TrayShort, cut_payout, payable
from pitboss.rules.games import Surrender, TableRules, spoken, stadium_settings
from pitboss.rules.payout_claims import Claim
from pitboss.rules.pays import MeterShare, PayTable
from pitboss.rules.paytables import METERS, pay_table
from pitboss.rules.quoting import quoted
from pitboss.rules.refusal import Refusal, Refused
from pitboss.rules.settle import settle
from pitboss.rules.settlement import Settlement
from pitboss.rules.table_orders import Followed, Order, follow, not_ruled
from pitboss.rules.tax import TaxAnswer, judge
from pitboss.rules.tax_tables import STANDARD, TaxTables
from pitboss.rules.tax_win import Win

SURVEILLANCE: Final = "surveillance"
SHIFT_MANAGER: Final = "shift_manager"

# Illegible, or cards that no shoe holds: refused. Whatever else settles nothing cannot be verified.
_MALFORMED_PREFIXES: Final = ("bad_", "unknown_")
_MALFORMED: Final = frozenset({"dealer_up_differs", "too_many_cards", "too_many_of_a_card"})

# What `extra` may carry for `settle`, and no terminal may say otherwise than its table.
_TABLE_FIELDS: Final = frozenset(
    {
        "options",
        "dealer_soft_17",
        "table_max_cents",
        "surrender_mode",
        "rules",
        "jackpots_cents",
        "jackpot_cents",
    }
)
_READS_SOFT_17: Final = frozenset(
    {"blackjack", "insurance", "free_bet_coupon", "bet_bigger", "raise_the_roof"}
)
_TAKES_NO_LIMIT_CALL: Final = frozenset(
    {"insurance", "free_bet_coupon", "bet_bigger", "lucky_ladies", "blazing_7s"}
)


@unique
class Verdict(StrEnum):
    """What is said of a payout. There is no answer by default."""

    RIGHT = "right"
    OVERPAID = "overpaid"
    UNDERPAID = "underpaid"
    CANNOT_VERIFY = "cannot_verify"


@dataclass(frozen=True, slots=True)
class Approval:
    """Somebody must say yes before cheques leave the rack: why, and who."""

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

    def maximum_cents(self, wager: str) -> int:
        """Return the most that one bet on a wager may be."""
        side_bet = self.rules.side_bets.get(wager)
        return side_bet.maximum_cents if side_bet else self.rules.maximum_cents

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
    long_odds_from: int = 300
    taxes: TaxTables = STANDARD
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
            "approvals": [
                {"code": each.code, "message": each.message, "by": list(each.by)}
                for each in self.approvals
            ],
            "tax": self.tax.as_json() if self.tax else None,
            "orders": self.followed.as_answer() if self.followed else [],
            "reasons": [{"code": each.code, "message": each.message} for each in self.reasons],
        }

    @property
    def working(self) -> str:
        """Say how the verdict came about, so that a supervisor can read it out."""
        if self.settlement is None:
            return " ".join(reason.message for reason in self.reasons)
        return self.settlement.working


def check_payout(claim: Claim, now: TableNow) -> PayoutVerdict:
    """Judge one payout. Raises Refused for facts that cannot be read, or cannot be.

    >>> from pitboss.rules.games import table_rules
    >>> from pitboss.rules.games_printed import GAMES
    >>> from pitboss.rules.payout_claims import read_claim
    >>> rules = table_rules(GAMES["classic"], minimum_cents=2_500, maximum_cents=200_000)
    >>> tray = {10_000: 40, 2_500: 80, 500: 100}
    >>> now = TableNow(TableTerms.of(rules), tray, date(2026, 5, 1))
    >>> claim = read_claim({"wager": "super_3", "stake_cents": 500, "player_cards": ["9c", "9d"],
    ...                     "dealer_up": "9s", "paid_cents": 90_000})
    >>> verdict = check_payout(claim, now)
    >>> verdict.verdict.value, verdict.difference_cents, dict(verdict.cut.cheques)
    ('overpaid', 45000, {10000: 4, 2500: 2})
    """
    wager = claim.wager
    paytable = now.terms.paytables.get(wager)
    if paytable is None:
        name = now.terms.rules.game.name
        return _cannot(claim, [Refusal("wager_not_offered", f"{name} takes no {spoken(wager)}.")])
    if now.is_dealt and (faults := not_ruled(claim.case.get("extra"), now.orders)):
        return _cannot(claim, faults, paytable)
    followed = follow(claim, now.orders, now.terms.rules.soft_17) if now.orders else None
    if followed is not None:
        if followed.refusals:
            return _cannot(claim, list(followed.refusals), paytable)
        if followed.returned is not None:
            return replace(_judged(claim, followed.returned, paytable, now), followed=followed)
        claim = followed.claim
    case, reasons = _case(claim, paytable, now)
    try:
        settlement = settle(case)
    except Refused as refused:
        malformed = [each for each in refused.refusals if _is_malformed(each.code)]
        if malformed:
            raise Refused(malformed) from None
        return _cannot(claim, [*reasons, *refused.refusals], paytable)
    if reasons:
        return _cannot(claim, reasons, paytable)
    if followed is None:
        return _judged(claim, settlement, paytable, now)
    verdict = _judged(claim, followed.said(settlement), paytable, now)
    return replace(verdict, followed=followed)


def _is_malformed(code: str) -> bool:
    return code in _MALFORMED or code.startswith(_MALFORMED_PREFIXES)


def _cannot(
    claim: Claim, reasons: list[Refusal], paytable: PayTable | None = None
) -> PayoutVerdict:
    return PayoutVerdict(Verdict.CANNOT_VERIFY, claim.paid_cents, tuple(reasons), paytable=paytable)


def _case(claim: Claim, paytable: PayTable, now: TableNow) -> tuple[dict[str, Any], list[Refusal]]:
    """Return the wager with what its table decides, and where the terminal had it otherwise."""
    wager = claim.wager
    reasons = []
    told = claim.case.get("paytable")
    if told is not None and told not in (paytable.id, now.terms.keyed_paytable(wager)):
        reasons.append(
            Refusal(
                "paytable_differs",
                f"This table pays {spoken(wager)} by {paytable.name}, not by {quoted(told)}.",
            )
        )
    sent = claim.case.get("extra")
    if sent is not None and not isinstance(sent, Mapping):
        # The settlement says what is wrong with it.
        return {**claim.case, "paytable": paytable}, reasons
    extra = dict(sent or {})
    decided = _decided_by_table(claim, extra, now)
    for name in _TABLE_FIELDS & extra.keys():
        if extra.pop(name) != decided.get(name):
            message = f"{name} is decided by the table, and is not what was sent."
            reasons.append(Refusal("table_decides", message))
    if extra.get("surrender") is True and now.terms.rules.surrender is Surrender.DISABLED:
        reasons.append(Refusal("surrender_disabled", "There is no surrender at this table."))
    # A stadium's settlement knows its pay tables by name alone.
    by_name = wager == "stadium_blackjack"
    case = {**claim.case, "paytable": paytable.id if by_name else paytable}
    case["extra"] = {**extra, **decided} or None
    return case, reasons


def _decided_by_table(claim: Claim, sent: Mapping[str, Any], now: TableNow) -> dict[str, Any]:
    """Return what a terminal cannot say otherwise than its table: rules, limits, meters."""
    wager, rules = claim.wager, now.terms.rules
    if wager == "stadium_blackjack":
        return {"rules": dict(now.terms.stadium)}
    decided: dict[str, Any] = {}
    if now.terms.options:
        decided["options"] = now.terms.options
    if wager in _READS_SOFT_17:
        decided["dealer_soft_17"] = rules.soft_17
    if wager not in _TAKES_NO_LIMIT_CALL:
        most_cents = now.terms.maximum_cents(wager)
        stake_cents = claim.case.get("stake_cents")
        is_over = type(stake_cents) is int and stake_cents > most_cents
        if is_over or "pay_or_take_to_limit" in sent:
            decided["table_max_cents"] = most_cents
    if wager == "lucky_ladies":
        posted = METERS["lucky_ladies"]
        decided["jackpots_cents"] = {m: now.meters[m] for m in posted if m in now.meters}
    if wager == "blazing_7s" and "JACKPOT" in now.meters:
        decided["jackpot_cents"] = now.meters["JACKPOT"]
    if sent.get("surrender") is True:
        decided["surrender_mode"] = "early" if rules.surrender is Surrender.ENABLED else "late"
    return decided


def _judged(
    claim: Claim, settlement: Settlement, paytable: PayTable, now: TableNow
) -> PayoutVerdict:
    owed_cents = max(settlement.payout_cents, 0)
    payable_cents = payable(owed_cents, now.tray, now.cut)
    cut, fill = _cut(owed_cents, claim, now)
    if claim.paid_cents == payable_cents:
        verdict = Verdict.RIGHT
        take_back: Mapping[int, int] = {}
        add: Mapping[int, int] = {}
    else:
        is_over = claim.paid_cents > payable_cents
        verdict = Verdict.OVERPAID if is_over else Verdict.UNDERPAID
        take_back, add = _correction(claim, cut, now)
    return PayoutVerdict(
        verdict,
        claim.paid_cents,
        settlement=settlement,
        paytable=paytable,
        payable_cents=payable_cents,
        cut=cut,
        fill=fill,
        approvals=tuple(_approvals(claim, settlement, paytable, payable_cents, cut, now)),
        tax=_tax(claim, settlement, payable_cents, now),
        take_back=take_back,
        add=add,
    )


def _cut(amount_cents: int, claim: Claim, now: TableNow) -> tuple[Cut | None, Mapping[int, int]]:
    """Return the cheques for an amount, or what to fill the tray with first."""
    try:
        cut = cut_payout(
            amount_cents=amount_cents,
            tray=now.tray,
            bet=claim.bet,
            table_minimum_cents=now.terms.rules.minimum_cents,
            colour_up=claim.colour_up,
            options=now.cut,
        )
    except TrayShort as short:
        return None, short.fill
    return cut, {}


def _correction(
    claim: Claim, cut: Cut | None, now: TableNow
) -> tuple[Mapping[int, int], Mapping[int, int]]:
    """Return which cheques to take back from the layout, and which to add to it."""
    if cut is None:
        return {}, {}
    out: Mapping[int, int] = claim.paid
    if not out:
        # Nobody said which cheques lie there: those that a dealer would have cut.
        wrong, _ = _cut(claim.paid_cents, claim, now)
        if wrong is None or wrong.breakage_cents:
            return {}, {}
        out = wrong.cheques
    change = combined(cut.cheques, {cents: -count for cents, count in out.items()})
    return (
        {cents: -change[cents] for cents in ordered(change) if change[cents] < 0},
        {cents: change[cents] for cents in ordered(change) if change[cents] > 0},
    )


def _approvals(
    claim: Claim,
    settlement: Settlement,
    paytable: PayTable,
    payable_cents: int,
    cut: Cut | None,
    now: TableNow,
) -> Iterator[Approval]:
    """Yield who must say yes before this is paid, and why."""
    reasons = cut.reasons if cut is not None else ()
    for reason in reasons:
        yield Approval(reason.code, reason.message, (SUPERVISOR,))
    from_cents = now.cut.approval_from_cents
    if payable_cents >= from_cents and all(each.code != "sends_out_300" for each in reasons):
        message = f"A payout of {format_money(from_cents)} or more waits for approval."
        yield Approval("sends_out_300", message, (SUPERVISOR,))
    pay = paytable.pays.get(settlement.category)
    if isinstance(pay, MeterShare):
        message = "A jackpot is verified, confirmed by surveillance and released before it is paid."
        yield Approval("jackpot", message, (SUPERVISOR, SURVEILLANCE, SHIFT_MANAGER))
    elif pay is not None and (
        settlement.payout_cents
        >= pay.award(claim.stake_cents)
        >= now.long_odds_from * claim.stake_cents
    ):
        message = f"Odds of {now.long_odds_from} to 1 or more are confirmed by surveillance first."
        yield Approval("long_odds", message, (SUPERVISOR, SURVEILLANCE))


def _tax(
    claim: Claim, settlement: Settlement, payable_cents: int, now: TableNow
) -> TaxAnswer | None:
    """Return the papers that this win owes, taken for a resident with a taxpayer number.

    Who the winner is nobody knows at the table; it changes what is withheld, not that papers start.
    """
    wager_cents = claim.stake_cents
    stake_back_cents = wager_cents if settlement.stake_returned else 0
    received_cents = payable_cents + stake_back_cents
    rule = now.taxes.federal_on(now.paid_on)
    if rule is not None and received_cents < rule.ratio * wager_cents:
        return None
    found = judge(Win(now.paid_on, wager_cents, received_cents, True, True), now.taxes)
    return found if found.form is not None else None


def _keyed(cheques: Mapping[int, int]) -> dict[str, int]:
    return {str(cents): cheques[cents] for cents in ordered(cheques)}
