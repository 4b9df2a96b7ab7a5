"""Dual-rates by time, and a night without a shift manager."""

from __future__ import annotations

from datetime import timedelta
from uuid import uuid4

import pytest
from django.db import IntegrityError, transaction
from django.urls import reverse

from pitboss.kinds.acting_manager import ACTING_MANAGER_KIND
from pitboss.models import ActingRole, FloorException, Person, Slip, Waiting
from pitboss.rules.roles import Place, Role, naming_refusals
from pitboss.services import house
from pitboss.services.explaining import resolve_exception
from pitboss.services.people import end_acting_role, grant_acting_role
from pitboss.services.signing import Entry
from pitboss.slips.raising import raise_kind, shown_before
from tables.services.dealers import tap_in, tap_out
from tests.floor.cast import Cast, ServerClock, add_person, pin_of, refused
from tests.floor.house import propose
from tests.floor.tablets import signed_in, signing, words

# Roles end with the shift: by the real clock, the hours would not always fit in it.
pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("server_clock")]
TRAY = {500: 100}


def grant(cast: Cast, to: Person, role: Role, by: Person, hours: float | None = None) -> ActingRole:
    return grant_acting_role(
        person_id=to.pk,
        role=role,
        badge=by.badge,
        pin=pin_of(by.badge),
        device=cast.devices[Place.PIT],
        until=house.now() + timedelta(hours=hours) if hours else None,
    )


def end(cast: Cast, whose: Person, by: Person) -> ActingRole:
    return end_acting_role(
        person_id=whose.pk, badge=by.badge, pin=pin_of(by.badge), device=cast.devices[Place.PIT]
    )


def tap(cast: Cast, who: Person) -> None:
    tap_in(
        table_id=cast.table.pk,
        badge=who.badge,
        pin=pin_of(who.badge),
        device=cast.devices[Place.PIT],
    )


def role_of(person: Person) -> Role:
    return house.role_in(Person.objects.get(pk=person.pk), house.period_at(house.now()))


# ------------------------------------------------------------------ dual-rates (A106)


def test_a106_a_dual_rate_supervises_for_two_hours_and_deals_again(
    cast: Cast, server_clock: ServerClock
) -> None:
    cast.deliver(cast.ask(TRAY))
    cast.open_table(TRAY)
    grant(cast, cast.dora, Role.SUPERVISOR, cast.carol, hours=2)
    assert role_of(cast.dora) is Role.SUPERVISOR
    with refused("wrong_role", journal=["act_refused"]):
        tap(cast, cast.dora)
    end(cast, cast.dora, by=cast.dora)
    tap(cast, cast.dora)
    with refused("wrong_role"):
        cast.ask(by=cast.dora)


def test_a106_the_time_ends_it_without_anyone(cast: Cast, server_clock: ServerClock) -> None:
    grant(cast, cast.dora, Role.SUPERVISOR, cast.carol, hours=2)
    server_clock.move(minutes=119)
    assert cast.ask(by=cast.dora).signatures.get().role == "supervisor"
    server_clock.move(minutes=2)
    with refused("wrong_role"):
        cast.ask(by=cast.dora)
    grant(cast, cast.dora, Role.SUPERVISOR, cast.carol)
    assert ActingRole.objects.filter(person=cast.dora).count() == 2, "several in one shift"


def test_a106_no_one_verifies_a_table_they_dealt_this_shift(
    cast: Cast, server_clock: ServerClock
) -> None:
    cast.deliver(cast.ask(TRAY))
    cast.open_table(TRAY)
    tap(cast, cast.dora)
    server_clock.move(minutes=30)
    tap(cast, cast.dan)
    grant(cast, cast.dora, Role.SUPERVISOR, cast.carol)
    count = cast.count("count", TRAY)
    with refused("dealt_here"):
        cast.sign(count, "verified", cast.dora, entry=Entry(counted=TRAY))
    cast.sign(count, "verified", cast.alice, entry=Entry(counted=TRAY))


