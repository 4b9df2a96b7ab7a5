"""The floor log: what a supervisor approves, times or decides many times an hour, as data.

A kind of entry says what it asks, who may make it, when it needs a signature, and by which rule it
is refused. The form, the terminal's request, the log and its print are made from that alone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum, unique
from typing import Any, Final, Protocol

from pitboss.rules.book.jobs.card import Job
from pitboss.rules.book.teaching import TaughtAt
from pitboss.rules.cheques.cutting import CutOptions
from pitboss.rules.cheques.sets import HouseCheques
from pitboss.rules.floor.fields import Facts, Field, told
from pitboss.rules.games.games import Game
from pitboss.rules.games.printed import CLASSIC
from pitboss.rules.games.table_setup import CardProfile
from pitboss.rules.refusal import CONFLICT, NOT_YOURS, Refusal
from pitboss.rules.roles import Place, Role, may_act_as
from pitboss.rules.said import Said

REASON_MAX: Final = 200
SENTENCE_MAX: Final = 500


@unique
class LogGroup(StrEnum):
    """Under which heading an entry is found."""

    NOD = "nod"
    INCIDENT = "incident"
    IRREGULARITY = "irregularity"
    STANDARD = "standard"
    TABLE = "table"

    @property
    def heading(self) -> str:
        return _HEADINGS[self]


_HEADINGS: Final = {
    LogGroup.NOD: "Approve",
    LogGroup.INCIDENT: "Incidents",
    LogGroup.IRREGULARITY: "Irregularities",
    LogGroup.STANDARD: "Standards",
    LogGroup.TABLE: "This table",
}


@unique
class LogOutcome(StrEnum):
    """What came of it. An approval is granted or declined; anything else is noted."""

    GRANTED = "granted"
    DECLINED = "declined"
    NOTED = "noted"


@unique
class SignedWhen(StrEnum):
    """When badge and PIN are asked for. By default the game is not stopped for them."""

    NEVER = "never"
    FROM_AMOUNT = "from_amount"
    ALWAYS = "always"


class Settings(Protocol):
    """The house's settings in force."""

    def __getitem__(self, key: str) -> Any: ...

    @property
    def cut_options(self) -> CutOptions: ...

    @property
    def cheques(self) -> HouseCheques: ...


@dataclass(frozen=True, slots=True)
class Ground:
    """What an entry is judged by besides its own facts: the table and its day."""

    table: str
    is_open: bool
    minimum_cents: int
    gaming_day: date
    settings: Settings
    tray: Mapping[int, int] = field(default_factory=dict)
    # A round that has begun and not ended, where rounds are told.
    has_round: bool = False
    # Codes of entries that hold at this table now: standing approvals, a closing notice.
    standing: frozenset[str] = frozenset()
    # What is dealt there, by its document, from how many decks, and how they are shuffled.
    game: Game = CLASSIC
    decks: int = 6
    cards: CardProfile = CardProfile.SHUFFLER

    @property
    def taught_at(self) -> TaughtAt:
        """What decides which job cards are shown here."""
        return TaughtAt(self.game, self.decks, self.cards)


Judge = Callable[[Facts, Ground], list[Refusal]]
Barring = Callable[[Ground], list[Refusal]]
Saying = Callable[[Facts], str]
Amounting = Callable[[Facts], int | None]
Ceiling = Callable[[Facts, Ground, Role], list[Refusal]]
Sending = Callable[[Facts, Ground], Mapping[int, int]]


def nothing_against(_: Facts, __: Ground) -> list[Refusal]:
    """Refuse nothing."""
    return []


def without_ceiling(_: Facts, __: Ground, ___: Role) -> list[Refusal]:
    """Let the person who may make an entry make it of any amount."""
    return []


def barred_nowhere(_: Ground) -> list[Refusal]:
    """Bar no table."""
    return []


def no_amount(_: Facts) -> int | None:
    """Weigh nothing: an entry without an amount."""
    return None


def nothing_to_send(_: Facts, __: Ground) -> Mapping[int, int]:
    """Send no cheques."""
    return {}


