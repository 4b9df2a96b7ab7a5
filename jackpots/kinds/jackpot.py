"""A jackpot: entered at once, which stops its meter; then verified, confirmed, released, paid.

The way out is a rejection by two people, which gives the meter back what it lost. A winner who
cannot be paid lets the jackpot be held by two people: the round ends, and it stays owed. (Manual,
Blazing 7's, jackpot and supervisor procedures.)
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Final

from django.db import models

from jackpots.kinds.entering import jackpot_look
from jackpots.models import Because, Jackpot, JackpotFigure
from jackpots.selectors.jackpots import shows_of, tells_of, writes_of
from jackpots.services.figures import balance_of, lock_meter, roll_in, written_balance
from jackpots.services.hits import (
    freeze_meter,
    live_hits,
    newest_figure,
    reckon,
    reckon_fixed,
    reckon_later,
    standing_freeze,
)
from jackpots.services.jackpots import Entered, drafted_jackpot, entry_refusals, plan_facts
from jackpots.services.meter_reading import keep_locked
from jackpots.services.papers import papers_of
from jackpots.services.payments import (
    ask_for_count,
    cheque_refusals,
    counted_on,
    pay_out,
    release_refusals,
    shortfall,
    stops_of_payment,
)
from jackpots.services.tax_papers import close_due, watch_papers
from pitboss.models import Signature, Slip
from pitboss.paper.forms import Form, InBox, Part, Shows
from pitboss.rules.day.win import PayoutSource
from pitboss.rules.floor.fields import Words
from pitboss.rules.floor.urgency import Urgency
from pitboss.rules.flows.flows import BY_THE_UNINVOLVED, Need, Promise, Readers, SlipStatus, Step
from pitboss.rules.payouts.jackpot_flows import (
    CONFIRMS,
    ENDS_ROUND,
    JACKPOT,
    confirmed_by_phone,
    confirmed_on_screen,
    is_fixed,
    takes_meter,
)
from pitboss.rules.refusal import CONFLICT, NOT_YOURS, Refusal, Refused, refuse
from pitboss.rules.roles import (
    AT_THE_CAGE,
    KEEPING_BOOKS,
    SUPERVISING,
    WATCHING,
    Place,
    Role,
    department,
)
from pitboss.rules.settings.kinds import Amount
from pitboss.selectors.slips import signed_of
from pitboss.services import house
from pitboss.services.drafts import NewSlip
from pitboss.services.standing import set_status
from pitboss.slips.kind import Kind, Raising

_AMOUNT: Final = Amount(1, 100_000_000_000)
_STOPS: Final = {
    "tone": "wait",
    "bold": "Your signature stops the meter.",
    "text": "Other tables play on.",
}


def _read(raising: Raising) -> Raising:
    """Return the hit that was entered. Raises Refused for amounts that cannot be read."""
    given = raising.given
    seat = given.get("seat", "")
    entered = Entered(
        seat=int(seat) if seat.isascii() and seat.isdigit() else 0,
        wager=given.get("wager", ""),
        player_cards=(given.get("card_1", ""), given.get("card_2", "")),
        dealer_cards=(given.get("up", ""),),
        stake_cents=_AMOUNT.read(given["stake"]) if "stake" in given else None,
        locked_cents=_AMOUNT.read(given["locked"]) if "locked" in given else None,
    )
    return replace(raising, given={**given, "entered": entered})


def _drafted(raising: Raising) -> NewSlip:
    assert raising.table is not None, "a jackpot without a table"
    return drafted_jackpot(raising.table, raising.given["entered"], raising.original)


def _refusals(raising: Raising) -> list[Refusal]:
    """Return why a hit may not be entered, a hand that cannot be included."""
    try:
        return entry_refusals(raising.new().details, raising.table, raising.original)
    except Refused as refused:
        return list(refused.refusals)


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
            if details["locked_cents"] is not None:
                rows += keep_locked(
                    slip, signature, meter, details["locked_cents"], expected_cents, at
                )
    columns = {key: hit[key] for key in hit}
    jackpot = Jackpot.objects.create(slip=slip, freeze=freeze, **columns)
    rows.append(jackpot)
    if freeze is None:
        rows += reckon_fixed(jackpot, slip, at)
    else:
        rows += reckon(freeze, because=Because.ANOTHER_HIT, slip=slip, at=at)
    watch_papers(live_hits(freeze) if freeze is not None else [jackpot], slip.table, at)
    return rows


def _released(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """Let a jackpot be paid: in its turn, on a review that is fresh enough."""
    refusals = release_refusals(slip, at)
    if refusals:
        raise Refused(refusals)
    return []


def _paid(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """Pay a jackpot. What comes out of the tray moves in the ledger."""
    jackpot = Jackpot.objects.get(slip=slip)
    # Its table as it was read under lock.
    jackpot.slip = slip
    owed = newest_figure(jackpot).award_cents
    papers = papers_of(jackpot, owed, at)
    withheld = papers.withheld_cents
    source = PayoutSource(signature.facts["said"]["source"])
    cheques = counted_on(signature)
    refusals = [
        *stops_of_payment(slip, papers, signature, at),
        *papers.refusals,
        *_place_refusals(slip, signature, source),
        *cheque_refusals(jackpot, source, cheques, owed - withheld, at),
    ]
    if refusals:
        raise Refused(refusals)
    # The ledger lags behind what a tray has won: a count is asked for, and the winner is paid.
    short = shortfall(slip.table, cheques) if slip.table and source is PayoutSource.TRAY else {}
    rows = pay_out(jackpot, signature, papers, owed, at)
    if short:
        ask_for_count(slip, short, at)
    return rows


def _place_refusals(slip: Slip, signature: Signature, source: PayoutSource) -> list[Refusal]:
    """Return why this person at this place cannot have seen it paid so."""
    refusals = []
    is_cage = Role(signature.role) in department(Role.CASHIER)
    if is_cage and slip.details[ENDS_ROUND] != "released":
        refusals.append(
            Refusal("payment_stays", "This house pays jackpots at the table. Sign at the pit.")
        )
    if source is PayoutSource.TRAY and (is_cage or signature.place != Place.PIT.value):
        refusals.append(
            Refusal(
                "wrong_place",
                "What the tray pays is signed at the pit. Use a tablet there.",
                NOT_YOURS,
            )
        )
    return refusals


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


def _hold_begun(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """Hold only what is known to be a jackpot: its cards leave the table when the round ends."""
    signed = signed_of(list(slip.signatures.all()))
    if not any(("main", step) in signed for step in CONFIRMS):
        raise refuse(
            "not_confirmed",
            "Surveillance has not confirmed this hand. Wait for the review.",
            CONFLICT,
        )
    return []


_PAID = Step(
    "paid",
    done="Paid",
    do="Pay",
    by=(Role.SUPERVISOR, Role.CASHIER),
    at=None,
    may_repeat=("verified", "phone_confirmed", "jackpot_released", "pending_cleared"),
    asks=("source",),
    attests="I certify that I saw the winner paid the amount on this slip.",
    then="jackpot_paid",
)

JACKPOT_KIND = Kind(
    JACKPOT,
    title="Jackpot",
    series="J",
    open_to=SUPERVISING,
    lit_by="board",
    asked=(
        Words(name="seat", label="Seat", most=2, is_needed=False),
        *(
            Words(name=name, label=name.capitalize(), most=24, is_needed=False)
            for name in ("wager", "stake", "card_1", "card_2", "up", "locked")
        ),
    ),
    becomes=_read,
    refers_to=(JACKPOT,),
    drafted=_drafted,
    refusals=_refusals,
    facts=lambda raising: plan_facts(raising.new().details),
    look=jackpot_look,
    shows_unneeded=False,
    urgency=Urgency.JACKPOT,
    steps=(
        Step(
            "entered",
            done="Entered",
            do="Enter",
            by=Role.DEALER,
            at=Place.PIT,
            attests="I certify that this seat has the hand entered and that the bet was in "
            "place before the deal.",
            then="jackpot_entered",
        ),
        Step(
            "verified",
            done="Verified",
            do="Verify",
            by=Role.SUPERVISOR,
            at=Place.PIT,
            attests="I certify that I examined the cards and the entry is correct, and that "
            "surveillance and the shift manager were notified.",
        ),
        Step(
            "confirmed",
            done="Confirmed",
            do="Confirm",
            why=BY_THE_UNINVOLVED,
            by=Role.SURVEILLANCE,
            at=Place.SURVEILLANCE,
            when=confirmed_on_screen,
            asks=("review",),
            attests="I reviewed the recorded coverage and certify that the bet, the deal, and "
            "the hand are as entered.",
        ),
        Step(
            "phone_confirmed",
            done="Confirmed by phone",
            do="Confirm by phone",
            why=Need("Surveillance must confirm this to you by phone."),
            by=Role.SHIFT_MANAGER,
            at=None,
            when=confirmed_by_phone,
            asks=("officer", "review"),
            attests="I certify that surveillance confirmed this to me by phone after reviewing "
            "the recorded coverage.",
        ),
        Step(
            "jackpot_released",
            done="Released",
            do="Release",
            why=Need(
                "This award pays from a progressive meter. "
                "A shift manager who didn’t verify it must release it."
            ),
            by=Role.SHIFT_MANAGER,
            at=None,
            when=takes_meter,
            may_repeat="phone_confirmed",
            attests="I release this jackpot for payment. I certify that I did not verify it.",
            then="jackpot_released",
        ),
        Step(
            "pending_cleared",
            done="Released by a supervisor",
            do="Release",
            why=Need("This is a fixed award. A supervisor must release it."),
            by=Role.SUPERVISOR,
            at=None,
            when=is_fixed,
            may_repeat=("verified", "phone_confirmed"),
            attests="I reviewed the verification of this award, and I release it for payment.",
            then="jackpot_released",
        ),
        replace(_PAID, when=confirmed_on_screen),
        # By phone surveillance signs nothing, so someone beside the pit sees the winner paid.
        replace(
            _PAID,
            when=confirmed_by_phone,
            by=(Role.CASHIER, Role.SECURITY),
            may_repeat=None,
        ),
    ),
    void=(
        Step(
            "rejected",
            done="Rejected",
            do="Reject",
            by=(Role.SUPERVISOR, Role.SURVEILLANCE),
            at=None,
            may_repeat=("verified", "confirmed"),
            needs_reason=True,
            attests="I reject this jackpot entry. No payment is to be made on it.",
        ),
        Step(
            "reject_agreed",
            done="Rejection agreed",
            do="Agree to reject",
            why=Need("Rejecting a jackpot needs two signatures. One is done."),
            # On a quiet shift those of pit and surveillance may all have a part in it already.
            by=(Role.PIT_MANAGER, Role.SURVEILLANCE, Role.CAGE_MANAGER),
            at=None,
            attests="I investigated the reason and confirm that the amount goes back on the meter.",
            then="jackpot_rejected",
        ),
    ),
    relief=(
        Step(
            "held",
            done="Held",
            do="Hold",
            by=Role.SHIFT_MANAGER,
            at=None,
            may_repeat=("phone_confirmed", "jackpot_released", "pending_cleared"),
            needs_reason=True,
            asks=("held_for",),
            attests="I certify that the winner cannot be paid now and that the casino still "
            "owes this amount. The round may end.",
            then="jackpot_hold_begun",
        ),
        Step(
            "held_witnessed",
            done="Hold witnessed",
            do="Witness the hold",
            why=Need("Holding a jackpot needs two signatures. One is done."),
            by=(Role.SECURITY, Role.SURVEILLANCE, Role.PIT_MANAGER),
            at=None,
            attests="I certify that I was told why this jackpot is on hold.",
        ),
    ),
    effects={
        "jackpot_entered": _entered,
        "jackpot_released": _released,
        "jackpot_paid": _paid,
        "jackpot_rejected": _rejected,
        "jackpot_hold_begun": _hold_begun,
    },
    # It says which hand won at which seat; who sat there stands on its tax papers.
    readers=Readers(
        SUPERVISING | AT_THE_CAGE | WATCHING | KEEPING_BOOKS | {Role.COMPLIANCE},
        frozenset({Place.CAGE}),
        at_terminal=True,
    ),
    # No award is paid on the word of one department.
    promises=(
        Promise(3, 2),
        Promise(4, 2, having="jackpot_released"),
        Promise(4, 2, having="phone_confirmed"),
    ),
    paper=Form(
        parts=(
            Part("Original", "To accounting with the tax forms."),
            Part(
                "Duplicate",
                "Into the table's drop box by the dealer, once it is paid.",
                box=InBox.ON_TABLE,
            ),
        ),
        shows=Shows.FACTS,
        title="Jackpot payout slip",
        caption="Progressives",
    ),
    void_label="Reject…",
    relief_label="Hold it…",
    corrected_label="Enter the corrected hit…",
    writes=writes_of,
    shows=shows_of,
    tells=tells_of,
    heading=lambda raising: f"Jackpot at {raising.table}",
    review=lambda raising, new: {"note": _STOPS},
    raised=lambda slip: f"{slip.serial} is pending. Call the supervisor.",
)
