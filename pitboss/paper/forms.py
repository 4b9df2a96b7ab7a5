"""The forms of the house: of how many parts each kind of slip is made, and where each part goes."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from enum import Enum, auto

from pitboss.rules.drop.box_papers import copy_code
from pitboss.rules.roles import Place


class Layout(Enum):
    """How a part is laid out: to be read in the hand, through a lid, or across a table."""

    SLIP = auto()
    LID = auto()
    PLACARD = auto()


class Shows(Enum):
    """What a slip is about, drawn on its left: cheques, a whole tray, a box's money, or facts."""

    CHEQUES = auto()
    TRAY = auto()
    FIGURES = auto()
    FACTS = auto()


class InBox(Enum):
    """Whether a part goes into a drop box, and into which."""

    NO = auto()
    # The one on the table when the slip is signed.
    ON_TABLE = auto()
    # The one that goes on, of a count on which the box before it was pulled.
    GOES_ON = auto()
    # It may lie there with the paper that it belongs to; no one misses it.
    MAYBE = auto()
    # As before, at whichever table it comes to that.
    ANY_TABLE = auto()


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a form: its name, and where it goes once it is signed."""

    name: str
    goes: str
    # The color of its paper, which a printer that has only white shows as an edge and a word.
    stock: str = ""
    # What stands on top, when the part is called otherwise than the slip.
    title: str = ""
    # The step of the slip's own track before which this part is not made.
    after: str = ""
    layout: Layout = Layout.SLIP
    # Where its first print is made, when that is not where the others are.
    original_at: Place | None = None
    box: InBox = InBox.NO
    # The step at which it is dropped; the last one unless told.
    dropped: str = ""

    def code(self, serial: str) -> str:
        """Return what a scanner reads off this part of a slip."""
        return copy_code(serial, self.name)


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
    # What the reason stands under that its first signer gave.
    reason_as: str = "Reason"

    def parts_after(self, signed: Collection[str]) -> tuple[Part, ...]:
        """Return the parts that can be made once these steps are signed."""
        return tuple(part for part in self.parts if not part.after or part.after in signed)

    def printed_first_at(self, part: Part) -> Place | None:
        return part.original_at or self.original_at


@dataclass(frozen=True, slots=True)
class OnPaper:
    """The blank form of an outage from which a kind of slip is entered afterwards."""

    # The two letters of its number.
    code: str
    title: str
    form: Form
    # Who signs it, in their order: what is signed, and who does.
    signers: tuple[tuple[str, str], ...]
    # What is written on it besides date, time and place.
    writes: tuple[str, ...] = ()
    has_cheques: bool = True
    # Markers and cash are entered sooner after an outage than the rest.
    is_money: bool = False
    # It is used at a table, and so by a pit; otherwise by the cage alone.
    at_a_table: bool = True


# Of the setup of tables, which does not say it itself yet; ask `pitboss.slips.kind.form_of`.
HOUSE_FORM = Form(parts=(Part("Original", "Filed with the house's own slips."),), shows=Shows.FACTS)
