"""Shapes of the Pitboss API 1.4.0, made from docs/openapi.json."""

# ruff: noqa: E501
from __future__ import annotations

from typing import Literal, Never, NotRequired, TypeAlias, TypedDict


class AbuseAskRequestFacts(TypedDict):
    what: Literal["complaint", "abusive", "threat", "asked_to_leave"]
    seat: NotRequired[int]
    note: str


class AbuseAskRequest(TypedDict):
    """the supervisor takes over"""

    kind: Literal["abuse"]
    facts: AbuseAskRequestFacts


class Approval(TypedDict):
    """Who must say yes first, and why."""

    code: str
    message: str
    by: list[str]


class Ask(TypedDict):
    """One thing that a kind asks."""

    name: str
    title: str
    shape: str
    is_needed: bool
    choices: list[Choice]


class BaccaratCheckRequestExtra(TypedDict):
    bet: NotRequired[
        Literal[
            "player",
            "banker",
            "tie",
            "player_pair",
            "banker_pair",
            "either_pair",
            "dragon_player",
            "dragon_banker",
            "dragon_7",
            "panda_8",
        ]
    ]
    dealer_bet: NotRequired[bool]
    pay_or_take_to_limit: NotRequired[bool]


class BaccaratCheckRequest(TypedDict):
    """A check of `baccarat`."""

    wager: Literal["baccarat"]
    stake_cents: NotRequired[int]
    player_cards: NotRequired[list[str]]
    dealer_up: NotRequired[str]
    dealer_cards: NotRequired[list[str]]
    extra: NotRequired[BaccaratCheckRequestExtra]
    paytable: NotRequired[str]
    paid_cents: NotRequired[int]
    paid: NotRequired[dict[str, int]]
    bet: NotRequired[dict[str, int]]
    colour_up: NotRequired[bool | int]
    seat: NotRequired[int]
    hand: NotRequired[int]
    suited: NotRequired[bool]
    corrects: NotRequired[int]
    keyed_at: NotRequired[str]


class BadgeRequest(TypedDict):
    """A dealer's badge and PIN."""

    language: NotRequired[LanguageEnum]
    badge: str
    pin: str


class Bet(TypedDict):
    """One bet of a game, and what it says besides its name."""

    bet: str
    name: str
    numbers: int
    which: int


BetBiggerCheckRequestExtraDoubleCentsByBet = TypedDict(
    "BetBiggerCheckRequestExtraDoubleCentsByBet",
    {
        "ante": "NotRequired[int]",
        "2x": "NotRequired[int]",
        "3x": "NotRequired[int]",
        "4x": "NotRequired[int]",
    },
)

BetBiggerCheckRequestExtraSplitHandsItemDoubleCentsByBet = TypedDict(
    "BetBiggerCheckRequestExtraSplitHandsItemDoubleCentsByBet",
    {
        "ante": "NotRequired[int]",
        "2x": "NotRequired[int]",
        "3x": "NotRequired[int]",
        "4x": "NotRequired[int]",
    },
)


class BetBiggerCheckRequestExtraSplitHandsItem(TypedDict):
    cards: list[str]
    double_cents_by_bet: NotRequired[BetBiggerCheckRequestExtraSplitHandsItemDoubleCentsByBet]


class BetBiggerCheckRequestExtra(TypedDict):
    dealer_bet: NotRequired[bool]
    spots: NotRequired[list[Literal["2x", "3x", "4x"]]]
    double_cents_by_bet: NotRequired[BetBiggerCheckRequestExtraDoubleCentsByBet]
    split_hands: NotRequired[list[BetBiggerCheckRequestExtraSplitHandsItem]]
    from_split: NotRequired[bool]
    insurance_each_cents: NotRequired[int]
    even_money: NotRequired[bool]
    surrender: NotRequired[bool]


class BetBiggerCheckRequest(TypedDict):
    """A check of `bet_bigger`."""

    wager: Literal["bet_bigger"]
    stake_cents: NotRequired[int]
    player_cards: NotRequired[list[str]]
    dealer_up: NotRequired[str]
    dealer_cards: NotRequired[list[str]]
    extra: NotRequired[BetBiggerCheckRequestExtra]
    paytable: NotRequired[str]
    paid_cents: NotRequired[int]
    paid: NotRequired[dict[str, int]]
    bet: NotRequired[dict[str, int]]
    colour_up: NotRequired[bool | int]
    seat: NotRequired[int]
    hand: NotRequired[int]
    suited: NotRequired[bool]
    corrects: NotRequired[int]
    keyed_at: NotRequired[str]


class BetTheSet21CheckRequestExtra(TypedDict):
    dealer_bet: NotRequired[bool]
    pay_or_take_to_limit: NotRequired[bool]


class BetTheSet21CheckRequest(TypedDict):
    """A check of `bet_the_set_21`."""

    wager: Literal["bet_the_set_21"]
    stake_cents: NotRequired[int]
    player_cards: NotRequired[list[str]]
    dealer_up: NotRequired[str]
    dealer_cards: NotRequired[list[str]]
    extra: NotRequired[BetTheSet21CheckRequestExtra]
    paytable: NotRequired[str]
    paid_cents: NotRequired[int]
    paid: NotRequired[dict[str, int]]
    bet: NotRequired[dict[str, int]]
    colour_up: NotRequired[bool | int]
    seat: NotRequired[int]
    hand: NotRequired[int]
    suited: NotRequired[bool]
    corrects: NotRequired[int]
    keyed_at: NotRequired[str]


class BigWinAnswer(TypedDict):
    """A big win as it stands."""

    serial: str
    check: int | None
    state: JackpotState
    seat: int
    wager: str
    category: str
    amount_cents: int
    wager_cents: int
    working: str
    due: str | None
    waits_for: str
    steps: list[Step]


class BigWinRequest(TypedDict):
    """Whose signature enters a check as a big win. What was won, the check says."""

    language: NotRequired[LanguageEnum]
    badge: str
    pin: str
    seat: NotRequired[int | None]


class BlackjackCheckRequestExtraSplitHandsItem(TypedDict):
    cards: list[str]
    double_cents: NotRequired[int]


class BlackjackCheckRequestExtra(TypedDict):
    dealer_bet: NotRequired[bool]
    pay_or_take_to_limit: NotRequired[bool]
    double_cents: NotRequired[int]
    split_hands: NotRequired[list[BlackjackCheckRequestExtraSplitHandsItem]]
    from_split: NotRequired[bool]
    insurance_cents: NotRequired[int]
    even_money: NotRequired[bool]
    surrender: NotRequired[bool]
    dealer_bj_is_21: NotRequired[bool]
    blackjack_already_paid: NotRequired[bool]


class BlackjackCheckRequest(TypedDict):
    """A check of `blackjack`."""

    wager: Literal["blackjack"]
    stake_cents: NotRequired[int]
    player_cards: NotRequired[list[str]]
    dealer_up: NotRequired[str]
    dealer_cards: NotRequired[list[str]]
    extra: NotRequired[BlackjackCheckRequestExtra]
    paytable: NotRequired[str]
    paid_cents: NotRequired[int]
    paid: NotRequired[dict[str, int]]
    bet: NotRequired[dict[str, int]]
    colour_up: NotRequired[bool | int]
    seat: NotRequired[int]
    hand: NotRequired[int]
    suited: NotRequired[bool]
    corrects: NotRequired[int]
    keyed_at: NotRequired[str]


class Blazing7sCheckRequestExtra(TypedDict):
    dealer_bet: NotRequired[bool]
    winners_same_hand: NotRequired[int]
    winner_number: NotRequired[int]
    taken_before_cents: NotRequired[int]


class Blazing7sCheckRequest(TypedDict):
    """A check of `blazing_7s`."""

    wager: Literal["blazing_7s"]
    stake_cents: NotRequired[int]
    player_cards: NotRequired[list[str]]
    dealer_up: NotRequired[str]
    dealer_cards: NotRequired[list[str]]
    extra: NotRequired[Blazing7sCheckRequestExtra]
    paytable: NotRequired[str]
    paid_cents: NotRequired[int]
    paid: NotRequired[dict[str, int]]
    bet: NotRequired[dict[str, int]]
    colour_up: NotRequired[bool | int]
    seat: NotRequired[int]
    hand: NotRequired[int]
    suited: NotRequired[bool]
    corrects: NotRequired[int]
    keyed_at: NotRequired[str]


class Bookmark(TypedDict):
    """A moment at a table."""

    entry: int
    at: str
    table: str
    seat: int | None
    event: str
    title: str
    serial: str


class BookmarksAnswer(TypedDict):
    """Moments at tables, in the order of the journal."""

    items: list[Bookmark]
    next: int
    is_whole: bool


