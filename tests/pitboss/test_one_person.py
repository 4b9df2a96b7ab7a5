"""One person, whatever the rank, cannot produce two signatures of different people.

Every route of PINs and people is tried by one person of every role against every other role. What
that person can begin alone is what the rules say, and nothing of it makes them somebody else.
"""

from __future__ import annotations

import re
from typing import Any
from uuid import uuid4

import pytest
from django.db import DatabaseError, connection, transaction
from django.test import Client
from django.urls import reverse

from pitboss.kinds.person import new_change
from pitboss.kinds.person_leaves import PERSON_LEAVES
from pitboss.models import ActingRole, FloorException, Person, PinEnrolment, Signature, Slip
from pitboss.rules.refusal import Refused
from pitboss.rules.roles import (
    MAY_MANAGE,
    Place,
    Role,
    acting_roles,
    may_grant,
    may_offer,
    may_unlock,
)
from pitboss.services.pin_offers import Witness
from pitboss.services.shown import request_shown, slip_shown
from pitboss.services.signing import Pen
from pitboss.services.staffing import fields_of
from pitboss.services.verification import verify
from pitboss.slips.addresses import new_url
from pitboss.slips.raising import shown_before
from tests.floor.cast import PASSWORD, Cast, add_person, pin_of, refused
from tests.floor.pins import NEW_PIN, give_pin, offer, release, set_with
from tests.floor.tablets import words
from tests.test_access import routes, signed_in

pytestmark = pytest.mark.django_db(transaction=True)

# Every route under /people/, /pin/ and /me/ by which somebody could act on another.
TRIED = {
    "pin-enrol",
    "pin-keys",
    "pin-renew",
    "own-secrets",
    "pin-offer",
    "pin-witness",
    "acting-role",
    "acting-end",
    "badge-unlock",
    "old-leave",
    "old-people",
}
# They show, or look at what is then proposed.
ONLY_SHOWN = {"access-reviews", "people", "person-new", "person-edit", "people-import", "roles"}
# A limit and a passkey that is removed are no power over a PIN, and have their own tests.
TRIED_ELSEWHERE = {"person-limits", "old-limit", "passkey-revoke"}


def test_every_route_of_pins_and_people_is_tried() -> None:
    found = {
        str(pattern.name)
        for path, pattern in routes()
        if path.startswith(("people/", "pin/", "me/"))
    }
    assert found == TRIED | ONLY_SHOWN | TRIED_ELSEWHERE


