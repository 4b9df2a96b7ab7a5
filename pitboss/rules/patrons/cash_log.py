"""Cash over the table and over the window: what is summed, what is logged, when a report is due.

Cash in and cash out of one person in one gaming day are summed apart, never set off against each
other. A report is due when either sum is more than the limit; the limit itself is not.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum, unique
from typing import Final

from pitboss.rules.canonical import is_plain
from pitboss.rules.cheques.cheques import format_money
from pitboss.rules.refusal import CONFLICT, NOT_YOURS, Refusal
from pitboss.rules.roles import Place, Role, may_act_as

DESCRIPTION_MIN: Final = 12
DESCRIPTION_MAX: Final = 300
# Quick picks to describe someone by; a picture number and words of one's own come after them.
LOOKS: Final[Mapping[str, tuple[str, ...]]] = {
    "sex": ("woman", "man"),
    "age": ("20s", "30s", "40s", "50s", "60s", "70 or older"),
    "height": ("short", "medium height", "tall"),
    "build": ("slim", "medium build", "heavy"),
    "hair": ("black hair", "brown hair", "blond hair", "red hair", "gray hair", "bald", "hat"),
}
# More than this in one transaction is a slip of the finger.
AMOUNT_MAX_CENTS: Final = 1_000_000_000


@unique
class Direction(StrEnum):
    """Which way cash goes, seen from the house. The two are never netted."""

    IN = "in"
    OUT = "out"

    @property
    def label(self) -> str:
        return f"cash {self.value}"


@unique
class CashKind(StrEnum):
    """What cash was taken or given for. The values are stored."""

    BUY_IN = "buy_in"
    MARKER_PAYMENT = "marker_payment"
    CASH_OUT = "cash_out"
    MARKER_ADVANCE = "marker_advance"
    JACKPOT = "jackpot"
    DEPOSIT = "deposit"
    WITHDRAWAL = "withdrawal"
    COMP = "comp"
    WAGER = "wager"
    EXCHANGE_IN = "exchange_in"
    CHECK_BOUGHT = "check_bought"
    WIRE_OUT = "wire_out"
    CHECK_CASHED = "check_cashed"
    EXCHANGE_OUT = "exchange_out"
    WIRE_IN = "wire_in"
    PROMOTION = "promotion"
    FOREIGN_IN = "foreign_in"
    FOREIGN_OUT = "foreign_out"
    OTHER_IN = "other_in"
    OTHER_OUT = "other_out"

    @property
    def label(self) -> str:
        return _LABELS.get(self, self.value.replace("_", " "))

    @property
    def direction(self) -> Direction:
        """Which way the cash goes.

        >>> CashKind.MARKER_PAYMENT.direction.value, CashKind.MARKER_ADVANCE.direction.value
        ('in', 'out')
        """
        return Direction.IN if self in _INWARD else Direction.OUT


_INWARD: Final = frozenset(
    {
        CashKind.BUY_IN,
        CashKind.MARKER_PAYMENT,
        CashKind.DEPOSIT,
        CashKind.WAGER,
        CashKind.EXCHANGE_IN,
        CashKind.CHECK_BOUGHT,
        CashKind.WIRE_OUT,
        CashKind.FOREIGN_IN,
        CashKind.OTHER_IN,
    }
)
_LABELS: Final = {
    CashKind.BUY_IN: "buy-in",
    CashKind.CASH_OUT: "cash-out",
    CashKind.JACKPOT: "jackpot paid in cash",
    CashKind.DEPOSIT: "deposit in cash",
    CashKind.WITHDRAWAL: "withdrawal in cash",
    CashKind.COMP: "comp paid in cash",
    CashKind.WAGER: "currency wager",
    CashKind.EXCHANGE_IN: "currency exchange, received",
    CashKind.CHECK_BOUGHT: "check bought with cash",
    CashKind.WIRE_OUT: "cash for a wire out",
    CashKind.CHECK_CASHED: "check cashed",
    CashKind.EXCHANGE_OUT: "currency exchange, paid out",
    CashKind.WIRE_IN: "cash from a wire in",
    CashKind.PROMOTION: "tournament or promotion payout",
    CashKind.FOREIGN_IN: "foreign currency received",
    CashKind.FOREIGN_OUT: "foreign currency paid out",
    CashKind.OTHER_IN: "other cash in",
    CashKind.OTHER_OUT: "other cash out",
}
# What people key themselves, and where. Every other kind is written by the act that moves the cash.
KEYED_AT: Final[Mapping[CashKind, tuple[Place, ...]]] = {
    CashKind.BUY_IN: (Place.PIT, Place.CAGE),
    CashKind.CASH_OUT: (Place.PIT, Place.CAGE),
    CashKind.MARKER_ADVANCE: (Place.CAGE,),
    # Cash of other areas too, such as slots and the race book.
    CashKind.CHECK_CASHED: (Place.CAGE,),
    CashKind.CHECK_BOUGHT: (Place.CAGE,),
    CashKind.EXCHANGE_IN: (Place.CAGE,),
    CashKind.EXCHANGE_OUT: (Place.CAGE,),
    CashKind.WAGER: (Place.CAGE,),
    CashKind.WIRE_OUT: (Place.CAGE,),
    CashKind.WIRE_IN: (Place.CAGE,),
    CashKind.PROMOTION: (Place.CAGE,),
    CashKind.FOREIGN_IN: (Place.CAGE,),
    CashKind.FOREIGN_OUT: (Place.CAGE,),
    CashKind.OTHER_IN: (Place.CAGE,),
    CashKind.OTHER_OUT: (Place.CAGE,),
}
# What a report asks in words besides: whose currency, or what for.
FOREIGN: Final = frozenset({CashKind.FOREIGN_IN, CashKind.FOREIGN_OUT})
TELLS: Final = FOREIGN | {CashKind.OTHER_IN, CashKind.OTHER_OUT}
TOLD_MAX: Final = 50
_COUNTRY: Final = re.compile(r"[A-Z]{2}", re.ASCII)
# Who keys it there; anyone who outranks them may as well.
KEYED_BY: Final[Mapping[Place, Role]] = {Place.PIT: Role.SUPERVISOR, Place.CAGE: Role.CASHIER}


@unique
class CashLevel(StrEnum):
    """How near a day's sum is to a report, with the transaction at hand in it."""

    QUIET = "quiet"
    LOGGED = "logged"
    NEAR = "near"
    CROSSES = "crosses"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class CashPolicy:
    """The amounts that the house watches a day's cash by."""

    log_from_cents: int = 300_000
    near_cents: int = 800_000
    report_over_cents: int = 1_000_000
    report_days: int = 15
    # One transaction from which it is asked whose it is, and for how long unnamed cash at one seat
    # counts together.
    who_from_cents: int = 250_000
    seat_window: timedelta = timedelta(minutes=60)

    def is_logged(self, sum_cents: int) -> bool:
        """Tell whether a day's sum belongs into the multiple-transaction log."""
        return sum_cents >= self.log_from_cents

    def is_reported(self, sum_cents: int) -> bool:
        """Tell whether a day's sum is reported: more than the limit, not the limit itself.

        >>> CashPolicy().is_reported(1_000_000), CashPolicy().is_reported(1_000_001)
        (False, True)
        """
        return sum_cents > self.report_over_cents

    def due_on(self, gaming_day: date) -> date:
        """Return the last day on which a report on a gaming day may be filed."""
        return gaming_day + timedelta(days=self.report_days)

    def level(self, before_cents: int, amount_cents: int) -> CashLevel:
        """Return how near a transaction brings a day's sum to a report.

        >>> CashPolicy().level(600_000, 500_000)
        <CashLevel.CROSSES: 'crosses'>
        """
        if self.is_reported(before_cents):
            return CashLevel.OVER
        after_cents = before_cents + amount_cents
        if self.is_reported(after_cents):
            return CashLevel.CROSSES
        if after_cents >= self.near_cents:
            return CashLevel.NEAR
        return CashLevel.LOGGED if self.is_logged(after_cents) else CashLevel.QUIET


