"""Form 112 in full: parties, sums, two signatures, one batch, its BSA ID, and amendments."""

from __future__ import annotations

import csv
import io
from typing import Any
from uuid import uuid4
from xml.etree import ElementTree

import pytest
from django.db import DatabaseError, transaction
from django.urls import reverse
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from inventory.models import (
    CashBehalf,
    CashEntry,
    CtrBatch,
    CtrBatchForm,
    CtrForm,
    CurrencyReport,
    CurrencyReportClosing,
    ExclusionCase,
    Patron,
    SuspicionNote,
)
from inventory.selectors.cash_log import DayPerson, day_sum
from inventory.services.behalf import tell_behalf
from inventory.services.ctr import (
    Answers,
    cash_behind,
    export_batch,
    form_in,
    is_stale,
    read_batch,
)
from inventory.services.currency_reports import file_reports
from pitboss.models import JournalEntry, Slip
from pitboss.rules.flows.flows import Track
from pitboss.rules.patrons.cash_log import CashKind, Direction
from pitboss.rules.patrons.ctr import PartyRole, whole_dollars
from pitboss.rules.patrons.fincen_schema import faults, tag
from pitboss.rules.refusal import Refused
from pitboss.rules.roles import Place
from pitboss.services import house
from pitboss.services.signing import Entry
from pitboss.services.verification import verify
from tests.floor.cash_log import RED_JACKET, log, make_patron, take_back, today
from tests.floor.cast import Cast, ServerClock, refused
from tests.floor.currency_reports import (
    BSA_ID,
    answers_of,
    approve,
    complete,
    export,
    file,
    file_whole,
    make_company,
    make_known,
    name_filer,
    write_out,
)
from tests.floor.exclusion import put_on
from tests.floor.tablets import signed_in, signing, words

pytestmark = pytest.mark.django_db(transaction=True)
REFUSED = ("act_refused",)


def behalf(cast: Cast, entry: CashEntry, patron: Patron | None) -> CashBehalf:
    return tell_behalf(entry_id=entry.pk, patron=patron, pen=cast.pen(cast.erin, Place.CAGE))


@pytest.fixture
def tom(cast: Cast) -> Patron:
    return make_known(cast, "Tom", "Reed", "219-09-9999", "1971-03-04")


@pytest.fixture
def jane(cast: Cast) -> Patron:
    return make_known(cast, "Jane", "Reed", "219-09-9998", "1973-05-06")


def xml_of(cast: Cast, batch: CtrBatch) -> bytes:
    return read_batch(batch=batch, by=cast.petra, device=None, shape="xml")


def texts(content: bytes, name: str) -> list[str]:
    return [
        element_tree.text or "" for element_tree in ElementTree.fromstring(content).iter(tag(name))
    ]


def test_a140_cash_for_somebody_else_has_parties_17_and_23_and_one_valid_batch(
    cast: Cast, tom: Patron, jane: Patron, server_clock: ServerClock
) -> None:
    for dollars in (7_000, 5_000):
        log(cast, tom, dollars, behalf=jane)
    of_tom, of_jane = CurrencyReport.objects.order_by("id")
    assert (of_tom.patron, of_jane.patron) == (tom, jane)
    server_clock.move(days=1)
    told = {f"p{patron.pk}": answers_of(patron) for patron in (tom, jane)}
    form = form_in(write_out(of_tom, cast.erin, told))
    assert [(party.role.value, party.name, party.in_dollars) for party in form.parties] == [
        ("17", "Tom Reed", 12_000),
        ("23", "Jane Reed", 12_000),
    ]
    assert (form.multiple, form.aggregated, form.details) == (True, False, {"18": 12_000})
    approve(cast, of_tom, answers=told)
    batch = export(cast)
    content = xml_of(cast, batch)
    assert faults(content) == []
    assert texts(content, "ActivityPartyTypeCode")[-2:] == ["17", "23"]
    assert texts(content, "MultipleTransactionsPersonsIndividualsIndicator") == ["Y", "Y"]
    assert texts(content, "AggregateTransactionIndicator") == [""]
    assert texts(content, "TotalCashInReceiveAmountText") == ["12000"]
    assert "219099999" in texts(content, "PartyIdentificationNumberText")
    # Exported twice it is the same batch, to the byte.
    again = export(cast)
    assert (again, xml_of(cast, again)) == (batch, content)
    rows = list(
        csv.DictReader(
            io.StringIO(read_batch(batch=batch, by=cast.petra, device=None, shape="csv").decode())
        )
    )
    assert [(row["role"], row["last_name"], row["cash_in"]) for row in rows] == [
        ("17", "Reed", "12000"),
        ("23", "Reed", "12000"),
    ]
    assert verify().is_sound


