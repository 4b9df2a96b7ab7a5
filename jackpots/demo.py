"""The demo's meters: started by two people, fed by some rounds, so that they look alive."""

from __future__ import annotations

from jackpots.services.contributions import contribute, roll_up_all
from jackpots.services.meter_changes import new_terms, propose_terms
from pitboss.demo import demo_device, demo_pen, demo_person
from pitboss.models import Table
from pitboss.rules.meters import read_terms
from pitboss.rules.roles import Place, Role
from pitboss.services.shown import request_shown, slip_shown
from pitboss.services.signing import sign

_SEVENS = "BJ-15 BJ-16 BJ-37"
_LADIES = "BJ-17 BJ-18"
_METERS = (
    {
        "name": "Blazing 7's",
        "bet": "blazing_7s:JACKPOT",
        "source": "pitboss",
        "start": "68,097.35",
        "reset": "10,000",
        "rate": "20%",
        "reserve": "2.5%",
        "maximum": "",
        "tables": _SEVENS,
    },
    *(
        {
            "name": f"Lucky Ladies {level}",
            "bet": f"lucky_ladies:{level}",
            "source": "posted",
            "start": posted,
            "tables": _LADIES,
        }
        for level, posted in (("MEGA", "50,000"), ("MAJOR", "10,000"), ("MINOR", "2,500"))
    ),
)
_ROUNDS = 9


def start_meters() -> None:
    """Start the demo's meters and let their tables wager a little."""
    device = demo_device(Place.OFFICE)
    for keyed in _METERS:
        new = new_terms(read_terms(keyed), None)
        slip = propose_terms(
            new,
            reason="Filed with the regulator before the season.",
            pen=demo_pen(demo_person(Role.PIT_MANAGER), device),
            shown=request_shown(new, None),
        )
        sign(
            slip_id=slip.pk,
            step="approved",
            pen=demo_pen(demo_person(Role.SHIFT_MANAGER), device),
            shown=slip_shown(slip),
        )
    for table in Table.objects.filter(name__in=_SEVENS.split()).order_by("name"):
        for number in range(_ROUNDS):
            contribute(
                table_id=table.pk,
                wagers={"blazing_7s": 1 + (number + table.pk) % 4},
                key=f"demo {number}",
            )
    roll_up_all()