def test_a106_another_shift_forgets_who_dealt(cast: Cast, server_clock: ServerClock) -> None:
    cast.deliver(cast.ask(TRAY))
    cast.open_table(TRAY)
    tap_out(
        table_id=cast.table.pk,
        badge=cast.dan.badge,
        pin=pin_of(cast.dan.badge),
        device=cast.devices[Place.PIT],
    )
    server_clock.move(hours=8)
    grant(cast, cast.dan, Role.SUPERVISOR, cast.carol)
    tap(cast, cast.dora)
    count = cast.count("count", TRAY, by=cast.dora)
    cast.sign(count, "verified", cast.dan, entry=Entry(counted=TRAY))


@pytest.mark.parametrize(
    ("role", "by", "hours", "code"),
    [
        (Role.PIT_MANAGER, "carol", None, "wrong_role"),
        (Role.SUPERVISOR, "alice", None, "wrong_role"),
        (Role.SUPERVISOR, "carol", 24, "bad_time"),
        (Role.SUPERVISOR, "carol", -1, "bad_time"),
    ],
)
def test_a106_rank_is_granted_within_reach_and_within_the_shift(
    cast: Cast, role: Role, by: str, hours: float | None, code: str
) -> None:
    with refused(code, journal=["act_refused"]):
        grant(cast, cast.dan, role, getattr(cast, by), hours)


def test_a106_only_who_acts_or_may_grant_it_ends_it(cast: Cast) -> None:
    with refused("not_acting", journal=["act_refused"]):
        end(cast, cast.dan, by=cast.dan)
    grant(cast, cast.dan, Role.SUPERVISOR, cast.carol)
    with refused("wrong_role", journal=["act_refused"]):
        end(cast, cast.dan, by=cast.alice)
    assert end(cast, cast.dan, by=cast.carol).ended_by == cast.carol


def test_a106_past_the_service_no_two_are_at_once_and_none_is_made_longer(cast: Cast) -> None:
    acting = grant(cast, cast.dan, Role.SUPERVISOR, cast.carol, hours=1)
    with pytest.raises(IntegrityError, match="acts in another role"), transaction.atomic():
        ActingRole.objects.create(
            person=cast.dan,
            gaming_day=acting.gaming_day,
            shift=acting.shift,
            role="supervisor",
            granted_by=cast.heidi,
            granted_at=acting.granted_at + timedelta(minutes=30),
        )
    acting.until = None
    with pytest.raises(IntegrityError, match="only ends"), transaction.atomic():
        acting.save(update_fields=["until"])


def test_a106_on_the_screen_a_time_is_chosen_and_ended(
    cast: Cast, server_clock: ServerClock
) -> None:
    client = signed_in(cast.carol, cast)
    url = reverse("acting-role", args=[cast.dan.pk])
    page = words(client.get(url))
    assert "supervisor, 2 hours" in page
    client.post(url, signing(page, cast.carol, role="supervisor+2"))
    assert role_of(cast.dan) is Role.SUPERVISOR
    people = words(client.get(reverse("people")))
    end_url = reverse("acting-end", args=[cast.dan.pk])
    assert end_url in people
    client.post(end_url, signing(words(client.get(end_url)), cast.carol))
    assert role_of(cast.dan) is Role.DEALER


# ------------------------------------------------------------------ no shift manager (A107)


@pytest.fixture
def night(cast: Cast) -> Cast:
    """The cast, with managers of security and cage, and no shift manager about."""
    for name, badge, role in (
        ("sam", "140", Role.SECURITY_MANAGER),
        ("sid", "141", Role.SECURITY_MANAGER),
        ("cleo", "142", Role.CAGE_MANAGER),
    ):
        setattr(cast, name, add_person(name, badge, role))
    return cast


def name_carol(cast: Cast, by: str = "sam") -> Slip:
    raising = ACTING_MANAGER_KIND.at(person=cast.carol)
    return raise_kind(
        raising,
        reason="Heidi is ill.",
        pen=cast.pen(getattr(cast, by), Place.OFFICE),
        shown=shown_before(raising),
    )


def agree(cast: Cast, slip: Slip, by: str = "cleo") -> None:
    cast.sign(slip, "agreed", getattr(cast, by), Place.OFFICE)


def explain(cast: Cast, trouble: FloorException, by: Person) -> None:
    resolve_exception(
        exception_id=trouble.pk,
        resolution="Reviewed.",
        badge=by.badge,
        pin=pin_of(by.badge),
        request_id=uuid4(),
        device=cast.devices[Place.OFFICE],
    )


