"""What an auditor and surveillance do together, about the record itself."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from pitboss.models import Device, Person
from pitboss.rules.canonical import is_plain
from pitboss.rules.flows.flows import REASON_MAX
from pitboss.rules.refusal import NOT_YOURS, Refused, refuse
from pitboss.rules.roles import Role, may_act_as
from pitboss.services import house
from pitboss.services.pin_offers import Witness
from pitboss.services.pins import demand_settled_pin, keep_refused_act, prove_pin, signed_act


@contextmanager
def signed_by_both(
    *, act: str, auditor: Witness, watcher: Witness, device: Device | None
) -> Iterator[tuple[Person, Person]]:
    """Give an act to an auditor and someone of surveillance, in one transaction.

    What is refused to either is kept in the journal. Raises Refused.
    """
    policy = house.settings_at(house.now()).lockout
    try:
        second = prove_pin(badge=watcher.badge, pin=watcher.pin, device=device, policy=policy)
    except Refused as refused:
        keep_refused_act(act, watcher.badge, refused, None, device)
        raise
    with signed_act(act=act, badge=auditor.badge, pin=auditor.pin, device=device) as first:
        _demand_both(first, second)
        yield first, second


def _demand_both(first: Person, second: Person) -> None:
    """Refuse anyone but an auditor and someone of surveillance. Raises Refused."""
    now = house.now()
    when = house.period_at(now)
    if not house.may_work(second, when):
        raise refuse(
            "not_employed", f"{second} can’t sign today. Call the shift manager.", NOT_YOURS
        )
    for person, wanted in ((first, Role.AUDITOR), (second, Role.SURVEILLANCE)):
        if not may_act_as(house.role_in(person, when), wanted):
            raise refuse(
                "wrong_role",
                f"{person} isn’t working as {wanted.label}. Both must sign.",
                NOT_YOURS,
            )
        demand_settled_pin(person, now)


def reason_given(reason: str, missing: str) -> str:
    """Return a reason as it is kept; `missing` asks for it. Raises Refused."""
    reason = reason.strip()
    if not reason or not is_plain(reason):
        raise refuse("reason_missing", missing)
    if len(reason) > REASON_MAX:
        raise refuse(
            "reason_too_long", f"Reason is too long. Use {REASON_MAX} characters or fewer."
        )
    return reason
