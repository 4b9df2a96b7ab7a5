"""Tax papers: prepared while a win is reviewed, signed by the person who won.

They run beside the slip of the win and stop nothing but its payment.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, Final

from django.db import models
from django.shortcuts import get_object_or_404
from django.urls import reverse

from inventory.kinds.of_a_patron import of_chosen_patron, patron_of, patron_search
from inventory.models import Patron
from inventory.selectors.patrons import identity_documents, patrons_named
from inventory.services.patrons import lock_patron
from jackpots.models import Jackpot
from jackpots.selectors.jackpots import jackpots
from jackpots.selectors.tax_papers import tax_panel, tells_of, writes_of
from jackpots.services.big_wins import identical_to
from jackpots.services.hits import newest_figure
from jackpots.services.tax_lines import tax_rules
from jackpots.services.tax_papers import (
    WinnerClaim,
    claims_of,
    close_due,
    covered_by,
    day_of,
    drafted_papers,
    outdated_refusals,
    plan_facts,
    preparing_refusals,
    tax_working,
    won_cents,
)
from jackpots.services.winners import keep_winners, win_refusals
from pitboss.middleware import PitRequest
from pitboss.models import Signature, Slip
from pitboss.paper.forms import Form, Part, Shows
from pitboss.rules.cheques.cheques import read_money
from pitboss.rules.floor.fields import Each, Words, Yes
from pitboss.rules.floor.urgency import Urgency
from pitboss.rules.flows.flows import PlanFacts, Promise, Readers, SlipStatus, Step
from pitboss.rules.patrons.exclusion import Moment
from pitboss.rules.patrons.patron_reads import reads
from pitboss.rules.payouts.big_wins import BIG_WIN
from pitboss.rules.payouts.jackpot_flows import JACKPOT
from pitboss.rules.refusal import CONFLICT, Refusal, Refused, refuse
from pitboss.rules.roles import AT_THE_CAGE, KEEPING_BOOKS, SUPERVISING, Role
from pitboss.rules.tax.papers import (
    TAX_PAPERS,
    WINNERS_MAX,
    Declaration,
    house_decides,
    treatment_of,
    winner_signs,
)
from pitboss.rules.tax.win import Nonresident
from pitboss.services import house
from pitboss.services.drafts import NewSlip
from pitboss.slips.addresses import new_url, own_url, row_id
from pitboss.slips.kind import Kind, Look, Raising
from pitboss.views.forms import new_request_id

_PREPARE: Final = (Role.SUPERVISOR, Role.CASHIER)
_OFFICE: Final = (Role.ACCOUNTING, Role.COMPLIANCE)
_ENTERED: Final = ("id_first", "id_second", "w9", "w8ben", "treatment", "lives_in_state")


def _win(raising: Raising) -> Jackpot:
    win: Jackpot = raising.given["win"]
    return win


def _serial(raising: Raising) -> str:
    return _win(raising).slip.serial


def _begins(request: PitRequest, raising: Raising) -> Raising:
    """Return papers of the win that their address names, with the person who was chosen so far."""
    win = get_object_or_404(jackpots(), slip=raising.original)
    begun = of_chosen_patron(request, replace(raising, given={**raising.given, "win": win}))
    if "patron" not in begun.given:
        return begun
    others = _others(request, patron_of(begun))
    also = ",".join(str(other.pk) for other in others)
    return replace(
        begun, given={**begun.given, "others": others}, named={**begun.named, "also": also}
    )


def _others(request: PitRequest, paid: Patron) -> list[Patron]:
    """Return who shares the win beside the person who is paid, in the order they were named."""
    given = request.POST if "also" in request.POST else request.GET
    named = [row_id(part) for part in given.get("also", "").split(",")]
    keys = [item for item in named if item is not None][:WINNERS_MAX]
    found = Patron.objects.in_bulk(keys)
    return [found[key] for key in dict.fromkeys(keys) if key in found and key != paid.pk]


def _chooses(request: PitRequest, raising: Raising) -> Look | None:
    """Look the winner up first."""
    if "patron" in raising.given:
        return None
    address = reverse("slip-new", args=[TAX_PAPERS])
    return patron_search(request, address, {"of": _serial(raising)})


def _identical(win: Jackpot) -> list[Jackpot]:
    """Return other bets of the round that are the same wager if the same person made them."""
    others = [jackpot for jackpot in identical_to(win) if jackpot.pk != win.pk]
    return [other for other in others if not other.tax_forms.exists()]


def _read(raising: Raising) -> Raising:
    """Return the winners as they were entered, and their other bets. Raises Refused."""
    covers = raising.given.get("covers", {})
    same = [jackpot for jackpot in _identical(_win(raising)) if str(jackpot.slip_id) in covers]
    claims = _claims(raising, won_cents([_win(raising), *same]))
    return replace(raising, given={**raising.given, "claims": claims, "same": same})


def _claims(raising: Raising, award_cents: int) -> list[WinnerClaim]:
    """Return each winner's part; alone, the person who is paid gets all of it. Raises Refused."""
    given, paid, others = raising.given, patron_of(raising), raising.given["others"]
    shares = given.get("share", {})
    documents = [row_id(given.get(name, "")) for name in ("id_first", "id_second")]
    first = WinnerClaim(
        patron_id=paid.pk,
        share_cents=_share(shares, paid) if others else award_cents,
        document_ids=tuple(document for document in documents if document is not None),
        signs_w9="w9" in given,
        signs_w8ben="w8ben" in given,
        is_state_resident={"yes": True, "no": False}.get(given.get("lives_in_state", "")),
        treatment=treatment_of(given.get("treatment", "")),
    )
    return [first, *(WinnerClaim(other.pk, _share(shares, other)) for other in others)]