class BuyInAskRequestFacts(TypedDict):
    amount_cents: int
    seat: NotRequired[int]


class BuyInAskRequest(TypedDict):
    """cash for cheques"""

    kind: Literal["buy_in"]
    facts: BuyInAskRequestFacts


class CallAnswer(TypedDict):
    """Since when the supervisor is called."""

    called_since: str


class CallRequest(TypedDict):
    """What it is about, if there is time to say."""

    about: NotRequired[str]


class Card(TypedDict):
    """A card as it falls."""

    to: NotRequired[ToEnum]
    seat: NotRequired[int]
    hand: NotRequired[int]
    card: str


class CardReplacedRequest(TypedDict):
    """The right card in place of a wrong one."""

    part: int
    place: int
    card: str


class CardRequest(TypedDict):
    """A card as it falls."""

    to: NotRequired[ToEnum]
    seat: NotRequired[int]
    hand: NotRequired[int]
    card: str


class Cards(TypedDict):
    """Cards in the order in which they fell."""

    cards: list[Card]


class CardsDefectiveAskRequestFacts(TypedDict):
    fault: Literal["worn", "damaged", "count", "tampered"]
    remedy: Literal["card", "set", "held"]
    note: NotRequired[str]


class CardsDefectiveAskRequest(TypedDict):
    """worn, bent, marked"""

    kind: Literal["cards_defective"]
    facts: CardsDefectiveAskRequestFacts


class CardsDroppedAskRequestFacts(TypedDict):
    shuffled: NotRequired[bool]
    note: NotRequired[str]


class CardsDroppedAskRequest(TypedDict):
    """or mishandled"""

    kind: Literal["cards_dropped"]
    facts: NotRequired[CardsDroppedAskRequestFacts]


class CardsPart(TypedDict):
    """Cards as they were sent."""

    number: int
    at: str
    struck_at: NotRequired[str]
    struck_by: NotRequired[str]
    replaced_by: NotRequired[int]
    instead_of: NotRequired[int]
    part: Literal["cards"]
    told: Cards


class CardsRequest(TypedDict):
    """Cards in the order in which they fell."""

    cards: list[CardRequest]


class CheatingSuspectedAskRequestFacts(TypedDict):
    what: Literal["past_post", "cap", "pinch", "marked", "switched", "hands", "collusion"]
    seat: NotRequired[int]
    note: str


class CheatingSuspectedAskRequest(TypedDict):
    """surveillance is notified"""

    kind: Literal["cheating_suspected"]
    facts: CheatingSuspectedAskRequestFacts


class CheckAnswer(TypedDict):
    """A check as it is stored."""

    verdict: Verdict
    paid_cents: int
    expected_cents: int | None
    payable_cents: int | None
    difference_cents: int | None
    category: str | None
    rule: str | None
    working: str
    readings: list[str]
    envy_cents: int
    paytable: Paytable | None
    cheques: dict[str, int] | None
    stacks: dict[str, list[int]] | None
    breakage_cents: int
    cut_working: str
    fill: dict[str, int]
    take_back: dict[str, int]
    add: dict[str, int]
    level: Level
    approvals: list[Approval]
    tax: Tax | None
    orders: list[Order]
    warnings: list[Warning]
    reasons: list[Reason]
    check: int
    table: str
    wager: WagerEnum
    stake_cents: int
    seat: int | None
    checked_at: str
    keyed_at: str | None


class ChecksPage(TypedDict):
    """Checks after the one that was named."""

    items: list[CheckAnswer]
    next: int | None


class Cheque(TypedDict):
    """A denomination of cheque."""

    cents: int
    face: str
    colour: str
    letters: str
    spots: str


class ChequeChangeAskRequestFacts(TypedDict):
    taken: dict[str, int]
    sent: dict[str, int]


class ChequeChangeAskRequest(TypedDict):
    """cheques for cheques"""

    kind: Literal["cheque_change"]
    facts: ChequeChangeAskRequestFacts


class Choice(TypedDict):
    """One of a few answers."""

    value: str
    words: str


class ColourUpAskRequestFacts(TypedDict):
    taken: dict[str, int]
    colour: Literal["500", "2500", "10000", "50000", "100000", "500000", "2000000"]


class ColourUpAskRequest(TypedDict):
    """cheques come in"""

    kind: Literal["colour_up"]
    facts: ColourUpAskRequestFacts


class Coming(TypedDict):
    """Limits that are signed for the table and have not begun."""

    minimum_cents: int
    maximum_cents: int
    from_at: str | None
    words: str


class CounterfeitBillAskRequestFacts(TypedDict):
    worth: Literal["100", "50", "20", "10", "5", "1"]
    bill: Literal["kept", "dropped", "returned"]
    cheques: Literal["none", "sent"]
    seat: NotRequired[int]
    note: NotRequired[str]


class CounterfeitBillAskRequest(TypedDict):
    """shift manager is notified"""

    kind: Literal["counterfeit_bill"]
    facts: CounterfeitBillAskRequestFacts


class CountingSuspectedAskRequestFacts(TypedDict):
    seat: int
    note: str


class CountingSuspectedAskRequest(TypedDict):
    """for surveillance"""

    kind: Literal["counting_suspected"]
    facts: CountingSuspectedAskRequestFacts


class CountsRequest(TypedDict):
    """What a counting machine found: its own file, or rows. One of the two."""

    name: str
    machine: NotRequired[str]
    file: NotRequired[str]
    rows: NotRequired[list[MachineRowRequest]]


class CouponAskRequestFacts(TypedDict):
    face_cents: int
    coupon_initials: str
    coupon_badge: str
    dated: str
    bet: Literal["even", "odds"]
    redated: NotRequired[bool]


class CouponAskRequest(TypedDict):
    """initials, badge, day"""

    kind: Literal["coupon"]
    facts: CouponAskRequestFacts


class DeadSpreadAskRequest(TypedDict):
    """last player has left"""

    kind: Literal["dead_spread"]
    facts: NotRequired[dict[str, Never]]


class Dealer(TypedDict):
    """Who deals, and since when."""

    badge: str
    name: str
    since: str


class DealerAnswer(TypedDict):
    """Who deals now."""

    dealer: Dealer | None


class DealerCutAskRequest(TypedDict):
    """no player cuts"""

    kind: Literal["dealer_cut"]
    facts: NotRequired[dict[str, Never]]


Decision = TypedDict(
    "Decision",
    {
        "seat": "int",
        "hand": "NotRequired[int]",
        "decision": "DecisionEnum",
        "amount_cents": "NotRequired[int]",
        "spot": "NotRequired[str]",
        "for": "NotRequired[WhoseBet]",
    },
)

DecisionRequest = TypedDict(
    "DecisionRequest",
    {
        "seat": "int",
        "hand": "NotRequired[int]",
        "decision": "DecisionEnum",
        "amount_cents": "NotRequired[int]",
        "spot": "NotRequired[str]",
        "for": "NotRequired[WhoseBet]",
    },
)


class DecisionsPart(TypedDict):
    """A decision as it was sent."""

    number: int
    at: str
    struck_at: NotRequired[str]
    struck_by: NotRequired[str]
    replaced_by: NotRequired[int]
    instead_of: NotRequired[int]
    part: Literal["decisions"]
    told: Decision


class DeliveryAnswer(TypedDict):
    """A delivery and what became of it. No figure is told."""

    delivery: int
    name: str
    machine: str
    boxes: list[str]
    state: DeliveryAnswerStateEnum
    at: str


class DisputeAskRequestFacts(TypedDict):
    seat: int
    claim: str
    round: NotRequired[int]
    decision: Literal["stands", "corrected", "gesture"]
    note: NotRequired[str]


class DisputeAskRequest(TypedDict):
    """prove the hand"""

    kind: Literal["dispute"]
    facts: DisputeAskRequestFacts


class Due(TypedDict):
    """The step that comes next, and what it asks of its signer."""

    track: Track
    name: str
    by: list[Role]
    at: Place | NullEnum
    attests: str | None
    counts: bool
    records: bool
    needs_reason: bool
    in_presence_of: str | None
    asks: list[str]


class EarlierPart(TypedDict):
    """What a round was told before its parts were kept one by one."""

    number: int
    at: str
    struck_at: NotRequired[str]
    struck_by: NotRequired[str]
    replaced_by: NotRequired[int]
    instead_of: NotRequired[int]
    part: Literal["earlier"]
    told: RoundLog


class Employee(TypedDict):
    """Someone who works here, or did."""

    employee_number: str
    badge: str
    first_name: str
    last_name: str
    role: RoleEnum
    has_access: bool
    licence_number: str
    licence_ends: str | None