def test_own_cash_and_cash_for_another_are_two_parts_of_one_person(
    cast: Cast, tom: Patron, jane: Patron, server_clock: ServerClock
) -> None:
    log(cast, tom, 7_000)
    entry = log(cast, tom, 5_000)
    behalf(cast, entry, jane)
    server_clock.move(days=1)
    form = form_in(write_out(CurrencyReport.objects.get(patron=tom), cast.erin))
    assert [(party.role, party.key, party.in_dollars) for party in form.parties] == [
        (PartyRole.OWN, f"p{tom.pk}", 7_000),
        (PartyRole.FOR_ANOTHER, f"p{tom.pk}", 5_000),
        (PartyRole.ON_BEHALF, f"p{jane.pk}", 5_000),
    ]


def test_a_company_that_two_people_bring_cash_for_is_reported(
    cast: Cast, tom: Patron, jane: Patron, server_clock: ServerClock
) -> None:
    acme = make_company(cast)
    log(cast, tom, 6_000, behalf=acme)
    assert not CurrencyReport.objects.exists()
    log(cast, jane, 6_000, behalf=acme)
    report = CurrencyReport.objects.get()
    assert report.patron == acme
    server_clock.move(days=1)
    told = {f"p{patron.pk}": answers_of(patron) for patron in (tom, jane, acme)}
    approve(cast, report, answers=told)
    content = xml_of(cast, export(cast))
    assert faults(content) == []
    assert texts(content, "ActivityPartyTypeCode")[-3:] == ["17", "17", "23"]
    assert texts(content, "PartyAsEntityOrganizationIndicator") == ["Y"]
    # Item 3: several by or for the company, one by each of the two.
    assert [party.multiple for party in form_in(CtrForm.objects.get()).parties] == [
        False,
        False,
        True,
    ]
    assert texts(content, "MultipleTransactionsPersonsIndividualsIndicator") == ["Y"]
    assert "Acme Poultry LLC" in texts(content, "RawEntityIndividualLastName")
    assert "127654321" in texts(content, "PartyIdentificationNumberText")


def test_a_person_who_was_only_described_has_item_24_and_unknown_marks(
    cast: Cast, server_clock: ServerClock
) -> None:
    first = log(cast, RED_JACKET, 9_900)
    assert first.stranger is not None
    log(cast, first.stranger, 9_900)
    server_clock.move(days=1)
    report = CurrencyReport.objects.get()
    approve(cast, report)
    content = xml_of(cast, export(cast))
    assert faults(content) == []
    assert texts(content, "AggregateTransactionIndicator") == ["Y"]
    assert texts(content, "EntityLastNameUnknownIndicator") == ["Y"]


def test_both_directions_of_a_day_are_one_form_and_one_filing(
    cast: Cast, tom: Patron, server_clock: ServerClock
) -> None:
    log(cast, tom, 11_000)
    log(cast, tom, 12_962, kind=CashKind.CASH_OUT, amount_cents=1_296_226)
    server_clock.move(days=1)
    reports = list(CurrencyReport.objects.order_by("id"))
    approve(cast, reports[0])
    content = xml_of(cast, export(cast))
    # F26: in whole dollars, rounded up.
    assert texts(content, "TotalCashOutAmountText") == ["12963"]
    assert texts(content, "TotalCashInReceiveAmountText") == ["11000"]
    closings = file(cast, reports[0])
    assert [closing.report for closing in closings] == reports
    assert not CurrencyReport.objects.filter(closing=None).exists()
    assert verify().is_sound


