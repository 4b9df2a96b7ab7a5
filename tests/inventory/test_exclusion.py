"""Exclusion: lists as they are imported, what they stop, and the cases that two people decide."""

from __future__ import annotations

from datetime import date, timedelta
from uuid import uuid4

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import DatabaseError, transaction
from django.test import Client
from django.urls import reverse

from inventory.kinds.exclusion_case import CASE_CLEARED, CASE_CONFIRMED
from inventory.kinds.exclusion_list import LIST_IMPORT
from inventory.models import (
    CaseEnd,
    ExclusionCase,
    ListCheck,
    ListRow,
    ListRowEnd,
    ListVersion,
    Patron,
)
from inventory.selectors.exclusion import newest_versions, standing_rows, stops_of
from inventory.services.exclusion_lists import find_stale_lists, upload_list
from inventory.services.patrons import change_patron
from pitboss.models import FloorException, Waiting
from pitboss.rules.flows.flows import SlipStatus, Track
from pitboss.rules.patrons.exclusion import ListKind, Moment
from pitboss.rules.patrons.exclusion_lists import BYTES_MAX
from pitboss.rules.refusal import Refused
from pitboss.rules.roles import Place, Role
from pitboss.services import house
from pitboss.services.signing import Entry
from pitboss.services.verification import verify
from pitboss.slips.raising import raise_kind, shown_before
from tests.floor.cash_log import log, today
from tests.floor.cast import Cast, ServerClock, refused
from tests.floor.exclusion import RUIZ, clear, confirm_case, decide, propose_list, put_on, upload
from tests.floor.markers import TRAY, grant, issue, lend, make_patron, pay, sign_as_patron
from tests.test_access import signed_in, someone

pytestmark = pytest.mark.django_db(transaction=True)
BORN = {"born_on": "1980-02-03"}
STOPPED = (
    "inventory.ExclusionCase",
    "inventory.ListCheck",
    "pitboss.FloorException",
    "pitboss.Waiting",
)


def stopped_cash(cast: Cast, patron: Patron) -> None:
    row = ("act_refused", "exception_opened", "patron_stopped")
    with refused("exclusion_stop", journal=row, ignoring=STOPPED):
        log(cast, patron, 2_500)


def test_a147_who_is_put_on_a_list_is_stopped_at_each_act_and_the_check_is_kept(
    cast: Cast, server_clock: ServerClock
) -> None:
    cast.deliver(cast.ask(TRAY))
    cast.open_table(TRAY)
    ana = make_patron(cast, **BORN)
    grant(cast, ana, 1_000_000)
    lend(cast, ana, 100_000)
    version = ListVersion.objects.get(slip=put_on(cast, RUIZ))

    stopped_cash(cast, ana)
    with refused(
        "exclusion_stop",
        journal=("sign_refused", "patron_stopped"),
        ignoring=STOPPED,
    ):
        issue(cast, ana, 100_000)
    checks = list(ListCheck.objects.order_by("pk"))
    assert [(list_check.moment, list_check.stopped) for list_check in checks] == [
        ("cash", True),
        ("marker", True),
    ]
    assert all(list_check.versions == {"self_exclusion": version.pk} for list_check in checks)
    case = ExclusionCase.objects.get()
    assert (case.patron, case.match, case.moment) == (ana, "hit", "cash")

    # A debt is taken from anybody.
    paid = pay(cast, ana, cash_cents=100_000)
    assert paid.status == SlipStatus.DONE.value
    check = ListCheck.objects.latest("pk")
    assert (check.moment, check.stopped, check.case, check.slip) == ("debt", False, case, paid)
    assert not verify().findings


def test_a147_a_payment_on_a_debt_is_taken_and_opens_the_case_by_itself(cast: Cast) -> None:
    cast.deliver(cast.ask(TRAY))
    cast.open_table(TRAY)
    ana = make_patron(cast, **BORN)
    grant(cast, ana, 1_000_000)
    lend(cast, ana, 100_000)
    version = ListVersion.objects.get(slip=put_on(cast, RUIZ))
    assert not ExclusionCase.objects.exists(), "nobody has looked yet"
    paid = pay(cast, ana, cash_cents=100_000)
    assert paid.status == SlipStatus.DONE.value
    case = ExclusionCase.objects.get()
    check = ListCheck.objects.latest("pk")
    assert (case.patron, case.moment) == (ana, "debt")
    assert (check.moment, check.stopped, check.case, check.slip) == ("debt", False, case, paid)
    assert check.versions == {"self_exclusion": version.pk}
    assert FloorException.objects.filter(code="exclusion_case", resolved_at=None).exists()
    assert not verify().findings


