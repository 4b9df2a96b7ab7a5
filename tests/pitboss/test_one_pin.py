"""One PIN signs what one person signs directly after on one slip: a tap confirms the next step."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.db import DatabaseError, connection, transaction
from django.test import Client
from django.urls import reverse

from inventory.models import Patron
from pitboss.middleware import SIGNED_HERE
from pitboss.models import Attempt, JournalEntry, Person, Signature, Slip
from pitboss.paper.content import Issue
from pitboss.rules.flows.flows import Track
from pitboss.rules.people.lockout import LockoutPolicy
from pitboss.rules.people.one_pin import SECONDS_MOST
from pitboss.rules.refusal import Refused
from pitboss.rules.roles import Place
from pitboss.rules.settings.book import BOOK
from pitboss.rules.settings.kinds import Whole
from pitboss.selectors.slip_papers import slip_paper
from pitboss.services import house, signing
from pitboss.services.attempts import forgive
from pitboss.services.drafts import Entry, Pen
from pitboss.services.pins import prove_pin
from pitboss.services.verification import Wrong, verify
from pitboss.slips.addresses import new_url
from tests.floor.cage import open_with
from tests.floor.cast import Cast, ServerClock, make_cast, pin_of, refused
from tests.floor.house import change
from tests.floor.markers import TRAY, drawn, grant, issue, make_patron
from tests.floor.tablets import fields_of, signed_in, words
from tests.floor.tablets import signing as on_pad
from tests.races import at_once, hold_before
from tests.tampering import Owner, found, tamper

pytestmark = pytest.mark.django_db(transaction=True)
WHY = Entry(reason="The patron went home.")
LOCKOUT = LockoutPolicy()


def lend_to(cast: Cast) -> Patron:
    open_with(cast, TRAY)
    patron = make_patron(cast)
    grant(cast, patron, 1_000_000)
    return patron


@pytest.fixture
def ana(server_clock: ServerClock, cast: Cast) -> Patron:
    return lend_to(cast)


def issued(tablet: Client, cast: Cast, ana: Patron) -> Slip:
    """Issue a marker on a tablet as Alice, with her PIN."""
    url = new_url("marker", table="BJ-11", patron=ana.pk)
    pad = words(tablet.post(url, {"amount": "3,000"}))
    assert tablet.post(url, on_pad(pad, cast.alice)).status_code == 302
    return Slip.objects.get(kind="marker")


def void_pad(tablet: Client, slip: Slip, more: str = "") -> str:
    return words(tablet.get(f"{reverse('slip', args=[slip.serial])}?track=void{more}"))


def void(tablet: Client, slip: Slip, form: dict[str, Any]) -> Any:
    url = reverse("slip-sign", args=[slip.serial, "void", "voided"])
    return tablet.post(url, {"reason": "The patron went home.", **form})


def tap(cast: Cast, follows: int, person: Person | None = None, place: Place = Place.PIT) -> Pen:
    """Return the pen of a tap that a session bears out."""
    pen = cast.pen(person or cast.alice, place)
    return Pen(pen.badge, "", pen.device, uuid4(), follows)


def voided(cast: Cast, slip: Slip, pen: Pen) -> Signature:
    return cast.sign(slip, "voided", cast.alice, entry=WHY, track=Track.VOID, pen=pen)


def test_the_next_step_of_the_same_person_takes_a_tap(cast: Cast, ana: Patron) -> None:
    tablet = signed_in(cast.alice, cast)
    slip = issued(tablet, cast, ana)
    pad = void_pad(tablet, slip)
    assert "Tap to sign this one too." in pad
    assert 'name="pin"' not in pad
    # What is attested is on the pad all the same.
    assert "I void this marker." in pad
    tries = Attempt.objects.count()
    assert void(tablet, slip, fields_of(pad)).status_code == 302
    first, second = slip.signatures.all()
    assert (second.person, second.facts["follows"]) == (cast.alice, first.pk)
    assert "I void this marker." in second.shown
    assert Attempt.objects.count() == tries
    entry = JournalEntry.objects.get(kind="marker.voided")
    assert json.loads(entry.text)["body"]["follows"] == first.pk
    # The slip and its paper say how it was signed.
    assert "by tap after own PIN" in words(tablet.get(reverse("slip", args=[slip.serial])))
    paper = slip_paper(Slip.objects.get(pk=slip.pk), Issue("A. Adams", house.now(), None))
    lines = [line for group in paper.groups for line in group.lines]
    assert [line.role for line in lines if line.step == "Voided"] == [
        "supervisor, by tap after own PIN"
    ]
    # Its witness is another person still, with a PIN.
    assert 'name="pin"' in void_pad(tablet, slip)
    with refused("signed_before", "wrong_role"):
        cast.sign(slip, "void_witnessed", cast.alice, track=Track.VOID, pen=tap(cast, second.pk))
    assert verify().is_sound


def test_a_tap_is_used_up_and_a_second_one_is_the_first(cast: Cast, ana: Patron) -> None:
    tablet = signed_in(cast.alice, cast)
    slip = issued(tablet, cast, ana)
    form = fields_of(void_pad(tablet, slip))
    # Refused once, for whatever reason, it asks a PIN.
    assert void(tablet, slip, {**form, "reason": ""}).status_code == 422
    again = void(tablet, slip, form)
    assert (again.status_code, "Enter your PIN" in words(again)) == (422, True)
    assert 'name="pin"' in void_pad(tablet, slip)
    assert void(tablet, slip, {**form, "pin": pin_of(cast.alice.badge)}).status_code == 302
    assert "follows" not in slip.signatures.get(step="voided").facts


def test_a_resend_of_a_tap_gets_the_same_signature(cast: Cast, ana: Patron) -> None:
    tablet = signed_in(cast.alice, cast)
    slip = issued(tablet, cast, ana)
    form = fields_of(void_pad(tablet, slip))
    assert void(tablet, slip, form).status_code == 302
    assert void(tablet, slip, form).status_code == 302
    assert slip.signatures.filter(step="voided").count() == 1


def test_whoever_keys_a_pin_signs_by_it(cast: Cast, ana: Patron) -> None:
    tablet = signed_in(cast.alice, cast)
    slip = issued(tablet, cast, ana)
    pad = void_pad(tablet, slip, "&pin")
    assert 'name="pin"' in pad
    assert void(tablet, slip, on_pad(pad, cast.bob)).status_code == 302
    assert slip.signatures.get(step="voided").person == cast.bob


def test_a_patron_who_has_the_tablet_signs_nothing_of_the_supervisor(
    cast: Cast, ana: Patron
) -> None:
    tablet = signed_in(cast.alice, cast)
    slip = issued(tablet, cast, ana)
    before = fields_of(void_pad(tablet, slip))
    page = words(tablet.get(f"{reverse('slip', args=[slip.serial])}?hand"))
    assert 'name="pin"' in page
    hand = drawn(slip)
    match = {"drawn": hand.stored()["strokes"], "document": hand.matched_with}
    url = reverse("slip-sign", args=[slip.serial, "main", "patron_signed"])
    last = slip.signatures.get().pk
    form = {**fields_of(page), "face_matches": "yes", "follows": last}
    answer = tablet.post(url, {**form, **match, "drawn": json.dumps(match["drawn"])})
    assert "Enter your PIN" in words(answer)
    # Nor by the pad that was shown before they had it.
    assert void(tablet, slip, before).status_code == 422
    assert slip.signatures.count() == 1
    # What a patron draws is witnessed by PIN even where nobody was handed anything.
    with refused("pin_needed"):
        cast.sign(slip, "patron_signed", cast.alice, entry=Entry(drawn=hand), pen=tap(cast, last))


def test_handing_the_tablet_over_ends_it_for_the_pads_shown_before(cast: Cast, ana: Patron) -> None:
    tablet = signed_in(cast.alice, cast)
    slip = issued(tablet, cast, ana)
    before = fields_of(void_pad(tablet, slip))
    tablet.get(f"{reverse('slip', args=[slip.serial])}?hand")
    assert "Enter your PIN" in words(void(tablet, slip, before))
    assert not slip.signatures.filter(step="voided").exists()


def test_a_tap_that_is_sent_again_takes_no_tablet_from_a_patron(cast: Cast, ana: Patron) -> None:
    tablet = signed_in(cast.alice, cast)
    slip = issued(tablet, cast, ana)
    form = fields_of(void_pad(tablet, slip))
    assert void(tablet, slip, form).status_code == 302
    own = f"{reverse('slip', args=[issue(cast, ana, 50_000).serial])}?hand"
    tablet.get(own)
    # The same signature is found again, and that is all.
    assert void(tablet, slip, form).status_code == 302
    assert tablet.get(reverse("inbox")).headers["Location"] == own
    assert SIGNED_HERE not in tablet.session


def test_what_was_signed_by_pin_is_not_sent_again_by_a_tap(cast: Cast, ana: Patron) -> None:
    tablet = signed_in(cast.alice, cast)
    slip = issued(tablet, cast, ana)
    form = on_pad(void_pad(tablet, slip, "&pin"), cast.alice)
    assert void(tablet, slip, form).status_code == 302
    again = void(tablet, slip, {**form, "pin": "", "follows": "1"})
    assert (again.status_code, "Enter your PIN" in words(again)) == (422, True)
    assert void(tablet, slip, form).status_code == 302


def test_a_pin_that_is_keyed_for_anything_else_ends_it(cast: Cast, ana: Patron) -> None:
    """Bob signs off a notice on the tablet that Alice signed on: he had it in hand."""
    tablet = signed_in(cast.alice, cast)
    slip = issued(tablet, cast, ana)
    form = fields_of(void_pad(tablet, slip))
    bob = {"badge": cast.bob.badge, "pin": pin_of(cast.bob.badge), "request_id": str(uuid4())}
    tablet.post(reverse("acknowledge"), bob)
    assert void(tablet, slip, form).status_code == 422
    assert 'name="pin"' in void_pad(tablet, slip)


def guess(cast: Cast, *badges: str) -> None:
    """Key wrong PINs on the tablet of the pit."""
    for badge in badges:
        with pytest.raises(Refused):
            prove_pin(badge=badge, pin="000000", device=cast.devices[Place.PIT], policy=LOCKOUT)


def test_a_locked_badge_and_a_locked_tablet_take_no_tap(cast: Cast, ana: Patron) -> None:
    slip = issue(cast, ana, 50_000)
    first = slip.signatures.get().pk
    guess(cast, *[cast.alice.badge] * LOCKOUT.wrong_on_device)
    with refused("locked"):
        voided(cast, slip, tap(cast, first))
    forgive(badge=cast.alice.badge)
    guess(cast, *(str(700 + number) for number in range(LOCKOUT.wrong_across_badges)))
    with refused("door_locked"):
        voided(cast, slip, tap(cast, first))
    forgive(device=cast.devices[Place.PIT])
    voided(cast, slip, tap(cast, first))


def test_a_slip_that_is_sent_again_after_others_signed_it_is_found_again(cast: Cast) -> None:
    tablet, url = signed_in(cast.alice, cast), new_url("fill", table=cast.table.name)
    form = on_pad(words(tablet.post(url, {"cheques_2500": "40"})), cast.alice)
    first = tablet.post(url, form)
    cast.issue(Slip.objects.get())
    again = tablet.post(url, form)
    assert (again.status_code, again.headers["Location"]) == (302, first.headers["Location"])


def test_a_lock_ends_it(cast: Cast, ana: Patron) -> None:
    tablet = signed_in(cast.alice, cast)
    slip = issued(tablet, cast, ana)
    form = fields_of(void_pad(tablet, slip))
    tablet.post(reverse("lock"), {"next": "/", "by_hand": "yes"})
    tablet.post(reverse("unlock"), {"pin": pin_of(cast.alice.badge)})
    assert void(tablet, slip, form).status_code == 422
    assert 'name="pin"' in void_pad(tablet, slip)


def test_another_session_or_tablet_or_person_has_none_of_it(cast: Cast, ana: Patron) -> None:
    tablet = signed_in(cast.alice, cast)
    slip = issued(tablet, cast, ana)
    form = fields_of(void_pad(tablet, slip))
    for other in (signed_in(cast.alice, cast), signed_in(cast.bob, cast)):
        assert 'name="pin"' in void_pad(other, slip)
        assert void(other, slip, form).status_code == 422
    first = slip.signatures.get().pk
    with refused("pin_needed", "wrong_place"):
        voided(cast, slip, tap(cast, first, place=Place.CAGE))
    with refused("pin_needed"):
        voided(cast, slip, tap(cast, first, cast.bob))
    with refused("pin_needed"):
        voided(cast, slip, tap(cast, 0))
    # Of a signature on another slip neither.
    other_slip = issue(cast, ana, 50_000)
    with refused("pin_needed"):
        voided(cast, other_slip, tap(cast, first))
    # Whoever else signs on the tablet ends it.
    url = new_url("marker", table="BJ-11", patron=ana.pk)
    pad = words(tablet.post(url, {"amount": "500"}))
    assert tablet.post(url, on_pad(pad, cast.bob)).status_code == 302
    assert void(tablet, slip, form).status_code == 422


def test_time_a_new_pin_and_the_house_end_it(
    cast: Cast, ana: Patron, server_clock: ServerClock
) -> None:
    tablet = signed_in(cast.alice, cast)
    slip = issued(tablet, cast, ana)
    first = slip.signatures.get()
    server_clock.move(seconds=60)
    assert "Tap to sign this one too." in void_pad(tablet, slip)
    server_clock.move(seconds=1)
    assert 'name="pin"' in void_pad(tablet, slip)
    with refused("pin_needed"):
        voided(cast, slip, tap(cast, first.pk))
    slip = issue(cast, ana, 50_000)
    first = slip.signatures.get()
    alice = Person.objects.get(pk=cast.alice.pk)
    alice.pin_set_at = house.now()
    alice.save(update_fields=["pin_set_at"])
    voided(cast, slip, tap(cast, first.pk))
    slip = issue(cast, ana, 50_000)
    server_clock.move(seconds=1)
    alice.pin_set_at = house.now()
    alice.save(update_fields=["pin_set_at"])
    with refused("pin_needed"):
        voided(cast, slip, tap(cast, slip.signatures.get().pk))
    change(cast, "people.one_pin", "0")
    slip = issue(cast, ana, 50_000)
    with refused("pin_needed"):
        voided(cast, slip, tap(cast, slip.signatures.get().pk))


def test_a_step_of_somebody_else_in_between_ends_it(cast: Cast, ana: Patron) -> None:
    slip = issue(cast, ana, 300_000)
    first = slip.signatures.get().pk
    cast.sign(slip, "patron_signed", cast.bob, entry=Entry(drawn=drawn(slip)))
    for follows in (first, slip.signatures.latest("pk").pk):
        with refused("pin_needed"):
            voided(cast, slip, tap(cast, follows))


def test_two_taps_at_once_are_one_signature(
    transactional_db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    floor = make_cast()
    slip = issue(floor, lend_to(floor), 300_000)
    first = slip.signatures.get().pk
    pens = [tap(floor, first), tap(floor, first)]
    hold_before(monkeypatch, signing, "tap_refusals")
    results = at_once(*[lambda pen=pen: voided(floor, slip, pen) for pen in pens])
    codes = [result for result in results if isinstance(result, tuple)]
    assert len(codes) == 1
    assert "pin_needed" in codes[0]
    assert slip.signatures.filter(step="voided").count() == 1


def _inserting(slip: Slip, like: Signature, **changed: Any) -> tuple[str, list[Any]]:
    """Return what writes a signature past the service: that of a supervisor who voids."""
    values = {
        "slip_id": slip.pk,
        "track": "void",
        "step": "voided",
        "person_id": like.person_id,
        "signed_as": like.signed_as,
        "role": like.role,
        "device_id": like.device_id,
        "place": like.place,
        "signed_at": like.signed_at,
        "shown": like.shown,
        "shown_hash": like.shown_hash,
        "reason": "Past the service.",
        "request_id": uuid4(),
        "request_hash": "0" * 64,
        "facts": json.dumps({"follows": like.pk}),
        **changed,
    }
    columns = ", ".join(values)
    marks = ", ".join(["%s"] * len(values))
    return f"INSERT INTO pitboss_signature ({columns}) VALUES ({marks})", list(values.values())


def _insert(slip: Slip, like: Signature, **changed: Any) -> None:
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(*_inserting(slip, like, **changed))


def test_the_database_takes_no_tap_that_follows_nothing(
    cast: Cast, ana: Patron, server_clock: ServerClock
) -> None:
    slip, other = issue(cast, ana, 50_000), issue(cast, ana, 50_000)
    first, elsewhere = slip.signatures.get(), other.signatures.get()
    bob = issue(cast, ana, 50_000, by=cast.bob).signatures.get()
    late = first.signed_at.replace(minute=first.signed_at.minute + 5, second=1)
    refusing = "it follows no signature by PIN"
    for changed in (
        {"facts": json.dumps({"follows": 0})},
        {"facts": json.dumps({"follows": None})},
        {"facts": json.dumps({"follows": elsewhere.pk})},
        {"person_id": bob.person_id, "signed_as": bob.signed_as},
        {"signed_at": late},
    ):
        with pytest.raises(DatabaseError, match=refusing):
            _insert(slip, first, **changed)
    cast.sign(slip, "patron_signed", cast.alice, entry=Entry(drawn=drawn(slip)))
    with pytest.raises(DatabaseError, match=refusing):
        _insert(slip, first)
    _insert(other, elsewhere)
    allowed = BOOK["people.one_pin"].kind
    assert isinstance(allowed, Whole)
    assert allowed.most == SECONDS_MOST == 300


@pytest.mark.parametrize(
    "changed",
    [
        {"facts": json.dumps({"follows": None})},
        {"facts": json.dumps({"follows": 0})},
        {"minutes": 5},
    ],
)
def test_verification_names_a_tap_that_was_written_past_the_triggers(
    cast: Cast, ana: Patron, owner_connection: Owner, changed: dict[str, Any]
) -> None:
    slip = issue(cast, ana, 50_000)
    first = slip.signatures.get()
    late = first.signed_at + timedelta(minutes=changed.get("minutes", 0), seconds=1)
    values = {key: value for key, value in changed.items() if key != "minutes"}
    tamper(
        owner_connection,
        "pitboss_signature",
        *_inserting(slip, first, **{"signed_at": late, **values}),
    )
    forged = slip.signatures.latest("pk").pk
    assert (Wrong.DERIVED_DIFFERS, "signature", forged) in found(verify())
