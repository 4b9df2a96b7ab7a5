"""The tax form of a win that was paid on paper: who won, and what was withheld, as it was written.

The winner signed the form in the outage. What it says was withheld is what the W-2G says; what the
law wants otherwise is an item for accounting.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any, Final

from django.db import models
from django.shortcuts import get_object_or_404
from django.urls import reverse

from inventory.kinds.of_a_patron import of_chosen_patron, patron_locked, patron_of, patron_search
from inventory.models import Patron
from inventory.selectors.patrons import identity_documents
from inventory.services.cash_log import log_cash
from inventory.services.exclusion import Compared, keep_comparison
from inventory.services.patrons import lock_patron
from jackpots.kinds.tax_papers import TAX_PAPERS_KIND
from jackpots.models import Jackpot, JackpotPayment
from jackpots.selectors.jackpots import jackpots
from jackpots.selectors.tax_papers import tax_panel, writes_of
from jackpots.services.papers import PapersStanding
from jackpots.services.tax_forms import issue_forms
from jackpots.services.tax_papers import (
    Reckoned,
    WinnerClaim,
    claims_of,
    close_due,
    complete_papers,
    day_of,
    details_of_papers,
    open_papers,
    reckon_papers,
)
from pitboss.middleware import PitRequest
from pitboss.models import Signature, Slip
from pitboss.rules.cheques.cheques import format_money
from pitboss.rules.day.late_papers import LATE_TAX, LATE_WINS
from pitboss.rules.day.win import PayoutSource
from pitboss.rules.floor.fields import Money, Pick, Words, Yes
from pitboss.rules.flows.flows import Readers
from pitboss.rules.patrons.cash_log import CashKind
from pitboss.rules.patrons.exclusion import Moment
from pitboss.rules.refusal import CONFLICT, Refusal, Refused
from pitboss.rules.roles import AT_THE_CAGE, KEEPING_BOOKS, SUPERVISING, Role
from pitboss.rules.tax.papers import treatment_of
from pitboss.services.drafts import NewSlip
from pitboss.services.exceptions import LATE_TAX_DIFFERS, open_exception
from pitboss.slips.addresses import row_id
from pitboss.slips.fields import drawn
from pitboss.slips.kind import Look, Raising
from pitboss.slips.late import (
    FROM_PAPER,
    entered_time,
    form_entered,
    on_paper,
    paper_details,
    paper_refusals,
    true_time_of,
)
from tables.kinds.late_page import closed_day, late_kind, late_look, late_tells

_WITHHELD: Final = {
    "federal": ("federal_cents", "Federal tax withheld ($)"),
    "state": ("state_cents", "State tax withheld ($)"),
    "local": ("local_cents", "Local tax withheld ($)"),
}
_RESIDENT: Final = {"yes": "Lives in the state", "no": "Lives elsewhere"}
_TREATMENTS: Final = {"exempt": "Exempt, as blackjack", "withhold_30": "Taxed"}


def _win(raising: Raising) -> Jackpot:
    win: Jackpot = raising.given["win"]
    return win


def _begins(request: PitRequest, raising: Raising) -> Raising:
    """Return the form of the win that its address names, with the patron who was chosen so far."""
    win = get_object_or_404(jackpots(), slip=raising.original)
    return of_chosen_patron(request, replace(raising, given={**raising.given, "win": win}))


def _chooses(request: PitRequest, raising: Raising) -> Look | None:
    if "patron" in raising.given:
        return None
    address = reverse("slip-new", args=[LATE_TAX])
    return patron_search(request, address, {"of": _win(raising).slip.serial})


def _paid_on(win: Jackpot) -> datetime:
    return true_time_of(win.slip)


def _payment(win: Jackpot) -> JackpotPayment:
    return JackpotPayment.objects.get(jackpot=win)


def _claim(raising: Raising) -> WinnerClaim:
    given, patron = raising.given, patron_of(raising)
    documents = [row_id(given.get(name, "")) for name in ("id_first", "id_second")]
    return WinnerClaim(
        patron_id=patron.pk,
        share_cents=_payment(_win(raising)).award_cents,
        document_ids=tuple(document for document in documents if document is not None),
        signs_w9=given.get("w9", False),
        signs_w8ben=given.get("w8ben", False),
        is_state_resident={"yes": True, "no": False}.get(given.get("lives", "")),
        treatment=treatment_of(given.get("treatment", "")),
    )


def _as_written(reckoned: Reckoned, written: Mapping[str, int]) -> Reckoned:
    """Return papers with what was withheld on paper in place of what the law has."""
    (part,), (winner,) = reckoned.parts, reckoned.winners
    stored = {key: cents for key, cents in written.items() if cents or key in winner}
    kept = replace(
        part,
        federal_cents=written["federal_cents"],
        state_cents=written["state_cents"],
        local_cents=written["local_cents"],
    )
    return Reckoned((kept,), ({**winner, **stored},))


def _written(raising: Raising) -> dict[str, int]:
    return {key: raising.given.get(name, 0) for name, (key, _) in _WITHHELD.items()}


def _drafted(raising: Raising) -> NewSlip:
    win = _win(raising)
    lawful = reckon_papers(win, [_claim(raising)], _paid_on(win))
    details = details_of_papers(
        win, _as_written(lawful, _written(raising)), _payment(win).award_cents
    )
    return NewSlip(
        LATE_TAX,
        win.slip.table_id,
        {},
        win.slip_id,
        details={
            **details,
            "what": "tax",
            "lawful_cents": lawful.withheld_cents,
            **paper_details(raising),
        },
        happened_at=entered_time(raising),
    )


def _refusals(raising: Raising) -> list[Refusal]:
    """Return why a tax form may not be entered: every reason."""
    win, written = _win(raising), sum(_written(raising).values())
    paper, slip = raising.kind.on_paper, win.slip
    assert paper is not None, "it is entered from a form"
    refusals = [*paper_refusals(raising, paper.code), *closed_day(raising)]
    waiting = open_papers(slip) or complete_papers(slip)
    if waiting is not None:
        refusals.append(
            Refusal("already_prepared", f"{waiting} is the tax form of {slip}. Open that one.")
        )
    withheld = _payment(win).withheld_cents
    if withheld != written:
        refusals.append(
            Refusal(
                "withheld_differs",
                f"{slip} says {format_money(withheld)} was withheld, this form says "
                f"{format_money(written)}. Check both.",
                CONFLICT,
            )
        )
    try:
        (winner,) = raising.new().details["winners"]
    except Refused as refused:
        return [*refusals, *refused.refusals]
    if not winner["form"]:
        refusals.append(
            Refusal(
                "no_form_owed",
                f"{slip} owes no tax form for this winner. Check the slip and the winner.",
            )
        )
    return refusals


def _posted(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """Issue the form as it was written, on the day on which the win was paid."""
    assert slip.refers_to is not None, "a tax form is of a win"
    win = Jackpot.objects.select_related("slip__table").get(slip=slip.refers_to)
    patron, (paid,) = lock_patron(slip.details["patron"]), slip.details["winners"]
    written = {key: paid.get(key, 0) for key, _ in _WITHHELD.values()}
    reckoned = _as_written(reckon_papers(win, claims_of(slip), _paid_on(win)), written)
    papers = PapersStanding(
        withheld_cents=reckoned.withheld_cents,
        slip=slip,
        parts=reckoned.parts,
        patron_id=patron.pk,
    )
    # It was paid on paper: nothing is stopped, but the case opens.
    keep_comparison(Compared(patron, Moment.TAX_FORM, at, slip.table, slip), is_past=True)
    logged = _logged(win, patron, slip, signature)
    forms = issue_forms(win, papers, signature, _paid_on(win))
    close_due(win.slip, signature.person, f"Complete on {slip.serial}.", at)
    off = reckoned.withheld_cents - slip.details["lawful_cents"]
    if off:
        open_exception(
            code=LATE_TAX_DIFFERS,
            sentence=(
                f"{slip.serial}: {format_money(off)} too much was withheld on paper. "
                if off > 0
                else f"{slip.serial}: {format_money(-off)} too little was withheld on paper. "
            )
            + "Correct the tax form, or settle it with the winner.",
            details={"off_cents": off},
            at=at,
            person=None,
            table=slip.table,
            slip=slip,
        )
    return [*logged, *forms, *form_entered(slip, at)]


def _logged(win: Jackpot, patron: Patron, slip: Slip, signature: Signature) -> list[models.Model]:
    """Log what the cage handed out, in the sums of its own day: now it is known to whom."""
    payment = _payment(win)
    if PayoutSource(payment.source) is not PayoutSource.CAGE or not payment.paid_cents:
        return []
    return log_cash(
        patron=patron,
        kind=CashKind.JACKPOT,
        amount_cents=payment.paid_cents,
        slip=slip,
        signature=signature,
        at=_paid_on(win),
    )


def _look(request: PitRequest, raising: Raising, refused: Refused | None) -> Look:
    """Ask for the form, its IDs among those that are on file."""
    template, page = late_look(request, raising, refused)
    given = request.POST if refused else request.GET
    patron = patron_of(raising)
    known = identity_documents(patron, day_of(_paid_on(_win(raising)))).defer("content_cipher")
    ids = {
        str(
            patron_document.pk
        ): f"{str(patron_document).capitalize()} {patron_document.issuer}".strip()
        for patron_document in known
    }
    fields = [
        drawn(Pick(name=field["name"], label=field["label"], choices=ids, is_needed=False), given)
        if field["name"] in ("id_first", "id_second")
        else field
        for field in page["fields"]
    ]
    return template, {**page, "fields": fields, "patron": str(patron)}


def _review(raising: Raising, new: NewSlip) -> dict[str, Any]:
    return {"panel": tax_panel(new.details)}


def _tells(slip: Slip) -> dict[str, Any]:
    return {**late_tells(slip), "written": [*late_tells(slip)["written"], *writes_of(slip)]}


LATE_TAX_KIND = late_kind(
    LATE_TAX,
    title="Late tax forms",
    refers_to=tuple(sorted(LATE_WINS)),
    must_refer=True,
    offers="Enter the tax form…",
    begins=_begins,
    chooses=_chooses,
    locks=patron_locked,
    asked=(
        Words(name="id_first", label="First identification", most=20, is_needed=False),
        Words(name="id_second", label="Second identification", most=20, is_needed=False),
        Yes(name="w9", label="Signed a W-9"),
        Yes(name="w8ben", label="Signed a W-8BEN"),
        Pick(name="lives", label="Resident", choices=_RESIDENT, is_needed=False),
        Pick(name="treatment", label="Treatment", choices=_TREATMENTS, is_needed=False),
        *(
            Money(name=name, label=label, is_needed=False, may_be_none=True)
            for name, (_, label) in _WITHHELD.items()
        ),
        *FROM_PAPER,
    ),
    refusals=_refusals,
    drafted=_drafted,
    posted=_posted,
    readers=Readers(
        SUPERVISING | AT_THE_CAGE | KEEPING_BOOKS | {Role.COMPLIANCE}, names_patron=True
    ),
    look=_look,
    review=_review,
    writes=writes_of,
    tells=_tells,
    heading=lambda raising: f"Tax form of {_win(raising).slip.serial}",
    on_paper=on_paper(
        "TX",
        TAX_PAPERS_KIND,
        writes=(
            "Win, form number",
            "Winner, address",
            "Taxpayer number",
            "Identification",
            "Withheld: federal, state, local",
        ),
        has_cheques=False,
    ),
)
