"""A batch of checks for the bank: a cashier prepares it, accounting verifies it with the receipt.

Markers and the personal checks that replaced some go to the bank by their due day. What went there
is no longer owed; the credit line is free of it once it has cleared.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from django.db import models

from inventory.kinds.marker import OWED_READERS, WITNESSES
from inventory.models import CheckDeposit, MarkerEntry, MarkerMove
from inventory.selectors.checks import CheckOwed, checks_at_hand
from inventory.selectors.deposits import bank_holidays
from inventory.services.patrons import lock_patron
from pitboss.middleware import PitRequest
from pitboss.models import Signature, Slip
from pitboss.paper.content import Note
from pitboss.paper.forms import Form, Part, Shows
from pitboss.rules.cheques.cheques import format_money
from pitboss.rules.floor.fields import Several
from pitboss.rules.flows.flows import Need, Promise, SlipStatus, Step, void_witnessed
from pitboss.rules.patrons.checks import bank_refusals
from pitboss.rules.patrons.payment_means import Means, free_at
from pitboss.rules.refusal import Refusal, Refused, refuse
from pitboss.rules.roles import AT_THE_CAGE, Place, Role
from pitboss.services import house
from pitboss.services.drafts import NewSlip
from pitboss.services.locks import lock_desk
from pitboss.slips.addresses import own_url
from pitboss.slips.kind import Kind, Look, Raising
from pitboss.views.forms import new_request_id

CHECKS_MAX: Final = 100
_DESK: Final = "check deposits"


def _at_hand() -> list[CheckOwed]:
    return checks_at_hand(house.period_at(house.now()).gaming_day)


def _chosen(raising: Raising) -> list[CheckOwed]:
    wanted = raising.given.get("check", ())
    return [check_owed for check_owed in _at_hand() if check_owed.serial in wanted]


def _drafted(raising: Raising) -> NewSlip:
    chosen = _chosen(raising)
    total = sum(check_owed.check.balance_cents for check_owed in chosen)
    many = "1 check" if len(chosen) == 1 else f"{len(chosen)} checks"
    return NewSlip(
        raising.kind.kind,
        None,
        {},
        details={
            "about": f"{many}, {format_money(total)}",
            "says": [
                *(
                    [
                        check_owed.serial,
                        f"{check_owed.patron}, {format_money(check_owed.check.balance_cents)}",
                    ]
                    for check_owed in chosen
                ),
                ["Together", f"{many}, {format_money(total)}"],
            ],
            "checks": [
                [check_owed.serial, check_owed.patron.pk, [list(part) for part in check_owed.parts]]
                for check_owed in chosen
            ],
            "amount_cents": total,
        },
    )


def _locked(raising: Raising) -> Raising:
    """Let one batch at a time be prepared: two could both take the same check."""
    lock_desk(_DESK)
    return raising


def _refusals(raising: Raising) -> list[Refusal]:
    chosen = _chosen(raising)
    if not chosen:
        return [Refusal("nothing_chosen", "Choose at least one check that is at the cage.")]
    if len(chosen) > CHECKS_MAX:
        return [
            Refusal(
                "too_many", f"Choose {CHECKS_MAX} checks or fewer. Put the others in another batch."
            )
        ]
    waiting = Slip.objects.filter(kind=CHECK_DEPOSIT.kind, status=SlipStatus.OPEN)
    going = {serial: slip.serial for slip in waiting for serial, _, _ in slip.details["checks"]}
    return [
        *(refusal for check_owed in chosen for refusal in bank_refusals(check_owed.check)),
        *(
            Refusal(
                "already_going",
                f"{check_owed.serial} is already on {going[check_owed.serial]}. Finish it first.",
            )
            for check_owed in chosen
            if check_owed.serial in going
        ),
    ]


def _deposited(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """Take what went to the bank off the markers, under their patrons’ locks. Raises Refused."""
    for patron_id in sorted({patron_id for _, patron_id, _ in slip.details["checks"]}):
        lock_patron(patron_id)
    found = {check_owed.serial: check_owed for check_owed in _at_hand()}
    refusals: list[Refusal] = []
    rows: list[models.Model] = []
    for serial, _, parts in slip.details["checks"]:
        check = found.get(serial)
        if check is None or [list(part) for part in check.parts] != parts:
            raise refuse(
                "balance_changed",
                f"{serial} was moved or paid while you had it open. Void this batch "
                "and prepare it again.",
            )
        refusals += bank_refusals(check.check)
        rows += _to_the_bank(check, slip, at)
    if refusals:
        raise Refused(refusals)
    return rows


def _to_the_bank(check: CheckOwed, slip: Slip, at: datetime) -> Sequence[models.Model]:
    attempt = check.check.deposits + 1
    # A personal check frees the line of the markers that it paid by its own day.
    waits = check.marker is not None or attempt > 1
    clear_days = house.settings_at(at)["credit.clear_days"] if waits else 0
    free = free_at(
        Means.PERSONAL_CHECK, at, clear_days, bank_holidays(at), house.the_property().zone
    )
    deposit = CheckDeposit.objects.create(
        marker=check.marker,
        instrument=check.instrument,
        patron=check.patron,
        amount_cents=check.check.balance_cents,
        attempt=attempt,
        free_at=max(free, at) if waits else at,
        slip=slip,
        at=at,
    )
    if not waits:
        return [deposit]
    when = house.period_at(at)
    entries = [
        MarkerEntry.objects.create(
            marker_id=marker_id,
            move=MarkerMove.DEPOSITED.value,
            amount_cents=cents,
            slip=slip,
            gaming_day=when.gaming_day,
            shift=when.shift,
            at=at,
        )
        for marker_id, _, cents in check.parts
    ]
    return [deposit, *entries]


def _look(request: PitRequest, raising: Raising, refused: Refused | None) -> Look:
    """Return the page on which a batch is chosen: what is due is checked."""
    today = house.period_at(house.now()).gaming_day
    offered = [check_owed for check_owed in _at_hand() if not bank_refusals(check_owed.check)]
    chosen = request.POST.getlist("check") if refused else []
    return "inventory/check_deposit.html", {
        "url": own_url(raising),
        "request_id": new_request_id(),
        "checks": [
            {
                "owed": check_owed,
                "is_due": check_owed.check.due_on <= today,
                "is_late": check_owed.check.due_on < today,
                "is_checked": check_owed.serial in chosen
                if chosen
                else check_owed.check.due_on <= today,
            }
            for check_owed in offered
        ],
    }


def _notes(slip: Slip) -> list[Note]:
    """Return the checks one by one, beneath their sum."""
    return [Note(serial, words) for serial, words in slip.details["says"][:-1]]


CHECK_DEPOSIT = Kind(
    "check_deposit",
    title="Check deposit",
    series="CK",
    open_to=AT_THE_CAGE,
    lit_by="credit_desk",
    at_a_table=False,
    locks=_locked,
    asked=(Several(name="check", label="Checks"),),
    refusals=_refusals,
    drafted=_drafted,
    steps=(
        Step(
            "prepared",
            done="Prepared",
            do="Prepare",
            by=Role.CASHIER,
            at=Place.CAGE,
            attests="I certify that every check listed on this slip is in this batch.",
        ),
        Step(
            "batch_verified",
            done="Verified",
            do="Verify",
            by=Role.ACCOUNTING,
            at=None,
            asks=("bank_receipt",),
            why=Need("Someone who doesn’t keep the checks verifies the batch with the bank."),
            attests="I certify that I compared every check with this slip and that the bank’s "
            "receipt is for the same sum.",
            then="checks_deposited",
        ),
    ),
    void=(
        Step(
            "voided",
            done="Voided",
            do="Void",
            by=Role.CASHIER,
            at=Place.CAGE,
            may_repeat="prepared",
            needs_reason=True,
            attests="I void this batch. I certify that every check stays at the cage.",
        ),
        void_witnessed(WITNESSES),
    ),
    effects={"checks_deposited": _deposited},
    readers=OWED_READERS,
    promises=(Promise(2, 2),),
    paper=Form(
        parts=(
            Part("Original", "With the checks to accounting, which keeps the bank’s receipt."),
            Part("Duplicate", "Kept at the cage."),
        ),
        original_at=Place.CAGE,
        shows=Shows.FACTS,
        caption="Patron credit",
    ),
    look=_look,
    heading=lambda raising: "Checks to the bank",
    raised=lambda slip: f"{slip.serial} prepared. Accounting verifies it with the bank’s receipt.",
    notes=_notes,
)
