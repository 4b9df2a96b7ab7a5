"""A PIN that others set signs for little, changes nobody, and no change of one's own ends that."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.db import DatabaseError, connection, transaction

from jackpots.services.meter_reading import read_meter
from pitboss.models import Person, Signature
from pitboss.rules.canonical import digest
from pitboss.rules.flows.book import house_kinds
from pitboss.rules.flows.fresh_pins import WORTH_KEYS
from pitboss.rules.roles import Place, Role
from pitboss.rules.settings.book import BOOK
from pitboss.services import house
from pitboss.services.devices import NewDevice, let_in, offer_device, offer_token
from pitboss.services.own_secrets import change_own_pin
from pitboss.services.people import grant_acting_role
from pitboss.services.shown import slip_shown
from pitboss.services.signing import Pen
from tables.services.drops import estimate_drop
from tests.floor.cash_log import log as log_cash
from tests.floor.cast import Cast, ServerClock, pin_of, refused
from tests.floor.house import change, propose
from tests.floor.meters import sevens
from tests.floor.pins import NEW_PIN, give_pin, offer, release

pytestmark = pytest.mark.django_db

# $1,000 and a dollar more.
AT_LIMIT = {10_000: 10}
OVER_LIMIT = {10_000: 10, 100: 1}


def pen(cast: Cast, person: Person, place: Place = Place.PIT, pin: str = NEW_PIN) -> Pen:
    return Pen(person.badge, pin, cast.devices[place], uuid4())


@pytest.fixture
def reset(cast: Cast, server_clock: ServerClock) -> Person:
    """Let Alice have a PIN that Carol offered and Heidi witnessed."""
    return give_pin(cast, cast.alice, cast.carol, cast.heidi)


def test_a_reset_pin_asks_for_nothing_above_the_limit_of_the_house(
    cast: Cast, reset: Person, server_clock: ServerClock
) -> None:
    cast.ask(AT_LIMIT, pen=pen(cast, reset))
    with refused("fresh_pin"):
        cast.ask(OVER_LIMIT, pen=pen(cast, reset))
    server_clock.move(hours=24, seconds=-1)
    with refused("fresh_pin"):
        cast.ask(OVER_LIMIT, pen=pen(cast, reset))
    server_clock.move(seconds=1)
    cast.ask(OVER_LIMIT, pen=pen(cast, reset))


def test_it_signs_no_step_of_a_slip_that_others_began_nor_its_void(
    cast: Cast, server_clock: ServerClock
) -> None:
    slip = cast.ask(OVER_LIMIT)
    give_pin(cast, cast.erin, cast.trent, cast.heidi)
    with refused("fresh_pin"):
        cast.sign(slip, "issued", cast.erin, pen=pen(cast, cast.erin, Place.CAGE))


def test_the_house_sets_the_limit_and_the_hours(cast: Cast, reset: Person) -> None:
    change(cast, "people.reset_pin_limit", "$1,001")
    cast.ask(OVER_LIMIT, pen=pen(cast, reset))
    change(cast, "people.reset_pin_limit", "0")
    with refused("fresh_pin"):
        cast.ask(AT_LIMIT, pen=pen(cast, reset))


def test_a_change_of_ones_own_does_not_end_it(cast: Cast, reset: Person) -> None:
    device = cast.devices[Place.OFFICE]
    change_own_pin(badge="101", old_pin=NEW_PIN, new_pin="902746", device=device)
    with refused("fresh_pin"):
        cast.ask(OVER_LIMIT, pen=pen(cast, reset, pin="902746"))


def test_a_reset_pin_gives_nobody_else_a_pin_or_a_rank(cast: Cast) -> None:
    give_pin(cast, cast.heidi, cast.mike, cast.sybil)
    with refused("fresh_pin", journal=("act_refused",)):
        offer(cast, cast.dan, cast.heidi, NEW_PIN)
    half = offer(cast, cast.dan, cast.carol)
    with refused("fresh_pin", journal=("act_refused",)):
        release(cast, cast.dan, cast.heidi, NEW_PIN)
    assert half
    with refused("fresh_pin", journal=("act_refused",)):
        grant_acting_role(
            person_id=cast.dan.pk,
            role=Role.SUPERVISOR,
            badge="108",
            pin=NEW_PIN,
            device=cast.devices[Place.OFFICE],
        )


def test_a_reset_pin_lets_no_device_in(cast: Cast) -> None:
    give_pin(cast, cast.heidi, cast.mike, cast.sybil)
    new = NewDevice("Pit 1 second tablet", Place.PIT, cast.pit)
    office = cast.devices[Place.OFFICE]
    with refused("fresh_pin", journal=("act_refused",)):
        offer_device(new=new, badge="108", pin=NEW_PIN, device=office)
    tablet = cast.devices[Place.PIT]
    with refused("fresh_pin", journal=("act_refused",)):
        offer_token(device_id=tablet.pk, badge="108", pin=NEW_PIN, device=office)
    pin = pin_of(cast.carol.badge)
    offered = offer_device(new=new, badge=cast.carol.badge, pin=pin, device=office)
    with refused("fresh_pin", journal=("act_refused",)):
        let_in(offer_id=offered.pk, badge="108", pin=NEW_PIN, device=office)


def test_a_reset_pin_signs_for_little_outside_slips_too(
    cast: Cast, server_clock: ServerClock
) -> None:
    """An estimate, cash and a reading carry amounts that no slip holds."""
    meter = sevens(cast)
    cast.deliver(cast.ask({10_000: 10}))
    cast.open_table({10_000: 10})
    reset = give_pin(cast, cast.alice, cast.carol, cast.heidi)

    def estimate(cents: int) -> None:
        estimate_drop(table=cast.table, cash_cents=cents, pen=pen(cast, reset))

    def read(cents: int) -> None:
        hand = pen(cast, reset)
        read_meter(
            meter_id=meter.pk,
            read_cents=cents,
            badge=hand.badge,
            pin=hand.pin,
            request_id=hand.request_id,
            device=hand.device,
        )

    def log(cents: int) -> None:
        log_cash(cast, "Tall, red hat", cents // 100, pen=pen(cast, reset))

    for act in (estimate, read, log):
        act(100_000)
        with refused("fresh_pin", journal=("act_refused",)):
            act(100_100)
    server_clock.move(hours=24)
    estimate(100_100)


def test_a_reset_pin_approves_no_change_of_the_house(cast: Cast) -> None:
    slip = propose(cast, "people.idle_lock", "240")
    give_pin(cast, cast.heidi, cast.mike, cast.sybil)
    with refused("fresh_pin"):
        cast.sign(slip, "approved", cast.heidi, pen=pen(cast, cast.heidi, Place.OFFICE))


def test_first_pins_of_a_house_that_never_opened_are_as_good_as_any(cast: Cast) -> None:
    Person.objects.filter(pk=cast.dan.pk).update(pin_hash="", password="")
    give_pin(cast, cast.dan, cast.carol, cast.alice, old_secret="", password="green felt and brass")
    assert Person.objects.get(pk=cast.dan.pk).pin_by_others_at is None


def test_a_first_pin_of_an_open_house_is_fresh(cast: Cast) -> None:
    cast.deliver(cast.ask({2_500: 20}))
    cast.open_table({2_500: 20})
    Person.objects.filter(pk=cast.dora.pk).update(pin_hash="", password="")
    give_pin(
        cast, cast.dora, cast.carol, cast.alice, old_secret="", password="green felt and brass"
    )
    assert Person.objects.get(pk=cast.dora.pk).pin_by_others_at is not None


# ------------------------------------------------------------------ by SQL, as the site


def signed_past_the_service(cast: Cast, slip_kind: str) -> Signature:
    slip = (
        cast.ask(OVER_LIMIT)
        if slip_kind == "fill"
        else cast.ask(AT_LIMIT)
        if slip_kind == "small"
        else propose(cast, "people.idle_lock", "240")
    )
    shown = slip_shown(slip)
    is_house = slip_kind == "setting"
    person = cast.heidi if is_house else cast.erin
    place = Place.OFFICE if is_house else Place.CAGE
    return Signature(
        slip=slip,
        track="main",
        step="approved" if is_house else "issued",
        person=person,
        signed_as=person.signs_as,
        role=person.role,
        device=cast.devices[place],
        place=place.value,
        signed_at=house.now(),
        shown=shown,
        shown_hash=digest(shown),
        request_id=uuid4(),
        request_hash="x",
    )


@pytest.mark.parametrize("kind", ["fill", "setting"])
def test_the_database_takes_no_such_signature_either(cast: Cast, kind: str) -> None:
    signature = signed_past_the_service(cast, kind)
    Person.objects.filter(pk=signature.person_id).update(pin_by_others_at=house.now())
    with pytest.raises(DatabaseError, match="others have just set this PIN"), transaction.atomic():
        signature.save(force_insert=True)
    Person.objects.filter(pk=signature.person_id).update(pin_by_others_at=None)
    signature.save(force_insert=True)


def test_the_database_follows_the_limit_that_the_house_set(cast: Cast) -> None:
    signature = signed_past_the_service(cast, "small")
    change(cast, "people.reset_pin_limit", "$999")
    signature.signed_at = house.now()
    Person.objects.filter(pk=cast.erin.pk).update(pin_by_others_at=house.now())
    with pytest.raises(DatabaseError, match="others have just set this PIN"), transaction.atomic():
        signature.save(force_insert=True)
    change(cast, "people.reset_pin_limit", "$1,000")
    signature.signed_at = house.now()
    signature.save(force_insert=True)


def test_the_database_has_the_defaults_and_kinds_of_the_rules() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_get_functiondef('pitboss_fresh_pin_signs_little'::regproc)")
        written = " ".join(cursor.fetchone()[0].split())
    for key in ("people.reset_pin_hours", "people.reset_pin_limit"):
        assert f"'{key}', NEW.signed_at, {BOOK[key].default})" in written
    assert all(f"'{kind}'" in written for kind in (*house_kinds(), *WORTH_KEYS))
