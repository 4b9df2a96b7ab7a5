"""A game outside its band is investigated: causes, a comment, and two signatures (A152)."""

from __future__ import annotations

from datetime import date
from typing import Any
from uuid import uuid4

import pytest
from django.urls import reverse

from pitboss.models import FloorException, Slip
from pitboss.rules.flows.flows import Track
from pitboss.rules.roles import Place, Role
from pitboss.services import house
from pitboss.services.explaining import resolve_exception
from pitboss.services.signing import Entry
from pitboss.slips.addresses import new_url
from pitboss.slips.raising import raise_kind, shown_before
from tables.kinds.hold_investigation import HOLD_INVESTIGATION
from tables.selectors.holds import hold_of
from tables.services.holds import open_investigations
from tests.floor.cast import Cast, ServerClock, add_person, pin_of, refused
from tests.floor.tablets import signed_in, words
from tests.races import at_once
from tests.tables.test_settling import days_of_experience

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("server_clock")]
APRIL = date(2026, 4, 1)
WORDS = {"causes": "One player won on side bets.", "evidence": "Recordings of Apr 3."}


@pytest.fixture
def outside(cast: Cast) -> Cast:
    """A game that held 20% before, and 50% in April."""
    days_of_experience(cast, date(2026, 3, 31), [18_000, 22_000] * 30)
    days_of_experience(cast, date(2026, 4, 20), [50_000] * 20)
    return cast


def write(cast: Cast, **given: Any) -> Slip:
    hold = hold_of("classic", APRIL, house.settings_at(house.now()))
    raising = HOLD_INVESTIGATION.at(hold=hold, **(given or WORDS))
    pen = cast.pen(cast.ruth, Place.OFFICE)
    return raise_kind(raising, pen=pen, shown=shown_before(raising))


def test_a152_a_game_outside_its_band_is_investigated(outside: Cast) -> None:
    cast = outside
    assert open_investigations(now=house.now()) == 1
    assert open_investigations(now=house.now()) == 0, "once for each"
    floor_exception = FloorException.objects.get(code="hold_outside")
    assert "50.00%" in floor_exception.sentence
    assert floor_exception.waits.get().limit_seconds == 30 * 86_400
    with refused("answered_elsewhere", journal=("act_refused",)):
        resolve_exception(
            exception_id=floor_exception.pk,
            resolution="By chance.",
            badge=cast.ruth.badge,
            pin=pin_of(cast.ruth.badge),
            request_id=uuid4(),
            device=cast.devices[Place.OFFICE],
        )
    client = signed_in(cast.ruth, cast)
    url = new_url("hold_investigation", game="classic", month="2026-04-01")
    for left_out in WORDS:
        without = client.post(url, {**WORDS, left_out: " ", "request_id": uuid4()})
        assert without.status_code == 422
        assert f"{left_out.capitalize()}: enter it first." in words(without)
    assert not Slip.objects.filter(kind="hold_investigation").exists()
    slip = write(cast)
    with refused("already_investigated"):
        write(cast)
    with refused("reason_missing"):
        cast.sign(slip, "commented", cast.heidi, Place.OFFICE)
    cast.sign(slip, "commented", cast.heidi, Place.OFFICE, entry=Entry(reason="I agree."))
    sent = Entry(reason="May 4, 2026")
    with refused("signed_before", "wrong_role"):
        cast.sign(slip, "signed", cast.ruth, Place.OFFICE, entry=sent)
    sara = add_person("sara", "919", Role.CONTROLLER)
    cast.sign(slip, "signed", sara, Place.OFFICE, entry=sent)
    floor_exception.refresh_from_db()
    assert floor_exception.resolution == f"Investigated on {slip.serial}."
    assert open_investigations(now=house.now()) == 0


def test_a152_within_the_band_nothing_opens(cast: Cast) -> None:
    days_of_experience(cast, date(2026, 4, 20), [18_000, 22_000] * 40)
    assert open_investigations(now=house.now()) == 0


def test_a_returned_investigation_is_written_again(outside: Cast) -> None:
    cast = outside
    slip = write(cast)
    entry = Entry(reason="Name the player.")
    cast.sign(slip, "returned", cast.heidi, Place.OFFICE, entry=entry, track=Track.VOID)
    write(cast)


def test_two_write_at_once_and_one_stands(outside: Cast) -> None:
    results = at_once(lambda: write(outside), lambda: write(outside))
    assert sorted(isinstance(result, Slip) for result in results) == [False, True]


def test_a152_the_page_shows_band_dot_and_the_way_to_write(
    outside: Cast, server_clock: ServerClock
) -> None:
    cast = outside
    client = signed_in(cast.ruth, cast)
    page = client.get(reverse("hold"))
    assert "Write investigation" in words(page)
    assert "band__dot--out" in page.content.decode()
    url = new_url("hold_investigation", game="classic", month="2026-04-01")
    assert url.replace("&", "&amp;") in page.content.decode()
    assert "Causes" in words(client.get(url))
    assert (
        client.get(new_url("hold_investigation", game="moon", month="2026-04-01")).status_code
        == 404
    )
    assert client.get(new_url("hold_investigation", game="classic", month="x")).status_code == 404
    reader = words(signed_in(cast.carol, cast).get(reverse("hold")))
    assert "Outside" in reader
    slip = write(cast)
    assert slip.serial in words(client.get(reverse("hold")))