def test_security_shift_manager_and_compliance_are_told_at_once_and_no_list_is_named(
    cast: Cast,
) -> None:
    put_on(cast, RUIZ)
    ana = make_patron(cast, **BORN)
    case = ExclusionCase.objects.get(patron=ana)
    floor_exception = FloorException.objects.get(code="exclusion_case")
    assert floor_exception.details == {"case": case.pk}
    assert "xclu" not in floor_exception.sentence
    wait = Waiting.objects.get(exception=floor_exception, until=None)
    assert set(wait.by) == {"security", "shift_manager", "compliance"}
    log_refused = ListCheck.objects.count()
    stopped_cash(cast, ana)
    assert ListCheck.objects.count() == log_refused + 1


def test_a_patron_put_on_file_or_corrected_is_stored_and_flagged(cast: Cast) -> None:
    put_on(cast, RUIZ)
    eve = make_patron(cast, "Eve", "Diaz", **BORN)
    assert not ExclusionCase.objects.exists()
    check = ListCheck.objects.get(patron=eve)
    assert (check.moment, check.stopped, check.case) == ("patron_file", False, None)
    keyed = {"first_name": "Ana", "last_name": "Ruiz", **BORN}
    change_patron(patron_id=eve.pk, keyed=keyed, pen=cast.pen(cast.alice))
    assert ExclusionCase.objects.get().patron == eve
    assert not verify().findings


def test_without_a_list_nothing_is_compared(cast: Cast) -> None:
    log(cast, make_patron(cast, **BORN), 2_500)
    assert not ListCheck.objects.exists()


def test_a145_a_possible_match_is_cleared_by_security_and_compliance_and_stays_quiet(
    cast: Cast,
) -> None:
    put_on(cast, "SX-1,Ruis,Ana,,1980-11-30,,,,,")
    ana = make_patron(cast, **BORN)
    case = ExclusionCase.objects.get(patron=ana)
    assert case.match == "possible"
    with refused("wrong_role"):
        decide(cast, case, CASE_CLEARED, cast.alice)
    slip = decide(cast, case, CASE_CLEARED, cast.frank)
    stopped_cash(cast, ana)
    with refused("wrong_role"):
        cast.sign(slip, "clearing_agreed", cast.alice)
    with refused("already_proposed"):
        decide(cast, case, CASE_CONFIRMED, cast.grace)
    cast.sign(slip, "clearing_agreed", cast.petra, Place.OFFICE)
    assert CaseEnd.objects.get(case=case).decision == "cleared"
    assert not FloorException.objects.filter(code="exclusion_case", resolved_at=None).exists()
    log(cast, ana, 2_500)
    with refused("case_decided"):
        decide(cast, case, CASE_CONFIRMED, cast.grace)

    # The same list again changes nothing; a row that changed stops again.
    put_on(cast, "SX-1,Ruis,Ana,,1980-11-30,,,,,")
    log(cast, ana, 100)
    put_on(cast, "SX-1,Ruis,Ana,,1980-11-30,,,Tall,,")
    stopped_cash(cast, ana)
    assert ExclusionCase.objects.filter(patron=ana).count() == 2
    assert not verify().findings


def test_a_decision_that_compliance_declines_leaves_the_case_open(cast: Cast) -> None:
    put_on(cast, RUIZ)
    case = ExclusionCase.objects.get(patron=make_patron(cast, **BORN))
    slip = decide(cast, case, CASE_CLEARED, cast.frank)
    cast.sign(
        slip,
        "refused",
        cast.petra,
        Place.OFFICE,
        entry=Entry(reason="The photo is theirs."),
        track=Track.VOID,
    )
    confirm_case(cast, case)
    assert CaseEnd.objects.get(case=case).decision == "confirmed"


def test_who_was_confirmed_and_comes_again_is_told_of_again(cast: Cast) -> None:
    put_on(cast, RUIZ)
    ana = make_patron(cast, **BORN)
    confirm_case(cast, ExclusionCase.objects.get(patron=ana))
    stopped_cash(cast, ana)
    again = FloorException.objects.get(code="exclusion_again")
    assert again.resolved_at is None


def test_a146_a_list_that_is_too_old_is_an_alert_until_it_is_imported(
    cast: Cast, server_clock: ServerClock
) -> None:
    put_on(cast, RUIZ)  # On a Friday.
    server_clock.move(days=4)
    find_stale_lists()
    assert not FloorException.objects.filter(code="list_stale").exists()
    server_clock.move(days=1)
    find_stale_lists()
    find_stale_lists()
    alert = FloorException.objects.get(code="list_stale")
    assert alert.sentence.startswith("The Self-exclusion list is from May 1, 2026.")
    put_on(cast, RUIZ)
    alert.refresh_from_db()
    assert alert.resolved_by == cast.petra
    assert not verify().findings


