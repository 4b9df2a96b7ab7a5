"""Sign-in by the house's own identity provider: it proves who somebody is, and nothing more."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import psycopg
import pytest
from django.conf import LazySettings
from django.db import DatabaseError, connection, transaction
from django.test import Client
from django.urls import reverse
from joserfc.jwk import ECKey, OctKey, RSAKey

from pitboss.kinds.person import new_change
from pitboss.middleware import DEVICE_COOKIE
from pitboss.models import Device, JournalEntry, Person, Slip
from pitboss.rules.people.sign_in import identity_of
from pitboss.rules.roles import Place
from pitboss.services import identity_provider
from pitboss.services.staffing import fields_of
from pitboss.services.verification import verify
from pitboss.slips.addresses import new_url
from tests.floor.cast import PASSWORD, Cast, pin_of, refused
from tests.floor.house import change
from tests.floor.tablets import words
from tests.pitboss import test_staffing as staffing
from tests.pitboss.test_passkeys import enroll
from tests.providers import CLIENT, SECRET, Provider, running_provider

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def provider(cast: Cast, settings: LazySettings) -> Iterator[Provider]:
    with running_provider() as running:
        settings.OIDC_ISSUER = running.issuer
        settings.OIDC_CLIENT_ID = CLIENT
        settings.OIDC_CLIENT_SECRET = SECRET
        yield running


def bind(cast: Cast, provider: Provider, person: Person, subject: str = "u-17") -> None:
    """Bind a person to a subject as a house does: proposed by one manager, approved by another."""
    person = Person.objects.get(pk=person.pk)
    identity = identity_of(provider.issuer, subject) if subject else ""
    fields = replace(fields_of(person), identity=identity)
    slip = staffing.propose(cast, new_change(person, fields), by=cast.heidi)
    staffing.approve(cast, slip, by=cast.mike)


@pytest.fixture
def alice(cast: Cast, provider: Provider) -> Person:
    """Alice, whom the provider knows."""
    bind(cast, provider, cast.alice)
    return cast.alice


def tablet(device: Device | None) -> Client:
    client = Client()
    if device is not None:
        client.cookies[DEVICE_COOKIE] = device.name
    return client


def led_back(client: Client, address: str) -> Any:
    """Follow the provider back to the site, and the site's own page once more."""
    first = client.get(address)
    assert first.status_code == 200
    return client.get(first.context["address"])


def sign_in(client: Client, provider: Provider) -> Any:
    away = client.get(reverse("provider-sign-in"), {"next": reverse("sessions")})
    assert away.status_code == 302, away.content
    return led_back(client, provider.consent(away.headers["Location"]))


def is_in(client: Client) -> bool:
    return client.get(reverse("sessions")).status_code == 200


def last_refusal() -> list[str]:
    refusals = JournalEntry.objects.filter(kind="act_refused").order_by("-id")
    return list(json.loads(refusals[0].text)["body"]["codes"])


def assert_refused(answer: Any, code: str, client: Client) -> None:
    assert answer.status_code in (403, 409)
    assert [refusal.code for refusal in answer.context["refusals"]] == [code]
    assert not is_in(client)


def test_a_person_signs_in_by_the_provider_and_signs_by_pin_as_before(
    cast: Cast, provider: Provider, alice: Person
) -> None:
    client = tablet(cast.devices[Place.PIT])
    answer = sign_in(client, provider)
    assert answer.headers["Location"] == reverse("sessions")
    assert is_in(client)
    proven = JournalEntry.objects.get(kind="proven_by_provider")
    assert proven.person_id == alice.pk
    assert json.loads(proven.text)["body"]["identity"] == f"{provider.issuer} u-17"
    # It opened the site; a signature still takes the PIN.
    client.post(reverse("lock"))
    assert client.post(reverse("unlock"), {"pin": "000000"}).status_code != 302
    assert client.post(reverse("unlock"), {"pin": pin_of(alice.badge)}).status_code == 302
    assert verify().is_sound


