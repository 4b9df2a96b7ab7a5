"""Tax papers: opened with the hit, complete before anything is paid, right to the cent."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from django.db import Error, connection
from django.urls import reverse

from inventory.models import CashEntry, CurrencyReport
from inventory.services.patrons import NewDocument, change_patron
from jackpots.kinds import tax_papers as kind_of_papers
from jackpots.models import Jackpot, JackpotPayment, TaxForm
from jackpots.services.tax_papers import WinnerClaim
from pitboss.models import FloorException, Slip
from pitboss.rules.flows.drawn import Drawn
from pitboss.rules.flows.flows import Track
from pitboss.rules.patrons.patrons import DocumentKind
from pitboss.rules.tax.win import Nonresident
from pitboss.services.signing import Entry
from pitboss.services.verification import verify
from tests.floor.cast import Cast, ServerClock, refused
from tests.floor.house import change
from tests.floor.jackpots import COLOURED, MIXED, SUITED, hit, open_tables, pay, reject, released
from tests.floor.markers import KEYED, STROKES
from tests.floor.tablets import signed_in, words
from tests.floor.tax_papers import IDS, SSN, claim, complete, make_winner, prepare, winner_signs
from tests.races import at_once, hold_before, refusals

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("server_clock"),
]
PASSPORT = NewDocument(DocumentKind.PASSPORT, number="C01X00T47", issuer="DE")
ABROAD: dict[str, Any] = {"tax_country": "DE", "country": "DE", "tax_id": "", "region": ""}


def due() -> list[str]:
    """Return the jackpots whose papers are on somebody's list."""
    found = FloorException.objects.filter(code="tax_papers", resolved_at=None).order_by("pk")
    return [floor_exception.details["jackpot"] for floor_exception in found]


def test_a48_only_a_win_that_owes_papers_asks_for_them_and_at_once(cast: Cast) -> None:
    open_tables(cast)
    thousand = hit(cast, MIXED, seat=2)
    tenth = hit(cast, COLOURED, seat=1)
    # Nobody has verified either yet: the papers wait for nothing.
    assert due() == [tenth.serial]
    waiting = FloorException.objects.get(code="tax_papers").waits.get(until=None)
    assert waiting.by == ["supervisor", "cashier"]
    released(cast, thousand)
    pay(cast, thousand, by=cast.bob)
    assert JackpotPayment.objects.get().withheld_cents == 0
    assert not TaxForm.objects.exists()
    assert not CashEntry.objects.exists()


def test_a48_nothing_is_paid_before_the_papers_are_complete(cast: Cast) -> None:
    open_tables(cast)
    slip = hit(cast, COLOURED)
    released(cast, slip)
    with refused("tax_papers_incomplete"):
        pay(cast, slip)
    patron = make_winner(cast)
    papers = complete(cast, slip, patron)
    assert papers.status == "done"
    assert due() == []
    pay(cast, slip)
    form = TaxForm.objects.get()
    assert (form.form, form.issue, form.tax_year) == ("W-2G", "original", 2026)
    assert form.boxes["1"] == "2426.05"
    assert (form.federal_cents, form.boxes["4"]) == (0, "0.00")
    assert JackpotPayment.objects.get().paid_cents == 243_105
    assert verify().findings == []


def test_a48_a_number_stands_nowhere_in_the_clear(cast: Cast) -> None:
    open_tables(cast)
    slip = hit(cast, COLOURED)
    released(cast, slip)
    complete(cast, slip, make_winner(cast))
    pay(cast, slip)
    form = TaxForm.objects.get()
    assert form.masked_tin == "•••6789"
    digits = SSN.replace("-", "")
    with connection.cursor() as cursor:
        for table in ("jackpots_taxform", "jackpots_taxpdf", "pitboss_slip", "pitboss_signature"):
            cursor.execute(
                f"SELECT count(*) FROM {table} AS r WHERE r::text LIKE %s", [f"%{digits}%"]
            )
            assert cursor.fetchone() == (0,), table
        for document in IDS:
            cursor.execute(
                "SELECT count(*) FROM jackpots_taxform AS r WHERE r::text LIKE %s",
                [f"%{document.number}%"],
            )
            assert cursor.fetchone() == (0,)


