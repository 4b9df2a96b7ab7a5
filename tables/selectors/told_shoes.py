"""Shoes as terminals told them, card by card: the count before each round, and every move."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from fractions import Fraction
from typing import Any

from pitboss.models import Table
from pitboss.rules.floor.standards import Mark
from pitboss.rules.ratings.bets import ToldBet
from pitboss.rules.ratings.departures import Departure, departure, moves_of, value_of
from pitboss.rules.ratings.main_odds import MainRules
from pitboss.rules.ratings.reckoning import Unreckoned
from pitboss.rules.ratings.theo import CountedBet, CountTheo, count_theo, true_count
from tables.models import PlayRating, Round, ShoeMark
from tables.services.main_edges import exact_rules
from tables.services.rating_facts import own_seats, rounds_during, spans_of, told_bets
from tables.services.rating_prices import Prices


@dataclass(frozen=True, slots=True)
class Departed:
    """A move off the chart, in the round in which it was made."""

    at: datetime
    up: str
    cards: tuple[str, ...]
    found: Departure


@dataclass(slots=True)
class CountedStay:
    """What told shoes say of one rating: its bets by the count, and how it was played."""

    rating: PlayRating
    bets: list[CountedBet] = field(default_factory=list)
    # By edge of the rules of the round.
    by_edge: dict[Fraction, list[CountedBet]] = field(default_factory=dict)
    departures: list[Departed] = field(default_factory=list)
    moves: int = 0

    def theo(self, per_count_bp: int) -> CountTheo:
        """Return theo by the count beside the flat one."""
        parts = [count_theo(edge, per_count_bp, bets) for edge, bets in self.by_edge.items()]
        return CountTheo(
            sum((part.theo for part in parts), Fraction(0)),
            sum((part.flat for part in parts), Fraction(0)),
        )

    @property
    def highest(self) -> CountedBet:
        return max(self.bets, key=lambda bet: bet.bet_cents)


def counted_stays(ratings: Sequence[PlayRating]) -> Iterator[CountedStay]:
    """Yield what told shoes say of ended ratings; of those whose hands were told card by card."""
    by_table: dict[int, list[PlayRating]] = {}
    for rating in ratings:
        by_table.setdefault(rating.table_id, []).append(rating)
    for found in by_table.values():
        yield from _at_table(found)


def _at_table(ratings: Sequence[PlayRating]) -> Iterator[CountedStay]:
    table: Table = ratings[0].table
    since = min(rating.began_at for rating in ratings)
    until = max(rating.ended_at or rating.began_at for rating in ratings)
    marks = ShoeMark.objects.filter(table=table, mark=Mark.DEAL.value, at__lte=until)
    began = marks.filter(at__lte=since).order_by("-at").values_list("at", flat=True).first()
    shoes = sorted({began or since, *marks.filter(at__gt=since).values_list("at", flat=True)})
    prices = Prices(table, shoes[0], until)
    stays = [(CountedStay(rating), spans_of(rating.seats.all())) for rating in ratings]
    fallen: list[str] = []
    shoe = -1
    for item in rounds_during(table.pk, shoes[0], until).iterator():
        now = bisect_right(shoes, item.started_at)
        if now != shoe:
            shoe, fallen = now, []
        place = prices.dealt.place(item.started_at)
        rules, edge = prices.dealt.rules(place), prices.main(place).edge
        chart = exact_rules(rules)
        ranks = list(_ranks(item.log))
        if chart is not None and edge is not None and ranks:
            try:
                count = true_count(rules.decks, fallen).true
            except Unreckoned:
                count = None
            if count is not None:
                for stay, spans in stays:
                    _add(stay, item, own_seats(item, spans), chart, edge, count)
        fallen += ranks
    yield from (stay for stay, _ in stays if stay.bets)


def _ranks(log: Mapping[str, Any]) -> Iterator[str]:
    """Yield the rank of every card that fell in a round."""
    for name in log.get("dealer_cards", ()):
        yield name[0]
    for seat in log["seats"]:
        for hand in _hands(seat):
            for name in hand["cards"]:
                yield name[0]


def _hands(seat: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return the hands of a seat; one that was only stood on is told by its first cards."""
    return list(seat.get("hands") or [{"cards": seat.get("cards", [])}])


def _add(
    stay: CountedStay,
    told: Round,
    seats: Sequence[Mapping[str, Any]],
    chart: MainRules,
    edge: Fraction,
    count: Fraction,
) -> None:
    for seat in seats:
        cents = sum(bet.stake_cents for bet in told_bets(seat) if _is_main(bet))
        if not cents:
            continue
        bet = CountedBet(cents, count)
        stay.bets.append(bet)
        stay.by_edge.setdefault(edge, []).append(bet)
        _add_moves(stay, told, seat, chart)


def _is_main(bet: ToldBet) -> bool:
    # Only games with a chart get here, and their main bet is this one.
    return bet.wager == "blackjack" and bet.is_players and not bet.coupon


def _add_moves(stay: CountedStay, told: Round, seat: Mapping[str, Any], chart: MainRules) -> None:
    dealer, hands = told.log.get("dealer_cards", []), _hands(seat)
    if not dealer or seat.get("surrender") or _is_blackjack(dealer[:2]):
        return
    first = [name for hand in hands for name in hand["cards"][:1]]
    cards = first[:2] if len(hands) > 1 else hands[0]["cards"]
    values = [value_of(name[0]) for name in cards]
    up = value_of(dealer[0][0])
    doubled = bool(hands[0].get("doubles"))
    for made in moves_of(values, is_doubled=doubled, is_split=len(hands) > 1):
        try:
            found = departure(chart, up, made)
        except Unreckoned:
            continue
        stay.moves += 1
        if found is not None:
            shown = tuple(cards[: len(made.values)])
            stay.departures.append(Departed(told.started_at, dealer[0], shown, found))


def _is_blackjack(cards: Sequence[str]) -> bool:
    return sorted(value_of(name[0]) for name in cards) == [1, 10]
