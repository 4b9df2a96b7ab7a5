"""Which tax form a table-game win needs, and what is withheld before it is paid.

A win is judged by the rules in force on the day it is paid. A W-2G is due when the winnings reach
the year's amount and 300 times the wager; net winnings above $5,000 at that ratio are subject to
regular withholding, and a reportable win without a taxpayer number to backup withholding. A
non-resident gets a 1042-S instead, or nothing where the bet counts as blackjack. Where the law is
open (a non-resident's side bet, a win without a wager) the answer is "ask", never a guess.

Each win is tested alone. Whether backup withholding adds up a patron's wins of the year is a
question for the property's adviser.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta
from enum import StrEnum
from typing import Any

from pitboss.rules.cheques.cheques import format_money
from pitboss.rules.money import percent, share_half_up
from pitboss.rules.refusal import refuse
from pitboss.rules.tax.lines import LineLevel, LineTrigger, TaxLineTerms, lines_on
from pitboss.rules.tax.tables import STANDARD, FederalRule, StateRule, StateTrigger, TaxTables
from pitboss.rules.tax.win import Nonresident, NonresidentTrigger, Win, read_win


class TaxFormName(StrEnum):
    """The papers a win can need."""

    W2G = "W-2G"
    F1042S = "1042-S"


class Withholding(StrEnum):
    """Why tax is kept back. ASK means that a supervisor decides before anything is paid."""

    NONE = "none"
    REGULAR = "regular"
    BACKUP = "backup"
    NONRESIDENT = "nonresident"
    ASK = "ask"


@dataclass(frozen=True, slots=True)
class TaxAnswer:
    """The papers, the tax and every step that led there."""

    form: TaxFormName | None
    withholding: Withholding
    federal_cents: int
    reportable_cents: int
    state_cents: int
    signature: bool
    form_5754: bool
    provisional: bool
    nonresident: Nonresident | None
    working: tuple[str, ...]
    # Which place took the state line and the local one, and the number that it knows the payer by.
    state: str = ""
    locality: str = ""
    local_cents: int = 0
    payer_numbers: tuple[str, str] = ("", "")

    @property
    def needs_decision(self) -> bool:
        """Return whether a supervisor must decide before the win is paid."""
        return self.withholding is Withholding.ASK

    def as_json(self) -> dict[str, Any]:
        """Return the shape the command line and the API speak."""
        answer: dict[str, Any] = {
            "form": self.form,
            "withholding": self.withholding,
            "federal_cents": self.federal_cents,
            "state_cents": self.state_cents,
            "reportable_cents": self.reportable_cents,
            "signature": self.signature,
            "form_5754": self.form_5754,
            "provisional": self.provisional,
            "working": "\n".join(self.working),
        }
        if self.locality:
            answer |= {"locality": self.locality, "local_cents": self.local_cents}
        if self.nonresident is not None:
            answer["nra"] = self.nonresident
        return answer


@dataclass(slots=True)
class _Finding:
    """An answer in the making."""

    working: list[str] = field(default_factory=list)
    form: TaxFormName | None = None
    withholding: Withholding = Withholding.NONE
    federal_cents: int = 0
    reportable_cents: int = 0
    state_cents: int = 0
    provisional: bool = False
    nonresident: Nonresident | None = None
    state: str = ""
    locality: str = ""
    local_cents: int = 0
    payer_numbers: dict[LineLevel, str] = field(default_factory=dict)


def answer(case: Mapping[str, Any], tables: TaxTables = STANDARD) -> dict[str, Any]:
    """Judge one win given as JSON. Raises Refused with every fault of a bad case.

    >>> found = answer({"paid_on": "2026-05-01", "wager_cents": 500, "received_cents": 681240,
    ...                 "resident": True, "tin": True, "state": None, "basis": "net"})
    >>> found["form"].value, found["withholding"].value, found["federal_cents"], found["signature"]
    ('W-2G', 'regular', 163378, True)
    >>> print(found["working"])
    Paid on 2026-05-01: a W-2G from $2,000 and 300 times the wager, withholding above $5,000.
    Received $6,812.40 less the wager of $5: net $6,807.40.
    Net $6,807.40 is above $5,000 and at least 300 x $5 = $1,500: regular withholding.
    24% of $6,807.40 is $1,633.78.
    The winner signs the W-2G.
    """
    return judge(read_win(case), tables).as_json()


def judge(win: Win, tables: TaxTables = STANDARD) -> TaxAnswer:
    """Decide the form and the withholding of one win.

    Raises Refused where no rule is known: a payment before the first row, a state without one.
    """
    rule = tables.federal_on(win.paid_on)
    if rule is None:
        raise refuse(
            "no_rule_for_date",
            f"No federal rule is on file for {win.paid_on}. Ask the tax adviser to enter one.",
        )
    finding = _Finding()
    _open_working(finding, win, rule)
    if win.net_cents <= 0:
        finding.working.append("Nothing was won beyond the wager: no form.")
    elif win.is_resident:
        _judge_resident(finding, win, rule)
    else:
        _judge_nonresident(finding, win, rule, tables)
    lines = lines_on(tables.lines, win.paid_on)
    if win.state is not None and LineLevel.STATE not in lines:
        finding.state = win.state
        _add_state_line(finding, win, win.state, tables)
    for line in lines.values():
        _add_line(finding, win, line)

    is_sole_winner = win.winners == 1
    signature = is_sole_winner and finding.withholding is Withholding.REGULAR
    form_5754 = not is_sole_winner and finding.form is TaxFormName.W2G
    if signature:
        finding.working.append("The winner signs the W-2G.")
    if form_5754:
        finding.working.append(
            f"{win.winners} people share the win: Form 5754 first, then one W-2G each."
        )
    return TaxAnswer(
        form=finding.form,
        withholding=finding.withholding,
        federal_cents=finding.federal_cents,
        reportable_cents=finding.reportable_cents,
        state_cents=finding.state_cents,
        signature=signature,
        form_5754=form_5754,
        provisional=finding.provisional,
        nonresident=finding.nonresident,
        working=tuple(finding.working),
        state=finding.state if finding.form is TaxFormName.W2G else "",
        locality=finding.locality if finding.form is TaxFormName.W2G else "",
        local_cents=finding.local_cents,
        payer_numbers=(
            finding.payer_numbers.get(LineLevel.STATE, ""),
            finding.payer_numbers.get(LineLevel.LOCAL, ""),
        ),
    )


def _open_working(finding: _Finding, win: Win, rule: FederalRule) -> None:
    finding.working.append(
        f"Paid on {win.paid_on}: a W-2G from {format_money(rule.report_cents)} and {rule.ratio}"
        f" times the wager, withholding above {format_money(rule.withhold_over_cents)}."
    )
    if win.paid_on > rule.published_until:
        finding.provisional = True
        finding.working.append(
            f"Provisional: no figures for {win.paid_on.year} are on file, so those of"
            f" {rule.published_until.year} are used. Check with the tax adviser."
        )
    finding.working.append(
        f"Received {format_money(win.received_cents)} less the wager of"
        f" {format_money(win.wager_cents)}: net {format_money(win.net_cents)}."
    )


def _is_reportable(win: Win, rule: FederalRule) -> bool:
    """Return whether a win reaches the amount and the ratio of a W-2G.

    Withholding is always tested net. A house that reports gross may not lose sight of a win it
    must withhold from, nor the other way about, so either test makes it reportable.
    """
    amount_cents = win.amount_cents(win.basis)
    return _is_regular(win, rule) or (
        amount_cents >= rule.report_cents and amount_cents >= rule.ratio * win.wager_cents
    )


def _is_regular(win: Win, rule: FederalRule) -> bool:
    return (
        win.net_cents > rule.withhold_over_cents and win.net_cents >= rule.ratio * win.wager_cents
    )


def _judge_resident(finding: _Finding, win: Win, rule: FederalRule) -> None:
    say = finding.working.append
    amount_cents = win.amount_cents(win.basis)
    if not _is_reportable(win, rule):
        say(_why_not_reportable(win, rule))
        return
    if win.wager_cents == 0:
        finding.withholding = Withholding.ASK
        say(
            f"{format_money(amount_cents)} was won without a wager, so any ratio is met. Whether"
            " that counts is not settled for table games: a supervisor decides before it is paid."
        )
        return

    finding.form = TaxFormName.W2G
    finding.reportable_cents = amount_cents
    ratio_cents = rule.ratio * win.wager_cents
    floor = f"{rule.ratio} x {format_money(win.wager_cents)} = {format_money(ratio_cents)}"
    if _is_regular(win, rule):
        finding.withholding = Withholding.REGULAR
        say(
            f"Net {format_money(win.net_cents)} is above {format_money(rule.withhold_over_cents)}"
            f" and at least {floor}: regular withholding."
        )
        basis_points = rule.regular_basis_points
    else:
        say(
            f"{win.basis.title()} {format_money(amount_cents)} is at least"
            f" {format_money(rule.report_cents)} and at least {floor}: W-2G."
        )
        if win.has_tin:
            say("A taxpayer number was given and regular withholding does not apply: none.")
            return
        finding.withholding = Withholding.BACKUP
        say("No taxpayer number was given: backup withholding.")
        basis_points = rule.backup_basis_points
    if win.payer_pays_tax:
        basis_points = rule.payer_pays_basis_points
        say("The house pays the tax on this prize, so the rate is grossed up.")
    _withhold(finding, win.net_cents, basis_points)


def _why_not_reportable(win: Win, rule: FederalRule) -> str:
    amount_cents = win.amount_cents(win.basis)
    amount = f"{win.basis.title()} {format_money(amount_cents)}"
    if amount_cents < rule.report_cents:
        return f"{amount} is below {format_money(rule.report_cents)}: no form."
    ratio_cents = rule.ratio * win.wager_cents
    return f"{amount} is below {rule.ratio} x the wager = {format_money(ratio_cents)}: no form."


def _judge_nonresident(finding: _Finding, win: Win, rule: FederalRule, tables: TaxTables) -> None:
    say = finding.working.append
    if win.nonresident is Nonresident.EXEMPT:
        finding.nonresident = Nonresident.EXEMPT
        say("Non-resident, and this bet counts as blackjack (26 USC 871(j)): no form, no tax.")
        return
    if win.nonresident_trigger is NonresidentTrigger.AS_W2G and not _is_reportable(win, rule):
        finding.nonresident = win.nonresident
        say("Non-resident. The house reports by the W-2G test. " + _why_not_reportable(win, rule))
        return

    base_cents = win.amount_cents(win.nonresident_base)
    treaty_basis_points = _treaty_rate(finding, win, tables)
    if treaty_basis_points is not None:
        finding.nonresident = Nonresident.TREATY
        basis_points = treaty_basis_points
        say("Non-resident with a valid treaty claim: 1042-S, income code 28, exemption code 04.")
    elif win.nonresident is Nonresident.ASK:
        finding.nonresident = Nonresident.ASK
        finding.withholding = Withholding.ASK
        say(
            "Non-resident. Whether a side bet is exempt as blackjack is not settled: a supervisor"
            " decides before it is paid."
        )
        return
    else:
        finding.nonresident = Nonresident.WITHHOLD_30
        basis_points = rule.nonresident_basis_points
        say("Non-resident: 1042-S, income code 28, exemption code 00.")
    finding.form = TaxFormName.F1042S
    finding.reportable_cents = base_cents
    if basis_points:
        finding.withholding = Withholding.NONRESIDENT
    _withhold(finding, base_cents, basis_points)


def _treaty_rate(finding: _Finding, win: Win, tables: TaxTables) -> int | None:
    """Return the rate of a valid treaty claim, or None; say why a claim fails.

    A claim takes a W-8BEN, a taxpayer number and a treaty in force. A case that says `treaty` and
    names no country reports a claim that someone has already checked; only the number is tested.
    """
    has_claim = win.nonresident is Nonresident.TREATY or win.country is not None
    if not has_claim:
        return None
    missing = []
    rate = 0
    if win.country is not None:
        treaty = tables.treaty_on(win.country, win.paid_on)
        if treaty is None:
            missing.append(f"no treaty with {win.country} is in force on {win.paid_on}")
        else:
            rate = treaty.basis_points
        if not win.has_w8ben:
            missing.append("there is no Form W-8BEN")
    if not win.has_tin:
        missing.append("no taxpayer number was given")
    if missing:
        finding.working.append(f"The treaty claim fails: {'; '.join(missing)}.")
        return None
    return rate


def _withhold(finding: _Finding, base_cents: int, basis_points: int) -> None:
    finding.federal_cents = share_half_up(base_cents, basis_points)
    finding.working.append(
        f"{percent(basis_points)} of {format_money(base_cents)} is"
        f" {format_money(finding.federal_cents)}."
    )


def _add_state_line(finding: _Finding, win: Win, state: str, tables: TaxTables) -> None:
    rule = tables.state_on(state, win.paid_on)
    if rule is None:
        raise refuse(
            "state_rule_unknown",
            f"No rule for {state} is on file for {win.paid_on}. Ask the tax adviser to enter one.",
        )
    base_cents = win.amount_cents(rule.base)
    if not _state_line_applies(finding, win, rule):
        finding.working.append(f"{state}: nothing to withhold ({rule.source}).")
        return
    if rule.basis_points is None:
        raise refuse(
            "state_rate_unknown",
            f"{state} withholds from this win but its rate is not confirmed."
            " Ask the tax adviser to enter it.",
        )
    finding.state_cents = share_half_up(base_cents, rule.basis_points)
    not_refundable = "" if rule.is_refundable else ", not refundable"
    finding.working.append(
        f"{state}: {percent(rule.basis_points)} of {format_money(base_cents)} is"
        f" {format_money(finding.state_cents)}{not_refundable} ({rule.source})."
    )
    if not rule.is_confirmed:
        finding.provisional = True
        finding.working.append(
            f"Provisional: the {state} rule is not confirmed. Check with the tax adviser."
        )


def _add_line(finding: _Finding, win: Win, line: TaxLineTerms) -> None:
    """Keep back what a confirmed line of the house's state or city takes.

    The lines follow the W-2G: a non-resident alien, who never gets one, has none.
    """
    base_cents = win.amount_cents(line.base)
    is_w2g = finding.form is TaxFormName.W2G
    is_triggered = (
        is_w2g
        and {
            LineTrigger.FEDERAL_WITHHOLDING: finding.withholding is Withholding.REGULAR,
            LineTrigger.ANY_W2G: True,
            LineTrigger.OWN_AMOUNT: base_cents >= line.threshold,
            LineTrigger.OWN_RATIO: base_cents >= line.threshold * win.wager_cents,
        }[line.trigger]
    )
    taken = 0
    if is_triggered and line.takes(win.region, win.city):
        taken = share_half_up(base_cents, line.basis_points)
        finding.working.append(
            f"{line.place}: {percent(line.basis_points)} of {format_money(base_cents)} is"
            f" {format_money(taken)} ({line.source}; confirmed by {line.confirmed_by})."
        )
    else:
        finding.working.append(f"{line.place}: nothing to withhold ({line.source}).")
    finding.payer_numbers[line.level] = line.payer_number
    if line.level is LineLevel.STATE:
        finding.state, finding.state_cents = line.place, taken
    else:
        finding.locality, finding.local_cents = line.place, taken


def _state_line_applies(finding: _Finding, win: Win, rule: StateRule) -> bool:
    """Return whether a state's trigger is hit.

    The lines follow the W-2G, so a non-resident alien, who never gets one, has none.
    """
    is_triggered = {
        StateTrigger.NONE: False,
        StateTrigger.FEDERAL_WITHHOLDING: finding.withholding is Withholding.REGULAR,
        StateTrigger.ANY_W2G: finding.form is TaxFormName.W2G,
        StateTrigger.OWN_AMOUNT: (
            win.is_resident and win.amount_cents(rule.base) >= rule.own_amount_cents
        ),
    }[rule.trigger]
    if not is_triggered or not rule.only_nonresidents_of_state:
        return is_triggered
    if win.is_state_resident is None:
        raise refuse(
            "state_residence_unknown",
            f"{rule.state} withholds from nonresidents. Enter whether the winner lives "
            "in the state.",
        )
    return not win.is_state_resident


@dataclass(frozen=True, slots=True)
class DueDates:
    """The last days for one tax year's papers."""

    winner_copies: date
    irs_paper: date
    irs_electronic: date
    form_1042s: date


def due_dates(tax_year: int) -> DueDates:
    """Return when a year's forms are due; a weekend moves a date to Monday.

    >>> due = due_dates(2026)
    >>> due.winner_copies.isoformat(), due.irs_paper.isoformat(), due.irs_electronic.isoformat()
    ('2027-02-01', '2027-03-01', '2027-03-31')
    """
    year = tax_year + 1
    return DueDates(
        winner_copies=_weekday_from(date(year, 1, 31)),
        irs_paper=_weekday_from(date(year, 2, 28)),
        irs_electronic=_weekday_from(date(year, 3, 31)),
        form_1042s=_weekday_from(date(year, 3, 15)),
    )


def _weekday_from(day: date) -> date:
    is_weekend = day.weekday() >= 5
    return day + timedelta(days=7 - day.weekday()) if is_weekend else day
