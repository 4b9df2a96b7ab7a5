"""The exact edge of the main game, worked out once for a set of rules by the worker, then read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import ClassVar, Final

from django.db import transaction

from pitboss.models import Slip, Table
from pitboss.rules.canonical import canonical, digest
from pitboss.rules.flows.flows import SlipStatus
from pitboss.rules.flows.house_flows import TABLE_CHANGE
from pitboss.rules.games.games import PairBy, TableRules
from pitboss.rules.games.tracked import is_tracked
from pitboss.rules.odds.wager_odds import as_percent
from pitboss.rules.paytables.pays import Odds
from pitboss.rules.paytables.paytables import pay_table
from pitboss.rules.ratings.main_odds import MainRules, main_edge
from pitboss.rules.ratings.reckoning import MILLION, half_up, of_basis_points
from pitboss.rules.refusal import Refused
from pitboss.rules.settings.in_force import SettingsInForce
from pitboss.selectors.table_rules import rules_in_force, rules_of_setup, tells_main_edge
from pitboss.services import house, journal
from tables.models import FiguresAwaited, MainEdge
from tables.selectors.past_rules import DealtBy

# Of the chart in the manual: an edge by another chart is another edge.
CHART: Final = 1


@dataclass(frozen=True, slots=True)
class MainEdgeKnown:
    """The edge of a main game: exact, set by the house, or not known."""

    edge: Fraction | None
    source: str

    AWAITED: ClassVar[MainEdgeKnown]

    @property
    def is_exact(self) -> bool:
        return self.source == "exact"

    def as_row(self) -> dict[str, str]:
        return {"edge": str(self.edge) if self.edge is not None else "", "from": self.source}


# It can be worked out, and no one has yet.
MainEdgeKnown.AWAITED = MainEdgeKnown(None, "")


def exact_rules(rules: TableRules) -> MainRules | None:
    """Return by which rules the chart is played; none for a game that has no chart."""
    splitting, doubling = rules.splitting, rules.doubling
    if rules.game.main_wager != "blackjack" or rules.game.id in _NO_CHART:
        return None
    if not doubling.after_split or splitting.aces_hands_max != 2 or not splitting.aces_one_card:
        return None
    if splitting.by is not PairBy.VALUE or doubling.totals != _ANY_TWO:
        return None
    pays = pay_table(rules.game.main_wager, rules.blackjack_pays).pays["blackjack"]
    if not isinstance(pays, Odds):
        return None
    return MainRules(rules.decks, rules.soft_17, Fraction(pays.to, pays.per), splitting.hands_max)


_ANY_TWO: Final = (2, 20)
_NO_CHART: Final = frozenset({"face_up", "bet_bigger", "stadium"})


def written(rules: MainRules) -> tuple[dict[str, object], str]:
    """Return a set of rules as it is stored, and the digest by which its edge is found."""
    row: dict[str, object] = {
        "decks": rules.decks,
        "soft_17": rules.soft_17,
        "blackjack_pays": str(rules.blackjack_pays),
        "hands_max": rules.hands_max,
        "chart": CHART,
    }
    return row, digest(canonical(row))


def main_edge_of(rules: TableRules, in_force: SettingsInForce) -> MainEdgeKnown:
    """Return the edge of a table's main game: a read. Awaited where the worker has it to do."""
    exact = exact_rules(rules)
    if exact is None:
        set_bp = in_force["rating.set_edge"]
        edge = of_basis_points(set_bp) if set_bp is not None else None
        return MainEdgeKnown(edge, "set" if edge is not None else "not_known")
    found = MainEdge.objects.filter(digest=written(exact)[1]).first()
    if found is None:
        return MainEdgeKnown.AWAITED
    # To the millionth, since the cut card alone moves it more.
    return MainEdgeKnown(Fraction(found.ppm, MILLION), "exact")


@tells_main_edge
def main_edge_words(rules: TableRules, in_force: SettingsInForce) -> str:
    """Say the edge of a main game to whoever sets a table up; nothing of a game without rules."""
    if is_tracked(rules.game):
        return ""
    known = main_edge_of(rules, in_force)
    if known.edge is not None:
        return f"{as_percent(known.edge)}, {'exact' if known.is_exact else 'set by the house'}"
    if known == MainEdgeKnown.AWAITED:
        return "exact edge not worked out yet; review again in a few minutes"
    return "not known for these rules"


# As many stays as one pass of the worker reads.
_WAITING_MOST: Final = 50


def edges_missing() -> list[MainRules]:
    """Return the rules whose edge no one has worked out yet.

    They are those of tables, proposed ones too, and those by which someone played whose rating
    waits for it: rules may hold for less time than the worker takes to come by.
    """
    in_force = house.settings_at(house.now())
    wanted: dict[str, MainRules] = {}
    proposed = Slip.objects.filter(kind=TABLE_CHANGE, status=SlipStatus.OPEN.value)
    asked: list[Callable[[], TableRules]] = [
        *(partial(rules_in_force, table, in_force) for table in Table.objects.order_by("id")),
        *(partial(rules_of_setup, slip.details["is"], in_force) for slip in proposed),
        *_played_by(),
    ]
    for rules_of in asked:
        try:
            exact = exact_rules(rules_of())
        except Refused:
            continue
        if exact is not None:
            wanted[written(exact)[1]] = exact
    known = set(MainEdge.objects.filter(digest__in=wanted).values_list("digest", flat=True))
    return [rules for key, rules in wanted.items() if key not in known]


def _played_by() -> list[Callable[[], TableRules]]:
    """Return the rules of each stay that ended and has no figures, as long as it lasted."""
    waiting = FiguresAwaited.objects.select_related("rating__table").order_by("id")
    asked: list[Callable[[], TableRules]] = []
    for rating in [figures_awaited.rating for figures_awaited in waiting[:_WAITING_MOST]]:
        assert rating.ended_at is not None, "only what has ended waits"
        dealt = DealtBy(rating.table, rating.began_at, rating.ended_at)
        asked += [partial(dealt.rules, place) for place in range(len(dealt.changes) + 1)]
    return asked


def work_out(rules: MainRules) -> MainEdge:
    """Work an edge out and keep it. It takes a core some seconds, and is done once."""
    row, key = written(rules)
    edge = main_edge(rules)
    with transaction.atomic():
        made = MainEdge(
            digest=key,
            rules=row,
            edge=str(edge),
            ppm=half_up(edge * MILLION),
            made_at=house.now(),
        )
        # Two workers may have come to the same: it is the same edge.
        MainEdge.objects.bulk_create([made], ignore_conflicts=True)
        kept = MainEdge.objects.get(digest=key)
        if kept.made_at == made.made_at:
            journal.write(
                chain=journal.HOUSE,
                kind="edge_worked_out",
                body={"rules": row, "edge": str(edge)},
                at=kept.made_at,
                rows=[kept],
            )
    return kept
