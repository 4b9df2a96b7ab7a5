"""Effects: what happens when a step is signed, as its kind says or its app has registered."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime

from django.db import models

from pitboss.models import Signature, Slip
from pitboss.slips.kind import kind_named, kinds

# An effect runs under the locks of `sign` and returns the rows that it wrote, for the journal.
Effect = Callable[[Slip, Signature, datetime], Sequence[models.Model]]

_EFFECTS: dict[str, Effect] = {}


def effect(name: str) -> Callable[[Effect], Effect]:
    """Register an effect under the name that flows use."""

    def register(function: Effect) -> Effect:
        assert name not in _EFFECTS, f"effect {name} is registered twice"
        _EFFECTS[name] = function
        return function

    return register


def apply_effect(name: str, slip: Slip, signature: Signature, at: datetime) -> list[models.Model]:
    """Run the effect of a step."""
    kind = kind_named(slip.kind)
    own = kind.effects.get(name) if kind is not None else None
    return list((own or _EFFECTS[name])(slip, signature, at))


def known_effects() -> frozenset[str]:
    """Return the names of all effects that a plan may have."""
    return frozenset(_EFFECTS).union(*(kind.effects for kind in kinds()))
