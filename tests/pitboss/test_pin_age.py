"""A PIN ages: a new one comes before the next signature, and none of the last six again."""

from __future__ import annotations

import re
from datetime import timedelta
from pathlib import Path

import pytest
from django.db import DatabaseError
from django.urls import reverse

from pitboss.models import Person, Signature, UsedPin
from pitboss.rules.people.pin_age import PINS_KEPT, REMIND_DAYS, PinAge
from pitboss.rules.settings.book import BOOK
from pitboss.services import house
from pitboss.services.own_secrets import change_own_pin
from pitboss.services.verification import verify
from tests.floor.cast import Cast, ServerClock, pin_of, refused
from tests.floor.house import change
from tests.floor.tablets import signed_in, words

pytestmark = pytest.mark.django_db(transaction=True)
GREENS = {2_500: 40}
# None is a sequence, and each differs from the one before by more than a step.
PINS = ("194725", "385014", "720461", "913572", "408263", "651937", "276048")


@pytest.fixture
def aged(cast: Cast, server_clock: ServerClock) -> Cast:
    """The cast, with a PIN of Alice that was set today."""
    _set_at(cast.alice, house.now())
    return cast


def _set_at(person: Person, at: object) -> None:
    found = Person.objects.get(pk=person.pk)
    found.pin_set_at = at  # type: ignore[assignment]
    found.save(update_fields=["pin_set_at"])


def renew(cast: Cast, old: str, new: str) -> None:
    change_own_pin(
        badge=cast.alice.badge, old_pin=old, new_pin=new, device=cast.pen(cast.alice).device
    )


def test_a148_a_pin_of_91_days_signs_nothing_new_until_it_is_changed(
    aged: Cast, server_clock: ServerClock
) -> None:
    fill = aged.ask(GREENS)
    server_clock.move(days=91)
    with refused("pin_expired"):
        aged.ask(GREENS)
    # The slip was open before: it is finished with the old one.
    aged.deliver(fill)
    renew(aged, pin_of(aged.alice.badge), PINS[0])
    assert UsedPin.objects.filter(person=aged.alice).count() == 1
    aged.alice.refresh_from_db()
    assert (
        house.settings_at(house.now()).pin_age.is_over(aged.alice.pin_set_at, house.now()) is False
    )
    assert verify().is_sound


def test_a148_none_of_the_last_six_is_chosen_again(aged: Cast, server_clock: ServerClock) -> None:
    old = pin_of(aged.alice.badge)
    for new in PINS[:PINS_KEPT]:
        renew(aged, old, new)
        old = new
    for used in PINS[:PINS_KEPT]:
        with refused("pin_unchanged" if used == old else "pin_used", journal=("act_refused",)):
            renew(aged, old, used)
    renew(aged, old, PINS[6])
    renew(aged, PINS[6], PINS[0])


def test_a_day_earlier_it_signs_and_the_week_before_says_so(
    aged: Cast, server_clock: ServerClock
) -> None:
    server_clock.move(days=90 - REMIND_DAYS, seconds=1)
    page = words(signed_in(aged.alice, aged).get(reverse("own-secrets")))
    assert "Your PIN signs for 6 more days." in page
    server_clock.move(days=REMIND_DAYS, seconds=-2)
    aged.ask(GREENS)
    server_clock.move(seconds=1)
    with refused("pin_expired"):
        aged.ask(GREENS)


def test_the_house_sets_the_days_and_may_set_none(aged: Cast, server_clock: ServerClock) -> None:
    change(aged, "people.pin_days", "0")
    server_clock.move(days=300)
    aged.ask(GREENS)


def test_a_pad_leads_to_the_page_where_anybody_sets_theirs(
    aged: Cast, server_clock: ServerClock
) -> None:
    server_clock.move(days=91)
    tablet = signed_in(aged.bob, aged)
    assert "Choose none of your last six" in words(tablet.get(reverse("pin-renew")))
    form = {
        "badge": aged.alice.badge,
        "old_pin": pin_of(aged.alice.badge),
        "new_pin": PINS[0],
        "new_pin_again": PINS[1],
    }
    assert "don’t match" in words(tablet.post(reverse("pin-renew"), form))
    done = tablet.post(reverse("pin-renew"), {**form, "new_pin_again": PINS[0], "next": "/inbox/"})
    assert (done.status_code, done["Location"]) == (302, "/inbox/")


def test_the_database_takes_no_signature_of_an_old_pin_either(
    aged: Cast, server_clock: ServerClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    server_clock.move(days=91)
    # As if the site had forgotten its rule.
    monkeypatch.setattr(PinAge, "refusals", lambda *_: [])
    with pytest.raises(DatabaseError, match="this PIN is too old"):
        aged.ask(GREENS)
    assert not Signature.objects.exists()


def test_the_trigger_has_the_default_of_the_book() -> None:
    (migration,) = Path("pitboss/migrations").glob("*_pin_age.py")
    (days,) = re.findall(r"'people.pin_days', NEW.signed_at, (\d+)", migration.read_text())
    assert int(days) == BOOK["people.pin_days"].default
    assert timedelta(days=int(days)) > timedelta(days=REMIND_DAYS)
