"""Payout mismatches: what was paid otherwise than it was judged, by whom, and how it ended."""

from __future__ import annotations

from django.urls import reverse

from pitboss.reports.book import Group, report
from pitboss.reports.report import (
    Asked,
    Bar,
    Cell,
    Chart,
    Choice,
    Column,
    Finding,
    Link,
    Report,
    Row,
    Section,
    Shape,
    Tone,
    report_link,
    row_of,
)
from tables.selectors.mismatches import Wrong, newest_wrong
from tables.selectors.payout_stats import Row as Tallied
from tables.selectors.payout_stats import payout_stats

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
    Column("corrected", "Put right", Shape.COUNT, is_minor=True),
    Column("overridden", "Left so", Shape.COUNT, is_minor=True),
)
_WRONG = (
    Column("at", "When", Shape.TIME),
    Column("table", "Table"),
    Column("dealer", "Dealer"),
    Column("wager", "Wager"),
    Column("owed", "Owed", Shape.MONEY),
    Column("paid", "Paid", Shape.MONEY),
    Column("differs", "Differs by", Shape.CHANGE),
    Column("settled", "How it ended"),
)


@report(
    key=KEY,
    title="Payout mismatches",
    group=Group.PLAY,
    says="Payouts confirmed otherwise than they were judged, and what was caught before.",
    page=PAGE,
    asked=Asked(days_max=31, ways=_WAYS),
)
def mismatches(choice: Choice) -> Report:
    """Return what became of checked payouts, and every one that went wrong. Five queries."""
    stats = payout_stats(choice.first, choice.last)
    lines = {DEALER: stats.dealers, WAGER: stats.wagers, TABLE: stats.tables}[choice.by]
    wrong = [
        each
        for each in newest_wrong(choice.first, choice.last, most=ROWS_MAX)
        if choice.of in ("", _name_of(each, choice.by))
    ]
    went_wrong = Section(
        "Went wrong", _WRONG, tuple(map(_wrong, wrong)), "Every payout was made as judged."
    )
    if choice.of:
        return Report((went_wrong,))
    opened = sum(each.settlement is None for each in wrong)
    tallied = Section(
        _WAYS[choice.by],
        (Column(choice.by, choice.by.capitalize()), *_TALLIES),
        tuple(_tallied(line, choice) for line in lines),
        "No payout was checked.",
    )
    return Report(
        (tallied, went_wrong),
        Finding(Tone.BAD, f"{opened} payouts that differ are not settled.")
        if opened
        else Finding(Tone.GOOD, "Every payout that differed is settled."),
        Chart(
            "Paid wrong, over and under",
            Shape.COUNT,
            tuple(
                Bar(line.name, line.tally.wrong, link=_own(line, choice))
                for line in lines[:BARS_MAX]
                if line.tally.wrong
            ),
        ),
        (
            "Caught: judged wrong and not paid so. Overpaid and underpaid: confirmed by the dealer "
            "otherwise than judged, whether a supervisor put it right afterwards or let it stand.",
        ),
    )


def _name_of(wrong: Wrong, by: str) -> str:
    dealer = wrong.mismatch.dealer
    return {
        DEALER: dealer.badge if dealer else "",
        WAGER: wrong.wager,
        TABLE: wrong.mismatch.table.name,
    }[by]


def _own(line: Tallied, choice: Choice) -> Link | None:
    """Return where a line opens to what went wrong in it; nowhere when nothing did."""
    of = line.name if choice.by == WAGER else line.key
    has_wrong = line.tally.wrong or line.tally.paid_unverified
    return report_link(KEY, PAGE, choice, of=of) if of and has_wrong else None


def _tallied(line: Tallied, choice: Choice) -> Row:
    tally, link = line.tally, _own(line, choice)
    return row_of(
        Cell(line.name, link),
        tally.checks,
        tally.caught,
        Cell(tally.overpaid, link),
        Cell(tally.overpaid_cents, link),
        Cell(tally.underpaid, link),
        Cell(tally.underpaid_cents, link),
        Cell(tally.unverified, link),
        Cell(tally.corrected, link),
        Cell(tally.overridden, link),
        tone=Tone.PLAIN if tally.is_settled else Tone.BAD,
    )


def _wrong(wrong: Wrong) -> Row:
    mismatch, settlement = wrong.mismatch, wrong.settlement
    ended = "Not settled yet."
    if settlement is not None:
        ended = f"{settlement.get_way_display()} by {settlement.settled_by}"
        ended += f": {settlement.reason}" if settlement.reason else ""
    link = Link(reverse("mismatch", args=[mismatch.pk]), "mismatch")
    return row_of(
        mismatch.at,
        mismatch.table.name,
        str(mismatch.dealer) if mismatch.dealer else "nobody tapped in",
        wrong.wager,
        mismatch.owed_cents,
        Cell(mismatch.paid_cents, link),
        Cell(mismatch.difference_cents, link),
        ended,
        tone=Tone.PLAIN if settlement is not None else Tone.BAD,
    )
