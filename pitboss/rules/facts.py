"""Read the facts of a case: every field checked for its type and range, nothing guessed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from pitboss.rules.book.options import DEFAULT_OPTIONS, HouseOptions, house_options
from pitboss.rules.cards.playing_cards import Card, card, cards
from pitboss.rules.quoting import quoted
from pitboss.rules.refusal import refuse

Case = Mapping[str, Any]

# Above any bet or meter of a casino; a larger number is a slip of the finger.
AMOUNT_CENTS_MAX: Final = 100_000_000_00
# A hand of an eight-deck shoe without busting has at most 21 aces; nothing longer is read.
HAND_CARDS_MAX: Final = 24
NO_EXTRA: Final[Mapping[str, Any]] = {}

# Facts that many wagers may carry.
ANY_BET: Final = frozenset({"options", "dealer_bet"})
LIMITED_BET: Final = ANY_BET | {"pay_or_take_to_limit", "table_max_cents"}


def amount(value: object, name: str, *, least: int = 0) -> int:
    """Return a whole number of cents, or refuse it.

    >>> amount(500, "stake_cents", least=1)
    500
    >>> amount(True, "stake_cents")
    Traceback (most recent call last):
    pitboss.rules.refusal.Refused: stake_cents must be a whole number of cents, not True.
    """
    if type(value) is not int:
        raise refuse("bad_amount", f"{name} must be a whole number of cents, not {quoted(value)}.")
    if value < least:
        raise refuse("bad_amount", f"{name} must be at least {least}.")
    if value > AMOUNT_CENTS_MAX:
        raise refuse("bad_amount", f"{name} is more than any bet or meter. Check the number.")
    return value


def stake(case: Case) -> int:
    """Return the stake, a positive number of cents."""
    value = case.get("stake_cents")
    if type(value) is int and 0 < value <= AMOUNT_CENTS_MAX:
        return value
    if type(value) is not int:
        raise refuse(
            "bad_stake", f"stake_cents must be a whole number of cents, not {quoted(value)}."
        )
    raise refuse("bad_stake", "stake_cents must be more than 0 and no more than any bet.")


def flag(extra: Mapping[str, Any], name: str) -> bool:
    """Return a yes or no; absent is no."""
    value = extra.get(name, False)
    if value is True or value is False:
        return bool(value)
    raise refuse("bad_flag", f"{name} must be true or false, not {quoted(value)}.")


def choice(extra: Mapping[str, Any], name: str, choices: Sequence[str]) -> str | None:
    """Return one of the named choices, or None when it is not given."""
    value = extra.get(name)
    if value is None and name not in extra:
        return None
    if isinstance(value, str) and value in choices:
        return value
    raise refuse(f"bad_{name}", f"{name} must be {' or '.join(choices)}, not {quoted(value)}.")


def whole(extra: Mapping[str, Any], name: str, *, least: int, most: int, default: int) -> int:
    """Return a whole number within a range; absent is the default."""
    value = extra.get(name, default)
    if type(value) is int and least <= value <= most:
        return value
    raise refuse(f"bad_{name}", f"{name} must be a whole number from {least} to {most}.")


def hand(names: object, name: str) -> tuple[Card, ...]:
    """Return the cards of a list."""
    if not isinstance(names, list | tuple):
        raise refuse("bad_cards", f"{name} must be a list of cards like Qh.")
    if len(names) > HAND_CARDS_MAX:
        raise refuse("too_many_cards", f"{name} has more cards than any hand can have.")
    return cards(names)


def player_hand(case: Case) -> tuple[Card, ...]:
    """Return the player's cards; none when the field is absent."""
    return hand(case.get("player_cards", ()), "player_cards")


def dealer_hand(case: Case) -> tuple[Card, ...]:
    """Return the dealer's cards, the up card first. `dealer_up` alone is a hand of one card."""
    dealt = hand(case["dealer_cards"], "dealer_cards") if "dealer_cards" in case else ()
    if "dealer_up" in case:
        up = card(case["dealer_up"])
        if dealt and dealt[0] is not up:
            raise refuse(
                "dealer_up_differs", "dealer_up is not the first of dealer_cards. Check the cards."
            )
        return dealt or (up,)
    return dealt


def extra_of(case: Case, allowed: frozenset[str]) -> Mapping[str, Any]:
    """Return what the wager needs besides the cards; a field it has no use for is refused."""
    extra = case.get("extra")
    if extra is None:
        return NO_EXTRA
    if not isinstance(extra, Mapping):
        raise refuse("bad_extra", "extra must be an object.")
    for name in extra:
        if name not in allowed:
            raise refuse(
                "unknown_field",
                f"extra can’t have {quoted(name)} for this wager. "
                f"Use one of: {', '.join(sorted(allowed))}.",
            )
    return extra


@dataclass(frozen=True, slots=True)
class Terms:
    """What any wager may carry: the house's options, whose bet it is, and a limit called.

    `stake_cents` is the part of the stake that is in action.
    """

    stake_cents: int
    options: HouseOptions
    is_dealer_bet: bool
    notes: tuple[str, ...]
    readings: tuple[str, ...]


def terms(stake_cents: int, extra: Mapping[str, Any]) -> Terms:
    """Read the common facts, and take the stake to the limit where that was called."""
    if not extra:
        return Terms(stake_cents, DEFAULT_OPTIONS, False, (), ())
    options = house_options(extra["options"]) if "options" in extra else DEFAULT_OPTIONS
    is_dealer_bet = flag(extra, "dealer_bet")
    called = flag(extra, "pay_or_take_to_limit")
    if "table_max_cents" not in extra:
        if called:
            raise refuse("missing_limit", "To pay or take to the limit, give table_max_cents.")
        return Terms(stake_cents, options, is_dealer_bet, (), ())
    limit_cents = amount(extra["table_max_cents"], "table_max_cents", least=1)
    if stake_cents <= limit_cents:
        return Terms(stake_cents, options, is_dealer_bet, (), ())
    if not called:
        note = "The bet is over the table limit and wasn’t called. Call the supervisor."
        return Terms(stake_cents, options, is_dealer_bet, (note,), ("R35",))
    note = f"House option: {options.words('over_limit')} (R35)."
    if options.over_limit == "to_the_limit":
        stake_cents = limit_cents
    return Terms(stake_cents, options, is_dealer_bet, (note,), ("R35",))
