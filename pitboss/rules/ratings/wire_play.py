"""What lay on the table, and what it is worth: bets, hands, edges, theo and its error."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Final

from pitboss.rules.cards.playing_cards import cards
from pitboss.rules.ratings import bets, stay, theo
from pitboss.rules.ratings.reckoning import half_up
from pitboss.rules.ratings.wire_edges import decks
from pitboss.rules.ratings.wire_reading import Answer, Ask, Fields


def _average(case: Fields) -> Answer:
    looks = [
        bets.BetSeen(
            look.whole("at"), look.whole("bet_cents", least=1), prompted=look.flag("prompted")
        )
        for look in case.objects("looks")
    ]
    found = bets.average_bet(case.whole("seconds", least=0), looks, case.spans("away"))
    return {
        "average": str(found.average),
        "average_cents": half_up(found.average),
        "looks_used": found.looks_used,
        "seconds": found.seconds,
    }


def _told(case: Fields) -> Answer:
    rounds = [_round(fields) for fields in case.objects("rounds")]
    found = bets.told_play(case.text("main", "blackjack"), rounds)
    return {
        "rounds": found.rounds,
        "decisions": found.decisions,
        "hands": found.hands,
        "action_cents": dict(found.action_cents),
        "squares": dict(found.squares),
        "crosses": found.crosses,
        "coupon_cents": found.coupon_cents,
        "average": str(found.average),
    }


def _round(fields: Fields) -> list[list[bets.ToldBet]]:
    """Return one round's seats; a seat is the list of its bets."""
    seats = fields.lists("seats")
    return [[_bet(Fields(bet, "a bet")) for bet in seat] for seat in seats]


def _bet(bet: Fields) -> bets.ToldBet:
    return bets.ToldBet(
        wager=bet.text("wager"),
        stake_cents=bet.whole("stake_cents", least=1),
        raise_cents=bet.whole("raise_cents", 0, least=0),
        is_players=bet.text("for", "player") == "player",
        coupon=bet.flag("coupon"),
    )


def _pace(case: Fields) -> Answer:
    decisions = bets.decisions_by_pace(case.pairs("players"), case.pace())
    return {"decisions": str(decisions), "decisions_whole": half_up(decisions)}


def _theo(case: Fields) -> Answer:
    main = _main_action(case.object_at("main")) if case.has("main") else None
    side = [
        theo.SideAction(
            fields.text("wager"), fields.fraction("action_cents"), fields.fraction("edge")
        )
        for fields in case.objects("side")
    ]
    found = theo.theo(main, side)
    return {
        "lines": {name: str(line) for name, line in found.lines.items()},
        "theo": str(found.total),
        "theo_cents": found.cents,
    }


def _main_action(main: Fields) -> theo.MainAction:
    if main.has("action_cents"):
        action = main.fraction("action_cents")
    else:
        action = main.fraction("average") * main.fraction("decisions")
    return theo.MainAction(action, main.fraction("edge"), main.whole("skill_bp", 0))


def _range(case: Fields) -> Answer:
    found = theo.theo_range(
        case.fraction("theo"),
        case.choice("basis", theo.BetBasis),
        case.choice("pace", theo.PaceBasis),
        case.whole("looks", 0),
    )
    return {
        "bet_percent": found.bet_percent,
        "pace_percent": found.pace_percent,
        "low_cents": found.low_cents,
        "high_cents": found.high_cents,
    }


def _band(case: Fields) -> Answer:
    parts = [
        theo.Chance(
            part.fraction("variance"),
            part.whole("squares", least=0),
            part.fraction("covariance", Fraction(0)),
            part.whole("crosses", 0, least=0),
        )
        for part in case.objects("parts")
    ]
    return as_band(theo.band(case.fraction("theo"), case.whole_or_none("house_win_cents"), parts))


def as_band(band: theo.ChanceBand) -> Answer:
    return {"low_cents": band.low_cents, "high_cents": band.high_cents, "state": band.state}


def _result(case: Fields) -> Answer:
    brought, took = case.object_at("in"), case.object_at("out")
    won = stay.house_win_cents(
        stay.StayMoney(
            cash=brought.whole("cash", 0),
            cheques=brought.whole("cheques", 0),
            marker=brought.whole("marker", 0),
            front_money=brought.whole("front_money", 0),
            walked=took.whole_or_none("walked"),
            moved_on=took.whole("moved_on", 0),
        )
    )
    return {"house_win_cents": won, "state": "not_known" if won is None else "known"}


def _metered_edge(case: Fields) -> Answer:
    edge = theo.metered_edge(
        case.fraction("edge_empty"),
        case.whole("rate_ppm", least=0),
        case.fraction("whole_meter_probability"),
        case.whole("seed_cents", least=0),
        case.whole("stake_cents", least=1),
    )
    return {"edge": str(edge)}


def _variance(case: Fields) -> Answer:
    outcomes = [
        theo.OddsOutcome(row.fraction("probability"), row.fraction("pays"))
        for _, row in case.named("categories")
    ]
    found = theo.variance(outcomes, stake_collected=case.flag("stake_collected"))
    return {"edge": str(found.edge), "variance": str(found.variance)}


def _true_count(case: Fields) -> Answer:
    ranks = [card.rank for card in cards(case.names("cards"))]
    found = theo.true_count(decks(case), ranks)
    return {"running": found.running, "true": str(found.true)}


def _count_theo(case: Fields) -> Answer:
    rounds = [
        theo.CountedBet(fields.whole("bet_cents", least=0), fields.fraction("true_count"))
        for fields in case.objects("rounds")
    ]
    found = theo.count_theo(case.fraction("edge"), case.whole("per_count_bp"), rounds)
    return {
        "theo": str(found.theo),
        "theo_cents": half_up(found.theo),
        "flat_cents": half_up(found.flat),
        "favours_player": found.theo < 0,
    }


ASKS: Final[Mapping[str, Ask]] = {
    "result": _result,
    "average": _average,
    "told": _told,
    "pace": _pace,
    "metered_edge": _metered_edge,
    "variance": _variance,
    "theo": _theo,
    "range": _range,
    "band": _band,
    "true_count": _true_count,
    "count_theo": _count_theo,
}