class EndRequest(TypedDict):
    """What a player left with, where someone saw it."""

    walked_cents: NotRequired[int]


class EnrolAnswer(TypedDict):
    """The device, and the token that it alone will ever be told."""

    device: str
    place: str
    table: str | None
    token: str


class EnrolRequest(TypedDict):
    """The one-time code that was shown when two people had let the device in."""

    code: str


class EnterRequest(TypedDict):
    """A hit as the dealer keys it."""

    language: NotRequired[LanguageEnum]
    badge: str
    pin: str
    seat: int
    wager: str
    player_cards: list[str]
    dealer_cards: list[str]
    stake_cents: NotRequired[int | None]
    locked_cents: NotRequired[int | None]
    round: NotRequired[str]
    replaces: NotRequired[str]


class EnvyAnswer(TypedDict):
    """One line of the shift's tip pool list."""

    envy: int
    wager: str
    row: str
    seat: int | None
    amount_cents: int
    says: str
    at: str
    takes_back: int | None


class EnvyRequest(TypedDict):
    """The row of a pay table that was hit; what it adds, the table says."""

    wager: str
    row: str
    seat: NotRequired[int]


class EquipmentAskRequestFacts(TypedDict):
    what: Literal["chain", "shoe", "shuffler", "ace_finder", "paddle", "lock"]
    note: NotRequired[str]


class EquipmentAskRequest(TypedDict):
    """shoe, shuffler, lid"""

    kind: Literal["equipment"]
    facts: EquipmentAskRequestFacts


class FeedAnswer(TypedDict):
    """Ended ratings and their revisions, in the order of the journal."""

    items: list[FeedItem]
    next: int
    is_whole: bool


class FeedItem(TypedDict):
    """What a rating came to, with the journal entry that vouches for it."""

    entry: int
    chain: str
    number: int
    link: str
    rating: int
    revision: int
    card: str
    table: str
    gaming_day: str
    seconds: int
    basis: str
    theo_cents: int | None
    result_cents: int | None
    is_void: bool


class Felt(TypedDict):
    """What the house wants of a terminal's felt."""

    shows: ShowsEnum
    must_check: MustCheck
    lost_by_bust: list[str]


class FeltAnswer(TypedDict):
    """What every bet on the felt is owed."""

    owed_cents: int
    seats: list[FeltSeat]


class FeltBetRequest(TypedDict):
    """A bet on the felt, by its stake or by the cheques on the spot."""

    wager: str
    stake_cents: NotRequired[int]
    bet: NotRequired[dict[str, int]]
    suited: NotRequired[bool]
    spots: NotRequired[list[str]]
    raise_times: NotRequired[int]


class FeltHandRequest(TypedDict):
    """A hand on the felt."""

    cards: list[str]
    doubled: NotRequired[bool]
    double_cents: NotRequired[int]


class FeltLine(TypedDict):
    """One bet, or one hand of a split: what it is owed, and the claim to check it by."""

    verdict: Verdict
    paid_cents: int
    expected_cents: int | None
    payable_cents: int | None
    difference_cents: int | None
    category: str | None
    rule: str | None
    working: str
    readings: list[str]
    envy_cents: int
    paytable: Paytable | None
    cheques: dict[str, int] | None
    stacks: dict[str, list[int]] | None
    breakage_cents: int
    cut_working: str
    fill: dict[str, int]
    take_back: dict[str, int]
    add: dict[str, int]
    level: Level
    approvals: list[Approval]
    tax: Tax | None
    orders: list[Order]
    warnings: list[Warning]
    reasons: list[Reason]
    seat: int
    wager: WagerEnum
    name: str
    hand: int | None
    stake_cents: int
    asks: AsksEnum | NullEnum
    words: str
    net_cents: int | None
    claim: CheckRequest


class FeltPaid(TypedDict):
    """A payout of the felt as it is stored."""

    check: int
    paid_cents: int
    confirmed_at: str
    keyed_at: str | None
    approved_by: str | None
    is_unapproved: bool
    envy_cents: int
    mismatch: Mismatch | None
    seat: int
    wager: WagerEnum
    hand: int | None
    verdict: Verdict
    payable_cents: int | None
    claim: CheckRequest
    answer: CheckAnswer


class FeltPaidAnswer(TypedDict):
    """Every payout of the felt that was told as paid."""

    paid: list[FeltPaid]


class FeltPaidRequest(TypedDict):
    """The felt once more, and what was paid on it. Leave out what has a check of its own."""

    dealer: NotRequired[list[str]]
    seats: NotRequired[list[FeltSeatRequest]]
    paid: list[FeltPayoutRequest]
    already_paid: NotRequired[bool]
    unchecked: NotRequired[bool]
    keyed_at: NotRequired[str]


class FeltPayoutRequest(TypedDict):
    """What was paid on one bet of the felt."""

    seat: int
    wager: str
    hand: NotRequired[int | None]
    paid_cents: int


class FeltRequest(TypedDict):
    """What lies on the felt: the dealer's cards, and each seat's bets and hands."""

    dealer: NotRequired[list[str]]
    seats: NotRequired[list[FeltSeatRequest]]


class FeltSeat(TypedDict):
    """All that is owed at one seat."""

    seat: int
    owed_cents: int
    cheques: dict[str, int]
    lines: list[FeltLine]


class FeltSeatRequest(TypedDict):
    """A seat on the felt."""

    seat: int
    bets: NotRequired[list[FeltBetRequest]]
    hands: NotRequired[list[FeltHandRequest]]
    dealt: NotRequired[list[str]]
    surrender: NotRequired[bool]
    even_money: NotRequired[bool]


class FourCardBonusCheckRequestExtra(TypedDict):
    dealer_bet: NotRequired[bool]
    pay_or_take_to_limit: NotRequired[bool]


class FourCardBonusCheckRequest(TypedDict):
    """A check of `four_card_bonus`."""

    wager: Literal["four_card_bonus"]
    stake_cents: NotRequired[int]
    player_cards: NotRequired[list[str]]
    dealer_up: NotRequired[str]
    dealer_cards: NotRequired[list[str]]
    extra: NotRequired[FourCardBonusCheckRequestExtra]
    paytable: NotRequired[str]
    paid_cents: NotRequired[int]
    paid: NotRequired[dict[str, int]]
    bet: NotRequired[dict[str, int]]
    colour_up: NotRequired[bool | int]
    seat: NotRequired[int]
    hand: NotRequired[int]
    suited: NotRequired[bool]
    corrects: NotRequired[int]
    keyed_at: NotRequired[str]


class FreeBetCouponCheckRequestExtra(TypedDict):
    from_split: NotRequired[bool]
    dealer_bj_is_21: NotRequired[bool]


class FreeBetCouponCheckRequest(TypedDict):
    """A check of `free_bet_coupon`."""

    wager: Literal["free_bet_coupon"]
    stake_cents: NotRequired[int]
    player_cards: NotRequired[list[str]]
    dealer_up: NotRequired[str]
    dealer_cards: NotRequired[list[str]]
    extra: NotRequired[FreeBetCouponCheckRequestExtra]
    paytable: NotRequired[str]
    paid_cents: NotRequired[int]
    paid: NotRequired[dict[str, int]]
    bet: NotRequired[dict[str, int]]
    colour_up: NotRequired[bool | int]
    seat: NotRequired[int]
    hand: NotRequired[int]
    suited: NotRequired[bool]
    corrects: NotRequired[int]
    keyed_at: NotRequired[str]


class HandSettled(TypedDict):
    """One hand of a bet that is settled hand by hand."""

    cards: NotRequired[list[str]]
    outcome: str
    wager_cents: int
    payout_cents: int


class HeadsAnswer(TypedDict):
    """Every seat that is taken now, rated or not."""

    taken: list[int]


class HeadsRequest(TypedDict):
    """The seats that are taken."""

    taken: list[int]


class InsuranceCheckRequestExtra(TypedDict):
    dealer_bet: NotRequired[bool]
    main_stake_cents: NotRequired[int]


class InsuranceCheckRequest(TypedDict):
    """A check of `insurance`."""

    wager: Literal["insurance"]
    stake_cents: NotRequired[int]
    player_cards: NotRequired[list[str]]
    dealer_up: NotRequired[str]
    dealer_cards: NotRequired[list[str]]
    extra: NotRequired[InsuranceCheckRequestExtra]
    paytable: NotRequired[str]
    paid_cents: NotRequired[int]
    paid: NotRequired[dict[str, int]]
    bet: NotRequired[dict[str, int]]
    colour_up: NotRequired[bool | int]
    seat: NotRequired[int]
    hand: NotRequired[int]
    suited: NotRequired[bool]
    corrects: NotRequired[int]
    keyed_at: NotRequired[str]


