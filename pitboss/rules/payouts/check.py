"""Is the payout about to be made right? The verdict, its working, and the cheques to cut.

A wager is judged by the rules of its own table: what the table decides, a terminal cannot decide
otherwise. What the facts given do not settle is answered "cannot verify", with the reasons; "right"
is only ever the outcome of a settlement.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

from pitboss.rules.cards.rank_cards import leaves_suits_open, ways, without_suits
from pitboss.rules.cheques.change import make_change
from pitboss.rules.cheques.cheques import cheques_said, combined, ordered
from pitboss.rules.cheques.cutting import SUPERVISOR, Cut, TrayShort, cut_payout, payable
from pitboss.rules.cheques.keys import worth_of
from pitboss.rules.games.games import Surrender, spoken
from pitboss.rules.games.table_orders import follow, not_ruled
from pitboss.rules.games.tracked import is_tracked
from pitboss.rules.payouts.check_faults import judge_play
from pitboss.rules.payouts.claims import Claim
from pitboss.rules.payouts.jackpots import is_entered
from pitboss.rules.payouts.levels import Level, Payout, level_of
from pitboss.rules.payouts.verdict import Approval, PayoutVerdict, TableNow, TableTerms, Verdict
from pitboss.rules.paytables.pays import MeterShare, PayTable
from pitboss.rules.paytables.paytables import METERS
from pitboss.rules.quoting import quoted
from pitboss.rules.refusal import Refusal, Refused
from pitboss.rules.said import Said
from pitboss.rules.tax.tables import STANDARD
from pitboss.rules.tax.tax import TaxAnswer, judge
from pitboss.rules.wagers.blackjack import RESPLIT_ACES
from pitboss.rules.wagers.settle import settle
from pitboss.rules.wagers.settlement import Settlement
from pitboss.rules.wagers.side_bets import STAKE_CENTS_MAX

__all__ = [
    "Approval",
    "PayoutVerdict",
    "TableNow",
    "TableTerms",
    "Verdict",
    "check_payout",
    "what_is_owed",
]

SURVEILLANCE: Final = "surveillance"
PROMOTIONAL_TO_BOX: Final = "promotional_to_box"
SHIFT_MANAGER: Final = "shift_manager"

# Illegible: refused. Whatever else settles nothing cannot be verified.
_MALFORMED_PREFIXES: Final = ("bad_", "unknown_")
_MALFORMED: Final = frozenset({"dealer_up_differs", "too_many_cards"})

# What `extra` may carry for `settle`, and no terminal may say otherwise than its table.
_TABLE_FIELDS: Final = frozenset(
    {
        "options",
        "dealer_soft_17",
        "table_max_cents",
        "surrender_mode",
        RESPLIT_ACES,
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


def check_payout(claim: Claim, now: TableNow) -> PayoutVerdict:
    """Judge one payout. Raises Refused for facts that cannot be read, or cannot be.

    >>> from datetime import date
    >>> from pitboss.rules.games.games import table_rules
    >>> from pitboss.rules.games.printed import GAMES
    >>> from pitboss.rules.payouts.claims import read_claim
    >>> rules = table_rules(GAMES["classic"], minimum_cents=2_500, maximum_cents=200_000)
    >>> tray = {10_000: 40, 2_500: 80, 500: 100}
    >>> now = TableNow(TableTerms.of(rules), tray, date(2026, 5, 1))
    >>> claim = read_claim({"wager": "super_3", "stake_cents": 500, "player_cards": ["9c", "9d"],
    ...                     "dealer_up": "9s", "paid_cents": 90_000})
    >>> verdict = check_payout(claim, now)
    >>> verdict.verdict.value, verdict.difference_cents, dict(verdict.cut.cheques)
    ('overpaid', 45000, {10000: 4, 2500: 2})
    """
    found = _whatever_the_suits(claim, now) if leaves_suits_open(claim) else _found(claim, now)
    return _unverified(found, now)


def what_is_owed(claim: Claim, now: TableNow) -> PayoutVerdict:
    """Return what a bet is owed, as the check will find it that pays just that. Raises Refused."""
    found = check_payout(replace(claim, paid_cents=0, paid={}), now)
    if not found.payable_cents:
        return found
    return check_payout(replace(claim, paid_cents=found.payable_cents, paid={}), now)


def _whatever_the_suits(claim: Claim, now: TableNow) -> PayoutVerdict:
    """Judge cards that were told by rank, where all suits that they can have come to the same."""
    first: Claim | None = None
    outcome: object = None
    for way in ways(claim):
        if first is None:
            first, outcome = way, _outcome(way, now)
        elif _outcome(way, now) != outcome:
            message = "Enter the suits. This bet depends on them."
            return _cannot(claim, [Refusal("suits_needed", message)])
    if first is None:
        message = "The suits entered do not match “suited” or “not suited”. Check the cards."
        return _cannot(claim, [Refusal("suits_differ", message)])
    found = _found(first, now)
    settlement = found.settlement
    if settlement is not None:
        settlement = settlement._replace(working=without_suits(settlement.working, claim, first))
    reasons = tuple(
        Refusal(reason.code, without_suits(reason.message, claim, first))
        for reason in found.reasons
    )
    return replace(found, settlement=settlement, reasons=reasons)


def _outcome(claim: Claim, now: TableNow) -> object:
    """Return what of a settlement decides a payout, or why there is none."""
    paytable = now.terms.paytables.get(claim.wager)
    if paytable is None:
        return None
    try:
        settled = settle(_case(claim, paytable, now)[0])
    except Refused as refused:
        return tuple(refusal.code for refusal in refused.refusals)
    on_a_slip = is_entered(paytable, settled.category)
    return settled.payout_cents, settled.pushes, settled.envy_cents, on_a_slip


def _found(claim: Claim, now: TableNow) -> PayoutVerdict:
    wager = claim.wager
    paytable = now.terms.paytables.get(wager)
    if is_tracked(now.terms.rules.game) and not now.terms.paytables:
        name = now.terms.rules.game.name
        message = Said(
            "Pitboss has no rules for {name}. Ask the supervisor to verify it.", name=name
        )
        return _cannot(claim, [Refusal("no_rules_for_game", message)])
    if paytable is None:
        name = now.terms.rules.game.name
        message = Said(
            "{name} takes no {wager}. Return the bet.", name=name, wager=Said(spoken(wager))
        )
        return _cannot(claim, [Refusal("wager_not_offered", message)])
    if now.is_dealt and (faults := not_ruled(claim.case.get("extra"), now.orders)):
        return _cannot(claim, faults, paytable)
    followed = follow(claim, now.orders, now.terms.rules.soft_17) if now.orders else None
    if followed is not None:
        if followed.refusals:
            return _cannot(claim, list(followed.refusals), paytable)
        if followed.returned is not None:
            back = _judged(claim, followed.returned, paytable, now, warnings=())
            return replace(back, followed=followed)
        claim = followed.claim
    case, reasons = _case(claim, paytable, now)
    try:
        settlement = settle(case)
    except Refused as refused:
        malformed = [refusal for refusal in refused.refusals if _is_malformed(refusal.code)]
        if malformed:
            raise Refused(malformed) from None
        return _cannot(claim, [*reasons, *refused.refusals], paytable)
    played = judge_play(claim, now.terms.rules)
    codes = {reason.code for reason in reasons}
    reasons += [fault for fault in played.faults if fault.code not in codes]
    if claim.hand is not None and claim.hand > len(settlement.pushes):
        reasons.append(
            Refusal(
                "no_such_hand",
                Said("Hand {hand} not found. Check the hands of the split.", hand=claim.hand),
            )
        )
    if reasons:
        return _cannot(claim, reasons, paytable)
    if followed is None:
        return _judged(claim, settlement, paytable, now, played.warnings)
    verdict = _judged(claim, followed.said(settlement), paytable, now, played.warnings)
    return replace(verdict, followed=followed)


def _is_malformed(code: str) -> bool:
    return code in _MALFORMED or code.startswith(_MALFORMED_PREFIXES)


def not_verified(claim: Claim, faults: Iterable[Refusal], now: TableNow) -> PayoutVerdict:
    """Return that nothing can be verified, for faults that lie beyond the claim itself."""
    return _unverified(_cannot(claim, faults), now)


def _cannot(
    claim: Claim, reasons: Iterable[Refusal], paytable: PayTable | None = None
) -> PayoutVerdict:
    return PayoutVerdict(Verdict.CANNOT_VERIFY, claim.paid_cents, tuple(reasons), paytable=paytable)


def _unverified(found: PayoutVerdict, now: TableNow) -> PayoutVerdict:
    """Let what no one can verify wait for a word too, by what is about to be paid."""
    is_much = found.paid_cents >= now.cut.approval_from_cents
    is_known = found.verdict is not Verdict.CANNOT_VERIFY
    return found if is_known or not is_much else replace(found, level=Level.APPROVAL)


def _case(claim: Claim, paytable: PayTable, now: TableNow) -> tuple[dict[str, Any], list[Refusal]]:
    """Return the wager with what its table decides, and where the terminal had it otherwise."""
    wager = claim.wager
    reasons = []
    told = claim.case.get("paytable")
    if told is not None and told not in (paytable.id, now.terms.keyed_paytable(wager)):
        reasons.append(
            Refusal(
                "paytable_differs",
                Said(
                    "This table pays {wager} by {paytable}, not by {told}.",
                    wager=Said(spoken(wager)),
                    paytable=paytable.name,
                    told=quoted(told),
                ),
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
            message = Said("{name} is decided by the table, and is not what was sent.", name=name)
            reasons.append(Refusal("table_decides", message))
    if extra.get("surrender") is True and now.terms.rules.surrender is Surrender.DISABLED:
        reasons.append(
            Refusal("surrender_disabled", "This table doesn’t offer surrender. Play the hand out.")
        )
    # A stadium's settlement and a game's module know their pay tables by name alone.
    by_name = wager == "stadium_blackjack" or not paytable.pays
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
        most_cents = now.terms.maximum_cents(wager, claim.seat)
        stake_cents = claim.case.get("stake_cents")
        is_over = type(stake_cents) is int and stake_cents > most_cents
        is_more = most_cents > STAKE_CENTS_MAX.get(wager, most_cents)
        if is_over or is_more or "pay_or_take_to_limit" in sent:
            decided["table_max_cents"] = most_cents
    if wager == "lucky_ladies":
        posted = METERS["lucky_ladies"]
        decided["jackpots_cents"] = {m: now.meters[m] for m in posted if m in now.meters}
    if wager == "blazing_7s" and "JACKPOT" in now.meters:
        decided["jackpot_cents"] = now.meters["JACKPOT"]
    if wager == "blackjack" and rules.splitting.resplits_aces:
        decided[RESPLIT_ACES] = True
    if sent.get("surrender") is True:
        decided["surrender_mode"] = "early" if rules.surrender is Surrender.ENABLED else "late"
    return decided


def _judged(
    claim: Claim,
    settlement: Settlement,
    paytable: PayTable,
    now: TableNow,
    warnings: tuple[Refusal, ...],
) -> PayoutVerdict:
    hand = claim.hand
    owed_cents = settlement.pushed_cents if hand is None else settlement.pushes[hand - 1]
    cut: Cut | None = None
    fill: Mapping[int, int] = {}
    if isinstance(paytable.pays.get(settlement.category), MeterShare):
        # A metered award is paid on its slip, to the cent: the tray's cheques do not round it.
        payable_cents = owed_cents
    else:
        payable_cents = payable(owed_cents, now.tray, now.cut)
        cut, fill = _cut(owed_cents, claim, now)
    if claim.paid_cents == payable_cents:
        verdict = Verdict.RIGHT
        take_back: Mapping[int, int] = {}
        add: Mapping[int, int] = {}
    else:
        is_over = claim.paid_cents > payable_cents
        verdict = Verdict.OVERPAID if is_over else Verdict.UNDERPAID
        take_back, add = _correction(claim, payable_cents, cut, now)
    approvals = tuple(_approvals(claim, settlement, paytable, payable_cents, cut, now))
    tax = _tax(claim, settlement, payable_cents, now)
    payout = Payout(
        amount_cents=payable_cents,
        wager_cents=claim.stake_cents + claim.raise_cents,
        is_main=claim.wager in (now.terms.rules.game.main_wager, "insurance"),
        is_entered=is_entered(paytable, settlement.category),
        owes_form=tax is not None,
        asks_word=bool(approvals),
    )
    return PayoutVerdict(
        verdict,
        claim.paid_cents,
        settlement=settlement,
        paytable=paytable,
        payable_cents=payable_cents,
        cut=cut,
        fill=fill,
        approvals=approvals,
        tax=tax,
        level=level_of(payout, now.levels),
        take_back=take_back,
        add=add,
        warnings=(*warnings, *_into_the_box(claim)),
    )


def _into_the_box(claim: Claim) -> list[Refusal]:
    """Say where the promotional cheques of a bet go: they are bet once, won or lost."""
    promotional = {key: n for key, n in claim.bet.items() if not worth_of(key)}
    if not promotional:
        return []
    message = Said(
        "{cheques}: into the drop box. Pay in value cheques.", cheques=cheques_said(promotional)
    )
    return [Refusal(PROMOTIONAL_TO_BOX, message)]


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
    claim: Claim, payable_cents: int, cut: Cut | None, now: TableNow
) -> tuple[Mapping[int, int], Mapping[int, int]]:
    """Return which cheques to take back from the layout, and which to add to it.

    A payout is mended as it lies, by the fewest cheques; it is cut again where that cannot be.
    """
    out: Mapping[int, int] = claim.paid
    if not out:
        # No one said which cheques lie there: those that a dealer would have cut.
        wrong, _ = _cut(claim.paid_cents, claim, now) if cut is not None else (None, {})
        if wrong is None or wrong.breakage_cents:
            return {}, {}
        out = wrong.cheques
    over_cents = claim.paid_cents - payable_cents
    mended = make_change(abs(over_cents), out if over_cents > 0 else now.tray)
    if mended is not None:
        mended = {cents: mended[cents] for cents in ordered(mended)}
        return (mended, {}) if over_cents > 0 else ({}, mended)
    if cut is None:
        return {}, {}
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
    if payable_cents >= from_cents and all(reason.code != "sends_out_300" for reason in reasons):
        much = Said("A payout of {from_cents} or more needs approval.", from_cents=from_cents)
        yield Approval("sends_out_300", much, (SUPERVISOR,))
    pay = paytable.pays.get(settlement.category)
    if isinstance(pay, MeterShare):
        message = "A jackpot is verified, confirmed by surveillance and released before it is paid."
        yield Approval("jackpot", message, (SUPERVISOR, SURVEILLANCE, SHIFT_MANAGER))
    elif _is_long(claim, settlement, paytable, now):
        long = Said(
            "Odds of {odds} to 1 or more are confirmed by surveillance first.",
            odds=now.levels.long_odds_from,
        )
        yield Approval("long_odds", long, (SUPERVISOR, SURVEILLANCE))


def _is_long(claim: Claim, settlement: Settlement, paytable: PayTable, now: TableNow) -> bool:
    """Tell whether a bet won at odds that surveillance confirms first."""
    pay = paytable.pays.get(settlement.category)
    long_cents = now.levels.long_odds_from * claim.stake_cents
    if pay is not None:
        return settlement.payout_cents >= pay.award(claim.stake_cents) >= long_cents
    # The bets of a module have no rows: what it pays says the odds.
    return not paytable.pays and settlement.payout_cents >= long_cents


def _tax(
    claim: Claim, settlement: Settlement, payable_cents: int, now: TableNow
) -> TaxAnswer | None:
    """Return the papers that this win owes, taken for a resident with a taxpayer number.

    Who the winner is no one knows at the table; it changes what is withheld, not that papers start.
    """
    # The wager of a raised bet is ante and raise (R90): both pay the same odds.
    wager_cents = claim.stake_cents + claim.raise_cents
    stake_back_cents = wager_cents if settlement.stake_returned else 0
    received_cents = payable_cents + stake_back_cents
    # Nearly every win is far below, and the ratio is the law's: no house enters another.
    published = STANDARD.federal_on(now.paid_on)
    if published is not None and received_cents < published.ratio * wager_cents:
        return None
    taxes = now.tax.tables(now.paid_on)
    win = now.tax.win(
        paid_on=now.paid_on,
        wager_cents=wager_cents,
        received_cents=received_cents,
        is_resident=True,
        has_tin=True,
    )
    found = judge(win, taxes)
    return found if found.form is not None else None
