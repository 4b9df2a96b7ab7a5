"""What play earns and what is watched: comps, points, trips, rebates, cash, play time."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from pitboss.rules.patrons.cash_log import CashPolicy, Direction
from pitboss.rules.ratings import comps, play_alerts
from pitboss.rules.ratings.reckoning import half_up
from pitboss.rules.ratings.wire_reading import Answer, Ask, Fields
from pitboss.rules.refusal import refuse

# More than anyone plays in one agreement.
ROUNDS_MAX: Final = 10_000


def _comp(case: Fields) -> Answer:
    theo_cents, share_bp = case.wholes("theo_cents"), case.whole("share_bp", least=0)
    found = comps.comp(
        comps.CompAsked(
            earned_cents=comps.earned((cents, share_bp) for cents in theo_cents),
            given_cents=case.whole("given_cents"),
            asked_cents=case.whole("asked_cents"),
            issuer_limit_cents=case.whole("issuer_limit_cents"),
            issuer_today_cents=case.whole("issuer_today_cents"),
            standing=case.text("standing", "clear"),
            related=case.flag("related"),
        )
    )
    if found.refusals:
        return {"refusals": list(found.refusals)}
    return {
        "earned_cents": found.earned_cents,
        "left_cents": found.left_cents,
        "needs": list(found.needs),
    }


def _points(case: Fields) -> Answer:
    return {
        "points": comps.points_of_day(
            case.wholes("theo_cents"), case.whole("cents_per_point", least=1)
        )
    }


def _trips(case: Fields) -> Answer:
    found = comps.trips(case.whole_by_day("theo_cents"), case.whole("gap_days", least=0))
    return {
        "trips": [
            {"days": trip.days, "theo_cents": trip.theo_cents, "a_day_cents": trip.a_day_cents}
            for trip in found
        ]
    }


def _rebate(case: Fields) -> Answer:
    terms = comps.RebateTerms(
        signed_at=case.whole("signed_at"),
        rate_bp=case.whole("rate_bp", least=0),
        least_loss_cents=case.whole("least_loss_cents"),
        most_cents=case.whole_or_none("most_cents"),
        least_decisions=case.whole("least_decisions"),
    )
    results = [
        comps.RatedResult(
            began=fields.whole("began"),
            house_win_cents=fields.whole_or_none("house_win_cents"),
            decisions=fields.whole("decisions"),
            void=fields.flag("void"),
        )
        for fields in case.objects("results")
    ]
    found = comps.rebate(terms, results)
    if found.refusals:
        return {"refusals": list(found.refusals)}
    return {"loss_cents": found.loss_cents, "rebate_cents": found.rebate_cents}


def _rebate_cost(case: Fields) -> Answer:
    rounds = case.whole("rounds", least=0)
    if rounds > ROUNDS_MAX:
        raise refuse("bad_rounds", f"rounds must be {ROUNDS_MAX:,} or fewer.")
    found = comps.rebate_cost(
        rounds,
        case.whole("bet_cents", least=0),
        case.fraction("edge"),
        case.whole("rate_bp", least=0),
    )
    return {
        "cost_cents": half_up(found.cost),
        "theo_cents": half_up(found.theo),
        "costs_more": found.cost > found.theo,
    }


def _cash_day(case: Fields) -> Answer:
    entries = [
        play_alerts.CashMoved(
            fields.text("who"), fields.choice("direction", Direction).value, fields.whole("cents")
        )
        for fields in case.objects("entries")
    ]
    matches = case.text_by_name("matches")
    found = play_alerts.cash_day(entries, matches, CashPolicy())
    return {
        "sums": dict(found.sums),
        "logged": list(found.logged),
        "reported": list(found.reported),
    }


def _alerts(case: Fields) -> Answer:
    now, limits = case.whole("now"), case.object_at("limits")
    found = play_alerts.play_time(
        case.spans("spans", now=now),
        now,
        play_alerts.PlayLimits(
            continuous=limits.whole("continuous"),
            pause=limits.whole("break", least=1),
            day=limits.whole("day"),
            week=limits.whole("week"),
            loss_cents=limits.whole_or_none("loss_cents"),
        ),
        case.whole("loss_cents", 0),
    )
    return {
        "alerts": list(found.alerts),
        "continuous": found.continuous,
        "day": found.day,
        "week": found.week,
    }


ASKS: Final[Mapping[str, Ask]] = {
    "comp": _comp,
    "points": _points,
    "trips": _trips,
    "rebate": _rebate,
    "rebate_cost": _rebate_cost,
    "cash_day": _cash_day,
    "alerts": _alerts,
}
