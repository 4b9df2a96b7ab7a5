"""A payout about to be made, as a dealer's terminal tells it: read with every reason."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from pitboss.rules.cheques.cheques import BY_CENTS, parse_cheques, staked_cents, total_cents
from pitboss.rules.cheques.sets import no_money_refusals
from pitboss.rules.facts import AMOUNT_CENTS_MAX
from pitboss.rules.games.tracked import TRACKED_GAMES
from pitboss.rules.quoting import quoted
from pitboss.rules.refusal import Refusal, Refused, refuse
from pitboss.rules.rounds.reading import SEATS_MAX
from pitboss.rules.wagers.settle import WAGERS

# One wager as `settle` reads it; what the table decides is filled in from its own rules.
CASE_FIELDS: Final = (
    "wager",
    "paytable",
    "stake_cents",
    "player_cards",
    "dealer_cards",
    "dealer_up",
    "extra",
)
SPLIT_HANDS_MAX: Final = 4
_CLAIM_FIELDS: Final = frozenset(
    {*CASE_FIELDS, "paid_cents", "paid", "bet", "colour_up", "seat", "hand", "suited"}
)
_KNOWN: Final = ", ".join(sorted(_CLAIM_FIELDS))


@dataclass(frozen=True, slots=True)
class Claim:
    """One wager with its cards, and the amount that the dealer is about to pay beside it.

    `paid` are the cheques already cut out, `bet` those that lie on the spot, whose colors the
    payout follows; either may be empty.
    """

    case: Mapping[str, Any]
    paid_cents: int
    paid: Mapping[int, int]
    bet: Mapping[int, int]
    colour_up: bool | int
    seat: int | None
    # One hand of a split, counted from 1; none where all that goes out is told as one amount.
    hand: int | None = None
    # Where cards were told by rank alone: whether all of them are of one suit, as far as was said.
    suited: bool | None = None

    @property
    def wager(self) -> str:
        return str(self.case["wager"])

    @property
    def stake_cents(self) -> int:
        return int(self.case["stake_cents"])

    @property
    def raise_cents(self) -> int:
        """What was put beside an ante once the dealer had looked; 0 for any other bet."""
        extra = self.case.get("extra")
        raised = extra.get("raise_cents") if isinstance(extra, Mapping) else None
        return raised if type(raised) is int else 0


def read_claim(raw: object) -> Claim:
    """Read a payout from JSON. Raises Refused with everything that cannot be read.

    >>> read_claim({"wager": "super_3", "stake_cents": 500, "player_cards": ["9c", "9d"],
    ...             "dealer_up": "9s", "paid_cents": 90_000}).paid_cents
    90000
    >>> read_claim({"wager": "trilux", "stake_cents": 500, "paid_cents": 100, "paid": {"500": 1}})
    Traceback (most recent call last):
    pitboss.rules.refusal.Refused: paid_cents is not what the cheques of paid are worth.
    """
    if not isinstance(raw, Mapping):
        raise refuse("bad_case", "A payout is an object with a wager, its cards and its stake.")
    reader = _Reader(raw)
    bet = reader.cheques("bet")
    case = {name: raw[name] for name in CASE_FIELDS if raw.get(name) is not None}
    if bet and "stake_cents" not in case:
        # The cheques on the spot say what is staked.
        case["stake_cents"] = staked_cents(bet)
    claim = Claim(
        case=case,
        paid_cents=reader.paid_cents(),
        paid=reader.cheques("paid"),
        bet=bet,
        colour_up=reader.colour_up(),
        seat=reader.seat(),
        hand=reader.hand(),
        suited=reader.suited(),
    )
    reader.wager()
    reader.stake(case.get("stake_cents"))
    if reader.refusals:
        raise Refused(reader.refusals)
    return claim


class _Reader:
    """Takes the fields of a payout and gathers what is wrong with them."""

    def __init__(self, raw: Mapping[Any, Any]) -> None:
        self.raw = raw
        self.refusals = [
            Refusal("unknown_field", f"A payout has no field {quoted(name)}. Use: {_KNOWN}.")
            for name in raw
            if name not in _CLAIM_FIELDS
        ]

    def wager(self) -> None:
        wager = self.raw.get("wager")
        if not isinstance(wager, str) or (wager not in WAGERS and wager not in TRACKED_GAMES):
            self.refusals.append(
                Refusal(
                    "unknown_wager",
                    f"Wager {quoted(wager)} not found. Wagers: {', '.join(WAGERS)}.",
                )
            )

    def stake(self, value: object) -> None:
        if type(value) is not int or not 0 < value <= AMOUNT_CENTS_MAX:
            self.refusals.append(
                Refusal("bad_stake", "stake_cents must be a whole number of cents, more than 0.")
            )

    def paid_cents(self) -> int:
        value = self.raw.get("paid_cents")
        if value is None and self.raw.get("paid") is not None:
            return total_cents(self.cheques("paid"))
        if type(value) is int and 0 <= value <= AMOUNT_CENTS_MAX:
            return value
        self.refusals.append(
            Refusal(
                "bad_amount",
                "paid_cents must be a whole number of cents, 0 or more: the payout on "
                "top of the stake.",
            )
        )
        return 0

    def cheques(self, name: str) -> dict[int, int]:
        raw = self.raw.get(name)
        if raw is None:
            return {}
        try:
            held = parse_cheques(raw)
        except Refused as refused:
            new = [refusal for refusal in refused.refusals if refusal not in self.refusals]
            self.refusals.extend(new)
            return {}
        if name == "paid":
            # A bet of any kind of cheque is paid in value cheques.
            new = [refusal for refusal in no_money_refusals(held) if refusal not in self.refusals]
            self.refusals.extend(new)
        if name == "paid" and self.raw.get("paid_cents") not in (None, total_cents(held)):
            self.refusals.append(
                Refusal("paid_differs", "paid_cents is not what the cheques of paid are worth.")
            )
        return held

    def colour_up(self) -> bool | int:
        value = self.raw.get("colour_up")
        if value is None:
            return False
        if isinstance(value, bool) or (type(value) is int and value in BY_CENTS):
            return value
        self.refusals.append(
            Refusal("bad_colour_up", "colour_up must be true, false, or a denomination in cents.")
        )
        return False

    def seat(self) -> int | None:
        value = self.raw.get("seat")
        if value is None or (type(value) is int and 1 <= value <= SEATS_MAX):
            return value
        self.refusals.append(Refusal("bad_seat", f"seat must be a number from 1 to {SEATS_MAX}."))
        return None

    def hand(self) -> int | None:
        value = self.raw.get("hand")
        if value is None or (type(value) is int and 1 <= value <= SPLIT_HANDS_MAX):
            return value
        self.refusals.append(
            Refusal("bad_hand", f"hand must be a number from 1 to {SPLIT_HANDS_MAX}.")
        )
        return None

    def suited(self) -> bool | None:
        value = self.raw.get("suited")
        if value is None or isinstance(value, bool):
            return value
        self.refusals.append(Refusal("bad_suited", "suited must be true or false."))
        return None
