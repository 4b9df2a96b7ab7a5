"""Give somebody a PIN in tests: as on the floor, offered by one and witnessed by another."""

from __future__ import annotations

from typing import Any

from pitboss.models import Person
from pitboss.rules.roles import Place
from pitboss.services.pin_offers import Wanted, Witness, offer_pin, set_pin, witness_pin
from tests.floor.cast import Cast, pin_of

NEW_PIN = "481602"


def offer(cast: Cast, person: Person, by: Person, pin: str | None = None) -> str:
    """Offer somebody a PIN; return the offerer's half."""
    return offer_pin(
        person_id=person.pk,
        badge=by.badge,
        pin=pin or pin_of(by.badge),
        device=cast.devices[Place.OFFICE],
    )


def release(cast: Cast, person: Person, by: Person, pin: str | None = None) -> str:
    """Sign as the witness; return the witness's half."""
    return witness_pin(
        person_id=person.pk,
        badge=by.badge,
        pin=pin or pin_of(by.badge),
        device=cast.devices[Place.OFFICE],
    )


def set_with(
    cast: Cast, person: Person, halves: tuple[str, str], by: Person, **changed: Any
) -> Person:
    """Set a PIN as its owner does, who knows the old one, or changed in one way."""
    wanted = {
        "badge": person.badge,
        "code": halves[0],
        "witness_code": halves[1],
        "pin": NEW_PIN,
        "old_secret": pin_of(person.badge),
    }
    more = {"witness": Witness(by.badge, pin_of(by.badge)), "second": None}
    more["device"] = cast.devices[Place.OFFICE]  # type: ignore[assignment]
    wanted |= {name: value for name, value in changed.items() if name not in more}
    more |= {name: value for name, value in changed.items() if name in more}
    return set_pin(Wanted(**wanted), **more)  # type: ignore[arg-type]


def give_pin(
    cast: Cast, person: Person, offerer: Person, witness: Person, **changed: Any
) -> Person:
    """Offer, witness and set a PIN, each by the person that it takes."""
    halves = offer(cast, person, offerer), release(cast, person, witness)
    return set_with(cast, person, halves, witness, **changed)
