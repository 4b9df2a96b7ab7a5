"""Tax papers of a jackpot: opened with its entry, prepared beside its review, signed by the winner.

They stop nothing but the payment. What they say is reckoned again when the jackpot is paid: papers
on another award, by the rules of another year, or on a file that was changed since, are no papers.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from django.db.models import QuerySet

from inventory.models import Patron
from inventory.selectors.patrons import identity_documents
from jackpots.models import Jackpot
from jackpots.services.big_wins import identical_to, is_counted_out, needs_name
from jackpots.services.hits import newest_figure
from jackpots.services.tax_lines import tax_rules
from jackpots.services.winners import win_refusals
from pitboss.models import FloorException, Person, Slip, Table
from pitboss.rules.cheques.cheques import format_money
from pitboss.rules.day.late_papers import LATE_TAX
from pitboss.rules.flows.flows import PlanFacts, SlipStatus
from pitboss.rules.patrons.exclusion import Moment
from pitboss.rules.patrons.patrons import DocumentKind, TaxIdKind
from pitboss.rules.payouts.big_wins import BIG_WIN
from pitboss.rules.payouts.jackpot_flows import JACKPOT
from pitboss.rules.refusal import CONFLICT, Refusal, Refused, refuse
from pitboss.rules.tax.house import HouseTax
from pitboss.rules.tax.papers import (
    HOUSE_DECIDES,
    TAX_PAPERS,
    WINNER_SIGNS,
    Winner,
    WinnerPart,
    declarations,
    owes_papers,
    paper_refusals,
    parts_of,
)
from pitboss.rules.tax.tax import TaxAnswer, judge
from pitboss.rules.tax.win import Nonresident
from pitboss.services import house
from pitboss.services.drafts import NewSlip
from pitboss.services.exceptions import TAX_PAPERS as PAPERS_DUE
from pitboss.services.exceptions import mark_resolved, open_exception
from pitboss.slips.late import true_time_of

# What tax papers are about.
_WON = (JACKPOT, BIG_WIN)
_PAPERS = (TAX_PAPERS, LATE_TAX)
_US_NUMBERS = (TaxIdKind.SSN.value, TaxIdKind.ITIN.value)


@dataclass(frozen=True, slots=True)
class WinnerClaim:
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

    parts: tuple[WinnerPart, ...]
    winners: tuple[dict[str, Any], ...]

    @property
    def withheld_cents(self) -> int:
        return sum(part.withheld_cents for part in self.parts)


def day_of(at: datetime) -> date:
    """Return the calendar day of an instant at the property: tax knows no gaming day."""
    return at.astimezone(house.the_property().zone).date()


def tax_on(jackpot: Jackpot, award_cents: int, at: datetime) -> TaxAnswer:
    """Return what a resident with a number would owe on a jackpot paid now, with the working."""
    rules = tax_rules(at)
    win = rules.win(
        paid_on=day_of(at),
        wager_cents=jackpot.wager_cents,
        received_cents=award_cents + jackpot.returned_cents,
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
    """Tell whether a jackpot paid now owes papers, no matter who won it.

    Bets of one round that would be one wager if one person made them owe papers together: only
    papers say who made them.
    """
    if needs_name(jackpot, award_cents, at):
        return True
    others = [item for item in identical_to(jackpot) if item.pk != jackpot.pk]
    return any(_owe(wins, award_cents, at) for wins in ([jackpot], [jackpot, *others]))


def _owe(wins: Sequence[Jackpot], award_cents: int, at: datetime) -> bool:
    """Tell whether bets owe papers as one wager, the first of them with this award."""
    more_cents = sum(newest_figure(win).award_cents for win in wins[1:])
    return owes_papers(
        tax_rules(at),
        paid_on=day_of(at),
        wager_cents=sum(win.wager_cents for win in wins),
        received_cents=award_cents + more_cents + sum(win.returned_cents for win in wins),
    )


def reckon_papers(
    jackpot: Jackpot, claims: Sequence[WinnerClaim], at: datetime, also: Sequence[Jackpot] = ()
) -> Reckoned:
    """Return what winners owe by what the file says of them now. Raises Refused.

    `also` are bets of the same round that the same person made: one wager to the tax law.
    """
    rules = tax_rules(at)
    today = day_of(at)
    known = [(claim, _patron(claim), _ids(claim, today)) for claim in claims]
    winners = [_winner(claim, patron, ids, rules) for claim, patron, ids in known]
    parts = parts_of(
        winners,
        house=rules,
        paid_on=today,
        wager_cents=sum(item.wager_cents for item in (jackpot, *also)),
        returned_cents=sum(item.returned_cents for item in (jackpot, *also)),
    )
    return Reckoned(
        tuple(parts),
        tuple(
            _stored(claim, patron, ids, part, rules)
            for (claim, patron, ids), part in zip(known, parts, strict=True)
        ),
    )


def _patron(claim: WinnerClaim) -> Patron:
    patron = Patron.objects.filter(pk=claim.patron_id).first()
    if patron is None:
        raise refuse("unknown_patron", "Patron not found. Look them up again.")
    return patron


def _ids(claim: WinnerClaim, today: date) -> list[tuple[int, DocumentKind, str]]:
    """Return the IDs that were shown, as the file has them. One that expired is none."""
    patron = Patron(pk=claim.patron_id)
    valid = {
        document.pk: document
        for document in identity_documents(patron, today).defer("content_cipher")
    }
    return [
        (pk, DocumentKind(valid[pk].kind), str(valid[pk]))
        for pk in dict.fromkeys(claim.document_ids)
        if pk in valid
    ]


def _winner(
    claim: WinnerClaim,
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
        region=patron.region,
        city=patron.city,
    )


def _stored(
    claim: WinnerClaim,
    patron: Patron,
    ids: Sequence[tuple[int, DocumentKind, str]],
    part: WinnerPart,
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
        "state": answer.state,
        "state_cents": part.state_cents,
        **(
            {"locality": answer.locality, "local_cents": part.local_cents}
            if answer.locality
            else {}
        ),
        **({"payer_number": answer.payer_numbers[0]} if answer.payer_numbers[0] else {}),
        "working": list(answer.working),
    }


def claims_of(slip: Slip) -> list[WinnerClaim]:
    """Return what was claimed on papers."""
    return [
        WinnerClaim(
            patron_id=winner["patron"],
            share_cents=winner["share_cents"],
            document_ids=tuple(winner["documents"]),
            signs_w9=winner["w9"],
            signs_w8ben=winner["w8ben"],
            is_state_resident=winner["state_resident"],
            treatment=Nonresident(winner["treatment"]) if winner["treatment"] else None,
        )
        for winner in slip.details["winners"]
    ]


def won_cents(wins: Sequence[Jackpot]) -> int:
    """Return what several wins are owed as they stand."""
    return sum(newest_figure(win).award_cents for win in wins)


def drafted_papers(
    jackpot: Jackpot, claims: Sequence[WinnerClaim], also: Sequence[Jackpot] = ()
) -> NewSlip:
    """Return papers about to be prepared. Raises Refused for someone who is not on file."""
    if not claims:
        raise refuse("winner_missing", "Choose who won. Look them up, or add them to the file.")
    if len({claim.patron_id for claim in claims}) < len(claims):
        raise refuse("winner_twice", "The same person is listed twice. Each winner has one part.")
    reckoned = reckon_papers(jackpot, claims, house.now(), also)
    details = details_of_papers(jackpot, reckoned, won_cents([jackpot, *also]))
    if also:
        details["covers"] = [item.slip_id for item in also]
    return NewSlip(TAX_PAPERS, jackpot.slip.table_id, {}, jackpot.slip_id, details=details)


def details_of_papers(jackpot: Jackpot, reckoned: Reckoned, won: int) -> dict[str, Any]:
    """Return what a slip keeps of papers: whose win, its winners, and what they declare."""
    paid = reckoned.winners[0]
    return {
        "about": f"{_forms_words(reckoned)} for {paid['name']}",
        "patron": paid["patron"],
        "patron_name": paid["name"],
        "jackpot": jackpot.slip.serial,
        "award_cents": won,
        "winners": list(reckoned.winners),
        "declarations": [declaration.value for declaration in declarations(reckoned.parts)],
    }


def _forms_words(reckoned: Reckoned) -> str:
    forms = sorted({winner["form"] for winner in reckoned.winners if winner["form"]})
    return " and ".join(forms) or "No form"


def plan_facts(
    jackpot: Jackpot, claims: Sequence[WinnerClaim], also: Sequence[Jackpot] = ()
) -> PlanFacts:
    """Return what decides who signs papers: the winner, and whoever decides what the law leaves."""
    now = house.now()
    reckoned = reckon_papers(jackpot, claims, now, also)
    marks = {WINNER_SIGNS} if declarations(reckoned.parts) else set()
    if any(_is_decided(part) for part in reckoned.parts):
        marks.add(HOUSE_DECIDES)
    return PlanFacts({}, marks=frozenset(marks))


def _is_decided(part: WinnerPart) -> bool:
    """Tell whether someone chose how this winner is taxed, where the law leaves it open."""
    return (
        part.winner.treatment is not None
        and not part.winner.is_resident
        and part.answer.nonresident is not Nonresident.TREATY
    )


def preparing_refusals(
    jackpot: Jackpot, claims: Sequence[WinnerClaim], slip: Slip, also: Sequence[Jackpot] = ()
) -> list[Refusal]:
    """Return why these papers may not be prepared now: every reason."""
    refusals = []
    is_paid = slip.kind == BIG_WIN and is_counted_out(slip)
    if slip.kind not in _WON or slip.status != SlipStatus.OPEN.value or is_paid:
        refusals.append(
            Refusal("slip_closed", f"{slip} is no longer open. Nothing is paid on it.", CONFLICT)
        )
    waiting = open_papers(slip)
    if waiting is not None:
        refusals.append(
            Refusal("already_prepared", f"{waiting} is under way. Sign or void it first.")
        )
    now = house.now()
    reckoned = reckon_papers(jackpot, claims, now, also)
    wins_cents = won_cents([jackpot, *also])
    return [
        *win_refusals(slip, {claim.patron_id for claim in claims}, Moment.TAX_FORM, now),
        *refusals,
        *_same_wager_refusals(jackpot, claims, also, reckoned),
        *paper_refusals(
            reckoned.parts, wins_cents, needs_name=needs_name(jackpot, wins_cents, now)
        ),
        *_unknown_ids(claims, reckoned),
    ]


def _same_wager_refusals(
    jackpot: Jackpot, claims: Sequence[WinnerClaim], also: Sequence[Jackpot], reckoned: Reckoned
) -> list[Refusal]:
    """Return why bets cannot stand on one set of papers, or must: one wager, one person (R91)."""
    identical = {item.pk: item for item in identical_to(jackpot)}
    refusals = [
        Refusal(
            "not_identical",
            f"{item.slip} isn’t a bet of the same round, hand, and pay table. Leave it out.",
        )
        for item in also
        if item.pk not in identical or item.tax_forms.exists()
    ]
    taken = {item.pk for item in (jackpot, *also)}
    patrons = {claim.patron_id for claim in claims}
    for other in (identical[pk] for pk in identical if pk not in taken):
        papers = open_papers(other.slip) or complete_papers(other.slip)
        if papers is None or other.tax_forms.exists():
            continue
        if patrons & {winner["patron"] for winner in papers.details["winners"]}:
            refusals.append(
                Refusal(
                    "identical_wager",
                    f"The same person won {other.slip} in this round. Prepare one set "
                    "of forms for both.",
                )
            )
    if reckoned.withheld_cents > won_cents([jackpot]):
        refusals.append(
            Refusal(
                "withheld_above_win",
                f"Withholding is more than {jackpot.slip} pays. Prepare the forms on "
                "the larger win.",
            )
        )
    return refusals


def _unknown_ids(claims: Sequence[WinnerClaim], reckoned: Reckoned) -> list[Refusal]:
    return [
        Refusal(
            "id_not_valid",
            f"An ID of {stored['name']} is not on file or has expired. Add a valid one.",
        )
        for claim, stored in zip(claims, reckoned.winners, strict=True)
        if len(set(claim.document_ids)) > len(stored["documents"])
    ]


def open_papers(slip: Slip) -> Slip | None:
    """Return the papers of a jackpot that still wait for a signature."""
    return slip.referred_by.filter(kind__in=_PAPERS, status=SlipStatus.OPEN.value).first()


def complete_papers(slip: Slip) -> Slip | None:
    """Return the papers of a jackpot that hold: the newest on which all have signed."""
    return (
        slip.referred_by.filter(kind__in=_PAPERS, status=SlipStatus.DONE.value)
        .order_by("-pk")
        .first()
    )


def covering_papers(jackpot: Jackpot) -> Slip | None:
    """Return the papers of another bet of the round that are this one's too: the same winner's."""
    others = [item.slip_id for item in identical_to(jackpot) if item.pk != jackpot.pk]
    if not others:
        return None
    return (
        Slip.objects.filter(
            kind=TAX_PAPERS,
            status=SlipStatus.DONE.value,
            refers_to__in=others,
            details__covers__contains=jackpot.slip_id,
        )
        .select_related("refers_to")
        .order_by("-pk")
        .first()
    )


def covered_by(papers: Slip) -> list[Jackpot]:
    """Return the further bets that papers are about, but for those that were rejected."""
    wins = Jackpot.objects.filter(slip__in=papers.details.get("covers", ()))
    return list(
        wins.exclude(slip__status=SlipStatus.VOIDED.value).select_related("slip").order_by("pk")
    )


def outdated_refusals(jackpot: Jackpot, papers: Slip, at: datetime) -> list[Refusal]:
    """Return why papers no longer say what a jackpot owes: award, rules or file are others now."""
    also = covered_by(papers)
    award_cents = won_cents([jackpot, *also])
    stored = papers.details
    if stored["award_cents"] != award_cents:
        return [
            Refusal(
                "tax_papers_outdated",
                f"{papers} is for {format_money(stored['award_cents'])}, but the win is "
                f"now {format_money(award_cents)}. Prepare the forms again.",
            )
        ]
    if list(reckon_papers(jackpot, claims_of(papers), at, also).winners) != stored["winners"]:
        return [
            Refusal(
                "tax_papers_outdated",
                f"The winner or the tax changed since {papers} was prepared. Prepare "
                "the forms again.",
            )
        ]
    return []


def watch_papers(jackpots: Iterable[Jackpot], here: Table, at: datetime) -> None:
    """Put on someone's list the papers that hits owe by their newest figures.

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
            sentence=f"Tax forms for {slip.serial}: seat {jackpot.seat} at {slip.table}.",
            details={"jackpot": slip.serial},
            at=at,
            person=None,
            table=here if slip.table_id == here.pk else None,
            slip=slip,
        )


def _due(slip: Slip) -> QuerySet[FloorException]:
    return FloorException.objects.filter(slip=slip, code=PAPERS_DUE, resolved_at=None)


def ask_for_papers(jackpot: Jackpot, at: datetime) -> None:
    """Put on someone's list the form of a win that was paid on paper, where it owes one."""
    slip = jackpot.slip
    withheld = slip.details["withheld_cents"]
    if withheld or are_owed(jackpot, newest_figure(jackpot).award_cents, true_time_of(slip)):
        open_exception(
            code=PAPERS_DUE,
            sentence=f"Tax forms for {slip.serial}: enter them from the form of the outage.",
            details={"jackpot": slip.serial},
            at=at,
            person=None,
            table=slip.table,
            slip=slip,
        )


def close_due(slip: Slip, person: Person, words: str, at: datetime) -> None:
    """Take the papers of a jackpot off the list: they are complete, or no longer owed."""
    for exception in _due(slip).select_for_update(of=("self",), no_key=True):
        mark_resolved(exception, person, words, at)