def test_a107_two_departments_name_a_pit_manager_who_authorizes_a_variance(night: Cast) -> None:
    agree(night, name_carol(night))
    assert role_of(night.carol) is Role.SHIFT_MANAGER
    night.deliver(night.ask(TRAY))
    opener = night.count("opener", {500: 90})
    night.sign(opener, "verified", night.alice, entry=Entry(counted={500: 90}))
    night.sign(opener, "accepted", night.carol, entry=Entry(reason="Counted twice."))
    opener.refresh_from_db()
    assert opener.status == "done"
    listed = FloorException.objects.get(code="acting_manager")
    assert Waiting.objects.get(exception=listed).limit_seconds == 24 * 3_600
    page = words(signed_in(night.heidi, night).get(reverse("exception", args=[listed.pk])))
    assert opener.serial in page
    with refused("signed_before", "acting_manager", journal=["act_refused"]):
        explain(night, listed, night.carol)
    explain(night, listed, night.heidi)


def test_a107_two_of_one_department_name_no_one(night: Cast) -> None:
    slip = name_carol(night)
    with refused("same_department"):
        agree(night, slip, "sid")
    assert role_of(night.carol) is Role.PIT_MANAGER
    assert naming_refusals(Role.SURVEILLANCE_MANAGER, Role.SECURITY_MANAGER) == []


def test_a107_one_of_them_is_security_or_surveillance(night: Cast) -> None:
    with refused("wrong_role"):
        name_carol(night, "cleo")


def test_a107_only_a_pit_manager_is_named_and_only_one(night: Cast) -> None:
    raising = ACTING_MANAGER_KIND.at(person=night.alice)
    with refused("role_out_of_reach"):
        raise_kind(
            raising,
            reason="Ill.",
            pen=night.pen(night.sam, Place.OFFICE),  # type: ignore[attr-defined]
            shown=shown_before(raising),
        )
    slip = name_carol(night)
    with refused("already_proposed"):
        name_carol(night, "sid")
    agree(night, slip)
    with refused("already_acting"):
        name_carol(night, "sid")


def test_a107_the_acting_one_changes_no_settings_and_no_people(night: Cast) -> None:
    agree(night, name_carol(night))
    with refused("acting_manager"):
        propose(night, "count.open_alone_to", "50")


def test_a107_no_one_authorizes_their_own_request(night: Cast) -> None:
    agree(night, name_carol(night))
    night.deliver(night.ask(TRAY))
    opener = night.count("opener", {500: 90})
    night.sign(opener, "verified", night.carol, entry=Entry(counted={500: 90}))
    with refused("signed_before"):
        night.sign(opener, "accepted", night.carol, entry=Entry(reason="Mine."))


def test_a107_a_shift_manager_who_leaves_names_one(cast: Cast) -> None:
    grant(cast, cast.carol, Role.SHIFT_MANAGER, cast.heidi)
    assert role_of(cast.carol) is Role.SHIFT_MANAGER
    assert FloorException.objects.filter(code="acting_manager").exists()
    with refused("role_out_of_reach", journal=["act_refused"]):
        grant(cast, cast.alice, Role.SHIFT_MANAGER, cast.heidi)


def test_a107_a_slip_of_a_shift_that_is_over_names_no_one(
    night: Cast, server_clock: ServerClock
) -> None:
    slip = name_carol(night)
    server_clock.move(hours=8)
    with refused("shift_over"):
        agree(night, slip)


def test_a107_a_third_night_in_a_row_is_told_to_compliance(
    night: Cast, server_clock: ServerClock
) -> None:
    for _ in range(3):
        assert not FloorException.objects.filter(code="no_shift_manager").exists()
        agree(night, name_carol(night))
        server_clock.move(days=1)
    floor_exception = FloorException.objects.get(code="no_shift_manager")
    assert Waiting.objects.get(exception=floor_exception).by == ["compliance"]


def test_a107_past_the_service_one_signature_names_no_one(night: Cast) -> None:
    slip = name_carol(night)
    with pytest.raises(IntegrityError, match="refused"), transaction.atomic():
        ActingRole.objects.create(
            person=night.carol,
            gaming_day=slip.gaming_day,
            shift="Day",
            role="shift_manager",
            granted_by=night.sam,  # type: ignore[attr-defined]
            granted_at=house.now(),
            named_on=slip,
        )
