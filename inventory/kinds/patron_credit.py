"""A patron's credit: a line granted by two, a stop by one that holds at once, its end by two.

No one of the pit proposes a line: a person who lends at a table does not say how much may be lent.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Final

from django.db import models
from django.urls import reverse

from inventory.kinds.of_a_patron import (
    DollarAmount,
    of_patron,
    patron_locked,
    patron_of,
    to_patron,
)
from inventory.models import CreditLine, Patron, PatronDocument, PatronStanding
from inventory.selectors.credit import found_of, standing_of
from inventory.selectors.patrons import (
    account_of,
    account_words,
    identity_documents,
    newest_document,
)
from inventory.services.patrons import lock_patron
from pitboss.middleware import PitRequest
from pitboss.models import Signature, Slip
from pitboss.paper.forms import Form, Part, Shows
from pitboss.rules.cheques.cheques import format_money
from pitboss.rules.floor.fields import DayAndTime, Pick
from pitboss.rules.flows.flows import BY_ANOTHER, Need, Promise, Readers, SlipStatus, Step
from pitboss.rules.patrons.credit_line import AMOUNT_MAX_CENTS
from pitboss.rules.patrons.patrons import DocumentKind, Standing
from pitboss.rules.refusal import CONFLICT, Refusal, Refused, refuse
from pitboss.rules.roles import AT_THE_CAGE, KEEPING_BOOKS, SUPERVISING, Role
from pitboss.services import house
from pitboss.services.drafts import NewSlip
from pitboss.services.journal import plain_time
from pitboss.services.signing import set_status
from pitboss.slips.addresses import own_url
from pitboss.slips.kind import Kind, Look, Raising
from pitboss.views.forms import new_request_id

_PROPOSERS: Final = (Role.CASHIER, Role.CAGE_MANAGER, Role.ACCOUNTING)
_APPROVERS: Final = (Role.CAGE_MANAGER, Role.SHIFT_MANAGER)
_STOPPERS: Final = (
    Role.SUPERVISOR,
    Role.PIT_MANAGER,
    Role.SHIFT_MANAGER,
    Role.CASHIER,
    Role.CAGE_MANAGER,
    Role.SECURITY_MANAGER,
    Role.COMPLIANCE,
)
_CONFIRMERS: Final = (Role.SHIFT_MANAGER, Role.CAGE_MANAGER, Role.COMPLIANCE)
_FILE: Final = Form(
    parts=(Part("Original", "Into the patron's credit file, kept by the cage."),),
    shows=Shows.FACTS,
    caption="Patron credit",
)
_LINES: Final = {"permanent": "Permanent", "temporary": "Temporary, on top"}


def _back(raising: Raising) -> dict[str, str]:
    patron = patron_of(raising)
    return {"url": reverse("patron", args=[patron.pk]), "label": str(patron)}


def _waiting(raising: Raising) -> list[Refusal]:
    patron = patron_of(raising)
    waiting = Slip.objects.filter(
        kind=raising.kind.kind, status=SlipStatus.OPEN, details__patron=patron.pk
    ).first()
    if waiting is None:
        return []
    return [
        Refusal("already_proposed", f"{waiting} is pending for {patron}. Sign or decline it first.")
    ]


def _ends(raising: Raising) -> datetime | None:
    """Return when a line ends, by the clock of the house."""
    if "until" not in raising.given:
        return None
    at = datetime.fromisoformat(raising.given["until"])
    return at if at.tzinfo else at.replace(tzinfo=house.the_property().zone)


def _account(patron: Patron) -> PatronDocument | None:
    """Return the account in use; before the first line, the one that is approved with it."""
    return account_of(patron) or newest_document(patron, DocumentKind.BANK_ACCOUNT)


def _drafted_line(raising: Raising) -> NewSlip:
    """Draft a line; it holds from when it is approved."""
    patron, ends = patron_of(raising), _ends(raising)
    line, cents = raising.given["line"], raising.given["amount"]
    account = _account(patron)
    says = [["Patron", patron.full_name], ["Line", f"{format_money(cents)}, {line}"]]
    if ends is not None:
        local = ends.astimezone(house.the_property().zone)
        says.append(["Ends", f"{local:%a, %b %-d, %Y, %H:%M}"])
    says.append(["Bank", account_words(account) or "none on file"])
    return NewSlip(
        raising.kind.kind,
        None,
        {},
        details={
            "about": f"{patron}, {format_money(cents)}",
            "says": says,
            "patron": patron.pk,
            "line": line,
            "amount_cents": cents,
            "holds_until": plain_time(ends) if ends else None,
            "bank_account": account.pk if account else None,
        },
    )


def _line_refusals(raising: Raising) -> list[Refusal]:
    patron, now = patron_of(raising), house.now()
    refusals = [*_waiting(raising), *_ends_refusals(raising, now)]
    if not 0 <= raising.given["amount"] <= AMOUNT_MAX_CENTS:
        refusals.append(Refusal("bad_amount", "A credit line must be $0 or more. Enter it again."))
    if not identity_documents(patron, house.period_at(now).gaming_day).exists():
        refusals.append(
            Refusal("no_identity", f"No valid ID of {patron} is on file. Add one first.")
        )
    if not patron.address_lines:
        refusals.append(Refusal("no_address", f"Add {patron}’s address first."))
    return refusals


def _ends_refusals(raising: Raising, now: datetime) -> list[Refusal]:
    ends = _ends(raising)
    if raising.given["line"] == CreditLine.Kind.PERMANENT:
        if ends is not None:
            return [Refusal("line_ends", "A permanent line has no end. Propose a temporary one.")]
        return []
    if ends is None or ends <= now:
        return [Refusal("line_ends", "Enter when a temporary line ends. It must be in the future.")]
    return []


def _line_granted(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """Let an approved line hold. Raises Refused when its end has come meanwhile."""
    details = slip.details
    patron = lock_patron(details["patron"])
    ends = datetime.fromisoformat(details["holds_until"]) if details["holds_until"] else None
    if ends is not None and ends <= at:
        raise refuse("line_ends", "This line has already ended. Decline it, and propose another.")
    account = PatronDocument.objects.filter(pk=details["bank_account"]).first()
    if account_of(patron) not in (None, account):
        raise refuse(
            "bank_changed",
            "Another bank account was approved while this was pending. Decline this line, and "
            "propose it again.",
            CONFLICT,
        )
    return [
        CreditLine.objects.create(
            patron=patron,
            kind=details["line"],
            amount_cents=details["amount_cents"],
            holds_from=at,
            holds_until=ends,
            bank_account=account,
            slip=slip,
        )
    ]


def _line_look(request: PitRequest, raising: Raising, refused: Refused | None) -> Look:
    given = request.POST if refused else request.GET
    return "inventory/credit_line.html", {
        "url": own_url(raising),
        "request_id": new_request_id(),
        "found": found_of(patron_of(raising)),
        "keyed": {name: given.get(name, "") for name in ("line", "amount", "until")},
    }


_REFUSED: Final = Step(
    "refused",
    done="Refused",
    do="Refuse",
    by=_APPROVERS,
    at=None,
    may_repeat="proposed",
    needs_reason=True,
    attests="I decline this credit line. Nothing is changed by this slip.",
    then="slip_voided",
)

CREDIT_LINE = Kind(
    "credit_line",
    title="Credit line",
    series="CL",
    open_to=AT_THE_CAGE | {Role.ACCOUNTING},
    lit_by="markers",
    at_a_table=False,
    begins=of_patron,
    locks=patron_locked,
    asked=(
        Pick(name="line", label="Kind of line", choices=_LINES),
        DollarAmount(name="amount", label="Amount in dollars"),
        DayAndTime(name="until", label="Ends, if temporary", is_needed=False),
    ),
    refusals=_line_refusals,
    drafted=_drafted_line,
    steps=(
        Step(
            "proposed",
            done="Proposed",
            do="Propose",
            by=_PROPOSERS,
            at=None,
            needs_reason=True,
            reason_label="What it is based on",
            attests="I checked the patron's identity, bank, and credit history, and I propose "
            "this credit line.",
        ),
        Step(
            "approved",
            done="Approved",
            do="Approve",
            why=BY_ANOTHER,
            by=_APPROVERS,
            at=None,
            attests="I reviewed the patron's file and approve this credit line.",
            then="credit_line_granted",
        ),
    ),
    void=(_REFUSED,),
    effects={"credit_line_granted": _line_granted},
    readers=Readers(
        SUPERVISING | AT_THE_CAGE | KEEPING_BOOKS | {Role.COMPLIANCE}, names_patron=True
    ),
    promises=(Promise(2, 1),),
    paper=_FILE,
    look=_line_look,
    heading=lambda raising: f"Line of {patron_of(raising)}",
    back=_back,
    raised=lambda slip: f"{slip.serial} proposed. Another person approves it.",
)


def _standing(raising: Raising) -> Standing:
    return Standing(raising.given["standing"])


def _stop_begins(request: PitRequest, raising: Raising) -> Raising:
    """Return the stop that the address asks for; ?standing= says how."""
    asked = request.GET.get("standing", "")
    standing = asked if asked in tuple(Standing) else Standing.SUSPENDED.value
    return of_patron(
        request,
        replace(
            raising,
            given={**raising.given, "standing": standing},
            named={**raising.named, "standing": standing},
        ),
    )


def _drafted_standing(raising: Raising) -> NewSlip:
    patron = patron_of(raising)
    standing = _standing(raising) if "standing" in raising.given else Standing.CLEAR
    return NewSlip(
        raising.kind.kind,
        None,
        {},
        details={
            "about": f"{patron}, {standing.label}",
            "says": [["Patron", patron.full_name], ["From now on", standing.label]],
            "patron": patron.pk,
            "standing": standing.value,
        },
    )


def _stop_refusals(raising: Raising) -> list[Refusal]:
    patron, standing = patron_of(raising), _standing(raising)
    refusals = _waiting(raising)
    if standing == Standing.CLEAR:
        refusals.append(Refusal("standing_unknown", "Choose how the patron's credit is stopped."))
    if standing_of(patron) == standing:
        refusals.append(
            Refusal(
                "nothing_changes",
                f"{patron} is already {standing_of(patron).label}. Choose something else.",
            )
        )
    return refusals


def _restore_refusals(raising: Raising) -> list[Refusal]:
    patron = patron_of(raising)
    refusals = _waiting(raising)
    if standing_of(patron) == Standing.CLEAR:
        refusals.append(
            Refusal(
                "nothing_changes",
                f"The credit of {patron} isn’t stopped. There is nothing to restore.",
            )
        )
    return refusals


def _stopped(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    return [_stands(slip, Standing(slip.details["standing"]), at)]


def _taken_back(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """Let the patron stand as they stood before this stop."""
    lock_patron(slip.details["patron"])
    set_status(slip, SlipStatus.VOIDED)
    own = PatronStanding.objects.get(slip=slip)
    newest = PatronStanding.objects.filter(patron=own.patron_id).order_by("-id")[0]
    if newest.pk != own.pk:
        raise Refused([Refusal("standing_changed", "A newer entry is on file. Review it first.")])
    before = PatronStanding.objects.filter(patron=own.patron_id, pk__lt=own.pk).first()
    return [_stands(slip, Standing(before.standing) if before else Standing.CLEAR, at)]


def _restored(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    return [_stands(slip, Standing.CLEAR, at)]


def _stands(slip: Slip, standing: Standing, at: datetime) -> PatronStanding:
    patron = lock_patron(slip.details["patron"])
    return PatronStanding.objects.create(
        patron=patron, standing=standing.value, since=at, slip=slip
    )


# No cheque goes out after the first signature; the second says that it was right.
CREDIT_STOP = Kind(
    "credit_stop",
    title="Credit stopped",
    series="CS",
    open_to=SUPERVISING | AT_THE_CAGE | {Role.SECURITY_MANAGER, Role.COMPLIANCE},
    lit_by="markers",
    at_a_table=False,
    begins=_stop_begins,
    locks=patron_locked,
    refusals=_stop_refusals,
    drafted=_drafted_standing,
    steps=(
        Step(
            "credit_stopped",
            done="Credit stopped",
            do="Stop credit",
            by=_STOPPERS,
            at=None,
            needs_reason=True,
            attests="I stop this patron's credit, effective immediately.",
            then="credit_stopped",
        ),
        Step(
            "confirmed",
            done="Confirmed",
            do="Confirm",
            by=_CONFIRMERS,
            at=None,
            why=Need("Someone who wasn’t involved must confirm this. Check it yourself."),
            attests="I investigated this action and confirm that it is correct.",
        ),
    ),
    void=(
        Step(
            "taken_back",
            done="Reversed",
            do="Reverse",
            by=_CONFIRMERS,
            at=None,
            needs_reason=True,
            attests="I certify that this stop was in error. The patron's credit is restored.",
            then="credit_stop_taken_back",
        ),
    ),
    effects={"credit_stopped": _stopped, "credit_stop_taken_back": _taken_back},
    readers=Readers(
        SUPERVISING | AT_THE_CAGE | KEEPING_BOOKS | {Role.SECURITY_MANAGER, Role.COMPLIANCE},
        names_patron=True,
    ),
    promises=(Promise(2, 1),),
    paper=_FILE,
    heading=lambda raising: str(patron_of(raising)),
    back=_back,
    raised=lambda slip: f"{slip.serial} signed. A second person reviews it.",
    goes_on=to_patron,
)

CREDIT_RESTORE = Kind(
    "credit_restore",
    title="Credit restored",
    series="CS",
    open_to=CREDIT_LINE.open_to,
    lit_by="markers",
    at_a_table=False,
    begins=of_patron,
    locks=patron_locked,
    refusals=_restore_refusals,
    drafted=_drafted_standing,
    steps=(
        Step(
            "proposed",
            done="Proposed",
            do="Propose",
            by=_PROPOSERS,
            at=None,
            needs_reason=True,
            attests="I certify that the reason for stopping this patron's credit no longer "
            "applies and that the file shows it.",
        ),
        Step(
            "approved",
            done="Approved",
            do="Approve",
            why=BY_ANOTHER,
            by=_CONFIRMERS,
            at=None,
            attests="I reviewed the patron's file and approve issuing credit to this patron again.",
            then="credit_restored",
        ),
    ),
    void=(
        replace(
            _REFUSED,
            by=_CONFIRMERS,
            attests="I decline this request. The patron's credit stays stopped.",
        ),
    ),
    effects={"credit_restored": _restored},
    readers=CREDIT_LINE.readers,
    promises=(Promise(2, 1),),
    paper=_FILE,
    heading=lambda raising: str(patron_of(raising)),
    back=_back,
    raised=CREDIT_STOP.raised,
    goes_on=to_patron,
)