def test_a_direction_under_the_limit_is_not_reported(
    cast: Cast, tom: Patron, server_clock: ServerClock
) -> None:
    log(cast, tom, 11_000)
    log(cast, tom, 9_000, kind=CashKind.CASH_OUT)
    server_clock.move(days=1)
    form = form_in(write_out(CurrencyReport.objects.get(), cast.erin))
    assert (form.in_dollars, form.out_dollars) == (11_000, 0)


def test_a141_two_people_sign_and_a_bsa_id_closes(
    cast: Cast, tom: Patron, server_clock: ServerClock
) -> None:
    log(cast, tom, 11_000)
    server_clock.move(days=1)
    report = CurrencyReport.objects.get()
    slip = complete(cast, write_out(report, cast.petra), by=cast.petra)
    with refused("signed_before"):
        cast.sign(slip, "approved", cast.petra, Place.OFFICE)
    with refused("wrong_role"):
        cast.sign(slip, "approved", cast.trent, Place.CAGE)
    decline(cast, slip)
    approve(cast, report)
    export(cast)
    for bsa_id in ("", "123", "3100000000012X"):
        with pytest.raises(Refused) as error:
            file(cast, report, bsa_id)
        assert error.value.codes == ("bsa_id_malformed",)
    with pytest.raises(Refused) as error:
        file(cast, report, by=cast.trent)
    assert error.value.codes == ("wrong_role",)
    (closing,) = file(cast, report)
    assert file(cast, report) == [closing]
    with pytest.raises(Refused) as error:
        file(cast, report, "31000000000999")
    assert error.value.codes == ("already_closed",)


def test_a141_a_report_warns_on_day_13_and_is_red_on_day_16(
    cast: Cast, tom: Patron, server_clock: ServerClock
) -> None:
    log(cast, tom, 11_000)
    own = reverse("compliance")
    for days, said in ((12, "chip--half"), (1, "chip--wait"), (3, "chip--bad")):
        server_clock.move(days=days)
        page = words(signed_in(cast.petra, cast, Place.OFFICE).get(own))
        assert f'class="chip {said}"' in " ".join(page.split())
    assert "Overdue" in page


def test_a_form_whose_cash_changed_is_completed_again(
    cast: Cast, tom: Patron, server_clock: ServerClock
) -> None:
    log(cast, tom, 11_000)
    small = log(cast, tom, 500)
    server_clock.move(days=1)
    report = CurrencyReport.objects.get()
    form = write_out(report, cast.erin)
    slip = complete(cast, form)
    take_back(cast, small)
    assert is_stale(CtrForm.objects.get())
    with refused("form_stale"):
        cast.sign(slip, "approved", cast.petra, Place.OFFICE)
    with refused("form_stale", "already_proposed"):
        complete(cast, form)
    decline(cast, slip)
    approve(cast, report)
    take_back(cast, log_of(tom, 1_100_000))
    name_filer(cast)
    with pytest.raises(Refused) as error:
        export(cast)
    assert error.value.codes == ("form_stale",)


def decline(cast: Cast, slip: Slip) -> None:
    entry = Entry(reason="Wrong occupation.")
    cast.sign(slip, "refused", cast.petra, Place.OFFICE, entry=entry, track=Track.VOID)


def log_of(patron: Patron, cents: int) -> CashEntry:
    return CashEntry.objects.get(patron=patron, amount_cents=cents, reverses=None)