def test_a_win_above_five_thousand_is_withheld_from_and_signed_by_the_winner(cast: Cast) -> None:
    open_tables(cast)
    slip = hit(cast, SUITED)
    papers = prepare(cast, slip, claim(slip, make_winner(cast)))
    assert papers.details["declarations"] == ["w2g"]
    released(cast, slip)
    with refused("tax_papers_incomplete"):
        pay(cast, slip)
    with refused("id_not_matched"):
        cast.sign(papers, "winner_signed", cast.alice, entry=Entry(drawn=Drawn(STROKES, None)))
    winner_signs(cast, papers)
    pay(cast, slip)
    payment, form = JackpotPayment.objects.get(), TaxForm.objects.get()
    # 24% of $24,310.55 less the $5 wager.
    assert form.federal_cents == payment.withheld_cents == 583_333
    assert payment.paid_cents == 2_431_055 - 583_333
    assert form.boxes["11"] == "driver license NJ"
    assert form.number_ciphers.keys() == {"9", "11", "12"}
    assert form.boxes["3"] == "BLAZING 7'S"
    assert verify().findings == []


def test_without_a_number_backup_tax_is_withheld_and_nobody_signs(cast: Cast) -> None:
    open_tables(cast)
    slip = hit(cast, COLOURED)
    released(cast, slip)
    papers = complete(cast, slip, make_winner(cast, tax_id=""))
    assert papers.details["declarations"] == []
    pay(cast, slip)
    form = TaxForm.objects.get()
    # 24% of $2,431.05 less the wager.
    assert (form.withholding, form.federal_cents) == ("backup", 58_225)
    assert form.masked_tin == ""


def test_a_w9_that_is_signed_counts_as_the_second_identification(cast: Cast) -> None:
    open_tables(cast)
    slip = hit(cast, COLOURED)
    patron = make_winner(cast, ids=IDS[:1])
    with refused("identification_missing"):
        prepare(cast, slip, claim(slip, patron))
    papers = prepare(cast, slip, claim(slip, patron, signs_w9=True))
    assert papers.details["declarations"] == ["w9"]
    assert papers.status == "open"
    winner_signs(cast, papers)
    released(cast, slip)
    pay(cast, slip)
    assert TaxForm.objects.get().boxes["12"] == "W-9"


def test_what_the_state_withholds_stands_on_its_line(cast: Cast) -> None:
    open_tables(cast)
    change(cast, "tax.state", "NJ")
    slip = hit(cast, SUITED)
    released(cast, slip)
    complete(cast, slip, make_winner(cast))
    pay(cast, slip)
    form = TaxForm.objects.get()
    # 3% of the winnings beyond the wager.
    assert (form.state, form.state_cents, form.boxes["15"]) == ("NJ", 72_917, "729.17")
    assert JackpotPayment.objects.get().withheld_cents == 583_333 + 72_917


def test_the_last_step_is_headed_by_what_the_winner_receives(cast: Cast) -> None:
    open_tables(cast)
    change(cast, "tax.state", "NJ")
    slip = hit(cast, SUITED)
    released(cast, slip)
    client, url = signed_in(cast.alice, cast), reverse("slip", args=[slip.serial])
    assert "Pay the winner" not in words(client.get(url)), "the forms are not complete"
    complete(cast, slip, make_winner(cast))
    page = words(client.get(url))
    # 24,310.55 - 5,833.33 - 729.17
    assert '<b class="meter meter--net">$17,748.05</b>' in page
    assert "Seventeen thousand seven hundred forty-eight dollars and 05/100" in page
    for line in ("$24,310.55", "−$5,833.33", "−$729.17"):
        assert f'<dd class="num">{line}</dd>' in page
    pay(cast, slip)
    assert "Pay the winner" not in words(client.get(url))


def test_a_shared_win_has_one_form_a_winner_on_the_declaration_of_who_is_paid(cast: Cast) -> None:
    open_tables(cast)
    slip = hit(cast, SUITED)
    released(cast, slip)
    ana = make_winner(cast)
    bea = make_winner(cast, "Bea", "Lund", tax_id="234-56-7890", ids=())
    first = claim(slip, ana, share_cents=1_431_055)
    second = WinnerClaim(bea.pk, 1_000_000)
    with refused("shares_differ"):
        prepare(cast, slip, first, WinnerClaim(bea.pk, 999_999))
    with refused("winner_twice", journal=()):
        prepare(cast, slip, first, WinnerClaim(ana.pk, 1_000_000))
    papers = prepare(cast, slip, first, second)
    assert papers.details["declarations"] == ["5754"]
    winner_signs(cast, papers)
    pay(cast, slip)
    forms = TaxForm.objects.order_by("pk")
    assert [form.patron for form in forms] == [ana, bea]
    # The win is tested as a whole, and the parts of its tax add up to it.
    assert sum(form.federal_cents for form in forms) == 583_333
    assert sum(form.reportable_cents for form in forms) == 2_430_555
    assert verify().findings == []


