"""The flows of cards: every paper that is signed between the maker's box and the shredder.

Each step of a set's life is an effect of one of these, so nothing happens to cards that nobody
signed for. Papers of a table are in the table's journal, the others in that of the cards desk.
"""

from __future__ import annotations

from pitboss.rules.card_holds import CARD_HOLD, CARD_RELEASE, CARD_WAIVER, CARDS_DESK
from pitboss.rules.flows import Flow, PlanFacts, Step
from pitboss.rules.roles import Place, Role

# What the service of a slip says of it when it is raised, and its steps depend on.
OPENED = "opened"
SHORT = "short"
CANCELLED_AT_TABLE = "cancelled_at_table"


def is_opened(facts: PlanFacts) -> bool:
    """Tell whether the box was opened: then the dealer inspects the cards as well."""
    return OPENED in facts.marks


def is_short(facts: PlanFacts) -> bool:
    """Tell whether the count is off: such a set is held and never cancelled."""
    return SHORT in facts.marks


def is_cancelled_here(facts: PlanFacts) -> bool:
    """Tell whether the cards are whole in number and cancelled at the table."""
    return CANCELLED_AT_TABLE in facts.marks and not is_short(facts)


def is_cancelled_later(facts: PlanFacts) -> bool:
    """Tell whether the cards are bagged as they are, and cancelled once security has them."""
    return CANCELLED_AT_TABLE not in facts.marks and not is_short(facts)


def _void(
    may_repeat: str | None, at: Place | None = None, then: str = "slip_voided"
) -> tuple[Step, ...]:
    """Return the way out of a slip of cards: a supervisor, before somebody who had no part."""
    return (
        Step(
            "voided",
            by=Role.SUPERVISOR,
            at=at,
            may_repeat=may_repeat,
            needs_reason=True,
            attests="This slip is void.",
        ),
        Step(
            "void_witnessed",
            by=(Role.PIT_MANAGER, Role.SECURITY, Role.SURVEILLANCE),
            at=None,
            attests="I had no part in this slip and saw it voided.",
            then=then,
        ),
    )


CARD_RECEIPT = Flow(
    kind="card_receipt",
    title="Receipt of cards",
    series="KR",
    steps=(
        Step(
            "received",
            by=Role.SUPERVISOR,
            at=None,
            attests="I opened the maker's cartons, looked for damage and counted these sets.",
        ),
        Step(
            "taken_in",
            by=(Role.SECURITY, Role.ACCOUNTING),
            at=None,
            attests="I counted them too and found the same. They are locked in the store.",
            then="card_sets_received",
        ),
    ),
    void=_void("received"),
    desk=CARDS_DESK,
)

CARD_VAULTING = Flow(
    kind="card_vaulting",
    title="Vaulting of cards",
    series="KV",
    steps=(
        Step(
            "inspected",
            by=Role.DEALER,
            at=None,
            attests="I checked every face and back, found each set whole, and shuffled it.",
        ),
        Step(
            "verified",
            by=Role.SUPERVISOR,
            at=None,
            attests="I verified this with no open table in my charge, and sealed each set with "
            "the number that stands here.",
            then="card_sets_vaulted",
        ),
    ),
    void=_void(None),
    desk=CARDS_DESK,
)

CARD_ISSUE = Flow(
    kind="card_issue",
    title="Cards to the pit",
    series="KI",
    steps=(
        Step(
            "taken_out",
            by=Role.SUPERVISOR,
            at=None,
            attests="I took these sealed sets out of the store. Surveillance was told first.",
        ),
        Step(
            "witnessed",
            by=Role.SECURITY,
            at=None,
            attests="I was there, read every seal, and saw them locked in the pit's cabinet.",
            then="card_sets_to_pit",
        ),
    ),
    void=_void("taken_out"),
    desk=CARDS_DESK,
)

CARD_PUT_BACK = Flow(
    kind="card_put_back",
    title="Cards back to the store",
    series="KB",
    steps=(
        Step(
            "put_back",
            by=Role.SUPERVISOR,
            at=None,
            attests="I took these unused sets out of the cabinet, seals whole.",
        ),
        Step(
            "witnessed",
            by=Role.SECURITY,
            at=None,
            attests="I was there, read every seal, and saw them locked in the store.",
            then="card_sets_put_back",
        ),
    ),
    void=_void("put_back"),
    desk=CARDS_DESK,
)

# Manual, "New cards on the gaming table" 2 to 4: the supervisor brings and inspects them, then
# the dealer. The box of a spare stays sealed.
CARD_TO_TABLE = Flow(
    kind="card_to_table",
    title="Cards to the table",
    series="KT",
    steps=(
        Step(
            "brought",
            by=Role.SUPERVISOR,
            at=Place.PIT,
            attests="I read this seal off the box, brought the set to this table, and inspected "
            "what I opened, front and back, both ways.",
            then="card_set_to_table",
        ),
        Step(
            "inspected",
            by=Role.DEALER,
            at=Place.PIT,
            when=is_opened,
            attests="I saw the box opened and inspected the cards too, front and back, both ways.",
            then="card_set_inspected",
        ),
    ),
    void=_void("brought", Place.PIT, then="card_set_unfit"),
    desk=CARDS_DESK,
)

CARD_UNUSED = Flow(
    kind="card_unused",
    title="Spare back to the cabinet",
    series="KU",
    steps=(
        Step(
            "put_back",
            by=Role.SUPERVISOR,
            at=Place.PIT,
            attests="This spare was not opened. Its seal is whole, and it is in the cabinet.",
            then="card_set_unused",
        ),
    ),
    desk=CARDS_DESK,
)

