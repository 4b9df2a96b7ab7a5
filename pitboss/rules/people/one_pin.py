"""One PIN for what one person signs directly after on one slip: a tap confirms the next step."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from pitboss.rules.flows.book import proved_by_signing
from pitboss.rules.refusal import Refusal
from pitboss.rules.settings.kinds import Whole
from pitboss.rules.settings.setting import OUR_OWN, Setting

# Where a signature keeps on which other one it follows, by whose PIN it was given.
FOLLOWS: Final = "follows"
# The database knows this bound too, whatever the house sets.
SECONDS_MOST: Final = 300


@dataclass(frozen=True, slots=True)
class PriorSignature:
    """A signature on a slip, as the one that comes next looks back on it."""

    signature_id: int
    person_id: int
    device_id: int
    at: datetime
    # The signature that it follows itself; none where a PIN was entered.
    follows: int | None


@dataclass(frozen=True, slots=True)
class Following:
    """A step that someone wants to sign by a tap, right after a signature of their own."""

    follows: int
    person_id: int
    device_id: int | None
    at: datetime
    kind: str
    step: Mapping[str, Any]
    pin_set_at: datetime | None


@dataclass(frozen=True, slots=True)
class OnePin:
    """For how many seconds a PIN stands for the same person's next steps of a slip; 0 for none."""

    seconds: int

    def refusals(self, tap: Following, signed: Sequence[PriorSignature]) -> list[Refusal]:
        """Return why a PIN is asked although a tap was sent; none where the tap is enough.

        The signatures are all of the slip, oldest first. What a patron signs by hand, and what may
        ask a passkey, asks a PIN each time: the tablet was in other hands, or the act reaches
        beyond the floor.
        """
        by_id = {prior_signature.signature_id: prior_signature for prior_signature in signed}
        last = signed[-1] if signed else None
        root = last
        while root is not None and root.follows is not None:
            root = by_id.get(root.follows)
        if (
            last is not None
            and root is not None
            and last.signature_id == tap.follows
            and all(
                (prior_signature.person_id, prior_signature.device_id)
                == (tap.person_id, tap.device_id)
                for prior_signature in (last, root)
            )
            and root.at <= tap.at <= root.at + timedelta(seconds=self.seconds)
            and self.seconds
            and not tap.step.get("drawn")
            and proved_by_signing(tap.kind) is None
            and (tap.pin_set_at is None or tap.pin_set_at <= root.at)
        ):
            return []
        return [pin_needed()]


def pin_needed() -> Refusal:
    """Return why a tap is not enough."""
    return Refusal(
        "pin_needed",
        "Enter your PIN to sign this step. A tap is enough only right after your own signature, "
        "on the same tablet.",
    )


def one_pin_settings() -> Iterator[Setting]:
    """Yield for how long the house lets one PIN stand."""
    yield Setting(
        "people.one_pin",
        "People and devices",
        "How long one PIN signs the next steps of a slip",
        "A person who signs the next step of the same slip on the same tablet confirms it by a "
        "tap. Anyone else’s signature, a locked tablet, and a tablet handed to a patron end it. "
        "0 asks the PIN each time.",
        Whole(0, SECONDS_MOST, "second"),
        60,
        OUR_OWN,
    )