def _share(shares: Mapping[str, str], winner: Patron) -> int:
    cents = read_money(shares.get(str(winner.pk), "").strip() or "0")
    if cents is None:
        raise refuse("bad_amount", "Amount isn’t valid. Enter dollars, like 3,000.")
    return cents


def _claimed(raising: Raising) -> tuple[Jackpot, Sequence[WinnerClaim], Sequence[Jackpot]]:
    return _win(raising), raising.given["claims"], raising.given["same"]


def _drafted(raising: Raising) -> NewSlip:
    return drafted_papers(*_claimed(raising))


def _locks(raising: Raising) -> Raising:
    for patron_id in sorted(claim.patron_id for claim in raising.given["claims"]):
        lock_patron(patron_id)
    return raising


def _refusals(raising: Raising) -> list[Refusal]:
    """Return why these papers may not be prepared, someone who is not on file included."""
    assert raising.original is not None, "papers are about a win"
    win, claims, same = _claimed(raising)
    try:
        raising.new()
    except Refused as refused:
        return list(refused.refusals)
    return preparing_refusals(win, claims, raising.original, same)


def _facts(raising: Raising) -> PlanFacts:
    return plan_facts(*_claimed(raising))


def _complete(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """Let the win be paid, as far as its papers go."""
    assert slip.refers_to is not None
    win = Jackpot.objects.select_related("slip").get(slip=slip.refers_to)
    if win.slip.status != SlipStatus.OPEN.value:
        raise refuse("slip_closed", f"{win.slip} is no longer open. Void these forms.", CONFLICT)
    refusals = outdated_refusals(win, slip, at)
    if refusals:
        raise Refused(refusals)
    winners = {claim.patron_id for claim in claims_of(slip)}
    stops = win_refusals(win.slip, winners, Moment.TAX_FORM, at, Role(signature.role))
    if stops:
        raise Refused(stops)
    keep_winners(win.slip, winners, Moment.TAX_FORM, at)
    for jackpot in (win, *covered_by(slip)):
        close_due(jackpot.slip, signature.person, f"Complete on {slip.serial}.", at)
    return []


def _matches(slip: Slip, document_id: int) -> str:
    """Return an ID that the papers name, in words, or nothing when it is no such one."""
    paid = slip.details["winners"][0]
    named: Mapping[int, str] = dict(zip(paid["documents"], paid["ids"], strict=True))
    return named.get(document_id, "")


def _reads(slip: Slip) -> Mapping[str, Any]:
    """Return what the winner signs: the net amount first, then the win, its tax and the words."""
    paid = slip.details["winners"][0]
    kept = {
        "Federal tax withheld": paid["federal_cents"],
        "State tax withheld": paid["state_cents"],
        "Local tax withheld": paid.get("local_cents", 0),
    }
    net_cents = paid["share_cents"] - sum(kept.values())
    words = [Declaration(declaration).text for declaration in slip.details["declarations"]]
    known = Patron.objects.filter(pk=paid["patron"])
    language = known.values_list("language", flat=True).first()
    return {
        **reads(net_cents, words, "You receive", language or ""),
        "lines": [("Win", paid["share_cents"]), *((k, v) for k, v in kept.items() if v)],
    }


def _look(request: PitRequest, raising: Raising, refused: Refused | None) -> Look:
    """Ask which IDs the winner shows, what they sign, and who shares the win."""
    given = request.POST if refused else request.GET
    win, patron, others = _win(raising), patron_of(raising), raising.given["others"]
    now, award_cents = house.now(), newest_figure(win).award_cents
    asked = request.GET.get("q", "").replace("\x00", "")[:80]
    rules = tax_rules(now)
    state = rules.tables(day_of(now)).state_on(rules.state, day_of(now)) if rules.state else None
    is_foreign = patron.tax_country != "US"
    also = ",".join(str(other.pk) for other in others)
    return "jackpots/tax_papers.html", {
        "url": own_url(raising),
        "search_url": reverse("slip-new", args=[TAX_PAPERS]),
        "serial": _serial(raising),
        "request_id": new_request_id(),
        "award_cents": award_cents,
        "working": tax_working(win, award_cents, now),
        "patron": patron,
        "winners": [
            {"patron": other, "share": given.get(f"share_{other.pk}", "")}
            for other in (patron, *others)
        ],
        "also": also,
        "identical": [
            {
                "name": f"covers_{jackpot.slip_id}",
                "label": f"{jackpot.slip.serial}, seat {jackpot.seat}",
                "cents": newest_figure(jackpot).award_cents,
                "is_chosen": f"covers_{jackpot.slip_id}" in given,
            }
            for jackpot in _identical(win)
        ],
        "asked": asked,
        "found": [
            {
                "name": item.full_name,
                "url": new_url(
                    TAX_PAPERS,
                    of=_serial(raising),
                    patron=patron.pk,
                    also=f"{also},{item.pk}".lstrip(","),
                ),
            }
            for item in patrons_named(asked)
            if item not in (patron, *others)
        ],
        "paper_url": reverse("patron-paper", args=[patron.pk]),
        "edit_url": reverse("patron-edit", args=[patron.pk]),
        "documents": [
            {"id": document.pk, "label": f"{str(document).capitalize()} {document.issuer}".strip()}
            for document in identity_documents(patron, day_of(now)).defer("content_cipher")
        ],
        "keyed": {name: given.get(name, "") for name in _ENTERED},
        "is_foreign": is_foreign,
        "asks_treatment": is_foreign and rules.nonresident is Nonresident.ASK,
        "treatments": (("exempt", "Exempt, as blackjack"), ("withhold_30", "Taxed")),
        "asks_state": rules.state if state and state.only_nonresidents_of_state else "",
    }


TAX_PAPERS_KIND = Kind(
    TAX_PAPERS,
    title="Tax forms",
    series="TX",
    open_to=SUPERVISING | AT_THE_CAGE,
    lit_by="jackpots",
    refers_to=(JACKPOT, BIG_WIN),
    must_refer=True,
    begins=_begins,
    chooses=_chooses,
    locks=_locks,
    asked=(
        Words(name="id_first", label="First identification", most=20, is_needed=False),
        Words(name="id_second", label="Second identification", most=20, is_needed=False),
        Yes(name="w9", label="Signs a W-9"),
        Yes(name="w8ben", label="Signs a W-8BEN"),
        Words(name="treatment", label="Treatment", most=20, is_needed=False),
        Words(name="lives_in_state", label="Lives in the state", most=3, is_needed=False),
        Each(name="share", label="Parts", is_needed=False),
        Each(name="covers", label="Also won", is_needed=False),
    ),
    becomes=_read,
    drafted=_drafted,
    refusals=_refusals,
    facts=_facts,
    shows_unneeded=False,
    urgency=Urgency.FORM,
    steps=(
        Step(
            "papers_prepared",
            done="Forms prepared",
            do="Prepare forms",
            by=_PREPARE,
            at=None,
            attests="I certify that I saw the winner and their identification and that the "
            "information shown agrees with it.",
        ),
        Step(
            "treatment_decided",
            done="Treatment decided",
            do="Decide",
            by=Role.SHIFT_MANAGER,
            at=None,
            when=house_decides,
            needs_reason=True,
            attests="On behalf of the casino, I determine that this win is taxed as shown.",
        ),
        Step(
            "winner_signed",
            done="Winner signed",
            do="Winner signs",
            by=_PREPARE,
            at=None,
            when=winner_signs,
            may_repeat="papers_prepared",
            drawn=True,
            attests="I certify that the winner read the declaration and signed it in my "
            "presence, and that their face matches the ID.",
        ),
    ),
    void=(
        Step(
            "papers_voided",
            done="Forms voided",
            do="Void the forms",
            by=_PREPARE,
            at=None,
            may_repeat="papers_prepared",
            needs_reason=True,
            attests="I void these forms. I certify that nothing was issued on them.",
        ),
        Step(
            "void_agreed",
            done="Void agreed",
            do="Agree to void",
            by=(Role.PIT_MANAGER, Role.CAGE_MANAGER, *_OFFICE),
            at=None,
            attests="I investigated the reason for this void and agree with it.",
            then="slip_voided",
        ),
    ),
    at_end="tax_papers_complete",
    effects={"tax_papers_complete": _complete},
    readers=Readers(
        SUPERVISING | AT_THE_CAGE | KEEPING_BOOKS | {Role.COMPLIANCE}, names_patron=True
    ),
    # They move no money: the win that they are about does.
    promises=(Promise(1, 1), Promise(2, 1, having="treatment_decided")),
    paper=Form(
        parts=(
            Part("Original", "To accounting with the form that goes out on it."),
            Part("Duplicate", "To the winner."),
        ),
        refers_as="For",
        referred_as="Tax forms",
        shows=Shows.FACTS,
        caption="Tax",
    ),
    look=_look,
    heading=lambda raising: (
        f"Tax forms for {_serial(raising)}" if "patron" in raising.given else "Tax forms: who won"
    ),
    review=lambda raising, new: {"panel": tax_panel(new.details)},
    raised=lambda slip: f"{slip.serial} prepared.",
    writes=writes_of,
    tells=tells_of,
    matches=_matches,
    reads=_reads,
)
