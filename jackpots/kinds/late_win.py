"""A jackpot or a big win that was paid on paper in an outage.

Everybody signed the form, and the winner was paid: a supervisor enters it and a manager compares.
Its tax data are on a form of their own, which comes after this one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from typing import Any, Final

from django.db import models

from inventory.kinds.carrying import CHEQUES
from inventory.models import Holder
from jackpots.kinds.big_win import BIG_WIN_KIND
from jackpots.kinds.entering import bets_of
from jackpots.kinds.jackpot import JACKPOT_KIND
from jackpots.selectors.jackpots import PAID_FROM
from jackpots.services.late_wins import (
    WrittenWin,
    big_win_details,
    jackpot_details,
    payment_refusals,
    post_big_win,
    post_jackpot,
)
from pitboss.middleware import PitRequest
from pitboss.models import Signature, Slip, Table
from pitboss.rules.day.late_papers import LATE_BIG_WIN, LATE_JACKPOT
from pitboss.rules.day.win import PayoutSource
from pitboss.rules.floor.fields import Money, Pick, SeatNumber, Words
from pitboss.rules.flows.flows import Readers
from pitboss.rules.refusal import Refusal, Refused
from pitboss.rules.roles import AT_THE_CAGE, KEEPING_BOOKS, SUPERVISING, WATCHING, Place, Role
from pitboss.services.drafts import NewSlip
from pitboss.slips.fields import drawn
from pitboss.slips.kind import Look, Raising
from pitboss.slips.late import (
    FROM_PAPER,
    entered_time,
    form_entered,
    on_paper,
    paper_details,
    paper_refusals,
)
from tables.kinds.late_page import closed_day, late_kind, late_look
from tables.services.contradictions import name_contradictions
from tables.services.restating import post_with_the_public

_BET: Final = (
    SeatNumber(name="seat", label="Seat"),
    Words(name="wager", label="Bet", most=24),
    Money(name="stake", label="Bet amount ($)"),
)
_HAND: Final = (
    Words(name="player", label="Player’s cards", hint="like 7c 7d 10h", most=60, is_needed=False),
    Words(name="dealer", label="Dealer’s cards", hint="like Ah 9s", most=60, is_needed=False),
)
_PAID: Final = (
    Money(name="award", label="Award before tax ($)"),
    Money(name="withheld", label="Tax withheld ($)", is_needed=False, may_be_none=True),
    Pick(name="source", label="Paid from", choices=PAID_FROM, starts_empty=True),
)

# As the win on the site, but for the terminal: no dealer has a part in it any more.
_READERS: Final = Readers(
    SUPERVISING | AT_THE_CAGE | WATCHING | KEEPING_BOOKS | {Role.COMPLIANCE},
    frozenset({Place.CAGE}),
)


def _table_of(raising: Raising) -> Table:
    assert raising.table is not None, "it was won at a table"
    return raising.table


def _written(raising: Raising) -> WrittenWin:
    given = raising.given
    return WrittenWin(
        seat=given["seat"],
        wager=given["wager"],
        stake_cents=given["stake"],
        award_cents=given["award"],
        source=PayoutSource(given["source"]),
        raise_cents=given.get("raise", 0),
        withheld_cents=given.get("withheld", 0),
        player=given.get("player", ""),
        dealer=given.get("dealer", ""),
        hand=given.get("hand", ""),
        showed_cents=given.get("showed"),
        cheques=raising.cheques,
    )


def _drafted_by(
    details_of: Callable[[Table, WrittenWin, datetime], dict[str, Any]],
) -> Callable[[Raising], NewSlip]:
    def drafted(raising: Raising) -> NewSlip:
        table, at = _table_of(raising), entered_time(raising)
        return NewSlip(
            raising.kind.kind,
            table.pk,
            raising.cheques,
            details={**details_of(table, _written(raising), at), **paper_details(raising)},
            happened_at=at,
        )

    return drafted


def _refusals(raising: Raising) -> list[Refusal]:
    """Return why a win may not be entered from its form, what cannot be read included."""
    paper = raising.kind.on_paper
    assert paper is not None, "it is entered from a form"
    refusals = [
        *paper_refusals(raising, paper.code),
        *closed_day(raising),
        *payment_refusals(_written(raising)),
    ]
    try:
        raising.new()
    except Refused as refused:
        refusals += refused.refusals
    return refusals


def _moved(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """Take what the tray paid out of it at its time, and end the form."""
    rows: list[models.Model] = []
    if slip.cheques_by_cents:
        rows += post_with_the_public(
            slip, gave=Holder.TRAY, got=Holder.PUBLIC, signature=signature, at=at
        )
        name_contradictions(slip, signature, at)
    return [*rows, *form_entered(slip, at)]


def _big_win(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    return [*post_big_win(slip, at), *_moved(slip, signature, at)]


def _jackpot(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    return [*post_jackpot(slip, signature, at), *_moved(slip, signature, at)]


def _look(request: PitRequest, raising: Raising, refused: Refused | None) -> Look:
    """Ask for the win as its form has it, the bet among those of the table."""
    template, page = late_look(request, raising, refused)
    given = request.POST if refused else request.GET
    bets = Pick(name="wager", label="Bet", choices=bets_of(request, _table_of(raising)))
    fields = [drawn(bets, given) if field["name"] == "wager" else field for field in page["fields"]]
    return template, {**page, "fields": fields}


LATE_BIG_WIN_KIND = late_kind(
    LATE_BIG_WIN,
    title="Late big win",
    asked=(
        *_BET,
        Money(name="raise", label="Raise ($)", is_needed=False),
        *_HAND,
        Words(name="hand", label="Or the hand in words", is_needed=False),
        *_PAID,
        CHEQUES,
        *FROM_PAPER,
    ),
    refusals=_refusals,
    drafted=_drafted_by(big_win_details),
    posted=_big_win,
    readers=_READERS,
    look=_look,
    heading=lambda raising: f"Late big win, {raising.table}",
    on_paper=on_paper(
        "BW",
        BIG_WIN_KIND,
        writes=("Seat, bet, raise", "Cards", "Award", "Tax withheld, paid from"),
        is_money=True,
    ),
)
LATE_JACKPOT_KIND = replace(
    LATE_BIG_WIN_KIND,
    kind=LATE_JACKPOT,
    title="Late jackpot",
    asked=(
        *_BET,
        *_HAND,
        Money(name="showed", label="Meter showed ($)", is_needed=False),
        *_PAID,
        CHEQUES,
        *FROM_PAPER,
    ),
    drafted=_drafted_by(jackpot_details),
    effects={"late_posted": _jackpot},
    heading=lambda raising: f"Late jackpot, {raising.table}",
    on_paper=on_paper(
        "JP",
        JACKPOT_KIND,
        writes=("Seat, bet", "Cards", "Meter showed", "Award", "Tax withheld, paid from"),
        is_money=True,
    ),
)
