"""Cards: the reckoning of a day by back and size, what was canceled, and every count."""

from __future__ import annotations

from collections.abc import Mapping

from django.db.models import QuerySet
from django.urls import reverse

from inventory.models import CardMove
from inventory.selectors.card_stock import (
    inventory_of,
    moves_within,
    reckoned_span,
    reckoning_of,
    stock_moves,
)
from inventory.selectors.cards import too_long_in_use
from pitboss.models import FloorException, Slip
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
    report_link,
    row_of,
    slip_cell,
    slip_link,
)
from pitboss.rules.cards.sets import CardAct
from pitboss.rules.cards.stock import Reckoning
from pitboss.services import house

KEY, PAGE = "cards", "cards"

_RECKONED = (
    Column("sets", "Sets"),
    Column("opening", "Opening", Shape.COUNT),
    Column("received", "Received", Shape.COUNT),
    Column("cancelled", "Canceled", Shape.COUNT),
    Column("destroyed", "Destroyed", Shape.COUNT),
    Column("book", "Book", Shape.COUNT),
    Column("on_hand", "On hand", Shape.COUNT),
    Column("difference", "Difference", Shape.COUNT),
)
_MOVES = (
    Column("at", "When", Shape.TIME),
    Column("set", "Set", Shape.CODE),
    Column("act", "What happened"),
    Column("to", "To"),
    Column("table", "Table", is_minor=True),
    Column("slip", "Slip", Shape.CODE),
)
_PARTS = (
    Column("what", "What"),
    Column("sets", "Sets", Shape.COUNT),
)
_IN_USE = (
    Column("set", "Set", Shape.CODE),
    Column("table", "Table"),
    Column("since", "In use since", Shape.TIME),
)
_TROUBLES = (
    Column("at", "When", Shape.TIME),
    Column("what", "What"),
    Column("slip", "Slip", Shape.CODE),
    Column("answer", "Explained"),
)

_FORMULAS = (
    "Book = opening + received − canceled − destroyed. A set leaves the stock when it "
    "is canceled; “destroyed” are sets that were not canceled first.",
    "On hand is what two people last found in the day. Where there was no count, it is "
    "where the sets are expected to be.",
)
OPENING, BOOK, ON_HAND, DIFFERENCE = "opening", "book", "on hand", "difference"
_ACTS = {act.value: act for act in (CardAct.RECEIVED, CardAct.CANCELLED, CardAct.DESTROYED)}
_FIGURES = (OPENING, *_ACTS, BOOK, ON_HAND, DIFFERENCE)


@report(
    key=KEY,
    title="Cards",
    group=Group.PLAY,
    says="Sets by back and size: opening, received, canceled, destroyed, on hand, and exceptions.",
    page=PAGE,
    asked=ReportScope(days_max=1),
)
def cards(choice: ReportChoice) -> Report:
    """Return the reckoning of a gaming day, or the steps that one of its numbers is made of."""
    rows = reckoning_of(choice.last, house.now())
    counted = inventory_of(choice.last)
    for row in rows:
        for figure in _FIGURES:
            if choice.of == _of(row, figure):
                return Report((_opened(row, figure, choice, counted),), formulas=_FORMULAS)
    wrong = [row.words for row in rows if row.difference]
    words = f"Counted on {counted.serial}." if counted else "No card count in this day."
    return Report(
        (
            Section(
                "Reconciliation",
                _RECKONED,
                tuple(_reckoned(row, choice) for row in rows),
                "No cards were on the books.",
            ),
            Section("Troubles", _TROUBLES, tuple(_troubles(choice)), "No count or seal was wrong."),
            in_use_too_long(),
        ),
        Finding(Tone.BAD, f"Doesn’t balance: {'; '.join(wrong)}.")
        if wrong
        else Finding(Tone.GOOD, f"The count balances. {words}"),
        Chart(
            "Sets on hand",
            Shape.COUNT,
            tuple(
                Bar(
                    _back(row),
                    row.on_hand,
                    tone=Tone.BAD if row.difference else Tone.PLAIN,
                    link=_link(row, ON_HAND, choice),
                    says="differs" if row.difference else "",
                )
                for row in rows
            ),
        ),
        _FORMULAS,
    )


