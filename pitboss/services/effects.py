"""Effects: what happens when a step is signed, as its kind says or every kind has it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Final

from django.db import models

from pitboss.models import Signature, Slip
from pitboss.rules.flows.flows import SlipStatus
from pitboss.services.standing import set_status
from pitboss.slips.kind import kind_named, kinds

# An effect runs under the locks of `sign` and returns the rows that it wrote, for the journal.
Effect = Callable[[Slip, Signature, datetime], Sequence[models.Model]]


def _slip_voided(slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    set_status(slip, SlipStatus.VOIDED)
    return []


_OF_EVERY_KIND: Final[Mapping[str, Effect]] = {"slip_voided": _slip_voided}


def apply_effect(name: str, slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """Run the effect of a step."""
    kind = kind_named(slip.kind)
    own = kind.effects.get(name) if kind is not None else None
    return list((own or _OF_EVERY_KIND[name])(slip, signature, at))


def known_effects() -> frozenset[str]:
    """Return the names of all effects that a plan may have."""
    return frozenset(_OF_EVERY_KIND).union(*(kind.effects for kind in kinds()))