@dataclass(frozen=True, slots=True)
class Outlook:
    """What a transaction would make of a day's sum, as the person who keys it is shown."""

    policy: CashPolicy
    direction: Direction
    before_cents: int
    amount_cents: int

    @property
    def after_cents(self) -> int:
        return self.before_cents + self.amount_cents

    @property
    def level(self) -> CashLevel:
        return self.policy.level(self.before_cents, self.amount_cents)

    @property
    def needs_confirmation(self) -> bool:
        """Whether this is the transaction that crosses, and so must be seen before it is stored."""
        return self.level == CashLevel.CROSSES

    @property
    def sentence(self) -> str:
        """Say what follows, to staff and never to the patron.

        >>> Outlook(CashPolicy(), Direction.IN, 600_000, 500_000).sentence
        'This brings the day’s cash in to $11,000, over $10,000. Get the patron’s ID and tax ID \
before any cash changes hands. Don’t tell them what the limit is or how to stay under it.'
        """
        limit = format_money(self.policy.report_over_cents)
        match self.level:
            case CashLevel.CROSSES:
                return (
                    f"This brings the day’s {self.direction.label} to "
                    f"{format_money(self.after_cents)}, over {limit}. Get the patron’s ID and tax "
                    "ID before any cash changes hands. Don’t tell them what the limit is or how to "
                    "stay under it."
                )
            case CashLevel.OVER:
                return (
                    f"The day’s {self.direction.label} is already over {limit}. A "
                    "currency transaction report (CTR) is pending with compliance. "
                    "This is added to it."
                )
            case CashLevel.NEAR:
                left = format_money(self.policy.report_over_cents - self.after_cents)
                return f"They’re {left} from the CTR limit today. Have their ID ready."
            case CashLevel.LOGGED:
                start = format_money(self.policy.log_from_cents)
                return (
                    f"Cash of {start} or more in a gaming day goes on the multiple-transaction log."
                )
            case _:
                return ""


