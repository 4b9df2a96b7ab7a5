"""Which control a payout gets before cheques go out: a word, an approval, a slip, a jackpot.

The main bet never stops for a slip unless the house sets an amount: a $10,000 double deck goes on
with a supervisor's yes. A side bet, a bonus or a coupon does, by its odds, its amount or its form.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum, unique
from typing import Any

from pitboss.rules.refusal import CONFLICT, Refusal


@unique
class Level(StrEnum):
    """What a payout waits for, from nothing to a jackpot's own flow."""

    VERBAL = "verbal"
    APPROVAL = "approval"
    BIG_WIN = "big_win"
    JACKPOT = "jackpot"


@unique
class MustCheck(StrEnum):
    """Which bets a house wants checked before a round ends."""

    NOTHING = "nothing"
    SIDE_BETS = "side_bets"
    ALL = "all"


@dataclass(frozen=True, slots=True)
class LevelTerms:
    """What the house has decided: odds to one and amounts from which a payout is a big win."""

    long_odds_from: int = 300
    big_from_cents: int = 1_000_000
    main_from_cents: int | None = None


@dataclass(frozen=True, slots=True)
class Payout:
    """One bet's payout as its check has found it.

    `asks_word` says that it sends out so much, or so high a cheque, that a supervisor says yes.
    """

    amount_cents: int
    wager_cents: int
    is_main: bool = False
    is_entered: bool = False
    owes_form: bool = False
    asks_word: bool = False


def level_of(payout: Payout, terms: LevelTerms) -> Level:
    """Return the control that a payout gets: the highest that applies.

    >>> level_of(Payout(1_500_000, 1_000_000, is_main=True, asks_word=True), LevelTerms()).value
    'approval'
    >>> level_of(Payout(1_350_000, 5_000, asks_word=True), LevelTerms()).value
    'big_win'
    """
    if payout.is_entered:
        return Level.JACKPOT
    if payout.is_main:
        least = terms.main_from_cents
        is_big = least is not None and payout.amount_cents >= least
    else:
        is_big = (
            payout.owes_form
            or payout.amount_cents >= terms.big_from_cents
            or payout.amount_cents >= terms.long_odds_from * payout.wager_cents
        )
    if is_big:
        return Level.BIG_WIN
    return Level.APPROVAL if payout.asks_word else Level.VERBAL


def approval_faults(
    fields: Mapping[str, Any],
    *,
    check: int,
    paid_cents: int,
    granted_at: datetime | None,
    is_used: bool,
    now: datetime,
    expires: timedelta,
) -> list[Refusal]:
    """Return why an approval does not fit a payout: one check, one amount, once, for a while."""
    faults = []
    if granted_at is None:
        faults.append(
            Refusal(
                "approval_missing",
                "The supervisor has not approved this payout. Ask before you pay.",
                CONFLICT,
            )
        )
    elif now - granted_at > expires:
        faults.append(
            Refusal(
                "approval_expired", "This approval is too old. Ask the supervisor again.", CONFLICT
            )
        )
    if fields["check"] != check:
        faults.append(
            Refusal(
                "approval_other_check",
                "This approval is for another payout. Request one.",
                CONFLICT,
            )
        )
    if fields["amount_cents"] != paid_cents:
        faults.append(
            Refusal(
                "approval_other_amount", "This approval is for another amount. Ask again.", CONFLICT
            )
        )
    if is_used:
        faults.append(
            Refusal("approval_used", "This approval was used. Request another.", CONFLICT)
        )
    return faults
