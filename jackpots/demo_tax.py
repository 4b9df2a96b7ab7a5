"""A win of the demo with its tax papers: the payer entered, the winner signed, the form drawn."""

from __future__ import annotations

import math

from inventory.selectors.patrons import identity_documents, patrons_named
from jackpots.kinds.tax_papers import TAX_PAPERS_KIND
from jackpots.models import Jackpot
from jackpots.services.hits import newest_figure
from jackpots.services.tax_papers import WinnerClaim, day_of
from pitboss.demo import demo_device, demo_pen, demo_person
from pitboss.demo_floor import decide_settings
from pitboss.models import Slip
from pitboss.rules.flows.drawn import Drawn
from pitboss.rules.roles import Place, Role
from pitboss.services import house
from pitboss.services.shown import slip_shown
from pitboss.services.signing import Entry, sign
from pitboss.slips.raising import raise_kind, shown_before

_PAYER = """\
Name: Tidewater Gaming LLC
Street: 1 Tidewater Plaza
City: Atlantic City
State: NJ
ZIP: 08401
Phone: 609-555-0142
TIN: 22-5550142
State id: 225-550-142/000"""
_WINNER = "Marchetti"
# A hand on the tablet: a wave that runs out.
_HAND = tuple(
    (90 + 13 * step, 150 + round(80 * math.sin(step / 2.5) * math.exp(-step / 40)))
    for step in range(60)
)


def name_payer() -> None:
    """Let two managers enter who the payer is, and which state has a line."""
    decide_settings({"tax.payer": _PAYER, "tax.state": "NJ"}, reason="For the forms of this year.")


def sign_papers(slip: Slip) -> None:
    """Prepare the papers of a jackpot for a patron of the demo, who signs them with a W-9."""
    jackpot = Jackpot.objects.select_related("slip__table__pit").get(slip=slip)
    assert jackpot.slip.table is not None
    (patron,) = patrons_named(_WINNER, limit=1)
    documents = identity_documents(patron, day_of(house.now())).values_list("pk", flat=True)
    claims = [
        WinnerClaim(patron.pk, newest_figure(jackpot).award_cents, tuple(documents), signs_w9=True)
    ]
    supervisor = demo_person(Role.SUPERVISOR)
    device = demo_device(Place.PIT, jackpot.slip.table.pit)
    raising = TAX_PAPERS_KIND.at(
        jackpot.slip.table, original=jackpot.slip, win=jackpot, claims=claims, same=[]
    )
    papers = raise_kind(
        raising,
        pen=demo_pen(supervisor, device),
        shown=shown_before(raising),
    )
    sign(
        slip_id=papers.pk,
        step="winner_signed",
        pen=demo_pen(supervisor, device),
        shown=slip_shown(papers),
        entry=Entry(drawn=Drawn((_HAND,), documents[0])),
    )
