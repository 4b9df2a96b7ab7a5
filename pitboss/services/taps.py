"""A tap in place of a PIN, judged under the lock of its slip: see `rules.people.one_pin`."""

from __future__ import annotations

from collections.abc import Sequence

from pitboss.models import Signature, Slip
from pitboss.rules.flows.signing import SignFacts, planned_step
from pitboss.rules.people.one_pin import FOLLOWS, Following, Signed
from pitboss.rules.refusal import Refusal
from pitboss.rules.settings.in_force import SettingsInForce
from pitboss.services.signers import Signer
from pitboss.services.verification.derived import Derived, derives

# Anyone who wrote a signature past the site and its triggers could name any signature before it.
derives(
    Derived(
        where="signature",
        what="The PIN",
        sql="""
            SELECT tap.id, slip.serial || ' ' || tap.step, 'taken from signature ' ||
                (tap.facts->>'follows'), 'no signature by PIN stands just before it'
            FROM pitboss_signature AS tap
            JOIN pitboss_slip AS slip ON slip.id = tap.slip_id
            LEFT JOIN pitboss_signature AS before ON before.id = (
                SELECT max(earlier.id) FROM pitboss_signature AS earlier
                WHERE earlier.slip_id = tap.slip_id AND earlier.id < tap.id)
            WHERE tap.facts ? 'follows' AND (
                before.id IS NULL OR before.id::text <> tap.facts->>'follows'
                OR before.person_id <> tap.person_id OR before.device_id <> tap.device_id)
            ORDER BY tap.id
        """,
    )
)


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


def looked_back_on(signatures: Sequence[Signature]) -> list[Signed]:
    """Return the signatures of a slip as a tap that follows them looks back on them."""
    return [
        Signed(each.pk, each.person_id, each.device_id, each.signed_at, each.facts.get(FOLLOWS))
        for each in signatures
    ]