class Attacker:
    """One person with their own badge, PIN and session, and nobody else's."""

    def __init__(self, cast: Cast, person: Person) -> None:
        self.cast = cast
        self.person = person
        self.client: Client = signed_in(person, cast.devices[Place.OFFICE])
        # Where wrong PINs are tried: they lock that device, and would end all that follows.
        self.elsewhere: Client = signed_in(person, cast.devices[Place.PIT])
        self.opens_people = self.client.get(reverse("people")).status_code == 200

    def post(self, name: str, *args: Any, **form: Any) -> Any:
        return self.post_to(reverse(name, args=args), **form)

    def post_to(self, address: str, **form: Any) -> Any:
        own = {"badge": self.person.badge, "pin": pin_of(self.person.badge)}
        fields = {"request_id": str(uuid4()), **own, **form}
        return self.client.post(address, fields)

    def half_of(self, answer: Any) -> str:
        found = re.search(r'class="big mono">([0-9A-F]{8})<', words(answer))
        return found[1] if found else ""

    def tries_to_become(self, target: Person) -> None:
        """Try each way to a PIN of somebody else that one has alone."""
        offered = self.post("pin-offer", target.pk)
        first = self.half_of(offered)
        may = may_offer(Role(self.person.role), Role(target.role)) and target != self.person
        assert (offered.status_code == 200 and bool(first)) == (may and self.opens_people)
        witnessed = self.post("pin-witness", target.pk)
        assert not self.half_of(witnessed)
        second = {"second_badge": self.person.badge, "second_pin": pin_of(self.person.badge)}
        pins = {"new_pin": NEW_PIN, "new_pin_again": NEW_PIN}
        form = {"person_badge": target.badge, "code": first, "witness_code": first}
        assert self.post("pin-enrol", **form, **pins, **second).status_code != 302
        form = {"person_badge": target.badge, "code": first}
        assert self.post("pin-keys", **form, **pins).status_code != 302
        if target != self.person:
            form = {"badge": target.badge, "old_pin": pin_of(self.person.badge)}
            renewed = self.elsewhere.post(reverse("pin-renew"), {**form, **pins})
            assert renewed.status_code != 302

    def tries_to_lift(self, target: Person) -> None:
        """Try each way to another role of somebody that one has alone."""
        for role in acting_roles(Role(target.role))[-1:]:
            self.post("acting-role", target.pk, role=role.value)
        granted = ActingRole.objects.filter(granted_by=self.person, person=target).first()
        assert granted is None or may_grant(
            Role(self.person.role), Role(target.role), Role(granted.role)
        )
        ended = self.post("acting-end", target.pk).status_code == 302
        assert ended == (granted is not None)
        changed = _as(target, Role.SHIFT_MANAGER if target.role == "dealer" else Role.DEALER)
        new = new_change(target, changed)
        form = {f"new_{name}": value or "" for name, value in changed.stored().items()}
        address = new_url("person_change", person=target.pk)
        self.post_to(address, **form, reason="x", shown=request_shown(new, None))
        slip = Slip.objects.filter(kind="person_change").order_by("-pk").first()
        if slip is not None and slip.status == "open":
            self.post(
                "slip-sign", slip.serial, "main", "approved", shown=slip_shown(slip), reason="x"
            )
        assert Person.objects.get(pk=target.pk).role == target.role

    def tries_to_put_out(self, target: Person) -> None:
        shown = shown_before(PERSON_LEAVES.at(person=target))
        self.post_to(new_url("person_leaves", person=target.pk), reason="x", shown=shown)
        is_out = not Person.objects.get(pk=target.pk).is_active
        has_say = Role(self.person.role) in MAY_MANAGE[Role(target.role)]
        assert not is_out or (has_say and target != self.person)

    def tries_to_unlock(self, target: Person) -> None:
        done = self.post("badge-unlock", target.pk).status_code == 302
        may = may_unlock(Role(self.person.role), Role(target.role)) and target != self.person
        assert done == (may and self.opens_people)


def _as(target: Person, role: Role) -> Any:
    from dataclasses import replace

    return replace(fields_of(target), role=role)


def one_of_each_role(cast: Cast) -> list[Person]:
    people = {Role(person.role): person for person in reversed(cast.people)}
    return [people[role] for role in Role]


@pytest.mark.parametrize("role", Role)
def test_nobody_alone_becomes_anybody_else(cast: Cast, role: Role) -> None:
    add_person("nina", "130", Role.SHIFT_MANAGER)
    attacker = Attacker(cast, next(person for person in cast.people if person.role == role))
    targets = one_of_each_role(cast)
    before = dict(Person.objects.values_list("pk", "pin_hash"))
    for target in targets:
        attacker.tries_to_become(target)
        attacker.tries_to_lift(target)
        attacker.tries_to_unlock(target)
    for target in targets:
        attacker.tries_to_put_out(target)
    pins = {"old_pin": pin_of(attacker.person.badge), "new_pin": NEW_PIN, "new_pin_again": NEW_PIN}
    attacker.post("own-secrets", **pins, person_badge="104")
    after = dict(Person.objects.values_list("pk", "pin_hash"))
    changed = {key for key in after if after[key] != before[key]}
    assert changed == {attacker.person.pk}, "but their own, with their own old PIN"
    assert set(Signature.objects.values_list("person", flat=True)) <= {attacker.person.pk}
    assert not PinEnrolment.objects.exclude(witness=None).exists()


# ------------------------------------------------------------------ the red team's attack

FILL = {500_000: 2, 100_000: 2}


def signs(cast: Cast, slip: Slip, step: str, person: Person, pin: str, place: Place) -> Signature:
    pen = Pen(person.badge, pin, cast.devices[place], uuid4())
    return cast.sign(slip, step, person, pen=pen)


