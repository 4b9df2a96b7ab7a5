"""What an hour of a table brings: seats, labor, minimums, forecasts, side bets, hold."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from pitboss.rules.ratings import yields
from pitboss.rules.ratings.reckoning import half_up
from pitboss.rules.ratings.wire_play import as_band
from pitboss.rules.ratings.wire_reading import Answer, Ask, Fields
from pitboss.rules.refusal import refuse

HOURS_MAX: Final = 24 * 366
TABLES_MAX: Final = 1_000


def _occupancy(case: Fields) -> Answer:
    found = yields.occupancy(
        case.whole("open_seconds", least=0), case.whole("seats", least=1), case.spans("spans")
    )
    return {
        "occupied_seconds": found.occupied_seconds,
        "occupancy_bp": found.occupancy_bp,
        "mean_players": str(found.mean_players),
    }


def _headcount(case: Fields) -> Answer:
    hours = case.whole("hours", least=0)
    if hours > HOURS_MAX:
        raise refuse("bad_hours", f"hours must be {HOURS_MAX:,} or fewer.")
    found = yields.headcount(hours, case.spans("spans"))
    return {
        "mean": [str(hour_heads.mean) for hour_heads in found],
        "most": [hour_heads.most for hour_heads in found],
    }


def _labor(case: Fields) -> Answer:
    found = yields.labor(
        case.whole("dealer_cents_hour"),
        case.whole("relief_after", least=1),
        case.whole("break_for", least=0),
        case.whole("supervisor_cents_hour"),
        case.whole("tables_per_supervisor", least=1),
    )
    return {
        "dealers": str(found.dealers),
        "cost": str(found.cost),
        "cost_cents": half_up(found.cost),
    }


def _terms(case: Fields) -> yields.YieldTerms:
    return yields.YieldTerms(
        pace=case.pace(),
        average_cents=case.whole("average_cents"),
        edge=case.fraction("edge"),
        labor_cents=case.whole("labour_cents"),
        tax_bp=case.whole("tax_bp"),
        comp_bp=case.whole("comp_bp"),
        side=[
            yields.SideTaken(
                fields.whole("stake_cents"), fields.whole("take_up_bp"), fields.fraction("edge")
            )
            for fields in case.objects("side")
        ],
    )


def _hour(case: Fields) -> Answer:
    found = yields.hour(case.whole("players"), _terms(case))
    return {
        "theo": str(found.theo),
        "theo_cents": half_up(found.theo),
        "net_cents": half_up(found.net),
    }


def _spread(case: Fields) -> Answer:
    tables_most = case.whole("tables_most", least=1)
    if tables_most > TABLES_MAX:
        raise refuse("bad_tables_most", f"tables_most must be {TABLES_MAX:,} or fewer.")
    found = yields.spread(
        case.whole("players", least=0), case.whole("seats", least=1), tables_most, _terms(case)
    )
    return {
        "best": found.best,
        "net_cents": {str(tables): half_up(net) for tables, net in found.net.items()},
    }


def _minimum(case: Fields) -> Answer:
    found = yields.minimum(
        case.wholes("bets", least=1),
        case.wholes("candidates", least=1),
        seats=case.whole("seats", least=1),
        pace=case.pace(),
        edge=case.fraction("edge"),
        step=case.fraction("step", yields.STAY_STEP),
        players_least=case.whole("least_players", yields.PLAYERS_LEAST),
    )
    return {
        "best_cents": found.best_cents,
        "theo_cents": {
            str(cents): half_up(minimum_tried.theo) for cents, minimum_tried in found.tried.items()
        },
        "turned_away": {
            str(cents): minimum_tried.turned_away for cents, minimum_tried in found.tried.items()
        },
    }


def _forecast(case: Fields) -> Answer:
    target = case.fraction("target")
    if target <= 0:
        raise refuse("bad_target", "target must be more than 0.")
    found = yields.forecast(
        case.wholes("history", least=0),
        target=target,
        least=case.whole("least", least=0),
        most=case.whole("most", least=0),
        open_now=case.whole("open_now", least=0),
    )
    return {"players": str(found.players), "tables": found.tables, "say": _advice(found.to_open)}


def _advice(to_open: int) -> str:
    if not to_open:
        return "keep"
    return f"open {to_open}" if to_open > 0 else f"close {-to_open}"


def _fill_due(case: Fields) -> Answer:
    found = yields.fill_due(
        case.whole("held"),
        case.whole("floor"),
        case.whole("window_seconds", least=1),
        case.wholes("moves"),
    )
    return {"out_an_hour": str(found.out_an_hour), "minutes_left": found.minutes_left}


def _side_bet(case: Fields) -> Answer:
    found = yields.side_bet(
        yields.SidePlayed(
            main_wagers=case.whole("main_wagers", least=0),
            wagers=case.whole("wagers", least=0),
            staked_cents=case.whole("staked_cents", least=0),
            squares=case.whole("squares", least=0),
            edge=case.fraction("edge"),
            variance=case.fraction("variance"),
            house_win_cents=case.whole_or_none("house_win_cents"),
        )
    )
    return {
        "take_up_bp": found.take_up_bp,
        "theo": str(found.theo),
        "theo_cents": found.theo_cents,
        **as_band(found.band),
    }


def _hold_gap(case: Fields) -> Answer:
    found = yields.hold_gap(
        case.whole("theo_cents"), case.whole("drop_cents"), case.whole("win_cents")
    )
    return {
        "expected_bp": found.expected_bp,
        "hold_bp": found.hold_bp,
        "gap_bp": found.gap_bp,
    }


ASKS: Final[Mapping[str, Ask]] = {
    "occupancy": _occupancy,
    "headcount": _headcount,
    "labour": _labor,
    "hour": _hour,
    "spread": _spread,
    "minimum": _minimum,
    "forecast": _forecast,
    "fill_due": _fill_due,
    "side_bet": _side_bet,
    "hold_gap": _hold_gap,
}
