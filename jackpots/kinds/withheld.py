"""Winnings withheld from someone on a list: kept apart against a receipt, and how they end.

A cashier takes them, a supervisor witnesses it, and the person gets the receipt. Compliance and
accounting say later to whom they go. Nothing here makes a tax form: no one has been paid.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Final

from django.db import models
from django.shortcuts import get_object_or_404
from django.urls import reverse

from jackpots.models import Jackpot, WithheldEnd, WithheldWin
from jackpots.services.big_wins import is_counted_out
from jackpots.services.hits import newest_figure
from jackpots.services.winners import confirmed_case
from jackpots.services.withheld import ending_of, withhold
from pitboss.middleware import PitRequest
from pitboss.models import Signature, Slip
from pitboss.paper.forms import Form, Part, Shows
from pitboss.rules.cheques.cheques import format_money
from pitboss.rules.floor.fields import Pick, Words
from pitboss.rules.flows.flows import BY_ANOTHER, Promise, Readers, SlipStatus, Step, void_witnessed
from pitboss.rules.patrons.exclusion import TO_MAX, Ending
from pitboss.rules.payouts.big_wins import BIG_WIN
from pitboss.rules.payouts.jackpot_flows import JACKPOT
from pitboss.rules.refusal import CONFLICT, Refusal, Refused
from pitboss.rules.roles import AT_THE_CAGE, GUARDING, KEEPING_BOOKS, SUPERVISING, Place, Role
from pitboss.services.drafts import NewSlip
from pitboss.slips.addresses import id_of
from pitboss.slips.kind import Kind, Raising

_READERS: Final = Readers(
    SUPERVISING | AT_THE_CAGE | GUARDING | KEEPING_BOOKS | {Role.COMPLIANCE}, names_patron=True
)


def _win_of(raising: Raising) -> Slip:
    assert raising.original is not None, "winnings are of a win"
    return raising.original


def _drafted(raising: Raising) -> NewSlip:
    win = _win_of(raising)
    case = confirmed_case(win)
    cents = newest_figure(Jackpot.objects.get(slip=win)).award_cents
    return NewSlip(
        raising.kind.kind,
        win.table_id,
        {},
        win.pk,
        details={
            "about": f"{win.serial}, {format_money(cents)}",
            "amount_cents": cents,
            "case": case.pk if case else None,
            "says": [
                ["Win", win.serial],
                ["Person", case.patron.full_name if case else "not confirmed"],
                ["Withheld", format_money(cents)],
                [
                    "Notice",
                    "The casino keeps these winnings apart. They may be forfeited. This is not a "
                    "payment. To ask for a review, write to the compliance department.",
                ],
            ],
        },
    )


def _refusals(raising: Raising) -> list[Refusal]:
    return _win_refusals(_win_of(raising))


def _win_refusals(win: Slip) -> list[Refusal]:
    refusals = []
    if win.status != SlipStatus.OPEN.value or (win.kind == BIG_WIN and is_counted_out(win)):
        refusals.append(
            Refusal("slip_closed", f"{win} is no longer open. Nothing can be withheld.", CONFLICT)
        )
    if confirmed_case(win) is None:
        refusals.append(
            Refusal(
                "not_confirmed",
                "No one has confirmed the person. Security and compliance must "
                "sign the case first.",
                CONFLICT,
            )
        )
    return refusals


def _withheld(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """Keep the winnings apart, once the witness has signed. Raises Refused."""
    win = slip.refers_to
    assert win is not None, "winnings are of a win"
    refusals = _win_refusals(win)
    owed = newest_figure(Jackpot.objects.get(slip=win)).award_cents
    if owed != slip.details["amount_cents"]:
        refusals.append(
            Refusal(
                "award_changed",
                f"{win} is now {format_money(owed)}. Void this receipt and enter it again.",
                CONFLICT,
            )
        )
    if refusals:
        raise Refused(refusals)
    return withhold(win, slip, signature.person, at)


WITHHELD_WIN = Kind(
    "withheld_win",
    title="Payout receipt and notice of forfeiture",
    series="FR",
    open_to=AT_THE_CAGE,
    lit_by="cage",
    refers_to=(JACKPOT, BIG_WIN),
    must_refer=True,
    refusals=_refusals,
    refuses_at_once=True,
    drafted=_drafted,
    steps=(
        Step(
            "withheld",
            done="Withheld",
            do="Withhold",
            by=Role.CASHIER,
            at=Place.CAGE,
            attests="I certify that I placed this amount apart from the cage’s own funds and paid "
            "no one.",
        ),
        Step(
            "withholding_witnessed",
            done="Witnessed",
            do="Witness",
            by=Role.SUPERVISOR,
            at=None,
            attests="I certify that I saw this amount withheld and that the person was given this "
            "receipt.",
            then="win_withheld",
        ),
    ),
    void=(
        Step(
            "voided",
            done="Voided",
            do="Void",
            by=Role.CASHIER,
            at=None,
            may_repeat="withheld",
            needs_reason=True,
            attests="I void this receipt. I certify that the amount went back to the cage’s own "
            "funds.",
        ),
        void_witnessed((Role.SUPERVISOR, Role.CAGE_MANAGER, Role.SECURITY)),
    ),
    effects={"win_withheld": _withheld},
    readers=_READERS,
    promises=(Promise(2, 2),),
    paper=Form(
        parts=(
            Part("Original", "To the person, with the notice on their rights."),
            Part("Duplicate", "With the withheld winnings at the cage."),
            Part("Triplicate", "To compliance."),
        ),
        shows=Shows.FACTS,
        caption="Exclusion",
        refers_as="Withholds",
        referred_as="Withheld by",
    ),
    heading=lambda raising: f"Withhold {_win_of(raising).serial}",
    raised=lambda slip: f"{slip.serial} signed. Waiting for a supervisor to witness it.",
)


def _withheld_of(raising: Raising) -> WithheldWin:
    withheld: WithheldWin = raising.given["withheld"]
    return withheld


def _begins(request: PitRequest, raising: Raising) -> Raising:
    wins = WithheldWin.objects.select_related("slip", "case__row", "jackpot__slip")
    withheld = get_object_or_404(wins, pk=id_of(request.GET, "withheld"))
    given = {**raising.given, "withheld": withheld}
    return replace(raising, given=given, named={"withheld": withheld.pk})


def _outcome_refusals(raising: Raising) -> list[Refusal]:
    withheld = _withheld_of(raising)
    ending, to = Ending(raising.given["ending"]), raising.given.get("to", "")
    refusals = ending_of(withheld, ending, to)
    waiting = Slip.objects.filter(
        kind=raising.kind.kind, status=SlipStatus.OPEN.value, details__withheld=withheld.pk
    ).first()
    if waiting is not None:
        refusals.append(
            Refusal("already_proposed", f"{waiting} is pending. Sign or decline it first.")
        )
    return refusals


def _outcome_drafted(raising: Raising) -> NewSlip:
    withheld = _withheld_of(raising)
    ending, to = Ending(raising.given["ending"]), raising.given.get("to", "")
    amount = format_money(withheld.amount_cents)
    return NewSlip(
        raising.kind.kind,
        None,
        {},
        details={
            "withheld": withheld.pk,
            "ending": ending.value,
            "to": to,
            "about": f"{withheld.slip.serial}, {amount}",
            "says": [
                ["Receipt", withheld.slip.serial],
                ["Win", withheld.jackpot.slip.serial],
                ["Withheld", amount],
                ["Outcome", ending.label],
                *([["Paid to", to]] if to else []),
            ],
        },
    )


def _ended(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    withheld = WithheldWin.objects.select_related("case__row").get(pk=slip.details["withheld"])
    ending = Ending(slip.details["ending"])
    refusals = ending_of(withheld, ending, slip.details["to"])
    if refusals:
        raise Refused(refusals)
    return [
        WithheldEnd.objects.create(
            withheld=withheld, ending=ending.value, to=slip.details["to"], slip=slip, at=at
        )
    ]


WITHHELD_OUTCOME = Kind(
    "withheld_outcome",
    title="Outcome of withheld winnings",
    series="FR",
    desk="people",
    open_to=frozenset({Role.COMPLIANCE}),
    lit_by="compliance",
    at_a_table=False,
    begins=_begins,
    asked=(
        Pick(
            name="ending",
            label="Outcome",
            choices={item.value: item.label for item in Ending},
        ),
        Words(name="to", label="Forfeited to", most=TO_MAX, is_needed=False),
    ),
    refusals=_outcome_refusals,
    drafted=_outcome_drafted,
    steps=(
        Step(
            "proposed",
            done="Proposed",
            do="Propose",
            by=Role.COMPLIANCE,
            at=None,
            needs_reason=True,
            attests="I reviewed the case and the law that applies, and propose this outcome.",
        ),
        Step(
            "approved",
            done="Approved",
            do="Approve",
            by=Role.ACCOUNTING,
            at=None,
            why=BY_ANOTHER,
            attests="I reviewed this outcome and certify that the withheld amount goes as shown.",
            then="withheld_ended",
        ),
    ),
    void=(
        Step(
            "refused",
            done="Refused",
            do="Refuse",
            by=(Role.ACCOUNTING, Role.COMPLIANCE),
            at=None,
            may_repeat="proposed",
            needs_reason=True,
            attests="I decline this outcome. The winnings stay withheld.",
            then="slip_voided",
        ),
    ),
    effects={"withheld_ended": _ended},
    readers=_READERS,
    promises=(Promise(2, 2),),
    paper=Form(
        parts=(Part("Original", "To compliance, with the receipt."),),
        shows=Shows.FACTS,
        caption="Exclusion",
    ),
    heading=lambda raising: f"Outcome of {_withheld_of(raising).slip.serial}",
    back=lambda raising: {"url": reverse("withheld"), "label": "Withheld"},
    raised=lambda slip: f"{slip.serial} is pending. Waiting for accounting.",
)
