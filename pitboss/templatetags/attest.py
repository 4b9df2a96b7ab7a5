"""What a form outside the common pad attests, with its seal."""

from __future__ import annotations

from typing import Any

from django import template

from pitboss.services.pads import Pad, attested_by

register = template.Library()


@register.inclusion_tag("_attested.html")
def attests(act: str, url: str) -> dict[str, Any]:
    """Draw what an act attests, and the sealed pad that its form carries."""
    attested = attested_by(act).read_in()
    return {"attested": attested, "sealed": Pad(attested, url).sealed()}
