"""What tables won, from counts, slips and boxes, with every slip behind each figure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime

from inventory.models import ChequeTransfer, Holder, MarkerEntry, TrayCount
from pitboss.models import Slip, Table
from pitboss.rules.cheques.cheques import total_cents
from pitboss.rules.cheques.keys import worth_of
from pitboss.rules.cheques.tray_counts import ENDING
from pitboss.rules.day.win import (
    Drop,
    ExtraPayout,
    Paid,
    PayoutSource,
    WinFigures,
    WinOfTable,
    table_win,
    together,
)
from pitboss.rules.drop.corrections import drop_of
from pitboss.rules.drop.figures import COUPONS, FOREIGN_CHEQUES, cash_cents
from pitboss.rules.payouts.big_wins import BIG_WIN
from pitboss.rules.payouts.jackpot_flows import JACKPOT
from pitboss.services.shown import FIGURES, STOOD
from pitboss.slips.late import true_time_of
from tables.models import DropEstimate
from tables.selectors.day_books import BoxOfDay, DayBook, Stretch, day_books, is_restated_in
from tables.selectors.tray_past import counted_at, restated_day
from tables.services.payouts import PaidOut

_CAGE_SIDE = frozenset({Holder.CAGE.value, Holder.CARRIER.value})


@dataclass(frozen=True, slots=True)
class Behind:
    """One paper behind a figure, and what it adds to it."""

    serial: str
    words: str
    amount_cents: int
    at: datetime


@dataclass(frozen=True, slots=True)
class WinLine:
    """One figure of the win, how it counts, and the papers that it is made of."""

    key: str
    title: str
    # 1 adds to win, -1 takes from it, 0 stands beside it.
    sign: int
    amount_cents: int
    behind: tuple[Behind, ...] = ()


@dataclass(frozen=True, slots=True)
class TableWin:
    """What one table won in a gaming day, or in one shift of it."""

    table: Table
    # Where it stood and what was dealt there when its play ended.
    pit: str
    game: str
    gaming_day: date
    shift: str | None
    figures: WinFigures
    lines: tuple[WinLine, ...]
    # Newest guess of each shift, and all of them as they were keyed; none when no one guessed.
    estimate_cents: int | None
    estimates: tuple[DropEstimate, ...]
    estimated: WinOfTable | None
    drop: Drop | None
    final: WinOfTable | None
    # Why there is no final figure yet, in words; empty once there is.
    open_reasons: tuple[str, ...] = ()
    corrections: tuple[WinLine, ...] = ()

    @property
    def has_played(self) -> bool:
        return bool(self.lines)

    @property
    def drop_cents(self) -> int | None:
        return self.drop.total_cents if self.drop else None

    @property
    def estimated_cents(self) -> int | None:
        return self.estimated.win_cents if self.estimated else None

    @property
    def final_cents(self) -> int | None:
        return self.final.win_cents if self.final else None


@dataclass(slots=True)
class _Papers:
    """Papers gathered by the figure that they belong to."""

    by_key: dict[str, list[Behind]] = field(default_factory=lambda: defaultdict(list))

    def add(self, key: str, slip: Slip, amount_cents: int, at: datetime, words: str = "") -> None:
        self.by_key[key].append(Behind(slip.serial, words or slip.title, amount_cents, at))

    def sum(self, key: str) -> int:
        return sum(behind.amount_cents for behind in self.by_key[key])


_TITLES = {
    "closing": ("Closing count", 1),
    "credits": ("Credits to the cage", 1),
    "cash": ("Cash in the box", 1),
    "foreign_cheques": ("Cheques of other houses", 1),
    "markers": ("Markers issued", 1),
    "opening": ("Opening count", -1),
    "fills": ("Fills from the cage", -1),
    "marker_payments": ("Markers paid at the table", -1),
    "marker_cash": ("Markers paid in cash, which is in the box", 0),
    "jackpots": ("Jackpots paid from the tray", 0),
    "jackpots_cage": ("Jackpots paid by the cage", 0),
    "jackpots_bank_cheque": ("Jackpots paid by cage check", 0),
    "envy": ("Envy paid from the tray", 0),
    "coupons": ("Coupons taken, paid from the tray", 0),
}


# How each figure counts for the win.
FIGURE_SIGNS = {key: sign for key, (_, sign) in _TITLES.items()}


def table_report(table: Table, gaming_day: date, shift: str | None = None) -> TableWin:
    """Return what a table won in a gaming day, or in one shift of it."""
    return next(iter(tables_report([table], gaming_day, shift)))


def tables_report(
    tables: Sequence[Table], gaming_day: date, shift: str | None = None
) -> list[TableWin]:
    """Return what some tables won. A fixed number of queries, however many tables."""
    books = day_books(tables, gaming_day, shift)
    return [_win_of(table, gaming_day, shift, books[table.pk]) for table in tables]


def _win_of(table: Table, gaming_day: date, shift: str | None, book: DayBook) -> TableWin:
    papers = _Papers()
    for stretch in book.stretches:
        _add_counts(papers, stretch, book.stretches)
        _add_moves(papers, stretch, book.moves)
        _add_cash_payments(papers, stretch, book.cash_payments)
        _add_payouts(papers, stretch, book.payouts)
    corrections = [*_add_late(papers, book), *_add_corrections(papers, book)]
    reasons = _open_reasons(book)
    drop = _add_boxes(papers, book.boxes) if book.boxes and not reasons else None
    figures = _figures(papers)
    estimate = _newest(book.estimates)
    played = bool(book.stretches or book.boxes)
    stood = book.stretches[-1].ended.slip.details.get(STOOD, {}) if book.stretches else {}
    return TableWin(
        table=table,
        pit=stood.get("pit", table.pit.name),
        game=stood.get("game", table.game),
        gaming_day=gaming_day,
        shift=shift,
        figures=figures,
        lines=_lines(papers) if played else (),
        estimate_cents=estimate,
        estimates=tuple(book.estimates),
        estimated=table_win(figures, Drop(estimate))
        if book.stretches and estimate is not None
        else None,
        drop=drop,
        final=table_win(figures, drop) if drop is not None else None,
        open_reasons=tuple(reasons),
        corrections=(*corrections, *_drop_corrections(book.boxes)),
    )


def _add_counts(papers: _Papers, stretch: Stretch, stretches: Sequence[Stretch]) -> None:
    """A count between two stretches ends one and begins the next: it cancels, and is left out."""
    ends = {item.ended.pk for item in stretches}
    begins = {item.began.pk for item in stretches}
    for key, count, within in (
        ("opening", stretch.began, ends),
        ("closing", stretch.ended, begins),
    ):
        if count.pk not in within:
            worth = total_cents({int(cents): n for cents, n in count.cheques.items()})
            papers.add(key, count.slip, worth, count.at)


def _add_moves(papers: _Papers, stretch: Stretch, moves: Sequence[ChequeTransfer]) -> None:
    """Add what went in and out of the tray on slips between two counts."""
    first, last = stretch.began.tray_sequence, stretch.ended.tray_sequence
    net: dict[tuple[str, Slip], int] = defaultdict(int)
    when: dict[Slip, datetime] = {}
    for move in moves:
        is_between = first < (move.tray_sequence or 0) <= last
        if not is_between or move.slip_id == stretch.ended.slip_id:
            continue
        worth = worth_of(move.denomination_cents) * move.count
        into_tray = move.target == Holder.TRAY.value
        other = move.source if into_tray else move.target
        key = _figure_of(move.slip, other, into_tray=into_tray)
        # A fill that came back out, or a credit that came back in, takes from its own figure.
        adds = into_tray if key in ("fills", "marker_payments") else not into_tray
        net[key, move.slip] += worth if adds else -worth
        when[move.slip] = move.at
    for (key, slip), cents in net.items():
        papers.add(key, slip, cents, when[slip])


def _add_cash_payments(papers: _Papers, stretch: Stretch, entries: Iterable[MarkerEntry]) -> None:
    """Add what was paid on markers in cash between two counts."""
    for entry in entries:
        began, ended = counted_at(stretch.began.slip), counted_at(stretch.ended.slip)
        if began < entry.slip.raised_at <= ended:
            words = f"{entry.slip.title}, in cash"
            papers.add("marker_payments", entry.slip, entry.cash_cents, entry.at, words)
            papers.add("marker_cash", entry.slip, entry.cash_cents, entry.at, words)


def _figure_of(slip: Slip, other: str, *, into_tray: bool) -> str:
    if slip.kind in (JACKPOT, BIG_WIN):
        return "jackpots"
    if other in _CAGE_SIDE:
        if slip.kind.startswith("credit"):
            return "credits"
        return "fills"
    return "marker_payments" if into_tray else "markers"


def _add_payouts(papers: _Papers, stretch: Stretch, payouts: Sequence[PaidOut]) -> None:
    """Add what was paid beyond the game between two counts and did not move in the ledger."""
    for paid in payouts:
        if stretch.began.at < paid.at <= stretch.ended.at:
            key = _PAYOUT_KEYS[paid.paid, paid.source]
            papers.by_key[key].append(Behind(paid.serial, paid.words, paid.amount_cents, paid.at))


_LATE_FIGURES = {
    "fill": "fills",
    "credit": "credits",
    "marker": "markers",
    "front_draw": "markers",
    "payment": "marker_payments",
    "payout": "jackpots",
}


def _add_late(papers: _Papers, book: DayBook) -> list[WinLine]:
    """Add what was keyed late to the stretch in which it happened; corrections are named apart."""
    corrections = []
    for slip in book.late:
        true_time = true_time_of(slip)
        if not any(
            counted_at(stretch.began.slip) < true_time <= counted_at(stretch.ended.slip)
            for stretch in book.stretches
        ):
            continue
        key = _LATE_FIGURES[slip.details["what"]]
        words = f"{slip.title}, paper slip {slip.details['paper_number']}"
        cash_cents = slip.details.get("cash_cents", 0)
        papers.add(key, slip, slip.total_cents + cash_cents, true_time, words)
        if cash_cents:
            papers.add("marker_cash", slip, cash_cents, true_time, words)
        if slip.details.get("restates"):
            sign = -1 if key == "fills" else 1
            behind = Behind(slip.serial, words, slip.total_cents, slip.raised_at)
            title = f"Correction of {restated_day(slip):%b %-d, %Y}"
            corrections.append(WinLine(slip.serial, title, sign, slip.total_cents, (behind,)))
    return corrections


def _add_corrections(papers: _Papers, book: DayBook) -> list[WinLine]:
    """Add what corrects finished slips to the stretch in which they happened."""
    began = {stretch.began.slip_id for stretch in book.stretches}
    ended = {stretch.ended.slip_id for stretch in book.stretches}
    lines = []
    for slip in book.corrections:
        figures = dict(slip.details["figures"])
        if (count := slip.details.get("of_count")) is not None:
            # As with the count itself: one that ends a stretch and begins the next cancels out.
            figures = {
                key: slip.details["change_cents"]
                for key, own, other in (("opening", began, ended), ("closing", ended, began))
                if count in own and count not in other
            }
        elif not any(is_restated_in(slip, stretch) for stretch in book.stretches):
            continue
        words = f"{slip.title} of {slip.details['root']}"
        for key, cents in figures.items():
            papers.add(key, slip, cents, slip.raised_at, words)
        if change := sum(FIGURE_SIGNS[key] * cents for key, cents in figures.items()):
            behind = Behind(slip.serial, words, abs(change), slip.raised_at)
            title = f"{slip.details['root']} corrected"
            lines.append(
                WinLine(slip.serial, title, -1 if change < 0 else 1, abs(change), (behind,))
            )
    return lines


def _open_reasons(book: DayBook) -> list[str]:
    """Say why the cash of these stretches is not known yet: it lies in a box, or is not counted."""
    if not book.stretches:
        return []
    reasons = [
        f"Box {box.pull.details['box']} on {box.pull.serial} is not counted and posted."
        for box in book.boxes
        if box.counted is None
    ]
    last = book.stretches[-1].ended
    if last.slip_id not in {box.ended.pk for box in book.boxes}:
        reasons.append(f"The box was not pulled after {last.slip.serial}.")
    first = _count_before(book.counts, book.stretches[0].began)
    if first is not None and first.slip.serial not in book.pulled_on:
        reasons.append(
            f"The box was not pulled after {first.slip.serial}, so it also has earlier cash."
        )
    return reasons


def _count_before(counts: Sequence[TrayCount], began: TrayCount) -> TrayCount | None:
    """Return the last count of play before a stretch: itself, or the closer before its opener."""
    index = counts.index(began)
    return next(
        (count for count in reversed(counts[: index + 1]) if count.slip.kind in ENDING), None
    )


def _add_boxes(papers: _Papers, boxes: Iterable[BoxOfDay]) -> Drop:
    for box in boxes:
        assert box.counted is not None, "a box without a count is a reason to wait"
        figures = box.counted.details[FIGURES]
        words = f"Box {box.pull.details['box']}, pulled on {box.pull.serial}"
        papers.add("cash", box.counted, cash_cents(figures), box.counted.raised_at, words)
        for key, line in ((FOREIGN_CHEQUES, "foreign_cheques"), (COUPONS, "coupons")):
            if figures[key]:
                papers.add(line, box.counted, figures[key], box.counted.raised_at, words)
        for slip in box.corrections:
            _add_correction(papers, slip)
    return Drop(papers.sum("cash"), papers.sum("foreign_cheques"))


def _add_correction(papers: _Papers, slip: Slip) -> None:
    """Add what a correction changes of a box that was posted: the count stays beside it."""
    was, now = slip.details["was"], slip.details[FIGURES]
    changes = {
        "cash": cash_cents(now) - cash_cents(was),
        "foreign_cheques": now[FOREIGN_CHEQUES] - was[FOREIGN_CHEQUES],
        "coupons": now[COUPONS] - was[COUPONS],
    }
    for key, change in changes.items():
        if change:
            words = f"{slip.title} of box {slip.details['box']}"
            papers.add(key, slip, change, slip.raised_at, words)


def _drop_corrections(boxes: Iterable[BoxOfDay]) -> list[WinLine]:
    """Say which corrections of boxes are in the figures, and what each added."""
    lines = []
    for slip in (correction for box in boxes for correction in box.corrections):
        change = drop_of(slip.details[FIGURES]) - drop_of(slip.details["was"])
        behind = Behind(slip.serial, slip.title, abs(change), slip.raised_at)
        sign = -1 if change < 0 else 1
        title = f"Drop count of box {slip.details['box']} corrected"
        lines.append(WinLine(slip.serial, title, sign, abs(change), (behind,)))
    return lines


# Which figure a payout belongs to. What the tray pays on a jackpot moves in the ledger.
_PAYOUT_KEYS = {
    (Paid.JACKPOT, PayoutSource.CAGE): "jackpots_cage",
    (Paid.JACKPOT, PayoutSource.BANK_CHEQUE): "jackpots_bank_cheque",
    (Paid.ENVY, PayoutSource.TRAY): "envy",
}
_PAYOUTS = {
    "coupons": (Paid.COUPON, PayoutSource.TRAY),
    "jackpots": (Paid.JACKPOT, PayoutSource.TRAY),
    **{key: pair for pair, key in _PAYOUT_KEYS.items()},
}


def _figures(papers: _Papers) -> WinFigures:
    return WinFigures(
        opening_cents=papers.sum("opening"),
        closing_cents=papers.sum("closing"),
        fills_cents=papers.sum("fills"),
        credits_cents=papers.sum("credits"),
        markers_issued_cents=papers.sum("markers"),
        marker_payments_cents=papers.sum("marker_payments"),
        marker_cash_cents=papers.sum("marker_cash"),
        payouts=tuple(
            ExtraPayout(paid, source, papers.sum(key))
            for key, (paid, source) in _PAYOUTS.items()
            if papers.sum(key)
        ),
    )


def _lines(papers: _Papers) -> tuple[WinLine, ...]:
    return tuple(
        WinLine(key, title, sign, papers.sum(key), tuple(papers.by_key[key]))
        for key, (title, sign) in _TITLES.items()
    )


def _newest(estimates: Iterable[DropEstimate]) -> int | None:
    newest = {estimate.shift: estimate.cash_cents for estimate in estimates}
    return sum(newest.values()) if newest else None


@dataclass(frozen=True, slots=True)
class TableGroup:
    """Several tables together: a pit, or the house."""

    name: str
    tables: tuple[TableWin, ...]

    @property
    def estimated_cents(self) -> int | None:
        """Return the estimated win of the tables that have one; none when no table has."""
        known = [
            table.estimated_cents for table in self.tables if table.estimated_cents is not None
        ]
        return sum(known) if known else None

    @property
    def final(self) -> WinOfTable | None:
        """Return the final win, once every table that played has one."""
        played = [table for table in self.tables if table.has_played]
        if not played or any(item.final is None for item in played):
            return None
        figures = together(item.figures for item in played)
        drops = [item.drop for item in played if item.drop is not None]
        drop = Drop(
            sum(item.cash_cents for item in drops),
            sum(item.foreign_cheques_cents for item in drops),
        )
        return table_win(figures, drop)

    @property
    def final_cents(self) -> int | None:
        return self.final.win_cents if self.final else None

    @property
    def drop_cents(self) -> int | None:
        return sum(table.drop_cents or 0 for table in self.tables) if self.final else None


def day_report(gaming_day: date, shift: str | None = None) -> tuple[list[TableGroup], TableGroup]:
    """Return what every table won in a gaming day, by pit, and the house.

    A fixed number of queries, however many tables.
    """
    tables = list(Table.objects.select_related("pit").order_by("pit__name", "name"))
    reports = tables_report(tables, gaming_day, shift)
    pits: dict[str, list[TableWin]] = defaultdict(list)
    for report in reports:
        pits[report.table.pit.name].append(report)
    return (
        [TableGroup(name, tuple(tables)) for name, tables in pits.items()],
        TableGroup("House", tuple(reports)),
    )
