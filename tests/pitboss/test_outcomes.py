"""The answer of a form was lost: nobody is told what is not known, and everybody learns it."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from time import sleep
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.sessions.backends.base import UpdateError
from django.contrib.sessions.models import Session
from django.db import OperationalError, close_old_connections, connection
from django.test import Client
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from pitboss.models import RequestMark, Signature, Slip
from pitboss.rules.roles import Place
from pitboss.services import house, once
from pitboss.sessions import SessionStore
from tests.faults import held
from tests.faulty_proxy import FaultyProxy
from tests.floor.cast import SOME_CHEQUES, Cast
from tests.floor.hands import be_device, sign_in, sign_on_pad
from tests.floor.tablets import signed_in, signing, words

pytestmark = pytest.mark.django_db(transaction=True)

SIGNATURE = b'INSERT INTO "pitboss_signature"'


@pytest.fixture
def fill(cast: Cast) -> Slip:
    """A fill that waits for the supervisor to take it in."""
    fill = cast.ask()
    cast.carry(fill)
    cast.sign(fill, "agreed", cast.dan, entry=cast.agreement(fill))
    return fill


@pytest.fixture
def tablet_of_alice(cast: Cast) -> Client:
    client = signed_in(cast.alice, cast)
    client.raise_request_exception = False
    return client


def form_of(tablet: Client, fill: Slip, cast: Cast) -> dict[str, Any]:
    return signing(words(tablet.get(f"/slips/{fill.serial}/")), cast.alice)


def path_of(fill: Slip) -> str:
    return f"/slips/{fill.serial}/sign/main/received"


def ask(tablet: Client, form: dict[str, Any]) -> Any:
    close_old_connections()
    return tablet.post(f"/requests/{form['request_id']}/", headers={"accept": "application/json"})


def is_not_known(answer: Any, form: dict[str, Any]) -> None:
    told = words(answer)
    assert answer.status_code == 503
    assert "We don’t know yet if this was saved." in told
    assert "Nothing was signed" not in told
    assert f'action="/requests/{form["request_id"]}/"' in told


def test_a_signature_whose_commit_was_not_answered_is_not_known_and_then_shown(
    cast: Cast, fill: Slip, database_proxy: FaultyProxy, tablet_of_alice: Client
) -> None:
    form = form_of(tablet_of_alice, fill, cast)
    database_proxy.cut_answer_of(b"COMMIT", after=SIGNATURE)
    is_not_known(tablet_of_alice.post(path_of(fill), form), form)
    assert database_proxy.cuts == 1
    assert ask(tablet_of_alice, form).status_code == 503
    database_proxy.heal()
    body = ask(tablet_of_alice, form).json()
    signature = Signature.objects.get(step="received")
    at = f"{signature.signed_at.astimezone(house.the_property().zone):%H:%M}"
    assert body["state"] == "done"
    assert body["wrong"].startswith(f"Signed at {at}")
    assert body["to_do"] == f"Fill {fill.serial}: Received, {signature.signed_as}."
    assert body["url"] == f"/slips/{fill.serial}/"
    # Who taps again all the same signs once.
    assert tablet_of_alice.post(path_of(fill), form).status_code == 302
    assert Signature.objects.filter(step="received").count() == 1


def test_a_session_that_cannot_be_stored_is_not_one_that_was_deleted(
    database_proxy: FaultyProxy, tablet_of_alice: Client
) -> None:
    """It is stored last. A 400 would say that nothing was changed, after the act was stored."""
    held = SessionStore(tablet_of_alice.session.session_key)
    held["open_until"] = "later"
    database_proxy.drop()
    with pytest.raises(OperationalError):
        held.save()
    database_proxy.heal()
    close_old_connections()
    held.save()
    Session.objects.all().delete()
    with pytest.raises(UpdateError):
        held.save()


def test_a_signature_that_never_arrived_is_not_known_then_not_signed_and_cannot_come_late(
    cast: Cast, fill: Slip, database_proxy: FaultyProxy, tablet_of_alice: Client
) -> None:
    form = form_of(tablet_of_alice, fill, cast)
    database_proxy.cut_before(b"COMMIT", after=SIGNATURE)
    is_not_known(tablet_of_alice.post(path_of(fill), form), form)
    database_proxy.heal()
    body = ask(tablet_of_alice, form).json()
    assert body["state"] == "not_done"
    assert body["wrong"] == "Not signed. Nothing was stored."
    assert not Signature.objects.filter(step="received").exists()
    # What still carried the form comes now: it was told to be not signed, and that stays true.
    late = tablet_of_alice.post(path_of(fill), form)
    assert late.status_code == 409
    assert "This form was canceled, and nothing was saved." in words(late)
    assert not Signature.objects.filter(step="received").exists()
    # The form that came back with it is a new one.
    again = signing(words(late), cast.alice)
    assert again["request_id"] != form["request_id"]
    assert tablet_of_alice.post(path_of(fill), again).status_code == 302
    assert ask(tablet_of_alice, form).json()["state"] == "not_done"
    assert ask(tablet_of_alice, again).json()["state"] == "done"


def test_a_form_that_is_still_under_way_is_neither_signed_nor_not(
    cast: Cast, fill: Slip, tablet_of_alice: Client
) -> None:
    form = form_of(tablet_of_alice, fill, cast)
    other = signed_in(cast.alice, cast)

    def send() -> int:
        try:
            return other.post(path_of(fill), form).status_code
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as pool:
        with held("SELECT FROM pitboss_table WHERE id = %s FOR UPDATE", cast.table.pk):
            sent = pool.submit(send)
            # It has its mark when it waits for the table.
            with connection.cursor() as cursor:
                for _ in range(300):
                    cursor.execute("SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock'")
                    if cursor.rowcount:
                        break
                    sleep(0.01)
            body = ask(tablet_of_alice, form).json()
            assert body["state"] == "under_way"
            assert body["wrong"] == "We don’t know yet if this was saved."
        assert sent.result() == 302
    assert ask(tablet_of_alice, form).json()["state"] == "done"


def test_an_act_without_a_slip_says_when_it_was_stored(cast: Cast) -> None:
    cast.deliver(cast.ask())
    cast.open_table(SOME_CHEQUES)
    tablet = signed_in(cast.alice, cast)
    page = words(tablet.get(f"/tables/{cast.table.name}/dealer/"))
    form = signing(page, cast.dan)
    assert tablet.post(f"/tables/{cast.table.name}/dealer/", form).status_code == 302
    body = ask(tablet, form).json()
    assert body["state"] == "done"
    assert re.fullmatch(r"It was stored at \d\d:\d\d:\d\d\.", body["wrong"])


def test_only_the_device_that_sent_a_form_is_told(cast: Cast, fill: Slip) -> None:
    tablet = signed_in(cast.alice, cast)
    form = form_of(tablet, fill, cast)
    assert tablet.post(path_of(fill), form).status_code == 302
    answer = ask(signed_in(cast.erin, cast, Place.CAGE), form)
    assert answer.status_code == 403
    assert answer.json()["url"] == ""
    assert fill.serial not in words(answer)


def test_a_form_that_carries_no_id_is_looked_for_by_its_person(
    cast: Cast, database_proxy: FaultyProxy, tablet_of_alice: Client
) -> None:
    database_proxy.drop()
    answer = tablet_of_alice.post("/audit/verify")
    assert answer.status_code == 503
    told = words(answer)
    assert "We don’t know yet if this was saved." in told
    assert "Check whether it was done before you do it again." in told


def test_marks_are_forgotten_after_a_week(cast: Cast) -> None:
    cast.ask()
    assert RequestMark.objects.count() == 1
    once.sweep_answers(now=house.now() + once.KEPT / 2)
    assert RequestMark.objects.count() == 1
    once.sweep_answers(now=house.now() + once.KEPT * 2)
    assert not RequestMark.objects.exists()


def test_without_script_the_page_asks_by_a_button(cast: Cast) -> None:
    tablet = signed_in(cast.alice, cast)
    answer = tablet.post(f"/requests/{uuid4()}/", headers={"accept": "text/html"})
    assert "Not signed. Nothing was stored." in words(answer)


@pytest.mark.browser
def test_a_tablet_asks_by_itself_what_became_of_a_signature_and_shows_the_slip(
    cast: Cast,
    fill: Slip,
    database_proxy: FaultyProxy,
    live_server: LiveServer,
    tablet: Page,
) -> None:
    be_device(tablet.context, cast.devices[Place.PIT], live_server.url)
    sign_in(tablet, cast.alice)
    tablet.goto(f"/slips/{fill.serial}/")
    database_proxy.cut_answer_of(b"COMMIT", after=SIGNATURE)
    sign_on_pad(tablet, cast.alice, "Sign as supervisor")
    note = tablet.locator("[data-unanswered]")
    expect(note).to_contain_text("We don’t know yet if this was saved.")
    expect(tablet.get_by_role("button", name="Sign as supervisor")).to_be_disabled()
    database_proxy.heal()
    expect(note).to_contain_text("Signed at")
    note.get_by_role("link", name=f"Open {fill.serial}").click()
    expect(tablet.get_by_role("main")).to_contain_text("All signatures complete.")
    close_old_connections()
    assert Signature.objects.filter(step="received").count() == 1