def test_the_page_that_the_provider_leads_to_needs_no_cookie_and_opens_nothing(
    cast: Cast, provider: Provider, alice: Person
) -> None:
    client = tablet(cast.devices[Place.PIT])
    away = client.get(reverse("provider-sign-in"))
    bare = Client().get(provider.consent(away.headers["Location"]))
    assert bare.status_code == 200
    assert b'http-equiv="refresh"' in bare.content
    assert "sessionid" not in bare.cookies


LIES: dict[str, Callable[[Provider], None]] = {
    "wrong nonce": lambda p: p.claims.update(nonce="of another sign-in"),
    "no nonce": lambda p: p.claims.update(nonce=None),
    "nonce waved away": lambda p: p.claims.update(nonce="x", nonce_supported=False),
    "other audience": lambda p: p.claims.update(aud="the house's mail"),
    "others beside us": lambda p: p.claims.update(aud=[CLIENT, "mail"], azp="mail"),
    "no audience": lambda p: p.claims.update(aud=None),
    "expired": lambda p: p.claims.update(exp=int(time.time()) - 120),
    "never expires": lambda p: p.claims.update(exp=None),
    "issued later": lambda p: p.claims.update(iat=int(time.time()) + 900),
    "signed in before": lambda p: p.claims.update(auth_time=int(time.time()) - 900),
    "signed in at no time": lambda p: p.claims.update(auth_time=None),
    "signed in some time": lambda p: p.claims.update(auth_time="lately"),
    "not yet": lambda p: p.claims.update(nbf=int(time.time()) + 900),
    "other issuer": lambda p: p.claims.update(iss="https://id.elsewhere.example"),
    "no subject": lambda p: p.claims.update(sub=None),
    "empty subject": lambda p: p.claims.update(sub=""),
}


@pytest.mark.parametrize("lie", LIES)
def test_a_token_that_lies_proves_nobody(
    cast: Cast, provider: Provider, alice: Person, lie: str
) -> None:
    LIES[lie](provider)
    client = tablet(cast.devices[Place.PIT])
    assert_refused(sign_in(client, provider), "provider_unproven", client)
    assert last_refusal() == ["provider_unproven"]


def test_an_unsigned_token_proves_nobody(cast: Cast, provider: Provider, alice: Person) -> None:
    client = tablet(cast.devices[Place.PIT])
    away = client.get(reverse("provider-sign-in"))
    address = provider.consent(away.headers["Location"])
    nonce = next(iter(provider.codes.values()))["nonce"]
    _, claims, _ = provider.signed(nonce).split(".")
    # {"alg":"none","typ":"JWT"}
    provider.token = f"eyJhbGciOiJub25lIiwidHlwIjoiSldUIn0.{claims}."
    assert_refused(led_back(client, address), "provider_unproven", client)


def test_a_token_signed_by_another_key_of_that_name_proves_nobody(
    cast: Cast, provider: Provider, alice: Person
) -> None:
    provider.key = RSAKey.generate_key(2048, parameters={"kid": "one"})
    client = tablet(cast.devices[Place.PIT])
    assert_refused(sign_in(client, provider), "provider_unproven", client)


def test_a_key_that_the_provider_withdrew_proves_nobody_from_then_on(
    cast: Cast, provider: Provider, alice: Person
) -> None:
    client = tablet(cast.devices[Place.PIT])
    sign_in(client, provider)
    assert is_in(client)
    provider.published = RSAKey.generate_key(2048, parameters={"kid": "two"})
    client = tablet(cast.devices[Place.PIT])
    assert_refused(sign_in(client, provider), "provider_unproven", client)
    # The next key proves them as the first did.
    provider.published = provider.key = ECKey.generate_key("P-256", parameters={"kid": "two"})
    provider.header = {"alg": "ES256", "kid": "two"}
    sign_in(client, provider)
    assert is_in(client)


def test_a_token_signed_by_the_secret_of_the_client_proves_nobody(
    cast: Cast, provider: Provider, alice: Person
) -> None:
    """Whoever runs the site has that secret, and could name anybody."""
    provider.published = provider.key = OctKey.import_key(SECRET * 2, {"kid": "one"})  # type: ignore[assignment]
    provider.header = {"alg": "HS256"}
    client = tablet(cast.devices[Place.PIT])
    assert_refused(sign_in(client, provider), "provider_unproven", client)


