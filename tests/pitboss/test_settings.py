"""Settings change by two people, from a time that lies ahead, and what held before is kept."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from django.db import Error, connection, transaction
from django.test import Client

from pitboss.kinds.setting import drafted_setting
from pitboss.models import JournalEntry, SettingValue, Slip
from pitboss.rules.flows.flows import SlipStatus, Track
from pitboss.rules.roles import Place
from pitboss.services import house
from pitboss.services.shown import request_shown
from pitboss.services.signing import Entry
from pitboss.services.verification import verify
from tests.floor.cast import Cast, ServerClock, refused
from tests.floor.house import change, propose
from tests.floor.tablets import words
from tests.test_access import signed_in

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_value_holds_once_another_manager_approved_it(
    cast: Cast, server_clock: ServerClock
) -> None:
    slip = propose(cast, "people.idle_lock", "300")
    assert house.settings_at(house.now())["people.idle_lock"] == 120
    cast.sign(slip, "approved", cast.heidi, Place.OFFICE)
    assert house.settings_at(house.now())["people.idle_lock"] == 300
    before = server_clock.now - timedelta(seconds=1)
    assert house.settings_at(before)["people.idle_lock"] == 120
    entry = JournalEntry.objects.latest("id")
    assert (entry.chain.name, entry.kind) == ("house", "setting_change.approved")
    assert verify().is_sound


def test_no_setting_can_be_changed_by_one_person_alone(cast: Cast) -> None:
    slip = propose(cast, "people.idle_lock", "300", by=cast.heidi)
    with refused("signed_before"):
        cast.sign(slip, "approved", cast.heidi, Place.OFFICE)
    assert not SettingValue.objects.exists()


@pytest.mark.parametrize("who", ["alice", "erin", "judy", "olga"])
def test_only_managers_propose(cast: Cast, who: str) -> None:
    code = "administrators_sign_nothing" if who == "judy" else "wrong_role"
    with refused(code):
        propose(cast, "people.idle_lock", "300", by=getattr(cast, who))


def test_a_value_may_be_set_for_a_time_that_lies_ahead(
    cast: Cast, server_clock: ServerClock
) -> None:
    change(cast, "waiting.limit", "10", "2026-05-02T06:00")
    assert house.settings_at(house.now()).wait_limit_seconds == 300
    server_clock.now = datetime(2026, 5, 2, 10, tzinfo=UTC)
    assert house.settings_at(house.now()).wait_limit_seconds == 600


def test_shifts_change_with_the_start_of_a_gaming_day(
    cast: Cast, server_clock: ServerClock
) -> None:
    change(cast, "day.shifts", "04:00 Early\n16:00 Late", "2026-05-03")
    assert house.period_at(house.now()).shift == "Day"
    server_clock.now = datetime(2026, 5, 3, 7, 59, tzinfo=UTC)
    assert house.period_at(house.now()).gaming_day == date(2026, 5, 2)
    server_clock.now = datetime(2026, 5, 3, 8, tzinfo=UTC)
    when = house.period_at(house.now())
    assert (when.gaming_day, when.shift) == (date(2026, 5, 3), "Early")


@pytest.mark.parametrize(
    ("key", "keyed", "holds_from", "code"),
    [
        ("people.idle_lock", "soon", "", "number_malformed"),
        ("people.idle_lock", "300", "2026-05-01T08:59", "holds_from_past"),
        ("people.idle_lock", "300", "2028-05-01T08:59", "holds_from_too_far"),
        ("people.idle_lock", "300", "tomorrow", "holds_from_malformed"),
        ("people.idle_lock", "300", "2026-05-02T06:00+02:00", "holds_from_malformed"),
        ("day.shifts", "05:00 Day", "", "holds_from_missing"),
        ("day.shifts", "05:00 Day", "2026-05-01", "holds_from_past"),
        ("day.shifts", "05:00 Day", "2028-05-01", "holds_from_too_far"),
        ("no.such", "1", "", "unknown_setting"),
    ],
)
def test_what_cannot_be_proposed_is_not_even_shown(
    cast: Cast, server_clock: ServerClock, key: str, keyed: str, holds_from: str, code: str
) -> None:
    with refused(code, journal=()):
        drafted_setting(key, keyed, holds_from)


def test_every_reason_is_told_at_once(cast: Cast, server_clock: ServerClock) -> None:
    with refused("number_malformed", "holds_from_past", journal=()):
        drafted_setting("people.idle_lock", "soon", "2026-04-01T08:59")


def test_the_same_value_again_and_a_second_proposal_are_refused(cast: Cast) -> None:
    with refused("nothing_changes"):
        propose(cast, "people.idle_lock", "120")
    propose(cast, "people.idle_lock", "300")
    with refused("already_proposed"):
        propose(cast, "people.idle_lock", "240")


def test_a_reason_is_given(cast: Cast) -> None:
    with refused("reason_missing"):
        propose(cast, "people.idle_lock", "300", reason=" ")


def test_an_approval_that_comes_too_late_is_refused(cast: Cast, server_clock: ServerClock) -> None:
    slip = propose(cast, "waiting.limit", "10", "2026-05-01T10:00")
    server_clock.move(hours=2)
    with refused("holds_from_past"):
        cast.sign(slip, "approved", cast.heidi, Place.OFFICE)


def test_two_proposals_that_do_not_go_together_cannot_both_be_approved(cast: Cast) -> None:
    first = propose(cast, "people.wrong_on_device", "9")
    second = propose(cast, "people.wrong_anywhere", "7")
    cast.sign(first, "approved", cast.heidi, Place.OFFICE)
    with refused("wrong_tries_out_of_order"):
        cast.sign(second, "approved", cast.heidi, Place.OFFICE)


def test_shifts_that_changed_meanwhile_are_looked_at_again(
    cast: Cast, server_clock: ServerClock
) -> None:
    first = propose(cast, "day.shifts", "04:00 Day", "2026-05-03")
    cast.sign(first, "approved", cast.heidi, Place.OFFICE)
    second = propose(cast, "day.shifts", "08:00 Day", "2026-05-05")
    third = drafted_setting("day.shifts", "03:00 Day", "2026-05-04")
    assert third.details["holds_from"] == "2026-05-04T07:00:00+00:00"
    cast.sign(second, "approved", cast.heidi, Place.OFFICE)
    assert house.settings_at(datetime(2026, 5, 4, tzinfo=UTC))["day.shifts"][0]["starts"] == "04:00"


@pytest.mark.parametrize("who", ["carol", "heidi"])
def test_one_signature_with_a_reason_refuses_a_proposal(cast: Cast, who: str) -> None:
    slip = propose(cast, "people.idle_lock", "300")
    entry = Entry(reason="Two minutes are right.")
    cast.sign(slip, "refused", getattr(cast, who), Place.OFFICE, entry=entry, track=Track.VOID)
    slip.refresh_from_db()
    assert slip.status == SlipStatus.VOIDED
    assert not SettingValue.objects.exists()
    assert verify().is_sound


def test_the_database_takes_no_value_without_a_slip_that_two_signed(
    cast: Cast, server_clock: ServerClock
) -> None:
    slip = propose(cast, "people.idle_lock", "300")
    done = change(cast, "waiting.limit", "10")
    rows = [
        SettingValue(key="people.idle_lock", holds_from=house.now(), slip=slip),
        SettingValue(key="people.idle_lock", holds_from=house.now(), slip=cast.ask()),
    ]
    for row in rows:
        with pytest.raises(Error, match="no slip signed by two people"), transaction.atomic():
            row.save()
    for statement in (
        "UPDATE pitboss_settingvalue SET holds_from = now()",
        "DELETE FROM pitboss_settingvalue",
    ):
        with pytest.raises(Error, match="permission denied"), transaction.atomic():
            connection.cursor().execute(statement)
    assert list(SettingValue.objects.all()) == [done]


def test_the_prefix_of_a_series_numbers_the_next_slip(cast: Cast) -> None:
    assert cast.ask().serial.startswith("F-")
    change(cast, "papers.series.F", "FL")
    assert cast.ask().serial.startswith("FL-")


def test_the_top_sign_follows_its_setting(cast: Cast) -> None:
    change(cast, "approval.top_sign_from", "100")
    assert [step["name"] for step in cast.ask().plan[:2]] == ["requested", "top_signed"]


def test_a_supervisor_asks_for_no_more_than_the_limit_of_the_rank(cast: Cast) -> None:
    change(cast, "limit.fill.supervisor", "2499")
    with refused("over_limit_of_rank"):
        cast.ask()
    cast.ask(by=cast.carol)


def test_wrong_pins_lock_by_the_numbers_of_the_house(cast: Cast) -> None:
    change(cast, "people.wrong_on_device", "3")
    pen = cast.pen(cast.alice)
    wrong = type(pen)(pen.badge, "000000", pen.device, pen.request_id)
    for _ in range(3):
        with pytest.raises(Exception, match="Wrong PIN"):
            cast.ask(pen=wrong)
    with pytest.raises(Exception, match="locked"):
        cast.ask()


def test_a_blind_agreement_shows_the_dealer_no_line(cast: Cast) -> None:
    change(cast, "signing.fill_agreement", "blind")
    slip = cast.ask()
    cast.carry(slip)
    page = signed_in(cast.alice, cast.devices[Place.PIT]).get(f"/slips/{slip.serial}/")
    assert "$2,500" not in words(page)
    assert 'name="counted_2500"' in words(page)
    with refused(
        "count_differs",
        journal=("sign_refused", "exception_opened"),
        ignoring={"pitboss.FloorException", "pitboss.Waiting"},
    ):
        cast.sign(slip, "agreed", cast.dan, entry=cast.agreement(slip, {2_500: 19}))
    cast.sign(slip, "agreed", cast.dan, entry=cast.agreement(slip))


def test_the_screens_show_the_value_its_history_and_the_change(cast: Cast) -> None:
    change(cast, "people.idle_lock", "300")
    client = signed_in(cast.carol, cast.devices[Place.OFFICE])
    assert "300 seconds" in words(client.get("/house/"))
    one = words(client.get("/house/people.idle_lock/"))
    assert "C. Carolson TG-103, H. Heidison TG-108" in one
    assert "120 seconds" in one
    address = "/slips/new/setting_change/?key=people.idle_lock"
    looked = client.post(address, {"value": "60", "from": ""})
    assert "as soon as it is approved" in words(looked)
    assert client.post(address, {"value": "1", "from": ""}).status_code == 422
    assert client.get("/slips/new/setting_change/?key=no.such").status_code == 404
    assert client.get("/house/no.such/").status_code == 404


def test_a_setting_is_found_by_a_few_words_or_by_its_value(cast: Cast) -> None:
    change(cast, "people.idle_lock", "300")
    client = signed_in(cast.carol, cast.devices[Place.OFFICE])
    every = words(client.get("/house/"))
    assert "Approve and sign" in every
    found = words(client.get("/house/", {"find": "idle lock"}))
    assert "/house/people.idle_lock/" in found
    assert "/house/tax.state/" not in found
    assert "1 setting with “idle lock”." in found
    assert "/house/people.idle_lock/" in words(client.get("/house/", {"find": "300 seconds"}))
    assert "0 settings with “<zebra>”." in words(client.get("/house/", {"find": "<zebra>"}))


def test_a_change_is_proposed_and_approved_on_the_screens(cast: Cast) -> None:
    client = signed_in(cast.carol, cast.devices[Place.OFFICE])
    pen = cast.pen(cast.carol, Place.OFFICE)
    new = drafted_setting("people.idle_lock", "300", "")
    posted = {
        "value": "300", "from": "", "reason": "Safer.", "shown": request_shown(new, None),
        "badge": pen.badge, "pin": pen.pin, "request_id": str(pen.request_id),
    }  # fmt: skip
    address = client.post("/house/people.idle_lock/propose", posted)["Location"]
    assert address == "/slips/new/setting_change/?key=people.idle_lock"
    wrong = client.post(address, posted | {"pin": "000000"})
    assert wrong.status_code == 422
    assert "Wrong PIN" in words(wrong)
    answer = client.post(address, posted)
    slip = Slip.objects.get(kind="setting_change")
    assert answer["Location"] == f"/slips/{slip.serial}/"
    inbox = words(signed_in(cast.heidi, cast.devices[Place.OFFICE]).get("/inbox/"))
    assert "Time after which an idle tablet locks" in inbox
    assert "300 seconds" in inbox
    page = words(client.get(f"/slips/{slip.serial}/"))
    assert "Refuse…" in page
    assert 'data-lock-after="120"' in page
    cast.sign(slip, "approved", cast.heidi, Place.OFFICE)
    assert 'data-lock-after="300"' in words(client.get("/house/"))


def test_a_reader_sees_the_settings_and_proposes_nothing(cast: Cast) -> None:
    page = signed_in(cast.olga, cast.devices[Place.OFFICE]).get("/house/people.idle_lock/")
    assert "Changed by managers" in words(page)


def test_a_poll_still_costs_two_queries(cast: Cast, django_assert_num_queries: Any) -> None:
    change(cast, "people.idle_lock", "300")
    client: Client = signed_in(cast.alice, cast.devices[Place.PIT])
    url = f"/board/{cast.pit.pk}/poll"
    client.get(url)
    from pitboss.live import of_pit, version

    current = version(of_pit({"pit_id": cast.pit.pk}))
    with django_assert_num_queries(2):
        assert client.get(url, {"v": current}).status_code == 204
