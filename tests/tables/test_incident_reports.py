"""Incidents: three taps at a table, a bookmark, a report, and supplements only (A151)."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest
from django.db import DatabaseError, transaction
from django.urls import reverse

from pitboss.models import FloorException, JournalChain, Slip
from pitboss.rules.roles import Place
from pitboss.services import house, journal
from pitboss.services.verification import verify
from pitboss.slips.addresses import new_url
from pitboss.slips.raising import raise_kind, shown_before
from tables.kinds.incident_report import INCIDENT_REPORT, INCIDENT_SUPPLEMENT
from tables.models import Incident, IncidentReport
from tables.services.incident_reports import save_incident
from tests.floor.cast import Cast, ServerClock, refused
from tests.floor.house import change
from tests.floor.tablets import signed_in, words
from tests.floor.terminals import TerminalClient, make_terminal
from tests.races import at_once

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("server_clock")]
WRITTEN = {"happened": "Pushed a green after the deal.", "action": "Bet taken down."}


def save(cast: Cast, kind: str = "past_posting", seat: int | None = 6) -> Incident:
    return save_incident(
        table_id=cast.table.pk,
        kind=kind,
        seat=seat,
        by=cast.alice,
        device=cast.devices[Place.PIT],
        request_id=uuid4(),
    )


def write(cast: Cast, incident: Incident, **given: Any) -> Slip:
    report = INCIDENT_REPORT.at(incident=incident, **(given or WRITTEN))
    return raise_kind(report, pen=cast.pen(cast.alice), shown=shown_before(report))


def test_a151_three_taps_make_an_incident_and_a_bookmark(cast: Cast) -> None:
    client = signed_in(cast.alice, cast)
    url = reverse("incident-new", args=[cast.table.name])
    assert url in client.get(reverse("table", args=[cast.table.name])).content.decode()
    page = client.get(url).content.decode()
    assert page.count('type="submit"') >= 1
    assert "PIN" not in words(client.get(url)).split("About this page")[0]
    taps = {"kind": "past_posting", "seat": "6", "request_id": str(uuid4())}
    assert client.post(url, taps).status_code == 302
    assert client.post(url, taps).status_code == 302, "a resend is recognized"
    incident = Incident.objects.get()
    assert (incident.kind, incident.seat, incident.by) == ("past_posting", 6, cast.alice)
    bookmark = FloorException.objects.get(code="incident_bookmark")
    assert bookmark.details == {"incident": incident.pk, "table": "BJ-11", "seat": 6}
    assert bookmark.opened_at == incident.at
    assert bookmark.waits.get().by == ["surveillance"]
    assert verify().is_sound


def test_a151_nothing_shows_at_the_table(cast: Cast) -> None:
    chain = journal.chain_of(cast.table, journal.HOUSE)
    terminal = TerminalClient(make_terminal(cast.table))

    def state() -> tuple[Any, ...]:
        head = JournalChain.objects.get(name=chain).head_number
        page = words(signed_in(cast.alice, cast).get(reverse("table", args=[cast.table.name])))
        return head, "posting" in page, terminal.get("table").json()

    before = state()
    save(cast)
    assert state() == before


def test_a151_the_regulator_hears_of_it_within_the_hour(
    cast: Cast, server_clock: ServerClock
) -> None:
    save(cast)
    notice = FloorException.objects.get(code="incident_notice")
    assert notice.waits.get().limit_seconds == 3_600
    save(cast, "shoe", None)
    assert FloorException.objects.filter(code="incident_notice").count() == 1
    change(cast, "incident.clock.shoe", "30")
    server_clock.move(minutes=1)
    save(cast, "shoe", None)
    assert FloorException.objects.filter(code="incident_notice").count() == 2


def test_a151_the_report_is_written_once_and_later_text_is_a_supplement(cast: Cast) -> None:
    incident = save(cast)
    due = FloorException.objects.get(code="incident_unwritten")
    slip = write(cast, incident)
    assert slip.serial.startswith("IN-")
    due.refresh_from_db()
    assert due.resolved_at is not None
    with refused("already_written"):
        write(cast, incident, happened="Nothing.", action="None.")
    more = INCIDENT_SUPPLEMENT.at(original=slip, text="The camera shows two greens.")
    added = raise_kind(more, pen=cast.pen(cast.ivan, Place.SURVEILLANCE), shown=shown_before(more))
    assert added.serial.startswith("IS-")
    assert added.status == "done"
    assert "Add a supplement" in words(
        signed_in(cast.alice, cast).get(reverse("slip", args=[slip.serial]))
    )
    assert verify().is_sound


def test_a151_two_write_at_once_and_one_report_stands(cast: Cast) -> None:
    incident = save(cast)
    results = at_once(lambda: write(cast, incident), lambda: write(cast, incident))
    assert sorted(isinstance(result, Slip) for result in results) == [False, True]


def test_a151_past_the_service_a_report_is_of_its_incident(cast: Cast) -> None:
    one, other = save(cast), save(cast, "fire", None)
    slip = write(cast, one)
    row = IncidentReport(incident=other, slip=slip)
    with pytest.raises(DatabaseError), transaction.atomic():
        row.save()
    with pytest.raises(DatabaseError), transaction.atomic():
        Incident.objects.filter(pk=one.pk).update(seat=1)


@pytest.mark.parametrize(
    ("taps", "code"), [({"kind": "gossip"}, "happened"), ({"kind": "theft", "seat": "9"}, "seat")]
)
def test_what_cannot_be_saved_is_said(cast: Cast, taps: dict[str, str], code: str) -> None:
    client = signed_in(cast.alice, cast)
    url = reverse("incident-new", args=[cast.table.name])
    answer = client.post(url, {**taps, "request_id": str(uuid4())})
    assert answer.status_code == 422
    assert code in words(answer)
    assert not Incident.objects.exists()


def test_the_list_leads_to_the_report(cast: Cast) -> None:
    incident = save(cast)
    client = signed_in(cast.alice, cast)
    page = client.get(reverse("incidents"))
    assert "Past posting" in words(page)
    url = new_url("incident_report", incident=incident.pk)
    assert url in page.content.decode()
    assert "What happened" in words(client.get(url))
    slip = write(cast, incident)
    assert slip.serial in words(client.get(reverse("incidents")))
    reader = signed_in(cast.ruth, cast)
    assert "Write report" not in words(reader.get(reverse("incidents")))
    assert house.now() >= incident.at
