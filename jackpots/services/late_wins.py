"""Jackpots and big wins that were paid on paper in an outage: read off their form, and posted.

The winner was paid, so what is owed is what the form says. The rules read the hand beside it: what
they find otherwise is an item for the cage manager. A share of a meter is taken off what the meter
showed then; hits of one round, which bear one time, were paid on the same frozen meter.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db import models

from jackpots.models import (
    Because,
    Jackpot,
    JackpotFigure,
    JackpotPayment,
    Meter,
    MeterFreeze,
)
from jackpots.services.big_wins import IN_WORDS, cards_of_claim
from jackpots.services.figures import balance_of, lock_meter
from jackpots.services.hits import (
    found_of,
    freeze_meter,
    frozen_microcents,
    hit_of,
    live_hits,
    reckon,
)
from jackpots.services.jackpots import meter_of
from jackpots.services.meter_reading import keep_locked
from jackpots.services.tax_papers import ask_for_papers
from pitboss.models import Signature, Slip, Table
from pitboss.rules.cards.playing_cards import SUIT_SIGNS, cards
from pitboss.rules.cards.rank_cards import shown_hands
from pitboss.rules.cheques.cheques import format_money, total_cents
from pitboss.rules.day.late_papers import LATE_JACKPOT
from pitboss.rules.day.win import PayoutSource
from pitboss.rules.games.games import spoken
from pitboss.rules.games.tracked import TRACKED_GAMES
from pitboss.rules.payouts.claims import read_claim
from pitboss.rules.payouts.jackpots import awards_of, fixed_award, judge_hit, read_hit
from pitboss.rules.payouts.levels import Level
from pitboss.rules.payouts.meters import in_cents
from pitboss.rules.refusal import CONFLICT, Refusal, Refused, refuse
from pitboss.rules.wagers.wager_cards import cards_of
from pitboss.rules.wagers.working import row_words
from pitboss.services import house
from pitboss.services.exceptions import AWARD_LIABILITY, AWARD_RECEIVABLE, open_exception
from pitboss.slips.late import true_time_of
from tables.selectors.past_rules import rules_at
from tables.services.checks import what_if

_SUITS = str.maketrans({sign: suit for suit, sign in SUIT_SIGNS.items()} | {",": " "})


@dataclass(frozen=True, slots=True)
class WrittenWin:
    """A win as its form has it: the bet, the hand, and what was paid on it."""

    seat: int
    wager: str
    stake_cents: int
    award_cents: int
    source: PayoutSource
    raise_cents: int = 0
    withheld_cents: int = 0
    player: str = ""
    dealer: str = ""
    # What won at a game without rules here.
    hand: str = ""
    # What the meter showed when it was locked.
    showed_cents: int | None = None
    cheques: Mapping[int, int] = field(default_factory=dict)

    @property
    def pays_cents(self) -> int:
        return self.award_cents - self.withheld_cents

    @property
    def stake_words(self) -> str:
        raised = f", raised {format_money(self.raise_cents)}" if self.raise_cents else ""
        return f"{format_money(self.stake_cents)}{raised}"

    def details(self, about: str, hand: str, **more: Any) -> dict[str, Any]:
        """Return what the slip keeps of every win, and says on paper."""
        says = [
            ["Seat", str(self.seat)],
            ["Bet", f"{spoken(self.wager)}, {self.stake_words}"],
            ["Hand", hand],
            ["Award", format_money(self.award_cents)],
        ]
        if self.withheld_cents:
            says.append(["Tax withheld", format_money(self.withheld_cents)])
        return {
            "what": "payout",
            "about": f"{about}, seat {self.seat}",
            "says": says,
            "award_cents": self.award_cents,
            "withheld_cents": self.withheld_cents,
            "source": self.source.value,
            **more,
        }


def read_cards(written: str) -> list[str]:
    """Return cards as they were written on a form. Raises Refused.

    >>> read_cards("7♣ 7d, 10h")
    ['7c', '7d', 'Th']
    """
    names = written.translate(_SUITS).replace("10", "T").split()
    return [card.name for card in cards(f"{name[:1].upper()}{name[1:].lower()}" for name in names)]


def payment_refusals(win: WrittenWin) -> list[Refusal]:
    """Return why a win cannot have been paid so."""
    if win.withheld_cents > win.award_cents:
        return [Refusal("withheld_above_win", "More was withheld than the win pays. Check both.")]
    if win.source is not PayoutSource.TRAY:
        if win.cheques:
            return [Refusal("cheques_not_of_the_tray", "Enter cheques only where the tray paid.")]
        return []
    counted = total_cents(win.cheques)
    if abs(win.pays_cents - counted) < 50:
        return []
    return [
        Refusal(
            "payment_differs",
            f"The winner got {format_money(win.pays_cents)} by the form, the cheques are "
            f"{format_money(counted)}. Check both.",
            CONFLICT,
        )
    ]


def jackpot_details(table: Table, win: WrittenWin, at: datetime) -> dict[str, Any]:
    """Return a jackpot as its slip keeps it. Raises Refused for a hand that is none."""
    in_force = house.settings_at(at)
    rules = rules_at(table, at, in_force)
    player, dealer = read_cards(win.player), read_cards(win.dealer)
    hit = read_hit(
        rules,
        seat=win.seat,
        wager=win.wager,
        stake_cents=win.stake_cents,
        player_cards=player,
        dealer_cards=dealer,
    )
    found = judge_hit(hit, rules.side_bets[hit.wager].table(hit.wager), in_force.options)
    meter = meter_of(table, hit, found)
    showed = win.showed_cents if meter is not None and not meter.is_posted else None
    if showed is None and meter is not None and not meter.is_posted:
        raise refuse("locked_amount_missing", "Enter what the meter showed when it was locked.")
    return win.details(
        f"{spoken(hit.wager)}, {row_words(found.category)}",
        shown_hands(player, dealer),
        hit={
            "seat": hit.seat,
            "wager": hit.wager,
            "stake_cents": hit.stake_cents,
            "player_cards": player,
            "dealer_cards": dealer,
            "paytable": {"id": hit.paytable}
            if isinstance(hit.paytable, str)
            else {"rows": dict(hit.paytable)},
            "category": found.category,
            "level": found.level or "",
            "percent": found.percent,
            "envy_cents": found.envy_cents,
        },
        meter=meter.pk if meter is not None else None,
        locked_cents=showed,
        cards_held=[*player, *dealer],
    )


def big_win_details(table: Table, win: WrittenWin, at: datetime) -> dict[str, Any]:
    """Return a big win as its slip keeps it, with what the rules find owed. Raises Refused."""
    hit: dict[str, Any] = {
        "seat": win.seat,
        "wager": win.wager,
        "stake_cents": win.stake_cents,
        "player_cards": [],
        "dealer_cards": [],
        "paytable": {"id": IN_WORDS},
        "category": IN_WORDS,
        "level": "",
        "percent": 0,
        "envy_cents": 0,
        "raise_cents": win.raise_cents,
        "returned_cents": win.stake_cents + win.raise_cents,
    }
    if win.wager in TRACKED_GAMES:
        if not win.hand:
            raise refuse("hand_missing", "Describe what won: the bet and the result.")
        return win.details(
            f"{spoken(win.wager)}, {row_words(IN_WORDS)}",
            win.hand,
            hit=hit,
            owed_cents=None,
            working=f"{win.hand}. As written on the form.",
            round="",
        )
    player, dealer = read_cards(win.player), read_cards(win.dealer)
    wager_cards = cards_of(win.wager)
    claim = read_claim(
        {
            "wager": win.wager,
            "stake_cents": win.stake_cents,
            "seat": win.seat,
            "paid_cents": win.award_cents,
            **({"player_cards": player} if player else {}),
            **(_dealt(wager_cards.dealer_field, dealer) if dealer else {}),
            **({"extra": {"raise_cents": win.raise_cents}} if win.raise_cents else {}),
        }
    )
    verdict = what_if(table=table, keyed={**claim.case, "seat": win.seat, "paid_cents": 0}, at=at)
    if verdict.settlement is None:
        raise Refused(verdict.reasons)
    if verdict.level is Level.JACKPOT:
        raise refuse("is_a_jackpot", "This hand is a jackpot. Enter it as a jackpot.")
    answer = verdict.as_answer()
    own, theirs = cards_of_claim(claim)
    bet = rules_at(table, at, house.settings_at(at)).side_bets.get(win.wager)
    printed = answer["paytable"]["id"] if answer["paytable"] else IN_WORDS
    hit |= {
        "player_cards": own,
        "dealer_cards": theirs,
        "paytable": {"rows": dict(bet.paytable)}
        if bet is not None and not isinstance(bet.paytable, str)
        else {"id": printed},
        "category": verdict.settlement.category,
        "envy_cents": answer["envy_cents"],
        "returned_cents": hit["returned_cents"] if verdict.settlement.stake_returned else 0,
    }
    return win.details(
        f"{spoken(win.wager)}, {row_words(verdict.settlement.category)}",
        shown_hands(own, theirs),
        hit=hit,
        owed_cents=max(0, verdict.payable_cents or 0),
        working=answer["working"],
        round="",
    )


def _dealt(name: str, dealer: list[str]) -> dict[str, Any]:
    return {name: dealer[0] if name == "dealer_up" else dealer}


def post_big_win(slip: Slip, at: datetime) -> list[models.Model]:
    """Keep the hand, what was paid on it, and what the rules say otherwise."""
    details = slip.details
    win = Jackpot.objects.create(slip=slip, round_key=slip.serial, **details["hit"])
    figure = _figure(win, slip, None, details["working"], at)
    if details["owed_cents"] is not None:
        _say_what_differs(slip, details["owed_cents"], at)
    payment = _payment(win, slip)
    ask_for_papers(win, at)
    return [win, figure, payment]


def post_jackpot(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """Take a share off what its meter showed, and keep what was paid."""
    details = slip.details
    rows: list[models.Model] = []
    freeze = None
    if details["meter"] is not None:
        freeze, rows = _frozen(lock_meter(details["meter"]), slip, signature, at)
    win = Jackpot.objects.create(slip=slip, freeze=freeze, **details["hit"])
    options = house.settings_at(true_time_of(slip)).options
    if freeze is None:
        award, frozen_cents = fixed_award(hit_of(win), options), None
    else:
        hits, frozen_cents = list(live_hits(freeze)), in_cents(frozen_microcents(freeze))
        awards = awards_of(
            [hit_of(hit) for hit in hits],
            [found_of(hit) for hit in hits],
            frozen_cents,
            options,
        )
        award = next(found for hit, found in zip(hits, awards, strict=True) if hit.pk == win.pk)
    rows += [win, _figure(win, slip, frozen_cents, award.working, at)]
    if freeze is not None:
        rows += reckon(freeze, because=Because.ANOTHER_HIT, slip=slip, at=at)
    _say_what_differs(slip, award.award_cents, at)
    payment = _payment(win, slip)
    ask_for_papers(win, at)
    return [*rows, payment]


def _frozen(
    meter: Meter, slip: Slip, signature: Signature, at: datetime
) -> tuple[MeterFreeze, list[models.Model]]:
    """Return the freeze that a hit was paid on: of its round, or its own from now on."""
    assert slip.table is not None, "it was won at a table"
    same = MeterFreeze.objects.filter(
        meter=meter,
        table=slip.table,
        slip__kind=LATE_JACKPOT,
        slip__details__true_time=slip.details["true_time"],
    )
    freeze = same.select_related("meter").first()
    if freeze is not None:
        return freeze, []
    locked, expected_cents = slip.details["locked_cents"], balance_of(meter).shown_cents
    freeze, rows = freeze_meter(
        meter, slip.table, slip, round_key=slip.serial, locked_cents=locked, at=at
    )
    if locked is not None:
        rows += keep_locked(slip, signature, meter, locked, expected_cents, at)
    return freeze, rows


def _figure(
    win: Jackpot, slip: Slip, frozen_cents: int | None, working: str, at: datetime
) -> JackpotFigure:
    return JackpotFigure.objects.create(
        jackpot=win,
        number=1,
        award_cents=slip.details["award_cents"],
        frozen_cents=frozen_cents,
        because=Because.ENTERED.value,
        working=working,
        slip=slip,
        at=at,
    )


def _payment(win: Jackpot, slip: Slip) -> JackpotPayment:
    """Return what was paid, at its own time. What the tray paid moves in the ledger."""
    details, source = slip.details, PayoutSource(slip.details["source"])
    award, withheld = details["award_cents"], details["withheld_cents"]
    paid = slip.total_cents if source is PayoutSource.TRAY else award - withheld
    return JackpotPayment.objects.create(
        jackpot=win,
        source=source.value,
        award_cents=award,
        withheld_cents=withheld,
        breakage_cents=award - withheld - paid,
        paid_cents=paid,
        gaming_day=slip.gaming_day,
        at=true_time_of(slip),
    )


def _say_what_differs(slip: Slip, owed_cents: int, at: datetime) -> None:
    """Ask the cage manager after what was paid otherwise than the rules have it."""
    off = slip.details["award_cents"] - owed_cents
    if not off:
        return
    open_exception(
        code=AWARD_RECEIVABLE if off > 0 else AWARD_LIABILITY,
        sentence=f"{slip.serial}: the form pays {format_money(off)} more than the hand on it. "
        "Collect it from the winner, or correct the payout."
        if off > 0
        else f"{slip.serial}: the form pays {format_money(-off)} less than the hand on it. "
        "Pay it to the winner, or correct the payout.",
        details={"amount_cents": off},
        at=at,
        person=None,
        table=slip.table,
        slip=slip,
    )