def test_a_filed_report_whose_cash_is_reversed_opens_an_amendment_that_names_it(
    cast: Cast, tom: Patron, server_clock: ServerClock
) -> None:
    log(cast, tom, 11_000)
    small = log(cast, tom, 500)
    server_clock.move(days=1)
    first = CurrencyReport.objects.get()
    file_whole(cast, first)
    take_back(cast, small)
    second = CurrencyReport.objects.get(amends=first)
    with pytest.raises(Refused) as error:
        write_out(second, cast.erin)
    assert error.value.codes == ("prior_missing",)
    approve(cast, second, prior_bsa_id=BSA_ID)
    content = xml_of(cast, export(cast))
    assert faults(content) == []
    assert texts(content, "EFilingPriorDocumentNumber") == [BSA_ID]
    assert texts(content, "CorrectsAmendsPriorReportIndicator") == ["Y"]
    file(cast, second, "31000000000124")
    # Less than the limit after all: what was filed is wrong all the same.
    take_back(cast, log_of(tom, 1_100_000))
    third = CurrencyReport.objects.get(amends=second)
    assert third.sum_cents == 0
    assert verify().is_sound


def test_other_people_than_a_filed_report_says_open_an_amendment(
    cast: Cast, tom: Patron, jane: Patron, server_clock: ServerClock
) -> None:
    entry = log(cast, tom, 11_000)
    server_clock.move(days=1)
    first = CurrencyReport.objects.get()
    file_whole(cast, first)
    behalf(cast, entry, jane)
    assert CurrencyReport.objects.get(amends=first).patron == tom
    assert CurrencyReport.objects.get(patron=jane).amends is None


def test_on_whose_behalf_is_told_once_and_never_of_oneself(
    cast: Cast, tom: Patron, jane: Patron
) -> None:
    entry = log(cast, tom, 4_000)
    with refused("behalf_is_own", journal=REFUSED):
        behalf(cast, entry, tom)
    with refused("nothing_changes", journal=REFUSED):
        behalf(cast, entry, None)
    pen = cast.pen(cast.erin, Place.CAGE)
    # The cash has changed hands already: it is told, and the case of who is on a list opens.
    put_on(cast, "SX-1,Reed,Jane,,1973-05-06,,,,,")
    row = tell_behalf(entry_id=entry.pk, patron=jane, pen=pen)
    assert ExclusionCase.objects.get().patron == jane
    assert tell_behalf(entry_id=entry.pk, patron=jane, pen=pen) == row
    with refused("request_reused", journal=REFUSED):
        tell_behalf(entry_id=entry.pk, patron=None, pen=pen)
    with refused("wrong_role", journal=REFUSED):
        tell_behalf(entry_id=entry.pk, patron=None, pen=cast.pen(cast.frank))
    with refused("unknown_entry", journal=REFUSED):
        tell_behalf(entry_id=entry.pk + 9, patron=None, pen=cast.pen(cast.erin, Place.CAGE))
    assert day_sum(DayPerson(jane), today(), Direction.IN) == 400_000
    behalf(cast, entry, None)
    assert day_sum(DayPerson(jane), today(), Direction.IN) == 0
    take_back(cast, entry)
    with refused("already_reversed", journal=REFUSED):
        behalf(cast, CashEntry.objects.get(pk=entry.pk), jane)
    with refused("behalf_is_own", journal=REFUSED):
        log(cast, tom, 100, behalf=tom)


def test_what_a_form_lacks_is_said_item_by_item(
    cast: Cast, tom: Patron, server_clock: ServerClock
) -> None:
    plain = make_patron(cast, "Ann", "Bare")
    log(cast, plain, 11_000)
    server_clock.move(days=1)
    with pytest.raises(Refused) as error:
        write_out(CurrencyReport.objects.get(), cast.erin, {f"p{plain.pk}": Answers()})
    assert set(error.value.codes) == {"ctr_item_missing"}
    assert next(refusal.message for refusal in error.value.refusals) == (
        "Ann Bare: enter the address, or check it as not known."
    )
    assert len(error.value.refusals) == 5
    assert not CtrForm.objects.exists()


