"""Cards: the reckoning of a day by back and size, what was cancelled, and every count."""

from __future__ import annotations

from django.urls import reverse

from inventory.models import CardMove
from inventory.selectors.card_stock import bounds_of, inventory_of, reckoning_of
from inventory.selectors.cards import too_long_in_use
from pitboss.models import FloorException
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
    slip_cell,
)
from pitboss.rules.card_reckoning import Reckoning
from pitboss.rules.card_sets import CardAct
from pitboss.services import house

KEY, PAGE = "cards", "cards"

_RECKONED = (
    Column("sets", "Sets"),
    Column("opening", "Opening", Shape.COUNT),
    Column("received", "Received", Shape.COUNT),
    Column("cancelled", "Cancelled", Shape.COUNT),
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


@report(
    key=KEY,
    title="Cards",
    group=Group.PLAY,
    says="Sets by back and size: opening, received, cancelled, destroyed, on hand, and troubles.",
    page=PAGE,
    asked=Asked(days_max=1),
)
def cards(choice: Choice) -> Report:
    """Return the reckoning of a gaming day, or the steps that one of its numbers is made of."""
    if choice.of:
        return Report((_moves(choice),))
    rows = reckoning_of(choice.last, house.now())
    wrong = [row.words for row in rows if row.difference]
    counted = inventory_of(choice.last)
    words = f"Counted on {counted.serial}." if counted else "Nobody counted the cards in this day."
    return Report(
        (
            Section(
                "Reckoning",
                _RECKONED,
                tuple(_reckoned(row, choice) for row in rows),
                "No cards were on the books.",
            ),
            Section("Troubles", _TROUBLES, tuple(_troubles(choice)), "No count or seal was wrong."),
            in_use_too_long(),
        ),
        Finding(Tone.BAD, f"It does not come out: {'; '.join(wrong)}.")
        if wrong
        else Finding(Tone.GOOD, f"It comes out. {words}"),
        Chart(
            "Sets on hand",
            Shape.COUNT,
            tuple(
                Bar(_back(row), row.on_hand, tone=Tone.BAD if row.difference else Tone.PLAIN)
                for row in rows
            ),
        ),
        (
            "Book = opening + received − cancelled − destroyed. A set leaves the stock when it is "
            "cancelled; destroyed are sets that went without that.",
            "On hand is what two people found last in the day; where nobody counted, where the "
            "sets are said to be.",
        ),
    )


def _back(row: Reckoning) -> str:
    return f"{row.colour.capitalize()}, {row.decks} deck{'' if row.decks == 1 else 's'}"


def _reckoned(row: Reckoning, choice: Choice) -> Row:
    def made_of(act: CardAct, count: int) -> Cell:
        of = f"{row.colour} {row.decks} {act.value}"
        return Cell(count, report_link(KEY, PAGE, choice, of=of) if count else None)

    return row_of(
        _back(row),
        row.opening,
        made_of(CardAct.RECEIVED, row.received),
        made_of(CardAct.CANCELLED, row.cancelled),
        made_of(CardAct.DESTROYED, row.destroyed),
        row.book,
        row.on_hand,
        row.difference,
        tone=Tone.BAD if row.difference else Tone.PLAIN,
    )


def _moves(choice: Choice) -> Section:
    """Return the steps of sets of one back and size that a number counts."""
    colour, _, rest = choice.of.partition(" ")
    decks, _, act = rest.partition(" ")
    start, end = bounds_of(choice.last)
    moves = CardMove.objects.filter(at__gt=start, at__lte=end, card_set__colour=colour, act=act)
    if decks.isascii() and decks.isdigit() and len(decks) < 3:
        moves = moves.filter(card_set__decks=int(decks))
    rows = [
        row_of(
            move.at,
            _set_cell(move.card_set.number),
            move.get_act_display(),
            move.get_target_display(),
            str(move.table or ""),
            slip_cell(move.slip.serial),
        )
        for move in moves.select_related("card_set", "table", "slip").order_by("at", "id")
    ]
    return Section(f"{colour.capitalize()}, {decks} decks: {act}", _MOVES, tuple(rows))


def _set_cell(number: str) -> Cell:
    return Cell(number, Link(reverse("card-set", args=[number]), "cards"))


def _troubles(choice: Choice) -> list[Row]:
    troubles = FloorException.objects.filter(
        gaming_day=choice.last, code__startswith="card_"
    ).select_related("slip", "resolved_by")
    return [
        row_of(
            each.opened_at,
            Cell(each.sentence, Link(reverse("exception", args=[each.pk]), "exception")),
            slip_cell(each.slip.serial if each.slip else None),
            f"{each.resolved_by}: {each.resolution}" if each.resolved_at else "Not yet.",
            tone=Tone.PLAIN if each.resolved_at else Tone.BAD,
        )
        for each in troubles.order_by("-id")
    ]


def in_use_too_long() -> Section:
    """Return the sets that have been dealt from for longer than the house lets them."""
    rows = [
        row_of(_set_cell(place.card_set.number), str(place.table), place.in_use_since)
        for place in too_long_in_use(house.now())
    ]
    return Section("Cards in use too long now", _IN_USE, tuple(rows), "No set is.")
