"""Tax papers of a jackpot: opened with its entry, prepared beside its review, signed by the winner.

They stop nothing but the payment. What they say is reckoned again when the jackpot is paid: papers
on another award, by the rules of another year, or on a file that was changed since, are no papers.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from django.db import models
from django.db.models import QuerySet

from inventory.models import Patron
from inventory.selectors.patrons import identity_documents
from inventory.services.patrons import lock_patron
from jackpots.models import Jackpot
from jackpots.services.hits import newest_figure
from pitboss.models import FloorException, Person, Signature, Slip, Table
from pitboss.rules.cheques import format_money
from pitboss.rules.flows import PlanFacts, SlipStatus
from pitboss.rules.jackpot_flows import JACKPOT
from pitboss.rules.patrons import DocumentKind, TaxIdKind
from pitboss.rules.refusal import Refusal, Refused, refuse
from pitboss.rules.tax import Form, TaxAnswer, judge
from pitboss.rules.tax_flows import HOUSE_DECIDES, TAX_PAPERS, WINNER_SIGNS
from pitboss.rules.tax_house import HouseTax
from pitboss.rules.tax_papers import (
    Part,
    Winner,
    declarations,
    owes_papers,
    paper_refusals,
    parts_of,
)
from pitboss.rules.tax_win import Nonresident
from pitboss.services import house
from pitboss.services.effects import effect
from pitboss.services.exceptions import TAX_PAPERS as PAPERS_DUE
from pitboss.services.exceptions import mark_resolved, open_exception
from pitboss.services.hands import matches_id
from pitboss.services.signing import Judgement, NewSlip, Pen, raise_slip

_US_NUMBERS = (TaxIdKind.SSN.value, TaxIdKind.ITIN.value)


@dataclass(frozen=True, slots=True)
class Claim:
    """One winner as keyed: who, with what part, by which IDs, and what else they say."""

    patron_id: int
    share_cents: int
    document_ids: tuple[int, ...] = ()
    signs_w9: bool = False
    signs_w8ben: bool = False
    is_state_resident: bool | None = None
    treatment: Nonresident | None = None


@dataclass(frozen=True, slots=True)
class Reckoned:
    """Papers as the rules see them: each winner's part, and the words that the slip keeps."""

    parts: tuple[Part, ...]
    winners: tuple[dict[str, Any], ...]

    @property
    def withheld_cents(self) -> int:
        return sum(part.withheld_cents for part in self.parts)


def day_of(at: datetime) -> date:
    """Return the calendar day of an instant at the property: tax knows no gaming day."""
    return at.astimezone(house.the_property().zone).date()


def tax_on(jackpot: Jackpot, award_cents: int, at: datetime) -> TaxAnswer:
    """Return what a resident with a number would owe on a jackpot paid now, with the working."""
    rules = house.settings_at(at).tax
    win = rules.win(
        paid_on=day_of(at),
        wager_cents=jackpot.stake_cents,
        received_cents=award_cents,
        is_resident=True,
        has_tin=True,
        is_state_resident=True,
    )
    return judge(win, rules.tables(win.paid_on))


def tax_working(jackpot: Jackpot, award_cents: int, at: datetime) -> tuple[str, ...]:
    """Return the working of that, or why there is none, as a screen shows it."""
    try:
        return tax_on(jackpot, award_cents, at).working
    except Refused as refused:
        return tuple(refusal.message for refusal in refused.refusals)


def are_owed(jackpot: Jackpot, award_cents: int, at: datetime) -> bool:
    """Tell whether a jackpot paid now owes papers, whoever won it."""
    return owes_papers(
        house.settings_at(at).tax,
        paid_on=day_of(at),
        wager_cents=jackpot.stake_cents,
        received_cents=award_cents,
    )


def reckon_papers(jackpot: Jackpot, claims: Sequence[Claim], at: datetime) -> Reckoned:
    """Return what winners owe by what the file says of them now. Raises Refused."""
    rules = house.settings_at(at).tax
    today = day_of(at)
    known = [(claim, _patron(claim), _ids(claim, today)) for claim in claims]
    winners = [_winner(claim, patron, ids, rules) for claim, patron, ids in known]
    parts = parts_of(winners, house=rules, paid_on=today, wager_cents=jackpot.stake_cents)
    return Reckoned(
        tuple(parts),
        tuple(
            _stored(claim, patron, ids, part, rules)
            for (claim, patron, ids), part in zip(known, parts, strict=True)
        ),
    )


def _patron(claim: Claim) -> Patron:
    patron = Patron.objects.filter(pk=claim.patron_id).first()
    if patron is None:
        raise refuse("unknown_patron", "There is no such patron on file. Look them up again.")
    return patron


def _ids(claim: Claim, today: date) -> list[tuple[int, DocumentKind, str]]:
    """Return the IDs that were shown, as the file has them. One that expired is none."""
    patron = Patron(pk=claim.patron_id)
    valid = {each.pk: each for each in identity_documents(patron, today).defer("content_cipher")}
    return [
        (pk, DocumentKind(valid[pk].kind), str(valid[pk]))
        for pk in dict.fromkeys(claim.document_ids)
        if pk in valid
    ]


