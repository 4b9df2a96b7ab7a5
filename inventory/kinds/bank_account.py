"""The bank account that a patron's markers are drawn on: one person proposes it, another approves.

The first one is approved with the first credit line, which two people sign as well. Every later
one takes a slip of its own: a person who changed one alone could have a marker sent to a
bank that pays nothing. Until it is approved, markers name the account that was approved before.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any, Final

from django.db import models
from django.urls import reverse

from inventory.kinds.of_a_patron import of_patron, patron_locked, patron_of, to_patron
from inventory.kinds.patron_credit import CREDIT_LINE
from inventory.models import BankAccount, Patron, PatronDocument
from inventory.selectors.patrons import account_of, account_words, newest_document
from inventory.services.patrons import lock_patron
from pitboss.models import Signature, Slip
from pitboss.paper.forms import Form, Part, Shows
from pitboss.rules.flows.flows import BY_ANOTHER, Promise, SlipStatus, Step
from pitboss.rules.patrons.patrons import DocumentKind
from pitboss.rules.refusal import CONFLICT, Refusal, refuse
from pitboss.rules.roles import Role
from pitboss.services.drafts import NewSlip
from pitboss.slips.kind import Kind, Raising

_PROPOSERS: Final = (Role.CASHIER, Role.CAGE_MANAGER, Role.ACCOUNTING)


def _nothing_new(patron: Patron) -> Refusal:
    return Refusal(
        "nothing_changes",
        f"No new bank account of {patron} is on file. Add it as a document first.",
    )


def _proposed(patron: Patron) -> PatronDocument | None:
    """Return the account that was put on file last, unless it is the one in use."""
    newest = newest_document(patron, DocumentKind.BANK_ACCOUNT)
    return None if newest == account_of(patron) else newest


def _drafted(raising: Raising) -> NewSlip:
    """Draft the change; without another account on file it is one to nothing, and refused."""
    patron = patron_of(raising)
    account, before = _proposed(patron), account_of(patron)
    return NewSlip(
        raising.kind.kind,
        None,
        {},
        details={
            "about": f"{patron}, {account_words(account)}",
            "says": [
                ["Patron", patron.full_name],
                ["Instead of", account_words(before) or "none"],
                ["From now on", account_words(account) or "none"],
                ["Added to the file by", str(account.added_by) if account else "–"],
            ],
            "patron": patron.pk,
            "document": account.pk if account else None,
            "instead_of": before.pk if before else None,
        },
    )


def _refusals(raising: Raising) -> list[Refusal]:
    patron = patron_of(raising)
    waiting = Slip.objects.filter(
        kind=raising.kind.kind, status=SlipStatus.OPEN.value, details__patron=patron.pk
    ).first()
    if waiting is not None:
        words = f"{waiting} is pending for {patron}. Sign or decline it first."
        return [Refusal("already_proposed", words)]
    account = _proposed(patron)
    if account is None:
        return [_nothing_new(patron)]
    if account.pk != raising.new().details["document"]:
        return [
            Refusal(
                "bank_changed",
                "Another bank account was put on file while you had this open. Review it, then "
                "sign.",
                CONFLICT,
            )
        ]
    return []


def _in_use(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """Let markers be drawn on the approved account. Raises Refused where another was approved."""
    patron = lock_patron(slip.details["patron"])
    before = account_of(patron)
    if (before.pk if before else None) != slip.details["instead_of"]:
        raise refuse(
            "bank_changed",
            "Another bank account was approved while this was pending. Decline this slip, and "
            "propose the account again.",
            CONFLICT,
        )
    return [
        BankAccount.objects.create(
            patron=patron, document_id=slip.details["document"], since=at, slip=slip
        )
    ]


def _tells(slip: Slip) -> dict[str, Any]:
    """Return the way to the picture of the account; each look at it is in the journal."""
    account = PatronDocument.objects.get(pk=slip.details["document"])
    return {
        "template": "inventory/_bank_account_panel.html",
        "comes_first": True,
        "patron_url": to_patron(slip),
        "picture_url": reverse("patron-document", args=[account.patron_id, account.pk])
        if account.content_cipher
        else "",
    }


BANK_ACCOUNT = Kind(
    "bank_account",
    title="Bank account",
    series="BA",
    open_to=CREDIT_LINE.open_to,
    lit_by="markers",
    at_a_table=False,
    begins=of_patron,
    locks=patron_locked,
    refusals=_refusals,
    refuses_at_once=True,
    drafted=_drafted,
    steps=(
        Step(
            "proposed",
            done="Proposed",
            do="Propose",
            by=_PROPOSERS,
            at=None,
            needs_reason=True,
            reason_label="How you verified it",
            attests="I certify that I verified this account with the bank, that it belongs to "
            "the patron named on this slip, and that the patron requested this change.",
        ),
        Step(
            "approved",
            done="Approved",
            do="Approve",
            why=BY_ANOTHER,
            by=Role.CAGE_MANAGER,
            at=None,
            attests="I certify that I compared this account with the patron's file and that they "
            "agree. I approve it for markers issued from now on. Markers issued before are not "
            "changed.",
            then="bank_account_in_use",
        ),
    ),
    void=(
        Step(
            "refused",
            done="Declined",
            do="Decline",
            by=_PROPOSERS,
            at=None,
            may_repeat="proposed",
            needs_reason=True,
            attests="I decline this bank account for the reason I entered. Markers remain drawn on "
            "the account approved before.",
            then="slip_voided",
        ),
    ),
    effects={"bank_account_in_use": _in_use},
    readers=CREDIT_LINE.readers,
    promises=(Promise(2, 1),),
    paper=Form(
        parts=(Part("Original", "Into the patron's credit file, kept by the cage."),),
        shows=Shows.FACTS,
        caption="Patron credit",
    ),
    tells=_tells,
    heading=lambda raising: f"Bank account of {patron_of(raising)}",
    raised=lambda slip: f"{slip.serial} proposed. A cage manager approves it.",
    goes_on=to_patron,
)
