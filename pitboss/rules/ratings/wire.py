"""Questions about ratings by case: `python -m pitboss.rules rate`.

    answer({"ask": "theo", "case": {…}}) -> {"lines": {…}, "theo": "28413/10", "theo_cents": 2841}

Fractions are in lowest terms. Where nothing can be reckoned the answer is an `error` with its code,
where something may not be, `refusals` with every code. A question that cannot be read is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import time
from fractions import Fraction
from typing import Any, Final

from pitboss.rules.cards.playing_cards import cards
from pitboss.rules.day.gaming_day import Clock, Shift
from pitboss.rules.facts import choice
from pitboss.rules.games.dealer import SOFT_17
from pitboss.rules.games.strategy import Move
from pitboss.rules.odds.odds import DECKS_MAX
from pitboss.rules.patrons.cash_log import CashPolicy, Direction
from pitboss.rules.quoting import quoted
from pitboss.rules.ratings import bets, comps, play_alerts, rating_audit, stay, theo, yields
from pitboss.rules.ratings.main_odds import (
    ACE,
    NONE_GONE,
    TEN,
    MainRules,
    Play,
    held,
    main_edge,
    without,
)
from pitboss.rules.ratings.reckoning import Unreckoned, half_up, in_basis_points
from pitboss.rules.ratings.wire_reading import Fields
from pitboss.rules.refusal import refuse

Answer = dict[str, Any]

HANDS_MAX: Final = 4
# More than anybody plays in one agreement, watches in one view, or opens in one pit.
ROUNDS_MAX: Final = 10_000
HOURS_MAX: Final = 24 * 366
TABLES_MAX: Final = 1_000


def answer(question: Mapping[str, Any]) -> Answer:
    """Return the answer to one question. Raises Refused for one that cannot be read.

    >>> answer({"ask": "points", "case": {"theo_cents": [10500, 14207], "cents_per_point": 100}})
    {'points': 247}
    """
    asked = question.get("ask")
    if not isinstance(asked, str) or asked not in ASKS:
        raise refuse("unknown_ask", f"{quoted(asked)} is not a question: ask {', '.join(ASKS)}.")
    try:
        return ASKS[asked](Fields(question.get("case")))
    except Unreckoned as nothing:
        return {"error": {"code": nothing.code}}


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
    rounds = [_round(each) for each in case.objects("rounds")]
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


def _round(told: Fields) -> list[list[bets.ToldBet]]:
    """Return one round's seats; a seat is the list of its bets."""
    seats = told.lists("seats")
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
        theo.SideAction(each.text("wager"), each.fraction("action_cents"), each.fraction("edge"))
        for each in case.objects("side")
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
        case.choice("basis", theo.Basis),
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
    return _as_band(theo.band(case.fraction("theo"), case.whole_or_none("house_win_cents"), parts))


def _as_band(band: theo.Band) -> Answer:
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
        theo.Outcome(row.fraction("probability"), row.fraction("pays"))
        for _, row in case.named("categories")
    ]
    found = theo.variance(outcomes, stake_collected=case.flag("stake_collected"))
    return {"edge": str(found.edge), "variance": str(found.variance)}


def _open(case: Fields) -> Answer:
    facts = stay.SitDown(
        table=case.text("table"),
        table_open=case.flag("table_open"),
        opened_at=case.whole_or_none("opened_at"),
        seats=case.whole("seats", least=1),
        seat=case.whole("seat"),
        taken=frozenset(case.wholes("taken")),
        has_patron=case.has("patron"),
        has_stranger=case.has("stranger"),
        open_at=case.text("open_at") if case.has("open_at") else None,
        standing=case.text("standing", "clear"),
        related=case.flag("related"),
        now=case.whole("now"),
        began=case.whole("began"),
        seat_free_since=case.whole_or_none("seat_free_since"),
        break_due=case.flag("break_due"),
    )
    return {"refusals": stay.open_refusals(facts)}