class IrregularBlackjackMissedAskRequest(TypedDict):
    """Irregularities 2"""

    kind: Literal["irregular_blackjack_missed"]
    facts: NotRequired[dict[str, Never]]


class IrregularCardExposedAskRequestFacts(TypedDict):
    decision: Literal["dealt", "burned", "hand_off"]


class IrregularCardExposedAskRequest(TypedDict):
    """Irregularities 4"""

    kind: Literal["irregular_card_exposed"]
    facts: IrregularCardExposedAskRequestFacts


class IrregularCardFaceUpAskRequestFacts(TypedDict):
    decision: Literal["burned", "dealt", "hand_off"]


class IrregularCardFaceUpAskRequest(TypedDict):
    """Irregularities 3"""

    kind: Literal["irregular_card_face_up"]
    facts: IrregularCardFaceUpAskRequestFacts


class IrregularDealerCardMissedAskRequestFacts(TypedDict):
    out: NotRequired[list[int]]


class IrregularDealerCardMissedAskRequest(TypedDict):
    """Irregularities 7.C"""

    kind: Literal["irregular_dealer_card_missed"]
    facts: NotRequired[IrregularDealerCardMissedAskRequestFacts]


class IrregularDrewOnSeventeenAskRequest(TypedDict):
    """Irregularities 5"""

    kind: Literal["irregular_drew_on_seventeen"]
    facts: NotRequired[dict[str, Never]]


class IrregularHoleCardShownAskRequest(TypedDict):
    """Irregularities 1"""

    kind: Literal["irregular_hole_card_shown"]
    facts: NotRequired[dict[str, Never]]


class IrregularOneCardOnlyAskRequestFacts(TypedDict):
    seat: int
    out: NotRequired[list[int]]


class IrregularOneCardOnlyAskRequest(TypedDict):
    """Irregularities 7.B"""

    kind: Literal["irregular_one_card_only"]
    facts: IrregularOneCardOnlyAskRequestFacts


class IrregularPassedOverAskRequestFacts(TypedDict):
    seat: int
    decision: Literal["next_card", "hand_off"]


class IrregularPassedOverAskRequest(TypedDict):
    """Dealing of Cards 11"""

    kind: Literal["irregular_passed_over"]
    facts: IrregularPassedOverAskRequestFacts


class IrregularPlayerSkippedAskRequestFacts(TypedDict):
    seat: int
    out: NotRequired[list[int]]


class IrregularPlayerSkippedAskRequest(TypedDict):
    """Irregularities 7.A"""

    kind: Literal["irregular_player_skipped"]
    facts: IrregularPlayerSkippedAskRequestFacts


class IrregularTooFewCardsAskRequestFacts(TypedDict):
    decision: Literal["reshuffled", "hand_off"]


class IrregularTooFewCardsAskRequest(TypedDict):
    """Irregularities 6"""

    kind: Literal["irregular_too_few_cards"]
    facts: IrregularTooFewCardsAskRequestFacts


class JackpotAnswer(TypedDict):
    """A jackpot as it stands."""

    serial: str
    state: JackpotState
    seat: int
    category: str
    award_cents: int
    frozen_cents: int | None
    earlier_awards_cents: list[int]
    envy_cents: int
    working: str
    waits_for: list[str]
    due: str | None
    steps: list[Step]


class JobCard(TypedDict):
    """How one job is done at this table."""

    job: JobEnum
    part: str
    title: str
    lines: list[str]
    written_in: str


class Kept(TypedDict):
    """A seat that keeps older limits."""

    seat: int
    minimum_cents: int
    maximum_cents: int


class Kind(TypedDict):
    """A kind of request, with all that a terminal needs to draw its form."""

    kind: str
    title: str
    words: str
    group: str
    heading: str
    is_approval: bool
    guide: list[str]
    cards: list[JobCard]
    asks: list[Ask]


class KnowsDealerAskRequestFacts(TypedDict):
    who: Literal["friend", "relative"]
    remedy: Literal["dealer_moved", "player_moved", "watched"]
    seat: NotRequired[int]
    note: NotRequired[str]


class KnowsDealerAskRequest(TypedDict):
    """of the dealer"""

    kind: Literal["knows_dealer"]
    facts: KnowsDealerAskRequestFacts


class LabelledValue(TypedDict):
    """One value of a patron."""

    name: str
    title: str
    value: int


class LedgerAnswer(TypedDict):
    """A closed day. Debits and credits are equal, of each table and in all."""

    gaming_day: str
    debit_cents: int
    credit_cents: int
    lines: list[LedgerLine]


class LedgerLine(TypedDict):
    """One line of a journal entry. One of the two amounts is 0."""

    table: str
    pit: str
    about: AboutEnum
    title: str
    account: str
    debit_cents: int
    credit_cents: int


class LookRequest(TypedDict):
    """A bet as it lies on the table: all seats of the player together, side bets apart."""

    bet_cents: int
    side: NotRequired[dict[str, int]]


class LuckyLadiesCheckRequestExtra(TypedDict):
    dealer_bet: NotRequired[bool]
    other_winner_stakes_cents: NotRequired[list[int]]


class LuckyLadiesCheckRequest(TypedDict):
    """A check of `lucky_ladies`."""

    wager: Literal["lucky_ladies"]
    stake_cents: NotRequired[int]
    player_cards: NotRequired[list[str]]
    dealer_up: NotRequired[str]
    dealer_cards: NotRequired[list[str]]
    extra: NotRequired[LuckyLadiesCheckRequestExtra]
    paytable: NotRequired[str]
    paid_cents: NotRequired[int]
    paid: NotRequired[dict[str, int]]
    bet: NotRequired[dict[str, int]]
    colour_up: NotRequired[bool | int]
    seat: NotRequired[int]
    hand: NotRequired[int]
    suited: NotRequired[bool]
    corrects: NotRequired[int]
    keyed_at: NotRequired[str]


class MachineRowRequest(TypedDict):
    """How many bills of one kind the machine found in a box."""

    box_tag: str
    compartment: NotRequired[str]
    denomination_cents: DenominationCentsEnum
    pieces: int


class MatchTheDealerCheckRequestExtra(TypedDict):
    dealer_bet: NotRequired[bool]
    pay_or_take_to_limit: NotRequired[bool]


class MatchTheDealerCheckRequest(TypedDict):
    """A check of `match_the_dealer`."""

    wager: Literal["match_the_dealer"]
    stake_cents: NotRequired[int]
    player_cards: NotRequired[list[str]]
    dealer_up: NotRequired[str]
    dealer_cards: NotRequired[list[str]]
    extra: NotRequired[MatchTheDealerCheckRequestExtra]
    paytable: NotRequired[str]
    paid_cents: NotRequired[int]
    paid: NotRequired[dict[str, int]]
    bet: NotRequired[dict[str, int]]
    colour_up: NotRequired[bool | int]
    seat: NotRequired[int]
    hand: NotRequired[int]
    suited: NotRequired[bool]
    corrects: NotRequired[int]
    keyed_at: NotRequired[str]


class Mismatch(TypedDict):
    """A payout that was confirmed otherwise than it was judged; the supervisor is told."""

    id: int
    direction: MismatchDirection
    owed_cents: int | None
    difference_cents: int | None
    take_back: dict[str, int]
    add: dict[str, int]
    settlement: Settlement | None


class NamedGame(TypedDict):
    """A game of the house."""

    id: str
    name: str


class Order(TypedDict):
    """An order of the supervisor, by its number in the floor log, and what it changed here."""

    number: int
    code: str
    message: str


class PaidAnswer(TypedDict):
    """What the dealer confirmed as paid, and the mismatch where it differs from the verdict."""

    check: int
    paid_cents: int
    confirmed_at: str
    keyed_at: str | None
    approved_by: str | None
    is_unapproved: bool
    envy_cents: int
    mismatch: Mismatch | None


PaidDifference = TypedDict(
    "PaidDifference",
    {
        "seat": "int",
        "wager": "str",
        "for": "WhoseBet",
        "hand": "NotRequired[int]",
        "paid_cents": "int",
        "payable_cents": "int",
        "difference_cents": "int",
    },
)


class PaidRequest(TypedDict):
    """What was paid beside the stake in the end: an amount, or the cheques themselves."""

    paid_cents: NotRequired[int]
    paid: NotRequired[dict[str, int]]
    keyed_at: NotRequired[str]
    approval: NotRequired[int]
    already_paid: NotRequired[bool]


