"""May this be done with this set of cards? Facts in, every reason why not out."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from pitboss.rules.cards.sets import (
    CANCELLED_FOR_GOOD,
    ON_THE_GAME,
    SLOTS,
    BackColour,
    CardAct,
    CardState,
    cards_of,
    is_mark,
    leads_to,
)
from pitboss.rules.games.table_setup import CardProfile
from pitboss.rules.refusal import Refusal


@dataclass(frozen=True, slots=True)
class SetFacts:
    """One set as it is now, under lock."""

    number: str
    colour: BackColour
    decks: int
    state: CardState
    # Where it lies, in words that go on after “is”.
    where: str
    seal: str = ""
    bag: str = ""
    table_id: int | None = None
    pit_id: int | None = None
    is_inspected: bool = False
    # Vaulted, and put into the shuffler with its seal whole before a dealer came.
    is_on_seal: bool = False
    # Another open slip that is about this set.
    named_on: str = ""
    # Someone found its seal wrong, and no one has explained that yet.
    is_in_question: bool = False
    collected_at: datetime | None = None

    @property
    def cards(self) -> int:
        return cards_of(self.decks)


# How an act is said after “It cannot”.
_CANNOT = {
    CardAct.VAULTED: "be vaulted",
    CardAct.TO_PIT: "go to a pit",
    CardAct.PUT_BACK: "go back to the store",
    CardAct.TO_TABLE: "go to a table",
    CardAct.INSPECTED: "be inspected",
    CardAct.CARD_REPLACED: "have a card replaced",
    CardAct.SWAPPED: "be exchanged",
    CardAct.UNUSED: "go back to the cabinet",
    CardAct.REMOVED: "be taken off a game",
    CardAct.CANCELLED: "be canceled",
    CardAct.BAGGED: "be bagged",
    CardAct.COLLECTED: "be collected",
    CardAct.DESTROYED: "be destroyed",
    CardAct.HELD: "be held",
    CardAct.RELEASED: "be released",
    CardAct.CORRECTED: "be corrected",
}


def elsewhere(facts: SetFacts, cannot: str) -> Refusal:
    """Say where a set is, and what it cannot do from there."""
    if facts.state in CANCELLED_FOR_GOOD:
        return Refusal(
            "card_cancelled",
            f"Set {facts.number} is {facts.where}. A canceled set never comes back: it "
            f"cannot {cannot}.",
        )
    return Refusal("card_elsewhere", f"Set {facts.number} is {facts.where}. It cannot {cannot}.")


def act_refusals(act: CardAct, facts: SetFacts) -> list[Refusal]:
    """Return why an act is not for this set: where it is, what else is under way with it."""
    # Where it is says enough; a slip that is open about it is only news while it could move.
    can = bool(leads_to(act, facts.state))
    refusals = named_refusals(facts) if can else [elsewhere(facts, _CANNOT[act])]
    # A seal may be wrong because it was written down so.
    if facts.is_in_question and act not in (CardAct.HELD, CardAct.CORRECTED):
        refusals.append(
            Refusal(
                "seal_in_question",
                f"The seal of set {facts.number} was found wrong. Explain that first, or hold it.",
            )
        )
    return refusals


def named_refusals(facts: SetFacts) -> list[Refusal]:
    """Return what else is under way with a set."""
    if not facts.named_on:
        return []
    return [
        Refusal(
            "card_slip_open",
            f"{facts.named_on} is about set {facts.number} and is open. Finish it or void it.",
        )
    ]


@dataclass(frozen=True, slots=True)
class Bringing:
    """A set that someone brings to a table, and what they keyed about it."""

    table: str
    table_id: int
    pit_id: int
    decks: int
    profile: CardProfile
    slot: CardState
    brought: SetFacts
    seal: str
    seal_is_whole: bool
    counted: int | None
    # Every set on the game of this table now.
    on_the_game: Sequence[SetFacts]
    # What comes out for it, from where the supervisor takes it.
    takes_out: SetFacts | None = None
    taken_from: CardState | None = None
    # In the second half of a change, the set in the shuffler goes into play.
    brings_out: SetFacts | None = None


def bringing_refusals(facts: Bringing) -> list[Refusal]:
    """Return every reason why a set may not be brought to this table so."""
    brought = facts.brought
    is_here = brought.table_id == facts.table_id
    refusals: list[Refusal] = []
    to_here = (brought.state == CardState.IN_PIT and brought.pit_id == facts.pit_id) or (
        brought.state == CardState.SPARE and is_here and facts.slot != CardState.SPARE
    )
    refusals.extend(refusal for refusal in act_refusals(CardAct.TO_TABLE, brought) if to_here)
    if not to_here:
        refusals.append(elsewhere(brought, f"go to {facts.table}"))
    refusals.extend(_seal_refusals(facts))
    if brought.decks != facts.decks:
        refusals.append(
            Refusal(
                "wrong_decks",
                f"Set {brought.number} has {_decks(brought.decks)}, and {facts.table} deals from "
                f"{_decks(facts.decks)}. Take another.",
            )
        )
    if facts.slot not in SLOTS[facts.profile]:
        refusals.append(
            Refusal(
                "no_such_slot",
                f"{facts.table} is a table with {_WITH[facts.profile]}: cards do not go "
                f"{_INTO[facts.slot]} there. Choose another place.",
            )
        )
    leaving = facts.takes_out
    if leaving is not None:
        refusals.extend(named_refusals(leaving))
        refusals.extend(
            taking_out_refusals(
                leaving, facts.table, facts.table_id, facts.taken_from, facts.on_the_game
            )
        )
    going = {brought.number, leaving.number if leaving else ""}
    stays = [set_facts for set_facts in facts.on_the_game if set_facts.number not in going]
    refusals.extend(
        Refusal(
            "same_colour",
            f"Set {stay.number} at {facts.table} is also {stay.colour.value}. Two sets "
            "at one table alternate in color. Choose another.",
        )
        for stay in stays
        if stay.colour == brought.colour
    )
    refusals.extend(_slot_refusals(facts, stays))
    if _must_count(facts) and facts.counted is None:
        refusals.append(
            Refusal(
                "count_required",
                f"{facts.table} has no shuffler, so its cards are counted. Enter how "
                "many there are.",
            )
        )
    return refusals


def _must_count(facts: Bringing) -> bool:
    """Tell whether cards are counted as they come in: by hand, nothing else finds one missing."""
    return facts.profile == CardProfile.HAND and facts.slot == CardState.IN_PLAY


def _seal_refusals(facts: Bringing) -> list[Refusal]:
    refusals = []
    if facts.seal != facts.brought.seal:
        refusals.append(
            Refusal(
                "seal_differs",
                f"The seal on the box is {facts.seal or 'not entered'}. Set "
                f"{facts.brought.number} was sealed with another number. Leave it "
                "closed and call the shift manager.",
            )
        )
    if not facts.seal_is_whole:
        refusals.append(
            Refusal(
                "seal_broken",
                f"The seal of set {facts.brought.number} is broken. Leave it and call the shift "
                "manager.",
            )
        )
    return refusals


def _slot_refusals(facts: Bringing, stays: Sequence[SetFacts]) -> list[Refusal]:
    """Return who has the slot already. A set that comes out of the shuffler leaves it free."""
    moves_on = facts.brings_out.number if facts.brings_out else ""
    taken = [stay for stay in stays if stay.state == facts.slot and stay.number != moves_on]
    if facts.takes_out is not None and facts.takes_out.state != facts.taken_from:
        # The records had the two the other way round, and are put right.
        taken = []
    return [
        Refusal(
            "slot_taken",
            f"Set {set_facts.number} is {set_facts.where}. Take it out first.",
        )
        for set_facts in taken
    ]


def taking_out_refusals(
    leaving: SetFacts,
    table: str,
    table_id: int,
    taken_from: CardState | None,
    on_the_game: Sequence[SetFacts],
) -> list[Refusal]:
    """Return why a set cannot come off the game from where someone says it was.

    Dealers exchange the two sets at every shoe, so the records may have them the other way round.
    That is put right when one comes out, as long as the other is where this one was thought to be.
    """
    if leaving.state not in ON_THE_GAME or leaving.table_id != table_id:
        return [elsewhere(leaving, f"be taken off {table}")]
    if taken_from is None or taken_from not in ON_THE_GAME:
        return [
            Refusal("slot_missing", "Choose where the set came from: the shuffler or the game.")
        ]
    if leaving.state == taken_from:
        return []
    swaps = {leaving.state, taken_from} == {CardState.SHUFFLER, CardState.IN_PLAY}
    if swaps and any(set_facts.state == taken_from for set_facts in on_the_game):
        return []
    return [
        Refusal(
            "not_there",
            f"Set {leaving.number} is {leaving.where}, and no other set is "
            f"{_WHERE[taken_from]}. Enter where it came from.",
        )
    ]


@dataclass(frozen=True, slots=True)
class Cancelling:
    """A set that comes off a game for good, and how its cards were counted."""

    table: str
    table_id: int
    leaving: SetFacts
    taken_from: CardState | None
    on_the_game: Sequence[SetFacts]
    bag: str
    # What two people counted; none when they go by the shuffler's display.
    counted: int | None
    shuffler_shows: int | None
    bags_used: Collection[str] = ()


def cancelling_refusals(facts: Cancelling) -> list[Refusal]:
    """Return every reason why a set may not be bagged so."""
    leaving = facts.leaving
    refusals = named_refusals(leaving)
    is_off_already = leaving.state == CardState.REMOVED and leaving.table_id == facts.table_id
    if not is_off_already:
        refusals.extend(
            taking_out_refusals(
                leaving, facts.table, facts.table_id, facts.taken_from, facts.on_the_game
            )
        )
    refusals.extend(bag_refusals(facts.bag, facts.bags_used))
    refusals.extend(_count_refusals(facts))
    return refusals


def bag_refusals(bag: str, used: Collection[str]) -> list[Refusal]:
    """Return why a set cannot go into a bag with this number."""
    if not is_mark(bag):
        return [Refusal("bag_malformed", "Scan the bag number, or enter it: 3 to 20 characters.")]
    if bag in used:
        return [Refusal("bag_used", f"Bag {bag} was used before. Take another bag.")]
    return []


def _count_refusals(facts: Cancelling) -> list[Refusal]:
    """Cards in play are counted; the shuffler's only unless its display shows the right number."""
    if facts.counted is not None:
        return []
    number = facts.leaving.number
    if facts.taken_from == CardState.SHUFFLER and facts.shuffler_shows is not None:
        if facts.shuffler_shows == facts.leaving.cards:
            return []
        return [
            Refusal(
                "shuffler_differs",
                f"The shuffler shows {facts.shuffler_shows}, and set {number} has "
                f"{facts.leaving.cards} cards. Count them.",
            )
        ]
    return [Refusal("count_required", f"Count the cards of set {number} and enter the number.")]