def _close(case: Fields) -> Answer:
    signs = stay.LastSigns(
        began=case.whole("began"),
        now=case.whole("now"),
        asked=case.whole_or_none("asked"),
        last_bet=case.whole_or_none("last_bet"),
        last_look=case.whole_or_none("last_look"),
        table_closed=case.whole_or_none("table_closed"),
    )
    ended = stay.close(signs)
    if ended.refusals:
        return {"refusals": list(ended.refusals)}
    return {"ended": ended.at, "end": ended.end}


def _cut_days(case: Fields) -> Answer:
    try:
        day_starts = time.fromisoformat(case.text("day_starts"))
    except ValueError:
        raise refuse("bad_day_starts", "day_starts must be a time like 06:00.") from None
    clock = Clock(case.zone("zone"), (Shift("day", day_starts),))
    pieces = stay.cut_days(clock, case.instant("began"), case.instant("ended"))
    return {
        "pieces": [
            {"gaming_day": piece.gaming_day.isoformat(), "seconds": piece.seconds}
            for piece in pieces
        ]
    }


def _picked(case: Fields) -> Answer:
    digest = case.text("digest")
    if len(digest) < 8 or not all(each in "0123456789abcdef" for each in digest):
        raise refuse("bad_digest", "digest must be 8 or more hexadecimal digits.")
    return {"picked": rating_audit.is_picked(digest, case.whole("share_bp", least=0))}


def _audit(case: Fields) -> Answer:
    rated, seen = (
        rating_audit.Watched(each.whole("seconds", least=0), each.whole("average_cents", least=0))
        for each in (case.object_at("rated"), case.object_at("seen"))
    )
    found = rating_audit.compare(rated, seen, case.whole("tolerance_bp", least=0))
    return {"differs_bp": found.differs_bp, "state": found.state}


def _rater(case: Fields) -> Answer:
    found = rating_audit.rater_bias(
        case.pairs("pairs"), least=case.whole("least"), most_bp=case.whole("most_bp")
    )
    return {"ratings": found.ratings, "bias_bp": found.bias_bp, "state": found.state}


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
        "points": comps.points(case.wholes("theo_cents"), case.whole("cents_per_point", least=1))
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
            began=each.whole("began"),
            house_win_cents=each.whole_or_none("house_win_cents"),
            decisions=each.whole("decisions"),
            void=each.flag("void"),
        )
        for each in case.objects("results")
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
            each.text("who"), each.choice("direction", Direction).value, each.whole("cents")
        )
        for each in case.objects("entries")
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


def _true_count(case: Fields) -> Answer:
    ranks = [card.rank for card in cards(case.names("cards"))]
    found = theo.true_count(_decks(case), ranks)
    return {"running": found.running, "true": str(found.true)}


def _count_theo(case: Fields) -> Answer:
    rounds = [
        theo.CountedBet(each.whole("bet_cents", least=0), each.fraction("true_count"))
        for each in case.objects("rounds")
    ]
    found = theo.count_theo(case.fraction("edge"), case.whole("per_count_bp"), rounds)
    return {
        "theo": str(found.theo),
        "theo_cents": half_up(found.theo),
        "flat_cents": half_up(found.flat),
        "favours_player": found.theo < 0,
    }


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
    return {"mean": [str(each.mean) for each in found], "most": [each.most for each in found]}


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