class PatronAnswer(TypedDict):
    """A patron as the house has them now."""

    card: str
    first_name: str
    last_name: str
    tier: str
    host: str


class PatronRequest(TypedDict):
    """Who has a card. What is left out stays as it is."""

    first_name: str
    last_name: str
    tier: NotRequired[str]
    host: NotRequired[str]


class Payouts(TypedDict):
    """What was paid."""

    payouts: list[RoundPayout]


class PayoutsPart(TypedDict):
    """Payouts as they were sent."""

    number: int
    at: str
    struck_at: NotRequired[str]
    struck_by: NotRequired[str]
    replaced_by: NotRequired[int]
    instead_of: NotRequired[int]
    part: Literal["payouts"]
    told: Payouts


class PayoutsRequest(TypedDict):
    """What was paid."""

    payouts: list[RoundPayoutRequest]


class Paytable(TypedDict):
    """A pay table by which a verdict was found."""

    id: str
    name: str
    version: int
    printed_in: str


class PaytableRow(TypedDict):
    """One row of a pay table."""

    row: str
    name: str
    pays: str
    envy_cents: int
    is_jackpot: bool


class PaytableWithRows(TypedDict):
    """A pay table, row by row, best row first."""

    id: str
    name: str
    version: int
    printed_in: str
    rows: list[PaytableRow]


class PerfectPairCheckRequestExtra(TypedDict):
    dealer_bet: NotRequired[bool]
    pay_or_take_to_limit: NotRequired[bool]


class PerfectPairCheckRequest(TypedDict):
    """A check of `perfect_pair`."""

    wager: Literal["perfect_pair"]
    stake_cents: NotRequired[int]
    player_cards: NotRequired[list[str]]
    dealer_up: NotRequired[str]
    dealer_cards: NotRequired[list[str]]
    extra: NotRequired[PerfectPairCheckRequestExtra]
    paytable: NotRequired[str]
    paid_cents: NotRequired[int]
    paid: NotRequired[dict[str, int]]
    bet: NotRequired[dict[str, int]]
    colour_up: NotRequired[bool | int]
    seat: NotRequired[int]
    hand: NotRequired[int]
    suited: NotRequired[bool]
    corrects: NotRequired[int]
    keyed_at: NotRequired[str]


class Problem(TypedDict):
    """A problem document (RFC 9457)."""

    type: str
    title: str
    status: int
    detail: str
    refusals: list[Refusal]


class Queue(TypedDict):
    """What waits for the cage."""

    limit_seconds: int
    items: list[QueueItem]


class QueueItem(TypedDict):
    """One step that waits for the cage."""

    step: str
    since: str
    slip: SlipHead


class RaiseTheRoofCheckRequestExtra(TypedDict):
    dealer_bet: NotRequired[bool]
    pay_or_take_to_limit: NotRequired[bool]
    raise_cents: NotRequired[int]


class RaiseTheRoofCheckRequest(TypedDict):
    """A check of `raise_the_roof`."""

    wager: Literal["raise_the_roof"]
    stake_cents: NotRequired[int]
    player_cards: NotRequired[list[str]]
    dealer_up: NotRequired[str]
    dealer_cards: NotRequired[list[str]]
    extra: NotRequired[RaiseTheRoofCheckRequestExtra]
    paytable: NotRequired[str]
    paid_cents: NotRequired[int]
    paid: NotRequired[dict[str, int]]
    bet: NotRequired[dict[str, int]]
    colour_up: NotRequired[bool | int]
    seat: NotRequired[int]
    hand: NotRequired[int]
    suited: NotRequired[bool]
    corrects: NotRequired[int]
    keyed_at: NotRequired[str]


class Rating(TypedDict):
    """A player at this table."""

    rating: int | None
    name: str
    seats: list[int]
    state: RatingState


class RatingRequest(TypedDict):
    """Who sits down where: by card, or someone who is not rated."""

    seat: int
    card: NotRequired[str]
    taken: NotRequired[bool]


class Reason(TypedDict):
    """Why something cannot be verified."""

    code: str
    message: str


class RedeemAnswer(TypedDict):
    """What was redeemed, and what is left of the comp."""

    comp: str
    redeemed_cents: int
    left_cents: int


class RedeemRequest(TypedDict):
    """How much of a comp is used, and where."""

    amount_cents: int
    outlet: str


class Refusal(TypedDict):
    """One reason: a stable code for machines, a sentence for people."""

    code: str
    message: str
    field: NotRequired[str]


class RequestAnswerFacts(TypedDict):
    """What was asked. A kind has its own of these fields."""

    amount_cents: NotRequired[int]
    bet: NotRequired[str]
    bill: NotRequired[str]
    check: NotRequired[int]
    cheques: NotRequired[dict[str, int] | str]
    claim: NotRequired[str]
    colour: NotRequired[str]
    coupon_badge: NotRequired[str]
    coupon_initials: NotRequired[str]
    dated: NotRequired[str]
    decision: NotRequired[str]
    face_cents: NotRequired[int]
    fault: NotRequired[str]
    hands: NotRequired[int]
    how: NotRequired[str]
    mix: NotRequired[str]
    note: NotRequired[str]
    out: NotRequired[list[int]]
    reason: NotRequired[str]
    redated: NotRequired[bool]
    remedy: NotRequired[str]
    round: NotRequired[int]
    seat: NotRequired[int]
    sent: NotRequired[dict[str, int]]
    shuffled: NotRequired[bool]
    taken: NotRequired[dict[str, int]]
    what: NotRequired[str]
    who: NotRequired[str]
    why: NotRequired[str]
    worth: NotRequired[str]


class RequestAnswer(TypedDict):
    """A request as it stands."""

    request: int
    kind: str
    facts: RequestAnswerFacts
    sentence: str
    asked_at: str
    state: RequestState
    answered_by: str | None
    answered_at: str | None
    reason: str
    cheques: dict[str, int]
    is_standing: bool


class RouletteCheckRequestExtra(TypedDict):
    bet: NotRequired[
        Literal[
            "straight",
            "split",
            "street",
            "corner",
            "first_four",
            "five_number",
            "six_line",
            "column",
            "dozen",
            "red",
            "black",
            "odd",
            "even",
            "low",
            "high",
        ]
    ]
    numbers: NotRequired[list[str]]
    which: NotRequired[int]
    result: NotRequired[str]
    dealer_bet: NotRequired[bool]
    pay_or_take_to_limit: NotRequired[bool]


class RouletteCheckRequest(TypedDict):
    """A check of `roulette`."""

    wager: Literal["roulette"]
    stake_cents: NotRequired[int]
    player_cards: NotRequired[list[str]]
    dealer_up: NotRequired[str]
    dealer_cards: NotRequired[list[str]]
    extra: NotRequired[RouletteCheckRequestExtra]
    paytable: NotRequired[str]
    paid_cents: NotRequired[int]
    paid: NotRequired[dict[str, int]]
    bet: NotRequired[dict[str, int]]
    colour_up: NotRequired[bool | int]
    seat: NotRequired[int]
    hand: NotRequired[int]
    suited: NotRequired[bool]
    corrects: NotRequired[int]
    keyed_at: NotRequired[str]


class RoundAbortRequest(TypedDict):
    """Why the round does not count."""

    reason: AbortReason


class RoundAnswer(TypedDict):
    """A round as it stands: what was told, and once it has ended, how it was settled."""

    round: int
    started_at: str
    ended_at: str | None
    outcome: RoundOutcome | NullEnum
    log: RoundLog
    parts: list[RoundPart]
    verdict: RoundVerdict | None


RoundBet = TypedDict(
    "RoundBet",
    {
        "wager": "str",
        "stake_cents": "int",
        "for": "NotRequired[WhoseBet]",
        "coupon": "NotRequired[bool]",
        "raise_cents": "NotRequired[int]",
        "spots": "NotRequired[dict[str, int]]",
    },
)

RoundBetRequest = TypedDict(
    "RoundBetRequest",
    {
        "wager": "str",
        "stake_cents": "int",
        "for": "NotRequired[WhoseBet]",
        "coupon": "NotRequired[bool]",
        "raise_cents": "NotRequired[int]",
        "spots": "NotRequired[dict[str, int]]",
    },
)


class RoundEndRequest(TypedDict):
    """What went wrong in the round, where something did."""

    limit_called: NotRequired[bool]
    hole_card_shown: NotRequired[bool]
    blackjack_found_late: NotRequired[bool]
    coupons_approved: NotRequired[bool]
    unverified: NotRequired[bool]


class RoundHand(TypedDict):
    """One hand as it was played."""

    cards: list[str]
    doubles: NotRequired[dict[str, int]]
    toke_cents: NotRequired[int]
    toke_double_cents: NotRequired[int]


