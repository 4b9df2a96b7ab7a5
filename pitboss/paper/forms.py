"""The forms of the house: of how many parts each kind of slip is made, and where each part goes."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from enum import Enum, auto

from pitboss.rules.house_flows import HOUSE_KINDS
from pitboss.rules.roles import Place


class Layout(Enum):
    """How a part is laid out: as a slip to be read in the hand, or to be read through a lid."""

    SLIP = auto()
    LID = auto()


class Shows(Enum):
    """What a slip is about, drawn on its left: cheques, a whole tray, a box's money, or facts."""

    CHEQUES = auto()
    TRAY = auto()
    FIGURES = auto()
    FACTS = auto()


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a form: its name, and where it goes once it is signed."""

    name: str
    goes: str
    # The colour of its paper, which a printer that has only white shows as an edge and a word.
    stock: str = ""
    # What stands on top, when the part is called otherwise than the slip.
    title: str = ""
    # The step of the slip's own track before which this part is not made.
    after: str = ""
    layout: Layout = Layout.SLIP
    # Where its first print is made, when that is not where the others are.
    original_at: Place | None = None


@dataclass(frozen=True, slots=True)
class Form:
    """How one kind of slip is printed."""

    parts: tuple[Part, ...]
    # What a slip of this kind does to the one it refers to, and what is written on that one.
    refers_as: str = "Corrects"
    referred_as: str = "Corrected by"
    # Where the first print is made. Reprints, which say so, are made wherever they are needed.
    original_at: Place | None = None
    shows: Shows = Shows.CHEQUES
    title: str = ""
    caption: str = "Table games"

    def parts_after(self, signed: Collection[str]) -> tuple[Part, ...]:
        """Return the parts that can be made once these steps are signed."""
        return tuple(part for part in self.parts if not part.after or part.after in signed)

    def printed_first_at(self, part: Part) -> Place | None:
        return part.original_at or self.original_at


_INVENTORY = "Table inventory slip"
_NEXT_OPENER = Part(
    "Next opener",
    "Into the tray, upper left, readable under the locked lid.",
    stock="yellow",
    title="Next opener",
    layout=Layout.LID,
)
# The paper of the outage is the document; this one says where it was keyed.
_COVER = Part("Cover", "Pinned to the paper that it was keyed from, to accounting.")
_HANDOVER = Form(
    parts=(
        Part("Original", "To accounting with the papers of the day."),
        Part("Duplicate", "To the shift manager who comes on."),
    ),
    shows=Shows.FACTS,
)

_CARD_LEDGER = Part("Duplicate", "Kept in the card ledger of the store.")
_PIT_LOG = Part("Original", "Kept in the card log of the pit.")
_CARD_PARTS: Mapping[str, tuple[Part, ...]] = {
    "card_receipt": (Part("Original", "To accounting with the maker's invoice."), _CARD_LEDGER),
    "card_vaulting": (Part("Original", "Kept in the card ledger of the store."),),
    "card_issue": (_PIT_LOG, _CARD_LEDGER),
    "card_put_back": (_PIT_LOG, _CARD_LEDGER),
    "card_to_table": (_PIT_LOG,),
    "card_unused": (_PIT_LOG,),
    "card_replacement": (
        Part("Original", "Into the clear bag with the bad card, to the pit manager."),
        Part("Duplicate", "Kept in the card log of the pit."),
    ),
    "card_cancellation": (
        Part("Original", "Into the bag with the cards."),
        Part("Duplicate", "Kept in the card log of the pit."),
    ),
    "card_collection": (_PIT_LOG, Part("Duplicate", "With the bags to security.")),
    "card_late_cancellation": (Part("Original", "Kept in security's card log."), _CARD_LEDGER),
    "card_destruction": (Part("Original", "Kept in security's card log."), _CARD_LEDGER),
    "card_hold": (
        Part("Original", "With the cards to surveillance."),
        Part("Duplicate", "To the shift manager."),
    ),
    "card_release": (Part("Original", "Kept in security's card log."), _CARD_LEDGER),
    "card_inventory": (Part("Original", "To accounting."), _CARD_LEDGER),
    "card_waiver": (
        Part("Original", "To the shift manager's papers of the day."),
        Part("Duplicate", "To the pit manager."),
    ),
}

FORMS: Mapping[str, Form] = {
    **{
        kind: Form(
            parts=(Part("Original", "Filed with the house's own papers."),),
            refers_as="Corrects",
            referred_as="Corrected by",
        )
        for kind in HOUSE_KINDS
    },
    **{
        kind: Form(
            parts=(Part("Original", "Into the patron's credit file, kept by the cage."),),
            shows=Shows.FACTS,
            caption="Patron credit",
        )
        for kind in ("credit_line", "credit_stop", "credit_restore")
    },
    # Manual, "Markers": three parts. The original is the debt; it follows the marker, and is given
    # back with the last payment.
    "marker": Form(
        parts=(
            Part(
                "Original",
                "Kept in the pit until it is paid or goes to the cage; then back to the patron.",
                "white",
            ),
            Part("Issue slip", "Into the table's drop box by the dealer, at once.", "yellow"),
            Part("Payment slip", "Stays with the original; dropped when it is paid.", "pink"),
        ),
        original_at=Place.PIT,
        caption="Patron credit",
    ),
    "marker_payment": Form(
        parts=(
            Part("Original", "Into the table's drop box by the dealer, at once."),
            Part("Duplicate", "Pinned to the marker that it pays."),
            Part("Receipt", "To the patron."),
        ),
        original_at=Place.PIT,
        shows=Shows.FACTS,
        caption="Patron credit",
    ),
    "marker_payment_cage": Form(
        parts=(
            Part("Original", "To accounting with the papers of the shift."),
            Part("Duplicate", "Pinned to the marker that it pays."),
            Part("Receipt", "To the patron."),
        ),
        original_at=Place.CAGE,
        shows=Shows.FACTS,
        title="Marker payment",
        caption="Patron credit",
    ),
    "marker_transfer": Form(
        parts=(
            Part("Original", "With the markers to the cage, which keeps it."),
            Part("Duplicate", "Kept in the pit with the log of the day."),
        ),
        original_at=Place.PIT,
        shows=Shows.FACTS,
        caption="Patron credit",
    ),
    "marker_recall": Form(
        parts=(
            Part("Original", "With the markers to the pit, which keeps it."),
            Part("Duplicate", "Kept in the cage."),
        ),
        original_at=Place.CAGE,
        shows=Shows.FACTS,
        caption="Patron credit",
    ),
    "jackpot": Form(
        parts=(
            Part("Original", "To accounting with the tax papers."),
            Part("Duplicate", "Into the table's drop box by the dealer, once it is paid."),
        ),
        refers_as="Corrects",
        referred_as="Corrected by",
        shows=Shows.FACTS,
        title="Jackpot payout slip",
        caption="Progressives",
    ),
    "jackpot_review": Form(
        parts=(Part("Original", "To accounting with the jackpot that it is about."),),
        refers_as="Reviews",
        referred_as="Reviewed again on",
        shows=Shows.FACTS,
        caption="Progressives",
    ),
    "tax_papers": Form(
        parts=(
            Part("Original", "To accounting with the form that goes out on it."),
            Part("Duplicate", "To the winner."),
        ),
        refers_as="For",
        referred_as="Tax papers",
        shows=Shows.FACTS,
        caption="Tax",
    ),
    "tax_correction": Form(
        parts=(Part("Original", "Filed with the form that it corrects."),),
        shows=Shows.FACTS,
        caption="Tax",
    ),
    "meter_change": Form(
        parts=(
            Part("Original", "Filed with the meter's own papers."),
            Part("Duplicate", "To accounting."),
        ),
        refers_as="Changes",
        referred_as="Changed by",
        shows=Shows.FACTS,
        caption="Meters",
    ),
    "meter_adjustment": Form(
        parts=(
            Part("Original", "Filed with the meter's own papers."),
            Part("Duplicate", "To accounting."),
        ),
        shows=Shows.FACTS,
        caption="Meters",
    ),
    # Manual, "Opening" and "Closing": white and yellow, and the pit manager's bottom copy.
    "opener": Form(
        parts=(Part("Opener", "Into the table's drop box by the dealer, at once.", "yellow"),),
        refers_as="Made from",
        referred_as="Opened on",
        shows=Shows.TRAY,
        caption=_INVENTORY,
    ),
    "recount": Form(
        parts=(
            Part("Recount", "Into the table's drop box with the opener that lay in the tray."),
            _NEXT_OPENER,
        ),
        refers_as="Counts again",
        referred_as="Counted again on",
        shows=Shows.TRAY,
        caption=_INVENTORY,
    ),
    "closer": Form(
        parts=(
            Part("Closer", "Into the table's drop box by the dealer, at once.", "white"),
            _NEXT_OPENER,
            Part("Bottom copy", "To the pit manager who top-signed.", "pink"),
        ),
        shows=Shows.TRAY,
        caption=_INVENTORY,
    ),
    "count": Form(
        parts=(
            Part("Original", "Into the drop box that leaves, just before it is pulled."),
            Part("Duplicate", "Into the drop box that stays, just after."),
        ),
        shows=Shows.TRAY,
        caption=_INVENTORY,
    ),
    "shift_count": Form(
        parts=(
            Part("Original", "Into the table's drop box by the dealer, at once."),
            Part("Duplicate", "To the pit manager."),
        ),
        shows=Shows.TRAY,
        caption=_INVENTORY,
    ),
    # Manual, "Fills" 1 and 3: two parts, the duplicate dropped by the dealer, the original to
    # security. The pit asks and the cage prints: nobody makes both the request and its paper.
    "fill": Form(
        parts=(
            Part("Original", "To security, who takes it back to the cage."),
            Part("Duplicate", "Into the table's drop box by the dealer, at once."),
        ),
        refers_as="Replaces",
        referred_as="Replaced by",
        original_at=Place.CAGE,
    ),
    "fill_return": Form(
        parts=(
            Part("Original", "With security and the cheques to the cage, which keeps it."),
            Part("Duplicate", "Into the table's drop box by the dealer, at once."),
        ),
        refers_as="Returns",
        referred_as="Returned on",
    ),
    # Manual, "Credits": three parts, and the cage's acknowledgment that comes back to the table.
    # The pit matches that one against its own copy, so the pit does not print it.
    "credit": Form(
        parts=(
            Part("Original", "With security and the cheques to the cage, which keeps it.", "white"),
            Part("Duplicate", "Stays on the game in view; dropped once it is matched.", "pink"),
            Part("Triplicate", "With the original to the cage, and on to accounting.", "yellow"),
            Part(
                "Acknowledgment",
                "Back to the table with security; matched with the pink copy, then dropped.",
                title="Credit slip acknowledgment",
                after="acknowledged",
                original_at=Place.CAGE,
            ),
        ),
        refers_as="Replaces",
        referred_as="Replaced by",
        title="Request for credit",
    ),
    "credit_return": Form(
        parts=(
            Part("Original", "With security and the cheques to the table; dropped by the dealer."),
            Part("Duplicate", "Kept by the cage with the credit that it refused."),
        ),
        refers_as="Returns",
        referred_as="Returned on",
        original_at=Place.CAGE,
    ),
    "cage_count": Form(
        parts=(
            Part("Original", "To accounting with the papers of the shift."),
            Part("Duplicate", "Kept in the cage for the next shift."),
        ),
        original_at=Place.CAGE,
        caption="Cashier's cage",
    ),
    "cash_correction": Form(
        parts=(Part("Original", "To accounting with the cash log of the day."),),
        shows=Shows.FACTS,
        caption="Cash log",
    ),
    "house_receipt": Form(
        parts=(
            Part("Original", "To accounting with the maker's invoice."),
            Part("Duplicate", "Kept in the cage."),
        ),
        original_at=Place.CAGE,
        caption="Cashier's cage",
    ),
    "house_destruction": Form(
        parts=(
            Part("Original", "To accounting."),
            Part("Duplicate", "Kept in the cage."),
        ),
        original_at=Place.CAGE,
        caption="Cashier's cage",
    ),
    # A box goes with a paper of its own, and its count with another.
    "drop_pull": Form(
        parts=(
            Part("Original", "With the box to the count room."),
            Part("Duplicate", "To the pit manager."),
        ),
        original_at=Place.PIT,
        shows=Shows.FACTS,
        title="Drop box pulled",
    ),
    "drop_count": Form(
        parts=(Part("Original", "To accounting with the papers from the box."),),
        original_at=Place.OFFICE,
        shows=Shows.FIGURES,
        caption="Count room",
    ),
    # Manual, "Closing" 7: the cancellation slip goes into the bag with the cards.
    **{
        kind: Form(parts=parts, shows=Shows.FACTS, caption="Card control")
        for kind, parts in _CARD_PARTS.items()
    },
    "late_fill": Form(parts=(_COVER,)),
    "late_credit": Form(parts=(_COVER,)),
    "correction": Form(parts=(_COVER,)),
    "shift_close": _HANDOVER,
    "day_close": _HANDOVER,
}
