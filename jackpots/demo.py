"""The demo's meters and hits: started by two people, fed by some rounds, one hit in review."""

from __future__ import annotations

from jackpots.demo_tax import name_payer, sign_papers
from jackpots.kinds.jackpot import JACKPOT_KIND
from jackpots.kinds.meter import METER_CHANGE
from jackpots.services.contributions import contribute, roll_up_all
from jackpots.services.jackpots import Entered
from pitboss.demo import demo_device, demo_pen, demo_person, demo_signer
from pitboss.models import Slip, Table
from pitboss.rules.payouts.meters import read_terms
from pitboss.rules.roles import Place, Role
from pitboss.selectors.slips import due_step
from pitboss.services.shown import slip_shown
from pitboss.services.signing import Entry, sign
from pitboss.slips.raising import raise_kind, shown_before

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
        raising = METER_CHANGE.at(terms=read_terms(keyed))
        slip = raise_kind(
            raising,
            reason="Filed with the regulator before the season.",
            pen=demo_pen(demo_person(Role.PIT_MANAGER), device),
            shown=shown_before(raising),
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


def leave_hits() -> None:
    """An award of $1,000 that was paid, a tenth with its W-2G, and one that is reviewed."""
    paid = _enter("BJ-37", 2, ("7h", "7s"))
    _sign_until(paid, None)
    name_payer()
    tenth = _enter("BJ-37", 5, ("7d", "7h"))
    sign_papers(tenth)
    _sign_until(tenth, None)
    _sign_until(_enter("BJ-16", 4, ("7d", "7h")), "confirmed")


def _enter(name: str, seat: int, cards: tuple[str, str]) -> Slip:
    table = Table.objects.select_related("pit").get(name=name)
    entered = Entered(seat=seat, wager="blazing_7s", player_cards=cards, dealer_cards=("7h",))
    raising = JACKPOT_KIND.at(table, entered=entered)
    return raise_kind(
        raising,
        pen=demo_pen(demo_signer(Role.DEALER, table), demo_device(Place.PIT, table.pit)),
        shown=shown_before(raising),
    )


_SAID = {"review": "Cameras 2-29A and B, 21:41", "source": "cage"}
# The person who signs a step when someone of the first such role has signed before.
_SECOND = {"jackpot_released": 1, "pending_cleared": 1}


def _sign_until(slip: Slip, stop: str | None) -> None:
    """Let the demo's people sign a jackpot up to a step, or to its end."""
    assert slip.table is not None
    while (due := due_step(slip)) is not None and due.name != stop:
        place = due.at or Place.PIT
        device = demo_device(place, slip.table.pit if place == Place.PIT else None)
        person = demo_signer(due.by[0], slip.table, _SECOND.get(due.name, 0))
        sign(
            slip_id=slip.pk,
            step=due.name,
            pen=demo_pen(person, device),
            shown=slip_shown(slip),
            entry=Entry(said={name: _SAID[name] for name in due.asks if name in _SAID}),
        )
        slip = Slip.objects.select_related("table__pit").get(pk=slip.pk)
