"""Papers of a win by the rules alone: what a house enters, parts to the cent, what is missing."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from jackpots.kinds.tax_papers import TAX_PAPERS_KIND
from pitboss.rules.flows.flows import PlanFacts
from pitboss.rules.patrons.patrons import DocumentKind
from pitboss.rules.refusal import Refused
from pitboss.rules.settings.in_force import SettingsInForce
from pitboss.rules.tax.forms import (
    F1042S_BOXES,
    FormIssue,
    PaidWin,
    Recipient,
    corrected_boxes,
    export_head,
    export_row,
    f1042s_boxes,
    w2g_boxes,
    with_payer,
)
from pitboss.rules.tax.house import HouseTax, Payer, PayerCard, TreatyList
from pitboss.rules.tax.papers import (
    HOUSE_DECIDES,
    WINNER_SIGNS,
    Declaration,
    Winner,
    WinnerPart,
    declarations,
    owes_papers,
    paper_refusals,
    parts_of,
    rate_of,
    treatment_of,
)
from pitboss.rules.tax.tax import TaxFormName, Withholding
from pitboss.rules.tax.win import Nonresident, NonresidentTrigger

TODAY = date(2026, 5, 1)
AWARD = 2_431_055
ANA = Winner(
    "Ana Ruiz",
    AWARD,
    has_address=True,
    has_us_tin=True,
    born_on=date(1980, 2, 3),
    ids=(DocumentKind.DRIVING_LICENCE, DocumentKind.OTHER_ID),
)
OTTO = replace(
    ANA,
    name="Otto Weiss",
    tax_country="DE",
    has_us_tin=False,
    ids=(DocumentKind.PASSPORT, DocumentKind.OTHER_ID),
    treatment=Nonresident.WITHHOLD_30,
)


def parts(
    *winners: Winner, house: HouseTax | None = None, paid_on: date = TODAY
) -> list[WinnerPart]:
    return parts_of(winners, house=house or HouseTax(), paid_on=paid_on, wager_cents=500)


@pytest.mark.parametrize(
    ("winner", "codes"),
    [
        (ANA, []),
        (replace(ANA, born_on=None), []),
        (replace(ANA, has_address=False), ["address_missing"]),
        (replace(ANA, ids=(DocumentKind.PASSPORT,)), ["identification_missing"]),
        (replace(ANA, ids=(DocumentKind.OTHER_ID,), signs_w9=True), ["photo_id_missing"]),
        (replace(ANA, has_us_tin=False, signs_w9=True), ["tax_id_missing"]),
        (replace(ANA, share_cents=0), ["share_missing", "shares_differ"]),
        (OTTO, []),
        (replace(OTTO, treatment=None), ["treatment_missing"]),
        (replace(OTTO, treatment=Nonresident.EXEMPT, ids=(), has_address=False), []),
        (replace(OTTO, born_on=None), ["birth_missing"]),
        (replace(OTTO, ids=ANA.ids), ["passport_missing"]),
    ],
)
def test_papers_name_all_that_is_missing(winner: Winner, codes: list[str]) -> None:
    assert [refusal.code for refusal in paper_refusals(parts(winner), AWARD)] == codes


def test_more_winners_than_a_form_has_lines_are_refused() -> None:
    crowd = [replace(ANA, share_cents=AWARD // 11) for _ in range(11)]
    whole = sum(winner.share_cents for winner in crowd)
    assert [refusal.code for refusal in paper_refusals(parts(*crowd), whole)] == [
        "too_many_winners"
    ]
    ten = parts(*crowd[1:])
    assert paper_refusals(ten, whole - crowd[0].share_cents) == []


@pytest.mark.parametrize(("share_cents", "codes"), [(0, ["share_missing"]), (1, [])])
def test_each_winner_has_a_part_were_it_one_cent(share_cents: int, codes: list[str]) -> None:
    winners = replace(ANA, share_cents=AWARD - share_cents), replace(ANA, share_cents=share_cents)
    assert [refusal.code for refusal in paper_refusals(parts(*winners), AWARD)] == codes


@pytest.mark.parametrize(
    "shares", [(100, 100, 100), (1, 1_000_000, 999_999), (810_352, 810_352, 810_351)]
)
def test_the_parts_of_a_shared_win_add_up_to_its_tax(shares: tuple[int, ...]) -> None:
    whole = sum(shares) * 10_000
    [alone] = parts(replace(ANA, share_cents=whole))
    shared = parts(*(replace(ANA, share_cents=share * 10_000) for share in shares))
    assert sum(part.federal_cents for part in shared) == alone.federal_cents
    assert sum(part.reportable_cents for part in shared) == alone.reportable_cents
    assert all(part.answer.form_5754 for part in shared)


def test_a_win_of_nothing_has_no_part_in_anything() -> None:
    [part] = parts(replace(ANA, share_cents=0))
    assert (part.answer.form, part.withheld_cents) == (None, 0)


@pytest.mark.parametrize(
    ("winners", "declared"),
    [
        ((ANA,), [Declaration.W2G]),
        ((replace(ANA, share_cents=243_105),), []),
        ((replace(ANA, signs_w9=True),), [Declaration.W2G, Declaration.W9]),
        ((ANA, replace(ANA, name="Bea")), [Declaration.F5754]),
        ((replace(OTTO, signs_w8ben=True, has_foreign_tin=True),), [Declaration.W8BEN]),
        ((OTTO,), []),
        # One whose part needs a form is enough for the paper that names all of them.
        ((ANA, replace(OTTO, treatment=Nonresident.EXEMPT)), [Declaration.F5754]),
        ((replace(ANA, share_cents=1_000), replace(ANA, share_cents=1_000)), []),
        # Each declares on the form of where they live.
        ((replace(OTTO, signs_w9=True),), []),
        ((replace(ANA, signs_w8ben=True),), [Declaration.W2G]),
    ],
)
def test_who_is_paid_declares_what_the_law_asks(
    winners: tuple[Winner, ...], declared: list[Declaration]
) -> None:
    found = declarations(parts(*winners))
    assert found == declared
    assert all(declaration.text and declaration.form_name for declaration in found)


def test_a_non_resident_is_taxed_at_the_rate_that_stands_on_the_form() -> None:
    house = HouseTax()
    treaty = replace(OTTO, tax_country="MT", signs_w8ben=True, has_foreign_tin=True)
    rates = [rate_of(parts(winner)[0], house, TODAY) for winner in (OTTO, treaty, ANA)]
    assert rates == [3_000, 1_000, 0]
    exempt = HouseTax(nonresident=Nonresident.EXEMPT)
    assert not owes_papers(
        replace(exempt, report_cents=10_000_000, withhold_over_cents=10_000_000),
        paid_on=TODAY,
        wager_cents=500,
        received_cents=AWARD,
    )


def test_a_resident_with_a_number_of_another_country_has_given_none() -> None:
    ana = replace(ANA, share_cents=300_000, has_us_tin=False, has_foreign_tin=True)
    assert parts(ana)[0].answer.withholding is Withholding.BACKUP
    assert parts(replace(ana, has_us_tin=True))[0].answer.withholding is Withholding.NONE


def test_the_treatment_of_a_non_resident_is_one_of_two_or_none() -> None:
    assert treatment_of("withhold_30") is Nonresident.WITHHOLD_30
    with pytest.raises(Refused):
        treatment_of("treaty")


def test_a_house_that_reports_every_win_of_a_non_resident_asks_every_winner() -> None:
    every = HouseTax(nonresident_trigger=NonresidentTrigger.ANY_WIN)
    small: dict[str, Any] = {"paid_on": TODAY, "wager_cents": 500, "received_cents": 100_000}
    assert owes_papers(every, **small)
    assert not owes_papers(replace(every, nonresident=Nonresident.EXEMPT), **small)
    # A resident's win owes a W-2G where a non-resident's owes nothing.
    exempt = HouseTax(nonresident=Nonresident.EXEMPT)
    assert owes_papers(exempt, **{**small, "received_cents": AWARD})
    # Nothing is known of 2017: somebody looks into it before anything is paid.
    assert owes_papers(HouseTax(), **{**small, "paid_on": date(2017, 1, 1)})


def test_what_a_house_enters_takes_the_place_of_what_is_published() -> None:
    entered = HouseTax(
        report_cents=210_000,
        withhold_over_cents=600_000,
        regular_basis_points=2_500,
        backup_basis_points=2_600,
        nonresident_basis_points=2_000,
        state="CT",
        state_basis_points=699,
    )
    [ana] = parts(replace(ANA, share_cents=700_500), house=entered)
    assert (ana.federal_cents, ana.state_cents) == (175_000, 48_930)
    [otto] = parts(OTTO, house=entered)
    assert otto.federal_cents == AWARD // 5
    tables = entered.tables(date(2027, 1, 1))
    rule = tables.federal_on(date(2027, 1, 1))
    assert rule is not None
    assert rule.published_until == date(2027, 1, 1)
    # A rate alone says nothing of next year's amount: that stays provisional.
    rate_alone = HouseTax(backup_basis_points=2_800).tables(date(2027, 1, 1))
    assert all(
        federal_rule.published_until < date(2027, 1, 1) for federal_rule in rate_alone.federal
    )


@pytest.mark.parametrize(
    "keyed",
    ["Owner: me", "Name:", "TIN: 123456789", "State: New Jersey", "Name: a\nName: b", "no colon"],
)
def test_a_payer_that_cannot_be_is_refused_line_by_line(keyed: str) -> None:
    with pytest.raises(Refused) as caught:
        PayerCard().read(keyed)
    assert set(caught.value.codes) == {"payer_malformed"}


def test_the_kinds_of_tax_settings_write_what_they_read() -> None:
    card = "Name: Tide LLC\nStreet: 500 Boardwalk\nCity: Reno\nTIN: 12-3456789"
    assert PayerCard().text(PayerCard().read(card)) == card
    payer = Payer(**PayerCard().read(card))
    assert payer.is_known
    for needed in ("name", "street", "city", "tin"):
        assert not replace(payer, **{needed: ""}).is_known
    assert payer.address_lines == ["500 Boardwalk", "Reno"]
    assert TreatyList().text(TreatyList().read("DE MT:10")) == "DE MT:10"
    assert TreatyList().words({}) == "none"
    for wrong in ("Germany", "DE DE", "DE:x"):
        with pytest.raises(Refused):
            TreatyList().read(wrong)
    with pytest.raises(Refused):
        treatment_of("treaty")


PAYER = Payer("Tide LLC", "500 Boardwalk", "Reno", "NV", "89501", "775-555-0100", "12-3456789")
RECIPIENT = Recipient("Ana", "Ruiz", "Ana Ruiz", "1 Ocean Ave", "Reno", "NV", "89501", "US", "US")
PAID = PaidWin(TODAY, "Blazing 7's", "J-26-1", "101", "BJ-11", "0000000101", 242_605, 0)


def test_boxes_hold_payer_state_and_corrections_where_they_belong() -> None:
    plain = w2g_boxes(PAID, RECIPIENT)
    assert with_payer(TaxFormName.W2G, plain, replace(PAYER, state_id="123"))["13"] == ""
    assert (
        corrected_boxes(
            TaxFormName.W2G, plain, RECIPIENT, reportable_cents=100, federal_cents=24, state_cents=3
        )["15"]
        == ""
    )
    state = w2g_boxes(replace(PAID, state="NJ", state_cents=7_278), RECIPIENT)
    assert with_payer(TaxFormName.W2G, state, replace(PAYER, state_id="123"))["13"] == "NJ 123"
    assert (state["14"], state["15"]) == ("2426.05", "72.78")
    right = corrected_boxes(
        TaxFormName.W2G, state, RECIPIENT, reportable_cents=100, federal_cents=24, state_cents=3
    )
    assert (right["1"], right["4"], right["15"]) == ("1.00", "0.24", "0.03")
    abroad = replace(RECIPIENT, tax_country="DE", born_on=date(1970, 1, 2))
    form = f1042s_boxes(replace(PAID, federal_cents=1, rate_basis_points=3_000), abroad)
    assert (form["13l"], form["winner_born_on"]) == ("19700102", "1970-01-02")
    treaty = f1042s_boxes(replace(PAID, nonresident=Nonresident.TREATY), abroad)
    assert (form["3a"], treaty["3a"]) == ("00", "04")
    assert set(F1042S_BOXES) <= set(form)
    named = with_payer(TaxFormName.F1042S, form, PAYER)
    assert (named["12a"], named["12i"]) == ("12-3456789", "Reno, NV, 89501")
    nowhere = replace(PAYER, region="", postal_code="")
    assert with_payer(TaxFormName.F1042S, form, nowhere)["12i"] == "Reno"
    fixed = corrected_boxes(
        TaxFormName.F1042S, form, RECIPIENT, reportable_cents=100, federal_cents=30, state_cents=0
    )
    assert (fixed["2"], fixed["10"], fixed["13l"]) == ("1.00", "0.30", "")
    assert [form_issue.value for form_issue in FormIssue] == ["original", "corrected", "void"]


def test_the_defaults_of_the_book_are_those_of_the_rules() -> None:
    assert SettingsInForce({}).tax == HouseTax()
    set_by_house = SettingsInForce({"tax.state": "NJ", "tax.report_from": 210_000}).tax
    assert (set_by_house.state, set_by_house.report_cents) == ("NJ", 210_000)


@pytest.mark.parametrize(
    ("marks", "steps"),
    [
        ([], ["papers_prepared"]),
        ([WINNER_SIGNS], ["papers_prepared", "winner_signed"]),
        ([HOUSE_DECIDES], ["papers_prepared", "treatment_decided"]),
    ],
)
def test_papers_are_signed_by_whom_the_win_needs(marks: list[str], steps: list[str]) -> None:
    plan = TAX_PAPERS_KIND.plan(PlanFacts({}, marks=frozenset(marks)))
    main = [step for step in plan if step["track"] == "main"]
    assert [step["name"] for step in main] == steps
    # Whoever signs last lets the jackpot be paid.
    assert [step["then"] for step in main][-1] == "tax_papers_complete"


def test_the_export_has_a_value_for_each_column() -> None:
    boxes = w2g_boxes(replace(PAID, wager="=1+1"), RECIPIENT)
    row = dict(zip(export_head(TaxFormName.W2G), export_row(TaxFormName.W2G, boxes), strict=True))
    assert row["box_1_reportable_winnings"] == "2426.05"
    assert row["box_3_type_of_wager"] == "'=1+1"
    assert row["payer_tin"] == ""