def test_a146_an_import_that_drops_rows_waits_for_a_second_signature(cast: Cast) -> None:
    rows = [f"SX-{number},Name{number},Ana,,,,,,," for number in range(10)]
    put_on(cast, *rows)
    slip = propose_list(cast, rows[:7])
    assert slip.status == SlipStatus.OPEN.value
    assert slip.details["diff"] == {"stood": 10, "added": 0, "changed": 0, "removed": 3}
    assert standing_rows().count() == 10
    with refused("signed_before"):
        cast.sign(slip, "seconded", cast.petra, Place.OFFICE)
    with pytest.raises(Refused) as caught:
        propose_list(cast, rows)
    assert caught.value.codes == ("already_proposed",)
    cast.sign(slip, "seconded", cast.heidi, Place.OFFICE)
    assert standing_rows().count() == 7
    assert ListRowEnd.objects.count() == 3
    version = ListVersion.objects.latest("pk")
    assert (version.rows_count, version.removed_count) == (7, 3)
    assert newest_versions() == {"self_exclusion": version.pk}
    assert not verify().findings


def test_a_file_that_was_compared_with_another_list_is_not_put_in_force(cast: Cast) -> None:
    rows = [f"SX-{number},Name{number},Ana,,,,,,," for number in range(10)]
    put_on(cast, *rows)
    first = LIST_IMPORT.at(upload=upload(cast, rows[:9]))
    slip = raise_kind(first, pen=cast.pen(cast.petra, Place.OFFICE), shown=shown_before(first))
    cast.sign(
        slip,
        "refused",
        cast.heidi,
        Place.OFFICE,
        entry=Entry(reason="Sent by mistake."),
        track=Track.VOID,
    )
    assert standing_rows().count() == 10


def test_compliance_alone_imports_and_a_file_counts_once(cast: Cast) -> None:
    with pytest.raises(Refused) as caught:
        propose_list(cast, [RUIZ], by=cast.heidi)
    assert caught.value.codes == ("wrong_role",)
    brought = upload(cast, [RUIZ])
    again = LIST_IMPORT.at(upload=brought)
    raise_kind(again, pen=cast.pen(cast.petra, Place.OFFICE), shown=shown_before(again))
    with refused("already_imported"):
        raise_kind(again, pen=cast.pen(cast.petra, Place.OFFICE), shown=shown_before(again))


def test_a_file_is_kept_in_cipher_and_a_second_tap_is_recognized(cast: Cast) -> None:
    brought = upload(cast, [RUIZ])
    assert "Ruiz" not in brought.content_cipher
    same = upload_list(
        kind=ListKind.OFAC,
        content=b"id,last_name\n1,Ruiz",
        person=cast.petra,
        device=None,
        request_id=brought.request_id,
    )
    assert same == brought
    with pytest.raises(Refused) as caught:
        upload_list(
            kind=ListKind.OFAC,
            content=b"x" * (BYTES_MAX + 1),
            person=cast.petra,
            device=None,
            request_id=uuid4(),
        )
    assert caught.value.codes == ("file_too_long",)


def test_a_row_counts_in_its_own_time_and_by_the_tax_id_too(cast: Cast) -> None:
    put_on(cast, "SX-1,Zorn,Zed,,,123-45-6789,,,2026-06-01,2026-07-01")
    (row,) = standing_rows()
    assert (row.ssn_ends, len(row.ssn_index)) == ("6789", 64)
    ana = make_patron(cast, tax_id="123-45-6789")
    for day, stops in ((date(2026, 5, 31), 0), (date(2026, 6, 1), 1), (date(2026, 7, 2), 0)):
        assert len(stops_of(ana, Moment.CASH, day)) == stops


def test_credit_suspension_stops_markers_alone(cast: Cast) -> None:
    put_on(cast, RUIZ, kind=ListKind.CREDIT_SUSPENSION)
    ana = make_patron(cast, **BORN)
    log(cast, ana, 2_500)
    assert not stops_of(ana, Moment.CASH, today())
    assert stops_of(ana, Moment.MARKER, today())