def test_a_sign_in_comes_back_once_to_the_browser_that_began_it(
    cast: Cast, provider: Provider, alice: Person
) -> None:
    client, other = tablet(cast.devices[Place.PIT]), tablet(cast.devices[Place.PIT])
    away = client.get(reverse("provider-sign-in"))
    address = provider.consent(away.headers["Location"])
    # Led to another browser, it signs nobody in there.
    assert_refused(led_back(other, address), "sign_in_over", other)
    led_back(client, address)
    assert is_in(client)
    client.post(reverse("logout"))
    assert_refused(led_back(client, address), "sign_in_over", client)
    assert last_refusal() == ["sign_in_over"]


def test_a_state_that_was_changed_is_refused_whatever_it_says(
    cast: Cast, provider: Provider, alice: Person
) -> None:
    for state in ("", "x", "ä"):
        client = tablet(cast.devices[Place.PIT])
        client.get(reverse("provider-sign-in"))
        answer = client.get(reverse("provider-back"), {"state": state, "code": "c", "here": "1"})
        assert_refused(answer, "sign_in_over", client)


def test_a_code_of_another_sign_in_fits_no_verifier_but_its_own(
    cast: Cast, provider: Provider, alice: Person
) -> None:
    mine, thief = tablet(cast.devices[Place.PIT]), tablet(cast.devices[Place.CAGE])
    stolen = provider.consent(mine.get(reverse("provider-sign-in")).headers["Location"])
    own = provider.consent(thief.get(reverse("provider-sign-in")).headers["Location"])
    code = stolen.partition("code=")[2].partition("&")[0]
    state = own.partition("state=")[2]
    answer = led_back(thief, f"{reverse('provider-back')}?code={code}&state={state}")
    assert_refused(answer, "provider_unproven", thief)


def test_on_a_shared_tablet_the_providers_session_of_another_signs_nobody_in(
    cast: Cast, provider: Provider, alice: Person
) -> None:
    """Bob takes the tablet on which Alice signed in at the provider an hour ago."""
    provider.signed_in_at = int(time.time()) - 3_600
    client = tablet(cast.devices[Place.PIT])
    asked = client.get(reverse("provider-sign-in")).headers["Location"]
    assert "prompt=login" in asked
    # He takes out of the address what has the provider ask for a password.
    bent = asked.replace("&prompt=login", "").replace("&max_age=0", "")
    assert_refused(led_back(client, provider.consent(bent)), "provider_unproven", client)
    assert is_in(client) is False
    sign_in(client, provider)
    assert is_in(client)


def test_a_subject_that_two_people_have_not_bound_is_nobody(
    cast: Cast, provider: Provider, alice: Person
) -> None:
    provider.subject = "u-18"
    # An e-mail or a badge in the token binds nobody.
    provider.claims = {"email": "alice@example.com", "preferred_username": alice.badge}
    client = tablet(cast.devices[Place.PIT])
    answer = sign_in(client, provider)
    assert_refused(answer, "subject_unknown", client)
    assert "u-18" in words(answer)
    bind(cast, provider, alice, "")
    provider.subject = "u-17"
    assert_refused(sign_in(client, provider), "subject_unknown", client)


def test_the_same_subject_at_another_provider_is_nobody(
    cast: Cast, provider: Provider, alice: Person, settings: LazySettings
) -> None:
    with running_provider() as other:
        settings.OIDC_ISSUER = other.issuer
        client = tablet(cast.devices[Place.PIT])
        assert_refused(sign_in(client, other), "subject_unknown", client)


def test_somebody_who_left_is_not_let_in(cast: Cast, provider: Provider, alice: Person) -> None:
    Person.objects.filter(pk=alice.pk).update(is_active=False)
    client = tablet(cast.devices[Place.PIT])
    assert_refused(sign_in(client, provider), "not_employed", client)


