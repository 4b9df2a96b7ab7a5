"""Open an investigation for each game whose month lies outside its band."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import Final

from pitboss.models import Device, FloorException, Person
from pitboss.services import house
from pitboss.services.exceptions import HOLD_OUTSIDE, close_exception, open_exception
from tables.selectors.holds import GameHold, game_holds, investigation_of, month_before, percent

DUE: Final = timedelta(days=30)


def open_investigations(*, now: datetime) -> int:
    """Ask accounting for the investigations of last month; return how many. Once for each."""
    in_force = house.settings_at(now)
    month = month_before(house.period_at(now).gaming_day)
    outside = [game_hold for game_hold in game_holds(month, in_force) if game_hold.is_outside]
    return sum(_open(game_hold, now) for game_hold in outside)


def _open(found: GameHold, now: datetime) -> bool:
    details = {"game": found.game, "month": found.month.isoformat()}
    floor_exceptions = FloorException.objects.filter(code=HOLD_OUTSIDE, details=details)
    if floor_exceptions.exists() or investigation_of(found.game, found.month) is not None:
        return False
    assert found.band is not None, "what is outside has a band"
    open_exception(
        code=HOLD_OUTSIDE,
        sentence=f"{found.title} held {percent(found.hold)} in {found.month:%B %Y}, outside "
        f"{percent(found.band.low)} to {percent(found.band.high)}. Write an investigation.",
        details=details,
        at=now,
        person=None,
        limit_seconds=int(DUE.total_seconds()),
    )
    return True


def end_investigation(
    game: str, month: date, serial: str, by: Person, device: Device | None
) -> None:
    """Close what asked for an investigation that all have signed."""
    floor_exceptions = FloorException.objects.select_for_update(of=("self",), no_key=True).filter(
        code=HOLD_OUTSIDE,
        details={"game": game, "month": month.isoformat()},
        resolved_at=None,
    )
    for floor_exception in floor_exceptions.select_related("table", "slip"):
        close_exception(floor_exception, f"Investigated on {serial}.", by, device, house.now())