def _winner(
    claim: Claim,
    patron: Patron,
    ids: Sequence[tuple[int, DocumentKind, str]],
    rules: HouseTax,
) -> Winner:
    return Winner(
        name=patron.full_name,
        share_cents=claim.share_cents,
        has_address=bool(patron.street and patron.city),
        has_us_tin=patron.tax_id_kind in _US_NUMBERS,
        has_foreign_tin=patron.tax_id_kind == TaxIdKind.FOREIGN.value,
        tax_country=patron.tax_country,
        born_on=patron.born_on,
        ids=tuple(kind for _, kind, _ in ids),
        signs_w9=claim.signs_w9,
        signs_w8ben=claim.signs_w8ben,
        is_state_resident=claim.is_state_resident,
        treatment=claim.treatment if rules.nonresident is Nonresident.ASK else None,
    )


def _stored(
    claim: Claim,
    patron: Patron,
    ids: Sequence[tuple[int, DocumentKind, str]],
    part: Part,
    rules: HouseTax,
) -> dict[str, Any]:
    """Return a winner as the slip keeps them: no number stands in it but its end."""
    answer = part.answer
    return {
        "patron": patron.pk,
        "name": patron.full_name,
        "address": patron.address_lines,
        "tin": patron.masked_tax_id,
        "tin_index": patron.tax_id_index[:16],
        "tax_country": patron.tax_country,
        "share_cents": claim.share_cents,
        "documents": [pk for pk, _, _ in ids],
        "ids": [words for _, _, words in ids],
        "w9": claim.signs_w9,
        "w8ben": claim.signs_w8ben,
        "state_resident": claim.is_state_resident,
        "treatment": claim.treatment.value if claim.treatment else "",
        "form": answer.form.value if answer.form else "",
        "withholding": answer.withholding.value,
        "reportable_cents": part.reportable_cents,
        "federal_cents": part.federal_cents,
        "state": rules.state if answer.form is Form.W2G else "",
        "state_cents": part.state_cents,
        "working": list(answer.working),
    }


def claims_of(slip: Slip) -> list[Claim]:
    """Return what was claimed on papers."""
    return [
        Claim(
            patron_id=each["patron"],
            share_cents=each["share_cents"],
            document_ids=tuple(each["documents"]),
            signs_w9=each["w9"],
            signs_w8ben=each["w8ben"],
            is_state_resident=each["state_resident"],
            treatment=Nonresident(each["treatment"]) if each["treatment"] else None,
        )
        for each in slip.details["winners"]
    ]


def new_papers(jackpot: Jackpot, claims: Sequence[Claim]) -> NewSlip:
    """Return papers about to be prepared. Raises Refused for somebody who is not on file."""
    if not claims:
        raise refuse("winner_missing", "Say who won. Look them up, or put them on file.")
    if len({claim.patron_id for claim in claims}) < len(claims):
        raise refuse("winner_twice", "Somebody stands here twice. Each winner has one part.")
    reckoned = reckon_papers(jackpot, claims, house.now())
    paid = reckoned.winners[0]
    award_cents = newest_figure(jackpot).award_cents
    return NewSlip(
        TAX_PAPERS.kind,
        jackpot.slip.table_id,
        {},
        jackpot.slip_id,
        details={
            "about": f"{_forms_words(reckoned)} of {paid['name']}",
            "patron": paid["patron"],
            "patron_name": paid["name"],
            "jackpot": jackpot.slip.serial,
            "award_cents": award_cents,
            "winners": list(reckoned.winners),
            "declarations": [each.value for each in declarations(reckoned.parts)],
        },
    )


def _forms_words(reckoned: Reckoned) -> str:
    forms = sorted({each["form"] for each in reckoned.winners if each["form"]})
    return " and ".join(forms) or "No form"


def prepare_papers(*, jackpot: Jackpot, claims: Sequence[Claim], pen: Pen, shown: str) -> Slip:
    """Prepare the tax papers of a jackpot, signed by whoever saw the winner. Raises Refused."""
    new = new_papers(jackpot, claims)

    def judge_papers(_: Table | None, original: Slip | None) -> Judgement:
        assert original is not None, "papers are about a jackpot"
        for patron_id in sorted(claim.patron_id for claim in claims):
            lock_patron(patron_id)
        return Judgement(preparing_refusals(jackpot, claims, original), plan_facts(jackpot, claims))

    return raise_slip(new, pen=pen, shown=shown, judge=judge_papers)


def plan_facts(jackpot: Jackpot, claims: Sequence[Claim]) -> PlanFacts:
    """Return what decides who signs papers: the winner, and whoever decides what the law leaves."""
    now = house.now()
    reckoned = reckon_papers(jackpot, claims, now)
    marks = {WINNER_SIGNS} if declarations(reckoned.parts) else set()
    if any(_is_decided(part) for part in reckoned.parts):
        marks.add(HOUSE_DECIDES)
    return PlanFacts({}, marks=frozenset(marks))