def _terms(case: Fields) -> yields.Terms:
    return yields.Terms(
        pace=case.pace(),
        average_cents=case.whole("average_cents"),
        edge=case.fraction("edge"),
        labor_cents=case.whole("labour_cents"),
        tax_bp=case.whole("tax_bp"),
        comp_bp=case.whole("comp_bp"),
        side=[
            yields.SideTaken(
                each.whole("stake_cents"), each.whole("take_up_bp"), each.fraction("edge")
            )
            for each in case.objects("side")
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
        "theo_cents": {str(cents): half_up(each.theo) for cents, each in found.tried.items()},
        "turned_away": {str(cents): each.turned_away for cents, each in found.tried.items()},
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
    hands = case.whole("main_wagers", least=0)
    if not hands:
        raise Unreckoned("nothing_bet")
    expected = case.whole("staked_cents", least=0) * case.fraction("edge")
    chance = theo.Chance(case.fraction("variance"), case.whole("squares", least=0))
    band = theo.band(expected, case.whole_or_none("house_win_cents"), [chance])
    return {
        "take_up_bp": in_basis_points(case.whole("wagers", least=0), hands),
        "theo": str(expected),
        "theo_cents": half_up(expected),
        **_as_band(band),
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


def _main_edge(case: Fields) -> Answer:
    return {"edge": str(main_edge(_main_rules(case, case.ratio("blackjack_pays"))))}


def _departure(case: Fields) -> Answer:
    # What a blackjack pays plays no part in a hand that is none.
    rules = _main_rules(case, Fraction(3, 2))
    values = [_value(name) for name in case.names("hand")]
    up, move = _value(case.text("up")), case.choice("move", Move)
    hand = held(values)
    if hand.cards < 2 or hand.total > 21 or sorted(values) == [ACE, TEN]:
        raise Unreckoned("bad_hand")
    is_pair = hand.cards == 2 and values[0] == values[1]
    if (move is Move.SPLIT and not is_pair) or (move is Move.DOUBLE and hand.cards > 2):
        raise Unreckoned("bad_move")
    gone = without(NONE_GONE, up, *values)
    if any(count > of for count, of in zip(gone, rules.shoe, strict=True)):
        raise Unreckoned("bad_hand")
    play = Play(rules, up)
    usual = play.chart_says(hand, values[0] if is_pair else None)
    cost = play.worth(hand, gone, usual) - play.worth(hand, gone, move)
    return {"chart": usual.value, "cost": str(cost / play.no_blackjack(gone))}


def _main_rules(case: Fields, blackjack_pays: Fraction) -> MainRules:
    soft_17 = choice({"soft_17": case.text("soft_17")}, "soft_17", SOFT_17)
    hands_max = case.whole("hands_max", least=2)
    if hands_max > HANDS_MAX:
        raise refuse("bad_hands_max", f"hands_max must be from 2 to {HANDS_MAX}.")
    return MainRules(_decks(case), str(soft_17), blackjack_pays, hands_max)


def _decks(case: Fields) -> int:
    decks = case.whole("decks", least=1)
    if decks > DECKS_MAX:
        raise refuse("bad_decks", f"decks must be a whole number from 1 to {DECKS_MAX}.")
    return decks


def _value(name: str) -> int:
    """Return the value of a rank: 1 for an ace, 10 for tens and faces."""
    ranks: Sequence[str] = "A23456789TJQK"
    if len(name) != 1 or name not in ranks:
        raise refuse("bad_rank", f"{quoted(name)} is not a rank: use A, 2 to 9, T, J, Q or K.")
    return min(ranks.index(name) + 1, TEN)


ASKS: Final[Mapping[str, Callable[[Fields], Answer]]] = {
    "open": _open,
    "close": _close,
    "cut_days": _cut_days,
    "result": _result,
    "average": _average,
    "told": _told,
    "pace": _pace,
    "metered_edge": _metered_edge,
    "main_edge": _main_edge,
    "departure": _departure,
    "variance": _variance,
    "theo": _theo,
    "range": _range,
    "band": _band,
    "true_count": _true_count,
    "count_theo": _count_theo,
    "picked": _picked,
    "audit": _audit,
    "rater": _rater,
    "comp": _comp,
    "points": _points,
    "trips": _trips,
    "rebate": _rebate,
    "rebate_cost": _rebate_cost,
    "cash_day": _cash_day,
    "alerts": _alerts,
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
