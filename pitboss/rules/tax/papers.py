"""The tax papers of a win: what each winner owes, what is missing, and what they declare.

A win that several people share is tested as a whole; each then has a form over their own part. The
parts of an amount add up to it to the cent.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum, unique
from typing import Final

from pitboss.rules.cheques.cheques import format_money
from pitboss.rules.flows.flows import PlanFacts
from pitboss.rules.patrons.patrons import DocumentKind
from pitboss.rules.refusal import Refusal, Refused, refuse
from pitboss.rules.tax.house import HouseTax
from pitboss.rules.tax.tax import TaxAnswer, TaxFormName, Withholding, judge
from pitboss.rules.tax.win import Nonresident

# What tax papers are called wherever slips are told apart.
TAX_PAPERS: Final = "tax_papers"
# What is said of papers about to be prepared.
WINNER_SIGNS: Final = "winner_signs"
HOUSE_DECIDES: Final = "house_decides"
WINNERS_MAX: Final = 10
_PHOTO_IDS: Final = (
    DocumentKind.DRIVING_LICENCE,
    DocumentKind.PASSPORT,
    DocumentKind.STATE_ID,
    DocumentKind.ALIEN_CARD,
)
# What shows that someone comes from abroad, with a number that a report can name.
_FOREIGN_IDS: Final = (DocumentKind.PASSPORT, DocumentKind.ALIEN_CARD)


def house_decides(facts: PlanFacts) -> bool:
    """Tell whether the law leaves open how a win is taxed, so that someone answers for it."""
    return HOUSE_DECIDES in facts.marks


def winner_signs(facts: PlanFacts) -> bool:
    """Tell whether whoever won declares something under penalties of perjury."""
    return WINNER_SIGNS in facts.marks


def has_photo(kind: DocumentKind) -> bool:
    """Tell whether an ID shows the face of its holder.

    >>> has_photo(DocumentKind.PASSPORT), has_photo(DocumentKind.OTHER_ID)
    (True, False)
    """
    return kind in _PHOTO_IDS


@unique
class Declaration(StrEnum):
    """What a winner signs under penalties of perjury."""

    W2G = "w2g"
    F5754 = "5754"
    W9 = "w9"
    W8BEN = "w8ben"

    @property
    def form_name(self) -> str:
        return _FORM_NAMES[self]

    @property
    def text(self) -> str:
        return _TEXTS[self]


_FORM_NAMES: Final = {
    Declaration.W2G: "Form W-2G",
    Declaration.F5754: "Form 5754",
    Declaration.W9: "Form W-9",
    Declaration.W8BEN: "Form W-8BEN",
}
# The first is the declaration that the form itself prescribes; the others say in short what the
# forms on paper say at length.
_TEXTS: Final = {
    Declaration.W2G: (
        "Under penalties of perjury, I declare that, to the best of my knowledge and belief, the "
        "name, address, and taxpayer identification number that I have furnished correctly "
        "identify me as the recipient of this payment and any payments from identical wagers, and "
        "that no other person is entitled to any part of these payments."
    ),
    Declaration.F5754: (
        "Under penalties of perjury, I declare that the people named here, with these addresses "
        "and taxpayer numbers, are all who have a part in this win, and that the parts are right."
    ),
    Declaration.W9: (
        "Under penalties of perjury, I certify that the taxpayer number shown is mine, that I am "
        "not subject to backup withholding, and that I am a U.S. person."
    ),
    Declaration.W8BEN: (
        "Under penalties of perjury, I certify that I am the owner of this income, that I am not "
        "a U.S. person, and that I am resident for tax in the country shown."
    ),
}


@dataclass(frozen=True, slots=True)
class Winner:
    """One person with a part in a win, as the file of patrons knows them."""

    name: str
    share_cents: int
    has_address: bool
    # A taxpayer number of the United States, or one of another country.
    has_us_tin: bool
    has_foreign_tin: bool = False
    tax_country: str = "US"
    born_on: date | None = None
    ids: tuple[DocumentKind, ...] = ()
    signs_w9: bool = False
    signs_w8ben: bool = False
    is_state_resident: bool | None = None
    # How the house treats this non-resident, where someone has decided.
    treatment: Nonresident | None = None
    region: str = ""
    city: str = ""

    @property
    def is_resident(self) -> bool:
        return self.tax_country == "US"


@dataclass(frozen=True, slots=True)
class WinnerPart:
    """What one winner owes: the judgment of the whole win, and the cents of their own part."""

    winner: Winner
    answer: TaxAnswer
    reportable_cents: int
    federal_cents: int
    state_cents: int
    local_cents: int = 0

    @property
    def withheld_cents(self) -> int:
        return self.federal_cents + self.state_cents + self.local_cents


def parts_of(
    winners: Sequence[Winner],
    *,
    house: HouseTax,
    paid_on: date,
    wager_cents: int,
    returned_cents: int = 0,
) -> list[WinnerPart]:
    """Return what each winner owes on a win that they share. Raises Refused where no rule is known.

    `returned_cents` is what of the wager goes back beside the win.

    >>> ana = Winner("Ana", 681_240, has_address=True, has_us_tin=True)
    >>> [part] = parts_of([ana], house=HouseTax(), paid_on=date(2026, 5, 1), wager_cents=500)
    >>> part.answer.form.value, part.reportable_cents, part.withheld_cents
    ('W-2G', 680740, 163378)
    """
    shared_cents = sum(winner.share_cents for winner in winners)
    parts: list[WinnerPart] = []
    before = 0
    for winner in winners:
        answer = judge(
            house.win(
                paid_on=paid_on,
                wager_cents=wager_cents,
                received_cents=shared_cents + returned_cents,
                is_resident=winner.is_resident,
                has_tin=winner.has_us_tin or (not winner.is_resident and winner.has_foreign_tin),
                winners=len(winners),
                nonresident=winner.treatment,
                country=winner.tax_country if winner.signs_w8ben else None,
                has_w8ben=winner.signs_w8ben,
                is_state_resident=winner.is_state_resident,
                region=winner.region,
                city=winner.city,
            ),
            house.tables(paid_on),
        )
        after = before + winner.share_cents
        own = [
            _up_to(cents, after, shared_cents) - _up_to(cents, before, shared_cents)
            for cents in (
                answer.reportable_cents,
                answer.federal_cents,
                answer.state_cents,
                answer.local_cents,
            )
        ]
        parts.append(WinnerPart(winner, answer, *own))
        before = after
    return parts


def _up_to(cents: int, share_cents: int, whole_cents: int) -> int:
    """Return what of an amount falls on the first winners, so that the parts add up to it.

    >>> [_up_to(100, third, 3) for third in (0, 1, 2, 3)]
    [0, 33, 67, 100]
    """
    return (2 * cents * share_cents + whole_cents) // (2 * whole_cents) if whole_cents else 0


def declarations(parts: Sequence[WinnerPart]) -> list[Declaration]:
    """Return what the person who is paid declares. They are the first of the winners."""
    owed = []
    if len(parts) > 1 and any(part.answer.form is not None for part in parts):
        owed.append(Declaration.F5754)
    paid = parts[0]
    if paid.answer.signature:
        owed.append(Declaration.W2G)
    if paid.winner.signs_w9 and paid.winner.is_resident:
        owed.append(Declaration.W9)
    if paid.winner.signs_w8ben and not paid.winner.is_resident:
        owed.append(Declaration.W8BEN)
    return owed


def paper_refusals(
    parts: Sequence[WinnerPart], award_cents: int, *, needs_name: bool = False
) -> list[Refusal]:
    """Return what is missing or wrong in the papers of a win: every reason.

    `needs_name` asks for an ID of a win that owes no form.
    """
    refusals = _share_refusals([part.winner for part in parts], award_cents)
    for part in parts:
        winner, name = part.winner, part.winner.name
        if part.answer.needs_decision:
            refusals.append(
                Refusal(
                    "treatment_missing", f"Choose how the win of {name}, a nonresident, is taxed."
                )
            )
        if part.answer.form is None:
            continue
        if not winner.has_address:
            refusals.append(
                Refusal("address_missing", f"{name} has no address on file. Add it there first.")
            )
        if part.answer.form is TaxFormName.F1042S and winner.born_on is None:
            refusals.append(
                Refusal("birth_missing", f"{name} has no date of birth on file. Add it there.")
            )
        if winner.signs_w9 and not winner.has_us_tin:
            refusals.append(
                Refusal(
                    "tax_id_missing",
                    f"A W-9 shows a taxpayer number. Add {name}’s number to the file.",
                )
            )
    return [*refusals, *_identity_refusals(parts[0], needs_name=needs_name)]


def _share_refusals(winners: Sequence[Winner], award_cents: int) -> list[Refusal]:
    refusals = []
    if len(winners) > WINNERS_MAX:
        refusals.append(Refusal("too_many_winners", f"List {WINNERS_MAX} winners or fewer."))
    if any(winner.share_cents <= 0 for winner in winners):
        refusals.append(Refusal("share_missing", "Enter each winner’s part."))
    total_cents = sum(winner.share_cents for winner in winners)
    if total_cents != award_cents:
        refusals.append(
            Refusal(
                "shares_differ",
                f"The parts total {format_money(total_cents)}, but the win is "
                f"{format_money(award_cents)}. Enter them again.",
            )
        )
    return refusals


def _identity_refusals(part: WinnerPart, *, needs_name: bool) -> list[Refusal]:
    """Return which identification is missing of the person who is paid."""
    winner = part.winner
    owes_form = part.answer.form is not None
    if not owes_form and not needs_name:
        return []
    refusals = []
    if owes_form and len(winner.ids) + winner.signs_w9 < 2:
        refusals.append(
            Refusal(
                "identification_missing",
                f"{winner.name} must show two forms of identification. A signed W-9 counts as one.",
            )
        )
    if not any(map(has_photo, winner.ids)):
        refusals.append(
            Refusal("photo_id_missing", f"One ID of {winner.name} has a photo. Put it on file.")
        )
    is_abroad = owes_form and not winner.is_resident
    if is_abroad and not any(kind in _FOREIGN_IDS for kind in winner.ids):
        refusals.append(
            Refusal(
                "passport_missing",
                f"{winner.name} is a nonresident. One of the IDs must be a passport or "
                "alien registration card.",
            )
        )
    return refusals


def owes_papers(house: HouseTax, *, paid_on: date, wager_cents: int, received_cents: int) -> bool:
    """Tell whether a win owes papers, no matter who won it: before anyone is known.

    >>> on = date(2026, 5, 1)
    >>> [owes_papers(HouseTax(), paid_on=on, wager_cents=500, received_cents=cents)
    ...  for cents in (100_000, 243_106)]
    [False, True]
    """
    tables = house.tables(paid_on)
    for is_resident in (True, False):
        win = house.win(
            paid_on=paid_on,
            wager_cents=wager_cents,
            received_cents=received_cents,
            is_resident=is_resident,
            has_tin=True,
            # A state that asks where in it someone lives does so only of a win that is reported.
            is_state_resident=True,
        )
        try:
            answer = judge(win, tables)
        except Refused:
            # No rule is known: nothing is paid before someone has looked into it.
            return True
        if answer.form is not None or answer.withholding is Withholding.ASK:
            return True
    return False


def rate_of(part: WinnerPart, house: HouseTax, paid_on: date) -> int:
    """Return the rate at which a non-resident's win is taxed, in hundredths of a percent."""
    match part.answer.nonresident:
        case Nonresident.WITHHOLD_30:
            rule = house.tables(paid_on).federal_on(paid_on)
            assert rule is not None, "the win was judged by no rule"
            return rule.nonresident_basis_points
        case Nonresident.TREATY:
            return dict(house.treaties)[part.winner.tax_country]
    return 0


def treatment_of(keyed: str) -> Nonresident | None:
    """Return how a non-resident's win is treated, as it was keyed. Raises Refused.

    >>> treatment_of("exempt").value, treatment_of("")
    ('exempt', None)
    """
    if not keyed:
        return None
    if keyed not in (Nonresident.EXEMPT, Nonresident.WITHHOLD_30):
        raise refuse("treatment_unknown", "Choose whether the win is exempt or taxed.")
    return Nonresident(keyed)
