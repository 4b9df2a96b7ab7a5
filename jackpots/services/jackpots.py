"""Enter, reject and hold jackpots. Entering one stops its meter at once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import models

from jackpots.models import Because, Jackpot, JackpotFigure, Meter, MeterLink, MeterReading
from jackpots.services.figures import balance_of, lock_meter, roll_in, written_balance
from jackpots.services.hits import (
    freeze_meter,
    live_hits,
    reckon,
    reckon_fixed,
    reckon_later,
    standing_freeze,
)
from jackpots.services.meter_changes import report_difference
from jackpots.services.tax_papers import close_due, watch_papers
from pitboss.models import Signature, Slip, Table
from pitboss.rules.flows import PlanFacts, SlipStatus
from pitboss.rules.games import spoken
from pitboss.rules.jackpot_flows import (
    BY_PHONE,
    CONFIRMS,
    ENDS_ROUND,
    JACKPOT,
    JACKPOT_REVIEW,
    TAKES_METER,
)
from pitboss.rules.jackpots import Found, Hit, judge_hit, read_hit
from pitboss.rules.meters import MeterSource
from pitboss.rules.refusal import Refusal, refuse
from pitboss.rules.working import row_words
from pitboss.selectors.pending import pending_jackpots
from pitboss.selectors.slips import signed_of
from pitboss.services import house
from pitboss.services.effects import effect
from pitboss.services.signing import Entry, Judgement, NewSlip, Pen, raise_slip, set_status
from pitboss.services.table_changes import rules_in_force
from tables.models import Round
from tables.services.rounds import round_key


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


def new_jackpot(table: Table, entered: Entered, replaces: Slip | None = None) -> NewSlip:
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
    meter = _meter_of(table, hit, found)
    return NewSlip(
        JACKPOT.kind,
        table.pk,
        {},
        replaces.pk if replaces else None,
        details={
            "about": f"{spoken(hit.wager)}, {row_words(found.category)}, seat {hit.seat}",
            "says": [
                ["Seat", str(hit.seat)],
                ["Hand", f"{' '.join(hit.player_cards)}, dealer {' '.join(hit.dealer_cards)}"],
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


def _meter_of(table: Table, hit: Hit, found: Found) -> Meter | None:
    if found.level is None:
        return None
    link = (
        MeterLink.objects.filter(table=table, wager=hit.wager, level=found.level, until=None)
        .select_related("meter")
        .first()
    )
    if link is None:
        raise refuse("no_meter", f"{table} plays for no such meter. Call the shift manager.")
    return link.meter


def to_correct(serial: str, table: Table) -> Slip | None:
    """Return the jackpot that a new entry corrects; none for no serial. Raises Refused."""
    if not serial:
        return None
    slip = Slip.objects.filter(serial=serial, table=table, kind=JACKPOT.kind).first()
    if slip is None:
        raise refuse("unknown_slip", f"{table} has no jackpot {serial}.")
    return slip


def enter_jackpot(
    *, table: Table, entered: Entered, pen: Pen, shown: str, replaces: Slip | None = None
) -> Slip:
    """Enter a hit, signed by the dealer, and stop its meter. Raises Refused."""
    new = new_jackpot(table, entered, replaces)
    return raise_slip(
        new,
        pen=pen,
        shown=shown,
        judge=lambda table, original: Judgement(
            entry_refusals(new.details, table, original), _plan_facts(new.details)
        ),
    )


def _plan_facts(details: Mapping[str, Any]) -> PlanFacts:
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
        refusals.append(Refusal("table_closed", f"{table} is closed. No hand is dealt there."))
    for slip in pending_jackpots(table):
        if (
            slip.details["hit"]["seat"] == seat
            and slip.details["hit"]["wager"] == (details["hit"]["wager"])
        ):
            refusals.append(
                Refusal("already_pending", f"{slip} is pending for seat {seat}. Reject it first.")
            )
    if original is not None:
        refusals += _correction_refusals(details, original)
    if details["meter"] is not None:
        meter = lock_meter(details["meter"])
        is_counted_elsewhere = meter.source == MeterSource.CONTROLLER.value
        if is_counted_elsewhere and details["locked_cents"] is None:
            refusals.append(
                Refusal("locked_amount_missing", "Key the amount that the controller has locked.")
            )
        if not is_counted_elsewhere and details["locked_cents"] is not None:
            refusals.append(
                Refusal("locked_amount_unknown", "No controller counts this meter. Leave it out.")
            )
    return refusals


def _correction_refusals(details: Mapping[str, Any], original: Slip) -> list[Refusal]:
    refusals = []
    if original.kind != JACKPOT.kind or original.status != SlipStatus.VOIDED.value:
        refusals.append(
            Refusal("not_rejected", f"{original} was not rejected, so nothing corrects it.")
        )
    elif original.details["hit"]["seat"] != details["hit"]["seat"]:
        refusals.append(Refusal("other_seat", f"{original} was entered for another seat."))
    corrected = original.referred_by.filter(kind=JACKPOT.kind).first()
    if corrected is not None:
        refusals.append(Refusal("already_replaced", f"{corrected} corrects {original} already."))
    return refusals


@effect("jackpot_entered")
def _entered(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """Freeze the meter, unless this round has, and reckon what every hit of the round is owed."""
    assert slip.table is not None
    details, hit = slip.details, slip.details["hit"]
    rows: list[models.Model] = []
    freeze = None
    if details["meter"] is not None:
        meter = lock_meter(details["meter"])
        freeze = standing_freeze(
            meter, slip.table, round_key=details["round"], original=slip.refers_to
        )
        if freeze is None:
            expected_cents = balance_of(meter).shown_cents
            freeze, written = freeze_meter(
                meter,
                slip.table,
                slip,
                round_key=details["round"],
                locked_cents=details["locked_cents"],
                at=at,
            )
            rows += written
            rows += _compare(slip, signature, meter, expected_cents, at)
    columns = {key: hit[key] for key in hit}
    jackpot = Jackpot.objects.create(slip=slip, freeze=freeze, **columns)
    rows.append(jackpot)
    if freeze is None:
        rows += reckon_fixed(jackpot, slip, at)
    else:
        rows += reckon(freeze, because=Because.ANOTHER_HIT, slip=slip, at=at)
    watch_papers(live_hits(freeze) if freeze is not None else [jackpot], slip.table, at)
    return rows


def _compare(
    slip: Slip, signature: Signature, meter: Meter, expected_cents: int, at: datetime
) -> list[models.Model]:
    """Keep what a controller locked beside what wagers say; a difference stops the release."""
    locked_cents = slip.details["locked_cents"]
    if locked_cents is None:
        return []
    reading = MeterReading.objects.create(
        meter=meter,
        read_cents=locked_cents,
        expected_cents=expected_cents,
        read_by=signature.person,
        gaming_day=slip.gaming_day,
        at=at,
        request_id=signature.request_id,
    )
    if reading.difference_cents:
        report_difference(meter, locked_cents, expected_cents, signature.person, at, slip)
    return [reading]


@effect("jackpot_rejected")
def _rejected(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """Give the meter back what the hit took, what came since included, and reckon others anew."""
    set_status(slip, SlipStatus.VOIDED)
    jackpot = Jackpot.objects.select_related("freeze__meter").get(slip=slip)
    close_due(slip, signature.person, "The jackpot was rejected.", at)
    freeze = jackpot.freeze
    if freeze is None:
        return []
    meter = lock_meter(freeze.meter_id)
    freeze.meter = meter
    # What wagers added is no gain of the rejection: it is on the meter before the rest is reckoned.
    rolled = roll_in(meter, gaming_day=house.period_at(at).gaming_day, at=at)
    before = written_balance(meter).shown_microcents
    rows = reckon(freeze, because=Because.HIT_REJECTED, slip=slip, at=at)
    gained = written_balance(meter).shown_microcents - before
    rows += reckon_later(freeze, gained, slip, at)
    assert slip.table is not None
    moved = {row.jackpot_id for row in rows if isinstance(row, JackpotFigure)}
    watch_papers(Jackpot.objects.filter(pk__in=moved).select_related("slip"), slip.table, at)
    return [*([rolled] if rolled is not None else []), *rows]


@effect("jackpot_hold_begun")
def _hold_begun(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """Hold only what is known to be a jackpot: its cards leave the table when the round ends."""
    signed = signed_of(list(slip.signatures.all()))
    if not any(("main", step) in signed for step in CONFIRMS):
        raise refuse(
            "not_confirmed", "Surveillance has not confirmed this hand. Wait for the review."
        )
    return []


def new_review(jackpot: Slip) -> NewSlip:
    """Return another review of a jackpot, about to be signed."""
    return NewSlip(
        JACKPOT_REVIEW.kind,
        jackpot.table_id,
        {},
        jackpot.pk,
        details={"about": jackpot.serial, "says": [["Jackpot", jackpot.serial]]},
    )


def review_again(*, jackpot: Slip, said: Mapping[str, str], pen: Pen, shown: str) -> Slip:
    """Review a jackpot again, since the last review is too old to release it. Raises Refused."""
    return raise_slip(
        new_review(jackpot),
        pen=pen,
        shown=shown,
        judge=lambda table, original: Judgement(review_refusals(original)),
        entry=Entry(said=said),
    )


def review_refusals(jackpot: Slip | None) -> list[Refusal]:
    """Return why a jackpot is not reviewed again."""
    if jackpot is None or jackpot.kind != JACKPOT.kind or jackpot.status != SlipStatus.OPEN.value:
        return [Refusal("slip_closed", "Only a jackpot that is pending or held is reviewed.")]
    return []