def test_a_marker_that_waits_for_its_last_signature_is_stopped_too(cast: Cast) -> None:
    cast.deliver(cast.ask(TRAY))
    cast.open_table(TRAY)
    ana = make_patron(cast, **BORN)
    grant(cast, ana, 1_000_000)
    slip = issue(cast, ana, 100_000)
    put_on(cast, RUIZ)
    sign_as_patron(cast, slip)
    cast.sign(slip, "dealer_signed", cast.dan)
    told = ("sign_refused", "exception_opened", "patron_stopped")
    with refused("exclusion_stop", journal=told, ignoring=STOPPED):
        cast.sign(slip, "approved", cast.alice)
    assert ListCheck.objects.latest("pk").slip == slip


def test_past_the_service_no_list_ends_no_row_and_decides_no_case(cast: Cast) -> None:
    put_on(cast, RUIZ)
    case = ExclusionCase.objects.get(patron=make_patron(cast, **BORN))
    row, version = ListRow.objects.get(), ListVersion.objects.get()
    other, other_slip = upload(cast, ["SX-2,Zorn,Zed,,,,,,,"]), cast.ask()
    facts = {
        "rows_count": 1,
        "added_count": 1,
        "changed_count": 0,
        "removed_count": 0,
        "imported_at": house.now(),
    }
    for write in (
        lambda: ListVersion.objects.create(
            list="self_exclusion", upload=other, slip=other_slip, **facts
        ),
        lambda: ListRowEnd.objects.create(row=row, version=version),
        lambda: CaseEnd.objects.create(
            case=case, decision="cleared", slip=other_slip, at=house.now()
        ),
    ):
        with pytest.raises(DatabaseError), transaction.atomic():
            write()


@pytest.mark.parametrize("role", list(Role))
def test_the_lists_name_is_read_by_security_shift_manager_and_compliance_alone(
    cast: Cast, role: Role
) -> None:
    put_on(cast, RUIZ, kind=ListKind.OFAC)
    ana = make_patron(cast, **BORN)
    case = ExclusionCase.objects.get(patron=ana)
    client: Client = signed_in(someone(cast, role), cast.devices[Place.OFFICE])
    may_know = role in {
        Role.SECURITY,
        Role.SECURITY_MANAGER,
        Role.SHIFT_MANAGER,
        Role.COMPLIANCE,
    }
    answer = client.get(reverse("exclusion-case", args=[case.pk]))
    assert (answer.status_code == 200) is may_know
    assert ("OFAC" in answer.text) is may_know
    page = client.get(reverse("patron", args=[ana.pk]))
    assert "OFAC" not in page.text
    if page.status_code == 200:
        assert "Stop. Do not pay" in page.text
        assert (reverse("exclusion-case", args=[case.pk]) in page.text) is may_know


def test_an_ofac_case_that_is_confirmed_starts_its_clock(
    cast: Cast, server_clock: ServerClock
) -> None:
    put_on(cast, RUIZ, kind=ListKind.OFAC)
    case = ExclusionCase.objects.get(patron=make_patron(cast, **BORN))
    confirm_case(cast, case)
    report = FloorException.objects.get(code="ofac_report")
    assert report.details["due_on"] == "2026-05-15"
    wait = Waiting.objects.get(exception=report)
    assert wait.limit_seconds == timedelta(days=14).total_seconds()


def test_compliance_brings_a_list_on_its_page_and_sees_what_it_changes(cast: Cast) -> None:
    client = signed_in(cast.petra, cast.devices[Place.OFFICE])
    url = reverse("exclusion-lists")
    assert "never" in client.get(url).text
    head = "id,last_name,first_name,born_on"
    file = SimpleUploadedFile("list.csv", f"{head}\nSX-1,Ruiz,Ana,1980-02-03".encode())
    sent = {"list": "self_exclusion", "content": file, "request_id": str(uuid4())}
    answer = client.post(url, sent)
    assert answer.status_code == 302
    shown = client.get(answer["Location"])
    assert "SX-1" in shown.text
    wrong = SimpleUploadedFile("list.csv", b"name\nRuiz")
    answer = client.post(url, {**sent, "content": wrong, "request_id": str(uuid4())})
    assert (answer.status_code, "must name these columns" in answer.text) == (422, True)
    for missing in ({"list": ""}, {"content": ""}):
        file.seek(0)
        answer = client.post(url, {**sent, "request_id": str(uuid4()), **missing})
        assert answer.status_code == 422
    put_on(cast, RUIZ)
    ana = make_patron(cast, **BORN)
    assert "Ana Ruiz" in client.get(reverse("exclusion-cases")).text
    clear(cast, ExclusionCase.objects.get(patron=ana))
    assert "Cleared" in client.get(reverse("exclusion-cases")).text
    assert "Exclusion lists" in client.get(reverse("compliance")).text
