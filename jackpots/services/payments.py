"""Release jackpots in their order and pay them, once, from where the signer says."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta

from django.db import models
from django.db.models import Exists, OuterRef

from inventory.models import Holder, Patron
from inventory.selectors.cheques import tray_holding
from inventory.services.cash_log import log_cash
from inventory.services.ledger import move_cheques
from jackpots.models import Jackpot, JackpotPayment, MeterFreeze
from jackpots.services.hits import is_final, live_hits, newest_figure
from jackpots.services.papers import PapersStanding
from jackpots.services.set_offs import (
    apply_set_off,
    set_off_begun,
    set_off_cents,
    set_off_refusals,
)
from jackpots.services.tax_forms import issue_forms
from jackpots.services.winners import keep_winners, win_refusals
from pitboss.models import FloorException, Signature, Slip, Table
from pitboss.rules.cheques.cheques import format_cheques, format_money, total_cents
from pitboss.rules.cheques.cutting import Breakage
from pitboss.rules.cheques.set_changes import LEAST_CENTS
from pitboss.rules.day.win import PayoutSource
from pitboss.rules.flows.flows import SlipStatus
from pitboss.rules.patrons.cash_log import CashKind
from pitboss.rules.patrons.exclusion import Moment
from pitboss.rules.payouts.jackpot_flows import CONFIRMS, JACKPOT_REVIEW, is_held
from pitboss.rules.refusal import CONFLICT, Refusal
from pitboss.rules.roles import Role
from pitboss.selectors.pending import pending_jackpots
from pitboss.selectors.slips import signed_of
from pitboss.services import house
from pitboss.services.exceptions import TRAY_MAY_BE_SHORT, open_exception, standing

# Less than this no cheque pays.
_SMALLEST_CENTS = LEAST_CENTS
# How long a tray that paid more than it was expected to hold may wait for its count.
_COUNT_WITHIN = timedelta(minutes=30)


def release_refusals(slip: Slip, at: datetime) -> list[Refusal]:
    """Return why a jackpot may not be released now: every reason."""
    jackpot = Jackpot.objects.select_related("freeze__meter").get(slip=slip)
    return [
        *_turn_refusals(slip, jackpot),
        *_review_refusals(slip, at),
        *_reading_refusals(slip),
    ]


def waits_for(jackpot: Jackpot) -> list[Slip]:
    """Return the hits that are processed before this one: to its right, and earlier elsewhere."""
    slip = jackpot.slip
    assert slip.table is not None
    right = [
        item
        for item in pending_jackpots(slip.table)
        if item.pk != slip.pk and item.details["hit"]["seat"] > jackpot.seat
    ]
    return right + _earlier_elsewhere(jackpot)


def _earlier_elsewhere(jackpot: Jackpot) -> list[Slip]:
    """Return hits of earlier rounds on the same meter whose figures may still move."""
    if jackpot.freeze is None or jackpot.freeze.meter.is_posted:
        return []
    earlier = MeterFreeze.objects.filter(
        meter=jackpot.freeze.meter, pk__lt=jackpot.freeze_id
    ).filter(
        Exists(Jackpot.objects.filter(freeze=OuterRef("pk"), slip__status=SlipStatus.OPEN.value))
    )
    return [
        hit.slip
        for freeze in earlier
        for hit in live_hits(freeze)
        if hit.slip.status == SlipStatus.OPEN.value
        and not is_final(hit)
        and not is_held(signed_of(list(hit.slip.signatures.all())))
    ]


def _turn_refusals(slip: Slip, jackpot: Jackpot) -> list[Refusal]:
    return [
        Refusal(
            "earlier_hit_pending",
            f"{wait} is processed first: seat {wait.details['hit']['seat']} at {wait.table}. "
            "Finish that one.",
            CONFLICT,
        )
        for wait in waits_for(jackpot)
    ]


def last_review(slip: Slip) -> Signature | None:
    """Return the newest review of a jackpot: its own step's, or that of a slip of its own."""
    again = Signature.objects.filter(
        slip__refers_to=slip, slip__kind=JACKPOT_REVIEW, step="reviewed_again"
    )
    own = slip.signatures.filter(step__in=CONFIRMS)
    return (own | again).order_by("-signed_at").first()


def _review_refusals(slip: Slip, at: datetime) -> list[Refusal]:
    """Return that a review is too old; that there is one the flow itself has seen to."""
    review = last_review(slip)
    valid = timedelta(minutes=house.settings_at(at)["jackpot.review_valid"])
    if review is None or at - review.signed_at <= valid:
        return []
    return [
        Refusal(
            "review_expired",
            f"The review is older than {int(valid.total_seconds()) // 60} minutes. "
            "Surveillance must review it again.",
            CONFLICT,
        )
    ]


def _reading_refusals(slip: Slip) -> list[Refusal]:
    differing = standing(FloorException.objects.filter(slip=slip, code="meter_differs"))
    return [
        Refusal(
            "reading_unexplained",
            f"{floor_exception.sentence} Accounting must explain it first.",
            CONFLICT,
        )
        for floor_exception in differing
    ]


def stops_of_payment(
    slip: Slip, papers: PapersStanding, signature: Signature, at: datetime
) -> list[Refusal]:
    """Return that a win is not paid, when whoever is named as its winner is on a list."""
    return [
        *win_refusals(slip, _paid_to(papers), Moment.PAYMENT, at, Role(signature.role)),
        *_set_off_stops(slip, papers, signature),
    ]