class RoundHandRequest(TypedDict):
    """One hand as it was played."""

    cards: list[str]
    doubles: NotRequired[dict[str, int]]
    toke_cents: NotRequired[int]
    toke_double_cents: NotRequired[int]


class RoundLog(TypedDict):
    """What counts of a round: seats with bets, cards, hands and decisions, and payouts."""

    limit_called: NotRequired[bool]
    hole_card_shown: NotRequired[bool]
    blackjack_found_late: NotRequired[bool]
    coupons_approved: NotRequired[bool]
    seats: list[Seat]
    dealer_cards: list[str]
    community: list[str]
    payouts: list[RoundPayout]


RoundPayout = TypedDict(
    "RoundPayout",
    {
        "seat": "int",
        "wager": "str",
        "for": "NotRequired[WhoseBet]",
        "hand": "NotRequired[int]",
        "paid_cents": "int",
    },
)

RoundPayoutRequest = TypedDict(
    "RoundPayoutRequest",
    {
        "seat": "int",
        "wager": "str",
        "for": "NotRequired[WhoseBet]",
        "hand": "NotRequired[int]",
        "paid_cents": "int",
    },
)


class RoundStartRequest(TypedDict):
    """Which seats are lit, and whether a round that stands open is ended first."""

    seats: NotRequired[list[SeatTakenRequest]]
    ends_open: NotRequired[bool]


class RoundVerdict(TypedDict):
    """How a round ended: its bets in the order of paying, and what was paid differently."""

    lines: list[SettledLine]
    flags: list[SeatRemark]
    house_cents: int
    envy_cents: int
    outcome: RoundOutcome
    unverified: list[SeatRemark]
    differences: NotRequired[list[PaidDifference]]
    reason: NotRequired[str]
    stakes_returned: NotRequired[bool]
    by: NotRequired[str]


class RoundsPage(TypedDict):
    """Rounds after the one that was named."""

    items: list[RoundAnswer]
    next: int | None


class RoyalMatch21CheckRequestExtra(TypedDict):
    dealer_bet: NotRequired[bool]
    pay_or_take_to_limit: NotRequired[bool]


class RoyalMatch21CheckRequest(TypedDict):
    """A check of `royal_match_21`."""

    wager: Literal["royal_match_21"]
    stake_cents: NotRequired[int]
    player_cards: NotRequired[list[str]]
    dealer_up: NotRequired[str]
    dealer_cards: NotRequired[list[str]]
    extra: NotRequired[RoyalMatch21CheckRequestExtra]
    paytable: NotRequired[str]
    paid_cents: NotRequired[int]
    paid: NotRequired[dict[str, int]]
    bet: NotRequired[dict[str, int]]
    colour_up: NotRequired[bool | int]
    seat: NotRequired[int]
    hand: NotRequired[int]
    suited: NotRequired[bool]
    corrects: NotRequired[int]
    keyed_at: NotRequired[str]


class Seat(TypedDict):
    """A seat as it was told."""

    seat: int
    player: NotRequired[str]
    bets: NotRequired[list[RoundBet]]
    cards: NotRequired[list[str]]
    hands: NotRequired[list[RoundHand]]
    insurance_cents: NotRequired[int]
    even_money: NotRequired[bool]
    surrender: NotRequired[bool]
    decisions: NotRequired[list[str]]
    toke_decisions: NotRequired[list[str]]
    toke_insurance_cents: NotRequired[int]
    toke_even_money: NotRequired[bool]
    first_bets: NotRequired[list[RoundBet]]
    lit: NotRequired[list[str]]


class SeatPlayed(TypedDict):
    """A seat of a round that is over."""

    seat: int
    player: NotRequired[str]
    bets: NotRequired[list[RoundBet]]
    cards: NotRequired[list[str]]
    hands: NotRequired[list[RoundHand]]
    insurance_cents: NotRequired[int]
    even_money: NotRequired[bool]
    surrender: NotRequired[bool]
    decisions: NotRequired[list[str]]
    toke_decisions: NotRequired[list[str]]
    toke_insurance_cents: NotRequired[int]
    toke_even_money: NotRequired[bool]
    first_bets: NotRequired[list[RoundBet]]


class SeatPlayedRequest(TypedDict):
    """A seat of a round that is over."""

    seat: int
    player: NotRequired[str]
    bets: NotRequired[list[RoundBetRequest]]
    cards: NotRequired[list[str]]
    hands: NotRequired[list[RoundHandRequest]]
    insurance_cents: NotRequired[int]
    even_money: NotRequired[bool]
    surrender: NotRequired[bool]
    decisions: NotRequired[list[str]]
    toke_decisions: NotRequired[list[str]]
    toke_insurance_cents: NotRequired[int]
    toke_even_money: NotRequired[bool]
    first_bets: NotRequired[list[RoundBetRequest]]


class SeatRemark(TypedDict):
    """Something to look at, at one seat or in the whole round."""

    seat: int | None
    code: str
    message: str


class SeatRequest(TypedDict):
    """A further seat."""

    seat: int


class SeatTaken(TypedDict):
    """A seat that is played, and which of its sensors are lit."""

    seat: int
    player: NotRequired[str]
    lit: NotRequired[list[str]]


class SeatTakenRequest(TypedDict):
    """A seat that is played, and which of its sensors are lit."""

    seat: int
    player: NotRequired[str]
    lit: NotRequired[list[str]]


class Seats(TypedDict):
    """The seats of a round."""

    seats: list[SeatTaken]


class SeatsPart(TypedDict):
    """Seats as they were sent."""

    number: int
    at: str
    struck_at: NotRequired[str]
    struck_by: NotRequired[str]
    replaced_by: NotRequired[int]
    instead_of: NotRequired[int]
    part: Literal["seats"]
    told: Seats


class SeatsRequest(TypedDict):
    """The seats of a round."""

    seats: list[SeatTakenRequest]


class SensorDarkAskRequestFacts(TypedDict):
    seat: int
    note: NotRequired[str]


class SensorDarkAskRequest(TypedDict):
    """surveillance is notified"""

    kind: Literal["sensor_dark"]
    facts: SensorDarkAskRequestFacts


SettledLine = TypedDict(
    "SettledLine",
    {
        "seat": "int",
        "wager": "str",
        "for": "WhoseBet",
        "phase": "PhaseEnum",
        "staked_cents": "int",
        "category": "str",
        "payout_cents": "int",
        "stake_returned": "bool | None",
        "rule": "str",
        "working": "str",
        "readings": "NotRequired[list[str]]",
        "net_cents": "NotRequired[int]",
        "envy_cents": "NotRequired[int]",
        "detail": "NotRequired[SettlementDetail]",
        "pushes": "NotRequired[list[int]]",
    },
)


class Settlement(TypedDict):
    """How a supervisor settled a payout that differed."""

    way: SettlementWay
    stands_cents: int
    by: str
    at: str


class SettlementDetail(TypedDict):
    """What a split comes to hand by hand, and how a stadium seat played out."""

    per_hand: NotRequired[list[HandSettled]]
    player_hands: NotRequired[list[list[str]]]
    dealer_hand: NotRequired[list[str]]
    insurance_payout_cents: NotRequired[int]


class ShoeAnswer(TypedDict):
    """The mark, and how long what it ended took."""

    mark: MarkEnum
    at: str
    seconds: int | None
    rating: RatingEnum | NullEnum
    standard_seconds: int | None


class ShoeRequest(TypedDict):
    """What happens to the shoe now."""

    mark: MarkEnum


class ShuffledAskRequestFacts(TypedDict):
    reason: Literal["cut_card", "new_set", "dead_game", "mishandled", "ordered", "player"]
    how: Literal["machine", "hand"]
    mix: NotRequired[Literal["even", "clumps"]]


class ShuffledAskRequest(TypedDict):
    """and why"""

    kind: Literal["shuffled"]
    facts: ShuffledAskRequestFacts


class SignAnswer(TypedDict):
    """The signature, and the slip after it."""

    track: Track
    step: str
    signed_as: str
    signed_at: str
    slip: Slip


class SignRequest(TypedDict):
    badge: str
    pin: str
    track: NotRequired[Track]
    step: str
    shown: str
    request_id: str
    counted: NotRequired[dict[str, int] | None]
    reason: NotRequired[str]
    present_badge: NotRequired[str]
    said: NotRequired[dict[str, str]]


class Signed(TypedDict):
    """One signature."""

    track: Track
    step: str
    signed_as: str
    signed_at: str


class SignedList(TypedDict):
    """A list of the house, to be imported at another property as a file."""

    text: str
    key_mark: str
    signature: str


