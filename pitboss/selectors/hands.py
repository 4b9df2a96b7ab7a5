"""What a patron drew on a slip, as screens draw it again."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from pitboss.models import Signature
from pitboss.rules.flows.drawn import DRAWN, HEIGHT, WIDTH, svg_path


def hand_on(signatures: Iterable[Signature]) -> dict[str, Any] | None:
    """Return what was drawn on a slip, with the ID that it was matched with, or none."""
    drawn = next(
        (signature.facts[DRAWN] for signature in signatures if DRAWN in signature.facts), None
    )
    if drawn is None:
        return None
    return {
        "path": svg_path(drawn),
        "width": WIDTH,
        "height": HEIGHT,
        "matched_with": drawn["matched_with"],
    }
