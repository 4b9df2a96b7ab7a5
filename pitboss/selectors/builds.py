"""Which program two managers approved last."""

from __future__ import annotations

from typing import Final

from pitboss.models import Slip
from pitboss.rules.flows.flows import SlipStatus

KIND: Final = "build_approval"


def approved_build() -> Slip | None:
    """Return the slip on which a build was approved last."""
    return Slip.objects.filter(kind=KIND, status=SlipStatus.DONE.value).order_by("-id").first()


def build_pending() -> Slip | None:
    """Return the approval of a build that waits for its second signature."""
    return Slip.objects.filter(kind=KIND, status=SlipStatus.OPEN.value).first()