def _back(row: Reckoning) -> str:
    return f"{row.colour.capitalize()}, {row.decks} deck{'' if row.decks == 1 else 's'}"


def _of(row: Reckoning, figure: str) -> str:
    return f"{row.colour} {row.decks} {figure}"


def _link(row: Reckoning, figure: str, choice: ReportChoice) -> Link:
    return report_link(KEY, PAGE, choice, of=_of(row, figure))


def _values(row: Reckoning) -> dict[str, int]:
    values = (row.opening, row.received, row.cancelled, row.destroyed)
    return dict(zip(_FIGURES, (*values, row.book, row.on_hand, row.difference), strict=True))


def _reckoned(row: Reckoning, choice: ReportChoice) -> Row:
    cells = (Cell(value, _link(row, item, choice)) for item, value in _values(row).items())
    return row_of(_back(row), *cells, tone=Tone.BAD if row.difference else Tone.PLAIN)


def _opened(row: Reckoning, figure: str, choice: ReportChoice, counted: Slip | None) -> Section:
    """Return what one figure of the reckoning is made of."""
    title = f"{_back(row)}: {figure}"
    if figure == DIFFERENCE:
        return _parts(row, title, {ON_HAND: 1, BOOK: -1}, choice)
    if figure == BOOK:
        signs = {OPENING: 1, "received": 1, "cancelled": -1, "destroyed": -1}
        return _parts(row, title, signs, choice)
    start, end = reckoned_span(choice.last, house.now(), counted)
    if figure == ON_HAND and counted is not None:
        words = f"Counted by two people on {counted.serial}"
        found = row_of(words, row.on_hand, opens=slip_link(counted.serial))
        return Section(title, _PARTS, (found,))
    if figure in _ACTS:
        return _moves(row, title, moves_within(start, end, _ACTS[figure]))
    return _moves(row, title, stock_moves(start if figure == OPENING else end))


def _parts(row: Reckoning, title: str, signs: Mapping[str, int], choice: ReportChoice) -> Section:
    values = _values(row)
    rows = [
        row_of(
            f"{'Less ' if sign < 0 else ''}{figure}".capitalize(),
            sign * values[figure],
            opens=_link(row, figure, choice),
        )
        for figure, sign in signs.items()
    ]
    sums = row_of(title, sum(sign * values[figure] for figure, sign in signs.items()))
    return Section(title, _PARTS, tuple(rows), sums=sums)


def _moves(row: Reckoning, title: str, moves: QuerySet[CardMove]) -> Section:
    """Return the steps of sets of one back and size that a number counts."""
    of_back = moves.filter(card_set__colour=row.colour, card_set__decks=row.decks)
    rows = [
        row_of(
            move.at,
            _set_cell(move.card_set.number),
            move.get_act_display(),
            move.get_target_display(),
            str(move.table or ""),
            slip_cell(move.slip.serial),
        )
        for move in of_back.select_related("card_set", "table", "slip").order_by("at", "id")
    ]
    return Section(title, _MOVES, tuple(rows))


def _set_cell(number: str) -> Cell:
    return Cell(number, Link(reverse("card-set", args=[number]), "cards"))


def _troubles(choice: ReportChoice) -> list[Row]:
    troubles = FloorException.objects.filter(
        gaming_day=choice.last, code__startswith="card_"
    ).select_related("slip", "resolved_by")
    return [
        row_of(
            trouble.opened_at,
            Cell(trouble.sentence, Link(reverse("exception", args=[trouble.pk]), "exception")),
            slip_cell(trouble.slip.serial if trouble.slip else None),
            f"{trouble.resolved_by}: {trouble.resolution}" if trouble.resolved_at else "Not yet.",
            tone=Tone.PLAIN if trouble.resolved_at else Tone.BAD,
        )
        for trouble in troubles.order_by("-id")
    ]


def in_use_too_long() -> Section:
    """Return the sets that have been dealt from for longer than the house lets them."""
    rows = [
        row_of(_set_cell(place.card_set.number), str(place.table), place.in_use_since)
        for place in too_long_in_use(house.now())
    ]
    return Section("Cards in use too long", _IN_USE, tuple(rows), "No set is.")
