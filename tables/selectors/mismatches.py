"""Payouts that differ, in a line each, and as the proof of one shows it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Final

from django.db.models import QuerySet

from pitboss.models import Person, Table
from pitboss.rules.cheques.cheques import format_money
from pitboss.rules.cheques.keys import worth_of
from pitboss.rules.games.games import spoken
from pitboss.rules.payouts.mismatches import MismatchDirection
from pitboss.rules.wagers.working import row_words
from pitboss.selectors.card_faces import CardFace, faces_of
from pitboss.services import house
from tables.models import Mismatch, MismatchSettlement, PayoutCheck
from tables.services.mismatches import said_of

# Where one sentence of a working ends and the next begins.
_SENTENCES: Final = re.compile(r"(?<=[.?]) (?=[A-Z$])")


@dataclass(frozen=True, slots=True)
class HandShown:
    """Some cards, and whose they are."""

    label: str
    cards: list[CardFace]


@dataclass(frozen=True, slots=True)
class ChequeLine:
    """Some cheques of one colour."""

    cents: int
    count: int

    @property
    def amount_cents(self) -> int:
        return worth_of(self.cents) * self.count


@dataclass(frozen=True, slots=True)
class MismatchProof:
    """Everything that a supervisor needs to settle a payout that differs."""

    mismatch: Mismatch
    check: PayoutCheck
    word: str
    wager: str
    hands: tuple[HandShown, ...]
    facts: tuple[tuple[str, str], ...]
    working: tuple[str, ...]
    take_back: tuple[ChequeLine, ...]
    add: tuple[ChequeLine, ...]
    approvals: tuple[str, ...]
    keyed_at: datetime | None
    settlement: MismatchSettlement | None

    @property
    def is_unverified(self) -> bool:
        return self.mismatch.direction is MismatchDirection.UNVERIFIED

    @property
    def pays(self) -> tuple[ChequeLine, ...]:
        """The cheques that the player should have, where they are known."""
        return _lines(self.check.answer["cheques"] or {})


@dataclass(frozen=True, slots=True)
class WrongPayout:
    """A payout that went wrong, in a line."""

    mismatch: Mismatch
    wager: str
    words: str
    settlement: MismatchSettlement | None


def mismatches() -> QuerySet[Mismatch]:
    """Return mismatches with all that their proofs show."""
    return Mismatch.objects.select_related(
        "confirmation__check_of__table",
        "table__pit",
        "dealer",
        "settlement__settled_by",
    )


def newest_wrong(
    first: date, last: date, *, most: int, dealer: Person | None = None, table: Table | None = None
) -> list[WrongPayout]:
    """Return the newest payouts that went wrong in some gaming days, of everyone or of one."""
    began, ended = house.day_span(first)[0], house.day_span(last)[1]
    found = mismatches().filter(at__gte=began, at__lt=ended).order_by("-pk")
    if dealer is not None:
        found = found.filter(dealer=dealer)
    if table is not None:
        found = found.filter(table=table)
    return [_wrong(mismatch) for mismatch in found[:most]]


def wrong_among(checks: QuerySet[PayoutCheck]) -> list[WrongPayout]:
    """Return what went wrong among some checked payouts, the newest first."""
    found = mismatches().filter(confirmation__check_of__in=checks.values("pk")).order_by("-pk")
    return [_wrong(mismatch) for mismatch in found]


def _wrong(mismatch: Mismatch) -> WrongPayout:
    return WrongPayout(
        mismatch=mismatch,
        wager=spoken(mismatch.confirmation.check_of.wager),
        words=said_of(mismatch),
        settlement=getattr(mismatch, "settlement", None),
    )


def proof_of(mismatch: Mismatch) -> MismatchProof:
    """Return the proof of a mismatch read by `mismatches`."""
    confirmation = mismatch.confirmation
    check = confirmation.check_of
    answer = check.answer
    return MismatchProof(
        mismatch=mismatch,
        check=check,
        word=said_of(mismatch).capitalize(),
        wager=spoken(check.wager),
        hands=tuple(_hands(check)),
        facts=tuple(_facts(check)),
        working=tuple(_working(mismatch, check)),
        take_back=_lines(mismatch.take_back),
        add=_lines(mismatch.add),
        approvals=tuple(approval["message"] for approval in answer["approvals"]),
        keyed_at=confirmation.keyed_at or check.keyed_at,
        settlement=getattr(mismatch, "settlement", None),
    )


def _hands(check: PayoutCheck) -> list[HandShown]:
    claim = check.claim
    seat = claim.get("seat")
    dealer = claim.get("dealer_cards") or [claim.get("dealer_up")]
    hands = {
        "Dealer": [code for code in dealer if code],
        f"Seat {seat}" if seat else "Player": claim.get("player_cards") or [],
    }
    return [HandShown(label, faces_of(codes)) for label, codes in hands.items() if codes]


def _facts(check: PayoutCheck) -> list[tuple[str, str]]:
    """Return what the verdict stands on: the stake, the row, the rule, the pay table."""
    answer, paytable = check.answer, check.answer["paytable"]
    facts = [("Stake", format_money(check.stake_cents))]
    if answer["category"]:
        facts.append(("Hand", row_words(answer["category"])))
    if paytable:
        facts.append(("Pay table", f"{paytable['name']}, version {paytable['version']}"))
    facts += [(_words(name), _value(value)) for name, value in _extra(check.claim).items()]
    return facts


def _extra(claim: Mapping[str, Any]) -> Mapping[str, Any]:
    return claim.get("extra") or {}


def _words(name: str) -> str:
    return name.removesuffix("_cents").replace("_", " ").capitalize()


def _value(value: object) -> str:
    """Say what was keyed besides cards and stake.

    >>> _value(True), _value(["9c", "9d"]), _value(2)
    ('yes', '9c 9d', '2')
    """
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return " ".join(map(str, value))
    return str(value)


def _working(mismatch: Mismatch, check: PayoutCheck) -> list[str]:
    """Return how the verdict came about, a line a step, down to the difference."""
    answer = check.answer
    lines = [line for line in _SENTENCES.split(answer["working"]) if line]
    if answer["breakage_cents"]:
        broken = format_money(answer["breakage_cents"])
        lines.append(f"{broken} can’t be paid in cheques.")
    if mismatch.owed_cents is not None:
        lines.append(f"Owed in cheques: {format_money(mismatch.owed_cents)}.")
    lines.append(f"Confirmed as paid: {format_money(mismatch.paid_cents)}.")
    return lines


def _lines(cheques: Mapping[str, int]) -> tuple[ChequeLine, ...]:
    return tuple(
        ChequeLine(int(cents), count)
        for cents, count in sorted(cheques.items(), key=lambda line: -int(line[0]))
    )
