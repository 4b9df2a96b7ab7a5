"""A hit about to be entered: what it is, and why it may not be entered now."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from jackpots.models import Meter, MeterLink
from jackpots.services.figures import lock_meter
from pitboss.models import Slip, Table
from pitboss.rules.cards.rank_cards import shown_hands
from pitboss.rules.flows.flows import PlanFacts, SlipStatus
from pitboss.rules.games.games import spoken
from pitboss.rules.payouts.jackpot_flows import BY_PHONE, ENDS_ROUND, JACKPOT, TAKES_METER
from pitboss.rules.payouts.jackpots import Found, Hit, judge_hit, read_hit
from pitboss.rules.payouts.meters import MeterSource
from pitboss.rules.refusal import CONFLICT, Refusal, refuse
from pitboss.rules.wagers.working import row_words
from pitboss.selectors.pending import pending_jackpots
from pitboss.selectors.table_rules import rules_in_force
from pitboss.services import house
from pitboss.services.drafts import NewSlip
from tables.models import Round
from tables.services.round_facts import round_key


@dataclass(frozen=True, slots=True)
class Entered:
    """A hit as a terminal or a tablet gives it."""

    seat: int
    wager: str
    player_cards: tuple[str, ...]
    dealer_cards: tuple[str, ...]
    # Needed only where a bet takes more than one stake.
    stake_cents: int | None = None
    round_key: str = ""
    # What a vendor's controller locked; needed where one counts the meter.
    locked_cents: int | None = None


def drafted_jackpot(table: Table, entered: Entered, replaces: Slip | None) -> NewSlip:
    """Return a hit about to be entered. Raises Refused for a hand that cannot be or wins less."""
    in_force = house.settings_at(house.now())
    rules = rules_in_force(table, in_force)
    hit = read_hit(
        rules,
        seat=entered.seat,
        wager=entered.wager,
        stake_cents=entered.stake_cents,
        player_cards=entered.player_cards,
        dealer_cards=entered.dealer_cards,
    )
    found = judge_hit(hit, rules.side_bets[hit.wager].table(hit.wager), in_force.options)
    meter = meter_of(table, hit, found)
    return NewSlip(
        JACKPOT,
        table.pk,
        {},
        replaces.pk if replaces else None,
        details={
            "about": f"{spoken(hit.wager)}, {row_words(found.category)}, seat {hit.seat}",
            "says": [
                ["Seat", str(hit.seat)],
                ["Hand", shown_hands(hit.player_cards, hit.dealer_cards)],
                ["Pays", found.pays],
                *([["Meter", meter.name]] if meter else []),
                *([["Corrects", replaces.serial]] if replaces else []),
            ],
            "hit": {
                "seat": hit.seat,
                "wager": hit.wager,
                "stake_cents": hit.stake_cents,
                "player_cards": list(hit.player_cards),
                "dealer_cards": list(hit.dealer_cards),
                "paytable": {"id": hit.paytable}
                if isinstance(hit.paytable, str)
                else {"rows": dict(hit.paytable)},
                "category": found.category,
                "level": found.level or "",
                "percent": found.percent,
                "envy_cents": found.envy_cents,
            },
            "meter": meter.pk if meter else None,
            "round": entered.round_key or _open_round(table),
            "locked_cents": entered.locked_cents,
            "cards_held": [*hit.player_cards, *hit.dealer_cards],
            ENDS_ROUND: in_force["jackpot.ends_round"],
        },
    )


def _open_round(table: Table) -> str:
    """Return the name of the round that is dealt at a table, where its terminal tells rounds."""
    round_ = Round.objects.filter(table=table, ended_at=None).first()
    return round_key(round_) if round_ else ""


def meter_of(table: Table, hit: Hit, found: Found) -> Meter | None:
    """Return the meter that a hit takes its share of; none for a fixed award. Raises Refused."""
    if found.level is None:
        return None
    link = (
        MeterLink.objects.filter(table=table, wager=hit.wager, level=found.level, until=None)
        .select_related("meter")
        .first()
    )
    if link is None:
        raise refuse("no_meter", f"{table} doesn’t play for this meter. Call the shift manager.")
    link.require_seal()
    link.meter.require_seal()
    return link.meter


def plan_facts(details: Mapping[str, Any]) -> PlanFacts:
    marks = {TAKES_METER} if details["meter"] is not None else set()
    if house.settings_at(house.now())["jackpot.review"] == "phone":
        marks.add(BY_PHONE)
    return PlanFacts({}, marks=frozenset(marks))


def entry_refusals(
    details: Mapping[str, Any], table: Table | None, original: Slip | None
) -> list[Refusal]:
    """Return why a hit may not be entered now. Takes the meter's lock: freezing comes next."""
    assert table is not None, "a jackpot without a table"
    refusals = []
    seat = details["hit"]["seat"]
    if not table.is_open:
        refusals.append(
            Refusal("table_closed", f"{table} is closed. No hand is dealt there.", CONFLICT)
        )
    for slip in pending_jackpots(table):
        if (
            slip.details["hit"]["seat"] == seat
            and slip.details["hit"]["wager"] == (details["hit"]["wager"])
        ):
            refusals.append(
                Refusal(
                    "already_pending",
                    f"{slip} is pending for seat {seat}. Reject it first.",
                    CONFLICT,
                )
            )
    if original is not None:
        refusals += _correction_refusals(details, original)
    if details["meter"] is not None:
        meter = lock_meter(details["meter"])
        is_counted_elsewhere = meter.source == MeterSource.CONTROLLER.value
        if is_counted_elsewhere and details["locked_cents"] is None:
            refusals.append(
                Refusal("locked_amount_missing", "Enter the amount locked by the controller.")
            )
        if not is_counted_elsewhere and details["locked_cents"] is not None:
            refusals.append(
                Refusal("locked_amount_unknown", "No controller counts this meter. Leave it out.")
            )
    return refusals


def _correction_refusals(details: Mapping[str, Any], original: Slip) -> list[Refusal]:
    refusals = []
    if original.kind != JACKPOT or original.status != SlipStatus.VOIDED.value:
        refusals.append(
            Refusal(
                "not_rejected",
                f"{original} wasn’t rejected, so it needs no corrected entry. Enter a new hit.",
                CONFLICT,
            )
        )
    elif original.details["hit"]["seat"] != details["hit"]["seat"]:
        refusals.append(
            Refusal("other_seat", f"{original} was entered for another seat. Check the seat.")
        )
    corrected = original.referred_by.filter(kind=JACKPOT).first()
    if corrected is not None:
        refusals.append(
            Refusal(
                "already_replaced",
                f"{corrected} already corrects {original}. Open that one.",
                CONFLICT,
            )
        )
    return refusals