CARD_REPLACEMENT = Flow(
    kind="card_replacement",
    title="Card replaced",
    series="KP",
    steps=(
        Step(
            "replaced",
            by=Role.SUPERVISOR,
            at=Place.PIT,
            needs_reason=True,
            attests="I took the bad card off the table and put one of the same value, suit and "
            "colour in its place.",
        ),
        Step(
            "agreed",
            by=Role.DEALER,
            at=Place.PIT,
            attests="I saw it done and inspected what came in.",
            then="card_replaced",
        ),
    ),
    void=_void("replaced", Place.PIT),
    desk=CARDS_DESK,
)

# Manual, "Cancelling cards" and "Closing" 7: the dealer signs slip and bag, then the supervisor.
CARD_CANCELLATION = Flow(
    kind="card_cancellation",
    title="Card cancellation",
    series="KX",
    steps=(
        Step(
            "bag_signed",
            by=Role.DEALER,
            at=Place.PIT,
            attests="This is what came off the game, counted as it stands here. I signed the bag.",
            then="card_set_off_the_game",
        ),
        Step(
            "cancelled",
            by=Role.SUPERVISOR,
            at=Place.PIT,
            when=is_cancelled_here,
            attests="I cancelled these cards and sealed them in this bag with the slip.",
            then="card_set_cancelled",
        ),
        Step(
            "bagged",
            by=Role.SUPERVISOR,
            at=Place.PIT,
            when=is_cancelled_later,
            attests="I sealed these cards in this bag with the slip. They are cancelled later.",
            then="card_set_bagged",
        ),
        Step(
            "held",
            by=Role.SUPERVISOR,
            at=Place.PIT,
            when=is_short,
            attests="I counted again and found the same. The set is sealed in this bag uncancelled "
            "and held as evidence.",
            then="card_set_short",
        ),
    ),
    void=_void(None, Place.PIT),
    desk=CARDS_DESK,
)

CARD_COLLECTION = Flow(
    kind="card_collection",
    title="Collection of cards",
    series="KC",
    steps=(
        Step(
            "handed_over",
            by=Role.SUPERVISOR,
            at=Place.PIT,
            attests="I hand over every bag that stands here, sealed.",
        ),
        Step(
            "collected",
            by=Role.SECURITY,
            at=Place.PIT,
            attests="I read every bag's number, found them sealed, and take them with me.",
            then="card_sets_collected",
        ),
    ),
    void=_void("handed_over"),
    desk=CARDS_DESK,
)

_ROOM_VOID = (
    Step(
        "voided",
        by=Role.SECURITY,
        at=Place.SECURITY,
        may_repeat="destroyed",
        needs_reason=True,
        attests="This slip is void. No bag was opened on it.",
    ),
    Step(
        "void_witnessed",
        by=(Role.SURVEILLANCE, Role.ACCOUNTING, Role.PIT_MANAGER),
        at=None,
        attests="I had no part in this slip and saw it voided.",
        then="slip_voided",
    ),
)

# Where the house cancels after collection, and for what surveillance lets go.
CARD_LATE_CANCELLATION = Flow(
    kind="card_late_cancellation",
    title="Cancellation of collected cards",
    series="KL",
    steps=(
        Step(
            "cancelled",
            by=Role.SECURITY,
            at=Place.SECURITY,
            attests="I opened these bags and cancelled every card. Surveillance was told first.",
        ),
        Step(
            "witnessed",
            by=(Role.SUPERVISOR, Role.SURVEILLANCE, Role.ACCOUNTING),
            at=None,
            attests="I saw every card cancelled.",
            then="card_sets_cancelled_late",
        ),
    ),
    void=(
        Step(
            "voided",
            by=Role.SECURITY,
            at=Place.SECURITY,
            may_repeat="cancelled",
            needs_reason=True,
            attests="This slip is void. No bag was opened on it.",
        ),
        _ROOM_VOID[1],
    ),
    desk=CARDS_DESK,
)

CARD_DESTRUCTION = Flow(
    kind="card_destruction",
    title="Destruction of cards",
    series="KD",
    steps=(
        Step(
            "destroyed",
            by=Role.SECURITY,
            at=Place.SECURITY,
            attests="I destroyed these cards. Surveillance was told first.",
        ),
        Step(
            "witnessed",
            by=(Role.SUPERVISOR, Role.SURVEILLANCE, Role.ACCOUNTING),
            at=None,
            attests="I saw every set destroyed.",
            then="card_sets_destroyed",
        ),
    ),
    void=_ROOM_VOID,
    desk=CARDS_DESK,
)

# The first counts without being told what the book says; it is compared when both have signed.
CARD_INVENTORY = Flow(
    kind="card_inventory",
    title="Inventory of cards",
    series="KN",
    steps=(
        Step(
            "counted",
            by=Role.SUPERVISOR,
            at=None,
            attests="I counted every set that is not cancelled, in store, cabinets and at tables.",
        ),
        Step(
            "verified",
            by=(Role.SECURITY, Role.ACCOUNTING),
            at=None,
            attests="I counted them too and found the same.",
            then="card_stock_counted",
        ),
    ),
    void=_void("counted"),
    desk=CARDS_DESK,
)

CARD_FLOWS = (
    CARD_RECEIPT,
    CARD_VAULTING,
    CARD_ISSUE,
    CARD_PUT_BACK,
    CARD_TO_TABLE,
    CARD_UNUSED,
    CARD_REPLACEMENT,
    CARD_CANCELLATION,
    CARD_COLLECTION,
    CARD_LATE_CANCELLATION,
    CARD_DESTRUCTION,
    CARD_HOLD,
    CARD_RELEASE,
    CARD_WAIVER,
    CARD_INVENTORY,
)
# None of these moves a cheque, so none of them stands in the way of a count of the tray.
CARD_KINDS = frozenset(flow.kind for flow in CARD_FLOWS)
