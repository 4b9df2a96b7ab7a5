"""Hold of each game over a month, against its band: what is outside is investigated."""

from __future__ import annotations

from calendar import monthrange
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final

from pitboss.models import Slip
from pitboss.rules.day.hold import Band, band_of, hold_basis_points
from pitboss.rules.flows.flows import SlipStatus
from pitboss.rules.games.tracked import TABLE_GAMES
from pitboss.rules.settings.in_force import SettingsInForce
from tables.selectors.game_past import experiences
from tables.selectors.table_days import TableDay, table_days

KIND: Final = "hold_investigation"


@dataclass(frozen=True, slots=True)
class GameHold:
    """What a game held in a month, and the band that it lies in by chance."""

    game: str
    title: str
    month: date
    win_cents: int
    drop_cents: int
    not_final: int
    band: Band | None

    @property
    def hold(self) -> int | None:
        return hold_basis_points(self.win_cents, self.drop_cents)

    @property
    def is_outside(self) -> bool:
        """Tell whether the month is final and its hold is not in the band."""
        hold = self.hold
        if self.not_final or self.band is None or hold is None:
            return False
        return not self.band.holds(hold)


def month_of(day: date) -> tuple[date, date]:
    """Return the first and the last day of the month of a day."""
    return day.replace(day=1), day.replace(day=monthrange(day.year, day.month)[1])


def month_before(day: date) -> date:
    """Return the first day of the month before that of a day."""
    return (day.replace(day=1) - timedelta(days=1)).replace(day=1)


def game_holds(month: date, in_force: SettingsInForce) -> list[GameHold]:
    """Return every game that was dealt in a month, by name."""
    first, last = month_of(month)
    since = first - timedelta(days=in_force["statistics.days"])
    past = experiences(since, first - timedelta(days=1), in_force["statistics.least"])
    together: dict[str, list[TableDay]] = {}
    for day in table_days(first, last):
        together.setdefault(day.game, []).append(day)
    found = []
    for game, days in together.items():
        final = [day for day in days if day.win_cents is not None]
        drop = sum(table_day.statistical_drop_cents or 0 for table_day in final)
        experience = past.get(game)
        found.append(
            GameHold(
                game=game,
                title=TABLE_GAMES[game].name if game in TABLE_GAMES else game,
                month=first,
                win_cents=sum(table_day.win_cents or 0 for table_day in final),
                drop_cents=drop,
                not_final=len(days) - len(final),
                band=band_of(experience, drop) if experience else None,
            )
        )
    return sorted(found, key=lambda game_hold: game_hold.title)


def hold_of(game: str, month: date, in_force: SettingsInForce) -> GameHold | None:
    """Return what one game held in a month."""
    return next(
        (game_hold for game_hold in game_holds(month, in_force) if game_hold.game == game), None
    )


def investigation_of(game: str, month: date) -> Slip | None:
    """Return the investigation of a game and month that is signed or being signed."""
    return (
        Slip.objects.filter(kind=KIND, details__game=game, details__month=month.isoformat())
        .exclude(status=SlipStatus.VOIDED.value)
        .first()
    )


def percent(basis_points: int | None) -> str:
    """Say hundredths of a percent.

    >>> percent(5357), percent(-771), percent(None)
    ('53.57%', '−7.71%', '–')
    """
    if basis_points is None:
        return "–"
    sign = "−" if basis_points < 0 else ""
    whole, part = divmod(abs(basis_points), 100)
    return f"{sign}{whole}.{part:02d}%"
