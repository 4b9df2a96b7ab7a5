"""Sign-in by the house's own identity provider, by OpenID Connect: code, PKCE, state and nonce.

The provider says who someone is, and nothing else: what they may do is decided here, and every
signature still takes their PIN. Nothing of the provider is kept from one sign-in to the next, so a
key that it withdrew proves no one a moment later.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from hmac import compare_digest
from typing import Any
from urllib.parse import urlsplit

from authlib.integrations.base_client import OAuthError
from authlib.integrations.requests_client import OAuth2Session
from authlib.oidc.core import CodeIDToken
from django.conf import settings
from django.db import transaction
from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import KeySet
from requests import RequestException

from pitboss.models import Device, Person
from pitboss.rules.people.sign_in import SUBJECT_MAX, asks_for_the_provider, identity_of
from pitboss.rules.refusal import CONFLICT, NOT_YOURS, Refused, refuse
from pitboss.services import house, journal
from pitboss.services.pins import unknown_device

# To connect, and for each part of an answer.
ANSWERS_WITHIN = (2, 3)
# The clocks of the provider and of this node may differ so far.
_LEEWAY_SECONDS = 60
_HOLDS_SECONDS = 600
# Signed by a key of the provider's alone: never unsigned, never by a secret that others know.
_ALGORITHMS = ["RS256", "PS256", "ES256"]
_PLACES = ("authorization_endpoint", "token_endpoint", "jwks_uri")


@dataclass(frozen=True, slots=True)
class SignInAsked:
    """What a browser was sent to the provider with; it comes back with it once, and soon."""

    state: str
    nonce: str
    verifier: str
    at: float


def is_set_up() -> bool:
    """Tell whether the servers name an identity provider."""
    return bool(settings.OIDC_ISSUER)


def begin(*, back_to: str, device: Device | None) -> tuple[str, SignInAsked]:
    """Return where a browser goes to sign in, and what must come back. Raises Refused."""
    if not house.is_usable(device):
        raise unknown_device()
    asked = SignInAsked(
        state=secrets.token_urlsafe(32),
        nonce=secrets.token_urlsafe(32),
        verifier=secrets.token_urlsafe(48),
        at=house.now().timestamp(),
    )
    try:
        with _session(back_to) as session:
            address, _ = session.create_authorization_url(
                _places(session)["authorization_endpoint"],
                state=asked.state,
                nonce=asked.nonce,
                code_verifier=asked.verifier,
                # A tablet is shared: whoever signed in there before is not who stands at it now.
                prompt="login",
                max_age=0,
            )
    except RequestException as error:
        raise _is_down() from error
    return address, asked


def person_back(
    *, asked: SignInAsked | None, state: str, code: str, back_to: str, device: Device | None
) -> Person:
    """Return the person whom the provider has signed in. Raises Refused; the journal tells."""
    subject = ""
    try:
        if not house.is_usable(device):
            raise unknown_device()
        subject = _proven_subject(_demand_state(asked, state), code, back_to)
        person = _person_of(subject)
    except Refused as refused:
        _journal("act_refused", None, device, codes=list(refused.codes), subject=_shown(subject))
        raise
    _journal("proven_by_provider", person, device, identity=person.identity)
    return person


def demand_badge_sign_in(person: Person, *, device: Device | None) -> None:
    """Refuse badge and password where the house has them sign in by the provider. Raises Refused.

    It is asked after the password was right, so that it tells a stranger nothing.
    """
    by_badge = house.settings_at(house.now())["sign_in.by_badge"]
    has_identity = is_set_up() and person.identity.startswith(identity_of(settings.OIDC_ISSUER, ""))
    # While the provider does not answer, badges open: its outage locks out no house.
    if not asks_for_the_provider(by_badge, has_identity=has_identity) or not _answers():
        return
    _journal("act_refused", person, device, codes=["use_provider"], subject="")
    raise refuse(
        "use_provider", "Sign in with the house sign-in. It answers, and it knows you.", NOT_YOURS
    )


def _demand_state(asked: SignInAsked | None, state: str) -> SignInAsked:
    """Return what was asked when this sign-in began in this very browser. Raises Refused."""
    is_young = asked is not None and house.now().timestamp() - asked.at <= _HOLDS_SECONDS
    if asked is None or not is_young or not compare_digest(asked.state.encode(), state.encode()):
        raise refuse(
            "sign_in_over",
            "This sign-in was used before, is too old or began elsewhere. Sign in again.",
            CONFLICT,
        )
    return asked


def _proven_subject(asked: SignInAsked, code: str, back_to: str) -> str:
    """Return whom the provider names in a token that is signed, for us, now. Raises Refused."""
    try:
        with _session(back_to) as session:
            places = _places(session)
            token = session.fetch_token(
                places["token_endpoint"],
                grant_type="authorization_code",
                code=code,
                code_verifier=asked.verifier,
                allow_redirects=False,
            )
            keys = KeySet.import_key_set(_fetched(session, places["jwks_uri"]))
        signed = jwt.decode(token["id_token"], keys, algorithms=_ALGORITHMS)
        claims = CodeIDToken(
            signed.claims,
            signed.header,
            {
                "iss": {"essential": True, "value": settings.OIDC_ISSUER},
                "aud": {"essential": True, "value": settings.OIDC_CLIENT_ID},
                "sub": {"essential": True},
                "auth_time": {"essential": True},
            },
            {
                "nonce": asked.nonce,
                "client_id": settings.OIDC_CLIENT_ID,
                "access_token": token.get("access_token"),
            },
        )
        claims.validate(now=int(house.now().timestamp()), leeway=_LEEWAY_SECONDS)
        _demand_new_sign_in(claims["auth_time"], asked)
        return str(claims["sub"])
    except RequestException as error:
        raise _is_down() from error
    except (JoseError, OAuthError, KeyError, TypeError, ValueError, AttributeError) as error:
        raise refuse(
            "provider_unproven",
            "The identity provider’s answer doesn’t prove who you are. Sign in again, "
            "or use your badge and password. If it happens twice, call IT support.",
            NOT_YOURS,
        ) from error


def _demand_new_sign_in(signed_in_at: float, asked: SignInAsked) -> None:
    """Demand that the person signed in at the provider for this. Raises ValueError.

    What the browser is sent with can be taken out of the address; what the token says cannot.
    """
    if signed_in_at < asked.at - _LEEWAY_SECONDS:
        raise ValueError("the provider goes by an earlier sign-in")


def _person_of(subject: str) -> Person:
    """Return the person whom two people have bound to a subject. Raises Refused."""
    identity = identity_of(settings.OIDC_ISSUER, subject)
    person = Person.objects.filter(identity=identity).first()
    if person is None:
        raise refuse(
            "subject_unknown",
            f"The identity provider calls you “{_shown(subject)}”, and no person here has "
            "that provider sign-in. Ask a manager to enter it under People.",
            NOT_YOURS,
        )
    person.require_seal()
    return person


def _shown(subject: str) -> str:
    """Return a subject as the journal keeps it and as its own person may read it."""
    return "".join(sign for sign in subject[:SUBJECT_MAX] if sign.isprintable())


def _session(back_to: str) -> Any:
    return OAuth2Session(
        settings.OIDC_CLIENT_ID,
        settings.OIDC_CLIENT_SECRET,
        redirect_uri=back_to,
        scope="openid",
        code_challenge_method="S256",
        default_timeout=ANSWERS_WITHIN,
    )


def _places(session: Any) -> dict[str, str]:
    """Return where the provider says that its parts are. Raises RequestException."""
    issuer = settings.OIDC_ISSUER
    said = _fetched(session, f"{issuer.rstrip('/')}/.well-known/openid-configuration")
    if not isinstance(said, dict) or said.get("issuer") != issuer:
        raise RequestException("the provider names another issuer")
    places = {name: str(said.get(name, "")) for name in _PLACES}
    if any(urlsplit(place).scheme != urlsplit(issuer).scheme for place in places.values()):
        raise RequestException("the provider names a place that is not protected as it is itself")
    return places


def _fetched(session: Any, address: str) -> Any:
    answer = session.get(address, withhold_token=True, allow_redirects=False)
    answer.raise_for_status()
    return answer.json()


def _answers() -> bool:
    """Tell whether the provider answers now."""
    try:
        with _session("") as session:
            _places(session)
    except RequestException:
        return False
    return True


def _is_down() -> Refused:
    return refuse(
        "provider_down",
        "The identity provider does not answer. Sign in with badge and password, or try again.",
        CONFLICT,
    )


def _journal(kind: str, person: Person | None, device: Device | None, **said: Any) -> None:
    with transaction.atomic(durable=True):
        journal.write(
            chain=journal.PEOPLE,
            kind=kind,
            body={"act": "sign_in_by_provider", **said},
            at=house.now(),
            person=person,
            device=device,
        )