def test_only_an_enrolled_device_is_sent_to_the_provider_and_let_back_in(
    cast: Cast, provider: Provider, alice: Person
) -> None:
    stranger = tablet(None)
    assert "House sign-in" not in words(stranger.get(reverse("login")))
    assert_refused(stranger.get(reverse("provider-sign-in")), "unknown_device", stranger)
    client = tablet(cast.devices[Place.PIT])
    assert "House sign-in" in words(client.get(reverse("login")))
    away = client.get(reverse("provider-sign-in"))
    del client.cookies[DEVICE_COOKIE]
    answer = led_back(client, provider.consent(away.headers["Location"]))
    assert_refused(answer, "unknown_device", client)


def test_a_passkey_is_asked_after_the_provider_too(cast: Cast, provider: Provider) -> None:
    bind(cast, provider, cast.carol)
    enroll(cast, cast.carol)
    client = tablet(cast.devices[Place.OFFICE])
    assert sign_in(client, provider).headers["Location"] == reverse("passkey-sign-in")
    assert not is_in(client)


def test_a_provider_that_hangs_is_given_up_and_badges_still_open(
    cast: Cast, provider: Provider, alice: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(identity_provider, "ANSWERS_WITHIN", (0.2, 0.2))
    client = tablet(cast.devices[Place.PIT])
    address = provider.consent(client.get(reverse("provider-sign-in")).headers["Location"])
    provider.hangs = {"/token"}
    assert_refused(led_back(client, address), "provider_down", client)
    provider.hangs = {"/.well-known/openid-configuration"}
    assert_refused(client.get(reverse("provider-sign-in")), "provider_down", client)
    client.post(reverse("login"), {"badge": alice.badge, "password": PASSWORD})
    assert is_in(client)


def test_a_provider_that_is_gone_or_calls_itself_otherwise_signs_nobody_in(
    cast: Cast, provider: Provider, alice: Person, settings: LazySettings
) -> None:
    client = tablet(cast.devices[Place.PIT])
    provider.names_itself = "https://id.elsewhere.example"
    assert_refused(client.get(reverse("provider-sign-in")), "provider_down", client)
    settings.OIDC_ISSUER = "http://127.0.0.1:1"
    assert_refused(client.get(reverse("provider-sign-in")), "provider_down", client)


def test_a_person_who_says_no_at_the_provider_is_at_the_door_again(
    cast: Cast, provider: Provider, alice: Person
) -> None:
    client = tablet(cast.devices[Place.PIT])
    client.get(reverse("provider-sign-in"))
    answer = led_back(client, f"{reverse('provider-back')}?error=access_denied&state=x")
    assert_refused(answer, "provider_refused", client)


def test_a_house_may_close_badges_to_those_whom_the_provider_knows_while_it_answers(
    cast: Cast, provider: Provider, alice: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    change(cast, "sign_in.by_badge", "provider_down")

    def by_badge(person: Person, password: str = PASSWORD) -> tuple[Client, Any]:
        client = tablet(cast.devices[Place.PIT])
        form = {"badge": person.badge, "password": password}
        return client, client.post(reverse("login"), form)

    client, answer = by_badge(alice)
    assert_refused(answer, "use_provider", client)
    assert last_refusal() == ["use_provider"]
    # Who does not know the password learns nothing of it.
    client, answer = by_badge(alice, "wrong password")
    assert [refusal.code for refusal in answer.context["refusals"]] == ["wrong_password"]
    # Bob has no sign-in there, and an outage locks out no house.
    assert is_in(by_badge(cast.bob)[0])
    monkeypatch.setattr(identity_provider, "ANSWERS_WITHIN", (0.2, 0.2))
    provider.hangs = {"/.well-known/openid-configuration"}
    assert is_in(by_badge(alice)[0])


def test_without_a_provider_there_is_no_house_sign_in(cast: Cast) -> None:
    client = tablet(cast.devices[Place.PIT])
    assert "House sign-in" not in words(client.get(reverse("login")))
    for name in ("provider-sign-in", "provider-back"):
        assert client.get(reverse(name)).status_code == 404


# ------------------------------------------------------------------ whom a subject names


def form_of(person: Person, subject: str) -> dict[str, str]:
    fields = {name: value or "" for name, value in fields_of(person).stored().items()}
    fields.pop("identity", None)
    return {**{f"new_{name}": value for name, value in fields.items()}, "new_subject": subject}


def test_two_managers_enter_a_subject_under_people(cast: Cast, provider: Provider) -> None:
    client = tablet(cast.devices[Place.OFFICE])
    client.force_login(cast.heidi)
    page = reverse("person-edit", args=[cast.alice.pk])
    assert b"new_subject" in client.get(page).content
    address = new_url("person_change", person=cast.alice.pk)
    looked_at = client.post(address, form_of(cast.alice, "u-17"))
    words = f"u-17 at {provider.issuer}, instead of none"
    assert {"name": "Provider sign-in", "value": words} in looked_at.context["slip"]["says"]
    refused = client.post(address, form_of(cast.alice, "u 17"))
    assert [refusal.code for refusal in refused.context["refusals"]] == ["subject_malformed"]
    pad = looked_at.context["pad"]
    answer = client.post(
        address,
        {
            **pad["fields"],
            "request_id": pad["request_id"],
            "shown": pad["shown"],
            "badge": cast.heidi.badge,
            "pin": pin_of(cast.heidi.badge),
            "reason": "She has an account now.",
        },
    )
    assert answer.status_code == 302, answer.content
    assert Person.objects.get(pk=cast.alice.pk).identity == ""
    serial = answer.headers["Location"].rstrip("/").rpartition("/")[2]
    staffing.approve(cast, Slip.objects.get(serial=serial), by=cast.mike)
    assert Person.objects.get(pk=cast.alice.pk).identity == f"{provider.issuer} u-17"
    assert b"u-17" in client.get(page).content


def test_a_change_of_papers_keeps_the_subject_where_no_provider_is_named(
    cast: Cast, provider: Provider, alice: Person, settings: LazySettings
) -> None:
    settings.OIDC_ISSUER = ""
    client = tablet(cast.devices[Place.OFFICE])
    client.force_login(cast.heidi)
    form = form_of(Person.objects.get(pk=alice.pk), "") | {"new_last_name": "Atwood"}
    shown = client.post(new_url("person_change", person=alice.pk), form).context["slip"]
    assert [item["name"] for item in shown["says"]] == ["Name"]


def test_a_subject_names_one_person(
    cast: Cast,
    provider: Provider,
    alice: Person,
    owner_connection: psycopg.Connection[tuple[object, ...]],
) -> None:
    fields = replace(fields_of(cast.bob), identity=identity_of(provider.issuer, "u-17"))
    with refused("identity_taken"):
        staffing.propose(cast, new_change(cast.bob, fields))
    owner_connection.execute("ALTER TABLE pitboss_person DISABLE TRIGGER USER")
    with pytest.raises(psycopg.errors.UniqueViolation, match="one_person_an_identity"):
        owner_connection.execute("UPDATE pitboss_person SET identity = %s", [fields.identity])


def test_the_database_binds_nobody_without_the_slip_of_two(
    cast: Cast, provider: Provider, alice: Person
) -> None:
    def bound_by_sql(person: Person, identity: str) -> None:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(
                "UPDATE pitboss_person SET identity = %s, version = version + 1 WHERE id = %s",
                [identity, person.pk],
            )

    own = identity_of(provider.issuer, "u-99")
    with pytest.raises(DatabaseError, match="no done slip"):
        bound_by_sql(cast.heidi, own)
    with pytest.raises(DatabaseError, match="no done slip"):
        bound_by_sql(alice, own)
    with pytest.raises(DatabaseError, match="no done slip"):
        bound_by_sql(alice, "")
    # What was signed once is not put back when another slip followed.
    bind(cast, provider, alice, "")
    with pytest.raises(DatabaseError, match="no done slip"):
        bound_by_sql(alice, identity_of(provider.issuer, "u-17"))


def test_a_row_that_was_altered_is_signed_in_by_nobody(
    cast: Cast, provider: Provider, alice: Person
) -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE pitboss_person SET last_name = 'Other', version = version + 1 WHERE id = %s",
            [alice.pk],
        )
    client = tablet(cast.devices[Place.PIT])
    assert sign_in(client, provider).status_code in (403, 409, 422)
    assert not is_in(client)
    assert last_refusal() == ["record_altered"]
