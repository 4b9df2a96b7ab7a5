"""Payout mismatches: what was paid otherwise than it was judged, by whom, and how it ended."""

from __future__ import annotations

from django.db.models import Q
from django.urls import reverse

from pitboss.reports.book import Group, report
from pitboss.reports.report import (
    Bar,
    Cell,
    Chart,
    Column,
    Finding,
    Link,
    Report,
    ReportChoice,
    ReportScope,
    Row,
    Section,
    Shape,
    Tone,
    newest_of,
    report_link,
    row_of,
)
from pitboss.rules.games.games import spoken
from tables.models import PayoutCheck
from tables.selectors.mismatches import WrongPayout, newest_wrong, wrong_among
from tables.selectors.payout_stats import COUNTED, checks_between, payout_stats
from tables.selectors.payout_stats import PayoutRow as Tallied

KEY, PAGE = "mismatches", "payouts"
BARS_MAX, ROWS_MAX = 20, 1_000
DEALER, WAGER, TABLE = "dealer", "wager", "table"
_WAYS = {DEALER: "By dealer", WAGER: "By wager", TABLE: "By table"}
_TALLIES = (
    Column("checks", "Checks", Shape.COUNT),
    Column("caught", "Caught", Shape.COUNT),
    Column("overpaid", "Overpaid", Shape.COUNT),
    Column("overpaid_amount", "Too much", Shape.MONEY),
    Column("underpaid", "Underpaid", Shape.COUNT),
    Column("underpaid_amount", "Too little", Shape.MONEY),
    Column("unverified", "Not verified", Shape.COUNT, is_minor=True),
    Column("corrected", "Corrected", Shape.COUNT, is_minor=True),
    Column("overridden", "Left as paid", Shape.COUNT, is_minor=True),
)
_WRONG = (
    Column("at", "When", Shape.TIME),
    Column("table", "Table"),
    Column("dealer", "Dealer"),
    Column("wager", "Wager"),
    Column("owed", "Owed", Shape.MONEY),
    Column("paid", "Paid", Shape.MONEY),
    Column("differs", "Difference", Shape.CHANGE),
    Column("settled", "How it ended"),
)

_CHECKS = (
    Column("at", "When", Shape.TIME),
    Column("table", "Table"),
    Column("dealer", "Dealer", is_minor=True),
    Column("wager", "Wager"),
    Column("stake", "Stake", Shape.MONEY, is_minor=True),
    Column("owed", "Owed", Shape.MONEY),
    Column("keyed", "Entered", Shape.MONEY),
    Column("verdict", "Verdict"),
    Column("working", "Working", is_minor=True),
)
# What a number of a line is opened for, and the payouts that it counts.
CHECKS, CAUGHT, UNVERIFIED, PAID_WRONG = "checks", "caught", "not verified", "paid wrong"
_OPENED = {
    CHECKS: COUNTED["checks"],
    CAUGHT: COUNTED["caught_over"] | COUNTED["caught_under"],
    UNVERIFIED: COUNTED["unverified"],
    PAID_WRONG: COUNTED["overpaid"] | COUNTED["underpaid"],
    "overpaid": COUNTED["overpaid"],
    "underpaid": COUNTED["underpaid"],
    "put right": COUNTED["corrected"],
    "left so": COUNTED["overridden"],
}
_OPENED_BY = {
    "checks": CHECKS,
    "caught": CAUGHT,
    "overpaid": "overpaid",
    "overpaid_amount": "overpaid",
    "underpaid": "underpaid",
    "underpaid_amount": "underpaid",
    "unverified": UNVERIFIED,
    "corrected": "put right",
    "overridden": "left so",
}
# Numbers of payouts as they were checked; the others are of payouts that went wrong.
_CHECKED = frozenset({CHECKS, CAUGHT, UNVERIFIED})