def test_a_non_resident_waits_for_a_decision_and_gets_a_1042_s(cast: Cast) -> None:
    open_tables(cast)
    slip = hit(cast, SUITED)
    released(cast, slip)
    otto = make_winner(cast, "Otto", "Weiss", ids=(*IDS, PASSPORT), **ABROAD)
    with refused("treatment_missing"):
        prepare(cast, slip, claim(slip, otto))
    papers = prepare(cast, slip, claim(slip, otto, treatment=Nonresident.WITHHOLD_30))
    with refused("tax_papers_incomplete"):
        pay(cast, slip)
    with refused("reason_missing"):
        cast.sign(papers, "treatment_decided", cast.heidi)
    cast.sign(papers, "treatment_decided", cast.heidi, entry=Entry(reason="As our adviser says."))
    pay(cast, slip)
    form = TaxForm.objects.get()
    # 30% of all that is received: a non-resident deducts no wager.
    assert (form.form, form.federal_cents) == ("1042-S", 729_317)
    assert form.boxes["3a"] == "00"
    assert form.boxes["3b"] == "30.00"
    assert form.boxes["13b"] == "DE"


def test_a_treaty_claim_takes_a_w8ben_and_a_number(cast: Cast) -> None:
    open_tables(cast)
    slip = hit(cast, SUITED)
    released(cast, slip)
    otto = make_winner(
        cast,
        "Otto",
        "Weiss",
        ids=(PASSPORT, *IDS),
        **{**ABROAD, "tax_id": "12345678901", "tax_id_kind": "foreign"},
    )
    papers = prepare(cast, slip, claim(slip, otto, signs_w8ben=True))
    assert papers.details["declarations"] == ["w8ben"]
    winner_signs(cast, papers)
    pay(cast, slip)
    form = TaxForm.objects.get()
    assert (form.federal_cents, form.boxes["3a"], form.boxes["3b"]) == (0, "04", "0.00")
    assert form.number_ciphers.keys() == {"13i"}


def test_papers_are_refused_for_all_that_is_missing(cast: Cast) -> None:
    open_tables(cast)
    change(cast, "tax.nonresident", "withhold_30")
    slip = hit(cast, COLOURED)
    nobody = make_winner(cast, "Bo", "Ek", tax_id="", ids=IDS[1:], street="")
    with refused("identification_missing", "photo_id_missing", "address_missing"):
        prepare(cast, slip, claim(slip, nobody))
    otto = make_winner(cast, "Otto", "Weiss", **ABROAD, born_on="")
    with refused("birth_missing", "passport_missing"):
        prepare(cast, slip, claim(slip, otto))
    unnumbered = make_winner(cast, "Al", "Po", tax_id="")
    with refused("tax_id_missing"):
        prepare(cast, slip, claim(slip, unnumbered, signs_w9=True))
    theirs = claim(slip, nobody).document_ids
    with refused("id_not_valid", "identification_missing", "photo_id_missing"):
        prepare(cast, slip, claim(slip, unnumbered, document_ids=theirs))


def test_papers_on_another_award_year_or_file_are_no_papers(
    cast: Cast, server_clock: ServerClock
) -> None:
    open_tables(cast)
    slip = hit(cast, COLOURED)
    patron = make_winner(cast)
    complete(cast, slip, patron)
    released(cast, slip)
    moved = {"first_name": "Ana", "last_name": "Ruiz", **KEYED, "born_on": "1980-02-03"}
    change_patron(
        patron_id=patron.pk, keyed={**moved, "street": "9 Elm St"}, pen=cast.pen(cast.alice)
    )
    with refused("tax_papers_outdated"):
        pay(cast, slip)
    complete(cast, slip, patron)
    change(cast, "tax.backup_rate", "28%")
    change(cast, "tax.basis", "gross")
    with refused("tax_papers_outdated"):
        pay(cast, slip)
    complete(cast, slip, patron)
    pay(cast, slip)
    assert TaxForm.objects.get().boxes["1"] == "2431.05"


def test_a_win_of_new_years_eve_that_is_paid_after_it_is_of_the_new_year(
    cast: Cast, server_clock: ServerClock
) -> None:
    server_clock.now = datetime(2027, 1, 1, 4, 30, tzinfo=UTC)  # 23:30 in New York.
    open_tables(cast)
    slip = hit(cast, COLOURED)
    server_clock.move(hours=2)
    patron = make_winner(cast)
    papers = complete(cast, slip, patron)
    assert any("Provisional" in line for line in papers.details["winners"][0]["working"])
    released(cast, slip)
    pay(cast, slip)
    form = TaxForm.objects.get()
    assert (form.tax_year, form.won_on.isoformat(), form.paid_on.isoformat()) == (
        2027,
        "2026-12-31",
        "2027-01-01",
    )
    assert form.boxes["2"] == "2026-12-31"


