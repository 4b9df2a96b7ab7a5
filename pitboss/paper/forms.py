"""The forms of the house: of how many parts each kind of slip is made, and where each part goes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pitboss.rules.roles import Place


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a form: its name, and where it goes once it is signed."""

    name: str
    goes: str


@dataclass(frozen=True, slots=True)
class Form:
    """How one kind of slip is printed."""

    parts: tuple[Part, ...]
    # What a slip of this kind does to the one it refers to, and what is written on that one.
    refers_as: str
    referred_as: str
    # Where the first print is made. Reprints, which say so, are made wherever they are needed.
    original_at: Place | None = None


# Manual, "Fills" 1 and 3: two parts, the duplicate dropped by the dealer, the original to security.
# The pit asks and the cage prints: nobody makes both the request and the paper it is filled on.
FORMS: Mapping[str, Form] = {
    "setting_change": Form(
        parts=(Part("Original", "Filed with the house's own papers."),),
        refers_as="Corrects",
        referred_as="Corrected by",
    ),
    # Manual, "Opening" and "Closing": white and yellow, and the pit manager's bottom copy.
    "opener": Form(
        parts=(Part("Opener", "Into the table's drop box by the dealer, at once."),),
        refers_as="Made from",
        referred_as="Opened on",
    ),
    "recount": Form(
        parts=(
            Part("Recount", "Into the table's drop box with the opener that lay in the tray."),
            Part("Next opener", "Into the tray, upper left, readable under the locked lid."),
        ),
        refers_as="Counts again",
        referred_as="Counted again on",
    ),
    "closer": Form(
        parts=(
            Part("Closer", "Into the table's drop box by the dealer, at once."),
            Part("Next opener", "Into the tray, upper left, readable under the locked lid."),
            Part("Bottom copy", "To the pit manager who top-signed."),
        ),
        refers_as="Corrects",
        referred_as="Corrected by",
    ),
    "count": Form(
        parts=(
            Part("Original", "Into the drop box that leaves, just before it is pulled."),
            Part("Duplicate", "Into the drop box that stays, just after."),
        ),
        refers_as="Corrects",
        referred_as="Corrected by",
    ),
    "shift_count": Form(
        parts=(
            Part("Original", "Into the table's drop box by the dealer, at once."),
            Part("Duplicate", "To the pit manager."),
        ),
        refers_as="Corrects",
        referred_as="Corrected by",
    ),
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
    "credit": Form(
        parts=(
            Part("Original", "With security and the cheques to the cage, which keeps it."),
            Part("Duplicate", "Stays on the table; dropped with the acknowledgment once matched."),
            Part("Triplicate", "With the original to the cage, and on to accounting."),
            Part("Acknowledgment", "Back to the table with security, matched there and dropped."),
        ),
        refers_as="Replaces",
        referred_as="Replaced by",
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
        refers_as="Corrects",
        referred_as="Corrected by",
        original_at=Place.CAGE,
    ),
    "house_receipt": Form(
        parts=(
            Part("Original", "To accounting with the maker's invoice."),
            Part("Duplicate", "Kept in the cage."),
        ),
        refers_as="Corrects",
        referred_as="Corrected by",
        original_at=Place.CAGE,
    ),
    # A box goes with a paper of its own, and its count with another.
    "drop_pull": Form(
        parts=(
            Part("Original", "With the box to the count room."),
            Part("Duplicate", "To the pit manager."),
        ),
        refers_as="Corrects",
        referred_as="Corrected by",
        original_at=Place.PIT,
    ),
    "drop_count": Form(
        parts=(Part("Original", "To accounting with the papers from the box."),),
        refers_as="Corrects",
        referred_as="Corrected by",
        original_at=Place.OFFICE,
    ),
    # The paper of the outage is the document; this one says where it was keyed.
    **{
        kind: Form(
            parts=(Part("Cover", "Pinned to the paper that it was keyed from, to accounting."),),
            refers_as="Corrects",
            referred_as="Corrected by",
        )
        for kind in ("late_fill", "late_credit", "correction")
    },
    "day_close": Form(
        parts=(
            Part("Original", "To accounting with the papers of the day."),
            Part("Duplicate", "To the shift manager who comes on."),
        ),
        refers_as="Corrects",
        referred_as="Corrected by",
    ),
    "house_destruction": Form(
        parts=(
            Part("Original", "To accounting."),
            Part("Duplicate", "Kept in the cage."),
        ),
        refers_as="Corrects",
        referred_as="Corrected by",
        original_at=Place.CAGE,
    ),
}