def _is_decided(part: Part) -> bool:
    """Tell whether somebody chose how this winner is taxed, where the law leaves it open."""
    return (
        part.winner.treatment is not None
        and not part.winner.is_resident
        and part.answer.nonresident is not Nonresident.TREATY
    )


def preparing_refusals(jackpot: Jackpot, claims: Sequence[Claim], slip: Slip) -> list[Refusal]:
    """Return why these papers may not be prepared now: every reason."""
    refusals = []
    if slip.kind != JACKPOT.kind or slip.status != SlipStatus.OPEN.value:
        refusals.append(Refusal("slip_closed", f"{slip} is no longer open. Nothing is paid on it."))
    waiting = open_papers(slip)
    if waiting is not None:
        refusals.append(
            Refusal("already_prepared", f"{waiting} is under way. Sign or void it first.")
        )
    reckoned = reckon_papers(jackpot, claims, house.now())
    return [
        *refusals,
        *paper_refusals(reckoned.parts, newest_figure(jackpot).award_cents),
        *_unknown_ids(claims, reckoned),
    ]


def _unknown_ids(claims: Sequence[Claim], reckoned: Reckoned) -> list[Refusal]:
    return [
        Refusal("id_not_valid", f"An ID of {stored['name']} is not on file or has expired.")
        for claim, stored in zip(claims, reckoned.winners, strict=True)
        if len(set(claim.document_ids)) > len(stored["documents"])
    ]


def open_papers(slip: Slip) -> Slip | None:
    """Return the papers of a jackpot that still wait for a signature."""
    return slip.referred_by.filter(kind=TAX_PAPERS.kind, status=SlipStatus.OPEN.value).first()


def complete_papers(slip: Slip) -> Slip | None:
    """Return the papers of a jackpot that hold: the newest on which all have signed."""
    return (
        slip.referred_by.filter(kind=TAX_PAPERS.kind, status=SlipStatus.DONE.value)
        .order_by("-pk")
        .first()
    )


def outdated_refusals(jackpot: Jackpot, papers: Slip, at: datetime) -> list[Refusal]:
    """Return why papers no longer say what a jackpot owes: award, rules or file are others now."""
    award_cents = newest_figure(jackpot).award_cents
    stored = papers.details
    if stored["award_cents"] != award_cents:
        return [
            Refusal(
                "tax_papers_outdated",
                f"{papers} is over {format_money(stored['award_cents'])}, the jackpot now "
                f"{format_money(award_cents)}. Prepare the papers again.",
            )
        ]
    if list(reckon_papers(jackpot, claims_of(papers), at).winners) != stored["winners"]:
        return [
            Refusal(
                "tax_papers_outdated",
                f"What {papers} says of the winner or of the tax no longer holds. Prepare the "
                "papers again.",
            )
        ]
    return []


@effect("tax_papers_complete")
def _complete(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """Let the jackpot be paid, as far as its papers go."""
    assert slip.refers_to is not None
    jackpot = Jackpot.objects.select_related("slip").get(slip=slip.refers_to)
    if jackpot.slip.status != SlipStatus.OPEN.value:
        raise refuse("slip_closed", f"{jackpot.slip} is no longer open. Void these papers.")
    refusals = outdated_refusals(jackpot, slip, at)
    if refusals:
        raise Refused(refusals)
    close_due(jackpot.slip, signature.person, f"Complete on {slip.serial}.", at)
    return []


@matches_id(TAX_PAPERS.kind)
def _id_on_file(slip: Slip, document_id: int) -> str:
    """Return an ID that the papers name, in words, or nothing when it is no such one."""
    paid = slip.details["winners"][0]
    named: Mapping[int, str] = dict(zip(paid["documents"], paid["ids"], strict=True))
    return named.get(document_id, "")


def watch_papers(jackpots: Iterable[Jackpot], here: Table, at: datetime) -> None:
    """Put on somebody's list the papers that hits owe by their newest figures.

    Called with each entry and each figure that moved: papers start at once, beside the review. What
    a hit elsewhere owes is journalled at the desk: another table's journal is not ours to lock.
    """
    for jackpot in jackpots:
        slip, figure = jackpot.slip, newest_figure(jackpot)
        complete = complete_papers(slip)
        is_known = complete is not None and complete.details["award_cents"] == figure.award_cents
        if is_known or _due(slip).exists() or not are_owed(jackpot, figure.award_cents, at):
            continue
        open_exception(
            code=PAPERS_DUE,
            sentence=f"Tax papers for {slip.serial}: seat {jackpot.seat} at {slip.table}.",
            details={"jackpot": slip.serial},
            at=at,
            person=None,
            table=here if slip.table_id == here.pk else None,
            slip=slip,
        )


def _due(slip: Slip) -> QuerySet[FloorException]:
    return FloorException.objects.filter(slip=slip, code=PAPERS_DUE, resolved_at=None)


def close_due(slip: Slip, person: Person, words: str, at: datetime) -> None:
    """Take the papers of a jackpot off the list: they are complete, or no longer owed."""
    for exception in _due(slip).select_for_update(of=("self",), no_key=True):
        mark_resolved(exception, person, words, at)