class SignedStatement(TypedDict):
    """What the house states of one closed gaming day, as it signed it."""

    number: int
    text: str
    key_mark: str
    signature: str


class SitsOutAskRequestFacts(TypedDict):
    seat: int
    hands: NotRequired[int]
    note: NotRequired[str]


class SitsOutAskRequest(TypedDict):
    """frequent sit-outs"""

    kind: Literal["sits_out"]
    facts: SitsOutAskRequestFacts


class Slip(TypedDict):
    """A slip as it stands, with the text to hand back when it is signed."""

    serial: str
    kind: str
    status: SlipStatus
    table: str | None
    pit: str | None
    gaming_day: str
    shift: str
    cheques: dict[str, int]
    total_cents: int
    refers_to: str | None
    due: Due | None
    signatures: list[Signed]
    shown: str


class SlipHead(TypedDict):
    """A slip summary."""

    serial: str
    kind: str
    status: SlipStatus
    table: str | None
    pit: str | None
    gaming_day: str
    shift: str
    cheques: dict[str, int]
    total_cents: int
    refers_to: str | None


class StadiumBlackjackCheckRequestExtra(TypedDict):
    dealer_bet: NotRequired[bool]
    community: NotRequired[list[str]]
    decisions: NotRequired[
        list[Literal["hit", "stand", "double", "split", "even_money", "surrender", "auto"]]
    ]
    insurance_cents: NotRequired[int]


class StadiumBlackjackCheckRequest(TypedDict):
    """A check of `stadium_blackjack`."""

    wager: Literal["stadium_blackjack"]
    stake_cents: NotRequired[int]
    player_cards: NotRequired[list[str]]
    dealer_up: NotRequired[str]
    dealer_cards: NotRequired[list[str]]
    extra: NotRequired[StadiumBlackjackCheckRequestExtra]
    paytable: NotRequired[str]
    paid_cents: NotRequired[int]
    paid: NotRequired[dict[str, int]]
    bet: NotRequired[dict[str, int]]
    colour_up: NotRequired[bool | int]
    seat: NotRequired[int]
    hand: NotRequired[int]
    suited: NotRequired[bool]
    corrects: NotRequired[int]
    keyed_at: NotRequired[str]


class StaffAnswer(TypedDict):
    """Everyone whom the house knows, by employee number."""

    items: list[Employee]


class StaffRequest(TypedDict):
    """An employee as HR has them. What is left out is not compared."""

    is_employed: bool
    first_name: str
    last_name: str
    badge: NotRequired[str]
    role: NotRequired[RoleEnum]
    licence_number: NotRequired[str]
    licence_ends: NotRequired[str | None]


class StaffState(TypedDict):
    """What became of it. Nothing is changed by this call."""

    employee_number: str
    state: StaffStateStateEnum
    differs: list[DiffersEnum]


class StatementsAnswer(TypedDict):
    """Statements in their order. What is not in them isn’t signed: trust no figure by it."""

    property: str
    gaming_day: str
    closed_to: str | None
    newest: int
    items: list[SignedStatement]
    is_whole: bool


class Step(TypedDict):
    """One step of a jackpot."""

    title: str
    state: StepState
    who: str


class Super3CheckRequestExtra(TypedDict):
    dealer_bet: NotRequired[bool]
    pay_or_take_to_limit: NotRequired[bool]


class Super3CheckRequest(TypedDict):
    """A check of `super_3`."""

    wager: Literal["super_3"]
    stake_cents: NotRequired[int]
    player_cards: NotRequired[list[str]]
    dealer_up: NotRequired[str]
    dealer_cards: NotRequired[list[str]]
    extra: NotRequired[Super3CheckRequestExtra]
    paytable: NotRequired[str]
    paid_cents: NotRequired[int]
    paid: NotRequired[dict[str, int]]
    bet: NotRequired[dict[str, int]]
    colour_up: NotRequired[bool | int]
    seat: NotRequired[int]
    hand: NotRequired[int]
    suited: NotRequired[bool]
    corrects: NotRequired[int]
    keyed_at: NotRequired[str]


class Table(TypedDict):
    """A table as its terminal reads it. Wagers stand in the order in which they are paid."""

    table: str
    terminal: str
    is_open: bool
    game: NamedGame
    decks: int
    soft_17: Soft17Enum
    blackjack_pays: str
    minimum_cents: int
    maximum_cents: int
    coming: Coming | None
    kept: list[Kept]
    options: dict[str, str]
    wagers: list[Wager]
    plays: list[str]
    felt: Felt
    cheques: list[Cheque]
    meters: dict[str, int]
    dealer: Dealer | None
    closing_after_shoe_since: str | None
    round: int | None
    supervisor_called_since: str | None
    attests: dict[str, dict[str, str]]
    at: str


class Tax(TypedDict):
    """The papers that a win owes, taken for a resident with a taxpayer number."""

    form: str | None
    withholding: Withholding
    federal_cents: int
    state_cents: int
    reportable_cents: int
    signature: bool
    form_5754: bool
    provisional: bool
    working: str
    locality: NotRequired[str]
    local_cents: NotRequired[int]
    nra: NotRequired[str]


class TokeBoxAskRequestFacts(TypedDict):
    cheques: dict[str, int]


class TokeBoxAskRequest(TypedDict):
    """black and higher"""

    kind: Literal["toke_box"]
    facts: TokeBoxAskRequestFacts


class TokeChangeAskRequestFacts(TypedDict):
    taken: dict[str, int]
    sent: dict[str, int]


class TokeChangeAskRequest(TypedDict):
    """verify it"""

    kind: Literal["toke_change"]
    facts: TokeChangeAskRequestFacts


class TokenAnswer(TypedDict):
    """The next token of a device, and when it ends if it is taken up now."""

    token: str
    ends_at: str


class TouchTrayAskRequestFacts(TypedDict):
    why: Literal["straighten", "lammer", "count", "other"]


class TouchTrayAskRequest(TypedDict):
    """on a dead game"""

    kind: Literal["touch_tray"]
    facts: TouchTrayAskRequestFacts


class TriluxCheckRequestExtra(TypedDict):
    dealer_bet: NotRequired[bool]
    pay_or_take_to_limit: NotRequired[bool]


class TriluxCheckRequest(TypedDict):
    """A check of `trilux`."""

    wager: Literal["trilux"]
    stake_cents: NotRequired[int]
    player_cards: NotRequired[list[str]]
    dealer_up: NotRequired[str]
    dealer_cards: NotRequired[list[str]]
    extra: NotRequired[TriluxCheckRequestExtra]
    paytable: NotRequired[str]
    paid_cents: NotRequired[int]
    paid: NotRequired[dict[str, int]]
    bet: NotRequired[dict[str, int]]
    colour_up: NotRequired[bool | int]
    seat: NotRequired[int]
    hand: NotRequired[int]
    suited: NotRequired[bool]
    corrects: NotRequired[int]
    keyed_at: NotRequired[str]


class TwoCardBonusCheckRequestExtra(TypedDict):
    dealer_bet: NotRequired[bool]
    pay_or_take_to_limit: NotRequired[bool]


class TwoCardBonusCheckRequest(TypedDict):
    """A check of `two_card_bonus`."""

    wager: Literal["two_card_bonus"]
    stake_cents: NotRequired[int]
    player_cards: NotRequired[list[str]]
    dealer_up: NotRequired[str]
    dealer_cards: NotRequired[list[str]]
    extra: NotRequired[TwoCardBonusCheckRequestExtra]
    paytable: NotRequired[str]
    paid_cents: NotRequired[int]
    paid: NotRequired[dict[str, int]]
    bet: NotRequired[dict[str, int]]
    colour_up: NotRequired[bool | int]
    seat: NotRequired[int]
    hand: NotRequired[int]
    suited: NotRequired[bool]
    corrects: NotRequired[int]
    keyed_at: NotRequired[str]


class ValuesAnswer(TypedDict):
    """What a hotel shows of a patron."""

    card: str
    values: list[LabelledValue]
    note: str


class Wager(TypedDict):
    """A wager of the table, its limits and what it pays."""

    wager: WagerEnum
    name: str
    is_side_bet: bool
    minimum_cents: int
    maximum_cents: int
    stakes_cents: list[int]
    cards: WagerCards
    bets: list[Bet]
    has_result: bool
    paytable: PaytableWithRows


class WagerCards(TypedDict):
    """How many cards decide a wager, at least and at most."""

    player_least: int
    player_most: int
    dealer_least: int
    dealer_most: int
    dealer_field: DealerFieldEnum