def test_a_form_is_not_signed_while_the_day_runs_and_saved_once(cast: Cast, tom: Patron) -> None:
    log(cast, tom, 11_000)
    report = CurrencyReport.objects.get()
    form = write_out(report, cast.erin)
    with refused("day_still_runs"):
        complete(cast, form)
    take_back(cast, CashEntry.objects.get())
    with pytest.raises(Refused) as error:
        write_out(report, cast.erin)
    assert error.value.codes == ("nothing_to_report",)


def test_nothing_leaves_unsigned_unnamed_or_by_someone_else(
    cast: Cast, tom: Patron, server_clock: ServerClock
) -> None:
    log(cast, tom, 11_000)
    server_clock.move(days=1)
    report = CurrencyReport.objects.get()

    def leave(by: Any = None) -> CtrBatch:
        return export_batch(by=by or cast.petra, device=None, request_id=uuid4())

    for by, code in ((cast.petra, "nothing_to_export"), (cast.trent, "wrong_role")):
        with pytest.raises(Refused) as error:
            leave(by)
        assert error.value.codes == (code,)
    slip = complete(cast, write_out(report, cast.erin))
    with pytest.raises(Refused) as error:
        leave()
    assert error.value.codes == ("nothing_to_export",)
    cast.sign(slip, "approved", cast.petra, Place.OFFICE)
    with pytest.raises(Refused) as error:
        leave()
    assert error.value.codes == ("filer_unknown",)
    with pytest.raises(Refused) as error:
        file_reports(
            form=CtrForm.objects.get(),
            bsa_id=BSA_ID,
            filed_on=house.now().date(),
            by=cast.petra,
            device=None,
            request_id=uuid4(),
        )
    assert error.value.codes == ("not_exported",)


def test_the_database_lets_nothing_leave_unsigned_and_nothing_be_filed_that_did_not_leave(
    cast: Cast, tom: Patron, server_clock: ServerClock
) -> None:
    log(cast, tom, 11_000)
    server_clock.move(days=1)
    report = CurrencyReport.objects.get()
    form = write_out(report, cast.erin)
    slip = complete(cast, form)
    batch = CtrBatch(
        content_cipher="x",
        file_sha256="x",
        filing_on=today(),
        made_by=cast.petra,
        made_at=house.now(),
        request_id=uuid4(),
    )
    batch.save()
    with pytest.raises(DatabaseError, match="no slip signed"), transaction.atomic():
        CtrBatchForm.objects.create(batch=batch, form=form, slip=slip)
    with pytest.raises(DatabaseError, match="filed by a form"), transaction.atomic():
        CurrencyReportClosing.objects.create(
            report=report,
            outcome="filed",
            filer="P",
            filed_on=today(),
            reference=BSA_ID,
            sum_cents=1,
            closed_by=cast.petra,
            closed_at=house.now(),
            request_id=uuid4(),
        )