def test_one_shift_manager_does_not_become_the_signers_of_a_fill(cast: Cast) -> None:
    """Heidi wants the PINs of everyone who signs $12,000 from request to receipt."""
    signers = [cast.alice, cast.carol, cast.erin, cast.frank, cast.dan]
    watching = [cast.ivan, cast.vera, cast.olga, cast.petra, cast.ruth, cast.judy]
    # Of those who watch, not even half of a code is shown to her.
    for person in watching:
        with refused("wrong_role", journal=["act_refused"]):
            offer(cast, person, cast.heidi)
    for person in signers:
        half = offer(cast, person, cast.heidi)
        # She may not stand by at what she offered,
        with refused("wrong_witness", journal=["act_refused"]):
            release(cast, person, cast.heidi)
        # has no second half, whatever she enters,
        for second in ("", half, "00000000"):
            with refused("code_unknown", journal=["act_refused"]):
                set_with(cast, person, (half, second), cast.heidi, old_secret="")
        # and the old PIN signs on: nobody was locked out on the way.
        assert Person.objects.get(pk=person.pk).pin_hash == person.pin_hash
    # What she began is on the lists of security and surveillance, one entry for each person.
    assert FloorException.objects.filter(code="pin_offered").count() == len(signers)
    # The fill is asked for by her alone, and goes no further.
    slip = cast.ask(FILL, by=cast.heidi)
    assert slip.total_cents == 1_200_000
    steps = [
        ("top_signed", cast.carol, Place.PIT),
        ("issued", cast.erin, Place.CAGE),
        ("carried", cast.frank, Place.CAGE),
        ("agreed", cast.dan, Place.PIT),
        ("received", cast.alice, Place.PIT),
    ]
    for step, person, place in steps:
        with pytest.raises(Refused):
            signs(cast, slip, step, person, NEW_PIN, place)
        with pytest.raises(Refused):
            signs(cast, slip, step, cast.heidi, pin_of(cast.heidi.badge), place)
    assert set(Signature.objects.values_list("person", flat=True)) == {cast.heidi.pk}
    assert verify().is_sound


def test_even_with_a_witness_who_is_deceived_the_fill_is_not_signed(cast: Cast) -> None:
    """Mike signs what Heidi asks him to, without looking: the old secret and the limit are left."""
    halves = offer(cast, cast.erin, cast.heidi), release(cast, cast.erin, cast.mike)
    for old_secret in ("", "000000", "a guess"):
        with pytest.raises(Refused):
            set_with(cast, cast.erin, halves, cast.mike, old_secret=old_secret)
    # Even a second witness, and so four people, gives a PIN that signs no such fill for a day.
    sybil = Witness("112", "112112")
    set_with(cast, cast.erin, halves, cast.mike, old_secret="", second=sybil)
    slip = cast.ask(FILL)
    cast.sign(slip, "top_signed", cast.carol)
    with refused("fresh_pin"):
        signs(cast, slip, "issued", cast.erin, NEW_PIN, Place.CAGE)
    # Nor does it give the next.
    give_pin(cast, cast.trent, cast.heidi, cast.sybil)
    half = offer(cast, cast.frank, cast.mike)
    with refused("fresh_pin", journal=["act_refused"]):
        release(cast, cast.frank, cast.trent, NEW_PIN)
    assert half
    # Erin reads of it before anything else when she next signs in.
    form = {"badge": "105", "password": PASSWORD}
    assert Client().post("/login/", form).headers["Location"] == "/me/"


def test_the_same_by_sql_as_the_site_is_refused_or_seen(cast: Cast) -> None:
    row = {"person": cast.erin.pk, "by": cast.heidi.pk}
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO pitboss_pinenrolment (person_id, code_hash, offered_by_id, offered_at,"
            " expires_at, by_keys, released_hash, version, seal) VALUES (%(person)s, 'a', %(by)s,"
            " now(), now() + '1 hour'::interval, false, '', 1, 'x')",
            row,
        )
    statement = (
        "UPDATE pitboss_pinenrolment SET version = version + 1, witness_id = %(by)s,"
        " released_at = now(), used_at = now() WHERE person_id = %(person)s"
    )
    with (
        pytest.raises(DatabaseError, match="offerer_and_witness"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(statement, row)