def is_off(counted: int | None, decks: int) -> bool:
    """Tell whether a count found more or fewer cards than the set has.

    >>> is_off(311, 6), is_off(312, 6), is_off(None, 6)
    (True, False, False)
    """
    return counted is not None and counted != cards_of(decks)


def retention_refusals(sets: Sequence[SetFacts], *, days: int, now: datetime) -> list[Refusal]:
    """Return which collected sets may not be destroyed yet."""
    return [
        Refusal(
            "kept_longer",
            f"Set {set_facts.number} was collected on {set_facts.collected_at:%b %-d, %Y} "
            f"and stays in storage for {days} days. Leave it there.",
        )
        for set_facts in sets
        if set_facts.collected_at is not None
        and set_facts.collected_at + timedelta(days=days) > now
    ]


def opening_refusals(
    table: str, profile: CardProfile, on_the_game: Sequence[SetFacts]
) -> list[Refusal]:
    """Return why a table may not open: a set in the slot that its profile deals from, inspected.

    A vaulted set was inspected when it was sealed; its seal stands for that.
    """
    wanted = {
        CardProfile.SHUFFLER: (CardState.SHUFFLER, CardState.IN_PLAY),
        CardProfile.CONTINUOUS: (CardState.SHUFFLER,),
        CardProfile.HAND: (CardState.IN_PLAY,),
        CardProfile.NONE: (),
    }[profile]
    if not wanted:
        return []
    dealt_from = [set_facts for set_facts in on_the_game if set_facts.state in wanted]
    if not dealt_from:
        return [
            Refusal(
                "cards_missing",
                f"{table} has no cards. Bring a set from the cabinet, and inspect it.",
            )
        ]
    return [
        Refusal(
            "cards_not_inspected",
            f"Set {set_facts.number} at {table} is not inspected. Have the dealer sign for it.",
        )
        for set_facts in dealt_from
        if not (set_facts.is_inspected or set_facts.is_on_seal)
    ]