@report(
    key=KEY,
    title="Payout mismatches",
    group=Group.PLAY,
    says="Payouts confirmed at a different amount than owed, and those caught before.",
    page=PAGE,
    asked=ReportScope(days_max=31, ways=_WAYS),
)
def mismatches(choice: ReportChoice) -> Report:
    """Return what became of checked payouts, or the payouts that one number counts."""
    figure, _, key = choice.of.partition(": ")
    if figure in _OPENED:
        return Report((_behind(figure, key, choice),))
    stats = payout_stats(choice.first, choice.last)
    lines = {DEALER: stats.dealers, WAGER: stats.wagers, TABLE: stats.tables}[choice.by]
    wrong = newest_wrong(choice.first, choice.last, most=ROWS_MAX)
    went_wrong = Section(
        "Went wrong", _WRONG, tuple(map(_wrong, wrong)), "Every payout matched its check."
    )
    opened = sum(wrong_payout.settlement is None for wrong_payout in wrong)
    tallied = Section(
        _WAYS[choice.by],
        (Column(choice.by, choice.by.capitalize()), *_TALLIES),
        tuple(_tallied(line, choice) for line in lines),
        "No payout was checked.",
    )
    return Report(
        (tallied, went_wrong),
        Finding(Tone.BAD, f"Payout mismatches not settled: {opened}.")
        if opened
        else Finding(Tone.GOOD, "Every payout that differed is settled."),
        Chart(
            "Paid wrong, over and under",
            Shape.COUNT,
            tuple(
                Bar(line.name, line.tally.wrong, link=_opened(PAID_WRONG, line, choice))
                for line in lines[:BARS_MAX]
                if line.tally.wrong
            ),
        ),
        (
            "Caught: wrong when checked and not paid that way. Overpaid and underpaid: "
            "confirmed by the dealer at a different amount than owed, whether a "
            "supervisor corrected it afterwards or left it as paid.",
        ),
    )


def _opened(figure: str, line: Tallied, choice: ReportChoice) -> Link:
    return report_link(KEY, PAGE, choice, of=f"{figure}: {line.key}")


def _tallied(line: Tallied, choice: ReportChoice) -> Row:
    tally = line.tally
    values = {
        "checks": tally.checks,
        "caught": tally.caught,
        "overpaid": tally.overpaid,
        "overpaid_amount": tally.overpaid_cents,
        "underpaid": tally.underpaid,
        "underpaid_amount": tally.underpaid_cents,
        "unverified": tally.unverified,
        "corrected": tally.corrected,
        "overridden": tally.overridden,
    }
    cells = (
        Cell(values[column.key], _opened(_OPENED_BY[column.key], line, choice))
        for column in _TALLIES
    )
    name = Cell(line.name, _opened(PAID_WRONG, line, choice)) if tally.wrong else line.name
    return row_of(name, *cells, tone=Tone.PLAIN if tally.is_settled else Tone.BAD)


def _behind(figure: str, key: str, choice: ReportChoice) -> Section:
    """Return the payouts of a dealer, a wager or a table that one number counts."""
    whose = {DEALER: Q(dealer__badge=key), WAGER: Q(wager=key), TABLE: Q(table__name=key)}
    # At a table where no one had tapped in no dealer paid.
    nobody = Q(dealer=None) if choice.by == DEALER and not key else whose[choice.by]
    checks = checks_between(choice.first, choice.last).filter(_OPENED[figure], nobody)
    title = f"{figure}, {choice.by} {key or 'unknown'}".capitalize()
    if figure not in _CHECKED:
        return Section(title, _WRONG, tuple(map(_wrong, wrong_among(checks))), "No payout.")
    newest = list(checks.select_related("table", "dealer").order_by("-at", "-pk")[:ROWS_MAX])
    found = len(newest) if len(newest) < ROWS_MAX else checks.count()
    rows = tuple(map(_check, newest))
    return Section(newest_of(title, len(rows), found), _CHECKS, rows, "No payout.")


def _check(check: PayoutCheck) -> Row:
    return row_of(
        check.at,
        check.table.name,
        str(check.dealer) if check.dealer else "no dealer tapped in",
        spoken(check.wager),
        check.stake_cents,
        check.payable_cents,
        check.paid_cents,
        check.get_verdict_display(),
        check.answer["working"],
    )


def _wrong(wrong: WrongPayout) -> Row:
    mismatch, settlement = wrong.mismatch, wrong.settlement
    ended = "Not settled yet."
    if settlement is not None:
        ended = f"{settlement.get_way_display()} by {settlement.settled_by}"
        ended += f": {settlement.reason}" if settlement.reason else ""
    link = Link(reverse("mismatch", args=[mismatch.pk]), "mismatch")
    return row_of(
        mismatch.at,
        mismatch.table.name,
        str(mismatch.dealer) if mismatch.dealer else "no dealer tapped in",
        wrong.wager,
        mismatch.owed_cents,
        mismatch.paid_cents,
        mismatch.difference_cents,
        ended,
        tone=Tone.PLAIN if settlement is not None else Tone.BAD,
        opens=link,
    )