def _set_off_stops(slip: Slip, papers: PapersStanding, signature: Signature) -> list[Refusal]:
    """Return why a win may not be paid with the set-off that its winner signed."""
    if set_off_begun(slip) is None:
        return []
    owed = newest_figure(Jackpot.objects.get(slip=slip)).award_cents
    source = PayoutSource(signature.facts["said"]["source"])
    return set_off_refusals(slip, source, papers.patron_id, owed - papers.withheld_cents)


def _paid_to(papers: PapersStanding) -> set[int]:
    winners = {part["patron"] for part in papers.slip.details["winners"]} if papers.slip else set()
    return winners | ({papers.patron_id} if papers.patron_id is not None else set())


def pay_out(
    jackpot: Jackpot, signature: Signature, papers: PapersStanding, owed: int, at: datetime
) -> list[models.Model]:
    """Write what goes out, from where the signer says, with its tax forms and its cash."""
    slip, withheld = jackpot.slip, papers.withheld_cents
    keep_winners(slip, _paid_to(papers), Moment.PAYMENT, at)
    source = PayoutSource(signature.facts["said"]["source"])
    cheques = counted_on(signature)
    paid = total_cents(cheques) if source is PayoutSource.TRAY else owed - withheld
    payment = JackpotPayment.objects.create(
        jackpot=jackpot,
        source=source.value,
        award_cents=owed,
        withheld_cents=withheld,
        breakage_cents=owed - withheld - paid,
        paid_cents=paid,
        gaming_day=house.period_at(at).gaming_day,
        at=at,
    )
    moved = (
        move_cheques(slip=slip, cheques=cheques, source=Holder.TRAY, target=Holder.PUBLIC, at=at)
        if source is PayoutSource.TRAY
        else []
    )
    rows: list[models.Model] = [payment, *moved]
    if papers.slip is not None:
        rows += issue_forms(jackpot, papers, signature, at)
    rows += apply_set_off(slip, at)
    # What goes to the winner's markers is paid, and no cash.
    in_cash = paid - set_off_cents(slip)
    if papers.patron_id is not None and source is PayoutSource.CAGE and in_cash:
        rows += log_cash(
            patron=Patron.objects.get(pk=papers.patron_id),
            kind=CashKind.JACKPOT,
            amount_cents=in_cash,
            slip=slip,
            signature=signature,
            at=at,
        )
    return rows


def counted_on(signature: Signature) -> dict[int, int]:
    """Return the cheques that a signer counted out; none where they counted none."""
    return {int(cents): count for cents, count in (signature.counted or {}).items() if count}


def cheque_refusals(
    jackpot: Jackpot, source: PayoutSource, cheques: dict[int, int], pays_cents: int, at: datetime
) -> list[Refusal]:
    """Return why these cheques are not what the tray pays."""
    if source is not PayoutSource.TRAY:
        if cheques:
            return [
                Refusal(
                    "cheques_not_of_the_tray",
                    "Only what the tray pays is counted here. Leave the cheques out.",
                )
            ]
        return []
    if jackpot.freeze_id is not None and (odd_cents := pays_cents % _SMALLEST_CENTS):
        return [
            Refusal(
                "tray_pays_no_cents",
                f"A share of a meter is paid to the cent, and no cheque pays "
                f"{format_money(odd_cents)}. Have the cage pay {format_money(pays_cents)}.",
            )
        ]
    if not cheques:
        return [Refusal("count_missing", "Count the cheques that the tray pays.")]
    refusals = []
    slip = jackpot.slip
    off = pays_cents - total_cents(cheques)
    down = house.settings_at(at).cut_options.breakage is Breakage.DOWN
    if not 0 <= (off if down else -off) < _SMALLEST_CENTS:
        refusals.append(
            Refusal(
                "payment_differs",
                f"The winner gets {format_money(pays_cents)}, "
                f"you counted {format_money(total_cents(cheques))}. Count again.",
                CONFLICT,
            )
        )
    assert slip.table is not None
    if not slip.table.is_open:
        refusals.append(
            Refusal(
                "table_closed",
                f"{slip.table} is closed and its tray locked. The cage pays.",
                CONFLICT,
            )
        )
    return refusals


def ask_for_count(slip: Slip, short: Mapping[int, int], at: datetime) -> None:
    """Ask for a count: the tray paid more than its expected count shows. It refuses nothing."""
    open_exception(
        code=TRAY_MAY_BE_SHORT,
        sentence=f"{slip.table}: {slip.serial} paid {format_cheques(short)} more than the tray was "
        "expected to hold. Count it within 30 minutes.",
        details={
            "short": {str(cents): count for cents, count in short.items()},
            "due_at": (at + _COUNT_WITHIN).isoformat(),
        },
        at=at,
        person=None,
        table=slip.table,
        slip=slip,
        limit_seconds=int(_COUNT_WITHIN.total_seconds()),
    )


def shortfall(table: Table, cheques: dict[int, int]) -> dict[int, int]:
    """Return what of these cheques a tray does not hold by its expected count."""
    held = tray_holding(table)
    lacking = {cents: count - max(held.get(cents, 0), 0) for cents, count in cheques.items()}
    return {cents: count for cents, count in lacking.items() if count > 0}