def test_a_figure_that_moved_asks_for_papers_again(cast: Cast) -> None:
    open_tables(cast)
    first, second = hit(cast, SUITED, seat=5), hit(cast, SUITED, seat=1)
    complete(cast, second, make_winner(cast))
    assert due() == [first.serial]
    # Alone, the second hit takes all of the meter: its papers were over half of it.
    reject(cast, first)
    assert due() == [second.serial]
    released(cast, second)
    with refused("tax_papers_outdated"):
        pay(cast, second)


def test_papers_under_way_are_voided_by_two_before_others_begin(cast: Cast) -> None:
    open_tables(cast)
    slip = hit(cast, SUITED)
    patron = make_winner(cast)
    papers = prepare(cast, slip, claim(slip, patron))
    with refused("already_prepared"):
        prepare(cast, slip, claim(slip, patron))
    wrong = Entry(reason="The wrong Ruiz.")
    cast.sign(papers, "papers_voided", cast.alice, entry=wrong, track=Track.VOID)
    cast.sign(papers, "void_agreed", cast.carol, track=Track.VOID)
    assert prepare(cast, slip, claim(slip, patron)).serial != papers.serial
    assert due() == [slip.serial]


def test_two_who_prepare_the_papers_at_once_prepare_one(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_tables(cast)
    slip = hit(cast, SUITED)
    winner = claim(slip, make_winner(cast))
    hold_before(monkeypatch, kind_of_papers, "preparing_refusals")
    results = at_once(
        lambda: prepare(cast, slip, winner),
        lambda: prepare(cast, slip, winner, by=cast.bob),
    )
    assert refusals(results) == [("already_prepared", "stale_screen")]
    assert Slip.objects.filter(kind="tax_papers").count() == 1


def test_papers_of_a_rejected_jackpot_are_neither_signed_nor_due(cast: Cast) -> None:
    open_tables(cast)
    slip = hit(cast, SUITED)
    patron = make_winner(cast)
    papers = prepare(cast, slip, claim(slip, patron))
    reject(cast, slip)
    assert due() == []
    with refused("slip_closed"):
        winner_signs(cast, papers)
    with refused("slip_closed", "already_prepared"):
        prepare(cast, slip, claim(slip, patron))


def test_cash_from_the_cage_counts_with_the_winners_day(cast: Cast) -> None:
    open_tables(cast)
    slip = hit(cast, SUITED)
    released(cast, slip)
    patron = make_winner(cast)
    complete(cast, slip, patron)
    pay(cast, slip, "cage")
    entry = CashEntry.objects.get()
    assert (entry.kind, entry.direction, entry.patron) == ("jackpot", "out", patron)
    assert entry.amount_cents == JackpotPayment.objects.get().paid_cents
    assert CurrencyReport.objects.get().patron == patron


def test_a_bank_cheque_is_no_cash(cast: Cast) -> None:
    open_tables(cast)
    slip = hit(cast, COLOURED)
    released(cast, slip)
    complete(cast, slip, make_winner(cast))
    pay(cast, slip, "bank_cheque")
    assert not CashEntry.objects.exists()


def test_the_database_pays_nothing_while_papers_are_due(cast: Cast) -> None:
    open_tables(cast)
    slip = hit(cast, COLOURED)
    released(cast, slip)
    jackpot = Jackpot.objects.get(slip=slip)
    with pytest.raises(Error, match="papers of this jackpot"):
        JackpotPayment.objects.create(
            jackpot=jackpot,
            source="cage",
            award_cents=243_105,
            paid_cents=243_105,
            gaming_day=slip.gaming_day,
            at=slip.raised_at,
        )


def test_the_database_keeps_forms_as_they_went_out(cast: Cast) -> None:
    open_tables(cast)
    slip = hit(cast, COLOURED)
    released(cast, slip)
    complete(cast, slip, make_winner(cast))
    pay(cast, slip)
    form = TaxForm.objects.get()
    with pytest.raises(Error, match=r"never changed|permission denied"):
        TaxForm.objects.filter(pk=form.pk).update(federal_cents=1)
    with pytest.raises(Error, match="two people signed"):
        TaxForm.objects.create(
            **{
                concrete_field.attname: getattr(form, concrete_field.attname)
                for concrete_field in TaxForm._meta.concrete_fields
                if concrete_field.attname not in ("id", "issue", "number", "replaces_id", "reason")
            },
            issue="void",
            number=1,
            replaces=form,
            reason="Nobody signed this.",
        )