@dataclass(frozen=True, slots=True)
class FloorKind:
    """One kind of entry. A new kind is one more of these and its rule."""

    code: str
    title: str
    group: LogGroup
    asks: tuple[Field, ...] = ()
    # One sentence of the log; none: the answers, one after the other.
    says: Saying | None = None
    judge: Judge = nothing_against
    # What stands against it at this table whatever is keyed: a game that has no rule for it.
    barred: Barring = barred_nowhere
    # How much each role may answer for.
    ceiling: Ceiling = without_ceiling
    amount: Amounting = no_amount
    # The cheques to send, shown before the approval and stored with it.
    sends: Sending = nothing_to_send
    by: Role = Role.SUPERVISOR
    signed: SignedWhen = SignedWhen.NEVER
    # A terminal may ask for it.
    is_asked: bool = True
    # No one enters it of their own: it is only ever the answer to a request.
    is_entered: bool = True
    is_approval: bool = True
    at_closed_table: bool = False
    # May hold for a table until the shift ends, so that the dealer need not ask each time.
    may_stand: bool = False
    # Whose it is can be told, where the patron is known.
    names_patron: bool = False
    # What to do, line by line, and what to say, for those who do not do it every day.
    guide: tuple[str, ...] = ()
    say: str = ""
    words: str = ""
    # The job cards that are shown with it, of the table's own game.
    teaches: tuple[Job, ...] = ()

    def sentence(self, facts: Facts) -> str:
        """Return what the log says of an entry with these facts."""
        if self.says is not None:
            return self.says(facts)[:SENTENCE_MAX]
        answers = "; ".join(f"{label.lower()} {words}" for label, words in told(self.asks, facts))
        return (f"{self.title}: {answers}." if answers else f"{self.title}.")[:SENTENCE_MAX]

    def needs_signature(self, facts: Facts, settings: Settings) -> bool:
        """Tell whether an entry is signed with badge and PIN."""
        if self.signed is not SignedWhen.FROM_AMOUNT:
            return self.signed is SignedWhen.ALWAYS
        from_cents, amount_cents = settings["nod.signed_from"], self.amount(facts)
        return None not in (from_cents, amount_cents) and amount_cents >= from_cents

    @property
    def outcome(self) -> LogOutcome:
        """What an entry comes to when no one says no."""
        return LogOutcome.GRANTED if self.is_approval else LogOutcome.NOTED


@dataclass(frozen=True, slots=True)
class By:
    """Who makes an entry, and where."""

    name: str
    role: Role
    place: Place | None
    device_pit_id: int | None
    pit_id: int
    is_signed: bool


def entry_refusals(kind: FloorKind, facts: Facts, ground: Ground, by: By) -> list[Refusal]:
    """Return every reason why an entry may not be made; none allows it."""
    refusals = hand_refusals(kind, by)
    refusals.extend(ground_refusals(kind, facts, ground))
    too_high = kind.ceiling(facts, ground, by.role)
    refusals.extend(too_high)
    if not too_high and kind.needs_signature(facts, ground.settings) and not by.is_signed:
        refusals.append(
            Refusal(
                "signature_missing",
                (
                    Said(
                        "{title} of {signed_from_cents} or more needs a signature. Enter your "
                        "badge and PIN.",
                        title=Said(kind.title),
                        signed_from_cents=ground.settings["nod.signed_from"],
                    )
                )
                if kind.signed is SignedWhen.FROM_AMOUNT
                else Said(
                    "{title} needs a signature. Enter your badge and PIN.", title=Said(kind.title)
                ),
            )
        )
    return refusals


def hand_refusals(kind: FloorKind, by: By) -> list[Refusal]:
    """Return why this person may not make or answer such an entry here."""
    return wrong_hand(by, kind.by)


def wrong_hand(by: By, wanted: Role) -> list[Refusal]:
    """Return why this person, on this device, is not who such a word is wanted from."""
    refusals = []
    if not may_act_as(by.role, wanted):
        refusals.append(
            Refusal(
                "wrong_role",
                Said(
                    "{person} isn’t working as {wanted} this shift. Call one.",
                    person=by.name,
                    wanted=Said(wanted.label),
                ),
                NOT_YOURS,
            )
        )
    if by.place is not Place.PIT:
        refusals.append(Refusal("wrong_place", "Use a tablet in the pit.", NOT_YOURS))
    elif by.device_pit_id not in (None, by.pit_id):
        refusals.append(
            Refusal("wrong_pit", "The table is in another pit. Use a tablet there.", NOT_YOURS)
        )
    return refusals


def ground_refusals(kind: FloorKind, facts: Facts, ground: Ground) -> list[Refusal]:
    """Return why such an entry cannot be made at this table now, no matter who makes it."""
    refusals = []
    if not ground.is_open and not kind.at_closed_table:
        refusals.append(
            Refusal(
                "table_closed",
                Said("{table} is closed. Nothing is played there.", table=ground.table),
                CONFLICT,
            )
        )
    return refusals + (kind.barred(ground) or kind.judge(facts, ground))


def own_refusals(kind: FloorKind) -> list[Refusal]:
    """Return why no one enters this without being asked."""
    if kind.is_entered:
        return []
    return [
        Refusal(
            "only_answered",
            Said(
                "{title} is approved when the table asks for it. Have the dealer request it.",
                title=Said(kind.title),
            ),
        )
    ]


def request_refusals(kind: FloorKind, facts: Facts, ground: Ground) -> list[Refusal]:
    """Return why a terminal may not ask for this now."""
    if not kind.is_asked:
        return [
            Refusal(
                "not_for_terminals",
                Said("{title}: only a supervisor can enter it.", title=Said(kind.title)),
            )
        ]
    return ground_refusals(kind, facts, ground)


def decline_refusals(reason: str) -> list[Refusal]:
    """Return why a no cannot stand as it was said."""
    if not reason.strip():
        return [Refusal("reason_missing", "Enter a reason. The dealer will see it.")]
    if len(reason) > REASON_MAX:
        return [
            Refusal(
                "reason_too_long",
                Said("Reason is too long. Use {most} characters or fewer.", most=REASON_MAX),
            )
        ]
    return []
