"""A tap in place of a PIN, judged under the lock of its slip: see `rules.people.one_pin`."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from pitboss.models import Attempt, Device, Person, Signature, Slip
from pitboss.rules.flows.signing import SignFacts, planned_step
from pitboss.rules.people.lockout import LockoutPolicy
from pitboss.rules.people.one_pin import (
    FOLLOWS,
    SECONDS_MOST,
    Following,
    PriorSignature,
    pin_needed,
)
from pitboss.rules.refusal import Refusal, Refused
from pitboss.rules.settings.in_force import SettingsInForce
from pitboss.services.attempts import Try, demand_unlocked
from pitboss.services.signers import Signer
from pitboss.services.verification.derived import Derived, derives

# Anyone who wrote a signature past the site and its triggers could name any signature before it.
derives(
    Derived(
        where="signature",
        what="The PIN",
        sql=f"""
            SELECT tap.id, slip.serial || ' ' || tap.step,
                concat('taken from signature ', tap.facts->>'follows'),
                'no signature by PIN stands just before it'
            FROM pitboss_signature AS tap
            JOIN pitboss_slip AS slip ON slip.id = tap.slip_id
            LEFT JOIN pitboss_signature AS before ON before.id = (
                SELECT max(earlier.id) FROM pitboss_signature AS earlier
                WHERE earlier.slip_id = tap.slip_id AND earlier.id < tap.id)
            LEFT JOIN pitboss_signature AS proven ON proven.id = (
                SELECT max(earlier.id) FROM pitboss_signature AS earlier
                WHERE earlier.slip_id = tap.slip_id AND earlier.id < tap.id
                    AND NOT earlier.facts ? 'follows')
            WHERE tap.facts ? 'follows' AND (
                before.id IS NULL OR proven.id IS NULL
                OR before.id::text IS DISTINCT FROM tap.facts->>'follows'
                OR before.person_id <> tap.person_id OR before.device_id <> tap.device_id
                OR tap.signed_at NOT BETWEEN proven.signed_at
                    AND proven.signed_at + interval '{SECONDS_MOST} seconds')
            ORDER BY tap.id
        """,
    )
)


def who_taps(person: Person, device: Device | None, policy: LockoutPolicy, now: datetime) -> Person:
    """Return who sends no PIN. Whether their tap is enough is seen under the slip's lock.

    A badge or a tablet that is locked against PINs takes no tap either. Raises Refused.
    """
    person.require_seal()
    demand_unlocked(Try(person.badge, person, Attempt.Kind.PIN, device, policy, now))
    return person


def demand_a_tap(earlier: Signature) -> None:
    """Refuse by a tap what was signed by PIN and is sent again. Raises Refused."""
    if FOLLOWS not in earlier.facts:
        raise Refused([pin_needed()])


def tap_refusals(
    slip: Slip,
    facts: SignFacts,
    signer: Signer,
    follows: int,
    signatures: Sequence[Signature],
    in_force: SettingsInForce,
) -> list[Refusal]:
    """Return why a PIN is needed for a step, where a tap was sent in its place."""
    step = planned_step(slip.plan, facts.track, facts.step)
    if step is None:
        # That there is no such step is said already.
        return []
    tap = Following(
        follows=follows,
        person_id=signer.person.pk,
        device_id=signer.device.pk if signer.device else None,
        at=signer.at,
        kind=slip.kind,
        step=step,
        pin_set_at=signer.person.pin_set_at,
    )
    return in_force.one_pin.refusals(tap, looked_back_on(signatures))


def looked_back_on(signatures: Sequence[Signature]) -> list[PriorSignature]:
    """Return the signatures of a slip as a tap that follows them looks back on them."""
    return [
        PriorSignature(
            signature.pk,
            signature.person_id,
            signature.device_id,
            signature.signed_at,
            signature.facts.get(FOLLOWS),
        )
        for signature in signatures
    ]