def closing_refusals(
    table: str, profile: CardProfile, at_table: Sequence[SetFacts]
) -> list[Refusal]:
    """Return why a table may not close: cards that are neither bagged nor held.

    In a continuous shuffler they stay over night, locked in with the machine.
    """
    left = [
        set_facts
        for set_facts in at_table
        if not (profile == CardProfile.CONTINUOUS and set_facts.state == CardState.SHUFFLER)
    ]
    if not left:
        return []
    words = ", ".join(f"{set_facts.number} is {set_facts.where}" for set_facts in left)
    return [
        Refusal(
            "cards_at_table",
            f"{table} cannot close: {words}. Count, cancel and bag its cards.",
        )
    ]


def _decks(decks: int) -> str:
    return "1 deck" if decks == 1 else f"{decks} decks"


_WITH = {
    CardProfile.SHUFFLER: "a shuffling machine",
    CardProfile.CONTINUOUS: "a continuous shuffler",
    CardProfile.HAND: "cards shuffled by hand",
    CardProfile.NONE: "no cards of its own",
}
_INTO = {
    CardState.SHUFFLER: "into a shuffler",
    CardState.IN_PLAY: "into play with it",
    CardState.SPARE: "with it as a spare",
}
_WHERE = {
    CardState.SHUFFLER: "in the shuffler",
    CardState.IN_PLAY: "in play",
    CardState.SPARE: "spare",
}