def test_the_pages_lead_from_the_desk_to_a_filed_report(
    cast: Cast, tom: Patron, server_clock: ServerClock
) -> None:
    log(cast, tom, 11_000)
    server_clock.move(days=1)
    name_filer(cast)
    report = CurrencyReport.objects.get()
    cage = signed_in(cast.erin, cast, Place.CAGE)
    own = reverse("ctr-form", args=[report.pk])
    assert own in words(cage.get(f"/cash/2026-05-01/people/p{tom.pk}/"))
    page = words(cage.get(own))
    key = f"p{tom.pk}"
    posted = {"request_id": uuid4(), f"{key}-sex": "M"}
    lacks = cage.post(own, posted)
    assert lacks.status_code == 422
    assert "Tom Reed: enter the occupation" in words(lacks)
    document = tom.documents.get().pk
    posted |= {
        f"{key}-occupation": "Dentist",
        f"{key}-verified_how": "License seen",
        f"{key}-document": document,
    }
    pad = cage.get(cage.post(own, posted)["Location"])
    assert "I completed this currency report" in words(pad)
    raised = cage.post(
        pad.request["PATH_INFO"] + "?" + pad.request["QUERY_STRING"], signing(words(pad), cast.erin)
    )
    assert raised.status_code == 302
    slip = Slip.objects.get(kind="ctr")
    assert "219-09" not in str(slip.details)
    assert "219099999" not in str(slip.details)
    cast.sign(slip, "approved", cast.petra, Place.OFFICE)
    office = signed_in(cast.petra, cast, Place.OFFICE)
    batches = reverse("ctr-batches")
    assert slip.serial in words(office.get(batches))
    assert office.post(batches, {"request_id": uuid4()}).status_code == 302
    batch = CtrBatch.objects.get()
    page = words(office.get(batches))
    assert batch.file_sha256 in page
    sent = office.get(reverse("ctr-file", args=[batch.pk, "xml"]))
    assert faults(sent.content) == []
    assert office.get(reverse("ctr-file", args=[batch.pk, "csv"])).status_code == 200
    assert office.get(reverse("ctr-file", args=[batch.pk, "pdf"])).status_code == 404
    assert JournalEntry.objects.filter(kind="ctr_batch_read").count() == 2
    filed = reverse("currency-report-filed", args=[report.pk])
    wrong = office.post(filed, {"request_id": uuid4(), "bsa_id": "1", "filed_on": "2026-05-02"})
    assert wrong.status_code == 422
    right = {"request_id": uuid4(), "bsa_id": BSA_ID, "filed_on": "2026-05-02"}
    assert office.post(filed, right).status_code == 302
    assert CurrencyReportClosing.objects.get().reference == BSA_ID
    assert BSA_ID in words(office.get(batches))


def test_who_says_it_is_somebody_elses_is_asked_whose(
    cast: Cast, tom: Patron, jane: Patron
) -> None:
    pit = signed_in(cast.alice, cast)
    keyed = {"who": f"p{tom.pk}", "amount": "11,000", "kind": "buy_in"}
    looked = words(pit.post("/tables/BJ-11/cash/", keyed))
    posted = signing(looked, cast.alice)
    missing = pit.post("/tables/BJ-11/cash/sign", posted)
    assert "Ask on whose behalf it is" in words(missing)
    done = pit.post("/tables/BJ-11/cash/sign", {**posted, "behalf": "anothers"})
    entry = CashEntry.objects.get()
    own = reverse("cash-behalf", args=[entry.pk])
    assert done["Location"] == own
    assert "Jane Reed" in words(pit.get(f"{own}?find=reed"))
    pad = words(pit.get(f"{own}?who=p{jane.pk}"))
    assert "Jane Reed" in pad
    assert "on behalf of the person shown" in pad
    assert pit.post(own, signing(pad, cast.alice)).status_code == 302
    assert CashBehalf.objects.get().patron == jane
    assert "It was the person’s own" in words(pit.get(own))


def test_a139_who_refuses_to_be_identified_gets_the_cash_back_and_compliance_a_note(
    cast: Cast, tom: Patron
) -> None:
    pit = signed_in(cast.alice, cast)
    keyed = {"who": f"p{tom.pk}", "amount": "10,100", "kind": "buy_in"}
    looked = words(pit.post("/tables/BJ-11/cash/", keyed))
    assert "ID refused…" in looked
    declined = pit.get(reverse("cash-refused"), {"table": "BJ-11", **keyed, "who": f"p{tom.pk}"})
    pad = words(declined)
    assert "No cheques." in pad
    done = pit.post(reverse("cash-refused"), signing(pad, cast.alice))
    assert done["Location"] == "/tables/BJ-11/"
    assert not CashEntry.objects.exists()
    assert not CurrencyReport.objects.exists()
    note = SuspicionNote.objects.get()
    assert (note.patron, note.table, note.written_by) == (tom, cast.table, cast.alice)
    assert not JournalEntry.objects.filter(kind="cash_logged").exists()
    assert verify().is_sound
    wrong = pit.get(reverse("cash-refused"), {"table": "BJ-11", "amount": "x"})
    assert wrong.status_code == 422


