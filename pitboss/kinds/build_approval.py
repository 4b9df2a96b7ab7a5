"""The program that runs here, approved by two managers: its version and its hash."""

from __future__ import annotations

from django.db import models
from django.urls import reverse

from pitboss.build import this_build
from pitboss.kinds.of_the_house import READERS, pending_words
from pitboss.models import Signature, Slip
from pitboss.paper.forms import HOUSE_FORM
from pitboss.rules.floor.urgency import Urgency
from pitboss.rules.flows.flows import BY_ANOTHER, Promise, Step
from pitboss.rules.flows.house_flows import MANAGERS, REFUSED
from pitboss.rules.refusal import CONFLICT, Refusal, refuse
from pitboss.selectors.builds import KIND, build_pending
from pitboss.services.drafts import NewSlip
from pitboss.slips.kind import Kind, Raising


def _drafted(raising: Raising) -> NewSlip:
    build = this_build()
    return NewSlip(
        KIND,
        None,
        {},
        details={
            "about": f"version {build.version}",
            "says": [["Version", build.version], ["SHA-256", build.sha256]],
            "version": build.version,
            "sha256": build.sha256,
        },
    )


def _refusals(raising: Raising) -> list[Refusal]:
    pending = build_pending()
    if pending is None:
        return []
    words = f"{pending} is already pending. Sign or decline it first."
    return [Refusal("already_proposed", words)]


def _approved(slip: Slip, signature: Signature, at: object) -> list[models.Model]:
    """Refuse to approve a program that no longer runs."""
    if this_build().sha256 != slip.details["sha256"]:
        raise refuse(
            "build_changed",
            "The program that runs now isn’t the one on this slip. Decline "
            "it, and propose the new one.",
            CONFLICT,
        )
    return []


BUILD_APPROVAL = Kind(
    KIND,
    title="Program",
    series="BA",
    open_to=frozenset(MANAGERS),
    lit_by="house",
    at_a_table=False,
    desk="house",
    is_change=True,
    changes_house=True,
    drafted=_drafted,
    refusals=_refusals,
    refuses_at_once=True,
    urgency=Urgency.FORM,
    steps=(
        Step(
            "proposed",
            done="Proposed",
            do="Propose",
            by=MANAGERS,
            at=None,
            attests="I compared this version and this hash with what the vendor published.",
        ),
        Step(
            "approved",
            done="Approved",
            do="Approve",
            why=BY_ANOTHER,
            by=MANAGERS,
            at=None,
            attests="I compared this version and this hash with what the vendor published, and I "
            "approve that this program runs in this house.",
            then="build_approved",
        ),
    ),
    void=REFUSED,
    effects={"build_approved": _approved},
    readers=READERS,
    promises=(Promise(2, 1),),
    paper=HOUSE_FORM,
    heading=lambda raising: "Approve the program",
    back=lambda raising: {"url": reverse("build"), "label": "Program"},
    raised=pending_words,
)
