"""Anyone who signs by hand is matched with a paper on file, as its kind says."""

from __future__ import annotations

from dataclasses import replace

from pitboss.models import Slip
from pitboss.rules.flows.drawn import Drawn
from pitboss.slips.kind import kind_named


def matched(slip: Slip, drawn: Drawn) -> Drawn:
    """Return a drawing with the ID that it was matched with, as the file says, whoever asks."""
    kind = kind_named(slip.kind)
    if drawn.document_id is None or kind is None or kind.matches is None:
        return replace(drawn, matched_with="")
    return replace(drawn, matched_with=kind.matches(slip, drawn.document_id))