@dataclass(frozen=True, slots=True)
class CashFacts:
    """Everything that decides whether an entry that someone keyed may be stored."""

    kind: CashKind
    amount_cents: int
    keyed_by: str
    role: Role
    place: Place
    # The table's pit, none at the cage; and the pit of the device, none where it goes anywhere.
    pit_id: int | None
    device_pit_id: int | None
    # Who brought or took the cash: someone on file, or someone described, never both.
    knows_patron: bool
    is_described: bool
    # The gaming day on which the person was described, none for a patron or a new description.
    described_on: date | None
    gaming_day: date
    shown_is_current: bool
    level: CashLevel
    confirmed: bool


def entry_refusals(facts: CashFacts) -> list[Refusal]:
    """Return why an entry of the cash log may not be stored: every reason."""
    refusals = [*_place_refusals(facts), *amount_refusals(facts.amount_cents)]
    if facts.knows_patron == facts.is_described:
        refusals.append(Refusal("who_missing", "Choose a patron on file, or enter a description."))
    if facts.described_on not in (None, facts.gaming_day):
        refusals.append(
            Refusal(
                "described_another_day",
                "That description is of another gaming day. Describe the person again.",
            )
        )
    if not facts.shown_is_current:
        refusals.append(
            Refusal(
                "stale_screen",
                "The day’s total changed while you had this open. Review it.",
                CONFLICT,
            )
        )
    elif facts.level == CashLevel.CROSSES and not facts.confirmed:
        refusals.append(
            Refusal(
                "warning_unseen",
                "This takes the day over the limit. Read the warning, tick it, and sign again.",
            )
        )
    return refusals


def _place_refusals(facts: CashFacts) -> list[Refusal]:
    """Return why this person may not key this kind of entry here."""
    wanted = KEYED_BY.get(facts.place)
    if wanted is None:
        return [
            Refusal(
                "wrong_place",
                "Cash is logged on a device of the pit or the cage. Use one there.",
                NOT_YOURS,
            )
        ]
    refusals = []
    if not may_act_as(facts.role, wanted):
        refusals.append(
            Refusal(
                "wrong_role",
                f"{facts.keyed_by} can’t log this. It needs: {wanted.label}.",
                NOT_YOURS,
            )
        )
    if (facts.pit_id is None) != (facts.place == Place.CAGE):
        refusals.append(
            Refusal(
                "wrong_place",
                "What happens at a table is logged in the pit, the rest in "
                "the cage. Use a device there.",
                NOT_YOURS,
            )
        )
    elif facts.device_pit_id not in (None, facts.pit_id):
        refusals.append(
            Refusal(
                "wrong_pit", "That table is in another pit. Log it on a tablet there.", NOT_YOURS
            )
        )
    if facts.place not in KEYED_AT.get(facts.kind, ()):
        refusals.append(
            Refusal(
                "kind_not_keyed",
                f"You can’t enter a {facts.kind.label} here. It is logged where the cash moves.",
            )
        )
    return refusals