class Wagers(TypedDict):
    """All bets of a seat, in place of what was told of it before."""

    seat: int
    bets: list[RoundBet]


class WagersPart(TypedDict):
    """Bets of one seat as they were sent."""

    number: int
    at: str
    struck_at: NotRequired[str]
    struck_by: NotRequired[str]
    replaced_by: NotRequired[int]
    instead_of: NotRequired[int]
    part: Literal["wagers"]
    told: Wagers


class WagersRequest(TypedDict):
    """All bets of a seat, in place of what was told of it before."""

    seat: int
    bets: list[RoundBetRequest]


class Warning(TypedDict):
    """What a supervisor should know of a bet that is settled all the same."""

    code: str
    message: str


class WholePart(TypedDict):
    """A round that was sent whole."""

    number: int
    at: str
    struck_at: NotRequired[str]
    struck_by: NotRequired[str]
    replaced_by: NotRequired[int]
    instead_of: NotRequired[int]
    part: Literal["whole"]
    told: WholeRound


class WholeRound(TypedDict):
    """A round that is over: seats with bets, cards and hands, the dealer's cards, payouts."""

    limit_called: NotRequired[bool]
    hole_card_shown: NotRequired[bool]
    blackjack_found_late: NotRequired[bool]
    coupons_approved: NotRequired[bool]
    seats: list[SeatPlayed]
    dealer_cards: NotRequired[list[str]]
    community: NotRequired[list[str]]
    payouts: NotRequired[list[RoundPayout]]
    unverified: NotRequired[bool]


class WholeRoundRequest(TypedDict):
    """A round that is over: seats with bets, cards and hands, the dealer's cards, payouts."""

    limit_called: NotRequired[bool]
    hole_card_shown: NotRequired[bool]
    blackjack_found_late: NotRequired[bool]
    coupons_approved: NotRequired[bool]
    seats: list[SeatPlayedRequest]
    dealer_cards: NotRequired[list[str]]
    community: NotRequired[list[str]]
    payouts: NotRequired[list[RoundPayoutRequest]]
    unverified: NotRequired[bool]


AbortReason: TypeAlias = (
    'Literal["misdeal", "card_exposed", "wrong_entry", "equipment", "evacuation", "table_closed"]'
)

AboutEnum: TypeAlias = (
    'Literal["tray", "cage_cheques", "drop", "markers", "win", "payouts", "cage_cash", "bank"]'
)

AskRequest: TypeAlias = "BuyInAskRequest | ChequeChangeAskRequest | ColourUpAskRequest | TokeBoxAskRequest | TokeChangeAskRequest | CouponAskRequest | DealerCutAskRequest | DeadSpreadAskRequest | TouchTrayAskRequest | CounterfeitBillAskRequest | CardsDroppedAskRequest | CardsDefectiveAskRequest | SensorDarkAskRequest | DisputeAskRequest | CheatingSuspectedAskRequest | AbuseAskRequest | EquipmentAskRequest | CountingSuspectedAskRequest | SitsOutAskRequest | KnowsDealerAskRequest | ShuffledAskRequest | IrregularHoleCardShownAskRequest | IrregularBlackjackMissedAskRequest | IrregularPlayerSkippedAskRequest | IrregularOneCardOnlyAskRequest | IrregularDealerCardMissedAskRequest | IrregularCardFaceUpAskRequest | IrregularCardExposedAskRequest | IrregularPassedOverAskRequest | IrregularDrewOnSeventeenAskRequest | IrregularTooFewCardsAskRequest"

AsksEnum: TypeAlias = 'Literal["cards", "suits"]'

CheckRequest: TypeAlias = "BlackjackCheckRequest | InsuranceCheckRequest | FreeBetCouponCheckRequest | BetBiggerCheckRequest | RaiseTheRoofCheckRequest | BetTheSet21CheckRequest | RoyalMatch21CheckRequest | TriluxCheckRequest | Super3CheckRequest | MatchTheDealerCheckRequest | PerfectPairCheckRequest | TwoCardBonusCheckRequest | FourCardBonusCheckRequest | LuckyLadiesCheckRequest | Blazing7sCheckRequest | StadiumBlackjackCheckRequest | RouletteCheckRequest | BaccaratCheckRequest"

DealerFieldEnum: TypeAlias = 'Literal["dealer_up", "dealer_cards"]'

DecisionEnum: TypeAlias = 'Literal["hit", "stand", "auto", "double", "split", "surrender", "insurance", "even_money", "raise"]'

DeliveryAnswerStateEnum: TypeAlias = 'Literal["waiting", "imported", "not_imported"]'

DenominationCentsEnum: TypeAlias = "Literal[100, 200, 500, 1000, 2000, 5000, 10000]"

DiffersEnum: TypeAlias = 'Literal["is_employed", "badge", "first_name", "last_name", "role", "licence_number", "licence_ends"]'

JackpotState: TypeAlias = 'Literal["pending", "released", "held", "paid", "rejected", "withheld"]'

JobEnum: TypeAlias = 'Literal["shuffle", "wash", "cut", "burn", "dead_game", "bills", "tray", "tap_out", "tokes", "shoe", "protection", "irregular", "fundamentals", "double_deck", "blazing", "card_change", "dealing", "insurance", "doubles", "paying", "pickup", "limits", "change", "coupons", "opening", "closing", "fills", "markers", "players", "conduct", "trilux", "raise_the_roof", "stadium", "face_up", "bet_bigger"]'

LanguageEnum: TypeAlias = 'Literal["en", "es"]'

Level: TypeAlias = 'Literal["verbal", "approval", "big_win", "jackpot"]'

MarkEnum: TypeAlias = 'Literal["shuffle", "deal", "stop"]'

MismatchDirection: TypeAlias = 'Literal["overpaid", "underpaid", "unverified"]'

MustCheck: TypeAlias = 'Literal["nothing", "side_bets", "all"]'

NullEnum: TypeAlias = "None"

PhaseEnum: TypeAlias = 'Literal["side_bets", "player_action", "after_dealer"]'

Place: TypeAlias = 'Literal["pit", "cage", "security", "surveillance", "office"]'

RatingEnum: TypeAlias = 'Literal["OP", "SP", "ME", "NI"]'

RatingState: TypeAlias = 'Literal["rated", "look_wanted", "away", "ended", "taken"]'

RequestState: TypeAlias = 'Literal["waiting", "granted", "declined", "noted", "withdrawn"]'

Role: TypeAlias = 'Literal["dealer", "supervisor", "pit_manager", "shift_manager", "cashier", "cage_manager", "security", "security_manager", "surveillance", "surveillance_manager", "count_team", "host", "host_manager", "accounting", "controller", "collector", "compliance", "auditor", "administrator"]'

RoleEnum: TypeAlias = 'Literal["dealer", "supervisor", "pit_manager", "shift_manager", "cashier", "cage_manager", "security", "security_manager", "surveillance", "surveillance_manager", "count_team", "host", "host_manager", "accounting", "controller", "collector", "compliance", "auditor", "administrator"]'

RoundOutcome: TypeAlias = 'Literal["settled", "partly_settled", "unverified", "aborted"]'

RoundPart: TypeAlias = (
    "SeatsPart | WagersPart | CardsPart | DecisionsPart | PayoutsPart | WholePart | EarlierPart"
)

SettlementWay: TypeAlias = 'Literal["corrected", "overridden"]'

ShowsEnum: TypeAlias = 'Literal["owed", "about_to_pay"]'

SlipStatus: TypeAlias = 'Literal["open", "returning", "done", "voided", "returned", "withheld"]'

Soft17Enum: TypeAlias = 'Literal["stand", "hit"]'

StaffStateStateEnum: TypeAlias = 'Literal["on_file", "waiting"]'

StepState: TypeAlias = 'Literal["done", "now", "next", "skipped", "stopped"]'

ToEnum: TypeAlias = 'Literal["seat", "dealer", "community"]'

Track: TypeAlias = 'Literal["main", "void", "relief"]'

Verdict: TypeAlias = 'Literal["right", "overpaid", "underpaid", "cannot_verify"]'

WagerEnum: TypeAlias = 'Literal["blackjack", "insurance", "free_bet_coupon", "bet_bigger", "raise_the_roof", "bet_the_set_21", "royal_match_21", "trilux", "super_3", "match_the_dealer", "perfect_pair", "two_card_bonus", "four_card_bonus", "lucky_ladies", "blazing_7s", "stadium_blackjack", "roulette", "baccarat"]'

WhoseBet: TypeAlias = 'Literal["player", "dealer", "piggyback"]'

Withholding: TypeAlias = 'Literal["none", "regular", "backup", "nonresident", "ask"]'