def test_foreign_and_other_cash_of_the_cage_is_told_in_words(
    cast: Cast, tom: Patron, server_clock: ServerClock
) -> None:
    log(cast, tom, 6_000, table=None, kind=CashKind.FOREIGN_IN, told="CA")
    log(cast, tom, 6_000, table=None, kind=CashKind.OTHER_IN, told="Race book wagers")
    with refused("country_malformed", journal=REFUSED):
        log(cast, tom, 10, table=None, kind=CashKind.FOREIGN_IN, told="Canada")
    with refused("told_malformed", journal=REFUSED):
        log(cast, tom, 10, table=None, kind=CashKind.OTHER_IN)
    server_clock.move(days=1)
    approve(cast, CurrencyReport.objects.get())
    content = xml_of(cast, export(cast))
    assert faults(content) == []
    assert texts(content, "CurrencyTransactionActivityDetailTypeCode") == ["53", "997"]
    assert texts(content, "OtherForeignCurrencyCountryText") == ["CA", ""]
    assert texts(content, "OtherCurrencyTransactionActivityDetailText") == ["", "Race book wagers"]
    cage = signed_in(cast.erin, cast, Place.CAGE)
    keyed = {"who": f"p{tom.pk}", "amount": "50", "kind": "foreign_out", "told": "mx"}
    assert "Foreign currency paid out" in words(cage.post(reverse("cage-cash"), keyed))
    assert cage.post(reverse("cage-cash"), {**keyed, "told": ""}).status_code == 422


ACTS = st.lists(
    st.tuples(
        st.integers(0, 2),
        st.sampled_from([CashKind.BUY_IN, CashKind.CASH_OUT, CashKind.CHECK_CASHED]),
        st.sampled_from([1, 99_950, 400_000, 600_001, 990_000, 1_000_000]),
        st.sampled_from([None, 0, 1, 2]),
        st.booleans(),
    ),
    min_size=1,
    max_size=6,
)


@settings(
    max_examples=5, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(acts=ACTS)
def test_sums_of_forms_are_those_of_a_slow_oracle(cast: Cast, acts: list[Any]) -> None:
    """Whoever brought it, for whomever: each person's sums and every form, added up by hand."""
    run = uuid4().hex[:6]
    people = [make_patron(cast, f"{name}{run}", "Oracle") for name in "ABC"]
    kept: list[tuple[int, int | None, CashKind, int]] = []
    for by, kind, cents, who_for, is_back in acts:
        who_for = None if who_for == by else who_for
        more = {"behalf": people[who_for]} if who_for is not None else {}
        entry = log(cast, people[by], 0, kind=kind, amount_cents=cents, table=None, **more)
        if is_back:
            take_back(cast, entry)
        else:
            kept.append((by, who_for, kind, cents))
    for at, person in enumerate(people):
        mine = [row for row in kept if at in row[:2]]
        for direction in Direction:
            cents = sum(row[3] for row in mine if row[2].direction == direction)
            assert day_sum(DayPerson(person), today(), direction) == cents
        for report in CurrencyReport.objects.filter(patron=person):
            cash = cash_behind(report)
            ways = {Direction(report.direction)}
            ways |= {Direction(cash.other.direction)} if cash.other else set()
            wanted = [row for row in mine if row[2].direction in ways]
            assert sorted((move.kind, move.cents) for move in cash.moves) == sorted(
                (kind, cents) for *_, kind, cents in wanted
            )
            if not cash.moves:
                continue
            form = form_in(write_out(report, cast.erin))
            for code, kind in (("18", CashKind.BUY_IN), ("28", CashKind.CASH_OUT)):
                total = sum(cents for *_, what, cents in wanted if what == kind)
                assert form.details.get(code, 0) == whole_dollars(total)
            own = sum(
                cents
                for by, behalf, kind, cents in wanted
                if by == at and behalf is None and kind.direction == Direction.IN
            )
            parts = [
                party.in_dollars
                for party in form.parties
                if party.key == f"p{person.pk}" and party.role == PartyRole.OWN
            ]
            assert parts in ([], [whole_dollars(own)])
            assert form.in_dollars + form.out_dollars == sum(form.details.values())