def told_refusals(kind: CashKind, told: str) -> list[Refusal]:
    """Return why the words that a kind of cash needs are missing or none that can be kept.

    >>> [each.code for each in told_refusals(CashKind.FOREIGN_IN, "Canada")]
    ['country_malformed']
    """
    if kind in FOREIGN and not _COUNTRY.fullmatch(told):
        words = "Enter the country of the currency as two letters, such as CA."
        return [Refusal("country_malformed", words)]
    is_wrong = len(told) > TOLD_MAX or not is_plain(told) or not told.isprintable()
    if is_wrong or bool(told) != (kind in TELLS):
        words = f"Enter what the cash was for, in {TOLD_MAX} characters or fewer."
        return [Refusal("told_malformed", words)]
    return []


def amount_refusals(amount_cents: int) -> list[Refusal]:
    """Return why an amount is none of a transaction."""
    if 0 < amount_cents <= AMOUNT_MAX_CENTS:
        return []
    most = format_money(AMOUNT_MAX_CENTS)
    return [Refusal("amount_malformed", f"Cash isn’t valid. Enter dollars, from $0.01 to {most}.")]


def asks_who(policy: CashPolicy, amount_cents: int, unnamed_cents: int = 0) -> bool:
    """Tell whether cash is taken only once it is known whose it is.

    `unnamed_cents` is what came at the same seat a short while before, and no one said whose.

    >>> asks_who(CashPolicy(), 249_999), asks_who(CashPolicy(), 250_000)
    (False, True)
    >>> asks_who(CashPolicy(), 150_000), asks_who(CashPolicy(), 150_000, 150_000)
    (False, True)
    """
    if amount_cents >= policy.who_from_cents:
        return True
    return bool(unnamed_cents) and policy.is_logged(unnamed_cents + amount_cents)


def who_refusals(
    policy: CashPolicy, amount_cents: int, *, is_told: bool, unnamed_cents: int = 0
) -> list[Refusal]:
    """Return why cash is not taken before it is known whose it is.

    >>> [each.code for each in who_refusals(CashPolicy(), 250_000, is_told=False)]
    ['who_missing']
    >>> who_refusals(CashPolicy(), 250_000, is_told=True)
    []
    """
    if is_told or not asks_who(policy, amount_cents, unnamed_cents):
        return []
    return [
        Refusal(
            "who_missing",
            "This much cash needs a name. Choose the patron or someone described today, or "
            "describe them: sex, age, height, build, hair, clothing, and the picture number.",
        )
    ]


def declined_words(kind: CashKind, amount_cents: int, description: str = "") -> str:
    """Return what compliance is told of cash that was declined.

    >>> declined_words(CashKind.BUY_IN, 1_010_000, "Man, 50s, red jacket")
    'ID refused: buy-in of $10,100 declined, and the cash was given back. Man, 50s, red jacket'
    """
    declined = f"{kind.label} of {format_money(amount_cents)} declined"
    return f"ID refused: {declined}, and the cash was given back. {description}".strip()


def description_refusals(description: str) -> list[Refusal]:
    """Return why words do not describe an unknown person well enough to know them again."""
    if not is_plain(description):
        return [
            Refusal(
                "text_malformed", "The description has characters that can’t be saved. Remove them."
            )
        ]
    if len(description) < DESCRIPTION_MIN:
        return [
            Refusal(
                "description_too_short",
                "Describe them so others can recognize them: sex, age, height, build, hair, "
                "clothing.",
            )
        ]
    if len(description) > DESCRIPTION_MAX:
        return [
            Refusal(
                "description_too_long",
                f"Description is too long. Use {DESCRIPTION_MAX} characters or fewer.",
            )
        ]
    return []
